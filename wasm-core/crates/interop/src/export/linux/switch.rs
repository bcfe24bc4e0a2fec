//! A Linux box as a switch: queues of its ports.

use std::collections::BTreeSet;

use qoscope_engine::scenario::shape::switch_count;
use qoscope_engine::scenario::{Buffering, Marking, Threshold};

use super::host::packets;
use super::red::{Red, spaced};
use super::{Writer, crosses_network};
use crate::export::How::{Exactly, NotAtAll, Roughly};
use crate::export::page::{Page, number};
use crate::export::{Command, sonic};

/// Classes that share a band of a port.
struct Band {
    classes: Vec<usize>,
    /// The priority of its classes, where it has one above 0.
    priority: Option<u8>,
    ratio: f64,
}

/// What every band of a port is.
enum Queue {
    /// It marks; lines of its parameters, with where they come from.
    Marks(Vec<(String, String)>),
    /// It drops what does not fit.
    Fifo,
}

/// Most that tc keeps a number of bytes in.
const MOST_LIMIT: u64 = u32::MAX as u64;

impl Writer<'_, '_> {
    /// Writes the script of a switch.
    pub(super) fn switch(&mut self) {
        let scenario = self.scene.scenario;
        let bands = self.bands();
        let queue = self.marking();
        let limit = self.limit();
        let reserve = self.reserve(&bands);
        let mut page = Page::default();
        page.line("#!/bin/sh");
        page.line("# Ports of a Linux box that switches: bands, marking and buffers. Usage: sh switch.sh PORT...");
        page.line("set -e");
        page.line(": \"${1:?name its ports, such as eth1 eth2}\"");
        if matches!(queue, Queue::Marks(_)) {
            self.rate(&mut page);
        }
        page.line("# A queue: its limit in bytes, and where it stands.");
        page.line("queue() {");
        page.line("    limit=$1");
        page.line("    shift");
        match &queue {
            Queue::Marks(lines) => {
                page.line("    tc qdisc add dev \"$port\" \"$@\" red limit \"$limit\" \\");
                for (line, says) in lines {
                    page.marked(format!("        {line} \\"), says, None);
                }
                page.line("        bandwidth \"$rate\" ecn nodrop");
            }
            Queue::Fifo => page.line("    tc qdisc add dev \"$port\" \"$@\" bfifo limit \"$limit\""),
        }
        page.line("}");
        page.line("for port in \"$@\"; do");
        page.line("    tc qdisc del dev \"$port\" root 2> /dev/null || true");
        let (limit, says) = limit;
        if bands.len() == 1 {
            page.marked(format!("    queue {limit} root handle 1:"), says, None);
        } else {
            self.ets(&mut page, &bands);
            for (at, band) in bands.iter().enumerate() {
                let (limit, says) = match (band.priority, reserve) {
                    (None, bytes) if bytes > 0 => {
                        let less = limit.saturating_sub(bytes).max(1);
                        (less, format!("{says}, less {} B for urgent packets", number(bytes as f64)))
                    }
                    _ => (limit, says.clone()),
                };
                let place = at + 1;
                page.marked(
                    format!("    queue {limit} parent 1:{place} handle 1{place}:"),
                    says,
                    band.classes.first().copied(),
                );
            }
            self.filters(&mut page, &bands);
        }
        page.line("done");
        self.files.push(page.file("switch.sh", "sets the ports of a Linux box that switches"));
        let switches = switch_count(&scenario.topology.shape);
        let on = if switches == 1 { "On the switch, as root" } else { "On every switch, as root" };
        self.commands.push(Command { on: on.into(), text: "sh switch.sh eth1 eth2".into() });
        self.remarks.push("switch.sh is for switches that are Linux boxes, whose ports are bridged or routed already. Its queues stand in the kernel: what the card has taken over is beyond them, and byte queue limits keep that short.".into());
    }

