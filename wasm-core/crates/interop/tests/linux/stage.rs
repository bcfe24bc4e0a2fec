//! Where scripts run, and what they call.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::process::{Command, Output};
use std::sync::OnceLock;
use std::{env, fs};

use qoscope_interop::{Export, File, Target, export};

use crate::scenarios::all;

/// Programs that scripts call.
const PROGRAMS: [&str; 7] = ["ip", "iscsiadm", "modprobe", "nvme", "sysctl", "targetcli", "tc"];

/// What is written for every scenario that has something for Linux.
pub fn exports() -> &'static [(String, Export)] {
    static WRITTEN: OnceLock<Vec<(String, Export)>> = OnceLock::new();
    WRITTEN.get_or_init(written)
}

fn written() -> Vec<(String, Export)> {
    let written = all().into_iter().filter_map(|(name, scenario)| match export(&scenario, Target::Linux) {
        Ok(export) => Some((name, export)),
        Err(why) => {
            assert!(why[0].reason.starts_with("have nothing for Linux"), "{name}: {why:?}");
            None
        }
    });
    written.collect()
}

/// Every other file once, with the first scenario that has it.
pub fn files(ends: &str) -> Vec<(String, &'static File)> {
    let mut seen = BTreeSet::new();
    let mut files = Vec::new();
    for (name, export) in exports() {
        for file in export.files.iter().filter(|file| file.name.ends_with(ends)) {
            if seen.insert(&file.text) {
                files.push((format!("{name}, {}", file.name), file));
            }
        }
    }
    files
}

/// What a program that is here says; none where it is not, which is a failure where `QOSCOPE_REQUIRE_TOOLS` is set.
pub fn output(command: &mut Command) -> Option<Output> {
    let said = command.output();
    if said.is_err() {
        let what = format!("{} is not here", command.get_program().display());
        assert!(env::var_os("QOSCOPE_REQUIRE_TOOLS").is_none(), "{what}");
        eprintln!("skipped: {what}");
    }
    said.ok()
}

/// A command in a network of its own, where this user may have one.
pub fn in_own_network() -> Option<Vec<&'static str>> {
    let ways = [vec!["unshare", "--net"], vec!["unshare", "--user", "--map-root-user", "--net"]];
    let works = |way: &Vec<&str>| {
        let said = Command::new(way[0]).args(&way[1..]).args(["ip", "link", "set", "lo", "up"]).output();
        said.is_ok_and(|said| said.status.success())
    };
    let way = ways.into_iter().find(works);
    if way.is_none() {
        let what = "this user may have no network of its own, or there is no iproute2";
        assert!(env::var_os("QOSCOPE_REQUIRE_TOOLS").is_none(), "{what}");
        eprintln!("skipped: {what}");
    }
    way
}

/// A place where scripts run, with stand-ins for programs that write down how they were called.
pub struct Stage {
    folder: tempfile::TempDir,
}

impl Stage {
    /// A stage that is empty.
    pub fn new() -> Self {
        let stage = Self { folder: tempfile::tempdir().expect("a folder") };
        for folder in [
            "bin",
            "sys/module/tcp_dctcp/parameters",
            "sys/class/net/eth0/queues/tx-0/byte_queue_limits",
            "nvmet/ports/1/subsystems",
            "nvmet/ports/2/subsystems",
        ] {
            fs::create_dir_all(stage.path(folder)).expect("a folder");
        }
        for program in PROGRAMS {
            let path = stage.path("bin").join(program);
            let calls = stage.path("calls").display().to_string();
            let text = format!(
                "#!/bin/sh\n{{ printf '%s' {program}; printf '\\037%s' \"$@\"; printf '\\n'; }} >> '{calls}'\n"
            );
            fs::write(&path, text).expect("a stand-in");
            #[cfg(unix)]
            fs::set_permissions(&path, std::os::unix::fs::PermissionsExt::from_mode(0o755)).expect("it can be run");
        }
        stage
    }

    /// The place of something on it.
    pub fn path(&self, of: &str) -> PathBuf {
        self.folder.path().join(of)
    }

    /// Runs a script to its end. Returns the calls of programs, word by word.
    pub fn run(&self, what: &str, text: &str) -> Vec<Vec<String>> {
        let root = self.folder.path().display();
        let script = self.path("script.sh");
        fs::write(&script, text.replace("/sys/", &format!("{root}/sys/"))).expect("a script");
        let _ = fs::remove_file(self.path("calls"));
        let path = format!("{root}/bin:{}", env::var("PATH").unwrap_or_default());
        let mut command = Command::new("sh");
        command.arg(&script).env("PATH", path).env("NVMET", self.path("nvmet"));
        match what.rsplit_once(", ").expect("a file of a scenario").1 {
            "target.sh" | "iscsi-target.sh" => command.args(["h7", "10.0.0.7", "/dev/nvme0n1", "/dev/nvme1n1"]),
            "switch.sh" => command.args(["lo", "lo"]).envs(text.contains("RATE:?").then_some(("RATE", "10Gbit"))),
            name if name.ends_with("connect.sh") => {
                let asked = text.lines().filter_map(|line| Some(line.strip_prefix(": \"${")?.split_once(":?")?.0));
                for variable in asked {
                    command.env(variable, if variable.starts_with("TARGET") { "h7" } else { "10.0.0.7" });
                }
                &mut command
            }
            _ => command.args(["eth0", "10.0.0.0/24"]),
        };
        let said = command.output().expect("a shell");
        assert!(said.status.success(), "{what}: {}\n{text}", String::from_utf8_lossy(&said.stderr));
        let calls = fs::read_to_string(self.path("calls")).unwrap_or_default();
        calls.lines().map(|line| line.split('\u{1f}').map(Into::into).collect()).collect()
    }
}

/// The calls of a program by all scripts, each once, with the first file that has it.
pub fn calls(program: &str, names: &str) -> BTreeMap<Vec<String>, String> {
    let stage = Stage::new();
    let mut calls = BTreeMap::new();
    for (what, file) in files(names) {
        for call in stage.run(&what, &file.text).into_iter().filter(|call| call[0] == program) {
            calls.entry(call).or_insert_with(|| what.clone());
        }
    }
    calls
}

/// The word behind another one.
pub fn after<'a>(call: &'a [String], word: &str) -> Option<&'a str> {
    let at = call.iter().position(|own| own == word)?;
    call.get(at + 1).map(String::as_str)
}

/// The number behind a word.
pub fn number(call: &[String], word: &str) -> f64 {
    let text = after(call, word).unwrap_or_else(|| panic!("no {word} in {call:?}"));
    text.trim_end_matches("ms").parse().unwrap_or_else(|_| panic!("{word} {text}"))
}
