//! Targets: Linux's own over NVMe-oF, by configfs, and over iSCSI, by targetcli.

use qoscope_engine::access::AccessProtocol;
use qoscope_engine::scenario::Hosts;
use qoscope_engine::text::counted;

use super::{Writer, iscsi_port, plain, protocols};
use crate::export::How::Roughly;
use crate::export::initiators::Group;
use crate::export::page::{Page, number};
use crate::export::words::listed;
use crate::export::{Command, File};

/// Most in-capsule data that Linux's target takes over RDMA.
const MOST_INLINE_OVER_RDMA: u32 = 16_384;

/// The port of NVMe over TCP and over RDMA (IANA).
pub(super) const NVME_PORT: u32 = 4420;

/// The name of Linux's transport for a protocol over NVMe-oF; none of another.
pub(super) fn transport(protocol: AccessProtocol) -> Option<&'static str> {
    match protocol {
        AccessProtocol::NvmeTcp => Some("tcp"),
        AccessProtocol::NvmeRdma => Some("rdma"),
        AccessProtocol::Iscsi | AccessProtocol::Direct | AccessProtocol::Local => None,
    }
}

/// The hosts that hold storage.
pub(super) struct Targets {
    names: Vec<String>,
    /// Their names as scripts have them.
    plain: Vec<String>,
}

impl Targets {
    /// Those of these numbers, in the order of the numbers.
    pub(super) fn of(numbers: impl Iterator<Item = u32>, hosts: &Hosts) -> Self {
        let mut numbers: Vec<u32> = numbers.collect();
        numbers.sort_unstable();
        numbers.dedup();
        let names: Vec<String> = numbers.iter().map(|number| hosts.name(*number).unwrap_or_default()).collect();
        Self { plain: plain(&names), names }
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.names.len()
    }

    /// The name of a target of a group as scripts have it, where all of the group have the same one.
    pub(super) fn plain(&self, group: &Group, target: usize) -> Option<&str> {
        let name = group.targets[target].as_ref()?;
        let number = self.names.iter().position(|own| own == name)?;
        Some(&self.plain[number])
    }
}

impl Writer<'_, '_> {
    /// Writes the scripts of targets: one for all of them, over NVMe-oF and over iSCSI.
    pub(super) fn targets(&mut self, targets: &Targets) {
        let scenario = self.scene.scenario;
        let of = |meant: AccessProtocol| -> Vec<usize> {
            (0..scenario.classes.len()).filter(|class| protocols(scenario, *class).contains(&meant)).collect()
        };
        let nvme: Vec<(AccessProtocol, Vec<usize>)> = [AccessProtocol::NvmeTcp, AccessProtocol::NvmeRdma]
            .into_iter()
            .map(|protocol| (protocol, of(protocol)))
            .filter(|(_, classes)| !classes.is_empty())
            .collect();
        let iscsi = of(AccessProtocol::Iscsi);
        let example = targets.plain[0].clone();
        self.devices(targets);
        let on = format!("On {}, as root", listed(&targets.names));
        if !nvme.is_empty() {
            self.inline(&nvme);
            let file = self.nvme_target(&nvme, &example);
            self.files.push(file);
            let text = format!("sh target.sh {example} 10.0.0.7 /dev/nvme0n1");
            self.commands.push(Command { on: on.clone(), text });
        }
        if !iscsi.is_empty() {
            let file = self.iscsi_target(&iscsi, &example);
            self.files.push(file);
            let text = format!("sh iscsi-target.sh {example} 10.0.0.7 /dev/nvme0n1");
            self.commands.push(Command { on, text });
        }
        self.remarks.push(
            "Targets let in every initiator, without a password: what that is worth depends on the network.".into(),
        );
    }

    /// What becomes of the devices of servers that are targets.
    fn devices(&mut self, targets: &Targets) {
        let servers = self.scene.scenario.storage.servers.iter().enumerate();
        for (server, own) in servers.filter(|(_, own)| targets.names.contains(&own.host)) {
            let path = format!("storage.servers[{server}].devices");
            let from = format!("{} of {}", counted(own.devices.len().max(1) as u64, "device"), own.host);
            self.ledger.add(&path, from, "a namespace or LUN each");
        }
    }

    /// Bytes of in-capsule data of a port, over a protocol.
    fn inline_bytes(&self, protocol: AccessProtocol) -> u32 {
        let own = self.scene.scenario.access.in_capsule_bytes;
        if protocol == AccessProtocol::NvmeRdma { own.min(MOST_INLINE_OVER_RDMA) } else { own }
    }

    fn inline(&mut self, nvme: &[(AccessProtocol, Vec<usize>)]) {
        const PATH: &str = "access.inCapsuleBytes";
        let own = self.scene.scenario.access.in_capsule_bytes;
        let from = format!("{} B", number(f64::from(own)));
        for (protocol, _) in nvme {
            let bytes = self.inline_bytes(*protocol);
            let to = format!("inline_data_size {} B", number(f64::from(bytes)));
            if bytes == own {
                self.ledger.add(PATH, from.clone(), to);
            } else {
                let why = format!("Over RDMA Linux's target takes {} B at most.", number(f64::from(bytes)));
                self.ledger.because(PATH, from.clone(), to, Roughly, why);
            }
        }
    }

