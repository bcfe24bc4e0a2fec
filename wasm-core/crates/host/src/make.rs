//! Makes single runs of campaigns.

use std::time::{Duration, Instant};

use qoscope_campaign::{Detail, RESULTS_ID};
use qoscope_engine::VERSION;
use qoscope_engine::scenario;
use qoscope_engine::simulation::Simulation;
use qoscope_store::Record;
use serde_json::Value;

use crate::Error;
use crate::traces::Shelf;

/// Events of a run between two looks whether it is still wanted.
const SLICE: u64 = 200_000;

/// Makes a run of a scenario, given as JSON; none if `is_stopped` says in the midst of it that it is no longer wanted.
///
/// # Errors
/// Why the scenario cannot run.
#[expect(clippy::disallowed_methods, reason = "the engine has no clock: its time is measured here, beside the result")]
pub fn make(
    document: &str,
    detail: Detail,
    traces: &Shelf,
    is_stopped: &dyn Fn() -> bool,
) -> Result<Option<Record>, Error> {
    let began = Instant::now();
    let (scenario, mut simulation) = begun(document, traces)?;
    loop {
        if is_stopped() {
            return Ok(None);
        }
        if simulation.advance(u64::MAX, SLICE) {
            break;
        }
    }
    Ok(Some(Record {
        results: RESULTS_ID.into(),
        engine: VERSION.into(),
        wall_ms: began.elapsed().as_secs_f64() * 1e3,
        scenario,
        summary: detail.result(&simulation),
    }))
}

/// A scenario and its simulation, at its beginning.
fn begun(document: &str, traces: &Shelf) -> Result<(Value, Simulation), Error> {
    let document = scenario::parse(document)?;
    let scenario = scenario::from_value(document.clone())?;
    let simulation = Simulation::with_traces(&scenario, &traces.of(&scenario)?)?;
    Ok((document, simulation))
}

/// Events per second that the engine manages on a scenario, given as JSON, over a moment.
///
/// # Errors
/// Why the scenario cannot run.
#[expect(clippy::disallowed_methods, reason = "the engine has no clock: its time is measured here, beside the result")]
pub fn speed(document: &str, traces: &Shelf) -> Result<f64, Error> {
    const MOMENT: Duration = Duration::from_millis(300);
    let (_, mut simulation) = begun(document, traces)?;
    let began = Instant::now();
    while began.elapsed() < MOMENT && !simulation.advance(u64::MAX, SLICE) {}
    Ok(simulation.events() as f64 / began.elapsed().as_secs_f64())
}
