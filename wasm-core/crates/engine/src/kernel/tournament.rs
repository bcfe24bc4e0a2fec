//! Who acts next of a fixed number: a tournament with one leaf for each.

use super::convert::index_u32;
use super::time::{LAST_PS, NEVER_PS};
use super::winner_tree::{IDLE, MAX_LINKS, key, link_of, time_of};

/// Keys that play each other at every level of the tree.
const ARITY: usize = 4;

/// The next event of each leaf: `time << 16 | leaf`, or [`IDLE`]. Events of one instant go by leaf.
#[derive(Clone, Debug)]
pub struct Tournament {
    /// Groups of keys, level by level from the leaves up to a single group.
    groups: Vec<[u64; ARITY]>,
    /// By level: its first group.
    levels: Vec<u32>,
    first: u64,
}

impl Tournament {
    /// Of so many leaves, none of which has an event.
    pub fn new(leaves: usize) -> Self {
        assert!(leaves <= MAX_LINKS, "keys tell at most {MAX_LINKS} leaves apart");
        let (mut levels, mut groups, mut width) = (Vec::new(), 0, leaves);
        loop {
            width = width.div_ceil(ARITY);
            levels.push(index_u32(groups));
            groups += width;
            if width <= 1 {
                break;
            }
        }
        Self { groups: vec![[IDLE; ARITY]; groups], levels, first: IDLE }
    }

    /// Sets the event of a leaf; [`NEVER_PS`] for none. What would come after [`LAST_PS`] never comes.
    #[inline]
    pub fn set(&mut self, leaf: usize, at_ps: u64) {
        let mut winner = if at_ps > LAST_PS { IDLE } else { key(at_ps, index_u32(leaf)) };
        let mut at = leaf;
        // Rewrites every level: measured faster than looking whether a level changes.
        for &level in &self.levels {
            let group = &mut self.groups[level as usize + at / ARITY];
            group[at % ARITY] = winner;
            winner = group[0].min(group[1]).min(group[2].min(group[3]));
            at /= ARITY;
        }
        self.first = winner;
    }

    /// The instant of the next event, [`NEVER_PS`] if there is none, and its leaf.
    #[inline]
    pub fn next(&self) -> (u64, usize) {
        if self.first == IDLE { (NEVER_PS, 0) } else { (time_of(self.first), link_of(self.first) as usize) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::random::Stream;

    #[test]
    fn the_first_of_all_leaves_is_next_and_ties_go_by_leaf() {
        let mut stream = Stream::new(4, "tournament", 0);
        for leaves in [1, 2, 4, 5, 42, 64, 65, 300] {
            let mut tournament = Tournament::new(leaves);
            let mut instants = vec![NEVER_PS; leaves];
            for _ in 0..2000 {
                let leaf = stream.integer(0, leaves as u64 - 1) as usize;
                instants[leaf] = if stream.uniform() < 0.3 { NEVER_PS } else { stream.integer(0, 50) };
                tournament.set(leaf, instants[leaf]);
                let first = instants.iter().copied().min().expect("there are leaves");
                let leaf = instants.iter().position(|&at_ps| at_ps == first).expect("it is among them");
                assert_eq!(tournament.next(), (first, if first == NEVER_PS { 0 } else { leaf }));
            }
        }
    }
}
