//! SSDs: a preset, and what a scenario has otherwise.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Evidence;
use crate::kernel::convert::saturated_u32;
use crate::kernel::time::{from_us, to_us};
use crate::storage::ssd::parameters::{
    self as device, Allocation, CellType, ChannelPolicy, FlashUnit, Geometry, MappingTable, Scheduling, Suspension,
    VictimPolicy,
};
use crate::storage::{Preset, SsdParameters};

/// An SSD. What is left empty is that of the preset.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct Ssd {
    /// A device to begin with.
    #[schemars(title = "Preset", extend("x-lead" = true), extend("x-source" = "Ours: a drive as data centres use."))]
    pub preset: Preset,
    /// What its parameters were fitted to, and how well; no result depends on it. Empty: nobody says.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(title = "Evidence", extend("x-annotation" = true, "x-detail" = true))]
    pub evidence: Option<Evidence>,
    /// Channels between the controller and the chips. One transfer at a time goes over each.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(title = "Channels", range(min = 1, max = 64), extend("x-group" = "geometry", "x-slider" = [1, 16, "linear"]))]
    pub channels: Option<u32>,
    /// Chips on each channel.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(title = "Chips per channel", range(min = 1, max = 64), extend("x-group" = "geometry", "x-slider" = [1, 16, "linear"]))]
    pub chips_per_channel: Option<u32>,
    /// Dies in each chip.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(title = "Dies per chip", range(min = 1, max = 16), extend("x-group" = "geometry", "x-slider" = [1, 8, "linear"]))]
    pub dies_per_chip: Option<u32>,
    /// Planes of each die: parts that work on one command together.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(title = "Planes per die", range(min = 1, max = 16), extend("x-group" = "geometry", "x-slider" = [1, 16, "linear"]))]
    pub planes_per_die: Option<u32>,
    /// Blocks of each plane: what is erased as a whole.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(title = "Blocks per plane", range(min = 16, max = 65_536), extend("x-group" = "geometry", "x-detail" = true))]
    pub blocks_per_plane: Option<u32>,
    /// Pages of each block: what is programmed as a whole.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(title = "Pages per block", range(min = 4, max = 32_767), extend("x-group" = "geometry", "x-detail" = true))]
    pub pages_per_block: Option<u32>,
    /// Bytes of a page.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(title = "Page", range(min = 512, max = 32_768), extend("x-unit" = "bytes", "x-group" = "geometry", "x-detail" = true))]
    pub page_bytes: Option<u32>,
    /// Bits of a cell: pages of a block are LSB, CSB and MSB pages in turn.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(title = "Cells", extend("x-group" = "flash", "x-detail" = true))]
    pub cells: Option<CellType>,
    /// Time of the array to read an LSB page.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(title = "Page read, LSB", range(min = 0.1, max = 100_000.0), extend("x-unit" = "us", "x-symbol" = "t_R", "x-group" = "flash", "x-slider" = [1, 200, "log"]))]
    pub read_lsb_us: Option<f64>,
    /// Time of the array to read a CSB page.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(title = "Page read, CSB", range(min = 0.1, max = 100_000.0), extend("x-unit" = "us", "x-symbol" = "t_R", "x-group" = "flash", "x-detail" = true, "x-slider" = [1, 200, "log"]))]
    pub read_csb_us: Option<f64>,
    /// Time of the array to read an MSB page.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(title = "Page read, MSB", range(min = 0.1, max = 100_000.0), extend("x-unit" = "us", "x-symbol" = "t_R", "x-group" = "flash", "x-detail" = true, "x-slider" = [1, 200, "log"]))]
    pub read_msb_us: Option<f64>,
    /// Time of the array to program an LSB page.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(title = "Page program, LSB", range(min = 0.1, max = 1_000_000.0), extend("x-unit" = "us", "x-symbol" = "t_PROG", "x-group" = "flash", "x-slider" = [10, 3000, "log"]))]
    pub program_lsb_us: Option<f64>,
    /// Time of the array to program a CSB page.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(title = "Page program, CSB", range(min = 0.1, max = 1_000_000.0), extend("x-unit" = "us", "x-symbol" = "t_PROG", "x-group" = "flash", "x-detail" = true, "x-slider" = [10, 3000, "log"]))]
    pub program_csb_us: Option<f64>,
    /// Time of the array to program an MSB page.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(title = "Page program, MSB", range(min = 0.1, max = 1_000_000.0), extend("x-unit" = "us", "x-symbol" = "t_PROG", "x-group" = "flash", "x-detail" = true, "x-slider" = [10, 3000, "log"]))]
    pub program_msb_us: Option<f64>,
    /// Time of the array to erase a block.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(title = "Block erase", range(min = 0.1, max = 10_000_000.0), extend("x-unit" = "us", "x-symbol" = "t_BERS", "x-group" = "flash", "x-slider" = [100, 10_000, "log"]))]
    pub erase_us: Option<f64>,
    /// Transfers of a byte per microsecond on a channel.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(title = "Channel rate", range(min = 1.0, max = 100_000.0), extend("x-unit" = "MT/s", "x-group" = "flash", "x-slider" = [100, 4000, "log"]))]
    pub channel_mt_per_s: Option<f64>,
    /// What works on one command at a time.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(title = "One command per", extend("x-group" = "scheduling", "x-detail" = true))]
    pub unit: Option<FlashUnit>,
    /// What goes first when a channel becomes free.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(title = "Channel", extend("x-group" = "scheduling", "x-detail" = true))]
    pub channel_policy: Option<ChannelPolicy>,
    /// How dies choose among the pages that wait for them: by the level of their commands, or as they come.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(title = "Die queues", extend("x-live" = true, "x-group" = "scheduling"))]
    pub scheduling: Option<Scheduling>,
    /// Pages of high priority that a die serves in each round. Empty: the weight of NVMe arbitration.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(title = "High pages", range(min = 1, max = 256), extend("x-live" = true, "x-group" = "scheduling", "x-detail" = true, "x-slider" = [1, 16, "linear"]))]
    pub high_pages: Option<u32>,
    /// Pages of medium priority that a die serves in each round. Empty: the weight of NVMe arbitration.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(title = "Medium pages", range(min = 1, max = 256), extend("x-live" = true, "x-group" = "scheduling", "x-detail" = true, "x-slider" = [1, 16, "linear"]))]
    pub medium_pages: Option<u32>,
    /// Pages of low priority that a die serves in each round. Empty: the weight of NVMe arbitration.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(title = "Low pages", range(min = 1, max = 256), extend("x-live" = true, "x-group" = "scheduling", "x-detail" = true, "x-slider" = [1, 16, "linear"]))]
    pub low_pages: Option<u32>,
    /// Dies serve reads before programs and erases, until one of those has waited so long. 0: for ever.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(title = "Writes wait at most", range(min = 0.0, max = 10_000_000.0), extend("x-unit" = "us", "x-live" = true, "x-group" = "scheduling", "x-detail" = true, "x-slider" = [0, 20_000, "linear"]))]
    pub write_age_limit_us: Option<f64>,
    /// What a read that waits for its die may interrupt.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(title = "Reads interrupt", extend("x-live" = true, "x-group" = "scheduling"))]
    pub suspension: Option<Suspension>,
    /// Writes are complete when they are in the DRAM of the device. Without it, when they are on flash.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(title = "Write cache", extend("x-live" = true, "x-group" = "cache"))]
    pub write_cache: Option<bool>,
    /// Bytes of writes that the DRAM holds before they are on flash. A write for which there is no room waits.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(title = "Cache size", range(min = 4096, max = 1_099_511_627_776_u64), extend("x-unit" = "bytes", "x-group" = "cache", "x-slider" = [1_048_576, 1_073_741_824, "log"]))]
    pub cache_bytes: Option<u64>,
    /// Transfers of the DRAM per microsecond.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(title = "DRAM rate", range(min = 1.0, max = 100_000.0), extend("x-unit" = "MT/s", "x-group" = "cache", "x-detail" = true))]
    pub dram_mt_per_s: Option<f64>,
    /// Bytes of a transfer of the DRAM.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(title = "DRAM width", range(min = 1, max = 64), extend("x-unit" = "bytes", "x-group" = "cache", "x-detail" = true))]
    pub dram_width_bytes: Option<u32>,
    /// How free blocks are found for what is written: static orders spread consecutive pages over channels (C), ways (W), dies (D) and planes (P) in turn.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(title = "Allocation", extend("x-group" = "mapping", "x-detail" = true))]
    pub allocation: Option<Allocation>,
    /// Where the table is that says which page holds which address.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(title = "Mapping table", extend("x-group" = "mapping", "x-detail" = true))]
    pub mapping: Option<Mapping>,
    /// Bytes of the cached part of the mapping table.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(title = "Mapping cache", range(min = 8, max = 67_108_864), extend("x-unit" = "bytes", "x-group" = "mapping", "x-detail" = true))]
    pub mapping_cache_bytes: Option<u64>,
    /// Share of the flash that is kept free of data.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(title = "Over-provisioning", range(min = 0.01, max = 0.9), extend("x-group" = "gc", "x-slider" = [0.02, 0.5, "linear"]))]
    pub over_provisioning: Option<f64>,
    /// What the device holds at the start.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(title = "At the start", extend("x-group" = "gc"))]
    pub precondition: Option<Precondition>,
    /// Share of its addresses that hold data at the start.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(title = "Filled", range(min = 0.0, max = 1.0), extend("x-group" = "gc", "x-slider" = [0, 1, "linear"]))]
    pub occupancy: Option<f64>,
    /// Garbage collection of a plane begins when so small a share of its blocks is free.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(title = "GC starts below", range(min = 0.0, max = 0.9), extend("x-live" = true, "x-group" = "gc", "x-slider" = [0, 0.2, "linear"]))]
    pub gc_threshold: Option<f64>,
    /// Below this share of free blocks garbage collection comes before reads and writes.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(title = "GC is urgent below", range(min = 0.0, max = 0.9), extend("x-live" = true, "x-group" = "gc", "x-detail" = true, "x-slider" = [0, 0.1, "linear"]))]
    pub gc_hard_threshold: Option<f64>,
    /// Which block is freed.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(title = "Victim choice", extend("x-live" = true, "x-group" = "gc"))]
    pub gc_victims: Option<Victims>,
    /// Blocks among which the best is chosen, at random.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(title = "Choices", range(min = 1, max = 1024), extend("x-live" = true, "x-group" = "gc", "x-detail" = true, "x-slider" = [2, 32, "linear"]))]
    pub gc_choices: Option<u32>,
    /// Reads and writes come before garbage collection as long as it is not urgent.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(title = "Requests come before GC", extend("x-live" = true, "x-group" = "gc"))]
    pub gc_preemptible: Option<bool>,
    /// A block is freed when the most worn one of its plane has been erased so much more often. 0: never.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(title = "Wear levelling", range(min = 0, max = 1_000_000), extend("x-unit" = "erases", "x-group" = "gc", "x-detail" = true))]
    pub wear_threshold: Option<u32>,
    /// Lanes of PCI Express.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(title = "PCIe lanes", range(min = 1, max = 32), extend("x-group" = "link", "x-detail" = true))]
    pub pcie_lanes: Option<u32>,
    /// Bytes that a lane carries per nanosecond.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(title = "PCIe lane", range(min = 0.01, max = 100.0), extend("x-unit" = "GB/s", "x-group" = "link", "x-detail" = true))]
    pub pcie_lane_gbytes_per_s: Option<f64>,
}

