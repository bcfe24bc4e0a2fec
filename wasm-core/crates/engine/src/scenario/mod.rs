//! The scenario document: read, checked, migrated, changed and identified. The only floor that knows JSON.

mod change;
pub mod document;
mod faults;
mod migrate;
mod path;
mod semantics;
pub mod size;
mod validate;

use std::sync::LazyLock;

use serde_json::Value;

pub use change::changed;
pub use document::*;
pub use faults::Fault;
pub use path::{get_path, set_path};

/// The schema of the format, derived from the types once.
static SCHEMA: LazyLock<Value> = LazyLock::new(|| {
    let mut schema = schemars::schema_for!(Scenario).to_value();
    one_line_descriptions(&mut schema);
    schema
});

/// Reads a scenario from JSON text.
///
/// # Errors
/// Every fault of the document at once; a text that is not JSON is one fault with its line and column.
pub fn load(json: &str) -> Result<Scenario, Vec<Fault>> {
    let document = serde_json::from_str(json).map_err(|error| vec![broken(&error)])?;
    from_value(document)
}

/// Reads a scenario from a JSON value.
///
/// # Errors
/// Every fault of the document at once.
pub fn from_value(mut document: Value) -> Result<Scenario, Vec<Fault>> {
    whole_numbers(&mut document);
    migrate::migrate(&mut document).map_err(|fault| vec![fault])?;
    let mut faults = Vec::new();
    validate::check(&SCHEMA, &SCHEMA, &document, "", &mut faults);
    if !faults.is_empty() {
        let further = without(document, &faults).map(|scenario| meaning(&scenario)).unwrap_or_default();
        let further = further.into_iter().filter(|fault| faults.iter().all(|found| found.path != fault.path));
        return Err(faults.iter().cloned().chain(further).collect());
    }
    let scenario = from_checked(document).map_err(|fault| vec![fault])?;
    faults = meaning(&scenario);
    if faults.is_empty() { Ok(scenario) } else { Err(faults) }
}

/// Faults of a scenario whose form is right.
fn meaning(scenario: &Scenario) -> Vec<Fault> {
    let mut faults = semantics::check(scenario);
    faults.extend(change::check_timeline(scenario));
    faults
}

/// The scenario that is left when the fields at fault are taken out, so that what it means can be checked as well.
/// `None` if it needs one of them.
fn without(mut document: Value, faults: &[Fault]) -> Option<Scenario> {
    for fault in faults {
        let (parent, name) = fault.path.rsplit_once('.').unwrap_or(("", &fault.path));
        let fields = if parent.is_empty() { Some(&mut document) } else { path::get_path_mut(&mut document, parent) };
        fields?.as_object_mut()?.remove(name)?;
    }
    from_checked(document).ok()
}

/// The JSON Schema of the format, with the extension keys described in [`document`].
pub fn schema() -> Value {
    SCHEMA.clone()
}

/// Identity of a scenario: 16 hexadecimal digits, equal for two documents that mean the same.
///
/// FNV-1a (64 bits) of the canonical JSON: every default filled in, fields in the order of the format.
pub fn hash(scenario: &Scenario) -> String {
    let json = serde_json::to_string(scenario).unwrap_or_default();
    let hash = json
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
    format!("{hash:016x}")
}

/// The document of `scenario`, every default filled in.
pub fn as_value(scenario: &Scenario) -> Value {
    let mut document = serde_json::to_value(scenario).unwrap_or_default();
    whole_numbers(&mut document);
    document
}

/// The scenario of a document whose form has been checked.
fn from_checked(document: Value) -> Result<Scenario, Fault> {
    serde_json::from_value(document).map_err(|error| Fault::new("", error.to_string(), "Correct the document."))
}

fn broken(error: &serde_json::Error) -> Fault {
    let message = error.to_string();
    let what = message.rsplit_once(" at line ").map_or(message.as_str(), |(what, _)| what);
    let place = format!("line {}, column {}", error.line(), error.column());
    Fault::new("", format!("is not JSON: {what} at {place}"), "Correct the text there.")
}

/// Writes numbers such as `3.0` as `3`, so that either spelling is a whole number and means the same scenario.
fn whole_numbers(value: &mut Value) {
    const EXACT: f64 = 9_007_199_254_740_992.0;
    match value {
        Value::Number(number) => {
            let whole =
                number.as_f64().filter(|found| number.is_f64() && libm::trunc(*found) == *found && found.abs() < EXACT);
            if let Some(whole) = whole {
                *value = Value::from(whole as i64);
            }
        }
        Value::Array(elements) => elements.iter_mut().for_each(whole_numbers),
        Value::Object(fields) => fields.values_mut().for_each(whole_numbers),
        _ => (),
    }
}

/// Joins the lines that a description has in the source.
fn one_line_descriptions(schema: &mut Value) {
    match schema {
        Value::Object(fields) => {
            for (name, value) in fields {
                match value {
                    Value::String(text) if name == "description" => *text = text.replace('\n', " "),
                    value => one_line_descriptions(value),
                }
            }
        }
        Value::Array(elements) => elements.iter_mut().for_each(one_line_descriptions),
        _ => (),
    }
}

#[cfg(test)]
mod tests;
