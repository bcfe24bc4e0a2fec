//! Timeouts, retransmissions and round trips of classes in whole networks, each where it once went wrong.

mod common;

use common::{run, simulation};
use qoscope_engine::kernel::time::PS_PER_US;
use qoscope_engine::simulation::Summary;
use serde_json::{Value, json};

fn total_gbps(summary: &Summary) -> f64 {
    summary.classes.iter().map(|class| class.carried_gbps).sum()
}

/// Hosts that send to one receiver through one switch without pause.
fn backlogged(senders: u32, transport: &str, gbps: f64, duration_us: f64) -> Value {
    json!({
        "version": 1,
        "name": "Backlogged",
        "durationUs": duration_us,
        "topology": {
            "shape": { "kind": "dumbbell", "senders": senders, "receivers": 1, "switches": 1 },
            "linkGbps": gbps,
            "linkDelayUs": 5,
        },
        "classes": [{ "name": "A", "transport": transport }],
        "workloads": [{
            "class": "A",
            "endpoints": { "kind": "pairs", "sources": (0..senders).collect::<Vec<_>>(), "destinations": [senders] },
            "traffic": { "kind": "backlogged" },
        }],
        "measurement": { "warmupUs": 0 },
    })
}

#[test]
fn a_base_rtt_above_the_minimum_rto_causes_no_timeouts() {
    for base_rtt_us in [15_000, 100_000] {
        let mut document = backlogged(1, "dctcp", 1.0, 3e6);
        document["topology"]["baseRttUs"] = json!(base_rtt_us);
        let summary = run(&document);
        assert_eq!((summary.flows[0].timeouts, summary.flows[0].retransmissions), (0, 0), "{base_rtt_us} us");
        // Ten round trips of slow start are a second at 100 ms; what is left of three is at full rate.
        assert!(total_gbps(&summary) > 0.64, "{base_rtt_us} us: {}", total_gbps(&summary));
    }
}

#[test]
fn a_base_rtt_that_rises_above_the_rto_ends_only_the_timer_that_was_running() {
    let mut document = backlogged(1, "dctcp", 1.0, 1e6);
    document["timeline"] = json!([{ "atUs": 100_000, "path": "topology.baseRttUs", "value": 50_000 }]);
    assert_eq!(run(&document).flows[0].timeouts, 1);
}

#[test]
fn a_lost_retransmission_is_repaired_by_a_timeout_while_duplicates_arrive() {
    let mut document = backlogged(8, "dctcp", 10.0, 200_000.0);
    document["switch"] = json!({ "marking": "off", "bufferPackets": 40 });
    document["host"] = json!({ "minimumRtoUs": 1000 });
    let summary = run(&document);
    assert!(summary.network.drops > 100);
    // 9.64 of 10 Gb/s are payload.
    assert!(total_gbps(&summary) > 9.5, "{}", total_gbps(&summary));
}

#[test]
fn timely_measures_round_trips_of_retransmissions_and_slows_down() {
    for senders in [16, 32] {
        let mut document = backlogged(senders, "timely", 10.0, 200_000.0);
        document["measurement"]["warmupUs"] = json!(120_000);
        let summary = run(&document);
        // Of 9.64 Gb/s of payload: cuts by a gradient, many times the steps up, leave the link idle now and then.
        assert!(total_gbps(&summary) > 7.5, "{senders} flows carry {}", total_gbps(&summary));
        assert_eq!(summary.network.drops, 0, "{senders} flows");
    }
}

#[test]
fn the_share_of_retransmissions_counts_packets_sent_twice_after_the_warm_up() {
    let mut document = backlogged(16, "dcqcn", 10.0, 20_000.0);
    document["switch"] = json!({ "marking": "off" });
    let wasteful = run(&document);
    let share = wasteful.network.retransmitted_fraction.expect("packets were sent");
    assert!(share > 0.2, "{share}");
    assert_eq!(wasteful.classes[0].retransmitted_fraction, Some(share));
    document["switch"] = json!({ "marking": "off", "buffering": "pfc" });
    assert_eq!(run(&document).network.retransmitted_fraction, Some(0.0));
    // Nothing has been sent before the first instant.
    assert_eq!(simulation(&document).summary().network.retransmitted_fraction, None);
}

/// Two classes of one connection each that send small requests one after the other.
fn ping(rtts_us: [Value; 2], warmup_us: f64) -> Value {
    let workload = |class: &str, source: u32| {
        json!({
            "class": class,
            "endpoints": { "kind": "pairs", "sources": [source], "destinations": [2] },
            "traffic": { "kind": "closed-loop", "outstanding": 1, "size": { "kind": "fixed", "bytes": 1000 } },
        })
    };
    let mut document = backlogged(2, "dctcp", 10.0, 4000.0);
    document["classes"] = json!([{ "name": "A", "transport": "dctcp" }, { "name": "B", "transport": "dctcp" }]);
    for (class, rtt_us) in rtts_us.into_iter().enumerate().filter(|(_, rtt_us)| !rtt_us.is_null()) {
        document["classes"][class]["baseRttUs"] = rtt_us;
    }
    document["workloads"] = json!([workload("A", 0), workload("B", 1)]);
    document["host"] = json!({ "delayedAckPackets": 1 });
    document["measurement"]["warmupUs"] = json!(warmup_us);
    document
}

/// Mean latencies of both classes: half a round trip each, less what a smaller packet saves.
fn latencies_us(document: &Value) -> [f64; 2] {
    let classes = run(document).classes;
    [0, 1].map(|class| classes[class].latency_us.mean.expect("requests were delivered"))
}

#[test]
fn a_class_can_get_change_and_lose_a_base_rtt_of_its_own_while_the_run_goes_on() {
    let change = |value: Value| json!({ "atUs": 1000, "path": "classes[0].baseRttUs", "value": value });
    let at_rest = |first: Value, second: Value| latencies_us(&ping([first, second], 0.0));
    for (before, after, other) in [
        (Value::Null, json!(200), Value::Null),
        (json!(100), Value::Null, json!(300)),
        (json!(300), json!(100), json!(200)),
    ] {
        let mut document = ping([before.clone(), other.clone()], 1500.0);
        document["timeline"] = json!([change(after.clone())]);
        let (changed, expected) = (latencies_us(&document), at_rest(after.clone(), other));
        let agree = changed.iter().zip(expected).all(|(changed, expected)| (changed - expected).abs() < 1.0);
        assert!(agree, "{before} to {after}: {changed:?}, {expected:?}");
    }
}

#[test]
fn delays_of_classes_do_not_count_among_the_links_of_the_network() {
    let mut document = backlogged(40, "dctcp", 100.0, 200.0);
    document["classes"][0]["baseRttUs"] = json!(100);
    document["workloads"][0]["connections"] = json!(1024);
    let mut simulation = simulation(&document);
    simulation.run_until(100 * PS_PER_US);
    assert!(simulation.conservation_report().packets.balances());
}
