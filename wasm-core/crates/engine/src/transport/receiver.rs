//! The receiving end: reassembly, delayed acknowledgements and DCTCP's echo of congestion (RFC 8257 section 3.2).

use crate::kernel::convert::modulo_u32;
use crate::transport::messages::NOWHERE;
use crate::transport::ranges::Ranges;

/// An acknowledgement to be sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ack {
    /// The next byte expected.
    pub next: u64,
    /// Congestion was seen (ECE).
    pub congested: bool,
    /// Start and length of the packet that arrived out of order and caused this; length 0 if none did.
    pub out_of_order: (u64, u16),
}

/// What a data packet leads to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reply {
    /// Acknowledgement of the packets before this one: the state of congestion has changed.
    pub before: Option<Ack>,
    /// Acknowledgement of this packet.
    pub now: Option<Ack>,
}

/// Receiver state of one connection.
#[derive(Clone, Debug)]
pub struct Receiver {
    /// RCV.NXT.
    pub next: u64,
    /// Where the oldest incomplete message ends.
    pub message_end: u64,
    /// DCTCP.CE: whether the last packet was marked.
    congested: bool,
    /// Packets held back from acknowledgement.
    held: u32,
    out_of_order: Ranges,
    /// Bytes that have arrived in vain: for the second time, or beyond a gap over RDMA.
    pub duplicate_bytes: u64,
    /// When an acknowledgement held back is due.
    pub due_ps: u64,
    /// Whether a timer is running that will look at `due_ps`.
    pub timer_set: bool,
    /// Packets come paced, over RDMA: each is acknowledged, none is kept beyond a gap.
    pub paced: bool,
    /// Every packet is acknowledged at once, since its round trip is measured.
    pub prompt: bool,
    /// Flags of every answer: its priority.
    pub ack_flags: u8,
}

impl Default for Receiver {
    fn default() -> Self {
        Self {
            next: 0,
            message_end: NOWHERE,
            congested: false,
            held: 0,
            out_of_order: Ranges::default(),
            duplicate_bytes: 0,
            due_ps: 0,
            timer_set: false,
            paced: false,
            prompt: false,
            ack_flags: 0,
        }
    }
}

/// What the receiving end of a connection has reported to its sender over RDMA. Apart from [`Receiver`], which stays small.
#[derive(Clone, Copy, Debug, Default)]
pub struct CnpState {
    /// When a congestion notification was last sent.
    notified_ps: Option<u64>,
    /// When the sender was last told to go back to the packet expected now.
    refused_ps: Option<u64>,
}

impl CnpState {
    /// A marked packet has arrived: whether the sender is to be notified, at most once in `interval_ps`.
    #[inline]
    pub fn notifies(&mut self, now_ps: u64, interval_ps: u64) -> bool {
        let due = self.notified_ps.is_none_or(|notified_ps| now_ps >= notified_ps + interval_ps);
        if due {
            self.notified_ps = Some(now_ps);
        }
        due
    }
}

/// What a packet over RDMA leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AckAction {
    /// Everything below RCV.NXT is acknowledged.
    Acknowledge,
    /// The packet expected is another one: go back to it (NACK).
    GoBack,
    /// Nothing: the sender has been told already.
    Silence,
}

/// Least time between two requests to go back to the same packet, as in the simulator of HPCC.
const REFUSAL_INTERVAL_PS: u64 = 500_000_000;

impl Receiver {
    /// The position that a sequence number modulo 2^32 stands for.
    #[inline]
    pub fn position(&self, sequence: u32) -> u64 {
        self.next.wrapping_add_signed(i64::from(sequence.wrapping_sub(modulo_u32(self.next)).cast_signed()))
    }

    /// Takes in a data packet; acknowledges every `delayed_ack_packets`th, and at once where something is unusual.
    #[inline]
    pub fn on_data(&mut self, start: u64, length: u16, marked: bool, delayed_ack_packets: u32) -> Reply {
        let changed = marked != self.congested;
        let before = (changed && self.held > 0).then(|| self.acknowledge((0, 0)));
        self.congested = marked;
        let end = start + u64::from(length);
        if start == self.next && self.out_of_order.is_empty() {
            self.next = end;
            self.held += 1;
            let now = (changed || self.held >= delayed_ack_packets).then(|| self.acknowledge((0, 0)));
            return Reply { before, now };
        }
        let out_of_order = self.on_disorder(start, end, length);
        Reply { before, now: Some(self.acknowledge(out_of_order)) }
    }

