//! Documents of older versions, brought to the version of this engine.
//!
//! A document is migrated as it is written, before its form is checked: whatever does not look like what the older version
//! had is left for that check.

use std::collections::BTreeSet;

use crate::kernel::convert::{index, saturated_u32};
use crate::network::graph::host_name;

use serde_json::{Map, Value, json};

use super::diagnostics::{Diagnostic, Diagnostics};
use super::document::FORMAT_VERSION;
use super::validate::shown;

/// Brings a document one version forward, and adds what it cannot bring along because it means nothing.
type Upgrader = fn(&mut Value, &mut Diagnostics);

/// `UPGRADERS[v - 1]` turns a document of version `v` into one of version `v + 1`.
const UPGRADERS: [Upgrader; FORMAT_VERSION as usize - 1] = [from_version_1];

/// Brings `document` to [`FORMAT_VERSION`]. What is added to `diagnostics` has the paths of the older version.
///
/// # Errors
/// A diagnostic if the document does not say its version, or says one that this engine does not know.
pub(super) fn migrate(document: &mut Value, diagnostics: &mut Diagnostics) -> Result<(), Diagnostic> {
    upgrade(document, &UPGRADERS, diagnostics)
}

fn upgrade(document: &mut Value, upgraders: &[Upgrader], diagnostics: &mut Diagnostics) -> Result<(), Diagnostic> {
    let newest = upgraders.len() as u64 + 1;
    let fields = document.as_object().ok_or_else(|| {
        Diagnostic::new("", "is not an object", "Begin the document with `{` and give its fields by name.")
    })?;
    let version = fields.get("version").ok_or_else(|| {
        Diagnostic::new(
            "version",
            "is missing",
            format!("Add `\"version\": {newest}` to say which format the document follows."),
        )
    })?;
    let version = version.as_u64().filter(|version| *version >= 1).ok_or_else(|| {
        Diagnostic::new(
            "version",
            format!("is {}, not a version", shown(version)),
            format!("Give a whole number; the current version is {newest}."),
        )
    })?;
    if version > newest {
        return Err(Diagnostic::new(
            "version",
            format!("is {version}; this engine reads versions up to {newest}"),
            "Open the scenario with a newer QoScope.",
        ));
    }
    for upgrader in &upgraders[index(version) - 1..] {
        upgrader(document, diagnostics);
    }
    document["version"] = newest.into();
    Ok(())
}

/// Version 1 to 2: hosts have names, and what version 1 did not know stays away.
fn from_version_1(document: &mut Value, diagnostics: &mut Diagnostics) {
    name_hosts(document, diagnostics);
    start_at_once(document);
}

/// Connections of version 1 start exactly when their workload says. An empty `host.startJitterUs` of version 2 spreads them.
fn start_at_once(document: &mut Value) {
    let Some(document) = document.as_object_mut() else { return };
    let host = document.entry("host").or_insert_with(|| json!({}));
    if let Some(host) = host.as_object_mut() {
        host.entry("startJitterUs").or_insert_with(|| json!(0));
    }
}

/// Longest list of hosts of version 1. A longer one is left for the check of the form, which refuses its length.
const MAXIMUM_HOSTS: usize = 65_536;

/// Endpoints and storage servers name hosts, which they gave by number in the order of the shape. A sender
/// becomes an initiator that writes, a receiver the target it writes to. No live field names a host, so the timeline stays.
fn name_hosts(document: &mut Value, diagnostics: &mut Diagnostics) {
    let hosts = NumberedHosts::of(&document["topology"]["shape"]);
    let workloads = document.get_mut("workloads").and_then(Value::as_array_mut);
    for (index, workload) in workloads.into_iter().flatten().enumerate() {
        let Some(endpoints) = workload.get_mut("endpoints").and_then(Value::as_object_mut) else { continue };
        let renamed: &[(&str, &str)] = match endpoints.get("kind").and_then(Value::as_str) {
            Some("pairs") => &[("sources", "initiators"), ("destinations", "targets")],
            Some("incast") => &[("destination", "target"), ("senders", "initiators")],
            _ => &[],
        };
        let mut all_named = true;
        for (before, after) in renamed {
            let Some(mut value) = endpoints.remove(*before) else { continue };
            if *before != "senders" {
                all_named &= hosts.name(&mut value, &format!("workloads[{index}].endpoints.{before}"), diagnostics);
            }
            endpoints.insert((*after).into(), value);
        }
        if !all_named {
            // The document is refused for what has just been said; endpoints without a fault let the rest be checked.
            *endpoints = Map::from_iter([("kind".into(), "permutation".into())]);
        }
    }
    let topology = document.get_mut("topology").and_then(Value::as_object_mut);
    let Some(mut listed) = topology.and_then(|topology| topology.remove("storageHosts")) else { return };
    if hosts.name(&mut listed, "topology.storageHosts", diagnostics) {
        let servers = match listed {
            Value::Array(mut names) => {
                let mut seen = BTreeSet::new();
                names.retain(|name| seen.insert(name.to_string()));
                names.into_iter().map(|name| json!({ "host": name })).collect()
            }
            other => other,
        };
        document["storage"] = json!({ "servers": servers });
    }
}

