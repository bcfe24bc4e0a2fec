//! Figures of paper 2: three servers offer 9, 6 and 3 Gb/s to a fourth, across a trunk of 10 Gb/s.

use std::sync::Arc;

use qoscope_engine::simulation::Summary;
use serde_json::json;

use crate::check::Band::{AtLeast, Between, Relative};
use crate::check::{Check, assert_all};
use crate::coexistence::{GROWTH, intruder, known, shares_of};
use crate::runs::{converged_ms, estimate, mean, modelled_gbps, run, run_with, seeds, stretch, total};

/// What the trunk carries, in Gb/s of payload (fig. 8; 9.63 and 9.57 in fig. 7).
const TOTAL_GBPS: f64 = 9.6;
const RATIOS: [f64; 3] = [3.0, 2.0, 1.0];
/// Payload that a link of 10 Gb/s can carry.
const LINK_GBPS: f64 = 9.64;
const GAINS: [&str; 5] = ["0.03125", "0.0625", "0.125", "0.25", "0.5"];
const RTTS_US: [u32; 4] = [100, 200, 400, 800];
const INTERVALS: [u32; 3] = [1, 10, 50];
const GAIN_OF: [&str; 3] = ["classes[0].gain", "classes[1].gain", "classes[2].gain"];
/// Section of the document.
const UNEQUAL: &str = "unequal round trips";

/// What a class carries, relative to its share of the total.
fn share(result: &Summary, class: usize) -> f64 {
    result.classes[class].carried_gbps * RATIOS.iter().sum::<f64>() / RATIOS[class] / total(result)
}

fn total_check(name: &str, result: &Summary) -> Check {
    Check::new(name, "total, Gb/s", TOTAL_GBPS, total(result), 2, Relative(0.02))
}

/// Total, and the share of each class.
fn split(name: &str) -> Vec<Check> {
    let result = run(name);
    let shares = (0..RATIOS.len()).map(|class| {
        let quantity = format!("{}: share of the total over that of 3:2:1", result.classes[class].name);
        Check::new(name, quantity, 1.0, share(&result, class), 3, Relative(0.05))
    });
    [total_check(name, &result)].into_iter().chain(shares).collect()
}

/// The share that is furthest off.
fn worst_share(result: &Summary) -> f64 {
    let shares = (0..RATIOS.len()).map(|class| share(result, class));
    let worst = shares.reduce(|worst, share| if (share - 1.0).abs() > (worst - 1.0).abs() { share } else { worst });
    worst.expect("there are classes")
}

/// Total, and the share that is furthest off.
fn summary(name: &str) -> [Check; 2] {
    let result = run(name);
    [
        total_check(name, &result),
        Check::new(name, "share furthest from 3:2:1, over it", 1.0, worst_share(&result), 3, Relative(0.05)),
    ]
}

fn figure_2() -> Vec<Check> {
    let name = "paper2-fig2";
    let (result, modelled) = (run(name), modelled_gbps(name));
    let mut checks = split(name);
    for (class, modelled) in result.classes.iter().zip(modelled) {
        let quantity = format!("{}: simulated against modelled, Gb/s", class.name);
        checks.push(Check::new(name, quantity, modelled, class.carried_gbps, 3, Relative(0.05)));
    }
    checks
}

fn figure_3() -> Vec<Check> {
    let name = "paper2-fig3";
    let (result, seeds) = (run(name), seeds(name));
    let mut checks = split(name);
    for class in &result.classes {
        let factor = class.quality_factor.mean.unwrap_or(f64::NAN);
        checks.push(Check::new(name, format!("{}: Q", class.name), 1.0, factor, 3, Between(0.95, 1.05)).published("1"));
    }
    let slots = mean(&seeds, converged_ms) * 1000.0 / 248.0;
    checks.push(
        Check::new(name, "slots until all have converged", 100.0, slots, 0, Relative(0.2))
            .published("100")
            .differs(0.8, "convergence after slow start"),
    );
    checks
}

