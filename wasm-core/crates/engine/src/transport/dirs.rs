//! Dynamic initial rates (DIRS, paper 3): a new flow begins at the lowest rate known for its destination instead of at
//! the line, so that it need not find out again what flows before it have found out.
//!
//! A sender keeps, for each destination:
//!
//! - A **virtual flow**. It carries nothing. Notifications that come after all of a flow was sent, too late to slow that
//!   flow down, cut the rate of the virtual flow as they would have cut the flow's (algorithm 1): at most one within Δ, the
//!   others are discarded. A recovery timer raises it by the controller's own steps; a longer reset timer, restarted by
//!   each cut, puts it back to the line.
//! - The **periodical lowest rate**: of the active flows and the virtual flow, read at the end of each period.
//!
//! A new flow takes the lower of that and the **instantaneous lowest rate**, read when it begins.
//!
//! The paper gives no values. It asks only for a reset timer longer than the recovery timer.

use crate::kernel::time::NEVER_PS;
use crate::transport::controller::{Cnp, Start, WindowLimits};
use crate::transport::controllers::{Control, Controller};

/// Parameters of a class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parameters {
    /// Δ: late notifications within this time of the last one that counted are discarded.
    pub late_interval_ps: u64,
    /// Time between two recovery steps of the virtual flow.
    pub recovery_ps: u64,
    /// Time without a late notification that counted after which the virtual flow is back at the line.
    pub reset_ps: u64,
    /// Time between two readings of the periodical lowest rate.
    pub period_ps: u64,
}

/// What the destinations of a class have in common.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Policy {
    parameters: Parameters,
    /// The control of the virtual flow: that of the class, but its recovery has DIRS's timer.
    control: Control,
    /// Rate of the sender's link, in bits per second.
    line_bps: f64,
}

impl Policy {
    /// DIRS for a class with a rate controller. One that takes no notifications leaves its virtual flow at the line, and
    /// only the lowest rates count.
    pub fn new(control: &Control, line_bps: f64, parameters: Parameters) -> Self {
        Self { parameters, control: control.of_virtual_flow(parameters.recovery_ps), line_bps }
    }

    /// A virtual flow at the line.
    fn virtual_flow(&self, now_ps: u64) -> Controller {
        Controller::new(&self.control, &Start::anew(now_ps, WindowLimits::default(), self.line_bps))
    }

    /// The parameters of the class.
    pub fn parameters(&self) -> &Parameters {
        &self.parameters
    }
}

/// What a sender knows of one destination.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct InitialRate {
    /// VF.
    virtual_flow: Controller,
    /// t': when a late notification counted last.
    counted_ps: Option<u64>,
    /// When the virtual flow goes back to the line, or never.
    reset_ps: u64,
    /// End of the present period, or never while nothing is known.
    period_end_ps: u64,
    /// P, in bits per second.
    periodical_bps: f64,
}

impl InitialRate {
    /// A sender that knows nothing of the destination.
    pub fn new(policy: &Policy, now_ps: u64) -> Self {
        Self {
            virtual_flow: policy.virtual_flow(now_ps),
            counted_ps: None,
            reset_ps: NEVER_PS,
            period_end_ps: NEVER_PS,
            periodical_bps: policy.line_bps,
        }
    }

    /// Rate of the virtual flow, in bits per second.
    pub fn virtual_bps(&self) -> f64 {
        self.virtual_flow.rate_bps().unwrap_or(f64::INFINITY)
    }

    /// The initial rate of a flow that begins now, in bits per second. `active` are the rates of the flows to the same
    /// destination, without the new one.
    pub fn initial_bps(&mut self, now_ps: u64, active: impl Iterator<Item = f64>, policy: &Policy) -> f64 {
        self.watch_periods(now_ps, policy);
        self.lowest_bps(active).min(self.periodical_bps).min(policy.line_bps)
    }

    /// A notification has come for a flow that was sent completely (algorithm 1). `quality` is Q of the class. Returns
    /// whether it counted.
    pub fn on_late_notification(&mut self, now_ps: u64, quality: f64, policy: &Policy) -> bool {
        if self.counted_ps.is_some_and(|counted_ps| now_ps - counted_ps <= policy.parameters.late_interval_ps) {
            return false;
        }
        self.virtual_flow.on_cnp(&Cnp { now_ps, quality }, &policy.control);
        self.counted_ps = Some(now_ps);
        if policy.control.reports().is_some() {
            self.reset_ps = now_ps + policy.parameters.reset_ps;
            self.watch_periods(now_ps, policy);
        }
        true
    }

