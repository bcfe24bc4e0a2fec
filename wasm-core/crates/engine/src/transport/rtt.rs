//! Round-trip estimation and the retransmission timeout (RFC 6298).

/// Smoothed round trip, its deviation, and the one packet being timed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RoundTrip {
    smoothed_ps: u64,
    deviation_ps: u64,
    /// The sample is taken when this position is acknowledged; 0 while nothing is timed.
    timed_end: u64,
    timed_ps: u64,
}

/// A timeout never grows beyond this many times its first value.
const MOST_BACKOFF: u32 = 64;

impl RoundTrip {
    /// A packet up to `end` leaves at `now_ps`: it is timed unless another is.
    #[inline]
    pub fn on_sent(&mut self, now_ps: u64, end: u64) {
        if self.timed_end == 0 {
            self.timed_end = end;
            self.timed_ps = now_ps;
        }
    }

    /// Everything below `unacknowledged` has arrived. Returns the round trip that this has measured, if it has.
    #[inline]
    pub fn on_acknowledged(&mut self, now_ps: u64, unacknowledged: u64) -> Option<u64> {
        if self.timed_end == 0 || unacknowledged < self.timed_end {
            return None;
        }
        let sample_ps = now_ps - self.timed_ps;
        self.timed_end = 0;
        if self.smoothed_ps == 0 {
            self.smoothed_ps = sample_ps;
            self.deviation_ps = sample_ps / 2;
        } else {
            self.deviation_ps = (3 * self.deviation_ps + self.smoothed_ps.abs_diff(sample_ps)) / 4;
            self.smoothed_ps = (7 * self.smoothed_ps + sample_ps) / 8;
        }
        Some(sample_ps)
    }

    /// Something was sent twice: the running sample would be ambiguous (Karn's rule).
    pub fn discard_sample(&mut self) {
        self.timed_end = 0;
    }

    /// Smoothed round trip; 0 before the first sample.
    pub fn smoothed_ps(&self) -> u64 {
        self.smoothed_ps
    }

    /// Retransmission timeout, never below `least_ps`, after `backoff` timeouts in a row.
    #[inline]
    pub fn timeout_ps(&self, least_ps: u64, backoff: u32) -> u64 {
        let timeout_ps = (self.smoothed_ps + 4 * self.deviation_ps).max(least_ps);
        timeout_ps * u64::from((1u32 << backoff.min(6)).min(MOST_BACKOFF))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_packet_is_timed_per_round_trip() {
        let mut rtt = RoundTrip::default();
        rtt.on_sent(0, 1000);
        rtt.on_sent(50, 2000);
        rtt.on_acknowledged(80, 500);
        assert_eq!(rtt.smoothed_ps(), 0);
        rtt.on_acknowledged(100, 1000);
        assert_eq!(rtt.smoothed_ps(), 100);
        rtt.on_sent(200, 3000);
        rtt.on_acknowledged(380, 3000);
        assert_eq!(rtt.smoothed_ps(), 110);
    }

    #[test]
    fn the_timeout_has_a_floor_and_doubles() {
        let rtt = RoundTrip { smoothed_ps: 100, deviation_ps: 10, ..RoundTrip::default() };
        assert_eq!(rtt.timeout_ps(0, 0), 140);
        assert_eq!(rtt.timeout_ps(1000, 0), 1000);
        assert_eq!(rtt.timeout_ps(1000, 3), 8000);
        assert_eq!(rtt.timeout_ps(1000, 30), 64_000);
    }
}
