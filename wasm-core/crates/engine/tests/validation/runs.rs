//! Runs of the committed scenarios, each made once however many tests look at it.

use std::collections::BTreeMap;
use std::fs;
use std::sync::{Arc, LazyLock, Mutex, OnceLock};

use qoscope_engine::overlay;
use qoscope_engine::scenario::{self, document::Scenario};
use qoscope_engine::simulation::{Simulation, Summary};
use serde_json::{Value, json};

const SCENARIOS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../scenarios");
/// More than any scenario here needs.
const CLASS_SLOTS: u64 = 10_000_000;

type Cache = Mutex<BTreeMap<String, Arc<OnceLock<Arc<Summary>>>>>;
static RUNS: LazyLock<Cache> = LazyLock::new(Cache::default);

/// A scenario of the folder `scenarios`, with some fields changed.
pub fn scenario(name: &str, changes: &[(&str, Value)]) -> Scenario {
    let text = fs::read_to_string(format!("{SCENARIOS}/{name}.json")).expect("the scenario is there");
    let mut document: Value = serde_json::from_str(&text).expect("the scenario is JSON");
    for (path, value) in changes {
        scenario::set_path(&mut document, path, value.clone()).expect("the path leads somewhere");
    }
    scenario::from_value(document).expect("the scenario is valid")
}

/// The result of a scenario with some fields changed.
pub fn run_with(name: &str, changes: &[(&str, Value)]) -> Arc<Summary> {
    let key = format!("{name} {changes:?}");
    let run = Arc::clone(RUNS.lock().expect("no test panics here").entry(key).or_default());
    let result = run.get_or_init(|| {
        let mut simulation = Simulation::new(&scenario(name, changes)).expect("the network can be laid out");
        simulation.run_until(u64::MAX);
        Arc::new(simulation.summary())
    });
    Arc::clone(result)
}

/// The result of a scenario.
pub fn run(name: &str) -> Arc<Summary> {
    run_with(name, &[])
}

/// Results of a scenario under five seeds.
pub fn seeds(name: &str) -> Vec<Arc<Summary>> {
    (1..=5).map(|seed| run_with(name, &[("seed", json!(seed))])).collect()
}

/// The mean of a quantity over results.
pub fn mean(results: &[Arc<Summary>], quantity: impl Fn(&Summary) -> f64) -> f64 {
    results.iter().map(|result| quantity(result)).sum::<f64>() / results.len() as f64
}

/// Payload carried by all connections, in Gb/s.
pub fn total(result: &Summary) -> f64 {
    result.flows.iter().map(|flow| flow.carried_gbps).sum()
}

/// When the last class converged, in milliseconds; the end of the run if one did not.
pub fn converged_ms(result: &Summary) -> f64 {
    let instants = result.classes.iter().map(|class| class.quality_factor.converged_at_us);
    instants.map(|us| us.unwrap_or(result.simulated_us) / 1000.0).fold(0.0, f64::max)
}

/// The slot in which the discrete-time model has the last class converge.
pub fn modelled_slots(name: &str) -> f64 {
    let found = overlay::trace(&scenario(name, &[]), CLASS_SLOTS, |_, _| {}).expect("the network can be laid out");
    found.into_iter().map(|class| class.expect("every class converges").slot).max().unwrap_or(0) as f64
}

/// What the discrete-time model says each class carries after the warm-up, in Gb/s.
pub fn modelled_gbps(name: &str) -> Vec<f64> {
    let scenario = scenario(name, &[]);
    let warmup_s = scenario.measurement.warmup_us.expect("the scenario states its warm-up") / 1e6;
    let mut packets = vec![0.0; scenario.classes.len()];
    let mut seconds = 0.0;
    overlay::trace(&scenario, CLASS_SLOTS, |model, _| {
        if model.start_s() >= warmup_s {
            let length_s = model.end_s() - model.start_s();
            seconds += length_s;
            packets.iter_mut().zip(model.classes()).for_each(|(sum, class)| *sum += class.throughput_pps * length_s);
        }
    })
    .expect("the network can be laid out");
    packets.into_iter().map(|packets| packets * overlay::payload_bytes(&scenario) * 8e-9 / seconds).collect()
}
