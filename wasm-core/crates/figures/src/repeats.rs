//! Scenarios that are compared under several seeds: a campaign whose answer has the differences with their confidence intervals.

use std::collections::BTreeMap;

use qoscope_campaign::{Campaign, Detail, Keys, Outcome, Progress, RunRequest};
use qoscope_engine::scenario::{self, Diagnostic};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use crate::batches::Batches;
use crate::statistics::{mean, student, variance};

/// Scenarios compared under several seeds. Differences are those of the last scenario against the first.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Comparison {
    /// Seeds requested.
    pub seeds: u32,
    /// Seeds under which the results of all scenarios are known.
    pub known: u32,
    /// The classes of the last scenario; empty while no seed is complete.
    pub classes: Vec<ComparedClass>,
}

/// A class in all scenarios.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ComparedClass {
    /// Its name.
    pub name: String,
    /// Its quantities.
    pub measures: ComparedMeasures,
}

/// The quantities of a class that are compared.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ComparedMeasures {
    /// Payload delivered, in Gb/s; its difference is relative.
    pub throughput: ComparedMeasure,
    /// Share of the payload of all classes; its difference is absolute.
    pub share: ComparedMeasure,
    /// 99th percentile of latency, in microseconds; its difference is relative.
    pub p99: ComparedMeasure,
    /// Share of requests that missed their deadlines; its difference is absolute.
    pub missed: ComparedMeasure,
}

/// A quantity of a class in all scenarios, over the seeds in which the first and the last scenario have a value.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ComparedMeasure {
    /// By scenario, the mean over seeds; `None` if a seed has no value.
    pub values: Vec<Option<f64>>,
    /// The difference; `None` without seeds, or if a relative one is against zero.
    pub difference: Option<Difference>,
}

/// A mean difference over seeds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Difference {
    /// The mean: 0.1 is 10 %, or 10 points of a share.
    pub mean: f64,
    /// Half the width of its 95 % confidence interval; `None` for one seed.
    pub half_width: Option<f64>,
    /// Seeds.
    pub count: u32,
}

impl Difference {
    /// Of one difference for each seed.
    fn of(differences: &[f64]) -> Option<Self> {
        let (count, mean) = (differences.len(), mean(differences));
        let half_width = || student(count - 1) * (variance(differences) / count as f64).sqrt();
        (count > 0 && mean.is_finite()).then(|| Self {
            mean,
            half_width: (count > 1).then(half_width),
            count: u32::try_from(count).unwrap_or(u32::MAX),
        })
    }
}

/// Residuals of the ratio estimator around the ratio of the means: their mean is the relative difference of the means.
fn relative(from: &[f64], to: &[f64]) -> Vec<f64> {
    let base = mean(from);
    let change = if base > 0.0 { mean(to) / base - 1.0 } else { f64::NAN };
    from.iter().zip(to).map(|(from, to)| change + (to - (1.0 + change) * from) / base).collect()
}

fn absolute(from: &[f64], to: &[f64]) -> Vec<f64> {
    from.iter().zip(to).map(|(from, to)| to - from).collect()
}

/// Scenarios that are run under the same seeds.
pub struct Repeats {
    scenarios: Vec<Value>,
    keys: Vec<Keys>,
    seeds: Vec<u64>,
    runs: Batches,
    /// By complete seed, the summaries of the scenarios.
    summaries: Vec<Vec<Value>>,
    failure: Option<Diagnostic>,
}

impl Repeats {
    /// Of scenarios whose seeds are replaced, with the hashes of the contents of traces by name.
    ///
    /// # Errors
    /// The faults of a scenario.
    pub fn new(
        scenarios: Vec<Value>,
        seeds: Vec<u64>,
        traces: &BTreeMap<String, String>,
    ) -> Result<Self, Vec<Diagnostic>> {
        let key = |document: &Value| Ok(Keys::new(&scenario::from_value(document.clone())?, traces));
        let keys = scenarios.iter().map(key).collect::<Result<_, Vec<Diagnostic>>>()?;
        let runs = Batches::new(seeds.iter().map(|_| scenarios.len()));
        Ok(Self { scenarios, keys, seeds, runs, summaries: Vec::new(), failure: None })
    }

