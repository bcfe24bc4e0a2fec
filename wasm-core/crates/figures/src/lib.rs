//! Figures as data: what a figure of a paper or a case of another simulator claims, and how our runs are held against it.
//!
//! A [`Figure`] is read from JSON (`scenarios/figures/`). It says which [`Run`]s and [`Model`]s it needs, [`Outcomes`] makes
//! them, and of their [`Results`] it makes the [`Row`]s of its [`table`] and the [`Picture`] of its [`Plot`]. A [`Reproduction`] takes
//! results as they come. The format is described in `docs/figures.md`. Nothing here opens a file or starts a thread, like the engine
//! that it stands on.

mod batches;
mod document;
mod each;
mod estimate;
mod expression;
pub mod lessons;
mod outcomes;
mod plot;
mod reading;
mod record;
mod repeats;
mod reproduction;
mod row;
mod runs;
mod single_runs;
pub mod statistics;
mod table;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;
use std::sync::LazyLock;

use qoscope_engine::kernel::digest::Digest;
use qoscope_engine::scenario::{self, Diagnostic, quoted, shortened};
use serde::Serialize;
use serde_json::Value;

pub use document::*;
pub use estimate::Estimate;
pub use expression::{Expression, Scope};
pub use outcomes::{Outcome, Outcomes, Seeds};
pub use plot::*;
pub use reading::{Reading, Results};
pub use record::{FigureRecord, Record, Tally};
pub use repeats::{ComparedClass, ComparedMeasure, ComparedMeasures, Comparison, Difference, Repeats};
pub use reproduction::{FigureAnswer, Reproduction};
pub use row::{Band, Claim, KnownDeviation, Row, RowOutcome, RowView, Verdict};
pub use runs::{sentence, sentences};
pub use single_runs::SingleRuns;
pub use table::table;

/// What expressions call the figure's reference.
const REFERENCE: &str = "reference";

/// The JSON Schema of a figure whose repetitions (`each`) are written out. It is kept as text, as that of scenarios is: the code that
/// makes it is not part of the module of the page.
pub fn schema() -> &'static Value {
    static SCHEMA: LazyLock<Value> =
        LazyLock::new(|| serde_json::from_str(include_str!("schema.json")).expect("a test compares it with the types"));
    &SCHEMA
}

/// The JSON Schema as the types have it.
pub fn schema_of_types() -> Value {
    schemars::schema_for!(Figure).to_value()
}

/// The digest of anything that has a JSON form, 16 hexadecimal digits.
pub fn digest(value: &impl Serialize) -> String {
    let mut digest = Digest::default();
    let json = serde_json::to_vec(value).expect("plain data has a JSON form");
    json.into_iter().for_each(|byte| digest.word(byte.into()));
    format!("{:016x}", digest.value())
}

impl Figure {
    /// Reads a figure from JSON text.
    ///
    /// # Errors
    /// Every diagnostic of the document at once. Paths are those of the document with its repetitions written out.
    pub fn read(text: &str) -> Result<Self, Vec<Diagnostic>> {
        let document = scenario::parse(text).map_err(|diagnostic| vec![diagnostic])?;
        let document = each::written_out(document).map_err(|diagnostic| vec![diagnostic])?;
        let diagnostics = scenario::check_form(schema(), &document);
        if !diagnostics.is_empty() {
            return Err(diagnostics);
        }
        let figure: Self = scenario::typed(document).map_err(|diagnostic| vec![diagnostic])?;
        let diagnostics = figure.check();
        if diagnostics.is_empty() { Ok(figure) } else { Err(diagnostics) }
    }

