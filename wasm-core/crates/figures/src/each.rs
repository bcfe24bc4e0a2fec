//! Repetition: an object of a list that has a field `each` stands for several. In a figure's file the lists are `models`,
//! `quantities` and the series of its `plot`; its runs are written out: the menu of the page reads them as they stand. In a lesson it
//! is any list.
//!
//! `each` lists tables of columns. `{ "class": ["High", "Low"], "ratio": [3, 1] }` has two lines, and the object is repeated
//! once for each of them, with `{class}` and `{ratio}` in its texts replaced; several tables are crossed, the first changing
//! slowest. A text that is nothing but `{ratio}` becomes the value itself, a number here.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::{iter, mem};

use qoscope_engine::kernel::convert::index;
use qoscope_engine::scenario::{self, Diagnostic, MAXIMUM_BYTES, shortened};
use serde_json::{Map, Value};

/// The field.
const EACH: &str = "each";
/// The lists whose objects may have it, by pointer.
const LISTS: [&str; 3] = ["/models", "/quantities", "/plot/series"];

/// Objects that all repetitions of a document may stand for.
const MAX_OBJECTS: u64 = 10_000;
/// Bytes of JSON that they may take.
const MAX_BYTES: usize = MAXIMUM_BYTES;

/// One line of the crossed tables: the value of each column.
type Line<'a> = BTreeMap<&'a str, &'a Value>;

/// `document` with the repetitions of a figure written out.
///
/// # Errors
/// What is wrong with a table, with the path of its `each` before repetitions are written out.
pub(super) fn written_out(mut document: Value) -> Result<Value, Diagnostic> {
    let mut writer = Writer::new("See `each` in docs/figures.md.");
    for list in LISTS {
        if let Some(Value::Array(elements)) = document.pointer_mut(list) {
            let list = list[1..].replace('/', ".");
            let mut all = Vec::new();
            for (index, element) in mem::take(elements).into_iter().enumerate() {
                all.extend(writer.repeated(element, &format!("{list}[{index}]"))?);
            }
            *elements = all;
        }
    }
    Ok(document)
}

/// As [`written_out`], in every list of a lesson, however deep. An outer table is applied before an inner one is read.
///
/// # Errors
/// As for [`written_out`].
pub(super) fn written_out_everywhere(document: Value) -> Result<Value, Diagnostic> {
    Writer::new("See `each` in docs/lessons.md.").everywhere(document, "")
}

/// Writes out the repetitions of one document.
struct Writer {
    objects_left: u64,
    bytes_left: usize,
    /// Where `each` is described.
    reference: &'static str,
}

impl Writer {
    fn new(reference: &'static str) -> Self {
        Self { objects_left: MAX_OBJECTS, bytes_left: MAX_BYTES, reference }
    }

    fn refusal(&self, path: &str, reason: impl Into<String>) -> Diagnostic {
        Diagnostic::new(format!("{path}.{EACH}"), reason, self.reference)
    }

    fn everywhere(&mut self, value: Value, path: &str) -> Result<Value, Diagnostic> {
        match value {
            Value::Array(elements) => {
                let mut all = Vec::new();
                for (index, element) in elements.into_iter().enumerate() {
                    let path = format!("{path}[{index}]");
                    for element in self.repeated(element, &path)? {
                        all.push(self.everywhere(element, &path)?);
                    }
                }
                Ok(Value::Array(all))
            }
            Value::Object(fields) => {
                let mut written = Map::new();
                for (name, value) in fields {
                    let value = self.everywhere(value, &scenario::field_path(path, &name))?;
                    written.insert(name, value);
                }
                Ok(Value::Object(written))
            }
            plain => Ok(plain),
        }
    }

