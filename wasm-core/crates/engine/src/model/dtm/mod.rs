//! The discrete-time model (DTM) of classes that share a bottleneck.
//!
//! Difference equations, one step per round trip, for the window, round trip, queue, marked share and quality factor of
//! every class: paper 1, section 3.1.2, eqs. 7-17, and paper 2, section IV, eqs. 8-18, which number the same equations
//! one higher from the marking on. A class stands for all its connections; its window is their sum.
//!
//! Where the papers leave a choice, both readings are here: when a window counts as congested ([`CutRule`]) and how the
//! shared queue drains ([`Drain`]). What goes beyond them is said at each item: several connections per class, a Q that
//! is smoothed or held for some round trips, RED marking, a finite buffer, slow start, rate control with a timer.
//!
//! **The clock.** The papers count slots of one round trip and leave open what a slot is when round trips differ. Here
//! a common slot lasts as long as the shortest own slot of any class. In it a class sends the fraction of its window
//! that the slot is of its own round trip, and it takes its decisions when its own round trip has passed, on the marks of
//! all of it. With equal round trips this is the published recursion, step for step.
//!
//! Units: packets, seconds, packets per second.

mod convergence;
mod parameters;
#[cfg(test)]
mod tests;

pub use crate::qos::rules::{DeficitRule, GrowthSlot};
pub use convergence::{Convergence, ConvergenceSearch, Criterion, converge, convergence_slot};
pub use parameters::{Class, Control, CutRule, Drain, Initial, Load, Marking, Objective, Pacing, Parameters};

/// What the model knows of a class after a slot.
#[derive(Clone, Debug, PartialEq)]
pub struct ClassState {
    /// Packets on the way, W: the computed window, or what there was to send if that is less (paper 1 eq. 17). For a
    /// paced class: its rate times its round trip.
    pub window_packets: f64,
    /// Round trip R of the present own slot (paper 1 eq. 13).
    pub rtt_s: f64,
    /// Packets of the class in the queue of the bottleneck, q.
    pub queue_packets: f64,
    /// Moving average of the marked share, alpha (paper 1 eq. 11).
    pub alpha: f64,
    /// Quality factor Q: above 1 the class has less than its target (paper 1 eq. 10).
    pub quality: f64,
    /// Share of the bottleneck the class aims at, C_i (paper 1 eq. 9).
    pub share_pps: f64,
    /// Rate at which packets of the class left the bottleneck in the last slot.
    pub throughput_pps: f64,
    /// Packets that have arrived and are not sent yet, U (paper 1 eq. 16).
    pub untransmitted_packets: f64,
    /// Whether the class takes part: it has packets to send, or may get some.
    pub active: bool,
    previous_share_pps: f64,
    /// W / R.
    rate_pps: f64,
    /// Throughput or latency, smoothed.
    measured: Option<f64>,
    /// Measurements of the own slots since Q was renewed, and their number.
    sum: f64,
    slots: u32,
    /// A decision was taken in this slot.
    decided: bool,
    slow_start: bool,
    /// Own slots that have passed since the last decision; a decision is due at 1.
    phase: f64,
    /// Part of the own slot that the last common slot was.
    fraction: f64,
    /// Marked share of each part of the own slot so far, times that part.
    marks: f64,
    /// Parts of the own slot so far.
    weight: f64,
    congested: bool,
    lost: bool,
    /// Marks that a connection may expect since it last saw one, at most one for each own slot. It sees one when this
    /// reaches 1.
    expected: f64,
    /// Rate control.
    pace: Pace,
}

/// What a rate control remembers: rates are sums over the connections of the class.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Pace {
    /// Rate that is allowed, R_C.
    rate_pps: f64,
    /// Rate that recovery heads for, R_T.
    target_pps: f64,
    /// Time and packets of one connection since the last cut.
    recovering_s: f64,
    recovering_packets: f64,
    /// Steps of recovery since the last cut, by the timer and by the counter.
    timer_steps: f64,
    counter_steps: f64,
}

