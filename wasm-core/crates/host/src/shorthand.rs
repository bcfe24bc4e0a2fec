//! Studies in shorthand, as they are written on the command line and in Python: `PATH=5:400:log14`, `EXPR < 300`.

use std::iter;

use qoscope_engine::scenario::quoted;
use qoscope_figures::Expression;
use qoscope_study::{Measure, MeasureSuggestion, STUDY_VERSION};
use serde_json::{Map, Value, json};

use crate::Error;

/// Characters of a title at most.
const TITLE: usize = 80;

/// What is written of a study.
pub struct Written<'a> {
    /// Of its scenario.
    pub document: &'a Value,
    /// Changes of the scenario, values by path.
    pub set: Map<String, Value>,
    /// What varies, `PATH=VALUES`.
    pub vary: &'a [String],
    /// What that is given as, to be named where it is wrong.
    pub option: &'a str,
    /// What is measured, `EXPR` or `TITLE=EXPR`; what a first study asks for where there is none.
    pub measures: &'a [String],
    /// What can be measured of the scenario, which has titles and units.
    pub suggested: &'a [MeasureSuggestion],
    /// Seeds of every point.
    pub seeds: Option<u32>,
    /// The first of them.
    pub first_seed: Option<u64>,
}

/// What a search is asked, as it is written.
pub struct Wishes<'a> {
    /// What must hold, `EXPR < NUMBER`.
    pub wants: &'a [String],
    /// What that is given as, to be named where it is wrong.
    pub option: &'a str,
    /// Share of seeds under which it must.
    pub confidence: Option<f64>,
    /// What is to be least.
    pub least: &'a [String],
    /// What is to be most.
    pub most: &'a [String],
    /// What these two are given as.
    pub preference_options: [&'a str; 2],
}

/// The document of a study, to be read as that of a file is.
pub fn study(written: &Written<'_>, ask: Value, wishes: Option<&Wishes<'_>>) -> Result<Value, Error> {
    let vary = written.vary.iter().map(|text| factor(text, written.option)).collect::<Result<Vec<_>, _>>()?;
    let classes = written.document["classes"].as_array().into_iter().flatten();
    let classes: Vec<&str> = classes.filter_map(|class| class["name"].as_str()).collect();
    let mut measures = Measures { all: Vec::new(), suggested: written.suggested, classes };
    for text in written.measures {
        measures.add(text);
    }
    let ask = match wishes {
        Some(wishes) => search(ask, wishes, &vary, &mut measures)?,
        None => {
            if measures.all.is_empty() {
                let first = written.suggested.iter().filter(|known| known.suggested);
                measures.all.extend(first.map(measure));
            }
            ask
        }
    };
    let paths: Vec<&str> = vary.iter().filter_map(|factor| factor["path"].as_str()).collect();
    let name = written.document["name"].as_str().unwrap_or("a scenario");
    let title = if paths.is_empty() { name.to_owned() } else { format!("{name}: {}", paths.join(", ")) };
    let mut seeds = Map::new();
    seeds.extend(written.first_seed.map(|first| ("first".to_owned(), first.into())));
    seeds.extend(written.seeds.map(|count| ("count".to_owned(), count.into())));
    let mut study =
        json!({ "version": STUDY_VERSION, "title": cut(&title, 120), "measures": measures.all, "ask": ask });
    let parts = [("vary", Value::from(vary)), ("set", written.set.clone().into()), ("seeds", seeds.into())];
    for (name, part) in parts {
        let is_empty = part.as_array().is_some_and(Vec::is_empty) || part.as_object().is_some_and(Map::is_empty);
        if !is_empty {
            study[name] = part;
        }
    }
    Ok(study)
}

/// A value in shorthand: JSON, or else a word as it stands.
pub fn parsed(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|_| text.into())
}

/// Cuts a text to so many characters.
fn cut(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    text.chars().take(most - 1).chain(['…']).collect()
}

