//! The ECN threshold that theory recommends.

use crate::kernel::convert::{rounded, saturated_u32};

/// Least and greatest K, in packets, for a path that holds `pipe_packets` in a round trip: C·RTT / 7, which DCTCP needs for full
/// throughput with synchronised senders (Alizadeh et al., SIGCOMM 2010, eq. 13), to C·RTT / 4.
pub fn recommended(pipe_packets: f64) -> (u32, u32) {
    let part = |of: f64| saturated_u32(rounded(pipe_packets / of));
    (part(7.0).max(1), part(4.0).max(2))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_band_goes_from_a_seventh_to_a_quarter_of_the_pipe() {
        assert_eq!(recommended(1000.0), (143, 250));
        assert_eq!(recommended(0.5), (1, 2));
    }
}
