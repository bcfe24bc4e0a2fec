//! Commands and completions: what a host and a device exchange.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::kernel::time::NEVER_PS;

/// What a command asks for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Opcode {
    /// Read bytes.
    #[default]
    Read,
    /// Write bytes.
    Write,
    /// Complete when all writes that completed before are on stable media.
    Flush,
    /// Forget what the range holds (Dataset Management, Deallocate).
    Trim,
}

/// Levels that there are.
pub const LEVELS: usize = 4;

/// Priority of commands.
// Two bits of a submission queue (QPRIO of Create I/O Submission Queue), and of a command.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[repr(u8)]
pub enum Level {
    /// Before all others.
    #[schemars(title = "Urgent")]
    Urgent = 0,
    /// Where priorities are weighed, by the weight of high priority.
    #[schemars(title = "High")]
    High = 1,
    /// Where priorities are weighed, by the weight of medium priority.
    #[default]
    #[schemars(title = "Medium")]
    Medium = 2,
    /// Where priorities are weighed, by the weight of low priority.
    #[schemars(title = "Low")]
    Low = 3,
}

impl Level {
    /// All levels, the most urgent first.
    pub const ALL: [Self; LEVELS] = [Self::Urgent, Self::High, Self::Medium, Self::Low];

    /// Its name in documents.
    pub fn id(self) -> &'static str {
        match self {
            Self::Urgent => "urgent",
            Self::High => "high",
            Self::Medium => "medium",
            Self::Low => "low",
        }
    }
}

/// A command. Queues exist from their first use and are numbered from 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Command {
    /// What its completion will carry.
    pub tag: u32,
    /// The submission queue.
    pub queue: u32,
    /// The class of that queue, for arbitration.
    pub queue_level: Level,
    /// The class of the command, for the queues of flash units.
    pub level: Level,
    /// What it asks for.
    pub opcode: Opcode,
    /// First byte. Beyond the end of the device, addresses begin again at 0.
    pub address: u64,
    /// Bytes. A device with sectors works on all sectors that the range touches.
    pub bytes: u32,
}

/// What a page of a command has spent its time on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Spent {
    /// Time that it waited for its flash unit, or its bank.
    pub waited_ps: u64,
    /// Part of that wait during which the unit, or the free space of the plane, was held by garbage collection.
    pub held_by_gc_ps: u64,
    /// Time that read data waited for the channel.
    pub waited_channel_ps: u64,
    /// Time on the channel, or of the transfer out of a memory.
    pub transfer_ps: u64,
    /// Time of the array, or of the cells of a memory.
    pub array_ps: u64,
}

/// What became of a command, or of the commands of a request. All instants are in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Served {
    /// When the device chose the first of them, and it left its submission queue.
    pub fetched_ps: u64,
    /// When the first access to flash, memory or DRAM began.
    pub started_ps: u64,
    /// When the host saw the completion of the last of them.
    pub at_ps: u64,
    /// Of that one, the page that finished last.
    pub spent: Spent,
}

impl Default for Served {
    /// Of no commands.
    fn default() -> Self {
        Self { fetched_ps: NEVER_PS, started_ps: NEVER_PS, at_ps: 0, spent: Spent::default() }
    }
}

impl Served {
    /// Adds another command. Of those that are complete at one instant the one added later counts as the last.
    #[inline]
    pub(super) fn add(&mut self, other: &Self) {
        self.fetched_ps = self.fetched_ps.min(other.fetched_ps);
        self.started_ps = self.started_ps.min(other.started_ps);
        if other.at_ps >= self.at_ps {
            (self.at_ps, self.spent) = (other.at_ps, other.spent);
        }
    }
}

/// What flash does for a page of a command, at an instant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PageWork {
    /// Its logical page: tells it apart from the others of its command.
    pub page: u32,
    /// The flash unit that holds it; none while the mapping table is being asked for that.
    pub unit: Option<u32>,
    /// Whether it is programmed, and not read.
    pub writes: bool,
    /// What.
    pub doing: Doing,
}

/// See [`PageWork`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Doing {
    /// Waits: for its place in the mapping table, for its unit, for a free block.
    Waits {
        /// Since when.
        since_ps: u64,
    },
    /// Its command, and the data to be programmed, pass the channel; then the array of its unit works. Suspensions put its end
    /// off.
    Array {
        /// When the command began to pass.
        from_ps: u64,
        /// When the array begins.
        begins_ps: u64,
        /// When it ends.
        ends_ps: u64,
    },
    /// What was read waits for the channel.
    WaitsForChannel {
        /// Since when.
        since_ps: u64,
    },
    /// What was read passes the channel.
    Transfer {
        /// When that began.
        from_ps: u64,
        /// When it ends.
        to_ps: u64,
    },
}

/// The end of a command.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Completion {
    /// The tag of the command.
    pub tag: u32,
    /// What became of it.
    pub served: Served,
}
