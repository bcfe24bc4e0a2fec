//! Tenants of a server: what each is promised, and the schedulers that serve them side by side.
//!
//! A tenant has a [`Contract`]: nested classes, each with an envelope of arrivals and a response time (paper 4). Its requests
//! are sorted into them by a [`Cascade`] as they arrive, whatever the scheduler, so that all schedulers are judged alike.

pub mod bucket;
pub mod bursts;
pub mod capacity;
pub mod cascade;
pub mod edf;
pub mod fair;
pub mod fcfs;
pub mod ladder;
pub mod nested;
pub mod pclock;
pub mod wf2q;
pub mod wf2q_plus;

pub use bucket::{Envelope, MOST_BURST, RATE_SCALE, TokenBucket};
pub use bursts::BurstTerms;
pub use cascade::Cascade;

use crate::kernel::convert::{byte, index_u32};
use crate::kernel::digest::Digest;
use crate::kernel::time::NEVER_PS;
use bursts::Bursts;
use edf::Edf;
use fcfs::Fcfs;
use nested::Nested;
use pclock::PClock;
use wf2q::Wf2q;
use wf2q_plus::Wf2qPlus;

/// Most nested classes of a contract.
pub const MOST_CLASSES: usize = 8;

/// A nested class: requests within the envelope are answered within the response time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Promise {
    /// (σ, ρ).
    pub envelope: Envelope,
    /// δ.
    pub response_ps: u64,
}

/// What a tenant is promised: nested classes, the innermost first. σ, ρ and δ never fall from one to the next (paper 4,
/// section 2). Without any nothing is promised.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Contract {
    promises: Vec<Promise>,
}

impl Contract {
    /// A contract of nested classes, the innermost first: at most [`MOST_CLASSES`].
    pub fn new(promises: Vec<Promise>) -> Self {
        assert!(promises.len() <= MOST_CLASSES, "a contract has at most {MOST_CLASSES} classes");
        Self { promises }
    }

    /// Its classes, the innermost first.
    pub fn promises(&self) -> &[Promise] {
        &self.promises
    }

    /// δ of a class; none of what overflows.
    pub fn response_ps(&self, class: usize) -> Option<u64> {
        self.promises.get(class).map(|promise| promise.response_ps)
    }
}

/// A request that waits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Waiting {
    /// What its owner knows it by.
    pub tag: u32,
    /// Number of its tenant.
    pub tenant: u16,
    /// Number of its nested class; the number of classes where it overflows.
    pub class: u8,
    /// When it arrived.
    pub at_ps: u64,
}

/// Requests in the order in which they came.
fn in_order(mut waiting: Vec<Waiting>) -> Vec<Waiting> {
    waiting.sort_unstable_by_key(|waiting| (waiting.at_ps, waiting.tenant, waiting.class, waiting.tag));
    waiting
}

/// How tenants are served side by side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Discipline {
    /// In the order of arrival.
    #[default]
    Fcfs,
    /// By deadlines of a single level.
    Edf,
    /// By shares, after an ideal server.
    Wf2q,
    /// By shares.
    Wf2qPlus,
    /// By deadlines that follow from arrival curves.
    PClock,
    /// By shares, and within a tenant by the deadlines of its nested classes.
    Nested,
    /// By shares, and beyond them by a ladder of bursts. The only one that keeps requests from an idle server.
    Bursts,
}

impl Discipline {
    /// All there are.
    pub const ALL: [Self; 7] =
        [Self::Fcfs, Self::Edf, Self::Wf2q, Self::Wf2qPlus, Self::PClock, Self::Nested, Self::Bursts];
}

/// All that schedulers need to know of tenants and server.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Terms {
    /// By tenant: what it is promised.
    pub contracts: Vec<Contract>,
    /// By tenant: its share of the server, relative to the others.
    pub weights: Vec<f64>,
    /// Requests a second that the server is taken to serve.
    pub capacity: f64,
    /// How bursts are treated, where the discipline does so.
    pub bursts: BurstTerms,
}

#[derive(Clone, Debug)]
enum Queues {
    Fcfs(Fcfs),
    Edf(Edf),
    Wf2q(Wf2q),
    Wf2qPlus(Wf2qPlus),
    PClock(PClock),
    Nested(Nested),
    Bursts(Bursts),
}

impl Queues {
    fn new(discipline: Discipline, terms: &Terms) -> Self {
        let Terms { contracts, weights, capacity, bursts } = terms;
        match discipline {
            Discipline::Fcfs => Self::Fcfs(Fcfs::default()),
            Discipline::Edf => Self::Edf(Edf::new(contracts)),
            Discipline::Wf2q => Self::Wf2q(Wf2q::new(weights, *capacity)),
            Discipline::Wf2qPlus => Self::Wf2qPlus(Wf2qPlus::new(weights)),
            Discipline::PClock => Self::PClock(PClock::new(contracts)),
            Discipline::Nested => Self::Nested(Nested::new(contracts, weights)),
            Discipline::Bursts => Self::Bursts(Bursts::new(bursts, weights, *capacity)),
        }
    }

