//! What of a scenario can vary, with sensible ranges, and what can be measured of it.

use std::collections::BTreeMap;

use qoscope_engine::catalogue::FieldExplanation;
use qoscope_engine::kernel::convert::index_u32;
use qoscope_engine::kernel::random::Stream;
use qoscope_engine::scenario::fields::{self, Choice, Field, Form};
use qoscope_engine::scenario::size::connection_count;
use qoscope_engine::scenario::{self, Buffering, Diagnostic, Marking, Scenario, Traffic};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use crate::base::{Base, Changes};
use crate::document::{Factor, Measure, Range, Scale};
use crate::factor;
use crate::measure::{Gauge, scope};
use crate::table::StudyValue;
use crate::template;

/// Values of a range over a logarithmic scale, and over an even one.
const LOG_COUNT: u32 = 14;
const EVEN_COUNT: u32 = 11;
/// Settings of all that varies by itself under which a further field must be taken.
const CORNERS: usize = 8;
/// How far a range goes to either side of the present value where the field does not say how far it is usually taken.
const FACTOR: f64 = 4.0;

/// What can vary and what can be measured.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Suggestions {
    /// Every field that has an effect, in the order of the screen.
    pub fields: Vec<FieldSuggestion>,
    /// What has a value here.
    pub measures: Vec<MeasureSuggestion>,
    /// What a first sensitivity takes, of all that matters.
    pub sensitivity: SensitivitySuggestion,
}

/// What a first sensitivity takes.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct SensitivitySuggestion {
    /// Seeds of every point: the fewest from which chance is told.
    pub seeds: u32,
    /// Walks, as many as keep it near a number of runs.
    pub walks: u32,
    /// What varies in one that names nothing.
    pub vary: Vec<Factor>,
}

impl SensitivitySuggestion {
    /// Of these factors.
    fn of(vary: Vec<Factor>) -> Self {
        const RUNS: u32 = 2000;
        const SEEDS: u32 = 2;
        let walks = RUNS / (SEEDS * (index_u32(vary.len()) + 1));
        Self { seeds: SEEDS, walks: walks.clamp(4, 12), vary }
    }
}

/// A field that can vary.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct FieldSuggestion {
    /// The field.
    pub path: String,
    /// What it is called, with its class.
    pub title: String,
    /// Its symbol in the papers.
    pub symbol: Option<String>,
    /// Its unit.
    pub unit: Option<String>,
    /// Its values are words, not numbers.
    pub is_words: bool,
    /// The words, in the order of the screen.
    pub options: Vec<WordSuggestion>,
    /// A sensible range about the present value; none of words.
    pub range: Option<Range>,
    /// The value that the scenario has; null where that is none of its own.
    #[schemars(with = "Option<StudyValue>")]
    pub present: Value,
    /// What theory recommends: from and to.
    pub recommended: Option<(f64, f64)>,
    /// It is the one that a first study varies: what theory recommends something of, else the first with numbers that changes while a run goes on.
    pub suggested: bool,
}

/// A word that a field may hold.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct WordSuggestion {
    /// As the document has it.
    #[schemars(extend("type" = ["string", "boolean"]))]
    pub value: Value,
    /// On the screen.
    pub title: String,
}

/// Something that can be measured: a measure of a study.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct MeasureSuggestion {
    /// What it is called.
    pub title: String,
    /// Expression over a summary.
    pub value: String,
    /// Unit of the number.
    pub unit: Option<String>,
    /// It is among those that a first study asks for.
    pub suggested: bool,
}

/// What of a scenario can vary, and what can be measured of it.
///
/// # Errors
/// What is wrong with the scenario.
pub fn suggest(document: &Value) -> Result<Suggestions, Vec<Diagnostic>> {
    let base = Base::of(document)?;
    let measures = measures(&base)?;
    let fields = fields(&base);
    let sensitivity = SensitivitySuggestion::of(matter_of(&base, &fields));
    Ok(Suggestions { fields, measures, sensitivity })
}

/// What varies where a sensitivity does not say it: every field with an effect, but those that say what is measured, for how long, and on which
/// network. Numbers go from half to twice their value, as far as the engine takes that together with the ends of all others.
pub(crate) fn all_that_matter(base: &Base) -> Vec<Factor> {
    matter_of(base, &fields(base))
}

