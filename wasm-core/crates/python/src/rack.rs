//! What tools measured, and what they take.

use std::path::{Path, PathBuf};

use pyo3::prelude::*;
use qoscope_campaign::Campaign;
use qoscope_engine::scenario;
use qoscope_estimation::{Asked, DEFAULT_NAME, Drive, Fit, usual_base};
use qoscope_host::traces::Shelf;
use qoscope_host::{Coordinator, Error, Measurements, cores, drive, files, measured, measurements, with_jobs};
use qoscope_interop::{Studied, Target, read};
use serde_json::{Value, json};

use crate::errors::of;
use crate::text;

#[pyfunction]
pub fn export_targets() -> String {
    text(&Target::ALL.map(Target::about))
}

#[pyfunction]
pub fn export(py: Python<'_>, scenario: &str, target: &str) -> PyResult<String> {
    let exported = py.detach(|| {
        let target = Target::from_id(target).ok_or_else(|| {
            let known: Vec<&str> = Target::ALL.iter().map(|target| target.about().id).collect();
            Error::Sentence(format!("There is no target {target:?}: known are {}.", known.join(", ")))
        })?;
        Ok(text(&qoscope_interop::export(&scenario::load(scenario)?, target)?))
    });
    exported.map_err(|error| of(py, error))
}

#[pyfunction]
pub fn report(py: Python<'_>, scenario: &str, summary: Option<&str>, study: Option<&str>) -> PyResult<String> {
    let reported = py.detach(|| {
        let scenario = scenario::load(scenario)?;
        let summary: Option<Value> = summary.map(read).transpose()?;
        let study: Option<Value> = study.map(read).transpose()?;
        let studied =
            study.as_ref().map(|of| Studied { study: &of["study"], table: &of["table"], answer: &of["answer"] });
        Ok(qoscope_interop::report(&scenario, summary.as_ref(), studied)?)
    });
    reported.map_err(|error| of(py, error))
}

#[pyfunction]
pub fn read_fio(py: Python<'_>, path: PathBuf) -> PyResult<String> {
    let results = py.detach(|| measured(&path).map(|(results, _)| text(&results)));
    results.map_err(|error| of(py, error))
}

#[pyfunction]
pub fn with_fio_jobs(py: Python<'_>, scenario: &str, paths: Vec<PathBuf>) -> PyResult<String> {
    let onto = py.detach(|| Ok(text(&with_jobs(&paths, &scenario::load(scenario)?)?)));
    onto.map_err(|error| of(py, error))
}

#[pyfunction]
pub fn read_drive(py: Python<'_>, path: PathBuf) -> PyResult<String> {
    let drive = py.detach(|| Ok(text(&Drive::read(&files::read(&path)?)?)));
    drive.map_err(|error| of(py, error))
}

#[pyfunction]
pub fn with_drive(py: Python<'_>, scenario: &str, drive: &str) -> PyResult<String> {
    let made = py.detach(|| {
        let (with_drive, remarks) = Drive::read(drive)?.onto(&scenario::load(scenario)?)?;
        Ok(json!({ "scenario": scenario::as_value(&with_drive), "remarks": remarks }).to_string())
    });
    made.map_err(|error| of(py, error))
}

#[pyfunction]
pub fn fit(
    py: Python<'_>,
    scenario: Option<&str>,
    files: [Vec<PathBuf>; 3],
    name: Option<&str>,
    choices: &str,
) -> PyResult<String> {
    let made = py.detach(|| {
        let base = scenario.map_or_else(|| Ok(usual_base()), scenario::load)?;
        let [results, remote, logs] = &files;
        let Measurements { jobs, logs, sources, remarks } = measurements(results, remote, logs)?;
        // Why there is no job says more than that there is none.
        if jobs.is_empty() && !remarks.is_empty() {
            return Err(remarks.into());
        }
        let fit = Fit::with_logs(&base, jobs, &logs, read::<Asked>(choices)?.choices())?;
        let mut coordinator = Coordinator::new(fit, None, None)?;
        let traces = Shelf::new(Path::new(""), [].into());
        let watch = |_: &mut Coordinator<Fit>| Python::attach(|py| py.check_signals().is_ok());
        if !drive(&mut coordinator, &traces, cores(), watch)? {
            return Ok(None);
        }
        let mut fit = coordinator.into_campaign();
        let outcome = fit.answer().expect("a driver that was not stopped made all runs")?;
        let drive = Drive::of(&fit, &outcome, name.unwrap_or(DEFAULT_NAME), &sources);
        Ok(Some(json!({ "drive": drive, "outcome": outcome, "remarks": remarks }).to_string()))
    });
    made.map_err(|error| of(py, error))?.ok_or_else(|| pyo3::exceptions::PyKeyboardInterrupt::new_err(()))
}
