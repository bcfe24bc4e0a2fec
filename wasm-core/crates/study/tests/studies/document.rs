//! What `docs/studies.md` has between marks: the fields of the format, the studies that there are, and what the searches came to.

use std::fmt::Write;
use std::fs;

use libtest_mimic::Failed;
use qoscope_study::{Ask, Study, schema};
use serde_json::Value;

use crate::record::Record;
use crate::{faults, is_asked};

const DOCUMENT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../docs/studies.md");

/// Fails where the document lists something else, or writes it.
pub fn hold(studies: &[(String, Study)]) -> Result<(), Failed> {
    let text = fs::read_to_string(DOCUMENT)?;
    for block in text.split("```json\n").skip(1).filter_map(|rest| Some(rest.split_once("```")?.0)) {
        // Parts of a study are shown as well.
        if block.contains("\"version\"") {
            Study::read(block).map_err(|found| faults("a study in docs/studies.md", &found))?;
        }
    }
    let lists = [("fields", fields()?), ("studies", list(studies)?), ("answers", answers(studies)?)];
    let must_say = lists.iter().try_fold(text.clone(), |text, (name, list)| with(&text, name, list))?;
    if must_say == text {
        return Ok(());
    }
    if is_asked("UPDATE_DOCS") {
        return Ok(fs::write(DOCUMENT, must_say)?);
    }
    Err("docs/studies.md is out of date: UPDATE_DOCS=1 cargo test -p qoscope-study --test studies".into())
}

/// A text with another list between its marks.
fn with(text: &str, name: &str, list: &str) -> Result<String, String> {
    let [begin, end] = ["begin", "end"].map(|mark| format!("<!-- {name}: {mark} -->\n"));
    let cut = text.split_once(&begin).and_then(|(before, rest)| Some((before, rest.split_once(&end)?.1)));
    let (before, after) = cut.ok_or_else(|| format!("docs/studies.md lacks the lines {begin:?} and {end:?}"))?;
    Ok(format!("{before}{begin}{list}{end}{after}"))
}

/// A table for every object of the format, in the order in which they first appear.
fn fields() -> Result<String, Failed> {
    let mut text = String::new();
    let mut open = vec![("the study".to_owned(), schema())];
    let mut seen = Vec::new();
    while !open.is_empty() {
        let (title, object) = open.remove(0);
        let variants: Vec<&Value> =
            object["oneOf"].as_array().map_or_else(|| vec![object], |variants| variants.iter().collect());
        for variant in variants {
            let Some(properties) = variant["properties"].as_object() else { continue };
            let kind =
                properties.get("kind").map_or_else(String::new, |kind| format!(", `kind`: {}", said(&kind["const"])));
            write!(text, "\n**{title}{kind}**: {}\n\n| field | | default | |\n|---|---|---|---|\n", sentence(variant))?;
            for (name, field) in properties.iter().filter(|(name, _)| *name != "kind") {
                let is_required =
                    variant["required"].as_array().is_some_and(|required| required.contains(&name.as_str().into()));
                let default = match &field["default"] {
                    _ if is_required => "required".into(),
                    Value::Null | Value::Object(_) => String::new(),
                    default => said(default),
                };
                writeln!(text, "| `{name}` | {} | {default} | {} |", values(field), sentence(field))?;
                if let Some(below) = reference(field).filter(|below| !seen.contains(below)) {
                    seen.push(below);
                    open.push((format!("`{name}`"), &schema()["$defs"][below]));
                }
            }
        }
    }
    Ok(format!("{text}\n"))
}

/// A sentence of the schema on one line, as a table has it.
fn sentence(of: &Value) -> String {
    of["description"].as_str().unwrap_or_default().replace('\n', " ").replace('|', "\\|")
}

fn said(value: &Value) -> String {
    match value {
        Value::String(word) => format!("`{word}`"),
        Value::Number(number) => number.to_string().trim_end_matches(".0").into(),
        other => other.to_string(),
    }
}

