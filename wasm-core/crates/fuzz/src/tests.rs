use std::collections::BTreeSet;

use qoscope_engine::kernel::random::Stream;
use qoscope_engine::scenario::{self, FieldChange, Scenario, fields};
use serde_json::{Value, json};

use crate::case::{Case, Step};
use crate::check::check;
use crate::explained;
use crate::generate::Generator;
use crate::oracles::{self, Findings};
use crate::schema::walk;

/// Generators of ordinary and of daring values by turns.
fn generators(root: &Value, count: u64) -> impl Iterator<Item = Generator<'_>> {
    (0..count).map(move |number| Generator {
        root,
        random: Stream::new(1, "test", number),
        daring: (number % 2) as f64,
    })
}

#[test]
fn most_random_scenarios_are_valid() {
    let root = scenario::schema();
    let is_valid = |mut generator: Generator<'_>| scenario::from_value(generator.scenario()).is_ok();
    let valid = generators(root, 200).map(is_valid).filter(|&valid| valid).count();
    assert!(valid >= 180, "{valid} of 200");
}

#[test]
fn every_field_is_given_values_and_every_live_field_is_changed() {
    let root = scenario::schema();
    let [mut known, mut given, mut live, mut changed] = [const { BTreeSet::new() }; 4];
    for mut generator in generators(root, 1000) {
        let document = generator.value(root);
        walk(root, root, &document, "", &mut |path, stated, value| {
            let path = fields::pattern(path);
            if !value.is_null() {
                given.insert(path.clone());
            }
            if stated.get("x-live") == Some(&Value::Bool(true)) {
                live.insert(path.clone());
            }
            known.insert(path);
        });
        changed.extend((0..10).map(|_| fields::pattern(&generator.change(&document).0)));
    }
    assert!(known.len() > 120, "{} fields", known.len());
    assert_eq!(known.difference(&given).collect::<Vec<_>>(), Vec::<&String>::new());
    assert_eq!(live.difference(&changed).collect::<Vec<_>>(), Vec::<&String>::new());
}

#[test]
fn the_same_number_is_the_same_case() {
    let root = scenario::schema();
    let draw = |number| json!(Case::draw(root, &[], 7, number));
    assert!((0..20).all(|number| draw(number) == draw(number)));
    assert_ne!(draw(0), draw(1));
}

#[test]
fn a_case_is_read_back_and_a_scenario_is_a_case() {
    let root = scenario::schema();
    for number in 0..50 {
        let case = json!(Case::draw(root, &[], 3, number));
        assert_eq!(json!(Case::read(&case.to_string()).unwrap()), case);
    }
    assert!(matches!(Case::read("{\"version\": 1}").unwrap(), Case::Run { .. }));
    assert!(matches!(Case::read("no JSON").unwrap(), Case::Text { .. }));
    assert!(Case::read("{\"document\": {}}").is_err());
}

#[test]
fn rules_notice_figures_that_cannot_be() {
    let document = json!({
        "version": 3,
        "name": "Small",
        "durationUs": 500,
        "topology": { "shape": { "kind": "dumbbell", "senders": 1, "receivers": 1 } },
        "classes": [{ "name": "A", "transport": "dctcp" }],
        "workloads": [{
            "class": "A",
            "endpoints": { "kind": "pairs", "initiators": ["h0"], "targets": ["h1"] },
            "traffic": { "kind": "closed-loop", "outstanding": 4, "size": { "kind": "fixed", "bytes": 9000 } },
        }],
        "measurement": { "warmupUs": 0 },
    });
    let scenario = scenario::from_value(document).unwrap();
    let mut simulation = qoscope_engine::simulation::Simulation::new(&scenario).unwrap();
    simulation.run_until(simulation.duration_ps());
    let summary = simulation.summary();
    let rules = |damage: &dyn Fn(&mut qoscope_engine::simulation::Summary)| {
        let (mut damaged, mut findings) = (summary.clone(), Findings::default());
        damage(&mut damaged);
        oracles::summary(&scenario, &damaged, &mut findings);
        findings.0.iter().map(|failure| failure.rule).collect::<Vec<_>>()
    };
    assert_eq!(rules(&|_| ()), [""; 0]);
    assert_eq!(rules(&|summary| summary.network.mean_queue_packets = f64::NAN), ["number not finite"]);
    assert_eq!(rules(&|summary| summary.classes[0].target_gbps = Some(-0.0)), ["negative number"]);
    assert_eq!(rules(&|summary| summary.network.marked_fraction = Some(17.33)), ["share above one"]);
    assert_eq!(rules(&|summary| summary.classes[0].latency_us.p50 = Some(1e9)), ["order of figures"]);
    assert_eq!(rules(&|summary| summary.flows[0].carried_gbps = 101.0), ["carried above line rate"]);
}

