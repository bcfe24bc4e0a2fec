//! Studies that are run. Results come as JSON: summaries as the engine prints them.

use std::collections::BTreeMap;

use qoscope_engine::scenario::{self, Diagnostic};
use qoscope_study::{self as study, Ran, Session};
use wasm_bindgen::prelude::*;

use crate::{text, thrown};

/// A study and the results that have come.
#[wasm_bindgen]
pub struct Study(Session);

#[wasm_bindgen]
impl Study {
    /// Of a study's file and the scenario that it is about, its own where none is given, with the hashes of the contents of traces as a JSON object by
    /// name.
    ///
    /// # Errors
    /// Every diagnostic of the study on this scenario.
    #[wasm_bindgen(constructor)]
    pub fn new(study_json: &str, scenario_json: Option<String>, traces_json: &str) -> Result<Study, JsValue> {
        let study = study::Study::read(study_json).map_err(thrown)?;
        let scenario = match (&study.scenario, scenario_json) {
            (_, Some(json)) => scenario::parse(&json).map_err(|diagnostic| thrown(vec![diagnostic]))?,
            (Some(own), None) if own.is_object() => own.clone(),
            _ => {
                let hint = "Give the whole scenario, or open it beside the study.";
                return Err(thrown(vec![Diagnostic::new("scenario", "is not at hand", hint)]));
            }
        };
        let traces: BTreeMap<String, String> = serde_json::from_str(traces_json).unwrap_or_default();
        Session::new(study, &scenario, &traces).map(Self).map_err(thrown)
    }

    /// The study as JSON.
    pub fn document(&self) -> String {
        text(self.0.study())
    }

    /// Runs that are wanted and not known, at most so many, as a JSON list of `{ id, point, seed, key }`.
    pub fn wanted(&mut self, most: u32) -> String {
        text(&self.0.wanted(most as usize))
    }

    /// The scenario that a run simulates.
    pub fn scenario(&self, id: u32) -> Option<String> {
        self.0.document(id)
    }

    /// The scenario at a row of the table under a seed, counted from the first one as 0.
    pub fn at(&mut self, row: u32, seed: u32) -> Option<String> {
        self.0.scenario_at(row as usize, seed)
    }

    /// Takes the summary of a run.
    ///
    /// # Errors
    /// That it is not JSON.
    pub fn put(&mut self, id: u32, summary_json: &str) -> Result<(), JsValue> {
        self.0.put(id, Ran::Summary(&read(summary_json)?));
        Ok(())
    }

    /// Notes that a run failed, and why.
    pub fn failed(&mut self, id: u32, sentence: String) {
        self.0.put(id, Ran::Failed(sentence));
    }

    /// The table as far as results reach, as JSON.
    pub fn table(&mut self) -> String {
        text(&self.0.table())
    }

    /// The points that have changed since the table or its changes were last told, as a JSON list of `[row, point]`; null where the whole table is to be
    /// taken anew.
    pub fn changed(&mut self) -> String {
        text(&self.0.changed())
    }

    /// What it costs, as JSON.
    pub fn cost(&self) -> String {
        text(&self.0.cost())
    }

    /// How far it is, as JSON.
    pub fn progress(&mut self) -> String {
        text(&self.0.progress())
    }

    /// The answer as JSON; none before all that it takes is known.
    pub fn answer(&mut self) -> Option<String> {
        self.0.answer().map(|answer| text(&answer))
    }
}

/// What of a scenario can vary, and what can be measured of it, as JSON.
///
/// # Errors
/// Every diagnostic of the scenario.
#[wasm_bindgen]
pub fn suggest(scenario_json: &str) -> Result<String, JsValue> {
    let scenario = scenario::parse(scenario_json).map_err(|diagnostic| thrown(vec![diagnostic]))?;
    study::suggest(&scenario).map(|suggestions| text(&suggestions)).map_err(thrown)
}

/// The JSON Schema of studies.
#[wasm_bindgen(js_name = studySchema)]
pub fn study_schema() -> String {
    text(study::schema())
}

/// The hash of what a trace contains.
#[wasm_bindgen(js_name = traceHash)]
pub fn trace_hash(bytes: &[u8]) -> String {
    study::trace_hash(bytes).expect("memory can be read")
}

/// What the results of this engine go by.
#[wasm_bindgen(js_name = resultsId)]
pub fn results_id() -> String {
    study::RESULTS_ID.into()
}

/// What is kept of a summary, as JSON.
///
/// # Errors
/// That it is not JSON.
#[wasm_bindgen]
pub fn kept(summary_json: &str) -> Result<String, JsValue> {
    read(summary_json).map(|summary| text(&study::kept(&summary)))
}

fn read(json: &str) -> Result<serde_json::Value, JsValue> {
    serde_json::from_str(json)
        .map_err(|error| thrown(vec![Diagnostic::new("", error.to_string(), "Give the summary of a run.")]))
}
