//! Floor 8: assembles a scenario into a running world, moves it through time, and reports on it.
//!
//! A [`Simulation`] is plain data: a clone of it is a checkpoint, and a checkpoint goes on exactly as the original does.
//! What happens at one instant is ordered: first the updates of quality factors and the samples, then changes of
//! parameters, then timers, then packets by link number. [`Simulation::run_until`] stops before the timers and packets
//! of the instant it is given, so a change applied there replays identically as a timeline entry of that instant.
//!
//! Between those actions nodes are run on their own, window by window (see [`crate::network::fabric`]). What hosts share
//! within a window must not depend on the order in which they run: they read the shares of their class, which change only
//! between windows, and add to counts. An application that waits for its requests is told by the acknowledgement that
//! reaches its own host, not by the delivery at the other.

mod connection;
mod ledger;
mod live;
pub mod plan;
mod recorder;
mod summary;
mod view;

use std::collections::VecDeque;
use std::sync::Arc;

use serde_json::Value;

use crate::kernel::digest::Digest;
use crate::kernel::ids::{ClassId, FlowId, LinkId, NodeId};
use crate::kernel::time::{NEVER_PS, from_us, to_us};
use crate::kernel::timers::{Timer, Timers};
use crate::network::fabric::{Delivery, Fabric, HostEvent};
use crate::network::link::Link;
use crate::qos::interference::Interference;
use crate::qos::quality::{ClassShare, Convergence};
use crate::qos::tail::TailMeter;
use crate::scenario::document::{Change, Class, Goal, Scenario};
use crate::scenario::{self, Fault};
use crate::simulation::plan::{NetworkSettings, Plan, Pool};
use crate::simulation::recorder::Recorder;
use crate::transport::connections::{Connection, Connections};
use crate::transport::messages::Request;
use crate::workload::laws::SizeLaw;
use crate::workload::source::{Action, Pattern, Source};

pub use ledger::{Account, Ledger, Stream};
pub use summary::{ClassSummary, Summary};
pub use view::{FIGURE_COLUMNS, LinkLoads, layout};

/// Bits per second in a byte per picosecond.
const BPS_PER_BYTE_PER_PS: f64 = 8e12;

/// How a class is doing.
#[derive(Clone, Debug)]
struct ClassState {
    /// Q_i; none while the class is silent or nothing is measured.
    quality: Option<f64>,
    convergence: Convergence,
    /// It has traffic, or may get some.
    active: bool,
    /// It has something to send, or to have acknowledged.
    busy: bool,
    updated_ps: u64,
    next_update_ps: u64,
    target_bps: f64,
    /// Tail latency of its requests.
    tail: TailMeter,
    /// When it next looks for interference.
    next_interference_ps: u64,
}

/// Requests that wait for a connection of a pool, and the connections that wait for a request.
#[derive(Clone, Debug, Default)]
struct PoolState {
    requests: VecDeque<Request>,
    idle: Vec<u32>,
}

/// Links that wait for each other in a circle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deadlock {
    /// When it was noticed.
    pub at_ps: u64,
    /// The links.
    pub links: Vec<LinkId>,
}

/// A running world.
#[derive(Clone, Debug)]
pub struct Simulation {
    plan: Arc<Plan>,
    /// The scenario as it was loaded, with the changes recorded so far in its timeline.
    scenario: Scenario,
    /// Its parameters as they are now.
    current: Scenario,
    settings: NetworkSettings,
    next_change: usize,
    now_ps: u64,
    duration_ps: u64,
    fabric: Fabric,
    connections: Connections,
    /// Timers of every node; those of switches stay empty.
    timers: Vec<Timers>,
    sources: Vec<Source>,
    pools: Vec<PoolState>,
    classes: Vec<ClassState>,
    /// What the connections of every class know of its share.
    shares: Vec<ClassShare>,
    /// The capacity that the classes take for that of the bottleneck, where they adapt to interference.
    interference: Interference,
    recorder: Recorder,
    timer_events: u64,
    /// Space to sort latencies in.
    scratch: Vec<u64>,
    /// Links that hold each other up for ever, and since when, once that has happened.
    deadlock: Option<Deadlock>,
    /// Longest window in which nodes are run on their own.
    window_ps: u64,
}

