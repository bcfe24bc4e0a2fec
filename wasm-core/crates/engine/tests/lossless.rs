//! Priorities, shared memory and flow control in whole networks.

use crate::common::{hosts, run, simulation};
use qoscope_engine::kernel::time::PS_PER_US;
use qoscope_engine::scenario;
use qoscope_engine::simulation::Simulation;
use serde_json::{Value, json};

/// A document with some fields changed.
fn with(document: &Value, changes: &[(&str, Value)]) -> Value {
    let mut changed = document.clone();
    for (path, value) in changes {
        scenario::set_path(&mut changed, path, value.clone()).expect("the path leads somewhere");
    }
    changed
}

/// Two switches. Hosts 0 to 3 stand left, 4 and 5 right. Three hosts send to host 4 as fast as they can; the fourth, the
/// victim, sends to host 5, past the same trunk.
fn trunk() -> Value {
    let pair = |class: &str, source: u32, destination: u32| {
        json!({
            "class": class,
            "endpoints": { "kind": "pairs", "initiators": hosts([source]), "targets": hosts([destination]) },
            "traffic": { "kind": "backlogged" },
        })
    };
    json!({
        "version": 3,
        "host": { "startJitterUs": 0 },
        "name": "Trunk",
        "durationUs": 1500,
        "topology": { "shape": { "kind": "dumbbell", "senders": 4, "receivers": 2, "trunkGbps": 40 }, "linkGbps": 10 },
        "switch": { "marking": "off", "buffering": "pfc", "sharedBufferBytes": 400_000 },
        "classes": [{ "name": "Heavy", "transport": "dcqcn" }, { "name": "Victim", "transport": "dcqcn" }],
        "workloads": [pair("Heavy", 0, 4), pair("Heavy", 1, 4), pair("Heavy", 2, 4), pair("Victim", 3, 5)],
    })
}

#[test]
fn pauses_spread_to_the_hosts_and_hold_up_a_victim() {
    let paused = run(&trunk());
    let pauses = paused.network.pauses.expect("the network can pause");
    assert_eq!(paused.network.drops_everywhere, 0);
    assert!(pauses.received_by_switches > 0, "the right switch pauses the left one: {pauses:?}");
    assert!(pauses.received_by_hosts > pauses.received_by_switches, "which pauses its hosts: {pauses:?}");
    assert!(paused.network.pause_frames >= Some(pauses.received_by_switches + pauses.received_by_hosts));
    // The victim's own way is free: 10 Gb/s of a trunk of 40. Behind the others it gets no more than each of them.
    let victim = &paused.classes[1];
    assert!(victim.carried_gbps < 4.0, "{}", victim.carried_gbps);
    // Without flow control the others lose packets and it has its link to itself.
    let dropping = run(&with(&trunk(), &[("switch.buffering", json!("shared"))]));
    assert!(dropping.network.drops_everywhere > 1000);
    assert!(dropping.classes[1].carried_gbps > 9.0, "{}", dropping.classes[1].carried_gbps);
}

/// A host that fills its port with data of one class, and now and then sends a packet of another one of the same priority.
fn one_port() -> Value {
    let workload = |class: &str, connections: u32, traffic: Value| {
        json!({
            "class": class, "connections": connections, "traffic": traffic,
            "endpoints": { "kind": "pairs", "initiators": ["h0"], "targets": ["h1"] },
        })
    };
    let small = json!({ "kind": "closed-loop", "outstanding": 1, "thinkTimeUs": 20, "size": { "kind": "fixed", "bytes": 1000 } });
    json!({
        "version": 3,
        "name": "One port",
        "durationUs": 4000,
        "topology": { "shape": { "kind": "dumbbell", "senders": 1, "receivers": 1, "switches": 1 }, "linkGbps": 10 },
        "switch": { "marking": "off", "buffering": "pfc" },
        "classes": [{ "name": "Bulk", "transport": "dcqcn" }, { "name": "Small", "transport": "dcqcn" }],
        "workloads": [workload("Bulk", 16, json!({ "kind": "backlogged" })), workload("Small", 1, small)],
    })
}

