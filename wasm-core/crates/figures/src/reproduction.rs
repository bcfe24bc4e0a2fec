//! A figure that is being run: a campaign whose rows fill in as results arrive.

use std::collections::BTreeMap;
use std::sync::Arc;

use qoscope_campaign::{Campaign, Detail, Outcome, Progress, RunRequest};
use qoscope_engine::scenario::{self, Diagnostic};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use crate::batches::{Batches, detail_of};
use crate::lessons::Scenarios;
use crate::{Figure, Model, Results, Row, RowView};

/// The answer of a figure.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct FigureAnswer {
    /// Id of the figure.
    pub id: String,
    /// Its rows, those of a case together.
    pub rows: Vec<RowView>,
    /// Events of all runs.
    pub events: u64,
    /// Digest of all results, [`Figure::digest`].
    pub digest: String,
}

/// A run of the figure under one seed.
#[derive(Clone, Copy)]
struct Batch {
    /// Index of the run in the figure.
    run: usize,
    seed: u32,
}

/// A figure and the results that have arrived.
pub struct Reproduction {
    figure: Figure,
    /// The scenarios of its runs and models, by name.
    documents: BTreeMap<String, Value>,
    detail: Detail,
    batches: Vec<Batch>,
    runs: Batches,
    /// Of every run by seed, from 1 on.
    results: BTreeMap<String, Vec<Option<Arc<Value>>>>,
    models: BTreeMap<String, Arc<Value>>,
    /// The reason of the first run that failed.
    failure: Option<Diagnostic>,
}

impl Figure {
    /// Names of the scenarios that its runs and models need.
    pub fn scenario_names(&self) -> Vec<&str> {
        let runs = self.runs.iter().map(|run| run.scenario.as_str());
        let mut names: Vec<&str> = runs.chain(self.models.iter().filter_map(Model::scenario)).collect();
        names.sort_unstable();
        names.dedup();
        names
    }
}

impl Reproduction {
    /// Of a figure without results. `seeds` limits the number of seeds of each run. The results of models are computed here.
    ///
    /// # Errors
    /// The faults of a scenario, or of what the figure changes in it.
    pub fn new(mut figure: Figure, seeds: Option<u32>, scenarios: Scenarios<'_>) -> Result<Self, Vec<Diagnostic>> {
        figure.runs.iter_mut().for_each(|run| run.seeds = run.seeds.min(seeds.unwrap_or(u32::MAX)));
        let mut documents = BTreeMap::new();
        for name in figure.scenario_names() {
            documents.insert(name.to_owned(), scenarios(name).map_err(|reason| vec![fault(name, reason)])?);
        }
        let mut sizes = Vec::new();
        for run in &figure.runs {
            let scenarios = run.scenarios(&documents[&run.scenario], Some(1));
            let scenarios = scenarios.map_err(|reason| vec![fault(&run.name, reason)])?;
            sizes.push(scenarios.len());
            scenarios.into_iter().try_for_each(|scenario| scenario::from_value(scenario).map(drop))?;
        }
        let mut batches = Vec::new();
        // The first seeds of all runs come first, so that rows fill in early.
        for seed in 1..=figure.runs.iter().map(|run| run.seeds).max().unwrap_or_default() {
            for (index, _) in figure.runs.iter().enumerate().filter(|(_, run)| seed <= run.seeds) {
                batches.push(Batch { run: index, seed });
            }
        }
        let mut models = BTreeMap::new();
        for model in &figure.models {
            let result = model.result(model.scenario().map(|name| &documents[name]));
            let result = result.map_err(|reason| vec![fault(model.name(), reason)])?;
            models.insert(model.name().to_owned(), Arc::new(result));
        }
        Ok(Self {
            detail: detail_of(&figure),
            runs: Batches::new(batches.iter().map(|batch: &Batch| sizes[batch.run])),
            results: figure.runs.iter().map(|run| (run.name.clone(), vec![None; run.seeds as usize])).collect(),
            figure,
            documents,
            batches,
            models,
            failure: None,
        })
    }

