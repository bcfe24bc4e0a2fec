//! Layer 3: connections: reliable windowed transport and the controllers of its window.

pub mod connections;
pub mod controller;
pub mod d2tcp;
pub mod dcqcn;
pub mod dctcp;
pub mod dirs;
pub mod messages;
pub mod pace;
pub mod qtcp;
pub mod ranges;
pub mod rate;
pub mod rdma;
pub mod receiver;
pub mod rtt;
pub mod sender;
pub mod timely;
pub mod timer;
pub mod window;