/// How much longer the slowest class takes to converge from one run to the next, at least.
fn least_growth(times_ms: &[f64]) -> f64 {
    times_ms.windows(2).map(|pair| pair[1] / pair[0]).fold(f64::INFINITY, f64::min)
}

fn convergence_ms(name: &str) -> f64 {
    mean(&seeds(name), converged_ms)
}

fn figure_4() -> Vec<Check> {
    let names = RTTS_US.map(|rtt_us| format!("paper2-fig4-rtt{rtt_us}"));
    let times_ms = names.each_ref().map(|name| convergence_ms(name));
    let mut checks: Vec<Check> = names.iter().flat_map(|name| summary(name)).collect();
    let all = times_ms.map(|ms| format!("{ms:.0}")).join(", ");
    let quantity = format!("convergence at 100, 200, 400, 800 us takes {all} ms: least growth");
    checks.push(
        Check::new("paper2-fig4", quantity, 1.0, least_growth(&times_ms), 2, AtLeast(1.0)).trend("grows with RTT"),
    );
    checks
}

fn figure_5() -> Vec<Check> {
    const SECTION: &str = "a large gain";
    let names = GAINS.map(|gain| format!("paper2-fig5-gain{gain}"));
    let times_ms = names.each_ref().map(|name| convergence_ms(name));
    let bounds = [None, None, None, Some(0.08), Some(0.30)];
    let mut checks: Vec<Check> = names
        .iter()
        .zip(bounds)
        .flat_map(|(name, bound)| {
            let [total, worst] = summary(name);
            [total, if let Some(at_most) = bound { worst.differs(at_most, SECTION) } else { worst }]
        })
        .collect();
    let all = times_ms.map(|ms| format!("{ms:.0}")).join(", ");
    let quantity = format!("convergence with gains of 1/32, 1/16, 1/8, 1/4, 1/2 takes {all} ms");
    let faster = |from: usize, to: usize, quantity: &str| {
        Check::new("paper2-fig5", quantity, 1.0, times_ms[from] / times_ms[to], 2, AtLeast(1.0)).trend("falls with γ")
    };
    checks.extend([
        faster(0, 1, &format!("{quantity}: 1/32 over 1/16")),
        faster(1, 2, "1/16 over 1/8"),
        faster(2, 3, "1/8 over 1/4").differs(0.35, SECTION),
        faster(3, 4, "1/4 over 1/2").differs(0.70, SECTION),
    ]);
    checks
}

fn figure_7() -> Vec<Check> {
    let name = "paper2-fig7-dctcp";
    let (result, seeds) = (run(name), seeds(name));
    let mut checks = split("paper2-fig7-qtcp");
    checks.push(total_check(name, &result));
    for (class, bound) in [(0, None), (1, Some(0.07))] {
        let quantity = format!("{} over Low, mean over five seeds", result.classes[class].name);
        let ratio = |result: &Summary| result.classes[class].carried_gbps / result.classes[2].carried_gbps;
        let check = Check::new(name, quantity, 1.1, mean(&seeds, ratio), 2, Relative(0.05));
        checks.push(match bound {
            Some(bound) => check.differs(bound, "phases of packets"),
            None => check,
        });
    }
    checks
}

fn figure_8() -> Vec<Check> {
    let (qtcp, dctcp) = ("paper2-fig8-qtcp", "paper2-fig8-dctcp");
    let (fair, biased) = (run(qtcp), run(dctcp));
    let mut checks = split(qtcp);
    for (check, bound) in checks[1..].iter_mut().zip([0.22, 0.20, 0.25]) {
        *check = check.clone().differs(bound, UNEQUAL);
    }
    let bias = |result: &Summary| result.classes[0].carried_gbps / result.classes[1].carried_gbps;
    checks.push(
        Check::new(qtcp, "High (1800 us) over Medium (350 us)", 1.5, bias(&fair), 2, Relative(0.05))
            .differs(0.36, UNEQUAL),
    );
    let quick = run_with(qtcp, &[0, 1, 2].map(|class| (GAIN_OF[class], json!(0.5))));
    let quantity = "share furthest from 3:2:1, with a gain of 1/2";
    checks.push(Check::new(qtcp, quantity, 1.0, worst_share(&quick), 3, Relative(0.05)).differs(0.65, UNEQUAL));
    checks.push(total_check(dctcp, &biased));
    checks.push(
        Check::new(dctcp, "High (1800 us) over Medium (350 us)", 0.0, bias(&biased), 2, Between(0.0, 0.5))
            .trend("biased to short RTT"),
    );
    checks
}

