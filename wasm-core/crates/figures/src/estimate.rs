//! A mean over seeds, and how sure it is.

/// Quantiles of Student's distribution that leave 2.5 % on either side, by degrees of freedom from 1 on.
const STUDENT_T: [f64; 30] = [
    12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160, 2.145, 2.131, 2.120,
    2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042,
];

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
        let count = numbers.len() as f64;
        let mean = numbers.iter().sum::<f64>() / count;
        let variance = numbers.iter().map(|number| (number - mean) * (number - mean)).sum::<f64>() / (count - 1.0);
        let quantile = STUDENT_T[numbers.len().saturating_sub(2).min(STUDENT_T.len() - 1)];
        Self { mean, half_width: Some(quantile * (variance / count).sqrt()) }
    }

    /// By how many per cent the mean of `numbers` lies below that of `base`, seed by seed. The interval is that of the
    /// linearised ratio (the deviations of number − ratio · base over the mean of base), so a seed whose base is zero counts
    /// like any other.
    pub fn percent_below(numbers: &[f64], base: &[f64]) -> Self {
        let mean = |numbers: &[f64]| numbers.iter().sum::<f64>() / numbers.len() as f64;
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
        assert!((estimate.half_width.expect("five numbers have one") - 1.963).abs() < 0.001);
    }

    #[test]
    fn a_ratio_of_means_is_exact_where_every_pair_has_it() {
        let estimate = Estimate::percent_below(&[0.75, 0.0, 3.0], &[1.0, 0.0, 4.0]);
        assert_eq!((estimate.mean, estimate.half_width), (25.0, Some(0.0)));
    }
}
