//! A row of a figure's table: what its source says of a quantity, what we measure, and the verdict.
//!
//! - A published **number** or **range** has a band with two ends. It is *reproduced* when the whole 95 % interval of ours
//!   lies in the band.
//! - Where only **words** were published, a number is our reading of them. An order ("fewer", "grows") holds when the whole
//!   interval of the difference, taken seed by seed, lies above zero; words such as "equal" or "shared" when the whole
//!   interval lies in a band. Either is an *order reproduced*, never more.
//! - Everything else is *not reproduced*, and the figure says by what cause and what ours is known to be.

use core::fmt;

use super::estimate::Estimate;

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
}

use Claim::{Number, Order, Range, Reading};

/// What becomes of a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// A published number or range is met.
    Reproduced,
    /// Published words hold.
    OrderReproduced,
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
    /// Decimals shown.
    pub decimals: usize,
    /// What ours is known to be, where that is not what was published.
    pub known: Option<KnownDeviation>,
}

impl Row {
    /// The ends of the band.
    fn ends(&self) -> (f64, f64) {
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
    pub fn holds(&self) -> bool {
        let (low, high) = self.ends();
        match self.claim {
            Order => self.ours.low() > low,
            _ => self.ours.low() >= low && self.ours.high() <= high,
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
            (Some(known), ..) => Verdict::NotReproduced(known.cause.clone()),
            (None, true, Number(..) | Range(..)) => Verdict::Reproduced,
            (None, true, Order | Reading(..)) => Verdict::OrderReproduced,
            (None, false, _) => Verdict::Missed,
        }
    }

    /// What we measure, as text.
    pub fn shown_ours(&self) -> String {
        let decimals = self.decimals;
        let spread = self.ours.half_width.map_or_else(String::new, |width| format!(" ± {width:.decimals$}"));
        format!("{:.decimals$}{spread}", self.ours.mean)
    }

    /// The band, as text.
    pub fn shown_band(&self) -> String {
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

    /// Signed distance from a published number, or from the nearer end of a range that is missed, as text.
    pub fn shown_distance(&self) -> String {
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
}

impl fmt::Display for Verdict {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str(match self {
            Self::Reproduced => "reproduced",
            Self::OrderReproduced => "order reproduced",
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
        Row { case, quantity, reference: String::new(), claim, ours, decimals: 1, known: None }
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
