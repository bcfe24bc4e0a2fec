//! What tests of whole networks share.

pub mod device;
pub mod docs;

use qoscope_engine::scenario;
use qoscope_engine::simulation::{Simulation, Summary};
use serde_json::Value;

/// Names of the hosts of a shape, by number.
pub fn hosts(numbers: impl IntoIterator<Item = u32>) -> Vec<String> {
    numbers.into_iter().map(|number| format!("h{number}")).collect()
}

/// The run of a document that is valid, at its beginning.
pub fn simulation(document: &Value) -> Simulation {
    let scenario = scenario::from_value(document.clone()).expect("the scenario is valid");
    Simulation::new(&scenario).expect("the network can be laid out")
}

/// The result of a document that is valid, run to its end.
pub fn run(document: &Value) -> Summary {
    let mut simulation = simulation(document);
    simulation.run_until(u64::MAX);
    simulation.summary()
}
