//! The scenario document: one versioned JSON value that describes a run completely.
//!
//! Every field carries its title, explanation, unit, paper symbol and range as JSON Schema attributes. The forms of the
//! page, its hints, the range checks of [`super::validate`] and the TypeScript types are all derived from them, so a
//! range or a sentence is written here and nowhere else. Extension keys used in the schema:
//! `x-unit` (unit shown after the value), `x-symbol` (symbol in the papers), `x-live` (may change while a run is going
//! on), `x-slider` (`[low, high, "log" | "linear"]`: range of the slider, narrower than the legal range), `x-transports`
//! (the transports that use a field of a class; all of them where it is absent), `x-max-bytes` (length of the longest JSON
//! that is read, at the root).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The version of the format written by this engine.
pub const FORMAT_VERSION: u32 = 1;

/// A complete run: network, classes, load, seed and length.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(extend("x-max-bytes" = super::MAXIMUM_BYTES))]
pub struct Scenario {
    /// Version of the scenario format. Older documents are migrated when they are read.
    #[schemars(title = "Format version", range(min = 1, max = 1))]
    pub version: u32,
    /// Name shown in the title bar and in exports.
    #[schemars(title = "Name", length(min = 1, max = 120))]
    pub name: String,
    /// What the scenario shows, in a sentence or two.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    #[schemars(title = "Description", length(max = 2000))]
    pub description: String,
    /// Seed of every random stream. The same scenario and seed give the same result, bit for bit.
    #[serde(default = "defaults::seed")]
    #[schemars(title = "Seed", range(min = 0, max = 9007199254740991_u64))]
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
    #[schemars(title = "Host")]
    pub host: Host,
    /// What the quality-of-service control knows and aims at.
    #[serde(default)]
    #[schemars(title = "Quality of service")]
    pub qos: Qos,
    /// Traffic classes, most important first.
    #[schemars(title = "Classes", length(min = 1, max = 16))]
    pub classes: Vec<Class>,
    /// Who sends what to whom, and when.
    #[schemars(title = "Workloads", length(min = 1, max = 4096))]
    pub workloads: Vec<Workload>,
    /// Changes applied while the run goes on, in order of time.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(title = "Timeline", length(max = 4096))]
    pub timeline: Vec<Change>,
    /// What is measured, and over which part of the run.
    #[serde(default)]
    #[schemars(title = "Measurement")]
    pub measurement: Measurement,
}

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
        extend("x-unit" = "Gb/s", "x-symbol" = "C", "x-live" = true, "x-slider" = [1, 400, "log"]))]
    pub link_gbps: f64,
    /// Propagation delay of every link that does not state its own, one way.
    #[serde(default = "defaults::link_delay_us")]
    #[schemars(title = "Link delay", range(min = 0.0, max = 100_000.0),
        extend("x-unit" = "us", "x-live" = true, "x-slider" = [0.1, 100, "log"]))]
    pub link_delay_us: f64,
    /// Time a host spends on a packet that arrives or leaves, beside queueing.
    #[serde(default)]
    #[schemars(title = "Host delay", range(min = 0.0, max = 100_000.0),
        extend("x-unit" = "us", "x-live" = true, "x-slider" = [0, 50, "linear"]))]
    pub host_delay_us: f64,
    /// Time a switch spends on a packet before it joins the output queue.
    #[serde(default)]
    #[schemars(title = "Switch delay", range(min = 0.0, max = 100_000.0),
        extend("x-unit" = "us", "x-live" = true, "x-slider" = [0, 10, "linear"]))]
    pub switch_delay_us: f64,
    /// Round trip wanted on the longest path in use, with empty queues: a full packet out, its acknowledgement back.
    /// The host delay is raised to reach it. Empty: whatever links, switches and hosts add up to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(title = "Base RTT", range(min = 0.1, max = 1_000_000.0),
        extend("x-unit" = "us", "x-symbol" = "RTT", "x-live" = true, "x-slider" = [10, 2000, "log"]))]
    pub base_rtt_us: Option<f64>,
    /// How a path is picked among equal ones.
    #[serde(default)]
    #[schemars(title = "Routing")]
    pub routing: Routing,
    /// Bytes a frame occupies on the wire beside the IP packet. 2: point-to-point framing, as in the simulator of the
    /// papers. 38: Ethernet with preamble and gap.
    #[serde(default = "defaults::frame_overhead_bytes")]
    #[schemars(title = "Framing", range(min = 0, max = 200), extend("x-unit" = "bytes"))]
    pub frame_overhead_bytes: u32,
    /// Hosts drawn as storage servers, by number. Empty: the second half of the hosts.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(title = "Storage hosts", length(max = 65536))]
    pub storage_hosts: Vec<u32>,
}

/// The graph, by generator or by list. Hosts are numbered from 0 in the order the generator makes them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "kebab-case", rename_all_fields = "camelCase", deny_unknown_fields)]
pub enum Shape {
    /// Three-tier fat-tree of switches with `k` ports: k pods, k³/4 hosts, 5k²/4 switches.
    #[schemars(title = "Fat-tree")]
    FatTree {
        /// Ports per switch, an even number.
        #[schemars(title = "Ports per switch", range(min = 2, max = 32), extend("x-symbol" = "k"))]
        k: u32,
    },
    /// Every leaf switch is linked to every spine switch.
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
    /// Senders on one side, receivers on the other. Hosts: the senders first, then the receivers.
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
        #[schemars(title = "Switches", range(min = 1, max = 2))]
        switches: u32,
        /// Rate of the trunk between the two switches. Empty: the link rate.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[schemars(title = "Trunk rate", range(min = 0.001, max = 1600.0), extend("x-unit" = "Gb/s"))]
        trunk_gbps: Option<f64>,
    },
    /// Any graph: named nodes and the links between them.
    #[schemars(title = "Custom")]
    Custom {
        /// Hosts and switches. Hosts are numbered in the order of this list.
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
    pub role: NodeRole,
}

