//! Classes while a run goes on: their quality factors, and what they aim at.

use std::sync::Arc;

use crate::kernel::ids::{ClassId, FlowId, PairId};
use crate::kernel::sums::total;
use crate::kernel::time::{NEVER_PS, PS_PER_S, from_us};
use crate::qos::quality::{ClassShare, Convergence};
use crate::qos::tail::TailMeter;
use crate::scenario::document::{Class, Goal, Measurement};
use crate::simulation::Simulation;

/// Bits per second in a byte per picosecond.
pub(super) const BPS_PER_BYTE_PER_PS: f64 = 8e12;

/// Spreads the numbers of connections, so that two sets of them hardly ever add up to the same.
const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;
/// A class of more connections than this that does not follow its quality factor has it renewed once per sample at most.
const MANY_FLOWS: usize = 64;

/// Whether the quality factor of a class is one of latency.
pub(super) fn aims_at_latency(class: &Class) -> bool {
    class.goal == Goal::Latency && class.transport.follows_quality() && class.latency_target_us.is_some()
}

/// How a class is doing.
#[derive(Clone, Debug)]
pub(super) struct ClassState {
    /// Q_i; none while the class is silent or nothing is measured.
    pub(super) quality: Option<f64>,
    pub(super) convergence: Convergence,
    /// It has traffic, or may get some.
    pub(super) active: bool,
    /// It has something to send, or to have acknowledged.
    pub(super) busy: bool,
    /// More of its requests wait than its load and a few round trips explain: it asks for all it can get.
    pub(super) in_arrears: bool,
    /// What tells the set of its connections that ask for something from others.
    asking: u64,
    pub(super) updated_ps: u64,
    pub(super) next_update_ps: u64,
    /// Payload acknowledged to its connections up to the last update, modulo 2^64.
    acknowledged_bytes: u64,
    /// What it should carry: its weighted max-min share, no more than it asks for.
    pub(super) target_bps: f64,
    /// Time integral of the target up to the last change of it, in bits, and when that was.
    target_bits: (f64, u64),
    /// Mean smoothed round trip of its connections, with empty queues until one is measured.
    pub(super) rtt_ps: u64,
    /// Tail latency of its requests.
    pub(super) tail: TailMeter,
    /// When it next looks for interference.
    pub(super) next_interference_ps: u64,
}

impl ClassState {
    /// A class of which nothing is known.
    pub(super) fn new(measurement: &Measurement) -> Self {
        Self {
            quality: None,
            convergence: Convergence::new(measurement.convergence_band, measurement.convergence_rtts),
            active: false,
            busy: false,
            in_arrears: false,
            asking: 0,
            updated_ps: 0,
            next_update_ps: 0,
            acknowledged_bytes: 0,
            target_bps: 0.0,
            target_bits: (0.0, 0),
            rtt_ps: 0,
            tail: TailMeter::default(),
            next_interference_ps: 0,
        }
    }

    /// What was acknowledged since the last update, per picosecond, with γ as the weight of `past`.
    fn measure(&mut self, now_ps: u64, acknowledged_bytes: u64, past: f64, smoothing: f64) -> f64 {
        let bytes =
            acknowledged_bytes.wrapping_sub(std::mem::replace(&mut self.acknowledged_bytes, acknowledged_bytes));
        let elapsed_ps = now_ps - self.updated_ps;
        if elapsed_ps == 0 { past } else { (1.0 - smoothing) * bytes as f64 / elapsed_ps as f64 + smoothing * past }
    }

    /// Changes what the class should carry from `now_ps` on.
    pub(super) fn set_target(&mut self, target_bps: f64, now_ps: u64) {
        self.target_bits = (self.target_bits_at(now_ps), now_ps);
        self.target_bps = target_bps;
    }

    /// What the class should have carried since the start of the run, in bits.
    pub(super) fn target_bits_at(&self, now_ps: u64) -> f64 {
        let (bits, since_ps) = self.target_bits;
        bits + self.target_bps * (now_ps - since_ps) as f64 / PS_PER_S as f64
    }
}

