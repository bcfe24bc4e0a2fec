//! The statistics of answers: quantiles of the usual distributions, intervals of means, deviations and shares.
//!
//! Everything is computed with `libm`, so that an interval is the same to the last bit in the page and on a cluster.

use std::sync::OnceLock;

/// How sure an interval is.
const CONFIDENCE: f64 = 0.95;

/// A number with the ends of its 95 % interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The number.
    pub value: f64,
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

/// The mean of numbers.
pub fn mean(numbers: &[f64]) -> f64 {
    numbers.iter().sum::<f64>() / numbers.len() as f64
}

/// The variance of the distribution that numbers are drawn from, estimated without bias; 0 of fewer than two.
pub fn variance(numbers: &[f64]) -> f64 {
    if numbers.len() < 2 {
        return 0.0;
    }
    let mean = mean(numbers);
    numbers.iter().map(|number| (number - mean) * (number - mean)).sum::<f64>() / (numbers.len() - 1) as f64
}

/// The mean of the distribution that numbers are drawn from, with its interval by Student's t; none of fewer than two numbers.
pub fn mean_interval(numbers: &[f64]) -> Option<Estimate> {
    if numbers.len() < 2 {
        return None;
    }
    let count = numbers.len() as f64;
    let value = mean(numbers);
    let half = student(numbers.len() - 1) * (variance(numbers) / count).sqrt();
    Some(Estimate { value, low: value - half, high: value + half })
}

/// The quantile of Student's t of a 95 % interval with so many degrees of freedom, computed once: tables have thousands of intervals.
pub fn student(freedom: usize) -> f64 {
    static QUANTILES: [OnceLock<f64>; 1024] = [const { OnceLock::new() }; 1024];
    let quantile = || t_quantile((1.0 + CONFIDENCE) / 2.0, freedom as f64);
    QUANTILES.get(freedom).map_or_else(quantile, |known| *known.get_or_init(quantile))
}

/// The standard deviation of the distribution that numbers are drawn from, with its interval; none of fewer than three numbers.
///
/// The interval is that of the jackknife of the logarithm of the variance (Miller 1968), as it asks for no normal distribution.
pub fn deviation_interval(numbers: &[f64]) -> Option<Estimate> {
    if numbers.len() < 3 {
        return None;
    }
    let value = variance(numbers).sqrt();
    let count = numbers.len() as f64;
    let middle = mean(numbers);
    let squares: f64 = numbers.iter().map(|number| (number - middle) * (number - middle)).sum();
    // The variance without one of the numbers, from the sum of squares with all.
    let without =
        |number: &f64| (squares - count / (count - 1.0) * (number - middle) * (number - middle)) / (count - 2.0);
    let least = squares * 1e-12;
    if squares <= 0.0 || numbers.iter().any(|number| without(number) <= least) {
        // All are equal, or all but one: there is nothing to tell an interval from.
        return (squares <= 0.0).then_some(Estimate { value, low: value, high: value });
    }
    let whole = libm::log(squares / (count - 1.0));
    let pseudo: Vec<f64> =
        numbers.iter().map(|number| count * whole - (count - 1.0) * libm::log(without(number))).collect();
    let interval = mean_interval(&pseudo)?;
    Some(Estimate { value, low: libm::exp(interval.low / 2.0), high: libm::exp(interval.high / 2.0) })
}

/// The share below which that of successes lies with probability `risk` at most, given `held` successes in `of` trials: the lower bound
/// of Clopper and Pearson (1934), exact for every share.
pub fn least_share(held: u32, of: u32, risk: f64) -> f64 {
    if held == 0 { 0.0 } else { beta_quantile(risk, f64::from(held), f64::from(of - held) + 1.0) }
}

/// The distribution function of the standard normal distribution.
pub fn normal(x: f64) -> f64 {
    0.5 * libm::erfc(-x * std::f64::consts::FRAC_1_SQRT_2)
}

/// The quantile of the standard normal distribution.
pub fn normal_quantile(share: f64) -> f64 {
    bisected(-40.0, 40.0, |x| normal(x) < share)
}

/// The quantile of Student's t distribution.
pub fn t_quantile(share: f64, freedom: f64) -> f64 {
    if share < 0.5 {
        return -t_quantile(1.0 - share, freedom);
    }
    let x = beta_quantile(2.0 * (1.0 - share), freedom / 2.0, 0.5);
    (freedom * (1.0 - x) / x).sqrt()
}

/// The quantile of Snedecor's F distribution.
pub fn f_quantile(share: f64, above: f64, below: f64) -> f64 {
    let x = beta_quantile(share, above / 2.0, below / 2.0);
    below * x / (above * (1.0 - x))
}

/// The quantile of the beta distribution: by Newton's steps, halved where they leave what is left of the range.
pub fn beta_quantile(share: f64, a: f64, b: f64) -> f64 {
    let (mut low, mut high) = (0.0, 1.0);
    let mut x = a / (a + b);
    let scale = libm::lgamma(a + b) - libm::lgamma(a) - libm::lgamma(b);
    for _ in 0..200 {
        let error = incomplete_beta(a, b, x) - share;
        if error < 0.0 {
            low = x
        } else {
            high = x
        }
        let density = libm::exp(scale + (a - 1.0) * libm::log(x) + (b - 1.0) * libm::log1p(-x));
        let newton = x - error / density;
        let next = if newton > low && newton < high { newton } else { low + (high - low) / 2.0 };
        if (next - x).abs() <= 1e-15 * x {
            break;
        }
        x = next;
    }
    x
}

