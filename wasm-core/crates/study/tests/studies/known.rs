//! Searches whose answers are known: worked out here by hand, from the models, and never from a run.

use qoscope_study::{Factor, Found, TargetView};

use crate::Played;
use crate::record::SearchRecord;

/// How far an answer may lie from the optimum, as a part of it.
const WITHIN: f64 = 0.05;
/// The part of a grid's runs that a search may make.
const PART: u64 = 5;

/// Bytes of a full packet, of its headers, and of the frame around it.
const PACKET: f64 = 1500.0;
const HEADERS: f64 = 52.0;
const FRAME: f64 = 2.0;

/// What is known of a question.
enum Known {
    /// What is preferred can be so much, and no better.
    Optimum(f64),
    /// The target of this measure cannot be met: it comes no nearer than this.
    Misses(&'static str, f64),
}

/// Values of a factor, as its document says.
pub fn count(factor: &Factor) -> usize {
    factor.range.as_ref().map_or(factor.values.len() + factor.alternatives.len(), |range| range.count as usize)
}

/// Payload that a link carries, in its own unit.
fn payload(link: f64) -> f64 {
    link * (PACKET - HEADERS) / (PACKET + FRAME)
}

/// Four windows of 60 packets are always full. At 10 Gb/s a round trip of 100 us holds so many packets; one of them is in transmission and
/// counts as in the queue. The others stand there: a packet that finds all of them but itself finds K − 1.
fn least_k() -> f64 {
    let round_trip = 10e9 * 100e-6 / (8.0 * (PACKET + FRAME));
    (4.0 * 60.0 - (round_trip - 1.0)).ceil()
}

/// Of whole weights h and m beside 1 those that give at least 55 % and 24 % of the commands: the share of Low is greatest where their sum
/// is least.
fn share_of_low() -> f64 {
    let weights = (1..=16).flat_map(|high| (1..=16).map(move |medium| (high, medium)));
    let shares = weights.map(|(high, medium)| {
        let of = |weight: i32| 100.0 * f64::from(weight) / f64::from(high + medium + 1);
        (of(high), of(medium), of(1))
    });
    shares.filter(|(high, medium, _)| *high >= 55.0 && *medium >= 24.0).map(|(_, _, low)| low).fold(0.0, f64::max)
}

/// Lemma 1 of Nested QoS for either tenant, whose capacities add up: of (σ_j, δ_j) and ρ the greatest σ_j/δ_j + ρ(1 − δ_1/δ_j).
fn capacity_of_both() -> f64 {
    let need = |rate: f64, bursts: [f64; 3]| {
        let responses = [0.05, 0.5, 5.0];
        let terms =
            bursts.iter().zip(responses).map(|(burst, response)| burst / response + rate * (1.0 - 0.05 / response));
        terms.fold(rate, f64::max)
    };
    need(320.0, [16.0, 32.0, 64.0]) + need(160.0, [8.0, 16.0, 32.0])
}

/// What still arrives at 100 Gb/s once a pause is due: it waits for a packet on its way back, passes 5 us of cable, the sender ends the
/// packet that it has begun, and what is on the 5 us of cable arrives; and the packet that brought the decision.
fn headroom() -> f64 {
    const PAUSE_FRAME: f64 = 64.0;
    100e9 / 8.0 * 2.0 * 5e-6 + (PACKET + FRAME + PAUSE_FRAME) + 2.0 * (PACKET + FRAME)
}

fn of(name: &str) -> Option<Known> {
    Some(match name {
        "least-k" => Known::Optimum(least_k()),
        "weights-for-shares" => Known::Optimum(share_of_low()),
        "capacity-of-contracts" => Known::Optimum(capacity_of_both()),
        "headroom-without-drops" => Known::Optimum(headroom()),
        // What the two wanted rates of 3 and 2 Gb/s leave.
        "ratios-for-rates" => Known::Optimum(payload(10.0) - 3.0 - 2.0),
        "more-than-a-link" => Known::Misses("throughput", payload(10.0)),
        _ => return None,
    })
}

/// Whether the answer of a study is known by hand.
pub fn is_known(name: &str) -> bool {
    of(name).is_some()
}

/// What a search came to. Fails where it did not find what is known, or took too many runs.
pub fn hold(name: &str, played: &Played, found: &Found) -> Result<SearchRecord, String> {
    let known = of(name).ok_or("no answer is known by hand")?;
    let says = &found.says;
    let points: usize = played.study.vary.iter().map(count).product();
    let grid_runs = points as u64 * u64::from(played.study.seeds.count);
    // Without an answer, a search looks at every setting.
    if found.is_met && played.runs > grid_runs / PART {
        return Err(format!("took {} runs, of {grid_runs} of a grid: {says}", played.runs));
    }
    let (known, value) = match known {
        Known::Optimum(optimum) => {
            if !found.is_met || found.of == 0 {
                return Err(format!("is not met: {says}"));
            }
            (optimum, found.preferred.first().and_then(|preferred| preferred.mean))
        }
        Known::Misses(measure, nearest) => {
            let title = |target: &TargetView| played.table.measures[target.measure].title.clone();
            let binding: Vec<String> = found.targets.iter().filter(|target| target.is_binding).map(title).collect();
            if found.is_met || binding != [measure] {
                return Err(format!("says that {binding:?} bind: {says}"));
            }
            (nearest, found.targets.iter().find(|target| title(target) == measure).and_then(|target| target.cell.mean))
        }
    };
    let value = value.ok_or_else(|| format!("has no value: {says}"))?;
    if (value / known - 1.0).abs() > WITHIN {
        return Err(format!("is {value}, and {known} by hand: {says}"));
    }
    Ok(SearchRecord {
        known,
        found: value,
        runs: played.runs,
        grid_runs,
        held: found.held,
        of: found.of,
        says: says.clone(),
    })
}
