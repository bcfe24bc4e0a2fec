//! The form of a document: its fields, types and ranges, checked against the JSON Schema of the format.
//!
//! An interpreter of the part of JSON Schema that the format uses. Other validators stop at the first branch that does
//! not fit or speak of schema keywords; this one collects every diagnostic and speaks of the field.

use serde_json::{Map, Value};

use super::diagnostics::{Diagnostic, Diagnostics, alternatives, closest, quoted, shortened};
use super::path::Step;

/// Adds to `diagnostics` everything about `value`, found at `path`, that `schema` forbids. `root` holds the definitions.
pub(super) fn check(root: &Value, schema: &Value, value: &Value, path: &str, diagnostics: &mut Diagnostics) {
    Check { root, diagnostics }.value(schema, value, path);
}

/// The schema of the field that `steps` lead to in `document`, as the field states it (with its `x-` keys).
pub(super) fn schema_at<'a>(root: &'a Value, document: &Value, steps: &[Step<'_>]) -> Option<&'a Value> {
    let (mut schema, mut value) = (root, document);
    for step in steps {
        let form = branch(root, resolve(root, schema), value)?;
        schema = match step {
            Step::Field(name) => form.get("properties")?.get(*name)?,
            Step::Index(index) if value.get(*index).is_some() => form.get("items")?,
            Step::Index(_) => return None,
        };
        value = match step {
            Step::Field(name) => value.get(*name).unwrap_or(&Value::Null),
            Step::Index(index) => value.get(*index)?,
        };
    }
    Some(schema)
}

/// Names of the fields that the object at `steps` of `document` may have.
pub(super) fn field_names<'a>(root: &'a Value, document: &Value, steps: &[Step<'_>]) -> impl Iterator<Item = &'a str> {
    let value = steps.iter().try_fold(document, |value, step| match step {
        Step::Field(name) => value.get(*name),
        Step::Index(index) => value.get(*index),
    });
    schema_at(root, document, steps)
        .and_then(|schema| branch(root, resolve(root, schema), value.unwrap_or(&Value::Null)))
        .and_then(|form| form.get("properties")?.as_object())
        .into_iter()
        .flat_map(|fields| fields.keys().map(String::as_str))
}

/// Follows `$ref` to the definition.
fn resolve<'a>(root: &'a Value, mut schema: &'a Value) -> &'a Value {
    while let Some(target) = schema.get("$ref").and_then(Value::as_str).and_then(|target| target.strip_prefix('#')) {
        schema = root.pointer(target).unwrap_or(&Value::Null);
    }
    schema
}

/// The form that `value` takes where `form` offers several: by tag, or the one that is not null.
fn branch<'a>(root: &'a Value, form: &'a Value, value: &Value) -> Option<&'a Value> {
    if let Some(branches) = list(form, "anyOf") {
        let some = branches.iter().find(|branch| branch.get("type") != Some(&Value::from("null")))?;
        return branch(root, resolve(root, some), value);
    }
    let Some(branches) = list(form, "oneOf") else { return Some(form) };
    let tag = tag_of(branches)?;
    branches.iter().find(|branch| value.get(tag) == Some(&branch["properties"][tag]["const"]))
}

/// The field whose constant tells the branches apart.
fn tag_of(branches: &[Value]) -> Option<&str> {
    let fields = branches.first()?.get("properties")?.as_object()?;
    fields.iter().find(|(_, schema)| schema.get("const").is_some()).map(|(name, _)| name.as_str())
}

fn list<'a>(schema: &'a Value, key: &str) -> Option<&'a Vec<Value>> {
    schema.get(key).and_then(Value::as_array)
}

struct Check<'a> {
    root: &'a Value,
    diagnostics: &'a mut Diagnostics,
}

