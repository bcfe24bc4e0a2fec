//! TIMELY (Mittal et al., SIGCOMM 2015): the rate follows the round trip and its gradient.
//!
//! Once per round trip, with r the newest sample and R the rate:
//!
//! - gradient G = d / r_min, with d the moving average of the differences between samples, d' = (1 − a)d + a(r − r_prev);
//! - r < T_low: R + δ;
//! - r > T_high: R(1 − β(1 − T_high / r));
//! - otherwise with G ≤ 0: R + Nδ, N = 5 from the fifth sample in a row with G ≤ 0 on, else 1 (hyper increase);
//! - otherwise: R(1 − βG).
//!
//! This has no single point to settle at: flows keep whatever split they have. The patch of Zhu et al. ("ECN or Delay:
//! Lessons Learnt from Analysis of DCQCN and TIMELY", CoNEXT 2016) replaces the last two cases by
//!
//! - R' = δ(1 − w) + R(1 − βw(r − r_ref) / r_ref), with w = 0 for G ≤ −1/4, 1 for G ≥ 1/4, and 2G + 1/2 between.

use std::any::Any;

use crate::kernel::time::PS_PER_US;
use crate::transport::controller::{Ack, Allowance, CongestionControl, Listens, Metric, Metrics, Start, metrics};

/// Samples in a row without a rising round trip after which steps are larger.
const HYPER_AFTER: u32 = 5;
/// How much larger.
pub const HYPER_STEPS: f64 = 5.0;

/// G.
const GRADIENT: Metric = Metric { name: "gradient", title: "Gradient of the round trip", unit: "" };

/// Parameters of a class.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Parameters {
    /// a, the weight of the newest difference.
    pub gain: f64,
    /// β, the strength of a cut. The patch was published with [`PATCHED_BETA`].
    pub beta: f64,
    /// δ, in bits per second.
    pub additive_increase_bps: f64,
    /// T_low; with the patch also the reference round trip r_ref.
    pub low_ps: u64,
    /// T_high.
    pub high_ps: u64,
    /// r_min, by which the gradient is divided.
    pub min_rtt_ps: u64,
    /// Floor of the rate, in bits per second.
    pub min_rate_bps: f64,
    /// Rate of the sender's link, in bits per second.
    pub line_bps: f64,
    /// With the patch of CoNEXT 2016.
    pub patched: bool,
}

/// β as published.
pub const BETA: f64 = 0.8;
/// β of the patch: its error is relative to r_ref and many times larger than a gradient, and its cuts are not limited to
/// round trips that rise.
pub const PATCHED_BETA: f64 = 0.008;

impl Parameters {
    /// As published (SIGCOMM 2015), for 10 Gb/s; `min_rtt_ps` is that of the network with empty queues. The
    /// least rate is that of the simulator of HPCC.
    pub fn sigcomm15(line_bps: f64, min_rtt_ps: u64) -> Self {
        Self {
            gain: 0.875,
            beta: BETA,
            additive_increase_bps: 10e6,
            low_ps: 50 * PS_PER_US,
            high_ps: 500 * PS_PER_US,
            min_rtt_ps,
            min_rate_bps: 100e6,
            line_bps,
            patched: false,
        }
    }

    fn bound(&self, rate_bps: f64) -> f64 {
        rate_bps.max(self.min_rate_bps).min(self.line_bps)
    }
}

/// Sender state of TIMELY.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Timely {
    rate_bps: f64,
    /// The sample before; none before the first.
    previous_ps: Option<u64>,
    /// d, in picoseconds.
    difference_ps: f64,
    /// Samples in a row with a gradient that is not positive.
    falling: u32,
}

impl Timely {
    /// Takes in the sample of a round trip. The first one only gives the next something to differ from.
    fn on_rtt(&mut self, rtt_ps: u64, parameters: &Parameters) {
        let Some(previous_ps) = self.previous_ps.replace(rtt_ps) else { return };
        let latest = rtt_ps as f64 - previous_ps as f64;
        self.difference_ps += parameters.gain * (latest - self.difference_ps);
        let gradient = self.difference_ps / parameters.min_rtt_ps as f64;
        self.falling = if gradient <= 0.0 { self.falling + 1 } else { 0 };

        let (rate_bps, step_bps, beta) = (self.rate_bps, parameters.additive_increase_bps, parameters.beta);
        let new_bps = if rtt_ps < parameters.low_ps {
            rate_bps + step_bps
        } else if rtt_ps > parameters.high_ps {
            rate_bps * (1.0 - beta * (1.0 - parameters.high_ps as f64 / rtt_ps as f64))
        } else if parameters.patched {
            let weight = weight(gradient);
            let error = rtt_ps as f64 / parameters.low_ps as f64 - 1.0;
            step_bps * (1.0 - weight) + rate_bps * (1.0 - beta * weight * error)
        } else if gradient <= 0.0 {
            rate_bps + step_bps * if self.falling >= HYPER_AFTER { HYPER_STEPS } else { 1.0 }
        } else {
            rate_bps * (1.0 - beta * gradient)
        };
        self.rate_bps = parameters.bound(new_bps);
    }
}

impl CongestionControl for Timely {
    type Parameters = Parameters;

    const METRICS: &'static [Metric] = &[GRADIENT];
    const LISTENS: Listens = Listens::TO_ACKS;

    fn new(parameters: &Parameters, start: &Start) -> Self {
        let anew = || Self { rate_bps: start.initial_bps(), previous_ps: None, difference_ps: 0.0, falling: 0 };
        let sender = start.learnt().unwrap_or_else(anew);
        Self { rate_bps: parameters.bound(sender.rate_bps), ..sender }
    }

