//! One description of everything: what the document can say, what transports can do, what is measured; and of one scenario
//! the value in force of every field, where it comes from, and why it has no effect where it has none.
//!
//! The page, the docs and the command line are made from these two. Nothing is decided here: fields come from the types of
//! the document, metrics from their descriptors, and values in force from the functions that the simulation itself uses.

mod effect;
mod explain;
mod in_force;
mod queues;
mod recommend;

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use crate::qos::tenants::TenantScheduler;
use crate::qos::tenants::schedulers::Profile;
use crate::scenario::document::{FORMAT_VERSION, TransportKind};
use crate::scenario::fields::{self, Choice, Field};
use crate::scenario::{self, MAXIMUM_BYTES};
use crate::simulation::metrics::{self, MetricEntry, Scope, StageEntry};
use crate::storage::{self, Mechanism};

pub use effect::{NoEffect, Remedy};

pub use explain::{Explanation, FieldExplanation, MissingMetric, NetworkSize, Source, explain, explain_run};
pub use queues::{QueueLevel, Queues};
pub use recommend::Recommended;

/// Everything that can be said, asked for and measured.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Catalogue {
    /// Version of the scenario format.
    pub version: u32,
    /// Length of the longest document that is read, in bytes.
    pub maximum_bytes: usize,
    /// The fields of the document.
    pub document: &'static Field,
    /// The transports that a class may use.
    pub transports: Vec<Transport>,
    /// The arbitrations of NVMe controllers.
    pub arbitrations: Vec<Arbitration>,
    /// The schedulers that a storage server may have before its devices.
    pub tenant_schedulers: Vec<Scheduler>,
    /// The quantities that are measured.
    pub metrics: Vec<MetricEntry>,
    /// The stages of requests.
    pub stages: &'static [StageEntry],
}

/// What a transport can do.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "CatalogueTransport")]
pub struct Transport {
    /// Its name in the document, its title and what it does.
    #[serde(flatten)]
    pub choice: Choice,
    /// What lets packets out.
    pub paces: Pacing,
    /// What tells it of congestion.
    pub learns_from: Signal,
    /// What sets one class apart from another.
    pub follows: Aim,
    /// Whether initial rates may follow what is known of the destination (DIRS).
    pub initial_rates: bool,
    /// Fields and sections of a class that it reads, beside those that all transports do.
    pub fields: Vec<String>,
    /// Metrics of its classes and connections.
    pub metrics: Vec<&'static str>,
}

/// What an arbitration looks at.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "CatalogueArbitration")]
pub struct Arbitration {
    /// Its name in the document, its title and what it does.
    #[serde(flatten)]
    pub choice: Choice,
    /// It looks at the priorities of queues.
    pub by_priority: bool,
    /// It goes by the weights of high, medium and low priority.
    pub weighs: bool,
    /// The limit on commands in the device applies.
    pub limits_device: bool,
}

/// What a scheduler of tenants goes by.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "CatalogueScheduler")]
pub struct Scheduler {
    /// Its name in the document, its title and what it does.
    #[serde(flatten)]
    pub choice: Choice,
    /// What it goes by, and what it does beside choosing the next request.
    #[serde(flatten)]
    pub profile: Profile,
    /// Whether it is the one offered where a scenario has none.
    pub suggested: bool,
}

/// What lets packets out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum Pacing {
    /// A congestion window, over TCP.
    Window,
    /// A rate, over RDMA.
    Rate,
}

/// What tells a transport of congestion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "CongestionSignal")]
pub enum Signal {
    /// ECN marks, or the notifications that they cause.
    Marks,
    /// The round trip.
    Rtt,
}

/// What sets one class apart from another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum Aim {
    /// Its quality factor: a share of the throughput, or a tail latency.
    Quality,
    /// The deadlines of its requests.
    Deadlines,
    /// Nothing.
    Nothing,
}

/// The catalogue.
pub fn catalogue() -> Catalogue {
    Catalogue {
        version: FORMAT_VERSION,
        maximum_bytes: MAXIMUM_BYTES,
        document: fields::document(),
        transports: TransportKind::ALL.iter().map(|&kind| transport(kind)).collect(),
        arbitrations: storage::Arbitration::ALL.iter().map(|&arbitration| described(arbitration)).collect(),
        tenant_schedulers: TenantScheduler::ALL.iter().map(|&kind| scheduler(kind)).collect(),
        metrics: metrics::entries(),
        stages: &metrics::STAGE_ENTRIES,
    }
}