/// As [`all_that_matter`], of the fields that can vary.
fn matter_of(base: &Base, fields: &[FieldSuggestion]) -> Vec<Factor> {
    const HELD: [&str; 3] = ["measurement.", "durationUs", "topology.shape."];
    let is_held = |of: &&FieldSuggestion| HELD.iter().any(|held| of.path.starts_with(held));
    let candidates: Vec<Candidate<'_>> = fields.iter().filter(|of| !is_held(of)).filter_map(Candidate::of).collect();
    accepted_together(base, candidates).into_iter().map(Candidate::into_factor).collect()
}

/// A field that may vary together with others.
struct Candidate<'a> {
    field: &'a FieldSuggestion,
    values: Vec<Value>,
    range: Option<Range>,
}

impl<'a> Candidate<'a> {
    /// None if the field has no two values.
    fn of(field: &'a FieldSuggestion) -> Option<Self> {
        let range = narrowed(field);
        let values: Vec<Value> = match &range {
            Some(range) => [range.from, range.to].map(factor::exact).into(),
            None if field.is_words => field.options.iter().map(|option| option.value.clone()).collect(),
            None => return None,
        };
        (values.len() > 1).then_some(Self { field, values, range })
    }

    /// Which of its values a corner has: all fields at one end, all at the other, and mixed by chance. Round 1 has the other end, and
    /// further rounds the words between the ends.
    fn place(&self, corner: usize, round: usize) -> usize {
        let is_first = match corner {
            0 | 1 => corner == 0,
            _ => Stream::new(1, &self.field.path, corner as u64).integer(0, 1) == 0,
        };
        let last = self.values.len() - 1;
        match (round, is_first) {
            (0, true) | (1, false) => 0,
            (0, false) | (1, true) => last,
            (further, _) => (further - 1).min(last),
        }
    }

    fn at(&self, corner: usize, round: usize) -> (String, Value) {
        (self.field.path.clone(), self.values[self.place(corner, round)].clone())
    }

    fn into_factor(self) -> Factor {
        Factor {
            title: None,
            path: Some(self.field.path.clone()),
            moves: Vec::new(),
            alternatives: Vec::new(),
            values: if self.range.is_none() { self.values } else { Vec::new() },
            range: self.range,
        }
    }
}

/// Leaves out numbers, and values of words, until the engine accepts what is left together, at all corners. Of a corner that is refused the
/// first candidate that makes it so is found by halving.
fn accepted_together<'a>(base: &Base, mut candidates: Vec<Candidate<'a>>) -> Vec<Candidate<'a>> {
    let most_values = candidates.iter().map(|of| of.values.len()).max().unwrap_or(0);
    // Words between the ends are tried where all fields are at one end.
    let corners = |round: usize| (0..if round < 2 { CORNERS } else { 2 }).map(move |corner| (corner, round));
    let tests: Vec<(usize, usize)> = (0..most_values).flat_map(corners).collect();
    let accepts = |candidates: &[Candidate<'_>], (corner, round): (usize, usize)| {
        base.accepts(&candidates.iter().map(|of| of.at(corner, round)).collect::<Changes>())
    };
    let mut passed = 0;
    let mut tried = tests.iter().copied().cycle();
    while passed < tests.len() {
        let Some(test) = tried.next() else { break };
        passed += 1;
        while !accepts(&candidates, test) {
            let (mut accepted, mut refused) = (0, candidates.len());
            while refused - accepted > 1 {
                let middle = usize::midpoint(accepted, refused);
                if accepts(&candidates[..middle], test) { accepted = middle } else { refused = middle }
            }
            let Some(culprit) = candidates.get_mut(accepted) else { return candidates };
            let place = culprit.place(test.0, test.1);
            culprit.values.remove(place);
            if culprit.range.is_some() || culprit.values.len() < 2 {
                candidates.remove(accepted);
            }
            passed = 0;
        }
    }
    candidates
}

/// From half to twice the present value, as far as it is sensible at all; of a value of 0 all that is.
fn narrowed(of: &FieldSuggestion) -> Option<Range> {
    let range = of.range.as_ref()?;
    let present = of.present.as_f64().filter(|present| *present > 0.0);
    let (from, to) = present.map_or((range.from, range.to), |present| (present / 2.0, present * 2.0));
    let (from, to) = (from.max(range.from), to.min(range.to));
    (from < to).then(|| Range { from, to, ..range.clone() })
}

