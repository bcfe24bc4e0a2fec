//! Scenarios from files, with what the command line changes in them.

use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::{fs, str};

use qoscope_engine::scenario::{self, Diagnostic, Scenario};
use serde_json::Value;

use crate::failure::Failure;

/// What the command line changes in a scenario.
#[derive(Default)]
pub struct Edits<'a> {
    /// Assignments `path=value`, in order.
    pub sets: &'a [String],
    /// The seed.
    pub seed: Option<u64>,
    /// The simulated time, in microseconds.
    pub duration_us: Option<f64>,
}

/// Reads a scenario, changes it and checks it.
pub fn load(file: &Path, edits: &Edits<'_>) -> Result<Scenario, Failure> {
    let text = read(file)?;
    let mut document = scenario::parse(&text).map_err(|diagnostic| vec![diagnostic])?;
    let mut diagnostics = Vec::new();
    let mut assign =
        |path: &str, value: Value| diagnostics.extend(scenario::set_path(&mut document, path, value).err());
    for text in edits.sets {
        let (path, value) = assignment(text)?;
        assign(path, value);
    }
    if let Some(seed) = edits.seed {
        assign("seed", seed.into());
    }
    if let Some(duration_us) = edits.duration_us {
        assign("durationUs", duration_us.into());
    }
    match scenario::from_value(document) {
        Ok(scenario) if diagnostics.is_empty() => Ok(scenario),
        checked => {
            Err(diagnostics.into_iter().chain(checked.err().into_iter().flatten()).collect::<Vec<Diagnostic>>().into())
        }
    }
}

/// The path and the value of `--set`.
pub fn assignment(text: &str) -> Result<(&str, Value), Failure> {
    let parts = text.split_once('=').map(|(path, value)| (path.trim(), parsed(value.trim())));
    parts.ok_or_else(|| Failure::Input(format!("--set takes PATH=VALUE, as in --set seed=7; {text:?} has no `=`.")))
}

/// A value on the command line: JSON, or else a word as it stands.
pub fn parsed(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|_| text.into())
}

fn name(file: &Path) -> String {
    if file == Path::new("-") { "Standard input".into() } else { file.display().to_string() }
}

/// The text of a file, or of standard input.
pub fn read(file: &Path) -> Result<String, Failure> {
    // One byte more than is accepted: the engine then says that it is too much.
    let limit = scenario::MAXIMUM_BYTES as u64 + 1;
    let bytes = if file == Path::new("-") {
        let mut bytes = Vec::new();
        io::stdin().lock().take(limit).read_to_end(&mut bytes).map(|_| bytes)
    } else {
        let mut bytes = Vec::new();
        fs::File::open(file).and_then(|open| open.take(limit).read_to_end(&mut bytes)).map(|_| bytes)
    };
    let bytes = bytes.map_err(|error| {
        let why = match error.kind() {
            io::ErrorKind::NotFound => "there is no such file".into(),
            io::ErrorKind::IsADirectory => "it is a folder".into(),
            io::ErrorKind::PermissionDenied => "reading it is not permitted".into(),
            _ => error.to_string(),
        };
        Failure::Input(format!("{} cannot be read: {why}.", name(file)))
    })?;
    let text = str::from_utf8(&bytes).map_err(|error| {
        Failure::Input(format!(
            "{} is not text in UTF-8: byte {} is the first that is not.",
            name(file),
            error.valid_up_to()
        ))
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
pub fn file_near(folder: &Path, name: &str) -> Result<PathBuf, String> {
    let files = [folder.join("..").join(format!("{name}.json")), folder.join(format!("{name}.json"))];
    files.iter().find(|file| file.is_file()).cloned().ok_or_else(|| {
        format!("there is no scenario `{name}`: neither {} nor {}", files[0].display(), files[1].display())
    })
}

/// The document of a scenario that a document in `folder` names.
pub fn scenario_near(folder: &Path, name: &str) -> Result<Value, String> {
    let file = file_near(folder, name)?;
    let text = fs::read_to_string(&file).map_err(|error| format!("{}: {error}", file.display()))?;
    scenario::parse(&text).map_err(|diagnostic| format!("{}: {diagnostic}", file.display()))
}

/// Diagnostics of a document that is no scenario: those of the whole of it say what it is.
pub fn named(what: &str, mut diagnostics: Vec<Diagnostic>) -> Vec<Diagnostic> {
    for diagnostic in diagnostics.iter_mut().filter(|diagnostic| diagnostic.path.is_empty()) {
        diagnostic.path = what.into();
    }
    diagnostics
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_fault_of_the_whole_document_says_what_it_is_of() {
        let of = |path: &str| Diagnostic::new(path, "is not JSON", "Correct the text there.");
        let told: Vec<String> = named("lesson", vec![of(""), of("steps[0]")]).iter().map(ToString::to_string).collect();
        assert_eq!(told[0], "lesson: is not JSON. Correct the text there.");
        assert!(told[1].starts_with("steps[0]: "), "{}", told[1]);
    }

    #[test]
    fn a_value_is_json_or_a_word() {
        assert_eq!(parsed("3"), json!(3));
        assert_eq!(parsed("\"3\""), json!("3"));
        assert_eq!(parsed("null"), json!(null));
        assert_eq!(parsed("dctcp"), json!("dctcp"));
        assert_eq!(parsed("[1, 2]"), json!([1, 2]));
    }
}
