//! DSCP by class: rules of nftables, by the ports of applications.

use qoscope_engine::access::AccessProtocol;

use super::{Writer, iscsi_port, protocols};
use crate::export::How::{NotAtAll, Roughly};
use crate::export::page::Page;
use crate::export::sonic::PROPOSAL;
use crate::export::words::listed;
use crate::export::{Command, Target};

/// The port of applications of a class, where no protocol has one: a placeholder.
fn placeholder(class: usize) -> usize {
    /// That of the first class.
    const FIRST: usize = 5001;
    FIRST + class
}

impl Writer<'_, '_> {
    /// Writes the rules, if a class needs some, and says what becomes of all code points.
    pub(super) fn dscp(&mut self) {
        let scenario = self.scene.scenario;
        let mut rules: Vec<(usize, u8, Vec<usize>)> = Vec::new();
        let mut proposed: Vec<&str> = Vec::new();
        for (class, own) in scenario.classes.iter().enumerate() {
            let (code, stated) = self.codes[class];
            let path = format!("classes[{class}].dscp");
            let from = if stated { code.to_string() } else { "none".into() };
            let (mut to, mut ports) = (Vec::new(), Vec::new());
            for protocol in protocols(scenario, class) {
                match protocol {
                    AccessProtocol::NvmeTcp | AccessProtocol::NvmeRdma => to.push(format!("--tos={}", code << 2)),
                    AccessProtocol::Iscsi => ports.push(iscsi_port(class)),
                    AccessProtocol::Direct if !own.transport.is_rate_based() => ports.push(placeholder(class)),
                    AccessProtocol::Direct => {
                        let why = "RDMA passes by the rules of the kernel: the card sets its code points.";
                        self.ledger.elsewhere(&path, from.clone(), Target::Roce);
                        self.ledger.because(&path, from.clone(), "", NotAtAll, why);
                    }
                    AccessProtocol::Local => {}
                }
            }
            if !ports.is_empty() {
                to.push(format!("dscp set {code}"));
                rules.push((class, code, ports));
            }
            to.dedup();
            if to.is_empty() {
                continue;
            }
            if stated {
                self.ledger.add(&path, from, to.join(", "));
            } else {
                proposed.push(&own.name);
                self.ledger.because(&path, from, to.join(", "), Roughly, PROPOSAL);
            }
        }
        if !proposed.is_empty() {
            self.remarks.push(format!(
                "The scenario states no DSCP for {}: those here are proposals, the same as for the target sonic.",
                listed(&proposed)
            ));
        }
        if rules.is_empty() {
            return;
        }
        let page = self.rules(&rules);
        self.files.push(page.file("dscp.nft", "sets the code points of classes, on every host"));
        self.commands.push(Command { on: "On every host, as root".into(), text: "nft -f dscp.nft".into() });
        self.remarks.push("Ports of applications in dscp.nft are yours: those from 5001 on stand for them. Only those of iSCSI are as its targets here have them.".into());
    }

    fn rules(&self, rules: &[(usize, u8, Vec<usize>)]) -> Page {
        let mut page = Page::default();
        page.line("#!/usr/sbin/nft -f");
        page.line("# DSCP by class, by the ports of its applications at either end. Usage: nft -f dscp.nft");
        page.line("table inet qoscope {}");
        page.line("delete table inet qoscope");
        page.line("table inet qoscope {");
        page.line("    chain classes {");
        page.line("        type filter hook postrouting priority mangle; policy accept;");
        for (class, code, ports) in rules {
            let name = &self.scene.scenario.classes[*class].name;
            let ports = ports.iter().map(usize::to_string).collect::<Vec<_>>().join(", ");
            for (ip, side) in [("ip", "dport"), ("ip", "sport"), ("ip6", "dport"), ("ip6", "sport")] {
                page.marked(
                    format!("        tcp {side} {{ {ports} }} {ip} dscp set {code}"),
                    format!("{name}: DSCP {code}"),
                    Some(*class),
                );
            }
        }
        page.line("    }");
        page.line("}");
        page
    }
}
