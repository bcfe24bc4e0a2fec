//! Which hosts are storage servers, the devices they hold, and how those work.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Ssd;
use crate::kernel::convert::whole;
use crate::kernel::time::from_us;
use crate::qos::tenants::TenantScheduler;
use crate::storage::{Arbitration, ClassTreatment, DeviceKind, MemoryParameters, Placement};

/// Storage servers and their devices. Requests go to devices over every access protocol but `direct`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct Storage {
    /// Hosts that are storage servers. Empty: the receivers of a dumbbell, the second half of the hosts of a fat-tree or
    /// leaf-spine, none of a custom graph.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(title = "Servers", length(max = 65536))]
    pub servers: Vec<StorageServer>,
    /// What servers and devices know of the classes of requests.
    #[schemars(title = "Treatment of classes", extend("x-live" = true), extend("x-source" = "Paper 1: coordinated storage."))]
    pub treatment: ClassTreatment,
    /// The scheduler that every server has before its devices, where classes are its tenants.
    #[serde(skip_serializing_if = "Tenants::is_default")]
    #[schemars(title = "Tenants", extend("x-detail" = true))]
    pub tenants: Tenants,
    /// How the addresses of a server are laid out over its devices.
    #[schemars(title = "Address translation", extend("x-detail" = true), extend("x-source" = "Usual for volumes over several devices."))]
    pub placement: Placement,
    /// Bytes that follow each other on one device where addresses are striped or hashed.
    #[schemars(title = "Stripe", range(min = 4096, max = 1_073_741_824), extend("x-unit" = "bytes", "x-detail" = true), extend("x-source" = "Ours: a usual chunk of Linux's striped volumes."))]
    pub stripe_bytes: u32,
    /// The controllers of all devices.
    #[schemars(title = "NVMe")]
    pub nvme: Nvme,
    /// All SSDs.
    #[schemars(title = "SSD")]
    pub ssd: Ssd,
    /// All devices of persistent memory.
    #[schemars(title = "Persistent memory", extend("x-detail" = true))]
    pub memory: PersistentMemory,
    /// All servers of constant capacity.
    #[serde(skip_serializing_if = "ConstantCapacity::is_default")]
    #[schemars(title = "Constant capacity", extend("x-detail" = true))]
    pub constant: ConstantCapacity,
}

impl Default for Storage {
    fn default() -> Self {
        Self {
            servers: Vec::new(),
            treatment: ClassTreatment::default(),
            tenants: Tenants::default(),
            placement: Placement::default(),
            stripe_bytes: 65_536,
            nvme: Nvme::default(),
            ssd: Ssd::default(),
            memory: PersistentMemory::default(),
            constant: ConstantCapacity::default(),
        }
    }
}

/// The scheduler that a server has before its devices. Every class is a tenant with its contract; requests wait here, and so
/// many at once go on to the devices.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct Tenants {
    /// In which order requests of the tenants are served.
    #[schemars(title = "Scheduler", extend("x-live" = true, "x-lead" = true), extend("x-source" = "Paper 4: a mechanism of its own, off unless asked for."))]
    pub scheduler: TenantScheduler,
    /// Requests at the devices of a server at once. Empty: one for each device of constant capacity, 32 for each other device.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(title = "In service", range(min = 1, max = 65_535),
        extend("x-unit" = "requests", "x-live" = true, "x-slider" = [1, 1024, "log"]))]
    pub in_service: Option<u32>,
    /// How far the burst of a tenant may go beyond its share, the longer it lasts. Used by the burst ladder.
    #[serde(skip_serializing_if = "BurstLadder::is_default")]
    #[schemars(title = "Burst ladder")]
    pub ladder: BurstLadder,
}

impl Tenants {
    pub(crate) fn is_default(&self) -> bool {
        *self == Self::default()
    }
}

