//! Studies: sweeps, sensitivities and searches.
//!
//! A [`Study`] is read from JSON. A [`Session`] of it says which runs are wanted next, given the results that have come, and what the table and
//! the answer are by then: a pure function of study and results, with no threads and no I/O, so that page, command line and cluster make
//! the same runs and end in the same table, whatever order results come in. The format is described in `docs/studies.md`.

mod answer;
mod base;
mod check;
mod cost;
mod document;
mod factor;
pub mod interval;
mod limits;
mod measure;
mod plan;
mod question;
pub mod search;
pub mod sensitivity;
mod session;
mod suggest;
mod sweep;
mod table;
mod template;

use std::sync::LazyLock;

use qoscope_engine::scenario::{self, Diagnostic};
use serde_json::Value;

pub use document::*;
pub use limits::{MAXIMUM_POINTS, MAXIMUM_RUNS};
pub use plan::*;
pub use session::Session;
pub use suggest::{FieldSuggestion, MeasureSuggestion, SensitivitySuggestion, Suggestions, WordSuggestion, suggest};
pub use table::*;

/// Brings a document one version forward: `UPGRADERS[v - 1]` one of version `v`.
const UPGRADERS: [fn(&mut Value); STUDY_VERSION as usize - 1] = [from_version_1];

/// Version 1 to 2: names begin with `min` and `max`, and paths are those of version 3 of the scenario format.
fn from_version_1(document: &mut Value) {
    fn rename(fields: Option<&mut Value>, before: &str, after: &str) {
        let Some(fields) = fields.and_then(Value::as_object_mut) else { return };
        if let Some(value) = fields.remove(before) {
            fields.insert(after.into(), value);
        }
    }
    let renamed = |path: &mut Value| {
        if let Some(after) = path.as_str().and_then(scenario::renamed_path) {
            *path = after.into();
        }
    };
    rename(document.get_mut("ask"), "mostRuns", "maxRuns");
    rename(document.get_mut("seeds").and_then(|seeds| seeds.get_mut("within")), "mostSeeds", "maxSeeds");
    let renamed_set = |part: &mut Value| {
        let set = part.get_mut("set").and_then(Value::as_object_mut);
        for (path, value) in set.map(std::mem::take).into_iter().flatten() {
            let path = scenario::renamed_path(&path).unwrap_or(path);
            part["set"][path] = value;
        }
    };
    renamed_set(document);
    for factor in document.get_mut("vary").and_then(Value::as_array_mut).into_iter().flatten() {
        factor.get_mut("path").into_iter().for_each(renamed);
        for moved in factor.get_mut("moves").and_then(Value::as_array_mut).into_iter().flatten() {
            moved.get_mut("path").into_iter().for_each(renamed);
        }
        factor.get_mut("alternatives").and_then(Value::as_array_mut).into_iter().flatten().for_each(renamed_set);
    }
    let prefer = document.get_mut("ask").and_then(|ask| ask.get_mut("prefer")).and_then(Value::as_array_mut);
    for preference in prefer.into_iter().flatten() {
        preference.get_mut("of").into_iter().for_each(renamed);
        if let Some(wanted) = preference.get_mut("wanted") {
            match wanted.as_str() {
                Some("least") => *wanted = "min".into(),
                Some("most") => *wanted = "max".into(),
                _ => (),
            }
        }
    }
}

/// The JSON Schema of a study. It is kept as text, as that of scenarios is: the code that makes it is not part of the module of the page.
pub fn schema() -> &'static Value {
    static SCHEMA: LazyLock<Value> =
        LazyLock::new(|| serde_json::from_str(include_str!("schema.json")).expect("a test compares it with the types"));
    &SCHEMA
}

/// The JSON Schema as the types have it.
pub fn schema_of_types() -> Value {
    schemars::schema_for!(Study).to_value()
}

impl Study {
    /// Reads a study from JSON text, of this version of the format or an older one.
    ///
    /// # Errors
    /// Every diagnostic of the document at once; what shows only on its scenario, [`Session::new`] says.
    pub fn read(text: &str) -> Result<Self, Vec<Diagnostic>> {
        let mut document = scenario::parse(text).map_err(|diagnostic| vec![diagnostic])?;
        scenario::whole_numbers(&mut document);
        upgrade(&mut document).map_err(|diagnostic| vec![diagnostic])?;
        let diagnostics = scenario::check_form(schema(), &document);
        if !diagnostics.is_empty() {
            return Err(diagnostics);
        }
        let study: Self = scenario::typed(document).map_err(|diagnostic| vec![diagnostic])?;
        let diagnostics = study.check();
        if diagnostics.is_empty() { Ok(study) } else { Err(diagnostics) }
    }
}

/// Brings a document to the version of this crate. One without a version is left to the check of its form.
fn upgrade(document: &mut Value) -> Result<(), Diagnostic> {
    let Some(version) = document.get("version").and_then(Value::as_u64) else { return Ok(()) };
    if version > u64::from(STUDY_VERSION) {
        let reason = format!("is {version}; studies are read up to version {STUDY_VERSION}");
        return Err(Diagnostic::new("version", reason, "Open the study with a newer QoScope."));
    }
    let older = usize::try_from(version).ok().and_then(|version| UPGRADERS.get(version.checked_sub(1)?..));
    if let Some(upgraders) = older.filter(|upgraders| !upgraders.is_empty()) {
        upgraders.iter().for_each(|upgrader| upgrader(document));
        document["version"] = STUDY_VERSION.into();
    }
    Ok(())
}

#[cfg(test)]
mod tests;
