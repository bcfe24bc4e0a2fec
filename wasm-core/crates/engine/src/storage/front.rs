//! What stands before the devices of a server where tenants share it: requests wait here, and the scheduler of the tenants
//! lets so many at once on to the devices. Here is counted, too, how promises are kept.

use crate::kernel::convert::{saturated_u32, short};
use crate::kernel::digest::Digest;
use crate::kernel::slab::Slab;
use crate::kernel::time::NEVER_PS;
use crate::qos::tenants::{Contract, MAX_CLASSES, Scheduler, TenantScheduler, Terms, Waiting};
use crate::storage::io::Io;

/// How the tenants of a server are scheduled. Classes of the document are tenants.
#[derive(Clone, Debug, PartialEq)]
pub struct Tenancy {
    /// In which order they are served.
    pub scheduler: TenantScheduler,
    /// What they are promised, and their shares.
    pub terms: Terms,
    /// Requests that are at the devices at once.
    pub in_service: u32,
}

/// How the promises of a tenant were kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Kept {
    /// Requests answered.
    pub answered: u64,
    /// By nested class: requests of it that were answered. What overflowed comes after the last class.
    pub by_class: [u64; MAX_CLASSES + 1],
    /// By nested class: of those, the ones answered within its response time.
    pub in_time: [u64; MAX_CLASSES + 1],
    /// By nested class: requests of any class that were answered within its response time.
    pub within: [u64; MAX_CLASSES + 1],
}

impl Kept {
    fn count(&mut self, contract: &Contract, class: usize, response_ps: u64) {
        self.answered += 1;
        self.by_class[class] += 1;
        for (number, promise) in contract.promises().iter().enumerate() {
            let within = u64::from(response_ps <= promise.response_ps);
            self.within[number] += within;
            self.in_time[number] += if number == class { within } else { 0 };
        }
    }

    /// Adds or takes away, number by number.
    fn with(mut self, other: &Self, change: impl Fn(u64, u64) -> u64) -> Self {
        self.answered = change(self.answered, other.answered);
        let of = |kept: &Self| [kept.by_class, kept.in_time, kept.within];
        for (mine, theirs) in [&mut self.by_class, &mut self.in_time, &mut self.within].into_iter().zip(of(other)) {
            mine.iter_mut().zip(theirs).for_each(|(mine, theirs)| *mine = change(*mine, theirs));
        }
        self
    }

    /// Both together.
    #[must_use]
    pub fn and(self, other: &Self) -> Self {
        self.with(other, |mine, theirs| mine + theirs)
    }

    /// What of it was counted since `before`.
    #[must_use]
    pub fn since(self, before: &Self) -> Self {
        self.with(before, |now, before| now - before)
    }
}

/// A request that waits, or is at the devices.
#[derive(Clone, Copy, Debug)]
struct Held {
    io: Io,
    at_ps: u64,
    class: u8,
}

/// What stands before the devices of a server.
#[derive(Clone, Debug)]
pub struct Front {
    tenancy: Tenancy,
    scheduler: Scheduler,
    held: Slab<Held>,
    at_devices: u32,
    /// By tenant.
    kept: Vec<Kept>,
}

impl Front {
    /// Nothing waits.
    pub fn new(tenancy: &Tenancy) -> Self {
        Self {
            scheduler: Scheduler::new(tenancy.scheduler, &tenancy.terms),
            held: Slab::default(),
            at_devices: 0,
            kept: vec![Kept::default(); tenancy.terms.contracts.len()],
            tenancy: tenancy.clone(),
        }
    }

    /// Changes how tenants are scheduled, from `now_ps` on.
    pub fn set(&mut self, now_ps: u64, tenancy: &Tenancy) {
        if *tenancy != self.tenancy {
            self.scheduler.set(now_ps, tenancy.scheduler, &tenancy.terms);
            self.tenancy = tenancy.clone();
        }
    }

    /// A request arrives.
    pub fn arrive(&mut self, now_ps: u64, io: &Io) {
        let tag = self.held.insert(Held { io: *io, at_ps: now_ps, class: 0 });
        self.held.at_mut(tag).class = self.scheduler.arrive(now_ps, short(io.class.0), tag);
    }

    /// The request that goes on to the devices now, if one may: what to know it by, and the nested class that its tenant's
    /// deadlines follow, where they do.
    pub fn next(&mut self, now_ps: u64) -> Option<(u32, Io, Option<u8>)> {
        if self.at_devices >= self.tenancy.in_service {
            return None;
        }
        let Waiting { tag, class, tenant, .. } = self.scheduler.next(now_ps)?;
        self.at_devices += 1;
        let Tenancy { scheduler, terms, .. } = &self.tenancy;
        let promised = !terms.contracts[usize::from(tenant)].promises().is_empty();
        let nested = (promised && scheduler.profile().ranks_nested_classes).then_some(class);
        Some((tag, self.held.at(tag).io, nested))
    }

    /// When a request that waits may go on although nothing has happened until then: [`NEVER_PS`] where the next one waits for one at
    /// the devices, or none waits. To be asked after [`Self::next`] has found none.
    pub fn next_ps(&self) -> u64 {
        if self.at_devices < self.tenancy.in_service { self.scheduler.held_until_ps() } else { NEVER_PS }
    }

    /// A request is served.
    pub fn on_served(&mut self, now_ps: u64, tag: u32) {
        self.at_devices -= 1;
        let Held { io, at_ps, class } = *self.held.at(tag);
        self.held.free(tag);
        let tenant = io.class.index();
        self.kept[tenant].count(&self.tenancy.terms.contracts[tenant], usize::from(class), now_ps - at_ps);
    }

    /// Requests that wait.
    pub fn waiting(&self) -> u32 {
        saturated_u32(self.scheduler.len())
    }

    /// Requests that wait because the devices hold as many as may be there at once.
    pub fn held_by_devices(&self) -> u32 {
        if self.at_devices < self.tenancy.in_service { 0 } else { self.waiting() }
    }

    /// How the promises of every tenant were kept since the start.
    pub fn kept(&self) -> &[Kept] {
        &self.kept
    }

    /// Mixes its state into a digest.
    pub fn digest(&self, digest: &mut Digest) {
        self.scheduler.digest(digest);
        for kept in &self.kept {
            digest.word(kept.answered);
            [kept.by_class, kept.in_time, kept.within].iter().flatten().for_each(|&count| digest.word(count));
        }
    }
}