/// What a node of a custom graph does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum NodeRole {
    /// Sends and receives.
    #[schemars(title = "Host")]
    Host,
    /// Forwards.
    #[schemars(title = "Switch")]
    Switch,
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

/// Queues and marking of every switch port.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct Switch {
    /// How a port decides to mark a packet with congestion experienced (CE) when it joins the queue.
    #[schemars(title = "ECN marking", extend("x-live" = true))]
    pub marking: Marking,
    /// A switch marks every packet that finds at least this many packets in the queue. With RED marking: the length at
    /// which marking begins. The packet in transmission counts, so a K of ns-3, which leaves out that one and one in the
    /// device queue, is two less.
    #[schemars(title = "ECN threshold", range(min = 1, max = 100_000),
        extend("x-unit" = "packets", "x-symbol" = "K", "x-live" = true, "x-slider" = [10, 400, "log"]))]
    pub ecn_threshold_packets: u32,
    /// RED marking: from this queue length on every packet is marked.
    #[schemars(title = "RED upper threshold", range(min = 1, max = 100_000),
        extend("x-unit" = "packets", "x-symbol" = "Kmax", "x-live" = true, "x-slider" = [10, 1000, "log"]))]
    pub red_maximum_packets: u32,
    /// RED marking: probability just below the upper threshold.
    #[schemars(title = "RED probability", range(min = 0.0, max = 1.0),
        extend("x-symbol" = "Pmax", "x-live" = true, "x-slider" = [0, 1, "linear"]))]
    pub red_maximum_probability: f64,
    /// Where a queue's length is compared with the thresholds: as a packet joins it, or as one leaves it. On departure the
    /// mark speaks of the queue left behind, and reaches the receiver sooner by the time spent in the queue.
    #[schemars(title = "Marking point", extend("x-live" = true))]
    pub marking_point: MarkingPoint,
    /// What becomes of packets for which there is no room, and who has how much of it.
    #[schemars(title = "Buffering", extend("x-live" = true))]
    pub buffering: Buffering,
    /// Packets a port can hold, the one in transmission included. Further packets are dropped. Used by buffering per port.
    #[schemars(title = "Port buffer", range(min = 1, max = 1_000_000),
        extend("x-unit" = "packets", "x-live" = true, "x-slider" = [20, 10_000, "log"]))]
    pub buffer_packets: u32,
    /// Bytes a port can hold, as a second limit. Empty: only packets are counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(title = "Port buffer in bytes", range(min = 1500, max = 4_000_000_000_u64),
        extend("x-unit" = "bytes", "x-live" = true))]
    pub buffer_bytes: Option<u64>,
    /// Packets of every port's buffer that only classes with a priority above 0 may use (P in paper 1 section 3.1.3).
    #[schemars(title = "Reserved for urgent", range(min = 0, max = 1_000_000),
        extend("x-unit" = "packets", "x-symbol" = "P", "x-live" = true, "x-slider" = [0, 1000, "linear"]))]
    pub urgent_reserve_packets: u32,
    /// Memory that all ports of a switch share. Acknowledgements and control frames are not counted in it.
    #[schemars(title = "Shared buffer", range(min = 10_000, max = 4_000_000_000_u64),
        extend("x-unit" = "bytes", "x-symbol" = "B", "x-live" = true, "x-slider" = [500_000, 64_000_000, "log"]))]
    pub shared_buffer_bytes: u64,
    /// Share of the free memory that the packets which came in by one port, at one priority, may take. Beyond it the port
    /// pauses the sender of that priority (PFC) or drops.
    #[schemars(title = "Threshold", extend("x-live" = true))]
    pub threshold: Threshold,
    /// Dynamic threshold: the multiple of the free memory that one port and priority may take.
    #[schemars(title = "Dynamic threshold", range(min = 0.001, max = 64.0),
        extend("x-symbol" = "α", "x-live" = true, "x-slider" = [0.03125, 8, "log"]))]
    pub threshold_alpha: f64,
    /// Static threshold: the bytes that one port and priority may take.
    #[schemars(title = "Static threshold", range(min = 1000, max = 1_000_000_000_u64),
        extend("x-unit" = "bytes", "x-symbol" = "XOFF", "x-live" = true, "x-slider" = [10_000, 2_000_000, "log"]))]
    pub xoff_bytes: u64,
    /// PFC: how far below the threshold the packets of a port and priority must fall before its sender may go on.
    #[schemars(title = "Hysteresis", range(min = 0, max = 100_000_000_u64),
        extend("x-unit" = "bytes", "x-symbol" = "XOFF − XON", "x-live" = true, "x-slider" = [0, 100_000, "linear"]))]
    pub xon_offset_bytes: u64,
    /// Memory kept for each port and priority beside the shared part.
    #[schemars(title = "Guaranteed", range(min = 0, max = 10_000_000), extend("x-unit" = "bytes", "x-live" = true))]
    pub guaranteed_bytes: u64,
    /// PFC: memory kept for each port and priority to take what still arrives after a pause has been sent. Empty: what the
    /// rate and delay of the cable and one full packet at either end require.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(title = "Headroom", range(min = 0, max = 100_000_000),
        extend("x-unit" = "bytes", "x-symbol" = "H", "x-live" = true))]
    pub headroom_bytes: Option<u64>,
}

