//! Floor 1: classes and how well they are served.

pub mod interference;
pub mod quality;
pub mod tail;
