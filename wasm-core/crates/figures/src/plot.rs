//! Plots: how a source draws a figure, and what is drawn of our results in its axes.
//!
//! A [`Plot`] stands in the file of a figure or a lesson. Bars and lines have an expression for each of their points; curves over time
//! and tails are those of one run, under the seed of its scenario. A [`Picture`] is a plot with its numbers: all that a chart needs.

use std::collections::BTreeSet;
use std::rc::Rc;

use qoscope_engine::overlay;
use qoscope_engine::scenario::{Diagnostic, listed, quoted, shortened};
use qoscope_engine::simulation::{Simulation, metrics};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::expression::Expression;
use crate::reading::Reading;
use crate::{Estimate, REFERENCE};

/// Points of a curve over time at most.
const TIME_POINTS: usize = 120;
/// Points of a tail at most.
const TAIL_POINTS: usize = 60;
/// Digits of the numbers of a picture: finer than any chart draws them.
const DIGITS: usize = 4;

/// An axis: what it shows and how.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(rename = "PictureAxis")]
pub struct Axis {
    /// What it shows, in a word or two.
    #[schemars(length(min = 1))]
    pub title: String,
    /// Unit; none for a plain number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unit: Option<String>,
    /// Whether equal lengths are equal ratios.
    #[serde(default, skip_serializing_if = "core::ops::Not::not")]
    pub log: bool,
    /// Where it begins; from the data otherwise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub min: Option<f64>,
    /// Where it ends; from the data otherwise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max: Option<f64>,
}

impl Axis {
    fn of(title: &str, unit: &str) -> Self {
        Self { title: title.into(), unit: (!unit.is_empty()).then(|| unit.into()), ..Self::default() }
    }
}

/// A level that a chart marks with a line across.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(rename = "PictureLevel")]
pub struct Level {
    /// What lies there.
    #[schemars(length(min = 1))]
    pub title: String,
    /// Where it lies.
    pub y: f64,
}

/// What a source has for a point: a number, the two ends of a range, or an expression that reads a number from `reference`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Mark {
    /// A number.
    Number(f64),
    /// A range.
    Range(f64, f64),
    /// An expression.
    Expression(String),
}

impl JsonSchema for Mark {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Mark".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": ["number", "array", "string"] })
    }
}

/// How a source draws a figure.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "kebab-case", rename_all_fields = "camelCase", deny_unknown_fields)]
pub enum Plot {
    /// Bars in groups, one of every series.
    Bars {
        /// What the groups differ in, where that has a name.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        x: Option<Axis>,
        /// What their heights are.
        y: Axis,
        /// Names of the groups, from the left.
        #[schemars(length(min = 1))]
        groups: Vec<String>,
        /// What each group has a bar of.
        #[schemars(length(min = 1))]
        series: Vec<BarSeries>,
        /// Levels to compare with.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        references: Vec<Level>,
    },
    /// Lines through points.
    Lines {
        /// The axis to the right.
        x: Axis,
        /// The axis upward.
        y: Axis,
        /// The lines.
        #[schemars(length(min = 1))]
        series: Vec<LineSeries>,
        /// Levels to compare with.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        references: Vec<Level>,
    },
    /// Curves over time.
    Time {
        /// What is followed.
        y: Axis,
        /// The curves.
        #[schemars(length(min = 1))]
        series: Vec<TimeSeries>,
        /// Where the picture begins, in milliseconds; at the start otherwise.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        from_ms: Option<f64>,
        /// Where it ends; at the end of the run otherwise.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        to_ms: Option<f64>,
        /// Levels to compare with.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        references: Vec<Level>,
    },
    /// Distributions of latency: the share of requests that took longer.
    Tail {
        /// The distributions.
        #[schemars(length(min = 1))]
        series: Vec<TailSeries>,
    },
}

/// Bars of one kind, one in every group.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct BarSeries {
    /// What tells it from the others.
    #[schemars(length(min = 1))]
    pub title: String,
    /// The class that it is of, whose colour it has.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub class: Option<String>,
    /// An expression for each group; null where it has no bar.
    pub values: Vec<Option<String>>,
    /// What the source has for each group; null where it has no number.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub published: Vec<Option<Mark>>,
}

