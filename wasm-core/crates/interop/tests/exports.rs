//! What tools take of the scenarios that come with the project: files as they were approved, and rules that all of them keep.
//!
//! `UPDATE_GOLDEN=1 cargo test -p qoscope-interop --test exports` writes the files anew.

mod scenarios;

use std::collections::BTreeSet;
use std::path::Path;
use std::{env, fs};

use qoscope_engine::catalogue::{self, Source};
use qoscope_engine::scenario::{self, fields};
use qoscope_interop::{Export, How, Target, export};
use scenarios::{all, scenario};

/// What is approved: a scenario for each target.
const GOLDEN: [(Target, &str); 16] = [
    (Target::Fio, "storage-three-classes"),
    (Target::Fio, "paper1-fig11b"),
    (Target::Fio, "bench-ssd-mix-gc"),
    (Target::Sonic, "three-writers"),
    (Target::Sonic, "rdma-sub-classes"),
    (Target::Nvme, "nvme-wrr-321"),
    (Target::Roce, "rdma-sub-classes"),
    (Target::Linux, "three-writers"),
    (Target::Linux, "storage-three-classes"),
    (Target::Linux, "paper1-fig5b"),
    (Target::Linux, "paper5-random-write-iscsi"),
    (Target::Hpcc, "ref-hpcc-dcqcn_mlx_16to1_100g"),
    (Target::Hpcc, "ref-ns3-A5_incast10_256k_rtt100"),
    (Target::Mqsim, "storage-three-classes"),
    (Target::Mqsim, "ref-mqsim-g1_S_prio_qd32_readers"),
    (Target::Mqsim, "paper5-read-while-write-nvme-tcp"),
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
    Number(i128, i128),
    /// A name in another table.
    Name(&'static str),
    /// Digits 0 to 7, separated by commas.
    Digits,
}

/// Fields of the tables that are written, as SONiC's YANG models have them: sonic-net/sonic-buildimage, src/sonic-yang-models/yang-models,
/// sonic-wred-profile (07a78fb), sonic-scheduler (1be89ed), sonic-queue (709ab09), sonic-port-qos-map (cef6bd2), sonic-buffer-pg and
/// sonic-dscp-tc-map (a3488c1), sonic-tc-queue-map (9701fa5), sonic-tc-priority-group-map (cde1648), sonic-pfc-priority-queue-map (a3488c1);
/// sonic-buffer-pool and sonic-buffer-profile as edge-core/sonic-buildimage has them (13bb747).
fn leaf(table: &str, field: &str) -> Option<Leaf> {
    const BOOLEAN: &[&str] = &["true", "false"];
    const UNSIGNED: Leaf = Leaf::Number(0, u64::MAX as i128);
    Some(match (table, field) {
        ("WRED_PROFILE", "ecn") => Leaf::Word(&["ecn_none", "ecn_green", "ecn_all"]),
        ("WRED_PROFILE", "wred_green_enable") => Leaf::Word(BOOLEAN),
        ("WRED_PROFILE", "green_min_threshold" | "green_max_threshold") => UNSIGNED,
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
        ("BUFFER_POOL", "type") => Leaf::Word(&["ingress", "egress"]),
        ("BUFFER_POOL", "mode") => Leaf::Word(&["static", "dynamic"]),
        ("BUFFER_POOL", "size" | "xoff") => UNSIGNED,
        ("BUFFER_PROFILE", "size" | "xoff" | "xon" | "xon_offset" | "static_th") => UNSIGNED,
        ("BUFFER_PROFILE", "pool") => Leaf::Name("BUFFER_POOL"),
        ("BUFFER_PROFILE", "dynamic_th") => Leaf::Number(-8, 7),
        ("BUFFER_PG", "profile") => Leaf::Name("BUFFER_PROFILE"),
        ("DSCP_TO_TC_MAP" | "TC_TO_QUEUE_MAP" | "TC_TO_PRIORITY_GROUP_MAP" | "MAP_PFC_PRIORITY_TO_QUEUE", _) => {
            Leaf::Number(0, 7)
        }
        _ => return None,
    })
}

type Tables = serde_json::Map<String, serde_json::Value>;

/// What is wrong with tables of SONiC by its models: names, keys, fields, ranges, references, and what one field demands of another.
fn faults_of_sonic(tables: &Tables) -> Vec<String> {
    let mut faults = Vec::new();
    for (table, entries) in tables {
        for (key, fields) in entries.as_object().expect("entries") {
            let fields = fields.as_object().expect("fields");
            let mut must = |holds: bool, what: &str| {
                if !holds {
                    faults.push(format!("{table} {key}: {what}"));
                }
            };
            match table.as_str() {
                // A port, and a queue or a group of it.
                "QUEUE" | "BUFFER_PG" => {
                    let (port, number) = key.split_once('|').unwrap_or_default();
                    must(tables["PORT_QOS_MAP"].get(port).is_some(), "the port has no maps");
                    must(number.len() == 1 && number < "8", "no number of a queue");
                }
                "PORT_QOS_MAP" => must(key.starts_with("Ethernet"), "no port"),
                _ => {
                    let allowed = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
                    let begins = key.starts_with(|c: char| c.is_ascii_alphanumeric());
                    must(begins && key.len() <= 32 && key.chars().all(allowed), "no name");
                }
            }
            let number = |field: &str| fields.get(field)?.as_str()?.parse::<i128>().ok();
            for (field, value) in fields {
                let value = value.as_str().unwrap_or("no text");
                let good = leaf(table, field).is_some_and(|leaf| match leaf {
                    Leaf::Word(words) => words.contains(&value),
                    Leaf::Number(min, max) => value.parse().is_ok_and(|number| (min..=max).contains(&number)),
                    Leaf::Name(other) => tables.get(other).is_some_and(|entries| entries.get(value).is_some()),
                    Leaf::Digits => value.split(',').all(|digit| digit.len() == 1 && digit < "8"),
                });
                must(good, &format!("{field} {value}"));
                let most = if table == "DSCP_TO_TC_MAP" { 63 } else { 7 };
                if table.contains("_TO_") {
                    must(field.parse::<u8>().is_ok_and(|code| code <= most), &format!("{field} is mapped"));
                }
            }
            match table.as_str() {
                "WRED_PROFILE" => {
                    must(number("green_max_threshold") >= number("green_min_threshold"), "greatest below least");
                }
                "BUFFER_POOL" => must(fields.contains_key("type") && fields.contains_key("mode"), "no type or mode"),
                "BUFFER_PROFILE" => {
                    must(fields.contains_key("size") && fields.contains_key("pool"), "no size or pool");
                    let pool = fields.get("pool").and_then(|pool| tables["BUFFER_POOL"].get(pool.as_str()?));
                    let dynamic = pool.is_some_and(|pool| pool["mode"] == "dynamic");
                    must(fields.contains_key("dynamic_th") == dynamic, "a threshold of another mode than the pool's");
                    must(fields.contains_key("static_th") != dynamic, "a threshold of another mode than the pool's");
                }
                "SCHEDULER" => {
                    must(fields.contains_key("weight") == (fields["type"] != "STRICT"), "a weight where none counts");
                }
                _ => {}
            }
        }
    }
    faults
}

fn tables_of(export: &Export) -> Tables {
    serde_json::from_str(&export.files[0].text).expect("JSON")
}

#[test]
fn tables_of_sonic_are_as_its_models_have_them() {
    let mut seen = 0;
    for (name, scenario) in all() {
        let Ok(export) = export(&scenario, Target::Sonic) else { continue };
        seen += 1;
        let faults = faults_of_sonic(&tables_of(&export));
        assert!(faults.is_empty(), "{name}: {faults:?}");
    }
    assert!(seen > 50, "{seen} scenarios have something for switches");
}

/// What is exported for switches with PFC whose headroom is stated or not.
fn with_headroom(headroom: Option<u64>) -> Export {
    let mut document = scenario::as_value(&scenario("rdma-sub-classes"));
    document["switch"]["headroomBytes"] = headroom.into();
    let scenario = scenario::from_value(document).expect("valid");
    export(&scenario, Target::Sonic).expect("PFC")
}

#[test]
fn damaged_tables_of_sonic_are_noticed() {
    let whole = tables_of(&with_headroom(Some(165_888)));
    for (table, key, field, value) in [
        ("WRED_PROFILE", "QOSCOPE_K40", "green_max_threshold", "59999"),
        ("WRED_PROFILE", "QOSCOPE_K40", "green_drop_probability", "101"),
        ("WRED_PROFILE", "QOSCOPE_K40", "ecn", "all"),
        ("BUFFER_POOL", "ingress_lossless_pool", "mode", "static"),
        ("BUFFER_PROFILE", "QOSCOPE_LOSSLESS", "dynamic_th", "8"),
        ("BUFFER_PROFILE", "QOSCOPE_LOSSLESS", "pool", "egress_lossless_pool"),
        ("BUFFER_PROFILE", "QOSCOPE_LOSSLESS", "static_th", "1"),
        ("SCHEDULER", "QOSCOPE_LOG_BULK", "weight", "5"),
        ("DSCP_TO_TC_MAP", "QOSCOPE", "64", "3"),
        ("TC_TO_QUEUE_MAP", "QOSCOPE", "3", "8"),
        ("QUEUE", "Ethernet0|3", "wred_profile", "K40"),
        ("QUEUE", "Ethernet16|3", "scheduler", "QOSCOPE_LOG_BULK"),
        ("BUFFER_PG", "Ethernet0|8", "profile", "QOSCOPE_LOSSLESS"),
        ("PORT_QOS_MAP", "Ethernet0", "pfc_enable", "3,8"),
    ] {
        let mut damaged = whole.clone();
        damaged[table][key][field] = value.into();
        assert!(!faults_of_sonic(&damaged).is_empty(), "{table} {key} {field} {value}");
    }
}

/// Parameters of DCQCN that are written, with their least and greatest values. Of alpha, the time between cuts and the least rate: NVIDIA, DOCA SDK
/// documentation 3.4.0, "DCQCN CC Parameters" (the least rate up to that of the line). Of the timer, bytes and steps of increases: widths of
/// firmware's configuration, 17, 15 and 5 bits (Mellanox/mstflint, tools_layouts/tools_open_layouts.h, 096e248). Of the rates of
/// increases none was found but the 32 bits of the driver's register (torvalds/linux, include/linux/mlx5/mlx5_ifc.h).
const DCQCN: [(&str, u64, u64); 11] = [
    ("roce_np/min_time_between_cnps", 0, 4095),
    ("roce_rp/clamp_tgt_rate", 0, 1),
    ("roce_rp/dce_tcp_g", 0, 1023),
    ("roce_rp/dce_tcp_rtt", 1, 131_071),
    ("roce_rp/rate_reduce_monitor_period", 1, 4_294_967_295),
    ("roce_rp/rpg_ai_rate", 1, 4_294_967_295),
    ("roce_rp/rpg_byte_reset", 0, 32_767),
    ("roce_rp/rpg_hai_rate", 1, 4_294_967_295),
    ("roce_rp/rpg_min_rate", 1, 4_294_967_295),
    ("roce_rp/rpg_threshold", 1, 31),
    ("roce_rp/rpg_time_reset", 1, 131_071),
];

/// Priorities that a card pauses.
fn paused(script: &str) -> Option<Vec<usize>> {
    let flags = script.lines().find_map(|line| line.split_once("--pfc "))?.1;
    Some(flags.split(',').enumerate().filter(|(_, flag)| *flag == "1").map(|(priority, _)| priority).collect())
}

#[test]
fn cards_take_what_is_written_and_pause_what_switches_pause() {
    let (mut written, mut pausing) = (BTreeSet::new(), 0);
    for (name, scenario) in all() {
        let Ok(card) = export(&scenario, Target::Roce) else { continue };
        let script = &card.files[0].text;
        for line in script.lines().filter_map(|line| line.strip_prefix("echo ")) {
            let (value, path) = line.split_once(" > $ecn/").expect("a file under ecn");
            let value: u64 = value.parse().unwrap_or_else(|_| panic!("{name}: {line}"));
            let range = match path.split_once("/enable/") {
                Some((_, priority)) => {
                    assert!(priority.parse::<u8>().is_ok_and(|priority| priority < 8), "{name}: {line}");
                    1..=1
                }
                None => {
                    let (of, min, max) =
                        DCQCN.into_iter().find(|(of, ..)| *of == path).unwrap_or_else(|| panic!("{name}: {line}"));
                    written.insert(of);
                    min..=max
                }
            };
            assert!(range.contains(&value), "{name}: {line}");
        }
        let switch = export(&scenario, Target::Sonic).unwrap_or_else(|why| panic!("{name}: {why:?}"));
        let tables = tables_of(&switch);
        let enabled = tables["PORT_QOS_MAP"]["Ethernet0"].get("pfc_enable").and_then(|enabled| enabled.as_str());
        let paused = paused(script);
        assert_eq!(paused.is_some(), enabled.is_some(), "{name}");
        for priority in paused.iter().flatten() {
            pausing += 1;
            let digits: Vec<&str> = enabled.unwrap_or_default().split(',').collect();
            assert!(digits.contains(&priority.to_string().as_str()), "{name}: {priority} is not among {digits:?}");
        }
        for line in script.lines().filter_map(|line| line.split_once("set,")) {
            let (code, priority) = line.1.split_once(',').expect("a code point and a priority");
            assert_eq!(tables["DSCP_TO_TC_MAP"]["QOSCOPE"][code], priority, "{name}: DSCP {code}");
        }
    }
    let never: Vec<&str> = DCQCN.iter().map(|(of, ..)| *of).filter(|of| !written.contains(of)).collect();
    assert!(never.is_empty(), "never written: {never:?}");
    assert!(pausing > 0, "no scenario pauses");
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

#[test]
fn derived_values_are_never_exact() {
    for (name, scenario) in all() {
        let explanation = catalogue::explain(&scenario).expect("valid");
        for target in Target::ALL {
            let Ok(export) = export(&scenario, target) else { continue };
            for mapped in export.fields.iter().filter(|mapped| mapped.how == How::Exactly) {
                let explained = explanation.fields.iter().find(|field| field.path == mapped.path);
                let source = explained.map(|explained| explained.source);
                assert_ne!(source, Some(Source::Derived), "{name}, {target:?}: {}", mapped.path);
            }
        }
    }
}

/// The ports that the tables of a custom network configure.
fn ports_of(shape: &str) -> usize {
    let mut document = scenario::as_value(&scenario("three-writers"));
    scenario::set_path(&mut document, "topology.shape", serde_json::from_str(shape).expect("JSON")).expect("a path");
    let scenario = scenario::from_value(document).expect("valid");
    let tables = tables_of(&export(&scenario, Target::Sonic).expect("switches"));
    tables["PORT_QOS_MAP"].as_object().expect("entries").len()
}

#[test]
fn sonic_configures_the_ports_of_the_switch_with_most_links() {
    assert_eq!(ports_of(r#"{ "kind": "fat-tree", "k": 4 }"#), 4);
    assert_eq!(ports_of(r#"{ "kind": "fat-tree", "k": 8 }"#), 8);
    assert_eq!(ports_of(r#"{ "kind": "leaf-spine", "leaves": 2, "spines": 3, "hostsPerLeaf": 20 }"#), 23);
    assert_eq!(ports_of(r#"{ "kind": "dumbbell", "senders": 40, "receivers": 4, "switches": 2 }"#), 41);
    assert_eq!(ports_of(r#"{ "kind": "dumbbell", "senders": 20, "receivers": 4, "switches": 1 }"#), 24);
}

#[test]
fn sonic_leaves_an_unstated_headroom_to_the_platform() {
    let row = |export: &Export| {
        let row = export.fields.iter().find(|field| field.path == "switch.headroomBytes").expect("a row");
        (row.how, row.to.clone())
    };
    let unstated = with_headroom(None);
    assert_eq!(row(&unstated), (How::NotAtAll, String::new()));
    let tables = tables_of(&unstated);
    assert!(!unstated.files[0].text.contains("xoff\""), "{}", unstated.files[0].text);
    // The switch creates profile and groups of the priorities that PFC is on for.
    assert!(tables.get("BUFFER_PROFILE").is_none() && tables.get("BUFFER_PG").is_none());
    assert!(tables["PORT_QOS_MAP"]["Ethernet0"].get("pfc_enable").is_some());
    assert!(unstated.remarks.iter().any(|remark| remark.contains("pg_profile_lookup.ini")));

    let stated = with_headroom(Some(165_888));
    assert_eq!(row(&stated), (How::Roughly, "165\u{202f}888 B".into()));
    assert_eq!(tables_of(&stated)["BUFFER_PROFILE"]["QOSCOPE_LOSSLESS"]["xoff"], "165888");
}

#[test]
fn sonic_describes_red_as_a_ramp_and_a_step_as_a_step() {
    let says = |name: &str| {
        let export = export(&scenario(name), Target::Sonic).expect("switches");
        let rows =
            export.fields.iter().filter(|field| field.path.starts_with("switch.")).map(|field| field.why.clone());
        rows.collect::<Vec<_>>().join(" ")
    };
    let step = "every packet above K is marked";
    assert!(!says("rdma-sub-classes").contains(step) && says("rdma-sub-classes").contains("RED is the ramp"));
    assert!(says("three-writers").contains(step));
}
