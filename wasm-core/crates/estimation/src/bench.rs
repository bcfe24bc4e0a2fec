//! The bench on which a job is run: one host with one drive of its own, and the job's requests.

use qoscope_engine::scenario::{self, Scenario};
use serde::Deserialize;
use serde_json::{Value, json};

use super::parameters::DriveParameters;
use qoscope_interop::fio::{MeasuredJob, Pattern};

/// What a job did on the bench.
#[derive(Clone, Debug, PartialEq)]
pub struct Simulated {
    /// Its reads, if there were any.
    pub reads: Option<SimulatedOperations>,
    /// Its writes, if there were any.
    pub writes: Option<SimulatedOperations>,
    /// Digest of the run, 16 hexadecimal digits.
    pub digest: String,
}

impl Simulated {
    /// The mean of all its requests, in microseconds.
    pub(super) fn mean_us(&self) -> Option<f64> {
        let both = || self.reads.iter().chain(&self.writes);
        let requests: f64 = both().map(|of| of.iops).sum();
        (requests > 0.0).then(|| both().map(|of| of.iops * of.mean).sum::<f64>() / requests)
    }
}

/// Reads, or writes, of a job on the bench.
#[derive(Clone, Debug, PartialEq)]
pub struct SimulatedOperations {
    /// Requests measured.
    pub requests: u64,
    /// Requests a second.
    pub iops: f64,
    /// Mean latency, in microseconds.
    pub mean: f64,
    /// Median.
    pub p50: f64,
    /// 99th percentile.
    pub p99: f64,
    /// 99.9th percentile.
    pub p999: f64,
    /// Pairs of a latency and the share of requests that took longer.
    pub tail: Vec<(f64, f64)>,
}

/// What a fit reads of the result of a run, [`qoscope_campaign::Detail::Tails`].
#[derive(Deserialize)]
struct RunResult {
    digest: String,
    classes: Vec<ClassResult>,
    tails: Vec<TailResult>,
}

#[derive(Deserialize)]
struct ClassResult {
    reads: Option<LatencyResult>,
    writes: Option<LatencyResult>,
}

#[derive(Deserialize)]
struct LatencyResult {
    count: u64,
    mean: Option<f64>,
    p50: Option<f64>,
    p99: Option<f64>,
    p999: Option<f64>,
}

#[derive(Deserialize)]
struct TailResult {
    reads: Vec<(f64, f64)>,
    writes: Vec<(f64, f64)>,
}

impl Simulated {
    /// Of the result of a run that measured for `measured_s` seconds.
    ///
    /// # Errors
    /// The part of the result that is missing.
    pub(super) fn of(result: &Value, measured_s: f64) -> Result<Self, String> {
        let RunResult { digest, classes, tails } =
            RunResult::deserialize(result).map_err(|error| format!("The result of a run has no {error}"))?;
        let of = |latency: LatencyResult, tail: Vec<(f64, f64)>| {
            Some(SimulatedOperations {
                requests: latency.count,
                iops: latency.count as f64 / measured_s,
                mean: latency.mean?,
                p50: latency.p50?,
                p99: latency.p99?,
                p999: latency.p999?,
                tail,
            })
        };
        let (class, tail) = classes.into_iter().zip(tails).next().ok_or("The result of a run has no class")?;
        Ok(Self {
            reads: class.reads.and_then(|latency| of(latency, tail.reads)),
            writes: class.writes.and_then(|latency| of(latency, tail.writes)),
            digest,
        })
    }
}

/// A scenario of one host that reads and writes one drive of its own: the section `storage.ssd`, and `access.software`.
pub(crate) fn one_host(name: &str, ssd: &Value, software: &Value) -> Value {
    json!({
        "version": 3,
        "name": name,
        "durationUs": 1000,
        "topology": { "shape": { "kind": "dumbbell", "senders": 1, "receivers": 1 } },
        "classes": [{ "name": "fio", "transport": "dctcp" }],
        "storage": { "ssd": ssd },
        "access": { "protocol": "local", "software": software },
        "workloads": [{
            "class": "fio",
            "endpoints": { "kind": "pairs", "initiators": ["h0"], "targets": ["h0"] },
            "traffic": { "kind": "closed-loop", "outstanding": 1, "size": { "kind": "fixed", "bytes": 4096 } },
        }],
    })
}

/// Where a fit begins if nobody says: the first preset.
pub fn usual_base() -> Scenario {
    scenario::from_value(one_host("Bench", &json!({}), &json!({}))).expect("a host with a preset is valid")
}

/// For how long a job is run on the bench, and what the drive holds before it: the same whatever the parameters are, so that what
/// differs between two drives is the drives.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Plan {
    warmup_us: f64,
    measured_us: f64,
    steady: bool,
}

