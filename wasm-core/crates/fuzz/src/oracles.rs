//! What must hold of every result, whatever the scenario.

use qoscope_engine::scenario::{Buffering, Diagnostic, Scenario, Shape};
use qoscope_engine::simulation::{Simulation, Summary};
use serde_json::Value;

/// Longest reason or hint of a diagnostic, in characters.
const MAX_SENTENCE: usize = 1000;

/// Something that does not hold.
#[derive(Clone, Debug, serde::Serialize)]
pub struct Failure {
    /// Which rule, in one or two words.
    pub rule: &'static str,
    /// What was found.
    pub found: String,
}

/// Collects failures.
#[derive(Default)]
pub struct Findings(pub Vec<Failure>);

impl Findings {
    /// Notes a failure of `rule` unless it `holds`.
    pub fn require(&mut self, holds: bool, rule: &'static str, found: impl FnOnce() -> String) {
        if !holds && self.0.iter().all(|failure| failure.rule != rule) {
            self.0.push(Failure { rule, found: found() });
        }
    }
}

/// A refusal names the place, the reason and what to do, in words that can be printed.
pub fn diagnostics(diagnostics: &[Diagnostic], findings: &mut Findings) {
    findings.require(!diagnostics.is_empty(), "refusal without a reason", String::new);
    for diagnostic in diagnostics {
        let Diagnostic { path, reason, hint, .. } = diagnostic;
        findings.require(!reason.is_empty() && !hint.is_empty(), "sentence missing", || format!("{diagnostic:?}"));
        for text in [path, reason, hint] {
            findings.require(!text.chars().any(char::is_control), "control character", || format!("{diagnostic:?}"));
            let length = text.chars().count();
            findings.require(length <= MAX_SENTENCE, "long sentence", || format!("{length} characters at {path:.80}"));
        }
    }
}

/// Whatever was sent is delivered, dropped or under way.
pub fn conservation(simulation: &Simulation, findings: &mut Findings) {
    let report = simulation.conservation_report();
    findings.require(report.packets.balances(), "conservation of packets", || format!("{:?}", report.packets));
    let payload = report.payload_bytes;
    findings.require(payload.balances(), "conservation of payload", || format!("{payload:?}"));
    let hops = simulation.packet_hops();
    findings.require(report.arrivals == hops, "arrivals counted twice", || format!("{} of {hops}", report.arrivals));
    for stream in &report.streams {
        let positions = [stream.acknowledged, stream.delivered, stream.sent, stream.handed_over];
        findings.require(positions.is_sorted(), "order of positions", || format!("{stream:?}"));
    }
    let requests = report.requests;
    findings.require(requests.balances(), "conservation of requests", || format!("{requests:?}"));
    if simulation.scenario().measurement.warmup_us == Some(0.0) {
        let (issued, completed) = simulation
            .summary()
            .classes
            .iter()
            .fold((0, 0), |sum, class| (sum.0 + class.requests.issued, sum.1 + class.requests.completed));
        findings.require((issued, completed) == (requests.issued, requests.done), "requests counted twice", || {
            format!("{issued} issued and {completed} completed, {requests:?}")
        });
    }
}

/// Every number of a summary is one that can be.
pub fn summary(scenario: &Scenario, summary: &Summary, findings: &mut Findings) {
    let printed = format!("{summary:?}");
    let words = printed.split([' ', '(', ')', ',', '[', ']', '{', '}']);
    for word in words.filter(|word| !word.starts_with('"')) {
        findings
            .require(!["NaN", "inf", "-inf"].contains(&word), "number not finite", || word_in_context(&printed, word));
        let negative =
            word.strip_prefix('-').is_some_and(|rest| rest.starts_with(|digit: char| digit.is_ascii_digit()));
        findings.require(!negative, "negative number", || word_in_context(&printed, word));
    }
    numbers(&serde_json::to_value(summary).unwrap_or_default(), "", findings);
    stages(summary, findings);
    capacity(scenario, summary, findings);
    losses(scenario, summary, findings);
    waste(scenario, summary, findings);
    contracts(scenario, summary, findings);
}

/// Every request answered to a tenant is in one nested class or overflows, and more are answered within longer times.
fn contracts(scenario: &Scenario, summary: &Summary, findings: &mut Findings) {
    // Response times that change while requests are under way may cross what was counted before.
    let changes = scenario.timeline.iter().any(|change| change.path.contains("contract"));
    for class in &summary.classes {
        let Some(contract) = &class.contract else { continue };
        let Some(overflow) = contract.overflow_fraction else { continue };
        let sum = overflow + contract.classes.iter().filter_map(|nested| nested.fraction).sum::<f64>();
        findings.require((sum - 1.0).abs() < 1e-9, "nested classes", || format!("{}: {sum} of one", class.name));
        let in_order = contract.classes.is_sorted_by(|inner, outer| inner.within_fraction <= outer.within_fraction);
        findings.require(changes || in_order, "response times", || format!("{}: {contract:?}", class.name));
    }
}

