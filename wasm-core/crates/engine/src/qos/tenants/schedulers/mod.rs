//! The schedulers of tenants, one file each: the only place that lists them.
//!
//! An entry of [`tenant_schedulers`] registers a scheduler: what it does in a sentence, its name, its queues, and what it goes
//! by. From the entries come [`TenantScheduler`], which the scenario document, the planner and the catalogue use as it is, and
//! [`Queues`]. See `CONTRIBUTING.md`, "Adding a tenant scheduler".

mod burst_ladder;
mod drr;
mod edf;
mod fcfs;
mod nested;
mod pclock;
#[cfg(test)]
mod tests;
mod wf2q;
mod wf2q_plus;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Terms, Waiting};
use crate::kernel::time::NEVER_PS;

pub use burst_ladder::BurstTerms;

/// Hands the entries to the macro named. The order is that of the screen.
macro_rules! tenant_schedulers {
    ($then:ident) => {
        $then! {
            /// First come, first served.
            Fcfs "fcfs" "FCFS" = fcfs::Fcfs, NOTHING;
            /// Earliest deadline first: every request is due at the response time of the first class of its tenant.
            Edf "edf" "EDF" = edf::Edf, Profile { uses_contracts: true, ..NOTHING };
            /// Shares of an ideal server that serves all tenants at once (WF²Q, INFOCOM 1996).
            Wf2q "wf2q" "WF²Q" = wf2q::Wf2q, Profile { uses_weights: true, ..NOTHING };
            /// The same with a virtual time that needs no ideal server (WF²Q+, SIGCOMM 1996).
            Wf2qPlus "wf2q-plus" "WF²Q+" = wf2q_plus::Wf2qPlus, Profile { uses_weights: true, ..NOTHING };
            /// Turns, in which each tenant is served by its weight, and a counter of what its turn left (DRR, SIGCOMM 1995).
            Drr "drr" "DRR" = drr::Drr, Profile { uses_weights: true, ..NOTHING };
            /// Deadlines that follow from the first class of each tenant (pClock, SIGMETRICS 2007).
            PClock "pclock" "pClock" = pclock::PClock, Profile { uses_contracts: true, ..NOTHING };
            /// Shares, and within a tenant the deadlines of its nested classes; what overflows them comes last (paper 4).
            Nested "nested" "Nested QoS" = nested::Nested,
                Profile { uses_weights: true, uses_contracts: true, ranks_nested_classes: true, ..NOTHING };
            /// Shares, step by step; a tenant that asks for more is given what its group and then others leave, within an allowance that
            /// climbs a ladder (paper 5).
            BurstLadder "burst-ladder" "Burst ladder" = burst_ladder::BurstLadder,
                Profile { uses_weights: true, uses_ladder: true, holds_requests: true, ..NOTHING };
        }
    };
}

/// What a scheduler goes by, and what it does beside choosing the next request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "SchedulerProfile")]
pub struct Profile {
    /// It divides the server by the weights of the tenants.
    pub uses_weights: bool,
    /// It goes by the envelopes and response times that tenants are promised.
    pub uses_contracts: bool,
    /// It goes by the burst ladder, and by the groups and burst bits of tenants.
    pub uses_ladder: bool,
    /// It may keep requests waiting before an idle server.
    pub holds_requests: bool,
    /// It tells the nested classes of a tenant apart, so that devices may go on to do so.
    pub ranks_nested_classes: bool,
}

/// A scheduler that goes by the order of arrival alone.
const NOTHING: Profile = Profile {
    uses_weights: false,
    uses_contracts: false,
    uses_ladder: false,
    holds_requests: false,
    ranks_nested_classes: false,
};

/// The queues of a scheduler, and its rule: which of the requests that wait is served next. All requests cost the server the
/// same.
trait Scheduling {
    /// Nothing waits.
    fn new(terms: &Terms) -> Self;

    /// Changes the terms. What waits stays.
    fn set(&mut self, terms: &Terms);