impl Pace {
    fn new(rate_pps: f64) -> Self {
        Self {
            rate_pps,
            target_pps: rate_pps,
            recovering_s: 0.0,
            recovering_packets: 0.0,
            timer_steps: 0.0,
            counter_steps: 0.0,
        }
    }
}

/// A class whose load has stopped is done when it has less than this many packets to send.
const NOTHING_LEFT: f64 = 1e-3;

/// The recursion. Plain data: a clone is a checkpoint.
#[derive(Clone, Debug, PartialEq)]
pub struct Model {
    parameters: Parameters,
    classes: Vec<ClassState>,
    mark_probability: f64,
    queue_packets: f64,
    dropped_packets: f64,
    slot: u64,
    start_s: f64,
    length_s: f64,
}

impl Model {
    /// The model in its initial state: equal windows, no marks seen (paper 2, after eq. 15).
    pub fn new(parameters: Parameters, initial: Initial) -> Self {
        let active = parameters.classes.iter().filter(|class| class.load.flows()).count() as f64;
        let queue = match initial {
            Initial::Threshold => parameters.threshold_packets / active,
            Initial::OnePacket => 1.0,
        };
        let total = if active > 0.0 { queue * active } else { 0.0 };
        let wishes: f64 = parameters.classes.iter().map(Class::wish).sum();
        let classes = parameters.classes.iter().map(|class| {
            let active_class = class.load.flows();
            let rtt_s = 2.0 * class.baseline_s + total / parameters.capacity_pps;
            let fair_pps = if active_class { parameters.capacity_pps / active } else { 0.0 };
            let untransmitted_packets = class.load.rate_pps() * rtt_s;
            ClassState {
                window_packets: class.load.limit(rtt_s * fair_pps, untransmitted_packets),
                rtt_s,
                queue_packets: if active_class { queue } else { 0.0 },
                alpha: 0.0,
                quality: f64::NAN,
                share_pps: parameters.target_pps * class.wish() / wishes,
                throughput_pps: 0.0,
                untransmitted_packets,
                active: active_class,
                previous_share_pps: 0.0,
                rate_pps: class.load.limit(rtt_s * fair_pps, untransmitted_packets) / rtt_s,
                measured: None,
                sum: 0.0,
                slots: 0,
                decided: false,
                slow_start: false,
                phase: 1.0,
                fraction: 1.0,
                marks: 0.0,
                weight: 0.0,
                congested: false,
                lost: false,
                expected: 0.0,
                pace: Pace::new(fair_pps),
            }
        });
        Self {
            classes: classes.collect(),
            parameters,
            mark_probability: 0.0,
            queue_packets: total,
            dropped_packets: 0.0,
            slot: 0,
            start_s: 0.0,
            length_s: 0.0,
        }
    }

    /// Goes on with other parameters from the present state. Classes are matched by position, their number being kept.
    ///
    /// A class that becomes active starts with its initial window in slow start. One that turns idle stops sending.
    pub fn set_parameters(&mut self, parameters: Parameters) {
        assert_eq!(parameters.classes.len(), self.classes.len(), "the number of classes is fixed");
        self.parameters = parameters;
    }

    /// Hands `packets` to a class of open load to send, beside those that arrive.
    pub fn hand_over(&mut self, class: usize, packets: f64) {
        self.classes[class].untransmitted_packets += packets;
    }

    /// Computes the next slot.
    pub fn step(&mut self) {
        self.step_with_arrivals(|_, _| None);
    }

