//! The flash drive against MQSim (commit 7ec40e3, measured 2026-11-21): sums on an idle device to the nanosecond, queueing
//! within the bands given here. MQSim's figures are means over three seeds, the first tenth of the simulated time left out.

use std::sync::Arc;

use crate::common::device::{Flow, Outcome, run};
use qoscope_engine::storage::ssd::parameters::{
    Allocation, CellType, GcTrigger, Geometry, MappingTable, Precondition, Scheduling, UnwrittenRead, VictimPolicy,
};
use qoscope_engine::storage::{
    Arbitration, Device, DeviceParameters, DriveModel, Level, Media, NvmeParameters, Preset, SsdParameters,
};

const KIB: u32 = 1024;
const NS: u64 = 1000;

/// Device S: MQSim's default with the mapping table in DRAM, 256 blocks per plane, no write cache.
fn s() -> SsdParameters {
    let mut preset = SsdParameters::preset(Preset::Mqsim);
    preset.mapping = MappingTable::InMemory;
    preset.geometry.blocks_per_plane = 256;
    preset.live.write_cache = false;
    preset
}

/// Device V: TLC with pages of 16 KiB on four channels.
fn v() -> SsdParameters {
    let mut v = s();
    v.geometry =
        Geometry { channels: 4, chips_per_channel: 2, pages_per_block: 192, page_bytes: 16 * KIB, ..v.geometry };
    v.flash.cells = CellType::Tlc;
    v.flash.read_ps = [50_000, 70_000, 90_000].map(|ns| ns * NS);
    v.flash.program_ps = [500_000, 900_000, 1_400_000].map(|ns| ns * NS);
    v.flash.erase_ps = 5_000_000 * NS;
    v.flash.channel_mt_per_s = 500.0;
    v.link.lane_gbytes_per_s = 2.0;
    v
}

/// A device like S with other numbers of elements.
fn with_sizes(channels: u32, chips: u32, dies: u32, planes: u32) -> SsdParameters {
    let mut device = s();
    device.geometry = Geometry {
        channels,
        chips_per_channel: chips,
        dies_per_chip: dies,
        planes_per_die: planes,
        blocks_per_plane: 512,
        ..device.geometry
    };
    device
}

fn device(ssd: SsdParameters) -> Device {
    let nvme = NvmeParameters { arbitration: Arbitration::FetchWindow, queue_limit: 512, ..NvmeParameters::default() };
    Device::new(&DeviceParameters { media: Media::Ssd(Arc::new(DriveModel::new(ssd))), nvme }, 1)
}

/// A random flow over the half of a device with flows of equal size, as MQSim divides the space among its flows.
fn random(ssd: &SsdParameters, flows: u64, number: u32, depth: u32, bytes: u32, count: u64) -> Flow {
    let capacity = ssd.geometry.raw_bytes() * 93 / 100 / flows;
    Flow { depth, count, ..Flow::random(number, u64::from(number) * capacity, capacity / 2, bytes) }
}

/// Latency of requests one at a time on an idle device, which must be the same for all.
fn idle_ns(ssd: SsdParameters, flow: Flow) -> u64 {
    let outcome = run(&mut device(ssd), &[flow], 1).remove(0);
    assert_eq!(outcome.all.min_ps(), outcome.all.max_ps(), "every request takes the same time");
    assert_eq!(outcome.all.max_ps() % NS, 0);
    outcome.all.max_ps() / NS
}

#[track_caller]
fn near(name: &str, measured: f64, expected: f64, share: f64) {
    let off = measured / expected - 1.0;
    println!("{name:<44} {measured:>12.2} {expected:>12.2} {:>+7.2} %", 100.0 * off);
    assert!(off.abs() <= share, "{name}: {measured} against {expected}");
}

/// Throughput and mean within 3 %, the 99th percentile within its own share: means over some seeds.
#[track_caller]
fn agrees(name: &str, ssd: &SsdParameters, flow: &Flow, [iops, mean_us, p99_us]: [f64; 3], p99_share: f64) {
    let seeds = 1..=4u64;
    let outcomes: Vec<Outcome> =
        seeds.map(|seed| run(&mut device(ssd.clone()), std::slice::from_ref(flow), seed).remove(0)).collect();
    let mean = |of: &dyn Fn(&Outcome) -> f64| outcomes.iter().map(of).sum::<f64>() / outcomes.len() as f64;
    println!("{name}: p99 by seed {:.0?}", outcomes.iter().map(|one| one.all.quantile_us(0.99)).collect::<Vec<_>>());
    near(&format!("{name} IOPS"), mean(&|one| one.iops), iops, 0.03);
    near(&format!("{name} mean"), mean(&|one| one.all.mean_us()), mean_us, 0.03);
    near(&format!("{name} p99"), mean(&|one| one.all.quantile_us(0.99)), p99_us, p99_share);
}

