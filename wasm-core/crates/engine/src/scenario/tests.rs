use proptest::prelude::*;
use serde_json::json;

use super::*;

/// A small scenario that is right.
pub(super) fn minimal() -> Value {
    json!({
        "version": 3,
        "name": "Two writers",
        "durationUs": 1000,
        "topology": { "shape": { "kind": "dumbbell", "senders": 2, "receivers": 1 }, "linkGbps": 10 },
        "classes": [{ "name": "High", "ratio": 2 }, { "name": "Low" }],
        "workloads": [
            { "class": "High", "endpoints": { "kind": "pairs", "initiators": ["h0"], "targets": ["h2"] }, "traffic": { "kind": "backlogged" } },
            {
                "class": "Low",
                "endpoints": { "kind": "pairs", "initiators": ["h1"], "targets": ["h2"] },
                "traffic": { "kind": "open-loop", "offeredGbps": 4, "size": { "kind": "fixed", "bytes": 65536 } }
            }
        ]
    })
}

fn custom_graph() -> Value {
    let mut document = minimal();
    document["topology"]["shape"] = json!({
        "kind": "custom",
        "nodes": [
            { "name": "a", "role": "host" }, { "name": "b", "role": "host" }, { "name": "c", "role": "host" },
            { "name": "s", "role": "switch" }, { "name": "t", "role": "switch" }
        ],
        "links": [{ "from": "a", "to": "s" }, { "from": "s", "to": "t" }, { "from": "t", "to": "b" }, { "from": "c", "to": "t" }]
    });
    for (index, initiator) in ["a", "c"].into_iter().enumerate() {
        document["workloads"][index]["endpoints"] =
            json!({ "kind": "pairs", "initiators": [initiator], "targets": ["b"] });
    }
    document
}

fn diagnostics_of(document: Value) -> Vec<(String, String)> {
    let diagnostics = from_value(document).expect_err("the document has a fault");
    diagnostics.into_iter().map(|diagnostic| (diagnostic.path, diagnostic.reason)).collect()
}

/// Puts one value into a document and expects exactly one diagnostic.
#[track_caller]
fn expect_fault(mut document: Value, path: &str, value: Value, place: &str, reason: &str) {
    set_path(&mut document, path, value).unwrap();
    assert_eq!(diagnostics_of(document), [(place.to_owned(), reason.to_owned())]);
}

#[test]
fn committed_scenarios_have_unique_names_in_folders() {
    // Two files of one name are a panic of the helper.
    let files = qoscope_committed::files();
    let folder = qoscope_committed::folder();
    let outside: Vec<_> = files.values().filter(|file| file.parent() == Some(folder.as_path())).collect();
    assert!(outside.is_empty(), "{outside:?}");
}

#[test]
fn committed_scenarios_are_valid() {
    let all = qoscope_committed::all();
    assert!(!all.is_empty());
    for (name, document) in all {
        let loaded = from_value(document);
        assert!(loaded.is_ok(), "{name}: {:#?}", loaded.unwrap_err());
    }
}

#[test]
fn what_is_written_is_read_back_unchanged() {
    for document in [minimal(), custom_graph()] {
        let scenario = from_value(document).unwrap();
        assert_eq!(from_value(as_value(&scenario)).unwrap(), scenario);
        assert_eq!(load(&serde_json::to_string(&scenario).unwrap()).unwrap(), scenario);
    }
}

/// Every other spelling that serde knows for the parts of a document: a list for an object, an object for a word.
fn misspelt(value: &Value) -> Vec<Value> {
    let parts: Vec<(Value, &str)> = match value {
        Value::Object(fields) => fields.iter().map(|(name, part)| (part.clone(), name.as_str())).collect(),
        Value::Array(elements) => elements.iter().map(|element| (element.clone(), "")).collect(),
        _ => Vec::new(),
    };
    let within = parts.iter().enumerate().flat_map(|(at, (part, name))| {
        misspelt(part).into_iter().map(move |part| {
            let mut whole = value.clone();
            let place = if value.is_object() { &mut whole[*name] } else { &mut whole[at] };
            *place = part;
            whole
        })
    });
    let own = match value {
        Value::Object(fields) => Some(fields.values().cloned().collect()),
        Value::String(word) => Some(json!({ word: null })),
        _ => None,
    };
    within.chain(own).collect()
}

#[test]
fn each_part_of_a_document_has_one_spelling() {
    let mut document = as_value(&from_value(minimal()).unwrap());
    document["workloads"][0]["addresses"] = json!({ "pattern": { "kind": "sequential" } });
    let all = misspelt(&document);
    assert!(all.len() > 50, "{}", all.len());
    for misspelt in all {
        assert!(from_value(misspelt.clone()).is_err(), "{misspelt}");
    }
    let mut more = document;
    more["workloads"][0]["addresses"]["pattern"]["hotPart"] = json!(0.5);
    let place = "workloads[0].addresses.pattern.hotPart".to_owned();
    assert_eq!(diagnostics_of(more), [(place, "is not a field of the format".to_owned())]);
}

