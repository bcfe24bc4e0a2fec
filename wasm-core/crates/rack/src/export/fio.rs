//! fio job files: what every initiator runs.

use std::collections::BTreeMap;

use qoscope_engine::scenario::{
    AddressPattern, Addresses, Diagnostic, Hosts, Interarrival, Scenario, Traffic, Workload, size_law,
};
use qoscope_engine::simulation::plan::{Plan, class_of};
use qoscope_engine::workload::laws::SizeLaw;

use super::ledger::Ledger;
use super::page::{Page, number};
use super::words::{listed, slug};
use super::{About, Command, Export, File, How, Mapping, Target, Tool};
use crate::export::scene::Scene;

pub(super) const TOOL: Tool = Tool {
    about: About {
        id: "fio",
        title: "fio job files",
        holds: "workloads as jobs",
        version: "fio 3.33 (fio.readthedocs.io, \"Job file parameters\")",
    },
    mappings: MAPPINGS,
    write,
};

const fn row(from: &'static str, to: &'static str, how: How, why: &'static str) -> Mapping {
    Mapping { from, to, how, why }
}

use How::{Exactly, NotAtAll, Roughly};

const MAPPINGS: &[Mapping] = &[
    row(
        "classes[].name",
        "[section]",
        Exactly,
        "A job is named after its class, its workload's number added where a class has several.",
    ),
    row(
        "workloads[].endpoints",
        "a file for each kind of initiator; filename",
        Exactly,
        "Hosts that do the same have one file. A target is a device of theirs, whose path is yours to give.",
    ),
    row(
        "workloads[].connections",
        "numjobs",
        Exactly,
        "Each connection is a clone of the job, with a queue of its own.",
    ),
    row("workloads[].readFraction", "rw, rwmixread", Exactly, "Per cent of the requests that read."),
    row(
        "workloads[].addresses.pattern",
        "rw, norandommap, random_distribution",
        Exactly,
        "Random addresses are drawn without a map of those that were used, as here.",
    ),
    row("workloads[].addresses.startBytes", "offset", Exactly, "Bytes are bytes."),
    row("workloads[].addresses.lengthBytes", "size", Exactly, "Bytes are bytes."),
    row(
        "workloads[].addresses.alignmentBytes",
        "blockalign",
        Exactly,
        "Random addresses are multiples of it; sequential ones follow each other.",
    ),
    row("workloads[].traffic.size", "bs, bssplit", Exactly, "Sizes with their shares."),
    row("workloads[].traffic.outstanding", "iodepth", Exactly, "Each clone keeps so many requests in flight."),
    row(
        "workloads[].traffic.thinkTimeUs",
        "thinktime, numjobs",
        Exactly,
        "fio pauses a whole job: each of the outstanding requests is a clone with a queue depth of 1, which pauses by itself.",
    ),
    row("workloads[].traffic.thinkTimeDistribution", "", NotAtAll, "fio pauses for the same time always."),
    row(
        "workloads[].traffic.offeredGbps",
        "rate_iops, rate",
        Exactly,
        "Offered bits a second over the bits of a mean request, shared by all clones.",
    ),
    row("workloads[].traffic.gaps", "rate_process", Exactly, "Poisson arrivals, or one after the same time."),
    row("workloads[].traffic.requests", "number_ios", Exactly, "Each clone ends after its part of them."),
    row(
        "workloads[].traffic.file",
        "",
        NotAtAll,
        "fio replays logs of its own and blktrace's (read_iolog), no other trace.",
    ),
    row("workloads[].traffic.of", "", NotAtAll, "Requests of a stand-in are drawn; fio replays logs of its own."),
    row("workloads[].traffic", "", NotAtAll, "Data without end are no requests."),
    row(
        "workloads[].flows",
        "",
        NotAtAll,
        "fio asks a device; whether its requests share a connection is for the driver.",
    ),
    row("workloads[].startUs", "startdelay", Exactly, "Microseconds are microseconds."),
    row("workloads[].startGapUs", "", NotAtAll, "Clones start together."),
    row("workloads[].stopUs", "runtime", Exactly, "From the start, or from the end of the ramp, to the stop."),
    row(
        "durationUs",
        "runtime",
        Exactly,
        "What is left of it after the warm-up; time_based, so that a job goes round its addresses until then.",
    ),
    row("measurement.warmupUs", "ramp_time", Exactly, "fio measures nothing before it has passed."),
    row(
        "access.queueDepth",
        "iodepth",
        Roughly,
        "Requests of an open loop that find so many in flight wait. fio counts latency from when it submits them, so that this wait is not in it.",
    ),
    row("access.protocol", "", NotAtAll, "fio reads and writes what is connected."),
    row(
        "classes[].latencyTargetUs",
        "latency_target",
        Roughly,
        "Not in the jobs, which keep the load of the scenario: in files beside them fio looks for the queue depth that meets it.",
    ),
    row("classes[].percentile", "latency_percentile", Exactly, "Per cent of the requests that must meet the target."),
    row("classes[].nvmePriority", "", NotAtAll, "Linux has one priority of NVMe queues."),
    row("seed", "randseed", Roughly, "fio draws other numbers from the same seed."),
];