    /// Computes the next slot with packets that arrive as `arrivals(class, seconds)` says: M - 1 of paper 1 eqs. 15-16.
    /// `None` takes the mean of the class's load, as if the gaps were constant.
    pub fn step_with_arrivals(&mut self, mut arrivals: impl FnMut(usize, f64) -> Option<f64>) {
        if self.length_s > 0.0 {
            self.start_s += self.length_s;
            self.slot += 1;
        }
        let queueing_s = self.queue_packets / self.parameters.capacity_pps;
        let marked = self.parameters.mark_probability(self.queue_packets);
        self.mark_probability = marked;
        self.share(queueing_s);

        let max_rtt_s = self.max_rtt_s();
        let carried_pps: f64 = self.classes.iter().map(|state| state.throughput_pps).sum();
        let mut length_s = f64::INFINITY;
        for (class, state) in self.parameters.classes.iter().zip(&mut self.classes).filter(|(_, state)| state.active) {
            state.marks += marked * state.fraction;
            state.weight += state.fraction;
            state.congested |= marked > 0.0;
            state.decided = state.phase >= 1.0;
            if state.decided {
                let spare_pps = self.parameters.capacity_pps - (carried_pps - state.throughput_pps);
                decide(&self.parameters, class, state, Surroundings { queueing_s, spare_pps, max_rtt_s });
            }
            length_s = length_s.min(class.own_slot_s(state.rtt_s));
        }
        if length_s == f64::INFINITY {
            // Nobody sends: the clock goes on by the shortest empty round trip.
            length_s = self.parameters.classes.iter().map(|class| 2.0 * class.baseline_s).fold(length_s, f64::min);
        }
        self.length_s = length_s;

        let mut total = 0.0;
        for (index, (class, state)) in self.parameters.classes.iter().zip(&mut self.classes).enumerate() {
            let mut sent = state.rate_pps * length_s;
            if let Load::Open { pps } = class.load {
                sent = sent.min(state.untransmitted_packets);
                state.untransmitted_packets += arrivals(index, length_s).unwrap_or(pps * length_s) - sent;
            }
            let own_slot_s = class.own_slot_s(state.rtt_s);
            state.fraction = if own_slot_s == length_s { 1.0 } else { length_s / own_slot_s };
            state.phase += state.fraction;
            state.queue_packets += sent;
            total += state.queue_packets;
        }
        self.drain(total, length_s);
    }

    /// Longest round trip of the QTCP classes that take part.
    fn max_rtt_s(&self) -> f64 {
        let classes = self.parameters.classes.iter().zip(&self.classes);
        let growing = classes.filter(|(class, state)| state.active && class.control == Control::Qtcp);
        growing.map(|(_, state)| state.rtt_s).fold(0.0, f64::max)
    }

    /// Empties the queue for one slot: what stays is q(n) (paper 1 eq. 14, paper 2 eq. 15, or the shared FIFO).
    fn drain(&mut self, total: f64, length_s: f64) {
        let carried = self.parameters.capacity_pps * length_s;
        let kept = if total > carried { 1.0 - carried / total } else { 0.0 };
        let per_second = 1.0 / length_s;
        let mut left = 0.0;
        for state in &mut self.classes {
            let before = state.queue_packets;
            let after = match self.parameters.drain {
                Drain::Fifo => before * kept,
                Drain::Published if !state.active => (before - carried).max(0.0),
                Drain::Published => (before - state.previous_share_pps * length_s).max(0.0),
            };
            state.throughput_pps = (before - after) * per_second;
            state.queue_packets = after;
            left += after;
        }
        if left > self.parameters.buffer_packets {
            let fits = self.parameters.buffer_packets / left;
            self.dropped_packets += left - self.parameters.buffer_packets;
            for state in &mut self.classes {
                state.queue_packets *= fits;
                state.lost = true;
            }
            left = self.parameters.buffer_packets;
        }
        self.queue_packets = left;
    }

    /// Starts and stops classes, and updates what each aims at: C_i(n), a share among those that take part (paper 1 eq. 9,
    /// paper 2 eq. 10). Classes that aim at a latency come first; what they leave is shared.
    fn share(&mut self, queueing_s: f64) {
        let mut ratios = 0.0;
        let mut shared_pps = self.parameters.target_pps;
        for (class, state) in self.parameters.classes.iter().zip(&mut self.classes) {
            state.follow(class, queueing_s);
            ratios += if state.active { class.ratio() } else { 0.0 };
            if let (true, Objective::Latency { .. }) = (state.active, class.objective) {
                shared_pps -= state.throughput_pps;
            }
        }
        let unit_pps = shared_pps.max(0.0) / ratios;
        for (class, state) in self.parameters.classes.iter().zip(&mut self.classes) {
            let wanted = match class.objective {
                Objective::Throughput { .. } if !state.active => Some(0.0),
                Objective::Throughput { ratio } => Some(unit_pps * ratio),
                Objective::Latency { .. } => None,
            };
            if let Some(share_pps) = wanted {
                state.previous_share_pps = state.share_pps;
                state.share_pps = share_pps;
            }
            if self.slot == 0 {
                state.previous_share_pps = state.share_pps;
            }
        }
    }

