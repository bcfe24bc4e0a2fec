//! Repetition: an object of a list that has a field `each` stands for several. In a figure's file the lists are `models`,
//! `quantities` and the series of its `plot`; its runs are written out: the menu of the page reads them as they stand. In a lesson it
//! is any list.
//!
//! `each` lists tables of columns. `{ "class": ["High", "Low"], "ratio": [3, 1] }` has two lines, and the object is repeated
//! once for each of them, with `{class}` and `{ratio}` in its texts replaced; several tables are crossed, the first changing
//! slowest. A text that is nothing but `{ratio}` becomes the value itself, a number here.

use std::mem;

use serde_json::{Map, Value};

/// The field.
const EACH: &str = "each";
/// The lists whose objects may have it, by pointer.
const LISTS: [&str; 3] = ["/models", "/quantities", "/plot/series"];

/// One line of the crossed tables.
type Line = Map<String, Value>;

/// `document` with every repetition written out.
///
/// # Errors
/// What is wrong with a table, as a sentence without a full stop.
pub(super) fn written_out(mut document: Value) -> Result<Value, String> {
    for list in LISTS {
        if let Some(Value::Array(elements)) = document.pointer_mut(list) {
            let mut all = Vec::new();
            for element in mem::take(elements) {
                all.extend(repeated(element)?);
            }
            *elements = all;
        }
    }
    Ok(document)
}

/// As [`written_out`], in every list of the document, however deep; what an outer table says is put in before an inner one is read.
///
/// # Errors
/// As for [`written_out`].
pub(super) fn written_out_everywhere(value: Value) -> Result<Value, String> {
    match value {
        Value::Array(elements) => {
            let mut all = Vec::new();
            for element in elements {
                for element in repeated(element)? {
                    all.push(written_out_everywhere(element)?);
                }
            }
            Ok(Value::Array(all))
        }
        Value::Object(fields) => {
            let written = |(name, value)| Ok((name, written_out_everywhere(value)?));
            fields.into_iter().map(written).collect::<Result<Map<_, _>, String>>().map(Value::Object)
        }
        plain => Ok(plain),
    }
}

/// The objects that one of a list stands for.
fn repeated(mut element: Value) -> Result<Vec<Value>, String> {
    let Some(each) = element.as_object_mut().and_then(|fields| fields.remove(EACH)) else {
        return Ok(vec![element]);
    };
    let tables = each.as_array().ok_or_else(|| format!("`{EACH}` is not a list of tables"))?;
    let mut crossed = vec![Line::new()];
    for table in tables {
        let lines = lines(table)?;
        crossed = crossed
            .iter()
            .flat_map(|outer| {
                lines
                    .iter()
                    .map(|inner| outer.iter().chain(inner).map(|(name, value)| (name.clone(), value.clone())).collect())
            })
            .collect();
    }
    let names: Vec<String> = crossed.first().into_iter().flat_map(Map::keys).cloned().collect();
    let text = element.to_string();
    if let Some(unused) = names.iter().find(|name| !text.contains(&format!("{{{name}}}"))) {
        return Err(format!("`{EACH}` has a column `{unused}`, but no text has `{{{unused}}}` in it"));
    }
    Ok(crossed.iter().map(|line| filled(&element, line)).collect())
}

/// The lines of a table of columns.
fn lines(table: &Value) -> Result<Vec<Line>, String> {
    let columns = table.as_object().ok_or_else(|| format!("`{EACH}` has {table}, which is not a table of columns"))?;
    let column = |name: &String, values: &Value| {
        values.as_array().cloned().ok_or_else(|| format!("the column `{name}` of `{EACH}` is not a list"))
    };
    let columns =
        columns.iter().map(|(name, values)| Ok((name, column(name, values)?))).collect::<Result<Vec<_>, String>>()?;
    let length = columns.first().map_or(0, |(_, values)| values.len());
    if let Some((name, _)) = columns.iter().find(|(_, values)| values.len() != length) {
        return Err(format!(
            "the column `{name}` of `{EACH}` is not as long as the first one, which has {length} values"
        ));
    }
    let line = |index: usize| columns.iter().map(|(name, values)| ((*name).clone(), values[index].clone())).collect();
    Ok((0..length).map(line).collect())
}

/// `value` with the placeholders in its texts replaced.
fn filled(value: &Value, line: &Line) -> Value {
    match value {
        Value::String(text) => {
            let whole = text.strip_prefix('{').and_then(|text| text.strip_suffix('}')).and_then(|name| line.get(name));
            whole.cloned().unwrap_or_else(|| Value::String(line.iter().fold(text.clone(), replaced)))
        }
        Value::Array(elements) => elements.iter().map(|element| filled(element, line)).collect(),
        Value::Object(fields) => {
            Value::Object(fields.iter().map(|(name, value)| (name.clone(), filled(value, line))).collect())
        }
        plain => plain.clone(),
    }
}

fn replaced(text: String, (name, value): (&String, &Value)) -> String {
    let shown = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    text.replace(&format!("{{{name}}}"), &shown)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn an_object_is_repeated_for_each_line_of_the_crossed_tables() {
        let written = written_out(json!({ "quantities": [
            { "label": "{class}, {when}", "value": "{ratio}",
              "each": [{ "when": ["before", "after"] }, { "class": ["High", "Low"], "ratio": [3, 1.5] }] },
            { "label": "once" },
        ] }));
        let expected = json!({ "quantities": [
            { "label": "High, before", "value": 3 },
            { "label": "Low, before", "value": 1.5 },
            { "label": "High, after", "value": 3 },
            { "label": "Low, after", "value": 1.5 },
            { "label": "once" },
        ] });
        assert_eq!(written, Ok(expected));
    }

    #[test]
    fn any_list_may_repeat_where_it_is_asked_for() {
        let written = written_out_everywhere(json!({ "steps": [{
            "each": [{ "class": ["High", "Low"] }],
            "title": "{class}",
            "asserts": [{ "value": "{run}.classes['{class}'].p99", "each": [{ "run": ["a", "b"] }] }],
        }] }));
        let of = |class: &str| {
            let value = |run: &str| json!({ "value": format!("{run}.classes['{class}'].p99") });
            json!({ "title": class, "asserts": [value("a"), value("b")] })
        };
        assert_eq!(written, Ok(json!({ "steps": [of("High"), of("Low")] })));
    }

    #[test]
    fn a_table_that_makes_no_sense_is_refused() {
        for (each, error) in [
            (json!(3), "`each` is not a list of tables"),
            (json!([{ "class": "High" }]), "the column `class` of `each` is not a list"),
            (
                json!([{ "class": ["High"], "ratio": [] }]),
                "the column `ratio` of `each` is not as long as the first one, which has 1 values",
            ),
            (json!([{ "clas": ["High"] }]), "`each` has a column `clas`, but no text has `{clas}` in it"),
        ] {
            assert_eq!(written_out(json!({ "models": [{ "label": "{class}", "each": each }] })), Err(error.into()));
        }
    }
}
