//! The control of quality of service while a run goes on: how every class is doing, its quality factor, what it should
//! carry, and how fast it may grow.
//!
//! Connections read the [shares](QosControl::shares) of their class, which are renewed here about once in a round trip and at no
//! other time.

mod growth;
mod targets;

use std::ops::Range;

use crate::kernel::ids::{ClassId, FlowId, LinkId, PairId};
use crate::kernel::sums::total;
use crate::kernel::time::{NEVER_PS, PS_PER_S, from_us};
use crate::qos::interference::Interference;
use crate::qos::quality::{ClassShare, Convergence};
use crate::qos::tail::{Latencies, TailMeter};
use crate::scenario::document::{Class, Goal, Measurement, Scenario};
use crate::simulation::detours::Detours;
use crate::simulation::plan::{NetworkSettings, Plan};
use crate::simulation::planned::share_number;
use crate::simulation::qos_control::targets::Targets;
use crate::transport::connections::Connections;
use crate::workload::applications::Applications;

/// Bits per second in a byte per picosecond.
pub(super) const BPS_PER_BYTE_PER_PS: f64 = 8e12;

/// Spreads the numbers of connections, so that two sets of them hardly ever add up to the same.
const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;
/// A class of more connections than this that does not follow its quality factor has it renewed once per sample at most.
const MANY_FLOWS: usize = 64;

/// Whether the quality factor of a class is one of latency.
pub(crate) fn aims_at_latency(class: &Class) -> bool {
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

/// What control sees of a run at an instant.
pub(super) struct Scene<'a> {
    pub(super) now_ps: u64,
    pub(super) plan: &'a Plan,
    /// Parameters in force.
    pub(super) scenario: &'a Scenario,
    pub(super) settings: &'a NetworkSettings,
    /// Paths in force where they are not those of the plan.
    pub(super) detours: &'a Detours,
    pub(super) applications: &'a Applications,
    pub(super) connections: &'a mut Connections,
    pub(super) sample_period_ps: u64,
}

impl Scene<'_> {
    /// Whether the application of a connection may issue requests.
    fn is_live(&self, flow: FlowId) -> bool {
        self.applications.source(self.plan.flows[flow.index()].application).is_live(self.now_ps)
    }

    /// Whether a connection takes part in the shares: it has a path, and something to send, or may get some.
    fn asks(&self, flow: FlowId) -> bool {
        (self.is_live(flow) || self.connections.is_unfinished(flow)) && !self.detours.cuts_off(flow)
    }

    /// The links of the data of a connection.
    fn data(&self, flow: FlowId) -> &[LinkId] {
        self.detours.data(self.plan, flow)
    }
}

/// What the connections of a class tell of themselves.
#[derive(Default)]
struct Survey {
    /// By way: sum of the rates of those that know theirs, in bytes per picosecond.
    carried: [Option<f64>; WAYS],
    unfinished: bool,
    live: bool,
    /// Mean smoothed round trip of those that have measured one.
    rtt_ps: Option<u64>,
    unsent_bytes: u64,
    acknowledged_bytes: u64,
    /// Tells the set of those that ask for something from others.
    asking: u64,
}

/// The control of all classes.
#[derive(Clone, Debug)]
pub(super) struct QosControl {
    pub(super) classes: Vec<ClassState>,
    /// What connections know of what they share: of every class, for the way to its targets and the way back.
    shares: Vec<ClassShare>,
    /// The capacity that the classes take for that of the bottleneck, where they adapt to interference.
    interference: Interference,
    /// When the targets of the classes are to be renewed, and from what.
    targets: Targets,
    /// By class: bytes that wait in an ordinary run of its requests.
    usual_bytes: Vec<f64>,
    /// By pair of hosts of a class: the latest latencies.
    tails: Vec<Latencies>,
    /// Space to sort latencies in.
    scratch: Vec<u64>,
    /// By link: connections that meet there, all 0 between two countings.
    meeting: Vec<u32>,
}

impl QosControl {
    /// Of a run that begins, with so many pairs of hosts.
    pub(super) fn new(scenario: &Scenario, plan: &Plan, settings: &NetworkSettings, pairs: usize) -> Self {
        let classes = vec![ClassState::new(&scenario.measurement); scenario.classes.len()];
        Self {
            shares: vec![ClassShare::default(); WAYS * classes.len()],
            classes,
            interference: Interference::default(),
            targets: Targets::new(scenario, plan, settings),
            usual_bytes: targets::usual_bytes(scenario, plan, settings),
            tails: vec![Latencies::default(); pairs],
            scratch: Vec::new(),
            meeting: vec![0; plan.graph.wires().len()],
        }
    }

