//! Results of runs in a folder, the dataset: each is kept under the key of what makes it what it is, so that no run is made twice, whoever
//! makes it and for whichever study.
//!
//! - `runs/part-*.parquet`: a row for every run. A part never changes: it is written beside and renamed into place, and its name is
//!   the hash of its content, by which damage shows.
//! - `classes/part-*.parquet`: a row for every class of those runs, its numbers in columns of their own.
//! - `journals/*.journal`: of every process that makes runs, those that it has claimed and those whose results are in no part yet, a
//!   line each. The process holds a lock on its journal, which the kernel releases however it ends: whoever comes next knows then that
//!   the claims are void, and takes the results into a part. So a process that is killed loses the runs that it was making and no other.
//! - `lock`: held for the moment in which one process changes which files there are, or claims runs.
//!
//! `docs/studies.md` describes it for those who read it with other programs.

pub mod columns;
mod error;
mod journal;
mod part;
mod record;
mod store;

pub use error::Error;
pub use record::{Key, Record};
pub use store::{Store, Verdict};
