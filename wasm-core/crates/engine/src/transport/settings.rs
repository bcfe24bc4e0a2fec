//! What stacks and classes ask of connections.

use crate::network::packet::{ACK, CONTROL_PRIORITY, ECT, priority_flags};
use crate::transport::controller::{Start, WindowLimits};
use crate::transport::controllers::{Carrier, Control, Controller, Transport};
use crate::transport::dirs;
use crate::transport::receiver::Receiver;
use crate::transport::sender::Sender;

/// Parameters of every host's stack.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StackParameters {
    /// Largest payload of a packet, in bytes.
    pub segment_bytes: u32,
    /// Bounds of congestion windows.
    pub window: WindowLimits,
    /// Floor of the retransmission timeout.
    pub min_rto_ps: u64,
    /// Packets per acknowledgement.
    pub delayed_ack_packets: u32,
    /// Longest time an acknowledgement is held back.
    pub delayed_ack_ps: u64,
}

/// What a class asks of its connections.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClassSettings {
    /// What its transport is.
    pub transport: &'static Transport,
    /// Its controller, with parameters.
    pub control: Control,
    /// Rate of its hosts' links, in bits per second.
    pub line_bps: f64,
    /// Longest round trip of its connections while queues are empty.
    pub base_rtt_ps: u64,
    /// Policy of the initial rates of new flows; none: the rate of the link.
    pub initial_rates: Option<dirs::Policy>,
    /// Priority of its packets.
    pub priority: u8,
    /// Whether it is marked as an urgent sub-class of its priority.
    pub urgent_subclass: bool,
    /// Time within which a message should be acknowledged.
    pub deadline_ps: Option<u64>,
    /// γ: weight of the past in measured rates.
    pub rate_smoothing: f64,
    /// Round trips in one measurement of a rate.
    pub rate_rounds: u32,
}

impl ClassSettings {
    /// Whether packets are let out at a rate, over RDMA; otherwise by a window, over TCP.
    pub fn is_paced(&self) -> bool {
        self.transport.carrier == Carrier::Rdma
    }

    /// Whether its packets go before others of the same priority that wait at the host: over RDMA, where the network card schedules.
    pub fn is_urgent(&self) -> bool {
        self.urgent_subclass && self.is_paced()
    }

    /// The controller of a flow that begins.
    pub(super) fn controller(&self, now_ps: u64, limits: WindowLimits, hops: u32) -> Controller {
        Controller::new(&self.control, &Start::anew(now_ps, limits, self.line_bps).over(hops))
    }

    /// Puts the marks of the class on both ends of a connection.
    pub(super) fn tag(&self, sender: &mut Sender, receiver: &mut Receiver) {
        let paced = self.is_paced();
        if sender.paced != paced {
            sender.set_paced(paced);
        }
        sender.rtt.set_base(self.base_rtt_ps);
        receiver.paced = paced;
        receiver.prompt = self.transport.times_packets;
        sender.timed = self.transport.times_packets;
        sender.data_flags = ECT | priority_flags(self.priority);
        receiver.ack_flags = ACK | priority_flags(if paced { CONTROL_PRIORITY } else { self.priority });
    }

    /// The policy of the initial rates of new flows, where the transport can follow one.
    pub fn initial_rate_policy(&self) -> Option<&dirs::Policy> {
        self.initial_rates.as_ref().filter(|_| self.transport.initial_rates)
    }
}
