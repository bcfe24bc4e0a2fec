//! Devices of our own: two kinds of drive, and MQSim's.

use crate::storage::link::{LinkParameters, Timing};
use crate::storage::ssd::parameters::{
    Allocation, CacheParameters, CellType, ChannelPolicy, DramParameters, FlashTimes, FlashUnit, GcParameters,
    GcTrigger, Geometry, MappingTable, Precondition, ProgramTransfer, Scheduling, SsdLive, SsdParameters, Suspension,
    UnwrittenRead, VictimPolicy,
};

const NS: u64 = 1000;
const US: u64 = 1000 * NS;
const MS: u64 = 1000 * US;

/// MQSim's default configuration (`ssdconfig.xml` at commit 7ec40e3) with its rules: one command per chip, data out first,
/// no suspension, entries of 72 B, times cut to nanoseconds, pages created by their first read.
pub(super) fn mqsim() -> SsdParameters {
    SsdParameters {
        link: LinkParameters { lanes: 4, lane_gbytes_per_s: 1.0, entry_bytes: 72, timing: Timing::Truncated },
        geometry: Geometry {
            channels: 8,
            chips_per_channel: 4,
            dies_per_chip: 2,
            planes_per_die: 2,
            blocks_per_plane: 2048,
            pages_per_block: 256,
            page_bytes: 8192,
        },
        flash: FlashTimes {
            cells: CellType::Mlc,
            read_ps: [75 * US; 3],
            read_ready_ps: 20 * NS,
            program_ps: [750 * US; 3],
            erase_ps: 3800 * US,
            // ONFI NV-DDR2: tCS 20 + 6 tWC 25 + tWB 100 + tRR 20; each further plane 6 tWC + tDBSY 500.
            read_command_ps: 290 * NS,
            read_plane_ps: 650 * NS,
            // tCS 20 + 6 tWC 25 + tADL 70 + tWPST 6 + tWPSTH 15 + tWB 100; further planes with tDBSY 500.
            program_command_ps: 361 * NS,
            program_plane_ps: 816 * NS,
            // tCS 20 + 4 tWC 25 + tWB 100; further planes with tDBSY 500 and tWB again.
            erase_command_ps: 220 * NS,
            erase_plane_ps: 700 * NS,
            channel_mt_per_s: 333.0,
            channel_width_bytes: 1,
            timing: Timing::Truncated,
            suspend_program_ps: 100 * US,
            suspend_erase_ps: 700 * US,
            suspensions_max: 8,
        },
        unit: FlashUnit::Chip,
        channel_policy: ChannelPolicy::DataOutFirst,
        allocation: Allocation::Cwdp,
        mapping: MappingTable::Cached { entries: 233_016, entries_per_page: 1365, read_bytes: 512, write_back: false },
        over_provisioning: 0.07,
        precondition: Precondition::Empty,
        unwritten_read: UnwrittenRead::Allocates,
        program_transfer: ProgramTransfer::Written,
        dram: DramParameters {
            mt_per_s: 100.0,
            width_bytes: 1,
            row_bytes: 8192,
            row_to_column_ps: 13 * NS,
            column_ps: 13 * NS,
            precharge_ps: 13 * NS,
            timing: Timing::Truncated,
        },
        // One page per plane may be under way to flash.
        cache: CacheParameters { capacity_bytes: 128 * 8192, gathered_pages: 0 },
        frontiers: 8,
        gc: GcParameters {
            trigger: GcTrigger::BlockFilled,
            victims_max: 10,
            reserved_blocks: 10,
            threshold_blocks_min: 10,
            dynamic_wear_leveling: true,
            static_wear_threshold: 0,
        },
        gc_look_ahead: 16,
        live: SsdLive {
            scheduling: Scheduling::Lottery,
            weights: [4, 2, 1],
            write_age_limit_ps: 0,
            suspension: Suspension::None,
            victims: VictimPolicy::Choices(0),
            gc_threshold: 0.05,
            gc_hard_threshold: 0.005,
            gc_preemptible: false,
            write_cache: true,
        },
    }
}

