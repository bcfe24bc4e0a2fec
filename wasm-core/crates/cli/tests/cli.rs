//! The command line as a person meets it: exit codes, what goes where, and the keys that scripts rely on.

mod common;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::{fs, str};

use serde_json::{Value, json};

use common::{out, qoscope, qoscope_in, refusal, scenario};

/// Every key that `wanted` has must be in `found`; lists are compared by their first elements.
fn assert_keys(found: &Value, wanted: &Value, path: &str) {
    match wanted {
        Value::Object(fields) => {
            for (name, wanted) in fields {
                let found = found.get(name).unwrap_or_else(|| panic!("{path}.{name} is missing"));
                assert_keys(found, wanted, &format!("{path}.{name}"));
            }
        }
        Value::Array(elements) => assert_keys(&found[0], &elements[0], &format!("{path}[0]")),
        _ => (),
    }
}

#[test]
fn run_shows_shares_where_a_device_is_the_bottleneck() {
    let mut document = scenario();
    document["topology"]["linkGbps"] = json!(100);
    document["access"] = json!({ "protocol": "nvme-rdma" });
    // A quarter of what each class keeps outstanding is in the device; the others wait for it.
    document["storage"] = json!({ "nvme": { "deviceCommands": 16 } });
    for workload in 0..2 {
        document["workloads"][workload]["readFraction"] = json!(1);
        document["workloads"][workload]["traffic"] =
            json!({ "kind": "closed-loop", "outstanding": 64, "size": { "kind": "fixed", "bytes": 4096 } });
    }
    let table = qoscope(&["run", "-"], &document.to_string());
    let table = out(&table);
    assert!(table.contains("SSD is the bottleneck since "), "{table}");
    assert!(table.contains(" share  target\n") && !table.contains("converged"), "{table}");
    assert!(table.contains("\nmain link ") && !table.contains("\nbottleneck "), "{table}");
    let json = qoscope(&["run", "-", "--format", "json"], &document.to_string());
    let summary: Value = serde_json::from_str(out(&json)).unwrap();
    assert_eq!(summary["ratesOutOfReach"]["device"], 0);
    for share in ["carriedShare", "targetShare"] {
        let shares = [0, 1].map(|class| summary["classes"][class][share].as_f64().unwrap());
        assert!(shares[0] > 0.0 && (shares[0] + shares[1] - 1.0).abs() < 1e-9, "{share}: {shares:?}");
    }

    let plain = qoscope(&["run", "-"], &scenario().to_string());
    assert!(out(&plain).contains("converged") && !out(&plain).contains("is the bottleneck"));
}

#[test]
fn the_version_is_that_of_the_engine_which_results_name() {
    let version = qoscope(&["--version"], "");
    assert_eq!(out(&version).trim(), format!("qoscope {}", qoscope_engine::VERSION));
    let run = qoscope(&["run", "-", "--format", "json"], &scenario().to_string());
    let summary: Value = serde_json::from_str(out(&run)).unwrap();
    assert_eq!(summary["engine"]["version"], qoscope_engine::VERSION);
}

