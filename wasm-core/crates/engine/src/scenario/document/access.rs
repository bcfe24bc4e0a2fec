//! How requests reach the storage of their targets.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Scenario, Traffic, Workload};
use crate::access::protocols::{direct, iscsi, local, nvme_rdma, nvme_tcp, protocols};
use crate::access::{AccessProtocol, Protocol};

/// How requests reach the storage of their targets.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct Access {
    /// The protocol between initiator and target. A workload may have one of its own.
    #[schemars(title = "Protocol", extend("x-lead" = true), extend("x-source" = "Ours: the network alone, until storage is asked for."))]
    pub protocol: AccessProtocol,
    /// Size of the command that asks the target for the data of a read where requests are plain transfers. 64: an entry of a
    /// submission queue (NVM Express Base Specification, section 4.1).
    #[schemars(title = "Command", range(min = 1, max = 65_536), extend("x-unit" = "bytes"), extend("x-source" = "NVM Express Base Specification, section 4.1: a submission queue entry."))]
    pub command_bytes: u32,
    /// Commands that a queue pair, and so a connection, may have outstanding. Further requests wait at their host.
    #[schemars(title = "Queue depth", range(min = 1, max = 65_535),
        extend("x-unit" = "commands", "x-live" = true, "x-slider" = [1, 1024, "log"]), extend("x-source" = "Linux: the usual depth of a queue over fabrics."))]
    pub queue_depth: u32,
    /// Largest write whose data go with its command, over NVMe. A larger one waits for the target to ask for them, one round
    /// trip more. 16384: what the Linux target offers over TCP; SPDK offers 4096.
    #[schemars(title = "In-capsule data", range(min = 0, max = 1_048_576),
        extend("x-unit" = "bytes", "x-live" = true, "x-slider" = [0, 65_536, "linear"]), extend("x-source" = "Linux: what its target offers over TCP."))]
    pub in_capsule_bytes: u32,
    /// Most data of one PDU over NVMe/TCP (MAXH2CDATA). Each has a header of 24 bytes.
    #[schemars(title = "Data PDU", range(min = 4096, max = 16_777_216), extend("x-unit" = "bytes", "x-detail" = true), extend("x-source" = "SPDK: the largest I/O of its transports by default."))]
    pub data_pdu_bytes: u32,
    /// Whether the last data of a read over NVMe/TCP carry its status, so that no response capsule follows (SUCCESS flag).
    #[schemars(title = "Status with data", extend("x-detail" = true), extend("x-source" = "NVMe/TCP Transport Specification: optional."))]
    pub success_with_data: bool,
    /// Digests of 4 bytes behind the header of every PDU (NVMe/TCP, iSCSI).
    #[schemars(title = "Header digest", extend("x-detail" = true), extend("x-source" = "NVMe/TCP Transport Specification: optional."))]
    pub header_digest: bool,
    /// Digests of 4 bytes behind the data of every PDU (NVMe/TCP, iSCSI).
    #[schemars(title = "Data digest", extend("x-detail" = true), extend("x-source" = "NVMe/TCP Transport Specification: optional."))]
    pub data_digest: bool,
    /// What the ends of an iSCSI session agree on.
    #[schemars(title = "iSCSI", extend("x-detail" = true))]
    pub iscsi: Iscsi,
    /// Time that the software of both ends takes.
    #[schemars(title = "Software")]
    pub software: Software,
}

impl Default for Access {
    fn default() -> Self {
        Self {
            protocol: AccessProtocol::Direct,
            command_bytes: 64,
            queue_depth: QUEUE_DEPTH,
            in_capsule_bytes: IN_CAPSULE_BYTES,
            data_pdu_bytes: DATA_PDU_BYTES,
            success_with_data: false,
            header_digest: false,
            data_digest: false,
            iscsi: Iscsi::default(),
            software: Software::default(),
        }
    }
}

/// Linux opens I/O queues of so many entries over fabrics.
const QUEUE_DEPTH: u32 = 128;
const IN_CAPSULE_BYTES: u32 = 16_384;
const DATA_PDU_BYTES: u32 = 131_072;

impl Scenario {
    /// The protocol of a workload. Data without end have no requests that could go to a device.
    pub fn protocol_of(&self, workload: &Workload) -> AccessProtocol {
        match workload.traffic {
            Traffic::Backlogged {} => AccessProtocol::Direct,
            _ => workload.protocol.unwrap_or(self.access.protocol),
        }
    }

    /// Whether requests of any workload go to devices.
    pub fn has_devices(&self) -> bool {
        self.uses_protocol(AccessProtocol::has_target)
    }

    /// Whether any workload uses one of some protocols.
    pub fn uses_protocol(&self, is_meant: impl Fn(AccessProtocol) -> bool) -> bool {
        self.workloads.iter().any(|workload| is_meant(self.protocol_of(workload)))
    }
}

/// Parameters of a protocol, which the section describes.
trait FromAccess {
    /// Fields of the section, and sections in it, that not every protocol reads and this one does.
    const FIELDS: &[&str];

    fn from_access(access: &Access) -> Self;
}

impl FromAccess for direct::Parameters {
    const FIELDS: &[&str] = &[];

    fn from_access(access: &Access) -> Self {
        Self { command_bytes: access.command_bytes }
    }
}

impl FromAccess for local::Parameters {
    const FIELDS: &[&str] = &[];

    fn from_access(_: &Access) -> Self {
        Self
    }
}

impl FromAccess for nvme_tcp::Parameters {
    const FIELDS: &[&str] = &["inCapsuleBytes", "dataPduBytes", "successWithData", "headerDigest", "dataDigest"];

