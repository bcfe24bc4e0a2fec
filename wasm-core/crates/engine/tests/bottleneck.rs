//! What limits throughput: a device, the network, or nothing.

use qoscope_engine::scenario;
use qoscope_engine::simulation::{Bottleneck, Simulation, Summary};
use serde_json::{Value, json};

/// Three hosts that read one drive, in closed loops whose commands the drive takes all at once, with changes.
fn three_readers(changes: &[(&str, Value)]) -> Value {
    let reader = |class: &str, host: &str| {
        json!({
            "class": class, "readFraction": 1,
            "endpoints": { "kind": "pairs", "initiators": [host], "targets": ["h3"] },
            "traffic": { "kind": "closed-loop", "outstanding": 256, "size": { "kind": "fixed", "bytes": 4096 } }
        })
    };
    let mut document = json!({
        "version": 3, "name": "Three readers", "durationUs": 20_000,
        "topology": { "shape": { "kind": "dumbbell", "senders": 3, "receivers": 1 }, "linkGbps": 100 },
        "classes": [
            { "name": "High", "ratio": 3, "transport": "dctcp" },
            { "name": "Medium", "ratio": 2, "transport": "dctcp" },
            { "name": "Low", "ratio": 1, "transport": "dctcp" }
        ],
        "workloads": [reader("High", "h0"), reader("Medium", "h1"), reader("Low", "h2")],
        "access": { "protocol": "nvme-tcp", "queueDepth": 256 },
        "storage": { "nvme": { "deviceCommands": 1024 } }
    });
    for (path, value) in changes {
        scenario::set_path(&mut document, path, value.clone()).unwrap();
    }
    document
}

/// The same with traffic of each workload.
fn with_traffic(traffic: &Value, changes: &[(&str, Value)]) -> Value {
    let paths = [0, 1, 2].map(|workload| format!("workloads[{workload}].traffic"));
    let traffic: Vec<(&str, Value)> = paths.iter().map(|path| (path.as_str(), traffic.clone())).collect();
    three_readers(&[&traffic[..], changes].concat())
}

fn closed_loop(outstanding: u32, bytes: u32) -> Value {
    json!({ "kind": "closed-loop", "outstanding": outstanding, "size": { "kind": "fixed", "bytes": bytes } })
}

fn open_loop(gbps: f64) -> Value {
    json!({ "kind": "open-loop", "offeredGbps": gbps, "size": { "kind": "fixed", "bytes": 4096 } })
}

fn run(document: Value) -> (Bottleneck, Summary) {
    let mut run = Simulation::new(&scenario::from_value(document).unwrap()).unwrap();
    run.run_until(run.duration_ps());
    (run.bottleneck(), run.summary())
}

/// The device that limits throughput now, and why rates are out of reach in the run.
fn limit(document: Value) -> (Option<usize>, Option<String>) {
    let (now, _) = run(document);
    (now.device, now.out_of_reach.map(|of| of.reason))
}

fn ssd() -> (Option<usize>, Option<String>) {
    (Some(0), Some("SSD is the bottleneck".into()))
}

fn carried(document: Value) -> f64 {
    run(document).1.classes.iter().map(|class| class.carried_gbps).sum()
}

#[test]
fn drive_that_holds_all_commands_is_the_bottleneck() {
    assert_eq!(limit(three_readers(&[])), ssd());
    let (now, summary) = run(three_readers(&[]));
    // 32 dies work; the others of 768 wait, but for those on their way.
    assert!((500.0..768.0).contains(&now.waiting[0]), "{:?}", now.waiting);
    assert_eq!(summary.rates_out_of_reach.and_then(|of| of.device), Some(0));
    // A network twice as fast carries no more.
    let twice = carried(three_readers(&[("topology.linkGbps", json!(200))]));
    assert!((twice / carried(three_readers(&[])) - 1.0).abs() < 0.02);
}

#[test]
fn drive_is_the_bottleneck_whatever_part_of_it_is_full() {
    for (what, traffic, changes) in [
        ("dies, few commands of many pages", closed_loop(8, 1 << 20), vec![]),
        ("few commands at once", closed_loop(64, 4096), vec![("storage.nvme.deviceCommands", json!(8))]),
        (
            "host link",
            closed_loop(256, 4096),
            vec![("storage.ssd.pcieLanes", json!(1)), ("storage.ssd.pcieLaneGbytesPerS", json!(0.25))],
        ),
        (
            "a short range of addresses",
            closed_loop(64, 4096),
            (0..3)
                .map(|n| {
                    (
                        ["workloads[0].addresses", "workloads[1].addresses", "workloads[2].addresses"][n],
                        json!({ "lengthBytes": 4096 }),
                    )
                })
                .collect(),
        ),
    ] {
        assert_eq!(limit(with_traffic(&traffic, &changes)), ssd(), "{what}");
    }
    let write = ["workloads[0].readFraction", "workloads[1].readFraction", "workloads[2].readFraction"];
    let writes: Vec<(&str, Value)> = write.iter().map(|path| (*path, json!(0))).collect();
    assert_eq!(limit(with_traffic(&closed_loop(256, 16_384), &writes)), ssd(), "write cache");
}

