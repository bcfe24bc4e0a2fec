//! Options of a job by fio's names, and their values: those of job files, and those that results repeat.
//!
//! fio 3.33, `parse.c`; `init.c`; `fio(1)`, "PARAMETER TYPES".

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::RangeInclusive;
use std::rc::Rc;

use qoscope_engine::scenario::quoted;
use serde_json::Value;

use super::rules::Reading;
use super::units;

/// Options of which a part that is left empty keeps what was set before: `bs=4k,` is of reads alone.
const IN_PARTS: [&str; 5] = ["bs", "ba", "rate", "rate_iops", "percentage_random"];
/// What to write where a number of bytes stands.
const BYTES: &str = "Write a whole number with one unit, such as 4k or 1g, and no blank before it.";

/// An option as it is given: its place, its name, and its value if it has one.
pub(super) type Entry<'a> = (u32, &'a str, Option<Cow<'a, str>>);

/// Options that are set, by name.
#[derive(Clone, Debug)]
pub(super) struct Set<'a> {
    given: BTreeMap<&'a str, Given<'a>>,
    /// The factor of `k` in options that are set from here on.
    kb_base: u64,
}

#[derive(Clone, Debug)]
struct Given<'a> {
    place: u32,
    text: Option<Cow<'a, str>>,
    kb_base: u64,
}

impl Default for Set<'_> {
    fn default() -> Self {
        Self { given: BTreeMap::new(), kb_base: 1024 }
    }
}

impl<'a> Set<'a> {
    /// The set with the options of another section of all jobs.
    pub(super) fn extended(&self, entries: &[Entry<'a>]) -> Self {
        self.clone().with(entries, &Set::default())
    }

    /// The options of one job, with the units of `self`, which holds those of all jobs.
    pub(super) fn of_job(&self, entries: &[Entry<'a>]) -> Self {
        Set { given: BTreeMap::new(), kb_base: self.kb_base }.with(entries, self)
    }

    fn with(mut self, entries: &[Entry<'a>], global: &Set<'a>) -> Self {
        // fio reads it before the other options of its section.
        let base =
            entries.iter().rev().find(|(_, name, _)| *name == "kb_base").and_then(|(.., value)| value.as_deref());
        self.kb_base = match base {
            Some("1000") => 1000,
            Some("1024") => 1024,
            _ => self.kb_base,
        };
        for (place, name, value) in entries {
            self.set(*place, name, value.clone(), global);
        }
        self
    }

    /// Sets an option over its value in this set or in `global`.
    fn set(&mut self, place: u32, name: &'a str, value: Option<Cow<'a, str>>, global: &Set<'a>) {
        let text = value.map(|value| {
            let own = parts(&value);
            if !IN_PARTS.contains(&name) || !own.contains(&"") {
                return value;
            }
            let before = self.given.get(name).or_else(|| global.given.get(name));
            let before: Vec<String> = before.map(Given::parts).unwrap_or_default();
            let kept = |place: usize| before.get(place).or(before.last()).map_or("", String::as_str);
            let of = |place: usize| match own.get(place).or(own.last()).copied() {
                Some("") | None => kept(place),
                Some(part) => part,
            };
            Cow::Owned(format!("{},{}", of(0), of(1)))
        });
        self.given.insert(name, Given { place, text, kb_base: self.kb_base });
    }
}

impl Given<'_> {
    /// Its parts, without units where they have some.
    fn parts(&self) -> Vec<String> {
        let plain =
            |part: &str| units::bytes(part, self.kb_base).map_or_else(|| part.into(), |bytes| bytes.to_string());
        self.text.as_deref().map(|text| parts(text).into_iter().map(plain).collect()).unwrap_or_default()
    }
}

/// The parts of a value: for reads, for writes and for trims. They are separated by commas; without any by colons, without those by
/// hyphens.
pub(super) fn parts(text: &str) -> Vec<&str> {
    let separator = [',', ':', '-'].into_iter().find(|separator| text.contains(*separator)).unwrap_or(',');
    text.split(separator).collect()
}

/// Why the value of an option cannot be read.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Misread {
    pub(super) option: &'static str,
    pub(super) reason: String,
    pub(super) hint: String,
}

impl Misread {
    pub(super) fn new(option: &'static str, reason: impl Into<String>, hint: impl Into<String>) -> Self {
        Self { option, reason: reason.into(), hint: hint.into() }
    }
}

/// The value of an option.
pub(super) type Read<T> = Result<T, Misread>;

/// A number of bytes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Extent {
    pub(super) bytes: u64,
    pub(super) unit: ExtentUnit,
}

