//! What a congestion controller is: a small state machine that is fed the events of its connection, knows nothing of the
//! network, and answers with what it allows.
//!
//! Every event has a default that does nothing, so a controller says what it listens to and no more. Parameters are those of
//! the class, told with every event. Which controllers there are stands in [`super::controllers`].

use std::any::Any;

use crate::kernel::convert::{whole, whole_small};
use crate::kernel::time::{NEVER_PS, PS_PER_S};
use crate::qos::quality::{ClassShare, RateMeter};

/// What a controller allows its connection: a window, a rate or both. The sender keeps both limits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Allowance {
    /// Limit on data in flight. `None`: no limit.
    pub window: Option<WindowAllowance>,
    /// Rate at which packets leave, in bits per second on the wire. `None`: no limit.
    pub rate_bps: Option<f64>,
}

/// A limit on data in flight.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WindowAllowance {
    /// In full packets. Below 1, a packet leaves if nothing is in flight and `gap_ps` have passed since the last one.
    pub packets: f64,
    /// Minimum time between two packets; 0 for none.
    pub gap_ps: u64,
}

impl Allowance {
    /// A window of `packets` without a gap between packets.
    #[inline]
    pub fn window(packets: f64) -> Self {
        Self::spaced_window(packets, 0)
    }

    /// A window of `packets` that leave at least `gap_ps` apart.
    #[inline]
    pub fn spaced_window(packets: f64, gap_ps: u64) -> Self {
        Self { window: Some(WindowAllowance { packets, gap_ps }), rate_bps: None }
    }

    /// A rate without a window.
    #[inline]
    pub fn rate(bps: f64) -> Self {
        Self { window: None, rate_bps: Some(bps) }
    }

    /// The window in packets.
    #[inline]
    pub fn window_packets(&self) -> Option<f64> {
        self.window.map(|window| window.packets)
    }

    /// Bytes that may be in flight, with packets of `segment_bytes`; at least one packet. `None`: no limit.
    #[inline]
    pub fn room_bytes(&self, segment_bytes: u32) -> Option<u64> {
        self.window.map(|window| whole_small(window.packets.max(1.0) * f64::from(segment_bytes)))
    }

    /// Minimum time from a packet of `bytes` on the wire to the next one: the longer of the gap of the window and the time
    /// that the packet takes at the rate.
    #[inline]
    pub fn gap_ps(&self, bytes: u32) -> u64 {
        let at_rate = |bps: f64| whole(f64::from(bytes) * 8.0 * PS_PER_S as f64 / bps);
        self.window.map_or(0, |window| window.gap_ps).max(self.rate_bps.map_or(0, at_rate))
    }
}

/// Bounds of a congestion window, in packets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WindowLimits {
    /// Of a new flow.
    pub initial: u32,
    /// After a cut.
    pub min: u32,
    /// Never more.
    pub max: u32,
}

/// How a controller begins.
#[derive(Clone, Copy)]
pub struct Start<'a> {
    /// When.
    pub now_ps: u64,
    /// Bounds that the host sets to windows.
    pub limits: WindowLimits,
    /// Rate of the sender's link, in bits per second.
    pub line_bps: f64,
    /// Switches on the way to the receiver.
    pub hops: u32,
    /// Window to go on from, in packets; none for a new flow, and while the round trip is not known.
    pub packets: Option<f64>,
    /// Rate to begin at, in bits per second; none: that of the link.
    pub bps: Option<f64>,
    /// What the controller before it has learnt ([`CongestionControl::learnt`]); nothing for a new flow. Whoever knows
    /// its type goes on from there.
    pub learnt: &'a dyn Any,
}

impl<'a> Start<'a> {
    /// A new flow, which nothing is known of.
    pub fn anew(now_ps: u64, limits: WindowLimits, line_bps: f64) -> Self {
        Self { now_ps, limits, line_bps, hops: 0, packets: None, bps: None, learnt: &() }
    }

    /// The same over so many switches.
    pub fn over(self, hops: u32) -> Self {
        Self { hops, ..self }
    }

    /// What the controller before has learnt, if it is a `T`.
    pub fn learnt<T: Copy + 'static>(&self) -> Option<T> {
        self.learnt.downcast_ref().copied()
    }

    /// The rate to begin at, in bits per second.
    pub fn initial_bps(&self) -> f64 {
        self.bps.unwrap_or(self.line_bps)
    }

    /// The same on what `learnt` holds.
    pub fn with(self, learnt: &'a dyn Any) -> Self {
        Self { learnt, ..self }
    }
}

