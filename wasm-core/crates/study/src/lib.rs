//! Studies: sweeps, sensitivities and searches.
//!
//! A [`Study`] is read from JSON. A [`Session`] of it says which runs are wanted next, given the results that have come, and what the table and
//! the answer are by then: a pure function of study and results, with no threads and no I/O, so that page, command line and cluster make
//! the same runs and end in the same table, whatever order results come in. The format is described in `docs/studies.md`.

mod document;
mod plan;
pub mod statistics;
mod table;

pub use document::*;
pub use plan::*;
pub use table::*;
