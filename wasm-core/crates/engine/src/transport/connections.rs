//! All connections: moves packets between senders, receivers and the fabric.
//!
//! A host's port takes data of its connections only up to a bound (like the byte queue limits of real stacks); beyond it
//! a connection waits its turn, a few packets at a time, so that connections share the port evenly, a queue builds in
//! the connection and not in the port, and a connection limited by its own port does not grow its window.
//! Acknowledgements do not count and overtake data.

use std::collections::VecDeque;

use crate::kernel::ids::{ClassId, FlowId, LinkId};
use crate::kernel::timers::{Timer, Timers};
use crate::network::fabric::{Delivery, Fabric};
use crate::network::packet::{ACK, CE, ECE, ECT, Packet};
use crate::qos::quality::{ClassShare, RateMeter};
use crate::transport::controller::{Control, Controller};
use crate::transport::messages::{Completion, Messages, NOWHERE};
use crate::transport::receiver::{Ack, Receiver};
use crate::transport::sender::{Halt, Segment, Sender};
use crate::transport::window::Window;

/// Packets a connection sends before the next one waiting for the same port gets its turn.
const TURN_PACKETS: u32 = 4;

/// Parameters of every host's stack.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StackParameters {
    /// Largest payload of a packet, in bytes.
    pub segment_bytes: u32,
    /// First congestion window, in packets.
    pub initial_window: u32,
    /// Floor of the congestion window after a cut, in packets.
    pub smallest_window: u32,
    /// Ceiling of the congestion window, in packets.
    pub largest_window: u32,
    /// Floor of the retransmission timeout.
    pub least_timeout_ps: u64,
    /// Packets per acknowledgement.
    pub delayed_ack_packets: u32,
    /// Longest time an acknowledgement is held back.
    pub delayed_ack_ps: u64,
}

/// A host's own port, and the connections that wait for it.
#[derive(Clone, Debug)]
struct HostPort {
    index: u32,
    link: LinkId,
    /// Time to send as much as the port may hold.
    bound_ps: u64,
    waiting: VecDeque<u32>,
    timer_set: bool,
}

/// All connections of a run.
#[derive(Clone, Debug)]
pub struct Connections {
    parameters: StackParameters,
    senders: Vec<Sender>,
    receivers: Vec<Receiver>,
    messages: Vec<Messages>,
    classes: Vec<ClassId>,
    /// By connection: index of the port its sender uses.
    port_of: Vec<u32>,
    ports: Vec<HostPort>,
    /// Requests delivered since they were last taken.
    completions: Vec<Completion>,
    /// Connections, once per request, whose application has seen the acknowledgement it waited for.
    answers: Vec<FlowId>,
}

impl Connections {
    /// No connections yet.
    pub fn new(parameters: StackParameters) -> Self {
        Self {
            parameters,
            senders: Vec::new(),
            receivers: Vec::new(),
            messages: Vec::new(),
            classes: Vec::new(),
            port_of: Vec::new(),
            ports: Vec::new(),
            completions: Vec::new(),
            answers: Vec::new(),
        }
    }

    /// Adds the next connection. `port` is the port of the sending host, which may hold data worth `bound_ps`.
    pub fn add(&mut self, class: ClassId, control: Control, rate: RateMeter, port: LinkId, bound_ps: u64) {
        let parameters = &self.parameters;
        let window = Window::new(parameters.initial_window, parameters.smallest_window, parameters.largest_window);
        self.senders.push(Sender::new(Controller::new(control), rate, window, parameters.segment_bytes));
        self.receivers.push(Receiver::default());
        self.messages.push(Messages::default());
        self.classes.push(class);
        let known = self.ports.iter().position(|known| known.link == port);
        let index = known.unwrap_or_else(|| {
            let index = self.ports.len();
            let waiting = VecDeque::new();
            self.ports.push(HostPort { index: index as u32, link: port, bound_ps, waiting, timer_set: false });
            index
        });
        self.port_of.push(index as u32);
    }

