//! What an SSD is made of and how it behaves. Presets are in [`super::presets`].

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::storage::link::{LinkParameters, Timing};

pub use super::allocation::{Allocation, Dimension};

/// Sizes of the flash array.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Geometry {
    /// Channels.
    pub channels: u32,
    /// Chips on a channel.
    pub chips_per_channel: u32,
    /// Dies in a chip.
    pub dies_per_chip: u32,
    /// Planes of a die.
    pub planes_per_die: u32,
    /// Blocks of a plane.
    pub blocks_per_plane: u32,
    /// Pages of a block, at most 32 767.
    pub pages_per_block: u32,
    /// Bytes of a page, at most 64 sectors of 512 B.
    pub page_bytes: u32,
}

/// Bits of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum CellType {
    /// One bit: all pages alike.
    #[schemars(title = "SLC")]
    Slc,
    // Pages of a block are of type 0 and 1 in turn.
    /// Two bits.
    #[schemars(title = "MLC")]
    Mlc,
    // Six pages of type 0, two of type 1, then pairs of types 0, 1 and 2 in turn.
    /// Three bits.
    #[schemars(title = "TLC")]
    Tlc,
}

/// Times of flash commands, by the page types LSB, CSB and MSB (0, 1, 2).
#[derive(Clone, Debug, PartialEq)]
pub struct FlashTimes {
    /// Bits of a cell.
    pub cells: CellType,
    /// Time of the array to read a page, tR.
    pub read_ps: [u64; 3],
    /// What comes on top of each read before data can leave (ready to read, tRR).
    pub read_ready_ps: u64,
    /// Time of the array to program a page, tPROG.
    pub program_ps: [u64; 3],
    /// Time of the array to erase a block, tBERS.
    pub erase_ps: u64,
    /// Bus time of a read command for one plane.
    pub read_command_ps: u64,
    /// Bus time of a read command for each further plane.
    pub read_plane_ps: u64,
    /// Bus time of a program command for one plane, its data apart.
    pub program_command_ps: u64,
    /// Bus time of a program command for each further plane.
    pub program_plane_ps: u64,
    /// Bus time of an erase command for one plane.
    pub erase_command_ps: u64,
    /// Bus time of an erase command for each further plane.
    pub erase_plane_ps: u64,
    /// Transfers per microsecond on a channel (MT/s).
    pub channel_mt_per_s: f64,
    /// Bytes of a transfer.
    pub channel_width_bytes: u32,
    /// How the time of a transfer is rounded.
    pub timing: Timing,
    /// From the request to suspend a program until the unit can read.
    pub suspend_program_ps: u64,
    /// From the request to suspend an erase until the unit can read.
    pub suspend_erase_ps: u64,
    /// How often one program or erase may be suspended.
    pub suspensions_max: u32,
}

/// What works on one command at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum FlashUnit {
    /// Each die.
    #[schemars(title = "Die")]
    Die,
    /// Each chip, however many dies it has.
    #[schemars(title = "Chip")]
    Chip,
}

/// What goes first when a channel becomes free.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ChannelPolicy {
    /// Commands to dies that wait for one, then data that were read.
    #[schemars(title = "Commands first")]
    CommandsFirst,
    /// Data that were read, then commands: dies of a channel then work in convoys.
    #[schemars(title = "Data first")]
    DataOutFirst,
}

/// Where the mapping table is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MappingTable {
    /// All of it in DRAM: a translation takes no time.
    InMemory,
    /// On flash, with a cache of `entries` in DRAM.
    Cached {
        /// Entries that the cache holds, in sets of eight.
        entries: u32,
        /// Entries in a page of the table.
        entries_per_page: u32,
        /// Bytes read from flash to translate one page.
        read_bytes: u32,
        /// Entries that were changed are written back when they leave the cache. MQSim never issues these writes.
        write_back: bool,
    },
}

/// What the device holds at the start.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Precondition {
    /// Nothing.
    Empty,
    /// The first share of the logical pages, 0 to 1, written once in order.
    Sequential(f64),
    /// The first share of the logical pages, 0 to 1, overwritten at random for so long that garbage collection is in its
    /// steady state.
    Random(f64),
}

/// What a read of a page does that was never written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnwrittenRead {
    /// It is answered without flash.
    Zeros,
    /// It is given a page as if it had been written, and read from there, as in MQSim.
    Allocates,
}

/// What goes over the channel to program a page of which a command wrote a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProgramTransfer {
    /// All of the page, what was read to complete it included.
    WholePage,
    /// What the command wrote, as in MQSim.
    Written,
}

/// DRAM of the device: one channel, one access at a time.
#[derive(Clone, Debug, PartialEq)]
pub struct DramParameters {
    /// Transfers per microsecond (MT/s).
    pub mt_per_s: f64,
    /// Bytes of a transfer.
    pub width_bytes: u32,
    /// Bytes of a row.
    pub row_bytes: u32,
    /// Row to column delay, tRCD.
    pub row_to_column_ps: u64,
    /// Column access, tCL.
    pub column_ps: u64,
    /// Precharge, tRP.
    pub precharge_ps: u64,
    /// [`Timing::Truncated`]: the formula of MQSim, which counts half of the rows of an access longer than one row.
    pub timing: Timing,
}

/// Write cache in DRAM.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CacheParameters {
    /// Bytes of writes accepted and not yet on flash. A write for which there is no room waits before it enters.
    pub capacity_bytes: u64,
    /// Pages of which only a part was written that stay in the cache, so that writes of the rest can join them; with one more
    /// the oldest goes to flash. 0 sends every write on at once.
    pub gathered_pages: u32,
}

