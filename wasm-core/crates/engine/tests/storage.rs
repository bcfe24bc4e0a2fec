//! Requests that go to the devices of their targets, end to end.

use qoscope_engine::scenario;
use qoscope_engine::simulation::{Simulation, Summary};
use serde_json::{Value, json};

fn simulation(document: &Value) -> Simulation {
    let scenario = scenario::from_value(document.clone()).unwrap_or_else(|diagnostics| panic!("{diagnostics:?}"));
    Simulation::new(&scenario).expect("the network can be laid out")
}

fn run(document: &Value) -> Summary {
    let mut simulation = simulation(document);
    simulation.run_until(u64::MAX);
    simulation.summary()
}

/// A reader and a writer on three hosts each, with a storage server of two SSDs and one persistent memory.
fn three_protocols(duration_us: f64) -> Value {
    let workload = |class: &str, host: &str, protocol: &str, devices: &str, bytes: u64| {
        json!({
            "class": class,
            "endpoints": { "kind": "pairs", "initiators": [host], "targets": [if protocol == "local" { host } else { "h4" }] },
            "readFraction": 0.5,
            "protocol": protocol,
            "devices": devices,
            "stopUs": 2000,
            "traffic": { "kind": "closed-loop", "outstanding": 8, "size": { "kind": "exponential", "meanBytes": bytes } },
        })
    };
    json!({
        "version": 3,
        "name": "Protocols",
        "durationUs": duration_us,
        "topology": { "shape": { "kind": "dumbbell", "senders": 4, "receivers": 1 }, "linkGbps": 40 },
        "classes": [
            { "name": "High", "ratio": 3, "transport": "qtcp" },
            { "name": "Medium", "ratio": 2, "transport": "dctcp" },
            { "name": "Low", "transport": "qrdma" },
            { "name": "Memory", "transport": "qrdma", "priority": 5 },
        ],
        "storage": {
            "servers": [{ "host": "h4", "devices": [
                { "name": "a", "kind": "ssd" },
                { "name": "b", "kind": "ssd" },
                { "name": "pm", "kind": "persistent-memory" },
            ] }],
        },
        "access": { "queueDepth": 6 },
        "workloads": [
            workload("High", "h0", "nvme-tcp", "ssd", 30_000),
            workload("Medium", "h1", "iscsi", "ssd", 400_000),
            workload("Low", "h2", "nvme-rdma", "ssd", 60_000),
            workload("Low", "h3", "local", "ssd", 20_000),
            workload("Memory", "h3", "nvme-rdma", "persistent-memory", 256),
        ],
        "measurement": { "warmupUs": 0 },
    })
}

#[test]
fn a_write_above_the_capsule_takes_one_round_trip_more_to_the_picosecond() {
    let latency_ps = |name: &str| {
        let mut document = qoscope_committed::document(name);
        document["access"]["software"] = json!({
            "hostLatencyUs": 0, "targetLatencyUs": 0, "commandWorkUs": 0, "kibWorkUs": 0, "serialUs": 0,
        });
        let summary = run(&document);
        let writes =
            &summary.classes[0].stages_us.as_ref().and_then(|stages| stages.writes.clone()).expect("one write");
        let us: f64 = writes.mean.values().sum();
        (us * 1e6).round()
    };
    let in_capsule = latency_ps("nvmeof-write-in-capsule");
    let r2t = latency_ps("nvmeof-write-r2t");
    // Two links of 100 Gb/s and 5 us, 80 ps a byte; packets have 52 bytes of headers and 2 of framing.
    let one_way = |bytes: f64| 2.0 * (5e6 + 80.0 * (bytes + 54.0));
    // The command goes ahead of its data, and the target asks for them; a header of 24 bytes takes the place of the command in
    // the last of three packets, which on the second link waits for a full one before it.
    let expected = one_way(72.0) + one_way(24.0) - 80.0 * 48.0;
    assert_eq!(r2t - in_capsule, expected);
}

#[test]
fn backlogged_queues_are_served_by_their_weights() {
    let summary = run(&qoscope_committed::document("nvme-wrr-321"));
    let low = summary.classes[2].requests.completed as f64;
    let shares: Vec<f64> = summary.classes.iter().map(|class| class.requests.completed as f64 / low).collect();
    assert!((shares[0] - 3.0).abs() < 0.01 && (shares[1] - 2.0).abs() < 0.01, "{shares:?}");
}

#[test]
fn every_request_is_done_in_the_end_and_none_is_lost_on_the_way() {
    let mut simulation = simulation(&three_protocols(200_000.0));
    for step in 1..=400 {
        simulation.run_until(step * 10_000_000);
        let report = simulation.conservation_report();
        assert!(report.requests.balances() && report.packets.balances(), "{report:?}");
    }
    simulation.run_until(u64::MAX);
    let report = simulation.conservation_report();
    assert!(report.requests.issued > 500, "{:?}", report.requests);
    assert_eq!((report.requests.under_way, report.requests.held, report.requests.at_storage), (0, 0, 0));
    let summary = simulation.summary();
    let commands: u64 = summary.devices.iter().map(|device| device.commands).sum();
    assert!(commands >= report.requests.issued, "{commands} commands for {:?}", report.requests);
    for class in &summary.classes {
        let stages = class.stages_us.as_ref().expect("every class has requests");
        for (times, latency) in [(&stages.reads, &class.reads), (&stages.writes, &class.writes)] {
            let (times, latency) = (times.as_ref().expect("both"), latency.as_ref().expect("both"));
            let total: f64 = times.mean.values().sum();
            // The histogram counts whole nanoseconds.
            assert!((total - latency.mean.expect("some")).abs() < 0.002, "{}: {total} and {latency:?}", class.name);
        }
    }
}

