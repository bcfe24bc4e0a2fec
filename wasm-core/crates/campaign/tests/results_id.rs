//! What the results of this engine go by: a text that must change with them.

use std::{collections::BTreeSet, env, fs, path::Path};

use qoscope_campaign::{RESULTS_ID, trace_hash};
use qoscope_engine::scenario;
use qoscope_engine::simulation::Simulation;

use serde_json::{Value, json};

/// Scenarios whose summaries have every part between them: TCP, RDMA with pause frames, devices, tenants.
const SCENARIOS: [&str; 5] = ["three-writers", "tenants-ssd", "rdma-sub-classes", "pfc-deadlock", "paper4-fig7-nested"];

/// Where a summary has values, `[]` for any element.
fn paths(value: &Value, path: &str, found: &mut BTreeSet<String>) {
    match value {
        Value::Object(fields) => fields.iter().for_each(|(name, value)| paths(value, &format!("{path}.{name}"), found)),
        Value::Array(elements) => elements.iter().for_each(|element| paths(element, &format!("{path}[]"), found)),
        _ => {
            found.insert(path.into());
        }
    }
}

#[test]
fn the_name_of_results_is_that_of_what_scenarios_give() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let read = |path: &str| -> Value {
        let path = crates.join(path);
        let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path:?}: {error}"));
        serde_json::from_str(&text).expect("it is JSON")
    };
    let digests = read("figures/tests/digests.json")["scenarios"].to_string();
    let mut found = BTreeSet::new();
    for name in SCENARIOS {
        let mut document = qoscope_committed::document(name);
        document["timeline"] = json!([]);
        document["durationUs"] = json!(document["durationUs"].as_f64().unwrap_or_default().min(2000.0));
        let scenario = scenario::from_value(document).expect("it is sound");
        let mut simulation = Simulation::new(&scenario).expect("it can be laid out");
        simulation.run_until(u64::MAX);
        paths(&serde_json::to_value(simulation.summary()).expect("it has a JSON form"), "", &mut found);
    }
    let must_be = trace_hash(format!("{digests} {found:?}").as_bytes()).expect("memory can be read");
    if env::var_os("UPDATE_DIGESTS").is_some() {
        return fs::write(crates.join("campaign/src/results-id.txt"), must_be).expect("the file can be written");
    }
    let hint =
        "runs give something else than before: UPDATE_DIGESTS=1 cargo test -p qoscope-campaign --test results_id";
    assert!(RESULTS_ID == must_be, "{hint}");
}
