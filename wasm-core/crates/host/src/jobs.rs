//! Job files of fio, by their paths.

use std::path::Path;

use qoscope_engine::scenario::Scenario;
use qoscope_interop::fio::{self, JobFile, Onto};

use crate::error::Error;
use crate::files;

/// A scenario with the workloads of job files in place of its own.
///
/// # Errors
/// That a file cannot be read, or as [`fio::workloads_of`].
pub fn with_jobs(paths: &[impl AsRef<Path>], onto: &Scenario) -> Result<Onto, Error> {
    let mut read = Vec::new();
    for path in paths.iter().map(AsRef::as_ref) {
        let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
        read.push((name, files::read(path)?));
    }
    let files: Vec<JobFile> = read.iter().map(|(name, text)| JobFile { name, text }).collect();
    Ok(fio::workloads_of(&files, onto)?)
}
