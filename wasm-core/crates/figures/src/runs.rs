//! What a figure's runs and models give, as JSON: of a simulation its summary, the one that `run --format json` prints.

use qoscope_engine::model::dtm;
use qoscope_engine::overlay;
use qoscope_engine::planner;
use qoscope_engine::scenario::{self, Diagnostic, Scenario};
use qoscope_engine::simulation::Simulation;
use qoscope_engine::workload::traces::Traces;

use serde_json::{Value, json};

use crate::document::{InitialQueue, Model, Run, Sweep};

/// Classes times slots of a model at most, more than any figure needs.
const CLASS_SLOTS: u64 = 10_000_000;
/// Slots of the equations at most.
const SLOTS: u32 = 10_000;
/// How near to 1 the mean of Q is over how many slots once a class of the equations has converged, as by default in a scenario.
const CONVERGENCE: (f64, usize) = (0.05, 20);

impl Run {
    /// The scenarios that it simulates under one seed, that of the scenario if none is given: one, or one for each value of a sweep.
    /// `scenario` is the document that the run names.
    ///
    /// # Errors
    /// Which change of the run makes no sense.
    pub fn scenarios(&self, scenario: &Value, seed: Option<u32>) -> Result<Vec<Value>, String> {
        documents(scenario, &self.set, self.sweep.as_ref(), seed)
    }

    /// The result that the summaries of its scenarios make up: one as it is, of a sweep a list.
    pub fn joined(&self, summaries: Vec<Value>) -> Value {
        if self.sweep.is_some() { Value::Array(summaries) } else { summaries.into_iter().next().unwrap_or_default() }
    }

    /// What its scenarios give under one seed, that of the scenario if none is given. `scenario` is the document that the run names.
    ///
    /// # Errors
    /// What is wrong with the scenario as the run changes it.
    pub fn summaries(&self, scenario: &Value, seed: Option<u32>) -> Result<Vec<Value>, String> {
        self.scenarios(scenario, seed)?.into_iter().map(|document| summary_of(&read(document)?)).collect()
    }

    /// The result under one seed, of what [`Self::summaries`] gives.
    ///
    /// # Errors
    /// What is wrong with the scenario as the run changes it.
    pub fn result(&self, scenario: &Value, seed: Option<u32>) -> Result<Value, String> {
        Ok(self.joined(self.summaries(scenario, seed)?))
    }

    /// The first of its simulations at its end, under the seed of its scenario: what curves and tails are read of.
    ///
    /// # Errors
    /// What is wrong with the scenario as the run changes it.
    pub fn finished(&self, scenario: &Value) -> Result<Simulation, String> {
        finished(&read(self.scenarios(scenario, None)?.remove(0))?)
    }
}

/// The scenarios of a run: the one that it names with its changes and a seed, or one for each value that it sweeps over.
///
/// # Errors
/// Which field cannot be changed.
pub(crate) fn documents<'a>(
    scenario: &Value,
    changes: impl IntoIterator<Item = (&'a String, &'a Value)>,
    sweep: Option<&Sweep>,
    seed: Option<u32>,
) -> Result<Vec<Value>, String> {
    let mut document = scenario.clone();
    for (path, value) in changes {
        set(&mut document, path, value)?;
    }
    if let Some(seed) = seed {
        set(&mut document, "seed", &json!(seed))?;
    }
    let Some(sweep) = sweep else { return Ok(vec![document]) };
    let swept = |value: &Value| {
        let mut document = document.clone();
        set(&mut document, &sweep.path, value)?;
        Ok(document)
    };
    sweep.values.iter().map(swept).collect()
}

fn set(document: &mut Value, path: &str, value: &Value) -> Result<(), String> {
    scenario::set_path(document, path, value.clone()).map_err(|diagnostic| sentence(&diagnostic))
}

fn read(document: Value) -> Result<Scenario, String> {
    scenario::from_value(document).map_err(|diagnostics| sentences(&diagnostics))
}

/// Simulates a scenario to its end.
fn finished(scenario: &Scenario) -> Result<Simulation, String> {
    let mut simulation = Simulation::new(scenario).map_err(|diagnostics| sentences(&diagnostics))?;
    simulation.run_until(u64::MAX);
    Ok(simulation)
}

