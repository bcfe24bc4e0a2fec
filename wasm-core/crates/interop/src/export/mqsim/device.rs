//! `ssdconfig.xml`: the host's link and the SSD.
//!
//! Elements and their order are those of MQSim's `ssdconfig.xml` (CMU-SAFARI/MQSim, 7172c5c); what it reads of them, and the bits that it keeps them in, is in
//! `Host_Parameter_Set.cpp` (21f1fff), `Device_Parameter_Set.cpp` (e338620) and `Flash_Parameter_Set.cpp` (6d57094) in `src/exec`, and what it
//! makes of them in `SSD_Device.cpp` (c9d0f6f).

use std::fmt::Display;

use qoscope_engine::simulation::devices;
use qoscope_engine::storage::ssd::parameters::{
    Allocation, CellType, ChannelPolicy, Dimension, FlashUnit, GcTrigger, MappingTable, Precondition, Scheduling,
    Suspension, VictimPolicy,
};
use qoscope_engine::storage::{Arbitration, SsdParameters, Timing};

use super::super::How::{self, Exactly, Roughly};
use super::super::page::number;
use super::super::{File, Target};
use super::xml::Xml;
use super::{Writer, true_or_false};

/// Channel rate from which on MQSim's transfers take no time, since it cuts them to whole nanoseconds.
const MOST_MT_PER_S: u64 = 1000;
/// `Data_Cache_Capacity` of MQSim's own `ssdconfig.xml`.
const OWN_CACHE_BYTES: u64 = 268_435_456;
/// `CMT_Capacity` of the same.
const OWN_MAPPING_BYTES: u64 = 2_097_152;

/// What a value came to where its row of the table does not say it.
type Fate = Option<(How, String)>;

/// The file, and its elements that no scenario has anything for.
pub(super) fn file(writer: &mut Writer, flows: usize) -> (File, Vec<&'static str>) {
    let ssd = devices::ssd(writer.scene.scenario);
    let mut config = Config { writer, xml: Xml::new(), ssd };
    config.xml.begin("Execution_Parameter_Set");
    config.host();
    config.xml.begin("Device_Parameter_Set");
    config.controller();
    config.cache();
    config.translation(flows);
    config.collection();
    config.channels();
    config.flash();
    config.unwritten();
    config.xml.file("ssdconfig.xml", "the SSD, the same for every workload file")
}

struct Config<'w, 'a, 'b> {
    writer: &'w mut Writer<'a, 'b>,
    xml: Xml,
    ssd: SsdParameters,
}

/// The number of chips on a channel and of dies in each, as MQSim is told. Its chips do one command at a time: where dies do, each is one.
pub(super) fn chips_and_dies(ssd: &SsdParameters) -> (u32, u32) {
    let sizes = &ssd.geometry;
    match ssd.unit {
        FlashUnit::Chip => (sizes.chips_per_channel, sizes.dies_per_chip),
        FlashUnit::Die => (sizes.chips_per_channel * sizes.dies_per_chip, 1),
    }
}