/// A packet has left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sent {
    /// When.
    pub now_ps: u64,
    /// Its bytes on the wire.
    pub bytes: u32,
}

/// The part of the oldest request that is not acknowledged, and the time it has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Remainder {
    /// Bytes left of it.
    pub bytes: u64,
    /// Time to its deadline, below 0 once it has passed; none if it has no deadline.
    pub time_left_ps: Option<i64>,
    /// Payload of a full packet.
    pub segment_bytes: u32,
    /// Smoothed round trip.
    pub rtt_ps: u64,
}

/// An acknowledgement has come.
#[derive(Clone, Copy, Debug)]
pub struct Ack<'a> {
    /// When.
    pub now_ps: u64,
    /// Bytes newly acknowledged; 0 for an answer that acknowledges nothing new (only where packets are paced).
    pub bytes: u64,
    /// The same in full packets.
    pub packets: f64,
    /// The receiver saw congestion (ECE).
    pub marked: bool,
    /// A round trip that this acknowledgement has measured. Over TCP one per acknowledgement where the transport times
    /// every packet ([`super::controllers::Transport::times_packets`]), none elsewhere; over RDMA one per round trip.
    pub rtt_ps: Option<u64>,
    /// SND.UNA after this acknowledgement.
    pub unacknowledged: u64,
    /// SND.NXT.
    pub next: u64,
    /// The window was what limited the sender.
    pub window_used: bool,
    /// Nothing is known to be lost.
    pub open: bool,
    /// Packets per round trip that the class grants this connection to grow by: 1, unless the class grows as a whole.
    pub growth: f64,
    /// What the class knows of its share.
    pub share: ClassShare,
    /// What the connection carries.
    pub meter: &'a RateMeter,
    /// The request in progress.
    pub request: Remainder,
}

impl Ack<'_> {
    /// Q of the class, as this connection sees it.
    #[inline]
    pub fn quality(&self) -> f64 {
        self.share.quality_for(self.meter)
    }
}

/// Packets are lost.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Loss {
    /// Packets beyond a gap have been acknowledged: the gap is filled. Once per recovery.
    Gap {
        /// When.
        now_ps: u64,
    },
    /// Nothing has been acknowledged for too long, and everything is sent again.
    Timeout {
        /// When.
        now_ps: u64,
        /// What was in flight, in full packets.
        in_flight: f64,
    },
}

/// Congestion is reported over RDMA: by a notification packet (CNP), or by a mark that an acknowledgement echoes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cnp {
    /// When.
    pub now_ps: u64,
    /// Q of the class, as this connection sees it.
    pub quality: f64,
}

/// How receivers report marks over RDMA.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reports {
    /// By notification packets (CNPs), at most one per connection and interval.
    Notifications {
        /// Least time between two of them.
        interval_ps: u64,
    },
    /// Every acknowledgement echoes the mark of its packet.
    Echo,
}

/// A quantity by which a controller can be watched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Metric {
    /// Name in samples, in the manner of the document.
    pub name: &'static str,
    /// Title on the screen.
    pub title: &'static str,
    /// Unit; empty for plain numbers.
    pub unit: &'static str,
}

/// α: the moving average of marks or notifications, which cuts follow.
pub const ALPHA: Metric = Metric { name: "alpha", title: "α", unit: "" };

/// What a controller listens to beside losses and notifications, which are rare enough to be told to all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Listens {
    /// To acknowledgements.
    pub acks: bool,
    /// To packets that leave.
    pub sent: bool,
    /// To timers that it has set.
    pub timers: bool,
}

impl Listens {
    /// To everything.
    pub const TO_ALL: Self = Self { acks: true, sent: true, timers: true };
    /// To acknowledgements, as a window does that they alone move.
    pub const TO_ACKS: Self = Self { acks: true, sent: false, timers: false };
}

/// Most metrics of one controller.
pub const MAX_METRICS: usize = 4;

/// Values of the metrics of a controller in their order; not-a-number where there is none.
pub type Metrics = [f64; MAX_METRICS];

/// Values of the first metrics; the others do not exist.
pub fn metrics<const N: usize>(values: [f64; N]) -> Metrics {
    let mut all = [f64::NAN; MAX_METRICS];
    all[..N].copy_from_slice(&values);
    all
}

