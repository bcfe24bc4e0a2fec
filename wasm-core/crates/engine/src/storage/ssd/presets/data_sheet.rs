//! A drive by its data sheet: each number with what it rests on.
//!
//! A sheet says how fast a drive is, not what is in it. What is in it comes from papers on its flash, or follows from the sheet by the
//! rules with which drives are fitted to measurements: a read alone takes the time of a page; dies that are all busy with reads finish
//! as many a second as there are dies in the time of one; dies that program all the time carry what is written; and how much is
//! written of small random writes, once garbage collection has to keep up, tells what is kept free. `docs/drives.md` says how near
//! each drive comes to its sheet.

use crate::kernel::time::from_us;
use crate::storage::command::Opcode;
use crate::storage::ssd::parameters::{Allocation, CellType, SsdParameters};

/// What a number rests on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Basis {
    /// The data sheet, or who reports what it says.
    Sheet,
    /// What is published of the flash or the controller: papers, or who reports what they say.
    Published,
    /// It follows from the sheet.
    Derived,
    /// No source was found.
    Assumed,
}

impl Basis {
    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Sheet => "sheet",
            Self::Published => "published",
            Self::Derived => "derived",
            Self::Assumed => "assumed",
        }
    }

    /// Where a value of the preset comes from: the end of the sentence "It is ...".
    pub fn phrase(self) -> &'static str {
        match self {
            Self::Sheet => "that of the preset, by the data sheet of the drive",
            Self::Published => "that of the preset, as published of its flash or controller",
            Self::Derived => "that of the preset, derived from the data sheet of the drive",
            Self::Assumed => "that of the preset, assumed as no source says it",
        }
    }
}

/// A part of a drive, and what it is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Setting {
    /// Channels.
    Channels(u32),
    /// Chips on a channel, of one die each.
    ChipsPerChannel(u32),
    /// Parts of a die with pages of their own.
    PlanesPerDie(u32),
    /// Blocks of a plane.
    BlocksPerPlane(u32),
    /// Pages of a block.
    PagesPerBlock(u32),
    /// Bytes of a page: what the mapping table maps.
    PageBytes(u32),
    /// Bits of a cell.
    Cells(CellType),
    /// Time to read a page, whichever type it has.
    PageReadUs(f64),
    /// Time to program a page, whichever type it has.
    PageProgramUs(f64),
    /// Transfers per microsecond on a channel.
    ChannelMtPerS(f64),
    /// Bytes of a transfer of the DRAM.
    DramWidthBytes(u32),
    /// Where pages are written.
    Allocation(Allocation),
    /// Share of the flash that is kept free of data.
    OverProvisioning(f64),
    /// Free blocks at which garbage collection begins and at which it is urgent, as a share: where long writes leave them.
    GcThresholds(f64),
    /// Lanes of the link.
    PcieLanes(u32),
    /// Bytes that a lane carries per nanosecond.
    PcieLaneGbytesPerS(f64),
}

impl Setting {
    /// Makes a drive have it.
    pub(super) fn apply(self, drive: &mut SsdParameters) {
        let SsdParameters { geometry, flash, live, link, .. } = drive;
        match self {
            Self::Channels(channels) => geometry.channels = channels,
            Self::ChipsPerChannel(chips) => geometry.chips_per_channel = chips,
            Self::PlanesPerDie(planes) => geometry.planes_per_die = planes,
            Self::BlocksPerPlane(blocks) => geometry.blocks_per_plane = blocks,
            Self::PagesPerBlock(pages) => geometry.pages_per_block = pages,
            Self::PageBytes(bytes) => geometry.page_bytes = bytes,
            Self::Cells(cells) => flash.cells = cells,
            Self::PageReadUs(us) => flash.read_ps = [from_us(us); 3],
            Self::PageProgramUs(us) => flash.program_ps = [from_us(us); 3],
            Self::ChannelMtPerS(rate) => flash.channel_mt_per_s = rate,
            Self::DramWidthBytes(bytes) => drive.dram.width_bytes = bytes,
            Self::Allocation(allocation) => drive.allocation = allocation,
            Self::OverProvisioning(share) => drive.over_provisioning = share,
            Self::GcThresholds(share) => (live.gc_threshold, live.gc_hard_threshold) = (share, share),
            Self::PcieLanes(lanes) => link.lanes = lanes,
            Self::PcieLaneGbytesPerS(rate) => link.lane_gbytes_per_s = rate,
        }
    }

