//! Paths into a scenario document: `classes[0].ratio`, `switch.ecnThresholdPackets`.

use serde_json::{Map, Value};

use super::diagnostics::Diagnostic;

/// One step of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step<'a> {
    /// Into the field of an object.
    Field(&'a str),
    /// Into the element of a list.
    Index(usize),
}

/// The steps of `path`, or `None` if it is not written like a path.
pub(super) fn parse(path: &str) -> Option<Vec<Step<'_>>> {
    let mut steps = Vec::new();
    for part in path.split('.') {
        let (name, mut indices) = part.split_at(part.find('[').unwrap_or(part.len()));
        if name.is_empty() || !name.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_') {
            return None;
        }
        steps.push(Step::Field(name));
        while !indices.is_empty() {
            let (index, rest) = indices.strip_prefix('[')?.split_once(']')?;
            steps.push(Step::Index(index.parse().ok()?));
            indices = rest;
        }
    }
    Some(steps)
}

/// The value at `path`, if the document has one.
pub fn get_path<'a>(document: &'a Value, path: &str) -> Option<&'a Value> {
    parse(path)?.into_iter().try_fold(document, |value, step| match step {
        Step::Field(name) => value.get(name),
        Step::Index(index) => value.get(index),
    })
}

/// The value at `path`, to be changed.
pub(super) fn get_path_mut<'a>(document: &'a mut Value, path: &str) -> Option<&'a mut Value> {
    parse(path)?.into_iter().try_fold(document, |value, step| match step {
        Step::Field(name) => value.get_mut(name),
        Step::Index(index) => value.get_mut(index),
    })
}

/// As [`super::set_path`], without a hint for symbols.
///
/// # Errors
/// As [`super::set_path`].
pub(super) fn set(document: &mut Value, path: &str, value: Value) -> Result<(), Diagnostic> {
    let steps = parse(path).ok_or_else(|| {
        Diagnostic::new(
            path,
            "is not a path",
            "Write field names with dots and list positions in brackets, as in `classes[0].ratio`.",
        )
    })?;
    reach(document, &steps, path)?;
    let mut here = document;
    for step in steps {
        if here.is_null() {
            *here = Value::Object(Map::new());
        }
        here = match step {
            Step::Field(name) => &mut here[name],
            Step::Index(index) => &mut here[index],
        };
    }
    *here = value;
    Ok(())
}

/// Whether `steps` can be walked, making absent sections on the way.
fn reach(document: &Value, steps: &[Step<'_>], path: &str) -> Result<(), Diagnostic> {
    let mut here = document;
    for step in steps {
        here = match (step, here) {
            (Step::Field(name), Value::Object(fields)) => fields.get(*name).unwrap_or(&Value::Null),
            (Step::Field(_), Value::Null) => &Value::Null,
            (Step::Field(name), _) => {
                return Err(Diagnostic::new(
                    path,
                    format!("has no part `{name}`"),
                    "Check the path against the scenario.",
                ));
            }
            (Step::Index(index), Value::Array(elements)) => elements.get(*index).ok_or_else(|| {
                let length = elements.len();
                Diagnostic::new(path, format!("has no element [{index}]; the list has {length}"), "Count from 0.")
            })?,
            (Step::Index(index), _) => {
                return Err(Diagnostic::new(
                    path,
                    format!("has no element [{index}]: not a list"),
                    "Check the path against the scenario.",
                ));
            }
        };
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_path_is_fields_and_positions() {
        assert_eq!(
            parse("classes[10].size[0].bytes").unwrap(),
            [Step::Field("classes"), Step::Index(10), Step::Field("size"), Step::Index(0), Step::Field("bytes")]
        );
        for malformed in
            ["", ".", "a.", "a[", "a[]", "a[-1]", "a[0", "a]0[", "[0]", "a b", "a[0]b", "a[99999999999999999999]"]
        {
            assert_eq!(parse(malformed), None, "{malformed}");
        }
    }

    #[test]
    fn setting_makes_absent_sections_and_changes_nothing_else() {
        let mut document = json!({ "classes": [{ "name": "High" }] });
        set(&mut document, "classes[0].ratio", json!(3)).unwrap();
        set(&mut document, "switch.marking", json!("red")).unwrap();
        assert_eq!(document, json!({ "classes": [{ "name": "High", "ratio": 3 }], "switch": { "marking": "red" } }));
        assert_eq!(get_path(&document, "switch.marking"), Some(&json!("red")));
        assert_eq!(get_path(&document, "classes[1].ratio"), None);
    }

    #[test]
    fn a_path_that_leads_nowhere_leaves_the_document_alone() {
        let original = json!({ "name": "x", "classes": [{}] });
        for path in ["name.first", "classes[1].ratio", "classes.ratio", "new[0]", "name[0]", "a..b"] {
            let mut document = original.clone();
            let diagnostic = set(&mut document, path, json!(1)).unwrap_err();
            assert_eq!(diagnostic.path, path);
            assert_eq!(document, original, "{path}");
        }
    }
}
