//! Plays the lessons of `scenarios/lessons/`: under each of three seeds, or of ten with `FULL=1`, what they assert, their right answers and
//! their solutions must hold, and every wrong answer and attempt that they know must be refused.
//!
//! Every lesson is a test of its own, by its name: `cargo test --test lessons marks-and-windows`. `UPDATE_DOCS=1` writes what
//! they assert into `docs/lessons.md`, and their pictures for the page of contents into `scenarios/results/lessons.json`.

mod document;

use std::collections::BTreeMap;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Mutex;
use std::{env, fs};

use libtest_mimic::{Arguments, Failed, Trial};
use qoscope_figures::lessons::{Lesson, Played};
use qoscope_figures::{Outcome, Picture};
use serde::{Deserialize, Serialize};
use serde_json::Value;

const SCENARIOS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../scenarios");

/// Seeds that a lesson is played under, and with `FULL=1`.
const SEEDS: u32 = 3;
const ALL_SEEDS: u32 = 10;

/// The pictures are written by one test at a time, and not while another reads them.
static WRITING: Mutex<()> = Mutex::new(());

/// Whether the tests were asked for something, by a variable of the environment.
fn asked(variable: &str) -> bool {
    env::var_os(variable).is_some()
}

/// Reads the document of a scenario.
fn scenario(name: &str) -> Result<Value, String> {
    qoscope_committed::find(name)
}

/// The names of the lessons' files, without their ending, in order.
fn names() -> Vec<String> {
    let folder = format!("{SCENARIOS}/lessons");
    let entries =
        fs::read_dir(folder).expect("the folder is there").map(|entry| entry.expect("a readable entry").path());
    let name = |file: &Path| file.file_stem().expect("a named file").to_string_lossy().into_owned();
    let mut names: Vec<String> = entries.filter(|path| path.is_file()).map(|file| name(&file)).collect();
    names.sort();
    names
}

/// Reads the lesson of a file, whose name is its id.
fn lesson(name: &str) -> Result<Lesson, Failed> {
    let text = fs::read_to_string(format!("{SCENARIOS}/lessons/{name}.json"))?;
    let read = Lesson::read(&text).and_then(|lesson| {
        let found = lesson.check_scenarios(&scenario);
        if found.is_empty() { Ok(lesson) } else { Err(found) }
    });
    let lesson = read.map_err(|found| {
        let lines = found.iter().map(|found| format!("\n{} {}. {}", found.path, found.reason, found.hint));
        format!("scenarios/lessons/{name}.json:{}", lines.collect::<String>())
    })?;
    if lesson.id == name {
        Ok(lesson)
    } else {
        Err(format!("{name} is named otherwise than its id, {}", lesson.id).into())
    }
}

/// Plays a lesson.
fn play(lesson: &Lesson) -> Result<(), Failed> {
    let seeds = if asked("FULL") { ALL_SEEDS } else { SEEDS };
    let outcomes: Vec<Outcome> = lesson.needed(seeds).iter().map(|need| need.result(lesson, &scenario)).collect();
    let picture = lesson.picture(seeds, &outcomes, &scenario)?;
    let played = lesson.play(seeds, outcomes);
    if !played.holds() {
        return Err(what_does_not_hold(&played).into());
    }
    hold_picture(&lesson.id, picture)
}

fn what_does_not_hold(played: &Played) -> String {
    let mut lines = played.failures.clone();
    for (index, step) in played.steps.iter().enumerate() {
        for line in &step.lines {
            for seen in line.seen.iter().filter(|seen| !seen.holds) {
                let (held, says, wanted) = (line.held.title(), &line.says, &line.wanted);
                lines.push(format!(
                    "step {}, {held}: {says}: {} under seed {}, wanted {wanted}",
                    index + 1,
                    seen.text,
                    seen.seed
                ));
            }
        }
    }
    lines.join("\n")
}

/// What the page has of lessons (`scenarios/results/lessons.json`).
#[derive(Default, Serialize, Deserialize)]
struct Record {
    /// By id.
    lessons: BTreeMap<String, LessonRecord>,
}

