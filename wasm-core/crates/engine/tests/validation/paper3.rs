//! Figures of paper 3: ten hosts write to one over links that pause; transfers between other hosts suffer.
//!
//! Plain DCQCN and DIRS run under the same seeds; a change is that of the sum over all sizes or loads of a figure.

use qoscope_engine::simulation::Summary;
use serde_json::{Value, json};

use crate::document::assert_table;
use crate::row::Band::{Absolute, Relative};
use crate::row::Row;
use crate::runs::{MANY, Runs, estimate, seeds_with};
use crate::sample::Estimate;

const VICTIM_BYTES: [u32; 5] = [6000, 12_000, 18_000, 24_000, 30_000];
const LOADS_GBPS: [f64; 3] = [32.0, 34.0, 37.0];
const WRITES: usize = 0;
const VICTIM: usize = 1;

/// Runs of both kinds with the same field changed.
struct Pair {
    plain: Runs,
    dirs: Runs,
}

fn pairs(figure: &str, path: &str, values: impl IntoIterator<Item = Value>) -> Vec<Pair> {
    let run = |kind: &str, value: &Value| seeds_with(&format!("{figure}-{kind}"), &[(path, value.clone())], MANY);
    values.into_iter().map(|value| Pair { plain: run("dcqcn", &value), dirs: run("dirs", &value) }).collect()
}

fn pauses(run: &Summary) -> f64 {
    run.network.pause_frames.unwrap_or(0) as f64
}

fn victim_gbps(run: &Summary) -> f64 {
    run.classes[VICTIM].request_gbps.unwrap_or(f64::NAN)
}

fn late_percent(run: &Summary) -> f64 {
    let late = run.classes[WRITES].notifications.as_ref().and_then(|all| all.late_fraction);
    100.0 * late.unwrap_or(f64::NAN)
}

/// By how many per cent DIRS changes a quantity, summed over `pairs`: the mean of what each seed shows.
fn change(pairs: &[Pair], quantity: fn(&Summary) -> f64) -> Estimate {
    let sum = |runs: fn(&Pair) -> &Runs, seed: usize| pairs.iter().map(|pair| quantity(&runs(pair)[seed])).sum::<f64>();
    let of_seed = |seed: usize| 100.0 * (sum(|pair| &pair.dirs, seed) / sum(|pair| &pair.plain, seed) - 1.0);
    Estimate::of((0..pairs[0].plain.len()).map(of_seed))
}

fn fewer(case: &str, pairs: &[Pair], published: f64) -> Row {
    Row::number(case, "pauses: change by DIRS, %", published, Absolute(15.0), change(pairs, pauses)).decimals(1)
}

fn faster(case: &str, pairs: &[Pair], published: f64) -> Row {
    let quantity = "throughput of victims: change by DIRS, %";
    Row::number(case, quantity, published, Relative(0.2), change(pairs, victim_gbps)).decimals(1)
}

/// Figs. 5a and 6a, and the share of notifications that come too late.
fn tencent() -> Vec<Row> {
    const NAME: &str = "paper3-fig5a";
    const SIZE: &str = "workloads[1].traffic.size.bytes";
    let pairs = pairs(NAME, SIZE, VICTIM_BYTES.map(|bytes| json!(bytes)));
    let late = estimate(&pairs[1].plain, late_percent);
    vec![
        fewer(NAME, &pairs, -37.1),
        faster(NAME, &pairs, 54.34),
        Row::number(
            NAME,
            "throughput of victims of 30 KB: DIRS over plain",
            2.35,
            Relative(0.2),
            change(&pairs[4..], victim_gbps).scaled(0.01, 1.0),
        )
        .decimals(2),
        Row::number(NAME, "plain DCQCN: notifications that come too late, %", 50.3, Relative(0.1), late).decimals(1),
    ]
}

/// Figs. 5b and 6b.
fn alibaba() -> Vec<Row> {
    const NAME: &str = "paper3-fig5b";
    let pairs = pairs(NAME, "workloads[0].traffic.offeredGbps", LOADS_GBPS.map(|gbps| json!(gbps)));
    vec![fewer(NAME, &pairs, -89.88), faster(NAME, &pairs, 18.89)]
}

/// All rows.
fn rows() -> Vec<Row> {
    [tencent(), alibaba()].concat()
}

#[test]
fn dirs_spares_the_victims_as_in_paper_3() {
    assert_table("paper 3", &rows());
}
