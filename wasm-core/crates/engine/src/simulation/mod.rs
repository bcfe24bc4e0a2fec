//! Layer 8: assembles a scenario into a running world, moves it through time, and reports on it.
//!
//! A [`Simulation`] is plain data: a clone of it is a checkpoint, and a checkpoint goes on exactly as the original does.
//! What happens at one instant is ordered: first the updates of quality factors and the samples, then changes of
//! parameters, then timers, then packets by link number. [`Simulation::run_until`] stops before the timers and packets
//! of the instant it is given, so a change applied there replays identically as a timeline entry of that instant.
//!
//! Between those actions nodes are run on their own, window by window (see [`crate::network::forwarding`]). What hosts share
//! within a window must not depend on the order in which they run: they read the shares of their class, which change only
//! between windows, and add to counts. An application that waits for its requests is told by the acknowledgement that
//! reaches its own host, not by the delivery at the other.

mod bottleneck;
mod build;
pub mod checkpoints;
pub(crate) mod class_record;
mod conservation;
pub mod control;
mod detours;
mod device_samples;
pub mod devices;
pub mod follow;
mod layout;
mod live;
pub(crate) mod measurement;
pub mod metrics;
mod now;
pub mod plan;
mod planned;
mod qos_control;
mod readings;
pub(crate) mod record;
pub mod replays;
mod requests;
pub mod stepping;
mod summary;
mod view;
mod wiring;

use std::sync::Arc;

use serde_json::Value;

use crate::access::Access;
use crate::kernel::digest::Digest;
use crate::kernel::ids::{ClassId, FlowId, LinkId, NodeId, PairId};
use crate::kernel::time::{NEVER_PS, PS_PER_US, from_us, to_us};
use crate::network::forwarding::{Drained, Network};
use crate::scenario::document::{Change, Scenario};
use crate::scenario::{self, Diagnostic, FieldChange, size};
use crate::simulation::detours::Detours;
use crate::simulation::device_samples::DeviceSamples;
use crate::simulation::follow::Watch;
use crate::simulation::measurement::Measurement;
use crate::simulation::plan::{NetworkSettings, Plan};
use crate::simulation::qos_control::{QosControl, Scene};
use crate::simulation::readings::Readings;
use crate::simulation::replays::Replayed;
use crate::storage::Storage;
use crate::text;
use crate::transport::connections::Connections;
use crate::transport::timer::{Timer, Timers};
use crate::workload::applications::Applications;
use crate::workload::traces::Traces;

pub(crate) use qos_control::aims_at_latency;

pub use bottleneck::{Bottleneck, OutOfReach};
pub use conservation::{Balance, ConservationReport, RequestBalance, Stream};
pub use layout::{
    ClassLayout, DeviceLayout, DeviceType, Graph, GraphFlow, GraphLink, GraphNode, GraphNodeKind, Layout, layout,
};
pub use summary::{ClassSummary, ConvergenceSummary, Latency, Summary};
pub use view::{DeviceReadings, LinkLoads, OperationTails};

/// Version of the engine, and of everything that is built with it: page, command line and package.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Connections that a sample or an update of their class looks at in about the time of an event.
const CONNECTIONS_PER_EVENT: u64 = 32;

/// Window where no host sends anything: short enough that a slice of the run ends soon.
const ISOLATED_WINDOW_PS: u64 = 100 * PS_PER_US;

/// Time for which links must have held each other up to count as deadlocked: far longer than any buffer takes to drain.
const DEADLOCK_PS: u64 = 2000 * PS_PER_US;

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
    /// The paths in force where they are not those of the plan.
    detours: Detours,
    next_change: usize,
    now_ps: u64,
    duration_ps: u64,
    network: Network,
    connections: Connections,
    /// Timers of the connections at every node; those of switches stay empty.
    timers: Vec<Timers>,
    applications: Applications,
    access: Access,
    storage: Storage,
    /// The traces that were read for it.
    traces: Traces,
    /// By workload: what it replays.
    replayed: Replayed,
    /// By workload: requests that one of its open loops may have unanswered.
    request_limits: Vec<u64>,
    control: QosControl,
    measurement: Measurement,
    timer_events: u64,
    /// Links that hold each other up for ever, and since when, once that has happened.
    deadlock: Option<Deadlock>,
    /// Longest window in which nodes are run on their own.
    window_ps: u64,
    /// Takes notes of some requests, in a copy of the run that follows one of them.
    watch: Option<Box<Watch>>,
}

