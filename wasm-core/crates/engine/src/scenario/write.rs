//! A document as a person writes one: fields in the order of the format, short lists and objects in a line.

use std::fmt;

use serde::de::{DeserializeSeed, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::Value;

use super::document::Scenario;

/// Longest line that is made of several values.
const LINE: usize = 110;
/// Blanks by which what stands inside is indented.
const INDENT: usize = 2;

/// The text of `document`, which has been read as `scenario`. What the document leaves out stays out.
///
/// # Errors
/// `scenario` is not that of the document.
pub(super) fn written(document: &Value, scenario: &Scenario) -> serde_json::Result<String> {
    let complete = serde_json::to_string(scenario)?;
    let ordered = InOrder(document).deserialize(&mut serde_json::Deserializer::from_str(&complete))?;
    let mut out = String::new();
    ordered.open(0, &mut out);
    out.push('\n');
    Ok(out)
}

/// A value whose fields are in the order of the format.
enum Ordered {
    Plain(String),
    List(Vec<Self>),
    Object(Vec<(String, Self)>),
}

impl Ordered {
    /// This value in a line.
    fn line(&self) -> String {
        match self {
            Self::Plain(text) => text.clone(),
            Self::List(values) => format!("[{}]", joined(values.iter().map(Self::line))),
            Self::Object(fields) if fields.is_empty() => "{}".into(),
            Self::Object(fields) => {
                format!("{{ {} }}", joined(fields.iter().map(|(name, value)| format!("{name}: {}", value.line()))))
            }
        }
    }

    /// Appends this value, in a line if it fits into one that is indented by `indent` and has `before` in it already.
    fn write(&self, indent: usize, before: usize, out: &mut String) {
        let line = self.line();
        if indent + before + line.len() < LINE {
            out.push_str(&line);
        } else {
            self.open(indent, out);
        }
    }

    /// Appends this value with every part of it on a line of its own; plain values share lines.
    fn open(&self, indent: usize, out: &mut String) {
        let inner = indent + INDENT;
        let new_line = |indent: usize, out: &mut String| {
            out.push('\n');
            out.extend(std::iter::repeat_n(' ', indent));
        };
        match self {
            Self::Plain(text) => out.push_str(text),
            Self::List(values) => {
                out.push('[');
                let mut room = 0;
                for (index, value) in values.iter().enumerate() {
                    let width = value.line().len() + ", ".len();
                    if let (Self::Plain(_), true) = (value, room >= width) {
                        out.push(' ');
                    } else {
                        new_line(inner, out);
                        room = LINE - inner.min(LINE);
                    }
                    room = room.saturating_sub(width);
                    value.write(inner, 0, out);
                    out.push_str(if index + 1 < values.len() { "," } else { "" });
                }
                new_line(indent, out);
                out.push(']');
            }
            Self::Object(fields) => {
                out.push('{');
                for (index, (name, value)) in fields.iter().enumerate() {
                    new_line(inner, out);
                    out.push_str(name);
                    out.push_str(": ");
                    value.write(inner, name.len() + ": ".len(), out);
                    out.push_str(if index + 1 < fields.len() { "," } else { "" });
                }
                new_line(indent, out);
                out.push('}');
            }
        }
    }
}

fn joined(parts: impl Iterator<Item = String>) -> String {
    parts.collect::<Vec<_>>().join(", ")
}

/// Reads the text of a scenario, which has all fields in order, and takes those that a document has.
struct InOrder<'a>(&'a Value);

impl<'de> DeserializeSeed<'de> for InOrder<'_> {
    type Value = Ordered;

    fn deserialize<D: Deserializer<'de>>(self, text: D) -> Result<Ordered, D::Error> {
        match self.0 {
            Value::Array(_) => text.deserialize_seq(self),
            Value::Object(_) => text.deserialize_map(self),
            plain => IgnoredAny::deserialize(text).map(|_| Ordered::Plain(plain.to_string())),
        }
    }
}

impl<'de> Visitor<'de> for InOrder<'_> {
    type Value = Ordered;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("the value of the document")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut text: A) -> Result<Ordered, A::Error> {
        let values = self.0.as_array().into_iter().flatten();
        let values = values.map(|value| {
            text.next_element_seed(InOrder(value))?.ok_or_else(|| A::Error::custom("the list is shorter"))
        });
        values.collect::<Result<_, _>>().map(Ordered::List)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut text: A) -> Result<Ordered, A::Error> {
        let mut fields = Vec::new();
        while let Some(name) = text.next_key::<String>()? {
            match self.0.get(&name) {
                Some(value) => {
                    fields.push((Value::from(name).to_string(), text.next_value_seed(InOrder(value))?));
                }
                None => text.next_value::<IgnoredAny>().map(|_| ())?,
            }
        }
        Ok(Ordered::Object(fields))
    }
}

#[cfg(test)]
mod tests {
    use super::super::{from_value, migrated, tests::minimal};
    use serde_json::{Value, json};

    #[test]
    fn a_document_is_written_in_the_order_of_the_format_and_with_nothing_more() {
        let mut document = minimal();
        document["version"] = json!(1);
        let pairs = |source: u32| json!({ "kind": "pairs", "sources": [source], "destinations": [2] });
        document["workloads"][0]["endpoints"] = pairs(0);
        document["workloads"][1]["endpoints"] = pairs(1);
        let expected = r#"{
  "version": 2,
  "name": "Two writers",
  "durationUs": 1000,
  "topology": { "shape": { "kind": "dumbbell", "senders": 2, "receivers": 1 }, "linkGbps": 10 },
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
        assert_eq!(migrated(&document.to_string()).unwrap(), expected);
        // One that needs no migration stays as it is, to the letter.
        assert_eq!(migrated(expected).unwrap(), expected);
    }

    #[test]
    fn long_lists_are_broken_into_lines_and_mean_the_same() {
        let mut document = minimal();
        document["version"] = json!(1);
        document["topology"]["shape"] = json!({ "kind": "fat-tree", "k": 8 });
        document["workloads"][0]["endpoints"] =
            json!({ "kind": "pairs", "sources": (0..100).collect::<Vec<_>>(), "destinations": [127] });
        document["workloads"][1]["endpoints"] = json!({ "kind": "incast", "destination": 3, "senders": 5 });
        document["timeline"] = json!([{ "atUs": 3, "path": "classes[0].baseRttUs", "value": null }]);
        let text = migrated(&document.to_string()).unwrap();
        assert!(text.lines().all(|line| line.len() <= super::LINE), "{text}");
        let read: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(from_value(read).unwrap(), from_value(document).unwrap());
    }
}
