//! What connections are woken for.

use crate::kernel::timers;

/// What a timer of a connection, or of its host's port, is for. The order of the variants decides between timers of the
/// same instant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Timer {
    /// A retransmission deadline of a connection may have passed.
    Retransmit(u32),
    /// An acknowledgement held back by a connection may be due.
    DelayedAck(u32),
    /// The queue of a host port has drained far enough to take data again.
    PortReady(u32),
    /// A paced connection may send its next packet.
    Pace(u32),
    /// The congestion controller of a connection has something due.
    Controller(u32),
    /// The initial-rate policy between two hosts has something due.
    InitialRate(u32),
}

/// Timers of the connections that end at one host.
pub type Timers = timers::Timers<Timer>;
