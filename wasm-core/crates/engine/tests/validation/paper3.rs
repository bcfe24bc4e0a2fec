//! Figures of paper 3: ten hosts write to one over links that pause; transfers between other hosts suffer.

use std::sync::Arc;

use qoscope_engine::simulation::Summary;
use serde_json::{Value, json};

use crate::check::Band::{AtLeast, Between, Relative};
use crate::check::{Check, assert_all};
use crate::runs::{Estimate, seeds_with};

const VICTIM_BYTES: [u32; 5] = [6000, 12_000, 18_000, 24_000, 30_000];
const LOADS_GBPS: [f64; 3] = [32.0, 34.0, 37.0];
const WRITES: usize = 0;
const VICTIM: usize = 1;

/// Runs of both kinds with the same field changed.
struct Pair {
    plain: Vec<Arc<Summary>>,
    dirs: Vec<Arc<Summary>>,
}

fn pairs(figure: &str, path: &str, values: impl IntoIterator<Item = Value>) -> Vec<Pair> {
    let run = |kind: &str, value: &Value| seeds_with(&format!("{figure}-{kind}"), &[(path, value.clone())]);
    values.into_iter().map(|value| Pair { plain: run("dcqcn", &value), dirs: run("dirs", &value) }).collect()
}

fn pauses(result: &Summary) -> f64 {
    result.network.pause_frames.unwrap_or(0) as f64
}

fn victim_gbps(result: &Summary) -> f64 {
    result.classes[VICTIM].request_gbps.unwrap_or(f64::NAN)
}

/// By how many per cent DIRS differs, all of `pairs` taken together, for each seed.
fn change(pairs: &[Pair], quantity: fn(&Summary) -> f64) -> Estimate {
    let sum = |runs: fn(&Pair) -> &Vec<Arc<Summary>>, seed: usize| {
        pairs.iter().map(|pair| quantity(&runs(pair)[seed])).sum::<f64>()
    };
    let seeds = pairs[0].plain.len();
    Estimate::of((0..seeds).map(|seed| 100.0 * (sum(|pair| &pair.dirs, seed) / sum(|pair| &pair.plain, seed) - 1.0)))
}

fn late(results: &[Arc<Summary>]) -> Estimate {
    let share = |result: &Summary| result.classes[WRITES].notifications.as_ref().and_then(|all| all.late_fraction);
    Estimate::of(results.iter().map(|result| 100.0 * share(result).unwrap_or(f64::NAN)))
}

/// Figs. 5a and 6a, and the share of notifications that come too late.
fn tencent() -> Vec<Check> {
    const NAME: &str = "paper3-fig5a";
    let pairs = pairs(NAME, "workloads[1].traffic.size.bytes", VICTIM_BYTES.map(|bytes| json!(bytes)));
    let (fewer, faster) = (change(&pairs, pauses), change(&pairs, victim_gbps));
    let largest = change(&pairs[4..], victim_gbps);
    vec![
        Check::mean(NAME, "pauses: change, %", -37.1, fewer, 1, Between(-100.0, 0.0)).trend("-37.1"),
        Check::mean(NAME, "victims: change of their throughput, %", 54.34, faster, 1, AtLeast(0.0)).trend("+54.34"),
        Check::mean(NAME, "victims of 30 KB: change of their throughput, %", 135.0, largest, 1, AtLeast(0.0))
            .trend("2.35 times"),
        Check::mean(
            NAME,
            "plain DCQCN: notifications that come too late, %",
            50.3,
            late(&pairs[1].plain),
            1,
            Relative(0.2),
        )
        .differs(0.9, "notifications that come too late"),
    ]
}

/// Figs. 5b and 6b.
fn alibaba() -> Vec<Check> {
    const NAME: &str = "paper3-fig5b";
    let pairs = pairs(NAME, "workloads[0].traffic.offeredGbps", LOADS_GBPS.map(|gbps| json!(gbps)));
    let (fewer, faster) = (change(&pairs, pauses), change(&pairs, victim_gbps));
    vec![
        Check::mean(NAME, "pauses: change, %", -89.88, fewer, 1, Between(-100.0, 0.0)).trend("-89.88"),
        Check::mean(NAME, "victims: change of their throughput, %", 18.89, faster, 1, AtLeast(0.0)).trend("+18.89"),
    ]
}

/// Everything that is compared.
pub fn checks() -> Vec<Check> {
    [tencent(), alibaba()].concat()
}

#[test]
fn dirs_spares_the_victims_as_in_paper_3() {
    assert_all(&checks());
}
