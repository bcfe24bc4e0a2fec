//! One direction of a cable: an output port with its queue, and the wire behind it.
//!
//! The port is first-in-first-out, so the instant a packet leaves is known when it joins: the queue and the wire are one
//! ring of packets in flight, and a packet costs one event per link. A cursor that trails behind "now" separates packets
//! that still wait from those on the wire, which gives the exact queue length at any instant.

use crate::kernel::convert::saturated;
use crate::kernel::ids::NodeId;
use crate::kernel::ring::Ring;
use crate::kernel::time::PS_PER_S;
use crate::kernel::winner_tree::Leaf;
use crate::network::packet::{ACK, CE, ECT, FLOW_CONTROL, Packet};

/// Bytes of a frame of flow control (IEEE 802.1Qbb: the least Ethernet frame).
pub const FLOW_CONTROL_BYTES: u32 = 64;

/// A packet on its way through a port and down the wire.
#[derive(Clone, Copy, Debug, Default)]
struct InFlight {
    /// When its last bit leaves the port.
    departs_ps: u64,
    packet: Packet,
}

/// How a port marks and when it drops.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct QueuePolicy {
    /// A packet that finds this many packets in the queue, or more, is marked for certain.
    pub mark_always_at: u32,
    /// From this queue length on a packet is marked with a probability that grows linearly up to `mark_always_at`.
    pub mark_from: u32,
    /// That probability just below `mark_always_at`, as a fraction of 2^32.
    pub mark_probability: u32,
    /// Packets the port can hold.
    pub buffer_packets: u32,
    /// Of them, those that only packets with a priority above 0 may use.
    pub urgent_packets: u32,
    /// Bytes the port can hold, as the time it takes to send them.
    pub buffer_ps: u64,
}

impl QueuePolicy {
    /// Neither marks nor drops: the port of a host, which bounds its queue itself.
    pub const UNBOUNDED: Self = Self {
        mark_always_at: u32::MAX,
        mark_from: u32::MAX,
        mark_probability: 0,
        buffer_packets: u32::MAX,
        urgent_packets: 0,
        buffer_ps: u64::MAX,
    };

    /// Takes nothing: the port of a cable that is down.
    pub const CLOSED: Self = Self { buffer_packets: 0, ..Self::UNBOUNDED };
}

/// What a port has counted since the start of the run. Times are summed in picoseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PortCounters {
    /// Packets that joined the queue.
    pub packets: u64,
    /// Time to transmit the packets that joined the queue.
    pub transmission_ps: u64,
    /// Packets for which it was decided whether to mark them: as they join the queue, or as they leave it.
    pub mark_decisions: u64,
    /// Of them, those that were marked.
    pub marks: u64,
    /// Packets dropped because the buffer was full.
    pub drops: u64,
    /// Payload bytes in them.
    pub dropped_payload_bytes: u64,
    /// Packets that had joined and were lost as the cable failed.
    pub lost: u64,
    /// Payload bytes in them.
    pub lost_payload_bytes: u64,
    /// Time all packets together spent in the queue and in transmission: its growth over an interval, divided by the
    /// interval, is the mean queue length (Little's law). A million packets that wait for a second are 10^18 ps, so the
    /// sum does not fit 64 bits.
    pub sojourn_ps: u128,
}

impl PortCounters {
    /// Packets that did not get through, for whatever reason.
    pub fn all_drops(&self) -> u64 {
        self.drops + self.lost
    }
}

/// Longest and shortest queue since the last reading, in packets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct QueueRange {
    /// Shortest.
    pub minimum: u32,
    /// Longest.
    pub maximum: u32,
}

/// Where a link leads.
#[derive(Clone, Copy, Debug)]
pub(super) struct FarEnd {
    pub(super) node: NodeId,
    /// Its leaf among the links that lead there.
    pub(super) leaf: Leaf,
}

/// A rate that a link had, and when the last packet that joined at it departs.
#[derive(Clone, Copy, Debug)]
struct EarlierRate {
    last_departs_ps: u64,
    ps_per_byte_q16: u64,
}