/// Most sizes that fio takes (`BSSPLIT_MAX`).
const MAX_SIZES: usize = 64;
/// Parts of equal probability that a law of more sizes is written in.
const PARTS: u32 = 50;
/// What direct I/O is a multiple of, on any device.
const SECTOR_BYTES: u64 = 512;

fn write(scene: &Scene) -> Result<Export, Vec<Diagnostic>> {
    let scenario = scene.scenario;
    let mut writer = Writer { scene, ledger: Ledger::new(scene, MAPPINGS), remarks: Vec::new() };
    let initiators = initiators(scenario)?;
    for (w, workload) in scenario.workloads.iter().enumerate() {
        writer.left_out(w, workload);
    }
    let groups = groups(&initiators, scenario);
    if groups.is_empty() {
        return Err(vec![nothing(scenario)]);
    }
    let (mut files, mut commands) = (Vec::new(), Vec::new());
    for group in &groups {
        let name = file_name(group, &groups, scenario);
        files.push(writer.file(group, &name, false));
        let devices = group.variables().map(|variable| format!("{variable}=/dev/nvme1n1 ")).collect::<String>();
        let mut text = format!("{devices}fio {name}.fio");
        if group.has_targets(scenario) {
            files.push(writer.file(group, &format!("{name}-latency"), true));
            text = format!("{text}\n{devices}fio {name}-latency.fio");
        }
        commands.push(Command { on: format!("On {}", listed(&group.hosts)), text });
    }
    writer.run();
    let Writer { ledger, mut remarks, .. } = writer;
    remarks.insert(0, "Paths of devices are yours: fio takes them from the variables that the commands set, and stops where one is missing.".into());
    if initiators.values().flatten().any(|job| scenario.workloads[job.workload].read_fraction < 1.0) {
        remarks.insert(1, "Jobs that write destroy what is on the device.".into());
    }
    remarks.push("A run is as long as that of the scenario. A real drive needs seconds to settle: raise runtime and ramp_time there.".into());
    let jobs: usize = groups.iter().map(|group| group.jobs.len()).sum();
    let hosts: usize = groups.iter().map(|group| group.hosts.len()).sum();
    Ok(Export {
        target: Target::Fio,
        about: format!("{} for {}", counted(jobs, "job"), counted(hosts, "initiator")),
        files,
        fields: ledger.fields(),
        remarks,
        commands,
    })
}

fn counted(of_them: usize, of: &str) -> String {
    format!("{} {of}{}", number(of_them as f64), if of_them == 1 { "" } else { "s" })
}

/// What to say where no workload can be written.
fn nothing(scenario: &Scenario) -> Diagnostic {
    if scenario.has_devices() {
        let hint = "Give a workload requests of its own: closed loop or open loop.";
        return Diagnostic::new("workloads", "have no requests that fio could issue by itself", hint);
    }
    let hint = "Choose a protocol that reaches storage, such as nvme-tcp or local.";
    Diagnostic::new("access.protocol", "is direct: requests ask no device that fio could test", hint)
}

/// A job of one initiator: the workload, the target, and the connections between them.
#[derive(Clone, Debug, PartialEq)]
struct Job {
    workload: usize,
    target: u32,
    connections: u32,
}

/// The jobs of each initiator that has any, by host number.
fn initiators(scenario: &Scenario) -> Result<BTreeMap<u32, Vec<Job>>, Vec<Diagnostic>> {
    let mut initiators: BTreeMap<u32, Vec<Job>> = BTreeMap::new();
    for application in Plan::new(scenario)?.applications {
        let workload = &scenario.workloads[application.workload];
        let has_jobs = matches!(workload.traffic, Traffic::OpenLoop { .. } | Traffic::ClosedLoop { .. });
        if !has_jobs || !scenario.protocol_of(workload).has_target() {
            continue;
        }
        let jobs = initiators.entry(application.host).or_default();
        let is_same = |job: &&mut Job| job.workload == application.workload && job.target == application.target;
        match jobs.iter_mut().find(is_same) {
            Some(job) => job.connections += 1,
            None => jobs.push(Job { workload: application.workload, target: application.target, connections: 1 }),
        }
    }
    Ok(initiators)
}

/// Initiators that have the same jobs, but for the names of their targets.
struct Group {
    hosts: Vec<String>,
    jobs: Vec<Job>,
    /// By number of the target among those of an initiator: its name, where it is the same for all of them.
    targets: Vec<Option<String>>,
}

