//! Connections over RDMA (RoCEv2): packets paced at a rate, each acknowledged, lost ones found by go-back-N, congestion
//! told by notification packets (CNPs) or by the acknowledgements themselves; and the initial rates of new flows (DIRS).
//!
//! Answers and notifications travel at the highest priority where ports tell priorities apart.

use crate::kernel::convert::{index_u32, modulo_u32};
use crate::kernel::ids::{ClassId, FlowId};
use crate::kernel::time::NEVER_PS;
use crate::network::forwarding::Network;
use crate::network::packet::{CE, CNP_OR_NACK, ECE, Packet};
use crate::qos::quality::ClassShare;
use crate::transport::connections::{ClassSettings, Connection, Connections};
use crate::transport::controller::{Cnp, Reports};
use crate::transport::dirs::InitialRate;
use crate::transport::receiver::AckAction;
use crate::transport::sender::{Answer, Sender};
use crate::transport::timer::{Timer, Timers};

/// The connections of a class between two hosts, which share what they know of the rate between them.
#[derive(Clone, Debug)]
pub struct Pair {
    class: ClassId,
    hosts: (u32, u32),
    flows: Vec<u32>,
    /// What is known of the rate between them; none without DIRS.
    known: Option<InitialRate>,
    /// When the earliest timer fires that will look at it; [`NEVER_PS`] if none runs.
    timer_ps: u64,
}

impl Connections {
    /// The connection added last joins those of its class between the same hosts.
    pub(super) fn join_pair(&mut self, connection: Connection) {
        let Connection { class, hosts, .. } = connection;
        let flow = index_u32(self.pair_of.len());
        // Connections of a pair are added one after the other.
        let same = |pair: &Pair| pair.class == class && pair.hosts == hosts;
        if !self.pairs.last().is_some_and(same) {
            let known = self.settings[class.index()].initial_rate(0);
            self.pairs.push(Pair { class, hosts, flows: Vec::new(), known, timer_ps: NEVER_PS });
        }
        let last = self.pairs.len() - 1;
        self.pairs[last].flows.push(flow);
        self.pair_of.push(index_u32(last));
    }

    /// A class has other settings: its pairs begin anew with what they say of initial rates.
    pub(super) fn set_initial_rates(&mut self, class: ClassId, now_ps: u64) {
        let settings = self.settings[class.index()];
        for pair in self.pairs.iter_mut().filter(|pair| pair.class == class) {
            pair.known = settings.initial_rate(now_ps);
            pair.timer_ps = NEVER_PS;
        }
    }

    /// A packet over RDMA has arrived.
    #[inline(never)]
    pub(super) fn on_paced_data(&mut self, now_ps: u64, packet: Packet, network: &mut Network) {
        let class = self.classes[packet.flow as usize];
        let reports = self.settings[class.index()].control.reports();
        let receiver = &mut self.receivers[packet.flow as usize];
        let start = receiver.position(packet.sequence);
        let cnp = &mut self.cnp_states[packet.flow as usize];
        let action = receiver.on_paced_data(now_ps, start, packet.length, cnp);
        let (next, flags) = (modulo_u32(receiver.next), receiver.ack_flags);
        let marked = packet.has(CE);
        let reply = |flags| Packet { flow: packet.flow, sequence: next, sack: packet.sack, flags, ..Packet::default() };
        if marked
            && let Some(Reports::Notifications { interval_ps }) = reports
            && cnp.notifies(now_ps, interval_ps)
        {
            network.send(now_ps, reply(flags | CNP_OR_NACK | ECE));
        }
        let echo = if marked && reports == Some(Reports::Echo) { ECE } else { 0 };
        match action {
            AckAction::Acknowledge => network.send(now_ps, reply(flags | echo)),
            AckAction::GoBack => network.send(now_ps, reply(flags | CNP_OR_NACK)),
            AckAction::Silence => {}
        }
        let receiver = &self.receivers[packet.flow as usize];
        if receiver.next >= receiver.message_end {
            self.complete_messages(FlowId(packet.flow), now_ps);
        }
    }

