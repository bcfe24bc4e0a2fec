//! QTCP in throughput mode (paper 1 eq. 5, paper 2 eq. 7): DCTCP whose cut also follows the quality factor.
//!
//! The rule is applied once per observation window, at its end, as the papers state it per round trip: without marks the
//! window grows by one packet; with marks it becomes W(1 − α/2), times Q where Q is below 1, that is where the class has
//! more than its target. Q is that of the latest measurement: when the rate is measured only every tenth round trip, it
//! stays in force for the cuts in between.

use crate::qos::quality::{ClassShare, RateMeter};
use crate::transport::controller::Acknowledged;
use crate::transport::dctcp::Dctcp;
use crate::transport::window::Window;

/// What becomes of a window in which a mark was echoed while the class has less than its target (Q > 1).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DeficitRule {
    /// It is cut by α alone (paper 1 eq. 5 row 2, paper 2 eq. 7 row 2).
    #[default]
    Cut,
    /// It neither shrinks nor grows. A rule of our own, which contradicts that row, to compare with.
    Hold,
}

/// Sender state of QTCP.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Qtcp {
    /// Marks are counted as in DCTCP.
    pub marks: Dctcp,
    deficit: DeficitRule,
}

impl Qtcp {
    /// A controller that goes on from what DCTCP has seen so far.
    pub fn new(marks: Dctcp, deficit: DeficitRule) -> Self {
        Self { marks, deficit }
    }

    /// As [`Dctcp::on_acknowledged_by_window`], with the quality factor of the class in the cut.
    #[inline]
    pub fn on_acknowledged(
        &mut self,
        event: &Acknowledged,
        share: ClassShare,
        meter: &RateMeter,
        window: &mut Window,
    ) -> Option<f64> {
        let slow_start = window.in_slow_start();
        let cut = self.marks.on_acknowledged_by_window(event, window)?;
        let quality = share.quality_for(meter);
        // Slow start ends with a cut in any case.
        let held = self.deficit == DeficitRule::Hold && quality > 1.0 && !slow_start;
        Some(if held { 1.0 } else { cut * quality.min(1.0) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::transport::controller::tests::{acknowledge, window};

    /// A meter that has measured one byte per picosecond.
    fn meter() -> RateMeter {
        let mut meter = RateMeter::new(0.0, 1);
        meter.on_acknowledged(1, 1, 1);
        meter
    }

    fn share(target: f64) -> ClassShare {
        ClassShare { target, ..ClassShare::default() }
    }

    #[test]
    fn a_class_with_slack_is_cut_further_and_one_in_deficit_is_not() {
        for (target, expected) in [(0.8, 0.4), (1.0, 0.5), (1.5, 0.5)] {
            let mut qtcp = Qtcp::new(Dctcp::new(1.0 / 16.0), DeficitRule::Cut);
            let cut = qtcp.on_acknowledged(&acknowledge(0, 10, true), share(target), &meter(), &mut window(10));
            assert_eq!(cut, Some(expected), "Q = {target}");
        }
    }

    #[test]
    fn a_measurement_stays_in_force_until_the_next() {
        let mut qtcp = Qtcp::new(Dctcp::new(1.0), DeficitRule::Cut);
        let mut window = window(10);
        let mut cut = |at, next| qtcp.on_acknowledged(&acknowledge(at, next, true), share(0.8), &meter(), &mut window);
        assert_eq!(cut(0, 10), Some(0.4));
        assert_eq!(cut(10, 20), Some(0.4));
    }

    #[test]
    fn a_window_held_in_deficit_neither_shrinks_nor_grows_until_marks_have_passed() {
        for (target, factor) in [(0.8, 0.4), (1.5, 1.0)] {
            let mut qtcp = Qtcp::new(Dctcp::new(1.0 / 16.0), DeficitRule::Hold);
            let mut window = window(10);
            let cut = qtcp.on_acknowledged(&acknowledge(0, 10, true), share(target), &meter(), &mut window);
            assert_eq!(cut, Some(factor), "Q = {target}");
            window.begin_cut(factor);
            for at in 1..10 {
                qtcp.on_acknowledged(&acknowledge(at, at + 10, false), share(target), &meter(), &mut window);
            }
            assert!(if target > 1.0 { window.packets == 10.0 } else { window.packets < 6.0 }, "{}", window.packets);
        }
    }

    #[test]
    fn slow_start_ends_with_a_cut_also_in_deficit() {
        let mut qtcp = Qtcp::new(Dctcp::new(1.0 / 16.0), DeficitRule::Hold);
        let mut window = crate::transport::window::Window::new(10, 2, 1000);
        let cut = qtcp.on_acknowledged(&acknowledge(0, 10, true), share(1.5), &meter(), &mut window);
        assert_eq!(cut, Some(0.5));
    }
}
