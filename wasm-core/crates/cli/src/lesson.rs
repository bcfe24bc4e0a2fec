//! `qoscope lesson`.

use std::io::{self, Write};
use std::num::NonZero;
use std::path::Path;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use qoscope_figures::Outcome;
use qoscope_figures::lessons::{Lesson, Line, Played};
use serde_json::Value;

use crate::RunFormat;
use crate::failure::Failure;
use crate::input;
use crate::table::table;

/// Plays a lesson under seeds from 1 on and prints what it asserts.
pub fn lesson(file: &Path, seeds: u32, format: RunFormat, out: &mut impl Write) -> Result<(), Failure> {
    let lesson = Lesson::read(&input::read(file)?)?;
    let folder = file.parent().unwrap_or(Path::new(""));
    let scenarios = |name: &str| scenario(folder, name);
    let diagnostics = lesson.check_scenarios(&scenarios);
    if !diagnostics.is_empty() {
        return Err(diagnostics.into());
    }
    let played = lesson.play(seeds, outcomes(&lesson, seeds, &scenarios));
    match format {
        RunFormat::Json => {
            serde_json::to_writer_pretty(&mut *out, &played).map_err(io::Error::from)?;
            writeln!(out)?;
        }
        RunFormat::Table => print(&played, out)?,
    }
    if played.holds() { Ok(()) } else { Err(Failure::Told) }
}

/// The document of a scenario: in the folder above that of the lesson, as where scenarios have a folder of lessons, or beside it.
fn scenario(folder: &Path, name: &str) -> Result<Value, String> {
    let files = [folder.join("..").join(format!("{name}.json")), folder.join(format!("{name}.json"))];
    let file = files.iter().find(|file| file.is_file()).ok_or_else(|| {
        format!("there is no scenario `{name}`: neither {} nor {}", files[0].display(), files[1].display())
    })?;
    let text = std::fs::read_to_string(file).map_err(|error| format!("{}: {error}", file.display()))?;
    qoscope_engine::scenario::parse(&text).map_err(|diagnostic| format!("{}: {diagnostic}", file.display()))
}

/// Everything that the lesson needs, several made at a time.
fn outcomes(lesson: &Lesson, seeds: u32, scenarios: &(impl Fn(&str) -> Result<Value, String> + Sync)) -> Vec<Outcome> {
    let needs = lesson.needed(seeds);
    let made: Vec<OnceLock<Outcome>> = needs.iter().map(|_| OnceLock::new()).collect();
    let next = AtomicUsize::new(0);
    let workers = thread::available_parallelism().map_or(1, NonZero::get).min(needs.len());
    thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                while let Some((need, outcome)) = {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    needs.get(at).zip(made.get(at))
                } {
                    outcome.get_or_init(|| need.result(scenarios));
                }
            });
        }
    });
    let missing = || Err("was not made".into());
    made.into_iter().map(|outcome| outcome.into_inner().unwrap_or_else(missing)).collect()
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
    let cells = [line.held.title().to_owned(), line.says.clone(), line.wanted.clone()].into_iter().chain(seen);
    cells.chain([if fails { "does not hold".into() } else { String::new() }]).collect()
}
