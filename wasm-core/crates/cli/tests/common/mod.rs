//! What tests of the command line have in common.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::str;

use serde_json::{Value, json};

/// Runs `qoscope` on `input`.
pub fn qoscope(arguments: &[&str], input: &str) -> Output {
    qoscope_in(Path::new("."), arguments, input)
}

/// Runs `qoscope` on `input`, in a folder.
pub fn qoscope_in(folder: &Path, arguments: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_qoscope"))
        .args(arguments)
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A command that refuses its arguments does not read its input.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    child.wait_with_output().unwrap()
}

/// Two writers that share a link.
pub fn scenario() -> Value {
    json!({
        "version": 3,
        "name": "Two writers",
        "durationUs": 2000,
        "topology": { "shape": { "kind": "dumbbell", "senders": 2, "receivers": 1, "switches": 1 }, "linkGbps": 10, "baseRttUs": 50 },
        "switch": { "ecnThresholdPackets": 40 },
        "classes": [{ "name": "High", "ratio": 2 }, { "name": "Low" }],
        "workloads": [
            { "class": "High", "endpoints": { "kind": "pairs", "initiators": ["h0"], "targets": ["h2"] }, "traffic": { "kind": "backlogged" } },
            {
                "class": "Low",
                "endpoints": { "kind": "pairs", "initiators": ["h1"], "targets": ["h2"] },
                "traffic": { "kind": "open-loop", "offeredGbps": 8, "size": { "kind": "fixed", "bytes": 20_000 } }
            }
        ]
    })
}

/// Standard output of a command that must have succeeded.
pub fn out(output: &Output) -> &str {
    assert!(output.status.success(), "{}", str::from_utf8(&output.stderr).unwrap());
    str::from_utf8(&output.stdout).unwrap()
}

/// The lines on standard error of a command that must have refused its input.
pub fn refusal(output: &Output) -> Vec<String> {
    assert_eq!(output.status.code(), Some(2));
    assert!(output.stdout.is_empty());
    str::from_utf8(&output.stderr).unwrap().lines().map(String::from).collect()
}
