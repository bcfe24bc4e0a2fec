//! The scenario document: read, checked, migrated, changed and identified. The only floor that knows JSON.

mod assign;
mod base;
mod change;
mod diagnostics;
pub mod document;
pub mod fields;
mod hosts;
mod laws;
mod limits;
mod migrate;
pub mod network_files;
mod path;
mod read;
mod semantics;
pub mod shape;
pub mod size;
mod validate;
mod warnings;
mod write;

use std::sync::LazyLock;

use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::kernel::convert::exact_i64;

pub use assign::{of_symbol, set_path};
pub use base::{FindBase, MAX_BASES, OTHER_FOLDERS, expand, unknown_base};
pub use change::{apply, changed};
use diagnostics::Diagnostics;
pub use diagnostics::{Diagnostic, Severity};
pub use diagnostics::{closest, listed, quoted, shortened};
pub use document::*;
pub use hosts::{Hosts, graph_of, storage_hosts};
pub use laws::{MAXIMUM_REPLAYED, expected_draws, offered_gbps, read_share, size_law, trace_format};
pub use migrate::renamed_path;
pub use path::get_path;
pub use read::{MAXIMUM_BYTES, parse};
pub use validate::join as field_path;

/// Reads a scenario from JSON text.
///
/// # Errors
/// Every diagnostic of the document at once; a text that is not JSON is one diagnostic with its line and column.
pub fn load(json: &str) -> Result<Scenario, Vec<Diagnostic>> {
    from_value(parse(json).map_err(|diagnostic| vec![diagnostic])?)
}

/// Reads a scenario from a JSON value.
///
/// # Errors
/// Every diagnostic of the document at once.
pub fn from_value(mut document: Value) -> Result<Scenario, Vec<Diagnostic>> {
    if base::is_based(&document) {
        return Err(vec![base::not_expanded()]);
    }
    upgrade(&mut document)?;
    let mut form = Diagnostics::default();
    validate::check(schema(), schema(), &document, "", &mut form);
    if !form.is_empty() {
        let further = without(document, form.listed()).map(|scenario| meaning(&scenario)).unwrap_or_default();
        let is_new = |further: &Diagnostic| form.listed().iter().all(|found| found.path != further.path);
        let further: Vec<Diagnostic> = further.listed().iter().filter(|found| is_new(found)).cloned().collect();
        form.extend(further);
        return Err(form.into_vec());
    }
    let scenario = from_checked(document).map_err(|diagnostic| vec![diagnostic])?;
    let diagnostics = meaning(&scenario);
    if diagnostics.is_empty() { Ok(scenario) } else { Err(diagnostics.into_vec()) }
}

/// A scenario with another timeline, as JSON has it.
///
/// # Errors
/// Every diagnostic of the scenario that this would be.
pub fn with_timeline(scenario: &Scenario, mut timeline: Value) -> Result<Scenario, Vec<Diagnostic>> {
    whole_numbers(&mut timeline);
    let mut diagnostics = Diagnostics::default();
    validate::check(schema(), &schema()["properties"]["timeline"], &timeline, "timeline", &mut diagnostics);
    if !diagnostics.is_empty() {
        return Err(diagnostics.into_vec());
    }
    let timeline = serde_json::from_value(timeline)
        .map_err(|error| vec![Diagnostic::new("timeline", error.to_string(), "Give a list of changes.")])?;
    let scenario = Scenario { timeline, ..scenario.clone() };
    diagnostics.append(meaning(&scenario));
    if diagnostics.is_empty() { Ok(scenario) } else { Err(diagnostics.into_vec()) }
}

/// Diagnostics of the form of any document against a schema made from Rust types.
pub fn check_form(schema: &Value, document: &Value) -> Vec<Diagnostic> {
    let mut diagnostics = Diagnostics::default();
    validate::check(schema, schema, document, "", &mut diagnostics);
    diagnostics.into_vec()
}

/// The text of a document in the version of this engine: the text itself if it has that version, and otherwise one that says
/// the same and no more.
///
/// # Errors
/// Every diagnostic of the document at once.
pub fn migrated(json: &str) -> Result<String, Vec<Diagnostic>> {
    let mut document = parse(json).map_err(|diagnostic| vec![diagnostic])?;
    let scenario = from_value(document.clone())?;
    if document["version"] == FORMAT_VERSION {
        return Ok(json.into());
    }
    upgrade(&mut document)?;
    Ok(write::written(&document, &scenario))
}

/// The text of a document with all fields: the text itself if it names no base, else one that is expanded.
///
/// # Errors
/// A diagnostic if the text is not JSON, or as [`expand`].
pub fn expanded(json: &str, find: &FindBase<'_>) -> Result<String, Diagnostic> {
    let document = parse(json)?;
    if !base::is_based(&document) {
        return Ok(json.into());
    }
    let document = expand(document, find)?;
    // A document with errors keeps the order of its fields: the check lists the errors.
    Ok(match from_checked(document.clone()) {
        Ok(scenario) => write::written(&document, &scenario),
        Err(_) => document.to_string(),
    })
}

/// The name of the scenario that a document names as its base; `None` if it has no base or is not JSON.
pub fn base_of(json: &str) -> Option<String> {
    parse(json).ok()?.get("base")?.as_str().map(str::to_owned)
}

