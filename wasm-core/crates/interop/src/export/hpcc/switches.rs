//! Marking and memory of switches, in config.txt.

use qoscope_engine::scenario::{Buffering, Diagnostic, Marking, MarkingPoint, Threshold};
use qoscope_engine::text::counted;

use super::Writer;
use super::topology::Topology;
use crate::export::How::{Exactly, NotAtAll, Roughly};
use crate::export::page::{Page, number};

/// A MiB, in which that simulator has the memory of switches.
const MIB: f64 = 1024.0 * 1024.0;
/// Most memory of a switch, whose bytes have 32 bits there.
const MAX_MIB: f64 = 4095.0;
/// Memory that a switch there keeps for each port (`SwitchMmu::reserve`).
const GUARANTEED_BYTES: f64 = 4096.0;
/// How far below the threshold a queue there must fall before its sender may go on (`SwitchMmu::resume_offset`).
const XON_OFFSET_BYTES: f64 = 3072.0;
/// The part of the free memory that a port there may take (`SwitchMmu::pfc_a_shift`).
const ALPHA: f64 = 0.125;
/// Most kB of a threshold of marking, whose bytes have 32 bits there.
const MAX_KB: f64 = 4_294_967.0;

impl Writer<'_, '_> {
    pub(super) fn marking(&mut self, page: &mut Page) {
        let marking = self.scene.scenario.switch.marking;
        let enabled = u8::from(marking != Marking::Off);
        let (from, to) = match marking {
            Marking::Off => ("Off", "ENABLE_QCN 0"),
            Marking::Step => ("Step", "Kmin = Kmax"),
            Marking::Red => ("RED", "Kmin to Kmax"),
        };
        page.marked(format!("ENABLE_QCN {enabled}"), format!("marking: {from}"), None);
        self.ledger.add("switch.marking", from, to);
    }

    /// Marking thresholds, for every rate of links.
    pub(super) fn thresholds(&mut self, page: &mut Page, topology: &Topology) {
        let switch = &self.scene.scenario.switch;
        let is_red = switch.marking == Marking::Red;
        let (least, most) = (switch.ecn_threshold_packets, switch.red_maximum_packets);
        let maps = [
            ("KMAX_MAP", if is_red { ("Kmax", most, "switch.redMaximumPackets") } else { ("K", least, "") }),
            ("KMIN_MAP", ("K", least, "switch.ecnThresholdPackets")),
        ];
        let rates = topology.rates_bps();
        let map = |value: &str| {
            let each: String = rates.iter().map(|rate| format!(" {rate} {value}")).collect();
            format!("{}{each}", rates.len())
        };
        let full = self.full_bytes();
        for (key, (symbol, packets, path)) in maps {
            let bytes = f64::from(packets) * f64::from(full);
            let kb = libm::round(bytes / 1000.0).min(MAX_KB);
            let says = format!("{symbol} {} packets × {full} B = {} kB", number(packets.into()), number(kb));
            page.marked(format!("{key} {}", map(&kb.to_string())), says, None);
            if path.is_empty() || self.scene.effective(path).is_none() {
                continue;
            }
            let from = counted(packets as u64, "packet");
            let to = format!("{} kB", number(kb));
            if (kb * 1000.0 - bytes).abs() < 0.5 {
                self.ledger.add(path, from, to);
            } else {
                let why = format!("Whole kB: {} packets × {full} B = {} B.", number(packets.into()), number(bytes));
                self.ledger.because(path, from, to, Roughly, why);
            }
        }
        let probability = if is_red { switch.red_maximum_probability } else { 1.0 };
        let says = if is_red { format!("Pmax {}", number(probability)) } else { "every packet above K".into() };
        page.marked(format!("PMAX_MAP {}", map(&probability.to_string())), says, None);
        if is_red && self.scene.effective("switch.redMaximumProbability").is_some() {
            let text = number(probability);
            self.ledger.add("switch.redMaximumProbability", &text, &text);
        }
        if self.scene.effective("switch.markingPoint").is_some() {
            let why = "Switches there compare as packets leave, with the queue left behind, as here.";
            match switch.marking_point {
                MarkingPoint::Departure => {
                    self.ledger.because("switch.markingPoint", "departure", "departure", Exactly, why);
                }
                MarkingPoint::Arrival => self.ledger.add("switch.markingPoint", "arrival", "departure"),
            }
        }
    }

