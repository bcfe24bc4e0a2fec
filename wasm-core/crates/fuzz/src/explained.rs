//! What the engine explains of a scenario must be so: a field that is said to have no effect changes nothing, one that is said to
//! move targets changes no outcome, and a value in force can be written into the document, where it changes nothing.
//!
//! All fields of a scenario are tried at once, in one run beside the one that is known; only where that comes to something
//! else are they tried one by one.

use qoscope_engine::catalogue::{FieldExplanation, explain};
use qoscope_engine::kernel::random::Stream;
use qoscope_engine::scenario::fields::{self, Field, Form};
use qoscope_engine::scenario::{self, Diagnostic, FieldChange, Scenario};
use qoscope_engine::simulation::Simulation;
use serde_json::{Value, json};

use crate::generate::log_uniform;

/// How often changes that are refused are taken out of those tried at once.
const ROUNDS: usize = 12;
/// Events of a run, over those of the one that it is compared with, after which it is another one.
const MORE_EVENTS: u64 = 8;

/// Fields whose value in force is not what the document would have to say: the cached part of a mapping table keeps the entries
/// of its preset, which a number of bytes cannot say.
#[cfg(test)]
const NOT_WRITTEN: [&str; 1] = ["storage.ssd.mappingCacheBytes"];

/// Fields that are wrongly said to have no effect in a scenario that runs for so many events, each given another value so many
/// times; and how many changes that were.
pub fn false_idle(scenario: &Scenario, events: u64, rounds: u64, random: &mut Stream) -> (usize, Vec<String>) {
    let Some(mut known) = Known::new(scenario, events) else { return (0, Vec::new()) };
    let found = (0..rounds).flat_map(|_| known.false_idle(random)).collect();
    (known.tried, found)
}

/// Values in force at the start of a scenario that its document refuses, or that make it another one. Delays that a stated base
/// RTT adds may be longer than a document may state, so not every scenario that can be drawn is free of these.
#[cfg(test)]
pub fn not_written_out(scenario: &Scenario, events: u64) -> Vec<String> {
    let unchanged = Known::new(&Scenario { timeline: Vec::new(), ..scenario.clone() }, events);
    unchanged.iter().flat_map(Known::not_written_out).collect()
}

/// A run that is known, up to an instant.
struct Known {
    document: Value,
    now_ps: u64,
    events: u64,
    outcome: u64,
    digest: u64,
    fields: Vec<FieldExplanation>,
    /// Fields that were said to have no effect, and were given other values.
    tried: usize,
}

impl Known {
    /// Runs a scenario for so many events; none where its network cannot be laid out.
    fn new(scenario: &Scenario, events: u64) -> Option<Self> {
        let mut simulation = Simulation::new(scenario).ok()?;
        let fields = explain(scenario).ok()?.fields;
        simulation.advance(u64::MAX, events);
        Some(Self {
            document: scenario::as_value(scenario),
            now_ps: simulation.now_ps(),
            events: simulation.events(),
            outcome: simulation.outcome_digest(),
            digest: simulation.digest(),
            fields,
            tried: 0,
        })
    }

    /// Fields said to have no effect that have one, when they are given other values: on what happens, or, unless they are said to
    /// move targets, on what is measured.
    fn false_idle(&mut self, random: &mut Stream) -> Vec<String> {
        let forms = fields::document().all();
        let idle = |moves_target: bool| {
            self.fields.iter().filter(move |field| {
                field.no_effect.as_ref().is_some_and(|no_effect| moves_target || !no_effect.moves_target)
            })
        };
        let mut change = |field: &FieldExplanation| {
            let form = forms.iter().find(|form| form.path == fields::pattern(&field.path))?;
            let value = another(form, &field.value, random)?;
            Some(FieldChange { path: field.path.clone(), value })
        };
        let all: Vec<FieldChange> = idle(true).filter_map(&mut change).collect();
        let silent: Vec<FieldChange> = idle(false).filter_map(&mut change).collect();
        let (tried, mut found) = self.wrong(all, "has an effect", |(outcome, _)| outcome == self.outcome);
        let (also_tried, measured) = self.wrong(silent, "moves what is measured", |(_, digest)| digest == self.digest);
        found.extend(measured);
        self.tried += tried + also_tried;
        found
    }

    /// How many of some changes were accepted, and which of them give a run, by its digests, that is another one.
    fn wrong(
        &self,
        changes: Vec<FieldChange>,
        what: &str,
        is_same: impl Fn((u64, u64)) -> bool,
    ) -> (usize, Vec<String>) {
        let (together, accepted) = self.run_accepted(changes);
        if together.is_none_or(&is_same) {
            return (accepted.len(), Vec::new());
        }
        let differs = |change: &&FieldChange| self.run(std::slice::from_ref(*change)).is_ok_and(|run| !is_same(run));
        let reason = |path: &str| {
            let said = self.fields.iter().find(|field| field.path == path)?.no_effect.as_ref()?;
            Some(said.reason.clone())
        };
        let found = accepted.iter().filter(differs);
        let found =
            found.map(|change| format!("{} = {} {what}: {:?}", change.path, change.value, reason(&change.path)));
        (accepted.len(), found.collect())
    }