#[test]
fn a_network_is_written_into_a_file_and_read_from_one() {
    let folder = std::env::temp_dir().join(format!("qoscope-network-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let [scenario_file, edges_file] =
        ["scenario.json", "edges.txt"].map(|name| folder.join(name).display().to_string());
    fs::write(&scenario_file, scenario().to_string()).unwrap();
    let written = qoscope(&["network", "write", "-", "--to", "edges"], &scenario().to_string());
    // One switch with three hosts.
    assert_eq!(out(&written), "# from to Gb/s us\nh0 left 10 1\nh1 left 10 1\nh2 left 10 1\n");
    fs::write(&edges_file, &written.stdout).unwrap();

    let read = qoscope(&["network", "read", &edges_file], "");
    let shape: Value = serde_json::from_str(out(&read)).unwrap();
    assert_eq!(shape["links"][2], json!({ "from": "h2", "to": "left", "gbps": 10, "delayUs": 1 }));
    assert_eq!(str::from_utf8(&read.stderr).unwrap(), "3 hosts, 1 switches, 3 links.\n");

    let other = "0 3 25Gbps 1us 0\n1 3 25Gbps 1us 0\n2 3 25Gbps 1us 0\n";
    let placed = qoscope(&["network", "read", "-", "--into", &scenario_file], &format!("4 1 3\n3\n{other}"));
    let placed: Value = serde_json::from_str(out(&placed)).unwrap();
    assert_eq!(placed["topology"]["shape"]["kind"], "custom");
    assert_eq!(placed["workloads"][1]["endpoints"]["targets"], json!(["h2"]));
    assert!(placed.get("host").is_none(), "what the scenario leaves out stays out");

    let refused = refusal(&qoscope(&["network", "read", "-"], "a s\nb s 1 slow\nc\n"));
    assert_eq!(refused[0], "line 2: has \"slow\" where a delay stands. Write one such as 1us.");
    assert_eq!(refused.len(), 2);
    let unknown = qoscope(&["network", "write", "-", "--to", "dot"], "");
    assert!(str::from_utf8(&unknown.stderr).unwrap().contains("known are edges, hpcc"));
    fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn run_prints_the_summary_that_scripts_rely_on() {
    let output = qoscope(&["run", "-", "--format", "json"], &scenario().to_string());
    let summary: Value = serde_json::from_str(out(&output)).unwrap();
    let latency = json!({ "mean": 0, "p50": 0, "p90": 0, "p99": 0, "p999": 0, "max": 0 });
    let wanted = json!({
        "scenario": { "name": 0, "hash": 0 }, "seed": 0, "simulatedUs": 0, "digest": 0,
        "engine": { "events": 0, "packetHops": 0, "wallSeconds": 0 },
        "classes": [{
            "name": 0, "transport": 0, "offeredGbps": 0, "carriedGbps": 0, "targetGbps": 0,
            "qualityFactor": { "mean": 0, "min": 0, "max": 0, "convergedAtUs": 0, "convergence": 0 },
            "requests": { "issued": 0, "completed": 0 },
            "latencyUs": latency, "reads": 0, "writes": 0, "deviceLatencyUs": 0, "deadline": 0
        }],
        "network": { "bottleneckUtilisation": 0, "markedFraction": 0, "drops": 0, "pauseFrames": 0, "maxQueuePackets": 0, "meanQueuePackets": 0 },
        "flows": [{ "class": 0, "source": 0, "destination": 0, "carriedGbps": 0, "completionUs": 0, "alpha": 0, "windowPackets": 0 }]
    });
    assert_keys(&summary, &wanted, "summary");
    assert_eq!(summary["simulatedUs"], json!(2000.0));
    assert!(summary["engine"]["wallSeconds"].as_f64().is_some_and(|seconds| seconds > 0.0));
    // Without an end there is nothing to offer: null, not 0.
    assert_eq!(summary["classes"][0]["offeredGbps"], Value::Null);
}

#[test]
fn the_command_line_changes_the_scenario() {
    let run = |arguments: &[&str]| -> Value {
        let arguments = [&["run", "-", "--format", "json"], arguments].concat();
        serde_json::from_str(out(&qoscope(&arguments, &scenario().to_string()))).unwrap()
    };
    let plain = run(&[]);
    assert_eq!(run(&[])["digest"], plain["digest"]);
    let changed = run(&["--seed", "7", "--duration-us", "1000", "--set", "classes[0].transport=dctcp"]);
    assert_eq!((&changed["seed"], &changed["simulatedUs"]), (&json!(7), &json!(1000.0)));
    assert_eq!(changed["classes"][0]["transport"], "dctcp");
    assert_ne!(changed["digest"], plain["digest"]);
    assert_ne!(changed["scenario"]["hash"], plain["scenario"]["hash"]);
}

#[test]
fn a_table_has_a_row_for_every_class() {
    let output = qoscope(&["run", "-"], &scenario().to_string());
    let text = out(&output);
    for name in ["High", "Low"] {
        let rows = text.lines().filter(|line| line.split_whitespace().next() == Some(name));
        assert_eq!(rows.count(), 2, "{text}");
    }
    assert!(text.contains("Gb/s") && text.contains("p99.9") && text.contains("main link"), "{text}");
    assert!(text.lines().all(|line| line.len() <= 100 && !line.ends_with(' ')), "{text}");
}

#[test]
fn every_fault_is_named_at_once_and_the_exit_code_is_2() {
    let mut document = scenario();
    document["classes"][1]["ratio"] = json!(-2);
    document["classes"][1]["ratoi"] = json!(1);
    document["workloads"][0]["class"] = json!("Hihg");
    document["workloads"][1]["endpoints"]["initiators"] = json!(["h2"]);
    for command in ["run", "dtm", "validate"] {
        let lines = refusal(&qoscope(&[command, "-"], &document.to_string()));
        assert_eq!(
            lines,
            [
                "classes[1].ratio: is -2, below the least value 0.001. Give a number from 0.001 to 1000.",
                "classes[1].ratoi: is not a field of the format. Did you mean `ratio`?",
                "workloads[0].class: is \"Hihg\"; no class has that name. Did you mean \"High\"?",
                "workloads[1].endpoints.initiators[0]: makes \"h2\" its own target. Choose two different hosts, or the protocol `local`.",
            ]
        );
    }
}

#[test]
fn draft_version_is_refused_with_a_sentence() {
    let mut draft = scenario();
    draft["version"] = json!(1);
    let sentence = "version: is 1, a draft of the format that was never released. Write the scenario in version 3.";
    for command in ["run", "validate", "migrate"] {
        assert_eq!(refusal(&qoscope(&[command, "-"], &draft.to_string())), [sentence]);
    }
}

#[test]
fn what_cannot_be_read_is_told_in_a_sentence() {
    let one_line = |arguments: &[&str], input: &str| {
        let lines = refusal(&qoscope(arguments, input));
        assert_eq!(lines.len(), 1, "{lines:?}");
        lines[0].clone()
    };
    assert_eq!(one_line(&["run", "no-such-file.json"], ""), "no-such-file.json cannot be read: there is no such file.");
    assert_eq!(one_line(&["run", "."], ""), ". cannot be read: it is a folder.");
    assert_eq!(
        one_line(&["validate", "-"], "{\n  \"version\" 1\n}"),
        "scenario: is not JSON: expected `:` at line 2, column 13. Correct the text there."
    );
    assert_eq!(
        one_line(&["validate", "-"], "[]"),
        "scenario: is not an object. Begin the document with `{` and give its fields by name."
    );
    assert!(one_line(&["run", "-", "--set", "seed"], &scenario().to_string()).contains("has no `=`"));
    assert!(
        one_line(&["run", "-", "--series", "x.txt"], &scenario().to_string())
            .contains("end the name in .csv or .parquet")
    );
    assert!(
        one_line(&["run", "-", "--set", "classes[9].ratio=1"], &scenario().to_string())
            .starts_with("classes[9].ratio: has no element [9]")
    );
    assert_eq!(qoscope(&["fly"], "").status.code(), Some(2));
    assert_eq!(qoscope(&[], "").status.code(), Some(2));
}

#[test]
fn a_round_trip_that_cannot_be_had_is_a_fault_of_the_scenario() {
    let mut document = scenario();
    document["topology"]["baseRttUs"] = json!(1);
    let lines = refusal(&qoscope(&["validate", "-"], &document.to_string()));
    assert!(lines[0].starts_with("topology.baseRttUs: is 1 us"), "{lines:?}");
}

#[test]
fn the_series_goes_to_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| -> PathBuf { folder.path().join(name) };
    for name in ["series.csv", "series.parquet"] {
        let path = file(name);
        assert!(qoscope(&["run", "-", "--series", path.to_str().unwrap()], &scenario().to_string()).status.success());
    }
    let text = fs::read_to_string(file("series.csv")).unwrap();
    let mut lines = text.lines();
    let header: Vec<&str> = lines.next().unwrap().split(',').collect();
    assert_eq!(header[0], "timeUs");
    assert!(header.contains(&"goodputGbps.High") && header.contains(&"qualityFactor.Low"), "{header:?}");
    assert!(lines.clone().count() > 10 && lines.all(|line| line.split(',').count() == header.len()));
    assert_eq!(&fs::read(file("series.parquet")).unwrap()[..4], b"PAR1");
    let nowhere = file("no-such-folder/series.csv");
    assert!(
        refusal(&qoscope(&["run", "-", "--series", nowhere.to_str().unwrap()], &scenario().to_string()))[0]
            .contains("cannot be written")
    );
}

#[test]
fn dtm_prints_the_model() {
    let dtm = |format: &str| qoscope(&["dtm", "-", "--format", format], &scenario().to_string());
    let overlay: Value = serde_json::from_str(out(&dtm("json"))).unwrap();
    let wanted = json!({
        "timeUs": [0], "queuePackets": [0],
        "classes": [{ "throughputGbps": [0], "qualityFactor": [0], "convergedSlot": 0, "convergedAtUs": 0 }]
    });
    assert_keys(&overlay, &wanted, "dtm");
    let points = overlay["timeUs"].as_array().unwrap().len();
    assert!((10..=600).contains(&points));
    assert_eq!(overlay["classes"][1]["throughputGbps"].as_array().unwrap().len(), points);

    let output = dtm("csv");
    let slots: Vec<&str> = out(&output).lines().collect();
    assert!(slots[0].starts_with("slot,timeUs,markedFraction,queuePackets,throughputGbps.High,"));
    assert!(slots.len() > 20 && slots[1].starts_with("0,0,"));
    assert!(out(&dtm("table")).contains("converged"));
}

#[test]
fn validate_and_schema_answer_on_standard_output() {
    let preset = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../scenarios/presets/three-writers.json");
    assert!(out(&qoscope(&["validate", preset.to_str().unwrap()], "")).contains("is a valid scenario"));
    let schema: Value = serde_json::from_str(out(&qoscope(&["schema"], ""))).unwrap();
    assert_eq!(schema["title"], "Scenario");
    assert_eq!(schema["$defs"]["Class"]["properties"]["ratio"]["x-symbol"], "r");
    let schema: Value = serde_json::from_str(out(&qoscope(&["schema", "--of", "lesson"], ""))).unwrap();
    assert!(schema["properties"]["steps"].is_object());
}

#[test]
fn explain_says_what_is_in_force_and_what_has_no_effect() {
    let timely = ["--set", "classes[0].transport=timely", "--set", "classes[1].transport=timely"];
    let table = qoscope(&[&["explain", "-"], &timely[..]].concat(), &scenario().to_string());
    let line = |path: &str| out(&table).lines().find(|line| line.starts_with(path)).unwrap().to_owned();
    assert!(line("classes[1].dirs.recoveryUs").contains("the high threshold of TIMELY"));
    assert!(
        line("classes[1].ratio")
            .contains("no effect on the run, but moves what it is measured by: TIMELY ignores class ratios")
    );
    let json = qoscope(&["explain", "-", "--format", "json"], &scenario().to_string());
    let explanation: Value = serde_json::from_str(out(&json)).unwrap();
    let fields = explanation["fields"].as_array().unwrap();
    let of = |path: &str| fields.iter().find(|field| field["path"] == path).unwrap();
    assert_eq!((&of("classes[0].ratio")["value"], &of("classes[0].ratio")["source"]), (&json!(2), &json!("given")));
    assert_eq!(of("switch.markingPoint")["source"], "default");
    assert_eq!(of("workloads[1].stopUs")["from"], "the end of the run");
    assert!(!refusal(&qoscope(&["explain", "-"], "{}")).is_empty());
}

#[test]
fn the_catalogue_has_fields_transports_and_metrics() {
    let catalogue: Value = serde_json::from_str(out(&qoscope(&["catalogue"], ""))).unwrap();
    assert_eq!(catalogue["document"]["fields"][0]["name"], "version");
    assert!(catalogue["transports"].as_array().is_some_and(|transports| transports.len() >= 6));
    assert!(catalogue["metrics"].as_array().is_some_and(|metrics| metrics.iter().any(|of| of["id"] == "goodputGbps")));
}

/// Twenty requests in two milliseconds, and a line that is none.
const TRACE: &str = "128166372003061629,hm,1,Read,383496192,32768,413\nnonsense\n";

fn trace_text() -> String {
    let line = |number: u64| {
        let operation = if number.is_multiple_of(4) { "Read" } else { "Write" };
        format!("{},hm,{},{operation},{},4096,10\n", 128_166_372_003_061_629 + 1000 * number, number % 2, 4096 * number)
    };
    TRACE.to_owned() + &(1..20).map(line).collect::<String>()
}

fn with_trace(file: &str) -> String {
    let mut scenario = scenario();
    scenario["workloads"][1]["traffic"] = json!({ "kind": "trace", "file": file });
    scenario["measurement"] = json!({ "warmupUs": 0 });
    scenario.to_string()
}

#[test]
fn a_trace_is_described() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("hm.csv");
    fs::write(&path, trace_text()).unwrap();
    let described = qoscope(&["trace", path.to_str().unwrap(), "--format", "json"], "");
    let found: Value = serde_json::from_str(out(&described)).unwrap();
    assert_eq!((found["format"].as_str(), found["counts"]["requests"].as_u64()), (Some("msr"), Some(20)));
    assert_eq!((found["bad"].as_u64(), found["badLines"][0]["number"].as_u64()), (Some(1), Some(2)));
    assert_eq!(found["volumes"].as_array().map(Vec::len), Some(2));
    let table = qoscope(&["trace", path.to_str().unwrap(), "--volume", "hm_0"], "");
    assert!(out(&table).contains("hm_0") && !out(&table).contains("hm_1"), "{}", out(&table));
    let wrong = qoscope(&["trace", path.to_str().unwrap(), "--trace-format", "spc"], "");
    assert!(refusal(&wrong)[0].contains("cannot be read as the format spc"));
    assert!(refusal(&qoscope(&["trace", "nowhere.csv"], ""))[0].contains("could not be opened"));
}

#[test]
fn a_trace_beside_its_scenario_is_replayed_plain_and_packed() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("scenario.json");
    fs::write(&file, with_trace("hm.csv")).unwrap();
    fs::write(folder.path().join("hm.csv"), trace_text()).unwrap();
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    packed.write_all(trace_text().as_bytes()).unwrap();
    let elsewhere = folder.path().join("packed.gz");
    fs::write(&elsewhere, packed.finish().unwrap()).unwrap();

    let plain = qoscope(&["run", file.to_str().unwrap(), "--format", "json"], "");
    let place = format!("hm.csv={}", elsewhere.display());
    let packed = qoscope(&["run", file.to_str().unwrap(), "--format", "json", "--trace", &place], "");
    let (one, other): (Value, Value) =
        (serde_json::from_str(out(&plain)).unwrap(), serde_json::from_str(out(&packed)).unwrap());
    assert_eq!(one["classes"][1]["requests"]["issued"], 20);
    assert_eq!(one["digest"], other["digest"]);
    assert!(str::from_utf8(&plain.stderr).unwrap().contains("Line 2 has no number for its time"));
}