/// What varies, of `PATH=5:400:log14`, `PATH=5:400:14` or `PATH=a,b,c`.
fn factor(text: &str, option: &str) -> Result<Value, Error> {
    let wrong = || {
        Error::Sentence(format!(
            "{option} takes PATH=FROM:TO:COUNT, with log before COUNT for equal ratios, or PATH=VALUE,VALUE, as in {option} \
             switch.ecnThresholdPackets=5:400:log14; {} is neither.",
            quoted(text)
        ))
    };
    let (path, values) = text.split_once('=').ok_or_else(wrong)?;
    let (path, values) = (path.trim(), values.trim());
    if path.is_empty() || values.is_empty() {
        return Err(wrong());
    }
    if values.starts_with('[') {
        let Value::Array(values) = parsed(values) else { return Err(wrong()) };
        return Ok(json!({ "path": path, "values": values }));
    }
    if !values.contains(':') || values.starts_with('"') {
        let values: Vec<Value> = values.split(',').map(|value| parsed(value.trim())).collect();
        return Ok(json!({ "path": path, "values": values }));
    }
    let parts: Vec<&str> = values.split(':').map(str::trim).collect();
    let [from, to, count] = parts.as_slice() else { return Err(wrong()) };
    let (scale, count) = count.strip_prefix("log").map_or(("even", *count), |count| ("log", count));
    let number = |text: &str| text.parse::<f64>().ok().filter(|number| number.is_finite()).ok_or_else(wrong);
    let count: u32 = count.parse().map_err(|_| wrong())?;
    let range = json!({ "from": number(from)?, "to": number(to)?, "count": count, "scale": scale });
    Ok(json!({ "path": path, "range": range }))
}

/// What is measured.
struct Measures<'a> {
    all: Vec<Measure>,
    suggested: &'a [MeasureSuggestion],
    /// Names of the classes.
    classes: Vec<&'a str>,
}

impl Measures<'_> {
    /// Adds what is measured, `EXPR` or `TITLE=EXPR`. Returns its title: that of one that is there, if the text is its title or expression.
    fn add(&mut self, text: &str) -> String {
        let text = text.trim();
        // `=` is in no expression but in the name of a class.
        let parts = text.split_once('=').filter(|_| !is_expression(text));
        let (title, value) = parts.map_or((None, text), |(title, value)| (Some(title.trim()), value.trim()));
        let one_of_all = self.all.iter().find_map(|known| self.one_of(known, value));
        if title.is_none()
            && let Some(known) = one_of_all
        {
            return known.title;
        }
        let known = self.suggested.iter().find_map(|known| self.one_of(&measure(known), value));
        let (value, unit) = match &known {
            Some(known) => (known.value.clone(), known.unit.clone()),
            None => (value.to_owned(), None),
        };
        let title = title.or(known.as_ref().map(|known| known.title.as_str()));
        let title = title.map_or_else(|| cut(&value, TITLE), str::to_owned);
        self.all.push(Measure { title: title.clone(), value, unit });
        title
    }

    /// The measure that a text is the title or the expression of: this one, or what it is of one class.
    fn one_of(&self, known: &Measure, text: &str) -> Option<Measure> {
        let of_classes = self.classes.iter().filter(|_| known.value.contains("{class}")).map(|class| Measure {
            title: format!("{}, {class}", known.title),
            value: known.value.replace("{class}", class),
            unit: known.unit.clone(),
        });
        iter::once(known.clone()).chain(of_classes).find(|one| one.title == text || one.value == text)
    }
}

/// What is suggested, as a study has it.
fn measure(MeasureSuggestion { title, value, unit, .. }: &MeasureSuggestion) -> Measure {
    Measure { title: title.clone(), value: value.clone(), unit: unit.clone() }
}

fn is_expression(text: &str) -> bool {
    Expression::parse(&text.replace("{class}", "class")).is_ok()
}

