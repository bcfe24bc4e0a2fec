//! A persistent memory: byte-addressed, some hundred nanoseconds.
//!
//! Accesses go to banks by granules, all granules of a command at once where their banks are free. A write of part of a
//! granule reads it first. Data pass a channel with a bandwidth for each direction, in the order in which the cells of their
//! commands are done: a command whose banks are free overtakes one that waits for a busy bank. A fixed time for controller
//! and bus, and a random spread, come on top. Commands are chosen from their queues by the same arbitration as those of an
//! SSD.

use std::sync::Arc;

use crate::kernel::agenda::Agenda;
use crate::kernel::convert::{index, saturated};
use crate::kernel::digest::Digest;
use crate::kernel::random::Stream;
use crate::kernel::slab::Slab;
use crate::kernel::time::{NEVER_PS, PS_PER_S};
use crate::kernel::timers::Timers;
use crate::storage::command::{Command, Completion, Opcode, Served, Spent};
use crate::storage::counters::{Counters, Occupancy, Pieces};
use crate::storage::nvme::{NvmeParameters, Queues};

/// A persistent memory.
///
/// The defaults are one module of Intel Optane DC persistent memory (Izraelevitz et al., "Basic performance measurements of
/// the Intel Optane DC persistent memory module", 2019: random load 305 ns, granules of 256 B, six modules read 39.4 GB/s
/// and write 13.9 GB/s), with times set so that idle accesses of 128 B and 256 B take 300 to 800 ns.
#[derive(Clone, Debug, PartialEq)]
pub struct MemoryParameters {
    /// Bytes.
    pub capacity_bytes: u64,
    /// Bytes that the cells are accessed by.
    pub granule_bytes: u32,
    /// Granules that can be accessed at once; neighbouring granules lie in different banks.
    pub banks: u32,
    /// Time of controller and bus in a read, and in commands that access nothing.
    pub read_base_ps: u64,
    /// Time of controller and bus in a write.
    pub write_base_ps: u64,
    /// Time to read a granule.
    pub read_granule_ps: u64,
    /// Time to write a granule.
    pub write_granule_ps: u64,
    /// Bandwidth of reads in bytes per second.
    pub read_bytes_per_s: u64,
    /// Bandwidth of writes in bytes per second.
    pub write_bytes_per_s: u64,
    /// The longest random time, uniform from 0, that is added to an access; 0 for none.
    pub spread_ps: u64,
}

impl Default for MemoryParameters {
    fn default() -> Self {
        Self {
            capacity_bytes: 128 << 30,
            granule_bytes: 256,
            banks: 16,
            read_base_ps: 200_000,
            write_base_ps: 200_000,
            read_granule_ps: 100_000,
            write_granule_ps: 200_000,
            read_bytes_per_s: 6_570_000_000,
            write_bytes_per_s: 2_320_000_000,
            spread_ps: 100_000,
        }
    }
}

/// A command that has left its queue.
#[derive(Clone, Copy, Debug)]
struct Running {
    command: Command,
    /// What will be told of it, as far as it is known.
    served: Served,
    /// Time that its data need of the channel.
    transfer_ps: u64,
    /// Time of controller and bus, and the random time.
    fixed_ps: u64,
}

/// A direction of the channel.
#[derive(Clone, Copy, Debug, Default)]
struct Direction {
    /// When all data that were let on to it have passed.
    free_ps: u64,
    /// Time that those data take, what is still to come included.
    reserved_ps: u64,
}

impl Direction {
    /// Lets data pass that are ready now. Returns when they begin to.
    fn take(&mut self, now_ps: u64, transfer_ps: u64) -> u64 {
        let begins_ps = self.free_ps.max(now_ps);
        self.free_ps = begins_ps + transfer_ps;
        self.reserved_ps += transfer_ps;
        begins_ps
    }

    /// Time that data have passed until now: what is still to come follows without a gap.
    fn busy_ps(&self, now_ps: u64) -> u64 {
        self.reserved_ps - self.free_ps.saturating_sub(now_ps)
    }
}

/// A flush that waits for writes whose end is not known yet.
#[derive(Clone, Copy, Debug)]
struct WaitingFlush {
    slot: u32,
    /// Its number among the commands that have begun.
    number: u64,
    /// Writes before it that have not come to the channel.
    writes_ahead: u32,
}

