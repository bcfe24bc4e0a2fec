//! What jobs ask for beyond their workloads: times, classes, queue depth, seed.

use std::collections::BTreeMap;

use qoscope_engine::scenario::{AddressPattern, Class, Scenario, Traffic, quoted};
use qoscope_engine::text::{duration, three_digits};

use super::How::{Exactly, Roughly};
use super::job::Times;
use super::ledger::Ledger;
use super::options::Reader;
use super::places::{Classes, Places};
use super::schedule::{Span, groups, spans};
use super::{Placed, ReadFile};
use crate::export::listed;
use crate::fio::limits;

/// Options whose lines are told when all jobs are known.
const LATER: [&str; 10] = [
    "runtime",
    "ramp_time",
    "startdelay",
    "stonewall",
    "wait_for",
    "latency_target",
    "latency_percentile",
    "randseed",
    "iodepth",
    "norandommap",
];

/// Lines of a job that set some options.
pub(super) struct Lines(BTreeMap<&'static str, u32>);

impl Lines {
    pub(super) fn of(reader: &Reader) -> Self {
        Self(LATER.into_iter().filter_map(|option| Some((option, reader.line(option)?))).collect())
    }

    fn get(&self, option: &str) -> Option<u32> {
        self.0.get(option).copied()
    }
}

/// Settles what concerns all jobs. Returns what is to be known.
pub(super) fn settle(
    scenario: &mut Scenario,
    files: &mut [ReadFile],
    places: &Places,
    classes: &Classes,
) -> Vec<String> {
    let mut remarks = vec![format!(
        "fio would run on {}: a job named after a class on its hosts, others on all of them.",
        listed(&places.names())
    )];
    add_classes(scenario, classes, &mut remarks);
    times(scenario, files, &mut remarks);
    targets(scenario, files);
    queue_depth(scenario, files, &mut remarks);
    seed(scenario, files);
    told(scenario, &mut remarks);
    let jobs = files.iter().flat_map(|file| &file.jobs);
    let mut random = jobs.filter(|job| job.job.addresses.pattern == AddressPattern::Random);
    if random.any(|job| job.lines.get("norandommap").is_none()) {
        remarks.push(
            "Without norandommap fio goes to every block once before any comes again; here addresses come again by chance.".into(),
        );
    }
    remarks
}

fn add_classes(scenario: &mut Scenario, classes: &Classes, remarks: &mut Vec<String>) {
    let first = scenario.classes[0].clone();
    for name in &classes.new {
        scenario.classes.push(Class { name: name.clone(), ..first.clone() });
    }
    if !classes.new.is_empty() {
        remarks.push(format!("New classes have the settings of {}: {}.", quoted(&first.name), listed(&classes.new)));
    }
    if classes.crowded > 0 {
        remarks.push(format!(
            "A scenario has {} classes at most: {} jobs more are in the last one.",
            limits::classes(),
            classes.crowded
        ));
    }
    let idle: Vec<&str> = scenario
        .classes
        .iter()
        .map(|class| class.name.as_str())
        .filter(|name| scenario.workloads.iter().all(|workload| workload.class != *name))
        .collect();
    if !idle.is_empty() {
        remarks.push(format!("No job is of the class {}, which stays without requests.", listed(&idle)));
    }
}

/// When jobs run, in the run of the scenario.
fn times(scenario: &mut Scenario, files: &mut [ReadFile], remarks: &mut Vec<String>) {
    let spans: Vec<Vec<Span>> = files.iter().map(|file| spans_of(file, scenario.duration_us)).collect();
    let jobs = || files.iter().flat_map(|file| &file.jobs).map(|job| &job.job.times);
    let is_timed = jobs().any(|times| times.runtime_us.is_some());
    let end = spans.iter().flatten().map(|span| span.end).fold(0.0, f64::max);
    let scale = if end > scenario.duration_us { scenario.duration_us / end } else { 1.0 };
    if scale < 1.0 {
        remarks.push(scaled(end, scenario.duration_us, scale));
    } else if is_timed {
        scenario.duration_us = end.max(1.0);
    }
    if !is_timed {
        remarks.push("No job has a runtime: the run is as long as that of the scenario.".into());
    }
    if let Some(us) = warm_up(jobs(), &spans).or(is_timed.then_some(0.0)) {
        scenario.measurement.warmup_us = Some(us * scale);
    }
    let mut index = 0;
    for (file, spans) in files.iter_mut().zip(&spans) {
        for (job, span) in file.jobs.iter().zip(spans) {
            let workload = &mut scenario.workloads[index];
            workload.start_us = span.start * scale;
            let stop_us = span.end * scale;
            workload.stop_us = (stop_us < scenario.duration_us && (span.end < end || !is_timed)).then_some(stop_us);
            tell_times(&mut file.ledger, job, index, scenario, (span, scale));
            index += 1;
        }
    }
}

/// When the jobs of a file run; those that no time ends share the run of the scenario.
fn spans_of(file: &ReadFile, duration_us: f64) -> Vec<Span> {
    let jobs: Vec<(&str, &Times)> = file.jobs.iter().map(|job| (job.name.as_str(), &job.job.times)).collect();
    let slot = duration_us / groups(&jobs).count() as f64;
    spans(&jobs, slot)
}

/// What to say where times do not fit into the run.
fn scaled(end_us: f64, duration_us: f64, scale: f64) -> String {
    let longer = if end_us <= limits::run_us() {
        format!(" To have them as they are, give the scenario a duration of {} µs first.", three_digits(end_us))
    } else {
        String::new()
    };
    format!(
        "The jobs run for {} and the scenario for {}: their times are scaled by {}. A simulated drive settles sooner than a real one.{longer}",
        duration(end_us),
        duration(duration_us),
        three_digits(scale)
    )
}

/// Says what became of the lines of a job that are about times.
fn tell_times(ledger: &mut Ledger, job: &Placed, index: usize, scenario: &Scenario, (span, scale): (&Span, f64)) {
    let mut tell = |option: &str, path: String, us: f64, word: &str| {
        let Some(line) = job.lines.get(option) else { return };
        let to = format!("{word} {}", duration(us));
        if scale < 1.0 {
            let why = format!("Scaled by {}, so that all jobs fit into the run.", three_digits(scale));
            ledger.because(line, path, to, Roughly, why);
        } else {
            ledger.add(line, path, to);
        }
    };
    let workload = &scenario.workloads[index];
    let path = |field: &str| format!("workloads[{index}].{field}");
    tell("startdelay", path("startUs"), workload.start_us, "from");
    tell("wait_for", path("startUs"), workload.start_us, "from");
    if job.job.times.stonewall {
        tell("stonewall", path("startUs"), workload.start_us, "from");
    }
    match workload.stop_us {
        Some(stop_us) => tell("runtime", path("stopUs"), stop_us, "to"),
        None => tell("runtime", "durationUs".into(), scenario.duration_us, "to"),
    }
    let warm_us = scenario.measurement.warmup_us.unwrap_or_default();
    let own_us = span.measured * scale;
    let warm = "measurement.warmupUs";
    if job.job.times.ramp_us == 0 || (own_us - warm_us).abs() <= 1e-6 * warm_us {
        tell("ramp_time", warm.into(), warm_us, "to");
    } else if let Some(line) = job.lines.get("ramp_time") {
        let why = "A run has one warm-up, that of the first jobs.";
        ledger.because(line, warm, format!("to {}", duration(warm_us)), Roughly, why);
    }
    if let Some(line) = job.lines.get("stonewall").filter(|_| !job.job.times.stonewall) {
        ledger.nothing(line, "It is off.");
    }
}

/// When measuring begins by the jobs that start first; none where no job says.
fn warm_up<'a>(jobs: impl Iterator<Item = &'a Times<'a>>, spans: &[Vec<Span>]) -> Option<f64> {
    let with_ramp: Vec<&Span> =
        jobs.zip(spans.iter().flatten()).filter(|(times, _)| times.ramp_us > 0).map(|(_, span)| span).collect();
    let first = with_ramp.iter().map(|span| span.start).fold(f64::INFINITY, f64::min);
    with_ramp.iter().filter(|span| span.start <= first).map(|span| span.measured).reduce(f64::max)
}

