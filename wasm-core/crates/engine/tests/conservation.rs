//! Nothing is lost, nothing is there twice, and nothing depends on how a run is cut into pieces: properties of random
//! small scenarios, most of them with buffers of a few packets, so that drops, recovery and timeouts happen.

use crate::common::hosts;
use proptest::prelude::*;
use proptest::sample::select;
use proptest::strategy::ValueTree;
use proptest::test_runner::{FileFailurePersistence, TestRunner};
use qoscope_engine::kernel::ids::NodeId;
use qoscope_engine::scenario;
use qoscope_engine::scenario::document::{Buffering, Scenario, Traffic};
use qoscope_engine::simulation::{ClassSummary, ConservationReport, Simulation, Stream};
use serde_json::{Value, json};

/// Sources stop here.
const STOP_US: f64 = 1_500.0;
/// How far runs are compared.
const COMPARED_US: f64 = 6_000.0;
/// Everything must be delivered by then: connections of tiny windows over long round trips take their time.
const DURATION_US: f64 = 60_000_000.0;
const PS_PER_US: f64 = 1e6;
const NAMES: [&str; 2] = ["High", "Low"];

/// A shape, and the names of its hosts.
fn shape() -> impl Strategy<Value = (Value, Vec<String>)> {
    let node = |name: &str, role: &str| json!({ "name": name, "role": role });
    let names = ["left", "right", "a", "b", "c", "d"];
    let nodes: Vec<Value> =
        names.iter().enumerate().map(|(n, name)| node(name, if n < 2 { "switch" } else { "host" })).collect();
    let links = json!([
        { "from": "a", "to": "left" },
        { "from": "b", "to": "left", "gbps": 3 },
        { "from": "left", "to": "right", "gbps": 5, "delayUs": 7 },
        { "from": "right", "to": "c" },
        { "from": "d", "to": "right", "delayUs": 0 },
    ]);
    prop_oneof![
        (1u32..6, 1u32..3, 1u32..3).prop_map(|(senders, receivers, switches)| {
            let shape = json!({ "kind": "dumbbell", "senders": senders, "receivers": receivers, "switches": switches });
            (shape, hosts(0..senders + receivers))
        }),
        (1u32..3, 1u32..3, 2u32..4).prop_map(|(leaves, spines, each)| {
            let shape = json!({ "kind": "leaf-spine", "leaves": leaves, "spines": spines, "hostsPerLeaf": each });
            (shape, hosts(0..leaves * each))
        }),
        Just((json!({ "kind": "fat-tree", "k": 4 }), hosts(0..16))),
        Just((
            json!({ "kind": "custom", "nodes": nodes, "links": links }),
            ["a", "b", "c", "d"].map(String::from).into()
        )),
    ]
}

fn topology() -> impl Strategy<Value = (Value, Vec<String>)> {
    let rate_gbps = select(vec![1.0, 10.0, 40.0]);
    (shape(), rate_gbps, 0.0..20.0f64, select(vec!["ecmp", "d-mod-k"])).prop_map(
        |((shape, hosts), gbps, delay_us, routing)| {
            (json!({ "shape": shape, "linkGbps": gbps, "linkDelayUs": delay_us, "routing": routing }), hosts)
        },
    )
}