/// Where the mapping table is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Mapping {
    /// All of it in DRAM.
    #[schemars(title = "In memory")]
    InMemory,
    /// On flash, a part of it cached in DRAM: what is missing is read from flash.
    #[schemars(title = "Cached")]
    Cached,
}

/// What a device holds at the start.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Precondition {
    /// Every block is free.
    #[schemars(title = "Nothing")]
    Empty,
    /// Its addresses were written once, in order.
    #[schemars(title = "Written in order")]
    Sequential,
    /// Its addresses were overwritten at random until garbage collection was in its steady state.
    #[schemars(title = "Steady state")]
    Random,
}

/// Which block garbage collection frees.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Victims {
    /// The one with the fewest valid pages.
    #[schemars(title = "Greedy")]
    Greedy,
    /// The best of some chosen at random.
    #[schemars(title = "Best of some")]
    Choices,
    /// The one that was filled first.
    #[schemars(title = "Oldest")]
    Fifo,
    /// Any, at random.
    #[schemars(title = "Any")]
    Random,
}

/// Fields that are one parameter of the device each: `field: parameter`, with `in us` where the parameter is in picoseconds.
macro_rules! fields_of_parameters {
    ($($field:ident: $($part:ident).+ $([$at:literal])? $(in $unit:ident)?;)+) => {
        impl Ssd {
            /// Replaces parameters by what the document says, where it says something.
            fn replace(&self, device: &mut SsdParameters) {
                $(if let Some(given) = self.$field {
                    device.$($part).+$([$at])? = fields_of_parameters!(@parameter given $($unit)?);
                })+
            }

            /// What the document would say of all of them.
            fn of_parameters(device: &SsdParameters) -> Self {
                Self {
                    $($field: Some(fields_of_parameters!(@field device.$($part).+$([$at])? $(, $unit)?)),)+
                    ..Self::default()
                }
            }
        }
    };
    (@parameter $given:ident) => { $given };
    (@parameter $given:ident us) => { from_us($given) };
    (@field $parameter:expr) => { $parameter };
    (@field $parameter:expr, us) => { to_us($parameter) };
}