impl Simulation {
    /// Builds the world of a scenario that has passed validation, at time 0.
    ///
    /// # Errors
    /// Diagnostics that show only when the network is laid out: hosts without a path, a round trip that cannot be reached.
    pub fn new(scenario: &Scenario) -> Result<Self, Vec<Diagnostic>> {
        Self::with_traces(scenario, &Traces::default())
    }

    /// As [`Self::new`], for a scenario that replays traces, which have been read.
    ///
    /// # Errors
    /// Also a trace that is not among `traces`, or has not what is asked for.
    pub fn with_traces(scenario: &Scenario, traces: &Traces) -> Result<Self, Vec<Diagnostic>> {
        let replayed = replays::replayed(scenario, traces)?;
        let mut plan = Plan::new(scenario)?;
        plan.recorded_bps = replays::recorded_bps(scenario, &replayed);
        let settings = plan.settings(scenario)?;
        try_changes(scenario, &scenario.timeline, 0, &plan)?;
        let duration_ps = from_us(scenario.duration_us);
        let (mut network, connections) = build::network(scenario, &plan, &settings);
        let detours = Detours::new(scenario, &plan, &settings.links);
        detours.apply(&Detours::default(), &plan, &mut network);
        let timers = vec![Timers::default(); plan.graph.nodes().len()];
        let applications = build::applications(scenario, &plan, &replayed);
        let access = build::access(scenario, &plan);
        let storage = devices::storage(scenario, &plan);
        let control = QosControl::new(scenario, &plan, &settings, connections.pairs());
        let measurement = Measurement::new(scenario, &settings, plan.data_flows, DeviceSamples::new(&storage));
        let mut simulation = Self {
            plan: Arc::new(plan),
            scenario: scenario.clone(),
            current: Scenario { timeline: Vec::new(), ..scenario.clone() },
            settings,
            detours,
            next_change: 0,
            now_ps: 0,
            duration_ps,
            network,
            connections,
            timers,
            applications,
            access,
            storage,
            traces: traces.clone(),
            replayed,
            request_limits: scenario::size::request_limits(scenario),
            control,
            measurement,
            timer_events: 0,
            deadlock: None,
            window_ps: 1,
            watch: None,
        };
        simulation.set_window();
        for node in (0..simulation.timers.len()).map(NodeId::at) {
            simulation.network.refresh_next_event(node, simulation.next_timer_ps(node));
        }
        simulation.run_control_actions();
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
        self.network.packet_hops()
    }

    /// Requests done since the start of the run.
    pub fn requests_done(&self) -> u64 {
        self.access.requests().issued_and_done().1
    }

    /// Events so far: packets reaching the end of a link, timers, what happens inside devices, updates of classes and samples.
    pub fn events(&self) -> u64 {
        self.network.packet_hops() + self.timer_events + self.storage.events()
    }

    /// The scenario as it was loaded, with every change made since in its timeline: running it anew gives this run.
    pub fn scenario(&self) -> &Scenario {
        &self.scenario
    }

    /// Takes over what a scenario tells its readers (`Scenario::annotated_as`); the run itself stays as it is.
    pub fn annotate(&mut self, scenario: &Scenario) {
        self.scenario = self.scenario.annotated_as(scenario);
        self.current = self.current.annotated_as(scenario);
    }

    /// Its parameters as they are now, live changes included, without a timeline.
    pub fn current(&self) -> &Scenario {
        &self.current
    }

    /// Changes of the timeline that have taken effect.
    pub fn changes_in_force(&self) -> usize {
        self.next_change
    }

    /// What does not change in the run.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// Settings of all links, as they are now.
    pub fn settings(&self) -> &NetworkSettings {
        &self.settings
    }

    /// Runs up to an instant, or to the end of the run if that is earlier. The packets of that instant are left.
    pub fn run_until(&mut self, until_ps: u64) {
        while !self.advance(until_ps, u64::MAX) {}
    }

