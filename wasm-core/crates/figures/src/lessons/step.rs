//! What a step says: its texts, statements and expressions, each with its place in the step.

use std::collections::BTreeSet;

use super::document::{Act, Question, Statement, Step};
use super::text::Text;
use crate::Plot;
use crate::expression::Expression;

/// Something in a step, and the path there.
pub(super) type Placed<'a, T> = (String, &'a T);

impl Step {
    /// The run that it puts on the screen, if any.
    pub(super) fn own_run(&self) -> Option<&str> {
        match (&self.run, &self.act) {
            (None, Act::Compare { runs, .. }) => runs.last().map(String::as_str),
            (run, _) => run.as_deref(),
        }
    }

    /// Its texts.
    pub(super) fn texts(&self) -> Vec<Placed<'_, str>> {
        let mut texts = vec![("title".to_owned(), self.title.as_str()), ("text".to_owned(), self.text.as_str())];
        let mut add = |path: String, text| texts.push((path, text));
        match &self.act {
            Act::Read {} => (),
            Act::Predict { question, explain } => {
                match question {
                    Question::Choice { prompt, options } => {
                        add("question.prompt".into(), prompt);
                        for (index, option) in options.iter().enumerate() {
                            let path = format!("question.options[{index}]");
                            add(format!("{path}.text"), &option.text);
                            option.feedback.iter().for_each(|text| add(format!("{path}.feedback"), text));
                        }
                    }
                    Question::Number { prompt, feedback, .. } => {
                        add("question.prompt".into(), prompt);
                        let texts = feedback.iter().map(|feedback| &feedback.text).enumerate();
                        texts.for_each(|(index, text)| add(format!("question.feedback[{index}].text"), text));
                    }
                    Question::Curve { prompt, feedback, .. } => {
                        add("question.prompt".into(), prompt);
                        let texts = feedback.iter().map(|feedback| &feedback.text).enumerate();
                        texts.for_each(|(index, text)| add(format!("question.feedback[{index}].text"), text));
                    }
                }
                add("explain".into(), explain);
            }
            Act::Explore { look, .. } => {
                look.iter().enumerate().for_each(|(index, text)| add(format!("look[{index}]"), text));
            }
            Act::Challenge { hints, wrong, explain, .. } => {
                hints.iter().enumerate().for_each(|(index, text)| add(format!("hints[{index}]"), text));
                let texts = wrong.iter().map(|attempt| &attempt.text).enumerate();
                texts.for_each(|(index, text)| add(format!("wrong[{index}].text"), text));
                add("explain".into(), explain);
            }
            Act::Compare { explain, .. } => explain.iter().for_each(|text| add("explain".into(), text)),
        }
        let said = self.statements().into_iter();
        texts.extend(said.filter_map(|(path, statement)| Some((format!("{path}.says"), statement.says.as_deref()?))));
        texts
    }

    /// Its statements.
    pub(super) fn statements(&self) -> Vec<Placed<'_, Statement>> {
        let mut statements: Vec<_> =
            self.asserts.iter().enumerate().map(|(index, of)| (format!("asserts[{index}]"), of)).collect();
        match &self.act {
            Act::Predict { question: Question::Choice { options, .. }, .. } => {
                let whens = options.iter().map(|option| &option.when).enumerate();
                statements.extend(whens.map(|(index, of)| (format!("question.options[{index}].when"), of)));
            }
            Act::Challenge { goals, .. } => {
                statements.extend(goals.iter().enumerate().map(|(index, of)| (format!("goals[{index}]"), of)));
            }
            _ => (),
        }
        statements
    }

    /// Its expressions outside of texts.
    pub(super) fn expressions(&self) -> Vec<Placed<'_, str>> {
        let of = self.statements().into_iter();
        let mut expressions: Vec<_> =
            of.map(|(path, statement)| (format!("{path}.value"), statement.value.as_str())).collect();
        match &self.act {
            Act::Predict { question: Question::Number { value, .. }, .. } => {
                expressions.push(("question.value".into(), value));
            }
            Act::Predict { question: Question::Curve { points, .. }, .. } => {
                let values = points.iter().map(|point| point.value.as_str()).enumerate();
                expressions.extend(values.map(|(index, value)| (format!("question.points[{index}].value"), value)));
            }
            _ => (),
        }
        expressions
    }

    /// The runs and models that it speaks of.
    pub(super) fn names(&self) -> BTreeSet<String> {
        let mut names = BTreeSet::new();
        let mut add = |expression: &Expression| names.extend(expression.names().into_iter().map(str::to_owned));
        for (_, text) in self.texts() {
            Text::parse(text).iter().flat_map(Text::numbers).for_each(|told| add(&told.expression));
        }
        self.expressions().iter().filter_map(|(_, text)| Expression::parse(text).ok()).for_each(|found| add(&found));
        for text in self.plot.iter().flat_map(Plot::expressions) {
            Expression::parse(text).iter().for_each(&mut add);
        }
        if let Act::Compare { runs, .. } = &self.act {
            names.extend(runs.iter().cloned());
        }
        names
    }
}
