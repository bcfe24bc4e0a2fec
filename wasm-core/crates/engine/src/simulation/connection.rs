//! The state of a connection as it is shown, whatever transport it uses.

use crate::kernel::ids::FlowId;
use crate::kernel::time::PS_PER_S;
use crate::simulation::Simulation;

/// Where a connection stands. Not-a-number where something does not apply.
#[derive(Clone, Copy, Debug)]
pub struct ConnectionState {
    /// α; none for TIMELY.
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
        let (sender, pace) = (self.connections.sender(flow), self.connections.pace(flow));
        let rtt_ps = sender.rtt.smoothed_ps();
        let active = sender.end > sender.unacknowledged;
        if sender.paced {
            let control = &self.connections.settings(self.connections.class(flow)).rate;
            return ConnectionState {
                alpha: pace.controller.alpha_at(self.now_ps, control),
                window_packets: f64::NAN,
                rate_bps: pace.controller.rate_bps(),
                rtt_ps,
                active,
                notifications: sender.congestion_reports,
            };
        }
        let window_bits = sender.window.packets * f64::from(self.connections.segment_bytes()) * 8.0;
        let rate_bps = if rtt_ps > 0 { window_bits * PS_PER_S as f64 / rtt_ps as f64 } else { f64::NAN };
        ConnectionState {
            alpha: sender.controller.alpha(),
            window_packets: sender.window.packets,
            rate_bps,
            rtt_ps,
            active,
            notifications: sender.congestion_reports,
        }
    }
}

/// Mean of the numbers among `values`; not-a-number if there is none.
pub(super) fn mean_of_known(values: impl Iterator<Item = f64>) -> f64 {
    let (sum, count) =
        values.filter(|value| !value.is_nan()).fold((0.0, 0u32), |(sum, count), value| (sum + value, count + 1));
    sum / f64::from(count)
}
