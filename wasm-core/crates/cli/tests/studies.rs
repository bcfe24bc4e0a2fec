//! Studies on the command line: what is printed, what is kept, and that no run is made twice, whoever is killed and whoever works beside.

mod common;

use std::collections::BTreeSet;
use std::fs;
use std::fs::File;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::thread;
use std::time::Duration;

use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::RowAccessor;
use serde_json::{Value, json};
use tempfile::TempDir;

use common::{out, qoscope, refusal, scenario};

const K: &str = "switch.ecnThresholdPackets";
/// Runs of the sweep below.
const RUNS: usize = 40;

/// A folder with the scenario in it.
fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("two.json"), scenario().to_string()).unwrap();
    folder
}

/// A sweep of five thresholds under eight seeds, and what comes after it.
fn sweep(folder: &Path, further: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_qoscope"));
    command.current_dir(folder).args(["sweep", "two.json", "--vary", &format!("{K}=10:90:5"), "--seeds", "8"]);
    command.args(["--measure", "p99=classes['Low'].latencyUs.p99", "--format", "json"]).args(further);
    command
}

fn started(mut command: Command) -> Child {
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

/// Looks at something that another process changes until it is so. The pause leaves that one the processor.
fn wait_until(mut is_so: impl FnMut() -> bool) {
    while !is_so() {
        thread::sleep(Duration::from_millis(1));
    }
}

fn told(output: &Output) -> &str {
    str::from_utf8(&output.stderr).unwrap()
}

/// The runs that a command says it made.
fn made(output: &Output) -> usize {
    let words: Vec<&str> = told(output).split_whitespace().collect();
    let at = words.iter().position(|word| *word == "made").unwrap_or_else(|| panic!("{}", told(output)));
    words[at - 2].parse().unwrap()
}

/// The names of files in a folder.
fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).into_iter().flatten();
    entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
}

/// The keys of all results in a dataset, as often as they are kept.
fn kept(dataset: &Path) -> Vec<String> {
    let mut keys = Vec::new();
    for part in names(&dataset.join("runs")) {
        let file = SerializedFileReader::new(File::open(dataset.join("runs").join(part)).unwrap()).unwrap();
        keys.extend(file.get_row_iter(None).unwrap().map(|row| row.unwrap().get_string(0).unwrap().clone()));
    }
    for journal in names(&dataset.join("journals")).into_iter().filter(|name| name.ends_with(".journal")) {
        let results = results(&dataset.join("journals").join(journal));
        // Killed after its results were taken into a part and before the journal was removed, it has them still.
        if !results.iter().all(|key| keys.contains(key)) {
            keys.extend(results);
        }
    }
    keys
}

/// The keys of results in a journal.
fn results(journal: &Path) -> Vec<String> {
    let text = fs::read_to_string(journal).unwrap_or_default();
    let whole = text.rfind('\n').map_or("", |end| &text[..end]);
    whole.lines().filter_map(|line| line.strip_prefix("result ")).map(|rest| rest[..32].to_owned()).collect()
}

/// Bytes in journals of a dataset.
fn journalled(dataset: &Path) -> u64 {
    let journals = dataset.join("journals");
    names(&journals).iter().filter_map(|name| fs::metadata(journals.join(name)).ok()).map(|about| about.len()).sum()
}

#[track_caller]
fn assert_each_once(dataset: &Path, count: usize) {
    let keys = kept(dataset);
    let different: BTreeSet<&String> = keys.iter().collect();
    assert_eq!((keys.len(), different.len()), (count, count));
}

