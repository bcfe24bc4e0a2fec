//! Changes of fields: live ones of the timeline, live ones that a person makes while a run goes on, and any that a story
//! offers.

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::assign::set_path;
use super::diagnostics::{Diagnostic, Diagnostics, closest, quoted, shortened};
use super::document::{Class, Endpoints, FieldChange, Scenario, Shape, Switch, Workload};
use super::path::{Step, get_path, parse};
use super::validate::{check, field_names, join, schema_at};
use super::{as_value, schema, semantics, whole_numbers};

/// Why a change cannot be made.
enum Refusal {
    /// It names no live field.
    Path(Diagnostic),
    /// The value does not fit there.
    Value(Vec<Diagnostic>),
}

/// The scenario with `value` at `path`. The timeline is left as it is.
///
/// # Errors
/// Every diagnostic of the change: `path` is not the path of a live field, or `value` does not fit there.
pub fn changed(scenario: &Scenario, path: &str, value: &Value) -> Result<Scenario, Vec<Diagnostic>> {
    let mut changed = scenario.clone();
    apply(&mut changed, path, value)?;
    Ok(changed)
}

/// Puts `value` at `path`. The timeline is left as it is.
///
/// # Errors
/// Every diagnostic of the change, the scenario being left as it was: `path` is not the path of a live field, or `value`
/// does not fit there.
pub fn apply(scenario: &mut Scenario, path: &str, value: &Value) -> Result<(), Vec<Diagnostic>> {
    attempt(scenario, path, value).map_err(|refusal| match refusal {
        Refusal::Path(diagnostic) => vec![diagnostic],
        Refusal::Value(diagnostics) => diagnostics,
    })
}

/// Adds what is wrong with the timeline of `scenario`, each change being tried on what the earlier ones leave. Tells
/// `on_state` of every state of the scenario, without its timeline, and until when it holds; the last one holds for ever.
pub(super) fn replay(scenario: &Scenario, diagnostics: &mut Diagnostics, mut on_state: impl FnMut(&Scenario, f64)) {
    let mut state = Scenario { timeline: Vec::new(), ..scenario.clone() };
    let mut before = 0.0;
    for (index, entry) in scenario.timeline.iter().enumerate() {
        if entry.at_us < before {
            diagnostics.push(Diagnostic::new(
                format!("timeline[{index}].atUs"),
                format!("is {} us, earlier than the change before it at {before} us", entry.at_us),
                "Put the changes in order of time.",
            ));
        }
        before = entry.at_us;
        on_state(&state, entry.at_us);
        match attempt(&mut state, &entry.path, &entry.value) {
            Ok(()) => (),
            Err(Refusal::Path(diagnostic)) => diagnostics.push(Diagnostic {
                path: format!("timeline[{index}].path"),
                reason: format!("names {}, which {}", quoted(&entry.path), diagnostic.reason),
                ..diagnostic
            }),
            Err(Refusal::Value(refused)) => {
                diagnostics.extend(
                    refused
                        .into_iter()
                        .map(|diagnostic| Diagnostic { path: format!("timeline[{index}].value"), ..diagnostic }),
                );
            }
        }
        if diagnostics.is_full() {
            break;
        }
    }
    on_state(&state, f64::INFINITY);
}

/// Adds what is wrong with the changes that the story of `scenario` offers: a path that leads nowhere, a value that does not
/// have the form of the field. What a field means beside others shows when it is tried.
pub(super) fn tries(scenario: &Scenario, diagnostics: &mut Diagnostics) {
    let tries = scenario.story.iter().flat_map(|story| &story.tries);
    let mut document = if tries.clone().next().is_some() { as_value(scenario) } else { return };
    for (index, offered) in tries.enumerate() {
        // What was there before, so that every try begins with the scenario as it is.
        let mut before = Vec::new();
        for (place, change) in offered.changes.iter().enumerate() {
            let path = format!("story.tries[{index}].changes[{place}]");
            let previous = get_path(&document, &change.path).cloned().unwrap_or_default();
            match offered_change(&mut document, change) {
                Ok(()) => before.push((&change.path, previous)),
                Err(Refusal::Path(diagnostic)) => diagnostics.push(Diagnostic {
                    path: format!("{path}.path"),
                    reason: format!("names {}, which {}", quoted(&change.path), diagnostic.reason),
                    ..diagnostic
                }),
                Err(Refusal::Value(refused)) => diagnostics.extend(
                    refused.into_iter().map(|diagnostic| Diagnostic { path: format!("{path}.value"), ..diagnostic }),
                ),
            }
        }
        for (path, previous) in before.into_iter().rev() {
            let _unreachable = set_path(&mut document, path, previous);
        }
    }
}

/// Changes any field of `document`, or leaves it as it was and says why.
fn offered_change(document: &mut Value, change: &FieldChange) -> Result<(), Refusal> {
    let steps = steps(&change.path)?;
    let field =
        schema_at(schema(), document, &steps).ok_or_else(|| Refusal::Path(unknown(document, &change.path, &steps)))?;
    fits(field, &change.value, &change.path)?;
    set_path(document, &change.path, change.value.clone()).map_err(Refusal::Path)
}

