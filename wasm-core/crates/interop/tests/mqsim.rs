//! What is written for MQSim: whole and in range by what MQSim reads, and the same as the runs of MQSim that scenarios of the project came from.

#[path = "mqsim/elements.rs"]
mod elements;
#[path = "mqsim/settings.rs"]
mod settings;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use proptest::prelude::{prop_assert, proptest};
use proptest::sample::subsequence;
use qoscope_engine::scenario::{self, Scenario};
use qoscope_interop::{Export, Target, export};
use roxmltree::{Document, Node};
use serde_json::Value;

use elements::{Values, faults, inside, values};
use settings::SETTINGS;

fn scenario(name: &str) -> Scenario {
    scenario::from_value(qoscope_committed::document(name)).expect("scenarios that come with the project are valid")
}

/// A scenario with other values in it.
fn changed(name: &str, changes: &[(&str, &str)]) -> Scenario {
    let mut document = scenario::as_value(&scenario(name));
    for (path, value) in changes {
        scenario::set_path(&mut document, path, serde_json::from_str(value).expect("JSON")).expect("the path is there");
    }
    scenario::from_value(document).unwrap_or_else(|why| panic!("{name}: {why:?}"))
}

/// What is wrong with all files of an export.
fn faults_of(export: &Export) -> Vec<String> {
    let (config, workloads) = export.files.split_first().expect("a configuration");
    assert!(config.name == "ssdconfig.xml" && !workloads.is_empty());
    workloads.iter().flat_map(|workload| faults(&config.text, &workload.text)).collect()
}

#[test]
fn every_scenario_is_whole_for_mqsim_or_refused() {
    let (mut written, mut refused) = (0, 0);
    for name in qoscope_committed::names() {
        match export(&scenario(&name), Target::Mqsim) {
            Ok(export) => {
                written += 1;
                let faults = faults_of(&export);
                assert!(faults.is_empty(), "{name}: {faults:#?}");
            }
            Err(why) => {
                refused += 1;
                assert!(why.iter().all(|of| !of.reason.is_empty() && !of.hint.is_empty()), "{name}: {why:?}");
            }
        }
    }
    println!("{written} scenarios are written, {refused} refused");
    assert!(written > 60 && refused > 60, "{written} written, {refused} refused");
}

/// The runs of MQSim, by element; see the `source` in the file.
fn reference() -> Value {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/mqsim/reference.json");
    serde_json::from_str(&fs::read_to_string(path).expect("the reference is there")).expect("JSON")
}

/// What `parts` have together, the later ones before the earlier.
fn together(parts: &[&Value]) -> Values {
    let of = parts.iter().flat_map(|part| part.as_object().expect("elements"));
    of.map(|(element, value)| (element.clone(), value.as_str().expect("a text").to_owned())).collect()
}

/// Elements that differ: as MQSim was run, and as it is written; what is not there is empty.
fn differences(reference: &Values, written: &Values) -> BTreeMap<String, (String, String)> {
    let same = |one: &str, other: &str| one == other || one.parse::<f64>().is_ok_and(|one| Ok(one) == other.parse());
    let elements = reference.keys().chain(written.keys());
    let pairs = elements.map(|element| {
        let of = |values: &Values| values.get(element).cloned().unwrap_or_default();
        (element.clone(), (of(reference), of(written)))
    });
    pairs.filter(|(_, (one, other))| !same(one, other)).collect()
}

