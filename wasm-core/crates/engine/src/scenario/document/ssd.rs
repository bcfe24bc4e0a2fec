//! SSDs: a preset, and what a scenario has otherwise.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::kernel::convert::saturated_u32;
use crate::kernel::time::{from_us, to_us};
use crate::storage::ssd::parameters as device;
use crate::storage::{Preset, SsdParameters};

/// An SSD. What is left empty is that of the preset.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct Ssd {
    /// A device to begin with.
    #[schemars(title = "Preset", extend("x-lead" = true), extend("x-source" = "Ours: a drive as data centres use."))]
    pub preset: SsdPreset,
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
    pub cells: Option<Cells>,
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

/// Devices to begin with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum SsdPreset {
    #[default]
    /// Three bits per cell, eight channels, PCIe 3.0, much like a Samsung 970 EVO Plus.
    #[schemars(title = "TLC NVMe, 1 TB")]
    TlcNvme,
    /// One bit per cell with page reads of some microseconds, PCIe 4.0.
    #[schemars(title = "XL-FLASH, low latency")]
    XlFlash,
    /// The default configuration of MQSim, with its rules: one command per chip, data out first, no suspension.
    #[schemars(title = "MQSim default")]
    Mqsim,
}

/// Bits of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Cells {
    /// One bit: all pages alike.
    #[schemars(title = "SLC")]
    Slc,
    /// Two bits.
    #[schemars(title = "MLC")]
    Mlc,
    /// Three bits.
    #[schemars(title = "TLC")]
    Tlc,
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

/// How dies choose among the pages that wait for them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Scheduling {
    /// Urgent ones first, then high, medium and low by weight.
    #[schemars(title = "By level")]
    Priority,
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

/// How free blocks are found for what is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Allocation {
    /// The planes of a die are programmed together: consecutive pages go over dies, and each goes to the superpage that its die fills.
    #[schemars(title = "Superpage of a die")]
    Superpage,
    /// All planes are programmed in one order and freed together: pages go to the next place of a superblock across all dies, as they come.
    #[schemars(title = "Superblock of all dies")]
    Superblock,
    /// Each plane for itself, as in MQSim and so the other static ones. Consecutive pages go over channels, then ways, dies and planes.
    #[schemars(title = "Static, CWDP")]
    Cwdp,
    /// Consecutive pages go over channels, then ways, planes and dies.
    #[schemars(title = "Static, CWPD")]
    Cwpd,
    /// Consecutive pages go over channels, then dies, ways and planes.
    #[schemars(title = "Static, CDWP")]
    Cdwp,
    /// Consecutive pages go over channels, then dies, planes and ways.
    #[schemars(title = "Static, CDPW")]
    Cdpw,
    /// Consecutive pages go over channels, then planes, ways and dies.
    #[schemars(title = "Static, CPWD")]
    Cpwd,
    /// Consecutive pages go over channels, then planes, dies and ways.
    #[schemars(title = "Static, CPDW")]
    Cpdw,
    /// Consecutive pages go over ways, then channels, dies and planes.
    #[schemars(title = "Static, WCDP")]
    Wcdp,
    /// Consecutive pages go over ways, then channels, planes and dies.
    #[schemars(title = "Static, WCPD")]
    Wcpd,
    /// Consecutive pages go over ways, then dies, channels and planes.
    #[schemars(title = "Static, WDCP")]
    Wdcp,
    /// Consecutive pages go over ways, then dies, planes and channels.
    #[schemars(title = "Static, WDPC")]
    Wdpc,
    /// Consecutive pages go over ways, then planes, channels and dies.
    #[schemars(title = "Static, WPCD")]
    Wpcd,
    /// Consecutive pages go over ways, then planes, dies and channels.
    #[schemars(title = "Static, WPDC")]
    Wpdc,
    /// Consecutive pages go over dies, then channels, ways and planes.
    #[schemars(title = "Static, DCWP")]
    Dcwp,
    /// Consecutive pages go over dies, then channels, planes and ways.
    #[schemars(title = "Static, DCPW")]
    Dcpw,
    /// Consecutive pages go over dies, then ways, channels and planes.
    #[schemars(title = "Static, DWCP")]
    Dwcp,
    /// Consecutive pages go over dies, then ways, planes and channels.
    #[schemars(title = "Static, DWPC")]
    Dwpc,
    /// Consecutive pages go over dies, then planes, channels and ways.
    #[schemars(title = "Static, DPCW")]
    Dpcw,
    /// Consecutive pages go over dies, then planes, ways and channels.
    #[schemars(title = "Static, DPWC")]
    Dpwc,
    /// Consecutive pages go over planes, then channels, ways and dies.
    #[schemars(title = "Static, PCWD")]
    Pcwd,
    /// Consecutive pages go over planes, then channels, dies and ways.
    #[schemars(title = "Static, PCDW")]
    Pcdw,
    /// Consecutive pages go over planes, then ways, channels and dies.
    #[schemars(title = "Static, PWCD")]
    Pwcd,
    /// Consecutive pages go over planes, then ways, dies and channels.
    #[schemars(title = "Static, PWDC")]
    Pwdc,
    /// Consecutive pages go over planes, then dies, channels and ways.
    #[schemars(title = "Static, PDCW")]
    Pdcw,
    /// Consecutive pages go over planes, then dies, ways and channels.
    #[schemars(title = "Static, PDWC")]
    Pdwc,
    /// Every page goes to the die with the fewest programs waiting.
    #[schemars(title = "Dynamic")]
    Dynamic,
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

