//! A row of a figure's table: what its source says of a quantity, what we measure, and the verdict.
//!
//! - A published **number** or **range** has a band with two ends. It is *reproduced* when the whole 95 % interval of ours
//!   lies in the band.
//! - Where only **words** were published, a number is our reading of them. An order ("fewer", "grows") holds when the whole
//!   interval of the difference, taken seed by seed, lies above zero; words such as "equal" or "shared" when the whole
//!   interval lies in a band. Either is an *order reproduced*, never more.
//! - A number that only follows from a published formula is a check of **arithmetic**, never a reproduction.
//! - A **control** is held against nothing that was published: the verdict is the sign of a difference, where its interval excludes
//!   zero, or whether what we state of it holds for the whole interval.
//! - Where runs ended before what is measured had happened, ours is a lower bound: no band with two ends holds it.
//! - Everything else is *not reproduced*, and the figure says by what cause and what ours is known to be.

use core::cmp::Ordering;
use core::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::estimate::Estimate;
use super::plot::rounded;

/// Digits of the numbers of a row on a screen: more than its texts have.
const DIGITS: usize = 6;

/// How far a result may lie from a published number, to either side.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Band {
    /// By this share of the number.
    Relative(f64),
    /// By this much.
    Absolute(f64),
}

/// What a source says of a quantity, in numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Claim {
    /// A number.
    Number(f64, Band),
    /// A range, both ends included.
    Range(f64, f64),
    /// An order: the quantity is a difference that should be above zero.
    Order,
    /// Words that are read as a range.
    Reading(f64, f64),
    /// A number that follows from a published formula.
    Arithmetic(f64, Band),
    /// Nothing: a difference between runs of ours.
    Control,
    /// Nothing: between these ends, one of which may be infinite, lies what we state of runs of ours.
    Statement(f64, f64),
}

use Claim::{Arithmetic, Control, Number, Order, Range, Reading, Statement};

/// What becomes of a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// A published number or range is met.
    Reproduced,
    /// Published words hold.
    OrderReproduced,
    /// Ours is what a published formula gives.
    ArithmeticAgrees,
    /// A control: whether the difference is above zero, below it, or not told apart from it.
    Control(Ordering),
    /// A control of which what we state holds.
    StatementHolds,
    /// It is known not to be met, by this cause.
    NotReproduced(String),
    /// It is not met, and nobody knew.
    Missed,
}

/// A row that is known not to be reproduced.
#[derive(Clone, Debug, PartialEq)]
pub struct KnownDeviation {
    /// The heading of the section of `docs/validation.md` that explains it.
    pub cause: String,
    /// What ours is known to be.
    pub ours: f64,
    /// How far from that ours may come to lie unnoticed.
    pub within: f64,
}

/// One row.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// Which part of the figure it belongs to.
    pub case: String,
    /// What it is, and its unit.
    pub quantity: String,
    /// The reference as it was published.
    pub reference: String,
    /// The reference in numbers.
    pub claim: Claim,
    /// What we measure.
    pub ours: Estimate,
    /// Under how many seeds, and of how many, the run ended before what is measured had happened.
    pub censored: Option<(usize, usize)>,
    /// Decimals shown.
    pub decimals: usize,
    /// What ours is known to be, where that is not what was published.
    pub known: Option<KnownDeviation>,
}

/// What kind of verdict a row has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum RowOutcome {
    /// A published number or range is met.
    Reproduced,
    /// Published words hold.
    InOrder,
    /// A check of arithmetic agrees.
    Arithmetic,
    /// A control of our own.
    Control,
    /// It is not met, for a known reason.
    NotReproduced,
    /// It is not met, for no known reason.
    Missed,
}

