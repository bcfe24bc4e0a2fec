//! The engine, its planner and studies behind a Python face: conversions, no logic. Documents and answers pass as JSON text, series as
//! Arrow; `python/src/qoscope/_native.pyi` says what each item is.

mod documents;
mod errors;
mod guarded;
mod rack;
mod simulation;
mod study;
mod table;
mod traces;

use std::ffi::OsString;

use pyo3::prelude::*;

/// The native part of the package `qoscope`.
#[pymodule]
mod _native {
    #[pymodule_export]
    use super::command;
    #[pymodule_export]
    use super::documents::{
        canonical, catalogue, dtm, expanded, explain, file_near, folders_of_scenarios, get_path, hash, migrated,
        network_file, plan, results_id, schema, set_path, study_schema, suggest, validate, version, whole,
        with_network,
    };
    #[pymodule_export]
    use super::rack::{export, export_targets, fit, read_drive, read_fio, report, with_drive, with_fio_jobs};
    #[pymodule_export]
    use super::simulation::Simulation;
    #[pymodule_export]
    use super::study::{Study, make, shorthand};
    #[pymodule_export]
    use super::table::Table;
    #[pymodule_export]
    use super::traces::{Traces, read_trace};
}

/// The command line of the workspace: the exit code.
#[pyfunction]
fn command(py: Python<'_>, arguments: Vec<OsString>) -> u8 {
    py.detach(|| qoscope_cli::run(arguments))
}

/// JSON text.
fn text(value: &impl serde::Serialize) -> String {
    serde_json::to_string(value).expect("plain data has a JSON form")
}
