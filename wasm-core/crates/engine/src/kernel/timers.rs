//! Timers of hosts: few beside the packets, so a binary heap serves, with the next instant cached for the packet loop.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::time::NEVER_PS;

/// A heap of timers that fire values of `T`, whose order decides between timers of the same instant. Timers are never
/// cancelled: whoever set one checks, when it fires, whether it still matters.
#[derive(Clone, Debug)]
pub struct Timers<T> {
    heap: BinaryHeap<Reverse<(u64, T)>>,
    next_ps: u64,
}

impl<T: Ord> Default for Timers<T> {
    fn default() -> Self {
        Self { heap: BinaryHeap::new(), next_ps: NEVER_PS }
    }
}

impl<T: Ord> Timers<T> {
    /// When the next timer fires; [`NEVER_PS`] if there is none.
    #[inline]
    pub fn next_ps(&self) -> u64 {
        self.next_ps
    }

    /// Sets a timer.
    pub fn set(&mut self, at_ps: u64, timer: T) {
        self.heap.push(Reverse((at_ps, timer)));
        self.next_ps = self.next_ps.min(at_ps);
    }

    /// Number of timers.
    pub fn len(&self) -> usize {
        self.heap.len()
    }

    /// Whether none is set.
    pub fn is_empty(&self) -> bool {
        self.heap.is_empty()
    }

    /// Takes the next timer and its instant.
    pub fn pop(&mut self) -> Option<(u64, T)> {
        let Reverse(first) = self.heap.pop()?;
        self.next_ps = self.heap.peek().map_or(NEVER_PS, |Reverse((at_ps, _))| *at_ps);
        Some(first)
    }
}

impl<T: Copy> Timers<T> {
    /// All timers with their instants, in no particular order.
    pub fn iter(&self) -> impl Iterator<Item = (u64, T)> {
        self.heap.iter().map(|Reverse(timer)| *timer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fires_in_order_of_time_then_of_what_is_fired() {
        let mut timers = Timers::default();
        for (at_ps, timer) in [(5, 'c'), (5, 'a'), (3, 'd'), (5, 'b')] {
            timers.set(at_ps, timer);
        }
        assert_eq!(timers.next_ps(), 3);
        let order: Vec<_> = std::iter::from_fn(|| timers.pop()).collect();
        assert_eq!(order, [(3, 'd'), (5, 'a'), (5, 'b'), (5, 'c')]);
        assert_eq!(timers.next_ps(), NEVER_PS);
    }
}
