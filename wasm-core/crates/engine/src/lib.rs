//! Deterministic packet simulation of quality of service in networked storage.
//!
//! The engine is pure: it opens no file, reads no clock, starts no thread and holds no global state. A run is a function
//! of a scenario and its seed; the same two give the same result bit for bit on every target. Time is an integer number
//! of picoseconds, equal instants are ordered by a fixed rule (time, then link), transcendental functions come from the
//! `libm` crate, and nothing iterates over a hash map.
//!
//! Modules stand on floors, each importing only from floors below it; see `docs/architecture.md`.

pub mod kernel;
pub mod model;
pub mod network;
pub mod overlay;
pub mod qos;
pub mod scenario;
pub mod simulation;
pub mod transport;
pub mod workload;