    /// The bands of a port: one for each priority above 0; below them one for each class where ratios are followed, else one for all.
    fn bands(&mut self) -> Vec<Band> {
        let scenario = self.scene.scenario;
        let classes = &scenario.classes;
        let follows = classes.iter().any(|class| class.transport.follows_quality());
        let is_followed = |class: &usize| follows && self.scene.effective(&format!("classes[{class}].ratio")).is_some();
        let mut bands: Vec<Band> = Vec::new();
        let mut rest: Vec<Band> = Vec::new();
        for mut queue in sonic::queues(self.scene) {
            queue.classes.retain(|class| crosses_network(scenario, *class));
            if queue.classes.is_empty() {
                continue;
            }
            let ratio = queue.classes.iter().map(|class| classes[*class].ratio).sum();
            let weighs = queue.classes.iter().all(is_followed);
            let priority = queue.strict.then_some(queue.number);
            let band = Band { classes: queue.classes, priority, ratio };
            match rest.last_mut() {
                _ if priority.is_some() => bands.push(band),
                Some(last) if !weighs => last.classes.extend(band.classes),
                _ => rest.push(band),
            }
        }
        bands.extend(rest);
        for band in &bands {
            for class in band.classes.iter().filter(|_| band.priority.is_some()) {
                let path = format!("classes[{class}].priority");
                let own = band.priority.unwrap_or_default().to_string();
                if bands.len() == 1 {
                    let why = "All classes have it: there is nothing to be served after them.";
                    self.ledger.because(&path, own, "one queue", Exactly, why);
                } else {
                    self.ledger.add(&path, own, "a strict band");
                }
            }
        }
        bands
    }

    /// The bands of a port by ETS, strict ones first.
    fn ets(&mut self, page: &mut Page, bands: &[Band]) {
        let mtu = f64::from(self.scene.scenario.host.mtu_bytes);
        let strict = bands.iter().filter(|band| band.priority.is_some()).count();
        let weighed: Vec<&Band> = bands.iter().filter(|band| band.priority.is_none()).collect();
        let least = weighed.iter().map(|band| band.ratio).fold(f64::INFINITY, f64::min);
        let mut line = format!("    tc qdisc add dev \"$port\" root handle 1: ets bands {}", bands.len());
        let mut says = Vec::new();
        if strict > 0 {
            line = format!("{line} strict {strict}");
            says.push(format!("{strict} of strict priority"));
        }
        if !weighed.is_empty() {
            line.push_str(" quanta");
        }
        for band in &weighed {
            let wanted = band.ratio / least * mtu;
            let quantum = wanted.round().min(MOST_LIMIT as f64);
            line = format!("{line} {quantum}");
            says.push(format!(
                "{} ÷ {} × {} B = {} B",
                number(band.ratio),
                number(least),
                number(mtu),
                number(quantum)
            ));
            for class in band.classes.iter().filter(|_| weighed.len() > 1) {
                let path = format!("classes[{class}].ratio");
                let from = number(self.scene.scenario.classes[*class].ratio);
                let to = format!("quantum {} B", number(quantum));
                if quantum < wanted - 1.0 {
                    let why = format!("A turn has {} B at most.", number(MOST_LIMIT as f64));
                    self.ledger.because(&path, from, to, Roughly, why);
                } else {
                    self.ledger.add(&path, from, to);
                }
            }
        }
        page.marked(line, says.join(", "), None);
    }

    /// Which packets go to which band.
    fn filters(&mut self, page: &mut Page, bands: &[Band]) {
        let mut seen = BTreeSet::new();
        for (at, band) in bands.iter().enumerate() {
            for class in &band.classes {
                let (code, _) = self.codes[*class];
                if !seen.insert(code) {
                    continue;
                }
                // The six bits of the code point, above those of ECN.
                let (field, mask) = (code << 2, 0xfc);
                let says = format!("{}: DSCP {code}, band {}", self.scene.scenario.classes[*class].name, at + 1);
                for (protocol, order, matched) in [("ip", 1, "ip dsfield"), ("ipv6", 2, "ip6 priority")] {
                    page.marked(
                        format!("    tc filter add dev \"$port\" parent 1: protocol {protocol} prio {order} u32 match {matched} 0x{field:02x} 0x{mask:02x} classid 1:{}", at + 1),
                        says.clone(),
                        Some(*class),
                    );
                }
            }
        }
        self.remarks.push("Each band of switch.sh marks and drops by a queue of its own. Packets with none of its code points go to the last band.".into());
    }

