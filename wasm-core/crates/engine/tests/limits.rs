//! Numbers at the ends of their ranges: nothing wraps, nothing is drawn twice, no share is more than the whole.

use crate::common::hosts;
use proptest::prelude::*;
use proptest::sample::select;
use qoscope_engine::kernel::time::PS_PER_US;
use qoscope_engine::scenario;
use qoscope_engine::simulation::{Simulation, Summary};
use serde_json::{Value, json};

fn simulation(document: &Value) -> Result<Simulation, Vec<scenario::Diagnostic>> {
    scenario::from_value(document.clone()).and_then(|scenario| Simulation::new(&scenario))
}

fn run(document: &Value) -> Summary {
    let mut simulation = simulation(document).expect("the scenario is valid");
    simulation.run_until(u64::MAX);
    simulation.summary()
}

/// One class of so many senders to one receiver, over one switch at 10 Gb/s.
fn incast(senders: u32, transport: &str, traffic: &Value) -> Value {
    json!({
        "version": 3,
        "host": { "startJitterUs": 0 },
        "name": "Limits",
        "durationUs": 2000,
        "topology": {
            "shape": { "kind": "dumbbell", "senders": senders, "receivers": 1, "switches": 1 },
            "linkGbps": 10,
            "linkDelayUs": 5
        },
        "classes": [{ "name": "A", "transport": transport }],
        "workloads": [{
            "class": "A",
            "endpoints": { "kind": "pairs", "initiators": hosts(0..senders), "targets": hosts([senders]) },
            "traffic": traffic
        }],
        "measurement": { "warmupUs": 0 }
    })
}

#[test]
fn headroom_of_a_fast_long_cable_is_more_than_32_bits_hold() {
    let mut document = incast(2, "dcqcn", &json!({ "kind": "backlogged" }));
    document["topology"]["linkGbps"] = json!(800);
    document["topology"]["linkDelayUs"] = json!(21_475);
    document["switch"] = json!({ "buffering": "pfc", "sharedBufferBytes": 4_000_000_000_u64, "marking": "off" });
    let diagnostics = simulation(&document).expect_err("three ports keep 4.3 GB each");
    assert_eq!(diagnostics[0].path, "switch.sharedBufferBytes");
    assert!(diagnostics[0].reason.contains("as headroom"), "{}", diagnostics[0]);
}

#[test]
fn the_mean_of_a_queue_of_many_slow_packets_lies_below_its_maximum() {
    for (buffering, marking_point) in [("per-port", "arrival"), ("shared", "departure")] {
        let mut document = incast(20, "dctcp", &json!({ "kind": "backlogged" }));
        document["durationUs"] = json!(200_000_000);
        document["topology"]["shape"] =
            json!({ "kind": "dumbbell", "senders": 20, "receivers": 1, "switches": 2, "trunkGbps": 0.001 });
        document["host"] =
            json!({ "startJitterUs": 0, "mtuBytes": 65_000, "initialWindowPackets": 1000, "queuePackets": 1000 });
        document["switch"] = json!({
            "buffering": buffering, "markingPoint": marking_point, "marking": "off",
            "bufferPackets": 1_000_000, "bufferBytes": 4_000_000_000_u64, "sharedBufferBytes": 4_000_000_000_u64,
            "threshold": "static", "xoffBytes": 1_000_000_000
        });
        let network = run(&document).network;
        // Nearly 20 000 packets of half a second each: 10^20 ps, where 64 bits end at 1.8 * 10^19.
        let mean = network.mean_queue_packets;
        assert!(mean > 10_000.0 && mean <= f64::from(network.max_queue_packets), "{network:?}");
    }
}

#[test]
fn a_queue_that_is_taken_over_after_a_change_of_rate_counts_no_transmission_twice() {
    for (before_gbps, after_gbps) in [(2, 1), (18, 25)] {
        let mut document = incast(4, "dctcp", &json!({ "kind": "backlogged" }));
        document["topology"]["linkGbps"] = json!(before_gbps);
        document["measurement"]["warmupUs"] = json!(0);
        document["timeline"] = json!([
            { "atUs": 100, "path": "topology.linkGbps", "value": after_gbps },
            { "atUs": 100, "path": "switch.buffering", "value": "shared" },
        ]);
        document["durationUs"] = json!(101);
        let utilisation = run(&document).network.bottleneck_utilisation;
        assert!((0.0..=1.0).contains(&utilisation), "{before_gbps} to {after_gbps} Gb/s: {utilisation}");
    }
}