#[test]
fn what_fails_is_reported_and_what_holds_is_not() {
    let refused = check(&Case::Text { text: "{}".into() });
    assert!(!refused.ran && refused.failures.is_empty());
    assert!(refused.expected.is_some_and(|expected| expected.diagnostics.contains("version")));
}

/// Scenarios that between them have every live field in force: ways to storage, devices, schedulers of tenants, kinds of
/// traffic and of ports.
fn busy_scenarios() -> [Value; 5] {
    let scenario = |changes: Value| {
        let mut document = json!({
            "version": 3,
            "name": "Busy",
            "durationUs": 400,
            "topology": { "shape": { "kind": "dumbbell", "senders": 2, "receivers": 2, "switches": 1 }, "linkGbps": 10 },
            "classes": [{ "name": "A", "transport": "qtcp" }, { "name": "B", "transport": "dctcp" }],
            "measurement": { "warmupUs": 0, "samplePeriodUs": 20 },
        });
        for (name, value) in changes.as_object().into_iter().flatten() {
            document[name] = value.clone();
        }
        document
    };
    let workload = |class: &str, target: &str, reads: f64, traffic: Value| {
        json!({
            "class": class,
            "endpoints": { "kind": "pairs", "initiators": ["h0", "h1"], "targets": [target] },
            "readFraction": reads,
            "traffic": traffic,
        })
    };
    let closed = |outstanding: u32, bytes: u64| json!({ "kind": "closed-loop", "outstanding": outstanding, "size": { "kind": "fixed", "bytes": bytes } });
    let open =
        |gbps: f64| json!({ "kind": "open-loop", "offeredGbps": gbps, "size": { "kind": "fixed", "bytes": 20_000 } });
    let servers = |kind: &str| {
        let server = |host: &str| json!({ "host": host, "devices": [{ "name": format!("of {host}"), "kind": kind }] });
        json!([server("h2"), server("h3")])
    };
    let workloads = [workload("A", "h2", 0.3, closed(8, 100_000)), workload("B", "h3", 0.5, open(4.0))];
    let small = json!({ "channels": 1, "chipsPerChannel": 1, "blocksPerPlane": 60, "pagesPerBlock": 32 });
    [
        scenario(json!({
            "access": { "protocol": "nvme-tcp", "inCapsuleBytes": 8192 },
            "storage": { "servers": servers("ssd"), "ssd": small },
            "workloads": workloads,
        })),
        scenario(json!({
            "access": { "protocol": "iscsi" },
            "storage": { "servers": servers("persistent-memory") },
            "workloads": workloads,
            "switch": { "buffering": "pfc" },
        })),
        scenario(json!({
            "access": { "protocol": "nvme-rdma" },
            "classes": [
                { "name": "A", "transport": "dcqcn", "priority": 3, "dirs": { "enabled": true } },
                { "name": "B", "transport": "timely" },
            ],
            "storage": { "servers": servers("ssd"), "ssd": small },
            "workloads": workloads,
        })),
        scenario(json!({
            "classes": [{ "name": "A", "transport": "swift" }, { "name": "B", "transport": "d2tcp", "latencyTargetUs": 500 }],
            "switch": { "buffering": "shared", "marking": "red", "bufferPackets": 40 },
            "workloads": [workload("A", "h2", 0.0, closed(3, 30_000)), workload("B", "h2", 0.0, json!({ "kind": "backlogged" }))],
        })),
        scenario(json!({
            "access": { "protocol": "nvme-tcp" },
            "storage": { "servers": servers("constant-capacity"), "tenants": { "scheduler": "nested" } },
            "workloads": workloads,
        })),
    ]
}