impl Simulation {
    /// A round trip of a class has passed: publishes its rate and renews its quality factor.
    pub(super) fn update_class(&mut self, class: ClassId) {
        let plan = Arc::clone(&self.plan);
        let class_rtt_ps = self.classes[class.index()].rtt_ps.max(self.settings.class_rtt_ps[class.index()]);
        let (mut carried, mut unfinished, mut live) = (None, false, false);
        let (mut rtt_ps, mut timed) = (0, 0);
        let (mut unsent_bytes, mut acknowledged_bytes, mut asking) = (0u64, 0u64, 0u64);
        for &flow in &plan.flows_of_class[class.index()] {
            let known = self.connections.publish_rate(FlowId(flow), self.now_ps, class_rtt_ps);
            carried = known.map(|rate| rate + carried.unwrap_or(0.0)).or(carried);
            let sender = self.connections.sender(FlowId(flow));
            let has_data = sender.end > sender.unacknowledged;
            unfinished |= has_data;
            unsent_bytes = unsent_bytes.saturating_add(sender.end - sender.next);
            acknowledged_bytes = acknowledged_bytes.wrapping_add(sender.unacknowledged);
            live |= self.is_live(FlowId(flow));
            if self.asks(FlowId(flow)) {
                asking = asking.wrapping_add(u64::from(flow + 1).wrapping_mul(SPREAD));
            }
            if sender.rtt.smoothed_ps() > 0 {
                rtt_ps += sender.rtt.smoothed_ps();
                timed += 1;
            }
        }
        let rtt_ps = rtt_ps.checked_div(timed).unwrap_or(self.settings.class_rtt_ps[class.index()]).max(1);
        let active = unfinished || live;
        let usual_bytes = self.usual_bytes[class.index()];
        let state = &mut self.classes[class.index()];
        state.rtt_ps = rtt_ps;
        let in_arrears = unsent_bytes as f64 > if state.in_arrears { usual_bytes / 2.0 } else { usual_bytes };
        let before = (state.active, state.busy, state.in_arrears, state.asking);
        if before != (active, unfinished, in_arrears, asking) {
            (state.active, state.busy, state.in_arrears, state.asking) = (active, unfinished, in_arrears, asking);
            self.targets.stale = true;
        }
        let document = &self.current.classes[class.index()];
        let measured =
            state.measure(self.now_ps, acknowledged_bytes, self.shares[class.index()].carried, document.rate_smoothing);
        // A flow that begins and ends with a request has no rate of its own to add up.
        let begins_anew = |&flow: &u32| plan.is_per_request(FlowId(flow));
        if !document.transport.follows_quality() && plan.flows_of_class[class.index()].iter().any(begins_anew) {
            carried = Some(measured);
        }
        let known = carried.is_some() && (unfinished || carried > Some(0.0));
        let carried = carried.unwrap_or(0.0);
        self.shares[class.index()].carried = carried;
        self.share_growth(class);
        self.update_tail(class);
        let (document, state) = (&self.current.classes[class.index()], &mut self.classes[class.index()]);
        let target = state.target_bps / BPS_PER_BYTE_PER_PS;
        let of_throughput = || (known && target > 0.0).then(|| ClassShare::quality(target, carried));
        let aims_at_latency = aims_at_latency(document);
        state.quality =
            if aims_at_latency { self.shares[class.index()].of_latency } else { of_throughput() }.filter(|_| active);
        match state.quality {
            Some(factor) => {
                let rtts = (self.now_ps - state.updated_ps) as f64 / rtt_ps as f64;
                let base_ps = self.settings.class_rtt_ps[class.index()];
                state.convergence.update(state.updated_ps, self.now_ps, factor, rtts, base_ps);
                self.recorder.on_quality(class, factor);
            }
            None => state.convergence.leave(),
        }
        // A class that is silent is looked at every round trip, so that it has its target soon after it begins.
        let interval = if active { u64::from(self.current.classes[class.index()].update_interval_rtts) } else { 1 };
        state.updated_ps = self.now_ps;
        state.next_update_ps = self.now_ps + rtt_ps * interval;
        if plan.flows_of_class[class.index()].is_empty() {
            state.next_update_ps = NEVER_PS;
        }
        if !document.transport.follows_quality() && plan.flows_of_class[class.index()].len() > MANY_FLOWS {
            state.next_update_ps = state.next_update_ps.max(self.now_ps + self.recorder.period_ps());
        }
        let adapts = self.current.qos.adapt_to_interference && document.transport.follows_quality() && !aims_at_latency;
        if adapts && state.next_interference_ps <= self.now_ps {
            state.next_interference_ps = self.now_ps + rtt_ps * u64::from(self.current.qos.interference_interval_rtts);
            if let Some(factor) = state.quality {
                let ratios = total(self.sharing().map(|(_, ratio)| ratio));
                let share = self.current.classes[class.index()].ratio / ratios;
                self.interference.update(factor, share, self.current.qos.interference_tolerance);
                self.targets.stale = true;
            }
        } else if aims_at_latency {
            self.targets.stale = true;
        }
    }

    /// Renews the tail latency of a class, and its quality factor if that is what it aims at.
    fn update_tail(&mut self, class: ClassId) {
        let document = &self.current.classes[class.index()];
        let Some(target_us) = document.latency_target_us else {
            self.shares[class.index()].of_latency = None;
            return;
        };
        // The latest of every pair of hosts, and the ages of the oldest that are not done, by connection.
        let flows = || self.plan.flows_of_class[class.index()].iter().map(|&flow| FlowId(flow));
        let ages =
            flows().filter_map(|flow| self.connections.oldest_since_ps(flow)).map(|since_ps| self.now_ps - since_ps);
        let mut pairs: Vec<PairId> = flows().map(|flow| self.connections.pair(flow)).collect();
        pairs.dedup();
        let latencies = pairs.iter().flat_map(|pair| self.tails[pair.index()].iter()).chain(ages);
        let tail = &mut self.classes[class.index()].tail;
        tail.update(document.percentile, document.rate_smoothing, &mut self.scratch, latencies);
        let factor = tail.quality(from_us(target_us));
        self.shares[class.index()].of_latency = aims_at_latency(document).then_some(factor);
    }

    /// The classes that share the throughput now, with their ratios.
    pub(super) fn sharing(&self) -> impl Iterator<Item = (usize, f64)> {
        let classes = self.current.classes.iter().zip(&self.classes).enumerate();
        classes
            .filter(|(_, (class, state))| state.active && !aims_at_latency(class))
            .map(|(n, (class, _))| (n, class.ratio))
    }
}
