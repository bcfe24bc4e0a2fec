//! The options of one job, over those of `[global]`, and their values.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use qoscope_engine::scenario::quoted;

use super::ini::{Line, Section, Wrong};
use super::ledger::Ledger;
use crate::fio::units;

/// Options of which a part that is left empty keeps what was set before: `bs=4k,` is of reads alone.
const IN_PARTS: [&str; 5] = ["bs", "ba", "rate", "rate_iops", "percentage_random"];
/// What to write where a number of bytes stands.
const BYTES: &str = "Write a whole number with one unit, such as 4k or 1g, and no blank before it.";

/// Options that are set, by name.
#[derive(Clone, Debug)]
pub(super) struct Set<'a> {
    given: BTreeMap<&'static str, Given<'a>>,
    /// What `k` is in options that are set from here on.
    kb_base: u64,
}

#[derive(Clone, Debug)]
struct Given<'a> {
    line: u32,
    text: Option<Cow<'a, str>>,
    kb_base: u64,
}

impl Default for Set<'_> {
    fn default() -> Self {
        Self { given: BTreeMap::new(), kb_base: 1024 }
    }
}

impl<'a> Set<'a> {
    /// The options of a section over `self`, that is with the same units, or over nothing.
    pub(super) fn of(section: &Section<'a>, global: &Set<'a>) -> Self {
        let mut set = if section.is_global() { global.clone() } else { Set { given: BTreeMap::new(), ..*global } };
        // fio reads it before the other options of its section.
        let base = section.options.iter().rev().find(|line| line.option == "kb_base").and_then(|line| line.value);
        set.kb_base = match base {
            Some("1000") => 1000,
            Some("1024") => 1024,
            _ => set.kb_base,
        };
        section.options.iter().for_each(|line| set.set(line, global));
        set
    }

