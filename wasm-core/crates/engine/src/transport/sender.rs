//! The sending end of a connection: what may be sent next, and what an acknowledgement changes.
//!
//! Loss is recovered by selective acknowledgement (RFC 6675): three packets beyond a gap declare it lost, and gaps are filled
//! oldest first. A timeout declares everything in flight lost. What a loss does to the window is up to the controller.

use crate::kernel::convert::modulo_u32;
use crate::kernel::time::NEVER_PS;
use crate::network::packet::ECT;
use crate::qos::quality::{ClassShare, RateMeter};
use crate::transport::controller::{Ack, Allowance, Cnp, Listens, Loss, Remainder};
use crate::transport::controllers::{Control, Controller};
use crate::transport::messages::NOWHERE;
use crate::transport::ranges::Ranges;
use crate::transport::rtt::RoundTrip;

/// Duplicate acknowledgements that declare a packet lost.
const DUPLICATES: u32 = 3;
/// Room of a sender that no window holds back.
const UNLIMITED: u64 = u64::MAX / 2;

/// A stretch of the stream to be sent in one packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Segment {
    /// Position of its first byte.
    pub start: u64,
    /// Bytes of payload.
    pub length: u32,
    /// It has been sent before.
    pub again: bool,
}

/// What an acknowledgement says.
#[derive(Clone, Copy, Debug)]
pub struct Answer {
    /// When it arrives.
    pub now_ps: u64,
    /// Everything below has arrived.
    pub position: u64,
    /// The receiver saw congestion (ECE).
    pub marked: bool,
    /// A round trip that it has measured, beside those of [`RoundTrip`].
    pub rtt_ps: Option<u64>,
    /// What the class knows of its share.
    pub share: ClassShare,
}

/// Why there is nothing to send at the moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SendBlocked {
    /// The window is full.
    Window,
    /// The application has nothing more.
    Application,
}

/// How the connection stands towards loss.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// Nothing is known to be lost.
    Open,
    /// Gaps are being filled; lasts until everything sent before it began is acknowledged.
    Recovery,
    /// As recovery, after a timeout: the window grows again from one packet.
    Loss,
}

/// Sender state of one connection.
#[derive(Clone, Debug)]
pub struct Sender {
    /// SND.UNA.
    pub unacknowledged: u64,
    /// SND.NXT.
    pub next: u64,
    /// Position up to which the application has data.
    pub end: u64,
    /// Sets the window or the rate.
    pub controller: Controller,
    /// What that listens to.
    pub listens: Listens,
    /// Packets per round trip that the class grants the connection to grow by.
    pub growth: f64,
    /// Least time between two packets; 0 for none.
    pub gap_ps: u64,
    /// Round-trip estimate.
    pub rtt: RoundTrip,
    /// Throughput estimate.
    pub rate: RateMeter,
    /// Where the oldest unsent message begins.
    pub unsent_start: u64,
    /// Where the oldest message ends that is not acknowledged to its last byte.
    pub oldest_end: u64,
    /// When that message should be acknowledged; [`NEVER_PS`] if it has no deadline.
    pub deadline_ps: u64,
    /// When silence means loss; [`NEVER_PS`] while nothing is outstanding.
    pub retransmit_ps: u64,
    /// When the earliest timer fires that will look at `retransmit_ps`; [`NEVER_PS`] if none runs.
    pub timer_ps: u64,
    /// The window in bytes, as of the last acknowledgement or timeout.
    room: u64,
    /// Largest payload of a packet.
    segment_bytes: u32,
    /// Flags of every data packet: its priority, and that marks are understood.
    pub data_flags: u8,
    /// Packets go out over RDMA.
    pub paced: bool,
    /// The controller allows a rate, so packets keep a gap.
    pub has_rate: bool,
    /// The round trip of every packet is measured, over TCP.
    pub timed: bool,
    /// The window was what limited the sender when it last sent.
    window_used: bool,
    /// Waits for its host's port to take data again.
    pub waits_for_port: bool,
    phase: Phase,
    duplicates: u32,
    /// Recovery ends when this is acknowledged.
    recover: u64,
    /// Lost stretches below this have been sent again.
    retransmitted_to: u64,
    /// What is not selectively acknowledged below this is lost.
    lost_below: u64,
    selective: Ranges,
    /// Data packets sent since the start of the run.
    pub packets: u64,
    /// Of them, those sent again.
    pub retransmissions: u64,
    /// Payload bytes in them.
    pub retransmitted_bytes: u64,
    /// Timeouts since the start of the run.
    pub timeouts: u64,
    /// Acknowledgements and notifications that reported congestion, since the start of the run.
    pub congestion_reports: u64,
}

