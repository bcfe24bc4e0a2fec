//! What fio measured: JSON and JSON+ of version 3, as `--output-format=json` and `json+` write them.
//!
//! Latencies are those of completion (`clat_ns`): from when a request is with the kernel to when it is done, in microseconds here. A job
//! that tells nothing of a drive, for it failed, went through the page cache or shared the device, is refused with its reason, and
//! the others are read all the same.

use std::collections::BTreeMap;
use std::ops::Range;

use qoscope_engine::scenario::{Diagnostic, quoted};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::options::Options;

/// What a file of results holds.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
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
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct MeasuredJob {
    /// Name of the file.
    pub file: String,
    /// Its name.
    pub name: String,
    /// What it reads and writes, if fio says so: `/dev/nvme0n1`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub device: Option<String>,
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

/// How addresses follow each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Pattern {
    /// At random.
    Random,
    /// In order.
    Sequential,
}

/// Requests a second that each clone was limited to.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Rate {
    /// Reads a second of each clone.
    pub reads: f64,
    /// Writes a second of each clone.
    pub writes: f64,
    /// Whether gaps are exponential (`rate_process=poisson`); else they are alike.
    pub poisson: bool,
}

/// Reads, or writes, of a job: of all its clones together.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
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
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
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
    let document = document(text, file).map_err(|diagnostic| vec![diagnostic])?;
    let version = document["fio version"].as_str().unwrap_or_default();
    let jobs = document["jobs"].as_array().expect("looked at");
    let mut remarks = Vec::new();
    let mut read = Vec::new();
    for (index, clones) in clones(&document, jobs) {
        let name = clones[0]["jobname"].as_str().unwrap_or_default();
        let at = Place { file, job: name };
        let options = options(&document, clones[0]);
        let others = jobs
            .iter()
            .enumerate()
            .filter(|(other, job)| !index.contains(other) && ran_together(&document, clones[0], job));
        let others: Vec<&str> = others.filter_map(|(_, job)| job["jobname"].as_str()).collect();
        match job(&at, &options, &clones, &others, &mut remarks) {
            Ok(job) => read.push(job),
            Err(diagnostic) => remarks.push(*diagnostic),
        }
    }
    remarks.extend(strangers(file, &document, jobs));
    Ok(Results { file: file.into(), version: version.into(), jobs: read, remarks })
}

/// Where something is: a job of a file.
struct Place<'a> {
    file: &'a str,
    job: &'a str,
}

impl Place<'_> {
    fn path(&self, field: &str) -> String {
        format!("{}, job {}, {field}", self.file, quoted(self.job))
    }

    fn refused<T>(&self, field: &str, reason: impl Into<String>, hint: &str) -> Result<T, Box<Diagnostic>> {
        Err(Box::new(Diagnostic::new(self.path(field), reason, hint)))
    }

    fn remark(&self, field: &str, reason: impl Into<String>, hint: &str) -> Diagnostic {
        Diagnostic::warning(self.path(field), reason, hint)
    }
}

/// The JSON of a file, which is fio's of version 3.
fn document(text: &str, file: &str) -> Result<Value, Diagnostic> {
    let whole = |reason: String, hint: &str| Diagnostic::new(file, reason, hint);
    const ASK: &str = "Let fio write it: fio --output-format=json+ --output=FILE.";
    // Notes of fio stand before it, each on lines of its own.
    let start = text.starts_with('{').then_some(0).or_else(|| text.find("\n{").map(|at| at + 1));
    let Some(start) = start else {
        let terse = text.lines().any(|line| line.split(';').count() > 20);
        let human = text.contains(" clat (") || text.contains("Run status group");
        let reason = match () {
            () if text.trim().is_empty() => "is empty",
            () if terse => "is in fio's terse format, which holds no distribution",
            () if human => "is what fio writes for people",
            () => "has no JSON",
        };
        return Err(whole(reason.into(), ASK));
    };
    let document = match serde_json::Deserializer::from_str(&text[start..]).into_iter::<Value>().next() {
        Some(Ok(document)) => document,
        Some(Err(error)) if error.is_eof() => {
            let lines = text.lines().count();
            return Err(whole(
                format!("ends within the JSON, in line {lines}"),
                "Copy the whole file; fio may have been ended while it wrote.",
            ));
        }
        Some(Err(error)) => {
            let before = text[..start].lines().count();
            return Err(whole(format!("is no JSON in line {}, column {}", before + error.line(), error.column()), ASK));
        }
        None => return Err(whole("has no JSON".into(), ASK)),
    };
    let Some(version) = document["fio version"].as_str() else {
        return Err(whole("is JSON, but not of fio: it has no \"fio version\"".into(), ASK));
    };
    let major = version.strip_prefix("fio-").and_then(|rest| rest.split(['.', '-']).next()?.parse::<u32>().ok());
    if major != Some(3) {
        return Err(whole(
            format!("was written by {}; results of fio 3 are read", quoted(version)),
            "Run the jobs with fio 3.",
        ));
    }
    if document.get("client_stats").is_some() {
        return Err(whole(
            "holds results of clients (fio --client)".into(),
            "Run fio on the host of the drive, without --client.",
        ));
    }
    match document["jobs"].as_array() {
        Some(jobs) if !jobs.is_empty() => Ok(document),
        _ => Err(whole("has no jobs".into(), "Give fio a job to run.")),
    }
}

