//! A mean over seeds, and how sure it is.

/// Quantiles of Student's distribution that leave 2.5 % on either side, by degrees of freedom from 1 on.
const STUDENT_T: [f64; 30] = [
    12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160, 2.145, 2.131, 2.120,
    2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042,
];

/// A mean and half the width of its 95 % confidence interval.
#[derive(Clone, Copy, Debug)]
pub struct Estimate {
    /// The mean.
    pub mean: f64,
    /// Half the width of the interval; none for a number that no seed changes.
    pub half_width: Option<f64>,
}

impl Estimate {
    /// Of one number for each seed, or for each pair of runs that have a seed in common.
    pub fn of(numbers: impl IntoIterator<Item = f64>) -> Self {
        let numbers: Vec<f64> = numbers.into_iter().collect();
        let count = numbers.len() as f64;
        let mean = numbers.iter().sum::<f64>() / count;
        let variance = numbers.iter().map(|number| (number - mean) * (number - mean)).sum::<f64>() / (count - 1.0);
        let quantile = STUDENT_T[(numbers.len() - 2).min(STUDENT_T.len() - 1)];
        Self { mean, half_width: Some(quantile * (variance / count).sqrt()) }
    }

    /// The ratio of the means of pairs, second over first, with the interval of the linearised ratio (the deviations of
    /// second − ratio · first over the mean of first). A pair of which the first is zero counts like any other.
    pub fn ratio(pairs: impl IntoIterator<Item = (f64, f64)>) -> Self {
        let pairs: Vec<(f64, f64)> = pairs.into_iter().collect();
        let sum = |of: fn(&(f64, f64)) -> f64| pairs.iter().map(of).sum::<f64>();
        let (first, second) = (sum(|pair| pair.0) / pairs.len() as f64, sum(|pair| pair.1) / pairs.len() as f64);
        let ratio = second / first;
        let spread = Self::of(pairs.iter().map(|pair| (pair.1 - ratio * pair.0) / first));
        Self { mean: ratio, half_width: spread.half_width }
    }

    /// The same in other units: `scale` times it and `offset`.
    pub fn scaled(self, scale: f64, offset: f64) -> Self {
        Self { mean: scale * self.mean + offset, half_width: self.half_width.map(|width| (scale * width).abs()) }
    }

    /// A number that no seed changes.
    pub fn exact(number: f64) -> Self {
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

#[test]
fn the_interval_of_a_mean_is_that_of_student() {
    let estimate = Estimate::of([1.0, 2.0, 3.0, 4.0, 5.0]);
    assert_eq!(estimate.mean, 3.0);
    assert!((estimate.half_width.expect("five numbers have one") - 1.963).abs() < 0.001);
}

#[test]
fn a_ratio_of_means_is_exact_where_every_pair_has_it() {
    let estimate = Estimate::ratio([(1.0, 3.0), (0.0, 0.0), (4.0, 12.0)]);
    assert_eq!((estimate.mean, estimate.half_width), (3.0, Some(0.0)));
}
