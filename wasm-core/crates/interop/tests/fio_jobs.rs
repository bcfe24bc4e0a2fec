//! fio itself takes every job file that is written, and reads in those that are read what we read.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::path::Path;
use std::process::{Command, Output};
use std::{env, fs};

use proptest::prelude::*;
use qoscope_engine::scenario::{self, Scenario, Size, Traffic};
use qoscope_interop::{Target, export, fio};

/// Runs a program; none where it is not there, which is a failure where `QOSCOPE_REQUIRE_TOOLS` is set.
fn run(command: &mut Command) -> Option<Output> {
    match command.output() {
        Ok(output) => Some(output),
        Err(error) if env::var_os("QOSCOPE_REQUIRE_TOOLS").is_none() => {
            eprintln!("skipped: {:?} cannot be run: {error}", command.get_program());
            None
        }
        Err(error) => panic!("{:?}: {error}", command.get_program()),
    }
}

/// `fio --parse-only` of job files whose devices exist.
fn parse<P: AsRef<OsStr>>(paths: &[P]) -> Option<Output> {
    let mut command = Command::new("fio");
    command.arg("--parse-only").args(paths).env("DEVICE", "/dev/zero");
    (1..=64).for_each(|number| {
        command.env(format!("DEVICE_{number}"), "/dev/zero");
    });
    run(&mut command)
}

/// The text of a scenario that comes with the project, and of the same with a latency target.
fn texts(name: &str) -> [String; 2] {
    let mut document = qoscope_committed::document(name);
    let text = document.to_string();
    document["classes"][0]["latencyTargetUs"] = 500.into();
    [text, document.to_string()]
}

#[test]
fn fio_takes_every_job_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut seen = BTreeSet::new();
    let mut paths = Vec::new();
    for text in qoscope_committed::names().iter().flat_map(|name| texts(name)) {
        let Ok(scenario) = scenario::load(&text) else { continue };
        let Ok(written) = export(&scenario, Target::Fio) else { continue };
        for file in written.files {
            // Scenarios share job files.
            if !seen.insert(file.text.clone()) {
                continue;
            }
            let path = folder.path().join(format!("{}-{}", seen.len(), file.name));
            fs::write(&path, &file.text).expect("written");
            paths.push(path);
        }
    }
    // One process costs 0.1 s, whatever it reads.
    for chunk in paths.chunks(20) {
        let Some(output) = parse(chunk) else { return };
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success() && said.is_empty(), "{chunk:?}: {said}");
    }
    assert!(seen.len() > 50 && seen.iter().any(|text| text.contains("latency_target=500us")), "{} files", seen.len());
}

#[test]
fn fio_refuses_what_is_no_job_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("no.fio");
    fs::write(&path, "[a]\nfilename=/dev/zero\nrw=sideways\n").expect("written");
    if let Some(output) = parse(&[&path]) {
        assert!(!output.status.success());
    }
}

#[test]
fn what_asks_no_device_has_no_jobs() {
    let scenario = load("three-writers");
    let found = export(&scenario, Target::Fio).expect_err("nothing to write");
    assert_eq!(found[0].path, "access.protocol");
    assert!(found[0].hint.contains("nvme-tcp"), "{}", found[0].hint);
}

/// The names of options that fio lists: of jobs, with their other names, and of the I/O engines that it has here.
fn names() -> Option<BTreeSet<String>> {
    let listed = |arguments: &[&str]| -> Option<Vec<String>> {
        let output = run(Command::new("fio").args(arguments))?;
        let text = String::from_utf8(output.stdout).expect("text");
        let names = text.lines().filter_map(|line| Some(line.split_once(':')?.0.trim().to_owned()));
        Some(names.filter(|name| !name.is_empty() && !name.contains(' ')).collect())
    };
    let mut names: BTreeSet<String> = listed(&["--cmdhelp=all"])?.into_iter().collect();
    for name in names.clone() {
        let output = run(Command::new("fio").arg(format!("--cmdhelp={name}")))?;
        let text = String::from_utf8(output.stdout).expect("text");
        let aliases = text.lines().filter_map(|line| Some(line.trim().strip_prefix("alias:")?.trim().to_owned()));
        names.extend(aliases);
    }
    let engines = run(Command::new("fio").arg("--enghelp"))?;
    for engine in String::from_utf8(engines.stdout).expect("text").lines().skip(1).map(str::trim) {
        names.extend(listed(&[&format!("--enghelp={engine}")])?);
    }
    Some(names)
}

#[test]
fn every_option_of_fio_is_known() {
    let Some(names) = names() else { return };
    assert!(names.len() > 250, "{} names", names.len());
    let known: BTreeSet<&str> = fio::READINGS.iter().flat_map(|reading| reading.options).copied().collect();
    let unknown: Vec<&String> = names.iter().filter(|name| !known.contains(name.as_str())).collect();
    assert!(unknown.is_empty(), "{unknown:?}");
    let count = fio::READINGS.iter().map(|reading| reading.options.len()).sum::<usize>();
    assert_eq!(known.len(), count, "no name stands twice");
}

