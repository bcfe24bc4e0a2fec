//! fio itself takes every job file that is written.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::{env, fs};

use qoscope_engine::scenario;
use qoscope_rack::{Target, export};

/// Runs a program; none where it is not there, which is a failure where `QOSCOPE_REQUIRE_TOOLS` is set.
fn run(command: &mut Command) -> Option<Output> {
    match command.output() {
        Ok(output) => Some(output),
        Err(error) if env::var_os("QOSCOPE_REQUIRE_TOOLS").is_none() => {
            eprintln!("skipped: {:?} cannot be run: {error}", command.get_program());
            None
        }
        Err(error) => panic!("{:?}: {error}", command.get_program()),
    }
}

/// `fio --parse-only` of a job file whose devices are there.
fn parse(path: &Path) -> Option<Output> {
    let mut command = Command::new("fio");
    command.arg("--parse-only").arg(path).env("DEVICE", "/dev/zero");
    (1..=64).for_each(|number| {
        command.env(format!("DEVICE_{number}"), "/dev/zero");
    });
    run(&mut command)
}

/// The text of a scenario that comes with the project, and of the same with a latency target.
fn texts(path: &Path) -> [String; 2] {
    let text = fs::read_to_string(path).expect("a scenario can be read");
    let mut document: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    document["classes"][0]["latencyTargetUs"] = 500.into();
    [text, document.to_string()]
}

#[test]
fn fio_takes_every_job_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut seen = BTreeSet::new();
    let scenarios = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../scenarios");
    let paths = fs::read_dir(scenarios).expect("the folder is there").map(|entry| entry.expect("an entry").path());
    let paths: Vec<PathBuf> = paths.filter(|path| path.extension().is_some_and(|of| of == "json")).collect();
    for text in paths.iter().flat_map(|path| texts(path)) {
        let Ok(scenario) = scenario::load(&text) else { continue };
        let Ok(written) = export(&scenario, Target::Fio) else { continue };
        for file in written.files {
            // What another scenario has as well is the same to fio.
            if !seen.insert(file.text.clone()) {
                continue;
            }
            let path = folder.path().join(&file.name);
            fs::write(&path, &file.text).expect("written");
            let Some(output) = parse(&path) else { return };
            let said = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success() && said.is_empty(), "{}: {said}\n{}", file.name, file.text);
        }
    }
    assert!(seen.len() > 50 && seen.iter().any(|text| text.contains("latency_target=500us")), "{} files", seen.len());
}

#[test]
fn fio_refuses_what_is_no_job_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("no.fio");
    fs::write(&path, "[a]\nfilename=/dev/zero\nrw=sideways\n").expect("written");
    if let Some(output) = parse(&path) {
        assert!(!output.status.success());
    }
}

#[test]
fn what_asks_no_device_has_no_jobs() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../scenarios/three-writers.json");
    let scenario = scenario::load(&fs::read_to_string(path).expect("read")).expect("a scenario");
    let found = export(&scenario, Target::Fio).expect_err("nothing to write");
    assert_eq!(found[0].path, "access.protocol");
    assert!(found[0].hint.contains("nvme-tcp"), "{}", found[0].hint);
}