fn switch() -> impl Strategy<Value = Value> {
    let buffer_packets = prop_oneof![3 => 2u32..12, 1 => 12u32..200];
    let buffer_bytes = prop_oneof![3 => Just(None), 1 => (9_100u64..60_000).prop_map(Some)];
    let memory = (select(vec!["per-port", "per-port", "shared", "pfc"]), 220_000u64..400_000, 0u32..4, 0.05..2.0f64);
    let point = select(vec!["arrival", "departure"]);
    (select(vec!["step", "red", "off"]), 1u32..60, buffer_packets, buffer_bytes, memory, point).prop_map(
        |(marking, threshold, buffer_packets, buffer_bytes, (buffering, memory_bytes, reserve, alpha), point)| {
            // Memory that is scarce beside what flow control keeps of it: headroom for cables of up to 40 us at 40 Gb/s.
            let kept_bytes = if buffering == "pfc" { 16 * 2 * 300_000 } else { 0 };
            let mut switch = json!({
                "buffering": buffering,
                "sharedBufferBytes": memory_bytes + kept_bytes,
                "guaranteedBytes": 1000,
                "thresholdAlpha": alpha,
                "urgentReservePackets": reserve.min(buffer_packets - 1),
                "markingPoint": point,
                "marking": marking,
                "ecnThresholdPackets": threshold,
                "redMaximumPackets": threshold + 20,
                "redMaximumProbability": 0.5,
                "bufferPackets": buffer_packets,
            });
            if let Some(bytes) = buffer_bytes {
                switch["bufferBytes"] = json!(bytes);
            }
            switch
        },
    )
}

fn host() -> impl Strategy<Value = Value> {
    (select(vec![1500, 9000]), 1u32..30, 1u32..3, 1u32..5, select(vec![200.0, 1000.0]), 2u32..32).prop_map(
        |(mtu, initial, minimum, delayed, timeout_us, queue)| {
            json!({
                "mtuBytes": mtu,
                "initialWindowPackets": initial,
                "minimumWindowPackets": minimum,
                "delayedAckPackets": delayed,
                "delayedAckTimeoutUs": 100,
                "minimumRtoUs": timeout_us,
                "startJitterUs": 0,
                "queuePackets": queue,
            })
        },
    )
}

fn classes() -> impl Strategy<Value = Value> {
    let rtt_us = prop_oneof![3 => Just(None), 1 => (900.0..1500.0f64).prop_map(Some)];
    let goal = (prop::option::of(100.0..3000.0f64), select(vec!["throughput", "latency"]));
    let rates = (select(vec!["sigcomm15", "vendor", "hpcc"]), prop::bool::ANY, prop::bool::ANY);
    let priority = prop_oneof![3 => Just(0u8), 1 => 0u8..8];
    let class = (transport(), 1.0..4.0f64, 1u32..12, rtt_us, goal, rates, priority);
    prop::collection::vec(class, 2).prop_map(|classes| {
        let class = |(n, (transport, ratio, interval, rtt_us, (target_us, goal), (set, dirs, patched), priority)): (
            usize,
            _,
        )| {
            let mut class = json!({
                "name": NAMES[n],
                "transport": transport,
                "ratio": ratio,
                "updateIntervalRtts": interval,
                "priority": priority,
                // Rates fall no lower than this, so that a run comes to its end.
                "dcqcn": { "set": set, "minRateMbps": 100 },
                "timely": { "patched": patched },
                "dirs": { "enabled": dirs },
            });
            if let Some::<f64>(us) = target_us {
                class["latencyTargetUs"] = json!(us);
                class["goal"] = json!(goal);
            }
            if let Some::<f64>(us) = rtt_us {
                class["baseRttUs"] = json!(us);
            }
            class
        };
        classes.into_iter().enumerate().map(class).collect()
    })
}

fn transport() -> impl Strategy<Value = &'static str> {
    select(vec!["qtcp", "dctcp", "d2tcp", "dcqcn", "qrdma", "timely"])
}

fn size() -> impl Strategy<Value = Value> {
    prop_oneof![
        (1u64..200_000).prop_map(|bytes| json!({ "kind": "fixed", "bytes": bytes })),
        (1u64..20)
            .prop_map(|blocks| json!({ "kind": "uniform", "minimumBlocks": blocks, "maximumBlocks": 3 * blocks })),
        Just(json!({ "kind": "empirical", "points": [[100, 30], [5000, 80], [100_000, 100]] })),
    ]
}

