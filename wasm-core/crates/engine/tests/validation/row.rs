//! A row of a table: what a source says of a quantity, what we measure, and the verdict.
//!
//! - A published **number** or **range** has a band with two ends. It is *reproduced* when the whole 95 % interval of ours
//!   lies in the band.
//! - Where only **words** were published, a number is our reading of them. An order ("fewer", "grows") holds when the whole
//!   interval of the difference, taken seed by seed, lies above zero; words such as "equal" or "shared" when the whole
//!   interval lies in a band. Either is an *order reproduced*, never more.
//! - Everything else is *not reproduced*, and [`deviations`] says by what cause and what ours is known to be.

use std::collections::BTreeSet;
use std::fmt::Write;

use crate::deviations::{self, Deviation};
use crate::sample::Estimate;

/// How far a result may lie from a published number, to either side.
#[derive(Clone, Copy, Debug)]
pub enum Band {
    /// By this share of the number.
    Relative(f64),
    /// By this much.
    Absolute(f64),
}

/// What a source says of a quantity.
#[derive(Clone, Debug)]
enum Claim {
    /// A number.
    Number(f64, Band),
    /// A range, both ends included.
    Range(f64, f64),
    /// An order: the quantity is a difference that should be greater than zero.
    Order,
    /// Words that we read as a range.
    Reading(f64, f64),
}

use Claim::{Number, Order, Range, Reading};

/// One row of a table.
#[derive(Clone, Debug)]
pub struct Row {
    case: String,
    quantity: String,
    reference: String,
    claim: Claim,
    ours: Estimate,
    decimals: usize,
}

impl Row {
    fn new(case: &str, quantity: impl Into<String>, reference: String, claim: Claim, ours: Estimate) -> Self {
        Self { case: case.into(), quantity: quantity.into(), reference, claim, ours, decimals: 0 }
    }

    /// A number was published.
    pub fn number(case: &str, quantity: impl Into<String>, published: f64, band: Band, ours: Estimate) -> Self {
        Self::new(case, quantity, String::new(), Number(published, band), ours)
    }

    /// A range was published.
    pub fn range(case: &str, quantity: impl Into<String>, (low, high): (f64, f64), ours: Estimate) -> Self {
        Self::new(case, quantity, format!("{low} to {high}"), Range(low, high), ours)
    }

    /// Only an order was published; `difference` is positive where it holds.
    pub fn order(case: &str, quantity: impl Into<String>, words: &str, difference: Estimate) -> Self {
        Self::new(case, quantity, worded(words), Order, difference)
    }

    /// Only words were published; they are read as a range.
    pub fn reading(
        case: &str,
        quantity: impl Into<String>,
        words: &str,
        (low, high): (f64, f64),
        ours: Estimate,
    ) -> Self {
        Self::new(case, quantity, worded(words), Reading(low, high), ours)
    }

    /// Shows the reference as it was published, where that is not the number or range compared with.
    pub fn published(mut self, reference: impl Into<String>) -> Self {
        self.reference = reference.into();
        self
    }

    /// Decimals shown.
    pub fn decimals(mut self, decimals: usize) -> Self {
        self.decimals = decimals;
        self
    }

    /// The ends of the band.
    fn band(&self) -> (f64, f64) {
        match self.claim {
            Number(published, Band::Relative(share)) => {
                let width = (share * published).abs();
                (published - width, published + width)
            }
            Number(published, Band::Absolute(width)) => (published - width, published + width),
            Range(low, high) | Reading(low, high) => (low, high),
            Order => (0.0, f64::INFINITY),
        }
    }

    /// Whether the whole interval of ours lies in the band.
    fn holds(&self) -> bool {
        let (low, high) = self.band();
        match self.claim {
            Order => self.ours.low() > low,
            _ => self.ours.low() >= low && self.ours.high() <= high,
        }
    }

    fn deviation(&self) -> Option<Deviation> {
        deviations::of(&self.case, &self.quantity)
    }

    /// What is wrong, if anything is.
    fn diagnostic(&self) -> Option<String> {
        let ours = self.ours();
        let what = match self.deviation() {
            None if self.holds() => return None,
            None => format!("is {ours}, and its interval leaves the band ({})", self.shown_band()),
            Some(_) if self.holds() => format!("is {ours}, within its band after all"),
            Some(known) if (self.ours.mean - known.ours).abs() <= known.within => return None,
            Some(known) => format!("is {ours}, and was known to be {} within {}", known.ours, known.within),
        };
        Some(format!("{}: {} {what}", self.case, self.quantity))
    }

    fn ours(&self) -> String {
        let decimals = self.decimals;
        let spread = self.ours.half_width.map_or_else(String::new, |width| format!(" ± {width:.decimals$}"));
        format!("{:.decimals$}{spread}", self.ours.mean)
    }

