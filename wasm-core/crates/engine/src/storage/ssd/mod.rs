//! A flash drive behind a PCI Express link.
//!
//! `link` and `nvme` bring commands in; [`ftl`] splits them into pages and finds their places, by way of [`cache`] and
//! [`translation`]; [`units`] choose among the transactions that wait; [`flash`] carries them out; [`gc`] makes free blocks.

mod admissions;
mod allocation;
mod arena;
mod blocks;
mod cache;
mod events;
mod flash;
mod ftl;
mod gc;
mod layout;
mod mapping;
mod pages;
pub mod parameters;
mod precondition;
pub mod presets;
#[cfg(test)]
mod tests;
mod times;
mod translation;
mod units;

use std::sync::Arc;

use crate::kernel::agenda::Agenda;
use crate::kernel::convert::index_u32;
use crate::kernel::digest::Digest;
use crate::kernel::random::Stream;
use crate::kernel::slab::Slab;
use crate::kernel::time::NEVER_PS;
use crate::kernel::tournament::Tournament;
use crate::storage::command::{Command, Completion, Opcode, Served};
use crate::storage::counters::{Counters, Occupancy, Pieces};
use crate::storage::link::{Arrival, Link};
use crate::storage::nvme::{NvmeParameters, Queues};
use admissions::Admissions;
use arena::{Arena, For, List};
use blocks::Blocks;
use cache::Cache;
use events::{Target, targets};
use flash::Bus;
use gc::{Thresholds, Victim};
use layout::Layout;
use mapping::PageMap;
use parameters::{MappingTable, SsdLive, SsdParameters};
use precondition::Contents;
use times::{channel_ps_per_mib, dram_ps};
use translation::Translations;
use units::Unit;

/// A model of drive: its parameters and what follows from them, which never changes. All drives of a model share it.
#[derive(Debug)]
pub struct DriveModel {
    parameters: SsdParameters,
    layout: Layout,
    contents: Contents,
    channel_ps_per_mib: u64,
    /// By leaf of the events: whose they are.
    targets: Vec<Target>,
}

impl DriveModel {
    /// The model with these parameters, which must be without [`error`](SsdParameters::error).
    pub fn new(parameters: SsdParameters) -> Self {
        let layout = Layout::new(&parameters);
        let contents = Contents::of(&parameters, &layout);
        Self {
            contents,
            channel_ps_per_mib: channel_ps_per_mib(&parameters.flash),
            targets: targets(&layout),
            layout,
            parameters,
        }
    }
}

/// A command, from its doorbell on.
#[derive(Clone, Copy, Debug, Default)]
struct Request {
    command: Command,
    /// Pages that are not done.
    left: u32,
    /// What became of it so far, and of its pages that are done.
    served: Served,
}

impl Request {
    /// Something of it begins.
    #[inline]
    fn start(&mut self, now_ps: u64) {
        self.served.started_ps = self.served.started_ps.min(now_ps);
    }
}

/// An access to DRAM.
#[derive(Clone, Copy, Debug)]
enum DramJob {
    /// The data of the command of a slot enter the write cache.
    Insert(u32),
    /// A page of the command of a slot is read.
    Hit(u32),
}

impl Default for DramJob {
    fn default() -> Self {
        Self::Hit(arena::NONE)
    }
}

