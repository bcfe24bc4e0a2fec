//! Hosts: congestion control, MTU, and what the route to the peers says of connections.

use std::collections::{BTreeMap, BTreeSet};

use qoscope_engine::scenario::{AckPriority, Diagnostic, Hosts, TransportKind};
use qoscope_engine::simulation::plan::{Plan, class_of};
use qoscope_engine::text::counted;

use super::{Writer, crosses_network};
use crate::export::How::{Exactly, NotAtAll, Roughly};
use crate::export::page::{Page, number};
use crate::export::words::listed;
use crate::export::{Command, Target};

/// What goes over a host, which says what is set on it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Role {
    /// Classes whose transport comes to DCTCP.
    dctcp: bool,
    /// Other classes over TCP.
    other: bool,
}

impl Role {
    /// The name of its file, where there are several.
    fn name(self) -> &'static str {
        match (self.dctcp, self.other) {
            (true, false) => "dctcp-hosts",
            (true, true) => "mixed-hosts",
            (false, true) => "tcp-hosts",
            (false, false) => "rdma-hosts",
        }
    }
}

/// A line of a script, and where its value comes from.
type Line = (String, String);

/// What is the same on all hosts.
#[derive(Default)]
struct Settings {
    /// The gain of DCTCP.
    gain: Option<(Line, usize)>,
    /// Lines for hosts with classes over TCP.
    tcp: Vec<Line>,
    /// What the route says, apart from congestion control.
    route: Vec<Line>,
}

/// Whether DCTCP is as near as Linux comes to a transport.
fn comes_to_dctcp(transport: TransportKind) -> bool {
    matches!(transport, TransportKind::Dctcp | TransportKind::D2tcp | TransportKind::Qtcp)
}

impl Writer<'_, '_> {
    /// Writes a file for each kind of host. Returns how many hosts there are.
    pub(super) fn hosts(&mut self) -> Result<usize, Vec<Diagnostic>> {
        let scenario = self.scene.scenario;
        let mut roles: BTreeMap<u32, Role> = BTreeMap::new();
        let mut peers: BTreeMap<u32, BTreeSet<u32>> = BTreeMap::new();
        for application in Plan::new(scenario)?.applications {
            let workload = &scenario.workloads[application.workload];
            if !scenario.protocol_of(workload).crosses_network() {
                continue;
            }
            let transport = scenario.classes[class_of(scenario, &workload.class).index()].transport;
            let dctcp = comes_to_dctcp(transport);
            for (own, peer) in [(application.host, application.target), (application.target, application.host)] {
                let role = roles.entry(own).or_default();
                role.dctcp |= dctcp;
                role.other |= !dctcp && !transport.is_rate_based();
                if dctcp {
                    peers.entry(own).or_default().insert(peer);
                }
            }
        }
        let mut kinds: BTreeMap<Role, Vec<u32>> = BTreeMap::new();
        for (host, role) in &roles {
            kinds.entry(*role).or_default().push(*host);
        }
        self.transports();
        let settings = self.settings(roles.values().any(|role| role.dctcp || role.other));
        let names = Hosts::of(&scenario.topology.shape);
        let name = |host: &u32| names.name(*host).unwrap_or_default();
        for (role, hosts) in kinds.iter().rev() {
            let file = if kinds.len() == 1 { "host" } else { role.name() };
            let mut of_role: Vec<u32> = hosts.iter().filter_map(|host| peers.get(host)).flatten().copied().collect();
            of_role.sort_unstable();
            of_role.dedup();
            let peers = listed(&of_role.iter().map(name).collect::<Vec<_>>());
            let page = self.host(*role, file, &settings, &peers);
            let on = listed(&hosts.iter().map(name).collect::<Vec<_>>());
            self.files.push(page.file(format!("{file}.sh"), format!("sets {on}")));
            let network = if role.dctcp || role.other { " 10.0.0.0/24" } else { "" };
            let text = format!("sh {file}.sh eth0{network}");
            self.commands.push(Command { on: format!("On {on}, as root"), text });
        }
        let mut placeholders = "Interfaces and networks are yours: eth0 and 10.0.0.0/24 stand for them.".to_owned();
        if roles.values().any(|role| role.dctcp || role.other) {
            placeholders +=
                " What else the route has, such as via 10.0.0.1 or metric 100, is given behind the network.";
        }
        self.remarks.insert(0, placeholders);
        if kinds.keys().any(|role| role.dctcp && role.other) {
            self.remarks.push("Some hosts have classes over DCTCP and others over another congestion control. A route has one for all connections to its network: where both go to the same peers, applications choose by the socket option TCP_CONGESTION.".into());
        }
        Ok(roles.len())
    }

