//! How the requests of a measured job reached the drive, and how their addresses follow each other.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How requests reached a drive.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(rename = "MeasuredAccess")]
pub enum Access {
    /// From the host that it is in.
    #[default]
    Local,
    /// From another host, over NVMe/TCP.
    NvmeTcp,
    /// From another host, over NVMe/RDMA.
    NvmeRdma,
}

impl Access {
    /// Whether it is in the host that the requests came from.
    pub fn is_local(&self) -> bool {
        *self == Self::Local
    }

    /// The protocol, as a scenario names it.
    pub fn id(self) -> &'static str {
        match self {
            Self::Local => "local",
            Self::NvmeTcp => "nvme-tcp",
            Self::NvmeRdma => "nvme-rdma",
        }
    }
}

/// How addresses follow each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(rename = "MeasuredPattern")]
pub enum Pattern {
    /// At random.
    Random,
    /// In order.
    Sequential,
}