    /// The comparison over the seeds whose results are known.
    pub fn comparison(&self) -> Comparison {
        let named = |summary: &Value| -> Vec<String> {
            let classes = summary["classes"].as_array().into_iter().flatten();
            classes.filter_map(|class| class["name"].as_str().map(str::to_owned)).collect()
        };
        let names = self.summaries.first().and_then(|summaries| summaries.last()).map(named).unwrap_or_default();
        let class = |name: String| {
            let read = |of: &dyn Fn(&Value, &Value) -> Option<f64>, pair: fn(&[f64], &[f64]) -> Vec<f64>| {
                self.measure(&name, of, pair)
            };
            let gbps = |class: &Value| class["carriedGbps"].as_f64();
            let share = |class: &Value, summary: &Value| {
                let classes = summary["classes"].as_array()?;
                Some(gbps(class)? / classes.iter().filter_map(gbps).sum::<f64>())
            };
            let measures = ComparedMeasures {
                throughput: read(&|class, _| gbps(class), relative),
                share: read(&share, absolute),
                p99: read(&|class, _| class["latencyUs"]["p99"].as_f64(), relative),
                missed: read(&|class, _| class["deadline"]["missedFraction"].as_f64(), absolute),
            };
            ComparedClass { name, measures }
        };
        let count = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
        Comparison {
            seeds: count(self.seeds.len()),
            known: count(self.summaries.len()),
            classes: names.into_iter().map(class).collect(),
        }
    }

    fn measure(
        &self,
        name: &str,
        of: &dyn Fn(&Value, &Value) -> Option<f64>,
        pair: fn(&[f64], &[f64]) -> Vec<f64>,
    ) -> ComparedMeasure {
        let value = |summary: &Value| {
            let class = summary["classes"].as_array()?.iter().find(|class| class["name"] == name)?;
            of(class, summary).filter(|value| value.is_finite())
        };
        let by_seed = self.summaries.iter().map(|summaries| summaries.iter().map(value).collect::<Vec<_>>());
        let known: Vec<Vec<Option<f64>>> = by_seed
            .filter(|values| values.first().is_some_and(Option::is_some) && values.last().is_some_and(Option::is_some))
            .collect();
        let column = |scenario: usize| -> Option<Vec<f64>> { known.iter().map(|values| values[scenario]).collect() };
        let values = (0..self.scenarios.len())
            .map(|scenario| column(scenario).filter(|values| !values.is_empty()).map(|values| mean(&values)));
        let ends = column(0).zip(column(self.scenarios.len().saturating_sub(1)));
        ComparedMeasure {
            values: values.collect(),
            difference: ends.and_then(|(from, to)| Difference::of(&pair(&from, &to))),
        }
    }
}

impl Campaign for Repeats {
    type Answer = Comparison;

    fn next(&mut self, max: usize) -> Vec<RunRequest> {
        if self.failure.is_some() {
            return Vec::new();
        }
        let ids = self.runs.next(max);
        let request = |id| {
            let (seed, scenario) = self.runs.place(id)?;
            let key = self.keys[scenario].of(self.seeds[seed], Detail::Kept);
            Some(RunRequest { id, key, detail: Detail::Kept })
        };
        ids.filter_map(request).collect()
    }

    fn scenario(&self, id: u32) -> Option<String> {
        let (seed, scenario) = self.runs.place(id)?;
        let mut document = self.scenarios[scenario].clone();
        document["seed"] = self.seeds[seed].into();
        Some(document.to_string())
    }

