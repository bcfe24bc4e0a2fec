//! Hands requests from applications to access, and what access reports back to applications and to what is measured.

use crate::access::{Access, AtHost, Lanes, Outcome, Stage};
use crate::kernel::ids::{ApplicationId, FlowId, NodeId};
use crate::simulation::Simulation;
use crate::workload::applications::Step;

impl Simulation {
    /// Requests that take memory: those that wait or are under way, their acknowledgements included.
    pub fn requests_held(&self) -> usize {
        self.access.requests().held()
    }

    /// An application does what it wants done.
    pub(super) fn perform(&mut self, application: ApplicationId, step: Step, now_ps: u64) {
        let node = self.applications.node(application);
        let Lanes { class, first, .. } = *self.access.lanes(application);
        let backlogged = || self.plan.associations[first.index()].forth.expect("a backlog has a connection");
        match step {
            Step::StopBacklog => self.connections.stop_backlog(backlogged()),
            Step::StartBacklog => {
                let forth = backlogged();
                let timers = &mut self.timers[node.index()];
                self.connections.start_backlog(forth, now_ps, &mut self.network, timers);
            }
            Step::Issue { operation, address, bytes } => {
                if !self.applications.source(application).awaits() && self.is_at_limit(application) {
                    return self.measurement.on_turned_away(class);
                }
                self.measurement.on_request(class, bytes);
                let (access, mut host) = self.access_at(node, now_ps);
                let id = access.issue(application, operation, (address, bytes), &mut host);
                if let Some(watch) = &mut self.watch {
                    watch.on_issued(id, class, operation, now_ps);
                }
            }
        }
    }

    /// Whether an application has as many requests unanswered as a run may hold.
    fn is_at_limit(&self, application: ApplicationId) -> bool {
        let unanswered = u64::from(self.access.requests().outstanding(application).unanswered);
        unanswered >= self.request_limits[self.plan.applications[application.index()].workload]
    }

    /// Access, and what it may touch of a host.
    fn access_at(&mut self, node: NodeId, now_ps: u64) -> (&mut Access, AtHost<'_>) {
        let host = AtHost {
            now_ps,
            node,
            connections: &mut self.connections,
            network: &mut self.network,
            timers: &mut self.timers[node.index()],
            storage: &mut self.storage,
        };
        (&mut self.access, host)
    }

    /// A pass through the software of a node ends.
    pub(super) fn fire_pass(&mut self, node: NodeId) {
        let now_ps = self.access.next_ps(node);
        let (access, mut host) = self.access_at(node, now_ps);
        let outcome = access.fire(&mut host);
        self.on_progress(node, outcome, now_ps);
    }

    /// The storage of a node works before `end_ps`, for as long as nothing else is due there: nothing else touches it then.
    pub(super) fn run_storage(&mut self, node: NodeId, end_ps: u64) {
        loop {
            // At one instant applications and the software of access go before storage, and that before the rest.
            let ahead_ps = self.applications.next_ps(node).min(self.access.next_ps(node)).min(end_ps);
            let behind_ps = self.timers[node.index()].next_ps().min(self.network.next_event_ps(node));
            let before_ps = ahead_ps.min(behind_ps.saturating_add(1));
            let Some((request, served)) = self.storage.run(node, before_ps) else { return };
            let (access, mut host) = self.access_at(node, served.at_ps);
            let outcome = access.on_served(request, served, &mut host);
            self.on_progress(node, outcome, served.at_ps);
        }
    }

    fn on_progress(&mut self, node: NodeId, outcome: Outcome, now_ps: u64) {
        if outcome != Outcome::default() {
            self.on_outcome(outcome, now_ps);
        }
        self.settle(node, now_ps);
    }

    /// Takes in what has become of messages at a node, most often nothing.
    #[inline]
    pub(super) fn settle(&mut self, node: NodeId, now_ps: u64) {
        if !self.connections.events().is_empty() {
            self.settle_events(node, now_ps);
        }
    }

    #[inline(never)]
    fn settle_events(&mut self, node: NodeId, now_ps: u64) {
        let mut next = 0;
        // What follows from an event may lead to others.
        while let Some(&event) = self.connections.events().get(next) {
            next += 1;
            let (access, mut host) = self.access_at(node, now_ps);
            let outcome = access.on_event(event, &mut host);
            if outcome != Outcome::default() {
                self.on_outcome(outcome, now_ps);
            }
        }
        self.connections.events().clear();
    }