    fn set(&mut self, terms: &Terms) {
        let Terms { contracts, weights, capacity, bursts } = terms;
        match self {
            Self::Fcfs(_) => {}
            Self::Edf(edf) => edf.set(contracts),
            Self::Wf2q(wf2q) => wf2q.set(weights, *capacity),
            Self::Wf2qPlus(wf2q_plus) => wf2q_plus.set(weights),
            Self::PClock(pclock) => pclock.set(contracts),
            Self::Nested(nested) => nested.set(contracts, weights),
            Self::Bursts(queues) => queues.set(bursts, weights, *capacity),
        }
    }

    #[inline]
    fn arrive(&mut self, waiting: Waiting) {
        match self {
            Self::Fcfs(fcfs) => fcfs.arrive(waiting),
            Self::Edf(edf) => edf.arrive(waiting),
            Self::Wf2q(wf2q) => wf2q.arrive(waiting),
            Self::Wf2qPlus(wf2q_plus) => wf2q_plus.arrive(waiting),
            Self::PClock(pclock) => pclock.arrive(waiting),
            Self::Nested(nested) => nested.arrive(waiting),
            Self::Bursts(bursts) => bursts.arrive(waiting),
        }
    }

    #[inline]
    fn next(&mut self, now_ps: u64) -> Option<Waiting> {
        match self {
            Self::Fcfs(fcfs) => fcfs.next(),
            Self::Edf(edf) => edf.next(),
            Self::Wf2q(wf2q) => wf2q.next(now_ps),
            Self::Wf2qPlus(wf2q_plus) => wf2q_plus.next(),
            Self::PClock(pclock) => pclock.next(),
            Self::Nested(nested) => nested.next(),
            Self::Bursts(bursts) => bursts.next(now_ps),
        }
    }

    /// Requests that wait, in an order that is always the same.
    fn waiting(&self) -> Vec<Waiting> {
        match self {
            Self::Fcfs(fcfs) => fcfs.waiting().copied().collect(),
            Self::Edf(edf) => edf.waiting().copied().collect(),
            Self::Wf2q(wf2q) => wf2q.waiting().copied().collect(),
            Self::Wf2qPlus(wf2q_plus) => wf2q_plus.waiting().copied().collect(),
            Self::PClock(pclock) => pclock.waiting().copied().collect(),
            Self::Nested(nested) => nested.waiting().copied().collect(),
            Self::Bursts(bursts) => bursts.waiting().copied().collect(),
        }
    }
}

/// Requests of all tenants that wait for a server, and the order in which they are served.
#[derive(Clone, Debug)]
pub struct Scheduler {
    discipline: Discipline,
    cascades: Vec<Cascade>,
    queues: Queues,
    waiting: usize,
}

impl Scheduler {
    /// Nothing waits.
    pub fn new(discipline: Discipline, terms: &Terms) -> Self {
        Self {
            discipline,
            cascades: terms.contracts.iter().map(Cascade::new).collect(),
            queues: Queues::new(discipline, terms),
            waiting: 0,
        }
    }

    /// Changes discipline and terms from `now_ps` on. What waits keeps its class, as far as that is still there.
    pub fn set(&mut self, now_ps: u64, discipline: Discipline, terms: &Terms) {
        for (cascade, contract) in self.cascades.iter_mut().zip(&terms.contracts) {
            cascade.set(now_ps, contract);
        }
        if discipline == self.discipline {
            return self.queues.set(terms);
        }
        self.discipline = discipline;
        let waiting = in_order(self.queues.waiting());
        self.queues = Queues::new(discipline, terms);
        for mut request in waiting {
            let classes = terms.contracts[usize::from(request.tenant)].promises().len();
            request.class = request.class.min(byte(index_u32(classes)));
            self.queues.arrive(request);
        }
    }

    /// A request of a tenant arrives. `now_ps` never falls. Returns the number of its nested class.
    #[inline]
    pub fn arrive(&mut self, now_ps: u64, tenant: u16, tag: u32) -> u8 {
        let class = byte(index_u32(self.cascades[usize::from(tenant)].classify(now_ps)));
        self.queues.arrive(Waiting { tag, tenant, class, at_ps: now_ps });
        self.waiting += 1;
        class
    }

    /// The request that is served next; none if none waits, or all that do have to wait until [`Self::held_until_ps`].
    #[inline]
    pub fn next(&mut self, now_ps: u64) -> Option<Waiting> {
        let next = self.queues.next(now_ps);
        self.waiting -= usize::from(next.is_some());
        next
    }

    /// When requests that wait may be served at the earliest, once [`Self::next`] has found none; [`NEVER_PS`] if none waits.
    pub fn held_until_ps(&self) -> u64 {
        match &self.queues {
            Queues::Bursts(bursts) if self.waiting > 0 => bursts.next_step_ps(),
            _ => NEVER_PS,
        }
    }

    /// Requests that wait.
    pub fn len(&self) -> usize {
        self.waiting
    }

    /// Whether none waits.
    pub fn is_empty(&self) -> bool {
        self.waiting == 0
    }

    /// Mixes what waits into a digest.
    pub fn digest(&self, digest: &mut Digest) {
        digest.word(u64::from(index_u32(self.waiting)));
        for waiting in self.queues.waiting() {
            digest.word(u64::from(waiting.tag) << 32 | u64::from(waiting.tenant) << 8 | u64::from(waiting.class));
            digest.word(waiting.at_ps);
        }
    }
}
