//! The simulator of HPCC (SIGCOMM 2019), an extension of ns-3 for RDMA, for those who want a second opinion: its four input files.
//!
//! Keys, units and what becomes of them are those of its sources, alibaba-edu/High-Precision-Congestion-Control, folder simulation:
//! scratch/third.cc (d6f9400), which reads the files; src/point-to-point/model: rdma-hw.cc (d03c6ee), switch-mmu.cc, switch-node.h and
//! switch-node.cc (78c386c), qbb-net-device.cc (3cb6e67); src/network/utils/int-header.cc (8551d5b); src/core/model/nstime.h (78c386c), by
//! which microseconds are whole numbers; and of the files that come with it, mix/config_doc.txt (2f65c35), mix/flow.txt (9b32b23) and
//! run.py (08d4ba0).

mod config;
mod control;
mod flows;
mod mappings;
mod switches;
mod topology;

use std::collections::BTreeSet;

use qoscope_engine::scenario::{Diagnostic, Scenario, TransportKind};
use qoscope_engine::simulation::plan::{NetworkSettings, Plan};
use qoscope_engine::text::counted;

use super::ledger::Ledger;
use super::page::Page;
use super::scene::Scene;
use super::{About, Command, Export, Kind, Target, Tool};
use mappings::MAPPINGS;

pub(super) const TOOL: Tool = Tool {
    about: About {
        id: "hpcc",
        title: "ns-3 (HPCC)",
        kind: Kind::Simulator,
        holds: "network, congestion control, flows",
        version: "the simulator of HPCC (SIGCOMM 2019), alibaba-edu/High-Precision-Congestion-Control, by its scratch/third.cc of commit d6f9400",
    },
    mappings: MAPPINGS,
    write,
};

/// The second at which the first flows begin: that simulator counts the instant of `LINK_DOWN` from there.
const FIRST_SECOND: u64 = 2;
/// Where the files are, seen from the folder in which that simulator runs.
const FOLDER: &str = "mix/qoscope";
/// Ports of a switch there (`pCnt`, of which one is none).
const MAX_PORTS: usize = 256;

struct Writer<'a, 'b> {
    scene: &'a Scene<'b>,
    plan: Plan,
    settings: NetworkSettings,
    /// Classes whose data cross the network.
    classes: Vec<usize>,
    /// The control of all of them.
    transport: TransportKind,
    ledger: Ledger<'a, 'b>,
    remarks: Vec<String>,
}

fn write(scene: &Scene) -> Result<Export, Vec<Diagnostic>> {
    let scenario = scene.scenario;
    let plan = Plan::new(scenario)?;
    let settings = plan.settings(scenario)?;
    let crossing: BTreeSet<usize> = plan.flows[..plan.data_flows].iter().map(|flow| flow.class.index()).collect();
    let classes: Vec<usize> = crossing.into_iter().collect();
    let transport = control_of(scenario, &classes).map_err(|refused| vec![refused])?;
    let ledger = Ledger::new(scene, MAPPINGS);
    let mut writer = Writer { scene, plan, settings, classes, transport, ledger, remarks: Vec::new() };
    let (topology, network) = writer.topology()?;
    let flows = writer.flows()?;
    let config = writer.config(&topology, &flows)?;
    let mut trace = Page::default();
    trace.line("0");
    let Writer { ledger, mut remarks, .. } = writer;
    remarks.push(format!(
        "config.txt looks for the other files in {FOLDER}, and results go there: fct.txt has the time of every flow that ends."
    ));
    remarks.push("Lines of config.txt without a mark are as in the files that come with that simulator.".into());
    remarks.push("Time there begins 2 s before the run: the first flows start at 2 s.".into());
    remarks.push("That simulator is ns-3 3.17: by its README it builds with gcc 5.".into());
    let run = format!(
        "mkdir -p {FOLDER}\ncp ${{FILES:?the folder of these files}}/*.txt {FOLDER}/\n./waf --run 'scratch/third {FOLDER}/config.txt'"
    );
    Ok(Export {
        target: Target::Hpcc,
        about: format!("{} by {}", counted(flows.count as u64, "flow"), transport.id().to_uppercase()),
        files: vec![
            config,
            network,
            flows.file,
            trace.file("trace.txt", "names the nodes whose packets are recorded: none"),
        ],
        fields: ledger.fields(),
        remarks,
        commands: vec![Command { on: "In the folder simulation of that simulator".into(), text: run }],
    })
}

/// The control that all classes share, and that simulator has.
fn control_of(scenario: &Scenario, classes: &[usize]) -> Result<TransportKind, Diagnostic> {
    let of = |class: &usize| scenario.classes[*class].transport;
    let Some(first) = classes.first() else {
        let reason = "have nothing for a simulator of networks: no data cross the network";
        return Err(Diagnostic::new("workloads", reason, "Choose another access protocol than local."));
    };
    let has = [TransportKind::Dcqcn, TransportKind::Timely, TransportKind::Dctcp];
    if let Some(class) = classes.iter().find(|class| !has.contains(&of(class))) {
        let reason = format!("is {}, which the simulator of HPCC does not have", of(class).id().to_uppercase());
        return Err(Diagnostic::new(
            format!("classes[{class}].transport"),
            reason,
            "Give the class dcqcn, timely or dctcp.",
        ));
    }
    if let Some(class) = classes.iter().find(|class| of(class) != of(first)) {
        let [own, other] = [of(class), of(first)].map(|transport| transport.id().to_uppercase());
        let reason = format!(
            "is {own}, and {} has {other}: that simulator has one control for all hosts",
            scenario.classes[*first].name
        );
        return Err(Diagnostic::new(
            format!("classes[{class}].transport"),
            reason,
            "Give all classes the same transport.",
        ));
    }
    Ok(of(first))
}
