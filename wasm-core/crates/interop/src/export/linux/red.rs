//! Parameters of RED, by the rules of tc (iproute2, `tc_red_eval_ewma` and `tc_red_eval_P`) and of the kernel (include/net/red.h).

/// Thresholds and probability of RED.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Red {
    /// Bytes from which RED marks.
    pub(super) min: u64,
    /// Bytes from which RED marks everything.
    pub(super) max: u64,
    /// Bytes of a packet on average.
    pub(super) packet: u64,
    /// Packets by which tc chooses the weight of the average: the fewest that it takes, so that the average is over about two packets.
    pub(super) burst: u64,
    /// Probability just below `max`.
    pub(super) probability: f64,
}

/// What the kernel keeps thresholds in, with a bit for the average: 31 bits.
const MOST_BYTES: u64 = 1 << 30;

impl Red {
    /// Marks every packet from so many packets on.
    pub(super) fn step(packets: u32, mtu: u32) -> Option<Self> {
        let min = u64::from(packets) * u64::from(mtu);
        Self::new(min, min + 1, packets, mtu, 1.0)
    }

    /// Marks more and more from `least` packets on, with `probability` just below `greatest`, by coins.
    pub(super) fn ramp(least: u32, greatest: u32, mtu: u32, probability: f64) -> Option<Self> {
        if greatest <= least || probability <= 0.0 {
            return Self::step(greatest, mtu);
        }
        let (min, max) = (u64::from(least) * u64::from(mtu), u64::from(greatest) * u64::from(mtu));
        Self::new(min, max, least, mtu, spaced(probability).max(least_probability(max - min)))
    }

    fn new(min: u64, max: u64, packets: u32, mtu: u32, probability: f64) -> Option<Self> {
        (max < MOST_BYTES).then_some(Self { min, max, packet: mtu.into(), burst: packets.into(), probability })
    }
}

/// The probability by which RED marks as often as coins with `probability` do: with p it marks after 1 to 1/p packets, all equally likely,
/// so after (1 + 1/p) / 2 on average, and coins after 1/p.
pub(super) fn spaced(probability: f64) -> f64 {
    probability / (2.0 - probability)
}

/// The least probability that tc can write for a ramp of so many bytes: a part of 2^−31 for each byte.
fn least_probability(ramp: u64) -> f64 {
    /// So that what rounding takes away does not matter.
    const ROOM: f64 = 1.001;
    ROOM * ramp as f64 / f64::from(1_u32 << 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_has_no_ramp() {
        let red = Red::step(140, 1500).expect("fits");
        assert_eq!((red.min, red.max, red.burst), (210_000, 210_001, 140));
        // 120 000 packets of 9000 bytes are 1.08 GB: more than 2^30.
        assert_eq!(Red::step(120_000, 9000), None);
    }

    #[test]
    fn a_ramp_marks_as_often_as_coins() {
        let red = Red::ramp(100, 400, 1000, 0.1).expect("fits");
        assert_eq!((red.min, red.max, red.burst), (100_000, 400_000, 100));
        // 0.1 ÷ 1.9: the mean distance of marks is (1 + 19) / 2 = 10 packets, as with coins of 0.1.
        assert!((red.probability - 0.1 / 1.9).abs() < 1e-12);
        assert!(((1.0 + 1.0 / red.probability) / 2.0 - 10.0).abs() < 1e-9);
        assert!((spaced(1.0) - 1.0).abs() < 1e-12);
        // Without a probability nothing is marked below the greatest threshold.
        assert_eq!(Red::ramp(100, 400, 1000, 0.0), Red::step(400, 1000));
    }

    #[test]
    fn a_ramp_too_flat_for_tc_is_as_flat_as_it_can_be() {
        let red = Red::ramp(1, 100_001, 9000, 0.001).expect("fits");
        // 900 MB of 2^31 parts.
        assert!((red.probability - 0.4195).abs() < 1e-3, "{}", red.probability);
    }
}
