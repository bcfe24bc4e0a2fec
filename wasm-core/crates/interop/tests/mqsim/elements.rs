//! What MQSim reads: every element, in its order, with what it may hold.

use std::collections::BTreeMap;

use roxmltree::{Document, Node};

/// What an element may hold.
#[derive(Clone, Copy)]
enum Holds {
    Truth,
    Word(&'static [&'static str]),
    /// A whole number.
    Whole(u64, u64),
    Real(f64, f64),
    /// A path.
    Text,
    /// All numbers below that of an element of the configuration.
    Below(&'static str),
    /// Elements.
    Section(&'static [(&'static str, Holds)]),
}
use Holds::{Below, Real, Section, Text, Truth, Whole, Word};

/// Most of an `int`, of an `unsigned int`, and of a `uint16_t`.
const INT: u64 = i32::MAX as u64;
const UNSIGNED: u64 = u32::MAX as u64;
const SHORT: u64 = u16::MAX as u64;

const ORDERS: &[&str] = &[
    "CWDP", "CWPD", "CDWP", "CDPW", "CPWD", "CPDW", "WCDP", "WCPD", "WDCP", "WDPC", "WPCD", "WPDC", "DCWP", "DCPW",
    "DWCP", "DWPC", "DPCW", "DPWC", "PCWD", "PCDW", "PWCD", "PWDC", "PDCW", "PDWC",
];

/// What MQSim reads of its configuration, in its order: CMU-SAFARI/MQSim, `src/exec`, `Execution_Parameter_Set.cpp` (c0af1d8),
/// `Host_Parameter_Set.cpp` (21f1fff), `Device_Parameter_Set.cpp` (e338620), `Flash_Parameter_Set.cpp` (6d57094); ranges are those of `README.md` (06c67a0) and of
/// the types in the headers beside them.
const CONFIGURATION: &[(&str, Holds)] =
    &[("Host_Parameter_Set", Section(HOST)), ("Device_Parameter_Set", Section(DEVICE))];

const HOST: &[(&str, Holds)] = &[
    ("PCIe_Lane_Bandwidth", Real(1e-6, 1e3)),
    ("PCIe_Lane_Count", Whole(1, UNSIGNED)),
    ("SATA_Processing_Delay", Whole(1, UNSIGNED)),
    ("Enable_ResponseTime_Logging", Truth),
    ("ResponseTime_Logging_Period_Length", Whole(1, UNSIGNED)),
];

const DEVICE: &[(&str, Holds)] = &[
    ("Seed", Whole(1, INT)),
    ("Enabled_Preconditioning", Truth),
    ("Memory_Type", Word(&["FLASH"])),
    ("HostInterface_Type", Word(&["NVME", "SATA"])),
    ("IO_Queue_Depth", Whole(2, SHORT)),
    ("Queue_Fetch_Size", Whole(1, SHORT)),
    ("Caching_Mechanism", Word(&["SIMPLE", "ADVANCED"])),
    ("Data_Cache_Sharing_Mode", Word(&["SHARED", "EQUAL_PARTITIONING"])),
    ("Data_Cache_Capacity", Whole(1, UNSIGNED)),
    ("Data_Cache_DRAM_Row_Size", Whole(1, UNSIGNED)),
    ("Data_Cache_DRAM_Data_Rate", Whole(1, UNSIGNED)),
    ("Data_Cache_DRAM_Data_Busrt_Size", Whole(1, UNSIGNED)),
    ("Data_Cache_DRAM_tRCD", Whole(1, UNSIGNED)),
    ("Data_Cache_DRAM_tCL", Whole(1, UNSIGNED)),
    ("Data_Cache_DRAM_tRP", Whole(1, UNSIGNED)),
    ("Address_Mapping", Word(&["PAGE_LEVEL", "HYBRID"])),
    ("Ideal_Mapping_Table", Truth),
    ("CMT_Capacity", Whole(1, UNSIGNED)),
    ("CMT_Sharing_Mode", Word(&["SHARED", "EQUAL_PARTITIONING"])),
    ("Plane_Allocation_Scheme", Word(ORDERS)),
    ("Transaction_Scheduling_Policy", Word(&["OUT_OF_ORDER", "PRIORITY_OUT_OF_ORDER"])),
    ("Overprovisioning_Ratio", Real(0.001, 0.999)),
    ("GC_Exec_Threshold", Real(0.0, 1.0)),
    ("GC_Block_Selection_Policy", Word(&["GREEDY", "RGA", "RANDOM", "RANDOM_P", "RANDOM_PP", "FIFO"])),
    ("Use_Copyback_for_GC", Truth),
    ("Preemptible_GC_Enabled", Truth),
    ("GC_Hard_Threshold", Real(0.0, 1.0)),
    ("Dynamic_Wearleveling_Enabled", Truth),
    ("Static_Wearleveling_Enabled", Truth),
    ("Static_Wearleveling_Threshold", Whole(1, UNSIGNED)),
    ("Prefered_suspend_erase_time_for_read", Whole(1, u64::MAX)),
    ("Preferred_suspend_erase_time_for_write", Whole(1, u64::MAX)),
    ("Preferred_suspend_write_time_for_read", Whole(1, u64::MAX)),
    ("Flash_Channel_Count", Whole(1, UNSIGNED)),
    ("Flash_Channel_Width", Whole(1, UNSIGNED)),
    ("Channel_Transfer_Rate", Whole(1, UNSIGNED)),
    ("Chip_No_Per_Channel", Whole(1, UNSIGNED)),
    ("Flash_Comm_Protocol", Word(&["NVDDR2"])),
    ("Flash_Parameter_Set", Section(FLASH)),
];

