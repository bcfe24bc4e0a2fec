//! Plays the studies of `scenarios/studies/`: each is read without a fault and begins with the runs that its document says; what its text
//! tells of its table holds; and the searches find what is known by hand of their questions.
//!
//! Every study is a test of its own, by its name: `cargo test -p qoscope-study --test studies least-k`. Sweeps and sensitivities are played
//! under fewer seeds than they ask for, with `FULL=1` as they are written, and all under other seeds as well. `UPDATE_DOCS=1` writes what searches
//! came to into `scenarios/results/studies.json`, and the lists of `docs/studies.md`.

mod document;
mod known;
mod record;
mod told;

use std::collections::BTreeMap;
use std::process::ExitCode;
use std::{env, fs};

use libtest_mimic::{Arguments, Failed, Trial};
use qoscope_campaign::{Campaign, Outcome, RunRequest};
use qoscope_engine::scenario::{self, Diagnostic};
use qoscope_engine::simulation::Simulation;
use qoscope_figures::sentences;
use qoscope_study::{Answer, Ask, Session, Study, Table};
use serde_json::Value;

const SCENARIOS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../scenarios");

/// Seeds of a point of a sweep, and walks of a sensitivity, unless all are asked for.
const SEEDS: u32 = 2;
const WALKS: u32 = 6;

/// The first seeds that the text of a study must also hold under, with `FULL=1`.
const OTHER_SEEDS: [u32; 2] = [5000, 9000];

/// Whether the tests were asked for something, by a variable of the environment.
fn is_asked(variable: &str) -> bool {
    env::var_os(variable).is_some()
}

