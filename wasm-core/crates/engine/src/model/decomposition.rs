//! How bursty a workload is, and the promises that follow from it: the smallest capacity with which a share of its requests
//! is answered in time (L. Lu, K. Doshi, P. Varman, "Graduated QoS by decomposing bursts", ICDCS 2009; paper 4 ref. 14), and
//! the contract that paper 4 section 3 derives from such capacities.
//!
//! Workloads are the instants of their arrivals in picoseconds, in order.

use std::collections::VecDeque;

use crate::kernel::convert::{saturated_u32, whole};
use crate::kernel::time::PS_PER_S;
use crate::qos::tenants::{Cascade, Contract, Envelope, MAX_BURST, Promise, RATE_SCALE};

/// Whether a server of `capacity` requests a second answers at least `wanted` requests within `response_ps` if it takes only
/// those it can answer in time: no choice of requests is larger. Looks at no more of them than it takes to know.
pub fn answers(arrivals: &[u64], capacity: f64, response_ps: u64, wanted: u64) -> bool {
    let service_ps = PS_PER_S as f64 / capacity;
    let latest_wait_ps = response_ps as f64 - service_ps;
    let Some(spare) = (arrivals.len() as u64).checked_sub(wanted) else { return false };
    if wanted == 0 || latest_wait_ps < 0.0 {
        return wanted == 0;
    }
    // Work that is left at an arrival.
    let (mut backlog_ps, mut before_ps, mut count, mut missed) = (0.0_f64, 0, 0, 0);
    for &at_ps in arrivals {
        backlog_ps = (backlog_ps - (at_ps - before_ps) as f64).max(0.0);
        before_ps = at_ps;
        if backlog_ps <= latest_wait_ps {
            backlog_ps += service_ps;
            count += 1;
            if count == wanted {
                return true;
            }
        } else {
            missed += 1;
            if missed > spare {
                return false;
            }
        }
    }
    false
}

/// The smallest capacity, in requests a second and to a ten-thousandth, with which a share `fraction` of the requests is
/// answered within `response_ps`.
pub fn min_capacity(arrivals: &[u64], fraction: f64, response_ps: u64) -> f64 {
    let mut search = CapacitySearch::new(arrivals.len(), fraction, response_ps);
    loop {
        if let Some(capacity) = search.step(arrivals) {
            return capacity;
        }
    }
}

/// The search for the smallest capacity, a pass over the requests a step.
#[derive(Clone, Debug)]
pub struct CapacitySearch {
    wanted: u64,
    response_ps: u64,
    /// Too little, and enough once that is known.
    low: f64,
    high: f64,
    is_bounded: bool,
}

impl CapacitySearch {
    /// A search among so many requests.
    pub fn new(requests: usize, fraction: f64, response_ps: u64) -> Self {
        let wanted = whole((fraction * requests as f64 - 1e-6).ceil().max(0.0));
        // Less than one request in the response time answers none, so many at once as there are answers all.
        let low = 0.5 * PS_PER_S as f64 / response_ps as f64;
        Self { wanted, response_ps, low, high: 2.0 * low * 1.000_001, is_bounded: false }
    }

    /// One pass over the requests, always the same ones. The capacity, once it is known.
    pub fn step(&mut self, arrivals: &[u64]) -> Option<f64> {
        if self.wanted == 0 {
            return Some(0.0);
        }
        let enough = |capacity: f64| answers(arrivals, capacity, self.response_ps, self.wanted);
        if self.is_bounded {
            let middle = 0.5 * (self.low + self.high);
            if enough(middle) { self.high = middle } else { self.low = middle }
        } else if enough(self.high) {
            self.is_bounded = true;
        } else {
            self.low = self.high;
            self.high *= 2.0;
        }
        (self.is_bounded && self.high / self.low <= 1.0 + EXACT).then_some(self.high)
    }
}

/// How exact a smallest capacity is.
const EXACT: f64 = 1e-4;

/// Requests by nested class; those that overflow last.
pub fn class_counts(arrivals: &[u64], contract: &Contract) -> Vec<u64> {
    let mut counts = vec![0; contract.promises().len() + 1];
    let mut cascade = Cascade::new(contract);
    for &at_ps in arrivals {
        counts[cascade.classify(at_ps)] += 1;
    }
    counts
}

