//! What of a scenario can vary, with sensible ranges, and what can be measured of it.

use qoscope_engine::catalogue::FieldExplanation;
use qoscope_engine::kernel::convert::index_u32;
use qoscope_engine::kernel::random::Stream;
use qoscope_engine::scenario::fields::{self, Choice, Field, Form};
use qoscope_engine::scenario::size::connection_count;
use qoscope_engine::scenario::{Buffering, Diagnostic, Marking, Scenario, Traffic};
use serde::Serialize;
use serde_json::Value;

use crate::base::{Base, Changes};
use crate::document::{Factor, Measure, Range, Scale};
use crate::factor;
use crate::measure::{Gauge, scope};
use crate::template;

/// Values of a range over a logarithmic scale, and over an even one.
const LOG_COUNT: u32 = 14;
const EVEN_COUNT: u32 = 11;
/// Settings of all that varies by itself under which a further field must be taken.
const CORNERS: usize = 8;
/// How far a range goes to either side of the present value where the field does not say how far it is usually taken.
const FACTOR: f64 = 4.0;

/// What can vary and what can be measured.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Suggestions {
    /// Every field that has an effect, in the order of the screen.
    pub fields: Vec<FieldSuggestion>,
    /// What has a value here.
    pub measures: Vec<MeasureSuggestion>,
    /// What a first sensitivity takes, of all that matters.
    pub sensitivity: SensitivitySuggestion,
}

/// What a first sensitivity takes.
#[derive(Clone, Debug, PartialEq, Serialize)]
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
#[derive(Clone, Debug, PartialEq, Serialize)]
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
    pub present: Value,
    /// What theory recommends: from and to.
    pub recommended: Option<(f64, f64)>,
    /// It is the one that a first study varies: what theory recommends something of, else the first with numbers that changes while a run goes on.
    pub suggested: bool,
}

/// A word that a field may hold.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct WordSuggestion {
    /// As the document has it.
    pub value: Value,
    /// On the screen.
    pub title: String,
}

/// Something that can be measured: a measure of a study.
#[derive(Clone, Debug, PartialEq, Serialize)]
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
    let sensitivity = SensitivitySuggestion::of(all_that_matter(&base));
    Ok(Suggestions { fields: fields(&base), measures, sensitivity })
}

/// What varies where a sensitivity does not say it: every field with an effect, but those that say what is measured, for how long, and on which
/// network. Numbers go from half to twice their value, as far as the engine takes that together with the ends of all others.
pub(crate) fn all_that_matter(base: &Base) -> Vec<Factor> {
    const HELD: [&str; 3] = ["measurement.", "durationUs", "topology.shape."];
    // All at one end, all at the other, and mixed.
    let mut corners = vec![Changes::new(); CORNERS];
    let mut stream = Stream::new(1, "corners", 0);
    let mut factors = Vec::new();
    for of in fields(base) {
        if HELD.iter().any(|held| of.path.starts_with(held)) {
            continue;
        }
        let fits = |value: &Value| {
            let change = [(of.path.clone(), value.clone())];
            corners.iter().all(|corner| base.accepts(&[corner.as_slice(), &change].concat()))
        };
        let (values, range) = match narrowed(&of) {
            Some(range) => {
                let ends = [range.from, range.to].map(factor::exact);
                if !ends.iter().all(fits) {
                    continue;
                }
                (ends.to_vec(), Some(range))
            }
            None if of.is_words => (of.options.iter().map(|option| option.value.clone()).filter(fits).collect(), None),
            None => continue,
        };
        if let [first, .., last] = values.as_slice() {
            for (number, corner) in corners.iter_mut().enumerate() {
                let is_first = if number < 2 { number == 0 } else { stream.integer(0, 1) == 0 };
                corner.push((of.path.clone(), if is_first { first } else { last }.clone()));
            }
            factors.push(Factor {
                title: None,
                path: Some(of.path),
                moves: Vec::new(),
                alternatives: Vec::new(),
                values: if range.is_none() { values } else { Vec::new() },
                range,
            });
        }
    }
    factors
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
    let mut found: Vec<FieldSuggestion> = effective.filter_map(|explained| field(base, explained)).collect();
    let is_live = |of: &FieldSuggestion| fields::at(&base.whole, &of.path).is_some_and(|field| field.live);
    let first = found.iter().position(|of| of.recommended.is_some());
    let first = first.or_else(|| found.iter().position(|of| !of.is_words && is_live(of)));
    if let Some(first) = first {
        found[first].suggested = true;
    }
    found
}

fn field(base: &Base, explained: &FieldExplanation) -> Option<FieldSuggestion> {
    let path = &explained.path;
    let field = fields::at(&base.whole, path).filter(|field| field.is_choosable() && field.path != "seed")?;
    let word =
        |Choice { value, title, .. }: &Choice| WordSuggestion { value: value.as_str().into(), title: title.clone() };
    let accepts = |value: Value| base.accepts(&[(path.clone(), value)]);
    let mut options: Vec<WordSuggestion> = match field.form {
        Form::Boolean => [true, false]
            .map(|is_on| WordSuggestion { value: is_on.into(), title: factor::switched(is_on).into() })
            .into(),
        _ => field.options.iter().map(word).collect(),
    };
    let present = base.in_force(path);
    let is_words = !factor::is_number(field);
    let band = explained.recommended.as_ref().map(|found| (found.band.0 as f64, found.band.1 as f64));
    options.retain(|option| accepts(option.value.clone()));
    if is_words && options.len() < 2 {
        return None;
    }
    let range = if is_words {
        None
    } else {
        Some(taken(range(field, present.as_f64(), band)?, present.as_f64(), field, accepts)?)
    };
    Some(FieldSuggestion {
        title: factor::title_at(path, field, base),
        symbol: field.symbol.clone(),
        unit: field.unit.clone(),
        is_words,
        options,
        range,
        present,
        recommended: band,
        suggested: false,
        path: path.clone(),
    })
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
    let between = |one: f64, other: f64| if is_log { (one * other).sqrt() } else { (one + other) / 2.0 };
    let as_field = |number: f64| if field.form == Form::Integer { libm::round(number) } else { number };
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
    let (from, to) = (end(range.from), end(range.to));
    // Some fields take their ends alone.
    let is_taken = from < to && accepts(factor::exact(as_field(neat(between(from, to)))));
    is_taken.then_some(Range { from, to, ..range })
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
