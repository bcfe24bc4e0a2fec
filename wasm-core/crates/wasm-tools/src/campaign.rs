//! The campaigns of the page. Documents, results and answers are JSON.

use std::collections::BTreeMap;

use qoscope_campaign::{Campaign as _, Outcome};
use qoscope_engine::scenario::{self, Diagnostic};
use qoscope_estimation::{Asked, Drive, Fit, Source};
use qoscope_figures::{Figure, Repeats, Reproduction, Row, RowView, SingleRuns};
use qoscope_study::{Session, Study};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use wasm_bindgen::prelude::*;

use crate::{text, thrown};

/// A set of runs that gives one answer.
#[wasm_bindgen]
pub struct Campaign(Kind);

enum Kind {
    Study(Box<Session>),
    Figure(Box<Reproduction>),
    Fit(Box<Fit>),
    Repeats(Box<Repeats>),
    Runs(Box<SingleRuns>),
}

/// Applies an expression to the campaign, whatever its kind.
macro_rules! each {
    ($kind:expr, $campaign:ident => $expression:expr) => {
        match $kind {
            Kind::Study($campaign) => $expression,
            Kind::Figure($campaign) => $expression,
            Kind::Fit($campaign) => $expression,
            Kind::Repeats($campaign) => $expression,
            Kind::Runs($campaign) => $expression,
        }
    };
}

#[wasm_bindgen]
impl Campaign {
    /// A study on a scenario, its own if none is given, with the hashes of the contents of traces by name.
    ///
    /// # Errors
    /// Every diagnostic of the study on this scenario.
    pub fn study(study_json: &str, scenario_json: Option<String>, traces_json: &str) -> Result<Campaign, JsValue> {
        let study = Study::read(study_json).map_err(thrown)?;
        let scenario = match (&study.scenario, scenario_json) {
            (_, Some(json)) => parse(&json)?,
            (Some(own), None) if own.is_object() => own.clone(),
            _ => {
                let hint = "Give the whole scenario, or open it beside the study.";
                return Err(thrown(vec![Diagnostic::new("scenario", "is not at hand", hint)]));
            }
        };
        let session = Session::new(study, &scenario, &read(traces_json)?).map_err(thrown)?;
        Ok(Self(Kind::Study(Box::new(session))))
    }

    /// A figure with its scenarios by name ([`figure_scenarios`]).
    ///
    /// # Errors
    /// Every diagnostic of the figure or of a scenario.
    pub fn figure(figure_json: &str, scenarios_json: &str) -> Result<Campaign, JsValue> {
        let figure = Figure::read(figure_json).map_err(thrown)?;
        let scenarios: BTreeMap<String, Value> = read(scenarios_json)?;
        let campaign = Reproduction::new(figure, None, &|name| named(&scenarios, name)).map_err(thrown)?;
        Ok(Self(Kind::Figure(Box::new(campaign))))
    }

    /// A fit of the drive of a scenario to jobs and logs as `readFio` and `readFioLog` give them.
    ///
    /// # Errors
    /// Every diagnostic of the scenario, or why the jobs cannot be fitted.
    pub fn fit(base_json: &str, jobs_json: &str, logs_json: &str, choices_json: &str) -> Result<Campaign, JsValue> {
        let base = scenario::load(base_json).map_err(thrown)?;
        let asked: Asked = read(choices_json)?;
        let jobs = asked.placed(read(jobs_json)?);
        let logs: Vec<qoscope_interop::fio::Log> = read(logs_json)?;
        let fit = Fit::with_logs(&base, jobs, &logs, asked.choices()).map_err(thrown)?;
        Ok(Self(Kind::Fit(Box::new(fit))))
    }

    /// A comparison of a list of scenarios under a list of seeds, with the hashes of the contents of traces by name.
    ///
    /// # Errors
    /// Every diagnostic of a scenario.
    pub fn repeats(scenarios_json: &str, seeds_json: &str, traces_json: &str) -> Result<Campaign, JsValue> {
        let campaign = Repeats::new(read(scenarios_json)?, read(seeds_json)?, &read(traces_json)?);
        Ok(Self(Kind::Repeats(Box::new(campaign.map_err(thrown)?))))
    }

    /// Single runs of a list of scenarios; the answer has their summaries in order.
    ///
    /// # Errors
    /// That it is not a list.
    pub fn runs(scenarios_json: &str) -> Result<Campaign, JsValue> {
        Ok(Self(Kind::Runs(Box::new(SingleRuns::new(read(scenarios_json)?)))))
    }

    /// What the campaign is of: for a study `{ document, cost, table }`, for a fit `{ heldOut }` by job, otherwise `{}`.
    pub fn opened(&mut self) -> String {
        match &mut self.0 {
            Kind::Study(study) => {
                json!({ "document": study.study(), "cost": study.cost(), "table": study.table() }).to_string()
            }
            Kind::Fit(fit) => {
                let held_out: Vec<bool> = (0..fit.jobs().len()).map(|job| fit.is_held_out(job)).collect();
                json!({ "heldOut": held_out }).to_string()
            }
            Kind::Figure(_) | Kind::Repeats(_) | Kind::Runs(_) => "{}".into(),
        }
    }

