//! Why a command came to nothing.

use std::io;
use std::process::ExitCode;

use qoscope_engine::scenario::Diagnostic;

/// Why a command came to nothing.
#[derive(Debug)]
pub enum Failure {
    /// The scenario has faults.
    Diagnostics(Vec<Diagnostic>),
    /// The command line or a file it names is wrong: a sentence.
    Input(String),
    /// What was asked does not hold, as the output says.
    Told,
    /// Standard output or a file could not be written.
    Output(io::Error),
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

impl Failure {
    /// Tells the person and gives the exit code.
    pub fn report(&self) -> ExitCode {
        match self {
            Self::Diagnostics(diagnostics) => {
                diagnostics.iter().for_each(|diagnostic| eprintln!("{diagnostic}"));
                ExitCode::from(2)
            }
            Self::Input(sentence) => {
                eprintln!("{sentence}");
                ExitCode::from(2)
            }
            Self::Told => ExitCode::FAILURE,
            // The reader, `head` for instance, has had enough.
            Self::Output(error) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
            Self::Output(error) => {
                eprintln!("The result could not be written: {error}.");
                ExitCode::FAILURE
            }
        }
    }
}
