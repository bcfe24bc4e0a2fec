//! Changes of live fields: those of the timeline, and those that a person makes while a run goes on.

use serde_json::Value;

use super::document::{Class, Scenario, Switch, Workload};
use super::faults::{Fault, closest};
use super::path::{Step, get_path, parse, set_path};
use super::validate::{check, field_names, join, schema_at};
use super::{SCHEMA, as_value, from_checked, semantics, whole_numbers};

/// Why a change cannot be made.
enum Refusal {
    /// It names no live field.
    Path(Fault),
    /// The value does not fit there.
    Value(Vec<Fault>),
}

/// The scenario with `value` at `path`. The timeline is left as it is.
///
/// # Errors
/// Every fault of the change: `path` is not the path of a live field, or `value` does not fit there.
pub fn changed(scenario: &Scenario, path: &str, value: &Value) -> Result<Scenario, Vec<Fault>> {
    let mut document = as_value(scenario);
    change(&mut document, path, value).map_err(|refusal| match refusal {
        Refusal::Path(fault) => vec![fault],
        Refusal::Value(faults) => faults,
    })?;
    from_checked(document).map_err(|fault| vec![fault])
}

/// Faults of the timeline of `scenario`, each change being tried on what the earlier ones leave.
pub(super) fn check_timeline(scenario: &Scenario) -> Vec<Fault> {
    let mut faults = Vec::new();
    if scenario.timeline.is_empty() {
        return faults;
    }
    let mut document = as_value(scenario);
    let mut before = 0.0;
    for (index, entry) in scenario.timeline.iter().enumerate() {
        if entry.at_us < before {
            faults.push(Fault::new(
                format!("timeline[{index}].atUs"),
                format!("is {} us, earlier than the change before it at {before} us", entry.at_us),
                "Put the changes in order of time.",
            ));
        }
        before = entry.at_us;
        match change(&mut document, &entry.path, &entry.value) {
            Ok(()) => (),
            Err(Refusal::Path(fault)) => faults.push(Fault {
                path: format!("timeline[{index}].path"),
                reason: format!("names {:?}, which {}", entry.path, fault.reason),
                ..fault
            }),
            Err(Refusal::Value(refused)) => {
                faults.extend(
                    refused.into_iter().map(|fault| Fault { path: format!("timeline[{index}].value"), ..fault }),
                );
            }
        }
    }
    faults
}

/// Changes `document`, or leaves it as it was and says why.
fn change(document: &mut Value, path: &str, value: &Value) -> Result<(), Refusal> {
    let steps = parse(path).ok_or_else(|| {
        let fix = "Write it like `switch.ecnThresholdPackets` or `classes[0].ratio`.";
        Refusal::Path(Fault::new(path, "is not written as the path of a field", fix))
    })?;
    let schema = schema_at(&SCHEMA, document, &steps).ok_or_else(|| Refusal::Path(unknown(document, path, &steps)))?;
    if schema.get("x-live") != Some(&Value::Bool(true)) {
        let fix = "Set it in the scenario itself and start the run again.";
        return Err(Refusal::Path(Fault::new(path, "cannot change while a run goes on", fix)));
    }
    let mut faults = Vec::new();
    check(&SCHEMA, schema, value, path, &mut faults);
    if !faults.is_empty() {
        return Err(Refusal::Value(faults));
    }
    let mut value = value.clone();
    whole_numbers(&mut value);
    let previous = get_path(document, path).cloned().unwrap_or_default();
    set_path(document, path, value).map_err(Refusal::Path)?;
    if let Some(fault) = consequence(document, &steps) {
        set_path(document, path, previous).map_err(Refusal::Path)?;
        return Err(Refusal::Value(vec![fault]));
    }
    Ok(())
}

/// What a change at `steps` breaks in the section it belongs to.
fn consequence(document: &Value, steps: &[Step<'_>]) -> Option<Fault> {
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

fn section<T: serde::de::DeserializeOwned>(value: &Value) -> Option<T> {
    serde_json::from_value(value.clone()).ok()
}

/// The fault of a path that leads nowhere, with the nearest name at the step that fails.
fn unknown(document: &Value, path: &str, steps: &[Step<'_>]) -> Fault {
    let known =
        (0..steps.len()).rev().find(|&length| schema_at(&SCHEMA, document, &steps[..length]).is_some()).unwrap_or(0);
    let place = steps[..known].iter().fold(String::new(), |place, step| match step {
        Step::Field(name) => join(&place, name),
        Step::Index(index) => format!("{place}[{index}]"),
    });
    let fix = match steps[known] {
        Step::Index(_) => {
            let length = get_path(document, &place).and_then(Value::as_array).map_or(0, Vec::len);
            format!("`{place}` has {length} entries, counted from 0.")
        }
        Step::Field(name) => match closest(name, field_names(&SCHEMA, document, &steps[..known])) {
            Some(meant) => format!("Did you mean `{}`?", join(&place, meant)),
            None => "Choose a live field of the scenario.".into(),
        },
    };
    Fault::new(path, "is not a field of this scenario", fix)
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
    fn a_change_that_cannot_be_made_says_why() {
        let scenario = from_value(minimal()).unwrap();
        for (path, value, place, reason, fix) in [
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
            let faults = changed(&scenario, path, &value).unwrap_err();
            assert_eq!(faults, [Fault::new(place, reason, fix)]);
        }
    }
}
