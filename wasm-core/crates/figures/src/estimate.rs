//! A mean over seeds, and how sure it is.

use super::statistics::{mean, student, variance};

/// A mean and half the width of its 95 % confidence interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The mean.
    pub mean: f64,
    /// Half the width of the interval; none for a number that no seed changes.
    pub half_width: Option<f64>,
}

impl Estimate {
    /// Of one number for each seed, at least two, or for each group of runs that have a seed in common.
    pub fn of(numbers: &[f64]) -> Self {
        let deviation = (variance(numbers) / numbers.len() as f64).sqrt();
        Self { mean: mean(numbers), half_width: Some(student(numbers.len().saturating_sub(1).max(1)) * deviation) }
    }

    /// By how many per cent the mean of `numbers` lies below that of `base`, seed by seed. The interval is that of the
    /// linearised ratio (the deviations of number − ratio · base over the mean of base), so a seed whose base is zero counts
    /// like any other.
    pub fn percent_below(numbers: &[f64], base: &[f64]) -> Self {
        let base_mean = mean(base);
        let ratio = mean(numbers) / base_mean;
        let deviations: Vec<f64> =
            numbers.iter().zip(base).map(|(number, base)| (number - ratio * base) / base_mean).collect();
        let half_width = Self::of(&deviations).half_width.map(|width| 100.0 * width);
        Self { mean: 100.0 - 100.0 * ratio, half_width }
    }

    /// A number that no seed changes.
    pub const fn exact(number: f64) -> Self {
        Self { mean: number, half_width: None }
    }

    /// The lower end of the interval.
    pub fn low(&self) -> f64 {
        self.mean - self.half_width.unwrap_or(0.0)
    }

    /// The upper end of the interval.
    pub fn high(&self) -> f64 {
        self.mean + self.half_width.unwrap_or(0.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_interval_of_a_mean_is_that_of_student() {
        let estimate = Estimate::of(&[1.0, 2.0, 3.0, 4.0, 5.0]);
        assert_eq!(estimate.mean, 3.0);
        assert!((estimate.half_width.expect("five numbers have one") - 1.963_243).abs() < 1e-6);
    }

    /// Of 61 numbers, half of them 1: t(0.975, 60) = 2.000 298, and not the 2.042 of 30 degrees of freedom.
    #[test]
    fn interval_of_many_numbers_is_as_narrow_as_they_allow() {
        let numbers: Vec<f64> = (0..61).map(|number| f64::from(number % 2)).collect();
        let deviation = (30.0 * 31.0 / (61.0 * 60.0) / 61.0_f64).sqrt();
        let half_width = Estimate::of(&numbers).half_width.expect("there is more than one number");
        assert!((half_width / deviation - 2.000_298).abs() < 1e-6, "{}", half_width / deviation);
    }

    #[test]
    fn a_ratio_of_means_is_exact_where_every_pair_has_it() {
        let estimate = Estimate::percent_below(&[0.75, 0.0, 3.0], &[1.0, 0.0, 4.0]);
        assert_eq!((estimate.mean, estimate.half_width), (25.0, Some(0.0)));
    }
}
