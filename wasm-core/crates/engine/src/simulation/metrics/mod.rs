//! Metrics: everything that is measured in a run, each described once.
//!
//! A [`Quantity`] says what is measured; a [`Metric`] says how it is read of one kind of thing. The columns of the series
//! (CSV, Parquet, the charts of the page) are those of [`NETWORK`], [`CLASS`] and [`CONNECTION`], the figures of a class those of
//! [`FIGURES`], each in the order of its list: a metric that is added there is recorded, exported, offered and documented.

mod devices;
mod figures;
mod samples;
mod stages;

use schemars::JsonSchema;
use serde::Serialize;

use crate::scenario::document::{Buffering, Marking, Scenario, TransportKind};

pub use devices::{DEVICE, DeviceSample};
pub use figures::{FIGURES, Figures};
pub use samples::{CLASS, CONNECTION, ClassSample, ConnectionSample, NETWORK, NetworkSample};
pub(super) use samples::{GOODPUT, QUALITY_FACTOR, QUEUE_MAXIMUM, TARGET, UTILISATION};
pub use stages::{STAGE_ENTRIES, STAGES, StageEntry, stage_times_ps};

/// What is measured: one descriptor, whatever it is read of.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Quantity {
    /// Name of its columns.
    pub id: &'static str,
    /// Name on the screen.
    pub title: &'static str,
    /// Symbol in the papers; empty where there is none.
    #[serde(skip_serializing_if = "str::is_empty")]
    pub symbol: &'static str,
    /// Unit of the numbers; empty: a plain number or a share.
    #[serde(skip_serializing_if = "str::is_empty")]
    pub unit: &'static str,
    /// What is measured, as a sentence.
    pub sentence: &'static str,
    /// What the samples of a longer time come to.
    pub average: Average,
    /// How a chart over time shows it; none where such a chart makes no sense.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chart: Option<Chart>,
    /// What must be there for it to have a value.
    #[serde(skip)]
    pub requires: Requires,
}

/// What the samples of a longer time come to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum Average {
    /// Their mean: all are of one length.
    Mean,
    /// Their sum.
    Sum,
    /// The least of them.
    Least,
    /// The greatest of them.
    Greatest,
    /// Their mean, each weighted by the requests completed in it.
    ByRequests,
    /// Nothing: it is a figure of the run so far, or an instant.
    None,
}

/// How a chart over time shows a quantity.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "QuantityChart")]
pub struct Chart {
    /// Least top of the axis.
    pub least: f64,
    /// What stands beside the title: the unit, and of what.
    pub legend: &'static str,
}

/// What must be there for a quantity to have a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Requires {
    /// Nothing.
    Nothing,
    /// A transport with a congestion window.
    Window,
    /// A transport that keeps an average of marks.
    MarkedShare,
    /// A transport that follows marks, and switches that mark.
    Marks,
    /// Switches that send pause frames.
    Pauses,
    /// Requests that go to devices.
    Devices,
}

impl Requires {
    /// Whether classes of a transport have the quantity.
    pub fn met_by(self, transport: TransportKind) -> bool {
        match self {
            Self::Nothing | Self::Pauses | Self::Devices => true,
            Self::Window => !transport.is_rate_based(),
            Self::MarkedShare | Self::Marks => transport.follows_marks(),
        }
    }

    /// Why the quantity has no value in a scenario, as the end of a sentence; none where it has.
    pub fn missing(self, scenario: &Scenario) -> Option<&'static str> {
        if !scenario.classes.iter().any(|class| self.met_by(class.transport)) {
            return Some(match self {
                Self::Window => "every class is paced at a rate, none has a window",
                _ => "every class follows the RTT, none ECN marks",
            });
        }
        match self {
            Self::Marks if scenario.switch.marking == Marking::Off => Some("marking is off"),
            Self::Pauses if scenario.switch.buffering != Buffering::Pfc => {
                Some("switches send no pause frames: see Buffering")
            }
            Self::Devices if !scenario.has_devices() => Some("requests go to no devices: see Access"),
            _ => None,
        }
    }
}

