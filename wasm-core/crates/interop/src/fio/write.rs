//! Results as fio writes them, of jobs that some other program ran.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::{MeasuredJob, Operations, Pattern, Rate};

/// What fio 3 would write of jobs that ran one after the other (JSON+, where they have bins).
pub fn write(jobs: &[MeasuredJob]) -> String {
    let jobs: Vec<Value> = (0..).zip(jobs).map(|(group, job)| written(job, group)).collect();
    format!("{:#}\n", json!({ "fio version": "fio-3.33", "jobs": jobs }))
}

fn written(job: &MeasuredJob, group: u32) -> Value {
    let mut report = json!({
        "jobname": job.name,
        "groupid": group,
        "error": 0,
        "job options": options(job),
    });
    for (kind, operations) in [("read", &job.reads), ("write", &job.writes)] {
        report[kind] = match operations {
            Some(operations) => done(operations, job.runtime_s),
            None => json!({
                "total_ios": 0, "iops": 0.0, "bw_bytes": 0, "runtime": 0,
                "clat_ns": { "min": 0, "max": 0, "mean": 0.0, "stddev": 0.0, "N": 0 },
            }),
        };
    }
    report
}

/// What it was asked for.
fn options(job: &MeasuredJob) -> Value {
    let rw = match (job.pattern, job.reads.is_some(), job.writes.is_some()) {
        (Pattern::Random, true, true) => "randrw",
        (Pattern::Random, true, false) => "randread",
        (Pattern::Random, ..) => "randwrite",
        (Pattern::Sequential, true, true) => "rw",
        (Pattern::Sequential, true, false) => "read",
        (Pattern::Sequential, ..) => "write",
    };
    let mut options = Map::new();
    let mut give = |option: &str, value: String| options.insert(option.into(), value.into());
    give("rw", rw.into());
    give("direct", "1".into());
    give("ioengine", "libaio".into());
    give("bs", format!("{},{}", job.read_bytes, job.write_bytes));
    give("iodepth", job.iodepth.to_string());
    if job.reads.is_some() && job.writes.is_some() {
        give("rwmixread", format!("{:.0}", job.read_share * 100.0));
    }
    if job.numjobs > 1 {
        give("numjobs", job.numjobs.to_string());
        give("group_reporting", "1".into());
    }
    if !job.access.is_local() {
        give("description", job.access.id().into());
    }
    if let Some(device) = &job.device {
        give("filename", device.clone());
    }
    if let Some(bytes) = job.range_bytes {
        give("size", bytes.to_string());
    }
    if let Some(Rate { reads, writes, poisson }) = job.rate {
        give("rate_iops", format!("{reads:.0},{writes:.0}"));
        if poisson {
            give("rate_process", "poisson".into());
        }
    }
    Value::Object(options)
}

/// What it did of reads, or of writes.
fn done(of: &Operations, runtime_s: f64) -> Value {
    let latency = &of.latency_us;
    let mut clat = json!({
        "min": whole_ns(latency.min),
        "max": whole_ns(latency.max),
        "mean": latency.mean * 1000.0,
        "stddev": latency.deviation * 1000.0,
        "N": of.requests,
    });
    if !latency.percentiles.is_empty() {
        let percentile = |(percent, us): &(f64, f64)| (format!("{percent:.6}"), whole_ns(*us).into());
        clat["percentile"] = latency.percentiles.iter().map(percentile).collect::<Map<_, _>>().into();
    }
    if !latency.bins.is_empty() {
        let mut bins = BTreeMap::<u64, u64>::new();
        for (us, count) in &latency.bins {
            *bins.entry(whole_ns(*us)).or_default() += count;
        }
        clat["bins"] = json!(bins);
    }
    json!({
        "total_ios": of.requests,
        "iops": of.iops,
        "bw_bytes": libm::round(of.bytes_per_s) as u64,
        "runtime": libm::round(runtime_s * 1000.0) as u64,
        "clat_ns": clat,
    })
}

fn whole_ns(us: f64) -> u64 {
    libm::round(us * 1000.0) as u64
}

#[cfg(test)]
mod tests {
    use super::super::{Access, Latency, results};
    use super::*;

    fn operations(requests: u64) -> Operations {
        Operations {
            requests,
            iops: 20_000.5,
            bytes_per_s: 81_922_048.0,
            latency_us: Latency {
                mean: 98.75,
                deviation: 12.5,
                min: 40.0,
                max: 300.125,
                percentiles: vec![(50.0, 96.25), (99.0, 151.5)],
                bins: vec![(96.25, requests - 100), (300.125, 100)],
            },
        }
    }

    #[test]
    fn what_is_written_is_read_as_it_was() {
        let mixed = MeasuredJob {
            file: "drive.json".into(),
            name: "mixed 4k".into(),
            device: Some("/dev/nvme0n1".into()),
            access: Access::Local,
            pattern: Pattern::Random,
            read_share: 0.75,
            read_bytes: 4096,
            write_bytes: 8192,
            iodepth: 4,
            numjobs: 2,
            rate: Some(Rate { reads: 30_000.0, writes: 10_000.0, poisson: true }),
            range_bytes: Some(1 << 30),
            runtime_s: 60.0,
            reads: Some(operations(30_000)),
            writes: Some(operations(10_000)),
        };
        let reads = MeasuredJob {
            name: "read in order".into(),
            access: Access::NvmeTcp,
            pattern: Pattern::Sequential,
            read_share: 1.0,
            iodepth: 2,
            numjobs: 1,
            rate: None,
            range_bytes: None,
            writes: None,
            ..mixed.clone()
        };
        let jobs = vec![mixed, reads];
        let results = results(&write(&jobs), "drive.json").unwrap();
        assert_eq!(results.jobs, jobs, "{:?}", results.remarks);
    }
}
