//! The cached mapping table: which translations are in DRAM, and who waits for those that are not.

use crate::kernel::convert::index;
use crate::kernel::digest::scramble;
use crate::storage::ssd::arena::{Arena, List};

/// Entries of a set.
const WAYS: usize = 8;

/// Set in an entry that has changed since it was read.
const DIRTY: u64 = 1 << 32;

/// Translations in sets of eight, the most recently used first.
#[derive(Clone, Debug)]
pub(super) struct Translations {
    /// One more than the logical page, with [`DIRTY`]; 0 for none. Memory that is not touched stays zero.
    entries: Vec<u64>,
    sets: u64,
    /// Pages of the table that are being read, and who waits for each.
    missing: Vec<(u32, List)>,
    /// Pages of the table that are being read to be written back.
    pub(super) updating: Vec<u32>,
}

impl Translations {
    pub(super) fn new(entries: u32) -> Self {
        let sets = u64::from(entries).div_ceil(WAYS as u64).max(1);
        Self { entries: vec![0; index(sets) * WAYS], sets, missing: Vec::new(), updating: Vec::new() }
    }

    /// Whether the translation of a page is in DRAM. `changes` it if so.
    pub(super) fn find(&mut self, logical: u32, changes: bool) -> bool {
        let set = self.set(logical);
        let ways = &mut self.entries[set..set + WAYS];
        let key = u64::from(logical) + 1;
        let Some(way) = ways.iter().position(|&entry| entry & !DIRTY == key) else { return false };
        ways[..=way].rotate_right(1);
        if changes {
            ways[0] |= DIRTY;
        }
        true
    }

    /// The translation of a page has been read. Returns the page whose changed translation had to leave, if any.
    pub(super) fn insert(&mut self, logical: u32, changes: bool) -> Option<u32> {
        if self.find(logical, changes) {
            return None;
        }
        let set = self.set(logical);
        let ways = &mut self.entries[set..set + WAYS];
        let leaves = ways[WAYS - 1];
        ways.rotate_right(1);
        ways[0] = (u64::from(logical) + 1) | if changes { DIRTY } else { 0 };
        (leaves & DIRTY != 0).then(|| crate::kernel::convert::saturated_u32((leaves & !DIRTY) - 1))
    }

    /// A transaction waits for a page of the table. Returns whether it is the first.
    pub(super) fn wait(&mut self, arena: &mut Arena, table_page: u32, number: u32) -> bool {
        if let Some((_, list)) = self.missing.iter_mut().find(|(page, _)| *page == table_page) {
            arena.push(list, number);
            return false;
        }
        let mut list = List::default();
        arena.push(&mut list, number);
        self.missing.push((table_page, list));
        true
    }

    /// A page of the table has been read. Returns who waited for it.
    pub(super) fn arrived(&mut self, table_page: u32) -> List {
        let at = self.missing.iter().position(|(page, _)| *page == table_page);
        at.map(|at| self.missing.swap_remove(at).1).unwrap_or_default()
    }

    fn set(&self, logical: u32) -> usize {
        index(scramble(u64::from(logical)) % self.sets) * WAYS
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_least_recently_used_of_a_set_leaves() {
        let mut cached = Translations::new(8);
        (0..8).for_each(|page| assert_eq!(cached.insert(page, page == 1), None));
        assert!(cached.find(0, false));
        assert_eq!(cached.insert(8, false), Some(1), "1 is the oldest now, and has changed");
        assert!(!cached.find(1, false) && cached.find(0, false) && cached.find(8, true));
        assert_eq!(cached.insert(9, false), None, "2 has not changed");
    }
}
