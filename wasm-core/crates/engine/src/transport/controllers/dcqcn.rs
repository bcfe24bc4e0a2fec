//! DCQCN (Zhu et al., "Congestion Control for Large-Scale RDMA Deployments", SIGCOMM 2015): the rate of a sender falls
//! with congestion notifications and recovers in three phases. Here is the sender, its reaction point.
//!
//! A cut sets the rate to R(1 − α/2), where α is a moving average of "there was a notification". Recovery steps follow a
//! timer and a count of bytes, both restarted by a cut. With T and B the steps each has caused since then, and F a number
//! of steps, the next step is
//!
//! - fast recovery while max(T, B) < F: half-way back to the target, the rate before the cut;
//! - hyper increase once min(T, B) > F: the target grows by R_HAI, or by i·R_HAI with i = min(T, B) − F;
//! - additive increase in between: the target grows by R_AI. The rate goes half-way to the target in all three.
//!
//! QRDMA (paper 1 eq. 6) multiplies the cut by min(1, Q).

use std::any::Any;

use crate::kernel::time::{NEVER_PS, PS_PER_US};
use crate::transport::controller::{
    ALPHA, Allowance, Cnp, CongestionControl, Listens, Metric, Metrics, Reports, Sent, Start, metrics,
};

/// A byte counter that never counts to its end: the timer alone leads from phase to phase.
pub const NO_BYTE_COUNTER: u64 = u64::MAX;

/// A rate that lacks less than this part of the line has recovered. Halving the distance never gets there.
const RECOVERED: f64 = 1e-6;

/// Bits per second in a megabit per second.
const MBPS: f64 = 1e6;
/// Bits per second in a gigabit per second.
const GBPS: f64 = 1e9;

/// R_T, to which the rate recovers.
const TARGET: Metric = Metric { name: "targetRateGbps", title: "Target rate", unit: "Gb/s" };

/// How a sender learns of marks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Feedback {
    /// The receiver sends notification packets (CNPs), at most one per connection and interval. Each cuts at once.
    Notifications,
    /// Every acknowledgement echoes the mark of its packet. The sender latches it and looks at the latch once per
    /// interval, as the simulator of HPCC (SIGCOMM 2019) does.
    Echo,
}

/// Parameters of a class.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Parameters {
    /// g, the weight of the newest interval in α.
    pub gain: f64,
    /// How marks reach the sender.
    pub feedback: Feedback,
    /// Least time between two notifications of a connection, or between two looks at the latch.
    pub decrease_interval_ps: u64,
    /// Time after which α takes in whether there was a notification.
    pub alpha_timer_ps: u64,
    /// Time between two recovery steps of the timer.
    pub increase_timer_ps: u64,
    /// Bytes sent between two recovery steps of the byte counter; [`NO_BYTE_COUNTER`] for none.
    pub byte_counter_bytes: u64,
    /// F, the steps of fast recovery.
    pub fast_recovery_steps: u32,
    /// R_AI, in bits per second.
    pub additive_increase_bps: f64,
    /// R_HAI, in bits per second.
    pub hyper_increase_bps: f64,
    /// Each step of hyper increase is larger than the last by R_HAI, as published. Otherwise all are R_HAI, as in network
    /// cards and in the simulator of HPCC.
    pub hyper_grows: bool,
    /// Floor of the rate, in bits per second.
    pub min_rate_bps: f64,
    /// Every cut takes the rate before it as the target. Otherwise only a cut after a recovery step does.
    pub clamp_target: bool,
    /// Cuts follow the quality factor of the class: QRDMA.
    pub quality_aware: bool,
    /// Rate of the sender's link, in bits per second.
    pub line_bps: f64,
}