/// What the device of a case was run with and what is written instead, where the scenario has it otherwise or MQSim does not care.
fn device_differs(case: &str, element: &str, was: &str, is: &str, written: &Values) -> bool {
    let number = |text: &str| text.parse::<f64>().expect("a number");
    match element {
        // That of the scenarios, 42, from 1 on.
        "Seed" => (was, is) == ("321", "43"),
        // The name that MQSim's file has is not the one that MQSim reads.
        "Preferred_suspend_erase_time_for_read" => (was, is) == ("700000", ""),
        "Prefered_suspend_erase_time_for_read" => (was, is) == ("", "700000"),
        // Nothing is suspended there, whatever stands here: so the scenarios have it.
        "CMD_Suspension_Support" => (was, is) == ("ERASE", "NONE"),
        // Nor is wear levelled by erase counts.
        "Static_Wearleveling_Enabled" => (was, is) == ("true", "false"),
        // Bytes of the pages that nothing is made of.
        "Page_Metadat_Capacity" => case == "a8_V_qd1_randread_4k" && (was, is) == ("1024", "448"),
        // The same 233 016 entries of 9 B.
        "CMT_Capacity" => [was, is].map(|bytes| number(bytes) as u64 / 9) == [233_016; 2],
        // Ten blocks of a plane that garbage collection keeps, eight that are being written and one more are no pages to offer: 19 of 256.
        "Overprovisioning_Ratio" => {
            let [blocks, pages, planes, dies, chips, channels] = [
                "Block_No_Per_Plane",
                "Page_No_Per_Block",
                "Plane_No_Per_Die",
                "Die_No_Per_Chip",
                "Chip_No_Per_Channel",
                "Flash_Channel_Count",
            ]
            .map(|element| number(&written[element]));
            let page = 1.0 / (blocks * pages * planes * dies * chips * channels);
            was == "0.07" && blocks == 256.0 && (number(is) - 19.0 / 256.0).abs() < page
        }
        // The scenario has all times a fortieth as long, so that its run is short: write amplification does not depend on them.
        "Page_Read_Latency_LSB"
        | "Page_Read_Latency_CSB"
        | "Page_Read_Latency_MSB"
        | "Page_Program_Latency_LSB"
        | "Page_Program_Latency_CSB"
        | "Page_Program_Latency_MSB"
        | "Block_Erase_Latency" => case == "d11fix_H_GREEDY_op20_2400k" && number(was) == 40.0 * number(is),
        "Channel_Transfer_Rate" => case == "d11fix_H_GREEDY_op20_2400k" && (was, is) == ("333", "1000"),
        _ => false,
    }
}

/// The same of a flow, by its position.
fn flow_differs(
    case: &str,
    scenario: &Scenario,
    position: usize,
    element: &str,
    was: &str,
    is: &str,
    written: &Values,
) -> bool {
    match element {
        "Seed" => is == (53 + 10 * position).to_string() && was != is,
        // Nothing where a queue depth is kept; else another number that makes the same nanoseconds between two requests.
        "Bandwidth" if written["Synthetic_Generator_Type"] == "QUEUE_DEPTH" => (was, is) == ("1048576000", "262144"),
        "Bandwidth" => {
            let sectors: u64 = written["Average_Request_Size"].parse().expect("sectors");
            let [was, is] = [was, is].map(|bytes| bytes.parse::<u64>().expect("bytes") / 512 / sectors);
            1_000_000_000 / was == 1_000_000_000 / is
        }
        // The scenario ends after a time, most runs of MQSim did after so many requests.
        "Stop_Time" => is == format!("{:.0}", scenario.duration_us * 1000.0),
        "Total_Requests_To_Generate" => is == "0",
        // The scenario writes to half of the addresses, where MQSim did to all of them.
        "Working_Set_Percentage" => case == "d9_S_precond75_qd32_randwrite_8k" && (was, is) == ("100", "50"),
        _ => false,
    }
}

