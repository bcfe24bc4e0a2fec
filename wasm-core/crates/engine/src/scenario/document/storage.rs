//! Which hosts are storage servers, and the devices they hold.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Storage servers. Requests end at a server's port until devices are simulated.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct Storage {
    /// Hosts that are storage servers. Empty: the receivers of a dumbbell, the second half of the hosts of a fat-tree or
    /// leaf-spine, none of a custom graph.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(title = "Servers", length(max = 65536))]
    pub servers: Vec<StorageServer>,
}

/// A host that is a storage server.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct StorageServer {
    /// Name of the host.
    #[schemars(title = "Host", length(min = 1, max = 40))]
    pub host: String,
    /// Devices behind its port, all of which share it. Requests end at the port until devices are simulated.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(title = "Devices", length(max = 64))]
    pub devices: Vec<Device>,
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

/// What a storage device is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum DeviceKind {
    /// Flash behind an NVMe controller.
    #[schemars(title = "SSD")]
    Ssd,
    /// Memory that keeps its content, addressed by bytes.
    #[schemars(title = "Persistent memory")]
    PersistentMemory,
}
