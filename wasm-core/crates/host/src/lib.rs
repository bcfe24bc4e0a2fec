//! What the command line and the Python package share: scenarios, studies and traces from files, and the driver of campaigns.
//!
//! - [`files`] and [`traces`]: documents and traces, by their paths.
//! - [`session()`]: a study on its scenario, with what its traces contain.
//! - [`drive()`]: makes the runs of a campaign on threads. [`Coordinator`] hands them out and keeps their results, [`make`] makes one.
//! - [`measured`] and [`measurements`]: results and logs of fio.
//! - [`with_jobs`]: job files of fio as the workloads of a scenario.
//! - [`columns`]: results as named columns.

pub mod columns;
mod coordinator;
mod drive;
mod error;
pub mod files;
mod jobs;
mod make;
mod measurements;
mod session;
pub mod shorthand;
pub mod traces;

pub use coordinator::{Coordinator, Counts, Job};
pub use drive::{cores, drive};
pub use error::Error;
pub use jobs::with_jobs;
pub use make::{make, speed};
pub use measurements::{Measurements, measured, measurements};
pub use session::session;
