//! What holds of every scheduler, and a server for the tests that stand beside each of them.

use proptest::prelude::*;

use super::*;
use crate::kernel::digest::Digest;
use crate::kernel::time::PS_PER_S;
use crate::qos::tenants::ladder::Ladder;
use crate::qos::tenants::{Contract, Envelope, Promise, RATE_SCALE, Scheduler};

pub(super) const MS: u64 = PS_PER_S / 1000;

/// A contract by its nested classes: σ, ρ in requests a second, δ in milliseconds.
pub(super) fn contract(classes: &[(u32, u64, u64)]) -> Contract {
    let promise = |&(burst, per_s, response_ms): &(u32, u64, u64)| Promise {
        envelope: Envelope { burst, rate: per_s * RATE_SCALE },
        response_ps: response_ms * MS,
    };
    Contract::new(classes.iter().map(promise).collect())
}

/// Tenants of equal weights with these contracts, at a server of one request a second.
pub(super) fn promised(contracts: &[&[(u32, u64, u64)]]) -> Terms {
    Terms {
        contracts: contracts.iter().map(|classes| contract(classes)).collect(),
        weights: vec![1.0; contracts.len()],
        capacity: 1.0,
        ..Terms::default()
    }
}

/// Tenants without contracts of these weights, at a server of one request a second.
pub(super) fn weighted(weights: &[f64]) -> Terms {
    let contracts = vec![Contract::default(); weights.len()];
    Terms { contracts, weights: weights.into(), capacity: 1.0, ..Terms::default() }
}

/// Requests by their numbers, in the order in which a server that takes `service_ms` for each serves them. They arrive at
/// `(instant in ms, tenant)`; those of one instant all come before the server chooses.
pub(super) fn served(kind: TenantScheduler, terms: &Terms, service_ms: u64, arrivals: &[(u64, u16)]) -> Vec<u32> {
    served_by(Scheduler::new(kind, terms), service_ms, arrivals)
}

fn served_by(mut scheduler: Scheduler, service_ms: u64, arrivals: &[(u64, u16)]) -> Vec<u32> {
    let mut arriving = (0..).zip(arrivals).peekable();
    let (mut order, mut now_ps) = (Vec::new(), 0);
    while order.len() < arrivals.len() {
        while let Some((tag, &(at_ms, tenant))) = arriving.next_if(|(_, (at_ms, _))| at_ms * MS <= now_ps) {
            scheduler.arrive(at_ms * MS, tenant, tag);
        }
        now_ps = match scheduler.next(now_ps) {
            Some(waiting) => {
                order.push(waiting.tag);
                now_ps + service_ms * MS
            }
            None => {
                let arrival_ps = arriving.peek().map_or(NEVER_PS, |(_, (at_ms, _))| at_ms * MS);
                let holds_requests = scheduler.kind.profile().holds_requests;
                assert!(holds_requests || scheduler.is_empty(), "{:?} holds requests", scheduler.kind);
                scheduler.held_until_ps().min(arrival_ps)
            }
        };
    }
    assert!(scheduler.is_empty() && scheduler.next(now_ps).is_none() && scheduler.held_until_ps() == NEVER_PS);
    order
}

/// The same by the letters of their tenants.
pub(super) fn letters(kind: TenantScheduler, terms: &Terms, service_ms: u64, arrivals: &[(u64, u16)]) -> String {
    let order = served(kind, terms, service_ms, arrivals);
    order.iter().map(|&tag| char::from(b'A' + byte(arrivals[tag as usize].1))).collect()
}

fn byte(tenant: u16) -> u8 {
    u8::try_from(tenant).expect("tests have few tenants")
}

/// Three tenants: A by weight 3 with two nested classes, B by 1 with one, C by 1 without a contract.
fn common_terms() -> Terms {
    let mut terms = promised(&[&[(2, 2, 300), (3, 4, 800)], &[(2, 1, 400)], &[]]);
    terms.weights = vec![3.0, 1.0, 1.0];
    terms.capacity = 10.0;
    terms.bursts.step_ps = 400 * MS;
    terms
}

const COMMON_ARRIVALS: [(u64, u16); 9] =
    [(0, 1), (0, 1), (0, 2), (150, 0), (150, 1), (250, 0), (250, 0), (250, 0), (450, 0)];

