//! MQSim: the SSD of a scenario and what is asked of it, for a second opinion.
//!
//! What MQSim makes of its files is known from runs of it at commit 7ec40e3 of CMU-SAFARI/MQSim, from which the reference cases are (docs/validation.md), and from
//! its sources, each named with the commit at which it was read.

mod device;
mod flows;
mod mappings;
mod workload;
mod xml;

use std::collections::BTreeSet;

use qoscope_engine::scenario::{Diagnostic, Scenario, TraceFormat, Traffic};
use qoscope_engine::simulation::devices;
use qoscope_engine::simulation::plan::Plan;
use qoscope_engine::storage::DeviceKind;
use qoscope_engine::storage::ssd::parameters::Precondition;
use qoscope_engine::text::{counted, with_unit};
use serde_json::{Value, json};

use super::How::Exactly;
use super::ledger::Ledger;
use super::page::number;
use super::scene::Scene;
use super::words::{listed, slug};
use super::{About, Command, Export, File, Kind, Target, Tool};
use flows::Group;
use mappings::MAPPINGS;

pub(super) const TOOL: Tool = Tool {
    about: About {
        id: "mqsim",
        title: "MQSim",
        kind: Kind::Simulator,
        holds: "SSD, workloads",
        version: "MQSim of CMU-SAFARI at commit 7ec40e3 (github.com/CMU-SAFARI/MQSim, src/exec)",
    },
    mappings: MAPPINGS,
    write,
};

/// What is needed to write: the scenario, what became of its fields, and what is to be known.
struct Writer<'a, 'b> {
    scene: &'a Scene<'b>,
    ledger: Ledger<'a, 'b>,
    plan: &'a Plan,
}

fn write(scene: &Scene) -> Result<Export, Vec<Diagnostic>> {
    let scenario = scene.scenario;
    let plan = Plan::new(scenario)?;
    refuse(scenario, &plan)?;
    let groups = flows::groups(scenario, &plan)?;
    let most = groups.iter().map(|group| group.flows.len()).max().unwrap_or_default();
    let mut writer = Writer { scene, ledger: Ledger::new(scene, MAPPINGS), plan: &plan };
    let (config, own) = device::file(&mut writer, most);
    let mut own: Vec<&str> = own;
    // SSDs whose flows differ in nothing that MQSim is told share a file, too.
    let mut workloads: Vec<(Vec<String>, File)> = Vec::new();
    for group in &groups {
        let (file, of_flows) = workload::file(&mut writer, group);
        own.extend(of_flows);
        match workloads.iter_mut().find(|(_, other)| other.text == file.text) {
            Some((names, _)) => names.extend(group.names.iter().cloned()),
            None => workloads.push((group.names.clone(), file)),
        }
    }
    name_files(&mut workloads);
    writer.rest(&groups, workloads.len());
    let lines: Vec<String> =
        workloads.iter().map(|(_, file)| format!("./MQSim -i ssdconfig.xml -w {} < /dev/null", file.name)).collect();
    let mut files = vec![config];
    files.extend(workloads.into_iter().map(|(_, file)| file));
    let ssds: usize = groups.iter().map(|group| group.names.len()).sum();
    let flows: usize = groups.iter().map(|group| group.flows.len() * group.names.len()).sum();
    Ok(Export {
        target: Target::Mqsim,
        about: format!("{}, {}", counted(ssds as u64, "SSD"), counted(flows as u64, "flow")),
        files,
        fields: writer.ledger.fields(),
        remarks: remarks(scenario, ssds, most, &own),
        commands: vec![Command { on: "Where MQSim is built".into(), text: lines.join("\n") }],
    })
}

/// Why MQSim can have nothing of the scenario.
fn refuse(scenario: &Scenario, plan: &Plan) -> Result<(), Vec<Diagnostic>> {
    let refused = |path: &str, reason: String, hint: &str| Err(vec![Diagnostic::new(path, reason, hint)]);
    if !scenario.has_devices() {
        let hint = "Choose a protocol that reaches storage, such as nvme-tcp or local.";
        return refused("access.protocol", "is direct: requests ask no SSD that MQSim could simulate".into(), hint);
    }
    let reaches_ssd = |(w, workload): (usize, &_)| {
        let mut own = plan.applications.iter().filter(|of| of.workload == w);
        scenario.protocol_of(workload).has_target()
            && own.any(|of| kind_of(scenario, plan, w, of.target) == DeviceKind::Ssd)
    };
    let asked: Vec<usize> =
        scenario.workloads.iter().enumerate().filter(|&of| reaches_ssd(of)).map(|(w, _)| w).collect();
    let Some(&first) = asked.first() else {
        let reason = "hold no SSD that is asked for anything: MQSim simulates nothing else";
        return refused(
            "storage.servers",
            reason.into(),
            "Give a server that requests go to a device of the kind ssd.",
        );
    };
    if !asked.iter().any(|&w| flows::has_flow(scenario, w)) {
        let path = format!("workloads[{first}].traffic");
        let reason = "is a trace of another format: MQSim reads five columns of its own".into();
        return refused(&path, reason, "Give a workload requests of its own, or a trace in the format mqsim.");
    }
    // Products of 32 bits in `src/utils/Logical_Address_Partitioning_Unit.cpp` (c0af1d8).
    let sizes = devices::ssd(scenario).geometry;
    let sectors = u64::from(sizes.blocks_per_plane) * u64::from(sizes.pages_per_block) * u64::from(sizes.page_bytes)
        / flows::SECTOR_BYTES;
    if sectors > u64::from(u32::MAX) {
        let reason = format!("make a plane of {} sectors: MQSim counts them in 32 bits", number(sectors as f64));
        return refused("storage.ssd.blocksPerPlane", reason, "Give planes fewer blocks, and the SSD more planes.");
    }
    Ok(())
}

