//! Layer 6: who asks for what, and when.

pub mod addresses;
pub mod applications;
pub mod distributions;
pub mod laws;
pub mod source;
pub mod traces;