/// When garbage collection of a plane begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GcTrigger {
    /// Whenever fewer blocks are free, or about to be, than the threshold.
    Deficit,
    /// One victim each time that a block has been filled, as in MQSim.
    BlockFilled,
}

/// How a block is chosen to be freed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VictimPolicy {
    /// The one with the fewest valid pages.
    Greedy,
    /// The best of so many chosen at random (d-choices, RGA in MQSim); 0 takes the binary logarithm of the number of blocks.
    Choices(u32),
    /// The one that was filled first.
    Fifo,
    /// Any.
    Random,
}

/// Blocks that are drawn for a victim, for the number of the policy.
pub(super) fn choices(count: u32, blocks: u32) -> u32 {
    if count == 0 { blocks.ilog2().max(1) } else { count.min(blocks) }
}

/// Garbage collection and wear levelling, as far as it does not change during a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GcParameters {
    /// What makes it begin.
    pub trigger: GcTrigger,
    /// Victims of a plane at once.
    pub victims_max: u32,
    /// Free blocks of a plane that writes of commands must leave. At least one for each victim.
    pub reserved_blocks: u32,
    /// At least so many free blocks as threshold, whatever its share.
    pub threshold_blocks_min: u32,
    /// Free blocks are taken least worn first; else in the order in which they were freed.
    pub dynamic_wear_leveling: bool,
    /// The least worn block of a plane is collected when the most worn one has been erased so much more often; 0 for never.
    pub static_wear_threshold: u32,
}

/// How dies choose among the pages that wait for them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Scheduling {
    /// Urgent ones first, then high, medium and low by weight.
    #[schemars(title = "By level")]
    Priority,
    // MQSim's wheel of weights turns at every poll, whether or not the chip can take a command, and so stands anywhere when it can.
    /// Urgent ones first, then high, medium and low by lot, with chances by weight, which is what the polling of MQSim comes to.
    #[schemars(title = "By level, drawn by lot")]
    Lottery,
    /// In the order of arrival, whatever the level.
    #[schemars(title = "As they come")]
    Fifo,
}

/// What a read may interrupt.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Suspension {
    /// A read waits for the end of what its die does.
    #[schemars(title = "Nothing")]
    None,
    /// Programs are suspended.
    #[schemars(title = "Programs")]
    Program,
    /// Erases are suspended.
    #[schemars(title = "Erases")]
    Erase,
    /// Both are suspended.
    #[schemars(title = "Programs and erases")]
    ProgramAndErase,
}

/// What may change during a run.
#[derive(Clone, Debug, PartialEq)]
pub struct SsdLive {
    /// How units choose among levels.
    pub scheduling: Scheduling,
    /// Pages of High, Medium and Low at a unit in a round; 0 counts as 1.
    pub weights: [u32; 3],
    /// A program or erase that has waited so long goes before reads; 0 for never.
    pub write_age_limit_ps: u64,
    /// What reads may interrupt.
    pub suspension: Suspension,
    /// How a block is chosen to be freed.
    pub victims: VictimPolicy,
    /// Garbage collection of a plane begins below this share of free blocks.
    pub gc_threshold: f64,
    /// Garbage collection comes before commands at or below this share of free blocks, or where none but the reserved ones
    /// are free.
    pub gc_hard_threshold: f64,
    /// Garbage collection comes after commands above the hard threshold; else always before.
    pub gc_preemptible: bool,
    /// Writes complete when they are in DRAM.
    pub write_cache: bool,
}

/// An SSD.
#[derive(Clone, Debug, PartialEq)]
pub struct SsdParameters {
    /// The link to the host.
    pub link: LinkParameters,
    /// Sizes.
    pub geometry: Geometry,
    /// Times.
    pub flash: FlashTimes,
    /// What works on one command at a time.
    pub unit: FlashUnit,
    /// What goes first on a channel.
    pub channel_policy: ChannelPolicy,
    /// Where pages are written.
    pub allocation: Allocation,
    /// Where the mapping table is.
    pub mapping: MappingTable,
    /// Share of the raw capacity that is not offered.
    pub over_provisioning: f64,
    /// What it holds at the start.
    pub precondition: Precondition,
    /// What reading an unwritten page does.
    pub unwritten_read: UnwrittenRead,
    /// What a partial program transfers.
    pub program_transfer: ProgramTransfer,
    /// DRAM.
    pub dram: DramParameters,
    /// Write cache.
    pub cache: CacheParameters,
    /// Blocks of a plane that writes of commands fill at once. Queues take turns in them by their number, so that data of
    /// different queues do not mix; 1 mixes all. MQSim has one for each of its flows. Superpages and superblocks mix all.
    pub frontiers: u32,
    /// Garbage collection.
    pub gc: GcParameters,
    /// Transactions of garbage collection that are looked at for a further plane of a command.
    pub gc_look_ahead: u32,
    /// What may change during a run.
    pub live: SsdLive,
}

impl Geometry {
    /// All planes.
    pub fn planes(&self) -> u32 {
        self.dies() * self.planes_per_die
    }

    /// All dies.
    pub fn dies(&self) -> u32 {
        self.channels * self.chips_per_channel * self.dies_per_chip
    }

    /// Bytes of all pages.
    pub fn raw_bytes(&self) -> u64 {
        u64::from(self.planes())
            * u64::from(self.blocks_per_plane)
            * u64::from(self.pages_per_block)
            * u64::from(self.page_bytes)
    }
}
