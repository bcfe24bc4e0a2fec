//! The write cache: pages written again replace themselves, and no size makes a drive slower than it is without a cache.

use proptest::prelude::*;

use super::*;

/// Writes of a host: so many outstanding, of so many bytes, anywhere in a range.
#[derive(Clone, Copy, Debug)]
struct Load {
    outstanding: u32,
    bytes: u32,
    align_bytes: u64,
    range_bytes: u64,
}

/// A drive of four dies without garbage collection, with a write cache of a capacity or without one.
fn drive(allocation: Allocation, planes_per_die: u32, capacity_bytes: Option<u64>) -> Ssd {
    let mut parameters = SsdParameters::preset(Preset::TlcNvme);
    parameters.geometry = Geometry {
        channels: 2,
        chips_per_channel: 2,
        dies_per_chip: 1,
        planes_per_die,
        blocks_per_plane: 512,
        pages_per_block: 64,
        page_bytes: 16_384,
    };
    parameters.allocation = allocation;
    parameters.precondition = Precondition::Sequential(0.3);
    parameters.live.write_cache = capacity_bytes.is_some();
    parameters.cache.capacity_bytes = capacity_bytes.unwrap_or(0);
    Ssd::new(&Arc::new(DriveModel::new(parameters)), &NvmeParameters::default(), 7)
}

/// Writes that complete within some milliseconds.
fn writes(drive: &mut Ssd, load: Load, ms: u64) -> u64 {
    let mut stream = Stream::new(5, "cached writes", 0);
    let places = (load.range_bytes.min(drive.capacity_bytes()) - u64::from(load.bytes)) / load.align_bytes;
    let mut write = |drive: &mut Ssd, at_ps: u64| {
        let address = stream.integer(0, places) * load.align_bytes;
        drive.submit(at_ps, Command { opcode: Opcode::Write, address, bytes: load.bytes, ..Command::default() });
    };
    (0..load.outstanding).for_each(|_| write(drive, 0));
    let mut done = 0;
    while let Some(completion) = drive.run(ms * 1_000_000_000, &mut 0) {
        write(drive, completion.served.at_ps);
        done += 1;
    }
    done
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn no_cache_size_is_slower_than_no_cache(
        allocation in prop::sample::select(
            vec![Allocation::Superpage, Allocation::Superblock, Allocation::Cwdp, Allocation::Dynamic]
        ),
        planes in 1..5u32,
        capacity_bytes in prop_oneof![Just(0u64), 1..100_000u64, 100_000..4_000_000u64, Just(32 << 20)],
        outstanding in prop_oneof![Just(1u32), 2..40u32, Just(200)],
        (bytes, align_bytes) in prop::sample::select(
            vec![(4096u32, 4096u64), (16_384, 16_384), (65_536, 65_536), (65_536, 4096), (5120, 512), (200_000, 512)]
        ),
        range_bytes in prop_oneof![Just(300_000u64), Just(u64::MAX)],
    ) {
        let load = Load { outstanding, bytes, align_bytes, range_bytes };
        let without = writes(&mut drive(allocation, planes, None), load, 200);
        let with = writes(&mut drive(allocation, planes, Some(capacity_bytes)), load, 200);
        prop_assert!(with as f64 >= 0.9 * without as f64, "{with} writes with the cache, {without} without");
    }
}

#[test]
fn page_written_again_is_programmed_once() {
    // Eight pages, while a cache of 32 MiB holds 2048.
    let load = Load { outstanding: 32, bytes: 16_384, align_bytes: 16_384, range_bytes: 8 * 16_384 };
    let mut drive = drive(Allocation::Superpage, 4, Some(32 << 20));
    let written = writes(&mut drive, load, 100);
    let counters = drive.counters().clone();
    assert!(counters.cache_merges > written * 9 / 10, "{} of {written} merged", counters.cache_merges);
    // Each of the dies that hold them programs a page as often as it can, and no more.
    assert!(counters.program_commands <= 4 * (100_000 / 660 + 1), "{} programs", counters.program_commands);
    let mut now = Occupancy::default();
    drive.occupancy(100 * 1_000_000_000, &mut now);
    assert!(now.cached_pages <= 16, "{} copies of 8 pages", now.cached_pages);
}
