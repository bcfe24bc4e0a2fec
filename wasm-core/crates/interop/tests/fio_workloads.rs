//! Job files as workloads: those that the writer makes come back as they were, and those of fio's own kind are what their options say.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use qoscope_engine::scenario::{
    self, AddressPattern, Diagnostic, Endpoints, Interarrival, Scenario, Size, Traffic, fields, size_law,
};
use qoscope_engine::simulation::plan::Plan;
use qoscope_engine::workload::laws::SizeLaw;
use qoscope_interop::fio::{self, JobFile, Onto};
use qoscope_interop::{Export, How, Target, export};

fn scenario(name: &str) -> Scenario {
    scenario::from_value(qoscope_committed::document(name)).expect("scenarios that come with the project are valid")
}

fn all() -> Vec<(String, Scenario)> {
    qoscope_committed::names().into_iter().map(|name| (name.clone(), scenario(&name))).collect()
}

/// The jobs of a scenario, read from the files that are written of it.
fn back(written: &Export, onto: &Scenario) -> Onto {
    let jobs = written.files.iter().filter(|file| !file.name.ends_with("-latency.fio"));
    let files: Vec<JobFile> = jobs.map(|file| JobFile { name: &file.name, text: &file.text }).collect();
    fio::workloads_of(&files, onto).unwrap_or_else(|wrong| panic!("{wrong:?}"))
}

/// Sizes with their shares.
fn shares(law: &SizeLaw) -> BTreeMap<u64, f64> {
    let even = |sizes: Vec<u64>| {
        let mut shares = BTreeMap::new();
        for size in &sizes {
            *shares.entry(*size).or_insert(0.0) += 1.0 / sizes.len() as f64;
        }
        shares
    };
    match law {
        SizeLaw::Fixed(bytes) => even(vec![*bytes]),
        SizeLaw::Blocks { minimum, maximum, block_bytes } => {
            even((*minimum..=*maximum).map(|blocks| blocks * block_bytes).collect())
        }
        SizeLaw::Choice(sizes) => even(sizes.clone()),
        other => panic!("{other:?} does not go over exactly"),
    }
}

/// What goes between a host and a server: each field in a text, by workload.
fn traffic(scenario: &Scenario, exact: &dyn Fn(&str) -> bool) -> BTreeMap<(u32, u32, String), Vec<String>> {
    let plan = Plan::new(scenario).expect("a plan");
    let mut counts: BTreeMap<(usize, u32, u32), u32> = BTreeMap::new();
    for application in &plan.applications {
        let workload = &scenario.workloads[application.workload];
        let has_jobs = matches!(workload.traffic, Traffic::OpenLoop { .. } | Traffic::ClosedLoop { .. });
        if has_jobs && scenario.protocol_of(workload).has_target() {
            *counts.entry((application.workload, application.host, application.target)).or_default() += 1;
        }
    }
    let mut traffic: BTreeMap<(u32, u32, String), Vec<String>> = BTreeMap::new();
    for ((w, host, target), connections) in counts {
        let workload = &scenario.workloads[w];
        let sources = plan.applications_of_workload[w];
        let mut said = Vec::new();
        let mut say = |field: &str, text: String| {
            if exact(field) {
                said.push(format!("{field}={text}"));
            }
        };
        say("readFraction", workload.read_fraction.to_string());
        say("addresses.pattern", format!("{:?}", workload.addresses.pattern));
        say("addresses.startBytes", workload.addresses.start_bytes.to_string());
        say("addresses.lengthBytes", format!("{:?}", workload.addresses.length_bytes));
        say("addresses.alignmentBytes", format!("{:?}", workload.addresses.alignment_bytes));
        if exact("traffic.size") {
            let shares = shares(&size_law(&workload.traffic));
            let rounded: Vec<String> = shares.iter().map(|(bytes, share)| format!("{bytes}/{share:.6}")).collect();
            say("traffic.size", rounded.join(":"));
        }
        say("startUs", format!("{:.3}", workload.start_us.round()));
        let stop = workload.stop_us.map_or(scenario.duration_us, |stop| stop.min(scenario.duration_us));
        say("stopUs", format!("{:.3}", stop.round()));
        match &workload.traffic {
            Traffic::ClosedLoop { outstanding, requests, think_time_us, .. } => {
                // With a pause each of the outstanding requests is a clone.
                say(
                    "connections",
                    (if *think_time_us > 0.0 { outstanding * connections } else { connections }).to_string(),
                );
                if *think_time_us == 0.0 {
                    say("traffic.outstanding", outstanding.to_string());
                }
                say("traffic.thinkTimeUs", format!("{:.0}", think_time_us));
                say("traffic.requests", format!("{requests:?}"));
            }
            Traffic::OpenLoop { offered_gbps, gaps, requests, .. } => {
                say("connections", connections.to_string());
                say("traffic.gaps", format!("{gaps:?}"));
                say(
                    "traffic.requests",
                    format!("{:?}", requests.map(|requests| requests.div_ceil(u64::from(sources)))),
                );
                // Of each connection, as fio has it: whole requests a second.
                let iops = offered_gbps * 1e9 / 8.0 / size_law(&workload.traffic).mean_bytes() / f64::from(sources);
                if exact("traffic.size") && *gaps == Interarrival::Exponential && exact("traffic.gaps") {
                    let (reads, writes) = (iops * workload.read_fraction, iops * (1.0 - workload.read_fraction));
                    say("traffic.offeredGbps", format!("{} + {}", reads.round(), writes.round()));
                }
            }
            _ => {}
        }
        traffic.entry((host, target, workload.class.clone())).or_default().push(said.join(" "));
    }
    traffic.values_mut().for_each(|said| said.sort());
    traffic
}

