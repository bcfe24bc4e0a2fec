//! The results that figures need, each made once however many figures look at it, several at a time.

use std::collections::BTreeMap;
use std::fs;
use std::num::NonZero;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, LazyLock, Mutex, OnceLock};
use std::thread;

use qoscope_engine::figures::{Figure, Model, Results, Run};
use serde_json::Value;

const SCENARIOS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../scenarios");

type Outcome = Result<Arc<Value>, String>;

/// Outcomes of simulations, by what makes them what they are.
static OUTCOMES: LazyLock<Mutex<BTreeMap<String, Arc<OnceLock<Outcome>>>>> = LazyLock::new(Mutex::default);

/// What the runs and models of a figure give.
pub fn results(figure: &Figure) -> Result<Results, String> {
    let runs = figure.runs.iter().map(|run| Ok((run.name.clone(), seeds(run)?)));
    let models = figure.models.iter().map(|model| Ok((model.name().to_owned(), vec![Arc::new(of_model(model)?)])));
    runs.chain(models).collect()
}

fn scenario(name: &str) -> Result<Value, String> {
    let text = fs::read_to_string(format!("{SCENARIOS}/{name}.json")).map_err(|error| format!("{name}: {error}"))?;
    serde_json::from_str(&text).map_err(|error| format!("{name}: {error}"))
}

fn of_model(model: &Model) -> Result<Value, String> {
    model.result(model.scenario().map(scenario).transpose()?.as_ref())
}

/// The results of a run under its seeds.
fn seeds(run: &Run) -> Result<Vec<Arc<Value>>, String> {
    let next = AtomicU32::new(1);
    let workers = thread::available_parallelism().map_or(1, NonZero::get).min(run.seeds as usize);
    thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                while let Some(seed) = Some(next.fetch_add(1, Ordering::Relaxed)).filter(|seed| *seed <= run.seeds) {
                    let _ = of_seed(run, seed); // kept for when it is asked for below
                }
            });
        }
    });
    (1..=run.seeds).map(|seed| of_seed(run, seed)).collect()
}

fn of_seed(run: &Run, seed: u32) -> Outcome {
    let key = format!("{} {:?} {:?} {seed}", run.scenario, run.set, run.sweep);
    let outcome = Arc::clone(OUTCOMES.lock().expect("nobody panics here").entry(key).or_default());
    let make = || {
        run.result(&scenario(&run.scenario)?, seed).map(Arc::new).map_err(|reason| format!("{}: {reason}", run.name))
    };
    outcome.get_or_init(make).clone()
}
