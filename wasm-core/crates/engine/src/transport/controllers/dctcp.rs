//! DCTCP (RFC 8257 section 3.3): the window is cut in proportion to the share of marked bytes, to W(1 − α/2), at the first
//! echo of a mark in a window of data.

use std::any::Any;

use crate::transport::controller::{
    ALPHA, Ack, Allowance, CongestionControl, Listens, Loss, Metric, Metrics, Start, metrics,
};
use crate::transport::marked_window::MarkedWindow;

/// Parameters of a class.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Parameters {
    /// g, the weight of the newest window in α.
    pub gain: f64,
}

/// Sender state of DCTCP.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Dctcp {
    marked: MarkedWindow,
}

impl CongestionControl for Dctcp {
    type Parameters = Parameters;

    const METRICS: &'static [Metric] = &[ALPHA];
    const LISTENS: Listens = Listens::TO_ACKS;

    fn new(_parameters: &Parameters, start: &Start) -> Self {
        Self { marked: MarkedWindow::new(start) }
    }

    fn learnt(&self) -> &dyn Any {
        &self.marked
    }

    #[inline]
    fn allowance(&self) -> Allowance {
        self.marked.allowance()
    }

    #[inline]
    fn in_slow_start(&self) -> bool {
        self.marked.in_slow_start()
    }

    #[inline]
    fn on_ack(&mut self, ack: &Ack, parameters: &Parameters) {
        if let Some(factor) = self.marked.on_ack(ack, parameters.gain) {
            self.marked.cut(factor, ack);
        }
    }

    fn on_loss(&mut self, loss: &Loss, _parameters: &Parameters) {
        self.marked.on_loss(loss);
    }

    fn metrics(&self, _now_ps: u64, _parameters: &Parameters) -> Metrics {
        metrics([self.marked.alpha()])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::transport::controller::tests::{acknowledge, going_on, meter};

    #[test]
    fn a_cut_is_spread_over_the_window_that_follows_the_mark() {
        let (parameters, meter) = (Parameters { gain: 1.0 / 16.0 }, meter());
        let mut dctcp = Dctcp::new(&parameters, &going_on(10.0));
        let mut after = |at, next, marked| {
            dctcp.on_ack(&acknowledge(at, next, marked, &meter), &parameters);
            dctcp.allowance()
        };
        let window = |packets| Allowance::Window { packets, gap_ps: 0 };
        assert_eq!(after(0, 10, true), window(10.0));
        assert_eq!(after(1, 11, false), window(9.5));
        (2..9).for_each(|at| {
            after(at, at + 8, false);
        });
        assert_eq!(after(9, 15, false), window(5.5));
        // The cut is done, and the window grows by a packet per round trip.
        assert_eq!(after(10, 15, false), window(5.0 + 1.0 / 5.0));
    }

    #[test]
    fn while_a_loss_is_repaired_marks_cut_no_further() {
        let (parameters, meter) = (Parameters { gain: 1.0 }, meter());
        let mut dctcp = Dctcp::new(&parameters, &going_on(10.0));
        dctcp.on_loss(&Loss::Gap { now_ps: 0 }, &parameters);
        for at in 0..10 {
            dctcp.on_ack(&Ack { open: false, window_used: false, ..acknowledge(at, 10, true, &meter) }, &parameters);
        }
        assert_eq!(dctcp.allowance(), Allowance::Window { packets: 5.0, gap_ps: 0 });
    }
}