fields_of_parameters! {
    channels: geometry.channels;
    chips_per_channel: geometry.chips_per_channel;
    dies_per_chip: geometry.dies_per_chip;
    planes_per_die: geometry.planes_per_die;
    blocks_per_plane: geometry.blocks_per_plane;
    pages_per_block: geometry.pages_per_block;
    page_bytes: geometry.page_bytes;
    cells: flash.cells;
    read_lsb_us: flash.read_ps[0] in us;
    read_csb_us: flash.read_ps[1] in us;
    read_msb_us: flash.read_ps[2] in us;
    program_lsb_us: flash.program_ps[0] in us;
    program_csb_us: flash.program_ps[1] in us;
    program_msb_us: flash.program_ps[2] in us;
    erase_us: flash.erase_ps in us;
    channel_mt_per_s: flash.channel_mt_per_s;
    unit: unit;
    channel_policy: channel_policy;
    scheduling: live.scheduling;
    high_pages: live.weights[0];
    medium_pages: live.weights[1];
    low_pages: live.weights[2];
    write_age_limit_us: live.write_age_limit_ps in us;
    suspension: live.suspension;
    write_cache: live.write_cache;
    cache_bytes: cache.capacity_bytes;
    dram_mt_per_s: dram.mt_per_s;
    dram_width_bytes: dram.width_bytes;
    allocation: allocation;
    over_provisioning: over_provisioning;
    gc_threshold: live.gc_threshold;
    gc_hard_threshold: live.gc_hard_threshold;
    gc_preemptible: live.gc_preemptible;
    wear_threshold: gc.static_wear_threshold;
    pcie_lanes: link.lanes;
    pcie_lane_gbytes_per_s: link.lane_gbytes_per_s;
}