#[test]
fn the_hash_is_of_the_meaning_not_of_the_spelling() {
    let plain = from_value(minimal()).unwrap();
    let mut spelt = minimal();
    set_path(&mut spelt, "seed", json!(42.0)).unwrap();
    set_path(&mut spelt, "switch.ecnThresholdPackets", json!(140)).unwrap();
    assert_eq!(hash(&from_value(spelt).unwrap()), hash(&plain));
    assert_eq!(hash(&plain).len(), 16);
    let mut other = minimal();
    set_path(&mut other, "seed", json!(43)).unwrap();
    assert_ne!(hash(&from_value(other).unwrap()), hash(&plain));
}

#[test]
fn text_that_is_not_json_is_told_by_line_and_column() {
    let diagnostics = load("{\n  \"version\": 1,\n  \"name\" \"x\"\n}").unwrap_err();
    assert_eq!(
        diagnostics,
        [Diagnostic::new("", "is not JSON: expected `:` at line 3, column 10", "Correct the text there.")]
    );
}

#[test]
fn every_fault_of_form_has_its_path_and_reason() {
    for (path, value, place, reason) in [
        ("classes[1].ratio", json!(-2), "classes[1].ratio", "is -2, below the least value 0.001"),
        ("classes[1].ratio", json!(1e9), "classes[1].ratio", "is 1000000000, above the greatest value 1000"),
        ("classes[1].ratio", json!("much"), "classes[1].ratio", "is \"much\", not a number"),
        ("classes[1].ratio", json!(null), "classes[1].ratio", "is empty, not a number"),
        ("classes[1].ratoi", json!(1), "classes[1].ratoi", "is not a field of the format"),
        ("classes[1].transport", json!("tcp"), "classes[1].transport", "is \"tcp\", which is not known here"),
        ("classes[1].transport", json!(3), "classes[1].transport", "is 3, which is not known here"),
        ("classes[1].name", json!(""), "classes[1].name", "is empty"),
        ("classes[1].name", json!("x".repeat(41)), "classes[1].name", "has 41 characters"),
        ("classes", json!([]), "classes", "has 0 entries"),
        ("classes", json!({}), "classes", "is an object, not a list"),
        ("classes[0]", json!(7), "classes[0]", "is 7, not an object"),
        ("durationUs", json!(300e6), "durationUs", "is 300000000 us, above the greatest value 200000000 us"),
        ("seed", json!(1.5), "seed", "is 1.5, not a whole number"),
        ("seed", json!(-1), "seed", "is -1, below the least value 0"),
        ("switch.marking", json!("sted"), "switch.marking", "is \"sted\", which is not known here"),
        ("switch.bufferBytes", json!(true), "switch.bufferBytes", "is true, not a whole number"),
        ("host.mtuBytes", json!(100), "host.mtuBytes", "is 100 bytes, below the least value 256 bytes"),
        ("topology.shape", json!({ "k": 4 }), "topology.shape.kind", "is missing"),
        ("topology.shape", json!("fat-tree"), "topology.shape", "is \"fat-tree\", not an object"),
        ("topology.shape.kind", json!("torus"), "topology.shape.kind", "is \"torus\", which is not known here"),
        ("topology.shape.k", json!(4), "topology.shape.k", "is not a field of the format"),
        ("workloads[0].endpoints.initiators[0]", json!(3), "workloads[0].endpoints.initiators[0]", "is 3, not a text"),
        ("workloads[0].endpoints.targets[0]", json!(""), "workloads[0].endpoints.targets[0]", "is empty"),
        ("storage.servers", json!([{}]), "storage.servers[0].host", "is missing"),
        ("access.commandBytes", json!(0), "access.commandBytes", "is 0 bytes, below the least value 1 bytes"),
        ("story", json!({ "text": "" }), "story.text", "is empty"),
        (
            "workloads[1].traffic.size",
            json!({ "kind": "empirical", "points": [[1, 0], [2]] }),
            "workloads[1].traffic.size.points[1]",
            "has 1 entries",
        ),
        ("workloads[1].traffic.size", json!({ "kind": "fixed" }), "workloads[1].traffic.size.bytes", "is missing"),
    ] {
        expect_fault(minimal(), path, value, place, reason);
    }
}