/// The ladder of paper 5 ("Group QOS for burst management"). Time goes in steps, in each of which a tenant has its share of the
/// server. One that asks for more sets its burst presence bit, and in step t of its burst may go so many requests beyond its
/// share: t at first, then t + a, then 3 t − a, and from step ψ on no more. It gets them of what the others of its group leave of
/// their shares, then of what other groups leave. What is beyond its allowance waits, also before an idle server.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct BurstLadder {
    /// What the second part of the ladder adds to its step: t + a.
    #[schemars(title = "Amount", range(min = 0.0, max = 1_000_000.0),
        extend("x-unit" = "requests", "x-symbol" = "a", "x-live" = true, "x-slider" = [1, 1000, "log"]), extend("x-source" = "Ours: paper 5 gives none. With 10 the parts of its ladder meet."))]
    pub amount: f64,
    /// Last step of the first part, in which the allowance is t, the number of the step.
    #[schemars(title = "First part ends", range(min = 0, max = 10_000),
        extend("x-unit" = "steps", "x-live" = true, "x-slider" = [1, 100, "linear"]), extend("x-source" = "Paper 5: its second part begins above 5."))]
    pub first: u32,
    /// Last step of the second part, in which the allowance is t + a; from the next one on it is 3 t − a.
    #[schemars(title = "Second part ends", range(min = 0, max = 10_000),
        extend("x-unit" = "steps", "x-live" = true, "x-slider" = [1, 100, "linear"]), extend("x-source" = "Paper 5: up to 10."))]
    pub second: u32,
    /// From this step on the allowance grows no more.
    #[schemars(title = "Last step", range(min = 0, max = 10_000),
        extend("x-unit" = "steps", "x-symbol" = "ψ", "x-live" = true, "x-slider" = [1, 1000, "log"]), extend("x-source" = "Ours: paper 5 gives no number for ψ."))]
    pub end: u32,
    /// Length of a step: how often shares are given out and bursts are looked at.
    #[schemars(title = "Step", range(min = 100.0, max = 10_000_000.0),
        extend("x-unit" = "us", "x-live" = true, "x-slider" = [1000, 1_000_000, "log"]), extend("x-source" = "Ours: paper 5 says t = 1 without a unit. Shares should be several requests a step."))]
    pub step_us: f64,
    /// Requests a second of a server that the shares of all tenants add up to. Empty: the capacity of its devices of constant
    /// capacity; else what contracts need; else 100 000 for each device.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(title = "Divided capacity", range(min = 0.1, max = 100_000_000.0),
        extend("x-unit" = "IOPS", "x-live" = true, "x-slider" = [100, 1_000_000, "log"]))]
    pub capacity_iops: Option<f64>,
}

impl Default for BurstLadder {
    fn default() -> Self {
        Self { amount: 10.0, first: 5, second: 10, end: 30, step_us: 100_000.0, capacity_iops: None }
    }
}

impl BurstLadder {
    pub(crate) fn is_default(&self) -> bool {
        *self == Self::default()
    }
}

/// A server of constant capacity: it serves one request after the other, whatever they ask for (paper 4).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct ConstantCapacity {
    /// Requests that it serves each second.
    #[schemars(title = "Capacity", range(min = 0.1, max = 10_000_000.0),
        extend("x-unit" = "IOPS", "x-symbol" = "κ", "x-live" = true, "x-slider" = [10, 100_000, "log"]), extend("x-source" = "Ours: of the order of paper 4, which plans 528 requests a second."))]
    pub capacity_iops: f64,
}

impl Default for ConstantCapacity {
    fn default() -> Self {
        Self { capacity_iops: 1000.0 }
    }
}

impl ConstantCapacity {
    pub(crate) fn is_default(&self) -> bool {
        *self == Self::default()
    }
}

/// The controller of a device: which of the commands in its submission queues it takes next, and how many at a time.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct Nvme {
    /// How the controller chooses between submission queues (NVM Express Base Specification, section 3.4.4).
    #[schemars(title = "Arbitration", extend("x-live" = true, "x-lead" = true), extend("x-source" = "Paper 1: weighted round robin (NVM Express Base Specification, section 3.4.4)."))]
    pub arbitration: Arbitration,
    /// Commands of queues of high priority in each round.
    #[schemars(title = "High weight", range(min = 1, max = 256), extend("x-live" = true, "x-slider" = [1, 16, "linear"]), extend("x-source" = "Paper 1, evaluation: 3:2:1."))]
    pub high_weight: u32,
    /// Commands of queues of medium priority in each round.
    #[schemars(title = "Medium weight", range(min = 1, max = 256), extend("x-live" = true, "x-slider" = [1, 16, "linear"]), extend("x-source" = "Paper 1, evaluation: 3:2:1."))]
    pub medium_weight: u32,
    /// Commands of queues of low priority in each round.
    #[schemars(title = "Low weight", range(min = 1, max = 256), extend("x-live" = true, "x-slider" = [1, 16, "linear"]), extend("x-source" = "Paper 1, evaluation: 3:2:1."))]
    pub low_weight: u32,
    /// Commands of one queue that are taken at once when its turn comes. Controllers know powers of two alone; another number is
    /// simulated as it stands.
    #[schemars(title = "Arbitration burst", range(min = 1, max = 64),
        extend("x-unit" = "commands", "x-live" = true, "x-slider" = [1, 64, "log"]), extend("x-source" = "NVM Express Base Specification, Arbitration feature: the least burst."))]
    pub burst: u32,
    /// Commands in the device at once. Others wait in their submission queues, where arbitration acts.
    #[schemars(title = "Commands in device", range(min = 1, max = 65_535),
        extend("x-unit" = "commands", "x-live" = true, "x-slider" = [1, 1024, "log"]), extend("x-source" = "Ours: enough for all dies of a drive to work."))]
    pub device_commands: u32,
    /// Commands of one queue in the device at once.
    #[schemars(title = "Of one queue", range(min = 1, max = 65_535),
        extend("x-unit" = "commands", "x-live" = true, "x-detail" = true, "x-slider" = [1, 1024, "log"]), extend("x-source" = "NVM Express Base Specification: the largest queue."))]
    pub queue_commands: u32,
    /// Longest transfer of one command (MDTS). A larger request is several commands.
    #[schemars(title = "Longest transfer", range(min = 4096, max = 1_073_741_824),
        extend("x-unit" = "bytes", "x-detail" = true), extend("x-source" = "Ours: a usual MDTS of data-centre drives."))]
    pub max_transfer_bytes: u32,
}

