//! What the access protocols put on the wire: which PDUs a request needs, and how large they are.
//!
//! All of them have one shape. The initiator sends a command, with some of the data of a write where the protocol lets it;
//! the target asks for the rest burst by burst; it answers with the data of a read and its status. What differs are sizes and
//! limits, so a protocol is a value. PDUs that follow each other on a connection without anything in between are one message.

use crate::access::Operation;

/// An access protocol: sizes of its PDUs, and how much data goes where.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Protocol {
    /// Whether requests end at a device. Otherwise they are transfers between hosts.
    pub has_target: bool,
    /// Command of a read, and of a write beside its data.
    pub command_bytes: u32,
    /// Data of a write that goes with its command: all of it up to here where `immediate_in_part` does not hold.
    pub immediate_bytes: u64,
    /// Whether a write above that sends so much with its command all the same (iSCSI), or nothing (NVMe).
    pub immediate_in_part: bool,
    /// Data that follow a command unasked, those with it included (iSCSI without InitialR2T).
    pub unsolicited_bytes: u64,
    /// The request of the target for data of a write.
    pub ready_bytes: u32,
    /// Most data that one of those asks for. One is outstanding at a time.
    pub burst_bytes: u64,
    /// Header of a PDU with data, and of each more.
    pub data_header_bytes: u32,
    /// Most data of such a PDU.
    pub data_pdu_bytes: u64,
    /// Data are padded to a multiple of so many bytes.
    pub padding_bytes: u64,
    /// What a PDU with data has behind them, a digest, and one that has none has not.
    pub data_digest_bytes: u32,
    /// Status, sent as a PDU of its own.
    pub response_bytes: u32,
    /// Whether the last data of a read carry their status.
    pub status_with_data: bool,
}

/// Header of a RETH: the address that an RDMA read or write names (InfiniBand Architecture Specification, section 9.3.2).
const RETH_BYTES: u32 = 16;

impl Protocol {
    /// Plain transfers between hosts: a write is its data, a read is asked for by a command.
    pub fn direct(command_bytes: u32) -> Self {
        Self {
            has_target: false,
            command_bytes,
            immediate_bytes: u64::MAX,
            immediate_in_part: false,
            unsolicited_bytes: 0,
            ready_bytes: 0,
            burst_bytes: u64::MAX,
            data_header_bytes: 0,
            data_pdu_bytes: u64::MAX,
            padding_bytes: 1,
            data_digest_bytes: 0,
            response_bytes: 0,
            status_with_data: true,
        }
    }

    /// A device of the host itself: nothing goes over the network.
    pub fn local() -> Self {
        Self { has_target: true, ..Self::direct(0) }
    }

    /// NVMe/TCP (NVM Express TCP Transport Specification, section 3.6): command capsules of 72 bytes, requests to transfer
    /// and headers of data of 24 bytes, response capsules of 24 bytes; digests of 4 bytes each where they are on. The status of
    /// a read comes in a capsule of its own unless `success_with_data`.
    pub fn nvme_tcp(
        in_capsule_bytes: u64,
        data_pdu_bytes: u64,
        (header_digest, data_digest): (bool, bool),
        success_with_data: bool,
    ) -> Self {
        let header = |bytes: u32| bytes + if header_digest { 4 } else { 0 };
        Self {
            has_target: true,
            command_bytes: header(72),
            immediate_bytes: in_capsule_bytes,
            immediate_in_part: false,
            unsolicited_bytes: 0,
            ready_bytes: header(24),
            burst_bytes: u64::MAX,
            data_header_bytes: header(24),
            data_pdu_bytes,
            padding_bytes: 1,
            data_digest_bytes: if data_digest { 4 } else { 0 },
            response_bytes: header(24),
            status_with_data: success_with_data,
        }
    }

