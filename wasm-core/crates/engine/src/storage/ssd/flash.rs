//! Channels and flash units at work: commands and data on the buses, arrays that read, program and erase.
//!
//! Events are those that can change an order: an array is done, data are out, a suspension begins, and a bus is free after
//! a command if somebody waits for it.

use crate::kernel::convert::index_u32;
use crate::kernel::time::NEVER_PS;
use crate::storage::ssd::arena::{Arena, For, Kind, List, NONE, Transaction};
use crate::storage::ssd::blocks::{Blocks, Writer};
use crate::storage::ssd::layout::Place;
use crate::storage::ssd::parameters::{Allocation, ChannelPolicy, Scheduling, Suspension};
use crate::storage::ssd::times::transfer_ps;
use crate::storage::ssd::units::{Choice, ERASE, GC_READ, GC_WRITE, Job, Status, USER_READ, USER_WRITE, queue_of};
use crate::storage::ssd::units::{TABLE_WRITE, queues_of, read_waits_for};
use crate::storage::ssd::{DriveModel, Ssd};

/// Transactions of commands that are looked at for a further plane of a command.
const USER_LOOK_AHEAD: u32 = 64;

/// A channel.
#[derive(Clone, Debug)]
pub(super) struct Bus {
    /// The transaction whose data pass; none while a command does.
    pub(super) data_of: u32,
    pub(super) free_ps: u64,
    /// Data that wait: of the mapping table, of commands, of garbage collection.
    out: [List; 3],
    /// Units that could take something, by their number on the channel.
    ready: u64,
    /// The unit whose turn it is.
    turn: u32,
    pub(super) busy_ps: u64,
    /// The event that is set for it.
    key_ps: u64,
    /// It is among the channels to be served.
    woken: bool,
}

impl Default for Bus {
    fn default() -> Self {
        let out = [List::default(); 3];
        Self { data_of: NONE, free_ps: 0, out, ready: 0, turn: 0, busy_ps: 0, key_ps: NEVER_PS, woken: false }
    }
}

impl Bus {
    fn data_waits(&self) -> bool {
        self.out.iter().any(|list| !list.is_empty())
    }

    /// Time that the channel was busy.
    pub(super) fn busy_ps(&self, now_ps: u64) -> u64 {
        self.busy_ps - self.free_ps.saturating_sub(now_ps)
    }
}

/// The queues beside its own in which partners of a transaction are looked for, as a mask: those of other levels, and where commands and
/// garbage collection do the same that of the other. Units that do not serve levels by turn look at one of their queues, as MQSim.
fn partners(queue: usize, scheduling: Scheduling) -> u16 {
    let (first, gc) = match queue {
        USER_READ..=GC_READ => (USER_READ, GC_READ),
        USER_WRITE..=GC_WRITE => (USER_WRITE, GC_WRITE),
        _ => return 0,
    };
    let others = match scheduling {
        Scheduling::Priority => (2 << gc) - (1 << first),
        _ if queue == gc => 1 << first,
        _ => 1 << gc,
    };
    others & !(1 << queue)
}

/// Whether the programs of garbage collection that wait for a unit fill the row of their die to its end, or its group has nothing left
/// to read. Pages of a superpage have no place yet, and those overwritten since they were read, which `locate` shows, will get none.
fn fills_row(waiting: &List, arena: &Arena, model: &DriveModel, blocks: &Blocks, locate: impl Fn(u32) -> u32) -> bool {
    let layout = &model.layout;
    let first = arena.at(waiting.head).physical;
    let group = layout.group(first);
    if layout.stripe == 1 || blocks.groups[group as usize].to_read == 0 {
        return true;
    }
    let binds_late = model.parameters.allocation == Allocation::Superpage;
    let missing = match binds_late {
        true => blocks.left_in_gc_row(layout, group),
        false => layout.planes_per_die - layout.page(first) % layout.planes_per_die,
    };
    let joins = |transaction: &Transaction| match binds_late {
        true => layout.group(transaction.physical) == group && locate(transaction.logical) == transaction.physical,
        false => (first..first + missing).contains(&transaction.physical),
    };
    let found = arena.iter(waiting).filter(|&number| joins(arena.at(number))).take(missing as usize).count();
    found == missing as usize
}

