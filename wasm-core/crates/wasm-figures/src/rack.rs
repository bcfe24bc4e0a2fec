//! What other tools take of a scenario.

use qoscope_engine::scenario;
use qoscope_rack::{Target, export};
use wasm_bindgen::prelude::*;

use crate::{text, thrown};

/// What is said of every target, as a JSON list of `{ id, title, holds, version }` in the order in which they are shown.
#[wasm_bindgen(js_name = exportTargets)]
pub fn export_targets() -> String {
    text(&Target::ALL.map(Target::about))
}

/// What a target takes of a scenario, as JSON.
///
/// # Errors
/// Every diagnostic of the scenario, or why it has nothing for this target.
///
/// # Panics
/// If no target has this id: those of [`export_targets`] are all.
#[wasm_bindgen(js_name = exportTo)]
pub fn export_to(scenario_json: &str, target: &str) -> Result<String, JsValue> {
    let target = Target::from_id(target).expect("a target of the list");
    let scenario = scenario::load(scenario_json).map_err(thrown)?;
    export(&scenario, target).map(|export| text(&export)).map_err(thrown)
}