impl Simulation {
    /// Builds the world of a scenario that has passed validation, at time 0.
    ///
    /// # Errors
    /// Faults that show only when the network is laid out: hosts without a path, a round trip that cannot be reached.
    pub fn new(scenario: &Scenario) -> Result<Self, Vec<Fault>> {
        let plan = Plan::new(scenario)?;
        let settings = plan.settings(scenario)?;
        try_changes(scenario, &scenario.timeline, &plan)?;
        let duration_ps = from_us(scenario.duration_us);
        let (fabric, connections) = build_network(scenario, &plan, &settings);
        let mut timers = vec![Timers::default(); plan.graph.nodes().len()];
        let sources = build_sources(scenario, &plan, &mut timers);
        let idle = |pool: &Pool| (pool.first..pool.first + pool.flows).rev().collect();
        let pools = plan.pools.iter().map(|pool| PoolState { requests: VecDeque::new(), idle: idle(pool) }).collect();
        let measurement = &scenario.measurement;
        let silent = ClassState {
            quality: None,
            convergence: Convergence::new(measurement.convergence_band, measurement.convergence_rtts),
            active: false,
            busy: false,
            updated_ps: 0,
            next_update_ps: 0,
            target_bps: 0.0,
            tail: TailMeter::default(),
            next_interference_ps: 0,
        };
        let classes = vec![silent; scenario.classes.len()];
        let shares = vec![ClassShare::default(); classes.len()];
        let recorder = Recorder::new(scenario, &settings, connections.len());
        let mut simulation = Self {
            plan: Arc::new(plan),
            scenario: scenario.clone(),
            current: scenario.clone(),
            settings,
            next_change: 0,
            now_ps: 0,
            duration_ps,
            fabric,
            connections,
            timers,
            sources,
            pools,
            classes,
            shares,
            interference: Interference::default(),
            recorder,
            timer_events: 0,
            scratch: Vec::new(),
            deadlock: None,
            window_ps: 1,
        };
        simulation.set_window();
        for node in 0..simulation.timers.len() {
            simulation.fabric.settle(NodeId(node as u32), simulation.timers[node].next_ps());
        }
        simulation.act();
        Ok(simulation)
    }

    /// Simulated time.
    pub fn now_ps(&self) -> u64 {
        self.now_ps
    }

    /// Simulated time of the whole run.
    pub fn duration_ps(&self) -> u64 {
        self.duration_ps
    }

    /// Links travelled by packets so far.
    pub fn packet_hops(&self) -> u64 {
        self.fabric.packet_hops()
    }

    /// Events so far: packets reaching the end of a link, and timers.
    pub fn events(&self) -> u64 {
        self.fabric.packet_hops() + self.timer_events
    }

    /// The scenario as it was loaded, with every change made since in its timeline: running it anew gives this run.
    pub fn scenario(&self) -> &Scenario {
        &self.scenario
    }

    /// Runs up to an instant, or to the end of the run if that is earlier. The packets of that instant are left.
    pub fn run_until(&mut self, until_ps: u64) {
        while !self.advance(until_ps, u64::MAX) {}
    }

    /// As [`Self::run_until`], but may stop earlier, once `most_events` events have passed. Returns whether the instant
    /// was reached.
    pub fn advance(&mut self, until_ps: u64, most_events: u64) -> bool {
        let until_ps = until_ps.min(self.duration_ps);
        let stop_at = self.events().saturating_add(most_events);
        while self.now_ps < until_ps {
            let horizon_ps = until_ps.min(self.next_action_ps());
            self.run_packets(horizon_ps, stop_at);
            self.act();
            if self.events() >= stop_at && self.now_ps < until_ps {
                return false;
            }
        }
        true
    }

    /// Applies a change of a live parameter at the present instant and records it in the timeline.
    ///
    /// # Errors
    /// Every fault of the change, or of a change still to come that it makes impossible; nothing has changed then.
    pub fn apply(&mut self, path: &str, value: Value) -> Result<Change, Vec<Fault>> {
        let changed = scenario::changed(&self.current, path, &value)?;
        try_changes(&changed, &self.scenario.timeline[self.next_change..], &self.plan)?;
        self.adopt(changed)?;
        // What was still to come stays to come; what is made now stands before it.
        let change = Change { at_us: to_us(self.now_ps), path: path.into(), value };
        self.scenario.timeline.insert(self.next_change, change.clone());
        self.next_change += 1;
        Ok(change)
    }

