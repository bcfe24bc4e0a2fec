//! A figure's file: what a figure of a paper, or a case of another simulator, claims, and how our runs are held against it.
//!
//! `docs/figures.md` describes the format for those who write one.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::plot::Plot;

/// A figure, or a reference case.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Figure {
    /// Name of the file, without its ending.
    #[schemars(length(min = 1))]
    pub id: String,
    /// What it shows, in a few words.
    #[schemars(length(min = 1))]
    pub title: String,
    /// Where it was published: `Paper 1, fig. 12a`.
    #[schemars(length(min = 1))]
    pub source: String,
    /// The table of `docs/validation.md` that its rows stand in.
    #[schemars(length(min = 1))]
    pub section: String,
    /// The theme of the page's menu that its scenarios stand under; they are not in the menu without one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub theme: Option<String>,
    /// What its source says it shows, in a sentence.
    #[schemars(length(min = 1))]
    pub claim: String,
    /// What another simulator measured, laid out like the summary of a run. Expressions read it under the name `reference`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reference: Option<Value>,
    /// The simulations it needs.
    #[serde(default)]
    pub runs: Vec<Run>,
    /// Runs that the page's menu offers side by side.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub comparisons: Vec<Comparison>,
    /// The discrete-time models it needs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub models: Vec<Model>,
    /// How its source draws it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plot: Option<Plot>,
    /// What is compared: the rows of its table.
    #[schemars(length(min = 1))]
    pub quantities: Vec<Quantity>,
    /// The rows that are not reproduced, by cause.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub deviations: Vec<Deviation>,
}

/// Simulations of one scenario under several seeds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Run {
    /// What expressions call it.
    #[schemars(length(min = 1))]
    pub name: String,
    /// What tells it from the other runs of the figure on the screen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// Name of the scenario's file, without its ending.
    pub scenario: String,
    /// The fields of the scenario that the run changes, by path.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub set: BTreeMap<String, Value>,
    /// Makes the result a list: one run for each of several values of a field.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sweep: Option<Sweep>,
    /// How many seeds, from 1 on.
    #[schemars(range(min = 2))]
    pub seeds: u32,
}

impl Run {
    /// A scenario as it stands.
    pub fn of(scenario: &str) -> Self {
        let (name, scenario) = (scenario.to_owned(), scenario.to_owned());
        Self { name, title: None, scenario, set: BTreeMap::new(), sweep: None, seeds: 1 }
    }
}

/// Values of one field.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Sweep {
    /// Path of the field.
    pub path: String,
    /// Its values, one for each element of the result.
    #[schemars(length(min = 1))]
    pub values: Vec<Value>,
}

/// Runs of the figure that stand side by side on the page, the last one as the current run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Comparison {
    /// What they are held against each other for.
    #[schemars(length(min = 1))]
    pub title: String,
    /// The runs, from the left.
    #[schemars(length(min = 2, max = 4))]
    pub runs: Vec<ComparedRun>,
}

/// A run of a comparison.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ComparedRun {
    /// Name of the run.
    pub run: String,
    /// What tells it from the others of the comparison.
    #[schemars(length(min = 1))]
    pub title: String,
}

/// A discrete-time model. Its result has `classes`, each with its `name` and `convergedSlot`, the number of the slot from
/// which the mean of Q lies in the band.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "kebab-case", rename_all_fields = "camelCase", deny_unknown_fields)]
pub enum Model {
    /// The model laid over a scenario, which must state its warm-up. Classes have `carriedGbps` as well.
    Overlay {
        /// What expressions call it.
        name: String,
        /// Name of the scenario's file, without its ending.
        scenario: String,
    },
    /// The plan of a scenario: capacities that its contracts need, and how tenants fare under every scheduler.
    Plan {
        /// What expressions call it.
        name: String,
        /// Name of the scenario's file, without its ending.
        scenario: String,
    },
    /// The equations alone: backlogged QTCP connections, one for each class, at a bottleneck.
    Equations {
        /// What expressions call it.
        name: String,
        /// Rate of the bottleneck.
        link_gbps: f64,
        /// Bytes of a packet on the wire.
        packet_bytes: f64,
        /// Round trip without queueing.
        rtt_us: f64,
        /// Queue at which marking begins, K.
        threshold_packets: f64,
        /// Ratios of the classes.
        ratios: Vec<f64>,
        /// Gain of alpha, g or γ.
        gain: f64,
        /// Queue at the start.
        initial: InitialQueue,
        /// A class is cut while alpha exceeds this, as the equations are printed; without it, in a slot that saw a mark.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        epsilon: Option<f64>,
    },
}