    /// As [`Self::run_until`], but may stop earlier, once `max_events` events have passed. Returns whether the instant
    /// was reached.
    pub fn advance(&mut self, until_ps: u64, max_events: u64) -> bool {
        let until_ps = until_ps.min(self.duration_ps);
        let stop_at = self.events().saturating_add(max_events);
        while self.now_ps < until_ps {
            let horizon_ps = until_ps.min(self.next_action_ps());
            self.run_packets(horizon_ps, stop_at);
            self.run_control_actions();
            if self.events() >= stop_at && self.now_ps < until_ps {
                return false;
            }
        }
        true
    }

    /// How long this run will compute on, as a person is told it, where it has computed for so many seconds so far. None where
    /// that is no time worth a word, or too little is done to know.
    pub fn forecast(&self, seconds: f64) -> Option<String> {
        if seconds < size::KNOWN_AFTER_SECONDS {
            return None;
        }
        let to_come = seconds * size::work_to_come(&self.scenario, to_us(self.now_ps))?;
        (to_come > size::LONG_SECONDS).then(|| text::about_time(to_come))
    }

    /// Applies a change of a live parameter at the present instant and records it in the timeline.
    ///
    /// # Errors
    /// As [`Self::apply_all`].
    pub fn apply(&mut self, path: &str, value: Value) -> Result<(), Vec<Diagnostic>> {
        self.apply_all(&[FieldChange { path: path.into(), value }])
    }

    /// Applies changes of live parameters at the present instant, one after the other, and records them in the timeline in
    /// that order: all of them, or none.
    ///
    /// # Errors
    /// Every diagnostic of the first change that is refused, or of a change still to come that they make impossible;
    /// nothing has changed then.
    pub fn apply_all(&mut self, changes: &[FieldChange]) -> Result<(), Vec<Diagnostic>> {
        let mut stages = Vec::with_capacity(changes.len());
        for FieldChange { path, value } in changes {
            let changed = scenario::changed(stages.last().unwrap_or(&self.current), path, value)?;
            self.plan.settings(&changed)?;
            stages.push(changed);
        }
        if let Some(last) = stages.last() {
            try_changes(last, &self.scenario.timeline, self.next_change, &self.plan)?;
        }
        // A replay takes the entries of an instant one by one, and so does this: settings reached in two stages need not
        // leave the same state as those reached in one.
        for (stage, FieldChange { path, value }) in stages.into_iter().zip(changes) {
            self.apply_settings(stage)?;
            // As a reader of the recorded document finds it, so that both have the same hash.
            let mut value = value.clone();
            scenario::whole_numbers(&mut value);
            // What was still to come stays to come; what is made now stands before it.
            let change = Change { at_us: to_us(self.now_ps), path: path.clone(), value };
            self.scenario.timeline.insert(self.next_change, change);
            self.next_change += 1;
        }
        Ok(())
    }

    /// Moves packets and fires timers before `horizon_ps`, or until there have been `stop_at` events, window by window.
    fn run_packets(&mut self, horizon_ps: u64, stop_at: u64) {
        while self.now_ps < horizon_ps && self.events() < stop_at {
            let start_ps = self.network.earliest_ps().iter().copied().min().unwrap_or(NEVER_PS);
            let end_ps = start_ps.saturating_add(self.window_ps).min(horizon_ps);
            for node in 0..self.timers.len() {
                if self.network.earliest_ps()[node] < end_ps {
                    self.run_node(NodeId::at(node), end_ps);
                }
            }
            self.now_ps = end_ps;
        }
    }

    /// Runs one node up to `end_ps`. What it sends arrives elsewhere no earlier than that.
    #[inline]
    fn run_node(&mut self, node: NodeId, end_ps: u64) {
        if !self.plan.graph.is_host(node) {
            self.network.run_switch(node, end_ps);
            self.network.refresh_next_event(node, NEVER_PS);
            return;
        }
        let mut drained = None;
        loop {
            if let Some(at_ps) = self.deliver(node, end_ps, &mut drained) {
                self.settle(node, at_ps);
            } else if let Some(Drained { at_ps, link, priority }) = drained.take() {
                let timers = &mut self.timers[node.index()];
                self.connections.on_drained(link, priority, at_ps, &mut self.network, timers);
                self.settle(node, at_ps);
            } else if self.next_timer_ps(node) < end_ps {
                self.fire_next(node, end_ps);
            } else {
                break;
            }
        }
        self.network.refresh_next_event(node, self.next_timer_ps(node));
    }