/// What of a workload is in one nested class, and in none further in.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Part {
    /// Requests.
    pub requests: u64,
    /// Most of them in any window of a length.
    pub most: u64,
    /// Those of the last window.
    recent: VecDeque<u64>,
}

/// The parts into which nested classes divide a workload, what overflows last, each with its most in windows of a length.
pub fn parts(arrivals: &[u64], contract: &Contract, window_ps: u64) -> Vec<Part> {
    let mut parts = vec![Part::default(); contract.promises().len() + 1];
    let mut cascade = Cascade::new(contract);
    for &at_ps in arrivals {
        let Part { requests, most, recent } = &mut parts[cascade.classify(at_ps)];
        *requests += 1;
        recent.push_back(at_ps);
        while recent.front().is_some_and(|&first_ps| at_ps - first_ps > window_ps) {
            recent.pop_front();
        }
        *most = (*most).max(recent.len() as u64);
    }
    parts
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
    let mut search = ContractSearch::new(arrivals.len(), wishes);
    loop {
        if let Some(contract) = search.step(arrivals) {
            return contract;
        }
    }
}

/// The search for the contract that is suggested, a pass over the requests a step.
#[derive(Clone, Debug)]
pub struct ContractSearch {
    requests: usize,
    wishes: Vec<Wish>,
    /// The classes that are known.
    promises: Vec<Promise>,
    rate: f64,
    stage: Stage,
}

/// What is being searched for the next class.
#[derive(Clone, Debug)]
enum Stage {
    /// κ for its wish alone.
    Capacity(CapacitySearch),
    /// σ, between a burst that may be too small and one that is not, once that is known.
    Burst { low: u32, high: u32, is_bounded: bool },
}

impl Stage {
    /// What comes first for a wish; nothing is left to be done where there is none.
    fn first(requests: usize, wish: Option<&Wish>) -> Self {
        let (fraction, response_ps) = wish.map_or((0.0, 1), |wish| (wish.fraction, wish.response_ps));
        Self::Capacity(CapacitySearch::new(requests, fraction, response_ps))
    }
}

impl ContractSearch {
    /// A search for so many requests.
    pub fn new(requests: usize, wishes: &[Wish]) -> Self {
        let stage = Stage::first(requests, wishes.first());
        Self { requests, wishes: wishes.to_vec(), promises: Vec::new(), rate: 0.0, stage }
    }

    /// The contract with one class more, of this burst.
    fn with(&self, wish: &Wish, burst: u32) -> Contract {
        // Rounded up: a little more than needed.
        let rate = whole((self.rate * RATE_SCALE as f64).ceil()).max(1);
        let class = Promise { envelope: Envelope { burst, rate }, response_ps: wish.response_ps };
        Contract::new(self.promises.iter().copied().chain([class]).collect())
    }

    /// One pass over the requests, always the same ones. The contract, once it is known.
    pub fn step(&mut self, arrivals: &[u64]) -> Option<Contract> {
        let Some(&wish) = self.wishes.get(self.promises.len()) else {
            return Some(Contract::new(self.promises.clone()));
        };
        match &mut self.stage {
            Stage::Capacity(search) => {
                self.rate = self.rate.max(search.step(arrivals)?);
                let in_time = saturated_u32(whole(self.rate * wish.response_ps as f64 / PS_PER_S as f64));
                let least = self.promises.last().map_or(in_time.clamp(1, MAX_BURST), |inner| inner.envelope.burst);
                self.stage = Stage::Burst { low: least, high: least, is_bounded: false };
            }
            &mut Stage::Burst { low, high, is_bounded } => {
                let holds = |burst: u32| is_served(arrivals, &self.with(&wish, burst), &self.wishes);
                self.stage = if is_bounded && low >= high {
                    self.promises = self.with(&wish, low).promises().to_vec();
                    Stage::first(self.requests, self.wishes.get(self.promises.len()))
                } else if is_bounded {
                    let middle = low + (high - low) / 2;
                    let (low, high) = if holds(middle) { (low, middle) } else { (middle + 1, high) };
                    Stage::Burst { low, high, is_bounded }
                } else if high >= MAX_BURST || holds(high) {
                    Stage::Burst { low, high, is_bounded: true }
                } else {
                    Stage::Burst { low: high + 1, high: high.saturating_mul(2).min(MAX_BURST), is_bounded }
                };
            }
        }
        None
    }
}

