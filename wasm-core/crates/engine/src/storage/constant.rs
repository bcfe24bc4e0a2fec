//! A server of constant capacity: so many requests a second, one after the other, whatever they ask for (the server of paper 4,
//! in requests a second).

use crate::kernel::digest::Digest;
use crate::kernel::ring::Ring;
use crate::kernel::time::NEVER_PS;
use crate::storage::command::{Command, Completion, Level, Served, Spent};
use crate::storage::counters::{Counters, Occupancy, Pieces};

/// A command that was taken, with what will be told of it.
#[derive(Clone, Copy, Debug, Default)]
struct Taken {
    completion: Completion,
    level: Level,
}

/// A server of constant capacity.
#[derive(Clone, Debug)]
pub struct Constant {
    /// Time that a command takes.
    service_ps: u64,
    /// Commands in the order in which they came, the one in service first.
    taken: Ring<Taken>,
    /// When all of them are done.
    free_ps: u64,
    busy_ps: u64,
    counters: Counters,
}

impl Constant {
    /// An idle server that takes `service_ps` for a command.
    pub fn new(service_ps: u64) -> Self {
        Self {
            service_ps: service_ps.max(1),
            taken: Ring::default(),
            free_ps: 0,
            busy_ps: 0,
            counters: Counters::default(),
        }
    }

    pub(super) fn submit(&mut self, at_ps: u64, command: Command) {
        let started_ps = self.free_ps.max(at_ps);
        self.free_ps = started_ps.saturating_add(self.service_ps);
        self.busy_ps = self.busy_ps.saturating_add(self.service_ps);
        self.counters.commands[command.level as usize] += 1;
        let spent = Spent { array_ps: self.service_ps, ..Spent::default() };
        let served = Served { fetched_ps: started_ps, started_ps, at_ps: self.free_ps, spent };
        self.taken.push(Taken { completion: Completion { tag: command.tag, served }, level: command.queue_level });
    }

    pub(super) fn next_ps(&self) -> u64 {
        self.taken.front().map_or(NEVER_PS, |taken| taken.completion.served.at_ps)
    }

    pub(super) fn run(&mut self, before_ps: u64, events: &mut u64) -> Option<Completion> {
        let due = self.next_ps() < before_ps;
        *events += u64::from(due);
        due.then(|| self.taken.pop().completion)
    }

    /// Takes another time for the commands that come from now on.
    pub(super) fn set_service(&mut self, service_ps: u64) {
        self.service_ps = service_ps.max(1);
    }

    pub(super) fn counters(&self) -> &Counters {
        &self.counters
    }

    pub(super) fn occupancy(&self, now_ps: u64, occupancy: &mut Occupancy) {
        occupancy.clear();
        for taken in self.taken.iter() {
            let waits = taken.completion.served.started_ps > now_ps;
            occupancy.waiting[taken.level as usize] += u32::from(waits);
            occupancy.in_device += u32::from(!waits);
        }
        occupancy.divide(occupancy.in_device, Pieces::default());
        let busy_ps = self.busy_ps - self.free_ps.saturating_sub(now_ps).min(self.busy_ps);
        occupancy.channel_busy_ps.push(busy_ps);
        occupancy.chip_busy_ps.push(busy_ps);
        occupancy.chip_gc_ps.push(0);
        occupancy.chip_waiting.push(0);
    }

    pub(super) fn bytes(&self) -> usize {
        size_of::<Self>() + self.taken.len() as usize * size_of::<Taken>()
    }

    pub(super) fn digest(&self, digest: &mut Digest) {
        self.counters.digest(digest);
        [u64::from(self.taken.len()), self.next_ps(), self.free_ps].into_iter().for_each(|word| digest.word(word));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_follow_each_other_at_the_rate_of_the_server() {
        let mut server = Constant::new(100);
        for (tag, at_ps) in [(0, 0), (1, 0), (2, 50), (3, 1000)] {
            server.submit(at_ps, Command { tag, ..Command::default() });
        }
        let mut events = 0;
        assert_eq!(server.run(100, &mut events), None);
        let ends: Vec<(u32, u64)> = std::iter::from_fn(|| server.run(NEVER_PS, &mut events))
            .map(|done| (done.tag, done.served.at_ps))
            .collect();
        assert_eq!(ends, [(0, 100), (1, 200), (2, 300), (3, 1100)]);
        assert_eq!(server.next_ps(), NEVER_PS);
    }
}
