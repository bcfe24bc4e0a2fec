//! Edge lists: one link a line, `from to [Gb/s] [us]`. Lines may say what a node is and where it stands on the drawing, `host NAME`
//! or `switch NAME at X Y`. A first line of headings, `from,to,...`, is passed over.

use super::words::{Bare, Line, delay, rate};
use super::{Draft, LINK, Network, at};
use crate::scenario::diagnostics::Diagnostics;
use crate::scenario::document::{LinkSpec, Node, NodeKind, Position};
use crate::scenario::{Diagnostic, quoted};

/// First words of a line of headings.
const HEADINGS: [&str; 3] = ["from", "source", "src"];

fn role(word: &str) -> Option<NodeKind> {
    match word {
        "host" => Some(NodeKind::Host),
        "switch" => Some(NodeKind::Switch),
        _ => None,
    }
}

/// Reads all lines; those that cannot be read are told one by one.
pub(super) fn read(lines: &[Line], draft: &mut Draft, diagnostics: &mut Diagnostics) -> Result<(), Diagnostic> {
    for (index, line) in lines.iter().enumerate() {
        let is_heading = HEADINGS.iter().any(|word| line.words[0].eq_ignore_ascii_case(word));
        if !(index == 0 && is_heading && !line.is_named) {
            diagnostics.extend(read_line(line, draft).err());
        }
    }
    Ok(())
}

fn read_line(line: &Line, draft: &mut Draft) -> Result<(), Diagnostic> {
    let words: Vec<&str> = line.words.iter().map(String::as_str).collect();
    let declared = role(words[0]).filter(|_| !line.is_named);
    match (declared, &words[1..]) {
        (Some(role), [name]) => {
            draft.declare(name, role, line.number);
        }
        (Some(role), [name, "at", x, y]) => {
            let position = place(x, y, line.number)?;
            draft.declare(name, role, line.number).position = Some(position);
        }
        (_, []) => return Err(Diagnostic::new(at(line.number), format!("names {} alone", quoted(words[0])), LINK)),
        (_, [to, amounts @ ..]) if amounts.len() <= 2 => {
            let gbps = amounts.first().map(|word| rate(word, Bare::Scenario, line.number)).transpose()?;
            let delay_us = amounts.get(1).map(|word| delay(word, Bare::Scenario, line.number)).transpose()?;
            draft.link([words[0], to], gbps, delay_us, line.number);
        }
        _ => return Err(Diagnostic::new(at(line.number), "has more than four words", LINK)),
    }
    Ok(())
}

fn place(x: &str, y: &str, line: usize) -> Result<Position, Diagnostic> {
    let number = |word: &str| word.parse().ok().filter(|number: &f64| number.is_finite());
    match (number(x), number(y)) {
        (Some(x), Some(y)) => Ok(Position { x, y }),
        _ => {
            let reason = format!("has {} where a place stands", quoted(&format!("{x} {y}")));
            Err(Diagnostic::new(at(line), reason, "Write two numbers, right and down."))
        }
    }
}

/// A network with all that there is to say of it. `rates` are the rate and the delay in force of a link.
pub(super) fn write(network: &Network, rates: impl Fn(&LinkSpec) -> (f64, f64)) -> String {
    let mut degrees = std::collections::BTreeMap::<&str, usize>::new();
    for end in network.links.iter().flat_map(|link| [&link.from, &link.to]) {
        *degrees.entry(end).or_default() += 1;
    }
    // What the number of its links says of a node need not be said.
    let is_stated = |node: &&Node| {
        let is_leaf = degrees.get(node.name.as_str()) == Some(&1);
        node.position.is_some() || (node.role == NodeKind::Host) != is_leaf
    };
    let mut text = String::from("# from to Gb/s us\n");
    for node in network.nodes.iter().filter(is_stated) {
        let role = if node.role == NodeKind::Host { "host" } else { "switch" };
        let place = node.position.map(|place| format!(" at {} {}", place.x, place.y)).unwrap_or_default();
        text.push_str(&format!("{role} {}{place}\n", written(&node.name)));
    }
    for link in &network.links {
        let (gbps, delay_us) = rates(link);
        text.push_str(&format!("{} {} {gbps} {delay_us}\n", written(&link.from), written(&link.to)));
    }
    text
}

/// A name as an edge list has it: in quotes where it would be taken for something else.
fn written(name: &str) -> String {
    let is_special = |letter: char| letter.is_whitespace() || matches!(letter, ',' | ';' | '#' | '"');
    let is_word = role(name).is_some() || HEADINGS.iter().any(|word| name.eq_ignore_ascii_case(word));
    if is_word || name.contains(is_special) { serde_json::Value::from(name).to_string() } else { name.into() }
}
