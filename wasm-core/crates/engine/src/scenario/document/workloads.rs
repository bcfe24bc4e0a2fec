//! Who reads and writes what where, and when.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{AccessProtocol, AddressPattern, DeviceKind, Interarrival, StandIn, defaults};

/// Traffic of one class between some hosts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Workload {
    /// Name of the class the traffic belongs to.
    #[schemars(title = "Class")]
    pub class: String,
    /// Which hosts issue requests, and which hold the storage.
    #[schemars(title = "Endpoints")]
    pub endpoints: Endpoints,
    /// Connections between each pair of hosts. With a flow for each request: how many can be under way at once; further
    /// requests wait.
    #[serde(default = "defaults::connections")]
    #[schemars(title = "Connections per pair", range(min = 1, max = 1024), extend("x-source" = "One, as the papers have it unless they say otherwise."))]
    pub connections: u32,
    /// Whether requests follow each other on lasting connections or each begins as a new flow.
    #[serde(default)]
    #[schemars(title = "Flows", extend("x-source" = "Papers 1 and 2: connections that last."))]
    pub flows: Flows,
    /// When requests begin to arrive.
    #[serde(default)]
    #[schemars(title = "Start", range(min = 0.0, max = 200_000_000.0), extend("x-unit" = "us"), extend("x-source" = "The start of the run."))]
    pub start_us: f64,
    /// When requests cease to arrive. Empty: at the end of the run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(title = "Stop", range(min = 0.0, max = 200_000_000.0), extend("x-unit" = "us", "x-live" = true))]
    pub stop_us: Option<f64>,
    /// Time between the starts of one connection of this workload and the next.
    #[serde(default)]
    #[schemars(title = "Start gap", range(min = 0.0, max = 10_000_000.0), extend("x-unit" = "us"), extend("x-source" = "All at once."))]
    pub start_gap_us: f64,
    /// Share of the requests that read; the others write. 0: all write. 1: all read.
    #[serde(default)]
    #[schemars(title = "Reads", range(min = 0.0, max = 1.0), extend("x-source" = "Papers 1 and 2: writes, unless they say otherwise."))]
    pub read_fraction: f64,
    /// The protocol of its requests. Empty: that of the scenario.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(title = "Protocol", extend("x-detail" = true))]
    pub protocol: Option<AccessProtocol>,
    /// Of what the devices are made that it reads and writes. Where its target has none of them, it goes to the others.
    #[serde(default, skip_serializing_if = "is_ssd")]
    #[schemars(title = "Devices", extend("x-detail" = true))]
    pub devices: DeviceKind,
    /// Which addresses of the storage of its target it reads and writes.
    #[serde(default, skip_serializing_if = "Addresses::is_default")]
    #[schemars(title = "Addresses", extend("x-detail" = true))]
    pub addresses: Addresses,
    /// How requests arrive and how large they are.
    #[schemars(title = "Traffic")]
    pub traffic: Traffic,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
fn is_ssd(kind: &DeviceKind) -> bool {
    *kind == DeviceKind::Ssd
}

/// Which addresses requests have.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct Addresses {
    /// How one address follows from another.
    #[schemars(title = "Pattern", extend("x-source" = "Usual for random I/O."))]
    pub pattern: AddressPattern,
    /// First address.
    #[schemars(title = "From", range(min = 0, max = 1_000_000_000_000_000_u64), extend("x-unit" = "bytes"), extend("x-source" = "The start of the device."))]
    pub start_bytes: u64,
    /// Length of the range of addresses. Empty: up to the end of the storage.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(title = "Working set", range(min = 1, max = 72_057_594_037_927_936_u64), extend("x-unit" = "bytes"))]
    pub length_bytes: Option<u64>,
    /// Addresses are multiples of this. Empty: 4096, of persistent memory 256.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(title = "Alignment", range(min = 1, max = 1_073_741_824), extend("x-unit" = "bytes"))]
    pub alignment_bytes: Option<u32>,
}

impl Addresses {
    pub(crate) fn is_default(&self) -> bool {
        *self == Self::default()
    }
}

/// Which hosts issue requests (initiators), and which hold the storage (targets), by name.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "kebab-case", rename_all_fields = "camelCase", deny_unknown_fields)]
pub enum Endpoints {
    /// The first initiator uses the first target, and so on. A list of one host is paired with every host of the other
    /// list.
    #[schemars(title = "Pairs")]
    Pairs {
        /// Hosts that issue requests.
        #[schemars(title = "Initiators", length(min = 1, max = 65536), inner(length(min = 1, max = 40)))]
        initiators: Vec<String>,
        /// Hosts that hold the storage.
        #[schemars(title = "Targets", length(min = 1, max = 65536), inner(length(min = 1, max = 40)))]
        targets: Vec<String>,
    },
    /// Every host uses one other host and is used by one other host, drawn from the seed.
    #[schemars(title = "Permutation")]
    Permutation {},
    /// Many hosts, drawn from the seed, use one.
    #[schemars(title = "Incast")]
    Incast {
        /// Host that holds the storage.
        #[schemars(title = "Target", length(min = 1, max = 40))]
        target: String,
        /// Number of hosts that issue requests.
        #[schemars(title = "Initiators", range(min = 1, max = 65535))]
        initiators: u32,
    },
    /// Pairs of different hosts drawn from the seed, as for small transfers anywhere in the network that suffer from the
    /// congestion of others (victims).
    #[schemars(title = "Random pairs")]
    Random {
        /// Number of pairs.
        #[schemars(title = "Pairs", range(min = 1, max = 65535))]
        pairs: u32,
    },
}