impl Plan {
    /// For so many requests, before a cache of so many bytes that writes may have to fill first; `steady` if the drive had
    /// written enough before to collect garbage.
    pub(super) fn new(job: &MeasuredJob, requests: f64, cache_bytes: f64, steady: bool) -> Self {
        const SMALL_BYTES: f64 = 16_384.0;
        // A longer run would tell more of the tail, and no one would wait for it.
        const LONGEST_US: f64 = 2e6;
        const LONGEST_WARMUP_US: f64 = 5e5;
        let iops = job.operations().map(|(_, operations)| operations.iops).sum::<f64>();
        // A request of many pages takes the work of many, and says as much by itself; how many wait takes many times as many to settle.
        let depth = f64::from(job.iodepth) * f64::from(job.numjobs);
        let part = (SMALL_BYTES / f64::from(job.block_bytes())).min(1.0);
        let requests = (requests * part).max(40.0 * depth * part).max(10.0 * depth + 100.0);
        let measured_us = (requests / iops * 1e6).clamp(1000.0, LONGEST_US);
        let written = job.writes.as_ref().map_or(0.0, |writes| writes.bytes_per_s / 1e6);
        // It is filled by what flash does not take meanwhile.
        let filling_us = if written > 0.0 { 3.0 * cache_bytes / written } else { 0.0 };
        Self { warmup_us: (measured_us / 4.0).max(filling_us.min(LONGEST_WARMUP_US)), measured_us, steady }
    }

    /// The scenario of a job on a drive, under a seed. A drive that was reached over a network is in the server at the other end of it.
    /// Seconds of a run that are measured, as its document gives them.
    pub(super) fn measured_s(&self) -> f64 {
        (self.warmup_us + self.measured_us - self.warmup_us) / 1e6
    }

    pub(super) fn document(&self, job: &MeasuredJob, drive: &DriveParameters, seed: u32) -> Value {
        let mut ssd = drive.ssd.clone();
        fill(&mut ssd, self.steady);
        let pattern = match job.pattern {
            Pattern::Random => "random",
            Pattern::Sequential => "sequential",
        };
        let mut addresses = json!({ "pattern": { "kind": pattern }, "alignmentBytes": job.block_bytes().min(1 << 20) });
        if let Some(bytes) = job.range_bytes.filter(|bytes| *bytes >= u64::from(job.block_bytes())) {
            addresses["lengthBytes"] = bytes.into();
        }
        let mut software = json!({ "hostLatencyUs": drive.host_us });
        let (target, gbps) = if job.access.is_local() { ("h0", 100.0) } else { ("h1", drive.form.link_gbps) };
        if !job.access.is_local() {
            software["targetLatencyUs"] = drive.target_us.into();
        }
        json!({
            "version": 3,
            "name": format!("{} on the bench", job.name).chars().take(80).collect::<String>(),
            "seed": seed,
            "durationUs": self.warmup_us + self.measured_us,
            "measurement": { "warmupUs": self.warmup_us },
            "topology": { "shape": { "kind": "dumbbell", "senders": 1, "receivers": 1 }, "linkGbps": gbps },
            "classes": [{ "name": "fio", "transport": "dctcp" }],
            "storage": {
                "servers": [{ "host": target }],
                "nvme": { "deviceCommands": 65_535 },
                "ssd": ssd,
            },
            "access": { "protocol": job.access.id(), "queueDepth": 65_535, "software": software },
            "workloads": [{
                "class": "fio",
                "endpoints": { "kind": "pairs", "initiators": ["h0"], "targets": [target] },
                "connections": job.numjobs,
                "readFraction": job.read_share,
                "addresses": addresses,
                "traffic": traffic(job, self.warmup_us + self.measured_us),
            }],
        })
    }
}

/// What a drive holds before a job: written once as a whole, so that no read finds an address without data; at random and until garbage
/// collection is in its steady state, if jobs before it did that.
pub(crate) fn fill(ssd: &mut Value, is_steady: bool) {
    ssd["precondition"] = if is_steady { "random" } else { "sequential" }.into();
    ssd["occupancy"] = 1.into();
}

/// Requests as fio issues them over a time: so many outstanding, or at the rate that it kept.
fn traffic(job: &MeasuredJob, duration_us: f64) -> Value {
    // A drive that is tried may be faster than the one that was measured; one so much faster is wrong in any case.
    const FASTEST: f64 = 20.0;
    let iops = job.operations().map(|(_, operations)| operations.iops).sum::<f64>();
    let requests = libm::ceil(FASTEST * iops * duration_us / 1e6 / f64::from(job.numjobs)).max(1000.0) as u64;
    let size = json!({ "kind": "fixed", "bytes": job.block_bytes() });
    let closed = json!({ "kind": "closed-loop", "outstanding": job.iodepth, "requests": requests, "size": size });
    let Some(rate) = job.rate else { return closed };
    // A rate that the drive could not keep limits nothing.
    const KEPT: f64 = 0.98;
    let asked = f64::from(job.numjobs)
        * (if job.reads.is_some() { rate.reads } else { 0.0 } + if job.writes.is_some() { rate.writes } else { 0.0 });
    if iops < KEPT * asked {
        return closed;
    }
    let gaps = if rate.poisson { "exponential" } else { "constant" };
    json!({ "kind": "open-loop", "offeredGbps": iops * f64::from(job.block_bytes()) * 8.0 / 1e9, "gaps": gaps, "size": size })
}