#[test]
fn idle_sums_are_exact() {
    let one = |bytes| Flow { count: 300, ..random(&s(), 1, 0, 1, bytes, 300) };
    assert_eq!(idle_ns(s(), one(4 * KIB)), 88_906);
    assert_eq!(idle_ns(s(), one(8 * KIB)), 102_442);
    assert_eq!(idle_ns(s(), one(16 * KIB)), 104_938);
    let write = |bytes| Flow { read_share: 0.0, ..one(bytes) };
    // Partial pages on distinct addresses: none is written twice.
    let partial = Flow { sequential: true, align: 8 * KIB, ..write(4 * KIB) };
    assert_eq!(idle_ns(s(), partial.clone()), 763_965);
    assert_eq!(idle_ns(s(), write(8 * KIB)), 777_501);
    assert_eq!(idle_ns(s(), write(16 * KIB)), 779_997);
    let mut cached = s();
    cached.live.write_cache = true;
    let few = Flow { count: 100, ..write(4 * KIB) };
    assert_eq!(idle_ns(cached.clone(), few.clone()), 21_822);
    assert_eq!(idle_ns(cached, Flow { bytes: 16 * KIB, align: 16 * KIB, count: 20, ..few }), 46_085);
    // Addresses that lie further apart than the entries of a page of the mapping table.
    let mut table = SsdParameters::preset(Preset::Mqsim);
    let far = Flow { sequential: true, align: 1366 * 8 * KIB, count: 100, ..random(&table, 1, 0, 1, 4 * KIB, 100) };
    table.unwritten_read = UnwrittenRead::Allocates;
    assert_eq!(idle_ns(table, far), 165_752);
    // In open loop one doorbell less.
    let open = Flow { gap_ns: 2_000_000.0, regular: true, ..write(8 * KIB) };
    assert_eq!(idle_ns(s(), open), 777_493);
}

#[test]
fn page_types_show_in_the_latencies() {
    for (bytes, read_share, expected) in [
        (4 * KIB, 1.0, [59_155, 79_155, 99_155]),
        (16 * KIB, 1.0, [85_603, 105_603, 125_603]),
        (16 * KIB, 0.0, [535_658, 935_658, 1_435_658]),
    ] {
        let flow = Flow { read_share, ..random(&v(), 1, 0, 1, bytes, 3000) };
        let outcome = run(&mut device(v()), &[flow], 1).remove(0);
        let mut kinds = outcome.all.sorted_ps().to_vec();
        kinds.dedup();
        assert_eq!(kinds, expected.map(|ns: u64| ns * NS));
    }
}

#[test]
fn parallel_units_overlap_as_in_mqsim() {
    let sequential =
        |ssd: &SsdParameters, depth, bytes| Flow { sequential: true, ..random(ssd, 1, 0, depth, bytes, 2000) };
    let two_chips = with_sizes(1, 2, 1, 1);
    let outcome = run(&mut device(two_chips.clone()), &[sequential(&two_chips, 2, 8 * KIB)], 1).remove(0);
    near("x2: two chips of a channel", outcome.all.mean_us(), 124.46, 0.0001);
    let mut two_planes = with_sizes(1, 1, 1, 2);
    two_planes.allocation = Allocation::Pcwd;
    let flow = sequential(&two_planes, 1, 16 * KIB);
    assert_eq!(idle_ns(two_planes.clone(), flow.clone()), 130_164);
    assert_eq!(idle_ns(two_planes, Flow { read_share: 0.0, ..flow }), 805_389);
    let serial_dies = with_sizes(1, 1, 2, 1);
    let outcome = run(&mut device(serial_dies.clone()), &[sequential(&serial_dies, 2, 8 * KIB)], 1).remove(0);
    near("x1: two dies of a chip, IOPS", outcome.iops, 10_014.0, 0.001);
}