    fn learnt(&self) -> &dyn Any {
        self
    }

    #[inline]
    fn allowance(&self) -> Allowance {
        Allowance::rate(self.rate_bps)
    }

    fn on_ack(&mut self, ack: &Ack, parameters: &Parameters) {
        if let Some(rtt_ps) = ack.rtt_ps {
            self.on_rtt(rtt_ps, parameters);
        }
    }

    fn metrics(&self, _now_ps: u64, parameters: &Parameters) -> Metrics {
        metrics([self.difference_ps / parameters.min_rtt_ps as f64])
    }

    fn recovery_ps(parameters: &Parameters) -> Option<u64> {
        Some(parameters.high_ps)
    }
}

/// w, the weight of the error against that of the increase.
fn weight(gradient: f64) -> f64 {
    (2.0 * gradient + 0.5).clamp(0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::transport::controller::tests::LIMITS;

    const US: u64 = PS_PER_US;
    const GBPS: f64 = 1e9;
    const MBPS: f64 = 1e6;

    fn parameters() -> Parameters {
        Parameters { gain: 1.0, beta: 0.5, ..Parameters::sigcomm15(10.0 * GBPS, 20 * US) }
    }

    fn at(parameters: &Parameters, bps: f64) -> Timely {
        Timely::new(parameters, &Start { bps: Some(bps), ..Start::anew(0, LIMITS, 10.0 * GBPS) })
    }

    /// Rates in Gb/s after each of some round trips in microseconds, from 5 Gb/s.
    fn rates(parameters: &Parameters, rtts: &[u64]) -> Vec<f64> {
        let mut sender = at(parameters, 5.0 * GBPS);
        rtts.iter()
            .map(|rtt| {
                sender.on_rtt(rtt * US, parameters);
                (sender.rate_bps / MBPS).round() / 1000.0
            })
            .collect()
    }

    #[test]
    fn a_rising_round_trip_cuts_in_proportion_to_its_gradient() {
        // 100 to 110 us: G = 10 / 20, cut by 0.25. A steady one adds 10 Mb/s.
        assert_eq!(rates(&parameters(), &[100, 110, 110]), [5.0, 3.75, 3.76]);
    }

    #[test]
    fn below_the_low_threshold_it_always_grows_and_above_the_high_one_it_always_falls() {
        assert_eq!(rates(&parameters(), &[10, 49]), [5.0, 5.01]);
        // 1000 us: 1 − 0.5 (1 − 500 / 1000), although the round trip falls.
        assert_eq!(rates(&parameters(), &[2000, 1000]), [5.0, 3.75]);
    }

    #[test]
    fn the_fifth_sample_in_a_row_without_a_rise_takes_larger_steps() {
        let rates = rates(&parameters(), &[100, 100, 100, 100, 100, 100, 100, 101, 101]);
        assert_eq!(rates[..7], [5.0, 5.01, 5.02, 5.03, 5.04, 5.09, 5.14]);
        // G = 1 / 20 cuts by 0.025; after that steps are small again.
        assert_eq!(rates[7..], [5.012, 5.022]);
    }

    #[test]
    fn differences_are_smoothed() {
        let parameters = Parameters { gain: 0.5, ..parameters() };
        // d = 5, then 2.5 us: cuts by 0.125 and by 0.0625.
        assert_eq!(rates(&parameters, &[100, 110, 110]), [5.0, 4.375, 4.102]);
    }

    #[test]
    fn stays_between_floor_and_line() {
        assert_eq!(rates(&parameters(), &[100, 200])[1], 0.1);
        let fast = Parameters { additive_increase_bps: 4.0 * GBPS, ..parameters() };
        assert_eq!(rates(&fast, &[100, 100, 100])[2], 10.0);
    }

    #[test]
    fn the_weight_of_the_patch_goes_from_none_to_all_around_a_steady_round_trip() {
        let weights = [-0.3, -0.25, 0.0, 0.125, 0.25, 1.0].map(weight);
        assert_eq!(weights, [0.0, 0.0, 0.5, 0.75, 1.0, 1.0]);
    }

    #[test]
    fn patched_flows_of_different_rates_meet_at_the_one_point_the_patch_gives_them() {
        let parameters =
            Parameters { beta: PATCHED_BETA, patched: true, ..Parameters::sigcomm15(10.0 * GBPS, 20 * US) };
        let mut senders = [7.0, 3.0].map(|rate| at(&parameters, rate * GBPS));
        let mut rtt_us = 60.0;
        for _ in 0..20_000 {
            senders.iter_mut().for_each(|sender| sender.on_rtt((rtt_us * US as f64) as u64, &parameters));
            // The queue of a link of 10 Gb/s and 20 us takes in what is sent in excess for a round trip.
            let offered: f64 = senders.iter().map(|sender| sender.rate_bps).sum();
            rtt_us = (rtt_us + rtt_us * (offered / (10.0 * GBPS) - 1.0)).max(20.0);
        }
        // With G = 0, w = 1/2: δ = βR(r − r_ref) / r_ref, so at R = 5 Gb/s r lies a quarter above 50 us.
        for sender in senders {
            assert!((sender.rate_bps / (5.0 * GBPS) - 1.0).abs() < 0.001, "{}", sender.rate_bps);
        }
        assert!((rtt_us - 62.5).abs() < 0.1, "{rtt_us}");
    }
}
