//! Garbage collection and wear levelling: which block is emptied when, and what becomes of its pages.
//!
//! All valid pages of a victim are read, written to the block that garbage collection fills, and the victim is erased. A page
//! that was overwritten or trimmed between is not moved. A victim is begun only if all of its pages find room, so it can
//! always be finished.

use crate::kernel::convert::{index_u32, saturated_u32, whole};
use crate::storage::ssd::Ssd;
use crate::storage::ssd::arena::{For, Kind, Transaction};
use crate::storage::ssd::layout::{Layout, NOWHERE};
use crate::storage::ssd::parameters::{Allocation, GcTrigger, SsdLive, SsdParameters, VictimPolicy};

/// Erases of a group from one look at its wear to the next, a power of two.
const WEAR_INTERVAL: u32 = 4;

/// A block being collected.
#[derive(Clone, Copy, Debug)]
pub(super) struct Victim {
    /// Its first page.
    physical: u32,
    /// Pages to move; then dies of the block to erase.
    left: u32,
    /// It is collected to level wear.
    pub(super) for_wear: bool,
}

/// Thresholds in blocks of a group.
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

    /// Free blocks of a group in the steady state of sustained writes, besides the open ones.
    pub(super) fn steady(&self, layout: &Layout, trigger: GcTrigger, live: &SsdLive) -> u32 {
        let free = match trigger {
            // Writes go first until collection is urgent.
            GcTrigger::Deficit if live.gc_preemptible => self.hard + 1,
            GcTrigger::Deficit => self.begin,
            // A victim for each block that is opened replaces free blocks and gains none: they fall until a write waits for a block.
            GcTrigger::BlockFilled => layout.reserved + 1,
        };
        free.min(self.begin)
    }
}

impl Ssd {
    /// Looks anew which groups are short of free blocks.
    pub(super) fn note_urgencies(&mut self) {
        (0..self.model.layout.groups).for_each(|group| self.note_urgency(group));
    }

    /// The free blocks of a group have changed, or the threshold.
    pub(super) fn note_urgency(&mut self, group: u32) {
        let urgent = self.blocks.groups[group as usize].free <= self.thresholds.hard;
        let state = &mut self.blocks.groups[group as usize];
        if state.urgent != urgent {
            state.urgent = urgent;
            for unit in self.model.layout.units_of(group) {
                let count = &mut self.units[unit as usize].urgent_groups;
                *count = if urgent { *count + 1 } else { *count - 1 };
            }
        }
    }

    /// A block of a group was opened: begins collection if that is due.
    pub(super) fn on_block_opened(&mut self, now_ps: u64, group: u32) {
        self.note_urgency(group);
        match self.model.parameters.gc.trigger {
            GcTrigger::Deficit => self.collect_deficit(now_ps, group),
            GcTrigger::BlockFilled => {
                let state = &self.blocks.groups[group as usize];
                if state.free < self.thresholds.begin && state.victims < self.model.layout.victims_max {
                    self.collect(now_ps, group);
                }
            }
        }
    }

    /// Begins as many victims as are missing to the threshold.
    pub(super) fn collect_deficit(&mut self, now_ps: u64, group: u32) {
        loop {
            let state = &self.blocks.groups[group as usize];
            let coming = state.free + state.victims;
            if coming >= self.thresholds.begin || state.victims >= self.model.layout.victims_max {
                return;
            }
            if !self.collect(now_ps, group) {
                return;
            }
        }
    }

    /// A write waits for a free block: something must be collected.
    pub(super) fn collect_if_none(&mut self, now_ps: u64, group: u32) {
        if self.blocks.groups[group as usize].victims == 0 {
            self.collect(now_ps, group);
        }
    }

    /// Begins a victim of a group. Returns whether there was one for which there is room.
    fn collect(&mut self, now_ps: u64, group: u32) -> bool {
        let layout = &self.model.layout;
        let room = self.blocks.room_for_gc(layout, group, 0) - self.blocks.groups[group as usize].planned;
        let fits = |block: &u32| self.blocks.valid(layout, group, *block) <= room;
        let chosen = self.blocks.victim(layout, group, self.live.victims, &mut self.random).filter(fits);
        let cheapest =
            || self.blocks.victim(layout, group, VictimPolicy::Greedy, &mut self.random.clone()).filter(fits);
        let Some(block) = chosen.or_else(cheapest) else { return false };
        self.counters.gc_victims += 1;
        self.collects_ps = self.collects_ps.min(now_ps);
        self.begin_victim(now_ps, group, block, false);
        true
    }

    /// Empties the least worn block of a group if the most worn one is too far ahead.
    fn level_wear(&mut self, now_ps: u64, group: u32) {
        let layout = &self.model.layout;
        let threshold = self.model.parameters.gc.static_wear_threshold;
        let state = &self.blocks.groups[group as usize];
        if threshold == 0
            || !self.blocks.erases_of(group).is_multiple_of(WEAR_INTERVAL)
            || state.victims >= layout.victims_max
        {
            return;
        }
        let Some((block, erases)) = self.blocks.least_worn(layout, group) else { return };
        let ahead = u32::from(state.erases_max) - u32::from(erases);
        // A full block takes as much room as it gives back: there must be more than it needs.
        let room = self.blocks.room_for_gc(layout, group, 1).saturating_sub(state.planned);
        if ahead > threshold && self.blocks.valid(layout, group, block) <= room {
            self.counters.wear_victims += 1;
            self.blocks.groups[group as usize].levels_wear = true;
            self.begin_victim(now_ps, group, block, true);
        }
    }

