//! Paper 1, figs. 14, 18b, 18c and 19: classes that come and go, and transports that share a port.

use std::sync::Arc;

use qoscope_engine::simulation::Summary;

use crate::check::Band::{AtLeast, Between, Relative};
use crate::check::{Check, assert_all};
use crate::runs::{estimate, modelled_gbps, seeds, stretch};

/// Section of the document.
pub const GROWTH: &str = "one packet per round trip";

/// Checks, some of which miss their band by a known distance.
pub fn known(
    checks: Vec<Check>,
    distances: impl IntoIterator<Item = Option<f64>>,
    section: &'static str,
) -> impl Iterator<Item = Check> {
    let pairs = checks.into_iter().zip(distances);
    pairs.map(move |(check, distance)| distance.map_or(check.clone(), |at_most| check.differs(at_most, section)))
}

fn carried(class: usize) -> impl Fn(&Summary) -> f64 {
    move |result| result.classes[class].carried_gbps
}

/// Of consecutive classes from `first` on, what each carries, over its part by `ratios` of what they carry together.
pub fn shares_of(
    case: &str,
    when: &str,
    results: &[Arc<Summary>],
    ratios: &[f64],
    first: usize,
    band: f64,
) -> Vec<Check> {
    let check = |class: usize| {
        let part = |result: &Summary| {
            let total: f64 = result.classes[first..][..ratios.len()].iter().map(|class| class.carried_gbps).sum();
            carried(first + class)(result) * ratios.iter().sum::<f64>() / ratios[class] / total
        };
        let quantity = format!("{}: carried over its share{when}", results[0].classes[first + class].name);
        Check::mean(case, quantity, 1.0, estimate(results, part), 3, Relative(band))
    };
    (0..ratios.len()).map(check).collect()
}

/// The same from the first class on.
fn shares(case: &str, when: &str, results: &[Arc<Summary>], ratios: &[f64], band: f64) -> Vec<Check> {
    shares_of(case, when, results, ratios, 0, band)
}

/// Fig. 14a: a second application in each class, one class after the other.
fn figure_14a() -> Vec<Check> {
    const NAME: &str = "paper1-fig14a";
    const RATIOS: [f64; 3] = [3.0, 2.0, 1.0];
    let mut checks = shares(NAME, ", one application each", &stretch(NAME, 20.0, 50.0), &RATIOS, 0.05);
    // Connections 0 to 2 are the first applications, 3 to 5 the second ones of Low, Medium and High.
    for (what, class, from_ms, first, second, distances) in [
        ("Low", 2, 55.0, 2, 3, [Some(0.08), None, Some(0.12)]),
        ("Medium", 1, 115.0, 1, 4, [None, Some(0.08), None]),
        ("High", 0, 175.0, 0, 5, [None; 3]),
    ] {
        let results = stretch(NAME, from_ms, from_ms + 38.0);
        let found = shares(NAME, &format!(", two applications of {what}"), &results, &RATIOS, 0.05);
        checks.extend(known(found, distances, GROWTH));
        let part = |result: &Summary| {
            let (first, second) = (result.flows[first].carried_gbps, result.flows[second].carried_gbps);
            2.0 * second / (first + second)
        };
        let quantity = format!("{}: second application over half of its class", results[0].classes[class].name);
        checks.push(
            Check::mean(NAME, quantity, 1.0, estimate(&results, part), 3, Relative(0.1)).trend("class share is split"),
        );
    }
    let after = stretch(NAME, 100.0, 110.0);
    let first = estimate(&after, |result| result.flows[2].carried_gbps / result.classes[2].carried_gbps);
    checks.push(
        Check::mean(NAME, "Low: part of the first application once the second is done", 1.0, first, 3, AtLeast(0.95))
            .trend("share reclaimed"),
    );
    checks
}