/// One direction of a cable.
#[derive(Clone, Debug)]
pub struct Link {
    /// Set by the network that it becomes a part of.
    pub(super) far_end: FarEnd,
    ring: Ring<InFlight>,
    /// First packet of the ring that may not have left the port.
    waiting: u32,
    range: QueueRange,
    busy_until_ps: u64,
    /// Propagation, and processing at the far end.
    delay_ps: u64,
    /// Picoseconds per byte, in units of 2^-16.
    ps_per_byte_q16: u64,
    /// The rates before, for what has joined at them, oldest first.
    earlier: Vec<EarlierRate>,
    /// Bytes every packet has beside its payload.
    overhead_bytes: u32,
    policy: QueuePolicy,
    counters: PortCounters,
    /// State of the small generator behind probabilistic marking, a stream of this port's own.
    marking: u64,
}

/// What became of a packet offered to a port.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Offered {
    /// It joined a link that had nothing in flight: it is the link's next arrival.
    First,
    /// It joined behind others.
    Behind,
    /// The buffer was full.
    Dropped,
}

impl Link {
    /// An idle link. `seed` starts the stream of random marks.
    pub fn new(rate_bps: u64, delay_ps: u64, overhead_bytes: u32, policy: QueuePolicy, seed: u64) -> Self {
        Self {
            far_end: FarEnd { node: NodeId(0), leaf: Leaf::default() },
            ring: Ring::default(),
            waiting: 0,
            range: QueueRange { minimum: 0, maximum: 0 },
            busy_until_ps: 0,
            delay_ps,
            ps_per_byte_q16: ps_per_byte_q16(rate_bps),
            earlier: Vec::new(),
            overhead_bytes,
            policy,
            counters: PortCounters::default(),
            marking: seed | 1,
        }
    }

    /// Time to put `bytes` on the wire.
    #[inline]
    pub fn transmission_ps(&self, bytes: u32) -> u64 {
        (u64::from(bytes) * self.ps_per_byte_q16) >> 16
    }

    /// As [`Self::transmission_ps`], for all that a queue holds; saturates.
    pub fn transmission_of_all_ps(&self, bytes: u64) -> u64 {
        saturated((u128::from(bytes) * u128::from(self.ps_per_byte_q16)) >> 16)
    }

    /// Bytes a packet takes on the wire.
    #[inline]
    pub fn wire_bytes(&self, packet: &Packet) -> u32 {
        packet.payload_bytes() + self.overhead_bytes
    }

    /// When the next packet reaches the far end.
    #[inline]
    pub fn next_arrival_ps(&self) -> Option<u64> {
        self.ring.front().map(|head| head.departs_ps + self.delay_ps)
    }

    /// Packets in the port at `now`, the one in transmission included.
    #[inline]
    pub fn queue_packets(&mut self, now_ps: u64) -> u32 {
        self.waiting = self.first_waiting(now_ps);
        self.ring.tail().wrapping_sub(self.waiting)
    }

    /// As [`Self::queue_packets`], without moving the cursor: looks at all packets that have left since it was moved.
    pub fn packets_at(&self, now_ps: u64) -> u32 {
        self.ring.tail().wrapping_sub(self.first_waiting(now_ps))
    }

    /// Position of the first packet of the ring that has not left the port at `now`.
    #[inline(always)]
    fn first_waiting(&self, now_ps: u64) -> u32 {
        let (mut position, tail) = (self.waiting, self.ring.tail());
        while position != tail && self.ring.at(position).departs_ps <= now_ps {
            position = position.wrapping_add(1);
        }
        position
    }

    /// Time the port needs to send what it holds.
    #[inline]
    pub fn backlog_ps(&self, now_ps: u64) -> u64 {
        self.busy_until_ps.saturating_sub(now_ps)
    }

