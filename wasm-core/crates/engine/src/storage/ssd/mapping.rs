//! Where logical pages are that were written since the start.
//!
//! A hash table while few are, which is smallest and fastest; a flat table once an eighth of them are.

use crate::kernel::digest::{Digest, scramble};
use crate::storage::ssd::layout::NOWHERE;

/// Tables that are flat from the beginning.
const SMALL_PAGES: u32 = 4096;

/// A slot of the hash table that holds nothing.
const EMPTY: u32 = u32::MAX;

/// Physical pages by logical page.
#[derive(Clone, Debug)]
pub(super) struct PageMap {
    pages: u32,
    touched: u32,
    /// A digest of all that was set, in its order.
    history: u64,
    /// Pairs of a logical and a physical page; linear probing, a power of two of slots. Unused once `flat` is in use.
    slots: Vec<(u32, u32)>,
    /// Two more than the physical page, [`NOWHERE`] as 1, untouched as 0: memory that is not touched stays zero.
    flat: Vec<u32>,
}

impl PageMap {
    pub(super) fn new(pages: u32) -> Self {
        let flat = if pages <= SMALL_PAGES { vec![0; pages as usize] } else { Vec::new() };
        Self { pages, touched: 0, history: 0, slots: Vec::new(), flat }
    }

    /// Memory that it takes, in bytes.
    pub(super) fn bytes(&self) -> usize {
        size_of_val(&*self.slots) + size_of_val(&*self.flat)
    }

    /// Where a logical page is; [`NOWHERE`] if it was trimmed, none if it has not been written or trimmed since the start.
    #[inline]
    pub(super) fn get(&self, logical: u32) -> Option<u32> {
        if !self.flat.is_empty() {
            let value = self.flat[logical as usize];
            return (value != 0).then(|| value.wrapping_sub(2));
        }
        if self.touched == 0 {
            return None;
        }
        let (key, physical) = self.slots[self.find(logical)];
        (key == logical).then_some(physical)
    }

    /// A logical page is at a place from now on.
    #[inline]
    pub(super) fn set(&mut self, logical: u32, physical: u32) {
        self.history = scramble(self.history ^ (u64::from(logical) << 32 | u64::from(physical)));
        if self.flat.is_empty() && (u64::from(self.touched) + 1) * 2 > self.slots.len() as u64 {
            self.grow();
        }
        if !self.flat.is_empty() {
            self.flat[logical as usize] = physical.wrapping_add(2);
            return;
        }
        let at = self.find(logical);
        self.touched += u32::from(self.slots[at].0 == EMPTY);
        self.slots[at] = (logical, physical);
    }

    /// Mixes what has been set into a digest.
    pub(super) fn digest(&self, digest: &mut Digest) {
        digest.word(self.history);
    }

    /// The slot of a logical page, or the one where it would go.
    #[inline]
    fn find(&self, logical: u32) -> usize {
        let mask = self.slots.len() - 1;
        let mut at = crate::kernel::convert::index(scramble(u64::from(logical)) & mask as u64);
        while self.slots[at].0 != logical && self.slots[at].0 != EMPTY {
            at = (at + 1) & mask;
        }
        at
    }

    #[cold]
    fn grow(&mut self) {
        let old = std::mem::take(&mut self.slots);
        let entries = old.into_iter().filter(|(key, _)| *key != EMPTY);
        if self.touched >= self.pages / 8 {
            self.flat = vec![0; self.pages as usize];
            entries.for_each(|(key, physical)| self.flat[key as usize] = physical.wrapping_add(2));
            return;
        }
        let capacity = (u64::from(self.touched) * 4).max(1024).next_power_of_two();
        self.slots = vec![(EMPTY, NOWHERE); crate::kernel::convert::index(capacity)];
        for (key, physical) in entries {
            let at = self.find(key);
            self.slots[at] = (key, physical);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::random::Stream;
    use std::collections::BTreeMap;

    #[test]
    fn either_form_agrees_with_a_sorted_map() {
        for pages in [1000, 100_000] {
            let mut stream = Stream::new(3, "map", 0);
            let (mut map, mut sorted) = (PageMap::new(pages), BTreeMap::new());
            for step in 0..60_000u32 {
                let logical = stream.integer(0, u64::from(pages) - 1) as u32;
                assert_eq!(map.get(logical), sorted.get(&logical).copied());
                let physical = if step % 10 == 0 { NOWHERE } else { step };
                map.set(logical, physical);
                sorted.insert(logical, physical);
            }
            assert!(sorted.iter().all(|(&logical, &physical)| map.get(logical) == Some(physical)));
            assert!(!map.flat.is_empty());
        }
    }
}
