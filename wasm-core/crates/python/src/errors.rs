//! What is raised.

use pyo3::prelude::*;
use qoscope_engine::scenario::Diagnostic;
use qoscope_host::Error;

use crate::text;

/// What is refused, with every diagnostic: `qoscope.InvalidError`.
pub fn invalid(py: Python<'_>, diagnostics: &[Diagnostic]) -> PyErr {
    raised(py, "InvalidError", "_from_json", text(&diagnostics))
}

/// What cannot be done, in a sentence: `qoscope.QoScopeError`.
pub fn failed(py: Python<'_>, sentence: String) -> PyErr {
    raised(py, "QoScopeError", "_from_sentence", sentence)
}

/// Either of the two.
pub fn of(py: Python<'_>, error: Error) -> PyErr {
    match error {
        Error::Diagnostics(diagnostics) => invalid(py, &diagnostics),
        Error::Sentence(sentence) => failed(py, sentence),
    }
}

fn raised(py: Python<'_>, class: &str, of: &str, argument: String) -> PyErr {
    let made = py
        .import("qoscope._errors")
        .and_then(|module| module.getattr(class))
        .and_then(|class| class.call_method1(of, (argument,)));
    made.map_or_else(|error| error, PyErr::from_value)
}
