//! The order of arrivals at the nodes of a network: for each node a winner tree (tournament tree) with one fixed leaf per
//! incoming link, all trees in one array.
//!
//! A leaf holds the key of the link's next arrival, `time << 16 | link`, or [`IDLE`]; the root of a tree is the node's
//! next arrival. Equal times are ordered by link number, a rule that depends on nothing but the state, so a run that is
//! restored from a checkpoint goes on exactly as it would have.

use crate::kernel::ids::NodeId;

/// Key of a link with nothing in flight.
pub const IDLE: u64 = u64::MAX;
/// Links that keys can tell apart: the link number takes 16 bits.
pub const MAX_LINKS: usize = 1 << 16;

/// Packs an instant and a link into a key.
#[inline]
pub fn key(time_ps: u64, link: u32) -> u64 {
    (time_ps << 16) | u64::from(link)
}

/// The instant in a key.
#[inline]
pub fn time_of(key: u64) -> u64 {
    key >> 16
}

/// The link in a key.
#[inline]
pub fn link_of(key: u64) -> u32 {
    (key & 0xffff) as u32
}

/// Where the tree of a node has its root.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Root(u32);

/// Where a link has its leaf.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Leaf {
    /// Where its tree begins in the array.
    base: u32,
    /// Index in the tree.
    at: u32,
}

/// A winner tree for each node. In a tree, index `i` has the children `2i` and `2i + 1`, the leaves are the second half,
/// index 0 is not used.
#[derive(Clone, Debug)]
pub struct WinnerTrees {
    keys: Vec<u64>,
    /// By tree: where it begins.
    bases: Vec<u32>,
}

impl WinnerTrees {
    /// Trees for `nodes` nodes, all idle; `links` names the node that each link leads to. Also returns the leaf of each
    /// link.
    pub fn new(nodes: usize, links: &[u32]) -> (Self, Vec<Leaf>) {
        assert!(links.len() <= MAX_LINKS, "keys tell at most {MAX_LINKS} links apart");
        let mut incoming = vec![0u32; nodes];
        let position: Vec<u32> = links
            .iter()
            .map(|&node| {
                let count = &mut incoming[node as usize];
                *count += 1;
                *count - 1
            })
            .collect();
        let sizes: Vec<u32> = incoming.iter().map(|&count| count.next_power_of_two()).collect();
        let mut end = 0;
        let mut bases = Vec::with_capacity(nodes);
        for leaves in &sizes {
            bases.push(end);
            end += 2 * leaves;
        }
        let leaf = |(&node, position): (&u32, u32)| {
            let node = node as usize;
            Leaf { base: bases[node], at: sizes[node] + position }
        };
        let leaves = links.iter().zip(position).map(leaf).collect();
        (Self { keys: vec![IDLE; end as usize], bases }, leaves)
    }

    /// The root of a node.
    #[inline]
    pub fn root(&self, node: NodeId) -> Root {
        Root(self.bases[node.index()] + 1)
    }

    /// The smallest key of the node with that root.
    #[inline]
    pub fn top(&self, root: Root) -> u64 {
        self.keys[root.0 as usize]
    }

    /// The smallest key of a node.
    #[inline]
    pub fn top_of(&self, node: NodeId) -> u64 {
        self.top(self.root(node))
    }

    /// Sets the key of a link. Stops climbing as soon as a match keeps its winner.
    #[inline]
    pub fn set(&mut self, leaf: Leaf, key: u64) {
        let tree = &mut self.keys[leaf.base as usize..];
        let mut at = leaf.at as usize;
        let mut winner = key;
        tree[at] = winner;
        while at > 1 {
            winner = winner.min(tree[at ^ 1]);
            at >>= 1;
            if tree[at] == winner {
                break;
            }
            tree[at] = winner;
        }
    }

    /// As [`Self::set`], for the link whose key is the smallest of its node: every match on its way is played anew.
    #[inline]
    pub fn replace_top(&mut self, leaf: Leaf, key: u64) {
        let tree = &mut self.keys[leaf.base as usize..];
        let mut at = leaf.at as usize;
        let mut winner = key;
        tree[at] = winner;
        while at > 1 {
            winner = winner.min(tree[at ^ 1]);
            at >>= 1;
            tree[at] = winner;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::random::Stream;
    use std::collections::BTreeSet;

    #[test]
    fn every_tree_agrees_with_a_sorted_set() {
        let mut stream = Stream::new(5, "tree", 0);
        let nodes = [0, 0, 0, 0, 0, 1, 2, 2, 2];
        let (mut trees, leaves) = WinnerTrees::new(4, &nodes);
        let mut keys = [IDLE; 9];
        let mut sorted = [const { BTreeSet::new() }; 4];
        for _ in 0..20_000 {
            let link = stream.integer(0, 8) as usize;
            let node = nodes[link];
            let before = keys[link];
            sorted[node as usize].remove(&before);
            keys[link] = if stream.uniform() < 0.2 { IDLE } else { key(stream.integer(0, 50), link as u32) };
            if keys[link] != IDLE {
                sorted[node as usize].insert(keys[link]);
            }
            if before != IDLE && before == trees.top_of(NodeId(node)) {
                trees.replace_top(leaves[link], keys[link]);
            } else {
                trees.set(leaves[link], keys[link]);
            }
            for (node, sorted) in sorted.iter().enumerate() {
                assert_eq!(trees.top_of(NodeId::at(node)), sorted.first().copied().unwrap_or(IDLE));
            }
        }
    }

    #[test]
    fn equal_times_go_by_link_number() {
        let (mut trees, leaves) = WinnerTrees::new(1, &[0, 0, 0, 0]);
        trees.set(leaves[3], key(9, 3));
        trees.set(leaves[1], key(9, 1));
        let top = trees.top_of(NodeId(0));
        assert_eq!((time_of(top), link_of(top)), (9, 1));
    }
}
