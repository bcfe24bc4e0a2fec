//! A lesson that somebody takes: what there is of its scenarios and results, as they come.

use std::collections::BTreeMap;
use std::sync::Arc;

use qoscope_engine::scenario::Diagnostic;
use serde_json::Value;

use super::document::{Lesson, LessonRun};
use super::runs::with_settings;
use super::{Answer, Judgement, LessonResults, ToldStep};

/// A lesson with the scenarios and results that have come.
#[derive(Clone, Debug)]
pub struct Session {
    lesson: Lesson,
    documents: BTreeMap<String, Value>,
    results: LessonResults,
    /// Step, and the result of the student's own settings there.
    tried: Option<(usize, Arc<Value>)>,
}

impl Session {
    /// Of a lesson's file.
    ///
    /// # Errors
    /// Every diagnostic of the file.
    pub fn new(json: &str) -> Result<Self, Vec<Diagnostic>> {
        Ok(Self { lesson: Lesson::read(json)?, documents: BTreeMap::new(), results: LessonResults::new(), tried: None })
    }

    /// The lesson, its repetitions written out.
    pub fn lesson(&self) -> &Lesson {
        &self.lesson
    }

    /// The results that there are.
    pub fn results(&self) -> &LessonResults {
        &self.results
    }

    /// Keeps the scenario of a file; [`Lesson::scenario_names`] are wanted.
    pub fn give(&mut self, name: &str, document: Value) {
        self.documents.insert(name.to_owned(), document);
    }

    /// What is wrong with the lesson and the scenarios that have been given.
    pub fn check(&self) -> Vec<Diagnostic> {
        self.lesson.check_scenarios(&|name| self.document(name))
    }

    /// The scenarios that a run simulates under a seed, that of the scenario if none is given, with further changes.
    ///
    /// # Errors
    /// That there is no such run or scenario, or which field cannot be changed.
    pub fn scenarios(
        &self,
        run: &str,
        seed: Option<u32>,
        further: &BTreeMap<String, Value>,
    ) -> Result<Vec<Value>, String> {
        self.lesson.scenarios(self.run(run)?, &|name| self.document(name), seed, further)
    }

    /// Computes what a model gives, and keeps it.
    ///
    /// # Errors
    /// That there is no such model, or what is wrong with its scenario.
    pub fn compute(&mut self, model: &str) -> Result<(), String> {
        let of = self.lesson.model(model).ok_or_else(|| format!("there is no model `{model}`"))?;
        let scenario = self.lesson.scenario_of(of, &|name| self.document(name))?;
        let result = of.result(scenario.as_ref())?;
        self.results.insert(model.to_owned(), Arc::new(result));
        Ok(())
    }

    /// Keeps what scenarios of a run gave, in place of what it gave before.
    ///
    /// # Errors
    /// That there is no such run, or what is wrong with a scenario.
    pub fn put(&mut self, run: &str, summaries: Vec<Value>, scenarios: Vec<Value>) -> Result<(), String> {
        let of = self.run(run)?;
        let pairs = summaries.into_iter().zip(scenarios);
        let results =
            pairs.map(|(summary, scenario)| with_settings(summary, scenario)).collect::<Result<Vec<_>, _>>()?;
        let result = of.result(results);
        self.results.insert(run.to_owned(), Arc::new(result));
        Ok(())
    }

    /// Keeps the result of the student's own settings at a step, in place of the one before.
    ///
    /// # Errors
    /// What is wrong with the scenario.
    pub fn try_out(&mut self, step: usize, summary: Value, scenario: Value) -> Result<(), String> {
        self.tried = Some((step, Arc::new(with_settings(summary, scenario)?)));
        Ok(())
    }

    /// Forgets the result of the student's own settings.
    pub fn forget_try(&mut self) {
        self.tried = None;
    }

    /// A step with the numbers of the results that there are.
    pub fn told(&self, step: usize) -> ToldStep {
        let tried = self.tried.as_ref().filter(|(of, _)| *of == step).map(|(_, result)| result);
        self.lesson.told(step, &self.results, tried)
    }

    /// Judges an answer to the question of a step.
    ///
    /// # Errors
    /// As for [`Lesson::judge`].
    pub fn judge(&self, step: usize, answer: &Answer) -> Result<Judgement, String> {
        self.lesson.judge(step, answer, &self.results)
    }

    fn run(&self, name: &str) -> Result<&LessonRun, String> {
        self.lesson.run(name).ok_or_else(|| format!("there is no run `{name}`"))
    }

    fn document(&self, name: &str) -> Result<Value, String> {
        self.documents.get(name).cloned().ok_or_else(|| format!("there is no scenario `{name}`"))
    }
}
