//! `qoscope lesson`.

use std::io::{self, Write};
use std::path::Path;

use qoscope_campaign::Campaign;
use qoscope_figures::lessons::{Lesson, LessonCheck, Line, Played};

use qoscope_host::files::{self, Kind};

use crate::RunFormat;
use crate::drive::DriveOptions;
use crate::failure::Failure;
use crate::table::table;

/// Checks a lesson under the seeds from 1 to `seeds` and prints the result of each assertion.
pub fn lesson(
    file: &Path,
    seeds: u32,
    options: &DriveOptions,
    format: RunFormat,
    out: &mut impl Write,
) -> Result<(), Failure> {
    let (file, text) = Kind::Lesson.open(file)?;
    let lesson = Lesson::read(&text).map_err(|found| Kind::Lesson.named(found))?;
    let folder = file.parent().unwrap_or(Path::new(""));
    let check = LessonCheck::new(lesson, seeds, &|name| files::scenario_near(folder, name))?;
    let played = options.drive(check)?.answer().expect("a driver that was not stopped made all runs")?;
    match format {
        RunFormat::Json => {
            serde_json::to_writer_pretty(&mut *out, &played).map_err(io::Error::from)?;
            writeln!(out)?;
        }
        RunFormat::Table => print(&played, out)?,
    }
    if played.holds() { Ok(()) } else { Err(Failure::Told) }
}

fn print(played: &Played, out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "{}", played.title)?;
    let header: Vec<String> = ["", "", "wanted"]
        .into_iter()
        .map(String::from)
        .chain(played.seeds.iter().map(|seed| format!("seed {seed}")))
        .chain([String::new()])
        .collect();
    for (index, step) in played.steps.iter().enumerate() {
        writeln!(out, "\n{}. {}", index + 1, step.title)?;
        if !step.lines.is_empty() {
            write!(out, "{}", table(header.iter().map(String::as_str), 3, step.lines.iter().map(row)))?;
        }
    }
    played.failures.iter().try_for_each(|failure| writeln!(out, "\n{failure}"))?;
    let lines = || played.steps.iter().flat_map(|step| &step.lines);
    let fails = lines().filter(|line| line.seen.iter().any(|seen| !seen.holds)).count() + played.failures.len();
    match fails {
        0 => writeln!(out, "\nAll {} hold under {} seeds.", lines().count(), played.seeds.len()),
        fails => writeln!(out, "\n{fails} of {} do not hold.", lines().count() + played.failures.len()),
    }
}

fn row(line: &Line) -> Vec<String> {
    let fails = line.seen.iter().any(|seen| !seen.holds);
    let seen = line.seen.iter().map(|seen| if seen.holds { seen.text.clone() } else { format!("! {}", seen.text) });
    let cells = [line.held.title().to_owned(), shortened(&line.says), line.wanted.clone()].into_iter().chain(seen);
    cells.chain([if fails { "does not hold".into() } else { String::new() }]).collect()
}

/// Letters of what a lesson says that a row of the table has; the JSON has all of them.
const LETTERS: usize = 60;

fn shortened(text: &str) -> String {
    let mut letters = text.chars();
    let short: String = letters.by_ref().take(LETTERS).collect();
    if letters.next().is_some() { short.trim_end().to_owned() + "…" } else { short }
}
