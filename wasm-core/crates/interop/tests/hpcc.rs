//! The files for the simulator of HPCC, as that simulator reads them: of every scenario that comes with the project, of odd ones, and,
//! field by field, of the cases that were run there.

mod third_cc;

use std::collections::BTreeMap;

use qoscope_engine::kernel::time::from_us;
use qoscope_engine::scenario::network_files;
use qoscope_engine::scenario::{self, LinkSpec, NodeKind, Scenario, graph_of};
use qoscope_engine::simulation::Simulation;
use qoscope_engine::simulation::plan::Plan;
use qoscope_interop::{Export, How, Target, export};
use serde_json::{Value, json};
use third_cc::{Flow, Run};

fn document(name: &str) -> Value {
    let scenario = scenario::from_value(qoscope_committed::document(name));
    scenario::as_value(&scenario.expect("scenarios that come with the project are valid"))
}

/// A scenario that comes with the project, with changes.
fn with(name: &str, changes: &[(&str, Value)]) -> Scenario {
    let mut document = document(name);
    for (path, value) in changes {
        scenario::set_path(&mut document, path, value.clone()).unwrap_or_else(|why| panic!("{path}: {why:?}"));
    }
    scenario::from_value(document).unwrap_or_else(|why| panic!("{name}: {why:?}"))
}

fn texts(export: &Export) -> [&str; 4] {
    ["config.txt", "topology.txt", "flow.txt", "trace.txt"].map(|name| {
        let file = export.files.iter().find(|file| file.name == name).unwrap_or_else(|| panic!("{name} is missing"));
        file.text.as_str()
    })
}

fn read(scenario: &Scenario) -> (Export, Run) {
    let export = export(scenario, Target::Hpcc).unwrap_or_else(|why| panic!("{}: {why:?}", scenario.name));
    let run = third_cc::read(texts(&export)).unwrap_or_else(|fault| panic!("{}: {fault}", scenario.name));
    (export, run)
}

/// Why a scenario is refused: the path, and the reason.
fn refused(scenario: &Scenario) -> (String, String) {
    let why = export(scenario, Target::Hpcc).expect_err("it is refused");
    assert!(why.iter().all(|why| !why.reason.is_empty() && !why.hint.is_empty()), "{why:?}");
    (why[0].path.clone(), why[0].reason.clone())
}

fn how(export: &Export, path: &str) -> How {
    export.fields.iter().find(|field| field.path == path).unwrap_or_else(|| panic!("nothing is said of {path}")).how
}

/// The link that a cable of the network should be: its own rate and delay, and what its ends take. A switch takes its time for what
/// comes in, a host for what comes in and what leaves; a delay is the mean of both directions.
fn expected(scenario: &Scenario) -> Vec<LinkSpec> {
    let topology = &scenario.topology;
    let graph = graph_of(&topology.shape);
    let node = |number: usize| {
        let kind = if graph.nodes()[number].kind == NodeKind::Host { 'h' } else { 's' };
        format!("{kind}{number}")
    };
    let cables = graph.wires().iter().step_by(2).map(|wire| {
        let ends = [wire.from, wire.to];
        let taken =
            ends.map(|end| if graph.is_host(end) { topology.host_delay_us } else { topology.switch_delay_us / 2.0 });
        LinkSpec {
            from: node(wire.from.index()),
            to: node(wire.to.index()),
            gbps: Some(wire.rate_bps.map_or(topology.link_gbps, |bps| bps as f64 / 1e9)),
            delay_us: Some(wire.delay_ps.map_or(topology.link_delay_us, |ps| ps as f64 / 1e6) + taken[0] + taken[1]),
        }
    });
    cables.collect()
}

