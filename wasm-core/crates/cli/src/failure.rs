//! Why a command came to nothing.

use std::{fmt, io};

use qoscope_engine::scenario::Diagnostic;
use qoscope_host::Error;

/// Why a command came to nothing.
#[derive(Debug)]
pub enum Failure {
    /// The scenario has faults.
    Diagnostics(Vec<Diagnostic>),
    /// The command line or a file it names is wrong: a sentence.
    Input(String),
    /// What was asked does not hold, as the output says.
    Told,
    /// No settings meet the targets, as the output says.
    Unmet,
    /// No settings that meet the targets were found before the runs ended, as the output says.
    NotFound,
    /// The person ended it: a sentence on how to go on.
    Stopped(String),
    /// Results could not be kept: a sentence.
    NotKept(String),
    /// Standard output or a file could not be written.
    Output(io::Error),
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        match error {
            Error::Diagnostics(diagnostics) => Self::Diagnostics(diagnostics),
            Error::Sentence(sentence) => Self::Input(sentence),
        }
    }
}

impl From<Vec<Diagnostic>> for Failure {
    fn from(diagnostics: Vec<Diagnostic>) -> Self {
        Self::Diagnostics(diagnostics)
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self::Output(error)
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Diagnostics(diagnostics) => {
                let lines: Vec<String> = diagnostics.iter().map(ToString::to_string).collect();
                f.write_str(&lines.join("\n"))
            }
            Self::Input(sentence) | Self::Stopped(sentence) | Self::NotKept(sentence) => f.write_str(sentence),
            Self::Told | Self::Unmet | Self::NotFound => Ok(()),
            Self::Output(error) => write!(f, "The result could not be written: {error}."),
        }
    }
}

impl Failure {
    /// Tells the person and gives the exit code.
    pub fn report(&self) -> u8 {
        match self {
            // The reader, `head` for instance, has had enough.
            Self::Output(error) if error.kind() == io::ErrorKind::BrokenPipe => return 0,
            Self::Told | Self::Unmet | Self::NotFound => (),
            _ => eprintln!("{self}"),
        }
        match self {
            Self::Diagnostics(_) | Self::Input(_) => 2,
            Self::Told | Self::NotKept(_) | Self::Output(_) => 1,
            Self::Unmet => 3,
            Self::NotFound => 4,
            // As shells tell that Ctrl+C ended a command.
            Self::Stopped(_) => 130,
        }
    }
}