/// A congestion controller.
pub trait CongestionControl: Copy + 'static {
    /// Its parameters, which are those of a class.
    type Parameters: Copy + PartialEq;

    /// What it can be watched by.
    const METRICS: &'static [Metric] = &[];

    /// What it listens to: everything, unless it says otherwise to spare its connections the time.
    const LISTENS: Listens = Listens::TO_ALL;

    /// A controller that begins, or takes the place of another, also of one of its own kind under other parameters.
    fn new(parameters: &Self::Parameters, start: &Start) -> Self;

    /// What it has learnt, for the controller that takes its place: usually itself, or a component that others hold too.
    fn learnt(&self) -> &dyn Any;

    /// What it allows now. The sender reads it after every acknowledgement, loss, notification and timer, and the rate also
    /// before [`Self::on_sent`].
    fn allowance(&self) -> Allowance;

    /// Whether a window is in slow start: bursts are usual then.
    fn in_slow_start(&self) -> bool {
        false
    }

    /// A packet has left.
    fn on_sent(&mut self, _sent: &Sent, _parameters: &Self::Parameters) {}

    /// An acknowledgement has come.
    fn on_ack(&mut self, _ack: &Ack, _parameters: &Self::Parameters) {}

    /// Packets are lost.
    fn on_loss(&mut self, _loss: &Loss, _parameters: &Self::Parameters) {}

    /// Congestion is reported over RDMA.
    fn on_cnp(&mut self, _cnp: &Cnp, _parameters: &Self::Parameters) {}

    /// Does what is due at or before `now_ps`. `quality` is Q of the class.
    fn on_timer(&mut self, _now_ps: u64, _quality: f64, _parameters: &Self::Parameters) {}

    /// When [`Self::on_timer`] has something to do next, or never.
    fn next_ps(&self) -> u64 {
        NEVER_PS
    }

    /// Values of [`Self::METRICS`] at `now_ps`.
    fn metrics(&self, _now_ps: u64, _parameters: &Self::Parameters) -> Metrics {
        metrics([])
    }

    /// How it wants receivers to report marks over RDMA; none if it does not want any.
    fn reports(_parameters: &Self::Parameters) -> Option<Reports> {
        None
    }

    /// Time between two steps of recovery of DIRS's virtual flow, where the document does not say.
    fn recovery_ps(_parameters: &Self::Parameters) -> Option<u64> {
        None
    }

    /// Parameters of DIRS's virtual flow ([`super::dirs`]), which recovers by a timer of `recovery_ps`.
    fn of_virtual_flow(parameters: &Self::Parameters, _recovery_ps: u64) -> Self::Parameters {
        *parameters
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// Bounds as hosts have them by default.
    pub(crate) const LIMITS: WindowLimits = WindowLimits { initial: 10, min: 2, max: 1000 };

    /// A meter that has measured one byte per picosecond.
    pub(crate) fn meter() -> RateMeter {
        let mut meter = RateMeter::new(0.0, 1);
        meter.on_acknowledged(1, 1, 1);
        meter
    }

    /// Packet number `at` (from 0) of 1000 bytes is acknowledged while packets up to `next` have been sent.
    pub(crate) fn acknowledge(at: u64, next: u64, marked: bool, meter: &RateMeter) -> Ack<'_> {
        Ack {
            now_ps: 0,
            bytes: 1000,
            packets: 1.0,
            marked,
            rtt_ps: None,
            unacknowledged: (at + 1) * 1000,
            next: next * 1000,
            window_used: true,
            open: true,
            growth: 1.0,
            share: ClassShare::default(),
            meter,
            request: Remainder { bytes: 0, time_left_ps: None, segment_bytes: 1000, rtt_ps: 0 },
        }
    }

    /// How a flow goes on that was at `packets` before, out of slow start.
    pub(crate) fn going_on(packets: f64) -> Start<'static> {
        Start { packets: Some(packets), ..Start::anew(0, LIMITS, 10e9) }
    }

    #[test]
    fn window_and_rate_each_limit_the_sender() {
        let packets = |packets| Some(WindowAllowance { packets, gap_ps: 300_000 });
        // A packet of 1000 bytes takes 800 ns at 10 Gb/s.
        for (allowance, room, gap_ps) in [
            (Allowance::window(2.5), Some(2500), 0),
            (Allowance::spaced_window(0.5, 300_000), Some(1000), 300_000),
            (Allowance::rate(10e9), None, 800_000),
            (Allowance { rate_bps: Some(10e9), ..Allowance::window(2.5) }, Some(2500), 800_000),
            (Allowance { window: packets(4.0), rate_bps: Some(10e9) }, Some(4000), 800_000),
            (Allowance { window: packets(4.0), rate_bps: Some(40e9) }, Some(4000), 300_000),
        ] {
            assert_eq!((allowance.room_bytes(1000), allowance.gap_ps(1000)), (room, gap_ps), "{allowance:?}");
        }
    }
}