/// The names of the studies' files, without their ending, in order.
fn names() -> Vec<String> {
    let entries = fs::read_dir(format!("{SCENARIOS}/studies")).expect("the folder is there");
    let paths = entries.map(|entry| entry.expect("a readable entry").path());
    let mut names: Vec<String> =
        paths.map(|path| path.file_stem().expect("a named file").to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

fn faults(place: &str, found: &[Diagnostic]) -> String {
    format!("{place}: {}", sentences(found))
}

/// Reads the study of a file.
fn study(name: &str) -> Result<Study, Failed> {
    let text = fs::read_to_string(format!("{SCENARIOS}/studies/{name}.json"))?;
    Ok(Study::read(&text).map_err(|found| faults(name, &found))?)
}

/// Opens a study on the scenario that it names, or holds.
fn session(study: Study) -> Result<Session, Failed> {
    let document = match &study.scenario {
        Some(Value::String(name)) => qoscope_committed::find(name)?,
        Some(document) => document.clone(),
        None => return Err("a committed study has its scenario".into()),
    };
    let title = study.title.clone();
    Ok(Session::new(study, &document, &BTreeMap::new()).map_err(|found| faults(&title, &found))?)
}

/// What a study came to, and how many runs that took.
struct Played {
    study: Study,
    table: Table,
    answer: Answer,
    runs: u64,
}

/// Makes the runs that a study wants, until it has its answer.
fn play(study: Study) -> Result<Played, Failed> {
    let mut session = session(study)?;
    loop {
        let wanted = session.next(64);
        if wanted.is_empty() {
            break;
        }
        for wish in wanted {
            let document = session.scenario(wish.id).ok_or("there is no document of a run that is wanted")?;
            let ran = simulated(&document);
            session.put(wish.id, ran.as_ref().map_or_else(|reason| Outcome::Failed(reason.clone()), Outcome::Summary));
        }
    }
    let answer = session.answer().and_then(Result::ok).ok_or("nothing is wanted, and there is no answer")?;
    let runs = session.progress().known;
    Ok(Played { study: session.study().clone(), table: session.table(), answer, runs })
}

fn simulated(document: &str) -> Result<Value, String> {
    let scenario = scenario::load(document).map_err(|found| sentences(&found))?;
    let mut simulation = Simulation::new(&scenario).map_err(|found| sentences(&found))?;
    simulation.run_until(u64::MAX);
    serde_json::to_value(simulation.summary()).map_err(|error| error.to_string())
}

/// A study as it is played: under a few seeds where it is no search, or under others.
fn lessened(study: &Study, first: Option<u32>) -> Study {
    let mut study = study.clone();
    study.seeds.first = first.or(study.seeds.first);
    match &mut study.ask {
        _ if is_asked("FULL") => {}
        Ask::Sweep { within, .. } => {
            *within = None;
            study.seeds.count = study.seeds.count.min(SEEDS);
        }
        Ask::Sensitivity { walks, .. } => *walks = WALKS,
        Ask::Search { .. } => {}
    }
    study
}

/// A study begins with the runs that its document says: of a sweep every point under every seed.
fn begins(name: &str) -> Result<(), Failed> {
    let study = study(name)?;
    let written: Value = serde_json::to_value(&study)?;
    let again = Study::read(&written.to_string()).map_err(|found| faults(name, &found))?;
    if again != study {
        return Err("it reads otherwise once it is written".into());
    }
    let seeds = study.seeds.count;
    let counts: Vec<usize> = study.vary.iter().map(known::count).collect();
    let mut session = session(study)?;
    let wanted = session.next(usize::MAX);
    let first_seed = session.table().first_seed;
    let is_among = |seed: u32| (first_seed..first_seed + seeds).contains(&seed);
    let cost = session.cost();
    match &session.study().ask {
        Ask::Sweep { .. } => {
            let points: usize = counts.iter().product();
            let runs = points * seeds as usize;
            let refused = session.table().points.iter().filter(|point| point.refused.is_some()).count();
            if (wanted.len(), cost.points, cost.runs, refused) != (runs, points as u64, runs as u64, 0) {
                let said = (wanted.len(), cost.points, cost.runs, refused);
                return Err(
                    format!("{points} points of {seeds} seeds; runs wanted, points, runs, refused: {said:?}").into()
                );
            }
        }
        Ask::Sensitivity { walks, .. } => {
            // Each walk begins somewhere and changes every factor once.
            let runs = u64::from(*walks) * (counts.len() as u64 + 1);
            if cost.runs < runs || (wanted.len() as u64) < runs.min(64) {
                return Err(format!("{} runs in all, {} at first; walks take {runs}", cost.runs, wanted.len()).into());
            }
        }
        Ask::Search { max_runs, .. } => {
            if cost.max_runs > u64::from(*max_runs) || wanted.is_empty() {
                return Err(format!("{} of at most {max_runs} runs, {} at first", cost.max_runs, wanted.len()).into());
            }
        }
    }
    let seed = |request: &RunRequest| {
        let scenario: Value = serde_json::from_str(&session.scenario(request.id)?).ok()?;
        scenario["seed"].as_u64()?.try_into().ok()
    };
    if wanted.iter().all(|request| seed(request).is_some_and(is_among)) {
        Ok(())
    } else {
        Err("a first run has a seed of none".into())
    }
}

/// Plays a study, and holds what is known or told of it.
fn holds(name: &str) -> Result<(), Failed> {
    let study = study(name)?;
    let firsts = OTHER_SEEDS.into_iter().filter(|_| is_asked("FULL")).map(Some);
    for first in [None].into_iter().chain(firsts) {
        let played = play(lessened(&study, first))?;
        let under = |reason| format!("{reason} (first seed {})", played.table.first_seed);
        match &played.answer {
            Answer::Search(found) if known::is_known(name) => {
                let made = known::hold(name, &played, found).map_err(under)?;
                // What is kept is what the study gives as it is written.
                if first.is_none() {
                    record::hold(name, made)?;
                }
            }
            _ => told::hold(name, &played).map_err(under)?,
        }
    }
    Ok(())
}

/// Holds `docs/studies.md`.
fn tell() -> Result<(), Failed> {
    let studies =
        names().into_iter().map(|name| study(&name).map(|study| (name, study))).collect::<Result<Vec<_>, Failed>>()?;
    document::hold(&studies)
}

fn main() -> ExitCode {
    let begun = names().into_iter().map(|name| Trial::test(format!("{name}_begins"), move || begins(&name)));
    let held = names().into_iter().map(|name| Trial::test(name.clone(), move || holds(&name)));
    let arguments = Arguments::from_args();
    let played = libtest_mimic::run(&arguments, begun.chain(held).collect());
    // Once they have been played: the document tells what they came to.
    let told = libtest_mimic::run(&arguments, vec![Trial::test("the_document_says_what_there_is", tell)]);
    if played.has_failed() || told.has_failed() { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}
