//! What keeps something from being done, for whoever asked for it.

use std::fmt;

use qoscope_engine::scenario::Diagnostic;

/// What keeps something from being done.
#[derive(Debug)]
pub enum Error {
    /// A document has faults: all of them.
    Diagnostics(Vec<Diagnostic>),
    /// Anything else, a file or a dataset: a sentence.
    Sentence(String),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Diagnostics(diagnostics) => {
                let lines: Vec<String> = diagnostics.iter().map(ToString::to_string).collect();
                f.write_str(&lines.join("\n"))
            }
            Self::Sentence(sentence) => f.write_str(sentence),
        }
    }
}

impl std::error::Error for Error {}

impl From<Vec<Diagnostic>> for Error {
    fn from(diagnostics: Vec<Diagnostic>) -> Self {
        Self::Diagnostics(diagnostics)
    }
}

impl From<Diagnostic> for Error {
    fn from(diagnostic: Diagnostic) -> Self {
        Self::Diagnostics(vec![diagnostic])
    }
}

impl From<qoscope_store::Error> for Error {
    fn from(error: qoscope_store::Error) -> Self {
        Self::Sentence(error.to_string())
    }
}

/// Diagnostics of a document that is no scenario: those of the whole of it say what it is.
pub fn named(what: &str, mut diagnostics: Vec<Diagnostic>) -> Vec<Diagnostic> {
    for diagnostic in diagnostics.iter_mut().filter(|diagnostic| diagnostic.path.is_empty()) {
        diagnostic.path = what.into();
    }
    diagnostics
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fault_of_the_whole_document_says_what_it_is_of() {
        let of = |path: &str| Diagnostic::new(path, "is not JSON", "Correct the text there.");
        let told: Vec<String> = named("lesson", vec![of(""), of("steps[0]")]).iter().map(ToString::to_string).collect();
        assert_eq!(told[0], "lesson: is not JSON. Correct the text there.");
        assert!(told[1].starts_with("steps[0]: "), "{}", told[1]);
    }
}