    /// Moves packets and fires timers before `horizon_ps`, or until there have been `stop_at` events, window by window.
    fn run_packets(&mut self, horizon_ps: u64, stop_at: u64) {
        while self.now_ps < horizon_ps && self.events() < stop_at {
            let start_ps = self.fabric.earliest_ps().iter().copied().min().unwrap_or(NEVER_PS);
            let end_ps = start_ps.saturating_add(self.window_ps).min(horizon_ps);
            for node in 0..self.timers.len() {
                if self.fabric.earliest_ps()[node] < end_ps {
                    self.run_node(NodeId(node as u32), end_ps);
                }
            }
            self.now_ps = end_ps;
        }
    }

    /// Runs one node up to `end_ps`. What it sends arrives elsewhere no earlier than that.
    #[inline]
    fn run_node(&mut self, node: NodeId, end_ps: u64) {
        if !self.plan.graph.is_host(node) {
            self.fabric.run_switch(node, end_ps);
            self.fabric.settle(node, NEVER_PS);
            return;
        }
        if self.fabric.has_ports() {
            self.run_host_with_queues(node, end_ps);
            return;
        }
        loop {
            let limit_ps = end_ps.min(self.timers[node.index()].next_ps());
            if let Some(delivery) = self.fabric.next_delivery(node, limit_ps) {
                self.deliver(node, delivery);
            } else if limit_ps == end_ps {
                break;
            } else if let Some((at_ps, timer)) = self.timers[node.index()].pop() {
                self.fire(node, at_ps, timer);
            }
        }
        self.fabric.settle(node, self.timers[node.index()].next_ps());
    }

    /// As [`Self::run_node`], for a host whose port has queues by priority.
    fn run_host_with_queues(&mut self, node: NodeId, end_ps: u64) {
        loop {
            let limit_ps = end_ps.min(self.timers[node.index()].next_ps());
            match self.fabric.next_host_event(node, limit_ps) {
                Some(HostEvent::Delivered(delivery)) => self.deliver(node, delivery),
                Some(HostEvent::Drained { at_ps, link, priority }) => {
                    let timers = &mut self.timers[node.index()];
                    self.connections.on_drained(link, priority, at_ps, &mut self.fabric, timers);
                }
                None if limit_ps == end_ps => break,
                None => {
                    if let Some((at_ps, timer)) = self.timers[node.index()].pop() {
                        self.fire(node, at_ps, timer);
                    }
                }
            }
        }
        self.fabric.settle(node, self.timers[node.index()].next_ps());
    }

    #[inline(always)]
    fn deliver(&mut self, node: NodeId, delivery: Delivery) {
        let timers = &mut self.timers[node.index()];
        self.connections.deliver(delivery, &self.shares, &mut self.fabric, timers);
        if !self.connections.completions().is_empty() {
            self.complete();
        }
        if !self.connections.answers().is_empty() {
            self.answer(delivery.at_ps);
        }
    }

    fn fire(&mut self, node: NodeId, now_ps: u64, timer: Timer) {
        self.timer_events += 1;
        let (fabric, timers) = (&mut self.fabric, &mut self.timers[node.index()]);
        match timer {
            Timer::Arrival(flow) => self.ask_source(FlowId(flow), now_ps),
            Timer::Retransmit(flow) => self.connections.on_retransmit_timer(FlowId(flow), now_ps, fabric, timers),
            Timer::DelayedAck(flow) => self.connections.on_delayed_ack_timer(FlowId(flow), now_ps, fabric, timers),
            Timer::PortReady(port) => self.connections.on_port_ready(port, now_ps, fabric, timers),
            Timer::Pace(flow) => self.connections.on_pace_timer(FlowId(flow), now_ps, fabric, timers),
            Timer::Rate(flow) => self.connections.on_rate_timer(FlowId(flow), now_ps, &self.shares, timers),
            Timer::InitialRate(pair) => self.connections.on_initial_rate_timer(pair, now_ps, timers),
        }
    }

    fn ask_source(&mut self, flow: FlowId, now_ps: u64) {
        let source = &mut self.sources[flow.index()];
        if source.is_tap() && now_ps >= source.stop_ps() {
            self.connections.close_tap(flow);
            return;
        }
        let action = source.on_timer(now_ps);
        self.take(flow, now_ps, action);
    }

