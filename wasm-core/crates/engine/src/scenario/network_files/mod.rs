//! Files of networks: read into a custom graph, written from any, and put under a scenario.
//!
//! A format says what its lines are. What a network must be (ranges, names, links of hosts) the document says, whose rules are
//! asked about the graph that was read; each diagnostic is at the line that the part of the graph came from.

mod edges;
mod hpcc;
mod onto;
#[cfg(test)]
mod tests;
mod words;

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use serde_json::Value;

use super::diagnostics::Diagnostics;
use super::document::{LinkSpec, Node, NodeKind, Position, Scenario, Shape};
use super::hosts::graph_of;
use super::shape::MAXIMUM_LINKS;
use super::{Diagnostic, quoted, schema, semantics, validate, whole_numbers};
use crate::kernel::convert::index;
use crate::kernel::ids::NodeId;
use crate::kernel::time::to_us;

pub use onto::{ReadNetwork, with_network};

/// Longest file that is read, in bytes: the largest network with the longest names takes less.
const MAXIMUM_BYTES: usize = 5_000_000;
/// What a line that links two nodes says.
const LINK: &str = "Write: from, to, rate in Gb/s, delay in us.";

/// Lines and links that a sentence lists one by one.
const LISTED: usize = 3;

/// Where a diagnostic is that is at no line.
const WHOLE: &str = "network";

/// A format of files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// One link a line, with names: `from to [Gb/s] [us]`.
    Edges,
    /// The topology file of the simulator of HPCC (SIGCOMM 2019): nodes by number.
    Hpcc,
}

impl Format {
    /// All of them.
    pub const ALL: [Self; 2] = [Self::Edges, Self::Hpcc];

    /// Its name on the command line.
    pub fn id(self) -> &'static str {
        match self {
            Self::Edges => "edges",
            Self::Hpcc => "hpcc",
        }
    }

    /// The format of that name.
    pub fn from_id(id: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|format| format.id() == id)
    }
}

/// A network that was read: a custom graph, hosts first as generators have them.
#[derive(Clone, Debug, PartialEq)]
pub struct Network {
    /// Hosts, then switches.
    pub nodes: Vec<Node>,
    /// Links, in the order of the file.
    pub links: Vec<LinkSpec>,
    /// Where the network differs from the file, as sentences.
    pub remarks: Vec<String>,
}

impl Network {
    /// The hosts, by name.
    fn hosts(&self) -> impl Iterator<Item = &str> {
        self.nodes.iter().filter(|node| node.role == NodeKind::Host).map(|node| node.name.as_str())
    }

    /// It as a shape of the document.
    pub fn shape(&self) -> Value {
        let shape = Shape::Custom { nodes: self.nodes.clone(), links: self.links.clone() };
        let mut shape = serde_json::to_value(shape).unwrap_or_default();
        whole_numbers(&mut shape);
        shape
    }
}

/// Numbers of hosts, switches and links, and the remarks.
impl fmt::Display for Network {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let hosts = self.hosts().count();
        write!(formatter, "{hosts} hosts, {} switches, {} links.", self.nodes.len() - hosts, self.links.len())?;
        self.remarks.iter().try_for_each(|remark| write!(formatter, " {remark}"))
    }
}

/// Reads a network from the text of a file, whose format shows in its first lines.
///
/// # Errors
/// Every diagnostic of the file, the path of each being its line, such as `line 3` or `line 3, rate`, or `network`.
pub fn read(text: &str) -> Result<Network, Vec<Diagnostic>> {
    if text.len() > MAXIMUM_BYTES {
        let reason = format!("has {} bytes; at most {MAXIMUM_BYTES} are read", text.len());
        return Err(vec![Diagnostic::new(WHOLE, reason, "Make the network smaller.")]);
    }
    let mut diagnostics = Diagnostics::default();
    let lines = words::lines(text, &mut diagnostics);
    let mut draft = Draft::default();
    let read = if hpcc::is_hpcc(&lines) { hpcc::read } else { edges::read };
    if let Err(diagnostic) = read(&lines, &mut draft, &mut diagnostics) {
        diagnostics.push(diagnostic);
    }
    if !diagnostics.is_empty() {
        return Err(diagnostics.into_vec());
    }
    draft.finish()
}

/// Writes the network of a scenario that has passed validation, with what it says of rates and delays in force.
pub fn write(scenario: &Scenario, format: Format) -> String {
    let network = listed(&scenario.topology.shape);
    let rates = |link: &LinkSpec| {
        let topology = &scenario.topology;
        (link.gbps.unwrap_or(topology.link_gbps), link.delay_us.unwrap_or(topology.link_delay_us))
    };
    match format {
        Format::Edges => edges::write(&network, rates),
        Format::Hpcc => hpcc::write(&network, rates),
    }
}