    fn host(&self, role: Role, file: &str, settings: &Settings, peers: &str) -> Page {
        let mut page = Page::default();
        let over_tcp = role.dctcp || role.other;
        page.line("#!/bin/sh");
        if over_tcp {
            page.line(format!("# A host: congestion control, MTU and the route to its peers. Usage: sh {file}.sh DEVICE NETWORK [via GATEWAY]"));
        } else {
            page.line(format!("# A host over RDMA: its MTU. Usage: sh {file}.sh DEVICE"));
        }
        page.line("set -e");
        page.line("device=${1:?name the network interface, such as eth0}");
        if over_tcp {
            page.line("network=${2:?name the network of its peers, such as 10.0.0.0/24}");
            page.line("shift 2");
        }
        let mtu = self.scene.scenario.host.mtu_bytes;
        page.marked(
            format!("ip link set dev \"$device\" mtu {mtu}"),
            format!("MTU of {} B", number(f64::from(mtu))),
            None,
        );
        if role.dctcp {
            page.line("modprobe tcp_dctcp");
            if let Some(((line, says), class)) = &settings.gain {
                page.marked(line, says, Some(*class));
            }
            if !role.other {
                page.marked("sysctl -w net.ipv4.tcp_congestion_control=dctcp", "every class over TCP here", None);
            }
            page.marked("sysctl -w net.ipv4.tcp_ecn=1", "DCTCP follows marks of ECN", None);
        }
        if over_tcp {
            for (line, says) in &settings.tcp {
                page.marked(line, says, None);
            }
            let mut route = settings.route.clone();
            if role.dctcp && role.other {
                route.push(("congctl dctcp features ecn".into(), format!("to peers of classes over DCTCP: {peers}")));
            }
            if !route.is_empty() {
                page.line("ip route replace \"$network\" \"$@\" dev \"$device\" \\");
            }
            for (at, (line, says)) in route.iter().enumerate() {
                let end = if at + 1 < route.len() { " \\" } else { "" };
                page.marked(format!("    {line}{end}"), says, None);
            }
        }
        page
    }

    /// What becomes of the transports of classes.
    fn transports(&mut self) {
        let scenario = self.scene.scenario;
        for (at, class) in scenario.classes.iter().enumerate() {
            if !crosses_network(scenario, at) {
                continue;
            }
            let path = format!("classes[{at}].transport");
            let title = class.transport.describe().title;
            let to = "tcp_congestion_control=dctcp, tcp_ecn=1";
            match class.transport {
                TransportKind::Dctcp => self.ledger.add(&path, title, to),
                TransportKind::Qtcp => {
                    let why = "No Linux kernel has QTCP. DCTCP follows the same marks, and shares evenly: bands of switches can keep the ratios.";
                    self.ledger.because(&path, title, to, Roughly, why);
                }
                TransportKind::D2tcp => {
                    let why = "No Linux kernel has D2TCP. DCTCP follows the same marks, and knows no deadlines.";
                    self.ledger.because(&path, title, to, Roughly, why);
                    let target = format!("classes[{at}].latencyTargetUs");
                    if let Some(us) = self.scene.number(&target) {
                        self.ledger.add(&target, format!("{} µs", number(us)), "");
                    }
                }
                TransportKind::Swift => {
                    let why = "No Linux kernel has Swift, or any other that keeps a target of the round trip so: its classes have what the machine has.";
                    self.ledger.because(&path, title, "", NotAtAll, why);
                }
                TransportKind::Dcqcn | TransportKind::Qrdma | TransportKind::Timely => {
                    self.ledger.elsewhere(&path, title, Target::Roce);
                    self.ledger.because(&path, title, "", NotAtAll, "Congestion control of RDMA is with the card.");
                }
            }
        }
    }