impl Group {
    /// The variable of the device of a target.
    fn variable(&self, target: usize) -> String {
        if self.targets.len() == 1 { "DEVICE".into() } else { format!("DEVICE_{}", target + 1) }
    }

    fn variables(&self) -> impl Iterator<Item = String> {
        (0..self.targets.len()).map(|target| self.variable(target))
    }

    /// Whether a job of it keeps a queue depth, and its class has a latency target.
    fn has_targets(&self, scenario: &Scenario) -> bool {
        self.jobs.iter().any(|job| seeks_depth(scenario, &scenario.workloads[job.workload]))
    }
}

/// Whether fio can look for the queue depth that meets the latency target of the class.
fn seeks_depth(scenario: &Scenario, workload: &Workload) -> bool {
    let is_closed = matches!(workload.traffic, Traffic::ClosedLoop { think_time_us, .. } if think_time_us == 0.0);
    is_closed && scenario.classes[class_of(scenario, &workload.class).index()].latency_target_us.is_some()
}

/// The jobs of every initiator; those with the same are one group, in which targets are numbered as they come.
fn groups(initiators: &BTreeMap<u32, Vec<Job>>, scenario: &Scenario) -> Vec<Group> {
    let hosts = Hosts::of(&scenario.topology.shape);
    let name = |number: u32| hosts.name(number).unwrap_or_default();
    let mut groups: Vec<Group> = Vec::new();
    for (&host, jobs) in initiators {
        let mut targets: Vec<u32> = Vec::new();
        let mut numbered = Vec::new();
        for job in jobs {
            let position = targets.iter().position(|&target| target == job.target).unwrap_or_else(|| {
                targets.push(job.target);
                targets.len() - 1
            });
            numbered.push(Job { target: position as u32, ..job.clone() });
        }
        let targets: Vec<Option<String>> = targets.into_iter().map(|target| Some(name(target))).collect();
        match groups.iter_mut().find(|group| group.jobs == numbered) {
            Some(group) => {
                group.hosts.push(name(host));
                for (known, own) in group.targets.iter_mut().zip(targets) {
                    *known = known.take().filter(|known| Some(known) == own.as_ref());
                }
            }
            None => groups.push(Group { hosts: vec![name(host)], jobs: numbered, targets }),
        }
    }
    groups
}

/// The name of the file of a group: its classes, and a number where others have the same ones.
fn file_name(group: &Group, groups: &[Group], scenario: &Scenario) -> String {
    let classes = |group: &Group| {
        let mut names: Vec<String> = Vec::new();
        for job in &group.jobs {
            let name = slug(&scenario.workloads[job.workload].class);
            let name = if name.is_empty() { "class".into() } else { name };
            if !names.contains(&name) {
                names.push(name);
            }
        }
        names.join("-")
    };
    let own = classes(group);
    let same: Vec<&Group> = groups.iter().filter(|other| classes(other) == own).collect();
    let position = same.iter().position(|other| std::ptr::eq(*other, group)).unwrap_or_default();
    if same.len() == 1 { own } else { format!("{own}-{}", position + 1) }
}

struct Writer<'a, 'b> {
    scene: &'a Scene<'b>,
    ledger: Ledger<'a, 'b>,
    remarks: Vec<String>,
}

impl Writer<'_, '_> {
    /// The warm-up in force.
    fn warmup_us(&self) -> f64 {
        self.scene.number("measurement.warmupUs").unwrap_or_default()
    }

    /// What is said of workloads that become no job.
    fn left_out(&mut self, w: usize, workload: &Workload) {
        let path = |field: &str| format!("workloads[{w}].{field}");
        match &workload.traffic {
            Traffic::Trace { file, .. } => self.ledger.add(&path("traffic.file"), file.as_str(), ""),
            Traffic::StandIn { of, .. } => self.ledger.add(&path("traffic.of"), format!("{of:?}"), ""),
            Traffic::Backlogged {} => self.ledger.add(&path("traffic"), "backlogged", ""),
            Traffic::OpenLoop { .. } | Traffic::ClosedLoop { .. } => {}
        }
    }

