//! D2TCP (Vamanan, Hasan, Vijaykumar: "Deadline-Aware Datacenter TCP", SIGCOMM 2012): DCTCP whose cut depends on how
//! pressing the deadline is.
//!
//! The cut is 1 − p/2 with p = α^d. The imminence d is the time a transfer still needs over the time it still has: above
//! 1 the deadline is pressing and the cut is gentler than DCTCP's, below 1 it is deeper. α is at most 1; where all packets
//! are marked, all flows halve whatever their deadlines.

use crate::transport::controller::{Ack, Remainder};
use crate::transport::marked_window::{CutRule, Marked, MarkedWindow};

/// Bounds of d (kernel module of the authors).
const MIN_IMMINENCE: f64 = 0.5;
const MAX_IMMINENCE: f64 = 2.0;
/// Imminence of a transfer that behaves as with DCTCP.
const NO_DEADLINE: f64 = 1.0;
/// Mean of the window over its sawtooth, as a part of its peak.
const SAWTOOTH_MEAN: f64 = 0.75;

/// Parameters of a class.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Parameters {
    /// g, the weight of the newest window in α.
    pub gain: f64,
}

/// The cut rule of D2TCP.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rule;

/// Sender state of D2TCP.
pub type D2tcp = Marked<Rule>;

impl CutRule for Rule {
    type Parameters = Parameters;

    /// At the same moments as DCTCP; a cut is 1 − α^d/2.
    #[inline]
    fn due_cut(window: &mut MarkedWindow, ack: &Ack, parameters: &Parameters) -> Option<f64> {
        let packets = window.packets();
        window.on_ack(ack, parameters.gain)?;
        Some(1.0 - libm::pow(window.alpha(), imminence(&ack.request, packets)) / 2.0)
    }
}

/// Deadline imminence d = T_c / D of a transfer, within [0.5, 2]. T_c = B / (3/4 W) round trips is the time its remaining
/// bytes need at the mean of a window that swings between W/2 and W = `window_packets`; D is the time left.
///
/// Without a deadline d is 1. So it is once the deadline has passed, as in the kernel module of the authors: the transfer
/// has nothing left to gain, and at d = 2 it would take from those that can still make theirs; but it has to end, and at
/// d = 1/2 it would hold up the requests behind it on its connection.
fn imminence(request: &Remainder, window_packets: f64) -> f64 {
    match request.time_left_ps {
        Some(left_ps) if left_ps > 0 => {
            let mean_bytes = SAWTOOTH_MEAN * window_packets * f64::from(request.segment_bytes);
            let round_trips = request.bytes as f64 / mean_bytes;
            (round_trips * request.rtt_ps as f64 / left_ps as f64).clamp(MIN_IMMINENCE, MAX_IMMINENCE)
        }
        _ => NO_DEADLINE,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::transport::controller::CongestionControl;
    use crate::transport::controller::tests::{acknowledge, going_on, meter};
    use crate::transport::controllers::dctcp::{self, Dctcp};

    const US: u64 = 1_000_000;

    /// 75 packets are left, with so much time: a millisecond at a mean of 7.5 per round trip of 100 us.
    fn request(time_left_ps: Option<i64>) -> Remainder {
        Remainder { bytes: 75_000, time_left_ps, segment_bytes: 1000, rtt_ps: 100 * US }
    }

    fn us(time: i64) -> Option<i64> {
        Some(time * US as i64)
    }

    #[test]
    fn a_pressing_deadline_makes_the_cut_gentler_and_a_far_one_deeper() {
        let (parameters, meter) = (Parameters { gain: 0.75 }, meter());
        for (left, expected) in
            [(us(500), 1.0 - 0.0625 / 2.0), (None, 1.0 - 0.25 / 2.0), (us(100_000), 1.0 - 0.5 / 2.0)]
        {
            let mut window = MarkedWindow::new(&going_on(10.0));
            // One window without marks takes α from 1 to 1/4.
            let told = |ack| Ack { request: request(left), window_used: false, ..ack };
            assert_eq!(Rule::due_cut(&mut window, &told(acknowledge(0, 10, false, &meter)), &parameters), None);
            let cut = Rule::due_cut(&mut window, &told(acknowledge(1, 11, true, &meter)), &parameters);
            assert_eq!(cut, Some(expected), "{left:?}");
        }
    }

    #[test]
    fn cuts_when_dctcp_does_and_by_as_much_without_a_deadline() {
        let (of_d2tcp, of_dctcp, meter) = (Parameters { gain: 0.25 }, dctcp::Parameters { gain: 0.25 }, meter());
        let (mut d2tcp, mut dctcp) = (D2tcp::new(&of_d2tcp, &going_on(10.0)), Dctcp::new(&of_dctcp, &going_on(10.0)));
        for at in 0..200 {
            let ack = acknowledge(at, at + 10, at % 7 == 0, &meter);
            d2tcp.on_ack(&ack, &of_d2tcp);
            dctcp.on_ack(&ack, &of_dctcp);
            assert_eq!(d2tcp.allowance(), dctcp.allowance());
        }
    }

    #[test]
    fn imminence_is_time_needed_over_time_left() {
        let of = |left_us: i64| imminence(&request(us(left_us)), 10.0);
        assert_eq!([800, 1000, 1250, 100, 100_000].map(of), [1.25, 1.0, 0.8, 2.0, 0.5]);
    }

    #[test]
    fn without_a_deadline_or_past_it_there_is_no_preference() {
        for left in [None, us(0), us(-5)] {
            assert_eq!(imminence(&request(left), 10.0), 1.0);
        }
    }
}
