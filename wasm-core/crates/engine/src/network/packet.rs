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
    /// Acknowledgement of a packet that arrived out of order: position of its first byte. Otherwise unused.
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

impl Packet {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fits_sixteen_bytes() {
        assert_eq!(size_of::<Packet>(), 16);
    }
}