    /// Takes in a packet over RDMA: only the one expected is kept (go-back-N, RoCEv2).
    #[inline]
    pub fn on_paced_data(&mut self, now_ps: u64, start: u64, length: u16, cnp: &mut CnpState) -> AckAction {
        let end = start + u64::from(length);
        if start <= self.next {
            self.duplicate_bytes += self.next.min(end) - start;
            if end > self.next {
                // Stretches kept from a time under TCP count as arrived.
                self.next = self.out_of_order.skip(end);
                self.duplicate_bytes += self.out_of_order.covered(start, end);
                self.out_of_order.remove_below(self.next);
                cnp.refused_ps = None;
            }
            return AckAction::Acknowledge;
        }
        self.duplicate_bytes += u64::from(length);
        if cnp.refused_ps.is_some_and(|refused_ps| now_ps < refused_ps + REFUSAL_INTERVAL_PS) {
            return AckAction::Silence;
        }
        cnp.refused_ps = Some(now_ps);
        AckAction::GoBack
    }

    /// A packet out of order, a copy, or one that fills a gap: acknowledged at once (RFC 5681 section 4.2). Returns the
    /// stretch beyond a gap that the acknowledgement names.
    #[cold]
    fn on_disorder(&mut self, start: u64, end: u64, length: u16) -> (u64, u16) {
        let known = self.next.clamp(start, end) - start + self.out_of_order.covered(start, end);
        self.duplicate_bytes += known;
        if end <= self.next {
            return (0, 0);
        }
        self.out_of_order.insert(start.max(self.next), end);
        if start > self.next {
            return (start, length);
        }
        self.next = self.out_of_order.skip(self.next);
        self.out_of_order.remove_below(self.next);
        (0, 0)
    }

    /// Whether an acknowledgement is being held back.
    #[inline]
    pub fn holds_back(&self) -> bool {
        self.held > 0
    }

    /// The acknowledgement due now; nothing is held back any more.
    #[inline(always)]
    pub fn acknowledge(&mut self, out_of_order: (u64, u16)) -> Ack {
        self.held = 0;
        Ack { next: self.next, congested: self.congested, out_of_order }
    }

    /// Bytes that have arrived beyond a gap.
    pub fn bytes_out_of_order(&self) -> u64 {
        self.out_of_order.covered(0, u64::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ack(next: u64, congested: bool) -> Option<Ack> {
        Some(Ack { next, congested, out_of_order: (0, 0) })
    }

    #[test]
    fn acknowledges_every_second_packet() {
        let mut receiver = Receiver::default();
        assert_eq!(receiver.on_data(0, 100, false, 2), Reply::default());
        assert!(receiver.holds_back());
        assert_eq!(receiver.on_data(100, 100, false, 2).now, ack(200, false));
        assert!(!receiver.holds_back());
    }

    #[test]
    fn a_change_of_congestion_acknowledges_both_sides_of_it() {
        let mut receiver = Receiver::default();
        receiver.on_data(0, 100, false, 2);
        let reply = receiver.on_data(100, 100, true, 2);
        assert_eq!(reply, Reply { before: ack(100, false), now: ack(200, true) });
        assert_eq!(receiver.on_data(200, 100, true, 2), Reply::default());
        assert_eq!(receiver.on_data(300, 100, false, 2), Reply { before: ack(300, true), now: ack(400, false) });
    }

    #[test]
    fn disorder_is_reported_packet_by_packet_and_healed_at_once() {
        let mut receiver = Receiver::default();
        receiver.on_data(0, 100, false, 1);
        let late = |start| Some(Ack { next: 100, congested: false, out_of_order: (start, 100) });
        assert_eq!(receiver.on_data(200, 100, false, 2).now, late(200));
        assert_eq!(receiver.on_data(400, 100, false, 2).now, late(400));
        assert_eq!(receiver.bytes_out_of_order(), 200);
        assert_eq!(receiver.on_data(100, 100, false, 2).now, ack(300, false));
        assert_eq!(receiver.on_data(300, 100, false, 2).now, ack(500, false));
        assert_eq!(receiver.on_data(300, 100, false, 2).now, ack(500, false));
        assert_eq!(receiver.bytes_out_of_order(), 0);
    }

    #[test]
    fn positions_survive_the_wrap_of_sequence_numbers() {
        let receiver = Receiver { next: (1 << 32) - 50, ..Receiver::default() };
        assert_eq!(receiver.position(50), (1 << 32) + 50);
        assert_eq!(receiver.position(u32::MAX - 99), (1 << 32) - 100);
    }
}
