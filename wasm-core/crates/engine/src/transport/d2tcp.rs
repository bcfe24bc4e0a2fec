//! D2TCP (Vamanan, Hasan, Vijaykumar: "Deadline-Aware Datacenter TCP", SIGCOMM 2012): DCTCP whose cut depends on how
//! pressing the deadline is.
//!
//! The cut is 1 − p/2 with p = α^d. The imminence d is the time a transfer still needs over the time it still has: above
//! 1 the deadline is pressing and the cut is gentler than DCTCP's, below 1 it is deeper. α is at most 1; where all packets
//! are marked, all flows halve whatever their deadlines.

use crate::transport::controller::Acknowledged;
use crate::transport::dctcp::Dctcp;
use crate::transport::window::Window;

/// Bounds of d (kernel module of the authors).
const LEAST_IMMINENCE: f64 = 0.5;
const GREATEST_IMMINENCE: f64 = 2.0;
/// Imminence of a transfer that behaves as with DCTCP.
const NO_DEADLINE: f64 = 1.0;
/// Mean of the window over its sawtooth, as a part of its peak.
const SAWTOOTH_MEAN: f64 = 0.75;

/// Sender state of D2TCP.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct D2tcp {
    /// Marks are counted as in DCTCP.
    pub marks: Dctcp,
}

impl D2tcp {
    /// A controller that goes on from what DCTCP has seen so far.
    pub fn new(marks: Dctcp) -> Self {
        Self { marks }
    }

    /// As [`Dctcp::on_acknowledged`], at the same moments; a cut is 1 − α^d/2 with d = `imminence`.
    #[inline]
    pub fn on_acknowledged(&mut self, event: &Acknowledged, imminence: f64, window: &mut Window) -> Option<f64> {
        self.marks.on_acknowledged(event, window)?;
        Some(1.0 - libm::pow(self.marks.alpha(), imminence) / 2.0)
    }
}

/// Deadline imminence d = T_c / D of a transfer, within [0.5, 2]. T_c = B / (3/4 W) round trips is the time its remaining
/// `bytes_left` need at the mean of a window that swings between W/2 and W = `window_packets`; D is `time_left_ps`.
///
/// Without a deadline d is 1. So it is once the deadline has passed, as in the kernel module of the authors: the transfer
/// has nothing left to gain, and at d = 2 it would take from those that can still make theirs; but it has to end, and at
/// d = 1/2 it would hold up the requests behind it on its connection.
pub fn imminence(
    bytes_left: u64,
    window_packets: f64,
    segment_bytes: u32,
    rtt_ps: u64,
    time_left_ps: Option<i64>,
) -> f64 {
    match time_left_ps {
        Some(left_ps) if left_ps > 0 => {
            let round_trips = bytes_left as f64 / (SAWTOOTH_MEAN * window_packets * f64::from(segment_bytes));
            (round_trips * rtt_ps as f64 / left_ps as f64).clamp(LEAST_IMMINENCE, GREATEST_IMMINENCE)
        }
        _ => NO_DEADLINE,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::transport::controller::tests::{acknowledge, window};

    const US: u64 = 1_000_000;

    #[test]
    fn a_pressing_deadline_makes_the_cut_gentler_and_a_far_one_deeper() {
        for (imminence, expected) in [(2.0, 1.0 - 0.0625 / 2.0), (1.0, 1.0 - 0.25 / 2.0), (0.5, 1.0 - 0.5 / 2.0)] {
            let (mut d2tcp, mut window) = (D2tcp::new(Dctcp::new(0.75)), window(10));
            // One window without marks takes α from 1 to 1/4.
            assert_eq!(d2tcp.on_acknowledged(&acknowledge(0, 10, false), imminence, &mut window), None);
            let cut = d2tcp.on_acknowledged(&acknowledge(1, 11, true), imminence, &mut window);
            assert_eq!(cut, Some(expected), "d = {imminence}");
        }
    }

    #[test]
    fn cuts_when_dctcp_does_and_by_as_much_without_a_deadline() {
        let (mut d2tcp, mut dctcp) = (D2tcp::new(Dctcp::new(0.25)), Dctcp::new(0.25));
        let mut windows = (window(10), window(10));
        for at in 0..200 {
            let event = acknowledge(at, at + 10, at % 7 == 0);
            let found = d2tcp.on_acknowledged(&event, 1.0, &mut windows.0);
            assert_eq!(found, dctcp.on_acknowledged(&event, &mut windows.1));
        }
        assert_eq!(windows.0, windows.1);
    }

    #[test]
    fn imminence_is_time_needed_over_time_left() {
        // 75 packets at a mean of 7.5 per round trip of 100 us: a millisecond.
        let of = |left_us: i64| imminence(75_000, 10.0, 1000, 100 * US, Some(left_us * US as i64));
        assert_eq!([800, 1000, 1250, 100, 100_000].map(of), [1.25, 1.0, 0.8, 2.0, 0.5]);
    }

    #[test]
    fn without_a_deadline_or_past_it_there_is_no_preference() {
        for left in [None, Some(0), Some(-5)] {
            assert_eq!(imminence(75_000, 10.0, 1000, 100 * US, left), 1.0);
        }
    }
}
