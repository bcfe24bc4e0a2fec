//! The discrete-time model laid over the simulation of the same scenario.
//!
//! Stands on top of the layers, as it reads a scenario laid out by [`crate::simulation::plan`] and runs
//! [`crate::model::dtm`] on what it finds: the model of the bottleneck, in segments between the changes of the timeline
//! and the starts and stops of the workloads.

mod parameters;
mod series;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::Serialize;

use crate::model::dtm::{Convergence, ConvergenceSearch, Criterion, Initial, Model, Parameters};
use crate::scenario::document::{Change, Class, Scenario};
use crate::scenario::{self, Diagnostic};
use crate::simulation::plan::Plan;

use parameters::Crossing;
use series::Series;

/// Points of the curves at most.
const POINTS: usize = 600;
/// Class-slots that [`overlay`] computes at most: some tens of milliseconds. A longer run is followed only so far.
pub const OVERLAY_CLASS_SLOTS: u64 = 1_000_000;

/// The curves of the model for a chart.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "ModelOverlay")]
pub struct Overlay {
    /// Start of each point's slots, in microseconds.
    pub time_us: Vec<f64>,
    /// By class.
    pub classes: Vec<ClassCurves>,
    /// Packets in the queue of the bottleneck.
    pub queue_packets: Vec<f64>,
    /// What the model leaves out of this scenario, a sentence each.
    pub remarks: Vec<String>,
}

/// The curves of one class. `NaN`, null in JSON, where the class takes no part, or has a transport without a model.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "ModelCurves")]
pub struct ClassCurves {
    /// Its name.
    pub name: String,
    /// Payload carried by the bottleneck.
    #[schemars(with = "Vec<Option<f64>>")]
    pub throughput_gbps: Vec<f64>,
    /// Quality factor.
    #[schemars(with = "Vec<Option<f64>>")]
    pub quality_factor: Vec<f64>,
    /// Number of the slot from which the mean of Q lies in the band, since the last change. None if it never does.
    pub converged_slot: Option<u64>,
    /// Start of that slot, in microseconds.
    pub converged_at_us: Option<f64>,
}

/// Runs the model of `scenario` and decimates what it finds, for a chart.
///
/// # Errors
/// Diagnostics that show only when the network is laid out.
pub fn overlay(scenario: &Scenario) -> Result<Overlay, Vec<Diagnostic>> {
    let classes = scenario.classes.len();
    let mut series = Series::new(1 + 2 * classes, POINTS);
    let payload_gigabits = payload_bytes(scenario) * 8e-9;
    let mut remarks = Remarks::default();
    let converged = trace(scenario, OVERLAY_CLASS_SLOTS, |model, current| {
        remarks.look(current);
        let throughputs = model.classes().iter().zip(&current.classes).map(|(state, class)| {
            if class.transport.describe().model.is_some() { state.throughput_pps * payload_gigabits } else { f64::NAN }
        });
        let row = core::iter::once(model.queue_packets()).chain(throughputs).chain(model.qualities_of_demand());
        series.push(model.start_s() * 1e6, row);
    })?;
    let curves = |(index, class): (usize, &Class)| ClassCurves {
        name: class.name.clone(),
        throughput_gbps: series.column(1 + index),
        quality_factor: series.column(1 + classes + index),
        converged_slot: converged[index].map(|found| found.slot),
        converged_at_us: converged[index].map(|found| found.start_s * 1e6),
    };
    Ok(Overlay {
        time_us: series.times(),
        classes: scenario.classes.iter().enumerate().map(curves).collect(),
        queue_packets: series.column(0),
        remarks: remarks.sentences(scenario),
    })
}

/// What the model leaves out, by class, at any time of the run.
#[derive(Default)]
struct Remarks {
    /// By title of the transport.
    without_model: BTreeMap<&'static str, BTreeSet<usize>>,
    without_deadlines: BTreeMap<&'static str, BTreeSet<usize>>,
    without_priority: BTreeSet<usize>,
}

impl Remarks {
    fn look(&mut self, current: &Scenario) {
        for (index, class) in current.classes.iter().enumerate() {
            let transport = class.transport.describe();
            if transport.model.is_none() {
                self.without_model.entry(transport.title).or_default().insert(index);
            } else if transport.follows_deadlines {
                self.without_deadlines.entry(transport.title).or_default().insert(index);
            }
            if current.priority_of(class) > 0 {
                self.without_priority.insert(index);
            }
        }
    }

