//! Runs of ns-3 with the same parameters (`tests/references/ns3.json` says which version and what was measured).
//!
//! ns-3 made each run once; ours are means over seeds, which start the flows a little apart. ns-3's threshold does not count
//! two packets that ours does: the one in transmission and the one in its device queue. So `ecnThresholdPackets` is K + 2 in
//! these scenarios, and a queue of ours is taken without two packets while the port is busy.

use qoscope_engine::simulation::Summary;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::document::assert_table;
use crate::row::Band::{Absolute, Relative};
use crate::row::Row;
use crate::runs::{Changes, FEW, MANY, Runs, estimate, seeds, seeds_with, total};

/// Payload over bytes on the wire: 1448 of 1502.
const PAYLOAD: f64 = 1448.0 / 1502.0;
/// Goodput that the fair shares of the permutation add up to: 1250 Gb/s on the wire (max-min over its paths).
const MAX_MIN_GBPS: f64 = 1250.0 * PAYLOAD;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Case {
    total_gbps: f64,
    max_queue_packets: f64,
    mean_queue_packets: f64,
    marked_fraction: f64,
    drops: f64,
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

/// The packets that ns-3's queue does not hold: one in transmission, one in the device.
const AHEAD: f64 = 2.0;

fn mean_queue(run: &Summary) -> f64 {
    (run.network.mean_queue_packets - AHEAD * run.network.bottleneck_utilisation).max(0.0)
}

fn max_queue(run: &Summary) -> f64 {
    f64::from(run.network.max_queue_packets) - AHEAD
}

fn marked(run: &Summary) -> f64 {
    run.network.marked_fraction.unwrap_or(0.0)
}

fn alpha(run: &Summary) -> f64 {
    run.flows.iter().filter_map(|flow| flow.alpha).sum::<f64>() / run.flows.len() as f64
}

fn window(run: &Summary) -> f64 {
    run.flows.iter().filter_map(|flow| flow.window_packets).sum::<f64>() / run.flows.len() as f64
}

fn of_flows(case: &Case, quantity: impl Fn(&Flow) -> f64) -> f64 {
    case.flows.iter().map(quantity).sum::<f64>() / case.flows.len() as f64
}

/// Total, queue and marks of a case.
fn port(name: &str, when: &str, case: &Case, runs: &Runs) -> Vec<Row> {
    let of = |quantity: &str| format!("{quantity}{when}");
    vec![
        Row::number(name, of("total, Gb/s"), case.total_gbps, Relative(0.005), estimate(runs, total)).decimals(3),
        Row::number(
            name,
            of("mean queue, packets"),
            case.mean_queue_packets,
            Relative(0.08),
            estimate(runs, mean_queue),
        )
        .decimals(1),
        Row::number(
            name,
            of("longest queue, packets"),
            case.max_queue_packets,
            Relative(0.08),
            estimate(runs, max_queue),
        )
        .decimals(1),
        Row::number(name, of("marked fraction"), case.marked_fraction, Relative(0.15), estimate(runs, marked))
            .decimals(4),
    ]
}

/// Three flows that share a port for long: port, α, windows, and each flow. Flows that are `alike` are held against the
/// mean of ns-3's.
fn shared(name: &str, alike: bool) -> Vec<Row> {
    let (case, runs) = (case(name), seeds(&scenario(name), MANY));
    let mut rows = port(name, "", &case, &runs);
    let theirs = (of_flows(&case, |flow| flow.alpha), of_flows(&case, |flow| flow.window_packets));
    rows.extend([
        Row::number(name, "α", theirs.0, Relative(0.1), estimate(&runs, alpha)).decimals(4),
        Row::number(name, "window, packets", theirs.1, Relative(0.1), estimate(&runs, window)).decimals(1),
    ]);
    for (number, flow) in case.flows.iter().enumerate() {
        let theirs = if alike { of_flows(&case, |flow| flow.gbps) } else { flow.gbps };
        let ours = estimate(&runs, |run| run.flows[number].carried_gbps);
        let quantity = format!("flow {}, Gb/s", number + 1);
        rows.push(Row::number(name, quantity, theirs, Relative(0.05), ours).decimals(2));
    }
    rows
}

/// The longest round trip at 100 Gb/s: ns-3 measured while the queue was still filling, so ours is read a millisecond
/// earlier as well.
fn still_filling() -> Vec<Row> {
    let name = "A2_100g_rtt98_K140_concurrent_90_60_30";
    let earlier = [("durationUs", json!(29_000)), ("measurement.warmupUs", json!(9_000))];
    let (when, case) = (", from 9 ms on", case(name));
    let runs = seeds_with(&scenario(name), &earlier, MANY);
    let mut rows = shared(name, false);
    rows.extend(port(name, when, &case, &runs));
    let theirs = of_flows(&case, |flow| flow.alpha);
    rows.push(Row::number(name, format!("α{when}"), theirs, Relative(0.1), estimate(&runs, alpha)).decimals(4));
    rows
}

fn below_capacity() -> Vec<Row> {
    let name = "A2_100g_rtt25_K140_total60";
    let (case, runs) = (case(name), seeds(&scenario(name), FEW));
    vec![
        Row::number(name, "total, Gb/s", case.total_gbps, Relative(0.005), estimate(&runs, total)).decimals(3),
        Row::number(name, "mean queue, packets", case.mean_queue_packets, Absolute(1.0), estimate(&runs, mean_queue))
            .decimals(2),
        Row::number(name, "marked fraction", case.marked_fraction, Absolute(0.0), estimate(&runs, marked)).decimals(4),
    ]
}

fn unequal_round_trips() -> Vec<Row> {
    let name = "A3_rttbias_K140";
    let (case, runs) = (case(name), seeds(&scenario(name), MANY));
    let mut rows = port(name, "", &case, &runs);
    for (number, rtt_us) in [350, 1800].into_iter().enumerate() {
        let theirs = &case.flows[number];
        let of_flow = |quantity: &str| format!("flow of {rtt_us} us: {quantity}");
        rows.extend([
            Row::number(
                name,
                of_flow("Gb/s"),
                theirs.gbps,
                Relative(0.05),
                estimate(&runs, |run| run.flows[number].carried_gbps),
            )
            .decimals(2),
            Row::number(
                name,
                of_flow("α"),
                theirs.alpha,
                Relative(0.1),
                estimate(&runs, |run| run.flows[number].alpha.unwrap_or(f64::NAN)),
            )
            .decimals(4),
            Row::number(
                name,
                of_flow("window, packets"),
                theirs.window_packets,
                Relative(0.1),
                estimate(&runs, |run| run.flows[number].window_packets.unwrap_or(f64::NAN)),
            )
            .decimals(1),
        ]);
    }
    // A quarter of the time of a packet on the wire later, the long flow meets another part of the pattern.
    let later = seeds_with(&scenario(name), &[("topology.shape.links[1].delayUs", json!(899.3))], MANY);
    let quantity = "flow of 1800 us, its link 0.3 us longer: Gb/s";
    let ours = estimate(&later, |run| run.flows[1].carried_gbps);
    rows.push(Row::number(name, quantity, case.flows[1].gbps, Relative(0.05), ours).decimals(2));
    rows
}

/// The permutation: acknowledgements before a host's data, as by default; in order with it; and in order behind as much data as
/// ns-3's hosts let a connection put into their port, a send buffer of 1 MiB.
fn permutation() -> Vec<Row> {
    /// Flows whose receivers send much themselves, by number: 14 to 8, 6 to 7 and 12 to 15.
    const SLOWED: [usize; 3] = [3, 5, 10];
    let name = "A4fixed_perm16_dmodk_K140_delack1";
    let case = case(name);
    let runs = |changes: &Changes| seeds_with(&scenario(name), changes, FEW);
    let rows = |when: &str, runs: &Runs| {
        let row = |what: &str, published, share, ours| {
            Row::number(name, format!("{what}{when}"), published, Relative(share), ours).decimals(1)
        };
        let slowed = |run: &Summary| SLOWED.map(|flow| run.flows[flow].carried_gbps).iter().sum::<f64>() / 3.0;
        let theirs = SLOWED.map(|flow| case.flows[flow].gbps).iter().sum::<f64>() / 3.0;
        [
            row("total, Gb/s", case.total_gbps, 0.005, estimate(runs, total)),
            row("flows 14-8, 6-7 and 12-15: mean, Gb/s", theirs, 0.05, estimate(runs, slowed)),
        ]
    };
    let in_order = ("host.ackPriority", json!("in-order"));
    let first = runs(&[]);
    let drops = estimate(&first, |run| run.network.drops_everywhere as f64);
    let mut found = vec![
        Row::number(name, "total of max-min fair shares, Gb/s", MAX_MIN_GBPS, Relative(0.005), estimate(&first, total))
            .decimals(1),
        Row::number(name, "drops", case.drops, Absolute(0.0), drops),
    ];
    found.extend(rows("", &first));
    found.extend(rows(", acknowledgements in order", &runs(std::slice::from_ref(&in_order))));
    found.extend(rows(", in order behind a send buffer", &runs(&[in_order, ("host.queuePackets", json!(724))])));
    found
}

/// ns-3 sets the connections up first, which takes a round trip; ours exist. So one is added to our completions.
fn incast(name: &str) -> Vec<Row> {
    const SET_UP_MS: f64 = 0.1;
    let (case, runs) = (case(name), seeds(&scenario(name), MANY));
    let theirs: Vec<f64> = case.flows.iter().filter_map(|flow| flow.completion_ms).collect();
    let ours = |run: &Summary| -> Vec<f64> {
        run.flows.iter().map(|flow| SET_UP_MS + flow.completion_us.unwrap_or(f64::NAN) / 1000.0).collect()
    };
    let mean = |times: &[f64]| times.iter().sum::<f64>() / times.len() as f64;
    let last = |times: &[f64]| times.iter().copied().fold(0.0, f64::max);
    let row = |what: &str, theirs: f64, share, ours| Row::number(name, what, theirs, Relative(share), ours);
    vec![
        row("mean completion, ms", mean(&theirs), 0.07, estimate(&runs, |run| mean(&ours(run)))).decimals(3),
        row("last completion, ms", last(&theirs), 0.07, estimate(&runs, |run| last(&ours(run)))).decimals(3),
        row("longest queue, packets", case.max_queue_packets, 0.08, estimate(&runs, max_queue)).decimals(1),
        row("marked fraction", case.marked_fraction, 0.15, estimate(&runs, marked)).decimals(4),
        row("drops", case.drops, 0.15, estimate(&runs, |run| run.network.drops as f64)).decimals(1),
    ]
}

/// All rows.
fn rows() -> Vec<Row> {
    [
        shared("A1_dumbbell10g_K140_rtt200", true),
        shared("A1_dumbbell10g_K140_rtt200_delack1", true),
        shared("A2_100g_rtt25_K140_concurrent_90_60_30", false),
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
    assert_table("ns-3", &rows());
}
