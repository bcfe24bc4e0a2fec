//! All connections: moves packets between senders, receivers and the network.
//!
//! What is peculiar to connections over RDMA is in [`super::rdma`], how connections share the ports of their hosts in
//! [`super::egress`].

use std::ops::Range;

use crate::kernel::convert::{modulo_u32, short};
use crate::kernel::ids::{ClassId, FlowId, LinkId, MessageId, PairId};
use crate::kernel::time::{NEVER_PS, PS_PER_S};
use crate::network::forwarding::Network;
use crate::network::packet::{ACK, CE, CNP_OR_NACK, Delivery, ECE, Packet};
use crate::qos::quality::{ClassShare, RateMeter};
use crate::transport::controller::{Cnp, Metric, Sent, Start, WindowLimits};
use crate::transport::controllers::{Control, Controller};
use crate::transport::egress::{HostEgress, TURN_PACKETS};
use crate::transport::messages::{Message, MessageEvent, Messages, NOWHERE, Progress};
use crate::transport::pace::Pace;
use crate::transport::pairs::Pairs;
use crate::transport::rdma;
use crate::transport::receiver::{Ack, CnpState, Receiver};
use crate::transport::sender::{Answer, Segment, Sender};
use crate::transport::settings::{ClassSettings, StackParameters};
use crate::transport::timer::{Timer, Timers};

/// A measurement that has gone on for this many times as long as it should take is not waited for.
const PATIENCE_ROUNDS: u64 = 4;

/// A connection to be added.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Connection {
    /// Its class.
    pub class: ClassId,
    /// The connections of its class between the same hosts. Pairs are numbered in the order in which connections of them are
    /// first added.
    pub pair: PairId,
    /// The port of the sending host.
    pub port: LinkId,
    /// Switches on the way.
    pub hops: u32,
    /// Number of the share that it has a part in.
    pub share: u32,
}

/// All connections of a run.
#[derive(Clone, Debug)]
pub struct Connections {
    parameters: StackParameters,
    /// By class.
    settings: Vec<ClassSettings>,
    senders: Vec<Sender>,
    receivers: Vec<Receiver>,
    messages: Vec<Messages>,
    classes: Vec<ClassId>,
    /// By connection: number of the share that it has a part in.
    share_numbers: Vec<u32>,
    /// By connection: switches on the way.
    hops: Vec<u32>,
    /// By connection: what it has beside its stream when it is paced.
    paces: Vec<Pace>,
    /// By connection: what its receiving end has reported to the sender over RDMA (CNPs and NACKs).
    cnp_states: Vec<CnpState>,
    pairs: Pairs,
    egress: HostEgress,
    /// What has become of messages since that was last taken.
    events: Vec<MessageEvent>,
}

impl Connections {
    /// No connections yet. A host's port may hold `bound_packets` packets of data.
    pub fn new(parameters: StackParameters, settings: Vec<ClassSettings>, bound_packets: u32) -> Self {
        Self {
            parameters,
            settings,
            senders: Vec::new(),
            receivers: Vec::new(),
            messages: Vec::new(),
            classes: Vec::new(),
            share_numbers: Vec::new(),
            hops: Vec::new(),
            paces: Vec::new(),
            cnp_states: Vec::new(),
            pairs: Pairs::default(),
            egress: HostEgress::new(bound_packets),
            events: Vec::new(),
        }
    }

    /// Adds the next connection. The port of the sending host may hold data worth `bound_ps`.
    pub fn add(&mut self, connection: Connection, bound_ps: u64) {
        let Connection { class, pair, port, hops, share } = connection;
        let settings = self.settings[class.index()];
        let rate = RateMeter::new(settings.rate_smoothing, settings.rate_rounds);
        let controller = settings.controller(0, self.parameters.window, hops);
        let mut sender = Sender::new(controller, rate, self.parameters.segment_bytes);
        let mut receiver = Receiver::default();
        settings.tag(&mut sender, &mut receiver);
        self.senders.push(sender);
        self.receivers.push(receiver);
        self.messages.push(Messages::default());
        self.classes.push(class);
        self.share_numbers.push(share);
        self.hops.push(hops);
        self.paces.push(Pace::default());
        self.cnp_states.push(CnpState::default());
        self.egress.add(port, settings.priority, settings.is_urgent(), bound_ps);
        self.pairs.join(pair, class, settings.initial_rate_policy());
    }

