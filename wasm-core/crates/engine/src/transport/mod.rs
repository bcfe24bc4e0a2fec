//! Floor 3: connections: reliable windowed transport and the controllers of its window.

pub mod connections;
pub mod controller;
pub mod dctcp;
pub mod messages;
pub mod qtcp;
pub mod ranges;
pub mod receiver;
pub mod rtt;
pub mod sender;
pub mod window;
