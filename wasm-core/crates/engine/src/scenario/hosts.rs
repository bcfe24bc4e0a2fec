//! The hosts of a network by name, known before its graph is built; which of them store; and the graph.

use std::collections::BTreeMap;

use super::document::{Scenario, Shape};
use super::shape::host_count;
use crate::kernel::convert::index_u32;
use crate::kernel::ids::NodeId;
use crate::kernel::time::{bps_from_gbps, from_us};
use crate::network::graph::{Graph, NodeKind, host_name, host_number};

/// The hosts of a network: every one has a number, in the order in which the shape makes them, and a name.
#[derive(Debug)]
pub struct Hosts<'a> {
    count: u32,
    /// What a person named; nothing for a shape that names its hosts itself.
    custom: Option<Custom<'a>>,
}

#[derive(Debug)]
struct Custom<'a> {
    names: Vec<&'a str>,
    numbers: BTreeMap<&'a str, u32>,
}

impl<'a> Hosts<'a> {
    /// The hosts of `shape`. Of two that have the same name, which validation refuses, it finds the first.
    pub fn of(shape: &'a Shape) -> Self {
        let custom = match shape {
            Shape::Custom { nodes, .. } => {
                let hosts = nodes.iter().filter(|node| node.role == NodeKind::Host);
                let names: Vec<&str> = hosts.map(|node| node.name.as_str()).collect();
                let numbers = names.iter().enumerate().rev().map(|(number, &name)| (name, index_u32(number))).collect();
                Some(Custom { names, numbers })
            }
            Shape::FatTree { .. } | Shape::LeafSpine { .. } | Shape::Dumbbell { .. } => None,
        };
        Self { count: host_count(shape), custom }
    }

    /// How many there are.
    pub fn count(&self) -> u32 {
        self.count
    }

    /// The number of the host of that name.
    pub fn number(&self, name: &str) -> Option<u32> {
        match &self.custom {
            Some(custom) => custom.numbers.get(name).copied(),
            None => host_number(name).filter(|&number| number < self.count),
        }
    }

    /// The name of the host of that number.
    pub fn name(&self, number: u32) -> Option<String> {
        match &self.custom {
            Some(custom) => custom.names.get(number as usize).map(|&name| name.into()),
            None => (number < self.count).then(|| host_name(number)),
        }
    }

    /// The names that a person gave; none where the shape names its hosts itself.
    pub fn given(&self) -> impl Iterator<Item = &'a str> {
        self.custom.iter().flat_map(|custom| custom.names.iter().copied())
    }
}

/// By host number: whether it is a storage server. Those of the list are; without one the receivers of a dumbbell, and the last
/// half of the hosts of a fat-tree or a leaf-spine.
pub fn storage_hosts(scenario: &Scenario, hosts: &Hosts<'_>) -> Vec<bool> {
    let servers = &scenario.storage.servers;
    let first = match scenario.topology.shape {
        _ if !servers.is_empty() => hosts.count(),
        Shape::Dumbbell { senders, .. } => senders,
        Shape::FatTree { .. } | Shape::LeafSpine { .. } => hosts.count() / 2,
        Shape::Custom { .. } => hosts.count(),
    };
    let mut storage: Vec<bool> = (0..hosts.count()).map(|host| host >= first).collect();
    for number in servers.iter().filter_map(|server| hosts.number(&server.host)) {
        storage[number as usize] = true;
    }
    storage
}

/// The graph of a shape that has passed validation.
pub fn graph_of(shape: &Shape) -> Graph {
    let bps = |gbps: &Option<f64>| gbps.map(bps_from_gbps);
    match shape {
        Shape::FatTree { k } => Graph::fat_tree(*k),
        Shape::LeafSpine { leaves, spines, hosts_per_leaf, uplink_gbps } => {
            Graph::leaf_spine(*leaves, *spines, *hosts_per_leaf, bps(uplink_gbps))
        }
        Shape::Dumbbell { senders, receivers, switches, trunk_gbps } => {
            Graph::dumbbell(*senders, *receivers, *switches, bps(trunk_gbps))
        }
        Shape::Custom { nodes, links } => {
            let mut graph = Graph::default();
            for node in nodes {
                let tier = u8::from(node.role == NodeKind::Switch);
                graph.add_node(node.name.clone(), node.role, tier, None);
            }
            let ids: BTreeMap<&str, NodeId> =
                nodes.iter().enumerate().map(|(id, node)| (node.name.as_str(), NodeId::at(id))).collect();
            for link in links {
                // Validation has found the ends of every link.
                let (from, to) = (ids[link.from.as_str()], ids[link.to.as_str()]);
                graph.add_cable(from, to, bps(&link.gbps), link.delay_us.map(from_us));
            }
            graph
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::document::Node;

    #[test]
    fn hosts_of_a_generated_shape_are_named_by_number() {
        let shape = Shape::FatTree { k: 4 };
        let hosts = Hosts::of(&shape);
        assert_eq!((hosts.number("h15"), hosts.name(15)), (Some(15), Some("h15".into())));
        for name in ["h16", "h03", "h", "15", "e0.0", "h+1", "h99999999999", ""] {
            assert_eq!(hosts.number(name), None, "{name}");
        }
    }

    #[test]
    fn hosts_of_a_custom_graph_are_counted_without_its_switches() {
        let node = |name: &str, role| Node { name: name.into(), role, position: None };
        let nodes = vec![node("h7", NodeKind::Host), node("s", NodeKind::Switch), node("b.1", NodeKind::Host)];
        let shape = Shape::Custom { nodes, links: Vec::new() };
        let hosts = Hosts::of(&shape);
        assert_eq!((hosts.count(), hosts.number("b.1"), hosts.number("s")), (2, Some(1), None));
        assert_eq!((hosts.name(0), hosts.name(2)), (Some("h7".into()), None));
    }
}
