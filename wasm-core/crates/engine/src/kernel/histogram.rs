//! Latency histograms: HdrHistogram over nanoseconds, three significant digits.

use hdrhistogram::Histogram;

use super::digest::Digest;

const LARGEST_NS: u64 = 1_000_000_000_000;
const PS_PER_NS: u64 = 1000;

/// Latencies between 1 ns and 1000 s, each counted within 0.1 % of its value.
#[derive(Clone, Debug)]
pub struct LatencyHistogram {
    counts: Histogram<u32>,
    /// Wide: a hundred million latencies of 200 s do not fit 64 bits.
    sum_ns: u128,
}

impl Default for LatencyHistogram {
    fn default() -> Self {
        let counts = Histogram::new_with_bounds(1, LARGEST_NS, 3).expect("the bounds are legal");
        Self { counts, sum_ns: 0 }
    }
}

impl LatencyHistogram {
    /// Counts one latency.
    pub fn record_ps(&mut self, latency_ps: u64) {
        let ns = (latency_ps / PS_PER_NS).clamp(1, LARGEST_NS);
        self.counts.saturating_record(ns);
        self.sum_ns += u128::from(ns);
    }

    /// Number of latencies counted.
    pub fn count(&self) -> u64 {
        self.counts.len()
    }

    /// Mean in microseconds; none if nothing was counted.
    pub fn mean_us(&self) -> Option<f64> {
        (self.count() > 0).then(|| self.sum_ns as f64 / self.count() as f64 / 1000.0)
    }

    /// The smallest latency not exceeded by the share `quantile` (0 to 1), in microseconds; none if nothing was counted.
    pub fn quantile_us(&self, quantile: f64) -> Option<f64> {
        (self.count() > 0).then(|| self.counts.value_at_quantile(quantile) as f64 / 1000.0)
    }

    /// Largest latency in microseconds; none if nothing was counted.
    pub fn max_us(&self) -> Option<f64> {
        (self.count() > 0).then(|| self.counts.max() as f64 / 1000.0)
    }

    /// The complementary distribution: pairs of a latency in microseconds and the share that took longer, in growing
    /// order of latency, at most about `points` of them, spaced evenly in the logarithm of the share.
    pub fn tail(&self, points: usize) -> Vec<(f64, f64)> {
        let total = self.count();
        if total == 0 {
            return Vec::new();
        }
        let factor = libm::exp(-libm::log(total.max(2) as f64) / points as f64);
        let mut next = total as f64;
        let mut below = 0;
        let mut tail = Vec::with_capacity(points + 2);
        for step in self.counts.iter_recorded() {
            below += step.count_since_last_iteration();
            let above = total - below;
            if above as f64 <= next {
                tail.push((step.value_iterated_to() as f64 / 1000.0, above as f64 / total as f64));
                while next >= above as f64 && next >= 1.0 {
                    next *= factor;
                }
            }
        }
        tail
    }

    /// Mixes every count into a digest.
    pub fn digest(&self, digest: &mut Digest) {
        digest.word(self.count());
        digest.wide(self.sum_ns);
        for step in self.counts.iter_recorded() {
            digest.word(step.value_iterated_to());
            digest.word(step.count_since_last_iteration());
        }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.counts.reset();
        self.sum_ns = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_within_a_thousandth() {
        let mut histogram = LatencyHistogram::default();
        (1..=100_000u64).for_each(|us| histogram.record_ps(us * 1_000_000));
        for (quantile, expected) in [(0.5, 50_000.0), (0.99, 99_000.0), (0.999, 99_900.0)] {
            let measured = histogram.quantile_us(quantile).expect("recorded");
            assert!((measured / expected - 1.0).abs() < 1e-3, "{quantile}: {measured}");
        }
        assert_eq!(histogram.mean_us(), Some(50_000.5));
    }

    #[test]
    fn nothing_counted_is_not_zero() {
        let histogram = LatencyHistogram::default();
        assert_eq!(histogram.quantile_us(0.5), None);
        assert_eq!(histogram.mean_us(), None);
        assert!(histogram.tail(100).is_empty());
    }

    #[test]
    fn the_tail_falls_from_all_to_none() {
        let mut histogram = LatencyHistogram::default();
        (1..=10_000u64).for_each(|us| histogram.record_ps(us * 1_000_000));
        let tail = histogram.tail(200);
        assert!(tail.len() <= 210);
        assert!(tail.windows(2).all(|pair| pair[0].0 < pair[1].0 && pair[0].1 > pair[1].1));
        assert_eq!(tail.last().expect("not empty").1, 0.0);
    }

    #[test]
    fn a_single_request_has_a_tail() {
        let mut histogram = LatencyHistogram::default();
        histogram.record_ps(5_000_000);
        assert_eq!(histogram.tail(200).last().map(|&(_, share)| share), Some(0.0));
    }
}