/// A row for a screen: texts as the table has them, and the numbers behind them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "FigureRow")]
pub struct RowView {
    /// Which part of the figure it belongs to.
    pub case: String,
    /// What it is, and its unit.
    pub quantity: String,
    /// The reference as it was published.
    pub reference: String,
    /// What we measure, with half the width of its interval.
    pub ours: String,
    /// The band.
    pub band: String,
    /// Distance from a published number or range.
    pub distance: String,
    /// The verdict.
    pub verdict: String,
    /// What kind of verdict it is.
    pub outcome: RowOutcome,
    /// The heading of the section of `docs/validation.md` that explains why it is not reproduced.
    pub cause: Option<String>,
    /// The number that was published.
    pub published: Option<f64>,
    /// Mean of ours; none where it is no number.
    pub mean: Option<f64>,
    /// Lower end of the interval of ours.
    pub low: Option<f64>,
    /// Its upper end; none where ours is a lower bound.
    pub high: Option<f64>,
    /// Lower end of the band; none where it has none.
    pub band_low: Option<f64>,
    /// Upper end of the band; none where it has none.
    pub band_high: Option<f64>,
}

impl Row {
    /// The row for a screen.
    pub fn view(&self) -> RowView {
        let finite = |number: f64| number.is_finite().then(|| rounded(number, DIGITS));
        let (band_low, band_high) = self.ends();
        let verdict = self.verdict();
        RowView {
            case: self.case.clone(),
            quantity: self.quantity.clone(),
            reference: self.reference.clone(),
            ours: self.shown_ours(),
            band: self.shown_band(),
            distance: self.shown_distance(),
            verdict: verdict.to_string(),
            outcome: verdict.outcome(),
            cause: if let Verdict::NotReproduced(cause) = verdict { Some(cause) } else { None },
            published: match self.claim {
                Number(published, _) | Arithmetic(published, _) => Some(published),
                Range(..) | Order | Reading(..) | Control | Statement(..) => None,
            },
            mean: finite(self.ours.mean),
            low: finite(self.ours.low()),
            high: finite(self.high()),
            band_low: finite(band_low),
            band_high: finite(band_high),
        }
    }

    /// The ends of the band.
    fn ends(&self) -> (f64, f64) {
        match self.claim {
            Number(published, Band::Relative(share)) | Arithmetic(published, Band::Relative(share)) => {
                let width = (share * published).abs();
                (published - width, published + width)
            }
            Number(published, Band::Absolute(width)) | Arithmetic(published, Band::Absolute(width)) => {
                (published - width, published + width)
            }
            Range(low, high) | Reading(low, high) | Statement(low, high) => (low, high),
            Order => (0.0, f64::INFINITY),
            Control => (f64::NEG_INFINITY, f64::INFINITY),
        }
    }

    /// The upper end of the interval of ours: none where it is a lower bound.
    fn high(&self) -> f64 {
        if self.censored.is_some() { f64::INFINITY } else { self.ours.high() }
    }

    /// Whether the whole interval of ours lies in the band.
    pub fn holds(&self) -> bool {
        let (low, high) = self.ends();
        match self.claim {
            Order => self.ours.low() > low,
            Control => self.ours.mean.is_finite(),
            Statement(low, f64::INFINITY) => self.ours.low() > low,
            Statement(f64::NEG_INFINITY, high) => self.high() < high,
            _ => self.ours.low() >= low && self.high() <= high,
        }
    }

    /// What is wrong, if anything is: a band that is left, a deviation that has drifted, or one that is none any more.
    pub fn diagnostic(&self) -> Option<String> {
        let ours = self.shown_ours();
        let what = match &self.known {
            None if self.holds() => return None,
            None => format!("is {ours}, and its interval leaves the band ({})", self.shown_band()),
            Some(_) if self.holds() => format!("is {ours}, within its band after all"),
            Some(known) if (self.ours.mean - known.ours).abs() <= known.within => return None,
            Some(known) => format!("is {ours}, and was known to be {} within {}", known.ours, known.within),
        };
        Some(format!("{}: {} {what}", self.case, self.quantity))
    }

    /// The verdict.
    pub fn verdict(&self) -> Verdict {
        match (&self.known, self.holds(), &self.claim) {
            (_, true, Control) => Verdict::Control(match (self.ours.low(), self.high()) {
                (low, _) if low > 0.0 => Ordering::Greater,
                (_, high) if high < 0.0 => Ordering::Less,
                _ => Ordering::Equal,
            }),
            (Some(known), ..) => Verdict::NotReproduced(known.cause.clone()),
            (None, true, Number(..) | Range(..)) => Verdict::Reproduced,
            (None, true, Order | Reading(..)) => Verdict::OrderReproduced,
            (None, true, Arithmetic(..)) => Verdict::ArithmeticAgrees,
            (None, true, Statement(..)) => Verdict::StatementHolds,
            (None, ..) => Verdict::Missed,
        }
    }

