//! What holds for all hosts and switches: config.txt.

use qoscope_engine::kernel::time::from_us;
use qoscope_engine::scenario::{AckPriority, Diagnostic, TransportKind};
use qoscope_engine::simulation::plan;
use qoscope_engine::text::counted;

use super::flows::{Written, seconds};
use super::topology::Topology;
use super::{FIRST_SECOND, FOLDER, Writer};
use crate::export::File;
use crate::export::How::{Exactly, NotAtAll, Roughly};
use crate::export::page::{Page, number};

/// Most bytes of a window, and nanoseconds of a round trip, which have 32 bits there.
const MAX_32_BITS: f64 = 4_294_967_295.0;

/// Picoseconds of a nanosecond, in which time there is counted.
const NS_PS: u64 = 1000;

impl Writer<'_, '_> {
    /// config.txt, with the link that fails (`LINK_DOWN`).
    ///
    /// # Errors
    /// Memory or times that do not fit what that simulator has for them.
    pub(super) fn config(&mut self, topology: &Topology, flows: &Written) -> Result<File, Vec<Diagnostic>> {
        let scenario = self.scene.scenario;
        self.fits()?;
        let (mib, says) = self.memory(topology)?;
        let mut page = Page::default();
        self.marking(&mut page);
        page.line("USE_DYNAMIC_PFC_THRESHOLD 1");
        self.packets(&mut page);
        for name in ["TOPOLOGY", "FLOW", "TRACE"] {
            page.line(format!("{name}_FILE {FOLDER}/{}.txt", name.to_lowercase()));
        }
        page.line(format!("TRACE_OUTPUT_FILE {FOLDER}/trace.tr"));
        page.line(format!("FCT_OUTPUT_FILE {FOLDER}/fct.txt"));
        page.line(format!("PFC_OUTPUT_FILE {FOLDER}/pfc.txt"));
        self.end(&mut page, flows);
        self.control(&mut page);
        for line in ["ERROR_RATE_PER_LINK 0", "L2_CHUNK_SIZE 4000", "L2_ACK_INTERVAL 1", "L2_BACK_TO_ZERO 0"] {
            page.line(line);
        }
        self.stack(&mut page);
        let down = self.link_down(topology);
        match down {
            Some((value, says)) => page.marked(format!("LINK_DOWN {value}"), says, None),
            None => page.line("LINK_DOWN 0 0 0"),
        }
        page.line("ENABLE_TRACE 0");
        self.thresholds(&mut page, topology);
        page.marked(format!("BUFFER_SIZE {mib}"), says, None);
        page.line(format!("QLEN_MON_FILE {FOLDER}/qlen.txt"));
        // The queues are looked at once: no figure of theirs is asked for.
        for key in ["QLEN_MON_START", "QLEN_MON_END"] {
            page.line(format!("{key} {FIRST_SECOND}000000000"));
        }
        if self.scene.effective("seed").is_some() {
            self.ledger.add("seed", scenario.seed.to_string(), "flows as drawn");
        }
        Ok(page.file("config.txt", "says where the other files are, and what holds for all hosts and switches"))
    }

    /// # Errors
    /// Round trips or windows beyond 32 bits.
    fn fits(&self) -> Result<(), Vec<Diagnostic>> {
        let rtt_ns = self.settings.base_rtt_ps as f64 / 1000.0;
        let fastest_bps = self.settings.links.iter().map(|link| link.rate_bps).max().unwrap_or_default() as f64;
        let window = if self.transport == TransportKind::Dctcp { rtt_ns * fastest_bps / 8e9 } else { 0.0 };
        if rtt_ns < MAX_32_BITS && window < MAX_32_BITS {
            return Ok(());
        }
        let reason = "makes a round trip or a window that does not fit the 32 bits of that simulator";
        Err(vec![Diagnostic::new("topology.linkDelayUs", reason, "Shorten the delays, or slow the links.")])
    }

    /// Bytes of a full packet there.
    pub(super) fn full_bytes(&self) -> u32 {
        self.payload_bytes() + self.header_bytes()
    }

