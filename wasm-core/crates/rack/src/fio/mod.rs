//! fio: what it measured, read from its files.

mod document;
mod log;
mod options;
mod results;
mod suitable;

pub use log::{Log, Quantity, Window, log};
pub use results::{Latency, MeasuredJob, Operations, Pattern, Rate, Results, results};
