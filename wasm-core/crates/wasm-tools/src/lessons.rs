//! Lessons that somebody takes. Results come as JSON: summaries as the engine prints them.

use std::collections::BTreeMap;

use qoscope_engine::scenario::{self, Diagnostic};
use qoscope_figures::lessons;
use serde::de::DeserializeOwned;
use wasm_bindgen::prelude::*;

use crate::{text, thrown};

/// A lesson with the scenarios and results that have come.
#[wasm_bindgen]
pub struct Lesson(lessons::Session);

#[wasm_bindgen]
impl Lesson {
    /// Of a lesson's file.
    ///
    /// # Errors
    /// Every diagnostic of the file.
    #[wasm_bindgen(constructor)]
    pub fn new(lesson_json: &str) -> Result<Lesson, JsValue> {
        lessons::Session::new(lesson_json).map(Self).map_err(thrown)
    }

    /// The lesson as JSON, its repetitions written out.
    pub fn document(&self) -> String {
        text(self.0.lesson())
    }

    /// The names of the scenarios that it needs, as a JSON list.
    #[wasm_bindgen(js_name = scenarioNames)]
    pub fn scenario_names(&self) -> String {
        text(&self.0.lesson().scenario_names())
    }

    /// Keeps the scenario of a name.
    ///
    /// # Errors
    /// That it is not JSON.
    pub fn give(&mut self, name: &str, scenario_json: &str) -> Result<(), JsValue> {
        self.0.give(name, scenario::parse(scenario_json).map_err(|diagnostic| thrown(vec![diagnostic]))?);
        Ok(())
    }

    /// What is wrong with the lesson and the scenarios that were given, as a JSON list of diagnostics.
    pub fn check(&self) -> String {
        text(&self.0.check())
    }

    /// The runs and models that every step speaks of, the run on the screen first, as a JSON list of lists.
    pub fn needs(&self) -> String {
        let lesson = self.0.lesson();
        text(&(0..lesson.steps.len()).map(|step| lesson.needs(step)).collect::<Vec<_>>())
    }

    /// The scenarios that a run simulates under a seed, that of the scenario without one, as a JSON list; further changes as a JSON object of
    /// values by path.
    ///
    /// # Errors
    /// What cannot be changed.
    pub fn scenarios(&self, run: &str, seed: Option<u32>, set_json: Option<String>) -> Result<String, JsValue> {
        let further: BTreeMap<_, _> = set_json.map(|json| read(&json)).transpose()?.unwrap_or_default();
        self.0.scenarios(run, seed, &further).map(|scenarios| text(&scenarios)).map_err(refused)
    }

    /// Computes what a model gives, and keeps it.
    ///
    /// # Errors
    /// What is wrong with its scenario.
    pub fn compute(&mut self, model: &str) -> Result<(), JsValue> {
        self.0.compute(model).map_err(refused)
    }

    /// Keeps what scenarios of a run gave, in place of what it gave before: JSON lists of summaries and of their scenarios.
    ///
    /// # Errors
    /// That there is no such run, or what is wrong with a scenario.
    pub fn put(&mut self, run: &str, summaries_json: &str, scenarios_json: &str) -> Result<(), JsValue> {
        self.0.put(run, read(summaries_json)?, read(scenarios_json)?).map_err(refused)
    }

    /// Keeps the result of the student's own settings at a step: a JSON summary and its scenario.
    ///
    /// # Errors
    /// What is wrong with the scenario.
    #[wasm_bindgen(js_name = tryOut)]
    pub fn try_out(&mut self, step: usize, summary_json: &str, scenario_json: &str) -> Result<(), JsValue> {
        self.0.try_out(step, read(summary_json)?, read(scenario_json)?).map_err(refused)
    }

    /// Forgets the result of the student's own settings.
    #[wasm_bindgen(js_name = forgetTry)]
    pub fn forget_try(&mut self) {
        self.0.forget_try();
    }

    /// A step with the numbers of the results that there are, as JSON.
    pub fn told(&self, step: usize) -> String {
        text(&self.0.told(step))
    }

    /// Judges an answer to the question of a step, both as JSON.
    ///
    /// # Errors
    /// That the step asks something else, or what the results lack.
    pub fn judge(&self, step: usize, answer_json: &str) -> Result<String, JsValue> {
        self.0.judge(step, &read(answer_json)?).map(|judgement| text(&judgement)).map_err(refused)
    }
}

/// The seed that a student's name gives.
#[wasm_bindgen(js_name = seedOf)]
pub fn seed_of(name: &str) -> u32 {
    lessons::seed_of(name)
}

fn read<T: DeserializeOwned>(json: &str) -> Result<T, JsValue> {
    serde_json::from_str(json).map_err(|error| refused(error.to_string()))
}

fn refused(reason: String) -> JsValue {
    thrown(vec![Diagnostic::new("", reason, "Correct the lesson or its scenario.")])
}
