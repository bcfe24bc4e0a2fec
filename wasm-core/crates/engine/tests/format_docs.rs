//! The tables of `docs/scenario-format.md` and `docs/metrics.md` say what the catalogue says: every type of the document, every
//! transport, every scheduler of tenants, every metric. `UPDATE_DOCS=1 cargo test --test behaviour format_docs` writes them anew.

use std::collections::BTreeSet;
use std::fmt::Write;

use crate::common::docs;
use qoscope_engine::catalogue::{Aim, Pacing, Scheduler, Signal, Transport, catalogue};
use qoscope_engine::qos::tenants::schedulers::Profile;
use qoscope_engine::scenario::fields::{self, Choice, Field, Form};
use qoscope_engine::simulation::metrics::{Average, MetricEntry, Scope};
use serde_json::Value;

/// A number without a needless fraction.
fn plain(value: &Value) -> String {
    value.to_string().trim_end_matches(".0").into()
}

fn values(field: &Field) -> String {
    if !field.options.is_empty() {
        let words: Vec<String> = field.options.iter().map(|option| format!("`{}`", option.value)).collect();
        return words.join(", ");
    }
    match (field.form, &field.minimum, &field.maximum) {
        (_, Some(least), Some(most)) => format!("{} to {}", plain(least), plain(most)),
        (Form::String, ..) => {
            field.longest.map_or("text".into(), |letters| format!("text of at most {letters} letters"))
        }
        (Form::Boolean, ..) => "true, false".into(),
        (Form::Array, ..) => field.longest.map_or("list".into(), |elements| format!("list of at most {elements}")),
        (Form::Object, ..) => "see below".into(),
        (Form::Any, ..) => "any".into(),
        (Form::Number | Form::Integer, ..) => "number".into(),
    }
}

fn default(field: &Field) -> String {
    let value = default_value(field);
    field.source.as_ref().map_or_else(|| value.clone(), |source| format!("{value}. {source}"))
}

fn default_value(field: &Field) -> String {
    match &field.default {
        Some(Value::Object(_)) => "all defaults".into(),
        // What an empty list stands for is in its sentence.
        Some(Value::Array(_)) => "empty".into(),
        Some(value) => plain(value).replace('"', "`"),
        None if field.required => "required".into(),
        None if field.optional => "empty".into(),
        None => "none".into(),
    }
}

/// What the words mean that a field may hold.
fn meanings(options: &[Choice]) -> String {
    let said: Vec<String> = options.iter().map(|option| format!("`{}`: {}", option.value, option.sentence)).collect();
    said.join(" ")
}

fn table(fields: &[Field], out: &mut String) {
    out.push_str("| Field | Values | Unit | Symbol | Default | Live | Meaning |\n|---|---|---|---|---|---|---|\n");
    for field in fields {
        let live = if field.live { "yes" } else { "" };
        let (unit, symbol) = (field.unit.as_deref().unwrap_or_default(), field.symbol.as_deref().unwrap_or_default());
        let meaning = [field.sentence.as_str(), &meanings(&field.options)].join(" ");
        let (name, values, default, meaning) = (&field.name, values(field), default(field), meaning.trim_end());
        let _ = writeln!(out, "| `{name}` | {values} | {unit} | {symbol} | {default} | {live} | {meaning} |");
    }
    out.push('\n');
}

/// A table for each type of the document, found by walking it.
fn format() -> String {
    let mut out = String::new();
    let mut seen = BTreeSet::new();
    for field in fields::document().all() {
        let has_fields = !field.fields.is_empty() || !field.variants.is_empty();
        if !has_fields || field.of.as_ref().is_some_and(|of| !seen.insert(of)) {
            continue;
        }
        let title = if field.path.is_empty() { "The document".into() } else { format!("`{}`", field.path) };
        let _ = writeln!(out, "\n### {title}\n\n{}\n", field.sentence);
        for variant in &field.variants {
            let _ = writeln!(out, "**`{}`**: {}\n", variant.choice.value, variant.choice.sentence);
            if !variant.fields.is_empty() {
                table(&variant.fields, &mut out);
            }
        }
        if field.variants.is_empty() {
            table(&field.fields, &mut out);
        }
    }
    out
}

fn metric(entry: &MetricEntry) -> String {
    let quantity = entry.quantity;
    let scope = |scope: &Scope| match scope {
        Scope::Network => "network",
        Scope::Class => "class",
        Scope::Connection => "connection",
        Scope::Device => "device",
    };
    let mut of: Vec<&str> = entry.series.iter().map(scope).collect();
    if entry.figure {
        of.push("figure");
    }
    let average = match quantity.average {
        Average::Mean => "mean",
        Average::Sum => "sum",
        Average::Least => "least",
        Average::Greatest => "greatest",
        Average::ByRequests => "mean, weighted by requests",
        Average::None => "",
    };
    let title = [quantity.title, quantity.symbol].join(" ");
    let (id, unit, title, sentence) = (quantity.id, quantity.unit, title.trim_end(), quantity.sentence);
    let chart = if quantity.chart.is_some() { "yes" } else { "" };
    format!("| `{id}` | {title} | {unit} | {} | {average} | {chart} | {sentence} |\n", of.join(", "))
}

fn transport(transport: &Transport) -> String {
    let paces = match transport.paces {
        Pacing::Window => "window",
        Pacing::Rate => "rate",
    };
    let signal = match transport.learns_from {
        Signal::Marks => "marks",
        Signal::Rtt => "RTT",
    };
    let aim = match transport.follows {
        Aim::Quality => "its quality factor",
        Aim::Deadlines => "deadlines",
        Aim::Nothing => "",
    };
    let fields: Vec<String> = transport.fields.iter().map(|name| format!("`{name}`")).collect();
    let Choice { value, title, sentence } = &transport.choice;
    format!("| `{value}` | {title} | {paces} | {signal} | {aim} | {} | {sentence} |\n", fields.join(", "))
}

fn scheduler(Scheduler { choice, profile, .. }: &Scheduler) -> String {
    let Profile { uses_weights, uses_contracts, uses_ladder, holds_requests, .. } = *profile;
    let uses = [(uses_weights, "weights"), (uses_contracts, "contracts"), (uses_ladder, "the burst ladder")];
    let uses: Vec<&str> = uses.iter().filter_map(|(is_used, name)| is_used.then_some(*name)).collect();
    let holds = if holds_requests { "yes" } else { "" };
    let Choice { value, title, sentence } = choice;
    format!("| `{value}` | {title} | {} | {holds} | {sentence} |\n", uses.join(", "))
}

/// Tables of what is measured, and of what can be measured of whom.
fn metrics() -> String {
    let catalogue = catalogue();
    let mut out = String::from(
        "\n## Metrics\n\n| Name | Title | Unit | Of | Over a longer time | In the menu | Meaning |\n|---|---|---|---|---|---|---|\n",
    );
    out.extend(catalogue.metrics.iter().map(metric));
    out.push_str("\n## Transports\n\n| Name | Title | Lets packets out by | Learns from | Follows | Reads | What it does |\n|---|---|---|---|---|---|---|\n");
    out.extend(catalogue.transports.iter().map(transport));
    out.push_str("\n## Schedulers of tenants\n\n| Name | Title | Goes by | Holds requests before an idle server | What it does |\n|---|---|---|---|---|\n");
    out.extend(catalogue.tenant_schedulers.iter().map(scheduler));
    out.push('\n');
    out
}

#[test]
fn the_tables_say_what_the_catalogue_says() {
    for (name, tables) in [("scenario-format.md", format()), ("metrics.md", metrics())] {
        docs::hold(name, &tables, "format_docs");
    }
}