#[test]
fn a_trace_that_is_not_there_is_bad_input() {
    let said = refusal(&qoscope(&["run", "-"], &with_trace("nowhere.csv")));
    assert!(said[0].contains("nowhere.csv: The trace could not be opened"), "{said:?}");
}

#[test]
fn a_request_is_followed_from_link_to_link() {
    let table =
        qoscope(&["follow", "-", "--class", "Low", "--from-us", "200", "--slowest-of", "5"], &scenario().to_string());
    let table = out(&table);
    assert!(
        table.starts_with("Low: write of 20000 bytes, h1 to h2\nslower than 4 of 5 requests of its class\n"),
        "{table}"
    );
    // 20 000 bytes are 14 packets, and one more where they begin within one.
    assert!((14..=15).contains(&table.matches("h1 to left").count()), "{table}");
    let arguments = ["follow", "-", "--class", "Low", "--from-us", "200", "--format", "json"];
    let journey: Value = serde_json::from_str(out(&qoscope(&arguments, &scenario().to_string()))).unwrap();
    assert_eq!(journey["bytes"], 20_000);
    assert!(journey["moments"]["issuedUs"].as_f64().unwrap() >= 200.0);
    assert_keys(
        &journey,
        &json!({ "packets": [{ "leg": 0, "hops": [{ "link": 0, "joinedUs": 0, "found": 0 }] }] }),
        "",
    );
}