/// Where acknowledgements stand in the port of the host that sends them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum AckPriority {
    /// Before all data that waits there.
    #[default]
    #[schemars(title = "Before data")]
    BeforeData,
    /// In order with data.
    #[schemars(title = "In order")]
    InOrder,
}

/// Where a queue's length is compared with the thresholds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum MarkingPoint {
    /// As a packet joins the queue.
    #[default]
    #[schemars(title = "Arrival")]
    Arrival,
    /// As a packet leaves the queue, by the queue it leaves behind.
    #[schemars(title = "Departure")]
    Departure,
}

/// What becomes of packets for which there is no room.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Buffering {
    /// Every port has a buffer of its own. What does not fit is dropped.
    #[default]
    #[schemars(title = "Per port")]
    PerPort,
    /// The ports of a switch share memory. What comes in by a port that has more than its threshold is dropped.
    #[schemars(title = "Shared, drops")]
    Shared,
    /// The ports of a switch share memory. A port that has more than its threshold pauses the sender at the other end of its
    /// cable (priority flow control, IEEE 802.1Qbb), so that nothing is dropped.
    #[schemars(title = "Shared, PFC")]
    Pfc,
}

/// How much of the shared memory one port and priority may take.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Threshold {
    /// A multiple of the memory that is free.
    #[default]
    #[schemars(title = "Dynamic")]
    Dynamic,
    /// A number of bytes.
    #[schemars(title = "Static")]
    Static,
}

/// How a switch port marks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Marking {
    /// Every packet that finds K packets or more is marked (DCTCP).
    #[default]
    #[schemars(title = "Step")]
    Step,
    /// Marked with a probability that grows between two thresholds.
    #[schemars(title = "RED")]
    Red,
    /// Never.
    #[schemars(title = "Off")]
    Off,
}

/// Network stack of every host.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct Host {
    /// Largest IP packet: 1500, or 9000 with jumbo frames.
    #[schemars(title = "MTU", range(min = 256, max = 65_000), extend("x-unit" = "bytes"))]
    pub mtu_bytes: u32,
    /// Bytes of IP and TCP headers in every packet: 52 with the timestamp option.
    #[schemars(title = "Headers", range(min = 20, max = 200), extend("x-unit" = "bytes"))]
    pub header_bytes: u32,
    /// Congestion window of a new connection.
    #[schemars(title = "Initial window", range(min = 1, max = 1000), extend("x-unit" = "packets"))]
    pub initial_window_packets: u32,
    /// Limit of the congestion window (send buffer).
    #[schemars(title = "Maximum window", range(min = 2, max = 1_000_000), extend("x-unit" = "packets"))]
    pub maximum_window_packets: u32,
    /// Floor of the congestion window after a cut.
    #[schemars(title = "Minimum window", range(min = 1, max = 100), extend("x-unit" = "packets"))]
    pub minimum_window_packets: u32,
    /// Floor of the retransmission timeout.
    #[schemars(title = "Minimum RTO", range(min = 100.0, max = 10_000_000.0), extend("x-unit" = "us", "x-symbol" = "RTOmin"))]
    pub minimum_rto_us: f64,
    /// Packets a receiver waits for before it acknowledges.
    #[schemars(title = "Delayed acknowledgement", range(min = 1, max = 64), extend("x-unit" = "packets"))]
    pub delayed_ack_packets: u32,
    /// Longest time a receiver holds an acknowledgement back.
    #[schemars(title = "Acknowledgement timeout", range(min = 1.0, max = 1_000_000.0), extend("x-unit" = "us"))]
    pub delayed_ack_timeout_us: f64,
    /// Longest delay of the start of a connection's application. Each draws its own between nothing and this from the seed:
    /// real hosts do not start at the same picosecond, and those that do keep step ever after. Empty: the time of ten full
    /// packets on the host's own link. 0: all start exactly when the workload says.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(title = "Start jitter", range(min = 0.0, max = 1_000_000.0), extend("x-unit" = "us"))]
    pub start_jitter_us: Option<f64>,
    /// Data packets over TCP that may wait in the host's own port. The rest waits in the connections, as all that RDMA paces
    /// does but the next packet.
    #[schemars(title = "NIC queue limit", range(min = 2, max = 10_000), extend("x-unit" = "packets"))]
    pub queue_packets: u32,
    /// Where acknowledgements stand in that port: before data, or in order with it.
    #[schemars(title = "Acknowledgement priority")]
    pub ack_priority: AckPriority,
}

/// What the quality-of-service control knows and aims at.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct Qos {
    /// Payload rate the classes share at the bottleneck. Empty: the rate of the bottleneck link less headers.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(title = "Shared capacity", range(min = 0.001, max = 1600.0),
        extend("x-unit" = "Gb/s", "x-symbol" = "C", "x-live" = true))]
    pub capacity_gbps: Option<f64>,
    /// Time in which a class of QTCP grows by one packet. The papers state the growth per round trip and use one time slot
    /// for all classes; where round trips differ that leaves two readings (see the models).
    #[schemars(title = "Growth slot", extend("x-live" = true))]
    pub growth_slot: GrowthSlot,
    /// What a class of QTCP does with a window in which a mark was echoed while the class has less than its target (Q > 1).
    #[schemars(title = "Mark in deficit", extend("x-live" = true))]
    pub mark_in_deficit: MarkInDeficit,
    /// Classes of QTCP and QRDMA watch their quality factors for traffic that does not follow shares, and take it off the
    /// capacity they aim at (paper 1 fig. 15a, paper 2 fig. 1).
    #[schemars(title = "Adapt to interference", extend("x-live" = true))]
    pub adapt_to_interference: bool,
    /// How far a quality factor must lie from 1 to count as interference, and by which part of its target a class then
    /// changes the capacity it aims at.
    #[schemars(title = "Interference tolerance", range(min = 0.001, max = 0.5),
        extend("x-symbol" = "σ", "x-live" = true, "x-slider" = [0.01, 0.2, "linear"]))]
    pub interference_tolerance: f64,
    /// Round trips between two looks at the quality factor for interference.
    #[schemars(title = "Interference interval", range(min = 1, max = 10_000),
        extend("x-unit" = "RTT", "x-live" = true, "x-slider" = [1, 100, "log"]))]
    pub interference_interval_rtts: u32,
}

