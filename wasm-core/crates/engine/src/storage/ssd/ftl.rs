//! The flash translation layer: what becomes of the pages of commands.

use crate::kernel::convert::saturated_u32;
use crate::storage::command::{Command, Level, Opcode};
use crate::storage::ssd::arena::{For, Kind, NONE, Transaction};
use crate::storage::ssd::blocks::Writer;
use crate::storage::ssd::layout::NOWHERE;
use crate::storage::ssd::mapping::PageMap;
use crate::storage::ssd::parameters::{Allocation, MappingTable, ProgramTransfer, UnwrittenRead};
use crate::storage::ssd::{DramJob, DriveModel, Ssd};

/// Bytes of a sector.
pub(super) const SECTOR_BYTES: u32 = 512;

/// The part of a page that a command covers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Part {
    pub(super) logical: u32,
    /// Sectors of the page, by bit.
    pub(super) sectors: u64,
}

impl Part {
    pub(super) fn bytes(self) -> u32 {
        self.sectors.count_ones() * SECTOR_BYTES
    }
}

/// The parts of pages that a command covers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Parts {
    page_sectors: u64,
    user_pages: u64,
    page: u64,
    /// Sectors that are left, counted from the beginning of the page: the next, and how many.
    begin: u64,
    left: u64,
}

impl Iterator for Parts {
    type Item = Part;

    #[inline]
    fn next(&mut self) -> Option<Part> {
        if self.left == 0 {
            return None;
        }
        let count = self.left.min(self.page_sectors - self.begin);
        let sectors = (u64::MAX >> (64 - count)) << self.begin;
        let part = Part { logical: saturated_u32(self.page % self.user_pages), sectors };
        (self.page, self.begin, self.left) = (self.page + 1, 0, self.left - count);
        Some(part)
    }
}

impl DriveModel {
    /// Where a logical page is, by the map of what was written since the start.
    #[inline]
    pub(super) fn locate(&self, map: &PageMap, logical: u32) -> u32 {
        map.get(logical).unwrap_or_else(|| {
            let layout = &self.layout;
            let group = layout.group_of(logical);
            let place = self.contents.place(group, layout.local(logical));
            place.map_or(NOWHERE, |(block, page)| layout.physical(group, block, page))
        })
    }
}

impl Ssd {
    /// The parts of pages that the command of a slot covers.
    pub(super) fn parts(&self, slot: u32) -> Parts {
        let Command { address, bytes, .. } = self.requests.at(slot).command;
        let page_sectors = u64::from(self.model.layout.page_bytes / SECTOR_BYTES);
        let sector = u64::from(SECTOR_BYTES);
        let first = address / sector;
        let last = (address.saturating_add(u64::from(bytes.max(1))) - 1) / sector;
        Parts {
            page_sectors,
            user_pages: u64::from(self.model.layout.user_pages),
            page: first / page_sectors,
            begin: first % page_sectors,
            left: last - first + 1,
        }
    }

    /// Whether sectors are all of a page.
    pub(super) fn is_whole(&self, sectors: u64) -> bool {
        sectors.count_ones() * SECTOR_BYTES >= self.model.layout.page_bytes
    }

    /// Where a logical page is.
    #[inline]
    pub(super) fn locate(&self, logical: u32) -> u32 {
        self.model.locate(&self.map, logical)
    }

    /// A command is in the device, with its data: splits it into pages.
    pub(super) fn begin(&mut self, now_ps: u64, slot: u32) {
        let request = self.requests.at_mut(slot);
        // Held until all parts are under way, so that none of them completes it alone.
        request.left = 1;
        let command = request.command;
        match command.opcode {
            Opcode::Read => {
                for part in self.parts(slot) {
                    self.read(now_ps, slot, part, command.level);
                }
            }
            Opcode::Write => {
                for part in self.parts(slot) {
                    self.requests.at_mut(slot).left += 1;
                    self.counters.pages_written[command.level as usize] += 1;
                    let frontier = command.queue % self.model.layout.frontiers;
                    self.write(now_ps, part, For::Request(slot), command.level as u8, frontier);
                }
            }
            Opcode::Trim => self.trim(slot),
            Opcode::Flush => {
                self.send_gathered(now_ps, 0);
                if self.cache.flush(slot) {
                    return; // completes with the last page that is on its way
                }
            }
        }
        self.on_part_done(now_ps, slot);
    }

