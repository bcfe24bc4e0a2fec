//! What a device tells about itself: counts since the start, and what is in it at an instant.

use crate::kernel::digest::Digest;
use crate::storage::command::{LEVELS, Level};
use crate::storage::nvme::Queues;

/// Counts since the start of the run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Commands fetched, by level.
    pub commands: [u64; LEVELS],
    /// Pages (granules of a memory) read for commands, by level.
    pub pages_read: [u64; LEVELS],
    /// Pages (granules of a memory) written for commands, by level.
    pub pages_written: [u64; LEVELS],
    /// Pages that commands read from the write cache, or from the data of a program under way.
    pub cache_hits: u64,
    /// Pages written that went into a page of the write cache that was there.
    pub cache_merges: u64,
    /// Pages read before a write of a part of them.
    pub update_reads: u64,
    /// Pages programmed with data of commands.
    pub user_programs: u64,
    /// Pages programmed with the mapping table.
    pub mapping_programs: u64,
    /// Pages programmed by garbage collection.
    pub gc_programs: u64,
    /// Pages programmed by static wear levelling.
    pub wear_programs: u64,
    /// Pages of the mapping table read.
    pub mapping_reads: u64,
    /// Pages read by garbage collection and static wear levelling.
    pub gc_reads: u64,
    /// Of these, pages that had been overwritten or trimmed meanwhile, and were not moved.
    pub gc_dropped: u64,
    /// Blocks chosen by garbage collection.
    pub gc_victims: u64,
    /// Blocks chosen by static wear levelling.
    pub wear_victims: u64,
    /// Blocks erased.
    pub erases: u64,
    /// Commands to flash that took more than one plane.
    pub multi_plane_commands: u64,
    /// Programs suspended.
    pub program_suspensions: u64,
    /// Erases suspended.
    pub erase_suspensions: u64,
    /// Translations found in the cached mapping table.
    pub mapping_hits: u64,
    /// Translations not found there.
    pub mapping_misses: u64,
    /// Pages of writes that waited because their plane had no free block for them.
    pub stalled_writes: u64,
    /// Pages trimmed.
    pub pages_trimmed: u64,
}

impl Counters {
    /// Pages programmed for each page programmed with data of commands; 1 while there are none.
    pub fn write_amplification(&self) -> f64 {
        let others = self.mapping_programs + self.gc_programs + self.wear_programs;
        if self.user_programs == 0 { 1.0 } else { 1.0 + others as f64 / self.user_programs as f64 }
    }

    /// What of it has been counted since `before`.
    #[must_use]
    pub fn since(&self, before: &Self) -> Self {
        let by_level = |now: [u64; LEVELS], before: [u64; LEVELS]| {
            let mut levels = now;
            levels.iter_mut().zip(before).for_each(|(count, before)| *count -= before);
            levels
        };
        Self {
            commands: by_level(self.commands, before.commands),
            pages_read: by_level(self.pages_read, before.pages_read),
            pages_written: by_level(self.pages_written, before.pages_written),
            cache_hits: self.cache_hits - before.cache_hits,
            cache_merges: self.cache_merges - before.cache_merges,
            update_reads: self.update_reads - before.update_reads,
            user_programs: self.user_programs - before.user_programs,
            mapping_programs: self.mapping_programs - before.mapping_programs,
            gc_programs: self.gc_programs - before.gc_programs,
            wear_programs: self.wear_programs - before.wear_programs,
            mapping_reads: self.mapping_reads - before.mapping_reads,
            gc_reads: self.gc_reads - before.gc_reads,
            gc_dropped: self.gc_dropped - before.gc_dropped,
            gc_victims: self.gc_victims - before.gc_victims,
            wear_victims: self.wear_victims - before.wear_victims,
            erases: self.erases - before.erases,
            multi_plane_commands: self.multi_plane_commands - before.multi_plane_commands,
            program_suspensions: self.program_suspensions - before.program_suspensions,
            erase_suspensions: self.erase_suspensions - before.erase_suspensions,
            mapping_hits: self.mapping_hits - before.mapping_hits,
            mapping_misses: self.mapping_misses - before.mapping_misses,
            stalled_writes: self.stalled_writes - before.stalled_writes,
            pages_trimmed: self.pages_trimmed - before.pages_trimmed,
        }
    }

    pub(super) fn count_pages(&mut self, level: Level, write: bool, pages: u64) {
        let counts = if write { &mut self.pages_written } else { &mut self.pages_read };
        counts[level as usize] += pages;
    }

    pub(super) fn digest(&self, digest: &mut Digest) {
        let by_level = [self.commands, self.pages_read, self.pages_written];
        by_level.iter().flatten().for_each(|&count| digest.word(count));
        let counts = [
            self.cache_hits,
            self.cache_merges,
            self.update_reads,
            self.user_programs,
            self.mapping_programs,
            self.gc_programs,
            self.wear_programs,
            self.mapping_reads,
            self.gc_reads,
            self.gc_dropped,
            self.gc_victims,
            self.wear_victims,
            self.erases,
            self.multi_plane_commands,
            self.program_suspensions,
            self.erase_suspensions,
            self.mapping_hits,
            self.mapping_misses,
            self.stalled_writes,
            self.pages_trimmed,
        ];
        counts.into_iter().for_each(|count| digest.word(count));
    }
}

/// What is in a device at an instant. Differences of busy times give shares of an interval.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Occupancy {
    /// Commands that wait to be fetched, by the level of their queue.
    pub waiting: [u32; LEVELS],
    /// Commands fetched and not completed.
    pub in_device: u32,
    /// Commands that High, Medium and Low may still launch in the round.
    pub credits: [u32; 3],
    /// Time that each channel was busy since the start.
    pub channel_busy_ps: Vec<u64>,
    /// Time that each flash unit (die, chip, or bank of a memory) was busy since the start.
    pub chip_busy_ps: Vec<u64>,
    /// Of that, for garbage collection and static wear levelling.
    pub chip_gc_ps: Vec<u64>,
    /// Page transactions that wait for each flash unit.
    pub chip_waiting: Vec<u32>,
    /// Pages in the write cache, those under way to flash included.
    pub cached_pages: u32,
    /// Free blocks of the plane that has the fewest.
    pub free_blocks_min: u32,
    /// Free blocks per plane, the mean.
    pub free_blocks_mean: f32,
}

impl Occupancy {
    /// Begins anew, with what the queues tell.
    pub(super) fn begin<T: Copy + Default>(&mut self, queues: &Queues<T>) {
        self.waiting = queues.waiting();
        self.in_device = queues.in_device();
        self.credits = queues.credits();
        self.cached_pages = 0;
        self.free_blocks_min = 0;
        self.free_blocks_mean = 0.0;
        [&mut self.channel_busy_ps, &mut self.chip_busy_ps, &mut self.chip_gc_ps].into_iter().for_each(Vec::clear);
        self.chip_waiting.clear();
    }
}
