//! What fio measured: JSON and JSON+ of version 3, as `--output-format=json` and `json+` write them.
//!
//! Latencies are those of completion (`clat_ns`): from when a request is with the kernel to when it is done, in microseconds here. A job
//! that tells nothing of a drive, for it failed, went through the page cache or shared the device, is refused with its reason, and
//! the others are read all the same.

use std::collections::BTreeMap;
use std::ops::Range;

use qoscope_engine::scenario::{Diagnostic, quoted};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::asked::{Rates, devices};
use super::document::printed;
use super::job_types::{Access, Pattern};
use super::laws::laws;
use super::options::{ExtentUnit, Options};
use super::place::{COPY, Place};
use super::suitable::{access, iodepth, is_suitable, pattern};

/// What a file of results holds.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "FioResults")]
pub struct Results {
    /// Name of the file.
    pub file: String,
    /// Version of fio, as it says: `fio-3.33`.
    pub version: String,
    /// Jobs that can be used, in the order of the file.
    pub jobs: Vec<MeasuredJob>,
    /// Jobs that cannot, and why: errors; what is to be known of jobs that can: warnings. The path names file, job and field.
    #[serde(skip_deserializing)]
    pub remarks: Vec<Diagnostic>,
}

/// A job that fio ran. Its clones (`numjobs`) are one job here.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct MeasuredJob {
    /// Name of the file.
    pub file: String,
    /// Its name.
    pub name: String,
    /// What it reads and writes, if fio says so: `/dev/nvme0n1`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub device: Option<String>,
    /// How its requests reached the drive.
    #[serde(skip_serializing_if = "Access::is_local", default)]
    pub access: Access,
    /// How addresses follow each other.
    pub pattern: Pattern,
    /// Share of the requests that read, 0 to 1.
    pub read_share: f64,
    /// Bytes of a read.
    pub read_bytes: u32,
    /// Bytes of a write.
    pub write_bytes: u32,
    /// Requests outstanding of each clone.
    pub iodepth: u32,
    /// Clones that ran at once.
    pub numjobs: u32,
    /// Requests a second that were asked for, if they were limited.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rate: Option<Rate>,
    /// Bytes of the range that requests went to; none where fio does not say.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub range_bytes: Option<u64>,
    /// How long it measured, in seconds.
    pub runtime_s: f64,
    /// Its reads, if there were any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reads: Option<Operations>,
    /// Its writes, if there were any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub writes: Option<Operations>,
}

/// Requests a second that each clone was limited to.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "MeasuredRate")]
pub struct Rate {
    /// Reads a second of each clone.
    pub reads: f64,
    /// Writes a second of each clone.
    pub writes: f64,
    /// Whether gaps are exponential (`rate_process=poisson`); else they are alike.
    pub poisson: bool,
}

/// Reads, or writes, of a job: of all its clones together.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "MeasuredOperations")]
pub struct Operations {
    /// Requests done.
    pub requests: u64,
    /// Requests a second.
    pub iops: f64,
    /// Bytes a second.
    pub bytes_per_s: f64,
    /// Latency from submission to completion.
    pub latency_us: Latency,
}

/// A measured distribution of latencies, in microseconds.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "MeasuredLatency")]
pub struct Latency {
    /// Mean.
    pub mean: f64,
    /// Standard deviation.
    pub deviation: f64,
    /// Least.
    pub min: f64,
    /// Greatest.
    pub max: f64,
    /// Pairs of a percentile (0 to 100) and a latency, in order; none where clones were reported one by one without bins.
    pub percentiles: Vec<(f64, f64)>,
    /// Pairs of a latency and the requests that took it (JSON+), in order; none where the file has no bins.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub bins: Vec<(f64, u64)>,
}

impl Latency {
    /// The latency at a percentile (0 to 100): as fio says it, else from its bins; none where neither tells.
    pub fn percentile(&self, percent: f64) -> Option<f64> {
        let said = self.percentiles.iter().find(|(at, _)| (at - percent).abs() < 1e-6);
        said.map(|(_, us)| *us).or_else(|| of_bins(&self.bins, percent))
    }
}