    /// Does what is due at or before `now_ps`: recovery of the virtual flow, its reset, the end of a period. `active` are
    /// the rates of the flows to the destination.
    pub fn on_timer(&mut self, now_ps: u64, active: impl Iterator<Item = f64>, policy: &Policy) {
        if self.reset_ps <= now_ps {
            self.virtual_flow = policy.virtual_flow(now_ps);
            self.reset_ps = NEVER_PS;
        } else {
            // Q plays no part in recovery.
            self.virtual_flow.on_timer(now_ps, 1.0, &policy.control);
        }
        if self.period_end_ps <= now_ps {
            let mut active = active.peekable();
            let is_idle = active.peek().is_none() && self.virtual_bps() >= policy.line_bps;
            self.periodical_bps = self.lowest_bps(active);
            self.period_end_ps = NEVER_PS;
            if !is_idle {
                self.watch_periods(now_ps, policy);
            }
        }
    }

    /// When [`Self::on_timer`] has something to do next; never while nothing is known of the destination.
    pub fn next_ps(&self) -> u64 {
        self.virtual_flow.next_ps().min(self.reset_ps).min(self.period_end_ps)
    }

    fn lowest_bps(&self, active: impl Iterator<Item = f64>) -> f64 {
        active.fold(self.virtual_bps(), f64::min)
    }