    /// The file of a group; where `seeks` it looks for the queue depths that meet latency targets.
    fn file(&mut self, group: &Group, name: &str, seeks: bool) -> File {
        let scenario = self.scene.scenario;
        let mut page = Page::default();
        page.line("[global]");
        page.line("ioengine=libaio");
        page.line("direct=1");
        page.line("group_reporting");
        page.line("norandommap");
        page.marked(format!("randseed={}", scenario.seed), format!("seed {}", scenario.seed), None);
        let warmup = self.warmup_us();
        let run = scenario.duration_us - warmup;
        page.line("time_based");
        if warmup > 0.0 {
            page.marked(format!("ramp_time={}", micros(warmup)), format!("warm-up of {} µs", spoken(warmup)), None);
        }
        page.marked(
            format!("runtime={}", micros(run)),
            format!("{} µs − {} µs = {} µs", spoken(scenario.duration_us), spoken(warmup), spoken(run)),
            None,
        );
        let mut names: Vec<String> = Vec::new();
        for job in &group.jobs {
            let workload = &scenario.workloads[job.workload];
            if seeks && !seeks_depth(scenario, workload) {
                continue;
            }
            page.line("");
            self.job(&mut page, group, job, &mut names);
            if seeks {
                self.seek(&mut page, workload, run);
            }
        }
        let about = match (seeks, group.targets.as_slice()) {
            (true, _) => format!("the queue depth that meets the latency target, on {}", listed(&group.hosts)),
            (false, [Some(target)]) => format!("runs on {}, against the storage of {target}", listed(&group.hosts)),
            (false, _) => format!("runs on {}", listed(&group.hosts)),
        };
        page.file(format!("{name}.fio"), about)
    }

    fn job(&mut self, page: &mut Page, group: &Group, job: &Job, names: &mut Vec<String>) {
        let scenario = self.scene.scenario;
        let (w, workload) = (job.workload, &scenario.workloads[job.workload]);
        let class = class_of(scenario, &workload.class).index();
        let path = |field: &str| format!("workloads[{w}].{field}");
        let mut section = section(&workload.class);
        if names.contains(&section) {
            section = format!("{section}-{}", names.len() + 1);
        }
        names.push(section.clone());
        page.marked(format!("[{section}]"), format!("class {}", workload.class), Some(class));
        self.ledger.add(&format!("classes[{class}].name"), workload.class.as_str(), format!("[{section}]"));
        let target = job.target as usize;
        let variable = group.variable(target);
        let of = group.targets[target].as_ref().map_or("its target".into(), |name| format!("target {name}"));
        page.marked(format!("filename=${{{variable}}}"), format!("a device of {of}: its path is yours"), None);
        self.ledger.add(
            &path("endpoints"),
            format!("{} to {of}", listed(&group.hosts)),
            format!("filename=${{{variable}}}"),
        );
        self.operations(page, w, workload, class);
        self.addresses(page, w, &workload.addresses, class);
        let mean_bytes = self.sizes(page, w, workload, class);
        self.load(page, job, mean_bytes, class);
        self.times(page, w, workload, class);
        if self.scene.effective(&path("startGapUs")).is_some_and(|gap| gap.as_f64() > Some(0.0)) {
            self.ledger.add(&path("startGapUs"), format!("{} µs", spoken(workload.start_gap_us)), "");
        }
        if self.scene.effective(&path("flows")).is_some_and(|flows| flows == "per-request") {
            self.ledger.add(&path("flows"), "per request", "");
        }
        let priority = format!("classes[{class}].nvmePriority");
        if let Some(level) = self.scene.effective(&priority).and_then(|level| level.as_str()) {
            self.ledger.elsewhere(&priority, level, Target::Nvme);
        }
        self.ledger.add("access.protocol", scenario.protocol_of(workload).title(), "");
    }

    /// The times of a job that has others than the whole run. fio counts ramp and runtime from the start of the job, one behind the other.
    fn times(&mut self, page: &mut Page, w: usize, workload: &Workload, class: usize) {
        let path = |field: &str| format!("workloads[{w}].{field}");
        let (start, warmup) = (workload.start_us, self.warmup_us());
        if start <= 0.0 && workload.stop_us.is_none() {
            return;
        }
        if start > 0.0 {
            let text = format!("startdelay={}", micros(start));
            page.marked(&text, format!("start after {} µs", spoken(start)), Some(class));
            self.ledger.add(&path("startUs"), format!("{} µs", spoken(start)), text);
        }
        let end = workload.stop_us.unwrap_or(self.scene.scenario.duration_us);
        // What ends before the warm-up has no ramp: fio would go on behind it.
        let ramp = if end > warmup { (warmup - start).max(0.0) } else { 0.0 };
        if warmup > 0.0 && ramp < warmup {
            let from = spoken(start + ramp);
            page.marked(format!("ramp_time={}", micros(ramp)), format!("measured from {from} µs on"), Some(class));
        }
        let text = format!("runtime={}", micros(end - start - ramp));
        let says = format!("{} µs − {} µs", spoken(end), spoken(start + ramp));
        page.marked(&text, says, Some(class));
        if let Some(stop_us) = workload.stop_us {
            self.ledger.add(&path("stopUs"), format!("{} µs", spoken(stop_us)), text);
        }
    }