#[test]
fn every_fault_of_meaning_has_its_path_and_reason() {
    let uniform = json!({ "kind": "uniform", "minimumBlocks": 9, "maximumBlocks": 5 });
    let empirical = |points: Value| json!({ "kind": "empirical", "points": points });
    let size = "workloads[1].traffic.size";
    for (path, value, place, reason) in [
        (
            "classes",
            json!([{ "name": "High" }, { "name": "Low" }, { "name": "High" }]),
            "classes[2].name",
            "is \"High\" again; classes[0] has that name",
        ),
        (
            "story",
            json!({ "text": "Look.", "claims": [{ "metric": "p99Us", "class": "Hihg", "max": 500 }] }),
            "story.claims[0].class",
            "is \"Hihg\"; no class has that name",
        ),
        (
            "notes",
            json!([{ "text": "Here.", "atUs": 10.0 }, { "text": "Where?" }]),
            "notes[1]",
            "has neither an instant nor a node",
        ),
        ("workloads[0].class", json!("Hihg"), "workloads[0].class", "is \"Hihg\"; no class has that name"),
        (
            "workloads[0].endpoints.initiators[0]",
            json!("h3"),
            "workloads[0].endpoints.initiators[0]",
            "is \"h3\"; the network has 3 hosts, \"h0\" to \"h2\"",
        ),
        (
            "workloads[0].endpoints.initiators",
            json!(["h0", "h2"]),
            "workloads[0].endpoints.initiators[1]",
            "makes \"h2\" its own target",
        ),
        (
            "workloads[0].endpoints.targets",
            json!(["h1", "h0"]),
            "workloads[0].endpoints.targets[1]",
            "makes \"h0\" its own target",
        ),
        (
            "workloads[0].endpoints",
            json!({ "kind": "pairs", "initiators": ["h0", "h1"], "targets": ["h2", "h2", "h2"] }),
            "workloads[0].endpoints.targets",
            "has 3 hosts for 2 initiators",
        ),
        (
            "workloads[0].endpoints",
            json!({ "kind": "incast", "target": "h2", "initiators": 3 }),
            "workloads[0].endpoints.initiators",
            "is 3, but the network has 2 hosts beside the target",
        ),
        (
            "workloads[0].readFraction",
            json!(0.5),
            "workloads[0].readFraction",
            "is 0.5, but backlogged traffic has no requests, some of which could read",
        ),
        ("workloads[0].stopUs", json!(0), "workloads[0].stopUs", "is 0 us, not after the start at 0 us"),
        (size, uniform, "workloads[1].traffic.size.minimumBlocks", "is 9, above the most blocks, 5"),
        (
            size,
            json!({ "kind": "uniform", "minimumBlocks": 1, "maximumBlocks": 1_000_000_000, "blockBytes": 1_000_000 }),
            "workloads[1].traffic.size.maximumBlocks",
            "is 1000000000 blocks of 1000000 bytes, more than 1 TB",
        ),
        (
            size,
            empirical(json!([[1, 50], [9, 40], [9, 100]])),
            "workloads[1].traffic.size.points[1]",
            "is 9 bytes at 40 %, after 1 bytes at 50 %",
        ),
        (
            size,
            empirical(json!([[1, 0], [9, 90]])),
            "workloads[1].traffic.size.points[1][1]",
            "is 90 % at the last point",
        ),
        (size, empirical(json!([[-1, 0], [9, 100]])), "workloads[1].traffic.size.points[0][0]", "is -1 bytes"),
        (
            size,
            empirical(json!([[0, 0], [0, 100]])),
            "workloads[1].traffic.size.points[1][0]",
            "makes every request empty",
        ),
        ("topology.shape", json!({ "kind": "fat-tree", "k": 5 }), "topology.shape.k", "is 5, an odd number"),
        (
            "topology.shape",
            json!({ "kind": "leaf-spine", "leaves": 256, "spines": 200, "hostsPerLeaf": 4 }),
            "topology.shape",
            "has 104448 links, counting both directions; at most 65535 can be simulated",
        ),
        (
            "storage.servers",
            json!([{ "host": "h2" }, { "host": "s2" }]),
            "storage.servers[1].host",
            "is \"s2\"; the network has 3 hosts, \"h0\" to \"h2\"",
        ),
        (
            "storage.servers",
            json!([{ "host": "h2" }, { "host": "h2" }]),
            "storage.servers[1].host",
            "is \"h2\" again; servers[0] is that host",
        ),
        (
            "storage.servers",
            json!([{ "host": "h2", "devices": [{ "name": "a", "kind": "ssd" }, { "name": "a", "kind": "persistent-memory" }] }]),
            "storage.servers[0].devices[1].name",
            "is \"a\" again; devices[0] has that name",
        ),
        (
            "story",
            json!({ "text": "Look.", "tries": [{ "label": "More", "changes": [{ "path": "switch.ecn", "value": 3 }] }] }),
            "story.tries[0].changes[0].path",
            "names \"switch.ecn\", which is not a field of this scenario",
        ),
        (
            "story",
            json!({ "text": "Look.", "tries": [{ "label": "More", "changes": [{ "path": "durationUs", "value": -3 }] }] }),
            "story.tries[0].changes[0].value",
            "is -3 us, below the least value 1 us",
        ),
        (
            "measurement.warmupUs",
            json!(1000),
            "measurement.warmupUs",
            "is 1000 us, which leaves nothing of a run of 1000 us to measure",
        ),
        (
            "switch",
            json!({ "marking": "red", "redMaximumPackets": 100 }),
            "switch.redMaximumPackets",
            "is 100 packets, below the ECN threshold 140 at which marking begins",
        ),
        (
            "host",
            json!({ "minimumWindowPackets": 9, "maximumWindowPackets": 5 }),
            "host.minimumWindowPackets",
            "is 9 packets, above the largest window of 5",
        ),
    ] {
        expect_fault(minimal(), path, value, place, reason);
    }
}