impl Config<'_, '_, '_> {
    /// Writes a value, and what became of the field that it comes from.
    fn put(&mut self, path: &str, element: &'static str, from: String, value: impl Display, fate: Fate) {
        let value = value.to_string();
        let says = format!("{}: {from}", self.writer.title(path));
        self.xml.set(element, &value, says, None);
        self.map(path, from, format!("{element} {value}"), fate);
    }

    /// What became of a field that has no element of its own.
    fn map(&mut self, path: &str, from: String, to: String, fate: Fate) {
        match fate {
            None => self.writer.ledger.add(path, from, to),
            Some((how, why)) => self.writer.ledger.because(path, from, to, how, why),
        }
    }

    /// A number of the section `storage.ssd`, as it is.
    fn same(&mut self, path: &str, element: &'static str, value: impl Into<f64>) {
        let value = value.into();
        let from = self.writer.measured(path, value);
        self.put(path, element, from, value, None);
    }

    /// A number of which MQSim takes whole ones.
    fn whole(&mut self, path: &str, element: &'static str, value: f64) {
        let whole = libm::round(value).max(1.0);
        let why = || format!("MQSim takes whole numbers: {} becomes {}.", number(value), number(whole));
        let fate = ((whole - value).abs() > 0.0).then(|| (Roughly, why()));
        let from = self.writer.measured(path, value);
        self.put(path, element, from, whole, fate);
    }

    /// A time of the flash.
    fn nanoseconds(&mut self, path: &str, element: &'static str, ps: u64) {
        let us = ps as f64 / 1e6;
        let ns = (ps + 500) / 1000;
        let fate = (!ps.is_multiple_of(1000)).then(|| (Roughly, "MQSim takes whole nanoseconds.".into()));
        let from = self.writer.measured(path, us);
        self.put(path, element, from, ns, fate);
    }

    /// What a preset has and no field changes.
    fn of_preset(&mut self, element: &'static str, value: impl Display) {
        let says = format!("of the preset {}", self.writer.chosen("storage.ssd.preset"));
        self.xml.set(element, value, says, None);
    }

    fn host(&mut self) {
        let (lanes, lane) = (self.ssd.link.lanes, self.ssd.link.lane_gbytes_per_s);
        self.xml.begin("Host_Parameter_Set");
        self.same("storage.ssd.pcieLaneGbytesPerS", "PCIe_Lane_Bandwidth", lane);
        self.same("storage.ssd.pcieLanes", "PCIe_Lane_Count", lanes);
        self.xml.own("SATA_Processing_Delay", 400_000);
        self.xml.own("Enable_ResponseTime_Logging", false);
        self.xml.own("ResponseTime_Logging_Period_Length", 1_000_000);
        self.xml.end();
    }

    fn controller(&mut self) {
        let scenario = self.writer.scene.scenario;
        let seed = self.writer.seed(0);
        let says = format!("seed {}", scenario.seed);
        self.xml.set("Seed", seed, says, None);
        let filled = self.ssd.precondition != Precondition::Empty;
        let fate = (!filled).then(|| (Exactly, "Both begin with an empty SSD.".into()));
        let from = self.writer.chosen("storage.ssd.precondition");
        self.put("storage.ssd.precondition", "Enabled_Preconditioning", from, true_or_false(filled), fate);
        self.xml.own("Memory_Type", "FLASH");
        self.xml.own("HostInterface_Type", "NVME");
        // A ring of n entries holds n − 1 that were not fetched (`NVME_SQ_FULL` in `src/host/IO_Flow_Base.cpp`); 16 bits.
        let depth = scenario.access.queue_depth;
        let from = self.writer.measured("access.queueDepth", f64::from(depth));
        self.put("access.queueDepth", "IO_Queue_Depth", from, (depth + 1).min(u32::from(u16::MAX)), None);
        self.same("storage.nvme.queueCommands", "Queue_Fetch_Size", scenario.storage.nvme.queue_commands);
    }

    fn cache(&mut self) {
        let (cache, dram) = (&self.ssd.cache, self.ssd.dram.clone());
        self.xml.own("Caching_Mechanism", "ADVANCED");
        self.xml.own("Data_Cache_Sharing_Mode", "SHARED");
        let bytes = cache.capacity_bytes;
        // One page of each plane (`back_pressure_buffer_max_depth` in `src/exec/SSD_Device.cpp`).
        let on_its_way = u64::from(self.ssd.geometry.planes()) * u64::from(self.ssd.geometry.page_bytes);
        let path = "storage.ssd.cacheBytes";
        let from = self.writer.measured(path, bytes as f64);
        if !self.ssd.live.write_cache {
            self.xml.own("Data_Cache_Capacity", OWN_CACHE_BYTES);
        } else if bytes == on_its_way {
            self.xml.own("Data_Cache_Capacity", OWN_CACHE_BYTES);
            let to = "one page of each plane, built in".to_owned();
            self.map(path, from, to, Some((Exactly, "As much is on its way to flash at most in MQSim, too.".into())));
        } else {
            let most = u64::from(u32::MAX);
            let cut = || (Roughly, format!("MQSim counts the bytes in 32 bits: {} at most.", number(most as f64)));
            self.put(path, "Data_Cache_Capacity", from, bytes.min(most), (bytes > most).then(cut));
        }
        self.of_preset("Data_Cache_DRAM_Row_Size", dram.row_bytes);
        self.whole("storage.ssd.dramMtPerS", "Data_Cache_DRAM_Data_Rate", dram.mt_per_s);
        if dram.timing == Timing::Exact {
            let why = format!(
                "Of an access that is longer than a row of {} B MQSim counts half of the rows.",
                number(dram.row_bytes.into())
            );
            self.map("storage.ssd.dramMtPerS", String::new(), String::new(), Some((Roughly, why)));
        }
        self.same("storage.ssd.dramWidthBytes", "Data_Cache_DRAM_Data_Busrt_Size", dram.width_bytes);
        self.of_preset("Data_Cache_DRAM_tRCD", dram.row_to_column_ps / 1000);
        self.of_preset("Data_Cache_DRAM_tCL", dram.column_ps / 1000);
        self.of_preset("Data_Cache_DRAM_tRP", dram.precharge_ps / 1000);
    }

    fn translation(&mut self, flows: usize) {
        self.xml.own("Address_Mapping", "PAGE_LEVEL");
        let ideal = self.ssd.mapping == MappingTable::InMemory;
        let from = self.writer.chosen("storage.ssd.mapping");
        self.put("storage.ssd.mapping", "Ideal_Mapping_Table", from, true_or_false(ideal), None);
        let path = "storage.ssd.mappingCacheBytes";
        match self.writer.scene.number(path).filter(|_| !ideal) {
            Some(bytes) => {
                let own = "MQSim gives each flow a cache of this size, not all of them one.";
                let fate = (flows > 1).then(|| (Roughly, own.into()));
                let from = self.writer.measured(path, bytes);
                self.put(path, "CMT_Capacity", from, bytes, fate);
            }
            None => self.xml.own("CMT_Capacity", OWN_MAPPING_BYTES),
        }
        self.xml.own("CMT_Sharing_Mode", "SHARED");
        self.allocation();
        let (policy, fate) = match self.ssd.live.scheduling {
            Scheduling::Fifo => ("OUT_OF_ORDER", None),
            Scheduling::Lottery => ("PRIORITY_OUT_OF_ORDER", None),
            Scheduling::Priority => {
                let why =
                    "MQSim turns its wheel of weights whenever it looks at a chip: shares are drawn rather than kept.";
                ("PRIORITY_OUT_OF_ORDER", Some((Roughly, why.into())))
            }
        };
        let from = self.writer.chosen("storage.ssd.scheduling");
        self.put("storage.ssd.scheduling", "Transaction_Scheduling_Policy", from, policy, fate);
    }

    fn allocation(&mut self) {
        let allocation = self.ssd.allocation;
        let from = self.writer.chosen("storage.ssd.allocation");
        let dies = self.ssd.geometry.dies_per_chip;
        let (scheme, fate) = match allocation.order() {
            Some(order) => {
                let letters: String = order.map(letter).into_iter().collect();
                // As chips, dies take the place of the chips in the order: the same where they follow them.
                let together = order.windows(2).any(|pair| pair == [Dimension::Way, Dimension::Die]);
                let apart = self.ssd.unit == FlashUnit::Die && dies > 1 && !together;
                let why = "Dies are chips there, so that pages go over all dies of a channel where they go over its chips here.";
                (letters, apart.then(|| (Roughly, why.into())))
            }
            None => {
                let why = match allocation {
                    Allocation::Superpage => {
                        "Pages go over dies in the same order, but the planes of a die fill blocks each for itself."
                    }
                    _ => "MQSim has static orders alone: a page has its plane by its number.",
                };
                ("CWDP".into(), Some((Roughly, why.into())))
            }
        };
        self.put("storage.ssd.allocation", "Plane_Allocation_Scheme", from, scheme, fate);
    }

    fn collection(&mut self) {
        // Small drives keep more free than they state.
        let spare = self.ssd.spare_share();
        let fate = (spare < 0.05).then(|| (Roughly, "MQSim warns that below 0.05 it may not run correctly.".into()));
        let from = self.writer.measured("storage.ssd.overProvisioning", spare);
        self.put("storage.ssd.overProvisioning", "Overprovisioning_Ratio", from, spare, fate);
        let live = self.ssd.live.clone();
        let built_in = self.ssd.gc.trigger == GcTrigger::BlockFilled;
        let fate = built_in.then(|| (Exactly, "The same share, and one block freed for each that was filled.".into()));
        let from = self.writer.measured("storage.ssd.gcThreshold", live.gc_threshold);
        self.put("storage.ssd.gcThreshold", "GC_Exec_Threshold", from, live.gc_threshold, fate);
        let policy = match live.victims {
            VictimPolicy::Greedy => "GREEDY",
            VictimPolicy::Choices(_) => "RGA",
            VictimPolicy::Fifo => "FIFO",
            VictimPolicy::Random => "RANDOM",
        };
        let from = self.writer.chosen("storage.ssd.gcVictims");
        self.put("storage.ssd.gcVictims", "GC_Block_Selection_Policy", from, policy, None);
        if let VictimPolicy::Choices(choices) = live.victims {
            let there = self.ssd.geometry.blocks_per_plane.max(2).ilog2();
            let choices = if choices == 0 { there } else { choices };
            let why = "RGA chooses among as many, the binary logarithm of the blocks of a plane.";
            let fate = (choices == there).then(|| (Exactly, why.into()));
            let from = self.writer.measured("storage.ssd.gcChoices", f64::from(choices));
            self.map("storage.ssd.gcChoices", from, format!("RGA, among {there}"), fate);
        }
        self.xml.own("Use_Copyback_for_GC", false);
        let from = self.writer.chosen("storage.ssd.gcPreemptible");
        self.put("storage.ssd.gcPreemptible", "Preemptible_GC_Enabled", from, live.gc_preemptible, None);
        self.same("storage.ssd.gcHardThreshold", "GC_Hard_Threshold", live.gc_hard_threshold);
        self.of_preset("Dynamic_Wearleveling_Enabled", self.ssd.gc.dynamic_wear_leveling);
        let wear = self.ssd.gc.static_wear_threshold;
        let from = self.writer.measured("storage.ssd.wearThreshold", f64::from(wear));
        self.put("storage.ssd.wearThreshold", "Static_Wearleveling_Enabled", from.clone(), wear > 0, None);
        if wear > 0 {
            let says = format!("{}: {from}", self.writer.title("storage.ssd.wearThreshold"));
            self.xml.set("Static_Wearleveling_Threshold", wear, says, None);
        } else {
            self.xml.own("Static_Wearleveling_Threshold", 100);
        }
        // The parser's spelling: MQSim reads no element of the name that its own file has.
        self.xml.own("Prefered_suspend_erase_time_for_read", 700_000);
        self.xml.own("Preferred_suspend_erase_time_for_write", 700_000);
        self.xml.own("Preferred_suspend_write_time_for_read", 100_000);
    }

    fn channels(&mut self) {
        let sizes = self.ssd.geometry.clone();
        self.same("storage.ssd.channels", "Flash_Channel_Count", sizes.channels);
        self.of_preset("Flash_Channel_Width", self.ssd.flash.channel_width_bytes);
        self.channel_rate();
        let (chips, dies) = chips_and_dies(&self.ssd);
        let told = format!("Chip_No_Per_Channel {chips}, Die_No_Per_Chip {dies}");
        let from = self.writer.chosen("storage.ssd.unit");
        self.map("storage.ssd.unit", from, told, None);
        let why = || format!("{} × {} dies, each a chip.", sizes.chips_per_channel, sizes.dies_per_chip);
        let fate = (chips != sizes.chips_per_channel).then(|| (Exactly, why()));
        let from = self.writer.measured("storage.ssd.chipsPerChannel", f64::from(sizes.chips_per_channel));
        self.put("storage.ssd.chipsPerChannel", "Chip_No_Per_Channel", from, chips, fate);
        self.xml.own("Flash_Comm_Protocol", "NVDDR2");
    }

    fn channel_rate(&mut self) {
        let path = "storage.ssd.channelMtPerS";
        let rate = self.ssd.flash.channel_mt_per_s;
        let cuts_too = self.ssd.flash.timing == Timing::Truncated;
        let whole = libm::round(rate).max(1.0) as u64;
        let value = if cuts_too { whole } else { whole.min(MOST_MT_PER_S) };
        let from = self.writer.measured(path, rate);
        let there_ns = MOST_MT_PER_S / value;
        let here_ns = MOST_MT_PER_S as f64 / rate;
        let is_whole = (value as f64 - rate).abs() == 0.0;
        let fate = if cuts_too && is_whole {
            (Exactly, "Times of transfers are cut to whole nanoseconds, as MQSim does.".into())
        } else if (there_ns as f64 - here_ns).abs() < 1e-9 {
            (Exactly, format!("A transfer takes {there_ns} ns."))
        } else {
            let why = format!(
                "MQSim cuts the time of a transfer to whole nanoseconds: {there_ns} ns, where it takes {} ns.",
                number(here_ns)
            );
            (Roughly, why)
        };
        self.put(path, "Channel_Transfer_Rate", from, value, Some(fate));
    }

    fn flash(&mut self) {
        let (flash, sizes) = (self.ssd.flash.clone(), self.ssd.geometry.clone());
        let (_, dies) = chips_and_dies(&self.ssd);
        self.xml.begin("Flash_Parameter_Set");
        let technology = match flash.cells {
            CellType::Slc => "SLC",
            CellType::Mlc => "MLC",
            CellType::Tlc => "TLC",
        };
        let from = self.writer.chosen("storage.ssd.cells");
        self.put("storage.ssd.cells", "Flash_Technology", from, technology, None);
        let (support, fate) = match self.ssd.live.suspension {
            Suspension::None => ("NONE", Some((Exactly, "Neither interrupts anything.".into()))),
            Suspension::Program => ("PROGRAM", None),
            Suspension::Erase => ("ERASE", None),
            Suspension::ProgramAndErase => ("PROGRAM_ERASE", None),
        };
        let from = self.writer.chosen("storage.ssd.suspension");
        self.put("storage.ssd.suspension", "CMD_Suspension_Support", from, support, fate);
        self.nanoseconds("storage.ssd.readLsbUs", "Page_Read_Latency_LSB", flash.read_ps[0]);
        self.nanoseconds("storage.ssd.readCsbUs", "Page_Read_Latency_CSB", flash.read_ps[1]);
        self.nanoseconds("storage.ssd.readMsbUs", "Page_Read_Latency_MSB", flash.read_ps[2]);
        self.nanoseconds("storage.ssd.programLsbUs", "Page_Program_Latency_LSB", flash.program_ps[0]);
        self.nanoseconds("storage.ssd.programCsbUs", "Page_Program_Latency_CSB", flash.program_ps[1]);
        self.nanoseconds("storage.ssd.programMsbUs", "Page_Program_Latency_MSB", flash.program_ps[2]);
        self.nanoseconds("storage.ssd.eraseUs", "Block_Erase_Latency", flash.erase_ps);
        self.xml.own("Block_PE_Cycles_Limit", 10_000);
        self.of_preset("Suspend_Erase_Time", flash.suspend_erase_ps / 1000);
        self.of_preset("Suspend_Program_Time", flash.suspend_program_ps / 1000);
        let fate = (dies != sizes.dies_per_chip).then(|| (Exactly, "Each die is a chip there.".into()));
        let from = self.writer.measured("storage.ssd.diesPerChip", f64::from(sizes.dies_per_chip));
        self.put("storage.ssd.diesPerChip", "Die_No_Per_Chip", from, dies, fate);
        self.same("storage.ssd.planesPerDie", "Plane_No_Per_Die", sizes.planes_per_die);
        self.same("storage.ssd.blocksPerPlane", "Block_No_Per_Plane", sizes.blocks_per_plane);
        self.same("storage.ssd.pagesPerBlock", "Page_No_Per_Block", sizes.pages_per_block);
        self.same("storage.ssd.pageBytes", "Page_Capacity", sizes.page_bytes);
        self.xml.own("Page_Metadat_Capacity", 448);
        self.xml.end();
    }

    /// What MQSim has built in, and what it has nothing for.
    fn unwritten(&mut self) {
        let live = self.ssd.live.clone();
        let built_in = |holds: bool, why: &str| {
            if holds { ("built in".to_owned(), Some((Exactly, why.to_owned()))) } else { (String::new(), None) }
        };
        let (to, fate) = built_in(
            self.ssd.channel_policy == ChannelPolicy::DataOutFirst,
            "Data that were read come first in MQSim, too.",
        );
        let from = self.writer.chosen("storage.ssd.channelPolicy");
        self.map("storage.ssd.channelPolicy", from, to, fate);
        let (to, fate) =
            built_in(live.write_age_limit_ps == 0, "Writes wait in MQSim, too, as long as there are reads.");
        let from = self.writer.measured("storage.ssd.writeAgeLimitUs", live.write_age_limit_ps as f64 / 1e6);
        self.map("storage.ssd.writeAgeLimitUs", from, to, fate);
        if live.scheduling != Scheduling::Fifo {
            let paths = ["storage.ssd.highPages", "storage.ssd.mediumPages", "storage.ssd.lowPages"];
            for ((path, pages), there) in paths.into_iter().zip(live.weights).zip([4, 2, 1]) {
                let (to, fate) = built_in(live.weights == [4, 2, 1], "The weights of MQSim are 4 : 2 : 1.");
                let to = if to.is_empty() { to } else { format!("{there}, {to}") };
                let from = self.writer.measured(path, f64::from(pages));
                self.map(path, from, to, fate);
            }
        }
        let nvme = &self.writer.scene.scenario.storage.nvme;
        let mechanism = nvme.arbitration.mechanism();
        let (to, fate) = built_in(
            nvme.arbitration == Arbitration::FetchWindow,
            "Each queue of MQSim fetches by itself, up to its own limit.",
        );
        let from = self.writer.chosen("storage.nvme.arbitration");
        self.map("storage.nvme.arbitration", from, to, fate);
        let weights = [
            ("storage.nvme.highWeight", nvme.high_weight),
            ("storage.nvme.mediumWeight", nvme.medium_weight),
            ("storage.nvme.lowWeight", nvme.low_weight),
        ];
        let burst = mechanism.limits_device.then_some(("storage.nvme.burst", nvme.burst));
        let weights = weights.into_iter().filter(|_| mechanism.weighs);
        for (path, value) in burst.into_iter().chain(weights) {
            if self.writer.scene.effective(path).is_some() {
                let from = self.writer.measured(path, f64::from(value));
                self.writer.ledger.elsewhere(path, from, Target::Nvme);
            }
        }
        if self.writer.scene.effective("storage.nvme.deviceCommands").is_some() {
            let from = self.writer.measured("storage.nvme.deviceCommands", f64::from(nvme.device_commands));
            self.map("storage.nvme.deviceCommands", from, String::new(), None);
        }
    }
}

/// The letter of a dimension in MQSim's schemes.
fn letter(dimension: Dimension) -> char {
    match dimension {
        Dimension::Channel => 'C',
        Dimension::Way => 'W',
        Dimension::Die => 'D',
        Dimension::Plane => 'P',
    }
}
