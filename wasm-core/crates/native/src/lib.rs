//! What the command line and the Python package share: scenarios, studies and traces from files, and the runs of a study, made beside other processes.
//!
//! - [`files`] and [`traces`]: documents and traces, by their paths.
//! - [`session()`]: a study on its scenario, with what its traces contain.
//! - [`Coordinator`]: hands out the runs of a session and keeps what became of them; [`make`] makes one.
//! - [`measured`], [`measurements`] and [`fitted`]: what fio wrote, and what a fit of a drive to it comes to, its runs made on every core.
//! - [`with_jobs`]: job files of fio as the workloads of a scenario.
//! - [`columns`]: results as named columns.

pub mod columns;
mod coordinator;
mod error;
pub mod files;
mod fit;
mod jobs;
mod make;
mod session;
pub mod shorthand;
pub mod traces;
mod words;

pub use coordinator::{Coordinator, Counts, Job};
pub use error::Error;
pub use fit::{Measurements, fitted, measured, measurements};
pub use jobs::with_jobs;
pub use make::{make, speed};
pub use session::session;
pub use words::grouped;