/// What a lesson gave.
#[derive(PartialEq, Serialize, Deserialize)]
struct LessonRecord {
    /// What stands for it on the page of contents.
    picture: Option<Picture>,
}

impl Record {
    fn file() -> String {
        format!("{SCENARIOS}/results/lessons.json")
    }

    fn read() -> Result<Self, Failed> {
        match fs::read_to_string(Self::file()) {
            Ok(text) => Ok(serde_json::from_str(&text)?),
            Err(_) => Ok(Self::default()),
        }
    }

    /// Writes a line for each lesson: a change of one is a change of one line.
    fn write(&self) -> Result<(), Failed> {
        fs::create_dir_all(format!("{SCENARIOS}/results"))?;
        let line = |(id, of): (&String, &LessonRecord)| {
            Ok(format!("    {}: {}", serde_json::to_string(id)?, serde_json::to_string(of)?))
        };
        let lines = self.lessons.iter().map(line).collect::<Result<Vec<_>, Failed>>()?;
        Ok(fs::write(Self::file(), format!("{{\n  \"lessons\": {{\n{}\n  }}\n}}\n", lines.join(",\n")))?)
    }
}

/// Fails where the page has another picture of a lesson, or writes it.
fn hold_picture(id: &str, picture: Option<Picture>) -> Result<(), Failed> {
    let _writing = WRITING.lock().expect("nothing panics while it writes");
    let mut record = Record::read()?;
    let made = LessonRecord { picture };
    if asked("UPDATE_DOCS") {
        record.lessons.insert(id.to_owned(), made);
        return record.write();
    }
    if record.lessons.get(id) == Some(&made) {
        return Ok(());
    }
    Err(format!("scenarios/results/lessons.json has another picture: UPDATE_DOCS=1 cargo test --test lessons {id}")
        .into())
}

/// Fails where lessons do not make one course, or there are pictures of what there is no more; takes those out.
fn check_whole(lessons: &[Lesson], names: &[String]) -> Result<(), Failed> {
    let mut faults = Vec::new();
    let mut numbers: Vec<u32> = lessons.iter().filter_map(|lesson| lesson.number).collect();
    numbers.sort_unstable();
    if !numbers.iter().copied().eq(1..=u32::try_from(lessons.len())?) {
        faults.push(format!("the lessons have the numbers {numbers:?}"));
    }
    for lesson in lessons {
        let before = lesson.follows.as_ref().and_then(|id| lessons.iter().find(|other| other.id == *id));
        if lesson.follows.is_some() && before.is_none_or(|before| before.number >= lesson.number) {
            faults.push(format!("{} follows {:?}, which is no lesson before it", lesson.id, lesson.follows));
        }
    }
    let _writing = WRITING.lock().expect("nothing panics while it writes");
    let mut record = Record::read()?;
    if record.lessons.keys().any(|id| !names.contains(id)) {
        if asked("UPDATE_DOCS") {
            record.lessons.retain(|id, _| names.contains(id));
            record.write()?;
        } else {
            faults.push("scenarios/results/lessons.json has lessons that there are not".into());
        }
    }
    if faults.is_empty() { Ok(()) } else { Err(faults.join("\n").into()) }
}

fn main() -> ExitCode {
    let names = names();
    let lessons: Vec<(String, Result<Lesson, Failed>)> =
        names.iter().map(|name| (name.clone(), lesson(name))).collect();
    let mut readable: Vec<Lesson> = lessons.iter().filter_map(|(_, lesson)| lesson.as_ref().ok().cloned()).collect();
    readable.sort_by_key(|lesson| lesson.number);
    let course = readable.clone();
    let mut trials = vec![
        Trial::test("the_document_says_what_the_lessons_assert", move || document::hold(&course)),
        Trial::test("the_lessons_make_a_course", move || check_whole(&readable, &names)),
    ];
    trials.extend(lessons.into_iter().map(|(name, lesson)| Trial::test(name, move || play(&lesson?))));
    libtest_mimic::run(&Arguments::from_args(), trials).exit_code()
}