/// Changes the section of `scenario` that `path` leads into, without a look at the others: a timeline may have thousands
/// of changes, and a section thousands of entries.
fn attempt(scenario: &mut Scenario, path: &str, value: &Value) -> Result<(), Refusal> {
    let steps = parse(path).unwrap_or_default();
    match steps[..] {
        [Step::Field("topology"), _, ..] => {
            // The shape never changes, and may be long.
            let topology = &mut scenario.topology;
            let shape = std::mem::replace(&mut topology.shape, Shape::FatTree { k: 2 });
            let done = attempt_section(topology, path, value, |section| json!({ "topology": section }), "/topology");
            topology.shape = shape;
            done
        }
        [Step::Field("switch"), _, ..] => {
            attempt_section(&mut scenario.switch, path, value, |section| json!({ "switch": section }), "/switch")
        }
        [Step::Field("qos"), _, ..] => {
            attempt_section(&mut scenario.qos, path, value, |section| json!({ "qos": section }), "/qos")
        }
        [Step::Field("access"), _, ..] => {
            attempt_section(&mut scenario.access, path, value, |section| json!({ "access": section }), "/access")
        }
        [Step::Field("storage"), _, ..] => {
            attempt_section(&mut scenario.storage, path, value, |section| json!({ "storage": section }), "/storage")
        }
        [Step::Field("classes"), Step::Index(index), ..] if index < scenario.classes.len() => {
            let list = |section| json!({ "classes": alone(section, index) });
            attempt_section(&mut scenario.classes[index], path, value, list, &format!("/classes/{index}"))
        }
        [Step::Field("workloads"), Step::Index(index), ..] if index < scenario.workloads.len() => {
            // Nor do endpoints.
            let workload = &mut scenario.workloads[index];
            let endpoints = std::mem::replace(&mut workload.endpoints, Endpoints::Permutation {});
            let before = workload.clone();
            let list = |section| json!({ "workloads": alone(section, index) });
            let mut done = attempt_section(workload, path, value, list, &format!("/workloads/{index}"));
            if let Some(diagnostic) = semantics::draws(index, workload, scenario.duration_us) {
                *workload = before;
                done = Some(Err(Refusal::Value(vec![diagnostic])));
            }
            workload.endpoints = endpoints;
            done
        }
        _ => None,
    }
    // Anything else is refused, for which the whole document is looked at.
    .unwrap_or_else(|| change(&mut as_value(scenario), path, value))
}

/// A list with one entry at `index`, and nothing before it.
fn alone(entry: Value, index: usize) -> Value {
    let mut list = vec![Value::Null; index];
    list.push(entry);
    Value::Array(list)
}

/// Changes a section that `document` puts in its place in a document, where `pointer` finds it again. None if the path is
/// refused: the reason depends on the rest of the document.
fn attempt_section<T: Serialize + DeserializeOwned>(
    section: &mut T,
    path: &str,
    value: &Value,
    document: impl Fn(Value) -> Value,
    pointer: &str,
) -> Option<Result<(), Refusal>> {
    let mut document = document(serde_json::to_value(&*section).ok()?);
    match change(&mut document, path, value) {
        Ok(()) => {
            let changed = document.pointer_mut(pointer).map(Value::take)?;
            *section = serde_json::from_value(changed).ok()?;
            Some(Ok(()))
        }
        Err(Refusal::Path(_)) => None,
        refused => Some(refused),
    }
}

/// Changes `document`, or leaves it as it was and says why.
fn change(document: &mut Value, path: &str, value: &Value) -> Result<(), Refusal> {
    let steps = steps(path)?;
    let field = schema_at(schema(), document, &steps).ok_or_else(|| Refusal::Path(unknown(document, path, &steps)))?;
    if field.get("x-live") != Some(&Value::Bool(true)) {
        let hint = "Set it in the scenario itself and start the run again.";
        return Err(Refusal::Path(Diagnostic::new(path, "cannot change while a run goes on", hint)));
    }
    fits(field, value, path)?;
    let mut value = value.clone();
    whole_numbers(&mut value);
    let previous = get_path(document, path).cloned().unwrap_or_default();
    set_path(document, path, value).map_err(Refusal::Path)?;
    if let Some(diagnostic) = consequence(document, &steps) {
        set_path(document, path, previous).map_err(Refusal::Path)?;
        return Err(Refusal::Value(vec![diagnostic]));
    }
    Ok(())
}

fn steps(path: &str) -> Result<Vec<Step<'_>>, Refusal> {
    parse(path).ok_or_else(|| {
        let hint = "Write it like `switch.ecnThresholdPackets` or `classes[0].ratio`.";
        Refusal::Path(Diagnostic::new(shortened(path), "is not written as the path of a field", hint))
    })
}

/// Whether `value` has the form of the field at `path`.
fn fits(field: &Value, value: &Value, path: &str) -> Result<(), Refusal> {
    let mut diagnostics = Diagnostics::default();
    check(schema(), field, value, path, &mut diagnostics);
    if diagnostics.is_empty() { Ok(()) } else { Err(Refusal::Value(diagnostics.into_vec())) }
}

