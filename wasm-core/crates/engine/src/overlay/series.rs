//! A series that never grows beyond a number of points: when it is full, pairs of points are merged.

/// Rows of numbers over time, each the mean of a number of consecutive rows pushed.
pub(super) struct Series {
    width: usize,
    points: usize,
    /// Rows that make one point.
    stride: u32,
    /// Rows in the last point.
    filled: u32,
    times: Vec<f64>,
    sums: Vec<f64>,
}

impl Series {
    /// A series of rows of `width` numbers, with no more than `points` points, an even number.
    pub(super) fn new(width: usize, points: usize) -> Self {
        debug_assert!(points.is_multiple_of(2));
        Self { width, points, stride: 1, filled: 1, times: Vec::new(), sums: Vec::new() }
    }

    /// Adds the row that begins at `time`.
    pub(super) fn push(&mut self, time: f64, row: impl Iterator<Item = f64>) {
        if self.filled == self.stride || self.times.is_empty() {
            if self.times.len() == self.points {
                self.merge();
            }
            self.times.push(time);
            self.sums.extend(row);
            self.filled = 1;
        } else {
            let last = self.sums.len() - self.width;
            self.sums[last..].iter_mut().zip(row).for_each(|(sum, number)| *sum += number);
            self.filled += 1;
        }
    }

    fn merge(&mut self) {
        let (width, half) = (self.width, self.points / 2);
        for point in 0..half {
            self.times[point] = self.times[2 * point];
            for column in 0..width {
                let first = 2 * point * width + column;
                self.sums[point * width + column] = self.sums[first] + self.sums[first + width];
            }
        }
        self.times.truncate(half);
        self.sums.truncate(half * width);
        self.stride *= 2;
    }

    /// When each point begins.
    pub(super) fn times(&self) -> Vec<f64> {
        self.times.clone()
    }

    /// The means of one column.
    pub(super) fn column(&self, column: usize) -> Vec<f64> {
        let last = self.times.len().saturating_sub(1);
        let rows = |point| f64::from(if point == last { self.filled } else { self.stride });
        self.sums.chunks_exact(self.width).enumerate().map(|(point, sums)| sums[column] / rows(point)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_series_keeps_its_span_and_its_means() {
        let mut series = Series::new(2, 8);
        for step in 0..29 {
            series.push(f64::from(step), [f64::from(step), 1.0].into_iter());
        }
        assert_eq!(series.times(), [0.0, 4.0, 8.0, 12.0, 16.0, 20.0, 24.0, 28.0]);
        assert_eq!(series.column(0), [1.5, 5.5, 9.5, 13.5, 17.5, 21.5, 25.5, 28.0]);
        assert_eq!(series.column(1), [1.0; 8]);
    }

    #[test]
    fn a_short_series_is_kept_as_it_is() {
        let mut series = Series::new(1, 4);
        (0..3).for_each(|step| series.push(f64::from(step), [2.0].into_iter()));
        assert_eq!((series.times(), series.column(0)), (vec![0.0, 1.0, 2.0], vec![2.0; 3]));
    }
}
