//! Flash units and the order in which they take the transactions that wait for them.
//!
//! A unit works on one command at a time. Transactions wait in queues by what they do and by level; reads come before
//! programs and erases, those for the mapping table first. Among levels, Urgent is strictly first and High, Medium and Low
//! take turns by weights, each with credits for so many pages a round.
//!
//! Garbage collection that is preemptible comes after commands as long as free blocks are left. When they run short, it goes on
//! beside commands: it and reads take turns, and programs for commands go at its [`Pace`]. Where it is not preemptible, it comes
//! before commands, and only a program that has waited too long takes turns with it.

use crate::kernel::random::Stream;
use crate::storage::ssd::arena::{Arena, Kind, List, NONE};
use crate::storage::ssd::parameters::{Scheduling, SsdLive};

/// Queues of a unit.
pub(super) const QUEUES: usize = 13;

/// Reads of the mapping table.
pub(super) const TABLE_READ: usize = 0;
/// Reads for commands: from here on by level.
pub(super) const USER_READ: usize = 1;
/// Reads of garbage collection.
pub(super) const GC_READ: usize = 5;
/// Programs of the mapping table.
pub(super) const TABLE_WRITE: usize = 6;
/// Programs for commands: from here on by level.
pub(super) const USER_WRITE: usize = 7;
/// Programs of garbage collection.
pub(super) const GC_WRITE: usize = 11;
/// Erases.
pub(super) const ERASE: usize = 12;

const USER_READS: u16 = 0b1111 << USER_READ;
const USER_WRITES: u16 = 0b1111 << USER_WRITE;
const HOST_WRITES: u16 = USER_WRITES | 1 << TABLE_WRITE;
const READS: u16 = (1 << TABLE_WRITE) - 1;
/// Garbage collection, the last step first.
const GC_STEPS: [usize; 3] = [ERASE, GC_WRITE, GC_READ];
const GC_QUEUES: u16 = 1 << ERASE | 1 << GC_WRITE | 1 << GC_READ;
/// What a suspension is for.
const PRESSING: u16 = USER_READS | 1 << TABLE_READ;

/// What a unit does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Status {
    /// Nothing; a program or erase may be suspended.
    #[default]
    Idle,
    /// Its array reads.
    Reading,
    /// What it has read waits for the channel or passes it.
    DataOut,
    /// It programs, or receives the data for it.
    Programming,
    /// It erases.
    Erasing,
    /// It is on the way to a suspension.
    Suspending,
}

/// A command to a unit.
#[derive(Clone, Copy, Debug)]
pub(super) struct Job {
    /// Its transactions, a list by their `next`.
    pub(super) first: u32,
    pub(super) status: Status,
    pub(super) for_gc: bool,
    /// When the array began or will begin, and when it ends.
    pub(super) array_begins_ps: u64,
    pub(super) ends_ps: u64,
    pub(super) suspensions: u32,
    /// When its first transaction began to wait.
    pub(super) since_ps: u64,
}

/// How programs for commands keep pace with garbage collection while free blocks are short: as many pages are programmed for
/// commands as victims give back. A victim with `v` of `P` pages valid takes `v` programs and an erase, and gives `P - v`; each of
/// these steps so allows `(P - v) / (v + 1)` pages. A controller that does so never stops writes for the time of a whole victim,
/// nor does it let them use up the blocks that garbage collection needs.
#[derive(Clone, Copy, Debug)]
struct Pace {
    /// Steps of the last victim.
    steps: i64,
    /// Pages that it gives back.
    gain: i64,
    /// Pages that may be programmed for commands, times `steps`. Below nothing after a program of several planes.
    allowed: i64,
    /// What is allowed at most: as much as a victim of each plane gives back, so that none is begun with more.
    most: i64,
}

impl Default for Pace {
    fn default() -> Self {
        Self { steps: 1, gain: 1, allowed: 0, most: 2 }
    }
}

impl Pace {
    /// Whether a program for a command may go before garbage collection.
    fn allows_program(self) -> bool {
        self.allowed >= self.steps
    }

    /// A transaction of a queue goes to the unit.
    fn count(&mut self, queue: usize) {
        match queue {
            GC_WRITE | ERASE => self.allowed = (self.allowed + self.gain).min(self.most),
            TABLE_WRITE..GC_WRITE => self.allowed = (self.allowed - self.steps).max(-self.most),
            _ => (),
        }
    }
}