/// A line.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct LineSeries {
    /// What tells it from the others.
    #[schemars(length(min = 1))]
    pub title: String,
    /// The class that it is of, whose colour it has.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub class: Option<String>,
    /// Whether it is what a model says, not a simulation.
    #[serde(default, skip_serializing_if = "core::ops::Not::not")]
    pub model: bool,
    /// Its points, from the left, each with an expression for its height.
    #[schemars(length(min = 1))]
    pub points: Vec<(f64, String)>,
    /// Points that the source has.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub published: Vec<(f64, Mark)>,
}

/// A curve over time.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct TimeSeries {
    /// What tells it from the others.
    #[schemars(length(min = 1))]
    pub title: String,
    /// The class that it is of; none for a curve of the network.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub class: Option<String>,
    /// The run.
    pub run: String,
    /// What is followed: a column of the series of a run, without its class.
    pub metric: String,
    /// Whether it is what the discrete-time model says of the scenario of the run, not the run.
    #[serde(default, skip_serializing_if = "core::ops::Not::not")]
    pub model: bool,
}

/// The distribution of the latencies of a class.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct TailSeries {
    /// What tells it from the others.
    #[schemars(length(min = 1))]
    pub title: String,
    /// The class.
    pub class: String,
    /// The run.
    pub run: String,
    /// Which latency.
    #[serde(default)]
    pub of: Latency,
}

/// A latency of requests.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum Latency {
    /// From end to end.
    #[default]
    Request,
    /// In the storage device.
    Device,
}

/// A plot with its numbers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Picture {
    /// Its form.
    pub kind: Form,
    /// The axis to the right. Groups of bars lie at 0, 1, 2 and so on.
    pub x: Axis,
    /// The axis upward.
    pub y: Axis,
    /// Names of the groups of bars.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub groups: Vec<String>,
    /// What is drawn.
    pub series: Vec<Drawn>,
    /// Levels to compare with.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub references: Vec<Level>,
}

/// The form of a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "PictureForm")]
pub enum Form {
    /// Bars in groups.
    Bars,
    /// Lines through points.
    Lines,
    /// Curves over time, in milliseconds.
    Time,
    /// Shares of requests over their latency, in microseconds.
    Tail,
}

/// One series of a picture.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(rename = "PictureSeries")]
pub struct Drawn {
    /// What tells it from the others.
    pub title: String,
    /// The class that it is of.
    pub class: Option<String>,
    /// Whether it is what a model says.
    #[serde(default, skip_serializing_if = "core::ops::Not::not")]
    pub model: bool,
    /// Points from the left: x and y.
    pub points: Vec<(f64, f64)>,
    /// Of every point half the width of its 95 % interval; empty where no seed changes any.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub half_widths: Vec<f64>,
    /// What the source has: x and y, or x and the two ends of a range.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub published: Vec<Vec<f64>>,
}

/// Gives a run that has come to its end, by name, under the seed of its scenario.
pub type Finished<'a> = dyn FnMut(&str) -> Result<Rc<Simulation>, String> + 'a;

/// What a plot may speak of.
pub struct Readable<'a> {
    /// What expressions read.
    pub names: &'a BTreeSet<&'a str>,
    /// The runs of one scenario, which have curves.
    pub single: &'a BTreeSet<&'a str>,
}

impl Plot {
    /// The runs of which it needs more than their summaries.
    pub fn curves(&self) -> BTreeSet<&str> {
        match self {
            Self::Bars { .. } | Self::Lines { .. } => BTreeSet::new(),
            Self::Time { series, .. } => series.iter().map(|series| series.run.as_str()).collect(),
            Self::Tail { series } => series.iter().map(|series| series.run.as_str()).collect(),
        }
    }

    /// What it says that the source has, as it stands in the file.
    pub fn published(&self) -> Vec<&Mark> {
        match self {
            Self::Bars { series, .. } => series.iter().flat_map(|series| series.published.iter().flatten()).collect(),
            Self::Lines { series, .. } => {
                series.iter().flat_map(|series| series.published.iter().map(|(_, mark)| mark)).collect()
            }
            Self::Time { .. } | Self::Tail { .. } => Vec::new(),
        }
    }

    /// The expressions that it reads results with.
    pub fn expressions(&self) -> Vec<&str> {
        match self {
            Self::Bars { series, .. } => {
                series.iter().flat_map(|series| series.values.iter().flatten().map(String::as_str)).collect()
            }
            Self::Lines { series, .. } => {
                series.iter().flat_map(|series| series.points.iter().map(|(_, text)| text.as_str())).collect()
            }
            Self::Time { .. } | Self::Tail { .. } => Vec::new(),
        }
    }