#[test]
fn what_is_written_exactly_comes_back_as_it_was() {
    let (mut compared, mut fields_compared) = (0, BTreeSet::new());
    for (name, original) in all() {
        let Ok(written) = export(&original, Target::Fio) else { continue };
        let read = back(&written, &original);
        let how: BTreeMap<String, How> =
            written.fields.iter().map(|field| (fields::pattern(&field.path), field.how)).collect();
        // What was not written is what it is without a word, but for alignment, which fio takes from the sizes.
        let exact = |field: &str| match how.get(&format!("workloads[].{field}")) {
            Some(how) => *how == How::Exactly,
            None => field != "addresses.alignmentBytes",
        };
        fields_compared.extend(how.iter().filter(|(_, how)| **how == How::Exactly).map(|(field, _)| field.clone()));
        let (is, was) = (traffic(&read.scenario, &exact), traffic(&original, &exact));
        let differ = || was.keys().chain(is.keys()).find(|key| is.get(key) != was.get(key)).cloned();
        assert!(is == was, "{name}: {:?}", differ().map(|key| (is.get(&key).cloned(), was.get(&key).cloned(), key)));
        assert_eq!(read.scenario.duration_us.round(), original.duration_us.round(), "{name}");
        assert_eq!(read.scenario.seed, original.seed, "{name}");
        compared += 1;
    }
    assert!(compared > 50, "{compared} scenarios");
    for field in ["size", "outstanding", "offeredGbps", "gaps", "requests", "thinkTimeUs"] {
        assert!(fields_compared.contains(&format!("workloads[].traffic.{field}")), "{field} was never written exactly");
    }
}