/// Brings a document to the version of this engine.
fn upgrade(document: &mut Value) -> Result<(), Vec<Diagnostic>> {
    whole_numbers(document);
    migrate::migrate(document).map_err(|diagnostic| vec![diagnostic])
}

/// Diagnostics of a scenario whose form is right.
fn meaning(scenario: &Scenario) -> Diagnostics {
    let mut diagnostics = Diagnostics::default();
    semantics::check(scenario, &mut diagnostics);
    change::tries(scenario, &mut diagnostics);
    let mut meter = size::Meter::new(scenario);
    change::replay(scenario, &mut diagnostics, |state, until_us| meter.pass(state, until_us));
    limits::check(scenario, &meter.cost(), &mut diagnostics);
    diagnostics
}

/// What is legal in a scenario that has passed validation, but surely not meant.
pub fn warnings(scenario: &Scenario) -> Vec<Diagnostic> {
    let mut diagnostics = Diagnostics::default();
    warnings::check(scenario, &mut diagnostics);
    diagnostics.into_vec()
}

/// The scenario that is left when the faulty fields are taken out, so that what it means can be checked as well.
/// `None` if it needs one of them.
fn without(mut document: Value, diagnostics: &[Diagnostic]) -> Option<Scenario> {
    for diagnostic in diagnostics {
        let (parent, name) = diagnostic.path.rsplit_once('.').unwrap_or(("", &diagnostic.path));
        let fields = if parent.is_empty() { Some(&mut document) } else { path::get_path_mut(&mut document, parent) };
        fields?.as_object_mut()?.remove(name)?;
    }
    from_checked(document).ok()
}

/// The JSON Schema of the format, with the extension keys described in [`document`]. It is kept as text: the code that derives
/// it from the types would be a fifth of the module that a page fetches.
pub fn schema() -> &'static Value {
    static SCHEMA: LazyLock<Value> =
        LazyLock::new(|| serde_json::from_str(include_str!("schema.json")).expect("a test compares it with the types"));
    &SCHEMA
}

/// The same as the types say it, which the text that is kept must agree with.
pub fn schema_of_types() -> Value {
    let mut schema = schemars::schema_for!(Scenario).to_value();
    one_line_descriptions(&mut schema);
    schema
}

/// Identity of a scenario: 16 hexadecimal digits, equal for two documents that mean the same.
///
/// FNV-1a (64 bits) of the canonical JSON: every default filled in, fields in the order of the format.
pub fn hash(scenario: &Scenario) -> String {
    let json = as_text(scenario);
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

/// A scenario with every default filled in, as JSON text.
pub fn as_text(scenario: &Scenario) -> String {
    serde_json::to_string(scenario).expect("plain data has a JSON form")
}

/// The scenario of a document whose form has been checked.
fn from_checked(document: Value) -> Result<Scenario, Diagnostic> {
    typed(document)
}

/// A document whose form has been checked, as its type.
///
/// # Errors
/// What the check of the form let through and the type does not take, without words of Rust.
pub fn typed<T: DeserializeOwned>(document: Value) -> Result<T, Diagnostic> {
    serde_json::from_value(document).map_err(|error| {
        let message = error.to_string();
        let message = message.split(" at line ").next().unwrap_or_default();
        let reason = match message.split_once(": ").and_then(|(_, rest)| rest.split_once(", expected ")) {
            Some((found, expected)) => format!("has {} where {} is expected", in_words(found), in_words(expected)),
            None if message.contains("untagged") => "has a value of a form that is not known there".into(),
            None => in_words(message),
        };
        Diagnostic::new("", reason, "Correct the document.")
    })
}

/// What the reader of JSON calls a value or a type, in words of the format.
fn in_words(text: &str) -> String {
    match text {
        "map" | "struct" => "an object".into(),
        "sequence" | "a sequence" => "a list".into(),
        "null" | "unit" => "nothing".into(),
        "u8" | "u16" | "u32" | "u64" | "usize" | "i32" | "i64" => "a whole number".into(),
        "f32" | "f64" => "a number".into(),
        "a string" | "a borrowed string" => "a text".into(),
        "a boolean" => "true or false".into(),
        other => match other.split_once(" `").or_else(|| other.split_once(" \"")) {
            Some(("string", value)) => format!("the text {}", quoted(value.trim_end_matches('"'))),
            Some(("integer" | "floating point", value)) => {
                format!("the number {}", shortened(value.trim_end_matches('`')))
            }
            Some((kind, value)) => format!("the {kind} {}", shortened(value.trim_end_matches('`'))),
            None => shortened(other),
        },
    }
}

/// Writes numbers such as `3.0` as `3`, so that either spelling is a whole number and means the same scenario.
pub fn whole_numbers(value: &mut Value) {
    const EXACT: f64 = 9_007_199_254_740_992.0;
    match value {
        Value::Number(number) => {
            let whole =
                number.as_f64().filter(|found| number.is_f64() && libm::trunc(*found) == *found && found.abs() < EXACT);
            if let Some(whole) = whole {
                *value = Value::from(exact_i64(whole));
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