/// The kind of devices that a workload goes to at a host.
fn kind_of(scenario: &Scenario, plan: &Plan, workload: usize, host: u32) -> DeviceKind {
    let name = &plan.graph.nodes()[plan.graph.hosts()[host as usize].index()].name;
    devices::kind_at(scenario, name, scenario.workloads[workload].devices)
}

/// Whether MQSim reads traces of this format. Where none is stated it is taken at its word that the file is one of its own.
fn is_own_format(format: TraceFormat) -> bool {
    matches!(format, TraceFormat::Auto | TraceFormat::Mqsim)
}

/// Names each file, after its first SSD where there are several, and says whose flows it has.
fn name_files(workloads: &mut [(Vec<String>, File)]) {
    let single = workloads.len() == 1;
    let mut taken = BTreeSet::new();
    for (position, (ssds, file)) in workloads.iter_mut().enumerate() {
        let own = ssds.first().map(|name| slug(name)).unwrap_or_default();
        file.name = match own.as_str() {
            _ if single => "workload.xml".into(),
            own if !own.is_empty() && taken.insert(own.to_owned()) => format!("workload-{own}.xml"),
            _ => format!("workload-no-{}.xml", position + 1),
        };
        file.about = format!("the flows of {}", listed(ssds));
    }
}

/// What must be known before the files are used.
fn remarks(scenario: &Scenario, ssds: usize, flows: usize, own: &[&str]) -> Vec<String> {
    let mut remarks = vec![
        "A second opinion on the storage alone: MQSim simulates one SSD and no network. What hosts, switches, protocol and software add here is not in its latencies.".to_owned(),
        "MQSim reports device and end-to-end times of each flow in workload_scenario_1.xml, in whole microseconds.".to_owned(),
    ];
    if ssds > 1 {
        remarks.push(format!("{ssds} SSDs are as many runs of MQSim, where those with the same flows share a file: nothing that happens at one is felt at another."));
    }
    if flows > 1 {
        remarks.push("Flows of MQSim never share addresses: each has its part of the SSD.".into());
    }
    let collects = devices::ssd(scenario).precondition != Precondition::Empty
        && scenario.workloads.iter().any(|workload| workload.read_fraction < 1.0);
    if collects {
        remarks.push("Preconditioning takes MQSim minutes. Once it collects garbage, this commit loses requests that find their page locked, so that queues run empty (its issue 30).".into());
    }
    if devices::ssd(scenario).live.gc_preemptible {
        remarks.push(
            "With Preemptible_GC_Enabled a run of this commit may not come to its end: set it to false then.".into(),
        );
    }
    if !scenario.timeline.is_empty() {
        remarks.push(format!(
            "Settings are those at the start; {} changes follow during the run.",
            scenario.timeline.len()
        ));
    }
    let mut names: Vec<&str> = Vec::new();
    own.iter().for_each(|name| {
        if !names.contains(name) {
            names.push(name);
        }
    });
    remarks
        .push(format!("The scenario holds nothing for these, which have values of MQSim's own: {}.", names.join(", ")));
    remarks
}

impl Writer<'_, '_> {
    /// A number of a field, with its unit.
    fn measured(&self, path: &str, value: f64) -> String {
        let unit = self.scene.field(path).and_then(|field| field.unit.as_deref()).unwrap_or_default();
        let unit = match unit {
            "bytes" => "B",
            // Of one command, not of MB/s.
            words if (value - 1.0).abs() == 0.0 && words.len() > 2 && !words.contains('/') => {
                words.trim_end_matches('s')
            }
            unit => unit,
        };
        with_unit(&number(value), unit)
    }

    /// The word that a field holds, as the screen has it.
    fn chosen(&self, path: &str) -> String {
        self.worded(path, &self.scene.explained(path).map_or(Value::Null, |explained| explained.value.clone()))
    }

    /// A word that a field may hold, as the screen has it.
    fn worded(&self, path: &str, word: &Value) -> String {
        let options = self.scene.field(path).map_or(&[][..], |field| &field.options);
        let title = options.iter().find(|choice| *word == choice.value.as_str()).map(|choice| choice.title.clone());
        title.unwrap_or_else(|| match word {
            Value::Bool(on) => true_or_false(*on).into(),
            Value::String(word) => word.clone(),
            other => other.to_string(),
        })
    }