/// The engine reads the topology as the network of the scenario; where a round trip is asked for, the delays add up to it.
fn is_the_network(scenario: &Scenario, export: &Export, run: &Run) {
    let name = &scenario.name;
    let network = network_files::read(texts(export)[1]).unwrap_or_else(|why| panic!("{name}: {why:?}"));
    let graph = graph_of(&scenario.topology.shape);
    let hosts = network.nodes.iter().filter(|node| node.role == NodeKind::Host).count();
    assert_eq!((network.nodes.len(), hosts), (graph.nodes().len(), graph.hosts().len()), "{name}");
    if scenario.topology.failed_links.is_empty() && scenario.topology.base_rtt_us.is_none() {
        let expected = expected(scenario);
        assert_eq!(network.links.len(), expected.len(), "{name}");
        for (found, expected) in network.links.iter().zip(expected) {
            assert_eq!((&found.from, &found.to), (&expected.from, &expected.to), "{name}");
            // The engine has whole bits a second.
            let [gbps, expected_gbps] = [found.gbps, expected.gbps].map(Option::unwrap_or_default);
            assert!((gbps - expected_gbps).abs() <= 0.5e-9 + 1e-15 * gbps, "{name}: {gbps} and {expected_gbps} Gb/s");
            let [found, expected] = [found.delay_us, expected.delay_us].map(Option::unwrap_or_default);
            // Three amounts and their mean are in whole picoseconds.
            assert!((found - expected).abs() < 2.5e-6, "{name}: {found} and {expected} us");
        }
    }
    let plan = Plan::new(scenario).expect("the scenario is valid");
    let settings = plan.settings(scenario).expect("the scenario is valid");
    let delays: BTreeMap<[usize; 2], u64> = run.links.iter().map(|link| (link.ends, link.delay_ns)).collect();
    let delay_ns = |from: usize, to: usize| delays.get(&[from, to]).or_else(|| delays.get(&[to, from])).copied();
    for flow in plan.flows.iter().take(100) {
        let links = flow.data.iter().chain(&flow.acknowledgements);
        let mut there_and_back = (0, 0);
        for link in links {
            let wire = &plan.graph.wires()[link.index()];
            // What is down takes another way.
            let Some(ns) = delay_ns(wire.from.index(), wire.to.index()) else { return };
            there_and_back.0 += ns;
            there_and_back.1 += settings.links[link.index()].delay_ps;
        }
        let (ns, own_ns) = (there_and_back.0 as f64, there_and_back.1 as f64 / 1000.0);
        // Every link is cut off to whole nanoseconds.
        let links = (flow.data.len() + flow.acknowledgements.len()) as f64;
        assert!((0.0..=links).contains(&(own_ns - ns)), "{name}: {ns} and {own_ns} ns");
    }
}

#[test]
fn third_cc_reads_what_is_written_of_every_scenario() {
    let (mut written, mut by_mode) = (0, BTreeMap::new());
    for name in qoscope_committed::names() {
        let scenario = with(&name, &[]);
        let Ok(export) = export(&scenario, Target::Hpcc) else { continue };
        let run = third_cc::read(texts(&export)).unwrap_or_else(|fault| panic!("{name}: {fault}"));
        is_the_network(&scenario, &export, &run);
        written += 1;
        *by_mode.entry(run.config["CC_MODE"][0].clone()).or_insert(0) += 1;
        assert!(export.files.iter().all(|file| file.text.len() < 4_000_000), "{name}");
    }
    assert!(written > 30, "{written} scenarios are written");
    assert_eq!(by_mode.keys().collect::<Vec<_>>(), ["1", "7", "8"], "every control is written");
}