/// The unit in which a number of bytes is given.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum ExtentUnit {
    Bytes,
    /// Per cent of the device.
    Percent(u64),
    /// Zones of `zonesize`.
    Zones(u64),
}

/// The options of one job over those of all jobs.
#[derive(Clone, Debug)]
pub(super) struct Options<'a> {
    own: Set<'a>,
    global: Rc<Set<'a>>,
}

impl<'a> Options<'a> {
    pub(super) fn new(own: Set<'a>, global: Rc<Set<'a>>) -> Self {
        Self { own, global }
    }

    /// Options as results repeat them: objects of texts, where a flag has an empty one.
    pub(super) fn of_results(own: Option<&'a Value>, global: Option<&'a Value>) -> Self {
        let entries = |of: Option<&'a Value>, first: u32| -> Vec<Entry<'a>> {
            let options = of.and_then(Value::as_object).into_iter().flatten();
            (first..).zip(options).map(|(place, (name, value))| (place, canonical(name), text_of(value))).collect()
        };
        let all = entries(global, 0);
        let global = Set::default().extended(&all);
        let own = global.of_job(&entries(own, all.len() as u32));
        Self { own, global: Rc::new(global) }
    }

    fn given(&self, option: &str) -> Option<&Given<'a>> {
        self.own.given.get(option).or_else(|| self.global.given.get(option))
    }

    /// Names of all options that are set, with their places.
    pub(super) fn names(&self) -> impl Iterator<Item = (&'a str, u32)> {
        let global = self.global.given.iter().filter(|(option, _)| !self.own.given.contains_key(**option));
        self.own.given.iter().chain(global).map(|(option, given)| (*option, given.place))
    }

    /// The place of an option: the number of its line in a job file.
    pub(super) fn place(&self, option: &str) -> Option<u32> {
        self.given(option).map(|given| given.place)
    }

    /// The text of an option, whatever it is.
    pub(super) fn any_text(&self, option: &'static str) -> Option<Read<Cow<'a, str>>> {
        let text = self.given(option)?.text.clone();
        Some(text.ok_or_else(|| Misread::new(option, "has no value", format!("Write {option}= and a value."))))
    }

    /// The text of an option. One that fio would complete from the environment is refused.
    pub(super) fn text(&self, option: &'static str) -> Option<Read<Cow<'a, str>>> {
        Some(self.any_text(option)?.and_then(|text| {
            if text.contains('$') {
                let hint = "Write the value itself: fio fills it in on the machine that it runs on.";
                return Err(Misread::new(option, format!("is {}, which is not known here", quoted(&text)), hint));
            }
            Ok(text)
        }))
    }

    /// Whether an option is on that may have no value.
    pub(super) fn flag(&self, option: &'static str) -> Option<Read<bool>> {
        Some(match self.given(option)?.text.as_deref().map(str::trim) {
            None | Some("1") => Ok(true),
            Some("0") => Ok(false),
            Some(text) => Err(Misread::new(
                option,
                format!("is {}", quoted(text)),
                format!("Write {option}, {option}=1 or {option}=0."),
            )),
        })
    }

    /// Whether an option is on, and false if it is not given or cannot be read.
    pub(super) fn is_on(&self, option: &'static str) -> bool {
        matches!(self.flag(option), Some(Ok(true)))
    }

    /// A number, of which only the part for reads counts.
    pub(super) fn number(&self, option: &'static str, range: RangeInclusive<u64>) -> Option<Read<u64>> {
        Some(self.text(option)?.and_then(|text| {
            // Without a unit fio skips blanks before it.
            let part = parts(&text)[0];
            let plain = part.trim_start();
            let part = if plain.bytes().all(|byte| byte.is_ascii_digit()) { plain } else { part };
            match units::bytes(part, self.kb_base(option)) {
                Some(number) if range.contains(&number) => Ok(number),
                Some(number) => {
                    let hint = format!("Write {} to {}.", range.start(), range.end());
                    Err(Misread::new(option, format!("is {number}"), hint))
                }
                None => Err(Misread::new(
                    option,
                    format!("is {}, which fio reads as another number or as none", quoted(&text)),
                    "Write a whole number, such as 32.",
                )),
            }
        }))
    }

    /// Numbers of bytes, or of anything that is counted, for reads and for writes; `None` for a part that is empty and was never set.
    pub(super) fn pair(&self, option: &'static str, min: u64) -> Option<Read<[Option<u64>; 2]>> {
        Some(self.text(option)?.and_then(|text| {
            let parts = parts(&text);
            let texts = [parts[0], parts.get(1).copied().unwrap_or(parts[0])];
            let mut numbers = [None; 2];
            for (number, text) in numbers.iter_mut().zip(texts) {
                if text.is_empty() && texts.iter().any(|text| !text.is_empty()) {
                    continue;
                }
                *number = Some(self.bytes(option, text)?);
                if *number < Some(min) {
                    return Err(Misread::new(option, format!("is {}", quoted(text)), format!("Write {min} or more.")));
                }
            }
            Ok(numbers)
        }))
    }

    /// A number of bytes in the value of an option.
    pub(super) fn bytes(&self, option: &'static str, text: &str) -> Read<u64> {
        units::bytes(text, self.kb_base(option)).ok_or_else(|| {
            let reason = match text.strip_suffix(['z', 'Z']) {
                Some(zones) if zones.parse::<u64>().is_ok() => {
                    format!("is {}, and fio counts no zones in this option", quoted(text))
                }
                _ => format!("is {}, which fio reads as another number or as none", quoted(text)),
            };
            Misread::new(option, reason, BYTES)
        })
    }

    /// The factor of `k` in an option.
    fn kb_base(&self, option: &str) -> u64 {
        self.given(option).map_or(1024, |given| given.kb_base)
    }

    /// A number of bytes, per cent of `whole`, or a number of zones.
    pub(super) fn extent(&self, option: &'static str, whole: u64) -> Option<Read<Extent>> {
        Some(self.text(option)?.and_then(|text| {
            let counted = |unit: char| text.strip_suffix(unit).map(|number| number.parse::<u64>());
            match (counted('%'), counted('z')) {
                (Some(Ok(percent @ 0..=100)), _) => {
                    let bytes = (u128::from(whole) * u128::from(percent) / 100) as u64;
                    Ok(Extent { bytes, unit: ExtentUnit::Percent(percent) })
                }
                (Some(_), _) => {
                    Err(Misread::new(option, format!("is {}", quoted(&text)), "Write 0% to 100%, in whole per cents."))
                }
                (_, Some(Ok(zones))) => self.zones(option, zones),
                _ => Ok(Extent { bytes: self.bytes(option, &text)?, unit: ExtentUnit::Bytes }),
            }
        }))
    }

    /// Zones as bytes. fio counts zones with `zonemode=zbd` alone (`zbd.c`).
    fn zones(&self, option: &'static str, zones: u64) -> Read<Extent> {
        let misread = |reason: &str, hint: &str| Misread::new(option, format!("is {zones}z: {reason}"), hint);
        if self.zone_mode()? != ZoneMode::Zbd {
            return Err(misread(
                "fio counts zones with zonemode=zbd alone",
                "Give bytes, or zonemode=zbd and zonesize.",
            ));
        }
        let size = self.pair("zonesize", 1).transpose()?.and_then(|[size, _]| size);
        let Some(size) = size else {
            return Err(misread("the size of the zones of the drive is not known here", "Give zonesize, or bytes."));
        };
        let bytes =
            size.checked_mul(zones).ok_or_else(|| misread("that is more than fio counts", "Give fewer zones."))?;
        Ok(Extent { bytes, unit: ExtentUnit::Zones(zones) })
    }

    /// The zones that requests go through. Without `zonemode` a `zonesize` makes strides (`init.c`).
    pub(super) fn zone_mode(&self) -> Read<ZoneMode> {
        match self.word("zonemode", &["none", "strided", "zbd"]).transpose()? {
            Some((1, _)) => Ok(ZoneMode::Strided),
            Some((2, _)) => Ok(ZoneMode::Zbd),
            Some(_) => Ok(ZoneMode::None),
            None => match self.pair("zonesize", 0).transpose()? {
                Some([Some(1..), _]) => Ok(ZoneMode::Strided),
                _ => Ok(ZoneMode::None),
            },
        }
    }

    /// A time in microseconds; without a unit of seconds where `seconds`.
    pub(super) fn micros(&self, option: &'static str, seconds: bool) -> Option<Read<u64>> {
        Some(self.text(option)?.and_then(|text| time(option, &text, seconds)))
    }

    /// One of some words by its place among them, and the whole text; what follows a colon or a comma does not count.
    pub(super) fn word(&self, option: &'static str, words: &[&str]) -> Option<Read<(usize, Cow<'a, str>)>> {
        Some(self.text(option)?.and_then(|text| {
            let word = text.split([':', ',']).next().unwrap_or_default();
            let Some(found) = words.iter().position(|known| *known == word) else {
                let blank = if text.starts_with(char::is_whitespace) { " Write no blank behind =." } else { "" };
                let hint = format!("Use {}.{blank}", words.join(", "));
                return Err(Misread::new(option, format!("is {}", quoted(&text)), hint));
            };
            Ok((found, text))
        }))
    }
}

/// The zones that the requests of a job go through.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ZoneMode {
    /// None.
    None,
    /// Parts of the range, with gaps between them.
    Strided,
    /// Zones of a zoned block device.
    Zbd,
}

