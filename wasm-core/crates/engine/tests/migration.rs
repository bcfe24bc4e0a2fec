//! Every scenario that was committed as version 1 (`tests/fixtures/v1`) is read, and means what its version 2 says.

use std::fs;
use std::path::{Path, PathBuf};

use qoscope_engine::scenario::{self, Scenario};

fn at(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

fn read(file: &Path) -> Scenario {
    let text = fs::read_to_string(file).expect("the scenario can be read");
    scenario::load(&text).unwrap_or_else(|diagnostics| panic!("{}: {diagnostics:?}", file.display()))
}

/// Those whose meaning changed after: version 1 had no reads and no memories, which figures 20 to 23 of paper 1 go to.
const CHANGED_SINCE: [&str; 4] = ["paper1-fig20", "paper1-fig22a", "paper1-fig22b", "paper1-fig23"];

#[test]
fn every_scenario_of_version_1_means_what_its_version_2_says() {
    let mut compared = 0;
    for entry in fs::read_dir(at("tests/fixtures/v1")).expect("the folder is there") {
        let before = entry.expect("a readable entry").path();
        let mut migrated = read(&before);
        assert_eq!(migrated.host.start_jitter_us, Some(0.0), "{}", before.display());
        let now = at("../../../scenarios").join(before.file_name().expect("a named file"));
        // One that is no longer shipped is read all the same.
        let name = before.file_name().map(|name| name.to_string_lossy()).unwrap_or_default();
        let changed = CHANGED_SINCE.iter().any(|start| name.starts_with(start));
        if now.exists() && !changed {
            let now = read(&now);
            // Version 1 knew no start jitter, which those that are shipped take as it comes.
            migrated.host.start_jitter_us = now.host.start_jitter_us;
            // What a person reads may have been written anew since, and version 1 had no stories.
            let Scenario { name, description, .. } = migrated.clone();
            assert_eq!(Scenario { name, description, story: None, ..now }, migrated, "{}", before.display());
            compared += 1;
        }
    }
    assert!(compared > 50, "only {compared} scenarios are shipped in both versions");
}