/// Where a condition that holds from `low` on ends.
fn bisected(mut low: f64, mut high: f64, holds: impl Fn(f64) -> bool) -> f64 {
    loop {
        let middle = low + (high - low) / 2.0;
        if middle <= low || middle >= high {
            return middle;
        }
        if holds(middle) { low = middle } else { high = middle }
    }
}

/// The regularised incomplete beta function, by its continued fraction (Abramowitz and Stegun 26.5.8) in Lentz's way.
fn incomplete_beta(a: f64, b: f64, x: f64) -> f64 {
    if x <= 0.0 || x >= 1.0 {
        return if x <= 0.0 { 0.0 } else { 1.0 };
    }
    if x > (a + 1.0) / (a + b + 2.0) {
        return 1.0 - incomplete_beta(b, a, 1.0 - x);
    }
    // Far from 0, so that no quotient overflows.
    let away = |number: f64| if number.abs() < 1e-300 { 1e-300 } else { number };
    let mut c = 1.0;
    let mut d = 1.0 / away(1.0 - (a + b) * x / (a + 1.0));
    let mut fraction = d;
    for round in 1..1000 {
        let m = f64::from(round);
        let even = m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
        let odd = -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
        let mut last = 1.0;
        for term in [even, odd] {
            d = 1.0 / away(1.0 + term * d);
            c = away(1.0 + term / c);
            last = d * c;
            fraction *= last;
        }
        if (last - 1.0).abs() < 1e-15 {
            break;
        }
    }
    let front = libm::lgamma(a + b) - libm::lgamma(a) - libm::lgamma(b) + a * libm::log(x) + b * libm::log1p(-x);
    libm::exp(front) * fraction / a
}

#[cfg(test)]
mod tests {
    use qoscope_engine::kernel::random::Stream;

    use super::*;

    type Draw = fn(&mut Stream) -> f64;

    fn near(number: f64, expected: f64) {
        assert!((number - expected).abs() <= 1e-6 * expected.abs().max(1.0), "{number} is not {expected}");
    }

    #[test]
    fn quantiles_are_those_of_printed_tables() {
        near(normal_quantile(0.975), 1.959_963_985);
        near(normal_quantile(0.5), 0.0);
        near(t_quantile(0.975, 1.0), 12.706_204_736);
        near(t_quantile(0.975, 7.0), 2.364_624_252);
        near(t_quantile(0.025, 39.0), -2.022_690_901);
        near(beta_quantile(0.5, 2.0, 2.0), 0.5);
        near(f_quantile(0.95, 12.0, 12.0), 2.686_637_124);
    }

    #[test]
    fn the_share_told_is_that_of_clopper_and_pearson() {
        // All of n: the n-th root of the risk.
        near(least_share(40, 40, 0.025), 0.911_902_699);
        near(least_share(38, 40, 0.025), 0.830_803_136);
        near(least_share(0, 40, 0.025), 0.0);
    }

    #[test]
    fn intervals_of_means_cover_the_mean_in_95_of_100() {
        for (count, purpose) in [(4, "four"), (8, "eight"), (40, "forty")] {
            let mut stream = Stream::new(1, purpose, 0);
            let covered = (0..4000)
                .filter(|_| {
                    let numbers: Vec<f64> = (0..count).map(|_| normal_quantile(stream.uniform().max(1e-12))).collect();
                    mean_interval(&numbers).is_some_and(|at| at.low <= 0.0 && 0.0 <= at.high)
                })
                .count();
            assert!((3720..=3880).contains(&covered), "{covered} of 4000 with {count} numbers");
        }
    }

    /// What is drawn has the deviation 1: normal, even, one of two values with a scatter; and exponential, whose long tail few numbers hide.
    #[test]
    fn intervals_of_deviations_cover_the_deviation() {
        let draws: [(Draw, std::ops::RangeInclusive<usize>); 4] = [
            (|stream| normal_quantile(stream.uniform().max(1e-12)), 930..=970),
            (|stream| (stream.uniform() - 0.5) * 12.0_f64.sqrt(), 930..=975),
            (
                |stream| if stream.uniform() < 0.5 { 0.8 } else { -0.8 } + (stream.uniform() - 0.5) * (12.0_f64 * 0.36).sqrt(),
                930..=970,
            ),
            (Stream::exponential, 820..=900),
        ];
        for (kind, (draw, expected)) in draws.iter().enumerate() {
            for count in [12, 30] {
                let mut stream = Stream::new(count, "deviations", kind as u64);
                let covered = (0..4000)
                    .filter(|_| {
                        let numbers: Vec<f64> = (0..count).map(|_| draw(&mut stream)).collect();
                        deviation_interval(&numbers).is_some_and(|at| at.low <= 1.0 && 1.0 <= at.high)
                    })
                    .count();
                assert!(expected.contains(&(covered / 4)), "{covered} of 4000, kind {kind}, {count} numbers");
            }
        }
    }

    #[test]
    fn the_least_share_is_exceeded_by_no_more_than_its_risk() {
        for share in [0.8, 0.9, 0.95, 0.99] {
            // Exact, by the binomial distribution: how often does the bound lie above the share?
            let mut probability = 0.0;
            for held in 0..=40_u32 {
                let ways =
                    libm::lgamma(41.0) - libm::lgamma(f64::from(held) + 1.0) - libm::lgamma(41.0 - f64::from(held));
                let of = f64::from(held) * libm::log(share) + f64::from(40 - held) * libm::log(1.0 - share);
                if least_share(held, 40, 0.025) > share {
                    probability += libm::exp(ways + of);
                }
            }
            assert!(probability <= 0.025, "{share}: {probability}");
        }
    }
}
