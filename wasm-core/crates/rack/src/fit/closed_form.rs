//! Where a search begins: what a few formulas say of a drive, without a run.

use super::parameters::{Drive, Parameter};
use super::within;
use crate::fio::{MeasuredJob, Pattern};

/// Drives to begin with: that of the preset, and what the jobs say at once.
pub(super) fn starts(base: &Drive, jobs: &[&MeasuredJob]) -> Vec<Drive> {
    let mut drive = base.clone();
    for (parameter, value) in [
        (Parameter::Link, link_gbytes_per_s as fn(&Drive, &[&MeasuredJob]) -> Option<f64>),
        (Parameter::Host, host_us),
        (Parameter::Read, read_us),
        (Parameter::Dies, dies),
        (Parameter::Program, program_us),
    ] {
        // Each builds on those before it.
        if let Some(value) = value(&drive, jobs) {
            drive = drive.with(parameter, within(parameter, value));
        }
    }
    vec![base.clone(), drive]
}

/// Requests outstanding.
fn depth(job: &MeasuredJob) -> f64 {
    f64::from(job.iodepth) * f64::from(job.numjobs)
}

/// A cached write alone takes the time of the software and little more.
fn host_us(_: &Drive, jobs: &[&MeasuredJob]) -> Option<f64> {
    // Of the link, the memory of the drive, and the interrupt.
    const DRIVE_US: f64 = 2.0;
    let alone = jobs.iter().filter(|job| depth(job) == 1.0 && job.write_bytes <= 16_384);
    let writes = alone.filter_map(|job| Some(job.writes.as_ref()?.latency_us.mean));
    writes.reduce(f64::min).map(|mean| (mean - DRIVE_US).max(0.5))
}

/// A read of a page alone takes the time of the software, of the array and of the way out.
fn read_us(drive: &Drive, jobs: &[&MeasuredJob]) -> Option<f64> {
    let small =
        jobs.iter().filter(|job| job.reads.is_some() && job.read_bytes <= 16_384 && job.pattern == Pattern::Random);
    let least = small.min_by(|one, other| depth(one).total_cmp(&depth(other)))?;
    let transfer_us = f64::from(least.read_bytes) / drive.get(Parameter::Channel);
    let mean = least.reads.as_ref()?.latency_us.mean;
    Some((mean - drive.host_us - transfer_us).max(mean / 4.0))
}

/// Reads a second times the time of each are the dies at work (Little's law); `depth` requests over `dies` at random leave some idle.
fn dies(drive: &Drive, jobs: &[&MeasuredJob]) -> Option<f64> {
    let small =
        |job: &&&MeasuredJob| job.read_bytes <= 16_384 && job.pattern == Pattern::Random && job.writes.is_none();
    let most = jobs.iter().filter(small).max_by(|one, other| depth(one).total_cmp(&depth(other)))?;
    let busy = most.reads.as_ref()?.iops * drive.get(Parameter::Read) / 1e6;
    let depth = depth(most);
    if depth < 16.0 {
        return None;
    }
    // Grows with the dies: the expected number of dies that `depth` requests fall on.
    let expected = |dies: f64| dies * (1.0 - libm::exp(depth * libm::log1p(-1.0 / dies)));
    let (mut low, mut high) = (1.5, 4096.0);
    for _ in 0..60 {
        let middle = libm::sqrt(low * high);
        if expected(middle) < busy { low = middle } else { high = middle }
    }
    Some(low)
}

/// Dies that program all the time carry what is written.
fn program_us(drive: &Drive, jobs: &[&MeasuredJob]) -> Option<f64> {
    let most = jobs.iter().filter_map(|job| Some(job.writes.as_ref()?.bytes_per_s)).reduce(f64::max)?;
    Some(drive.get(Parameter::Dies) * drive.program_bytes / most * 1e6)
}

/// The link carries what was carried at most.
fn link_gbytes_per_s(drive: &Drive, jobs: &[&MeasuredJob]) -> Option<f64> {
    let carried =
        |job: &&MeasuredJob| job.operations().map(|(_, operations)| operations.bytes_per_s).fold(0.0, f64::max);
    let lanes = drive.ssd["pcieLanes"].as_f64().unwrap_or(4.0);
    let needed = jobs.iter().map(carried).fold(0.0, f64::max) / 1e9 / lanes;
    (needed > drive.get(Parameter::Link)).then_some(needed * 1.05)
}
