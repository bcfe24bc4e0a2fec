//! Runs of ns-3 with the same parameters (`tests/references/ns3.json` says which version and what was measured).
//!
//! ns-3 made each run once. Where flows are alike, ours are means over runs that start the flows at other instants.

use std::sync::Arc;

use qoscope_engine::simulation::Summary;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::check::Band::{Absolute, AtLeast, Between, Relative};
use crate::check::{Check, assert_all};
use crate::runs::{mean, run, run_with, total};

/// Goodput that the fair shares of the permutation add up to: 1250 Gb/s on the wire (max-min over its paths), of which
/// 1448 in 1502 bytes are payload.
const MAX_MIN_GBPS: f64 = 1250.0 * 1448.0 / 1502.0;

/// Section of the document.
const PHASES: &str = "phases of packets";

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Case {
    total_gbps: f64,
    mean_queue_packets: f64,
    marked_fraction: f64,
    drops: u64,
    flows: Vec<Flow>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Flow {
    gbps: f64,
    alpha: f64,
    window_packets: f64,
    completion_ms: Option<f64>,
}

fn case(name: &str) -> Case {
    let mut reference: Value = serde_json::from_str(include_str!("../references/ns3.json")).expect("JSON");
    serde_json::from_value(reference["cases"][name].take()).expect("the case is there")
}

fn scenario(name: &str) -> String {
    format!("ref-ns3-{name}")
}

/// ns-3 does not count the packet in transmission.
fn waiting(result: &Summary) -> f64 {
    result.network.mean_queue_packets - result.network.bottleneck_utilisation
}

fn marked(result: &Summary) -> f64 {
    result.network.marked_fraction.unwrap_or(0.0)
}

fn alpha(result: &Summary) -> f64 {
    result.flows.iter().filter_map(|flow| flow.alpha).sum::<f64>() / result.flows.len() as f64
}

fn window(result: &Summary) -> f64 {
    result.flows.iter().filter_map(|flow| flow.window_packets).sum::<f64>() / result.flows.len() as f64
}

fn of_flows(case: &Case, quantity: impl Fn(&Flow) -> f64) -> f64 {
    case.flows.iter().map(quantity).sum::<f64>() / case.flows.len() as f64
}

/// The case with its flows started at other instants.
fn starts(name: &str) -> Vec<Arc<Summary>> {
    let start = |gap_us: f64| {
        if name.starts_with("A1") {
            run_with(&scenario(name), &[("workloads[0].startGapUs", json!(10.0 * gap_us))])
        } else {
            let starts =
                [("workloads[1].startUs", json!(1.0 + gap_us)), ("workloads[2].startUs", json!(1.0 + 2.0 * gap_us))];
            run_with(&scenario(name), &starts)
        }
    };
    [6.0, 8.0, 10.0, 13.0, 17.0, 21.0, 27.0, 34.0].map(start).into()
}

/// Flows of one kind, so that each may be held against the mean of ns-3's.
fn are_alike(name: &str) -> bool {
    name.starts_with("A1")
}

/// Three flows that share a port for long. `deviations` lists the quantities that miss their band.
fn shared(name: &str, deviations: &[(&str, f64, &'static str)]) -> Vec<Check> {
    let (case, runs) = (case(name), starts(name));
    let check = |quantity: &str, expected, ours, decimals, band| {
        let check = Check::new(name, quantity, expected, ours, decimals, band);
        match deviations.iter().find(|(which, ..)| *which == quantity) {
            Some(&(_, at_most, section)) => check.differs(at_most, section),
            None => check,
        }
    };
    let mut checks = vec![
        check("total, Gb/s", case.total_gbps, mean(&runs, total), 3, Relative(0.005)),
        check("mean queue, packets", case.mean_queue_packets, mean(&runs, waiting), 1, Relative(0.08)),
        check("marked fraction", case.marked_fraction, mean(&runs, marked), 4, Relative(0.15)),
        check("α", of_flows(&case, |flow| flow.alpha), mean(&runs, alpha), 4, Relative(0.10)),
        check("window, packets", of_flows(&case, |flow| flow.window_packets), mean(&runs, window), 1, Relative(0.10)),
    ];
    for (number, flow) in case.flows.iter().enumerate() {
        let theirs = if are_alike(name) { of_flows(&case, |flow| flow.gbps) } else { flow.gbps };
        let carried = mean(&runs, |result| result.flows[number].carried_gbps);
        checks.push(check(&format!("flow {}, Gb/s", number + 1), theirs, carried, 2, Relative(0.05)));
    }
    checks
}

/// The case of the longest round trip at 100 Gb/s: ns-3 measured while the queue was still filling.
fn still_filling() -> Vec<Check> {
    const SECTION: &str = "a queue still filling";
    let name = "A2_100g_rtt98_K140_concurrent_90_60_30";
    let mut checks = shared(
        name,
        &[("mean queue, packets", 0.25, SECTION), ("marked fraction", 0.30, SECTION), ("α", 0.35, SECTION)],
    );
    let case = case(name);
    let earlier = run_with(&scenario(name), &[("durationUs", json!(29_000)), ("measurement.warmupUs", json!(9_000))]);
    let at_9_ms = |quantity: &str| format!("{quantity}, measured from 9 ms");
    checks.extend([
        Check::new(name, at_9_ms("total, Gb/s"), case.total_gbps, total(&earlier), 3, Relative(0.005)),
        Check::new(name, at_9_ms("mean queue, packets"), case.mean_queue_packets, waiting(&earlier), 1, Relative(0.08)),
        Check::new(name, at_9_ms("marked fraction"), case.marked_fraction, marked(&earlier), 4, Relative(0.15)),
        Check::new(name, at_9_ms("α"), of_flows(&case, |flow| flow.alpha), alpha(&earlier), 4, Relative(0.10))
            .differs(0.15, SECTION),
    ]);
    checks
}

fn below_capacity() -> Vec<Check> {
    let name = "A2_100g_rtt25_K140_total60";
    let (case, result) = (case(name), run(&scenario(name)));
    vec![
        Check::new(name, "total, Gb/s", case.total_gbps, total(&result), 3, Relative(0.005)),
        Check::new(name, "mean queue, packets", case.mean_queue_packets, waiting(&result), 2, Absolute(1.0)),
        Check::new(name, "marked fraction", case.marked_fraction, marked(&result), 4, Absolute(0.0)),
    ]
}

fn unequal_round_trips() -> Vec<Check> {
    let name = "A3_rttbias_K140";
    let (case, result) = (case(name), run(&scenario(name)));
    let mut checks = vec![
        Check::new(name, "total, Gb/s", case.total_gbps, total(&result), 3, Relative(0.005)),
        Check::new(name, "mean queue, packets", case.mean_queue_packets, waiting(&result), 1, Relative(0.08)),
        Check::new(name, "marked fraction", case.marked_fraction, marked(&result), 4, Relative(0.15)),
    ];
    let (short, theirs) = (&result.flows[0], &case.flows[0]);
    let of_short = |quantity: &str| format!("flow of 350 us: {quantity}");
    checks.extend([
        Check::new(name, of_short("Gb/s"), theirs.gbps, short.carried_gbps, 2, Relative(0.05)),
        Check::new(name, of_short("α"), theirs.alpha, short.alpha.unwrap_or(f64::NAN), 4, Relative(0.10)),
        Check::new(
            name,
            of_short("window"),
            theirs.window_packets,
            short.window_packets.unwrap_or(f64::NAN),
            1,
            Relative(0.10),
        ),
    ]);
    let theirs = &case.flows[1];
    let phases = phases(name);
    let long = |result: &Summary| result.flows[1].carried_gbps;
    let least = phases.iter().map(|result| long(result)).fold(f64::INFINITY, f64::min);
    let greatest = phases.iter().map(|result| long(result)).fold(0.0, f64::max);
    let of_long = |quantity: &str| format!("flow of 1800 us: {quantity} of eight phases");
    let published = format!("{:.2}", theirs.gbps);
    checks.extend([
        Check::new(name, of_long("Gb/s, mean"), theirs.gbps, mean(&phases, long), 2, Relative(0.05))
            .differs(0.30, PHASES),
        Check::new(name, of_long("Gb/s, least"), theirs.gbps, least, 2, Between(0.0, theirs.gbps)).trend(&published),
        Check::new(name, of_long("Gb/s, greatest"), theirs.gbps, greatest, 2, AtLeast(theirs.gbps)).trend(&published),
    ]);
    checks
}

/// The case with the long flow delayed by up to the time of a packet on the wire, 1.2 us.
fn phases(name: &str) -> Vec<Arc<Summary>> {
    let delayed = |eighth: u32| {
        let delay_us = 899.0 + 0.15 * f64::from(eighth);
        run_with(&scenario(name), &[("topology.shape.links[1].delayUs", json!(delay_us))])
    };
    (0..8).map(delayed).collect()
}

fn permutation() -> Vec<Check> {
    let name = "A4fixed_perm16_dmodk_K140_delack1";
    let (case, result) = (case(name), run(&scenario(name)));
    let pairs = case.flows.iter().zip(&result.flows);
    let furthest = pairs.map(|(theirs, ours)| (ours.carried_gbps - theirs.gbps).abs()).fold(0.0, f64::max);
    vec![
        Check::new(name, "total, Gb/s", case.total_gbps, total(&result), 1, Relative(0.005))
            .differs(0.04, "acknowledgements behind data"),
        Check::new(name, "total of max-min fair shares, Gb/s", MAX_MIN_GBPS, total(&result), 1, Relative(0.005)),
        Check::new(name, "flow furthest from ns-3's, Gb/s", 0.0, furthest, 1, Absolute(5.0))
            .differs(9.0, "acknowledgements behind data"),
        Check::new(name, "drops", case.drops as f64, result.network.drops_everywhere as f64, 0, Absolute(0.0)),
    ]
}

fn incast(name: &str) -> Vec<Check> {
    let (case, result) = (case(name), run(&scenario(name)));
    let theirs: Vec<f64> = case.flows.iter().filter_map(|flow| flow.completion_ms).collect();
    let ours: Vec<f64> = result.flows.iter().filter_map(|flow| flow.completion_us).map(|us| us / 1000.0).collect();
    assert_eq!(ours.len(), theirs.len(), "every flow of {name} completes");
    let mean = |times: &[f64]| times.iter().sum::<f64>() / times.len() as f64;
    let last = |times: &[f64]| times.iter().copied().fold(0.0, f64::max);
    vec![
        Check::new(name, "mean completion, ms", mean(&theirs), mean(&ours), 3, Relative(0.07)),
        Check::new(name, "last completion, ms", last(&theirs), last(&ours), 3, Relative(0.07)),
        Check::new(name, "marked fraction", case.marked_fraction, marked(&result), 4, Relative(0.15)),
        Check::new(name, "drops", case.drops as f64, result.network.drops as f64, 0, Relative(0.15)),
    ]
}

/// Everything that is compared.
pub fn checks() -> Vec<Check> {
    [
        shared("A1_dumbbell10g_K140_rtt200", &[("flow 2, Gb/s", 0.12, PHASES), ("flow 3, Gb/s", 0.08, PHASES)]),
        shared("A1_dumbbell10g_K140_rtt200_delack1", &[("flow 2, Gb/s", 0.12, PHASES), ("flow 3, Gb/s", 0.08, PHASES)]),
        shared("A2_100g_rtt25_K140_concurrent_90_60_30", &[("flow 2, Gb/s", 0.09, PHASES)]),
        still_filling(),
        below_capacity(),
        unequal_round_trips(),
        permutation(),
        incast("A5_incast10_256k_rtt100"),
        incast("A5_incast10_256k_rtt100_K20_buf40_drops"),
    ]
    .concat()
}

#[test]
fn dctcp_behaves_as_in_ns_3() {
    assert_all(&checks());
}
