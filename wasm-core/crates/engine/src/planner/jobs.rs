//! What a planner finds out by looking at requests many times over, a piece at a time.

use std::ops::Range;
use std::rc::Rc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{
    Burstiness, ContractPlan, Outcome, Suggestion, TAIL_POINTS, TenantOutcome, WISHES, burstiness, contract_plan,
};
use crate::kernel::convert::{byte, index, index_u32, short};
use crate::kernel::histogram::LatencyHistogram;
use crate::kernel::time::from_us;
use crate::model::decomposition::{CapacitySearch, ContractSearch, Wish};
use crate::model::server::{Arrival, Server};
use crate::qos::tenants::{Cascade, Contract, MAX_CLASSES, Scheduler, TenantScheduler, Terms, capacity};

/// Arrivals of all tenants: by tenant, in order of time, in picoseconds.
pub type Workloads = Rc<Vec<Vec<u64>>>;

/// What a job is to find out.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "camelCase")]
#[schemars(rename = "PlannerQuestion")]
pub enum Question {
    /// Which nested classes the requests of a tenant are in, over the run and between two instants, in so many parts.
    #[serde(rename_all = "camelCase")]
    Classes {
        /// Its number.
        tenant: usize,
        /// The first instant.
        from_us: f64,
        /// The last.
        to_us: f64,
        /// Parts.
        bins: usize,
    },
    /// How bursty a tenant is.
    Windows {
        /// Its number.
        tenant: usize,
    },
    /// The contract that its workload suggests.
    Suggestion {
        /// Its number.
        tenant: usize,
    },
    /// The capacity with which all of its requests are answered within its first response time.
    Single {
        /// Its number.
        tenant: usize,
    },
    /// How all tenants fare under a scheduler.
    Outcome {
        /// The scheduler.
        scheduler: TenantScheduler,
    },
}

/// What a job has found out.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum Findings {
    /// Requests by nested class.
    Classes(Decomposed),
    /// Burstiness at growing scales.
    Windows(Vec<Burstiness>),
    /// A contract.
    Suggestion(Suggestion),
    /// A capacity; none without a contract.
    Single(Option<f64>),
    /// By tenant; empty where there is no capacity to serve them with.
    Outcome(Vec<TenantOutcome>),
}

/// The classes of the requests of a tenant.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Decomposed {
    /// By nested class, what overflows last, then by part of the time: requests.
    pub counts: Vec<u32>,
    /// By nested class: requests of the whole run.
    pub totals: Vec<u64>,
}

/// Most parts of the time that are counted at once.
const MAX_BINS: usize = 10_000;

/// A question that is being answered.
pub struct Job {
    workloads: Workloads,
    work: Work,
    /// Requests looked at, and to be looked at as far as that is known.
    done: u64,
    all: u64,
}

enum Work {
    Classes(Box<Classifying>),
    Windows { tenant: usize, windows_ps: Vec<u64>, found: Vec<Burstiness> },
    Single { tenant: usize, search: CapacitySearch },
    Suggestion { tenant: usize, search: ContractSearch, single: Option<(Contract, CapacitySearch)> },
    Outcome(Box<Serving>),
    Done(Findings),
}

/// Passes over the requests of a search, about.
const PASSES: u64 = 18;

impl Job {
    /// Which nested classes requests are in.
    pub fn classes(
        workloads: &Workloads,
        tenant: usize,
        contract: &Contract,
        time_ps: Range<u64>,
        bins: usize,
    ) -> Self {
        let bins = bins.clamp(1, MAX_BINS);
        let classes = contract.promises().len() + 1;
        let found = Decomposed { counts: vec![0; bins * classes], totals: vec![0; classes] };
        let cascade = Cascade::new(contract);
        Self::new(
            workloads,
            tenant,
            1,
            Work::Classes(Box::new(Classifying { tenant, cascade, time_ps, bins, next: 0, bin: 0, found })),
        )
    }

    /// How bursty a tenant is in windows of these lengths.
    pub fn windows(workloads: &Workloads, tenant: usize, windows_ps: Vec<u64>) -> Self {
        let passes = windows_ps.len() as u64;
        Self::new(workloads, tenant, passes, Work::Windows { tenant, windows_ps, found: Vec::new() })
    }

    /// What a contract would need as a promise of a single level; no work at all without one.
    pub fn single(workloads: &Workloads, tenant: usize, contract: &Contract) -> Self {
        let work = match contract.promises().first() {
            Some(first) => {
                Work::Single { tenant, search: CapacitySearch::new(workloads[tenant].len(), 1.0, first.response_ps) }
            }
            None => Work::Done(Findings::Single(None)),
        };
        Self::new(workloads, tenant, PASSES, work)
    }

