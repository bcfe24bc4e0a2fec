//! Initiators: connections to storage over NVMe-oF and iSCSI.

use qoscope_engine::access::AccessProtocol;
use qoscope_engine::scenario::{Diagnostic, Flows, Hosts};
use qoscope_engine::simulation::plan::class_of;
use qoscope_engine::text::counted;

use super::target::{NVME_PORT, Targets, transport};
use super::{Writer, is_remote, iscsi_port};
use crate::export::How::{Exactly, Roughly};
use crate::export::initiators::{Group, file_name, groups, initiators};
use crate::export::page::{Page, number};
use crate::export::words::listed;
use crate::export::{Command, File};

/// What every class has of its own between an initiator and a target.
struct Link {
    /// The target, among those of the initiator.
    target: usize,
    class: usize,
    protocol: AccessProtocol,
    /// Connections of all workloads of the class.
    connections: u32,
}

impl Writer<'_, '_> {
    /// Writes the files of initiators and of targets, if requests go to storage of other hosts. Returns how many targets there are.
    pub(super) fn storage(&mut self) -> Result<usize, Vec<Diagnostic>> {
        let scenario = self.scene.scenario;
        let initiators = initiators(scenario, |workload| is_remote(scenario, workload))?;
        if initiators.is_empty() {
            return Ok(0);
        }
        let hosts = Hosts::of(&scenario.topology.shape);
        let targets = Targets::of(initiators.values().flatten().map(|job| job.target), &hosts);
        let groups = groups(&initiators, scenario);
        for group in &groups {
            let name = format!("{}-connect", file_name(group, &groups, scenario));
            let file = self.connect(group, &name, &targets);
            self.files.push(file);
            let addresses: String =
                group.variables("ADDRESS").map(|variable| format!("{variable}=10.0.0.7 ")).collect();
            let names: String = (0..group.targets.len())
                .filter(|target| group.targets[*target].is_none())
                .map(|target| format!("{}=h7 ", group.variable("TARGET", target)))
                .collect();
            let text = format!("{addresses}{names}sh {name}.sh");
            self.commands.push(Command { on: format!("On {}, as root", listed(&group.hosts)), text });
        }
        self.fields(&groups);
        self.targets(&targets);
        self.remarks.insert(1, "Addresses are yours: 10.0.0.7 stands for that of a target. So are the paths of its devices, and example.net in its names.".into());
        Ok(targets.len())
    }

    /// What each class of a group has of its own.
    fn links(&self, group: &Group) -> Vec<Link> {
        let scenario = self.scene.scenario;
        let mut links: Vec<Link> = Vec::new();
        for job in &group.jobs {
            let workload = &scenario.workloads[job.workload];
            let (target, protocol) = (job.target as usize, scenario.protocol_of(workload));
            let class = class_of(scenario, &workload.class).index();
            let is_same = |link: &&mut Link| link.target == target && link.class == class && link.protocol == protocol;
            match links.iter_mut().find(is_same) {
                Some(link) => link.connections += job.connections,
                None => links.push(Link { target, class, protocol, connections: job.connections }),
            }
        }
        links
    }

    /// The name of the target of a link: that of its host and that of its class.
    fn name_of(&self, group: &Group, link: &Link, targets: &Targets) -> String {
        let host = targets.plain(group, link.target);
        let host = host.map_or_else(|| format!("${}", group.variable("TARGET", link.target)), Into::into);
        format!("2026-01.net.example:{host}.{}", self.names[link.class])
    }