#[test]
fn fio_takes_the_job_files_that_are_read() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fio/jobs");
    for entry in fs::read_dir(folder).expect("the folder is there") {
        let path = entry.expect("an entry").path();
        let Some(output) = parse(&[&path]) else { return };
        assert!(output.status.success(), "{}: {}", path.display(), String::from_utf8_lossy(&output.stderr));
        // The options of each job, as fio would take them on its command line.
        let mut command = Command::new("fio");
        let Some(shown) = run(command.arg("--showcmd").arg(&path)) else { return };
        let shown = String::from_utf8(shown.stdout).expect("text");
        let text = fs::read_to_string(&path).expect("text");
        let mut onto = load("storage-three-classes");
        onto.timeline.clear();
        let read = fio::workloads(&text, "jobs.fio", &onto).unwrap_or_else(|wrong| panic!("{wrong:?}"));
        let option = |became: &fio::Became| match &became.value {
            Some(value) => format!("{}={value}", became.option),
            None => became.option.clone(),
        };
        let ours: Vec<String> = read.became.iter().map(option).collect();
        let mut theirs: Vec<&str> = shown.trim_end().split("--").skip(1).map(str::trim).collect();
        theirs.retain(|option| !option.starts_with("name="));
        // What several [global] say before jobs fio shows each time.
        let ours: BTreeSet<&str> = ours.iter().map(String::as_str).collect();
        assert_eq!(ours, theirs.into_iter().collect::<BTreeSet<&str>>(), "{}", path.display());
    }
}

fn load(name: &str) -> Scenario {
    scenario::from_value(qoscope_committed::document(name)).expect("a scenario")
}

/// The numbers of a section by option: the first, and the second where there is one.
type Numbers = BTreeMap<String, Vec<u64>>;

/// What fio makes of the numbers of a job file, by section.
fn numbers(path: &Path) -> Option<Vec<(String, Numbers)>> {
    let output = run(Command::new("fio").args(["--debug=parse", "--parse-only"]).arg(path))?;
    let text = String::from_utf8(output.stdout).expect("text");
    assert!(output.status.success(), "{}\n{text}", String::from_utf8_lossy(&output.stderr));
    let mut sections: Vec<(String, Numbers)> = Vec::new();
    let mut option = String::new();
    for line in text.lines().filter_map(|line| line.trim_start().strip_prefix("parse")) {
        let line = line.trim_start().split_once(' ').map_or("", |(_, rest)| rest.trim());
        if let Some(name) = line.strip_prefix("Parsing section [") {
            sections.push((name.trim_end_matches(']').into(), BTreeMap::new()));
        } else if let Some(rest) = line.strip_prefix("handle_option=") {
            option = rest.split(',').next().unwrap_or_default().into();
        } else if let Some(number) = line.strip_prefix("ret=0, out=")
            && let Some((_, numbers)) = sections.last_mut()
        {
            numbers.entry(option.clone()).or_default().push(number.parse().expect("a number"));
        }
    }
    Some(sections)
}

/// A number with a unit of bytes, as people write them.
fn of_bytes(most: u64) -> impl Strategy<Value = String> {
    let unit = proptest::sample::select(vec!["", "k", "K", "kb", "kib", "KiB", "Ki", "kbytes", "m", "M", "Mi", "b"]);
    (1..=most, unit).prop_map(|(number, unit)| format!("{number}{unit}"))
}

/// A time, as people write them.
fn of_time(most: u64) -> impl Strategy<Value = String> {
    let unit = proptest::sample::select(vec!["us", "usec", "usecs", "ms", "MS", "msec", "msecs"]);
    (1..=most, unit).prop_map(|(number, unit)| format!("{number}{unit}"))
}

/// The options of a section: each once at most, in any order.
fn options() -> impl Strategy<Value = Vec<String>> {
    let option = prop_oneof![
        of_bytes(64).prop_map(|bytes| format!("bs={bytes}")),
        (of_bytes(64), of_bytes(64)).prop_map(|(reads, writes)| format!("blocksize={reads},{writes}")),
        (1..600_u32).prop_map(|depth| format!("iodepth={depth}")),
        (1..600_u32).prop_map(|depth| format!("iodepth= {depth}  ; as people write it")),
        (1..30_u32).prop_map(|clones| format!("numjobs={clones}")),
        (0..=100_u32).prop_map(|percent| format!("rwmixread={percent}")),
        (0..=100_u32).prop_map(|percent| format!("rwmixwrite={percent}")),
        of_bytes(900).prop_map(|bytes| format!("offset={bytes}")),
        (70_000_u32..90_000).prop_map(|kib| format!("size={kib}k")),
        (1..5000_u32).prop_map(|ios| format!("number_ios={ios}")),
        (1..9_u32).prop_map(|ios| format!("number_ios={ios}k")),
        (0..u32::MAX).prop_map(|seed| format!("randseed={seed}")),
        (1..90_u32).prop_map(|s| format!("runtime={s}")),
        of_time(900).prop_map(|time| format!("runtime={time}")),
        of_time(900).prop_map(|time| format!("ramp_time={time}")),
        (0..9_u32).prop_map(|s| format!("startdelay={s}")),
        of_time(900).prop_map(|time| format!("latency_target={time}")),
        (1..5000_u32).prop_map(|us| format!("latency_target={us}")),
        Just("kb_base=1000".to_owned()),
        Just("kb_base=1024".to_owned()),
    ];
    proptest::collection::vec(option, 0..8)
}

