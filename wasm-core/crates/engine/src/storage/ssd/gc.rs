//! Garbage collection and wear levelling: which block is emptied when, and what becomes of its pages.
//!
//! All valid pages of a victim are read, written to the block that garbage collection fills, and the victim is erased. A page
//! that was overwritten or trimmed between is not moved. A victim is begun only if all of its pages find room, so it can
//! always be finished.

use crate::kernel::convert::{index_u32, saturated_u32, whole};
use crate::storage::ssd::Ssd;
use crate::storage::ssd::arena::{For, Kind, Transaction};
use crate::storage::ssd::blocks::Writer;
use crate::storage::ssd::layout::{Layout, NOWHERE};
use crate::storage::ssd::parameters::{GcTrigger, SsdLive, SsdParameters, VictimPolicy};

/// Erases of a plane from one look at its wear to the next, a power of two.
const WEAR_INTERVAL: u32 = 4;

/// A block being collected.
#[derive(Clone, Copy, Debug)]
pub(super) struct Victim {
    /// Its first page.
    physical: u32,
    /// Pages to move.
    left: u32,
    /// It is collected to level wear.
    for_wear: bool,
}

/// Thresholds in blocks of a plane.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Thresholds {
    /// Collection begins below so many free blocks.
    pub(super) begin: u32,
    /// Collection is urgent at so many or fewer.
    hard: u32,
}

impl Thresholds {
    pub(super) fn new(layout: &Layout, parameters: &SsdParameters, live: &SsdLive) -> Self {
        let share = |share: f64| saturated_u32(whole(f64::from(layout.blocks) * share));
        let least = parameters.gc.threshold_blocks_min.max(layout.reserved + 1);
        // Were more blocks wanted than pages to gain, collection would never end.
        let spare = layout.blocks - layout.local_pages / layout.pages;
        let most = (spare * 3 / 4).max(layout.reserved + 1);
        let begin = share(live.gc_threshold).max(least).min(most);
        Self { begin, hard: share(live.gc_hard_threshold).max(layout.reserved).min(begin) }
    }
}

impl Ssd {
    /// Looks anew which planes are short of free blocks.
    pub(super) fn note_urgencies(&mut self) {
        (0..self.model.layout.planes).for_each(|plane| self.note_urgency(plane));
    }

    /// The free blocks of a plane have changed, or the threshold.
    pub(super) fn note_urgency(&mut self, plane: u32) {
        let urgent = self.blocks.planes[plane as usize].free <= self.thresholds.hard;
        let state = &mut self.blocks.planes[plane as usize];
        if state.urgent != urgent {
            state.urgent = urgent;
            let unit = &mut self.units[(plane / self.model.layout.planes_per_unit) as usize];
            unit.urgent_planes = if urgent { unit.urgent_planes + 1 } else { unit.urgent_planes - 1 };
        }
    }

    /// A block of a plane was opened: begins collection if that is due.
    pub(super) fn on_block_opened(&mut self, now_ps: u64, plane: u32) {
        self.note_urgency(plane);
        match self.model.parameters.gc.trigger {
            GcTrigger::Deficit => self.collect_deficit(now_ps, plane),
            GcTrigger::BlockFilled => {
                let state = &self.blocks.planes[plane as usize];
                if state.free < self.thresholds.begin && state.victims < self.model.layout.victims_max {
                    self.collect(now_ps, plane);
                }
            }
        }
    }

    /// Begins as many victims as are missing to the threshold.
    pub(super) fn collect_deficit(&mut self, now_ps: u64, plane: u32) {
        loop {
            let state = &self.blocks.planes[plane as usize];
            let coming = state.free + state.victims;
            if coming >= self.thresholds.begin || state.victims >= self.model.layout.victims_max {
                return;
            }
            if !self.collect(now_ps, plane) {
                return;
            }
        }
    }

    /// A write waits for a free block: something must be collected.
    pub(super) fn collect_if_none(&mut self, now_ps: u64, plane: u32) {
        if self.blocks.planes[plane as usize].victims == 0 {
            self.collect(now_ps, plane);
        }
    }

    /// Begins a victim of a plane. Returns whether there was one for which there is room.
    fn collect(&mut self, now_ps: u64, plane: u32) -> bool {
        let layout = &self.model.layout;
        let room = self.blocks.room_for_gc(layout, plane, 0) - self.blocks.planes[plane as usize].planned;
        let fits = |block: &u32| self.blocks.valid(layout, plane, *block) <= room;
        let chosen = self.blocks.victim(layout, plane, self.live.victims, &mut self.random).filter(fits);
        let cheapest =
            || self.blocks.victim(layout, plane, VictimPolicy::Greedy, &mut self.random.clone()).filter(fits);
        let Some(block) = chosen.or_else(cheapest) else { return false };
        self.counters.gc_victims += 1;
        self.begin_victim(now_ps, plane, block, false);
        true
    }

