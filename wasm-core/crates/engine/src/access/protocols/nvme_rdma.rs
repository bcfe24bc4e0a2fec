//! NVMe/RDMA (NVM Express RDMA Transport Specification, section 3): a command is sent, the target writes the data of a read into
//! the initiator's memory and fetches those of a write from it, and sends the completion.

use crate::access::{Protocol, SoftwareTimes};

/// What the ends of a queue pair agree on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parameters {
    /// Largest write whose data go with its command.
    pub in_capsule_bytes: u64,
}

/// NVMe/RDMA adds 5 to 10 us (SPDK performance reports 24.05).
pub const SOFTWARE: SoftwareTimes =
    SoftwareTimes { host_latency_us: 11.0, target_latency_us: 4.0, command_work_us: 1.0, ..SoftwareTimes::NONE };

/// Header of a RETH: the address that an RDMA read or write names (InfiniBand Architecture Specification, section 9.3.2).
const RETH_BYTES: u32 = 16;

impl From<Parameters> for Protocol {
    fn from(parameters: Parameters) -> Self {
        Self {
            command_bytes: 64,
            immediate_bytes: parameters.in_capsule_bytes,
            ready_bytes: RETH_BYTES,
            data_header_bytes: RETH_BYTES,
            response_bytes: 16,
            status_with_data: false,
            ..Self::BARE
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::access::{Operation, Pdu};

    #[test]
    fn the_target_reads_large_writes_and_writes_reads_into_memory() {
        let protocol = Protocol::from(Parameters { in_capsule_bytes: 4096 });
        assert_eq!(protocol.command(Operation::Write, 4096), Pdu { wire_bytes: 64 + 4096, data_bytes: 4096 });
        assert_eq!(protocol.command(Operation::Write, 4097), Pdu { wire_bytes: 64, data_bytes: 0 });
        assert_eq!(protocol.burst(1 << 20).wire_bytes, 16 + (1 << 20));
        assert_eq!(protocol.response(Operation::Read, 8192).wire_bytes, 16 + 8192 + 16);
        assert_eq!(protocol.response(Operation::Write, 8192).wire_bytes, 16);
    }
}
