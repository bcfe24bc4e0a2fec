//! What studies are made of, and the cache of results.

use qoscope_campaign as campaign;
use qoscope_engine::scenario::{self, Diagnostic};
use qoscope_study as study;
use wasm_bindgen::prelude::*;

use crate::{text, thrown};

/// What of a scenario can vary, and what can be measured of it, as JSON.
///
/// # Errors
/// Every diagnostic of the scenario.
#[wasm_bindgen]
pub fn suggest(scenario_json: &str) -> Result<String, JsValue> {
    let scenario = scenario::parse(scenario_json).map_err(|diagnostic| thrown(vec![diagnostic]))?;
    study::suggest(&scenario).map(|suggestions| text(&suggestions)).map_err(thrown)
}

/// The hash of what a trace contains.
#[wasm_bindgen(js_name = traceHash)]
pub fn trace_hash(bytes: &[u8]) -> String {
    campaign::trace_hash(bytes).expect("memory can be read")
}

/// What the results of this engine go by.
#[wasm_bindgen(js_name = resultsId)]
pub fn results_id() -> String {
    campaign::RESULTS_ID.into()
}

/// What is kept of a summary, as JSON.
///
/// # Errors
/// That it is not JSON.
#[wasm_bindgen]
pub fn kept(summary_json: &str) -> Result<String, JsValue> {
    read(summary_json).map(|summary| text(&campaign::kept(&summary)))
}

fn read(json: &str) -> Result<serde_json::Value, JsValue> {
    serde_json::from_str(json)
        .map_err(|error| thrown(vec![Diagnostic::new("", error.to_string(), "Give the summary of a run.")]))
}