/// The case of 16 senders as it was run there (docs/validation.md, "The simulator of HPCC"): config.txt.
const CASE: &str = "ENABLE_QCN 1 USE_DYNAMIC_PFC_THRESHOLD 1 PACKET_PAYLOAD_SIZE 1000
    TOPOLOGY_FILE topology.txt FLOW_FILE flow.txt TRACE_FILE trace.txt TRACE_OUTPUT_FILE mix.tr FCT_OUTPUT_FILE fct.txt PFC_OUTPUT_FILE pfc.txt
    SIMULATOR_STOP_TIME 2.06 CC_MODE 1 ALPHA_RESUME_INTERVAL 1 RATE_DECREASE_INTERVAL 4 CLAMP_TARGET_RATE 0 RP_TIMER 300
    EWMA_GAIN 0.00390625 FAST_RECOVERY_TIMES 1 RATE_AI 20Mb/s RATE_HAI 200Mb/s MIN_RATE 1000Mb/s DCTCP_RATE_AI 1000Mb/s
    ERROR_RATE_PER_LINK 0.0000 L2_CHUNK_SIZE 4000 L2_ACK_INTERVAL 1 L2_BACK_TO_ZERO 0 HAS_WIN 0 GLOBAL_T 1 VAR_WIN 0
    FAST_REACT 0 U_TARGET 0.95 MI_THRESH 0 INT_MULTI 1 MULTI_RATE 0 SAMPLE_FEEDBACK 0 PINT_LOG_BASE 1.05 PINT_PROB 1.0
    RATE_BOUND 1 ACK_HIGH_PRIO 1 LINK_DOWN 0 0 0 ENABLE_TRACE 0 KMAX_MAP 1 100000000000 1600 KMIN_MAP 1 100000000000 400
    PMAX_MAP 1 100000000000 0.2 BUFFER_SIZE 32 QLEN_MON_FILE qlen.txt QLEN_MON_START 2000000000 QLEN_MON_END 2000000000";

/// Keys that say nothing of DCQCN: where files are, when it ends (there, after the last flow), and parameters of other controls.
const OF_OTHERS: [&str; 15] = [
    "TOPOLOGY_FILE",
    "FLOW_FILE",
    "TRACE_FILE",
    "TRACE_OUTPUT_FILE",
    "FCT_OUTPUT_FILE",
    "PFC_OUTPUT_FILE",
    "QLEN_MON_FILE",
    "SIMULATOR_STOP_TIME",
    "DCTCP_RATE_AI",
    "U_TARGET",
    "MI_THRESH",
    "INT_MULTI",
    "MULTI_RATE",
    "SAMPLE_FEEDBACK",
    "PINT_LOG_BASE",
];

/// A case that was run: its senders, the bytes of each, and the keys that it has otherwise.
fn case(senders: usize, bytes: u64, changes: &[(&str, &str)]) -> Run {
    let mut config: Vec<&str> = CASE.split_ascii_whitespace().collect();
    for (key, value) in changes {
        let at = config.iter().position(|word| word == key).expect("a key of the case");
        config[at + 1] = value;
    }
    // The switch has number 0, the receiver the last one.
    let receiver = senders + 1;
    let links: String = (1..=receiver).map(|host| format!("0 {host} 100Gbps 0.001ms 0\n")).collect();
    let topology = format!("{} 1 {receiver}\n0\n{links}", receiver + 1);
    let flows: String = (1..=senders).map(|sender| format!("{sender} {receiver} 3 100 {bytes} 2\n")).collect();
    third_cc::read([&config.join(" "), &topology, &format!("{senders}\n{flows}"), "0"]).expect("the case was run")
}

