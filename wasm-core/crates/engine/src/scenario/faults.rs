//! What is wrong with a scenario, said so that a person can put it right.

use core::fmt;

use serde::Serialize;

/// One fault of a scenario.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Fault {
    /// Where: the path of the field, such as `classes[1].ratio`. Empty: the document as a whole.
    pub path: String,
    /// What is wrong, with the value found. Continues "the field ...", without a full stop.
    pub reason: String,
    /// What to do about it, as a sentence.
    pub fix: String,
}

impl Fault {
    /// A fault at `path`.
    pub fn new(path: impl Into<String>, reason: impl Into<String>, fix: impl Into<String>) -> Self {
        Self { path: path.into(), reason: reason.into(), fix: fix.into() }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = if self.path.is_empty() { "scenario" } else { &self.path };
        write!(formatter, "{path}: {}. {}", self.reason, self.fix)
    }
}

impl core::error::Error for Fault {}

/// The candidate that a misspelt `name` was most likely meant to be, if any comes near.
pub(super) fn closest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let wanted = name.to_lowercase();
    candidates
        .into_iter()
        .map(|candidate| (strsim::osa_distance(&wanted, &candidate.to_lowercase()), candidate))
        .filter(|(distance, _)| *distance <= (name.chars().count() / 3).max(2))
        .min()
        .map(|(_, candidate)| candidate)
}

/// `a`, `b` or `c`.
pub(super) fn alternatives<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    let quoted: Vec<String> = names.into_iter().map(|name| format!("`{name}`")).collect();
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
        let fault =
            Fault::new("classes[1].ratio", "is -2, below the least value 0.001", "Give a number from 0.001 to 1000.");
        assert_eq!(
            fault.to_string(),
            "classes[1].ratio: is -2, below the least value 0.001. Give a number from 0.001 to 1000."
        );
    }

    #[test]
    fn a_misspelling_finds_the_name_that_was_meant() {
        assert_eq!(closest("ratoi", ["name", "ratio", "gain"]), Some("ratio"));
        assert_eq!(closest("LINKGBPS", ["linkGbps", "linkDelayUs"]), Some("linkGbps"));
        assert_eq!(closest("colour", ["name", "ratio", "gain"]), None);
    }
}