/// Time in which a class grows by one packet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum GrowthSlot {
    /// Its own round trip: nothing need be known of other classes, and those with shorter round trips grow faster.
    #[default]
    #[schemars(title = "Own RTT")]
    OwnRtt,
    /// An interpretation: the longest round trip among the classes, so that all grow alike. Cuts stay on the own round trip.
    /// Every sender has to know the longest round trip.
    #[schemars(title = "Longest RTT")]
    LongestRtt,
}

/// What a mark does to the window of a class that has less than its target.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum MarkInDeficit {
    /// The window is cut by α alone, as published (paper 1 eq. 5, paper 2 eq. 7, row 2).
    #[default]
    #[schemars(title = "Cut")]
    Cut,
    /// Not QTCP: a rule of our own to compare with, against row 2 of the published one. The window neither shrinks nor grows.
    #[schemars(title = "Hold")]
    Hold,
}

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
        extend("x-symbol" = "r", "x-live" = true, "x-slider" = [1, 10, "linear"]))]
    pub ratio: f64,
    /// Congestion control of the connections of this class.
    #[serde(default)]
    #[schemars(title = "Transport", extend("x-live" = true))]
    pub transport: TransportKind,
    /// What the class aims at: its share of the throughput, or a tail latency.
    #[serde(default)]
    #[schemars(title = "Goal", extend("x-live" = true, "x-transports" = ["qtcp", "qrdma"]))]
    pub goal: Goal,
    /// Tail latency wanted, which is also the deadline of every request: counted as missed when it takes longer. D2TCP paces
    /// each transfer by it; QTCP and QRDMA aim at it when latency is their goal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(title = "Latency target", range(min = 0.1, max = 100_000_000.0),
        extend("x-unit" = "us", "x-symbol" = "L_t", "x-live" = true, "x-slider" = [10, 20_000, "log"]))]
    pub latency_target_us: Option<f64>,
    /// Percentile of the request latency that is compared with the target.
    #[serde(default = "defaults::percentile")]
    #[schemars(title = "Percentile", range(min = 1.0, max = 99.99),
        extend("x-unit" = "%", "x-live" = true, "x-slider" = [50, 99.9, "linear"], "x-transports" = ["qtcp", "qrdma"]))]
    pub percentile: f64,
    /// Priority of its packets in every port: a port sends those of the highest priority first, but does not interrupt the
    /// packet in transmission. 0 is for ordinary traffic; what is above counts as urgent.
    #[serde(default)]
    #[schemars(title = "Priority", range(min = 0, max = 7), extend("x-live" = true, "x-slider" = [0, 7, "linear"]))]
    pub priority: u8,
    /// Gain of the moving average of the marked share: larger follows the marks faster. RFC 8257 takes 1/16.
    #[serde(default = "defaults::gain")]
    #[schemars(title = "Gain", range(min = 0.0001, max = 1.0),
        extend("x-symbol" = "g", "x-live" = true, "x-slider" = [0.01, 1, "log"], "x-transports" = ["qtcp", "dctcp", "d2tcp"]))]
    pub gain: f64,
    /// Weight of the past in the measured throughput or tail latency from which Q is computed (paper 1 eq. 1 and 2).
    #[serde(default = "defaults::rate_smoothing")]
    #[schemars(title = "Rate smoothing", range(min = 0.0, max = 0.999),
        extend("x-symbol" = "γ", "x-live" = true, "x-slider" = [0, 0.99, "linear"], "x-transports" = ["qtcp", "qrdma"]))]
    pub rate_smoothing: f64,
    /// Round trips between two updates of the quality factor.
    #[serde(default = "defaults::update_interval_rtts")]
    #[schemars(title = "Q update interval", range(min = 1, max = 1000),
        extend("x-unit" = "RTT", "x-live" = true, "x-slider" = [1, 100, "log"], "x-transports" = ["qtcp", "qrdma"]))]
    pub update_interval_rtts: u32,
    /// Parameters of DCQCN, which are also those of the recovery of QRDMA.
    #[serde(default, skip_serializing_if = "Dcqcn::is_default")]
    #[schemars(title = "DCQCN", extend("x-transports" = ["dcqcn", "qrdma"]))]
    pub dcqcn: Dcqcn,
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
        extend("x-unit" = "us", "x-symbol" = "RTT", "x-live" = true, "x-slider" = [10, 2000, "log"]))]
    pub base_rtt_us: Option<f64>,
}