/// Figs. 14b of paper 1 and 9 of paper 2: a flow of DCTCP, the last class, is there for a while. `quiet` are stretches
/// without it, `disturbed` is one with it, in milliseconds; `link_gbps` is what the link carries.
pub fn intruder(case: &str, link_gbps: f64, quiet: &[(&str, f64, f64)], disturbed: (f64, f64)) -> Vec<Check> {
    const RATIOS: [f64; 3] = [3.0, 2.0, 1.0];
    let followers = |result: &Summary| (0..RATIOS.len()).map(|class| carried(class)(result)).sum::<f64>();
    let mut checks = Vec::new();
    for &(when, from_ms, to_ms) in quiet {
        let results = stretch(case, from_ms, to_ms);
        checks.extend(shares(case, when, &results, &RATIOS, 0.05));
        let total = estimate(&results, followers);
        checks.push(Check::mean(case, format!("QTCP{when}, Gb/s"), link_gbps, total, 2, Relative(0.02)));
    }
    let results = stretch(case, disturbed.0, disturbed.1);
    checks.extend(shares(case, ", with the intruder", &results, &RATIOS, 0.1));
    let taken = estimate(&results, |result| carried(RATIOS.len())(result) / link_gbps);
    checks.push(
        Check::mean(case, "intruder: part of the link", 0.0, taken, 2, Between(0.1, 0.6)).trend("QTCP backs off"),
    );
    checks
}

/// What each class carries in the simulation, against the discrete-time model of the same scenario.
fn modelled(name: &str) -> Vec<Check> {
    let results = seeds(name);
    let classes = modelled_gbps(name).into_iter().enumerate();
    classes
        .map(|(class, modelled)| {
            let quantity = format!("{}: simulated against modelled, Gb/s", results[0].classes[class].name);
            Check::mean(name, quantity, modelled, estimate(&results, carried(class)), 2, Relative(0.05))
        })
        .collect()
}

/// Figs. 18b and 18c: two flows on a link, one of them DCQCN.
fn figure_18() -> Vec<Check> {
    let part = |name: &str, from_ms: f64, to_ms: f64| {
        let results = stretch(name, from_ms, to_ms);
        estimate(&results, |result| carried(0)(result) / (carried(0)(result) + carried(1)(result)))
    };
    let (b, c) = ("paper1-fig18b", "paper1-fig18c");
    vec![
        Check::mean(b, "DCTCP: part of the total in the first 150 us", 0.0, part(b, 0.0, 0.15), 3, Between(0.0, 0.5))
            .trend("DCQCN grabs most at first"),
        Check::mean(b, "DCTCP: part of the total from 100 ms on", 0.0, part(b, 100.0, 200.0), 3, AtLeast(0.6))
            .trend("DCTCP grabs most in the end"),
        Check::mean(c, "QTCP: part of the total from 100 ms on", 0.5, part(c, 100.0, 200.0), 3, Relative(0.1))
            .published("equal"),
    ]
}

/// Figs. 19b and 19c: flows with ratios, one of them blind to its own.
fn figure_19() -> Vec<Check> {
    const RATIOS: [f64; 4] = [3.0, 2.0, 1.5, 1.0];
    let (b, c) = ("paper1-fig19b", "paper1-fig19c");
    let mut checks = shares(b, "", &seeds(b), &RATIOS, 0.1);
    let blind = shares(c, "", &seeds(c), &RATIOS, 0.1);
    checks.extend(known(blind, [Some(0.3), None, None, Some(0.75)], "a flow that is blind to shares"));
    checks
}

/// Everything that is compared.
pub fn checks() -> Vec<Check> {
    let quiet = [(", before", 30.0, 70.0), (", after", 290.0, 350.0)];
    [
        figure_14a(),
        intruder("paper1-fig14b", 96.4, &quiet, (120.0, 245.0)),
        figure_18(),
        modelled("paper1-fig18c"),
        figure_19(),
        modelled("paper1-fig19b"),
    ]
    .concat()
}

#[test]
fn transports_share_a_port_as_in_paper_1() {
    assert_all(&checks());
}
