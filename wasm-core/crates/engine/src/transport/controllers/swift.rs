//! Swift (Kumar et al., "Swift: Delay is Simple and Effective for Congestion Control in the Datacenter", SIGCOMM 2020): a
//! window that keeps the round trip near a target, and paces packets where less than one fits.
//!
//! For every acknowledgement, with d the round trip of its packet, t the target and W the window in packets:
//!
//! - d < t: W + ai·n/W for n packets acknowledged where W ≥ 1, W + ai·n below (additive increase);
//! - d ≥ t: W·max(1 − β(d − t)/d, 1 − max_mdf), once per round trip (multiplicative decrease).
//!
//! A gap in what has arrived multiplies W by 1 − max_mdf, at most once per round trip; so does a timeout, and from the fifth
//! in a row on W is the least window. Below one packet the next leaves d/W after the last.
//!
//! The target (section 3.5) is a base, and a part for each switch on the way, and a part that is larger the smaller the
//! window: t = t_0 + h·ħ + min(max(α/√W + β_f, 0), r), where α = r / (1/√W_min − 1/√W_max) and β_f = −α/√W_max. So flows
//! of small windows, of which there must be many, allow each other a longer queue, and flows of one path come to be equal.

use std::any::Any;

use crate::kernel::convert::whole;
use crate::kernel::time::{PS_PER_US, to_us};
use crate::transport::controller::{Ack, Allowance, CongestionControl, Listens, Loss, Metric, Metrics, Start, metrics};

/// Timeouts in a row after which the window is the least one (RETX_RESET_THRESHOLD of htsim).
const RESET_AFTER: u32 = 5;

/// t.
const TARGET: Metric = Metric { name: "targetDelayUs", title: "Target delay", unit: "us" };
/// d of the latest packet.
const DELAY: Metric = Metric { name: "delayUs", title: "Delay", unit: "us" };

/// Parameters of a class.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Parameters {
    /// t_0, the target of a flow of the largest window in which flow scaling counts, over no switch. Includes the round trip
    /// of the empty network.
    pub base_target_ps: u64,
    /// ħ, what each switch on the way adds.
    pub per_hop_ps: u64,
    /// r, what flow scaling adds at most.
    pub flow_scaling_ps: u64,
    /// W_min, the window at which flow scaling adds all of r, in packets.
    pub scaling_min: f64,
    /// W_max, the window at which flow scaling adds nothing, in packets.
    pub scaling_max: f64,
    /// ai, packets per round trip.
    pub additive_increase: f64,
    /// β, the strength of a cut.
    pub beta: f64,
    /// Most that one cut takes off, as a part of the window.
    pub max_decrease: f64,
    /// Least window, in packets.
    pub min_window: f64,
}

impl Parameters {
    /// t of a flow over `hops` switches with a window of `packets`, in picoseconds.
    fn target_ps(&self, hops: u32, packets: f64) -> f64 {
        let range = self.flow_scaling_ps as f64;
        let (widest, narrowest) = (1.0 / self.scaling_min.sqrt(), 1.0 / self.scaling_max.sqrt());
        let alpha = range / (widest - narrowest);
        let scaling = (alpha * (1.0 / packets.sqrt() - narrowest)).clamp(0.0, range);
        self.base_target_ps as f64 + f64::from(hops) * self.per_hop_ps as f64 + scaling
    }
}

/// Sender state of Swift.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Swift {
    /// W.
    packets: f64,
    /// Ceiling of the window, which is the host's.
    max: f64,
    /// d of the latest packet; 0 before the first.
    delay_ps: u64,
    /// When the window was cut last; none before.
    decreased_ps: Option<u64>,
    /// h.
    hops: u32,
    /// Timeouts in a row.
    timeouts: u32,
}

impl Swift {
    /// Whether the last cut is a round trip ago.
    fn may_decrease(&self, now_ps: u64) -> bool {
        self.decreased_ps.is_none_or(|decreased_ps| now_ps - decreased_ps >= self.delay_ps)
    }

    fn decrease(&mut self, factor: f64, now_ps: u64, parameters: &Parameters) {
        self.packets = (self.packets * factor).max(parameters.min_window);
        self.decreased_ps = Some(now_ps);
    }

    /// A packet has come back after `delay_ps`.
    fn on_delay(&mut self, ack: &Ack, delay_ps: u64, parameters: &Parameters) {
        self.delay_ps = delay_ps;
        let (delay, target) = (delay_ps as f64, parameters.target_ps(self.hops, self.packets));
        if delay >= target {
            if self.may_decrease(ack.now_ps) {
                let factor = 1.0 - parameters.beta * (delay - target) / delay;
                self.decrease(factor.max(1.0 - parameters.max_decrease), ack.now_ps, parameters);
            }
        } else if ack.window_used || self.packets < 1.0 {
            // A packet on its own is more than such a window, so whatever is sent uses it.
            self.packets += parameters.additive_increase * ack.packets / self.packets.max(1.0);
            self.packets = self.packets.min(self.max);
        }
    }
}

impl CongestionControl for Swift {
    type Parameters = Parameters;