    /// Sets an option as a line says, over what it was in this set or in `global`.
    fn set(&mut self, line: &Line<'a>, global: &Set<'a>) {
        let text = line.value.map(|value| {
            let own = parts(value);
            if !IN_PARTS.contains(&line.option) || !own.contains(&"") {
                return Cow::Borrowed(value);
            }
            let before = self.given.get(line.option).or_else(|| global.given.get(line.option));
            let before: Vec<String> = before.map(Given::parts).unwrap_or_default();
            let kept = |place: usize| before.get(place).or(before.last()).map_or("", String::as_str);
            let of = |place: usize| match own.get(place).or(own.last()).copied() {
                Some("") | None => kept(place),
                Some(part) => part,
            };
            Cow::Owned(format!("{},{}", of(0), of(1)))
        });
        self.given.insert(line.option, Given { line: line.number, text, kb_base: self.kb_base });
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

/// The parts of a value: for reads, for writes and for trims. They stand apart by commas; without any by colons, without those by
/// hyphens.
pub(super) fn parts(text: &str) -> Vec<&str> {
    let separator = [',', ':', '-'].into_iter().find(|separator| text.contains(*separator)).unwrap_or(',');
    text.split(separator).collect()
}

/// What one job says, with what became of it.
pub(super) struct Reader<'a, 'b> {
    /// The workload that the job becomes.
    pub(super) workload: usize,
    own: Set<'a>,
    global: Rc<Set<'a>>,
    job: &'a str,
    /// Options that were asked for.
    asked: BTreeSet<&'static str>,
    pub(super) ledger: &'b mut Ledger,
    wrong: &'b mut Wrong<'a>,
}

impl<'a, 'b> Reader<'a, 'b> {
    pub(super) fn new(
        (job, workload): (&'a str, usize),
        (own, global): (Set<'a>, Rc<Set<'a>>),
        ledger: &'b mut Ledger,
        wrong: &'b mut Wrong<'a>,
    ) -> Self {
        let mut reader = Self { workload, own, global, job, asked: BTreeSet::new(), ledger, wrong };
        if let Some((place, text, line)) = reader.word("kb_base", &["1000", "1024"]) {
            let to = format!("k is {}", ["1000", "1024"][place]);
            if *text == *["1000", "1024"][place] {
                reader.ledger.add(line, "", to);
            } else {
                reader.refuse(line, "kb_base", format!("is {}", quoted(&text)), "Write 1000 or 1024.");
            }
        }
        reader
    }

    fn given(&self, option: &str) -> Option<&Given<'a>> {
        self.own.given.get(option).or_else(|| self.global.given.get(option))
    }

    /// What `k` is in an option.
    fn kb_base(&self, option: &str) -> u64 {
        self.given(option).map_or(1024, |given| given.kb_base)
    }

    /// The line that sets an option.
    pub(super) fn line(&self, option: &str) -> Option<u32> {
        self.given(option).map(|given| given.line)
    }

    /// The path of a field of the workload.
    pub(super) fn path(&self, field: &str) -> String {
        format!("workloads[{}].{field}", self.workload)
    }

    /// The job is refused for an option.
    pub(super) fn refuse(&mut self, line: u32, option: &str, reason: impl Into<String>, hint: impl Into<String>) {
        self.wrong.push(&format!("line {line}, job {}, {option}", quoted(self.job)), reason, hint);
    }

    /// The text of an option, and its line. One that the environment would fill in is refused.
    pub(super) fn text(&mut self, option: &'static str) -> Option<(Cow<'a, str>, u32)> {
        let (text, line) = self.any_text(option)?;
        if text.contains('$') {
            let hint = "Write the value itself: fio fills it in on the machine that it runs on.";
            self.refuse(line, option, format!("is {}, which is not known here", quoted(&text)), hint);
            return None;
        }
        Some((text, line))
    }

    /// The same, whatever it says.
    pub(super) fn any_text(&mut self, option: &'static str) -> Option<(Cow<'a, str>, u32)> {
        self.asked.insert(option);
        let given = self.given(option)?;
        let (line, text) = (given.line, given.text.clone());
        if text.is_none() {
            self.refuse(line, option, "has no value", format!("Write {option}= and a value."));
        }
        text.map(|text| (text, line))
    }

    /// Whether an option is on that may stand alone, and its line.
    pub(super) fn flag(&mut self, option: &'static str) -> Option<(bool, u32)> {
        self.asked.insert(option);
        let given = self.given(option)?;
        let (line, text) = (given.line, given.text.clone());
        match text.as_deref().map(str::trim) {
            None | Some("1") => Some((true, line)),
            Some("0") => Some((false, line)),
            Some(text) => {
                let reason = format!("is {}", quoted(text));
                self.refuse(line, option, reason, format!("Write {option}, {option}=1 or {option}=0."));
                None
            }
        }
    }

    /// A number, of which only the part for reads counts.
    pub(super) fn number(&mut self, option: &'static str, range: std::ops::RangeInclusive<u64>) -> Option<(u64, u32)> {
        let (text, line) = self.text(option)?;
        // Without a unit fio takes blanks before it.
        let part = parts(&text)[0];
        let part = if part.trim_start().bytes().all(|byte| byte.is_ascii_digit()) { part.trim_start() } else { part };
        match units::bytes(part, self.kb_base(option)) {
            Some(number) if range.contains(&number) => Some((number, line)),
            Some(number) => {
                let hint = format!("Write {} to {}.", range.start(), range.end());
                self.refuse(line, option, format!("is {number}"), hint);
                None
            }
            None => {
                self.refuse(
                    line,
                    option,
                    format!("is {}, which fio reads as another number or as none", quoted(&text)),
                    "Write a whole number, such as 32.",
                );
                None
            }
        }
    }

    /// Numbers of bytes, or of anything that is counted, for reads and for writes; none where a part is empty and was never set.
    pub(super) fn pair(&mut self, option: &'static str, min: u64) -> Option<([Option<u64>; 2], u32)> {
        let (text, line) = self.text(option)?;
        let parts = parts(&text);
        let texts = [parts[0], parts.get(1).copied().unwrap_or(parts[0])];
        let mut numbers = [None; 2];
        for (number, text) in numbers.iter_mut().zip(texts) {
            if text.is_empty() && texts.iter().any(|text| !text.is_empty()) {
                continue;
            }
            *number = Some(self.bytes(option, line, text)?);
            if *number < Some(min) {
                self.refuse(line, option, format!("is {}", quoted(text)), format!("Write {min} or more."));
                return None;
            }
        }
        Some((numbers, line))
    }

    /// A number of bytes that stands in an option.
    pub(super) fn bytes(&mut self, option: &str, line: u32, text: &str) -> Option<u64> {
        let number = units::bytes(text, self.kb_base(option));
        if number.is_none() {
            let reason = format!("is {}, which fio reads as another number or as none", quoted(text));
            self.refuse(line, option, reason, BYTES);
        }
        number
    }

    /// A number of bytes, or per cent of `whole`.
    pub(super) fn extent(&mut self, option: &'static str, whole: u64) -> Option<(u64, Option<u64>, u32)> {
        let (text, line) = self.text(option)?;
        let Some(per_cent) = text.strip_suffix('%') else {
            return Some((self.bytes(option, line, &text)?, None, line));
        };
        match per_cent.parse::<u64>() {
            Ok(per_cent @ 0..=100) => {
                let bytes = (u128::from(whole) * u128::from(per_cent) / 100) as u64;
                Some((bytes, Some(per_cent), line))
            }
            _ => {
                self.refuse(line, option, format!("is {}", quoted(&text)), "Write 0% to 100%.");
                None
            }
        }
    }

    /// A time in microseconds; without a unit of seconds where `seconds`.
    pub(super) fn micros(&mut self, option: &'static str, seconds: bool) -> Option<(u64, u32)> {
        let (text, line) = self.text(option)?;
        let time = self.time(option, line, &text, seconds)?;
        Some((time, line))
    }

    /// A time that stands in an option.
    pub(super) fn time(&mut self, option: &str, line: u32, text: &str, seconds: bool) -> Option<u64> {
        let time = units::micros(text, seconds);
        if time.is_none() {
            let reason = format!("is {}, which fio reads as another time or as none", quoted(text));
            self.refuse(
                line,
                option,
                reason,
                "Write a whole number with one unit, such as 10s, 500ms or 5m, and no blank before it.",
            );
        }
        time
    }

    /// One of some words, and its place among them; what stands behind a colon or a comma does not count.
    pub(super) fn word(&mut self, option: &'static str, words: &[&str]) -> Option<(usize, Cow<'a, str>, u32)> {
        let (text, line) = self.text(option)?;
        let word = text.split([':', ',']).next().unwrap_or_default();
        let found = words.iter().position(|known| *known == word);
        if found.is_none() {
            let blank = if text.starts_with(char::is_whitespace) { " Write no blank behind =." } else { "" };
            self.refuse(line, option, format!("is {}", quoted(&text)), format!("Use {}.{blank}", words.join(", ")));
        }
        found.map(|place| (place, text, line))
    }

    /// Says of every option that nobody asked for that it changes nothing.
    pub(super) fn finish(self) {
        let given = self
            .own
            .given
            .iter()
            .chain(self.global.given.iter().filter(|(option, _)| !self.own.given.contains_key(**option)));
        for (option, given) in given {
            let is_read = super::rules::Reading::of(option).is_some_and(|(_, reading)| reading.is_read());
            if is_read && !self.asked.contains(option) {
                self.ledger.useless(given.line);
            }
        }
    }
}