    /// What a field is called.
    fn title(&self, path: &str) -> String {
        self.scene.field(path).map_or_else(|| path.into(), |field| field.title.clone())
    }

    /// Connections of a workload, to all its targets.
    fn connections(&self, workload: usize) -> u32 {
        self.plan.applications_of_workload[workload]
    }

    /// The seed of the SSD (0) or of a flow (from 1 on): a positive `int`. A flow takes up to six from its own on.
    fn seed(&self, number: usize) -> u64 {
        /// Room for as many flows below the greatest `int`.
        const MOST_SEED: u64 = 2_000_000_000;
        self.scene.scenario.seed % MOST_SEED + 1 + 10 * number as u64
    }

    /// What is the same for all SSDs, and what MQSim has nothing for.
    fn rest(&mut self, groups: &[Group], files: usize) {
        let scenario = self.scene.scenario;
        let names: Vec<&String> = groups.iter().flat_map(|group| &group.names).collect();
        let to = if files == 1 { "1 workload file".into() } else { format!("{files} workload files") };
        self.ledger.add("storage.servers", format!("SSDs of {}", listed(&names)), to);
        self.ledger.add("seed", scenario.seed.to_string(), format!("Seed {}", self.seed(0)));
        if let Some(warmup) = self.scene.number("measurement.warmupUs").filter(|us| *us > 0.0) {
            let from = self.measured("measurement.warmupUs", warmup);
            self.ledger.add("measurement.warmupUs", from, "");
        }
        for field in ["hostLatencyUs", "targetLatencyUs", "commandWorkUs", "kibWorkUs", "serialUs"] {
            let path = format!("access.software.{field}");
            if let Some(us) = self.scene.number(&path).filter(|us| *us > 0.0) {
                let from = self.measured(&path, us);
                self.ledger.add(&path, from, "");
            }
        }
        if self.scene.effective("storage.tenants.scheduler").is_some_and(|scheduler| scheduler != "none") {
            let from = self.chosen("storage.tenants.scheduler");
            self.ledger.add("storage.tenants.scheduler", from, "");
        }
        self.placement(groups);
        for w in 0..scenario.workloads.len() {
            self.workload(w);
        }
    }

    fn placement(&mut self, groups: &[Group]) {
        let mut flows = groups.iter().flat_map(|group| &group.flows);
        if flows.clone().any(|flow| flow.part.requests < 1.0) {
            let from = self.chosen("storage.placement");
            self.ledger.add("storage.placement", from, "a part for each SSD");
        }
        if flows.any(|flow| flow.part.bytes < 1.0) {
            let bytes = self.measured("storage.stripeBytes", f64::from(self.scene.scenario.storage.stripe_bytes));
            self.ledger.add("storage.stripeBytes", bytes, "shorter requests");
        }
    }

    /// What is said of a workload beside its flows.
    fn workload(&mut self, w: usize) {
        let scenario = self.scene.scenario;
        let workload = &scenario.workloads[w];
        let protocol = scenario.protocol_of(workload);
        if !protocol.has_target() {
            return;
        }
        let name = self.worded("access.protocol", &json!(protocol));
        let class = scenario.classes.iter().position(|class| class.name == workload.class).unwrap_or_default();
        if protocol.crosses_network() {
            self.ledger.add("access.protocol", name, "");
            let id = scenario.classes[class].transport.id().to_uppercase();
            self.ledger.add(&format!("classes[{class}].transport"), id, "");
        } else {
            let why = "The host of MQSim has the SSD at its own PCI Express link, too.";
            self.ledger.because("access.protocol", name, "NVME", Exactly, why);
        }
        if let Some(target) = scenario.classes[class].latency_target_us {
            let path = format!("classes[{class}].latencyTargetUs");
            let from = self.measured(&path, target);
            self.ledger.add(&path, from, "");
        }
        let mut kinds = self.plan.applications.iter().filter(|of| of.workload == w);
        if kinds.any(|of| kind_of(scenario, self.plan, w, of.target) != DeviceKind::Ssd) {
            let path = format!("workloads[{w}].devices");
            let from = self.chosen(&path);
            self.ledger.add(&path, from, "");
        }
        let largest = qoscope_engine::scenario::size_law(&workload.traffic).mean_bytes();
        if largest > f64::from(scenario.storage.nvme.max_transfer_bytes) {
            let path = "storage.nvme.maxTransferBytes";
            let from = self.measured(path, f64::from(scenario.storage.nvme.max_transfer_bytes));
            self.ledger.add(path, from, "");
        }
        if let Traffic::Trace { file, format, .. } = &workload.traffic
            && !is_own_format(*format)
        {
            let why = "MQSim reads five columns of its own: time, device, address, sectors, type (docs/traces.md).";
            self.ledger.because(&format!("workloads[{w}].traffic.file"), file.as_str(), "", super::How::NotAtAll, why);
        }
    }
}

/// A truth as MQSim writes it.
fn true_or_false(holds: bool) -> &'static str {
    if holds { "true" } else { "false" }
}
