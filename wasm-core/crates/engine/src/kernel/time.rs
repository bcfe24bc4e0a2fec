//! Time: whole picoseconds since the start of the run, in a `u64`.
//!
//! One byte takes 80 ps at 100 Gb/s, so nanoseconds would round; 2^48 ps, the range of an event key, are 281 s.

use super::convert::{rounded, saturated};

/// Picoseconds in a microsecond.
pub const PS_PER_US: u64 = 1_000_000;
/// Picoseconds in a second.
pub const PS_PER_S: u64 = 1_000_000_000_000;
/// An instant that never comes.
pub const NEVER_PS: u64 = u64::MAX;
/// Latest instant an event key can hold, about 281 s.
pub const LAST_PS: u64 = (1 << 48) - 1;

/// Picoseconds in `us` microseconds, to the nearest; negative values and NaN give 0.
pub fn from_us(us: f64) -> u64 {
    rounded(us * PS_PER_US as f64)
}

/// Time to send `bytes` at `rate_bps` bits per second; [`NEVER_PS`] where that is longer than can be said.
pub fn transmission_ps(bytes: u64, rate_bps: u64) -> u64 {
    saturated(u128::from(bytes) * u128::from(8 * PS_PER_S) / u128::from(rate_bps.max(1)))
}

/// Microseconds in `ps` picoseconds.
pub fn to_us(ps: u64) -> f64 {
    ps as f64 / PS_PER_US as f64
}

/// Bits per second in `gbps` gigabits per second, to the nearest.
pub fn bps_from_gbps(gbps: f64) -> u64 {
    rounded(gbps * 1e9)
}

/// Gigabits per second of `bytes` carried in `ps`; 0 for an empty interval.
pub fn gbps(bytes: impl Into<u128>, ps: u64) -> f64 {
    if ps == 0 { 0.0 } else { bytes.into() as f64 * 8000.0 / ps as f64 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn microseconds_survive_the_round_trip_for_every_instant_of_a_long_run() {
        for ps in [0, 1, 79, 80, 1_000_000, 281_474_976_710_655, 123_456_789_012_345] {
            assert_eq!(from_us(to_us(ps)), ps);
        }
    }

    #[test]
    fn rates_come_back() {
        assert_eq!(bps_from_gbps(100.0), 100_000_000_000);
        assert_eq!(gbps(12_500u64, PS_PER_US), 100.0);
        assert_eq!(gbps(1u64, 0), 0.0);
    }
}
