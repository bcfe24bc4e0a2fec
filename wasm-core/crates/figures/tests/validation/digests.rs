//! What runs gave before, as digests (`tests/digests.json`): of every committed scenario that of its run, which covers the instant of
//! every packet, and of every figure one of all that its table is made from.

use std::collections::BTreeMap;
use std::fs;
use std::sync::Mutex;

use libtest_mimic::Failed;
use qoscope_figures::{Figure, FigureRecord, Results};
use serde::{Deserialize, Serialize};

use crate::{asked, document, record};

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/digests.json");

/// What writes them.
const RENEW: &str = "cd wasm-core && UPDATE_DIGESTS=1 cargo test --test validation";

/// The file is written by one test at a time, and not while another reads it.
static WRITING: Mutex<()> = Mutex::new(());

/// Digests by the name of the scenario or the figure.
#[derive(Default, Serialize, Deserialize)]
struct Digests {
    scenarios: BTreeMap<String, String>,
    figures: BTreeMap<String, String>,
}

impl Digests {
    fn read() -> Self {
        let _writing = WRITING.lock().expect("nothing panics while it reads");
        Self::read_alone()
    }

    fn read_alone() -> Self {
        serde_json::from_str(&fs::read_to_string(FILE).expect("the digests are there")).expect("the digests are JSON")
    }

    /// Writes a change of them.
    fn write(change: impl FnOnce(&mut Self)) -> Result<(), Failed> {
        let _writing = WRITING.lock().expect("nothing panics while it writes");
        let mut digests = Self::read_alone();
        change(&mut digests);
        Ok(fs::write(FILE, serde_json::to_string_pretty(&digests)? + "\n")?)
    }
}

/// The digest of a figure: that of its runs under the seed of their scenarios, and what document and record say of it. A plot may
/// change without it.
pub fn of_figure(figure: &Figure, once: &Results) -> Result<String, Failed> {
    let record = record::of(figure).map(|FigureRecord { rows, events, digest, .. }| (rows, events, digest));
    Ok(qoscope_figures::digest(&(figure.digest(once)?, document::of(figure)?, record)))
}

/// Whether a figure has given this digest before.
pub fn is_known(figure: &Figure, digest: &str) -> bool {
    Digests::read().figures.get(&figure.id).is_some_and(|known| known == digest)
}

/// Fails where a figure whose verdicts and table hold under all seeds has another digest than before, or writes it.
pub fn hold_figure(figure: &Figure, digest: String) -> Result<(), Failed> {
    if asked("UPDATE_DIGESTS") || asked("UPDATE_DOCS") {
        return Digests::write(|digests| drop(digests.figures.insert(figure.id.clone(), digest)));
    }
    if is_known(figure, &digest) {
        return Ok(());
    }
    let so =
        "its runs, or its file, are not what they were, but every seed was run, and its verdicts and its table hold";
    Err(format!("{so}. Where that is meant: {RENEW} {}", figure.id).into())
}

/// Fails where a scenario has another digest than before, or writes it.
pub fn hold_scenario(scenario: String, digest: String) -> Result<(), Failed> {
    if asked("UPDATE_DIGESTS") {
        return Digests::write(|digests| drop(digests.scenarios.insert(scenario, digest)));
    }
    match Digests::read().scenarios.get(&scenario) {
        Some(known) if *known == digest => Ok(()),
        Some(known) => {
            Err(format!("its run gives {digest}, and gave {known}. Where that is meant: {RENEW} {scenario}").into())
        }
        None => Err(format!("there is no digest of it yet: {RENEW} {scenario}").into()),
    }
}

/// Fails where there are digests of what there is no more, or takes them out.
pub fn check_whole(scenarios: &[String], figures: &[String]) -> Result<(), Failed> {
    if asked("UPDATE_DIGESTS") {
        return Digests::write(|digests| {
            digests.scenarios.retain(|name, _| scenarios.contains(name));
            digests.figures.retain(|name, _| figures.contains(name));
        });
    }
    let Digests { scenarios: of_scenarios, figures: of_figures } = Digests::read();
    let gone = of_scenarios.into_keys().filter(|name| !scenarios.contains(name));
    let gone: Vec<String> = gone.chain(of_figures.into_keys().filter(|name| !figures.contains(name))).collect();
    if gone.is_empty() { Ok(()) } else { Err(format!("there is no {}: {RENEW}", gone.join(", ")).into()) }
}
