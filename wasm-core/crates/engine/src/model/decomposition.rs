//! How bursty a workload is, and the promises that follow from it: the smallest capacity with which a share of its requests
//! is answered in time (L. Lu, K. Doshi, P. Varman, "Graduated QoS by decomposing bursts", ICDCS 2009; paper 4 ref. 14), and
//! the contract that paper 4 section 3 derives from such capacities.
//!
//! Workloads are the instants of their arrivals in picoseconds, in order.

use crate::kernel::convert::{saturated_u32, whole};
use crate::kernel::time::PS_PER_S;
use crate::qos::tenants::capacity::Class;
use crate::qos::tenants::{Cascade, Contract, Envelope, MOST_BURST, Promise, RATE_SCALE};

/// Requests that a server of `capacity` requests a second answers within `response_ps` if it takes only those it can answer
/// in time: no choice of requests is larger.
pub fn answered(arrivals: &[u64], capacity: f64, response_ps: u64) -> u64 {
    let service_ps = PS_PER_S as f64 / capacity;
    let latest_wait_ps = response_ps as f64 - service_ps;
    if latest_wait_ps < 0.0 {
        return 0;
    }
    // Work that is left at an arrival.
    let (mut backlog_ps, mut before_ps, mut count) = (0.0_f64, 0, 0);
    for &at_ps in arrivals {
        backlog_ps = (backlog_ps - (at_ps - before_ps) as f64).max(0.0);
        before_ps = at_ps;
        if backlog_ps <= latest_wait_ps {
            backlog_ps += service_ps;
            count += 1;
        }
    }
    count
}

/// The smallest capacity, in requests a second and to a ten-thousandth, with which a share `fraction` of the requests is
/// answered within `response_ps`.
pub fn smallest_capacity(arrivals: &[u64], fraction: f64, response_ps: u64) -> f64 {
    if arrivals.is_empty() || fraction <= 0.0 {
        return 0.0;
    }
    let wanted = whole((fraction * arrivals.len() as f64 - 1e-6).ceil().max(1.0));
    let enough = |capacity: f64| answered(arrivals, capacity, response_ps) >= wanted;
    // Less than one request in the response time answers none, so many at once as there are answers all.
    let mut low = 0.5 * PS_PER_S as f64 / response_ps as f64;
    let mut high = 2.0 * low * 1.000_001;
    while !enough(high) {
        low = high;
        high *= 2.0;
    }
    while high / low > 1.0 + 1e-4 {
        let middle = 0.5 * (low + high);
        if enough(middle) { high = middle } else { low = middle }
    }
    high
}

/// Requests by nested class; those that overflow last.
pub fn class_counts(arrivals: &[u64], contract: &Contract) -> Vec<u64> {
    let mut counts = vec![0; contract.promises().len() + 1];
    let mut cascade = Cascade::new(contract);
    for &at_ps in arrivals {
        counts[cascade.classify(at_ps)] += 1;
    }
    counts
}

/// A wish: a share of all requests answered within a time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wish {
    /// The share, between 0 and 1.
    pub fraction: f64,
    /// The time.
    pub response_ps: u64,
}

/// The contract that serves a workload as wished, as paper 4 section 3 derives it. `wishes` grow in both.
///
/// κ_i is the smallest capacity for wish i alone. ρ_1 = κ_1 and σ_1 = ρ_1 δ_1; ρ_i is the greatest κ up to i, and σ_i the
/// smallest burst from σ_{i−1} on with which the classes up to i hold the shares wished for: an outer bucket that is too small
/// keeps requests from the inner ones. A burst is a whole number of requests; where σ_1 is too small for that reason, it is the
/// next that is not.
pub fn suggest(arrivals: &[u64], wishes: &[Wish]) -> Contract {
    let mut promises: Vec<Promise> = Vec::new();
    let mut rate = 0.0_f64;
    for wish in wishes {
        rate = rate.max(smallest_capacity(arrivals, wish.fraction, wish.response_ps));
        // Rounded up: a little more than needed.
        let hundredths = whole((rate * RATE_SCALE as f64).ceil()).max(1);
        let in_time = saturated_u32(whole(rate * wish.response_ps as f64 / PS_PER_S as f64)).clamp(1, MOST_BURST);
        let with = |burst: u32| {
            let envelope = Envelope { burst, rate: hundredths };
            let class = Promise { envelope, response_ps: wish.response_ps };
            Contract::new(promises.iter().copied().chain([class]).collect())
        };
        let holds = |burst: u32| is_served(arrivals, &with(burst), wishes);
        let mut low = promises.last().map_or(in_time, |inner| inner.envelope.burst);
        let mut high = low;
        while !holds(high) && high < MOST_BURST {
            low = high + 1;
            high = high.saturating_mul(2).min(MOST_BURST);
        }
        while low < high {
            let middle = low + (high - low) / 2;
            if holds(middle) { high = middle } else { low = middle + 1 }
        }
        promises = with(low).promises().to_vec();
    }
    Contract::new(promises)
}

