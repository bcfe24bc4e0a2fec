//! Documents that somebody has damaged: what a loader must answer in sentences.

use serde_json::{Value, json};

use crate::generate::Generator;

/// Deepest nesting that is tried.
const DEPTH: usize = 100_000;

impl Generator<'_> {
    /// The text of a document with some of it deleted, doubled, exchanged, of another type, nested or cut.
    pub fn damaged(&mut self, document: &Value) -> String {
        let mut document = document.clone();
        for _ in 0..self.random.integer(0, 4) {
            self.damage(&mut document);
        }
        let mut text = if self.chance(0.5) { document.to_string() } else { format!("{document:#}") };
        if self.chance(0.4) {
            self.damage_text(&mut text);
        }
        text
    }

    /// Changes one place of a document, any of them equally likely.
    fn damage(&mut self, document: &mut Value) {
        let mut places = Vec::new();
        pointers(document, "", &mut places);
        let [place, other] = [0, 1].map(|_| self.pick(&places).clone());
        let (parent, name) = place.rsplit_once('/').unwrap_or_default();
        let value = document.pointer(&place).cloned().unwrap_or_default();
        let replacement = match self.index(9) {
            0 => return remove(document, parent, name),
            1 => document.pointer(&other).cloned().unwrap_or_default(),
            2 => self.junk(2),
            3 => retyped(&value),
            4 => (0..self.random.integer(1, 200)).fold(value, |inner, _| json!([inner])),
            5 => json!(self.text(0, 5000)),
            6 => json!(value.as_f64().unwrap_or(1.0) * self.pick(&[-1.0, 0.0, 1e-9, 1e9, 1e300])),
            7 => {
                let key = self.text(1, 300);
                return add(document, parent, &key, value);
            }
            _ => {
                let copies = self.random.integer(2, 300) as usize;
                Value::Array(vec![value; copies])
            }
        };
        if let Some(found) = document.pointer_mut(&place) {
            *found = replacement;
        }
    }

    /// Changes the text itself, most often into something that is no JSON.
    fn damage_text(&mut self, text: &mut String) {
        let letters: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
        let at = *self.pick(&letters);
        match self.index(7) {
            0 => text.truncate(at),
            1 => text.insert(at, *self.pick(&['\u{0}', '"', '{', ']', ',', '9', '\u{1b}', '\u{feff}', '語'])),
            2 => {
                text.remove(at);
            }
            3 => {
                let end = letters[self.index(letters.len())].max(at);
                let copy = text[at..end].to_owned();
                text.insert_str(at, &copy);
            }
            // A field that is there twice.
            4 => *text = text.replacen('{', "{\"name\": \"twice\", \"version\": 1,", 1 + self.index(3)),
            // Numbers that no type holds.
            5 => {
                *text = text.replacen(
                    ": 1",
                    &format!(": {}", self.pick(&["1e999", "-1e999", "1e-999", "123456789012345678901234567890"])),
                    2,
                )
            }
            _ => {
                let depth = self.random.integer(100, DEPTH as u64) as usize;
                let open = *self.pick(&["[", "{\"a\":"]);
                text.insert_str(at, &open.repeat(depth));
            }
        }
    }
}

/// Pointers to everything in a value but itself.
fn pointers(value: &Value, path: &str, found: &mut Vec<String>) {
    let mut add = |step: &str, value: &Value| {
        let path = format!("{path}/{}", step.replace('~', "~0").replace('/', "~1"));
        pointers(value, &path, found);
        found.push(path);
    };
    match value {
        Value::Object(fields) => fields.iter().for_each(|(name, value)| add(name, value)),
        Value::Array(elements) => elements.iter().enumerate().for_each(|(index, value)| add(&index.to_string(), value)),
        _ => (),
    }
}

fn remove(document: &mut Value, parent: &str, name: &str) {
    match document.pointer_mut(parent) {
        Some(Value::Object(fields)) => {
            fields.remove(name);
        }
        Some(Value::Array(elements)) => {
            let index = name.parse().ok().filter(|&index: &usize| index < elements.len());
            index.map(|index| elements.remove(index));
        }
        _ => (),
    }
}

fn add(document: &mut Value, parent: &str, name: &str, value: Value) {
    match document.pointer_mut(parent) {
        Some(Value::Object(fields)) => {
            fields.insert(name.into(), value);
        }
        Some(Value::Array(elements)) => elements.push(value),
        _ => (),
    }
}

/// A value of another type that looks like it.
fn retyped(value: &Value) -> Value {
    match value {
        Value::Null => json!({}),
        Value::Bool(flag) => json!(u8::from(*flag)),
        Value::Number(number) => json!(number.to_string()),
        Value::String(text) => text.parse::<f64>().map_or_else(|_| json!([text]), |number| json!(number)),
        Value::Array(elements) => {
            elements.iter().enumerate().map(|(n, value)| (n.to_string(), value.clone())).collect()
        }
        Value::Object(fields) => fields.values().cloned().collect(),
    }
}
