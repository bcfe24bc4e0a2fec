//! Numbers of hosts, switches and links of a network, known before its graph is built.

use super::document::{NodeKind, Shape};
use crate::kernel::convert::index_u32;

/// Most directed links of a network: links are numbered with 16 bits.
pub const MAXIMUM_LINKS: u64 = 65_535;

/// Number of hosts that `shape` has.
pub fn host_count(shape: &Shape) -> u32 {
    match shape {
        Shape::FatTree { k } => k.pow(3) / 4,
        Shape::LeafSpine { leaves, hosts_per_leaf, .. } => leaves * hosts_per_leaf,
        Shape::Dumbbell { senders, receivers, .. } => senders + receivers,
        Shape::Custom { nodes, .. } => index_u32(nodes.iter().filter(|node| node.role == NodeKind::Host).count()),
    }
}

/// Number of switches that `shape` has.
pub fn switch_count(shape: &Shape) -> u32 {
    match shape {
        Shape::FatTree { k } => 5 * k * k / 4,
        Shape::LeafSpine { leaves, spines, .. } => leaves + spines,
        Shape::Dumbbell { switches, .. } => *switches,
        Shape::Custom { nodes, .. } => index_u32(nodes.len()) - host_count(shape),
    }
}

/// Number of directed links that `shape` has: two for every cable.
pub fn link_count(shape: &Shape) -> u64 {
    let hosts = u64::from(host_count(shape));
    let cables = match shape {
        Shape::FatTree { .. } => 3 * hosts,
        Shape::LeafSpine { leaves, spines, .. } => hosts + u64::from(leaves * spines),
        Shape::Dumbbell { switches, .. } => hosts + u64::from(switches - 1),
        Shape::Custom { links, .. } => links.len() as u64,
    };
    2 * cables
}
