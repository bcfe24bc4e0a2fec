//! One port, whatever its kind: first-in-first-out, or with queues by priority in front of its link.
//!
//! Readers outside the network see ports only through this, so that nobody else asks which kind there is.

use crate::kernel::ids::LinkId;
use crate::network::link::{Link, PortCounters};
use crate::network::packet::{FLOW_CONTROL, Packet};
use crate::network::queues::Queues;

/// A port and the wire behind it, to be read.
#[derive(Clone, Copy, Debug)]
pub struct Port<'a> {
    pub(super) link: &'a Link,
    /// What waits before the link; none where the link holds the whole queue.
    pub(super) queues: Option<&'a Queues>,
}

impl Port<'_> {
    /// Packets in the port, the one in transmission included.
    pub fn queue_packets(&self, now_ps: u64) -> u32 {
        self.link.packets_at(now_ps) + self.waiting()
    }

    /// Packets that wait in queues of their own.
    fn waiting(&self) -> u32 {
        self.queues.map_or(0, Queues::packets)
    }

    /// Packets, marks and drops since the start of the run.
    pub fn counters(&self) -> PortCounters {
        self.link.counters()
    }

    /// Time the port has transmitted since the start of the run.
    pub fn busy_ps(&self, now_ps: u64) -> u64 {
        self.link.busy_ps(now_ps)
    }

    /// Time all packets together have spent in the port since the start of the run.
    pub fn sojourned_ps(&self, now_ps: u64) -> u128 {
        self.link.sojourned_ps(now_ps) + self.queues.map_or(0, |queues| queues.waited_ps(now_ps))
    }

    /// Time during which a pause held some priority, since the start of the run.
    pub fn paused_ps(&self, now_ps: u64) -> u64 {
        self.queues.map_or(0, |queues| queues.paused_ps(now_ps))
    }

    /// Packets in the port and on the wire, frames of flow control left out.
    pub fn in_flight(&self) -> u64 {
        self.packets().count() as u64
    }

    /// Payload bytes of data packets in the port and on the wire.
    pub fn payload_in_flight(&self) -> u64 {
        self.packets().map(|packet| u64::from(packet.payload_bytes())).sum()
    }

    /// All packets in the port and on the wire, frames of flow control left out: those on the wire first. None of them has
    /// arrived before `now_ps`, whatever became of the delay since it left.
    pub fn sightings(&self, now_ps: u64) -> impl Iterator<Item = Sighting> {
        let delay_ps = self.link.delay_ps();
        let on_link = self.link.transmissions().map(move |(begins_ps, departs_ps, packet)| {
            let arrives_ps = (departs_ps + delay_ps).max(now_ps);
            Sighting { packet, times: Some(Times { begins_ps, departs_ps, arrives_ps }) }
        });
        let waiting = self.queues.into_iter().flat_map(Queues::iter);
        let waiting = waiting.map(|waiting| Sighting { packet: waiting.packet, times: None });
        on_link.filter(|sighting| sighting.packet.flow != FLOW_CONTROL).chain(waiting)
    }

    /// Time the port needs for a packet with so many bytes of payload.
    pub fn transmission_ps(&self, payload_bytes: u32) -> u64 {
        self.link.transmission_ps(payload_bytes + self.link.overhead_bytes())
    }

    fn packets(&self) -> impl Iterator<Item = Packet> {
        let waiting = self.queues.into_iter().flat_map(Queues::iter).map(|waiting| waiting.packet);
        self.link.packets().filter(|packet| packet.flow != FLOW_CONTROL).chain(waiting)
    }
}

/// A packet that was found in a port or on the wire behind it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sighting {
    /// The packet.
    pub packet: Packet,
    /// When it goes on; none while that is not decided.
    pub times: Option<Times>,
}

/// When a packet leaves a port. What is still to come can change: an acknowledgement may overtake it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Times {
    /// When its transmission begins.
    pub begins_ps: u64,
    /// When its last bit leaves.
    pub departs_ps: u64,
    /// When it has arrived at the far end, and was processed there.
    pub arrives_ps: u64,
}

/// How much data of its connections the port of a host takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bound {
    /// The port.
    pub link: LinkId,
    /// The priority of the data.
    pub priority: u8,
    /// Packets that may wait.
    pub packets: u32,
    /// Time to send as many.
    pub ps: u64,
}

impl Bound {
    /// Time to send a packet.
    pub fn packet_ps(&self) -> u64 {
        self.ps / u64::from(self.packets)
    }
}