    /// What is wrong with a plot at `path` whose form is right.
    pub fn check(&self, path: &str, readable: &Readable) -> Vec<Diagnostic> {
        let mut check = Check { readable, diagnostics: Vec::new() };
        let at = |index: usize, field: &str| format!("{path}.series[{index}].{field}");
        match self {
            Self::Bars { groups, series, .. } => {
                for (index, BarSeries { values, published, .. }) in series.iter().enumerate() {
                    for (field, length) in [("values", values.len()), ("published", published.len())] {
                        if length != groups.len() && (field == "values" || length > 0) {
                            let reason = format!("has {length} for {} groups", groups.len());
                            check.push(at(index, field), reason, "Give one for each group, null where there is none.");
                        }
                    }
                    values.iter().flatten().for_each(|text| check.expression(&at(index, "values"), text));
                    published.iter().flatten().for_each(|mark| check.mark(&at(index, "published"), mark));
                }
            }
            Self::Lines { series, .. } => {
                for (index, LineSeries { points, published, .. }) in series.iter().enumerate() {
                    if points.iter().zip(points.iter().skip(1)).any(|(one, next)| one.0 >= next.0) {
                        check.push(at(index, "points"), "are not in order".into(), "Give them from the left.");
                    }
                    points.iter().for_each(|(_, text)| check.expression(&at(index, "points"), text));
                    published.iter().for_each(|(_, mark)| check.mark(&at(index, "published"), mark));
                }
            }
            Self::Time { series, .. } => {
                for (index, TimeSeries { run, metric, class, model, .. }) in series.iter().enumerate() {
                    check.run(&at(index, "run"), run);
                    let columns: Vec<&str> = match (model, class) {
                        (true, Some(_)) => MODEL_CLASS.to_vec(),
                        (true, None) => MODEL_NETWORK.to_vec(),
                        (false, Some(_)) => metrics::columns(&metrics::CLASS).collect(),
                        (false, None) => metrics::columns(&metrics::NETWORK).collect(),
                    };
                    if !columns.contains(&metric.as_str()) {
                        let reason = format!("is {}, which is not known here", quoted(metric));
                        check.push(at(index, "metric"), reason, &format!("Use {}.", columns.join(", ")));
                    }
                }
            }
            Self::Tail { series } => {
                series.iter().enumerate().for_each(|(index, series)| check.run(&at(index, "run"), &series.run));
            }
        }
        check.diagnostics
    }

    /// What is drawn of results. `reference` is what expressions read under that name.
    ///
    /// # Errors
    /// Which series cannot be drawn, and why.
    pub fn picture(
        &self,
        results: &crate::Results,
        reference: Option<&Value>,
        finished: &mut Finished,
    ) -> Result<Picture, String> {
        let reading = Reading { results, reference };
        match self {
            Self::Bars { x, y, groups, series, references } => {
                let drawn = |series: &BarSeries| -> Result<Drawn, String> {
                    let values = series.values.iter().enumerate();
                    let points = values.filter_map(|(group, text)| Some((group as f64, text.as_ref()?.as_str())));
                    let marks = series.published.iter().enumerate();
                    let marks = marks.filter_map(|(group, mark)| Some((group as f64, mark.as_ref()?)));
                    let Drawn { points, half_widths, published, .. } = reading.drawn(points, marks)?;
                    let (title, class) = (series.title.clone(), series.class.clone());
                    Ok(Drawn { title, class, model: false, points, half_widths, published })
                };
                Ok(Picture {
                    kind: Form::Bars,
                    x: x.clone().unwrap_or_default(),
                    y: y.clone(),
                    groups: groups.clone(),
                    series: each(series, |series| &series.title, drawn)?,
                    references: references.clone(),
                })
            }
            Self::Lines { x, y, series, references } => {
                let drawn = |series: &LineSeries| -> Result<Drawn, String> {
                    let points = series.points.iter().map(|(x, text)| (*x, text.as_str()));
                    let marks = series.published.iter().map(|(x, mark)| (*x, mark));
                    let Drawn { points, half_widths, published, .. } = reading.drawn(points, marks)?;
                    let (title, class) = (series.title.clone(), series.class.clone());
                    Ok(Drawn { title, class, model: series.model, points, half_widths, published })
                };
                Ok(Picture {
                    kind: Form::Lines,
                    x: x.clone(),
                    y: y.clone(),
                    groups: Vec::new(),
                    series: each(series, |series| &series.title, drawn)?,
                    references: references.clone(),
                })
            }
            Self::Time { y, series, from_ms, to_ms, references } => {
                let span_us = (from_ms.unwrap_or(0.0) * 1e3, to_ms.unwrap_or(f64::INFINITY) * 1e3);
                let drawn = each(series, |series| &series.title, |series| series.drawn(span_us, finished))?;
                Ok(Picture {
                    kind: Form::Time,
                    x: Axis::of("Time", "ms"),
                    y: y.clone(),
                    groups: Vec::new(),
                    series: told_apart(drawn),
                    references: references.clone(),
                })
            }
            Self::Tail { series } => Ok(Picture {
                kind: Form::Tail,
                x: Axis { log: true, ..Axis::of("Latency", "µs") },
                y: Axis { log: true, ..Axis::of("Share of requests that took longer", "") },
                groups: Vec::new(),
                series: told_apart(each(series, |series| &series.title, |series| series.drawn(finished))?),
                references: Vec::new(),
            }),
        }
    }
}

