//! Classes while a run goes on: their quality factors, and what they aim at.

use std::sync::Arc;

use crate::kernel::ids::{ClassId, FlowId};
use crate::kernel::time::from_us;
use crate::qos::quality::{ClassShare, Convergence};
use crate::qos::tail::TailMeter;
use crate::scenario::document::{Class, Goal, Measurement};
use crate::simulation::{Simulation, plan};

/// Bits per second in a byte per picosecond.
const BPS_PER_BYTE_PER_PS: f64 = 8e12;

/// Part of the capacity that is left to classes of throughput whatever those of latency need.
const LEAST_SHARE: f64 = 0.05;
/// A class of more connections than this that does not follow its quality factor has it renewed once per sample at most.
const MANY_FLOWS: usize = 64;

/// Whether the quality factor of a class is one of latency.
fn aims_at_latency(class: &Class) -> bool {
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
    pub(super) updated_ps: u64,
    pub(super) next_update_ps: u64,
    pub(super) target_bps: f64,
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
            updated_ps: 0,
            next_update_ps: 0,
            target_bps: 0.0,
            tail: TailMeter::default(),
            next_interference_ps: 0,
        }
    }
}

impl Simulation {
    /// A round trip of a class has passed: publishes its rate and renews its quality factor.
    pub(super) fn update_class(&mut self, class: ClassId) {
        let plan = Arc::clone(&self.plan);
        let (mut carried, mut unfinished, mut live) = (0.0, false, false);
        let (mut rtt_ps, mut timed) = (0, 0);
        for &flow in &plan.flows_of_class[class.index()] {
            carried += self.connections.publish_rate(FlowId(flow));
            let sender = self.connections.sender(FlowId(flow));
            unfinished |= sender.end > sender.unacknowledged;
            live |= self.sources[flow as usize].is_live(self.now_ps);
            if sender.rtt.smoothed_ps() > 0 {
                rtt_ps += sender.rtt.smoothed_ps();
                timed += 1;
            }
        }
        let rtt_ps = rtt_ps.checked_div(timed).unwrap_or(self.settings.class_rtt_ps[class.index()]).max(1);
        let active = unfinished || live;
        let state = &mut self.classes[class.index()];
        if (state.active, state.busy) != (active, unfinished) {
            (state.active, state.busy) = (active, unfinished);
            self.set_targets();
        }
        self.shares[class.index()].carried = carried;
        self.update_tail(class);
        let (document, state) = (&self.current.classes[class.index()], &mut self.classes[class.index()]);
        let share = &mut self.shares[class.index()];
        let of_throughput = || (carried > 0.0).then(|| ClassShare::quality(share.target, carried));
        let aims_at_latency = aims_at_latency(document);
        state.quality = if aims_at_latency { share.of_latency } else { of_throughput() }.filter(|_| active);
        match state.quality {
            Some(factor) => {
                let rtts = (self.now_ps - state.updated_ps) as f64 / rtt_ps as f64;
                state.convergence.update(self.now_ps, factor, rtts);
                self.recorder.on_quality(class, factor);
            }
            None => state.convergence.leave(),
        }
        let interval = u64::from(self.current.classes[class.index()].update_interval_rtts);
        state.updated_ps = self.now_ps;
        state.next_update_ps = self.now_ps + rtt_ps * interval;
        if !document.transport.follows_quality() && plan.flows_of_class[class.index()].len() > MANY_FLOWS {
            state.next_update_ps = state.next_update_ps.max(self.now_ps + self.recorder.period_ps());
        }
        let adapts = self.current.qos.adapt_to_interference && document.transport.follows_quality() && !aims_at_latency;
        if adapts && state.next_interference_ps <= self.now_ps {
            state.next_interference_ps = self.now_ps + rtt_ps * u64::from(self.current.qos.interference_interval_rtts);
            if let Some(factor) = state.quality {
                let total: f64 = self.sharing().map(|(_, ratio)| ratio).sum();
                let share = self.current.classes[class.index()].ratio / total;
                self.interference.update(factor, share, self.current.qos.interference_tolerance);
                self.set_targets();
            }
        } else if aims_at_latency {
            self.set_targets();
        }
    }

    /// Renews the tail latency of a class, and its quality factor if that is what it aims at.
    fn update_tail(&mut self, class: ClassId) {
        let document = &self.current.classes[class.index()];
        let Some(target_us) = document.latency_target_us else {
            self.shares[class.index()].of_latency = None;
            return;
        };
        let latencies = self.connections.latencies(class, self.now_ps);
        let tail = &mut self.classes[class.index()].tail;
        tail.update(document.percentile, document.rate_smoothing, &mut self.scratch, latencies);
        let factor = tail.quality(from_us(target_us));
        self.shares[class.index()].of_latency = aims_at_latency(document).then_some(factor);
    }

    /// Splits the capacity among the classes that are active. Classes that aim at latencies come strictly first (paper 1
    /// section 3.1.1): while one of them has something to send and is slower than it should be, the others have next to
    /// nothing to aim at; otherwise they have what these leave.
    pub(super) fn set_targets(&mut self) {
        let capacity_bps = plan::capacity_bps(&self.current, &self.settings.links[self.plan.bottleneck.index()]);
        let classes = self.current.classes.iter().zip(&self.classes).zip(&self.shares);
        let first = classes.filter(|((class, _), _)| aims_at_latency(class));
        let taken_bps = first.map(|((_, state), share)| {
            let in_deficit = state.busy && share.of_latency.is_some_and(|factor| factor > 1.0);
            if in_deficit { capacity_bps } else { share.carried * BPS_PER_BYTE_PER_PS }
        });
        let left_bps = (capacity_bps - taken_bps.sum::<f64>()).max(LEAST_SHARE * capacity_bps);
        let adapts = self.current.qos.adapt_to_interference;
        let total: f64 = self.sharing().map(|(_, ratio)| ratio).sum();
        let ratios: Vec<(usize, f64)> = self.sharing().collect();
        for (state, share) in self.classes.iter_mut().zip(&mut self.shares) {
            (state.target_bps, share.target) = (0.0, 0.0);
        }
        for (class, ratio) in ratios {
            let state = &mut self.classes[class];
            let capacity_bps = if adapts { self.interference.part() * left_bps } else { left_bps };
            state.target_bps = capacity_bps * ratio / total;
            self.shares[class].target = state.target_bps / BPS_PER_BYTE_PER_PS;
        }
    }

    /// The classes that share the throughput now, with their ratios.
    fn sharing(&self) -> impl Iterator<Item = (usize, f64)> {
        let classes = self.current.classes.iter().zip(&self.classes).enumerate();
        classes
            .filter(|(_, (class, state))| state.active && !aims_at_latency(class))
            .map(|(n, (class, _))| (n, class.ratio))
    }
}
