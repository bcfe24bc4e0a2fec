//! A JSON text from outside: bounded before it is read, and each field in it once.

use std::cell::RefCell;
use std::fmt;

use serde::Deserializer;
use serde::de::{DeserializeSeed, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};

use super::diagnostics::Diagnostic;
use super::validate::join;

/// Longest text that is read. The largest network takes a few megabytes.
pub const MAXIMUM_BYTES: usize = 16 << 20;
/// Deepest nesting of lists and objects. The documents of QoScope have about ten levels.
const MAXIMUM_DEPTH: usize = 64;

/// Reads a JSON text in one pass, without more memory than what it says takes.
///
/// # Errors
/// A diagnostic if the text is too long or nested too deeply, is not JSON, or gives a field twice, with its place.
pub fn parse(json: &str) -> Result<Value, Diagnostic> {
    if json.len() > MAXIMUM_BYTES {
        // Of a longer file only the first bytes may have been read: its size is not known here.
        let reason = format!("has more than {} MiB of text", MAXIMUM_BYTES >> 20);
        return Err(Diagnostic::new("", reason, "Open a shorter document."));
    }
    let fault = RefCell::new(None);
    let mut text = serde_json::Deserializer::from_str(json);
    let read = Element { depth: 0, fault: &fault }.deserialize(&mut text).and_then(|value| text.end().map(|()| value));
    read.map_err(|error| match fault.into_inner() {
        Some(Fault::Twice { path }) => {
            let path = path.into_iter().rev().fold(String::new(), |path, step| match step {
                Step::Field(name) => join(&path, &name),
                Step::Index(index) => format!("{path}[{index}]"),
            });
            Diagnostic::new(path, "is given twice", "Keep one of the two.")
        }
        Some(Fault::TooDeep) => {
            let reason = format!("nests lists and objects more than {MAXIMUM_DEPTH} deep");
            Diagnostic::new("", reason, "Open a document with fewer levels.")
        }
        None => {
            let message = error.to_string();
            let what = message.rsplit_once(" at line ").map_or(message.as_str(), |(what, _)| what);
            let place = format!("line {}, column {}", error.line(), error.column());
            Diagnostic::new("", format!("is not JSON: {what} at {place}"), "Correct the text there.")
        }
    })
}

/// What a text that is JSON must not have.
enum Fault {
    /// A field of an object is given again. The path is put together on the way out, innermost step first.
    Twice { path: Vec<Step> },
    /// Too many levels.
    TooDeep,
}

enum Step {
    Field(String),
    Index(usize),
}

/// An element of the document, `depth` levels down.
#[derive(Clone, Copy)]
struct Element<'a> {
    depth: usize,
    fault: &'a RefCell<Option<Fault>>,
}

impl Element<'_> {
    /// An element one level further down.
    fn inner<E: Error>(self) -> Result<Self, E> {
        if self.depth == MAXIMUM_DEPTH {
            *self.fault.borrow_mut() = Some(Fault::TooDeep);
            return Err(E::custom("too deep"));
        }
        Ok(Self { depth: self.depth + 1, ..self })
    }

    /// Notes a step on the way out to the top.
    fn leave(self, step: impl FnOnce() -> Step) {
        if let Some(Fault::Twice { path }) = &mut *self.fault.borrow_mut() {
            path.push(step());
        }
    }
}

impl<'de> DeserializeSeed<'de> for Element<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Element<'_> {
    type Value = Value;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(Number::from_f64(value).map_or(Value::Null, Value::Number))
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_string<E>(self, value: String) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Value, A::Error> {
        let inner = self.inner()?;
        let mut elements = Vec::new();
        loop {
            match list.next_element_seed(inner) {
                Ok(Some(element)) => elements.push(element),
                Ok(None) => return Ok(Value::Array(elements)),
                Err(error) => {
                    self.leave(|| Step::Index(elements.len()));
                    return Err(error);
                }
            }
        }
    }

    fn visit_map<A: MapAccess<'de>>(self, mut object: A) -> Result<Value, A::Error> {
        let inner = self.inner()?;
        let mut fields = Map::new();
        while let Some(name) = object.next_key::<String>()? {
            if fields.contains_key(&name) {
                *self.fault.borrow_mut() = Some(Fault::Twice { path: vec![Step::Field(name)] });
                return Err(A::Error::custom("given twice"));
            }
            match object.next_value_seed(inner) {
                Ok(value) => fields.insert(name, value),
                Err(error) => {
                    self.leave(|| Step::Field(name));
                    return Err(error);
                }
            };
        }
        Ok(Value::Object(fields))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn refusal(json: &str) -> (String, String) {
        let diagnostic = parse(json).expect_err("is refused");
        (diagnostic.path, diagnostic.reason)
    }

    #[test]
    fn reads_what_other_readers_read() {
        let document = json!({ "a": [1, -2, 2.5, 1e300, "x\n", null, true, { "b": [] }], "ä": {} });
        assert_eq!(parse(&document.to_string()).expect("is JSON"), document);
    }

    #[test]
    fn a_field_given_twice_is_named() {
        assert_eq!(refusal(r#"{"seed": 1, "seed": 2}"#), ("seed".into(), "is given twice".into()));
        let nested = r#"{"classes": [{"name": "a"}, {"dcqcn": {"gain": 1, "gain": 1}}]}"#;
        assert_eq!(refusal(nested).0, "classes[1].dcqcn.gain");
    }

    #[test]
    fn what_is_too_deep_or_too_long_is_refused_before_it_is_read() {
        let deep = |levels: usize| "[".repeat(levels) + &"]".repeat(levels);
        assert!(parse(&deep(MAXIMUM_DEPTH)).is_ok());
        for levels in [MAXIMUM_DEPTH + 1, 1_900_000] {
            assert_eq!(refusal(&deep(levels)).1, "nests lists and objects more than 64 deep");
        }
        for bytes in [MAXIMUM_BYTES + 1, 100_000_000] {
            assert_eq!(refusal(&" ".repeat(bytes)).1, "has more than 16 MiB of text");
        }
    }
}
