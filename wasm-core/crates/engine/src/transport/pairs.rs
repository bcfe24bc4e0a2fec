//! The connections of a class from one host to another, which share what they know of the rate between them (DIRS).

use crate::kernel::convert::index_u32;
use crate::kernel::ids::{ClassId, FlowId, PairId};
use crate::kernel::time::NEVER_PS;
use crate::transport::dirs::{InitialRate, Policy};
use crate::transport::timer::{Timer, Timers};

/// The connections of a class between two hosts.
#[derive(Clone, Debug)]
struct Pair {
    class: ClassId,
    flows: Vec<FlowId>,
    /// What is known of the rate between them; none without DIRS.
    known: Option<InitialRate>,
    /// When the earliest timer fires that will look at it; [`NEVER_PS`] if none runs.
    timer_ps: u64,
}

/// All pairs of hosts, those of every class counted by themselves.
#[derive(Clone, Debug, Default)]
pub struct Pairs {
    pairs: Vec<Pair>,
    /// By connection.
    of: Vec<PairId>,
}

impl Pairs {
    /// The next connection joins a pair, which may be a new one.
    pub fn join(&mut self, id: PairId, class: ClassId, policy: Option<&Policy>) {
        if id.index() == self.pairs.len() {
            let known = policy.map(|policy| InitialRate::new(policy, 0));
            self.pairs.push(Pair { class, flows: Vec::new(), known, timer_ps: NEVER_PS });
        }
        self.pairs[id.index()].flows.push(FlowId(index_u32(self.of.len())));
        self.of.push(id);
    }

    /// The pair of a connection.
    pub fn of(&self, flow: FlowId) -> PairId {
        self.of[flow.index()]
    }

    /// The class of a pair.
    pub fn class(&self, pair: PairId) -> ClassId {
        self.pairs[pair.index()].class
    }

    /// Number of pairs.
    pub fn len(&self) -> usize {
        self.pairs.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.pairs.is_empty()
    }

    /// A class has another policy: its pairs begin anew with what they know.
    pub fn set_policy(&mut self, class: ClassId, policy: Option<&Policy>, now_ps: u64) {
        for pair in self.pairs.iter_mut().filter(|pair| pair.class == class) {
            pair.known = policy.map(|policy| InitialRate::new(policy, now_ps));
            pair.timer_ps = NEVER_PS;
        }
    }

    /// Congestion is reported for a flow of a connection that has nothing left to send. Returns whether the pair takes the
    /// report, which it does under a policy.
    pub fn on_late_notification(
        &mut self,
        flow: FlowId,
        now_ps: u64,
        quality: f64,
        policy: Option<&Policy>,
        timers: &mut Timers,
    ) -> bool {
        let id = self.of(flow);
        let (Some(known), Some(policy)) = (&mut self.pairs[id.index()].known, policy) else { return false };
        known.on_late_notification(now_ps, quality, policy);
        self.set_timer(id, timers);
        true
    }

    /// A new flow begins on a connection. Returns the lowest rate known, to begin at; none: the rate of the link. `rate_bps`
    /// is the rate of a connection that is in use.
    pub fn begin_flow(
        &mut self,
        flow: FlowId,
        now_ps: u64,
        rate_bps: impl Fn(FlowId) -> Option<f64>,
        policy: Option<&Policy>,
        timers: &mut Timers,
    ) -> Option<f64> {
        let id = self.of(flow);
        let Pair { flows, known, .. } = &mut self.pairs[id.index()];
        let (Some(known), Some(policy)) = (known, policy) else { return None };
        let initial_bps = known.initial_bps(now_ps, flows.iter().filter_map(|&flow| rate_bps(flow)), policy);
        self.set_timer(id, timers);
        Some(initial_bps)
    }

    fn set_timer(&mut self, id: PairId, timers: &mut Timers) {
        let Pair { known: Some(known), timer_ps, .. } = &mut self.pairs[id.index()] else { return };
        let next_ps = known.next_ps();
        if next_ps < *timer_ps {
            *timer_ps = next_ps;
            timers.set(next_ps, Timer::InitialRate(id.0));
        }
    }

    /// A timer of what is known between two hosts has fired; it may be stale.
    pub fn on_timer(
        &mut self,
        id: PairId,
        now_ps: u64,
        rate_bps: impl Fn(FlowId) -> Option<f64>,
        policy: Option<&Policy>,
        timers: &mut Timers,
    ) {
        let Pair { flows, known, timer_ps, .. } = &mut self.pairs[id.index()];
        if *timer_ps != now_ps {
            return;
        }
        *timer_ps = NEVER_PS;
        if let (Some(known), Some(policy)) = (known, policy)
            && known.next_ps() <= now_ps
        {
            known.on_timer(now_ps, flows.iter().filter_map(|&flow| rate_bps(flow)), policy);
        }
        self.set_timer(id, timers);
    }
}