impl Check<'_> {
    fn diagnostic(&mut self, path: &str, reason: impl Into<String>, hint: impl Into<String>) {
        self.diagnostics.push(Diagnostic::new(path, reason, hint));
    }

    fn value(&mut self, stated: &Value, value: &Value, path: &str) {
        let form = resolve(self.root, stated);
        if let Some(branches) = list(form, "anyOf") {
            if value.is_null() && branches.iter().any(|branch| allows(branch, "null")) {
                return;
            }
            if let Some(some) = branches.iter().find(|branch| !allows(branch, "null")) {
                self.value(some, value, path);
            }
            return;
        }
        if let Some(branches) = list(form, "oneOf") {
            return match tag_of(branches) {
                Some(tag) => self.tagged(branches, tag, value, path),
                None => self.choice(branches.iter().filter_map(|branch| branch.get("const")), value, path),
            };
        }
        if let Some(choices) = list(form, "enum") {
            return self.choice(choices.iter(), value, path);
        }
        if form.get("type").is_none() || (value.is_null() && allows(form, "null")) {
            return;
        }
        match value {
            Value::Object(fields) if allows(form, "object") => self.object(form, fields, path),
            Value::Array(elements) if allows(form, "array") => self.array(form, elements, path),
            Value::String(text) if allows(form, "string") => self.text(form, text, path),
            Value::Number(_) if allows(form, "number") || allows(form, "integer") => self.number(form, value, path),
            Value::Bool(_) if allows(form, "boolean") => (),
            _ if self.diagnostics.skip() => (),
            _ => {
                let wanted = wanted(form);
                self.diagnostic(path, format!("is {}, not {wanted}", shown(value)), remedy(form));
            }
        }
    }

    /// One of several words.
    fn choice<'v>(&mut self, choices: impl Iterator<Item = &'v Value>, value: &Value, path: &str) {
        let words: Vec<&str> = choices.filter_map(Value::as_str).collect();
        match value.as_str() {
            Some(word) if words.contains(&word) => (),
            _ if self.diagnostics.skip() => (),
            Some(word) if closest(word, words.iter().copied()).is_some() => {
                let meant = closest(word, words.iter().copied()).unwrap_or_default();
                self.diagnostic(
                    path,
                    format!("is {}, which is not known here", shown(value)),
                    format!("Did you mean `{meant}`?"),
                );
            }
            _ => self.diagnostic(
                path,
                format!("is {}, which is not known here", shown(value)),
                format!("Use {}.", alternatives(words)),
            ),
        }
    }

    /// One of several kinds of object, told apart by the field `tag`.
    fn tagged(&mut self, branches: &[Value], tag: &str, value: &Value, path: &str) {
        let kinds = || branches.iter().filter_map(|branch| branch["properties"][tag].get("const"));
        let Some(fields) = value.as_object() else {
            let names = alternatives(kinds().filter_map(Value::as_str));
            return self.diagnostic(
                path,
                format!("is {}, not an object", shown(value)),
                format!("Give an object whose `{tag}` is {names}."),
            );
        };
        let Some(kind) = fields.get(tag) else {
            let names = alternatives(kinds().filter_map(Value::as_str));
            return self.diagnostic(&join(path, tag), "is missing", format!("Use {names}."));
        };
        match branches.iter().find(|branch| branch["properties"][tag].get("const") == Some(kind)) {
            Some(branch) => self.object(branch, fields, path),
            None => self.choice(kinds(), kind, &join(path, tag)),
        }
    }

    fn object(&mut self, form: &Value, fields: &Map<String, Value>, path: &str) {
        let empty = Map::new();
        let known = form.get("properties").and_then(Value::as_object).unwrap_or(&empty);
        for name in list(form, "required").into_iter().flatten().filter_map(Value::as_str) {
            if !fields.contains_key(name) {
                let hint = format!("Add it. {}", sentence(self.root, &known[name]));
                self.diagnostic(&join(path, name), "is missing", hint.trim_end());
            }
        }
        for (name, value) in fields {
            match known.get(name) {
                Some(schema) => self.value(schema, value, &join(path, name)),
                None if form.get("additionalProperties") != Some(&Value::Bool(false)) || self.diagnostics.skip() => (),
                None => {
                    let names = || known.keys().map(String::as_str);
                    let hint = match closest(name, names()) {
                        Some(meant) => format!("Did you mean `{meant}`?"),
                        None => format!("Remove it; the fields here are {}.", alternatives(names())),
                    };
                    self.diagnostic(&join(path, name), "is not a field of the format", hint);
                }
            }
        }
    }

    fn array(&mut self, form: &Value, elements: &[Value], path: &str) {
        let (least, most) = (count(form, "minItems"), count(form, "maxItems"));
        let length = elements.len() as u64;
        if least.is_some_and(|least| length < least) || most.is_some_and(|most| length > most) {
            self.diagnostic(path, format!("has {length} entries"), format!("Give {}.", bounds(least, most, "entries")));
            return;
        }
        let leading = list(form, "prefixItems").map_or(&[][..], Vec::as_slice);
        let schemas = leading.iter().map(Some).chain(core::iter::repeat(form.get("items")));
        for (position, (element, schema)) in elements.iter().zip(schemas).enumerate() {
            if let Some(schema) = schema {
                self.value(schema, element, &format!("{path}[{position}]"));
            }
        }
    }

    fn text(&mut self, form: &Value, text: &str, path: &str) {
        let (least, most) = (count(form, "minLength"), count(form, "maxLength"));
        let length = text.chars().count() as u64;
        if length == 0 && least.is_some_and(|least| least > 0) {
            self.diagnostic(path, "is empty", format!("Give {}.", bounds(least, most, "characters")));
        } else if least.is_some_and(|least| length < least) || most.is_some_and(|most| length > most) {
            self.diagnostic(
                path,
                format!("has {length} characters"),
                format!("Give {}.", bounds(least, most, "characters")),
            );
        }
    }

    fn number(&mut self, form: &Value, value: &Value, path: &str) {
        if fits(form, value) || self.diagnostics.skip() {
            return;
        }
        let found = value.as_f64().unwrap_or(f64::NAN);
        let (least, most) = range(form);
        let unit = unit(form);
        let excess = |word, bound: &Value| format!("is {value}{unit}, {word} {bound}{unit}");
        let reason = match (least, most) {
            (Some(least), _) if found < number(&least) => excess("below the least value", &least),
            (_, Some(most)) if found > number(&most) => excess("above the greatest value", &most),
            _ => format!("is {value}, not a whole number"),
        };
        self.diagnostic(path, reason, remedy(form));
    }
}