    /// Offers a packet to the port: it is dropped, or joins the end of the queue, marked if the policy says so.
    #[inline(always)]
    pub fn offer(&mut self, now_ps: u64, mut packet: Packet) -> Offered {
        let queued = self.queue_packets(now_ps);
        self.range.minimum = self.range.minimum.min(queued);
        if queued >= self.policy.buffer_packets || self.backlog_ps(now_ps) > self.policy.buffer_ps {
            self.counters.drops += 1;
            self.counters.dropped_payload_bytes += u64::from(packet.payload_bytes());
            return Offered::Dropped;
        }
        self.mark(&mut packet, queued);
        let transmission_ps = self.transmission_ps(self.wire_bytes(&packet));
        let departs_ps = self.busy_until_ps.max(now_ps) + transmission_ps;
        self.busy_until_ps = departs_ps;
        self.count(transmission_ps, u128::from(departs_ps - now_ps), queued + 1);
        let first = self.ring.is_empty();
        self.ring.push(InFlight { departs_ps, packet });
        if first { Offered::First } else { Offered::Behind }
    }

    /// Offers an acknowledgement to the port of a host: it overtakes waiting data, but neither the packet in
    /// transmission nor earlier acknowledgements.
    pub fn offer_ahead(&mut self, now_ps: u64, packet: Packet) -> Offered {
        let queued = self.queue_packets(now_ps);
        if queued < 2 {
            return self.offer(now_ps, packet);
        }
        let mut position = self.waiting.wrapping_add(1);
        let tail = self.ring.tail();
        while position != tail && self.ring.at(position).packet.has(ACK) {
            position = position.wrapping_add(1);
        }
        let transmission_ps = self.transmission_ps(self.wire_bytes(&packet));
        let departs_ps = self.ring.at(position.wrapping_sub(1)).departs_ps + transmission_ps;
        let overtaken = tail.wrapping_sub(position);
        let mut later = position;
        while later != tail {
            self.ring.at_mut(later).departs_ps += transmission_ps;
            later = later.wrapping_add(1);
        }
        self.busy_until_ps += transmission_ps;
        for rate in self.earlier.iter_mut().filter(|rate| rate.last_departs_ps + transmission_ps > departs_ps) {
            rate.last_departs_ps += transmission_ps;
        }
        self.counters.mark_decisions += 1;
        let delay_of_others_ps = u128::from(overtaken) * u128::from(transmission_ps);
        self.count(transmission_ps, u128::from(departs_ps - now_ps) + delay_of_others_ps, queued + 1);
        self.ring.insert(position, InFlight { departs_ps, packet });
        Offered::Behind
    }

    /// Begins to transmit a packet that has waited elsewhere, or as soon as the present transmission ends.
    #[inline]
    pub fn begin(&mut self, now_ps: u64, packet: Packet) -> Offered {
        let transmission_ps = self.transmission_ps(self.wire_bytes(&packet));
        self.put_on_wire(now_ps, packet, transmission_ps)
    }

    /// Sends a frame of flow control, which overtakes all that waits.
    pub fn begin_flow_control(&mut self, now_ps: u64, frame: Packet) -> Offered {
        let transmission_ps = self.transmission_ps(FLOW_CONTROL_BYTES);
        self.put_on_wire(now_ps, frame, transmission_ps)
    }

    #[inline]
    fn put_on_wire(&mut self, now_ps: u64, packet: Packet, transmission_ps: u64) -> Offered {
        let departs_ps = self.busy_until_ps.max(now_ps) + transmission_ps;
        self.busy_until_ps = departs_ps;
        self.counters.transmission_ps += transmission_ps;
        self.counters.sojourn_ps += u128::from(departs_ps - now_ps);
        let first = self.ring.is_empty();
        self.ring.push(InFlight { departs_ps, packet });
        if first { Offered::First } else { Offered::Behind }
    }

    /// Marks a packet that the policy wants marked where it finds, or leaves, `queued` packets.
    #[inline]
    pub fn mark(&mut self, packet: &mut Packet, queued: u32) {
        self.counters.mark_decisions += 1;
        if queued >= self.policy.mark_from && packet.has(ECT) && self.marks(queued) {
            packet.flags |= CE;
            self.counters.marks += 1;
        }
    }