    fn connect(&self, group: &Group, name: &str, targets: &Targets) -> File {
        let scenario = self.scene.scenario;
        let links = self.links(group);
        let mut page = Page::default();
        let first = group.variable("ADDRESS", 0);
        page.line("#!/bin/sh");
        page.line(format!("# Connects an initiator to its storage. Usage: {first}=10.0.0.7 sh {name}.sh"));
        page.line("set -e");
        for (target, of) in group.targets.iter().enumerate() {
            let address = group.variable("ADDRESS", target);
            let whose = targets.plain(group, target).unwrap_or("its target");
            page.line(format!(": \"${{{address}:?give the address of {whose}}}\""));
            if of.is_none() {
                let own = group.variable("TARGET", target);
                page.line(format!(": \"${{{own}:?give the name of {whose}, as target.sh was given it}}\""));
            }
        }
        let mut modules: Vec<&str> = links.iter().filter_map(|link| transport(link.protocol)).collect();
        modules.sort_unstable();
        modules.dedup();
        for module in modules {
            page.line(format!("modprobe nvme-{module}"));
        }
        for link in &links {
            let class = &scenario.classes[link.class].name;
            let of = group.targets[link.target].as_ref().map_or("its target", |name| name);
            let address = group.variable("ADDRESS", link.target);
            let target = self.name_of(group, link, targets);
            let says = format!("{class}, to {of}: {} per pair", link.connections);
            match transport(link.protocol) {
                Some(transport) => self.nvme(&mut page, link, transport, &address, &target, says),
                None => self.iscsi(&mut page, link, &address, &target, says),
            }
        }
        page.file(format!("{name}.sh"), format!("connects {} to storage", listed(&group.hosts)))
    }

    fn nvme(&self, page: &mut Page, link: &Link, transport: &str, address: &str, target: &str, says: String) {
        let access = &self.scene.scenario.access;
        let (code, _) = self.codes[link.class];
        let class = Some(link.class);
        page.line(format!("nvme connect --transport={transport} --traddr=\"${address}\" --trsvcid={NVME_PORT} \\"));
        page.marked(format!("    --nqn=\"nqn.{target}\" \\"), says, class);
        page.marked(
            format!("    --nr-io-queues={} --queue-size={} \\", link.connections, queue_size(access.queue_depth)),
            format!("{} per pair, queue depth {}", link.connections, access.queue_depth),
            class,
        );
        let over_tcp = link.protocol == AccessProtocol::NvmeTcp;
        let options: Vec<&str> = [
            (access.header_digest, "--hdr-digest"),
            (access.data_digest, "--data-digest"),
            (access.success_with_data, "--disable-sqflow"),
        ]
        .into_iter()
        .filter_map(|(set, option)| (set && over_tcp).then_some(option))
        .collect();
        let more = if options.is_empty() { String::new() } else { format!(" {}", options.join(" ")) };
        page.marked(format!("    --tos={}{more}", code << 2), format!("DSCP {code} × 4, above the bits of ECN"), class);
    }

    fn iscsi(&self, page: &mut Page, link: &Link, address: &str, target: &str, says: String) {
        let access = &self.scene.scenario.access;
        let class = Some(link.class);
        let port = iscsi_port(link.class);
        let node = format!("iscsiadm -m node -T \"iqn.{target}\" -p \"${address}:{port}\"");
        page.marked(format!("{node} -o new"), says, class);
        let depth = access.queue_depth;
        let (own, all) = iscsi_depths(depth);
        let update = |name: &str, value: &str| format!("{node} -o update -n '{name}' -v '{value}'");
        let sessions = format!("{} per pair", link.connections);
        page.marked(update("node.session.nr_sessions", &link.connections.to_string()), sessions, class);
        page.marked(update("node.session.queue_depth", &own.to_string()), format!("queue depth {depth}"), class);
        let power = format!("queue depth {depth}, up to a power of two");
        page.marked(update("node.session.cmds_max", &all.to_string()), power, class);
        for (field, name, value) in self.negotiated() {
            let name = match name {
                "InitialR2T" | "ImmediateData" | "FirstBurstLength" | "MaxBurstLength" => {
                    format!("node.session.iscsi.{name}")
                }
                name => format!("node.conn[0].iscsi.{name}"),
            };
            page.marked(update(&name, &value), field, class);
        }
        page.line(format!("{node} --login"));
    }