    /// The contract that a workload suggests; an empty one without requests.
    pub fn suggestion(workloads: &Workloads, tenant: usize) -> Self {
        let wishes = WISHES.map(|(fraction, response_us)| Wish { fraction, response_ps: from_us(response_us) });
        let requests = workloads[tenant].len();
        let wishes = if requests == 0 { &[][..] } else { &wishes };
        let search = ContractSearch::new(requests, wishes);
        Self::new(workloads, tenant, 7 * PASSES, Work::Suggestion { tenant, search, single: None })
    }

    /// How tenants fare under a scheduler.
    pub fn outcome(workloads: &Workloads, scheduler: TenantScheduler, terms: &Terms) -> Self {
        let work = if terms.capacity > 0.0 {
            Work::Outcome(Box::new(Serving::new(workloads, scheduler, terms)))
        } else {
            Work::Done(Findings::Outcome(Vec::new()))
        };
        let all = workloads.iter().map(|arrivals| arrivals.len() as u64).sum();
        Self { workloads: Rc::clone(workloads), work, done: 0, all }
    }

    fn new(workloads: &Workloads, tenant: usize, passes: u64, work: Work) -> Self {
        let all = passes * workloads[tenant].len() as u64;
        Self { workloads: Rc::clone(workloads), work, done: 0, all }
    }

    /// How far it is, from 0 to 1.
    pub fn progress(&self) -> f64 {
        match self.work {
            Work::Done(_) => 1.0,
            _ => (self.done as f64 / self.all.max(1) as f64).min(0.99),
        }
    }

    /// What it has found out, once it has.
    pub fn findings(&self) -> Option<&Findings> {
        match &self.work {
            Work::Done(findings) => Some(findings),
            _ => None,
        }
    }

    /// Goes on until it has looked at about `budget` requests more, at least for one pass. Returns whether it is done.
    pub fn advance(&mut self, budget: u64) -> bool {
        let mut left = budget.max(1);
        while left > 0 && self.findings().is_none() {
            let looked = self.step(left);
            self.done = self.done.saturating_add(looked);
            left = left.saturating_sub(looked);
        }
        self.findings().is_some()
    }

    /// Goes on to the end.
    pub fn finish(mut self) -> Findings {
        while !self.advance(u64::MAX) {}
        match self.work {
            Work::Done(findings) => findings,
            _ => unreachable!("a job ends with what it found"),
        }
    }

    /// One pass, or as many requests as are left. Returns how many requests it looked at.
    fn step(&mut self, left: u64) -> u64 {
        match &mut self.work {
            Work::Classes(classifying) => {
                let looked = classifying.classify(&self.workloads[classifying.tenant], left);
                if looked < left {
                    self.work = Work::Done(Findings::Classes(std::mem::take(&mut classifying.found)));
                }
                looked.max(1)
            }
            Work::Windows { tenant, windows_ps, found } => {
                let arrivals = &self.workloads[*tenant];
                match windows_ps.get(found.len()) {
                    Some(&window_ps) => found.push(burstiness(arrivals, window_ps)),
                    None => self.work = Work::Done(Findings::Windows(std::mem::take(found))),
                }
                arrivals.len().max(1) as u64
            }
            Work::Single { tenant, search } => {
                let arrivals = &self.workloads[*tenant];
                if let Some(capacity) = search.step(arrivals) {
                    self.work = Work::Done(Findings::Single(Some(capacity)));
                }
                arrivals.len().max(1) as u64
            }
            Work::Suggestion { tenant, search, single } => {
                let arrivals = &self.workloads[*tenant];
                match single {
                    None => {
                        if let Some(contract) = search.step(arrivals) {
                            let response_ps = contract.promises().first().map_or(1, |first| first.response_ps);
                            let fraction = if contract.promises().is_empty() { 0.0 } else { 1.0 };
                            *single = Some((contract, CapacitySearch::new(arrivals.len(), fraction, response_ps)));
                        }
                    }
                    Some((contract, search)) => {
                        if let Some(capacity) = search.step(arrivals) {
                            let contract = contract_plan(arrivals, contract, capacity);
                            self.work = Work::Done(Findings::Suggestion(suggestion(contract)));
                        }
                    }
                }
                arrivals.len().max(1) as u64
            }
            Work::Outcome(serving) => {
                if serving.serve(left) {
                    self.work = Work::Done(Findings::Outcome(serving.outcomes()));
                }
                left
            }
            Work::Done(_) => left,
        }
    }
}

fn suggestion(contract: ContractPlan) -> Suggestion {
    let fractions = WISHES.iter().map(|(fraction, _)| *fraction).take(contract.classes.len()).collect();
    Suggestion { fractions, contract }
}