/// One flash unit.
#[derive(Clone, Debug, Default)]
pub(super) struct Unit {
    pub(super) status: Status,
    /// Queues that hold something.
    pub(super) queued: u16,
    pub(super) queues: [List; QUEUES],
    pub(super) waiting: u32,
    pub(super) job: Option<Job>,
    /// Transactions of the job whose data are not out.
    pub(super) out_left: u32,
    pub(super) suspended: Option<Job>,
    read_credits: [u32; 3],
    write_credits: [u32; 3],
    /// The last command was one with which reads, or garbage collection that is not preemptible, take turns: now they go.
    took_turn: bool,
    pace: Pace,
    /// Groups that are short of free blocks.
    pub(super) urgent_groups: u32,
    /// When the command under way began, and what all before it have taken.
    busy_since_ps: u64,
    busy_ps: u64,
    gc_ps: u64,
}

/// What a unit takes next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Choice {
    /// The first transaction of a queue.
    Queue(usize),
    /// It goes on with what was suspended.
    Resume,
    /// Nothing.
    Nothing,
}

/// The queue that a transaction waits in.
pub(super) fn queue_of(kind: Kind, level: u8, scheduling: Scheduling) -> usize {
    let level = if scheduling == Scheduling::Fifo { 0 } else { level as usize };
    match kind {
        Kind::TableRead | Kind::TableUpdate => TABLE_READ,
        Kind::Read | Kind::UpdateRead => USER_READ + level,
        Kind::GcRead => GC_READ,
        Kind::TableWrite => TABLE_WRITE,
        Kind::Write => USER_WRITE + level,
        Kind::GcWrite => GC_WRITE,
        Kind::Erase => ERASE,
    }
}

impl Unit {
    /// Puts a transaction at the end of its queue.
    #[inline]
    pub(super) fn push(&mut self, arena: &mut Arena, queue: usize, number: u32) {
        arena.push(&mut self.queues[queue], number);
        self.queued |= 1 << queue;
        self.waiting += 1;
    }

    /// Takes a transaction out of a queue, behind another or the first: it goes to the unit.
    #[inline]
    pub(super) fn remove(&mut self, arena: &mut Arena, queue: usize, before: Option<u32>) -> u32 {
        let removed = arena.remove_behind(&mut self.queues[queue], before);
        if self.queues[queue].is_empty() {
            self.queued &= !(1 << queue);
        }
        self.waiting -= 1;
        self.pace.count(queue);
        removed
    }

    /// Whether the unit could take or resume something at once.
    #[inline]
    pub(super) fn is_ready(&self) -> bool {
        self.status == Status::Idle && (self.queued != 0 || self.suspended.is_some())
    }

    /// What the unit takes next. `erasable` says whether the first erase may go, since no read waits for its block, and `fills_row`
    /// whether the first program of garbage collection may: reads are still to bring pages of its row otherwise.
    pub(super) fn choose(
        &mut self,
        arena: &Arena,
        live: &SsdLive,
        random: &mut Stream,
        now_ps: u64,
        erasable: impl Fn(&Self) -> bool,
        fills_row: impl Fn(&Self) -> bool,
    ) -> Choice {
        let aged =
            |since_ps: u64| live.write_age_limit_ps > 0 && since_ps.saturating_add(live.write_age_limit_ps) <= now_ps;
        let waits_too_long = |unit: &Self, queue: usize| aged(arena.at(unit.queues[queue].head).since_ps);
        if let Some(job) = &self.suspended {
            if self.queued & PRESSING == 0 || aged(job.since_ps) {
                return Choice::Resume;
            }
            return Choice::Queue(self.choose_read(arena, live, random, self.queued & PRESSING));
        }
        let mut queued = self.queued;
        if queued & 1 << ERASE != 0 && !erasable(self) {
            queued &= !(1 << ERASE);
        }
        if queued & 1 << GC_WRITE != 0 && !fills_row(self) {
            queued &= !(1 << GC_WRITE);
        }
        if queued == 0 {
            return Choice::Nothing;
        }
        let gc_presses = !live.gc_preemptible || self.urgent_groups > 0;
        let gc_waits = queued & GC_QUEUES != 0 && queued & 1 << TABLE_READ == 0;
        if gc_presses
            && gc_waits
            && let Some(gc_step) = GC_STEPS.into_iter().find(|queue| queued & 1 << queue != 0)
        {
            return Choice::Queue(self.choose_beside_gc(arena, live, random, queued, gc_step, waits_too_long));
        }
        let reads = queued & READS;
        let writes = queued & !READS;
        if reads == 0 {
            return Choice::Queue(self.choose_write(arena, live, random, writes));
        }
        self.took_turn = !self.took_turn && queues_of(writes).any(|queue| waits_too_long(self, queue));
        if self.took_turn {
            return Choice::Queue(self.choose_write(arena, live, random, writes));
        }
        Choice::Queue(self.choose_read(arena, live, random, reads))
    }

