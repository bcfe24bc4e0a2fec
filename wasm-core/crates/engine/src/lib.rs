//! Deterministic packet simulation of quality of service in networked storage.
//!
//! The engine is pure: it opens no file, reads no clock, starts no thread and holds no global state. A run is a function
//! of a scenario and its seed; the same two give the same result bit for bit on every target. Time is an integer number
//! of picoseconds, equal instants are ordered by a fixed rule (time, then link), transcendental functions come from the
//! `libm` crate, and nothing iterates over a hash map.
//!
//! Modules stand in layers, each importing only from layers below it; see `docs/architecture.md`.

// A cast that may lose something is one of `kernel::convert`, where its name says what becomes of it.
#![cfg_attr(
    not(test),
    deny(clippy::cast_lossless, clippy::cast_possible_truncation, clippy::cast_possible_wrap, clippy::cast_sign_loss)
)]

pub mod access;
pub mod catalogue;
pub mod kernel;
pub mod model;
pub mod network;
pub mod overlay;
pub mod planner;
pub mod qos;
pub mod scenario;
pub mod simulation;
pub mod storage;
pub mod text;
pub mod transport;
pub mod workload;

pub use simulation::VERSION;
