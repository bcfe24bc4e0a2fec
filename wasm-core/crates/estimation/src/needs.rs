//! What jobs tell of a drive: which of them a parameter needs, and whether they are there.

use super::choices::Matching;
use super::parameters::{DriveParameters, Parameter};
use qoscope_interop::fio::{MeasuredJob, Pattern};

/// Bytes of reads that keep a channel busy.
const LARGE_BYTES: u32 = 65_536;
/// Bytes of a page, for jobs of which no drive is known yet.
const SMALL_BYTES: u32 = 16_384;
/// A job comes near the rate of the link from this part of it on.
const NEAR_LINK: f64 = 0.7;

/// What some jobs tell, before any drive is known: jobs that are held out take none of it away.
pub(super) fn told_by(jobs: &[&MeasuredJob]) -> [u32; 6] {
    let small = |job: &&&MeasuredJob| job.block_bytes() <= SMALL_BYTES;
    let reads = || jobs.iter().filter(|job| job.reads_at_random()).filter(small);
    let writes = || jobs.iter().filter(|job| job.writes_alone());
    let max = |of: &mut dyn Iterator<Item = u32>| of.max().unwrap_or(0);
    let min = |of: &mut dyn Iterator<Item = u32>| of.min().unwrap_or(0);
    // Of depths the power of two: half as deep a read tells parallelism almost as well.
    [
        min(&mut reads().map(|job| job.outstanding())),
        max(&mut reads().map(|job| job.outstanding().max(1).ilog2())),
        min(&mut writes().map(|job| job.outstanding())),
        max(&mut writes().map(|job| job.outstanding().max(1).ilog2())),
        u32::from(jobs.iter().any(|job| job.reads_alone() && job.block_bytes() >= LARGE_BYTES)),
        u32::from(jobs.iter().any(|job| job.access.is_local()))
            + 2 * u32::from(jobs.iter().any(|job| !job.access.is_local())),
    ]
}

/// Whether the jobs that a parameter needs are among some, given the drive that was fitted.
pub(super) fn are_met(
    of: Parameter,
    jobs: &[&MeasuredJob],
    drive: &DriveParameters,
    matching: Matching,
    is_steady: bool,
) -> bool {
    let page = drive.form.page_bytes;
    let is_page_read =
        |job: &&&MeasuredJob| job.reads_at_random() && f64::from(job.block_bytes()) <= page && job.outstanding() == 1;
    let bytes = |job: &MeasuredJob| job.operations().map(|(_, of)| of.bytes_per_s).sum::<f64>();
    let differ = |mut of: Vec<u32>| {
        of.sort_unstable();
        of.dedup();
        of.len() > 1
    };
    match of {
        Parameter::Host => {
            let alone = || jobs.iter().filter(|job| job.outstanding() == 1);
            let reads = alone().filter(|job| job.reads_alone()).map(|job| job.block_bytes());
            alone().any(|job| job.writes_alone() && drive.has_cache()) || differ(reads.collect())
        }
        Parameter::Target => {
            jobs.iter().any(|job| job.access.is_local()) && jobs.iter().any(|job| !job.access.is_local())
        }
        Parameter::Read => jobs.iter().any(|job| is_page_read(&job)),
        Parameter::Spread => {
            let has_percentiles = |job: &&MeasuredJob| {
                job.reads.as_ref().is_some_and(|reads| reads.latency_us.percentile(99.0).is_some())
            };
            matching == Matching::Distribution && jobs.iter().filter(is_page_read).any(has_percentiles)
        }
        Parameter::Program => {
            jobs.iter().filter_map(|job| job.writes.as_ref().map(|writes| (job, writes))).any(|(job, writes)| {
                !drive.has_cache() || writes.bytes_per_s * job.runtime_s > 2.0 * drive.get(Parameter::Cache)
            })
        }
        Parameter::Dies => {
            let dies = drive.get(Parameter::Dies);
            jobs.iter().any(|job| job.reads_at_random() && f64::from(job.outstanding()) >= dies)
        }
        Parameter::Channel => {
            let large = jobs.iter().filter(|job| job.reads_alone() && job.block_bytes() >= LARGE_BYTES);
            differ(large.map(|job| job.outstanding()).collect())
        }
        Parameter::Link => {
            let near = NEAR_LINK * drive.link_bytes_per_s();
            jobs.iter().any(|job| job.reads_alone() && job.pattern == Pattern::Sequential && bytes(job) >= near)
        }
        // Results of a steady state do not say how large it is: a log does.
        Parameter::Cache => false,
        Parameter::OverProvisioning => is_steady,
    }
}