#[test]
fn an_urgent_sub_class_waits_for_one_packet_of_its_host_at_most() {
    let p99_us = |changes: &[(&str, Value)]| {
        let small = &run(&with(&one_port(), changes)).classes[1];
        small.writes.as_ref().and_then(|writes| writes.p99).expect("there are writes")
    };
    let urgent = ("classes[1].urgentSubclass", json!(true));
    let (alike, ahead) = (p99_us(&[]), p99_us(std::slice::from_ref(&urgent)));
    // 16 connections that wait have a packet each, of 1.2 us; 4000 us have room for dozens of requests.
    assert!(alike > 15.0 && ahead < alike - 10.0, "{ahead} us ahead of the others, {alike} us in turn");
    // Where all are urgent nobody is ahead, and over TCP, whose packets a network card does not schedule, none is.
    assert_eq!(p99_us(&[urgent.clone(), ("classes[0].urgentSubclass", json!(true))]), alike);
    let over_tcp = |changes: &[(&str, Value)]| {
        let tcp = [("classes[0].transport", json!("dctcp")), ("classes[1].transport", json!("dctcp"))];
        p99_us(&[tcp.as_slice(), changes].concat())
    };
    assert_eq!(over_tcp(&[urgent]), over_tcp(&[]));
}

#[test]
fn a_sub_class_may_change_while_connections_wait() {
    let timeline = json!([
        { "atUs": 1000, "path": "classes[1].urgentSubclass", "value": true },
        { "atUs": 1500, "path": "classes[0].urgentSubclass", "value": true },
        { "atUs": 2000, "path": "classes[0].priority", "value": 2 },
        { "atUs": 2500, "path": "classes[0].urgentSubclass", "value": false },
        { "atUs": 3000, "path": "classes[0].priority", "value": 0 },
    ]);
    let summary = run(&with(&one_port(), &[("timeline", timeline)]));
    assert!(summary.classes[0].carried_gbps > 9.0, "{}", summary.classes[0].carried_gbps);
    assert!(summary.classes[1].requests.completed > 30, "{}", summary.classes[1].requests.completed);
}

/// A class without a priority has that of its DSCP, to the packet.
#[test]
fn a_mapped_dscp_is_as_good_as_a_priority() {
    let digest = |changes: &[(&str, Value)]| {
        let mut simulation = simulation(&with(&trunk(), changes));
        simulation.run_until(u64::MAX);
        simulation.outcome_digest()
    };
    let dscp = ("classes[1].dscp", json!(26));
    let map =
        |priority: u8| ("switch.dscpMap", json!([{ "dscp": 46, "priority": 6 }, { "dscp": 26, "priority": priority }]));
    let stated = digest(&[("classes[1].priority", json!(3))]);
    assert_eq!(digest(&[dscp.clone(), map(3)]), stated);
    assert_ne!(stated, digest(&[]));
    assert_eq!(digest(std::slice::from_ref(&dscp)), digest(&[]));
    assert_eq!(digest(&[dscp.clone(), map(5), ("classes[1].priority", json!(3))]), stated, "its own comes first");
}

#[test]
fn a_dscp_has_one_priority() {
    let twice = json!([{ "dscp": 26, "priority": 3 }, { "dscp": 26, "priority": 4 }]);
    let diagnostics = scenario::from_value(with(&trunk(), &[("switch.dscpMap", twice)])).expect_err("is refused");
    assert_eq!(diagnostics.len(), 1, "{diagnostics:?}");
    assert_eq!(diagnostics[0].path, "switch.dscpMap[1].dscp");
    assert_eq!(diagnostics[0].reason, "is 26 again; dscpMap[0] has a priority for that");
}

#[test]
fn a_priority_of_its_own_saves_the_victim_from_pauses() {
    let apart = run(&with(&trunk(), &[("classes[1].priority", json!(3))]));
    assert_eq!(apart.network.drops_everywhere, 0);
    assert!(apart.network.pauses.is_some_and(|pauses| pauses.received_by_hosts > 0));
    assert!(apart.classes[1].carried_gbps > 9.0, "{}", apart.classes[1].carried_gbps);
}