    /// Takes over a message.
    pub fn write(&mut self, flow: FlowId, message: Message, now_ps: u64, network: &mut Network, timers: &mut Timers) {
        let sender = &mut self.senders[flow.index()];
        let start = sender.end;
        let end = start + message.bytes;
        sender.end = end;
        if sender.unsent_start == NOWHERE {
            sender.unsent_start = start;
        }
        let receiver = &mut self.receivers[flow.index()];
        if receiver.message_end == NOWHERE {
            receiver.message_end = end;
        }
        self.messages[flow.index()].push(end, message);
        self.look_at_oldest(flow);
        self.pump(flow, now_ps, network, timers);
    }

    /// The next message of a connection begins as a new flow, with nothing learnt from earlier ones.
    pub fn begin_flow(&mut self, flow: FlowId, now_ps: u64, timers: &mut Timers) {
        let settings = self.settings[self.classes[flow.index()].index()];
        let mut start = Start::anew(now_ps, self.parameters.window, settings.line_bps).over(self.hops[flow.index()]);
        if settings.is_paced() {
            let policy = settings.initial_rate_policy();
            start.bps = self.pairs.begin_flow(flow, now_ps, |flow| rate_in_use(&self.senders, flow), policy, timers);
            self.senders[flow.index()].gap_ps = 0;
            self.paces[flow.index()].begin_flow(now_ps);
        }
        self.senders[flow.index()].restart(now_ps, Controller::new(&settings.control, &start));
        self.watch_controller(flow, timers);
    }

    /// Takes up end and deadline of the oldest message of a connection that is not acknowledged.
    #[inline]
    fn look_at_oldest(&mut self, flow: FlowId) {
        let sender = &mut self.senders[flow.index()];
        let deadline_ps = self.settings[self.classes[flow.index()].index()].deadline_ps;
        match self.messages[flow.index()].oldest() {
            Some(oldest) => {
                sender.oldest_end = oldest.end;
                sender.deadline_ps = deadline_ps.map_or(NEVER_PS, |deadline_ps| oldest.since_ps + deadline_ps);
            }
            None => (sender.oldest_end, sender.deadline_ps) = (NOWHERE, NEVER_PS),
        }
    }

    /// The oldest messages of a connection have been acknowledged.
    #[cold]
    fn settle_messages(&mut self, flow: FlowId, at_ps: u64) {
        let unacknowledged = self.senders[flow.index()].unacknowledged;
        while let Some(message) = self.messages[flow.index()].acknowledged(unacknowledged) {
            self.events.push(MessageEvent { flow, message, progress: Progress::Acknowledged, at_ps });
        }
        self.look_at_oldest(flow);
    }

    /// From now on the application always has more to send, without messages.
    pub fn start_backlog(&mut self, flow: FlowId, now_ps: u64, network: &mut Network, timers: &mut Timers) {
        self.senders[flow.index()].end = u64::MAX / 2;
        self.pump(flow, now_ps, network, timers);
    }

    /// The application of [`Self::start_backlog`] stops. What has been sent is still delivered.
    pub fn stop_backlog(&mut self, flow: FlowId) {
        let sender = &mut self.senders[flow.index()];
        sender.end = sender.next;
    }

    /// A packet has reached its host. `shares` holds what connections know of what they share.
    #[inline(always)]
    pub fn deliver(&mut self, delivery: Delivery, shares: &[ClassShare], network: &mut Network, timers: &mut Timers) {
        let Delivery { at_ps, packet } = delivery;
        let flow = packet.flow as usize;
        // Each end looks at its own state alone: the other's is far away in memory.
        if packet.has(ACK) {
            if self.senders[flow].paced {
                self.on_ack_or_cnp(at_ps, packet, shares, network, timers);
            } else {
                self.on_ack(at_ps, packet, shares, network, timers);
            }
        } else if self.receivers[flow].paced {
            self.on_paced_data(at_ps, packet, network);
        } else {
            self.on_data(at_ps, packet, network, timers);
        }
    }

    /// As [`Self::deliver`], where that need not stand in the caller.
    #[inline(never)]
    pub fn deliver_in_turn(
        &mut self,
        delivery: &Delivery,
        shares: &[ClassShare],
        network: &mut Network,
        timers: &mut Timers,
    ) {
        self.deliver(*delivery, shares, network, timers);
    }