    /// At most `max` runs that are needed and were not requested before, as a list of `{ id, key, detail }`.
    pub fn next(&mut self, max: u32) -> String {
        each!(&mut self.0, campaign => text(&campaign.next(max as usize)))
    }

    /// The scenario of a requested run.
    pub fn scenario(&self, id: u32) -> Option<String> {
        each!(&self.0, campaign => campaign.scenario(id))
    }

    /// Receives the result of a run, with the detail that was requested.
    ///
    /// # Errors
    /// That it is not JSON.
    pub fn put(&mut self, id: u32, result_json: &str) -> Result<(), JsValue> {
        let result: Value = read(result_json)?;
        each!(&mut self.0, campaign => campaign.put(id, Outcome::Summary(&result)));
        Ok(())
    }

    /// Notes that a run failed, and why.
    pub fn failed(&mut self, id: u32, sentence: String) {
        each!(&mut self.0, campaign => campaign.put(id, Outcome::Failed(sentence)));
    }

    /// `{ known, wanted, isLimit, done, doing }`; of a study also `candidates`.
    pub fn progress(&mut self) -> String {
        match &mut self.0 {
            Kind::Study(study) => text(&study.study_progress()),
            other => each!(other, campaign => text(&campaign.progress())),
        }
    }

    /// What changed since it was asked last: of a study `{ table, points }` with the whole table, or points as `[row, point]`; of a figure
    /// `{ rows }`, `null` for a row without an interval; of a comparison the comparison; otherwise `null`.
    ///
    /// # Errors
    /// The quantity that cannot be read from the results of a figure.
    pub fn changed(&mut self) -> Result<String, JsValue> {
        Ok(match &mut self.0 {
            Kind::Study(study) => match study.changed() {
                Some(points) => json!({ "table": null, "points": points }).to_string(),
                None => json!({ "table": study.table(), "points": [] }).to_string(),
            },
            Kind::Figure(figure) => {
                let rows = figure.rows().map_err(|reason| thrown(vec![fault(reason)]))?;
                let rows: Vec<Option<RowView>> = rows.iter().map(|row| row.as_ref().map(Row::view)).collect();
                json!({ "rows": rows }).to_string()
            }
            Kind::Repeats(repeats) => text(&repeats.comparison()),
            Kind::Fit(_) | Kind::Runs(_) => "null".into(),
        })
    }

    /// The answer; `undefined` while results are missing.
    ///
    /// # Errors
    /// Why the campaign ended without an answer.
    pub fn answer(&mut self) -> Result<Option<String>, JsValue> {
        let answer = each!(&mut self.0, campaign => campaign.answer().map(|answer| answer.map(|answer| text(&answer))));
        answer.transpose().map_err(thrown)
    }

    /// Of a study, the scenario at a row of its table under a seed, counted from the first one as 0.
    #[wasm_bindgen(js_name = scenarioAt)]
    pub fn scenario_at(&mut self, row: u32, seed: u32) -> Option<String> {
        let Kind::Study(study) = &mut self.0 else { return None };
        study.scenario_at(row as usize, seed)
    }

    /// Of a fit, the file of its drive under a name, with the files of the jobs as a list of `{ file, hash }`. `undefined` without an answer,
    /// and if the jobs match no drive of the model.
    ///
    /// # Errors
    /// That no drive could be run.
    pub fn drive(&mut self, name: &str, files_json: &str) -> Result<Option<String>, JsValue> {
        let Kind::Fit(fit) = &mut self.0 else { return Ok(None) };
        let files: Vec<Source> = read(files_json)?;
        let outcome = fit.answer().transpose().map_err(thrown)?;
        Ok(outcome.and_then(|outcome| Drive::of(fit, &outcome, name, &files)).map(|drive| text(&drive)))
    }
}

/// The names of the scenarios that a figure needs, as a list.
///
/// # Errors
/// Every diagnostic of the figure.
#[wasm_bindgen(js_name = figureScenarios)]
pub fn figure_scenarios(figure_json: &str) -> Result<String, JsValue> {
    Figure::read(figure_json).map(|figure| text(&figure.scenario_names())).map_err(thrown)
}

fn named(scenarios: &BTreeMap<String, Value>, name: &str) -> Result<Value, String> {
    scenarios.get(name).cloned().ok_or_else(|| format!("there is no scenario `{name}`"))
}

fn parse(json: &str) -> Result<Value, JsValue> {
    scenario::parse(json).map_err(|diagnostic| thrown(vec![diagnostic]))
}

fn fault(reason: String) -> Diagnostic {
    Diagnostic::new("", reason, "Give what the engine has printed.")
}

fn read<T: DeserializeOwned>(json: &str) -> Result<T, JsValue> {
    serde_json::from_str(json).map_err(|error| thrown(vec![fault(error.to_string())]))
}
