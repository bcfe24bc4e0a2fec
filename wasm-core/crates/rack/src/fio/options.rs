//! Options of fio jobs as fio writes them: texts, with units by its rules.

use serde_json::{Map, Value};

/// The options of one job over those of all jobs.
pub(super) struct Options<'a> {
    own: Option<&'a Map<String, Value>>,
    global: Option<&'a Map<String, Value>>,
}

/// Other names of options.
const ALIASES: [(&str, &[&str]); 4] = [
    ("rw", &["readwrite"]),
    ("bs", &["blocksize"]),
    ("bsrange", &["blocksize_range"]),
    ("size", &["io_size", "filesize"]),
];

impl<'a> Options<'a> {
    pub(super) fn new(own: Option<&'a Value>, global: Option<&'a Value>) -> Self {
        Self { own: own.and_then(Value::as_object), global: global.and_then(Value::as_object) }
    }

    /// The text of an option; the empty one where it stands without a value.
    pub(super) fn get(&self, name: &str) -> Option<&'a str> {
        let aliases = ALIASES.iter().find(|(known, _)| *known == name).map_or(&[][..], |(_, aliases)| aliases);
        let names = || std::iter::once(&name).chain(aliases);
        [self.own, self.global]
            .into_iter()
            .flatten()
            .find_map(|options| names().find_map(|name| options.get(*name)?.as_str()))
    }

    /// Whether an option that is either on or off is on; none where it is not given.
    pub(super) fn flag(&self, name: &str) -> Option<bool> {
        // Without a value it is on.
        self.get(name).map(|text| text.is_empty() || number(text).is_some_and(|number| number != 0.0))
    }

    /// A number.
    pub(super) fn number(&self, name: &str) -> Option<Result<f64, &'a str>> {
        self.get(name).map(|text| number(text).ok_or(text))
    }

    /// Numbers of bytes for reads and writes: `4k`, or `4k,8k`.
    pub(super) fn bytes(&self, name: &str) -> Option<Result<[f64; 2], &'a str>> {
        let base = if self.get("kb_base") == Some("1000") { 1000.0 } else { 1024.0 };
        let text = self.get(name)?;
        let mut parts = text.split(',').map(|part| bytes(part.trim(), base));
        let read = parts.next().flatten();
        let write = parts.next().map_or(read, |write| write);
        Some(read.zip(write).map(|(read, write)| [read, write]).ok_or(text))
    }
}

fn number(text: &str) -> Option<f64> {
    text.trim().parse().ok().filter(|number: &f64| number.is_finite())
}

/// A number of bytes by fio's rules: `4k` is 4096. With its default `kb_base` the units of IEC and SI mean each other: `4kib` is 4000.
fn bytes(text: &str, base: f64) -> Option<f64> {
    let digits = text.find(|letter: char| letter.is_ascii_alphabetic()).unwrap_or(text.len());
    let (digits, unit) = text.split_at(digits);
    let unit = unit.to_ascii_lowercase();
    let power = match unit.chars().next() {
        None | Some('b') => 0,
        Some('k') => 1,
        Some('m') => 2,
        Some('g') => 3,
        Some('t') => 4,
        Some('p') => 5,
        Some(_) => return None,
    };
    let factor = match unit.get(1..).unwrap_or_default() {
        "" | "b" => base,
        "ib" | "i" => {
            if base == 1000.0 {
                1024.0
            } else {
                1000.0
            }
        }
        _ => return None,
    };
    number(digits).map(|number| number * libm::pow(factor, f64::from(power)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_have_the_units_of_fio() {
        assert_eq!(bytes("4k", 1024.0), Some(4096.0));
        assert_eq!(bytes("4K", 1000.0), Some(4000.0));
        assert_eq!(bytes("4kib", 1024.0), Some(4000.0));
        assert_eq!(bytes("4KiB", 1000.0), Some(4096.0));
        assert_eq!(bytes("1m", 1024.0), Some(1_048_576.0));
        assert_eq!(bytes("512", 1024.0), Some(512.0));
        assert_eq!(bytes("4 parsecs", 1024.0), None);
        assert_eq!(bytes("", 1024.0), None);
    }
}