    #[inline(always)]
    fn on_data(&mut self, now_ps: u64, packet: Packet, network: &mut Network, timers: &mut Timers) {
        let receiver = &mut self.receivers[packet.flow as usize];
        let start = receiver.position(packet.sequence);
        let held = if receiver.prompt { 1 } else { self.parameters.delayed_ack_packets };
        let reply = receiver.on_data(start, packet.length, packet.has(CE), held);
        let flags = receiver.ack_flags;
        if receiver.holds_back() && !receiver.timer_set {
            receiver.due_ps = now_ps + self.parameters.delayed_ack_ps;
            receiver.timer_set = true;
            timers.set(receiver.due_ps, Timer::DelayedAck(packet.flow));
        } else if receiver.holds_back() {
            receiver.due_ps = now_ps + self.parameters.delayed_ack_ps;
        }
        if receiver.next >= receiver.message_end {
            self.complete_messages(FlowId(packet.flow), now_ps);
        }
        if let Some(ack) = reply.before {
            network.send(now_ps, ack_packet(packet.flow, flags, ack));
        }
        if let Some(ack) = reply.now {
            network.send(now_ps, ack_packet(packet.flow, flags, ack));
        }
    }

    /// The oldest messages of a connection have arrived to their last byte.
    #[cold]
    fn complete_messages(&mut self, flow: FlowId, at_ps: u64) {
        let receiver = &mut self.receivers[flow.index()];
        let delivered =
            |message| self.events.push(MessageEvent { flow, message, progress: Progress::Delivered, at_ps });
        receiver.message_end = self.messages[flow.index()].delivered(receiver.next, delivered);
    }

    #[inline(always)]
    fn on_ack(
        &mut self,
        now_ps: u64,
        packet: Packet,
        shares: &[ClassShare],
        network: &mut Network,
        timers: &mut Timers,
    ) {
        if packet.has(CNP_OR_NACK) {
            // From a time under RDMA.
            return;
        }
        let flow = FlowId(packet.flow);
        let share = shares[self.share_number(flow)];
        let sender = &mut self.senders[flow.index()];
        let position = sender.position(packet.sequence);
        let selective = (sender.position(packet.sack), packet.length);
        let advances = position > sender.unacknowledged;
        let class = self.classes[flow.index()].index();
        let departures = &mut self.paces[flow.index()].departures;
        let rtt_ps = if sender.timed { departures.on_acknowledged(now_ps, position) } else { None };
        let answer = Answer { now_ps, position, marked: packet.has(ECE), rtt_ps, share };
        sender.on_ack(&answer, selective, &self.settings[class].control);
        // Duplicates do not: a retransmission that is lost would never be missed while they come.
        if advances {
            sender.restart_timer(now_ps, self.parameters.min_rto_ps);
        }
        let sets_timers = sender.listens.timers;
        if sender.unacknowledged >= sender.oldest_end {
            self.settle_messages(flow, now_ps);
        }
        if sets_timers {
            self.watch_controller(flow, timers);
        }
        self.pump(flow, now_ps, network, timers);
    }

    /// A packet over RDMA has arrived.
    #[inline(never)]
    fn on_paced_data(&mut self, now_ps: u64, packet: Packet, network: &mut Network) {
        let flow = FlowId(packet.flow);
        let reports = self.settings[self.classes[flow.index()].index()].control.reports();
        let receiver = &mut self.receivers[flow.index()];
        let cnp = &mut self.cnp_states[flow.index()];
        rdma::on_data(now_ps, packet, receiver, cnp, reports, |answer| network.send(now_ps, answer));
        if receiver.next >= receiver.message_end {
            self.complete_messages(flow, now_ps);
        }
    }

    /// An acknowledgement, a request to go back, or a notification has arrived.
    #[inline(never)]
    fn on_ack_or_cnp(
        &mut self,
        now_ps: u64,
        packet: Packet,
        shares: &[ClassShare],
        network: &mut Network,
        timers: &mut Timers,
    ) {
        let flow = FlowId(packet.flow);
        let share = shares[self.share_number(flow)];
        if packet.has(ECE) {
            self.on_notification(flow, now_ps, share, timers);
            if packet.has(CNP_OR_NACK) {
                return;
            }
        }
        let control = &self.settings[self.classes[flow.index()].index()].control;
        let (sender, pace) = (&mut self.senders[flow.index()], &mut self.paces[flow.index()]);
        if rdma::on_ack(now_ps, packet, share, sender, pace, control) {
            sender.restart_timer(now_ps, self.parameters.min_rto_ps);
        }
        let sets_timers = sender.listens.acks && sender.listens.timers;
        if sender.unacknowledged >= sender.oldest_end {
            self.settle_messages(flow, now_ps);
        }
        if sets_timers {
            self.watch_controller(flow, timers);
        }
        self.pump(flow, now_ps, network, timers);
    }

