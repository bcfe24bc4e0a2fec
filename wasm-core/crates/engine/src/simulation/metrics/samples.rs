//! Metrics that are sampled over time: of the network, of every class, of the first connections.

use super::{Average, Chart, Metric, PLAIN, Quantity, Requires};
use crate::kernel::time::{gbps, to_us};
use crate::network::link::QueueRange;
use crate::simulation::record::{ConnectionState, PortReading, mean_of_known};

/// What the network did between two samples.
pub struct NetworkSample {
    /// The instant of the sample.
    pub at_ps: u64,
    /// Time since the last one.
    pub elapsed_ps: u64,
    /// Shortest and longest queue of the bottleneck port.
    pub queue: QueueRange,
    /// The bottleneck port at the last sample.
    pub before: PortReading,
    /// The bottleneck port now.
    pub port: PortReading,
    /// Pause frames sent by all switches.
    pub pauses: u64,
    /// Time that links were held by a pause, over all links.
    pub paused_ps: u64,
}

/// What a class did between two samples.
pub struct ClassSample<'a> {
    /// Time since the last sample.
    pub elapsed_ps: u64,
    /// Payload delivered.
    pub delivered_bytes: u64,
    /// Payload handed over by applications.
    pub offered_bytes: u128,
    /// What the class should carry now, in bits per second.
    pub target_bps: f64,
    /// Q now.
    pub quality: Option<f64>,
    /// The state of its connections, but those of a pool that are idle.
    pub connections: &'a [ConnectionState],
    /// Reports of congestion that its connections received.
    pub notifications: u64,
    /// Requests completed.
    pub requests: u64,
    /// Of them, those that took longer than the target; none where the class has none.
    pub late: Option<u64>,
}

impl ClassSample<'_> {
    /// Mean over the connections that know a number.
    fn mean(&self, number: impl Fn(&ConnectionState) -> f64) -> f64 {
        mean_of_known(self.connections.iter().map(number))
    }
}

/// What a connection did between two samples.
pub struct ConnectionSample {
    /// Time since the last sample.
    pub elapsed_ps: u64,
    /// Payload delivered.
    pub delivered_bytes: u64,
    /// Its state now.
    pub state: ConnectionState,
    /// Q as the connection knows it.
    pub quality: Option<f64>,
    /// Reports of congestion that it received.
    pub notifications: u64,
}

impl ConnectionSample {
    /// A number that only a connection with something to send has.
    fn while_active(&self, number: f64) -> f64 {
        if self.state.active { number } else { f64::NAN }
    }
}

