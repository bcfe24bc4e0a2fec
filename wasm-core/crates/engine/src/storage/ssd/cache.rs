//! The write cache: pages that were written to DRAM and are not on flash yet.

use crate::kernel::convert::{index, index_u32};
use crate::kernel::digest::{Digest, scramble};
use crate::storage::ssd::arena::NONE;

const EMPTY: (u32, u32) = (u32::MAX, 0);

/// How far a page is on its way to flash.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// It waits for the rest of its page.
    Gathering,
    /// It waits for its program.
    Sent,
    /// Its program has begun, with the data of that time.
    Programming,
}

/// A page in the cache.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    pub(super) logical: u32,
    pub(super) level: u8,
    state: State,
    pub(super) frontier: u32,
    /// Sectors that were written.
    pub(super) sectors: u64,
    before: u32,
    behind: u32,
    /// Its place among all entries in the order of their beginning.
    number: u64,
}

/// A flush command that waits for the entries before it.
#[derive(Clone, Copy, Debug)]
struct Flush {
    slot: u32,
    number: u64,
    left: u32,
}

/// The write cache.
#[derive(Clone, Debug)]
pub(super) struct Cache {
    entries: Vec<Entry>,
    free: Vec<u32>,
    /// The youngest entry of each page: pairs of a logical page and an entry, linear probing.
    slots: Vec<(u32, u32)>,
    indexed: usize,
    /// Pages that gather, the oldest first.
    oldest: u32,
    youngest: u32,
    gathering: u32,
    /// Sectors of pages that are on their way to flash.
    sent_sectors: u64,
    next_number: u64,
    flushes: Vec<Flush>,
}

impl Default for Cache {
    fn default() -> Self {
        Self {
            entries: Vec::new(),
            free: Vec::new(),
            slots: vec![EMPTY; 16],
            indexed: 0,
            oldest: NONE,
            youngest: NONE,
            gathering: 0,
            sent_sectors: 0,
            next_number: 0,
            flushes: Vec::new(),
        }
    }
}

impl Cache {
    /// Memory that it takes, in bytes.
    pub(super) fn bytes(&self) -> usize {
        size_of_val(&*self.entries) + size_of_val(&*self.free) + size_of_val(&*self.slots)
    }

    /// Pages in the cache.
    pub(super) fn len(&self) -> usize {
        self.entries.len() - self.free.len()
    }

    pub(super) fn at(&self, entry: u32) -> &Entry {
        &self.entries[entry as usize]
    }

    /// Pages that wait for their rest.
    pub(super) fn gathering(&self) -> u32 {
        self.gathering
    }

    /// Whether the cache holds some sectors of a page.
    pub(super) fn holds(&self, logical: u32, sectors: u64) -> bool {
        self.indexed > 0 && {
            let (key, entry) = self.slots[self.find(logical)];
            key == logical && self.entries[entry as usize].sectors & sectors == sectors
        }
    }

    /// The entry that new data of some sectors of a page can join: it gathers, or it waits for its program and holds older data of all
    /// of these sectors, which the new data replace.
    fn joinable(&self, logical: u32, sectors: u64) -> Option<u32> {
        let (key, number) = self.slots[self.find(logical)];
        let entry = self.entries.get(number as usize).filter(|_| key == logical)?;
        let joins = match entry.state {
            State::Gathering => true,
            State::Sent => entry.sectors & sectors == sectors,
            State::Programming => false,
        };
        joins.then_some(number)
    }

    /// Whether new data of some sectors of a page would replace older data of the same sectors.
    pub(super) fn replaces(&self, logical: u32, sectors: u64) -> bool {
        self.joinable(logical, sectors).is_some_and(|entry| self.at(entry).sectors & sectors == sectors)
    }

    /// Adds sectors to the entry of a page that they can join. Returns the entry, and the sectors that it held already.
    pub(super) fn merge(&mut self, logical: u32, sectors: u64) -> Option<(u32, u64)> {
        let number = self.joinable(logical, sectors)?;
        let entry = &mut self.entries[number as usize];
        let held = entry.sectors & sectors;
        entry.sectors |= sectors;
        Some((number, held))
    }

    /// Puts a page into the cache, to gather.
    pub(super) fn insert(&mut self, logical: u32, sectors: u64, level: u8, frontier: u32) -> u32 {
        let number = self.next_number;
        self.next_number += 1;
        let entry = Entry {
            logical,
            level,
            state: State::Gathering,
            frontier,
            sectors,
            before: self.youngest,
            behind: NONE,
            number,
        };
        let at = self.free.pop().unwrap_or_else(|| {
            self.entries.push(entry);
            index_u32(self.entries.len() - 1)
        });
        self.entries[at as usize] = entry;
        match self.youngest {
            NONE => self.oldest = at,
            youngest => self.entries[youngest as usize].behind = at,
        }
        self.youngest = at;
        self.gathering += 1;
        if (self.indexed + 1) * 2 > self.slots.len() {
            self.grow();
        }
        let slot = self.find(logical);
        self.indexed += usize::from(self.slots[slot] == EMPTY);
        self.slots[slot] = (logical, at);
        at
    }

    /// The page that has gathered for longest.
    pub(super) fn oldest(&self) -> Option<u32> {
        (self.oldest != NONE).then_some(self.oldest)
    }

    /// Whether a page waits for its rest.
    pub(super) fn gathers(&self, at: u32) -> bool {
        self.at(at).state == State::Gathering
    }

    /// Sectors of pages that are on their way to flash.
    pub(super) fn sent_sectors(&self) -> u64 {
        self.sent_sectors
    }

