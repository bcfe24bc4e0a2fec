//! Lines of a file, the words in them, and the amounts that words are.

use super::at;
use crate::scenario::diagnostics::Diagnostics;
use crate::scenario::{Diagnostic, quoted};

/// A line that has any words.
#[derive(Debug)]
pub(super) struct Line {
    /// Its number, from 1.
    pub(super) number: usize,
    /// Its words, those in quotes without them.
    pub(super) words: Vec<String>,
    /// The first word stands in quotes, and so is a name whatever it says.
    pub(super) is_named: bool,
}

/// The lines that have words. Words stand apart by blanks, commas or semicolons; `#` begins a comment; a word in quotes is a text as
/// JSON has it. Lines end as any system ends them, and a byte-order mark before the first is passed over.
pub(super) fn lines(text: &str, diagnostics: &mut Diagnostics) -> Vec<Line> {
    let text = text.trim_start_matches('\u{feff}').replace("\r\n", "\n");
    let mut lines = Vec::new();
    for (index, text) in text.split(['\n', '\r']).enumerate() {
        match words(text) {
            Ok(words) if words.is_empty() => (),
            Ok(words) => {
                let is_named = text.trim_start_matches(is_separator).starts_with('"');
                lines.push(Line { number: index + 1, words, is_named });
            }
            Err((reason, hint)) => diagnostics.push(Diagnostic::new(at(index + 1), reason, hint)),
        }
    }
    lines
}

fn is_separator(letter: char) -> bool {
    letter.is_whitespace() || letter == ',' || letter == ';'
}

fn words(line: &str) -> Result<Vec<String>, (String, &'static str)> {
    let mut words = Vec::new();
    let mut rest = line;
    loop {
        rest = rest.trim_start_matches(is_separator);
        if rest.is_empty() || rest.starts_with('#') {
            return Ok(words);
        }
        let length = if rest.starts_with('"') {
            let end = closing_quote(rest);
            end.ok_or_else(|| (format!("does not close the quotes of {}", quoted(&rest[1..])), "Add a quote."))? + 1
        } else {
            rest.find(|letter| is_separator(letter) || letter == '#' || letter == '"').unwrap_or(rest.len())
        };
        let (word, after) = rest.split_at(length);
        rest = after;
        words.push(match word.starts_with('"') {
            false => word.into(),
            true => serde_json::from_str(word)
                .map_err(|_| (format!("has a name that is none in JSON: {}", quoted(word)), "Write \\ as \\\\."))?,
        });
    }
}

/// Where the quote is that ends a text that begins with one.
fn closing_quote(text: &str) -> Option<usize> {
    let mut is_escaped = false;
    text.bytes().enumerate().skip(1).find_map(|(at, byte)| {
        let ends = byte == b'"' && !is_escaped;
        is_escaped = byte == b'\\' && !is_escaped;
        ends.then_some(at)
    })
}

/// A whole number of at most nine digits.
pub(super) fn whole(word: &str) -> Option<usize> {
    let is_whole = (1..=9).contains(&word.len()) && word.bytes().all(|byte| byte.is_ascii_digit());
    is_whole.then(|| word.parse().ok()).flatten()
}

/// How a format reads numbers without a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bare {
    /// Gb/s and microseconds, the units of scenarios.
    Scenario,
    /// bit/s and seconds, the units of ns-3 (`DataRate`, `Time`).
    Ns3,
}

/// Prefixes of rates, and the powers of ten that they are of Gb/s.
const RATE_PREFIXES: [(&str, i32); 5] = [("", -9), ("k", -6), ("m", -3), ("g", 0), ("t", 3)];
/// Delays: units, and the powers of ten that they are of microseconds. The sign of micro has two code points.
const DELAYS: [(&str, i32); 8] =
    [("us", 0), ("\u{b5}s", 0), ("\u{3bc}s", 0), ("fs", -9), ("ps", -6), ("ns", -3), ("ms", 3), ("s", 6)];

/// A rate in Gb/s.
pub(super) fn rate(word: &str, bare: Bare, line: usize) -> Result<f64, Diagnostic> {
    let (number, unit) = split(word);
    let power = if unit.is_empty() { Some((if bare == Bare::Ns3 { -9 } else { 0 }, 1.0)) } else { rate_unit(unit) };
    let read = power.and_then(|(power, factor)| Some(shifted(number, power)? * factor));
    read.ok_or_else(|| unread(word, line, "rate", "Write one such as 100Gbps."))
}

/// The power of ten of Gb/s and the factor of a unit: `Gbps`, `Gb/s`, `Gb` or `G`; bytes are `GBps` or `GB/s`. `GB` alone is `None`: it may
/// mean either.
fn rate_unit(unit: &str) -> Option<(i32, f64)> {
    let stem = unit.strip_suffix("ps").or_else(|| unit.strip_suffix("/s"));
    let (prefix, factor) = match (stem, stem.unwrap_or(unit).strip_suffix(['b', 'B'])) {
        (Some(stem), Some(prefix)) => (prefix, if stem.ends_with('B') { 8.0 } else { 1.0 }),
        (None, Some(prefix)) if !prefix.is_empty() && unit.ends_with('b') => (prefix, 1.0),
        (None, None) => (unit, 1.0),
        _ => return None,
    };
    let prefix = prefix.to_lowercase();
    RATE_PREFIXES.iter().find(|(name, _)| *name == prefix).map(|(_, power)| (*power, factor))
}

/// A delay in microseconds.
pub(super) fn delay(word: &str, bare: Bare, line: usize) -> Result<f64, Diagnostic> {
    let (number, unit) = split(word);
    let unit = unit.to_lowercase();
    let power = match unit.as_str() {
        "" => Some(if bare == Bare::Ns3 { 6 } else { 0 }),
        unit => DELAYS.iter().find(|(name, _)| *name == unit).map(|(_, power)| *power),
    };
    power.and_then(|power| shifted(number, power)).ok_or_else(|| unread(word, line, "delay", "Write one such as 1us."))
}

fn unread(word: &str, line: usize, what: &str, hint: &str) -> Diagnostic {
    Diagnostic::new(at(line), format!("has {} where a {what} stands", quoted(word)), hint)
}

/// The number and the unit of a word.
fn split(word: &str) -> (&str, &str) {
    let is_digit = |letter: char| letter.is_ascii_digit() || matches!(letter, '.' | 'e' | 'E' | '+' | '-');
    word.split_at(word.find(|letter| !is_digit(letter)).unwrap_or(word.len()))
}

/// A decimal moved by a power of ten, so that nothing is rounded twice.
fn shifted(number: &str, power: i32) -> Option<f64> {
    let (digits, exponent) = number.split_once(['e', 'E']).unwrap_or((number, "0"));
    let exponent = exponent.parse::<i32>().ok()?.checked_add(power)?;
    format!("{digits}e{exponent}").parse().ok().filter(|amount: &f64| amount.is_finite())
}
