//! A whole lesson held under several seeds: everything that it asserts must hold in each, and what it calls wrong must be.

use qoscope_engine::text::{self, exact};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::sync::Arc;

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use super::document::{Act, Attempt, ChoiceOption, Lesson, LessonRun, Question, Statement, Step};
use super::judge::{Measure, curve_values};
use super::runs::{Scenarios, simulated};
use super::text::{Text, shown, with_unit};
use super::told::picture;
use super::{LessonResults, scope};
use crate::expression::{Expression, Scope};
use crate::runs::finished_of;
use crate::{Band, Model, Outcome, Picture, Plot, Results, band};

/// Values of fields, by path.
type Changes = BTreeMap<String, Value>;

/// Something that a play computes.
#[derive(Clone, Copy, Debug)]
pub enum Need<'a> {
    /// A run under a seed, further fields of its scenario being changed.
    Run {
        /// The run.
        run: &'a LessonRun,
        /// The seed.
        seed: u32,
        /// What is changed beside what the run itself changes: the solution of a challenge, say.
        set: Option<&'a Changes>,
    },
    /// A model, which has no seed.
    Model(&'a Model),
}

impl Need<'_> {
    /// Computes it.
    ///
    /// # Errors
    /// What is wrong with the scenario.
    pub fn result(&self, lesson: &Lesson, scenarios: Scenarios<'_>) -> Outcome {
        match self {
            Self::Run { run, seed, set } => {
                let none = BTreeMap::new();
                let documents = lesson.scenarios(run, scenarios, Some(*seed), set.unwrap_or(&none))?;
                let results = documents.into_iter().map(simulated).collect::<Result<Vec<_>, _>>()?;
                Ok(Arc::new(run.result(results)))
            }
            Self::Model(model) => {
                let scenario = lesson.scenario_of(model, scenarios)?;
                model.result(scenario.as_ref()).map(Arc::new)
            }
        }
    }

    /// The name that expressions call it by.
    pub fn name(&self) -> &str {
        match self {
            Self::Run { run, .. } => &run.name,
            Self::Model(model) => model.name(),
        }
    }

    /// What it is by: the same key, the same result.
    fn key(&self) -> String {
        match self {
            Self::Run { run, seed, set } => key(&run.name, Some(*seed), *set),
            Self::Model(model) => key(model.name(), None, None),
        }
    }
}

fn key(name: &str, seed: Option<u32>, set: Option<&Changes>) -> String {
    format!("{name} {seed:?} {set:?}")
}

/// What became of a lesson under several seeds.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Played {
    /// The lesson, by id.
    pub lesson: String,
    /// Its title.
    pub title: String,
    /// The seeds.
    pub seeds: Vec<u32>,
    /// Step by step.
    pub steps: Vec<PlayedStep>,
    /// Runs and models that gave nothing, and why.
    pub failures: Vec<String>,
}

/// What became of a step.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PlayedStep {
    /// Its title, as it is written.
    pub title: String,
    /// What it asserts.
    pub lines: Vec<Line>,
}

/// What a line of a play is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(rename = "PlayedKind")]
pub enum Held {
    /// The text relies on it.
    Assert,
    /// A right answer: it holds.
    Right,
    /// A wrong answer: it does not hold.
    Wrong,
    /// What a challenge begins with: it misses a goal.
    Start,
    /// The solution of a challenge: it meets a goal.
    Solution,
    /// A wrong attempt at a challenge: it misses a goal.
    Attempt,
    /// A number that a text tells: it has a value.
    Told,
}

impl Held {
    /// What it is called.
    pub fn title(self) -> &'static str {
        match self {
            Self::Assert => "asserts",
            Self::Right => "right answer",
            Self::Wrong => "wrong answer",
            Self::Start => "start misses a goal",
            Self::Solution => "solution",
            Self::Attempt => "wrong attempt misses a goal",
            Self::Told => "tells",
        }
    }
}

/// Something that a lesson asserts, under every seed.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "PlayedLine")]
pub struct Line {
    /// What it is about.
    pub held: Held,
    /// In the words of the lesson.
    pub says: String,
    /// What is wanted of it.
    pub wanted: String,
    /// What is so, by seed.
    pub seen: Vec<Seen>,
}

/// What is so under a seed.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "PlayedSeed")]
pub struct Seen {
    /// The seed.
    pub seed: u32,
    /// The number, or why there is none.
    pub text: String,
    /// Whether it is as it must be.
    pub holds: bool,
}

