//! Every committed scenario gives the digest it gave before (`tests/references/digests.json`): what a change of the engine
//! does to results shows here first. `UPDATE_DIGESTS=1 cargo test --test digests` writes the table anew; the commit that
//! does says why.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::{env, fs, thread};

use qoscope_engine::scenario;
use qoscope_engine::simulation::Simulation;

/// Digests of whole runs, by name of the scenario's file.
type Digests = BTreeMap<String, String>;

fn at(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

fn digest(file: &Path) -> String {
    let text = fs::read_to_string(file).expect("the scenario can be read");
    let scenario = scenario::load(&text).unwrap_or_else(|diagnostics| panic!("{}: {diagnostics:?}", file.display()));
    let mut simulation = Simulation::new(&scenario).expect("the network can be laid out");
    simulation.run_until(u64::MAX);
    simulation.summary().digest
}

/// Runs every scenario, several at a time.
fn digests() -> Digests {
    let folder = fs::read_dir(at("../../../scenarios")).expect("the folder is there");
    let mut files: Vec<PathBuf> = folder.map(|entry| entry.expect("a readable entry").path()).collect();
    files.retain(|file| file.is_file());
    let (files, found) = (Mutex::new(files), Mutex::new(Digests::new()));
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while let Some(file) = { files.lock().expect("no worker panics here").pop() } {
                    let name = file.file_stem().expect("a named file").to_string_lossy().into_owned();
                    let digest = digest(&file);
                    found.lock().expect("no worker panics here").insert(name, digest);
                }
            });
        }
    });
    found.into_inner().expect("all workers have ended")
}

#[test]
fn every_committed_scenario_gives_the_digest_it_gave_before() {
    let table = at("tests/references/digests.json");
    let found = digests();
    if env::var_os("UPDATE_DIGESTS").is_some() {
        let text = serde_json::to_string_pretty(&found).expect("names and digests are JSON") + "\n";
        fs::write(table, text).expect("the table can be written");
        return;
    }
    let known: Digests = serde_json::from_str(&fs::read_to_string(table).expect("the table is there")).expect("JSON");
    let names = known.keys().chain(found.keys()).collect::<std::collections::BTreeSet<_>>();
    let changed: Vec<&String> = names.into_iter().filter(|name| known.get(*name) != found.get(*name)).collect();
    assert!(changed.is_empty(), "not as in tests/references/digests.json: {changed:?}");
}
