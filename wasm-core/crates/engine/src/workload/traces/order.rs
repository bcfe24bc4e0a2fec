//! Requests in order of time.

use std::collections::VecDeque;

use super::fields::NS_PER_S;

/// Requests that are held back for one that should have come before them.
pub const WINDOW: usize = 4096;
/// Most requests of one second that are spread over it.
const MAXIMUM_IN_SECOND: usize = 1 << 20;

/// Puts in order what comes a little out of order. A request that comes too late even for that is taken to have come when
/// the one before it did.
#[derive(Clone, Debug)]
pub struct Window<T> {
    pending: VecDeque<(u64, T)>,
    released_ns: u64,
    /// Requests that came behind a later one.
    pub reordered: u64,
    /// Of these, those that came too late.
    pub late: u64,
}

impl<T> Window<T> {
    /// None have come yet.
    pub fn new() -> Self {
        Self { pending: VecDeque::new(), released_ns: 0, reordered: 0, late: 0 }
    }

    /// Takes a request, and gives the first in order once there are enough behind it.
    pub fn push(&mut self, at_ns: u64, item: T) -> Option<(u64, T)> {
        match self.pending.back() {
            Some(&(last_ns, _)) if at_ns < last_ns => {
                self.reordered += 1;
                let position = self.pending.partition_point(|&(pending_ns, _)| pending_ns <= at_ns);
                self.pending.insert(position, (at_ns, item));
            }
            _ => self.pending.push_back((at_ns, item)),
        }
        if self.pending.len() > WINDOW { self.pop() } else { None }
    }

    /// Requests that it has memory for.
    #[cfg(test)]
    pub fn capacity(&self) -> usize {
        self.pending.capacity()
    }

    /// The first in order of those that are left.
    pub fn pop(&mut self) -> Option<(u64, T)> {
        let (at_ns, item) = self.pending.pop_front()?;
        self.late += u64::from(at_ns < self.released_ns);
        self.released_ns = self.released_ns.max(at_ns);
        Some((self.released_ns, item))
    }
}

/// Spreads requests with whole seconds evenly over these, in the order in which they come.
#[derive(Clone, Debug)]
pub struct Seconds<T> {
    second_ns: u64,
    pending: Vec<T>,
}

impl<T> Seconds<T> {
    /// None have come yet.
    pub fn new() -> Self {
        Self { second_ns: 0, pending: Vec::new() }
    }

    /// Takes a request of a second, and gives those of the second before once it is over.
    pub fn push(&mut self, second_ns: u64, item: T, mut release: impl FnMut(u64, T)) {
        if second_ns != self.second_ns {
            self.flush(&mut release);
            self.second_ns = second_ns;
        }
        if self.pending.len() < MAXIMUM_IN_SECOND {
            self.pending.push(item);
        } else {
            release(second_ns.saturating_add(NS_PER_S - 1), item);
        }
    }

    /// Requests that it has memory for.
    #[cfg(test)]
    pub fn capacity(&self) -> usize {
        self.pending.capacity()
    }

    /// Gives those that are left.
    pub fn flush(&mut self, mut release: impl FnMut(u64, T)) {
        let count = self.pending.len() as u64;
        for (number, item) in (0u64..).zip(self.pending.drain(..)) {
            release(self.second_ns.saturating_add(number * NS_PER_S / count), item);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ordered(times: impl IntoIterator<Item = u64>) -> (Vec<u64>, u64, u64) {
        let mut window = Window::new();
        let mut found: Vec<u64> = times.into_iter().filter_map(|at| window.push(at, ())).map(|(at, ())| at).collect();
        while let Some((at, ())) = window.pop() {
            found.push(at);
        }
        (found, window.reordered, window.late)
    }

    #[test]
    fn what_is_a_little_out_of_order_is_put_right() {
        assert_eq!(ordered([3, 1, 2, 5, 4]), (vec![1, 2, 3, 4, 5], 3, 0));
    }

    #[test]
    fn what_comes_too_late_is_taken_to_have_come_now_and_counted() {
        let many = 10..10 + 2 * WINDOW as u64;
        let (found, reordered, late) = ordered(many.chain([0]));
        assert!(found.is_sorted());
        assert_eq!((found.len(), reordered, late), (2 * WINDOW + 1, 1, 1));
    }

    #[test]
    fn the_requests_of_a_second_are_spread_over_it() {
        let mut seconds = Seconds::new();
        let mut found = Vec::new();
        for second in [7, 7, 7, 7, 8, 9, 9] {
            seconds.push(second * NS_PER_S, (), |at, ()| found.push(at));
        }
        seconds.flush(|at, ()| found.push(at));
        let of = |quarters: u64| quarters * NS_PER_S / 4;
        assert_eq!(found, [of(28), of(29), of(30), of(31), of(32), of(36), of(38)]);
    }
}
