//! Figures as data: what a figure of a paper or a case of another simulator claims, and how our runs are held against it.
//!
//! A [`Figure`] is read from JSON (`scenarios/figures/`). It says which [`Run`]s and [`Model`]s it needs, [`Outcomes`] makes
//! them, and of their results it makes the [`Row`]s of its [`table`]. The format is described in `docs/figures.md`. Nothing here
//! opens a file or starts a thread, like the engine that it stands on.

mod document;
mod each;
mod estimate;
mod expression;
pub mod lessons;
mod outcomes;
mod row;
mod runs;
mod table;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, LazyLock};

use qoscope_engine::scenario::{self, Diagnostic};
use serde_json::Value;

pub use document::*;
pub use estimate::Estimate;
use expression::{Expression, Scope};
pub use outcomes::{Outcome, Outcomes, Seeds};
pub use row::{Band, Claim, KnownDeviation, Row, Verdict};
pub use table::table;

/// What expressions call the figure's reference.
const REFERENCE: &str = "reference";

static SCHEMA: LazyLock<Value> = LazyLock::new(|| schemars::schema_for!(Figure).to_value());

/// The JSON Schema of a figure whose repetitions (`each`) are written out.
pub fn schema() -> Value {
    SCHEMA.clone()
}

/// Results by name of the run or model: of a run one for each seed, of a model one.
pub type Results = BTreeMap<String, Vec<Arc<Value>>>;

impl Figure {
    /// Reads a figure from JSON text.
    ///
    /// # Errors
    /// Every diagnostic of the document at once. Paths are those of the document with its repetitions written out.
    pub fn read(text: &str) -> Result<Self, Vec<Diagnostic>> {
        let document = scenario::parse(text).map_err(|diagnostic| vec![diagnostic])?;
        let document = each::written_out(document)
            .map_err(|reason| vec![Diagnostic::new("", reason, "See `each` in docs/figures.md.")])?;
        let diagnostics = scenario::check_form(&SCHEMA, &document);
        if !diagnostics.is_empty() {
            return Err(diagnostics);
        }
        let figure: Self = serde_json::from_value(document)
            .map_err(|error| vec![Diagnostic::new("", error.to_string(), "Correct the document.")])?;
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
                diagnostics.push(Diagnostic::new("runs", format!("has two of the name `{name}`"), "Rename one."));
            }
        }
        let single: BTreeSet<_> = self.runs.iter().filter(|run| run.sweep.is_none()).map(|run| &run.name).collect();
        for (index, comparison) in self.comparisons.iter().enumerate() {
            for ComparedRun { run, .. } in comparison.runs.iter().filter(|compared| !single.contains(&compared.run)) {
                let reason = format!("has `{run}`, which is no single run");
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
                    format!("{reason} ({})", key.1),
                    hint,
                ));
            };
            if !labels.insert(key) {
                push("label", "is that of another row of the same case".into(), "Say what tells them apart.");
            }
            let expressions = [
                ("value", Some(&quantity.value)),
                ("percentBelow", quantity.percent_below.as_ref()),
                ("censored", quantity.censored.as_ref()),
            ];
            for (field, text) in expressions {
                match text.map(|text| Expression::parse(text)) {
                    Some(Err(reason)) => push(field, reason, "See docs/figures.md."),
                    Some(Ok(expression)) => {
                        for name in expression.names().difference(&names) {
                            push(field, format!("reads `{name}`"), "Use the name of a run or a model, or `reference`.");
                        }
                    }
                    None => {}
                }
            }
            if let Err(reason) = self.claim(&quantity.published) {
                push("published", reason, "See docs/figures.md.");
            }
        }
        let controls = self.quantities.iter().filter(|row| matches!(row.published, Published::Control { .. }));
        let controls: BTreeSet<_> = controls.map(|row| self.key(row.case.as_ref(), &row.label)).collect();
        for known in self.deviations.iter().flat_map(|deviation| &deviation.rows) {
            if controls.contains(&self.key(known.case.as_ref(), &known.label)) {
                let reason = format!("has {:?}, which is a control and deviates from nothing", known.label);
                diagnostics.push(Diagnostic::new("deviations", reason, "Leave it out."));
            }
            if !labels.contains(&self.key(known.case.as_ref(), &known.label)) {
                let reason = format!("has {:?} of {:?}, which is no row", known.label, known.case);
                diagnostics.push(Diagnostic::new("deviations", reason, "Write case and label as the row has them."));
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
        let row = |quantity: &Quantity| {
            self.row(quantity, results).map_err(|reason| format!("{}: {}: {reason}", self.id, quantity.label))
        };
        let mut rows = self.quantities.iter().map(row).collect::<Result<Vec<_>, _>>()?;
        let cases: Vec<String> = rows.iter().map(|row| row.case.clone()).collect();
        rows.sort_by_key(|row| cases.iter().position(|case| *case == row.case));
        Ok(rows)
    }

    fn row(&self, quantity: &Quantity, results: &Results) -> Result<Row, String> {
        let value = self.series(&quantity.value, results)?;
        let ours = match (&quantity.percent_below, value.as_slice()) {
            (Some(base), _) => Estimate::percent_below(&value, &self.series(base, results)?),
            (None, [number]) => Estimate::exact(*number),
            (None, numbers) => Estimate::of(numbers),
        };
        let censored = match &quantity.censored {
            Some(text) => {
                let lengths = self.series(text, results)?;
                let cut = lengths.iter().filter(|length| **length > 0.0).count();
                (cut > 0).then_some((cut, lengths.len()))
            }
            None => None,
        };
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

    /// What an expression gives for each seed of the runs it reads; one number if no seed matters.
    fn series(&self, text: &str, results: &Results) -> Result<Vec<f64>, String> {
        let expression = Expression::parse(text)?;
        let mut fixed = Scope::new();
        let mut seeded = Vec::new();
        for name in expression.names() {
            if name == REFERENCE {
                fixed.insert(REFERENCE, self.reference.as_ref().ok_or("there is no `reference`")?);
                continue;
            }
            let found = results
                .get(name)
                .filter(|found| !found.is_empty())
                .ok_or_else(|| format!("there is no result of `{name}`"))?;
            if self.models.iter().any(|model| model.name() == name) {
                fixed.insert(name, found[0].as_ref());
            } else {
                seeded.push((name, found));
            }
        }
        let seeds = seeded.first().map_or(1, |(_, found)| found.len());
        if let Some((name, _)) = seeded.iter().find(|(_, found)| found.len() != seeds) {
            return Err(format!(
                "`{name}` has another number of seeds than `{}`: runs are paired by seed",
                seeded[0].0
            ));
        }
        let of_seed = |seed: usize| {
            let mut scope = fixed.clone();
            scope.extend(seeded.iter().map(|(name, found)| (*name, found[seed].as_ref())));
            expression.number(&scope).map_err(|reason| format!("{reason} (seed {})", seed + 1))
        };
        (0..seeds).map(of_seed).collect()
    }

    /// What was published, in numbers, and as text where the numbers do not show it.
    fn claim(&self, published: &Published) -> Result<(Claim, Option<String>), String> {
        Ok(match published {
            Published::Number { value, within, within_percent, shown } => {
                (Claim::Number(*value, band(*within, *within_percent)?), shown.clone())
            }
            Published::Reference { value, within, within_percent } => {
                let measured = self.series(value, &Results::new())?;
                (Claim::Number(measured[0], band(*within, *within_percent)?), None)
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
        return Err(format!("has words with a number in them, {words:?}"));
    }
    Ok(words.into())
}