#[test]
fn a_scheduler_that_comes_while_requests_are_at_the_devices_leaves_them_there() {
    let mut document = three_protocols(200_000.0);
    document["timeline"] = json!([{ "atUs": 1000, "path": "storage.tenants.scheduler", "value": "wf2q-plus" }]);
    let mut simulation = simulation(&document);
    simulation.run_until(u64::MAX);
    let report = simulation.conservation_report();
    assert!(report.requests.balances() && report.requests.issued > 500, "{report:?}");
    assert_eq!((report.requests.under_way, report.requests.held, report.requests.at_storage), (0, 0, 0));
}

#[test]
fn live_changes_of_storage_replay() {
    let mut live = simulation(&three_protocols(4000.0));
    live.run_until(500_000_000);
    for (path, value) in [
        ("storage.treatment", json!("agnostic")),
        ("storage.nvme.deviceCommands", json!(2)),
        ("storage.nvme.arbitration", json!("round-robin")),
        ("storage.ssd.writeCache", json!(false)),
        ("classes[2].nvmePriority", json!("urgent")),
        ("access.queueDepth", json!(1)),
        ("access.inCapsuleBytes", json!(0)),
        ("access.software.targetLatencyUs", json!(50)),
    ] {
        live.apply(path, value).unwrap_or_else(|diagnostics| panic!("{path}: {diagnostics:?}"));
        let now_ps = live.now_ps();
        live.run_until(now_ps + 100_000_000);
    }
    live.run_until(u64::MAX);
    let mut replay = Simulation::new(live.scenario()).expect("can be laid out");
    let mut kept = replay.clone();
    replay.run_until(u64::MAX);
    assert_eq!(replay.digest(), live.digest());
    kept.run_until(777_000_000);
    let mut kept = kept.clone();
    while !kept.advance(u64::MAX, 1000) {}
    assert_eq!(kept.digest(), live.digest());
}

#[test]
fn a_host_that_is_its_own_target_uses_no_network() {
    let mut document = three_protocols(3000.0);
    document["workloads"] = json!([document["workloads"][3]]);
    let summary = run(&document);
    assert_eq!(summary.engine.packet_hops, 0);
    let class = &summary.classes[2];
    assert!(class.carried_gbps > 0.0 && class.requests.completed > 100, "{class:?}");
}

#[test]
fn a_host_is_its_own_target_where_storage_is_local_and_only_there() {
    let diagnostics = |protocol: &str| {
        let mut document = three_protocols(3000.0);
        document["workloads"][3]["protocol"] = json!(protocol);
        document["workloads"][0]["protocol"] = json!("local");
        scenario::from_value(document)
            .expect_err("is refused")
            .into_iter()
            .map(|diagnostic| diagnostic.path)
            .collect::<Vec<_>>()
    };
    assert_eq!(
        diagnostics("nvme-tcp"),
        ["workloads[0].endpoints.initiators[0]", "workloads[3].endpoints.initiators[0]"]
    );
}

/// A write of 1 MB whose command is under way while commands may begin to bring as much: it goes on by the rules that it began
/// with, so that the target asks for its data, and all of them are sent.
#[test]
fn a_write_under_way_keeps_the_in_capsule_size_that_it_began_with() {
    let run = |timeline: serde_json::Value| {
        let document = serde_json::json!({
            "version": 3,
            "name": "In-capsule size while a write is under way",
            "durationUs": 20_000,
            "topology": {
                "shape": { "kind": "dumbbell", "senders": 1, "receivers": 1, "switches": 1 },
                "linkGbps": 10,
                "linkDelayUs": 400,
            },
            "classes": [{ "name": "A", "transport": "dctcp" }],
            "access": { "protocol": "nvme-tcp", "inCapsuleBytes": 0 },
            "workloads": [{
                "class": "A",
                "endpoints": { "kind": "pairs", "initiators": ["h0"], "targets": ["h1"] },
                "traffic": { "kind": "closed-loop", "outstanding": 1, "size": { "kind": "fixed", "bytes": 1_000_000 } },
                "stopUs": 50,
            }],
            "timeline": timeline,
            "measurement": { "warmupUs": 0 },
        });
        let scenario = qoscope_engine::scenario::from_value(document).expect("is valid");
        let mut simulation = qoscope_engine::simulation::Simulation::new(&scenario).expect("can be laid out");
        simulation.run_until(simulation.duration_ps());
        simulation
    };
    let unchanged = run(serde_json::json!([]));
    let before = unchanged.summary().classes[0].requests.clone();
    let changed = run(serde_json::json!([{ "atUs": 100, "path": "access.inCapsuleBytes", "value": 1_048_576 }]));
    let after = &changed.summary().classes[0];
    assert!(after.carried_gbps <= 10.0, "{} Gb/s over a link of 10", after.carried_gbps);
    assert_eq!((before.issued, before.completed), (1, 1));
    assert_eq!((after.requests.issued, after.requests.completed), (1, 1));
    assert_eq!(changed.packet_hops(), unchanged.packet_hops());
    assert!(changed.conservation_report().payload_bytes.balances());
}
