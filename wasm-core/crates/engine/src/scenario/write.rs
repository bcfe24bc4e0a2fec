//! A document as a person writes one: fields in the order of the format, short lists and objects in a line.

use serde_json::{Map, Value};

use super::document::Scenario;

/// Longest line that is made of several values.
const LINE: usize = 110;
/// Blanks by which what stands inside is indented.
const INDENT: usize = 2;

/// The text of `document`, which has been read as `scenario`. What the document leaves out stays out.
pub(super) fn written(document: &Value, scenario: &Scenario) -> String {
    let complete = serde_json::to_value(scenario).unwrap_or_default();
    let mut out = String::new();
    open(&in_order(document, &complete), 0, &mut out);
    out.push('\n');
    out
}

/// `value` with its fields in the order that `complete` has them in, which has all of them.
fn in_order(value: &Value, complete: &Value) -> Value {
    match (value, complete) {
        (Value::Object(fields), Value::Object(all)) => {
            let ordered = all.iter().filter_map(|(name, all)| Some((name.clone(), in_order(fields.get(name)?, all))));
            ordered.collect::<Map<_, _>>().into()
        }
        (Value::Array(values), Value::Array(all)) => {
            values.iter().zip(all).map(|(value, all)| in_order(value, all)).collect()
        }
        _ => value.clone(),
    }
}

/// A value in a line.
fn line(value: &Value) -> String {
    match value {
        Value::Array(values) => format!("[{}]", values.iter().map(line).collect::<Vec<_>>().join(", ")),
        Value::Object(fields) if fields.is_empty() => "{}".into(),
        Value::Object(fields) => {
            let fields = fields.iter().map(|(name, value)| format!("{}: {}", quoted(name), line(value)));
            format!("{{ {} }}", fields.collect::<Vec<_>>().join(", "))
        }
        plain => plain.to_string(),
    }
}

fn quoted(name: &str) -> String {
    Value::from(name).to_string()
}

/// Appends a value, in a line if it fits into one that is indented by `indent` and has `before` in it already.
fn write(value: &Value, indent: usize, before: usize, out: &mut String) {
    let line = line(value);
    if indent + before + line.len() < LINE {
        out.push_str(&line);
    } else {
        open(value, indent, out);
    }
}

/// Appends a value with every part of it on a line of its own; plain values share lines.
fn open(value: &Value, indent: usize, out: &mut String) {
    let inner = indent + INDENT;
    let new_line = |indent: usize, out: &mut String| {
        out.push('\n');
        out.extend(std::iter::repeat_n(' ', indent));
    };
    match value {
        Value::Array(values) => {
            out.push('[');
            let mut room = 0;
            for (index, value) in values.iter().enumerate() {
                let is_plain = !value.is_array() && !value.is_object();
                let width = if is_plain { line(value).len() + ", ".len() } else { LINE };
                if is_plain && room >= width {
                    out.push(' ');
                } else {
                    new_line(inner, out);
                    room = LINE.saturating_sub(inner);
                }
                room = room.saturating_sub(width);
                write(value, inner, 0, out);
                out.push_str(if index + 1 < values.len() { "," } else { "" });
            }
            new_line(indent, out);
            out.push(']');
        }
        Value::Object(fields) => {
            out.push('{');
            for (index, (name, value)) in fields.iter().enumerate() {
                let name = quoted(name) + ": ";
                new_line(inner, out);
                out.push_str(&name);
                write(value, inner, name.len(), out);
                out.push_str(if index + 1 < fields.len() { "," } else { "" });
            }
            new_line(indent, out);
            out.push('}');
        }
        plain => out.push_str(&plain.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::super::{from_value, parse, tests::minimal};
    use super::written;
    use serde_json::{Value, json};

    fn written_again(document: &Value) -> String {
        written(document, &from_value(document.clone()).unwrap())
    }

    #[test]
    fn document_is_written_in_the_order_of_the_format() {
        let expected = r#"{
  "version": 3,
  "name": "Two writers",
  "durationUs": 1000,
  "topology": { "shape": { "kind": "dumbbell", "senders": 2, "receivers": 1 }, "linkGbps": 10 },
  "host": { "startJitterUs": 0 },
  "classes": [{ "name": "High", "ratio": 2 }, { "name": "Low" }],
  "workloads": [
    {
      "class": "High",
      "endpoints": { "kind": "pairs", "initiators": ["h0"], "targets": ["h2"] },
      "traffic": { "kind": "backlogged" }
    },
    {
      "class": "Low",
      "endpoints": { "kind": "pairs", "initiators": ["h1"], "targets": ["h2"] },
      "traffic": { "kind": "open-loop", "offeredGbps": 4, "size": { "kind": "fixed", "bytes": 65536 } }
    }
  ]
}
"#;
        let mut document = minimal();
        document["host"] = json!({ "startJitterUs": 0 });
        assert_eq!(written_again(&document), expected);
    }

    #[test]
    fn long_lists_are_broken_into_lines() {
        let mut document = minimal();
        document["topology"]["shape"] = json!({ "kind": "fat-tree", "k": 8 });
        let hosts: Vec<String> = (0..100).map(|number| format!("h{number}")).collect();
        document["workloads"][0]["endpoints"] = json!({ "kind": "pairs", "initiators": hosts, "targets": ["h127"] });
        document["workloads"][1]["endpoints"] = json!({ "kind": "incast", "target": "h3", "initiators": 5 });
        document["timeline"] = json!([{ "atUs": 3, "path": "classes[0].baseRttUs", "value": null }]);
        let text = written_again(&document);
        assert!(text.lines().all(|line| line.len() <= super::LINE), "{text}");
        assert_eq!(parse(&text).unwrap(), document);
    }
}
