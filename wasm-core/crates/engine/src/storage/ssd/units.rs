//! Flash units and the order in which they take the transactions that wait for them.
//!
//! A unit works on one command at a time. Transactions wait in queues by what they do and by level; reads come before
//! programs and erases, those for the mapping table first. Among levels, Urgent is strictly first and High, Medium and Low
//! take turns by weights, each with credits for so many pages a round.

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
const READS: u16 = (1 << TABLE_WRITE) - 1;
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
    /// The last command was a program that had waited too long: now it is the turn of reads.
    aged_turn: bool,
    /// Planes that are short of free blocks.
    pub(super) urgent_planes: u32,
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

    /// Takes a transaction out of a queue, behind another or the first.
    #[inline]
    pub(super) fn remove(&mut self, arena: &mut Arena, queue: usize, before: Option<u32>) -> u32 {
        let removed = arena.remove_behind(&mut self.queues[queue], before);
        if self.queues[queue].is_empty() {
            self.queued &= !(1 << queue);
        }
        self.waiting -= 1;
        removed
    }

    /// Whether the unit could take or resume something at once.
    #[inline]
    pub(super) fn is_ready(&self) -> bool {
        self.status == Status::Idle && (self.queued != 0 || self.suspended.is_some())
    }

    /// What the unit takes next. `erasable` says whether the first erase may go, since no read waits for its block.
    pub(super) fn choose(
        &mut self,
        arena: &Arena,
        live: &SsdLive,
        random: &mut Stream,
        now_ps: u64,
        erasable: impl Fn(&Self) -> bool,
    ) -> Choice {
        let aged =
            |since_ps: u64| live.write_age_limit_ps > 0 && since_ps.saturating_add(live.write_age_limit_ps) <= now_ps;
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
        if queued == 0 {
            return Choice::Nothing;
        }
        let gc_first = !live.gc_preemptible || self.urgent_planes > 0;
        if live.gc_preemptible && gc_first && queued & 1 << TABLE_READ == 0 {
            // Free blocks are needed: what makes them goes first, the last step first.
            if let Some(queue) = [ERASE, GC_WRITE, GC_READ].into_iter().find(|queue| queued & 1 << queue != 0) {
                return Choice::Queue(queue);
            }
        }
        let reads = queued & READS;
        let writes = queued & !READS;
        if reads == 0 {
            return Choice::Queue(self.choose_write(arena, live, random, writes, gc_first));
        }
        if live.write_age_limit_ps > 0 && writes != 0 && !self.aged_turn {
            let mut rest = writes;
            while rest != 0 {
                let queue = rest.trailing_zeros() as usize;
                if aged(arena.at(self.queues[queue].head).since_ps) {
                    self.aged_turn = true;
                    return Choice::Queue(self.choose_write(arena, live, random, writes, gc_first));
                }
                rest &= rest - 1;
            }
        }
        self.aged_turn = false;
        if gc_first && reads & 1 << TABLE_READ == 0 && reads & 1 << GC_READ != 0 {
            return Choice::Queue(GC_READ);
        }
        Choice::Queue(self.choose_read(arena, live, random, reads))
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
    fn choose_write(
        &mut self,
        arena: &Arena,
        live: &SsdLive,
        random: &mut Stream,
        writes: u16,
        gc_first: bool,
    ) -> usize {
        if writes & 1 << TABLE_WRITE != 0 {
            TABLE_WRITE
        } else if gc_first && writes & 1 << GC_WRITE != 0 {
            GC_WRITE
        } else if writes & USER_WRITES != 0 {
            let levels = (writes & USER_WRITES) >> USER_WRITE;
            USER_WRITE
                + choose_level(arena, &self.queues[USER_WRITE..GC_WRITE], live, random, levels, &mut self.write_credits)
        } else if writes & 1 << GC_WRITE != 0 {
            GC_WRITE
        } else {
            ERASE
        }
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