#[test]
fn endpoints_of_a_custom_graph_are_its_hosts_by_name() {
    let mut document = custom_graph();
    assert!(from_value(document.clone()).is_ok());
    document["workloads"][1]["endpoints"]["initiators"] = json!(["s"]);
    let place = "workloads[1].endpoints.initiators[0]";
    assert_eq!(diagnostics_of(document), [(place.into(), "is \"s\"; no host has that name".into())]);
}

#[test]
fn a_story_offers_changes_that_build_on_each_other() {
    let mut document = minimal();
    let changes = json!([
        { "path": "topology.shape", "value": { "kind": "fat-tree", "k": 4 } },
        { "path": "topology.shape.k", "value": 8 },
        { "path": "classes[1].baseRttUs", "value": null },
    ]);
    let offered = |changes: &Value| json!({ "label": "On a fat-tree", "changes": changes });
    document["story"] = json!({ "text": "Look.", "tries": [offered(&changes)] });
    assert!(from_value(document.clone()).is_ok());
    // Every try begins with the scenario as it is, a dumbbell.
    document["story"]["tries"] = json!([offered(&changes), offered(&json!([changes[1]]))]);
    let reason = "names \"topology.shape.k\", which is not a field of this scenario";
    assert_eq!(diagnostics_of(document), [("story.tries[1].changes[0].path".into(), reason.into())]);
}

#[test]
fn version_1_is_refused_as_a_draft() {
    let mut document = minimal();
    document["version"] = json!(1);
    let reason = "is 1, a draft of the format that was never released";
    assert_eq!(diagnostics_of(document), [("version".to_owned(), reason.to_owned())]);
}

#[test]
fn one_host_is_not_a_network() {
    let mut document = minimal();
    document["topology"]["shape"] = json!({ "kind": "leaf-spine", "leaves": 1, "spines": 1, "hostsPerLeaf": 1 });
    assert!(diagnostics_of(document).contains(&("topology.shape".into(), "has 1 host".into())));
}

#[test]
fn what_cannot_be_computed_is_refused_before_it_is_built() {
    let mut many = minimal();
    many["workloads"][0]["endpoints"] = json!({ "kind": "pairs", "initiators": vec!["h0"; 100], "targets": ["h2"] });
    many["workloads"][0]["connections"] = json!(1000);
    assert_eq!(
        diagnostics_of(many)[0],
        ("workloads".into(), "make 100001 connections; at most 65535 can be simulated".into())
    );

    let mut long = minimal();
    long["topology"] = json!({ "shape": { "kind": "fat-tree", "k": 16 }, "linkGbps": 400 });
    long["durationUs"] = json!(200e6);
    long["workloads"][0]["endpoints"] = json!({ "kind": "permutation" });
    let diagnostics = diagnostics_of(long);
    assert_eq!(diagnostics.len(), 1, "{diagnostics:?}");
    assert_eq!(diagnostics[0].0, "durationUs");

    let mut fine = minimal();
    fine["durationUs"] = json!(1e6);
    fine["measurement"] = json!({ "samplePeriodUs": 0.1 });
    assert_eq!(diagnostics_of(fine)[0].0, "measurement.samplePeriodUs");

    let mut wide = minimal();
    wide["topology"]["shape"] = json!({ "kind": "fat-tree", "k": 16 });
    wide["switch"] = json!({ "bufferPackets": 1_000_000 });
    wide["host"] = json!({ "maximumWindowPackets": 1_000_000 });
    wide["workloads"][0]["endpoints"] = json!({ "kind": "permutation" });
    assert_eq!(diagnostics_of(wide)[0].0, "");
}

#[test]
fn a_custom_graph_has_known_ends_and_linked_hosts() {
    assert!(from_value(custom_graph()).is_ok());
    let graph = "topology.shape";
    for (path, value, place, reason) in [
        ("nodes[1].name", json!("a"), "nodes[1].name", "is \"a\" again; nodes[0] has that name"),
        ("links[1].to", json!("u"), "links[1].to", "is \"u\"; no node has that name"),
        ("links[1].to", json!("s"), "links[1]", "joins \"s\" to itself"),
        ("links[0].to", json!("b"), "links[0]", "joins two hosts, \"a\" and \"b\""),
        ("links[1].from", json!("a"), "nodes[0]", "is the host \"a\" with 2 links"),
        ("links[1].from", json!("b"), "nodes[1]", "is the host \"b\" with 2 links"),
        ("links[0].from", json!("t"), "nodes[0]", "is the host \"a\" with 0 links"),
    ] {
        let mut document = custom_graph();
        set_path(&mut document, &format!("{graph}.{path}"), value).unwrap();
        let diagnostics = diagnostics_of(document);
        assert!(diagnostics.contains(&(format!("{graph}.{place}"), reason.to_owned())), "{path}: {diagnostics:?}");
    }
    let mut parted = custom_graph();
    parted["topology"]["shape"]["links"].as_array_mut().unwrap().remove(1);
    let unreachable = |host: usize, name: &str| {
        (format!("{graph}.nodes[{host}]"), format!("is the host {name:?}, which cannot be reached from \"a\""))
    };
    assert_eq!(diagnostics_of(parted), [unreachable(1, "b"), unreachable(2, "c")]);
}

