//! Latency histograms: HdrHistogram over nanoseconds, three significant digits.

use hdrhistogram::Histogram;

use super::convert::index;
use super::digest::Digest;

const MAX_NS: u64 = 1_000_000_000_000;
const PS_PER_NS: u64 = 1000;

/// Binary logarithm of the steps in which an [`Histogram`] of three digits counts each doubling of the value.
const STEPS_LOG2: u32 = 10;

/// Latencies between 1 ns and 1000 s, each counted within 0.1 % of its value.
///
/// Counted in the steps of an [`Histogram`], which is made when the distribution is read: for each one that is read millions
/// are recorded.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LatencyHistogram {
    /// By step; as long as the largest latency so far needs.
    counts: Vec<u32>,
    count: u64,
    /// Wide: a hundred million latencies of 200 s do not fit 64 bits.
    sum_ns: u128,
}

/// The step of a latency: one for each nanosecond, wider by a factor of two from every doubling on.
#[inline]
fn step_of(ns: u64) -> usize {
    let width_log2 = ns.ilog2().saturating_sub(STEPS_LOG2);
    index(u64::from(width_log2) << STEPS_LOG2) + index(ns >> width_log2)
}

/// The least latency of a step.
fn first_of(step: usize) -> u64 {
    let width_log2 = (step >> STEPS_LOG2).saturating_sub(1);
    (step as u64 - ((width_log2 as u64) << STEPS_LOG2)) << width_log2
}

impl LatencyHistogram {
    /// Counts one latency.
    pub fn record_ps(&mut self, latency_ps: u64) {
        let ns = (latency_ps / PS_PER_NS).clamp(1, MAX_NS);
        let step = step_of(ns);
        if step >= self.counts.len() {
            self.reach(step);
        }
        self.counts[step] = self.counts[step].saturating_add(1);
        self.count += 1;
        self.sum_ns += u128::from(ns);
    }

    #[cold]
    fn reach(&mut self, step: usize) {
        self.counts.resize(step + 1, 0);
    }

    /// Those of two together.
    #[must_use]
    pub fn with(&self, other: &Self) -> Self {
        let (mut all, added) =
            if self.counts.len() >= other.counts.len() { (self.clone(), other) } else { (other.clone(), self) };
        for (count, &added) in all.counts.iter_mut().zip(&added.counts) {
            *count = count.saturating_add(added);
        }
        all.count += added.count;
        all.sum_ns += added.sum_ns;
        all
    }

    /// Number of latencies counted.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// What was recorded, as a histogram that can be asked.
    fn distribution(&self) -> Histogram<u32> {
        let mut distribution = Histogram::new_with_bounds(1, MAX_NS, 3).expect("the bounds are legal");
        for (step, &count) in self.counts.iter().enumerate().filter(|(_, count)| **count > 0) {
            distribution.saturating_record_n(first_of(step), count);
        }
        distribution
    }

    /// Mean in microseconds; none if nothing was counted.
    pub fn mean_us(&self) -> Option<f64> {
        (self.count() > 0).then(|| self.sum_ns as f64 / self.count() as f64 / 1000.0)
    }

    /// The smallest latency not exceeded by the share `quantile` (0 to 1), in microseconds; none if nothing was counted.
    pub fn quantile_us(&self, quantile: f64) -> Option<f64> {
        (self.count() > 0).then(|| self.distribution().value_at_quantile(quantile) as f64 / 1000.0)
    }

    /// Largest latency in microseconds; none if nothing was counted.
    pub fn max_us(&self) -> Option<f64> {
        (self.count() > 0).then(|| self.distribution().max() as f64 / 1000.0)
    }