fn traffic() -> impl Strategy<Value = Value> {
    let gaps = select(vec!["exponential", "constant", "uniform"]);
    prop_oneof![
        (0.5..20.0f64, gaps, size()).prop_map(
            |(gbps, gaps, size)| json!({ "kind": "open-loop", "offeredGbps": gbps, "gaps": gaps, "size": size })
        ),
        Just(json!({ "kind": "backlogged" })),
        (1u32..5, size())
            .prop_map(|(outstanding, size)| json!({ "kind": "closed-loop", "outstanding": outstanding, "size": size })),
    ]
}

/// Traffic of each class between any two different hosts.
fn workloads(names: Vec<String>) -> impl Strategy<Value = Value> {
    let hosts = names.len();
    let pair = (0..hosts, 1..hosts).prop_map(move |(from, step)| (from, (from + step) % hosts));
    let flows = select(vec!["lasting", "per-request"]);
    let workload = (pair, 1u32..4, 0.0..STOP_US / 2.0, traffic(), flows);
    prop::collection::vec(workload, 2..5).prop_map(move |workloads| {
        let workload =
            |(n, ((from, to), connections, start_us, traffic, flows)): (usize, ((usize, usize), _, f64, Value, _))| {
                let connections: u32 = connections;
                json!({
                    "class": NAMES[n % 2],
                    "endpoints": { "kind": "pairs", "initiators": [&names[from]], "targets": [&names[to]] },
                    "connections": connections,
                    "flows": if traffic["kind"] == "backlogged" { "lasting" } else { flows },
                    "startUs": start_us,
                    "stopUs": STOP_US,
                    "traffic": traffic,
                })
            };
        workloads.into_iter().enumerate().map(workload).collect()
    })
}

fn scenario() -> impl Strategy<Value = Scenario> {
    let network = topology().prop_flat_map(|(topology, hosts)| (Just(topology), workloads(hosts)));
    let reads = prop::collection::vec(select(vec![0.0, 0.0, 0.4, 1.0f64]), 5);
    (network, switch(), host(), classes(), 0u64..1000, reads).prop_map(
        |((topology, workloads), switch, host, classes, seed, reads)| {
            let document = json!({
                "version": 3,
                "name": "Random",
                "seed": seed,
                "durationUs": DURATION_US,
                "topology": topology,
                "switch": switch,
                "host": host,
                "classes": classes,
                "workloads": workloads,
                "measurement": { "warmupUs": 0, "samplePeriodUs": 100 },
            });
            let mut scenario = scenario::from_value(document).expect("the generator makes valid scenarios");
            for (workload, fraction) in scenario.workloads.iter_mut().zip(reads) {
                let backlogged = matches!(workload.traffic, Traffic::Backlogged {});
                workload.read_fraction = if backlogged { f64::floor(fraction) } else { fraction };
            }
            scenario
        },
    )
}

/// A change that is legal in every scenario of [`scenario`].
fn change() -> impl Strategy<Value = (&'static str, Value)> {
    prop_oneof![
        (1u32..100).prop_map(|k| ("switch.ecnThresholdPackets", json!(k))),
        (1u32..40).prop_map(|packets| ("switch.bufferPackets", json!(packets))),
        transport().prop_map(|transport| ("classes[0].transport", json!(transport))),
        select(vec!["per-port", "shared", "pfc"]).prop_map(|buffering| ("switch.buffering", json!(buffering))),
        select(vec!["arrival", "departure"]).prop_map(|point| ("switch.markingPoint", json!(point))),
        (0u8..8).prop_map(|priority| ("classes[1].priority", json!(priority))),
        (0u64..4000).prop_map(|bytes| ("switch.guaranteedBytes", json!(bytes))),
        prop::bool::ANY.prop_map(|dirs| ("classes[0].dirs.enabled", json!(dirs))),
        prop::bool::ANY.prop_map(|adapts| ("qos.adaptToInterference", json!(adapts))),
        (1.0..4.0f64).prop_map(|ratio| ("classes[1].ratio", json!(ratio))),
        (1u32..20).prop_map(|rtts| ("classes[0].updateIntervalRtts", json!(rtts))),
        (1.0..20.0f64).prop_map(|gbps| ("topology.linkGbps", json!(gbps))),
        (0.0..20.0f64).prop_map(|us| ("topology.linkDelayUs", json!(us))),
        (STOP_US / 2.0..STOP_US).prop_map(|us| ("workloads[0].stopUs", json!(us))),
        prop::collection::vec(0usize..1000, 0..3).prop_map(|numbers| (FAILED_LINKS, json!(numbers))),
        prop::collection::vec(0usize..1000, 0..3).prop_map(|numbers| (FAILED_LINKS, json!(numbers))),
    ]
}