#[test]
fn starts_and_stops_come_back_beside_a_warm_up() {
    let mut original = scenario("storage-three-classes");
    // Over the warm-up of 2 ms, behind it, and within it; to the end of the run of 20 ms, and to a stop.
    for (workload, (start, stop)) in
        original.workloads.iter_mut().zip([(500.0, Some(9000.0)), (5000.0, None), (100.0, Some(1500.0))])
    {
        (workload.start_us, workload.stop_us) = (start, stop);
    }
    let written = export(&original, Target::Fio).expect("jobs");
    let texts: String = written.files.iter().map(|file| file.text.as_str()).collect();
    for lines in [
        "startdelay=500us\nramp_time=1500us\nruntime=7000us\n",
        "startdelay=5000us\nramp_time=0us\nruntime=15000us\n",
        "startdelay=100us\nramp_time=0us\nruntime=1400us\n",
    ] {
        assert!(texts.contains(lines), "{lines}{texts}");
    }
    let read = back(&written, &original).scenario;
    let times = |scenario: &Scenario| -> Vec<(f64, Option<f64>)> {
        scenario.workloads.iter().map(|workload| (workload.start_us, workload.stop_us)).collect()
    };
    assert_eq!(times(&read), times(&original));
    assert_eq!((read.duration_us, read.measurement.warmup_us), (20_000.0, Some(2000.0)));
}

/// A job file of the folder `tests/fio/jobs`.
fn fixture(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fio/jobs").join(name);
    fs::read_to_string(path).expect("the file is there")
}

fn read(text: &str, onto: &Scenario) -> Onto {
    fio::workloads(text, "jobs.fio", onto).unwrap_or_else(|wrong| panic!("{wrong:?}"))
}

fn wrong(text: &str) -> Vec<Diagnostic> {
    fio::workloads(text, "jobs.fio", &scenario("storage-three-classes")).expect_err("something is wrong")
}

/// What became of a line.
fn line(read: &Onto, line: u32) -> &fio::Became {
    read.became.iter().find(|became| became.line == line).expect("a line with an option")
}

#[test]
fn jobs_of_other_names_run_on_all_hosts_in_classes_of_their_own() {
    let onto = scenario("storage-three-classes");
    let read = read(&fixture("two-queue-depths.fio"), &onto);
    let scenario = &read.scenario;
    let names: Vec<&str> = scenario.classes.iter().map(|class| class.name.as_str()).collect();
    assert_eq!(names, ["High", "Medium", "Low", "short", "long"]);
    assert_eq!(scenario.classes[4].transport, onto.classes[0].transport);
    let Endpoints::Pairs { initiators, targets } = &scenario.workloads[1].endpoints else { panic!("pairs") };
    assert_eq!((initiators.len(), targets.len()), (7, 1), "seven hosts, one server");
    assert_eq!(scenario.workloads[1].connections, 2);
    assert_eq!(scenario.workloads[1].addresses.length_bytes, Some(1 << 30));
    let Traffic::ClosedLoop { outstanding, size, requests, .. } = &scenario.workloads[1].traffic else {
        panic!("closed")
    };
    assert_eq!((*outstanding, size, *requests), (32, &Size::Fixed { bytes: 4096 }, None));
    assert_eq!((scenario.duration_us, scenario.workloads[0].stop_us), (10_000.0, None));
    assert_eq!(scenario.measurement.warmup_us, Some(0.0));
    assert_eq!(
        (line(&read, 3).how, line(&read, 4).how, line(&read, 6).how),
        (How::NotAtAll, How::NotAtAll, How::Exactly)
    );
    assert_eq!((line(&read, 13).path.as_str(), line(&read, 13).to.as_str()), ("workloads[0].traffic.outstanding", "4"));
    assert!(read.remarks.iter().any(|remark| remark.starts_with("Without norandommap")), "{:?}", read.remarks);
}

