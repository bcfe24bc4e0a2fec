//! Functions of documents.

use std::path::PathBuf;

use pyo3::prelude::*;
use qoscope_engine::overlay::overlay;
use qoscope_engine::scenario::network_files::{self, Format};
use qoscope_engine::scenario::{self, Diagnostic, Scenario};
use qoscope_engine::{catalogue as fields, planner, simulation};
use qoscope_host::files;
use qoscope_study as study;
use serde_json::Value;

use crate::errors::{invalid, of};
use crate::text;
use crate::traces::Traces;

/// Does something without holding up other threads of Python.
fn apart<T: Send>(py: Python<'_>, act: impl FnOnce() -> Result<T, Vec<Diagnostic>> + Send) -> PyResult<T> {
    py.detach(act).map_err(|diagnostics| invalid(py, &diagnostics))
}

fn parsed(json: &str) -> Result<Value, Vec<Diagnostic>> {
    scenario::parse(json).map_err(|diagnostic| vec![diagnostic])
}

/// What something says of a scenario, as JSON.
fn said<T: serde::Serialize>(
    py: Python<'_>,
    scenario: &str,
    say: impl FnOnce(&Scenario) -> Result<T, Vec<Diagnostic>> + Send,
) -> PyResult<String> {
    apart(py, || scenario::load(scenario).and_then(|scenario| say(&scenario)).map(|said| text(&said)))
}

#[pyfunction]
pub fn version() -> &'static str {
    qoscope_engine::VERSION
}

#[pyfunction]
pub fn results_id() -> &'static str {
    qoscope_campaign::RESULTS_ID
}

#[pyfunction]
pub fn schema() -> String {
    text(scenario::schema())
}

#[pyfunction]
pub fn study_schema() -> String {
    text(study::schema())
}

#[pyfunction]
pub fn catalogue() -> String {
    text(&fields::catalogue())
}

#[pyfunction]
pub fn validate(py: Python<'_>, scenario: &str) -> String {
    py.detach(|| {
        let checked = scenario::load(scenario).and_then(|scenario| {
            simulation::check(&scenario)?;
            Ok(scenario::warnings(&scenario))
        });
        text(&checked.unwrap_or_else(|diagnostics| diagnostics))
    })
}

#[pyfunction]
pub fn migrated(py: Python<'_>, scenario: &str) -> PyResult<String> {
    apart(py, || scenario::migrated(scenario))
}

#[pyfunction]
pub fn expanded(py: Python<'_>, scenario: &str, folder: PathBuf) -> PyResult<String> {
    apart(py, || files::expanded(scenario, &folder).map_err(|diagnostic| vec![diagnostic]))
}

#[pyfunction]
pub fn folders_of_scenarios(folder: PathBuf) -> Vec<PathBuf> {
    files::with_folders_in(&folder)
}

#[pyfunction]
pub fn file_near(folder: PathBuf, name: &str) -> Option<PathBuf> {
    files::file_near(&folder, name).ok()
}

#[pyfunction]
pub fn canonical(py: Python<'_>, scenario: &str) -> PyResult<String> {
    apart(py, || scenario::load(scenario).map(|scenario| scenario::as_text(&scenario)))
}

#[pyfunction]
pub fn set_path(py: Python<'_>, scenario: &str, path: &str, value: &str) -> PyResult<String> {
    apart(py, || {
        let mut document = parsed(scenario)?;
        let value = parsed(value).map_err(|mut found| {
            found.iter_mut().for_each(|diagnostic| path.clone_into(&mut diagnostic.path));
            found
        })?;
        scenario::set_path(&mut document, path, value).map_err(|diagnostic| vec![diagnostic])?;
        Ok(document.to_string())
    })
}

#[pyfunction]
pub fn get_path(py: Python<'_>, scenario: &str, path: &str) -> PyResult<Option<String>> {
    apart(py, || {
        let whole = scenario::as_value(&scenario::load(scenario)?);
        Ok(scenario::get_path(&whole, path).map(Value::to_string))
    })
}

#[pyfunction]
pub fn hash(py: Python<'_>, scenario: &str) -> PyResult<String> {
    apart(py, || scenario::load(scenario).map(|scenario| scenario::hash(&scenario)))
}

#[pyfunction]
pub fn explain(py: Python<'_>, scenario: &str) -> PyResult<String> {
    said(py, scenario, fields::explain)
}

#[pyfunction]
pub fn dtm(py: Python<'_>, scenario: &str) -> PyResult<String> {
    said(py, scenario, overlay)
}

#[pyfunction]
pub fn plan(py: Python<'_>, scenario: &str, traces: &Traces) -> PyResult<String> {
    let planned = py.detach(|| {
        let scenario = scenario::load(scenario)?;
        let traces = traces.0.of(&scenario)?;
        Ok(text(&planner::plan(&scenario, &traces)?))
    });
    planned.map_err(|error| of(py, error))
}

#[pyfunction]
pub fn suggest(py: Python<'_>, scenario: &str) -> PyResult<String> {
    apart(py, || study::suggest(&parsed(scenario)?).map(|suggestions| text(&suggestions)))
}

#[pyfunction]
pub fn with_network(py: Python<'_>, scenario: &str, file: &str) -> PyResult<String> {
    apart(py, || network_files::with_network(scenario, &network_files::read(file)?))
}

#[pyfunction]
pub fn network_file(py: Python<'_>, scenario: &str, format: &str) -> PyResult<String> {
    apart(py, || {
        let format = Format::from_id(format).ok_or_else(|| {
            vec![Diagnostic::new("", format!("cannot be written as {format:?}"), "Choose another format.")]
        })?;
        scenario::load(scenario).map(|scenario| network_files::write(&scenario, format))
    })
}

#[pyfunction]
pub fn whole(py: Python<'_>, scenario: &str) -> PyResult<String> {
    said(py, scenario, |scenario| Ok(scenario::as_value(scenario)))
}
