//! What a summary of a scenario looks like before anything is run: every field that it will have, so that a measure that leads nowhere is told at
//! once.

use qoscope_engine::scenario::{Diagnostic, Scenario};
use qoscope_engine::simulation::Simulation;
use qoscope_engine::simulation::metrics::STAGE_ENTRIES;
use serde_json::{Map, Value, json};

/// Fields without a value here if they have none before the run begins: that depends on settings alone, or on a clock.
const SETTLED_BEFORE: [&str; 6] = ["deadline", "offeredGbps", "notifications", "pauseFrames", "pauses", "wallSeconds"];
/// Fields that hold a distribution of latencies once there are requests of their kind.
const LATENCIES: [&str; 4] = ["commandLatencyUs", "reads", "writes", "deviceLatencyUs"];

/// The summary of a scenario with a number wherever a run may give one.
///
/// # Errors
/// As [`Simulation::new`].
pub(crate) fn of(scenario: &Scenario) -> Result<Value, Vec<Diagnostic>> {
    let mut summary = serde_json::to_value(Simulation::new(&without_traces(scenario))?.summary()).unwrap_or_default();
    fill(&mut summary, "");
    for class in summary["classes"].as_array_mut().into_iter().flatten() {
        let stages: Map<String, Value> = STAGE_ENTRIES.iter().map(|stage| (stage.id.into(), json!(1))).collect();
        let stages = json!({ "mean": stages, "slowestPercent": stages });
        class["stagesUs"] = json!({ "reads": stages, "writes": stages });
        class["qualityFactor"]["convergence"] = json!([{ "kind": "converged", "atUs": 1, "rtts": 1 }]);
        class["requests"]["turnedAway"] = json!(0);
        for name in LATENCIES {
            class[name] = class["latencyUs"].clone();
        }
    }
    summary["network"]["deadlock"] = json!({ "atUs": 1, "links": [] });
    Ok(summary)
}

/// The scenario with requests that need no trace in the place of those of traces, which are not at hand.
fn without_traces(scenario: &Scenario) -> Scenario {
    let mut scenario = scenario.clone();
    for workload in &mut scenario.workloads {
        if matches!(workload.traffic, qoscope_engine::scenario::Traffic::Trace { .. }) {
            let open_loop = json!({
                "kind": "open-loop", "offeredGbps": 1, "size": { "kind": "uniform", "minimumBlocks": 1, "maximumBlocks": 1 },
            });
            workload.traffic = serde_json::from_value(open_loop).expect("it is traffic");
        }
    }
    scenario
}

/// Puts a number in the place of whatever has no value yet.
fn fill(value: &mut Value, name: &str) {
    match value {
        Value::Null if !SETTLED_BEFORE.contains(&name) => *value = json!(1),
        Value::Array(elements) => elements.iter_mut().for_each(|element| fill(element, "")),
        Value::Object(fields) => fields.iter_mut().for_each(|(name, value)| fill(value, name)),
        _ => (),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use qoscope_engine::scenario;

    /// Where values stand, `[]` for any element.
    fn paths(value: &Value, path: &str, found: &mut BTreeSet<String>) {
        match value {
            Value::Object(fields) => {
                fields.iter().for_each(|(name, value)| paths(value, &format!("{path}.{name}"), found));
            }
            Value::Array(elements) => elements.iter().for_each(|element| paths(element, &format!("{path}[]"), found)),
            Value::Null => (),
            _ => {
                found.insert(path.into());
            }
        }
    }

    #[test]
    fn whatever_a_run_gives_is_foreseen() {
        for name in ["three-writers", "tenants-ssd", "pfc-deadlock", "rdma-sub-classes", "paper4-fig7-nested"] {
            let mut document = qoscope_committed::document(name);
            document["durationUs"] = json!(document["durationUs"].as_f64().unwrap().min(3000.0));
            document["timeline"] = json!([]);
            let scenario = scenario::from_value(document).unwrap();
            let mut simulation = Simulation::new(&scenario).unwrap();
            simulation.run_until(u64::MAX);
            let [mut given, mut foreseen] = [BTreeSet::new(), BTreeSet::new()];
            paths(&serde_json::to_value(simulation.summary()).unwrap(), "", &mut given);
            paths(&of(&scenario).unwrap(), "", &mut foreseen);
            let texts = [".ratesOutOfReach", ".scenario.notes[].text", ".network.deadlock.links[][]"];
            given.retain(|path| !texts.contains(&path.as_str()) && !path.starts_with(".scenario.notes"));
            let missing: Vec<_> = given.difference(&foreseen).collect();
            assert!(missing.is_empty(), "{name}: {missing:?}");
        }
    }
}
