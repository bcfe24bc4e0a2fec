//! From a plan to a network, connections and applications at rest.

use crate::kernel::digest::Digest;
use crate::kernel::ids::{ClassId, FlowId, LinkId, NodeId};
use crate::kernel::time::{NEVER_PS, from_us};
use crate::kernel::timers::{Timer, Timers};
use crate::network::fabric::Fabric;
use crate::network::link::Link;
use crate::scenario::document::Scenario;
use crate::simulation::plan::{self, NetworkSettings, Plan};
use crate::transport::connections::{Connection, Connections};
use crate::workload::laws::SizeLaw;
use crate::workload::source::{Pattern, Source};

/// The network of a scenario, and its connections.
pub(super) fn network(scenario: &Scenario, plan: &Plan, settings: &NetworkSettings) -> (Fabric, Connections) {
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

/// The applications of a scenario, asleep until their first timers, which are set.
pub(super) fn sources(scenario: &Scenario, plan: &Plan, timers: &mut [Timers]) -> Vec<Source> {
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