    const METRICS: &'static [Metric] = &[TARGET, DELAY];

    const LISTENS: Listens = Listens::TO_ACKS;

    fn new(parameters: &Parameters, start: &Start) -> Self {
        let max = f64::from(start.limits.max);
        let anew = || Self {
            packets: start.packets.unwrap_or(f64::from(start.limits.initial)),
            max,
            delay_ps: 0,
            decreased_ps: None,
            hops: start.hops,
            timeouts: 0,
        };
        let sender: Self = start.learnt().unwrap_or_else(anew);
        Self { packets: sender.packets.max(parameters.min_window).min(max), max, ..sender }
    }

    fn learnt(&self) -> &dyn Any {
        self
    }

    #[inline]
    fn allowance(&self) -> Allowance {
        let gap_ps = if self.packets < 1.0 { whole(self.delay_ps as f64 / self.packets) } else { 0 };
        Allowance::spaced_window(self.packets, gap_ps)
    }

    fn on_ack(&mut self, ack: &Ack, parameters: &Parameters) {
        self.timeouts = 0;
        if let Some(delay_ps) = ack.rtt_ps {
            self.on_delay(ack, delay_ps, parameters);
        }
    }

    fn on_loss(&mut self, loss: &Loss, parameters: &Parameters) {
        let now_ps = match loss {
            Loss::Gap { now_ps } => {
                self.timeouts = 0;
                *now_ps
            }
            Loss::Timeout { now_ps, .. } => {
                self.timeouts += 1;
                *now_ps
            }
        };
        if self.timeouts >= RESET_AFTER {
            self.decrease(0.0, now_ps, parameters);
        } else if self.may_decrease(now_ps) {
            self.decrease(1.0 - parameters.max_decrease, now_ps, parameters);
        }
    }

