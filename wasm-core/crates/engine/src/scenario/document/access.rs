//! How requests reach the storage of their targets.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How requests reach the storage of their targets.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct Access {
    /// The protocol between initiator and target.
    #[schemars(title = "Protocol")]
    pub protocol: AccessProtocol,
    /// Size of the command that asks the target for the data of a read. 64: an entry of a submission queue (NVM Express
    /// Base Specification, section 4.1).
    #[schemars(title = "Command", range(min = 1, max = 65_536), extend("x-unit" = "bytes"))]
    pub command_bytes: u32,
}

impl Default for Access {
    fn default() -> Self {
        Self { protocol: AccessProtocol::Direct, command_bytes: 64 }
    }
}

/// Protocols between initiator and target.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum AccessProtocol {
    /// A write sends its data and is done when they are acknowledged; a read sends a command, and the target its data.
    #[schemars(title = "Direct")]
    Direct,
}