#[test]
fn more_load_means_more_pauses() {
    let held_us = |senders: usize| {
        let mut document = trunk();
        document["workloads"].as_array_mut().expect("a list").truncate(senders);
        run(&document).network.pauses.expect("the network can pause").paused_link_us
    };
    let held = [held_us(1), held_us(2), held_us(3)];
    assert_eq!(held[0], 0.0);
    assert!(held[1] > 0.0 && held[2] > held[1], "{held:?}");
}

#[test]
fn headroom_too_small_loses_packets_and_the_formula_none() {
    let small = run(&with(&trunk(), &[("switch.headroomBytes", json!(1000))]));
    assert!(small.network.drops_everywhere > 0);
    assert_eq!(run(&trunk()).network.drops_everywhere, 0);
}

#[test]
fn a_static_threshold_holds_the_queue_where_it_says() {
    let threshold = [("switch.threshold", json!("static")), ("switch.xoffBytes", json!(30_000))];
    let queue = run(&with(&trunk(), &threshold)).network.max_queue_packets;
    // Three senders through one trunk: what is guaranteed, the threshold and what is under way, 1502 bytes each.
    assert!((20..45).contains(&queue), "{queue}");
}

#[test]
fn timely_keeps_queues_so_short_that_no_switch_pauses() {
    let changes = [("classes[0].transport", json!("timely")), ("classes[1].transport", json!("timely"))];
    let network = run(&with(&trunk(), &changes)).network;
    assert_eq!(network.pause_frames, Some(0));
    assert!(network.max_queue_packets < 50, "{}", network.max_queue_packets);
}

/// Small urgent requests beside a flow that fills the link they share.
fn urgent(priority: u8) -> Value {
    json!({
        "version": 3,
        "host": { "startJitterUs": 0 },
        "name": "Urgent",
        "durationUs": 20_000,
        "topology": { "shape": { "kind": "dumbbell", "senders": 2, "receivers": 1, "switches": 1 }, "linkGbps": 100 },
        "switch": { "ecnThresholdPackets": 100 },
        "classes": [
            { "name": "PM", "transport": "qrdma", "priority": priority },
            { "name": "Bulk", "transport": "dctcp" },
        ],
        "workloads": [
            {
                "class": "PM",
                "endpoints": { "kind": "pairs", "initiators": ["h0"], "targets": ["h2"] },
                "traffic": { "kind": "open-loop", "offeredGbps": 0.2, "size": { "kind": "fixed", "bytes": 256 } },
            },
            {
                "class": "Bulk",
                "endpoints": { "kind": "pairs", "initiators": ["h1"], "targets": ["h2"] },
                "traffic": { "kind": "backlogged" },
            },
            {
                "class": "Bulk",
                "endpoints": { "kind": "pairs", "initiators": ["h0"], "targets": ["h2"] },
                "traffic": { "kind": "backlogged" },
            },
        ],
    })
}

#[test]
fn strict_priority_costs_an_urgent_packet_no_more_than_the_packet_in_transmission() {
    let network_us = |priority| run(&urgent(priority)).classes[0].network_latency_us.clone();
    let (first, last) = (network_us(7), network_us(0));
    // Two links of 1 us and 310 bytes at 100 Gb/s, and at either port at most one full packet ahead: 120 ns.
    let idle_us = 2.0 + 2.0 * 310.0 * 8e-5;
    let most = first.max.expect("there are requests");
    assert!(most >= idle_us && most <= idle_us + 2.0 * 0.121, "{most}");
    // Without it they wait in the queue that marking at 100 packets leaves: 12 us.
    assert!(last.p50.is_some_and(|us| us > idle_us + 5.0), "{last:?}");
}

#[test]
fn the_reserve_keeps_urgent_packets_from_being_dropped() {
    let crowded = |reserve: u32| {
        let changes = [
            ("switch.marking", json!("off")),
            ("switch.bufferPackets", json!(20)),
            ("switch.urgentReservePackets", json!(reserve)),
        ];
        let mut simulation = simulation(&with(&urgent(7), &changes));
        simulation.run_until(u64::MAX);
        let summary = simulation.summary();
        (summary.network.drops_everywhere, summary.flows[0].retransmissions + summary.flows[0].timeouts)
    };
    let ((drops, repaired), (kept_drops, kept_repaired)) = (crowded(0), crowded(4));
    assert!(drops > 0 && repaired > 0, "{drops} drops, {repaired} repairs");
    assert!(kept_drops > 0 && kept_repaired == 0, "{kept_drops} drops, {kept_repaired} repairs");
}