fn fields(base: &Base) -> Vec<FieldSuggestion> {
    let effective = base.explanation.fields.iter().filter(|field| field.no_effect.is_none());
    let open: Vec<Open<'_>> = effective.filter_map(|explained| Open::of(base, explained)).collect();
    // The same field of several elements of a list, with the same range.
    let mut alike: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (number, of) in open.iter().enumerate() {
        let key = format!("{} {:?} {:?}", fields::pattern(of.path), of.range, of.options);
        alike.entry(key).or_default().push(number);
    }
    let mut settled: Vec<Option<Settled>> = vec![None; open.len()];
    for numbers in alike.values() {
        let first = open[numbers[0]].settled(base);
        let all = numbers.iter().map(|&number| &open[number]);
        let holds_for_all = first.as_ref().is_some_and(|first| first.is_accepted_of(base, all));
        for &number in numbers {
            let is_known = number == numbers[0] || holds_for_all;
            settled[number] = if is_known { first.clone() } else { open[number].settled(base) };
        }
    }
    let mut found: Vec<FieldSuggestion> =
        open.iter().zip(settled).filter_map(|(of, settled)| Some(of.suggestion(base, settled?))).collect();
    let is_live = |of: &FieldSuggestion| fields::at(&base.whole, &of.path).is_some_and(|field| field.live);
    let first = found.iter().position(|of| of.recommended.is_some());
    let first = first.or_else(|| found.iter().position(|of| !of.is_words && is_live(of)));
    if let Some(first) = first {
        found[first].suggested = true;
    }
    found
}

/// A field that can vary, before the engine is asked which of its values it takes.
struct Open<'a> {
    path: &'a String,
    field: &'static Field,
    present: Value,
    /// What theory recommends: from and to.
    recommended: Option<(f64, f64)>,
    options: Vec<WordSuggestion>,
    /// None of words.
    range: Option<Range>,
}

/// What the engine takes of a field.
#[derive(Clone)]
struct Settled {
    options: Vec<WordSuggestion>,
    range: Option<Range>,
}

impl Settled {
    /// Whether the engine takes the same of all of some fields at once: of a list with many elements it need not be asked for each.
    fn is_accepted_of<'a>(&self, base: &Base, all: impl Iterator<Item = &'a Open<'a>> + Clone) -> bool {
        let Some(first) = all.clone().next().filter(|_| all.clone().nth(1).is_some()) else { return true };
        let numbers = self.range.iter().flat_map(|range| [range.from, range.to, middle(range, first.field)]);
        let words = self.options.iter().map(|option| option.value.clone());
        let mut values = numbers.map(factor::exact).chain(words);
        values.all(|value| base.accepts(&all.clone().map(|of| (of.path.clone(), value.clone())).collect::<Changes>()))
    }
}

impl<'a> Open<'a> {
    fn of(base: &Base, explained: &'a FieldExplanation) -> Option<Self> {
        let path = &explained.path;
        let field = fields::at(&base.whole, path).filter(|field| field.is_choosable() && field.path != "seed")?;
        let word = |Choice { value, title, .. }: &Choice| WordSuggestion {
            value: value.as_str().into(),
            title: title.clone(),
        };
        let options = match field.form {
            Form::Boolean => [true, false]
                .map(|is_on| WordSuggestion { value: is_on.into(), title: factor::switched(is_on).into() })
                .into(),
            _ => field.options.iter().map(word).collect(),
        };
        let present = base.in_force(path);
        let recommended = explained.recommended.as_ref().map(|found| (found.band.0 as f64, found.band.1 as f64));
        let range = match factor::is_number(field) {
            true => Some(range(field, present.as_f64(), recommended)?),
            false => None,
        };
        Some(Self { path, field, present, recommended, options, range })
    }

    fn settled(&self, base: &Base) -> Option<Settled> {
        let written = scenario::get_path(&base.whole, self.path);
        let accepts = |value: Value| written == Some(&value) || base.accepts(&[(self.path.clone(), value)]);
        let mut options = self.options.clone();
        options.retain(|option| accepts(option.value.clone()));
        let range = match &self.range {
            Some(range) => Some(taken(range.clone(), self.present.as_f64(), self.field, accepts)?),
            None if options.len() < 2 => return None,
            None => None,
        };
        Some(Settled { options, range })
    }

    fn suggestion(&self, base: &Base, Settled { options, range }: Settled) -> FieldSuggestion {
        FieldSuggestion {
            title: factor::title_at(self.path, self.field, base),
            symbol: self.field.symbol.clone(),
            unit: self.field.unit.clone(),
            is_words: range.is_none(),
            options,
            range,
            present: self.present.clone(),
            recommended: self.recommended,
            suggested: false,
            path: self.path.clone(),
        }
    }
}