/// Draws every series; an error names the one it is of.
fn each<S>(
    series: &[S],
    title: impl Fn(&S) -> &String,
    mut drawn: impl FnMut(&S) -> Result<Drawn, String>,
) -> Result<Vec<Drawn>, String> {
    series.iter().map(|one| drawn(one).map_err(|reason| format!("{}: {reason}", title(one)))).collect()
}

/// Without their classes where those do not tell them apart: several curves of one class have colours of their own.
fn told_apart(mut series: Vec<Drawn>) -> Vec<Drawn> {
    let known: BTreeSet<_> = series.iter().map(|series| (series.class.clone(), series.model)).collect();
    if known.len() < series.len() {
        series.iter_mut().for_each(|series| series.class = None);
    }
    series
}

impl Reading<'_> {
    /// Points that have expressions for their heights, and marks of the source.
    fn drawn<'e>(
        &self,
        points: impl Iterator<Item = (f64, &'e str)>,
        marks: impl Iterator<Item = (f64, &'e Mark)>,
    ) -> Result<Drawn, String> {
        let mut series = Drawn::default();
        for (x, text) in points {
            let Estimate { mean, half_width } = self.estimate(&Expression::parse(text)?)?;
            if !mean.is_finite() {
                return Err(format!("`{}` is no number", shortened(text)));
            }
            series.points.push((x, drawn(mean)));
            // Of equal numbers the interval is what rounding leaves.
            let width = half_width.filter(|width| *width > 1e-9 * mean.abs()).unwrap_or(0.0);
            series.half_widths.push(drawn(width));
        }
        if series.half_widths.iter().all(|width| *width == 0.0) {
            series.half_widths.clear();
        }
        for (x, mark) in marks {
            series.published.push(match mark {
                Mark::Number(number) => vec![x, *number],
                Mark::Range(low, high) => vec![x, *low, *high],
                Mark::Expression(text) => vec![x, drawn(self.estimate(&Expression::parse(text)?)?.mean)],
            });
        }
        Ok(series)
    }
}

/// What the discrete-time model has over time, of a class and of the network, by the names that a run has for it.
const MODEL_CLASS: [&str; 2] = ["goodputGbps", "qualityFactor"];
const MODEL_NETWORK: [&str; 1] = ["queueMean"];

impl TimeSeries {
    fn drawn(&self, span_us: (f64, f64), finished: &mut Finished) -> Result<Drawn, String> {
        let simulation = finished(&self.run)?;
        let class = self.class.as_ref().map(|name| class_of(&simulation, name)).transpose()?;
        let curve = if self.model { self.of_model(&simulation, class)? } else { self.of_run(&simulation, class) };
        let within = |(us, _): &(f64, f64)| (span_us.0..=span_us.1).contains(us);
        let curve: Vec<(f64, f64)> = curve.into_iter().filter(within).collect();
        let points = decimated(&curve, TIME_POINTS).into_iter().map(|(us, y)| (drawn(us / 1e3), drawn(y)));
        Ok(Drawn {
            title: self.title.clone(),
            class: self.class.clone(),
            model: self.model,
            points: points.collect(),
            ..Drawn::default()
        })
    }