/// Jobs that follow each other and are clones of one, with their numbers.
fn clones<'a>(document: &Value, jobs: &'a [Value]) -> Vec<(Range<usize>, Vec<&'a Value>)> {
    let has_clones = |job: &Value| options(document, job).number("numjobs").is_some_and(|number| number != Ok(1.0));
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
    Options::new(job.get("job options"), document.get("global options"))
}

/// Whether two jobs ran at the same time: fio gives jobs a new group where one waits for those before it (`stonewall`).
fn ran_together(document: &Value, one: &Value, other: &Value) -> bool {
    let device = |job| options(document, job).get("filename");
    one["groupid"] == other["groupid"] && device(one) == device(other)
}

/// Requests of others at a device while jobs ran, where fio counts more than its own.
fn strangers(file: &str, document: &Value, jobs: &[Value]) -> Vec<Diagnostic> {
    // More than this part of the requests at the device were not of these jobs.
    const FOREIGN: f64 = 0.05;
    // What is done in a ramp is not in the results, but at the device.
    if jobs.iter().any(|job| options(document, job).get("ramp_time").is_some()) {
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
    let hint = "Others may have used the device, or requests were split. Run the jobs with the device to themselves.";
    vec![Diagnostic::warning(format!("{file}, disk_util"), reason, hint)]
}

/// A job from the reports of its clones.
fn job(
    at: &Place,
    options: &Options,
    clones: &[&Value],
    others: &[&str],
    remarks: &mut Vec<Diagnostic>,
) -> Result<MeasuredJob, Box<Diagnostic>> {
    if let Some(error) = clones.iter().filter_map(|job| job["error"].as_i64()).find(|error| *error != 0) {
        return at.refused(
            "error",
            format!("failed with error {error}"),
            "Mend what fio complained of, and run it again.",
        );
    }
    if let Some(other) = others.first() {
        let reason = format!("shared the device with job {}: they ran at the same time", quoted(other));
        return at.refused("groupid", reason, "Give each job `stonewall`, so that it waits for those before it.");
    }
    let (pattern, kinds) = pattern(at, options)?;
    through_the_kernel(at, options, remarks)?;
    let [read_bytes, write_bytes] = block_bytes(at, options)?;
    let numjobs = whole(at, options, "numjobs", 1)?;
    let iodepth = whole(at, options, "iodepth", 1)?;
    let engine = options.get("ioengine").unwrap_or("psync");
    let iodepth = if is_synchronous(engine) && iodepth > 1 {
        let reason = format!("is {iodepth}, but {} has one request outstanding", quoted(engine));
        remarks.push(at.remark("iodepth", reason, "It is taken as 1. Use libaio or io_uring for more."));
        1
    } else {
        iodepth
    };
    let operations = |kind: &str| operations(at, kind, clones);
    let (reads, writes) = (operations("read")?, operations("write")?);
    let asked = [kinds[0] && reads.is_none(), kinds[1] && writes.is_none()];
    if asked == [true, true] || (reads.is_none() && writes.is_none()) {
        return at.refused("total_ios", "is 0: it did nothing", "Give it a size or a time to run.");
    }
    let count = |operations: &Option<Operations>| operations.as_ref().map_or(0, |of| of.requests) as f64;
    let read_share = count(&reads) / (count(&reads) + count(&writes));
    let longest = |key: &str| clones.iter().filter_map(|job| job[key]["runtime"].as_f64()).fold(0.0, f64::max);
    Ok(MeasuredJob {
        file: at.file.into(),
        name: at.job.into(),
        device: options.get("filename").map(Into::into),
        pattern,
        read_share,
        read_bytes,
        write_bytes,
        iodepth,
        numjobs,
        rate: rate(at, options, [read_bytes, write_bytes])?,
        range_bytes: options.bytes("size").and_then(Result::ok).map(|[bytes, _]| bytes as u64),
        runtime_s: longest("read").max(longest("write")) / 1000.0,
        reads,
        writes,
    })
}

/// How addresses follow each other, and whether it reads and whether it writes.
fn pattern(at: &Place, options: &Options) -> Result<(Pattern, [bool; 2]), Box<Diagnostic>> {
    let rw = options.get("rw").unwrap_or("read");
    let kind = rw.split([':', ',']).next().unwrap_or_default();
    Ok(match kind {
        "read" => (Pattern::Sequential, [true, false]),
        "write" => (Pattern::Sequential, [false, true]),
        "rw" | "readwrite" => (Pattern::Sequential, [true, true]),
        "randread" => (Pattern::Random, [true, false]),
        "randwrite" => (Pattern::Random, [false, true]),
        "randrw" => (Pattern::Random, [true, true]),
        _ => {
            let reason = format!("is {}: drives are fitted to reads and writes", quoted(rw));
            return at.refused(
                "rw",
                reason,
                "Leave the job out, or use randread, randwrite, randrw, read, write or rw.",
            );
        }
    })
}

/// Refuses what did not come to the device: the page cache, engines without requests.
fn through_the_kernel(at: &Place, options: &Options, remarks: &mut Vec<Diagnostic>) -> Result<(), Box<Diagnostic>> {
    let engine = options.get("ioengine").unwrap_or("psync");
    if matches!(engine, "null" | "mmap" | "filecreate" | "filestat" | "filedelete" | "cpuio" | "net" | "netsplice") {
        let reason = format!("is {}: it sends no requests to a device", quoted(engine));
        return at.refused("ioengine", reason, "Use libaio or io_uring.");
    }
    let past_the_kernel =
        matches!(engine, "spdk" | "spdk_bdev" | "io_uring_cmd" | "sg") || engine.starts_with("external");
    let direct = options.flag("direct").or_else(|| options.flag("buffered").map(|buffered| !buffered));
    if direct != Some(true) && !past_the_kernel {
        let reason = "is not set: requests went through the page cache, so that memory was measured";
        return at.refused("direct", reason, "Set direct=1 and run it again.");
    }
    let is_device = options.get("filename").is_some_and(|name| name.starts_with("/dev/")) || past_the_kernel;
    if !is_device {
        let what =
            options.get("filename").or_else(|| options.get("directory")).map_or("a file that fio made".into(), quoted);
        let reason = format!("is {what}, a file and no device: latencies hold the time of its file system");
        remarks.push(at.remark(
            "filename",
            reason,
            "Name the device, such as /dev/nvme0n1; a job that writes destroys what is on it.",
        ));
    }
    Ok(())
}

fn is_synchronous(engine: &str) -> bool {
    matches!(engine, "sync" | "psync" | "vsync" | "pvsync" | "pvsync2")
}

fn block_bytes(at: &Place, options: &Options) -> Result<[u32; 2], Box<Diagnostic>> {
    const ONE: &str = "Make one job for each block size.";
    if let Some(split) = options.get("bssplit") {
        return at.refused("bssplit", format!("is {}: a fit takes jobs of one block size", quoted(split)), ONE);
    }
    let bytes = match options.bytes("bs") {
        None => [4096.0; 2],
        Some(Ok(bytes)) => bytes,
        Some(Err(text)) => {
            return at.refused(
                "bs",
                format!("is {}, which is no size", quoted(text)),
                "Give bytes, such as 4096 or 4k.",
            );
        }
    };
    // The largest request of a scenario.
    if bytes.iter().any(|bytes| !(512.0..=1_073_741_824.0).contains(bytes)) {
        return at.refused("bs", format!("is {} bytes", bytes[0]), "Use blocks of 512 B to 1 GiB.");
    }
    Ok(bytes.map(|bytes| bytes as u32))
}

fn whole(at: &Place, options: &Options, name: &str, default: u32) -> Result<u32, Box<Diagnostic>> {
    match options.number(name) {
        None => Ok(default),
        Some(Ok(number)) if (1.0..=65_535.0).contains(&number) => Ok(number as u32),
        Some(Ok(number)) => at.refused(name, format!("is {number}"), "Use 1 to 65535."),
        Some(Err(text)) => at.refused(name, format!("is {}, which is no number", quoted(text)), "Use 1 to 65535."),
    }
}

/// The rate of each clone, from `rate_iops` or `rate`.
fn rate(at: &Place, options: &Options, block_bytes: [u32; 2]) -> Result<Option<Rate>, Box<Diagnostic>> {
    let limits = |name: &str, per: [f64; 2]| match options.bytes(name) {
        None => Ok(None),
        Some(Ok(limit)) => Ok(Some([limit[0] / per[0], limit[1] / per[1]])),
        Some(Err(text)) => at.refused(
            name,
            format!("is {}, which is no rate", quoted(text)),
            "Give one number, or one each for reads and writes.",
        ),
    };
    let of_iops = limits("rate_iops", [1.0; 2])?;
    let limit = of_iops.map_or_else(|| limits("rate", block_bytes.map(f64::from)), |iops| Ok(Some(iops)))?;
    let poisson = options.get("rate_process") == Some("poisson");
    Ok(limit.map(|[reads, writes]| Rate { reads, writes, poisson }))
}

/// Reads, or writes, of the clones of a job; none if there were none.
fn operations(at: &Place, kind: &str, clones: &[&Value]) -> Result<Option<Operations>, Box<Diagnostic>> {
    let of = || clones.iter().map(|job| &job[kind]);
    let sum = |key: &str| of().filter_map(|operations| operations[key].as_f64()).sum::<f64>();
    let requests = sum("total_ios") as u64;
    if requests == 0 {
        return Ok(None);
    }
    let latencies: Vec<&Value> = of().filter(|operations| operations["total_ios"].as_u64() > Some(0)).collect();
    for operations in &latencies {
        let field = format!("{kind}.clat_ns");
        if operations.get("clat_ns").is_none() {
            let old = operations.get("clat").is_some();
            let reason = if old { "is missing: there is a clat without its unit" } else { "is missing" };
            return at.refused(&field, reason, "Let fio 3 write the file; it names the unit.");
        }
        if operations["clat_ns"]["N"].as_u64() == Some(0) {
            return at.refused(
                &field,
                "is empty: completions were not timed",
                "Leave out disable_clat and gtod_reduce.",
            );
        }
    }
    let latency_us = latency(&latencies);
    if !(latency_us.mean > 0.0 && sum("iops") > 0.0) {
        return at.refused(kind, "has no latency and rate above 0", "Run the job for longer.");
    }
    Ok(Some(Operations { requests, iops: sum("iops"), bytes_per_s: sum("bw_bytes"), latency_us }))
}

/// The latencies of clones as one distribution.
fn latency(clones: &[&Value]) -> Latency {
    let number = |of: &Value, key: &str| of["clat_ns"][key].as_f64().unwrap_or_default();
    let counts: Vec<f64> = clones.iter().map(|clone| number(clone, "N")).collect();
    let total: f64 = counts.iter().sum();
    let mean = clones.iter().zip(&counts).map(|(clone, count)| count * number(clone, "mean")).sum::<f64>() / total;
    // The variance within each clone and between their means.
    let square = |clone: &Value| {
        let (deviation, off) = (number(clone, "stddev"), number(clone, "mean") - mean);
        deviation * deviation + off * off
    };
    let variance = clones.iter().zip(&counts).map(|(clone, count)| count * square(clone)).sum::<f64>() / total;
    let mut bins = BTreeMap::new();
    for clone in clones {
        for (ns, count) in clone["clat_ns"]["bins"].as_object().into_iter().flatten() {
            if let (Ok(ns), Some(count)) = (ns.parse::<u64>(), count.as_u64()) {
                *bins.entry(ns).or_insert(0) += count;
            }
        }
    }
    let bins: Vec<(f64, u64)> =
        bins.into_iter().filter(|(_, count)| *count > 0).map(|(ns, count)| (us(ns as f64), count)).collect();
    let said = |clone: &Value| -> Vec<(f64, f64)> {
        let said = clone["clat_ns"]["percentile"].as_object().into_iter().flatten();
        let mut said: Vec<(f64, f64)> =
            said.filter_map(|(at, ns)| Some((at.parse().ok()?, us(ns.as_f64()?)))).collect();
        said.sort_by(|one, other| one.0.total_cmp(&other.0));
        said
    };
    let percentiles = match clones {
        [clone] => said(clone),
        // Percentiles of parts do not add up to those of the whole; bins do.
        [first, ..] => said(first).into_iter().filter_map(|(at, _)| Some((at, of_bins(&bins, at)?))).collect(),
        [] => Vec::new(),
    };
    let extreme = |key: &str, of: fn(f64, f64) -> f64| {
        clones.iter().map(|clone| number(clone, key)).reduce(of).unwrap_or_default()
    };
    Latency {
        mean: us(mean),
        deviation: us(libm::sqrt(variance)),
        min: us(extreme("min", f64::min)),
        max: us(extreme("max", f64::max)),
        percentiles,
        bins,
    }
}

fn us(ns: f64) -> f64 {
    ns / 1000.0
}
