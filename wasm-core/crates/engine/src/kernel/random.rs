//! Random streams: one per component, named, so that adding a component does not reshuffle the draws of another.

use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::convert::{index, saturated};
use super::digest::Digest;

/// A stream of random numbers (xoshiro256++), a function of the run's seed, a purpose and an index.
#[derive(Clone, Debug)]
pub struct Stream(Xoshiro256PlusPlus);

impl Stream {
    /// The stream of `purpose` number `index` under `seed`.
    pub fn new(seed: u64, purpose: &str, index: u64) -> Self {
        let mut digest = Digest::default();
        digest.word(seed);
        purpose.bytes().for_each(|byte| digest.word(u64::from(byte)));
        digest.word(index);
        Self(Xoshiro256PlusPlus::seed_from_u64(digest.value()))
    }

    /// Uniform in [0, 1), a multiple of 2^-53.
    pub fn uniform(&mut self) -> f64 {
        (self.0.next_u64() >> 11) as f64 * (1.0 / (1u64 << 53) as f64)
    }

    /// Exponential with mean 1, at least 0.
    pub fn exponential(&mut self) -> f64 {
        -libm::log1p(-self.uniform())
    }

    /// Uniform among the whole numbers `low..=high`.
    pub fn integer(&mut self, low: u64, high: u64) -> u64 {
        let span = u128::from(high - low) + 1;
        low + saturated((u128::from(self.0.next_u64()) * span) >> 64)
    }

    /// Puts `items` into random order (Fisher-Yates).
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, index(self.integer(0, last as u64)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn streams_are_reproducible_and_differ_by_purpose_and_index() {
        let draw = |purpose, index| Stream::new(7, purpose, index).uniform();
        assert_eq!(draw("arrivals", 0), draw("arrivals", 0));
        assert_ne!(draw("arrivals", 0), draw("arrivals", 1));
        assert_ne!(draw("arrivals", 0), draw("sizes", 0));
    }

    #[test]
    fn means_are_those_of_the_distributions() {
        let mut stream = Stream::new(1, "test", 0);
        let n = 200_000;
        let uniform = (0..n).map(|_| stream.uniform()).sum::<f64>() / f64::from(n);
        let exponential = (0..n).map(|_| stream.exponential()).sum::<f64>() / f64::from(n);
        let integer = (0..n).map(|_| stream.integer(3, 5) as f64).sum::<f64>() / f64::from(n);
        // Standard errors: 0.29, 1 and 0.82 over the square root of n; five of them are allowed.
        assert!((uniform - 0.5).abs() < 5.0 * 0.29 / f64::from(n).sqrt());
        assert!((exponential - 1.0).abs() < 5.0 / f64::from(n).sqrt());
        assert!((integer - 4.0).abs() < 5.0 * 0.82 / f64::from(n).sqrt());
    }

    #[test]
    fn a_shuffle_keeps_every_item() {
        let mut items: Vec<u32> = (0..100).collect();
        Stream::new(3, "shuffle", 0).shuffle(&mut items);
        assert_ne!(items, (0..100).collect::<Vec<_>>());
        items.sort_unstable();
        assert_eq!(items, (0..100).collect::<Vec<_>>());
    }
}