impl Ssd {
    /// A transaction waits for its unit from now on.
    pub(super) fn enqueue(&mut self, now_ps: u64, number: u32) {
        let transaction = self.arena.at_mut(number);
        let at = self.model.layout.unit(transaction.physical);
        let unit = &mut self.units[at as usize];
        transaction.since_ps = now_ps;
        transaction.gc_mark_ps = unit.gc_ps(now_ps);
        let queue = queue_of(transaction.kind, transaction.level, self.live.scheduling);
        unit.push(&mut self.arena, queue, number);
        match unit.status {
            Status::Idle => {
                let Place { channel, bit } = self.model.layout.place(at);
                self.buses[channel as usize].ready |= bit;
                self.wake(channel);
            }
            Status::Programming | Status::Erasing if queue < GC_READ => self.suspend(at, now_ps),
            _ => {}
        }
    }

    /// An event of a channel: data are out, or the bus is free after a command.
    pub(super) fn on_bus(&mut self, channel: u32, now_ps: u64) {
        let number = std::mem::replace(&mut self.buses[channel as usize].data_of, NONE);
        if number != NONE {
            let at = self.model.layout.unit(self.arena.at(number).physical);
            let unit = &mut self.units[at as usize];
            unit.out_left -= 1;
            if unit.out_left == 0 {
                unit.end(now_ps);
                self.mark_ready(at);
            }
            self.on_read(now_ps, number);
        }
        self.wake(channel);
    }

    /// An event of a unit: its array is done, or a suspension begins.
    pub(super) fn on_unit(&mut self, at: u32, now_ps: u64) {
        self.events.set(self.unit_leaf(at), NEVER_PS);
        let channel = self.model.layout.place(at).channel;
        let unit = &mut self.units[at as usize];
        match unit.status {
            Status::Reading => {
                unit.status = Status::DataOut;
                let bus = &mut self.buses[channel as usize];
                let mut number = unit.job.as_ref().map_or(NONE, |job| job.first);
                while number != NONE {
                    let transaction = self.arena.at_mut(number);
                    let next = transaction.next;
                    transaction.since_ps = now_ps;
                    let list = match transaction.kind {
                        Kind::TableRead | Kind::TableUpdate => 0,
                        Kind::GcRead => 2,
                        _ => 1,
                    };
                    self.arena.push(&mut bus.out[list], number);
                    number = next;
                }
            }
            Status::Programming | Status::Erasing => {
                let mut number = unit.end(now_ps).map_or(NONE, |job| job.first);
                self.mark_ready(at);
                while number != NONE {
                    let next = self.arena.at(number).next;
                    self.on_written(now_ps, number);
                    number = next;
                }
            }
            Status::Suspending => {
                unit.suspended = unit.end(now_ps);
                self.mark_ready(at);
            }
            Status::Idle | Status::DataOut => {}
        }
        self.wake(channel);
    }

    /// A channel is to be served once all that happens at this event has happened.
    #[inline]
    fn wake(&mut self, channel: u32) {
        let bus = &mut self.buses[channel as usize];
        if !bus.woken {
            bus.woken = true;
            self.woken.push(channel);
        }
    }

    /// A unit may take what it could not take before.
    pub(super) fn look_again(&mut self, at: u32) {
        self.mark_ready(at);
        self.wake(self.model.layout.place(at).channel);
    }

    fn mark_ready(&mut self, at: u32) {
        if self.units[at as usize].is_ready() {
            let Place { channel, bit } = self.model.layout.place(at);
            self.buses[channel as usize].ready |= bit;
        }
    }

    /// Uses a channel if it is free, and sets its event.
    pub(super) fn serve(&mut self, channel: usize, now_ps: u64) {
        loop {
            let bus = &self.buses[channel];
            if bus.data_of != NONE || bus.free_ps > now_ps {
                break;
            }
            let may_command = bus.ready != 0;
            let begun = match self.model.parameters.channel_policy {
                ChannelPolicy::CommandsFirst => {
                    (may_command && self.send_command(channel, now_ps)) || self.send_data(channel, now_ps)
                }
                ChannelPolicy::DataOutFirst => {
                    self.send_data(channel, now_ps) || (may_command && self.send_command(channel, now_ps))
                }
            };
            if !begun {
                break;
            }
        }
        let bus = &mut self.buses[channel];
        bus.woken = false;
        let waits = bus.data_of != NONE || (bus.free_ps > now_ps && (bus.ready != 0 || bus.data_waits()));
        let key_ps = if waits { bus.free_ps } else { NEVER_PS };
        if bus.key_ps != key_ps {
            bus.key_ps = key_ps;
            let leaf = channel * (1 + self.model.layout.units_per_channel as usize);
            self.events.set(leaf, key_ps);
        }
    }