/// The issue's own test: of each case that was run with MQSim, what is written of its scenario is what MQSim was run with, and what is not is named above.
#[test]
fn what_is_written_is_what_mqsim_was_run_with() {
    let reference = reference();
    let cases = reference["cases"].as_array().expect("cases");
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    let mut compared = 0;
    for case in cases {
        let name = case["case"].as_str().expect("a name");
        let scenario = scenario(&format!("ref-mqsim-{name}"));
        let export = export(&scenario, Target::Mqsim).unwrap_or_else(|why| panic!("{name}: {why:?}"));
        assert_eq!(export.files.len(), 2, "{name}: one pair");
        let device = &reference["devices"][case["device"].as_str().expect("a device")];
        let device = together(&[&reference["host"], &reference["device"], &reference["flash"], device]);
        let config = Document::parse(&export.files[0].text).expect("XML");
        let written = values(config.root_element());
        compared += written.len();
        for (element, (was, is)) in differences(&device, &written) {
            assert!(device_differs(name, &element, &was, &is, &written), "{name}: {element} was {was}, is {is}");
            *seen.entry(element).or_default() += 1;
        }
        let workload = Document::parse(&export.files[1].text).expect("XML");
        let flows: Vec<Node> = inside(workload.root_element().first_element_child().expect("a scenario")).collect();
        let of_case = case["flows"].as_array().expect("flows");
        assert_eq!(flows.len(), of_case.len(), "{name}: flows");
        for (position, (flow, of_case)) in flows.into_iter().zip(of_case).enumerate() {
            let written = values(flow);
            compared += written.len();
            for (element, (was, is)) in differences(&together(&[&reference["flow"], of_case]), &written) {
                let named = flow_differs(name, &scenario, position, &element, &was, &is, &written);
                assert!(named, "{name}: {element} of flow {position} was {was}, is {is}");
                *seen.entry(format!("flow {element}")).or_default() += 1;
            }
        }
    }
    println!("{compared} values of {} cases; differences: {seen:#?}", cases.len());
    assert_eq!(cases.len(), 33);
    // What differs in how many cases, so that a difference that is gone is noticed as well.
    let of_devices = [
        ("CMD_Suspension_Support", 33),
        ("Prefered_suspend_erase_time_for_read", 33),
        ("Preferred_suspend_erase_time_for_read", 33),
        ("Seed", 33),
        ("Static_Wearleveling_Enabled", 33),
        ("Overprovisioning_Ratio", 28),
        ("CMT_Capacity", 1),
        ("Page_Metadat_Capacity", 1),
        ("Block_Erase_Latency", 1),
        ("Channel_Transfer_Rate", 1),
        ("Page_Program_Latency_CSB", 1),
        ("Page_Program_Latency_LSB", 1),
        ("Page_Program_Latency_MSB", 1),
        ("Page_Read_Latency_CSB", 1),
        ("Page_Read_Latency_LSB", 1),
        ("Page_Read_Latency_MSB", 1),
    ];
    let of_flows = [
        ("flow Seed", 41),
        ("flow Bandwidth", 39),
        ("flow Stop_Time", 41),
        ("flow Total_Requests_To_Generate", 26),
        ("flow Working_Set_Percentage", 1),
    ];
    let expected: BTreeMap<String, usize> =
        of_devices.into_iter().chain(of_flows).map(|(element, count)| (element.to_owned(), count)).collect();
    assert_eq!(seen, expected);
}

#[test]
fn damaged_files_are_noticed() {
    let export = export(&scenario("ref-mqsim-g1_S_prio_qd32_readers"), Target::Mqsim).expect("an SSD");
    let [config, workload] = [&export.files[0].text, &export.files[1].text];
    assert!(faults(config, workload).is_empty());
    for (from, to) in [
        ("<Seed>43</Seed>", ""),
        ("<Seed>43</Seed>", "<Seed>0</Seed>"),
        ("<Seed>43</Seed>", "<Seed>43</Seed><Seed>43</Seed>"),
        ("Prefered_suspend", "Preferred_suspend"),
        ("<IO_Queue_Depth>65535<", "<IO_Queue_Depth>65536<"),
        (">CWDP<", ">CWDX<"),
        ("<Channel_Transfer_Rate>333<", "<Channel_Transfer_Rate>333.5<"),
        ("<Page_Capacity>8192<", "<Page_Capacity>65536<"),
        ("</Flash_Parameter_Set>", ""),
    ] {
        assert!(config.contains(from), "{from}");
        assert!(!faults(&config.replacen(from, to, 1), workload).is_empty(), "{from} as {to}");
    }
    for (from, to) in [
        (">HIGH<", ">HIGHEST<"),
        ("<Channel_IDs>0,1,2,3,4,5,6,7<", "<Channel_IDs>0,1,2,3,4,5,6,8<"),
        ("<Bandwidth>262144<", "<Bandwidth>2048<"),
        ("<Bandwidth>262144<", "<Intensity>262144<"),
        ("<Seed>63<", "<Seed>53<"),
        ("<Stop_Time>1000000000<", "<Stop_Time>0<"),
        (">RANDOM_UNIFORM<", ">RANDOM_HOTCOLD<"),
        ("IO_Flow_Parameter_Set_Synthetic", "IO_Flow_Parameter_Set"),
    ] {
        assert!(workload.contains(from), "{from}");
        assert!(!faults(config, &workload.replace(from, to)).is_empty(), "{from} as {to}");
    }
}