    fn metrics(&self, _now_ps: u64, parameters: &Parameters) -> Metrics {
        let us = 1.0 / PS_PER_US as f64;
        metrics([parameters.target_ps(self.hops, self.packets) * us, to_us(self.delay_ps)])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::transport::controller::tests::{acknowledge, going_on, meter};
    use crate::transport::controller::{WindowAllowance, WindowLimits};

    const US: u64 = PS_PER_US;
    const PARAMETERS: Parameters = Parameters {
        base_target_ps: 50 * US,
        per_hop_ps: US,
        flow_scaling_ps: 100 * US,
        scaling_min: 0.1,
        scaling_max: 100.0,
        additive_increase: 1.0,
        beta: 0.8,
        max_decrease: 0.5,
        min_window: 0.01,
    };
    /// Without scaling: the target is 50 us.
    const PLAIN: Parameters = Parameters { per_hop_ps: 0, flow_scaling_ps: 0, ..PARAMETERS };

    fn swift(packets: f64, parameters: &Parameters) -> Swift {
        Swift::new(parameters, &going_on(packets))
    }

    /// A packet comes back at `now_us` after `delay_us`.
    fn back(swift: &mut Swift, now_us: u64, delay_us: u64, parameters: &Parameters) -> f64 {
        let meter = meter();
        let ack = Ack { now_ps: now_us * US, rtt_ps: Some(delay_us * US), ..acknowledge(0, 10, false, &meter) };
        swift.on_ack(&ack, parameters);
        swift.packets
    }

    #[test]
    fn the_target_grows_with_switches_and_with_smaller_windows() {
        let us = |hops, packets| PARAMETERS.target_ps(hops, packets) / US as f64;
        assert!((us(0, 100.0) - 50.0).abs() < 1e-9 && (us(5, 100.0) - 55.0).abs() < 1e-9);
        assert!((us(0, 0.1) - 150.0).abs() < 1e-9);
        // α = 100 / (1/√0.1 − 1/10) = 32.655 us: at a packet 50 + α (1 − 1/10).
        assert!((us(0, 1.0) - 79.3897).abs() < 1e-3, "{}", us(0, 1.0));
        // Beyond the ends of the range nothing more is added or taken.
        assert_eq!((us(0, 0.01), us(0, 1000.0)), (us(0, 0.1), us(0, 100.0)));
    }

    #[test]
    fn below_the_target_it_grows_by_a_packet_per_round_trip() {
        let mut wide = swift(10.0, &PLAIN);
        assert_eq!(back(&mut wide, 0, 40, &PLAIN), 10.1);
        let mut narrow = swift(0.5, &PLAIN);
        assert_eq!(back(&mut narrow, 0, 40, &PLAIN), 1.5);
    }

    #[test]
    fn above_the_target_it_falls_in_proportion_to_the_excess_once_per_round_trip() {
        let mut swift = swift(10.0, &PLAIN);
        // 100 us: 1 − 0.8 · 50 / 100.
        assert_eq!(back(&mut swift, 1000, 100, &PLAIN), 6.0);
        assert_eq!(back(&mut swift, 1099, 100, &PLAIN), 6.0);
        assert!((back(&mut swift, 1100, 100, &PLAIN) - 3.6).abs() < 1e-12);
    }

    #[test]
    fn one_cut_takes_off_half_at_most() {
        assert_eq!(back(&mut swift(10.0, &PLAIN), 0, 10_000, &PLAIN), 5.0);
    }

    #[test]
    fn below_one_packet_the_next_leaves_a_round_trip_over_the_window_later() {
        let mut swift = swift(0.5, &PLAIN);
        assert_eq!(back(&mut swift, 0, 100, &PLAIN), 0.3);
        let WindowAllowance { packets, gap_ps } = swift.allowance().window.expect("Swift has a window");
        assert_eq!((packets, gap_ps.div_ceil(1000)), (0.3, 100 * US * 10 / 3 / 1000 + 1));
        swift.packets = 1.0;
        assert_eq!(swift.allowance(), Allowance::window(1.0));
    }

    #[test]
    fn a_gap_and_a_timeout_cut_by_the_most_and_the_fifth_timeout_leaves_the_least_window() {
        let mut swift = swift(16.0, &PLAIN);
        swift.on_loss(&Loss::Gap { now_ps: 0 }, &PLAIN);
        assert_eq!(swift.packets, 8.0);
        let timeouts: Vec<f64> = (1..=5)
            .map(|at| {
                swift.on_loss(&Loss::Timeout { now_ps: at * 1000 * US, in_flight: 1.0 }, &PLAIN);
                swift.packets
            })
            .collect();
        assert_eq!(timeouts, [4.0, 2.0, 1.0, 0.5, 0.01]);
        // An acknowledgement ends the row.
        back(&mut swift, 6000, 10, &PLAIN);
        assert_eq!(swift.timeouts, 0);
    }

    #[test]
    fn an_acknowledgement_without_a_delay_changes_nothing() {
        let mut swift = swift(10.0, &PLAIN);
        swift.on_ack(&acknowledge(0, 10, true, &meter()), &PLAIN);
        assert_eq!(swift.packets, 10.0);
    }

    #[test]
    fn stays_within_the_ceiling_of_the_host_and_grows_only_when_the_window_is_used() {
        let limits = WindowLimits { initial: 10, min: 2, max: 12 };
        let mut swift = Swift::new(&PLAIN, &Start::anew(0, limits, 10e9));
        (0..100).for_each(|at| {
            back(&mut swift, at, 10, &PLAIN);
        });
        assert_eq!(swift.packets, 12.0);
        let mut idle = self::swift(10.0, &PLAIN);
        let meter = meter();
        let ack = Ack { rtt_ps: Some(US), window_used: false, ..acknowledge(0, 10, false, &meter) };
        idle.on_ack(&ack, &PLAIN);
        assert_eq!(idle.packets, 10.0);
    }

    #[test]
    fn a_window_below_one_packet_grows_though_its_flow_has_no_more_to_send() {
        let mut narrow = swift(0.5, &PLAIN);
        let meter = meter();
        let ack = Ack { rtt_ps: Some(40 * US), window_used: false, ..acknowledge(0, 10, false, &meter) };
        narrow.on_ack(&ack, &PLAIN);
        assert_eq!(narrow.packets, 1.5);
    }

    #[test]
    fn many_flows_share_evenly_near_the_target() {
        // 40 flows over 10 Gb/s with packets of 1500 bytes and an empty round trip of 20 us, in step: round by round every
        // flow sees the delay of all their windows, grows, and is cut where that is too long. Such steps are coarse, so what
        // counts is the mean of many rounds.
        let meter = meter();
        let mut flows: Vec<Swift> = (0..40).map(|at| swift(1.0 + f64::from(at), &PARAMETERS)).collect();
        let (mut now_ps, mut sum_us) = (0, 0.0);
        let mut windows = vec![0.0; flows.len()];
        let (settling, measured) = (2000, 2000);
        for round in 0..settling + measured {
            let delay_us = (flows.iter().map(|flow| flow.packets).sum::<f64>() * 1.2).max(20.0);
            now_ps += whole(delay_us * US as f64) + 1;
            for flow in &mut flows {
                let rtt_ps = Some(whole(delay_us * US as f64));
                let ack = Ack { now_ps, rtt_ps, packets: flow.packets, ..acknowledge(0, 10, false, &meter) };
                flow.on_ack(&ack, &PARAMETERS);
            }
            if round >= settling {
                sum_us += delay_us;
                windows.iter_mut().zip(&flows).for_each(|(window, flow)| *window += flow.packets);
            }
        }
        let mean = |sum: f64| sum / f64::from(measured);
        let (least, most) =
            windows.iter().fold((f64::MAX, 0.0f64), |(a, b), &sum| (a.min(mean(sum)), b.max(mean(sum))));
        assert!(most / least < 1.02, "{least} to {most} packets");
        // A round of growth adds 48 us before the cut, which lifts the mean somewhat above the target.
        let (mean_us, target_us) = (mean(sum_us), PARAMETERS.target_ps(0, mean(windows[0])) / US as f64);
        assert!((1.0..1.2).contains(&(mean_us / target_us)), "{mean_us} us, target {target_us} us");
    }
}
