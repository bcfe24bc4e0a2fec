//! The tables of `docs/scenario-format.md` say what the schema says. `UPDATE_DOCS=1 cargo test --test format_docs` writes
//! them anew.

use std::fmt::Write;
use std::path::Path;
use std::{env, fs};

use qoscope_engine::scenario;
use serde_json::Value;

const BEGIN: &str = "<!-- Tables made from the schema: begin -->\n";
const END: &str = "<!-- Tables made from the schema: end -->\n";

/// Titles of the tables, and where their fields stand in the schema.
const TABLES: [(&str, &str); 13] = [
    ("The document", ""),
    ("`topology`", "/$defs/Topology"),
    ("`topology.shape`", "/$defs/Shape"),
    ("`topology.shape.nodes[]`", "/$defs/Node"),
    ("`topology.shape.links[]`", "/$defs/LinkSpec"),
    ("`switch`", "/$defs/Switch"),
    ("`host`", "/$defs/Host"),
    ("`qos`", "/$defs/Qos"),
    ("`classes[]`", "/$defs/Class"),
    ("`workloads[]`", "/$defs/Workload"),
    ("`workloads[].endpoints`", "/$defs/Endpoints"),
    ("`workloads[].traffic`", "/$defs/Traffic"),
    ("`workloads[].traffic.size`", "/$defs/Size"),
];

const LAST_TABLES: [(&str, &str); 2] = [("`timeline[]`", "/$defs/Change"), ("`measurement`", "/$defs/Measurement")];

fn text<'a>(schema: &'a Value, key: &str) -> &'a str {
    schema.get(key).and_then(Value::as_str).unwrap_or_default()
}

/// A number without a needless fraction.
fn plain(value: &Value) -> String {
    value.to_string().trim_end_matches(".0").into()
}

fn values(root: &Value, field: &Value) -> String {
    let form = match field.get("$ref").and_then(Value::as_str) {
        Some(target) => root.pointer(&target[1..]).unwrap_or(&Value::Null),
        None => field,
    };
    if let Some(branches) = form.get("oneOf").and_then(Value::as_array) {
        let words: Vec<String> = branches
            .iter()
            .filter_map(|branch| branch.get("const"))
            .map(|word| format!("`{}`", word.as_str().unwrap_or_default()))
            .collect();
        return if words.is_empty() { "see below".into() } else { words.join(", ") };
    }
    if let Some(word) = form.get("const") {
        return format!("`{}`", word.as_str().unwrap_or_default());
    }
    let kind = match form.get("type") {
        Some(Value::Array(kinds)) => kinds[0].as_str().unwrap_or_default(),
        Some(kind) => kind.as_str().unwrap_or_default(),
        None => "any",
    };
    let (least, most) = (form.get("minimum"), form.get("maximum"));
    match (kind, least, most) {
        (_, Some(least), Some(most)) => format!("{} to {}", plain(least), plain(most)),
        ("string", ..) => "text".into(),
        ("array", ..) => "list".into(),
        ("object", ..) => "see below".into(),
        (other, ..) => other.into(),
    }
}

fn default(field: &Value, required: bool) -> String {
    match field.get("default") {
        Some(Value::Object(_)) => "all defaults".into(),
        Some(value) => plain(value).to_string().replace('"', "`"),
        None if required => "required".into(),
        None => "none".into(),
    }
}

fn fields(root: &Value, form: &Value, out: &mut String) {
    out.push_str("| Field | Values | Unit | Symbol | Default | Live | Meaning |\n|---|---|---|---|---|---|---|\n");
    let required: Vec<&str> = form["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    for (name, field) in form["properties"].as_object().into_iter().flatten() {
        let live = if field.get("x-live").is_some() { "yes" } else { "" };
        let default = default(field, required.contains(&name.as_str()));
        let (unit, symbol, meaning) = (text(field, "x-unit"), text(field, "x-symbol"), text(field, "description"));
        let values = values(root, field);
        let _ = writeln!(out, "| `{name}` | {values} | {unit} | {symbol} | {default} | {live} | {meaning} |");
    }
    out.push('\n');
}

fn tables() -> String {
    let root = scenario::schema();
    let mut out = String::new();
    for (title, place) in TABLES.into_iter().chain(LAST_TABLES) {
        let form = root.pointer(place).expect("the schema has every section");
        let _ = writeln!(out, "\n### {title}\n\n{}\n", text(form, "description"));
        match form.get("oneOf").and_then(Value::as_array) {
            Some(branches) => {
                for branch in branches {
                    let kind = text(&branch["properties"]["kind"], "const");
                    let _ = writeln!(out, "**`{kind}`**: {}\n", text(branch, "description"));
                    fields(&root, branch, &mut out);
                }
            }
            None => fields(&root, form, &mut out),
        }
    }
    out
}

#[test]
fn the_tables_say_what_the_schema_says() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../docs/scenario-format.md");
    let document = fs::read_to_string(&path).unwrap();
    let (before, rest) = document.split_once(BEGIN).expect("the document has a place for the tables");
    let (found, after) = rest.split_once(END).expect("the place for the tables ends");
    let tables = tables();
    if env::var_os("UPDATE_DOCS").is_some() {
        fs::write(&path, format!("{before}{BEGIN}{tables}{END}{after}")).unwrap();
    } else {
        assert!(found == tables, "docs/scenario-format.md is out of date: UPDATE_DOCS=1 cargo test --test format_docs");
    }
}