    fn read(&mut self, now_ps: u64, slot: u32, part: Part, level: Level) {
        self.requests.at_mut(slot).left += 1;
        self.counters.pages_read[level as usize] += 1;
        if self.cache.holds(part.logical, part.sectors) {
            self.counters.cache_hits += 1;
            self.access_dram(now_ps, DramJob::Hit(slot), part.bytes());
            return;
        }
        let number = self.arena.insert(Transaction {
            kind: Kind::Read,
            level: level as u8,
            whom: For::Request(slot),
            logical: part.logical,
            physical: NOWHERE,
            bytes: part.bytes(),
            since_ps: now_ps,
            ..Transaction::default()
        });
        self.translate(now_ps, number);
    }

    /// Writes a part of a page to flash.
    pub(super) fn write(&mut self, now_ps: u64, part: Part, whom: For, level: u8, frontier: u32) {
        let number = self.arena.insert(Transaction {
            kind: Kind::Write,
            level,
            whole: self.is_whole(part.sectors),
            frontier,
            whom,
            logical: part.logical,
            physical: NOWHERE,
            bytes: part.bytes(),
            since_ps: now_ps,
            ..Transaction::default()
        });
        self.translate(now_ps, number);
    }

    /// A transaction needs the place of its page: at once if that is in DRAM, else after a read of the mapping table.
    fn translate(&mut self, now_ps: u64, number: u32) {
        let Some(cached) = self.translations.as_mut() else { return self.on_translated(now_ps, number) };
        let Transaction { logical, kind, .. } = *self.arena.at(number);
        if cached.find(logical, kind == Kind::Write) {
            self.counters.mapping_hits += 1;
            return self.on_translated(now_ps, number);
        }
        self.counters.mapping_misses += 1;
        let table_page = self.model.layout.table_page(logical);
        if cached.wait(&mut self.arena, table_page, number) {
            self.read_table(now_ps, table_page, Kind::TableRead);
        }
    }

    /// Reads a page of the mapping table.
    fn read_table(&mut self, now_ps: u64, table_page: u32, kind: Kind) {
        let MappingTable::Cached { read_bytes, .. } = self.model.parameters.mapping else { return };
        let whole = self.model.layout.page_bytes;
        let bytes = if kind == Kind::TableRead { read_bytes.min(whole) } else { whole };
        let mut physical = self.locate(table_page);
        if physical == NOWHERE {
            physical = self.create(now_ps, table_page, 0);
        }
        let transaction = Transaction { kind, logical: table_page, physical, bytes, ..Transaction::default() };
        let number = self.arena.insert(transaction);
        if physical == NOWHERE || self.blocks.is_pending(&self.model.layout, physical) {
            return self.on_table_read(now_ps, number); // what is to be programmed is still in DRAM
        }
        self.counters.mapping_reads += 1;
        self.enqueue(now_ps, number);
    }

    /// A page of the mapping table has been read: to translate, or to be changed.
    pub(super) fn on_table_read(&mut self, now_ps: u64, number: u32) {
        let Transaction { kind, logical: table_page, .. } = *self.arena.at(number);
        let Some(cached) = self.translations.as_mut() else { return };
        if kind == Kind::TableUpdate {
            cached.updating.retain(|page| *page != table_page);
            let transaction = self.arena.at_mut(number);
            transaction.kind = Kind::TableWrite;
            transaction.since_ps = now_ps;
            return self.place(now_ps, number);
        }
        self.arena.free(number);
        let mut waiting = cached.arrived(table_page).head;
        while waiting != NONE {
            let Transaction { logical, kind, next, .. } = *self.arena.at(waiting);
            let left = self.translations.as_mut().and_then(|cached| cached.insert(logical, kind == Kind::Write));
            if let Some(changed) = left {
                self.write_back(now_ps, changed);
            }
            self.on_translated(now_ps, waiting);
            waiting = next;
        }
    }