#[test]
fn stonewalls_follow_each_other_and_times_are_scaled_into_the_run() {
    let mut onto = scenario("storage-three-classes");
    let read = read(&fixture("corners.fio"), &onto);
    // Four times 5 s in 20 ms: a thousandth.
    assert_eq!(onto.duration_us, 20_000.0);
    let times = |read: &Onto| -> Vec<(f64, Option<f64>)> {
        read.scenario.workloads.iter().map(|workload| (workload.start_us, workload.stop_us)).collect()
    };
    assert_eq!(
        times(&read),
        [(0.0, Some(5000.0)), (5000.0, Some(10_000.0)), (10_000.0, Some(15_000.0)), (15_000.0, None)]
    );
    assert_eq!((read.scenario.duration_us, read.scenario.measurement.warmup_us), (20_000.0, Some(1000.0)));
    assert_eq!(line(&read, 9).how, How::Roughly);
    assert!(
        read.remarks.iter().any(|remark| remark.contains("run for 20\u{202f}s and the scenario for 20\u{202f}ms")),
        "{:?}",
        read.remarks
    );
    // Of no use in sequential jobs, and what it says in random ones.
    assert_eq!((line(&read, 6).how, line(&read, 6).path.as_str()), (How::Exactly, "workloads[2].addresses.pattern"));
    // Both globals are of the jobs behind them.
    let sizes: Vec<f64> = read.scenario.workloads.iter().map(|w| size_law(&w.traffic).mean_bytes()).collect();
    assert_eq!(sizes, [131_072.0, 131_072.0, 4096.0, 4096.0]);
    // A scenario that is as long has them as they are.
    onto.duration_us = 20_000_000.0;
    onto.workloads.truncate(1);
    onto.storage.ssd = scenario("paper5-random-read-local").storage.ssd;
    let read = fio::workloads(
        &fixture("corners.fio").replace("iodepth=64", "iodepth=1").replace("iodepth=32", "iodepth=1"),
        "jobs.fio",
        &onto,
    );
    let read = read.unwrap_or_else(|wrong| panic!("{wrong:?}"));
    assert_eq!(times(&read)[1], (5_000_000.0, Some(10_000_000.0)));
    assert_eq!(line(&read, 9).how, How::Exactly);
}

#[test]
fn rates_are_open_loops_and_devices_are_servers() {
    let mut onto = scenario("paper1-fig11b");
    onto.duration_us = 25_000.0;
    onto.timeline.clear();
    let read = read(&fixture("database.fio"), &onto);
    let [tables, log] = read.scenario.workloads.as_slice() else { panic!("two workloads") };
    let Endpoints::Pairs { targets, initiators } = &tables.endpoints else { panic!("pairs") };
    assert_eq!((targets.as_slice(), initiators.len()), (&["h3".to_owned()][..], 3));
    let Endpoints::Pairs { targets, .. } = &log.endpoints else { panic!("pairs") };
    assert_eq!(targets, &["h4"], "the second device is the second server");
    let Traffic::OpenLoop { offered_gbps, gaps, .. } = &tables.traffic else { panic!("an open loop") };
    // (0.6 × 4096 + 0.3 × 8192 + 0.1 × 16 384) B × 8 × 10 000 a second × 3 hosts
    assert!((offered_gbps - 6553.6 * 8.0 * 10_000.0 * 3.0 / 1e9).abs() < 1e-9, "{offered_gbps}");
    assert_eq!(*gaps, Interarrival::Exponential);
    assert_eq!(
        (tables.read_fraction, tables.addresses.start_bytes, tables.addresses.length_bytes),
        (0.7, 1_000_000_000, Some(10_000_000_000))
    );
    assert_eq!(tables.addresses.pattern, AddressPattern::HotCold { hot_part: 0.2, hot_requests: 0.8 });
    let Traffic::ClosedLoop { outstanding, requests, think_time_us, think_time_distribution, size } = &log.traffic
    else {
        panic!("closed")
    };
    assert_eq!((*outstanding, *requests, *think_time_us), (1, Some(50), 100.0));
    assert_eq!((*think_time_distribution, size), (Interarrival::Constant, &Size::Fixed { bytes: 16_000 }));
    let class = read.scenario.classes.iter().find(|class| class.name == "tables").expect("a class");
    assert_eq!((class.latency_target_us, class.percentile), (Some(2000.0), 99.0));
    assert_eq!((read.scenario.access.queue_depth, read.scenario.measurement.warmup_us), (64, Some(5000.0)));
    assert_eq!(read.scenario.duration_us, 25_000.0);
}