    /// What the ends of an iSCSI session agree on: where it comes from, its name in RFC 7143, its value.
    pub(super) fn negotiated(&self) -> Vec<(String, &'static str, String)> {
        let access = &self.scene.scenario.access;
        let iscsi = &access.iscsi;
        let yes = |holds: bool| if holds { "Yes" } else { "No" }.to_owned();
        let digest = |has: bool| if has { "CRC32C" } else { "None" }.to_owned();
        let bytes = |what: &str, bytes: u32| format!("{what} of {} B", number(f64::from(bytes)));
        vec![
            ("initial R2T".into(), "InitialR2T", yes(iscsi.initial_r2t)),
            ("immediate data".into(), "ImmediateData", yes(iscsi.immediate_data)),
            (
                bytes("first burst", iscsi.first_burst_bytes),
                "FirstBurstLength",
                iscsi.first_burst_bytes.min(iscsi.max_burst_bytes).to_string(),
            ),
            (bytes("burst", iscsi.max_burst_bytes), "MaxBurstLength", iscsi.max_burst_bytes.to_string()),
            (
                bytes("data segment", iscsi.data_segment_bytes),
                "MaxRecvDataSegmentLength",
                iscsi.data_segment_bytes.to_string(),
            ),
            ("header digest".into(), "HeaderDigest", digest(access.header_digest)),
            ("data digest".into(), "DataDigest", digest(access.data_digest)),
        ]
    }

    /// What becomes of the fields.
    fn fields(&mut self, groups: &[Group]) {
        let scenario = self.scene.scenario;
        for group in groups {
            for job in &group.jobs {
                let (w, workload) = (job.workload, &scenario.workloads[job.workload]);
                let protocol = scenario.protocol_of(workload);
                let path = |field: &str| format!("workloads[{w}].{field}");
                let of = group.targets[job.target as usize].as_ref().map_or("its target", |name| name);
                let all: u32 = self
                    .links(group)
                    .iter()
                    .filter(|link| link.target == job.target as usize && link.protocol == protocol)
                    .filter(|link| scenario.classes[link.class].name == workload.class)
                    .map(|link| link.connections)
                    .sum();
                let (connections, how) = match transport(protocol) {
                    Some(transport) => {
                        (format!("--nr-io-queues={all}"), format!("nvme connect --transport={transport}"))
                    }
                    None => (format!("nr_sessions {all}"), "iscsiadm".into()),
                };
                self.ledger.add("access.protocol", protocol.title(), how);
                let from = format!("{} to {of}", listed(&group.hosts));
                self.ledger.add(&path("endpoints"), from, "a subsystem for each class");
                self.ledger.add(&path("connections"), format!("{} per pair", job.connections), connections);
                if workload.flows == Flows::PerRequest && self.scene.effective(&path("flows")).is_some() {
                    self.ledger.add(&path("flows"), "per request", "");
                }
            }
        }
        let uses = |meant: AccessProtocol| {
            groups
                .iter()
                .flat_map(|group| &group.jobs)
                .any(|job| scenario.protocol_of(&scenario.workloads[job.workload]) == meant)
        };
        let over_tcp = uses(AccessProtocol::NvmeTcp);
        self.depth(over_tcp || uses(AccessProtocol::NvmeRdma), uses(AccessProtocol::Iscsi));
        let access = &scenario.access;
        let word = |holds: bool| if holds { "yes" } else { "no" };
        if over_tcp || uses(AccessProtocol::Iscsi) {
            for (path, own, option) in [
                ("access.headerDigest", access.header_digest, "header digest"),
                ("access.dataDigest", access.data_digest, "data digest"),
            ] {
                self.ledger.add(path, word(own), if own { option.into() } else { format!("no {option}") });
            }
        }
        if over_tcp {
            let to = if access.success_with_data { "--disable-sqflow" } else { "no --disable-sqflow" };
            self.ledger.add("access.successWithData", word(access.success_with_data), to);
            self.ledger.add("access.dataPduBytes", format!("{} B", number(f64::from(access.data_pdu_bytes))), "");
        }
        if uses(AccessProtocol::Iscsi) {
            self.session();
        }
    }

