//! NVMe/TCP (NVM Express TCP Transport Specification, section 3.6): command capsules of 72 bytes, requests to transfer and
//! headers of data of 24 bytes, response capsules of 24 bytes; digests of 4 bytes each where they are on.

use crate::access::{Protocol, SoftwareTimes};

/// What the ends of a connection agree on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parameters {
    /// Largest write whose data go with its command.
    pub in_capsule_bytes: u64,
    /// Most data of a PDU (MAXH2CDATA).
    pub data_pdu_bytes: u64,
    /// Digests behind headers (HDGST).
    pub header_digest: bool,
    /// Digests behind data (DDGST).
    pub data_digest: bool,
    /// The last data of a read carry its status (SUCCESS flag); otherwise a capsule of its own does.
    pub success_with_data: bool,
}

/// Kernel NVMe/TCP adds 20 to 40 us (SPDK performance reports 24.05).
pub const SOFTWARE: SoftwareTimes = SoftwareTimes {
    host_latency_us: 20.0,
    target_latency_us: 12.0,
    command_work_us: 3.0,
    kib_work_us: 0.06,
    serial_us: 0.0,
};

impl From<Parameters> for Protocol {
    fn from(parameters: Parameters) -> Self {
        let header = |bytes: u32| bytes + if parameters.header_digest { 4 } else { 0 };
        Self {
            command_bytes: header(72),
            immediate_bytes: parameters.in_capsule_bytes,
            ready_bytes: header(24),
            data_header_bytes: header(24),
            data_pdu_bytes: parameters.data_pdu_bytes,
            data_digest_bytes: if parameters.data_digest { 4 } else { 0 },
            response_bytes: header(24),
            status_with_data: parameters.success_with_data,
            ..Self::BARE
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::access::{Operation, Pdu};

    const PLAIN: Parameters = Parameters {
        in_capsule_bytes: 8192,
        data_pdu_bytes: 131_072,
        header_digest: false,
        data_digest: false,
        success_with_data: false,
    };

    #[test]
    fn small_writes_go_with_their_command_and_large_ones_are_asked_for() {
        let protocol = Protocol::from(PLAIN);
        assert_eq!(protocol.command(Operation::Write, 4096), Pdu { wire_bytes: 72 + 4096, data_bytes: 4096 });
        assert_eq!(protocol.command(Operation::Write, 8193), Pdu { wire_bytes: 72, data_bytes: 0 });
        assert_eq!(protocol.burst(262_145).wire_bytes, 3 * 24 + 262_145);
        assert_eq!(protocol.response(Operation::Write, 4096).wire_bytes, 24);
        assert_eq!(protocol.response(Operation::Read, 4096).wire_bytes, 24 + 4096 + 24);
        let with_data = Protocol::from(Parameters { success_with_data: true, ..PLAIN });
        assert_eq!(with_data.response(Operation::Read, 4096).wire_bytes, 24 + 4096);
    }

    #[test]
    fn digests_stand_behind_headers_and_behind_data() {
        let protocol = Protocol::from(Parameters { header_digest: true, data_digest: true, ..PLAIN });
        assert_eq!(protocol.command(Operation::Read, 4096).wire_bytes, 76);
        assert_eq!(protocol.command(Operation::Write, 4096).wire_bytes, 76 + 4096 + 4);
        assert_eq!(protocol.response(Operation::Read, 4096).wire_bytes, 28 + 4096 + 4 + 28);
    }
}