/// How requests map to flows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Flows {
    /// Requests follow each other on connections that last: one waits for those before it.
    #[default]
    #[schemars(title = "Persistent")]
    Lasting,
    /// Every request begins as a new flow, with nothing learnt from earlier ones.
    #[schemars(title = "Per request")]
    PerRequest,
}

/// How requests arrive and how large they are.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "kebab-case", rename_all_fields = "camelCase", deny_unknown_fields)]
pub enum Traffic {
    /// Requests arrive by themselves, whether or not earlier ones are done.
    #[schemars(title = "Open loop")]
    OpenLoop {
        /// Payload that arrives per second over all connections of the workload.
        #[schemars(title = "Offered", range(min = 0.000_001, max = 10_000.0),
            extend("x-unit" = "Gb/s", "x-live" = true, "x-slider" = [1, 100, "linear"]))]
        offered_gbps: f64,
        /// Distribution of the time between two requests of a connection.
        #[serde(default)]
        #[schemars(title = "Inter-arrival times", extend("x-live" = true), extend("x-source" = "Papers 1 and 2: exponential inter-arrival times."))]
        gaps: Interarrival,
        /// Requests after which the workload ends, over all its connections. Empty: no end.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[schemars(title = "Requests", range(min = 1, max = 1_000_000_000_u64))]
        requests: Option<u64>,
        /// Distribution of request sizes.
        #[schemars(title = "Size")]
        size: Size,
    },
    /// Each connection always has more to send.
    #[schemars(title = "Backlogged")]
    Backlogged {},
    /// Each connection keeps a number of requests outstanding.
    #[schemars(title = "Closed loop")]
    ClosedLoop {
        /// Requests outstanding on each connection.
        #[schemars(title = "Outstanding", range(min = 1, max = 65_536), extend("x-unit" = "requests"))]
        outstanding: u32,
        /// Requests after which a connection ends. Empty: no end.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[schemars(title = "Requests", range(min = 1, max = 1_000_000_000_u64))]
        requests: Option<u64>,
        /// Mean pause between the acknowledgement of a request and the request that takes its place.
        #[serde(default)]
        #[schemars(title = "Think time", range(min = 0.0, max = 10_000_000.0),
            extend("x-unit" = "us", "x-symbol" = "Z", "x-live" = true, "x-slider" = [0, 20_000, "linear"]), extend("x-source" = "Without a pause."))]
        think_time_us: f64,
        /// Distribution of that pause.
        #[serde(default)]
        #[schemars(title = "Think time distribution", extend("x-live" = true), extend("x-source" = "As the inter-arrival times of papers 1 and 2."))]
        think_time_distribution: Interarrival,
        /// Distribution of request sizes.
        #[schemars(title = "Size")]
        size: Size,
    },
    /// The requests of a recorded block trace, at their instants, whether or not earlier ones are done. Operations, sizes and
    /// addresses are those of the trace; several connections take the requests by turns.
    #[schemars(title = "Trace")]
    Trace {
        /// Name of the trace. The command line looks for a file of that name beside the scenario; the page asks for it.
        #[schemars(title = "File", length(min = 1, max = 255))]
        file: String,
        /// Format of its lines. Automatic: told from the first of them.
        #[serde(default)]
        #[schemars(title = "Format", extend("x-source" = "Told from the first lines."))]
        format: TraceFormat,
        /// The volume of which the requests are taken. Empty: all volumes.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[schemars(title = "Volume", length(min = 1, max = 255))]
        volume: Option<String>,
        /// How much of the trace is passed over.
        #[serde(default)]
        #[schemars(title = "Skip", range(min = 0.0, max = 8_640_000_000_000.0), extend("x-unit" = "us"), extend("x-source" = "The trace from its start."))]
        skip_us: f64,
        /// How much faster than it was recorded the trace is replayed.
        #[serde(default = "defaults::scale")]
        #[schemars(title = "Time scale", range(min = 0.000_001, max = 1_000_000_000.0),
            extend("x-live" = true, "x-slider" = [1, 10_000, "log"]), extend("x-source" = "As it was recorded."))]
        time_scale: f64,
        /// Requests after which the workload ends, over all its connections. Empty: no end.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[schemars(title = "Requests", range(min = 1, max = 1_000_000_000_u64))]
        requests: Option<u64>,
    },
    /// Requests drawn like those of a published trace, which may not be shipped: its rate, reads and sizes, and bursts at
    /// every scale from 10 ms to 10 s. Several connections take them by turns.
    #[schemars(title = "Stand-in for a trace")]
    StandIn {
        /// The trace that is stood in for.
        #[schemars(title = "Stand-in for")]
        of: StandIn,
        /// How much faster than it was recorded the trace is replayed.
        #[serde(default = "defaults::scale")]
        #[schemars(title = "Time scale", range(min = 0.000_001, max = 1_000_000_000.0),
            extend("x-live" = true, "x-slider" = [1, 10_000, "log"]), extend("x-source" = "As it was recorded."))]
        time_scale: f64,
        /// Requests after which the workload ends, over all its connections. Empty: no end.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[schemars(title = "Requests", range(min = 1, max = 1_000_000_000_u64))]
        requests: Option<u64>,
    },
}