/// Whether the classes of a contract hold the shares that were wished for, as far as it has classes. Looks at no more requests
/// than it takes to know that they do not.
fn is_served(arrivals: &[u64], contract: &Contract, wishes: &[Wish]) -> bool {
    let requests = arrivals.len() as u64;
    // By class: requests that may still be further out.
    let mut spare: Vec<u64> = Vec::with_capacity(wishes.len());
    for wish in &wishes[..contract.promises().len()] {
        let wanted = whole((wish.fraction * requests as f64 - 1e-6).ceil().max(0.0));
        let Some(left) = requests.checked_sub(wanted) else { return false };
        spare.push(left);
    }
    let mut cascade = Cascade::new(contract);
    arrivals.iter().all(|&at_ps| {
        let class = cascade.classify(at_ps);
        spare[..class].iter_mut().all(|left| {
            let may = *left > 0;
            *left = left.saturating_sub(1);
            may
        })
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

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const MS: u64 = 1_000_000_000;

    #[test]
    fn a_burst_needs_its_size_over_the_response_time() {
        let arrivals = [0; 10];
        let all = min_capacity(&arrivals, 1.0, 10 * MS);
        assert!((all / 1000.0 - 1.0).abs() < 2e-4, "{all}");
        let most = min_capacity(&arrivals, 0.6, 10 * MS);
        assert!((most / 600.0 - 1.0).abs() < 2e-4, "{most}");
    }

    #[test]
    fn an_even_stream_needs_no_more_than_its_rate_or_one_in_time() {
        let arrivals: Vec<u64> = (0..1000).map(|number| number * MS).collect();
        let capacity = min_capacity(&arrivals, 1.0, 100 * MS);
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
        /// Every part has the requests that were counted for it, no more at once than its envelope lets through, and all
        /// together at most what comes at once.
        #[test]
        fn parts_keep_to_their_envelopes(gaps in prop::collection::vec(0_u64..40, 50..300), window in 1_u64..100) {
            let mut now = 0;
            let arrivals: Vec<u64> = gaps.iter().map(|gap| { now += gap * gap / 20 * MS / 4; now }).collect();
            let promise = |(burst, per_s): (u32, u64)| Promise {
                envelope: Envelope { burst, rate: per_s * RATE_SCALE },
                response_ps: u64::from(burst) * MS,
            };
            let contract = Contract::new([(2, 20), (5, 40), (9, 60)].map(promise).into());
            let parts = parts(&arrivals, &contract, window * MS);
            let counts: Vec<u64> = parts.iter().map(|part| part.requests).collect();
            prop_assert_eq!(&counts, &class_counts(&arrivals, &contract));
            for (part, promise) in parts.iter().zip(contract.promises()) {
                let through = f64::from(promise.envelope.burst) + promise.envelope.per_s() * window as f64 / 1000.0;
                prop_assert!(part.most as f64 <= through + 1e-9, "{} of {}", part.most, through);
            }
            let most = envelope(&arrivals, &[window * MS])[0];
            prop_assert!(parts.iter().all(|part| part.most <= most));
        }

        #[test]
        fn no_choice_of_requests_is_larger(
            gaps in prop::collection::vec(0_u64..8, 1..10),
            service in 1_u64..6,
            response in 1_u64..20,
        ) {
            let mut now = 0;
            let arrivals: Vec<u64> = gaps.iter().map(|gap| { now += gap * MS; now }).collect();
            let capacity = PS_PER_S as f64 / (service * MS) as f64;
            let most = best(&arrivals, service * MS, response * MS);
            for wanted in 0..=arrivals.len() as u64 + 1 {
                prop_assert_eq!(answers(&arrivals, capacity, response * MS, wanted), wanted <= most, "{} of {}", wanted, most);
            }
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
