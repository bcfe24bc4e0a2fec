//! What a study came to: its table, and the answer to what it asks. The forms are those of `--format json` and of the page.

use std::collections::BTreeMap;

use qoscope_campaign::Progress;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use crate::document::Scale;
use crate::interval::interval;
use qoscope_figures::statistics::mean;

/// The table of a study, as far as results reach: the same, to the last digit, whatever order they came in.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "StudyTable")]
pub struct Table {
    /// What varies.
    pub factors: Vec<FactorView>,
    /// What is measured, those of every class written out.
    pub measures: Vec<MeasureView>,
    /// The first seed; those of a point follow it.
    pub first_seed: u32,
    /// The points, in the order of the study's values (the first factor changing slowest); those of a search in the order in which it came to
    /// them.
    pub points: Vec<Point>,
}

/// The schema of a value of a factor.
#[derive(JsonSchema)]
#[schemars(untagged)]
pub enum StudyValue {
    /// A number.
    Number(f64),
    /// A word, or the title of an alternative.
    Word(String),
    /// On or off.
    Flag(bool),
}

/// Something that varies.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "StudyFactor")]
pub struct FactorView {
    /// What it is called.
    pub title: String,
    /// Its symbol in the papers.
    pub symbol: Option<String>,
    /// Its unit.
    pub unit: Option<String>,
    /// The fields that it changes.
    pub paths: Vec<String>,
    /// Its values are words or alternatives, not numbers.
    pub is_words: bool,
    /// The names of words or alternatives on the screen, by value; empty for numbers.
    pub names: BTreeMap<String, String>,
    /// How its axis lies.
    pub scale: Scale,
    /// The value that the scenario has; null where that is none of its own.
    #[schemars(with = "Option<StudyValue>")]
    pub present: Value,
    /// What theory recommends: from and to.
    pub recommended: Option<(f64, f64)>,
}

/// Something that is measured.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "StudyMeasure")]
pub struct MeasureView {
    /// What it is called, with its class: `p99 latency, High`.
    pub title: String,
    /// What it is called in the study: `p99 latency`.
    pub group: String,
    /// Its class, where it is one of every class.
    pub class: Option<String>,
    /// Its unit.
    pub unit: Option<String>,
}

/// A point: one value of everything that varies.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "StudyPoint")]
pub struct Point {
    /// A value of each factor: a number, a word, or the title of an alternative.
    #[schemars(with = "Vec<StudyValue>")]
    pub values: Vec<Value>,
    /// The fields that differ from the scenario of the study, by path.
    pub set: BTreeMap<String, Value>,
    /// Why the engine refuses it; no run is made then.
    pub refused: Option<String>,
    /// Seeds whose results there are.
    pub seeds: u32,
    /// Seeds that are wanted as far as is known.
    pub wanted: u32,
    /// It was added where a curve bends.
    pub is_added: bool,
    /// Of every measure.
    pub cells: Vec<Cell>,
}

/// A measure at a point.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "StudyCell")]
pub struct Cell {
    /// The mean over the seeds; null where there is none yet, or no value.
    pub mean: Option<f64>,
    /// The ends of its 95 % interval; null with fewer than two seeds.
    pub low: Option<f64>,
    /// The upper end.
    pub high: Option<f64>,
    /// What each seed gave, from the first one on; null where a run failed or there is no value.
    pub numbers: Vec<Option<f64>>,
    /// Why there is no value, under the first seed without one.
    pub why: Option<String>,
}

impl Cell {
    /// Of what each seed gave, of `pilot` of them first where more were decided on. `why` there is no value of one that has none.
    pub(crate) fn of(numbers: Vec<Option<f64>>, pilot: Option<u32>, why: Option<&String>) -> Self {
        let valued: Vec<f64> = numbers.iter().copied().flatten().collect();
        let interval = interval(&numbers, pilot);
        Self {
            mean: (!valued.is_empty()).then(|| mean(&valued)),
            low: interval.map(|interval| interval.low),
            high: interval.map(|interval| interval.high),
            numbers,
            why: why.cloned(),
        }
    }
}

/// What a study costs.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "StudyCost")]
pub struct Cost {
    /// Points that are known of.
    pub points: u64,
    /// Runs that are made in any case; of a search, what it usually takes.
    pub runs: u64,
    /// Runs that may be made at most.
    pub max_runs: u64,
    /// `runs` is what such a search usually takes.
    pub is_usual: bool,
    /// Events of all of `runs` as the engine estimates them beforehand.
    pub events: f64,
    /// Memory of one run in bytes, at most of all points looked at.
    pub memory_bytes: f64,
    /// What keeping all results takes, in bytes.
    pub kept_bytes: f64,
}

/// The progress of a study.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct StudyProgress {
    /// As of any campaign.
    #[serde(flatten)]
    pub progress: Progress,
    /// Of a search, the present state of each point of the table; empty for other kinds.
    pub candidates: Vec<Standing>,
}

/// What a search thinks of a point by now.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum Standing {
    /// It may be the answer.
    Open,
    /// It meets the targets and another one is better.
    Beaten,
    /// It misses a target.
    Misses,
    /// It is being confirmed, or is confirmed.
    Leading,
}