/// A persistent memory and its queues.
#[derive(Clone, Debug)]
pub struct Memory {
    parameters: Arc<MemoryParameters>,
    queues: Queues<Command>,
    arrivals: Agenda<Command>,
    /// Commands under way, by slot.
    running: Slab<Running>,
    /// Commands that have begun.
    begun: u64,
    /// When the cells of commands are done, by their number among those that have begun, and their slot.
    ready: Timers<(u64, u32)>,
    /// Ends of commands, by slot.
    ends: Timers<u32>,
    done: Agenda<Completion>,
    bank_free_ps: Vec<u64>,
    bank_busy_ps: Vec<u64>,
    reads: Direction,
    writes: Direction,
    /// When the last write that has come to the channel ends.
    written_ps: u64,
    /// Writes whose cells are not done.
    writes_in_cells: u32,
    flushes: Vec<WaitingFlush>,
    spread: Stream,
    counters: Counters,
}

impl Memory {
    /// A memory in which nothing has happened yet.
    pub fn new(parameters: &Arc<MemoryParameters>, nvme: &NvmeParameters, seed: u64) -> Self {
        let banks = parameters.banks.max(1) as usize;
        Self {
            queues: Queues::new(nvme),
            arrivals: Agenda::default(),
            running: Slab::default(),
            begun: 0,
            ready: Timers::default(),
            ends: Timers::default(),
            done: Agenda::default(),
            bank_free_ps: vec![0; banks],
            bank_busy_ps: vec![0; banks],
            reads: Direction::default(),
            writes: Direction::default(),
            written_ps: 0,
            writes_in_cells: 0,
            flushes: Vec::new(),
            spread: Stream::new(seed, "storage memory spread", 0),
            counters: Counters::default(),
            parameters: Arc::clone(parameters),
        }
    }

    pub(super) fn submit(&mut self, at_ps: u64, command: Command) {
        self.arrivals.push(at_ps, command);
    }

    pub(super) fn next_ps(&self) -> u64 {
        self.next_event_ps().min(self.done.next_ps())
    }

    pub(super) fn run(&mut self, before_ps: u64, events: &mut u64) -> Option<Completion> {
        loop {
            let now_ps = self.next_event_ps();
            let due_ps = self.done.next_ps();
            if now_ps >= before_ps || now_ps > due_ps {
                return (due_ps < before_ps).then(|| self.done.pop().1);
            }
            *events += 1;
            if self.ends.next_ps() <= now_ps {
                self.end();
            } else if self.ready.next_ps() <= now_ps {
                self.transfer();
            } else {
                let (_, command) = self.arrivals.pop();
                self.queues.push(command, &command);
            }
            self.fetch(now_ps);
        }
    }

    fn fetch(&mut self, now_ps: u64) {
        while let Some(command) = self.queues.fetch() {
            self.begin(now_ps, command);
        }
    }

    pub(super) fn set_nvme(&mut self, now_ps: u64, parameters: &NvmeParameters) {
        self.queues.set(parameters);
        self.fetch(now_ps);
    }

    pub(super) fn counters(&self) -> &Counters {
        &self.counters
    }

    pub(super) fn occupancy(&self, now_ps: u64, occupancy: &mut Occupancy) {
        occupancy.begin(&self.queues);
        occupancy.channel_busy_ps.extend([self.reads, self.writes].map(|direction| direction.busy_ps(now_ps)));
        let passed = |(&busy_ps, &free_ps): (&u64, &u64)| busy_ps - free_ps.saturating_sub(now_ps).min(busy_ps);
        occupancy.chip_busy_ps.extend(self.bank_busy_ps.iter().zip(&self.bank_free_ps).map(passed));
        // Nothing is collected, and what waits for a bank waits in no queue of its own.
        occupancy.chip_gc_ps.resize(self.bank_busy_ps.len(), 0);
        occupancy.chip_waiting.resize(self.bank_busy_ps.len(), 0);
        occupancy.divide(occupancy.in_device, self.pieces(now_ps));
    }

    /// Commands inside, by whether they wait for a bank or for the channel.
    fn pieces(&self, now_ps: u64) -> Pieces {
        let in_cells = self.ready.iter().map(|(_, (_, slot))| self.running.at(slot).served.started_ps);
        let in_channel = self.ends.iter().map(|(at_ps, slot)| {
            let Running { transfer_ps, fixed_ps, .. } = *self.running.at(slot);
            at_ps - transfer_ps - fixed_ps
        });
        let commands = (self.ready.len() + self.ends.len()) as u64;
        let waiting = in_cells.chain(in_channel).filter(|&begins_ps| begins_ps > now_ps).count() as u64;
        Pieces { waiting, at_work: commands - waiting }
    }

