//! The results that figures need, each made once however many figures look at it.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use serde_json::Value;

use crate::{Figure, Model, Results, Run};

/// The result of a run or a model, or why there is none.
pub type Outcome = Result<Arc<Value>, String>;

/// The seeds under which the runs of a figure are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seeds {
    /// One: that of the scenario's file.
    OfFile,
    /// As many as the figure says, from 1 on.
    All,
}

impl Run {
    /// The seeds under which it is made; none is that of the scenario's file.
    fn under(&self, seeds: Seeds) -> Vec<Option<u32>> {
        match seeds {
            Seeds::OfFile => vec![None],
            Seeds::All => (1..=self.seeds).map(Some).collect(),
        }
    }
}

/// Makes results and keeps them. Several threads may ask at once: whoever comes second waits for the first.
pub struct Outcomes<S> {
    /// Reads the document of a scenario, by its name.
    scenario: S,
    /// By what makes them what they are.
    made: Mutex<BTreeMap<String, Arc<OnceLock<Outcome>>>>,
}

impl<S: Fn(&str) -> Result<Value, String>> Outcomes<S> {
    /// `scenario` reads the document of a scenario, by its name.
    pub const fn new(scenario: S) -> Self {
        Self { scenario, made: Mutex::new(BTreeMap::new()) }
    }

    /// What a run gives under one seed, that of the scenario's file if none is given.
    pub fn of_run(&self, run: &Run, seed: Option<u32>) -> Outcome {
        let key = format!("{} {:?} {:?} {seed:?}", run.scenario, run.set, run.sweep);
        let outcome = Arc::clone(self.made.lock().unwrap_or_else(PoisonError::into_inner).entry(key).or_default());
        let make = || {
            let result = (self.scenario)(&run.scenario).and_then(|scenario| run.result(&scenario, seed));
            result.map(Arc::new).map_err(|reason| format!("{}: {reason}", run.name))
        };
        outcome.get_or_init(make).clone()
    }

    /// What a model gives.
    fn of_model(&self, model: &Model) -> Outcome {
        model.result(model.scenario().map(&self.scenario).transpose()?.as_ref()).map(Arc::new)
    }

    /// What the runs and models of a figure give.
    ///
    /// # Errors
    /// Of the first that gives nothing, why.
    pub fn of(&self, figure: &Figure, seeds: Seeds) -> Result<Results, String> {
        let of_run = |run: &Run| -> Result<Vec<_>, String> {
            run.under(seeds).into_iter().map(|seed| self.of_run(run, seed)).collect()
        };
        let runs = figure.runs.iter().map(|run| Ok((run.name.clone(), of_run(run)?)));
        let models = figure.models.iter().map(|model| Ok((model.name().to_owned(), self.of_model(model)?)));
        Ok(Results { runs: runs.collect::<Result<_, String>>()?, models: models.collect::<Result<_, String>>()? })
    }
}

impl Figure {
    /// The runs that it needs, each with its seed, for who wants to make several at a time.
    pub fn needs(&self, seeds: Seeds) -> Vec<(&Run, Option<u32>)> {
        self.runs.iter().flat_map(|run| run.under(seeds).into_iter().map(move |seed| (run, seed))).collect()
    }
}
