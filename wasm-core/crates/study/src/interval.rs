//! How sure the mean over seeds is where it was decided on the way how many seeds there are.
//!
//! Whoever runs until an interval happens to be narrow stops where its width happens to be underestimated, and the mean lies outside too
//! often. Stein's two-stage rule (Ann. Math. Statist. 16, 1945) takes the deviation of a pilot, from which the number of seeds follows; the mean
//! of all of them is independent of it, so that the interval is exact for normal numbers. It is gone on with here until the deviation of all
//! numbers says the same: an interval is never narrower than by either. `tests/coverage.rs` measures what it covers.

use qoscope_figures::statistics::{Estimate, mean, student, variance};

/// So many times the pilot, and the deviation is known well whenever the rule stopped.
const WELL_KNOWN: usize = 4;

/// How wide an interval may be, to either side.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Width {
    /// In percent of the mean.
    Percent(f64),
    /// In the unit of the measure.
    Absolute(f64),
}

impl Width {
    /// How wide it may be to either side of a mean.
    pub fn about(self, mean: f64) -> f64 {
        match self {
            Self::Absolute(width) => width,
            Self::Percent(percent) => percent / 100.0 * mean.abs(),
        }
    }
}

/// The mean of what seeds gave, with its interval; none of fewer than two numbers. `pilot` is the number of seeds of the pilot where more
/// were decided on.
pub fn interval(numbers: &[Option<f64>], pilot: Option<u32>) -> Option<Estimate> {
    let all: Vec<f64> = numbers.iter().flatten().copied().collect();
    let freedom = all.len().checked_sub(1).filter(|freedom| *freedom > 0)?;
    let mut half = student(freedom) * variance(&all).sqrt();
    if let Some(first) = pilot.and_then(|pilot| numbers.get(..pilot as usize)) {
        let first: Vec<f64> = first.iter().flatten().copied().collect();
        let of_pilot = first.len().checked_sub(1).filter(|freedom| *freedom > 0).unwrap_or(freedom);
        // The quantile is that of the pilot while it is a good part of all.
        let quantile = if all.len() > WELL_KNOWN * first.len() { student(freedom) } else { student(of_pilot) };
        half = half.max(quantile * variance(&first).sqrt());
    }
    let (value, half) = (mean(&all), half / (all.len() as f64).sqrt());
    Some(Estimate { value, low: value - half, high: value + half })
}

/// How many seeds a point takes until its interval is as narrow as asked, given what its first ones gave; at most `most`. No more than there
/// are where these are enough, or where nothing can be told of them.
pub fn seeds_for(width: Width, numbers: &[Option<f64>], pilot: u32, most: u32) -> u32 {
    let known = u32::try_from(numbers.len()).unwrap_or(u32::MAX);
    let Some(Estimate { value, high, .. }) = interval(numbers, Some(pilot)) else { return known };
    let (half, wanted) = (high - value, width.about(value));
    // A mean of 0 has no percent of it.
    if half <= wanted || known >= most {
        return known;
    }
    let ratio = half / wanted;
    let needed = f64::from(known) * ratio * ratio;
    if needed < f64::from(most) { (needed.ceil() as u32).clamp(known + 1, most) } else { most }
}
