//! Changes of parameters while the run goes on.

use std::sync::Arc;

use crate::kernel::ids::{ApplicationId, ClassId, FlowId, LinkId, NodeId};
use crate::kernel::time::{NEVER_PS, from_us};
use crate::network::ports::PortPolicy;
use crate::scenario::Diagnostic;
use crate::scenario::document::{Scenario, Traffic};
use crate::simulation::detours::Detours;
use crate::simulation::{Simulation, devices, plan, replays};

impl Simulation {
    /// Takes over the live parameters of `changed`, which differs from the current scenario in nothing else.
    pub(super) fn apply_settings(&mut self, changed: Scenario) -> Result<(), Vec<Diagnostic>> {
        let settings = self.plan.settings(&changed)?;
        if settings != self.settings {
            self.apply_network_settings(&changed, settings);
        }
        for class in 0..changed.classes.len() {
            let class = ClassId::at(class);
            let settings = self.plan.class_settings(&changed, class, &self.settings);
            self.connections.set_class(class, settings, self.now_ps);
        }
        for flow in (0..self.connections.len()).map(FlowId::at) {
            let node = self.plan.source_node(flow);
            let timers = &mut self.timers[node.index()];
            self.connections.resume(flow, self.now_ps, &mut self.network, timers);
            self.network.wake(node, timers.next_ps());
            self.settle(node, self.now_ps);
        }
        self.apply_storage_settings(&changed);
        self.lengthen_replays(&changed);
        for application in (0..self.applications.len()).map(ApplicationId::at) {
            self.apply_source_settings(&changed, application);
        }
        self.current = changed;
        let (control, mut scene) = self.control_and_scene();
        control.set_parameters(&mut scene);
        Ok(())
    }

    fn apply_network_settings(&mut self, changed: &Scenario, settings: plan::NetworkSettings) {
        for (number, (new, old)) in settings.links.iter().zip(&self.settings.links).enumerate() {
            if old.up && !new.up {
                self.network.cut(self.now_ps, LinkId::at(number));
            }
            if new != old {
                self.network.change_link(self.now_ps, LinkId::at(number), |link| {
                    link.reshape(new.rate_bps, new.delay_ps);
                    link.set_policy(new.policy);
                });
            }
        }
        if settings.links.iter().zip(&self.settings.links).any(|(new, old)| new.up != old.up) {
            let detours = Detours::new(changed, &self.plan, &settings.links);
            detours.apply(&self.detours, &self.plan, &mut self.network);
            self.detours = detours;
        }
        self.network.set_delays(self.now_ps, &settings.flow_delays_ps);
        self.connections.set_port_bound(|link| plan::port_bound_ps(changed, &settings.links[link.index()]));
        if let Some(port_policy) =
            settings.port_policy.clone().or_else(|| self.settings.port_policy.clone().map(PortPolicy::plain))
        {
            let (owners, hosts) = self.plan.graph.ports();
            self.network.set_port_policy(self.now_ps, &owners, &hosts, &port_policy);
        }
        self.settings = settings;
        self.set_window();
    }

    fn apply_storage_settings(&mut self, changed: &Scenario) {
        if changed.access != self.current.access {
            self.access.set_terms(devices::terms(changed), devices::cores(changed));
        }
        if changed.storage == self.current.storage && changed.classes == self.current.classes {
            return;
        }
        let now_ps = self.now_ps;
        let (nvme, ssd) = (devices::nvme(&changed.storage.nvme), devices::ssd(changed));
        let service_ps = devices::service_ps(changed);
        self.storage.set_policy(devices::policy(changed));
        self.storage.change_devices(|device| {
            device.set_nvme(now_ps, &nvme);
            device.set_ssd(now_ps, &ssd.live);
            device.set_service(service_ps);
        });
        devices::schedule_tenants(&mut self.storage, changed, &self.plan, now_ps);
        for node in (0..self.timers.len()).map(NodeId::at) {
            self.network.lower_next_event(node, self.storage.next_ps(node));
        }
    }

    /// Has more of a trace at hand where it is replayed faster; as much as there is where that is not enough.
    fn lengthen_replays(&mut self, changed: &Scenario) {
        for (number, workload) in changed.workloads.iter().enumerate() {
            if workload.traffic != self.current.workloads[number].traffic
                && let Ok(Some(longer)) = replays::of_workload(changed, number, &self.traces)
                && self.replayed[number].as_ref().is_some_and(|trace| trace.len() < longer.len())
            {
                self.replayed[number] = Some(longer);
            }
        }
    }

    fn apply_source_settings(&mut self, changed: &Scenario, application: ApplicationId) {
        let workload = self.plan.applications[application.index()].workload;
        let (old, new) = (&self.current.workloads[workload], &changed.workloads[workload]);
        if old.traffic != new.traffic {
            if let Traffic::OpenLoop { gaps, .. } = &new.traffic {
                let mean_gap_ps = plan::mean_gap_ps(&new.traffic, self.plan.applications_of_workload[workload]);
                self.applications.set_arrivals(application, self.now_ps, *gaps, mean_gap_ps);
            }
            if let Traffic::Trace { time_scale, .. } | Traffic::StandIn { time_scale, .. } = new.traffic
                && let Some(trace) = &self.replayed[workload]
            {
                self.applications.set_replay(application, self.now_ps, time_scale, Arc::clone(trace));
            }
            self.applications.set_think_time(application, self.now_ps, plan::think_time(&new.traffic));
        }
        if old.stop_us != new.stop_us {
            let stop_ps = new.stop_us.map_or(NEVER_PS, from_us);
            self.applications.set_stop(application, self.now_ps, stop_ps);
        }
        let node = self.applications.node(application);
        self.network.lower_next_event(node, self.applications.next_ps(node));
    }
}
