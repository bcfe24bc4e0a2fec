//! What the policies of a flash drive do: suspension, age limit, victims, wear levelling, allocation, arbitration, presets.

use std::sync::Arc;

use crate::common::device::{Flow, Outcome, run};
use qoscope_engine::storage::ssd::parameters::{
    Allocation, CacheParameters, Geometry, Precondition, Suspension, VictimPolicy,
};
use qoscope_engine::storage::{
    Arbitration, Device, DeviceParameters, DriveModel, Level, Media, NvmeParameters, Occupancy, Preset, SsdParameters,
};

const KIB: u32 = 1024;

/// A small TLC drive of four dies, without a cache.
fn small() -> SsdParameters {
    let preset = SsdParameters::preset(Preset::TlcNvme);
    let geometry = Geometry {
        channels: 2,
        chips_per_channel: 2,
        planes_per_die: 1,
        blocks_per_plane: 200,
        pages_per_block: 64,
        ..preset.geometry
    };
    let mut small =
        SsdParameters { geometry, precondition: Precondition::Random(1.0), over_provisioning: 0.2, ..preset };
    small.live.write_cache = false;
    small
}

fn device(ssd: &SsdParameters) -> Device {
    Device::new(
        &DeviceParameters {
            media: Media::Ssd(Arc::new(DriveModel::new(ssd.clone()))),
            nvme: NvmeParameters::default(),
        },
        1,
    )
}

fn range(ssd: &SsdParameters) -> u64 {
    ssd.geometry.raw_bytes() * 7 / 10
}

/// Four readers beside writers that keep all dies busy.
fn mixed(ssd: &SsdParameters) -> (Outcome, Outcome, Device) {
    let mut device = device(ssd);
    let flow = |queue, read_share, depth| Flow {
        read_share,
        depth,
        stop_ps: 300_000_000_000,
        count: u64::MAX,
        ..Flow::random(queue, 0, range(ssd), 16 * KIB)
    };
    let mut outcomes = run(&mut device, &[flow(0, 1.0, 4), flow(1, 0.0, 8)], 1);
    let writes = outcomes.remove(1);
    (outcomes.remove(0), writes, device)
}

#[test]
fn suspension_lets_reads_pass_programs_and_erases() {
    let mut ssd = small();
    let (with, _, device) = mixed(&ssd);
    assert!(device.counters().program_suspensions > 100 && device.counters().erase_suspensions > 0);
    ssd.live.suspension = Suspension::None;
    let (without, _, device) = mixed(&ssd);
    assert_eq!(device.counters().program_suspensions + device.counters().erase_suspensions, 0);
    assert!(with.all.mean_us() < 0.6 * without.all.mean_us(), "{} {}", with.all.mean_us(), without.all.mean_us());
    assert!(with.all.quantile_us(0.99) < without.all.quantile_us(0.99));
}

#[test]
fn an_age_limit_keeps_writes_from_starving() {
    let longest_us = |limit_ps| {
        let mut ssd = SsdParameters { precondition: Precondition::Sequential(0.5), ..small() };
        ssd.live.suspension = Suspension::None;
        ssd.live.write_age_limit_ps = limit_ps;
        let mut device = device(&ssd);
        let flow = |queue, read_share, depth| Flow {
            read_share,
            depth,
            stop_ps: 100_000_000_000,
            count: u64::MAX,
            ..Flow::random(queue, 0, range(&ssd) / 3, 16 * KIB)
        };
        let outcomes = run(&mut device, &[flow(0, 1.0, 64), flow(1, 0.0, 4)], 1);
        outcomes[1].all.max_ps() as f64 / 1e6
    };
    let limited = longest_us(2_000_000_000);
    println!("longest write {limited} us");
    assert!(limited < 8_000.0 && longest_us(0) > 2.0 * limited, "{limited}");
}

#[test]
fn greedy_moves_least_and_choices_come_close() {
    let amplification = |victims| {
        let mut ssd = small();
        ssd.live.victims = victims;
        let mut device = device(&ssd);
        let flow = Flow { read_share: 0.0, depth: 16, count: 150_000, ..Flow::random(0, 0, range(&ssd), 16 * KIB) };
        run(&mut device, &[flow], 1);
        device.counters().write_amplification()
    };
    let greedy = amplification(VictimPolicy::Greedy);
    let choices = amplification(VictimPolicy::Choices(0));
    let fifo = amplification(VictimPolicy::Fifo);
    let random = amplification(VictimPolicy::Random);
    println!("greedy {greedy:.3}, choices {choices:.3}, fifo {fifo:.3}, random {random:.3}");
    assert!(greedy < choices && choices < fifo * 1.02 && fifo < random, "{greedy} {choices} {fifo} {random}");
    assert!(choices < 1.1 * greedy);
}

