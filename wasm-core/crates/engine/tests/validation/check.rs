//! A quantity, what it should be, what it is, and how far apart the two may be.

use std::fmt::Write;

use crate::runs::Estimate;

/// How far a result may lie from its reference.
#[derive(Clone, Copy, Debug)]
pub enum Band {
    /// By this share of the reference.
    Relative(f64),
    /// By this much.
    Absolute(f64),
    /// Anywhere between the two.
    Between(f64, f64),
    /// At least this.
    AtLeast(f64),
}

use Band::{Absolute, AtLeast, Between, Relative};

/// A band that is missed, for a reason that is known.
///
/// A result that comes back within its band fails as well: the explanation has become stale.
#[derive(Clone, Copy, Debug)]
struct Deviation {
    /// The distance may not grow beyond this, so that it is noticed: a bound against regressions, not a band.
    at_most: f64,
    /// Section of the document that explains it.
    section: &'static str,
}

/// One row of a table.
#[derive(Clone, Debug)]
pub struct Check {
    case: String,
    quantity: String,
    reference: String,
    expected: f64,
    ours: f64,
    /// Half the width of the 95 % confidence interval of ours, where it is a mean over seeds.
    half_width: Option<f64>,
    decimals: usize,
    band: Band,
    /// Only an order or a trend was published, not a number.
    trend: bool,
    deviation: Option<Deviation>,
}

impl Check {
    /// `quantity` of `case` is `ours` and should be `expected`, within `band`.
    pub fn new(case: &str, quantity: impl Into<String>, expected: f64, ours: f64, decimals: usize, band: Band) -> Self {
        let reference = match band {
            Relative(_) | Absolute(_) => format!("{expected:.decimals$}"),
            Between(..) | AtLeast(_) => "".into(),
        };
        let (case, quantity) = (case.into(), quantity.into());
        let half_width = None;
        Self { case, quantity, reference, expected, ours, half_width, decimals, band, trend: false, deviation: None }
    }

    /// The same for a mean over seeds.
    pub fn mean(
        case: &str,
        quantity: impl Into<String>,
        expected: f64,
        ours: Estimate,
        decimals: usize,
        band: Band,
    ) -> Self {
        let check = Self::new(case, quantity, expected, ours.mean, decimals, band);
        Self { half_width: Some(ours.half_width), ..check }
    }

    /// Shows the reference as it was published, where that is not the number compared with.
    pub fn published(mut self, reference: impl Into<String>) -> Self {
        self.reference = reference.into();
        self
    }

    /// What was published is an order or a trend.
    pub fn trend(mut self, reference: impl Into<String>) -> Self {
        self.trend = true;
        self.published(reference)
    }

    /// The band is missed, by no more than `at_most`; `section` of the document says why.
    pub fn differs(mut self, at_most: f64, section: &'static str) -> Self {
        self.deviation = Some(Deviation { at_most, section });
        self
    }

    /// Signed distance from the reference, or from the nearest edge of what is allowed.
    fn distance(&self) -> f64 {
        let (ours, expected) = (self.ours, self.expected);
        match self.band {
            Relative(_) if ours == expected => 0.0,
            Relative(_) => (ours - expected) / expected,
            Absolute(_) => ours - expected,
            Between(low, high) => (ours - low).min(0.0) + (ours - high).max(0.0),
            AtLeast(least) => (ours - least).min(0.0),
        }
    }

    fn is_within(&self) -> bool {
        let distance = self.distance().abs();
        match self.band {
            _ if self.ours.is_nan() => false,
            Relative(band) | Absolute(band) => distance <= band,
            Between(..) | AtLeast(_) => distance == 0.0,
        }
    }

    /// What is wrong, if anything is.
    fn fault(&self) -> Option<String> {
        let Self { case, quantity, ours, .. } = self;
        let (distance, within) = (self.distance(), self.is_within());
        match self.deviation {
            None if !within => Some(format!("{case}: {quantity} is {ours}, off by {distance:.4}")),
            Some(_) if within => Some(format!("{case}: {quantity} is {ours}, within its band after all")),
            Some(Deviation { at_most, .. }) if distance.abs() > at_most || ours.is_nan() => {
                Some(format!("{case}: {quantity} is {ours}, off by {distance:.4}, more than the known {at_most}"))
            }
            _ => None,
        }
    }

    fn row(&self) -> String {
        let decimals = self.decimals;
        let (band, distance) = match self.band {
            Relative(band) => (percent(band, ""), percent(self.distance(), "+")),
            Absolute(band) => (format!("±{band}"), format!("{:+.decimals$}", self.distance())),
            Between(low, high) => (format!("{low} to {high}"), format!("{:+.decimals$}", self.distance())),
            AtLeast(least) => (format!("≥ {least}"), format!("{:+.decimals$}", self.distance())),
        };
        let distance = if self.distance() == 0.0 { String::new() } else { distance };
        let verdict = match self.deviation {
            None if self.is_within() && self.trend => "order".into(),
            None if self.is_within() => "within".into(),
            None => "MISSED".into(),
            Some(Deviation { section, .. }) => format!("[{section}](#{})", section.replace(' ', "-")),
        };
        let (case, quantity, reference, ours) = (&self.case, &self.quantity, &self.reference, self.ours);
        let spread = self.half_width.map_or_else(String::new, |width| format!(" ± {width:.decimals$}"));
        format!("| {case} | {quantity} | {reference} | {ours:.decimals$}{spread} | {band} | {distance} | {verdict} |")
    }
}

fn percent(share: f64, sign: &str) -> String {
    let number = 100.0 * share;
    if sign.is_empty() {
        format!("±{number:.4}").trim_end_matches('0').trim_end_matches('.').to_owned() + " %"
    } else {
        format!("{number:+.1} %")
    }
}

/// Fails with all that is wrong at once.
pub fn assert_all(checks: &[Check]) {
    let faults: Vec<String> = checks.iter().filter_map(Check::fault).collect();
    assert!(faults.is_empty(), "\n{}\n\nall results:\n{}", faults.join("\n"), table(checks));
}

/// The checks as a table of the document.
pub fn table(checks: &[Check]) -> String {
    let mut table = String::from(
        "| case | quantity | reference | ours | band | distance | verdict |\n|---|---|---|---|---|---|---|\n",
    );
    let mut last = "";
    for check in checks {
        let shown =
            Check { case: if check.case == last { String::new() } else { check.case.clone() }, ..check.clone() };
        writeln!(table, "{}", shown.row()).expect("a string takes any text");
        last = &check.case;
    }
    table
}