    /// Congestion is reported. A report for a flow with nothing left to send is late: no rate of its own can follow it, but
    /// the pair of hosts may take it.
    fn on_notification(&mut self, flow: FlowId, now_ps: u64, share: ClassShare, timers: &mut Timers) {
        let settings = &self.settings[self.classes[flow.index()].index()];
        let sender = &mut self.senders[flow.index()];
        sender.congestion_reports += 1;
        let late = sender.next == sender.end;
        self.paces[flow.index()].late += u64::from(late);
        let quality = share.quality_for(&sender.rate);
        let policy = settings.initial_rate_policy();
        if late && self.pairs.on_late_notification(flow, now_ps, quality, policy, timers) {
            return;
        }
        sender.on_cnp(&Cnp { now_ps, quality }, &settings.control);
        self.watch_controller(flow, timers);
    }

    /// The next packet of a connection may leave; the timer may be stale.
    pub fn on_pace_timer(&mut self, flow: FlowId, now_ps: u64, network: &mut Network, timers: &mut Timers) {
        self.paces[flow.index()].timer_set = false;
        self.pump(flow, now_ps, network, timers);
    }

    /// A timer of what is known between two hosts has fired; it may be stale.
    pub fn on_initial_rate_timer(&mut self, pair: PairId, now_ps: u64, timers: &mut Timers) {
        let policy = self.settings[self.pairs.class(pair).index()].initial_rate_policy();
        self.pairs.on_timer(pair, now_ps, |flow| rate_in_use(&self.senders, flow), policy, timers);
    }

    /// Sends what window or rate, application and port allow.
    #[inline]
    fn pump(&mut self, flow: FlowId, now_ps: u64, network: &mut Network, timers: &mut Timers) {
        if self.senders[flow.index()].waits_for_port {
            return self.watch(flow, now_ps, timers);
        }
        self.send_while(flow, now_ps, network, timers, |egress, sender, network, timers| {
            let admitted = egress.admits(flow, sender.paced, now_ps, network, timers);
            if !admitted {
                sender.waits_for_port = true;
                sender.on_port_full(egress.bound(flow).packet_ps());
            }
            admitted
        });
    }

    /// Sends packets of a connection while it has any that may leave now and `may_leave` lets them.
    #[inline(always)]
    fn send_while(
        &mut self,
        flow: FlowId,
        now_ps: u64,
        network: &mut Network,
        timers: &mut Timers,
        mut may_leave: impl FnMut(&mut HostEgress, &mut Sender, &Network, &mut Timers) -> bool,
    ) {
        let (sender, pace) = (&mut self.senders[flow.index()], &mut self.paces[flow.index()]);
        while let Some(segment) = next_segment(sender, pace, flow, now_ps, timers) {
            if !may_leave(&mut self.egress, sender, network, timers) {
                break;
            }
            send(sender, &mut self.messages[flow.index()], &mut self.events, flow, segment, now_ps, network);
            if sender.paced || sender.timed || sender.has_rate || sender.listens.sent {
                let bytes = segment.length + network.link(self.egress.bound(flow).link).overhead_bytes();
                let control = &self.settings[self.classes[flow.index()].index()].control;
                keep_distance(sender, pace, segment, Sent { now_ps, bytes }, control);
            }
        }
        self.watch(flow, now_ps, timers);
    }

    /// Makes sure that a timer runs while something is in flight.
    #[inline]
    fn watch(&mut self, flow: FlowId, now_ps: u64, timers: &mut Timers) {
        let sender = &mut self.senders[flow.index()];
        if sender.next == sender.unacknowledged {
            return;
        }
        if sender.retransmit_ps == NEVER_PS {
            sender.restart_timer(now_ps, self.parameters.min_rto_ps);
        }
        if sender.retransmit_ps < sender.timer_ps {
            sender.timer_ps = sender.retransmit_ps;
            timers.set(sender.timer_ps, Timer::Retransmit(flow.0));
        }
    }

