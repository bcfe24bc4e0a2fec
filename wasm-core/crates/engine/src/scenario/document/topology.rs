//! Hosts, switches, links and routing.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::defaults;
use crate::network::graph::NodeKind;

/// Hosts, switches and links.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Topology {
    /// The generator of the graph, or the graph itself.
    #[schemars(title = "Shape")]
    pub shape: Shape,
    /// Rate of every link that does not state its own.
    #[serde(default = "defaults::link_gbps")]
    #[schemars(title = "Link rate", range(min = 0.001, max = 1600.0),
        extend("x-unit" = "Gb/s", "x-symbol" = "C", "x-live" = true, "x-slider" = [1, 400, "log"]), extend("x-source" = "Paper 1, evaluation: links of 100 Gb/s."))]
    pub link_gbps: f64,
    /// Propagation delay of every link that does not state its own, one way.
    #[serde(default = "defaults::link_delay_us")]
    #[schemars(title = "Link delay", range(min = 0.0, max = 100_000.0),
        extend("x-unit" = "us", "x-live" = true, "x-slider" = [0.1, 100, "log"]), extend("x-source" = "The topologies of HPCC (SIGCOMM 2019): 1 µs a link."))]
    pub link_delay_us: f64,
    /// Time a host spends on a packet that arrives or leaves, beside queueing.
    #[serde(default)]
    #[schemars(title = "Host delay", range(min = 0.0, max = 100_000.0),
        extend("x-unit" = "us", "x-live" = true, "x-detail" = true, "x-slider" = [0, 50, "linear"]), extend("x-source" = "Left out unless a scenario needs it."))]
    pub host_delay_us: f64,
    /// Time a switch spends on a packet before it joins the output queue.
    #[serde(default)]
    #[schemars(title = "Switch delay", range(min = 0.0, max = 100_000.0),
        extend("x-unit" = "us", "x-live" = true, "x-detail" = true, "x-slider" = [0, 10, "linear"]), extend("x-source" = "Left out unless a scenario needs it."))]
    pub switch_delay_us: f64,
    /// Round trip wanted on the longest path in use, with empty queues: a full packet out, its acknowledgement back.
    /// The host delay is raised to reach it. Empty: whatever links, switches and hosts add up to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(title = "Base RTT", range(min = 0.1, max = 1_000_000.0),
        extend("x-unit" = "us", "x-symbol" = "RTT", "x-live" = true, "x-slider" = [10, 2000, "log"]))]
    pub base_rtt_us: Option<f64>,
    /// How a path is picked among equal ones.
    #[serde(default)]
    #[schemars(title = "Routing", extend("x-detail" = true), extend("x-source" = "RFC 2992; usual in data centres."))]
    pub routing: Routing,
    /// Bytes a frame occupies on the wire beside the IP packet. 2: point-to-point framing, as in the simulator of the
    /// papers. 38: Ethernet with preamble and gap. 88: the same with VXLAN, whose outer headers take 50 bytes (RFC 7348).
    #[serde(default = "defaults::frame_overhead_bytes")]
    #[schemars(title = "Framing", range(min = 0, max = 200), extend("x-unit" = "bytes", "x-detail" = true), extend("x-source" = "Point-to-point framing of ns-3, the simulator of paper 2."))]
    pub frame_overhead_bytes: u32,
    /// Cables that are down, both directions. What is on them when they fail is lost; connections whose path led over them
    /// take another one at once, and come back to theirs when it is whole again.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(title = "Failed links", length(max = 32768), extend("x-live" = true, "x-detail" = true))]
    pub failed_links: Vec<Cable>,
}

/// All cables between two nodes, by the names of these.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Cable {
    /// Name of one end.
    #[schemars(title = "From", length(min = 1, max = 40))]
    pub from: String,
    /// Name of the other end.
    #[schemars(title = "To", length(min = 1, max = 40))]
    pub to: String,
}