/// The nodes and links of a shape, whoever made it.
fn listed(shape: &Shape) -> Network {
    if let Shape::Custom { nodes, links } = shape {
        return Network { nodes: nodes.clone(), links: links.clone(), remarks: Vec::new() };
    }
    let graph = graph_of(shape);
    let nodes = graph.nodes().iter().map(|node| Node { name: node.name.clone(), role: node.kind, position: None });
    let name = |node: NodeId| graph.nodes()[node.index()].name.clone();
    // The two directions of a cable are neighbours.
    let links = graph.wires().iter().step_by(2).map(|wire| LinkSpec {
        from: name(wire.from),
        to: name(wire.to),
        gbps: wire.rate_bps.map(|bps| bps as f64 / 1e9),
        delay_us: wire.delay_ps.map(to_us),
    });
    Network { nodes: nodes.collect(), links: links.collect(), remarks: Vec::new() }
}

/// Where a diagnostic is.
fn at(line: usize) -> String {
    format!("line {line}")
}

/// A network as its lines give it.
#[derive(Debug, Default)]
struct Draft {
    /// Nodes, in the order in which lines declare them or, behind those, name them.
    nodes: Vec<DraftNode>,
    /// Where each name stands among them.
    numbers: BTreeMap<String, usize>,
    links: Vec<DraftLink>,
    /// Whether lines of the same two nodes are parallel links. An edge list may as well have a link in both directions.
    merges_parallel_links: bool,
}

#[derive(Debug)]
struct DraftNode {
    name: String,
    /// What a line says that it is.
    role: Option<NodeKind>,
    position: Option<Position>,
    links: usize,
    /// The first line that names it.
    line: usize,
}

#[derive(Clone, Debug)]
struct DraftLink {
    ends: [usize; 2],
    gbps: Option<f64>,
    delay_us: Option<f64>,
    line: usize,
}

impl Draft {
    /// The node of a name, for which there is a place from now on.
    fn node(&mut self, name: &str, line: usize) -> usize {
        if let Some(&number) = self.numbers.get(name) {
            return number;
        }
        let number = self.nodes.len();
        self.numbers.insert(name.into(), number);
        self.nodes.push(DraftNode { name: name.into(), role: None, position: None, links: 0, line });
        number
    }

    /// Says what a node is.
    fn declare(&mut self, name: &str, role: NodeKind, line: usize) -> &mut DraftNode {
        let number = self.node(name, line);
        let node = &mut self.nodes[number];
        node.role = Some(role);
        node
    }

    /// Joins two nodes.
    fn link(&mut self, ends: [&str; 2], gbps: Option<f64>, delay_us: Option<f64>, line: usize) {
        let ends = ends.map(|name| self.node(name, line));
        ends.into_iter().for_each(|end| self.nodes[end].links += 1);
        self.links.push(DraftLink { ends, gbps, delay_us, line });
    }

    /// What a node is: what a line says, or else a host if it has one link.
    fn role(node: &DraftNode) -> NodeKind {
        node.role.unwrap_or(if node.links == 1 { NodeKind::Host } else { NodeKind::Switch })
    }

    /// The network, once it is one that a scenario may have.
    fn finish(&self) -> Result<Network, Vec<Diagnostic>> {
        let mut diagnostics = Diagnostics::default();
        if let Err(diagnostic) = self.check_links() {
            return Err(vec![diagnostic]);
        }
        let (links, remarks) = self.merged(&mut diagnostics);
        if let Some(diagnostic) = self.second_links(&links) {
            diagnostics.push(diagnostic);
            return Err(diagnostics.into_vec());
        }
        // What lines declare comes before what they only name, and hosts before switches.
        let mut order: Vec<&DraftNode> = self.nodes.iter().collect();
        order.sort_by_key(|node| (Self::role(node) != NodeKind::Host, node.role.is_none()));
        let network = Network {
            nodes: order
                .iter()
                .map(|node| Node { name: node.name.clone(), role: Self::role(node), position: node.position })
                .collect(),
            links: links
                .iter()
                .map(|link| {
                    let [from, to] = link.ends.map(|end| self.nodes[end].name.clone());
                    LinkSpec { from, to, gbps: link.gbps, delay_us: link.delay_us }
                })
                .collect(),
            remarks,
        };
        let mut found = Diagnostics::default();
        validate::check(schema(), &schema()["$defs"]["Shape"], &network.shape(), "", &mut found);
        if found.is_empty() {
            let shape = Shape::Custom { nodes: network.nodes.clone(), links: network.links.clone() };
            semantics::shape(&shape, &mut found);
        }
        let placed = |diagnostic| Diagnostic { path: place(&diagnostic, &order, &links), ..diagnostic };
        diagnostics.extend(found.into_vec().into_iter().map(placed));
        if diagnostics.is_empty() { Ok(network) } else { Err(diagnostics.into_vec()) }
    }