/// What a search asks.
fn search(mut ask: Value, wishes: &Wishes<'_>, vary: &[Value], measures: &mut Measures<'_>) -> Result<Value, Error> {
    if wishes.least.is_empty() && wishes.most.is_empty() {
        let [least, most] = wishes.preference_options;
        return Err(Error::Sentence(format!(
            "A search needs a preference among the settings that meet the targets: give {least} or {most} with a free \
             field or a measure."
        )));
    }
    let mut targets: Vec<Value> = Vec::new();
    for text in wishes.wants {
        let (measure, bound, number) = bound(text, wishes.option)?;
        let title = measures.add(measure);
        let is_each = measures.all.iter().any(|known| known.title == title && known.value.contains("{class}"));
        let of_class = |class: &&str| format!("{title}, {class}");
        let titles: Vec<String> =
            if is_each { measures.classes.iter().map(of_class).collect() } else { vec![title.clone()] };
        for title in titles {
            // Both bounds of a measure are one target, as long as each is given once.
            let same = targets.iter_mut().find(|target| target["measure"] == title.as_str() && target[bound].is_null());
            match same {
                Some(target) => target[bound] = number.into(),
                None => {
                    let mut target = json!({ "measure": title, bound: number });
                    if let Some(confidence) = wishes.confidence {
                        target["confidence"] = confidence.into();
                    }
                    targets.push(target);
                }
            }
        }
    }
    let mut prefer = Vec::new();
    for (wanted, texts) in [("min", wishes.least), ("max", wishes.most)] {
        for text in texts {
            let is_free = vary.iter().any(|factor| factor["path"] == text.as_str());
            let of = if is_free { text.clone() } else { measures.add(text) };
            prefer.push(json!({ "of": of, "wanted": wanted }));
        }
    }
    ask["targets"] = targets.into();
    ask["prefer"] = prefer.into();
    Ok(ask)
}

