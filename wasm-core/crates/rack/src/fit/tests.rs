use qoscope_engine::scenario::{self, Scenario};
use serde_json::{Value, json};

use super::*;
use crate::fio::{Latency, Pattern};

/// A scenario with a drive.
fn scenario(ssd: &Value, host_us: f64) -> Scenario {
    let document = json!({
        "version": 2, "name": "drive", "durationUs": 1000,
        "topology": { "shape": { "kind": "dumbbell", "senders": 1, "receivers": 1 } },
        "classes": [{ "name": "fio", "transport": "dctcp" }],
        "storage": { "ssd": ssd },
        "access": { "protocol": "local", "software": { "hostLatencyUs": host_us } },
        "workloads": [{
            "class": "fio",
            "endpoints": { "kind": "pairs", "initiators": ["h0"], "targets": ["h0"] },
            "traffic": { "kind": "closed-loop", "outstanding": 1, "size": { "kind": "fixed", "bytes": 4096 } },
        }],
    });
    scenario::from_value(document).unwrap()
}

/// Jobs as a person measures a drive, without results.
fn jobs() -> Vec<MeasuredJob> {
    let mut jobs = Vec::new();
    for (name, pattern, read_share, bytes) in [
        ("randread-4k", Pattern::Random, 1.0, 4096),
        ("randwrite-4k", Pattern::Random, 0.0, 4096),
        ("mix-70-30", Pattern::Random, 0.7, 4096),
        ("read-128k", Pattern::Sequential, 1.0, 131_072),
    ] {
        for iodepth in [1, 8, 32, 128] {
            let blank = Operations { requests: 1, iops: 20_000.0, bytes_per_s: 20_000.0 * f64::from(bytes), latency_us: Latency::default() };
            jobs.push(MeasuredJob {
                file: "drive.json".into(), name: format!("{name} QD{iodepth}"), device: None, pattern, read_share,
                read_bytes: bytes, write_bytes: bytes, iodepth, numjobs: 1, rate: None, range_bytes: None, runtime_s: 60.0,
                reads: (read_share > 0.0).then(|| blank.clone()),
                writes: (read_share < 1.0).then_some(blank),
            });
        }
    }
    jobs
}

/// What jobs measure on a drive, under another seed than that of the fit.
fn measured(drive: &Scenario, host_us: f64) -> Vec<MeasuredJob> {
    let drive = Drive::of(drive, host_us);
    let mut jobs = jobs();
    for job in &mut jobs {
        let plan = Plan::new(job, 20_000.0, drive.get(Parameter::Cache), false);
        let simulated = simulate(&plan.document(job, &drive.ssd, drive.host_us, 7).to_string()).unwrap();
        let of = |of: SimulatedOperations, bytes: u32| Operations {
            requests: of.requests,
            iops: of.iops,
            bytes_per_s: of.iops * f64::from(bytes),
            latency_us: Latency { mean: of.mean, percentiles: vec![(50.0, of.p50), (99.0, of.p99), (99.9, of.p999)], ..Latency::default() },
        };
        job.reads = simulated.reads.map(|reads| of(reads, job.read_bytes));
        job.writes = simulated.writes.map(|writes| of(writes, job.write_bytes));
    }
    jobs
}

fn run(fit: &mut Fit) -> Outcome {
    loop {
        if let Some(outcome) = fit.outcome() {
            return outcome.unwrap();
        }
        let wishes = fit.wanted(64);
        assert!(!wishes.is_empty(), "a fit that is not over wants runs");
        for wish in wishes {
            let ran = simulate(&fit.document(wish.id).unwrap());
            fit.put(wish.id, ran.map_err(|diagnostics| format!("{diagnostics:?}")));
        }
    }
}

#[test]
fn a_drive_is_recovered() {
    let ssd = json!({ "preset": "tlc-nvme", "readLsbUs": 55, "readCsbUs": 70, "readMsbUs": 85, "programLsbUs": 900, "programCsbUs": 900,
        "programMsbUs": 900, "chipsPerChannel": 7, "channelMtPerS": 800, "pcieLaneGbytesPerS": 0.8 });
    let truth = measured(&scenario(&ssd, 12.0), 12.0);
    let base = scenario(&json!({ "preset": "tlc-nvme" }), 0.0);
    let mut fit = Fit::new(&base, truth, Choices::default()).unwrap();
    {
        let mut other = Fit::new(&scenario(&ssd, 12.0), measured(&scenario(&ssd, 12.0), 12.0), Choices::default()).unwrap();
        for wish in other.wanted(12) { let ran = simulate(&other.document(wish.id).unwrap()); other.put(wish.id, ran.map_err(|_| String::new())); }
        println!("truth costs {}", other.cost(0));
    }
    let outcome = run(&mut fit);
    for fitted in &outcome.fitted { println!("{:?}", fitted); }
    for kept in &outcome.kept { println!("{:?}", kept); }
    println!("{:?} {:?} {}", outcome.errors, outcome.held_out_errors, outcome.runs);
    println!("{} {:?}", outcome.ssd, outcome.beside);
    for job in &outcome.jobs { println!("{} {:?} {:?}", fit.jobs()[job.job].name, job.reads.as_ref().map(|of| of.compared.errors), job.writes.as_ref().map(|of| of.compared.errors)); }
    panic!();
}