#[test]
fn units_zones_and_options_of_tests_are_those_of_fio() {
    let onto = scenario("storage-three-classes");
    let text = "[a]\nrw=randread\nbs=4Ki\nsize=64Mi\nthreads=8\n";
    let read = read(text, &onto);
    let Traffic::ClosedLoop { size, .. } = &read.scenario.workloads[0].traffic else { panic!("closed") };
    assert_eq!(
        (size, read.scenario.workloads[0].addresses.length_bytes),
        (&Size::Fixed { bytes: 4096 }, Some(64 << 20))
    );
    assert_eq!(line(&read, 5).how, How::NotAtAll);
    assert!(line(&read, 5).why.contains("built-in test"), "{}", line(&read, 5).why);
    let zoned = "[a]\nrw=randwrite\nzonemode=zbd\nzonesize=1M\noffset=5z\nsize=16z\n";
    let read = self::read(zoned, &onto);
    let addresses = &read.scenario.workloads[0].addresses;
    assert_eq!((addresses.start_bytes, addresses.length_bytes), (5 << 20, Some(16 << 20)));
    assert_eq!((line(&read, 5).how, line(&read, 3).how), (How::Exactly, How::NotAtAll));
    assert!(wrong("[a]\nzonemode=zbd\noffset=5z\n")[0].reason.contains("not known here"));
    assert!(wrong("[a]\noffset=5z\n")[0].reason.contains("zonemode=zbd alone"));
    assert!(wrong("[a]\nbs=5z\n")[0].reason.contains("counts no zones"));
}

#[test]
fn strides_are_no_zones_of_a_drive() {
    let read = read("[a]\nrw=read\nzonemode=strided\nzonesize=256m\nzoneskip=2g\n", &scenario("storage-three-classes"));
    for number in 3..=5 {
        assert_eq!(line(&read, number).how, How::NotAtAll);
        assert!(line(&read, number).why.contains("without gaps"), "{}", line(&read, number).why);
    }
}

#[test]
fn options_of_engines_and_later_versions_are_told_from_unknown_ones() {
    let onto = scenario("storage-three-classes");
    let spdk =
        "[global]\nioengine=spdk_bdev\nspdk_json_conf=/etc/lab/bdev.json\nthread=1\n[a]\nrw=randread\niodepth=32\n";
    let found = read(spdk, &onto);
    let Traffic::ClosedLoop { outstanding, .. } = &found.scenario.workloads[0].traffic else { panic!("closed") };
    assert_eq!(*outstanding, 32);
    assert!(line(&found, 3).why.contains("option of an I/O engine"), "{}", line(&found, 3).why);
    let later = read("[a]\nrw=randwrite\nfdp=1\nfdp_pli=0,1\nlog_window_value=both\n", &onto);
    for number in 3..=5 {
        assert_eq!(line(&later, number).how, How::NotAtAll);
        assert!(line(&later, number).why.contains("fio 3.34 or later"), "{}", line(&later, number).why);
    }
    assert!(line(&later, 5).why.contains("changes no request"));
    // An engine from elsewhere has options that only it knows, and others have none.
    let own = read("[global]\nours_depth=3\n[a]\nioengine=external:/opt/lab/ours.so\nours=1\n", &onto);
    assert_eq!([2, 4, 5].map(|number| line(&own, number).how), [How::NotAtAll; 3]);
    assert!(line(&own, 5).why.contains("I/O engine"), "{}", line(&own, 5).why);
    let unknown = wrong("[a]\nioengine=libaio\nours=1\n[b]\nioengine=external:/opt/lab/ours.so\nours=1\n");
    assert_eq!((unknown.len(), unknown[0].path.as_str()), (1, "jobs.fio, line 3"));
    assert!(unknown[0].reason.contains("no fio up to 3.41 has an option \"ours\""), "{}", unknown[0].reason);
}

#[test]
fn engines_without_a_drive_are_refused_and_unknown_ones_said() {
    for engine in ["dircreate", "dirstat", "cpp_null", "external:engines/cpp_null.so", "rdma"] {
        let found = wrong(&format!("[a]\nioengine={engine}\n"));
        assert!(found[0].reason.contains("sends no requests to a drive"), "{}", found[0].reason);
    }
    let read = read("[a]\nioengine=libaoi\niodepth=8\n", &scenario("storage-three-classes"));
    assert_eq!(line(&read, 2).how, How::NotAtAll);
    assert!(line(&read, 2).why.contains("Did you mean libaio?"), "{}", line(&read, 2).why);
}