/// The name of the object that a field holds, or a list of which.
fn reference(field: &Value) -> Option<&'static str> {
    let of =
        [&field["$ref"], &field["items"]["$ref"], &field["anyOf"][0]["$ref"]].into_iter().find_map(Value::as_str)?;
    let name = of.strip_prefix("#/$defs/")?;
    schema()["$defs"].as_object()?.keys().find(|known| *known == name).map(String::as_str)
}

/// What a field takes.
fn values(field: &Value) -> String {
    let words = reference(field).and_then(|name| schema()["$defs"][name]["oneOf"].as_array());
    let words: Vec<String> =
        words.into_iter().flatten().filter(|word| word["const"].is_string()).map(|word| said(&word["const"])).collect();
    if !words.is_empty() {
        return words.join(", ");
    }
    let types: Vec<&str> = match &field["type"] {
        Value::String(one) => vec![one],
        Value::Array(several) => several.iter().filter_map(Value::as_str).filter(|one| *one != "null").collect(),
        _ => return if reference(field).is_some() { "see below".into() } else { "any".into() },
    };
    let bounds = match (&field["minimum"], &field["maximum"]) {
        (Value::Null, Value::Null) => None,
        (least, Value::Null) => Some(format!("from {}", said(least))),
        (Value::Null, most) => Some(format!("to {}", said(most))),
        (least, most) => Some(format!("{} to {}", said(least), said(most))),
    };
    let one = |of: &str| match of {
        "string" => field["maxLength"].as_u64().map_or("text".into(), |most| format!("text of at most {most} letters")),
        "array" => field["maxItems"].as_u64().map_or("list".into(), |most| format!("list of at most {most}")),
        "object" => "object".into(),
        "boolean" => "true, false".into(),
        _ => bounds.clone().unwrap_or_else(|| "number".into()),
    };
    types.into_iter().map(one).collect::<Vec<_>>().join(", or ")
}

fn kind_of(ask: &Ask) -> &'static str {
    match ask {
        Ask::Sweep { .. } => "sweep",
        Ask::Sensitivity { .. } => "sensitivity",
        Ask::Search { .. } => "search",
    }
}

/// The studies that there are, by what they ask.
fn list(studies: &[(String, Study)]) -> Result<String, Failed> {
    let mut text = String::from("\n| file | asks | |\n|---|---|---|\n");
    for kind in ["sweep", "sensitivity", "search"] {
        for (name, study) in studies.iter().filter(|(_, study)| kind_of(&study.ask) == kind) {
            writeln!(text, "| [`{name}`](../scenarios/studies/{name}.json) | {kind} | {} |", study.title)?;
        }
    }
    Ok(format!("{text}\n"))
}

/// What the searches came to, beside what is known by hand.
fn answers(studies: &[(String, Study)]) -> Result<String, Failed> {
    let record = Record::read()?;
    let mut text = String::from(
        "\n| question | by hand | found | runs | of a grid's | held on unseen seeds |\n|---|---|---|---|---|---|\n",
    );
    for (name, of) in &record.searches {
        let title = studies.iter().find(|(known, _)| known == name).map_or(name, |(_, study)| &study.title);
        let percent = 100.0 * of.runs as f64 / of.grid_runs as f64;
        let held = if of.of == 0 { "cannot be met".into() } else { format!("{} of {}", of.held, of.of) };
        writeln!(
            text,
            "| {title} | {} | {} | {} | {percent:.1} % | {held} |",
            rounded(of.known),
            rounded(of.found),
            of.runs
        )?;
    }
    Ok(format!("{text}\n"))
}

/// Four digits or so.
fn rounded(number: f64) -> String {
    let decimals = match number.abs() {
        1000.0.. => 0,
        100.0.. => 1,
        _ => 2,
    };
    format!("{number:.decimals$}")
}