    /// Makes sure that a timer looks at the controller of a connection when that has something due.
    #[inline]
    fn watch_controller(&mut self, flow: FlowId, timers: &mut Timers) {
        let next_ps = self.senders[flow.index()].controller.next_ps();
        if next_ps != NEVER_PS && next_ps < self.paces[flow.index()].controller_timer_ps {
            self.paces[flow.index()].controller_timer_ps = next_ps;
            timers.set(next_ps, Timer::Controller(flow.0));
        }
    }

    /// A timer of a controller has fired; it may be stale.
    pub fn on_controller_timer(&mut self, flow: FlowId, now_ps: u64, shares: &[ClassShare], timers: &mut Timers) {
        let (class, share) = (self.classes[flow.index()].index(), self.share_number(flow));
        let (sender, pace) = (&mut self.senders[flow.index()], &mut self.paces[flow.index()]);
        if pace.controller_timer_ps != now_ps {
            return;
        }
        pace.controller_timer_ps = NEVER_PS;
        if sender.controller.next_ps() <= now_ps {
            let quality = shares[share].quality_for(&sender.rate);
            sender.on_controller_timer(now_ps, quality, &self.settings[class].control);
        }
        self.watch_controller(flow, timers);
    }

    /// A queue of a host port has drained: the connections that wait for it take turns.
    pub fn on_drained(&mut self, link: LinkId, priority: u8, now_ps: u64, network: &mut Network, timers: &mut Timers) {
        if let Some(queue) = self.egress.queue_at(link, priority) {
            self.on_port_ready(queue, now_ps, network, timers);
        }
    }

    /// As [`Self::on_drained`], given the index of the queue.
    pub fn on_port_ready(&mut self, queue: u32, now_ps: u64, network: &mut Network, timers: &mut Timers) {
        self.egress.on_drained(queue);
        loop {
            let paced = |flow: FlowId| self.senders[flow.index()].paced;
            let Some(flow) = self.egress.next_turn(queue, paced, now_ps, network, timers) else { return };
            self.senders[flow.index()].waits_for_port = false;
            let mut left = TURN_PACKETS;
            self.send_while(flow, now_ps, network, timers, |egress, sender, _, _| {
                if left == 0 {
                    sender.waits_for_port = true;
                    egress.wait_again(flow);
                    return false;
                }
                left -= 1;
                true
            });
        }
    }

    /// A retransmission timer has fired; it may be stale, since deadlines move without it.
    pub fn on_retransmit_timer(&mut self, flow: FlowId, now_ps: u64, network: &mut Network, timers: &mut Timers) {
        let sender = &mut self.senders[flow.index()];
        if sender.timer_ps != now_ps {
            return;
        }
        sender.timer_ps = NEVER_PS;
        if sender.retransmit_ps > now_ps {
            return self.watch(flow, now_ps, timers);
        }
        sender.on_timeout(now_ps, &self.settings[self.classes[flow.index()].index()].control);
        sender.restart_timer(now_ps, self.parameters.min_rto_ps);
        self.pump(flow, now_ps, network, timers);
    }

    /// A timer for an acknowledgement held back has fired; it may be stale.
    pub fn on_delayed_ack_timer(&mut self, flow: FlowId, now_ps: u64, network: &mut Network, timers: &mut Timers) {
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
        let flags = receiver.ack_flags;
        let ack = receiver.acknowledge((0, 0));
        network.send(now_ps, ack_packet(flow.0, flags, ack));
    }

    /// Gives the connections of a class other settings; windows, rates and alphas go on.
    pub fn set_class(&mut self, class: ClassId, new: ClassSettings, now_ps: u64) {
        let old = std::mem::replace(&mut self.settings[class.index()], new);
        if old == new {
            return;
        }
        let members: Vec<usize> = (0..self.senders.len()).filter(|&flow| self.classes[flow] == class).collect();
        for flow in members.into_iter().map(FlowId::at) {
            self.senders[flow.index()].rate.set(new.rate_smoothing, new.rate_rounds);
            self.switch_control(flow, &old, &new, now_ps);
            new.tag(&mut self.senders[flow.index()], &mut self.receivers[flow.index()]);
            if (old.priority, old.is_urgent()) != (new.priority, new.is_urgent()) {
                self.egress.move_to(flow, new.priority, new.is_urgent());
            }
            self.look_at_oldest(flow);
        }
        if (old.control, old.initial_rates) != (new.control, new.initial_rates) {
            self.pairs.set_policy(class, new.initial_rate_policy(), now_ps);
        }
    }

