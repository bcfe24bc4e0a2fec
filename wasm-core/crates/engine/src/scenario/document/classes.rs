//! Classes of traffic.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Dcqcn, Dirs, Qos, Sections, Swift, Timely, TransportKind, defaults};
use crate::storage::Level;
use crate::transport::controllers::Control;

/// A class of traffic.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Class {
    /// Name, unique among the classes.
    #[schemars(title = "Class", length(min = 1, max = 40))]
    pub name: String,
    /// Share of the bottleneck relative to the other classes.
    #[serde(default = "defaults::ratio")]
    #[schemars(title = "Ratio", range(min = 0.001, max = 1000.0),
        extend("x-symbol" = "r", "x-live" = true, "x-slider" = [1, 10, "linear"]), extend("x-source" = "All classes alike."))]
    pub ratio: f64,
    /// Congestion control of the connections of this class.
    #[serde(default)]
    #[schemars(title = "Transport", extend("x-live" = true), extend("x-source" = "Papers 1 and 2: their transport."))]
    pub transport: TransportKind,
    /// What the class aims at: its share of the throughput, or a tail latency.
    #[serde(default)]
    #[schemars(title = "Goal", extend("x-live" = true, "x-group" = "aim", "x-transports" = ["qtcp", "qrdma"]), extend("x-source" = "Papers 1 and 2: shares of throughput come first."))]
    pub goal: Goal,
    /// Tail latency wanted, which is also the deadline of every request: counted as missed when it takes longer. D2TCP paces
    /// each transfer by it; QTCP and QRDMA aim at it when latency is their goal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(title = "Latency target", range(min = 0.1, max = 100_000_000.0),
        extend("x-unit" = "us", "x-symbol" = "L_t", "x-live" = true, "x-group" = "aim", "x-slider" = [10, 20_000, "log"]))]
    pub latency_target_us: Option<f64>,
    /// Percentile of the request latency that is compared with the target.
    #[serde(default = "defaults::percentile")]
    #[schemars(title = "Percentile", range(min = 1.0, max = 99.99),
        extend("x-unit" = "%", "x-live" = true, "x-group" = "aim", "x-slider" = [50, 99.9, "linear"],
            "x-transports" = ["qtcp", "qrdma"]), extend("x-source" = "Paper 1, evaluation: P90 beside P50 and P99."))]
    pub percentile: f64,
    /// Priority of its packets in every port: a port sends those of the highest priority first, but does not interrupt the
    /// packet in transmission. 0 is for ordinary traffic, unless switches map the DSCP of the class to another one; what is above
    /// counts as urgent.
    #[serde(default)]
    #[schemars(title = "Priority", range(min = 0, max = 7), extend("x-live" = true, "x-slider" = [0, 7, "linear"]), extend("x-source" = "IEEE 802.1Q: best effort."))]
    pub priority: u8,
    /// Differentiated services code point in the IP header of its packets (RFC 2474). A class with the priority 0 has the one that
    /// switches map its DSCP to. Empty: none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(title = "DSCP", range(min = 0, max = 63), extend("x-live" = true, "x-detail" = true))]
    pub dscp: Option<u8>,
    /// Whether the network cards of its hosts send its packets before others of the same priority that wait there, as an urgent
    /// sub-class of their traffic class. Switches see one traffic class: its queue, its pauses.
    #[serde(default, skip_serializing_if = "defaults::is_no")]
    #[schemars(title = "Urgent sub-class", extend("x-live" = true, "x-group" = "priority", "x-transports" = ["dcqcn", "qrdma", "timely"]), extend("x-source" = "Paper 5: sub-TCs for RDMA at the host, off unless asked for."))]
    pub urgent_subclass: bool,
    /// Priority of its commands at storage devices: that of their submission queues, and of their pages in the queues of the
    /// dies. Empty: urgent where its packets have a priority above 0; else high, medium or low by the rank of its ratio.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(title = "NVMe priority", extend("x-live" = true))]
    pub nvme_priority: Option<Level>,
    /// What the class is promised as a tenant of storage servers: nested classes of its requests, the innermost first. Of the
    /// requests within the envelope (σ, ρ) of one each is answered within its response time δ. Burst, rate and response time
    /// never fall from one to the next. Empty: nothing is promised.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(title = "Contract", length(max = 8), extend("x-detail" = true))]
    pub contract: Vec<NestedClass>,
    /// Group of the class as a tenant of storage servers: the Group Policy ID in the VXLAN header of its packets. Under the burst
    /// ladder what tenants of one group leave goes to each other first. 0: packets without a policy, which are a group, too.
    #[serde(default, skip_serializing_if = "defaults::is_zero")]
    #[schemars(title = "VXLAN group", range(min = 0, max = 65_535), extend("x-live" = true, "x-detail" = true), extend("x-source" = "Paper 5: group-based policy of VXLAN; draft-smith-vxlan-group-policy, section 2.1: 16 bits, 0 by default."))]
    pub vxlan_group: u16,
    /// Whether its packets carry the burst presence bit of the VXLAN header while it asks for more than its share. Without it
    /// the burst ladder gives it its share alone.
    #[serde(default = "defaults::yes", skip_serializing_if = "defaults::is_yes")]
    #[schemars(title = "Burst presence bit", extend("x-live" = true, "x-detail" = true), extend("x-source" = "Paper 5: a presence bit of group QoS in the VXLAN header."))]
    pub burst_bit: bool,
    /// Gain of the moving average of the marked share: larger follows the marks faster. RFC 8257 takes 1/16.
    #[serde(default = "defaults::gain")]
    #[schemars(title = "Gain", range(min = 0.0001, max = 1.0),
        extend("x-symbol" = "g", "x-live" = true, "x-slider" = [0.01, 1, "log"], "x-transports" = ["qtcp", "dctcp", "d2tcp"]), extend("x-source" = "RFC 8257, section 4.2: 1/16."))]
    pub gain: f64,
    /// Weight of the past in the measured throughput or tail latency from which Q is computed (paper 1 eq. 1 and 2).
    #[serde(default = "defaults::rate_smoothing")]
    #[schemars(title = "Rate smoothing", range(min = 0.0, max = 0.999),
        extend("x-symbol" = "γ", "x-live" = true, "x-slider" = [0, 0.99, "linear"], "x-transports" = ["qtcp", "qrdma"]), extend("x-source" = "Paper 1: 0.5 by default."))]
    pub rate_smoothing: f64,
    /// Round trips between two updates of the quality factor.
    #[serde(default = "defaults::update_interval_rtts")]
    #[schemars(title = "Q update interval", range(min = 1, max = 1000),
        extend("x-unit" = "RTT", "x-live" = true, "x-slider" = [1, 100, "log"], "x-transports" = ["qtcp", "qrdma"]), extend("x-source" = "Papers 1 and 2: every round trip."))]
    pub update_interval_rtts: u32,
    /// Parameters of DCQCN, which are also those of the recovery of QRDMA.
    #[serde(default, skip_serializing_if = "Dcqcn::is_default")]
    #[schemars(title = "DCQCN", extend("x-transports" = ["dcqcn", "qrdma"]))]
    pub dcqcn: Dcqcn,
    /// Parameters of Swift.
    #[serde(default, skip_serializing_if = "Swift::is_default")]
    #[schemars(title = "Swift", extend("x-transports" = ["swift"]))]
    pub swift: Swift,
    /// Parameters of TIMELY.
    #[serde(default, skip_serializing_if = "Timely::is_default")]
    #[schemars(title = "TIMELY", extend("x-transports" = ["timely"]))]
    pub timely: Timely,
    /// Initial rates that follow what is known of the destination (DIRS, paper 3).
    #[serde(default, skip_serializing_if = "Dirs::is_default")]
    #[schemars(title = "DIRS", extend("x-transports" = ["dcqcn", "qrdma", "timely"]))]
    pub dirs: Dirs,
    /// Round trip wanted for this class with empty queues. Its packets are held back at both hosts to reach it. Empty:
    /// that of the network.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(title = "Class base RTT", range(min = 0.1, max = 1_000_000.0),
        extend("x-unit" = "us", "x-symbol" = "RTT", "x-live" = true, "x-detail" = true, "x-slider" = [10, 2000, "log"]))]
    pub base_rtt_us: Option<f64>,
}