    /// The memory of a switch, in MiB, and where it comes from.
    ///
    /// # Errors
    /// What is kept for the ports of a switch leaves nothing to share.
    pub(super) fn memory(&mut self, topology: &Topology) -> Result<(f64, String), Vec<Diagnostic>> {
        let switch = &self.scene.scenario.switch;
        let (ports, headroom) = (topology.most_ports() as f64, topology.most_headroom_bytes());
        let kept = headroom + ports * GUARANTEED_BYTES;
        let own = switch.buffering == Buffering::PerPort;
        let (mib, from) = if own {
            let packets = f64::from(switch.buffer_packets) * f64::from(self.full_bytes());
            let port = switch.buffer_bytes.map_or(packets, |bytes| packets.min(bytes as f64));
            let mib = libm::ceil((ports * port + kept) / MIB).min(MAX_MIB);
            let says =
                format!("{ports} ports × {} B, and {} B that third.cc keeps for them", number(port), number(kept));
            (mib, says)
        } else {
            let bytes = switch.shared_buffer_bytes as f64;
            (libm::round(bytes / MIB).clamp(1.0, MAX_MIB), format!("shared buffer {} B", number(bytes)))
        };
        if kept + f64::from(self.full_bytes()) > mib * MIB {
            let (path, hint) = if own {
                ("topology.linkDelayUs", "Shorten the delays, or slow the links.")
            } else {
                ("switch.sharedBufferBytes", "Give switches more memory, or shorten the delays.")
            };
            let reason = format!(
                "does not do: switches of that simulator keep 3 × rate × delay for every port, {} B in all, and have {} MiB",
                number(kept),
                number(mib)
            );
            return Err(vec![Diagnostic::new(path, reason, hint)]);
        }
        self.told_of_memory(topology, mib);
        Ok((mib, from))
    }

    fn told_of_memory(&mut self, topology: &Topology, mib: f64) {
        let switch = &self.scene.scenario.switch;
        let to = format!("{} MiB", number(mib));
        let bytes = |bytes: u64| format!("{} B", number(bytes as f64));
        let never = "Switches there share their memory and pause by PFC, always: what would be dropped here waits at its sender.";
        match switch.buffering {
            Buffering::Pfc => self.ledger.add("switch.buffering", "PFC", &to),
            Buffering::Shared => self.ledger.because("switch.buffering", "Shared, drops", &to, Roughly, never),
            Buffering::PerPort => self.ledger.because("switch.buffering", "Per port", &to, Roughly, never),
        }
        if switch.buffering != Buffering::Pfc {
            self.remarks.push(never.into());
        }
        let has = |path: &str| self.scene.effective(path).is_some();
        if switch.urgent_reserve_packets > 0 && has("switch.urgentReservePackets") {
            let from = counted(switch.urgent_reserve_packets as u64, "packet");
            self.ledger.add("switch.urgentReservePackets", from, "");
        }
        if switch.buffering == Buffering::PerPort {
            let from = counted(switch.buffer_packets as u64, "packet");
            self.ledger.add("switch.bufferPackets", from, &to);
            if let Some(own) = switch.buffer_bytes {
                self.ledger.add("switch.bufferBytes", bytes(own), &to);
            }
            return;
        }
        let shared = switch.shared_buffer_bytes;
        if (mib * MIB - shared as f64).abs() < 0.5 {
            self.ledger.add("switch.sharedBufferBytes", bytes(shared), &to);
        } else {
            let why = format!("Whole MiB, at most {MAX_MIB}.");
            self.ledger.because("switch.sharedBufferBytes", bytes(shared), &to, Roughly, why);
        }
        if switch.threshold == Threshold::Static {
            self.ledger.add("switch.threshold", "static", "");
            self.ledger.add("switch.xoffBytes", bytes(switch.xoff_bytes), "");
        } else {
            self.ledger.because(
                "switch.threshold",
                "dynamic",
                "dynamic",
                Exactly,
                "A part of the free memory, here as there.",
            );
            let from = number(switch.threshold_alpha);
            let faster = topology.rates_bps().into_iter().any(|rate| rate > topology.first_host_bps());
            match (switch.threshold_alpha - ALPHA).abs() < 1e-9 {
                true if faster => {
                    let why = "1/8; twice, four or eight times as much at ports that are faster than hosts.";
                    self.ledger.because("switch.thresholdAlpha", from, "1/8", Roughly, why);
                }
                true => self.ledger.because("switch.thresholdAlpha", from, "1/8", Exactly, "1/8, here as there."),
                false => self.ledger.add("switch.thresholdAlpha", from, ""),
            }
        }
        let same = "It is the same there.";
        let constants = [
            ("switch.guaranteedBytes", switch.guaranteed_bytes, GUARANTEED_BYTES),
            ("switch.xonOffsetBytes", switch.xon_offset_bytes, XON_OFFSET_BYTES),
        ];
        for (path, own, there) in constants.into_iter().filter(|(path, ..)| has(path)) {
            if (own as f64 - there).abs() < 0.5 {
                self.ledger.because(path, bytes(own), bytes(own), Exactly, same);
            } else {
                self.ledger.because(
                    path,
                    bytes(own),
                    "",
                    NotAtAll,
                    format!("It is {} B there, always.", number(there)),
                );
            }
        }
        if let Some(own) = self.scene.number("switch.headroomBytes") {
            let there = topology.headrooms_bytes();
            let to = "3 × rate × delay";
            if there == [own as u64] {
                let why = "third.cc takes 3 × rate × delay of the cable for every port, which is the same.";
                self.ledger.because("switch.headroomBytes", bytes(own as u64), to, Exactly, why);
            } else {
                self.ledger.add("switch.headroomBytes", bytes(own as u64), to);
            }
        }
    }
}