#[test]
fn a_diagnostic_of_the_memory_of_a_switch_has_no_control_characters() {
    let mut document = incast(2, "dcqcn", &json!({ "kind": "backlogged" }));
    document["topology"]["shape"] = json!({
        "kind": "custom",
        "nodes": [
            { "name": "h0", "role": "host" },
            { "name": "h1", "role": "host" },
            { "name": "h2", "role": "host" },
            { "name": "\u{1b}[2J", "role": "switch" },
        ],
        "links": [
            { "from": "h0", "to": "\u{1b}[2J" },
            { "from": "h1", "to": "\u{1b}[2J" },
            { "from": "h2", "to": "\u{1b}[2J" },
        ],
    });
    document["switch"] = json!({ "buffering": "pfc", "sharedBufferBytes": 10_000 });
    let text: String = simulation(&document).expect_err("too little memory").iter().map(ToString::to_string).collect();
    assert!(text.contains("[2J") && !text.contains(char::is_control), "{text:?}");
}

#[test]
fn the_gap_after_a_request_that_takes_centuries_does_not_end() {
    let size = json!({ "kind": "fixed", "bytes": 1_000_000_000_000_u64 });
    let traffic = json!({ "kind": "open-loop", "offeredGbps": 0.000_001, "size": size });
    assert_eq!(run(&incast(1, "dctcp", &traffic)).classes[0].requests.issued, 1);
}

#[test]
fn no_more_packets_are_marked_than_were_looked_at() {
    let mut document = incast(2, "dctcp", &json!({ "kind": "backlogged" }));
    document["durationUs"] = json!(600);
    document["workloads"][0]["stopUs"] = json!(400.1);
    document["host"] = json!({ "startJitterUs": 0, "initialWindowPackets": 200 });
    document["switch"] = json!({ "markingPoint": "departure", "ecnThresholdPackets": 5 });
    // Nearly all packets join before the end of the warm-up and leave after it.
    document["measurement"] = json!({ "warmupUs": 400, "samplePeriodUs": 10 });
    let still = document.clone();
    document["timeline"] = json!([
        { "atUs": 420, "path": "switch.markingPoint", "value": "arrival" },
        { "atUs": 440, "path": "switch.markingPoint", "value": "departure" }
    ]);
    for document in [still, document] {
        let mut simulation = simulation(&document).expect("the scenario is valid");
        simulation.run_until(u64::MAX);
        let marked = simulation.summary().network.marked_fraction.expect("packets were looked at");
        assert!((0.5..=1.0).contains(&marked), "{marked}");
        let columns = simulation.samples(0).len() / 60;
        let shares = simulation.samples(0).chunks_exact(columns).map(|row| row[4]);
        assert!(shares.filter(|share| !share.is_nan()).all(|share| (0.0..=1.0).contains(&share)));
    }
}

#[test]
fn a_class_that_carries_nothing_carries_zero_without_a_sign() {
    let mut document = incast(1, "dctcp", &json!({ "kind": "backlogged" }));
    document["classes"] = json!([{ "name": "A", "transport": "dctcp" }, { "name": "Z", "priority": 1 }]);
    document["switch"] = json!({ "urgentReservePackets": 5000, "bufferPackets": 100 });
    let summary = run(&document);
    assert!(summary.classes.iter().all(|class| class.carried_gbps.is_sign_positive()));
    assert!(!serde_json::to_string(&summary).unwrap().contains("-0"));
}

