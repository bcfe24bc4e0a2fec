//! DCTCP (RFC 8257 section 3.3): the window is cut in proportion to the share of marked bytes, to W(1 − α/2), at the first
//! echo of a mark in a window of data.

use crate::transport::controller::Ack;
use crate::transport::marked_window::{CutRule, Marked, MarkedWindow};

/// Parameters of a class.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Parameters {
    /// g, the weight of the newest window in α.
    pub gain: f64,
}

/// The cut rule of DCTCP.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rule;

/// Sender state of DCTCP.
pub type Dctcp = Marked<Rule>;

impl CutRule for Rule {
    type Parameters = Parameters;

    #[inline]
    fn due_cut(window: &mut MarkedWindow, ack: &Ack, parameters: &Parameters) -> Option<f64> {
        window.on_ack(ack, parameters.gain)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::transport::controller::tests::{acknowledge, going_on, meter};
    use crate::transport::controller::{Allowance, CongestionControl, Loss};

    #[test]
    fn a_cut_is_spread_over_the_window_that_follows_the_mark() {
        let (parameters, meter) = (Parameters { gain: 1.0 / 16.0 }, meter());
        let mut dctcp = Dctcp::new(&parameters, &going_on(10.0));
        let mut after = |at, next, marked| {
            dctcp.on_ack(&acknowledge(at, next, marked, &meter), &parameters);
            dctcp.allowance()
        };
        assert_eq!(after(0, 10, true), Allowance::window(10.0));
        assert_eq!(after(1, 11, false), Allowance::window(9.5));
        (2..9).for_each(|at| {
            after(at, at + 8, false);
        });
        assert_eq!(after(9, 15, false), Allowance::window(5.5));
        // The cut is done, and the window grows by a packet per round trip.
        assert_eq!(after(10, 15, false), Allowance::window(5.0 + 1.0 / 5.0));
    }

    #[test]
    fn while_a_loss_is_repaired_marks_cut_no_further() {
        let (parameters, meter) = (Parameters { gain: 1.0 }, meter());
        let mut dctcp = Dctcp::new(&parameters, &going_on(10.0));
        dctcp.on_loss(&Loss::Gap { now_ps: 0 }, &parameters);
        for at in 0..10 {
            dctcp.on_ack(&Ack { open: false, window_used: false, ..acknowledge(at, 10, true, &meter) }, &parameters);
        }
        assert_eq!(dctcp.allowance(), Allowance::window(5.0));
    }
}