    pub(super) fn bytes(&self) -> usize {
        size_of::<Self>() + size_of_val(&*self.bank_free_ps) + size_of_val(&*self.bank_busy_ps) + self.running.bytes()
    }

    pub(super) fn digest(&self, digest: &mut Digest) {
        self.queues.digest(digest);
        self.counters.digest(digest);
        digest.word(u64::from(self.arrivals.len()) << 32 | u64::from(self.done.len()));
        [self.next_ps(), self.reads.free_ps, self.writes.free_ps].into_iter().for_each(|instant| digest.word(instant));
        self.bank_free_ps.iter().for_each(|&instant| digest.word(instant));
    }

    fn next_event_ps(&self) -> u64 {
        self.ends.next_ps().min(self.ready.next_ps()).min(self.arrivals.next_ps())
    }

    /// A command has left its queue.
    fn begin(&mut self, now_ps: u64, command: Command) {
        let parameters = Arc::clone(&self.parameters);
        self.counters.commands[command.level as usize] += 1;
        let number = self.begun;
        self.begun += 1;
        let at_once = |at_ps| {
            let served = Served { fetched_ps: now_ps, started_ps: now_ps, at_ps, spent: Spent::default() };
            Running { command, served, transfer_ps: 0, fixed_ps: 0 }
        };
        match command.opcode {
            Opcode::Read | Opcode::Write => self.access(now_ps, number, command),
            Opcode::Flush => {
                let slot = self.running.insert(at_once((now_ps + parameters.read_base_ps).max(self.written_ps)));
                match self.writes_in_cells {
                    0 => self.ends.set(self.running.at(slot).served.at_ps, slot),
                    writes_ahead => self.flushes.push(WaitingFlush { slot, number, writes_ahead }),
                }
            }
            Opcode::Trim => {
                let at_ps = now_ps + parameters.write_base_ps;
                let slot = self.running.insert(at_once(at_ps));
                self.ends.set(at_ps, slot);
            }
        }
    }

    /// Accesses the granules of a range, each as soon as its bank is free.
    fn access(&mut self, now_ps: u64, number: u64, command: Command) {
        let parameters = &*self.parameters;
        let write = command.opcode == Opcode::Write;
        let granule = u64::from(parameters.granule_bytes.max(1));
        let begin = command.address % parameters.capacity_bytes.max(1);
        let end = begin + u64::from(command.bytes.max(1));
        let (first, last) = (begin / granule, (end - 1) / granule);
        let banks = self.bank_free_ps.len() as u64;
        let mut started_ps = NEVER_PS;
        let mut critical = (0, 0, 0); // end, wait, time of the cells
        for at in first..=last {
            let partial = at * granule < begin || (at + 1) * granule > end;
            let cells_ps = match (write, partial) {
                (false, _) => parameters.read_granule_ps,
                (true, false) => parameters.write_granule_ps,
                (true, true) => parameters.read_granule_ps + parameters.write_granule_ps,
            };
            let bank = index(at % banks);
            let begins_ps = self.bank_free_ps[bank].max(now_ps);
            self.bank_free_ps[bank] = begins_ps + cells_ps;
            self.bank_busy_ps[bank] += cells_ps;
            started_ps = started_ps.min(begins_ps);
            critical = critical.max((begins_ps + cells_ps, begins_ps - now_ps, cells_ps));
        }
        let granules = last - first + 1;
        let (rate, base_ps) = match write {
            true => (parameters.write_bytes_per_s, parameters.write_base_ps),
            false => (parameters.read_bytes_per_s, parameters.read_base_ps),
        };
        let transfer_ps = saturated(u128::from(granules * granule) * u128::from(PS_PER_S) / u128::from(rate.max(1)));
        let spread_ps = if parameters.spread_ps > 0 { self.spread.integer(0, parameters.spread_ps) } else { 0 };
        self.counters.count_pages(command.level, write, granules);
        self.writes_in_cells += u32::from(write);
        let (ready_ps, waited_ps, array_ps) = critical;
        let spent = Spent { waited_ps, held_by_gc_ps: 0, waited_channel_ps: 0, transfer_ps, array_ps };
        let served = Served { fetched_ps: now_ps, started_ps, at_ps: NEVER_PS, spent };
        let running = Running { command, served, transfer_ps, fixed_ps: base_ps + spread_ps };
        let slot = self.running.insert(running);
        self.ready.set(ready_ps, (number, slot));
    }