    /// Delivers the packets that reach a host before `end_ps` and its next timer, but stops as soon as one of them moves a
    /// message on, and says when that was, or when a queue of its port has drained.
    #[inline(always)]
    fn deliver(&mut self, node: NodeId, end_ps: u64, drained: &mut Option<Drained>) -> Option<u64> {
        let Self { network, connections, timers, control, applications, access, storage, .. } = self;
        let timers = &mut timers[node.index()];
        let limit_ps = end_ps.min(applications.next_ps(node)).min(access.next_ps(node)).min(storage.next_ps(node));
        // Each kind of network has a loop of its own: packets that simply arrive stay in registers from there to here.
        if network.is_plain() {
            loop {
                let delivery = network.next_arrival(node, limit_ps.min(timers.next_ps()))?;
                connections.deliver(delivery, control.shares(), network, timers);
                if !connections.events().is_empty() {
                    return Some(delivery.at_ps);
                }
            }
        }
        loop {
            let delivery = network.next_delivery(node, limit_ps.min(timers.next_ps()), drained)?;
            connections.deliver_in_turn(&delivery, control.shares(), network, timers);
            if !connections.events().is_empty() {
                return Some(delivery.at_ps);
            }
        }
    }

    /// When a timer next fires at a node.
    #[inline]
    fn next_timer_ps(&self, node: NodeId) -> u64 {
        let of_requests_ps =
            self.applications.next_ps(node).min(self.access.next_ps(node)).min(self.storage.next_ps(node));
        self.timers[node.index()].next_ps().min(of_requests_ps)
    }

    /// Fires the next timer of a node, which is before `end_ps`, or lets its storage work up to what else is due there. At one
    /// instant applications go before the software of access, that before storage, that before connections, and all of them
    /// before packets. Rare beside packets: stays out of their loop.
    #[inline(never)]
    fn fire_next(&mut self, node: NodeId, end_ps: u64) {
        let application_ps = self.applications.next_ps(node);
        let (pass_ps, storage_ps) = (self.access.next_ps(node), self.storage.next_ps(node));
        let timer_ps = self.timers[node.index()].next_ps();
        if storage_ps < application_ps.min(pass_ps) && storage_ps <= timer_ps {
            return self.run_storage(node, end_ps);
        }
        self.timer_events += 1;
        if application_ps <= pass_ps.min(timer_ps) {
            let Some((at_ps, application)) = self.applications.pop(node) else { return };
            if let Some(step) = self.applications.on_timer(application, at_ps) {
                self.perform(application, step, at_ps);
                self.settle(node, at_ps);
            }
        } else if pass_ps <= timer_ps {
            self.fire_pass(node);
        } else if let Some((at_ps, timer)) = self.timers[node.index()].pop() {
            self.fire(node, at_ps, timer);
            self.settle(node, at_ps);
        }
    }

    fn fire(&mut self, node: NodeId, now_ps: u64, timer: Timer) {
        let (network, timers) = (&mut self.network, &mut self.timers[node.index()]);
        match timer {
            Timer::Retransmit(flow) => self.connections.on_retransmit_timer(FlowId(flow), now_ps, network, timers),
            Timer::DelayedAck(flow) => self.connections.on_delayed_ack_timer(FlowId(flow), now_ps, network, timers),
            Timer::PortReady(port) => self.connections.on_port_ready(port, now_ps, network, timers),
            Timer::Pace(flow) => self.connections.on_pace_timer(FlowId(flow), now_ps, network, timers),
            Timer::Controller(flow) => {
                self.connections.on_controller_timer(FlowId(flow), now_ps, self.control.shares(), timers)
            }
            Timer::InitialRate(pair) => self.connections.on_initial_rate_timer(PairId(pair), now_ps, timers),
        }
    }

    /// Takes the lookahead of the network as the window, where hosts send each other anything at all.
    fn set_window(&mut self) {
        self.window_ps = match self.connections.len() {
            0 => ISOLATED_WINDOW_PS,
            _ => self.network.lookahead_ps().max(1),
        };
    }

    /// When something other than packets and timers is next due.
    fn next_action_ps(&self) -> u64 {
        self.control.next_ps().min(self.measurement.next_ps()).min(self.next_change_ps())
    }

