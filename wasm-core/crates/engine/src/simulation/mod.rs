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

mod build;
mod classes;
mod connection;
pub mod control;
mod ledger;
mod live;
pub mod plan;
mod recorder;
mod requests;
mod summary;
mod view;

use std::sync::Arc;

use serde_json::Value;

use crate::kernel::digest::Digest;
use crate::kernel::ids::{ClassId, FlowId, LinkId, NodeId};
use crate::kernel::time::{NEVER_PS, from_us, to_us};
use crate::kernel::timers::{Timer, Timers};
use crate::network::fabric::{Delivery, Fabric, HostEvent};
use crate::qos::interference::Interference;
use crate::qos::quality::ClassShare;
use crate::scenario::document::{Change, Scenario};
use crate::scenario::{self, Fault};
use crate::simulation::classes::ClassState;
use crate::simulation::plan::{NetworkSettings, Plan};
use crate::simulation::recorder::Recorder;
use crate::simulation::requests::PoolState;
use crate::transport::connections::Connections;
use crate::workload::source::Source;

pub use ledger::{Account, Ledger, Stream};
pub use summary::{ClassSummary, Summary};
pub use view::{FIGURE_COLUMNS, LinkLoads, layout};

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
        let (fabric, connections) = build::network(scenario, &plan, &settings);
        let mut timers = vec![Timers::default(); plan.graph.nodes().len()];
        let sources = build::sources(scenario, &plan, &mut timers);
        let pools = plan.pools.iter().map(PoolState::new).collect();
        let classes = vec![ClassState::new(&scenario.measurement); scenario.classes.len()];
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

    /// Pauses, priorities, paced flows of their own for every request, deadlines and initial rates, at once.
    fn everything() -> String {
        let workload = |class: &str, sources: [u32; 3], size: u32| {
            serde_json::json!({
                "class": class,
                "endpoints": { "kind": "pairs", "sources": sources, "destinations": [6] },
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
        let document = serde_json::json!({
            "version": 1,
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
                workload("A", [0, 1, 2], 60_000),
                workload("B", [3, 4, 5], 60_000),
                workload("C", [0, 3, 5], 4000),
            ],
        });
        document.to_string()
    }

    #[test]
    fn the_length_of_windows_changes_nothing() {
        let everything = everything();
        for json in PRESETS.into_iter().chain([everything.as_str()]) {
            let mut windows = Simulation::new(&shortened(json)).expect("can be laid out");
            let mut in_order = windows.clone();
            in_order.window_ps = 1;
            assert!(windows.window_ps > 100_000);
            windows.run_until(NEVER_PS);
            in_order.run_until(NEVER_PS);
            assert_eq!(windows.summary(), in_order.summary());
        }
        let mut paused = Simulation::new(&shortened(&everything)).expect("can be laid out");
        paused.run_until(NEVER_PS);
        assert!(paused.fabric.pauses().sent > 0, "the last one pauses");
    }
}
