//! Answers to the questions of a lesson, held against what the run shows.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::document::{ChoiceOption, CurveFeedback, CurvePoint, CurveY, Lesson, NumberFeedback, Question};
use super::text::{shown, with_unit};
use super::told::filled;
use super::{Act, LessonResults, scope};
use crate::expression::{Expression, Scope};
use crate::{Band, band};

/// What somebody answers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
#[schemars(rename = "LessonAnswer")]
pub enum Answer {
    /// One of several options, by position.
    Choice {
        /// Its position.
        option: usize,
    },
    /// A number.
    Number {
        /// The number.
        value: f64,
    },
    /// A curve.
    Curve {
        /// Its value at each point.
        values: Vec<f64>,
    },
    /// "I don't know."
    Unknown,
}

/// What the run shows.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Happened {
    /// This option is so.
    Choice {
        /// Its position.
        option: usize,
        /// How it reads.
        text: String,
    },
    /// None of the options is so: what holds under the seeds of the lesson's test need not under a learner's own.
    None {
        /// The same in words.
        text: String,
    },
    /// The number.
    Number {
        /// The number.
        value: f64,
        /// The same as text, with its unit.
        text: String,
    },
    /// The curve.
    Curve {
        /// Its value at each point.
        values: Vec<f64>,
    },
}

/// An answer held against the run.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Judgement {
    /// Whether it is right.
    pub right: bool,
    /// How far off it is, in words; none of a choice.
    pub distance: Option<String>,
    /// What the run shows.
    pub happened: Happened,
    /// Why one might think so, where the answer is a wrong one that the lesson knows.
    pub feedback: Option<String>,
}

impl Lesson {
    /// Judges an answer to the question of a step.
    ///
    /// # Errors
    /// That the step asks something else, or what the results lack, as a sentence without a full stop.
    pub fn judge(&self, step: usize, answer: &Answer, results: &LessonResults) -> Result<Judgement, String> {
        let act = self.steps.get(step).map(|step| &step.act);
        let Some(Act::Predict { question, .. }) = act else { return Err("the step asks nothing".into()) };
        let scope = scope(results);
        match question {
            Question::Choice { options, .. } => choice(options, answer, &scope),
            Question::Number { unit, value, decimals, within, within_percent, feedback, .. } => {
                let value = Expression::parse(value)?.number(&scope)?;
                let band = band(*within, *within_percent)?;
                let with_unit = |number| with_unit(&shown(number, *decimals), unit.as_deref());
                number(value, band, feedback, answer, &scope, with_unit)
            }
            Question::Curve { y, points, within, within_percent, feedback, .. } => {
                let values = curve_values(points, &scope)?;
                let measure = Measure::new(y, band(*within, *within_percent)?);
                curve(&values, measure, y, feedback, answer, &scope)
            }
        }
    }
}

/// The answer is of another kind than the question.
fn other_kind<T>() -> Result<T, String> {
    Err("the answer is of another kind than the question".into())
}

fn choice(options: &[ChoiceOption], answer: &Answer, scope: &Scope) -> Result<Judgement, String> {
    let right = options.iter().position(|option| option.right).unwrap_or(0);
    // What is so under every seed of the lesson's test may, rarely, be otherwise under a learner's own: the run decides.
    let mut happened = None;
    for index in std::iter::once(right).chain(0..options.len()) {
        let when = &options[index].when;
        if when.holds(when.number(scope)?) {
            happened = Some(index);
            break;
        }
    }
    let chosen = match answer {
        Answer::Choice { option } => Some(*option),
        Answer::Unknown => None,
        _ => return other_kind(),
    };
    // Where none is so, what the lesson teaches counts.
    let is_right = chosen == Some(happened.unwrap_or(right));
    let feedback = chosen.filter(|_| !is_right).and_then(|chosen| options.get(chosen)?.feedback.as_ref());
    Ok(Judgement {
        right: is_right,
        distance: None,
        happened: match happened {
            Some(option) => Happened::Choice { option, text: filled(&options[option].text, scope) },
            None => Happened::None { text: "This run shows none of these.".into() },
        },
        feedback: feedback.map(|text| filled(text, scope)),
    })
}

fn number(
    value: f64,
    band: Band,
    feedback: &[NumberFeedback],
    answer: &Answer,
    scope: &Scope,
    with_unit: impl Fn(f64) -> String,
) -> Result<Judgement, String> {
    let happened = Happened::Number { value, text: with_unit(value) };
    let given = match answer {
        Answer::Number { value } => *value,
        Answer::Unknown => return Ok(Judgement { right: false, distance: None, happened, feedback: None }),
        _ => return other_kind(),
    };
    let right = (given - value).abs() <= tolerance(value, band);
    let known = feedback.iter().find(|known| !right && known.holds(given));
    let off = with_unit((given - value).abs());
    let distance = match given.partial_cmp(&value) {
        _ if off == with_unit(0.0) => "exactly so".into(),
        Some(std::cmp::Ordering::Less) => format!("{off} too low"),
        _ => format!("{off} too high"),
    };
    let feedback = known.map(|known| filled(&known.text, scope));
    Ok(Judgement { right, distance: Some(distance), happened, feedback })
}