/// The measure, which bound and the number of `EXPR < NUMBER`.
fn bound<'a>(text: &'a str, option: &str) -> Result<(&'a str, &'static str, f64), Error> {
    let wrong = || {
        Error::Sentence(format!(
            "{option} takes a measure, < or > and a number, as in {option} \"classes['High'].latencyUs.p99 < 300\"; {} is none.",
            quoted(text)
        ))
    };
    // The name of a class may have the sign in it; what is after the last one is the number.
    let at = text.rfind(['<', '>']).ok_or_else(wrong)?;
    let (measure, rest) = text.split_at(at);
    let bound = if rest.starts_with('<') { "atMost" } else { "atLeast" };
    let number = rest[1..].trim_start_matches('=').trim().parse::<f64>().ok().filter(|number| number.is_finite());
    let measure = measure.trim();
    if measure.is_empty() {
        return Err(wrong());
    }
    Ok((measure, bound, number.ok_or_else(wrong)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(text: &str) -> Value {
        factor(text, "--vary").unwrap()
    }

    #[test]
    fn a_value_is_json_or_a_word() {
        assert_eq!(parsed("3"), json!(3));
        assert_eq!(parsed("\"3\""), json!("3"));
        assert_eq!(parsed("null"), json!(null));
        assert_eq!(parsed("dctcp"), json!("dctcp"));
        assert_eq!(parsed("[1, 2]"), json!([1, 2]));
    }

    #[test]
    fn what_varies_is_a_range_or_a_list() {
        let range = |from: f64, to: f64, count: u32, scale: &str| json!({ "path": "a.b", "range": { "from": from, "to": to, "count": count, "scale": scale } });
        assert_eq!(written("a.b=5:400:log14"), range(5.0, 400.0, 14, "log"));
        assert_eq!(written(" a.b = 0.5 : 2e3 : 3 "), range(0.5, 2000.0, 3, "even"));
        assert_eq!(written("a=1,2.5,dctcp"), json!({ "path": "a", "values": [1, 2.5, "dctcp"] }));
        assert_eq!(written("a=[\"x,y\", null]"), json!({ "path": "a", "values": ["x,y", null] }));
        for wrong in ["a", "=1", "a=", "a=1:2", "a=1:2:many", "a=1:b:3", "a=1:2:3:4", "a=[1", "a=1:inf:3"] {
            let told = factor(wrong, "--free").unwrap_err().to_string();
            assert!(told.starts_with("--free takes PATH=FROM:TO:COUNT") && told.contains(wrong), "{told}");
        }
    }

    #[test]
    fn what_must_hold_is_a_measure_a_sign_and_a_number() {
        assert_eq!(bound("network.drops <= 0", "--want").unwrap(), ("network.drops", "atMost", 0.0));
        assert_eq!(
            bound("classes['a<b'].carriedGbps>-1.5", "--want").unwrap(),
            ("classes['a<b'].carriedGbps", "atLeast", -1.5)
        );
        for wrong in ["network.drops", "< 3", "network.drops < many", "network.drops < inf"] {
            assert!(bound(wrong, "--want").unwrap_err().to_string().contains("--want takes a measure"), "{wrong}");
        }
    }

    #[test]
    fn a_measure_is_known_by_title_and_by_expression_and_of_each_class() {
        let suggestion = |title: &str, value: &str| MeasureSuggestion {
            title: title.into(),
            value: value.into(),
            unit: Some("us".into()),
            suggested: false,
        };
        let suggested =
            [suggestion("p99 latency", "classes['{class}'].latencyUs.p99"), suggestion("Drops", "network.drops")];
        let mut measures = Measures { all: Vec::new(), suggested: &suggested, classes: vec!["High", "Low"] };
        let texts = [
            ("classes['Low'].latencyUs.p99", "p99 latency, Low"),
            ("p99 latency, Low", "p99 latency, Low"),
            ("Drops", "Drops"),
            ("network.drops", "Drops"),
            ("q=classes['{class}'].carriedGbps", "q"),
            ("classes['High'].carriedGbps", "q, High"),
            ("q, Low", "q, Low"),
            ("network.maxQueuePackets", "network.maxQueuePackets"),
            ("mine=network.drops", "mine"),
        ];
        for (text, title) in texts {
            assert_eq!(measures.add(text), title, "{text}");
        }
        let us = Some("us".to_owned());
        let values: Vec<_> = measures.all.iter().map(|one| (one.value.as_str(), &one.unit)).collect();
        assert_eq!(
            values,
            [
                ("classes['Low'].latencyUs.p99", &us),
                ("network.drops", &us),
                ("classes['{class}'].carriedGbps", &None),
                ("network.maxQueuePackets", &None),
                ("network.drops", &us),
            ]
        );
    }

    #[test]
    fn a_search_names_its_measures_once() {
        let document = json!({ "name": "Two", "classes": [{ "name": "High" }, { "name": "Low" }] });
        let texts = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>();
        let vary = texts(&["k=1:9:3"]);
        let measures = texts(&["Drops=network.drops"]);
        let value = "sum(classes.carriedGbps)".to_owned();
        let (title, unit) = ("Throughput".to_owned(), Some("Gb/s".to_owned()));
        let suggested = MeasureSuggestion { title, value, unit, suggested: true };
        let written = Written {
            document: &document,
            set: Map::from_iter([("durationUs".to_owned(), 900.into())]),
            vary: &vary,
            option: "--free",
            measures: &measures,
            suggested: &[suggested],
            seeds: Some(4),
            first_seed: Some(7),
        };
        let wishes = Wishes {
            option: "--want",
            wants: &texts(&["network.drops < 1", "p=classes['{class}'].carriedGbps > 2", "network.drops > 0"]),
            confidence: Some(0.9),
            preference_options: ["--least", "--most"],
            least: &texts(&["k"]),
            most: &texts(&["sum(classes.carriedGbps)"]),
        };
        let target = |measure: &str, least: Option<f64>, most: Option<f64>| {
            let mut target = json!({ "measure": measure, "confidence": 0.9 });
            least.into_iter().for_each(|least| target["atLeast"] = least.into());
            most.into_iter().for_each(|most| target["atMost"] = most.into());
            target
        };
        assert_eq!(
            study(&written, json!({ "kind": "search" }), Some(&wishes)).unwrap(),
            json!({
                "version": STUDY_VERSION,
                "title": "Two: k",
                "set": { "durationUs": 900 },
                "vary": [{ "path": "k", "range": { "from": 1.0, "to": 9.0, "count": 3, "scale": "even" } }],
                "seeds": { "first": 7, "count": 4 },
                "measures": [
                    { "title": "Drops", "value": "network.drops" },
                    { "title": "p", "value": "classes['{class}'].carriedGbps" },
                    { "title": "Throughput", "value": "sum(classes.carriedGbps)", "unit": "Gb/s" },
                ],
                "ask": {
                    "kind": "search",
                    "targets": [
                        target("Drops", Some(0.0), Some(1.0)),
                        target("p, High", Some(2.0), None),
                        target("p, Low", Some(2.0), None),
                    ],
                    "prefer": [
                        { "of": "k", "wanted": "min" },
                        { "of": "Throughput", "wanted": "max" },
                    ],
                },
            })
        );
    }
}
