//! What becomes of the fields of scenarios in MQSim's files.

use super::super::How::{Exactly, NotAtAll, Roughly};
use super::super::{Mapping, row};

/// A number that MQSim has under another name.
const fn same(from: &'static str, to: &'static str) -> Mapping {
    row(from, to, Exactly, "The same number.")
}

/// A time of the flash.
const fn nanoseconds(from: &'static str, to: &'static str) -> Mapping {
    row(from, to, Exactly, "Microseconds become nanoseconds.")
}

/// Time of the software of hosts and targets.
const fn software(from: &'static str) -> Mapping {
    row(from, "", NotAtAll, "Hosts of MQSim take no time, and it has no targets.")
}

/// A weight of the queues of chips.
const fn pages(from: &'static str) -> Mapping {
    row(from, "", NotAtAll, "The weights of MQSim are 4 : 2 : 1, and no parameter.")
}

/// A weight of arbitration.
const fn weight(from: &'static str) -> Mapping {
    row(from, "", NotAtAll, "MQSim has no arbitration: each queue fetches by itself.")
}

pub(super) const MAPPINGS: &[Mapping] = &[
    row(
        "storage.servers",
        "a workload file for each SSD",
        Exactly,
        "MQSim simulates one SSD at a time: each has its flows in a file, and all of them the same device.",
    ),
    row(
        "access.protocol",
        "HostInterface_Type",
        NotAtAll,
        "MQSim has no network: its host is at the SSD's own PCI Express link.",
    ),
    row("classes[].transport", "", NotAtAll, "MQSim has no network."),
    row("classes[].latencyTargetUs", "", NotAtAll, "MQSim reports means, least and greatest times, no percentiles."),
    software("access.software.hostLatencyUs"),
    software("access.software.targetLatencyUs"),
    software("access.software.commandWorkUs"),
    software("access.software.kibWorkUs"),
    software("access.software.serialUs"),
    row(
        "storage.tenants.scheduler",
        "",
        NotAtAll,
        "MQSim has no scheduler before the SSD: what waits there here is at the SSD there.",
    ),
    row(
        "storage.placement",
        "Average_No_of_Reqs_in_Queue, Bandwidth, Working_Set_Percentage",
        Roughly,
        "Each SSD of a server has the part of the requests and addresses that falls to it. Hosts of MQSim keep so many requests at each SSD, where here they are at any of them.",
    ),
    row(
        "storage.stripeBytes",
        "Average_Request_Size",
        Roughly,
        "A request that is longer goes to several SSDs in equal parts.",
    ),
    row(
        "storage.treatment",
        "Priority_Class",
        Exactly,
        "What the queues of the dies know of classes: the priorities of flows are made of it.",
    ),
    row("classes[].nvmePriority", "Priority_Class", Exactly, "The queues of the chips follow it."),
    row("storage.nvme.arbitration", "", NotAtAll, "MQSim has no arbitration: each queue fetches by itself."),
    weight("storage.nvme.burst"),
    weight("storage.nvme.highWeight"),
    weight("storage.nvme.mediumWeight"),
    weight("storage.nvme.lowWeight"),
    row("storage.nvme.deviceCommands", "", NotAtAll, "MQSim limits the commands of each queue, not those of all."),
    same("storage.nvme.queueCommands", "Queue_Fetch_Size"),
    row("storage.nvme.maxTransferBytes", "", NotAtAll, "A request of any length is one command in MQSim."),
    row(
        "access.queueDepth",
        "IO_Queue_Depth",
        Roughly,
        "A ring of one entry more. What the SSD has fetched does not count there, and a flow of several connections has one ring.",
    ),
    same("storage.ssd.pcieLanes", "PCIe_Lane_Count"),
    same("storage.ssd.pcieLaneGbytesPerS", "PCIe_Lane_Bandwidth"),
    same("storage.ssd.channels", "Flash_Channel_Count"),
    row(
        "storage.ssd.unit",
        "Chip_No_Per_Channel, Die_No_Per_Chip",
        Exactly,
        "A chip of MQSim works on one command at a time. Where dies do, each is written as a chip.",
    ),
    same("storage.ssd.chipsPerChannel", "Chip_No_Per_Channel"),
    same("storage.ssd.diesPerChip", "Die_No_Per_Chip"),
    same("storage.ssd.planesPerDie", "Plane_No_Per_Die"),
    same("storage.ssd.blocksPerPlane", "Block_No_Per_Plane"),
    same("storage.ssd.pagesPerBlock", "Page_No_Per_Block"),
    same("storage.ssd.pageBytes", "Page_Capacity"),
    row("storage.ssd.cells", "Flash_Technology", Exactly, "Pages of a block have the same types in the same order."),
    nanoseconds("storage.ssd.readLsbUs", "Page_Read_Latency_LSB"),
    nanoseconds("storage.ssd.readCsbUs", "Page_Read_Latency_CSB"),
    nanoseconds("storage.ssd.readMsbUs", "Page_Read_Latency_MSB"),
    nanoseconds("storage.ssd.programLsbUs", "Page_Program_Latency_LSB"),
    nanoseconds("storage.ssd.programCsbUs", "Page_Program_Latency_CSB"),
    nanoseconds("storage.ssd.programMsbUs", "Page_Program_Latency_MSB"),
    nanoseconds("storage.ssd.eraseUs", "Block_Erase_Latency"),
    row(
        "storage.ssd.channelMtPerS",
        "Channel_Transfer_Rate",
        Roughly,
        "Whole MT/s, and MQSim cuts the time of a transfer to whole nanoseconds.",
    ),
    row(
        "storage.ssd.channelPolicy",
        "",
        NotAtAll,
        "Data that were read come first in MQSim, commands to chips that wait after them.",
    ),
    row(
        "storage.ssd.scheduling",
        "Transaction_Scheduling_Policy",
        Exactly,
        "OUT_OF_ORDER is as they come, PRIORITY_OUT_OF_ORDER by level.",
    ),
    pages("storage.ssd.highPages"),
    pages("storage.ssd.mediumPages"),
    pages("storage.ssd.lowPages"),
    row("storage.ssd.writeAgeLimitUs", "", NotAtAll, "Writes wait in MQSim as long as there are reads."),
    row(
        "storage.ssd.suspension",
        "CMD_Suspension_Support",
        Roughly,
        "MQSim reads it, and suspends nothing for all that (its pull request 62).",
    ),
    row(
        "storage.ssd.writeCache",
        "Device_Level_Data_Caching_Mode",
        Exactly,
        "WRITE_CACHE with it, TURNED_OFF without.",
    ),
    row(
        "storage.ssd.cacheBytes",
        "Data_Cache_Capacity",
        Roughly,
        "What is on its way to flash is one page of each plane at most in MQSim, whatever the size, which counts for pages that are written again.",
    ),
    row("storage.ssd.dramMtPerS", "Data_Cache_DRAM_Data_Rate", Exactly, "Whole MT/s."),
    same("storage.ssd.dramWidthBytes", "Data_Cache_DRAM_Data_Busrt_Size"),
    row("storage.ssd.allocation", "Plane_Allocation_Scheme", Exactly, "The static orders are those of MQSim."),
    row("storage.ssd.mapping", "Ideal_Mapping_Table", Exactly, "True where all of the table is in DRAM."),
    row("storage.ssd.mappingCacheBytes", "CMT_Capacity", Exactly, "Bytes, as they are."),
    row(
        "storage.ssd.overProvisioning",
        "Overprovisioning_Ratio",
        Exactly,
        "The share of the flash that is kept free of data.",
    ),
    row(
        "storage.ssd.precondition",
        "Enabled_Preconditioning",
        Roughly,
        "MQSim fills blocks as a model of steady garbage collection has them, for the addresses of each flow; it has no other fill.",
    ),
    row(
        "storage.ssd.occupancy",
        "Initial_Occupancy_Percentage",
        Roughly,
        "Whole per cent of the addresses of each flow; of those of random flows MQSim fills nine tenths of the working set at most.",
    ),
    row(
        "storage.ssd.gcThreshold",
        "GC_Exec_Threshold",
        Roughly,
        "MQSim frees one block each time that one was filled, and looks at ten free blocks at least.",
    ),
    row("storage.ssd.gcHardThreshold", "GC_Hard_Threshold", Exactly, "The same share."),
    row(
        "storage.ssd.gcVictims",
        "GC_Block_Selection_Policy",
        Exactly,
        "GREEDY, RGA (the best of some), FIFO or RANDOM.",
    ),
    row(
        "storage.ssd.gcChoices",
        "GC_Block_Selection_Policy",
        Roughly,
        "RGA chooses among as many blocks as the binary logarithm of those of a plane.",
    ),
    row("storage.ssd.gcPreemptible", "Preemptible_GC_Enabled", Exactly, "True where requests come first."),
    row(
        "storage.ssd.wearThreshold",
        "Static_Wearleveling_Enabled, Static_Wearleveling_Threshold",
        Roughly,
        "MQSim reads them, and levels wear from 100 on for all that.",
    ),
    row(
        "workloads[].endpoints",
        "IO_Flow_Parameter_Set",
        Roughly,
        "MQSim has eight flows at most, each with one queue: all connections of a workload to an SSD are one flow.",
    ),
    row(
        "workloads[].connections",
        "Average_No_of_Reqs_in_Queue",
        Roughly,
        "All connections of a workload to an SSD are one flow, which keeps as many requests as they do together.",
    ),
    row("workloads[].devices", "", NotAtAll, "MQSim simulates SSDs: what goes to other devices is left out."),
    row("workloads[].readFraction", "Read_Percentage", Exactly, "Whole per cent."),
    row(
        "workloads[].addresses.pattern",
        "Address_Distribution, Percentage_of_Hot_Region",
        Exactly,
        "RANDOM_UNIFORM, STREAMING or RANDOM_HOTCOLD.",
    ),
    row(
        "workloads[].addresses.startBytes",
        "",
        NotAtAll,
        "MQSim divides the addresses of an SSD evenly among its flows: each has its own, where here they may share them.",
    ),
    row(
        "workloads[].addresses.lengthBytes",
        "Working_Set_Percentage",
        Roughly,
        "Whole per cent of the addresses that the flow has.",
    ),
    row(
        "workloads[].addresses.alignmentBytes",
        "Generated_Aligned_Addresses, Address_Alignment_Unit",
        Exactly,
        "Sectors of 512 B.",
    ),
    row("workloads[].traffic.size", "Request_Size_Distribution, Average_Request_Size", Exactly, "Sectors of 512 B."),
    row(
        "workloads[].traffic.outstanding",
        "Synthetic_Generator_Type, Average_No_of_Reqs_in_Queue",
        Exactly,
        "QUEUE_DEPTH: so many requests at once, over all connections.",
    ),
    row("workloads[].traffic.thinkTimeUs", "", NotAtAll, "A flow of MQSim asks again at once."),
    row(
        "workloads[].traffic.offeredGbps",
        "Synthetic_Generator_Type, Bandwidth",
        Exactly,
        "BANDWIDTH: bytes a second, which MQSim makes whole requests a second and whole nanoseconds between them.",
    ),
    row(
        "workloads[].traffic.gaps",
        "Synthetic_Generator_Type",
        Exactly,
        "BANDWIDTH has exponential inter-arrival times.",
    ),
    row(
        "workloads[].traffic.requests",
        "Total_Requests_To_Generate",
        Exactly,
        "Over all connections, with a Stop_Time of 0.",
    ),
    row("workloads[].traffic.file", "File_Path", Exactly, "A trace in MQSim's own five columns, at its nanoseconds."),
    row("workloads[].traffic.volume", "", NotAtAll, "MQSim replays all volumes of a trace."),
    row("workloads[].traffic.skipUs", "", NotAtAll, "MQSim replays a trace from its start."),
    row("workloads[].traffic.timeScale", "", NotAtAll, "MQSim replays a trace as it was recorded."),
    row(
        "workloads[].traffic.of",
        "Bandwidth, Read_Percentage, Average_Request_Size",
        Roughly,
        "Rate, reads and mean size of the trace; its bursts, sizes and addresses are not there.",
    ),
    row("workloads[].startUs", "", NotAtAll, "Flows of MQSim start together."),
    row("workloads[].startGapUs", "", NotAtAll, "Flows of MQSim start at once."),
    row("workloads[].stopUs", "Stop_Time", Exactly, "Microseconds become nanoseconds."),
    row("durationUs", "Stop_Time", Exactly, "Microseconds become nanoseconds. Requests under way are waited for."),
    row("measurement.warmupUs", "", NotAtAll, "MQSim reports what it measures from the first request on."),
    row("seed", "Seed", Roughly, "The SSD and each flow have one made of it. MQSim draws other numbers from it."),
];