    fn next_change_ps(&self) -> u64 {
        self.scenario.timeline.get(self.next_change).map_or(NEVER_PS, |change| from_us(change.at_us))
    }

    /// Does what is due at the present instant apart from packets and timers.
    fn run_control_actions(&mut self) {
        for class in (0..self.scenario.classes.len()).map(ClassId::at) {
            if self.control.is_due(class, self.now_ps) {
                // Counted by its work, so that a slice ends in time where little else happens.
                let flows = self.plan.flows_of_class[class.index()].len();
                self.timer_events += 1 + flows as u64 / CONNECTIONS_PER_EVENT;
                let (control, mut scene) = self.control_and_scene();
                if let Some(factor) = control.update_class(class, &mut scene) {
                    self.measurement.on_quality(class, factor);
                }
            }
        }
        let (control, scene) = self.control_and_scene();
        control.renew_targets(&scene);
        if self.measurement.next_ps() <= self.now_ps {
            self.timer_events += 1 + self.connections.len() as u64 / CONNECTIONS_PER_EVENT;
            self.measure();
        }
        while self.next_change_ps() <= self.now_ps {
            let change = &self.scenario.timeline[self.next_change];
            let changed = scenario::changed(&self.current, &change.path, &change.value);
            changed
                .and_then(|changed| self.apply_settings(changed))
                .expect("changes to come are tried when the run begins and at every change");
            self.next_change += 1;
        }
    }

    /// The control of quality of service, and what it sees of the run.
    fn control_and_scene(&mut self) -> (&mut QosControl, Scene<'_>) {
        let scene = Scene {
            now_ps: self.now_ps,
            plan: &self.plan,
            scenario: &self.current,
            settings: &self.settings,
            detours: &self.detours,
            applications: &self.applications,
            connections: &mut self.connections,
            sample_period_ps: self.measurement.period_ps(),
        };
        (&mut self.control, scene)
    }

    /// The run as it stands, to be read.
    fn readings(&self) -> Readings<'_> {
        Readings {
            now_ps: self.now_ps,
            plan: &self.plan,
            scenario: &self.current,
            network: &self.network,
            connections: &self.connections,
            access: &self.access,
            storage: &self.storage,
            control: &self.control,
        }
    }

    /// The end of the warm-up has come, or a sample is due, or both.
    fn measure(&mut self) {
        let mut queue = None;
        if self.measurement.is_sample_due(self.now_ps) {
            self.look_for_deadlock();
            queue = Some(self.network.take_queue_range(self.now_ps, self.plan.bottleneck));
        }
        let readings = Readings {
            now_ps: self.now_ps,
            plan: &self.plan,
            scenario: &self.current,
            network: &self.network,
            connections: &self.connections,
            access: &self.access,
            storage: &self.storage,
            control: &self.control,
        };
        self.measurement.look(readings, queue);
    }

    /// Links that have held each other up for longer than it takes to drain any buffer will do so for ever.
    fn look_for_deadlock(&mut self) {
        if self.deadlock.is_none() && self.now_ps > DEADLOCK_PS {
            let links = self.network.deadlock(self.now_ps - DEADLOCK_PS);
            self.deadlock = (!links.is_empty()).then_some(Deadlock { at_ps: self.now_ps, links });
        }
    }

    /// Window, α and rate of a connection for the digest: what does not rule it, as it is when a flow begins.
    fn controller_state(&self, flow: FlowId) -> [f64; 3] {
        let allowance = self.connections.sender(flow).controller.allowance();
        let line_bps = self.connections.settings(self.connections.class(flow)).line_bps;
        let [packets, alpha] = match allowance.window_packets() {
            Some(packets) => [packets, self.readings().alpha(flow)],
            None => [f64::from(self.connections.window_limits().initial), 1.0],
        };
        [packets, alpha, allowance.rate_bps.unwrap_or(line_bps)]
    }

    /// A digest of everything that has happened: equal only if the runs are.
    pub fn digest(&self) -> u64 {
        let mut digest = Digest::default();
        self.digest_of_traffic(&mut digest, |flow| self.controller_state(flow));
        for class in &self.control.classes {
            digest.number(class.quality.unwrap_or(f64::NAN));
        }
        self.digest_of_pauses(&mut digest);
        self.measurement.digest(&mut digest);
        self.storage.digest(&mut digest);
        let recorded = self.replayed.iter().flatten();
        recorded.for_each(|trace| digest.word(trace.digest()));
        digest.value()
    }

    /// As [`Self::digest`], of what packets, requests and devices did alone. Left out are targets, quality factors and the
    /// samples, which say how far that is from what a class was to have, also of classes that do not follow them; and what
    /// arbitration still owes to levels that nobody uses.
    pub fn outcome_digest(&self) -> u64 {
        let allowance = |flow: FlowId| {
            let allowance = self.connections.sender(flow).controller.allowance();
            [allowance.window_packets(), allowance.rate_bps].into_iter().flatten()
        };
        let mut digest = Digest::default();
        self.digest_of_traffic(&mut digest, allowance);
        self.digest_of_pauses(&mut digest);
        self.measurement.digest_of_requests(&mut digest);
        self.storage.all_devices().for_each(|(_, _, device)| device.counters().digest(&mut digest));
        digest.value()
    }

    fn digest_of_traffic<C: IntoIterator<Item = f64>>(&self, digest: &mut Digest, of_controller: impl Fn(FlowId) -> C) {
        digest.word(self.now_ps);
        digest.word(self.network.packet_hops());
        digest.word(self.network.trace());
        for flow in 0..self.connections.len() {
            let flow = FlowId::at(flow);
            let (sender, receiver) = (self.connections.sender(flow), self.connections.receiver(flow));
            [sender.unacknowledged, sender.next, sender.end, receiver.next]
                .into_iter()
                .for_each(|word| digest.word(word));
            of_controller(flow).into_iter().for_each(|number| digest.number(number));
        }
    }

    fn digest_of_pauses(&self, digest: &mut Digest) {
        let pauses = self.network.pauses();
        [pauses.sent, pauses.received_by_switches, pauses.received_by_hosts].into_iter().for_each(|n| digest.word(n));
    }
}