    /// NVMe/RDMA (NVM Express RDMA Transport Specification, section 3): a command is sent, the target writes the data of a
    /// read into the initiator's memory and fetches those of a write from it, and sends the completion.
    pub fn nvme_rdma(in_capsule_bytes: u64) -> Self {
        Self {
            has_target: true,
            command_bytes: 64,
            immediate_bytes: in_capsule_bytes,
            immediate_in_part: false,
            unsolicited_bytes: 0,
            ready_bytes: RETH_BYTES,
            burst_bytes: u64::MAX,
            data_header_bytes: RETH_BYTES,
            data_pdu_bytes: u64::MAX,
            padding_bytes: 1,
            data_digest_bytes: 0,
            response_bytes: 16,
            status_with_data: false,
        }
    }

    /// iSCSI (RFC 7143): every PDU has a header of 48 bytes and data padded to 4; digests of 4 bytes each where they are on.
    /// Immediate data and, without InitialR2T, unsolicited data go up to FirstBurstLength; the rest is asked for in bursts of
    /// MaxBurstLength.
    pub fn iscsi(parameters: &IscsiParameters) -> Self {
        let header_bytes = 48 + if parameters.header_digest { 4 } else { 0 };
        let first_pdu = parameters.first_burst_bytes.min(parameters.data_segment_bytes);
        Self {
            has_target: true,
            command_bytes: header_bytes,
            immediate_bytes: if parameters.immediate_data { first_pdu } else { 0 },
            immediate_in_part: true,
            unsolicited_bytes: if parameters.initial_r2t { 0 } else { parameters.first_burst_bytes },
            ready_bytes: header_bytes,
            burst_bytes: parameters.max_burst_bytes,
            data_header_bytes: header_bytes,
            data_pdu_bytes: parameters.data_segment_bytes,
            padding_bytes: 4,
            data_digest_bytes: if parameters.data_digest { 4 } else { 0 },
            response_bytes: header_bytes,
            status_with_data: true,
        }
    }

    /// Bytes on the wire of `bytes` of data, as PDUs of their own.
    fn data_wire_bytes(&self, bytes: u64) -> u64 {
        if bytes == 0 {
            return 0;
        }
        let pdus = bytes.div_ceil(self.data_pdu_bytes);
        let each = u64::from(self.data_header_bytes) + u64::from(self.data_digest_bytes);
        pdus * each + self.padded(bytes)
    }

    fn padded(&self, bytes: u64) -> u64 {
        bytes.next_multiple_of(self.padding_bytes)
    }

    /// Data of a write of `bytes` that reach the target without being asked for.
    pub fn unasked_bytes(&self, bytes: u64) -> u64 {
        let with_command = self.immediate(bytes);
        with_command.max(self.unsolicited_bytes.min(bytes))
    }

    /// Data of a write of `bytes` that go with its command.
    fn immediate(&self, bytes: u64) -> u64 {
        if bytes <= self.immediate_bytes {
            bytes
        } else if self.immediate_in_part {
            self.immediate_bytes
        } else {
            0
        }
    }

    /// What the initiator sends unasked: bytes on the wire and, of them, data.
    pub fn command(&self, operation: Operation, bytes: u64) -> Pdu {
        let command_bytes = u64::from(self.command_bytes);
        match operation {
            Operation::Read => return Pdu { wire_bytes: command_bytes, data_bytes: 0 },
            Operation::Write if !self.has_target => return Pdu { wire_bytes: bytes, data_bytes: bytes },
            Operation::Write => (),
        }
        let (with_command, unasked) = (self.immediate(bytes), self.unasked_bytes(bytes));
        let digest_bytes = if with_command > 0 { u64::from(self.data_digest_bytes) } else { 0 };
        let wire_bytes =
            command_bytes + self.padded(with_command) + digest_bytes + self.data_wire_bytes(unasked - with_command);
        Pdu { wire_bytes, data_bytes: unasked }
    }

    /// A burst of data of a write that the target has asked for.
    pub fn burst(&self, bytes: u64) -> Pdu {
        Pdu { wire_bytes: self.data_wire_bytes(bytes), data_bytes: bytes }
    }

    /// What the target sends at the end: of a read its data and the status, of a write the status.
    pub fn response(&self, operation: Operation, bytes: u64) -> Pdu {
        match operation {
            Operation::Write => Pdu { wire_bytes: u64::from(self.response_bytes), data_bytes: 0 },
            Operation::Read => {
                let status = if self.status_with_data { 0 } else { u64::from(self.response_bytes) };
                Pdu { wire_bytes: self.data_wire_bytes(bytes) + status, data_bytes: bytes }
            }
        }
    }
}