    /// A changed translation has left the cache.
    fn write_back(&mut self, now_ps: u64, logical: u32) {
        let MappingTable::Cached { write_back: true, .. } = self.model.parameters.mapping else { return };
        let table_page = self.model.layout.table_page(logical);
        let Some(cached) = self.translations.as_mut() else { return };
        if !cached.updating.contains(&table_page) {
            cached.updating.push(table_page);
            self.read_table(now_ps, table_page, Kind::TableUpdate);
        }
    }

    /// The place of the page of a transaction is known.
    fn on_translated(&mut self, now_ps: u64, number: u32) {
        let Transaction { kind, logical, whole, frontier, .. } = *self.arena.at(number);
        let mut physical = self.locate(logical);
        if kind == Kind::Read {
            if physical == NOWHERE && self.model.parameters.unwritten_read == UnwrittenRead::Allocates {
                physical = self.create(now_ps, logical, frontier_of(self, number, frontier));
            }
            if physical == NOWHERE {
                return self.finish(now_ps, number); // nothing to read
            }
            if self.blocks.is_pending(&self.model.layout, physical) {
                self.counters.cache_hits += 1;
                let Transaction { bytes, whom, .. } = *self.arena.at(number);
                self.arena.free(number);
                if let For::Request(slot) = whom {
                    self.access_dram(now_ps, DramJob::Hit(slot), bytes);
                }
                return;
            }
            self.arena.at_mut(number).physical = physical;
            return self.enqueue(now_ps, number);
        }
        if !whole && physical != NOWHERE {
            let transfers_all = self.model.parameters.program_transfer == ProgramTransfer::WholePage;
            let page_bytes = self.model.layout.page_bytes;
            let transaction = self.arena.at_mut(number);
            if !self.blocks.is_pending(&self.model.layout, physical) {
                self.counters.update_reads += 1;
                transaction.kind = Kind::UpdateRead;
                transaction.physical = physical;
                transaction.bytes = page_bytes - transaction.bytes;
                return self.enqueue(now_ps, number);
            }
            if transfers_all {
                transaction.bytes = page_bytes;
            }
        }
        self.place(now_ps, number);
    }

    /// The rest of a page that is partly written has been read.
    pub(super) fn on_update_read(&mut self, now_ps: u64, number: u32) {
        let transfers_all = self.model.parameters.program_transfer == ProgramTransfer::WholePage;
        let page_bytes = self.model.layout.page_bytes;
        let transaction = self.arena.at_mut(number);
        transaction.kind = Kind::Write;
        transaction.bytes = if transfers_all { page_bytes } else { page_bytes - transaction.bytes };
        transaction.since_ps = now_ps;
        self.place(now_ps, number);
    }

    /// Gives a page a place as if it had been written before. [`NOWHERE`] if there is no room.
    fn create(&mut self, now_ps: u64, logical: u32, frontier: u32) -> u32 {
        let group = self.model.layout.group_of(logical);
        let writer = Writer::User(frontier);
        if !self.blocks.has_room(&self.model.layout, group, writer) {
            return NOWHERE;
        }
        let (physical, opened) =
            self.blocks.take(&self.model.layout, &self.model.contents, group, writer, logical, true);
        self.remap(logical, physical);
        if opened {
            self.on_block_opened(now_ps, group);
        }
        physical
    }

