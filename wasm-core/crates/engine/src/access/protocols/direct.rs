//! Plain transfers between hosts: a write is its data, a read is asked for by a command.

use crate::access::{Protocol, SoftwareTimes};

/// Parameters of transfers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parameters {
    /// The command of a read.
    pub command_bytes: u32,
}

/// None: hosts do nothing but send and receive.
pub const SOFTWARE: SoftwareTimes = SoftwareTimes::NONE;

impl From<Parameters> for Protocol {
    fn from(parameters: Parameters) -> Self {
        Self { has_target: false, command_bytes: parameters.command_bytes, ..Self::BARE }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::access::Operation;

    #[test]
    fn a_direct_transfer_is_its_data() {
        let direct = Protocol::from(Parameters { command_bytes: 64 });
        assert_eq!(direct.command(Operation::Write, 1 << 40).wire_bytes, 1 << 40);
        assert_eq!(direct.command(Operation::Read, 1 << 40).wire_bytes, 64);
        assert_eq!(direct.response(Operation::Read, 1000).wire_bytes, 1000);
    }
}
