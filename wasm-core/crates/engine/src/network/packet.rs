//! A packet: 16 bytes, so that a link's ring of packets in flight stays small.

/// A data packet or an acknowledgement of one connection.
///
/// Sequence numbers are byte positions modulo 2^32, as in TCP; each end knows its own position in 64 bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Packet {
    /// The connection.
    pub flow: u32,
    /// Data: position of the first byte. Acknowledgement: the next byte expected.
    pub sequence: u32,
    /// Acknowledgement of a packet that arrived out of order: position of its first byte. Data: how many the connection had
    /// sent with this one, which tells copies apart; acknowledgements over RDMA echo it.
    pub sack: u32,
    /// Data: payload bytes. Acknowledgement: bytes of the packet named by `sack`, 0 if none.
    pub length: u16,
    /// Links travelled.
    pub hop: u8,
    /// Bits, see the constants.
    pub flags: u8,
}

/// The packet is an acknowledgement.
pub const ACK: u8 = 1;
/// Congestion experienced: set by a switch.
pub const CE: u8 = 2;
/// ECN echo: the acknowledgement reports congestion.
pub const ECE: u8 = 4;
/// The sender understands marks; only such packets are marked.
pub const ECT: u8 = 8;
/// With [`ACK`]: nothing is acknowledged. With [`ECE`] as well it is a congestion notification (CNP); without, the packet
/// named was not the one expected (NACK, go back to `sequence`).
pub const CNP_OR_NACK: u8 = 16;
/// Where the priority begins: the upper three bits of the flags, as a tag that the packet carries from end to end.
const PRIORITY_SHIFT: u8 = 5;
/// Number of priorities; the highest is served first.
pub const PRIORITIES: usize = PRIORITY_LEVELS as usize;
/// The same as a priority is kept.
pub const PRIORITY_LEVELS: u8 = 8;
/// The priority of answers and notifications of RDMA where ports tell priorities apart.
pub const CONTROL_PRIORITY: u8 = 7;
/// In place of a connection: the packet is a frame of priority flow control, from one end of a cable to the other.
/// `sequence` is the priority, `length` 1 for a pause and 0 for its end.
pub const FLOW_CONTROL: u32 = u32::MAX;

/// The bits of the flags that carry a priority.
pub fn priority_flags(priority: u8) -> u8 {
    priority << PRIORITY_SHIFT
}

impl Packet {
    /// A frame of priority flow control.
    pub fn flow_control(priority: u8, pauses: bool) -> Self {
        let (sequence, length) = (u32::from(priority), u16::from(pauses));
        Self { flow: FLOW_CONTROL, sequence, sack: 0, length, hop: 0, flags: 0 }
    }

    /// Its priority.
    #[inline]
    pub fn priority(&self) -> u8 {
        self.flags >> PRIORITY_SHIFT
    }

    /// Whether a flag is set.
    #[inline]
    pub fn has(&self, flag: u8) -> bool {
        self.flags & flag != 0
    }

    /// Bytes of payload on the wire.
    #[inline]
    pub fn payload_bytes(&self) -> u32 {
        if self.has(ACK) { 0 } else { u32::from(self.length) }
    }
}

/// A packet that has reached the host it was meant for.
#[derive(Clone, Copy, Debug)]
pub struct Delivery {
    /// When its last bit arrived and was processed.
    pub at_ps: u64,
    /// The packet.
    pub packet: Packet,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fits_sixteen_bytes() {
        assert_eq!(size_of::<Packet>(), 16);
    }
}
