//! What tools take of the scenarios that come with the project: files as they were approved, and rules that all of them keep.
//!
//! `UPDATE_GOLDEN=1 cargo test -p qoscope-rack --test exports` writes the files anew.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::{env, fs};

use qoscope_engine::scenario::fields;
use qoscope_engine::scenario::{self, Scenario};
use qoscope_rack::{Export, How, Target, export};

fn scenarios() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../scenarios")
}

fn scenario(name: &str) -> Scenario {
    let text = fs::read_to_string(scenarios().join(format!("{name}.json"))).expect("the scenario is there");
    scenario::load(&text).expect("scenarios that come with the project are valid")
}

/// Every scenario that comes with the project, by name.
fn all() -> Vec<(String, Scenario)> {
    let entries = fs::read_dir(scenarios()).expect("the folder is there");
    let paths = entries.map(|entry| entry.expect("an entry can be read").path());
    let jsons = paths.filter(|path| path.extension().is_some_and(|extension| extension == "json"));
    let mut names: Vec<String> =
        jsons.map(|path| path.file_stem().and_then(|stem| stem.to_str()).expect("UTF-8").to_owned()).collect();
    names.sort();
    let mut all: Vec<(String, Scenario)> =
        names.into_iter().filter(|name| name != "digests").map(|name| (name.clone(), scenario(&name))).collect();
    for (name, changes) in VARIED {
        let mut document = scenario::as_value(&scenario(name));
        for (path, value) in changes {
            let value = serde_json::from_str(value).expect("values are JSON");
            scenario::set_path(&mut document, path, value).expect("the path leads somewhere");
        }
        let varied = scenario::from_value(document).expect("variations are valid");
        all.push((format!("{name} with {}", changes[0].0), varied));
    }
    all
}

