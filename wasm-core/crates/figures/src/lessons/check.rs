//! What is wrong with a lesson whose form is right: by itself, and with the scenarios that it names.

use std::collections::{BTreeMap, BTreeSet};

use qoscope_engine::scenario::fields::{self, Form};
use qoscope_engine::scenario::{self, Diagnostic, listed, quoted, shortened};
use serde_json::{Value, json};

use super::document::{Act, Control, Lesson, Question, Statement, Step};
use super::runs::Scenarios;
use super::text::Text;
use crate::expression::Expression;
use crate::runs::{sentence, sentences};
use crate::{Plot, Readable, band};

/// What a step may show beside stacked charts.
const PANELS: [&str; 8] = ["fabric", "tail", "stages", "deadlines", "now", "device", "arbitration", PICTURE];
/// The panel that draws the step's own plot.
const PICTURE: &str = "picture";

/// Where everything stands.
const DOCS: &str = "See docs/lessons.md.";

/// The diagnostics that are found, below one path.
struct Found {
    path: String,
    diagnostics: Vec<Diagnostic>,
}

impl Found {
    fn push(&mut self, field: &str, reason: impl Into<String>, hint: impl Into<String>) {
        let path = match (self.path.as_str(), field) {
            ("", field) => field.to_owned(),
            (path, "") => path.to_owned(),
            (path, field) => format!("{path}.{field}"),
        };
        self.diagnostics.push(Diagnostic::new(path, reason, hint));
    }
}

impl Lesson {
    /// What is wrong with a lesson whose form is right.
    pub(super) fn check(&self) -> Vec<Diagnostic> {
        let mut found = Found { path: String::new(), diagnostics: Vec::new() };
        if !is_name(&self.id, "-") {
            found.push("id", "is not the name of a file", "Use small letters, digits and hyphens.");
        }
        let names = self.check_names(&mut found);
        if let Some(plot) = &self.picture {
            self.check_plot(plot, &names, &mut found, false);
        }
        for index in 0..self.steps.len() {
            found.path = format!("steps[{index}]");
            self.check_step(index, &names, &mut found);
        }
        found.diagnostics
    }

    /// The names of runs and models, which must be told apart, and be names.
    fn check_names(&self, found: &mut Found) -> BTreeSet<&str> {
        let mut names = BTreeSet::new();
        let runs = self.runs.iter().enumerate().map(|(index, run)| (format!("runs[{index}].name"), run.name.as_str()));
        let models = self.models.iter().enumerate();
        let models = models.map(|(index, model)| (format!("models[{index}].name"), model.name()));
        for (path, name) in runs.chain(models) {
            if !is_name(name, "_") || name.starts_with(|letter: char| letter.is_ascii_digit()) {
                found.push(
                    &path,
                    format!("is {}, which no expression can call", quoted(name)),
                    "Use letters, digits and `_`.",
                );
            } else if !names.insert(name) {
                found.push(&path, format!("is `{}` a second time", shortened(name)), "Rename one.");
            }
        }
        for (at, run) in self.runs.iter().enumerate() {
            let Some(name) = self.file_of(run) else { continue };
            let path = format!("runs[{at}].scenario");
            if name != run.name && self.run(name).is_some() {
                let reason = format!("is `{}`, a run that is not before it", shortened(name));
                found.push(&path, reason, "Put that one first.");
            } else {
                check_file(name, &path, found);
            }
        }
        for (at, model) in self.models.iter().enumerate() {
            if let Some(name) = model.scenario().filter(|name| self.run(name).is_none()) {
                check_file(name, &format!("models[{at}].scenario"), found);
            }
        }
        names
    }