    fn from_access(access: &Access) -> Self {
        Self {
            in_capsule_bytes: access.in_capsule_bytes.into(),
            data_pdu_bytes: access.data_pdu_bytes.into(),
            header_digest: access.header_digest,
            data_digest: access.data_digest,
            success_with_data: access.success_with_data,
        }
    }
}

impl FromAccess for nvme_rdma::Parameters {
    const FIELDS: &[&str] = &["inCapsuleBytes"];

    fn from_access(access: &Access) -> Self {
        Self { in_capsule_bytes: access.in_capsule_bytes.into() }
    }
}

impl FromAccess for iscsi::Parameters {
    const FIELDS: &[&str] = &["headerDigest", "dataDigest", "iscsi"];

    fn from_access(access: &Access) -> Self {
        Self {
            initial_r2t: access.iscsi.initial_r2t,
            immediate_data: access.iscsi.immediate_data,
            first_burst_bytes: access.iscsi.first_burst_bytes.into(),
            max_burst_bytes: access.iscsi.max_burst_bytes.into(),
            data_segment_bytes: access.iscsi.data_segment_bytes.into(),
            header_digest: access.header_digest,
            data_digest: access.data_digest,
        }
    }
}

macro_rules! of_document {
    ($($(#[doc = $sentence:literal])+ $kind:ident $id:literal $title:literal = $module:ident, $way:expr;)+) => {
        impl AccessProtocol {
            /// What it puts on the wire, where the ends agree on what the section says.
            pub fn wire(self, access: &Access) -> Protocol {
                match self {
                    $(Self::$kind => $module::Parameters::from_access(access).into(),)+
                }
            }

            /// Fields of the section, and sections in it, that not every protocol reads and this one does.
            pub fn fields(self) -> &'static [&'static str] {
                match self {
                    $(Self::$kind => $module::Parameters::FIELDS,)+
                }
            }
        }
    };
}
protocols!(of_document);

/// What the ends of an iSCSI session agree on (RFC 7143, section 13).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct Iscsi {
    /// Nothing but immediate data is sent before the target asks for it (InitialR2T).
    #[schemars(title = "Initial R2T", extend("x-source" = "RFC 7143, section 13.10: Yes."))]
    pub initial_r2t: bool,
    /// A command may bring data of a write (ImmediateData).
    #[schemars(title = "Immediate data", extend("x-source" = "RFC 7143, section 13.11: Yes."))]
    pub immediate_data: bool,
    /// Most data of a write that are sent unasked (FirstBurstLength).
    #[schemars(title = "First burst", range(min = 512, max = 16_777_215), extend("x-unit" = "bytes"), extend("x-source" = "RFC 7143, section 13.14: 65536."))]
    pub first_burst_bytes: u32,
    /// Most data that the target asks for at a time (MaxBurstLength).
    #[schemars(title = "Burst", range(min = 512, max = 16_777_215), extend("x-unit" = "bytes"), extend("x-source" = "RFC 7143, section 13.13: 262144."))]
    pub max_burst_bytes: u32,
    /// Most data of one PDU (MaxRecvDataSegmentLength).
    #[schemars(title = "Data segment", range(min = 512, max = 16_777_215), extend("x-unit" = "bytes"), extend("x-source" = "open-iscsi: 262144; RFC 7143, section 13.12, has 8192."))]
    pub data_segment_bytes: u32,
}

impl Default for Iscsi {
    /// As the RFC has them, but for the segments, which common initiators raise to 256 KiB.
    fn default() -> Self {
        Self {
            initial_r2t: true,
            immediate_data: true,
            first_burst_bytes: 65_536,
            max_burst_bytes: 262_144,
            data_segment_bytes: 262_144,
        }
    }
}

/// Time that the software of both ends takes. Published measurements differ by the system; what is left empty is chosen within
/// what they report (docs/models.md).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct Software {
    /// Time that the software of the initiator takes for a command, there and back, where nothing else waits.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(title = "Host latency", range(min = 0.0, max = 10_000.0),
        extend("x-unit" = "us", "x-live" = true, "x-slider" = [0, 100, "linear"]))]
    pub host_latency_us: Option<f64>,
    /// Time that the software of the target takes for a command, there and back, where nothing else waits.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(title = "Target latency", range(min = 0.0, max = 10_000.0),
        extend("x-unit" = "us", "x-live" = true, "x-slider" = [0, 100, "linear"]))]
    pub target_latency_us: Option<f64>,
    /// Work of a core at each end for a command.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(title = "Work per command", range(min = 0.0, max = 1000.0),
        extend("x-unit" = "us", "x-live" = true, "x-detail" = true, "x-slider" = [0, 20, "linear"]))]
    pub command_work_us: Option<f64>,
    /// Work of a core at each end for each KiB of data.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(title = "Work per KiB", range(min = 0.0, max = 1000.0),
        extend("x-unit" = "us", "x-live" = true, "x-detail" = true, "x-slider" = [0, 1, "linear"]))]
    pub kib_work_us: Option<f64>,
    /// Time that the target takes for a command in a stage that serves one after the other.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(title = "Serial stage", range(min = 0.0, max = 1000.0),
        extend("x-unit" = "us", "x-live" = true, "x-detail" = true, "x-slider" = [0, 20, "linear"]))]
    pub serial_us: Option<f64>,
    /// Cores of every host that the software may use. Queue pairs are spread over them.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(title = "Cores", range(min = 1, max = 1024), extend("x-live" = true, "x-detail" = true))]
    pub cores: Option<u32>,
}