impl Allocation {
    fn parameter(self) -> device::Allocation {
        use device::Dimension::{Channel, Die, Plane, Way};
        let order = match self {
            Self::Superpage => return device::Allocation::Superpage,
            Self::Superblock => return device::Allocation::Superblock,
            Self::Cwdp => [Channel, Way, Die, Plane],
            Self::Cwpd => [Channel, Way, Plane, Die],
            Self::Cdwp => [Channel, Die, Way, Plane],
            Self::Cdpw => [Channel, Die, Plane, Way],
            Self::Cpwd => [Channel, Plane, Way, Die],
            Self::Cpdw => [Channel, Plane, Die, Way],
            Self::Wcdp => [Way, Channel, Die, Plane],
            Self::Wcpd => [Way, Channel, Plane, Die],
            Self::Wdcp => [Way, Die, Channel, Plane],
            Self::Wdpc => [Way, Die, Plane, Channel],
            Self::Wpcd => [Way, Plane, Channel, Die],
            Self::Wpdc => [Way, Plane, Die, Channel],
            Self::Dcwp => [Die, Channel, Way, Plane],
            Self::Dcpw => [Die, Channel, Plane, Way],
            Self::Dwcp => [Die, Way, Channel, Plane],
            Self::Dwpc => [Die, Way, Plane, Channel],
            Self::Dpcw => [Die, Plane, Channel, Way],
            Self::Dpwc => [Die, Plane, Way, Channel],
            Self::Pcwd => [Plane, Channel, Way, Die],
            Self::Pcdw => [Plane, Channel, Die, Way],
            Self::Pwcd => [Plane, Way, Channel, Die],
            Self::Pwdc => [Plane, Way, Die, Channel],
            Self::Pdcw => [Plane, Die, Channel, Way],
            Self::Pdwc => [Plane, Die, Way, Channel],
            Self::Dynamic => return device::Allocation::Dynamic,
        };
        device::Allocation::Static(order)
    }
}

