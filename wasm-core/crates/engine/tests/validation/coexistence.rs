//! Paper 1, figs. 14, 18b, 18c and 19: classes that come and go, and transports that share a port.

use qoscope_engine::simulation::Summary;
use serde_json::{Value, json};

use crate::document::assert_table;
use crate::row::Band::Relative;
use crate::row::{Row, assert_all};
use crate::runs::{FEW, MANY, Runs, carried, estimate, modelled_gbps, paired, seeds, seeds_with, share, stretch};

/// What the classes of most figures share by.
pub const RATIOS: [f64; 3] = [3.0, 2.0, 1.0];

/// Of consecutive classes from `first` on, what each carries, over its part by `ratios` of what they carry together.
pub fn shares_of(case: &str, when: &str, runs: &Runs, ratios: &[f64], first: usize, band: f64) -> Vec<Row> {
    let row = |class: usize| {
        let quantity = format!("{}: carried over its share{when}", runs[0].classes[first + class].name);
        Row::number(case, quantity, 1.0, Relative(band), estimate(runs, share(class, ratios, first))).decimals(3)
    };
    (0..ratios.len()).map(row).collect()
}

/// The same from the first class on.
pub fn shares(case: &str, when: &str, runs: &Runs, ratios: &[f64], band: f64) -> Vec<Row> {
    shares_of(case, when, runs, ratios, 0, band)
}

/// What each class carries in the simulation, over what the discrete-time model of the same scenario says, and what the
/// source says of it in `words`.
pub fn modelled(name: &str, words: &str, count: u32) -> Vec<Row> {
    let runs = seeds(name, count);
    let classes = modelled_gbps(name).into_iter().enumerate();
    classes
        .map(|(class, modelled)| {
            let quantity = format!("{}: simulated over modelled", runs[0].classes[class].name);
            let ratio = estimate(&runs, |run| carried(class)(run) / modelled);
            Row::reading(name, quantity, words, (0.95, 1.05), ratio).decimals(3)
        })
        .collect()
}

/// Fig. 14a: a second application in each class, one class after the other.
fn figure_14a() -> Vec<Row> {
    const NAME: &str = "paper1-fig14a";
    let during = |from_ms: f64, to_ms: f64| stretch(NAME, from_ms, to_ms, MANY);
    let mut rows = shares(NAME, ", one application each", &during(20.0, 50.0), &RATIOS, 0.05);
    // Connections 0 to 2 are the first applications, 3 to 5 the second ones of Low, Medium and High.
    for (class, from_ms, first, second) in [("Low", 55.0, 2, 3), ("Medium", 115.0, 1, 4), ("High", 175.0, 0, 5)] {
        let runs = during(from_ms, from_ms + 38.0);
        rows.extend(shares(NAME, &format!(", two applications of {class}"), &runs, &RATIOS, 0.05));
        let part = |run: &Summary| {
            let (first, second) = (run.flows[first].carried_gbps, run.flows[second].carried_gbps);
            2.0 * second / (first + second)
        };
        let quantity = format!("{class}: second application over half of its class");
        rows.push(Row::reading(NAME, quantity, "shared", (0.9, 1.1), estimate(&runs, part)).decimals(3));
    }
    rows.extend(shares(NAME, ", once the second of Low is done", &during(98.0, 110.0), &RATIOS, 0.05));
    rows
}