    /// What is the same on all hosts, those with classes over TCP among them.
    fn settings(&mut self, over_tcp: bool) -> Settings {
        let mtu = self.scene.scenario.host.mtu_bytes;
        let mut settings = Settings::default();
        self.ledger.add("host.mtuBytes", format!("{} B", number(f64::from(mtu))), format!("mtu {mtu}"));
        if mtu > MOST_MTU {
            self.remarks
                .push(format!("Usual cards take an MTU of {MOST_MTU} bytes at most: {mtu} is for virtual links."));
        }
        if over_tcp {
            settings.gain = self.gain();
            self.headers(&mut settings);
            self.card(&mut settings);
            self.windows(&mut settings);
            self.timeout(&mut settings);
            self.acknowledgements(&mut settings);
        }
        settings
    }

    /// Whether a field has an effect.
    fn has(&self, path: &str) -> bool {
        self.scene.effective(path).is_some()
    }

    /// Headers of packets, which say whether there are timestamps.
    fn headers(&mut self, settings: &mut Settings) {
        const PATH: &str = "host.headerBytes";
        let bytes = self.scene.scenario.host.header_bytes;
        if !self.has(PATH) {
            return;
        }
        let from = format!("{bytes} B");
        let (stamps, word) = match bytes {
            40 | 60 => (0, "without"),
            52 | 72 => (1, "with"),
            _ => {
                let why = "Headers of IP and TCP have 40, 52, 60 or 72 bytes, by the version of IP and whether there are timestamps.";
                self.ledger.because(PATH, from, "", NotAtAll, why);
                return;
            }
        };
        let says = format!("headers of {from}, {word} timestamps");
        settings.tcp.push((format!("sysctl -w net.ipv4.tcp_timestamps={stamps}"), says));
        self.ledger.add(PATH, from, format!("tcp_timestamps={stamps}"));
    }

    /// What may wait in the card.
    fn card(&mut self, settings: &mut Settings) {
        const PATH: &str = "host.queuePackets";
        let host = &self.scene.scenario.host;
        if !self.has(PATH) {
            return;
        }
        let bytes = u64::from(host.queue_packets) * u64::from(host.mtu_bytes);
        let spoken = number(bytes as f64);
        let line = format!(
            "for queue in /sys/class/net/\"$device\"/queues/tx-*; do echo {bytes} > \"$queue/byte_queue_limits/limit_max\"; done"
        );
        settings.tcp.push((line, format!("{} × {} B = {spoken} B", packets(host.queue_packets), host.mtu_bytes)));
        self.ledger.add(PATH, packets(host.queue_packets), format!("limit_max {spoken} B"));
    }

    /// The window: as it begins, its greatest and its least.
    fn windows(&mut self, settings: &mut Settings) {
        let host = &self.scene.scenario.host;
        if self.has("host.initialWindowPackets") {
            let own = host.initial_window_packets;
            settings.route.push((format!("initcwnd {own}"), format!("initial window of {}", packets(own))));
            self.ledger.add("host.initialWindowPackets", packets(own), format!("initcwnd {own}"));
        }
        if self.has("host.maximumWindowPackets") {
            let own = host.maximum_window_packets;
            settings.route.push((format!("cwnd lock {own}"), format!("maximum window of {}", packets(own))));
            self.ledger.add("host.maximumWindowPackets", packets(own), format!("cwnd lock {own}"));
            let bytes = number(f64::from(own) * f64::from(host.mtu_bytes));
            self.remarks.push(format!("A window of {} is {bytes} B, and the kernel keeps something beside each packet: raise the greatest of net.ipv4.tcp_wmem and net.ipv4.tcp_rmem to twice that where they are smaller.", packets(own)));
        }
        if self.has("host.minimumWindowPackets") {
            let own = host.minimum_window_packets;
            if own == LEAST_WINDOW {
                let why = "As DCTCP of Linux has it.";
                self.ledger.because("host.minimumWindowPackets", packets(own), "as it is", Exactly, why);
            } else {
                self.ledger.add("host.minimumWindowPackets", packets(own), "");
            }
        }
    }

