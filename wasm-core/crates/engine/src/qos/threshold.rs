//! The ECN threshold that theory recommends.

use crate::kernel::convert::{rounded, saturated_u32, whole};

/// Least and greatest K, in packets, for a path that holds `pipe_packets` in a round trip: more than C·RTT / 7, which DCTCP needs for
/// full throughput with synchronised senders (Alizadeh et al., SIGCOMM 2010, eq. 13), to C·RTT / 4.
pub fn recommended(pipe_packets: f64) -> (u32, u32) {
    let low = saturated_u32(whole(pipe_packets / 7.0)).saturating_add(1);
    (low, saturated_u32(rounded(pipe_packets / 4.0)).max(low).max(2))
}

/// Part of what the path holds in a round trip from which on DCTCP keeps the link full (Alizadeh et al., SIGMETRICS 2011).
const PIPE_PART: f64 = 0.17;

/// The K to set, in packets: [`PIPE_PART`] of the path, within the band.
pub fn nominal(pipe_packets: f64) -> u32 {
    let (low, high) = recommended(pipe_packets);
    saturated_u32(rounded(PIPE_PART * pipe_packets)).clamp(low, high)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn band_is_more_than_a_seventh_up_to_a_quarter_of_the_pipe() {
        assert_eq!(recommended(1000.0), (143, 250));
        assert_eq!(recommended(208.3), (30, 52));
        assert_eq!(recommended(10.4), (2, 3), "1.49 packets are exceeded by 2");
        assert_eq!(recommended(70.0), (11, 18), "10 packets are not more than a seventh");
        assert_eq!(recommended(7.0), (2, 2));
        assert_eq!(recommended(0.5), (1, 2));
        assert_eq!([1000.0, 208.0, 10.4, 0.5].map(nominal), [170, 35, 2, 1]);
    }
}