impl Parameters {
    /// As deployed by the authors (SIGCOMM 2015). They give no deployed R_HAI and no least rate; 400 Mb/s, ten times
    /// R_AI as in QCN, and 10 Mb/s are those of our reference runs.
    pub fn sigcomm15(line_bps: f64) -> Self {
        Self {
            gain: 1.0 / 256.0,
            feedback: Feedback::Notifications,
            decrease_interval_ps: 50 * PS_PER_US,
            alpha_timer_ps: 55 * PS_PER_US,
            increase_timer_ps: 55 * PS_PER_US,
            byte_counter_bytes: 10_000_000,
            fast_recovery_steps: 5,
            additive_increase_bps: 40.0 * MBPS,
            hyper_increase_bps: 400.0 * MBPS,
            hyper_grows: true,
            min_rate_bps: 10.0 * MBPS,
            clamp_target: true,
            quality_aware: false,
            line_bps,
        }
    }

    /// Defaults of Mellanox (NVIDIA) ConnectX-4 and later, from the vendor's "DCQCN CC parameters". Rates do not scale
    /// with the line.
    ///
    /// - g is 5/1024 (`dce_tcp_g` 1019 is the weight of the past in 1024ths).
    /// - The least time between notifications is 0 or 4 us by firmware; a card cuts no more often than every 4 us, so 4.
    /// - `rpg_byte_reset` is 32767 in a unit that is not certain. Taken as bytes it would make a recovery step every 3 us
    ///   at 100 Gb/s and undo each cut before its effect is seen. The timer alone is used.
    pub fn vendor(line_bps: f64) -> Self {
        Self {
            gain: 5.0 / 1024.0,
            feedback: Feedback::Notifications,
            decrease_interval_ps: 4 * PS_PER_US,
            alpha_timer_ps: PS_PER_US,
            increase_timer_ps: 300 * PS_PER_US,
            byte_counter_bytes: NO_BYTE_COUNTER,
            fast_recovery_steps: 1,
            additive_increase_bps: 5.0 * MBPS,
            hyper_increase_bps: 50.0 * MBPS,
            hyper_grows: false,
            min_rate_bps: MBPS,
            clamp_target: false,
            quality_aware: false,
            line_bps,
        }
    }

    /// As the simulator of HPCC runs DCQCN (`run.py --cc dcqcn`): steps scale with the line from 25 Gb/s.
    pub fn hpcc(line_bps: f64) -> Self {
        let scale = line_bps / 25e9;
        Self {
            gain: 1.0 / 256.0,
            feedback: Feedback::Echo,
            decrease_interval_ps: 4 * PS_PER_US,
            alpha_timer_ps: PS_PER_US,
            increase_timer_ps: 300 * PS_PER_US,
            byte_counter_bytes: NO_BYTE_COUNTER,
            fast_recovery_steps: 1,
            additive_increase_bps: 5.0 * MBPS * scale,
            hyper_increase_bps: 50.0 * MBPS * scale,
            hyper_grows: false,
            min_rate_bps: 1000.0 * MBPS,
            clamp_target: false,
            quality_aware: false,
            line_bps,
        }
    }

    /// The factor of a cut beside α: min(1, `quality`) for QRDMA, none for DCQCN.
    fn factor(&self, quality: f64) -> f64 {
        if self.quality_aware { quality.min(1.0) } else { 1.0 }
    }

    /// `rate_bps` brought between the least rate and the line.
    fn bound(&self, rate_bps: f64) -> f64 {
        rate_bps.max(self.min_rate_bps).min(self.line_bps)
    }
}

/// Sender state of DCQCN.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Dcqcn {
    /// R_C.
    rate_bps: f64,
    /// R_T.
    target_bps: f64,
    /// α as of `alpha_ps`; what has decayed since is worked out when it is needed.
    alpha: f64,
    /// Notifications: when the last one came. Echo: the end of the last interval of α that is accounted for.
    alpha_ps: u64,
    /// Next recovery step of the timer, or never.
    increase_ps: u64,
    /// Echo: an instant at which the latch is looked at, the next one if `latched`.
    decrease_ps: u64,
    /// Bytes sent since the last recovery step of the byte counter.
    bytes: u64,
    /// T.
    timer_steps: u32,
    /// B.
    byte_steps: u32,
    /// There has been a notification.
    notified: bool,
    /// Echo: a mark was echoed since the last look.
    latched: bool,
    /// Echo: a mark was echoed in the present interval of α.
    marked: bool,
}

