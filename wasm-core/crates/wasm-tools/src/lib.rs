//! Campaigns, lessons and exports behind a WebAssembly interface: conversions, no logic. The page shows a run without this module. Errors are thrown as JSON lists of diagnostics, `[{ path, reason, hint, severity }]`.

mod campaign;
mod drives;
mod lessons;
mod rack;
mod studies;

use qoscope_engine::scenario::Diagnostic;
use wasm_bindgen::JsValue;

fn text(value: &impl serde::Serialize) -> String {
    serde_json::to_string(value).expect("plain data has a JSON form")
}

fn thrown(diagnostics: Vec<Diagnostic>) -> JsValue {
    JsValue::from_str(&text(&diagnostics))
}
