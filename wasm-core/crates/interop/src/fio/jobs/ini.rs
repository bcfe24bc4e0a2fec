//! Job files as text: sections, options, comments.
//!
//! fio 3.33, `init.c` (`parse_jobs_ini`) and `fio(1)`, "JOB FILE FORMAT": a section is a job, `[global]` sets options of the jobs behind it, and may
//! come several times. `;` and `#` begin comments, anywhere in a line. An option is `name=value`, or `name` alone.

use qoscope_engine::scenario::{Diagnostic, quoted};

use crate::fio::engines::has_own_options;
use crate::fio::limits;
use crate::fio::rules::{LATEST, OF_PLUGIN, Reading, UNKNOWN};

/// Longest file that is read, in bytes.
const MAXIMUM_BYTES: usize = 1_000_000;
/// Longest line that fio reads at once (`OPT_LEN_MAX`), its end included.
const MAXIMUM_LINE: usize = 8191;
/// Longest name of a section that fio reads.
const MAXIMUM_NAME: usize = 254;
/// Diagnostics that are listed one by one.
const MAXIMUM_LISTED: usize = 50;

/// A line that sets an option.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Line<'a> {
    /// Its number, from 1.
    pub(super) number: u32,
    /// Its option.
    pub(super) option: &'a str,
    /// What is known of the option.
    pub(super) reading: &'static Reading,
    /// What stands behind `=`, blanks at its front included; none where the option stands alone.
    pub(super) value: Option<&'a str>,
}

/// A section.
#[derive(Debug, PartialEq)]
pub(super) struct Section<'a> {
    /// The number of its line.
    pub(super) line: u32,
    /// Its name.
    pub(super) name: &'a str,
    /// Its options, in the order of the file.
    pub(super) options: Vec<Line<'a>>,
}

impl Section<'_> {
    /// Whether it is no job: fio looks at the first letters alone.
    pub(super) fn is_global(&self) -> bool {
        self.name.starts_with("global")
    }
}

/// Diagnostics of a file, of which the first are listed.
pub(super) struct Wrong<'a> {
    file: &'a str,
    listed: Vec<Diagnostic>,
    further: usize,
}

impl<'a> Wrong<'a> {
    pub(super) fn new(file: &'a str) -> Self {
        Self { file, listed: Vec::new(), further: 0 }
    }

    /// Adds one at a place of the file.
    pub(super) fn push(&mut self, place: &str, reason: impl Into<String>, hint: impl Into<String>) {
        if self.listed.len() < MAXIMUM_LISTED {
            let separator = if place.is_empty() { "" } else { ", " };
            self.listed.push(Diagnostic::new(format!("{}{separator}{place}", self.file), reason, hint));
        } else {
            self.further += 1;
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.listed.is_empty()
    }

    /// All that is to be shown.
    pub(super) fn into_vec(mut self) -> Vec<Diagnostic> {
        if self.further > 0 {
            let reason = format!("has {} more errors", self.further);
            self.listed.push(Diagnostic::new(self.file, reason, "Correct those listed first."));
        }
        self.listed
    }
}

/// The place of a line in diagnostics.
pub(super) fn at(line: u32) -> String {
    format!("line {line}")
}

/// Reads the sections of a file.
pub(super) fn sections<'a>(text: &'a str, wrong: &mut Wrong) -> Vec<Section<'a>> {
    if text.len() > MAXIMUM_BYTES {
        let reason = format!("has {} bytes; job files of up to {MAXIMUM_BYTES} are read", text.len());
        wrong.push("", reason, "Split it, and leave out what is no job.");
        return Vec::new();
    }
    let mut sections: Vec<Section> = Vec::new();
    for (number, text) in (1..).zip(text.trim_start_matches('\u{feff}').split('\n')) {
        let stripped = stripped(text);
        if stripped.is_empty() {
            continue;
        }
        if text.len() > MAXIMUM_LINE {
            wrong.push(
                &at(number),
                format!("has {} bytes, and fio reads {MAXIMUM_LINE}", text.len()),
                "Make it shorter.",
            );
        } else if stripped.starts_with('[') {
            match name(stripped) {
                Ok(name) => sections.push(Section { line: number, name, options: Vec::new() }),
                Err((reason, hint)) => wrong.push(&at(number), reason, hint),
            }
        } else if let Some(section) = sections.last_mut() {
            match option(stripped, number) {
                Ok(line) => section.options.push(line),
                Err((reason, hint)) => wrong.push(&at(number), reason, hint),
            }
        } else if wrong.is_empty() {
            let reason = format!("is {}, which stands in no section", quoted(stripped));
            wrong.push(&at(number), reason, "Write [global] or the name of a job, such as [readers], above it.");
        }
    }
    let jobs = sections.iter().filter(|section| !section.is_global()).count();
    if jobs > limits::jobs() {
        wrong.push(
            "",
            format!("has {jobs} jobs; a scenario has {} workloads at most", limits::jobs()),
            "Split it into several files.",
        );
        return Vec::new();
    }
    name_unknown(&mut sections, wrong);
    if jobs == 0 && wrong.is_empty() {
        let hint = "Write the name of a job, such as [readers], above its options.";
        wrong.push("", if sections.is_empty() { "has no sections" } else { "has no job beside [global]" }, hint);
    }
    sections
}

/// A line without its comment and the blanks around it.
fn stripped(line: &str) -> &str {
    let end = line.find([';', '#']).unwrap_or(line.len());
    line[..end].trim_matches(|letter: char| letter.is_ascii_whitespace() || letter.is_ascii_control())
}