/// What a change at `steps` breaks in the section it belongs to.
fn consequence(document: &Value, steps: &[Step<'_>]) -> Option<Diagnostic> {
    match steps {
        [Step::Field("switch"), ..] => semantics::switch(&section::<Switch>(&document["switch"])?),
        [Step::Field("classes"), Step::Index(index), ..] => {
            semantics::class(*index, &section::<Class>(&document["classes"][*index])?)
        }
        [Step::Field("workloads"), Step::Index(index), ..] => {
            semantics::times(*index, &section::<Workload>(&document["workloads"][*index])?)
        }
        _ => None,
    }
}

fn section<T: DeserializeOwned>(value: &Value) -> Option<T> {
    serde_json::from_value(value.clone()).ok()
}

/// The diagnostic of a path that leads nowhere, with the nearest name at the step that fails.
fn unknown(document: &Value, path: &str, steps: &[Step<'_>]) -> Diagnostic {
    let known =
        (0..steps.len()).rev().find(|&length| schema_at(schema(), document, &steps[..length]).is_some()).unwrap_or(0);
    let place = steps[..known].iter().fold(String::new(), |place, step| match step {
        Step::Field(name) => join(&place, name),
        Step::Index(index) => format!("{place}[{index}]"),
    });
    let hint = match steps[known] {
        Step::Index(_) => {
            let length = get_path(document, &place).and_then(Value::as_array).map_or(0, Vec::len);
            format!("`{place}` has {length} entries, counted from 0.")
        }
        Step::Field(name) => match closest(name, field_names(schema(), document, &steps[..known])) {
            Some(meant) => format!("Did you mean `{}`?", join(&place, meant)),
            None => "Choose a field of the scenario.".into(),
        },
    };
    Diagnostic::new(path, "is not a field of this scenario", hint)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::{from_value, tests::minimal};
    use serde_json::json;

    #[test]
    fn a_live_field_changes_and_nothing_else_does() {
        let scenario = from_value(minimal()).unwrap();
        let after = changed(&scenario, "classes[0].transport", &json!("dctcp")).unwrap();
        let mut expected = as_value(&scenario);
        expected["classes"][0]["transport"] = json!("dctcp");
        assert_eq!(as_value(&after), expected);
        let stopped = changed(&scenario, "workloads[0].stopUs", &json!(500)).unwrap();
        assert_eq!(stopped.workloads[0].stop_us, Some(500.0));
        assert_eq!(changed(&stopped, "workloads[0].stopUs", &json!(null)).unwrap(), scenario);
    }

    #[test]
    fn live_fields_of_every_section_change() {
        let scenario = from_value(minimal()).unwrap();
        for (path, value) in [
            ("topology.linkDelayUs", json!(7.5)),
            ("switch.ecnThresholdPackets", json!(77)),
            ("access.queueDepth", json!(7)),
            ("access.software.hostLatencyUs", json!(7.5)),
            ("storage.treatment", json!("agnostic")),
            ("storage.nvme.highWeight", json!(7)),
            ("storage.ssd.gcThreshold", json!(0.125)),
        ] {
            let after = as_value(&changed(&scenario, path, &value).unwrap());
            assert_eq!(get_path(&after, path), Some(&value), "{path}");
        }
    }

    #[test]
    fn a_change_that_cannot_be_made_says_why() {
        let scenario = from_value(minimal()).unwrap();
        for (path, value, place, reason, hint) in [
            (
                "clases[0].ratio",
                json!(1),
                "clases[0].ratio",
                "is not a field of this scenario",
                "Did you mean `classes`?",
            ),
            (
                "classes[0].rato",
                json!(1),
                "classes[0].rato",
                "is not a field of this scenario",
                "Did you mean `classes[0].ratio`?",
            ),
            (
                "classes[7].ratio",
                json!(1),
                "classes[7].ratio",
                "is not a field of this scenario",
                "`classes` has 2 entries, counted from 0.",
            ),
            (
                "seed",
                json!(1),
                "seed",
                "cannot change while a run goes on",
                "Set it in the scenario itself and start the run again.",
            ),
            (
                "classes[0]",
                json!({}),
                "classes[0]",
                "cannot change while a run goes on",
                "Set it in the scenario itself and start the run again.",
            ),
            (
                "classes[0].ratio",
                json!(-2),
                "classes[0].ratio",
                "is -2, below the least value 0.001",
                "Give a number from 0.001 to 1000.",
            ),
            (
                "workloads[0].stopUs",
                json!(0),
                "workloads[0].stopUs",
                "is 0 us, not after the start at 0 us",
                "Give a later time, or leave it out to go on to the end of the run.",
            ),
            (
                "a..b",
                json!(1),
                "a..b",
                "is not written as the path of a field",
                "Write it like `switch.ecnThresholdPackets` or `classes[0].ratio`.",
            ),
        ] {
            let diagnostics = changed(&scenario, path, &value).unwrap_err();
            assert_eq!(diagnostics, [Diagnostic::new(place, reason, hint)]);
        }
    }
}