#[test]
fn a_case_that_was_run_there_is_written_field_by_field() {
    let paper = [("ALPHA_RESUME_INTERVAL", "50"), ("RATE_DECREASE_INTERVAL", "50"), ("RP_TIMER", "55")];
    for (name, senders, bytes, changes) in [
        ("ref-hpcc-dcqcn_mlx_16to1_100g", 16, 15_625_000, &[][..]),
        ("ref-hpcc-dcqcn_mlx_16to1_100g_buf2M", 16, 15_625_000, &[("BUFFER_SIZE", "2")]),
        ("ref-hpcc-dcqcn_mlx_2to1_100g", 2, 125_000_000, &[]),
        ("ref-hpcc-dcqcn_paper_2to1_100g", 2, 125_000_000, &paper),
    ] {
        let ran = case(senders, bytes, changes);
        let (_, written) = read(&with(name, &[]));
        let own = |run: &Run| {
            let mut config = run.config.clone();
            config.retain(|key, _| !OF_OTHERS.contains(&key.as_str()) && key != "PINT_PROB");
            config
        };
        assert_eq!(own(&written), own(&ran), "{name}");
        // The same star, whose nodes have other numbers.
        let star = |run: &Run| {
            let amounts: Vec<(u64, u64)> = run.links.iter().map(|link| (link.bps, link.delay_ns)).collect();
            let spokes = run.links.iter().filter(|link| link.ends.iter().any(|end| run.is_switch[*end])).count();
            (run.is_switch.iter().filter(|is_switch| **is_switch).count(), spokes, amounts)
        };
        assert_eq!(star(&written), star(&ran), "{name}");
        let flows = |run: &Run| run.flows.iter().map(|flow| (flow.group, flow.bytes)).collect::<Vec<_>>();
        assert_eq!(flows(&written), flows(&ran), "{name}");
        let receiver = written.flows[0].destination;
        assert!(written.flows.iter().all(|flow| flow.destination == receiver && flow.source != receiver), "{name}");
        // Here connections start apart, within the time of ten full packets of 1048 B at 100 Gb/s.
        assert!(written.flows.iter().all(|flow| flow.start_ns - 2_000_000_000 <= 838), "{name}");
    }
}

#[test]
fn damaged_files_are_noticed() {
    let export = export(&with("ref-hpcc-dcqcn_mlx_2to1_100g", &[]), Target::Hpcc).expect("DCQCN");
    let whole = texts(&export);
    third_cc::read(whole).expect("it is whole");
    for (file, from, to) in [
        (0, "RP_TIMER 300", "RP_TIMER 300.5"),
        (0, "RP_TIMER 300\n", ""),
        (0, "RATE_AI 20Mb/s\n", ""),
        (0, "RATE_AI 20Mb/s", "RATE_AI 20Mb"),
        (0, "KMIN_MAP 1 100000000000 400", "KMIN_MAP 1 40000000000 400"),
        (0, "KMIN_MAP 1 100000000000 400", "KMIN_MAP 1 100000000000 1601"),
        (0, "BUFFER_SIZE 32", "BUFFER_SIZE 0"),
        (0, "BUFFER_SIZE 32", "BUFFERS 32"),
        (0, "LINK_DOWN 0 0 0", "LINK_DOWN 5 0 1"),
        (0, "LINK_DOWN 0 0 0", "LINK_DOWN 5 0 3"),
        (0, "CC_MODE 1", "CC_MODE 2"),
        (0, "SIMULATOR_STOP_TIME 2.021410000", "SIMULATOR_STOP_TIME 2"),
        (1, "4 1 3\n", "4 1 4\n"),
        (1, "0 3 100Gbps", "0 1 100Gbps"),
        (1, "0 3 100Gbps", "1 3 100Gbps"),
        (1, "100Gbps 1us", "100Gbps 1"),
        (2, "2\n", "3\n"),
        (2, "125000000 2.0000002", "125000000 2.1000002"),
        (2, "125000000", "4294967296"),
        (2, "0 2 3 100", "0 3 3 100"),
        (2, "0 2 3 100", "0 2 0 100"),
        (3, "0\n", "1\n"),
    ] {
        let damaged = whole[file].replacen(from, to, 1);
        assert_ne!(damaged, whole[file], "{from} is there");
        let mut texts = whole;
        texts[file] = &damaged;
        assert!(third_cc::read(texts).is_err(), "{from} became {to}");
    }
}