#[test]
fn nobody_to_follow_is_said_in_a_sentence() {
    let lines = refusal(&qoscope(&["follow", "-", "--class", "Middle"], &scenario().to_string()));
    assert_eq!(lines, ["The scenario has no class \"Middle\". Its classes: `High`, `Low`."]);
    let lines = refusal(&qoscope(&["follow", "-"], &scenario().to_string()));
    assert_eq!(lines, ["Class \"High\" issues no such request between 0 us and the end of the run."]);
    let lines = refusal(&qoscope(&["follow", "-", "--from-us", "-1"], &scenario().to_string()));
    assert!(lines[0].contains("--from-us"), "{lines:?}");
}

/// A lesson on two writers, whose one assertion is that so much is carried.
fn lesson(least_gbps: f64, text: &str) -> String {
    let says = json!({ "says": "The link is full", "value": "sum(both.classes.carriedGbps)", "min": least_gbps, "unit": "Gb/s" });
    let step = json!({ "kind": "read", "title": "Two writers", "text": text, "run": "both", "asserts": [says] });
    let lesson = json!({
        "version": 1, "id": "two-writers", "title": "Two writers", "outcome": "Read a table.", "minutes": 1,
        "runs": [{ "name": "both", "scenario": scenario() }], "steps": [step],
    });
    lesson.to_string()
}

