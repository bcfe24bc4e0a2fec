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
const UPGRADERS: [Upgrader; (FORMAT_VERSION - OLDEST_VERSION) as usize] = [];

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