    /// The parameters in force.
    pub fn parameters(&self) -> &Parameters {
        &self.parameters
    }

    /// The classes, as they are after the last slot.
    pub fn classes(&self) -> &[ClassState] {
        &self.classes
    }

    /// Quality factors, by class, against what a class asks for: one whose arrivals stay below its share has them as its target, as
    /// in the simulation. Cuts follow [`ClassState::quality`], which is against the share.
    pub fn qualities_of_demand(&self) -> impl Iterator<Item = f64> {
        self.classes.iter().zip(&self.parameters.classes).map(|(state, class)| {
            let asked_pps = match (class.objective, class.load) {
                (Objective::Throughput { .. }, Load::Open { pps }) if pps > 0.0 => pps.min(state.share_pps),
                _ => return state.quality,
            };
            state.quality * asked_pps / state.share_pps
        })
    }

    /// Share of the packets that are marked in the present slot, p (paper 1 eq. 8, paper 2 eq. 9).
    pub fn mark_probability(&self) -> f64 {
        self.mark_probability
    }

    /// Packets in the queue of the bottleneck at the end of the slot, B.
    pub fn queue_packets(&self) -> f64 {
        self.queue_packets
    }

    /// Packets that found no room since the start.
    pub fn dropped_packets(&self) -> f64 {
        self.dropped_packets
    }

    /// Number of the present common slot, from 0.
    pub fn slot(&self) -> u64 {
        self.slot
    }

    /// Start of the present common slot, in seconds.
    pub fn start_s(&self) -> f64 {
        self.start_s
    }

    /// End of the present common slot, in seconds.
    pub fn end_s(&self) -> f64 {
        self.start_s + self.length_s
    }
}

impl ClassState {
    /// Whether a connection that sent so many packets sees a mark, a share `marked` of all having been marked. It follows
    /// from how many it may expect, so that nothing is drawn by chance.
    fn sees_mark(&mut self, packets: f64, marked: f64) -> bool {
        self.expected += 1.0 - libm::pow(1.0 - marked, packets);
        let seen = self.expected >= 1.0;
        self.expected -= f64::from(u8::from(seen));
        seen
    }

    /// Lets the class start or stop as its load says. A start is in slow start from the initial window.
    fn follow(&mut self, class: &Class, queueing_s: f64) {
        let active = match class.load {
            Load::Idle => false,
            load => load.flows() || self.untransmitted_packets > NOTHING_LEFT,
        };
        if !active {
            self.window_packets = 0.0;
            self.rate_pps = 0.0;
            self.quality = f64::NAN;
        } else if !self.active {
            let rtt_s = 2.0 * class.baseline_s + queueing_s;
            // Windows start in slow start, rates at that of the link, with the alpha that halves at the first cut.
            let (rate_pps, alpha) = match class.control {
                Control::Dctcp | Control::Qtcp => (class.initial_window_packets / rtt_s, 0.0),
                Control::Dcqcn(pacing) | Control::Qrdma(pacing) => (pacing.line_pps * class.connections, 1.0),
            };
            *self = Self {
                window_packets: rate_pps * rtt_s,
                rtt_s,
                queue_packets: self.queue_packets,
                untransmitted_packets: self.untransmitted_packets,
                rate_pps,
                expected: 0.0,
                pace: Pace::new(rate_pps),
                slow_start: true,
                alpha,
                measured: None,
                sum: 0.0,
                slots: 0,
                phase: 0.0,
                fraction: 0.0,
                marks: 0.0,
                weight: 0.0,
                congested: false,
                lost: false,
                ..*self
            };
        }
        self.active = active;
    }
}

