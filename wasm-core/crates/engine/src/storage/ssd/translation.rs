//! The cached mapping table: which translations are in DRAM, and who waits for those that are not.

use crate::kernel::convert::{index_u32, saturated_u32};
use crate::kernel::digest::scramble;
use crate::storage::ssd::arena::{Arena, List};
use crate::storage::ssd::mapping::PageMap;

/// Entries of a set.
const WAYS: usize = 8;

/// Set in an entry that has changed since it was read.
const DIRTY: u64 = 1 << 32;

/// Translations in sets of eight, the most recently used first.
#[derive(Clone, Debug)]
pub(super) struct Translations {
    /// The sets that have held anything, in the order of their first entries: one more than each logical page, with
    /// [`DIRTY`]; 0 for none.
    entries: Vec<[u64; WAYS]>,
    /// Where a set is among `entries`. A table can have room for far more than a run touches.
    places: PageMap,
    sets: u32,
    /// Pages of the table that are being read, and who waits for each.
    missing: Vec<(u32, List)>,
    /// Pages of the table that are being read to be written back.
    pub(super) updating: Vec<u32>,
}

impl Translations {
    pub(super) fn new(entries: u32) -> Self {
        let sets = entries.div_ceil(index_u32(WAYS)).max(1);
        let places = PageMap::new(sets);
        Self { entries: Vec::new(), places, sets, missing: Vec::new(), updating: Vec::new() }
    }

    /// Memory that they take, in bytes.
    pub(super) fn bytes(&self) -> usize {
        size_of_val(&*self.entries) + self.places.bytes()
    }

    /// Pages of the table that are being read.
    pub(super) fn reads(&self) -> usize {
        self.missing.len()
    }

    /// Whether the translation of a page is in DRAM. `changes` it if so.
    pub(super) fn find(&mut self, logical: u32, changes: bool) -> bool {
        let Some(place) = self.places.get(self.set(logical)) else { return false };
        let ways = &mut self.entries[place as usize];
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
        let place = self.places.get(set).unwrap_or_else(|| {
            let place = index_u32(self.entries.len());
            self.places.set(set, place);
            self.entries.push([0; WAYS]);
            place
        });
        let ways = &mut self.entries[place as usize];
        let leaves = ways[WAYS - 1];
        ways.rotate_right(1);
        ways[0] = (u64::from(logical) + 1) | if changes { DIRTY } else { 0 };
        (leaves & DIRTY != 0).then(|| saturated_u32((leaves & !DIRTY) - 1))
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

    fn set(&self, logical: u32) -> u32 {
        saturated_u32(scramble(u64::from(logical)) % u64::from(self.sets))
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

    #[test]
    fn a_large_table_takes_memory_by_what_it_holds() {
        let mut cached = Translations::new(u32::MAX);
        assert_eq!((0..1000).find_map(|page| cached.insert(page * 7919, false)), None);
        assert!((0..1000).all(|page| cached.find(page * 7919, false)));
        assert!(cached.entries.len() <= 1000);
    }
}