/// What is under way keeps the rules it began with: whatever live field changes in the middle of requests, PDUs, commands and
/// packets, every account balances, no more data are done than were sent, no link carries more than its rate, and the
/// recorded run comes to the same result. Tests are built with the checks of arithmetic on.
#[test]
fn every_live_field_may_change_amid_requests() {
    let root = scenario::schema();
    let mut tried = BTreeSet::new();
    for (number, document) in (0..).zip(busy_scenarios()) {
        let whole = scenario::from_value(document.clone()).unwrap_or_else(|said| panic!("{number}: {said:?}"));
        let mut fields = Vec::new();
        walk(root, root, &scenario::as_value(&whole), "", &mut |path, stated, _| {
            if stated.get("x-live") == Some(&Value::Bool(true)) {
                fields.push((path.to_owned(), stated));
            }
        });
        for (place, (path, stated)) in (0..).zip(fields) {
            let mut generator = Generator { root, random: Stream::new(number, "live", place), daring: 0.3 };
            let mut step = |until_us: f64| {
                let value = match path.as_str() {
                    "topology.failedLinks" => generator.cables(&document),
                    _ => generator.value(stated),
                };
                let changes = vec![FieldChange { path: path.clone(), value }];
                Step { until_us, events: u64::MAX, changes }
            };
            let steps = [40.0, 41.0, 90.0, 170.0].map(&mut step).into();
            let case = Case::Run { document: document.clone(), steps, events: 20_000 };
            let report = check(&case);
            let failures: Vec<_> = report.failures.iter().filter(|failure| !failure.rule.starts_with("slow")).collect();
            assert!(report.ran && failures.is_empty(), "{path}: {failures:?} of {}", json!(case));
            tried.insert(fields::pattern(&path));
        }
    }
    assert!(tried.len() > 80, "{} live fields", tried.len());
}

/// Scenarios that the project keeps, by name.
fn committed() -> Vec<(String, Scenario)> {
    let sound = |document| scenario::from_value(document).unwrap();
    qoscope_committed::all().into_iter().map(|(name, document)| (name, sound(document))).collect()
}

/// `count` random scenarios that are valid, with their numbers, from number `first` on.
fn random_scenarios(first: u64, count: u64) -> impl Iterator<Item = (String, Scenario)> {
    let root = scenario::schema();
    (first..first + count).filter_map(move |number| {
        let mut generator =
            Generator { root, random: Stream::new(3, "explained", number), daring: (number % 3) as f64 / 2.0 };
        let scenario = scenario::from_value(generator.scenario()).ok()?;
        Some((format!("random {number}"), scenario))
    })
}

/// What is explained wrongly of a scenario that runs for so many events.
fn explained_wrongly(name: &str, scenario: &Scenario, events: u64, rounds: u64) -> (usize, Vec<String>) {
    let (tried, mut wrong) = explained::false_idle(scenario, events, rounds, &mut Stream::new(1, name, 0));
    wrong.extend(explained::not_written_out(scenario, events));
    (tried, wrong.into_iter().map(|found| format!("{name}: {found}")).collect())
}

#[test]
fn what_is_explained_of_committed_scenarios_is_so() {
    let results = committed().into_iter().map(|(name, scenario)| explained_wrongly(&name, &scenario, 2_000, 2));
    let (tried, found): (Vec<usize>, Vec<Vec<String>>) = results.unzip();
    assert_eq!(found.concat(), [""; 0]);
    assert!(tried.iter().sum::<usize>() > 1000, "{tried:?}");
}

#[test]
fn what_is_explained_of_random_scenarios_is_so() {
    let results = random_scenarios(0, 60).map(|(name, scenario)| explained_wrongly(&name, &scenario, 1_000, 2));
    let (tried, found): (Vec<usize>, Vec<Vec<String>>) = results.unzip();
    assert_eq!(found.concat(), [""; 0]);
    assert!(tried.iter().sum::<usize>() > 1000, "{tried:?}");
}

/// As the two tests before it, wider: `EXPLAINED="FIRST COUNT EVENTS"`, by hand.
#[test]
#[ignore = "takes as long as it is asked to"]
fn what_is_explained_is_so_of_many_scenarios() {
    let asked = std::env::var("EXPLAINED").unwrap_or_default();
    let mut numbers = asked.split(' ').filter_map(|number| number.parse().ok());
    let mut next = |otherwise: u64| numbers.next().unwrap_or(otherwise);
    let (first, count, events) = (next(0), next(1000), next(10_000));
    let scenarios = random_scenarios(first, count).chain(committed());
    let results = scenarios.map(|(name, scenario)| explained_wrongly(&name, &scenario, events, 3).1);
    let found: Vec<String> = results.flatten().inspect(|found| println!("{found}")).collect();
    assert_eq!(found, [""; 0]);
}