/// Congestion control of a connection.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum TransportKind {
    /// QTCP in throughput mode: DCTCP whose cut also follows the quality factor (paper 1 eq. 5, paper 2 eq. 7).
    #[default]
    #[schemars(title = "QTCP")]
    Qtcp,
    /// Data Center TCP (RFC 8257): the cut follows the share of marked packets. Blind to classes.
    #[schemars(title = "DCTCP")]
    Dctcp,
    /// Deadline-aware DCTCP: the cut is gentler the closer a transfer is to missing its deadline (SIGCOMM 2012).
    #[schemars(title = "D2TCP")]
    D2tcp,
    /// Rates for RDMA that fall with congestion notifications and recover in three phases (SIGCOMM 2015).
    #[schemars(title = "DCQCN")]
    Dcqcn,
    /// DCQCN whose cut also follows the quality factor (paper 1 eq. 6).
    #[schemars(title = "QRDMA")]
    Qrdma,
    /// Rates for RDMA that follow the gradient of the round trip (SIGCOMM 2015).
    #[schemars(title = "TIMELY")]
    Timely,
}

impl TransportKind {
    /// Whether packets are paced at a rate, over RDMA, instead of being let out by a window.
    pub fn is_rate_based(self) -> bool {
        matches!(self, Self::Dcqcn | Self::Qrdma | Self::Timely)
    }

    /// Whether the class follows a quality factor.
    pub fn follows_quality(self) -> bool {
        matches!(self, Self::Qtcp | Self::Qrdma)
    }
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

/// Parameters of DCQCN. A field left empty takes the value of the set.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct Dcqcn {
    /// Published parameters to start from.
    #[schemars(title = "DCQCN preset", extend("x-live" = true))]
    pub set: DcqcnSet,
    /// Gain of the moving average of notifications.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(title = "Gain", range(min = 0.00001, max = 1.0),
        extend("x-symbol" = "g", "x-live" = true, "x-slider" = [0.001, 0.5, "log"]))]
    pub gain: Option<f64>,
    /// Least time between two notifications of one connection, and so between two cuts.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(title = "CNP interval", range(min = 0.1, max = 100_000.0),
        extend("x-unit" = "us", "x-symbol" = "N", "x-live" = true, "x-slider" = [1, 200, "log"]))]
    pub cnp_interval_us: Option<f64>,
    /// Time without a notification after which α falls.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(title = "α timer", range(min = 0.1, max = 100_000.0),
        extend("x-unit" = "us", "x-live" = true, "x-slider" = [1, 200, "log"]))]
    pub alpha_timer_us: Option<f64>,
    /// Time between two steps of recovery.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(title = "Increase timer", range(min = 1.0, max = 100_000.0),
        extend("x-unit" = "us", "x-symbol" = "T", "x-live" = true, "x-slider" = [10, 2000, "log"]))]
    pub increase_timer_us: Option<f64>,
    /// Bytes sent between two steps of recovery. A billion or more: by the timer alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(title = "Byte counter", range(min = 1000, max = 1_000_000_000_000_u64),
        extend("x-unit" = "bytes", "x-symbol" = "B", "x-live" = true, "x-slider" = [100_000, 1_000_000_000, "log"]))]
    pub byte_counter_bytes: Option<u64>,
    /// Steps of fast recovery before the target rate is raised.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(title = "Fast recovery steps", range(min = 1, max = 100),
        extend("x-symbol" = "F", "x-live" = true, "x-slider" = [1, 10, "linear"]))]
    pub fast_recovery_steps: Option<u32>,
    /// Step of the target rate in additive increase.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(title = "Additive increase", range(min = 0.01, max = 100_000.0),
        extend("x-unit" = "Mb/s", "x-symbol" = "R_AI", "x-live" = true, "x-slider" = [1, 1000, "log"]))]
    pub additive_increase_mbps: Option<f64>,
    /// Step of the target rate in hyper increase.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(title = "Hyper increase", range(min = 0.01, max = 1_000_000.0),
        extend("x-unit" = "Mb/s", "x-symbol" = "R_HAI", "x-live" = true, "x-slider" = [10, 10_000, "log"]))]
    pub hyper_increase_mbps: Option<f64>,
    /// Floor of the rate.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(title = "Minimum rate", range(min = 0.1, max = 1_000_000.0),
        extend("x-unit" = "Mb/s", "x-live" = true, "x-slider" = [1, 1000, "log"]))]
    pub least_rate_mbps: Option<f64>,
    /// Every cut takes the rate before it as the new target, also when no step of recovery lies between two cuts.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(title = "Clamp target", extend("x-live" = true))]
    pub clamp_target: Option<bool>,
}

/// Published sets of parameters of DCQCN. Rates scale with the link where the source has them do so.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum DcqcnSet {
    /// As deployed by its authors (SIGCOMM 2015).
    #[default]
    #[schemars(title = "SIGCOMM 2015")]
    Sigcomm15,
    /// Defaults of a widespread network card.
    #[schemars(title = "Network card")]
    Vendor,
    /// Defaults of the simulator of HPCC (SIGCOMM 2019), which has no notification packets: acknowledgements carry the mark,
    /// and the sender looks at them once per interval.
    #[schemars(title = "HPCC simulator")]
    Hpcc,
}

impl Dcqcn {
    fn is_default(&self) -> bool {
        *self == Self::default()
    }
}

