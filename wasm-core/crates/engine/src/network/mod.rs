//! Layer 2: the graph, paths through it, and the links that carry packets.

pub mod delays;
pub mod forwarding;
pub mod graph;
pub mod link;
pub mod memory;
pub mod packet;
pub mod port;
pub mod ports;
pub mod queues;
pub mod routes;
pub mod routing;
