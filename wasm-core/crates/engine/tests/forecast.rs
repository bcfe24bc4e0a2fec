//! How long runs take, against what is told at their beginning. By hand: it measures time, and is as good as the machine is idle.

use std::time::Instant;

use qoscope_engine::kernel::time::to_us;
use qoscope_engine::scenario::{self, Scenario, size};
use qoscope_engine::simulation::Simulation;

/// Events of a run at most, and of its beginning from which the rest is told.
const EVENTS: u64 = 24_000_000;
const BEGINNING: u64 = 1_000_000;

#[test]
#[ignore = "measures time, for the table in docs/validation.md"]
#[expect(clippy::disallowed_methods, reason = "time is what is measured")]
fn the_time_of_committed_runs() {
    let mut found = Vec::new();
    for (name, document) in qoscope_committed::all() {
        let scenario = scenario::from_value(document).unwrap();
        let Ok(mut simulation) = Simulation::new(&scenario) else { continue };
        let started = Instant::now();
        if simulation.advance(u64::MAX, BEGINNING) {
            continue;
        }
        let beginning = started.elapsed().as_secs_f64();
        let begun_us = to_us(simulation.now_ps());
        simulation.advance(u64::MAX, EVENTS - BEGINNING);
        let real = started.elapsed().as_secs_f64();
        let reached = Scenario { duration_us: to_us(simulation.now_ps()), ..scenario };
        let told = beginning * (1.0 + size::work_to_come(&reached, begun_us).unwrap());
        println!("{name:<48} {real:7.2} s, told {:5.2} times", told / real);
        found.push(told / real);
    }
    found.sort_by(f64::total_cmp);
    let at = |share: f64| found[(share * (found.len() - 1) as f64) as usize];
    let shown = [0.0, 0.1, 0.5, 0.9, 1.0].map(|share| format!("{:.2}", at(share))).join(", ");
    println!("told over taken, {} runs: least, tenth, half, nine tenths, most: {shown}", found.len());
    assert!(at(0.1) > 0.5 && at(0.9) < 2.0, "{shown}");
}