impl Played {
    /// Whether everything holds.
    pub fn holds(&self) -> bool {
        let lines = self.steps.iter().flat_map(|step| &step.lines);
        self.failures.is_empty() && lines.flat_map(|line| &line.seen).all(|seen| seen.holds)
    }
}

impl Lesson {
    /// What a play under the seeds from 1 to `seeds` computes, each once; independent of one another, so that several may be
    /// computed at a time.
    pub fn needed(&self, seeds: u32) -> Vec<Need<'_>> {
        let drawn = self.picture.iter().flat_map(Plot::expressions).filter_map(|text| Expression::parse(text).ok());
        let drawn = drawn.flat_map(|found| found.names().into_iter().map(str::to_owned).collect::<Vec<_>>());
        let spoken: BTreeSet<String> = self.steps.iter().flat_map(Step::names).chain(drawn).collect();
        let shown: BTreeSet<&str> =
            (0..self.steps.len()).filter_map(|step| Some(self.shown_run(step)?.name.as_str())).collect();
        let mut needs = Vec::new();
        for run in self.runs.iter().filter(|run| spoken.contains(&run.name) || shown.contains(run.name.as_str())) {
            needs.extend((1..=seeds).map(|seed| Need::Run { run, seed, set: None }));
        }
        for (index, step) in self.steps.iter().enumerate() {
            let (Act::Challenge { solution, wrong, .. }, Some(run)) = (&step.act, self.shown_run(index)) else {
                continue;
            };
            for set in std::iter::once(solution).chain(wrong.iter().map(|attempt| &attempt.set)) {
                needs.extend((1..=seeds).map(|seed| Need::Run { run, seed, set: Some(set) }));
            }
        }
        needs.extend(self.models.iter().map(Need::Model));
        needs
    }

    /// Holds the lesson under the seeds from 1 to `seeds`. `outcomes` are those of what is [`Self::needed`], in that order.
    pub fn play(&self, seeds: u32, outcomes: Vec<Outcome>) -> Played {
        let (mut made, mut failures) = (BTreeMap::new(), Vec::new());
        for (need, outcome) in self.needed(seeds).into_iter().zip(outcomes) {
            match outcome {
                Ok(result) => drop(made.insert(need.key(), result)),
                Err(reason) => failures.push(format!("`{}` gives nothing: {reason}", need.name())),
            }
        }
        let play = Play { lesson: self, seeds: (1..=seeds).collect(), made };
        let steps = self.steps.iter().enumerate();
        let steps = steps.map(|(index, step)| PlayedStep { title: step.title.clone(), lines: play.step(index, step) });
        failures.dedup();
        let steps = steps.collect();
        Played { lesson: self.id.clone(), title: self.title.clone(), seeds: play.seeds, steps, failures }
    }
}

impl Lesson {
    /// What stands for the lesson on the page of contents, under the first seed. `outcomes` are those of what is [`Self::needed`]; a run
    /// whose curves are drawn is simulated once more.
    ///
    /// # Errors
    /// What cannot be drawn, and why.
    pub fn picture(
        &self,
        seeds: u32,
        outcomes: &[Outcome],
        scenarios: Scenarios<'_>,
    ) -> Result<Option<Picture>, String> {
        let Some(plot) = &self.picture else { return Ok(None) };
        let first = |need: &Need<'_>| matches!(need, Need::Run { seed: 1, set: None, .. } | Need::Model(_));
        let made = self.needed(seeds).into_iter().zip(outcomes).filter(|(need, _)| first(need));
        let found = made.filter_map(|(need, outcome)| Some((need.name().to_owned(), vec![outcome.clone().ok()?])));
        let results = Results { runs: found.collect(), ..Results::default() };
        let finished = &mut |name: &str| {
            let run = self.run(name).ok_or_else(|| format!("there is no run `{name}`"))?;
            let document = self.scenarios(run, scenarios, Some(1), &BTreeMap::new())?.remove(0);
            Ok(Rc::new(finished_of(document)?))
        };
        plot.picture(&results, None, finished).map(Some)
    }
}

/// A play with the results that it needs.
struct Play<'a> {
    lesson: &'a Lesson,
    seeds: Vec<u32>,
    made: BTreeMap<String, Arc<Value>>,
}

/// A number, or why there is none.
type Number = Result<f64, String>;