/// How a quantity is read of something: the network, a class, a connection.
#[derive(Debug)]
pub struct Metric<R> {
    /// What is read.
    pub quantity: &'static Quantity,
    /// Reads it, a function to a number; not-a-number where it does not apply.
    pub read: R,
}

/// Names of the columns of some metrics.
pub fn columns<R>(metrics: &[Metric<R>]) -> impl Iterator<Item = &'static str> {
    metrics.iter().map(|metric| metric.quantity.id)
}

/// Where a quantity stands in a list of metrics that has it.
pub fn position<R>(metrics: &[Metric<R>], quantity: &Quantity) -> usize {
    columns(metrics).position(|id| id == quantity.id).expect("the list has the quantity")
}

/// What a metric is read of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "MetricScope")]
pub enum Scope {
    /// The network: its bottleneck port, or all links.
    Network,
    /// A class.
    Class,
    /// A connection.
    Connection,
    /// A storage device.
    Device,
}

/// A quantity and what it is read of, as the catalogue has it.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct MetricEntry {
    /// What is measured.
    #[serde(flatten)]
    pub quantity: &'static Quantity,
    /// Whose samples there are of it, over time.
    pub series: Vec<Scope>,
    /// Whether it is a figure of every class.
    pub figure: bool,
}

/// Every quantity that is measured, in the order of the columns.
pub fn entries() -> Vec<MetricEntry> {
    fn quantities<R>(metrics: &[Metric<R>]) -> impl Iterator<Item = &'static Quantity> {
        metrics.iter().map(|metric| metric.quantity)
    }
    let sampled = quantities(&CLASS).map(|quantity| (quantity, Some(Scope::Class)));
    let sampled = sampled.chain(quantities(&CONNECTION).map(|quantity| (quantity, Some(Scope::Connection))));
    let sampled = sampled.chain(quantities(&NETWORK).map(|quantity| (quantity, Some(Scope::Network))));
    let sampled = sampled.chain(quantities(&DEVICE).map(|quantity| (quantity, Some(Scope::Device))));
    let all = sampled.chain(quantities(&FIGURES).map(|quantity| (quantity, None)));
    let mut entries: Vec<MetricEntry> = Vec::new();
    for (quantity, scope) in all {
        let known = entries.iter().position(|entry| entry.quantity.id == quantity.id).unwrap_or_else(|| {
            entries.push(MetricEntry { quantity, series: Vec::new(), figure: false });
            entries.len() - 1
        });
        entries[known].series.extend(scope);
        entries[known].figure |= scope.is_none();
    }
    entries
}

/// What a quantity is where nothing special is said of it: a plain number without a chart.
const PLAIN: Quantity = Quantity {
    id: "",
    title: "",
    symbol: "",
    unit: "",
    sentence: "",
    average: Average::None,
    chart: None,
    requires: Requires::Nothing,
};

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_quantity_has_a_name_of_its_own_and_says_what_it_is() {
        let entries = entries();
        let ids: BTreeSet<&str> = entries.iter().map(|entry| entry.quantity.id).collect();
        assert_eq!(ids.len(), entries.len());
        for MetricEntry { quantity, series, figure } in &entries {
            assert!(!quantity.title.is_empty() && quantity.sentence.ends_with('.'), "{quantity:?}");
            assert!(*figure || !series.is_empty(), "{quantity:?}");
            assert!(quantity.chart.is_none() || quantity.average != Average::None, "{quantity:?}");
        }
    }

    #[test]
    fn the_names_of_the_columns_are_those_of_the_lists() {
        assert_eq!(columns(&NETWORK).next(), Some("timeUs"));
        assert_eq!(columns(&CONNECTION).count(), CONNECTION.len());
        assert_eq!(position(&CLASS, &samples::QUALITY_FACTOR), 3);
    }
}
