//! The graph of a network: hosts, switches and directed links, made by a generator or given node by node.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::kernel::convert::index_u32;
use crate::kernel::ids::{LinkId, NodeId};

/// What a node does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum NodeKind {
    /// Sends and receives.
    #[schemars(title = "Host")]
    Host,
    /// Forwards.
    #[schemars(title = "Switch")]
    Switch,
}

/// A host or a switch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// Name on the screen, such as `h3` or `a1.0`.
    pub name: String,
    /// Host or switch.
    pub kind: NodeKind,
    /// 0 for hosts, then 1, 2, 3 upwards.
    pub tier: u8,
    /// The pod of a fat-tree, the leaf of a leaf-spine, the side of a dumbbell; none at the top or in a free graph.
    pub pod: Option<u32>,
}

/// One direction of a cable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wire {
    /// The sending end.
    pub from: NodeId,
    /// The receiving end.
    pub to: NodeId,
    /// Bits per second; none: the rate of the network.
    pub rate_bps: Option<u64>,
    /// Propagation delay; none: that of the network.
    pub delay_ps: Option<u64>,
}

/// The name that generated networks give the host of a number.
pub fn host_name(number: u32) -> String {
    format!("h{number}")
}

/// The number of the host that generated networks give a name. Inverse of [`host_name`].
pub fn host_number(name: &str) -> Option<u32> {
    let digits = name.strip_prefix('h')?;
    let is_plain = digits.bytes().all(|digit| digit.is_ascii_digit()) && (digits == "0" || !digits.starts_with('0'));
    if is_plain { digits.parse().ok() } else { None }
}

/// A network before it carries anything. Hosts are numbered in the order they were added, links likewise; the two
/// directions of a cable are neighbours, the first of them even.
#[derive(Clone, Debug, Default)]
pub struct Graph {
    nodes: Vec<Node>,
    hosts: Vec<NodeId>,
    wires: Vec<Wire>,
    /// Links leaving each node.
    leaving: Vec<Vec<LinkId>>,
}

impl Graph {
    /// Adds a node.
    pub fn add_node(&mut self, name: String, kind: NodeKind, tier: u8, pod: Option<u32>) -> NodeId {
        let id = NodeId::at(self.nodes.len());
        if kind == NodeKind::Host {
            self.hosts.push(id);
        }
        self.nodes.push(Node { name, kind, tier, pod });
        self.leaving.push(Vec::new());
        id
    }

    /// Adds a cable: a link in each direction. None: the rate or delay of the network.
    pub fn add_cable(&mut self, a: NodeId, b: NodeId, rate_bps: Option<u64>, delay_ps: Option<u64>) {
        for (from, to) in [(a, b), (b, a)] {
            self.leaving[from.index()].push(LinkId::at(self.wires.len()));
            self.wires.push(Wire { from, to, rate_bps, delay_ps });
        }
    }

    /// By link, the node whose port feeds it; by node, whether it is a host.
    pub fn ports(&self) -> (Vec<u32>, Vec<bool>) {
        let hosts = (0..self.nodes.len()).map(|node| self.is_host(NodeId::at(node)));
        (self.wires.iter().map(|wire| wire.from.0).collect(), hosts.collect())
    }

    /// Three-tier fat-tree of `k`-port switches, `k` even: k pods of k/2 edge and k/2 aggregation switches, (k/2)² cores,
    /// k³/4 hosts. Aggregation switch j of a pod reaches cores j·k/2 to (j+1)·k/2 − 1.
    pub fn fat_tree(k: u32) -> Self {
        let half = k / 2;
        let mut graph = Self::default();
        let hosts = k * half * half;
        let hosts: Vec<NodeId> =
            (0..hosts).map(|h| graph.add_node(host_name(h), NodeKind::Host, 0, Some(h / (half * half)))).collect();
        let mut switches = |letter: char, tier: u8| -> Vec<NodeId> {
            (0..k * half)
                .map(|s| {
                    let (pod, position) = (s / half, s % half);
                    graph.add_node(format!("{letter}{pod}.{position}"), NodeKind::Switch, tier, Some(pod))
                })
                .collect()
        };
        let edges = switches('e', 1);
        let aggregations = switches('a', 2);
        let cores: Vec<NodeId> =
            (0..half * half).map(|c| graph.add_node(format!("c{c}"), NodeKind::Switch, 3, None)).collect();
        for (h, &host) in hosts.iter().enumerate() {
            graph.add_cable(host, edges[h / half as usize], None, None);
        }
        for pod in 0..k {
            for edge in 0..half {
                for aggregation in 0..half {
                    let (edge, aggregation) = ((pod * half + edge) as usize, (pod * half + aggregation) as usize);
                    graph.add_cable(edges[edge], aggregations[aggregation], None, None);
                }
            }
            for aggregation in 0..half {
                for core in 0..half {
                    let (aggregation, core) = (pod * half + aggregation, aggregation * half + core);
                    graph.add_cable(aggregations[aggregation as usize], cores[core as usize], None, None);
                }
            }
        }
        graph
    }