impl Allocation {
    const STATIC: [Self; 24] = [
        Self::Cwdp,
        Self::Cwpd,
        Self::Cdwp,
        Self::Cdpw,
        Self::Cpwd,
        Self::Cpdw,
        Self::Wcdp,
        Self::Wcpd,
        Self::Wdcp,
        Self::Wdpc,
        Self::Wpcd,
        Self::Wpdc,
        Self::Dcwp,
        Self::Dcpw,
        Self::Dwcp,
        Self::Dwpc,
        Self::Dpcw,
        Self::Dpwc,
        Self::Pcwd,
        Self::Pcdw,
        Self::Pwcd,
        Self::Pwdc,
        Self::Pdcw,
        Self::Pdwc,
    ];

    /// The field for a parameter.
    fn of(parameter: device::Allocation) -> Self {
        let others = [Self::Superpage, Self::Superblock];
        let mut all = Self::STATIC.into_iter().chain(others);
        all.find(|allocation| allocation.parameter() == parameter).unwrap_or(Self::Dynamic)
    }
}

impl SsdPreset {
    fn parameters(self) -> SsdParameters {
        SsdParameters::preset(match self {
            Self::TlcNvme => Preset::TlcNvme,
            Self::XlFlash => Preset::XlFlash,
            Self::Mqsim => Preset::Mqsim,
        })
    }
}

/// Replaces a value by what the document says, where it says something.
fn put<T, U>(value: &mut T, given: Option<U>, of: impl FnOnce(U) -> T) {
    if let Some(given) = given {
        *value = of(given);
    }
}

impl Ssd {
    /// The parameters of the device: those of the preset, where the document does not say otherwise. Dies serve levels by the
    /// weights of NVMe arbitration, `nvme_weights`, where it gives them no pages of their own.
    pub fn parameters(&self, nvme_weights: [u32; 3]) -> SsdParameters {
        let mut to = self.preset.parameters();
        let same = |number: u32| number;
        let geometry = &mut to.geometry;
        put(&mut geometry.channels, self.channels, same);
        put(&mut geometry.chips_per_channel, self.chips_per_channel, same);
        put(&mut geometry.dies_per_chip, self.dies_per_chip, same);
        put(&mut geometry.planes_per_die, self.planes_per_die, same);
        put(&mut geometry.blocks_per_plane, self.blocks_per_plane, same);
        put(&mut geometry.pages_per_block, self.pages_per_block, same);
        put(&mut geometry.page_bytes, self.page_bytes, |bytes| bytes / SECTOR_BYTES * SECTOR_BYTES);
        let flash = &mut to.flash;
        put(&mut flash.cells, self.cells, |cells| match cells {
            Cells::Slc => device::CellType::Slc,
            Cells::Mlc => device::CellType::Mlc,
            Cells::Tlc => device::CellType::Tlc,
        });
        let types = [self.read_lsb_us, self.read_csb_us, self.read_msb_us];
        flash.read_ps.iter_mut().zip(types).for_each(|(ps, us)| put(ps, us, from_us));
        let types = [self.program_lsb_us, self.program_csb_us, self.program_msb_us];
        flash.program_ps.iter_mut().zip(types).for_each(|(ps, us)| put(ps, us, from_us));
        put(&mut flash.erase_ps, self.erase_us, from_us);
        put(&mut flash.channel_mt_per_s, self.channel_mt_per_s, |rate| rate);
        put(&mut to.unit, self.unit, |unit| match unit {
            FlashUnit::Die => device::Unit::Die,
            FlashUnit::Chip => device::Unit::Chip,
        });
        put(&mut to.channel_policy, self.channel_policy, |policy| match policy {
            ChannelPolicy::CommandsFirst => device::ChannelPolicy::CommandsFirst,
            ChannelPolicy::DataOutFirst => device::ChannelPolicy::DataOutFirst,
        });
        put(&mut to.allocation, self.allocation, Allocation::parameter);
        match (self.mapping, &mut to.mapping) {
            (Some(Mapping::InMemory), table) => *table = device::MappingTable::InMemory,
            (None, device::MappingTable::InMemory) => (),
            (Some(Mapping::Cached), table @ device::MappingTable::InMemory) => {
                *table = cached_table(self.mapping_cache_bytes.unwrap_or(MAPPING_CACHE_BYTES), &to.geometry);
            }
            // The preset's own, but for what the document asks of it.
            (_, device::MappingTable::Cached { entries, entries_per_page, .. }) => {
                put(entries, self.mapping_cache_bytes, |bytes| cached_entries(bytes, &to.geometry));
                if to.geometry != self.preset.parameters().geometry {
                    *entries_per_page = stored_entries(&to.geometry);
                }
            }
        }
        put(&mut to.over_provisioning, self.over_provisioning, |share| share);
        let filled = self.occupancy.unwrap_or(match to.precondition {
            device::Precondition::Empty => OCCUPANCY,
            device::Precondition::Sequential(share) | device::Precondition::Random(share) => share,
        });
        to.precondition = match (self.precondition, to.precondition) {
            (Some(Precondition::Empty), _) | (None, device::Precondition::Empty) => device::Precondition::Empty,
            (Some(Precondition::Sequential), _) | (None, device::Precondition::Sequential(_)) => {
                device::Precondition::Sequential(filled)
            }
            (Some(Precondition::Random), _) | (None, device::Precondition::Random(_)) => {
                device::Precondition::Random(filled)
            }
        };
        put(&mut to.dram.mt_per_s, self.dram_mt_per_s, |rate| rate);
        put(&mut to.dram.width_bytes, self.dram_width_bytes, same);
        put(&mut to.cache.capacity_bytes, self.cache_bytes, |bytes| bytes);
        put(&mut to.gc.static_wear_threshold, self.wear_threshold, same);
        put(&mut to.link.lanes, self.pcie_lanes, same);
        put(&mut to.link.lane_gbytes_per_s, self.pcie_lane_gbytes_per_s, |rate| rate);
        self.put_live(&mut to.live, nvme_weights);
        to
    }