/// By source and destination: how many flows, and their bytes.
fn by_pair(flows: &[Flow]) -> BTreeMap<(usize, usize), (u64, u64)> {
    let mut pairs = BTreeMap::new();
    for flow in flows {
        let of: &mut (u64, u64) = pairs.entry((flow.source, flow.destination)).or_default();
        *of = (of.0 + 1, of.1 + flow.bytes);
    }
    pairs
}

#[test]
fn flows_are_the_very_requests_of_the_run() {
    for (name, changes) in [
        ("paper1-fig10-dctcp", vec![("durationUs", json!(3000)), ("measurement.warmupUs", json!(0))]),
        ("paper1-fig18a-dcqcn", vec![("durationUs", json!(100_000)), ("measurement.warmupUs", json!(0))]),
        ("ref-ns3-A5_incast10_256k_rtt100", vec![]),
    ] {
        let scenario = with(name, &changes);
        let (_, run) = read(&scenario);
        let mut simulation = Simulation::new(&scenario).expect("the scenario is valid");
        simulation.run_until(from_us(scenario.duration_us));
        let report = simulation.conservation_report();
        assert!(run.flows.len() > 9, "{name}");
        assert_eq!(report.requests.issued, run.flows.len() as u64, "{name}");
        let plan = simulation.plan();
        let mut handed_over = BTreeMap::new();
        for (flow, stream) in plan.flows[..plan.data_flows].iter().zip(&report.streams) {
            let node = |host: u32| plan.graph.hosts()[host as usize].index();
            *handed_over.entry((node(flow.source), node(flow.destination))).or_insert(0) += stream.handed_over;
        }
        handed_over.retain(|_, bytes| *bytes > 0);
        let bytes: BTreeMap<_, _> = by_pair(&run.flows).into_iter().map(|(pair, (_, bytes))| (pair, bytes)).collect();
        assert_eq!(bytes, handed_over, "{name}");
    }
}

#[test]
fn a_stand_in_has_as_many_flows_as_the_run_has_requests() {
    let scenario =
        with("traces-bursts-and-poisson", &[("durationUs", json!(60_000)), ("measurement.warmupUs", json!(0))]);
    let (_, run) = read(&scenario);
    let mut simulation = Simulation::new(&scenario).expect("the scenario is valid");
    simulation.run_until(from_us(scenario.duration_us));
    assert_eq!(simulation.conservation_report().requests.issued, run.flows.len() as u64);
}

/// Two hosts that write to a third over 10 Gb/s, with DCTCP, for a millisecond.
fn small(changes: &[(&str, Value)]) -> Scenario {
    let mut document = json!({
        "version": 3, "name": "Small", "durationUs": 1000,
        "topology": { "shape": { "kind": "dumbbell", "senders": 2, "receivers": 1 }, "linkGbps": 10 },
        "host": { "startJitterUs": 0 },
        "classes": [{ "name": "A", "transport": "dctcp" }],
        "workloads": [
            { "class": "A", "endpoints": { "kind": "pairs", "initiators": ["h0", "h1"], "targets": ["h2"] }, "traffic": { "kind": "backlogged" } }
        ]
    });
    for (path, value) in changes {
        scenario::set_path(&mut document, path, value.clone()).unwrap_or_else(|why| panic!("{path}: {why:?}"));
    }
    scenario::from_value(document).unwrap_or_else(|why| panic!("{why:?}"))
}

