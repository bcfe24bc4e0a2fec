//! From a plan to a network, connections and applications at rest.

use std::sync::Arc;

use crate::access::{Access, Layout};
use crate::kernel::convert::index_u32;
use crate::kernel::digest::Digest;
use crate::kernel::ids::ClassId;
use crate::kernel::time::{NEVER_PS, from_us};
use crate::network::forwarding::Network;
use crate::network::link::Link;
use crate::scenario::document::{Scenario, Traffic};
use crate::scenario::size_law;
use crate::simulation::devices;
use crate::simulation::plan::{self, NetworkSettings, Plan};
use crate::simulation::replays::Replayed;
use crate::transport::connections::{Connection, Connections};
use crate::workload::addresses::Addresses;
use crate::workload::applications::{Applications, Operations};
use crate::workload::laws::SizeLaw;
use crate::workload::replay::Replay;
use crate::workload::source::{Pattern, Source};

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
        let hops = index_u32(flow.data.len() - 1);
        connections
            .add(Connection { class: flow.class, pair: flow.pair, port, hops, share: flow.share_number() }, bound_ps);
    }
    network.set_delays(0, &settings.flow_delays_ps);
    (network, connections)
}

/// The applications of a scenario, asleep until they start.
pub(super) fn applications(scenario: &Scenario, plan: &Plan, replayed: &Replayed) -> Applications {
    // By workload: how many of its applications have been made.
    let mut positions = vec![0; scenario.workloads.len()];
    let sizes: Vec<Arc<SizeLaw>> =
        scenario.workloads.iter().map(|workload| Arc::new(size_law(&workload.traffic))).collect();
    let mut applications = Applications::new(plan.graph.nodes().len());
    for planned in &plan.applications {
        let workload = &scenario.workloads[planned.workload];
        let stop_ps = workload.stop_us.map_or(NEVER_PS, from_us);
        let position = &mut positions[planned.workload];
        let count = plan.applications_of_workload[planned.workload];
        let pattern = match (&replayed[planned.workload], &workload.traffic) {
            (Some(trace), Traffic::Trace { time_scale, .. } | Traffic::StandIn { time_scale, .. }) => {
                let (trace, turn) = (Arc::clone(trace), *position as usize);
                Pattern::Replay(Replay::new(trace, turn, count as usize, *time_scale, planned.start_ps))
            }
            (_, traffic) => plan::pattern(traffic, *position, count),
        };
        *position += 1;
        let sizes = Arc::clone(&sizes[planned.workload]);
        let source = Source::new(scenario.seed, planned.stream, pattern, sizes, planned.start_ps, stop_ps);
        let operations = Operations::new(scenario.seed, planned.stream, workload.read_fraction);
        let count = plan.applications_of_workload[planned.workload];
        let range = devices::address_range(scenario, plan, planned);
        let addresses =
            Addresses::new(scenario.seed, planned.stream, range, (u64::from(*position - 1), u64::from(count)));
        applications.add(source, operations, addresses, plan.graph.hosts()[planned.host as usize]);
    }
    applications
}

/// The way of requests, none issued yet.
pub(super) fn access(scenario: &Scenario, plan: &Plan) -> Access {
    Access::new(Layout {
        lanes: plan.applications.iter().map(|application| application.lanes).collect(),
        associations: plan.associations.clone(),
        terms: devices::terms(scenario),
        connections: plan.flows.len(),
        nodes: plan.graph.nodes().len(),
        classes: scenario.classes.len(),
        cores: devices::cores(scenario),
    })
}