/// Formats of traces.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum TraceFormat {
    /// Told from the first lines.
    #[default]
    #[schemars(title = "Automatic")]
    Auto,
    /// SPC, as WebSearch and Financial of the UMass repository have it.
    #[schemars(title = "SPC")]
    Spc,
    /// MSR Cambridge.
    #[schemars(title = "MSR Cambridge")]
    Msr,
    /// SYSTOR '17.
    #[schemars(title = "SYSTOR ’17")]
    Systor,
    /// Cloud block storage of Tencent.
    #[schemars(title = "Tencent")]
    Tencent,
    /// Cloud block storage of Alibaba.
    #[schemars(title = "Alibaba")]
    Alibaba,
    /// MQSim and DiskSim in text.
    #[schemars(title = "MQSim")]
    Mqsim,
    /// Logs of fio, versions 2 and 3.
    #[schemars(title = "fio log")]
    Fio,
    /// The text that blkparse prints.
    #[schemars(title = "blkparse")]
    Blkparse,
}

/// Distribution of request sizes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "kebab-case", rename_all_fields = "camelCase", deny_unknown_fields)]
pub enum Size {
    /// Every request has the same size.
    #[schemars(title = "Fixed")]
    Fixed {
        /// Bytes of payload.
        #[schemars(title = "Bytes", range(min = 1, max = 1_000_000_000_000_u64), extend("x-unit" = "bytes"))]
        bytes: u64,
    },
    /// Whole blocks, every number of blocks in the range equally likely.
    #[schemars(title = "Uniform")]
    Uniform {
        /// Fewest blocks.
        #[schemars(title = "From", range(min = 1, max = 1_000_000_000), extend("x-unit" = "blocks"))]
        minimum_blocks: u64,
        /// Most blocks.
        #[schemars(title = "To", range(min = 1, max = 1_000_000_000), extend("x-unit" = "blocks"))]
        maximum_blocks: u64,
        /// Bytes in a block: 4096 for storage, 1 for any size.
        #[serde(default = "defaults::block_bytes")]
        #[schemars(title = "Block", range(min = 1, max = 1_000_000), extend("x-unit" = "bytes"), extend("x-source" = "Papers 1 and 2: blocks of 4 KB."))]
        block_bytes: u64,
    },
    /// A published distribution.
    #[schemars(title = "Published")]
    Published {
        /// Which.
        #[schemars(title = "Distribution")]
        distribution: Distribution,
        /// Every size is multiplied by this.
        #[serde(default = "defaults::scale")]
        #[schemars(title = "Scale", range(min = 0.000_001, max = 1000.0), extend("x-source" = "As published."))]
        scale: f64,
    },
    /// Exponential: many small requests, few large ones.
    #[schemars(title = "Exponential")]
    Exponential {
        /// Mean size.
        #[schemars(title = "Mean", range(min = 1.0, max = 1_000_000_000_000.0), extend("x-unit" = "bytes"))]
        mean_bytes: f64,
    },
    /// Some sizes, all equally likely.
    #[schemars(title = "Choice")]
    Choice {
        /// The sizes, in bytes.
        #[schemars(title = "Sizes", length(min = 1, max = 1000))]
        bytes: Vec<u64>,
    },
    /// Measured distribution: sizes and the share of requests not larger, straight lines between the points.
    #[schemars(title = "Empirical")]
    Empirical {
        /// Pairs of bytes and per cent, both growing, the last at 100 %.
        #[schemars(title = "Points", length(min = 2, max = 1000))]
        points: Vec<(f64, f64)>,
    },
}

/// Published distributions of transfer sizes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Distribution {
    /// Web search, of the DCTCP paper. Mean 1.7 MB.
    #[schemars(title = "Web search")]
    WebSearch,
    /// Data mining, of the VL2 paper. Mean 12.7 MB.
    #[schemars(title = "Data mining")]
    DataMining,
    /// Alibaba's storage traffic of 2019, of the simulator of HPCC. Mean 41 KB.
    #[schemars(title = "Alibaba storage 2019")]
    AliStorage2019,
    /// Facebook's Hadoop cluster. Mean 120 KB.
    #[schemars(title = "Facebook Hadoop")]
    FbHadoop,
    /// Storage writes made after the two figures that paper 3 gives of the Tencent trace: 51 % below 124 KB, 89 % below
    /// 457 KB.
    #[schemars(title = "Tencent-like")]
    TencentLike,
}
