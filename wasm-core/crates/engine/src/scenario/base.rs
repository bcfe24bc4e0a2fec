//! Documents that name another scenario as their `base` and `set` the fields that differ.

use serde_json::{Map, Value};

use super::assign::set_path;
use super::diagnostics::{Diagnostic, closest, quoted};
use super::document::FORMAT_VERSION;
use super::{fields, migrate, path, whole_numbers};

/// Longest chain of bases, counted from the document that is read.
pub const MAX_BASES: usize = 4;

/// Folders next to those of scenarios that hold other documents.
pub const OTHER_FOLDERS: [&str; 4] = ["figures", "lessons", "results", "studies"];

/// The only fields of a document with a base. All others are in `set`.
const OWN_FIELDS: [&str; 5] = ["version", "base", "set", "name", "description"];

/// Returns the document of the scenario of a name.
pub type FindBase<'a> = dyn Fn(&str) -> Result<Value, Diagnostic> + 'a;

/// Whether `document` names a base, or has a part that only a document with a base has.
pub(super) fn is_based(document: &Value) -> bool {
    document.get("base").is_some() || document.get("set").is_some()
}

/// Replaces a document that names a base by one with all fields. Other documents are returned unchanged.
///
/// A value of null in `set` removes the field.
///
/// # Errors
/// A diagnostic if the base is unknown or one of its own bases, the chain of bases is longer than [`MAX_BASES`], or a path
/// in `set` is not one of the format.
pub fn expand(document: Value, find: &FindBase<'_>) -> Result<Value, Diagnostic> {
    expand_after(document, find, &mut Vec::new())
}

/// Diagnostic of a base that is not found among `names`.
pub fn unknown_base<'a>(name: &str, names: impl IntoIterator<Item = &'a str>) -> Diagnostic {
    let hint = match closest(name, names) {
        Some(meant) => format!("Did you mean {}?", quoted(meant)),
        None => "Give the name of a scenario's file without `.json`.".into(),
    };
    Diagnostic::new("base", format!("is {}; no scenario has that name", quoted(name)), hint)
}

/// Diagnostic of a document that names a base where no other scenario can be read.
pub(super) fn not_expanded() -> Diagnostic {
    Diagnostic::new(
        "base",
        "names another scenario, which cannot be read here",
        "Give the whole document, as `qoscope migrate FILE` prints it.",
    )
}

/// Expands a document that is the base of those in `chain`, in order.
fn expand_after(document: Value, find: &FindBase<'_>, chain: &mut Vec<String>) -> Result<Value, Diagnostic> {
    if !is_based(&document) {
        return Ok(document);
    }
    let (name, set) = parts(&document)?;
    if let Some(at) = chain.iter().position(|earlier| *earlier == name) {
        let cycle: Vec<&str> = chain[at..].iter().map(String::as_str).chain([name.as_str()]).collect();
        let reason = format!("leads back to itself: {}", cycle.join(" → "));
        return Err(Diagnostic::new("base", reason, "Give one of these scenarios all its fields."));
    }
    if chain.len() == MAX_BASES {
        let reason =
            format!("is the base number {} of a scenario; at most {MAX_BASES} follow each other", MAX_BASES + 1);
        return Err(Diagnostic::new("base", reason, "Name a base that has all its fields."));
    }
    let base = find(&name)?;
    chain.push(name.clone());
    let mut whole = expand_after(base, find, chain)?;
    whole_numbers(&mut whole);
    migrate::migrate(&mut whole).map_err(|found| {
        let place = if found.path.is_empty() { String::new() } else { format!("`{}` ", found.path) };
        Diagnostic::new("base", format!("is {}, where {place}{}", quoted(&name), found.reason), found.hint)
    })?;
    for field in ["name", "description"] {
        if let Some(value) = document.get(field) {
            whole[field] = value.clone();
        }
    }
    for (path, value) in &set {
        put(&mut whole, path, value)?;
    }
    Ok(whole)
}

/// The name of the base of a document, and the fields that it sets.
fn parts(document: &Value) -> Result<(String, Map<String, Value>), Diagnostic> {
    let version = document.get("version").and_then(Value::as_f64);
    if version != Some(f64::from(FORMAT_VERSION)) {
        // A missing or unknown version has its own diagnostic.
        let mut copy = document.clone();
        whole_numbers(&mut copy);
        migrate::migrate(&mut copy)?;
        let reason = format!("is {}, which has no `base`", version.unwrap_or_default());
        return Err(Diagnostic::new("version", reason, format!("Give version {FORMAT_VERSION}.")));
    }
    let name = match document.get("base") {
        Some(Value::String(name)) => name.clone(),
        Some(_) => {
            let hint = "Give the name of a scenario's file without `.json`.";
            return Err(Diagnostic::new("base", "is not the name of a scenario", hint));
        }
        None => {
            let hint = "Name a scenario in `base`, or give the fields themselves.";
            return Err(Diagnostic::new("set", "is given without a base", hint));
        }
    };
    let set = match document.get("set") {
        Some(Value::Object(set)) => set.clone(),
        None | Some(Value::Null) => Map::new(),
        Some(_) => {
            let hint = "Give fields by path, as in `{ \"classes[0].transport\": \"dctcp\" }`.";
            return Err(Diagnostic::new("set", "is not an object", hint));
        }
    };
    let mut others = document.as_object().into_iter().flat_map(Map::keys);
    if let Some(other) = others.find(|field| !OWN_FIELDS.contains(&field.as_str())) {
        return Err(Diagnostic::new(other, "is given next to a base", "Move it into `set`."));
    }
    Ok((name, set))
}