impl Dcqcn {
    /// A sender that begins at `initial_bps`. Below the line it recovers from the start, with the line as its target;
    /// the simulator of HPCC would leave it there until a first cut starts its timer.
    fn beginning(parameters: &Parameters, initial_bps: f64, now_ps: u64) -> Self {
        let mut sender = Self {
            rate_bps: parameters.bound(initial_bps),
            target_bps: parameters.line_bps,
            alpha: 1.0,
            alpha_ps: now_ps,
            increase_ps: NEVER_PS,
            decrease_ps: NEVER_PS,
            bytes: 0,
            timer_steps: 0,
            byte_steps: 0,
            notified: false,
            latched: false,
            marked: false,
        };
        sender.watch_recovery(now_ps, parameters);
        sender
    }

    /// Goes on under other parameters. α decays by them from the last notification on.
    fn apply_settings(&mut self, now_ps: u64, parameters: &Parameters) {
        self.rate_bps = parameters.bound(self.rate_bps);
        self.target_bps = parameters.bound(self.target_bps);
        match parameters.feedback {
            Feedback::Notifications => (self.latched, self.marked) = (false, false),
            Feedback::Echo if self.decrease_ps == NEVER_PS => self.decrease_ps = now_ps,
            Feedback::Echo => {}
        }
        // A longer or a shorter timer counts from now; a line that has become faster gives room to recover into.
        self.increase_ps = NEVER_PS;
        if self.rate_bps < parameters.line_bps && self.target_bps <= self.rate_bps {
            self.target_bps = parameters.line_bps;
        }
        self.watch_recovery(now_ps, parameters);
    }

    /// α at `now_ps`. It is 1 until the first notification, at which network cards set up their limiter.
    fn alpha_at(&self, now_ps: u64, parameters: &Parameters) -> f64 {
        let mut copy = *self;
        copy.settle_alpha(now_ps, parameters);
        copy.alpha
    }

    fn cut(&mut self, now_ps: u64, parameters: &Parameters, quality: f64) {
        if parameters.clamp_target || self.timer_steps > 0 || self.byte_steps > 0 {
            self.target_bps = self.rate_bps;
        }
        self.rate_bps = parameters.bound(self.rate_bps * (1.0 - self.alpha / 2.0) * quality);
        (self.bytes, self.timer_steps, self.byte_steps) = (0, 0, 0);
        self.increase_ps = NEVER_PS;
        self.watch_recovery(now_ps, parameters);
    }

    /// One recovery step. Which one depends on the steps before it.
    fn increase(&mut self, parameters: &Parameters) {
        let steps = parameters.fast_recovery_steps;
        let byte_steps =
            if parameters.byte_counter_bytes == NO_BYTE_COUNTER { self.timer_steps } else { self.byte_steps };
        let (fewest, most) = (self.timer_steps.min(byte_steps), self.timer_steps.max(byte_steps));
        if fewest > steps {
            let times = if parameters.hyper_grows { f64::from(fewest - steps) } else { 1.0 };
            self.target_bps += times * parameters.hyper_increase_bps;
        } else if most >= steps {
            self.target_bps += parameters.additive_increase_bps;
        }
        self.target_bps = self.target_bps.min(parameters.line_bps);
        self.rate_bps = f64::midpoint(self.rate_bps, self.target_bps);
    }

    /// Runs the timer while there is something to recover.
    fn watch_recovery(&mut self, now_ps: u64, parameters: &Parameters) {
        let line_bps = parameters.line_bps;
        if self.target_bps >= line_bps && line_bps - self.rate_bps <= RECOVERED * line_bps {
            (self.rate_bps, self.target_bps) = (line_bps, line_bps);
            self.increase_ps = NEVER_PS;
            self.bytes = 0;
        } else if self.increase_ps == NEVER_PS {
            self.increase_ps = now_ps + parameters.increase_timer_ps;
        }
    }