    /// Begins to send the data that are first in order. Returns whether there were any.
    #[inline]
    fn send_data(&mut self, channel: usize, now_ps: u64) -> bool {
        let bus = &mut self.buses[channel];
        let Some(number) = bus.out.iter_mut().find_map(|list| self.arena.pop(list)) else { return false };
        let transaction = self.arena.at_mut(number);
        let data_ps = transfer_ps(transaction.bytes, self.model.channel_ps_per_mib);
        transaction.spent.waited_channel_ps += now_ps - transaction.since_ps;
        transaction.spent.transfer_ps += data_ps;
        bus.data_of = number;
        bus.free_ps = now_ps + data_ps;
        bus.busy_ps += data_ps;
        true
    }

    /// Sends a command to the unit whose turn it is. Returns whether one took something.
    fn send_command(&mut self, channel: usize, now_ps: u64) -> bool {
        let layout = &self.model.layout;
        let first_unit = index_u32(channel) * layout.units_per_channel;
        loop {
            let bus = &mut self.buses[channel];
            if bus.ready == 0 {
                return false;
            }
            let after = bus.ready & (u64::MAX << bus.turn);
            let place = (if after != 0 { after } else { bus.ready }).trailing_zeros();
            bus.ready &= !(1 << place);
            let at = first_unit + place;
            let arena = &self.arena;
            let layout = &self.model.layout;
            let erasable = |unit: &super::units::Unit| {
                let block = layout.block_index(arena.at(unit.queues[ERASE].head).physical);
                !read_waits_for(unit, arena, |physical| layout.block_index(physical) == block)
            };
            let (model, blocks, map) = (&*self.model, &self.blocks, &self.map);
            let fills_row = |unit: &super::units::Unit| {
                fills_row(&unit.queues[GC_WRITE], arena, model, blocks, |logical| model.locate(map, logical))
            };
            match self.units[at as usize].choose(arena, &self.live, &mut self.lots, now_ps, erasable, fills_row) {
                Choice::Queue(queue) => {
                    if self.start(channel, at, queue, now_ps) {
                        let bus = &mut self.buses[channel];
                        bus.turn = if place == 63 { 0 } else { place + 1 };
                        bus.ready &= !(1 << place); // garbage collection that began with it has made it ready again
                        return true;
                    }
                    self.mark_ready(at); // programs left the queue that have no page to go to
                }
                Choice::Resume => self.resume(at, now_ps),
                Choice::Nothing => {}
            }
        }
    }