    /// Gives a write a page, or lets it wait until there is one. Where superpages are filled it waits at its die without a page.
    pub(super) fn place(&mut self, now_ps: u64, number: u32) {
        let Transaction { logical, frontier, kind, .. } = *self.arena.at(number);
        let writer = Writer::User(frontier);
        if self.model.parameters.allocation == Allocation::Dynamic {
            return match self.least_busy_plane(writer) {
                Some(group) if self.stalled.is_empty() => self.place_in(now_ps, group, number),
                _ => {
                    self.counters.stalled_writes += 1;
                    self.arena.push(&mut self.stalled, number);
                    (0..self.model.layout.groups).for_each(|group| self.collect_if_none(now_ps, group));
                }
            };
        }
        let group = self.model.layout.group_of(logical);
        let waits = !self.blocks.groups[group as usize].stalled.is_empty();
        if waits || !self.blocks.has_room(&self.model.layout, group, writer) {
            return self.stall(now_ps, group, number);
        }
        if self.model.parameters.allocation == Allocation::Superpage && kind == Kind::Write {
            self.arena.at_mut(number).physical = self.model.layout.physical(group, 0, 0);
            return self.enqueue(now_ps, number);
        }
        self.place_in(now_ps, group, number);
    }

    /// A write waits until its group has a free block.
    pub(super) fn stall(&mut self, now_ps: u64, group: u32, number: u32) {
        self.counters.stalled_writes += 1;
        self.arena.push(&mut self.blocks.groups[group as usize].stalled, number);
        self.collect_if_none(now_ps, group);
    }

    /// A group has a free block more: gives pages to the writes that wait, as far as there are any.
    pub(super) fn place_stalled(&mut self, now_ps: u64, group: u32) {
        loop {
            let first = self.blocks.groups[group as usize].stalled.head;
            if first == NONE {
                break;
            }
            let writer = Writer::User(self.arena.at(first).frontier);
            if !self.blocks.has_room(&self.model.layout, group, writer) {
                return self.collect_if_none(now_ps, group);
            }
            self.arena.pop(&mut self.blocks.groups[group as usize].stalled);
            self.go_on(now_ps, group, first);
        }
        while self.stalled.head != NONE {
            let first = self.stalled.head;
            let Some(group) = self.least_busy_plane(Writer::User(self.arena.at(first).frontier)) else {
                return (0..self.model.layout.groups).for_each(|group| self.collect_if_none(now_ps, group));
            };
            self.arena.pop(&mut self.stalled);
            self.go_on(now_ps, group, first);
        }
    }

    /// A write has found a page for which it waited.
    fn go_on(&mut self, now_ps: u64, group: u32, number: u32) {
        let transaction = self.arena.at_mut(number);
        let waited_ps = now_ps - transaction.since_ps;
        transaction.spent.waited_ps += waited_ps;
        transaction.spent.held_by_gc_ps += waited_ps;
        if self.model.parameters.allocation == Allocation::Superpage && transaction.kind == Kind::Write {
            transaction.physical = self.model.layout.physical(group, 0, 0);
            return self.enqueue(now_ps, number);
        }
        self.place_in(now_ps, group, number);
    }

    fn place_in(&mut self, now_ps: u64, group: u32, number: u32) {
        let opened = self.bind(group, number);
        self.enqueue(now_ps, number);
        if opened {
            self.on_block_opened(now_ps, group);
        }
    }

    /// Gives a program the next page of what its writer fills in a group. Returns whether a block was opened for it.
    pub(super) fn bind(&mut self, group: u32, number: u32) -> bool {
        let Transaction { logical, frontier, kind, whom, .. } = *self.arena.at(number);
        let (writer, count) = match (kind, whom) {
            (Kind::GcWrite, For::Victim(victim)) if self.victims[victim as usize].for_wear => {
                (Writer::Gc, &mut self.counters.wear_programs)
            }
            (Kind::GcWrite, _) => (Writer::Gc, &mut self.counters.gc_programs),
            (Kind::TableWrite, _) => (Writer::User(frontier), &mut self.counters.mapping_programs),
            _ => (Writer::User(frontier), &mut self.counters.user_programs),
        };
        *count += 1;
        let (physical, opened) =
            self.blocks.take(&self.model.layout, &self.model.contents, group, writer, logical, false);
        self.remap(logical, physical);
        self.arena.at_mut(number).physical = physical;
        opened
    }