impl Ssd {
    /// The parameters of the device: those of the preset, where the document does not say otherwise. Dies serve levels by the
    /// weights of NVMe arbitration, `nvme_weights`, where it gives them no pages of their own.
    pub fn parameters(&self, nvme_weights: [u32; 3]) -> SsdParameters {
        let preset = SsdParameters::preset(self.preset);
        let mut to = preset.clone();
        to.live.weights = nvme_weights;
        self.replace(&mut to);
        to.geometry.page_bytes -= to.geometry.page_bytes % SECTOR_BYTES;
        match (self.mapping, &mut to.mapping) {
            (Some(Mapping::InMemory), table) => *table = MappingTable::InMemory,
            (None, MappingTable::InMemory) => (),
            (Some(Mapping::Cached), table @ MappingTable::InMemory) => {
                *table = cached_table(self.mapping_cache_bytes.unwrap_or(MAPPING_CACHE_BYTES), &to.geometry);
            }
            // The preset's own, but for what the document asks of it.
            (_, MappingTable::Cached { entries, entries_per_page, .. }) => {
                if let Some(bytes) = self.mapping_cache_bytes {
                    *entries = cached_entries(bytes, &to.geometry);
                }
                if to.geometry != preset.geometry {
                    *entries_per_page = stored_entries(&to.geometry);
                }
            }
        }
        let (contents, share) = contents(to.precondition);
        let filled = self.occupancy.or(share).unwrap_or(OCCUPANCY);
        to.precondition = match self.precondition.unwrap_or(contents) {
            Precondition::Empty => device::Precondition::Empty,
            Precondition::Sequential => device::Precondition::Sequential(filled),
            Precondition::Random => device::Precondition::Random(filled),
        };
        let (victims, choices) = victims(to.live.victims);
        to.live.victims = match self.gc_victims.unwrap_or(victims) {
            Victims::Greedy => VictimPolicy::Greedy,
            Victims::Choices => VictimPolicy::Choices(self.gc_choices.or(choices).unwrap_or_default()),
            Victims::Fifo => VictimPolicy::Fifo,
            Victims::Random => VictimPolicy::Random,
        };
        to
    }