/// The latency at a percentile, of bins.
fn of_bins(bins: &[(f64, u64)], percent: f64) -> Option<f64> {
    let total: u64 = bins.iter().map(|(_, count)| count).sum();
    let wanted = total as f64 * percent / 100.0;
    let mut below = 0;
    bins.iter()
        .find(|(_, count)| {
            below += count;
            below as f64 >= wanted
        })
        .map(|(us, _)| *us)
}

/// Reads what fio wrote, with what it says before and after the JSON. `file` names it in diagnostics.
///
/// # Errors
/// That the file as a whole cannot be read: it is no JSON, is cut off, or is of another version of fio.
pub fn results(text: &str, file: &str) -> Result<Results, Vec<Diagnostic>> {
    let printed = printed(text, file).map_err(|diagnostic| vec![diagnostic])?;
    let mut results = Results { file: file.into(), ..Results::default() };
    if printed.was_ended() {
        let hint = "Its jobs are read as far as they went. Let it run to its end.";
        results.remarks.push(Diagnostic::warning(file, "was ended by a signal before its time", hint));
    }
    if printed.earlier > 0 {
        let reason = format!("holds {} earlier states of a run (--status-interval)", printed.earlier);
        results.remarks.push(Diagnostic::warning(file, reason, "The last of each run is taken."));
    }
    for run in &printed.runs {
        results.version = run["fio version"].as_str().unwrap_or_default().into();
        let jobs = run["jobs"].as_array().map_or(&[][..], Vec::as_slice);
        for (index, clones) in clones(run, jobs) {
            let at = Place { file, job: name_of(clones[0]) };
            let is_other = |other: usize, job: &Value| !index.contains(&other) && ran_together(run, clones[0], job);
            let other = (0..).zip(jobs).find(|(number, job)| is_other(*number, job));
            let other = other.map(|(_, job)| name_of(job));
            let failed = clones.iter().filter_map(|job| job["error"].as_i64()).find(|error| *error != 0);
            let job = match (failed, other) {
                (Some(number), _) => at.failed(number, printed.error(number)),
                (None, Some(other)) => at.shared_with(other),
                (None, None) => job(&at, &options(run, clones[0]), &clones, &mut results.remarks),
            };
            match job {
                Ok(job) => results.jobs.push(job),
                Err(diagnostic) => results.remarks.push(*diagnostic),
            }
        }
        results.remarks.extend(strangers(file, run, jobs));
    }
    Ok(results)
}

/// Jobs that follow each other and are clones of one, with their numbers.
fn clones<'a>(document: &Value, jobs: &'a [Value]) -> Vec<(Range<usize>, Vec<&'a Value>)> {
    let has_clones =
        |job: &Value| options(document, job).number("numjobs", 0..=u64::MAX).is_some_and(|number| number != Ok(1));
    let is_clone = |one: &Value, other: &Value| {
        has_clones(one) && ["jobname", "groupid", "job options"].iter().all(|key| one.get(*key) == other.get(*key))
    };
    let mut groups: Vec<(Range<usize>, Vec<&Value>)> = Vec::new();
    for (index, job) in jobs.iter().enumerate() {
        match groups.last_mut() {
            Some((range, clones)) if is_clone(clones[0], job) => {
                range.end = index + 1;
                clones.push(job);
            }
            _ => groups.push((index..index + 1, vec![job])),
        }
    }
    groups
}

fn options<'a>(document: &'a Value, job: &'a Value) -> Options<'a> {
    Options::of_results(job.get("job options"), document.get("global options"))
}

fn name_of(job: &Value) -> &str {
    job["jobname"].as_str().unwrap_or_default()
}

/// Whether two jobs ran at the same time: fio gives jobs a new group where one waits for those before it (`stonewall`).
fn ran_together(document: &Value, one: &Value, other: &Value) -> bool {
    let of = |job| devices(&options(document, job), name_of(job));
    one["groupid"] == other["groupid"] && of(one) == of(other)
}

