//! fio job files: what every initiator runs.

mod mappings;
mod rate;
mod sizes;

use qoscope_engine::scenario::{
    AddressPattern, Addresses, Diagnostic, Interarrival, Scenario, Traffic, Workload, size_law,
};
use qoscope_engine::simulation::plan::{Plan, class_of};
use qoscope_engine::text::{counted, with_digits};
use qoscope_engine::workload::laws::SizeLaw;

use super::How::{NotAtAll, Roughly};
use super::initiators::{Group, Job, file_name, groups, initiators};
use super::ledger::Ledger;
use super::page::{Page, number};
use super::scene::Scene;
use super::words::listed;
use super::{About, Command, Export, File, Kind, Target, Tool};
use mappings::MAPPINGS;
use rate::Rate;
use sizes::{MAX_SIZES, Sizes};

pub(super) const TOOL: Tool = Tool {
    about: About {
        id: "fio",
        title: "fio job files",
        kind: Kind::Settings,
        holds: "workloads as jobs",
        version: "fio 3.33 (fio.readthedocs.io, \"Job file parameters\")",
    },
    mappings: MAPPINGS,
    write,
};

fn write(scene: &Scene) -> Result<Export, Vec<Diagnostic>> {
    let scenario = scene.scenario;
    let mut writer = Writer { scene, ledger: Ledger::new(scene, MAPPINGS), remarks: Vec::new() };
    let initiators = initiators(scenario, |workload| {
        let has_jobs = matches!(workload.traffic, Traffic::OpenLoop { .. } | Traffic::ClosedLoop { .. });
        has_jobs && scenario.protocol_of(workload).has_target()
    })?;
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
        let devices = group.variables("DEVICE").map(|variable| format!("{variable}=/dev/nvme1n1 ")).collect::<String>();
        let mut text = format!("{devices}fio {name}.fio");
        if has_targets(group, scenario) {
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
        about: format!("{} for {}", counted(jobs as u64, "job"), counted(hosts as u64, "initiator")),
        files,
        fields: ledger.fields(),
        remarks,
        commands,
    })
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

/// Whether a job keeps a queue depth, and its class has a latency target.
fn has_targets(group: &Group, scenario: &Scenario) -> bool {
    group.jobs.iter().any(|job| seeks_depth(scenario, &scenario.workloads[job.workload]))
}

/// Whether fio can look for the queue depth that meets the latency target of the class.
fn seeks_depth(scenario: &Scenario, workload: &Workload) -> bool {
    let is_closed = matches!(workload.traffic, Traffic::ClosedLoop { think_time_us, .. } if think_time_us == 0.0);
    is_closed && scenario.classes[class_of(scenario, &workload.class).index()].latency_target_us.is_some()
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
            page.marked(
                format!("ramp_time={}", micros(warmup)),
                format!("warm-up of {} µs", with_digits(warmup, 4)),
                None,
            );
        }
        page.marked(
            format!("runtime={}", micros(run)),
            format!(
                "{} µs − {} µs = {} µs",
                with_digits(scenario.duration_us, 4),
                with_digits(warmup, 4),
                with_digits(run, 4)
            ),
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
        let variable = group.variable("DEVICE", target);
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
            self.ledger.add(&path("startGapUs"), format!("{} µs", with_digits(workload.start_gap_us, 4)), "");
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
            page.marked(&text, format!("start after {} µs", with_digits(start, 4)), Some(class));
            self.ledger.add(&path("startUs"), format!("{} µs", with_digits(start, 4)), text);
        }
        let end = workload.stop_us.unwrap_or(self.scene.scenario.duration_us);
        // What ends before the warm-up has no ramp: fio would go on behind it.
        let ramp = if end > warmup { (warmup - start).max(0.0) } else { 0.0 };
        if warmup > 0.0 && ramp < warmup {
            let from = with_digits(start + ramp, 4);
            page.marked(format!("ramp_time={}", micros(ramp)), format!("measured from {from} µs on"), Some(class));
        }
        let text = format!("runtime={}", micros(end - start - ramp));
        let says = format!("{} µs − {} µs", with_digits(end, 4), with_digits(start + ramp, 4));
        page.marked(&text, says, Some(class));
        if let Some(stop_us) = workload.stop_us {
            self.ledger.add(&path("stopUs"), format!("{} µs", with_digits(stop_us, 4)), text);
        }
    }

    fn operations(&mut self, page: &mut Page, w: usize, workload: &Workload, class: usize) {
        let sequential = workload.addresses.pattern == AddressPattern::Sequential;
        let random = if sequential { "" } else { "rand" };
        let read_path = format!("workloads[{w}].readFraction");
        let per_cent = 100.0 * workload.read_fraction;
        let from = format!("{} % reads", with_digits(per_cent, 4));
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
                let why = format!("fio takes whole per cents: {} becomes {mix}.", with_digits(per_cent, 4));
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
                let from = format!(
                    "{} % of requests to {} %",
                    with_digits(100.0 * hot_requests, 4),
                    with_digits(100.0 * hot_part, 4)
                );
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
            SizeLaw::Exponential(_) => format!("exponential, mean {} B", with_digits(law.mean_bytes(), 4)),
            SizeLaw::Empirical(_) => format!("distribution, mean {} B", with_digits(law.mean_bytes(), 4)),
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
                with_digits(mean_bytes, 4),
                with_digits(law.mean_bytes(), 4)
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
                    page.marked(&think, format!("think time of {} µs", with_digits(*think_time_us, 4)), Some(class));
                    self.ledger.add(&path("traffic.outstanding"), kept, format!("numjobs={total}, iodepth=1"));
                    self.ledger.add(
                        &path("traffic.thinkTimeUs"),
                        format!("{} µs", with_digits(*think_time_us, 4)),
                        think,
                    );
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
                    with_digits(*offered_gbps, 4),
                    with_digits(mean_bytes, 4),
                    with_digits(rate.iops(), 4)
                );
                page.marked(&line, says, Some(class));
                self.ledger.add(&path("traffic.offeredGbps"), format!("{} Gb/s", with_digits(*offered_gbps, 4)), line);
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
        page.marked(&target, format!("latency target of {} µs", with_digits(target_us, 4)), Some(number));
        let percentile = format!("latency_percentile={}", class.percentile);
        page.marked(
            &percentile,
            format!("{} % of the requests meet it", with_digits(class.percentile, 4)),
            Some(number),
        );
        page.marked(format!("latency_window={}", micros(run_us)), "looks at whole runs", Some(number));
        self.ledger.add(
            &format!("classes[{number}].percentile"),
            format!("{} %", with_digits(class.percentile, 4)),
            percentile,
        );
    }

    /// What is the same for all files.
    fn run(&mut self) {
        let scenario = self.scene.scenario;
        let warmup = self.warmup_us();
        let run = micros(scenario.duration_us - warmup);
        self.ledger.add("durationUs", format!("{} µs", with_digits(scenario.duration_us, 4)), format!("runtime={run}"));
        if warmup > 0.0 {
            self.ledger.add(
                "measurement.warmupUs",
                format!("{} µs", with_digits(warmup, 4)),
                format!("ramp_time={}", micros(warmup)),
            );
        }
        self.ledger.add("seed", scenario.seed.to_string(), format!("randseed={}", scenario.seed));
        for (number, class) in scenario.classes.iter().enumerate() {
            let Some(target_us) = class.latency_target_us else { continue };
            let path = format!("classes[{number}].latencyTargetUs");
            let from = format!("{} µs", with_digits(target_us, 4));
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