    /// Goes from one controller to another, on the window or rate there is.
    fn switch_control(&mut self, flow: FlowId, old: &ClassSettings, new: &ClassSettings, now_ps: u64) {
        if old.control == new.control {
            return;
        }
        let (sender, pace) = (&mut self.senders[flow.index()], &mut self.paces[flow.index()]);
        let segment_bits = f64::from(self.parameters.segment_bytes) * 8.0;
        let rtt_s = sender.rtt.smoothed_ps() as f64 / PS_PER_S as f64;
        let known = rtt_s > 0.0;
        let mut start = Start::anew(now_ps, self.parameters.window, new.line_bps).over(self.hops[flow.index()]);
        let allowance = sender.controller.allowance();
        let (packets, bps) = (allowance.window_packets(), allowance.rate_bps);
        start.packets = packets.or_else(|| bps.filter(|_| known).map(|bps| bps * rtt_s / segment_bits));
        let line_bps = new.line_bps;
        let carried_bps = |packets: f64| (packets * segment_bits / rtt_s).min(line_bps);
        start.bps = bps.or_else(|| packets.filter(|_| known).map(carried_bps));
        let mut controller = sender.controller;
        controller.switch_to(&new.control, &start);
        sender.set_controller(controller);
        if !old.is_paced() && new.is_paced() {
            sender.gap_ps = 0;
            pace.begin_flow(now_ps);
        }
    }

    /// After a change of settings: lets every connection go on that can.
    pub fn resume(&mut self, flow: FlowId, now_ps: u64, network: &mut Network, timers: &mut Timers) {
        if self.senders[flow.index()].waits_for_port {
            self.on_port_ready(self.egress.queue_of(flow), now_ps, network, timers);
        } else {
            self.pump(flow, now_ps, network, timers);
        }
    }

    /// Rate at which a connection carries, as published to its class now, in bytes per picosecond; none before one is
    /// measured, and while it has nothing to send. A round trip of its class takes about `rtt_ps`.
    pub fn publish_rate(&mut self, flow: FlowId, now_ps: u64, rtt_ps: u64) -> Option<f64> {
        let rounds = u64::from(self.settings[self.classes[flow.index()].index()].rate_rounds);
        let sender = &mut self.senders[flow.index()];
        if sender.end == sender.unacknowledged {
            sender.rate.rest(now_ps, sender.unacknowledged);
            return None;
        }
        let round_ps = rtt_ps.max(sender.rtt.smoothed_ps()) * rounds;
        sender.rate.publish(now_ps, sender.unacknowledged, self.parameters.segment_bytes, PATIENCE_ROUNDS * round_ps)
    }

    /// Changes the part of its class's growth that falls to a connection: of a packet per round trip.
    pub fn set_growth(&mut self, flow: FlowId, part: f64) {
        self.senders[flow.index()].growth = part;
    }

    /// Changes how much data host ports may hold, after a change of their rate.
    pub fn set_port_bound(&mut self, bound_ps: impl Fn(LinkId) -> u64) {
        self.egress.set_bound(bound_ps);
    }

    /// What has become of messages since the last call, to be drained.
    #[inline]
    pub fn events(&mut self) -> &mut Vec<MessageEvent> {
        &mut self.events
    }

    /// Number of connections.
    pub fn len(&self) -> usize {
        self.senders.len()
    }

    /// Whether there are no connections.
    pub fn is_empty(&self) -> bool {
        self.senders.is_empty()
    }

    /// What a class asks of its connections.
    pub fn settings(&self, class: ClassId) -> &ClassSettings {
        &self.settings[class.index()]
    }

    /// Largest payload of a packet.
    pub fn segment_bytes(&self) -> u32 {
        self.parameters.segment_bytes
    }

    /// Time within which a message of a class should be acknowledged.
    pub fn deadline_ps(&self, class: ClassId) -> Option<u64> {
        self.settings[class.index()].deadline_ps
    }

