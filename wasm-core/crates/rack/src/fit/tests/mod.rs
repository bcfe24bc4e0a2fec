use qoscope_engine::scenario::{self, Scenario};
use serde_json::{Value, json};

use super::*;
use crate::fio::{self, Latency, Pattern};

/// A scenario with a drive.
fn scenario(ssd: &Value, host_us: f64) -> Scenario {
    let document = one_host("drive", ssd, &json!({ "hostLatencyUs": host_us }));
    scenario::from_value(document).unwrap()
}

/// Jobs as a person measures a drive, without results.
fn jobs() -> Vec<MeasuredJob> {
    let mut jobs = Vec::new();
    for (name, pattern, read_share, bytes) in [
        ("randread-4k", Pattern::Random, 1.0, 4096),
        ("randwrite-4k", Pattern::Random, 0.0, 4096),
        ("read-128k", Pattern::Sequential, 1.0, 131_072),
    ] {
        for iodepth in [1, 16, 128] {
            let blank = Operations {
                requests: 1,
                iops: 20_000.0,
                bytes_per_s: 20_000.0 * f64::from(bytes),
                latency_us: Latency::default(),
            };
            jobs.push(MeasuredJob {
                file: "drive.json".into(),
                name: format!("{name} QD{iodepth}"),
                device: Some("/dev/nvme0n1".into()),
                pattern,
                read_share,
                read_bytes: bytes,
                write_bytes: bytes,
                iodepth,
                numjobs: 1,
                rate: None,
                range_bytes: None,
                runtime_s: 60.0,
                reads: (read_share > 0.0).then(|| blank.clone()),
                writes: (read_share < 1.0).then_some(blank),
            });
        }
    }
    jobs
}

/// What jobs measure on a drive, under another seed than that of the fit, through a file as fio writes it.
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
            latency_us: Latency {
                mean: of.mean,
                percentiles: vec![(50.0, of.p50), (99.0, of.p99), (99.9, of.p999)],
                bins: bins(&of),
                ..Latency::default()
            },
        };
        job.reads = simulated.reads.map(|reads| of(reads, job.read_bytes));
        job.writes = simulated.writes.map(|writes| of(writes, job.write_bytes));
    }
    let results = fio::results(&fio::write(&jobs), "drive.json").unwrap();
    assert_eq!(results.jobs.len(), jobs.len(), "{:?}", results.remarks);
    results.jobs
}

/// Latencies of a run as bins: how many took longer, at each of its points, as counts between them.
fn bins(of: &SimulatedOperations) -> Vec<(f64, u64)> {
    let mut done = 0;
    let mut bins = Vec::new();
    for (at, (us, longer)) in (1..).zip(&of.tail) {
        let share = if at == of.tail.len() { 1.0 } else { 1.0 - longer };
        let count = libm::round(of.requests as f64 * share) as u64;
        if count > done {
            bins.push((*us, count - done));
            done = count;
        }
    }
    bins
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

/// The parameters of a drive that was fitted to what it measured itself, beginning with the preset.
fn fitted(ssd: &Value, host_us: f64) -> (Outcome, Drive) {
    let drive = scenario(ssd, host_us);
    let base = scenario(&json!({ "preset": "tlc-nvme" }), 0.0);
    let mut fit = Fit::new(&base, measured(&drive, host_us), Choices { most_runs: 700, ..Choices::default() }).unwrap();
    (run(&mut fit), Drive::of(&drive, host_us))
}

/// Of a parameter that was fitted, its distance from the true one, as a part of it.
fn off(outcome: &Outcome, drive: &Drive, parameter: Parameter) -> f64 {
    let of = outcome.fitted.iter().find(|fitted| fitted.path == parameter.words().path);
    let fitted = of.unwrap_or_else(|| panic!("{parameter:?} is not determined: {:?}", outcome.kept));
    libm::fabs(fitted.value / drive.get(parameter) - 1.0)
}

#[test]
fn a_drive_is_recovered_from_what_it_measures() {
    let ssd = json!({
        "preset": "tlc-nvme", "readLsbUs": 55, "readCsbUs": 70, "readMsbUs": 85, "programLsbUs": 900, "programCsbUs": 900,
        "programMsbUs": 900, "chipsPerChannel": 7, "pcieLaneGbytesPerS": 0.8,
    });
    let (outcome, drive) = fitted(&ssd, 12.0);
    for (parameter, most) in [
        (Parameter::Host, 0.03),
        (Parameter::Read, 0.08),
        (Parameter::Program, 0.2),
        (Parameter::Dies, 0.15),
        (Parameter::Link, 0.03),
    ] {
        let off = off(&outcome, &drive, parameter);
        assert!(off < most, "{parameter:?} is off by {off}: {:?}", outcome.fitted);
    }
    let (fitted, held_out) = (outcome.errors.of.mean, outcome.held_out_errors.and_then(|errors| errors.of.mean));
    assert!(fitted.is_some_and(|error| error < 3.0) && held_out.is_some_and(|error| error < 15.0), "{outcome:?}");
    // Nothing here says how large the cache is.
    assert!(outcome.kept.iter().any(|kept| kept.path == "storage.ssd.cacheBytes"), "{:?}", outcome.kept);
}

#[test]
fn results_may_come_in_any_order() {
    let jobs: Vec<MeasuredJob> =
        measured(&scenario(&json!({ "preset": "tlc-nvme" }), 8.0), 8.0).into_iter().take(3).collect();
    let base = scenario(&json!({ "preset": "tlc-nvme", "chipsPerChannel": 6 }), 8.0);
    let outcomes = [false, true].map(|backwards| {
        let mut fit = Fit::new(&base, jobs.clone(), Choices { most_runs: 40, ..Choices::default() }).unwrap();
        loop {
            if let Some(outcome) = fit.outcome() {
                return outcome.unwrap();
            }
            let mut wishes = fit.wanted(usize::MAX);
            if backwards {
                wishes.reverse();
            }
            for wish in wishes {
                let ran = simulate(&fit.document(wish.id).unwrap());
                fit.put(wish.id, Ok(ran.unwrap()));
            }
        }
    });
    assert_eq!(outcomes[0], outcomes[1]);
}

#[test]
fn no_jobs_and_drives_that_cannot_serve_them_are_told() {
    let base = scenario(&json!({ "preset": "tlc-nvme" }), 8.0);
    assert!(Fit::new(&base, Vec::new(), Choices::default()).is_err());
    let mut fit = Fit::new(&base, jobs(), Choices::default()).unwrap();
    while fit.outcome().is_none() {
        for wish in fit.wanted(100) {
            fit.put(wish.id, Err("it broke".into()));
        }
    }
    assert!(fit.outcome().unwrap().unwrap_err().reason.contains("it broke"));
}
