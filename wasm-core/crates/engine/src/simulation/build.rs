//! From a plan to a network, connections and applications at rest.

use std::sync::Arc;

use crate::kernel::convert::index_u32;
use crate::kernel::digest::Digest;
use crate::kernel::ids::{ClassId, FlowId};
use crate::kernel::time::{NEVER_PS, from_us};
use crate::kernel::timers::{Timer, Timers};
use crate::network::forwarding::Network;
use crate::network::link::Link;
use crate::scenario::document::Scenario;
use crate::scenario::size_law;
use crate::simulation::plan::{self, NetworkSettings, Plan};
use crate::transport::connections::{Connection, Connections};
use crate::workload::laws::SizeLaw;
use crate::workload::source::{Pattern, Source, Think};

/// The network of a scenario, and its connections.
pub(super) fn network(scenario: &Scenario, plan: &Plan, settings: &NetworkSettings) -> (Network, Connections) {
    let overhead_bytes = plan::overhead_bytes(scenario);
    let links = settings
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
    let acks_overtake = plan::acks_overtake(scenario);
    let mut network = Network::new(plan.graph.nodes().len(), links, acks_overtake);
    if let Some(port_policy) = &settings.port_policy {
        let (owners, hosts) = plan.graph.ports();
        network.set_port_policy(0, &owners, &hosts, port_policy);
    }
    let classes = (0..scenario.classes.len()).map(|class| plan.class_settings(scenario, ClassId::at(class), settings));
    let mut connections = Connections::new(plan::stack(&scenario.host), classes.collect(), scenario.host.queue_packets);
    for flow in &plan.flows {
        network.connect(&flow.data, &flow.acknowledgements);
        let port = flow.data[0];
        let bound_ps = plan::port_bound_ps(scenario, &settings.links[port.index()]);
        let hosts = (flow.source, flow.destination);
        connections.add(Connection { class: flow.class, hosts, port }, bound_ps);
    }
    network.set_delays(0, &settings.flow_delays_ps);
    (network, connections)
}

/// The applications of a scenario, asleep until their first timers, which are set.
pub(super) fn sources(scenario: &Scenario, plan: &Plan, timers: &mut [Timers]) -> Vec<Source> {
    // By workload: how many of its applications have been made.
    let mut positions = vec![0; scenario.workloads.len()];
    let sizes: Vec<Arc<SizeLaw>> =
        scenario.workloads.iter().map(|workload| Arc::new(size_law(&workload.traffic))).collect();
    let source = |(number, flow): (usize, &plan::PlannedFlow)| {
        let workload = &scenario.workloads[flow.workload];
        let stop_ps = workload.stop_us.map_or(NEVER_PS, from_us);
        if !plan.has_source(FlowId::at(number)) {
            let pattern = Pattern::Closed { outstanding: 0, left: 0, think: Think::default() };
            let sizes = Arc::clone(&sizes[flow.workload]);
            return Source::new(scenario.seed, number as u64, pattern, sizes, flow.start_ps, stop_ps);
        }
        let sources = plan.sources_of_workload[flow.workload];
        let pattern = plan::pattern(&workload.traffic, positions[flow.workload], sources);
        positions[flow.workload] += 1;
        let timers = &mut timers[plan.source_node(FlowId::at(number)).index()];
        timers.set(flow.start_ps, Timer::Arrival(index_u32(number)));
        if stop_ps != NEVER_PS {
            timers.set(stop_ps, Timer::Arrival(index_u32(number)));
        }
        Source::new(scenario.seed, number as u64, pattern, Arc::clone(&sizes[flow.workload]), flow.start_ps, stop_ps)
    };
    plan.flows.iter().enumerate().map(source).collect()
}