/// Requests of others at a device while jobs ran, where fio counts more than its own.
fn strangers(file: &str, document: &Value, jobs: &[Value]) -> Vec<Diagnostic> {
    // More than this part of the requests at the device were not of these jobs.
    const FOREIGN: f64 = 0.05;
    // Blocks above this may be split by the kernel, so that the device counts more.
    const NEVER_SPLIT: f64 = 131_072.0;
    let is_split =
        |options: &Options| laws(options).is_ok_and(|laws| laws.of.iter().any(|law| law.mean() > NEVER_SPLIT));
    // What is done in a ramp is not in the results, but at the device.
    let counts_more = |options: Options| options.place("ramp_time").is_some() || is_split(&options);
    if jobs.iter().any(|job| counts_more(options(document, job))) {
        return Vec::new();
    }
    let own = |kind: &str| jobs.iter().filter_map(|job| job[kind]["total_ios"].as_f64()).sum::<f64>();
    let [disk] = document["disk_util"].as_array().map_or(&[][..], Vec::as_slice) else { return Vec::new() };
    let counted = |key: &str| disk[key].as_f64().unwrap_or_default();
    let all = counted("read_ios") + counted("write_ios");
    let foreign = all - own("read") - own("write");
    if all == 0.0 || foreign <= FOREIGN * all {
        return Vec::new();
    }
    let name = disk["name"].as_str().unwrap_or_default();
    let reason = format!("counts {foreign:.0} of {all:.0} requests at {} that are of no job here", quoted(name));
    let hint = "Others used the device meanwhile. Run the jobs with the device to themselves.";
    vec![Diagnostic::warning(format!("{file}, disk_util"), reason, hint)]
}

/// A job from the reports of its clones.
fn job(
    at: &Place,
    options: &Options,
    clones: &[&Value],
    remarks: &mut Vec<Diagnostic>,
) -> Result<MeasuredJob, Box<Diagnostic>> {
    let (pattern, read_share) = pattern(at, options)?;
    is_suitable(at, options, remarks)?;
    let [read_bytes, write_bytes] = block_bytes(at, options, read_share)?;
    let numjobs = at.whole(options, "numjobs")?;
    let iodepth = iodepth(at, options, remarks)?;
    let (reads, writes) = (operations(at, "read", clones)?, operations(at, "write", clones)?);
    if reads.is_none() && writes.is_none() {
        return at.refused("total_ios", "is 0: it did nothing", "Give it a size or a time to run.");
    }
    let requests = |of: &Option<Operations>| of.as_ref().map_or(0, |of| of.requests);
    let all = (requests(&reads) + requests(&writes)) as f64;
    for (kind, share, done) in [("read", read_share, &reads), ("write", 1.0 - read_share, &writes)] {
        // Of a mix with a few requests all may be of one kind.
        if (share > 0.0) != done.is_some() && !(share > 0.0 && share * all < FEW_OF_MIX) {
            let reason = format!("is {}, which is not what rw asks for", requests(done));
            return at.refused(&format!("{kind}.total_ios"), reason, COPY);
        }
        if let Some(few) = done.as_ref().filter(|done| done.requests < FEW_REQUESTS) {
            let reason =
                format!("is {}: the percentile 99 rests on {} of them", few.requests, few.requests.div_ceil(100));
            remarks.push(at.remark(&format!("{kind}.total_ios"), reason, "Run the job for longer."));
        }
    }
    submission(at, clones, remarks)?;
    let rate = rate(at, options, [read_bytes, write_bytes], [&reads, &writes])?;
    remarks.extend(outstanding(at, clones, iodepth * clone_count(clones, numjobs), rate.is_some())?);
    let count = |operations: &Option<Operations>| operations.as_ref().map_or(0, |of| of.requests) as f64;
    let longest = |kind: &str| {
        clones.iter().try_fold(0.0, |longest: f64, job| -> Result<f64, Box<Diagnostic>> {
            Ok(longest.max(at.number(job, &format!("{kind}.runtime"))?))
        })
    };
    Ok(MeasuredJob {
        file: at.file.into(),
        name: at.job.into(),
        device: devices(options, at.job).into_iter().next(),
        access: access(options),
        pattern,
        read_share: count(&reads) / (count(&reads) + count(&writes)),
        read_bytes,
        write_bytes,
        iodepth,
        numjobs,
        rate,
        range_bytes: range_bytes(options),
        runtime_s: f64::max(longest("read")?, longest("write")?) / 1000.0,
        reads,
        writes,
    })
}