/// A time in the value of an option, in microseconds; without a unit of seconds where `seconds`.
pub(super) fn time(option: &'static str, text: &str, seconds: bool) -> Read<u64> {
    units::micros(text, seconds).ok_or_else(|| {
        let hint = "Write a whole number with one unit, such as 10s, 500ms or 5m, and no blank before it.";
        Misread::new(option, format!("is {}, which fio reads as another time or as none", quoted(text)), hint)
    })
}

/// The name by which an option is looked up.
pub(super) fn canonical(name: &str) -> &str {
    Reading::of(name).map_or(name, |(option, _)| option)
}

/// The value of an option in results. Programs that write them again may make numbers of texts.
fn text_of(value: &Value) -> Option<Cow<'_, str>> {
    match value {
        Value::String(text) => Some(text.as_str().into()).filter(|text: &Cow<str>| !text.is_empty()),
        Value::Number(number) => Some(number.to_string().into()),
        Value::Bool(on) => Some(u8::from(*on).to_string().into()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn options(own: &Value, global: &Value) -> Options<'static> {
        let leaked = |value: &Value| -> &'static Value { Box::leak(Box::new(value.clone())) };
        Options::of_results(Some(leaked(own)), Some(leaked(global)))
    }

    #[test]
    fn zones_are_multiples_of_their_size() {
        let zoned =
            options(&json!({ "offset": "500z", "size": "16z" }), &json!({ "zonemode": "zbd", "zonesize": "256M" }));
        let bytes = |option| zoned.extent(option, 0).unwrap().unwrap().bytes;
        assert_eq!((bytes("offset"), bytes("size")), (134_217_728_000, 4_294_967_296));
        let unknown = options(&json!({ "offset": "500z", "zonemode": "zbd" }), &json!({}));
        assert!(unknown.extent("offset", 0).unwrap().unwrap_err().reason.contains("not known here"));
        let without = options(&json!({ "offset": "500z" }), &json!({}));
        assert!(without.extent("offset", 0).unwrap().unwrap_err().reason.contains("zonemode=zbd alone"));
    }

    #[test]
    fn zone_size_without_mode_makes_strides() {
        let mode = |own: Value| options(&own, &json!({})).zone_mode();
        assert_eq!(mode(json!({ "zonesize": "1m" })), Ok(ZoneMode::Strided));
        assert_eq!(mode(json!({ "zonesize": "0" })), Ok(ZoneMode::None));
        assert_eq!(mode(json!({ "zonemode": "none", "zonesize": "1m" })), Ok(ZoneMode::None));
        assert_eq!(mode(json!({})), Ok(ZoneMode::None));
    }

    #[test]
    fn options_of_results_have_their_aliases_units_and_flags() {
        let of = options(&json!({ "blocksize": "4k", "time_based": "" }), &json!({ "kb_base": "1000", "iodepth": 32 }));
        assert_eq!(of.pair("bs", 1), Some(Ok([Some(4000); 2])));
        assert_eq!((of.flag("time_based"), of.number("iodepth", 1..=64)), (Some(Ok(true)), Some(Ok(32))));
    }
}