/// Latency targets, which classes have.
fn targets(scenario: &mut Scenario, files: &mut [ReadFile]) {
    let mut set: BTreeMap<usize, (f64, Option<f64>)> = BTreeMap::new();
    let mut number = 0;
    for file in files {
        for job in &file.jobs {
            let class = scenario.classes.iter().position(|class| class.name == scenario.workloads[number].class);
            number += 1;
            let (Some(class), Some((us, percentile))) = (class, job.job.target) else { continue };
            let stands = *set.entry(class).or_insert((us, percentile));
            let path = |field: &str| format!("classes[{class}].{field}");
            for (option, field, to) in [
                ("latency_target", "latencyTargetUs", Some(duration(us))),
                ("latency_percentile", "percentile", percentile.map(|percentile| format!("{percentile} %"))),
            ] {
                let (Some(line), Some(to)) = (job.lines.get(option), to) else { continue };
                if stands == (us, percentile) {
                    file.ledger.add(line, path(field), to);
                } else {
                    file.ledger.nothing(line, "Another job of its class has said it before.");
                }
            }
        }
    }
    for (class, (us, percentile)) in set {
        let class = &mut scenario.classes[class];
        class.latency_target_us = Some(us);
        if let Some(percentile) = percentile {
            class.percentile = percentile;
        }
    }
}

