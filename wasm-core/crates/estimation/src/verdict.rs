//! Whether jobs match a drive of the model at all.

use qoscope_engine::text::three_digits;
use schemars::JsonSchema;
use serde::Serialize;

use super::errors::{Errors, Numbers};
use qoscope_interop::fio::MeasuredJob;

/// Whether some drive of the model answers as the jobs say, and if not, why.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "FitVerdict")]
pub struct Verdict {
    /// Whether the jobs match.
    pub matches: bool,
    /// The verdict as a sentence, with the error.
    pub sentence: String,
    /// Signs in the files of what was measured beside a drive, as sentences.
    pub reasons: Vec<String>,
}

/// Jobs match where the mean, the median and the IOPS are off by no more than this on average, in per cent.
const MAX_ERROR: f64 = 30.0;
/// The same of the 99th percentile, which firmware has a part in.
const MAX_TAIL_ERROR: f64 = 100.0;
/// By Little's law completion latencies times IOPS are the requests outstanding. Less than this part of them: requests were complete when
/// they were submitted.
const MIN_OUTSTANDING: f64 = 0.3;
/// No flash answers a read in less, in microseconds.
const MIN_READ_US: f64 = 3.0;
/// At queue depth 1, a mean that is this many times the median rests on a few requests that were held back.
const MAX_MEAN_OVER_MEDIAN: f64 = 1.5;

impl Verdict {
    /// That on jobs of which the fitted ones have these errors.
    pub(super) fn of(jobs: &[MeasuredJob], errors: &Errors) -> Self {
        let is_done = jobs.iter().filter(|job| is_done_at_submission(job)).count() * 2 > jobs.len();
        let Numbers { mean, p50, p99, iops, .. } = errors.of;
        let all = [
            ("means", mean, MAX_ERROR),
            ("medians", p50, MAX_ERROR),
            ("99th percentiles", p99, MAX_TAIL_ERROR),
            ("IOPS", iops, MAX_ERROR),
        ];
        let worst = all
            .iter()
            .filter_map(|(name, error, max)| error.map(|error| (*name, error, error / max)))
            .max_by(|one, other| one.2.total_cmp(&other.2));
        let (name, error, part) = worst.unwrap_or(("means", 0.0, 0.0));
        let matches = part <= 1.0 && !is_done;
        let sentence = if matches {
            let error = three_digits(mean.unwrap_or(error));
            format!("These jobs match a drive of the model: means are {error} % off on average.")
        } else {
            let error = three_digits(error);
            format!("These jobs do not match a drive of the model: {name} are {error} % off on average.")
        };
        let mut reasons = if matches { Vec::new() } else { signs(jobs) };
        if !matches && reasons.is_empty() {
            reasons.push("The files do not show why: the model leaves out something that this drive does.".into());
        }
        Self { matches, sentence, reasons }
    }
}

/// Requests outstanding in the mean, by Little's law of completion latencies, over those that were asked for.
fn outstanding(job: &MeasuredJob) -> f64 {
    let busy: f64 = job.operations().map(|(_, of)| of.iops * of.latency_us.mean).sum();
    busy / 1e6 / f64::from(job.outstanding().max(1))
}

fn is_done_at_submission(job: &MeasuredJob) -> bool {
    job.rate.is_none() && outstanding(job) < MIN_OUTSTANDING
}