/// Parameters of TIMELY (SIGCOMM 2015).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct Timely {
    /// Weight of the latest difference between round trips.
    #[schemars(title = "Gradient gain", range(min = 0.001, max = 1.0),
        extend("x-symbol" = "a", "x-live" = true, "x-slider" = [0.01, 1, "log"]))]
    pub gain: f64,
    /// Strength of the cut. Empty: 0.8, or 0.008 with the patch, as published.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(title = "Cut", range(min = 0.0001, max = 1.0),
        extend("x-symbol" = "β", "x-live" = true, "x-slider" = [0.001, 1, "log"]))]
    pub beta: Option<f64>,
    /// Step of additive increase.
    #[schemars(title = "Additive increase", range(min = 0.01, max = 100_000.0),
        extend("x-unit" = "Mb/s", "x-symbol" = "δ", "x-live" = true, "x-slider" = [1, 1000, "log"]))]
    pub additive_increase_mbps: f64,
    /// Below this round trip the rate always grows.
    #[schemars(title = "Low threshold", range(min = 0.1, max = 1_000_000.0),
        extend("x-unit" = "us", "x-symbol" = "T_low", "x-live" = true, "x-slider" = [5, 500, "log"]))]
    pub low_us: f64,
    /// Above this round trip the rate always falls.
    #[schemars(title = "High threshold", range(min = 0.1, max = 1_000_000.0),
        extend("x-unit" = "us", "x-symbol" = "T_high", "x-live" = true, "x-slider" = [50, 5000, "log"]))]
    pub high_us: f64,
    /// Round trip by which the gradient is divided. Empty: that of the class with empty queues.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(title = "Minimum RTT", range(min = 0.1, max = 1_000_000.0), extend("x-unit" = "us", "x-live" = true))]
    pub least_rtt_us: Option<f64>,
    /// Floor of the rate.
    #[schemars(title = "Minimum rate", range(min = 0.1, max = 1_000_000.0),
        extend("x-unit" = "Mb/s", "x-live" = true, "x-slider" = [1, 1000, "log"]))]
    pub least_rate_mbps: f64,
    /// With the published patch (CoNEXT 2016), which gives the rates a single point to settle at: the cut follows the
    /// distance from a reference round trip, weighted by the gradient.
    #[schemars(title = "Patched", extend("x-live" = true))]
    pub patched: bool,
}

impl Timely {
    fn is_default(&self) -> bool {
        *self == Self::default()
    }
}

/// Dynamic initial rates (paper 3): a new transfer starts at the lowest rate known for its destination.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct Dirs {
    /// Off: a new transfer starts at the rate of the link.
    #[schemars(title = "Dynamic initial rate", extend("x-live" = true))]
    pub enabled: bool,
    /// Late notifications within this time of the last one that counted are discarded.
    #[schemars(title = "Late CNP interval", range(min = 0.1, max = 100_000.0),
        extend("x-unit" = "us", "x-symbol" = "Δ", "x-live" = true, "x-slider" = [1, 500, "log"]))]
    pub late_interval_us: f64,
    /// Time between two steps of recovery of the virtual flow. Empty: the increase timer of DCQCN.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(title = "Recovery timer", range(min = 1.0, max = 1_000_000.0), extend("x-unit" = "us", "x-live" = true))]
    pub recovery_us: Option<f64>,
    /// Time without a late notification after which the virtual flow is back at the rate of the link. Empty: five times
    /// the recovery timer.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(title = "Reset timer", range(min = 1.0, max = 10_000_000.0), extend("x-unit" = "us", "x-live" = true))]
    pub reset_us: Option<f64>,
    /// Time between two records of the periodical lowest rate.
    #[schemars(title = "Period", range(min = 1.0, max = 1_000_000.0),
        extend("x-unit" = "us", "x-symbol" = "T_w", "x-live" = true, "x-slider" = [10, 2000, "log"]))]
    pub period_us: f64,
}

impl Dirs {
    fn is_default(&self) -> bool {
        *self == Self::default()
    }
}

/// Traffic of one class between some hosts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Workload {
    /// Name of the class the traffic belongs to.
    #[schemars(title = "Class")]
    pub class: String,
    /// Which hosts send to which.
    #[schemars(title = "Endpoints")]
    pub endpoints: Endpoints,
    /// Connections between each pair of hosts. With a flow for each request: how many can be under way at once; further
    /// requests wait.
    #[serde(default = "defaults::connections")]
    #[schemars(title = "Connections per pair", range(min = 1, max = 1024))]
    pub connections: u32,
    /// Whether requests follow each other on lasting connections or each begins as a new flow.
    #[serde(default)]
    #[schemars(title = "Flows")]
    pub flows: Flows,
    /// When requests begin to arrive.
    #[serde(default)]
    #[schemars(title = "Start", range(min = 0.0, max = 200_000_000.0), extend("x-unit" = "us"))]
    pub start_us: f64,
    /// When requests cease to arrive. Empty: at the end of the run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(title = "Stop", range(min = 0.0, max = 200_000_000.0), extend("x-unit" = "us", "x-live" = true))]
    pub stop_us: Option<f64>,
    /// Time between the starts of one connection of this workload and the next.
    #[serde(default)]
    #[schemars(title = "Start gap", range(min = 0.0, max = 10_000_000.0), extend("x-unit" = "us"))]
    pub start_gap_us: f64,
    /// How requests arrive and how large they are.
    #[schemars(title = "Traffic")]
    pub traffic: Traffic,
}

