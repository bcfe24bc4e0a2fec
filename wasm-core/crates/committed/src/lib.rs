//! The scenarios committed in this repository (`scenarios/`), by name and with their bases expanded.
//!
//! Documents are JSON values: tests inside the engine have another type `Scenario` than this crate.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use qoscope_engine::scenario::{self, Diagnostic};
use serde_json::Value;

/// The folder of the scenarios.
pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../scenarios")
}

/// The files of all scenarios, by name.
///
/// # Panics
/// If two files have the same name, or a folder cannot be read.
pub fn files() -> BTreeMap<String, PathBuf> {
    let is_other = |path: &Path| scenario::OTHER_FOLDERS.iter().any(|folder| path.ends_with(folder));
    let mut found = BTreeMap::new();
    let mut folders = vec![folder()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("the folder can be read") {
            let path = entry.expect("the entry can be read").path();
            if path.is_dir() && !is_other(&path) {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "json") {
                let name = path.file_stem().expect("a named file").to_string_lossy().into_owned();
                let earlier = found.insert(name, path.clone());
                assert!(earlier.is_none(), "{} and {} have the same name", path.display(), earlier.unwrap().display());
            }
        }
    }
    found
}

/// The names of all scenarios, in order.
pub fn names() -> Vec<String> {
    files().into_keys().collect()
}

/// The expanded document of a scenario.
///
/// # Errors
/// If there is no such scenario, or its file cannot be read or expanded.
pub fn find(name: &str) -> Result<Value, String> {
    let files = files();
    let read = |name: &str| -> Result<Value, Diagnostic> {
        let file = files.get(name).ok_or_else(|| scenario::unknown_base(name, files.keys().map(String::as_str)))?;
        let text = fs::read_to_string(file).map_err(|error| Diagnostic::new("base", error.to_string(), ""))?;
        scenario::parse(&text)
    };
    let document = read(name).and_then(|document| scenario::expand(document, &read));
    document.map_err(|diagnostic| format!("{name}: {diagnostic}"))
}

/// The expanded document of a scenario that is there.
///
/// # Panics
/// If [`find`] fails.
pub fn document(name: &str) -> Value {
    find(name).unwrap_or_else(|reason| panic!("{reason}"))
}

/// The expanded document of a scenario that is there, as text.
///
/// # Panics
/// If [`find`] fails.
pub fn text(name: &str) -> String {
    document(name).to_string()
}

/// The expanded documents of all scenarios, by name.
///
/// # Panics
/// If [`find`] fails for one of them.
pub fn all() -> Vec<(String, Value)> {
    names().into_iter().map(|name| (name.clone(), document(&name))).collect()
}
