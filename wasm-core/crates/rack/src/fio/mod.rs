//! fio: what it measured, read from its files.

mod document;
mod options;
mod results;
mod suitable;

pub use results::{Latency, MeasuredJob, Operations, Pattern, Rate, Results, results};