/// A flash drive.
#[derive(Clone, Debug)]
pub struct Ssd {
    model: Arc<DriveModel>,
    live: SsdLive,
    /// Slots of requests.
    queues: Queues<u32>,
    link: Link,
    requests: Slab<Request>,
    done: Agenda<Completion>,
    /// Of buses and units.
    events: Tournament,
    arena: Arena,
    units: Vec<Unit>,
    buses: Vec<Bus>,
    /// Channels to be served before the next event.
    woken: Vec<u32>,
    map: PageMap,
    blocks: Blocks,
    thresholds: Thresholds,
    /// Writes that wait for a free block of whichever group has one first.
    stalled: List,
    victims: Vec<Victim>,
    free_victims: Vec<u32>,
    translations: Option<Translations>,
    cache: Cache,
    /// Bytes in the write cache, and on their way into it.
    cached_bytes: u64,
    /// Commands that wait for room in the write cache, and their bytes.
    admissions: Admissions,
    waiting_bytes: u64,
    /// When a command first waited for room in the write cache, and when a victim was first begun.
    cache_full_ps: u64,
    collects_ps: u64,
    /// Flush commands that a page has completed; scratch.
    flushed: Vec<u32>,
    dram: Agenda<DramJob>,
    dram_free_ps: u64,
    /// State of dynamic allocation: the unit chosen last, and by unit the plane after the one chosen last.
    last_unit: u32,
    next_planes: Vec<u32>,
    /// Draws victims, and levels by lot.
    random: Stream,
    lots: Stream,
    counters: Counters,
}

impl Ssd {
    /// A drive in which nothing has happened since it was preconditioned.
    pub fn new(model: &Arc<DriveModel>, nvme: &NvmeParameters, seed: u64) -> Self {
        let DriveModel { parameters, layout, contents, targets, .. } = &**model;
        let translations = match parameters.mapping {
            MappingTable::Cached { entries, .. } if layout.entries_per_page > 0 => Some(Translations::new(entries)),
            _ => None,
        };
        let mut ssd = Self {
            live: parameters.live.clone(),
            queues: Queues::new(nvme),
            link: Link::new(&parameters.link),
            requests: Slab::default(),
            done: Agenda::default(),
            events: Tournament::new(targets.len()),
            arena: Arena::default(),
            units: vec![Unit::default(); layout.units as usize],
            buses: vec![Bus::default(); layout.channels as usize],
            woken: Vec::new(),
            map: PageMap::new(layout.logical_pages()),
            blocks: Blocks::new(layout, contents, parameters.gc.dynamic_wear_leveling),
            thresholds: Thresholds::new(layout, parameters, &parameters.live),
            stalled: List::default(),
            victims: Vec::new(),
            free_victims: Vec::new(),
            translations,
            cache: Cache::default(),
            cached_bytes: 0,
            admissions: Admissions::default(),
            waiting_bytes: 0,
            cache_full_ps: NEVER_PS,
            collects_ps: NEVER_PS,
            flushed: Vec::new(),
            dram: Agenda::default(),
            dram_free_ps: 0,
            last_unit: 0,
            next_planes: vec![0; model.layout.units as usize],
            random: Stream::new(seed, "storage victims", 0),
            lots: Stream::new(seed, "storage lots", 0),
            counters: Counters::default(),
            model: Arc::clone(model),
        };
        ssd.note_urgencies();
        ssd
    }

    /// Bytes that commands can address.
    pub fn capacity_bytes(&self) -> u64 {
        self.model.parameters.capacity_bytes()
    }

    /// Erases of the block that has the fewest, and of the one that has the most.
    pub fn erases_min_max(&self) -> (u16, u16) {
        self.blocks.erases_min_max()
    }

    pub(super) fn submit(&mut self, at_ps: u64, command: Command) {
        let slot = self.requests.insert(Request { command, left: 0, served: Served::default() });
        self.link.ring(at_ps, slot);
    }

    /// When something next happens inside; [`NEVER_PS`] if nothing does.
    fn next_event_ps(&self) -> u64 {
        self.events.next().0.min(self.link.next_ps()).min(self.dram.next_ps())
    }

    pub(super) fn next_ps(&self) -> u64 {
        self.next_event_ps().min(self.done.next_ps())
    }

