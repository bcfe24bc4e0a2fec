//! What theory recommends of settings on a network that is laid out: the ECN threshold, the headroom of pause frames, and the
//! weights of NVMe arbitration.

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use super::{field, number};
use crate::kernel::ids::ClassId;
use crate::kernel::time::{PS_PER_S, to_us};
use crate::qos::threshold;
use crate::scenario::document::{ClassTreatment, Marking, Scenario};
use crate::simulation::devices;
use crate::simulation::plan::{NetworkSettings, Plan};
use crate::storage::Level;

/// What is recommended of a field.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Recommended {
    /// The least and the greatest of the values that serve.
    pub band: (u64, u64),
    /// The value to set; null to leave it empty, so that it follows the network.
    pub value: Value,
    /// What it comes from, in words that end a sentence "..., because ...".
    pub because: String,
}

/// Levels whose queues have a weight, and the field of it.
const WEIGHTS: [(Level, &str); 3] = [
    (Level::High, "storage.nvme.highWeight"),
    (Level::Medium, "storage.nvme.mediumWeight"),
    (Level::Low, "storage.nvme.lowWeight"),
];

/// Everything that is recommended, by path. Of settings that are as they should be only the threshold has an entry: its band is
/// shown beside it.
pub(super) fn recommendations(
    scenario: &Scenario,
    plan: &Plan,
    settings: &NetworkSettings,
) -> impl Iterator<Item = (&'static str, Recommended)> {
    let headroom = headroom(scenario, plan, settings);
    let threshold = threshold(scenario, plan, settings).map(|found| ("switch.ecnThresholdPackets", found));
    threshold.into_iter().chain(headroom).chain(weights(scenario))
}

/// K between a seventh and a quarter of what the path holds in a round trip, at the port that marks first. The rule is that of windows
/// that are cut by the share of marks, at ports that mark by a step: nothing is recommended to classes that are paced, or of RED.
fn threshold(scenario: &Scenario, plan: &Plan, settings: &NetworkSettings) -> Option<Recommended> {
    if scenario.switch.marking != Marking::Step {
        return None;
    }
    let cuts_window = |class: ClassId| {
        let transport = scenario.classes[class.index()].transport;
        transport.follows_marks() && !transport.is_rate_based()
    };
    let link = plan.most_demanded_port(scenario, cuts_window)?;
    let classes = plan.flows[..plan.data_flows].iter().filter(|flow| flow.data.contains(&link)).map(|flow| flow.class);
    let rtt_ps = classes.filter(|&class| cuts_window(class)).map(|class| settings.class_rtt_ps[class.index()]).max()?;
    let packet_bits = f64::from(scenario.host.mtu_bytes) * 8.0;
    let link_bps = settings.links[link.index()].rate_bps as f64;
    let pipe = rtt_ps as f64 / PS_PER_S as f64 * link_bps / packet_bits;
    let (low, high) = threshold::recommended(pipe);
    let [rtt_us, all, seventh, quarter] = [to_us(rtt_ps), pipe, pipe / 7.0, pipe / 4.0].map(three_digits);
    let gbps = link_bps / 1e9;
    Some(Recommended {
        band: (u64::from(low), u64::from(high)),
        value: threshold::nominal(pipe).into(),
        because: format!("1/7 of the {all} packets that {gbps} Gb/s × {rtt_us} µs hold is {seventh}, 1/4 is {quarter}"),
    })
}

/// A number with three digits that count.
fn three_digits(value: f64) -> f64 {
    format!("{value:.2e}").parse().unwrap_or_default()
}

/// Headroom by formula where a smaller one is given: less than what may still arrive at the port that needs most is lost.
fn headroom(scenario: &Scenario, plan: &Plan, settings: &NetworkSettings) -> Option<(&'static str, Recommended)> {
    let needed = plan.needed_headroom_bytes(scenario, settings);
    let is_short = scenario.switch.headroom_bytes.is_some_and(|given| given < needed);
    is_short.then(|| {
        let kilobytes = needed as f64 / 1000.0;
        let because = format!("{kilobytes:.1} KB may still arrive after a pause is sent, at the port that needs most");
        ("switch.headroomBytes", Recommended { band: (needed, needed), value: Value::Null, because })
    })
}

/// Weights that stand to each other as the ratios of the classes whose commands go to each level, where they do not.
fn weights(scenario: &Scenario) -> Vec<(&'static str, Recommended)> {
    if !matches!(scenario.storage.treatment, ClassTreatment::Protocol | ClassTreatment::Coordinated) {
        return Vec::new();
    }
    let levels = devices::levels(scenario);
    let ratio_of = |level: Level| {
        let own = scenario.classes.iter().zip(&levels).filter(|(_, of)| **of == level);
        own.map(|(class, _)| class.ratio).sum::<f64>()
    };
    let stated = scenario.storage.nvme.weights();
    let used: Vec<_> = WEIGHTS.iter().zip(stated).map(|(of, now)| (of.1, ratio_of(of.0), u64::from(now))).collect();
    let used: Vec<_> = used.into_iter().filter(|(_, ratio, _)| *ratio > 0.0).collect();
    if used.len() < 2 {
        return Vec::new();
    }
    let most = field("storage.nvme.highWeight").maximum.as_ref().and_then(Value::as_f64).unwrap_or(f64::INFINITY);
    let wanted = whole_ratios(&used.iter().map(|(_, ratio, _)| *ratio).collect::<Vec<_>>(), most);
    let (first, of_first) = (used[0].2, wanted[0]);
    if used.iter().zip(&wanted).all(|((_, _, now), wanted)| now * of_first == wanted * first) {
        return Vec::new();
    }
    let recommended = |((path, ..), weight): (&(&'static str, f64, u64), &u64)| {
        let because = "the ratios of the classes".to_owned();
        (*path, Recommended { band: (*weight, *weight), value: number(*weight as f64), because })
    };
    used.iter().zip(&wanted).map(recommended).collect()
}

/// The least whole numbers that stand to each other as some ratios do, to a hundredth, up to a greatest one.
fn whole_ratios(ratios: &[f64], most: f64) -> Vec<u64> {
    let least = ratios.iter().copied().fold(f64::INFINITY, f64::min);
    let times = |factor: f64| ratios.iter().map(move |ratio| ratio / least * factor);
    let is_whole = |factor: &f64| times(*factor).all(|part| (part - part.round()).abs() <= 0.01 * part);
    let factor = (1..=10).map(f64::from).find(is_whole).unwrap_or(10.0);
    times(factor).map(|part| crate::kernel::convert::rounded(part.min(most))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratios_become_the_least_whole_numbers() {
        for (ratios, whole) in [
            ([3.0, 2.0, 1.0], [3, 2, 1]),
            ([1.5, 1.0, 1.0], [3, 2, 2]),
            ([0.3, 0.2, 0.1], [3, 2, 1]),
            ([1000.0, 1.0, 1.0], [256, 1, 1]),
        ] {
            assert_eq!(whole_ratios(&ratios, 256.0), whole, "{ratios:?}");
        }
    }
}