    /// Whether the cable is down: the port takes nothing.
    #[inline]
    pub fn is_down(&self) -> bool {
        self.policy.buffer_packets == 0
    }

    /// The cable has failed: what is in the port and on the wire is lost.
    pub fn cut(&mut self, now_ps: u64) {
        self.counters.sojourn_ps -= self.sojourn_ahead_ps(now_ps);
        self.counters.transmission_ps -= self.backlog_ps(now_ps);
        self.busy_until_ps = now_ps;
        self.earlier.clear();
        while !self.ring.is_empty() {
            let packet = self.arrive();
            if packet.flow != FLOW_CONTROL {
                self.count_lost(&packet);
            }
        }
        self.range.minimum = 0;
    }

    /// Counts a packet that had joined and is lost.
    pub fn count_lost(&mut self, packet: &Packet) {
        self.counters.lost += 1;
        self.counters.lost_payload_bytes += u64::from(packet.payload_bytes());
    }

    /// Counts a packet that joins the queue elsewhere.
    #[inline]
    pub fn count_joined(&mut self) {
        self.counters.packets += 1;
    }

    /// Counts a packet for which there was no room.
    pub fn drop_packet(&mut self, packet: &Packet) {
        self.counters.drops += 1;
        self.counters.dropped_payload_bytes += u64::from(packet.payload_bytes());
    }

    /// Bytes every packet has beside its payload.
    pub fn overhead_bytes(&self) -> u32 {
        self.overhead_bytes
    }

    /// Marking and buffer.
    #[inline]
    pub fn policy(&self) -> &QueuePolicy {
        &self.policy
    }

    /// When the present transmission ends; in the past if there is none.
    #[inline]
    pub fn busy_until_ps(&self) -> u64 {
        self.busy_until_ps
    }

    /// Takes back the packets whose transmission has not begun, oldest first. They count as having joined. A transmission
    /// that has not begun begins when the packet before departs, at whatever rate the link had when the packet joined.
    pub fn take_back(&mut self, now_ps: u64) -> Vec<Packet> {
        let mut waiting = Vec::new();
        while self.ring.len() > 1 {
            let InFlight { departs_ps, packet } = *self.ring.at(self.ring.tail().wrapping_sub(1));
            let begins_ps = self.ring.at(self.ring.tail().wrapping_sub(2)).departs_ps;
            if begins_ps < now_ps {
                break;
            }
            self.ring.pop_back();
            self.counters.transmission_ps -= departs_ps - begins_ps;
            self.counters.sojourn_ps -= u128::from(departs_ps - now_ps);
            self.busy_until_ps = begins_ps;
            waiting.push(packet);
        }
        for rate in &mut self.earlier {
            rate.last_departs_ps = rate.last_departs_ps.min(self.busy_until_ps);
        }
        self.waiting = if self.waiting_before(self.ring.tail()) { self.waiting } else { self.ring.tail() };
        waiting.reverse();
        waiting
    }

    fn waiting_before(&self, position: u32) -> bool {
        self.waiting.wrapping_sub(self.ring.head()) <= position.wrapping_sub(self.ring.head())
    }

    #[inline]
    fn count(&mut self, transmission_ps: u64, sojourn_ps: u128, queued: u32) {
        self.counters.packets += 1;
        self.counters.transmission_ps += transmission_ps;
        self.counters.sojourn_ps += sojourn_ps;
        self.range.maximum = self.range.maximum.max(queued);
    }

    /// Whether a packet that finds `queued` packets, at least `mark_from`, is marked.
    #[inline]
    fn marks(&mut self, queued: u32) -> bool {
        if queued >= self.policy.mark_always_at {
            return true;
        }
        // Linear between the thresholds; an xorshift generator is enough for a coin.
        let span = u64::from(self.policy.mark_always_at - self.policy.mark_from);
        let probability = u64::from(self.policy.mark_probability) * u64::from(queued - self.policy.mark_from) / span;
        self.marking ^= self.marking << 13;
        self.marking ^= self.marking >> 7;
        self.marking ^= self.marking << 17;
        (self.marking >> 32) < probability
    }