    /// At one instant flash goes before the link, and that before DRAM.
    pub(super) fn run(&mut self, before_ps: u64, events: &mut u64) -> Option<Completion> {
        loop {
            let (flash_ps, leaf) = self.events.next();
            let link_ps = self.link.next_ps();
            let now_ps = flash_ps.min(link_ps).min(self.dram.next_ps());
            let due_ps = self.done.next_ps();
            if now_ps >= before_ps || now_ps > due_ps {
                return (due_ps < before_ps).then(|| self.done.pop().1);
            }
            *events += 1;
            if flash_ps == now_ps {
                match self.model.targets[leaf] {
                    Target::Bus(channel) => self.on_bus(channel, now_ps),
                    Target::Unit(unit) => self.on_unit(unit, now_ps),
                }
            } else if link_ps == now_ps {
                self.on_arrival(now_ps);
            } else {
                self.on_dram(now_ps);
            }
            self.settle(now_ps);
        }
    }

    pub(super) fn set_nvme(&mut self, now_ps: u64, parameters: &NvmeParameters) {
        self.queues.set(parameters);
        self.fetch(now_ps);
        self.settle(now_ps);
    }

    pub(super) fn set_live(&mut self, now_ps: u64, live: &SsdLive) {
        self.live = live.clone();
        self.units.iter_mut().for_each(Unit::forget_credits);
        self.thresholds = Thresholds::new(&self.model.layout, &self.model.parameters, live);
        self.note_urgencies();
        if !live.write_cache {
            self.send_gathered(now_ps, 0);
        }
        self.settle(now_ps);
    }

    pub(super) fn counters(&self) -> &Counters {
        &self.counters
    }

    pub(super) fn occupancy(&self, now_ps: u64, occupancy: &mut Occupancy) {
        occupancy.begin(&self.queues);
        occupancy.channel_busy_ps.extend(self.buses.iter().map(|bus| bus.busy_ps(now_ps)));
        for unit in &self.units {
            occupancy.chip_busy_ps.push(unit.busy_ps(now_ps));
            occupancy.chip_gc_ps.push(unit.gc_ps(now_ps));
            occupancy.chip_waiting.push(unit.waiting);
        }
        occupancy.cached_pages = index_u32(self.cache.len());
        (occupancy.cache_full_ps, occupancy.collects_ps) = (self.cache_full_ps, self.collects_ps);
        let free = self.blocks.groups.iter().map(|group| group.free);
        occupancy.free_blocks_min = free.clone().min().unwrap_or(0);
        let mean = f64::from(free.sum::<u32>()) / self.blocks.groups.len() as f64;
        occupancy.free_blocks_mean = crate::kernel::convert::short_float(mean);
        // A command whose answer waits for the link has left the controller already.
        occupancy.divide(self.queues.in_device() + self.done.len(), self.pieces(now_ps));
    }

    /// What waits inside for commands, and what is being done for them.
    fn pieces(&self, now_ps: u64) -> Pieces {
        let for_room = Pieces { waiting: self.admissions.len(), at_work: 0 };
        [self.link.going_down(now_ps), Pieces::one_by_one(self.done.len()), Pieces::one_by_one(self.dram.len())]
            .into_iter()
            .fold(self.pages(), Pieces::and)
            .and(for_room)
    }

    pub(super) fn bytes(&self) -> usize {
        size_of::<Self>()
            + size_of_val(&*self.units)
            + size_of_val(&*self.buses)
            + self.requests.bytes()
            + self.arena.bytes()
            + self.map.bytes()
            + self.blocks.bytes()
            + self.cache.bytes()
            + self.translations.as_ref().map_or(0, Translations::bytes)
    }

    pub(super) fn digest(&self, digest: &mut Digest) {
        self.queues.digest(digest);
        self.link.digest(digest);
        self.counters.digest(digest);
        self.map.digest(digest);
        self.blocks.digest(digest);
        self.cache.digest(digest);
        digest.word(self.next_event_ps());
        digest.word(self.arena.len() as u64);
        digest.word(self.cached_bytes);
        digest.word(self.dram_free_ps);
        self.units.iter().for_each(|unit| digest.word(u64::from(unit.waiting) << 16 | u64::from(unit.queued)));
    }

    /// Lets channels work that were woken.
    #[inline]
    fn settle(&mut self, now_ps: u64) {
        while let Some(channel) = self.woken.pop() {
            self.serve(channel as usize, now_ps);
        }
    }