const FAILED_LINKS: &str = "topology.failedLinks";

/// Applies a change; cables that fail are chosen by number, and named here.
fn apply(simulation: &mut Simulation, path: &str, value: Value) -> bool {
    let graph = &simulation.plan().graph;
    let cable = |number: &Value| {
        let wire = graph.wires()[number.as_u64().unwrap_or_default() as usize % graph.wires().len()];
        let name = |node: NodeId| graph.nodes()[node.index()].name.clone();
        json!({ "from": name(wire.from), "to": name(wire.to) })
    };
    let value = match value.as_array() {
        Some(numbers) if path == FAILED_LINKS => numbers.iter().map(cable).collect(),
        _ => value,
    };
    simulation.apply(path, value).is_ok()
}

/// An instant of the part of the run in which most happens.
fn instant() -> impl Strategy<Value = u64> {
    prop_oneof![3 => 0.0..STOP_US, 1 => STOP_US..4.0 * STOP_US].prop_map(|us: f64| (us * PS_PER_US) as u64)
}

fn simulation(scenario: &Scenario) -> Simulation {
    Simulation::new(scenario).expect("the generator makes scenarios that can be laid out")
}

fn run(mut simulation: Simulation) -> u64 {
    simulation.run_until((COMPARED_US * PS_PER_US) as u64);
    simulation.digest()
}

fn check(simulation: &Simulation) -> Result<ConservationReport, TestCaseError> {
    let report = simulation.conservation_report();
    prop_assert!(report.packets.balances(), "packets: {:?}", report.packets);
    prop_assert!(report.payload_bytes.balances(), "payload: {:?}", report.payload_bytes);
    prop_assert_eq!(report.arrivals, simulation.packet_hops());
    for stream in &report.streams {
        let positions = [stream.acknowledged, stream.delivered, stream.sent, stream.handed_over];
        prop_assert!(positions.is_sorted(), "{:?}", stream);
    }
    let (mut issued, mut completed) = (0, 0);
    for class in simulation.summary().classes {
        issued += class.requests.issued;
        completed += class.requests.completed;
    }
    prop_assert!(report.requests.balances(), "{:?}", report.requests);
    prop_assert_eq!((issued, completed), (report.requests.issued, report.requests.done));
    Ok(report)
}

/// Whether all that was handed over has been delivered, both ends know, and the network is empty.
fn is_drained(report: &ConservationReport) -> bool {
    let delivered =
        |stream: &Stream| stream.acknowledged == stream.handed_over && stream.delivered == stream.handed_over;
    report.packets.in_flight == 0 && report.requests.held == 0 && report.streams.iter().all(delivered)
}

