//! The hosts of a network by name, known before its graph is built.

use std::collections::BTreeMap;

use super::document::{NodeRole, Shape};
use super::size::host_count;
use crate::kernel::convert::index_u32;
use crate::network::graph::{host_name, host_number};

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
                let hosts = nodes.iter().filter(|node| node.role == NodeRole::Host);
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
        let nodes = vec![node("h7", NodeRole::Host), node("s", NodeRole::Switch), node("b.1", NodeRole::Host)];
        let shape = Shape::Custom { nodes, links: Vec::new() };
        let hosts = Hosts::of(&shape);
        assert_eq!((hosts.count(), hosts.number("b.1"), hosts.number("s")), (2, Some(1), None));
        assert_eq!((hosts.name(0), hosts.name(2)), (Some("h7".into()), None));
    }
}
