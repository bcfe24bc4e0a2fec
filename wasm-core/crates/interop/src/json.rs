//! What this crate gave out as JSON, read again.

use qoscope_engine::scenario::Diagnostic;
use serde::Deserialize;

/// Reads what was given out: jobs, choices, results of runs.
///
/// # Errors
/// That it is something else.
pub fn read<T: for<'de> Deserialize<'de>>(json: &str) -> Result<T, Vec<Diagnostic>> {
    let hint = "Give it as it was given out.";
    serde_json::from_str(json).map_err(|error| vec![Diagnostic::new("", error.to_string(), hint)])
}