#[test]
fn lesson_says_what_holds_under_every_seed() {
    let text = "The link has {both.settings.topology.linkGbps} Gb/s.";
    let holds = qoscope(&["lesson", "-", "--seeds", "2"], &lesson(5.0, text));
    let table = out(&holds);
    assert!(table.contains("1. Two writers") && table.contains("All 2 hold under 2 seeds."), "{table}");

    let fails = qoscope(&["lesson", "-", "--format", "json"], &lesson(11.0, text));
    assert_eq!(fails.status.code(), Some(1));
    let played: Value = serde_json::from_slice(&fails.stdout).unwrap();
    let line =
        json!({ "held": "assert", "says": "", "wanted": "", "seen": [{ "seed": 1, "text": "", "holds": false }] });
    assert_keys(
        &played,
        &json!({ "seeds": [1], "failures": {}, "steps": [{ "title": "", "lines": [line] }] }),
        "played",
    );
    assert_eq!(played["steps"][0]["lines"][0]["seen"][2]["holds"], false);

    let lines = refusal(&qoscope(&["lesson", "-"], &lesson(5.0, "The link has 10 Gb/s, or {slow.x}.")));
    assert_eq!(lines.len(), 2, "{lines:?}");
    assert!(lines[0].starts_with("steps[0].text: has the number `10`, which nothing holds."), "{lines:?}");
    let named = lesson(5.0, text).replacen(&scenario().to_string(), "\"none\"", 1);
    let lines = refusal(&qoscope(&["lesson", "-"], &named));
    assert!(lines[0].starts_with("runs[0]: cannot be run: there is no scenario `none`: neither"), "{lines:?}");
}

