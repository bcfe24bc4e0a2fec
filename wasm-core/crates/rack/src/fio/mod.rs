//! fio: what it measured, read from its files, and written as it would.

mod document;
mod jobs;
mod log;
mod options;
mod results;
mod suitable;
mod units;
mod write;

pub use jobs::{Became, JobFile, Onto, READINGS, Reading, workloads, workloads_of};
pub use log::{Log, Quantity, Window, log};
pub use results::{Access, Latency, MeasuredJob, Operations, Pattern, Rate, Results, results};
pub use write::write;