/// A mix that asks for fewer requests of a kind may have done none of it, by chance.
const FEW_OF_MIX: f64 = 10.0;
/// Below so many requests a remark says on how many of them the percentile 99 rests.
const FEW_REQUESTS: u64 = 1000;

/// How many clones the reports are of: fio gives each its own, or one for all of them (`group_reporting`).
fn clone_count(clones: &[&Value], numjobs: u32) -> u32 {
    if clones.len() == 1 { numjobs } else { u32::try_from(clones.len()).unwrap_or(numjobs) }
}

/// A remark where fewer requests were outstanding than asked for: by Little's law their number is IOPS × latency.
fn outstanding(
    at: &Place,
    clones: &[&Value],
    asked: u32,
    limited: bool,
) -> Result<Option<Diagnostic>, Box<Diagnostic>> {
    // A host that submits at less than this part of the depth holds the drive back.
    const KEPT: f64 = 0.8;
    if limited || asked == 1 {
        return Ok(None);
    }
    let mut outstanding = 0.0;
    for job in clones {
        for kind in ["read", "write"] {
            let latency = if job[kind].get("lat_ns").is_some() { "lat_ns" } else { "clat_ns" };
            let number = |field: &str| at.number(job, &format!("{kind}.{field}"));
            outstanding += number("iops")? * number(&format!("{latency}.mean"))? / 1e9;
        }
    }
    if outstanding >= KEPT * f64::from(asked) {
        return Ok(None);
    }
    let reason = format!("asks for {asked} requests outstanding, but {outstanding:.1} were (IOPS × latency)");
    let hint = "The host may not have kept up: give it fewer, or more clones (numjobs).";
    Ok(Some(at.remark("iodepth", reason, hint)))
}

/// Latency of submission and of completion, in nanoseconds, where fio took the first: synchronous engines have none.
fn part_of_submission(at: &Place, clones: &[&Value]) -> Result<f64, Box<Diagnostic>> {
    let (mut submission, mut all) = (0.0, 0.0);
    for job in clones {
        for kind in ["read", "write"] {
            let number = |field: &str| at.number(job, &format!("{kind}.{field}"));
            let requests = number("total_ios")?;
            if requests > 0.0 && job[kind].get("slat_ns").is_some() {
                let (slat, clat) = (number("slat_ns.mean")?, number("clat_ns.mean")?);
                submission += requests * slat;
                all += requests * (slat + clat);
            }
        }
    }
    Ok(if all > 0.0 { submission / all } else { 0.0 })
}

/// Refuses a job whose requests were done when they were submitted, so that what follows submission is no time of the drive.
fn submission(at: &Place, clones: &[&Value], remarks: &mut Vec<Diagnostic>) -> Result<(), Box<Diagnostic>> {
    // From the first part on of the time of a request it is said, from the second on the job is refused.
    const SAID: f64 = 0.5;
    const REFUSED: f64 = 0.9;
    let part = part_of_submission(at, clones)?;
    let reason = format!(
        "{:.1} % of the time of a request was in its submission, so that clat is no time of the drive",
        100.0 * part
    );
    let hint = "The file system or the engine waits at submission: measure the device, or use psync.";
    if part >= REFUSED {
        return at.refused("slat_ns", reason, hint);
    }
    if part >= SAID {
        remarks.push(at.remark("slat_ns", reason, hint));
    }
    Ok(())
}

/// Bytes of the range that requests go to; `None` where the options do not say.
fn range_bytes(options: &Options) -> Option<u64> {
    let extent = options.extent("size", 0).or_else(|| options.extent("filesize", 0))?.ok()?;
    (!matches!(extent.unit, ExtentUnit::Percent(_)) && extent.bytes > 0).then_some(extent.bytes)
}

