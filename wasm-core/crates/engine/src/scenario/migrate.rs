//! Documents of older versions, brought to the version of this engine.
//!
//! A document is migrated as it is written, before its form is checked: fields that do not have the form of the older
//! version are left for that check.

use crate::kernel::convert::index;

use serde_json::Value;

use super::diagnostics::Diagnostic;
use super::document::FORMAT_VERSION;
use super::validate::shown;

/// Oldest version that is read. Version 1 was a draft.
const OLDEST_VERSION: u32 = 2;

/// Brings a document one version forward.
type Upgrader = fn(&mut Value);

/// `UPGRADERS[v - OLDEST_VERSION]` turns a document of version `v` into one of version `v + 1`.
const UPGRADERS: [Upgrader; (FORMAT_VERSION - OLDEST_VERSION) as usize] = [from_version_2];

/// Brings `document` to [`FORMAT_VERSION`].
///
/// # Errors
/// A diagnostic if the document has no version, or one that this engine does not read.
pub(super) fn migrate(document: &mut Value) -> Result<(), Diagnostic> {
    upgrade(document, &UPGRADERS)
}

fn upgrade(document: &mut Value, upgraders: &[Upgrader]) -> Result<(), Diagnostic> {
    let oldest = u64::from(OLDEST_VERSION);
    let newest = oldest + upgraders.len() as u64;
    let fields = document.as_object().ok_or_else(|| {
        Diagnostic::new("", "is not an object", "Begin the document with `{` and give its fields by name.")
    })?;
    let version = fields.get("version").ok_or_else(|| {
        Diagnostic::new(
            "version",
            "is missing",
            format!("Add `\"version\": {newest}` to say which format the document follows."),
        )
    })?;
    let version = version.as_u64().filter(|version| *version >= 1).ok_or_else(|| {
        Diagnostic::new(
            "version",
            format!("is {}, not a version", shown(version)),
            format!("Give a whole number; the current version is {newest}."),
        )
    })?;
    if version > newest {
        return Err(Diagnostic::new(
            "version",
            format!("is {version}; this engine reads versions up to {newest}"),
            "Open the scenario with a newer QoScope.",
        ));
    }
    if version < oldest {
        return Err(Diagnostic::new(
            "version",
            format!("is {version}, a draft of the format that was never released"),
            format!("Write the scenario in version {newest}."),
        ));
    }
    for upgrader in &upgraders[index(version - oldest)..] {
        upgrader(document);
    }
    document["version"] = newest.into();
    Ok(())
}

/// Fields of classes that version 3 renamed: the section, the name in version 2, and the new name.
const RENAMED: [(&str, &str, &str); 4] = [
    ("dcqcn", "leastRateMbps", "minRateMbps"),
    ("timely", "leastRateMbps", "minRateMbps"),
    ("timely", "leastRttUs", "minRttUs"),
    ("swift", "largestCut", "maxCut"),
];

/// Version 2 to 3: some fields of classes have other names, in classes and in the changes of timeline and story.
fn from_version_2(document: &mut Value) {
    if let Some(classes) = document.get_mut("classes") {
        rename_in_classes(classes);
    }
    rename_in_changes(document.get_mut("timeline"));
    let tries = document.get_mut("story").and_then(|story| story.get_mut("tries"));
    for tried in tries.and_then(Value::as_array_mut).into_iter().flatten() {
        rename_in_changes(tried.get_mut("changes"));
    }
}

/// The path in this version of a field that has had another name, `None` if the path is unchanged.
pub fn renamed_path(path: &str) -> Option<String> {
    let (section, name) = path.strip_prefix("classes[")?.split_once("].")?.1.split_once('.')?;
    let (.., after) = RENAMED.iter().find(|(of, before, _)| (*of, *before) == (section, name))?;
    Some(format!("{}{after}", path.strip_suffix(name)?))
}

/// Renames fields in the paths and in the values of changes.
fn rename_in_changes(changes: Option<&mut Value>) {
    for change in changes.and_then(Value::as_array_mut).into_iter().flatten() {
        let Some(path) = change.get("path").and_then(Value::as_str).map(str::to_owned) else { continue };
        if let Some(renamed) = renamed_path(&path) {
            change["path"] = renamed.into();
        }
        let Some(value) = change.get_mut("value") else { continue };
        match path.strip_prefix("classes").map(|rest| rest.split_once("].")) {
            Some(Some((_, section))) => rename_in_section(section, value),
            Some(None) if path == "classes" => rename_in_classes(value),
            Some(None) => rename_in_class(value),
            None => (),
        }
    }
}

fn rename_in_classes(classes: &mut Value) {
    classes.as_array_mut().into_iter().flatten().for_each(rename_in_class);
}

fn rename_in_class(class: &mut Value) {
    for section in ["dcqcn", "timely", "swift"] {
        if let Some(value) = class.get_mut(section) {
            rename_in_section(section, value);
        }
    }
}

