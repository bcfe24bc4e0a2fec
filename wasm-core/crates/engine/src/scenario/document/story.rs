//! What a scenario is there to show.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What to look at in a run, and what to try.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Story {
    /// A few sentences: what happens, and where it shows.
    #[schemars(title = "Text", length(min = 1, max = 2000))]
    pub text: String,
    /// What the stacked charts show when the scenario is opened, from the top, by the names that links have of them: `share`,
    /// `inDevice`. Empty: throughput, quality factor and bottleneck queue.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(title = "Charts", length(max = 3))]
    pub charts: Vec<String>,
    /// What comes true in the run, and turns where something is tried. Empty: what holds of any run.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(title = "Claims", length(max = 8))]
    pub claims: Vec<Claim>,
    /// What to change to see something else happen.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(title = "Tries", length(max = 16))]
    pub tries: Vec<Try>,
}

/// A remark on the run, shown where it belongs: at an instant, at a node of the network, or at both.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Note {
    /// What is to be seen there.
    #[schemars(title = "Text", length(min = 1, max = 280))]
    pub text: String,
    /// The instant that it is about. Empty: the whole run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(title = "At", range(min = 0.0, max = 200_000_000.0), extend("x-unit" = "us"))]
    pub at_us: Option<f64>,
    /// The host or switch that it is about, by name. One that the network does not have is listed, and nothing more. Empty: no
    /// node.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(title = "Node", length(min = 1, max = 64))]
    pub node: Option<String>,
}

/// A figure of the run within bounds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Claim {
    /// Which figure.
    #[schemars(title = "Metric")]
    pub metric: ClaimMetric,
    /// The class it is of. Empty for a figure of the network, or of all classes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(title = "Class")]
    pub class: Option<String>,
    /// The claim holds from this value on. Empty: from any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(title = "From")]
    pub min: Option<f64>,
    /// The claim holds up to this value. Empty: up to any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(title = "Up to")]
    pub max: Option<f64>,
}

/// What a claim may be about. Lately: over the last twentieth of the run, at least as long as figures of the present.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum ClaimMetric {
    /// Distance of the quality factor from 1, lately, of a class or of the class farthest from it.
    #[schemars(title = "Distance of Q from 1")]
    Distance,
    /// When the quality factor of a class, or of the last class, first came near 1 to stay, in microseconds.
    #[schemars(title = "Converged")]
    ConvergedUs,
    /// Share of the payload of all classes that a class carries, lately.
    #[schemars(title = "Throughput share")]
    Share,
    /// Payload in Gb/s, lately, of a class or of all.
    #[schemars(title = "Throughput")]
    CarriedGbps,
    /// Median latency of requests, in microseconds.
    #[schemars(title = "p50")]
    P50Us,
    /// Latency that one request in a hundred exceeds, in microseconds.
    #[schemars(title = "p99")]
    P99Us,
    /// Latency that one request in a thousand exceeds, in microseconds.
    #[schemars(title = "p99.9")]
    P999Us,
    /// Share of the requests that missed their latency target.
    #[schemars(title = "Deadlines missed")]
    Missed,
    /// Share of the packets that were sent again, of a class or of all.
    #[schemars(title = "Retransmitted")]
    Retransmitted,
    /// Share of the time in which the bottleneck port transmits, lately.
    #[schemars(title = "Link utilisation")]
    Utilisation,
    /// Packets in the bottleneck port, lately.
    #[schemars(title = "Bottleneck queue")]
    QueuePackets,
    /// Links that are held by pause frames, lately.
    #[schemars(title = "Paused links")]
    PausedLinks,
    /// Links that are deadlocked by pause frames.
    #[schemars(title = "Deadlocked links")]
    DeadlockedLinks,
    /// Commands that wait for devices, lately.
    #[schemars(title = "Commands waiting")]
    WaitingCommands,
}

/// Changes that belong together, offered under one name.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Try {
    /// What is done, such as "Switch all classes to DCTCP".
    #[schemars(title = "Label", length(min = 1, max = 80))]
    pub label: String,
    /// New values of fields, made one after the other.
    #[schemars(title = "Changes", length(min = 1, max = 64))]
    pub changes: Vec<FieldChange>,
}

/// A new value for a field.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct FieldChange {
    /// Path of the field, such as `switch.ecnThresholdPackets`.
    #[schemars(title = "Field", length(min = 1, max = 200))]
    pub path: String,
    /// Its new value; null empties a field that may be empty.
    #[serde(default)]
    #[schemars(title = "Value")]
    pub value: serde_json::Value,
}
