use std::collections::BTreeSet;

use qoscope_engine::kernel::random::Stream;
use qoscope_engine::scenario;
use serde_json::{Value, json};

use crate::case::Case;
use crate::check::check;
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

/// The path of a field, whatever its place in lists.
fn without_indices(path: &str) -> String {
    path.split('[').map(|part| part.split_once(']').map_or(part, |(_, rest)| rest)).collect()
}

#[test]
fn most_random_scenarios_are_valid() {
    let root = scenario::schema();
    let is_valid = |mut generator: Generator<'_>| scenario::from_value(generator.scenario()).is_ok();
    let valid = generators(&root, 200).map(is_valid).filter(|&valid| valid).count();
    assert!(valid >= 180, "{valid} of 200");
}

#[test]
fn every_field_is_given_values_and_every_live_field_is_changed() {
    let root = scenario::schema();
    let [mut known, mut given, mut live, mut changed] = [const { BTreeSet::new() }; 4];
    for mut generator in generators(&root, 1000) {
        let document = generator.value(&root);
        walk(&root, &root, &document, "", &mut |path, stated, value| {
            let path = without_indices(path);
            if !value.is_null() {
                given.insert(path.clone());
            }
            if stated.get("x-live") == Some(&Value::Bool(true)) {
                live.insert(path.clone());
            }
            known.insert(path);
        });
        changed.extend((0..10).map(|_| without_indices(&generator.change(&document).0)));
    }
    assert!(known.len() > 120, "{} fields", known.len());
    assert_eq!(known.difference(&given).collect::<Vec<_>>(), Vec::<&String>::new());
    assert_eq!(live.difference(&changed).collect::<Vec<_>>(), Vec::<&String>::new());
}

#[test]
fn the_same_number_is_the_same_case() {
    let root = scenario::schema();
    let draw = |number| json!(Case::draw(&root, &[], 7, number));
    assert!((0..20).all(|number| draw(number) == draw(number)));
    assert_ne!(draw(0), draw(1));
}

#[test]
fn a_case_is_read_back_and_a_scenario_is_a_case() {
    let root = scenario::schema();
    for number in 0..50 {
        let case = json!(Case::draw(&root, &[], 3, number));
        assert_eq!(json!(Case::read(&case.to_string()).unwrap()), case);
    }
    assert!(matches!(Case::read("{\"version\": 1}").unwrap(), Case::Run { .. }));
    assert!(matches!(Case::read("no JSON").unwrap(), Case::Text { .. }));
    assert!(Case::read("{\"document\": {}}").is_err());
}

#[test]
fn rules_notice_figures_that_cannot_be() {
    let document = json!({
        "version": 2,
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