#[test]
fn sequential_flows_agree() {
    let flow = |read_share| Flow { sequential: true, read_share, ..random(&s(), 1, 0, 32, 8 * KIB, 20_000) };
    let outcome = run(&mut device(s()), &[flow(1.0)], 1).remove(0);
    near("c: QD32 sequential read", outcome.all.mean_us(), 173.61, 0.0001);
    near("c: QD32 sequential read, IOPS", outcome.iops, 184_342.8, 0.001);
    let outcome = run(&mut device(s()), &[flow(0.0)], 1).remove(0);
    near("c: QD32 sequential write", outcome.all.mean_us(), 777.50, 0.0001);
    let mut cached = s();
    cached.live.write_cache = true;
    let outcome = run(&mut device(cached), &[flow(0.0)], 1).remove(0);
    near("c: QD32 sequential write, cached", outcome.all.mean_us(), 1311.55, 0.0001);
    near("c: QD32 sequential write, cached, IOPS", outcome.iops, 24_398.8, 0.001);
}

#[test]
fn random_reads_agree_at_every_depth() {
    for (depth, count, expected) in [
        (2, 20_000, [19_023.3, 105.14, 199.77]),
        (8, 50_000, [65_529.0, 122.08, 268.46]),
        (32, 150_000, [141_462.9, 226.18, 786.31]),
        (128, 200_000, [172_917.5, 739.58, 3344.06]),
    ] {
        let flow = random(&s(), 1, 0, depth, 8 * KIB, count);
        agrees(&format!("b: QD{depth} random read 8K"), &s(), &flow, expected, 0.10);
    }
}

#[test]
fn chips_of_a_channel_saturate_it_as_in_mqsim() {
    for (chips, expected) in
        [(1, [78_609.0, 3252.88, 13_507.78]), (2, [126_237.1, 2023.37, 10_432.24]), (4, [177_476.4, 1439.03, 7176.95])]
    {
        let ssd = with_sizes(8, chips, 1, 1);
        let flow = random(&ssd, 1, 0, 256, 8 * KIB, 150_000);
        // Queues of eight channels that share 256 requests drift slowly: in 1 s the tail of a run is that of a few excursions.
        agrees(&format!("x6: {chips} chips, QD256"), &ssd, &flow, expected, 0.20);
    }
}

#[test]
fn open_loops_and_mixes_agree() {
    let open = |rate: f64, read_share, count| Flow {
        gap_ns: (1e9 / rate).floor(),
        read_share,
        ..random(&s(), 1, 0, 1, 8 * KIB, count)
    };
    agrees("e: open 50 % read", &s(), &open(89_202.0, 1.0, 150_000), [89_177.1, 138.17, 365.69], 0.10);
    for (name, rate, iops, read, write) in [
        ("e: open 25 % mix", 24_295.0, 24_270.6, [179.84, 842.77], [878.56, 1935.18]),
        ("e: open 50 % mix", 48_590.0, 48_511.5, [267.53, 868.48], [1088.06, 3062.80]),
    ] {
        let outcome = run(&mut device(s()), &[open(rate, 0.7, 100_000)], 1).remove(0);
        near(&format!("{name} IOPS"), outcome.iops, iops, 0.03);
        near(&format!("{name} read mean"), outcome.reads.mean_us(), read[0], 0.03);
        near(&format!("{name} read p99"), outcome.reads.quantile_us(0.99), read[1], 0.10);
        near(&format!("{name} write mean"), outcome.writes.mean_us(), write[0], 0.03);
        near(&format!("{name} write p99"), outcome.writes.quantile_us(0.99), write[1], 0.10);
    }
    let closed = Flow { read_share: 0.7, ..random(&s(), 1, 0, 256, 8 * KIB, 100_000) };
    let outcome = run(&mut device(s()), &[closed], 1).remove(0);
    near("e: QD256 mix IOPS", outcome.iops, 97_180.3, 0.03);
    near("e: QD256 mix read mean", outcome.reads.mean_us(), 486.66, 0.03);
    near("e: QD256 mix read p99", outcome.reads.quantile_us(0.99), 932.76, 0.10);
    near("e: QD256 mix write mean", outcome.writes.mean_us(), 7453.33, 0.03);
    near("e: QD256 mix write p99", outcome.writes.quantile_us(0.99), 29_969.3, 0.10);
}