    /// The application hands over a request of `bytes`, and waits for its acknowledgement if `awaits` says so.
    pub fn write(
        &mut self,
        flow: FlowId,
        (bytes, awaits): (u64, bool),
        now_ps: u64,
        fabric: &mut Fabric,
        timers: &mut Timers,
    ) {
        let sender = &mut self.senders[flow.index()];
        let start = sender.end;
        sender.end += bytes;
        if sender.request_start == NOWHERE {
            sender.request_start = start;
        }
        let receiver = &mut self.receivers[flow.index()];
        if receiver.request_end == NOWHERE {
            receiver.request_end = start + bytes;
        }
        self.messages[flow.index()].push(start + bytes, now_ps);
        if awaits {
            self.messages[flow.index()].wait_for(start + bytes);
            let sender = &mut self.senders[flow.index()];
            sender.awaited_end = sender.awaited_end.min(start + bytes);
        }
        self.pump(flow, now_ps, fabric, timers);
    }

    /// From now on the application always has more to send, without requests.
    pub fn open_tap(&mut self, flow: FlowId, now_ps: u64, fabric: &mut Fabric, timers: &mut Timers) {
        self.senders[flow.index()].end = u64::MAX / 2;
        self.pump(flow, now_ps, fabric, timers);
    }

    /// The application of [`Self::open_tap`] stops. What has been sent is still delivered.
    pub fn close_tap(&mut self, flow: FlowId) {
        let sender = &mut self.senders[flow.index()];
        sender.end = sender.next;
    }

    /// A packet has reached its host. `shares` holds what every class knows of its share.
    #[inline]
    pub fn deliver(&mut self, delivery: Delivery, shares: &[ClassShare], fabric: &mut Fabric, timers: &mut Timers) {
        let Delivery { at_ps, packet } = delivery;
        if packet.has(ACK) {
            self.on_ack(at_ps, packet, shares, fabric, timers);
        } else {
            self.on_data(at_ps, packet, fabric, timers);
        }
    }

    #[inline]
    fn on_data(&mut self, now_ps: u64, packet: Packet, fabric: &mut Fabric, timers: &mut Timers) {
        let receiver = &mut self.receivers[packet.flow as usize];
        let start = receiver.position(packet.sequence);
        let reply = receiver.on_data(start, packet.length, packet.has(CE), self.parameters.delayed_ack_packets);
        if receiver.holds_back() && !receiver.timer_set {
            receiver.due_ps = now_ps + self.parameters.delayed_ack_ps;
            receiver.timer_set = true;
            timers.set(receiver.due_ps, Timer::DelayedAck(packet.flow));
        } else if receiver.holds_back() {
            receiver.due_ps = now_ps + self.parameters.delayed_ack_ps;
        }
        if receiver.next >= receiver.request_end {
            let messages = &mut self.messages[packet.flow as usize];
            receiver.request_end = messages.delivered(packet.flow, receiver.next, now_ps, &mut self.completions);
        }
        if let Some(ack) = reply.before {
            fabric.send(now_ps, ack_packet(packet.flow, ack));
        }
        if let Some(ack) = reply.now {
            fabric.send(now_ps, ack_packet(packet.flow, ack));
        }
    }

    #[inline]
    fn on_ack(&mut self, now_ps: u64, packet: Packet, shares: &[ClassShare], fabric: &mut Fabric, timers: &mut Timers) {
        let flow = packet.flow as usize;
        let sender = &mut self.senders[flow];
        let position = sender.position(packet.sequence);
        let selective = (sender.position(packet.sack), packet.length);
        sender.on_ack(now_ps, position, packet.has(ECE), selective, shares[self.classes[flow].index()]);
        sender.retransmit_ps = now_ps + sender.timeout_ps(self.parameters.least_timeout_ps);
        if sender.unacknowledged >= sender.awaited_end {
            let (done, next) = self.messages[flow].acknowledged(sender.unacknowledged);
            sender.awaited_end = next;
            self.answers.extend((0..done).map(|_| FlowId(packet.flow)));
        }
        self.pump(FlowId(packet.flow), now_ps, fabric, timers);
    }

