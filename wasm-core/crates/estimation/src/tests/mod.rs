use qoscope_engine::scenario::{self, Scenario};
use qoscope_engine::simulation::Simulation;
use serde_json::{Value, json};

mod random_drives;

use super::bench::SimulatedOperations;
use super::*;
use qoscope_interop::fio::{self, Access, Latency, Operations, Pattern};

/// A scenario with a drive.
fn scenario(ssd: &Value, host_us: f64) -> Scenario {
    let document = one_host("drive", ssd, &json!({ "hostLatencyUs": host_us }));
    scenario::from_value(document).unwrap()
}

/// A job without results.
fn blank(pattern: Pattern, read_share: f64, bytes: u32, iodepth: u32, numjobs: u32) -> MeasuredJob {
    let none = Operations {
        requests: 1,
        iops: 20_000.0,
        bytes_per_s: 20_000.0 * f64::from(bytes),
        latency_us: Latency::default(),
    };
    let kind = match (read_share > 0.0, read_share < 1.0) {
        (true, true) => "mix",
        (true, false) => "read",
        _ => "write",
    };
    MeasuredJob {
        file: "drive.json".into(),
        name: format!("{pattern:?} {kind} {}k QD{iodepth}", bytes / 1024),
        device: Some("/dev/nvme0n1".into()),
        access: Access::Local,
        pattern,
        read_share,
        read_bytes: bytes,
        write_bytes: bytes,
        iodepth,
        numjobs,
        rate: None,
        range_bytes: None,
        runtime_s: 60.0,
        reads: (read_share > 0.0).then(|| none.clone()),
        writes: (read_share < 1.0).then_some(none),
    }
}

/// Jobs as a person measures a drive, without results.
fn jobs() -> Vec<MeasuredJob> {
    let kinds = [(Pattern::Random, 1.0, 4096), (Pattern::Random, 0.0, 4096), (Pattern::Sequential, 1.0, 131_072)];
    let of = |(pattern, read_share, bytes)| [1, 16, 128].map(|depth| blank(pattern, read_share, bytes, depth, 1));
    kinds.into_iter().flat_map(of).collect()
}

