//! First come, first served: one queue for all tenants.

use std::collections::VecDeque;

use super::Waiting;

/// The queue.
#[derive(Clone, Debug, Default)]
pub struct Fcfs {
    queue: VecDeque<Waiting>,
}

impl Fcfs {
    /// A request waits from now on.
    pub(super) fn arrive(&mut self, waiting: Waiting) {
        self.queue.push_back(waiting);
    }

    /// The request that is served next.
    pub(super) fn next(&mut self) -> Option<Waiting> {
        self.queue.pop_front()
    }

    /// Requests that wait.
    pub(super) fn waiting(&self) -> impl Iterator<Item = &Waiting> {
        self.queue.iter()
    }
}
