//! Follows one request from its application through ports, wires, target and device, and back.
//!
//! A run takes no notes for this. A copy of it goes on in windows no longer than the transmission of a packet, and between
//! two of them the packets of the request are looked for in the ports and on the wires of its paths, and its pages in the
//! device. Whatever is found says when it goes on, so that the times are those of the run to the picosecond; only when a
//! packet joined the first port is known no closer than a window.

mod journey;
#[cfg(test)]
mod tests;
mod trail;
mod watch;

use crate::access::Operation;
use crate::kernel::convert::{index, index_u32};
use crate::kernel::ids::ClassId;
use crate::simulation::Simulation;

pub use journey::{Hop, Journey, Leg, Moments, PacketTrail, PageTrail};
pub use watch::Watch;

use trail::Trail;

/// Most requests among which the slowest is looked for.
pub const MAX_REQUESTS: u32 = 10_000;

/// Which request is to be followed: of those that a class issues from now on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wish {
    /// The class.
    pub class: ClassId,
    /// Reads or writes only.
    pub operation: Option<Operation>,
    /// The slowest of the next so many, at least 1 and at most [`MAX_REQUESTS`]; 1 for the next.
    pub of: u32,
}

/// A copy of a run that goes on, first to find the request, then to follow it.
#[derive(Clone, Debug)]
pub struct Follow {
    wish: Wish,
    state: State,
}

#[derive(Clone, Debug)]
enum State {
    /// Looks which request it is. Beside it the run as it was.
    Search(Box<Simulation>, Box<Simulation>),
    /// Comes to the instant at which that is issued, then goes with it.
    Trail(Box<Trail>),
    /// None was issued before the end of the run.
    Nothing,
}

impl Follow {
    /// Follows a request of a run from where it stands. The run itself is not touched.
    pub fn new(run: &Simulation, wish: Wish) -> Self {
        let wish = Wish { of: wish.of.clamp(1, MAX_REQUESTS), ..wish };
        let mut search = run.clone();
        search.watch = Some(Box::new(Watch::new(wish.class, wish.operation, 0, index(u64::from(wish.of)))));
        Self { wish, state: State::Search(Box::new(search), Box::new(run.clone())) }
    }

    /// Works for about so many events. Returns whether it is through.
    pub fn advance(&mut self, max_events: u64) -> bool {
        match &mut self.state {
            State::Search(search, _) => {
                let is_over = search.advance(u64::MAX, max_events);
                if is_over || search.watch.as_ref().is_some_and(|watch| watch.is_over()) {
                    self.begin_trail();
                }
                matches!(self.state, State::Nothing)
            }
            State::Trail(trail) => trail.advance(max_events),
            State::Nothing => true,
        }
    }

    /// Simulated time that it has come to.
    pub fn now_ps(&self) -> u64 {
        match &self.state {
            State::Search(search, _) => search.now_ps,
            State::Trail(trail) => trail.now_ps(),
            State::Nothing => 0,
        }
    }

    /// What became of the request; none if the class issued none before the end of the run.
    pub fn journey(&self) -> Option<Journey> {
        let State::Trail(trail) = &self.state else { return None };
        trail.journey()
    }

    /// The request is known: the slowest that is done, or else the first.
    fn begin_trail(&mut self) {
        let State::Search(search, run) = std::mem::replace(&mut self.state, State::Nothing) else { return };
        let noted = search.watch.map(|watch| watch.noted).unwrap_or_default();
        let latencies = || noted.iter().map(|noted| noted.latency_ps());
        // Of equals the first; none done comes before all that are.
        let slowest = latencies().enumerate().max_by_key(|&(number, ps)| (ps, std::cmp::Reverse(number)));
        let Some((number, latency_ps)) = slowest else { return };
        let chosen = &noted[number];
        let watch = Watch::new(self.wish.class, self.wish.operation, number as u64, 1);
        let slower_than = latencies().flatten().filter(|&ps| Some(ps) < latency_ps).count();
        let rank = [noted.len(), slower_than].map(index_u32);
        self.state = State::Trail(Box::new(Trail::new(*run, watch, chosen.issued_ps, chosen.operation, rank)));
    }
}
