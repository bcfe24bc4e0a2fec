use serde_json::{Value, json};

use super::*;
use crate::scenario::{from_value, set_path};
use crate::simulation::Simulation;

fn writers(rtt_us: f64) -> Value {
    let workload = |class: &str, source: u32, offered: u32| {
        json!({
            "class": class,
            "endpoints": { "kind": "pairs", "initiators": [format!("h{source}")], "targets": ["h3"] },
            "traffic": { "kind": "open-loop", "offeredGbps": offered, "size": { "kind": "fixed", "bytes": 131_072 } }
        })
    };
    json!({
        "version": 3,
        "host": { "startJitterUs": 0 },
        "name": "Three writers",
        "durationUs": 20_000,
        "topology": {
            "shape": { "kind": "dumbbell", "senders": 3, "receivers": 1, "switches": 1 },
            "linkGbps": 100,
            "baseRttUs": rtt_us
        },
        "classes": [{ "name": "High", "ratio": 3 }, { "name": "Medium", "ratio": 2 }, { "name": "Low", "ratio": 1 }],
        "workloads": [workload("High", 0, 90), workload("Medium", 1, 60), workload("Low", 2, 30)]
    })
}

fn changed(mut document: Value, path: &str, value: Value) -> Value {
    set_path(&mut document, path, value).unwrap();
    document
}

fn laid_over(document: Value) -> Overlay {
    overlay(&from_value(document).unwrap()).unwrap()
}

/// Means of the points from `from_us` up to `to_us`, by class.
fn throughputs(overlay: &Overlay, from_us: f64, to_us: f64) -> Vec<f64> {
    let wanted: Vec<bool> = overlay.time_us.iter().map(|time| (from_us..to_us).contains(time)).collect();
    let mean = |column: &Vec<f64>| {
        let points = || column.iter().zip(&wanted).filter(|(number, wanted)| **wanted && number.is_finite());
        points().map(|(number, _)| number).sum::<f64>() / points().count() as f64
    };
    overlay.classes.iter().map(|class| mean(&class.throughput_gbps)).collect()
}

#[track_caller]
fn assert_near(found: &[f64], wanted: &[f64], relative: f64) {
    let near = found.iter().zip(wanted).all(|(found, wanted)| (found - wanted).abs() <= relative * wanted);
    assert!(near && found.len() == wanted.len(), "{found:.3?} is not within {relative} of {wanted:?}");
}

/// Payload share of a packet on the wire.
const PAYLOAD: f64 = 1448.0 / 1502.0;

#[test]
fn the_model_shares_the_payload_of_the_bottleneck() {
    let overlay = laid_over(writers(25.0));
    assert!(overlay.time_us.len() <= 600 && overlay.time_us.last().is_some_and(|time| *time > 19_000.0));
    let wanted = [50.0 * PAYLOAD, 33.3 * PAYLOAD, 16.7 * PAYLOAD];
    assert_near(&throughputs(&overlay, 5000.0, 20_000.0), &wanted, 0.02);
    for class in &overlay.classes {
        let at_us = class.converged_at_us.expect("every class converges");
        assert!((500.0..5000.0).contains(&at_us) && class.converged_slot.is_some(), "{at_us}");
    }
}

#[test]
fn the_model_and_the_simulation_agree() {
    let scenario = from_value(writers(25.0)).unwrap();
    let mut simulation = Simulation::new(&scenario).unwrap();
    simulation.run_until(simulation.duration_ps());
    let simulated: Vec<f64> = simulation.summary().classes.iter().map(|class| class.carried_gbps).collect();
    let modelled = throughputs(&overlay(&scenario).unwrap(), 4000.0, 20_000.0);
    assert_near(&modelled, &simulated, 0.05);
}

#[test]
fn the_model_follows_the_timeline() {
    let document = changed(
        writers(25.0),
        "timeline",
        json!([
            { "atUs": 8000, "path": "classes[0].ratio", "value": 1 },
            { "atUs": 14_000, "path": "workloads[1].stopUs", "value": 14_001 },
            { "atUs": 14_000, "path": "workloads[1].traffic.offeredGbps", "value": 60 },
        ]),
    );
    let overlay = laid_over(document);
    let total = 100.0 * PAYLOAD;
    assert_near(&throughputs(&overlay, 4000.0, 8000.0), &[total / 2.0, total / 3.0, total / 6.0], 0.04);
    assert_near(&throughputs(&overlay, 11_000.0, 14_000.0), &[total / 4.0, total / 2.0, total / 4.0], 0.04);
    assert!(overlay.classes.iter().flat_map(|class| class.converged_at_us).all(|at_us| at_us >= 14_000.0));
}