/// A range about the present value: the part of the field's own that a slider covers, or a few times the value to either side, with what is
/// recommended in it.
fn range(field: &Field, present: Option<f64>, recommended: Option<(f64, f64)>) -> Option<Range> {
    let bound = |end: &Option<Value>| end.as_ref().and_then(Value::as_f64);
    let (least, most) = (bound(&field.minimum), bound(&field.maximum));
    let about = present.or(recommended.map(|(from, to)| (from + to) / 2.0));
    let (from, to, is_log) = match (&field.slider, about) {
        (Some(slider), _) => (slider.low, slider.high, slider.scale == "log"),
        (None, Some(about)) if about > 0.0 => (about / FACTOR, about * FACTOR, true),
        (None, _) => (least.unwrap_or(0.0), most.filter(|most| *most <= 100.0)?, false),
    };
    let of_all = about.into_iter().chain(recommended.into_iter().flat_map(|(from, to)| [from, to]));
    let (from, to) =
        of_all.filter(|of| !is_log || *of > 0.0).fold((from, to), |(from, to), of| (from.min(of), to.max(of)));
    let whole = field.form == Form::Integer;
    let neat = |number: f64| if whole { libm::round(neat(number)) } else { neat(number) };
    let from = neat(from).max(least.unwrap_or(f64::NEG_INFINITY));
    let to = neat(to).min(most.unwrap_or(f64::INFINITY));
    let is_log = is_log && from > 0.0 && to / from > 3.0;
    let usual = if is_log { LOG_COUNT } else { EVEN_COUNT };
    let count = if whole { usual.min((to - from + 1.0).min(1000.0) as u32) } else { usual };
    (from < to).then_some(Range { from, to, count: count.max(2), scale: if is_log { Scale::Log } else { Scale::Even } })
}

/// A range as far as the engine takes it, alone: an end that it refuses comes half of the way to the present value, or else to the middle, as often as
/// it takes; none where it refuses that as well, or what lies between the two ends.
fn taken(range: Range, present: Option<f64>, field: &Field, accepts: impl Fn(Value) -> bool) -> Option<Range> {
    const TRIES: u32 = 6;
    let is_log = range.scale == Scale::Log;
    let between = |one: f64, other: f64| between(is_log, one, other);
    let as_field = |number: f64| as_field(field, number);
    let anchor = present.filter(|present| (range.from..=range.to).contains(present));
    let anchor = anchor.unwrap_or_else(|| as_field(between(range.from, range.to)));
    if !accepts(factor::exact(anchor)) {
        return None;
    }
    let end = |mut end: f64| {
        for _ in 0..TRIES {
            if accepts(factor::exact(end)) {
                return end;
            }
            end = as_field(neat(between(end, anchor)));
        }
        anchor
    };
    let range = Range { from: end(range.from), to: end(range.to), ..range };
    // Some fields take their ends alone.
    let is_taken = range.from < range.to && accepts(factor::exact(middle(&range, field)));
    is_taken.then_some(range)
}

fn between(is_log: bool, one: f64, other: f64) -> f64 {
    if is_log { (one * other).sqrt() } else { (one + other) / 2.0 }
}

fn as_field(field: &Field, number: f64) -> f64 {
    if field.form == Form::Integer { libm::round(number) } else { number }
}

/// A number between the ends of a range.
fn middle(range: &Range, field: &Field) -> f64 {
    as_field(field, neat(between(range.scale == Scale::Log, range.from, range.to)))
}

/// A number with two digits.
fn neat(number: f64) -> f64 {
    format!("{number:.1e}").parse().unwrap_or(number)
}

/// What can be measured of a scenario.
fn measures(base: &Base) -> Result<Vec<MeasureSuggestion>, Vec<Diagnostic>> {
    let summary = template::of(&base.scenario)?;
    let scope = scope(&summary);
    let classes: Vec<&str> = base.scenario.classes.iter().map(|class| class.name.as_str()).collect();
    let has_value = |of: &MeasureSuggestion| {
        let measure = Measure { title: of.title.clone(), value: of.value.clone(), unit: None };
        Gauge::all(&[measure], &classes)
            .is_ok_and(|gauges| gauges.iter().all(|(_, gauge)| gauge.expression.number(&scope).is_ok()))
    };
    Ok(all_measures(base).into_iter().filter(has_value).collect())
}

