//! `workload.xml`: the flows of an SSD, or of several that have the same.
//!
//! Elements, their order and what they may hold are in `src/exec/IO_Flow_Parameter_Set.cpp` (CMU-SAFARI/MQSim, c0af1d8); what flows make of them is in
//! `src/exec/Host_System.cpp` (c0af1d8), `src/host/IO_Flow_Synthetic.cpp` (e338620) and `IO_Flow_Trace_Based.cpp` (0cecd61).

use qoscope_engine::scenario::{AddressPattern, ClassTreatment, Interarrival, Scenario, Traffic, read_share, size_law};
use qoscope_engine::simulation::devices;
use qoscope_engine::simulation::plan::class_of;
use qoscope_engine::storage::SsdParameters;
use qoscope_engine::storage::ssd::parameters::Precondition;
use qoscope_engine::text::counted;
use qoscope_engine::workload::laws::SizeLaw;
use serde_json::json;

use super::super::File;
use super::super::How::{self, Exactly, NotAtAll, Roughly};
use super::super::page::number;
use super::device::chips_and_dies;
use super::flows::{
    Flow, Group, MOST, NS_PER_S, SECTOR_BYTES, requests_a_second, sectors_of_a_flow, working_set_percent,
};
use super::xml::Xml;
use super::{Writer, true_or_false};

/// `Bandwidth` of the workload that MQSim writes by itself (`src/main.cpp`). It divides by it even where it keeps a queue depth.
const OWN_BANDWIDTH: u64 = 262_144;
/// `Initial_Occupancy_Percentage` of MQSim's own `workload.xml`.
const OWN_OCCUPANCY: u32 = 75;

/// The file of a group, without a name yet, and its elements that no scenario has anything for.
pub(super) fn file(writer: &mut Writer, group: &Group) -> (File, Vec<&'static str>) {
    let ssd = devices::ssd(writer.scene.scenario);
    let mut xml = Xml::new();
    xml.begin("MQSim_IO_Scenarios");
    xml.begin("IO_Scenario");
    for (position, flow) in group.flows.iter().enumerate() {
        let own = sectors_of_a_flow(&ssd, group.flows.len());
        FlowWriter { writer: &mut *writer, xml: &mut xml, ssd: &ssd, flow, position, own }.write();
    }
    xml.file("", "")
}

struct FlowWriter<'w, 'a, 'b> {
    writer: &'w mut Writer<'a, 'b>,
    xml: &'w mut Xml,
    ssd: &'w SsdParameters,
    flow: &'w Flow,
    /// Its number among the flows of the SSD.
    position: usize,
    /// Sectors that it has.
    own: u64,
}

impl<'a> FlowWriter<'_, 'a, '_> {
    fn write(&mut self) {
        let is_trace = matches!(self.workload().traffic, Traffic::Trace { .. });
        self.xml.begin(if is_trace { "IO_Flow_Parameter_Set_Trace_Based" } else { "IO_Flow_Parameter_Set_Synthetic" });
        self.priority();
        let mode = if self.ssd.live.write_cache { "WRITE_CACHE" } else { "TURNED_OFF" };
        let from = true_or_false(self.ssd.live.write_cache);
        self.set("Device_Level_Data_Caching_Mode", mode, format!("Write cache: {from}"));
        self.writer.ledger.add("storage.ssd.writeCache", from, mode);
        let sizes = &self.ssd.geometry;
        let (chips, dies) = chips_and_dies(self.ssd);
        for (element, count) in [
            ("Channel_IDs", sizes.channels),
            ("Chip_IDs", chips),
            ("Die_IDs", dies),
            ("Plane_IDs", sizes.planes_per_die),
        ] {
            let numbers: Vec<String> = (0..count).map(|number| number.to_string()).collect();
            self.set(element, &numbers.join(","), format!("all {count}"));
        }
        self.occupancy();
        if is_trace {
            self.trace()
        } else {
            self.synthetic()
        }
        self.endpoints();
        self.xml.end();
    }

