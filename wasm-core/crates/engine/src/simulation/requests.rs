//! Hands requests from applications to access, and what access reports back to applications and to what is measured.

use crate::access::{AtHost, Outcome, Stage};
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
        let lanes = self.plan.applications[application.index()].lanes;
        let forth = self.plan.associations[lanes.first.index()].forth;
        match step {
            Step::StopBacklog => self.connections.stop_backlog(forth),
            Step::StartBacklog => {
                let timers = &mut self.timers[node.index()];
                self.connections.start_backlog(forth, now_ps, &mut self.network, timers);
            }
            Step::Issue { operation, bytes } => {
                let unanswered = u64::from(self.access.requests().outstanding(application).unanswered);
                let limit = self.request_limits[self.plan.applications[application.index()].workload];
                if !self.applications.source(application).awaits() && unanswered >= limit {
                    return self.measurement.on_turned_away(lanes.class);
                }
                self.measurement.on_request(lanes.class, bytes);
                let mut host = AtHost {
                    now_ps,
                    connections: &mut self.connections,
                    network: &mut self.network,
                    timers: &mut self.timers[node.index()],
                };
                self.access.issue(application, operation, bytes, &mut host);
            }
        }
    }

    /// Takes in what has become of messages at a node.
    #[cold]
    pub(super) fn settle(&mut self, node: NodeId, now_ps: u64) {
        let mut next = 0;
        // What follows from an event may lead to others.
        while let Some(&event) = self.connections.events().get(next) {
            next += 1;
            let mut host = AtHost {
                now_ps,
                connections: &mut self.connections,
                network: &mut self.network,
                timers: &mut self.timers[node.index()],
            };
            let outcome = self.access.on_event(event, &mut host);
            if outcome != Outcome::default() {
                self.on_outcome(outcome, now_ps);
            }
        }
        self.connections.events().clear();
    }

    fn on_outcome(&mut self, Outcome { done, answered }: Outcome, now_ps: u64) {
        if let Some(id) = done {
            let request = *self.access.requests().at(id);
            let deadline_ps = self.connections.deadline_ps(request.class);
            self.measurement.on_done(&request, deadline_ps);
            self.note_end(request.application, request.at_ps(Stage::Done));
        }
        if let Some(id) = answered {
            let request = *self.access.requests().at(id);
            let pair = self.connections.pair(self.access.data_flow(&request));
            self.control.on_latency(pair, now_ps - request.at_ps(Stage::Issued));
            if let Some(step) = self.applications.on_answer(request.application, now_ps) {
                self.perform(request.application, step, now_ps);
            }
        }
    }

    /// An application of limited requests on one association may have had its last one done.
    fn note_end(&mut self, application: ApplicationId, done_ps: u64) {
        let source = self.applications.source(application);
        let planned = &self.plan.applications[application.index()];
        let under_way = self.access.requests().outstanding(application).under_way;
        if under_way > 0 || planned.lanes.per_request || !source.is_spent() {
            return;
        }
        let after_ps = done_ps - source.start_ps();
        let association = self.plan.associations[planned.lanes.first.index()];
        let carries_data = |flow: &FlowId| flow.index() < self.plan.data_flows;
        for flow in [Some(association.forth), association.back].into_iter().flatten().filter(carries_data) {
            self.measurement.on_flow_end(flow, after_ps);
        }
    }
}