    /// What may change during a run.
    fn put_live(&self, live: &mut device::SsdLive, nvme_weights: [u32; 3]) {
        put(&mut live.scheduling, self.scheduling, |scheduling| match scheduling {
            Scheduling::Priority => device::Scheduling::Priority,
            Scheduling::Lottery => device::Scheduling::Lottery,
            Scheduling::Fifo => device::Scheduling::Fifo,
        });
        let pages = [self.high_pages, self.medium_pages, self.low_pages];
        for (weight, (pages, nvme_weight)) in live.weights.iter_mut().zip(pages.into_iter().zip(nvme_weights)) {
            *weight = pages.unwrap_or(nvme_weight);
        }
        put(&mut live.write_age_limit_ps, self.write_age_limit_us, from_us);
        put(&mut live.suspension, self.suspension, |suspension| match suspension {
            Suspension::None => device::Suspension::None,
            Suspension::Program => device::Suspension::Program,
            Suspension::Erase => device::Suspension::Erase,
            Suspension::ProgramAndErase => device::Suspension::ProgramAndErase,
        });
        put(&mut live.victims, self.gc_victims, |victims| match victims {
            Victims::Greedy => device::VictimPolicy::Greedy,
            Victims::Choices => device::VictimPolicy::Choices(0),
            Victims::Fifo => device::VictimPolicy::Fifo,
            Victims::Random => device::VictimPolicy::Random,
        });
        if let (device::VictimPolicy::Choices(choices), Some(given)) = (&mut live.victims, self.gc_choices) {
            *choices = given;
        }
        put(&mut live.gc_threshold, self.gc_threshold, |share| share);
        put(&mut live.gc_hard_threshold, self.gc_hard_threshold, |share| share);
        put(&mut live.gc_preemptible, self.gc_preemptible, |preemptible| preemptible);
        put(&mut live.write_cache, self.write_cache, |on| on);
    }
}