    /// Microseconds and values of the samples.
    fn of_run(&self, simulation: &Simulation, class: Option<usize>) -> Vec<(f64, f64)> {
        let network = metrics::NETWORK.len();
        let width = network + metrics::CLASS.len() * simulation.scenario().classes.len();
        let place = |mut columns: Box<dyn Iterator<Item = &'static str>>| columns.position(|id| id == self.metric);
        let column = match class {
            Some(class) => {
                place(Box::new(metrics::columns(&metrics::CLASS))).map(|at| network + class * metrics::CLASS.len() + at)
            }
            None => place(Box::new(metrics::columns(&metrics::NETWORK))),
        };
        let column = column.expect("the figure has been checked");
        simulation.samples(0).chunks_exact(width).map(|row| (row[0], row[column])).collect()
    }

    fn of_model(&self, simulation: &Simulation, class: Option<usize>) -> Result<Vec<(f64, f64)>, String> {
        let curves = overlay::overlay(simulation.scenario())
            .map_err(|found| found.first().map_or_else(String::new, |found| found.reason.clone()))?;
        let values = match class {
            None => curves.queue_packets,
            Some(class) if self.metric == MODEL_CLASS[0] => curves.classes[class].throughput_gbps.clone(),
            Some(class) => curves.classes[class].quality_factor.clone(),
        };
        Ok(curves.time_us.into_iter().zip(values).collect())
    }
}

impl TailSeries {
    fn drawn(&self, finished: &mut Finished) -> Result<Drawn, String> {
        let simulation = finished(&self.run)?;
        let class = class_of(&simulation, &self.class)?;
        let tail = match self.of {
            Latency::Request => simulation.latency_tail(class, TAIL_POINTS),
            Latency::Device => simulation.device_latency_tail(class, TAIL_POINTS),
        };
        let mut points: Vec<(f64, f64)> = tail.into_iter().map(|(us, share)| (drawn(us), drawn(share))).collect();
        points.dedup();
        while points.len() > TAIL_POINTS {
            let mut place = 0;
            points.retain(|_| {
                place += 1;
                place % 2 == 1
            });
        }
        Ok(Drawn { title: self.title.clone(), class: Some(self.class.clone()), points, ..Drawn::default() })
    }
}

fn class_of(simulation: &Simulation, name: &str) -> Result<usize, String> {
    let found = simulation.scenario().classes.iter().position(|class| class.name == name);
    found.ok_or_else(|| format!("there is no class {}", quoted(name)))
}

/// At most so many points, each the mean of an equal stretch of a curve; what is no number is left out.
fn decimated(curve: &[(f64, f64)], points: usize) -> Vec<(f64, f64)> {
    let stretch = curve.len().div_ceil(points).max(1);
    let means = curve.chunks(stretch).filter_map(|stretch| {
        let known: Vec<&(f64, f64)> = stretch.iter().filter(|(_, y)| y.is_finite()).collect();
        let mean =
            |read: fn(&(f64, f64)) -> f64| known.iter().map(|point| read(point)).sum::<f64>() / known.len() as f64;
        (!known.is_empty()).then(|| (mean(|point| point.0), mean(|point| point.1)))
    });
    means.collect()
}

/// A number with as many digits as a picture has.
fn drawn(number: f64) -> f64 {
    rounded(number, DIGITS)
}

/// A number with so many digits.
pub(crate) fn rounded(number: f64, digits: usize) -> f64 {
    // Of minus zero the sum is zero.
    format!("{number:.*e}", digits - 1).parse().map_or(number, |rounded: f64| rounded + 0.0)
}

/// Collects what is wrong.
struct Check<'a> {
    readable: &'a Readable<'a>,
    diagnostics: Vec<Diagnostic>,
}

