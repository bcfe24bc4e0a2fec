//! A figure that is being run again: results come one by one, in any order, and the rows fill in.

use std::collections::BTreeMap;
use std::sync::Arc;

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use crate::{Figure, Results, Row, Run};

/// A run that a figure needs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "FigureNeed")]
pub struct Need {
    /// What expressions call it.
    pub run: String,
    /// What tells it from the others on the screen.
    pub title: String,
    /// How many seeds, from 1 on.
    pub seeds: u32,
    /// Name of the scenario.
    pub scenario: String,
}

/// A figure and the results that have come.
pub struct Reproduction {
    figure: Figure,
    /// Of every run by seed, from 1 on.
    runs: BTreeMap<String, Vec<Option<Arc<Value>>>>,
    models: BTreeMap<String, Arc<Value>>,
}

impl Reproduction {
    /// Of a figure that has no results yet. With `seeds` every run has so many at most.
    pub fn new(mut figure: Figure, seeds: Option<u32>) -> Self {
        figure.runs.iter_mut().for_each(|run| run.seeds = run.seeds.min(seeds.unwrap_or(u32::MAX)));
        let runs = figure.runs.iter().map(|run| (run.name.clone(), vec![None; run.seeds as usize])).collect();
        Self { figure, runs, models: BTreeMap::new() }
    }

    /// The figure.
    pub const fn figure(&self) -> &Figure {
        &self.figure
    }

    /// The runs that it needs.
    pub fn needs(&self) -> Vec<Need> {
        let need = |run: &Run| Need {
            run: run.name.clone(),
            title: run.title.clone().unwrap_or_else(|| run.name.clone()),
            seeds: run.seeds,
            scenario: run.scenario.clone(),
        };
        self.figure.runs.iter().map(need).collect()
    }

    /// A run, by name.
    ///
    /// # Errors
    /// That there is none.
    pub fn run(&self, name: &str) -> Result<&Run, String> {
        self.figure.runs.iter().find(|run| run.name == name).ok_or_else(|| format!("there is no run `{name}`"))
    }

    /// Keeps what the scenarios of a run gave under one seed, their summaries in the order of [`Run::scenarios`].
    ///
    /// # Errors
    /// That the figure does not need them.
    pub fn put(&mut self, name: &str, seed: u32, summaries: Vec<Value>) -> Result<(), String> {
        let run = self.run(name)?;
        let needed = run.sweep.as_ref().map_or(1, |sweep| sweep.values.len());
        if summaries.len() != needed {
            return Err(format!("{} summaries of `{name}`, which has {needed}", summaries.len()));
        }
        let result = Arc::new(run.joined(summaries));
        let place = (seed as usize).checked_sub(1).and_then(|seed| self.runs.get_mut(name)?.get_mut(seed));
        *place.ok_or_else(|| format!("`{name}` does not need seed {seed}"))? = Some(result);
        Ok(())
    }

    /// Computes the result of a model and keeps it. `scenario` is the document that the model names, if it names one.
    ///
    /// # Errors
    /// What is wrong with the scenario; that there is no such model.
    pub fn model(&mut self, name: &str, scenario: Option<&Value>) -> Result<(), String> {
        let model = self.figure.models.iter().find(|model| model.name() == name);
        let result = model.ok_or_else(|| format!("there is no model `{name}`"))?.result(scenario)?;
        self.models.insert(name.into(), Arc::new(result));
        Ok(())
    }

    /// The results so far: of every run those of the first seeds, up to one that is missing.
    pub fn results(&self) -> Results {
        let first = |seeds: &Vec<Option<Arc<Value>>>| seeds.iter().map_while(Option::clone).collect();
        let runs = self.runs.iter().map(|(name, seeds)| (name.clone(), first(seeds)));
        Results { runs: runs.collect(), models: self.models.clone() }
    }

    /// The rows as far as the seeds reach.
    ///
    /// # Errors
    /// Which quantity cannot be read from the results, and why.
    pub fn rows(&self) -> Result<Vec<Option<Row>>, String> {
        self.figure.rows_so_far(&self.results())
    }

    /// Whether everything is there.
    pub fn is_whole(&self) -> bool {
        self.models.len() == self.figure.models.len() && self.runs.values().flatten().all(Option::is_some)
    }