    /// Takes the packet that has reached the far end. There must be one.
    #[inline]
    pub fn arrive(&mut self) -> Packet {
        if self.waiting == self.ring.head() {
            self.waiting = self.waiting.wrapping_add(1);
        }
        self.ring.pop().packet
    }

    /// Packets in the port and on the wire.
    pub fn packets(&self) -> impl Iterator<Item = Packet> {
        self.ring.iter().map(|in_flight| in_flight.packet)
    }

    /// As [`Self::packets`], each with the instants at which its transmission begins and its last bit leaves the port.
    pub fn transmissions(&self) -> impl Iterator<Item = (u64, u64, Packet)> {
        let mut before_ps = 0;
        self.ring.iter().map(move |&InFlight { departs_ps, packet }| {
            let takes_ps = self.transmission_at(departs_ps, self.wire_bytes(&packet));
            let begins_ps = departs_ps.saturating_sub(takes_ps).max(before_ps);
            before_ps = departs_ps;
            (begins_ps, departs_ps, packet)
        })
    }

    /// Time to put `bytes` on the wire that departs at an instant, at the rate the link had when they joined.
    fn transmission_at(&self, departs_ps: u64, bytes: u32) -> u64 {
        let rate = self.earlier.iter().find(|rate| departs_ps <= rate.last_departs_ps);
        (u64::from(bytes) * rate.map_or(self.ps_per_byte_q16, |rate| rate.ps_per_byte_q16)) >> 16
    }

    /// Counters since the start of the run.
    pub fn counters(&self) -> PortCounters {
        self.counters
    }

    /// Time the port has transmitted since the start of the run.
    pub fn busy_ps(&self, now_ps: u64) -> u64 {
        self.counters.transmission_ps - self.backlog_ps(now_ps)
    }

    /// Time all packets together have spent in the port since the start of the run.
    pub fn sojourned_ps(&self, now_ps: u64) -> u128 {
        self.counters.sojourn_ps - self.sojourn_ahead_ps(now_ps)
    }

    /// Time the packets now in the port will still spend there: the part of [`PortCounters::sojourn_ps`] that lies after
    /// `now`.
    fn sojourn_ahead_ps(&self, now_ps: u64) -> u128 {
        let mut position = self.first_waiting(now_ps);
        let mut ahead = 0;
        while position != self.ring.tail() {
            ahead += u128::from(self.ring.at(position).departs_ps.saturating_sub(now_ps));
            position = position.wrapping_add(1);
        }
        ahead
    }

    /// Longest and shortest queue since the last call.
    pub fn take_queue_range(&mut self, now_ps: u64) -> QueueRange {
        let queued = self.queue_packets(now_ps);
        let range = QueueRange { minimum: self.range.minimum.min(queued), maximum: self.range.maximum.max(queued) };
        self.range = QueueRange { minimum: queued, maximum: queued };
        range
    }

    /// Changes rate and delay. Packets already sent keep the departure they have; all of them feel the new delay.
    pub fn reshape(&mut self, rate_bps: u64, delay_ps: u64) {
        let (ps_per_byte_q16, oldest) = (ps_per_byte_q16(rate_bps), self.ring.front());
        if ps_per_byte_q16 != self.ps_per_byte_q16 {
            self.earlier.retain(|rate| oldest.is_some_and(|oldest| oldest.departs_ps <= rate.last_departs_ps));
            let before = EarlierRate { last_departs_ps: self.busy_until_ps, ps_per_byte_q16: self.ps_per_byte_q16 };
            self.earlier.push(before);
            self.ps_per_byte_q16 = ps_per_byte_q16;
        }
        self.delay_ps = delay_ps;
    }

