//! The key of a run, the same on every machine, so that no run is made twice; and the part of its summary that is kept.

use std::collections::BTreeMap;
use std::io::{self, Read};

use blake2::{Blake2b128, Digest};
use qoscope_engine::scenario::{self, Scenario, Traffic};
use serde_json::Value;

use crate::Detail;

/// What engine's results go by this name, 32 hexadecimal digits: it changes whenever a run gives anything else than before, or its summary
/// has another form. A test holds it (`tests/results_id.rs`).
pub const RESULTS_ID: &str = include_str!("results-id.txt");

/// Connections of a summary that are kept; of more none is.
const MOST_FLOWS: usize = 64;

/// The keys of the runs of one scenario, which differ by their seeds alone.
#[derive(Clone)]
pub struct Keys(Blake2b128);

impl Keys {
    /// Of a scenario, whatever its seed, name and texts are, and of what its traces contain, by name.
    pub fn new(scenario: &Scenario, traces: &BTreeMap<String, String>) -> Self {
        let mut plain = Scenario {
            name: String::new(),
            description: String::new(),
            story: None,
            notes: Vec::new(),
            seed: 0,
            ..scenario.clone()
        };
        plain.storage.ssd.evidence = None;
        let mut hash = Blake2b128::new();
        let mut add = |text: &str| {
            hash.update((text.len() as u64).to_le_bytes());
            hash.update(text);
        };
        add(RESULTS_ID);
        add(&scenario::as_text(&plain));
        for workload in &scenario.workloads {
            if let Traffic::Trace { file, .. } = &workload.traffic {
                add(traces.get(file).map_or("", String::as_str));
            }
        }
        Self(hash)
    }

    /// The key of the run with a seed: 32 hexadecimal digits.
    pub fn of(&self, seed: u64, detail: Detail) -> String {
        let mut hash = self.0.clone();
        hash.update(seed.to_le_bytes());
        match detail {
            Detail::Kept => (),
            Detail::Flows => hash.update("flows"),
            Detail::Tails => hash.update("tails"),
        }
        hex(hash)
    }
}

/// The hash of what a trace contains, 32 hexadecimal digits.
///
/// # Errors
/// What keeps it from being read.
pub fn trace_hash(mut content: impl Read) -> io::Result<String> {
    let mut hash = Blake2b128::new();
    let mut piece = [0; 1 << 14];
    loop {
        match content.read(&mut piece)? {
            0 => return Ok(hex(hash)),
            length => hash.update(&piece[..length]),
        }
    }
}

/// A key of a text.
pub(crate) fn of_text(text: &str) -> String {
    let mut hash = Blake2b128::new();
    hash.update(text);
    hex(hash)
}

fn hex(hash: Blake2b128) -> String {
    hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

/// What is kept of a summary, anywhere: all but its connections where they are many. Measures read what is kept, so that a result from a store is
/// no other than a fresh one.
pub fn kept(summary: &Value) -> Value {
    let Some(fields) = summary.as_object() else { return summary.clone() };
    let is_kept = |name: &String| name != "flows" || keeps_flows(summary);
    Value::Object(
        fields.iter().filter(|(name, _)| is_kept(name)).map(|(name, value)| (name.clone(), value.clone())).collect(),
    )
}

/// Whether the connections of a summary are kept.
pub fn keeps_flows(summary: &Value) -> bool {
    summary["flows"].as_array().is_none_or(|flows| flows.len() <= MOST_FLOWS)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use qoscope_engine::scenario::fields;
    use serde_json::json;

    use super::*;

    fn two_writers() -> Value {
        let workload = |class: &str, host: &str| {
            json!({
                "class": class, "endpoints": { "kind": "pairs", "initiators": [host], "targets": ["h2"] },
                "traffic": { "kind": "backlogged" },
            })
        };
        json!({
            "version": 3, "name": "two writers", "seed": 5, "durationUs": 2000,
            "topology": { "shape": { "kind": "dumbbell", "senders": 2, "receivers": 1, "switches": 1 }, "linkGbps": 10 },
            "classes": [{ "name": "High", "ratio": 3, "transport": "qtcp" }, { "name": "Low", "transport": "qtcp" }],
            "workloads": [workload("High", "h0"), workload("Low", "h1")],
        })
    }

    fn scenario(document: Value) -> Scenario {
        scenario::from_value(document).expect("it is valid")
    }

    fn key(document: Value) -> String {
        Keys::new(&scenario(document), &BTreeMap::new()).of(7, Detail::Kept)
    }

    #[test]
    fn a_run_is_known_by_what_its_result_depends_on() {
        let mut others = BTreeSet::from([key(two_writers())]);
        for (path, value) in [
            ("switch.ecnThresholdPackets", json!(20)),
            ("durationUs", json!(900)),
            ("classes[0].name", json!("Top")),
            ("measurement.warmupUs", json!(3)),
        ] {
            let mut document = two_writers();
            scenario::set_path(&mut document, path, value).unwrap();
            if path == "classes[0].name" {
                scenario::set_path(&mut document, "workloads[0].class", json!("Top")).unwrap();
            }
            assert!(others.insert(key(document)), "{path}");
        }
        let base = Keys::new(&scenario(two_writers()), &BTreeMap::new());
        for (seed, detail) in [(8, Detail::Kept), (7, Detail::Flows), (7, Detail::Tails)] {
            assert!(others.insert(base.of(seed, detail)), "{seed} {detail:?}");
        }
    }

    #[test]
    fn words_seed_and_spelling_of_the_scenario_do_not_matter() {
        let mut told = two_writers();
        for field in fields::document().all().into_iter().filter(|field| field.annotation) {
            let value = match field.name.as_str() {
                "story" => json!({ "text": "Look." }),
                "notes" => json!([{ "text": "Here.", "atUs": 5 }]),
                "evidence" => json!({ "name": "Drive of lab 3", "fittedJobs": 9 }),
                _ => json!("Another"),
            };
            scenario::set_path(&mut told, &field.path, value).unwrap();
        }
        told["seed"] = json!(99);
        told["durationUs"] = json!(2000.0);
        told["switch"] = json!({ "marking": "step" });
        assert_eq!(key(told), key(two_writers()));
    }

    #[test]
    fn the_content_of_a_trace_matters_and_that_of_others_does_not() {
        let mut document = two_writers();
        document["workloads"][0]["traffic"] = json!({ "kind": "trace", "file": "a.csv" });
        let scenario = scenario(document);
        let of = |traces: &[(&str, &[u8])]| {
            let traces = traces.iter().map(|(name, bytes)| ((*name).into(), trace_hash(*bytes).unwrap())).collect();
            Keys::new(&scenario, &traces).of(1, Detail::Kept)
        };
        assert_eq!(of(&[("a.csv", b"1")]), of(&[("a.csv", b"1"), ("b.csv", b"2")]));
        assert_ne!(of(&[("a.csv", b"1")]), of(&[("a.csv", b"2")]));
    }

    #[test]
    fn of_many_connections_none_is_kept() {
        let summary = |flows: usize| json!({ "seed": 1, "flows": vec![json!({ "class": "A" }); flows] });
        assert_eq!(kept(&summary(64)), summary(64));
        assert_eq!(kept(&summary(65)), json!({ "seed": 1 }));
    }
}