/// What a class finds around it.
struct Surroundings {
    /// Time a packet waits at the bottleneck.
    queueing_s: f64,
    /// Capacity that the other classes leave.
    spare_pps: f64,
    /// Longest round trip of the QTCP classes.
    max_rtt_s: f64,
}

/// What a class decides once per own slot, in the order of the papers: Q, alpha, window, round trip.
fn decide(parameters: &Parameters, class: &Class, state: &mut ClassState, around: Surroundings) {
    let Surroundings { queueing_s, spare_pps, max_rtt_s } = around;
    let marked = if state.weight == 1.0 { state.marks } else { state.marks / state.weight.max(f64::MIN_POSITIVE) };
    measure(class, state, spare_pps);
    if let Objective::Latency { .. } = class.objective {
        state.previous_share_pps = state.share_pps;
        state.share_pps = state.rate_pps;
    }
    let slack = match class.control {
        Control::Qtcp | Control::Qrdma(_) => state.quality.min(1.0),
        Control::Dctcp | Control::Dcqcn(_) => 1.0,
    };
    // Paper 1 eqs. 5, 6 and 12, paper 2 eqs. 7 and 13. A loss halves, as in any TCP.
    let cut = |state: &ClassState| if state.lost { 0.5 } else { (1.0 - state.alpha / 2.0) * slack };
    let rtt_s = 2.0 * class.baseline_s + queueing_s;
    let window = match class.control {
        Control::Dctcp | Control::Qtcp => {
            state.alpha += class.gain * (marked - state.alpha);
            let congested = match parameters.cut {
                // A step marks many packets or none, a slope perhaps one in many windows.
                CutRule::MarkSeen if matches!(parameters.marking, Marking::Red { .. }) => {
                    state.sees_mark(state.window_packets / class.connections.max(1.0), marked)
                }
                CutRule::MarkSeen => state.congested,
                CutRule::AlphaAbove(epsilon) => state.alpha > epsilon,
            };
            let held = class.control == Control::Qtcp
                && parameters.deficit == DeficitRule::Hold
                && state.quality > 1.0
                && !(state.slow_start || state.lost);
            let growth = match (class.control, parameters.growth) {
                (Control::Qtcp, GrowthSlot::OwnRtt) => 1.0,
                (Control::Qtcp, GrowthSlot::LongestRtt) => state.rtt_s / max_rtt_s.max(state.rtt_s),
                _ => class.connections,
            };
            if congested && held {
                state.window_packets
            } else if congested || state.lost {
                state.slow_start = false;
                state.window_packets * cut(state)
            } else if state.slow_start {
                state.window_packets * 2.0
            } else {
                state.window_packets + growth
            }
        }
        Control::Dcqcn(pacing) | Control::Qrdma(pacing) => {
            // At most one notification comes back in an interval (paper 1, after eq. 3).
            let packets = state.rate_pps * pacing.interval_s / class.connections.max(1.0);
            if state.sees_mark(packets, marked) || state.lost {
                let reduced_pps = state.pace.rate_pps * cut(state);
                state.pace = Pace { target_pps: state.pace.rate_pps, ..Pace::new(reduced_pps) };
                state.alpha += class.gain * (1.0 - state.alpha);
            } else {
                recover(&pacing, class, state);
                state.alpha *= libm::pow(1.0 - class.gain, pacing.interval_s / pacing.alpha_interval_s);
            }
            let (least, most) = (pacing.min_pps * class.connections, pacing.line_pps * class.connections);
            state.pace.rate_pps = state.pace.rate_pps.min(most).max(least);
            state.pace.target_pps = state.pace.target_pps.min(most);
            state.pace.rate_pps * rtt_s
        }
    };
    let window = match class.control {
        Control::Dctcp | Control::Qtcp => window.min(class.maximum_window_packets).max(class.minimum_window_packets),
        Control::Dcqcn(_) | Control::Qrdma(_) => window,
    };
    // A paced class has its backlog to send within its interval, a windowed one within its round trip.
    let own_slot_s = class.own_slot_s(rtt_s);
    let horizon = if own_slot_s == rtt_s { 1.0 } else { rtt_s / own_slot_s };
    state.window_packets = class.load.limit(window, state.untransmitted_packets * horizon);
    state.rtt_s = rtt_s;
    state.rate_pps = state.window_packets / rtt_s;
    state.phase -= 1.0;
    state.marks = 0.0;
    state.weight = 0.0;
    state.congested = false;
    state.lost = false;
}

