//! What other tools take of a scenario.

use qoscope_engine::scenario::{self, Diagnostic};
use qoscope_interop::{Studied, Target, export, fio};
use serde::de::DeserializeOwned;
use serde_json::Value;
use wasm_bindgen::prelude::*;

use crate::{text, thrown};

/// What is said of every target, as a JSON list of `{ id, title, kind, holds, version }` in the order in which they are shown.
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

/// A scenario with the workloads of a job file of fio in place of its own, as JSON
/// `{ scenario, became: [{ file, line, section, option, value?, path, to, how, why }], remarks }`: the scenario with every default filled in, what
/// became of each line, in the order of the file (`how` is `exactly`, `roughly` or `not-at-all`; `path` and `to` are empty where nothing did), and sentences on
/// what is to be known. `name` is the name of the file.
///
/// # Errors
/// Every diagnostic of the scenario, of the file (`path` is `name, line 7, job "a", bs`), or of what they make together.
#[wasm_bindgen(js_name = fioWorkloads)]
pub fn fio_workloads(text: &str, name: &str, scenario_json: &str) -> Result<String, JsValue> {
    let onto = scenario::load(scenario_json).map_err(thrown)?;
    fio::workloads(text, name, &onto).map(|onto| crate::text(&onto)).map_err(thrown)
}

/// What we recommend, and why, as Markdown: of a scenario, with the summary of a run of it and a list of a study, its table and its answer where they are
/// given, all as JSON.
///
/// # Errors
/// Every diagnostic of the scenario, or that something is not JSON.
#[wasm_bindgen]
pub fn report(
    scenario_json: &str,
    summary_json: Option<String>,
    study_json: Option<String>,
) -> Result<String, JsValue> {
    let scenario = scenario::load(scenario_json).map_err(thrown)?;
    let summary: Option<Value> = summary_json.map(|json| read(&json)).transpose()?;
    let study: Option<[Value; 3]> = study_json.map(|json| read(&json)).transpose()?;
    let studied = study.as_ref().map(|[study, table, answer]| Studied { study, table, answer });
    qoscope_interop::report(&scenario, summary.as_ref(), studied).map_err(thrown)
}

fn read<T: DeserializeOwned>(json: &str) -> Result<T, JsValue> {
    let hint = "Give what the engine has printed.";
    serde_json::from_str(json).map_err(|error| thrown(vec![Diagnostic::new("", error.to_string(), hint)]))
}