    /// Changes the delay alone.
    pub fn set_delay(&mut self, delay_ps: u64) {
        self.delay_ps = delay_ps;
    }

    /// Changes marking and buffer.
    pub fn set_policy(&mut self, policy: QueuePolicy) {
        self.policy = policy;
    }

    /// One-way delay behind the port.
    pub fn delay_ps(&self) -> u64 {
        self.delay_ps
    }
}

fn ps_per_byte_q16(rate_bps: u64) -> u64 {
    saturated((u128::from(8 * PS_PER_S) << 16) / u128::from(rate_bps.max(1)))
}

#[cfg(test)]
mod tests {
    use super::*;

    const RATE_BPS: u64 = 100_000_000_000;

    fn data(sequence: u32) -> Packet {
        Packet { sequence, length: 1448, flags: ECT, ..Packet::default() }
    }

    fn link(policy: QueuePolicy) -> Link {
        Link::new(RATE_BPS, 1_000_000, 52, policy, 1)
    }

    #[test]
    fn a_packet_takes_its_transmission_and_the_delay() {
        let mut link = link(QueuePolicy::UNBOUNDED);
        assert_eq!(link.offer(500, data(0)), Offered::First);
        assert_eq!(link.next_arrival_ps(), Some(500 + 1500 * 80 + 1_000_000));
        assert_eq!(link.queue_packets(500 + 1500 * 80 - 1), 1);
        assert_eq!(link.queue_packets(500 + 1500 * 80), 0);
        assert_eq!(link.arrive(), data(0));
        assert_eq!(link.next_arrival_ps(), None);
    }

    #[test]
    fn marks_the_packet_that_finds_k_packets() {
        let policy = QueuePolicy { mark_always_at: 3, mark_from: 3, ..QueuePolicy::UNBOUNDED };
        let mut link = link(policy);
        (0..5).for_each(|i| {
            link.offer(0, data(i));
        });
        let marked: Vec<bool> = (0..5).map(|_| link.arrive().has(CE)).collect();
        assert_eq!(marked, [false, false, false, true, true]);
        assert_eq!(link.counters().marks, 2);
    }

    #[test]
    fn drops_what_does_not_fit_in_packets_or_in_bytes() {
        let mut packets = link(QueuePolicy { buffer_packets: 2, ..QueuePolicy::UNBOUNDED });
        let mut bytes = link(QueuePolicy { buffer_ps: 1500 * 80, ..QueuePolicy::UNBOUNDED });
        let offers = |link: &mut Link| (0..4).map(|i| link.offer(0, data(i))).collect::<Vec<_>>();
        let expected = [Offered::First, Offered::Behind, Offered::Dropped, Offered::Dropped];
        assert_eq!(offers(&mut packets), expected);
        assert_eq!(offers(&mut bytes), expected);
        assert_eq!(bytes.counters().drops, 2);
    }

    #[test]
    fn a_cut_loses_what_is_in_the_port_and_on_the_wire() {
        let mut link = link(QueuePolicy::UNBOUNDED);
        (0..4).for_each(|i| {
            link.offer(0, data(i));
        });
        // One has arrived, one is on the wire, one in transmission, one waits.
        let now_ps = 1500 * 80 + 1_000_000;
        assert_eq!(link.arrive(), data(0));
        link.cut(now_ps);
        assert_eq!((link.counters().lost, link.counters().lost_payload_bytes), (3, 3 * 1448));
        assert_eq!((link.next_arrival_ps(), link.packets_at(now_ps), link.backlog_ps(now_ps)), (None, 0, 0));
        link.set_policy(QueuePolicy::CLOSED);
        assert_eq!(link.offer(now_ps, data(4)), Offered::Dropped);
        link.set_policy(QueuePolicy::UNBOUNDED);
        assert_eq!(link.offer(now_ps, data(5)), Offered::First);
    }