/// The order in which a scheduler serves nine requests of three tenants that no other scheduler serves in the same. What each
/// should answer, which stands beside it, was computed from its equations in exact fractions by a program of its own.
pub(super) fn common_case(kind: TenantScheduler) -> Vec<u32> {
    served(kind, &common_terms(), 100, &COMMON_ARRIVALS)
}

#[test]
fn no_two_schedulers_serve_the_common_case_alike() {
    for (number, &kind) in TenantScheduler::ALL.iter().enumerate() {
        for &other in &TenantScheduler::ALL[..number] {
            assert_ne!(common_case(kind), common_case(other), "{kind:?} and {other:?}");
        }
    }
}

#[test]
fn without_a_scheduler_requests_go_on_as_they_come() {
    assert_eq!(common_case(TenantScheduler::None), [0, 1, 2, 3, 4, 5, 6, 7, 8]);
}

#[test]
fn names_are_those_of_the_document_and_unique() {
    let all = [&[TenantScheduler::None], TenantScheduler::ALL].concat();
    for (number, &kind) in all.iter().enumerate() {
        assert_eq!(serde_json::to_value(kind).unwrap(), kind.id());
        assert!(all[..number].iter().all(|other| other.id() != kind.id() && other.title() != kind.title()), "{kind:?}");
    }
}

/// Whether a profile says that its scheduler uses a part of the terms.
type Uses = fn(Profile) -> bool;

/// Every part of the terms with another value, and whether a profile says that its scheduler uses it.
fn changed_terms(terms: &Terms) -> [(Terms, Uses); 3] {
    let weights = terms.weights.iter().rev().copied().collect();
    let contracts = terms.contracts.iter().rev().cloned().collect();
    let bursts = BurstTerms { ladder: Ladder::of_paper(3.0, 1), step_ps: 300 * MS, ..terms.bursts.clone() };
    [
        (Terms { weights, ..terms.clone() }, |profile| profile.uses_weights),
        (Terms { contracts, ..terms.clone() }, |profile| profile.uses_contracts),
        (Terms { bursts, ..terms.clone() }, |profile| profile.uses_ladder),
    ]
}

/// A backlog of three tenants, and some more from one of them on the way.
fn backlog() -> Vec<(u64, u16)> {
    let first = (0..10).flat_map(|_| [(0, 0), (0, 1), (0, 2)]);
    first.chain((1..10).map(|number| (number * 130, 0))).collect()
}

#[test]
fn what_a_profile_says_is_used_matters() {
    for &kind in TenantScheduler::ALL {
        for (part, (other, uses)) in changed_terms(&common_terms()).into_iter().enumerate() {
            let differs = served(kind, &common_terms(), 100, &backlog()) != served(kind, &other, 100, &backlog());
            assert_eq!(differs, uses(kind.profile()), "{kind:?}, part {part} of the terms");
        }
    }
}

#[test]
fn terms_that_are_changed_count_from_then_on() {
    for &kind in TenantScheduler::ALL {
        for (part, (other, uses)) in changed_terms(&common_terms()).into_iter().enumerate() {
            let mut scheduler = Scheduler::new(kind, &other);
            scheduler.set(0, kind, &common_terms());
            let differs = served_by(scheduler, 100, &backlog()) != served(kind, &other, 100, &backlog());
            assert_eq!(differs, uses(kind.profile()), "{kind:?}, part {part} of the terms");
        }
    }
}

#[test]
fn a_digest_is_of_all_that_waits() {
    let digest_of = |(at_ps, tenant, tag): (u64, u16, u32), before: u32| {
        let mut scheduler = Scheduler::new(TenantScheduler::Fcfs, &common_terms());
        // What was served is in no digest, but in the buckets of its tenant: the next is of another class.
        (0..before).for_each(|tag| _ = scheduler.arrive(0, 1, tag));
        (0..before).for_each(|_| _ = scheduler.next(0));
        scheduler.arrive(at_ps, tenant, tag);
        let mut digest = Digest::default();
        scheduler.digest(&mut digest);
        digest.value()
    };
    let digests = [((7, 1, 3), 0), ((8, 1, 3), 0), ((7, 2, 3), 0), ((7, 1, 4), 0), ((7, 1, 3), 2)]
        .map(|(request, before)| digest_of(request, before));
    assert_eq!(digests[0], digest_of((7, 1, 3), 0));
    assert!((1..5).all(|number| !digests[..number].contains(&digests[number])), "{digests:?}");
}