/// A drive with TLC flash like the Samsung 970 EVO Plus of 1 TB: eight channels at 1200 MT/s with four dies of two planes,
/// pages of 16 KiB, PCIe 3.0 x4 (3.94 GB/s). Dies program superpages, as controllers of such drives do. tR 40/50/60 µs, tPROG 660 µs and tBERS 3.5 ms are chosen so that the
/// specified 19 000 reads of 4 KiB per second come out at queue depth 1 (52 µs). 7 % over-provisioning; suspension within
/// 20 µs and the age limit of writes of 5 ms are choices.
pub(super) fn tlc_nvme() -> SsdParameters {
    SsdParameters {
        link: LinkParameters { lanes: 4, lane_gbytes_per_s: 0.985, entry_bytes: 64, timing: Timing::Exact },
        geometry: Geometry {
            channels: 8,
            chips_per_channel: 4,
            dies_per_chip: 1,
            planes_per_die: 2,
            blocks_per_plane: 1300,
            pages_per_block: 768,
            page_bytes: 16_384,
        },
        flash: FlashTimes {
            cells: CellType::Tlc,
            read_ps: [40 * US, 50 * US, 60 * US],
            program_ps: [660 * US; 3],
            erase_ps: 3500 * US,
            channel_mt_per_s: 1200.0,
            timing: Timing::Exact,
            suspend_program_ps: 20 * US,
            suspend_erase_ps: 20 * US,
            ..mqsim().flash
        },
        unit: FlashUnit::Die,
        channel_policy: ChannelPolicy::CommandsFirst,
        allocation: Allocation::Superpage,
        mapping: MappingTable::InMemory,
        precondition: Precondition::Random(0.75),
        unwritten_read: UnwrittenRead::Zeros,
        program_transfer: ProgramTransfer::WholePage,
        dram: DramParameters { mt_per_s: 1600.0, width_bytes: 4, timing: Timing::Exact, ..mqsim().dram },
        cache: CacheParameters { capacity_bytes: 32 << 20, gathered_pages: 512 },
        frontiers: 1,
        gc: GcParameters {
            trigger: GcTrigger::Deficit,
            victims_max: 1,
            reserved_blocks: 2,
            threshold_blocks_min: 4,
            dynamic_wear_leveling: true,
            static_wear_threshold: 100,
        },
        live: SsdLive {
            scheduling: Scheduling::Priority,
            weights: [3, 2, 1],
            write_age_limit_ps: 5 * MS,
            suspension: Suspension::ProgramAndErase,
            victims: VictimPolicy::Greedy,
            gc_threshold: 0.01,
            gc_hard_threshold: 0.003,
            gc_preemptible: true,
            write_cache: true,
        },
        ..mqsim()
    }
}

/// A low-latency drive with SLC flash like XL-FLASH: 16 planes per die, pages of 4 KiB, tR 4 µs (below 5 µs as published),
/// tPROG 75 µs; erase 1 ms and eight channels of four dies are choices. PCIe 4.0 x4.
pub(super) fn xl_flash() -> SsdParameters {
    SsdParameters {
        link: LinkParameters { lanes: 4, lane_gbytes_per_s: 1.969, entry_bytes: 64, timing: Timing::Exact },
        geometry: Geometry {
            channels: 8,
            chips_per_channel: 4,
            dies_per_chip: 1,
            planes_per_die: 16,
            blocks_per_plane: 768,
            pages_per_block: 336,
            page_bytes: 4096,
        },
        flash: FlashTimes {
            cells: CellType::Slc,
            read_ps: [4 * US; 3],
            program_ps: [75 * US; 3],
            erase_ps: MS,
            suspend_program_ps: 5 * US,
            suspend_erase_ps: 5 * US,
            ..tlc_nvme().flash
        },
        cache: CacheParameters { capacity_bytes: 16 << 20, gathered_pages: 64 },
        ..tlc_nvme()
    }
}