    /// How bands mark.
    fn marking(&mut self) -> Queue {
        let scenario = self.scene.scenario;
        let (switch, mtu) = (&scenario.switch, scenario.host.mtu_bytes);
        if self.scene.effective("switch.marking").is_none() {
            return Queue::Fifo;
        }
        if switch.marking == Marking::Off {
            self.ledger.because("switch.marking", "Off", "bfifo", Exactly, "A plain queue marks nothing.");
            return Queue::Fifo;
        }
        let (least, greatest) = (switch.ecn_threshold_packets, switch.red_maximum_packets);
        let in_bytes = |count: u32| {
            let bytes = number(f64::from(count) * f64::from(mtu));
            format!("{} × {mtu} B = {bytes} B", packets(count))
        };
        let is_ramp = switch.marking == Marking::Red;
        let red = if is_ramp {
            Red::ramp(least, greatest, mtu, switch.red_maximum_probability)
        } else {
            Red::step(least, mtu)
        };
        let title = if is_ramp { "RED" } else { "Step" };
        let has_threshold = self.scene.effective("switch.ecnThresholdPackets").is_some();
        let Some(red) = red else {
            let why = "RED of Linux takes thresholds below 1 GiB: this one is above, and nothing is marked.";
            self.ledger.because("switch.marking", title, "", NotAtAll, why);
            return Queue::Fifo;
        };
        self.ledger.add("switch.marking", title, "red ecn nodrop");
        if has_threshold {
            let to = format!("min {} B", number(red.min as f64));
            self.ledger.add("switch.ecnThresholdPackets", packets(least), to);
        }
        self.point(least);
        let threshold = if is_ramp {
            let to = format!("max {} B", number(red.max as f64));
            self.ledger.add("switch.redMaximumPackets", packets(greatest), to);
            let wanted = switch.red_maximum_probability;
            let path = "switch.redMaximumProbability";
            let to = format!("probability {}", written(red.probability));
            if wanted <= 0.0 {
                let why = "No ramp: nothing is marked below Kmax.";
                self.ledger.because(path, number(wanted), to, Roughly, why);
            } else if red.probability > spaced(wanted) {
                let why = format!("tc takes no less on a ramp of {} B.", number((red.max - red.min) as f64));
                self.ledger.because(path, number(wanted), to, Roughly, why);
            } else {
                self.ledger.add(path, number(wanted), to);
            }
            format!("K {}, Kmax {}", in_bytes(least), in_bytes(greatest))
        } else {
            format!("K {}, and one byte above: a step, no ramp", in_bytes(least))
        };
        let chance = if is_ramp {
            let wanted = number(switch.red_maximum_probability);
            format!("Pmax {wanted} ÷ (2 − {wanted}), since Linux spaces its marks")
        } else {
            "every packet above K".to_owned()
        };
        Queue::Marks(vec![
            (format!("min {} max {}", red.min, red.max), threshold),
            (
                format!("avpkt {} burst {}", red.packet, red.burst),
                "full packets; min ÷ avpkt, the shortest average that tc takes".into(),
            ),
            (format!("probability {}", written(red.probability)), chance),
        ])
    }

    /// Where the queue is compared with the threshold.
    fn point(&mut self, threshold: u32) {
        let scenario = self.scene.scenario;
        let Some(point) = self.scene.effective("switch.markingPoint").and_then(|point| point.as_str()) else { return };
        if point == "departure" {
            let us =
                f64::from(threshold) * f64::from(scenario.host.mtu_bytes) * 8.0 / (scenario.topology.link_gbps * 1e3);
            let why = format!(
                "RED looks as packets join. ce_threshold of codel and fq_codel looks as they leave, at the time that they waited: K packets take {} µs at {} Gb/s.",
                number(us),
                number(scenario.topology.link_gbps)
            );
            self.ledger.because("switch.markingPoint", point, "red", Roughly, why);
        } else {
            self.ledger.add("switch.markingPoint", point, "red");
        }
    }

    /// The rate by which RED lets its average fall.
    fn rate(&mut self, page: &mut Page) {
        /// Mb/s that tc keeps in 32 bits of bytes a second.
        const MOST_MBPS: f64 = 34_000.0;
        let Some(gbps) = self.scene.number("topology.linkGbps") else {
            page.line("rate=${RATE:?give the rate of its ports, such as RATE=10Gbit}");
            return;
        };
        let mbps = (gbps * 1000.0).round().clamp(1.0, MOST_MBPS);
        let from = format!("{} Gb/s", number(gbps));
        page.marked(format!("rate=${{RATE:-{mbps}Mbit}}"), format!("links of {from}; RATE=... for others"), None);
        let to = format!("bandwidth {mbps}Mbit");
        if (mbps / 1000.0 - gbps).abs() < 1e-9 {
            self.ledger.because("topology.linkGbps", from, to, Exactly, "The rate of the ports, as it is.");
        } else {
            self.ledger.add("topology.linkGbps", from, to);
        }
    }

