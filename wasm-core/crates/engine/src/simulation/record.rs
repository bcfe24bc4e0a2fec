//! Readings of a run at an instant, from which samples, summaries and views are computed.

use crate::network::link::PortCounters;
use crate::network::port::Port;

/// Readings of the bottleneck port at an instant, to be compared with later ones.
#[derive(Clone, Copy, Debug, Default)]
pub struct PortReading {
    /// Packets, marks and drops so far.
    pub counters: PortCounters,
    /// Time the port has transmitted.
    pub busy_ps: u64,
    /// Time all packets together have spent in the port.
    pub sojourned_ps: u128,
}

impl PortReading {
    /// Reads a port.
    pub fn of(port: Port, now_ps: u64) -> Self {
        Self { counters: port.counters(), busy_ps: port.busy_ps(now_ps), sojourned_ps: port.sojourned_ps(now_ps) }
    }
}

/// Data packets sent.
#[derive(Clone, Copy, Debug, Default)]
pub struct SentPackets {
    /// All of them.
    pub all: u64,
    /// Of them, those that had been sent before.
    pub again: u64,
}

impl SentPackets {
    /// What has been sent since `before`.
    pub fn since(self, before: Self) -> Self {
        Self { all: self.all - before.all, again: self.again - before.again }
    }

    /// Both together.
    pub fn and(self, other: Self) -> Self {
        Self { all: self.all + other.all, again: self.again + other.again }
    }

    /// Share of retransmissions; none if nothing was sent.
    pub fn retransmitted_fraction(self) -> Option<f64> {
        (self.all > 0).then(|| self.again as f64 / self.all as f64)
    }
}

/// Where a connection stands. Not-a-number where something does not apply.
#[derive(Clone, Copy, Debug)]
pub struct ConnectionState {
    /// α; none where the transport has none.
    pub alpha: f64,
    /// Congestion window, in packets; none where packets are paced.
    pub window_packets: f64,
    /// Sending rate, in bits per second: the paced one, or one window per round trip.
    pub rate_bps: f64,
    /// Smoothed round trip; 0 before one is measured.
    pub rtt_ps: u64,
    /// Something is to be sent or acknowledged.
    pub active: bool,
    /// Reports of congestion so far: notification packets, or marked acknowledgements.
    pub notifications: u64,
}

/// Mean of the numbers among `values`; not-a-number if there is none.
pub(super) fn mean_of_known(values: impl Iterator<Item = f64>) -> f64 {
    let (sum, count) =
        values.filter(|value| !value.is_nan()).fold((0.0, 0u32), |(sum, count), value| (sum + value, count + 1));
    sum / f64::from(count)
}
