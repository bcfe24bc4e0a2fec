//! Requests on their way from applications to connections and back.

use std::collections::VecDeque;

use crate::kernel::ids::FlowId;
use crate::kernel::timers::Timer;
use crate::simulation::Simulation;
use crate::simulation::plan::Pool;
use crate::transport::messages::Request;
use crate::workload::source::Action;

/// Requests that wait for a connection of a pool, and the connections that wait for a request.
#[derive(Clone, Debug)]
pub(super) struct PoolState {
    pub(super) requests: VecDeque<Request>,
    idle: Vec<u32>,
}

impl PoolState {
    /// A pool whose connections are all idle.
    pub(super) fn new(pool: &Pool) -> Self {
        Self { requests: VecDeque::new(), idle: (pool.first..pool.first + pool.flows).rev().collect() }
    }
}

impl Simulation {
    /// Requests that wait or are under way, their acknowledgements included.
    pub fn requests_held(&self) -> usize {
        let flows = (0..self.connections.len()).map(FlowId::at);
        let waiting: usize = self.pools.iter().map(|pool| pool.requests.len()).sum();
        waiting + flows.map(|flow| self.connections.pending_requests(flow)).sum::<usize>()
    }

    pub(super) fn ask_source(&mut self, flow: FlowId, now_ps: u64) {
        let source = &mut self.sources[flow.index()];
        if source.is_backlogged() && now_ps >= source.stop_ps() {
            self.connections.stop_backlog(flow);
            return;
        }
        let action = source.on_timer(now_ps);
        self.take(flow, now_ps, action);
    }

    fn take(&mut self, flow: FlowId, now_ps: u64, action: Action) {
        let timers = &mut self.timers[self.plan.source_node(flow).index()];
        match action {
            Action::Rest => {}
            Action::Think { until_ps } => timers.set(until_ps, Timer::Arrival(flow.0)),
            Action::StartBacklog => self.connections.start_backlog(flow, now_ps, &mut self.network, timers),
            Action::Request { bytes, again_ps } => {
                if let Some(again_ps) = again_ps {
                    timers.set(again_ps, Timer::Arrival(flow.0));
                }
                let pool = self.plan.flows[flow.index()].pool;
                let is_closed = self.sources[flow.index()].awaits();
                let waiting = pool
                    .map_or(self.connections.pending_requests(flow), |pool| self.pools[pool as usize].requests.len());
                if !is_closed && waiting as u64 >= self.request_limits[self.plan.flows[flow.index()].workload] {
                    self.recorder.on_turned_away(self.connections.class(flow));
                    return;
                }
                self.recorder.on_request(self.connections.class(flow), bytes);
                let awaited = pool.is_some() || is_closed;
                let request = Request { bytes, queued_ps: now_ps, awaited };
                match pool {
                    None => self.connections.write(flow, request, now_ps, &mut self.network, timers),
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
        self.connections.write(flow, request, now_ps, &mut self.network, timers);
    }

    /// Requests have been delivered: counts them.
    #[cold]
    pub(super) fn complete(&mut self) {
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
    pub(super) fn on_acked_requests(&mut self, now_ps: u64) {
        let mut acked = std::mem::take(self.connections.acked_requests());
        for flow in acked.drain(..) {
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
        *self.connections.acked_requests() = acked;
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
}