    fn operations(&mut self, page: &mut Page, w: usize, workload: &Workload, class: usize) {
        let sequential = workload.addresses.pattern == AddressPattern::Sequential;
        let random = if sequential { "" } else { "rand" };
        let read_path = format!("workloads[{w}].readFraction");
        let per_cent = 100.0 * workload.read_fraction;
        let from = format!("{} % reads", spoken(per_cent));
        let whole = libm::round(per_cent);
        let rw = match workload.read_fraction {
            0.0 => format!("rw={random}write"),
            1.0 => format!("rw={random}read"),
            _ => format!("rw={random}rw"),
        };
        page.marked(
            &rw,
            format!("{from}, {} addresses", if sequential { "sequential" } else { "random" }),
            Some(class),
        );
        if workload.read_fraction > 0.0 && workload.read_fraction < 1.0 {
            // With 0 or 100 fio would issue one kind alone.
            let mix = whole.clamp(1.0, 99.0);
            page.marked(format!("rwmixread={mix}"), from.clone(), Some(class));
            let to = format!("{rw}, rwmixread={mix}");
            if (mix - per_cent).abs() < 1e-9 {
                self.ledger.add(&read_path, from, to);
            } else {
                let why = format!("fio takes whole per cents: {} becomes {mix}.", spoken(per_cent));
                self.ledger.because(&read_path, from, to, Roughly, why);
            }
        } else {
            self.ledger.add(&read_path, from, rw);
        }
    }

    fn addresses(&mut self, page: &mut Page, w: usize, addresses: &Addresses, class: usize) {
        let path = |field: &str| format!("workloads[{w}].addresses.{field}");
        match addresses.pattern {
            AddressPattern::Random => self.ledger.add(&path("pattern"), "random", "rw=rand…, norandommap"),
            AddressPattern::Sequential => self.ledger.add(&path("pattern"), "sequential", "rw=read, write or rw"),
            AddressPattern::HotCold { hot_part, hot_requests } => {
                let zones = format!(
                    "random_distribution=zoned:{}/{}:{}/{}",
                    libm::round(100.0 * hot_requests),
                    libm::round(100.0 * hot_part).max(1.0),
                    100.0 - libm::round(100.0 * hot_requests),
                    100.0 - libm::round(100.0 * hot_part).max(1.0)
                );
                let from = format!("{} % of requests to {} %", spoken(100.0 * hot_requests), spoken(100.0 * hot_part));
                page.marked(&zones, from.clone(), Some(class));
                let why = "fio's zones take whole per cents.";
                self.ledger.because(&path("pattern"), from, zones, Roughly, why);
            }
        }
        if addresses.start_bytes > 0 {
            let text = format!("offset={}", addresses.start_bytes);
            let from = format!("{} B", number(addresses.start_bytes as f64));
            page.marked(&text, format!("from {from}"), Some(class));
            self.ledger.add(&path("startBytes"), from, text);
        }
        if let Some(bytes) = addresses.length_bytes {
            let text = format!("size={bytes}");
            let from = format!("{} B", number(bytes as f64));
            page.marked(&text, format!("working set of {from}"), Some(class));
            self.ledger.add(&path("lengthBytes"), from, text);
        }
        if let Some(bytes) = addresses.alignment_bytes {
            let text = format!("blockalign={bytes}");
            let from = format!("{} B", number(f64::from(bytes)));
            page.marked(&text, format!("multiples of {from}"), Some(class));
            self.ledger.add(&path("alignmentBytes"), from, text);
        }
    }

    /// Writes the sizes of requests. Returns the mean of those that are written, in bytes.
    fn sizes(&mut self, page: &mut Page, w: usize, workload: &Workload, class: usize) -> f64 {
        let law = size_law(&workload.traffic);
        let sizes = Sizes::of(&law);
        let mean_bytes = sizes.mean_bytes();
        let from = match &law {
            SizeLaw::Fixed(bytes) => format!("{} B", number(*bytes as f64)),
            SizeLaw::Blocks { minimum, maximum, block_bytes } => {
                format!("{minimum} to {maximum} blocks of {} B", number(*block_bytes as f64))
            }
            SizeLaw::Choice(sizes) => format!("one of {} sizes", sizes.len()),
            SizeLaw::Exponential(_) => format!("exponential, mean {} B", spoken(law.mean_bytes())),
            SizeLaw::Empirical(_) => format!("distribution, mean {} B", spoken(law.mean_bytes())),
        };
        let line = sizes.line();
        let path = format!("workloads[{w}].traffic.size");
        let short = match sizes.parts.as_slice() {
            [_] => line.clone(),
            parts => format!("bssplit of {} sizes", parts.len()),
        };
        let says = if sizes.exact {
            from.clone()
        } else {
            format!(
                "{from}: {} sizes, mean {} B for {} B",
                sizes.parts.len(),
                spoken(mean_bytes),
                spoken(law.mean_bytes())
            )
        };
        page.marked(line, says, Some(class));
        if sizes.exact {
            self.ledger.add(&path, from, short);
        } else {
            let error = 100.0 * (mean_bytes / law.mean_bytes() - 1.0);
            let why = format!(
                "fio takes {MAX_SIZES} sizes of whole sectors at most, with shares of whole per cents. The mean is {error:+.1} % off."
            );
            self.ledger.because(&path, from, short, Roughly, why);
        }
        mean_bytes
    }

