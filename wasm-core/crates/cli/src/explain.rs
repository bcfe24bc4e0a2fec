//! `qoscope explain`.

use std::io::Write;

use qoscope_engine::catalogue::{self, FieldExplanation, QueueLevel, Source};
use qoscope_engine::scenario::Scenario;
use serde_json::Value;

use crate::RunFormat;
use crate::failure::Failure;
use crate::table::table;

/// Prints the value in force of every field, where it comes from, and why it has no effect where it has none.
pub fn explain(scenario: &Scenario, format: RunFormat, out: &mut impl Write) -> Result<(), Failure> {
    let explanation = catalogue::explain(scenario)?;
    match format {
        RunFormat::Json => {
            serde_json::to_writer_pretty(&mut *out, &explanation).map_err(std::io::Error::from)?;
            writeln!(out)?;
        }
        RunFormat::Table => {
            let rows =
                explanation.fields.iter().map(|field| vec![field.path.clone(), value(&field.value), said(field)]);
            write!(out, "{}", table(["field", "value", ""], 3, rows))?;
            for missing in &explanation.metrics {
                writeln!(out, "No {}: {}.", missing.id, missing.reason)?;
            }
            for level in explanation.queues.levels.iter().filter(|_| scenario.has_devices()) {
                writeln!(out, "{}", queue(scenario, level))?;
            }
            if let Some(share) = explanation.effective_spare_share {
                writeln!(out, "Effective spare share of the SSDs at the start: {:.1} %.", share * 100.0)?;
            }
        }
    }
    Ok(())
}

/// A level of submission queues: whose commands go there, and their weight.
fn queue(scenario: &Scenario, QueueLevel { level, title, classes, weight }: &QueueLevel) -> String {
    let names: Vec<&str> = classes.iter().map(|&class| scenario.classes[class].name.as_str()).collect();
    let whose = if names.is_empty() { title.clone() } else { names.join(", ") };
    let weight = weight.map(|weight| format!(", weight {weight}")).unwrap_or_default();
    format!("Submission queues of {} priority: {whose}{weight}.", level.id())
}

/// Letters of a value that are shown.
const MAXIMUM_SHOWN: usize = 40;

fn value(value: &Value) -> String {
    let text = match value {
        Value::Null => "-".into(),
        Value::String(text) => text.clone(),
        Value::Array(elements) => format!("a list of {}", elements.len()),
        value => value.to_string(),
    };
    let mut letters = text.chars().map(|letter| if letter.is_control() { ' ' } else { letter });
    let mut shown: String = letters.by_ref().take(MAXIMUM_SHOWN).collect();
    if letters.next().is_some() {
        shown.push('…');
    }
    shown
}

/// Where the value comes from, why it has no effect, and why it is surely not meant.
fn said(field: &FieldExplanation) -> String {
    let source = match (&field.from, field.source) {
        (Some(from), _) => from.as_str(),
        (None, Source::Given) => "given",
        (None, Source::Default) => "default",
        (None, Source::Derived) => "derived",
    };
    let no_effect = field.no_effect.as_ref().map(|no_effect| match no_effect.moves_target {
        true => format!("no effect on the run, but moves what it is measured by: {}", no_effect.reason),
        false => format!("no effect: {}", no_effect.reason),
    });
    let warning = field.warning.as_ref().map(|warning| format!("warning: {warning}"));
    [Some(source.to_owned()), no_effect, warning].into_iter().flatten().collect::<Vec<_>>().join("; ")
}
