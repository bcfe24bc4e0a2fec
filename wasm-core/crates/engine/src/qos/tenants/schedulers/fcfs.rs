//! First come, first served: one queue for all tenants.

use std::collections::VecDeque;

use super::{Scheduling, Terms, Waiting};

/// The queue.
#[derive(Clone, Debug, Default)]
pub struct Fcfs {
    queue: VecDeque<Waiting>,
}

impl Scheduling for Fcfs {
    fn new(_: &Terms) -> Self {
        Self::default()
    }

    fn set(&mut self, _: &Terms) {}

    fn arrive(&mut self, waiting: Waiting) {
        self.queue.push_back(waiting);
    }

    fn next(&mut self, _: u64) -> Option<Waiting> {
        self.queue.pop_front()
    }

    fn waiting(&self) -> impl Iterator<Item = &Waiting> {
        self.queue.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::super::{TenantScheduler, tests::common_case};

    #[test]
    fn requests_are_served_as_they_come() {
        assert_eq!(common_case(TenantScheduler::Fcfs), [0, 1, 2, 3, 4, 5, 6, 7, 8]);
    }
}
