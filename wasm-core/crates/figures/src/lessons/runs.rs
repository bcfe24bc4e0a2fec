//! The scenarios of a lesson's runs, and what they give.

use std::collections::BTreeMap;

use qoscope_engine::catalogue;
use qoscope_engine::scenario::{self, Scenario};
use serde_json::Value;

use super::document::{Lesson, LessonRun};
use crate::runs::{documents, sentences, summary_of};

/// The document of a scenario by its name, or why there is none.
pub type Scenarios<'a> = &'a dyn Fn(&str) -> Result<Value, String>;

impl LessonRun {
    /// The scenario's name, where it is not written out.
    pub fn scenario_name(&self) -> Option<&str> {
        self.scenario.as_str()
    }

    /// The scenarios that it simulates under one seed, that of the scenario if none is given: one, or one for each swept value.
    /// `further` fields are changed after those of the run.
    ///
    /// # Errors
    /// Why there is no scenario, or which field cannot be changed.
    pub fn scenarios(
        &self,
        scenarios: Scenarios<'_>,
        seed: Option<u32>,
        further: &BTreeMap<String, Value>,
    ) -> Result<Vec<Value>, String> {
        let scenario = self.scenario_name().map(scenarios).transpose()?;
        let changes = self.set.iter().chain(further);
        documents(scenario.as_ref().unwrap_or(&self.scenario), changes, self.sweep.as_ref(), seed)
    }

    /// Its result, of the result of each of its scenarios.
    pub fn result(&self, results: Vec<Value>) -> Value {
        if self.sweep.is_some() { Value::Array(results) } else { results.into_iter().next().unwrap_or_default() }
    }
}

impl Lesson {
    /// The names of the scenarios that its runs and models need.
    pub fn scenario_names(&self) -> Vec<&str> {
        let of_models = self.models.iter().filter_map(crate::Model::scenario);
        let mut names: Vec<&str> = self.runs.iter().filter_map(LessonRun::scenario_name).chain(of_models).collect();
        names.sort_unstable();
        names.dedup();
        names
    }
}

/// Simulates a scenario: its summary, with the scenario in force as `settings`.
///
/// # Errors
/// What is wrong with the scenario.
pub(super) fn simulated(document: Value) -> Result<Value, String> {
    let scenario = scenario::from_value(document).map_err(|found| sentences(&found))?;
    let summary = summary_of(&scenario)?;
    Ok(with(summary, &scenario))
}

/// The summary of a run of a scenario, with the scenario in force as `settings`: defaults, and what follows from other fields, are
/// written out.
///
/// # Errors
/// What is wrong with the scenario.
pub fn with_settings(summary: Value, document: Value) -> Result<Value, String> {
    let scenario = scenario::from_value(document).map_err(|found| sentences(&found))?;
    Ok(with(summary, &scenario))
}

fn with(mut summary: Value, scenario: &Scenario) -> Value {
    let mut settings = scenario::as_value(scenario);
    for field in catalogue::explain(scenario).map(|explanation| explanation.fields).unwrap_or_default() {
        // A value that is one of several is none of the scenario.
        if !field.varies && !field.value.is_null() {
            let _part_of_another_kind = scenario::set_path(&mut settings, &field.path, field.value);
        }
    }
    summary["settings"] = settings;
    summary
}
