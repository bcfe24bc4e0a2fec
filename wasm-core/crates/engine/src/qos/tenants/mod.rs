//! Tenants of a server: what each is promised, and the schedulers that serve them side by side.
//!
//! A tenant has a [`Contract`]: nested classes, each with an envelope of arrivals and a response time (paper 4). Its requests
//! are sorted into them by a [`Cascade`] as they arrive, whatever the scheduler, so that all schedulers are judged alike.

pub mod bucket;
pub mod capacity;
pub mod cascade;
pub mod fair;
pub mod ladder;
pub mod schedulers;

pub use bucket::{Envelope, MAX_BURST, RATE_SCALE, TokenBucket};
pub use cascade::Cascade;
pub use schedulers::{BurstTerms, TenantScheduler};

use crate::kernel::convert::{byte, index_u32};
use crate::kernel::digest::Digest;
use crate::kernel::time::NEVER_PS;
use schedulers::Queues;

/// Most nested classes of a contract.
pub const MAX_CLASSES: usize = 8;

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
    /// A contract of nested classes, the innermost first: at most [`MAX_CLASSES`].
    pub fn new(promises: Vec<Promise>) -> Self {
        assert!(promises.len() <= MAX_CLASSES, "a contract has at most {MAX_CLASSES} classes");
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

/// All that schedulers need to know of tenants and server.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Terms {
    /// By tenant: what it is promised.
    pub contracts: Vec<Contract>,
    /// By tenant: its share of the server, relative to the others.
    pub weights: Vec<f64>,
    /// Requests a second that the server is taken to serve.
    pub capacity: f64,
    /// How bursts are treated, by the scheduler that does so.
    pub bursts: BurstTerms,
}

/// Requests of all tenants that wait for a server, and the order in which they are served.
#[derive(Clone, Debug)]
pub struct Scheduler {
    kind: TenantScheduler,
    cascades: Vec<Cascade>,
    queues: Queues,
    waiting: usize,
}

impl Scheduler {
    /// Nothing waits.
    pub fn new(kind: TenantScheduler, terms: &Terms) -> Self {
        Self {
            kind,
            cascades: terms.contracts.iter().map(Cascade::new).collect(),
            queues: Queues::new(kind, terms),
            waiting: 0,
        }
    }

    /// Changes scheduler and terms from `now_ps` on. What waits keeps its class, as far as that is still there.
    pub fn set(&mut self, now_ps: u64, kind: TenantScheduler, terms: &Terms) {
        for (cascade, contract) in self.cascades.iter_mut().zip(&terms.contracts) {
            cascade.set(now_ps, contract);
        }
        if kind == self.kind {
            return self.queues.set(terms);
        }
        self.kind = kind;
        let waiting = in_order(self.queues.waiting());
        self.queues = Queues::new(kind, terms);
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
        if self.is_empty() { NEVER_PS } else { self.queues.held_until_ps() }
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
