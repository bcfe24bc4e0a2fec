//! The JSON in what fio printed, with its notes around it.

use std::collections::BTreeMap;

use qoscope_engine::scenario::{Diagnostic, quoted};
use serde_json::Value;

/// What fio printed.
pub(super) struct Printed {
    /// Its runs, each as it was at its end.
    pub runs: Vec<Value>,
    /// States of runs before their end (`--status-interval`), which do not count.
    pub earlier: usize,
    /// What it said before, between and behind the JSON.
    notes: String,
}

/// What to do where there is no JSON of fio.
const ASK: &str = "Let fio write it: fio --output-format=json+ --output=FILE.";

/// What to do with a text that is not in UTF-8.
const AS_UTF_8: &str = "Save it as UTF-8, or let fio write the file: fio --output-format=json+ --output=FILE.";

/// Finds the JSON in what fio printed. `file` names it in diagnostics.
pub(super) fn printed(text: &str, file: &str) -> Result<Printed, Diagnostic> {
    if let Some(refusal) = super::too_long(text.len(), file) {
        return Err(refusal);
    }
    let wrong = |reason: String, hint: &str| Diagnostic::new(file, reason, hint);
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    if text.contains('\0') {
        return Err(wrong(without_json(text).into(), AS_UTF_8));
    }
    let (mut documents, mut notes, mut end) = (Vec::new(), String::new(), 0);
    while let Some(start) = opening(text, end) {
        notes.push_str(&text[end..start]);
        let mut stream = serde_json::Deserializer::from_str(&text[start..]).into_iter::<Value>();
        match stream.next() {
            Some(Ok(document)) => results_in(document, &mut documents),
            Some(Err(error)) if error.is_eof() => {
                let reason = format!("ends within the JSON, in line {}", text.lines().count());
                return Err(wrong(reason, "Copy the whole file; fio may have been ended while it wrote."));
            }
            Some(Err(error)) => {
                let before = text[..start].matches('\n').count();
                let reason = format!("is no JSON in line {}, column {}", before + error.line(), error.column());
                return Err(wrong(reason, ASK));
            }
            None => break,
        }
        end = start + stream.byte_offset();
    }
    notes.push_str(&text[end..]);
    if documents.is_empty() {
        let hint = if text.contains('\u{fffd}') { AS_UTF_8 } else { ASK };
        let reason = if end > 0 { "is JSON, but not of fio: it has no \"fio version\"" } else { without_json(text) };
        return Err(wrong(reason.into(), hint));
    }
    documents.iter().try_for_each(|document| is_of_fio_3(document, file))?;
    let all = documents.len();
    let runs = ends(documents);
    Ok(Printed { earlier: all - runs.len(), runs, notes })
}

impl Printed {
    /// What fio said of an error by its number, in words of the operating system.
    pub(super) fn error(&self, number: i64) -> Option<&str> {
        let said = self.notes.lines().find(|line| line.contains(&format!("err={number}/")))?;
        said.rsplit_once("error=").map(|(_, words)| words.trim())
    }

    /// Whether it was ended by a signal.
    pub(super) fn was_ended(&self) -> bool {
        self.notes.contains("terminating on signal")
    }
}

/// Where the next JSON begins: an object, or a list of objects, on a line of its own.
fn opening(text: &str, from: usize) -> Option<usize> {
    let begins_line = |at: usize| at == 0 || text[..at].ends_with(['\n', '\r', '}', ']']);
    // fio prints a list of the states of its jobs too: [r(1)].
    let is_json = |at: usize| text[at..].starts_with('{') || text[at + 1..].trim_start().starts_with('{');
    text[from..].match_indices(['{', '[']).map(|(at, _)| from + at).find(|at| begins_line(*at) && is_json(*at))
}

/// Collects the results of fio in a document: itself, or those that another program put into lists and objects.
fn results_in(document: Value, found: &mut Vec<Value>) {
    match document {
        Value::Array(list) => list.into_iter().for_each(|one| results_in(one, found)),
        Value::Object(object) if !object.contains_key("fio version") => {
            object.into_iter().for_each(|(_, one)| results_in(one, found));
        }
        Value::Object(object) => found.push(Value::Object(object)),
        _ => {}
    }
}

/// What a text without JSON is.
fn without_json(text: &str) -> &'static str {
    if text.trim().is_empty() {
        "is empty"
    } else if text.contains('\0') || text.contains('\u{fffd}') {
        "is no text in UTF-8; shells of Windows may have written it as UTF-16"
    } else if text.lines().any(|line| line.split(';').count() > 20) {
        "is in fio's terse format, which holds no distribution"
    } else if text.contains(" clat (") || text.contains("Run status group") {
        "is what fio writes for people"
    } else {
        "has no JSON"
    }
}

fn is_of_fio_3(document: &Value, file: &str) -> Result<(), Diagnostic> {
    let Some(version) = document["fio version"].as_str() else {
        return Err(Diagnostic::new(file, "has a \"fio version\" that is no text", ASK));
    };
    let major = version.strip_prefix("fio-").and_then(|rest| rest.split(['.', '-']).next()?.parse::<u32>().ok());
    if major != Some(3) {
        let reason = format!("was written by {}; results of fio 3 are read", quoted(version));
        return Err(Diagnostic::new(file, reason, "Run the jobs with fio 3."));
    }
    if document.get("client_stats").is_some() {
        let reason = "holds results of clients (fio --client), which several hosts may have measured at once";
        return Err(Diagnostic::new(file, reason, "Run fio on the host of the drive, without --client."));
    }
    match document["jobs"].as_array() {
        Some(jobs) if !jobs.is_empty() => Ok(()),
        _ => Err(Diagnostic::new(file, "has no jobs", "Give fio a job to run.")),
    }
}

/// Documents of which none is an earlier state of the one behind it.
fn ends(documents: Vec<Value>) -> Vec<Value> {
    let mut ends: Vec<Value> = Vec::new();
    for document in documents {
        if ends.last().is_some_and(|before| is_earlier(before, &document)) {
            ends.pop();
        }
        ends.push(document);
    }
    ends
}

/// Whether a document is an earlier state of the run of another: it has jobs of that run alone, none of them further, and was written
/// when that run had begun.
fn is_earlier(one: &Value, other: &Value) -> bool {
    let progress = |document: &Value| -> BTreeMap<String, f64> {
        let jobs = document["jobs"].as_array().into_iter().flatten();
        let mut progress = BTreeMap::new();
        for job in jobs {
            let name = format!("{} {}", job["groupid"], job["job options"]);
            let done = |kind: &str| job[kind]["total_ios"].as_f64().unwrap_or_default();
            *progress.entry(name).or_insert(0.0) += done("read") + done("write") + done("trim") + done("mixed");
        }
        progress
    };
    let (before, after) = (progress(one), progress(other));
    let elapsed_ms = other["jobs"].as_array().into_iter().flatten().filter_map(|job| job["elapsed"].as_f64());
    let elapsed_ms = elapsed_ms.fold(0.0, f64::max) * 1000.0;
    let at_ms = |document: &Value| document["timestamp_ms"].as_f64().unwrap_or_default();
    before.iter().all(|(job, done)| after.get(job).is_some_and(|further| further >= done))
        && at_ms(other) - elapsed_ms <= at_ms(one)
}