/// What odd scenarios come to: none of them is written so that MQSim would stumble over it.
#[test]
fn odd_scenarios_are_whole_or_refused() {
    let base = "ref-mqsim-f6_S_fetch512_qd8_vs_qd128_readers";
    let flow = |export: &Export, number: usize| {
        let document = Document::parse(&export.files[1].text).expect("XML");
        let flows = inside(document.root_element().first_element_child().expect("a scenario"));
        flows.map(values).nth(number).expect("the flow")
    };
    let written = |changes: &[(&str, &str)]| {
        let export =
            export(&changed(base, changes), Target::Mqsim).unwrap_or_else(|why| panic!("{changes:?}: {why:?}"));
        let faults = faults_of(&export);
        assert!(faults.is_empty(), "{changes:?}: {faults:#?}");
        export
    };
    let config = |export: &Export, element: &str| {
        values(Document::parse(&export.files[0].text).expect("XML").root_element())[element].clone()
    };
    // A ring of one entry would take nothing.
    assert_eq!(config(&written(&[("access.queueDepth", "1")]), "IO_Queue_Depth"), "2");
    // 40 Gb/s are 5 GB/s: three flows of what an int holds, 1.67 GB/s each, beside the other workload's one.
    let open = r#"{ "kind": "open-loop", "offeredGbps": 40, "size": { "kind": "fixed", "bytes": 8192 } }"#;
    let split = written(&[("workloads[0].traffic", open)]);
    assert_eq!(flow(&split, 2)["Bandwidth"], (203_450 * 8192).to_string());
    assert_eq!(flow(&split, 3)["Synthetic_Generator_Type"], "QUEUE_DEPTH");
    // As many at once as in all.
    let few = r#"{ "kind": "closed-loop", "outstanding": 32, "requests": 5, "size": { "kind": "fixed", "bytes": 1 } }"#;
    let few = flow(&written(&[("workloads[0].traffic", few)]), 0);
    let of = ["Average_No_of_Reqs_in_Queue", "Total_Requests_To_Generate", "Average_Request_Size", "Stop_Time"];
    assert_eq!(of.map(|element| few[element].as_str()), ["5", "5", "1", "0"]);
    // Less than one request a second.
    let rare =
        r#"{ "kind": "open-loop", "offeredGbps": 0.000001, "size": { "kind": "exponential", "meanBytes": 1e9 } }"#;
    assert_eq!(flow(&written(&[("workloads[0].traffic", rare)]), 0)["Bandwidth"], (1_953_125 * 512).to_string());
    // Shares that would be none, or all.
    assert_eq!(flow(&written(&[("workloads[0].readFraction", "0.001")]), 0)["Read_Percentage"], "1");
    let hot = |part: &str, requests: &str| {
        let pattern = format!(r#"{{ "kind": "hot-cold", "hotPart": {part}, "hotRequests": {requests} }}"#);
        let flow = flow(&written(&[("workloads[0].addresses.pattern", &pattern)]), 0);
        (flow["Address_Distribution"].clone(), flow["Percentage_of_Hot_Region"].clone())
    };
    assert_eq!(hot("0.1", "0.9"), ("RANDOM_HOTCOLD".into(), "10".into()));
    assert_eq!(hot("0.0001", "0.9"), ("RANDOM_HOTCOLD".into(), "1".into()));
    assert_eq!(hot("1", "0.9"), ("RANDOM_UNIFORM".into(), "0".into()));
    // Dies that work by themselves are chips, and a fast channel is no free one.
    let dies = written(&[
        ("storage.ssd.preset", "\"tlc-nvme\""),
        ("storage.ssd.diesPerChip", "4"),
        ("storage.ssd.mapping", "\"cached\""),
        ("seed", "9007199254740991"),
    ]);
    let of = ["Chip_No_Per_Channel", "Die_No_Per_Chip", "Channel_Transfer_Rate", "Ideal_Mapping_Table"];
    assert_eq!(of.map(|element| config(&dies, element)), ["16", "1", "1000", "false"]);
    // A path that XML has to escape.
    let trace = r#"{ "kind": "trace", "file": "a<b & c>.trace" }"#;
    assert_eq!(flow(&written(&[("workloads[0].traffic", trace)]), 0)["File_Path"], "a<b & c>.trace");

    let refused = |changes: &[(&str, &str)], path: &str| {
        let why = export(&changed(base, changes), Target::Mqsim).expect_err("nothing for MQSim").remove(0);
        assert!(why.path == path && !why.hint.is_empty(), "{changes:?}: {why:?}");
    };
    let [one, other] = [0, 1].map(|number| format!("workloads[{number}].endpoints.targets[0]"));
    refused(&[(&one, "\"h1\""), (&other, "\"h1\""), ("access.protocol", "\"direct\"")], "access.protocol");
    refused(&[("storage.servers[0].devices", r#"[{ "name": "a", "kind": "persistent-memory" }]"#)], "storage.servers");
    let more = r#"{ "kind": "open-loop", "offeredGbps": 200, "size": { "kind": "fixed", "bytes": 8192 } }"#;
    refused(&[("workloads[0].traffic", more)], "workloads");
    let huge = r#"{ "kind": "closed-loop", "outstanding": 1, "size": { "kind": "fixed", "bytes": 500000000 } }"#;
    let small = [("storage.ssd.channels", "1"), ("storage.ssd.blocksPerPlane", "16")];
    refused(&[small[0], small[1], ("workloads[1].traffic", huge)], "workloads[1].traffic.size");
    let msr = r#"{ "kind": "trace", "file": "lab.csv", "format": "msr" }"#;
    let both = [("workloads[0].traffic", msr), ("workloads[1].traffic", msr)];
    refused(&both, "workloads[0].traffic");
    let plane = [("blocksPerPlane", "65536"), ("pagesPerBlock", "1100"), ("pageBytes", "32768")];
    let single = ["channels", "chipsPerChannel", "diesPerChip", "planesPerDie"].map(|sizes| (sizes, "1"));
    let large = plane.into_iter().chain(single).map(|(field, value)| (format!("storage.ssd.{field}"), value));
    let large: Vec<(String, &str)> = large.collect();
    let large: Vec<(&str, &str)> = large.iter().map(|(path, value)| (path.as_str(), *value)).collect();
    refused(&large, "storage.ssd.blocksPerPlane");
}

/// What the SSDs of a server are asked for: reads of 8 KiB, three workloads with 16 outstanding on 3 connections each, and writes of 1 MiB.
#[test]
fn several_ssds_of_a_server_have_their_parts() {
    let base = "paper5-read-while-write-nvme-tcp";
    let flows = |placement: &str| {
        let export = export(&changed(base, &[("storage.placement", placement)]), Target::Mqsim).expect("SSDs");
        let faults = faults_of(&export);
        assert!(faults.is_empty(), "{placement}: {faults:#?}");
        let of_file = |text: &str| {
            let document = Document::parse(text).expect("XML");
            let flows = inside(document.root_element().first_element_child().expect("a scenario")).map(values);
            let told = ["Read_Percentage", "Average_No_of_Reqs_in_Queue", "Average_Request_Size"];
            flows.map(|flow| told.map(|element| flow[element].clone()).join(" ")).collect::<Vec<_>>()
        };
        let names: Vec<String> = export.files[1..].iter().map(|file| file.name.clone()).collect();
        (names, export.files[1..].iter().map(|file| of_file(&file.text)).collect::<Vec<_>>())
    };
    // Each workload has a device of its own, and all three the same.
    let (names, ranges) = flows("\"ranges\"");
    assert_eq!((names, ranges), (vec!["workload.xml".into()], vec![vec!["100 48 16".to_owned(), "0 1 2048".into()]]));
    // Of 48 reads a third is at each of three; a write of 16 stripes is at all, with 349 525 B.
    let (_, striped) = flows("\"striping\"");
    let (read, write) = ("100 16 16".to_owned(), "0 1 683".to_owned());
    let each = [vec![read; 3], vec![write; 3]].concat();
    assert_eq!(striped, [each]);
    // Readers are at the first, writers at the second.
    let (names, by_class) = flows("\"by-class\"");
    assert_eq!(names, ["workload-h1-ssd0.xml", "workload-h1-ssd1.xml"]);
    assert_eq!(by_class, [vec!["100 48 16"; 3], vec!["0 1 2048"; 3]]);
}

/// The faults of what is written of a scenario of two readers with these settings; none where it is refused, with a hint. None where the engine refuses the
/// settings themselves.
fn faults_with(settings: &[(&str, &str)]) -> Option<Vec<String>> {
    let mut document = scenario::as_value(&scenario("ref-mqsim-f6_S_fetch512_qd8_vs_qd128_readers"));
    for (path, value) in settings {
        // Another kind of traffic may have no such field.
        let _ = scenario::set_path(&mut document, path, serde_json::from_str(value).expect("JSON"));
    }
    let scenario = scenario::from_value(document).ok()?;
    Some(match export(&scenario, Target::Mqsim) {
        Ok(export) => faults_of(&export),
        Err(why) => why.into_iter().filter(|of| of.hint.is_empty()).map(|of| of.reason).collect(),
    })
}

#[test]
fn each_setting_is_whole_or_refused() {
    for setting in SETTINGS {
        assert_eq!(faults_with(&[*setting]), Some(Vec::new()), "{setting:?}");
    }
}

proptest! {
    #[test]
    fn settings_together_are_whole_or_refused(settings in subsequence(SETTINGS, 2..8)) {
        let faults = faults_with(&settings).unwrap_or_default();
        prop_assert!(faults.is_empty(), "{faults:#?}");
    }
}

/// Nine workloads are one more than MQSim has queues.
#[test]
fn a_ninth_workload_is_refused() {
    let mut document = scenario::as_value(&scenario("ref-mqsim-f6_S_fetch512_qd8_vs_qd128_readers"));
    let workload = document["workloads"][0].clone();
    for count in [8, 9] {
        document["workloads"] = vec![workload.clone(); count].into();
        let scenario = scenario::from_value(document.clone()).expect("valid");
        match export(&scenario, Target::Mqsim) {
            Ok(export) => assert!(count == 8 && faults_of(&export).is_empty(), "{count} workloads"),
            Err(why) => assert!(count == 9 && why[0].reason.contains("9 use the storage of h0"), "{why:?}"),
        }
    }
}

/// Servers with the same flows share a file, whatever their number.
#[test]
fn a_thousand_servers_are_one_pair() {
    let document = serde_json::json!({
        "version": 3,
        "name": "a thousand",
        "durationUs": 1000,
        "topology": { "shape": { "kind": "dumbbell", "senders": 1000, "receivers": 1000 } },
        "classes": [{ "name": "only", "transport": "dctcp" }],
        "access": { "protocol": "nvme-tcp" },
        "storage": { "ssd": { "preset": "mqsim", "channels": 1, "blocksPerPlane": 64 } },
        "workloads": [{
            "class": "only",
            "endpoints": {
                "kind": "pairs",
                "initiators": (0..1000).map(|host| format!("h{host}")).collect::<Vec<_>>(),
                "targets": (1000..2000).map(|host| format!("h{host}")).collect::<Vec<_>>(),
            },
            "traffic": { "kind": "closed-loop", "outstanding": 4, "size": { "kind": "fixed", "bytes": 4096 } },
        }],
    });
    let scenario = scenario::from_value(document).unwrap_or_else(|why| panic!("{why:?}"));
    let export = export(&scenario, Target::Mqsim).expect("SSDs");
    assert_eq!(export.files.len(), 2);
    assert!(export.about.starts_with("1000 SSDs"), "{}", export.about);
    assert!(faults_of(&export).is_empty());
}

/// The files that were approved, by another program's parser, where it is installed.
#[test]
fn xmllint_takes_the_files() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/mqsim");
    let folders = fs::read_dir(folder).expect("golden files").map(|entry| entry.expect("a folder").path());
    let files =
        folders.flat_map(|folder| fs::read_dir(folder).expect("files").map(|file| file.expect("a file").path()));
    let files: Vec<PathBuf> = files.collect();
    assert!(files.len() >= 6, "{files:?}");
    match Command::new("xmllint").arg("--noout").args(&files).output() {
        Ok(output) => assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr)),
        Err(_) => assert!(env::var_os("QOSCOPE_REQUIRE_TOOLS").is_none(), "xmllint is not installed"),
    }
}