#[test]
fn the_timeline_is_tried_change_by_change() {
    let at = |time: f64, path: &str, value: Value| json!({ "atUs": time, "path": path, "value": value });
    let mut document = minimal();
    document["timeline"] = json!([
        at(100.0, "switch.ecnThresholdPackets", json!(300)),
        at(200.0, "switch.redMaximumPackets", json!(400)),
        at(200.0, "switch.marking", json!("red")),
        at(300.0, "workloads[1].traffic.offeredGbps", json!(2)),
        at(400.0, "classes[1].baseRttUs", json!(null)),
    ]);
    assert!(from_value(document.clone()).is_ok());

    document["timeline"] = json!([
        at(300.0, "switch.ecnThresholdPackets", json!(0)),
        at(200.0, "switch.ecnTreshold", json!(5)),
        at(400.0, "durationUs", json!(5)),
        at(400.0, "switch.marking", json!("red")),
        at(500.0, "switch.ecnThresholdPackets", json!(401)),
        at(500.0, "classes[2].ratio", json!(1)),
        at(500.0, "workloads[0].traffic.offeredGbps", json!(1)),
    ]);
    let expected = [
        ("timeline[0].value", "is 0 packets, below the least value 1 packets"),
        ("timeline[1].atUs", "is 200 us, earlier than the change before it at 300 us"),
        ("timeline[1].path", "names \"switch.ecnTreshold\", which is not a field of this scenario"),
        ("timeline[2].path", "names \"durationUs\", which cannot change while a run goes on"),
        ("timeline[4].value", "is 400 packets, below the ECN threshold 401 at which marking begins"),
        ("timeline[5].path", "names \"classes[2].ratio\", which is not a field of this scenario"),
        ("timeline[6].path", "names \"workloads[0].traffic.offeredGbps\", which is not a field of this scenario"),
    ];
    assert_eq!(diagnostics_of(document), expected.map(|(path, reason)| (path.to_owned(), reason.to_owned())));
}

#[test]
fn another_timeline_is_judged_as_in_a_document() {
    let scenario = from_value(minimal()).unwrap();
    let k = "switch.ecnThresholdPackets";
    for timeline in [
        json!([{ "atUs": 100.0, "path": k, "value": 80.0 }]),
        json!([{ "atUs": 100, "path": k, "value": 0 }, { "atUs": 50, "path": k, "value": 9 }]),
        json!([{ "atUs": "soon", "path": k }]),
        json!({}),
        json!([]),
    ] {
        let mut document = minimal();
        document["timeline"] = timeline.clone();
        let refusals = |result: Result<Scenario, Vec<Diagnostic>>| {
            result.map_err(|found| found.into_iter().map(|found| (found.path, found.reason)).collect::<Vec<_>>())
        };
        assert_eq!(refusals(with_timeline(&scenario, timeline.clone())), refusals(from_value(document)), "{timeline}");
    }
}

#[test]
fn diagnostics_of_form_and_of_meaning_come_together() {
    let mut document = minimal();
    document["classes"][1]["ratio"] = json!(-2);
    document["colour"] = json!("red");
    document["workloads"][1]["class"] = json!("Lwo");
    let paths: Vec<String> = diagnostics_of(document).into_iter().map(|(path, _)| path).collect();
    assert_eq!(paths, ["classes[1].ratio", "colour", "workloads[1].class"]);
}

#[test]
fn a_fix_names_what_was_meant() {
    let hint = |path: &str, value: Value| {
        let mut document = minimal();
        set_path(&mut document, path, value).unwrap();
        from_value(document).unwrap_err().remove(0).hint
    };
    assert_eq!(hint("classes[0].ratoi", json!(1)), "Did you mean `ratio`?");
    assert_eq!(hint("switch.marking", json!("sted")), "Did you mean `step`?");
    assert_eq!(hint("switch.marking", json!("always")), "Use `step`, `red` or `off`.");
    assert_eq!(hint("workloads[0].class", json!("Hihg")), "Did you mean \"High\"?");
    assert_eq!(hint("topology.linkGbps", json!(0)), "Give a number from 0.001 to 1600 Gb/s.");
    assert_eq!(hint("topology.baseRttUs", json!(0)), "Give a number from 0.1 to 1000000 us, or leave it out.");
    let mut document = minimal();
    document.as_object_mut().unwrap().remove("durationUs");
    assert_eq!(from_value(document).unwrap_err().remove(0).hint, "Add it. Simulated time of the whole run.");
}

/// Any JSON value, up to a few levels.
fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u32>().prop_map(Value::from),
        (0_u32..20).prop_map(Value::from),
        (-1e3..1e12_f64).prop_map(Value::from),
        "[a-z-]{0,12}".prop_map(Value::from),
        prop_oneof!["fat-tree", "custom", "permutation", "pairs", "empirical", "uniform", "closed-loop", "red"]
            .prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 24, 5, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
            prop::collection::btree_map(
                "kind|k|size|sources|destination|initiators|points|bytes|nodes|links|[a-z]{1,6}",
                inner,
                0..5
            )
            .prop_map(|fields| Value::Object(fields.into_iter().collect())),
        ]
    })
}

