//! Scenarios that are run once each: a campaign whose answer has their summaries.

use qoscope_campaign::{Campaign, Detail, Outcome, Progress, RunRequest};
use qoscope_engine::scenario::Diagnostic;
use serde_json::Value;

use crate::batches::Batches;

/// Scenarios that are run once each. A run that fails ends the campaign.
pub struct SingleRuns {
    scenarios: Vec<Value>,
    runs: Batches,
    /// By scenario.
    summaries: Vec<Value>,
    failure: Option<Diagnostic>,
}

impl SingleRuns {
    /// Of complete scenarios.
    pub fn new(scenarios: Vec<Value>) -> Self {
        let runs = Batches::new(scenarios.iter().map(|_| 1));
        Self { summaries: vec![Value::Null; scenarios.len()], scenarios, runs, failure: None }
    }
}

impl Campaign for SingleRuns {
    type Answer = Vec<Value>;

    fn next(&mut self, max: usize) -> Vec<RunRequest> {
        if self.failure.is_some() {
            return Vec::new();
        }
        let ids = self.runs.next(max);
        ids.map(|id| RunRequest::of(id, &self.scenarios[id as usize], Detail::Flows)).collect()
    }

    fn scenario(&self, id: u32) -> Option<String> {
        self.scenarios.get(id as usize).map(Value::to_string)
    }

    fn put(&mut self, id: u32, outcome: Outcome<'_>) {
        match self.runs.put(id, outcome) {
            Some((run, Ok(summaries))) => self.summaries[run] = Value::Array(summaries)[0].take(),
            Some((_, Err(reason))) => {
                self.failure.get_or_insert(Diagnostic::new("", reason, "Change the scenario, and run it again."));
            }
            None => (),
        }
    }

    fn progress(&mut self) -> Progress {
        self.runs.progress(self.failure.is_some())
    }

    fn answer(&mut self) -> Option<Result<Vec<Value>, Vec<Diagnostic>>> {
        if let Some(failure) = &self.failure {
            return Some(Err(vec![failure.clone()]));
        }
        self.runs.is_complete().then(|| Ok(self.summaries.clone()))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn answer_has_the_summaries_in_order() {
        let mut runs = SingleRuns::new(vec![json!({ "seed": 1 }), json!({ "seed": 2 })]);
        let requests = runs.next(9);
        assert_eq!(runs.scenario(requests[1].id).as_deref(), Some(r#"{"seed":2}"#));
        runs.put(requests[1].id, Outcome::Summary(&json!("b")));
        assert!(runs.answer().is_none());
        runs.put(requests[0].id, Outcome::Summary(&json!("a")));
        assert_eq!(runs.answer(), Some(Ok(vec![json!("a"), json!("b")])));
    }

    #[test]
    fn failed_run_ends_the_campaign() {
        let mut runs = SingleRuns::new(vec![json!({}), json!({})]);
        runs.next(1);
        runs.put(0, Outcome::Failed("It ran out of memory.".into()));
        assert_eq!(runs.answer().unwrap().unwrap_err()[0].reason, "It ran out of memory.");
        assert!(runs.next(1).is_empty());
    }
}