#[test]
fn dctcp_collapses_the_classes_while_the_model_runs() {
    let switch =
        |class: usize| json!({ "atUs": 8000, "path": format!("classes[{class}].transport"), "value": "dctcp" });
    let document = changed(writers(25.0), "timeline", json!([switch(0), switch(1), switch(2)]));
    let overlay = laid_over(changed(document, "durationUs", json!(60_000)));
    let total = 100.0 * PAYLOAD;
    assert_near(&throughputs(&overlay, 4000.0, 8000.0), &[total / 2.0, total / 3.0, total / 6.0], 0.04);
    // Even the least, which offers only 30 Gb/s of payload: it has arrears to send.
    assert_near(&throughputs(&overlay, 45_000.0, 60_000.0), &[total / 3.0; 3], 0.02);
}

#[test]
fn classes_come_and_go() {
    let mut document = writers(25.0);
    for (path, value) in [
        ("workloads[0].traffic", json!({ "kind": "backlogged" })),
        ("workloads[1].startUs", json!(5000)),
        ("workloads[1].traffic", json!({ "kind": "backlogged" })),
        ("workloads[1].stopUs", json!(12_000)),
        (
            "workloads[2].traffic",
            json!({ "kind": "closed-loop", "outstanding": 4, "requests": 100, "size": { "kind": "fixed", "bytes": 100_000 } }),
        ),
    ] {
        document = changed(document, path, value);
    }
    let overlay = laid_over(document);
    assert!(overlay.classes[1].quality_factor[10].is_nan());
    let total = 100.0 * PAYLOAD;
    let with_both = throughputs(&overlay, 8000.0, 12_000.0);
    assert_near(&with_both[..2], &[0.6 * total, 0.4 * total], 0.05);
    assert_near(&throughputs(&overlay, 14_000.0, 20_000.0)[..1], &[total], 0.02);
    // 100 requests of 100 kB are 80 Mbit.
    let points = overlay.time_us.windows(2).zip(&overlay.classes[2].throughput_gbps);
    let carried: f64 = points.map(|(time, gbps)| (time[1] - time[0]) * gbps).sum();
    assert_near(&[carried], &[80_000.0], 0.03);
}

#[test]
fn a_long_run_is_followed_only_so_far() {
    let overlay = laid_over(changed(writers(25.0), "durationUs", json!(100e6)));
    assert!(overlay.time_us.len() <= 600 && overlay.time_us.last().is_some_and(|time| *time < 100e6));
}

/// The three writers, each class with these fields.
fn writers_with(fields: &[(&str, Value)]) -> Value {
    let paths = (0..3).flat_map(|class| fields.iter().map(move |(field, value)| (class, field, value)));
    paths.fold(writers(25.0), |document, (class, field, value)| {
        changed(document, &format!("classes[{class}].{field}"), value.clone())
    })
}

#[test]
fn rate_controls_are_followed_with_any_set_of_parameters() {
    let total = 100.0 * PAYLOAD;
    for set in ["sigcomm15", "vendor", "hpcc"] {
        let fields = |transport: &str| [("transport", json!(transport)), ("dcqcn", json!({ "set": set }))];
        let long = |document| changed(document, "durationUs", json!(100_000));
        let qrdma = throughputs(&laid_over(long(writers_with(&fields("qrdma")))), 50_000.0, 100_000.0);
        assert!(qrdma[0] > 1.2 * qrdma[1] && qrdma[1] > 1.2 * qrdma[2], "{set}: {qrdma:?}");
        let dcqcn = throughputs(&laid_over(long(writers_with(&fields("dcqcn")))), 50_000.0, 100_000.0);
        assert_near(&dcqcn[..2], &[dcqcn[1], dcqcn[0]], 0.05);
        for carried in [qrdma, dcqcn] {
            assert!((0.85 * total..=1.001 * total).contains(&carried.iter().sum()), "{set}: {carried:?}");
        }
    }
}

#[test]
fn what_a_class_states_beside_its_set_counts() {
    let queue = |least_mbps: u32| {
        let fields = [("transport", json!("dcqcn")), ("dcqcn", json!({ "minRateMbps": least_mbps }))];
        laid_over(writers_with(&fields)).queue_packets.last().copied().unwrap()
    };
    // Two that never go below 60 Gb/s, of 90 and 60 offered, fill the buffer.
    assert!(queue(60_000) > 3900.0 && queue(100) < 1000.0, "{} {}", queue(60_000), queue(100));
}