/// Parameters that the two ends of an iSCSI session agree on (RFC 7143, section 13).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IscsiParameters {
    /// InitialR2T: nothing but immediate data is sent unasked.
    pub initial_r2t: bool,
    /// ImmediateData: a command may bring data.
    pub immediate_data: bool,
    /// FirstBurstLength.
    pub first_burst_bytes: u64,
    /// MaxBurstLength.
    pub max_burst_bytes: u64,
    /// MaxRecvDataSegmentLength.
    pub data_segment_bytes: u64,
    /// HeaderDigest.
    pub header_digest: bool,
    /// DataDigest.
    pub data_digest: bool,
}

/// PDUs that are sent together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pdu {
    /// All of their bytes.
    pub wire_bytes: u64,
    /// Of them, data of requests.
    pub data_bytes: u64,
}

#[cfg(test)]
mod tests {
    use super::*;

    const NVME_TCP: (u64, u64) = (8192, 131_072);

    fn nvme_tcp(digests: (bool, bool), success_with_data: bool) -> Protocol {
        Protocol::nvme_tcp(NVME_TCP.0, NVME_TCP.1, digests, success_with_data)
    }

    #[test]
    fn nvme_tcp_sends_small_writes_with_their_command_and_asks_for_large_ones() {
        let protocol = nvme_tcp((false, false), false);
        assert_eq!(protocol.command(Operation::Write, 4096), Pdu { wire_bytes: 72 + 4096, data_bytes: 4096 });
        assert_eq!(protocol.command(Operation::Write, 8193), Pdu { wire_bytes: 72, data_bytes: 0 });
        assert_eq!(protocol.burst(262_145).wire_bytes, 3 * 24 + 262_145);
        assert_eq!(protocol.response(Operation::Write, 4096).wire_bytes, 24);
        assert_eq!(protocol.response(Operation::Read, 4096).wire_bytes, 24 + 4096 + 24);
        assert_eq!(nvme_tcp((false, false), true).response(Operation::Read, 4096).wire_bytes, 24 + 4096);
    }

    #[test]
    fn digests_stand_behind_headers_and_behind_data() {
        let protocol = nvme_tcp((true, true), false);
        assert_eq!(protocol.command(Operation::Read, 4096).wire_bytes, 76);
        assert_eq!(protocol.command(Operation::Write, 4096).wire_bytes, 76 + 4096 + 4);
        assert_eq!(protocol.response(Operation::Read, 4096).wire_bytes, 28 + 4096 + 4 + 28);
    }

    fn iscsi(initial_r2t: bool) -> Protocol {
        Protocol::iscsi(&IscsiParameters {
            initial_r2t,
            immediate_data: true,
            first_burst_bytes: 65_536,
            max_burst_bytes: 262_144,
            data_segment_bytes: 8192,
            header_digest: false,
            data_digest: false,
        })
    }

    #[test]
    fn iscsi_sends_its_first_burst_unasked_and_pads_to_four() {
        let asks = iscsi(true);
        assert_eq!(asks.command(Operation::Write, 100_001), Pdu { wire_bytes: 48 + 8192, data_bytes: 8192 });
        assert_eq!(asks.burst(262_144 - 8192).wire_bytes, 31 * 48 + 262_144 - 8192);
        assert_eq!(asks.command(Operation::Write, 510).wire_bytes, 48 + 512);
        let does_not = iscsi(false);
        assert_eq!(does_not.unasked_bytes(100_001), 65_536);
        assert_eq!(does_not.command(Operation::Write, 100_001).wire_bytes, 48 + 8192 + 7 * (48 + 8192));
    }

    #[test]
    fn a_direct_transfer_is_its_data() {
        let direct = Protocol::direct(64);
        assert_eq!(direct.command(Operation::Write, 1 << 40).wire_bytes, 1 << 40);
        assert_eq!(direct.command(Operation::Read, 1 << 40).wire_bytes, 64);
        assert_eq!(direct.response(Operation::Read, 1000).wire_bytes, 1000);
    }
}