/// Which hosts send to which, by host number.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "kebab-case", rename_all_fields = "camelCase", deny_unknown_fields)]
pub enum Endpoints {
    /// The first source sends to the first destination, and so on. A list of one host is paired with every host of the
    /// other list.
    #[schemars(title = "Pairs")]
    Pairs {
        /// Sending hosts.
        #[schemars(title = "Sources", length(min = 1, max = 65536))]
        sources: Vec<u32>,
        /// Receiving hosts.
        #[schemars(title = "Destinations", length(min = 1, max = 65536))]
        destinations: Vec<u32>,
    },
    /// Every host sends to one other host and receives from one other host, drawn from the seed.
    #[schemars(title = "Permutation")]
    Permutation {},
    /// Many hosts, drawn from the seed, send to one.
    #[schemars(title = "Incast")]
    Incast {
        /// Receiving host.
        #[schemars(title = "Destination", range(min = 0, max = 65535))]
        destination: u32,
        /// Number of sending hosts.
        #[schemars(title = "Senders", range(min = 1, max = 65535))]
        senders: u32,
    },
    /// Pairs of different hosts drawn from the seed, as for small transfers anywhere in the network that suffer from the
    /// congestion of others (victims).
    #[schemars(title = "Random pairs")]
    Random {
        /// Number of pairs.
        #[schemars(title = "Pairs", range(min = 1, max = 65535))]
        pairs: u32,
    },
}

/// How requests map to flows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Flows {
    /// Requests follow each other on connections that last: one waits for those before it.
    #[default]
    #[schemars(title = "Persistent")]
    Lasting,
    /// Every request begins as a new flow, with nothing learnt from earlier ones.
    #[schemars(title = "Per request")]
    PerRequest,
}

/// How requests arrive and how large they are.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "kebab-case", rename_all_fields = "camelCase", deny_unknown_fields)]
pub enum Traffic {
    /// Requests arrive by themselves, whether or not earlier ones are done.
    #[schemars(title = "Open loop")]
    OpenLoop {
        /// Payload that arrives per second over all connections of the workload.
        #[schemars(title = "Offered", range(min = 0.000_001, max = 10_000.0),
            extend("x-unit" = "Gb/s", "x-live" = true, "x-slider" = [1, 100, "linear"]))]
        offered_gbps: f64,
        /// Distribution of the time between two requests of a connection.
        #[serde(default)]
        #[schemars(title = "Inter-arrival times", extend("x-live" = true))]
        gaps: Gaps,
        /// Requests after which the workload ends, over all its connections. Empty: no end.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[schemars(title = "Requests", range(min = 1, max = 1_000_000_000_u64))]
        requests: Option<u64>,
        /// Distribution of request sizes.
        #[schemars(title = "Size")]
        size: Size,
    },
    /// Each connection always has more to send.
    #[schemars(title = "Backlogged")]
    Backlogged {},
    /// Each connection keeps a number of requests outstanding.
    #[schemars(title = "Closed loop")]
    ClosedLoop {
        /// Requests outstanding on each connection.
        #[schemars(title = "Outstanding", range(min = 1, max = 65_536), extend("x-unit" = "requests"))]
        outstanding: u32,
        /// Requests after which a connection ends. Empty: no end.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[schemars(title = "Requests", range(min = 1, max = 1_000_000_000_u64))]
        requests: Option<u64>,
        /// Mean pause between the acknowledgement of a request and the request that takes its place.
        #[serde(default)]
        #[schemars(title = "Think time", range(min = 0.0, max = 10_000_000.0),
            extend("x-unit" = "us", "x-symbol" = "Z", "x-live" = true, "x-slider" = [0, 20_000, "linear"]))]
        think_time_us: f64,
        /// Distribution of that pause.
        #[serde(default)]
        #[schemars(title = "Think time distribution", extend("x-live" = true))]
        think_time_distribution: Gaps,
        /// Distribution of request sizes.
        #[schemars(title = "Size")]
        size: Size,
    },
}

/// Distribution of the time between two requests.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Gaps {
    /// Memoryless arrivals (a Poisson process).
    #[default]
    #[schemars(title = "Exponential")]
    Exponential,
    /// Always the mean.
    #[schemars(title = "Constant")]
    Constant,
    /// Between nothing and twice the mean, all equally likely.
    #[schemars(title = "Uniform")]
    Uniform,
}

/// Distribution of request sizes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "kebab-case", rename_all_fields = "camelCase", deny_unknown_fields)]
pub enum Size {
    /// Every request has the same size.
    #[schemars(title = "Fixed")]
    Fixed {
        /// Bytes of payload.
        #[schemars(title = "Bytes", range(min = 1, max = 1_000_000_000_000_u64), extend("x-unit" = "bytes"))]
        bytes: u64,
    },
    /// Whole blocks, every number of blocks in the range equally likely.
    #[schemars(title = "Uniform")]
    Uniform {
        /// Fewest blocks.
        #[schemars(title = "From", range(min = 1, max = 1_000_000_000), extend("x-unit" = "blocks"))]
        minimum_blocks: u64,
        /// Most blocks.
        #[schemars(title = "To", range(min = 1, max = 1_000_000_000), extend("x-unit" = "blocks"))]
        maximum_blocks: u64,
        /// Bytes in a block: 4096 for storage, 1 for any size.
        #[serde(default = "defaults::block_bytes")]
        #[schemars(title = "Block", range(min = 1, max = 1_000_000), extend("x-unit" = "bytes"))]
        block_bytes: u64,
    },
    /// A published distribution.
    #[schemars(title = "Published")]
    Published {
        /// Which.
        #[schemars(title = "Distribution")]
        distribution: Distribution,
        /// Every size is multiplied by this.
        #[serde(default = "defaults::scale")]
        #[schemars(title = "Scale", range(min = 0.000_001, max = 1000.0))]
        scale: f64,
    },
    /// Exponential: many small requests, few large ones.
    #[schemars(title = "Exponential")]
    Exponential {
        /// Mean size.
        #[schemars(title = "Mean", range(min = 1.0, max = 1_000_000_000_000.0), extend("x-unit" = "bytes"))]
        mean_bytes: f64,
    },
    /// Some sizes, all equally likely.
    #[schemars(title = "Choice")]
    Choice {
        /// The sizes, in bytes.
        #[schemars(title = "Sizes", length(min = 1, max = 1000))]
        bytes: Vec<u64>,
    },
    /// Measured distribution: sizes and the share of requests not larger, straight lines between the points.
    #[schemars(title = "Empirical")]
    Empirical {
        /// Pairs of bytes and per cent, both growing, the last at 100 %.
        #[schemars(title = "Points", length(min = 2, max = 1000))]
        points: Vec<(f64, f64)>,
    },
}

