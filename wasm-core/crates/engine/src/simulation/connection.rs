//! The state of a connection as it is shown, whatever transport it uses.

use crate::kernel::ids::FlowId;
use crate::kernel::time::PS_PER_S;
use crate::simulation::Simulation;
use crate::transport::controller::{ALPHA, Allowance};

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

impl Simulation {
    /// Where a connection stands.
    pub(super) fn connection_state(&self, flow: FlowId) -> ConnectionState {
        let sender = self.connections.sender(flow);
        let rtt_ps = sender.rtt.smoothed_ps();
        let (window_packets, rate_bps) = match sender.controller.allowance() {
            Allowance::Rate { bps } => (f64::NAN, bps),
            Allowance::Window { packets, .. } => {
                let bits = packets * f64::from(self.connections.segment_bytes()) * 8.0;
                (packets, if rtt_ps > 0 { bits * PS_PER_S as f64 / rtt_ps as f64 } else { f64::NAN })
            }
        };
        ConnectionState {
            alpha: self.alpha(flow),
            window_packets,
            rate_bps,
            rtt_ps,
            active: sender.end > sender.unacknowledged,
            notifications: sender.congestion_reports,
        }
    }

    /// α of a connection; not-a-number where its transport has none.
    pub(super) fn alpha(&self, flow: FlowId) -> f64 {
        let mut metrics = self.connections.metrics(flow, self.now_ps);
        metrics.find(|(metric, _)| **metric == ALPHA).map_or(f64::NAN, |(_, alpha)| alpha)
    }
}

/// Mean of the numbers among `values`; not-a-number if there is none.
pub(super) fn mean_of_known(values: impl Iterator<Item = f64>) -> f64 {
    let (sum, count) =
        values.filter(|value| !value.is_nan()).fold((0.0, 0u32), |(sum, count), value| (sum + value, count + 1));
    sum / f64::from(count)
}
