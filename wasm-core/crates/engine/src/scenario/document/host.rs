//! Network stack of every host.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

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

/// Network stack of every host.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct Host {
    /// Largest IP packet: 1500, or 9000 with jumbo frames.
    #[schemars(title = "MTU", range(min = 256, max = 65_000), extend("x-unit" = "bytes"), extend("x-source" = "RFC 894: Ethernet."))]
    pub mtu_bytes: u32,
    /// Bytes of IP and TCP headers in every packet: 52 with the timestamp option.
    #[schemars(title = "Headers", range(min = 20, max = 200), extend("x-unit" = "bytes"), extend("x-source" = "RFC 791, RFC 9293 and the timestamps of RFC 7323: 20, 20 and 12 bytes."))]
    pub header_bytes: u32,
    /// Congestion window of a new connection.
    #[schemars(title = "Initial window", range(min = 1, max = 1000), extend("x-unit" = "packets"), extend("x-source" = "RFC 6928."))]
    pub initial_window_packets: u32,
    /// Limit of the congestion window (send buffer).
    #[schemars(title = "Maximum window", range(min = 2, max = 1_000_000), extend("x-unit" = "packets"), extend("x-source" = "Ours: 16 MB, a usual limit of send buffers."))]
    pub maximum_window_packets: u32,
    /// Floor of the congestion window after a cut.
    #[schemars(title = "Minimum window", range(min = 1, max = 100), extend("x-unit" = "packets"), extend("x-source" = "Linux: DCTCP keeps two segments."))]
    pub minimum_window_packets: u32,
    /// Floor of the retransmission timeout.
    #[schemars(title = "Minimum RTO", range(min = 100.0, max = 10_000_000.0), extend("x-unit" = "us", "x-symbol" = "RTOmin"), extend("x-source" = "DCTCP (SIGCOMM 2010): 10 ms in its experiments."))]
    pub minimum_rto_us: f64,
    /// Packets a receiver waits for before it acknowledges.
    #[schemars(title = "Delayed acknowledgement", range(min = 1, max = 64), extend("x-unit" = "packets"), extend("x-source" = "RFC 9293, section 3.8.6.3: every second segment."))]
    pub delayed_ack_packets: u32,
    /// Longest time a receiver holds an acknowledgement back.
    #[schemars(title = "Acknowledgement timeout", range(min = 1.0, max = 1_000_000.0), extend("x-unit" = "us"), extend("x-source" = "Ours: a tenth of the minimum RTO."))]
    pub delayed_ack_timeout_us: f64,
    /// Longest delay of the start of a connection's application. Each draws its own between nothing and this from the seed:
    /// real hosts do not start at the same picosecond, and those that do keep step ever after. Empty: the time of ten full
    /// packets on the host's own link. 0: all start exactly when the workload says.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(title = "Start jitter", range(min = 0.0, max = 1_000_000.0), extend("x-unit" = "us"))]
    pub start_jitter_us: Option<f64>,
    /// Data packets over TCP that may wait in the host's own port. The rest waits in the connections, as all that RDMA paces
    /// does but the next packet.
    #[schemars(title = "NIC queue limit", range(min = 2, max = 10_000), extend("x-unit" = "packets"), extend("x-source" = "Ours: short, as byte queue limits of Linux keep it."))]
    pub queue_packets: u32,
    /// Where acknowledgements stand in that port: before data, or in order with it.
    #[schemars(title = "Acknowledgement priority", extend("x-source" = "HPCC's simulator: acknowledgements go first."))]
    pub ack_priority: AckPriority,
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
