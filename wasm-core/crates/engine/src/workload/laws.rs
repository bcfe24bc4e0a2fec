//! Laws of chance: times between requests, and their sizes.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::kernel::convert::{index, rounded};
use crate::kernel::random::Stream;

/// Sizes from which rounding to whole bytes changes no mean by more than a millionth.
const LARGE_BYTES: f64 = 1000.0;

/// Distribution of the time between two requests.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Interarrival {
    /// Memoryless arrivals (a Poisson process).
    #[default]
    #[schemars(title = "Exponential")]
    Exponential,
    /// Always the mean.
    #[schemars(title = "Constant")]
    Constant,
    /// Between nothing and twice the mean, all equally likely.
    #[schemars(title = "Uniform")]
    Uniform,
}

impl Interarrival {
    /// A gap, with mean 1.
    pub fn draw(self, stream: &mut Stream) -> f64 {
        match self {
            Self::Exponential => stream.exponential(),
            Self::Constant => 1.0,
            Self::Uniform => 2.0 * stream.uniform(),
        }
    }
}

/// Distribution of request sizes, in bytes.
#[derive(Clone, Debug, PartialEq)]
pub enum SizeLaw {
    /// Always the same.
    Fixed(u64),
    /// A whole number of blocks, each number in the range equally likely.
    Blocks {
        /// Fewest blocks.
        minimum: u64,
        /// Most blocks.
        maximum: u64,
        /// Bytes in a block.
        block_bytes: u64,
    },
    /// Points of the distribution function, (bytes, per cent not larger), joined by straight lines.
    Empirical(Vec<(f64, f64)>),
    /// Exponential with this mean.
    Exponential(f64),
    /// One of these, all equally likely.
    Choice(Vec<u64>),
}

impl SizeLaw {
    /// A size, at least 1 byte.
    pub fn draw(&self, stream: &mut Stream) -> u64 {
        match self {
            Self::Fixed(bytes) => *bytes,
            Self::Blocks { minimum, maximum, block_bytes } => stream.integer(*minimum, *maximum) * block_bytes,
            Self::Empirical(points) => whole_bytes(size_at(points, 100.0 * stream.uniform())),
            Self::Exponential(mean) => whole_bytes(stream.exponential() * mean),
            Self::Choice(sizes) => sizes[index(stream.integer(0, sizes.len() as u64 - 1))],
        }
    }

    /// Mean of the sizes that are drawn, which are whole bytes, one at least.
    pub fn mean_bytes(&self) -> f64 {
        match self {
            Self::Fixed(bytes) => *bytes as f64,
            Self::Blocks { minimum, maximum, block_bytes } => (minimum + maximum) as f64 / 2.0 * *block_bytes as f64,
            Self::Empirical(points) => {
                let smallest = points.first().map_or(0.0, |&(bytes, share)| mean_between(bytes, bytes) * share);
                let rest = points.windows(2).map(|pair| mean_between(pair[0].0, pair[1].0) * (pair[1].1 - pair[0].1));
                (smallest + rest.sum::<f64>()) / 100.0
            }
            Self::Exponential(mean) if *mean < LARGE_BYTES => {
                // 1 + P(two or more) + P(three or more) and so on, a geometric series.
                1.0 - libm::exp(-1.5 / mean) / libm::expm1(-1.0 / mean)
            }
            Self::Exponential(mean) => *mean,
            Self::Choice(sizes) => sizes.iter().sum::<u64>() as f64 / sizes.len() as f64,
        }
    }
}

/// A size in whole bytes, one at least.
fn whole_bytes(bytes: f64) -> u64 {
    rounded(bytes).max(1)
}

/// Mean of the whole bytes of sizes that are spread evenly from `low` to `high`.
fn mean_between(low: f64, high: f64) -> f64 {
    if high >= LARGE_BYTES {
        return (low + high) / 2.0;
    }
    if low >= high {
        return whole_bytes(low) as f64;
    }
    // Sum of the whole bytes of all sizes up to one: 1 for each size below 1.5, then steps of 1.
    let sum = |bytes: f64| match whole_bytes(bytes) as f64 {
        1.0 => bytes,
        size => size * (size - 1.0) / 2.0 + 0.5 + size * (bytes - size + 0.5),
    };
    (sum(high) - sum(low)) / (high - low)
}