    /// A request waits from its arrival on, which is now.
    fn arrive(&mut self, waiting: Waiting);

    /// The request that is served next, which waits no longer; none where none waits, or where all are held.
    fn next(&mut self, now_ps: u64) -> Option<Waiting>;

    /// Requests that wait, in an order that is always the same.
    fn waiting(&self) -> impl Iterator<Item = &Waiting>;

    /// When the first of the requests that are held may be served; never where it holds none.
    fn held_until_ps(&self) -> u64 {
        NEVER_PS
    }
}

macro_rules! register {
    ($($(#[doc = $sentence:literal])+ $kind:ident $id:literal $title:literal = $module:ident::$queues:ident, $profile:expr;)+) => {
        /// In which order a server serves its tenants.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
        pub enum TenantScheduler {
            /// No scheduler: requests go to the devices as they come.
            #[default]
            #[serde(rename = "none")]
            #[schemars(title = "None")]
            None,
            $(
                $(#[doc = $sentence])+
                #[serde(rename = $id)]
                #[schemars(title = $title)]
                $kind,
            )+
        }

        impl TenantScheduler {
            /// Every scheduler, in the order of their registration.
            pub const ALL: &[Self] = &[$(Self::$kind),+];

            /// Its name in the document.
            pub fn id(self) -> &'static str {
                match self {
                    Self::None => "none",
                    $(Self::$kind => $id,)+
                }
            }

            /// Its name on the screen.
            pub fn title(self) -> &'static str {
                match self {
                    Self::None => "None",
                    $(Self::$kind => $title,)+
                }
            }

            /// What it goes by, and what it does.
            pub fn profile(self) -> Profile {
                match self {
                    Self::None => NOTHING,
                    $(Self::$kind => $profile,)+
                }
            }
        }

        /// The queues of any scheduler. An enum rather than a boxed trait: it is called for every request.
        #[derive(Clone, Debug)]
        pub(super) enum Queues {
            $($(#[doc = $sentence])+ $kind($module::$queues),)+
        }

        impl Queues {
            /// Nothing waits.
            pub(super) fn new(scheduler: TenantScheduler, terms: &Terms) -> Self {
                match scheduler {
                    // Nobody chooses: requests go on in the order in which they came.
                    TenantScheduler::None => Self::new(TenantScheduler::Fcfs, terms),
                    $(TenantScheduler::$kind => Self::$kind(Scheduling::new(terms)),)+
                }
            }

            /// As [`Scheduling::set`].
            pub(super) fn set(&mut self, terms: &Terms) {
                match self {
                    $(Self::$kind(queues) => queues.set(terms),)+
                }
            }

            /// As [`Scheduling::arrive`].
            #[inline]
            pub(super) fn arrive(&mut self, waiting: Waiting) {
                match self {
                    $(Self::$kind(queues) => queues.arrive(waiting),)+
                }
            }

            /// As [`Scheduling::next`].
            #[inline]
            pub(super) fn next(&mut self, now_ps: u64) -> Option<Waiting> {
                match self {
                    $(Self::$kind(queues) => queues.next(now_ps),)+
                }
            }

            /// As [`Scheduling::waiting`].
            pub(super) fn waiting(&self) -> Vec<Waiting> {
                match self {
                    $(Self::$kind(queues) => queues.waiting().copied().collect(),)+
                }
            }

            /// As [`Scheduling::held_until_ps`].
            pub(super) fn held_until_ps(&self) -> u64 {
                match self {
                    $(Self::$kind(queues) => queues.held_until_ps(),)+
                }
            }
        }
    };
}
tenant_schedulers!(register);

impl TenantScheduler {
    /// The one offered where a scenario has none: it alone keeps apart all that contracts promise.
    pub const SUGGESTED: Self = Self::Nested;

    /// The first whose profile is as asked.
    pub fn find(is: impl Fn(Profile) -> bool) -> Option<Self> {
        Self::ALL.iter().copied().find(|scheduler| is(scheduler.profile()))
    }
}