    /// Number of the share that a connection has a part in.
    #[inline]
    pub fn share_number(&self, flow: FlowId) -> usize {
        self.share_numbers[flow.index()] as usize
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

    /// Bounds of congestion windows.
    pub fn window_limits(&self) -> WindowLimits {
        self.parameters.window
    }

    /// What the controller of a connection can be watched by, with its values at `now_ps`; not-a-number where there is none.
    pub fn metrics(&self, flow: FlowId, now_ps: u64) -> impl Iterator<Item = (&'static Metric, f64)> {
        let settings = self.settings(self.class(flow));
        let values = self.senders[flow.index()].controller.metrics(now_ps, &settings.control);
        settings.transport.metrics.iter().zip(values)
    }

    /// A connection's pacing.
    pub fn pace(&self, flow: FlowId) -> &Pace {
        &self.paces[flow.index()]
    }

    /// Since when the oldest message of a connection that is not acknowledged has been wanted.
    pub fn oldest_since_ps(&self, flow: FlowId) -> Option<u64> {
        self.messages[flow.index()].oldest().map(|oldest| oldest.since_ps)
    }

    /// The message of a connection that is being delivered, and where it ends.
    pub fn incomplete(&self, flow: FlowId) -> Option<(MessageId, u64)> {
        self.messages[flow.index()].incomplete()
    }

    /// The messages of a connection that are not acknowledged and end behind `position`, oldest first, each with the stretch of
    /// the stream that it takes.
    pub fn messages_after(&self, flow: FlowId, position: u64) -> impl Iterator<Item = (MessageId, Range<u64>)> {
        let position = position.max(self.senders[flow.index()].unacknowledged);
        self.messages[flow.index()].after(position)
    }

    /// The pair of hosts of its class that a connection joins.
    pub fn pair(&self, flow: FlowId) -> PairId {
        self.pairs.of(flow)
    }

    /// Number of pairs of hosts, those of every class counted by themselves.
    pub fn pairs(&self) -> usize {
        self.pairs.len()
    }

    /// Whether a connection has something to send, or to have acknowledged.
    pub fn is_unfinished(&self, flow: FlowId) -> bool {
        let sender = &self.senders[flow.index()];
        sender.end > sender.unacknowledged
    }
}

/// The next packet that a connection may send now. One whose time has not come sets its timer.
#[inline(always)]
fn next_segment(
    sender: &mut Sender,
    pace: &mut Pace,
    flow: FlowId,
    now_ps: u64,
    timers: &mut Timers,
) -> Option<Segment> {
    match sender.next_segment() {
        Ok(_) if sender.gap_ps > 0 && !pace.may_send(flow, sender.gap_ps, now_ps, timers) => None,
        Ok(segment) => Some(segment),
        Err(blocked) => {
            sender.on_blocked(blocked);
            None
        }
    }
}

/// Hands a packet to the network.
#[inline(always)]
fn send(
    sender: &mut Sender,
    messages: &mut Messages,
    events: &mut Vec<MessageEvent>,
    flow: FlowId,
    segment: Segment,
    now_ps: u64,
    network: &mut Network,
) {
    sender.on_sent(now_ps, segment);
    if sender.unsent_start < sender.next {
        let begins = |message| events.push(MessageEvent { flow, message, progress: Progress::Sent, at_ps: now_ps });
        sender.unsent_start = messages.sent(sender.unsent_start, sender.next, begins);
    }
    let (sequence, length) = (modulo_u32(segment.start), short(segment.length));
    let number = modulo_u32(sender.packets);
    let packet = Packet { flow: flow.0, sequence, sack: number, length, hop: 0, flags: sender.data_flags };
    network.send(now_ps, packet);
}

/// A packet has left: takes down when, where that is asked for, works out when the next may follow at a rate, and tells the
/// controller.
#[inline(always)]
fn keep_distance(sender: &mut Sender, pace: &mut Pace, segment: Segment, sent: Sent, control: &Control) {
    if sender.paced {
        pace.times.on_sent(sent.now_ps, sender.packets);
    } else if sender.timed {
        pace.departures.on_sent(sent.now_ps, segment.start + u64::from(segment.length), segment.again);
    }
    pace.on_sent(sent.now_ps, sender.gap_ps);
    sender.keep_rate(sent.bytes);
    sender.controller.on_sent(&sent, control);
}

/// Rate of a connection that has something to send or to be acknowledged, and is let out at one.
fn rate_in_use(senders: &[Sender], flow: FlowId) -> Option<f64> {
    let sender = &senders[flow.index()];
    if sender.end > sender.unacknowledged { sender.controller.rate_bps() } else { None }
}

fn ack_packet(flow: u32, flags: u8, ack: Ack) -> Packet {
    let (start, length) = ack.out_of_order;
    let flags = if ack.congested { flags | ECE } else { flags };
    Packet { flow, sequence: modulo_u32(ack.next), sack: modulo_u32(start), length, hop: 0, flags }
}