    /// Reads all valid pages of a block, to move them.
    fn begin_victim(&mut self, now_ps: u64, group: u32, block: u32, for_wear: bool) {
        let layout = &self.model.layout;
        self.blocks.hold(layout, group, block);
        let physical = layout.physical(group, block, 0);
        let victim = Victim { physical, left: 0, for_wear };
        let number = self.free_victims.pop().unwrap_or_else(|| {
            self.victims.push(victim);
            index_u32(self.victims.len() - 1)
        });
        self.victims[number as usize] = victim;
        self.blocks.groups[group as usize].victims += 1;
        // Counted beforehand: as soon as the first page waits, it may be on its way.
        let left = self.blocks.valid(layout, group, block);
        self.blocks.groups[group as usize].planned += left;
        self.blocks.groups[group as usize].to_read += left;
        self.victims[number as usize].left = left;
        if !for_wear {
            let units = layout.units_of(group);
            let share = index_u32(units.len());
            for unit in units {
                self.units[unit as usize].set_pace(left.div_ceil(share), layout.pages / share, layout.planes_per_die);
            }
        }
        let pages = layout.pages;
        let mut found = 0;
        for page in 0..pages {
            let physical = physical + page;
            let layout = &self.model.layout;
            let owner = self.blocks.owner(layout, &self.model.contents, group, block, page);
            // Where nothing was written since the start it is still there.
            let is_there = |logical: &u32| self.map.get(*logical).is_none_or(|at| at == physical);
            let Some(logical) = owner.filter(is_there) else { continue };
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
        let Transaction { logical, physical, .. } = *self.arena.at(number);
        let group = self.model.layout.group(physical);
        self.blocks.groups[group as usize].to_read -= 1;
        if self.blocks.groups[group as usize].to_read == 0 {
            // The last row is programmed as it is.
            self.model.layout.units_of(group).for_each(|unit| self.look_again(unit));
        }
        if self.locate(logical) != physical {
            return self.drop_move(now_ps, group, number);
        }
        self.arena.at_mut(number).kind = Kind::GcWrite;
        if self.model.parameters.allocation == Allocation::Superpage {
            // It has a page when its die begins to program; until then the old one holds.
            return self.enqueue(now_ps, number);
        }
        self.blocks.groups[group as usize].planned -= 1;
        let opened = self.bind(group, number);
        self.enqueue(now_ps, number);
        if opened {
            self.on_block_opened(now_ps, group);
        }
    }

    /// A page of a victim was overwritten or trimmed before it was moved.
    pub(super) fn drop_move(&mut self, now_ps: u64, group: u32, number: u32) {
        let For::Victim(victim) = self.arena.at(number).whom else { return };
        self.blocks.groups[group as usize].planned -= 1;
        self.counters.gc_dropped += 1;
        self.arena.free(number);
        self.on_moved(now_ps, victim);
    }

    /// A page of a victim is at its new place, or did not need to be moved.
    pub(super) fn on_moved(&mut self, now_ps: u64, victim: u32) {
        let state = &mut self.victims[victim as usize];
        state.left -= 1;
        if state.left == 0 {
            self.erase(now_ps, victim);
        }
    }

    /// Erases a block, each die its part.
    fn erase(&mut self, now_ps: u64, victim: u32) {
        let first = self.victims[victim as usize].physical;
        let pages = self.model.layout.first_pages();
        self.victims[victim as usize].left = index_u32(pages.len());
        for page in pages {
            let physical = first + page;
            let transaction =
                Transaction { kind: Kind::Erase, whom: For::Victim(victim), physical, ..Transaction::default() };
            let number = self.arena.insert(transaction);
            self.enqueue(now_ps, number);
        }
    }

    /// A die has erased its part of a block.
    pub(super) fn on_erased(&mut self, now_ps: u64, number: u32) {
        let Transaction { physical, whom, .. } = *self.arena.at(number);
        self.arena.free(number);
        let layout = &self.model.layout;
        let group = layout.group(physical);
        self.counters.erases += u64::from(layout.planes_together());
        if let For::Victim(victim) = whom {
            let state = &mut self.victims[victim as usize];
            state.left -= 1;
            if state.left > 0 {
                return;
            }
            self.blocks.groups[group as usize].levels_wear &= !state.for_wear;
            self.free_victims.push(victim);
        }
        self.blocks.erased(layout, group, layout.block(physical));
        self.blocks.groups[group as usize].victims -= 1;
        self.note_urgency(group);
        self.level_wear(now_ps, group);
        self.place_stalled(now_ps, group);
        if self.model.parameters.gc.trigger == GcTrigger::Deficit {
            self.collect_deficit(now_ps, group);
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
