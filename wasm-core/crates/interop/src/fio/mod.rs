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
pub use labels::with_distinct_names;
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

impl MeasuredJob {
    /// Its reads (true) and its writes (false), as far as there were any.
    pub fn operations(&self) -> impl Iterator<Item = (bool, &Operations)> {
        let reads = self.reads.iter().map(|reads| (true, reads));
        reads.chain(self.writes.iter().map(|writes| (false, writes)))
    }

    /// Requests outstanding that all clones ask for together.
    pub fn outstanding(&self) -> u32 {
        self.iodepth.saturating_mul(self.numjobs)
    }

    /// Bytes of a request.
    pub fn block_bytes(&self) -> u32 {
        if self.reads.is_some() { self.read_bytes } else { self.write_bytes }
    }
}

impl MeasuredJob {
    /// Whether it only reads.
    pub fn reads_alone(&self) -> bool {
        self.writes.is_none()
    }

    /// Whether it only writes.
    pub fn writes_alone(&self) -> bool {
        self.reads.is_none()
    }

    /// Whether it only reads, at random addresses.
    pub fn reads_at_random(&self) -> bool {
        self.reads_alone() && self.pattern == Pattern::Random
    }
}
