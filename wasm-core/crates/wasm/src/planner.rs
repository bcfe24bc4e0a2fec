//! The planner of capacities. Times are microseconds, rates requests a second.

use qoscope_engine::planner;
use qoscope_engine::planner::bursts::LadderTerms;
use qoscope_engine::planner::jobs::{Job, Question};
use qoscope_engine::scenario::{self, Diagnostic};
use serde::de::DeserializeOwned;
use wasm_bindgen::prelude::*;

use crate::traces::TraceShelf;
use crate::{text, thrown};

/// A planner.
#[wasm_bindgen]
#[derive(Default)]
pub struct Planner(Option<planner::Planner>);

#[wasm_bindgen]
impl Planner {
    /// A planner without a scenario.
    #[wasm_bindgen(constructor)]
    pub fn new() -> Planner {
        Self::default()
    }

    /// Plans for a scenario that may replay some traces. Returns whether its tenants have other requests than those of the one before.
    ///
    /// # Errors
    /// Every diagnostic of the scenario, and why it cannot be planned for; what was planned before stays.
    pub fn set(&mut self, scenario_json: &str, shelf: &TraceShelf) -> Result<bool, JsValue> {
        let scenario = scenario::load(scenario_json).map_err(thrown)?;
        match &mut self.0 {
            Some(planner) => planner.set(scenario, &shelf.0).map_err(thrown),
            None => {
                self.0 = Some(planner::Planner::new(scenario, shelf.0.clone()).map_err(thrown)?);
                Ok(true)
            }
        }
    }

    /// By tenant: name, requests, mean rate and when the last comes, as JSON.
    pub fn facts(&self) -> String {
        text(&self.0.as_ref().map(planner::Planner::facts).unwrap_or_default())
    }

    /// What the contracts need, as JSON; null without a scenario.
    pub fn needs(&self) -> String {
        text(&self.0.as_ref().map(planner::Planner::needs))
    }

    /// What a tenant does under a ladder between two instants, as JSON; null where that has too many steps.
    pub fn ladder(&self, terms_json: &str, tenant: usize, from_us: f64, to_us: f64) -> Result<String, JsValue> {
        let terms: LadderTerms = read(terms_json)?;
        let steps = self.0.as_ref().and_then(|planner| planner.ladder(&terms, tenant, from_us, to_us));
        Ok(text(&steps))
    }

    /// Begins to answer a question, `{ kind, tenant, .. }` or `{ kind, scheduler }`, about the scenario as it is now; nothing
    /// where there is nothing to be answered.
    pub fn begin(&self, question_json: &str) -> Result<Option<Answer>, JsValue> {
        let question: Question = read(question_json)?;
        Ok(self.0.as_ref().and_then(|planner| planner.begin(&question)).map(Answer))
    }
}

/// A question that is being answered.
#[wasm_bindgen]
pub struct Answer(Job);

#[wasm_bindgen]
impl Answer {
    /// Goes on until it has looked at about so many requests more. Returns whether the question is answered.
    pub fn advance(&mut self, budget: f64) -> bool {
        self.0.advance(budget as u64)
    }

    /// How far it is, from 0 to 1.
    pub fn progress(&self) -> f64 {
        self.0.progress()
    }

    /// What was found, as JSON; null before it is.
    pub fn findings(&self) -> String {
        text(&self.0.findings())
    }
}

/// Open loops in place of the workloads of a scenario that follow the answers of the server, at the rates that its classes carry, as
/// JSON: `{ standIns, scenario }`, the scenario being text. Null where nothing can stand in.
///
/// # Errors
/// Every diagnostic of the scenario.
#[wasm_bindgen(js_name = standIns)]
pub fn stand_ins(scenario_json: &str, carried_gbps: &[f64]) -> Result<String, JsValue> {
    let scenario = scenario::load(scenario_json).map_err(thrown)?;
    Ok(text(&planner::StandIns::of(&scenario, carried_gbps)))
}

fn read<T: DeserializeOwned>(json: &str) -> Result<T, JsValue> {
    serde_json::from_str(json).map_err(|error| {
        thrown(vec![Diagnostic::new("", format!("is no question for the planner: {error}"), "Ask another one.")])
    })
}