fn figure_12() -> Vec<Check> {
    let names = INTERVALS.map(|interval| format!("paper2-fig12-interval{interval}"));
    let results: Vec<Arc<Summary>> = names.iter().map(|name| run(name)).collect();
    let high = |result: &Summary| result.classes[0].carried_gbps;
    let checks = names.iter().zip(&results).zip([0.25, 0.33, 0.35]).map(|((name, result), bound)| {
        let [total, worst] = summary(name);
        let quantity = "High, over High at an interval of 1";
        let steady = Check::new(name, quantity, 1.0, high(result) / high(&results[0]), 3, Relative(0.05));
        [total, worst.differs(bound, UNEQUAL), steady.trend("similar")]
    });
    checks.flatten().collect()
}

/// Fig. 9: a flow of DCTCP leaves, or comes and leaves.
fn figure_9() -> Vec<Check> {
    let left = [(", once it has left", 260.0, 400.0)];
    let both = [(", before it comes", 50.0, 100.0), (", once it has left", 360.0, 500.0)];
    [
        intruder("paper2-fig9a", LINK_GBPS, &left, (50.0, 195.0)),
        intruder("paper2-fig9b", LINK_GBPS, &both, (150.0, 295.0)),
    ]
    .concat()
}

/// Fig. 11: the loads are halved at 100 ms. Until then the classes share by ratios; once what has waited is sent, each
/// carries what it offers.
fn figure_11() -> Vec<Check> {
    let mut checks = Vec::new();
    for (name, settled, halved) in
        [("paper2-fig11a", (1700.0, 2000.0), [4.5, 3.0, 1.5]), ("paper2-fig11b", (300.0, 500.0), [3.5, 1.75, 0.875])]
    {
        checks.extend(shares_of(name, ", congested", &stretch(name, 30.0, 100.0), &RATIOS, 0, 0.1));
        let results = stretch(name, settled.0, settled.1);
        checks.extend(halved.into_iter().enumerate().map(|(class, offered)| {
            let quantity = format!("{}, no longer congested, Gb/s", results[0].classes[class].name);
            let carried = estimate(&results, |result| result.classes[class].carried_gbps);
            Check::mean(name, quantity, offered, carried, 2, Relative(0.1))
        }));
    }
    checks
}

/// Fig. 13: five applications in each class, each a connection of its own.
fn figure_13() -> Vec<Check> {
    const NAME: &str = "paper2-fig13";
    const APPLICATIONS: usize = 5;
    let results = seeds(NAME);
    let mut checks: Vec<Check> =
        known(shares_of(NAME, "", &results, &RATIOS, 0, 0.05), [None, None, Some(0.11)], GROWTH).collect();
    checks.extend((0..RATIOS.len()).map(|class| {
        let first = estimate(&results, |result| {
            result.flows[class * APPLICATIONS].carried_gbps * APPLICATIONS as f64 / result.classes[class].carried_gbps
        });
        let quantity = format!("{}: first application over a fifth of its class", results[0].classes[class].name);
        Check::mean(NAME, quantity, 1.0, first, 2, Relative(0.25)).trend("treated alike")
    }));
    checks
}

/// Everything that is compared.
pub fn checks() -> Vec<Check> {
    [
        figure_2(),
        figure_3(),
        figure_4(),
        figure_5(),
        figure_7(),
        figure_8(),
        figure_9(),
        figure_11(),
        figure_12(),
        figure_13(),
    ]
    .concat()
}

#[test]
fn qtcp_behaves_as_in_paper_2() {
    assert_all(&checks());
}