    /// What is wrong with a figure whose form is right.
    fn check(&self) -> Vec<Diagnostic> {
        let mut diagnostics = Vec::new();
        let mut names = BTreeSet::from([REFERENCE]);
        let runs = self.runs.iter().map(|run| run.name.as_str());
        for name in runs.chain(self.models.iter().map(Model::name)) {
            if !names.insert(name) {
                diagnostics.push(Diagnostic::new(
                    "runs",
                    format!("has two of the name `{}`", shortened(name)),
                    "Rename one.",
                ));
            }
        }
        let single: BTreeSet<_> = self.runs.iter().filter(|run| run.sweep.is_none()).map(|run| &run.name).collect();
        for (index, comparison) in self.comparisons.iter().enumerate() {
            for ComparedRun { run, .. } in comparison.runs.iter().filter(|compared| !single.contains(&compared.run)) {
                let reason = format!("has `{}`, which is no single run", shortened(run));
                let hint = "Use the name of a run without a sweep.";
                diagnostics.push(Diagnostic::new(format!("comparisons[{index}].runs"), reason, hint));
            }
        }
        let mut labels = BTreeSet::new();
        for (index, quantity) in self.quantities.iter().enumerate() {
            let key = self.key(quantity.case.as_ref(), &quantity.label);
            let mut push = |field: &str, reason: String, hint: &str| {
                diagnostics.push(Diagnostic::new(
                    format!("quantities[{index}].{field}"),
                    format!("{reason} ({})", shortened(key.1)),
                    hint,
                ));
            };
            if !labels.insert(key) {
                push("label", "is that of another row of the same case".into(), "Say what tells them apart.");
            }
            let mut read = BTreeSet::new();
            for (field, text) in quantity.expressions() {
                match text.map(|text| Expression::parse(text)) {
                    Some(Err(reason)) => push(field, reason, "See docs/figures.md."),
                    Some(Ok(expression)) => {
                        for name in expression.names().difference(&names) {
                            push(
                                field,
                                format!("reads `{}`", shortened(name)),
                                "Use the name of a run or a model, or `reference`.",
                            );
                        }
                        read.extend(expression.names().into_iter().map(str::to_owned));
                    }
                    None => {}
                }
            }
            let read: Vec<&Run> = self.runs.iter().filter(|run| read.contains(&run.name)).collect();
            if let Some(other) = read.iter().find(|run| run.seeds != read[0].seeds) {
                let [one, other] = [read[0], other].map(|run| shortened(&run.name));
                let reason = format!("reads `{one}` and `{other}`, which have different numbers of seeds");
                push("value", reason, "Give them the same number: runs are paired by seed.");
            }
            if let Err(reason) = self.claim(&quantity.published) {
                push("published", reason, "See docs/figures.md.");
            }
        }
        if let Some(plot) = &self.plot {
            let single: BTreeSet<&str> = single.iter().map(|name| name.as_str()).collect();
            diagnostics.extend(plot.check("plot", &Readable { names: &names, single: &single }));
        }
        let controls = self.quantities.iter().filter(|row| matches!(row.published, Published::Control { .. }));
        let controls: BTreeSet<_> = controls.map(|row| self.key(row.case.as_ref(), &row.label)).collect();
        for (index, deviation) in self.deviations.iter().enumerate() {
            for (row, known) in deviation.rows.iter().enumerate() {
                let key = self.key(known.case.as_ref(), &known.label);
                let path = format!("deviations[{index}].rows[{row}]");
                let [case, label] = [key.0, key.1].map(quoted);
                if controls.contains(&key) {
                    let reason = format!("is the row {label}, a control, which deviates from nothing");
                    diagnostics.push(Diagnostic::new(&*path, reason, "Leave it out."));
                }
                if !labels.contains(&key) {
                    let reason = format!("is {label} of the case {case}, and no quantity has this label and case");
                    diagnostics.push(Diagnostic::new(path, reason, "Write case and label as the quantity has them."));
                }
            }
        }
        diagnostics
    }

