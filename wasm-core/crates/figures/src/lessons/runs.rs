//! The scenarios of a lesson's runs, and what they give.

use std::collections::{BTreeMap, BTreeSet};

use qoscope_engine::catalogue;
use qoscope_engine::scenario::{self, Scenario};
use serde_json::{Value, json};

use super::document::{Lesson, LessonRun};
use crate::Model;
use crate::runs::{documents, sentences, summary_of};

/// The document of a scenario by its name, or why there is none.
pub type Scenarios<'a> = &'a dyn Fn(&str) -> Result<Value, String>;

impl LessonRun {
    /// Its result, of the result of each of its scenarios.
    pub fn result(&self, results: Vec<Value>) -> Value {
        if self.sweep.is_some() { Value::Array(results) } else { results.into_iter().next().unwrap_or_default() }
    }
}

impl Lesson {
    /// The run that another one begins from, which stands before it.
    pub(super) fn origin(&self, run: &LessonRun) -> Option<&LessonRun> {
        let earlier = self.runs.iter().take_while(|earlier| earlier.name != run.name);
        run.scenario.as_str().and_then(|name| earlier.into_iter().find(|earlier| earlier.name == name))
    }

    /// The name of the file of the scenario that a run begins from.
    pub(super) fn file_of<'a>(&self, run: &'a LessonRun) -> Option<&'a str> {
        run.scenario.as_str().filter(|_| self.origin(run).is_none())
    }

    /// The scenarios that a run simulates under one seed, that of the scenario if none is given: one, or one for each swept value.
    /// `further` fields are changed after those of the run.
    ///
    /// # Errors
    /// Why there is no scenario, or which field cannot be changed.
    pub fn scenarios(
        &self,
        run: &LessonRun,
        scenarios: Scenarios<'_>,
        seed: Option<u32>,
        further: &BTreeMap<String, Value>,
    ) -> Result<Vec<Value>, String> {
        let changes = run.set.iter().chain(further);
        documents(&self.base(run, scenarios)?, changes, run.sweep.as_ref(), seed)
    }

    /// The scenario that a run changes.
    fn base(&self, run: &LessonRun, scenarios: Scenarios<'_>) -> Result<Value, String> {
        match (self.origin(run), run.scenario.as_str()) {
            (Some(origin), _) => self.changed(origin, scenarios),
            (None, Some(name)) => scenarios(name),
            (None, None) => Ok(run.scenario.clone()),
        }
    }

    /// The scenario of a run with its changes; what it sweeps over is as it was.
    fn changed(&self, run: &LessonRun, scenarios: Scenarios<'_>) -> Result<Value, String> {
        documents(&self.base(run, scenarios)?, &run.set, None, None).map(|mut one| one.remove(0))
    }

    /// The scenario that a model is laid over, if it is: that of a run of the lesson, or of a file.
    ///
    /// # Errors
    /// Why there is none.
    pub fn scenario_of(&self, model: &Model, scenarios: Scenarios<'_>) -> Result<Option<Value>, String> {
        let named = |name| self.run(name).map_or_else(|| scenarios(name), |run| self.changed(run, scenarios));
        model.scenario().map(named).transpose()
    }

    /// The names of the scenarios' files that its runs and models need.
    pub fn scenario_names(&self) -> Vec<&str> {
        let of_models = self.models.iter().filter_map(Model::scenario).filter(|name| self.run(name).is_none());
        let names = self.runs.iter().filter_map(|run| self.file_of(run)).chain(of_models);
        names.collect::<BTreeSet<_>>().into_iter().collect()
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
/// Before a sample of the measured part of the run is complete its rates are divided by almost no time, so the
/// summary is left out and [`measured_from_ms`] returns when it begins.
///
/// # Errors
/// What is wrong with the scenario.
pub fn with_settings(summary: Value, document: Value) -> Result<Value, String> {
    let scenario = scenario::from_value(document).map_err(|found| sentences(&found))?;
    let result = with(summary, &scenario);
    let measurement = |field: &str| result["settings"]["measurement"][field].as_f64().unwrap_or(0.0);
    let warmup_us = measurement("warmupUs");
    let first_sample_us = (warmup_us + measurement("samplePeriodUs")).min(scenario.duration_us);
    Ok(match result["simulatedUs"].as_f64() {
        Some(simulated_us) if simulated_us < first_sample_us => {
            json!({ "settings": result["settings"], MEASURED_FROM_US: warmup_us })
        }
        _ => result,
    })
}

/// End of the warm-up, in a result that ends before the first sample of the measured part is complete.
const MEASURED_FROM_US: &str = "measuredFromUs";

/// End of the warm-up in milliseconds of a result that has no measured values yet; `None` if it has them.
pub(super) fn measured_from_ms(result: &Value) -> Option<f64> {
    Some(result.get(MEASURED_FROM_US)?.as_f64()? / 1000.0)
}

pub(super) fn with(mut summary: Value, scenario: &Scenario) -> Value {
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