    /// Empties the least worn block of a plane if the most worn one is too far ahead.
    fn level_wear(&mut self, now_ps: u64, plane: u32) {
        let layout = &self.model.layout;
        let threshold = self.model.parameters.gc.static_wear_threshold;
        let state = &self.blocks.planes[plane as usize];
        if threshold == 0
            || !self.blocks.erases_of(plane).is_multiple_of(WEAR_INTERVAL)
            || state.victims >= layout.victims_max
        {
            return;
        }
        let Some((block, erases)) = self.blocks.least_worn(layout, plane) else { return };
        let ahead = u32::from(state.erases_max) - u32::from(erases);
        // A full block takes as much room as it gives back: there must be more than it needs.
        let room = self.blocks.room_for_gc(layout, plane, 1).saturating_sub(state.planned);
        if ahead > threshold && self.blocks.valid(layout, plane, block) <= room {
            self.counters.wear_victims += 1;
            self.blocks.planes[plane as usize].levels_wear = true;
            self.begin_victim(now_ps, plane, block, true);
        }
    }

    /// Reads all valid pages of a block, to move them.
    fn begin_victim(&mut self, now_ps: u64, plane: u32, block: u32, for_wear: bool) {
        let layout = &self.model.layout;
        self.blocks.hold(layout, plane, block);
        let physical = layout.physical(plane, block, 0);
        let victim = Victim { physical, left: 0, for_wear };
        let number = self.free_victims.pop().unwrap_or_else(|| {
            self.victims.push(victim);
            index_u32(self.victims.len() - 1)
        });
        self.victims[number as usize] = victim;
        self.blocks.planes[plane as usize].victims += 1;
        // Counted beforehand: as soon as the first page waits, it may be on its way.
        let left = self.blocks.valid(layout, plane, block);
        self.blocks.planes[plane as usize].planned += left;
        self.victims[number as usize].left = left;
        let pages = layout.pages;
        let mut found = 0;
        for page in 0..pages {
            let physical = physical + page;
            let layout = &self.model.layout;
            let owner = self.blocks.owner(layout, &self.model.contents, plane, block, page);
            let Some(logical) = owner.filter(|&logical| self.locate(logical) == physical) else { continue };
            found += 1;
            self.counters.gc_reads += 1;
            let transaction = Transaction {
                kind: Kind::GcRead,
                whom: For::Victim(number),
                whole: true,
                logical,
                physical,
                bytes: self.model.layout.page_bytes,
                ..Transaction::default()
            };
            let transaction = self.arena.insert(transaction);
            self.enqueue(now_ps, transaction);
        }
        debug_assert_eq!(found, left, "the valid pages of a block are those that the map finds there");
        if left == 0 {
            self.erase(now_ps, number);
        }
    }

    /// A page of a victim has been read.
    pub(super) fn on_gc_read(&mut self, now_ps: u64, number: u32) {
        let Transaction { logical, physical, whom, .. } = *self.arena.at(number);
        let For::Victim(victim) = whom else { return };
        let plane = self.model.layout.plane(physical);
        self.blocks.planes[plane as usize].planned -= 1;
        if self.locate(logical) != physical {
            self.counters.gc_dropped += 1;
            self.arena.free(number);
            self.on_moved(now_ps, victim);
            return;
        }
        let (moved_to, opened) = self.blocks.take(&self.model.layout, plane, Writer::Gc, logical, false);
        self.remap(logical, moved_to);
        let transaction = self.arena.at_mut(number);
        transaction.kind = Kind::GcWrite;
        transaction.physical = moved_to;
        if self.victims[victim as usize].for_wear {
            self.counters.wear_programs += 1;
        } else {
            self.counters.gc_programs += 1;
        }
        self.enqueue(now_ps, number);
        if opened {
            self.on_block_opened(now_ps, plane);
        }
    }

    /// A page of a victim is at its new place, or did not need to be moved.
    pub(super) fn on_moved(&mut self, now_ps: u64, victim: u32) {
        let state = &mut self.victims[victim as usize];
        state.left -= 1;
        if state.left == 0 {
            self.erase(now_ps, victim);
        }
    }

    fn erase(&mut self, now_ps: u64, victim: u32) {
        let physical = self.victims[victim as usize].physical;
        let transaction =
            Transaction { kind: Kind::Erase, whom: For::Victim(victim), physical, ..Transaction::default() };
        let number = self.arena.insert(transaction);
        self.enqueue(now_ps, number);
    }

    /// A block has been erased.
    pub(super) fn on_erased(&mut self, now_ps: u64, number: u32) {
        let Transaction { physical, whom, .. } = *self.arena.at(number);
        self.arena.free(number);
        let layout = &self.model.layout;
        let plane = layout.plane(physical);
        if let For::Victim(victim) = whom {
            self.blocks.planes[plane as usize].levels_wear &= !self.victims[victim as usize].for_wear;
            self.free_victims.push(victim);
        }
        self.counters.erases += 1;
        self.blocks.erased(layout, plane, layout.block(physical));
        self.blocks.planes[plane as usize].victims -= 1;
        self.note_urgency(plane);
        self.level_wear(now_ps, plane);
        self.place_stalled(now_ps, plane);
        if self.model.parameters.gc.trigger == GcTrigger::Deficit {
            self.collect_deficit(now_ps, plane);
        }
    }

    /// A logical page is at another place from now on.
    pub(super) fn remap(&mut self, logical: u32, physical: u32) {
        let before = self.locate(logical);
        if before != NOWHERE {
            self.blocks.invalidate(&self.model.layout, before);
        }
        self.map.set(logical, physical);
    }
}