#[test]
fn open_loop_below_the_capacity_of_a_drive_has_no_bottleneck() {
    let most = carried(three_readers(&[]));
    for load in [0.2, 0.5, 0.8] {
        assert_eq!(limit(with_traffic(&open_loop(load * most / 3.0), &[])), (None, None), "{load}");
    }
    assert_eq!(limit(with_traffic(&open_loop(0.5 * most), &[])), ssd());
}

#[test]
fn drive_with_one_command_at_a_time_is_no_bottleneck() {
    assert_eq!(limit(with_traffic(&closed_loop(1, 4096), &[])), (None, None));
    let thinks = json!({ "kind": "closed-loop", "outstanding": 64, "thinkTimeUs": 5000, "size": { "kind": "fixed", "bytes": 4096 } });
    assert_eq!(limit(with_traffic(&thinks, &[])), (None, None));
}

#[test]
fn slow_link_is_the_bottleneck_in_place_of_a_drive() {
    for changes in [
        vec![("topology.linkGbps", json!(5))],
        vec![("topology.linkGbps", json!(5)), ("switch.buffering", json!("pfc"))],
    ] {
        let (now, summary) = run(three_readers(&changes));
        assert!(now.saturated && now.device.is_none() && now.out_of_reach.is_none(), "{now:?}");
        assert!(summary.network.is_saturated() && summary.rates_out_of_reach.is_none());
    }
}

#[test]
fn of_several_devices_the_full_one_is_named() {
    let servers = json!([{ "host": "h3", "devices": [
        { "name": "fast", "kind": "persistent-memory" }, { "name": "slow", "kind": "ssd" }] }]);
    // A class asks a part of what the memory serves; the others fill the few places of the drive.
    let changes = [
        ("storage.servers", servers),
        ("workloads[0].devices", json!("persistent-memory")),
        ("workloads[0].traffic", open_loop(0.5)),
        ("storage.nvme.deviceCommands", json!(16)),
    ];
    assert_eq!(limit(three_readers(&changes)), (Some(1), Some("SSD h3, slow is the bottleneck".into())));
}

#[test]
fn memory_that_is_full_is_the_bottleneck() {
    let memory = json!([{ "host": "h3", "devices": [{ "name": "pm", "kind": "persistent-memory" }] }]);
    let of = |traffic: Value| {
        let paths = [0, 1, 2].map(|workload| format!("workloads[{workload}].devices"));
        let mut changes: Vec<(&str, Value)> =
            paths.iter().map(|path| (path.as_str(), json!("persistent-memory"))).collect();
        changes.push(("storage.servers", memory.clone()));
        changes.push(("topology.linkGbps", json!(400)));
        limit(with_traffic(&traffic, &changes))
    };
    assert_eq!(of(closed_loop(256, 65_536)), (Some(0), Some("memory is the bottleneck".into())));
    assert_eq!(of(closed_loop(1, 4096)), (None, None));
    assert_eq!(of(open_loop(10.0)), (None, None));
}

#[test]
fn server_of_tenants_is_the_bottleneck_only_above_its_capacity() {
    let server = json!([{ "host": "h3", "devices": [{ "name": "c", "kind": "constant-capacity" }] }]);
    let of = |traffic: Value, scheduler: &str| {
        limit(with_traffic(
            &traffic,
            &[
                ("storage.servers", server.clone()),
                ("storage.constant.capacityIops", json!(100_000)),
                ("storage.tenants.scheduler", json!(scheduler)),
                ("durationUs", json!(60_000)),
            ],
        ))
    };
    // 100,000 requests of 4096 bytes a second are 3.28 Gb/s.
    for scheduler in ["none", "fcfs"] {
        let server = (Some(0), Some("server is the bottleneck".into()));
        assert_eq!(of(closed_loop(16, 4096), scheduler), server, "{scheduler}");
        assert_eq!(of(open_loop(1.3), scheduler), server, "{scheduler}");
        assert_eq!(of(open_loop(0.8), scheduler), (None, None), "{scheduler}");
    }
}

#[test]
fn local_drive_is_the_bottleneck_where_nothing_goes_over_the_network() {
    let mut document = three_readers(&[("workloads[0].protocol", json!("local"))]);
    document["workloads"] = json!([{
        "class": "High", "protocol": "local", "readFraction": 1,
        "endpoints": { "kind": "pairs", "initiators": ["h3"], "targets": ["h3"] },
        "traffic": closed_loop(256, 4096)
    }]);
    assert_eq!(limit(document), (Some(0), Some("nothing goes over the network".into())));
}

#[test]
fn idle_threshold_is_named_while_a_drive_is_the_bottleneck() {
    let sentence = |changes: &[(&str, Value)]| run(three_readers(changes)).0.idle_threshold;
    let idle = "No effect now: the SSD is the bottleneck, the port queue stays below K.";
    assert_eq!(sentence(&[("switch.ecnThresholdPackets", json!(400))]).as_deref(), Some(idle));
    let little = "Little effect now: the SSD is the bottleneck.";
    assert_eq!(sentence(&[("switch.ecnThresholdPackets", json!(1))]).as_deref(), Some(little));
    assert_eq!(sentence(&[("topology.linkGbps", json!(5))]), None);
}