    /// Periods follow each other from the start of the run; they are watched only while something may be known.
    fn watch_periods(&mut self, now_ps: u64, policy: &Policy) {
        if self.period_end_ps == NEVER_PS {
            let period_ps = policy.parameters.period_ps;
            self.period_end_ps = (now_ps / period_ps + 1) * period_ps;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::time::PS_PER_US as US;
    use crate::transport::controllers::dcqcn;
    use std::iter::empty;

    const LINE_BPS: f64 = 40e9;
    const PARAMETERS: Parameters =
        Parameters { late_interval_ps: 20 * US, recovery_ps: 300 * US, reset_ps: 1500 * US, period_ps: 100 * US };

    /// Timers of the examples of the paper: no recovery step and no decay of α between the two cuts, so that each halves.
    fn policy() -> Policy {
        Policy::new(&Control::Dcqcn(dcqcn::Parameters::sigcomm15(LINE_BPS)), LINE_BPS, PARAMETERS)
    }

    fn rates(gbps: &[f64]) -> impl Iterator<Item = f64> {
        gbps.iter().map(|gbps| gbps * 1e9)
    }

    /// Runs the timers up to `until_ps` while the flows have these rates.
    fn run(sender: &mut InitialRate, until_ps: u64, active: &[f64], policy: &Policy) {
        while sender.next_ps() <= until_ps {
            sender.on_timer(sender.next_ps(), rates(active), policy);
        }
    }

    #[test]
    fn figure_2_late_notifications_lower_the_virtual_flow_until_its_reset() {
        let policy = policy();
        let mut sender = InitialRate::new(&policy, 0);
        assert_eq!(sender.initial_bps(US, empty(), &policy), 40e9, "Flow1");
        assert!(sender.on_late_notification(10 * US, 1.0, &policy), "of Flow1");
        assert_eq!(sender.virtual_bps(), 20e9);
        assert_eq!(sender.initial_bps(20 * US, empty(), &policy), 20e9, "Flow2");
        assert_eq!(sender.initial_bps(22 * US, rates(&[20.0]), &policy), 20e9, "Flow3");
        assert!(sender.on_late_notification(40 * US, 1.0, &policy), "of Flow2");
        assert_eq!(sender.virtual_bps(), 10e9);
        assert!(!sender.on_late_notification(42 * US, 1.0, &policy), "of Flow3");
        assert_eq!(sender.virtual_bps(), 10e9);
        // Recovery, which the figure leaves out, goes back to what it was before the last cut; the reset to the line.
        run(&mut sender, 339 * US, &[], &policy);
        assert_eq!(sender.virtual_bps(), 10e9);
        run(&mut sender, 1539 * US, &[], &policy);
        assert!(sender.virtual_bps() < 20e9);
        run(&mut sender, 1540 * US, &[], &policy);
        assert_eq!(sender.virtual_bps(), 40e9);
    }

    #[test]
    fn figure_3_the_instantaneous_lowest_rate_is_up_to_date() {
        let policy = policy();
        let mut sender = InitialRate::new(&policy, 0);
        sender.initial_bps(US, empty(), &policy);
        run(&mut sender, 100 * US, &[20.0, 20.0, 10.0], &policy);
        assert_eq!(sender.periodical_bps, 10e9);
        assert_eq!(sender.initial_bps(150 * US, rates(&[20.0, 5.0, 10.0]), &policy), 5e9);
    }

    #[test]
    fn figure_4_the_periodical_lowest_rate_remembers_flows_that_have_just_ended() {
        let policy = policy();
        let mut sender = InitialRate::new(&policy, 0);
        sender.initial_bps(US, empty(), &policy);
        run(&mut sender, 100 * US, &[20.0, 20.0, 10.0], &policy);
        assert_eq!(sender.lowest_bps(empty()), 40e9);
        assert_eq!(sender.initial_bps(150 * US, empty(), &policy), 10e9);
        // At the end of a period without flows it is forgotten.
        run(&mut sender, 200 * US, &[], &policy);
        assert_eq!(sender.initial_bps(201 * US, empty(), &policy), 40e9);
    }

    #[test]
    fn the_virtual_flow_recovers_by_the_steps_of_its_controller() {
        let policy = policy();
        let mut sender = InitialRate::new(&policy, 0);
        sender.on_late_notification(0, 1.0, &policy);
        sender.on_late_notification(30 * US, 1.0, &policy);
        // Fast recovery: half-way to 20 Gb/s at each step.
        for (at, gbps) in [(329, 10.0), (330, 15.0), (630, 17.5), (930, 18.75)] {
            run(&mut sender, at * US, &[], &policy);
            assert_eq!(sender.virtual_bps(), gbps * 1e9, "{at} us");
        }
        run(&mut sender, 1530 * US, &[], &policy);
        assert_eq!(sender.virtual_bps(), LINE_BPS);
    }

    #[test]
    fn exactly_delta_after_the_last_that_counted_one_is_still_discarded() {
        let policy = policy();
        let mut sender = InitialRate::new(&policy, 0);
        let counted: Vec<bool> =
            [0, 10, 20, 21, 41, 42].map(|at| sender.on_late_notification(at * US, 1.0, &policy)).to_vec();
        assert_eq!(counted, [true, false, false, true, false, true]);
    }

    #[test]
    fn nothing_runs_for_a_destination_of_which_nothing_is_known() {
        let policy = policy();
        let mut sender = InitialRate::new(&policy, 0);
        assert_eq!(sender.next_ps(), NEVER_PS);
        sender.initial_bps(730 * US, empty(), &policy);
        assert_eq!(sender.next_ps(), 800 * US);
        run(&mut sender, 850 * US, &[40.0], &policy);
        assert_eq!(sender.next_ps(), 900 * US);
        run(&mut sender, 950 * US, &[], &policy);
        assert_eq!(sender.next_ps(), NEVER_PS);
        // A late notification wakes it, the reset puts it back to rest within a period.
        sender.on_late_notification(1000 * US, 1.0, &policy);
        run(&mut sender, 2600 * US, &[], &policy);
        assert_eq!((sender.next_ps(), sender.periodical_bps), (NEVER_PS, LINE_BPS));
    }

    #[test]
    fn echoes_cut_the_virtual_flow_at_once_and_quality_counts_for_qrdma() {
        for (control, expected_bps) in [
            (Control::Dcqcn(dcqcn::Parameters::hpcc(LINE_BPS)), 20e9),
            (Control::Qrdma(dcqcn::Parameters { quality_aware: true, ..dcqcn::Parameters::sigcomm15(LINE_BPS) }), 10e9),
        ] {
            let policy = Policy::new(&control, LINE_BPS, PARAMETERS);
            let mut sender = InitialRate::new(&policy, 0);
            sender.on_late_notification(0, 0.5, &policy);
            assert_eq!(sender.virtual_bps(), expected_bps);
        }
    }
}