    /// The parameters of a device as this section says them, all but its preset: what is in force.
    pub fn described(device: &SsdParameters) -> Self {
        let (contents, share) = contents(device.precondition);
        let (victims, choices) = victims(device.live.victims);
        let of_blocks = device.geometry.blocks_per_plane.max(2).ilog2();
        let (mapping, mapping_cache_bytes) = match device.mapping {
            MappingTable::InMemory => (Mapping::InMemory, None),
            MappingTable::Cached { entries, .. } => {
                (Mapping::Cached, Some(u64::from(entries) * entry_bytes(&device.geometry)))
            }
        };
        Self {
            mapping: Some(mapping),
            mapping_cache_bytes,
            precondition: Some(contents),
            occupancy: Some(share.unwrap_or_default()),
            gc_victims: Some(victims),
            gc_choices: choices.map(|choices| if choices == 0 { of_blocks } else { choices }),
            ..Self::of_parameters(device)
        }
    }
}

/// What a device holds at the start, and which share of its addresses that is.
fn contents(precondition: device::Precondition) -> (Precondition, Option<f64>) {
    match precondition {
        device::Precondition::Empty => (Precondition::Empty, None),
        device::Precondition::Sequential(share) => (Precondition::Sequential, Some(share)),
        device::Precondition::Random(share) => (Precondition::Random, Some(share)),
    }
}

/// Which block is freed, and among how many it is chosen.
fn victims(policy: VictimPolicy) -> (Victims, Option<u32>) {
    match policy {
        VictimPolicy::Greedy => (Victims::Greedy, None),
        VictimPolicy::Choices(choices) => (Victims::Choices, Some(choices)),
        VictimPolicy::Fifo => (Victims::Fifo, None),
        VictimPolicy::Random => (Victims::Random, None),
    }
}

/// Pages are whole numbers of sectors of 512 bytes.
const SECTOR_BYTES: u32 = 512;
/// Bytes of the cached part of the mapping table where neither the scenario nor the preset says.
const MAPPING_CACHE_BYTES: u64 = 2 << 20;
/// Share of the addresses that hold data where neither the scenario nor the preset says.
const OCCUPANCY: f64 = 0.75;

/// Bits of the number of a page.
fn page_bits(geometry: &Geometry) -> u32 {
    (geometry.raw_bytes() / u64::from(geometry.page_bytes)).max(2).next_power_of_two().ilog2()
}

/// Bytes of an entry of the cached part of the mapping table.
fn entry_bytes(geometry: &Geometry) -> u64 {
    u64::from((2 * page_bits(geometry) + geometry.page_bytes / SECTOR_BYTES).div_ceil(8))
}

/// Entries of the mapping table that so many bytes of DRAM hold.
fn cached_entries(bytes: u64, geometry: &Geometry) -> u32 {
    saturated_u32(bytes / entry_bytes(geometry)).max(8)
}

/// Entries of the mapping table in a page of flash.
fn stored_entries(geometry: &Geometry) -> u32 {
    let bytes = (page_bits(geometry) + geometry.page_bytes / SECTOR_BYTES).div_ceil(8);
    (geometry.page_bytes / bytes).max(1)
}

/// A mapping table of which DRAM holds so many bytes. An entry has two page numbers and a bit for each sector of a page, one
/// on flash one page number and those bits, as in MQSim.
fn cached_table(bytes: u64, geometry: &Geometry) -> MappingTable {
    MappingTable::Cached {
        entries: cached_entries(bytes, geometry),
        entries_per_page: stored_entries(geometry),
        read_bytes: SECTOR_BYTES,
        write_back: true,
    }
}