impl Default for Nvme {
    fn default() -> Self {
        Self {
            arbitration: Arbitration::WeightedRoundRobin,
            high_weight: 3,
            medium_weight: 2,
            low_weight: 1,
            burst: 1,
            device_commands: 128,
            queue_commands: 65_535,
            max_transfer_bytes: 1_048_576,
        }
    }
}

/// A host that is a storage server.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct StorageServer {
    /// Name of the host.
    #[schemars(title = "Host", length(min = 1, max = 40))]
    pub host: String,
    /// Devices behind its port, all of which share it. Empty: one SSD.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(title = "Devices", length(max = 64), default = "usual_devices")]
    pub devices: Vec<Device>,
}

/// Names and kinds of the devices behind a server that lists none.
pub const USUAL_DEVICES: [(&str, DeviceKind); 1] = [("ssd", DeviceKind::Ssd)];

/// The same, as a document lists them.
fn usual_devices() -> Vec<Device> {
    USUAL_DEVICES.map(|(name, kind)| Device { name: name.into(), kind }).into()
}

/// A storage device.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Device {
    /// Name, unique on its server.
    #[schemars(title = "Name", length(min = 1, max = 40))]
    pub name: String,
    /// What it is made of.
    #[schemars(title = "Kind")]
    pub kind: DeviceKind,
}

/// A device of persistent memory, such as Intel Optane DC. What is left empty is that of one of its modules.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct PersistentMemory {
    /// Bytes that it holds.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(title = "Capacity", range(min = 4096, max = 1_125_899_906_842_624_u64), extend("x-unit" = "bytes"))]
    pub capacity_bytes: Option<u64>,
    /// Time that controller and bus take for a read.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(title = "Read", range(min = 0.0, max = 1000.0), extend("x-unit" = "us", "x-slider" = [0.05, 2, "log"]))]
    pub read_us: Option<f64>,
    /// Time that controller and bus take for a write.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(title = "Write", range(min = 0.0, max = 1000.0), extend("x-unit" = "us", "x-slider" = [0.05, 2, "log"]))]
    pub write_us: Option<f64>,
    /// Bytes that its cells are accessed by.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(title = "Granule", range(min = 16, max = 65_536), extend("x-unit" = "bytes"))]
    pub granule_bytes: Option<u32>,
    /// Time to read a granule.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(title = "Granule read", range(min = 0.0, max = 1000.0), extend("x-unit" = "us"))]
    pub granule_read_us: Option<f64>,
    /// Time to write a granule.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(title = "Granule write", range(min = 0.0, max = 1000.0), extend("x-unit" = "us"))]
    pub granule_write_us: Option<f64>,
    /// Granules that can be accessed at once.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(title = "Banks", range(min = 1, max = 1024))]
    pub banks: Option<u32>,
    /// Bandwidth of reads.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(title = "Read bandwidth", range(min = 0.001, max = 10_000.0), extend("x-unit" = "GB/s"))]
    pub read_gbytes_per_s: Option<f64>,
    /// Bandwidth of writes.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(title = "Write bandwidth", range(min = 0.001, max = 10_000.0), extend("x-unit" = "GB/s"))]
    pub write_gbytes_per_s: Option<f64>,
    /// Longest random time that is added to an access; between nothing and this all are equally likely.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(title = "Spread", range(min = 0.0, max = 1000.0), extend("x-unit" = "us"))]
    pub spread_us: Option<f64>,
}

impl PersistentMemory {
    /// The parameters of the device: those of a module, where the document does not say otherwise.
    pub fn parameters(&self) -> MemoryParameters {
        let module = MemoryParameters::default();
        let bytes_per_s = |gbytes: f64| whole(gbytes * 1e9);
        MemoryParameters {
            capacity_bytes: self.capacity_bytes.unwrap_or(module.capacity_bytes),
            granule_bytes: self.granule_bytes.unwrap_or(module.granule_bytes),
            banks: self.banks.unwrap_or(module.banks),
            read_base_ps: self.read_us.map_or(module.read_base_ps, from_us),
            write_base_ps: self.write_us.map_or(module.write_base_ps, from_us),
            read_granule_ps: self.granule_read_us.map_or(module.read_granule_ps, from_us),
            write_granule_ps: self.granule_write_us.map_or(module.write_granule_ps, from_us),
            read_bytes_per_s: self.read_gbytes_per_s.map_or(module.read_bytes_per_s, bytes_per_s),
            write_bytes_per_s: self.write_gbytes_per_s.map_or(module.write_bytes_per_s, bytes_per_s),
            spread_ps: self.spread_us.map_or(module.spread_ps, from_us),
        }
    }
}

impl Nvme {
    /// Weights of high, medium and low priority.
    pub fn weights(&self) -> [u32; 3] {
        [self.high_weight, self.medium_weight, self.low_weight]
    }
}
