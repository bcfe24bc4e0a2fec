//! States of a run that are kept on its way, so that going back in time need not begin at the start.
//!
//! A state is plain data, and a copy of it goes on exactly as the original did. It can also go on as another run, if that
//! would have come to the same state: one that differs in nothing but changes of parameters that were still to come, and in
//! what it tells its readers.

use crate::kernel::ids::LinkId;
use crate::kernel::time::from_us;
use crate::scenario::document::Scenario;
use crate::scenario::size::request_limits;
use crate::simulation::{Simulation, try_changes};

/// States are first kept this often in a run.
const FIRST_INTERVALS: u64 = 64;
/// Most states kept; when there are as many, every second one is given up.
const MAX_CHECKPOINTS: usize = 16;
/// Most memory of all states together, in bytes.
const MAX_BYTES: u64 = 256 << 20;

/// States of one run, in order of time.
#[derive(Clone, Debug, Default)]
pub struct Checkpoints {
    kept: Vec<Simulation>,
    /// Least time between two of them; 0 before the first is kept.
    interval_ps: u64,
    /// The state that was asked to be kept, from which single steps back begin.
    near: Option<Box<Simulation>>,
}

impl Checkpoints {
    /// The run has come to `present`: keeps that if it is time to.
    pub fn note(&mut self, present: &Simulation) {
        if self.interval_ps == 0 {
            self.interval_ps = (present.duration_ps() / FIRST_INTERVALS).max(1);
        }
        let last_ps = self.kept.last().map_or(0, Simulation::now_ps);
        if present.now_ps() < last_ps + self.interval_ps {
            return;
        }
        // A state grows with the run: the present one is not much smaller than those before.
        let bytes = present.state_bytes();
        let room = usize::try_from(MAX_BYTES / bytes.max(1)).unwrap_or(MAX_CHECKPOINTS).min(MAX_CHECKPOINTS);
        while !self.kept.is_empty() && self.kept.len() >= room {
            self.thin_out();
        }
        if room > 0 {
            self.kept.push(present.clone());
        }
    }

    /// Gives up every second state, the first, the third and so on.
    fn thin_out(&mut self) {
        let mut number = 0;
        self.kept.retain(|_| {
            number += 1;
            number % 2 == 0
        });
        self.interval_ps *= 2;
    }

    /// A run of `scenario` at the latest instant up to `until_ps` at which it stood exactly as a state that is kept, or as
    /// the `present` one; none if it never did. What lies after that is forgotten.
    pub fn rewind(&mut self, present: &Simulation, scenario: &Scenario, until_ps: u64) -> Option<Simulation> {
        let found = self.find(present, scenario, until_ps);
        match &found {
            Some(found) => {
                self.kept.retain(|state| state.now_ps() <= found.now_ps());
                self.near = self.near.take().filter(|state| state.now_ps() <= found.now_ps());
            }
            None => *self = Self::default(),
        }
        found
    }

    /// As [`Self::rewind`], but forgets nothing.
    pub fn find(&self, present: &Simulation, scenario: &Scenario, until_ps: u64) -> Option<Simulation> {
        let limits = request_limits(scenario);
        let near = self.near.as_deref();
        let (before, after) = self.kept.split_at(match near {
            Some(near) => self.kept.partition_point(|state| state.now_ps() <= near.now_ps()),
            None => self.kept.len(),
        });
        let states = before.iter().chain(near).chain(after).chain([present]);
        let reached = states.filter(|state| state.now_ps() <= until_ps);
        reached.rev().find_map(|state| state.as_run_of(scenario, &limits))
    }

    /// Keeps a state of the run besides those that are kept by themselves, in the place of the last one that was: unless it is
    /// larger than all of them together may be.
    pub fn keep(&mut self, state: &Simulation) {
        self.near = (state.state_bytes() <= MAX_BYTES).then(|| Box::new(state.clone()));
    }
}

impl Simulation {
    /// This state as one of a run of `scenario`, if that would have come to it too. `limits` are the request limits of that
    /// scenario.
    fn as_run_of(&self, scenario: &Scenario, limits: &[u64]) -> Option<Self> {
        let (past, to_come) = self.scenario.timeline.split_at(self.next_change);
        let same_past = scenario.timeline.get(..past.len())? == past;
        let still_to_come = scenario.timeline.get(past.len()).is_none_or(|next| from_us(next.at_us) > self.now_ps);
        let same_limits = self.request_limits == limits;
        if !(same_past
            && still_to_come
            && same_limits
            && without_timeline(&self.scenario.annotated_as(scenario)) == without_timeline(scenario))
        {
            return None;
        }
        if scenario.timeline[past.len()..] != *to_come {
            try_changes(&self.current, &scenario.timeline, self.next_change, &self.plan).ok()?;
        }
        let current = self.current.annotated_as(scenario);
        Some(Self { scenario: scenario.clone(), current, ..self.clone() })
    }