const FLASH: &[(&str, Holds)] = &[
    ("Flash_Technology", Word(&["SLC", "MLC", "TLC"])),
    ("CMD_Suspension_Support", Word(&["NONE", "PROGRAM", "PROGRAM_ERASE", "ERASE"])),
    ("Page_Read_Latency_LSB", Whole(1, u64::MAX)),
    ("Page_Read_Latency_CSB", Whole(1, u64::MAX)),
    ("Page_Read_Latency_MSB", Whole(1, u64::MAX)),
    ("Page_Program_Latency_LSB", Whole(1, u64::MAX)),
    ("Page_Program_Latency_CSB", Whole(1, u64::MAX)),
    ("Page_Program_Latency_MSB", Whole(1, u64::MAX)),
    ("Block_Erase_Latency", Whole(1, u64::MAX)),
    ("Block_PE_Cycles_Limit", Whole(1, UNSIGNED)),
    ("Suspend_Erase_Time", Whole(1, u64::MAX)),
    ("Suspend_Program_Time", Whole(1, u64::MAX)),
    ("Die_No_Per_Chip", Whole(1, UNSIGNED)),
    ("Plane_No_Per_Die", Whole(1, UNSIGNED)),
    ("Block_No_Per_Plane", Whole(1, UNSIGNED)),
    ("Page_No_Per_Block", Whole(1, UNSIGNED)),
    // 64 bits of a page's map of sectors.
    ("Page_Capacity", Whole(512, 64 * 512)),
    ("Page_Metadat_Capacity", Whole(1, UNSIGNED)),
];

/// What MQSim reads of a flow: `src/exec/IO_Flow_Parameter_Set.cpp` (c0af1d8).
const SYNTHETIC: &[(&str, Holds)] = &[
    ("Priority_Class", PRIORITY),
    ("Device_Level_Data_Caching_Mode", CACHING),
    ("Channel_IDs", Below("Flash_Channel_Count")),
    ("Chip_IDs", Below("Chip_No_Per_Channel")),
    ("Die_IDs", Below("Die_No_Per_Chip")),
    ("Plane_IDs", Below("Plane_No_Per_Die")),
    ("Initial_Occupancy_Percentage", Whole(1, 100)),
    ("Working_Set_Percentage", Whole(1, 100)),
    ("Synthetic_Generator_Type", Word(&["BANDWIDTH", "QUEUE_DEPTH"])),
    ("Read_Percentage", Whole(0, 100)),
    ("Address_Distribution", Word(&["STREAMING", "RANDOM_UNIFORM", "RANDOM_HOTCOLD"])),
    ("Percentage_of_Hot_Region", Whole(0, 99)),
    ("Generated_Aligned_Addresses", Truth),
    ("Address_Alignment_Unit", Whole(1, INT)),
    ("Request_Size_Distribution", Word(&["FIXED", "NORMAL"])),
    ("Average_Request_Size", Whole(1, INT)),
    ("Variance_Request_Size", Whole(0, INT)),
    ("Seed", Whole(1, INT)),
    ("Average_No_of_Reqs_in_Queue", Whole(1, INT)),
    ("Bandwidth", Whole(512, INT)),
    ("Stop_Time", Whole(0, i64::MAX as u64)),
    ("Total_Requests_To_Generate", Whole(0, INT)),
];

const TRACE: &[(&str, Holds)] = &[
    ("Priority_Class", PRIORITY),
    ("Device_Level_Data_Caching_Mode", CACHING),
    ("Channel_IDs", Below("Flash_Channel_Count")),
    ("Chip_IDs", Below("Chip_No_Per_Channel")),
    ("Die_IDs", Below("Die_No_Per_Chip")),
    ("Plane_IDs", Below("Plane_No_Per_Die")),
    ("Initial_Occupancy_Percentage", Whole(1, 100)),
    ("File_Path", Text),
    ("Percentage_To_Be_Executed", Whole(1, 100)),
    ("Relay_Count", Whole(1, INT)),
    ("Time_Unit", Word(&["PICOSECOND", "NANOSECOND", "MICROSECOND"])),
];

const PRIORITY: Holds = Word(&["URGENT", "HIGH", "MEDIUM", "LOW"]);
const CACHING: Holds = Word(&["TURNED_OFF", "WRITE_CACHE", "READ_CACHE", "WRITE_READ_CACHE"]);

pub type Values = BTreeMap<String, String>;