/// The hosts of a shape of version 1, which numbered them.
enum NumberedHosts {
    /// So many, made by a generator.
    Generated(u64),
    /// Those of a custom graph, by number.
    Custom(Vec<String>),
    /// Those of a shape that is not written as one.
    Unknown,
}

impl NumberedHosts {
    fn of(shape: &Value) -> Self {
        // No generator takes a greater number.
        let number = |field: &str| shape.get(field)?.as_u64().filter(|number| *number <= 4096);
        let generated = match shape.get("kind").and_then(Value::as_str) {
            Some("fat-tree") => number("k").map(|k| k.pow(3) / 4),
            Some("leaf-spine") => number("leaves").zip(number("hostsPerLeaf")).map(|(leaves, hosts)| leaves * hosts),
            Some("dumbbell") => {
                number("senders").zip(number("receivers")).map(|(senders, receivers)| senders + receivers)
            }
            _ => None,
        };
        let nodes = shape.get("nodes").and_then(Value::as_array);
        let names = nodes.into_iter().flatten().filter(|node| node.get("role").is_some_and(|role| role == "host"));
        let names: Option<Vec<String>> = names.map(|node| node.get("name")?.as_str().map(String::from)).collect();
        match (generated, names) {
            (Some(count), _) => Self::Generated(count),
            (None, Some(names)) if nodes.is_some() => Self::Custom(names),
            _ => Self::Unknown,
        }
    }

    /// Puts names in the place of numbers: in a list, or in a value by itself. Returns whether every number has a name.
    fn name(&self, value: &mut Value, path: &str, diagnostics: &mut Diagnostics) -> bool {
        match value {
            Value::Array(numbers) if numbers.len() > MAXIMUM_HOSTS => true,
            Value::Array(numbers) => numbers.iter_mut().enumerate().fold(true, |all_named, (index, number)| {
                self.name_one(number, || format!("{path}[{index}]"), diagnostics) && all_named
            }),
            number => self.name_one(number, || path.into(), diagnostics),
        }
    }