    /// Brings α to `now_ps`, by the intervals that have ended since. With notifications the interval is restarted by each
    /// of them; with echoes it runs freely from the first, and the first to end takes in what was echoed in it.
    fn settle_alpha(&mut self, now_ps: u64, parameters: &Parameters) {
        if !self.notified || now_ps < self.alpha_ps {
            return;
        }
        let mut ended = (now_ps - self.alpha_ps) / parameters.alpha_timer_ps;
        self.alpha_ps += ended * parameters.alpha_timer_ps;
        if ended > 0 && self.marked {
            self.alpha += parameters.gain * (1.0 - self.alpha);
            self.marked = false;
            ended -= 1;
        }
        self.alpha *= power(1.0 - parameters.gain, ended);
    }
}

impl CongestionControl for Dcqcn {
    type Parameters = Parameters;

    const METRICS: &'static [Metric] = &[ALPHA, TARGET];
    const LISTENS: Listens = Listens { acks: false, ..Listens::TO_ALL };

    fn new(parameters: &Parameters, start: &Start) -> Self {
        match start.learnt::<Self>() {
            Some(mut sender) => {
                sender.apply_settings(start.now_ps, parameters);
                sender
            }
            None => Self::beginning(parameters, start.initial_bps(), start.now_ps),
        }
    }

    fn learnt(&self) -> &dyn Any {
        self
    }

    #[inline]
    fn allowance(&self) -> Allowance {
        Allowance::rate(self.rate_bps)
    }

    /// A CNP cuts at once, an echo with the next look at the latch.
    fn on_cnp(&mut self, cnp: &Cnp, parameters: &Parameters) {
        let now_ps = cnp.now_ps;
        let is_first = !self.notified;
        if is_first {
            self.notified = true;
            self.alpha_ps = now_ps;
            self.target_bps = self.rate_bps;
        } else {
            self.settle_alpha(now_ps, parameters);
        }
        match parameters.feedback {
            Feedback::Notifications => {
                self.cut(now_ps, parameters, parameters.factor(cnp.quality));
                self.alpha += parameters.gain * (1.0 - self.alpha);
                self.alpha_ps = now_ps;
            }
            Feedback::Echo => {
                // The first one sets α instead of counting into it.
                self.marked = !is_first;
                if is_first {
                    self.decrease_ps = now_ps + parameters.decrease_interval_ps;
                } else if self.decrease_ps <= now_ps && !self.latched {
                    let passed = (now_ps - self.decrease_ps) / parameters.decrease_interval_ps;
                    self.decrease_ps += (passed + 1) * parameters.decrease_interval_ps;
                }
                self.latched = true;
            }
        }
    }

    #[inline]
    fn on_sent(&mut self, sent: &Sent, parameters: &Parameters) {
        if self.increase_ps == NEVER_PS || parameters.byte_counter_bytes == NO_BYTE_COUNTER {
            return;
        }
        self.bytes += u64::from(sent.bytes);
        while self.bytes >= parameters.byte_counter_bytes && self.increase_ps != NEVER_PS {
            self.bytes -= parameters.byte_counter_bytes;
            self.increase(parameters);
            self.byte_steps = self.byte_steps.saturating_add(1);
            self.watch_recovery(sent.now_ps, parameters);
        }
    }