/// The elements in a node.
pub fn inside<'a, 'b>(node: Node<'a, 'b>) -> impl Iterator<Item = Node<'a, 'b>> {
    node.children().filter(Node::is_element)
}

fn text<'a>(node: Node<'a, '_>) -> &'a str {
    node.text().unwrap_or_default()
}

/// All values in a node and its sections, by element.
pub fn values(node: Node) -> Values {
    let leaves = node.descendants().filter(|of| of.is_element() && inside(*of).next().is_none());
    leaves.map(|of| (of.tag_name().name().to_owned(), text(of).to_owned())).collect()
}

/// What is wrong with the elements of a section: each must be there once, in this order, with a value in range.
fn faults_of_section(section: Node, elements: &[(&str, Holds)], config: &Values, faults: &mut Vec<String>) {
    let there: Vec<&str> = inside(section).map(|node| node.tag_name().name()).collect();
    let wanted: Vec<&str> = elements.iter().map(|(name, _)| *name).collect();
    if there != wanted {
        faults.push(format!("{}: {there:?}", section.tag_name().name()));
        return;
    }
    for (node, (name, holds)) in inside(section).zip(elements) {
        let value = text(node);
        let good = match holds {
            Truth => value == "true" || value == "false",
            Word(words) => words.contains(&value),
            Whole(least, most) => value.parse().is_ok_and(|number: u64| (*least..=*most).contains(&number)),
            Real(least, most) => value.parse().is_ok_and(|number: f64| (*least..=*most).contains(&number)),
            Text => !value.is_empty(),
            Below(count) => {
                let count: u32 = config[*count].parse().unwrap_or_default();
                // MQSim copies the list into 1000 bytes.
                value.len() < 1000 && value == (0..count).map(|of| of.to_string()).collect::<Vec<_>>().join(",")
            }
            Section(elements) => {
                faults_of_section(node, elements, config, faults);
                true
            }
        };
        if !good {
            faults.push(format!("{name}: {value}"));
        }
    }
}

/// What one value demands of another.
fn faults_of_flow(flow: &Values, faults: &mut Vec<String>) {
    let number = |element: &str| flow.get(element).and_then(|value| value.parse::<u64>().ok());
    let mut must = |holds: bool, what: &str| {
        if !holds {
            faults.push(format!("{what}: {flow:?}"));
        }
    };
    // Host_System.cpp (c0af1d8) divides by requests a second, in whole numbers.
    let a_second =
        number("Bandwidth").zip(number("Average_Request_Size")).map(|(bytes, sectors)| bytes / 512 / sectors);
    must(a_second.is_none_or(|a_second| a_second > 0), "a bandwidth below one request a second");
    // IO_Flow_Synthetic.cpp (e338620) asks for so many at its start, and takes each for there.
    let (stop, total) = (number("Stop_Time"), number("Total_Requests_To_Generate"));
    if stop == Some(0) {
        must(total >= number("Average_No_of_Reqs_in_Queue"), "more at once than in all");
    }
    must(stop.is_none() || (stop == Some(0)) != (total == Some(0)), "no end, or two of them");
    let is_hot = flow.get("Address_Distribution").is_some_and(|of| of == "RANDOM_HOTCOLD");
    must(is_hot == (number("Percentage_of_Hot_Region").unwrap_or_default() > 0), "a hot region where none counts");
}

/// What is wrong with a configuration and a workload by what MQSim reads.
pub fn faults(config: &str, workload: &str) -> Vec<String> {
    let documents = [Document::parse(config), Document::parse(workload)];
    let [Ok(config), Ok(workload)] = &documents else { return vec![format!("no XML: {documents:?}")] };
    let (config, workload) = (config.root_element(), workload.root_element());
    let mut faults = Vec::new();
    let roots = [config, workload].map(|root| root.tag_name().name().to_owned());
    if roots != ["Execution_Parameter_Set", "MQSim_IO_Scenarios"] {
        faults.push(format!("roots {roots:?}"));
    }
    let known = values(config);
    faults_of_section(config, CONFIGURATION, &known, &mut faults);
    let scenarios: Vec<Node> = inside(workload).collect();
    if scenarios.len() != 1 || !scenarios[0].has_tag_name("IO_Scenario") {
        faults.push("not one scenario".into());
        return faults;
    }
    let flows: Vec<Node> = inside(scenarios[0]).collect();
    if !(1..=8).contains(&flows.len()) {
        faults.push(format!("{} flows", flows.len()));
    }
    let mut seeds = Vec::new();
    for flow in flows {
        match flow.tag_name().name() {
            "IO_Flow_Parameter_Set_Synthetic" => faults_of_section(flow, SYNTHETIC, &known, &mut faults),
            "IO_Flow_Parameter_Set_Trace_Based" => faults_of_section(flow, TRACE, &known, &mut faults),
            other => faults.push(other.into()),
        }
        let flow = values(flow);
        faults_of_flow(&flow, &mut faults);
        seeds.extend(flow.get("Seed").cloned());
    }
    seeds.sort();
    seeds.dedup_by(|one, other| {
        one == other && {
            faults.push(format!("seed {one} twice"));
            true
        }
    });
    faults
}