impl NumberFeedback {
    fn holds(&self, number: f64) -> bool {
        self.min.is_none_or(|min| number >= min) && self.max.is_none_or(|max| number <= max)
    }

    /// Whether some number that it is given for would be right, or comes within the tolerance.
    pub(super) fn reaches(&self, value: f64, band: Band) -> bool {
        let width = tolerance(value, band);
        self.min.is_none_or(|min| min <= value + width) && self.max.is_none_or(|max| max >= value - width)
    }
}

/// How far from a number an answer is right.
fn tolerance(value: f64, band: Band) -> f64 {
    match band {
        Band::Absolute(width) => width,
        Band::Relative(share) => (share * value).abs(),
    }
}

/// The curve that the results have.
pub(super) fn curve_values(points: &[CurvePoint], scope: &Scope) -> Result<Vec<f64>, String> {
    points.iter().map(|point| Expression::parse(&point.value)?.number(scope)).collect()
}

/// How far apart curves are: the mean over their points, in the unit of y, in parts of its range, or on a logarithmic axis as a
/// ratio.
#[derive(Clone, Copy, Debug)]
pub(super) struct Measure {
    low: f64,
    high: f64,
    log: bool,
    band: Band,
}

impl Measure {
    pub fn new(y: &CurveY, band: Band) -> Self {
        Self { low: y.min, high: y.max, log: y.log, band }
    }

    /// How far one curve is from another: as `within` counts it, or as a share for `withinPercent`.
    pub fn distance(self, given: &[f64], measured: &[f64]) -> f64 {
        let Self { low, high, log, band } = self;
        // What lies outside of the chart cannot be drawn.
        let mean = |off: &dyn Fn(f64, f64) -> f64| {
            let pairs = given.iter().zip(measured);
            let sum: f64 = pairs.map(|(given, measured)| off(given.clamp(low, high), measured.clamp(low, high))).sum();
            sum / measured.len().max(1) as f64
        };
        match band {
            Band::Absolute(_) => mean(&|given, measured| (given - measured).abs()),
            // By which factor, to either side.
            Band::Relative(_) if log => libm::exp(mean(&|given, measured| libm::log(given / measured).abs())) - 1.0,
            Band::Relative(_) => mean(&|given, measured| (given - measured).abs()) / (high - low),
        }
    }

    /// Whether a curve at this distance is right.
    pub fn is_right(self, distance: f64) -> bool {
        let (Band::Absolute(most) | Band::Relative(most)) = self.band;
        distance <= most
    }

    /// A distance for a student, in the unit of the axis or as a factor.
    fn off(self, distance: f64, y: &CurveY) -> String {
        let average = |distance| format!("{} off on average", with_unit(&shown(distance, None), y.unit.as_deref()));
        match self.band {
            Band::Relative(_) if self.log => {
                format!("off by a factor of {} on average", shown(1.0 + distance, Some(2)))
            }
            Band::Relative(_) => average((self.high - self.low) * distance),
            Band::Absolute(_) => average(distance),
        }
    }

    /// A distance in words.
    pub fn told(self, distance: f64, y: &CurveY) -> String {
        match self.band {
            Band::Absolute(_) => with_unit(&shown(distance, None), y.unit.as_deref()),
            Band::Relative(_) => with_unit(&shown(100.0 * distance, Some(0)), Some("%")),
        }
    }
}

fn curve(
    values: &[f64],
    measure: Measure,
    y: &CurveY,
    feedback: &[CurveFeedback],
    answer: &Answer,
    scope: &Scope,
) -> Result<Judgement, String> {
    let happened = Happened::Curve { values: values.to_vec() };
    let given = match answer {
        Answer::Curve { values: given } if given.len() == values.len() => given,
        Answer::Curve { values: given } => {
            return Err(format!("the curve has {} points, and {} are asked for", given.len(), values.len()));
        }
        Answer::Unknown => return Ok(Judgement { right: false, distance: None, happened, feedback: None }),
        _ => return other_kind(),
    };
    let distance = measure.distance(given, values);
    let right = measure.is_right(distance);
    // The curve that is meant is the one that it comes nearest to, where it comes nearer to that than to what happened.
    let nearest = feedback
        .iter()
        .map(|known| (measure.distance(given, &known.values), known))
        .min_by(|(one, _), (other, _)| one.total_cmp(other))
        .filter(|(to_known, _)| !right && *to_known < distance);
    Ok(Judgement {
        right,
        distance: Some(measure.off(distance, y)),
        happened,
        feedback: nearest.map(|(_, known)| filled(&known.text, scope)),
    })
}
