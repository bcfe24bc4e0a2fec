//! What the rate controllers have in common: the events they are told of, and the choice between them.

use crate::kernel::time::NEVER_PS;
use crate::transport::dcqcn::{self, Dcqcn, Feedback};
use crate::transport::timely::{self, Timely};

/// Which rate controller a class uses, with its parameters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum RateControl {
    /// SIGCOMM 2015: the rate follows congestion notifications.
    Dcqcn(dcqcn::Parameters),
    /// DCQCN with the quality factor in the cut (paper 1 eq. 6).
    Qrdma(dcqcn::Parameters),
    /// SIGCOMM 2015: the rate follows the gradient of the round trip.
    Timely(timely::Parameters),
}

impl RateControl {
    /// How marks reach the sender, and the least time between two reactions to them; none if it does not want any.
    pub fn feedback(&self) -> Option<(Feedback, u64)> {
        match self {
            Self::Dcqcn(parameters) | Self::Qrdma(parameters) => {
                Some((parameters.feedback, parameters.decrease_interval_ps))
            }
            Self::Timely(_) => None,
        }
    }

    /// Rate of the sender's link, in bits per second.
    pub fn line_bps(&self) -> f64 {
        match self {
            Self::Dcqcn(parameters) | Self::Qrdma(parameters) => parameters.line_bps,
            Self::Timely(parameters) => parameters.line_bps,
        }
    }

    /// Whether cuts follow the quality factor of the class.
    pub fn is_quality_aware(&self) -> bool {
        matches!(self, Self::Qrdma(_))
    }

    /// The factor of a cut beside α: min(1, `quality`) for QRDMA, none for the others.
    fn factor(&self, quality: f64) -> f64 {
        if self.is_quality_aware() { quality.min(1.0) } else { 1.0 }
    }
}

/// The rate controller of one connection. The parameters are those of its class, told with every event.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum RateController {
    /// DCQCN and QRDMA: they differ in the cut only.
    Dcqcn(Dcqcn),
    /// TIMELY.
    Timely(Timely),
}

impl RateController {
    /// A controller that has seen nothing and begins at `initial_bps`.
    pub fn new(control: &RateControl, initial_bps: f64, now_ps: u64) -> Self {
        match control {
            RateControl::Dcqcn(parameters) | RateControl::Qrdma(parameters) => {
                Self::Dcqcn(Dcqcn::new(parameters, initial_bps, now_ps))
            }
            RateControl::Timely(parameters) => Self::Timely(Timely::new(parameters, initial_bps)),
        }
    }

    /// Becomes the controller described. The rate stays, within the new bounds; so does what was learnt of marks or round
    /// trips if the kind of controller stays.
    pub fn switch_to(&mut self, control: &RateControl, now_ps: u64) {
        match (control, &mut *self) {
            (RateControl::Dcqcn(parameters) | RateControl::Qrdma(parameters), Self::Dcqcn(dcqcn)) => {
                dcqcn.apply_settings(now_ps, parameters);
            }
            (RateControl::Timely(parameters), Self::Timely(timely)) => timely.apply_settings(parameters),
            _ => *self = Self::new(control, self.rate_bps(), now_ps),
        }
    }

    /// The sending rate, in bits per second.
    #[inline]
    pub fn rate_bps(&self) -> f64 {
        match self {
            Self::Dcqcn(dcqcn) => dcqcn.rate_bps(),
            Self::Timely(timely) => timely.rate_bps(),
        }
    }

    /// α at `now_ps`; NaN for TIMELY, which has none.
    pub fn alpha_at(&self, now_ps: u64, control: &RateControl) -> f64 {
        match (self, control) {
            (Self::Dcqcn(dcqcn), RateControl::Dcqcn(parameters) | RateControl::Qrdma(parameters)) => {
                dcqcn.alpha_at(now_ps, parameters)
            }
            _ => f64::NAN,
        }
    }

    /// A notification, or the echo of a mark, has arrived. `quality` is Q of the class; it counts for QRDMA only.
    pub fn on_notification(&mut self, now_ps: u64, control: &RateControl, quality: f64) {
        if let Some((dcqcn, parameters)) = self.dcqcn(control) {
            dcqcn.on_notification(now_ps, parameters, control.factor(quality));
        }
    }

    /// A round trip was measured; to be called once per round trip.
    pub fn on_rtt(&mut self, rtt_ps: u64, control: &RateControl) {
        if let (Self::Timely(timely), RateControl::Timely(parameters)) = (self, control) {
            timely.on_rtt(rtt_ps, parameters);
        }
    }