/// The queue depth of all workloads: that of jobs with a rate, and as much as those without one keep outstanding.
fn queue_depth(scenario: &mut Scenario, files: &mut [ReadFile], remarks: &mut Vec<String>) {
    let outstanding = scenario.workloads.iter().filter_map(|workload| match workload.traffic {
        Traffic::ClosedLoop { outstanding, .. } => Some(outstanding),
        _ => None,
    });
    let outstanding = outstanding.max().unwrap_or_default();
    let rated = files.iter().flat_map(|file| &file.jobs).filter_map(|job| job.job.queue_depth).max();
    let before = scenario.access.queue_depth;
    let depth = rated.map_or(before.max(outstanding), |rated| rated.max(outstanding));
    scenario.access.queue_depth = depth;
    for file in files {
        for job in &file.jobs {
            let (Some(own), Some(line)) = (job.job.queue_depth, job.lines.get("iodepth")) else { continue };
            if own != depth {
                let why = format!("All workloads have one queue depth, and another job asks for {depth}.");
                file.ledger.because(line, "access.queueDepth", depth.to_string(), Roughly, why);
            } else {
                file.ledger.because(
                    line,
                    "access.queueDepth",
                    depth.to_string(),
                    Exactly,
                    "Requests that find so many in flight wait.",
                );
            }
        }
    }
    if depth != before {
        remarks.push(format!("The queue depth of the scenario is {depth} now, where it was {before}."));
    }
}

fn seed(scenario: &mut Scenario, files: &mut [ReadFile]) {
    let mut set = None;
    for file in files {
        for job in &file.jobs {
            let (Some(seed), Some(line)) = (job.job.seed, job.lines.get("randseed")) else { continue };
            if *set.get_or_insert(seed) == seed {
                file.ledger.add(line, "seed", seed.to_string());
            } else {
                file.ledger.nothing(line, "A scenario has one seed, and another job has said it before.");
            }
        }
    }
    if let Some(seed) = set {
        scenario.seed = seed;
    }
}

/// What was said of workloads that are there no more.
fn told(scenario: &mut Scenario, remarks: &mut Vec<String>) {
    let before = scenario.timeline.len();
    scenario.timeline.retain(|change| !change.path.starts_with("workloads["));
    let gone = before - scenario.timeline.len();
    if gone > 0 {
        remarks.push(format!("Changes of workloads left the timeline with them: {gone}."));
    }
    if scenario.story.take().is_some() {
        remarks.push("The story told of other workloads, and is left out.".into());
    }
}