/// Published distributions of transfer sizes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Distribution {
    /// Web search, of the DCTCP paper. Mean 1.7 MB.
    #[schemars(title = "Web search")]
    WebSearch,
    /// Data mining, of the VL2 paper. Mean 12.7 MB.
    #[schemars(title = "Data mining")]
    DataMining,
    /// Alibaba's storage traffic of 2019, of the simulator of HPCC. Mean 41 KB.
    #[schemars(title = "Alibaba storage 2019")]
    AliStorage2019,
    /// Facebook's Hadoop cluster. Mean 120 KB.
    #[schemars(title = "Facebook Hadoop")]
    FbHadoop,
    /// Storage writes made after the two figures that paper 3 gives of the Tencent trace: 51 % below 124 KB, 89 % below
    /// 457 KB.
    #[schemars(title = "Tencent-like")]
    TencentLike,
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

/// What is measured, and over which part of the run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct Measurement {
    /// Time left out of throughputs, latencies and queue figures at the start. Empty: a fifth of the run.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(title = "Warm-up", range(min = 0.0, max = 200_000_000.0), extend("x-unit" = "us"))]
    pub warmup_us: Option<f64>,
    /// Time between two samples of the series. Empty: chosen so that a run has about a thousand.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(title = "Sample period", range(min = 0.1, max = 10_000_000.0), extend("x-unit" = "us"))]
    pub sample_period_us: Option<f64>,
    /// A class has converged when the mean of its quality factor lies this close to 1.
    #[schemars(title = "Convergence band", range(min = 0.001, max = 0.5))]
    pub convergence_band: f64,
    /// Round trips over which that mean is taken.
    #[schemars(title = "Convergence time", range(min = 1, max = 1000), extend("x-unit" = "RTT"))]
    pub convergence_rtts: u32,
}

impl Default for Switch {
    fn default() -> Self {
        Self {
            marking: Marking::Step,
            ecn_threshold_packets: 140,
            red_maximum_packets: 400,
            red_maximum_probability: 0.1,
            marking_point: MarkingPoint::Arrival,
            buffering: Buffering::PerPort,
            buffer_packets: 4000,
            buffer_bytes: None,
            urgent_reserve_packets: 0,
            shared_buffer_bytes: 12 << 20,
            threshold: Threshold::Dynamic,
            threshold_alpha: 0.125,
            xoff_bytes: 100_000,
            xon_offset_bytes: 3072,
            guaranteed_bytes: 4096,
            headroom_bytes: None,
        }
    }
}

impl Default for Host {
    fn default() -> Self {
        Self {
            mtu_bytes: 1500,
            header_bytes: 52,
            initial_window_packets: 10,
            maximum_window_packets: 11_000,
            minimum_window_packets: 2,
            minimum_rto_us: 10_000.0,
            delayed_ack_packets: 2,
            delayed_ack_timeout_us: 1000.0,
            start_jitter_us: None,
            queue_packets: 16,
            ack_priority: AckPriority::default(),
        }
    }
}

impl Default for Qos {
    fn default() -> Self {
        Self {
            capacity_gbps: None,
            growth_slot: GrowthSlot::OwnRtt,
            mark_in_deficit: MarkInDeficit::Cut,
            adapt_to_interference: false,
            interference_tolerance: 0.05,
            interference_interval_rtts: 10,
        }
    }
}

impl Default for Timely {
    fn default() -> Self {
        Self {
            gain: 0.875,
            beta: None,
            additive_increase_mbps: 10.0,
            low_us: 50.0,
            high_us: 500.0,
            least_rtt_us: None,
            least_rate_mbps: 100.0,
            patched: false,
        }
    }
}

impl Default for Dirs {
    fn default() -> Self {
        Self { enabled: false, late_interval_us: 50.0, recovery_us: None, reset_us: None, period_us: 100.0 }
    }
}

impl Default for Measurement {
    fn default() -> Self {
        Self { warmup_us: None, sample_period_us: None, convergence_band: 0.05, convergence_rtts: 20 }
    }
}

/// Values of fields that a document leaves out.
mod defaults {
    pub fn seed() -> u64 {
        42
    }
    pub fn link_gbps() -> f64 {
        100.0
    }
    pub fn link_delay_us() -> f64 {
        1.0
    }
    pub fn frame_overhead_bytes() -> u32 {
        2
    }
    pub fn dumbbell_switches() -> u32 {
        2
    }
    pub fn ratio() -> f64 {
        1.0
    }
    pub fn percentile() -> f64 {
        90.0
    }
    pub fn scale() -> f64 {
        1.0
    }
    pub fn gain() -> f64 {
        0.0625
    }
    pub fn rate_smoothing() -> f64 {
        0.5
    }
    pub fn update_interval_rtts() -> u32 {
        1
    }
    pub fn connections() -> u32 {
        1
    }
    pub fn block_bytes() -> u64 {
        4096
    }
}