    /// The objects that the one of a list at `path` stands for.
    fn repeated(&mut self, mut element: Value, path: &str) -> Result<Vec<Value>, Diagnostic> {
        let Some(each) = element.as_object_mut().and_then(|fields| fields.remove(EACH)) else {
            return Ok(vec![element]);
        };
        let tables = each.as_array().ok_or_else(|| self.refusal(path, "is not a list of tables"))?;
        let tables = tables.iter().map(Table::read).collect::<Result<Vec<_>, String>>();
        let tables = tables.map_err(|reason| self.refusal(path, reason))?;
        let crossed = if tables.iter().any(|table| table.length == 0) {
            0
        } else {
            tables.iter().fold(1_u64, |product, table| product.saturating_mul(table.length as u64))
        };
        self.objects_left = self.objects_left.checked_sub(crossed).ok_or_else(|| {
            let lengths: Vec<String> = tables.iter().map(|table| table.length.to_string()).collect();
            let reason = format!("crosses tables of {} lines", shortened(&lengths.join(" x ")));
            let hint = format!(
                "The repetitions of a document may make up to {MAX_OBJECTS} objects in all: use fewer or shorter tables."
            );
            Diagnostic::new(format!("{path}.{EACH}"), reason, hint)
        })?;
        let mut used = BTreeSet::new();
        placeholders(&element, &mut used);
        let columns = tables.iter().flat_map(|table| &table.columns).map(|(name, _)| *name);
        if let Some(unused) = columns.filter(|_| crossed > 0).find(|name| !used.contains(name)) {
            let unused = shortened(unused);
            return Err(self.refusal(path, format!("has a column `{unused}`, but no text has `{{{unused}}}` in it")));
        }
        (0..crossed)
            .map(|number| {
                let line = line(&tables, number);
                let bytes = filled_bytes(&element, &line);
                self.bytes_left = self.bytes_left.checked_sub(bytes).ok_or_else(|| {
                    let reason = format!("makes the document longer than {} MB", MAX_BYTES >> 20);
                    Diagnostic::new(format!("{path}.{EACH}"), reason, "Use fewer lines or shorter values.")
                })?;
                Ok(filled(&element, &line))
            })
            .collect()
    }
}

/// A table of columns of equal length.
struct Table<'a> {
    columns: Vec<(&'a str, &'a Vec<Value>)>,
    length: usize,
}

impl<'a> Table<'a> {
    fn read(table: &'a Value) -> Result<Self, String> {
        let columns = table.as_object().ok_or("has an entry that is not a table of columns")?;
        let column = |(name, values): (&'a String, &'a Value)| {
            let values = values.as_array();
            values
                .map(|values| (name.as_str(), values))
                .ok_or_else(|| format!("has a column `{}` that is not a list", shortened(name)))
        };
        let columns = columns.iter().map(column).collect::<Result<Vec<_>, String>>()?;
        let length = columns.first().map_or(0, |(_, values)| values.len());
        match columns.iter().find(|(_, values)| values.len() != length) {
            Some((name, values)) => {
                Err(format!("has a column `{}` of {} values next to one of {length}", shortened(name), values.len()))
            }
            None => Ok(Self { columns, length }),
        }
    }
}

/// Line `number` of the crossed tables, of which the first changes slowest.
fn line<'a>(tables: &[Table<'a>], mut number: u64) -> Line<'a> {
    let mut line = Line::new();
    // A column of a later table replaces one of the same name.
    for table in tables.iter().rev() {
        let length = table.length as u64;
        let at = index(number % length);
        number /= length;
        for (name, values) in &table.columns {
            line.entry(name).or_insert(&values[at]);
        }
    }
    line
}

/// `value` with the placeholders in its texts replaced.
fn filled(value: &Value, line: &Line<'_>) -> Value {
    match value {
        Value::String(text) => match whole(text, line) {
            Some(value) => value.clone(),
            None => Value::String(pieces(text, line).collect()),
        },
        Value::Array(elements) => elements.iter().map(|element| filled(element, line)).collect(),
        Value::Object(fields) => {
            Value::Object(fields.iter().map(|(name, value)| (name.clone(), filled(value, line))).collect())
        }
        plain => plain.clone(),
    }
}