    /// The least time before packets are sent again.
    fn timeout(&mut self, settings: &mut Settings) {
        const PATH: &str = "host.minimumRtoUs";
        let us = self.scene.scenario.host.minimum_rto_us;
        if !self.has(PATH) {
            return;
        }
        // ip rounds up, too.
        let ms = (us / 1000.0).ceil().max(1.0);
        let (from, to) = (format!("{} µs", number(us)), format!("rto_min {ms}ms"));
        settings.route.push((to.clone(), format!("minimum RTO of {from}")));
        if (ms * 1000.0 - us).abs() < 1e-6 {
            self.ledger.add(PATH, from, to);
        } else {
            let why = format!("Whole milliseconds, 1 at least: {from} becomes {ms} ms.");
            self.ledger.because(PATH, from, to, Roughly, why);
        }
    }

    /// When packets are acknowledged.
    fn acknowledgements(&mut self, settings: &mut Settings) {
        const DELAYED: &str = "host.delayedAckPackets";
        let host = &self.scene.scenario.host;
        let own = host.delayed_ack_packets;
        if self.has(DELAYED) {
            match own {
                1 => {
                    settings.route.push(("quickack 1".into(), "every packet is acknowledged".into()));
                    self.ledger.add(DELAYED, packets(own), "quickack 1");
                }
                2 => self.ledger.add(DELAYED, packets(own), "as it is"),
                _ => {
                    let why = format!("Linux acknowledges every packet or every second one, not every {own}.");
                    self.ledger.because(DELAYED, packets(own), "", NotAtAll, why);
                }
            }
        }
        if self.has("host.delayedAckTimeoutUs") && own > 1 {
            self.ledger.add("host.delayedAckTimeoutUs", format!("{} µs", number(host.delayed_ack_timeout_us)), "");
        }
        if self.has("host.ackPriority") {
            match host.ack_priority {
                AckPriority::BeforeData => self.ledger.add("host.ackPriority", "before data", ""),
                AckPriority::InOrder => {
                    self.ledger.because("host.ackPriority", "in order", "as it is", Exactly, "As Linux sends them.");
                }
            }
        }
    }

    /// The gain of DCTCP: that of the first class that comes to it.
    fn gain(&mut self) -> Option<(Line, usize)> {
        let scenario = self.scene.scenario;
        let mut first: Option<(u32, usize)> = None;
        for (class, own) in scenario.classes.iter().enumerate() {
            let path = format!("classes[{class}].gain");
            if !super::is_over_tcp(scenario, class) || self.scene.effective(&path).is_none() {
                continue;
            }
            let (shift, of) = *first.get_or_insert((shift_of(own.gain), class));
            let near = libm::exp2(-f64::from(shift));
            let to = format!("dctcp_shift_g {shift}");
            if (near - own.gain).abs() < 1e-9 {
                self.ledger.add(&path, number(own.gain), to);
            } else if of == class {
                let why = format!("g is a power of two: {} becomes 2^−{shift} = {}.", number(own.gain), number(near));
                self.ledger.because(&path, number(own.gain), to, Roughly, why);
            } else {
                let why = format!("A host has one gain, that of {}: 2^−{shift}.", scenario.classes[of].name);
                self.ledger.because(&path, number(own.gain), to, Roughly, why);
            }
        }
        let (shift, class) = first?;
        let gain = scenario.classes[class].gain;
        let line = format!("echo {shift} > /sys/module/tcp_dctcp/parameters/dctcp_shift_g");
        let says = format!("gain {}: 2^−{shift} = {}", number(gain), number(libm::exp2(-f64::from(shift))));
        Some(((line, says), class))
    }
}

/// Greatest MTU of usual cards: jumbo frames with room for headers of tunnels.
const MOST_MTU: u32 = 9216;
/// What DCTCP of Linux keeps of its window, in packets.
const LEAST_WINDOW: u32 = 2;

/// Packets in words.
pub(super) fn packets(count: u32) -> String {
    counted(count, "packet")
}

/// The power of two nearest to a gain, negated, within what the kernel takes: 0 to 10.
fn shift_of(gain: f64) -> u32 {
    const MOST: f64 = 10.0;
    (-libm::log2(gain)).round().clamp(0.0, MOST) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gains_become_powers_of_two() {
        // 1/16 is RFC 8257's; 0.05 lies between 1/16 and 1/32, 0.0001 below the least, 2^-10.
        assert_eq!([1.0, 0.0625, 0.05, 0.0001].map(shift_of), [0, 4, 4, 10]);
    }
}
