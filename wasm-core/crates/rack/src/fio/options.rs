//! Options of fio jobs as fio writes them: texts, with units by its rules.

use serde_json::{Map, Value};

use super::units;

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
        let base = if self.get("kb_base") == Some("1000") { 1000 } else { 1024 };
        let text = self.get(name)?;
        let mut parts = text.split(',').map(|part| units::bytes(part.trim(), base).map(|bytes| bytes as f64));
        let read = parts.next().flatten();
        let write = parts.next().map_or(read, |write| write);
        Some(read.zip(write).map(|(read, write)| [read, write]).ok_or(text))
    }
}

fn number(text: &str) -> Option<f64> {
    text.trim().parse().ok().filter(|number: &f64| number.is_finite())
}
