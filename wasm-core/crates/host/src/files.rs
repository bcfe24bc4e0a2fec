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

/// The text of a file, or of standard input where it is called `-`: as long as a document may be.
///
/// # Errors
/// Why it cannot be read.
pub fn read(file: &Path) -> Result<String, Error> {
    read_up_to(file, scenario::MAXIMUM_BYTES)
}

/// The text of a file of so many bytes at most, or of standard input where it is called `-`.
///
/// # Errors
/// Why it cannot be read.
pub fn read_up_to(file: &Path, maximum_bytes: usize) -> Result<String, Error> {
    let refused = |why: String| Err(Error::Sentence(format!("{} {why}", name(file))));
    // One byte more than is accepted tells a file that is longer.
    let limit = maximum_bytes as u64 + 1;
    let mut bytes = Vec::new();
    let length = if file == Path::new("-") {
        io::stdin().lock().take(limit).read_to_end(&mut bytes)
    } else {
        fs::File::open(file).and_then(|open| open.take(limit).read_to_end(&mut bytes))
    };
    if let Err(error) = length {
        let why = match error.kind() {
            io::ErrorKind::NotFound => "there is no such file".into(),
            io::ErrorKind::IsADirectory => "it is a folder".into(),
            io::ErrorKind::PermissionDenied => "reading it is not permitted".into(),
            _ => error.to_string(),
        };
        return refused(format!("cannot be read: {why}."));
    }
    if bytes.len() > maximum_bytes {
        return refused(format!("has more than {} MiB, the most that is read of such a file.", maximum_bytes >> 20));
    }
    if is_utf_16(&bytes) {
        return refused("is text in UTF-16, as shells of Windows write it. Save it as UTF-8.".into());
    }
    let text = match str::from_utf8(&bytes) {
        Ok(text) => text,
        Err(error) => {
            return refused(format!("is not text in UTF-8: byte {} is the first that is not.", error.valid_up_to()));
        }
    };
    // Some editors begin a file with a byte-order mark, which is no JSON.
    Ok(text.strip_prefix('\u{feff}').unwrap_or(text).to_owned())
}

/// Whether bytes are text in UTF-16: they begin with its byte-order mark, or with a letter of ASCII in two bytes.
fn is_utf_16(bytes: &[u8]) -> bool {
    matches!(bytes, [0xff, 0xfe, ..] | [0xfe, 0xff, ..] | [0, 1..=127, 0, 1..=127, ..] | [1..=127, 0, 1..=127, 0, ..])
}

/// A kind of document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A scenario.
    Scenario,
    /// A study.
    Study,
    /// A figure.
    Figure,
    /// A lesson.
    Lesson,
}

impl Kind {
    /// What it is called in sentences.
    const fn title(self) -> &'static str {
        match self {
            Self::Scenario => "scenario",
            Self::Study => "study",
            Self::Figure => "figure",
            Self::Lesson => "lesson",
        }
    }

    /// The folder in which documents are found by name.
    const fn folder(self) -> &'static str {
        match self {
            Self::Scenario => "scenarios",
            Self::Study => "scenarios/studies",
            Self::Figure => "scenarios/figures",
            Self::Lesson => "scenarios/lessons",
        }
    }

    /// The file that `given` stands for on a command line: the file itself, standard input (`-`), or the document of that name in the
    /// folder of its kind.
    ///
    /// # Errors
    /// That there is neither, with the name that was probably meant.
    pub fn find(self, given: &Path) -> Result<PathBuf, Error> {
        if given == Path::new("-") || given.exists() {
            return Ok(given.to_owned());
        }
        let folder = Path::new(self.folder());
        let folders = if self == Self::Scenario { with_folders_in(folder) } else { vec![folder.to_owned()] };
        let file = format!("{}.json", given.display());
        if let Some(named) = folders.iter().map(|folder| folder.join(&file)).find(|file| file.is_file()) {
            return Ok(named);
        }
        let names: Vec<String> = folders.iter().flat_map(|folder| names_in(folder)).collect();
        let name = given.display().to_string();
        let name = name.strip_suffix(".json").unwrap_or(&name);
        let hint = match scenario::closest(name, names.iter().map(String::as_str)) {
            Some(meant) => {
                format!(", and no {} of this name in {}. Did you mean {meant}?", self.title(), self.folder())
            }
            None if names.is_empty() => ".".into(),
            None => format!(", and no {} of this name in {}.", self.title(), self.folder()),
        };
        Err(Error::Sentence(format!("{} cannot be read: there is no such file{hint}", given.display())))
    }

    /// The file that `given` stands for, and its text. That of a scenario with a base is expanded.
    ///
    /// # Errors
    /// As [`Kind::find`], why the file cannot be read, or what is wrong with its base.
    pub fn open(self, given: &Path) -> Result<(PathBuf, String), Error> {
        let file = self.find(given)?;
        let text = read(&file)?;
        let text = match self {
            // A text that is not JSON is reported by its reader.
            Self::Scenario if scenario::parse(&text).is_ok() => {
                expanded(&text, file.parent().unwrap_or(Path::new("")))?
            }
            _ => text,
        };
        Ok((file, text))
    }

    /// Diagnostics of a document of this kind: those without a path name the document.
    pub fn named(self, mut diagnostics: Vec<Diagnostic>) -> Vec<Diagnostic> {
        for diagnostic in diagnostics.iter_mut().filter(|diagnostic| diagnostic.path.is_empty()) {
            diagnostic.path = self.title().into();
        }
        diagnostics
    }
}

