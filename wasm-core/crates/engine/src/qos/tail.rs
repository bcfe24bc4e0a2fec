//! The tail latency of a class that aims at a latency (paper 1 eq. 2).
//!
//! Q_i is measured over target tail latency: above 1 the class is too slow, below 1 it has slack. The tail is a percentile
//! over the latest requests between all pairs of hosts of the class, smoothed as throughput is, L' = (1 − γ)L + γL'.

use crate::kernel::convert::whole_index;

/// Latencies remembered of a pair of hosts. In a class of one pair a percentile near 100 is the worst of these.
const REMEMBERED: u8 = 32;

/// The latest request latencies of a class between two hosts, recorded at the sender when the last byte is acknowledged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Latencies {
    latest: [u64; REMEMBERED as usize],
    /// Recorded so far, at most as many as are remembered.
    count: u8,
    /// Where the next one goes.
    next: u8,
}

impl Default for Latencies {
    fn default() -> Self {
        Self { latest: [0; REMEMBERED as usize], count: 0, next: 0 }
    }
}

impl Latencies {
    /// Remembers a latency in picoseconds in place of the oldest.
    pub fn record(&mut self, latency_ps: u64) {
        self.latest[usize::from(self.next)] = latency_ps;
        self.next = (self.next + 1) % REMEMBERED;
        self.count = (self.count + 1).min(REMEMBERED);
    }

    /// Latencies in picoseconds, in no particular order.
    pub fn iter(&self) -> impl Iterator<Item = u64> + '_ {
        self.latest[..usize::from(self.count)].iter().copied()
    }
}

/// Smoothed tail latency of a class.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TailMeter {
    /// L', in picoseconds; none before the first request.
    tail_ps: Option<f64>,
}

impl TailMeter {
    /// Takes in the latencies the pairs of hosts of the class remember, and returns L' in picoseconds; none before the first
    /// request. `percentile` is in percent, by nearest rank; `smoothing` is γ, the weight of the past. `scratch` is memory
    /// to sort in.
    pub fn update(
        &mut self,
        percentile: f64,
        smoothing: f64,
        scratch: &mut Vec<u64>,
        samples: impl Iterator<Item = u64>,
    ) -> Option<f64> {
        scratch.clear();
        scratch.extend(samples);
        if !scratch.is_empty() {
            let rank = whole_index(libm::ceil(percentile / 100.0 * scratch.len() as f64));
            let at = rank.clamp(1, scratch.len()) - 1;
            let latest = *scratch.select_nth_unstable(at).1 as f64;
            let past = self.tail_ps.unwrap_or(latest);
            self.tail_ps = Some((1.0 - smoothing) * latest + smoothing * past);
        }
        self.tail_ps
    }

    /// L', in picoseconds; none before the first request.
    pub fn tail_ps(&self) -> Option<f64> {
        self.tail_ps
    }

    /// Q = L' / L_t for the target `target_ps`; 1, neither slack nor deficit, before the first request.
    pub fn quality(&self, target_ps: u64) -> f64 {
        self.tail_ps.map_or(1.0, |tail_ps| tail_ps / target_ps as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn percentile(of: &[u64], percentile: f64) -> Option<f64> {
        TailMeter::default().update(percentile, 0.5, &mut Vec::new(), of.iter().copied())
    }

    #[test]
    fn percentiles_are_by_nearest_rank() {
        let hundred: Vec<u64> = (1..=100).rev().collect();
        for (percent, expected) in [(1.0, 1.0), (50.0, 50.0), (90.0, 90.0), (99.0, 99.0), (99.9, 100.0)] {
            assert_eq!(percentile(&hundred, percent), Some(expected), "{percent} %");
        }
        assert_eq!(percentile(&[7], 90.0), Some(7.0));
        assert_eq!(percentile(&[], 90.0), None);
    }

    #[test]
    fn a_connection_remembers_its_latest() {
        let mut latencies = Latencies::default();
        assert_eq!(latencies.iter().count(), 0);
        (1..=40).for_each(|latency| latencies.record(latency));
        let mut found: Vec<u64> = latencies.iter().collect();
        found.sort_unstable();
        assert_eq!(found, (9..=40).collect::<Vec<_>>());
    }

    #[test]
    fn the_percentile_is_that_of_all_connections_together() {
        let mut connections = [Latencies::default(); 3];
        (0..9).for_each(|n| connections[n % 3].record(10 * (n as u64 + 1)));
        let tail =
            TailMeter::default().update(90.0, 0.5, &mut Vec::new(), connections.iter().flat_map(Latencies::iter));
        assert_eq!(tail, Some(90.0));
    }

    #[test]
    fn is_smoothed_with_the_weight_on_the_past_and_stays_while_nothing_is_measured() {
        let (mut meter, mut scratch) = (TailMeter::default(), Vec::new());
        assert_eq!(meter.quality(100), 1.0);
        assert_eq!(meter.update(90.0, 0.75, &mut scratch, [100].into_iter()), Some(100.0));
        assert_eq!(meter.update(90.0, 0.75, &mut scratch, [200].into_iter()), Some(125.0));
        assert_eq!(meter.update(90.0, 0.75, &mut scratch, std::iter::empty()), Some(125.0));
        assert_eq!(meter.quality(100), 1.25);
    }
}
