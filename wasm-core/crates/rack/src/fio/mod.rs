//! fio: what it measured, read from its files, and written as it would.

mod document;
mod log;
mod options;
mod results;
mod suitable;
mod write;

pub use log::{Log, Quantity, Window, log};
pub use results::{Access, Latency, MeasuredJob, Operations, Pattern, Rate, Results, results};
pub use write::write;
