//! The check of a lesson: a campaign whose answer says whether the lesson's assertions hold under several seeds.

use std::collections::BTreeMap;
use std::sync::Arc;

use qoscope_campaign::{Campaign, Detail, Outcome as RunOutcome, Progress, RunRequest};
use qoscope_engine::scenario::{self, Diagnostic};
use serde_json::Value;

use super::document::Lesson;
use super::play::{Need, Played};
use super::runs::{Scenarios, with};
use crate::Outcome;
use crate::batches::{Batches, detail_of};
use crate::runs::sentences;

/// A run of the lesson under one seed, with further changes of its scenario.
struct Batch {
    run: String,
    seed: u32,
    set: BTreeMap<String, Value>,
}

/// A lesson that is checked under the seeds from 1 to a number.
pub struct LessonCheck {
    lesson: Lesson,
    seeds: u32,
    documents: BTreeMap<String, Value>,
    detail: Detail,
    batches: Vec<Batch>,
    runs: Batches,
    /// In the order of [`Lesson::needed`], runs before models.
    outcomes: Vec<Option<Outcome>>,
}

impl LessonCheck {
    /// Checks a lesson under `seeds` seeds. The results of models are computed here.
    ///
    /// # Errors
    /// The faults of the lesson and its scenarios.
    pub fn new(lesson: Lesson, seeds: u32, scenarios: Scenarios<'_>) -> Result<Self, Vec<Diagnostic>> {
        let faults = lesson.check_scenarios(scenarios);
        if !faults.is_empty() {
            return Err(faults);
        }
        let fault =
            |path: &str, reason: String| vec![Diagnostic::new(path, reason, "Correct the lesson or its scenario.")];
        let mut documents = BTreeMap::new();
        for name in lesson.scenario_names() {
            documents.insert(name.to_owned(), scenarios(name).map_err(|reason| fault(name, reason))?);
        }
        let (mut batches, mut sizes, mut models) = (Vec::new(), Vec::new(), Vec::new());
        for need in lesson.needed(seeds) {
            match need {
                Need::Run { run, seed, set } => {
                    let set = set.cloned().unwrap_or_default();
                    let documents = lesson.scenarios(run, scenarios, Some(seed), &set);
                    sizes.push(documents.map_err(|reason| fault(&run.name, reason))?.len());
                    batches.push(Batch { run: run.name.clone(), seed, set });
                }
                Need::Model(_) => models.push(Some(need.result(&lesson, scenarios))),
            }
        }
        let outcomes = batches.iter().map(|_| None).chain(models).collect();
        Ok(Self { detail: detail_of(&lesson), runs: Batches::new(sizes), lesson, seeds, documents, batches, outcomes })
    }

    fn documents(&self, Batch { run, seed, set }: &Batch) -> Result<Vec<Value>, String> {
        let run = self.lesson.run(run).ok_or_else(|| format!("there is no run `{run}`"))?;
        let named =
            |name: &str| self.documents.get(name).cloned().ok_or_else(|| format!("there is no scenario `{name}`"));
        self.lesson.scenarios(run, &named, Some(*seed), set)
    }

    fn document(&self, id: u32) -> Option<Value> {
        let (batch, of) = self.runs.place(id)?;
        self.documents(&self.batches[batch]).ok()?.into_iter().nth(of)
    }

    /// The result of a batch with the settings of its scenarios.
    fn result(&self, batch: &Batch, summaries: Vec<Value>) -> Outcome {
        let pairs = summaries.into_iter().zip(self.documents(batch)?);
        let results = pairs.map(|(summary, document)| {
            let scenario = scenario::from_value(document).map_err(|found| sentences(&found))?;
            Ok(with(summary, &scenario))
        });
        let results: Vec<Value> = results.collect::<Result<_, String>>()?;
        let run = self.lesson.run(&batch.run).ok_or("there is no such run")?;
        Ok(Arc::new(run.result(results)))
    }
}

impl Campaign for LessonCheck {
    type Answer = Played;

    fn next(&mut self, max: usize) -> Vec<RunRequest> {
        let ids = self.runs.next(max);
        ids.filter_map(|id| Some(RunRequest::of(id, &self.document(id)?, self.detail))).collect()
    }

    fn scenario(&self, id: u32) -> Option<String> {
        Some(self.document(id)?.to_string())
    }

    fn put(&mut self, id: u32, outcome: RunOutcome<'_>) {
        if let Some((batch, summaries)) = self.runs.put(id, outcome) {
            let result = summaries.and_then(|summaries| self.result(&self.batches[batch], summaries));
            self.outcomes[batch] = Some(result);
        }
    }

    fn progress(&mut self) -> Progress {
        self.runs.progress(false)
    }

    fn answer(&mut self) -> Option<Result<Played, Vec<Diagnostic>>> {
        if !self.runs.is_complete() {
            return None;
        }
        let outcomes: Vec<Outcome> = self.outcomes.iter().cloned().collect::<Option<_>>()?;
        Some(Ok(self.lesson.play(self.seeds, outcomes)))
    }
}
