//! The sending end of a connection: what may be sent next, and what an acknowledgement changes.
//!
//! Loss is recovered by selective acknowledgement (RFC 6675): three packets beyond a gap declare it lost, the window is
//! halved once, gaps are filled oldest first. A timeout declares everything in flight lost and starts from one packet.

use crate::kernel::convert::{modulo_u32, whole_small};
use crate::kernel::time::NEVER_PS;
use crate::network::packet::ECT;
use crate::qos::quality::{ClassShare, RateMeter};
use crate::transport::controller::{Acknowledged, Controller};
use crate::transport::d2tcp::imminence;
use crate::transport::messages::NOWHERE;
use crate::transport::ranges::Ranges;
use crate::transport::rtt::RoundTrip;
use crate::transport::window::Window;

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
    /// The congestion window.
    pub window: Window,
    /// Its controller.
    pub controller: Controller,
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
    /// Packets go out at a rate, over RDMA, and no window holds them back.
    pub paced: bool,
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
    pub fn new(controller: Controller, rate: RateMeter, window: Window, segment_bytes: u32) -> Self {
        let mut sender = Self {
            room: 0,
            unacknowledged: 0,
            next: 0,
            end: 0,
            window,
            controller,
            rtt: RoundTrip::default(),
            rate,
            unsent_start: NOWHERE,
            oldest_end: NOWHERE,
            deadline_ps: NEVER_PS,
            paced: false,
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
        sender.measure_room();
        sender
    }

    /// Bytes of the next packet where so many are left.
    #[inline]
    fn segment_of(&self, bytes: u64) -> u32 {
        modulo_u32(bytes.min(u64::from(self.segment_bytes)))
    }

    #[inline]
    fn measure_room(&mut self) {
        if self.paced {
            return;
        }
        self.room = whole_small(self.window.packets * f64::from(self.segment_bytes));
    }

    /// From now on packets are let out at a rate, or by the window again. What is lost is found anew.
    pub fn set_paced(&mut self, paced: bool) {
        self.paced = paced;
        self.rtt.discard_sample();
        self.selective = Ranges::default();
        self.room = UNLIMITED;
        if self.phase != Phase::Open {
            self.go_back();
        }
        self.measure_room();
    }

    /// Forgets what was learnt of the path: the next request is the first of a new flow.
    pub fn restart(&mut self, now_ps: u64, controller: Controller, window: Window) {
        self.controller = controller;
        self.window = window.growing_by(self.window.growth);
        self.rtt.restart();
        self.rate.restart(now_ps, self.unacknowledged);
        self.measure_room();
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
        let window_ps = self.window.packets * packet_ps as f64;
        self.window_used &= self.window.in_slow_start() && window_ps < self.rtt.smoothed_ps() as f64;
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
    pub fn on_ack(&mut self, now_ps: u64, position: u64, marked: bool, selective: (u64, u16), share: ClassShare) {
        if selective.1 > 0 {
            self.on_selective(selective);
        }
        if position > self.unacknowledged {
            self.on_advance(now_ps, position, marked, share);
        }
        self.measure_room();
    }

    /// The position that an acknowledgement number modulo 2^32 stands for.
    #[inline]
    pub fn position(&self, sequence: u32) -> u64 {
        self.unacknowledged
            .wrapping_add_signed(i64::from(sequence.wrapping_sub(modulo_u32(self.unacknowledged)).cast_signed()))
    }

    /// Takes in an acknowledgement over RDMA of everything below `position`.
    #[inline]
    pub fn on_paced_ack(&mut self, now_ps: u64, position: u64) {
        if position > self.unacknowledged {
            self.advance(now_ps, position);
        }
    }

    /// The packet of this connection that a number modulo 2^32 stands for.
    #[inline]
    pub fn number(&self, number: u32) -> u64 {
        self.packets.saturating_sub(u64::from(modulo_u32(self.packets).wrapping_sub(number)))
    }

    /// Moves the left edge.
    #[inline(always)]
    fn advance(&mut self, now_ps: u64, position: u64) {
        self.unacknowledged = position;
        self.rate.on_acknowledged(now_ps, position, self.next);
        if self.phase != Phase::Open || !self.selective.is_empty() {
            self.on_advance_in_disorder(position);
        }
    }

    #[inline]
    fn on_advance(&mut self, now_ps: u64, position: u64, marked: bool, share: ClassShare) {
        let bytes = position - self.unacknowledged;
        self.congestion_reports += u64::from(marked);
        self.advance(now_ps, position);
        self.rtt.on_acknowledged(now_ps, position);
        let event = Acknowledged {
            bytes,
            packets: bytes as f64 / f64::from(self.segment_bytes),
            marked,
            unacknowledged: position,
            next: self.next,
            window_used: self.phase != Phase::Recovery && self.window_used,
        };
        let imminence = |window_packets: f64| {
            let left = self.oldest_end.min(self.end).saturating_sub(position);
            let time_left =
                (self.deadline_ps != NEVER_PS).then(|| self.deadline_ps.cast_signed() - now_ps.cast_signed());
            imminence(left, window_packets, self.segment_bytes, self.rtt.smoothed_ps(), time_left)
        };
        if let Some(factor) = self.controller.on_acknowledged(&event, share, &self.rate, imminence, &mut self.window)
            && self.phase == Phase::Open
        {
            self.window.begin_cut(factor);
        }
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
    fn on_selective(&mut self, (start, length): (u64, u16)) {
        self.selective.insert(start, start + u64::from(length));
        self.duplicates += 1;
        if self.phase == Phase::Open && self.duplicates >= DUPLICATES {
            self.phase = Phase::Recovery;
            self.recover = self.next;
            self.retransmitted_to = self.unacknowledged;
            self.lost_below = self.unacknowledged;
            self.rtt.discard_sample();
            self.window.cut(0.5);
        }
        if self.phase != Phase::Open {
            let highest = self.selective.last_end().unwrap_or(self.unacknowledged);
            let certain = highest.saturating_sub(u64::from(DUPLICATES * self.segment_bytes));
            self.lost_below = self.lost_below.max(certain).max(self.unacknowledged + 1);
        }
    }

    /// Nothing has been acknowledged for too long: everything in flight counts as lost.
    pub fn on_timeout(&mut self) {
        self.timeouts += 1;
        self.rtt.back_off();
        self.window.collapse(self.in_flight() as f64 / f64::from(self.segment_bytes));
        self.rtt.discard_sample();
        self.go_back();
        self.measure_room();
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
    use crate::transport::controller::Control;

    const SHARE: ClassShare = ClassShare { target: 0.0, carried: 0.0, of_latency: None };

    fn sender(window: u32, end: u64) -> Sender {
        let window = Window::new(window, 2, 1000);
        let controller = Controller::new(Control::Dctcp { gain: 0.0625 });
        Sender { end, ..Sender::new(controller, RateMeter::new(0.5, 1), window, 100) }
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
    fn sends_what_window_and_application_allow() {
        let mut wide = sender(10, 250);
        assert_eq!(send_all(&mut wide).iter().map(|s| s.length).collect::<Vec<_>>(), [100, 100, 50]);
        assert_eq!(wide.next_segment(), Err(SendBlocked::Application));
        let mut narrow = sender(2, 1000);
        assert_eq!(send_all(&mut narrow).len(), 2);
        assert_eq!(narrow.next_segment(), Err(SendBlocked::Window));
    }

    #[test]
    fn three_packets_beyond_a_gap_resend_it_and_halve_the_window() {
        let mut sender = sender(10, 1000);
        send_all(&mut sender);
        for start in [100, 200, 300] {
            sender.on_ack(1, 0, false, (start, 100), SHARE);
        }
        assert_eq!(sender.window.packets, 5.0);
        // Seven packets are still in flight, the window holds five: the gap waits for two more to leave.
        assert_eq!(sender.in_flight(), 600);
        assert_eq!(sender.next_segment(), Err(SendBlocked::Window));
        sender.on_ack(1, 0, false, (400, 100), SHARE);
        sender.on_ack(1, 0, false, (500, 100), SHARE);
        assert_eq!(sender.next_segment(), Ok(Segment { start: 0, length: 100, again: true }));
        assert_eq!(send_all(&mut sender).len(), 1);
        sender.on_ack(2, 1000, false, (0, 0), SHARE);
        assert_eq!(sender.in_flight(), 0);
        assert_eq!(sender.phase, Phase::Open);
    }

    #[test]
    fn a_timeout_sends_everything_again_from_one_packet() {
        let mut sender = sender(4, 400);
        send_all(&mut sender);
        sender.on_timeout();
        assert_eq!(sender.in_flight(), 0);
        assert_eq!(send_all(&mut sender), [Segment { start: 0, length: 100, again: true }]);
        sender.on_blocked(SendBlocked::Window);
        sender.on_ack(1, 100, false, (0, 0), SHARE);
        assert_eq!(send_all(&mut sender).iter().map(|s| s.start).collect::<Vec<_>>(), [100, 200]);
        assert_eq!((sender.retransmissions, sender.timeouts), (3, 1));
    }
}