/// Requests of one open or closed loop, and what they are offered to.
fn demanding() -> impl Strategy<Value = Value> {
    let sizes = prop_oneof![
        (64u64..20_000).prop_map(|bytes| json!({ "kind": "fixed", "bytes": bytes })),
        (500.0..20_000.0f64).prop_map(|bytes| json!({ "kind": "exponential", "meanBytes": bytes })),
    ];
    let open = (0.5..60.0f64, select(vec!["exponential", "constant", "uniform"]));
    let closed = 1u32..2000;
    let traffic = (sizes, open, closed, any::<bool>()).prop_map(|(size, (gbps, gaps), outstanding, is_open)| {
        if is_open {
            json!({ "kind": "open-loop", "offeredGbps": gbps, "gaps": gaps, "size": size })
        } else {
            json!({ "kind": "closed-loop", "outstanding": outstanding, "size": size })
        }
    });
    let flows = (select(vec!["lasting", "per-request"]), 1u32..5, 1u32..4);
    let raise = prop::option::of((100.0..1500.0f64, 1.0..100.0f64));
    let transport = select(vec!["dctcp", "qtcp", "dcqcn", "timely"]);
    (traffic, flows, raise, transport).prop_map(|(traffic, (flows, connections, senders), raise, transport)| {
        let mut document = incast(senders, transport, &traffic);
        document["workloads"][0]["flows"] = json!(flows);
        document["workloads"][0]["connections"] = json!(connections);
        if let (Some((at_us, gbps)), "open-loop") = (raise, traffic["kind"].as_str().unwrap_or_default()) {
            let path = "workloads[0].traffic.offeredGbps";
            document["timeline"] = json!([{ "atUs": at_us, "path": path, "value": gbps }]);
        }
        document
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, failure_persistence: None, ..ProptestConfig::default() })]

    /// A run holds no more requests than is said before it, and no fewer than is surely expected.
    #[test]
    fn estimates_of_requests_enclose_what_a_run_holds(document in demanding()) {
        let scenario = scenario::from_value(document).expect("the scenario is valid");
        let cost = scenario::size::cost(&scenario);
        let mut simulation = Simulation::new(&scenario).expect("can be laid out");
        let mut most = 0;
        for slice in 1..=200 {
            simulation.run_until(slice * 10 * PS_PER_US);
            most = most.max(simulation.requests_held());
        }
        let most = most as f64;
        prop_assert!(most <= cost.max_requests, "{most} held, {cost:?}");
        prop_assert!(cost.requests <= 1.25 * most + 100.0, "{most} held, {cost:?}");
        let events = simulation.events() as f64;
        prop_assert!(events <= 1.5 * cost.work + 1000.0, "{events} events, {cost:?}");
    }
}

/// Requests of open loops that ports, flows, trunks or drives do not carry are in the estimate, to a factor of three.
#[test]
fn memory_of_requests_that_wait_is_estimated() {
    let open = |gbps: f64, bytes: u32| json!({ "kind": "open-loop", "offeredGbps": gbps, "size": { "kind": "fixed", "bytes": bytes } });
    let per_request = {
        let mut document = incast(1, "dctcp", &open(5.0, 2048));
        document["topology"]["baseRttUs"] = json!(200);
        document["workloads"][0]["flows"] = json!("per-request");
        document
    };
    let window = {
        let mut document = incast(1, "dctcp", &open(5.0, 2048));
        document["topology"]["baseRttUs"] = json!(2000);
        document["host"] = json!({ "startJitterUs": 0, "maximumWindowPackets": 4 });
        document
    };
    let two_workloads = {
        let mut document = incast(2, "dctcp", &open(8.0, 256));
        let second = document["workloads"][0].clone();
        document["workloads"] = json!([second, second]);
        document["workloads"][0]["endpoints"]["initiators"] = json!(["h0"]);
        document["workloads"][1]["endpoints"]["initiators"] = json!(["h1"]);
        document
    };
    let trunk = {
        let mut document = incast(1, "dctcp", &open(8.0, 2048));
        document["topology"]["shape"] =
            json!({ "kind": "dumbbell", "senders": 1, "receivers": 1, "switches": 2, "trunkGbps": 1 });
        document
    };
    let drive = {
        let mut document = incast(1, "dctcp", &open(5.0, 2048));
        document["access"] = json!({ "protocol": "nvme-tcp" });
        let devices = json!([{ "name": "drive", "kind": "constant-capacity" }]);
        document["storage"] =
            json!({ "servers": [{ "host": "h1", "devices": devices }], "constant": { "capacityIops": 1000 } });
        document["workloads"][0]["devices"] = json!("constant-capacity");
        document
    };
    let all = [
        ("flows", per_request),
        ("window", window),
        ("two workloads", two_workloads),
        ("trunk", trunk),
        ("drive", drive),
    ];
    for (name, mut document) in all {
        document["durationUs"] = json!(20_000);
        let scenario = scenario::from_value(document).unwrap_or_else(|found| panic!("{name}: {found:?}"));
        let quiet = {
            let mut quiet = scenario.clone();
            quiet.duration_us = 1.0;
            scenario::size::cost(&quiet).memory_bytes
        };
        let estimated = (scenario::size::cost(&scenario).memory_bytes - quiet) / scenario::size::REQUEST_BYTES;
        let mut simulation = Simulation::new(&scenario).expect("can be laid out");
        simulation.run_until(u64::MAX);
        let held = simulation.requests_held() as f64;
        assert!(held > 1500.0, "{name}: {held}");
        assert!(estimated > held / 3.0, "{name}: {estimated} estimated, {held} held");
        // A request to a drive takes more than one that only crosses the network.
        assert!(estimated < 15.0 * held, "{name}: {estimated} estimated, {held} held");
    }
}