    /// What a band may hold, in bytes, and where that comes from.
    fn limit(&mut self) -> (u64, String) {
        let scenario = self.scene.scenario;
        let (switch, mtu) = (&scenario.switch, scenario.host.mtu_bytes);
        let bytes = |bytes: u64| format!("{} B", number(bytes as f64));
        let (wanted, mut says) = if switch.buffering == Buffering::PerPort {
            let wanted = u64::from(switch.buffer_packets) * u64::from(mtu);
            let packets = packets(switch.buffer_packets);
            self.ledger.add(
                "switch.bufferPackets",
                packets.clone(),
                format!("limit {}", bytes(wanted.min(MOST_LIMIT))),
            );
            let says = format!("port buffer {packets} × {mtu} B = {}", bytes(wanted));
            match switch.buffer_bytes {
                Some(own) => {
                    self.ledger.add(
                        "switch.bufferBytes",
                        bytes(own),
                        format!("limit {}", bytes(own.min(wanted).min(MOST_LIMIT))),
                    );
                    if own < wanted { (own, format!("port buffer {}", bytes(own))) } else { (wanted, says) }
                }
                None => (wanted, says),
            }
        } else {
            self.shared();
            let own = switch.shared_buffer_bytes;
            self.ledger.add("switch.sharedBufferBytes", bytes(own), format!("limit {}", bytes(own)));
            (own, format!("shared buffer {}", bytes(own)))
        };
        if wanted > MOST_LIMIT {
            says = format!("{says}, of which tc takes {}", bytes(MOST_LIMIT));
        }
        (wanted.min(MOST_LIMIT), says)
    }

    /// What no port of Linux has: memory that ports share, and pauses.
    fn shared(&mut self) {
        let switch = &self.scene.scenario.switch;
        let pauses = switch.buffering == Buffering::Pfc;
        self.ledger.add("switch.buffering", if pauses { "PFC" } else { "shared" }, "");
        let bytes = |bytes: u64| format!("{} B", number(bytes as f64));
        if switch.threshold == Threshold::Dynamic {
            self.ledger.add("switch.thresholdAlpha", number(switch.threshold_alpha), "");
        } else {
            self.ledger.add("switch.xoffBytes", bytes(switch.xoff_bytes), "");
        }
        self.ledger.add("switch.guaranteedBytes", bytes(switch.guaranteed_bytes), "");
        if pauses {
            if let Some(headroom) = self.scene.number("switch.headroomBytes") {
                self.ledger.add("switch.headroomBytes", format!("{} B", number(headroom)), "");
            }
            self.ledger.add("switch.xonOffsetBytes", bytes(switch.xon_offset_bytes), "");
            self.remarks.push("A Linux box sends no pause frames of PFC for its queues: it drops where the switches of the scenario pause. Take the target sonic for those.".into());
        }
    }

    /// Bytes that bands of a priority of 0 have less, for urgent packets.
    fn reserve(&mut self, bands: &[Band]) -> u64 {
        const PATH: &str = "switch.urgentReservePackets";
        let scenario = self.scene.scenario;
        let reserved = scenario.switch.urgent_reserve_packets;
        if reserved == 0 || self.scene.effective(PATH).is_none() {
            return 0;
        }
        let from = packets(reserved);
        let bytes = u64::from(reserved) * u64::from(scenario.host.mtu_bytes);
        if bands.len() > 1 && bands.iter().any(|band| band.priority.is_some()) {
            self.ledger.add(PATH, from, format!("{} B less", number(bytes as f64)));
            return bytes;
        }
        let why = "There is one queue for all: nothing is urgent beside something that is not.";
        self.ledger.because(PATH, from, "", NotAtAll, why);
        0
    }
}

/// A probability as tc reads it: as many digits as it needs.
fn written(probability: f64) -> String {
    let text = format!("{probability:.9}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}