/// Pages are whole numbers of sectors of 512 bytes.
const SECTOR_BYTES: u32 = 512;
/// Bytes of the cached part of the mapping table where neither the scenario nor the preset says.
const MAPPING_CACHE_BYTES: u64 = 2 << 20;
/// Share of the addresses that hold data where neither the scenario nor the preset says.
const OCCUPANCY: f64 = 0.75;

/// Bits of the number of a page.
fn page_bits(geometry: &device::Geometry) -> u32 {
    (geometry.raw_bytes() / u64::from(geometry.page_bytes)).max(2).next_power_of_two().ilog2()
}

/// Bytes of an entry of the cached part of the mapping table.
fn entry_bytes(geometry: &device::Geometry) -> u64 {
    u64::from((2 * page_bits(geometry) + geometry.page_bytes / SECTOR_BYTES).div_ceil(8))
}

/// Entries of the mapping table that so many bytes of DRAM hold.
fn cached_entries(bytes: u64, geometry: &device::Geometry) -> u32 {
    saturated_u32(bytes / entry_bytes(geometry)).max(8)
}

/// Entries of the mapping table in a page of flash.
fn stored_entries(geometry: &device::Geometry) -> u32 {
    let bytes = (page_bits(geometry) + geometry.page_bytes / SECTOR_BYTES).div_ceil(8);
    (geometry.page_bytes / bytes).max(1)
}

/// A mapping table of which DRAM holds so many bytes. An entry has two page numbers and a bit for each sector of a page, one
/// on flash one page number and those bits, as in MQSim.
fn cached_table(bytes: u64, geometry: &device::Geometry) -> device::MappingTable {
    device::MappingTable::Cached {
        entries: cached_entries(bytes, geometry),
        entries_per_page: stored_entries(geometry),
        read_bytes: SECTOR_BYTES,
        write_back: true,
    }
}

