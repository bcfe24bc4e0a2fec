//! Layer 0: time, event order, random streams, identifiers, histograms. Knows nothing of networks.

pub mod agenda;
pub mod breakdown;
pub mod convert;
pub mod digest;
pub mod histogram;
pub mod ids;
pub mod random;
pub mod ring;
pub mod slab;
pub mod sums;
pub mod time;
pub mod timers;
pub mod tournament;
pub mod winner_tree;
