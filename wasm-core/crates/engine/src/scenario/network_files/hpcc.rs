//! The topology file of the simulator of HPCC (SIGCOMM 2019): numbers of nodes, switches and links; the numbers of the switches; then
//! `from to rate delay error-rate` for each link. Error rates are ignored: links here lose nothing. Nodes are named by their numbers.
//! That of PowerTCP (NSDI 2022) has the number of top-of-rack switches before that of the links. Those of SimAI and astra-sim, with
//! NVSwitches, are refused by name.

use std::collections::{BTreeMap, BTreeSet};

use super::words::{Bare, Line, delay, rate, whole};
use super::{Draft, Network, at};
use crate::scenario::diagnostics::Diagnostics;
use crate::scenario::document::{LinkSpec, NodeKind};
use crate::scenario::{Diagnostic, quoted};

/// Fewest words of a line that no edge list has: the error rate of a link is the fifth.
const LINK_WORDS: usize = 5;

/// Whether lines are of this format: a line of counts, then a line of whole numbers. An edge list of nodes with numbers for names may
/// begin so too, but has no line of a single word and none of five.
pub(super) fn is_hpcc(lines: &[Line]) -> bool {
    let [head, second, ..] = lines else { return false };
    let counts = head.words.iter().take_while(|word| whole(word).is_some()).count();
    let has_counts = counts >= 3 && (counts == head.words.len() || is_simai(head));
    let has_links = || lines.iter().skip(2).any(|line| line.words.len() >= LINK_WORDS);
    has_counts && second.words.iter().all(|word| whole(word).is_some()) && (second.words.len() == 1 || has_links())
}

/// Whether a first line is of SimAI: nodes, GPUs per server, NVSwitches, switches, links, and the type of the GPUs.
fn is_simai(head: &Line) -> bool {
    head.words.len() == 6 && head.words.iter().take(5).all(|word| whole(word).is_some())
}

/// Reads all links; each that cannot be read gives a diagnostic.
///
/// # Errors
/// Counts that the file does not keep.
pub(super) fn read(lines: &[Line], draft: &mut Draft, diagnostics: &mut Diagnostics) -> Result<(), Diagnostic> {
    let Some((head, mut rest)) = lines.split_first() else { return Ok(()) };
    let fault = |reason: String, hint: &str| Err(Diagnostic::new(at(head.number), reason, hint));
    let counts: Vec<usize> = head.words.iter().filter_map(|word| whole(word)).collect();
    let (nodes, switches, links) = match counts[..] {
        [nodes, switches, links] => (nodes, switches, links),
        [nodes, switches, _top_of_rack, links] => (nodes, switches, links),
        _ if is_simai(head) => {
            let reason = "is the first line of a topology of SimAI (astra-sim): its GPUs have a link to an NVSwitch and one to the network";
            return fault(
                reason.into(),
                "Hosts here have one link: leave out NVSwitches and their links, and begin with the numbers of nodes, switches and links.",
            );
        }
        _ => {
            let reason = format!("has {} numbers", counts.len());
            return fault(reason, "Begin with the numbers of nodes, switches and links.");
        }
    };
    draft.merges_parallel_links = true;
    let mut numbers = BTreeSet::new();
    let mut named = 0;
    while let Some((line, further)) = rest.split_first().filter(|_| named < switches) {
        for word in &line.words {
            numbers.insert(node(word, nodes, line.number)?);
        }
        (named, rest) = (named + line.words.len(), further);
    }
    if numbers.len() != switches {
        let reason = format!("says {switches} switches, and the next lines name {}", numbers.len());
        return fault(reason, "Name every switch once.");
    }
    if rest.len() < links {
        let reason = format!("says {links} links, and the file has {}", rest.len());
        return fault(reason, "Its end may be missing: fetch it again, or correct the number.");
    }
    // Of more nodes some stand alone. This also bounds them by what the file has.
    if nodes > links + 1 {
        return fault(format!("says {nodes} nodes, which {links} links cannot join"), "Link every node.");
    }
    let name = |number: usize| format!("{}{number}", if numbers.contains(&number) { 's' } else { 'h' });
    for number in 0..nodes {
        let role = if numbers.contains(&number) { NodeKind::Switch } else { NodeKind::Host };
        draft.declare(&name(number), role, head.number);
    }
    for line in &rest[..links] {
        diagnostics.extend(read_link(line, nodes, name, draft).err());
    }
    Ok(())
}

fn read_link(line: &Line, nodes: usize, name: impl Fn(usize) -> String, draft: &mut Draft) -> Result<(), Diagnostic> {
    let word = |index: usize| line.words.get(index).map_or("", String::as_str);
    let [from, to] = [node(word(0), nodes, line.number)?, node(word(1), nodes, line.number)?].map(name);
    let (gbps, delay_us) = (rate(word(2), Bare::Ns3, line.number)?, delay(word(3), Bare::Ns3, line.number)?);
    draft.link([&from, &to], Some(gbps), Some(delay_us), line.number);
    Ok(())
}

/// The number of a node.
fn node(word: &str, nodes: usize, line: usize) -> Result<usize, Diagnostic> {
    whole(word).filter(|&number| number < nodes).ok_or_else(|| {
        let reason = format!("has {} where the number of a node stands", quoted(word));
        Diagnostic::new(at(line), reason, format!("Give one of the {nodes} numbers that begin with 0."))
    })
}

/// A network with nodes by number, in their order. `rates` are the rate and the delay in force of a link.
pub(super) fn write(network: &Network, rates: impl Fn(&LinkSpec) -> (f64, f64)) -> String {
    let nodes = network.nodes.iter().enumerate();
    let numbers: BTreeMap<&str, usize> = nodes.clone().map(|(number, node)| (node.name.as_str(), number)).collect();
    let switches = nodes.filter(|(_, node)| node.role == NodeKind::Switch).map(|(number, _)| number.to_string());
    let switches: Vec<String> = switches.collect();
    let counts = (network.nodes.len(), switches.len(), network.links.len());
    let mut text = format!("{} {} {}\n{}\n", counts.0, counts.1, counts.2, switches.join(" "));
    for link in &network.links {
        let (gbps, delay_us) = rates(link);
        let [from, to] = [&link.from, &link.to].map(|name| numbers[name.as_str()]);
        text.push_str(&format!("{from} {to} {gbps}Gbps {delay_us}us 0.000000\n"));
    }
    text
}