/// What no scenario of the project has, and a person may set: a scenario, and its changes.
const VARIED: [(&str, &[(&str, &str)]); 4] = [
    (
        "storage-three-classes",
        &[
            ("classes[0].latencyTargetUs", "500"),
            ("workloads[0].connections", "2"),
            ("workloads[0].startGapUs", "10"),
            ("workloads[1].traffic", r#"{ "kind": "trace", "file": "lab.trace" }"#),
            ("workloads[2].traffic", r#"{ "kind": "stand-in", "of": "financial-1" }"#),
        ],
    ),
    (
        "nvme-wrr-321",
        &[
            ("workloads[1].traffic", r#"{ "kind": "backlogged" }"#),
            ("workloads[2].flows", r#""per-request""#),
            ("workloads[2].addresses.pattern", r#"{ "kind": "hot-cold", "hotPart": 0.1, "hotRequests": 0.9 }"#),
        ],
    ),
    ("three-writers", &[("switch.buffering", "\"shared\""), ("switch.threshold", "\"static\"")]),
    ("rdma-sub-classes", &[("classes[0].priority", "5"), ("classes[1].ratio", "2")]),
];

/// What is approved: a scenario for each target.
const GOLDEN: [(Target, &str); 7] = [
    (Target::Fio, "storage-three-classes"),
    (Target::Fio, "paper1-fig11b"),
    (Target::Fio, "bench-ssd-mix-gc"),
    (Target::Sonic, "three-writers"),
    (Target::Sonic, "rdma-sub-classes"),
    (Target::Nvme, "nvme-wrr-321"),
    (Target::Roce, "rdma-sub-classes"),
];

#[test]
fn files_are_as_they_were_approved() {
    for (target, name) in GOLDEN {
        let export = export(&scenario(name), target).unwrap_or_else(|why| panic!("{name}: {why:?}"));
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(target.about().id).join(name);
        for file in &export.files {
            let path = folder.join(&file.name);
            if env::var_os("UPDATE_GOLDEN").is_some() {
                fs::create_dir_all(&folder).expect("a folder can be made");
                fs::write(&path, &file.text).expect("a file can be written");
            }
            let approved = fs::read_to_string(&path).unwrap_or_default();
            assert_eq!(file.text, approved, "{}: UPDATE_GOLDEN=1 writes it anew", path.display());
        }
    }
}

#[test]
fn every_export_keeps_the_rules_and_every_mapping_is_used() {
    let mut used: BTreeSet<(&str, String)> = BTreeSet::new();
    for (name, scenario) in all() {
        for target in Target::ALL {
            match export(&scenario, target) {
                Ok(export) => {
                    rules(&name, target, &export);
                    used.extend(export.fields.iter().map(|field| (target.about().id, fields::pattern(&field.path))));
                }
                Err(why) => assert!(!why.is_empty() && why.iter().all(|of| !of.hint.is_empty()), "{name} {target:?}"),
            }
        }
    }
    for target in Target::ALL {
        for mapping in target.mappings() {
            assert!(
                used.contains(&(target.about().id, mapping.from.into())),
                "{target:?}: {} is never written",
                mapping.from
            );
        }
    }
}

fn rules(name: &str, target: Target, export: &Export) {
    let at = format!("{name} to {target:?}");
    assert_eq!(export.target, target, "{at}");
    assert!(!export.about.is_empty() && !export.files.is_empty() && !export.commands.is_empty(), "{at}");
    for file in &export.files {
        assert!(
            file.text.ends_with('\n') && !file.text.contains("NaN") && !file.text.contains("inf"),
            "{at}: {}",
            file.name
        );
        let lines = file.text.lines().count() as u32;
        assert!(file.marks.iter().all(|mark| mark.line >= 1 && mark.line <= lines && !mark.says.is_empty()), "{at}");
        if Path::new(&file.name).extension().is_some_and(|extension| extension == "json") {
            serde_json::from_str::<serde_json::Value>(&file.text)
                .unwrap_or_else(|why| panic!("{at}: {why}\n{}", file.text));
        }
    }
    let mut paths = BTreeSet::new();
    for field in &export.fields {
        assert!(paths.insert(&field.path), "{at}: {} twice", field.path);
        assert_eq!(field.how == How::NotAtAll, field.to.is_empty(), "{at}: {field:?}");
        assert!(!field.why.is_empty() && !field.from.is_empty(), "{at}: {field:?}");
        let pattern = fields::pattern(&field.path);
        assert!(target.mappings().iter().any(|of| of.from == pattern), "{at}: {pattern} is in no table");
    }
}

/// What a field of a table of SONiC may hold.
enum Leaf {
    Word(&'static [&'static str]),
    Number(u64, u64),
    /// A name in another table.
    Name(&'static str),
    /// Digits 0 to 7, separated by commas.
    Digits,
}

/// Fields of the tables that are written, as SONiC's YANG models have them: sonic-net/sonic-buildimage, src/sonic-yang-models,
/// sonic-wred-profile, sonic-scheduler, sonic-queue, sonic-port-qos-map, sonic-buffer-pg (read on 25 November 2026).
fn leaf(table: &str, field: &str) -> Option<Leaf> {
    const BOOLEAN: &[&str] = &["true", "false"];
    Some(match (table, field) {
        ("WRED_PROFILE", "ecn") => Leaf::Word(&["ecn_none", "ecn_green", "ecn_all"]),
        ("WRED_PROFILE", "wred_green_enable") => Leaf::Word(BOOLEAN),
        ("WRED_PROFILE", "green_min_threshold" | "green_max_threshold") => Leaf::Number(0, u64::MAX),
        ("WRED_PROFILE", "green_drop_probability") => Leaf::Number(0, 100),
        ("SCHEDULER", "type") => Leaf::Word(&["DWRR", "WRR", "STRICT"]),
        ("SCHEDULER", "weight") => Leaf::Number(1, 100),
        ("QUEUE", "scheduler") => Leaf::Name("SCHEDULER"),
        ("QUEUE", "wred_profile") => Leaf::Name("WRED_PROFILE"),
        ("PORT_QOS_MAP", "dscp_to_tc_map") => Leaf::Name("DSCP_TO_TC_MAP"),
        ("PORT_QOS_MAP", "tc_to_queue_map") => Leaf::Name("TC_TO_QUEUE_MAP"),
        ("PORT_QOS_MAP", "tc_to_pg_map") => Leaf::Name("TC_TO_PRIORITY_GROUP_MAP"),
        ("PORT_QOS_MAP", "pfc_to_queue_map") => Leaf::Name("MAP_PFC_PRIORITY_TO_QUEUE"),
        ("PORT_QOS_MAP", "pfc_enable") => Leaf::Digits,
        ("BUFFER_POOL", "type") => Leaf::Word(&["ingress", "egress", "both"]),
        ("BUFFER_POOL", "mode") => Leaf::Word(&["static", "dynamic"]),
        ("BUFFER_POOL" | "BUFFER_PROFILE", "size" | "xoff" | "xon" | "xon_offset" | "static_th") => {
            Leaf::Number(0, u64::MAX)
        }
        ("BUFFER_PROFILE", "pool") => Leaf::Name("BUFFER_POOL"),
        // -8 to 8: read below, as a number without its sign.
        ("BUFFER_PROFILE", "dynamic_th") => Leaf::Number(0, 8),
        ("BUFFER_PG", "profile") => Leaf::Name("BUFFER_PROFILE"),
        ("DSCP_TO_TC_MAP" | "TC_TO_QUEUE_MAP" | "TC_TO_PRIORITY_GROUP_MAP" | "MAP_PFC_PRIORITY_TO_QUEUE", _) => {
            Leaf::Number(0, 7)
        }
        _ => return None,
    })
}

#[test]
fn tables_of_sonic_are_as_its_models_have_them() {
    let mut seen = 0;
    for (name, scenario) in all() {
        let Ok(export) = export(&scenario, Target::Sonic) else { continue };
        seen += 1;
        let tables: serde_json::Map<String, serde_json::Value> =
            serde_json::from_str(&export.files[0].text).expect("JSON");
        for (table, entries) in &tables {
            for (key, fields) in entries.as_object().expect("entries") {
                let at = format!("{name}: {table} {key}");
                assert!(
                    !table.ends_with("PROFILE")
                        || (key.len() <= 32 && key.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')),
                    "{at}"
                );
                for (field, value) in fields.as_object().expect("fields") {
                    let value = value.as_str().expect("values are texts");
                    let good = match leaf(table, field).unwrap_or_else(|| panic!("{at}: no field {field}")) {
                        Leaf::Word(words) => words.contains(&value),
                        Leaf::Number(least, most) => value
                            .trim_start_matches('-')
                            .parse::<u64>()
                            .is_ok_and(|number| (least..=most).contains(&number)),
                        Leaf::Name(other) => tables[other].get(value).is_some(),
                        Leaf::Digits => value.split(',').all(|digit| digit.len() == 1 && digit < "8"),
                    };
                    assert!(good, "{at}: {field} {value}");
                    if field.contains("_map") || table.starts_with("DSCP") {
                        assert!(
                            table == "PORT_QOS_MAP" || field.parse::<u8>().is_ok_and(|code| code < 64),
                            "{at}: {field}"
                        );
                    }
                }
            }
        }
    }
    assert!(seen > 50, "{seen} scenarios have something for switches");
}

/// The program itself, where it is installed, takes the options: it fails at the device that is not there, and not before.
#[test]
fn nvme_takes_the_options() {
    let export = export(&scenario("nvme-wrr-321"), Target::Nvme).expect("the scenario weighs");
    let line =
        export.files[0].text.lines().find(|line| line.starts_with("nvme set-feature")).expect("a line").to_owned();
    // High 3, medium 2 and low 1 count from 0; a burst of one command is 2^0.
    assert!(line.ends_with("--value=0x02010000"), "{line}");
    let words: Vec<String> = line.replace("\"$device\"", "/dev/nvme-none").split(' ').map(Into::into).collect();
    match std::process::Command::new(&words[0]).args(&words[1..]).output() {
        Ok(output) => {
            let said = String::from_utf8_lossy(&output.stderr).into_owned();
            assert!(said.contains("No such file"), "{said}");
        }
        Err(_) => assert!(env::var_os("QOSCOPE_REQUIRE_TOOLS").is_none(), "nvme-cli is not installed"),
    }
}