#[test]
fn what_always_has_data_becomes_what_its_link_carries() {
    // 10 Gb/s × 1 ms ÷ 8 = 1 250 000 B, of which 1448 in 1496 are payload: 1 209 893.05.
    let (_, run) = read(&small(&[]));
    assert_eq!(
        run.flows.iter().map(|flow| (flow.bytes, flow.start_ns)).collect::<Vec<_>>(),
        [(1_209_894, 2_000_000_000); 2]
    );
    // Half of the time, from its start to its stop.
    let (_, run) = read(&small(&[("workloads[0].startUs", json!(250)), ("workloads[0].stopUs", json!(750))]));
    assert_eq!(run.flows[0], Flow { source: 0, destination: 2, group: 3, bytes: 604_947, start_ns: 2_000_250_000 });
    // A closed loop without a pause has data all the time; one request in four reads, so that its way is busy a third of it.
    let closed = |fields: Value| {
        let mut traffic =
            json!({ "kind": "closed-loop", "outstanding": 8, "size": { "kind": "fixed", "bytes": 4096 } });
        traffic.as_object_mut().expect("an object").extend(fields.as_object().expect("an object").clone());
        traffic
    };
    let traffic = ("workloads[0].traffic", closed(json!({})));
    let (export, run) = read(&small(&[traffic, ("workloads[0].readFraction", json!(0.25))]));
    let ways = by_pair(&run.flows);
    assert_eq!(ways[&(0, 2)], (1, 1_209_894));
    assert_eq!(ways[&(2, 0)], (1, 403_298));
    assert_eq!(how(&export, "workloads[0].traffic"), How::Roughly);
    // Forty requests, no more.
    let (_, run) = read(&small(&[("workloads[0].traffic", closed(json!({ "requests": 40 })))]));
    assert_eq!(by_pair(&run.flows)[&(0, 2)], (1, 40 * 4096));
    // Eight that are all there at the start.
    let (export, run) = read(&small(&[("workloads[0].traffic", closed(json!({ "requests": 8 })))]));
    assert_eq!(by_pair(&run.flows)[&(1, 2)], (8, 8 * 4096));
    assert_eq!(how(&export, "workloads[0].traffic.outstanding"), How::Exactly);
    // With a pause after each answer nothing is left to write.
    let (path, reason) = refused(&small(&[("workloads[0].traffic", closed(json!({ "thinkTimeUs": 5 })))]));
    assert_eq!(path, "workloads[0].traffic");
    assert!(reason.contains("pauses after each answer"), "{reason}");
    let devices = [("workloads[0].traffic", closed(json!({}))), ("access.protocol", json!("nvme-tcp"))];
    assert!(refused(&small(&devices)).1.contains("answers of devices"));
}

#[test]
fn delays_have_what_the_ends_of_a_link_take() {
    let changes = [
        ("topology.linkDelayUs", json!(1)),
        ("topology.hostDelayUs", json!(2)),
        ("topology.switchDelayUs", json!(0.5)),
    ];
    let (export, run) = read(&small(&changes));
    // 1 + 2 + 0.5 ÷ 2 µs between host and switch, 1 + 2 × 0.5 ÷ 2 between switches.
    let delays: Vec<u64> = run.links.iter().map(|link| link.delay_ns).collect();
    assert_eq!(delays, [1500, 3250, 3250, 3250]);
    assert_eq!(how(&export, "topology.hostDelayUs"), How::Roughly);
    // A round trip of 100 µs: 1502 B and 54 B over three links at 10 Gb/s take 3.7344 µs, links the rest.
    let (_, run) = read(&small(&[("topology.linkDelayUs", json!(1)), ("topology.baseRttUs", json!(100))]));
    let path: u64 = [1, 0, 3].iter().map(|link: &usize| run.links[*link].delay_ns).sum();
    assert!((2.0 * path as f64 - (100_000.0 - 3734.4)).abs() < 6.0, "{path}");
}

