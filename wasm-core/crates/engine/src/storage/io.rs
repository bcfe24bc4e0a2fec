//! A read or a write as a storage server receives it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::kernel::ids::{ClassId, RequestId};

/// What a storage device is made of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum DeviceKind {
    /// Flash behind an NVMe controller.
    #[default]
    #[schemars(title = "SSD")]
    Ssd,
    /// Memory that keeps its content, addressed by bytes.
    #[schemars(title = "Persistent memory")]
    PersistentMemory,
    /// No device in particular: so many requests a second, one after the other.
    #[schemars(title = "Constant capacity")]
    ConstantCapacity,
}

impl DeviceKind {
    /// Kinds that there are.
    pub(super) const COUNT: usize = 3;
}

/// A read or a write of the storage of a server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Io {
    /// Whose it is.
    pub request: RequestId,
    /// Its class.
    pub class: ClassId,
    /// The queue pair that brings it.
    pub queue_pair: u32,
    /// The kind of devices that it may go to.
    pub kind: DeviceKind,
    /// Whether it writes.
    pub writes: bool,
    /// First byte.
    pub address: u64,
    /// Its size.
    pub bytes: u64,
}