    fn take(&mut self, flow: FlowId, now_ps: u64, action: Action) {
        let timers = &mut self.timers[self.plan.source_node(flow).index()];
        match action {
            Action::Rest => {}
            Action::OpenTap => self.connections.open_tap(flow, now_ps, &mut self.fabric, timers),
            Action::Request { bytes, again_ps } => {
                self.recorder.on_request(self.connections.class(flow), bytes);
                if let Some(again_ps) = again_ps {
                    timers.set(again_ps, Timer::Arrival(flow.0));
                }
                let pool = self.plan.flows[flow.index()].pool;
                let awaited = pool.is_some() || self.sources[flow.index()].awaits();
                let request = Request { bytes, queued_ps: now_ps, awaited };
                match pool {
                    None => self.connections.write(flow, request, now_ps, &mut self.fabric, timers),
                    Some(pool) => match self.pools[pool as usize].idle.pop() {
                        Some(idle) => self.begin_flow(FlowId(idle), request, now_ps),
                        None => self.pools[pool as usize].requests.push_back(request),
                    },
                }
            }
        }
    }

    /// A request begins as a new flow on an idle connection.
    fn begin_flow(&mut self, flow: FlowId, request: Request, now_ps: u64) {
        let timers = &mut self.timers[self.plan.source_node(flow).index()];
        self.connections.begin_flow(flow, now_ps, timers);
        self.connections.write(flow, request, now_ps, &mut self.fabric, timers);
    }

    /// Requests have been delivered: counts them.
    #[cold]
    fn complete(&mut self) {
        let mut completions = std::mem::take(self.connections.completions());
        for completion in completions.drain(..) {
            let flow = FlowId(completion.flow);
            let class = self.connections.class(flow);
            self.recorder.on_completion(class, completion, self.connections.deadline_ps(class));
            let spent = self.plan.flows[flow.index()].pool.is_none() && self.sources[flow.index()].is_spent();
            if spent && self.connections.outstanding(flow) == 0 {
                let start_ps = self.sources[flow.index()].start_ps();
                self.recorder.on_flow_end(flow, completion.delivered_ps - start_ps);
            }
        }
        // The buffer goes back, so that completions allocate nothing.
        *self.connections.completions() = completions;
    }

    /// Applications have seen the acknowledgements they waited for: lets them go on.
    #[cold]
    fn answer(&mut self, now_ps: u64) {
        let mut answers = std::mem::take(self.connections.answers());
        for flow in answers.drain(..) {
            let flow = match self.plan.flows[flow.index()].pool {
                None => flow,
                Some(pool) => self.end_flow(flow, pool, now_ps),
            };
            if !self.sources[flow.index()].awaits() {
                continue;
            }
            let action = self.sources[flow.index()].on_answer(now_ps);
            self.take(flow, now_ps, action);
        }
        *self.connections.answers() = answers;
    }

    /// A flow of a pool has ended: its connection takes the next request that waits. Returns the connection whose
    /// application asks for the requests of the pool.
    fn end_flow(&mut self, flow: FlowId, pool: u32, now_ps: u64) -> FlowId {
        match self.pools[pool as usize].requests.pop_front() {
            Some(request) => self.begin_flow(flow, request, now_ps),
            None => self.pools[pool as usize].idle.push(flow.0),
        }
        FlowId(self.plan.pools[pool as usize].first)
    }

    /// Takes the lookahead of the network as the window. Delay lines lead from a host to itself and do not count.
    fn set_window(&mut self) {
        self.window_ps = self.fabric.lookahead_ps(self.plan.graph.wires().len()).max(1);
    }

    /// When something other than packets and timers is next due.
    fn next_action_ps(&self) -> u64 {
        let update_ps = self.classes.iter().map(|class| class.next_update_ps).min().unwrap_or(NEVER_PS);
        update_ps.min(self.recorder.next_ps()).min(self.next_change_ps())
    }

    fn next_change_ps(&self) -> u64 {
        self.scenario.timeline.get(self.next_change).map_or(NEVER_PS, |change| from_us(change.at_us))
    }

