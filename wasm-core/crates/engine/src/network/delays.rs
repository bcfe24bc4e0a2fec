//! Packets held back at the host they are meant for, which gives a class a longer round trip than its paths have.
//!
//! A delay belongs to a connection and is no link: it has no rate, nothing waits behind anything else, and it can come, go
//! and change while packets are held.

use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

use crate::kernel::time::NEVER_PS;
use crate::network::packet::{Delivery, Packet};

/// A packet that has arrived and is handed on later.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Held {
    due_ps: u64,
    /// Packets held at this host before it.
    number: u64,
    arrived_ps: u64,
    packet: Packet,
}

impl Ord for Held {
    /// By the instant they are due; among equals the one that arrived first.
    fn cmp(&self, other: &Self) -> Ordering {
        (self.due_ps, self.number).cmp(&(other.due_ps, other.number))
    }
}

impl PartialOrd for Held {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// The packets that one host holds back.
#[derive(Clone, Debug)]
pub struct HeldPackets {
    heap: BinaryHeap<Reverse<Held>>,
    next_ps: u64,
    held: u64,
}

impl Default for HeldPackets {
    fn default() -> Self {
        Self { heap: BinaryHeap::new(), next_ps: NEVER_PS, held: 0 }
    }
}

impl HeldPackets {
    /// When the next packet is due; [`NEVER_PS`] if none is held.
    #[inline]
    pub fn next_ps(&self) -> u64 {
        self.next_ps
    }

    /// Holds a packet that has just arrived for `delay_ps`.
    pub fn hold(&mut self, delivery: Delivery, delay_ps: u64) {
        let Delivery { at_ps, packet } = delivery;
        let held = Held { due_ps: at_ps + delay_ps, number: self.held, arrived_ps: at_ps, packet };
        self.held += 1;
        self.heap.push(Reverse(held));
        self.next_ps = self.next_ps.min(held.due_ps);
    }

    /// Takes the next packet that is due.
    pub fn take(&mut self) -> Option<Delivery> {
        let Reverse(Held { due_ps, packet, .. }) = self.heap.pop()?;
        self.next_ps = self.heap.peek().map_or(NEVER_PS, |Reverse(next)| next.due_ps);
        Some(Delivery { at_ps: due_ps, packet })
    }

    /// Delays have changed, at `now_ps`, to those that `delay_ps` tells of each connection: packets that are overdue by that
    /// are due now, in the order of their arrival.
    pub fn change(&mut self, now_ps: u64, delay_ps: impl Fn(u32) -> u64) {
        let change = |Reverse(held): Reverse<Held>| {
            let due_ps = (held.arrived_ps + delay_ps(held.packet.flow)).max(now_ps);
            Reverse(Held { due_ps, ..held })
        };
        self.heap = self.heap.drain().map(change).collect();
        self.next_ps = self.heap.peek().map_or(NEVER_PS, |Reverse(next)| next.due_ps);
    }

    /// The packets held, in no particular order.
    pub fn iter(&self) -> impl Iterator<Item = &Packet> {
        self.heap.iter().map(|Reverse(held)| &held.packet)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hold(held: &mut HeldPackets, at_ps: u64, flow: u32, delay_ps: u64) {
        held.hold(Delivery { at_ps, packet: Packet { flow, ..Packet::default() } }, delay_ps);
    }

    fn drain(held: &mut HeldPackets) -> Vec<(u64, u32)> {
        std::iter::from_fn(|| held.take().map(|delivery| (delivery.at_ps, delivery.packet.flow))).collect()
    }

    #[test]
    fn packets_leave_when_they_are_due_and_in_the_order_of_arrival_among_equals() {
        let mut held = HeldPackets::default();
        for (at_ps, flow, delay_ps) in [(0, 1, 100), (10, 2, 20), (20, 3, 80), (30, 4, 70)] {
            hold(&mut held, at_ps, flow, delay_ps);
        }
        assert_eq!(held.next_ps(), 30);
        assert_eq!(drain(&mut held), [(30, 2), (100, 1), (100, 3), (100, 4)]);
        assert_eq!(held.next_ps(), NEVER_PS);
    }

    #[test]
    fn a_change_counts_from_the_arrival_and_never_reaches_into_the_past() {
        let mut held = HeldPackets::default();
        hold(&mut held, 0, 1, 100);
        hold(&mut held, 5, 1, 100);
        hold(&mut held, 5, 2, 100);
        held.change(50, |flow| if flow == 1 { 0 } else { 70 });
        assert_eq!(drain(&mut held), [(50, 1), (50, 1), (75, 2)]);
    }
}
