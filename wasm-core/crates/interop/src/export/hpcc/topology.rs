//! Nodes and links: topology.txt, and the one link that may fail.

use std::collections::{BTreeMap, BTreeSet};

use qoscope_engine::kernel::time::to_us;
use qoscope_engine::network::graph::NodeKind;
use qoscope_engine::scenario::network_files::{self, Format};
use qoscope_engine::scenario::{Cable, Diagnostic, LinkSpec, Node, Routing, Shape};
use qoscope_engine::text::{counted, counted_as};
use serde_json::Value;

use super::{MAX_PORTS, Writer};
use crate::export::File;
use crate::export::How::{self, Exactly, NotAtAll, Roughly};
use crate::export::page::{Page, number};
use crate::export::words::listed;

/// Bits a second in one Gb/s.
const GIGA: f64 = 1e9;

/// A cable, as third.cc reads it.
struct Line {
    ends: [usize; 2],
    rate_bps: u64,
    delay_ns: u64,
}

/// The network as third.cc reads it.
pub(super) struct Topology {
    lines: Vec<Line>,
    is_host: Vec<bool>,
}

impl Topology {
    /// The network of the text of topology.txt. Rates and delays are cut off as ns-3 does (`DataRate`, `Time`).
    fn read(text: &str, is_host: Vec<bool>) -> Self {
        let lines = text.lines().skip(2).filter_map(|line| {
            let words: Vec<&str> = line.split(' ').collect();
            let gbps: f64 = words.get(2)?.strip_suffix("Gbps")?.parse().ok()?;
            let delay_us: f64 = words.get(3)?.strip_suffix("us")?.parse().ok()?;
            Some(Line {
                ends: [words[0].parse().ok()?, words[1].parse().ok()?],
                rate_bps: (gbps * GIGA) as u64,
                delay_ns: (delay_us * 1000.0) as u64,
            })
        });
        Self { lines: lines.collect(), is_host }
    }

    /// Rates of the ports of switches, each once.
    pub(super) fn rates_bps(&self) -> Vec<u64> {
        let rates: BTreeSet<u64> = self.lines.iter().map(|line| line.rate_bps).collect();
        rates.into_iter().collect()
    }

    /// The rate of the link of the first host, by which third.cc scales the thresholds of faster ports.
    pub(super) fn first_host_bps(&self) -> u64 {
        let first = self.is_host.iter().position(|is_host| *is_host).unwrap_or_default();
        self.lines.iter().find(|line| line.ends.contains(&first)).map_or(0, |line| line.rate_bps)
    }

    /// The cables of every switch.
    fn of_switches(&self) -> BTreeMap<usize, Vec<&Line>> {
        let mut switches: BTreeMap<usize, Vec<&Line>> = BTreeMap::new();
        for line in &self.lines {
            for end in line.ends.into_iter().filter(|end| !self.is_host[*end]) {
                switches.entry(end).or_default().push(line);
            }
        }
        switches
    }

    /// Ports of the switch that has most.
    pub(super) fn most_ports(&self) -> usize {
        self.of_switches().values().map(Vec::len).max().unwrap_or_default()
    }

    /// Headroom of the switch that has most, by the rule of third.cc: 3 × rate × delay for each port.
    pub(super) fn most_headroom_bytes(&self) -> f64 {
        let of = |lines: Vec<&Line>| lines.into_iter().map(|line| line.headroom_bytes()).sum::<f64>();
        self.of_switches().into_values().map(of).fold(0.0, f64::max)
    }

    /// Headroom of each port, each once.
    pub(super) fn headrooms_bytes(&self) -> Vec<u64> {
        let each: BTreeSet<u64> = self.lines.iter().map(|line| line.headroom_bytes() as u64).collect();
        each.into_iter().collect()
    }

    /// By node: the number of the part of the network that it is in, without the cable `but`.
    fn parts(&self, but: Option<[usize; 2]>) -> Vec<usize> {
        let mut neighbours = vec![Vec::new(); self.is_host.len()];
        for line in self.lines.iter().filter(|line| !but.is_some_and(|but| is_between(line.ends, but))) {
            let [one, other] = line.ends;
            neighbours[one].push(other);
            neighbours[other].push(one);
        }
        let mut parts = vec![usize::MAX; neighbours.len()];
        for start in 0..parts.len() {
            let mut next = vec![start];
            while let Some(node) = next.pop() {
                if parts[node] == usize::MAX {
                    parts[node] = start;
                    next.extend(&neighbours[node]);
                }
            }
        }
        parts
    }
}

impl Line {
    fn headroom_bytes(&self) -> f64 {
        // In whole bytes at each step, as third.cc computes.
        let bytes = u128::from(self.rate_bps) * u128::from(self.delay_ns) / 8 / 1_000_000_000 * 3;
        bytes as f64
    }
}

