//! What keeps a dataset from being read or written, as a sentence.

use std::path::Path;
use std::{fmt, io};

/// What keeps a dataset from being read or written: a sentence.
#[derive(Debug)]
pub struct Error(String);

impl Error {
    pub(crate) fn new(sentence: impl Into<String>) -> Self {
        Self(sentence.into())
    }

    pub(crate) fn reading(path: &Path, error: &io::Error) -> Self {
        Self(format!("{} cannot be read: {}.", path.display(), why(error)))
    }

    pub(crate) fn writing(path: &Path, error: &io::Error) -> Self {
        Self(format!("{} cannot be written: {}.", path.display(), why(error)))
    }
}

/// What the system says, in the words of a person.
fn why(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "there is no such file".into(),
        io::ErrorKind::PermissionDenied => "it is not permitted".into(),
        io::ErrorKind::ReadOnlyFilesystem => "its file system can only be read".into(),
        io::ErrorKind::StorageFull => "the disk is full".into(),
        io::ErrorKind::FileTooLarge => "a file may not be so large here".into(),
        io::ErrorKind::QuotaExceeded => "the quota of the disk is used up".into(),
        io::ErrorKind::NotADirectory | io::ErrorKind::AlreadyExists => "a file of that name is in the way".into(),
        io::ErrorKind::Unsupported => "its file system has no locks".into(),
        _ => error.to_string(),
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Error {}
