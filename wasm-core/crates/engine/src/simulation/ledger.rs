//! Where everything that was sent is now: what tests of conservation check.

use crate::kernel::ids::{FlowId, LinkId};
use crate::network::queues::Queues;
use crate::simulation::Simulation;

/// An account that must balance at every instant: sent = delivered + dropped + in flight.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Account {
    /// Handed to the network by hosts, what was sent again included.
    pub sent: u64,
    /// Handed to hosts by the network, copies included.
    pub delivered: u64,
    /// Dropped by full ports.
    pub dropped: u64,
    /// In ports and on wires.
    pub in_flight: u64,
}

impl Account {
    /// Whether nothing is missing and nothing is there twice.
    pub fn balances(&self) -> bool {
        self.sent == self.delivered + self.dropped + self.in_flight
    }
}

/// The byte stream of one connection, as positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stream {
    /// The application has handed over everything below this; half of the range of numbers if it always has more.
    pub handed_over: u64,
    /// Everything below this has been sent at least once.
    pub sent: u64,
    /// Everything below this has been delivered, once and in order.
    pub delivered: u64,
    /// The sender knows that everything below this has been delivered.
    pub acknowledged: u64,
    /// Requests handed over and not yet delivered.
    pub outstanding: usize,
}

/// Everything that was sent since the start of the run, and where it is now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ledger {
    /// Packets, acknowledgements included.
    pub packets: Account,
    /// Payload bytes.
    pub payload_bytes: Account,
    /// Packets that have reached the far end of any link, by what the ports have counted.
    pub arrivals: u64,
    /// Requests that wait for a connection of their pool.
    pub waiting: u64,
    /// By connection.
    pub streams: Vec<Stream>,
}

impl Simulation {
    /// Takes stock of packets, payload and streams at the present instant.
    pub fn ledger(&self) -> Ledger {
        let mut ledger = Ledger {
            packets: Account::default(),
            payload_bytes: Account::default(),
            arrivals: 0,
            waiting: self.pools.iter().map(|pool| pool.requests.len() as u64).sum(),
            streams: (0..self.connections.len()).map(|flow| self.stream(FlowId(flow as u32))).collect(),
        };
        let (packets, payload) = (&mut ledger.packets, &mut ledger.payload_bytes);
        for (number, link) in self.fabric.links().iter().enumerate() {
            let queues = self.fabric.queues(LinkId(number as u32));
            let waiting = queues.map_or(0, |queues| u64::from(queues.packets()));
            let (counters, in_flight) = (link.counters(), u64::from(link.in_flight()) + waiting);
            let arrived = counters.packets - in_flight;
            ledger.arrivals += arrived;
            packets.dropped += counters.drops;
            packets.in_flight += in_flight;
            payload.dropped += counters.dropped_payload_bytes;
            payload.in_flight += link.payload_in_flight();
            let waiting = queues.into_iter().flat_map(Queues::iter);
            payload.in_flight += waiting.map(|waiting| u64::from(waiting.packet.payload_bytes())).sum::<u64>();
            match self.plan.graph.wires().get(number) {
                Some(wire) => {
                    packets.sent += if self.plan.graph.is_host(wire.from) { counters.packets } else { 0 };
                    packets.delivered += if self.plan.graph.is_host(wire.to) { arrived } else { 0 };
                }
                // A delay line stands behind the last link of a path: what it holds is not delivered yet.
                None => packets.delivered -= in_flight,
            }
        }
        for flow in (0..self.connections.len()).map(|flow| FlowId(flow as u32)) {
            let (sender, receiver) = (self.connections.sender(flow), self.connections.receiver(flow));
            payload.sent += sender.next + sender.resent_bytes;
            payload.delivered += receiver.next + receiver.bytes_out_of_order() + receiver.duplicate_bytes;
        }
        ledger
    }

    fn stream(&self, flow: FlowId) -> Stream {
        let (sender, receiver) = (self.connections.sender(flow), self.connections.receiver(flow));
        Stream {
            handed_over: sender.end,
            sent: sender.next,
            delivered: receiver.next,
            acknowledged: sender.unacknowledged,
            outstanding: self.connections.outstanding(flow),
        }
    }
}