/// Whether a number lies in its range, and is whole where it must be.
fn fits(form: &Value, value: &Value) -> bool {
    let found = value.as_f64().unwrap_or(f64::NAN);
    let bound = |key| form.get(key).map(number);
    let widest = match form.get("format").and_then(Value::as_str) {
        Some("uint32") => f64::from(u32::MAX),
        Some("uint64") => u64::MAX as f64,
        _ => f64::MAX,
    };
    let is_whole = !allows(form, "integer") || value.is_u64() || value.is_i64();
    is_whole && found >= bound("minimum").unwrap_or(f64::MIN) && found <= bound("maximum").unwrap_or(widest)
}

/// Whether `form` allows values of the JSON type `kind`.
fn allows(form: &Value, kind: &str) -> bool {
    match form.get("type") {
        Some(Value::Array(kinds)) => kinds.iter().any(|allowed| allowed == kind),
        Some(allowed) => allowed == kind,
        None => false,
    }
}

fn count(form: &Value, key: &str) -> Option<u64> {
    form.get(key).and_then(Value::as_u64)
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or(f64::NAN)
}

/// Least and greatest value, those of the integer's width included.
fn range(form: &Value) -> (Option<Value>, Option<Value>) {
    let widest = match form.get("format").and_then(Value::as_str) {
        Some("uint32") => Some(Value::from(u32::MAX)),
        Some("uint64") => Some(Value::from(u64::MAX)),
        _ => None,
    };
    (form.get("minimum").map(plain), form.get("maximum").map(plain).or(widest))
}

/// `1000.0` written as `1000`.
fn plain(value: &Value) -> Value {
    let mut value = value.clone();
    super::whole_numbers(&mut value);
    value
}

fn unit(form: &Value) -> String {
    form.get("x-unit").and_then(Value::as_str).map(|unit| format!(" {unit}")).unwrap_or_default()
}

/// "a number", "a list": the JSON type that `form` asks for.
fn wanted(form: &Value) -> &'static str {
    [
        ("integer", "a whole number"),
        ("number", "a number"),
        ("string", "a text"),
        ("array", "a list"),
        ("object", "an object"),
        ("boolean", "true or false"),
    ]
    .into_iter()
    .find(|(kind, _)| allows(form, kind))
    .map_or("a value of the format", |(_, words)| words)
}

/// What to give instead.
fn remedy(form: &Value) -> String {
    let (words, unit) = (wanted(form), unit(form));
    let or_nothing = if allows(form, "null") { ", or leave it out" } else { "" };
    match range(form) {
        (Some(least), Some(most)) if allows(form, "integer") || allows(form, "number") => {
            format!("Give {words} from {least} to {most}{unit}{or_nothing}.")
        }
        _ => format!("Give {words}{or_nothing}."),
    }
}

fn bounds(least: Option<u64>, most: Option<u64>, what: &str) -> String {
    match (least, most) {
        (Some(least), Some(most)) if least == most => format!("{least} {what}"),
        (Some(least), Some(most)) => format!("{least} to {most} {what}"),
        (Some(least), None) => format!("at least {least} {what}"),
        (None, Some(most)) => format!("at most {most} {what}"),
        (None, None) => format!("any number of {what}"),
    }
}

/// The first sentence of a field's explanation.
fn sentence(root: &Value, schema: &Value) -> String {
    let text = schema.get("description").or_else(|| resolve(root, schema).get("description"));
    let text = text.and_then(Value::as_str).unwrap_or_default();
    text.split_inclusive(". ").next().unwrap_or_default().trim_end().to_owned()
}

/// `value` as it is quoted in a reason: short.
pub(super) fn shown(value: &Value) -> String {
    match value {
        Value::Null => "empty".into(),
        Value::Array(elements) => format!("a list of {}", elements.len()),
        Value::Object(_) => "an object".into(),
        Value::String(text) => quoted(text),
        value => value.to_string(),
    }
}

/// The path of the field `name` inside `path`.
pub fn join(path: &str, name: &str) -> String {
    let name = shortened(name);
    if path.is_empty() { name } else { format!("{path}.{name}") }
}