    /// About the memory that a copy of this state takes, in bytes.
    fn state_bytes(&self) -> u64 {
        /// Of a connection with both of its ends, of a link, and of the histograms of a class.
        const FLOW: usize = 2000;
        const LINK: usize = 500;
        const CLASS: usize = 3 << 17;
        let links = (0..self.plan.graph.wires().len()).map(LinkId::at);
        let packets: u64 = links.map(|link| self.network.port(link).in_flight()).sum();
        let fixed =
            FLOW * self.connections.len() + LINK * self.plan.graph.wires().len() + CLASS * self.control.classes.len();
        let held = 100 * self.requests_held() + self.storage.bytes();
        fixed as u64 + held as u64 + 32 * packets + self.measurement.bytes()
    }
}

fn without_timeline(scenario: &Scenario) -> Scenario {
    Scenario { timeline: Vec::new(), ..scenario.clone() }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::scenario;

    fn preset() -> Scenario {
        scenario::from_value(qoscope_committed::document("three-writers")).expect("the preset is sound")
    }

    const US: u64 = 1_000_000;

    /// A run of the preset of 2 ms that has come to its end in slices of 10 us.
    fn run() -> (Checkpoints, Simulation) {
        let preset = preset();
        let mut present = Simulation::new(&Scenario { duration_us: 2000.0, ..preset }).expect("it can be laid out");
        let mut checkpoints = Checkpoints::default();
        while present.now_ps() < present.duration_ps() {
            present.run_until(present.now_ps() + 10 * US);
            checkpoints.note(&present);
        }
        (checkpoints, present)
    }

    fn digest(mut simulation: Simulation) -> u64 {
        simulation.run_until(u64::MAX);
        simulation.digest()
    }

    #[test]
    fn few_states_are_kept_however_long_the_run() {
        let (checkpoints, present) = run();
        let instants: Vec<u64> = checkpoints.kept.iter().map(|state| state.now_ps() / US).collect();
        assert!((MAX_CHECKPOINTS / 2..=MAX_CHECKPOINTS).contains(&instants.len()), "{instants:?}");
        assert!(instants.is_sorted() && instants[0] <= 2000 / 4, "{instants:?}");
        assert!(present.state_bytes() * (MAX_CHECKPOINTS as u64) < MAX_BYTES);
    }

    #[test]
    fn states_count_what_drives_hold_and_are_fewer_for_it() {
        let drives = |count: usize| {
            let devices: Vec<_> =
                (0..count).map(|number| json!({ "name": format!("d{number}"), "kind": "ssd" })).collect();
            let document = json!({
                "version": 3, "name": "drives", "durationUs": 200,
                "topology": { "shape": { "kind": "dumbbell", "senders": 1, "receivers": 1, "switches": 1 } },
                "classes": [{ "name": "A", "transport": "dctcp" }],
                "access": { "protocol": "nvme-tcp" },
                "storage": { "servers": [{ "host": "h1", "devices": devices }], "ssd": { "preset": "xl-flash", "allocation": "cwdp" } },
                "workloads": [{ "class": "A", "endpoints": { "kind": "pairs", "initiators": ["h0"], "targets": ["h1"] },
                    "traffic": { "kind": "closed-loop", "outstanding": 8, "size": { "kind": "fixed", "bytes": 4096 } } }],
            });
            Simulation::new(&scenario::from_value(document).expect("it is sound")).expect("it can be laid out")
        };
        let ssd = crate::simulation::devices::ssd(drives(1).scenario());
        // Valid pages, erases, age and the place of the reverse map of every block.
        let blocks = u64::from(ssd.geometry.planes()) * u64::from(ssd.geometry.blocks_per_plane);
        let [one, many] = [1, 33].map(|count| drives(count).state_bytes());
        assert!(many - one >= 32 * (4 + 2 + 4 + 4) * blocks, "{one} and {many} bytes, {blocks} blocks");
        let mut large = drives(33);
        let mut checkpoints = Checkpoints::default();
        for slice in 1..=20 {
            large.run_until(slice * 10 * US);
            checkpoints.note(&large);
        }
        let kept: u64 = checkpoints.kept.iter().map(Simulation::state_bytes).sum();
        assert!((1..=MAX_BYTES).contains(&kept), "{} states of {kept} bytes", checkpoints.kept.len());
    }

    #[test]
    fn a_run_gone_back_in_comes_to_the_same_end() {
        let (mut checkpoints, present) = run();
        let scenario = present.scenario().clone();
        let back = checkpoints.rewind(&present, &scenario, 1000 * US).expect("a state is kept");
        assert!((700 * US..=1000 * US).contains(&back.now_ps()), "{}", back.now_ps());
        assert!(checkpoints.kept.iter().all(|state| state.now_ps() <= back.now_ps()));
        assert_eq!(digest(back), present.digest());
    }

    #[test]
    fn a_change_that_is_undone_or_moved_leaves_what_came_before_it() {
        let (mut checkpoints, mut live) = run();
        let plain = live.scenario().clone();
        live = checkpoints.rewind(&live, &plain, 1000 * US).expect("a state is kept");
        live.run_until(1000 * US);
        live.apply("classes[0].ratio", 9.into()).expect("a ratio is live");
        let changed = live.scenario().clone();
        live.run_until(1500 * US);
        checkpoints.note(&live);
        // With the change to come, from before it; with the change made, from after it.
        let before = checkpoints.clone().rewind(&live, &changed, 999 * US).expect("a state from before it");
        assert_eq!(before.scenario(), &changed);
        let after = checkpoints.clone().rewind(&live, &changed, 1500 * US).expect("a state from after it");
        assert_eq!(after.now_ps(), 1500 * US);
        let replayed = digest(Simulation::new(&changed).expect("it can be laid out"));
        assert_eq!([digest(before), digest(after)], [replayed; 2]);
        // Without the change nothing after it counts.
        let undone = checkpoints.rewind(&live, &plain, 1500 * US).expect("a state from before it");
        assert!(undone.now_ps() < 1000 * US);
        assert_eq!(digest(undone), digest(Simulation::new(&plain).expect("it can be laid out")));
    }

    #[test]
    fn a_state_that_is_kept_on_demand_is_found_and_forgotten_with_what_comes_after_it() {
        let (mut checkpoints, present) = run();
        let scenario = present.scenario().clone();
        let mut near = checkpoints.find(&present, &scenario, 1000 * US).expect("a state is kept");
        near.run_until(1000 * US);
        checkpoints.keep(&near);
        let instant = |checkpoints: &Checkpoints, us: u64| {
            checkpoints.find(&present, &scenario, us * US).map(|state| state.now_ps() / US)
        };
        assert_eq!(instant(&checkpoints, 1001), Some(1000));
        assert!(instant(&checkpoints, 999) < Some(1000) && instant(&checkpoints, 1900) > Some(1000));
        let back = checkpoints.rewind(&present, &scenario, 1001 * US).expect("the state is kept");
        assert_eq!(back.now_ps(), 1000 * US);
        assert!(checkpoints.near.is_some());
        checkpoints.rewind(&back, &scenario, 999 * US).expect("a state before it is kept");
        assert!(checkpoints.near.is_none());
        assert_eq!(digest(back), present.digest());
    }

    #[test]
    fn what_a_scenario_tells_its_readers_changes_neither_the_run_nor_the_states_that_are_kept() {
        let (mut checkpoints, mut present) = run();
        let note = scenario::document::Note { text: "Look here.".into(), at_us: Some(700.0), node: None };
        let annotated =
            Scenario { name: "Another name".into(), notes: vec![note], story: None, ..present.scenario().clone() };
        let before = present.digest();
        present.annotate(&annotated);
        assert_eq!((present.digest(), present.scenario()), (before, &annotated));
        let back = checkpoints.rewind(&present, &annotated, 1000 * US).expect("a state is kept");
        assert!(back.now_ps() >= 700 * US, "{}", back.now_ps());
        assert_eq!((back.scenario(), back.current().notes.len()), (&annotated, 1));
        assert_eq!(digest(back), before);
    }

    #[test]
    fn another_scenario_begins_at_the_start() {
        let (mut checkpoints, present) = run();
        let other = Scenario { seed: 8, ..present.scenario().clone() };
        assert!(checkpoints.rewind(&present, &other, 2000 * US).is_none());
        assert!(checkpoints.kept.is_empty());
    }
}
