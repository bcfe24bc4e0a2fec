//! What a device tells about itself: counts since the start, and what is in it at an instant.

use crate::kernel::digest::Digest;
use crate::kernel::time::NEVER_PS;
use crate::storage::command::{LEVELS, Level};
use crate::storage::nvme::Queues;

/// Defines [`Counters`] from what is counted by level and what is counted once, so that each is named a single time.
macro_rules! counters {
    (
        by level { $($(#[$level_doc:meta])* $level:ident,)* }
        once { $($(#[$doc:meta])* $name:ident,)* }
        not_mixed { $($(#[$shown_doc:meta])* $shown:ident,)* }
    ) => {
        /// Counts since the start of the run.
        #[derive(Clone, Debug, Default, PartialEq, Eq)]
        pub struct Counters {
            $($(#[$level_doc])* pub $level: [u64; LEVELS],)*
            $($(#[$doc])* pub $name: u64,)*
            $($(#[$shown_doc])* pub $shown: u64,)*
        }

        impl Counters {
            /// What of it has been counted since `before`.
            #[must_use]
            pub fn since(&self, before: &Self) -> Self {
                Self {
                    $($level: std::array::from_fn(|level| self.$level[level] - before.$level[level]),)*
                    $($name: self.$name - before.$name,)*
                    $($shown: self.$shown - before.$shown,)*
                }
            }

            /// Mixes all counts into a digest.
            pub fn digest(&self, digest: &mut Digest) {
                $(self.$level.iter().for_each(|&count| digest.word(count));)*
                $(digest.word(self.$name);)*
            }
        }
    };
}

counters! {
    by level {
        /// Commands fetched, by level.
        commands,
        /// Pages (granules of a memory) read for commands, by level.
        pages_read,
        /// Pages (granules of a memory) written for commands, by level.
        pages_written,
    }
    once {
        /// Pages that commands read from the write cache, or from the data of a program under way.
        cache_hits,
        /// Pages written that went into a page of the write cache that was there.
        cache_merges,
        /// Pages read before a write of a part of them.
        update_reads,
        /// Pages programmed with data of commands.
        user_programs,
        /// Pages programmed with the mapping table.
        mapping_programs,
        /// Pages programmed by garbage collection.
        gc_programs,
        /// Pages programmed by static wear levelling.
        wear_programs,
        /// Pages of the mapping table read.
        mapping_reads,
        /// Pages read by garbage collection and static wear levelling.
        gc_reads,
        /// Of these, pages that had been overwritten or trimmed meanwhile, and were not moved.
        gc_dropped,
        /// Blocks chosen by garbage collection.
        gc_victims,
        /// Blocks chosen by static wear levelling.
        wear_victims,
        /// Blocks erased.
        erases,
        /// Commands to flash that took more than one plane.
        multi_plane_commands,
        /// Programs suspended.
        program_suspensions,
        /// Erases suspended.
        erase_suspensions,
        /// Translations found in the cached mapping table.
        mapping_hits,
        /// Translations not found there.
        mapping_misses,
        /// Pages of writes that waited because their plane had no free block for them.
        stalled_writes,
        /// Pages trimmed.
        pages_trimmed,
    }
    // Not in the digest: they follow from the commands that are under way at every instant.
    not_mixed {
        /// Commands to read flash.
        read_commands,
        /// Pages that they read, one of each plane they took.
        planes_read,
        /// Commands to program flash.
        program_commands,
        /// Pages that they programmed, one of each plane they took.
        planes_programmed,
    }
}

impl Counters {
    /// Pages programmed for each page programmed with data of commands; 1 while there are none.
    pub fn write_amplification(&self) -> f64 {
        let others = self.mapping_programs + self.gc_programs + self.wear_programs;
        if self.user_programs == 0 { 1.0 } else { 1.0 + others as f64 / self.user_programs as f64 }
    }

    /// Planes that a command to program flash took, the mean; none while there was no command.
    pub fn planes_per_program(&self) -> Option<f64> {
        (self.program_commands > 0).then(|| self.planes_programmed as f64 / self.program_commands as f64)
    }

    /// Planes that a command to read flash took, the mean; none while there was no command.
    pub fn planes_per_read(&self) -> Option<f64> {
        (self.read_commands > 0).then(|| self.planes_read as f64 / self.read_commands as f64)
    }

    pub(super) fn count_pages(&mut self, level: Level, write: bool, pages: u64) {
        let counts = if write { &mut self.pages_written } else { &mut self.pages_read };
        counts[level as usize] += pages;
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
    /// When a write first waited for room in the write cache; [`NEVER_PS`] while none has.
    pub cache_full_ps: u64,
    /// When garbage collection first began; [`NEVER_PS`] while it has not.
    pub collects_ps: u64,
    /// Free blocks of the plane that has the fewest.
    pub free_blocks_min: u32,
    /// Free blocks per plane, the mean.
    pub free_blocks_mean: f32,
    /// Commands at the device that wait, to be fetched or inside.
    pub held: f64,
    /// Commands at the device that one of its parts works on.
    pub at_work: f64,
}

/// Pieces of work inside a device: pages, messages, commands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Pieces {
    /// Those that wait for a part of the device.
    pub(super) waiting: u64,
    /// Those that a part works on.
    pub(super) at_work: u64,
}

impl Pieces {
    /// Pieces in front of a part that works on one at a time.
    pub(super) fn one_by_one(pieces: impl Into<u64>) -> Self {
        let pieces = pieces.into();
        Self { waiting: pieces.saturating_sub(1), at_work: pieces.min(1) }
    }

    /// Both together.
    pub(super) fn and(self, other: Self) -> Self {
        Self { waiting: self.waiting + other.waiting, at_work: self.at_work + other.at_work }
    }
}

impl Occupancy {
    /// Begins anew, with what the queues tell.
    pub(super) fn begin<T: Copy + Default>(&mut self, queues: &Queues<T>) {
        self.clear();
        self.waiting = queues.waiting();
        self.in_device = queues.in_device();
        self.credits = queues.credits();
    }

    /// Divides the commands inside the device into those that wait and those at work, in proportion to their pieces.
    pub(super) fn divide(&mut self, inside: u32, pieces: Pieces) {
        let all = pieces.waiting + pieces.at_work;
        let share = if all == 0 { 0.0 } else { pieces.waiting as f64 / all as f64 };
        let before: u32 = self.waiting.iter().sum();
        self.held = f64::from(before) + f64::from(inside) * share;
        self.at_work = f64::from(inside) * (1.0 - share);
    }

    /// Nothing is in the device.
    pub(super) fn clear(&mut self) {
        self.waiting = [0; LEVELS];
        self.in_device = 0;
        self.credits = [0; 3];
        self.cached_pages = 0;
        self.cache_full_ps = NEVER_PS;
        self.collects_ps = NEVER_PS;
        self.free_blocks_min = 0;
        self.free_blocks_mean = 0.0;
        (self.held, self.at_work) = (0.0, 0.0);
        [&mut self.channel_busy_ps, &mut self.chip_busy_ps, &mut self.chip_gc_ps].into_iter().for_each(Vec::clear);
        self.chip_waiting.clear();
    }
}
