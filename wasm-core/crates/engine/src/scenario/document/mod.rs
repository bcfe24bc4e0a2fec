//! The scenario document: one versioned JSON value that describes a run completely.
//!
//! Every field carries its title, explanation, unit, paper symbol and range as JSON Schema attributes. The forms of the
//! page, its hints, the range checks of [`crate::scenario::validate`] and the TypeScript types are all derived from them, so a
//! range or a sentence is written here and nowhere else. Fields stand in the order in which the screen and the docs show them.
//! Extension keys used in the schema:
//! `x-source` (where the default comes from), `x-unit` (unit shown after the value), `x-symbol` (symbol in the papers), `x-live` (may change while a run is going
//! on), `x-slider` (`[low, high, "log" | "linear"]`: range of the slider, narrower than the legal range), `x-transports`
//! (the transports that use a field of a class; all of them where it is absent), `x-group` (fields that stand together on the
//! screen, where they are not simply those of one object), `x-detail` (few scenarios need the field: it stands folded away),
//! `x-lead` (the field leads the object around it, and stays in sight when the others are folded away), `x-annotation` (the field
//! tells readers something, and no result depends on it), `x-max-bytes` (length of the longest JSON that is read, at the root).

mod access;
mod classes;
mod defaults;
mod evidence;
mod host;
mod measurement;
mod qos;
mod ssd;
mod storage;
mod story;
mod switch;
mod topology;
mod transports;
mod workloads;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use access::{Access, Iscsi, Software};
pub use classes::{Class, Goal, NestedClass};
pub use evidence::{Evidence, FittedValue, MeasuredFile};
pub use host::{AckPriority, Host};
pub use measurement::Measurement;
pub use qos::Qos;
pub use ssd::{Mapping, Precondition, Ssd, Victims};
pub use storage::{
    BurstLadder, ConstantCapacity, Device, Nvme, PersistentMemory, Storage, StorageServer, Tenants, USUAL_DEVICES,
};
pub use story::{Claim, ClaimMetric, FieldChange, Note, Story, Try};
pub use switch::{Buffering, MappedDscp, Marking, MarkingPoint, Switch, Threshold};
pub use topology::{Cable, LinkSpec, Node, Position, Routing, Shape, Topology};
pub use transports::{
    Basis, Dcqcn, DcqcnSet, Dirs, Sections, Surroundings, Swift, Timely, TransportKind, ValueInForce,
};
pub use workloads::{Addresses, Distribution, Endpoints, Flows, Size, TraceFormat, Traffic, Workload};

// The choices that the engine has as the document does.
pub use crate::access::AccessProtocol;
pub use crate::network::graph::NodeKind;
pub use crate::qos::rules::{DeficitRule, GrowthSlot};
pub use crate::storage::{Arbitration, ClassTreatment, DeviceKind, Level, Placement};
pub use crate::workload::addresses::AddressPattern;
pub use crate::workload::laws::Interarrival;
pub use crate::workload::stand_ins::StandIn;

/// The version of the format written by this engine.
pub const FORMAT_VERSION: u32 = 3;

/// A complete run: network, classes, load, seed and length.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(extend("x-max-bytes" = crate::scenario::MAXIMUM_BYTES))]
pub struct Scenario {
    /// Version of the scenario format. Older documents are migrated when they are read.
    #[schemars(title = "Format version", range(min = 3, max = 3))]
    pub version: u32,
    /// Name shown in the title bar and in exports.
    #[schemars(title = "Name", length(min = 1, max = 120), extend("x-annotation" = true))]
    pub name: String,
    /// What the scenario shows, in a sentence or two.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    #[schemars(title = "Description", length(max = 2000), extend("x-annotation" = true))]
    pub description: String,
    /// Seed of every random stream. The same scenario and seed give the same result, bit for bit.
    #[serde(default = "defaults::seed")]
    #[schemars(title = "Seed", range(min = 0, max = 9007199254740991_u64), extend("x-source" = "No number is better: another draws anew."))]
    pub seed: u64,
    /// Simulated time of the whole run.
    #[schemars(title = "Duration", range(min = 1.0, max = 200_000_000.0), extend("x-unit" = "us"))]
    pub duration_us: f64,
    /// Hosts, switches, links and routing.
    #[schemars(title = "Network")]
    pub topology: Topology,
    /// Queues and marking of every switch port.
    #[serde(default)]
    #[schemars(title = "Switch")]
    pub switch: Switch,
    /// Network stack of every host.
    #[serde(default)]
    #[schemars(title = "Host", extend("x-detail" = true))]
    pub host: Host,
    /// What the quality-of-service control knows and aims at.
    #[serde(default)]
    #[schemars(title = "Quality of service")]
    pub qos: Qos,
    /// Traffic classes, most important first.
    #[schemars(title = "Classes", length(min = 1, max = 16))]
    pub classes: Vec<Class>,
    /// Which hosts are storage servers.
    #[serde(default)]
    #[schemars(title = "Storage")]
    pub storage: Storage,
    /// How requests reach the storage of their targets.
    #[serde(default)]
    #[schemars(title = "Access")]
    pub access: Access,
    /// Who reads and writes what where, and when.
    #[schemars(title = "Workloads", length(min = 1, max = 4096))]
    pub workloads: Vec<Workload>,
    /// Changes applied while the run goes on, in order of time.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(title = "Timeline", length(max = 4096))]
    pub timeline: Vec<Change>,
    /// What is measured, and over which part of the run.
    #[serde(default)]
    #[schemars(title = "Measurement", extend("x-detail" = true))]
    pub measurement: Measurement,
    /// What to look at and what to try.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(title = "Story", extend("x-annotation" = true))]
    pub story: Option<Story>,
    /// Remarks at instants of the run and at nodes of the network.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(title = "Notes", length(max = 64), extend("x-annotation" = true))]
    pub notes: Vec<Note>,
}

impl Scenario {
    /// The same run with what another scenario tells its readers: the fields marked `x-annotation`, on which no result depends.
    #[must_use]
    pub fn annotated_as(&self, other: &Self) -> Self {
        let mut scenario = Self {
            name: other.name.clone(),
            description: other.description.clone(),
            story: other.story.clone(),
            notes: other.notes.clone(),
            ..self.clone()
        };
        scenario.storage.ssd.evidence.clone_from(&other.storage.ssd.evidence);
        scenario
    }
}

/// A change applied while the run goes on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Change {
    /// When the change takes effect, before any packet event of the same instant.
    #[schemars(title = "At", range(min = 0.0, max = 200_000_000.0), extend("x-unit" = "us"))]
    pub at_us: f64,
    /// What changes: the path of a live field, such as `switch.ecnThresholdPackets` or `classes[0].transport`.
    #[schemars(title = "Field", length(min = 1, max = 200))]
    pub path: String,
    /// The new value.
    #[schemars(title = "Value")]
    pub value: serde_json::Value,
}
