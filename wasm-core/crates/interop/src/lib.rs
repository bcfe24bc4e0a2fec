//! Formats of other tools: their measurements and workloads are read, and settings of scenarios are written for them.
//!
//! Text in, text out: no files, threads or clocks. [`export`] writes the settings of a scenario as other tools take them, and says of
//! every field whether it went over exactly, roughly or not at all. The formats are described in `docs/rack.md`.

mod export;
pub mod fio;
mod json;
mod report;

pub use export::{About, Command, Export, File, How, Kind, Mapped, Mapping, Mark, Target, export};
pub use json::read;
pub use report::{Studied, report};
