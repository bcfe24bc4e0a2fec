//! Paper 1, figs. 20 to 23: requests to persistent memory beside storage, with and without priority in the network. What is
//! simulated is the way of a request to the memory; the memory itself takes 0.3 to 0.8 us in the paper.

use qoscope_engine::simulation::Summary;

use crate::coexistence::{RATIOS, shares_of};
use crate::document::assert_table;
use crate::row::Band::{Absolute, Relative};
use crate::row::Row;
use crate::runs::{MANY, Runs, estimate, paired, percent_less, seeds};

/// Position of the class of memory, and of the first of storage.
const MEMORY: usize = 0;
const STORAGE: usize = 1;

fn latency_us(percentile: u32) -> impl Fn(&Summary) -> f64 {
    move |run| {
        let latency = &run.classes[MEMORY].latency_us;
        let us = match percentile {
            50 => latency.p50,
            90 => latency.p90,
            _ => latency.p99,
        };
        us.unwrap_or(f64::NAN)
    }
}

fn storage_gbps(run: &Summary) -> f64 {
    run.classes[STORAGE..].iter().map(|class| class.carried_gbps).sum()
}

/// Runs of a figure with priority and without.
fn both(prefix: &str) -> [(String, Runs); 2] {
    ["priority", "nopriority"].map(|kind| {
        let name = format!("{prefix}-{kind}");
        let runs = seeds(&name, MANY);
        (name, runs)
    })
}

fn quantity(percentile: u32) -> String {
    format!("PM: latency at {percentile} %, us")
}

/// Latency of memory at three percentiles with priority: 3 to 4 us.
fn urgent((name, runs): &(String, Runs)) -> Vec<Row> {
    let row = |percentile| {
        Row::range(name, quantity(percentile), (3.0, 4.0), estimate(runs, latency_us(percentile))).decimals(2)
    };
    [50, 90, 99].map(row).into()
}

/// By how much priority lowers a percentile of the latency of memory, in per cent.
fn saving(prefix: &str, percentile: u32, published: f64, [with, without]: &[(String, Runs); 2]) -> Row {
    let saved = percent_less(&without.1, &with.1, latency_us(percentile));
    let quantity = format!("PM: latency at {percentile} % less with priority by, %");
    Row::number(prefix, quantity, published, Absolute(5.0), saved).decimals(1)
}

/// Fig. 20. Without priority the text says more than 20 us; fig. 23, "similar", goes up to 23.
fn figure_20(prefix: &str) -> Vec<Row> {
    let runs = both(prefix);
    let (name, plain) = &runs[1];
    let waiting = |percentile| {
        let latency = estimate(plain, latency_us(percentile));
        Row::range(name, quantity(percentile), (20.0, 23.0), latency).published("more than 20").decimals(1)
    };
    [urgent(&runs[0]), [50, 90, 99].map(waiting).into(), vec![saving(prefix, 50, 82.0, &runs)]].concat()
}

/// Fig. 23: from 17 to 23 us over the percentiles.
fn figure_23() -> Vec<Row> {
    const NAME: &str = "paper1-fig23";
    let runs = both(NAME);
    let (name, plain) = &runs[1];
    let latency = |percentile| estimate(plain, latency_us(percentile));
    let waiting = vec![
        Row::number(name, quantity(50), 17.0, Relative(0.1), latency(50)).decimals(1),
        Row::range(name, quantity(90), (17.0, 23.0), latency(90)).decimals(1),
        Row::number(name, quantity(99), 23.0, Relative(0.1), latency(99)).decimals(1),
    ];
    [urgent(&runs[0]), waiting, vec![saving(NAME, 99, 83.0, &runs)]].concat()
}

/// Fig. 21: what storage loses to memory, against a run without it.
fn figure_21() -> Vec<Row> {
    const NAME: &str = "paper1-fig20-write-priority";
    let (alone, beside) = (seeds("paper1-fig12a-qtcp", MANY), seeds(NAME, MANY));
    let mut rows = shares_of(NAME, "", &beside, &RATIOS, STORAGE, 0.05);
    rows.extend((0..RATIOS.len()).map(|class| {
        let lost = paired(&alone, &beside, |alone, beside| {
            alone.classes[class].carried_gbps - beside.classes[STORAGE + class].carried_gbps
        });
        let quantity = format!("{}: less than without PM by, Gb/s", alone[0].classes[class].name);
        Row::number(NAME, quantity, 1.0, Absolute(0.75), lost).published("close to 1").decimals(2)
    }));
    rows
}

/// Fig. 22: more memory, and more senders.
fn figure_22() -> Vec<Row> {
    const INCAST: &str = "paper1-fig22b";
    let little = seeds("paper1-fig20-write-priority", MANY);
    let mut rows = Vec::new();
    for name in ["paper1-fig22a-pm10", "paper1-fig22a-pm15", INCAST] {
        rows.extend(shares_of(name, "", &seeds(name, MANY), &RATIOS, STORAGE, 0.05));
    }
    for name in ["paper1-fig22a-pm10", "paper1-fig22a-pm15"] {
        let lost = paired(&little, &seeds(name, MANY), |little, more| storage_gbps(little) - storage_gbps(more));
        rows.push(
            Row::order(name, "storage in all: less than in fig. 21 by, Gb/s", "reduces slightly", lost).decimals(2),
        );
    }
    let total = estimate(&seeds(INCAST, MANY), storage_gbps);
    rows.push(Row::number(INCAST, "storage in all, Gb/s", 87.0, Absolute(1.0), total).decimals(1));
    rows
}

/// All rows.
fn rows() -> Vec<Row> {
    [figure_20("paper1-fig20-read"), figure_20("paper1-fig20-write"), figure_21(), figure_22(), figure_23()].concat()
}

#[test]
fn urgent_requests_are_as_quick_as_in_paper_1() {
    assert_table("paper 1: urgent", &rows());
}