fn all_measures(base: &Base) -> Vec<MeasureSuggestion> {
    let scenario = &base.scenario;
    let has = |metric: &str| base.explanation.metrics.iter().all(|missing| missing.id != metric);
    let requests = scenario.workloads.iter().any(|workload| !matches!(workload.traffic, Traffic::Backlogged {}));
    let (network, devices) = (connection_count(scenario) > 0, scenario.has_devices());
    let mut found = Vec::new();
    let mut add = |applies: bool, title: &str, value: &str, unit: &str, suggested: bool| {
        if applies {
            let unit = (!unit.is_empty()).then(|| unit.to_owned());
            found.push(MeasureSuggestion { title: title.into(), value: value.into(), unit, suggested });
        }
    };
    add(true, "Total throughput", "sum(classes.carriedGbps)", "Gb/s", true);
    add(true, "Throughput", "classes['{class}'].carriedGbps", "Gb/s", !requests);
    add(requests, "p99 latency", "classes['{class}'].latencyUs.p99", "us", true);
    add(requests, "p99.9 latency", "classes['{class}'].latencyUs.p999", "us", false);
    add(requests, "Median latency", "classes['{class}'].latencyUs.p50", "us", false);
    add(requests, "Mean latency", "classes['{class}'].latencyUs.mean", "us", false);
    add(requests, "Requests", "sum(classes.requests.perSecond)", "1/s", false);
    add(has("qualityFactor"), "Quality factor", "classes['{class}'].qualityFactor.mean", "", false);
    for (name, value) in missed(scenario) {
        add(true, &format!("Missed deadlines, {name}"), &value, "%", false);
    }
    add(devices, "p99 device latency", "classes['{class}'].deviceLatencyUs.p99", "us", false);
    add(devices, "Write amplification", "max(devices.writeAmplification or 1)", "", false);
    add(network, "Mean queue", "network.meanQueuePackets", "packets", false);
    add(network, "Longest queue", "network.maxQueuePackets", "packets", false);
    add(network, "Utilisation", "100 * network.bottleneckUtilisation", "%", false);
    add(
        network && scenario.switch.marking != Marking::Off,
        "Marked packets",
        "100 * network.markedFraction or 0",
        "%",
        false,
    );
    add(network, "Drops", "network.dropsEverywhere", "packets", false);
    add(network, "Sent again", "100 * network.retransmittedFraction or 0", "%", false);
    add(network && scenario.switch.buffering == Buffering::Pfc, "Pause frames", "network.pauseFrames", "", false);
    add(
        scenario.classes.iter().all(|class| !class.contract.is_empty()),
        "Late requests",
        "sum(classes['{class}'].contract.classes.late)",
        "requests",
        false,
    );
    found
}

/// The classes with deadlines, and what reads the share of requests that miss them.
fn missed(scenario: &Scenario) -> Vec<(&str, String)> {
    let with_deadline = scenario.classes.iter().enumerate().filter(|(_, class)| class.latency_target_us.is_some());
    with_deadline
        .map(|(index, class)| (class.name.as_str(), format!("100 * classes[{index}].deadline.missedFraction or 0")))
        .collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::tests::two_writers;

    /// So many workloads that each read with requests of two sizes.
    fn with_workloads(count: usize) -> Value {
        let workload = |number: usize| {
            json!({
                "class": if number.is_multiple_of(2) { "High" } else { "Low" },
                "endpoints": { "kind": "pairs", "initiators": [format!("h{}", number % 2)], "targets": ["h2"] },
                "traffic": {
                    "kind": "closed-loop",
                    "outstanding": 16,
                    "size": { "kind": "uniform", "minimumBlocks": 1, "maximumBlocks": 31 },
                },
            })
        };
        let mut document = two_writers();
        document["workloads"] = (0..count).map(workload).collect();
        document
    }

    #[test]
    fn many_workloads_ask_the_engine_little_more_often_than_few() {
        let asked = |count: usize| {
            let base = Base::of(&with_workloads(count)).unwrap();
            let fields = fields(&base);
            let factors = matter_of(&base, &fields);
            assert!(factors.len() > 5 * count, "{count}: {}", factors.len());
            base.asked.get()
        };
        let (few, many) = (asked(2), asked(30));
        // A dozen for each further workload, of which each has more than five fields.
        assert!(many < few + 28 * 12, "{few}, {many}");
    }

    #[test]
    fn factors_of_a_sensitivity_are_accepted_together_at_all_corners() {
        let base = Base::of(&with_workloads(4)).unwrap();
        let factors = all_that_matter(&base);
        let ends = |last: bool| -> Changes {
            let end = |of: &Factor| match &of.range {
                Some(range) => factor::exact(if last { range.to } else { range.from }),
                None => if last { of.values.last() } else { of.values.first() }.cloned().unwrap_or_default(),
            };
            factors.iter().filter_map(|of| Some((of.path.clone()?, end(of)))).collect()
        };
        assert!(base.accepts(&ends(false)) && base.accepts(&ends(true)));
    }
}
