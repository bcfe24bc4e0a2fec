//! fio: what it measured, read from its files, and written as it would.

mod asked;
mod document;
mod engines;
mod job_types;
mod jobs;
mod labels;
mod laws;
mod limits;
mod log;
mod options;
mod place;
mod remarks;
mod results;
mod rules;
mod suitable;
mod units;
mod write;

pub use job_types::{Access, Pattern};
pub use jobs::{Became, JobFile, Onto, workloads, workloads_of};
pub(crate) use labels::with_distinct_names;
pub use log::{Log, LogView, Quantity, Window, log};
pub use remarks::merged;
pub use results::{Latency, MeasuredJob, Operations, Rate, Results, results};
pub use rules::{READINGS, Reading};
pub use write::write;

/// Longest file of results, or log, that is read, in bytes.
pub const MAXIMUM_BYTES: usize = 64 << 20;

/// Why a text of so many bytes is not read; `None` if it is.
fn too_long(bytes: usize, file: &str) -> Option<qoscope_engine::scenario::Diagnostic> {
    let mebibytes = |bytes: usize| bytes as f64 / f64::from(1 << 20);
    let reason = format!("has {:.1} MiB; at most {:.0} MiB are read", mebibytes(bytes), mebibytes(MAXIMUM_BYTES));
    let hint = "Give fewer jobs in a file, and logs with log_avg_msec.";
    (bytes > MAXIMUM_BYTES).then(|| qoscope_engine::scenario::Diagnostic::new(file, reason, hint))
}
