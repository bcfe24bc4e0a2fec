//! Random values for the fields of the schema.

use qoscope_engine::kernel::random::Stream;
use serde_json::{Map, Value, json};

use crate::schema::{Form, Object, Range};

/// Largest number of elements that a list gets, but for one in a hundred.
const SHORT_LIST: usize = 5;
/// Smallest number that a logarithmic scale from 0 begins with, as a part of its end.
const NEARLY_ZERO: f64 = 1e-9;

/// Draws values.
pub struct Generator<'a> {
    /// The schema of the whole document.
    pub root: &'a Value,
    /// What is drawn from.
    pub random: Stream,
    /// From 0, ordinary values, to 1, many at the edges of what is legal.
    pub daring: f64,
}

impl<'a> Generator<'a> {
    /// Whether something of probability `p` happens.
    pub fn chance(&mut self, p: f64) -> bool {
        self.random.uniform() < p
    }

    /// A position in a list of `length`.
    pub fn index(&mut self, length: usize) -> usize {
        self.random.integer(0, length.max(1) as u64 - 1) as usize
    }

    /// One of `items`.
    pub fn pick<'b, T>(&mut self, items: &'b [T]) -> &'b T {
        let index = self.index(items.len());
        &items[index]
    }

    /// Between `low` and `high`, every order of magnitude equally likely.
    pub fn log_uniform(&mut self, low: f64, high: f64) -> f64 {
        log_uniform(&mut self.random, low, high)
    }

    /// A value for the field that `stated` describes.
    pub fn value(&mut self, stated: &'a Value) -> Value {
        let (form, nullable) = Form::of(self.root, stated);
        if nullable && self.chance(0.1) {
            return Value::Null;
        }
        match form {
            Form::Number(range) => match stated.get("default") {
                Some(default) if self.chance(0.2) => default.clone(),
                _ => self.number(range),
            },
            Form::Choice(words) => (*self.pick(&words)).clone(),
            Form::Flag => json!(self.chance(0.5)),
            Form::Text { min, max } => json!(self.text(min, max)),
            Form::Object(object) => self.object(&object),
            Form::Kinds(kinds) => {
                let kind = self.index(kinds.len());
                self.object(&kinds[kind])
            }
            Form::List { leading, items, min, max } => {
                let most = if self.chance(0.01 + 0.05 * self.daring) { 60 } else { SHORT_LIST };
                let length = self.random.integer(min as u64, max.min(min.max(most)) as u64) as usize;
                let schemas = leading.iter().map(Some).chain(core::iter::repeat(items));
                schemas.take(length).flatten().map(|schema| self.value(schema)).collect()
            }
            Form::Anything => self.junk(2),
        }
    }

    /// An object with all that it needs and some of what it may have.
    fn object(&mut self, object: &Object<'a>) -> Value {
        let density = *self.pick(&[0.1, 0.3, 0.6, 1.0]);
        let mut fields = Map::new();
        for (name, schema) in object.fields {
            if let Some(word) = schema.get("const") {
                fields.insert(name.clone(), word.clone());
            } else if object.requires(name) || self.chance(density) {
                fields.insert(name.clone(), self.value(schema));
            }
        }
        fields.into()
    }

    fn number(&mut self, Range { min, max, whole, slider }: Range) -> Value {
        let part = self.random.uniform();
        let (low, high) = (min.max(f64::from(whole)), max);
        let mut number = match slider {
            _ if part < 0.12 * self.daring => *self.pick(&[min, max, min.max(1.0).min(max)]),
            _ if part < 0.35 * self.daring => self.log_uniform(low, high),
            Some((low, high, true)) => self.log_uniform(low, high),
            Some((low, high, false)) => low + self.random.uniform() * (high - low),
            // A wide range ends with sizes that only few cases should have.
            None => {
                let low = low.max(high * NEARLY_ZERO);
                let usual = if high / low > 100.0 { libm::sqrt(low * high) } else { high };
                self.log_uniform(low, usual)
            }
        };
        if min == 0.0 && self.chance(0.1) {
            number = 0.0;
        }
        // Round numbers coincide: instants, rates and sizes that are equal or multiples of each other.
        if whole || self.chance(0.3) {
            number = libm::round(number).clamp(min, max);
        }
        if whole { json!(number as u64) } else { json!(number) }
    }

    /// Mostly a short word; at times long, or with letters that are awkward to print.
    pub fn text(&mut self, min: usize, max: usize) -> String {
        let awkward = ['\u{0}', '\n', '"', '\\', ' ', 'é', '語', '\u{202e}', '😀', '\u{7f}'];
        let length = if self.chance(0.02 * self.daring) { max } else { 1 + self.index(8) }.clamp(min, max);
        let strange = self.chance(0.05 * self.daring);
        let letter = |_| {
            if strange { *self.pick(&awkward) } else { char::from(b'a' + self.index(26) as u8) }
        };
        (0..length).map(letter).collect()
    }

    /// Any JSON value at all, nested to a depth.
    pub fn junk(&mut self, depth: usize) -> Value {
        let numbers = [json!(-1), json!(u64::MAX), json!(1e308), json!(5e-324), json!(-0.0), json!(i64::MIN)];
        match self.index(if depth == 0 { 5 } else { 7 }) {
            0 => Value::Null,
            1 => json!(self.chance(0.5)),
            2 => self.pick(&numbers).clone(),
            3 => json!(self.log_uniform(1e-3, 1e6)),
            4 => json!(self.text(0, 60)),
            5 => (0..self.index(4)).map(|_| self.junk(depth - 1)).collect(),
            _ => (0..self.index(4)).map(|_| (self.text(1, 20), self.junk(depth - 1))).collect::<Map<_, _>>().into(),
        }
    }
}

/// Between `low` and `high`, every order of magnitude equally likely.
pub fn log_uniform(random: &mut Stream, low: f64, high: f64) -> f64 {
    if low >= high {
        return low;
    }
    let low = low.max(high * NEARLY_ZERO);
    (low * libm::exp(random.uniform() * libm::log(high / low))).clamp(low, high)
}
