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

/// What DIRS changes in a quantity, in per cent: means over all runs of a figure, with the means themselves.
fn change(pairs: &[Pair], what: &str, quantity: fn(&Summary) -> f64) -> (String, f64) {
    let of = |runs: fn(&Pair) -> &Vec<Arc<Summary>>| {
        let by_seed = (0..pairs[0].plain.len())
            .map(|seed| pairs.iter().map(|pair| quantity(&runs(pair)[seed])).sum::<f64>() / pairs.len() as f64);
        Estimate::of(by_seed)
    };
    let (plain, dirs) = (of(|pair| &pair.plain), of(|pair| &pair.dirs));
    let shown = |found: Estimate| {
        let decimals = if found.mean < 100.0 { 2 } else { 0 };
        format!("{:.decimals$} ± {:.decimals$}", found.mean, found.half_width)
    };
    let quantity = format!("{what}: {} with plain DCQCN, {} with DIRS: change, %", shown(plain), shown(dirs));
    (quantity, 100.0 * (dirs.mean / plain.mean - 1.0))
}

fn late(results: &[Arc<Summary>]) -> Estimate {
    let share = |result: &Summary| result.classes[WRITES].notifications.as_ref().and_then(|all| all.late_fraction);
    Estimate::of(results.iter().map(|result| 100.0 * share(result).unwrap_or(f64::NAN)))
}

/// Figs. 5a and 6a, and the share of notifications that come too late.
fn tencent() -> Vec<Check> {
    const NAME: &str = "paper3-fig5a";
    let pairs = pairs(NAME, "workloads[1].traffic.size.bytes", VICTIM_BYTES.map(|bytes| json!(bytes)));
    let (late, late_words) = (late(&pairs[1].plain), "plain DCQCN: notifications that come too late, %");
    vec![
        fewer(NAME, &pairs, "-37.1"),
        faster(NAME, "victims, Gb/s", &pairs, "+54.34"),
        faster(NAME, "victims of 30 KB, Gb/s", &pairs[4..], "2.35 times"),
        Check::mean(NAME, late_words, 50.3, late, 1, Relative(0.2)).differs(0.9, "notifications that come too late"),
    ]
}

fn fewer(case: &str, pairs: &[Pair], published: &str) -> Check {
    let (quantity, change) = change(pairs, "pauses", pauses);
    Check::new(case, quantity, 0.0, change, 1, Between(-100.0, 0.0)).trend(published)
}

fn faster(case: &str, what: &str, pairs: &[Pair], published: &str) -> Check {
    let (quantity, change) = change(pairs, what, victim_gbps);
    Check::new(case, quantity, 0.0, change, 1, AtLeast(0.0)).trend(published)
}

/// Figs. 5b and 6b.
fn alibaba() -> Vec<Check> {
    const NAME: &str = "paper3-fig5b";
    let pairs = pairs(NAME, "workloads[0].traffic.offeredGbps", LOADS_GBPS.map(|gbps| json!(gbps)));
    vec![fewer(NAME, &pairs, "-89.88"), faster(NAME, "victims, Gb/s", &pairs, "+18.89")]
}

/// Everything that is compared.
pub fn checks() -> Vec<Check> {
    [tencent(), alibaba()].concat()
}

#[test]
fn dirs_spares_the_victims_as_in_paper_3() {
    assert_all(&checks());
}