#[test]
fn jobs_of_fio_become_workloads_and_every_line_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    fs::write(path("jobs.fio"), "[reader]\nrw=randread\niodepth=16\nioengine=libaio\nruntime=5ms\nverify=crc32c\n")
        .unwrap();
    let onto = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../scenarios/presets/storage-three-classes.json");
    let onto = onto.to_str().unwrap();
    let told = qoscope(&["workloads", &path("jobs.fio"), "--onto", onto, "--out", &path("new.json")], "");
    let told = out(&told);
    assert!(told.contains("Exactly") && told.contains("workloads[0].traffic.outstanding"), "{told}");
    assert!(told.contains("verify=crc32c") && told.contains("New classes have the settings of"), "{told}");
    let new: Value = serde_json::from_str(&fs::read_to_string(path("new.json")).unwrap()).unwrap();
    assert_eq!((&new["durationUs"], &new["workloads"][0]["traffic"]["outstanding"]), (&json!(5000), &json!(16)));
    out(&qoscope(&["validate", &path("new.json")], ""));

    let printed = qoscope(&["workloads", &path("jobs.fio"), "--onto", onto, "--set", "seed=7"], "");
    assert_eq!(serde_json::from_str::<Value>(out(&printed)).unwrap()["seed"], json!(7));
    let whole = qoscope(&["workloads", &path("jobs.fio"), "--onto", onto, "--format", "json"], "");
    assert_keys(
        &serde_json::from_str(out(&whole)).unwrap(),
        &json!({ "scenario": { "workloads": [{ "class": 0 }] }, "became": [{ "line": 0, "option": 0, "how": 0, "why": 0 }], "remarks": 0 }),
        "onto",
    );

    fs::write(path("jobs.fio"), "[reader]\nbs=1.5k\n").unwrap();
    let refused = refusal(&qoscope(&["workloads", &path("jobs.fio"), "--onto", onto], ""));
    assert!(refused[0].starts_with("jobs.fio, line 2, job \"reader\", bs: is \"1.5k\""), "{}", refused[0]);
}