    /// A message has arrived over the link.
    fn on_arrival(&mut self, now_ps: u64) {
        match self.link.take() {
            Arrival::Doorbell(slot) => {
                self.queues.push(slot, &self.requests.at(slot).command);
                self.fetch(now_ps);
            }
            Arrival::Entry(slot) => {
                let command = self.requests.at(slot).command;
                if command.opcode == Opcode::Write {
                    self.link.fetch_data(now_ps, slot, command.bytes);
                } else {
                    self.begin(now_ps, slot);
                }
            }
            Arrival::Data(slot) if self.live.write_cache => self.accept(now_ps, slot),
            Arrival::Data(slot) => self.begin(now_ps, slot),
        }
    }

    /// Fetches commands as long as limits allow.
    #[inline]
    fn fetch(&mut self, now_ps: u64) {
        while let Some(slot) = self.queues.fetch() {
            let request = self.requests.at_mut(slot);
            request.served.fetched_ps = now_ps;
            self.counters.commands[request.command.level as usize] += 1;
            self.link.fetch_entry(now_ps, slot);
        }
    }

    /// A page of a command is done, or all have begun.
    #[inline]
    fn on_part_done(&mut self, now_ps: u64, slot: u32) {
        let request = self.requests.at_mut(slot);
        request.left -= 1;
        if request.left == 0 {
            self.complete(now_ps, slot);
        }
    }

    /// A command is done: tells the host, and takes the next.
    fn complete(&mut self, now_ps: u64, slot: u32) {
        let request = self.requests.at_mut(slot);
        request.start(now_ps);
        let Command { tag, queue, opcode, bytes, .. } = request.command;
        let at_ps = self.link.complete(now_ps, if opcode == Opcode::Read { bytes } else { 0 });
        self.done.push(at_ps, Completion { tag, served: Served { at_ps, ..request.served } });
        self.requests.free(slot);
        self.queues.leave(queue);
        self.fetch(now_ps);
    }

    /// Pages of the command of a slot, and bytes of their sectors.
    fn size(&self, slot: u32) -> (u64, u64) {
        self.parts(slot).fold((0, 0), |(pages, bytes), part| (pages + 1, bytes + u64::from(part.bytes())))
    }

    /// Whether the data of a command replace data in the write cache, and so take no room.
    fn replaces_cached(&self, slot: u32) -> bool {
        self.parts(slot).all(|part| self.cache.replaces(part.logical, part.sectors))
    }

    /// The data of a write have arrived: it goes into the write cache, or waits until there is room.
    ///
    /// No more bytes wait than the cache holds. What exceeds that is written through, so that flash never has less to do than it would
    /// have without a cache, however small this is.
    fn accept(&mut self, now_ps: u64, slot: u32) {
        let (_, bytes) = self.size(slot);
        if self.replaces_cached(slot) {
            return self.enter_cache(now_ps, slot, bytes);
        }
        if self.waiting_bytes + bytes > self.model.parameters.cache.capacity_bytes {
            self.cache_full_ps = self.cache_full_ps.min(now_ps);
            return self.begin(now_ps, slot);
        }
        self.waiting_bytes += bytes;
        let level = self.requests.at(slot).command.level;
        self.admissions.push(slot, level, self.live.scheduling);
        self.admit(now_ps);
    }

    /// Lets commands into the write cache while there is room.
    fn admit(&mut self, now_ps: u64) {
        while let Some((level, slot)) = self.admissions.next(&self.live.weights) {
            let (pages, bytes) = self.size(slot);
            let is_full = self.cached_bytes + bytes > self.model.parameters.cache.capacity_bytes;
            if is_full && !self.replaces_cached(slot) {
                self.cache_full_ps = self.cache_full_ps.min(now_ps);
                return self.evict(now_ps);
            }
            self.admissions.pop(level, pages);
            self.waiting_bytes -= bytes;
            self.enter_cache(now_ps, slot, bytes);
        }
    }

