//! What the lessons assert, as `docs/lessons.md` lists it between two marks.

use std::fmt::Write;
use std::fs;

use libtest_mimic::Failed;
use qoscope_figures::lessons::{Held, Lesson, Line, PlayedStep};

use crate::asked;

const DOCUMENT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../docs/lessons.md");

const BEGIN: &str = "<!-- what the lessons assert: begin -->\n";
const END: &str = "<!-- what the lessons assert: end -->\n";

/// Fails where the document lists something else, or writes it.
pub fn hold(lessons: &[Lesson]) -> Result<(), Failed> {
    let text = fs::read_to_string(DOCUMENT)?;
    let cut = text.split_once(BEGIN).and_then(|(before, rest)| Some((before, rest.split_once(END)?)));
    let (before, (listed, after)) =
        cut.ok_or_else(|| format!("docs/lessons.md lacks the lines {BEGIN:?} and {END:?}"))?;
    let must_list = list(lessons)?;
    if asked("UPDATE_DOCS") {
        return Ok(fs::write(DOCUMENT, format!("{before}{BEGIN}{must_list}{END}{after}"))?);
    }
    if listed == must_list {
        return Ok(());
    }
    Err("docs/lessons.md lists something else than the lessons assert: UPDATE_DOCS=1 cargo test --test lessons the_document".into())
}

fn list(lessons: &[Lesson]) -> Result<String, Failed> {
    let mut text = String::from("\n");
    for lesson in lessons {
        let number = lesson.number.map(|number| format!("{number}. ")).unwrap_or_default();
        writeln!(text, "### {number}{}\n\n| step | | |\n|---|---|---|", lesson.title)?;
        // Under no seed: what is asserted is not what is seen.
        for step in lesson.play(0, Vec::new()).steps {
            for (index, row) in rows(&step).into_iter().enumerate() {
                let title = if index == 0 { step.title.as_str() } else { "" };
                writeln!(text, "| {title} | {row} |")?;
            }
        }
        writeln!(text)?;
    }
    Ok(text)
}

/// What a step asserts, and how many numbers its texts tell.
fn rows(step: &PlayedStep) -> Vec<String> {
    let (told, held): (Vec<&Line>, Vec<&Line>) = step.lines.iter().partition(|line| line.held == Held::Told);
    let row = |line: &Line| {
        let words = [line.says.as_str(), line.wanted.as_str()];
        let words: Vec<String> =
            words.iter().filter(|text| !text.is_empty()).map(|text| text.replace('|', "\\|")).collect();
        format!("{} | {}", line.held.title(), words.join(": "))
    };
    let mut rows: Vec<String> = held.into_iter().map(row).collect();
    if !told.is_empty() {
        rows.push(format!("tells | {} numbers of its runs", told.len()));
    }
    rows
}