/// The field at a path of the document, `[]` standing for any position.
fn field(path: &str) -> &'static Field {
    let found = fields::document().all().into_iter().find(|field| field.path == path);
    found.unwrap_or_else(|| panic!("the document has no field {path}"))
}

/// A word that a field of the document may hold, with its sentence.
fn choice(path: &str, value: &str) -> &'static Choice {
    let found = field(path).options.iter().find(|option| option.value == value);
    found.unwrap_or_else(|| panic!("{path} has no option {value}"))
}

/// The name of a transport on the screen.
fn title(transport: TransportKind) -> &'static str {
    &choice("classes[].transport", transport.id()).title
}

fn described(arbitration: storage::Arbitration) -> Arbitration {
    let Mechanism { id, by_priority, weighs, limits_device, .. } = *arbitration.mechanism();
    Arbitration { choice: choice("storage.nvme.arbitration", id).clone(), by_priority, weighs, limits_device }
}

fn scheduler(kind: TenantScheduler) -> Scheduler {
    Scheduler {
        choice: choice("storage.tenants.scheduler", kind.id()).clone(),
        profile: kind.profile(),
        suggested: kind == TenantScheduler::SUGGESTED,
    }
}

fn transport(kind: TransportKind) -> Transport {
    let own = |field: &&Field| field.transports.is_some() && field.is_used_by(kind);
    let class = field("classes[]");
    let fields: Vec<String> = class.fields.iter().filter(own).map(|field| field.name.clone()).collect();
    let of_classes = |entry: &MetricEntry| entry.series.contains(&Scope::Class) || entry.figure;
    let metrics = metrics::entries().into_iter().filter(of_classes).map(|entry| entry.quantity);
    Transport {
        choice: choice("classes[].transport", kind.id()).clone(),
        paces: if kind.is_rate_based() { Pacing::Rate } else { Pacing::Window },
        learns_from: if kind.follows_marks() { Signal::Marks } else { Signal::Rtt },
        follows: match kind {
            kind if kind.follows_quality() => Aim::Quality,
            kind if kind.follows_deadlines() => Aim::Deadlines,
            _ => Aim::Nothing,
        },
        initial_rates: kind.describe().initial_rates,
        metrics: metrics.filter(|quantity| quantity.requires.met_by(kind)).map(|quantity| quantity.id).collect(),
        fields,
    }
}

/// A number as the document writes it.
fn number(number: f64) -> Value {
    let mut value = Value::from(number);
    scenario::whole_numbers(&mut value);
    value
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_transport_says_what_it_can_do() {
        let of = |kind| transport(kind);
        let timely = of(TransportKind::Timely);
        assert_eq!((timely.paces, timely.learns_from, timely.initial_rates), (Pacing::Rate, Signal::Rtt, true));
        assert_eq!(timely.fields, ["urgentSubclass", "timely", "dirs"]);
        assert!(!timely.metrics.contains(&"windowPackets") && !timely.metrics.contains(&"alpha"));
        assert_eq!(of(TransportKind::D2tcp).follows, Aim::Deadlines);
        let qtcp = of(TransportKind::Qtcp);
        assert_eq!(qtcp.fields, ["goal", "percentile", "gain", "rateSmoothing", "updateIntervalRtts"]);
        assert!(qtcp.metrics.contains(&"windowPackets") && !qtcp.initial_rates);
    }

    #[test]
    fn the_catalogue_is_plain_json() {
        let text = serde_json::to_value(catalogue()).unwrap();
        assert_eq!(text["document"]["fields"][0]["name"], "version");
        assert_eq!(text["transports"].as_array().map(Vec::len), Some(TransportKind::ALL.len()));
        let quality = text["metrics"].as_array().into_iter().flatten().find(|metric| metric["id"] == "qualityFactor");
        assert_eq!(quality.unwrap()["series"], serde_json::json!(["class", "connection"]));
    }
}
