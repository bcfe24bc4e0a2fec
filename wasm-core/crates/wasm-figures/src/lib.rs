//! Campaigns, lessons and exports behind a WebAssembly interface: conversions, no logic. The page shows a run without this module. Errors are thrown as JSON lists of diagnostics, `[{ path, reason, hint, severity }]`.

mod campaign;
mod drives;
mod lessons;
mod rack;
mod studies;

use qoscope_engine::scenario::Diagnostic;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

/// Quantiles of Student's t distribution for two-sided 95 % intervals, by degrees of freedom from 1 to `freedom_max`.
#[wasm_bindgen(js_name = studentQuantiles)]
pub fn student_quantiles(freedom_max: usize) -> Vec<f64> {
    (1..=freedom_max).map(qoscope_figures::statistics::student).collect()
}

fn text(value: &impl serde::Serialize) -> String {
    serde_json::to_string(value).expect("plain data has a JSON form")
}

fn thrown(diagnostics: Vec<Diagnostic>) -> JsValue {
    JsValue::from_str(&text(&diagnostics))
}
