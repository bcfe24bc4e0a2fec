//! Documents from files: scenarios, studies, and what they name.

use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::{fs, str};

use qoscope_engine::scenario::{self, Diagnostic};
use qoscope_study::Study;
use serde_json::Value;

use crate::Error;

fn name(file: &Path) -> String {
    if file == Path::new("-") { "Standard input".into() } else { file.display().to_string() }
}

/// The text of a file, or of standard input where it is called `-`.
///
/// # Errors
/// Why it cannot be read.
pub fn read(file: &Path) -> Result<String, Error> {
    // One byte more than is accepted: the engine then says that it is too much.
    let limit = scenario::MAXIMUM_BYTES as u64 + 1;
    let mut bytes = Vec::new();
    let length = if file == Path::new("-") {
        io::stdin().lock().take(limit).read_to_end(&mut bytes)
    } else {
        fs::File::open(file).and_then(|open| open.take(limit).read_to_end(&mut bytes))
    };
    length.map_err(|error| {
        let why = match error.kind() {
            io::ErrorKind::NotFound => "there is no such file".into(),
            io::ErrorKind::IsADirectory => "it is a folder".into(),
            io::ErrorKind::PermissionDenied => "reading it is not permitted".into(),
            _ => error.to_string(),
        };
        Error::Sentence(format!("{} cannot be read: {why}.", name(file)))
    })?;
    let text = str::from_utf8(&bytes).map_err(|error| {
        let at = error.valid_up_to();
        Error::Sentence(format!("{} is not text in UTF-8: byte {at} is the first that is not.", name(file)))
    })?;
    // Some editors begin a file with a byte-order mark, which is no JSON.
    Ok(text.strip_prefix('\u{feff}').unwrap_or(text).to_owned())
}

/// A file: itself, or what is named so in a folder of scenarios that one stands in.
pub fn found(file: &Path, folder: &str) -> PathBuf {
    let named = Path::new(folder).join(format!("{}.json", file.display()));
    if !file.exists() && named.is_file() { named } else { file.to_owned() }
}

/// The file of a scenario that a document in `folder` names: in the folder above, as where scenarios have a folder of figures or
/// lessons, or beside it.
///
/// # Errors
/// That there is none, and where it was looked for.
pub fn file_near(folder: &Path, name: &str) -> Result<PathBuf, String> {
    let files = [folder.join("..").join(format!("{name}.json")), folder.join(format!("{name}.json"))];
    files.iter().find(|file| file.is_file()).cloned().ok_or_else(|| {
        format!("there is no scenario `{name}`: neither {} nor {}", files[0].display(), files[1].display())
    })
}

/// The document of a scenario that a document in `folder` names.
///
/// # Errors
/// That there is none, or what keeps it from being read.
pub fn scenario_near(folder: &Path, name: &str) -> Result<Value, String> {
    let file = file_near(folder, name)?;
    let text = fs::read_to_string(&file).map_err(|error| format!("{}: {error}", file.display()))?;
    scenario::parse(&text).map_err(|diagnostic| format!("{}: {diagnostic}", file.display()))
}

/// The document of the scenario of a study in `folder`, and the folder that its traces are beside.
///
/// # Errors
/// That the study has none, or what keeps the one that it names from being read.
pub fn scenario_of(study: &Study, folder: &Path) -> Result<(Value, PathBuf), Error> {
    match &study.scenario {
        Some(Value::String(name)) => {
            let document = scenario_near(folder, name).map_err(Error::Sentence)?;
            // Its traces are beside the scenario, wherever that is.
            let file = file_near(folder, name).map_err(Error::Sentence)?;
            Ok((document, file.parent().unwrap_or(Path::new("")).to_owned()))
        }
        Some(document) => Ok((document.clone(), folder.to_owned())),
        None => {
            let hint = "Give the name of its file, or the whole scenario.";
            Err(Diagnostic::new("scenario", "is left out", hint).into())
        }
    }
}