/// Every path of a document.
fn all_paths(value: &Value, path: &str, paths: &mut Vec<String>) {
    if !path.is_empty() {
        paths.push(path.to_owned());
    }
    match value {
        Value::Object(fields) => {
            fields.iter().for_each(|(name, value)| all_paths(value, &validate::join(path, name), paths))
        }
        Value::Array(elements) => {
            elements.iter().enumerate().for_each(|(index, value)| all_paths(value, &format!("{path}[{index}]"), paths));
        }
        _ => (),
    }
}

/// The shortest text of `minimal()` with some fields replaced.
fn altered(changes: &[(&str, Value)]) -> String {
    let mut document = minimal();
    for (path, value) in changes {
        set_path(&mut document, path, value.clone()).unwrap();
    }
    document.to_string()
}

#[test]
fn what_is_no_scenario_is_answered_with_few_diagnostics() {
    let change = json!({ "atUs": 1, "path": "classes[0].ratio", "value": 2 });
    let package = r#"{ "name": "page", "version": "1.0.0", "scripts": { "test": "node" } }"#;
    let unknown: serde_json::Map<String, Value> = (0..100_000).map(|n| (format!("field {n}"), json!(n))).collect();
    let mut many_fields = minimal();
    many_fields["switch"] = Value::Object(unknown);
    for (text, count, path, reason) in [
        ("{}".into(), 1, "version", "is missing"),
        (package.into(), 1, "version", "is \"1.0.0\", not a version"),
        (altered(&[("classes", json!(null))]), 1, "classes", "is empty, not a list"),
        (altered(&[("timeline", json!(vec![change; 40_000]))]), 1, "timeline", "has 40000 entries"),
        ("[".repeat(1_900_000), 1, "", "nests lists and objects more than 64 deep"),
        (
            altered(&[("workloads[0].endpoints.initiators", json!(vec![7; 60_000]))]),
            51,
            "workloads[0].endpoints.initiators[0]",
            "is 7, not a text",
        ),
        (
            altered(&[("workloads[0].endpoints.initiators", json!(vec!["x"; 60_000]))]),
            51,
            "workloads[0].endpoints.initiators[0]",
            "is \"x\"; the network has 3 hosts, \"h0\" to \"h2\"",
        ),
        (many_fields.to_string(), 51, "switch.field 0", "is not a field of the format"),
    ] {
        let diagnostics = load(&text).unwrap_err();
        assert_eq!(diagnostics.len(), count, "{}", diagnostics[0]);
        assert_eq!((diagnostics[0].path.as_str(), diagnostics[0].reason.as_str()), (path, reason));
    }
    let last = load(&many_fields.to_string()).unwrap_err().pop().unwrap();
    assert_eq!(last.reason, "has 99950 more errors");
}

#[test]
fn quoted_values_and_names_are_short_and_harmless() {
    let long = format!("\u{1b}[2J{}", "x".repeat(5000));
    for (path, value) in [("workloads[0].class", json!(long)), ("switch.marking", json!(long)), ("seed", json!(long))] {
        let diagnostics = load(&altered(&[(path, value)])).unwrap_err();
        let text = diagnostics.iter().map(ToString::to_string).collect::<String>();
        assert!(text.len() < 400 && !text.contains(char::is_control), "{text}");
        assert!(text.contains("\\u{1b}[2Jxxx") && text.contains('…'), "{text}");
    }
    let mut document = minimal();
    document[long.as_str()] = json!(1);
    let diagnostics = from_value(document).unwrap_err();
    assert!(diagnostics[0].path.chars().count() < 80 && !diagnostics[0].path.contains(char::is_control));
}

#[test]
fn a_timeline_of_the_greatest_length_is_tried_change_by_change() {
    let change = |n: u32| match n % 3 {
        0 => json!({ "atUs": n, "path": "classes[1].ratio", "value": 1 + n % 5 }),
        1 => json!({ "atUs": n, "path": "topology.linkGbps", "value": 10 + n % 7 }),
        _ => json!({ "atUs": n, "path": "workloads[0].stopUs", "value": 1_000_000 + n }),
    };
    let changes: Vec<Value> = (0..4096).map(change).collect();
    assert!(load(&altered(&[("durationUs", json!(5000)), ("timeline", json!(changes))])).is_ok());
    let refused = json!({ "atUs": 5000, "path": "classes[1].timely.lowUs", "value": 700 });
    let changes: Vec<Value> = changes.into_iter().skip(1).chain([refused]).collect();
    let diagnostics = load(&altered(&[("timeline", json!(changes))])).unwrap_err();
    assert_eq!(diagnostics[0].path, "timeline[4095].value");
    assert!(diagnostics[0].reason.contains("below the low threshold"), "{}", diagnostics[0]);
}

