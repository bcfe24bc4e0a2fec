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

/// Rates: units, and the powers of ten that they are of Gb/s.
const RATES: [(&str, i32); 9] =
    [("", 0), ("gbps", 0), ("gb", 0), ("g", 0), ("mbps", -3), ("mb", -3), ("m", -3), ("kbps", -6), ("bps", -9)];
/// Delays: units, and the powers of ten that they are of microseconds. The sign of micro has two code points.
const DELAYS: [(&str, i32); 8] =
    [("", 0), ("us", 0), ("\u{b5}s", 0), ("\u{3bc}s", 0), ("ps", -6), ("ns", -3), ("ms", 3), ("s", 6)];

/// A rate in Gb/s.
pub(super) fn rate(word: &str, line: usize) -> Result<f64, Diagnostic> {
    amount(word, &RATES).ok_or_else(|| unread(word, line, "rate", "Write one such as 100 or 100Gbps."))
}

/// A delay in microseconds.
pub(super) fn delay(word: &str, line: usize) -> Result<f64, Diagnostic> {
    amount(word, &DELAYS).ok_or_else(|| unread(word, line, "delay", "Write one such as 1 or 1us."))
}

fn unread(word: &str, line: usize, what: &str, hint: &str) -> Diagnostic {
    Diagnostic::new(at(line), format!("has {} where a {what} stands", quoted(word)), hint)
}

/// A number with one of some units, in the unit of the document: the decimal that is written, moved by its power of ten, so that
/// nothing is rounded twice.
fn amount(word: &str, units: &[(&str, i32)]) -> Option<f64> {
    let is_digit = |letter: char| letter.is_ascii_digit() || matches!(letter, '.' | 'e' | 'E' | '+' | '-');
    let (number, unit) = word.split_at(word.find(|letter| !is_digit(letter)).unwrap_or(word.len()));
    let unit = unit.to_lowercase().replace("b/s", "bps");
    let (_, power) = units.iter().find(|(name, _)| *name == unit)?;
    let (digits, exponent) = number.split_once(['e', 'E']).unwrap_or((number, "0"));
    let exponent = exponent.parse::<i32>().ok()?.checked_add(*power)?;
    format!("{digits}e{exponent}").parse().ok().filter(|amount: &f64| amount.is_finite())
}
