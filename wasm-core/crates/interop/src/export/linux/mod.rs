//! Linux: congestion control and routes of hosts, DSCP by class, the queues of a soft switch, and storage over NVMe-oF or iSCSI.
//!
//! Sources, all of torvalds/linux unless said: parameters of DCTCP, net/ipv4/tcp_dctcp.c (01581a2); how RED averages and spaces its marks,
//! include/net/red.h (020abf0); code points of connections, drivers/nvme/target/tcp.c and drivers/nvme/host/rdma.c; sizes of queues,
//! drivers/nvme/host/fabrics.h; ports of targets, drivers/nvme/target/configfs.c. Options of commands: ip-route(8), tc-red(8) and tc-ets(8) of
//! iproute2, nft(8) of nftables, nvme-connect(1) of nvme-cli, iscsid.conf of open-iscsi, and targetcli(8).

mod dscp;
mod host;
mod mappings;
mod red;
mod storage;
mod switch;
mod target;

use qoscope_engine::access::AccessProtocol;
use qoscope_engine::scenario::{Diagnostic, Scenario, Workload};
use qoscope_engine::text::counted;

use super::ledger::Ledger;
use super::scene::Scene;
use super::sonic;
use super::words::slug;
use super::{About, Command, Export, File, Kind, Target, Tool};
use mappings::MAPPINGS;

pub(super) const TOOL: Tool = Tool {
    about: About {
        id: "linux",
        title: "Linux hosts",
        kind: Kind::Settings,
        holds: "DCTCP, routes, DSCP, a soft switch, NVMe-oF and iSCSI",
        version: "Linux 5.15 and later, iproute2 6.1, nftables 1.0, nvme-cli 2.3, open-iscsi 2.1, targetcli-fb 2.1",
    },
    mappings: MAPPINGS,
    write,
};

/// What the writers of its parts share.
struct Writer<'a, 'b> {
    scene: &'a Scene<'b>,
    ledger: Ledger<'a, 'b>,
    files: Vec<File>,
    remarks: Vec<String>,
    commands: Vec<Command>,
    /// By class: its code point, and whether the scenario states it.
    codes: Vec<(u8, bool)>,
    /// By class: its name as scripts have it.
    names: Vec<String>,
}

fn write(scene: &Scene) -> Result<Export, Vec<Diagnostic>> {
    let scenario = scene.scenario;
    if !scenario.workloads.iter().any(|workload| scenario.protocol_of(workload).crosses_network()) {
        let hint = "Let requests go over the network: choose another access protocol than local.";
        return Err(vec![Diagnostic::new("workloads", "have nothing for Linux: nothing goes over the network", hint)]);
    }
    let over_tcp = (0..scenario.classes.len()).any(|class| is_over_tcp(scenario, class));
    if !over_tcp && !scenario.workloads.iter().any(|workload| is_remote(scenario, workload)) {
        let hint = "Take the target roce, which is for its cards, or let requests go to storage over nvme-rdma.";
        let reason = "have nothing for Linux: all of them go over RDMA, past its network stack, and to no storage";
        return Err(vec![Diagnostic::new("classes", reason, hint)]);
    }
    let mut codes = vec![(0, false); scenario.classes.len()];
    for queue in sonic::queues(scene) {
        for (class, code) in queue.classes.iter().zip(&queue.dscp) {
            codes[*class] = *code;
        }
    }
    let mut writer = Writer {
        scene,
        ledger: Ledger::new(scene, MAPPINGS),
        files: Vec::new(),
        remarks: Vec::new(),
        commands: Vec::new(),
        codes,
        names: plain(&scenario.classes.iter().map(|class| class.name.as_str()).collect::<Vec<_>>()),
    };
    let hosts = writer.hosts()?;
    writer.dscp();
    writer.switch();
    let targets = writer.storage()?;
    let mut about = counted(hosts as u64, "host");
    if targets > 0 {
        about = format!("{about}, {} of storage", counted(targets as u64, "target"));
    }
    let Writer { ledger, files, mut remarks, commands, .. } = writer;
    remarks.push("What these scripts set lasts until the machine starts again.".into());
    Ok(Export { target: Target::Linux, about, files, fields: ledger.fields(), remarks, commands })
}

/// Whether packets of a class go over the network.
fn crosses_network(scenario: &Scenario, class: usize) -> bool {
    protocols(scenario, class).into_iter().any(AccessProtocol::crosses_network)
}

/// Whether packets of a class go over the network, over TCP.
fn is_over_tcp(scenario: &Scenario, class: usize) -> bool {
    !scenario.classes[class].transport.is_rate_based() && crosses_network(scenario, class)
}

/// Whether requests of a workload go to storage of another host.
fn is_remote(scenario: &Scenario, workload: &Workload) -> bool {
    let protocol = scenario.protocol_of(workload);
    protocol.has_target() && protocol.crosses_network()
}

/// The protocols over which a class goes.
fn protocols(scenario: &Scenario, class: usize) -> Vec<AccessProtocol> {
    let name = &scenario.classes[class].name;
    let own = scenario.workloads.iter().filter(|workload| workload.class == *name);
    let mut protocols: Vec<AccessProtocol> = Vec::new();
    for protocol in own.map(|workload| scenario.protocol_of(workload)) {
        if !protocols.contains(&protocol) {
            protocols.push(protocol);
        }
    }
    protocols
}

/// The port on which targets of a class listen, of iSCSI: one for each class, so that rules can tell classes apart.
fn iscsi_port(class: usize) -> usize {
    /// That of the first class, as IANA has it.
    const FIRST: usize = 3260;
    FIRST + class
}

/// Names that scripts, NQNs and IQNs can hold, each another: letters, digits and hyphens, and a number where those leave nothing or the same.
fn plain(names: &[impl AsRef<str>]) -> Vec<String> {
    let slugs: Vec<String> = names.iter().map(|name| slug(name.as_ref())).collect();
    let are_apart = |slug: &String| !slug.is_empty() && slugs.iter().filter(|other| *other == slug).count() == 1;
    let numbered = |(number, slug): (usize, &String)| {
        if slug.is_empty() { (number + 1).to_string() } else { format!("{slug}-{}", number + 1) }
    };
    if slugs.iter().all(are_apart) { slugs } else { slugs.iter().enumerate().map(numbered).collect() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_keep_what_scripts_can_hold() {
        assert_eq!(plain(&["h7", "High"]), ["h7", "high"]);
        assert_eq!(plain(&["$(rm -rf /)", "日本"]), ["rm-rf-1", "2"]);
        assert_eq!(plain(&["A b", "a-b", "c"]), ["a-b-1", "a-b-2", "c-3"]);
    }
}
