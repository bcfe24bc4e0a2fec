//! What the access protocols put on the wire: which PDUs a request needs, and how large they are.
//!
//! All of them have one shape. The initiator sends a command, with some of the data of a write where the protocol lets it;
//! the target asks for the rest burst by burst; it answers with the data of a read and its status. What differs are sizes and
//! limits, so a protocol is a value ([`super::protocols`]). PDUs that follow each other on a connection without anything in between are one message.

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

impl Protocol {
    /// A protocol to devices that sends data and nothing else: what protocols are where they do not say otherwise.
    pub const BARE: Self = Self {
        has_target: true,
        command_bytes: 0,
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
    };

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

/// PDUs that are sent together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pdu {
    /// All of their bytes.
    pub wire_bytes: u64,
    /// Of them, data of requests.
    pub data_bytes: u64,
}