impl Sender {
    /// A connection that has sent nothing.
    pub fn new(controller: Controller, rate: RateMeter, segment_bytes: u32) -> Self {
        let mut sender = Self {
            room: 0,
            unacknowledged: 0,
            next: 0,
            end: 0,
            controller,
            listens: controller.listens(),
            growth: 1.0,
            gap_ps: 0,
            rtt: RoundTrip::default(),
            rate,
            unsent_start: NOWHERE,
            oldest_end: NOWHERE,
            deadline_ps: NEVER_PS,
            paced: false,
            has_rate: false,
            timed: false,
            data_flags: ECT,
            retransmit_ps: NEVER_PS,
            timer_ps: NEVER_PS,
            segment_bytes,
            window_used: false,
            waits_for_port: false,
            phase: Phase::Open,
            duplicates: 0,
            recover: 0,
            retransmitted_to: 0,
            lost_below: 0,
            selective: Ranges::default(),
            packets: 0,
            retransmissions: 0,
            retransmitted_bytes: 0,
            timeouts: 0,
            congestion_reports: 0,
        };
        sender.update_allowance();
        sender
    }

    /// Bytes of the next packet where so many are left.
    #[inline]
    fn segment_of(&self, bytes: u64) -> u32 {
        modulo_u32(bytes.min(u64::from(self.segment_bytes)))
    }

    /// Applies what the controller allows.
    #[inline]
    fn update_allowance(&mut self) {
        self.apply(&self.controller.allowance());
    }

    /// Applies an allowance. The gap at a rate depends on the packet that has left: see [`Self::keep_rate`].
    #[inline]
    fn apply(&mut self, allowance: &Allowance) {
        self.room = allowance.room_bytes(self.segment_bytes).unwrap_or(UNLIMITED);
        self.has_rate = allowance.rate_bps.is_some();
        if !self.has_rate {
            self.gap_ps = allowance.window.map_or(0, |window| window.gap_ps);
        }
    }

    /// Sets the gap behind a packet of `bytes` on the wire if the controller allows a rate.
    #[inline]
    pub fn keep_rate(&mut self, bytes: u32) {
        let allowance = self.controller.allowance();
        if allowance.rate_bps.is_some() {
            self.gap_ps = allowance.gap_ps(bytes);
        }
    }

    /// The network reports congestion over RDMA.
    pub fn on_cnp(&mut self, cnp: &Cnp, control: &Control) {
        self.controller.on_cnp(cnp, control);
        self.update_allowance();
    }

    /// A timer of the controller is due.
    pub fn on_controller_timer(&mut self, now_ps: u64, quality: f64, control: &Control) {
        self.controller.on_timer(now_ps, quality, control);
        self.update_allowance();
    }

    /// Sends by another controller from now on.
    pub fn set_controller(&mut self, controller: Controller) {
        self.controller = controller;
        self.listens = controller.listens();
        self.update_allowance();
    }

    /// From now on packets are let out at a rate, or by a window again. What is lost is found anew.
    pub fn set_paced(&mut self, paced: bool) {
        self.paced = paced;
        self.rtt.discard_sample();
        self.selective = Ranges::default();
        if self.phase != Phase::Open {
            self.go_back();
        }
    }

    /// Forgets what was learnt of the path: the next request is the first of a new flow.
    pub fn restart(&mut self, now_ps: u64, controller: Controller) {
        self.controller = controller;
        self.rtt.restart();
        self.rate.restart(now_ps, self.unacknowledged);
        self.update_allowance();
    }

    /// Everything that is not acknowledged is sent again, in order (go-back-N).
    pub fn go_back(&mut self) {
        self.phase = Phase::Loss;
        self.recover = self.next;
        self.retransmitted_to = self.unacknowledged;
        self.lost_below = self.next;
        self.duplicates = 0;
    }

    /// Bytes sent and not known to have left the network.
    #[inline]
    pub fn in_flight(&self) -> u64 {
        let outstanding = self.next - self.unacknowledged;
        if self.phase == Phase::Open && self.selective.is_empty() {
            return outstanding;
        }
        outstanding - self.selective.covered(self.unacknowledged, self.next) - self.lost_bytes()
    }

