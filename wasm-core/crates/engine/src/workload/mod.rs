//! Layer 6: who asks for what, and when.

pub mod addresses;
pub mod applications;
pub mod distributions;
pub mod laws;
pub mod replay;
pub mod source;
pub mod stand_ins;
pub mod traces;