fn is_between(ends: [usize; 2], others: [usize; 2]) -> bool {
    ends == others || ends == [others[1], others[0]]
}

impl Writer<'_, '_> {
    /// topology.txt, and the network as third.cc will read it.
    ///
    /// # Errors
    /// A network that third.cc would read as another one.
    pub(super) fn topology(&mut self) -> Result<(Topology, File), Vec<Diagnostic>> {
        let scenario = self.scene.scenario;
        let (nodes, links) = self.nodes_and_links();
        let mut joined = BTreeSet::new();
        for link in &links {
            let mut ends = [link.from.as_str(), link.to.as_str()];
            ends.sort_unstable();
            if !joined.insert(ends) {
                let reason =
                    format!("joins {} and {} by two cables, of which third.cc would use one", ends[0], ends[1]);
                let hint = "Join them by one cable that has the rate of both.";
                return Err(vec![Diagnostic::new("topology.shape.links", reason, hint)]);
            }
        }
        let is_host: Vec<bool> = nodes.iter().map(|node| node.role == NodeKind::Host).collect();
        let is_linked = |node: &Node| joined.iter().any(|ends| ends.contains(&node.name.as_str()));
        let are_linked = nodes.iter().all(is_linked);
        let (switches, cables) = (is_host.iter().filter(|is_host| !**is_host).count(), links.len());
        let mut written = scenario.clone();
        written.topology.shape = Shape::Custom { nodes, links };
        let text = network_files::write(&written, Format::Hpcc);
        let topology = Topology::read(&text, is_host);
        if topology.most_ports() > MAX_PORTS {
            let reason = format!(
                "has a switch with {} ports; switches of that simulator have {MAX_PORTS}",
                topology.most_ports()
            );
            return Err(vec![Diagnostic::new("topology.shape", reason, "Spread its hosts over more switches.")]);
        }
        if !are_linked || self.separates(&topology, None) {
            let reason = "leave a host without a path, at which third.cc stops";
            return Err(vec![Diagnostic::new("topology.failedLinks", reason, "Let fewer links fail.")]);
        }

        let about = format!(
            "{}, {}, {}",
            counted((topology.is_host.len() - switches) as u64, "host"),
            counted_as(switches as u64, "switch", "switches"),
            counted(cables as u64, "link")
        );
        let mut page = Page::default();
        for (at, line) in text.lines().enumerate() {
            match at {
                0 => page.marked(line, about.clone(), None),
                2 => page.marked(
                    line,
                    "from, to, rate, delay of the link and of what its ends take, loss".to_owned(),
                    None,
                ),
                _ => page.line(line),
            }
        }
        let kind = match &scenario.topology.shape {
            Shape::FatTree { k } => format!("fat-tree, k = {k}"),
            Shape::LeafSpine { .. } => "leaf-spine".into(),
            Shape::Dumbbell { .. } => "dumbbell".into(),
            Shape::Custom { .. } => "custom".into(),
        };
        self.ledger.add("topology.shape", kind, about);
        self.amounts();
        self.routing();
        if !scenario.topology.failed_links.is_empty() {
            let down: Vec<String> =
                scenario.topology.failed_links.iter().map(|cable| format!("{} to {}", cable.from, cable.to)).collect();
            self.ledger.add("topology.failedLinks", listed(&down), "left out");
        }
        Ok((topology, page.file("topology.txt", "numbers of nodes, switches and links; then every link")))
    }

    /// Nodes, and the links that are whole, whoever made them, with the rates and delays that third.cc should have.
    fn nodes_and_links(&self) -> (Vec<Node>, Vec<LinkSpec>) {
        let graph = &self.plan.graph;
        let nodes = graph.nodes().iter().map(|node| Node { name: node.name.clone(), role: node.kind, position: None });
        // The two directions of a cable are neighbours.
        let cables = graph.wires().iter().step_by(2).zip(self.settings.links.chunks(2));
        let links = cables.filter(|(_, ways)| ways.iter().all(|way| way.up)).map(|(wire, ways)| LinkSpec {
            from: graph.nodes()[wire.from.index()].name.clone(),
            to: graph.nodes()[wire.to.index()].name.clone(),
            gbps: Some(ways[0].rate_bps as f64 / GIGA),
            delay_us: Some(to_us(ways.iter().map(|way| way.delay_ps).sum::<u64>() / 2)),
        });
        (nodes.collect(), links.collect())
    }

    /// Whether any connection has its hosts in different parts of the network without a cable.
    fn separates(&self, topology: &Topology, but: Option<[usize; 2]>) -> bool {
        let parts = topology.parts(but);
        let part = |host: u32| parts[self.plan.graph.hosts()[host as usize].index()];
        self.plan.flows.iter().any(|flow| part(flow.source) != part(flow.destination))
    }