    fn workload(&self) -> &'a qoscope_engine::scenario::Workload {
        let scenario: &'a Scenario = self.writer.scene.scenario;
        &scenario.workloads[self.flow.workload]
    }

    fn path(&self, field: &str) -> String {
        format!("workloads[{}].{field}", self.flow.workload)
    }

    fn class(&self) -> usize {
        class_of(self.writer.scene.scenario, &self.workload().class).index()
    }

    fn set(&mut self, element: &'static str, value: &str, says: impl Into<String>) {
        let class = self.class();
        self.xml.set(element, value, says, Some(class));
    }

    fn priority(&mut self) {
        let scenario = self.writer.scene.scenario;
        let class = self.class();
        let law = size_law(&self.workload().traffic);
        let own = devices::levels(scenario)[class];
        let (_, level) = devices::policy(scenario).levels(libm::round(law.mean_bytes()) as u64, own);
        let priority = level.id().to_uppercase();
        let treatment = self.writer.chosen("storage.treatment");
        self.set("Priority_Class", &priority, format!("{}: {}", treatment, level.id()));
        let to = format!("Priority_Class {priority}");
        match scenario.storage.treatment {
            ClassTreatment::Protocol => {
                let why = "The queues of the dies know no classes, and MQSim has no arbitration that would.";
                self.writer.ledger.because("storage.treatment", treatment, &to, Roughly, why);
            }
            ClassTreatment::BySize if !matches!(law, SizeLaw::Fixed(_)) => {
                let why = "Requests of all sizes have the priority of their mean: a flow has one.";
                self.writer.ledger.because("storage.treatment", treatment, &to, Roughly, why);
            }
            _ => self.writer.ledger.add("storage.treatment", treatment, &to),
        }
        let path = format!("classes[{class}].nvmePriority");
        if self.writer.scene.effective(&path).is_none() {
            return;
        }
        let from = format!("{}: {}", self.workload().class, own.id());
        if scenario.storage.treatment == ClassTreatment::Protocol {
            let why = "It acts in arbitration alone, which MQSim does not have.";
            self.writer.ledger.because(&path, from, "", NotAtAll, why);
        } else {
            self.writer.ledger.add(&path, from, to);
        }
    }

    fn occupancy(&mut self) {
        let path = "storage.ssd.occupancy";
        let filled = match self.ssd.precondition {
            Precondition::Empty => return self.xml.own("Initial_Occupancy_Percentage", OWN_OCCUPANCY),
            Precondition::Sequential(filled) | Precondition::Random(filled) => filled,
        };
        let per_cent = libm::round(100.0 * filled).clamp(1.0, 100.0);
        let from = self.writer.measured(path, filled);
        self.set("Initial_Occupancy_Percentage", &per_cent.to_string(), format!("Filled: {from}"));
        self.writer.ledger.add(path, from, format!("Initial_Occupancy_Percentage {per_cent}"));
    }

    fn synthetic(&mut self) {
        self.working_set();
        let closed = self.flow.rate.is_none();
        let generator = if closed { "QUEUE_DEPTH" } else { "BANDWIDTH" };
        self.set("Synthetic_Generator_Type", generator, if closed { "closed loop" } else { "open loop" });
        self.reads();
        self.pattern();
        self.alignment();
        self.size();
        let seed = self.writer.seed(self.position + 1);
        let says = format!("seed {}, and the number of the flow", self.writer.scene.scenario.seed);
        self.set("Seed", &seed.to_string(), says);
        match self.flow.rate {
            None => self.outstanding(),
            Some(rate) => self.bandwidth(rate),
        }
        self.end();
    }

    fn working_set(&mut self) {
        let (flow, own) = (self.flow, self.own);
        let own_bytes = own * SECTOR_BYTES;
        let per_cent = working_set_percent(flow, own);
        // MQSim rounds the sectors of each plane down: less than a page of each is no difference.
        let rounding = u64::from(self.ssd.geometry.planes()) * u64::from(self.ssd.geometry.page_bytes);
        let is_near = |there: u64, here: u64| there.abs_diff(here) <= rounding;
        let length = flow.part.length;
        let says = format!("{} B of {} B", number(length as f64), number(own_bytes as f64));
        self.set("Working_Set_Percentage", &per_cent.to_string(), says);
        let path = self.path("addresses.lengthBytes");
        let from = format!("{} B", number(length as f64));
        let to = format!("Working_Set_Percentage {per_cent}");
        let there = (u128::from(own_bytes) * u128::from(per_cent) / 100) as u64;
        if is_near(there, length) {
            self.writer.ledger.because(&path, from, to, Exactly, "The same part of the SSD, but for rounding.");
        } else {
            let why = format!(
                "Whole per cent of the {} B that the flow has: {} B, where they are {} B.",
                number(own_bytes as f64),
                number(there as f64),
                number(length as f64)
            );
            self.writer.ledger.because(&path, from, to, Roughly, why);
        }
        let path = self.path("addresses.startBytes");
        let begins = own_bytes * self.position as u64;
        let from = format!("{} B", number(flow.part.start as f64));
        if is_near(begins, flow.part.start) && flow.splits == 1 {
            let why = "The addresses of the flow begin there, but for rounding.";
            self.writer.ledger.because(&path, from, "where the flow begins", Exactly, why);
        } else {
            self.writer.ledger.add(&path, from, "");
        }
    }

    fn reads(&mut self) {
        let share = read_share(self.workload());
        let mut per_cent = libm::round(100.0 * share);
        if share > 0.0 && share < 1.0 {
            per_cent = per_cent.clamp(1.0, 99.0);
        }
        let path = self.path("readFraction");
        let from = format!("{} %", number(100.0 * share));
        self.set("Read_Percentage", &per_cent.to_string(), from.clone());
        if self.writer.scene.effective(&path).is_none() {
            return;
        }
        let to = format!("Read_Percentage {per_cent}");
        if (per_cent - 100.0 * share).abs() < 1e-9 {
            self.writer.ledger.add(&path, from, to);
        } else {
            let why = format!("Whole per cent: {from} becomes {per_cent} %.");
            self.writer.ledger.because(&path, from, to, Roughly, why);
        }
    }

    fn pattern(&mut self) {
        let connections = self.flow.connections;
        let (distribution, hot, from, fate) = match self.workload().addresses.pattern {
            AddressPattern::Random => ("RANDOM_UNIFORM", 0.0, "random".to_owned(), None),
            AddressPattern::Sequential => {
                let why = "The connections read and write one stream together, where each has its own.";
                let fate = (connections > 1).then(|| (Roughly, why.to_owned()));
                ("STREAMING", 0.0, "sequential".to_owned(), fate)
            }
            AddressPattern::HotCold { hot_part, hot_requests } => {
                let (part, requests) = (100.0 * hot_part, 100.0 * hot_requests);
                let from = format!("{} % of the requests to {} % of the addresses", number(requests), number(part));
                // (100 − h) % of the requests go to the first h % of the addresses: no part above a half is hot.
                let hot = libm::round(part).max(1.0);
                if hot >= 50.0 || hot_requests <= hot_part {
                    let why = "A hot part of MQSim is less than half of the addresses, and has more than half of the requests: none is nearer.";
                    let fate = Some((Roughly, why.to_owned()));
                    return self.written_pattern("RANDOM_UNIFORM", 0.0, from, fate);
                }
                let same = (hot - part).abs() < 1e-9 && (100.0 - hot - requests).abs() < 1e-9;
                let why = format!("MQSim has one number for both: {} % of the requests to {hot} %.", 100.0 - hot);
                ("RANDOM_HOTCOLD", hot, from, (!same).then_some((Roughly, why)))
            }
        };
        self.written_pattern(distribution, hot, from, fate);
    }

    fn written_pattern(&mut self, distribution: &str, hot: f64, from: String, fate: Option<(How, String)>) {
        let path = self.path("addresses.pattern");
        self.set("Address_Distribution", distribution, from.clone());
        self.set("Percentage_of_Hot_Region", &hot.to_string(), from.clone());
        if matches!(self.workload().traffic, Traffic::StandIn { .. }) {
            return;
        }
        let to = if hot > 0.0 { format!("{distribution}, {hot} %") } else { distribution.into() };
        match fate {
            Some((how, why)) => self.writer.ledger.because(&path, from, to, how, why),
            None => self.writer.ledger.add(&path, from, to),
        }
    }

    fn alignment(&mut self) {
        let workload = self.workload();
        let own = workload.addresses.alignment_bytes;
        let bytes = u64::from(own.unwrap_or_else(|| devices::alignment_bytes(workload.devices)));
        let sectors = bytes.div_ceil(SECTOR_BYTES);
        let says = format!("{} B ÷ {SECTOR_BYTES} B", number(bytes as f64));
        self.set("Generated_Aligned_Addresses", "true", says.clone());
        self.set("Address_Alignment_Unit", &sectors.to_string(), says);
        let (path, from) = (self.path("addresses.alignmentBytes"), format!("{} B", number(bytes as f64)));
        let to = format!("Address_Alignment_Unit {sectors}");
        if bytes.is_multiple_of(SECTOR_BYTES) {
            self.writer.ledger.add(&path, from, to);
        } else {
            let why = format!("Whole sectors: {} B.", number((sectors * SECTOR_BYTES) as f64));
            self.writer.ledger.because(&path, from, to, Roughly, why);
        }
    }

    fn size(&mut self) {
        let law = size_law(&self.workload().traffic);
        let (sectors, mean) = (self.flow.sectors, law.mean_bytes() * self.flow.part.bytes);
        let from = format!("{} B", number(mean));
        let says = format!("{from} ÷ {SECTOR_BYTES} B");
        self.set("Request_Size_Distribution", "FIXED", says.clone());
        self.set("Average_Request_Size", &sectors.to_string(), says);
        self.xml.own("Variance_Request_Size", 0);
        if matches!(self.workload().traffic, Traffic::StandIn { .. }) {
            return;
        }
        let (path, to) = (self.path("traffic.size"), format!("FIXED, {sectors} sectors"));
        let written = number((sectors * SECTOR_BYTES) as f64);
        match law {
            SizeLaw::Fixed(_) if (mean - (sectors * SECTOR_BYTES) as f64).abs() < 1e-6 => {
                self.writer.ledger.add(&path, from, to);
            }
            SizeLaw::Fixed(_) => {
                self.writer.ledger.because(&path, from, to, Roughly, format!("Whole sectors: {written} B."));
            }
            _ => {
                let why = format!(
                    "MQSim has one size, or a normal distribution, which draws sizes below nothing: all have the mean, {written} B."
                );
                let from = format!("{from} in the mean");
                self.writer.ledger.because(&path, from, to, Roughly, why);
            }
        }
    }

    fn outstanding(&mut self) {
        let Traffic::ClosedLoop { outstanding, requests, think_time_us, .. } = &self.workload().traffic else {
            return;
        };
        let (connections, part) = (f64::from(self.flow.connections), self.flow.part.requests);
        let all = f64::from(*outstanding) * connections * part;
        // More than it generates in all would be none, and MQSim asks for each at its start.
        let most = requests.map_or(MOST, |requests| self.total(requests * u64::from(self.flow.connections)).min(MOST));
        let depth = libm::round(all).clamp(1.0, most as f64);
        let mut says = format!("{} outstanding", number(f64::from(*outstanding)));
        if self.flow.connections > 1 {
            says = format!("{says} × {} connections", number(connections));
        }
        if part < 1.0 {
            says = format!("{says}, {} % of them here", number(100.0 * part));
        }
        self.set("Average_No_of_Reqs_in_Queue", &depth.to_string(), says.clone());
        self.xml.own("Bandwidth", OWN_BANDWIDTH.max(self.flow.sectors * SECTOR_BYTES).min(MOST));
        let (path, to) = (self.path("traffic.outstanding"), format!("QUEUE_DEPTH, {depth}"));
        if (depth - all).abs() < 1e-9 {
            self.writer.ledger.add(&path, says, to);
        } else {
            let why = format!("Whole requests, and no more than are asked for: {} becomes {depth}.", number(all));
            self.writer.ledger.because(&path, says, to, Roughly, why);
        }
        if *think_time_us > 0.0 {
            let path = self.path("traffic.thinkTimeUs");
            self.writer.ledger.add(&path, format!("{} µs", number(*think_time_us)), "");
        }
    }

    fn bandwidth(&mut self, rate: f64) {
        self.xml.own("Average_No_of_Reqs_in_Queue", 1);
        let bytes = self.flow.sectors * SECTOR_BYTES;
        // MQSim: nanoseconds of a second ÷ ((Bandwidth ÷ 512) ÷ sectors), all of them whole numbers.
        let a_second = requests_a_second(rate).min((MOST / bytes).max(1));
        let gap_ns = NS_PER_S / a_second;
        let bandwidth = (a_second * bytes).min(MOST);
        let says = format!("{} requests a second × {} B", number(a_second as f64), number(bytes as f64));
        self.set("Bandwidth", &bandwidth.to_string(), says);
        let wanted_ns = NS_PER_S as f64 / rate;
        let there = format!("{} ns between two requests", number(gap_ns as f64));
        let is_near = (gap_ns as f64 - wanted_ns).abs() < 0.5;
        let why = format!("Whole requests a second: {there}, where there are {} ns.", number(wanted_ns));
        let split = if self.flow.splits > 1 {
            format!("{} flows, each {bandwidth} B/s", self.flow.splits)
        } else {
            format!("BANDWIDTH, {bandwidth} B/s")
        };
        let scenario = self.writer.scene.scenario;
        match &scenario.workloads[self.flow.workload].traffic {
            Traffic::OpenLoop { offered_gbps, gaps, .. } => {
                let (path, from) = (self.path("traffic.offeredGbps"), format!("{} Gb/s", number(*offered_gbps)));
                if is_near {
                    self.writer.ledger.add(&path, from, split);
                } else {
                    self.writer.ledger.because(&path, from, split, Roughly, why);
                }
                let (path, from) = (self.path("traffic.gaps"), format!("{gaps:?}").to_lowercase());
                match gaps {
                    Interarrival::Exponential => self.writer.ledger.add(&path, from, "BANDWIDTH"),
                    Interarrival::Constant | Interarrival::Uniform => {
                        let why = "MQSim has exponential inter-arrival times alone.";
                        self.writer.ledger.because(&path, from, "BANDWIDTH", Roughly, why);
                    }
                }
            }
            Traffic::StandIn { of, .. } => {
                let path = self.path("traffic.of");
                let from = self.writer.worded(&path, &json!(of));
                self.writer.ledger.add(&path, from, split);
            }
            Traffic::Backlogged {} | Traffic::ClosedLoop { .. } | Traffic::Trace { .. } => {}
        }
    }

    /// Requests of a flow, of all those of the workload at its server.
    fn total(&self, requests: u64) -> u64 {
        let share = self.flow.part.requests / f64::from(self.flow.splits);
        (libm::ceil(requests as f64 * share) as u64).clamp(1, MOST)
    }

    /// When the flow ends: after so many requests, or at an instant.
    fn end(&mut self) {
        let scenario = self.writer.scene.scenario;
        let workload = self.workload();
        let connections = u64::from(self.flow.connections);
        let all = match workload.traffic {
            Traffic::ClosedLoop { requests, .. } => requests.map(|requests| requests * connections),
            Traffic::OpenLoop { requests, .. } | Traffic::StandIn { requests, .. } => requests.map(|requests| {
                let everywhere = self.writer.connections(self.flow.workload);
                (requests * connections).div_ceil(u64::from(everywhere).max(1))
            }),
            Traffic::Backlogged {} | Traffic::Trace { .. } => None,
        };
        let end_us = workload.stop_us.unwrap_or(scenario.duration_us);
        let (path, field) = match workload.stop_us {
            Some(_) => (self.path("stopUs"), "Stop"),
            None => ("durationUs".to_owned(), "Duration"),
        };
        let from = format!("{} µs", number(end_us));
        match all {
            Some(all) => {
                let total = self.total(all);
                self.set("Stop_Time", "0", "ends after its requests");
                self.set("Total_Requests_To_Generate", &total.to_string(), format!("{} requests", number(all as f64)));
                let (requests, to) = (self.path("traffic.requests"), format!("Total_Requests_To_Generate {total}"));
                self.writer.ledger.add(&requests, format!("{} requests", number(all as f64)), to);
                let why = "A flow that ends after so many requests has no end in time.";
                self.writer.ledger.because(&path, from, "", NotAtAll, why);
            }
            None => {
                let ns = libm::round(end_us * 1000.0).max(1.0);
                self.set("Stop_Time", &ns.to_string(), format!("{field}: {from}"));
                self.xml.own("Total_Requests_To_Generate", 0);
                self.writer.ledger.add(&path, from, format!("Stop_Time {ns}"));
            }
        }
        for (field, us) in [("startUs", workload.start_us), ("startGapUs", workload.start_gap_us)] {
            if us > 0.0 {
                let path = self.path(field);
                self.writer.ledger.add(&path, format!("{} µs", number(us)), "");
            }
        }
    }

    fn trace(&mut self) {
        let workload = self.workload();
        let Traffic::Trace { file, volume, skip_us, time_scale, requests, .. } = &workload.traffic else { return };
        self.set("File_Path", file, "the file of the trace");
        self.writer.ledger.add(&self.path("traffic.file"), file.as_str(), format!("File_Path {file}"));
        self.xml.own("Percentage_To_Be_Executed", 100);
        self.xml.own("Relay_Count", 1);
        self.xml.own("Time_Unit", "NANOSECOND");
        let mut unwritten = |field: &str, from: String| {
            let path = format!("workloads[{}].{field}", self.flow.workload);
            self.writer.ledger.because(&path, from, "", NotAtAll, "MQSim replays all of a trace, as it was recorded.");
        };
        if let Some(volume) = volume {
            unwritten("traffic.volume", volume.clone());
        }
        if *skip_us > 0.0 {
            unwritten("traffic.skipUs", format!("{} µs", number(*skip_us)));
        }
        if (time_scale - 1.0).abs() > 0.0 {
            unwritten("traffic.timeScale", number(*time_scale));
        }
        if let Some(requests) = requests {
            unwritten("traffic.requests", format!("{} requests", number(*requests as f64)));
        }
        if let Some(stop) = workload.stop_us {
            unwritten("stopUs", format!("{} µs", number(stop)));
        }
    }

    fn endpoints(&mut self) {
        let (initiators, connections) = (self.flow.initiators, self.flow.connections);
        let from = counted(initiators as u64, "initiator");
        let path = self.path("endpoints");
        let flows = counted(self.flow.splits as u64, "flow");
        if connections == 1 && self.flow.splits == 1 {
            self.writer.ledger.because(&path, from, flows, Exactly, "One connection is one flow, with one queue.");
        } else {
            self.writer.ledger.add(&path, from, flows);
        }
        let per_pair = self.workload().connections;
        if per_pair > 1 {
            self.writer.ledger.add(&self.path("connections"), counted(per_pair as u64, "connection"), "1 flow");
        }
    }
}
