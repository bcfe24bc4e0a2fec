//! Whether a class is offered more than it carries for good.
//!
//! Waits then grow without bound, and a latency measured tells how long the run was rather than anything of the network.
//! A bounded queue goes up and down; so the backlog counts as growing when it has grown from quarter to quarter of the
//! time since the end of the warm-up, by a part of what was offered that chance does not explain.

/// Readings kept; when they are full, every second one goes.
const READINGS: usize = 32;
/// Fewer readings say nothing.
const MIN_READINGS: usize = 8;
/// Part of the bytes offered by which the backlog must have grown.
const MIN_SHARE: f64 = 0.05;

/// Bytes offered and not delivered yet, read at even intervals.
#[derive(Clone, Debug, PartialEq)]
pub struct BacklogTrend {
    readings: Vec<f64>,
    /// Samples to a reading.
    stride: u32,
    /// Samples since the last reading.
    skipped: u32,
}

impl Default for BacklogTrend {
    fn default() -> Self {
        Self { readings: Vec::new(), stride: 1, skipped: 0 }
    }
}

impl BacklogTrend {
    /// Takes in the backlog at a sample, in bytes. Samples are evenly spaced.
    pub fn sample(&mut self, bytes: f64) {
        self.skipped += 1;
        if self.skipped < self.stride {
            return;
        }
        self.skipped = 0;
        self.readings.push(bytes);
        if self.readings.len() == READINGS {
            let mut odd = false;
            self.readings.retain(|_| {
                odd = !odd;
                !odd
            });
            self.stride *= 2;
        }
    }

    /// Whether the backlog grows without bound, given the bytes offered over the same time; false while that cannot be
    /// told.
    pub fn grows(&self, offered_bytes: f64) -> bool {
        let last = self.readings.len().wrapping_sub(1);
        if self.readings.len() < MIN_READINGS {
            return false;
        }
        let quarters = [0, 1, 2, 3, 4].map(|quarter| self.readings[last * quarter / 4]);
        let rising = quarters.windows(2).all(|pair| pair[1] > pair[0]);
        rising && quarters[4] - quarters[0] > MIN_SHARE * offered_bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(backlogs: impl Iterator<Item = f64>) -> BacklogTrend {
        let mut trend = BacklogTrend::default();
        backlogs.for_each(|bytes| trend.sample(bytes));
        trend
    }

    #[test]
    fn a_backlog_that_rises_with_what_is_offered_grows() {
        for samples in [8_u32, 31, 33, 1000, 100_000] {
            let trend = of((0..samples).map(|sample| 300.0 * f64::from(sample)));
            assert!(trend.grows(1000.0 * f64::from(samples)), "{samples} samples");
            assert!(trend.readings.len() < READINGS);
        }
    }

    #[test]
    fn a_backlog_that_comes_and_goes_does_not_grow() {
        let burst = |sample: u32| if sample % 50 < 10 { 40_000.0 } else { 0.0 };
        assert!(!of((0..5000).map(burst)).grows(5000.0 * 1000.0));
        // Filling up to a bound, as a closed loop does.
        assert!(!of((0..5000).map(|sample| f64::from(sample.min(60)) * 1000.0)).grows(5000.0 * 1000.0));
        // Growing at first, then drained.
        let drained = |sample: u32| f64::from(if sample < 2500 { sample } else { 5000 - sample });
        assert!(!of((0..5000).map(drained)).grows(5000.0));
    }

    #[test]
    fn too_short_a_time_or_too_small_a_rise_says_nothing() {
        assert!(!of((0..7).map(f64::from)).grows(7.0));
        assert!(!of((0..1000).map(|sample| 20.0 * f64::from(sample))).grows(1000.0 * 1000.0));
        assert!(!BacklogTrend::default().grows(0.0));
    }
}