    /// Rates, delays and round trips.
    fn amounts(&mut self) {
        let topology = &self.scene.scenario.topology;
        if let Some(gbps) = self.scene.number("topology.linkGbps") {
            self.ledger.add("topology.linkGbps", format!("{} Gb/s", number(gbps)), format!("{gbps}Gbps"));
        }
        if let Some(us) = self.scene.number("topology.linkDelayUs") {
            let from = format!("{} µs", number(us));
            let is_whole = (us * 1000.0 - libm::round(us * 1000.0)).abs() < 1e-6;
            let why = "Time there is in whole nanoseconds: the rest is cut off.";
            match is_whole {
                true => self.ledger.add("topology.linkDelayUs", from, format!("{us}us")),
                false => self.ledger.because("topology.linkDelayUs", from, format!("{us}us"), Roughly, why),
            }
        }
        let taken =
            [("topology.hostDelayUs", topology.host_delay_us), ("topology.switchDelayUs", topology.switch_delay_us)];
        let asked = topology.base_rtt_us.map(|us| ("topology.baseRttUs", us));
        for (path, us) in taken.into_iter().filter(|(_, us)| *us > 0.0).chain(asked) {
            self.ledger.add(path, format!("{} µs", number(us)), "in the delays of links");
        }
    }

    fn routing(&mut self) {
        if self.scene.effective("topology.routing").is_none() {
            return;
        }
        match self.scene.scenario.topology.routing {
            Routing::Ecmp => {
                let why =
                    "Switches there hash each flow as well, by a function of their own: flows meet on other paths.";
                self.ledger.because("topology.routing", "ECMP", "ECMP", Roughly, why);
            }
            Routing::DModK => self.ledger.add("topology.routing", "d mod k", ""),
        }
    }

    /// The link that fails while it runs, as `LINK_DOWN` has it, and how that is said; none where none does.
    pub(super) fn link_down(&mut self, topology: &Topology) -> Option<(String, String)> {
        let scenario = self.scene.scenario;
        let mut down = names(&scenario.topology.failed_links);
        let (mut fails, mut written) = (None, 0);
        let changes: Vec<_> =
            scenario.timeline.iter().enumerate().filter(|(_, change)| change.at_us < scenario.duration_us).collect();
        for (at, change) in &changes {
            let path = format!("timeline[{at}].value");
            let from = format!("{} at {} µs", change.path, number(change.at_us));
            let next = match change.path.as_str() {
                "topology.failedLinks" => cables(&change.value),
                _ => None,
            };
            let Some(next) = next else {
                self.ledger.add(&path, from, "");
                continue;
            };
            let new: Vec<&[String; 2]> = next.difference(&down).collect();
            let ends = match new[..] {
                [cable] if fails.is_none() && down.is_subset(&next) => self.numbers(cable),
                _ => None,
            };
            match ends {
                Some(ends) if self.separates(topology, Some(ends)) => {
                    let why = "third.cc stops where a host of a flow has no path left.";
                    self.ledger.because(&path, from, "", NotAtAll, why);
                }
                Some([one, other]) => {
                    // 0 would mean none.
                    let us = libm::round(change.at_us).max(1.0);
                    let (how, why): (How, _) = if (us - change.at_us).abs() < 1e-9 {
                        (Exactly, "One cable fails, and stays down.")
                    } else {
                        (Roughly, "It fails at a whole microsecond.")
                    };
                    let says = format!("{} to {} fails at {} µs", new[0][0], new[0][1], number(change.at_us));
                    let value = format!("{us} {one} {other}");
                    self.ledger.because(&path, from, format!("LINK_DOWN {value}"), how, why);
                    fails = Some((value, says));
                    written += 1;
                }
                None => self.ledger.add(&path, from, ""),
            }
            down = next;
        }
        if written < changes.len() {
            let remark = "Changes of the timeline are left out, but for one link that fails: from the first of them on the run there is another.";
            self.remarks.push(remark.into());
        }
        fails
    }

    /// The numbers of two nodes.
    fn numbers(&self, cable: &[String; 2]) -> Option<[usize; 2]> {
        let number = |name: &String| self.plan.graph.nodes().iter().position(|node| node.name == *name);
        Some([number(&cable[0])?, number(&cable[1])?])
    }
}

/// Cables by the names of their ends, in order.
fn names(cables: &[Cable]) -> BTreeSet<[String; 2]> {
    let ends = cables.iter().map(|cable| {
        let mut ends = [cable.from.clone(), cable.to.clone()];
        ends.sort_unstable();
        ends
    });
    ends.collect()
}

fn cables(value: &Value) -> Option<BTreeSet<[String; 2]>> {
    serde_json::from_value::<Vec<Cable>>(value.clone()).ok().map(|cables| names(&cables))
}
