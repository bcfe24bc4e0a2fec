//! Where time goes: sums of the parts of many latencies, kept by the whole latency, so that the parts of the slowest few can
//! be told as well as those of all.

use super::convert::saturated_u32;
use super::digest::Digest;

/// Rows for each doubling of the latency: within a row latencies differ by a sixteenth at most.
const ROWS_PER_OCTAVE: u32 = 16;
/// Latencies below this, in picoseconds, share the first row: 1 ns.
const FIRST_PS: u64 = 1 << 10;

/// One row: how many there were, and the sum of each part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Row<const PARTS: usize> {
    count: u64,
    sums_ps: [u128; PARTS],
}

/// Sums of the parts of latencies. Grows with the longest latency.
#[derive(Clone, Debug)]
pub struct Breakdown<const PARTS: usize> {
    rows: Vec<Row<PARTS>>,
    count: u64,
}

impl<const PARTS: usize> Default for Breakdown<PARTS> {
    fn default() -> Self {
        Self { rows: Vec::new(), count: 0 }
    }
}

impl<const PARTS: usize> Breakdown<PARTS> {
    /// Adds a latency by its parts, in picoseconds.
    pub fn record(&mut self, parts_ps: &[u64; PARTS]) {
        let row = row_of(parts_ps.iter().sum());
        if self.rows.len() <= row {
            self.rows.resize(row + 1, Row { count: 0, sums_ps: [0; PARTS] });
        }
        let row = &mut self.rows[row];
        row.count += 1;
        self.count += 1;
        for (sum_ps, &part_ps) in row.sums_ps.iter_mut().zip(parts_ps) {
            *sum_ps += u128::from(part_ps);
        }
    }

    /// Those of two together.
    pub fn with(&self, other: &Self) -> Self {
        let (mut longer, shorter) =
            if self.rows.len() >= other.rows.len() { (self.clone(), other) } else { (other.clone(), self) };
        for (row, added) in longer.rows.iter_mut().zip(&shorter.rows) {
            row.count += added.count;
            row.sums_ps.iter_mut().zip(&added.sums_ps).for_each(|(sum_ps, &added_ps)| *sum_ps += added_ps);
        }
        longer.count += shorter.count;
        longer
    }

    /// Latencies added.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Mean of every part over the slowest `share` of the latencies, in picoseconds; none if there are none. The row in which
    /// the share ends counts in part.
    pub fn slowest_ps(&self, share: f64) -> Option<[f64; PARTS]> {
        let wanted = (self.count as f64 * share).max(1.0).min(self.count as f64);
        let mut left = wanted;
        let mut sums = [0.0; PARTS];
        for row in self.rows.iter().rev().filter(|row| row.count > 0) {
            let taken = left.min(row.count as f64);
            for (sum, &sum_ps) in sums.iter_mut().zip(&row.sums_ps) {
                *sum += sum_ps as f64 * (taken / row.count as f64);
            }
            left -= taken;
            if left <= 0.0 {
                break;
            }
        }
        (self.count > 0).then(|| sums.map(|sum| sum / wanted))
    }

    /// Mean of every part, in picoseconds; none if there are none.
    pub fn mean_ps(&self) -> Option<[f64; PARTS]> {
        self.slowest_ps(1.0)
    }

    /// Mixes all that was recorded into a digest.
    pub fn digest(&self, digest: &mut Digest) {
        for row in &self.rows {
            digest.word(row.count);
            row.sums_ps.iter().for_each(|&sum_ps| digest.wide(sum_ps));
        }
    }
}

/// The row of a latency: an octave and a sixteenth of it.
fn row_of(latency_ps: u64) -> usize {
    let scaled = latency_ps.max(FIRST_PS);
    let octave = scaled.ilog2();
    // The four bits behind the first.
    let within = saturated_u32(scaled >> (octave - ROWS_PER_OCTAVE.ilog2())) - ROWS_PER_OCTAVE;
    ((octave - FIRST_PS.ilog2()) * ROWS_PER_OCTAVE + within) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_follow_the_latency_without_gaps() {
        assert_eq!((row_of(0), row_of(1024), row_of(1087), row_of(1088)), (0, 0, 0, 1));
        let rows: Vec<usize> = (0..2000).map(|n| row_of(1024 + n * 61)).collect();
        assert!(rows.windows(2).all(|pair| pair[1] == pair[0] || pair[1] == pair[0] + 1));
    }

    #[test]
    fn the_parts_of_the_slowest_are_told_apart() {
        let mut breakdown = Breakdown::<2>::default();
        // Of a hundred, two wait.
        for n in 0..100 {
            breakdown.record(&[if n < 2 { 900_000 } else { 0 }, 100_000]);
        }
        assert_eq!(breakdown.mean_ps(), Some([18_000.0, 100_000.0]));
        assert_eq!(breakdown.slowest_ps(0.01), Some([900_000.0, 100_000.0]));
        assert_eq!(breakdown.slowest_ps(0.04), Some([450_000.0, 100_000.0]));
        assert_eq!(breakdown.count(), 100);
        assert_eq!(Breakdown::<2>::default().mean_ps(), None);
    }

    #[test]
    fn two_together_are_as_one_that_recorded_all() {
        let (mut one, mut other, mut all) = (Breakdown::<2>::default(), Breakdown::default(), Breakdown::default());
        for n in 1..100 {
            let parts_ps = [n * 7_000, n * n * 100];
            all.record(&parts_ps);
            if n % 3 == 0 { one.record(&parts_ps) } else { other.record(&parts_ps) }
        }
        for both in [one.with(&other), other.with(&one)] {
            assert_eq!(both.count(), 99);
            assert_eq!(both.slowest_ps(0.05), all.slowest_ps(0.05));
            assert_eq!(both.mean_ps(), all.mean_ps());
        }
    }
}
