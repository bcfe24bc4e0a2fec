//! Goes through a run event by event: what a person sees who steps through it. No result depends on it.

use crate::kernel::ids::NodeId;
use crate::kernel::time::NEVER_PS;
use crate::simulation::Simulation;

/// So far before the present the last event is looked for first, in picoseconds.
const FIRST_LOOK_PS: u64 = 1_000_000;

/// What happens at an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    /// A packet reaches a node, or one has left its port.
    Packet,
    /// A storage device goes on.
    Device,
    /// A timer fires: of an application, of the software of access, of a connection or of its port.
    Timer,
    /// Targets or weights of a class are renewed, or a change of the timeline takes effect.
    Control,
}

/// An event: what happens, and at which node; of [`What::Control`] at none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Event {
    /// What happens.
    pub what: What,
    /// Where.
    pub node: Option<NodeId>,
}

impl Simulation {
    /// Runs to just after the instant of the next event, one picosecond later, or to the end of the run. Returns what happened at
    /// that instant, none at the end. Samples are taken on the way and are no events.
    pub fn step_event(&mut self) -> Vec<Event> {
        while self.now_ps < self.duration_ps {
            let next_ps = self.earliest_packet_ps().min(self.next_action_ps());
            let events = self.events_at(next_ps);
            let before = self.events();
            self.run_until(next_ps.saturating_add(1));
            if !events.is_empty() && self.events() > before {
                return events;
            }
        }
        Vec::new()
    }

    fn earliest_packet_ps(&self) -> u64 {
        self.network.earliest_ps().iter().copied().min().unwrap_or(NEVER_PS)
    }

    /// What is due at an instant before which nothing is.
    fn events_at(&self, at_ps: u64) -> Vec<Event> {
        let is_control = self.control.next_ps().min(self.next_change_ps()) == at_ps;
        let control = is_control.then_some(Event { what: What::Control, node: None });
        let earliest_ps = self.network.earliest_ps();
        let due = (0..earliest_ps.len()).filter(|&node| earliest_ps[node] == at_ps).map(NodeId::at);
        let at_nodes = due.map(|node| {
            let what = if self.network.next_event_ps(node) == at_ps {
                What::Packet
            } else if self.plan.graph.is_host(node) && self.storage.next_ps(node) == at_ps {
                What::Device
            } else {
                What::Timer
            };
            Event { what, node: Some(node) }
        });
        at_nodes.chain(control).collect()
    }

    /// The last event before the present instant, and where a run that was stepped there event by event stood just after it; none
    /// if nothing happened before. `past` gives this run at the instant asked for.
    pub fn last_event(&self, mut past: impl FnMut(u64) -> Option<Self>) -> Option<(u64, Vec<Event>)> {
        let mut look_ps = FIRST_LOOK_PS;
        loop {
            let from_ps = self.now_ps.saturating_sub(look_ps);
            let mut run = past(from_ps)?;
            let mut last = None;
            loop {
                let events = run.step_event();
                if events.is_empty() || run.now_ps >= self.now_ps {
                    break;
                }
                last = Some((run.now_ps, events));
            }
            if last.is_some() || from_ps == 0 {
                return last;
            }
            look_ps = look_ps.saturating_mul(8);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario;

    const US: u64 = 1_000_000;

    fn run() -> Simulation {
        let json = &qoscope_committed::text("three-writers");
        Simulation::new(&scenario::load(json).expect("the preset is sound")).expect("it can be laid out")
    }

    /// The run at an instant.
    fn at(ps: u64) -> Option<Simulation> {
        let mut run = run();
        run.run_until(ps);
        Some(run)
    }

    #[test]
    fn steps_come_to_the_state_that_a_run_comes_to() {
        let (mut stepped, mut through) = (run(), run());
        stepped.run_until(300 * US);
        let mut steps = 0;
        while stepped.now_ps() < 310 * US {
            let (before_ps, before) = (stepped.now_ps(), stepped.events());
            let events = stepped.step_event();
            assert!(!events.is_empty() && stepped.now_ps() > before_ps && stepped.events() > before);
            steps += 1;
        }
        assert!(steps > 300, "{steps}");
        through.run_until(stepped.now_ps());
        assert_eq!(stepped.digest(), through.digest());
        assert_eq!(stepped.events(), through.events());
    }

    #[test]
    fn no_event_is_passed_over() {
        let mut stepped = run();
        stepped.run_until(300 * US);
        for _ in 0..500 {
            let mut before = stepped.clone();
            let hops = stepped.network.packet_hops();
            stepped.step_event();
            before.run_until(stepped.now_ps() - 1);
            assert_eq!(before.network.packet_hops(), hops, "at {} ps", stepped.now_ps());
        }
    }

    #[test]
    fn a_step_back_leads_to_where_the_step_before_ended() {
        let mut stepped = run();
        stepped.run_until(300 * US);
        let steps: Vec<(u64, Vec<Event>)> = std::iter::repeat_with(|| {
            let events = stepped.step_event();
            (stepped.now_ps(), events)
        })
        .take(50)
        .collect();
        for pair in steps.windows(2) {
            let mut there = run();
            there.run_until(pair[1].0);
            assert_eq!(there.last_event(at).as_ref(), Some(&pair[0]));
        }
        assert_eq!(run().last_event(at), None);
    }

    #[test]
    fn it_ends_with_the_run() {
        let mut through = run();
        let end_ps = through.duration_ps();
        through.run_until(end_ps - US);
        while !through.step_event().is_empty() {}
        assert_eq!(through.now_ps(), end_ps);
    }
}