#[test]
fn one_cable_may_fail() {
    let down =
        |cables: &[[&str; 2]]| Value::from_iter(cables.iter().map(|[from, to]| json!({ "from": from, "to": to })));
    let fails =
        |at: f64, cables: &[[&str; 2]]| json!({ "atUs": at, "path": "topology.failedLinks", "value": down(cables) });
    let tree = |timeline: Vec<Value>, failed: &[[&str; 2]]| {
        read(&with("bench-fat-tree-k4", &[("topology.failedLinks", down(failed)), ("timeline", timeline.into())]))
    };
    let value = |run: &Run| run.config["LINK_DOWN"].join(" ");
    // 16 hosts, 8 edge and 8 aggregation switches: e0.0 has number 16, a0.0 number 24.
    let (export, run) = tree(vec![fails(1000.0, &[["a0.0", "e0.0"]])], &[]);
    assert_eq!((value(&run), run.links.len()), ("1000 24 16".into(), 48));
    assert_eq!(how(&export, "timeline[0].value"), How::Exactly);
    // What is down from the start is left out.
    let (export, run) = tree(vec![fails(0.25, &[["e0.0", "a0.0"], ["e0.1", "a0.0"]])], &[["e0.0", "a0.0"]]);
    assert_eq!((value(&run), run.links.len()), ("1 24 17".into(), 47));
    assert_eq!((how(&export, "timeline[0].value"), how(&export, "topology.failedLinks")), (How::Roughly, How::Exactly));
    // Two at once, one that comes back, and the last path of a host are not to be had.
    for timeline in [
        vec![fails(10.0, &[["e0.0", "a0.0"], ["e0.1", "a0.0"], ["e1.0", "a1.0"]])],
        vec![fails(10.0, &[])],
        vec![fails(10.0, &[["e0.0", "a0.0"], ["h0", "e0.0"]])],
        vec![json!({ "atUs": 10, "path": "switch.ecnThresholdPackets", "value": 30 })],
    ] {
        let (export, run) = tree(timeline, &[["e0.0", "a0.0"]]);
        assert_eq!(value(&run), "0 0 0");
        assert_eq!(how(&export, "timeline[0].value"), How::NotAtAll);
        assert!(export.remarks.iter().any(|remark| remark.contains("timeline are left out")), "{:?}", export.remarks);
    }
}

#[test]
fn priorities_are_queues_and_one_set_of_parameters_is_for_all() {
    let workload = |class: &str, host: &str| json!({ "class": class, "endpoints": { "kind": "pairs", "initiators": [host], "targets": ["h2"] }, "traffic": { "kind": "backlogged" } });
    let classes = json!([
        { "name": "A", "transport": "dcqcn" },
        { "name": "B", "transport": "dcqcn", "priority": 3, "dcqcn": { "gain": 0.5, "alphaTimerUs": 0.4 } }
    ]);
    let workloads = json!([workload("A", "h0"), workload("B", "h1")]);
    let (export, run) = read(&small(&[("classes", classes.clone()), ("workloads", workloads.clone())]));
    // Priority 3 has queue 3; ordinary traffic has the lowest that is free.
    assert_eq!(run.flows.iter().map(|flow| (flow.source, flow.group)).collect::<Vec<_>>(), [(0, 1), (1, 3)]);
    assert_eq!(run.number("EWMA_GAIN"), 1.0 / 256.0);
    assert_eq!(how(&export, "classes[0].dcqcn.gain"), How::Roughly);
    assert!(export.remarks.iter().any(|remark| remark.contains("first class")), "{:?}", export.remarks);
    // Less than a microsecond would be none.
    let mut hasty = classes.clone();
    hasty[0]["dcqcn"] = json!({ "alphaTimerUs": 0.4 });
    let (export, run) = read(&small(&[("classes", hasty), ("workloads", workloads.clone())]));
    assert_eq!(run.number("ALPHA_RESUME_INTERVAL"), 1.0);
    assert_eq!(how(&export, "classes[0].dcqcn.alphaTimerUs"), How::Roughly);
    // Two controls are one too many.
    let mut mixed = classes;
    mixed[1]["transport"] = json!("dctcp");
    let (path, reason) = refused(&small(&[("classes", mixed), ("workloads", workloads)]));
    assert_eq!(path, "classes[1].transport");
    assert!(reason.contains("DCTCP") && reason.contains("DCQCN"), "{reason}");
}

