//! A lesson's file: its runs, and steps that read, predict, explore, challenge and compare.
//!
//! `docs/lessons.md` describes the format for those who write one. Texts are plain English with `{expression}` or
//! `{expression : decimals}` in the place of every number ([`super::text`]).

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{Model, Plot, Sweep};

/// The version of the format written by this engine.
pub const LESSON_VERSION: u32 = 1;

/// A lesson.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Lesson {
    /// Version of the format.
    #[schemars(range(min = 1, max = 1))]
    pub version: u32,
    /// Name of the file, without its ending.
    #[schemars(length(min = 1, max = 80))]
    pub id: String,
    /// Its place among the lessons that come with the page; a lesson of one's own has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1))]
    pub number: Option<u32>,
    /// What it is called.
    #[schemars(length(min = 1, max = 80))]
    pub title: String,
    /// What one can do afterwards, in a sentence.
    #[schemars(length(min = 1, max = 300))]
    pub outcome: String,
    /// How long it takes.
    #[schemars(range(min = 1, max = 240))]
    pub minutes: u32,
    /// Where it comes from: `Paper 1, section 3`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub papers: Vec<String>,
    /// The lesson that it begins from, by id.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub follows: Option<String>,
    /// The simulations that it speaks of.
    #[schemars(length(min = 1, max = 24))]
    pub runs: Vec<LessonRun>,
    /// The models that it speaks of.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = 12))]
    pub models: Vec<Model>,
    /// What stands for it on the page of contents: a picture drawn from its runs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub picture: Option<Plot>,
    /// What it is made of, in order.
    #[schemars(length(min = 1, max = 40))]
    pub steps: Vec<Step>,
}

/// A simulation, or one for each of several values of a field.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct LessonRun {
    /// What expressions call it.
    #[schemars(length(min = 1, max = 40))]
    pub name: String,
    /// What tells it from the other runs on the screen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1, max = 80))]
    pub title: Option<String>,
    /// The scenario that it changes: the name of an earlier run of the lesson, as that has changed its own; the name of a
    /// scenario's file, without its ending; or the whole scenario.
    #[schemars(extend("type" = ["string", "object"]))]
    pub scenario: Value,
    /// The fields of the scenario that the run changes, by path.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub set: BTreeMap<String, Value>,
    /// Makes the result a list: one run for each of several values of a field.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sweep: Option<Sweep>,
}

/// One screen of a lesson.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Step {
    /// A question or a sentence.
    #[schemars(length(min = 1, max = 120))]
    pub title: String,
    /// What is to be read first.
    #[schemars(length(min = 1, max = 4000))]
    pub text: String,
    /// The run on the screen, by name; without it the one of the step before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run: Option<String>,
    /// What stands on the right, from the top: panels by name, and stacked charts as stories of scenarios name them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = 4))]
    pub show: Vec<String>,
    /// The picture that `picture` shows: bars or lines.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plot: Option<Plot>,
    /// What the text relies on: held by the lesson's test under every seed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub asserts: Vec<Statement>,
    /// What one does in it.
    #[serde(flatten)]
    pub act: Act,
}

/// What one does in a step.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "kebab-case", rename_all_fields = "camelCase")]
pub enum Act {
    /// Read.
    Read {},
    /// Answer a question, run, and compare.
    Predict {
        /// What is asked.
        question: Question,
        /// What the run shows, and why.
        #[schemars(length(min = 1, max = 4000))]
        explain: String,
    },
    /// Turn some controls.
    Explore {
        /// Those that are free; all others are locked.
        #[schemars(length(min = 1, max = 8))]
        controls: Vec<Control>,
        /// What to look at.
        #[schemars(length(min = 1, max = 8))]
        look: Vec<String>,
    },
    /// Reach a goal.
    Challenge {
        /// The controls that are free; all others are locked.
        #[schemars(length(min = 1, max = 8))]
        controls: Vec<Control>,
        /// What is to hold of the step's run.
        #[schemars(length(min = 1, max = 6))]
        goals: Vec<Statement>,
        /// Help, one after the other.
        #[serde(default)]
        #[schemars(length(max = 6))]
        hints: Vec<String>,
        /// Values of fields that meet every goal, by path.
        solution: BTreeMap<String, Value>,
        /// What one might try, and why it fails.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        #[schemars(length(max = 6))]
        wrong: Vec<Attempt>,
        /// What is to be learnt from it.
        #[schemars(length(min = 1, max = 4000))]
        explain: String,
    },
    /// Look at two runs in step.
    Compare {
        /// The runs, from the left.
        #[schemars(length(min = 2, max = 2))]
        runs: Vec<String>,
        /// What they show.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[schemars(length(min = 1, max = 4000))]
        explain: Option<String>,
    },
}