    /// Bytes declared lost and not sent again.
    fn lost_bytes(&self) -> u64 {
        let from = self.retransmitted_to.max(self.unacknowledged);
        self.lost_below.saturating_sub(from) - self.selective.covered(from, self.lost_below)
    }

    /// The next packet to send, or why there is none.
    #[inline]
    pub fn next_segment(&self) -> Result<Segment, SendBlocked> {
        let room = self.room;
        let in_flight = self.in_flight();
        if self.phase != Phase::Open
            && let Some(segment) = self.lost_segment()
        {
            return if in_flight + u64::from(segment.length) <= room { Ok(segment) } else { Err(SendBlocked::Window) };
        }
        let length = self.segment_of(self.end - self.next);
        if length == 0 {
            return Err(SendBlocked::Application);
        }
        if in_flight + u64::from(length) > room {
            return Err(SendBlocked::Window);
        }
        Ok(Segment { start: self.next, length, again: false })
    }

    fn lost_segment(&self) -> Option<Segment> {
        let start = self.selective.skip(self.retransmitted_to.max(self.unacknowledged));
        if start >= self.lost_below {
            return None;
        }
        let end = self.selective.next_start(start).unwrap_or(self.next).min(self.lost_below);
        let length = self.segment_of(end - start);
        Some(Segment { start, length, again: true })
    }

    /// Nothing more is sent for now.
    #[inline]
    pub fn on_blocked(&mut self, blocked: SendBlocked) {
        self.window_used = blocked == SendBlocked::Window;
    }

    /// Nothing more is sent until the host's port has room, which sends a packet in `packet_ps`. In slow start that does not
    /// count as long as the port sends the whole window within a round trip: a burst then only waits on its way out.
    #[inline]
    pub fn on_port_full(&mut self, packet_ps: u64) {
        let window_ps = self.controller.window_packets().unwrap_or(0.0) * packet_ps as f64;
        self.window_used &= self.controller.in_slow_start() && window_ps < self.rtt.smoothed_ps() as f64;
    }

    /// The packet has left for the network.
    #[inline]
    pub fn on_sent(&mut self, now_ps: u64, segment: Segment) {
        let end = segment.start + u64::from(segment.length);
        self.packets += 1;
        if segment.again {
            self.retransmitted_to = end;
            self.retransmissions += 1;
            self.retransmitted_bytes += u64::from(segment.length);
        } else {
            if self.next == 0 {
                self.rate.begin(now_ps);
            }
            self.next = end;
            if !self.paced {
                self.rtt.on_sent(now_ps, end);
            }
        }
    }

    /// Takes in an acknowledgement of everything below `position`, and of the stretch `selective` beyond a gap.
    #[inline]
    pub fn on_ack(&mut self, answer: &Answer, selective: (u64, u16), control: &Control) {
        // An acknowledgement that others overtook may name what is known to have arrived.
        if selective.1 > 0 && selective.0 >= self.unacknowledged {
            self.on_selective(selective, answer.now_ps, control);
        }
        if answer.position > self.unacknowledged {
            let bytes = self.advance(answer);
            self.congestion_reports += u64::from(answer.marked);
            self.rtt.on_acknowledged(answer.now_ps, answer.position);
            self.tell(answer, bytes, control);
        }
        self.update_allowance();
    }

    /// The position that an acknowledgement number modulo 2^32 stands for.
    #[inline]
    pub fn position(&self, sequence: u32) -> u64 {
        self.unacknowledged
            .wrapping_add_signed(i64::from(sequence.wrapping_sub(modulo_u32(self.unacknowledged)).cast_signed()))
    }

    /// Takes in an answer over RDMA: everything below its position is acknowledged.
    #[inline]
    pub fn on_paced_ack(&mut self, answer: &Answer, control: &Control) {
        let bytes = if answer.position > self.unacknowledged { self.advance(answer) } else { 0 };
        if let Some(rtt_ps) = answer.rtt_ps {
            self.rtt.add(rtt_ps);
        }
        if self.listens.acks {
            self.tell(answer, bytes, control);
            self.update_allowance();
        }
    }

    /// The packet of this connection that a number modulo 2^32 stands for.
    #[inline]
    pub fn number(&self, number: u32) -> u64 {
        self.packets.saturating_sub(u64::from(modulo_u32(self.packets).wrapping_sub(number)))
    }