    /// Begins to move the data of a command into the write cache.
    fn enter_cache(&mut self, now_ps: u64, slot: u32, bytes: u64) {
        self.cached_bytes += bytes;
        let bytes = self.requests.at(slot).command.bytes;
        self.access_dram(now_ps, DramJob::Insert(slot), bytes);
    }

    /// Commands wait for room in the write cache: sends pages that gather to flash until it has as much to do as it would have with these
    /// commands, and at least half of what the cache holds, which gives dies whole rows.
    fn evict(&mut self, now_ps: u64) {
        let wanted_bytes = self.waiting_bytes.max(self.model.parameters.cache.capacity_bytes / 2);
        while self.cache.sent_sectors() * u64::from(ftl::SECTOR_BYTES) < wanted_bytes {
            let Some(oldest) = self.cache.oldest() else { return };
            self.send_cached(now_ps, oldest);
        }
    }

    /// Begins an access to DRAM, or lets it wait for those before it.
    fn access_dram(&mut self, now_ps: u64, job: DramJob, bytes: u32) {
        let begins_ps = self.dram_free_ps.max(now_ps);
        self.dram_free_ps = begins_ps + dram_ps(&self.model.parameters.dram, bytes);
        let (DramJob::Insert(slot) | DramJob::Hit(slot)) = job;
        self.requests.at_mut(slot).start(begins_ps);
        self.dram.push(self.dram_free_ps, job);
    }

    /// An access to DRAM is over.
    fn on_dram(&mut self, now_ps: u64) {
        let (_, job) = self.dram.pop();
        match job {
            DramJob::Hit(slot) => self.on_part_done(now_ps, slot),
            DramJob::Insert(slot) => self.insert(now_ps, slot),
        }
    }

    /// The data of a command are in the write cache: it is complete, and pages go on to flash.
    fn insert(&mut self, now_ps: u64, slot: u32) {
        let command = self.requests.at(slot).command;
        let frontier = command.queue % self.model.layout.frontiers;
        for part in self.parts(slot) {
            self.counters.pages_written[command.level as usize] += 1;
            let entry = match self.cache.merge(part.logical, part.sectors) {
                Some((entry, held)) => {
                    self.counters.cache_merges += 1;
                    self.cached_bytes -= u64::from(held.count_ones() * ftl::SECTOR_BYTES);
                    entry
                }
                None => self.cache.insert(part.logical, part.sectors, command.level as u8, frontier),
            };
            if self.cache.gathers(entry) && self.is_whole(self.cache.at(entry).sectors) {
                self.send_cached(now_ps, entry);
            }
        }
        let keep = if self.live.write_cache { self.model.parameters.cache.gathered_pages } else { 0 };
        self.send_gathered(now_ps, keep);
        self.requests.at_mut(slot).left = 1;
        self.on_part_done(now_ps, slot);
        self.admit(now_ps);
    }

    /// Sends the oldest pages that gather to flash, all but `keep` of them.
    fn send_gathered(&mut self, now_ps: u64, keep: u32) {
        while self.cache.gathering() > keep {
            let Some(oldest) = self.cache.oldest() else { return };
            self.send_cached(now_ps, oldest);
        }
    }

    fn send_cached(&mut self, now_ps: u64, entry: u32) {
        self.cache.send(entry);
        let cache::Entry { logical, sectors, level, frontier, .. } = *self.cache.at(entry);
        self.write(now_ps, ftl::Part { logical, sectors }, For::Cache(entry), level, frontier);
    }

    /// A page of the write cache is on flash.
    fn on_cached_page_written(&mut self, now_ps: u64, entry: u32) {
        let flushed = &mut self.flushed;
        let sectors = self.cache.remove(entry, |slot| flushed.push(slot));
        self.cached_bytes -= u64::from(sectors * ftl::SECTOR_BYTES);
        while let Some(slot) = self.flushed.pop() {
            self.on_part_done(now_ps, slot);
        }
        self.admit(now_ps);
    }
}
