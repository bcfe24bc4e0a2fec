//! Timers of hosts: few beside the packets, so a binary heap serves, with the next instant cached for the packet loop.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::time::NEVER_PS;

/// What a timer is for. The order of the variants decides between timers of the same instant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Timer {
    /// The next request of a connection arrives.
    Arrival(u32),
    /// A retransmission deadline of a connection may have passed.
    Retransmit(u32),
    /// An acknowledgement held back by a connection may be due.
    DelayedAck(u32),
    /// The queue of a host port has drained far enough to take data again.
    PortReady(u32),
    /// A paced connection may send its next packet.
    Pace(u32),
    /// The rate controller of a connection has something due.
    Rate(u32),
    /// The initial-rate policy between two hosts has something due.
    InitialRate(u32),
}

/// A heap of timers. Timers are never cancelled: whoever set one checks, when it fires, whether it still matters.
#[derive(Clone, Debug)]
pub struct Timers {
    heap: BinaryHeap<Reverse<(u64, Timer)>>,
    next_ps: u64,
}

impl Default for Timers {
    fn default() -> Self {
        Self { heap: BinaryHeap::new(), next_ps: NEVER_PS }
    }
}

impl Timers {
    /// When the next timer fires; [`NEVER_PS`] if there is none.
    #[inline]
    pub fn next_ps(&self) -> u64 {
        self.next_ps
    }

    /// Sets a timer.
    pub fn set(&mut self, at_ps: u64, timer: Timer) {
        self.heap.push(Reverse((at_ps, timer)));
        self.next_ps = self.next_ps.min(at_ps);
    }

    /// Takes the next timer and its instant.
    pub fn pop(&mut self) -> Option<(u64, Timer)> {
        let Reverse(first) = self.heap.pop()?;
        self.next_ps = self.heap.peek().map_or(NEVER_PS, |Reverse((at_ps, _))| *at_ps);
        Some(first)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fires_in_order_of_time_then_kind_then_owner() {
        let mut timers = Timers::default();
        timers.set(5, Timer::PortReady(0));
        timers.set(5, Timer::Arrival(9));
        timers.set(5, Timer::Arrival(2));
        timers.set(3, Timer::DelayedAck(1));
        assert_eq!(timers.next_ps(), 3);
        let order: Vec<_> = std::iter::from_fn(|| timers.pop()).collect();
        assert_eq!(
            order,
            [(3, Timer::DelayedAck(1)), (5, Timer::Arrival(2)), (5, Timer::Arrival(9)), (5, Timer::PortReady(0))]
        );
        assert_eq!(timers.next_ps(), NEVER_PS);
    }
}