    fn check_step(&self, index: usize, names: &BTreeSet<&str>, found: &mut Found) {
        let step = &self.steps[index];
        self.check_runs(index, step, found);
        for name in &step.show {
            if name == PICTURE && step.plot.is_none() {
                found.push("show", "has `picture`, and the step has no `plot`", "Give it one, or take `picture` out.");
            }
            let is_near = |panel: &&&str| panel.eq_ignore_ascii_case(name) && **panel != name;
            if let Some(panel) = PANELS.iter().find(is_near) {
                found.push("show", format!("has {}", quoted(name)), format!("Write `{panel}`."));
            }
        }
        if let Some(plot) = &step.plot {
            self.check_plot(plot, names, found, true);
        }
        if step.plot.is_some() && !step.show.iter().any(|name| name == PICTURE) {
            found.push("plot", "is not shown", "Add `picture` to `show`.");
        }
        for (path, text) in step.texts() {
            let (text, faults) = Text::read(text);
            faults.into_iter().for_each(|(reason, hint)| found.push(&path, reason, hint));
            text.numbers().for_each(|told| unknown_names(&told.expression, names, &path, found));
        }
        for (path, text) in step.expressions() {
            match Expression::parse(text) {
                Ok(expression) => unknown_names(&expression, names, &path, found),
                Err(reason) => found.push(&path, reason, "See the expressions in docs/lessons.md."),
            }
        }
        for (path, statement) in step.statements() {
            check_statement(statement, &path, found);
        }
        match &step.act {
            Act::Read {} | Act::Compare { .. } => (),
            Act::Predict { question, .. } => check_question(question, found),
            Act::Explore { controls, .. } => check_controls(controls, found),
            Act::Challenge { controls, solution, wrong, .. } => {
                check_controls(controls, found);
                if solution.is_empty() {
                    found.push("solution", "changes nothing", "Give the values that meet the goals.");
                }
                if wrong.is_empty() {
                    found.push("wrong", "is empty", "Give at least one attempt that fails, and say why.");
                }
                check_set(solution, controls, "solution", found);
                for (index, attempt) in wrong.iter().enumerate() {
                    check_set(&attempt.set, controls, &format!("wrong[{index}].set"), found);
                }
            }
        }
    }

    /// A plot at the path of what is found, which may have curves where it is no step's.
    fn check_plot(&self, plot: &Plot, names: &BTreeSet<&str>, found: &mut Found, of_step: bool) {
        let path = if of_step { format!("{}.plot", found.path) } else { "picture".into() };
        let single = self.runs.iter().filter(|run| run.sweep.is_none()).map(|run| run.name.as_str()).collect();
        found.diagnostics.extend(plot.check(&path, &Readable { names, single: &single }));
        if of_step && !plot.curves().is_empty() {
            let hint = "Name a stacked chart, or `tail`, in `show`; a plot has bars or lines.";
            found.push("plot", "has curves of a run, which the panels of the step show", hint);
        }
    }

    /// The runs that a step shows.
    fn check_runs(&self, index: usize, step: &Step, found: &mut Found) {
        let known: Vec<&str> = self.runs.iter().map(|run| run.name.as_str()).collect();
        let mut named = |path: &str, name: &str, single: bool| match self.run(name) {
            None => found.push(
                path,
                format!("names `{}`, which is no run", shortened(name)),
                format!("Use {}.", listed(known.iter().copied())),
            ),
            Some(run) if single && run.sweep.is_some() => {
                found.push(
                    path,
                    format!("names `{}`, which is several runs", shortened(name)),
                    "Use a run without a sweep.",
                );
            }
            Some(_) => (),
        };
        if let Some(name) = &step.run {
            named("run", name, false);
        }
        if let Act::Compare { runs, .. } = &step.act {
            runs.iter().for_each(|name| named("runs", name, true));
        }
        let shown = self.shown_run(index);
        let needs_run = !matches!(step.act, Act::Read {});
        if needs_run && self.steps[..=index].iter().all(|step| step.own_run().is_none()) {
            found.push("run", "is missing", format!("Name the run that the step shows: {}.", listed(known)));
        }
        let takes_one = matches!(step.act, Act::Explore { .. } | Act::Challenge { .. });
        if let Some(run) = shown.filter(|run| takes_one && run.sweep.is_some()) {
            let reason = format!("is `{}`, which is several runs", shortened(&run.name));
            found.push("run", reason, "Name a run without a sweep.");
        }
    }

    /// What is wrong with a lesson and the scenarios that it names: a scenario that there is not or that cannot be run, a
    /// control that is no field of it, a value that it does not take.
    pub fn check_scenarios(&self, scenarios: Scenarios<'_>) -> Vec<Diagnostic> {
        let mut found = Found { path: String::new(), diagnostics: Vec::new() };
        for (index, run) in self.runs.iter().enumerate() {
            let made = self.scenarios(run, scenarios, None, &BTreeMap::new());
            let made = made.and_then(|documents| documents.into_iter().try_for_each(accepted));
            if let Err(reason) = made {
                found.push(&format!("runs[{index}]"), format!("cannot be run: {reason}"), "Correct the run.");
            }
        }
        for (index, model) in self.models.iter().enumerate() {
            if let Err(reason) = self.scenario_of(model, scenarios) {
                found.push(&format!("models[{index}].scenario"), format!("cannot be read: {reason}"), DOCS);
            }
        }
        for (index, step) in self.steps.iter().enumerate() {
            found.path = format!("steps[{index}]");
            let Some(run) = self.shown_run(index) else { continue };
            let Some(document) =
                self.scenarios(run, scenarios, None, &BTreeMap::new()).ok().and_then(|all| all.into_iter().next())
            else {
                continue;
            };
            // What is wrong with the scenario itself has been said.
            let Ok(scenario) = scenario::from_value(document.clone()) else { continue };
            let whole = scenario::as_value(&scenario);
            if let Act::Explore { controls, .. } | Act::Challenge { controls, .. } = &step.act {
                for (at, control) in controls.iter().enumerate() {
                    check_control(control, &document, &whole, &format!("controls[{at}]"), &mut found);
                }
            }
            if let Act::Challenge { solution, wrong, .. } = &step.act {
                let wrong = wrong.iter().enumerate().map(|(at, attempt)| (format!("wrong[{at}].set"), &attempt.set));
                for (path, set) in std::iter::once(("solution".to_owned(), solution)).chain(wrong) {
                    if let Err(reason) = changed(&document, set).and_then(accepted) {
                        found.push(&path, format!("is refused: {reason}"), "Give values that the fields take.");
                    }
                }
            }
        }
        found.diagnostics
    }
}