    fn load(&mut self, page: &mut Page, job: &Job, mean_bytes: f64, class: usize) {
        let scenario = self.scene.scenario;
        let (w, workload) = (job.workload, &scenario.workloads[job.workload]);
        let path = |field: &str| format!("workloads[{w}].{field}");
        let connections = job.connections;
        let clones = |page: &mut Page, number: u32, says: String| {
            if number > 1 {
                page.marked(format!("numjobs={number}"), says, Some(class));
            }
        };
        let of_pair = format!("{connections} per pair");
        match &workload.traffic {
            Traffic::ClosedLoop { outstanding, requests, think_time_us, think_time_distribution, .. } => {
                let kept = format!("{} outstanding", number(f64::from(*outstanding)));
                if *think_time_us > 0.0 {
                    let total = outstanding * connections;
                    page.marked("iodepth=1", format!("{kept}, each a clone that pauses"), Some(class));
                    clones(page, total, format!("{outstanding} × {connections} = {total} clones"));
                    let think = format!("thinktime={}", micros(*think_time_us));
                    page.marked(&think, format!("think time of {} µs", spoken(*think_time_us)), Some(class));
                    self.ledger.add(&path("traffic.outstanding"), kept, format!("numjobs={total}, iodepth=1"));
                    self.ledger.add(&path("traffic.thinkTimeUs"), format!("{} µs", spoken(*think_time_us)), think);
                    if *think_time_distribution != Interarrival::Constant {
                        let from = format!("{think_time_distribution:?}").to_lowercase();
                        self.ledger.add(&path("traffic.thinkTimeDistribution"), from, "");
                    }
                    self.ledger.add(&path("connections"), of_pair, format!("numjobs={total}"));
                } else {
                    page.marked(format!("iodepth={outstanding}"), kept.clone(), Some(class));
                    clones(page, connections, of_pair.clone());
                    self.ledger.add(&path("traffic.outstanding"), kept, format!("iodepth={outstanding}"));
                    self.ledger.add(&path("connections"), of_pair, format!("numjobs={connections}"));
                }
                if let Some(requests) = requests {
                    self.requests(page, &path("traffic.requests"), *requests, 1, class);
                }
            }
            Traffic::OpenLoop { offered_gbps, gaps, requests, .. } => {
                let depth = scenario.access.queue_depth;
                page.marked(format!("iodepth={depth}"), format!("queue depth {depth}"), Some(class));
                self.ledger.add("access.queueDepth", format!("{depth} commands"), format!("iodepth={depth}"));
                clones(page, connections, of_pair.clone());
                self.ledger.add(&path("connections"), of_pair, format!("numjobs={connections}"));
                let sources = self.sources(w);
                let rate = Rate { gbps: offered_gbps / f64::from(sources), mean_bytes, reads: workload.read_fraction };
                let poisson = *gaps == Interarrival::Exponential && rate.is_whole_enough();
                let line = if poisson { rate.requests() } else { rate.bytes() };
                let says = format!(
                    "{} Gb/s ÷ {sources} ÷ (8 × {} B) = {} IOPS",
                    spoken(*offered_gbps),
                    spoken(mean_bytes),
                    spoken(rate.iops())
                );
                page.marked(&line, says, Some(class));
                self.ledger.add(&path("traffic.offeredGbps"), format!("{} Gb/s", spoken(*offered_gbps)), line);
                let process = if poisson { "rate_process=poisson" } else { "rate_process=linear" };
                page.marked(process, format!("{gaps:?} inter-arrival times").to_lowercase(), Some(class));
                let from = format!("{gaps:?}").to_lowercase();
                match gaps {
                    Interarrival::Exponential if !poisson => {
                        let why = "Too few requests for fio, which takes whole numbers of them a second: they come in equal steps.";
                        self.ledger.because(&path("traffic.gaps"), from, process, Roughly, why);
                    }
                    Interarrival::Uniform => {
                        let why = "fio knows Poisson arrivals and equal steps, which are nearer.";
                        self.ledger.because(&path("traffic.gaps"), from, process, Roughly, why);
                    }
                    Interarrival::Exponential | Interarrival::Constant => {
                        self.ledger.add(&path("traffic.gaps"), from, process);
                    }
                }
                if let Some(requests) = requests {
                    self.requests(page, &path("traffic.requests"), *requests, sources, class);
                }
            }
            Traffic::Backlogged {} | Traffic::Trace { .. } | Traffic::StandIn { .. } => {}
        }
    }

    /// The connections over which the load of a workload is spread.
    fn sources(&self, w: usize) -> u32 {
        // `initiators` has laid out the same scenario.
        Plan::new(self.scene.scenario).map_or(1, |plan| plan.applications_of_workload[w])
    }