/// About how many bytes of JSON [`filled`] makes.
fn filled_bytes(value: &Value, line: &Line<'_>) -> usize {
    match value {
        Value::String(text) => match whole(text, line) {
            Some(value) => value.to_string().len(),
            None => pieces(text, line).map(|piece| piece.len()).sum(),
        },
        Value::Array(elements) => elements.iter().map(|element| 1 + filled_bytes(element, line)).sum(),
        Value::Object(fields) => fields.iter().map(|(name, value)| 4 + name.len() + filled_bytes(value, line)).sum(),
        Value::Null | Value::Bool(_) | Value::Number(_) => 8,
    }
}

/// The value of the placeholder that is all of a text.
fn whole<'a>(text: &str, line: &Line<'a>) -> Option<&'a Value> {
    text.strip_prefix('{').and_then(|text| text.strip_suffix('}')).and_then(|name| line.get(name)).copied()
}

/// A text in pieces, placeholders replaced. What replaces one is not searched for others.
fn pieces<'a>(text: &'a str, line: &'a Line<'a>) -> impl Iterator<Item = Cow<'a, str>> {
    parts(text).map(|part| match part {
        Part::Text(text) => Cow::Borrowed(text),
        Part::Placeholder { name, text } => match line.get(name) {
            Some(Value::String(value)) => Cow::Borrowed(value.as_str()),
            Some(value) => Cow::Owned(value.to_string()),
            None => Cow::Borrowed(text),
        },
    })
}

/// The names in braces in the texts of `value`.
fn placeholders<'a>(value: &'a Value, found: &mut BTreeSet<&'a str>) {
    match value {
        Value::String(text) => found.extend(parts(text).filter_map(|part| match part {
            Part::Placeholder { name, .. } => Some(name),
            Part::Text(_) => None,
        })),
        Value::Array(elements) => elements.iter().for_each(|element| placeholders(element, found)),
        Value::Object(fields) => fields.values().for_each(|value| placeholders(value, found)),
        Value::Null | Value::Bool(_) | Value::Number(_) => (),
    }
}

/// A part of a text.
enum Part<'a> {
    Text(&'a str),
    /// A name in braces; `text` is with them.
    Placeholder {
        name: &'a str,
        text: &'a str,
    },
}