/// Figs. 14b of paper 1 and 9 of paper 2: a flow of DCTCP, the last class, is there for a while. `quiet` are stretches
/// without it, `disturbed` is one with it, in milliseconds; `link_gbps` is what the link carries.
pub fn intruder(case: &str, link_gbps: f64, quiet: &[(&str, f64, f64)], disturbed: (f64, f64)) -> Vec<Row> {
    let followers = |run: &Summary| (0..RATIOS.len()).map(|class| carried(class)(run)).sum::<f64>();
    let mut rows = Vec::new();
    for &(when, from_ms, to_ms) in quiet {
        let runs = stretch(case, from_ms, to_ms, FEW);
        rows.extend(shares(case, when, &runs, &RATIOS, 0.05));
        let quantity = format!("QTCP{when}, Gb/s");
        rows.push(Row::number(case, quantity, link_gbps, Relative(0.02), estimate(&runs, followers)).decimals(2));
    }
    let (from_ms, to_ms) = disturbed;
    let runs = stretch(case, from_ms, to_ms, FEW);
    rows.extend(shares(case, ", with the intruder", &runs, &RATIOS, 0.1));
    let blind = [
        ("durationUs", json!(to_ms * 1000.0)),
        ("measurement.warmupUs", json!(from_ms * 1000.0)),
        ("qos.adaptToInterference", json!(false)),
    ];
    let room = paired(&runs, &seeds_with(case, &blind, FEW), |aware, blind| {
        carried(RATIOS.len())(aware) - carried(RATIOS.len())(blind)
    });
    let quantity = "intruder: Gb/s more than where QTCP does not adapt to it";
    rows.push(Row::order(case, quantity, "QTCP backs off", room).decimals(2));
    rows
}

/// Figs. 18b and 18c: two flows on a link, one of them DCQCN.
fn figure_18() -> Vec<Row> {
    let (b, c) = ("paper1-fig18b", "paper1-fig18c");
    let lead = |run: &Summary| carried(1)(run) - carried(0)(run);
    let part = |run: &Summary| 2.0 * carried(0)(run) / (carried(0)(run) + carried(1)(run));
    let first = estimate(&stretch(b, 0.0, 0.15, FEW), lead);
    let settled = estimate(&stretch(b, 100.0, 200.0, FEW), |run| -lead(run));
    let halves = estimate(&stretch(c, 100.0, 200.0, FEW), part);
    vec![
        Row::order(b, "DCQCN less DCTCP in the first 150 us, Gb/s", "DCQCN grabs most at first", first).decimals(1),
        Row::order(b, "DCTCP less DCQCN from 100 ms on, Gb/s", "DCTCP grabs most in the end", settled).decimals(1),
        Row::number(c, "QTCP from 100 ms on, over half of the total", 1.0, Relative(0.1), halves)
            .published("equal")
            .decimals(3),
    ]
}

/// Figs. 19b and 19c: flows with ratios, one of them blind to its own.
fn figure_19() -> Vec<Row> {
    const RATIOS: [f64; 4] = [3.0, 2.0, 1.5, 1.0];
    let rows = |name: &str| shares(name, "", &seeds(name, FEW), &RATIOS, 0.1);
    let offered = |flow: usize| format!("workloads[{flow}].traffic.offeredGbps");
    let loads =
        [40.0, 80.0 / 3.0, 20.0, 40.0 / 3.0].iter().enumerate().map(|(flow, gbps)| (offered(flow), json!(gbps)));
    let loads: Vec<(String, Value)> = loads.collect();
    let loads: Vec<(&str, Value)> = loads.iter().map(|(path, gbps)| (path.as_str(), gbps.clone())).collect();
    let filling = seeds_with("paper1-fig19c", &loads, FEW);
    let filling = shares("paper1-fig19c", ", offering 100 Gb/s in all", &filling, &RATIOS, 0.1);
    [rows("paper1-fig19b"), rows("paper1-fig19c"), filling].concat()
}

/// All rows.
fn rows() -> Vec<Row> {
    let quiet = [(", before", 30.0, 70.0), (", after", 290.0, 350.0)];
    [figure_14a(), intruder("paper1-fig14b", 96.4, &quiet, (120.0, 245.0)), figure_18(), figure_19()].concat()
}

#[test]
fn transports_share_a_port_as_in_paper_1() {
    assert_table("paper 1: coexistence", &rows());
}

/// The papers compare their model with QTCP alone; ours covers DCQCN as well.
#[test]
fn the_model_of_dcqcn_agrees_with_the_simulation() {
    assert_all(
        &[modelled("paper1-fig18c", "our own model", FEW), modelled("paper1-fig19b", "our own model", MANY)].concat(),
    );
}
