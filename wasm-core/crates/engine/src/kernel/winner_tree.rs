//! The event order of the network: a winner tree (tournament tree) with one fixed leaf per link.
//!
//! A leaf holds the key of the link's next arrival, `time << 16 | link`, or [`IDLE`]. The root is the next event of the
//! whole network. Equal times are ordered by link number, a rule that depends on nothing but the state, so a run that is
//! restored from a checkpoint goes on exactly as it would have.

/// Key of a link with nothing in flight.
pub const IDLE: u64 = u64::MAX;
/// Links a tree can order: the link number takes 16 bits of the key.
pub const MOST_LINKS: usize = 1 << 16;

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

/// A tournament among fixed leaves; the smallest key wins.
#[derive(Clone, Debug)]
pub struct WinnerTree {
    /// Node `i` has children `2i` and `2i + 1`; the leaves are the second half; node 0 is unused.
    nodes: Vec<u64>,
    leaves: usize,
}

impl WinnerTree {
    /// A tree for `links` links, all idle.
    pub fn new(links: usize) -> Self {
        assert!(links <= MOST_LINKS, "a tree orders at most {MOST_LINKS} links");
        let leaves = links.next_power_of_two().max(2);
        Self { nodes: vec![IDLE; 2 * leaves], leaves }
    }

    /// The smallest key.
    #[inline]
    pub fn top(&self) -> u64 {
        self.nodes[1]
    }

    /// Sets the key of a link. Stops climbing as soon as a match keeps its winner.
    #[inline]
    #[expect(
        unsafe_code,
        reason = "the climb is the hottest loop of the engine; its indices are bounded by construction"
    )]
    pub fn set(&mut self, link: u32, key: u64) {
        let mut at = self.leaf(link);
        let mut winner = key;
        let nodes = self.nodes.as_mut_slice();
        // SAFETY: `leaf` returns an index below `2 * leaves`, the length of `nodes`, which is even; halving it and
        // flipping its lowest bit stay below that.
        unsafe {
            *nodes.get_unchecked_mut(at) = winner;
            while at > 1 {
                winner = winner.min(*nodes.get_unchecked(at ^ 1));
                at >>= 1;
                let match_won = nodes.get_unchecked_mut(at);
                if *match_won == winner {
                    break;
                }
                *match_won = winner;
            }
        }
    }

    /// As [`Self::set`], for the link whose key is the smallest: every match on its way is played anew.
    #[inline]
    #[expect(
        unsafe_code,
        reason = "the climb is the hottest loop of the engine; its indices are bounded by construction"
    )]
    pub fn replace_top(&mut self, link: u32, key: u64) {
        let mut at = self.leaf(link);
        let mut winner = key;
        let nodes = self.nodes.as_mut_slice();
        // SAFETY: as in `set`.
        unsafe {
            *nodes.get_unchecked_mut(at) = winner;
            while at > 1 {
                winner = winner.min(*nodes.get_unchecked(at ^ 1));
                at >>= 1;
                *nodes.get_unchecked_mut(at) = winner;
            }
        }
    }

    /// Index of a link's leaf.
    #[inline]
    fn leaf(&self, link: u32) -> usize {
        let link = link as usize;
        assert!(link < self.leaves, "no leaf for link {link}");
        self.leaves + link
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::random::Stream;
    use std::collections::BTreeSet;

    #[test]
    fn agrees_with_a_sorted_set() {
        let mut stream = Stream::new(5, "tree", 0);
        let mut tree = WinnerTree::new(37);
        let mut keys = [IDLE; 37];
        let mut sorted = BTreeSet::new();
        for _ in 0..20_000 {
            let link = stream.integer(0, 36) as usize;
            let before = keys[link];
            sorted.remove(&before);
            keys[link] = if stream.uniform() < 0.2 { IDLE } else { key(stream.integer(0, 50), link as u32) };
            if keys[link] != IDLE {
                sorted.insert(keys[link]);
            }
            if before == tree.top() && before != IDLE {
                tree.replace_top(link as u32, keys[link]);
            } else {
                tree.set(link as u32, keys[link]);
            }
            assert_eq!(tree.top(), sorted.first().copied().unwrap_or(IDLE));
        }
    }

    #[test]
    fn equal_times_go_by_link_number() {
        let mut tree = WinnerTree::new(4);
        tree.set(3, key(9, 3));
        tree.set(1, key(9, 1));
        assert_eq!((time_of(tree.top()), link_of(tree.top())), (9, 1));
    }
}
