//! Figures that are run again. Results come as JSON: summaries as the engine prints them.

use qoscope_engine::scenario::{self, Diagnostic};
use qoscope_figures as figures;
use qoscope_figures::{Figure, Model, Row, RowView};
use serde_json::{Value, json};
use wasm_bindgen::prelude::*;

use crate::{text, thrown};

/// A figure and the results that have come.
#[wasm_bindgen]
pub struct Reproduction(figures::Reproduction);

#[wasm_bindgen]
impl Reproduction {
    /// Of a figure's file.
    ///
    /// # Errors
    /// Every diagnostic of the file.
    #[wasm_bindgen(constructor)]
    pub fn new(figure_json: &str) -> Result<Reproduction, JsValue> {
        Ok(Self(figures::Reproduction::new(Figure::read(figure_json).map_err(thrown)?, None)))
    }

    /// The runs that it needs, as a JSON list of `{ run, title, seeds, scenario }`.
    pub fn needs(&self) -> String {
        text(&self.0.needs())
    }

    /// The models that it needs, as a JSON list of `{ name, scenario }`; `scenario` is null where a model stands for itself.
    pub fn models(&self) -> String {
        let model = |model: &Model| json!({ "name": model.name(), "scenario": model.scenario() });
        text(&self.0.figure().models.iter().map(model).collect::<Vec<_>>())
    }

    /// The scenarios that a run simulates under a seed, as a JSON list, of the document that it names.
    ///
    /// # Errors
    /// Which change of the run makes no sense.
    pub fn scenarios(&self, run: &str, seed: u32, scenario_json: &str) -> Result<String, JsValue> {
        let scenarios = self.0.run(run).and_then(|run| run.scenarios(&read(scenario_json)?, Some(seed)));
        scenarios.map(|scenarios| text(&scenarios)).map_err(refused)
    }

    /// Keeps the summaries of these scenarios, a JSON list.
    ///
    /// # Errors
    /// That the figure does not need them.
    pub fn put(&mut self, run: &str, seed: u32, summaries_json: &str) -> Result<(), JsValue> {
        let summaries = serde_json::from_str(summaries_json).map_err(|error| refused(error.to_string()))?;
        self.0.put(run, seed, summaries).map_err(refused)
    }

    /// Computes what a model gives, of the document that it names.
    ///
    /// # Errors
    /// What is wrong with the document.
    pub fn model(&mut self, name: &str, scenario_json: Option<String>) -> Result<(), JsValue> {
        let scenario = scenario_json.map(|json| read(&json)).transpose().map_err(refused)?;
        self.0.model(name, scenario.as_ref()).map_err(refused)
    }

    /// The rows, as a JSON list: null for one that has no interval yet.
    ///
    /// # Errors
    /// Which quantity cannot be read from the results, and why.
    pub fn rows(&self) -> Result<String, JsValue> {
        let rows = self.0.rows().map_err(refused)?;
        let views: Vec<Option<RowView>> = rows.iter().map(|row| row.as_ref().map(Row::view)).collect();
        Ok(text(&views))
    }

    /// The digest of all results; none before all are there.
    ///
    /// # Errors
    /// Which quantity cannot be read from the results, and why.
    pub fn digest(&self) -> Result<Option<String>, JsValue> {
        self.0.digest().map_err(refused)
    }
}

fn read(json: &str) -> Result<Value, String> {
    scenario::parse(json).map_err(|diagnostic| diagnostic.to_string())
}

fn refused(reason: String) -> JsValue {
    thrown(vec![Diagnostic::new("", reason, "Correct the figure or its scenario.")])
}