/// Lays out a scenario that has passed validation, without building it. Returns what is legal but surely not meant.
///
/// # Errors
/// As [`Simulation::new`].
pub fn check(scenario: &Scenario) -> Result<Vec<Diagnostic>, Vec<Diagnostic>> {
    let plan = Plan::new(scenario)?;
    plan.settings(scenario)?;
    try_changes(scenario, &scenario.timeline, 0, &plan)?;
    Ok(scenario::warnings(scenario))
}

/// Tries the changes of a timeline from number `first` on, each on what the earlier ones leave of `parameters`. Validation
/// has tried them on the document; what is left are round trips and memories that this network does not allow.
fn try_changes(parameters: &Scenario, timeline: &[Change], first: usize, plan: &Plan) -> Result<(), Vec<Diagnostic>> {
    let mut current = Scenario { timeline: Vec::new(), ..parameters.clone() };
    for (index, change) in timeline.iter().enumerate().skip(first) {
        let at_value = |diagnostic: Diagnostic| Diagnostic { path: format!("timeline[{index}].value"), ..diagnostic };
        let tried = scenario::apply(&mut current, &change.path, &change.value).and_then(|()| {
            let touches_network = !change.path.starts_with("workloads") && !change.path.starts_with("qos");
            if touches_network { plan.settings(&current).map(|_settings| ()) } else { Ok(()) }
        });
        tried.map_err(|diagnostics| diagnostics.into_iter().map(at_value).collect::<Vec<_>>())?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const PRESETS: [&str; 3] = ["three-writers", "bench-fat-tree-k4", "bench-dumbbell-10g"];

    fn preset(name: &str) -> Scenario {
        scenario::from_value(qoscope_committed::document(name)).expect("the presets are sound")
    }

    fn shortened(name: &str) -> Scenario {
        let scenario = preset(name);
        Scenario { duration_us: scenario.duration_us.min(1000.0), ..scenario }
    }

    #[test]
    fn a_backlog_grows_where_more_is_offered_than_carried_and_not_in_a_closed_loop() {
        let growing = |name: &str| {
            let scenario = Scenario { duration_us: 3000.0, ..preset(name) };
            let mut simulation = Simulation::new(&scenario).expect("it fits");
            simulation.run_until(simulation.duration_ps());
            simulation.summary().classes.iter().map(|class| class.backlog_grows).collect::<Vec<_>>()
        };
        // 90, 60 and 30 Gb/s offered to a port of 100 Gb/s that DCTCP shares evenly.
        let overloaded = growing("ref-ns3-A2_100g_rtt25_K140_concurrent_90_60_30");
        assert_eq!(overloaded[..2], [true, true]);
        let light = growing("ref-ns3-A2_100g_rtt25_K140_total60");
        assert!(!light.contains(&true));
        assert_eq!(growing(PRESETS[0]), [false, false, false]);
    }

    #[test]
    fn a_change_to_come_that_the_network_cannot_follow_is_refused_at_the_start() {
        let mut scenario = shortened(PRESETS[0]);
        let (path, value) = ("topology.baseRttUs".into(), serde_json::json!(1.0));
        scenario.timeline = vec![Change { at_us: 500.0, path, value }];
        let diagnostics = Simulation::new(&scenario).expect_err("six hops take longer than 1 us");
        assert_eq!(diagnostics[0].path, "timeline[0].value");
    }

    fn all(changes: &[(&str, Value)]) -> Vec<FieldChange> {
        changes.iter().map(|(path, value)| FieldChange { path: (*path).into(), value: value.clone() }).collect()
    }

    #[test]
    fn changes_of_one_action_apply_together_and_replay() {
        let mut live = Simulation::new(&shortened(PRESETS[0])).expect("can be laid out");
        live.run_until(400_000_000);
        let changes = all(&[
            ("switch.ecnThresholdPackets", 40.into()),
            ("classes[0].transport", "dctcp".into()),
            ("switch.bufferPackets", 300.into()),
        ]);
        live.apply_all(&changes).expect("each is sound");
        let recorded: Vec<&str> = live.scenario().timeline.iter().map(|change| change.path.as_str()).collect();
        assert_eq!(recorded, changes.iter().map(|change| change.path.as_str()).collect::<Vec<_>>());
        let mut replayed = Simulation::new(live.scenario()).expect("can be laid out");
        live.run_until(NEVER_PS);
        replayed.run_until(NEVER_PS);
        assert_eq!(live.digest(), replayed.digest());
    }

    #[test]
    fn when_one_change_of_an_action_is_refused_none_applies() {
        let mut live = Simulation::new(&shortened(PRESETS[0])).expect("can be laid out");
        let mut untouched = live.clone();
        live.run_until(400_000_000);
        untouched.run_until(400_000_000);
        let changes = all(&[("switch.ecnThresholdPackets", 40.into()), ("classes[0].ratio", (-2).into())]);
        let diagnostics = live.apply_all(&changes).expect_err("a ratio is positive");
        assert_eq!(diagnostics[0].path, "classes[0].ratio");
        assert_eq!(live.scenario(), untouched.scenario());
        live.run_until(NEVER_PS);
        untouched.run_until(NEVER_PS);
        assert_eq!(live.digest(), untouched.digest());
    }

    #[test]
    fn an_open_loop_turns_away_what_a_run_cannot_hold() {
        for flows in ["lasting", "per-request"] {
            let document = serde_json::json!({
                "version": 3,
                "host": { "startJitterUs": 0 },
                "name": "Overload",
                "durationUs": 1000,
                "topology": { "shape": { "kind": "dumbbell", "senders": 1, "receivers": 1 }, "linkGbps": 1 },
                "classes": [{ "name": "A", "transport": "dctcp" }],
                "workloads": [{
                    "class": "A",
                    "endpoints": { "kind": "pairs", "initiators": ["h0"], "targets": ["h1"] },
                    "flows": flows,
                    "traffic": { "kind": "open-loop", "offeredGbps": 10, "size": { "kind": "fixed", "bytes": 1000 } }
                }],
                "measurement": { "warmupUs": 0 }
            });
            let scenario = scenario::from_value(document).expect("is valid");
            let mut simulation = Simulation::new(&scenario).expect("can be laid out");
            simulation.request_limits = vec![100];
            simulation.run_until(NEVER_PS);
            let requests = &simulation.summary().classes[0].requests;
            assert!((100..=101).contains(&simulation.requests_held()), "{flows}: {}", simulation.requests_held());
            assert!(requests.turned_away > 900 && requests.issued < 300, "{flows}: {requests:?}");
        }
    }

    /// Pauses, priorities, paced flows of their own for every request, deadlines and initial rates, at once.
    fn everything() -> serde_json::Value {
        let workload = |class: &str, initiators: [&str; 3], size: u32| {
            serde_json::json!({
                "class": class,
                "endpoints": { "kind": "pairs", "initiators": initiators, "targets": ["h6"] },
                "connections": 4,
                "flows": "per-request",
                "traffic": { "kind": "open-loop", "offeredGbps": 30, "size": { "kind": "exponential", "meanBytes": size } },
            })
        };
        let class = |name: &str, transport: &str, set: &str, priority: u8| {
            serde_json::json!({
                "name": name,
                "transport": transport,
                "priority": priority,
                "goal": "latency",
                "latencyTargetUs": 50,
                "dcqcn": { "set": set },
                "dirs": { "enabled": true },
            })
        };
        serde_json::json!({
            "version": 3,
            "host": { "startJitterUs": 0 },
            "name": "Everything",
            "durationUs": 1000,
            "topology": { "shape": { "kind": "dumbbell", "senders": 6, "receivers": 1 }, "linkGbps": 25 },
            "switch": { "buffering": "pfc", "sharedBufferBytes": 600_000, "ecnThresholdPackets": 20 },
            "classes": [
                class("A", "qrdma", "sigcomm15", 0),
                class("B", "dcqcn", "hpcc", 0),
                class("C", "d2tcp", "vendor", 5),
            ],
            "workloads": [
                workload("A", ["h0", "h1", "h2"], 60_000),
                workload("B", ["h3", "h4", "h5"], 60_000),
                workload("C", ["h0", "h3", "h5"], 4000),
            ],
        })
    }

    /// Requests to devices over every protocol.
    fn stored() -> serde_json::Value {
        let workload = |class: &str, host: &str, target: &str, protocol: &str, devices: &str, bytes: u32| {
            serde_json::json!({
                "class": class,
                "endpoints": { "kind": "pairs", "initiators": [host], "targets": [target] },
                "readFraction": 0.5,
                "protocol": protocol,
                "devices": devices,
                "traffic": {
                    "kind": "closed-loop", "outstanding": 8, "size": { "kind": "exponential", "meanBytes": bytes },
                },
            })
        };
        serde_json::json!({
            "version": 3,
            "name": "Stored",
            "durationUs": 1000,
            "topology": { "shape": { "kind": "dumbbell", "senders": 3, "receivers": 2 }, "linkGbps": 25 },
            "classes": [{ "name": "A", "transport": "qtcp" }, { "name": "B", "transport": "qrdma", "priority": 3 }],
            "storage": { "servers": [{ "host": "h4", "devices": [
                { "name": "ssd", "kind": "ssd" }, { "name": "pm", "kind": "persistent-memory" },
            ] }] },
            "access": { "queueDepth": 5 },
            "workloads": [
                workload("A", "h0", "h4", "nvme-tcp", "ssd", 30_000),
                workload("A", "h1", "h4", "iscsi", "ssd", 300_000),
                workload("B", "h2", "h4", "nvme-rdma", "persistent-memory", 300),
                workload("B", "h3", "h3", "local", "ssd", 20_000),
            ],
        })
    }

    #[test]
    fn the_length_of_windows_changes_nothing() {
        let sound = |document| scenario::from_value(document).expect("is valid");
        let everything = sound(everything());
        let mut reading = everything.clone();
        for (workload, fraction) in reading.workloads.iter_mut().zip([1.0, 0.5, 0.2]) {
            workload.read_fraction = fraction;
        }
        for scenario in PRESETS.map(shortened).into_iter().chain([everything.clone(), reading, sound(stored())]) {
            let mut windows = Simulation::new(&scenario).expect("can be laid out");
            let mut in_order = windows.clone();
            in_order.window_ps = 1;
            assert!(windows.window_ps > 100_000);
            windows.run_until(NEVER_PS);
            in_order.run_until(NEVER_PS);
            assert_eq!(windows.summary(), in_order.summary());
        }
        let mut paused = Simulation::new(&everything).expect("can be laid out");
        paused.run_until(NEVER_PS);
        assert!(paused.network.pauses().sent > 0, "the last one pauses");
    }
}