    /// The figure.
    pub const fn figure(&self) -> &Figure {
        &self.figure
    }

    /// The results so far: of every run those of the first seeds, up to one that is missing.
    pub fn results(&self) -> Results {
        let first = |seeds: &Vec<Option<Arc<Value>>>| seeds.iter().map_while(Option::clone).collect();
        let runs = self.results.iter().map(|(name, seeds)| (name.clone(), first(seeds)));
        Results { runs: runs.collect(), models: self.models.clone() }
    }

    /// The rows as far as the seeds reach.
    ///
    /// # Errors
    /// The quantity that cannot be read from the results, and why.
    pub fn rows(&self) -> Result<Vec<Option<Row>>, String> {
        self.figure.rows_so_far(&self.results())
    }

    fn document(&self, id: u32) -> Option<Value> {
        let (batch, of) = self.runs.place(id)?;
        let Batch { run, seed } = self.batches[batch];
        let run = &self.figure.runs[run];
        run.scenarios(self.documents.get(&run.scenario)?, Some(seed)).ok()?.into_iter().nth(of)
    }

    fn whole(&self) -> Result<FigureAnswer, String> {
        let results = self.results();
        Ok(FigureAnswer {
            id: self.figure.id.clone(),
            rows: self.figure.rows(&results)?.iter().map(Row::view).collect(),
            events: Figure::events(&results),
            digest: self.figure.digest(&results)?,
        })
    }
}

fn fault(path: &str, reason: String) -> Diagnostic {
    Diagnostic::new(path, reason, "Correct the figure or its scenario.")
}

impl Campaign for Reproduction {
    type Answer = FigureAnswer;

    fn next(&mut self, max: usize) -> Vec<RunRequest> {
        if self.failure.is_some() {
            return Vec::new();
        }
        let ids = self.runs.next(max);
        ids.filter_map(|id| Some(RunRequest::of(id, &self.document(id)?, self.detail))).collect()
    }

    fn scenario(&self, id: u32) -> Option<String> {
        Some(self.document(id)?.to_string())
    }

    fn put(&mut self, id: u32, outcome: Outcome<'_>) {
        let Some((batch, summaries)) = self.runs.put(id, outcome) else { return };
        let Batch { run, seed } = self.batches[batch];
        let run = &self.figure.runs[run];
        match summaries {
            Ok(summaries) => {
                let seeds = self.results.get_mut(&run.name);
                if let Some(result) = seeds.and_then(|seeds| seeds.get_mut(seed as usize - 1)) {
                    *result = Some(Arc::new(run.joined(summaries)));
                }
            }
            Err(reason) => {
                self.failure.get_or_insert(fault(&run.name, reason));
            }
        }
    }

    fn progress(&mut self) -> Progress {
        self.runs.progress(self.failure.is_some())
    }

