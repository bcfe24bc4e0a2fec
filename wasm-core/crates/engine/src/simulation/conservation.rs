//! Where everything that was sent is now: what tests of conservation check.

use crate::kernel::ids::{FlowId, LinkId};
use crate::simulation::Simulation;

/// An account that must balance at every instant: sent = delivered + dropped + in flight.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Balance {
    /// Handed to the network by hosts, what was sent again included.
    pub sent: u64,
    /// Handed to hosts by the network, copies included.
    pub delivered: u64,
    /// Dropped by full ports, or lost with a cable that failed.
    pub dropped: u64,
    /// In ports, on wires and held back at hosts.
    pub in_flight: u64,
}

impl Balance {
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
}

/// The requests of all applications: issued = done + under way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RequestBalance {
    /// Issued.
    pub issued: u64,
    /// Those whose data has come to where it was wanted.
    pub done: u64,
    /// Those whose data has not.
    pub under_way: u64,
    /// Those that are not forgotten: their acknowledgements may be under way.
    pub held: u64,
    /// Those under way that are at the storage of their targets.
    pub at_storage: u64,
}

impl RequestBalance {
    /// Whether nothing is missing and nothing is there twice.
    pub fn balances(&self) -> bool {
        self.issued == self.done + self.under_way && self.held >= self.under_way && self.under_way >= self.at_storage
    }
}

/// Everything that was sent since the start of the run, and where it is now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConservationReport {
    /// Packets, acknowledgements included.
    pub packets: Balance,
    /// Payload bytes.
    pub payload_bytes: Balance,
    /// Packets that have reached the far end of any link, by what the ports have counted.
    pub arrivals: u64,
    /// Requests.
    pub requests: RequestBalance,
    /// By connection.
    pub streams: Vec<Stream>,
}

impl Simulation {
    /// Takes stock of packets, payload and streams at the present instant.
    pub fn conservation_report(&self) -> ConservationReport {
        let mut report = ConservationReport {
            packets: Balance::default(),
            payload_bytes: Balance::default(),
            arrivals: 0,
            requests: self.request_balance(),
            streams: (0..self.connections.len()).map(|flow| self.stream(FlowId::at(flow))).collect(),
        };
        let (packets, payload) = (&mut report.packets, &mut report.payload_bytes);
        for (number, wire) in self.plan.graph.wires().iter().enumerate() {
            let port = self.network.port(LinkId::at(number));
            let (counters, in_flight) = (port.counters(), port.in_flight());
            let arrived = counters.packets - in_flight - counters.lost;
            report.arrivals += arrived;
            packets.dropped += counters.drops + counters.lost;
            packets.in_flight += in_flight;
            payload.dropped += counters.dropped_payload_bytes + counters.lost_payload_bytes;
            payload.in_flight += port.payload_in_flight();
            packets.sent += if self.plan.graph.is_host(wire.from) { counters.packets + counters.drops } else { 0 };
            packets.delivered += if self.plan.graph.is_host(wire.to) { arrived } else { 0 };
        }
        // What a host holds back is not delivered yet.
        for packet in self.network.held() {
            packets.in_flight += 1;
            packets.delivered -= 1;
            payload.in_flight += u64::from(packet.payload_bytes());
        }
        for flow in (0..self.connections.len()).map(FlowId::at) {
            let (sender, receiver) = (self.connections.sender(flow), self.connections.receiver(flow));
            payload.sent += sender.next + sender.retransmitted_bytes;
            payload.delivered += receiver.next + receiver.bytes_out_of_order() + receiver.duplicate_bytes;
        }
        report
    }

    fn request_balance(&self) -> RequestBalance {
        let requests = self.access.requests();
        let (issued, done) = requests.issued_and_done();
        RequestBalance {
            issued,
            done,
            under_way: requests.under_way().count() as u64,
            held: requests.held() as u64,
            at_storage: self.storage.requests() as u64,
        }
    }

    fn stream(&self, flow: FlowId) -> Stream {
        let (sender, receiver) = (self.connections.sender(flow), self.connections.receiver(flow));
        Stream {
            handed_over: sender.end,
            sent: sender.next,
            delivered: receiver.next,
            acknowledged: sender.unacknowledged,
        }
    }
}