    fn on_outcome(&mut self, Outcome { done, answered }: Outcome, now_ps: u64) {
        if let Some(id) = done {
            let request = self.access.requests().at(id);
            let deadline_ps = self.connections.deadline_ps(request.class);
            let visit = self.access.visit(id);
            self.measurement.on_done(request, visit, deadline_ps);
            if let Some(watch) = &mut self.watch {
                watch.on_done(id, request, visit);
            }
            self.note_end(request.application, request.at_ps(Stage::Done));
        }
        if let Some(id) = answered {
            if let Some(watch) = &mut self.watch {
                watch.on_answered(id, now_ps);
            }
            let request = self.access.requests().at(id);
            if let Some(flow) = self.access.data_flow(request) {
                let pair = self.connections.pair(flow);
                self.control.on_latency(pair, now_ps - request.at_ps(Stage::Issued));
            }
            let application = request.application;
            if let Some(step) = self.applications.on_answer(application, now_ps) {
                self.perform(application, step, now_ps);
            }
        }
    }

    /// An application of limited requests on one association may have had its last one done.
    fn note_end(&mut self, application: ApplicationId, done_ps: u64) {
        if self.access.requests().outstanding(application).under_way > 0 {
            return;
        }
        let source = self.applications.source(application);
        let planned = &self.plan.applications[application.index()];
        if planned.lanes.per_request || !source.is_spent() {
            return;
        }
        let after_ps = done_ps - source.start_ps();
        let association = self.plan.associations[planned.lanes.first.index()];
        let carries_data = |flow: &FlowId| flow.index() < self.plan.data_flows;
        for flow in [association.forth, association.back].into_iter().flatten().filter(carries_data) {
            self.measurement.on_flow_end(flow, after_ps);
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use crate::kernel::ids::FlowId;
    use crate::scenario;
    use crate::simulation::{Simulation, Summary};

    /// One initiator and one target, 10 Gb/s, 10 us from host to host.
    fn run(read_fraction: f64, traffic: &Value, flows: &str) -> (Summary, Simulation) {
        let document = json!({
            "version": 3,
            "name": "Reads",
            "durationUs": 5000,
            "topology": {
                "shape": { "kind": "dumbbell", "senders": 1, "receivers": 1, "switches": 1 },
                "linkGbps": 10,
                "linkDelayUs": 5,
            },
            "host": { "startJitterUs": 0, "delayedAckPackets": 1 },
            "classes": [{ "name": "A", "transport": "dctcp" }],
            "workloads": [{
                "class": "A",
                "endpoints": { "kind": "pairs", "initiators": ["h0"], "targets": ["h1"] },
                "readFraction": read_fraction,
                "connections": if flows == "per-request" { 8 } else { 1 },
                "flows": flows,
                "traffic": traffic,
            }],
            "measurement": { "warmupUs": 0 },
        });
        let scenario = scenario::from_value(document).expect("is valid");
        let mut simulation = Simulation::new(&scenario).expect("can be laid out");
        simulation.run_until(u64::MAX);
        (simulation.summary(), simulation)
    }

    fn closed_loop(bytes: u64) -> Value {
        json!({ "kind": "closed-loop", "outstanding": 1, "size": { "kind": "fixed", "bytes": bytes } })
    }

    #[test]
    fn a_read_takes_the_way_of_its_command_and_that_of_its_data() {
        let (summary, _) = run(1.0, &closed_loop(1000), "lasting");
        let class = &summary.classes[0];
        // There and back 10 us each; on two links of 10 Gb/s each, 64 and 1000 bytes with their headers of 52 and framing.
        let wire_us = 2.0 * 8e-4 * f64::from(64 + 1000 + 2 * (52 + 2));
        let read_us = class.reads.as_ref().and_then(|reads| reads.p50).expect("there are reads");
        assert!((read_us - 20.0 - wire_us).abs() < 0.3, "{read_us} us, {wire_us} on wires");
        assert!(class.writes.is_none());
        assert_eq!(class.latency_us.p50, Some(read_us));
        // One after the other: the next begins when the data has come.
        let expected = 5000.0 / read_us;
        assert!((class.requests.completed as f64 - expected).abs() < 3.0, "{} of {expected}", class.requests.completed);
        // The target sends what is carried, and commands are no payload.
        let carried_gbps = class.requests.completed as f64 * 8000.0 / 5000.0 / 1000.0;
        assert!((class.carried_gbps - carried_gbps).abs() < 0.01, "{} of {carried_gbps}", class.carried_gbps);
        assert_eq!(summary.flows.len(), 1);
        assert_eq!((summary.flows[0].source, summary.flows[0].destination), (1, 0));
    }

    #[test]
    fn reads_and_writes_of_one_application_are_told_apart() {
        for flows in ["lasting", "per-request"] {
            let traffic = json!({
                "kind": "open-loop", "offeredGbps": 4, "size": { "kind": "fixed", "bytes": 4096 },
            });
            let (summary, simulation) = run(0.25, &traffic, flows);
            let class = &summary.classes[0];
            let mean = |latency: &Option<crate::simulation::summary::Latency>| {
                latency.as_ref().and_then(|latency| latency.mean).expect("there are some")
            };
            // A write is done where it was wanted after one way, a read after two.
            assert!(mean(&class.reads) > mean(&class.writes) + 8.0, "{flows}: {class:?}");
            let carried = |source: u32| {
                summary.flows.iter().filter(|flow| flow.source == source).map(|flow| flow.carried_gbps).sum::<f64>()
            };
            let share = carried(1) / (carried(0) + carried(1));
            assert!((share - 0.25).abs() < 0.06, "{flows}: {share} of the data is read");
            assert!(simulation.conservation_report().requests.balances());
        }
    }

    #[test]
    fn a_command_that_has_come_in_part_is_no_payload() {
        // Such a write and 48 bytes of the command behind it fill a packet; often nothing follows the other 16.
        let traffic = json!({
            "kind": "open-loop", "offeredGbps": 8, "size": { "kind": "fixed", "bytes": 1400 },
        });
        let (_, run_before) = run(0.5, &traffic, "lasting");
        let mut simulation = Simulation::new(run_before.scenario()).expect("can be laid out");
        let mut before = 0;
        for step in 1..50_000 {
            simulation.run_until(step * 20_000);
            let delivered = simulation.readings().payload_delivered(FlowId(0));
            assert!(delivered >= before, "{delivered} bytes after {before}");
            before = delivered;
        }
        assert!(before > 100_000, "{before} bytes delivered");
    }

    #[test]
    fn a_load_that_is_raised_later_is_not_turned_away_and_replays() {
        let traffic =
            |gbps: f64| json!({ "kind": "open-loop", "offeredGbps": gbps, "size": { "kind": "fixed", "bytes": 1000 } });
        let (_, run_before) = run(0.0, &traffic(4.0), "lasting");
        let mut document = scenario::as_value(run_before.scenario());
        let mut small = document["workloads"][0].clone();
        small["traffic"] = traffic(1e-6);
        document["workloads"].as_array_mut().expect("is a list").push(small);
        let scenario = scenario::from_value(document).expect("is valid");
        let mut live = Simulation::new(&scenario).expect("can be laid out");
        live.run_until(1_000_000_000);
        live.apply("workloads[1].traffic.offeredGbps", json!(5.0)).expect("is live");
        live.run_until(u64::MAX);
        assert_eq!(live.summary().classes[0].requests.turned_away, 0);
        let mut replay = Simulation::new(live.scenario()).expect("can be laid out");
        replay.run_until(u64::MAX);
        assert_eq!(replay.digest(), live.digest());
    }

    #[test]
    fn a_queue_pair_follows_its_depth_up_and_down() {
        let document = json!({
            "version": 3,
            "name": "Depth",
            "durationUs": 100_000,
            "topology": { "shape": { "kind": "dumbbell", "senders": 1, "receivers": 1 } },
            "classes": [{ "name": "A", "transport": "dctcp" }],
            "access": { "protocol": "local", "queueDepth": 4, "software": { "hostLatencyUs": 0, "commandWorkUs": 0 } },
            "workloads": [{
                "class": "A",
                "endpoints": { "kind": "pairs", "initiators": ["h0"], "targets": ["h0"] },
                "readFraction": 1,
                "traffic": closed_loop_of(16),
            }],
        });
        let mut simulation =
            Simulation::new(&scenario::from_value(document).expect("is valid")).expect("can be laid out");
        for (number, depth) in [4, 10, 2, 20, 1].into_iter().enumerate() {
            simulation.apply("access.queueDepth", json!(depth)).expect("is live");
            simulation.run_until((number as u64 + 1) * 10_000_000_000);
            assert_eq!(simulation.storage.requests(), depth.min(16), "after 10 ms at depth {depth}");
        }
        assert_eq!(simulation.requests_held(), 16);
    }

    fn closed_loop_of(outstanding: u32) -> Value {
        json!({ "kind": "closed-loop", "outstanding": outstanding, "size": { "kind": "fixed", "bytes": 4096 } })
    }

    #[test]
    fn data_without_end_that_is_read_flows_from_the_target() {
        let (summary, _) = run(1.0, &json!({ "kind": "backlogged" }), "lasting");
        assert_eq!((summary.flows[0].source, summary.flows[0].destination), (1, 0));
        assert!(summary.classes[0].carried_gbps > 9.0, "{}", summary.classes[0].carried_gbps);
    }
}
