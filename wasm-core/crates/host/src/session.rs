//! Sessions of studies whose scenario replays traces.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;

use qoscope_campaign::trace_hash;
use qoscope_study::{Session, Study};
use serde_json::{Value, json};

use crate::Error;
use crate::traces::Shelf;

/// A session of a study on a scenario, with what its traces contain.
///
/// # Errors
/// Everything that is wrong with the study on this scenario, or a trace that cannot be read.
pub fn session(study: Study, document: &Value, traces: &Shelf) -> Result<Session, Error> {
    let mut names = BTreeSet::new();
    files_in(document, &mut names);
    let factors = study.vary.iter();
    let values = factors.flat_map(|factor| {
        let paths = factor.path.iter().chain(factor.moves.iter().map(|moved| &moved.path));
        let values = paths.flat_map(|path| factor.values.iter().map(move |value| (path, value)));
        values.chain(factor.alternatives.iter().flat_map(|alternative| &alternative.set))
    });
    for (path, value) in study.set.iter().chain(values) {
        // As if the field stood in a document.
        let name = path.rsplit('.').next().unwrap_or(path);
        files_in(&json!({ name: value }), &mut names);
    }
    let mut hashes = BTreeMap::new();
    for name in names {
        let path = traces.path(&name);
        let hash = File::open(&path).and_then(trace_hash);
        let failed = |error| Error::Sentence(format!("{}: The trace could not be opened: {error}.", path.display()));
        hashes.insert(name, hash.map_err(failed)?);
    }
    Ok(Session::new(study, document, &hashes)?)
}

/// The names of traces in a part of a scenario: fields called `file`.
fn files_in(value: &Value, names: &mut BTreeSet<String>) {
    match value {
        Value::Object(fields) => {
            names.extend(fields.get("file").and_then(Value::as_str).map(str::to_owned));
            fields.values().for_each(|value| files_in(value, names));
        }
        Value::Array(elements) => elements.iter().for_each(|element| files_in(element, names)),
        _ => (),
    }
}