    /// Sends what window, application and port allow.
    #[inline]
    fn pump(&mut self, flow: FlowId, now_ps: u64, fabric: &mut Fabric, timers: &mut Timers) {
        let sender = &mut self.senders[flow.index()];
        if sender.waits_for_port {
            return;
        }
        let port = &mut self.ports[self.port_of[flow.index()] as usize];
        loop {
            let segment = match sender.next_segment() {
                Ok(segment) => segment,
                Err(halt) => {
                    sender.window_used = halt == Halt::Window;
                    break;
                }
            };
            let backlog_ps = fabric.link(port.link).backlog_ps(now_ps);
            if backlog_ps >= port.bound_ps || !port.waiting.is_empty() {
                sender.waits_for_port = true;
                sender.window_used = false;
                port.waiting.push_back(flow.0);
                port.set_timer(now_ps, backlog_ps, timers);
                break;
            }
            send(sender, &mut self.messages[flow.index()], flow, segment, now_ps, fabric);
        }
        self.watch(flow, now_ps, timers);
    }

    /// Makes sure that a timer runs while something is in flight.
    #[inline]
    fn watch(&mut self, flow: FlowId, now_ps: u64, timers: &mut Timers) {
        let sender = &mut self.senders[flow.index()];
        if !sender.timer_set && sender.next > sender.unacknowledged {
            sender.timer_set = true;
            sender.retransmit_ps = now_ps + sender.timeout_ps(self.parameters.least_timeout_ps);
            timers.set(sender.retransmit_ps, Timer::Retransmit(flow.0));
        }
    }

    /// A host port has drained: the connections that wait for it take turns.
    pub fn on_port_ready(&mut self, port: u32, now_ps: u64, fabric: &mut Fabric, timers: &mut Timers) {
        self.ports[port as usize].timer_set = false;
        loop {
            let port = &mut self.ports[port as usize];
            let backlog_ps = fabric.link(port.link).backlog_ps(now_ps);
            if backlog_ps >= port.bound_ps {
                if !port.waiting.is_empty() {
                    port.set_timer(now_ps, backlog_ps, timers);
                }
                return;
            }
            let Some(flow) = port.waiting.pop_front().map(FlowId) else { return };
            let sender = &mut self.senders[flow.index()];
            sender.waits_for_port = false;
            let mut turn = 0;
            loop {
                match sender.next_segment() {
                    Ok(_) if turn == TURN_PACKETS => {
                        sender.waits_for_port = true;
                        port.waiting.push_back(flow.0);
                        break;
                    }
                    Ok(segment) => send(sender, &mut self.messages[flow.index()], flow, segment, now_ps, fabric),
                    Err(halt) => {
                        sender.window_used = halt == Halt::Window;
                        break;
                    }
                }
                turn += 1;
            }
            self.watch(flow, now_ps, timers);
        }
    }

    /// A retransmission timer has fired; it may be stale, since deadlines move without it.
    pub fn on_retransmit_timer(&mut self, flow: FlowId, now_ps: u64, fabric: &mut Fabric, timers: &mut Timers) {
        let sender = &mut self.senders[flow.index()];
        sender.timer_set = false;
        if sender.next == sender.unacknowledged {
            return;
        }
        if sender.retransmit_ps > now_ps {
            sender.timer_set = true;
            timers.set(sender.retransmit_ps, Timer::Retransmit(flow.0));
            return;
        }
        sender.on_timeout();
        self.pump(flow, now_ps, fabric, timers);
    }