#[test]
fn pauses_that_allow_fewer_requests_than_a_rate_pace_the_job() {
    let onto = scenario("storage-three-classes");
    let of = |options: &str| {
        let found = read(&format!("[High]\nrw=randread\nrate=1m\n{options}"), &onto);
        (found.scenario.workloads[0].traffic.clone(), [3, 4].map(|number| line(&found, number).how))
    };
    // 256 requests/s are asked for, and 10/s are possible.
    let (traffic, how) = of("thinktime=100000\n");
    let Traffic::ClosedLoop { outstanding, think_time_us, .. } = traffic else { panic!("closed") };
    assert_eq!((outstanding, think_time_us, how[0]), (1, 100_000.0, How::Roughly));
    // 1000/s are possible: the rate is kept.
    let offered = |traffic: Traffic| match traffic {
        Traffic::OpenLoop { offered_gbps, .. } => offered_gbps,
        _ => panic!("open"),
    };
    let (rate, _) = of("time_based\n");
    let rate = offered(rate);
    let (traffic, how) = of("thinktime=1000\n");
    assert_eq!((offered(traffic), how), (rate, [How::Roughly; 2]));
    assert_eq!(offered(of("thinktime=100000\nthinktime_blocks=64\n").0), rate);
    // 16 requests in 16 / 256 s + 0.1 s.
    let (traffic, _) = of("thinktime=100000\nthinktime_blocks=16\nrate_ignore_thinktime=1\n");
    assert!((offered(traffic) / rate - 16.0 / 0.1625 / 256.0).abs() < 1e-9);
}

#[test]
fn a_day_is_scaled_by_a_number_that_can_be_read() {
    let mut onto = scenario("storage-three-classes");
    onto.timeline.clear();
    let read = read("[a]\nrw=randread\ntime_based\nruntime=86400\n", &onto);
    let scaled = read.remarks.iter().find(|remark| remark.contains("scaled by")).expect("a remark");
    assert!(
        scaled.contains("run for 24\u{202f}h and the scenario for 20\u{202f}ms")
            && scaled.contains("scaled by 0.000000231"),
        "{scaled}"
    );
    assert!(line(&read, 4).why.contains("0.000000231"), "{}", line(&read, 4).why);
}

#[test]
fn job_named_as_device_is_on_its_server() {
    let mut onto = scenario("paper1-fig11b");
    onto.duration_us = 25_000.0;
    onto.timeline.clear();
    onto.measurement.warmup_us = None;
    let read = read("[/dev/nvme0n1]\nrw=randread\n[/dev/nvme1n1]\nrw=randread\n", &onto);
    let targets: Vec<Vec<String>> = read
        .scenario
        .workloads
        .iter()
        .map(|workload| match &workload.endpoints {
            Endpoints::Pairs { targets, .. } => targets.clone(),
            _ => panic!("pairs"),
        })
        .collect();
    assert_eq!(targets, [["h3"], ["h4"]]);
}

#[test]
fn jobs_wait_and_rates_of_bytes_are_offered() {
    let onto = scenario("storage-three-classes");
    let read = read(&fixture("backup.fio"), &onto);
    let [burst, backup, metadata] = read.scenario.workloads.as_slice() else { panic!("three workloads") };
    let Traffic::ClosedLoop { size, .. } = &burst.traffic else { panic!("closed") };
    assert_eq!(size, &Size::Uniform { minimum_blocks: 1, maximum_blocks: 16, block_bytes: 4096 });
    assert_eq!((burst.stop_us, backup.start_us, backup.stop_us), (Some(5000.0), 5000.0, None));
    let Traffic::OpenLoop { offered_gbps, gaps, .. } = &backup.traffic else { panic!("an open loop") };
    assert!((offered_gbps - 7.0 * 200.0 * 1_048_576.0 * 8.0 / 1e9).abs() < 1e-9, "{offered_gbps}");
    assert_eq!(*gaps, Interarrival::Constant);
    assert_eq!((metadata.start_us, metadata.stop_us), (2000.0, None));
    let AddressPattern::HotCold { hot_part, hot_requests } = metadata.addresses.pattern else { panic!("hot and cold") };
    assert!(hot_part == 0.2 && (0.9..1.0).contains(&hot_requests), "{hot_requests}");
    let Traffic::ClosedLoop { outstanding, .. } = metadata.traffic else { panic!("closed") };
    assert_eq!(outstanding, 1, "psync waits for each");
}

