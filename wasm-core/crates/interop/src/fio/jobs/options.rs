//! The options of one job of a file, with the mapping of each of their lines.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::ops::RangeInclusive;

use qoscope_engine::scenario::quoted;

use super::ini::{Line, Section, Wrong};
use super::ledger::Ledger;
use crate::fio::options::{self, Entry, Extent, Misread, Options, Read};

/// The options of a section, with their lines.
pub(super) fn entries<'a>(section: &Section<'a>) -> Vec<Entry<'a>> {
    let entry = |line: &Line<'a>| (line.number, line.option, line.value.map(Cow::Borrowed));
    section.options.iter().map(entry).collect()
}

/// The options of one job, with the mapping of each of their lines.
pub(super) struct Reader<'a, 'b> {
    /// The workload that the job becomes.
    pub(super) workload: usize,
    pub(super) options: Options<'a>,
    job: &'a str,
    /// Options that were asked for.
    asked: BTreeSet<&'static str>,
    pub(super) ledger: &'b mut Ledger,
    wrong: &'b mut Wrong<'a>,
}

impl<'a, 'b> Reader<'a, 'b> {
    pub(super) fn new(
        (job, workload): (&'a str, usize),
        options: Options<'a>,
        ledger: &'b mut Ledger,
        wrong: &'b mut Wrong<'a>,
    ) -> Self {
        let mut reader = Self { workload, options, job, asked: BTreeSet::new(), ledger, wrong };
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

    /// The line that sets an option.
    pub(super) fn line(&self, option: &str) -> Option<u32> {
        self.options.place(option)
    }

    /// The path of a field of the workload.
    pub(super) fn path(&self, field: &str) -> String {
        format!("workloads[{}].{field}", self.workload)
    }

    /// The job is refused for an option.
    pub(super) fn refuse(&mut self, line: u32, option: &str, reason: impl Into<String>, hint: impl Into<String>) {
        self.wrong.push(&format!("line {line}, job {}, {option}", quoted(self.job)), reason, hint);
    }

    fn misread(&mut self, wrong: Misread) {
        let line = self.line(wrong.option).unwrap_or_default();
        self.refuse(line, wrong.option, wrong.reason, wrong.hint);
    }

    /// A value that is read, or the refusal of the job.
    fn good<T>(&mut self, read: Read<T>) -> Option<T> {
        read.map_err(|wrong| self.misread(wrong)).ok()
    }

    /// A value that follows from several options; `None` if one of them cannot be read.
    pub(super) fn settled<T>(
        &mut self,
        options: &[&'static str],
        of: impl FnOnce(&Options<'a>) -> Read<T>,
    ) -> Option<T> {
        self.asked.extend(options);
        let read = of(&self.options);
        self.good(read)
    }

    /// The value of an option, and its line.
    fn one<T>(&mut self, option: &'static str, of: impl FnOnce(&Options<'a>) -> Option<Read<T>>) -> Option<(T, u32)> {
        self.asked.insert(option);
        let line = self.line(option)?;
        let read = of(&self.options)?;
        Some((self.good(read)?, line))
    }

    /// The text of an option. One that the environment would fill in is refused.
    pub(super) fn text(&mut self, option: &'static str) -> Option<(Cow<'a, str>, u32)> {
        self.one(option, |options| options.text(option))
    }

    /// The text of an option, whatever it is.
    pub(super) fn any_text(&mut self, option: &'static str) -> Option<(Cow<'a, str>, u32)> {
        self.one(option, |options| options.any_text(option))
    }

    /// Whether an option is on that may have no value.
    pub(super) fn flag(&mut self, option: &'static str) -> Option<(bool, u32)> {
        self.one(option, |options| options.flag(option))
    }

    /// A number, of which only the part for reads counts.
    pub(super) fn number(&mut self, option: &'static str, range: RangeInclusive<u64>) -> Option<(u64, u32)> {
        self.one(option, |options| options.number(option, range))
    }

    /// Numbers of bytes, or of anything that is counted, for reads and for writes; `None` for a part that is empty and was never set.
    pub(super) fn pair(&mut self, option: &'static str, min: u64) -> Option<([Option<u64>; 2], u32)> {
        self.one(option, |options| options.pair(option, min))
    }

    /// A number of bytes in the value of an option.
    pub(super) fn bytes(&mut self, option: &'static str, text: &str) -> Option<u64> {
        let read = self.options.bytes(option, text);
        self.good(read)
    }

    /// A number of bytes, per cent of `whole`, or a number of zones.
    pub(super) fn extent(&mut self, option: &'static str, whole: u64) -> Option<(Extent, u32)> {
        self.one(option, |options| options.extent(option, whole))
    }

    /// A time in microseconds; without a unit of seconds where `seconds`.
    pub(super) fn micros(&mut self, option: &'static str, seconds: bool) -> Option<(u64, u32)> {
        self.one(option, |options| options.micros(option, seconds))
    }

    /// A time in the value of an option; without a unit of seconds where `seconds`.
    pub(super) fn time(&mut self, option: &'static str, text: &str, seconds: bool) -> Option<u64> {
        let read = options::time(option, text, seconds);
        self.good(read)
    }

    /// One of some words, and its place among them; what follows a colon or a comma does not count.
    pub(super) fn word(&mut self, option: &'static str, words: &[&str]) -> Option<(usize, Cow<'a, str>, u32)> {
        let ((place, text), line) = self.one(option, |options| options.word(option, words))?;
        Some((place, text, line))
    }

    /// Notes that the options which the job never asked for change nothing.
    pub(super) fn finish(self) {
        for (option, line) in self.options.names() {
            let is_read = crate::fio::rules::Reading::of(option).is_some_and(|(_, reading)| reading.is_read());
            if is_read && !self.asked.contains(option) {
                self.ledger.useless(line);
            }
        }
    }
}