/// The stages of requests add up to their latency, as far as the histogram tells that.
fn stages(summary: &Summary, findings: &mut Findings) {
    /// Latencies count in whole nanoseconds, from one on, up to a limit.
    const RESOLUTION_US: f64 = 0.002;
    const MAX_TIME_US: f64 = 1e9;
    for class in &summary.classes {
        let Some(stages) = &class.stages_us else { continue };
        for (times, latency) in [(&stages.reads, &class.reads), (&stages.writes, &class.writes)] {
            let (Some(times), Some(latency)) = (times, latency) else { continue };
            let (total, mean) = (times.mean.values().sum::<f64>(), latency.mean.unwrap_or(f64::NAN));
            let agrees = (total - mean).abs() <= RESOLUTION_US + 1e-6 * total || latency.max >= Some(MAX_TIME_US);
            findings.require(agrees, "stages beside latency", || format!("{}: {total} of {mean} us", class.name));
            let slowest = times.slowest_percent.values().sum::<f64>();
            let in_order = slowest >= total * (1.0 - 1e-9);
            findings.require(in_order, "slowest below mean", || format!("{}: {slowest} of {total} us", class.name));
        }
    }
}

/// What the names of figures promise: shares lie between 0 and 1, percentiles and bounds are in order.
fn numbers(value: &Value, path: &str, findings: &mut Findings) {
    const ROUNDING: f64 = 1e-9;
    if let Value::Array(elements) = value {
        elements.iter().for_each(|element| numbers(element, &format!("{path}[]"), findings));
    }
    let Some(fields) = value.as_object() else { return };
    for ordered in [&["p50", "p90", "p99", "p999", "max"][..], &["min", "mean", "max"]] {
        let figures: Vec<f64> = ordered.iter().filter_map(|name| fields.get(*name)?.as_f64()).collect();
        let in_order = figures.windows(2).all(|pair| pair[0] <= pair[1] * (1.0 + ROUNDING));
        findings.require(in_order, "order of figures", || format!("{path}: {value}"));
    }
    for (name, value) in fields {
        let path = format!("{path}.{name}");
        let is_share = name.ends_with("Fraction") || name.ends_with("tilisation") || name.ends_with("Share");
        if let Some(share) = value.as_f64().filter(|_| is_share) {
            findings.require(share <= 1.0 + ROUNDING, "share above one", || format!("{path}: {share}"));
        }
        numbers(value, &path, findings);
    }
}

/// No more is carried than was offered, nor than links can carry.
fn capacity(scenario: &Scenario, summary: &Summary, findings: &mut Findings) {
    /// What is delivered may have been handed over, or have arrived out of order, before the warm-up ended.
    const FROM_THE_START: f64 = 0.0;
    if scenario.measurement.warmup_us != Some(FROM_THE_START) {
        return;
    }
    for class in &summary.classes {
        let offered = class.offered_gbps.unwrap_or(f64::INFINITY);
        findings.require(class.carried_gbps <= offered * (1.0 + 1e-9), "carried above offered", || {
            format!("{}: {} of {offered} Gb/s", class.name, class.carried_gbps)
        });
    }
    let rate_gbps = fastest_link_gbps(scenario);
    let mut received = vec![0.0; 1 + summary.flows.iter().map(|flow| flow.destination as usize).max().unwrap_or(0)];
    for flow in &summary.flows {
        received[flow.destination as usize] += flow.carried_gbps;
    }
    for (host, carried) in received.into_iter().enumerate() {
        findings.require(carried <= rate_gbps * (1.0 + 1e-9), "carried above line rate", || {
            format!("host {host}: {carried} Gb/s, links of {rate_gbps} Gb/s")
        });
    }
}

/// The rate of the fastest link at any time, in Gb/s.
fn fastest_link_gbps(scenario: &Scenario) -> f64 {
    let of_shape = match &scenario.topology.shape {
        Shape::Custom { links, .. } => links.iter().filter_map(|link| link.gbps).fold(0.0, f64::max),
        // Hosts of the others are linked at the rate of the network.
        _ => 0.0,
    };
    let changes = scenario.timeline.iter().filter(|change| change.path == "topology.linkGbps");
    changes.filter_map(|change| change.value.as_f64()).fold(of_shape.max(scenario.topology.link_gbps), f64::max)
}

/// With flow control and the headroom that the cables need, nothing is dropped.
fn losses(scenario: &Scenario, summary: &Summary, findings: &mut Findings) {
    // Memory and cables that change while packets are under way may lose some.
    let unchanged = |change: &qoscope_engine::scenario::Change| {
        !change.path.starts_with("switch") && !change.path.starts_with("topology") && !change.path.ends_with("priority")
    };
    if scenario.switch.buffering == Buffering::Pfc
        && scenario.switch.headroom_bytes.is_none()
        && scenario.timeline.iter().all(unchanged)
    {
        let drops = summary.network.drops_everywhere;
        findings.require(drops == 0, "drops under flow control", || format!("{drops} packets"));
    }
}

/// Where packets are sent again, the summary says which share of them was.
fn waste(scenario: &Scenario, summary: &Summary, findings: &mut Findings) {
    let again: u64 = summary.flows.iter().map(|flow| flow.retransmissions).sum();
    if scenario.measurement.warmup_us == Some(0.0) && again > 0 {
        let share = summary.network.retransmitted_fraction;
        findings.require(share > Some(0.0), "retransmissions not reported", || format!("{again} packets, {share:?}"));
    }
}

/// Some text around the first `word`.
fn word_in_context(text: &str, word: &str) -> String {
    let at = text.find(&format!(" {word}")).or_else(|| text.find(word)).unwrap_or(0);
    text.chars().skip(text[..at].chars().count().saturating_sub(60)).take(90).collect()
}