    /// `bytes` have been sent.
    #[inline]
    pub fn on_sent(&mut self, now_ps: u64, bytes: u64, control: &RateControl) {
        if let Some((dcqcn, parameters)) = self.dcqcn(control) {
            dcqcn.on_sent(now_ps, bytes, parameters);
        }
    }

    /// Does what is due at or before `now_ps`. `quality` is Q of the class; it counts for QRDMA only.
    pub fn on_timer(&mut self, now_ps: u64, control: &RateControl, quality: f64) {
        if let Some((dcqcn, parameters)) = self.dcqcn(control) {
            dcqcn.on_timer(now_ps, parameters, control.factor(quality));
        }
    }

    /// When [`Self::on_timer`] has something to do next, or never.
    #[inline]
    pub fn next_ps(&self) -> u64 {
        match self {
            Self::Dcqcn(dcqcn) => dcqcn.next_ps(),
            Self::Timely(_) => NEVER_PS,
        }
    }

    #[inline]
    fn dcqcn<'a>(&'a mut self, control: &'a RateControl) -> Option<(&'a mut Dcqcn, &'a dcqcn::Parameters)> {
        match (self, control) {
            (Self::Dcqcn(dcqcn), RateControl::Dcqcn(parameters) | RateControl::Qrdma(parameters)) => {
                Some((dcqcn, parameters))
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::time::PS_PER_US as US;

    const LINE_BPS: f64 = 40e9;

    fn dcqcn() -> dcqcn::Parameters {
        dcqcn::Parameters::sigcomm15(LINE_BPS)
    }

    fn timely() -> RateControl {
        RateControl::Timely(timely::Parameters::sigcomm15(LINE_BPS, 20 * US))
    }

    #[test]
    fn quality_counts_for_qrdma_only_and_only_below_one() {
        for (control, quality, expected_bps) in [
            (RateControl::Dcqcn(dcqcn()), 0.8, 20e9),
            (RateControl::Qrdma(dcqcn()), 0.8, 16e9),
            (RateControl::Qrdma(dcqcn()), 1.2, 20e9),
            (timely(), 0.8, 40e9),
        ] {
            let mut controller = RateController::new(&control, LINE_BPS, 0);
            controller.on_notification(0, &control, quality);
            assert_eq!(controller.rate_bps(), expected_bps, "{control:?}");
        }
    }

    #[test]
    fn quality_counts_in_cuts_that_wait_for_a_timer() {
        let control = RateControl::Qrdma(dcqcn::Parameters { gain: 1e-12, ..dcqcn::Parameters::hpcc(LINE_BPS) });
        let mut controller = RateController::new(&control, LINE_BPS, 0);
        controller.on_notification(0, &control, 1.0);
        controller.on_timer(controller.next_ps(), &control, 0.5);
        assert!((controller.rate_bps() / 10e9 - 1.0).abs() < 1e-6);
    }

    #[test]
    fn switching_keeps_rate_and_alpha() {
        let (dcqcn, qrdma) = (RateControl::Dcqcn(dcqcn()), RateControl::Qrdma(dcqcn()));
        let mut controller = RateController::new(&dcqcn, LINE_BPS, 0);
        controller.on_notification(0, &dcqcn, 1.0);
        let alpha = controller.alpha_at(500 * US, &dcqcn);
        assert!(alpha < 1.0);
        controller.switch_to(&qrdma, US);
        assert_eq!((controller.rate_bps(), controller.alpha_at(500 * US, &qrdma)), (20e9, alpha));
        controller.switch_to(&timely(), 2 * US);
        assert_eq!((controller.rate_bps(), controller.next_ps()), (20e9, NEVER_PS));
        assert!(controller.alpha_at(500 * US, &timely()).is_nan());
        // Back again it knows nothing of marks, and recovers.
        controller.switch_to(&dcqcn, 3 * US);
        assert_eq!((controller.rate_bps(), controller.alpha_at(500 * US, &dcqcn)), (20e9, 1.0));
        assert_eq!(controller.next_ps(), 58 * US);
    }

    #[test]
    fn only_those_who_want_marks_ask_for_them() {
        assert_eq!(RateControl::Dcqcn(dcqcn()).feedback(), Some((Feedback::Notifications, 50 * US)));
        assert_eq!(timely().feedback(), None);
        assert_eq!(timely().line_bps(), LINE_BPS);
    }
}
