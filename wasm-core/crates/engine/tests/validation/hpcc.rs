//! Runs of the simulator of HPCC, an extension of ns-3, with the same parameters (`tests/references/hpcc.json` says which
//! version and what was measured). It made each run once; its flows start together and nothing but its marking is random.
//! Ours are means over five seeds.

use serde::Deserialize;
use serde_json::Value;

use crate::check::Band::{AtLeast, Relative};
use crate::check::{Check, assert_all};
use crate::runs::{estimate, seeds, total};

/// Bytes of a full packet on the wire.
const PACKET_BYTES: f64 = 1048.0;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Case {
    total_gbps: f64,
    mean_queue_bytes: f64,
    pauses: u64,
}

fn cases() -> Vec<(String, Case)> {
    let reference: Value = serde_json::from_str(include_str!("../references/hpcc.json")).expect("JSON");
    let cases = reference["cases"].as_object().expect("there are cases");
    cases.iter().map(|(name, case)| (name.clone(), serde_json::from_value(case.clone()).expect("a case"))).collect()
}

fn compare((name, case): &(String, Case)) -> Vec<Check> {
    let results = seeds(&format!("ref-hpcc-{name}"));
    // The simulator of HPCC takes a packet off the queue as its transmission begins.
    let queue = estimate(&results, |result| {
        (result.network.mean_queue_packets - result.network.bottleneck_utilisation) * PACKET_BYTES / 1000.0
    });
    let pauses = estimate(&results, |result| result.network.pause_frames.unwrap_or(0) as f64);
    let mut checks = vec![
        Check::mean(name, "total, Gb/s", case.total_gbps, estimate(&results, total), 2, Relative(0.02)),
        Check::mean(name, "mean queue, kB", case.mean_queue_bytes / 1000.0, queue, 1, Relative(0.15)),
    ];
    checks.push(match case.pauses {
        0 => Check::mean(name, "pauses", 0.0, pauses, 0, Relative(0.0)),
        _ => Check::mean(name, "pauses", 0.0, pauses, 0, AtLeast(1.0)).trend(case.pauses.to_string()),
    });
    checks
}

/// Everything that is compared.
pub fn checks() -> Vec<Check> {
    cases().iter().flat_map(compare).collect()
}

#[test]
fn dcqcn_behaves_as_in_the_simulator_of_hpcc() {
    assert_all(&checks());
}