/// The requests of a tenant on their way through its cascade.
struct Classifying {
    tenant: usize,
    cascade: Cascade,
    time_ps: Range<u64>,
    bins: usize,
    next: usize,
    /// The part of the time that it is in.
    bin: usize,
    found: Decomposed,
}

impl Classifying {
    /// Classifies so many requests more, as far as there are. Returns how many.
    fn classify(&mut self, arrivals: &[u64], requests: u64) -> u64 {
        let Self { cascade, time_ps, bins, next, bin, found, .. } = self;
        let end = next.saturating_add(index(requests)).min(arrivals.len());
        let some = &arrivals[*next..end];
        let edge_ps = |bin: usize| {
            let span = u128::from(time_ps.end.saturating_sub(time_ps.start));
            // Below the end of the time, which fits.
            time_ps.start + u64::try_from(span * (bin as u128 + 1) / *bins as u128).unwrap_or(u64::MAX)
        };
        let mut next_ps = edge_ps(*bin);
        for &at_ps in some {
            let class = cascade.classify(at_ps);
            found.totals[class] += 1;
            if time_ps.contains(&at_ps) {
                while at_ps >= next_ps {
                    *bin += 1;
                    next_ps = edge_ps(*bin);
                }
                found.counts[class * *bins + *bin] += 1;
            }
        }
        *next = end;
        some.len() as u64
    }
}

/// Arrivals of all tenants in order of time; at one instant in the order of the tenants.
struct Merged {
    workloads: Workloads,
    nexts: Vec<usize>,
}

impl Iterator for Merged {
    type Item = Arrival;

    #[inline]
    fn next(&mut self) -> Option<Arrival> {
        let due = self.workloads.iter().zip(&self.nexts).enumerate();
        let (at_ps, tenant) = due.filter_map(|(tenant, (all, &next))| Some((*all.get(next)?, tenant))).min()?;
        self.nexts[tenant] += 1;
        Some(Arrival { at_ps, tenant: short(index_u32(tenant)) })
    }
}

/// Tenants at one server of constant capacity, and what became of their requests.
struct Serving {
    server: Server<Merged>,
    contracts: Vec<Contract>,
    /// By tenant.
    tenants: Vec<Served>,
}

#[derive(Clone, Default)]
struct Served {
    requests: u64,
    histogram: LatencyHistogram,
    within: [u64; MAX_CLASSES],
    late: [u64; MAX_CLASSES],
}

impl Serving {
    fn new(workloads: &Workloads, scheduler: TenantScheduler, terms: &Terms) -> Self {
        let merged = Merged { workloads: Rc::clone(workloads), nexts: vec![0; workloads.len()] };
        Self {
            server: Server::new(Scheduler::new(scheduler, terms), capacity::service_ps(terms.capacity), merged),
            contracts: terms.contracts.clone(),
            tenants: vec![Served::default(); workloads.len()],
        }
    }

    /// Serves so many requests more; whether these were the last.
    fn serve(&mut self, requests: u64) -> bool {
        let Self { server, contracts, tenants } = self;
        let mut left = requests;
        for (waiting, done_ps) in server.take(usize::try_from(requests).unwrap_or(usize::MAX)) {
            left -= 1;
            let tenant = usize::from(waiting.tenant);
            let response_ps = done_ps - waiting.at_ps;
            let served = &mut tenants[tenant];
            served.requests += 1;
            served.histogram.record_ps(response_ps);
            for (number, promise) in contracts[tenant].promises().iter().enumerate() {
                let in_time = response_ps <= promise.response_ps;
                served.within[number] += u64::from(in_time);
                served.late[number] += u64::from(!in_time && waiting.class == byte(index_u32(number)));
            }
        }
        left > 0
    }

    fn outcomes(&self) -> Vec<TenantOutcome> {
        let outcome = |(served, contract): (&Served, &Contract)| {
            let count = contract.promises().len();
            let share = |&within: &u64| (served.requests > 0).then(|| within as f64 / served.requests as f64);
            TenantOutcome {
                within: served.within[..count].iter().map(share).collect(),
                late: served.late[..count].to_vec(),
                p99_us: served.histogram.quantile_us(0.99),
                tail: served.histogram.tail(TAIL_POINTS),
            }
        };
        self.tenants.iter().zip(&self.contracts).map(outcome).collect()
    }
}

/// How tenants fare under a scheduler, at once.
pub fn side_by_side(workloads: &Workloads, scheduler: TenantScheduler, terms: &Terms) -> Outcome {
    let tenants = match Job::outcome(workloads, scheduler, terms).finish() {
        Findings::Outcome(tenants) => tenants,
        _ => Vec::new(),
    };
    Outcome { scheduler, tenants }
}