/// What jobs measure on a drive, under another seed than that of the fit, through a file as fio writes it.
fn measured(mut jobs: Vec<MeasuredJob>, drive: &Scenario, host_us: f64) -> Vec<MeasuredJob> {
    let drive = DriveParameters::of(drive, host_us);
    for job in &mut jobs {
        // How many requests it does in a second is known once it was run.
        for requests in [500.0, 20_000.0] {
            let plan = Plan::new(job, requests, drive.get(Parameter::Cache), false);
            let simulated = simulate(&plan.document(job, &drive, 7).to_string());
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

/// The result of a scenario with its latency distributions.
///
/// # Errors
/// The drive is none of the model.
fn result(document: &str) -> Result<Value, Vec<Diagnostic>> {
    let scenario = scenario::load(document)?;
    let mut simulation = Simulation::new(&scenario)?;
    simulation.run_until(u64::MAX);
    Ok(Detail::Tails.result(&simulation))
}

/// A scenario, simulated.
fn simulate(document: &str) -> Simulated {
    let scenario = scenario::load(document).unwrap();
    let warmup_us = scenario.measurement.warmup_us.unwrap_or(scenario.duration_us / 5.0);
    Simulated::of(&result(document).unwrap(), (scenario.duration_us - warmup_us) / 1e6).unwrap()
}

fn make(fit: &mut Fit, request: &RunRequest) {
    match result(&fit.scenario(request.id).unwrap()) {
        Ok(result) => fit.put(request.id, RunOutcome::Summary(&result)),
        Err(found) => fit.put(request.id, RunOutcome::Failed(format!("{found:?}"))),
    }
}

fn run(fit: &mut Fit) -> Outcome {
    loop {
        if let Some(outcome) = fit.answer() {
            return outcome.unwrap();
        }
        let requests = fit.next(64);
        assert!(!requests.is_empty(), "a fit that is not over needs runs");
        requests.iter().for_each(|request| make(fit, request));
    }
}

/// The parameters of a drive that was fitted to what it measured itself, beginning with the preset.
fn fitted(ssd: &Value, host_us: f64) -> (Outcome, DriveParameters) {
    let drive = scenario(ssd, host_us);
    let base = scenario(&json!({ "preset": "tlc-nvme" }), 0.0);
    let mut fit =
        Fit::new(&base, measured(jobs(), &drive, host_us), Choices { max_runs: 1200, ..Choices::default() }).unwrap();
    (run(&mut fit), DriveParameters::of(&drive, host_us))
}

/// Of a parameter that was fitted, its distance from the true one, as a part of it.
fn off(outcome: &Outcome, drive: &DriveParameters, parameter: Parameter) -> f64 {
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

/// Examples and tests of other crates fit a drive to this file: results of a drive of the model.
#[test]
fn the_example_file_is_what_a_drive_of_the_model_measures() {
    let drive = scenario(&json!({ "preset": "tlc-nvme", "readLsbUs": 45, "readCsbUs": 55, "readMsbUs": 65 }), 8.0);
    let jobs = [1, 8, 32, 128].map(|depth| blank(Pattern::Random, 1.0, 4096, depth, 1));
    let written = fio::write(&measured(jobs.to_vec(), &drive, 8.0));
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../interop/tests/fio/drive.json");
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::write(path, &written).expect("a file can be written");
    }
    let approved = std::fs::read_to_string(path).unwrap_or_default();
    assert!(
        written == approved,
        "{path}: UPDATE_GOLDEN=1 cargo test -p qoscope-estimation the_example_file writes it anew"
    );
}

#[test]
fn formulas_are_near_what_is_simulated() {
    for (preset, software) in [("tlc-nvme", 12.0), ("xl-flash", 5.0)] {
        let drive = scenario(&json!({ "preset": preset }), software);
        let kinds = [
            (Pattern::Random, 1.0, 4096, 1),
            (Pattern::Random, 1.0, 4096, 32),
            (Pattern::Random, 1.0, 4096, 256),
            (Pattern::Random, 1.0, 65_536, 16),
            (Pattern::Sequential, 1.0, 131_072, 1),
            (Pattern::Sequential, 1.0, 131_072, 32),
            (Pattern::Random, 0.0, 4096, 1),
            (Pattern::Random, 0.0, 16_384, 64),
            (Pattern::Sequential, 0.0, 131_072, 16),
        ];
        let jobs = kinds.map(|(pattern, reads, bytes, depth)| blank(pattern, reads, bytes, depth, 1));
        for job in measured(jobs.to_vec(), &drive, software) {
            let load = formulas::Load::of(&job);
            let us = formulas::Model::of(&DriveParameters::of(&drive, software)).latency_us(&load);
            let off = us / load.measured_us;
            assert!(
                (0.85..1.15).contains(&off),
                "{preset}, {}: {us} by formulas, {} simulated",
                job.name,
                load.measured_us
            );
        }
    }
}

#[test]
fn a_search_finds_its_way_from_flash_of_another_kind() {
    // A drive of TLC with many dies, beginning with one that reads a page in 4 µs.
    let ssd = json!({
        "preset": "tlc-nvme", "readLsbUs": 55, "readCsbUs": 65, "readMsbUs": 75, "chipsPerChannel": 8, "channelMtPerS": 800,
    });
    let drive = scenario(&ssd, 10.0);
    let kinds = [(1.0, 4096, 1), (1.0, 4096, 64), (1.0, 65_536, 4), (0.7, 4096, 16), (0.0, 4096, 1), (0.0, 16_384, 32)];
    let jobs = kinds.map(|(reads, bytes, depth)| blank(Pattern::Random, reads, bytes, depth, 1));
    let jobs = measured(jobs.to_vec(), &drive, 10.0);
    let base = scenario(&json!({ "preset": "xl-flash" }), 8.0);
    let choices = Choices { hold_out: 0, max_runs: 900, ..Choices::default() };
    let outcome = run(&mut Fit::new(&base, jobs, choices).unwrap());
    let error = outcome.errors.of.mean.unwrap();
    assert!(error < 5.0, "{error} % off: {:?}", outcome.fitted);
    let off = off(&outcome, &DriveParameters::of(&drive, 10.0), Parameter::Read);
    assert!(off < 0.15, "{off}: {:?}", outcome.fitted);
}

#[test]
fn runs_on_its_host_and_over_a_network_tell_host_and_target_apart() {
    let software = json!({ "hostLatencyUs": 14.0, "targetLatencyUs": 25.0 });
    let drive = one_host("drive", &json!({ "preset": "tlc-nvme", "chipsPerChannel": 6 }), &software);
    let drive = scenario::from_value(drive).unwrap();
    let kinds = [(1.0, 1), (0.0, 1), (1.0, 16), (1.0, 128)];
    let local = kinds.map(|(reads, depth)| blank(Pattern::Random, reads, 4096, depth, 1));
    let remote = [(1.0, 1), (1.0, 8), (0.0, 1)]
        .map(|(reads, depth)| MeasuredJob { access: Access::NvmeTcp, ..blank(Pattern::Random, reads, 4096, depth, 1) });
    let base = scenario(&json!({ "preset": "tlc-nvme" }), 8.0);
    let fitted = |jobs: Vec<MeasuredJob>, max_runs: u32| {
        let jobs = measured(jobs, &drive, 14.0);
        let choices = Choices { hold_out: 0, matching: Matching::Mean, max_runs, ..Choices::default() };
        run(&mut Fit::new(&base, jobs, choices).unwrap())
    };
    let both = fitted(local.iter().chain(&remote).cloned().collect(), 800);
    let truth = DriveParameters::of(&drive, 14.0);
    for parameter in [Parameter::Host, Parameter::Target] {
        let off = off(&both, &truth, parameter);
        assert!(off < 0.1, "{parameter:?} is off by {off}: {:?}", both.fitted);
    }
    assert_eq!(both.beside.len(), 2, "{:?}", both.beside);
    // With the one or the other alone there is one time of both.
    for jobs in [local.to_vec(), remote.to_vec()] {
        let alone = fitted(jobs, 20);
        let kept = alone.kept.iter().find(|kept| kept.path == Parameter::Target.words().path);
        assert!(kept.is_some_and(|kept| kept.why.contains("host and target are one")), "{:?}", alone.kept);
    }
}

#[test]
fn a_drive_behind_rdma_runs_on_the_bench() {
    let drive = DriveParameters::of(&scenario(&json!({}), 8.0), 8.0);
    let mean = |access: Access| {
        let job = MeasuredJob { access, ..blank(Pattern::Random, 1.0, 4096, 1, 1) };
        let document = Plan::new(&job, 500.0, 0.0, false).document(&job, &drive, 1);
        simulate(&document.to_string()).mean_us().unwrap()
    };
    let [local, rdma, tcp] = [Access::Local, Access::NvmeRdma, Access::NvmeTcp].map(mean);
    // The same target, and wires.
    assert!(local + 10.0 < rdma && rdma < tcp + 5.0, "{local} {rdma} {tcp}");
}

#[test]
fn a_log_tells_the_size_of_the_cache() {
    let base = scenario(&json!({ "preset": "tlc-nvme" }), 8.0);
    let jobs = measured(vec![blank(Pattern::Random, 1.0, 4096, 1, 1)], &base, 8.0);
    // A second at 1 GiB/s, then at half of it: half a GiB stayed in the cache.
    let line = |at: u64| format!("{}, {}, 1, 0, 0\n", 100 * at, if at <= 10 { 1 << 20 } else { 1 << 19 });
    let log = |from: u64| fio::log(&(from..40).map(line).collect::<String>(), "fill_bw.1.log").unwrap();
    let choices = Choices { max_runs: 2, ..Choices::default() };
    let outcome = |log: fio::Log| run(&mut Fit::with_logs(&base, jobs.clone(), &[log], choices).unwrap());
    let told = outcome(log(1));
    let cache = told.fitted.iter().find(|fitted| fitted.path == "storage.ssd.cacheBytes").unwrap();
    assert!((cache.value / f64::from(1 << 29) - 1.0).abs() < 1e-9, "{cache:?}");
    assert_eq!(cache.log.as_deref(), Some("fill_bw.1.log"));
    assert!(cache.low < cache.value && cache.value < cache.high && cache.base == f64::from(32 << 20), "{cache:?}");
    assert_eq!(told.ssd["cacheBytes"], 1 << 29);
    let untold = outcome(log(15));
    let kept = untold.kept.iter().find(|kept| kept.path == "storage.ssd.cacheBytes").unwrap();
    assert!(kept.why.contains("fill_bw.1.log has no knee"), "{}", kept.why);
}

#[test]
fn jobs_between_others_are_held_out() {
    let held = |jobs: &[MeasuredJob]| {
        let held = held_out(jobs, 4);
        (0..jobs.len()).filter(|at| held[*at]).map(|at| jobs[at].name.clone()).collect::<Vec<_>>()
    };
    assert_eq!(held(&jobs()), ["Random read 4k QD16", "Random write 4k QD16"]);
    let of =
        |depths: &[u32]| depths.iter().map(|depth| blank(Pattern::Random, 1.0, 4096, *depth, 1)).collect::<Vec<_>>();
    assert_eq!(held(&of(&[1, 8, 32, 128])), ["Random read 4k QD8"]);
    assert_eq!(held(&of(&[128, 1, 32, 8, 64, 16, 2])), ["Random read 4k QD32", "Random read 4k QD8"]);
    assert!(held(&of(&[1, 8, 32])).is_empty() && !held_out(&jobs(), 0).contains(&true));
}

#[test]
fn only_deep_read_is_never_held_out() {
    let reads = [1, 256].map(|depth| blank(Pattern::Random, 1.0, 4096, depth, 1));
    let writes = [1, 32].map(|depth| blank(Pattern::Random, 0.0, 4096, depth, 1));
    let large = [(1.0, 32), (0.0, 32)].map(|(reads, depth)| blank(Pattern::Sequential, reads, 131_072, depth, 1));
    let jobs: Vec<MeasuredJob> = reads.into_iter().chain(writes).chain(large).collect();
    let held = held_out(&jobs, 4);
    let names: Vec<&str> =
        jobs.iter().zip(&held).filter(|(_, held)| **held).map(|(job, _)| job.name.as_str()).collect();
    assert_eq!(names, ["Random write 4k QD32"]);
    // Whatever the jobs are, the deepest random read of those that are left is at least half as deep.
    for every in 2..6 {
        for skip in 0..jobs.len() {
            let some: Vec<MeasuredJob> =
                jobs.iter().enumerate().filter(|(at, _)| *at != skip).map(|(_, job)| job.clone()).collect();
            let held = held_out(&some, every);
            let deepest = |all: bool| {
                let left = some.iter().zip(&held).filter(|(job, held)| (all || !**held) && job.writes.is_none());
                let random = left.filter(|(job, _)| job.pattern == Pattern::Random);
                random.map(|(job, _)| job.outstanding()).max().unwrap_or(0)
            };
            assert!(2 * deepest(false) >= deepest(true), "{every} {skip}");
        }
    }
}

#[test]
fn runs_do_not_exceed_the_maximum() {
    let base = scenario(&json!({ "preset": "tlc-nvme" }), 8.0);
    let all: Vec<MeasuredJob> = measured(jobs(), &base, 8.0).into_iter().take(3).collect();
    let with = |max_runs: u32| Fit::new(&base, all.clone(), Choices { max_runs, hold_out: 0, ..Choices::default() });
    let Err(refused) = with(5) else { panic!("three jobs take six runs at least") };
    assert!(refused[0].reason.contains("at least 6 runs"), "{refused:?}");
    for max_runs in [6, 7, 40, 150] {
        let mut fit = with(max_runs).unwrap();
        let outcome = run(&mut fit);
        assert!(outcome.runs <= max_runs, "{} of {max_runs}", outcome.runs);
    }
}

/// A small drive, as fast channels and few dies make it, and random reads that show how many there are.
fn small_drive() -> (Scenario, Vec<MeasuredJob>) {
    let ssd = json!({
        "preset": "tlc-nvme", "readLsbUs": 120, "readCsbUs": 120, "readMsbUs": 120, "programLsbUs": 2500,
        "programCsbUs": 2500, "programMsbUs": 2500, "channels": 4, "chipsPerChannel": 2,
    });
    let drive = scenario(&ssd, 12.0);
    let jobs = [1, 4, 16, 64].map(|depth| blank(Pattern::Random, 1.0, 4096, depth, 1));
    let jobs = measured(jobs.to_vec(), &drive, 12.0);
    (drive, jobs)
}

#[test]
fn preset_that_the_jobs_reject_is_not_restored() {
    let (drive, jobs) = small_drive();
    let base = scenario(&json!({ "preset": "tlc-nvme" }), 8.0);
    for max_runs in [100, 300] {
        let choices = Choices { max_runs, hold_out: 0, ..Choices::default() };
        let outcome = run(&mut Fit::new(&base, jobs.clone(), choices).unwrap());
        assert!(outcome.verdict.matches, "{:?}", outcome.verdict);
        assert!(outcome.errors.of.mean.unwrap() < 5.0, "{max_runs}: {:?}", outcome.errors);
        assert!(off(&outcome, &DriveParameters::of(&drive, 12.0), Parameter::Dies) < 0.2, "{:?}", outcome.fitted);
        // No job has the depth missing: reasons name no jobs that are there.
        let dies = outcome.kept.iter().find(|kept| kept.path == Parameter::Dies.words().path);
        assert!(dies.is_none_or(|kept| !kept.why.starts_with("Needs")), "{dies:?}");
    }
}

#[test]
fn fitted_jobs_answer_alike_in_a_scenario() {
    let (_, jobs) = small_drive();
    let base = scenario(&json!({ "preset": "tlc-nvme", "precondition": "random", "occupancy": 0.75 }), 8.0);
    let mut fit = Fit::new(&base, jobs, Choices { max_runs: 100, hold_out: 0, ..Choices::default() }).unwrap();
    let outcome = run(&mut fit);
    let drive = crate::Drive::of(&fit, &outcome, "Small", &[]).unwrap();
    // The way by a file, and onto a scenario whose own drive is another one, three quarters full.
    let drive = crate::Drive::read(&serde_json::to_string(&drive).unwrap()).unwrap();
    let (with_drive, _) = drive.onto(&base).unwrap();
    for (job, of) in fit.jobs().iter().zip(&outcome.jobs) {
        let mut document = scenario::as_value(&with_drive);
        document["durationUs"] = json!(500_000);
        document["workloads"][0]["readFraction"] = json!(1);
        document["workloads"][0]["addresses"] = json!({ "pattern": { "kind": "random" } });
        document["workloads"][0]["traffic"]["outstanding"] = json!(job.iodepth);
        let there = simulate(&document.to_string()).mean_us().unwrap();
        let fitted = of.reads.as_ref().unwrap().compared.simulated.mean.unwrap();
        assert!((there / fitted - 1.0).abs() < 0.02, "{}: {there} in the scenario, {fitted} fitted", job.name);
    }
}

#[test]
fn value_that_follows_another_says_so() {
    let base = scenario(&json!({ "preset": "tlc-nvme" }), 8.0);
    let fit = Fit::new(&base, jobs(), Choices::default()).unwrap();
    let slower = fit.base.with(Parameter::Read, 2.0 * fit.base.get(Parameter::Read));
    assert_eq!(fit.source(&slower, Parameter::Spread), "1.2 x Page read, the ratio of the preset");
    assert_eq!(fit.source(&slower, Parameter::Read), "search");
    assert_eq!(fit.source(&fit.base, Parameter::Spread), "preset");
}

#[test]
fn every_number_of_channels_and_dies_can_be_reached() {
    let drive = DriveParameters::of(&scenario(&json!({ "preset": "tlc-nvme", "diesPerChip": 4 }), 8.0), 8.0);
    for channels in 1..=64 {
        for dies in [1, 2, 3, 5, 8, 12, 63] {
            let shaped = drive.shaped(channels, true).with(Parameter::Dies, f64::from(channels * dies));
            assert_eq!(shaped.get(Parameter::Dies), f64::from(channels * dies), "{channels} x {dies}");
        }
    }
}

#[test]
fn results_may_come_in_any_order() {
    let jobs: Vec<MeasuredJob> =
        measured(jobs(), &scenario(&json!({ "preset": "tlc-nvme" }), 8.0), 8.0).into_iter().take(3).collect();
    let base = scenario(&json!({ "preset": "tlc-nvme", "chipsPerChannel": 6 }), 8.0);
    let outcomes = [false, true].map(|backwards| {
        let mut fit = Fit::new(&base, jobs.clone(), Choices { max_runs: 40, ..Choices::default() }).unwrap();
        loop {
            if let Some(outcome) = fit.answer() {
                return outcome.unwrap();
            }
            let mut requests = fit.next(usize::MAX);
            if backwards {
                requests.reverse();
            }
            requests.iter().for_each(|request| make(&mut fit, request));
        }
    });
    assert_eq!(outcomes[0], outcomes[1]);
}

#[test]
fn no_jobs_and_drives_that_cannot_serve_them_are_told() {
    let base = scenario(&json!({ "preset": "tlc-nvme" }), 8.0);
    assert!(Fit::new(&base, Vec::new(), Choices::default()).is_err());
    let mut fit = Fit::new(&base, jobs(), Choices::default()).unwrap();
    while fit.answer().is_none() {
        for request in fit.next(100) {
            fit.put(request.id, RunOutcome::Failed("it broke".into()));
        }
    }
    assert!(fit.answer().unwrap().unwrap_err()[0].reason.contains("it broke"));
}