    fn nvme_target(&self, nvme: &[(AccessProtocol, Vec<usize>)], example: &str) -> File {
        let classes = &self.scene.scenario.classes;
        let mut page = Page::default();
        page.line("#!/bin/sh");
        page.line("# A target of NVMe-oF: a subsystem for each class, with all devices. Usage: sh target.sh NAME ADDRESS DEVICE...");
        begin(&mut page, example);
        page.line("nvmet=${NVMET:-/sys/kernel/config/nvmet}");
        page.line("family=ipv4");
        page.line("case $address in *:*) family=ipv6 ;; esac");
        page.line("# A subsystem, at the port $port.");
        page.line("subsystem() {");
        page.line("    path=$nvmet/subsystems/nqn.2026-01.net.example:$name.$1");
        page.line("    shift");
        page.line("    if [ ! -d \"$path\" ]; then");
        page.line("        mkdir -p \"$path\"");
        page.line("        echo 1 > \"$path/attr_allow_any_host\"");
        page.line("        number=1");
        page.line("        for device in \"$@\"; do");
        page.line("            mkdir -p \"$path/namespaces/$number\"");
        page.line("            echo \"$device\" > \"$path/namespaces/$number/device_path\"");
        page.line("            echo 1 > \"$path/namespaces/$number/enable\"");
        page.line("            number=$((number + 1))");
        page.line("        done");
        page.line("    fi");
        page.line("    [ -e \"$port/subsystems/${path##*/}\" ] || ln -s \"$path\" \"$port/subsystems/\"");
        page.line("}");
        for (at, (protocol, of)) in nvme.iter().enumerate() {
            let transport = transport(*protocol).unwrap_or_default();
            let inline = self.inline_bytes(*protocol);
            page.line("");
            page.line(format!("modprobe nvmet-{transport}"));
            page.line(format!("port=$nvmet/ports/{}", at + 1));
            page.line("mkdir -p \"$port\"");
            page.marked(format!("echo {transport} > \"$port/addr_trtype\""), protocol.title(), None);
            page.line("echo \"$family\" > \"$port/addr_adrfam\"");
            page.line("echo \"$address\" > \"$port/addr_traddr\"");
            page.line(format!("echo {NVME_PORT} > \"$port/addr_trsvcid\""));
            page.marked(
                format!("echo {inline} > \"$port/param_inline_data_size\""),
                format!("in-capsule data of {} B", number(f64::from(inline))),
                None,
            );
            for class in of {
                let name = &classes[*class].name;
                page.marked(format!("subsystem {} \"$@\"", self.names[*class]), format!("class {name}"), Some(*class));
            }
        }
        page.file("target.sh", "exports the devices of a target over NVMe-oF")
    }

    fn iscsi_target(&self, iscsi: &[usize], example: &str) -> File {
        let classes = &self.scene.scenario.classes;
        let mut page = Page::default();
        page.line("#!/bin/sh");
        page.line("# A target of iSCSI: one for each class, with all devices. Usage: sh iscsi-target.sh NAME ADDRESS DEVICE...");
        begin(&mut page, example);
        page.line("targetcli set global auto_add_default_portal=false");
        page.line("number=1");
        page.line("for device in \"$@\"; do");
        page.line("    targetcli /backstores/block create name=\"qoscope-$number\" dev=\"$device\"");
        page.line("    number=$((number + 1))");
        page.line("done");
        page.line("# The target of a class, at a port of its own.");
        page.line("target() {");
        page.line("    name_of_class=iqn.2026-01.net.example:$name.$1");
        page.line("    port=$2");
        page.line("    shift 2");
        page.line("    targetcli /iscsi create \"$name_of_class\"");
        page.line("    group=/iscsi/$name_of_class/tpg1");
        page.line("    targetcli \"$group/portals\" create \"$address\" \"$port\"");
        page.line("    number=1");
        page.line("    for device in \"$@\"; do");
        page.line("        targetcli \"$group/luns\" create \"/backstores/block/qoscope-$number\"");
        page.line("        number=$((number + 1))");
        page.line("    done");
        page.line(
            "    targetcli \"$group\" set attribute authentication=0 generate_node_acls=1 demo_mode_write_protect=0",
        );
        for (says, name, value) in self.negotiated() {
            page.marked(format!("    targetcli \"$group\" set parameter {name}={value}"), says, None);
        }
        page.line("}");
        for class in iscsi {
            let name = &classes[*class].name;
            page.marked(
                format!("target {} {} \"$@\"", self.names[*class], iscsi_port(*class)),
                format!("class {name}, a port for each"),
                Some(*class),
            );
        }
        page.line("targetcli saveconfig");
        page.file("iscsi-target.sh", "exports the devices of a target over iSCSI")
    }
}

/// The arguments of the script of a target.
fn begin(page: &mut Page, example: &str) {
    page.line("set -e");
    page.line(format!("name=${{1:?name the target as its initiators do, such as {example}}}"));
    page.line("address=${2:?give its address}");
    page.line("shift 2");
    page.line(": \"${1:?give its devices, such as /dev/nvme0n1}\"");
}
