//! The speed of a storage device on its own, in requests per second of the processor. Ignored: run it with
//! `cargo test --release --test behaviour device_speed -- --ignored --nocapture --test-threads 1`.

#![allow(clippy::disallowed_methods, reason = "speed is measured by the clock")]

use std::sync::Arc;
use std::time::Instant;

/// Time of the processor that this thread has used, in seconds, where Linux tells; else the time that has passed.
fn cpu_s(begin: Instant) -> f64 {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let ns = told.and_then(|text| text.split(' ').next().and_then(|first| first.parse::<f64>().ok()));
    ns.map_or_else(|| begin.elapsed().as_secs_f64(), |ns| ns / 1e9)
}

use qoscope_engine::kernel::random::Stream;
use qoscope_engine::storage::ssd::parameters::{FlashUnit, MappingTable, Precondition};
use qoscope_engine::storage::{
    Command, Device, DeviceParameters, DriveModel, Level, Media, NvmeParameters, Opcode, Preset, SsdParameters,
};

/// Device S, dies in parallel.
fn s(blocks: u32) -> SsdParameters {
    let mut ssd = SsdParameters::preset(Preset::Mqsim);
    ssd.geometry.blocks_per_plane = blocks;
    ssd.mapping = MappingTable::InMemory;
    ssd.unit = FlashUnit::Die;
    ssd.live.write_cache = false;
    ssd
}

/// Closed loop over the whole device.
fn speed(name: &str, ssd: SsdParameters, depth: u32, read_share: f64, count: u64) -> Device {
    let nvme = NvmeParameters { device_limit: 1024, ..NvmeParameters::default() };
    let begin = Instant::now();
    let begin_s = cpu_s(begin);
    let mut device = Device::new(&DeviceParameters { media: Media::Ssd(Arc::new(DriveModel::new(ssd))), nvme }, 1);
    let ready_ms = (cpu_s(begin) - begin_s) * 1e3;
    let Device::Ssd(drive) = &device else { unreachable!() };
    let pages = drive.capacity_bytes() / 8192;
    let mut stream = Stream::new(3, "speed", 0);
    let mut next = |device: &mut Device, at_ps: u64| {
        let opcode = if stream.uniform() < read_share { Opcode::Read } else { Opcode::Write };
        let address = stream.integer(0, pages - 1) * 8192;
        let (queue_level, level) = (Level::High, Level::High);
        device.submit(at_ps, Command { tag: 0, queue: 0, queue_level, level, opcode, address, bytes: 8192 });
    };
    let begin_s = cpu_s(begin);
    (0..depth).for_each(|_| next(&mut device, 0));
    for _ in 0..count {
        let completion = device.run(u64::MAX, &mut 0).expect("commands are under way");
        next(&mut device, completion.served.at_ps);
    }
    let seconds = cpu_s(begin) - begin_s;
    println!(
        "{name:<36} {:>6.2} M/s, ready in {ready_ms:.2} ms, write amplification {:.2}",
        count as f64 / seconds / 1e6,
        device.counters().write_amplification()
    );
    device
}

#[test]
#[ignore = "measures the speed of the machine"]
fn requests_per_second() {
    let mut full = s(256);
    full.precondition = Precondition::Random(1.0);
    for _ in 0..3 {
        speed("S QD32 random read", full.clone(), 32, 1.0, 1_500_000);
    }
    speed("S QD32 random read, pages created", s(256), 32, 1.0, 1_500_000);
    let mut mix = s(256);
    mix.over_provisioning = 0.2;
    mix.precondition = Precondition::Random(1.0);
    speed("S 70/30 QD128, collecting", mix, 128, 0.7, 1_000_000);
    let mut large = s(4096);
    large.precondition = Precondition::Random(1.0);
    let device = speed("1 TiB QD32 random read", large.clone(), 32, 1.0, 1_000_000);
    drop(device);
    let device = speed("1 TiB 70/30 QD256", large, 256, 0.7, 1_000_000);
    let begin = Instant::now();
    let begin_s = cpu_s(begin);
    let clone = device.clone();
    println!("clone after 1 M requests: {:.1} ms", (cpu_s(begin) - begin_s) * 1e3);
    drop(clone);
    let tlc = SsdParameters::preset(Preset::TlcNvme);
    speed("TLC NVMe QD32 random read", tlc.clone(), 32, 1.0, 1_000_000);
    speed("TLC NVMe 70/30 QD128", tlc, 128, 0.7, 500_000);
}