    /// Moves the left edge. Returns the bytes newly acknowledged.
    #[inline(always)]
    fn advance(&mut self, answer: &Answer) -> u64 {
        let bytes = answer.position - self.unacknowledged;
        self.unacknowledged = answer.position;
        self.rate.on_acknowledged(answer.now_ps, answer.position, self.next);
        if self.phase != Phase::Open || !self.selective.is_empty() {
            self.on_advance_in_disorder(answer.position);
        }
        bytes
    }

    /// So many bytes in full packets.
    #[inline(always)]
    fn in_packets(&self, bytes: u64) -> f64 {
        // Most often it is one, which is known without a division.
        if bytes == u64::from(self.segment_bytes) { 1.0 } else { bytes as f64 / f64::from(self.segment_bytes) }
    }

    /// Tells the controller of an answer that has acknowledged `bytes`.
    #[inline(always)]
    fn tell(&mut self, answer: &Answer, bytes: u64, control: &Control) {
        let now_ps = answer.now_ps.cast_signed();
        let packets = self.in_packets(bytes);
        let ack = || Ack {
            now_ps: answer.now_ps,
            bytes,
            packets,
            marked: answer.marked,
            rtt_ps: answer.rtt_ps,
            unacknowledged: self.unacknowledged,
            next: self.next,
            window_used: self.phase != Phase::Recovery && self.window_used,
            open: self.phase == Phase::Open,
            growth: self.growth,
            share: answer.share,
            meter: &self.rate,
            request: Remainder {
                bytes: self.oldest_end.min(self.end).saturating_sub(self.unacknowledged),
                time_left_ps: (self.deadline_ps != NEVER_PS).then(|| self.deadline_ps.cast_signed() - now_ps),
                segment_bytes: self.segment_bytes,
                rtt_ps: self.rtt.smoothed_ps(),
            },
        };
        self.controller.on_ack(ack, control);
    }

    #[cold]
    fn on_advance_in_disorder(&mut self, position: u64) {
        self.selective.remove_below(position);
        self.duplicates = 0;
        if self.phase != Phase::Open && position >= self.recover {
            self.phase = Phase::Open;
        }
    }

    /// A packet beyond a gap has arrived.
    #[cold]
    fn on_selective(&mut self, (start, length): (u64, u16), now_ps: u64, control: &Control) {
        self.selective.insert(start, start + u64::from(length));
        self.duplicates += 1;
        if self.phase == Phase::Open && self.duplicates >= DUPLICATES {
            self.phase = Phase::Recovery;
            self.recover = self.next;
            self.retransmitted_to = self.unacknowledged;
            self.lost_below = self.unacknowledged;
            self.rtt.discard_sample();
            self.controller.on_loss(&Loss::Gap { now_ps }, control);
        }
        if self.phase != Phase::Open {
            let highest = self.selective.last_end().unwrap_or(self.unacknowledged);
            let certain = highest.saturating_sub(u64::from(DUPLICATES * self.segment_bytes));
            self.lost_below = self.lost_below.max(certain).max(self.unacknowledged + 1);
        }
    }

    /// Nothing has been acknowledged for too long: everything in flight counts as lost.
    pub fn on_timeout(&mut self, now_ps: u64, control: &Control) {
        self.timeouts += 1;
        self.rtt.back_off();
        let in_flight = self.in_packets(self.in_flight());
        self.controller.on_loss(&Loss::Timeout { now_ps, in_flight }, control);
        self.rtt.discard_sample();
        self.go_back();
        self.update_allowance();
    }

