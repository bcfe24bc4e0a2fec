//! The queues of a port that tells priorities apart or can be paused.
//!
//! Such a port cannot know when a packet will leave as it joins: an urgent one may overtake it, a pause may hold it. So
//! packets wait here, and one is handed to the [`Link`](crate::network::link::Link) as its transmission begins. That costs
//! a second event for every packet that has to wait; a packet that finds the port idle goes straight through.

use std::collections::VecDeque;

use crate::kernel::convert::{byte, index_u32};
use crate::network::link::QueueRange;
use crate::network::memory::Charge;
use crate::network::packet::{PRIORITIES, Packet};

/// A packet that waits.
#[derive(Clone, Copy, Debug)]
pub struct Waiting {
    /// The packet.
    pub packet: Packet,
    /// The link it came by; its own where it came from no link.
    pub ingress: u16,
    /// Bytes it takes on the wire.
    pub bytes: u16,
    /// What memory it was charged to.
    pub charge: Charge,
}

/// The queues of one port, by priority.
#[derive(Clone, Debug, Default)]
pub struct Queues {
    queues: [VecDeque<Waiting>; PRIORITIES],
    /// Bits of the priorities that have packets waiting.
    backlogged: u8,
    /// Bits of the priorities held by a pause.
    paused: u8,
    packets: u32,
    /// Of them, those with a priority above 0.
    urgent_packets: u32,
    bytes: u64,
    range: QueueRange,
    /// Time all packets together have waited up to `counted_ps`.
    waited_ps: u128,
    counted_ps: u64,
    /// Since when some priority has been held.
    paused_since_ps: u64,
    paused_ps: u64,
}

impl Queues {
    /// Packets waiting, of all priorities.
    #[inline]
    pub fn packets(&self) -> u32 {
        self.packets
    }

    /// Of them, those with a priority above 0.
    #[inline]
    pub fn urgent_packets(&self) -> u32 {
        self.urgent_packets
    }

    /// Bytes waiting, of all priorities.
    #[inline]
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Packets waiting at a priority.
    #[inline]
    pub fn waiting_at(&self, priority: u8) -> u32 {
        index_u32(self.queues[priority as usize].len())
    }

    /// Whether a packet waits that no pause holds.
    #[inline]
    pub fn is_ready(&self) -> bool {
        self.backlogged & !self.paused != 0
    }

    /// Whether a priority is held by a pause.
    #[inline]
    pub fn is_paused(&self, priority: u8) -> bool {
        self.paused & (1 << priority) != 0
    }

    /// Bits of the priorities held by a pause while packets of them wait.
    pub fn held(&self) -> u8 {
        self.backlogged & self.paused
    }

    /// A packet joins the queue of a priority.
    #[inline]
    pub fn push(&mut self, now_ps: u64, priority: u8, waiting: Waiting) {
        self.count(now_ps);
        self.packets += 1;
        self.urgent_packets += u32::from(priority > 0);
        self.bytes += u64::from(waiting.bytes);
        self.backlogged |= 1 << priority;
        self.queues[priority as usize].push_back(waiting);
    }

    /// Takes the next packet to be sent: the oldest of the highest priority that is not held.
    #[inline]
    pub fn pop(&mut self, now_ps: u64) -> Option<(u8, Waiting)> {
        let ready = self.backlogged & !self.paused;
        if ready == 0 {
            return None;
        }
        self.count(now_ps);
        let priority = 7 - byte(ready.leading_zeros());
        let queue = &mut self.queues[priority as usize];
        let waiting = queue.pop_front()?;
        self.backlogged &= if queue.is_empty() { !(1 << priority) } else { !0 };
        self.packets -= 1;
        self.bytes -= u64::from(waiting.bytes);
        self.urgent_packets -= u32::from(priority > 0);
        Some((priority, waiting))
    }