#[test]
fn jobs_named_after_a_class_run_on_its_hosts() {
    let onto = scenario("storage-three-classes");
    let hosts = |class: &str| -> BTreeSet<u32> {
        let plan = Plan::new(&onto).expect("a plan");
        plan.applications.iter().filter(|of| onto.workloads[of.workload].class == class).map(|of| of.host).collect()
    };
    for name in ["Medium", "medium", "Medium-2"] {
        let read = read(&format!("[{name}]\nrw=read\n"), &onto);
        let plan = Plan::new(&read.scenario).expect("a plan");
        let own: BTreeSet<u32> = plan.applications.iter().map(|of| of.host).collect();
        assert_eq!((read.scenario.workloads[0].class.as_str(), own), ("Medium", hosts("Medium")), "{name}");
        assert_eq!(read.scenario.classes.len(), 3);
    }
    let read = read("[a]\nname=High\nrw=read\n", &onto);
    assert_eq!(read.scenario.workloads[0].class, "High");
}

#[test]
fn what_is_wrong_is_named_by_line_job_and_option() {
    for (options, option, reason, hint) in [
        ("bs=1.5k", "bs", "reads as another number", "no blank"),
        ("bs= 4k", "bs", "reads as another number", "no blank"),
        ("bs=${BS}", "bs", "not known here", "Write the value itself"),
        ("bs=$pagesize", "bs", "not known here", "Write the value itself"),
        ("bs=0", "bs", "is \"0\"", "1 or more"),
        ("iodepth=many", "iodepth", "reads as another number", "such as 32"),
        ("iodepth=0", "iodepth", "is 0", "1 to 65536"),
        ("numjobs=5000", "numjobs", "is 5000", "1 to 1024"),
        ("runtime=10sec", "runtime", "reads as another time", "such as 10s"),
        ("rw=trim", "rw", "reads and writes", "randread"),
        ("rw= randread", "rw", "is \" randread\"", "Write no blank behind ="),
        ("rw", "rw", "has no value", "Write rw="),
        ("time_based=yes", "time_based", "is \"yes\"", "time_based=1"),
        ("rate=1m\nrate_iops=5", "rate_iops", "beside rate", "Leave one"),
        ("read_iolog=a.log", "read_iolog", "does not say", "trace of a workload"),
        ("ioengine=cpuio", "ioengine", "sends no requests", "libaio"),
        ("bssplit=4k/60:8k/50", "bssplit", "110 % together", "add up to 100"),
        ("bsrange=4k", "bsrange", "no range", "4k-64k"),
        ("startdelay=1s-2s", "startdelay", "1s-2s", "without units"),
        ("random_distribution=zipf:1\nrw=randread", "random_distribution", "zipf:1", "other than 1"),
        (
            "random_distribution=zoned:60/10\nrw=randread",
            "random_distribution",
            "60 % of the requests",
            "add up to 100",
        ),
        ("wait_for=other", "wait_for", "no job before it", "stands before it"),
        ("size=1k", "size", "less than a request", "smaller bs"),
        ("size=200%", "size", "200%", "0% to 100%"),
    ] {
        let found = wrong(&format!("[global]\ndirect=1\n[a job]\n{options}\n"));
        let at = options.split('\n').position(|line| line.starts_with(option)).expect("its line") + 4;
        assert_eq!(found[0].path, format!("jobs.fio, line {at}, job \"a job\", {option}"), "{options}");
        assert!(found[0].reason.contains(reason), "{options}: {}", found[0].reason);
        assert!(found[0].hint.contains(hint), "{options}: {}", found[0].hint);
    }
    let direct = fio::workloads("[a]\nrw=read\n", "a.fio", &scenario("three-writers")).expect_err("no storage");
    assert_eq!(direct[0].path, "access.protocol");
}

