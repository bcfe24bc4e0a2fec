//! What is wrong with a scenario, said so that a person can put it right.

use core::fmt;

use schemars::JsonSchema;
use serde::Serialize;

/// How much a diagnostic matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// The scenario cannot be run.
    Error,
    /// It can be run, but surely something else was meant.
    Warning,
}

/// One diagnostic of a scenario.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Diagnostic {
    /// Where: the path of the field, such as `classes[1].ratio`. Empty: the document as a whole.
    pub path: String,
    /// What is wrong, with the value found. Continues "the field ...", without a full stop.
    pub reason: String,
    /// What to do about it, as a sentence.
    pub hint: String,
    /// Whether the scenario can be run all the same.
    pub severity: Severity,
}

impl Diagnostic {
    /// An error at `path`.
    pub fn new(path: impl Into<String>, reason: impl Into<String>, hint: impl Into<String>) -> Self {
        Self { path: path.into(), reason: reason.into(), hint: hint.into(), severity: Severity::Error }
    }

    /// A warning at `path`.
    pub fn warning(path: impl Into<String>, reason: impl Into<String>, hint: impl Into<String>) -> Self {
        Self { severity: Severity::Warning, ..Self::new(path, reason, hint) }
    }
}

/// Diagnostics that are listed one by one; more of them nobody reads at once.
const MAXIMUM_LISTED: usize = 50;

/// The diagnostics of a document: the first are kept, further ones are counted.
#[derive(Debug, Default)]
pub(super) struct Diagnostics {
    listed: Vec<Diagnostic>,
    further: usize,
}

impl Diagnostics {
    /// Adds one.
    pub(super) fn push(&mut self, diagnostic: Diagnostic) {
        if !self.skip() {
            self.listed.push(diagnostic);
        }
    }

    /// Whether another one would not be listed, in which case it is counted: whoever asks need not write it.
    pub(super) fn skip(&mut self) -> bool {
        let is_full = self.is_full();
        self.further += usize::from(is_full);
        is_full
    }

    /// Whether no further one would be listed.
    pub(super) fn is_full(&self) -> bool {
        self.listed.len() >= MAXIMUM_LISTED
    }

    /// Whether there are none.
    pub(super) fn is_empty(&self) -> bool {
        self.listed.is_empty()
    }

    /// Those that are listed.
    pub(super) fn listed(&self) -> &[Diagnostic] {
        &self.listed
    }

    /// Adds those of `others`.
    pub(super) fn append(&mut self, others: Self) {
        self.extend(others.listed);
        self.further += others.further;
    }

    /// All that is to be shown: those listed, and how many more there are.
    pub(super) fn into_vec(mut self) -> Vec<Diagnostic> {
        if self.further > 0 {
            let reason = format!("has {} more errors", self.further);
            self.listed.push(Diagnostic::new("", reason, "Correct those listed first."));
        }
        self.listed
    }
}

impl Extend<Diagnostic> for Diagnostics {
    fn extend<T: IntoIterator<Item = Diagnostic>>(&mut self, diagnostics: T) {
        diagnostics.into_iter().for_each(|diagnostic| self.push(diagnostic));
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = if self.path.is_empty() { "scenario" } else { &self.path };
        let severity = if self.severity == Severity::Warning { "warning: " } else { "" };
        write!(formatter, "{severity}{path}: {}. {}", self.reason, self.hint)
    }
}

impl core::error::Error for Diagnostic {}

/// Letters of a text that are quoted.
const MAXIMUM_QUOTED: usize = 60;

/// `text` in quotes, as it stands in a reason: shortened, with nothing in it that a terminal obeys.
pub fn quoted(text: &str) -> String {
    format!("\"{}\"", shortened(text))
}

/// As [`quoted`], without the quotes.
pub fn shortened(text: &str) -> String {
    let mut letters = text.chars();
    let mut short = String::new();
    for letter in letters.by_ref().take(MAXIMUM_QUOTED) {
        if letter == '\'' {
            short.push(letter);
        } else {
            short.extend(letter.escape_debug());
        }
    }
    if letters.next().is_some() {
        short.push('…');
    }
    short
}

