//! Paper 1, figs. 20 to 23: requests to persistent memory beside storage, with and without priority in the network. What is
//! simulated is the way of a request to the memory; the memory itself takes 0.3 to 0.8 us in the paper.

use qoscope_engine::simulation::Summary;

use crate::check::Band::{Absolute, AtLeast, Between};
use crate::check::{Check, assert_all};
use crate::coexistence::{GROWTH, known, shares_of};
use crate::runs::{Estimate, estimate, seeds};

const RATIOS: [f64; 3] = [3.0, 2.0, 1.0];
/// Position of the class of memory, and of the first of storage.
const MEMORY: usize = 0;
const STORAGE: usize = 1;

fn latency_us(percentile: u32) -> impl Fn(&Summary) -> f64 {
    move |result| {
        let latency = &result.classes[MEMORY].latency_us;
        let us = match percentile {
            50 => latency.p50,
            90 => latency.p90,
            _ => latency.p99,
        };
        us.unwrap_or(f64::NAN)
    }
}

fn storage_gbps(result: &Summary) -> f64 {
    result.classes[STORAGE..].iter().map(|class| class.carried_gbps).sum()
}

/// Latency of memory at three percentiles with priority, and without.
fn latencies(prefix: &str, without: &str) -> Vec<Check> {
    let mut checks = Vec::new();
    let (urgent, plain) = (format!("{prefix}-priority"), format!("{prefix}-nopriority"));
    for percentile in [50, 90, 99] {
        let quantity = format!("PM: latency at {percentile} %, us");
        let with = estimate(&seeds(&urgent), latency_us(percentile));
        checks.push(Check::mean(&urgent, quantity, 3.5, with, 2, Absolute(0.5)).published("3 to 4"));
    }
    for percentile in [50, 90, 99] {
        let quantity = format!("PM: latency at {percentile} %, us");
        let waiting = estimate(&seeds(&plain), latency_us(percentile));
        checks.push(Check::mean(&plain, quantity, 15.0, waiting, 1, AtLeast(15.0)).published(without));
    }
    let ratio = |percentile: u32| {
        let of = |name: &str| estimate(&seeds(name), latency_us(percentile)).mean;
        100.0 * (1.0 - of(&urgent) / of(&plain))
    };
    checks.push(Check::new(prefix, "median: less with priority by, %", 82.0, ratio(50), 0, Absolute(5.0)));
    checks
}

/// Fig. 21: what storage loses to memory, against a run without it.
fn figure_21() -> Vec<Check> {
    let alone = seeds("paper1-fig12a-qtcp");
    let name = "paper1-fig20-write-priority";
    let beside = seeds(name);
    let mut checks = shares_of(name, "", &beside, &RATIOS, STORAGE, 0.05);
    checks.extend((0..RATIOS.len()).map(|class| {
        let pairs = alone.iter().zip(&beside);
        let lost = pairs
            .map(|(alone, beside)| alone.classes[class].carried_gbps - beside.classes[STORAGE + class].carried_gbps);
        let quantity = format!("{}: less than without PM by, Gb/s", alone[0].classes[class].name);
        Check::mean(name, quantity, 1.0, Estimate::of(lost), 2, Absolute(1.0)).published("close to 1")
    }));
    checks
}

/// Fig. 22: more memory, and more senders.
fn figure_22() -> Vec<Check> {
    let mut checks = Vec::new();
    for (name, distances) in [
        ("paper1-fig22a-pm10", [None; 3]),
        ("paper1-fig22a-pm15", [None; 3]),
        ("paper1-fig22b", [None, None, Some(0.08)]),
    ] {
        let results = seeds(name);
        checks.extend(known(shares_of(name, "", &results, &RATIOS, STORAGE, 0.05), distances, GROWTH));
        let slow = estimate(&results, latency_us(99));
        checks.push(Check::mean(name, "PM: latency at 99 %, us", 3.0, slow, 2, Between(0.0, 4.0)).published("3 to 4"));
    }
    let name = "paper1-fig22b";
    let total = estimate(&seeds(name), storage_gbps);
    checks.push(Check::mean(name, "storage in all, Gb/s", 87.0, total, 1, Absolute(1.0)));
    checks
}

/// Everything that is compared.
pub fn checks() -> Vec<Check> {
    [
        latencies("paper1-fig20-read", "more than 20"),
        latencies("paper1-fig20-write", "more than 20"),
        figure_21(),
        figure_22(),
        latencies("paper1-fig23", "17 to 23"),
    ]
    .concat()
}

#[test]
fn urgent_requests_are_as_quick_as_in_paper_1() {
    assert_all(&checks());
}