    fn put(&mut self, id: u32, outcome: Outcome<'_>) {
        match self.runs.put(id, outcome) {
            Some((_, Ok(summaries))) => self.summaries.push(summaries),
            Some((_, Err(reason))) => {
                let hint = "Change the scenario, and compare again.";
                self.failure.get_or_insert(Diagnostic::new("", reason, hint));
            }
            None => (),
        }
    }

    fn progress(&mut self) -> Progress {
        self.runs.progress(self.failure.is_some())
    }

    fn answer(&mut self) -> Option<Result<Comparison, Vec<Diagnostic>>> {
        if let Some(failure) = &self.failure {
            return Some(Err(vec![failure.clone()]));
        }
        self.runs.is_complete().then(|| Ok(self.comparison()))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn repeats(seeds: &[u64]) -> Repeats {
        let mut other = qoscope_committed::document("three-writers");
        other["switch"]["ecnThresholdPackets"] = json!(20);
        let scenarios = vec![qoscope_committed::document("three-writers"), other];
        Repeats::new(scenarios, seeds.to_vec(), &BTreeMap::new()).unwrap()
    }

    fn summary(gbps: [f64; 2], p99: Option<f64>) -> Value {
        let class = |name: &str, gbps: f64| json!({ "name": name, "carriedGbps": gbps, "latencyUs": { "p99": p99 }, "deadline": null });
        json!({ "classes": [class("High", gbps[0]), class("Low", gbps[1])] })
    }

    /// Seeds 1 and 2: 4 and 6 Gb/s before, 5 and 7 after. Means 5 and 6: 20 % more; residuals 0.24 and 0.16, so that half the interval is
    /// 12.706 times the standard error 0.04.
    #[test]
    fn paired_differences_have_the_interval_of_student() {
        let mut campaign = repeats(&[1, 2]);
        let requests = campaign.next(9);
        let seeds: Vec<u64> = requests
            .iter()
            .map(|request| {
                serde_json::from_str::<Value>(&campaign.scenario(request.id).unwrap()).unwrap()["seed"]
                    .as_u64()
                    .unwrap()
            })
            .collect();
        assert_eq!(seeds, [1, 1, 2, 2], "differences come early");
        let results = [([4.0, 4.0], Some(9.0)), ([5.0, 5.0], None), ([6.0, 2.0], Some(9.0)), ([7.0, 1.0], Some(3.0))];
        for (request, (gbps, p99)) in requests.iter().zip(results).rev() {
            campaign.put(request.id, Outcome::Summary(&summary(gbps, p99)));
        }
        let comparison = campaign.answer().unwrap().unwrap();
        assert_eq!((comparison.seeds, comparison.known, comparison.classes.len()), (2, 2, 2));
        let ComparedMeasures { throughput, share, p99, missed } = &comparison.classes[0].measures;
        let close = |one: f64, other: f64| (one - other).abs() < 1e-4;
        let difference = throughput.difference.unwrap();
        assert_eq!(throughput.values, [Some(5.0), Some(6.0)]);
        assert!(close(difference.mean, 0.2) && close(difference.half_width.unwrap(), 12.7062 * 0.04), "{difference:?}");
        // Shares 0.5 and 0.75 before, 0.5 and 0.875 after.
        assert!(close(share.difference.unwrap().mean, 0.0625) && share.values == [Some(0.625), Some(0.6875)]);
        assert_eq!((p99.difference.unwrap().count, p99.difference.unwrap().half_width), (1, None));
        assert_eq!((missed.difference, missed.values.clone()), (None, vec![None, None]));
    }

    #[test]
    fn failed_run_ends_the_comparison() {
        let mut campaign = repeats(&[1, 2]);
        let requests = campaign.next(2);
        campaign.put(requests[1].id, Outcome::Failed("It ran out of memory.".into()));
        campaign.put(requests[0].id, Outcome::Summary(&summary([1.0, 1.0], None)));
        assert_eq!(campaign.answer().unwrap().unwrap_err()[0].reason, "It ran out of memory.");
        assert!(campaign.next(2).is_empty());
    }
}