/// Puts the value of one path of `set` into a document; null removes the field.
fn put(document: &mut Value, at: &str, value: &Value) -> Result<(), Diagnostic> {
    let place = format!("set.{at}");
    set_path(document, at, value.clone()).map_err(|found| Diagnostic { path: place.clone(), ..found })?;
    let pattern = fields::pattern(at);
    let known = fields::document().all();
    let paths = || known.iter().map(|field| field.path.as_str()).filter(|path| !path.is_empty());
    if OWN_FIELDS[..3].contains(&at) || !paths().any(|path| path == pattern.trim_end_matches("[]")) {
        let hint = match closest(&pattern, paths()) {
            Some(meant) => format!("Did you mean `{meant}`?"),
            None => "Give the path of a field as `qoscope explain` lists them.".into(),
        };
        return Err(Diagnostic::new(place, "is not a field of the format", hint));
    }
    if value.is_null() && !at.ends_with(']') {
        let (parent, name) = at.rsplit_once('.').unwrap_or(("", at));
        let fields = if parent.is_empty() { Some(document) } else { path::get_path_mut(document, parent) };
        fields.and_then(Value::as_object_mut).and_then(|fields| fields.shift_remove(name));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::{from_value, tests::minimal};
    use super::*;

    /// Documents by name: a chain of scenarios, and some that cannot be expanded.
    fn find(name: &str) -> Result<Value, Diagnostic> {
        Ok(match name {
            "writers" => minimal(),
            "dctcp" => based("writers", json!({ "classes[0].transport": "dctcp" })),
            "slow" => based("dctcp", json!({ "topology.linkGbps": 1 })),
            "left" => based("right", json!({})),
            "right" => based("left", json!({})),
            "draft" => json!({ "version": 1 }),
            number if number.parse::<u32>().is_ok() => {
                based(&(number.parse::<u32>().unwrap() + 1).to_string(), json!({}))
            }
            other => return Err(unknown_base(other, ["writers", "dctcp"])),
        })
    }

    fn based(base: &str, set: Value) -> Value {
        json!({ "version": FORMAT_VERSION, "base": base, "set": set })
    }

    #[track_caller]
    fn refusal(document: Value) -> String {
        expand(document, &find).expect_err("the document is refused").to_string()
    }

    #[test]
    fn document_without_base_is_unchanged() {
        assert_eq!(expand(minimal(), &find).unwrap(), minimal());
        assert_eq!(expand(json!([1]), &find).unwrap(), json!([1]));
    }

    #[test]
    fn set_changes_fields_of_the_base() {
        let mut document = based("slow", json!({ "switch.marking": "red", "classes[0].ratio": null, "seed": 7 }));
        document["name"] = json!("Slow writers");
        let mut expected = minimal();
        expected["name"] = json!("Slow writers");
        expected["classes"][0] = json!({ "name": "High", "transport": "dctcp" });
        expected["topology"]["linkGbps"] = json!(1);
        expected["switch"] = json!({ "marking": "red" });
        expected["seed"] = json!(7);
        assert_eq!(expand(document, &find).unwrap(), expected);
    }

    #[test]
    fn unknown_base_is_refused_with_the_closest_name() {
        let sentence = "base: is \"writer\"; no scenario has that name. Did you mean \"writers\"?";
        assert_eq!(refusal(based("writer", json!({}))), sentence);
        let sentence = "base: is \"draft\", where `version` is 1, a draft of the format that was never released.";
        assert!(refusal(based("draft", json!({}))).starts_with(sentence));
    }

    #[test]
    fn circle_of_bases_is_refused() {
        let sentence = "base: leads back to itself: right → left → right. Give one of these scenarios all its fields.";
        assert_eq!(refusal(find("left").unwrap()), sentence);
        assert!(refusal(find("0").unwrap()).starts_with("base: is the base number 5 of a scenario"));
    }

    #[test]
    fn unknown_path_is_refused_with_the_closest_field() {
        let sentence = "set.classes[0].transprot: is not a field of the format. Did you mean `classes[].transport`?";
        assert_eq!(refusal(based("writers", json!({ "classes[0].transprot": "dctcp" }))), sentence);
        let sentence = "set.classes[7].ratio: has no element [7]; the list has 2. Count from 0.";
        assert_eq!(refusal(based("writers", json!({ "classes[7].ratio": 1 }))), sentence);
        assert!(refusal(based("writers", json!({ "version": 1 }))).starts_with("set.version: is not a field"));
    }

    #[test]
    fn field_next_to_a_base_is_refused() {
        let mut document = based("writers", json!({}));
        document["seed"] = json!(3);
        assert_eq!(refusal(document), "seed: is given next to a base. Move it into `set`.");
        let document = json!({ "version": FORMAT_VERSION, "set": {} });
        assert!(refusal(document).starts_with("set: is given without a base."));
        let document = json!({ "version": FORMAT_VERSION - 1, "base": "writers" });
        assert!(refusal(document).starts_with("version: is "));
    }

    #[test]
    fn document_with_a_base_needs_to_be_expanded_first() {
        assert_eq!(from_value(based("writers", json!({}))).unwrap_err(), [not_expanded()]);
    }
}