#[test]
fn a_sweep_prints_a_row_for_every_point_and_its_intervals() {
    let folder = folder();
    let arguments = |further: &[&'static str]| [&["sweep", "-", "--seeds", "3"], further].concat();
    let scenario = scenario().to_string();
    // No cables are so short that a round trip takes 1 us.
    let vary = "topology.baseRttUs=1,50,80";
    let table = qoscope(&arguments(&["--vary", vary, "--measure", "classes['{class}'].carriedGbps"]), &scenario);
    let lines: Vec<&str> = out(&table).lines().collect();
    assert_eq!(lines[0], "Two writers: topology.baseRttUs");
    let row = |start: &str| lines.iter().find(|line| line.trim_start().starts_with(start)).copied().unwrap_or_default();
    assert!(row("80 ").contains(" 3 ") && row("80 ").matches('±').count() == 2, "{}", out(&table));
    assert!(row("50 ").ends_with("as it is"), "{}", out(&table));
    assert!(row("1 ").ends_with("refused [1]") && row("[1] ").contains("topology.baseRttUs"), "{}", out(&table));
    assert_eq!(made(&table), 6);

    let file = folder.path().join("table.parquet");
    let csv = qoscope(
        &[
            arguments(&["--vary", vary, "--measure", "n=network.drops", "--format", "csv", "--table"]),
            vec![file.to_str().unwrap()],
        ]
        .concat(),
        &scenario,
    );
    let lines: Vec<&str> = out(&csv).lines().collect();
    assert_eq!(lines[0], "topology.baseRttUs,seeds,n,\"n, low\",\"n, high\",refused");
    assert!(lines[1].starts_with("1,0,,,,") && lines[3] == "80,3,0,0,0,", "{lines:?}");
    let rows = SerializedFileReader::new(File::open(file).unwrap()).unwrap().get_row_iter(None).unwrap().count();
    assert_eq!(rows, 3);
}

#[test]
fn the_table_is_the_same_however_many_work_on_it() {
    let folder = folder();
    let alone = sweep(folder.path(), &["--jobs", "1"]).output().unwrap();
    let many = sweep(folder.path(), &["--jobs", "4"]).output().unwrap();
    assert_eq!(out(&alone), out(&many));
    assert_eq!([made(&alone), made(&many)], [RUNS; 2]);
    let report: Value = serde_json::from_str(out(&alone)).unwrap();
    assert_eq!(report["table"]["points"].as_array().unwrap().len(), 5);
    assert_eq!(report["answer"]["kind"], "sweep");
}

#[test]
fn killed_at_any_moment_it_goes_on_and_makes_no_run_twice() {
    let folder = folder();
    // Runs long enough that it is killed in the middle of them.
    let long = ["--set", "durationUs=8000"];
    let kept_in =
        |further: &[&'static str]| sweep(folder.path(), &[&long[..], &["--out", "dataset"], further].concat());
    let reference = sweep(folder.path(), &long).output().unwrap();
    let dataset = folder.path().join("dataset");
    // A fixed row of numbers that look random: how much of the journal is there when it is killed.
    let mut random: u64 = 1;
    let mut brought_on = 0;
    for _ in 0..20 {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let before = kept(&dataset).len();
        let until = (random >> 33) % 12_000;
        let mut child = started(kept_in(&["--jobs", "2"]));
        // What there was is moved into a part when it is opened: only what this one writes is left.
        let has_written = || before <= kept_in_parts(&dataset) && journalled(&dataset) >= until;
        wait_until(|| child.try_wait().unwrap().is_some() || has_written());
        child.kill().unwrap();
        child.wait().unwrap();
        let keys = kept(&dataset);
        assert_eq!(keys.iter().collect::<BTreeSet<_>>().len(), keys.len(), "a run was made twice");
        assert!(keys.len() >= before, "a result was lost");
        brought_on += usize::from(keys.len() > before);
    }
    assert!(brought_on > 3, "the kills came before anything was made, or after everything was");
    let before = kept(&dataset).len();
    let end = kept_in(&["--resume"]).output().unwrap();
    assert_eq!(out(&end), out(&reference));
    assert_eq!(made(&end), RUNS - before);
    assert_each_once(&dataset, RUNS);
    assert!(names(&dataset.join("journals")).is_empty());
}

/// Results in parts of a dataset.
fn kept_in_parts(dataset: &Path) -> usize {
    let file = |part: String| SerializedFileReader::new(File::open(dataset.join("runs").join(part)).ok()?).ok();
    let rows = names(&dataset.join("runs")).into_iter().filter_map(file);
    rows.map(|file| usize::try_from(file.metadata().file_metadata().num_rows()).unwrap()).sum()
}

#[test]
fn several_at_once_share_the_runs() {
    let folder = folder();
    let children: Vec<Child> =
        (0..3).map(|_| started(sweep(folder.path(), &["--out", "dataset", "--jobs", "2"]))).collect();
    let ended: Vec<Output> = children.into_iter().map(|child| child.wait_with_output().unwrap()).collect();
    assert_eq!(ended.iter().map(made).sum::<usize>(), RUNS);
    assert!(ended.iter().all(|output| out(output) == out(&ended[0])));
    assert_each_once(&folder.path().join("dataset"), RUNS);
    // Another value needs its own runs, and no other.
    let wider = sweep(folder.path(), &["--out", "dataset", "--vary", "durationUs=1000,2000"]).output().unwrap();
    assert_eq!(made(&wider), RUNS);
}

#[test]
fn what_a_killed_process_was_making_another_takes_over() {
    let folder = folder();
    let dataset = folder.path().join("dataset");
    let mut killed = started(sweep(folder.path(), &["--out", "dataset", "--jobs", "2"]));
    wait_until(|| journalled(&dataset) > 0);
    let other = started(sweep(folder.path(), &["--out", "dataset", "--jobs", "2"]));
    wait_until(|| names(&dataset.join("journals")).len() >= 2 || kept(&dataset).len() >= RUNS);
    killed.kill().unwrap();
    killed.wait().unwrap();
    let ended = other.wait_with_output().unwrap();
    assert_eq!(out(&ended), out(&sweep(folder.path(), &[]).output().unwrap()));
    assert_each_once(&dataset, RUNS);
}

#[test]
fn shards_make_each_run_once_and_the_last_call_makes_none() {
    let folder = folder();
    let mut sum = 0;
    for (shard, left) in [("1/3", true), ("2/3", true), ("3/3", false)] {
        let ended = sweep(folder.path(), &["--out", "dataset", "--shard", shard]).output().unwrap();
        assert_eq!(out(&ended).is_empty(), left, "{shard}");
        assert_eq!(told(&ended).contains("left to the other shards"), left, "{}", told(&ended));
        sum += made(&ended);
    }
    assert_eq!(sum, RUNS);
    let all = sweep(folder.path(), &["--out", "dataset"]).output().unwrap();
    assert_eq!((made(&all), out(&all)), (0, out(&sweep(folder.path(), &[]).output().unwrap())));
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_it_with_a_sentence_on_how_to_go_on() {
    let folder = folder();
    let dataset = folder.path().join("dataset");
    let child = started(sweep(folder.path(), &["--out", "dataset", "--jobs", "1", "--set", "durationUs=20000"]));
    let has_result = || {
        names(&dataset.join("journals")).iter().any(|name| !results(&dataset.join("journals").join(name)).is_empty())
    };
    wait_until(has_result);
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let ended = child.wait_with_output().unwrap();
    assert_eq!(ended.status.code(), Some(130), "{}", told(&ended));
    assert!(ended.stdout.is_empty());
    assert!(
        told(&ended).starts_with("Stopped after ") && told(&ended).contains("continues from there"),
        "{}",
        told(&ended)
    );
    assert!(names(&dataset.join("journals")).is_empty() && !kept(&dataset).is_empty(), "what was made is in a part");
}

#[test]
fn figure_with_kept_results_makes_no_run_and_gives_the_same_digest() {
    let folder = folder();
    let figure = json!({
        "id": "paper9-fig1", "title": "A figure", "source": "Paper 9, fig. 1", "section": "paper 9", "claim": "None.",
        "runs": [{ "name": "one", "scenario": "two", "seeds": 2, "sweep": { "path": K, "values": [10, 40] } }],
        "quantities": [
            { "label": "queue", "value": "sum(one.network.meanQueuePackets)", "published": { "kind": "range", "low": 0, "high": 1000 } },
        ],
    });
    fs::write(folder.path().join("figure.json"), figure.to_string()).unwrap();
    let run = || {
        let mut command = Command::new(env!("CARGO_BIN_EXE_qoscope"));
        let options = ["figure", "figure.json", "--keep", "kept", "--jobs", "2", "--format", "json"];
        let output = command.current_dir(folder.path()).args(options).output().unwrap();
        assert!(output.status.success(), "{}", told(&output));
        serde_json::from_str::<Value>(out(&output)).unwrap()
    };
    let first = run();
    let keys_of = || kept(&folder.path().join("kept"));
    let keys = keys_of();
    assert_eq!(keys.len(), 4, "two seeds at two thresholds");
    assert_eq!((run(), keys_of()), (first.clone(), keys), "a second run keeps no further result");
    assert_eq!((first["rows"].as_array().unwrap().len(), first["digest"].as_str().unwrap().len()), (1, 16));
}

/// Writing fails in the midst of a line, as it does on a full disk.
#[cfg(unix)]
#[test]
fn what_was_kept_before_writing_failed_is_known_to_the_next() {
    let folder = folder();
    let full = sweep(folder.path(), &["--out", "dataset"]);
    // Of 512 bytes or of 1024, as the shell counts: the journal of all runs is larger in any case.
    let limited = "trap '' XFSZ; ulimit -f 40; exec \"$0\" \"$@\"";
    let mut command = Command::new("sh");
    command.current_dir(folder.path()).args(["-c", limited]).arg(full.get_program()).args(full.get_args());
    let output = command.output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{}", told(&output));
    let sentence = told(&output).trim_end();
    assert!(sentence.ends_with(".journal cannot be written: a file may not be so large here."), "{sentence}");
    let dataset = folder.path().join("dataset");
    let before = kept(&dataset).len();
    assert!((1..RUNS).contains(&before), "{before}");
    let again = sweep(folder.path(), &["--out", "dataset"]).output().unwrap();
    assert_eq!(made(&again), RUNS - before);
    assert_each_once(&dataset, RUNS);
    assert_eq!(out(&again), out(&sweep(folder.path(), &[]).output().unwrap()));
}

#[test]
fn a_study_in_a_file_names_its_scenario_beside_it() {
    let folder = folder();
    let in_folder = |arguments: &[&str]| {
        Command::new(env!("CARGO_BIN_EXE_qoscope")).current_dir(folder.path()).args(arguments).output().unwrap()
    };
    let written =
        in_folder(&["sweep", "two.json", "--vary", &format!("{K}=10:90:5"), "--seeds", "2", "--write", "study.json"]);
    assert_eq!(out(&written), "");
    let study: Value = serde_json::from_str(&fs::read_to_string(folder.path().join("study.json")).unwrap()).unwrap();
    assert_eq!((&study["scenario"], &study["seeds"]["count"]), (&json!("two"), &json!(2)));
    assert_eq!(
        out(&in_folder(&["study", "validate", "study.json"])),
        "study.json is a valid study: \"Two writers: switch.ecnThresholdPackets\", 10 runs\n"
    );
    let cost: Value =
        serde_json::from_str(out(&in_folder(&["study", "cost", "study.json", "--format", "json"]))).unwrap();
    assert_eq!((&cost["points"], &cost["runs"]), (&json!(5), &json!(10)));
    assert!(cost["seconds"].as_f64().unwrap() > 0.0 && cost["eventsPerSecond"].as_f64().unwrap() > 0.0);
    assert!(out(&in_folder(&["study", "cost", "study.json"])).contains("runs            10\n"));
    let run = in_folder(&["study", "run", "study.json", "--format", "json"]);
    let swept =
        in_folder(&["sweep", "two.json", "--vary", &format!("{K}=10:90:5"), "--seeds", "2", "--format", "json"]);
    let [run, swept] = [run, swept].map(|output| serde_json::from_str::<Value>(out(&output)).unwrap());
    assert_eq!(run["table"], swept["table"]);
}

#[test]
fn a_trace_of_other_content_makes_other_runs() {
    let folder = folder();
    let mut document = scenario();
    document["workloads"][1]["traffic"] = json!({ "kind": "trace", "file": "two.spc", "format": "spc" });
    fs::write(folder.path().join("two.json"), document.to_string()).unwrap();
    let line = |us: u32| format!("0,{},4096,w,{:.6}\n", us * 8, f64::from(us) / 1e6);
    fs::write(folder.path().join("two.spc"), (0..100).map(line).collect::<String>()).unwrap();
    let run = || sweep(folder.path(), &["--out", "dataset"]).output().unwrap();
    assert_eq!([made(&run()), made(&run())], [RUNS, 0]);
    // A study in a folder of its own finds them beside the scenario.
    fs::create_dir(folder.path().join("studies")).unwrap();
    let written = sweep(folder.path(), &["--write", "studies/two-k.json"]).output().unwrap();
    assert_eq!(out(&written), "");
    let named = Command::new(env!("CARGO_BIN_EXE_qoscope"))
        .current_dir(folder.path())
        .args(["study", "run", "studies/two-k.json", "--out", "dataset"])
        .output()
        .unwrap();
    assert_eq!((made(&named), told(&named).contains("40 known")), (0, true), "{}", told(&named));
    fs::write(folder.path().join("two.spc"), (0..90).map(line).collect::<String>()).unwrap();
    assert_eq!(made(&run()), RUNS);
    fs::remove_file(folder.path().join("two.spc")).unwrap();
    let refused = refusal(&run());
    assert!(refused[0].starts_with("two.spc: The trace could not be opened: "), "{refused:?}");
}

#[test]
fn what_is_wrong_is_told_at_once() {
    let folder = folder();
    let refused = |further: &[&str]| refusal(&sweep(folder.path(), further).output().unwrap()).join("\n");
    assert!(
        refused(&["--vary", "switch.ecnTreshold=1:2:2"]).starts_with("vary[1].path: is \"switch.ecnTreshold\", which")
    );
    assert!(refused(&["--measure", "network.dropz"]).starts_with("measures[1].value"));
    let many = ["sweep", "-", "--vary", &format!("{K}=10,20"), "--seeds", "1000000"];
    assert!(refusal(&qoscope(&many, &scenario().to_string()))[0].starts_with("seeds.count: is 1000000, above"));
    assert_eq!(refused(&["--within", "wide"]), "--within takes a width, as in 2% or in 0.5; \"wide\" is none.");
    assert!(refused(&["--shard", "4/3", "--out", "dataset"]).contains("part 3 of 8"));
    assert!(refused(&["--shard", "1/3"]).contains("--out"));
    assert_eq!(
        refused(&["--out", "nowhere", "--resume"]),
        "nowhere has no results to go on with: leave out --resume to begin there."
    );
    assert_eq!(refused(&["--out", "two.json"]), "two.json cannot be written: a file of that name is in the way.");
    assert!(refused(&["--table", "table.xls"]).ends_with("end the name in .csv or .parquet or .json."));
    let faulty = json!({ "version": 2, "title": "", "measures": [], "ask": { "kind": "sweep" } }).to_string();
    let lines = refusal(&qoscope(&["study", "validate", "-"], &faulty));
    assert!(lines.len() >= 2 && lines.iter().any(|line| line.starts_with("title: ")), "{lines:?}");
    let schema: Value = serde_json::from_str(out(&qoscope(&["schema", "--of", "study"], ""))).unwrap();
    assert_eq!(schema["title"], "Study");
}

#[test]
fn search_without_answer_ends_with_3_if_it_looked_at_all_settings_and_with_4_if_runs_ended() {
    let folder = folder();
    let search = |want: &str, values: &str, max_runs: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_qoscope"));
        command.current_dir(folder.path()).args([
            "search",
            "two.json",
            "--want",
            want,
            "--free",
            &format!("{K}={values}"),
        ]);
        command.args(["--least", K, "--confirm", "10", "--seeds", "2", "--max-runs", max_runs, "--out", "dataset"]);
        command.output().unwrap()
    };
    let met = search("sum(classes.carriedGbps) > 1", "10:90:5", "1000");
    assert!(out(&met).contains("the answer") && out(&met).contains("holds in 10 of 10 unseen seeds"), "{}", out(&met));
    // The link carries 10 Gb/s.
    let unmet = search("sum(classes.carriedGbps) > 11", "10:90:5", "1000");
    let printed = str::from_utf8(&unmet.stdout).unwrap();
    assert_eq!(unmet.status.code(), Some(3), "{}", told(&unmet));
    assert!(printed.contains("comes nearest") && !printed.contains("the answer"), "{printed}");
    assert!(
        told(&unmet).contains(" known from dataset"),
        "what the first search ran is not run again: {}",
        told(&unmet)
    );
    assert!(printed.contains("none of all 5 settings was found to meet the target."), "{printed}");
    let stopped = search("sum(classes.carriedGbps) > 11", "10:500:400", "50");
    let printed = str::from_utf8(&stopped.stdout).unwrap();
    assert_eq!(stopped.status.code(), Some(4), "{}", told(&stopped));
    assert!(
        printed.contains("Stopped after ") && printed.contains(" of 400 settings were never looked at"),
        "{printed}"
    );
}

#[test]
fn a_sensitivity_ranks_what_varies() {
    let factors = ["--vary", &format!("{K}=10:90:8"), "--vary", "durationUs=1000:2000:8"];
    let measure = ["--measure", "Events=engine.events", "--seeds", "2", "--walks", "4"];
    let ranked = qoscope(&[&["sensitivity", "-"][..], &factors, &measure].concat(), &scenario().to_string());
    let lines: Vec<&str> = out(&ranked).lines().collect();
    let place =
        |title: &str| lines.iter().position(|line| line.starts_with(title)).unwrap_or_else(|| panic!("{lines:?}"));
    // Twice the time has twice the events; where packets are marked moves fewer.
    assert!(place("Duration") < place("ECN threshold"), "{}", out(&ranked));
    assert!(lines[place("Duration")].contains("raises it"), "{}", out(&ranked));
}