/// Bytes of a read and of a write. A job of one kind has the size of that kind for both.
fn block_bytes(at: &Place, options: &Options, read_share: f64) -> Result<[u32; 2], Box<Diagnostic>> {
    let laws = at.good(laws(options))?;
    let option = laws.option.unwrap_or("bs");
    let mut bytes = [0; 2];
    for ((bytes, law), is_used) in bytes.iter_mut().zip(&laws.of).zip([read_share > 0.0, read_share < 1.0]) {
        match law.only() {
            // The largest request of a scenario.
            Some(only @ 512..=1_073_741_824) => *bytes = only as u32,
            _ if !is_used => {}
            Some(only) => return at.refused(option, format!("is {only} bytes"), "Use blocks of 512 B to 1 GiB."),
            None => {
                let reason = "says several block sizes, and a fit takes jobs of one";
                return at.refused(option, reason, "Make one job for each block size.");
            }
        }
    }
    let [reads, writes] = bytes;
    Ok([if reads > 0 { reads } else { writes }, if writes > 0 { writes } else { reads }])
}

/// The rate of each clone, from `rate_iops` or `rate`. Where it limits one kind of a mix, the other kind has the rate that was measured.
fn rate(
    at: &Place,
    options: &Options,
    block_bytes: [u32; 2],
    done: [&Option<Operations>; 2],
) -> Result<Option<Rate>, Box<Diagnostic>> {
    let Some(rates) = at.good(Rates::of(options))? else { return Ok(None) };
    let limits = rates.requests(block_bytes.map(f64::from));
    let clones = f64::from(at.whole(options, "numjobs")?);
    let is_limited = [0, 1].map(|kind| limits[kind].is_some() && done[kind].is_some());
    if is_limited == [false; 2] {
        return Ok(None);
    }
    let of = |kind: usize| limits[kind].unwrap_or_else(|| done[kind].as_ref().map_or(0.0, |of| of.iops / clones));
    let poisson = at.read(options.word("rate_process", &["linear", "poisson"]))?.is_some_and(|(place, _)| place == 1);
    Ok(Some(Rate { reads: of(0), writes: of(1), poisson }))
}

/// Reads, or writes, of the clones of a job; none if there were none.
fn operations(at: &Place, kind: &str, clones: &[&Value]) -> Result<Option<Operations>, Box<Diagnostic>> {
    let number = |job: &Value, field: &str| at.number(job, &format!("{kind}.{field}"));
    let sum = |field: &str| clones.iter().map(|job| number(job, field)).sum::<Result<f64, _>>();
    let requests = sum("total_ios")?;
    if requests == 0.0 {
        return Ok(None);
    }
    let mut reports = Vec::new();
    for job in clones {
        let clat = format!("{kind}.clat_ns");
        if number(job, "total_ios")? == 0.0 {
            continue;
        }
        if job[kind].get("clat_ns").is_none() && job[kind].get("clat").is_some() {
            let reason = "is missing: there is a clat without its unit";
            return at.refused(&clat, reason, "Let fio 3 write the file; it names the unit.");
        }
        if job[kind]["clat_ns"].get("N").is_some() && number(job, "clat_ns.N")? == 0.0 {
            let hint = "Leave out disable_clat and gtod_reduce.";
            return at.refused(&clat, "is empty: completions were not timed", hint);
        }
        reports.push(Report::new(at, kind, job)?);
    }
    let (iops, latency_us) = (sum("iops")?, latency(&reports));
    if !(latency_us.mean > 0.0 && iops > 0.0) {
        return at.refused(kind, "has no latency and rate above 0", "Run the job for longer.");
    }
    // fio 3.1 has KiB/s alone.
    let has_bytes = clones.iter().all(|job| job[kind].get("bw_bytes").is_some());
    let bytes_per_s = if has_bytes { sum("bw_bytes")? } else { sum("bw")? * 1024.0 };
    Ok(Some(Operations { requests: requests as u64, iops, bytes_per_s, latency_us }))
}

/// Requests that a bin is believed to hold: more than a drive serves in its life.
const MAXIMUM_COUNT: u64 = 1 << 50;

/// Latencies that fio reports of a job or of one of its clones, in nanoseconds.
struct Report {
    count: f64,
    mean: f64,
    deviation: f64,
    min: f64,
    max: f64,
    percentiles: Vec<(f64, f64)>,
    bins: Vec<(u64, u64)>,
}