    fn requests(&mut self, page: &mut Page, path: &str, requests: u64, sources: u32, class: usize) {
        let own = requests.div_ceil(u64::from(sources));
        let from = format!("{} requests", number(requests as f64));
        let says = if sources > 1 { format!("{from} ÷ {sources}") } else { from.clone() };
        page.marked(format!("number_ios={own}"), says, Some(class));
        self.ledger.add(path, from, format!("number_ios={own}"));
    }

    fn seek(&mut self, page: &mut Page, workload: &Workload, run_us: f64) {
        let scenario = self.scene.scenario;
        let number = class_of(scenario, &workload.class).index();
        let class = &scenario.classes[number];
        let Some(target_us) = class.latency_target_us else { return };
        let target = format!("latency_target={}", micros(target_us));
        page.marked(&target, format!("latency target of {} µs", spoken(target_us)), Some(number));
        let percentile = format!("latency_percentile={}", class.percentile);
        page.marked(&percentile, format!("{} % of the requests meet it", spoken(class.percentile)), Some(number));
        page.marked(format!("latency_window={}", micros(run_us)), "looks at whole runs", Some(number));
        self.ledger.add(
            &format!("classes[{number}].percentile"),
            format!("{} %", spoken(class.percentile)),
            percentile,
        );
    }

    /// What is the same for all files.
    fn run(&mut self) {
        let scenario = self.scene.scenario;
        let warmup = self.warmup_us();
        let run = micros(scenario.duration_us - warmup);
        self.ledger.add("durationUs", format!("{} µs", spoken(scenario.duration_us)), format!("runtime={run}"));
        if warmup > 0.0 {
            self.ledger.add(
                "measurement.warmupUs",
                format!("{} µs", spoken(warmup)),
                format!("ramp_time={}", micros(warmup)),
            );
        }
        self.ledger.add("seed", scenario.seed.to_string(), format!("randseed={}", scenario.seed));
        for (number, class) in scenario.classes.iter().enumerate() {
            let Some(target_us) = class.latency_target_us else { continue };
            let path = format!("classes[{number}].latencyTargetUs");
            let from = format!("{} µs", spoken(target_us));
            let mut own = scenario.workloads.iter().filter(|workload| workload.class == class.name);
            if own.any(|workload| seeks_depth(scenario, workload)) {
                self.ledger.add(&path, from, format!("latency_target={}", micros(target_us)));
            } else {
                let why =
                    "fio meets it by its queue depth, and an open loop does not choose one: compare its percentiles.";
                self.ledger.because(&path, from, "", NotAtAll, why);
            }
        }
    }
}

/// The section of a class: its name, without what fio takes for something else.
pub(crate) fn section(class: &str) -> String {
    let name = class.replace(['[', ']', ';', '#'], "_");
    // Sections that begin so are no jobs to fio.
    if name.starts_with("global") { format!("_{name}") } else { name }
}

/// A time as fio takes it: whole microseconds.
fn micros(us: f64) -> String {
    format!("{}us", libm::round(us).max(0.0))
}

/// A number in a sentence: whole where it is large, with three digits where it is not.
fn spoken(value: f64) -> String {
    if value >= 1000.0 || libm::trunc(value) == value {
        return number(libm::round(value));
    }
    let digits = if value >= 100.0 {
        1
    } else if value >= 10.0 {
        2
    } else {
        3
    };
    let text = format!("{value:.digits$}");
    text.trim_end_matches('0').trim_end_matches('.').into()
}

/// The load of one clone.
struct Rate {
    gbps: f64,
    mean_bytes: f64,
    reads: f64,
}

impl Rate {
    fn iops(&self) -> f64 {
        self.gbps * 1e9 / 8.0 / self.mean_bytes
    }

    /// Whether whole numbers of requests a second come within a hundredth of it, reads and writes each.
    fn is_whole_enough(&self) -> bool {
        let is_close = |iops: f64| iops == 0.0 || (libm::round(iops) / iops - 1.0).abs() < 0.01;
        is_close(self.iops() * self.reads) && is_close(self.iops() * (1.0 - self.reads))
    }

    fn requests(&self) -> String {
        self.written("rate_iops", self.iops())
    }

    fn bytes(&self) -> String {
        self.written("rate", self.gbps * 1e9 / 8.0)
    }

    /// Of reads and of writes; of one kind alone where there is but one.
    fn written(&self, option: &str, both: f64) -> String {
        let (reads, writes) = (libm::round(both * self.reads), libm::round(both * (1.0 - self.reads)));
        if self.reads > 0.0 && self.reads < 1.0 {
            format!("{option}={},{}", reads.max(1.0), writes.max(1.0))
        } else {
            format!("{option}={}", (reads + writes).max(1.0))
        }
    }
}

/// Sizes in bytes with their shares in per cent, which make a hundred.
struct Sizes {
    parts: Vec<(u64, u32)>,
    exact: bool,
}

