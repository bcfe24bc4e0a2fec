//! Paths: shortest ones, picked among equals by a hash of the connection or by the destination's number.

use std::collections::VecDeque;

use crate::kernel::convert::index;
use crate::kernel::digest::Digest;
use crate::kernel::ids::{LinkId, NodeId};
use crate::network::graph::Graph;

/// How a path is picked among equally short ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// Equal-cost multipath: in each switch a hash of the connection decides, seeded by the switch, so that switches do
    /// not all decide alike (polarisation).
    Hash {
        /// Seed of the run.
        seed: u64,
        /// Number of the connection, which stands for its ports.
        connection: u64,
    },
    /// Destination modulo choices: in the first switch `d % m`, in the next `(d / m) % m`, and so on upwards.
    Modulo,
}

/// Finds paths, remembering the distances to every destination asked for.
#[derive(Debug)]
pub struct Router<'a> {
    graph: &'a Graph,
    /// By link: no path leads over it. Empty where all links are up.
    down: Vec<bool>,
    /// By host: hops from every node, [`UNREACHABLE`] if there is no way.
    distances: Vec<Option<Vec<u16>>>,
}

const UNREACHABLE: u16 = u16::MAX;

impl<'a> Router<'a> {
    /// A router that has computed nothing yet.
    pub fn new(graph: &'a Graph) -> Self {
        Self::around(graph, Vec::new())
    }

    /// A router that avoids links that are down, by link, both directions of a cable alike.
    pub fn around(graph: &'a Graph, down: Vec<bool>) -> Self {
        Self { graph, down, distances: vec![None; graph.hosts().len()] }
    }

    /// The links from one host to another, both by host number; none if no path exists.
    pub fn path(&mut self, source: u32, destination: u32, choice: Choice) -> Option<Vec<LinkId>> {
        let (graph, down) = (self.graph, &self.down);
        let is_up = |link: &LinkId| down.get(link.index()) != Some(&true);
        let target = graph.hosts()[destination as usize];
        let distances = self.distances[destination as usize].get_or_insert_with(|| distances_to(graph, target, is_up));
        let mut node = graph.hosts()[source as usize];
        if distances[node.index()] == UNREACHABLE {
            return None;
        }
        let mut path = Vec::with_capacity(distances[node.index()] as usize);
        let mut divisor = 1;
        while node != target {
            let nearer = distances[node.index()] - 1;
            let onward = |link: &&LinkId| is_up(link) && distances[graph.wires()[link.index()].to.index()] == nearer;
            let choices = graph.leaving(node).iter().filter(onward).count() as u64;
            let pick = match choice {
                Choice::Hash { seed, connection } => hash(seed, node, source, destination, connection) % choices,
                Choice::Modulo => {
                    let pick = u64::from(destination) / divisor % choices;
                    divisor *= choices;
                    pick
                }
            };
            let link = *graph.leaving(node).iter().filter(onward).nth(index(pick))?;
            path.push(link);
            node = graph.wires()[link.index()].to;
        }
        Some(path)
    }
}

fn hash(seed: u64, node: NodeId, source: u32, destination: u32, connection: u64) -> u64 {
    let mut digest = Digest::default();
    digest.word(seed);
    digest.word(u64::from(node.0));
    digest.word((u64::from(source) << 32) | u64::from(destination));
    digest.word(connection);
    // The high half: the low bits alone would be taken by the modulus.
    digest.value() >> 32
}

/// Hops from every node to `target`, by breadth-first search against the links that are up. Hosts do not forward.
fn distances_to(graph: &Graph, target: NodeId, is_up: impl Fn(&LinkId) -> bool) -> Vec<u16> {
    let mut distances = vec![UNREACHABLE; graph.nodes().len()];
    let mut queue = VecDeque::from([target]);
    distances[target.index()] = 0;
    while let Some(node) = queue.pop_front() {
        if node != target && graph.is_host(node) {
            continue;
        }
        // Cables carry both directions, so the neighbours a node reaches are those that reach it.
        for link in graph.leaving(node).iter().filter(|link| is_up(link)) {
            let neighbour = graph.wires()[link.index()].to;
            if distances[neighbour.index()] == UNREACHABLE {
                distances[neighbour.index()] = distances[node.index()] + 1;
                queue.push_back(neighbour);
            }
        }
    }
    distances
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    fn names(graph: &Graph, path: &[LinkId]) -> Vec<String> {
        path.iter().map(|link| graph.nodes()[graph.wires()[link.index()].to.index()].name.clone()).collect()
    }

    #[test]
    fn hops_are_two_four_or_six_in_a_fat_tree() {
        let graph = Graph::fat_tree(4);
        let mut router = Router::new(&graph);
        let mut hops = |destination| router.path(0, destination, Choice::Modulo).map(|path| path.len());
        assert_eq!([hops(1), hops(2), hops(12)], [Some(2), Some(4), Some(6)]);
    }

    #[test]
    fn modulo_goes_up_by_destination_as_in_the_reference() {
        let graph = Graph::fat_tree(4);
        let mut router = Router::new(&graph);
        // Up port of the edge switch: destination % 2; of the aggregation switch: (destination / 2) % 2.
        for destination in 4..16 {
            let path = router.path(0, destination, Choice::Modulo).expect("connected");
            let up = (destination % 2, (destination / 2) % 2);
            let names = names(&graph, &path);
            assert_eq!(names[1], format!("a0.{}", up.0));
            assert_eq!(names[2], format!("c{}", up.0 * 2 + up.1));
        }
    }

    #[test]
    fn hashing_uses_every_equal_path_and_depends_on_the_connection() {
        let graph = Graph::fat_tree(4);
        let mut router = Router::new(&graph);
        let cores: BTreeSet<String> = (0..64)
            .map(|connection| {
                let path = router.path(0, 12, Choice::Hash { seed: 1, connection }).expect("connected");
                names(&graph, &path)[2].clone()
            })
            .collect();
        assert_eq!(cores.len(), 4);
    }

    #[test]
    fn paths_lead_around_links_that_are_down() {
        let graph = Graph::fat_tree(4);
        let direct = Router::new(&graph).path(0, 12, Choice::Modulo).expect("connected");
        let mut down = vec![false; graph.wires().len()];
        // The cable from the aggregation switch to the core.
        down[direct[2].index()] = true;
        down[direct[2].index() ^ 1] = true;
        let detour = Router::around(&graph, down.clone()).path(0, 12, Choice::Modulo).expect("there are other cores");
        assert_eq!(detour.len(), direct.len());
        assert!(detour.iter().all(|link| !down[link.index()]));
        // The only cable of the host.
        down[direct[0].index()] = true;
        down[direct[0].index() ^ 1] = true;
        assert_eq!(Router::around(&graph, down).path(0, 12, Choice::Modulo), None);
    }

    #[test]
    fn no_path_through_a_host_and_none_where_there_is_no_cable() {
        let mut graph = Graph::default();
        let [a, b, c] =
            ["a", "b", "c"].map(|name| graph.add_node(name.into(), crate::network::graph::NodeKind::Host, 0, None));
        graph.add_cable(a, b, None, None);
        graph.add_cable(b, c, None, None);
        assert_eq!(Router::new(&graph).path(0, 2, Choice::Modulo), None);
    }
}