/// The graph, by generator or by list. Every node has a name. A generator names hosts `h0`, `h1` and so on, in the order in
/// which it makes them; those of a custom graph have the names they are given.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "kebab-case", rename_all_fields = "camelCase", deny_unknown_fields)]
pub enum Shape {
    /// Three-tier fat-tree of switches with `k` ports: k pods, k³/4 hosts, 5k²/4 switches. Edge switches are `e0.0` (pod, then
    /// place in it), aggregation switches `a0.0`, core switches `c0`.
    #[schemars(title = "Fat-tree")]
    FatTree {
        /// Ports per switch, an even number.
        #[schemars(title = "Ports per switch", range(min = 2, max = 32), extend("x-symbol" = "k"))]
        k: u32,
    },
    /// Every leaf switch, `l0` and so on, is linked to every spine switch, `sp0` and so on.
    #[schemars(title = "Leaf-spine")]
    LeafSpine {
        /// Number of leaf switches.
        #[schemars(title = "Leaves", range(min = 1, max = 256))]
        leaves: u32,
        /// Number of spine switches.
        #[schemars(title = "Spines", range(min = 1, max = 256))]
        spines: u32,
        /// Hosts on each leaf.
        #[schemars(title = "Hosts per leaf", range(min = 1, max = 256))]
        hosts_per_leaf: u32,
        /// Rate of the links between leaves and spines. Empty: the link rate.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[schemars(title = "Uplink rate", range(min = 0.001, max = 1600.0), extend("x-unit" = "Gb/s"))]
        uplink_gbps: Option<f64>,
    },
    /// Senders on one side, receivers on the other. Hosts: the senders first, then the receivers. Switches are `left` and
    /// `right`.
    #[schemars(title = "Dumbbell")]
    Dumbbell {
        /// Number of sending hosts.
        #[schemars(title = "Senders", range(min = 1, max = 4096))]
        senders: u32,
        /// Number of receiving hosts.
        #[schemars(title = "Receivers", range(min = 1, max = 4096))]
        receivers: u32,
        /// 2: a switch on either side, joined by one trunk. 1: all hosts on one switch.
        #[serde(default = "defaults::dumbbell_switches")]
        #[schemars(title = "Switches", range(min = 1, max = 2), extend("x-source" = "Paper 2, evaluation: two switches."))]
        switches: u32,
        /// Rate of the trunk between the two switches. Empty: the link rate.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[schemars(title = "Trunk rate", range(min = 0.001, max = 1600.0), extend("x-unit" = "Gb/s"))]
        trunk_gbps: Option<f64>,
    },
    /// Any graph: named nodes and the links between them.
    #[schemars(title = "Custom")]
    Custom {
        /// Hosts and switches.
        #[schemars(title = "Nodes", length(min = 2, max = 8192))]
        nodes: Vec<Node>,
        /// Links, each carrying both directions.
        #[schemars(title = "Links", length(min = 1, max = 32768))]
        links: Vec<LinkSpec>,
    },
}

/// A node of a custom graph.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Node {
    /// Name, unique in the graph.
    #[schemars(title = "Name", length(min = 1, max = 40))]
    pub name: String,
    /// A host sends and receives; a switch forwards.
    #[schemars(title = "Role")]
    pub role: NodeKind,
    /// Where it is drawn. Empty: where the layout puts it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(title = "Position")]
    pub position: Option<Position>,
}

/// A place on the drawing of a network, in any unit: the drawing is scaled to its room.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Position {
    /// To the right.
    #[schemars(title = "x", range(min = -1_000_000.0, max = 1_000_000.0))]
    pub x: f64,
    /// Downwards.
    #[schemars(title = "y", range(min = -1_000_000.0, max = 1_000_000.0))]
    pub y: f64,
}

/// A link of a custom graph, both directions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct LinkSpec {
    /// Name of one end.
    #[schemars(title = "From")]
    pub from: String,
    /// Name of the other end.
    #[schemars(title = "To")]
    pub to: String,
    /// Rate of this link. Empty: the link rate of the network.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(title = "Rate", range(min = 0.001, max = 1600.0), extend("x-unit" = "Gb/s"))]
    pub gbps: Option<f64>,
    /// Propagation delay of this link. Empty: the link delay of the network.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(title = "Delay", range(min = 0.0, max = 100_000.0), extend("x-unit" = "us"))]
    pub delay_us: Option<f64>,
}

/// How a path is picked among equal ones.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Routing {
    /// Equal-cost multipath: a hash of the connection, seeded differently in every switch, picks the next hop.
    #[default]
    #[schemars(title = "ECMP")]
    Ecmp,
    /// The number of the destination host, modulo the choices, picks the next hop: static and collision-prone, used to
    /// compare with reference simulators.
    #[schemars(title = "d mod k")]
    DModK,
}