    /// A row's identity: its case and label.
    fn key<'a>(&'a self, case: Option<&'a String>, label: &'a str) -> (&'a str, &'a str) {
        (case.unwrap_or(&self.id), label)
    }

    /// The rows of its table, those of a case together.
    ///
    /// # Errors
    /// Which quantity cannot be read from the results, and why.
    pub fn rows(&self, results: &Results) -> Result<Vec<Row>, String> {
        self.in_order().into_iter().map(|quantity| self.row(quantity, results)).collect()
    }

    /// As [`Self::rows`], of as many seeds as there are of the runs of each row; none where there are not two seeds yet, which an
    /// interval takes, or a model is missing.
    ///
    /// # Errors
    /// Which quantity cannot be read from the results, and why.
    pub fn rows_so_far(&self, results: &Results) -> Result<Vec<Option<Row>>, String> {
        let reading = self.reading(results);
        let row = |quantity: &Quantity| {
            let mut expressions = Vec::new();
            for (_, text) in quantity.expressions() {
                expressions.extend(text.map(|text| Expression::parse(text)).transpose()?);
            }
            let is_known = reading.seeds(&expressions).is_none_or(|seeds| seeds >= 2);
            is_known.then(|| self.row(quantity, results)).transpose()
        };
        self.in_order().into_iter().map(row).collect()
    }

    /// What its plot shows of results; none without a plot.
    ///
    /// # Errors
    /// Which series cannot be drawn, and why.
    pub fn picture(&self, results: &Results, finished: &mut Finished) -> Result<Option<Picture>, String> {
        let picture = self.plot.as_ref().map(|plot| plot.picture(results, self.reference.as_ref(), finished));
        picture.transpose().map_err(|reason| format!("{}: plot: {reason}", self.id))
    }

    /// Digest of results: of the figure's file but for its plot, of the digests of its runs, in the order of their names and seeds, and
    /// of what its rows make of them: each mean to the last bit, and the table. A change of a summary that no row reads is none.
    ///
    /// # Errors
    /// Which quantity cannot be read from the results, and why.
    pub fn digest(&self, results: &Results) -> Result<String, String> {
        let rows = self.rows(results)?;
        let figure = Self { plot: None, ..self.clone() };
        let runs: Vec<&Value> = results.runs.values().flatten().flat_map(|result| of_runs(result, "digest")).collect();
        let means: Vec<f64> = rows.iter().map(|row| row.ours.mean).collect();
        let views: Vec<RowView> = rows.iter().map(Row::view).collect();
        Ok(digest(&(figure, runs, means, table(&views))))
    }

    /// Events of all runs: what making them takes.
    pub fn events(results: &Results) -> u64 {
        let engines = results.runs.values().flatten().flat_map(|result| of_runs(result, "engine"));
        engines.filter_map(|engine| engine["events"].as_u64()).sum()
    }

    /// The quantities, those of a case together.
    fn in_order(&self) -> Vec<&Quantity> {
        let case = |quantity: &Quantity| self.key(quantity.case.as_ref(), "").0.to_owned();
        let cases: Vec<String> = self.quantities.iter().map(case).collect();
        let mut quantities: Vec<&Quantity> = self.quantities.iter().collect();
        quantities.sort_by_key(|quantity| cases.iter().position(|known| *known == case(quantity)));
        quantities
    }

    fn reading<'a>(&'a self, results: &'a Results) -> Reading<'a> {
        Reading { results, reference: self.reference.as_ref() }
    }

    fn row(&self, quantity: &Quantity, results: &Results) -> Result<Row, String> {
        self.measured(quantity, results).map_err(|reason| format!("{}: {}: {reason}", self.id, quantity.label))
    }

    fn measured(&self, quantity: &Quantity, results: &Results) -> Result<Row, String> {
        let reading = self.reading(results);
        let [value, base, censored] =
            quantity.expressions().map(|(_, text)| text.map(|text| Expression::parse(text)).transpose());
        let (value, base, censored) = (value?, base?, censored?);
        let seeds = reading.seeds([&value, &base, &censored].into_iter().flatten()).unwrap_or(1);
        let numbers = |expression: &Option<Expression>| {
            expression.as_ref().map(|expression| reading.numbers(expression, seeds)).transpose()
        };
        let value = numbers(&value)?.unwrap_or_default();
        let ours = match (numbers(&base)?, value.as_slice()) {
            (Some(base), _) => Estimate::percent_below(&value, &base),
            (None, [number]) => Estimate::exact(*number),
            (None, numbers) => Estimate::of(numbers),
        };
        let censored = numbers(&censored)?.and_then(|lengths| {
            let cut = lengths.iter().filter(|length| **length > 0.0).count();
            (cut > 0).then_some((cut, lengths.len()))
        });
        let (claim, reference) = self.claim(&quantity.published)?;
        let decimals = quantity.decimals as usize;
        let key = self.key(quantity.case.as_ref(), &quantity.label);
        let known = self.deviations.iter().find_map(|Deviation { cause, rows }| {
            let known = rows.iter().find(|known| self.key(known.case.as_ref(), &known.label) == key)?;
            Some(KnownDeviation { cause: cause.clone(), ours: known.ours, within: known.within })
        });
        Ok(Row {
            case: key.0.to_owned(),
            quantity: quantity.unit.as_ref().map_or_else(|| key.1.to_owned(), |unit| format!("{}, {unit}", key.1)),
            reference: match (reference, claim) {
                (Some(formula), Claim::Arithmetic(number, _)) => format!("{number:.decimals$} by {formula}"),
                (Some(words), _) => words,
                (None, Claim::Number(published, _) | Claim::Arithmetic(published, _)) => {
                    format!("{published:.decimals$}")
                }
                (None, Claim::Range(low, high) | Claim::Reading(low, high)) => format!("{low} to {high}"),
                (None, Claim::Order | Claim::Control | Claim::Statement(..)) => String::new(),
            },
            claim,
            ours,
            censored,
            decimals,
            known,
        })
    }

    /// What was published, in numbers, and as text where the numbers do not show it.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn claim(&self, published: &Published) -> Result<(Claim, Option<String>), String> {
        Ok(match published {
            Published::Number { value, within, within_percent, shown } => {
                (Claim::Number(*value, band(*within, *within_percent)?), shown.clone())
            }
            Published::Reference { value, within, within_percent } => {
                let measured = self.reading(&Results::default()).estimate(&Expression::parse(value)?)?;
                (Claim::Number(measured.mean, band(*within, *within_percent)?), None)
            }
            Published::Range { low, high, shown } => (Claim::Range(*low, *high), shown.clone()),
            Published::Order { words } => (Claim::Order, Some(without_digits(words)?)),
            Published::Reading { words, low, high } => (Claim::Reading(*low, *high), Some(without_digits(words)?)),
            Published::Arithmetic { value, within, within_percent, formula } => {
                (Claim::Arithmetic(*value, band(*within, *within_percent)?), Some(formula.clone()))
            }
            Published::Control { shows, low: None, high: None } => (Claim::Control, Some(without_digits(shows)?)),
            Published::Control { shows, low, high } => (
                Claim::Statement(low.unwrap_or(f64::NEG_INFINITY), high.unwrap_or(f64::INFINITY)),
                Some(without_digits(shows)?),
            ),
        })
    }
}

/// A field of all runs in a result: one, or several of a sweep.
fn of_runs<'a>(result: &'a Value, field: &'a str) -> impl Iterator<Item = &'a Value> {
    let runs = result.as_array().map_or_else(|| std::slice::from_ref(result), Vec::as_slice);
    runs.iter().filter_map(move |run| run.get(field))
}

fn band(within: Option<f64>, within_percent: Option<f64>) -> Result<Band, String> {
    match (within, within_percent) {
        (Some(width), None) => Ok(Band::Absolute(width)),
        (None, Some(percent)) => Ok(Band::Relative(percent / 100.0)),
        _ => Err("needs either `within` or `withinPercent`".into()),
    }
}

/// Words that hold no number: one that was published is compared as such.
fn without_digits(words: &str) -> Result<String, String> {
    if words.contains(|letter: char| letter.is_ascii_digit()) {
        return Err(format!("has words with a number in them, {}", quoted(words)));
    }
    Ok(words.into())
}