#[test]
fn what_is_surely_not_meant_is_warned_of_and_runs() {
    const K: &str = "switch.ecnThresholdPackets";
    let change = json!({ "atUs": 2000, "path": "classes[0].ratio", "value": 2 });
    for (changes, path, reason) in [
        (vec![], "", ""),
        (vec![("workloads[0].startUs", json!(2000))], "workloads[0].startUs", "nothing is sent"),
        (
            vec![("workloads[0].startGapUs", json!(2000)), ("workloads[0].connections", json!(2))],
            "workloads[0].startGapUs",
            "start at",
        ),
        (vec![("timeline", json!([change]))], "timeline[0].atUs", "nothing changes"),
        (
            vec![("topology.linkDelayUs", json!(0)), ("topology.shape", json!({ "kind": "fat-tree", "k": 8 }))],
            "topology.linkDelayUs",
            "times as long",
        ),
        (
            vec![("access.protocol", json!("nvme-tcp")), ("storage.nvme.burst", json!(63))],
            "storage.nvme.burst",
            "powers of two",
        ),
        (vec![("access.protocol", json!("nvme-tcp")), ("storage.nvme.burst", json!(64))], "", ""),
        (
            vec![("switch.bufferPackets", json!(100))],
            K,
            "is 140 packets, but the buffer of a port holds 100: nothing is ever marked",
        ),
        (vec![("switch.bufferPackets", json!(140))], K, "nothing is ever marked"),
        (vec![("switch.bufferPackets", json!(141))], "", ""),
        (vec![("switch.bufferPackets", json!(100)), ("switch.marking", json!("off"))], "", ""),
        (
            vec![
                ("switch.bufferPackets", json!(100)),
                ("classes[0].transport", json!("timely")),
                ("classes[1].transport", json!("timely")),
            ],
            "",
            "",
        ),
        (
            vec![("switch.bufferBytes", json!(100_000))],
            K,
            "holds 100000: nothing is ever marked while packets are full",
        ),
        (
            vec![("switch.buffering", json!("shared")), ("switch.sharedBufferBytes", json!(150_000))],
            K,
            "nothing is ever marked",
        ),
        (vec![("switch.buffering", json!("shared"))], "", ""),
        (
            vec![
                ("switch.buffering", json!("shared")),
                ("switch.threshold", json!("static")),
                ("switch.xoffBytes", json!(20_000)),
            ],
            K,
            "nothing is ever marked",
        ),
        (
            vec![
                ("switch.buffering", json!("pfc")),
                ("switch.threshold", json!("static")),
                ("switch.xoffBytes", json!(100_000)),
            ],
            K,
            "pause frames come before marks",
        ),
        (
            vec![
                ("switch.buffering", json!("pfc")),
                ("switch.threshold", json!("static")),
                ("switch.xoffBytes", json!(300_000)),
            ],
            "",
            "",
        ),
    ] {
        let changes: Vec<(&str, Value)> = [("durationUs", json!(1000))].into_iter().chain(changes).collect();
        let found = warnings(&load(&altered(&changes)).unwrap());
        assert!(found.iter().all(|warning| warning.severity == Severity::Warning));
        match found.iter().find(|warning| warning.path == path) {
            Some(warning) => assert!(warning.reason.contains(reason), "{warning}"),
            None => assert!(path.is_empty() && found.is_empty(), "{path}: {found:?}"),
        }
    }
}

#[test]
fn samples_of_devices_and_pages_in_write_caches_count_as_memory() {
    let local = |more: Value| {
        let mut document = json!({
            "version": 3, "name": "memory", "durationUs": 1e6,
            "topology": { "shape": { "kind": "dumbbell", "senders": 8, "receivers": 1, "switches": 1 } },
            "classes": [{ "name": "A", "transport": "dctcp" }],
            "workloads": [{ "class": "A", "protocol": "local",
                "endpoints": { "kind": "pairs", "initiators": ["h0", "h1", "h2", "h3", "h4", "h5", "h6", "h7"],
                    "targets": ["h0", "h1", "h2", "h3", "h4", "h5", "h6", "h7"] },
                "traffic": { "kind": "closed-loop", "outstanding": 1, "thinkTimeUs": 1000, "size": { "kind": "fixed", "bytes": 65536 } } }],
        });
        document.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        document
    };
    // Eight drives of 64 dies: 4.5 GB of samples each microsecond, and next to nothing each millisecond.
    let sampled = |period_us: f64| {
        let ssd = json!({ "chipsPerChannel": 8, "blocksPerPlane": 16, "pagesPerBlock": 16 });
        from_value(local(json!({ "storage": { "ssd": ssd }, "measurement": { "samplePeriodUs": period_us } })))
    };
    let refused = sampled(1.0).unwrap_err();
    assert!(refused[0].reason.contains("GB of memory") && refused[0].hint.contains("samplePeriodUs"), "{refused:?}");
    assert!(sampled(1000.0).is_ok());
    // A cache of a tebibyte with pages of 512 bytes, and the control: one of 64 MiB.
    let cached = |bytes: u64| {
        let ssd = json!({ "cacheBytes": bytes, "pageBytes": 512, "blocksPerPlane": 64, "pagesPerBlock": 64 });
        from_value(local(json!({ "storage": { "ssd": ssd }, "durationUs": 4e6 })))
    };
    let refused = cached(1 << 40).unwrap_err();
    assert!(refused[0].reason.contains("GB of memory") && refused[0].hint.contains("cacheBytes"), "{refused:?}");
    assert!(cached(64 << 20).is_ok());
}