/// Reads a number of the network.
pub type OfNetwork = fn(&NetworkSample) -> f64;
/// Reads a number of a class.
pub type OfClass = fn(&ClassSample<'_>) -> f64;
/// Reads a number of a connection.
pub type OfConnection = fn(&ConnectionSample) -> f64;

/// Metrics of the network: of the bottleneck port, but for the last two, which are of all links.
pub const NETWORK: [Metric<OfNetwork>; 8] = [
    Metric { quantity: &TIME, read: |sample| to_us(sample.at_ps) },
    Metric { quantity: &QUEUE_MINIMUM, read: |sample| f64::from(sample.queue.minimum) },
    Metric { quantity: &QUEUE_MAXIMUM, read: |sample| f64::from(sample.queue.maximum) },
    Metric {
        quantity: &QUEUE_MEAN,
        read: |sample| (sample.port.sojourned_ps - sample.before.sojourned_ps) as f64 / sample.elapsed_ps as f64,
    },
    Metric {
        quantity: &MARKED_FRACTION,
        read: |NetworkSample { port, before, .. }| {
            let decisions = port.counters.mark_decisions - before.counters.mark_decisions;
            share(port.counters.marks - before.counters.marks, decisions)
        },
    },
    Metric {
        quantity: &UTILISATION,
        read: |sample| share(sample.port.busy_ps - sample.before.busy_ps, sample.elapsed_ps),
    },
    Metric { quantity: &PAUSE_FRAMES, read: |sample| sample.pauses as f64 },
    Metric { quantity: &PAUSED_LINKS, read: |sample| share(sample.paused_ps, sample.elapsed_ps) },
];

/// Metrics of a class. Rate, window and α are means over its connections.
pub const CLASS: [Metric<OfClass>; 11] = [
    Metric { quantity: &GOODPUT, read: |sample| gbps(sample.delivered_bytes, sample.elapsed_ps) },
    Metric { quantity: &OFFERED, read: |sample| gbps(sample.offered_bytes, sample.elapsed_ps) },
    Metric { quantity: &TARGET, read: |sample| sample.target_bps / 1e9 },
    Metric { quantity: &QUALITY_FACTOR, read: |sample| sample.quality.unwrap_or(f64::NAN) },
    Metric { quantity: &ALPHA, read: |sample| sample.mean(|state| state.alpha) },
    Metric { quantity: &WINDOW, read: |sample| sample.mean(|state| state.window_packets) },
    Metric { quantity: &RTT, read: |sample| sample.mean(rtt_us) },
    Metric { quantity: &RATE, read: |sample| sample.mean(|state| state.rate_bps) / 1e9 },
    Metric { quantity: &NOTIFICATIONS, read: |sample| sample.notifications as f64 },
    Metric {
        quantity: &MISSED_FRACTION,
        read: |sample| sample.late.map_or(f64::NAN, |late| share(late, sample.requests)),
    },
    Metric { quantity: &REQUESTS, read: |sample| sample.requests as f64 },
];

/// Metrics of a connection.
pub const CONNECTION: [Metric<OfConnection>; 7] = [
    Metric { quantity: &GOODPUT, read: |sample| gbps(sample.delivered_bytes, sample.elapsed_ps) },
    Metric { quantity: &RATE, read: |sample| sample.while_active(sample.state.rate_bps / 1e9) },
    Metric { quantity: &WINDOW, read: |sample| sample.while_active(sample.state.window_packets) },
    Metric { quantity: &ALPHA, read: |sample| sample.while_active(sample.state.alpha) },
    Metric { quantity: &RTT, read: |sample| rtt_us(&sample.state) },
    Metric { quantity: &QUALITY_FACTOR, read: |sample| sample.quality.unwrap_or(f64::NAN) },
    Metric { quantity: &NOTIFICATIONS, read: |sample| sample.notifications as f64 },
];

fn share(part: u64, whole: u64) -> f64 {
    part as f64 / whole as f64
}

/// Smoothed round trip of a connection that has measured one.
fn rtt_us(state: &ConnectionState) -> f64 {
    if state.rtt_ps > 0 { to_us(state.rtt_ps) } else { f64::NAN }
}

const TIME: Quantity =
    Quantity { id: "timeUs", title: "Time", unit: "us", sentence: "Simulated time at the end of the sample.", ..PLAIN };
const QUEUE_MINIMUM: Quantity = Quantity {
    id: "queueMinimum",
    title: "Shortest queue",
    unit: "packets",
    sentence: "Fewest packets in the bottleneck port, the one in transmission included.",
    average: Average::Least,
    ..PLAIN
};
pub const QUEUE_MAXIMUM: Quantity = Quantity {
    id: "queueMaximum",
    title: "Longest queue",
    unit: "packets",
    sentence: "Most packets in the bottleneck port, the one in transmission included.",
    average: Average::Greatest,
    ..PLAIN
};
const QUEUE_MEAN: Quantity = Quantity {
    id: "queueMean",
    title: "Mean queue",
    unit: "packets",
    sentence: "Packets in the bottleneck port, weighted by time: what they spent there together over the time (Little's law).",
    average: Average::Mean,
    ..PLAIN
};
const MARKED_FRACTION: Quantity = Quantity {
    id: "markedFraction",
    title: "Marked share at the bottleneck",
    sentence: "Share of the packets at the bottleneck port that could be marked and were.",
    average: Average::Mean,
    ..PLAIN
};
pub const UTILISATION: Quantity = Quantity {
    id: "utilisation",
    title: "Utilisation",
    sentence: "Share of the time in which the bottleneck port transmits.",
    average: Average::Mean,
    ..PLAIN
};
const PAUSE_FRAMES: Quantity = Quantity {
    id: "pauseFrames",
    title: "Pause frames",
    unit: "per sample",
    sentence: "Pause frames (PFC) that all switches together sent.",
    average: Average::Sum,
    chart: Some(Chart { least: 4.0, legend: "sent by all switches, per sample" }),
    requires: Requires::Pauses,
    ..PLAIN
};
const PAUSED_LINKS: Quantity = Quantity {
    id: "pausedLinks",
    title: "Paused links",
    unit: "links",
    sentence: "Links whose sender is held by a pause, weighted by time.",
    average: Average::Mean,
    chart: Some(Chart { least: 1.0, legend: "mean over a sample" }),
    requires: Requires::Pauses,
    ..PLAIN
};

pub(in crate::simulation) const QUALITY_FACTOR: Quantity = Quantity {
    id: "qualityFactor",
    title: "Quality factor",
    symbol: "Q",
    sentence: "What a class should get over what it gets: its target over its throughput, or its tail latency over its latency \
               target (paper 1 eq. 1 and 2).",
    average: Average::Mean,
    chart: Some(Chart { least: 2.0, legend: "target ÷ achieved" }),
    ..PLAIN
};
pub(super) const RATE: Quantity = Quantity {
    id: "rateGbps",
    title: "Sending rate",
    unit: "Gb/s",
    sentence: "Rate of a connection: the one it is paced at, or one window per round trip. Of a class the mean over its connections.",
    average: Average::Mean,
    chart: Some(Chart { least: 1.0, legend: "Gb/s of a connection" }),
    ..PLAIN
};
pub(in crate::simulation) const GOODPUT: Quantity = Quantity {
    id: "goodputGbps",
    title: "Goodput",
    unit: "Gb/s",
    sentence: "Payload delivered to applications.",
    average: Average::Mean,
    chart: Some(Chart { least: 1.0, legend: "Gb/s of payload" }),
    ..PLAIN
};
pub(super) const OFFERED: Quantity = Quantity {
    id: "offeredGbps",
    title: "Offered",
    unit: "Gb/s",
    sentence: "Payload that applications hand over.",
    average: Average::Mean,
    ..PLAIN
};
pub(in crate::simulation) const TARGET: Quantity = Quantity {
    id: "targetGbps",
    title: "Target",
    unit: "Gb/s",
    sentence: "What a class should carry: its weighted max-min share of the bottleneck, no more than it asks for.",
    average: Average::Mean,
    ..PLAIN
};
pub(super) const WINDOW: Quantity = Quantity {
    id: "windowPackets",
    title: "Window",
    symbol: "w",
    unit: "packets",
    sentence: "Congestion window of a connection. Of a class the mean over its connections.",
    average: Average::Mean,
    chart: Some(Chart { least: 10.0, legend: "packets of a connection" }),
    requires: Requires::Window,
};
pub(super) const ALPHA: Quantity = Quantity {
    id: "alpha",
    title: "Marked share",
    symbol: "α",
    sentence: "Moving average of marks or notifications that a connection keeps, and its cuts follow. Of a class the mean over its \
               connections.",
    average: Average::Mean,
    chart: Some(Chart { least: 0.01, legend: "moving average of a connection" }),
    requires: Requires::MarkedShare,
    ..PLAIN
};
pub(super) const RTT: Quantity = Quantity {
    id: "rttUs",
    title: "RTT",
    unit: "us",
    sentence: "Smoothed round trip of a connection. Of a class the mean over its connections.",
    average: Average::Mean,
    chart: Some(Chart { least: 10.0, legend: "µs" }),
    ..PLAIN
};
pub(super) const NOTIFICATIONS: Quantity = Quantity {
    id: "notifications",
    title: "Congestion notifications",
    symbol: "",
    unit: "per sample",
    sentence: "Reports of congestion that senders received: notification packets (CNPs), or marked acknowledgements.",
    average: Average::Sum,
    chart: Some(Chart { least: 4.0, legend: "CNPs or marked acknowledgements, per sample" }),
    requires: Requires::Marks,
};
pub(super) const MISSED_FRACTION: Quantity = Quantity {
    id: "missedFraction",
    title: "Deadlines missed",
    sentence: "Share of the completed requests that took longer than the latency target.",
    average: Average::ByRequests,
    ..PLAIN
};
const REQUESTS: Quantity = Quantity {
    id: "requests",
    title: "Requests",
    unit: "per sample",
    sentence: "Requests completed.",
    average: Average::Sum,
    ..PLAIN
};