impl Ssd {
    /// The parameters of a device as fields of this section, by name: what is in force.
    pub fn described(device: &SsdParameters) -> Vec<(&'static str, Value)> {
        let SsdParameters { geometry, flash, live, .. } = device;
        let us = |ps: u64| to_us(ps);
        let shown = Self {
            preset: SsdPreset::default(),
            channels: Some(geometry.channels),
            chips_per_channel: Some(geometry.chips_per_channel),
            dies_per_chip: Some(geometry.dies_per_chip),
            planes_per_die: Some(geometry.planes_per_die),
            blocks_per_plane: Some(geometry.blocks_per_plane),
            pages_per_block: Some(geometry.pages_per_block),
            page_bytes: Some(geometry.page_bytes),
            cells: Some(match flash.cells {
                device::CellType::Slc => Cells::Slc,
                device::CellType::Mlc => Cells::Mlc,
                device::CellType::Tlc => Cells::Tlc,
            }),
            read_lsb_us: Some(us(flash.read_ps[0])),
            read_csb_us: Some(us(flash.read_ps[1])),
            read_msb_us: Some(us(flash.read_ps[2])),
            program_lsb_us: Some(us(flash.program_ps[0])),
            program_csb_us: Some(us(flash.program_ps[1])),
            program_msb_us: Some(us(flash.program_ps[2])),
            erase_us: Some(us(flash.erase_ps)),
            channel_mt_per_s: Some(flash.channel_mt_per_s),
            unit: Some(match device.unit {
                device::Unit::Die => FlashUnit::Die,
                device::Unit::Chip => FlashUnit::Chip,
            }),
            channel_policy: Some(match device.channel_policy {
                device::ChannelPolicy::CommandsFirst => ChannelPolicy::CommandsFirst,
                device::ChannelPolicy::DataOutFirst => ChannelPolicy::DataOutFirst,
            }),
            scheduling: Some(match live.scheduling {
                device::Scheduling::Priority => Scheduling::Priority,
                device::Scheduling::Lottery => Scheduling::Lottery,
                device::Scheduling::Fifo => Scheduling::Fifo,
            }),
            high_pages: Some(live.weights[0]),
            medium_pages: Some(live.weights[1]),
            low_pages: Some(live.weights[2]),
            write_age_limit_us: Some(us(live.write_age_limit_ps)),
            suspension: Some(match live.suspension {
                device::Suspension::None => Suspension::None,
                device::Suspension::Program => Suspension::Program,
                device::Suspension::Erase => Suspension::Erase,
                device::Suspension::ProgramAndErase => Suspension::ProgramAndErase,
            }),
            write_cache: Some(live.write_cache),
            cache_bytes: Some(device.cache.capacity_bytes),
            dram_mt_per_s: Some(device.dram.mt_per_s),
            dram_width_bytes: Some(device.dram.width_bytes),
            allocation: Some(Allocation::of(device.allocation)),
            mapping: Some(match device.mapping {
                device::MappingTable::InMemory => Mapping::InMemory,
                device::MappingTable::Cached { .. } => Mapping::Cached,
            }),
            mapping_cache_bytes: match device.mapping {
                device::MappingTable::InMemory => None,
                device::MappingTable::Cached { entries, .. } => Some(u64::from(entries) * entry_bytes(geometry)),
            },
            over_provisioning: Some(device.over_provisioning),
            precondition: Some(match device.precondition {
                device::Precondition::Empty => Precondition::Empty,
                device::Precondition::Sequential(_) => Precondition::Sequential,
                device::Precondition::Random(_) => Precondition::Random,
            }),
            occupancy: match device.precondition {
                device::Precondition::Empty => Some(0.0),
                device::Precondition::Sequential(share) | device::Precondition::Random(share) => Some(share),
            },
            gc_threshold: Some(live.gc_threshold),
            gc_hard_threshold: Some(live.gc_hard_threshold),
            gc_victims: Some(match live.victims {
                device::VictimPolicy::Greedy => Victims::Greedy,
                device::VictimPolicy::Choices(_) => Victims::Choices,
                device::VictimPolicy::Fifo => Victims::Fifo,
                device::VictimPolicy::Random => Victims::Random,
            }),
            gc_choices: match live.victims {
                device::VictimPolicy::Choices(0) => Some(geometry.blocks_per_plane.max(2).ilog2()),
                device::VictimPolicy::Choices(choices) => Some(choices),
                _ => None,
            },
            gc_preemptible: Some(live.gc_preemptible),
            wear_threshold: Some(device.gc.static_wear_threshold),
            pcie_lanes: Some(device.link.lanes),
            pcie_lane_gbytes_per_s: Some(device.link.lane_gbytes_per_s),
        };
        let shown = serde_json::to_value(shown).unwrap_or_default();
        NAMES.iter().map(|&name| (name, shown.get(name).cloned().unwrap_or_default())).collect()
    }
}

/// Names of the fields that a preset gives.
const NAMES: &[&str] = &[
    "channels",
    "chipsPerChannel",
    "diesPerChip",
    "planesPerDie",
    "blocksPerPlane",
    "pagesPerBlock",
    "pageBytes",
    "cells",
    "readLsbUs",
    "readCsbUs",
    "readMsbUs",
    "programLsbUs",
    "programCsbUs",
    "programMsbUs",
    "eraseUs",
    "channelMtPerS",
    "unit",
    "channelPolicy",
    "scheduling",
    "highPages",
    "mediumPages",
    "lowPages",
    "writeAgeLimitUs",
    "suspension",
    "writeCache",
    "cacheBytes",
    "dramMtPerS",
    "dramWidthBytes",
    "allocation",
    "mapping",
    "mappingCacheBytes",
    "overProvisioning",
    "precondition",
    "occupancy",
    "gcThreshold",
    "gcHardThreshold",
    "gcVictims",
    "gcChoices",
    "gcPreemptible",
    "wearThreshold",
    "pcieLanes",
    "pcieLaneGbytesPerS",
];
