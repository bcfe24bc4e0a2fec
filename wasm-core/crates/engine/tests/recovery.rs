//! Timeouts, retransmissions and round trips of classes in whole networks, each where it once went wrong.

use crate::common::{hosts, run, simulation};
use qoscope_engine::kernel::time::PS_PER_US;
use qoscope_engine::simulation::{Simulation, Summary, layout};
use serde_json::{Value, json};

fn total_gbps(summary: &Summary) -> f64 {
    summary.classes.iter().map(|class| class.carried_gbps).sum()
}

/// Hosts that send to one receiver through one switch without pause.
fn backlogged(senders: u32, transport: &str, gbps: f64, duration_us: f64) -> Value {
    json!({
        "version": 3,
        "host": { "startJitterUs": 0 },
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
            "endpoints": { "kind": "pairs", "initiators": hosts(0..senders), "targets": hosts([senders]) },
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
    document["host"] = json!({ "startJitterUs": 0, "minimumRtoUs": 1000 });
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
            "endpoints": { "kind": "pairs", "initiators": hosts([source]), "targets": ["h2"] },
            "traffic": { "kind": "closed-loop", "outstanding": 1, "size": { "kind": "fixed", "bytes": 1000 } },
        })
    };
    let mut document = backlogged(2, "dctcp", 10.0, 4000.0);
    document["classes"] = json!([{ "name": "A", "transport": "dctcp" }, { "name": "B", "transport": "dctcp" }]);
    for (class, rtt_us) in rtts_us.into_iter().enumerate().filter(|(_, rtt_us)| !rtt_us.is_null()) {
        document["classes"][class]["baseRttUs"] = rtt_us;
    }
    document["workloads"] = json!([workload("A", 0), workload("B", 1)]);
    document["host"] = json!({ "startJitterUs": 0, "delayedAckPackets": 1 });
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

/// One connection across the core of a fat-tree, as fast as it can, and the document of its run.
fn across_the_core(transport: &str) -> Value {
    json!({
        "version": 3,
        "name": "Across the core",
        "durationUs": 60_000,
        "topology": { "shape": { "kind": "fat-tree", "k": 4 }, "linkGbps": 10, "baseRttUs": 50 },
        "host": { "minimumRtoUs": 1000 },
        "classes": [{ "name": "A", "transport": transport }],
        "workloads": [{
            "class": "A",
            "endpoints": { "kind": "pairs", "initiators": ["h0"], "targets": ["h12"] },
            "traffic": { "kind": "backlogged" },
        }],
        "measurement": { "warmupUs": 0 },
    })
}

/// Names of the nodes on the way of the first connection, as the screen is told.
fn way(simulation: &Simulation) -> Vec<String> {
    let layout = layout(simulation);
    let graph = layout.graph;
    let name = |link: &u32| graph.nodes[graph.links[*link as usize].to as usize].name.clone();
    let detour = simulation.detoured().into_iter().find(|(flow, _)| *flow == 0).map(|(_, path)| path);
    detour.as_ref().unwrap_or(&graph.flows[0].path).iter().map(name).collect()
}

fn carried_since(simulation: &mut Simulation, from_us: f64, to_us: f64) -> f64 {
    let delivered = |simulation: &mut Simulation, us: f64| {
        simulation.run_until((us * PS_PER_US as f64) as u64);
        simulation.conservation_report().streams[0].delivered
    };
    let before = delivered(simulation, from_us);
    (delivered(simulation, to_us) - before) as f64 * 8.0 / ((to_us - from_us) * 1000.0)
}

#[test]
fn a_connection_goes_around_a_cable_that_fails_and_comes_back() {
    for transport in ["dctcp", "qtcp", "dcqcn"] {
        let mut simulation = simulation(&across_the_core(transport));
        let own = way(&simulation);
        assert!(carried_since(&mut simulation, 5_000.0, 10_000.0) > 8.0, "{transport}");
        let cable = json!([{ "from": own[2], "to": own[1] }]);
        simulation.apply("topology.failedLinks", cable).unwrap();
        let around = way(&simulation);
        assert_eq!(around.len(), own.len());
        assert_ne!(around[2], own[2]);
        let lost = simulation.conservation_report().packets.dropped;
        assert!(lost > 0, "what was on the cable is lost");
        // What was under way is lost where it comes to the cable, for half a round trip; then nothing is.
        assert!(carried_since(&mut simulation, 14_000.0, 19_000.0) > 8.0, "{transport}");
        let dropped = simulation.conservation_report().packets.dropped;
        simulation.run_until(20_000 * PS_PER_US);
        assert_eq!(simulation.conservation_report().packets.dropped, dropped);
        simulation.apply("topology.failedLinks", json!([])).unwrap();
        assert_eq!(way(&simulation), own);
        assert!(carried_since(&mut simulation, 24_000.0, 29_000.0) > 8.0, "{transport}");
        // The cable carries data again.
        let summary = simulation.summary();
        assert_eq!(summary.network.drops_everywhere, dropped, "{transport}: to change the way back loses nothing");
    }
}

#[test]
fn a_host_that_is_cut_off_goes_on_once_its_cable_is_mended() {
    for buffering in ["per-port", "pfc"] {
        let mut document = across_the_core("dctcp");
        document["switch"] = json!({ "buffering": buffering });
        let mut simulation = simulation(&document);
        simulation.run_until(10_000 * PS_PER_US);
        simulation.apply("topology.failedLinks", json!([{ "from": "h0", "to": "e0.0" }])).unwrap();
        assert!(carried_since(&mut simulation, 10_100.0, 20_000.0) == 0.0, "{buffering}");
        assert_eq!(simulation.detoured(), [(0, Vec::new())]);
        // The mean of both halves, in one of which it could not ask for anything.
        assert!(simulation.summary().classes[0].target_gbps.is_some_and(|target| target < 5.0));
        simulation.apply("topology.failedLinks", json!([])).unwrap();
        assert!(carried_since(&mut simulation, 50_000.0, 60_000.0) > 8.0, "{buffering}");
    }
}

#[test]
fn a_network_that_begins_with_a_failure_runs_as_after_one_at_the_start() {
    let at_first = |document: Value| run(&document).flows[0].carried_gbps;
    let mut document = across_the_core("dctcp");
    document["topology"]["failedLinks"] = json!([{ "from": "e0.0", "to": "a0.0" }]);
    let begun = at_first(document);
    let mut document = across_the_core("dctcp");
    document["timeline"] =
        json!([{ "atUs": 0, "path": "topology.failedLinks", "value": [{ "from": "a0.0", "to": "e0.0" }] }]);
    assert_eq!(begun, at_first(document));
}

#[test]
fn a_cable_that_does_not_exist_cannot_fail() {
    for (cable, reason) in [
        (json!({ "from": "e0.0", "to": "a1.0" }), "is \"e0.0\" to \"a1.0\", which no cable joins"),
        (json!({ "from": "e0.9", "to": "a0.0" }), "names \"e0.9\", which is no node of the network"),
    ] {
        let mut simulation = simulation(&across_the_core("dctcp"));
        let refused = simulation.apply("topology.failedLinks", json!([cable])).unwrap_err();
        assert_eq!((refused[0].path.as_str(), refused[0].reason.as_str()), ("topology.failedLinks[0]", reason));
    }
}
