//! QTCP in throughput mode (paper 1 eq. 5, paper 2 eq. 7): DCTCP whose cut also follows the quality factor.
//!
//! The rule is applied once per observation window, at its end, as the papers state it per round trip: without marks the
//! window grows by one packet; with marks it becomes W(1 − α/2), times Q where Q is below 1, that is where the class has
//! more than its target. Q is that of the latest measurement: when the rate is measured only every tenth round trip, it
//! stays in force for the cuts in between.

use crate::qos::rules::DeficitRule;
use crate::transport::controller::Ack;
use crate::transport::marked_window::{CutRule, Marked, MarkedWindow};

/// Parameters of a class.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Parameters {
    /// g, the weight of the newest window in α.
    pub gain: f64,
    /// What a mark does to a window in deficit.
    pub deficit: DeficitRule,
}

/// The cut rule of QTCP.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rule;

/// Sender state of QTCP.
pub type Qtcp = Marked<Rule>;

impl CutRule for Rule {
    type Parameters = Parameters;

    /// As [`MarkedWindow::on_ack_by_window`], with the quality factor of the class in the cut.
    #[inline]
    fn due_cut(window: &mut MarkedWindow, ack: &Ack, parameters: &Parameters) -> Option<f64> {
        let slow_start = window.in_slow_start();
        let cut = window.on_ack_by_window(ack, parameters.gain)?;
        let quality = ack.quality();
        // Slow start ends with a cut in any case.
        let held = parameters.deficit == DeficitRule::Hold && quality > 1.0 && !slow_start;
        Some(if held { 1.0 } else { cut * quality.min(1.0) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::qos::quality::{ClassShare, RateMeter};
    use crate::transport::controller::tests::{LIMITS, acknowledge, going_on, meter};
    use crate::transport::controller::{CongestionControl, Start};

    const CUT: Parameters = Parameters { gain: 1.0 / 16.0, deficit: DeficitRule::Cut };
    const HOLD: Parameters = Parameters { gain: 1.0 / 16.0, deficit: DeficitRule::Hold };

    /// As [`acknowledge`], where the class should carry `target` bytes per picosecond.
    fn towards(target: f64, at: u64, next: u64, marked: bool, meter: &RateMeter) -> Ack<'_> {
        Ack { share: ClassShare { target, ..ClassShare::default() }, ..acknowledge(at, next, marked, meter) }
    }

    #[test]
    fn a_class_with_slack_is_cut_further_and_one_in_deficit_is_not() {
        for (target, expected) in [(0.8, 0.4), (1.0, 0.5), (1.5, 0.5)] {
            let mut window = MarkedWindow::new(&going_on(10.0));
            let cut = Rule::due_cut(&mut window, &towards(target, 0, 10, true, &meter()), &CUT);
            assert_eq!(cut, Some(expected), "Q = {target}");
        }
    }

    #[test]
    fn a_measurement_stays_in_force_until_the_next() {
        let parameters = Parameters { gain: 1.0, ..CUT };
        let (mut window, meter) = (MarkedWindow::new(&going_on(10.0)), meter());
        let mut cut = |at, next| Rule::due_cut(&mut window, &towards(0.8, at, next, true, &meter), &parameters);
        assert_eq!(cut(0, 10), Some(0.4));
        assert_eq!(cut(10, 20), Some(0.4));
    }

    #[test]
    fn a_window_held_in_deficit_neither_shrinks_nor_grows_until_marks_have_passed() {
        for target in [0.8, 1.5] {
            let (mut qtcp, meter) = (Qtcp::new(&HOLD, &going_on(10.0)), meter());
            for at in 0..10 {
                qtcp.on_ack(&towards(target, at, at + 10, at == 0, &meter), &HOLD);
            }
            let packets = qtcp.allowance().window_packets().expect("QTCP has a window");
            assert!(if target > 1.0 { packets == 10.0 } else { packets < 6.0 }, "{packets}");
        }
    }

    #[test]
    fn slow_start_ends_with_a_cut_also_in_deficit() {
        let mut window = MarkedWindow::new(&Start::anew(0, LIMITS, 10e9));
        assert_eq!(Rule::due_cut(&mut window, &towards(1.5, 0, 10, true, &meter()), &HOLD), Some(0.5));
    }
}
