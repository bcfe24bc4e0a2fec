//! Block traces: what applications asked of their disks, read from the text formats in which such recordings are published.
//!
//! A [`TraceReader`] is fed bytes, in pieces of any size, and keeps of them what was selected: a [`Trace`] of 24 bytes a
//! request. It holds a line, a window of requests that are put in order and its counts, so a file of any length can be read.
//! Each format is one file of [`formats`], with its source.

mod by_name;
mod fields;
pub mod formats;
mod order;
mod reader;
mod statistics;
mod trace;

pub use by_name::Traces;
pub use formats::Format;
pub use reader::{MAXIMUM_BAD_LINES, ReadError, Selection, TraceReader};
pub use statistics::{Counts, Recorded, Statistics, VolumeStatistics};
pub use trace::{Operation, Record, Trace};
