//! Lessons as data: what a class reads, predicts, tries and finds, and how it is held against our runs.
//!
//! A [`Lesson`] is read from JSON (`scenarios/lessons/`), every fault at once. Whoever has the results of its runs has its texts
//! with numbers ([`Lesson::told`]) and its answers judged ([`Lesson::judge`]). [`Lesson::play`] holds a whole lesson under several seeds: what
//! it asserts, its right answers, the wrong readings that it must refuse, its solutions. The format is described in `docs/lessons.md`.

mod campaign;
mod check;
mod document;
mod judge;
mod play;
mod runs;
mod session;
mod statement;
mod step;
#[cfg(test)]
mod tests;
mod text;
mod told;

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

use qoscope_engine::scenario::{self, Diagnostic};
use serde_json::Value;

pub use campaign::LessonCheck;
pub use document::*;
pub use judge::{Answer, Happened, Judgement};
pub use play::{Held, Line, Need, Played, PlayedStep, Seen};
pub use runs::{Scenarios, with_settings};
pub use session::Session;
pub use text::shown;
pub use told::{ToldStatement, ToldStep};

use crate::each;
use crate::expression::Scope;

/// Results under one seed by name of the run or model: of a run its summary, with the scenario in force as `settings`, or a list
/// of them where it sweeps.
pub type LessonResults = BTreeMap<String, Arc<Value>>;

/// What expressions read.
fn scope(results: &LessonResults) -> Scope<'_> {
    results.iter().map(|(name, result)| (name.as_str(), result.as_ref())).collect()
}

/// The JSON Schema of a lesson whose repetitions (`each`) are written out. It is kept as text, as that of scenarios is: the code
/// that derives it from the types would be a good part of the module that a page fetches.
pub fn schema() -> &'static Value {
    static SCHEMA: LazyLock<Value> =
        LazyLock::new(|| serde_json::from_str(include_str!("schema.json")).expect("a test compares it with the types"));
    &SCHEMA
}

/// The same as the types say it, which the text that is kept must agree with.
pub fn schema_of_types() -> Value {
    let mut schema = schemars::schema_for!(Lesson).to_value();
    with_common_fields(&mut schema["$defs"]["Step"]);
    schema
}

/// Puts what every kind of step has into the form of each kind: a form that is told by its `kind` has all of its fields.
fn with_common_fields(step: &mut Value) {
    let Some(form) = step.as_object_mut() else { return };
    let common = form.remove("properties").unwrap_or_default();
    let required = form.remove("required").unwrap_or_default();
    for kind in form.get_mut("oneOf").and_then(Value::as_array_mut).into_iter().flatten() {
        for (name, field) in common.as_object().into_iter().flatten() {
            kind["properties"][name] = field.clone();
        }
        let names = kind["required"].as_array_mut().into_iter();
        names.for_each(|names| names.extend(required.as_array().into_iter().flatten().cloned()));
        kind["additionalProperties"] = false.into();
    }
    form.remove("type");
}

/// The seed that a student's name gives, the same however it is spelt in small and capital letters: FNV-1a, from 1 to a million, so that
/// it can be read out.
pub fn seed_of(name: &str) -> u32 {
    const SEEDS: u64 = 1_000_000;
    let words: Vec<String> = name.split_whitespace().map(str::to_lowercase).collect();
    let hash = words
        .join(" ")
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
    // The lowest bits of this hash follow the last letter alone.
    1 + u32::try_from((hash >> 20) % SEEDS).unwrap_or(0)
}

impl Lesson {
    /// Reads a lesson from JSON text.
    ///
    /// # Errors
    /// Every diagnostic of the document at once. Paths are those of the document with its repetitions written out.
    pub fn read(text: &str) -> Result<Self, Vec<Diagnostic>> {
        let document = scenario::parse(text).map_err(|diagnostic| vec![diagnostic])?;
        let document = each::written_out_everywhere(document).map_err(|diagnostic| vec![diagnostic])?;
        let diagnostics = scenario::check_form(schema(), &document);
        if !diagnostics.is_empty() {
            return Err(diagnostics);
        }
        let lesson: Self = scenario::typed(document).map_err(|diagnostic| vec![diagnostic])?;
        let diagnostics = lesson.check();
        if diagnostics.is_empty() { Ok(lesson) } else { Err(diagnostics) }
    }

    /// The run of a name.
    pub fn run(&self, name: &str) -> Option<&LessonRun> {
        self.runs.iter().find(|run| run.name == name)
    }

    /// The model of a name.
    pub fn model(&self, name: &str) -> Option<&crate::Model> {
        self.models.iter().find(|model| model.name() == name)
    }

    /// The run on the screen at a step: its own, or the one of the step before.
    pub fn shown_run(&self, step: usize) -> Option<&LessonRun> {
        let own = self.steps.get(..=step)?.iter().rev().find_map(Step::own_run)?;
        self.run(own)
    }

    /// The runs and models that a step speaks of, the run on the screen first.
    pub fn needs(&self, step: usize) -> Vec<&str> {
        let Some(of) = self.steps.get(step) else { return Vec::new() };
        let named = of.names();
        let all = self.runs.iter().map(|run| run.name.as_str()).chain(self.models.iter().map(crate::Model::name));
        let shown = self.shown_run(step).map(|run| run.name.as_str());
        let others = all.filter(|name| Some(*name) != shown && named.contains(*name));
        shown.into_iter().chain(others).collect()
    }
}