    /// What we measure, as text.
    pub fn shown_ours(&self) -> String {
        let decimals = self.decimals;
        let spread = self.ours.half_width.map_or_else(String::new, |width| format!(" ± {width:.decimals$}"));
        let shown = format!("{:.decimals$}{spread}", self.ours.mean);
        match self.censored {
            Some((cut, seeds)) => format!("at least {shown} ({cut} of {seeds} runs cut off)"),
            None => shown,
        }
    }

    /// The band, as text.
    pub fn shown_band(&self) -> String {
        match self.claim {
            Number(_, Band::Relative(share)) | Arithmetic(_, Band::Relative(share)) => {
                let number = format!("{:.4}", 100.0 * share);
                format!("±{} %", number.trim_end_matches('0').trim_end_matches('.'))
            }
            Number(_, Band::Absolute(width)) | Arithmetic(_, Band::Absolute(width)) => format!("±{width}"),
            Statement(low, f64::INFINITY) => format!("> {low}"),
            Statement(f64::NEG_INFINITY, high) => format!("< {high}"),
            Range(low, high) | Reading(low, high) | Statement(low, high) => format!("{low} to {high}"),
            Order => "> 0".into(),
            Control => String::new(),
        }
    }

    /// Signed distance from a published number, or from the nearer end of a range that is missed, as text.
    pub fn shown_distance(&self) -> String {
        let (decimals, mean) = (self.decimals, self.ours.mean);
        match self.claim {
            Number(published, _) | Arithmetic(published, _) if mean == published => String::new(),
            Number(published, Band::Relative(_)) | Arithmetic(published, Band::Relative(_)) => {
                format!("{:+.1} %", 100.0 * (mean - published) / published.abs())
            }
            Number(published, _) | Arithmetic(published, _) => format!("{:+.decimals$}", mean - published),
            Range(low, high) | Reading(low, high) | Statement(low, high) => {
                match (mean - low).min(0.0) + (mean - high).max(0.0) {
                    0.0 => String::new(),
                    distance => format!("{distance:+.decimals$}"),
                }
            }
            Order | Control => String::new(),
        }
    }
}