impl Check<'_> {
    fn push(&mut self, path: String, reason: String, hint: &str) {
        self.diagnostics.push(Diagnostic::new(path, reason, hint));
    }

    fn reads(&mut self, path: &str, text: &str, names: &BTreeSet<&str>) {
        match Expression::parse(text) {
            Err(reason) => self.push(path.into(), reason, "See docs/figures.md."),
            Ok(expression) => {
                for name in expression.names().difference(names) {
                    let hint = format!("Use {}.", listed(names.iter().copied()));
                    self.push(path.into(), format!("reads `{}`", shortened(name)), &hint);
                }
            }
        }
    }

    fn expression(&mut self, path: &str, text: &str) {
        self.reads(path, text, self.readable.names);
    }

    fn mark(&mut self, path: &str, mark: &Mark) {
        if let Mark::Expression(text) = mark {
            self.reads(path, text, &BTreeSet::from([REFERENCE]));
        }
    }

    fn run(&mut self, path: &str, run: &str) {
        if !self.readable.single.contains(run) {
            let hint = "Use the name of a run without a sweep.";
            self.push(path.into(), format!("is `{}`, which is no single run", shortened(run)), hint);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::sync::Arc;

    use serde_json::json;

    use super::*;
    use crate::Results;

    fn plot(value: Value) -> Plot {
        serde_json::from_value(value).unwrap()
    }

    fn results() -> Results {
        let seeds = |numbers: &[f64]| numbers.iter().map(|number| Arc::new(json!({ "gbps": number }))).collect();
        Results {
            runs: BTreeMap::from([("a".into(), seeds(&[9.0, 11.0])), ("b".into(), seeds(&[3.0, 3.0, 9.0]))]),
            models: BTreeMap::from([("model".into(), Arc::new(json!({ "gbps": 1.0 / 3.0 })))]),
        }
    }

    fn picture(value: Value) -> Result<Picture, String> {
        let reference = json!({ "gbps": 7 });
        plot(value).picture(&results(), Some(&reference), &mut |_| Err("no run is needed".into()))
    }

    fn diagnostics(value: Value) -> Vec<String> {
        let (names, single) = (BTreeSet::from(["a", "b", "sweep", "reference"]), BTreeSet::from(["a", "b"]));
        let found = plot(value).check("plot", &Readable { names: &names, single: &single });
        found.into_iter().map(|found| format!("{} {}", found.path, found.reason)).collect()
    }

    #[test]
    fn bars_have_means_and_intervals_and_what_was_published() {
        let picture = picture(json!({
            "kind": "bars", "y": { "title": "Carried", "unit": "Gb/s" }, "groups": ["one", "two", "three"],
            "series": [{
                "title": "High", "class": "High", "values": ["a.gbps", null, "model.gbps"],
                "published": [10, [1, 2], "reference.gbps"],
            }],
        }));
        let expected = Drawn {
            title: "High".into(),
            class: Some("High".into()),
            model: false,
            points: vec![(0.0, 10.0), (2.0, 0.3333)],
            half_widths: vec![12.71, 0.0], // 12.706 times the deviation of 9 and 11, over the root of 2
            published: vec![vec![0.0, 10.0], vec![1.0, 1.0, 2.0], vec![2.0, 7.0]],
        };
        assert_eq!(picture.unwrap().series, [expected]);
    }

    #[test]
    fn lines_pair_runs_by_seed_as_far_as_both_reach() {
        let picture = picture(json!({
            "kind": "lines", "x": { "title": "Load" }, "y": { "title": "Carried" },
            "series": [{ "title": "a less b", "points": [[0.5, "a.gbps - b.gbps"], [1, "2"]], "published": [[1, 2]] }],
        }));
        let series = picture.unwrap().series.remove(0);
        assert_eq!(series.points, [(0.5, 7.0), (1.0, 2.0)], "the third seed of b has no partner");
        assert_eq!(series.published, [[1.0, 2.0]]);
    }

    #[test]
    fn what_no_seed_changes_has_no_interval() {
        let seeds = [0.1 + 0.2, 0.3].map(|number| Arc::new(json!({ "gbps": number }))).to_vec();
        let results = Results { runs: BTreeMap::from([("a".into(), seeds)]), models: BTreeMap::new() };
        let bars = plot(json!({
            "kind": "bars", "y": { "title": "Carried" }, "groups": ["one"], "series": [{ "title": "a", "values": ["a.gbps"] }],
        }));
        let picture = bars.picture(&results, None, &mut |_| Err("no run is needed".into())).unwrap();
        assert_eq!((&picture.series[0].points[..], picture.series[0].half_widths.len()), (&[(0.0, 0.3)][..], 0));
    }

    #[test]
    fn what_cannot_be_drawn_is_named() {
        let bar = |value: &str| {
            picture(json!({
                "kind": "bars", "y": { "title": "Carried" }, "groups": ["one"],
                "series": [{ "title": "High", "values": [value] }],
            }))
        };
        assert_eq!(bar("a.mbps").unwrap_err(), "High: `a.mbps` leads nowhere: there is no `mbps`, but `gbps` (seed 1)");
        assert_eq!(bar("0 / 0").unwrap_err(), "High: `0 / 0` is no number");
    }

    #[test]
    fn curves_and_tails_are_those_of_the_run() {
        let mut scenario = qoscope_committed::document("three-writers");
        scenario["durationUs"] = json!(30_000);
        let run = Rc::new(crate::Run::of("three-writers").finished(&scenario).unwrap());
        let draw = |plot: Value| self::plot(plot).picture(&Results::default(), None, &mut |_| Ok(Rc::clone(&run)));
        let class = run.scenario().classes[0].name.clone();
        let time = draw(json!({
            "kind": "time", "y": { "title": "Throughput", "unit": "Gb/s" }, "fromMs": 10, "toMs": 20,
            "series": [
                { "title": "first", "class": class, "run": "run", "metric": "goodputGbps" },
                { "title": "queue", "run": "run", "metric": "queueMean" },
                { "title": "model", "run": "run", "metric": "queueMean", "model": true },
            ],
        }))
        .unwrap();
        for series in &time.series {
            assert!((20..=TIME_POINTS).contains(&series.points.len()), "{}: {:?}", series.title, series.points.len());
            assert!(series.points.iter().all(|(ms, y)| (10.0..=20.0).contains(ms) && y.is_finite()));
        }
        let mean: f64 =
            time.series[0].points.iter().map(|point| point.1).sum::<f64>() / time.series[0].points.len() as f64;
        assert!((1.0..=run.summary().classes[0].carried_gbps * 1.5).contains(&mean), "{mean}");
        let tail =
            draw(json!({ "kind": "tail", "series": [{ "title": "first", "class": class, "run": "run" }] })).unwrap();
        let points = &tail.series[0].points;
        assert!((5..=TAIL_POINTS).contains(&points.len()), "{points:?}");
        assert!(points.is_sorted_by(|one, next| one.0 < next.0 && one.1 >= next.1), "{points:?}");
    }

    #[test]
    fn a_class_is_named_where_it_tells_curves_apart() {
        let series = |class: &str, model| Drawn { class: Some(class.into()), model, ..Drawn::default() };
        let (high, model) = (series("High", false), series("High", true));
        assert_eq!(told_apart(vec![high.clone(), model.clone()]), [high.clone(), model]);
        assert!(told_apart(vec![high.clone(), series("Low", false), high]).iter().all(|series| series.class.is_none()));
    }

    #[test]
    fn a_long_curve_is_the_means_of_equal_stretches() {
        let curve = [(0.0, 1.0), (1.0, f64::NAN), (2.0, 4.0), (3.0, 6.0), (4.0, 8.0), (5.0, f64::NAN), (6.0, f64::NAN)];
        assert_eq!(decimated(&curve, 4), [(0.0, 1.0), (2.5, 5.0), (4.0, 8.0)]);
        assert_eq!(decimated(&curve[2..4], 4), curve[2..4]);
        assert_eq!([rounded(123_456.0, 4), rounded(-0.0, 4), rounded(9999.9, 4)], [123_500.0, 0.0, 10_000.0]);
    }

    #[test]
    fn what_cannot_be_meant_is_refused_with_its_place() {
        let bars = json!({
            "kind": "bars", "y": { "title": "Carried" }, "groups": ["one", "two"],
            "series": [{ "title": "High", "values": ["c.gbps"], "published": ["a.gbps", null] }],
        });
        let expected = [
            "plot.series[0].values has 1 for 2 groups",
            "plot.series[0].values reads `c`",
            "plot.series[0].published reads `a`",
        ];
        assert_eq!(diagnostics(bars), expected);
        let lines = json!({
            "kind": "lines", "x": { "title": "Load" }, "y": { "title": "Carried" },
            "series": [{ "title": "High", "points": [[1, "a.gbps"], [1, "a.gbps +"]] }],
        });
        let expected = [
            "plot.series[0].points are not in order",
            "plot.series[0].points ends where a number, a path or a function is expected",
        ];
        assert_eq!(diagnostics(lines), expected);
        let time = json!({
            "kind": "time", "y": { "title": "Queue" },
            "series": [
                { "title": "queue", "run": "sweep", "metric": "queueMean" },
                { "title": "High", "class": "High", "run": "a", "metric": "queueMean" },
            ],
        });
        let expected = [
            "plot.series[0].run is `sweep`, which is no single run",
            "plot.series[1].metric is \"queueMean\", which is not known here",
        ];
        assert_eq!(diagnostics(time), expected);
    }
}