fn parts(text: &str) -> impl Iterator<Item = Part<'_>> {
    let mut rest = text;
    iter::from_fn(move || {
        let name = rest.strip_prefix('{').and_then(|inside| {
            let name = &inside[..inside.find(['{', '}'])?];
            inside[name.len()..].starts_with('}').then_some(name)
        });
        let length = match name {
            Some(name) => name.len() + 2,
            // A brace that begins no placeholder is text.
            None => rest.char_indices().skip(1).find(|(_, letter)| *letter == '{').map_or(rest.len(), |(at, _)| at),
        };
        let (text, after) = rest.split_at(length);
        rest = after;
        match name {
            Some(name) => Some(Part::Placeholder { name, text }),
            None => (!text.is_empty()).then_some(Part::Text(text)),
        }
    })
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

    fn refusal(written: Result<Value, Diagnostic>) -> (String, String, String) {
        let Diagnostic { path, reason, hint, .. } = written.expect_err("is refused");
        (path, reason, hint)
    }

    #[test]
    fn a_table_that_makes_no_sense_is_refused_with_its_path() {
        let long = "x".repeat(3000);
        for (each, error) in [
            (json!(3), "is not a list of tables"),
            (json!([{ "class": "High" }]), "has a column `class` that is not a list"),
            (json!([{ "class": ["High"], "ratio": [] }]), "has a column `ratio` of 0 values next to one of 1"),
            (json!([{ "clas": ["High"] }]), "has a column `clas`, but no text has `{clas}` in it"),
            (json!([long]), "has an entry that is not a table of columns"),
        ] {
            let (path, reason, hint) =
                refusal(written_out(json!({ "models": [{}, { "label": "{class}", "each": each }] })));
            assert_eq!((path.as_str(), reason.as_str()), ("models[1].each", error));
            assert_eq!(hint, "See `each` in docs/figures.md.");
        }
        let (_, reason, _) = refusal(written_out(json!({ "models": [{ "each": [{ (long): [1] }] }] })));
        assert!(reason.len() < 200, "{reason}");
    }

    #[test]
    fn a_product_above_the_limit_is_refused_before_it_is_made() {
        let tables: Vec<Value> = (0..80).map(|number| json!({ (format!("a{number}")): [0, 1] })).collect();
        let label: String = (0..80).map(|number| format!("{{a{number}}}")).collect();
        let crossed = json!({ "label": label, "each": tables });
        let (path, reason, hint) = refusal(written_out(json!({ "quantities": [crossed] })));
        assert_eq!(path, "quantities[0].each");
        assert!(reason.starts_with("crosses tables of 2 x 2 x ") && reason.len() < 120, "{reason}");
        assert!(hint.contains("up to 10000 objects"), "{hint}");
        let (path, ..) = refusal(written_out(json!({ "plot": { "series": [{}, crossed] } })));
        assert_eq!(path, "plot.series[1].each");
        let (path, ..) = refusal(written_out_everywhere(json!({ "steps": [{ "asserts": [crossed] }] })));
        assert_eq!(path, "steps[0].asserts[0].each");
    }

    #[test]
    fn repetitions_in_repetitions_and_next_to_each_other_count_together() {
        let numbers: Vec<u32> = (0..60).collect();
        let wrap = |name: &str, inner: Value| json!([{ "each": [{ (name): numbers }], "title": format!("{{{name}}}"), "list": inner }]);
        let twice = wrap("a", wrap("b", json!([])));
        assert!(written_out_everywhere(twice.clone()).is_ok());
        let (path, ..) = refusal(written_out_everywhere(wrap("c", twice)));
        assert_eq!(path, "[0].list[0].list[0].each");
        let element = json!({ "label": "{a}", "each": [{ "a": vec![0; 6000] }] });
        let (path, ..) = refusal(written_out(json!({ "models": [element], "quantities": [element] })));
        assert_eq!(path, "quantities[0].each");
        let empty = json!({ "label": "{a}", "each": [{ "a": vec![0; 20_000] }, { "b": [] }] });
        assert_eq!(written_out(json!({ "models": [empty] })).unwrap(), json!({ "models": [] }));
    }

    #[test]
    fn long_values_are_bounded_by_the_length_of_a_document() {
        let long = "x".repeat(1 << 20);
        let element = json!({ "label": "{a} ".repeat(100), "each": [{ "a": [long] }] });
        let (path, reason, _) = refusal(written_out(json!({ "models": [element] })));
        assert_eq!((path.as_str(), reason.as_str()), ("models[0].each", "makes the document longer than 16 MB"));
        let element = json!({ "label": long, "value": "{a}", "each": [{ "a": vec![0; 100] }] });
        let (path, ..) = refusal(written_out_everywhere(json!([element])));
        assert_eq!(path, "[0].each");
    }

    #[test]
    fn a_value_is_not_searched_for_placeholders() {
        let columns: Map<String, Value> =
            (0..26).map(|n| (format!("a{n}"), json!([format!("{{a{}}}{{a{0}}}", n + 1)]))).collect();
        let label: String = (0..26).map(|n| format!("{{a{n}}}")).collect();
        let written = written_out(json!({ "models": [{ "label": label, "each": [columns] }] })).unwrap();
        let expected: String = (1..27).map(|n| format!("{{a{n}}}{{a{n}}}")).collect();
        assert_eq!(written, json!({ "models": [{ "label": expected }] }));
    }
}
