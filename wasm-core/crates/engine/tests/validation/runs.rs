//! Runs of the committed scenarios, each made once however many tests look at it.

use std::collections::BTreeMap;
use std::fs;
use std::ops::RangeInclusive;
use std::sync::{Arc, LazyLock, Mutex, OnceLock};

use qoscope_engine::overlay;
use qoscope_engine::scenario::{self, document::Scenario};
use qoscope_engine::simulation::{Simulation, Summary};
use serde_json::{Value, json};

const SCENARIOS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../scenarios");
const SEEDS: RangeInclusive<u32> = 1..=5;
/// Quantile of Student's distribution with four degrees of freedom that leaves 2.5 % on either side.
const STUDENT_T: f64 = 2.776;
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
    seeds_with(name, &[])
}

/// Results of a scenario with some fields changed, under five seeds.
pub fn seeds_with(name: &str, changes: &[(&str, Value)]) -> Vec<Arc<Summary>> {
    SEEDS.map(|seed| run_with(name, &seeded(changes, seed))).collect()
}

/// Results of a stretch of the run, in milliseconds, under five seeds.
pub fn stretch(name: &str, from_ms: f64, to_ms: f64) -> Vec<Arc<Summary>> {
    let changes = [("durationUs", json!(to_ms * 1000.0)), ("measurement.warmupUs", json!(from_ms * 1000.0))];
    seeds_with(name, &changes)
}

fn seeded<'a>(changes: &[(&'a str, Value)], seed: u32) -> Vec<(&'a str, Value)> {
    [changes, &[("seed", json!(seed))]].concat()
}

/// A mean over seeds and how sure it is.
#[derive(Clone, Copy, Debug)]
pub struct Estimate {
    /// The mean.
    pub mean: f64,
    /// Half the width of its 95 % confidence interval.
    pub half_width: f64,
}

impl Estimate {
    /// Of one number for each of the five seeds.
    pub fn of(numbers: impl Iterator<Item = f64>) -> Self {
        let numbers: Vec<f64> = numbers.collect();
        let count = numbers.len() as f64;
        let mean = numbers.iter().sum::<f64>() / count;
        let variance = numbers.iter().map(|number| (number - mean) * (number - mean)).sum::<f64>() / (count - 1.0);
        Self { mean, half_width: STUDENT_T * (variance / count).sqrt() }
    }
}

/// The mean of a quantity over results of five seeds.
pub fn estimate(results: &[Arc<Summary>], quantity: impl Fn(&Summary) -> f64) -> Estimate {
    Estimate::of(results.iter().map(|result| quantity(result)))
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