    /// Two tiers: every leaf switch is linked to every spine switch.
    pub fn leaf_spine(leaves: u32, spines: u32, hosts_per_leaf: u32, uplink_bps: Option<u64>) -> Self {
        let mut graph = Self::default();
        let count = leaves * hosts_per_leaf;
        let hosts: Vec<NodeId> =
            (0..count).map(|h| graph.add_node(host_name(h), NodeKind::Host, 0, Some(h / hosts_per_leaf))).collect();
        let leaf: Vec<NodeId> =
            (0..leaves).map(|l| graph.add_node(format!("l{l}"), NodeKind::Switch, 1, Some(l))).collect();
        let spine: Vec<NodeId> =
            (0..spines).map(|s| graph.add_node(format!("sp{s}"), NodeKind::Switch, 2, None)).collect();
        for (h, &host) in hosts.iter().enumerate() {
            graph.add_cable(host, leaf[h / hosts_per_leaf as usize], None, None);
        }
        for &leaf in &leaf {
            for &spine in &spine {
                graph.add_cable(leaf, spine, uplink_bps, None);
            }
        }
        graph
    }

    /// Senders on one switch, receivers on another, one trunk between them; or all on one switch.
    pub fn dumbbell(senders: u32, receivers: u32, switches: u32, trunk_bps: Option<u64>) -> Self {
        let mut graph = Self::default();
        let hosts: Vec<NodeId> = (0..senders + receivers)
            .map(|h| graph.add_node(host_name(h), NodeKind::Host, 0, Some(u32::from(h >= senders))))
            .collect();
        let left = graph.add_node("left".into(), NodeKind::Switch, 1, Some(0));
        let right = if switches == 1 {
            left
        } else {
            let right = graph.add_node("right".into(), NodeKind::Switch, 1, Some(1));
            graph.add_cable(left, right, trunk_bps, None);
            right
        };
        for (h, &host) in hosts.iter().enumerate() {
            graph.add_cable(host, if index_u32(h) < senders { left } else { right }, None, None);
        }
        graph
    }

    /// All nodes.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// The hosts, by host number.
    pub fn hosts(&self) -> &[NodeId] {
        &self.hosts
    }

    /// All links, both directions of every cable.
    pub fn wires(&self) -> &[Wire] {
        &self.wires
    }

    /// Links leaving a node, in the order its cables were added.
    pub fn leaving(&self, node: NodeId) -> &[LinkId] {
        &self.leaving[node.index()]
    }

    /// Whether a node is a host.
    pub fn is_host(&self, node: NodeId) -> bool {
        self.nodes[node.index()].kind == NodeKind::Host
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fat_tree_has_the_textbook_counts() {
        for k in [2, 4, 8, 16] {
            let graph = Graph::fat_tree(k);
            assert_eq!(graph.hosts().len() as u32, k * k * k / 4);
            assert_eq!((graph.nodes().len() - graph.hosts().len()) as u32, 5 * k * k / 4);
            assert_eq!(graph.wires().len() as u32, 2 * 3 * k * k * k / 4);
            for (n, node) in graph.nodes().iter().enumerate() {
                let ports = if node.kind == NodeKind::Host { 1 } else { k };
                assert_eq!(graph.leaving(NodeId::at(n)).len() as u32, ports, "{}", node.name);
            }
        }
    }

    #[test]
    fn a_dumbbell_has_one_switch_or_two() {
        assert_eq!(Graph::dumbbell(3, 1, 1, None).wires().len(), 8);
        assert_eq!(Graph::dumbbell(3, 1, 2, None).wires().len(), 10);
    }
}
