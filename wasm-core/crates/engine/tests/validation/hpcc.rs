//! Runs of the simulator of HPCC, an extension of ns-3, with the same parameters (`tests/references/hpcc.json` says which
//! version and what was measured). It made each run once; its flows start together and nothing but its marking is random.

use serde::Deserialize;
use serde_json::{Value, json};

use crate::document::assert_table;
use crate::row::Band::Relative;
use crate::row::Row;
use crate::runs::{MANY, estimate, seeds, seeds_with, total};

/// Bytes of a full packet on the wire.
const PACKET_BYTES: f64 = 1048.0;
/// Long enough for all flows of a case to complete.
const WHOLE_US: u32 = 30_000;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Case {
    total_gbps: f64,
    mean_queue_bytes: f64,
    max_queue_bytes: f64,
    pauses: u32,
    mean_completion_us: f64,
}

fn cases() -> Vec<(String, Case)> {
    let reference: Value = serde_json::from_str(include_str!("../references/hpcc.json")).expect("JSON");
    let cases = reference["cases"].as_object().expect("there are cases");
    cases.iter().map(|(name, case)| (name.clone(), serde_json::from_value(case.clone()).expect("a case"))).collect()
}

fn compare((name, case): &(String, Case)) -> Vec<Row> {
    let scenario = format!("ref-hpcc-{name}");
    let settled = seeds(&scenario, MANY);
    let whole = [
        ("durationUs", json!(WHOLE_US)),
        ("measurement.warmupUs", json!(0)),
        ("measurement.samplePeriodUs", json!(10)),
    ];
    let whole = seeds_with(&scenario, &whole, MANY);
    // The simulator of HPCC takes a packet off the queue as its transmission begins.
    let mean_kb = estimate(&settled, |run| {
        (run.network.mean_queue_packets - run.network.bottleneck_utilisation) * PACKET_BYTES / 1000.0
    });
    let max_kb = estimate(&whole, |run| (f64::from(run.network.max_queue_packets) - 1.0) * PACKET_BYTES / 1000.0);
    let pauses = estimate(&whole, |run| run.network.pause_frames.unwrap_or(0) as f64);
    let mean_ms = estimate(&whole, |run| {
        let completions = run.flows.iter().map(|flow| flow.completion_us.unwrap_or(f64::NAN) / 1000.0);
        completions.sum::<f64>() / run.flows.len() as f64
    });
    vec![
        Row::number(name, "total, Gb/s", case.total_gbps, Relative(0.02), estimate(&settled, total)).decimals(2),
        Row::number(name, "mean queue, kB", case.mean_queue_bytes / 1000.0, Relative(0.15), mean_kb).decimals(1),
        Row::number(name, "whole run: longest queue, kB", case.max_queue_bytes / 1000.0, Relative(0.15), max_kb),
        Row::number(name, "whole run: pauses", f64::from(case.pauses), Relative(0.15), pauses),
        Row::number(name, "mean completion, ms", case.mean_completion_us / 1000.0, Relative(0.02), mean_ms).decimals(2),
    ]
}

/// All rows.
fn rows() -> Vec<Row> {
    cases().iter().flat_map(compare).collect()
}

#[test]
fn dcqcn_behaves_as_in_the_simulator_of_hpcc() {
    assert_table("hpcc", &rows());
}