    /// New data was acknowledged, or all is sent again: silence is counted from now on (RFC 6298 section 5.3), or not at all
    /// while nothing is outstanding (5.2).
    #[inline]
    pub fn restart_timer(&mut self, now_ps: u64, min_rto_ps: u64) {
        let outstanding = self.next > self.unacknowledged;
        self.retransmit_ps = if outstanding { now_ps + self.rtt.timeout_ps(min_rto_ps) } else { NEVER_PS };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::transport::controller::{Start, WindowLimits};
    use crate::transport::controllers::dctcp;

    const CONTROL: Control = Control::Dctcp(dctcp::Parameters { gain: 0.0625 });

    fn sender(window: u32, end: u64) -> Sender {
        let limits = WindowLimits { initial: window, min: 2, max: 1000 };
        let controller = Controller::new(&CONTROL, &Start::anew(0, limits, 10e9));
        Sender { end, ..Sender::new(controller, RateMeter::new(0.5, 1), 100) }
    }

    fn acknowledge(sender: &mut Sender, now_ps: u64, position: u64, selective: (u64, u16)) {
        let answer = Answer { now_ps, position, marked: false, rtt_ps: None, share: ClassShare::default() };
        sender.on_ack(&answer, selective, &CONTROL);
    }

    fn send_all(sender: &mut Sender) -> Vec<Segment> {
        std::iter::from_fn(|| {
            let segment = sender.next_segment().ok()?;
            sender.on_sent(0, segment);
            Some(segment)
        })
        .collect()
    }

    #[test]
    fn an_acknowledgement_that_was_overtaken_says_nothing_new() {
        let mut sender = sender(4, 1000);
        while let Ok(segment) = sender.next_segment() {
            sender.on_sent(0, segment);
        }
        for late in [(200, 100), (300, 100), (100, 100)] {
            acknowledge(&mut sender, 1, 0, late);
        }
        assert_eq!(sender.phase, Phase::Recovery);
        acknowledge(&mut sender, 2, 400, (0, 0));
        // What told of the gaps comes after what told that they are filled.
        acknowledge(&mut sender, 3, 0, (200, 100));
        assert_eq!((sender.in_flight(), sender.unacknowledged), (0, 400));
        assert!(sender.selective.is_empty());
    }

    #[test]
    fn sends_what_window_and_application_allow() {
        let mut wide = sender(10, 250);
        assert_eq!(send_all(&mut wide).iter().map(|s| s.length).collect::<Vec<_>>(), [100, 100, 50]);
        assert_eq!(wide.next_segment(), Err(SendBlocked::Application));
        let mut narrow = sender(2, 1000);
        assert_eq!(send_all(&mut narrow).len(), 2);
        assert_eq!(narrow.next_segment(), Err(SendBlocked::Window));
    }

    #[test]
    fn window_limits_packets_in_flight_also_if_there_is_a_rate() {
        let mut sender = sender(10, 1000);
        sender.apply(&Allowance { rate_bps: Some(10e9), ..Allowance::window(2.0) });
        assert_eq!((send_all(&mut sender).len(), sender.has_rate), (2, true));
        assert_eq!(sender.next_segment(), Err(SendBlocked::Window));
        sender.apply(&Allowance::rate(10e9));
        assert_eq!(send_all(&mut sender).len(), 8);
        sender.apply(&Allowance::spaced_window(3.0, 50));
        assert_eq!((sender.gap_ps, sender.has_rate), (50, false));
    }

    #[test]
    fn three_packets_beyond_a_gap_resend_it_and_halve_the_window() {
        let mut sender = sender(10, 1000);
        send_all(&mut sender);
        for start in [100, 200, 300] {
            acknowledge(&mut sender, 1, 0, (start, 100));
        }
        assert_eq!(sender.controller.window_packets(), Some(5.0));
        // Seven packets are still in flight, the window holds five: the gap waits for two more to leave.
        assert_eq!(sender.in_flight(), 600);
        assert_eq!(sender.next_segment(), Err(SendBlocked::Window));
        acknowledge(&mut sender, 1, 0, (400, 100));
        acknowledge(&mut sender, 1, 0, (500, 100));
        assert_eq!(sender.next_segment(), Ok(Segment { start: 0, length: 100, again: true }));
        assert_eq!(send_all(&mut sender).len(), 1);
        acknowledge(&mut sender, 2, 1000, (0, 0));
        assert_eq!(sender.in_flight(), 0);
        assert_eq!(sender.phase, Phase::Open);
    }

    #[test]
    fn a_timeout_sends_everything_again_from_one_packet() {
        let mut sender = sender(4, 400);
        send_all(&mut sender);
        sender.on_timeout(0, &CONTROL);
        assert_eq!(sender.in_flight(), 0);
        assert_eq!(send_all(&mut sender), [Segment { start: 0, length: 100, again: true }]);
        sender.on_blocked(SendBlocked::Window);
        acknowledge(&mut sender, 1, 100, (0, 0));
        assert_eq!(send_all(&mut sender).iter().map(|s| s.start).collect::<Vec<_>>(), [100, 200]);
        assert_eq!((sender.retransmissions, sender.timeouts), (3, 1));
    }
}
