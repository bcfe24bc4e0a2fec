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