    fn answer(&mut self) -> Option<Result<FigureAnswer, Vec<Diagnostic>>> {
        if let Some(failure) = &self.failure {
            return Some(Err(vec![failure.clone()]));
        }
        self.runs.is_complete().then(|| self.whole().map_err(|reason| vec![fault(&self.figure.id, reason)]))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn reproduction(seeds: Option<u32>) -> Reproduction {
        let quantity = |label: &str, value: &str| json!({ "label": label, "value": value, "published": { "kind": "range", "low": 0, "high": 20 } });
        let document = json!({
            "id": "paper9-fig1", "title": "A figure", "source": "Paper 9, fig. 1", "section": "paper 9", "claim": "None.",
            "runs": [
                { "name": "one", "scenario": "three-writers", "seeds": 3 },
                { "name": "swept", "title": "loads", "scenario": "three-writers", "seeds": 3, "sweep": { "path": "durationUs", "values": [1000, 2000] } },
            ],
            "quantities": [
                quantity("one", "one.total"),
                quantity("both", "sum(swept.total) - one.total"),
            ],
        });
        let scenarios = |name: &str| Ok(qoscope_committed::document(name));
        Reproduction::new(Figure::read(&document.to_string()).unwrap(), seeds, &scenarios).unwrap()
    }

    /// Puts the result of a run that is named by its seed and its duration, `None` for the duration of the scenario.
    fn put(campaign: &mut Reproduction, requests: &[RunRequest], seed: u64, duration_us: Option<u64>, summary: Value) {
        let is_it = |request: &&RunRequest| {
            let scenario: Value = serde_json::from_str(&campaign.scenario(request.id).unwrap()).unwrap();
            let swept = scenario["durationUs"].as_u64().filter(|duration| [1000, 2000].contains(duration));
            scenario["seed"] == seed && swept == duration_us
        };
        let id = requests.iter().find(is_it).unwrap().id;
        campaign.put(id, Outcome::Summary(&summary));
    }

    fn of(total: u32, digest: &str) -> Value {
        json!({ "total": total, "digest": digest })
    }

    #[test]
    fn rows_fill_in_as_pairs_of_seeds_arrive() {
        let mut campaign = reproduction(None);
        let requests = campaign.next(usize::MAX);
        assert_eq!((requests.len(), campaign.next(1)), (9, Vec::new()));
        let means = |campaign: &Reproduction| -> Vec<Option<f64>> {
            campaign.rows().unwrap().iter().map(|row| row.as_ref().map(|row| row.ours.mean)).collect()
        };
        let put = |campaign: &mut Reproduction, seed, duration, total, digest| {
            super::tests::put(campaign, &requests, seed, duration, of(total, digest));
        };
        put(&mut campaign, 1, None, 4, "a");
        put(&mut campaign, 3, None, 9, "c");
        assert_eq!(means(&campaign), [None, None], "one seed has no interval, and the third needs the second");
        put(&mut campaign, 2, None, 2, "b");
        assert_eq!(means(&campaign), [Some(5.0), None]);
        put(&mut campaign, 1, Some(1000), 5, "d");
        put(&mut campaign, 1, Some(2000), 5, "e");
        put(&mut campaign, 2, Some(1000), 6, "f");
        put(&mut campaign, 2, Some(2000), 6, "g");
        assert_eq!(means(&campaign), [Some(5.0), Some(8.0)], "(10 - 4 + 12 - 2) / 2");
        put(&mut campaign, 3, Some(1000), 6, "h");
        assert_eq!((campaign.answer(), campaign.progress().known), (None, 8));
        put(&mut campaign, 3, Some(2000), 6, "i");
        let answer = campaign.answer().unwrap().unwrap();
        put(&mut campaign, 3, Some(2000), 7, "j");
        assert_eq!(campaign.answer().unwrap().unwrap(), answer, "a second result is ignored");
        assert!(campaign.progress().done && answer.rows.len() == 2);
    }

    #[test]
    fn failed_run_ends_the_figure_with_its_reason() {
        let mut campaign = reproduction(Some(2));
        let requests = campaign.next(4);
        assert_eq!(campaign.progress().wanted, 6, "two seeds of one run and of two");
        let id = requests[0].id;
        campaign.put(id, Outcome::Failed("It ran out of memory.".into()));
        let failure = campaign.answer().unwrap().unwrap_err();
        assert_eq!((failure[0].path.as_str(), failure[0].reason.as_str()), ("one", "It ran out of memory."));
        assert!(campaign.next(9).is_empty() && campaign.progress().done);
    }

    #[test]
    fn missing_or_invalid_scenario_is_reported_by_name() {
        let figure = reproduction(None).figure;
        let missing = |name: &str| Err(format!("there is no scenario `{name}`"));
        let faults = Reproduction::new(figure.clone(), None, &missing).err().unwrap();
        assert_eq!(faults[0].path, "three-writers");
        let invalid = |name: &str| {
            let mut document = qoscope_committed::document(name);
            document["classes"] = json!([]);
            Ok(document)
        };
        let faults = Reproduction::new(figure, None, &invalid).err().unwrap();
        assert!(faults[0].path.starts_with("classes"), "{faults:?}");
    }
}