    /// What the connections of every class know of its share.
    #[inline]
    pub(super) fn shares(&self) -> &[ClassShare] {
        &self.shares
    }

    /// When something here is next due.
    pub(super) fn next_ps(&self) -> u64 {
        let update_ps = self.classes.iter().map(|class| class.next_update_ps).min().unwrap_or(NEVER_PS);
        update_ps.min(self.targets.due_ps())
    }

    /// Whether a class is due to be looked at.
    pub(super) fn is_due(&self, class: ClassId, now_ps: u64) -> bool {
        self.classes[class.index()].next_update_ps <= now_ps
    }

    /// A request between a pair of hosts took so long.
    pub(super) fn on_latency(&mut self, pair: PairId, latency_ps: u64) {
        self.tails[pair.index()].record(latency_ps);
    }

    /// Takes over changed parameters.
    pub(super) fn set_parameters(&mut self, scene: &mut Scene) {
        self.usual_bytes = targets::usual_bytes(scene.scenario, scene.plan, scene.settings);
        self.targets.set_parameters(scene.scenario, scene.plan, scene.settings);
        self.set_targets(scene);
        (0..self.classes.len()).for_each(|class| self.share_growth(ClassId::at(class), scene));
    }

    /// Asks the connections of a class, which publish their rates with that.
    fn survey(&self, class: ClassId, scene: &mut Scene) -> Survey {
        let empty_rtt_ps = scene.settings.class_rtt_ps[class.index()];
        let class_rtt_ps = self.classes[class.index()].rtt_ps.max(empty_rtt_ps);
        let mut survey = Survey::default();
        let (mut rtt_ps, mut timed) = (0, 0);
        for flow in scene.plan.flows_of_class[class.index()].iter().map(|&flow| FlowId(flow)) {
            let known = scene.connections.publish_rate(flow, scene.now_ps, class_rtt_ps);
            let carried = &mut survey.carried[usize::from(scene.plan.flows[flow.index()].back)];
            *carried = known.map(|rate| rate + carried.unwrap_or(0.0)).or(*carried);
            let sender = scene.connections.sender(flow);
            survey.unfinished |= sender.end > sender.unacknowledged;
            survey.unsent_bytes = survey.unsent_bytes.saturating_add(sender.end - sender.next);
            survey.acknowledged_bytes = survey.acknowledged_bytes.wrapping_add(sender.unacknowledged);
            survey.live |= scene.is_live(flow);
            if scene.asks(flow) {
                survey.asking = survey.asking.wrapping_add(u64::from(flow.0 + 1).wrapping_mul(SPREAD));
            }
            if sender.rtt.smoothed_ps() > 0 {
                rtt_ps += sender.rtt.smoothed_ps();
                timed += 1;
            }
        }
        Survey { rtt_ps: u64::checked_div(rtt_ps, timed), ..survey }
    }