    /// An acknowledgement, a request to go back, or a notification has arrived.
    #[inline(never)]
    pub(super) fn on_ack_or_cnp(
        &mut self,
        now_ps: u64,
        packet: Packet,
        shares: &[ClassShare],
        network: &mut Network,
        timers: &mut Timers,
    ) {
        let flow = FlowId(packet.flow);
        let class = self.classes[flow.index()].index();
        let sender = &mut self.senders[flow.index()];
        if packet.has(ECE) {
            sender.congestion_reports += 1;
            self.on_notification(flow, now_ps, shares[class], timers);
            if packet.has(CNP_OR_NACK) {
                return;
            }
        }
        let sender = &mut self.senders[flow.index()];
        let position = sender.position(packet.sequence);
        let advances = position > sender.unacknowledged;
        let rtt_ps = self.paces[flow.index()].times.on_answered(now_ps, sender.number(packet.sack));
        let answer = Answer { now_ps, position, marked: packet.has(ECE), rtt_ps, share: shares[class] };
        sender.on_paced_ack(&answer, &self.settings[class].control);
        let goes_back = packet.has(CNP_OR_NACK) && sender.next > sender.unacknowledged;
        if goes_back {
            sender.go_back();
        }
        if advances || goes_back {
            sender.restart_timer(now_ps, self.parameters.min_rto_ps);
        }
        if sender.unacknowledged >= sender.oldest_end {
            self.settle_messages(flow, now_ps);
        }
        self.watch_controller(flow, timers);
        self.pump(flow, now_ps, network, timers);
    }

    /// Congestion is reported. A report for a flow with nothing left to send is late: no rate of its own can follow it.
    fn on_notification(&mut self, flow: FlowId, now_ps: u64, share: ClassShare, timers: &mut Timers) {
        let settings = &self.settings[self.classes[flow.index()].index()];
        let sender = &mut self.senders[flow.index()];
        let late = sender.next == sender.end;
        self.paces[flow.index()].late += u64::from(late);
        let pair = self.pair_of[flow.index()];
        let quality = share.quality_for(&sender.rate);
        match (&mut self.pairs[pair as usize].known, &settings.initial_rates) {
            (Some(known), Some(policy)) if late => {
                known.on_late_notification(now_ps, quality, policy);
                self.set_initial_rate_timer(pair, timers);
            }
            _ => {
                sender.controller.on_cnp(&Cnp { now_ps, quality }, &settings.control);
                self.watch_controller(flow, timers);
            }
        }
    }

    /// The next packet of a connection may leave; the timer may be stale.
    pub fn on_pace_timer(&mut self, flow: FlowId, now_ps: u64, network: &mut Network, timers: &mut Timers) {
        self.paces[flow.index()].timer_set = false;
        self.pump(flow, now_ps, network, timers);
    }

    /// A new flow begins on a connection. Returns the lowest rate known, to begin at; none: the rate of the link.
    pub(super) fn begin_paced_flow(&mut self, flow: FlowId, now_ps: u64, timers: &mut Timers) -> Option<f64> {
        let pair = self.pair_of[flow.index()];
        let settings = &self.settings[self.classes[flow.index()].index()];
        let Pair { flows, known, .. } = &mut self.pairs[pair as usize];
        let initial_bps = match (known, &settings.initial_rates) {
            (Some(known), Some(policy)) => Some(known.initial_bps(now_ps, active_rates(flows, &self.senders), policy)),
            _ => None,
        };
        self.senders[flow.index()].gap_ps = 0;
        self.paces[flow.index()].begin_flow(now_ps);
        self.set_initial_rate_timer(pair, timers);
        initial_bps
    }

    fn set_initial_rate_timer(&mut self, pair: u32, timers: &mut Timers) {
        let Pair { known: Some(known), timer_ps, .. } = &mut self.pairs[pair as usize] else { return };
        let next_ps = known.next_ps();
        if next_ps < *timer_ps {
            *timer_ps = next_ps;
            timers.set(next_ps, Timer::InitialRate(pair));
        }
    }

    /// A timer of what is known between two hosts has fired; it may be stale.
    pub fn on_initial_rate_timer(&mut self, index: u32, now_ps: u64, timers: &mut Timers) {
        let pair = &mut self.pairs[index as usize];
        if pair.timer_ps != now_ps {
            return;
        }
        pair.timer_ps = NEVER_PS;
        if let (Some(known), Some(policy)) = (&mut pair.known, &self.settings[pair.class.index()].initial_rates)
            && known.next_ps() <= now_ps
        {
            known.on_timer(now_ps, active_rates(&pair.flows, &self.senders), policy);
        }
        self.set_initial_rate_timer(index, timers);
    }
}

/// Rates of the connections that have something to send or to be acknowledged.
fn active_rates(flows: &[u32], senders: &[Sender]) -> impl Iterator<Item = f64> {
    let active = flows.iter().map(|&flow| &senders[flow as usize]).filter(|sender| sender.end > sender.unacknowledged);
    active.filter_map(|sender| sender.controller.rate_bps())
}

impl ClassSettings {
    /// What is known between two hosts at first.
    fn initial_rate(&self, now_ps: u64) -> Option<InitialRate> {
        self.initial_rates.filter(|_| self.transport.initial_rates).map(|policy| InitialRate::new(&policy, now_ps))
    }
}
