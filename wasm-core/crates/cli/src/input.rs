//! Scenarios from files, with what the command line changes in them.

use std::path::Path;

use qoscope_engine::scenario::{self, Diagnostic, Scenario};
use qoscope_host::files::Kind;
use qoscope_host::shorthand::parsed;
use serde_json::Value;

use crate::failure::Failure;

/// What the command line changes in a scenario.
#[derive(Default)]
pub struct Edits<'a> {
    /// Assignments `path=value`, in order.
    pub sets: &'a [String],
    /// The seed.
    pub seed: Option<u64>,
    /// The simulated time, in microseconds.
    pub duration_us: Option<f64>,
}

/// Reads a scenario, changes it and checks it.
pub fn load(file: &Path, edits: &Edits<'_>) -> Result<Scenario, Failure> {
    let (_, text) = Kind::Scenario.open(file)?;
    let mut document = scenario::parse(&text).map_err(|diagnostic| vec![diagnostic])?;
    let mut diagnostics = Vec::new();
    let mut assign =
        |path: &str, value: Value| diagnostics.extend(scenario::set_path(&mut document, path, value).err());
    for text in edits.sets {
        let (path, value) = assignment(text)?;
        assign(path, value);
    }
    if let Some(seed) = edits.seed {
        assign("seed", seed.into());
    }
    if let Some(duration_us) = edits.duration_us {
        assign("durationUs", duration_us.into());
    }
    match scenario::from_value(document) {
        Ok(scenario) if diagnostics.is_empty() => Ok(scenario),
        checked => {
            Err(diagnostics.into_iter().chain(checked.err().into_iter().flatten()).collect::<Vec<Diagnostic>>().into())
        }
    }
}

/// The path and the value of `--set`.
pub fn assignment(text: &str) -> Result<(&str, Value), Failure> {
    let parts = text.split_once('=').map(|(path, value)| (path.trim(), parsed(value.trim())));
    parts.ok_or_else(|| {
        Failure::Input(format!("--set takes PATH=VALUE, as in --set seed=7; {} has no `=`.", scenario::quoted(text)))
    })
}