/// Names that are listed one by one.
const MAXIMUM_NAMES: usize = 20;

/// `a`, `b`, `c`: the first of some names, and how many more there are.
pub fn listed<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    let mut names = names.into_iter();
    let first: Vec<String> = names.by_ref().take(MAXIMUM_NAMES).map(|name| format!("`{}`", shortened(name))).collect();
    match names.count() {
        0 => first.join(", "),
        further => format!("{} and {further} more", first.join(", ")),
    }
}

/// Candidates that are looked at; comparing names takes time.
const MAXIMUM_CANDIDATES: usize = 500;

/// Letters from which on the beginning of a name stands for the name.
const MIN_PREFIX: usize = 3;

/// The candidate that `name` was most likely meant to be: one that begins with it, or else one that is spelt nearly like it.
pub fn closest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    if name.len() > MAXIMUM_QUOTED {
        return None;
    }
    let wanted = name.to_lowercase();
    let length = name.chars().count();
    let ranked = candidates.into_iter().take(MAXIMUM_CANDIDATES).filter_map(|candidate| {
        let known = candidate.to_lowercase();
        let distance = strsim::osa_distance(&wanted, &known);
        let begins = length >= MIN_PREFIX && known.starts_with(&wanted);
        (begins || distance <= (length / 3).max(2)).then_some((!begins, distance, candidate))
    });
    ranked.min().map(|(.., candidate)| candidate)
}

/// `a`, `b` or `c`.
pub(super) fn alternatives<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    let quoted: Vec<String> = names.into_iter().map(|name| format!("`{}`", shortened(name))).collect();
    match quoted.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, others)) => format!("{} or {last}", others.join(", ")),
        None => String::from("nothing"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fault_reads_as_two_sentences() {
        let diagnostic = Diagnostic::new(
            "classes[1].ratio",
            "is -2, below the least value 0.001",
            "Give a number from 0.001 to 1000.",
        );
        assert_eq!(
            diagnostic.to_string(),
            "classes[1].ratio: is -2, below the least value 0.001. Give a number from 0.001 to 1000."
        );
    }

    #[test]
    fn a_quotation_is_short_and_harmless() {
        assert_eq!(quoted("High"), "\"High\"");
        assert_eq!(quoted("it's \"new\"\n\u{1b}[31m\u{202e}"), "\"it's \\\"new\\\"\\n\\u{1b}[31m\\u{202e}\"");
        assert_eq!(quoted(&"é".repeat(61)), format!("\"{}…\"", "é".repeat(60)));
    }

    #[test]
    fn the_first_are_listed_and_the_others_counted() {
        let mut diagnostics = Diagnostics::default();
        diagnostics.extend((0..60).map(|n| Diagnostic::new(format!("a[{n}]"), "is wrong", "Mend it.")));
        let shown = diagnostics.into_vec();
        assert_eq!(shown.len(), MAXIMUM_LISTED + 1);
        assert_eq!(shown.last().map(|last| last.reason.as_str()), Some("has 10 more errors"));
    }

    #[test]
    fn a_misspelling_finds_the_name_that_was_meant() {
        assert_eq!(closest("ratoi", ["name", "ratio", "gain"]), Some("ratio"));
        assert_eq!(closest("LINKGBPS", ["linkGbps", "linkDelayUs"]), Some("linkGbps"));
        assert_eq!(closest("colour", ["name", "ratio", "gain"]), None);
    }

    #[test]
    fn the_beginning_of_a_name_finds_the_name() {
        let known = ["switch.threshold", "switch.ecnThresholdPackets", "switch.redMaximumPackets"];
        assert_eq!(closest("switch.ecnThreshold", known), Some("switch.ecnThresholdPackets"));
        assert_eq!(closest("switch.threshold", known), Some("switch.threshold"));
        assert_eq!(closest("switch.treshold", known), Some("switch.threshold"));
        assert_eq!(closest("ecn", ["ecnThresholdPackets", "len"]), Some("ecnThresholdPackets"));
        assert_eq!(closest("h", ["headroomBytes"]), None);
    }
}
