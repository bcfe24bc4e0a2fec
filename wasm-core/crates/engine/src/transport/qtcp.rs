//! QTCP in throughput mode (paper 1 eq. 5, paper 2 eq. 7): DCTCP whose cut also follows the quality factor.
//!
//! Without marks the window grows by one packet per round trip; with marks it becomes W(1 − α/2), times Q where Q is
//! below 1, that is where the class has more than its target. Each update of Q counts once per connection: when Q is
//! renewed only every tenth round trip, the nine cuts in between are those of DCTCP.

use crate::qos::quality::Quality;
use crate::transport::controller::Acknowledged;
use crate::transport::dctcp::Dctcp;
use crate::transport::window::Window;

/// Sender state of QTCP.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Qtcp {
    /// Marks are counted, and cuts timed, as in DCTCP.
    pub marks: Dctcp,
    /// Update of Q that has already been applied.
    applied: u32,
}

impl Qtcp {
    /// A controller that goes on from what DCTCP has seen so far.
    pub fn new(marks: Dctcp) -> Self {
        Self { marks, applied: 0 }
    }

    /// As [`Dctcp::on_acknowledged`], with the quality factor of the class in the cut.
    #[inline]
    pub fn on_acknowledged(&mut self, event: &Acknowledged, quality: Quality, window: &mut Window) -> Option<f64> {
        let cut = self.marks.on_acknowledged(event, window)?;
        if quality.update == self.applied {
            return Some(cut);
        }
        self.applied = quality.update;
        Some(cut * quality.factor.min(1.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::transport::controller::tests::{acknowledge, window};

    fn quality(factor: f64, update: u32) -> Quality {
        Quality { factor, update }
    }

    #[test]
    fn a_class_with_slack_is_cut_further_and_one_in_deficit_is_not() {
        for (factor, expected) in [(0.8, 0.4), (1.0, 0.5), (1.5, 0.5)] {
            let mut qtcp = Qtcp::new(Dctcp::new(1.0 / 16.0));
            let cut = qtcp.on_acknowledged(&acknowledge(0, 10, true), quality(factor, 1), &mut window(10));
            assert_eq!(cut, Some(expected), "Q = {factor}");
        }
    }

    #[test]
    fn one_update_of_the_quality_factor_is_applied_once() {
        let mut qtcp = Qtcp::new(Dctcp::new(1.0));
        let mut window = window(10);
        let mut cut =
            |at, next, update| qtcp.on_acknowledged(&acknowledge(at, next, true), quality(0.8, update), &mut window);
        assert_eq!(cut(0, 10, 1), Some(0.4));
        assert_eq!(cut(10, 20, 1), Some(0.5));
        assert_eq!(cut(20, 30, 2), Some(0.4));
    }
}