    /// Does what is due at or before `now_ps`; a recovery step before a cut of the same instant.
    fn on_timer(&mut self, now_ps: u64, quality: f64, parameters: &Parameters) {
        loop {
            let due_ps = self.next_ps();
            if due_ps == NEVER_PS || due_ps > now_ps {
                return;
            }
            if due_ps == self.increase_ps {
                self.increase(parameters);
                self.timer_steps = self.timer_steps.saturating_add(1);
                self.increase_ps = due_ps + parameters.increase_timer_ps;
                self.watch_recovery(due_ps, parameters);
            } else {
                self.settle_alpha(due_ps, parameters);
                self.cut(due_ps, parameters, parameters.factor(quality));
                self.latched = false;
                self.decrease_ps = due_ps + parameters.decrease_interval_ps;
            }
        }
    }

    /// Never once rate and target are at the line.
    #[inline]
    fn next_ps(&self) -> u64 {
        if self.latched { self.increase_ps.min(self.decrease_ps) } else { self.increase_ps }
    }

    fn metrics(&self, now_ps: u64, parameters: &Parameters) -> Metrics {
        metrics([self.alpha_at(now_ps, parameters), self.target_bps / GBPS])
    }

    fn reports(parameters: &Parameters) -> Option<Reports> {
        Some(match parameters.feedback {
            Feedback::Notifications => Reports::Notifications { interval_ps: parameters.decrease_interval_ps },
            Feedback::Echo => Reports::Echo,
        })
    }

    fn recovery_ps(parameters: &Parameters) -> Option<u64> {
        Some(parameters.increase_timer_ps)
    }

    /// A virtual flow cuts at once, since one late notification in a while is what it is told of. It sends nothing, so its
    /// byte counter does not move.
    fn of_virtual_flow(parameters: &Parameters, recovery_ps: u64) -> Parameters {
        Parameters { feedback: Feedback::Notifications, increase_timer_ps: recovery_ps, ..*parameters }
    }
}