#[test]
fn requests_and_work_that_no_machine_has_are_refused_with_their_number() {
    let open = |gbps: f64, bytes: u64| json!({ "kind": "open-loop", "offeredGbps": gbps, "size": { "kind": "fixed", "bytes": bytes } });
    let closed = json!({ "kind": "closed-loop", "outstanding": 65_536, "size": { "kind": "fixed", "bytes": 1 } });
    let raised = json!([{ "atUs": 1, "path": "workloads[0].traffic.offeredGbps", "value": 10_000 }]);
    let second = ("durationUs", json!(1e6));
    let slow = ("topology.linkGbps", json!(0.001));
    for (changes, path, reason) in [
        (
            vec![second.clone(), slow.clone(), ("workloads[0].traffic", open(10_000.0, 1))],
            "workloads",
            "may hold 1250 billion requests",
        ),
        (
            vec![second.clone(), slow.clone(), ("workloads[0].traffic", open(0.001, 1)), ("timeline", raised)],
            "workloads",
            "requests at once",
        ),
        (
            vec![slow.clone(), ("workloads[0].traffic", closed), ("workloads[0].connections", json!(1024))],
            "workloads",
            "may hold 67 million requests at once, 8.1 GB",
        ),
        (
            vec![
                ("durationUs", json!(2e8)),
                ("topology.linkGbps", json!(1600)),
                ("topology.shape", json!({ "kind": "fat-tree", "k": 4 })),
                ("workloads[0].endpoints", json!({ "kind": "permutation" })),
            ],
            "durationUs",
            "events",
        ),
    ] {
        let diagnostics = load(&altered(&changes)).unwrap_err();
        let found = diagnostics.iter().find(|diagnostic| diagnostic.path == path);
        assert!(found.is_some_and(|found| found.reason.contains(reason)), "{reason}: {diagnostics:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    /// Whatever is put into a document, it is either right or told what is wrong; and when the form passes, it can be read.
    #[test]
    fn no_document_is_read_wrongly(
        base in prop_oneof![Just(minimal()), Just(custom_graph())],
        edits in prop::collection::vec((any::<prop::sample::Index>(), any_json()), 1..4),
    ) {
        let mut document = as_value(&from_value(base).unwrap());
        for (place, value) in edits {
            let mut paths = Vec::new();
            all_paths(&document, "", &mut paths);
            let path: &String = place.get(&paths);
            set_path(&mut document, path, value).unwrap();
        }
        match from_value(document.clone()) {
            Ok(scenario) => prop_assert_eq!(from_value(as_value(&scenario)).unwrap(), scenario),
            Err(diagnostics) => prop_assert!(!diagnostics.is_empty()),
        }
        whole_numbers(&mut document);
        let mut form = diagnostics::Diagnostics::default();
        validate::check(schema(), schema(), &document, "", &mut form);
        if form.is_empty() {
            let read = from_checked(document);
            prop_assert!(read.is_ok(), "the form is right, yet: {}", read.unwrap_err());
        }
    }

    /// A live change is made as a whole or not at all.
    #[test]
    fn no_change_is_half_made(path in "(classes|switch|workloads|topology)(\\[[0-3]\\])?\\.(ratio|transport|marking|traffic|stopUs|linkGbps|bufferBytes)", value in any_json()) {
        let scenario = from_value(minimal()).unwrap();
        if let Ok(after) = changed(&scenario, &path, &value) {
            prop_assert_eq!(from_value(as_value(&after)).unwrap(), after);
        }
    }
}

#[test]
fn numbers_are_read_as_they_are_written() {
    // The nearest double of the first text is one that careless readers miss.
    let mut document = minimal();
    document["qos"] = json!({ "interferenceTolerance": 0.115_976_457_360_729_56 });
    let scenario = from_value(document).unwrap();
    let read = load(&serde_json::to_string(&scenario).unwrap()).unwrap();
    assert_eq!(read, scenario);
}

#[test]
fn a_value_that_a_type_does_not_take_is_refused_in_words_of_the_format() {
    let whole = |value: Value| typed::<u32>(value).unwrap_err().reason;
    assert_eq!(whole(json!([3, 4])), "has a list where a whole number is expected");
    assert_eq!(whole(json!({})), "has an object where a whole number is expected");
    assert_eq!(whole(json!(1.5)), "has the number 1.5 where a whole number is expected");
    let long = whole(json!("x".repeat(3000)));
    assert!(long.starts_with("has the text \"xxx") && long.len() < 140, "{long}");
    assert_eq!(typed::<Vec<f64>>(json!(true)).unwrap_err().reason, "has the boolean true where a list is expected");
}