    /// The links, parallel ones merged to one of the sum of their rates if the format has such; with a remark on each of these. Other
    /// repetitions are diagnostics.
    fn merged(&self, diagnostics: &mut Diagnostics) -> (Vec<DraftLink>, Vec<String>) {
        let mut links: Vec<DraftLink> = Vec::with_capacity(self.links.len());
        let mut bundles: BTreeMap<(usize, usize), (usize, usize)> = BTreeMap::new();
        for link in &self.links {
            let [a, b] = link.ends;
            let (position, count) = match bundles.entry((a.min(b), a.max(b))) {
                Entry::Vacant(entry) => {
                    entry.insert((links.len(), 1));
                    links.push(link.clone());
                    continue;
                }
                Entry::Occupied(entry) => entry.into_mut(),
            };
            let first = &mut links[*position];
            let is_host = link.ends.iter().any(|&end| Self::role(&self.nodes[end]) == NodeKind::Host);
            if self.merges_parallel_links && !is_host && first.delay_us == link.delay_us {
                first.gbps = first.gbps.zip(link.gbps).map(|(one, other)| one + other);
                *count += 1;
                continue;
            }
            let [a, b] = [a, b].map(|end| quoted(&self.nodes[end].name));
            diagnostics.push(Diagnostic::new(
                at(link.line),
                format!("links {a} and {b}, which line {} links already", first.line),
                "Two nodes have one link here: write parallel links as one with the sum of their rates, and a link in both directions once.",
            ));
        }
        let remark = |(position, count): &(usize, usize)| {
            let DraftLink { ends, gbps, line, .. } = &links[*position];
            let [a, b] = ends.map(|end| quoted(&self.nodes[end].name));
            let rate = gbps.unwrap_or_default();
            format!("{count} parallel links of {a} and {b} (line {line}) are one of {rate} Gb/s.")
        };
        let mut merged: Vec<_> = bundles.into_values().filter(|(_, count)| *count > 1).collect();
        merged.sort_unstable();
        let mut remarks: Vec<String> = merged.iter().take(LISTED).map(remark).collect();
        if merged.len() > LISTED {
            remarks.push(format!("So are those of {} more pairs of nodes.", merged.len() - LISTED));
        }
        (links, remarks)
    }

    /// A diagnostic if lines give hosts a second link: one for all of them, at the first such line.
    fn second_links(&self, links: &[DraftLink]) -> Option<Diagnostic> {
        let mut seen = BTreeSet::new();
        let mut second: Vec<(usize, &DraftNode)> = Vec::new();
        for link in links {
            for end in link.ends {
                let node = &self.nodes[end];
                if Self::role(node) == NodeKind::Host && !seen.insert(end) {
                    second.push((link.line, node));
                }
            }
        }
        let ((line, node), others) = second.split_first()?;
        let mut reason = format!("gives the host {} a second link", quoted(&node.name));
        if !others.is_empty() {
            let listed =
                others.iter().take(LISTED).map(|(line, node)| format!("line {line} of {}", quoted(&node.name)));
            reason.push_str(&format!(", as does {}", listed.collect::<Vec<_>>().join(", ")));
            if others.len() > LISTED {
                reason.push_str(&format!(" and {} more lines", others.len() - LISTED));
            }
        }
        let hint = "A host has one link here: keep one of its links, or put a switch between the host and its links.";
        Some(Diagnostic::new(at(*line), reason, hint))
    }

    /// There are links, and not so many that it takes long to say more of them.
    fn check_links(&self) -> Result<(), Diagnostic> {
        let most = index(MAXIMUM_LINKS / 2);
        match self.links.get(most) {
            _ if self.links.is_empty() => Err(Diagnostic::new(WHOLE, "has no links", LINK)),
            Some(link) => {
                let reason = format!("has one of {} links; at most {most} can be simulated", self.links.len());
                Err(Diagnostic::new(at(link.line), reason, "Make the network smaller."))
            }
            None => Ok(()),
        }
    }
}

/// The line that a part of the graph came from, and what of it is meant.
fn place(diagnostic: &Diagnostic, order: &[&DraftNode], links: &[DraftLink]) -> String {
    let path = diagnostic.path.trim_start_matches("topology.shape").trim_start_matches('.');
    let (list, rest) = path.split_once('[').unwrap_or((path, ""));
    let (number, field) = rest.split_once(']').unwrap_or_default();
    let line = number.parse().ok().and_then(|number: usize| match list {
        "nodes" => order.get(number).map(|node| node.line),
        _ => links.get(number).map(|link| link.line),
    });
    match (line, field) {
        (None, _) if list.is_empty() => WHOLE.into(),
        (None, _) => format!("{WHOLE}, {list}"),
        (Some(line), "") => at(line),
        (Some(line), field) => {
            let part = match field.split('.').find(|part| !part.is_empty()).unwrap_or_default() {
                "gbps" => "rate",
                "delayUs" => "delay",
                other => other,
            };
            format!("line {line}, {part}")
        }
    }
}