    /// The cells of a command are done: its data are the next to pass the channel.
    fn transfer(&mut self) {
        let Some((now_ps, (number, slot))) = self.ready.pop() else { return };
        let Running { command, served, transfer_ps, fixed_ps } = self.running.at_mut(slot);
        let write = command.opcode == Opcode::Write;
        let direction = if write { &mut self.writes } else { &mut self.reads };
        let begins_ps = direction.take(now_ps, *transfer_ps);
        served.spent.waited_channel_ps = begins_ps - now_ps;
        served.at_ps = begins_ps + *transfer_ps + *fixed_ps;
        let at_ps = served.at_ps;
        self.ends.set(at_ps, slot);
        if write {
            self.written_ps = self.written_ps.max(at_ps);
            self.writes_in_cells -= 1;
            self.let_flushes_go_on(number, at_ps);
        }
    }

    /// Write `number` ends at `at_ps`: a flush that came after it ends no sooner.
    fn let_flushes_go_on(&mut self, number: u64, at_ps: u64) {
        let (running, ends) = (&mut self.running, &mut self.ends);
        self.flushes.retain_mut(|flush| {
            if flush.number < number {
                return true;
            }
            let served = &mut running.at_mut(flush.slot).served;
            served.at_ps = served.at_ps.max(at_ps);
            flush.writes_ahead -= 1;
            if flush.writes_ahead == 0 {
                ends.set(served.at_ps, flush.slot);
            }
            flush.writes_ahead > 0
        });
    }