/// A folder with `scenarios/two-writers.json`.
fn folder_of_scenarios() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir_all(folder.path().join("scenarios/lessons")).unwrap();
    fs::write(folder.path().join("scenarios/two-writers.json"), scenario().to_string()).unwrap();
    fs::write(
        folder.path().join("net.edges"),
        out(&qoscope(&["network", "write", "-", "--to", "edges"], &scenario().to_string())),
    )
    .unwrap();
    fs::write(folder.path().join("jobs.fio"), "[reader]\nrw=randread\niodepth=4\nioengine=libaio\nruntime=5ms\n")
        .unwrap();
    let text = "The link has {both.settings.topology.linkGbps} Gb/s.";
    fs::write(folder.path().join("scenarios/lessons/one.json"), lesson(5.0, text)).unwrap();
    folder
}

#[test]
fn every_command_finds_documents_by_name() {
    let folder = folder_of_scenarios();
    let commands: [&[&str]; 15] = [
        &["run", "two-writers"],
        &["validate", "two-writers"],
        &["explain", "two-writers"],
        &["report", "two-writers"],
        &["export", "two-writers", "--to", "sonic"],
        &["follow", "two-writers", "--class", "Low"],
        &["dtm", "two-writers"],
        &["plan", "two-writers"],
        &["migrate", "two-writers"],
        &["network", "write", "two-writers", "--to", "edges"],
        &["network", "read", "net.edges", "--into", "two-writers"],
        &["workloads", "jobs.fio", "--onto", "two-writers"],
        &["fit", "jobs.fio", "--base", "two-writers"],
        &["sweep", "two-writers", "--vary", "switch.ecnThresholdPackets=20,40", "--seeds", "2", "--write", "-"],
        &["lesson", "one", "--seeds", "1"],
    ];
    for command in commands {
        let output = qoscope_in(folder.path(), command, "");
        let said = str::from_utf8(&output.stderr).unwrap();
        assert!(!said.contains("no such file"), "{command:?}: {said}");
        assert!(
            output.status.code() != Some(2) || ["plan", "fit", "workloads"].contains(&command[0]),
            "{command:?}: {said}"
        );
        let misspelt: Vec<&str> =
            command.iter().map(|word| if *word == "two-writers" { "two-writer" } else { word }).collect();
        if misspelt != command && command[0] != "fit" {
            let said = refusal(&qoscope_in(folder.path(), &misspelt, ""));
            let expected = "two-writer cannot be read: there is no such file, and no scenario of this name in scenarios. \
                            Did you mean two-writers?";
            assert_eq!(said.last().map(String::as_str), Some(expected), "{command:?}");
        }
    }
}

