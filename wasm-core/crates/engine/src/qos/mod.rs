//! Layer 1: classes and how well they are served.

pub mod backlog;
pub mod interference;
pub mod quality;
pub mod rules;
pub mod shares;
pub mod tail;
pub mod tenants;
pub mod threshold;