/// A number with bounds, at least one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Statement {
    /// What is stated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1, max = 200))]
    pub says: Option<String>,
    /// Expression of the number.
    pub value: String,
    /// It holds from here on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub min: Option<f64>,
    /// It holds up to here.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max: Option<f64>,
    /// Unit of the number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unit: Option<String>,
    /// Decimals shown; without them three significant digits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(max = 6))]
    pub decimals: Option<u32>,
}

/// What is asked before a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "kebab-case", rename_all_fields = "camelCase", deny_unknown_fields)]
pub enum Question {
    /// Which of several is so.
    Choice {
        /// The question.
        #[schemars(length(min = 1, max = 300))]
        prompt: String,
        /// What may be chosen.
        #[schemars(length(min = 2, max = 6))]
        options: Vec<ChoiceOption>,
    },
    /// How much something is.
    Number {
        /// The question.
        #[schemars(length(min = 1, max = 300))]
        prompt: String,
        /// Unit of the number.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        unit: Option<String>,
        /// Expression of the number.
        value: String,
        /// Decimals shown; without them three significant digits.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[schemars(range(max = 6))]
        decimals: Option<u32>,
        /// Where an answer may lie.
        scale: Scale,
        /// How far from the number an answer is right.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        within: Option<f64>,
        /// The same as a share of the number. Exactly one of the two is given.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        within_percent: Option<f64>,
        /// Where the number lies under any seed.
        expected: Bounds,
        /// Why one might think otherwise.
        #[schemars(length(max = 6))]
        feedback: Vec<NumberFeedback>,
    },
    /// How something goes with something else.
    Curve {
        /// The question.
        #[schemars(length(min = 1, max = 300))]
        prompt: String,
        /// What is given.
        x: CurveX,
        /// What is asked.
        y: CurveY,
        /// Where it is asked, from the left.
        #[schemars(length(min = 2, max = 24))]
        points: Vec<CurvePoint>,
        /// How far from the curve an answer is right, the mean over the points.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        within: Option<f64>,
        /// The same in per cent: of the range of y, or on a logarithmic axis of the curve itself. Exactly one of the two is given.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        within_percent: Option<f64>,
        /// Why one might think otherwise.
        #[schemars(length(max = 6))]
        feedback: Vec<CurveFeedback>,
    },
}

/// What may be chosen.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ChoiceOption {
    /// How it reads.
    #[schemars(length(min = 1, max = 200))]
    pub text: String,
    /// When it is so.
    pub when: Statement,
    /// It is the answer: so under every seed, where no other is.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub right: bool,
    /// Why one might think so; every wrong one has it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1, max = 600))]
    pub feedback: Option<String>,
}

/// Where a number may lie.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Scale {
    /// Left end.
    pub min: f64,
    /// Right end.
    pub max: f64,
    /// Logarithmic.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub log: bool,
}

/// Two ends, both included.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Bounds {
    /// Lower end.
    pub min: f64,
    /// Upper end.
    pub max: f64,
}

/// Why one might answer a number between two ends; one that is left out is the end of the scale.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NumberFeedback {
    /// Lower end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub min: Option<f64>,
    /// Upper end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max: Option<f64>,
    /// Why one might think so.
    #[schemars(length(min = 1, max = 600))]
    pub text: String,
}

/// What a curve is drawn over.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CurveX {
    /// What it is.
    #[schemars(length(min = 1, max = 60))]
    pub title: String,
    /// Its unit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unit: Option<String>,
    /// Logarithmic.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub log: bool,
}

/// What a curve says.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CurveY {
    /// What it is.
    #[schemars(length(min = 1, max = 60))]
    pub title: String,
    /// Its unit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unit: Option<String>,
    /// Lower end.
    pub min: f64,
    /// Upper end.
    pub max: f64,
    /// Logarithmic.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub log: bool,
}

/// A point of a curve.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CurvePoint {
    /// Where it is asked.
    pub x: f64,
    /// Expression of what it is there.
    pub value: String,
}

/// A curve that one might draw, and why.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CurveFeedback {
    /// Why one might think so.
    #[schemars(length(min = 1, max = 600))]
    pub text: String,
    /// What it says at each point.
    pub values: Vec<f64>,
}

/// A field that is free.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Control {
    /// Path of the field.
    #[schemars(length(min = 1, max = 200))]
    pub path: String,
    /// What it is called here; without it as everywhere.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1, max = 60))]
    pub title: Option<String>,
    /// Least value that may be chosen; without it the least that is legal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub min: Option<f64>,
    /// Greatest value that may be chosen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max: Option<f64>,
}

/// What one might try.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Attempt {
    /// Values of fields, by path.
    pub set: BTreeMap<String, Value>,
    /// Why it fails.
    #[schemars(length(min = 1, max = 600))]
    pub text: String,
}