/// A folder, then the folders in it that may have scenarios, in order.
pub fn with_folders_in(folder: &Path) -> Vec<PathBuf> {
    // The working directory has the empty path.
    let shown = if folder == Path::new("") { Path::new(".") } else { folder };
    let inner = fs::read_dir(shown).into_iter().flatten().flatten().map(|entry| folder.join(entry.file_name()));
    let is_other = |path: &PathBuf| scenario::OTHER_FOLDERS.iter().any(|name| path.ends_with(name));
    let mut inner: Vec<PathBuf> = inner.filter(|path| path.is_dir() && !is_other(path)).collect();
    inner.sort();
    std::iter::once(folder.to_owned()).chain(inner).collect()
}

/// The file of a scenario that a document in `folder` names: in the folder above or a folder in that, as where scenarios have
/// a folder of figures or lessons, or in the folder itself.
///
/// # Errors
/// That there is none, and where it was looked for.
pub fn file_near(folder: &Path, name: &str) -> Result<PathBuf, String> {
    let file = format!("{name}.json");
    let is_other =
        fs::canonicalize(folder).is_ok_and(|folder| scenario::OTHER_FOLDERS.iter().any(|name| folder.ends_with(name)));
    let mut folders = with_folders_in(&folder.join(".."));
    // Figures, lessons and studies may have the name of a scenario.
    folders.insert(if is_other { folders.len() } else { 1 }, folder.to_owned());
    folders.iter().map(|folder| folder.join(&file)).find(|file| file.is_file()).ok_or_else(|| {
        let (above, own) = (folder.join("..").join(&file), folder.join(&file));
        format!("there is no scenario `{name}`: neither {} nor {}", above.display(), own.display())
    })
}

/// The text of a scenario in `folder` with its base expanded. Bases are in that folder, in the folder above or one in that, or
/// in the scenarios of the working directory.
///
/// # Errors
/// What is wrong with the text or with its base.
pub fn expanded(text: &str, folder: &Path) -> Result<String, Diagnostic> {
    scenario::expanded(text, &|name| base_near(folder, name))
}

/// The document of a base that a scenario in `folder` names.
fn base_near(folder: &Path, name: &str) -> Result<Value, Diagnostic> {
    let folders: Vec<PathBuf> = [folder, &folder.join(".."), Path::new(Kind::Scenario.folder())]
        .into_iter()
        .flat_map(with_folders_in)
        .collect();
    let file = format!("{name}.json");
    let Some(file) = folders.iter().map(|folder| folder.join(&file)).find(|file| file.is_file()) else {
        let names: Vec<String> = folders.iter().flat_map(|folder| names_in(folder)).collect();
        return Err(scenario::unknown_base(name, names.iter().map(String::as_str)));
    };
    let text =
        read(&file).map_err(|error| Diagnostic::new("base", format!("is `{name}`: {error}"), "Correct the file."))?;
    scenario::parse(&text)
}