#[test]
fn what_a_scenario_cannot_have_is_said_by_its_line() {
    let text = "[a]\nioengine=libaio\nrw=randrw:4\nbs=4k,64k\npercentage_random=30\niodepth=8\nthinktime=10\nverify=crc32c\nlatency_window=1s\n";
    let read = read(text, &scenario("storage-three-classes"));
    let how: Vec<(u32, How)> = read.became.iter().map(|became| (became.line, became.how)).collect();
    assert_eq!(
        how,
        [
            (2, How::NotAtAll),
            (3, How::Roughly),
            (4, How::Roughly),
            (5, How::Roughly),
            (6, How::Exactly),
            (7, How::Roughly),
            (8, How::NotAtAll),
            (9, How::NotAtAll),
        ]
    );
    assert!(read.became.iter().all(|became| became.why.ends_with('.')));
    let Traffic::ClosedLoop { think_time_us, size, .. } = &read.scenario.workloads[0].traffic else { panic!("closed") };
    assert_eq!((*think_time_us, size), (80.0, &Size::Choice { bytes: vec![4096, 65_536] }));
    assert_eq!(read.scenario.workloads[0].addresses.pattern, AddressPattern::Sequential);
}

#[test]
fn parts_that_are_left_empty_keep_what_was_set_before() {
    let onto = scenario("storage-three-classes");
    let bytes = |text: &str| match &read(text, &onto).scenario.workloads[0].traffic {
        Traffic::ClosedLoop { size: Size::Fixed { bytes }, .. } => *bytes,
        other => panic!("{other:?}"),
    };
    assert_eq!(bytes("[global]\nbs=8k\n[a]\nrw=write\nbs=16k,\n"), 8192);
    assert_eq!(bytes("[a]\nrw=read\nbs=,16k\n"), 4096, "fio's own size");
    assert_eq!(bytes("[a]\nrw=write\nbs=,16k\n"), 16_384);
}

#[test]
fn every_scenario_takes_the_jobs_or_says_why_not() {
    let texts = ["two-queue-depths.fio", "corners.fio", "database.fio", "backup.fio"].map(fixture);
    let mut taken = 0;
    for (name, onto) in all() {
        for text in &texts {
            match fio::workloads(text, "jobs.fio", &onto) {
                Ok(read) => {
                    taken += 1;
                    assert!(read.scenario.duration_us <= onto.duration_us.max(1.0), "{name}");
                    let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with([';', '#', '[']));
                    assert_eq!(read.became.len(), lines.count(), "{name}");
                }
                Err(wrong) => {
                    assert!(wrong.iter().all(|of| !of.hint.is_empty() && !of.reason.is_empty()), "{name}: {wrong:?}")
                }
            }
        }
    }
    assert!(taken > 200, "{taken} were taken");
}

#[test]
fn classes_with_odd_names_come_back() {
    let mut original = scenario("storage-three-classes");
    original.story = None;
    for (number, name) in ["global", "[a];#b", "High-2"].into_iter().enumerate() {
        let before = std::mem::replace(&mut original.classes[number].name, name.into());
        let of_class = original.workloads.iter_mut().filter(|workload| workload.class == before);
        of_class.for_each(|workload| workload.class = name.into());
    }
    let written = export(&original, Target::Fio).expect("jobs");
    let read = back(&written, &original).scenario;
    let classes = |scenario: &Scenario| -> Vec<String> {
        scenario.workloads.iter().map(|workload| workload.class.clone()).collect()
    };
    assert_eq!((classes(&read), read.classes.len()), (classes(&original), 3));
}