    /// The digest of the results, [`Figure::digest`]; none before all are there.
    ///
    /// # Errors
    /// Which quantity cannot be read from the results, and why.
    pub fn digest(&self) -> Result<Option<String>, String> {
        self.is_whole().then(|| self.figure.digest(&self.results())).transpose()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn reproduction() -> Reproduction {
        let quantity = |label: &str, value: &str| json!({ "label": label, "value": value, "published": { "kind": "range", "low": 0, "high": 20 } });
        let document = json!({
            "id": "paper9-fig1", "title": "A figure", "source": "Paper 9, fig. 1", "section": "paper 9", "claim": "None.",
            "runs": [
                { "name": "one", "scenario": "three-writers", "seeds": 3 },
                { "name": "swept", "title": "loads", "scenario": "three-writers", "seeds": 3, "sweep": { "path": "durationUs", "values": [1, 2] } },
            ],
            "quantities": [
                quantity("one", "one.total"),
                quantity("both", "sum(swept.total) - one.total"),
            ],
        });
        Reproduction::new(Figure::read(&document.to_string()).unwrap(), None)
    }

    fn of(total: u32, digest: &str) -> Value {
        json!({ "total": total, "digest": digest })
    }

    #[test]
    fn rows_fill_in_as_pairs_of_seeds_come() {
        let mut again = reproduction();
        let means = |again: &Reproduction| -> Vec<Option<f64>> {
            again.rows().unwrap().iter().map(|row| row.as_ref().map(|row| row.ours.mean)).collect()
        };
        again.put("one", 1, vec![of(4, "a")]).unwrap();
        again.put("one", 3, vec![of(9, "c")]).unwrap();
        assert_eq!(means(&again), [None, None], "one seed has no interval, and the third waits for the second");
        again.put("one", 2, vec![of(2, "b")]).unwrap();
        assert_eq!(means(&again), [Some(5.0), None]);
        again.put("swept", 1, vec![of(5, "d"), of(5, "e")]).unwrap();
        again.put("swept", 2, vec![of(6, "f"), of(6, "g")]).unwrap();
        assert_eq!(means(&again), [Some(5.0), Some(8.0)], "(10 - 4 + 12 - 2) / 2");
        assert_eq!(again.digest(), Ok(None));
        again.put("swept", 3, vec![of(6, "h"), of(6, "i")]).unwrap();
        let digest = again.digest().unwrap().expect("all are there");
        again.put("swept", 3, vec![of(6, "h"), of(6, "j")]).unwrap();
        assert_ne!(again.digest().unwrap(), Some(digest), "another run, though its numbers are the same");
    }

    #[test]
    fn what_is_not_needed_is_refused() {
        let mut again = reproduction();
        let reasons = [
            again.put("two", 1, vec![of(1, "a")]),
            again.put("one", 0, vec![of(1, "a")]),
            again.put("one", 4, vec![of(1, "a")]),
            again.put("swept", 1, vec![of(1, "a")]),
            again.model("model", None),
        ];
        let expected = [
            "there is no run `two`",
            "`one` does not need seed 0",
            "`one` does not need seed 4",
            "1 summaries of `swept`, which has 2",
            "there is no model `model`",
        ];
        assert_eq!(reasons.map(|reason| reason.unwrap_err()), expected);
    }

    #[test]
    fn fewer_seeds_may_be_asked_for() {
        let needs = Reproduction::new(reproduction().figure, Some(2)).needs();
        let expected = [("one", "one", 2), ("swept", "loads", 2)];
        assert_eq!(needs.iter().map(|need| (&*need.run, &*need.title, need.seeds)).collect::<Vec<_>>(), expected);
    }

    #[test]
    fn a_sweep_has_a_scenario_for_each_value() {
        let again = reproduction();
        let scenario = json!({ "seed": 7, "durationUs": 9 });
        let scenarios = again.run("swept").unwrap().scenarios(&scenario, Some(2));
        assert_eq!(scenarios, Ok(vec![json!({ "seed": 2, "durationUs": 1 }), json!({ "seed": 2, "durationUs": 2 })]));
    }
}