    /// Holds a priority, or lets it go on.
    pub fn set_paused(&mut self, now_ps: u64, priority: u8, paused: bool) {
        let before = self.paused;
        let bit = 1 << priority;
        self.paused = if paused { before | bit } else { before & !bit };
        match (before, self.paused) {
            (0, 1..) => self.paused_since_ps = now_ps,
            (1.., 0) => self.paused_ps += now_ps - self.paused_since_ps,
            _ => {}
        }
    }

    /// Since when some priority has been held; none if none is.
    pub fn paused_since_ps(&self) -> Option<u64> {
        (self.paused != 0).then_some(self.paused_since_ps)
    }

    /// Time during which some priority was held, since the start of the run.
    pub fn paused_ps(&self, now_ps: u64) -> u64 {
        self.paused_ps + self.paused_since_ps().map_or(0, |since_ps| now_ps - since_ps)
    }

    #[inline]
    fn count(&mut self, now_ps: u64) {
        self.waited_ps += u128::from(self.packets) * u128::from(now_ps - self.counted_ps);
        self.counted_ps = now_ps;
    }

    /// Time all packets together have waited here since the start of the run.
    pub fn waited_ps(&self, now_ps: u64) -> u128 {
        self.waited_ps + u128::from(self.packets) * u128::from(now_ps - self.counted_ps)
    }

    /// The port was seen with `packets` in it, the one in transmission included.
    #[inline]
    pub fn observe(&mut self, packets: u32) {
        self.range.minimum = self.range.minimum.min(packets);
        self.range.maximum = self.range.maximum.max(packets);
    }

    /// Fewest and most packets seen since the last call, the `packets` there now included.
    pub fn take_range(&mut self, packets: u32) -> QueueRange {
        self.observe(packets);
        std::mem::replace(&mut self.range, QueueRange { minimum: packets, maximum: packets })
    }

    /// All packets that wait.
    pub fn iter(&self) -> impl Iterator<Item = &Waiting> {
        self.queues.iter().flatten()
    }

    /// All packets that wait, to be changed.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = &mut Waiting> {
        self.queues.iter_mut().flatten()
    }

    /// The packets that wait at a priority.
    pub fn iter_at(&self, priority: u8) -> impl Iterator<Item = &Waiting> {
        self.queues[priority as usize].iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn waiting(sequence: u32) -> Waiting {
        let packet = Packet { sequence, ..Packet::default() };
        Waiting { packet, ingress: 0, bytes: 100, charge: Charge::Nothing }
    }

    fn order(queues: &mut Queues) -> Vec<u32> {
        std::iter::from_fn(|| queues.pop(0).map(|(_, waiting)| waiting.packet.sequence)).collect()
    }

    #[test]
    fn serves_the_highest_priority_first_and_each_in_order() {
        let mut queues = Queues::default();
        for (sequence, priority) in [(0, 0), (1, 3), (2, 7), (3, 0), (4, 3)] {
            queues.push(0, priority, waiting(sequence));
        }
        assert_eq!((queues.packets(), queues.urgent_packets()), (5, 3));
        assert_eq!(order(&mut queues), [2, 1, 4, 0, 3]);
        assert!(!queues.is_ready());
    }

    #[test]
    fn a_pause_holds_its_priority_alone() {
        let mut queues = Queues::default();
        queues.push(0, 3, waiting(1));
        queues.push(0, 0, waiting(2));
        queues.set_paused(10, 3, true);
        assert_eq!(order(&mut queues), [2]);
        assert_eq!(queues.held(), 1 << 3);
        assert_eq!(queues.paused_ps(25), 15);
        queues.set_paused(30, 3, false);
        assert_eq!(order(&mut queues), [1]);
        assert_eq!(queues.paused_ps(100), 20);
    }

    #[test]
    fn adds_up_the_time_waited() {
        let mut queues = Queues::default();
        queues.push(0, 0, waiting(0));
        queues.push(10, 0, waiting(1));
        queues.pop(15);
        assert_eq!(queues.waited_ps(20), 20 + 5);
    }
}