    /// The fields of `storage.ssd` that say it.
    pub fn fields(self) -> &'static [&'static str] {
        match self {
            Self::Channels(_) => &["channels"],
            Self::ChipsPerChannel(_) => &["chipsPerChannel"],
            Self::PlanesPerDie(_) => &["planesPerDie"],
            Self::BlocksPerPlane(_) => &["blocksPerPlane"],
            Self::PagesPerBlock(_) => &["pagesPerBlock"],
            Self::PageBytes(_) => &["pageBytes"],
            Self::Cells(_) => &["cells"],
            Self::PageReadUs(_) => &["readLsbUs", "readCsbUs", "readMsbUs"],
            Self::PageProgramUs(_) => &["programLsbUs", "programCsbUs", "programMsbUs"],
            Self::ChannelMtPerS(_) => &["channelMtPerS"],
            Self::DramWidthBytes(_) => &["dramWidthBytes"],
            Self::Allocation(_) => &["allocation"],
            Self::OverProvisioning(_) => &["overProvisioning"],
            Self::GcThresholds(_) => &["gcThreshold", "gcHardThreshold"],
            Self::PcieLanes(_) => &["pcieLanes"],
            Self::PcieLaneGbytesPerS(_) => &["pcieLaneGbytesPerS"],
        }
    }
}

/// A number of a preset.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Number {
    /// What it is.
    pub setting: Setting,
    /// What it rests on.
    pub basis: Basis,
}

/// A document that numbers come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Document {
    /// Its author, title and place in it.
    pub title: &'static str,
    /// Where it is.
    pub address: &'static str,
}

/// How fast a sheet says that a drive is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Speed {
    /// Bytes per second.
    BytesPerS(f64),
    /// Requests per second.
    PerS(f64),
    /// Latency of a request, at the host.
    LatencyUs(f64),
}

/// How far a model is from what a sheet says, and why.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Distance {
    /// In per cent of what the sheet says.
    pub percent: f64,
    /// The reason.
    pub why: &'static str,
}

/// What a sheet says of the speed of a drive, and under which conditions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rated {
    /// What is asked for.
    pub opcode: Opcode,
    /// Addresses follow each other; else they are random over all of the drive.
    pub sequential: bool,
    /// Bytes of a request.
    pub bytes: u32,
    /// Requests outstanding.
    pub outstanding: u32,
    /// What it comes to.
    pub speed: Speed,
    /// The model is known to be further off than 10 %.
    pub off: Option<Distance>,
}

/// A drive by its data sheet.
#[derive(Clone, Copy, Debug)]
pub struct DataSheet {
    /// What the drive is called.
    pub drive: &'static str,
    /// Where its numbers come from; sources name them by their place, from 1.
    pub documents: &'static [Document],
    /// Its numbers.
    pub numbers: &'static [Number],
    /// By number: its source and, where it is derived, how.
    pub sources: &'static [&'static str],
    /// How fast it should be.
    pub rated: &'static [Rated],
}

/// Requests of 4 KiB outstanding where a sheet speaks of many and does not say how many: as sheets of such drives have it
/// (Micron, "Micron 7500: Mainstream NVMe for the real world", 2023).
pub(super) const MANY: u32 = 256;
/// Requests of 128 KiB outstanding; no sheet that was found says how many. More make no difference.
pub(super) const MANY_LARGE: u32 = 32;

const KIB: u32 = 1024;

impl Rated {
    /// Requests of 128 KiB, one after the other through the addresses, at so many megabytes per second.
    pub(super) const fn sequential(opcode: Opcode, mbytes_per_s: f64) -> Self {
        let speed = Speed::BytesPerS(mbytes_per_s * 1e6);
        Self { opcode, sequential: true, bytes: 128 * KIB, outstanding: MANY_LARGE, speed, off: None }
    }

    /// So many random requests of 4 KiB per second.
    pub(super) const fn random(opcode: Opcode, per_s: f64) -> Self {
        let speed = Speed::PerS(per_s);
        Self { opcode, sequential: false, bytes: 4 * KIB, outstanding: MANY, speed, off: None }
    }

    /// One request of 4 KiB at a time takes so long.
    pub(super) const fn latency(opcode: Opcode, sequential: bool, us: f64) -> Self {
        let speed = Speed::LatencyUs(us);
        Self { opcode, sequential, bytes: 4 * KIB, outstanding: 1, speed, off: None }
    }

    /// The model is so far off.
    pub(super) const fn off(self, percent: f64, why: &'static str) -> Self {
        Self { off: Some(Distance { percent, why }), ..self }
    }
}

/// The numbers of a drive with their sources: `Setting(value): Basis, "source";`. Two tables, so that what only simulates keeps
/// no sources.
macro_rules! numbers {
    ($($setting:ident($value:expr): $basis:ident, $source:literal;)+) => {
        pub(super) const NUMBERS: &[Number] =
            &[$(Number { setting: Setting::$setting($value), basis: Basis::$basis }),+];
        const SOURCES: &[&str] = &[$($source),+];
    };
}
pub(super) use numbers;

/// Why a drive answers small writes sooner than its sheet says.
pub(super) const NO_FIRMWARE: &str = "the controller of the model takes no time of its own for a write into its cache";
/// Why sequential reads, one at a time, take longer than a sheet says.
pub(super) const NO_READ_AHEAD: &str = "the model does not read ahead: every read waits for its page";