/// The name in the heading of a section.
fn name(heading: &str) -> Result<&str, (String, &'static str)> {
    let Some(name) = heading.strip_prefix('[').and_then(|name| name.strip_suffix(']')) else {
        return Err((
            format!("is {}, which does not end with ]", quoted(heading)),
            "Write a name in brackets, such as [readers].",
        ));
    };
    match name.len() {
        0 => Err(("names no job".into(), "Write a name in brackets, such as [readers].")),
        1..=MAXIMUM_NAME => Ok(name),
        length => Err((format!("has a name of {length} bytes, and fio reads {MAXIMUM_NAME}"), "Make it shorter.")),
    }
}

/// The option of a line. One of an unknown name is left to [`name_unknown`].
fn option(line: &str, number: u32) -> Result<Line<'_>, (String, String)> {
    if line.starts_with("include") {
        let hint = "Write its lines here instead: one file is read, and nothing beside it.";
        return Err((format!("is {}: it takes another file in", quoted(line)), hint.into()));
    }
    let (name, value) = line.split_once('=').map_or((line, None), |(name, value)| (name.trim_end(), Some(value)));
    let (option, reading) = Reading::of(name).unwrap_or((name, &UNKNOWN));
    Ok(Line { number, option, reading, value })
}

/// Takes options of unknown names for those of an engine that has options of its own, and refuses others and misspelt ones.
fn name_unknown(sections: &mut [Section], wrong: &mut Wrong) {
    let own_engine = |section: &Section| {
        let line = section.options.iter().rev().find(|line| line.option == "ioengine")?;
        Some(line.value.is_some_and(|engine| has_own_options(engine.trim())))
    };
    // Options of all jobs are for the engine of any of them.
    let last = sections.iter().rposition(|section| own_engine(section) == Some(true));
    let mut global = false;
    for (number, section) in sections.iter_mut().enumerate() {
        let own = own_engine(section).unwrap_or(global);
        let is_global = section.is_global();
        if is_global {
            global = own;
        }
        let has_options = own || is_global && last.is_some_and(|last| number <= last);
        for line in section.options.iter_mut().filter(|line| line.reading.is_unknown()) {
            if has_options {
                line.reading = &OF_PLUGIN;
                continue;
            }
            let hint = Reading::closest(line.option).map_or_else(
                || "Look its name up by fio --cmdhelp=all, or fio --enghelp=ENGINE.".into(),
                |near| format!("Did you mean {near}?"),
            );
            let value = line.value.map_or(String::new(), |value| format!("={value}"));
            let reason = format!(
                "is {}; no fio up to {} has an option {}",
                quoted(&format!("{}{value}", line.option)),
                LATEST,
                quoted(line.option)
            );
            wrong.push(&at(line.number), reason, hint);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> (Vec<Section<'_>>, Vec<Diagnostic>) {
        let mut wrong = Wrong::new("a.fio");
        let sections = sections(text, &mut wrong);
        (sections, wrong.into_vec())
    }

    #[test]
    fn sections_have_options_without_comments_and_blanks() {
        let text = "; a comment\n[global]\r\n  direct=1 # says so\n\n[four k] ; x\nrw =randread\nblocksize= 4096\nstonewall\n#bs=8k\n";
        let (sections, wrong) = read(text);
        assert_eq!(wrong, []);
        assert_eq!(sections.iter().map(|of| (of.line, of.name)).collect::<Vec<_>>(), [(2, "global"), (5, "four k")]);
        let options: Vec<_> = sections[1].options.iter().map(|line| (line.number, line.option, line.value)).collect();
        assert_eq!(options, [(6, "rw", Some("randread")), (7, "bs", Some(" 4096")), (8, "stonewall", None)]);
    }

    #[test]
    fn what_is_no_job_file_is_named_by_its_line() {
        for (text, path, reason, hint) in [
            ("rw=read", "a.fio, line 1", "stands in no section", "[global]"),
            ("[a\nrw=read", "a.fio, line 1", "does not end with ]", "[readers]"),
            ("[]", "a.fio, line 1", "names no job", "[readers]"),
            ("[a]\nrws=read", "a.fio, line 2", "no fio up to 3.41 has an option \"rws\"", "Did you mean rw?"),
            ("[a]\ninclude b.fio", "a.fio, line 2", "takes another file in", "Write its lines here"),
            ("[global]\nrw=read", "a.fio", "has no job beside [global]", "[readers]"),
            ("# nothing", "a.fio", "has no sections", "[readers]"),
        ] {
            let (_, wrong) = read(text);
            assert_eq!(wrong[0].path, path, "{text}");
            assert!(wrong[0].reason.contains(reason), "{text}: {}", wrong[0].reason);
            assert!(wrong[0].hint.contains(hint), "{text}: {}", wrong[0].hint);
        }
    }

    #[test]
    fn large_files_are_bounded() {
        let (_, wrong) = read(&"[a]\n".repeat(100_000));
        assert_eq!(wrong[0].reason, "has 100000 jobs; a scenario has 4096 workloads at most");
        let text = "x".repeat(10_000_000);
        let (sections, wrong) = read(&text);
        assert!(sections.is_empty() && wrong[0].reason.contains("10000000 bytes"), "{wrong:?}");
        let (_, wrong) = read(&format!("[a]\n{}", "nonsense\n".repeat(1000)));
        assert_eq!((wrong.len(), wrong[50].reason.as_str()), (51, "has 950 more errors"));
    }
}
