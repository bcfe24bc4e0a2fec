//! fio: what it measured, read from its files.

mod options;
mod results;

pub use results::{Latency, MeasuredJob, Operations, Pattern, Rate, Results, results};