    /// The queue whose turn it is while garbage collection presses, the next step of which waits.
    fn choose_beside_gc(
        &mut self,
        arena: &Arena,
        live: &SsdLive,
        random: &mut Stream,
        queued: u16,
        gc_step: usize,
        waits_too_long: impl Fn(&Self, usize) -> bool,
    ) -> usize {
        let (reads, writes) = (queued & USER_READS, queued & HOST_WRITES);
        if live.gc_preemptible {
            // Reads take turns with it, and programs go at its pace.
            self.took_turn = !(self.took_turn && reads != 0);
            return if !self.took_turn {
                self.choose_read(arena, live, random, reads)
            } else if writes != 0 && self.pace.allows_program() {
                self.choose_write(arena, live, random, writes)
            } else {
                gc_step
            };
        }
        // The command that has waited longest takes turns with it, if it has waited too long.
        let first = queues_of(reads | writes).min_by_key(|&queue| arena.at(self.queues[queue].head).since_ps);
        let due = first.filter(|&queue| !self.took_turn && waits_too_long(self, queue));
        self.took_turn = due.is_some();
        match due {
            Some(queue) if queue < TABLE_WRITE => self.choose_read(arena, live, random, reads),
            Some(_) => self.choose_write(arena, live, random, writes),
            None => gc_step,
        }
    }

    /// The queue of reads whose turn it is.
    fn choose_read(&mut self, arena: &Arena, live: &SsdLive, random: &mut Stream, reads: u16) -> usize {
        if reads & 1 << TABLE_READ != 0 {
            TABLE_READ
        } else if reads & USER_READS != 0 {
            let levels = (reads & USER_READS) >> USER_READ;
            USER_READ
                + choose_level(arena, &self.queues[USER_READ..GC_READ], live, random, levels, &mut self.read_credits)
        } else {
            GC_READ
        }
    }

    /// The queue of programs and erases whose turn it is.
    fn choose_write(&mut self, arena: &Arena, live: &SsdLive, random: &mut Stream, writes: u16) -> usize {
        if writes & 1 << TABLE_WRITE != 0 {
            TABLE_WRITE
        } else if let Some(queue) = self.next_user_write(arena, live, random) {
            queue
        } else if writes & 1 << GC_WRITE != 0 {
            GC_WRITE
        } else {
            ERASE
        }
    }

    /// The queue of programs for commands whose turn it is; none if all are empty.
    pub(super) fn next_user_write(&mut self, arena: &Arena, live: &SsdLive, random: &mut Stream) -> Option<usize> {
        let levels = (self.queued & USER_WRITES) >> USER_WRITE;
        let queues = &self.queues[USER_WRITE..GC_WRITE];
        (levels != 0).then(|| USER_WRITE + choose_level(arena, queues, live, random, levels, &mut self.write_credits))
    }

    /// A page beyond the first goes with a command from a queue: it uses a credit, too.
    pub(super) fn charge(&mut self, queue: usize) {
        let credit = match queue {
            _ if (USER_READ + 1..GC_READ).contains(&queue) => &mut self.read_credits[queue - USER_READ - 1],
            _ if (USER_WRITE + 1..GC_WRITE).contains(&queue) => &mut self.write_credits[queue - USER_WRITE - 1],
            _ => return,
        };
        *credit = credit.saturating_sub(1);
    }

    /// A victim is begun of whose `pages` in the unit `moved` are to be programmed elsewhere, and the rest is given back. A unit whose
    /// commands take up to so many planes.
    pub(super) fn set_pace(&mut self, moved: u32, pages: u32, planes: u32) {
        let (steps, gain) = (i64::from(moved) + 1, i64::from(pages.saturating_sub(moved)).max(1));
        self.pace = Pace { steps, gain, allowed: self.pace.allowed, most: (steps + gain) * i64::from(planes) };
    }

    /// A round begins anew, since weights have changed.
    pub(super) fn forget_credits(&mut self) {
        self.read_credits = [0; 3];
        self.write_credits = [0; 3];
    }