/// The size at which the distribution function reaches `share` per cent.
fn size_at(points: &[(f64, f64)], share: f64) -> f64 {
    let above = points.partition_point(|&(_, reached)| reached < share);
    match (above.checked_sub(1).and_then(|below| points.get(below)), points.get(above)) {
        (Some(&(low, from)), Some(&(high, to))) => low + (high - low) * (share - from) / (to - from),
        (None, Some(&(bytes, _))) | (Some(&(bytes, _)), None) => bytes,
        (None, None) => 0.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workload::distributions;

    #[test]
    fn means_agree_with_draws() {
        let laws = [
            SizeLaw::Fixed(4096),
            SizeLaw::Blocks { minimum: 17, maximum: 98, block_bytes: 4096 },
            SizeLaw::Exponential(2e6),
            SizeLaw::Choice(vec![6000, 12_000, 18_000]),
            SizeLaw::Empirical(distributions::ALI_STORAGE_2019.to_vec()),
            SizeLaw::Exponential(0.02),
            SizeLaw::Exponential(1.0),
            SizeLaw::Exponential(40.0),
            SizeLaw::Empirical(distributions::ALI_STORAGE_2019.iter().map(|&(of, share)| (1e-6 * of, share)).collect()),
            SizeLaw::Empirical(vec![(0.3, 20.0), (1.2, 50.0), (1.7, 60.0), (9.0, 100.0)]),
        ];
        for law in laws {
            let mut stream = Stream::new(1, "sizes", 0);
            let n = 400_000;
            let mean = (0..n).map(|_| law.draw(&mut stream) as f64).sum::<f64>() / f64::from(n);
            assert!((mean / law.mean_bytes() - 1.0).abs() < 0.02, "{law:?}: {mean} against {}", law.mean_bytes());
        }
    }

    #[test]
    fn published_distributions_have_their_published_means() {
        let expected = [
            (distributions::WEB_SEARCH, 1.71e6),
            (distributions::DATA_MINING, 12.66e6),
            (distributions::ALI_STORAGE_2019, 40.9e3),
            (distributions::FB_HADOOP, 120e3),
        ];
        for (points, mean) in expected {
            let ours = SizeLaw::Empirical(points.to_vec()).mean_bytes();
            assert!((ours / mean - 1.0).abs() < 0.01, "{ours} against {mean}");
        }
    }

    #[test]
    fn means_count_whole_bytes() {
        // Below a byte all sizes are one byte; from 1 to 3 half of them are 2, a quarter 1 and a quarter 3.
        assert_eq!(SizeLaw::Empirical(vec![(0.0, 0.0), (0.1, 100.0)]).mean_bytes(), 1.0);
        assert_eq!(SizeLaw::Empirical(vec![(1.0, 0.0), (3.0, 100.0)]).mean_bytes(), 2.0);
        assert_eq!(SizeLaw::Empirical(vec![(1.6, 50.0), (2.4, 100.0)]).mean_bytes(), 2.0);
        // 1 + exp(-1.5) / (1 - exp(-1)).
        assert!((SizeLaw::Exponential(1.0).mean_bytes() - 1.352_987).abs() < 1e-6);
        assert!((SizeLaw::Exponential(999.0).mean_bytes() / 999.0 - 1.0).abs() < 1e-6);
    }

    #[test]
    fn the_tencent_like_sizes_pass_through_the_published_points() {
        assert_eq!(size_at(distributions::TENCENT_LIKE, 51.0), 124e3);
        assert_eq!(size_at(distributions::TENCENT_LIKE, 89.0), 457e3);
    }

    #[test]
    fn an_empirical_law_interpolates_and_keeps_a_mass_at_its_first_point() {
        let points = [(100.0, 10.0), (200.0, 60.0), (1000.0, 100.0)];
        assert_eq!(size_at(&points, 5.0), 100.0);
        assert_eq!(size_at(&points, 35.0), 150.0);
        assert_eq!(size_at(&points, 100.0), 1000.0);
    }

    #[test]
    fn gaps_have_mean_one() {
        for law in [Interarrival::Exponential, Interarrival::Constant, Interarrival::Uniform] {
            let mut stream = Stream::new(1, "gaps", 0);
            let mean = (0..200_000).map(|_| law.draw(&mut stream)).sum::<f64>() / 200_000.0;
            assert!((mean - 1.0).abs() < 0.012, "{law:?}: {mean}");
        }
    }
}