/// Whether something is made of letters, digits and some signs.
fn is_name(name: &str, signs: &str) -> bool {
    let is_fine = |letter: char| letter.is_ascii_alphanumeric() || signs.contains(letter);
    !name.is_empty() && name.chars().all(is_fine) && name.starts_with(|letter: char| letter.is_ascii_alphanumeric())
}

/// The name of a scenario's file.
fn check_file(name: &str, path: &str, found: &mut Found) {
    if !is_name(name, "-_.") {
        let hint = "Write the name of its file without folder and ending, or the scenario itself.";
        found.push(path, format!("is {}, which names no scenario", quoted(name)), hint);
    }
}

fn unknown_names(expression: &Expression, names: &BTreeSet<&str>, path: &str, found: &mut Found) {
    for name in expression.names().difference(names) {
        let reason = format!("reads `{}`, which is no run and no model", shortened(name));
        found.push(path, reason, format!("Use {}.", listed(names.iter().copied())));
    }
}

fn check_statement(statement: &Statement, path: &str, found: &mut Found) {
    let Statement { min, max, says, .. } = statement;
    if min.is_none() && max.is_none() {
        found.push(path, "has no bound", "Give `min`, `max` or both.");
    }
    if min.zip(*max).is_some_and(|(min, max)| min > max) {
        found.push(path, "has its `min` above its `max`", "Swap them.");
    }
    if says.is_none() && !path.ends_with(".when") {
        found.push(&format!("{path}.says"), "is missing", "Say what is stated, in a few words.");
    }
}

fn check_question(question: &Question, found: &mut Found) {
    match question {
        Question::Choice { options, .. } => {
            if options.iter().filter(|option| option.right).count() != 1 {
                found.push(
                    "question.options",
                    "does not have exactly one that is right",
                    "Mark it with `\"right\": true`.",
                );
            }
            for (index, option) in options.iter().enumerate().filter(|(_, option)| !option.right) {
                if option.feedback.is_none() {
                    let path = format!("question.options[{index}].feedback");
                    found.push(&path, "is missing", "Say why one might think so.");
                }
            }
        }
        Question::Number { scale, within, within_percent, expected, feedback, .. } => {
            check_range(scale.min, scale.max, scale.log, "question.scale", found);
            if let Err(reason) = band(*within, *within_percent) {
                found.push("question", reason, "Give one of them.");
            }
            if expected.min > expected.max || expected.min < scale.min || expected.max > scale.max {
                found.push(
                    "question.expected",
                    "does not lie on the scale",
                    "Give two ends on it, the lower one first.",
                );
            }
            needs_feedback(feedback.len(), found);
            for (index, known) in feedback.iter().enumerate() {
                let path = format!("question.feedback[{index}]");
                if known.min.is_none() && known.max.is_none() {
                    found.push(&path, "has no end", "Give `min`, `max` or both.");
                }
                if known.min.zip(known.max).is_some_and(|(min, max)| min > max) {
                    found.push(&path, "has its `min` above its `max`", "Swap them.");
                }
            }
        }
        Question::Curve { x, y, points, within, within_percent, feedback, .. } => {
            check_range(y.min, y.max, y.log, "question.y", found);
            if let Err(reason) = band(*within, *within_percent) {
                found.push("question", reason, "Give one of them.");
            }
            if points.iter().zip(points.iter().skip(1)).any(|(left, right)| left.x >= right.x) {
                found.push("question.points", "are not in order of `x`", "Put the leftmost first.");
            }
            if x.log && points.iter().any(|point| point.x <= 0.0) {
                found.push("question.points", "have an `x` that no logarithmic axis has", "Give numbers above 0.");
            }
            needs_feedback(feedback.len(), found);
            for (index, known) in feedback.iter().enumerate() {
                let path = format!("question.feedback[{index}].values");
                if known.values.len() != points.len() {
                    let reason = format!("has {} values for {} points", known.values.len(), points.len());
                    found.push(&path, reason, "Give one for each point.");
                }
                if known.values.iter().any(|value| !(y.min..=y.max).contains(value)) {
                    found.push(&path, "leaves the axis", "Give values between the ends of `y`.");
                }
            }
        }
    }
}

