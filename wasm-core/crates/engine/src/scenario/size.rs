//! How large a scenario is, known before anything is built.

use super::document::{Endpoints, NodeRole, Scenario, Shape, Traffic};

/// Most directed links of a network: links are numbered with 16 bits.
pub const MAXIMUM_LINKS: u64 = 65_535;
/// Most connections of a scenario.
pub const MAXIMUM_FLOWS: u64 = 65_535;
/// Most memory that a run may be estimated to need, in bytes: what a browser gives one page without fail.
pub const MAXIMUM_MEMORY_BYTES: f64 = 2e9;
/// Most packet-hops that a run may be estimated to take: some hours of computing.
pub const MAXIMUM_PACKET_HOPS: f64 = 1e12;
/// Most rows of the sampled series.
pub const MAXIMUM_SAMPLES: f64 = 2e6;

/// Number of hosts that `shape` has.
pub fn host_count(shape: &Shape) -> u32 {
    match shape {
        Shape::FatTree { k } => k.pow(3) / 4,
        Shape::LeafSpine { leaves, hosts_per_leaf, .. } => leaves * hosts_per_leaf,
        Shape::Dumbbell { senders, receivers, .. } => senders + receivers,
        Shape::Custom { nodes, .. } => nodes.iter().filter(|node| node.role == NodeRole::Host).count() as u32,
    }
}

/// Number of directed links that `shape` has: two for every cable.
pub fn link_count(shape: &Shape) -> u64 {
    let hosts = u64::from(host_count(shape));
    let cables = match shape {
        Shape::FatTree { .. } => 3 * hosts,
        Shape::LeafSpine { leaves, spines, .. } => hosts + u64::from(leaves * spines),
        Shape::Dumbbell { switches, .. } => hosts + u64::from(switches - 1),
        Shape::Custom { links, .. } => links.len() as u64,
    };
    2 * cables
}

/// Links on the longest path between two hosts of a generated `shape`; a guess for a custom one.
fn longest_path(shape: &Shape) -> f64 {
    match shape {
        Shape::FatTree { .. } => 6.0,
        Shape::LeafSpine { .. } => 4.0,
        Shape::Dumbbell { switches, .. } => f64::from(switches + 1),
        Shape::Custom { .. } => 6.0,
    }
}

/// Number of connections of every workload.
pub fn flow_counts(scenario: &Scenario) -> Vec<u64> {
    let pairs = |endpoints: &Endpoints| match endpoints {
        Endpoints::Pairs { sources, destinations } => sources.len().max(destinations.len()) as u64,
        Endpoints::Permutation {} => u64::from(host_count(&scenario.topology.shape)),
        Endpoints::Incast { senders, .. } => u64::from(*senders),
        Endpoints::Random { pairs } => u64::from(*pairs),
    };
    scenario.workloads.iter().map(|workload| pairs(&workload.endpoints) * u64::from(workload.connections)).collect()
}

/// What a run is expected to cost. Good to a factor of a few: enough to refuse what cannot be run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cost {
    /// Packets sent over a link, acknowledgements included.
    pub packet_hops: f64,
    /// Memory of the running simulation, in bytes.
    pub memory_bytes: f64,
    /// Rows of the sampled series.
    pub samples: f64,
}

/// Estimates the cost of a run of `scenario`.
pub fn cost(scenario: &Scenario) -> Cost {
    let topology = &scenario.topology;
    let packet_bytes = f64::from(scenario.host.mtu_bytes + topology.frame_overhead_bytes);
    let host_packets_per_us = topology.link_gbps * 1000.0 / 8.0 / packet_bytes;
    let hosts = f64::from(host_count(&topology.shape));
    let flows = flow_counts(scenario);

    // Packets per microsecond: no workload sends more than it is offered, nor more than its hosts' links carry.
    let mut packets_per_us = 0.0;
    let mut packets_in_flight = 0.0;
    for (workload, &flows) in scenario.workloads.iter().zip(&flows) {
        let senders = match &workload.endpoints {
            Endpoints::Pairs { sources, destinations } => sources.len().min(destinations.len().max(1)) as f64,
            Endpoints::Permutation {} => hosts,
            Endpoints::Incast { senders, .. } => f64::from(*senders),
            Endpoints::Random { pairs } => hosts.min(f64::from(*pairs)),
        };
        let line = senders * host_packets_per_us;
        packets_per_us += match workload.traffic {
            Traffic::OpenLoop { offered_gbps, .. } => line.min(offered_gbps * 1000.0 / 8.0 / packet_bytes),
            Traffic::Backlogged {} | Traffic::ClosedLoop { .. } => line,
        };
        packets_in_flight += flows as f64 * f64::from(scenario.host.queue_packets);
    }
    packets_per_us = packets_per_us.min(hosts * host_packets_per_us);

    let links = link_count(&topology.shape) as f64;
    let buffered = links / 2.0 * f64::from(scenario.switch.buffer_packets);
    let window = flows.iter().sum::<u64>() as f64 * f64::from(scenario.host.maximum_window_packets);
    packets_in_flight += window.min(buffered);
    let samples = scenario.measurement.sample_period_us.map_or(1000.0, |period| scenario.duration_us / period);
    // Columns of the series, of all classes and of the connections sampled one by one.
    let columns = 8.0 + 10.0 * scenario.classes.len() as f64 + 7.0 * 24.0;
    Cost {
        packet_hops: 1.5 * packets_per_us * scenario.duration_us * longest_path(&topology.shape),
        memory_bytes: 32.0 * packets_in_flight
            + 400.0 * links
            + 1500.0 * flows.iter().sum::<u64>() as f64
            + 8.0 * columns * samples,
        samples,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn generated_shapes_have_the_sizes_of_their_definitions() {
        let leaf_spine = Shape::LeafSpine { leaves: 4, spines: 2, hosts_per_leaf: 8, uplink_gbps: None };
        let dumbbell = |switches| Shape::Dumbbell { senders: 3, receivers: 1, switches, trunk_gbps: None };
        for (shape, hosts, links) in [
            (Shape::FatTree { k: 4 }, 16, 96),
            (Shape::FatTree { k: 8 }, 128, 768),
            (Shape::FatTree { k: 16 }, 1024, 6144),
            (Shape::FatTree { k: 32 }, 8192, 49_152),
            (leaf_spine, 32, 80),
            (dumbbell(1), 4, 8),
            (dumbbell(2), 4, 10),
        ] {
            assert_eq!((host_count(&shape), link_count(&shape)), (hosts, links), "{shape:?}");
        }
    }
}