    /// Values in force that the document refuses, or that make it another scenario. Of those that vary one is tried alone: it has
    /// to be accepted.
    #[cfg(test)]
    fn not_written_out(&self) -> Vec<String> {
        let mut refused: Vec<String> =
            self.fields.iter().filter(|field| field.varies).filter_map(|field| self.refused(field)).collect();
        let mut changes: Vec<FieldChange> =
            self.fields.iter().filter(|field| !field.varies).filter_map(stated).collect();
        changes.retain(|change| !NOT_WRITTEN.contains(&change.path.as_str()));
        let written: Vec<FieldChange> = changes
            .into_iter()
            .filter(|change| scenario::get_path(&self.document, &change.path) != Some(&change.value))
            .collect();
        match self.run(&written) {
            Ok((_, digest)) if digest == self.digest => return refused,
            _ => {}
        }
        let fault = |change: &FieldChange| match self.run(std::slice::from_ref(change)) {
            Ok((_, digest)) if digest == self.digest => None,
            Ok(_) => Some(format!("{} = {} is another scenario", change.path, change.value)),
            Err(refused) => Some(format!("{} = {} is refused: {refused:?}", change.path, change.value)),
        };
        let found: Vec<String> = written.iter().filter_map(fault).collect();
        if found.is_empty() {
            refused.push(format!("only together: {:?}", self.run(&written).err()));
        }
        refused.extend(found);
        refused
    }

    /// Why the document refuses a value in force by its own range, if it does.
    #[cfg(test)]
    fn refused(&self, field: &FieldExplanation) -> Option<String> {
        let change = stated(field)?;
        let mut document = self.document.clone();
        scenario::set_path(&mut document, &change.path, change.value.clone()).ok()?;
        let diagnostics = scenario::from_value(document).err()?;
        let own = diagnostics.iter().find(|diagnostic| diagnostic.path == change.path)?;
        Some(format!("{} = {} is refused: {own:?}", change.path, change.value))
    }

    /// Runs with those of some changes that are accepted together, and which those are; nothing where none is.
    fn run_accepted(&self, mut changes: Vec<FieldChange>) -> (Option<(u64, u64)>, Vec<FieldChange>) {
        for _ in 0..ROUNDS {
            if changes.is_empty() {
                return (None, changes);
            }
            match self.run(&changes) {
                Ok(run) => return (Some(run), changes),
                Err(diagnostics) => {
                    let before = changes.len();
                    let named = |path: &str| diagnostics.iter().any(|diagnostic| diagnostic.path.starts_with(path));
                    changes.retain(|change| !named(&change.path));
                    if changes.len() == before {
                        changes.truncate(before / 2);
                    }
                }
            }
        }
        (None, Vec::new())
    }

    /// The digests of what happens, and of all that is measured, with some fields changed.
    fn run(&self, changes: &[FieldChange]) -> Result<(u64, u64), Vec<Diagnostic>> {
        let mut document = self.document.clone();
        for FieldChange { path, value } in changes {
            scenario::set_path(&mut document, path, value.clone()).map_err(|diagnostic| vec![diagnostic])?;
        }
        let mut simulation = Simulation::new(&scenario::from_value(document)?)?;
        simulation.advance(self.now_ps, MORE_EVENTS * self.events);
        Ok((simulation.outcome_digest(), simulation.digest()))
    }
}

/// A value in force, as a change that writes it out.
#[cfg(test)]
fn stated(field: &FieldExplanation) -> Option<FieldChange> {
    (!field.value.is_null()).then(|| FieldChange { path: field.path.clone(), value: field.value.clone() })
}

/// Another value of a field, most often a legal one; none where it holds no number, word or flag.
fn another(form: &Field, value: &Value, random: &mut Stream) -> Option<Value> {
    if let Some(found) = value.as_bool() {
        return Some(json!(!found));
    }
    let mut others: Vec<Value> = form.options.iter().map(|option| json!(option.value)).collect();
    let (low, high) = (form.minimum.as_ref(), form.maximum.as_ref());
    let (low, high) = (low.and_then(Value::as_f64).unwrap_or(0.0), high.and_then(Value::as_f64).unwrap_or(4e9));
    if matches!(form.form, Form::Number | Form::Integer) {
        let mut numbers = vec![low, high, log_uniform(random, low.max(1e-9 * high), high)];
        if let Some(slider) = &form.slider {
            numbers.extend([
                slider.low,
                slider.high,
                log_uniform(random, slider.low.max(1e-9 * slider.high), slider.high),
            ]);
        }
        if let Some(now) = value.as_f64() {
            numbers.extend([now * 2.0, now / 2.0]);
        }
        let whole = form.form == Form::Integer;
        others.extend(numbers.into_iter().map(|number| if whole { json!(number as u64) } else { json!(number) }));
    }
    others.retain(|other| other != value);
    let last = others.len().checked_sub(1)?;
    Some(others.swap_remove(random.integer(0, last as u64) as usize))
}