    #[test]
    fn a_cut_takes_back_the_time_that_was_still_to_come() {
        let mut link = link(QueuePolicy::UNBOUNDED);
        (0..4).for_each(|i| {
            link.offer(0, data(i));
        });
        link.cut(1500 * 80);
        assert_eq!(link.busy_ps(1500 * 80), 1500 * 80);
        assert_eq!(link.sojourned_ps(1500 * 80), 4 * 1500 * 80);
        assert_eq!(link.sojourned_ps(u64::from(u32::MAX)), 4 * 1500 * 80);
    }

    #[test]
    fn transmissions_begin_as_they_did_when_the_rate_changes() {
        let mut link = link(QueuePolicy::UNBOUNDED);
        let begins = |link: &Link| link.transmissions().map(|(begins_ps, ..)| begins_ps).collect::<Vec<_>>();
        let full_ps = 1500 * 80;
        (0..3).for_each(|i| {
            link.offer(7, data(i));
        });
        assert_eq!(begins(&link), [7, 7 + full_ps, 7 + 2 * full_ps]);
        link.reshape(RATE_BPS / 2, 1_000_000);
        link.offer(7, data(3));
        link.reshape(RATE_BPS * 10, 1_000_000);
        link.offer(7, data(4));
        let expected = [7, 7 + full_ps, 7 + 2 * full_ps, 7 + 3 * full_ps, 7 + 5 * full_ps];
        assert_eq!(begins(&link), expected);
        // An acknowledgement, at the rate of now, moves those behind it.
        link.offer_ahead(7, Packet { flags: ACK, ..Packet::default() });
        let ack_ps = 52 * 8;
        let moved = [7, 7 + full_ps].into_iter().chain(expected[1..].iter().map(|begins_ps| begins_ps + ack_ps));
        assert_eq!(begins(&link), moved.collect::<Vec<_>>());
    }

    #[test]
    fn random_marking_follows_the_line_between_the_thresholds() {
        let policy =
            QueuePolicy { mark_always_at: 30, mark_from: 10, mark_probability: u32::MAX, ..QueuePolicy::UNBOUNDED };
        let mut link = link(policy);
        let share = |link: &mut Link, queued| (0..20_000).filter(|_| link.marks(queued)).count() as f64 / 20_000.0;
        assert!((share(&mut link, 15) - 0.25).abs() < 0.02);
        assert!((share(&mut link, 25) - 0.75).abs() < 0.02);
        assert_eq!(share(&mut link, 30), 1.0);
    }

    #[test]
    fn acknowledgements_overtake_waiting_data_only() {
        let mut link = link(QueuePolicy::UNBOUNDED);
        (0..3).for_each(|i| {
            link.offer(0, data(i));
        });
        let ack = |sequence| Packet { sequence, flags: ACK, ..Packet::default() };
        link.offer_ahead(0, ack(100));
        link.offer_ahead(0, ack(101));
        let (data_ps, ack_ps, delay_ps) = (1500 * 80, 52 * 80, 1_000_000);
        let arrivals: Vec<_> = std::iter::from_fn(|| {
            let at = link.next_arrival_ps()? - delay_ps;
            Some((at, link.arrive().sequence))
        })
        .collect();
        assert_eq!(
            arrivals,
            [
                (data_ps, 0),
                (data_ps + ack_ps, 100),
                (data_ps + 2 * ack_ps, 101),
                (2 * data_ps + 2 * ack_ps, 1),
                (3 * data_ps + 2 * ack_ps, 2)
            ]
        );
    }

    #[test]
    fn the_sojourn_integral_is_the_mean_queue() {
        let mut link = link(QueuePolicy::UNBOUNDED);
        (0..4).for_each(|i| {
            link.offer(0, data(i));
        });
        // Four packets leave after 1, 2, 3 and 4 transmissions: ten packet-transmissions in all.
        assert_eq!(link.counters().sojourn_ps, 10 * 1500 * 80);
        assert_eq!(link.sojourned_ps(1500 * 80), 4 * 1500 * 80);
        assert_eq!(link.busy_ps(1500 * 80), 1500 * 80);
    }
}