proptest! {
    // Each case starts fio, which takes 0.1 s.
    #![proptest_config(ProptestConfig::with_cases(if env::var_os("FULL").is_some() { 100 } else { 25 }))]

    #[test]
    fn numbers_are_those_that_fio_reads(
        global in options(),
        job in options(),
        rw in proptest::sample::select(vec!["read", "write", "randread", "randwrite", "rw", "randrw"]),
    ) {
        // fio itself takes the options of a section in an order of its own where two say the same.
        let names = |options: &[String]| -> BTreeSet<String> {
            options.iter().map(|option| option.split('=').next().unwrap_or_default().replace("blocksize", "bs").replace("rwmixwrite", "rwmixread")).collect()
        };
        prop_assume!(names(&global).len() == global.len() && names(&job).len() == job.len());
        let text = format!("[global]\nioengine=libaio\ntime_based\n{}\n[a]\nrw={rw}\nfilename=/dev/zero\n{}\n", global.join("\n"), job.join("\n"));
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("jobs.fio");
        fs::write(&path, &text).expect("written");
        let Some(sections) = numbers(&path) else { return Ok(()) };
        let mut onto = load("bench-ssd-qd32-read");
        onto.duration_us = 200_000_000.0;
        let read = match fio::workloads(&text, "jobs.fio", &onto) {
            Ok(read) => read.scenario,
            // Of what both take a scenario has less.
            Err(wrong) => {
                prop_assert!(wrong.iter().all(|of| of.path.is_empty() || of.reason.contains("less than a request") || of.path.contains("durationUs")), "{wrong:?}\n{text}");
                return Ok(());
            }
        };
        let of = |option: &str, place: usize| -> Option<u64> {
            let own = sections.iter().rev().find_map(|(_, numbers)| numbers.get(option));
            own.map(|numbers| *numbers.get(place).unwrap_or(&numbers[numbers.len() - 1]))
        };
        let workload = &read.workloads[0];
        let Traffic::ClosedLoop { outstanding, requests, size, .. } = &workload.traffic else { panic!("closed") };
        prop_assert_eq!(u64::from(*outstanding), of("iodepth", 0).unwrap_or(1), "{}", text);
        prop_assert_eq!(u64::from(workload.connections), of("numjobs", 0).unwrap_or(1), "{}", text);
        let reads = match rw {
            "read" | "randread" => 1.0,
            "write" | "randwrite" => 0.0,
            _ => {
                // The one of the later section, or else of the other.
                let mix = |numbers: &Numbers| {
                    let reads = numbers.get("rwmixread").map(|of| of[0]);
                    reads.or_else(|| numbers.get("rwmixwrite").map(|of| 100 - of[0]))
                };
                sections.iter().rev().find_map(|(_, numbers)| mix(numbers)).unwrap_or(50) as f64 / 100.0
            }
        };
        prop_assert_eq!(workload.read_fraction, reads, "{}", text);
        let bs = [0, 1].map(|place| of("bs", place).unwrap_or(4096));
        match size {
            Size::Fixed { bytes } => prop_assert!(*bytes == bs[usize::from(reads == 0.0)] && (reads == 0.0 || reads == 1.0 || bs[0] == bs[1]), "{}", text),
            other => prop_assert!(reads > 0.0 && reads < 1.0 && bs[0] != bs[1], "{:?}\n{}", other, text),
        }
        prop_assert_eq!(workload.addresses.start_bytes, of("offset", 0).unwrap_or(0), "{}", text);
        prop_assert_eq!(workload.addresses.length_bytes, of("size", 0), "{}", text);
        prop_assert_eq!(*requests, of("number_ios", 0), "{}", text);
        prop_assert_eq!(read.seed, of("randseed", 0).unwrap_or(onto.seed), "{}", text);
        let target = read.classes.iter().find(|class| class.name == workload.class).and_then(|class| class.latency_target_us);
        prop_assert_eq!(target.map(|us| us as u64), of("latency_target", 0).or(onto.classes[0].latency_target_us.map(|us| us as u64)), "{}", text);
        let delay = of("startdelay", 0).unwrap_or(0);
        prop_assert_eq!(workload.start_us as u64, delay, "{}", text);
        if let Some(run) = of("runtime", 0) {
            let end = delay + of("ramp_time", 0).unwrap_or(0) + run;
            prop_assert_eq!(read.duration_us as u64, end, "{}", text);
        }
    }
}
