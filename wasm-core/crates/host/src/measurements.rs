//! What fio measured, read from files.

use std::path::Path;

use qoscope_campaign::trace_hash;
use qoscope_engine::scenario::Diagnostic;
use qoscope_estimation::Source;
use qoscope_interop::fio::{self, Access, Log, MeasuredJob, Results};

use crate::{Error, files};

/// What fio wrote into a file, and the file by its name and hash.
///
/// # Errors
/// Why the file as a whole cannot be read.
pub fn measured(path: &Path) -> Result<(Results, Source), Error> {
    let (text, source) = text_of(path)?;
    Ok((fio::results(&text, &source.file)?, source))
}

/// What files of measurements of a drive hold.
#[derive(Debug, Default)]
pub struct Measurements {
    /// Jobs that can be used.
    pub jobs: Vec<MeasuredJob>,
    /// Logs over time.
    pub logs: Vec<Log>,
    /// The files.
    pub sources: Vec<Source>,
    /// What is to be known of them, and why other jobs cannot be used.
    pub remarks: Vec<Diagnostic>,
}

/// Reads what fio measured of a drive: results of jobs, those of jobs that reached it from another host over NVMe/TCP, and logs over time.
///
/// # Errors
/// Why a file as a whole cannot be read.
pub fn measurements<P: AsRef<Path>>(results: &[P], remote: &[P], logs: &[P]) -> Result<Measurements, Error> {
    let mut all = Measurements::default();
    let from = |paths: &[P], access: Option<Access>, all: &mut Measurements| {
        for path in paths {
            let (mut results, source) = measured(path.as_ref())?;
            if let Some(access) = access {
                results.jobs.iter_mut().filter(|job| job.access.is_local()).for_each(|job| job.access = access);
            }
            all.jobs.append(&mut results.jobs);
            all.remarks.append(&mut results.remarks);
            all.sources.push(source);
        }
        Ok::<(), Error>(())
    };
    from(results, None, &mut all)?;
    from(remote, Some(Access::NvmeTcp), &mut all)?;
    for path in logs {
        let (text, source) = text_of(path.as_ref())?;
        let mut log = fio::log(&text, &source.file)?;
        all.remarks.append(&mut log.remarks);
        all.logs.push(log);
        all.sources.push(source);
    }
    all.remarks = fio::merged(all.remarks);
    Ok(all)
}

/// The text of a file, and the file by its name and hash.
fn text_of(path: &Path) -> Result<(String, Source), Error> {
    let text = files::read_up_to(path, fio::MAXIMUM_BYTES)?;
    let file = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
    let hash = trace_hash(text.as_bytes()).map_err(|error| Error::Sentence(error.to_string()))?;
    Ok((text, Source { file, hash }))
}