    fn end(&mut self) {
        if let Some((_, slot)) = self.ends.pop() {
            let Running { command: Command { tag, queue, .. }, served, .. } = *self.running.at(slot);
            self.running.free(slot);
            self.queues.leave(queue);
            self.done.push(served.at_ps, Completion { tag, served });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::storage::command::Level;

    fn command(tag: u32, opcode: Opcode, address: u64, bytes: u32) -> Command {
        Command { tag, queue: 0, queue_level: Level::High, level: Level::High, opcode, address, bytes }
    }

    fn memory(spread_ps: u64, limit: u32) -> Memory {
        let parameters = Arc::new(MemoryParameters { spread_ps, ..MemoryParameters::default() });
        Memory::new(&parameters, &NvmeParameters { device_limit: limit, ..NvmeParameters::default() }, 1)
    }

    fn alone_ps(opcode: Opcode, address: u64, bytes: u32) -> u64 {
        let mut memory = memory(0, 128);
        memory.submit(5, command(0, opcode, address, bytes));
        memory.run(NEVER_PS, &mut 0).expect("completes").served.at_ps - 5
    }

    #[test]
    fn idle_accesses_take_three_to_eight_hundred_nanoseconds() {
        for bytes in [128, 256] {
            for opcode in [Opcode::Read, Opcode::Write] {
                let shortest = alone_ps(opcode, 4096, bytes);
                let longest = shortest + MemoryParameters::default().spread_ps;
                assert!(shortest >= 300_000 && longest <= 800_000, "{opcode:?} {bytes}: {shortest} to {longest}");
            }
        }
    }

    #[test]
    fn every_bank_has_all_its_readings() {
        let (memory, mut occupancy) = (memory(0, 128), Occupancy::default());
        for _ in 0..2 {
            memory.occupancy(0, &mut occupancy);
            let banks = MemoryParameters::default().banks as usize;
            let lengths = [occupancy.chip_busy_ps.len(), occupancy.chip_gc_ps.len(), occupancy.chip_waiting.len()];
            assert_eq!(lengths, [banks; 3]);
        }
    }

    #[test]
    fn part_of_a_granule_is_read_before_it_is_written() {
        let whole = alone_ps(Opcode::Write, 256, 256);
        assert_eq!(alone_ps(Opcode::Write, 256, 128), whole + MemoryParameters::default().read_granule_ps);
        assert_eq!(alone_ps(Opcode::Read, 256, 128), alone_ps(Opcode::Read, 256, 256));
    }

    #[test]
    fn bandwidth_is_that_of_the_channel() {
        let mut memory = memory(0, 128);
        (0..10_000).for_each(|tag| memory.submit(0, command(tag, Opcode::Read, u64::from(tag) * 256, 256)));
        let last = std::iter::from_fn(|| memory.run(NEVER_PS, &mut 0)).last().expect("completes");
        let rate = 2_560_000.0 / last.served.at_ps as f64 * PS_PER_S as f64;
        assert!((rate / 6.57e9 - 1.0).abs() < 0.05, "{rate}");
    }

    #[test]
    fn a_bank_serves_one_granule_at_a_time() {
        let mut memory = memory(0, 128);
        (0..2).for_each(|tag| memory.submit(0, command(tag, Opcode::Read, 0, 256)));
        let ends: Vec<u64> = std::iter::from_fn(|| memory.run(NEVER_PS, &mut 0)).map(|end| end.served.at_ps).collect();
        assert_eq!(ends[1] - ends[0], MemoryParameters::default().read_granule_ps);
    }

    /// Every end of `commands`, all submitted at 0, by tag.
    fn ends_ps(commands: impl IntoIterator<Item = (Opcode, u64)>) -> Vec<u64> {
        let mut memory = memory(0, 256);
        for (tag, (opcode, address)) in (0..).zip(commands) {
            memory.submit(0, command(tag, opcode, address, 256));
        }
        let mut ends: Vec<_> = std::iter::from_fn(|| memory.run(NEVER_PS, &mut 0)).collect();
        ends.sort_by_key(|end| end.tag);
        ends.iter().map(|end| end.served.at_ps).collect()
    }

    /// 256 bytes pass in 38,964 ps (6.57 GB/s), a granule is read in 100 ns, the base is 200 ns.
    #[test]
    fn a_read_of_a_free_bank_does_not_wait_for_reads_of_a_busy_one() {
        const TRANSFER_PS: u64 = 38_964;
        let hot = std::iter::repeat_n((Opcode::Read, 0), 120);
        let ends = ends_ps(hot.chain([(Opcode::Read, 1024)]));
        // The first of the hot bank and the cool one are ready at once: their data follow each other.
        assert_eq!(ends[0], 100_000 + TRANSFER_PS + 200_000);
        assert_eq!(ends[120], 100_000 + 2 * TRANSFER_PS + 200_000);
        assert_eq!(ends[119], 120 * 100_000 + TRANSFER_PS + 200_000);
    }

    #[test]
    fn directions_are_busy_while_data_pass_and_at_no_other_time() {
        let parameters =
            MemoryParameters { write_bytes_per_s: 100_000_000, spread_ps: 0, ..MemoryParameters::default() };
        let mut memory = Memory::new(&Arc::new(parameters), &NvmeParameters::default(), 1);
        memory.submit(0, command(0, Opcode::Write, 0, 1_000_000));
        // 3907 granules on 16 banks: 245 after each other, the last in part, in 49.1 us; 1,000,192 bytes pass in 10,001.92 us.
        let (cells_us, transfer_us) = (49, 10_001.92);
        let mut busy_us = Vec::new();
        let mut occupancy = Occupancy::default();
        for ms in 0..=12 {
            let _completion = memory.run(ms * 1_000_000_000 + 1, &mut 0);
            memory.occupancy(ms * 1_000_000_000, &mut occupancy);
            assert_eq!(occupancy.channel_busy_ps[0], 0);
            busy_us.push(occupancy.channel_busy_ps[1] as f64 / 1e6);
        }
        let shares: Vec<f64> = busy_us.windows(2).map(|pair| (pair[1] - pair[0]) / 1000.0).collect();
        assert!((shares[0] - (1.0 - f64::from(cells_us) / 1000.0)).abs() < 0.001, "{shares:?}");
        assert!(shares[1..10].iter().all(|share| (share - 1.0).abs() < 1e-9), "{shares:?}");
        assert_eq!(shares[11], 0.0);
        assert!((busy_us[12] - transfer_us).abs() < 0.001, "{busy_us:?}");
    }

    #[test]
    fn a_flush_waits_for_no_write_after_it() {
        let (write, flush) = (Opcode::Write, Opcode::Flush);
        let ends = ends_ps([(write, 0), (write, 256), (flush, 0), (write, 0), (write, 0)]);
        assert_eq!(ends[2], ends[0].max(ends[1]));
        assert!(ends[3] > ends[2] && ends[4] > ends[3]);
        assert_eq!(ends_ps([(flush, 0)]), [MemoryParameters::default().read_base_ps]);
    }

    #[test]
    fn a_flush_waits_for_the_writes_before_it() {
        let mut memory = memory(0, 128);
        memory.submit(0, command(0, Opcode::Write, 0, 128));
        memory.submit(0, command(1, Opcode::Flush, 0, 0));
        let ends: Vec<u64> = std::iter::from_fn(|| memory.run(NEVER_PS, &mut 0)).map(|end| end.served.at_ps).collect();
        assert_eq!(ends[0], ends[1]);
    }
}