/// Renames the fields of one section of a class.
fn rename_in_section(section: &str, value: &mut Value) {
    let Some(fields) = value.as_object_mut() else { return };
    for (.., before, after) in RENAMED.iter().filter(|(of, ..)| *of == section) {
        if let Some(value) = fields.remove(*before) {
            fields.insert((*after).into(), value);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn older_document_passes_every_upgrader_after_its_version() {
        let upgraders: [Upgrader; 2] =
            [|document| document["b"] = document["a"].take(), |document| document["c"] = json!(3)];
        let mut oldest = json!({ "version": 2, "a": 7 });
        upgrade(&mut oldest, &upgraders).unwrap();
        assert_eq!(oldest, json!({ "version": 4, "a": null, "b": 7, "c": 3 }));
        let mut middle = json!({ "version": 3, "a": 7 });
        upgrade(&mut middle, &upgraders).unwrap();
        assert_eq!(middle, json!({ "version": 4, "a": 7, "c": 3 }));
    }

    /// Reads a document of version 2 in `tests/fixtures/v2`, and one of version 3 that means the same.
    #[track_caller]
    fn check_fixture(text: &str, path: &str, expected: Value) {
        let mut document: Value = serde_json::from_str(text).unwrap();
        let scenario = super::super::from_value(document.clone()).unwrap();
        migrate(&mut document).unwrap();
        assert_eq!(document["version"], FORMAT_VERSION);
        assert_eq!(super::super::get_path(&document, path), Some(&expected));
        assert_eq!(super::super::from_value(document).unwrap(), scenario);
    }

    #[test]
    fn version_2_rate_of_dcqcn_is_renamed() {
        let text = include_str!("../../tests/fixtures/v2/dcqcn-rate.json");
        check_fixture(text, "classes[0].dcqcn", json!({ "set": "hpcc", "minRateMbps": 50 }));
    }

    #[test]
    fn version_2_fields_of_timely_are_renamed() {
        let text = include_str!("../../tests/fixtures/v2/timely.json");
        check_fixture(text, "classes[0].timely", json!({ "minRateMbps": 20, "minRttUs": 30 }));
    }

    #[test]
    fn version_2_cut_of_swift_is_renamed() {
        let text = include_str!("../../tests/fixtures/v2/swift-cut.json");
        check_fixture(text, "classes[0].swift", json!({ "maxCut": 0.4 }));
    }

    #[test]
    fn version_2_changes_of_the_timeline_are_renamed() {
        let text = include_str!("../../tests/fixtures/v2/timeline.json");
        let path = json!("classes[0].timely.minRateMbps");
        check_fixture(text, "timeline[0].path", path);
        check_fixture(text, "timeline[1].path", json!("classes[0].swift.maxCut"));
    }

    #[test]
    fn version_2_changes_of_the_story_are_renamed() {
        let text = include_str!("../../tests/fixtures/v2/story.json");
        check_fixture(text, "story.tries[0].changes[0].path", json!("classes[0].dcqcn.minRateMbps"));
        check_fixture(text, "story.tries[0].changes[1].value", json!({ "minRttUs": 25 }));
        let class = json!({ "name": "A", "transport": "swift", "swift": { "maxCut": 0.3 } });
        check_fixture(text, "story.tries[0].changes[2].value", class);
    }

    #[test]
    fn document_of_another_form_is_left_for_the_check_of_the_form() {
        for mut document in [
            json!({ "version": 2, "classes": 3, "timeline": {}, "story": [] }),
            json!({ "version": 2, "classes": [4, { "dcqcn": 5 }], "timeline": [{ "path": 6 }, { "path": "classes" }] }),
        ] {
            let mut expected = document.clone();
            expected["version"] = FORMAT_VERSION.into();
            migrate(&mut document).unwrap();
            assert_eq!(document, expected);
        }
        assert_eq!(renamed_path("classes[].timely.leastRttUs").as_deref(), Some("classes[].timely.minRttUs"));
        assert_eq!(renamed_path("classes[0].dcqcn.leastRttUs"), None);
    }

    #[test]
    fn unknown_version_is_refused_with_a_hint() {
        let newer = FORMAT_VERSION + 1;
        for (document, reason) in [
            (json!({}), "is missing".to_owned()),
            (json!({ "version": newer }), format!("is {newer}; this engine reads versions up to {FORMAT_VERSION}")),
            (json!({ "version": 1 }), "is 1, a draft of the format that was never released".into()),
            (json!({ "version": "1" }), "is \"1\", not a version".into()),
            (json!({ "version": 0 }), "is 0, not a version".into()),
        ] {
            let diagnostic = migrate(&mut document.clone()).unwrap_err();
            assert_eq!((diagnostic.path.as_str(), diagnostic.reason), ("version", reason));
        }
        assert_eq!(migrate(&mut json!([])).unwrap_err().path, "");
    }
}