    /// Sends the first transaction of a queue to its unit, and with it others that fit other planes of the die. Returns whether there
    /// was one: programs that are to fill a superpage may find no page.
    fn start(&mut self, channel: usize, at: u32, queue: usize, now_ps: u64) -> bool {
        let mut list = List::default();
        let fills =
            self.model.parameters.allocation == Allocation::Superpage && (USER_WRITE..=GC_WRITE).contains(&queue);
        let planes = if fills {
            self.fill_superpage(at, queue, now_ps, &mut list)
        } else {
            let first = self.units[at as usize].remove(&mut self.arena, queue, None);
            self.arena.push(&mut list, first);
            match queue {
                ERASE if self.model.layout.stripe > 1 => self.model.layout.planes_together(),
                _ if self.model.layout.planes_per_die > 1 => self.gather(at, queue, first, &mut list),
                _ => 1,
            }
        };
        let first = list.head;
        if first == NONE {
            return false;
        }
        let model = &*self.model;
        let flash = &model.parameters.flash;
        let extra = u64::from(planes - 1);
        let kind = self.arena.at(first).kind;
        let page_type = model.layout.page_type(self.arena.at(first).physical);
        let (command_ps, array_ps, status) = match queue {
            ERASE => (flash.erase_command_ps + extra * flash.erase_plane_ps, flash.erase_ps, Status::Erasing),
            TABLE_WRITE..ERASE => {
                let command_ps = flash.program_command_ps + extra * flash.program_plane_ps;
                (command_ps, flash.program_ps[page_type], Status::Programming)
            }
            _ => {
                let command_ps = flash.read_command_ps + extra * flash.read_plane_ps;
                (command_ps, flash.read_ps[page_type] + flash.read_ready_ps, Status::Reading)
            }
        };
        let mut bus_ps = command_ps;
        if status == Status::Programming {
            let mut number = list.head;
            while number != NONE {
                let transaction = self.arena.at(number);
                bus_ps += transfer_ps(transaction.bytes, model.channel_ps_per_mib);
                number = transaction.next;
            }
        }
        let unit = &mut self.units[at as usize];
        let gc_ps = unit.gc_ps(now_ps);
        let mut since_ps = NEVER_PS;
        let mut number = list.head;
        while number != NONE {
            let transaction = self.arena.at_mut(number);
            since_ps = since_ps.min(transaction.since_ps);
            debug_assert!(
                status != Status::Reading || self.blocks.holds(&model.layout, &model.contents, transaction),
                "a page is read after it was programmed and before it is erased"
            );
            transaction.spent.waited_ps += now_ps - transaction.since_ps;
            transaction.spent.held_by_gc_ps += gc_ps - transaction.gc_mark_ps;
            transaction.spent.transfer_ps += bus_ps;
            transaction.spent.array_ps += array_ps;
            match transaction.whom {
                For::Request(slot) => self.requests.at_mut(slot).start(now_ps),
                For::Cache(entry) if status == Status::Programming => self.cache.begin_program(entry),
                _ => {}
            }
            number = transaction.next;
        }
        let array_begins_ps = now_ps + bus_ps;
        let ends_ps = array_begins_ps + array_ps;
        let for_gc = matches!(kind, Kind::GcRead | Kind::GcWrite | Kind::Erase);
        unit.out_left = if status == Status::Reading { planes } else { 0 };
        unit.begin(
            now_ps,
            Job { first: list.head, status, for_gc, array_begins_ps, ends_ps, suspensions: 0, since_ps },
        );
        self.counters.multi_plane_commands += u64::from(planes > 1);
        match status {
            Status::Reading => {
                self.counters.read_commands += 1;
                self.counters.planes_read += u64::from(planes);
            }
            Status::Programming => {
                self.counters.program_commands += 1;
                self.counters.planes_programmed += u64::from(planes);
            }
            _ => {}
        }
        let bus = &mut self.buses[channel];
        bus.free_ps = array_begins_ps;
        bus.busy_ps += bus_ps;
        self.events.set(self.unit_leaf(at), ends_ps);
        true
    }

    /// Moves programs from the queues of a unit to a command that fills the superpage of its die, beginning with a queue and then by
    /// turn, and gives each a page. Returns their number: none if no page is free, or none of them is needed any more.
    fn fill_superpage(&mut self, at: u32, mut queue: usize, now_ps: u64, list: &mut List) -> u32 {
        let for_gc = queue == GC_WRITE;
        let group = self.model.layout.group(self.arena.at(self.units[at as usize].queues[queue].head).physical);
        let mut planes = 0;
        loop {
            // Others may be for another die of the chip.
            let waiting = &self.units[at as usize].queues[queue];
            let is_of_group = |&number: &u32| self.model.layout.group(self.arena.at(number).physical) == group;
            let Some(turn) = self.arena.iter(waiting).position(|number| is_of_group(&number)) else { return planes };
            let before = turn.checked_sub(1).and_then(|turn| self.arena.iter(waiting).nth(turn));
            let number = self.units[at as usize].remove(&mut self.arena, queue, before);
            let Transaction { logical, physical, frontier, .. } = *self.arena.at(number);
            if for_gc && self.locate(logical) != physical {
                self.drop_move(now_ps, group, number);
            } else if !for_gc && !self.blocks.has_room(&self.model.layout, group, Writer::User(frontier)) {
                self.arena.at_mut(number).spent.waited_ps += now_ps - self.arena.at(number).since_ps;
                self.arena.at_mut(number).since_ps = now_ps;
                self.stall(now_ps, group, number);
            } else {
                if for_gc {
                    self.blocks.groups[group as usize].planned -= 1;
                }
                let opened = self.bind(group, number);
                self.arena.push(list, number);
                planes += 1;
                if opened {
                    self.on_block_opened(now_ps, group);
                }
                if self.model.layout.ends_row(self.arena.at(number).physical) {
                    return planes;
                }
            }
            let unit = &mut self.units[at as usize];
            let next = if for_gc {
                (!unit.queues[GC_WRITE].is_empty()).then_some(GC_WRITE)
            } else {
                unit.next_user_write(&self.arena, &self.live, &mut self.lots)
            };
            match next {
                Some(next) => queue = next,
                None => return planes,
            }
        }
    }

