//! Campaigns: sets of runs that give one answer.
//!
//! Studies, figures, lesson checks, drive fits and comparisons over several seeds implement [`Campaign`]. A campaign requests runs, receives
//! their results in any order, and requests further runs until it has its answer. It starts no thread and simulates nothing, so that the
//! command line, the page, Python and a cluster make the same runs and reach the same answer. Drivers make the runs: `qoscope_host::drive`
//! on threads, `CampaignRunner` in the page.

mod key;

use std::collections::BTreeMap;

use qoscope_engine::scenario::{self, Diagnostic};
use qoscope_engine::simulation::Simulation;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

pub use key::{Keys, RESULTS_ID, keeps_flows, kept, trace_hash};

/// A run that a campaign needs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct RunRequest {
    /// Identifies the run in its campaign.
    pub id: u32,
    /// Identifies the result in every cache: 32 hexadecimal digits.
    pub key: String,
    /// The part of the result that the campaign reads.
    pub detail: Detail,
}

impl RunRequest {
    /// Of a scenario without traces.
    pub fn of(id: u32, document: &Value, detail: Detail) -> Self {
        let scenario = scenario::from_value(document.clone());
        let key = scenario.map(|scenario| Keys::new(&scenario, &BTreeMap::new()).of(scenario.seed, detail));
        // The run of an invalid scenario fails with the faults of its document; it is not kept.
        Self { id, key: key.unwrap_or_else(|_| key::of_text(&document.to_string())), detail }
    }
}

/// The part of the result of a run that a campaign reads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Detail {
    /// The summary, without the connections of scenarios that have many ([`kept`]).
    #[default]
    Kept,
    /// The whole summary.
    Flows,
    /// The whole summary, and as `tails` the latency distributions of the classes
    /// ([`Simulation::operation_tails`]).
    Tails,
}

impl Detail {
    /// The result of a finished run, as JSON.
    ///
    /// # Panics
    /// Never: summaries and tails are plain data.
    pub fn result(self, simulation: &Simulation) -> Value {
        const PLAIN: &str = "plain data has a JSON form";
        let mut summary = serde_json::to_value(simulation.summary()).expect(PLAIN);
        match self {
            Self::Kept => summary = kept(&summary),
            Self::Flows => (),
            Self::Tails => {
                summary["tails"] = serde_json::to_value(simulation.operation_tails(TAIL_POINTS)).expect(PLAIN)
            }
        }
        summary
    }
}

/// Points of a latency distribution in a result.
pub const TAIL_POINTS: usize = 200;

/// The result of a run.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome<'a> {
    /// What [`Detail::result`] gives.
    Summary(&'a Value),
    /// The run failed, for this reason.
    Failed(String),
}

/// The progress of a campaign.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Progress {
    /// Runs whose results are known.
    pub known: u64,
    /// Runs that it needs in total, as far as is known.
    pub wanted: u64,
    /// Whether `wanted` is a limit that it may not reach.
    pub is_limit: bool,
    /// Whether it has its answer.
    pub done: bool,
    /// The present step in a few words, such as "Confirming on unseen seeds"; empty for campaigns of one step.
    pub doing: String,
}

/// A set of runs that gives one answer.
pub trait Campaign {
    /// The answer.
    type Answer;

    /// At most `max` runs that it needs and has not requested before, the most important first. Empty while results of requested runs
    /// decide what follows, and once the answer is known.
    fn next(&mut self, max: usize) -> Vec<RunRequest>;

    /// The scenario of a requested run as JSON, with its seed. `None` for an unknown `id`.
    fn scenario(&self, id: u32) -> Option<String>;

    /// Receives the result of a run. Results arrive in any order; a second result of a run is ignored.
    fn put(&mut self, id: u32, outcome: Outcome<'_>);

    /// The progress.
    fn progress(&mut self) -> Progress;

    /// The answer; `None` while results are missing.
    ///
    /// # Errors
    /// The reason why the campaign ended without an answer.
    fn answer(&mut self) -> Option<Result<Self::Answer, Vec<Diagnostic>>>;
}