/// Whether the classes of a contract hold the shares that were wished for, as far as it has classes.
fn is_served(arrivals: &[u64], contract: &Contract, wishes: &[Wish]) -> bool {
    let counts = class_counts(arrivals, contract);
    let mut within = 0;
    wishes.iter().zip(&counts[..contract.promises().len()]).all(|(wish, count)| {
        within += count;
        within as f64 >= wish.fraction * arrivals.len() as f64 - 1e-6
    })
}

/// Most requests in any window of a length: the arrival envelope of a workload, at the lengths given, which grow.
pub fn envelope(arrivals: &[u64], windows_ps: &[u64]) -> Vec<u64> {
    let most = |&window_ps: &u64| {
        let (mut first, mut most) = (0, 0);
        for (number, &at_ps) in arrivals.iter().enumerate() {
            while at_ps - arrivals[first] > window_ps {
                first += 1;
            }
            most = most.max(number + 1 - first);
        }
        most as u64
    };
    windows_ps.iter().map(most).collect()
}

/// Index of dispersion of counts: variance over mean of the requests in windows of a length. 1 for a Poisson process, more
/// for bursts. None with fewer than two whole windows.
pub fn dispersion(arrivals: &[u64], window_ps: u64) -> Option<f64> {
    let windows = arrivals.last()? / window_ps;
    if windows < 2 {
        return None;
    }
    let (mut next, mut sum, mut squares) = (0, 0.0, 0.0);
    for window in 1..=windows {
        let before = next;
        while next < arrivals.len() && arrivals[next] < window * window_ps {
            next += 1;
        }
        let count = (next - before) as f64;
        sum += count;
        squares += count * count;
    }
    let mean = sum / windows as f64;
    (mean > 0.0).then(|| (squares / windows as f64 - mean * mean) / mean)
}

/// Capacity with which every request is answered within the response time of the innermost class: the promise of a single
/// level, beside that of the nested classes.
pub fn single_level(arrivals: &[u64], classes: &[Class]) -> f64 {
    let Some(first) = classes.first() else { return 0.0 };
    smallest_capacity(arrivals, 1.0, whole(first.response_s * PS_PER_S as f64 + 0.5))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const MS: u64 = 1_000_000_000;

    #[test]
    fn a_burst_needs_its_size_over_the_response_time() {
        let arrivals = [0; 10];
        let all = smallest_capacity(&arrivals, 1.0, 10 * MS);
        assert!((all / 1000.0 - 1.0).abs() < 2e-4, "{all}");
        let most = smallest_capacity(&arrivals, 0.6, 10 * MS);
        assert!((most / 600.0 - 1.0).abs() < 2e-4, "{most}");
    }

    #[test]
    fn an_even_stream_needs_no_more_than_its_rate_or_one_in_time() {
        let arrivals: Vec<u64> = (0..1000).map(|number| number * MS).collect();
        let capacity = smallest_capacity(&arrivals, 1.0, 100 * MS);
        // 1000 requests in 999 ms and 100 ms more.
        assert!((capacity / (1000.0 / 1.099) - 1.0).abs() < 2e-4, "{capacity}");
        assert_eq!(envelope(&arrivals, &[0, MS, 10 * MS]), [1, 2, 11]);
        assert!(dispersion(&arrivals, 10 * MS).expect("there are windows") < 0.01);
    }

    /// The largest choice of requests that a server answers in time, by trying all of them.
    fn best(arrivals: &[u64], service_ps: u64, response_ps: u64) -> u64 {
        let most = (0..1_u32 << arrivals.len()).map(|choice| {
            let mut free_ps = 0;
            let chosen = arrivals.iter().enumerate().filter(|(number, _)| choice & 1 << number != 0);
            let in_time = chosen.clone().all(|(_, &at_ps)| {
                free_ps = at_ps.max(free_ps) + service_ps;
                free_ps <= at_ps + response_ps
            });
            if in_time { choice.count_ones() } else { 0 }
        });
        u64::from(most.max().unwrap_or(0))
    }

    proptest! {
        #[test]
        fn no_choice_of_requests_is_larger(
            gaps in prop::collection::vec(0_u64..8, 1..10),
            service in 1_u64..6,
            response in 1_u64..20,
        ) {
            let mut now = 0;
            let arrivals: Vec<u64> = gaps.iter().map(|gap| { now += gap * MS; now }).collect();
            let capacity = PS_PER_S as f64 / (service * MS) as f64;
            prop_assert_eq!(answered(&arrivals, capacity, response * MS), best(&arrivals, service * MS, response * MS));
        }

        #[test]
        fn suggested_contracts_are_nested_and_hold_what_was_wished(gaps in prop::collection::vec(0_u64..40, 50..300)) {
            let mut now = 0;
            let arrivals: Vec<u64> = gaps.iter().map(|gap| { now += gap * gap / 20 * MS / 4; now }).collect();
            let wishes = [(0.9, 5), (0.99, 50), (0.999, 500)]
                .map(|(fraction, ms)| Wish { fraction, response_ps: ms * MS });
            let contract = suggest(&arrivals, &wishes);
            for pair in contract.promises().windows(2) {
                let [inner, outer] = [pair[0].envelope, pair[1].envelope];
                prop_assert!(inner.burst <= outer.burst && inner.rate <= outer.rate);
            }
            prop_assert!(is_served(&arrivals, &contract, &wishes), "{:?}", class_counts(&arrivals, &contract));
        }
    }
}
