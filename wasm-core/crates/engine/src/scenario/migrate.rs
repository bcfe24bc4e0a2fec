//! Documents of older versions, brought to the version of this engine.

use crate::kernel::convert::index;

use serde_json::Value;

use super::diagnostics::Diagnostic;
use super::document::FORMAT_VERSION;
use super::validate::shown;

/// Brings a document one version forward.
type Upgrader = fn(&mut Value);

/// `UPGRADERS[v - 1]` turns a document of version `v` into one of version `v + 1`.
const UPGRADERS: [Upgrader; FORMAT_VERSION as usize - 1] = [];

/// Brings `document` to [`FORMAT_VERSION`].
///
/// # Errors
/// A diagnostic if the document does not say its version, or says one that this engine does not know.
pub(super) fn migrate(document: &mut Value) -> Result<(), Diagnostic> {
    upgrade(document, &UPGRADERS)
}

fn upgrade(document: &mut Value, upgraders: &[Upgrader]) -> Result<(), Diagnostic> {
    let newest = upgraders.len() as u64 + 1;
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
    for upgrader in &upgraders[index(version) - 1..] {
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
    fn every_older_version_climbs_the_whole_ladder() {
        let ladder: [Upgrader; 2] =
            [|document| document["b"] = document["a"].take(), |document| document["c"] = json!(3)];
        let mut oldest = json!({ "version": 1, "a": 7 });
        upgrade(&mut oldest, &ladder).unwrap();
        assert_eq!(oldest, json!({ "version": 3, "a": null, "b": 7, "c": 3 }));
        let mut middle = json!({ "version": 2, "a": 7 });
        upgrade(&mut middle, &ladder).unwrap();
        assert_eq!(middle, json!({ "version": 3, "a": 7, "c": 3 }));
    }

    #[test]
    fn a_document_without_a_known_version_says_what_to_do() {
        for (document, reason) in [
            (json!({}), "is missing"),
            (json!({ "version": 2 }), "is 2; this engine reads versions up to 1"),
            (json!({ "version": "1" }), "is \"1\", not a version"),
            (json!({ "version": 0 }), "is 0, not a version"),
        ] {
            let diagnostic = migrate(&mut document.clone()).unwrap_err();
            assert_eq!((diagnostic.path.as_str(), diagnostic.reason.as_str()), ("version", reason));
        }
        assert_eq!(migrate(&mut json!([])).unwrap_err().path, "");
    }
}