#[test]
fn static_wear_leveling_evens_out_erases() {
    // A twentieth of the data is written over and over; the rest never.
    let run_with = |threshold| {
        let mut ssd = small();
        ssd.gc.static_wear_threshold = threshold;
        ssd.precondition = Precondition::Sequential(1.0);
        let mut device = device(&ssd);
        let flow =
            Flow { read_share: 0.0, depth: 16, count: 400_000, ..Flow::random(0, 0, range(&ssd) / 20, 16 * KIB) };
        run(&mut device, &[flow], 1);
        let counters = device.counters().clone();
        let Device::Ssd(drive) = device else { unreachable!() };
        (drive.erases_min_max(), counters)
    };
    let ((_, uneven), without) = run_with(0);
    let ((least, most), with) = run_with(4);
    assert_eq!(without.wear_victims, 0);
    assert!(with.wear_victims > 0 && with.wear_programs > 0);
    println!("erases {least} to {most}, else up to {uneven}");
    assert!(most - least <= 12 && uneven > most + 5, "{least} to {most} against {uneven}");
}

#[test]
fn a_write_cache_takes_bursts_and_then_the_speed_of_flash() {
    let mut ssd = small();
    ssd.live.write_cache = true;
    ssd.cache = CacheParameters { capacity_bytes: 64 * 16 * 1024, gathered_pages: 0 };
    let write = |depth, count| Flow { read_share: 0.0, depth, count, ..Flow::random(0, 0, range(&ssd), 16 * KIB) };
    let burst = run(&mut device(&ssd), &[write(1, 60)], 1).remove(0);
    assert!(burst.all.max_ps() < 30_000_000, "{}", burst.all.max_ps());
    let steady = run(&mut device(&ssd), &[write(8, 5000)], 1).remove(0);
    let flash = 4.0 / 660e-6;
    assert!(steady.iops < flash && steady.iops > 0.2 * flash, "{} of {flash}", steady.iops);
}

#[test]
fn dynamic_allocation_spreads_writes_over_units() {
    let iops = |allocation| {
        let ssd = SsdParameters { allocation, precondition: Precondition::Empty, ..small() };
        let flow = Flow { read_share: 0.0, depth: 4, count: 4000, ..Flow::random(0, 0, range(&ssd), 16 * KIB) };
        run(&mut device(&ssd), &[flow], 1).remove(0).iops
    };
    let (fixed, spread) = (iops(small().allocation), iops(Allocation::Dynamic));
    assert!(spread > 1.2 * fixed, "{spread} against {fixed}");
}

#[test]
fn arbitration_shares_a_drive_that_is_the_bottleneck() {
    let ssd = SsdParameters::preset(Preset::TlcNvme);
    let nvme =
        NvmeParameters { arbitration: Arbitration::WeightedRoundRobin, device_limit: 32, ..NvmeParameters::default() };
    let mut device =
        Device::new(&DeviceParameters { media: Media::Ssd(Arc::new(DriveModel::new(ssd.clone()))), nvme }, 1);
    let flows = [Level::High, Level::Medium, Level::Low].map(|level| Flow {
        level,
        depth: 128,
        stop_ps: 30_000_000_000,
        count: u64::MAX,
        ..Flow::random(level as u32, 0, range(&ssd), 4 * KIB)
    });
    let outcomes = run(&mut device, &flows, 1);
    let low = outcomes[2].iops;
    for (outcome, ratio) in outcomes.iter().zip([3.0, 2.0, 1.0]) {
        assert!((outcome.iops / low / ratio - 1.0).abs() < 0.01, "{} to {low}", outcome.iops);
    }
    let mut occupancy = Occupancy::default();
    device.occupancy(30_000_000_000, &mut occupancy);
    assert_eq!((occupancy.channel_busy_ps.len(), occupancy.chip_busy_ps.len()), (8, 32));
}

#[test]
fn presets_are_as_fast_as_their_drives() {
    for (preset, mean_us, iops) in [(Preset::TlcNvme, 48.0..62.0, 300_000.0), (Preset::XlFlash, 8.0..20.0, 800_000.0)] {
        let ssd = SsdParameters::preset(preset);
        let read = |depth, count| Flow { depth, count, ..Flow::random(0, 0, range(&ssd), 4 * KIB) };
        let alone = run(&mut device(&ssd), &[read(1, 2000)], 1).remove(0);
        let deep = run(&mut device(&ssd), &[read(32, 30_000)], 1).remove(0);
        println!("{preset:?}: QD1 {:.1} us, QD32 {:.0} IOPS", alone.all.mean_us(), deep.iops);
        assert!(mean_us.contains(&alone.all.mean_us()), "{}", alone.all.mean_us());
        assert!(deep.iops > iops, "{}", deep.iops);
    }
}