#[test]
fn d2tcp_is_computed_as_dctcp_and_says_so() {
    let overlay = laid_over(writers_with(&[("transport", json!("d2tcp")), ("latencyTargetUs", json!(1000))]));
    let dctcp = laid_over(writers_with(&[("transport", json!("dctcp"))]));
    assert_eq!(overlay.classes[0].throughput_gbps, dctcp.classes[0].throughput_gbps);
    assert_eq!(overlay.remarks, ["D2TCP is computed as DCTCP, blind to deadlines: High, Medium, Low."]);
    assert!(dctcp.remarks.is_empty());
}

#[test]
fn timely_has_no_curve_and_says_so() {
    let switch = json!([{ "atUs": 10_000, "path": "classes[2].transport", "value": "timely" }]);
    let overlay = laid_over(changed(writers(25.0), "timeline", switch));
    let [first, .., last] = overlay.classes[2].throughput_gbps[..] else { panic!("there are points") };
    assert!(first.is_finite() && last.is_nan() && overlay.classes[2].quality_factor.last().is_some_and(|q| q.is_nan()));
    assert_eq!(overlay.remarks, ["TIMELY has no discrete-time model: the curves leave out Low and the room it takes."]);
    let alone = laid_over(writers_with(&[("transport", json!("timely"))]));
    assert!(alone.classes.iter().all(|class| class.throughput_gbps.iter().all(|gbps| gbps.is_nan())));
}

#[test]
fn a_class_that_aims_at_a_latency_follows_that_of_its_requests() {
    // Each offers a quarter of the link: a request of 2 MB, 1381 packets, takes 345 us on the half that the others leave.
    let aim = |target_us: f64| {
        let fields = [("transport", json!("qtcp")), ("goal", json!("latency")), ("latencyTargetUs", json!(target_us))];
        let mut document = writers_with(&fields);
        for workload in 0..3 {
            let traffic =
                json!({ "kind": "open-loop", "offeredGbps": 25, "size": { "kind": "exponential", "meanBytes": 2e6 } });
            document = changed(document, &format!("workloads[{workload}].traffic"), traffic);
        }
        laid_over(document).classes[0].quality_factor.last().copied().unwrap()
    };
    let (tight, loose) = (aim(100.0), aim(10_000.0));
    assert!((3.0..4.0).contains(&tight) && (0.02..0.2).contains(&loose), "{tight} {loose}");
}

#[test]
fn open_load_below_the_share_has_its_arrivals_as_target() {
    let mut document = writers(25.0);
    for workload in 0..3 {
        let traffic = json!({ "kind": "open-loop", "offeredGbps": 12, "size": { "kind": "fixed", "bytes": 65536 } });
        document = changed(document, &format!("workloads[{workload}].traffic"), traffic);
    }
    let overlay = laid_over(document);
    for class in &overlay.classes {
        let quality = class.quality_factor.last().copied().unwrap();
        assert!((quality - 1.0).abs() < 0.05, "{}: {quality}", class.name);
        assert!(class.converged_slot.is_some(), "{}", class.name);
    }
}

#[test]
fn what_a_class_that_aims_at_a_latency_leaves_is_shared() {
    let mut document = writers(25.0);
    for (path, value) in [
        ("classes[0].goal", json!("latency")),
        ("classes[0].latencyTargetUs", json!(100)),
        ("workloads[0].traffic.offeredGbps", json!(40)),
    ] {
        document = changed(document, path, value);
    }
    let carried = throughputs(&laid_over(document), 5000.0, 20_000.0);
    let rest = 100.0 * PAYLOAD - carried[0];
    assert!(carried[0] > 30.0, "{carried:?}");
    assert_near(&carried[1..], &[rest * 2.0 / 3.0, rest / 3.0], 0.02);
}

#[test]
fn closed_loops_with_a_think_time_load_the_link_as_far_as_they_ask() {
    let think = |think_time_us: u32| {
        let traffic = json!({
            "kind": "closed-loop",
            "outstanding": 1,
            "thinkTimeUs": think_time_us,
            "size": { "kind": "fixed", "bytes": 1_000_000 }
        });
        let document = changed(writers(25.0), "workloads[2].traffic", traffic);
        throughputs(&laid_over(changed(document, "durationUs", json!(40_000))), 10_000.0, 40_000.0)[2]
    };
    // 8 Mbit every 1025 us, which is less than the share of the class; and as much as the share allows.
    assert_near(&[think(1000), think(0)], &[7.8, 100.0 * PAYLOAD / 6.0], 0.03);
}
