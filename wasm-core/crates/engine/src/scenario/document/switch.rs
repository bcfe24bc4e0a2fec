//! Queues and marking of every switch port.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Class, Scenario};

/// Queues and marking of every switch port.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct Switch {
    /// How a port decides to mark a packet with congestion experienced (CE) when it joins the queue.
    #[schemars(title = "Marking", extend("x-live" = true), extend("x-source" = "DCTCP (SIGCOMM 2010); RFC 8257."))]
    pub marking: Marking,
    /// A switch marks every packet that finds at least this many packets in the queue. With RED marking: the length at
    /// which marking begins. The packet in transmission counts, so a K of ns-3, which leaves out that one and one in the
    /// device queue, is two less.
    #[schemars(title = "ECN threshold", range(min = 1, max = 100_000),
        extend("x-unit" = "packets", "x-symbol" = "K", "x-live" = true, "x-slider" = [10, 400, "log"]), extend("x-source" = "Papers 1 and 2, evaluation: K = 140."))]
    pub ecn_threshold_packets: u32,
    /// RED marking: from this queue length on every packet is marked.
    #[schemars(title = "RED upper threshold", range(min = 1, max = 100_000),
        extend("x-unit" = "packets", "x-symbol" = "Kmax", "x-live" = true, "x-slider" = [10, 1000, "log"]), extend("x-source" = "HPCC's simulator: 400 kB at 25 Gb/s, packets of 1 kB."))]
    pub red_maximum_packets: u32,
    /// RED marking: probability just below the upper threshold.
    #[schemars(title = "RED probability", range(min = 0.0, max = 1.0),
        extend("x-symbol" = "Pmax", "x-live" = true, "x-slider" = [0, 1, "linear"]), extend("x-source" = "Ours: within the 0.01 to 0.2 of published settings."))]
    pub red_maximum_probability: f64,
    /// Where a queue's length is compared with the thresholds: as a packet joins it, or as one leaves it. On departure the
    /// mark speaks of the queue left behind, and reaches the receiver sooner by the time spent in the queue.
    #[schemars(title = "Marking point", extend("x-live" = true, "x-detail" = true), extend("x-source" = "DCTCP (SIGCOMM 2010): the queue that a packet finds."))]
    pub marking_point: MarkingPoint,
    /// The priority of packets by their DSCP, at every port of hosts and switches: for classes that state a DSCP and no priority
    /// above 0. Code points that are not listed have priority 0. Empty: the DSCP has no effect.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(title = "DSCP map", length(max = 64), extend("x-live" = true, "x-detail" = true), extend("x-source" = "Paper 5: DSCP to priority, set at the port of a switch."))]
    pub dscp_map: Vec<MappedDscp>,
    /// What becomes of packets for which there is no room, and who has how much of it.
    #[schemars(title = "Buffering", extend("x-live" = true), extend("x-source" = "Papers 1 and 2: TCP, no pauses."))]
    pub buffering: Buffering,
    /// Packets a port can hold, the one in transmission included. Further packets are dropped. Used by buffering per port.
    #[schemars(title = "Port buffer", range(min = 1, max = 1_000_000),
        extend("x-unit" = "packets", "x-live" = true, "x-slider" = [20, 10_000, "log"]), extend("x-source" = "Ours: so large that TCP which follows marks loses nothing."))]
    pub buffer_packets: u32,
    /// Bytes a port can hold, as a second limit. Empty: only packets are counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(title = "Port buffer in bytes", range(min = 1500, max = 4_000_000_000_u64),
        extend("x-unit" = "bytes", "x-live" = true, "x-detail" = true))]
    pub buffer_bytes: Option<u64>,
    /// Packets of every port's buffer that only classes with a priority above 0 may use (P in paper 1 section 3.1.3).
    #[schemars(title = "Reserved for urgent", range(min = 0, max = 1_000_000),
        extend("x-unit" = "packets", "x-symbol" = "P", "x-live" = true, "x-detail" = true, "x-slider" = [0, 1000, "linear"]), extend("x-source" = "Paper 1 reserves a part for urgent traffic and gives no size: none unless asked for."))]
    pub urgent_reserve_packets: u32,
    /// Memory that all ports of a switch share. Acknowledgements and control frames are not counted in it.
    #[schemars(title = "Shared buffer", range(min = 10_000, max = 4_000_000_000_u64),
        extend("x-unit" = "bytes", "x-symbol" = "B", "x-live" = true, "x-slider" = [500_000, 64_000_000, "log"]), extend("x-source" = "HPCC's simulator: 12 MiB, as a Trident II has."))]
    pub shared_buffer_bytes: u64,
    /// Share of the free memory that the packets which came in by one port, at one priority, may take. Beyond it the port
    /// pauses the sender of that priority (PFC) or drops.
    #[schemars(title = "Threshold", extend("x-live" = true), extend("x-source" = "HPCC's simulator: a share of what is free."))]
    pub threshold: Threshold,
    /// Dynamic threshold: the multiple of the free memory that one port and priority may take.
    #[schemars(title = "Dynamic threshold", range(min = 0.001, max = 64.0),
        extend("x-symbol" = "α", "x-live" = true, "x-slider" = [0.03125, 8, "log"]), extend("x-source" = "HPCC's simulator: an eighth of what is free."))]
    pub threshold_alpha: f64,
    /// Static threshold: the bytes that one port and priority may take.
    #[schemars(title = "Static threshold", range(min = 1000, max = 1_000_000_000_u64),
        extend("x-unit" = "bytes", "x-symbol" = "XOFF", "x-live" = true, "x-slider" = [10_000, 2_000_000, "log"]), extend("x-source" = "Ours: about a bandwidth-delay product of 100 Gb/s and 8 µs."))]
    pub xoff_bytes: u64,
    /// PFC: how far below the threshold the packets of a port and priority must fall before its sender may go on.
    #[schemars(title = "Hysteresis", range(min = 0, max = 100_000_000_u64),
        extend("x-unit" = "bytes", "x-symbol" = "XOFF − XON", "x-live" = true, "x-detail" = true,
            "x-slider" = [0, 100_000, "linear"]), extend("x-source" = "HPCC's simulator: 3 KiB."))]
    pub xon_offset_bytes: u64,
    /// Memory kept for each port and priority beside the shared part.
    #[schemars(title = "Guaranteed", range(min = 0, max = 10_000_000),
        extend("x-unit" = "bytes", "x-live" = true, "x-detail" = true), extend("x-source" = "HPCC's simulator: 4 KiB for every port and priority."))]
    pub guaranteed_bytes: u64,
    /// PFC: memory kept for each port and priority to take what still arrives after a pause has been sent. Empty: what the
    /// rate and delay of the cable and one full packet at either end require.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(title = "Headroom", range(min = 0, max = 1_000_000_000_000_u64),
        extend("x-unit" = "bytes", "x-symbol" = "H", "x-live" = true, "x-detail" = true))]
    pub headroom_bytes: Option<u64>,
}

impl Default for Switch {
    fn default() -> Self {
        Self {
            marking: Marking::Step,
            ecn_threshold_packets: 140,
            red_maximum_packets: 400,
            red_maximum_probability: 0.1,
            marking_point: MarkingPoint::Arrival,
            dscp_map: Vec::new(),
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

/// The priority that packets of a DSCP have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct MappedDscp {
    /// The code point.
    #[schemars(title = "DSCP", range(min = 0, max = 63))]
    pub dscp: u8,
    /// The priority of its packets.
    #[schemars(title = "Priority", range(min = 0, max = 7))]
    pub priority: u8,
}

impl Scenario {
    /// Priority of the packets of a class: its own, else that of its DSCP.
    pub fn priority_of(&self, class: &Class) -> u8 {
        let is_its = |mapped: &&MappedDscp| Some(mapped.dscp) == class.dscp;
        let mapped = || self.switch.dscp_map.iter().find(is_its).map_or(0, |mapped| mapped.priority);
        if class.priority > 0 { class.priority } else { mapped() }
    }
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
