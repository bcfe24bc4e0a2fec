//! A step as it is told: its texts with numbers, and how its statements stand.

use qoscope_engine::text::exact;
use std::sync::Arc;

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use super::document::{Act, Lesson, Question, Statement};
use super::runs::measured_from_ms;
use super::text::{NO_VALUE, NOT_YET, Text, with_unit};
use super::{LessonResults, scope};
use crate::expression::{Expression, Scope};
use crate::{Picture, Plot, Results};

/// A step as it is told. Where a result is not there yet its numbers are "…".
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ToldStep {
    /// Title.
    pub title: String,
    /// What is to be read first.
    pub text: String,
    /// The question of a prediction.
    pub prompt: Option<String>,
    /// What may be chosen.
    pub options: Vec<String>,
    /// What to look at while exploring.
    pub look: Vec<String>,
    /// Help for a challenge, one after the other.
    pub hints: Vec<String>,
    /// Why what one might try fails, in the order of the challenge's `wrong`.
    pub wrong: Vec<String>,
    /// What is told at the end.
    pub explain: Option<String>,
    /// The goals of a challenge.
    pub goals: Vec<ToldStatement>,
    /// What the text relies on.
    pub asserts: Vec<ToldStatement>,
    /// What its plot shows; none while a result that it reads is not there.
    pub picture: Option<Picture>,
}

/// How a statement stands.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ToldStatement {
    /// What is stated.
    pub says: String,
    /// Where the number is to lie: `at most 300 us`.
    pub wanted: String,
    /// The number; none where there is no result yet, or no value.
    pub value: Option<f64>,
    /// The same as text, with its unit.
    pub text: String,
    /// Whether it holds; none while there is no result of a measured part of the run.
    pub holds: Option<bool>,
}

impl Lesson {
    /// A step with the numbers of these results.
    ///
    /// The task of a challenge is described by `results`; its goals and the texts about an attempt read `tried`, the
    /// result of the student's own settings, in place of the run of the step.
    pub fn told(&self, step: usize, results: &LessonResults, tried: Option<&Arc<Value>>) -> ToldStep {
        let shown_run = self.shown_run(step);
        let Some(step) = self.steps.get(step) else { return ToldStep::default() };
        let scope = scope(results);
        let mut tried_scope = scope.clone();
        tried_scope.extend(shown_run.zip(tried).map(|(run, result)| (run.name.as_str(), result.as_ref())));
        let text = |text: &String| filled(text, &scope);
        let tried_text = |text: &String| filled(text, &tried_scope);
        let texts = |texts: &[String]| texts.iter().map(text).collect();
        let statements = |of: &[Statement], scope: &Scope| of.iter().map(|one| one.told(scope)).collect();
        let mut told = ToldStep {
            title: text(&step.title),
            text: text(&step.text),
            asserts: statements(&step.asserts, &scope),
            picture: step.plot.as_ref().and_then(|plot| picture(plot, results).ok()),
            ..ToldStep::default()
        };
        match &step.act {
            Act::Read {} => (),
            Act::Predict { question, explain } => {
                let (Question::Choice { prompt, .. }
                | Question::Number { prompt, .. }
                | Question::Curve { prompt, .. }) = question;
                told.prompt = Some(text(prompt));
                if let Question::Choice { options, .. } = question {
                    told.options = options.iter().map(|option| text(&option.text)).collect();
                }
                told.explain = Some(text(explain));
            }
            Act::Explore { look, .. } => told.look = texts(look),
            Act::Challenge { goals, hints, wrong, explain, .. } => {
                told.goals = statements(goals, &tried_scope);
                told.hints = texts(hints);
                told.wrong = wrong.iter().map(|attempt| tried_text(&attempt.text)).collect();
                told.explain = Some(tried_text(explain));
            }
            Act::Compare { explain, .. } => told.explain = explain.as_ref().map(text),
        }
        told
    }
}

/// What a step's plot shows of results.
///
/// # Errors
/// What it reads that is not there.
pub(super) fn picture(plot: &Plot, results: &LessonResults) -> Result<Picture, String> {
    let runs = results.iter().map(|(name, result)| (name.clone(), vec![Arc::clone(result)])).collect();
    let results = Results { runs, ..Results::default() };
    plot.picture(&results, None, &mut |_| Err("has curves, which the panels of the step show".into()))
}

/// A text with its numbers.
pub(super) fn filled(text: &str, scope: &Scope) -> String {
    // Texts have been read when the lesson was.
    Text::parse(text).map_or_else(|_| text.to_owned(), |parsed| parsed.filled(scope))
}

impl Statement {
    fn told(&self, scope: &Scope) -> ToldStatement {
        let expression = Expression::parse(&self.value).ok();
        let read: Option<Vec<&Value>> = expression
            .as_ref()
            .and_then(|expression| expression.names().iter().map(|name| scope.get(name).copied()).collect());
        let value = self.number(scope).ok().filter(|value| value.is_finite());
        let measured_from_ms = read.as_ref().and_then(|read| read.iter().find_map(|result| measured_from_ms(result)));
        let (missing, holds) = match (read, value, measured_from_ms) {
            (None, ..) => (NOT_YET.into(), None),
            (Some(_), None, Some(ms)) => (format!("after {}", with_unit(&exact(ms), Some("ms"))), None),
            (Some(_), value, _) => (NO_VALUE.into(), Some(value.is_some_and(|value| self.holds(value)))),
        };
        ToldStatement {
            says: self.says.as_ref().map(|says| filled(says, scope)).unwrap_or_default(),
            wanted: self.wanted(),
            value,
            text: value.map_or(missing, |value| self.shown(value)),
            holds,
        }
    }
}