/// The simulation of a document at its end.
pub(crate) fn finished_of(document: Value) -> Result<Simulation, String> {
    finished(&read(document)?)
}

/// What a scenario gives: its summary.
pub(crate) fn summary_of(scenario: &Scenario) -> Result<Value, String> {
    serde_json::to_value(finished(scenario)?.summary()).map_err(|error| error.to_string())
}

/// A diagnostic in a sentence or two.
pub fn sentence(diagnostic: &Diagnostic) -> String {
    format!("`{}` {}. {}", diagnostic.path, diagnostic.reason, diagnostic.hint)
}

/// As [`sentence`], of all of them.
pub fn sentences(diagnostics: &[Diagnostic]) -> String {
    diagnostics.iter().map(sentence).collect::<Vec<_>>().join(" ")
}

impl Model {
    /// The result. `scenario` is the document that the model names, if it names one.
    ///
    /// # Errors
    /// What is wrong with the scenario.
    pub fn result(&self, scenario: Option<&Value>) -> Result<Value, String> {
        match self {
            Self::Overlay { .. } => laid_over(&read(scenario.cloned().unwrap_or_default())?),
            Self::Plan { .. } => {
                let plan = planner::plan(&read(scenario.cloned().unwrap_or_default())?, &Traces::default());
                serde_json::to_value(plan.map_err(|found| sentences(&found))?).map_err(|error| error.to_string())
            }
            Self::Equations {
                link_gbps,
                packet_bytes,
                rtt_us,
                threshold_packets,
                ratios,
                gain,
                initial,
                epsilon,
                ..
            } => {
                let class = |ratio: &f64| dtm::Class { gain: *gain, ..dtm::Class::qtcp(*ratio, rtt_us / 2e6) };
                let classes = ratios.iter().map(class).collect();
                let mut parameters =
                    dtm::Parameters::new(link_gbps * 1e9 / 8.0 / packet_bytes, *threshold_packets, classes);
                parameters.cut = epsilon.map_or(dtm::CutRule::MarkSeen, dtm::CutRule::AlphaAbove);
                let initial = match initial {
                    InitialQueue::Threshold => dtm::Initial::Threshold,
                    InitialQueue::OnePacket => dtm::Initial::OnePacket,
                };
                Ok(alone(dtm::Model::new(parameters, initial)))
            }
        }
    }
}

/// The model of a scenario: what each class carries after the warm-up, and when it converges.
fn laid_over(scenario: &Scenario) -> Result<Value, String> {
    let warmup_us = scenario.measurement.warmup_us.ok_or("the scenario does not state its warm-up")?;
    let mut packets = vec![0.0; scenario.classes.len()];
    let mut seconds = 0.0;
    let found = overlay::trace(scenario, CLASS_SLOTS, |model, _| {
        if model.start_s() >= warmup_us / 1e6 {
            let length_s = model.end_s() - model.start_s();
            seconds += length_s;
            packets.iter_mut().zip(model.classes()).for_each(|(sum, class)| *sum += class.throughput_pps * length_s);
        }
    })
    .map_err(|diagnostics| sentences(&diagnostics))?;
    let gigabits = overlay::payload_bytes(scenario) * 8e-9;
    let classes = scenario.classes.iter().zip(packets).zip(found).map(|((class, packets), found)| {
        let carried_gbps = packets * gigabits / seconds;
        json!({ "name": class.name, "carriedGbps": carried_gbps, "convergedSlot": found.map(|found| found.slot) })
    });
    Ok(json!({ "classes": classes.collect::<Vec<_>>() }))
}

/// A model by itself, until every class has converged.
fn alone(mut model: dtm::Model) -> Value {
    let (band, slots) = CONVERGENCE;
    let mut search = dtm::ConvergenceSearch::new(model.classes().len(), dtm::Criterion::Mean, band, slots);
    for _ in 0..SLOTS {
        model.step();
        if search.look(&model) {
            break;
        }
    }
    let classes = search.found().into_iter().enumerate();
    let classes: Vec<Value> = classes
        .map(|(class, found)| json!({ "name": class.to_string(), "convergedSlot": found.map(|found| found.slot) }))
        .collect();
    json!({ "classes": classes })
}