proptest! {
    // Failing seeds are kept beside this file, which has no library that the default place could stand beside.
    #![proptest_config(ProptestConfig::with_failure_persistence(FileFailurePersistence::WithSource("proptest-regressions")))]

    /// At any instant the books balance, however the parameters change; once the load has stopped, all that was handed
    /// over is delivered, once and in order, and the network empties.
    #[test]
    fn what_is_sent_is_delivered_dropped_or_in_flight(
        scenario in scenario(),
        mut instants in prop::collection::vec((instant(), prop::option::weighted(0.3, change())), 1..8),
    ) {
        let mut simulation = simulation(&scenario);
        instants.sort_by_key(|&(at_ps, _)| at_ps);
        for (at_ps, change) in instants {
            simulation.run_until(at_ps);
            check(&simulation)?;
            if let Some((path, value)) = change
                && apply(&mut simulation, path, value)
            {
                check(&simulation)?;
            }
        }
        simulation.apply(FAILED_LINKS, json!([])).expect("every cable can be mended");
        // Paced connections do not slow down for losses: with go-back-N and a buffer too small for any mark they may send
        // the same packets for ever. Flow control ends that.
        let paced = |class: &ClassSummary| class.transport.is_rate_based();
        if simulation.summary().classes.iter().any(paced) {
            simulation.apply("switch.sharedBufferBytes", json!(100_000_000)).expect("memory can always be added");
            simulation.apply("switch.buffering", json!("pfc")).expect("there is memory enough");
        }
        while !is_drained(&simulation.conservation_report()) {
            let step_ps = (10.0 * STOP_US * PS_PER_US) as u64;
            prop_assert!(simulation.now_ps() < simulation.duration_ps(), "{:?}", simulation.conservation_report());
            simulation.run_until(simulation.now_ps() + step_ps);
        }
        check(&simulation)?;
    }

    /// With flow control and the headroom that cables need, nothing is ever dropped.
    #[test]
    fn flow_control_loses_nothing(scenario in scenario(), memory_bytes in 60_000u64..300_000) {
        let mut scenario = scenario;
        scenario.switch.buffering = Buffering::Pfc;
        scenario.switch.shared_buffer_bytes = memory_bytes + 16 * 2 * 300_000;
        let mut simulation = simulation(&scenario);
        simulation.run_until((COMPARED_US * PS_PER_US) as u64);
        prop_assert_eq!(simulation.summary().network.drops_everywhere, 0);
    }

    /// A run cut into slices of any time and any number of events, and gone on with from a checkpoint, is the same run.
    #[test]
    fn slices_and_checkpoints_change_nothing(
        scenario in scenario(),
        slices in prop::collection::vec((instant(), 1u64..3000), 1..30),
    ) {
        let uninterrupted = run(simulation(&scenario));
        let mut simulation = simulation(&scenario);
        for (at_ps, max_events) in slices {
            simulation.advance(at_ps, max_events);
        }
        let checkpoint = simulation.clone();
        prop_assert_eq!(run(simulation), uninterrupted);
        prop_assert_eq!(run(checkpoint), uninterrupted);
    }

    /// A change made while the run goes on is recorded, and the recorded scenario, which is read back as it was, replays to
    /// the same result.
    #[test]
    fn a_recorded_change_replays(
        scenario in scenario(),
        changes in prop::collection::vec((instant(), 1u64..3000, change()), 1..4),
    ) {
        let mut live = simulation(&scenario);
        for (at_ps, max_events, (path, value)) in changes {
            live.advance(at_ps, max_events);
            // A delay can be refused that would exceed the round trip a class asks for; then nothing has changed.
            apply(&mut live, path, value);
        }
        let recorded = live.scenario().clone();
        let read = scenario::from_value(scenario::as_value(&recorded)).expect("what is recorded is valid");
        prop_assert_eq!(scenario::hash(&read), scenario::hash(&recorded));
        prop_assert_eq!(run(live), run(simulation(&recorded)));
    }
}

/// The scenarios are worth their while: many drop packets, and some of those need timeouts.
#[test]
fn the_scenarios_drop_and_recover() {
    let mut runner = TestRunner::deterministic();
    let (mut dropping, mut timing_out) = (0, 0);
    for _ in 0..100 {
        let scenario = scenario().new_tree(&mut runner).expect("nothing is rejected").current();
        let mut simulation = simulation(&scenario);
        simulation.run_until((COMPARED_US * PS_PER_US) as u64);
        let summary = simulation.summary();
        dropping += u32::from(summary.network.drops_everywhere > 0);
        timing_out += u32::from(summary.flows.iter().any(|flow| flow.timeouts > 0));
    }
    assert!(dropping >= 30 && timing_out >= 15, "{dropping} drop, {timing_out} time out");
}