    /// A round trip of a class has passed: publishes its rate and renews its quality factor, which it returns.
    pub(super) fn update_class(&mut self, class: ClassId, scene: &mut Scene) -> Option<f64> {
        let survey = self.survey(class, scene);
        let Survey { unfinished, .. } = survey;
        let active = unfinished || survey.live;
        let (plan, document) = (scene.plan, &scene.scenario.classes[class.index()]);
        let empty_rtt_ps = scene.settings.class_rtt_ps[class.index()];
        let rtt_ps = survey.rtt_ps.unwrap_or(empty_rtt_ps).max(1);
        let usual_bytes = self.usual_bytes[class.index()];
        let state = &mut self.classes[class.index()];
        state.rtt_ps = rtt_ps;
        let in_arrears = survey.unsent_bytes as f64 > if state.in_arrears { usual_bytes / 2.0 } else { usual_bytes };
        let before = (state.active, state.busy, state.in_arrears, state.asking);
        if before != (active, unfinished, in_arrears, survey.asking) {
            (state.active, state.busy, state.in_arrears, state.asking) =
                (active, unfinished, in_arrears, survey.asking);
            self.targets.stale = true;
        }
        let ways = ways(class);
        let past = total(self.shares[ways.clone()].iter().map(|share| share.carried));
        let measured = state.measure(scene.now_ps, survey.acknowledged_bytes, past, document.rate_smoothing);
        // A flow that begins and ends with a request has no rate of its own to add up.
        let begins_anew = |&flow: &u32| plan.is_per_request(FlowId(flow));
        let anew = plan.flows_of_class[class.index()].iter().any(begins_anew);
        let sum = || total(survey.carried.iter().flatten().copied());
        let carried = match survey.carried.iter().any(Option::is_some) {
            _ if anew && !document.transport.follows_quality() => Some(measured),
            known => known.then(sum),
        };
        let known = carried.is_some() && (unfinished || carried > Some(0.0));
        let carried = carried.unwrap_or(0.0);
        for (share, of_way) in self.shares[ways.clone()].iter_mut().zip(survey.carried) {
            share.carried = of_way.unwrap_or(0.0);
        }
        if anew && !document.transport.follows_quality() {
            // What was acknowledged to the class, whichever way.
            self.shares[ways.start].carried = carried;
            self.shares[ways.start + 1].carried = 0.0;
        }
        self.share_growth(class, scene);
        self.update_tail(class, scene);
        let state = &mut self.classes[class.index()];
        let target = state.target_bps / BPS_PER_BYTE_PER_PS;
        let of_throughput = || (known && target > 0.0).then(|| ClassShare::quality(target, carried));
        let aims_at_latency = aims_at_latency(document);
        let factor = if aims_at_latency { self.shares[ways.start].of_latency } else { of_throughput() };
        state.quality = factor.filter(|_| active);
        match state.quality {
            Some(factor) => {
                let rtts = (scene.now_ps - state.updated_ps) as f64 / rtt_ps as f64;
                state.convergence.update(state.updated_ps, scene.now_ps, factor, rtts, empty_rtt_ps);
            }
            None => state.convergence.leave(),
        }
        let quality = state.quality;
        state.updated_ps = scene.now_ps;
        state.next_update_ps = next_update_ps(class, scene, rtt_ps, active);
        let qos = &scene.scenario.qos;
        if aims_at_latency {
            self.targets.stale = true;
        } else if qos.adapt_to_interference
            && document.transport.follows_quality()
            && state.next_interference_ps <= scene.now_ps
        {
            state.next_interference_ps = scene.now_ps + rtt_ps * u64::from(qos.interference_interval_rtts);
            if let Some(factor) = quality {
                let ratios = total(self.sharing(scene.scenario).map(|(_, ratio)| ratio));
                self.interference.update(factor, document.ratio / ratios, qos.interference_tolerance);
                self.targets.stale = true;
            }
        }
        quality
    }

    /// Renews the tail latency of a class, and its quality factor if that is what it aims at.
    fn update_tail(&mut self, class: ClassId, scene: &Scene) {
        let document = &scene.scenario.classes[class.index()];
        let Some(target_us) = document.latency_target_us else {
            self.shares[ways(class)].iter_mut().for_each(|share| share.of_latency = None);
            return;
        };
        // The latest of every pair of hosts, and the ages of the oldest that are not done, by connection.
        let flows = || scene.plan.flows_of_class[class.index()].iter().map(|&flow| FlowId(flow));
        let ages =
            flows().filter_map(|flow| scene.connections.oldest_since_ps(flow)).map(|since_ps| scene.now_ps - since_ps);
        let mut pairs: Vec<PairId> = flows().map(|flow| scene.connections.pair(flow)).collect();
        pairs.dedup();
        let latencies = pairs.iter().flat_map(|pair| self.tails[pair.index()].iter()).chain(ages);
        let tail = &mut self.classes[class.index()].tail;
        tail.update(document.percentile, document.rate_smoothing, &mut self.scratch, latencies);
        let factor = tail.quality(from_us(target_us));
        let of_latency = aims_at_latency(document).then_some(factor);
        self.shares[ways(class)].iter_mut().for_each(|share| share.of_latency = of_latency);
    }

    /// The classes that share the throughput now, with their ratios.
    fn sharing(&self, scenario: &Scenario) -> impl Iterator<Item = (usize, f64)> {
        let classes = scenario.classes.iter().zip(&self.classes).enumerate();
        classes
            .filter(|(_, (class, state))| state.active && !aims_at_latency(class))
            .map(|(n, (class, _))| (n, class.ratio))
    }
}

/// Ways of a class: to its targets, and back.
const WAYS: usize = 2;

/// The shares of a class.
fn ways(class: ClassId) -> Range<usize> {
    let first = share_number(class, false) as usize;
    first..first + WAYS
}

/// When a class is next looked at: after its interval of round trips; while it is silent every round trip, so that it has its
/// target soon after it begins.
fn next_update_ps(class: ClassId, scene: &Scene, rtt_ps: u64, active: bool) -> u64 {
    let document = &scene.scenario.classes[class.index()];
    let flows = scene.plan.flows_of_class[class.index()].len();
    if flows == 0 {
        return NEVER_PS;
    }
    let interval = if active { u64::from(document.update_interval_rtts) } else { 1 };
    let next_ps = scene.now_ps + rtt_ps * interval;
    if flows > MANY_FLOWS && !document.transport.follows_quality() {
        next_ps.max(scene.now_ps + scene.sample_period_ps)
    } else {
        next_ps
    }
}