fn needs_feedback(count: usize, found: &mut Found) {
    if count == 0 {
        found.push(
            "question.feedback",
            "is empty",
            "Give at least one plausible wrong answer, and say why one might think so.",
        );
    }
}

fn check_range(min: f64, max: f64, log: bool, path: &str, found: &mut Found) {
    if min >= max {
        found.push(path, "has its `min` not below its `max`", "Give the lower end first.");
    }
    if log && min <= 0.0 {
        found.push(path, "is logarithmic and begins at 0 or below", "Give a `min` above 0.");
    }
}

fn check_controls(controls: &[Control], found: &mut Found) {
    let mut paths = BTreeSet::new();
    for (index, control) in controls.iter().enumerate() {
        if !paths.insert(&control.path) {
            found.push(&format!("controls[{index}].path"), "is there a second time", "Take one out.");
        }
        if control.min.zip(control.max).is_some_and(|(min, max)| min >= max) {
            found.push(&format!("controls[{index}]"), "has its `min` not below its `max`", "Swap them.");
        }
    }
}

/// What is set is free, and lies where the control goes.
fn check_set(set: &BTreeMap<String, Value>, controls: &[Control], place: &str, found: &mut Found) {
    for (path, value) in set {
        let Some(control) = controls.iter().find(|control| control.path == *path) else {
            found.push(
                place,
                format!("sets `{}`, which no control frees", shortened(path)),
                "Add a control of it, or leave it out.",
            );
            continue;
        };
        let is_beyond =
            |number: f64| control.min.is_some_and(|min| number < min) || control.max.is_some_and(|max| number > max);
        if value.as_f64().is_some_and(is_beyond) {
            found.push(
                place,
                format!("sets `{}` to {value}, where its control does not go", shortened(path)),
                "Widen the control.",
            );
        }
    }
}

/// A control is of a field that the scenario has and that one can choose a value of; its ends are such values.
fn check_control(control: &Control, document: &Value, whole: &Value, place: &str, found: &mut Found) {
    let path = &control.path;
    let field = fields::at(whole, path);
    let Some(field) = field.filter(|field| field.is_choosable()) else {
        let hint = "Give the path of a field as `qoscope explain` lists them.";
        return found.push(
            &format!("{place}.path"),
            format!("is `{}`, which is no setting of the run", shortened(path)),
            hint,
        );
    };
    let is_number = matches!(field.form, Form::Number | Form::Integer);
    for (end, value) in [("min", control.min), ("max", control.max)] {
        let Some(value) = value else { continue };
        if !is_number {
            found.push(&format!("{place}.{end}"), format!("is given, and `{path}` is no number"), "Leave it out.");
            continue;
        }
        let is_least = |bound: &Value| bound.as_f64().is_some_and(|bound| value < bound);
        let is_most = |bound: &Value| bound.as_f64().is_some_and(|bound| value > bound);
        if field.minimum.as_ref().is_some_and(is_least) || field.maximum.as_ref().is_some_and(is_most) {
            let reason = format!("is {value}, which `{path}` does not take");
            let [low, high] =
                [&field.minimum, &field.maximum].map(|end| end.as_ref().map_or("any".into(), Value::to_string));
            found.push(&format!("{place}.{end}"), reason, format!("Give a number from {low} to {high}."));
        } else if let Err(reason) =
            changed(document, &BTreeMap::from([(path.clone(), number(value))])).and_then(accepted)
        {
            found.push(&format!("{place}.{end}"), format!("is refused: {reason}"), "Give a value that the run takes.");
        }
    }
}

fn number(value: f64) -> Value {
    if value.fract() == 0.0 && value.abs() < 1e15 { json!(value as i64) } else { json!(value) }
}

fn changed(document: &Value, set: &BTreeMap<String, Value>) -> Result<Value, String> {
    let mut document = document.clone();
    for (path, value) in set {
        scenario::set_path(&mut document, path, value.clone()).map_err(|diagnostic| sentence(&diagnostic))?;
    }
    Ok(document)
}

fn accepted(document: Value) -> Result<(), String> {
    let checked = scenario::from_value(document).and_then(|scenario| qoscope_engine::simulation::check(&scenario));
    checked.map(|_warnings| ()).map_err(|found| sentences(&found))
}