/// Measures throughput or latency and computes Q from it (paper 1 eqs. 1, 2 and 10; paper 2 eq. 11). `spare_pps` is the
/// capacity that the other classes leave.
fn measure(class: &Class, state: &mut ClassState, spare_pps: f64) {
    let found = match class.objective {
        Objective::Throughput { .. } => state.rate_pps,
        // A request finds what waits of its class before it, and is sent at what the others leave.
        Objective::Latency { request_packets, .. } if request_packets > 0.0 => {
            let before = state.queue_packets + (state.untransmitted_packets - state.window_packets).max(0.0);
            class.baseline_s + (before + request_packets) / state.rate_pps.max(spare_pps)
        }
        Objective::Latency { .. } if state.previous_share_pps > 0.0 => {
            class.baseline_s + state.queue_packets / state.previous_share_pps
        }
        Objective::Latency { .. } => class.baseline_s,
    };
    state.sum += found;
    state.slots += 1;
    let renewed = state.measured.is_none() || state.slots >= class.update_interval_slots;
    if !renewed {
        return;
    }
    let mean = if state.slots == 1 { state.sum } else { state.sum / f64::from(state.slots) };
    let smoothed = (1.0 - class.smoothing) * mean + class.smoothing * state.measured.unwrap_or(mean);
    state.quality = match class.objective {
        Objective::Throughput { .. } => state.share_pps / smoothed.max(f64::MIN_POSITIVE),
        Objective::Latency { target_s, .. } => smoothed / target_s,
    };
    state.measured = Some(smoothed);
    state.sum = 0.0;
    state.slots = 0;
}

/// Rate after an interval without a notification: DCQCN's recovery towards the rate before the cut and then beyond it, by
/// its timer and its counter of packets (Zhu et al., SIGCOMM 2015, section 5.1; paper 1, after eq. 6).
fn recover(pacing: &Pacing, class: &Class, state: &mut ClassState) {
    let Pace { ref mut recovering_s, ref mut recovering_packets, .. } = state.pace;
    *recovering_s += pacing.interval_s;
    *recovering_packets += state.rate_pps * pacing.interval_s / class.connections;
    let timer_steps = libm::floor(*recovering_s / pacing.increase_interval_s);
    let counter_steps = libm::floor(*recovering_packets / pacing.increase_packets);
    let first = f64::from(pacing.fast_recoveries);
    // The connections of a QRDMA class share a step.
    let growing = if let Control::Qrdma(_) = class.control { 1.0 } else { class.connections };
    while state.pace.timer_steps < timer_steps || state.pace.counter_steps < counter_steps {
        let pace = &mut state.pace;
        if pace.timer_steps < timer_steps {
            pace.timer_steps += 1.0;
        } else {
            pace.counter_steps += 1.0;
        }
        let (most, least) = match pacing.increase_packets.is_finite() {
            true => (pace.timer_steps.max(pace.counter_steps), pace.timer_steps.min(pace.counter_steps)),
            false => (pace.timer_steps, pace.timer_steps),
        };
        if least > first {
            pace.target_pps += pacing.hyper_increase_pps * growing;
        } else if most >= first {
            pace.target_pps += pacing.additive_increase_pps * growing;
        }
        pace.rate_pps = (pace.target_pps + pace.rate_pps) / 2.0;
    }
}