#[test]
fn what_does_not_fit_is_refused_or_cut_and_said() {
    // Memory: 4 ports of 20 packets of 1496 B, 3 × 10 Gb/s × 1 µs and 4096 B for each: 0.15 MB become 1 MiB.
    let (_, run) = read(&small(&[("switch.bufferPackets", json!(20))]));
    assert_eq!(run.number("BUFFER_SIZE"), 1.0);
    // Headroom of 100 ms at 400 Gb/s is no memory of a switch.
    let far = [
        ("topology.linkDelayUs", json!(100_000)),
        ("topology.linkGbps", json!(400)),
        ("classes[0].transport", json!("dcqcn")),
    ];
    assert!(refused(&small(&far)).1.contains("3 × rate × delay"));
    let star = json!({ "kind": "dumbbell", "senders": 256, "receivers": 1, "switches": 1 });
    assert!(refused(&small(&[("topology.shape", star)])).1.contains("257 ports"));
    let node = |name: &str, role: &str| json!({ "name": name, "role": role });
    let link = |from: &str, to: &str| json!({ "from": from, "to": to });
    let twice = json!({
        "kind": "custom",
        "nodes": [node("h0", "host"), node("h1", "host"), node("h2", "host"), node("s", "switch"), node("t", "switch")],
        "links": [link("h0", "s"), link("h1", "s"), link("h2", "t"), link("s", "t"), link("t", "s")]
    });
    assert!(refused(&small(&[("topology.shape", twice)])).1.contains("two cables"));
    assert!(refused(&small(&[("classes[0].transport", json!("swift"))])).1.contains("SWIFT"));
    let trace = json!({ "kind": "trace", "file": "lab.trace" });
    assert!(refused(&small(&[("workloads[0].traffic", trace)])).1.contains("names its trace"));
    let late = ("workloads[0].startUs", json!(2000));
    assert!(refused(&small(&[late])).1.contains("no request that begins within the run"));
    // 10 Gb/s of 100 B are 12 500 requests a millisecond: 50 000 of them are written, and the run ends where they do.
    let tiny = json!({ "kind": "open-loop", "offeredGbps": 10, "gaps": "constant", "size": { "kind": "fixed", "bytes": 100 } });
    let (export, run) = read(&small(&[("workloads[0].traffic", tiny), ("durationUs", json!(6000))]));
    assert_eq!(run.flows.len(), 50_000);
    assert!((run.number("SIMULATOR_STOP_TIME") - 2.004).abs() < 1e-6, "{}", run.number("SIMULATOR_STOP_TIME"));
    assert_eq!(how(&export, "durationUs"), How::Roughly);
    assert!(export.remarks.iter().any(|remark| remark.contains("first 50\u{202f}000 flows")), "{:?}", export.remarks);
    // A flow of more than 32 bits.
    let huge =
        json!({ "kind": "open-loop", "offeredGbps": 1, "size": { "kind": "fixed", "bytes": 1_000_000_000_000_u64 } });
    let (export, run) = read(&small(&[("workloads[0].traffic", huge)]));
    assert_eq!(run.flows[0].bytes, u64::from(u32::MAX));
    assert!(export.remarks.iter().any(|remark| remark.contains("32 bits")), "{:?}", export.remarks);
}

#[test]
fn a_network_of_a_thousand_hosts_is_written() {
    let random = json!({ "kind": "random", "pairs": 20_000 });
    let traffic = json!({ "kind": "open-loop", "offeredGbps": 10_000, "size": { "kind": "fixed", "bytes": 4096 } });
    let changes = [("workloads[0].endpoints", random), ("workloads[0].traffic", traffic), ("durationUs", json!(1000))];
    let (export, run) = read(&with("bench-fat-tree-k16", &changes));
    assert_eq!((run.is_switch.len(), run.links.len(), run.flows.len()), (1344, 3072, 50_000));
    assert!(export.files.iter().all(|file| file.text.len() < 3_000_000));
}
