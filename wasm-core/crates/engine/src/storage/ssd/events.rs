//! The order of events inside a drive: a winner tree with one leaf for each bus, each unit, the link and the DRAM. Events of
//! the same instant go by leaf: the bus of a channel, its units, the next channel, then link and DRAM.

use crate::kernel::convert::index_u32;
use crate::kernel::ids::NodeId;
use crate::kernel::time::{LAST_PS, NEVER_PS};
use crate::kernel::winner_tree::{IDLE, Leaf, Root, WinnerTrees, key, link_of, time_of};
use crate::storage::ssd::layout::Layout;

/// Whose event it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Target {
    /// The bus of a channel.
    Bus(usize),
    /// A unit.
    Unit(u32),
    /// Something has arrived over the link.
    Link,
    /// An access to DRAM is over.
    Dram,
}

/// The next event of everything in a drive.
#[derive(Clone, Debug)]
pub(super) struct Events {
    trees: WinnerTrees,
    leaves: Vec<Leaf>,
    root: Root,
}

/// By leaf: whose events it holds.
pub(super) fn targets(layout: &Layout) -> Vec<Target> {
    let of_channel = |channel: u32| {
        let units = channel * layout.units_per_channel..(channel + 1) * layout.units_per_channel;
        std::iter::once(Target::Bus(channel as usize)).chain(units.map(Target::Unit))
    };
    (0..layout.channels).flat_map(of_channel).chain([Target::Link, Target::Dram]).collect()
}

impl Events {
    pub(super) fn new(leaves: usize) -> Self {
        let (trees, leaves) = WinnerTrees::new(1, &vec![0; leaves]);
        let root = trees.root(NodeId(0));
        Self { trees, leaves, root }
    }

    /// The leaf of the link.
    pub(super) fn link_leaf(&self) -> usize {
        self.leaves.len() - 2
    }

    /// The leaf of the DRAM.
    pub(super) fn dram_leaf(&self) -> usize {
        self.leaves.len() - 1
    }

    /// Sets the event of a leaf; [`NEVER_PS`] for none.
    #[inline]
    pub(super) fn set(&mut self, leaf: usize, at_ps: u64) {
        debug_assert!(at_ps == NEVER_PS || at_ps <= LAST_PS);
        let key = if at_ps == NEVER_PS { IDLE } else { key(at_ps, index_u32(leaf)) };
        // Rewrites every level: measured faster than looking whether a level changes.
        self.trees.replace_top(self.leaves[leaf], key);
    }

    /// The instant of the next event, [`NEVER_PS`] if there is none, and its leaf.
    #[inline]
    pub(super) fn next(&self) -> (u64, usize) {
        let top = self.trees.top(self.root);
        if top == IDLE { (NEVER_PS, 0) } else { (time_of(top), link_of(top) as usize) }
    }
}