    /// What becomes of the queue depth.
    fn depth(&mut self, nvme: bool, iscsi: bool) {
        const PATH: &str = "access.queueDepth";
        let depth = self.scene.scenario.access.queue_depth;
        let from = counted(depth, "command");
        if nvme {
            let size = queue_size(depth);
            let to = format!("--queue-size={size}");
            if size == depth {
                self.ledger.add(PATH, from.clone(), to);
            } else {
                let why = format!("Linux takes {LEAST_QUEUE} to {MOST_QUEUE} entries: {depth} becomes {size}.");
                self.ledger.because(PATH, from.clone(), to, Roughly, why);
            }
        }
        if iscsi {
            let (own, all) = iscsi_depths(depth);
            let to = format!("queue_depth {own}, cmds_max {all}");
            if own == depth && !nvme {
                let why = "Commands of a device; those of a session are a power of two, which is no less.";
                self.ledger.because(PATH, from, to, Exactly, why);
            } else {
                let why = format!(
                    "A device of iSCSI takes up to {MOST_COMMANDS} commands, and NVMe-oF keeps one or two entries of a queue."
                );
                self.ledger.because(PATH, from, to, Roughly, why);
            }
        }
    }

    /// What becomes of what the ends of an iSCSI session agree on.
    fn session(&mut self) {
        let iscsi = &self.scene.scenario.access.iscsi;
        let word = |holds: bool| if holds { "yes" } else { "no" };
        let bytes = |bytes: u32| format!("{} B", number(f64::from(bytes)));
        let value = |name: &str, values: &[(String, &'static str, String)]| {
            values
                .iter()
                .find(|(_, own, _)| *own == name)
                .map(|(_, own, value)| format!("{own}={value}"))
                .unwrap_or_default()
        };
        let values = self.negotiated();
        for (path, from, name) in [
            ("access.iscsi.initialR2t", word(iscsi.initial_r2t).to_owned(), "InitialR2T"),
            ("access.iscsi.immediateData", word(iscsi.immediate_data).to_owned(), "ImmediateData"),
            ("access.iscsi.firstBurstBytes", bytes(iscsi.first_burst_bytes), "FirstBurstLength"),
            ("access.iscsi.maxBurstBytes", bytes(iscsi.max_burst_bytes), "MaxBurstLength"),
            ("access.iscsi.dataSegmentBytes", bytes(iscsi.data_segment_bytes), "MaxRecvDataSegmentLength"),
        ] {
            let to = value(name, &values);
            if name == "FirstBurstLength" && iscsi.first_burst_bytes > iscsi.max_burst_bytes {
                let why = "RFC 7143 lets it be no more than MaxBurstLength.";
                self.ledger.because(path, from, to, Roughly, why);
            } else {
                self.ledger.add(path, from, to);
            }
        }
    }
}

/// Entries of an I/O queue that Linux takes (`NVMF_MIN_QUEUE_SIZE`, `NVMF_MAX_QUEUE_SIZE`).
const LEAST_QUEUE: u32 = 16;
const MOST_QUEUE: u32 = 1024;
/// Commands of a device that open-iscsi takes.
const MOST_COMMANDS: u32 = 1024;

fn queue_size(depth: u32) -> u32 {
    depth.clamp(LEAST_QUEUE, MOST_QUEUE)
}

/// Commands of a device, and of a session: a power of two from 2 to 2048.
fn iscsi_depths(depth: u32) -> (u32, u32) {
    let own = depth.clamp(1, MOST_COMMANDS);
    (own, own.next_power_of_two().max(2))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn depths_are_those_that_linux_takes() {
        assert_eq!([1, 16, 128, 65_535].map(queue_size), [16, 16, 128, 1024]);
        assert_eq!([1, 100, 128, 65_535].map(iscsi_depths), [(1, 2), (100, 128), (128, 128), (1024, 1024)]);
    }
}