/// The answer of a study that is done.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
#[schemars(rename = "StudyAnswer")]
pub enum Answer {
    /// A sweep answers by its table.
    Sweep {
        /// What there is to be said of it, a sentence each: least and greatest of each measure, what was not reached within the most seeds.
        says: Vec<String>,
    },
    /// Which fields matter, of every measure.
    Sensitivity {
        /// A ranking for each measure of the table.
        rankings: Vec<Ranking>,
    },
    /// Which settings meet the targets.
    Search(Box<Found>),
}

/// What moves a measure, most first.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Ranking {
    /// The measure, by its place.
    pub measure: usize,
    /// In a sentence: "K moves p99 latency of High most; buffer size does nothing here."
    pub says: String,
    /// What another seed alone moves it by, of the factor of which that is most: what exceeds this is not chance.
    pub chance: f64,
    /// All factors, most first.
    pub effects: Vec<Effect>,
}

/// What a factor does to a measure, over its whole range, in the unit of the measure.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Effect {
    /// The factor, by its place.
    pub factor: usize,
    /// Mean of the absolute elementary effects (µ*); null where all steps of it were refused.
    pub mean: Option<f64>,
    /// The ends of its 95 % interval.
    pub low: Option<f64>,
    /// The upper end.
    pub high: Option<f64>,
    /// What another seed alone would make of it: a mean that does not exceed this is not told from chance.
    pub chance: Option<f64>,
    /// Mean of the elementary effects with their signs (µ); null for words, which have no direction.
    pub signed: Option<f64>,
    /// The ends of its 95 % interval.
    pub signed_low: Option<f64>,
    /// The upper end.
    pub signed_high: Option<f64>,
    /// Their standard deviation (σ): large beside µ* where the effect depends on where one stands, by itself or with other fields.
    pub deviation: Option<f64>,
    /// The ends of its 95 % interval.
    pub deviation_low: Option<f64>,
    /// The upper end.
    pub deviation_high: Option<f64>,
    /// Steps that count.
    pub steps: u32,
    /// What it does.
    pub role: Role,
}

/// What a factor does to a measure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum Role {
    /// The measure rises with it.
    Raises,
    /// The measure falls with it.
    Lowers,
    /// It moves the measure one way here and the other way there, or it has no direction.
    Either,
    /// Not told from what another seed does.
    Chance,
    /// Nothing changed in any step.
    Nothing,
}

/// What a search found.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Found {
    /// Whether there are settings that meet all targets, confirmed.
    pub is_met: bool,
    /// No answer was found, and there may be one: the runs ended before all settings were looked at, or before one was confirmed.
    pub is_stopped: bool,
    /// The answer in a few words.
    pub headline: String,
    /// The answer in a sentence or two: what to set and how sure that is, or which target cannot be met and what comes nearest.
    pub says: String,
    /// The point of the table that answers, or that comes nearest; none where every point is refused.
    pub point: Option<usize>,
    /// How each target fares there.
    pub targets: Vec<TargetView>,
    /// What is preferred, there: of each preference the value, and its 95 % interval where it is a measure.
    pub preferred: Vec<Cell>,
    /// Unseen seeds under which all targets hold together.
    pub held: u32,
    /// Unseen seeds that were run.
    pub of: u32,
    /// Share of all seeds under which they hold at least, with 95 % confidence (Clopper and Pearson).
    pub at_least: f64,
    /// How far each factor may move, alone, before a target breaks.
    pub margins: Vec<Margin>,
    /// The trade-off where two things are preferred: points of the table, none of which is better in both, from the best in the first on.
    pub trade_off: Vec<usize>,
    /// Those of `trade_off` that are confirmed on unseen seeds; the others were seen in the search only.
    pub confirmed: Vec<usize>,
    /// The point that is the model's first guess: the scenario as it is, with what theory recommends; null where theory says nothing.
    pub first_guess: Option<usize>,
    /// How many settings there are: all combinations of the values that vary.
    pub settings: f64,
    /// How many of them were looked at.
    pub looked_at: u64,
    /// Without an answer, values of settings that were not looked at: of all of them if they are few, else of some.
    #[schemars(with = "Vec<Vec<StudyValue>>")]
    pub not_looked_at: Vec<Vec<Value>>,
}

/// How a target fares.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct TargetView {
    /// The measure, by its place.
    pub measure: usize,
    /// As a sentence has it: "p99 latency, High at most 300 us in 95 % of seeds".
    pub says: String,
    /// The mean over the unseen seeds with its interval, with the digits that tell them from the bounds: "23.98 Gb/s (23.97 to 23.99)".
    pub measured: Option<String>,
    /// Over the unseen seeds.
    pub cell: Cell,
    /// Unseen seeds under which it holds.
    pub held: u32,
    /// How far the worst of the seeds that count lies on the good side of the bound, in the unit of the measure; negative where it misses.
    pub margin: Option<f64>,
    /// It binds: of targets that are met the one nearest to its bound, else one that is missed.
    pub is_binding: bool,
}

/// How far a factor may move, alone, from the answer.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Margin {
    /// The factor, by its place.
    pub factor: usize,
    /// The least of its values tried for which all targets still hold, and the greatest; words: null.
    pub from: Option<f64>,
    /// The greatest.
    pub to: Option<f64>,
    /// What limits it below, as a sentence: what breaks at the next value, or that the range ends; `None` if what is below was not tried.
    pub below: Option<String>,
    /// What limits it above.
    pub above: Option<String>,
}
