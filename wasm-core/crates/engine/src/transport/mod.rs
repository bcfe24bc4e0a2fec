//! Layer 3: connections that carry requests reliably, and the controllers of what they send.

pub mod connections;
pub mod controller;
pub mod controllers;
pub mod dirs;
pub mod egress;
pub mod marked_window;
pub mod messages;
pub mod pace;
pub mod pairs;
pub mod ranges;
pub mod rdma;
pub mod receiver;
pub mod rtt;
pub mod sender;
pub mod settings;
pub mod timer;
pub mod window;