impl Report {
    /// Reads the latencies of one kind of requests of a job, such as `read.clat_ns`.
    fn new(at: &Place, kind: &str, job: &Value) -> Result<Self, Box<Diagnostic>> {
        let clat = &format!("{kind}.clat_ns");
        let number = |field: &str| at.number(job, &format!("{clat}.{field}"));
        let object = |field: &str| {
            let object = format!("/{clat}.{field}").replace('.', "/");
            job.pointer(&object).and_then(Value::as_object).into_iter().flatten()
        };
        let mut percentiles = Vec::new();
        for (percent, ns) in object("percentile") {
            match (percent.parse::<f64>(), ns.as_f64()) {
                (Ok(percent), Some(ns)) if (0.0..=100.0).contains(&percent) && ns >= 0.0 => {
                    percentiles.push((percent, ns))
                }
                _ => return at.refused(&format!("{clat}.percentile"), pair(percent, ns), COPY),
            }
        }
        percentiles.sort_by(|one, other| one.0.total_cmp(&other.0));
        let mut bins = Vec::new();
        for (ns, count) in object("bins") {
            match (ns.parse::<u64>(), count.as_u64()) {
                (Ok(ns), Some(count)) if count <= MAXIMUM_COUNT => bins.push((ns, count)),
                _ => return at.refused(&format!("{clat}.bins"), pair(ns, count), COPY),
            }
        }
        let binned: u64 = bins.iter().map(|(_, count)| count).sum();
        // fio before 3.18 does not say how many it timed.
        let count = match job[kind]["clat_ns"].get("N") {
            Some(_) => number("N")?,
            None if bins.is_empty() => at.number(job, &format!("{kind}.total_ios"))?,
            None => binned as f64,
        };
        if !bins.is_empty() && binned as f64 != count {
            let reason = format!("hold {binned} requests, but N is {count}");
            return at.refused(&format!("{clat}.bins"), reason, COPY);
        }
        Ok(Self {
            count,
            mean: number("mean")?,
            deviation: number("stddev")?,
            min: number("min")?,
            max: number("max")?,
            percentiles,
            bins,
        })
    }
}

/// What is wrong with an entry of an object of numbers.
fn pair(name: &str, value: &Value) -> String {
    format!("has {} for {}, which are no pair of numbers", quoted(&value.to_string()), quoted(name))
}

/// The latencies of clones as one distribution.
fn latency(clones: &[Report]) -> Latency {
    let total: f64 = clones.iter().map(|clone| clone.count).sum();
    let mean = clones.iter().map(|clone| clone.count * clone.mean).sum::<f64>() / total;
    // The variance within each clone and between their means.
    let square = |clone: &Report| {
        let off = clone.mean - mean;
        clone.deviation * clone.deviation + off * off
    };
    let variance = clones.iter().map(|clone| clone.count * square(clone)).sum::<f64>() / total;
    let mut bins = BTreeMap::new();
    for (ns, count) in clones.iter().flat_map(|clone| &clone.bins).filter(|(_, count)| *count > 0) {
        *bins.entry(*ns).or_insert(0) += count;
    }
    let bins: Vec<(f64, u64)> = bins.into_iter().map(|(ns, count)| (us(ns as f64), count)).collect();
    let percentiles = match clones {
        [clone] => clone.percentiles.iter().map(|(at, ns)| (*at, us(*ns))).collect(),
        // Percentiles of parts do not add up to those of the whole; bins do.
        [first, ..] => first.percentiles.iter().filter_map(|(at, _)| Some((*at, of_bins(&bins, *at)?))).collect(),
        [] => Vec::new(),
    };
    let extreme =
        |of: fn(&Report) -> f64, better: fn(f64, f64) -> f64| clones.iter().map(of).reduce(better).unwrap_or_default();
    Latency {
        mean: us(mean),
        deviation: us(libm::sqrt(variance)),
        min: us(extreme(|clone| clone.min, f64::min)),
        max: us(extreme(|clone| clone.max, f64::max)),
        percentiles,
        bins,
    }
}

fn us(ns: f64) -> f64 {
    ns / 1000.0
}