    fn shown_band(&self) -> String {
        match self.claim {
            Number(_, Band::Relative(share)) => {
                let number = format!("{:.4}", 100.0 * share);
                format!("±{} %", number.trim_end_matches('0').trim_end_matches('.'))
            }
            Number(_, Band::Absolute(width)) => format!("±{width}"),
            Range(low, high) | Reading(low, high) => format!("{low} to {high}"),
            Order => "> 0".into(),
        }
    }

    /// Signed distance from a published number, or from the nearer end of a range that is missed.
    fn distance(&self) -> String {
        let (decimals, mean) = (self.decimals, self.ours.mean);
        match self.claim {
            Number(published, _) if mean == published => String::new(),
            Number(published, Band::Relative(_)) => format!("{:+.1} %", 100.0 * (mean - published) / published.abs()),
            Number(published, _) => format!("{:+.decimals$}", mean - published),
            Range(low, high) | Reading(low, high) => match (mean - low).min(0.0) + (mean - high).max(0.0) {
                0.0 => String::new(),
                distance => format!("{distance:+.decimals$}"),
            },
            Order => String::new(),
        }
    }

    fn verdict(&self) -> String {
        match (self.deviation(), self.holds(), &self.claim) {
            (Some(known), ..) => format!("not reproduced: [{}](#{})", known.cause, deviations::anchor(known.cause)),
            (None, true, Number(..) | Range(..)) => "reproduced".into(),
            (None, true, Order | Reading(..)) => "order reproduced".into(),
            (None, false, _) => "MISSED".into(),
        }
    }

    fn line(&self, case: &str) -> String {
        let decimals = self.decimals;
        let reference = match self.claim {
            Number(published, _) if self.reference.is_empty() => format!("{published:.decimals$}"),
            _ => self.reference.clone(),
        };
        let (quantity, ours, band, distance) = (&self.quantity, self.ours(), self.shown_band(), self.distance());
        format!("| {case} | {quantity} | {reference} | {ours} | {band} | {distance} | {} |", self.verdict())
    }
}

/// Words that hold no number: one that was published is compared as such.
fn worded(words: &str) -> String {
    assert!(!words.contains(|letter: char| letter.is_ascii_digit()), "{words:?} holds a number");
    words.into()
}

/// Fails with all that is wrong at once.
pub fn assert_all(rows: &[Row]) {
    let mut names = BTreeSet::new();
    for row in rows {
        assert!(names.insert((&row.case, &row.quantity)), "two rows are named {}: {}", row.case, row.quantity);
    }
    let diagnostics: Vec<String> = rows.iter().filter_map(Row::diagnostic).collect();
    assert!(diagnostics.is_empty(), "\n{}\n\nall results:\n{}", diagnostics.join("\n"), table(rows));
}

/// The rows as a table of the document.
pub fn table(rows: &[Row]) -> String {
    let mut table = String::from(
        "| case | quantity | reference | ours | band | distance | verdict |\n|---|---|---|---|---|---|---|\n",
    );
    let mut last = "";
    for row in rows {
        let case = if row.case == last { "" } else { &row.case };
        writeln!(table, "{}", row.line(case)).expect("a string takes any text");
        last = &row.case;
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    fn estimate(mean: f64, half_width: f64) -> Estimate {
        Estimate { mean, half_width: Some(half_width) }
    }

    fn number(mean: f64, half_width: f64) -> Row {
        Row::number("case", "quantity", 20.0, Band::Relative(0.1), estimate(mean, half_width))
    }

    #[test]
    fn a_published_number_is_missed_on_either_side() {
        for mean in [17.9, 22.1] {
            assert_eq!(number(mean, 0.0).verdict(), "MISSED", "{mean}");
        }
    }

    #[test]
    fn a_published_number_is_reproduced_by_the_whole_interval() {
        assert_eq!(number(21.0, 0.9).verdict(), "reproduced");
        assert_eq!(number(21.0, 1.1).verdict(), "MISSED");
    }

    #[test]
    fn an_order_holds_when_the_interval_of_the_difference_excludes_zero() {
        let order = |mean, half_width| Row::order("case", "quantity", "fewer", estimate(mean, half_width)).verdict();
        assert_eq!(order(1.0, 0.9), "order reproduced");
        assert_eq!(order(1.0, 1.1), "MISSED");
        assert_eq!(order(f64::NAN, 0.0), "MISSED");
    }

    #[test]
    #[should_panic(expected = "holds a number")]
    fn a_published_number_does_not_pass_as_an_order() {
        Row::order("case", "quantity", "43 to 80 % fewer", estimate(17.0, 1.0));
    }
}