/// The names of the JSON files in a folder.
fn names_in(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries
        .filter_map(|entry| entry.file_name().to_str().and_then(|name| name.strip_suffix(".json")).map(str::to_owned))
        .collect()
}

/// The document of a scenario that a document in `folder` names.
///
/// # Errors
/// That there is none, or what keeps it from being read.
pub fn scenario_near(folder: &Path, name: &str) -> Result<Value, String> {
    let file = file_near(folder, name)?;
    let text = fs::read_to_string(&file).map_err(|error| format!("{}: {error}", file.display()))?;
    let document =
        scenario::parse(&text).and_then(|document| scenario::expand(document, &|name| base_near(folder, name)));
    document.map_err(|diagnostic| format!("{}: {diagnostic}", file.display()))
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
        Some(document) => {
            let document = scenario::expand(document.clone(), &|name| base_near(folder, name));
            Ok((
                document.map_err(|found| Diagnostic { path: format!("scenario.{}", found.path), ..found })?,
                folder.to_owned(),
            ))
        }
        None => {
            let hint = "Give the name of its file, or the whole scenario.";
            Err(Diagnostic::new("scenario", "is left out", hint).into())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_diagnostic_without_a_path_names_the_kind_of_document() {
        let of = |path: &str| Diagnostic::new(path, "is not JSON", "Correct the text there.");
        let named = Kind::Lesson.named(vec![of(""), of("steps[0]")]);
        assert_eq!(named[0].to_string(), "lesson: is not JSON. Correct the text there.");
        assert_eq!(named[1].path, "steps[0]");
    }

    #[test]
    fn a_missing_file_is_a_sentence() {
        let error = Kind::Scenario.find(Path::new("nowhere.json")).unwrap_err().to_string();
        assert_eq!(error, "nowhere.json cannot be read: there is no such file.");
        assert_eq!(Kind::Scenario.find(Path::new("-")).unwrap(), Path::new("-"));
    }

    #[test]
    fn base_is_found_near_its_scenario() {
        let folder = tempfile::tempdir().expect("a folder");
        let (figures, presets) = (folder.path().join("figures"), folder.path().join("presets"));
        fs::create_dir(&figures).expect("made");
        fs::create_dir(&presets).expect("made");
        let version = scenario::FORMAT_VERSION;
        fs::write(presets.join("plain.json"), format!(r#"{{ "version": {version}, "seed": 1 }}"#)).expect("written");
        let based = format!(r#"{{ "version": {version}, "base": "plain", "set": {{ "seed": 2 }} }}"#);
        fs::write(folder.path().join("other.json"), &based).expect("written");
        let expected = serde_json::json!({ "version": version, "seed": 2 });
        assert_eq!(scenario_near(&figures, "other"), Ok(expected.clone()));
        let (_, text) = Kind::Scenario.open(&folder.path().join("other.json")).expect("opened");
        assert_eq!(scenario::parse(&text), Ok(expected));
        let refusal = expanded(&based.replace("plain", "plane"), folder.path()).expect_err("unknown").to_string();
        assert!(refusal.ends_with("Did you mean \"plain\"?"), "{refusal}");
    }

    #[test]
    fn utf_16_is_known_with_and_without_its_mark() {
        let units = |text: &str, of: fn(u16) -> [u8; 2]| text.encode_utf16().flat_map(of).collect::<Vec<u8>>();
        for text in ["\u{feff}{ \"fio version\"", "{\n \"fio version\""] {
            assert!(is_utf_16(&units(text, u16::to_le_bytes)) && is_utf_16(&units(text, u16::to_be_bytes)), "{text:?}");
            assert!(!is_utf_16(text.as_bytes()), "{text:?}");
        }
    }

    #[test]
    fn longer_files_are_refused_with_the_limit() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("results.json");
        fs::write(&file, " ".repeat((1 << 20) + 1)).expect("written");
        let refusal = read_up_to(&file, 1 << 20).expect_err("too long").to_string();
        assert!(refusal.ends_with("has more than 1 MiB, the most that is read of such a file."), "{refusal}");
        assert_eq!(read_up_to(&file, 2 << 20).expect("short enough").len(), (1 << 20) + 1);
    }
}