impl Play<'_> {
    /// The results under a seed, one run having further fields changed.
    fn results(&self, seed: u32, changed: Option<(&str, &Changes)>) -> LessonResults {
        let runs = self.lesson.runs.iter().map(|run| {
            let set = changed.filter(|(name, _)| *name == run.name).map(|(_, set)| set);
            (run.name.as_str(), key(&run.name, Some(seed), set))
        });
        let models = self.lesson.models.iter().map(|model| (model.name(), key(model.name(), None, None)));
        let found =
            runs.chain(models).filter_map(|(name, key)| Some((name.to_owned(), Arc::clone(self.made.get(&key)?))));
        found.collect()
    }

    /// A line of what is seen under every seed.
    fn line(
        &self,
        held: Held,
        says: &str,
        wanted: impl Into<String>,
        changed: Option<(&str, &Changes)>,
        see: impl Fn(&Scope) -> (String, bool),
    ) -> Line {
        let seen = self.seeds.iter().map(|&seed| {
            let results = self.results(seed, changed);
            let (text, holds) = see(&scope(&results));
            Seen { seed, text, holds }
        });
        let says = Text::parse(says).map_or_else(|_| says.to_owned(), |text| text.readable());
        Line { held, says, wanted: wanted.into(), seen: seen.collect() }
    }

    fn step(&self, index: usize, step: &Step) -> Vec<Line> {
        let mut lines: Vec<Line> = step
            .asserts
            .iter()
            .map(|of| self.line(Held::Assert, says(of), of.wanted(), None, |scope| seen(of, scope, true)))
            .collect();
        match &step.act {
            Act::Read {} | Act::Explore { .. } | Act::Compare { .. } => (),
            Act::Predict { question, .. } => lines.extend(self.question(question)),
            Act::Challenge { goals, solution, wrong, .. } => {
                if let Some(run) = self.lesson.shown_run(index) {
                    lines.extend(self.challenge(&run.name, goals, solution, wrong));
                }
            }
        }
        if let Some(plot) = &step.plot {
            let seen = self.seeds.iter().map(|&seed| match picture(plot, &self.results(seed, None)) {
                Ok(_) => Seen { seed, text: "drawn".into(), holds: true },
                Err(reason) => Seen { seed, text: reason, holds: false },
            });
            lines.push(Line { held: Held::Told, says: "picture".into(), wanted: String::new(), seen: seen.collect() });
        }
        lines.extend(self.told(index, step));
        lines
    }

    fn challenge(&self, run: &str, goals: &[Statement], solution: &Changes, wrong: &[Attempt]) -> Vec<Line> {
        let mut lines = vec![self.line(Held::Start, "", "one at least", None, |scope| misses(goals, scope))];
        lines.extend(goals.iter().map(|goal| {
            let changed = Some((run, solution));
            self.line(Held::Solution, says(goal), goal.wanted(), changed, |scope| seen(goal, scope, true))
        }));
        lines.extend(wrong.iter().map(|Attempt { set, .. }| {
            let changed = Some((run, set));
            self.line(Held::Attempt, &set_text(set), "one at least", changed, |scope| misses(goals, scope))
        }));
        lines
    }

    /// The numbers that the texts of a step tell.
    fn told(&self, index: usize, step: &Step) -> Vec<Line> {
        let (mut lines, mut before) = (Vec::new(), BTreeSet::new());
        for (path, text) in step.texts() {
            let Ok(text) = Text::parse(text) else { continue };
            let changed = self.changed_at(index, step, &path);
            for told in text.numbers().filter(|told| !told.expression.names().is_empty()) {
                if before.insert((told.source.to_owned(), told.decimals, changed.map(|(_, set)| set_text(set)))) {
                    let see = |scope: &Scope| match finite(told.expression.number(scope)) {
                        Ok(number) => (shown(number, told.decimals), true),
                        Err(reason) => (reason, false),
                    };
                    lines.push(self.line(Held::Told, told.source, "", changed, see));
                }
            }
        }
        lines
    }

    /// What the run of a challenge has become where a text of it is read: its solution at the end, an attempt where that fails.
    fn changed_at<'s>(&'s self, index: usize, step: &'s Step, path: &str) -> Option<(&'s str, &'s Changes)> {
        let Act::Challenge { solution, wrong, .. } = &step.act else { return None };
        let run = self.lesson.shown_run(index)?;
        let mut attempts = wrong.iter().enumerate();
        let set = match path {
            "explain" => solution,
            path => &attempts.find(|(at, _)| path == format!("wrong[{at}].text"))?.1.set,
        };
        Some((&run.name, set))
    }

    fn question(&self, question: &Question) -> Vec<Line> {
        match question {
            Question::Choice { options, .. } => options.iter().map(|option| self.option(option)).collect(),
            Question::Number { prompt, unit, value, decimals, within, within_percent, expected, feedback, scale } => {
                let Ok(band) = band(*within, *within_percent) else { return Vec::new() };
                let number = |scope: &Scope| finite(Expression::parse(value).and_then(|found| found.number(scope)));
                let with_unit = |text: &str| with_unit(text, unit.as_deref());
                let seen = |number: Number, holds: &dyn Fn(f64) -> bool| match number {
                    Ok(number) => (with_unit(&shown(number, *decimals)), holds(number)),
                    Err(reason) => (reason, false),
                };
                let within = with_unit(&format!("{} to {}", exact(expected.min), exact(expected.max)));
                let is_expected = |number: f64| (expected.min..=expected.max).contains(&number);
                let right = self.line(Held::Right, prompt, within, None, |scope| seen(number(scope), &is_expected));
                let wrong = feedback.iter().map(|known| {
                    let [min, max] = [known.min.unwrap_or(scale.min), known.max.unwrap_or(scale.max)].map(exact);
                    let says = with_unit(&format!("{min} to {max}"));
                    let wanted = match band {
                        Band::Absolute(width) => format!("further than {} from it", with_unit(&exact(width))),
                        Band::Relative(share) => {
                            format!("further than {} from it", text::with_unit(&exact(100.0 * share), "%"))
                        }
                    };
                    let is_far = |number: f64| !known.reaches(number, band);
                    self.line(Held::Wrong, &says, wanted, None, |scope| seen(number(scope), &is_far))
                });
                std::iter::once(right).chain(wrong).collect()
            }
            Question::Curve { prompt, y, points, within, within_percent, feedback, .. } => {
                let Ok(band) = band(*within, *within_percent) else { return Vec::new() };
                let measure = Measure::new(y, band);
                let values = |scope: &Scope| {
                    let values = curve_values(points, scope)?;
                    let outside = values.iter().find(|value| !(y.min..=y.max).contains(*value));
                    outside.map_or(Ok(values.clone()), |value| Err(format!("{} leaves the axis", shown(*value, None))))
                };
                let right = self.line(Held::Right, prompt, "on the axis", None, |scope| match values(scope) {
                    Ok(values) => (values.iter().map(|value| shown(*value, None)).collect::<Vec<_>>().join(", "), true),
                    Err(reason) => (reason, false),
                });
                let wanted = match band {
                    Band::Absolute(most) => format!("further off than {}", exact(most)),
                    Band::Relative(most) => format!("further off than {}", text::with_unit(&exact(100.0 * most), "%")),
                };
                let wrong = feedback.iter().map(|known| {
                    self.line(Held::Wrong, &known.text, &wanted, None, |scope| match values(scope) {
                        Ok(values) => {
                            let distance = measure.distance(&known.values, &values);
                            (measure.told(distance, y), !measure.is_right(distance))
                        }
                        Err(reason) => (reason, false),
                    })
                });
                std::iter::once(right).chain(wrong).collect()
            }
        }
    }

    fn option(&self, option: &ChoiceOption) -> Line {
        let ChoiceOption { text, when, right, .. } = option;
        let (held, wanted) =
            if *right { (Held::Right, when.wanted()) } else { (Held::Wrong, format!("not {}", when.wanted())) };
        self.line(held, text, wanted, None, |scope| seen(when, scope, *right))
    }
}

