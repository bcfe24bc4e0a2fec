//! Changes of parameters while the run goes on.

use crate::kernel::ids::{ClassId, FlowId, LinkId};
use crate::kernel::time::{NEVER_PS, from_us};
use crate::kernel::timers::Timer;
use crate::network::ports::Discipline;
use crate::scenario::Fault;
use crate::scenario::document::{Scenario, Traffic};
use crate::simulation::{Simulation, plan};

impl Simulation {
    /// Takes over the live parameters of `changed`, which differs from the current scenario in nothing else.
    pub(super) fn adopt(&mut self, changed: Scenario) -> Result<(), Vec<Fault>> {
        let settings = self.plan.settings(&changed)?;
        if settings != self.settings {
            self.adopt_network(&changed, settings);
        }
        for class in 0..changed.classes.len() {
            let class = ClassId(class as u32);
            let settings = self.plan.class_settings(&changed, class, &self.settings);
            self.connections.set_class(class, settings, self.now_ps);
        }
        for flow in 0..self.sources.len() {
            let flow = FlowId(flow as u32);
            let node = self.plan.source_node(flow);
            let timers = &mut self.timers[node.index()];
            self.connections.resume(flow, self.now_ps, &mut self.fabric, timers);
            self.fabric.wake(node, timers.next_ps());
        }
        for flow in 0..self.sources.len() {
            self.adopt_source(&changed, FlowId(flow as u32));
        }
        self.current = changed;
        self.set_targets();
        Ok(())
    }

    fn adopt_network(&mut self, changed: &Scenario, settings: plan::NetworkSettings) {
        for (number, (new, old)) in settings.links.iter().zip(&self.settings.links).enumerate() {
            if new != old {
                self.fabric.change_link(self.now_ps, LinkId(number as u32), |link| {
                    link.reshape(new.rate_bps, new.delay_ps);
                    link.set_policy(new.policy);
                });
            }
        }
        let mut line = settings.links.len() as u32;
        for delay_ps in settings.class_delay_ps.iter().flatten() {
            for _direction in 0..2 {
                self.fabric.change_link(self.now_ps, LinkId(line), |link| link.set_delay(*delay_ps));
                line += 1;
            }
        }
        self.connections.set_port_bound(|link| plan::port_bound_ps(changed, &settings.links[link.index()]));
        if let Some(discipline) =
            settings.discipline.clone().or_else(|| self.settings.discipline.clone().map(Discipline::plain))
        {
            let (owners, hosts) = self.plan.graph.ports();
            self.fabric.set_discipline(self.now_ps, &owners, &hosts, &discipline);
        }
        self.settings = settings;
        self.set_window();
    }

    fn adopt_source(&mut self, changed: &Scenario, flow: FlowId) {
        let workload = self.plan.flows[flow.index()].workload;
        let (old, new) = (&self.current.workloads[workload], &changed.workloads[workload]);
        let source = &mut self.sources[flow.index()];
        let mut due_ps = None;
        if old.traffic != new.traffic
            && let Traffic::OpenLoop { gaps, .. } = &new.traffic
        {
            let mean_gap_ps = plan::mean_gap_ps(&new.traffic, self.plan.sources_of_workload[workload]);
            due_ps = source.set_arrivals(self.now_ps, plan::gap_law(*gaps), mean_gap_ps);
        }
        if old.stop_us != new.stop_us {
            let stop_ps = new.stop_us.map_or(NEVER_PS, from_us);
            due_ps = source.set_stop(self.now_ps, stop_ps).or(due_ps);
            if stop_ps != NEVER_PS {
                self.set_arrival(flow, stop_ps.max(self.now_ps));
            }
        }
        if let Some(due_ps) = due_ps {
            self.set_arrival(flow, due_ps);
        }
    }

    fn set_arrival(&mut self, flow: FlowId, at_ps: u64) {
        let node = self.plan.source_node(flow);
        self.timers[node.index()].set(at_ps, Timer::Arrival(flow.0));
        self.fabric.expect(node, at_ps);
    }
}