    /// The program of a page begins: its data are taken.
    pub(super) fn begin_program(&mut self, at: u32) {
        self.entries[at as usize].state = State::Programming;
    }

    /// A page that gathers goes to flash.
    pub(super) fn send(&mut self, at: u32) {
        let Entry { before, behind, sectors, .. } = self.entries[at as usize];
        self.entries[at as usize].state = State::Sent;
        self.sent_sectors += u64::from(sectors.count_ones());
        match before {
            NONE => self.oldest = behind,
            before => self.entries[before as usize].behind = behind,
        }
        match behind {
            NONE => self.youngest = before,
            behind => self.entries[behind as usize].before = before,
        }
        self.gathering -= 1;
    }

    /// A page is on flash. Returns the sectors it held. Flush commands that waited for it alone go to `flushed`.
    pub(super) fn remove(&mut self, at: u32, mut flushed: impl FnMut(u32)) -> u32 {
        let Entry { logical, sectors, number, .. } = self.entries[at as usize];
        if self.slots[self.find(logical)] == (logical, at) {
            self.unindex(logical);
        }
        self.free.push(at);
        self.sent_sectors -= u64::from(sectors.count_ones());
        self.flushes.retain_mut(|flush| {
            flush.left -= u32::from(number < flush.number);
            if flush.left == 0 {
                flushed(flush.slot);
            }
            flush.left > 0
        });
        sectors.count_ones()
    }

    /// A flush command waits for all pages that are in the cache, which are on their way. Returns whether there are any.
    pub(super) fn flush(&mut self, slot: u32) -> bool {
        let left = index_u32(self.len());
        if left > 0 {
            self.flushes.push(Flush { slot, number: self.next_number, left });
        }
        left > 0
    }

    pub(super) fn digest(&self, digest: &mut Digest) {
        digest.word(self.next_number);
        digest.word((self.len() as u64) << 32 | u64::from(self.gathering));
    }

    fn find(&self, logical: u32) -> usize {
        let mask = self.slots.len() - 1;
        let mut at = index(scramble(u64::from(logical)) & mask as u64);
        while self.slots[at].0 != logical && self.slots[at] != EMPTY {
            at = (at + 1) & mask;
        }
        at
    }

    /// Takes a page out of the table, and closes the gap.
    fn unindex(&mut self, logical: u32) {
        let mask = self.slots.len() - 1;
        let mut gap = self.find(logical);
        let mut at = gap;
        loop {
            at = (at + 1) & mask;
            if self.slots[at] == EMPTY {
                break;
            }
            let home = index(scramble(u64::from(self.slots[at].0)) & mask as u64);
            if at.wrapping_sub(home) & mask >= at.wrapping_sub(gap) & mask {
                self.slots[gap] = self.slots[at];
                gap = at;
            }
        }
        self.slots[gap] = EMPTY;
        self.indexed -= 1;
    }

    #[cold]
    fn grow(&mut self) {
        let doubled = vec![EMPTY; self.slots.len() * 2];
        let old = std::mem::replace(&mut self.slots, doubled);
        for slot in old.into_iter().filter(|slot| *slot != EMPTY) {
            let at = self.find(slot.0);
            self.slots[at] = slot;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::random::Stream;
    use std::collections::BTreeMap;

    #[test]
    fn pages_are_found_until_they_are_removed() {
        let mut stream = Stream::new(9, "cache", 0);
        let mut cache = Cache::default();
        let mut held: BTreeMap<u32, u32> = BTreeMap::new();
        for _ in 0..20_000 {
            let logical = stream.integer(0, 99) as u32;
            if let Some(entry) = held.remove(&logical) {
                cache.send(entry);
                assert_eq!(cache.remove(entry, |_| ()), 2);
            } else {
                held.insert(logical, cache.insert(logical, 0b11, 0, 0));
            }
            assert_eq!((cache.len(), cache.gathering() as usize), (held.len(), held.len()));
            assert!((0..100).all(|page| cache.holds(page, 1) == held.contains_key(&page)));
        }
    }

    #[test]
    fn sectors_join_a_page_that_gathers() {
        let mut cache = Cache::default();
        let entry = cache.insert(5, 0b0011, 0, 0);
        assert_eq!(cache.merge(5, 0b0110), Some((entry, 0b0010)));
        assert!(cache.holds(5, 0b0111) && !cache.holds(5, 0b1000));
        cache.send(entry);
        assert_eq!(cache.oldest(), None);
        assert_eq!(cache.merge(5, 0b1001), None, "the entry lacks a sector");
    }

    #[test]
    fn page_written_again_replaces_itself_until_its_program_begins() {
        let mut cache = Cache::default();
        let entry = cache.insert(5, 0b0111, 0, 0);
        cache.send(entry);
        assert!(cache.replaces(5, 0b0011) && !cache.replaces(5, 0b1000) && !cache.replaces(6, 1));
        assert_eq!(cache.merge(5, 0b0011), Some((entry, 0b0011)));
        cache.begin_program(entry);
        assert!(cache.holds(5, 0b0111), "reads still find it");
        assert_eq!(cache.merge(5, 0b0011), None);
    }

    #[test]
    fn a_flush_waits_for_the_pages_before_it() {
        let mut cache = Cache::default();
        let entries = [0, 1].map(|page| cache.insert(page, 1, 0, 0));
        assert!(cache.flush(7));
        let later = cache.insert(2, 1, 0, 0);
        let mut flushed = Vec::new();
        for entry in [later, entries[1], entries[0]] {
            assert!(flushed.is_empty());
            cache.send(entry);
            cache.remove(entry, |slot| flushed.push(slot));
        }
        assert_eq!(flushed, [7]);
        assert!(!cache.flush(8), "nothing is left to wait for");
    }
}