impl Verdict {
    /// What kind of verdict it is.
    pub const fn outcome(&self) -> RowOutcome {
        match self {
            Self::Reproduced => RowOutcome::Reproduced,
            Self::OrderReproduced => RowOutcome::InOrder,
            Self::ArithmeticAgrees => RowOutcome::Arithmetic,
            Self::Control(_) | Self::StatementHolds => RowOutcome::Control,
            Self::NotReproduced(_) => RowOutcome::NotReproduced,
            Self::Missed => RowOutcome::Missed,
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str(match self {
            Self::Reproduced => "reproduced",
            Self::OrderReproduced => "order reproduced",
            Self::ArithmeticAgrees => "arithmetic agrees",
            Self::Control(Ordering::Greater) => "control: above zero",
            Self::Control(Ordering::Less) => "control: below zero",
            Self::Control(Ordering::Equal) => "control: not told apart from zero",
            Self::StatementHolds => "control holds",
            Self::NotReproduced(_) => "not reproduced",
            Self::Missed => "MISSED",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(claim: Claim, mean: f64, half_width: f64) -> Row {
        let ours = Estimate { mean, half_width: Some(half_width) };
        let (case, quantity) = ("case".into(), "quantity".into());
        Row { case, quantity, reference: String::new(), claim, ours, censored: None, decimals: 1, known: None }
    }

    fn number(mean: f64, half_width: f64) -> Row {
        row(Number(20.0, Band::Relative(0.1)), mean, half_width)
    }

    #[test]
    fn a_published_number_is_missed_on_either_side() {
        for mean in [17.9, 22.1] {
            assert_eq!(number(mean, 0.0).verdict(), Verdict::Missed, "{mean}");
        }
    }

    #[test]
    fn a_published_number_is_reproduced_by_the_whole_interval() {
        assert_eq!(number(21.0, 0.9).verdict(), Verdict::Reproduced);
        assert_eq!(number(21.0, 1.1).verdict(), Verdict::Missed);
    }

    #[test]
    fn an_order_holds_when_the_interval_of_the_difference_excludes_zero() {
        assert_eq!(row(Order, 1.0, 0.9).verdict(), Verdict::OrderReproduced);
        assert_eq!(row(Order, 1.0, 1.1).verdict(), Verdict::Missed);
        assert_eq!(row(Order, f64::NAN, 0.0).verdict(), Verdict::Missed);
    }

    #[test]
    fn a_formula_is_checked_and_reproduces_nothing() {
        let claim = Arithmetic(705.0, Band::Absolute(0.1));
        assert_eq!(row(claim, 705.0, 0.0).verdict(), Verdict::ArithmeticAgrees);
        assert_eq!(row(claim, 705.2, 0.0).verdict(), Verdict::Missed);
    }

    #[test]
    fn a_control_says_the_sign_of_a_difference_and_is_never_missed() {
        for (mean, sign) in [(2.0, Ordering::Greater), (-2.0, Ordering::Less), (0.9, Ordering::Equal)] {
            let row = row(Control, mean, 1.0);
            assert_eq!((row.verdict(), row.diagnostic()), (Verdict::Control(sign), None), "{mean}");
        }
        assert_eq!(row(Control, f64::NAN, 1.0).verdict(), Verdict::Missed);
    }

    #[test]
    fn a_control_that_states_something_is_missed_where_the_interval_leaves_it() {
        let (above, below, none) =
            (Statement(0.0, f64::INFINITY), Statement(f64::NEG_INFINITY, 0.0), Statement(-1.0, 1.0));
        for (claim, mean, verdict, band) in [
            (above, 0.6, Verdict::StatementHolds, "> 0"),
            (above, 0.4, Verdict::Missed, "> 0"),
            (above, f64::NAN, Verdict::Missed, "> 0"),
            (below, -0.6, Verdict::StatementHolds, "< 0"),
            (below, -0.4, Verdict::Missed, "< 0"),
            (none, 0.4, Verdict::StatementHolds, "-1 to 1"),
            (none, -0.6, Verdict::Missed, "-1 to 1"),
        ] {
            let row = row(claim, mean, 0.5);
            assert_eq!((row.verdict(), row.shown_band().as_str()), (verdict, band), "{mean}");
            assert_eq!(row.diagnostic().is_some(), row.verdict() == Verdict::Missed, "{mean}");
        }
        assert_eq!(Row { censored: Some((1, 2)), ..row(below, -0.6, 0.5) }.verdict(), Verdict::Missed);
    }

    #[test]
    fn a_lower_bound_lies_in_no_band_but_may_settle_an_order() {
        let cut = |row: Row| Row { censored: Some((3, 20)), ..row };
        let bound = cut(number(20.0, 0.5));
        assert_eq!(bound.verdict(), Verdict::Missed);
        assert_eq!(bound.shown_ours(), "at least 20.0 ± 0.5 (3 of 20 runs cut off)");
        assert_eq!(cut(row(Order, 1.0, 0.5)).verdict(), Verdict::OrderReproduced);
        assert_eq!(cut(row(Control, -1.0, 0.5)).verdict(), Verdict::Control(Ordering::Equal));
    }

    #[test]
    fn a_deviation_neither_drifts_nor_comes_back_unnoticed() {
        let known = |mean| {
            let known = Some(KnownDeviation { cause: "Some cause".into(), ours: 30.0, within: 1.0 });
            Row { known, ..number(mean, 0.1) }.diagnostic()
        };
        assert_eq!(known(30.5), None);
        assert_eq!(known(32.0).unwrap(), "case: quantity is 32.0 ± 0.1, and was known to be 30 within 1");
        assert_eq!(known(20.0).unwrap(), "case: quantity is 20.0 ± 0.1, within its band after all");
    }
}