fn says(statement: &Statement) -> &str {
    statement.says.as_deref().unwrap_or_default()
}

fn finite(number: Number) -> Number {
    number.and_then(|number| if number.is_finite() { Ok(number) } else { Err("is no finite number".into()) })
}

/// The number of a statement, and whether it holds, or does not, as it must.
fn seen(statement: &Statement, scope: &Scope, must_hold: bool) -> (String, bool) {
    match finite(statement.number(scope)) {
        Ok(number) => (statement.shown(number), statement.holds(number) == must_hold),
        Err(reason) => (reason, false),
    }
}

/// How goals stand, and whether one at least is missed. What has no value is no goal that is met.
fn misses(goals: &[Statement], scope: &Scope) -> (String, bool) {
    let mut missed = false;
    let of = |goal: &Statement| match finite(goal.number(scope)) {
        Ok(number) => {
            missed |= !goal.holds(number);
            format!("{} {}", if goal.holds(number) { "met" } else { "missed" }, goal.shown(number))
        }
        Err(reason) => {
            missed = true;
            reason
        }
    };
    let texts: Vec<String> = goals.iter().map(of).collect();
    (texts.join(", "), missed)
}

fn set_text(set: &Changes) -> String {
    set.iter().map(|(path, value)| format!("{path} = {value}")).collect::<Vec<_>>().join(", ")
}