    /// A timer for an acknowledgement held back has fired; it may be stale.
    pub fn on_delayed_ack_timer(&mut self, flow: FlowId, now_ps: u64, fabric: &mut Fabric, timers: &mut Timers) {
        let receiver = &mut self.receivers[flow.index()];
        receiver.timer_set = false;
        if !receiver.holds_back() {
            return;
        }
        if receiver.due_ps > now_ps {
            receiver.timer_set = true;
            timers.set(receiver.due_ps, Timer::DelayedAck(flow.0));
            return;
        }
        let ack = receiver.acknowledge((0, 0));
        fabric.send(now_ps, ack_packet(flow.0, ack));
    }

    /// Gives the connections of a class another controller, or other parameters; windows and alphas go on.
    pub fn set_control(&mut self, class: ClassId, control: Control) {
        for (sender, _) in self.senders.iter_mut().zip(&self.classes).filter(|&(_, &of)| of == class) {
            sender.controller.switch_to(control);
        }
    }

    /// Changes how the connections of a class measure their rate.
    pub fn set_metering(&mut self, class: ClassId, smoothing: f64, rounds: u32) {
        for (sender, _) in self.senders.iter_mut().zip(&self.classes).filter(|&(_, &of)| of == class) {
            sender.rate.set(smoothing, rounds);
        }
    }

    /// Rate at which a connection carries, as published to its class now, in bytes per picosecond.
    pub fn publish_rate(&mut self, flow: FlowId) -> f64 {
        let sender = &mut self.senders[flow.index()];
        sender.rate.publish(sender.end == sender.unacknowledged)
    }

    /// Changes how much data host ports may hold, after a change of their rate.
    pub fn set_port_bound(&mut self, bound_ps: impl Fn(LinkId) -> u64) {
        for port in &mut self.ports {
            port.bound_ps = bound_ps(port.link);
        }
    }

    /// Requests delivered since the last call, to be drained.
    #[inline]
    pub fn completions(&mut self) -> &mut Vec<Completion> {
        &mut self.completions
    }

    /// Connections whose application has seen an acknowledgement it waited for, to be drained.
    #[inline]
    pub fn answers(&mut self) -> &mut Vec<FlowId> {
        &mut self.answers
    }

    /// Number of connections.
    pub fn len(&self) -> usize {
        self.senders.len()
    }

    /// Whether there are no connections.
    pub fn is_empty(&self) -> bool {
        self.senders.is_empty()
    }

    /// The class of a connection.
    pub fn class(&self, flow: FlowId) -> ClassId {
        self.classes[flow.index()]
    }

    /// A connection's sender.
    pub fn sender(&self, flow: FlowId) -> &Sender {
        &self.senders[flow.index()]
    }

    /// A connection's receiver.
    pub fn receiver(&self, flow: FlowId) -> &Receiver {
        &self.receivers[flow.index()]
    }

    /// Requests of a connection not yet delivered.
    pub fn outstanding(&self, flow: FlowId) -> usize {
        self.messages[flow.index()].outstanding()
    }
}

impl HostPort {
    /// Fires when half of what the port may hold has drained.
    fn set_timer(&mut self, now_ps: u64, backlog_ps: u64, timers: &mut Timers) {
        if !self.timer_set {
            self.timer_set = true;
            timers.set(now_ps + backlog_ps.saturating_sub(self.bound_ps / 2).max(1), Timer::PortReady(self.index));
        }
    }
}

#[inline]
fn send(
    sender: &mut Sender,
    messages: &mut Messages,
    flow: FlowId,
    segment: Segment,
    now_ps: u64,
    fabric: &mut Fabric,
) {
    sender.on_sent(now_ps, segment);
    if sender.request_start < sender.next {
        sender.request_start = messages.sent(sender.request_start, sender.next, now_ps);
    }
    let (sequence, length) = (segment.start as u32, segment.length as u16);
    fabric.send(now_ps, Packet { flow: flow.0, sequence, sack: 0, length, hop: 0, flags: ECT });
}

fn ack_packet(flow: u32, ack: Ack) -> Packet {
    let (start, length) = ack.out_of_order;
    let flags = if ack.congested { ACK | ECE } else { ACK };
    Packet { flow, sequence: ack.next as u32, sack: start as u32, length, hop: 0, flags }
}