#[test]
fn an_export_of_several_files_needs_a_folder() {
    let folder = tempfile::tempdir().unwrap();
    let preset = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../scenarios/presets/storage-three-classes.json");
    let document = fs::read_to_string(preset).unwrap();
    let mut refused = 0;
    for tool in ["fio", "mqsim", "sonic", "nvme"] {
        let output = qoscope(&["export", "-", "--to", tool, "--format", "json"], &document);
        let export: Value = serde_json::from_str(out(&output)).unwrap();
        let files = export["files"].as_array().unwrap().len();
        let printed = qoscope(&["export", "-", "--to", tool], &document);
        if files > 1 {
            let said = refusal(&printed);
            assert!(said[0].contains(&format!("takes {files} files")) && said[0].contains("--out FOLDER"), "{said:?}");
            refused += 1;
        } else {
            assert!(!out(&printed).contains("==>"));
        }
        let place = folder.path().join(tool);
        out(&qoscope(&["export", "-", "--to", tool, "--out", place.to_str().unwrap()], &document));
        assert_eq!(fs::read_dir(place).map_or(0, Iterator::count), files, "{tool}");
    }
    assert!(refused > 0);
}

#[test]
fn a_name_that_is_nearly_a_field_is_answered_with_the_field() {
    let said = |arguments: &[&str]| refusal(&qoscope(arguments, &scenario().to_string())).concat();
    let vary = |what: &str| said(&["sweep", "-", "--vary", what]);
    assert!(vary("switch.ecnThreshold=20,40").contains("Did you mean `switch.ecnThresholdPackets`?"));
    let symbol = vary("K=20,40");
    assert!(symbol.contains("the symbol of a field") && symbol.contains("`switch.ecnThresholdPackets`"), "{symbol}");
    let set = said(&["run", "-", "--set", "K=20"]);
    assert!(set.contains("is the symbol of a field") && set.contains("`switch.ecnThresholdPackets`"), "{set}");
    let search = said(&["search", "-", "--want", "network.drops < 1", "--free", "switch.ecnThresholdPackets=20,40"]);
    assert!(search.contains("--least or --most"), "{search}");
    let empty = vary("switch.ecnThresholdPackets=[]");
    assert!(empty.contains("`values` is empty"), "{empty}");
    let long = said(&["run", "-", "--set", &"x".repeat(3000)]);
    assert!(long.len() < 300, "{long}");
}
