//! Floor 2: the graph, paths through it, and the links that carry packets.

pub mod fabric;
pub mod graph;
pub mod link;
pub mod packet;
pub mod routing;
