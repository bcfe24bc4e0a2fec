//! The engine, its planner and studies behind a Python face: conversions, no logic. Documents and answers pass as JSON text, series as Arrow.

use pyo3::prelude::*;

/// The native part of the package `qoscope`.
#[pymodule]
mod _native {
    use super::*;

    /// Version of the engine, and of everything that is built with it.
    #[pyfunction]
    fn version() -> &'static str {
        env!("CARGO_PKG_VERSION")
    }
}
