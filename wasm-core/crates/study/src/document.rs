//! A study's file: a scenario, what varies in it, seeds, what is measured, and what is asked.
//!
//! `docs/studies.md` describes the format for those who write one.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The version of the format written by this engine.
pub const STUDY_VERSION: u32 = 2;

/// A study.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Study {
    /// Version of the format.
    #[schemars(range(min = 2, max = 2))]
    pub version: u32,
    /// What is asked, in a few words.
    #[schemars(length(min = 1, max = 120))]
    pub title: String,
    /// What a reader should know of it, in a few sentences. No result depends on it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = 2000))]
    pub text: Option<String>,
    /// The scenario: the name of its file without its ending, or the whole scenario. On the page it may be left out: it is the one that
    /// is open.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("type" = ["string", "object"]))]
    pub scenario: Option<Value>,
    /// The fields of the scenario that are changed in every run, by path.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub set: BTreeMap<String, Value>,
    /// What varies. A sweep takes one to three; a sensitivity all that have an effect where there are none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = 1000))]
    pub vary: Vec<Factor>,
    /// The seeds, common to all points.
    #[serde(default)]
    pub seeds: Seeds,
    /// What is measured.
    #[schemars(length(min = 1, max = 32))]
    pub measures: Vec<Measure>,
    /// What is asked.
    pub ask: Ask,
}

/// Something that varies: one field, several that move together, or whole alternatives.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Factor {
    /// What it is called; the title of its field where it is left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1, max = 80))]
    pub title: Option<String>,
    /// The field, by path: `[]` stands for every element of its list, as in `classes[].transport`. Of `path`, `moves` and `alternatives`
    /// exactly one is given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// Fields that move together.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = 64))]
    pub moves: Vec<Move>,
    /// Whole alternatives, each with changes of its own.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = 64))]
    pub alternatives: Vec<Alternative>,
    /// Its values, one by one. Of `values` and `range` exactly one is given with `path` or `moves`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = 1000))]
    pub values: Vec<Value>,
    /// Its values, from one to another.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub range: Option<Range>,
}

/// A field that moves with others: it is set to `times` × value ^ `power`, rounded where it holds whole numbers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Move {
    /// The field, by path.
    #[schemars(length(min = 1))]
    pub path: String,
    /// What the value is multiplied by.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub times: f64,
    /// The power that the value is raised to: 0 holds the field at `times`.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub power: f64,
}

/// One of several alternatives.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Alternative {
    /// What it is called.
    #[schemars(length(min = 1, max = 80))]
    pub title: String,
    /// The fields that it changes, by path; none where it is the scenario as it is.
    #[serde(default)]
    pub set: BTreeMap<String, Value>,
}

/// Values from one to another, both included.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Range {
    /// The first value.
    pub from: f64,
    /// The last one.
    pub to: f64,
    /// How many. Of a field of whole numbers those that round to the same are one.
    #[schemars(range(min = 2, max = 1000))]
    pub count: u32,
    /// How they lie.
    #[serde(default)]
    pub scale: Scale,
}

/// How values lie between two ends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Scale {
    /// At equal distances.
    #[default]
    Even,
    /// At equal ratios.
    Log,
}

/// Which seeds are run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Seeds {
    /// The first one; that of the scenario where it is left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first: Option<u32>,
    /// How many of every point.
    #[serde(default = "Seeds::usual")]
    #[schemars(range(min = 1, max = 1000))]
    pub count: u32,
}

impl Seeds {
    const fn usual() -> u32 {
        8
    }
}

impl Default for Seeds {
    fn default() -> Self {
        Self { first: None, count: Self::usual() }
    }
}

/// A number that is read from every summary.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Measure {
    /// What it is called. Targets name it so; where it is of every class, with the class after a comma: `p99 latency, High`.
    #[schemars(length(min = 1, max = 80))]
    pub title: String,
    /// Expression over a summary as `qoscope run --format json` prints it, whose fields are its names, and over `settings`, the scenario in force.
    /// `{class}` in it makes one measure for every class.
    #[schemars(length(min = 1, max = 500))]
    pub value: String,
    /// Unit of the number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = 24))]
    pub unit: Option<String>,
}

/// What is asked.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "kebab-case", rename_all_fields = "camelCase", deny_unknown_fields)]
pub enum Ask {
    /// How measures depend on what varies.
    Sweep {
        /// Adds seeds where an interval is wider than this.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        within: Option<Within>,
        /// Adds up to so many points where the curve bends. Of a single factor with a range.
        #[serde(default, skip_serializing_if = "is_zero")]
        #[schemars(range(max = 100))]
        bends: u32,
    },
    /// Which fields matter: screening by elementary effects (Morris 1991).
    Sensitivity {
        /// Walks through the fields, each of which changes every field once.
        #[serde(default = "usual_walks")]
        #[schemars(range(min = 4, max = 200))]
        walks: u32,
        /// Levels of each range.
        #[serde(default = "usual_levels")]
        #[schemars(range(min = 2, max = 32))]
        levels: u32,
    },
    /// Which settings meet targets, and which of those is best.
    Search {
        /// What must hold.
        #[schemars(length(min = 1, max = 16))]
        targets: Vec<Target>,
        /// One or two things that are to be as small or as large as possible, the first as far as the second allows: of two the trade-off is told.
        #[schemars(length(min = 1, max = 2))]
        prefer: Vec<Preference>,
        /// Unseen seeds under which an answer is confirmed.
        #[serde(default = "usual_confirmations")]
        #[schemars(range(min = 10, max = 1000))]
        confirm: u32,
        /// Most runs that the search may make.
        #[serde(default = "usual_runs")]
        #[schemars(range(min = 50, max = 100_000))]
        max_runs: u32,
    },
}

/// How wide an interval may be, to either side of the mean. Of `percent` and `absolute` exactly one is given.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Within {
    /// In percent of the mean.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub percent: Option<f64>,
    /// In the unit of the measure.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub absolute: Option<f64>,
    /// The measures that it is asked of, by title (all of its classes where it has one for each); all where it is left out.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub measures: Vec<String>,
    /// Most seeds of a point.
    #[serde(default = "usual_max_seeds")]
    #[schemars(range(min = 2, max = 1000))]
    pub max_seeds: u32,
}

/// A bound that a measure must keep.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Target {
    /// The measure, by its title.
    pub measure: String,
    /// Most that it may be. At least one of the two is given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at_most: Option<f64>,
    /// Least that it may be.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at_least: Option<f64>,
    /// Share of seeds under which it must hold.
    #[serde(default = "usual_confidence")]
    #[schemars(range(min = 0.5, max = 1.0))]
    pub confidence: f64,
}

/// Something that is to be as small or as large as possible.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Preference {
    /// A measure by its title, or something that varies, by its title or path. A measure counts by its mean.
    pub of: String,
    /// Which way.
    pub wanted: Wanted,
}

/// Which way something is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Wanted {
    /// As small as it may be.
    Min,
    /// As large as it may be.
    Max,
}

const fn one() -> f64 {
    1.0
}

fn is_one(number: &f64) -> bool {
    *number == 1.0
}

const fn is_zero(number: &u32) -> bool {
    *number == 0
}

const fn usual_walks() -> u32 {
    12
}

const fn usual_levels() -> u32 {
    8
}

const fn usual_confirmations() -> u32 {
    40
}

const fn usual_runs() -> u32 {
    1000
}

const fn usual_max_seeds() -> u32 {
    64
}

const fn usual_confidence() -> f64 {
    0.95
}