impl Class {
    /// The part that controllers read.
    pub fn sections(&self) -> Sections<'_> {
        Sections { gain: self.gain, dcqcn: &self.dcqcn, swift: &self.swift, timely: &self.timely }
    }

    /// The controller of its connections, where hosts send at `line_bps` and the longest empty round trip is `rtt_ps`.
    pub fn control(&self, qos: &Qos, line_bps: f64, rtt_ps: u64) -> Control {
        self.transport.control(&self.sections(), qos, line_bps, rtt_ps)
    }
}

/// A nested class of a contract (paper 4, section 2).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NestedClass {
    /// Requests that may come at once.
    #[schemars(title = "Burst", range(min = 1, max = 100_000),
        extend("x-unit" = "requests", "x-symbol" = "σ", "x-live" = true, "x-slider" = [1, 1000, "log"]))]
    pub burst: u32,
    /// Requests a second in the long run, counted in hundredths.
    #[schemars(title = "Rate", range(min = 0.01, max = 10_000_000.0),
        extend("x-unit" = "IOPS", "x-symbol" = "ρ", "x-live" = true, "x-slider" = [10, 10_000, "log"]))]
    pub rate_iops: f64,
    /// Time within which each of them is answered, from its arrival at the server.
    #[schemars(title = "Response time", range(min = 0.1, max = 200_000_000.0),
        extend("x-unit" = "us", "x-symbol" = "δ", "x-live" = true, "x-slider" = [1000, 1_000_000, "log"]))]
    pub response_us: f64,
}

/// What a class aims at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Goal {
    /// Its share of the bottleneck. Where other classes aim at latencies, these come first and the rest is shared.
    #[default]
    #[schemars(title = "Throughput share")]
    Throughput,
    /// Its latency target: Q is the tail latency over the target (paper 1 eq. 2).
    #[schemars(title = "Tail latency")]
    Latency,
}