    /// Moves transactions for other planes of the die, at the same page of a block, from the queues to a command. Returns
    /// the planes of the command.
    fn gather(&mut self, at: u32, queue: usize, first: u32, list: &mut List) -> u32 {
        let queued = self.units[at as usize].queued;
        let others = queued & partners(queue, self.live.scheduling);
        let own = queued & 1 << queue;
        if own | others == 0 {
            return 1;
        }
        let layout = &self.model.layout;
        let physical = self.arena.at(first).physical;
        let (row, plane) = (layout.row(physical), layout.plane(physical));
        let die = plane / layout.planes_per_die;
        let mut used = 1u64 << (plane % layout.planes_per_die);
        let mut planes = 1;
        for queue in queues_of(own).chain(queues_of(others)) {
            let for_gc = matches!(queue, GC_READ | GC_WRITE);
            let mut left = if for_gc { self.model.parameters.gc_look_ahead } else { USER_LOOK_AHEAD };
            let mut before = None;
            let mut number = self.units[at as usize].queues[queue].head;
            while number != NONE && left > 0 {
                left -= 1;
                let transaction = self.arena.at(number);
                let next = transaction.next;
                if queue != ERASE && layout.row(transaction.physical) != row {
                    before = Some(number);
                    number = next;
                    continue;
                }
                let plane = layout.plane(transaction.physical);
                let bit = 1u64 << (plane % layout.planes_per_die);
                let fits = plane / layout.planes_per_die == die && used & bit == 0;
                if fits && (queue != ERASE || self.is_erasable(at, number)) {
                    let unit = &mut self.units[at as usize];
                    unit.remove(&mut self.arena, queue, before);
                    unit.charge(queue);
                    self.arena.push(list, number);
                    used |= bit;
                    planes += 1;
                    if planes == layout.planes_per_die {
                        return planes;
                    }
                } else {
                    before = Some(number);
                }
                number = next;
            }
        }
        planes
    }

    /// Whether no read waits for the block that a transaction erases.
    fn is_erasable(&self, at: u32, number: u32) -> bool {
        let layout = &self.model.layout;
        let block = layout.block_index(self.arena.at(number).physical);
        !read_waits_for(&self.units[at as usize], &self.arena, |physical| layout.block_index(physical) == block)
    }

    /// A read waits: interrupts the program or erase of a unit if that is allowed and gains time.
    fn suspend(&mut self, at: u32, now_ps: u64) {
        let flash = &self.model.parameters.flash;
        let unit = &mut self.units[at as usize];
        let erases = unit.status == Status::Erasing;
        let (allowed, delay_ps) = match (self.live.suspension, erases) {
            (Suspension::Program | Suspension::ProgramAndErase, false) => (true, flash.suspend_program_ps),
            (Suspension::Erase | Suspension::ProgramAndErase, true) => (true, flash.suspend_erase_ps),
            _ => (false, 0),
        };
        let Some(job) = unit.job.as_mut().filter(|job| allowed && job.suspensions < flash.suspensions_max) else {
            return;
        };
        let stops_ps = now_ps.max(job.array_begins_ps);
        let limit_ps = self.live.write_age_limit_ps;
        let aged = limit_ps > 0 && job.since_ps.saturating_add(limit_ps) <= stops_ps + delay_ps;
        if unit.suspended.is_some() || stops_ps + delay_ps >= job.ends_ps || aged {
            return;
        }
        job.suspensions += 1;
        // What is left when it goes on.
        job.ends_ps -= stops_ps;
        unit.status = Status::Suspending;
        let count = if erases { &mut self.counters.erase_suspensions } else { &mut self.counters.program_suspensions };
        *count += 1;
        self.events.set(self.unit_leaf(at), stops_ps + delay_ps);
    }

    /// Goes on with what was suspended.
    fn resume(&mut self, at: u32, now_ps: u64) {
        let unit = &mut self.units[at as usize];
        if let Some(mut job) = unit.suspended.take() {
            job.array_begins_ps = now_ps;
            job.ends_ps += now_ps;
            unit.begin(now_ps, job);
            self.events.set(self.unit_leaf(at), job.ends_ps);
        }
    }

    /// The leaf of a unit among the events.
    #[inline]
    pub(super) fn unit_leaf(&self, at: u32) -> usize {
        // Before the units of each channel stands its bus.
        (at + self.model.layout.place(at).channel + 1) as usize
    }
}
