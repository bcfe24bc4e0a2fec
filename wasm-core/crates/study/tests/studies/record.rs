//! What the searches of the committed studies came to (`scenarios/results/studies.json`).

use std::collections::BTreeMap;
use std::fs;
use std::sync::Mutex;

use libtest_mimic::Failed;
use serde::{Deserialize, Serialize};

use crate::{SCENARIOS, is_asked};

/// The file is written by one test at a time, and not while another reads it.
static WRITING: Mutex<()> = Mutex::new(());

/// What is kept, by the name of the study.
#[derive(Default, Serialize, Deserialize)]
pub struct Record {
    pub searches: BTreeMap<String, SearchRecord>,
}

/// What a search came to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SearchRecord {
    /// What is known by hand of what is preferred; of targets that cannot be met, of the one that binds.
    pub known: f64,
    /// What was found of it.
    pub found: f64,
    /// Runs that it took, and those of a grid.
    pub runs: u64,
    pub grid_runs: u64,
    /// Unseen seeds under which all targets held, and how many there were.
    pub held: u32,
    pub of: u32,
    /// The answer.
    pub says: String,
}

impl Record {
    fn file() -> String {
        format!("{SCENARIOS}/results/studies.json")
    }

    pub fn read() -> Result<Self, Failed> {
        match fs::read_to_string(Self::file()) {
            Ok(text) => Ok(serde_json::from_str(&text)?),
            Err(_) => Ok(Self::default()),
        }
    }

    /// Writes a line for each study: a change of one is a change of one line.
    fn write(&self) -> Result<(), Failed> {
        let line = |(name, of): (&String, &SearchRecord)| {
            Ok(format!("    {}: {}", serde_json::to_string(name)?, serde_json::to_string(of)?))
        };
        let lines = self.searches.iter().map(line).collect::<Result<Vec<_>, Failed>>()?;
        Ok(fs::write(Self::file(), format!("{{\n  \"searches\": {{\n{}\n  }}\n}}\n", lines.join(",\n")))?)
    }
}

/// Fails where something else is kept of a search, or writes it.
pub fn hold(name: &str, made: SearchRecord) -> Result<(), Failed> {
    let _writing = WRITING.lock().expect("nothing panics while it writes");
    let mut record = Record::read()?;
    if record.searches.get(name) == Some(&made) {
        return Ok(());
    }
    if is_asked("UPDATE_DOCS") {
        record.searches.insert(name.to_owned(), made);
        return record.write();
    }
    let kept = record.searches.get(name);
    Err(format!("scenarios/results/studies.json has {kept:?}, not {made:?}: UPDATE_DOCS=1 cargo test -p qoscope-study --test studies {name}").into())
}
