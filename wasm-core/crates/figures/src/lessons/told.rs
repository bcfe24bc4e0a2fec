//! A step as it is told: its texts with numbers, and how its statements stand.

use std::sync::Arc;

use serde::Serialize;

use super::document::{Act, Lesson, Question, Statement};
use super::text::{NO_VALUE, NOT_YET, Text};
use super::{LessonResults, scope};
use crate::expression::{Expression, Scope};
use crate::{Picture, Plot, Results};

/// A step as it is told. Where a result is not there yet its numbers are "…".
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
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
#[derive(Clone, Debug, PartialEq, Serialize)]
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
    /// Whether it holds; none while there is no result.
    pub holds: Option<bool>,
}

impl Lesson {
    /// A step with the numbers of these results.
    pub fn told(&self, step: usize, results: &LessonResults) -> ToldStep {
        let Some(step) = self.steps.get(step) else { return ToldStep::default() };
        let scope = scope(results);
        let text = |text: &String| filled(text, &scope);
        let texts = |texts: &[String]| texts.iter().map(text).collect();
        let statements = |statements: &[Statement]| statements.iter().map(|of| of.told(&scope)).collect();
        let mut told = ToldStep {
            title: text(&step.title),
            text: text(&step.text),
            asserts: statements(&step.asserts),
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
                told.goals = statements(goals);
                told.hints = texts(hints);
                told.wrong = wrong.iter().map(|attempt| text(&attempt.text)).collect();
                told.explain = Some(text(explain));
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
        let is_there = Expression::parse(&self.value)
            .is_ok_and(|expression| expression.names().iter().all(|name| scope.contains_key(name)));
        let value = self.number(scope).ok().filter(|value| value.is_finite());
        let missing = if is_there { NO_VALUE } else { NOT_YET };
        ToldStatement {
            says: self.says.as_ref().map(|says| filled(says, scope)).unwrap_or_default(),
            wanted: self.wanted(),
            value,
            text: value.map_or_else(|| missing.into(), |value| self.shown(value)),
            holds: is_there.then(|| value.is_some_and(|value| self.holds(value))),
        }
    }
}