/// `base` to the power of `exponent` by repeated squaring: the same on every target, in at most 64 steps.
fn power(mut base: f64, mut exponent: u64) -> f64 {
    let mut result = 1.0;
    while exponent > 0 {
        if exponent & 1 == 1 {
            result *= base;
        }
        base *= base;
        exponent >>= 1;
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    const US: u64 = PS_PER_US;

    fn near(found: f64, expected: f64) {
        assert!((found / expected - 1.0).abs() < 1e-12, "found {found}, expected {expected}");
    }

    /// Runs the timers up to `until_ps`.
    fn run(sender: &mut Dcqcn, until_ps: u64, parameters: &Parameters) {
        while sender.next_ps() <= until_ps {
            sender.on_timer(sender.next_ps(), 1.0, parameters);
        }
    }

    #[test]
    fn begins_at_the_line_with_nothing_to_wait_for() {
        let parameters = Parameters::sigcomm15(40.0 * GBPS);
        let mut sender = Dcqcn::beginning(&parameters, parameters.line_bps, 0);
        sender.on_sent(&Sent { now_ps: US, bytes: u32::MAX }, &parameters);
        assert_eq!((sender.rate_bps, sender.next_ps()), (40.0 * GBPS, NEVER_PS));
        assert_eq!(sender.alpha_at(1000 * US, &parameters), 1.0);
    }

    #[test]
    fn the_first_notification_halves_and_five_steps_go_half_way_back() {
        let parameters = Parameters::sigcomm15(40.0 * GBPS);
        let mut sender = Dcqcn::beginning(&parameters, parameters.line_bps, 0);
        sender.on_cnp(&Cnp { now_ps: 10 * US, quality: 1.0 }, &parameters);
        assert_eq!((sender.rate_bps, sender.target_bps), (20.0 * GBPS, 40.0 * GBPS));
        assert_eq!(sender.next_ps(), 65 * US);
        // A second one before any step: the target is clamped to 20.
        sender.on_cnp(&Cnp { now_ps: 60 * US, quality: 1.0 }, &parameters);
        assert_eq!((sender.rate_bps, sender.target_bps), (10.0 * GBPS, 20.0 * GBPS));
        for (step, rate) in [(1, 15.0), (2, 17.5), (3, 18.75), (4, 19.375), (5, 19.6875)] {
            sender.on_timer((60 + step * 55) * US, 1.0, &parameters);
            assert_eq!((sender.rate_bps, sender.target_bps), (rate * GBPS, 20.0 * GBPS), "step {step}");
        }
        // The sixth is additive: the target grows by 40 Mb/s. Without bytes it stays so.
        sender.on_timer((60 + 6 * 55) * US, 1.0, &parameters);
        near(sender.target_bps, 20.04 * GBPS);
        near(sender.rate_bps, f64::midpoint(19.6875, 20.04) * GBPS);
        run(&mut sender, (60 + 26 * 55) * US, &parameters);
        near(sender.target_bps, (20.0 + 21.0 * 0.04) * GBPS);
    }

    #[test]
    fn hyper_increase_needs_both_stages_and_grows_with_them() {
        let parameters = Parameters { fast_recovery_steps: 2, ..Parameters::sigcomm15(100.0 * GBPS) };
        let mut sender = Dcqcn::beginning(&parameters, parameters.line_bps, 0);
        sender.on_cnp(&Cnp { now_ps: 0, quality: 1.0 }, &parameters);
        sender.on_cnp(&Cnp { now_ps: 0, quality: 1.0 }, &parameters);
        // Three steps of the byte counter: two of recovery, one additive. Then three of the timer: additive, too.
        sender.on_sent(&Sent { now_ps: US, bytes: 30_000_000 }, &parameters);
        near(sender.target_bps, 50.04 * GBPS);
        run(&mut sender, 3 * 55 * US, &parameters);
        near(sender.target_bps, 50.16 * GBPS);
        // T = B = 3 now, i = 1; one byte step later still min = 3; one timer step later i = 1, and then 2.
        sender.on_sent(&Sent { now_ps: 166 * US, bytes: 10_000_000 }, &parameters);
        near(sender.target_bps, 50.56 * GBPS);
        run(&mut sender, 4 * 55 * US, &parameters);
        near(sender.target_bps, 50.96 * GBPS);
        run(&mut sender, 5 * 55 * US, &parameters);
        near(sender.target_bps, 51.76 * GBPS);
    }

    #[test]
    fn the_timer_alone_leads_through_the_phases_where_no_bytes_are_counted() {
        let parameters = Parameters::hpcc(100.0 * GBPS);
        let mut sender = Dcqcn::beginning(&parameters, parameters.line_bps, 0);
        sender.on_cnp(&Cnp { now_ps: 0, quality: 1.0 }, &parameters);
        run(&mut sender, 4 * US, &parameters);
        // As an earlier cut would have left it.
        sender.target_bps = 80.0 * GBPS;
        for (step, target) in [(1, 80.0), (2, 80.02), (3, 80.22), (4, 80.42)] {
            run(&mut sender, (4 + step * 300) * US, &parameters);
            near(sender.target_bps, target * GBPS);
        }
    }

    #[test]
    fn a_cut_restarts_the_timer_and_the_byte_counter() {
        let parameters = Parameters::sigcomm15(40.0 * GBPS);
        let mut sender = Dcqcn::beginning(&parameters, parameters.line_bps, 0);
        sender.on_cnp(&Cnp { now_ps: 0, quality: 1.0 }, &parameters);
        sender.on_sent(&Sent { now_ps: US, bytes: 9_999_999 }, &parameters);
        sender.on_cnp(&Cnp { now_ps: 50 * US, quality: 1.0 }, &parameters);
        assert_eq!(sender.next_ps(), 105 * US);
        sender.on_sent(&Sent { now_ps: 51 * US, bytes: 9_999_999 }, &parameters);
        assert_eq!(sender.rate_bps, 10.0 * GBPS);
        sender.on_sent(&Sent { now_ps: 52 * US, bytes: 1 }, &parameters);
        assert_eq!(sender.rate_bps, 15.0 * GBPS);
    }

    #[test]
    fn recovers_to_the_line_and_rests_there() {
        let parameters = Parameters::sigcomm15(10.0 * GBPS);
        let mut sender = Dcqcn::beginning(&parameters, parameters.line_bps, 0);
        sender.on_cnp(&Cnp { now_ps: 0, quality: 1.0 }, &parameters);
        let mut steps = 0;
        while sender.next_ps() != NEVER_PS {
            sender.on_timer(sender.next_ps(), 1.0, &parameters);
            steps += 1;
        }
        // The distance of half a line falls below a millionth of it after 19 halvings.
        assert_eq!((steps, sender.rate_bps, sender.target_bps), (19, 10.0 * GBPS, 10.0 * GBPS));
    }

    #[test]
    fn begins_to_recover_at_once_when_it_starts_below_the_line() {
        let parameters = Parameters::hpcc(40.0 * GBPS);
        let mut sender = Dcqcn::beginning(&parameters, 10.0 * GBPS, 7 * US);
        assert_eq!((sender.rate_bps, sender.target_bps), (10.0 * GBPS, 40.0 * GBPS));
        assert_eq!(sender.next_ps(), 307 * US);
        sender.on_timer(307 * US, 1.0, &parameters);
        assert_eq!(sender.rate_bps, 25.0 * GBPS);
    }

    #[test]
    fn alpha_decays_by_whole_timers_since_the_last_notification() {
        let parameters = Parameters { gain: 0.5, ..Parameters::sigcomm15(40.0 * GBPS) };
        let mut sender = Dcqcn::beginning(&parameters, parameters.line_bps, 0);
        sender.on_cnp(&Cnp { now_ps: 10 * US, quality: 1.0 }, &parameters);
        let alpha: Vec<f64> = [64, 65, 119, 120, 175].map(|at| sender.alpha_at(at * US, &parameters)).to_vec();
        assert_eq!(alpha, [1.0, 0.5, 0.5, 0.25, 0.125]);
        // The next one comes 2.5 timers later: cut by 0.25 / 2, then α = 0.25 / 2 + 1/2, and the timer starts anew.
        let before = sender.rate_bps;
        sender.on_cnp(&Cnp { now_ps: 10 * US + 55 * US * 5 / 2, quality: 1.0 }, &parameters);
        assert_eq!(sender.rate_bps, before * 0.875);
        assert_eq!(sender.alpha_at(202 * US, &parameters), 0.625);
        assert_eq!(sender.alpha_at(203 * US, &parameters), 0.3125);
    }

    #[test]
    fn alpha_worked_out_late_is_what_a_timer_would_have_made_it() {
        for timers in [0, 1, 2, 3, 7, 64, 1000, 12_345] {
            let parameters = Parameters::vendor(100.0 * GBPS);
            let mut sender = Dcqcn::beginning(&parameters, parameters.line_bps, 0);
            sender.on_cnp(&Cnp { now_ps: 0, quality: 1.0 }, &parameters);
            let expected = (0..timers).fold(1.0, |alpha, _| alpha * (1.0 - parameters.gain));
            let found = sender.alpha_at(timers * US + US / 2, &parameters);
            assert!((found - expected).abs() <= 1e-9 * expected, "{timers} timers: {found} and {expected}");
        }
    }

    #[test]
    fn echoes_are_looked_at_once_per_interval_that_runs_freely_from_the_first() {
        let parameters = Parameters::hpcc(100.0 * GBPS);
        let decay = 1.0 - parameters.gain;
        let mut sender = Dcqcn::beginning(&parameters, parameters.line_bps, 0);
        sender.on_cnp(&Cnp { now_ps: 10 * US, quality: 1.0 }, &parameters);
        assert_eq!((sender.rate_bps, sender.next_ps()), (100.0 * GBPS, 14 * US));
        // The first one set α to 1; four intervals without a mark have ended when the cut is made.
        sender.on_timer(14 * US, 1.0, &parameters);
        near(sender.rate_bps, 100.0 * GBPS * (1.0 - decay * decay * decay * decay / 2.0));
        // Nothing latched: only the recovery timer, which the cut has started.
        assert_eq!(sender.next_ps(), 314 * US);
        // However many echoes come between 18 and 22, the cut is at 22.
        for at in [19, 20, 21] {
            sender.on_cnp(&Cnp { now_ps: at * US, quality: 1.0 }, &parameters);
            assert_eq!(sender.next_ps(), 22 * US);
        }
    }

    #[test]
    fn alpha_takes_in_each_interval_with_an_echo_once() {
        let parameters = Parameters { gain: 0.5, ..Parameters::hpcc(100.0 * GBPS) };
        let mut sender = Dcqcn::beginning(&parameters, parameters.line_bps, 0);
        sender.on_cnp(&Cnp { now_ps: 0, quality: 1.0 }, &parameters);
        assert_eq!(sender.alpha_at(US, &parameters), 0.5);
        // Two echoes in the second interval: 0.5 becomes 0.75 at its end, and half as much at that of the third.
        sender.on_cnp(&Cnp { now_ps: US + 1, quality: 1.0 }, &parameters);
        sender.on_cnp(&Cnp { now_ps: US + 2, quality: 1.0 }, &parameters);
        let alpha: Vec<f64> = [1, 2, 3].map(|at| sender.alpha_at(at * US + 3, &parameters)).to_vec();
        assert_eq!(alpha, [0.5, 0.75, 0.375]);
    }

    #[test]
    fn an_unclamped_target_stays_through_cuts_that_follow_each_other() {
        let parameters = Parameters::vendor(40.0 * GBPS);
        let mut sender = Dcqcn::beginning(&parameters, parameters.line_bps, 0);
        sender.on_cnp(&Cnp { now_ps: 0, quality: 1.0 }, &parameters);
        sender.on_cnp(&Cnp { now_ps: 4 * US, quality: 1.0 }, &parameters);
        assert_eq!(sender.target_bps, 40.0 * GBPS);
        // After a step of recovery the rate before the cut is the target.
        sender.on_timer(304 * US, 1.0, &parameters);
        let recovered = sender.rate_bps;
        sender.on_cnp(&Cnp { now_ps: 305 * US, quality: 1.0 }, &parameters);
        assert_eq!(sender.target_bps, recovered);
    }

    #[test]
    fn quality_makes_the_cut_larger_and_the_floor_holds() {
        let parameters = Parameters { quality_aware: true, ..Parameters::sigcomm15(40.0 * GBPS) };
        let mut sender = Dcqcn::beginning(&parameters, parameters.line_bps, 0);
        sender.on_cnp(&Cnp { now_ps: 0, quality: 0.8 }, &parameters);
        assert_eq!((sender.rate_bps, sender.target_bps), (16.0 * GBPS, 40.0 * GBPS));
        (0..20).for_each(|_| sender.on_cnp(&Cnp { now_ps: 0, quality: 0.8 }, &parameters));
        assert_eq!(sender.rate_bps, 10.0 * MBPS);
    }

    #[test]
    fn goes_on_at_its_rate_under_other_parameters() {
        let parameters = Parameters::sigcomm15(40.0 * GBPS);
        let mut sender = Dcqcn::beginning(&parameters, parameters.line_bps, 0);
        sender.apply_settings(US, &Parameters::sigcomm15(100.0 * GBPS));
        assert_eq!((sender.rate_bps, sender.target_bps), (40.0 * GBPS, 100.0 * GBPS));
        assert_eq!(sender.next_ps(), 56 * US);
        sender.apply_settings(2 * US, &Parameters::hpcc(10.0 * GBPS));
        assert_eq!((sender.rate_bps, sender.next_ps()), (10.0 * GBPS, NEVER_PS));
        sender.on_cnp(&Cnp { now_ps: 3 * US, quality: 1.0 }, &Parameters::hpcc(10.0 * GBPS));
        assert_eq!(sender.next_ps(), 7 * US);
    }
}
