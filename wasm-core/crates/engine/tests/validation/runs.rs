//! Runs of the committed scenarios, each made once however many rows look at it, several at a time.

use std::collections::BTreeMap;
use std::fs;
use std::num::NonZero;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock, Mutex, OnceLock};
use std::thread;

use qoscope_engine::overlay;
use qoscope_engine::scenario::{self, document::Scenario};
use qoscope_engine::simulation::{Simulation, Summary};
use serde_json::{Value, json};

use crate::sample::Estimate;

const SCENARIOS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../scenarios");
/// Seeds of a row, where runs differ little.
pub const FEW: u32 = 5;
/// Seeds of a row, where they differ much, and of differences between two policies.
pub const MANY: u32 = 20;
/// Seeds of a row, where short runs differ very much.
pub const PLENTY: u32 = 60;
/// More than any scenario here needs.
const CLASS_SLOTS: u64 = 10_000_000;

/// Fields of a scenario to change.
pub type Changes<'a> = [(&'a str, Value)];
/// Results of a scenario by seed, from 1 on.
pub type Runs = Vec<Arc<Summary>>;

type Cache = Mutex<BTreeMap<String, Arc<OnceLock<Arc<Summary>>>>>;
static RUNS: LazyLock<Cache> = LazyLock::new(Cache::default);

/// A scenario of the folder `scenarios`, with some fields changed.
pub fn scenario(name: &str, changes: &Changes) -> Scenario {
    let text = fs::read_to_string(format!("{SCENARIOS}/{name}.json")).expect("the scenario is there");
    let mut document: Value = serde_json::from_str(&text).expect("the scenario is JSON");
    for (path, value) in changes {
        scenario::set_path(&mut document, path, value.clone()).expect("the path leads somewhere");
    }
    scenario::from_value(document).unwrap_or_else(|diagnostics| panic!("{name}: {diagnostics:?}"))
}

/// The result of a scenario under one seed.
fn run(name: &str, changes: &Changes, seed: u32) -> Arc<Summary> {
    let key = format!("{name} {changes:?} {seed}");
    let run = Arc::clone(RUNS.lock().expect("no test panics here").entry(key).or_default());
    let result = run.get_or_init(|| {
        let scenario = scenario(name, &[changes, &[("seed", json!(seed))]].concat());
        let mut simulation = Simulation::new(&scenario).expect("the network can be laid out");
        simulation.run_until(u64::MAX);
        Arc::new(simulation.summary())
    });
    Arc::clone(result)
}

/// Results of a scenario under `count` seeds.
pub fn seeds(name: &str, count: u32) -> Runs {
    seeds_with(name, &[], count)
}

/// Results of a scenario with some fields changed.
pub fn seeds_with(name: &str, changes: &Changes, count: u32) -> Runs {
    let next = AtomicUsize::new(1);
    let workers = thread::available_parallelism().map_or(1, NonZero::get).min(count as usize);
    thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                while let Some(seed) = Some(next.fetch_add(1, Ordering::Relaxed)).filter(|seed| *seed <= count as usize)
                {
                    run(name, changes, seed as u32);
                }
            });
        }
    });
    (1..=count).map(|seed| run(name, changes, seed)).collect()
}

/// Results of a stretch of the run, in milliseconds.
pub fn stretch(name: &str, from_ms: f64, to_ms: f64, count: u32) -> Runs {
    let changes = [("durationUs", json!(to_ms * 1000.0)), ("measurement.warmupUs", json!(from_ms * 1000.0))];
    seeds_with(name, &changes, count)
}

/// The mean of a quantity over seeds.
pub fn estimate(runs: &Runs, quantity: impl Fn(&Summary) -> f64) -> Estimate {
    Estimate::of(runs.iter().map(|run| quantity(run)))
}

/// The mean over seeds of what two runs with the same seed come to together.
pub fn paired(first: &Runs, second: &Runs, quantity: impl Fn(&Summary, &Summary) -> f64) -> Estimate {
    assert_eq!(first.len(), second.len(), "runs are paired by seed");
    Estimate::of(first.iter().zip(second).map(|(first, second)| quantity(first, second)))
}

/// By how many per cent a quantity is less in the second of two runs with the same seed: of the means over seeds.
pub fn percent_less(first: &Runs, second: &Runs, quantity: impl Fn(&Summary) -> f64) -> Estimate {
    assert_eq!(first.len(), second.len(), "runs are paired by seed");
    let pairs = first.iter().zip(second).map(|(first, second)| (quantity(first), quantity(second)));
    Estimate::ratio(pairs).scaled(-100.0, 100.0)
}

/// Payload carried by all connections, in Gb/s.
pub fn total(run: &Summary) -> f64 {
    run.flows.iter().map(|flow| flow.carried_gbps).sum()
}

/// Payload carried by a class, in Gb/s.
pub fn carried(class: usize) -> impl Fn(&Summary) -> f64 {
    move |run| run.classes[class].carried_gbps
}

/// What `class` carries, over its part by `ratios` of what the classes from `first` on carry together.
pub fn share(class: usize, ratios: &[f64], first: usize) -> impl Fn(&Summary) -> f64 {
    move |run| {
        let total: f64 = run.classes[first..][..ratios.len()].iter().map(|class| class.carried_gbps).sum();
        run.classes[first + class].carried_gbps * ratios.iter().sum::<f64>() / ratios[class] / total
    }
}

/// Milliseconds from an instant until a class has converged, or has returned after what happens then made it leave; until the
/// end of the run if it does not.
pub fn convergence_ms(class: usize, from_ms: f64) -> impl Fn(&Summary) -> f64 {
    move |run| {
        let from_us = from_ms * 1000.0;
        let events = &run.classes[class].quality_factor.convergence;
        let mut after = events.iter().filter(|event| event.at_us > from_us).peekable();
        let was_near = events.iter().rfind(|event| event.at_us <= from_us).is_some_and(|event| event.kind != "left");
        let stays = was_near && after.peek().is_none();
        let arrival_us = after.find(|event| event.kind != "left").map_or(run.simulated_us, |event| event.at_us);
        let near_us = if stays { from_us } else { arrival_us };
        (near_us - from_us) / 1000.0
    }
}

/// Milliseconds from an instant until the last class has converged, or returned.
pub fn all_converged_ms(from_ms: f64) -> impl Fn(&Summary) -> f64 {
    move |run| (0..run.classes.len()).map(|class| convergence_ms(class, from_ms)(run)).fold(0.0, f64::max)
}

/// The slot in which the discrete-time model of a scenario has the last class converge.
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