#[test]
fn flows_share_in_proportion_to_their_depth() {
    let flow = |number, depth| Flow { stop_ps: 300_000_000_000, ..random(&s(), 2, number, depth, 4 * KIB, u64::MAX) };
    for (name, depths, expected) in [
        ("f3", [1, 64], [[3525.7, 283.77], [223_346.5, 286.43]]),
        ("f6", [8, 128], [[14_217.4, 562.52], [228_936.8, 558.69]]),
    ] {
        let flows = [flow(0, depths[0]), flow(1, depths[1])];
        let outcomes = run(&mut device(s()), &flows, 1);
        for (outcome, (depth, [iops, mean])) in outcomes.iter().zip(depths.into_iter().zip(expected)) {
            near(&format!("{name}: QD{depth} IOPS"), outcome.iops, iops, 0.03);
            near(&format!("{name}: QD{depth} mean"), outcome.all.mean_us(), mean, 0.03);
        }
    }
}

#[test]
fn levels_share_at_the_chips() {
    let flows = |depth| {
        [Level::High, Level::Medium, Level::Low].map(|level| Flow {
            level,
            stop_ps: 300_000_000_000,
            ..random(&s(), 3, level as u32 - 1, depth, 4 * KIB, u64::MAX)
        })
    };
    let share = |outcomes: &[Outcome], total: f64, at: usize| outcomes[at].iops / total;
    for (name, depth, scheduling, expected) in [
        ("g1: QD32", 32, Scheduling::Lottery, [112_060.9, 73_845.6, 50_516.4]),
        ("g2: QD128", 128, Scheduling::Lottery, [138_574.9, 74_539.2, 41_774.0]),
        ("g3: QD128 without levels", 128, Scheduling::Fifo, [87_549.8, 87_449.7, 87_713.2]),
    ] {
        let mut ssd = s();
        ssd.live.scheduling = scheduling;
        let outcomes = run(&mut device(ssd), &flows(depth), 1);
        let total: f64 = outcomes.iter().map(|outcome| outcome.iops).sum();
        let expected_total: f64 = expected.iter().sum();
        near(&format!("{name} IOPS"), total, expected_total, 0.05);
        for (at, iops) in expected.into_iter().enumerate() {
            near(&format!("{name} share {at}"), share(&outcomes, total, at), iops / expected_total, 0.05);
        }
    }
}

#[test]
fn buffered_writes_feel_the_back_pressure() {
    for (kib, expected) in [(4, [41_997.7, 23.81, 69.32]), (16, [18_693.8, 53.50, 175.83])] {
        let mut ssd = s();
        ssd.live.write_cache = true;
        let flow = Flow { read_share: 0.0, ..random(&ssd, 1, 0, 1, kib * KIB, 20_000) };
        agrees(&format!("a: QD1 buffered write {kib}K"), &ssd, &flow, expected, 0.10);
    }
}

/// Device H: two chips, preconditioned, over-provisioned by a fifth.
fn h(victims: VictimPolicy) -> SsdParameters {
    let mut h = with_sizes(1, 2, 1, 1);
    h.geometry.blocks_per_plane = 1024;
    h.over_provisioning = 0.2;
    h.precondition = Precondition::Random(1.0);
    h.frontiers = 1;
    h.gc.trigger = GcTrigger::BlockFilled;
    h.live.victims = victims;
    // The free blocks of MQSim settle at the ten that it stops writes at.
    h.live.gc_threshold = 0.0;
    // Write amplification does not depend on times: these are shortened, so that a run is shorter than the 281 s of a key.
    h.flash.read_ps = [2_000 * NS; 3];
    h.flash.program_ps = [10_000 * NS; 3];
    h.flash.erase_ps = 50_000 * NS;
    h
}

#[test]
fn write_amplification_agrees_with_the_mean_field() {
    let h = h(VictimPolicy::Greedy);
    let capacity = h.geometry.raw_bytes() / 5 * 4;
    let flow = Flow { depth: 32, read_share: 0.0, count: 1_200_000, ..Flow::random(0, 0, capacity, 8 * KIB) };
    let mut device = device(h);
    let outcome = run(&mut device, &[flow], 1).remove(0);
    println!("H: {} IOPS, {:?}", outcome.iops, device.counters());
    near("d11fix: write amplification", device.counters().write_amplification(), 2.86, 0.03);
}