    /// A command begins, or goes on.
    pub(super) fn begin(&mut self, now_ps: u64, job: Job) {
        self.status = job.status;
        self.busy_since_ps = now_ps;
        self.job = Some(job);
    }

    /// The command ends, or is suspended.
    pub(super) fn end(&mut self, now_ps: u64) -> Option<Job> {
        let job = self.job.take();
        let taken_ps = now_ps - self.busy_since_ps;
        self.busy_ps += taken_ps;
        if job.is_some_and(|job| job.for_gc) {
            self.gc_ps += taken_ps;
        }
        self.status = Status::Idle;
        job
    }

    /// Time that the unit has worked.
    pub(super) fn busy_ps(&self, now_ps: u64) -> u64 {
        self.busy_ps + self.job.map_or(0, |_| now_ps.saturating_sub(self.busy_since_ps))
    }

    /// Time that the unit has worked for garbage collection.
    #[inline]
    pub(super) fn gc_ps(&self, now_ps: u64) -> u64 {
        let under_way = self.job.is_some_and(|job| job.for_gc);
        self.gc_ps + if under_way { now_ps.saturating_sub(self.busy_since_ps) } else { 0 }
    }
}

/// The queues of a mask.
pub(super) fn queues_of(mut mask: u16) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let queue = (mask != 0).then(|| mask.trailing_zeros() as usize);
        mask &= mask.wrapping_sub(1);
        queue
    })
}

/// The level whose turn it is among those of a mask, which is not empty.
fn choose_level(
    arena: &Arena,
    queues: &[List],
    live: &SsdLive,
    random: &mut Stream,
    levels: u16,
    credits: &mut [u32; 3],
) -> usize {
    let holds = |level: usize| levels & 1 << level != 0;
    let only_one = levels & (levels - 1) == 0;
    if only_one && (levels == 1 || live.scheduling != Scheduling::Priority) {
        return levels.trailing_zeros() as usize;
    }
    if live.scheduling == Scheduling::Fifo {
        let since = |&level: &usize| (arena.at(queues[level].head).since_ps, level);
        return (0..queues.len()).filter(|&level| holds(level)).min_by_key(since).unwrap_or(0);
    }
    if holds(0) {
        return 0;
    }
    if live.scheduling == Scheduling::Lottery {
        let weight = |level: usize| if holds(level) { u64::from(live.weights[level - 1].max(1)) } else { 0 };
        let mut drawn = random.integer(0, (1..=3).map(weight).sum::<u64>() - 1);
        for level in 1..3 {
            if drawn < weight(level) {
                return level;
            }
            drawn -= weight(level);
        }
        return 3;
    }
    loop {
        if let Some(level) = (1..=3).find(|&level| holds(level) && credits[level - 1] > 0) {
            credits[level - 1] -= 1;
            return level;
        }
        *credits = live.weights.map(|weight| weight.max(1));
    }
}