/// What the files show of things that are no drive.
fn signs(jobs: &[MeasuredJob]) -> Vec<String> {
    let mut signs = Vec::new();
    let count = |jobs: usize| if jobs == 1 { "1 job".to_owned() } else { format!("{jobs} jobs") };
    let done: Vec<&MeasuredJob> = jobs.iter().filter(|job| is_done_at_submission(job)).collect();
    if let Some(job) = done.first() {
        signs.push(format!(
            "Requests of {} were complete when they were submitted: in {:?}, completion latencies account for {} % of the time. \
             Use ioengine=psync or the device itself.",
            count(done.len()),
            job.name,
            three_digits(outstanding(job) * 100.0)
        ));
    }
    let is_device = |name: &str| name.starts_with("/dev/") || name.starts_with(r"\\.\") || name.contains("trtype=");
    let files: Vec<&MeasuredJob> = jobs.iter().filter(|job| !job.device.as_deref().is_some_and(is_device)).collect();
    if let Some(job) = files.first() {
        let what = job.device.as_ref().map_or("a file".to_owned(), |name| format!("{name:?}, a file"));
        signs.push(format!(
            "{} ran on {what}: latencies include its file system. Name the device.",
            capital(&count(files.len()))
        ));
    }
    let cached = |job: &&MeasuredJob| job.reads.as_ref().is_some_and(|reads| reads.latency_us.mean < MIN_READ_US);
    if let Some(job) = jobs.iter().filter(|job| !is_done_at_submission(job)).find(cached) {
        let us = job.reads.as_ref().map_or(0.0, |reads| reads.latency_us.mean);
        signs.push(format!(
            "Reads of {:?} took {} us: faster than flash, as from a page cache or a cache of the host. Read more than memory holds.",
            job.name,
            three_digits(us)
        ));
    }
    let held_back = |job: &&MeasuredJob| {
        job.outstanding() == 1
            && job.operations().any(|(_, of)| {
                let median = of.latency_us.percentile(50.0).filter(|us| *us > 0.0);
                median.is_some_and(|median| of.latency_us.mean > MAX_MEAN_OVER_MEDIAN * median)
            })
    };
    if let Some(job) = jobs.iter().find(held_back) {
        let latency = job.operations().map(|(_, of)| &of.latency_us).next();
        let (mean, median) = latency.map_or((0.0, 0.0), |of| (of.mean, of.percentile(50.0).unwrap_or_default()));
        signs.push(format!(
            "At queue depth 1 of {:?} the mean is {} us and the median {} us: a few requests wait long, as on a throttled disk or a \
             shared host.",
            job.name,
            three_digits(mean),
            three_digits(median)
        ));
    }
    signs
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use qoscope_interop::fio::{self, Access, Pattern};

    fn errors(mean: f64, p50: f64) -> Errors {
        Errors { jobs: 4, of: Numbers { mean: Some(mean), p50: Some(p50), p99: None, p999: None, iops: Some(mean) } }
    }

    /// A read of 4 KiB at queue depth 1.
    fn job(device: &str, iops: f64, mean: f64, median: f64) -> MeasuredJob {
        let latency_us = fio::Latency { mean, percentiles: vec![(50.0, median)], ..fio::Latency::default() };
        let reads = fio::Operations { requests: 9000, iops, bytes_per_s: 4096.0 * iops, latency_us };
        MeasuredJob {
            file: "a.json".into(),
            name: "read".into(),
            device: Some(device.into()),
            access: Access::Local,
            pattern: Pattern::Random,
            read_share: 1.0,
            read_bytes: 4096,
            write_bytes: 4096,
            iodepth: 1,
            numjobs: 1,
            rate: None,
            range_bytes: None,
            runtime_s: 30.0,
            reads: Some(reads),
            writes: None,
        }
    }

    #[test]
    fn small_errors_match() {
        let of = Verdict::of(&[job("/dev/nvme0n1", 11_000.0, 85.0, 84.0)], &errors(2.04, 3.0));
        assert!(of.matches && of.reasons.is_empty());
        assert_eq!(of.sentence, "These jobs match a drive of the model: means are 2.04 % off on average.");
    }

    #[test]
    fn file_on_a_throttled_disk_does_not_match() {
        let of = Verdict::of(&[job("/mnt/test/disk.bin", 6546.0, 137.7, 29.6)], &errors(20.0, 478.0));
        assert!(!of.matches);
        assert!(
            of.sentence.contains("do not match") && of.sentence.contains("medians are 478 % off"),
            "{}",
            of.sentence
        );
        assert!(of.reasons[0].contains("file system") && of.reasons[1].contains("throttled"), "{:?}", of.reasons);
    }

    #[test]
    fn requests_done_at_submission_do_not_match_whatever_the_errors_are() {
        let of = Verdict::of(&[job("/dev/nvme0n1", 7585.0, 0.456, 0.456)], &errors(1.0, 1.0));
        assert!(!of.matches && of.reasons[0].contains("complete when they were submitted"), "{of:?}");
    }

    #[test]
    fn reads_faster_than_flash_are_called_cached() {
        let of = Verdict::of(&[job("/dev/nvme0n1", 600_000.0, 1.2, 1.2)], &errors(60.0, 60.0));
        assert!(of.reasons[0].contains("page cache"), "{of:?}");
    }

    #[test]
    fn mismatch_without_a_sign_says_that_the_files_show_none() {
        let of = Verdict::of(&[job("/dev/nvme0n1", 11_000.0, 85.0, 84.0)], &errors(60.0, 3.0));
        assert!(of.reasons.len() == 1 && of.reasons[0].contains("do not show why"), "{of:?}");
    }
}