    /// Bytes of headers of a packet there: of PPP, IP, UDP and RDMA, and the time stamp of TIMELY.
    fn header_bytes(&self) -> u32 {
        48 + if self.transport == TransportKind::Timely { 8 } else { 0 }
    }

    pub(super) fn payload_bytes(&self) -> u32 {
        plan::segment_bytes(&self.scene.scenario.host)
    }

    fn packets(&mut self, page: &mut Page) {
        let scenario = self.scene.scenario;
        let (mtu, own) = (scenario.host.mtu_bytes, scenario.host.header_bytes);
        let payload = self.payload_bytes();
        page.marked(format!("PACKET_PAYLOAD_SIZE {payload}"), format!("{mtu} B − {own} B = {payload} B"), None);
        self.ledger.add("host.mtuBytes", format!("{} B", number(mtu.into())), format!("{payload} B of payload"));
        let framing = scenario.topology.frame_overhead_bytes;
        let there = self.header_bytes();
        let all = own + framing;
        for (path, bytes) in [("host.headerBytes", own), ("topology.frameOverheadBytes", framing)] {
            if all == there {
                let why = "Headers and framing together have as many bytes there.";
                self.ledger.because(path, format!("{bytes} B"), format!("{there} B together"), Exactly, why);
            } else {
                let why = format!("A packet has {there} B beside its payload there, and {all} B here.");
                self.ledger.because(path, format!("{bytes} B"), "", NotAtAll, why);
            }
        }
    }

    fn end(&mut self, page: &mut Page, flows: &Written) {
        let us = self.scene.scenario.duration_us;
        let from = format!("{} µs", number(us));
        if let Some(cut_ps) = flows.cut_ps {
            let until = number(cut_ps as f64 / 1e6);
            let why = format!("flow.txt ends there: it has the first {} flows.", number(flows.count as f64));
            page.marked(format!("SIMULATOR_STOP_TIME {}", seconds(cut_ps + NS_PS)), format!("{until} of {from}"), None);
            self.ledger.because("durationUs", from, format!("{until} µs"), Roughly, why);
            self.remarks.push(format!(
                "The first {} flows are written, those that begin in the first {until} µs of {} µs: the simulation ends there.",
                number(flows.count as f64),
                number(us)
            ));
        } else {
            // Behind the last flow, whose start is cut off to whole nanoseconds.
            let end = seconds(from_us(us).next_multiple_of(NS_PS));
            page.marked(format!("SIMULATOR_STOP_TIME {end}"), format!("{FIRST_SECOND} s + {from}"), None);
            self.ledger.add("durationUs", from, format!("{end} s"));
        }
        if let Some(us) = self.scene.number("measurement.warmupUs").filter(|us| *us > 0.0) {
            self.ledger.add("measurement.warmupUs", format!("{} µs", number(us)), "");
        }
    }

    /// Windows and acknowledgements.
    fn stack(&mut self, page: &mut Page) {
        let host = &self.scene.scenario.host;
        let window = u8::from(self.transport == TransportKind::Dctcp);
        page.line(format!("HAS_WIN {window}"));
        page.line("GLOBAL_T 1");
        page.line(format!("VAR_WIN {window}"));
        page.line("FAST_REACT 0");
        page.line("RATE_BOUND 1");
        let first = host.ack_priority == AckPriority::BeforeData;
        let (flag, says) = (u8::from(first), if first { "before data" } else { "in order" });
        page.marked(format!("ACK_HIGH_PRIO {flag}"), format!("acknowledgements {says}"), None);
        self.ledger.add("host.ackPriority", says, format!("ACK_HIGH_PRIO {flag}"));
        if self.scene.effective("host.delayedAckPackets").is_some() {
            let from = counted(host.delayed_ack_packets as u64, "packet");
            if host.delayed_ack_packets == 1 {
                let why = "Every packet is acknowledged, here as there.";
                self.ledger.because("host.delayedAckPackets", from, "every packet", Exactly, why);
            } else {
                self.ledger.add("host.delayedAckPackets", from, "");
            }
        }
    }
}