    fn sentences(&self, scenario: &Scenario) -> Vec<String> {
        let list = |classes: &BTreeSet<usize>| {
            let names: Vec<&str> = classes.iter().map(|&index| scenario.classes[index].name.as_str()).collect();
            names.join(", ")
        };
        let without_model = self.without_model.iter().map(|(title, classes)| {
            let left_out = list(classes);
            format!("{title} has no discrete-time model: the curves leave out {left_out} and the room it takes.")
        });
        let without_deadlines = self
            .without_deadlines
            .iter()
            .map(|(title, classes)| format!("{title} is computed as DCTCP, blind to deadlines: {}.", list(classes)));
        let without_priority = (!self.without_priority.is_empty()).then(|| {
            let urgent = list(&self.without_priority);
            format!("Every packet waits in one queue in the model, also those of {urgent}.")
        });
        without_model.chain(without_deadlines).chain(without_priority).collect()
    }
}

/// Payload of a full packet, in bytes: the unit of the model.
pub fn payload_bytes(scenario: &Scenario) -> f64 {
    f64::from(scenario.host.mtu_bytes - scenario.host.header_bytes)
}

/// Runs the model of `scenario`, at most `class_slots` classes times slots, and shows it to `observe` after each slot, with
/// the scenario as it is then.
/// Returns when each class converged, counted from the last change.
///
/// # Errors
/// Diagnostics that show only when the network is laid out.
pub fn trace(
    scenario: &Scenario,
    class_slots: u64,
    mut observe: impl FnMut(&Model, &Scenario),
) -> Result<Vec<Option<Convergence>>, Vec<Diagnostic>> {
    let plan = Plan::new(scenario)?;
    let mut segments = Segments { crossing: Crossing::new(&plan), plan, current: scenario.clone(), next_change: 0 };
    let (parameters, mut next_us) = segments.enter(0.0)?;
    let mut model = Model::new(parameters, Initial::Threshold);
    segments.crossing.hand_over(&segments.current, f64::NEG_INFINITY, 0.0, &mut model);
    let mut search = search(scenario);
    let mut entered_us = 0.0;
    for _ in 0..class_slots / scenario.classes.len() as u64 {
        model.step();
        search.look(&model);
        observe(&model, &segments.current);
        let now_us = model.end_s() * 1e6;
        if now_us >= scenario.duration_us {
            break;
        }
        if now_us >= next_us {
            let parameters;
            (parameters, next_us) = segments.enter(now_us)?;
            model.set_parameters(parameters);
            segments.crossing.hand_over(&segments.current, entered_us, now_us, &mut model);
            search = self::search(scenario);
            entered_us = now_us;
        }
    }
    Ok(search.found())
}

fn search(scenario: &Scenario) -> ConvergenceSearch {
    let measurement = &scenario.measurement;
    let slots = measurement.convergence_rtts as usize;
    ConvergenceSearch::new(scenario.classes.len(), Criterion::Mean, measurement.convergence_band, slots)
}

/// The run, cut into stretches in which no parameter changes.
struct Segments {
    plan: Plan,
    crossing: Crossing,
    /// The scenario with the changes so far.
    current: Scenario,
    next_change: usize,
}

impl Segments {
    /// The parameters that hold from `now_us` on, and until when.
    fn enter(&mut self, now_us: f64) -> Result<(Parameters, f64), Vec<Diagnostic>> {
        let due = |change: &&Change| change.at_us <= now_us;
        while let Some(change) = self.current.timeline.get(self.next_change).filter(due).cloned() {
            scenario::apply(&mut self.current, &change.path, &change.value)?;
            self.next_change += 1;
        }
        let settings = self.plan.settings(&self.current)?;
        let parameters = self.crossing.parameters(&self.current, &self.plan, &settings, now_us);
        let change_us = self.current.timeline.get(self.next_change).map_or(f64::INFINITY, |change| change.at_us);
        Ok((parameters, self.crossing.next_start_or_stop_us(&self.current, now_us).min(change_us)))
    }
}