/// Whether a read that waits for a unit is for a page of a block.
pub(super) fn read_waits_for(unit: &Unit, arena: &Arena, is_in_block: impl Fn(u32) -> bool) -> bool {
    unit.queues[..TABLE_WRITE].iter().any(|queue| {
        let mut number = queue.head;
        while number != NONE {
            let transaction = arena.at(number);
            if is_in_block(transaction.physical) {
                return true;
            }
            number = transaction.next;
        }
        false
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::storage::SsdParameters;
    use crate::storage::ssd::arena::Transaction;
    use crate::storage::ssd::presets::Preset;

    /// A unit for which one transaction of each kind waits.
    fn one_of_each(arena: &mut Arena) -> Unit {
        let mut unit = Unit::default();
        for queue in [TABLE_READ, USER_READ, GC_READ, TABLE_WRITE, USER_WRITE, GC_WRITE, ERASE] {
            let number = arena.insert(Transaction::default());
            unit.push(arena, queue, number);
        }
        unit
    }

    /// The order in which a unit takes all that waits.
    fn order(mut unit: Unit, arena: &mut Arena, live: &SsdLive) -> Vec<usize> {
        let mut random = Stream::new(1, "order", 0);
        std::iter::from_fn(|| match unit.choose(arena, live, &mut random, 0, |_| true, |_| true) {
            Choice::Queue(queue) => {
                unit.remove(arena, queue, None);
                Some(queue)
            }
            _ => None,
        })
        .collect()
    }

    #[test]
    fn garbage_collection_that_is_not_preemptible_comes_before_reads_and_writes() {
        let mut arena = Arena::default();
        let unit = one_of_each(&mut arena);
        let live = SsdParameters::preset(Preset::Mqsim).live;
        assert!(!live.gc_preemptible);
        let chosen = order(unit, &mut arena, &live);
        assert_eq!(chosen, [TABLE_READ, ERASE, GC_WRITE, GC_READ, USER_READ, TABLE_WRITE, USER_WRITE]);
    }

    /// Which of two queues that are never empty goes, over so many turns, beside garbage collection of blocks of four pages.
    fn turns(valid: u32, queues: [usize; 2], count: usize) -> Vec<usize> {
        let mut arena = Arena::default();
        let mut unit = Unit { urgent_groups: 1, ..Unit::default() };
        unit.set_pace(valid, 4, 1);
        for _ in 0..count {
            for queue in queues {
                let number = arena.insert(Transaction::default());
                unit.push(&mut arena, queue, number);
            }
        }
        let live = SsdParameters::preset(Preset::TlcNvme).live;
        order(unit, &mut arena, &live)[..count].to_vec()
    }

    #[test]
    fn programs_keep_pace_with_urgent_garbage_collection() {
        const HOST: usize = USER_WRITE;
        const GC: usize = GC_WRITE;
        // Three moves and an erase give back one page.
        assert_eq!(turns(3, [HOST, GC], 10), [GC, GC, GC, GC, HOST, GC, GC, GC, GC, HOST]);
        // A move and an erase give back three.
        assert_eq!(turns(1, [HOST, GC], 10), [GC, HOST, GC, HOST, HOST, GC, HOST, GC, HOST, HOST]);
        // A full block gives back nothing: a page goes all the same for each such block.
        assert_eq!(turns(4, [HOST, GC], 12), [GC, GC, GC, GC, GC, HOST, GC, GC, GC, GC, GC, HOST]);
        // An erase alone gives back all four.
        assert_eq!(turns(0, [HOST, ERASE], 10), [ERASE, HOST, HOST, HOST, HOST, ERASE, HOST, HOST, HOST, HOST]);
    }

    #[test]
    fn reads_take_turns_with_urgent_garbage_collection() {
        let (read, gc) = (USER_READ, GC_WRITE);
        assert_eq!(turns(3, [read, gc], 6), [gc, read, gc, read, gc, read]);
    }

    #[test]
    fn what_has_waited_too_long_takes_turns_with_garbage_collection_that_is_not_preemptible() {
        let (live, mut random) = (SsdParameters::preset(Preset::TlcNvme).live, Stream::new(1, "order", 0));
        let live = SsdLive { gc_preemptible: false, write_age_limit_ps: 5, ..live };
        let mut arena = Arena::default();
        let mut unit = Unit::default();
        for (queue, since_ps) in [(USER_WRITE, 2), (USER_READ, 1), (USER_WRITE, 3), (USER_READ, 9)] {
            let number = arena.insert(Transaction { since_ps, ..Transaction::default() });
            unit.push(&mut arena, queue, number);
        }
        for _ in 0..6 {
            let number = arena.insert(Transaction::default());
            unit.push(&mut arena, GC_WRITE, number);
        }
        let mut at = |now_ps| match unit.choose(&arena, &live, &mut random, now_ps, |_| true, |_| true) {
            Choice::Queue(queue) => {
                unit.remove(&mut arena, queue, None);
                queue
            }
            other => panic!("{other:?}"),
        };
        // The read waits since 1 and is the first to have waited for 5; then the writes; the read since 9 has not yet.
        let order = [5, 6, 7, 8, 9, 10, 11].map(&mut at);
        assert_eq!(order, [GC_WRITE, USER_READ, GC_WRITE, USER_WRITE, GC_WRITE, USER_WRITE, GC_WRITE]);
    }

    #[test]
    fn commands_come_before_garbage_collection_that_is_preemptible() {
        let mut arena = Arena::default();
        let unit = one_of_each(&mut arena);
        let live = SsdParameters::preset(Preset::TlcNvme).live;
        assert!(live.gc_preemptible);
        let chosen = order(unit, &mut arena, &live);
        assert_eq!(chosen, [TABLE_READ, USER_READ, GC_READ, TABLE_WRITE, USER_WRITE, GC_WRITE, ERASE]);
    }
}