/// Five switches in a circle, a host on each that sends to the second next: every link carries the first hop of one flow
/// and the second of another.
fn circle() -> Value {
    let number = |n: usize| n % 5;
    let nodes = (0..5).flat_map(|n| {
        [json!({ "name": format!("s{n}"), "role": "switch" }), json!({ "name": format!("h{n}"), "role": "host" })]
    });
    let links = (0..5).flat_map(|n| {
        let next = format!("s{}", number(n + 1));
        [json!({ "from": format!("s{n}"), "to": next }), json!({ "from": format!("h{n}"), "to": format!("s{n}") })]
    });
    json!({
        "version": 3,
        "host": { "startJitterUs": 0 },
        "name": "Circle",
        "durationUs": 20_000,
        "topology": {
            "shape": { "kind": "custom", "nodes": nodes.collect::<Vec<_>>(), "links": links.collect::<Vec<_>>() },
            "linkGbps": 10,
        },
        "switch": { "marking": "off", "buffering": "pfc", "sharedBufferBytes": 120_000 },
        "classes": [{ "name": "All", "transport": "dcqcn" }],
        "workloads": [{
            "class": "All",
            "endpoints": { "kind": "pairs", "initiators": hosts(0..5), "targets": hosts([2, 3, 4, 0, 1]) },
            "traffic": { "kind": "backlogged" },
        }],
    })
}

#[test]
fn a_circle_of_pauses_is_reported_as_a_deadlock() {
    let summary = run(&circle());
    let deadlock = summary.network.deadlock.expect("the links of the circle hold each other up");
    assert!(deadlock.at_us < 10_000.0);
    let is_switch = |name: &String| name.starts_with('s');
    let held: Vec<_> = deadlock.links.iter().filter(|ends| ends.iter().all(is_switch)).collect();
    assert_eq!(held.len(), 5, "{:?}", deadlock.links);
    // Marks slow the senders down before it comes to that.
    let marked =
        run(&with(&circle(), &[("switch.marking", json!("step")), ("switch.sharedBufferBytes", json!(12_000_000))]));
    assert_eq!(marked.network.deadlock, None);
    assert!(marked.classes[0].carried_gbps > 10.0, "{}", marked.classes[0].carried_gbps);
    assert_eq!(run(&trunk()).network.deadlock, None);
}

#[test]
fn the_screen_is_told_of_a_deadlock_until_pauses_are_switched_off() {
    let mut simulation = simulation(&circle());
    assert_eq!(simulation.deadlock(), None);
    simulation.run_until(10_000 * PS_PER_US);
    let (noticed_us, links) = simulation.deadlock().expect("the links of the circle hold each other up");
    let summary = simulation.summary().network.deadlock.expect("they do in the summary, too");
    assert_eq!((noticed_us, links.len()), (summary.at_us, summary.links.len()));
    simulation.apply("switch.buffering", json!("shared")).expect("there is memory enough");
    simulation.run_until(11_000 * PS_PER_US);
    assert_eq!(simulation.deadlock(), None);
    assert!(simulation.summary().network.deadlock.is_some(), "it has been one");
}

#[test]
fn flow_control_can_be_switched_on_and_off_while_packets_wait() {
    let mut simulation = simulation(&with(&trunk(), &[("switch.buffering", json!("per-port"))]));
    let mut at_us = 0;
    for buffering in ["pfc", "shared", "per-port", "pfc"] {
        at_us += 300;
        simulation.run_until(at_us * PS_PER_US);
        simulation.apply("switch.buffering", json!(buffering)).expect("there is memory enough");
    }
    simulation.run_until(u64::MAX);
    let report = simulation.conservation_report();
    assert!(report.packets.balances() && report.payload_bytes.balances(), "{report:?}");
    let recorded = simulation.scenario().clone();
    let mut replayed = Simulation::new(&recorded).expect("can be laid out");
    replayed.run_until(u64::MAX);
    assert_eq!(replayed.digest(), simulation.digest());
}