    /// Does what is due at the present instant apart from packets and timers.
    fn act(&mut self) {
        for class in 0..self.classes.len() {
            if self.classes[class].next_update_ps <= self.now_ps {
                self.update_class(ClassId(class as u32));
            }
        }
        if self.recorder.next_ps() <= self.now_ps {
            self.sample();
        }
        while self.next_change_ps() <= self.now_ps {
            let change = &self.scenario.timeline[self.next_change];
            let changed = scenario::changed(&self.current, &change.path, &change.value);
            changed
                .and_then(|changed| self.adopt(changed))
                .expect("changes to come are tried when the run begins and at every change");
            self.next_change += 1;
        }
    }

    /// A round trip of a class has passed: publishes its rate and renews its quality factor.
    fn update_class(&mut self, class: ClassId) {
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
        let flows = &self.plan.flows_of_class[class.index()];
        let latencies = flows.iter().flat_map(|&flow| self.connections.latencies(FlowId(flow), self.now_ps));
        let tail = &mut self.classes[class.index()].tail;
        tail.update(document.percentile, document.rate_smoothing, &mut self.scratch, latencies);
        let factor = tail.quality(from_us(target_us));
        self.shares[class.index()].of_latency = aims_at_latency(document).then_some(factor);
    }

    /// Splits the capacity among the classes that are active. Classes that aim at latencies come strictly first (paper 1
    /// section 3.1.1): while one of them has something to send and is slower than it should be, the others have next to
    /// nothing to aim at; otherwise they have what these leave.
    fn set_targets(&mut self) {
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

    /// A digest of everything that has happened: equal only if the runs are.
    pub fn digest(&self) -> u64 {
        let mut digest = Digest::default();
        digest.word(self.now_ps);
        digest.word(self.fabric.packet_hops());
        digest.word(self.fabric.trace());
        for flow in 0..self.connections.len() {
            let flow = FlowId(flow as u32);
            let (sender, receiver) = (self.connections.sender(flow), self.connections.receiver(flow));
            [sender.unacknowledged, sender.next, sender.end, receiver.next]
                .into_iter()
                .for_each(|word| digest.word(word));
            digest.number(sender.window.packets);
            digest.number(sender.controller.alpha());
            digest.number(self.connections.pace(flow).controller.rate_bps());
        }
        for class in &self.classes {
            digest.number(class.quality.unwrap_or(f64::NAN));
        }
        let pauses = self.fabric.pauses();
        [pauses.sent, pauses.received_by_switches, pauses.received_by_hosts].into_iter().for_each(|n| digest.word(n));
        self.recorder.digest(&mut digest);
        digest.value()
    }
}

/// Part of the capacity that is left to classes of throughput whatever those of latency need.
const LEAST_SHARE: f64 = 0.05;
/// A class of more connections than this that does not follow its quality factor has it renewed once per sample at most.
const MANY_FLOWS: usize = 64;

/// Whether the quality factor of a class is one of latency.
fn aims_at_latency(class: &Class) -> bool {
    class.goal == Goal::Latency && class.transport.follows_quality() && class.latency_target_us.is_some()
}

/// Tries the last changes of a timeline, each on what the earlier ones leave of `parameters`. Validation has tried them on
/// the document; what is left are round trips that this network cannot reach.
fn try_changes(parameters: &Scenario, changes: &[Change], plan: &Plan) -> Result<(), Vec<Fault>> {
    let first = parameters.timeline.len().saturating_sub(changes.len());
    let mut current = parameters.clone();
    for (index, change) in changes.iter().enumerate() {
        let at_value = |fault: Fault| Fault { path: format!("timeline[{}].value", first + index), ..fault };
        let tried = scenario::changed(&current, &change.path, &change.value)
            .and_then(|changed| plan.settings(&changed).map(|_settings| changed));
        current = tried.map_err(|faults| faults.into_iter().map(at_value).collect::<Vec<_>>())?;
    }
    Ok(())
}

fn build_network(scenario: &Scenario, plan: &Plan, settings: &NetworkSettings) -> (Fabric, Connections) {
    let overhead_bytes = plan::overhead_bytes(scenario);
    let mut links: Vec<(Link, NodeId)> = settings
        .links
        .iter()
        .enumerate()
        .map(|(number, link)| {
            let mut seed = Digest::default();
            seed.word(scenario.seed);
            seed.word(number as u64);
            let link = Link::new(link.rate_bps, link.delay_ps, overhead_bytes, link.policy, seed.value());
            (link, plan.graph.wires()[number].to)
        })
        .collect();
    // Behind the links of the graph: for each connection whose class has a round trip of its own, a delay line at the
    // end of either path.
    let mut paths = Vec::new();
    for (flow, delay_ps) in plan.flows.iter().zip(&settings.class_delay_ps) {
        let mut extended = [flow.data.clone(), flow.acknowledgements.clone()];
        if let Some(delay_ps) = delay_ps {
            for (path, host) in extended.iter_mut().zip([flow.destination, flow.source]) {
                path.push(LinkId(links.len() as u32));
                links.push((Link::delay_line(*delay_ps), plan.graph.hosts()[host as usize]));
            }
        }
        paths.push(extended);
    }
    let mut fabric = Fabric::new(plan.graph.nodes().len(), links);
    if let Some(discipline) = &settings.discipline {
        let (owners, hosts) = plan.graph.ports();
        fabric.set_discipline(0, &owners, &hosts, discipline);
    }
    let classes =
        (0..scenario.classes.len()).map(|class| plan.class_settings(scenario, ClassId(class as u32), settings));
    let mut connections = Connections::new(plan::stack(&scenario.host), classes.collect(), scenario.host.queue_packets);
    for (flow, [data, acknowledgements]) in plan.flows.iter().zip(&paths) {
        fabric.connect(data, acknowledgements);
        let port = flow.data[0];
        let bound_ps = plan::port_bound_ps(scenario, &settings.links[port.index()]);
        let hosts = (flow.source, flow.destination);
        connections.add(Connection { class: flow.class, hosts, port }, bound_ps);
    }
    (fabric, connections)
}

fn build_sources(scenario: &Scenario, plan: &Plan, timers: &mut [Timers]) -> Vec<Source> {
    // By workload: how many of its applications have been made.
    let mut positions = vec![0; scenario.workloads.len()];
    let source = |(number, flow): (usize, &plan::PlannedFlow)| {
        let workload = &scenario.workloads[flow.workload];
        let stop_ps = workload.stop_us.map_or(NEVER_PS, from_us);
        if !plan.has_source(FlowId(number as u32)) {
            let pattern = Pattern::Closed { outstanding: 0, left: 0 };
            return Source::new(scenario.seed, number as u64, pattern, SizeLaw::Fixed(1), flow.start_ps, stop_ps);
        }
        let sources = plan.sources_of_workload[flow.workload];
        let pattern = plan::pattern(&workload.traffic, positions[flow.workload], sources);
        positions[flow.workload] += 1;
        let timers = &mut timers[plan.source_node(FlowId(number as u32)).index()];
        timers.set(flow.start_ps, Timer::Arrival(number as u32));
        if stop_ps != NEVER_PS {
            timers.set(stop_ps, Timer::Arrival(number as u32));
        }
        Source::new(scenario.seed, number as u64, pattern, plan::size_law(&workload.traffic), flow.start_ps, stop_ps)
    };
    plan.flows.iter().enumerate().map(source).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const PRESETS: [&str; 3] = [
        include_str!("../../../../../scenarios/three-writers.json"),
        include_str!("../../../../../scenarios/bench-fat-tree-k4.json"),
        include_str!("../../../../../scenarios/bench-dumbbell-10g.json"),
    ];

    fn shortened(json: &str) -> Scenario {
        let scenario = scenario::load(json).expect("the presets are sound");
        Scenario { duration_us: scenario.duration_us.min(1000.0), ..scenario }
    }

    #[test]
    fn a_change_to_come_that_the_network_cannot_follow_is_refused_at_the_start() {
        let mut scenario = shortened(PRESETS[0]);
        let (path, value) = ("topology.baseRttUs".into(), serde_json::json!(1.0));
        scenario.timeline = vec![Change { at_us: 500.0, path, value }];
        let faults = Simulation::new(&scenario).expect_err("six hops take longer than 1 us");
        assert_eq!(faults[0].path, "timeline[0].value");
    }

    #[test]
    fn the_length_of_windows_changes_nothing() {
        for json in PRESETS {
            let mut windows = Simulation::new(&shortened(json)).expect("can be laid out");
            let mut in_order = windows.clone();
            in_order.window_ps = 1;
            assert!(windows.window_ps > 100_000);
            windows.run_until(NEVER_PS);
            in_order.run_until(NEVER_PS);
            assert_eq!(windows.summary(), in_order.summary());
        }
    }
}