impl Model {
    /// What expressions call it.
    pub fn name(&self) -> &str {
        match self {
            Self::Overlay { name, .. } | Self::Plan { name, .. } | Self::Equations { name, .. } => name,
        }
    }

    /// The scenario it is laid over, if it is.
    pub fn scenario(&self) -> Option<&str> {
        match self {
            Self::Overlay { scenario, .. } | Self::Plan { scenario, .. } => Some(scenario),
            Self::Equations { .. } => None,
        }
    }
}

/// Queue at the start of the equations (paper 2, after eq. 15).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum InitialQueue {
    /// K packets, the same number of every class.
    Threshold,
    /// One packet of every class.
    OnePacket,
}

/// A row of the table: what is read from the runs, and what it should be.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Quantity {
    /// Which part of the figure it belongs to; the figure's id if it is left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub case: Option<String>,
    /// What it is, in words that no other row of the case has.
    #[schemars(length(min = 1))]
    pub label: String,
    /// Unit, shown after the label.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unit: Option<String>,
    /// Expression that reads it from the results under one seed. Its mean over the seeds is compared.
    pub value: String,
    /// Expression of the same kind. With it the row is by how many per cent the mean of `value` lies below the mean of this.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub percent_below: Option<String>,
    /// Expression that is above zero under a seed whose run ended before what is measured had happened. The value is then a
    /// lower bound, and the row says how many there are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub censored: Option<String>,
    /// Decimals shown.
    #[serde(default)]
    #[schemars(range(max = 6))]
    pub decimals: u32,
    /// What the source says it is.
    pub published: Published,
}

impl Quantity {
    /// Its expressions, by field: that of the value, of what that lies below, and of where the run is cut off.
    pub(crate) fn expressions(&self) -> [(&'static str, Option<&String>); 3] {
        [
            ("value", Some(&self.value)),
            ("percentBelow", self.percent_below.as_ref()),
            ("censored", self.censored.as_ref()),
        ]
    }
}

/// What a source says of a quantity.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "kebab-case", rename_all_fields = "camelCase", deny_unknown_fields)]
pub enum Published {
    /// A number.
    Number {
        /// The number.
        value: f64,
        /// How far ours may lie from it, to either side.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        within: Option<f64>,
        /// The same as a share of the number. Exactly one of the two is given.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        within_percent: Option<f64>,
        /// How it was published, where not as this number: `about 5`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        shown: Option<String>,
    },
    /// A number that the figure's `reference` has.
    Reference {
        /// Expression that reads it from `reference`.
        value: String,
        /// How far ours may lie from it, to either side.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        within: Option<f64>,
        /// The same as a share of the number. Exactly one of the two is given.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        within_percent: Option<f64>,
    },
    /// A range, both ends included.
    Range {
        /// Its lower end.
        low: f64,
        /// Its upper end.
        high: f64,
        /// How it was published, where not as this range: `more than 20`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        shown: Option<String>,
    },
    /// Words that name an order, such as "fewer": the quantity is a difference that is above zero where they hold.
    Order {
        /// The words, without a digit: what was published as a number is compared as one.
        words: String,
    },
    /// Words such as "equal" that we read as a range.
    Reading {
        /// The words, without a digit.
        words: String,
        /// The lower end of the range.
        low: f64,
        /// Its upper end.
        high: f64,
    },
    /// A number that follows from a formula and parameters that were published, but was not published itself: a check of
    /// arithmetic, which reproduces nothing.
    Arithmetic {
        /// The number.
        value: f64,
        /// How far ours may lie from it, to either side.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        within: Option<f64>,
        /// The same as a share of the number. Exactly one of the two is given.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        within_percent: Option<f64>,
        /// What it follows from: `lemma 1`.
        #[schemars(length(min = 1))]
        formula: String,
    },
    /// Nothing: the row is a control of ours, which shows what a result comes from. With an end the row states something, and is
    /// missed where the interval leaves it; without one the quantity is a difference, whose sign is the verdict.
    Control {
        /// What it shows, without a digit: `what the network adds`.
        shows: String,
        /// What the whole interval lies above; with `high`, from here on.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        low: Option<f64>,
        /// What the whole interval lies below; with `low`, up to here.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        high: Option<f64>,
    },
}

/// Rows that are not reproduced, for one cause.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Deviation {
    /// The heading of the section of `docs/validation.md` that explains it.
    pub cause: String,
    /// The rows.
    #[schemars(length(min = 1))]
    pub rows: Vec<Known>,
}

/// What a row that is not reproduced is known to be.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Known {
    /// The row's case; the figure's id if it is left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub case: Option<String>,
    /// The row's label.
    pub label: String,
    /// What ours is known to be.
    pub ours: f64,
    /// How far from that ours may come to lie unnoticed.
    pub within: f64,
}