#[test]
fn only_those_hold_requests_that_say_so() {
    for &kind in TenantScheduler::ALL {
        let mut scheduler = Scheduler::new(kind, &common_terms());
        (0..100).for_each(|tag| _ = scheduler.arrive(0, 0, tag));
        let at_once = (0..100).filter(|_| scheduler.next(0).is_some()).count();
        let held_until_ps = scheduler.held_until_ps();
        assert_eq!(at_once < 100, kind.profile().holds_requests, "{kind:?}");
        assert_eq!(held_until_ps, if at_once < 100 { 400 * MS } else { NEVER_PS }, "{kind:?}");
    }
}

/// The terms are told again while requests wait, and nothing changes; another scheduler takes over and none is lost.
#[test]
fn what_waits_stays_when_terms_are_told_again_and_when_schedulers_change() {
    let terms = common_terms();
    let rest = |kind: TenantScheduler, again: Option<TenantScheduler>| -> Vec<u32> {
        let mut scheduler = Scheduler::new(kind, &terms);
        (0..).zip(COMMON_ARRIVALS).for_each(|(tag, (at_ms, tenant))| _ = scheduler.arrive(at_ms * MS, tenant, tag));
        let first = scheduler.next(450 * MS).map(|waiting| waiting.tag);
        again.into_iter().for_each(|kind| scheduler.set(460 * MS, kind, &terms));
        assert_eq!(scheduler.len(), 8);
        let later = (0..8).map(|number| scheduler.next((1000 + number * 1000) * MS).map(|waiting| waiting.tag));
        [first].into_iter().chain(later).flatten().collect()
    };
    for &kind in TenantScheduler::ALL {
        assert_eq!(rest(kind, Some(kind)), rest(kind, None), "{kind:?}");
        for &next in TenantScheduler::ALL {
            let mut all = rest(kind, Some(next));
            all.sort_unstable();
            assert_eq!(all, (0..9).collect::<Vec<u32>>(), "{kind:?}, then {next:?}");
        }
    }
}

proptest! {
    /// The order does not depend on what a profile says is not used.
    #[test]
    fn what_a_profile_does_not_name_does_not_matter(
        gaps in prop::collection::vec((0_u64..4, 0_u16..3), 1..40),
        weights in prop::collection::vec(1_u32..9, 3),
    ) {
        let mut now_ms = 0;
        let arrivals: Vec<(u64, u16)> = gaps.iter().map(|&(gap, tenant)| {
            now_ms += gap * 40;
            (now_ms, tenant)
        }).collect();
        let terms = Terms { weights: weights.into_iter().map(f64::from).collect(), ..common_terms() };
        for &kind in TenantScheduler::ALL {
            for (other, uses) in changed_terms(&terms) {
                if !uses(kind.profile()) {
                    prop_assert_eq!(served(kind, &terms, 100, &arrivals), served(kind, &other, 100, &arrivals), "{:?}", kind);
                }
            }
        }
    }

    /// Over a long backlog tenants get their shares, by every scheduler that goes by weights and holds nothing back: never a
    /// round behind.
    #[test]
    fn a_backlog_is_served_by_weights(weights in prop::collection::vec(1_u32..5, 2..5)) {
        let total: u32 = weights.iter().sum();
        let terms = weighted(&weights.iter().copied().map(f64::from).collect::<Vec<f64>>());
        let tenants = 0..u16::try_from(weights.len()).expect("few");
        let arrivals: Vec<(u64, u16)> = (0..100).flat_map(|_| tenants.clone().map(|tenant| (0, tenant))).collect();
        for kind in TenantScheduler::ALL.iter().copied() {
            let Profile { uses_weights, holds_requests, .. } = kind.profile();
            if !uses_weights || holds_requests {
                continue;
            }
            // No queue is empty before the heaviest tenant has had its hundred.
            let order = served(kind, &terms, 1000, &arrivals);
            let rounds = 100 / weights.iter().max().expect("there are some");
            let first = &order[..(rounds * total) as usize];
            for (tenant, weight) in tenants.clone().zip(&weights) {
                let got = first.iter().filter(|&&tag| arrivals[tag as usize].1 == tenant).count();
                prop_assert_eq!(got, (rounds * weight) as usize, "{:?}, tenant {}", kind, tenant);
            }
        }
    }
}