    /// Complementary distribution: pairs of a latency in microseconds and the share of requests that took longer.
    ///
    /// Latencies increase and shares decrease from 1 to 0. `points` shares are spaced evenly in the logarithm. A
    /// step that is larger than this spacing has a pair at either side, so that lines between the pairs show it
    /// as a vertical: at most about twice as many pairs as `points`.
    pub fn tail(&self, points: usize) -> Vec<(f64, f64)> {
        /// Latencies are whole nanoseconds: half of one less is below the step.
        const BELOW_NS: f64 = 0.5;
        let total = self.count();
        if total == 0 {
            return Vec::new();
        }
        let factor = libm::exp(-libm::log(total.max(2) as f64) / points as f64);
        let mut next = total as f64;
        let mut above = total;
        let mut tail = Vec::with_capacity(points + 2);
        let distribution = self.distribution();
        for step in distribution.iter_recorded() {
            let before = above;
            above -= step.count_since_last_iteration();
            if above as f64 > next {
                continue;
            }
            if (above as f64) < before as f64 * factor || tail.is_empty() {
                let below_ns = distribution.lowest_equivalent(step.value_iterated_to()) as f64 - BELOW_NS;
                tail.push((below_ns / 1000.0, before as f64 / total as f64));
            }
            tail.push((step.value_iterated_to() as f64 / 1000.0, above as f64 / total as f64));
            while next >= above as f64 && next >= 1.0 {
                next *= factor;
            }
        }
        tail
    }

    /// Mixes every count into a digest.
    pub fn digest(&self, digest: &mut Digest) {
        digest.word(self.count());
        digest.wide(self.sum_ns);
        for step in self.distribution().iter_recorded() {
            digest.word(step.value_iterated_to());
            digest.word(step.count_since_last_iteration());
        }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        *self = Self::default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::random::Stream;

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
    fn what_is_read_is_what_a_histogram_would_have_recorded() {
        let mut stream = Stream::new(1, "histogram", 0);
        let mut recorded = Histogram::<u32>::new_with_bounds(1, MAX_NS, 3).expect("the bounds are legal");
        let mut histogram = LatencyHistogram::default();
        let edges = [1, 2047, 2048, 4095, 4096, MAX_NS];
        let random = (0..10_000).map(|n| stream.integer(1, MAX_NS >> (n % 40)));
        for ns in edges.into_iter().chain(random) {
            recorded.saturating_record(ns);
            histogram.record_ps(ns * PS_PER_NS);
        }
        assert_eq!(histogram.distribution(), recorded);
    }

    #[test]
    fn two_together_are_as_one_that_counted_all() {
        let (mut one, mut other, mut all) =
            (LatencyHistogram::default(), LatencyHistogram::default(), LatencyHistogram::default());
        for us in 1..1000u64 {
            all.record_ps(us * 1_000_000);
            if us % 3 == 0 { one.record_ps(us * 1_000_000) } else { other.record_ps(us * 1_000_000) }
        }
        for both in [one.with(&other), other.with(&one)] {
            assert_eq!((both.mean_us(), both.distribution()), (all.mean_us(), all.distribution()));
        }
    }

    #[test]
    fn nothing_counted_is_not_zero() {
        let histogram = LatencyHistogram::default();
        assert_eq!(histogram.quantile_us(0.5), None);
        assert_eq!(histogram.mean_us(), None);
        assert!(histogram.tail(100).is_empty());
    }

    #[test]
    fn tail_decreases_from_all_requests_to_none() {
        let mut histogram = LatencyHistogram::default();
        (1..=10_000u64).for_each(|us| histogram.record_ps(us * 1_000_000));
        let tail = histogram.tail(200);
        assert!(tail.len() <= 240, "{}", tail.len());
        assert!(tail.windows(2).all(|pair| pair[0].0 < pair[1].0 && pair[0].1 >= pair[1].1));
        assert_eq!(tail.first().expect("not empty").1, 1.0);
        assert_eq!(tail.last().expect("not empty").1, 0.0);
    }

    #[test]
    fn equal_latencies_give_a_vertical_tail() {
        for requests in [1, 12_000] {
            let mut histogram = LatencyHistogram::default();
            (0..requests).for_each(|_| histogram.record_ps(5_000));
            assert_eq!(histogram.tail(200), [(0.0045, 1.0), (0.005, 0.0)], "{requests}");
        }
    }

    #[test]
    fn two_latencies_give_a_tail_of_two_steps() {
        let mut histogram = LatencyHistogram::default();
        (0..100).for_each(|number| histogram.record_ps(if number < 98 { 10_000 } else { 1_000_000 }));
        assert_eq!(histogram.tail(200), [(0.0095, 1.0), (0.01, 0.02), (0.9995, 0.02), (1.0, 0.0)]);
    }
}