impl Sizes {
    fn of(law: &SizeLaw) -> Self {
        match law {
            SizeLaw::Fixed(bytes) => Self::alike(&[*bytes]),
            SizeLaw::Blocks { minimum, maximum, block_bytes } if (maximum - minimum) < MAX_SIZES as u64 => {
                Self::alike(&(*minimum..=*maximum).map(|blocks| blocks * block_bytes).collect::<Vec<_>>())
            }
            SizeLaw::Choice(sizes) if sizes.len() <= MAX_SIZES => Self::alike(sizes),
            _ => Self::in_parts(law),
        }
    }

    /// Sizes that are equally likely, each as often as it is given.
    fn alike(sizes: &[u64]) -> Self {
        let mut counts: BTreeMap<u64, usize> = BTreeMap::new();
        for &bytes in sizes {
            *counts.entry(in_sectors(bytes)).or_default() += 1;
        }
        let even = counts.values().all(|count| (100 * count).is_multiple_of(sizes.len()));
        let exact = even && sizes.iter().all(|&bytes| in_sectors(bytes) == bytes);
        // Each is given the whole per cents that those up to it have together, but for those before it.
        let (mut before, mut given) = (0, 0);
        let parts = counts.into_iter().map(|(bytes, count)| {
            before += count;
            let up_to = ((200 * before + sizes.len()) / (2 * sizes.len())) as u32;
            let share = up_to - given;
            given = up_to;
            (bytes, share)
        });
        Self { parts: parts.filter(|&(_, share)| share > 0).collect(), exact }
    }

    /// Parts of equal probability, each with its mean.
    fn in_parts(law: &SizeLaw) -> Self {
        /// Points of a part over which the mean is taken.
        const POINTS: u32 = 100;
        // Sizes stay whole blocks where they are: a drive of 4 KiB sectors takes nothing else.
        let grain = match law {
            SizeLaw::Blocks { block_bytes, .. } if block_bytes.is_multiple_of(SECTOR_BYTES) => *block_bytes,
            _ => SECTOR_BYTES,
        };
        let mut parts: Vec<(u64, u32)> = Vec::new();
        for part in 0..PARTS {
            let at = |point: u32| (f64::from(part * POINTS + point) + 0.5) / f64::from(PARTS * POINTS);
            let mean = (0..POINTS).map(|point| quantile(law, at(point))).sum::<f64>() / f64::from(POINTS);
            let bytes = rounded_to(grain, libm::round(mean) as u64);
            match parts.last_mut() {
                Some((last, share)) if *last == bytes => *share += 100 / PARTS,
                _ => parts.push((bytes, 100 / PARTS)),
            }
        }
        Self { parts, exact: false }
    }

    fn mean_bytes(&self) -> f64 {
        self.parts.iter().map(|&(bytes, share)| bytes as f64 * f64::from(share)).sum::<f64>() / 100.0
    }

    fn line(&self) -> String {
        match self.parts.as_slice() {
            [(bytes, _)] => format!("bs={bytes}"),
            parts => {
                let parts: Vec<String> = parts.iter().map(|(bytes, share)| format!("{bytes}/{share}")).collect();
                format!("bssplit={}", parts.join(":"))
            }
        }
    }
}

/// The nearest size of whole sectors, one at least.
fn in_sectors(bytes: u64) -> u64 {
    rounded_to(SECTOR_BYTES, bytes)
}

/// The nearest multiple of `grain`, once at least.
fn rounded_to(grain: u64, bytes: u64) -> u64 {
    ((bytes + grain / 2) / grain).max(1) * grain
}

/// The size that a part `share` of the requests does not exceed.
fn quantile(law: &SizeLaw, share: f64) -> f64 {
    match law {
        SizeLaw::Fixed(bytes) => *bytes as f64,
        SizeLaw::Blocks { minimum, maximum, block_bytes } => {
            let blocks = (maximum - minimum + 1) as f64;
            (*minimum as f64 + libm::floor(share * blocks)) * *block_bytes as f64
        }
        SizeLaw::Exponential(mean) => -mean * libm::log1p(-share),
        SizeLaw::Choice(sizes) => {
            let mut sorted = sizes.clone();
            sorted.sort_unstable();
            sorted[libm::floor(share * sorted.len() as f64) as usize] as f64
        }
        SizeLaw::Empirical(points) => {
            let per_cent = 100.0 * share;
            let above = points.iter().position(|&(_, up_to)| up_to >= per_cent).unwrap_or(points.len() - 1);
            let (bytes, up_to) = points[above];
            let Some(&(before, from)) = above.checked_sub(1).and_then(|before| points.get(before)) else {
                return bytes;
            };
            if up_to > from { before + (bytes - before) * (per_cent - from) / (up_to - from) } else { bytes }
        }
    }
}
