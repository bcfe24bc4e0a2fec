//! Tests of documents and sessions.

use std::{collections::BTreeMap, env, fs, path::Path};

use qoscope_engine::scenario::{self, Scenario};
use serde_json::{Value, json};

use super::*;

/// A small scenario that runs in no time.
pub(crate) fn two_writers() -> Value {
    json!({
        "version": 2, "name": "two writers", "seed": 5, "durationUs": 2000,
        "topology": { "shape": { "kind": "dumbbell", "senders": 2, "receivers": 1, "switches": 1 }, "linkGbps": 10, "baseRttUs": 100 },
        "classes": [{ "name": "High", "ratio": 3, "transport": "qtcp" }, { "name": "Low", "transport": "qtcp" }],
        "workloads": [
            { "class": "High", "endpoints": { "kind": "pairs", "initiators": ["h0"], "targets": ["h2"] }, "traffic": { "kind": "backlogged" } },
            { "class": "Low", "endpoints": { "kind": "pairs", "initiators": ["h1"], "targets": ["h2"] }, "traffic": { "kind": "backlogged" } },
        ],
    })
}

pub(crate) fn scenario(document: Value) -> Scenario {
    scenario::from_value(document).expect("it is sound")
}

/// A sweep of K over two seeds.
pub(crate) fn of_threshold() -> Value {
    json!({
        "version": 1, "title": "K",
        "vary": [{ "path": "switch.ecnThresholdPackets", "range": { "from": 5, "to": 80, "count": 5, "scale": "log" } }],
        "seeds": { "count": 2 },
        "measures": [
            { "title": "Carried", "value": "classes['{class}'].carriedGbps", "unit": "Gb/s" },
            { "title": "Queue", "value": "network.meanQueuePackets", "unit": "packets" },
        ],
        "ask": { "kind": "sweep" },
    })
}

pub(crate) fn session(study: &Value) -> Result<Session, Vec<Diagnostic>> {
    Session::new(Study::read(&study.to_string())?, &two_writers(), &BTreeMap::new())
}

/// A summary with numbers that are given.
pub(crate) fn summary(carried: [f64; 2], queue: f64) -> Value {
    let class = |name: &str, gbps: f64| json!({ "name": name, "carriedGbps": gbps });
    json!({ "classes": [class("High", carried[0]), class("Low", carried[1])], "network": { "meanQueuePackets": queue } })
}

#[test]
fn the_schema_that_is_kept_is_that_of_the_types() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/schema.json");
    let must_say = format!("{:#}\n", schema_of_types());
    if env::var_os("UPDATE_SCHEMA").is_some() {
        return fs::write(&path, must_say).expect("the file can be written");
    }
    let kept = fs::read_to_string(&path).expect("the file can be read");
    assert!(kept == must_say, "{path:?} is out of date: UPDATE_SCHEMA=1 cargo test -p qoscope-study --lib schema");
}

#[test]
fn a_study_reads_as_it_is_written() {
    let study = Study::read(&of_threshold().to_string()).unwrap();
    assert_eq!(Study::read(&serde_json::to_string(&study).unwrap()), Ok(study));
}

#[test]
fn a_newer_study_is_told_as_one() {
    let mut study = of_threshold();
    study["version"] = json!(2);
    assert_eq!(Study::read(&study.to_string()).unwrap_err()[0].reason, "is 2; studies are read up to version 1");
}

#[test]
fn a_sweep_runs_its_grid_seed_by_seed_and_ends_in_its_table() {
    let mut session = session(&of_threshold()).unwrap();
    let wanted = session.wanted(100);
    let order: Vec<(u32, u32)> = wanted.iter().map(|wish| (wish.point, wish.seed)).collect();
    assert_eq!(order, [(0, 5), (1, 5), (2, 5), (3, 5), (4, 5), (0, 6), (1, 6), (2, 6), (3, 6), (4, 6)]);
    let document: Value = serde_json::from_str(&session.document(wanted[6].id).unwrap()).unwrap();
    assert_eq!((&document["seed"], &document["switch"]["ecnThresholdPackets"]), (&json!(6), &json!(10)));
    for wish in &wanted {
        session.put(wish.id, Ran::Summary(&summary([6.0, f64::from(wish.seed)], f64::from(wish.point))));
    }
    assert!(session.answer().is_some() && session.wanted(100).is_empty());
    let table = session.table();
    assert_eq!(
        table.points.iter().map(|point| point.values[0].clone()).collect::<Vec<_>>(),
        [5, 10, 20, 40, 80].map(Value::from)
    );
    let titles: Vec<&str> = table.measures.iter().map(|measure| measure.title.as_str()).collect();
    assert_eq!(titles, ["Carried, High", "Carried, Low", "Queue"]);
    let cell = &table.points[2].cells[1];
    assert_eq!((cell.mean, &cell.numbers), (Some(5.5), &vec![Some(5.0), Some(6.0)]));
    assert_eq!((table.factors[0].symbol.as_deref(), table.factors[0].present.clone()), (Some("K"), json!(140)));
}
