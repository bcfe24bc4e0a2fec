//! An application that issues the requests of a trace at their instants.

use std::sync::Arc;

use crate::kernel::convert::rounded;
use crate::workload::traces::{Record, Trace};

/// The part that one application has of a trace: of `applications` that share it, number `n` issues the requests n,
/// n + applications, n + 2 applications and so on.
#[derive(Clone, Debug)]
pub struct Replay {
    trace: Arc<Trace>,
    /// Number of its next request.
    next: usize,
    applications: usize,
    /// Time of the trace that passes in each unit of time.
    speed: f64,
    /// An instant, and where the trace stood then.
    anchor: (u64, u64),
}

impl Default for Replay {
    /// Without requests.
    fn default() -> Self {
        Self::new(Arc::default(), 0, 1, 1.0, 0)
    }
}

impl Replay {
    /// Of application number `number`, from the first request at `start_ps` on.
    pub fn new(trace: Arc<Trace>, number: usize, applications: usize, speed: f64, start_ps: u64) -> Self {
        Self { trace, next: number, applications, speed, anchor: (start_ps, 0) }
    }

    /// Whether there are no more requests.
    pub fn is_spent(&self) -> bool {
        self.next >= self.trace.len()
    }

    /// When the next request is due; none if there is none.
    pub fn due_ps(&self) -> Option<u64> {
        let record = self.trace.get(self.next)?;
        let (anchor_ps, position_ps) = self.anchor;
        let ahead_ps = record.at_ps.saturating_sub(position_ps) as f64 / self.speed;
        Some(anchor_ps.saturating_add(rounded(ahead_ps)))
    }

    /// The next request; the one after it is next from now on.
    pub fn take(&mut self) -> Option<Record> {
        let record = self.trace.get(self.next)?;
        self.next += self.applications;
        Some(record)
    }

    /// Passes over the requests that were due before `now_ps`.
    pub fn skip_until(&mut self, now_ps: u64) {
        while self.due_ps().is_some_and(|due_ps| due_ps < now_ps) {
            self.next += self.applications;
        }
    }

    /// Goes on from `now_ps` at another speed, with a trace that begins as this one does.
    pub fn set_speed(&mut self, now_ps: u64, speed: f64, trace: Arc<Trace>) {
        self.anchor = if now_ps > self.anchor.0 { (now_ps, self.position_ps(now_ps)) } else { self.anchor };
        self.speed = speed;
        self.trace = trace;
    }

    /// Where the trace stands at an instant.
    pub fn position_ps(&self, at_ps: u64) -> u64 {
        let (anchor_ps, position_ps) = self.anchor;
        position_ps.saturating_add(rounded(at_ps.saturating_sub(anchor_ps) as f64 * self.speed))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workload::traces::Operation;

    fn trace(instants: &[u64]) -> Arc<Trace> {
        let mut trace = Trace::default();
        for (number, &at_ps) in (0..).zip(instants) {
            trace.push(Record { at_ps, operation: Operation::Read, address: number, bytes: 512, volume: 0 });
        }
        Arc::new(trace)
    }

    fn instants(mut replay: Replay) -> Vec<(u64, u64)> {
        std::iter::from_fn(|| Some((replay.due_ps()?, replay.take()?.address))).collect()
    }

    #[test]
    fn applications_share_the_requests_by_turns() {
        let trace = trace(&[0, 10, 20, 30, 40]);
        let of = |number| instants(Replay::new(Arc::clone(&trace), number, 2, 1.0, 100));
        assert_eq!(of(0), [(100, 0), (120, 2), (140, 4)]);
        assert_eq!(of(1), [(110, 1), (130, 3)]);
        assert!(Replay::new(trace, 5, 9, 1.0, 0).is_spent());
    }

    #[test]
    fn twice_as_fast_takes_half_the_time() {
        assert_eq!(instants(Replay::new(trace(&[0, 100, 200]), 0, 1, 2.0, 0)), [(0, 0), (50, 1), (100, 2)]);
    }

    #[test]
    fn a_change_of_speed_goes_on_from_where_the_trace_stands() {
        let trace = trace(&[0, 100, 200]);
        let mut replay = Replay::new(Arc::clone(&trace), 0, 1, 1.0, 1000);
        replay.take();
        replay.set_speed(1050, 10.0, Arc::clone(&trace));
        assert_eq!(instants(replay.clone()), [(1055, 1), (1065, 2)]);
        replay.set_speed(1060, 1.0, trace);
        assert_eq!(replay.position_ps(1060), 150);
    }

    #[test]
    fn what_was_due_while_it_rested_is_passed_over() {
        let mut replay = Replay::new(trace(&[0, 100, 200]), 0, 1, 1.0, 0);
        replay.skip_until(150);
        assert_eq!(instants(replay), [(200, 2)]);
    }

    #[test]
    fn a_change_before_the_start_counts_from_the_start() {
        let trace = trace(&[0, 100]);
        let mut replay = Replay::new(Arc::clone(&trace), 0, 1, 1.0, 1000);
        replay.set_speed(10, 2.0, trace);
        assert_eq!(instants(replay), [(1000, 0), (1050, 1)]);
    }
}