    fn name_one(&self, value: &mut Value, path: impl FnOnce() -> String, diagnostics: &mut Diagnostics) -> bool {
        let number = value.as_u64();
        let name = number.and_then(|number| match self {
            Self::Generated(count) => (number < *count).then(|| host_name(saturated_u32(number))),
            Self::Custom(names) => names.get(usize::try_from(number).ok()?).cloned(),
            Self::Unknown => Some(host_name(saturated_u32(number))),
        });
        if let Some(name) = name {
            *value = name.into();
            return true;
        }
        if !diagnostics.skip() {
            let count = match self {
                Self::Generated(count) => *count,
                Self::Custom(names) => names.len() as u64,
                Self::Unknown => 0,
            };
            let last = count.saturating_sub(1);
            let hosts = if count == 1 { "host" } else { "hosts" };
            let (reason, hint) = match self {
                Self::Unknown => {
                    (format!("is {}, not a whole number", shown(value)), "Give the number of a host.".into())
                }
                _ => (
                    format!("is {}; the network has {count} {hosts}, numbered 0 to {last}", shown(value)),
                    format!("Give a number from 0 to {last}."),
                ),
            };
            diagnostics.push(Diagnostic::new(path(), reason, hint));
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn every_older_version_climbs_the_whole_ladder() {
        let ladder: [Upgrader; 2] =
            [|document, _| document["b"] = document["a"].take(), |document, _| document["c"] = json!(3)];
        let mut oldest = json!({ "version": 1, "a": 7 });
        upgrade(&mut oldest, &ladder, &mut Diagnostics::default()).unwrap();
        assert_eq!(oldest, json!({ "version": 3, "a": null, "b": 7, "c": 3 }));
        let mut middle = json!({ "version": 2, "a": 7 });
        upgrade(&mut middle, &ladder, &mut Diagnostics::default()).unwrap();
        assert_eq!(middle, json!({ "version": 3, "a": 7, "c": 3 }));
    }

    #[test]
    fn a_document_without_a_known_version_says_what_to_do() {
        for (document, reason) in [
            (json!({}), "is missing"),
            (json!({ "version": 3 }), "is 3; this engine reads versions up to 2"),
            (json!({ "version": "1" }), "is \"1\", not a version"),
            (json!({ "version": 0 }), "is 0, not a version"),
        ] {
            let diagnostic = migrate(&mut document.clone(), &mut Diagnostics::default()).unwrap_err();
            assert_eq!((diagnostic.path.as_str(), diagnostic.reason.as_str()), ("version", reason));
        }
        assert_eq!(migrate(&mut json!([]), &mut Diagnostics::default()).unwrap_err().path, "");
    }

    /// A document of version 1, as far as it names hosts, brought to version 2; and what is said about it.
    fn named(shape: Value, endpoints: Value, storage: Value) -> (Value, Vec<String>) {
        let mut document = json!({
            "version": 1,
            "topology": { "shape": shape, "storageHosts": storage },
            "workloads": [{ "endpoints": endpoints }]
        });
        let mut diagnostics = Diagnostics::default();
        migrate(&mut document, &mut diagnostics).unwrap();
        (document, diagnostics.into_vec().iter().map(ToString::to_string).collect())
    }

    #[test]
    fn hosts_of_version_1_are_named() {
        let pairs = json!({ "kind": "pairs", "sources": [0, 3], "destinations": [2] });
        let (document, said) =
            named(json!({ "kind": "dumbbell", "senders": 3, "receivers": 1 }), pairs.clone(), json!([2, 2]));
        let expected = json!({ "kind": "pairs", "initiators": ["h0", "h3"], "targets": ["h2"] });
        assert_eq!((&document["workloads"][0]["endpoints"], said.len()), (&expected, 0));
        assert_eq!(document["storage"], json!({ "servers": [{ "host": "h2" }] }));
        assert_eq!(document["topology"].get("storageHosts"), None);

        // Switches between the hosts of a custom graph are not counted.
        let nodes: Vec<Value> = [("a", "host"), ("s", "switch"), ("h9", "host"), ("b", "host"), ("c", "host")]
            .map(|(name, role)| json!({ "name": name, "role": role }))
            .into();
        let (document, said) = named(json!({ "kind": "custom", "nodes": nodes }), pairs, json!([]));
        let expected = json!({ "kind": "pairs", "initiators": ["a", "c"], "targets": ["b"] });
        assert_eq!((&document["workloads"][0]["endpoints"], said.len()), (&expected, 0));

        let incast = json!({ "kind": "incast", "destination": 15, "senders": 9 });
        let (document, said) = named(json!({ "kind": "fat-tree", "k": 4 }), incast, json!([]));
        let expected = json!({ "kind": "incast", "target": "h15", "initiators": 9 });
        assert_eq!((&document["workloads"][0]["endpoints"], said.len()), (&expected, 0));
    }

    #[test]
    fn numbers_of_version_1_that_are_no_hosts_are_told_in_its_own_terms() {
        let pairs = json!({ "kind": "pairs", "sources": [0, 16], "destinations": [-1] });
        let (document, said) = named(json!({ "kind": "fat-tree", "k": 4 }), pairs, json!([3, 99]));
        let told = |path: &str, number: i32| {
            format!("{path}: is {number}; the network has 16 hosts, numbered 0 to 15. Give a number from 0 to 15.")
        };
        let expected = [
            told("workloads[0].endpoints.sources[1]", 16),
            told("workloads[0].endpoints.destinations[0]", -1),
            told("topology.storageHosts[1]", 99),
        ];
        assert_eq!(said, expected);
        assert_eq!(document.get("storage"), None);
        assert_eq!(document["workloads"][0]["endpoints"], json!({ "kind": "permutation" }));
    }

    #[test]
    fn connections_of_version_1_start_when_their_workload_says() {
        let migrated = |mut document: Value| {
            migrate(&mut document, &mut Diagnostics::default()).unwrap();
            document["host"].take()
        };
        assert_eq!(migrated(json!({ "version": 1 })), json!({ "startJitterUs": 0 }));
        let host = json!({ "mtuBytes": 1500 });
        assert_eq!(migrated(json!({ "version": 1, "host": host })), json!({ "mtuBytes": 1500, "startJitterUs": 0 }));
        // What is given is kept, as is what is no host at all; version 2 means what it says.
        let given = json!({ "startJitterUs": 5 });
        assert_eq!(migrated(json!({ "version": 1, "host": given })), given);
        assert_eq!(migrated(json!({ "version": 1, "host": 3 })), json!(3));
        assert_eq!(migrated(json!({ "version": 2, "host": host })), host);
    }

    #[test]
    fn what_is_not_written_like_version_1_is_left_for_the_check_of_the_form() {
        for (shape, endpoints) in [
            (json!("fat-tree"), json!({ "kind": "pairs", "sources": [0], "destinations": [1] })),
            (json!({ "kind": "fat-tree", "k": u64::MAX }), json!({ "kind": "incast", "destination": 7 })),
            (json!({ "kind": "custom", "nodes": [{ "role": "host" }] }), json!({ "kind": "pairs", "sources": [0] })),
            (json!({ "kind": "custom", "nodes": 3 }), json!([1, 2])),
            (json!({ "kind": "fat-tree", "k": 4 }), json!({ "kind": "pairs", "sources": vec![99; 70_000] })),
        ] {
            assert!(named(shape, endpoints, json!([])).1.is_empty());
        }
    }
}