    /// A plane with room in the unit that has the fewest transactions waiting, from one after the last chosen on. The planes of a unit
    /// take turns: they fill blocks in step, and pages that wait share programs.
    fn least_busy_plane(&mut self, writer: Writer) -> Option<u32> {
        let layout = &self.model.layout;
        let (units, planes) = (layout.units, layout.planes_per_unit);
        let plane = |unit: u32| {
            let first = self.next_planes[unit as usize];
            (0..planes)
                .map(|turn| unit * planes + (first + turn) % planes)
                .find(|&plane| self.blocks.has_room(layout, plane, writer))
        };
        let load = |unit: u32| {
            let unit = &self.units[unit as usize];
            unit.waiting + u32::from(unit.job.is_some())
        };
        let (unit, plane) = (1..=units)
            .map(|turn| (self.last_unit + turn) % units)
            .filter_map(|unit| Some((unit, plane(unit)?)))
            .min_by_key(|&(unit, _)| load(unit))?;
        self.last_unit = unit;
        self.next_planes[unit as usize] = (plane + 1) % planes;
        Some(plane)
    }

    /// Forgets the pages that lie wholly in the range of a command.
    fn trim(&mut self, slot: u32) {
        for part in self.parts(slot) {
            if self.is_whole(part.sectors) && self.locate(part.logical) != NOWHERE {
                self.remap(part.logical, NOWHERE);
                self.counters.pages_trimmed += 1;
            }
        }
    }

    /// A transaction has passed the array and the channel: its page is read.
    pub(super) fn on_read(&mut self, now_ps: u64, number: u32) {
        match self.arena.at(number).kind {
            Kind::TableRead | Kind::TableUpdate => self.on_table_read(now_ps, number),
            Kind::GcRead => self.on_gc_read(now_ps, number),
            Kind::UpdateRead => self.on_update_read(now_ps, number),
            _ => self.finish(now_ps, number),
        }
    }

    /// A page is programmed, or a block erased.
    pub(super) fn on_written(&mut self, now_ps: u64, number: u32) {
        let Transaction { kind, physical, whom, .. } = *self.arena.at(number);
        if kind == Kind::Erase {
            return self.on_erased(now_ps, number);
        }
        let group = self.model.layout.group(physical);
        let filled = self.blocks.programmed(&self.model.layout, physical);
        match whom {
            For::Victim(victim) => {
                self.arena.free(number);
                self.on_moved(now_ps, victim);
            }
            For::Cache(entry) => {
                self.arena.free(number);
                self.on_cached_page_written(now_ps, entry);
            }
            For::Request(_) | For::Nobody => self.finish(now_ps, number),
        }
        // A block more can be collected.
        if filled && !(self.stalled.is_empty() && self.blocks.groups[group as usize].stalled.is_empty()) {
            self.collect_if_none(now_ps, group);
        }
    }

    /// A transaction is done, and so is its part of a command.
    fn finish(&mut self, now_ps: u64, number: u32) {
        let Transaction { whom, spent, .. } = *self.arena.at(number);
        self.arena.free(number);
        if let For::Request(slot) = whom {
            self.requests.at_mut(slot).served.spent = spent;
            self.on_part_done(now_ps, slot);
        }
    }
}

/// The frontier that a page goes to which is created by being read.
fn frontier_of(ssd: &Ssd, number: u32, frontier: u32) -> u32 {
    match ssd.arena.at(number).whom {
        For::Request(slot) => ssd.requests.at(slot).command.queue % ssd.model.layout.frontiers,
        _ => frontier,
    }
}
