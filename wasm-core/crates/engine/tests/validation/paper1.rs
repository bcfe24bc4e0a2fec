//! Figures of paper 1: three hosts of a fat-tree write 90, 60 and 30 Gb/s over one link of 100 Gb/s.

use std::sync::Arc;

use qoscope_engine::simulation::Summary;
use serde_json::{Value, json};

use crate::check::Band::{Absolute, AtLeast, Between, Relative};
use crate::check::{Check, assert_all};
use crate::runs::{converged_ms, mean, modelled_gbps, modelled_slots, run, run_with, seeds, total};

/// Fig. 12a: what each class receives under QTCP and under DCTCP, in Gb/s.
const QTCP_GBPS: [f64; 3] = [48.0, 31.0, 17.0];
const DCTCP_GBPS: [f64; 3] = [33.0, 33.0, 30.0];

fn carried(result: &Summary, class: usize) -> f64 {
    result.classes[class].carried_gbps
}

/// Fig. 8: the model and the simulation beside each other.
fn figure_8() -> Vec<Check> {
    let name = "paper1-fig8";
    let (result, modelled) = (run(name), modelled_gbps(name));
    let classes = result.classes.iter().zip(modelled);
    classes
        .map(|(class, modelled)| {
            let quantity = format!("{}: simulated against modelled, Gb/s", class.name);
            Check::new(name, quantity, modelled, class.carried_gbps, 2, Relative(0.05))
        })
        .collect()
}

/// What fig. 9 shows for a round trip, and how far our convergence is from it.
struct Figure9 {
    name: &'static str,
    rtt_us: f64,
    published: &'static str,
    slots: f64,
    /// Known distances: from the start, from an even split, in the model. None: within the band.
    distances: [Option<f64>; 3],
}

const FIGURES_9: [Figure9; 3] = [
    Figure9 { name: "paper1-fig9a", rtt_us: 25.0, published: "50", slots: 50.0, distances: [Some(3.0), None, None] },
    Figure9 {
        name: "paper1-fig9b",
        rtt_us: 62.0,
        published: "30 to 40",
        slots: 35.0,
        distances: [Some(8.0), Some(2.0), Some(2.0)],
    },
    Figure9 {
        name: "paper1-fig9c",
        rtt_us: 98.0,
        published: "30 to 40",
        slots: 35.0,
        distances: [Some(12.0), Some(4.0), Some(3.5)],
    },
];

/// Fig. 9: the quality factors after convergence, and when that is.
fn figure_9(figure: &Figure9) -> Vec<Check> {
    const SECTION: &str = "convergence after slow start";
    let &Figure9 { name, rtt_us, published, slots, distances: [start, even, model] } = figure;
    let result = run(name);
    let mut checks: Vec<Check> = result
        .classes
        .iter()
        .map(|class| {
            let factor = class.quality_factor.mean.unwrap_or(f64::NAN);
            Check::new(name, format!("{}: Q", class.name), 1.0, factor, 3, Between(0.95, 1.05)).published("0.95 to 1")
        })
        .collect();
    let convergence = |quantity: &str, ours: f64, distance: Option<f64>| {
        let quantity = format!("slots until all have converged{quantity}");
        let check = Check::new(name, quantity, slots, ours, 0, Relative(0.2)).published(published);
        if let Some(at_most) = distance { check.differs(at_most, SECTION) } else { check }
    };
    let from_start = mean(&seeds(name), converged_ms) * 1000.0 / rtt_us;
    checks.extend([
        convergence("", from_start, start),
        convergence(", from an even split", slots_from_even_split(name, rtt_us), even),
        convergence(", in the model", modelled_slots(name), model),
    ]);
    checks
}

/// Slots that High takes from DCTCP's even split to its share, once the transport is switched to QTCP.
fn slots_from_even_split(name: &str, rtt_us: f64) -> f64 {
    let switched_us = 400.0 * rtt_us;
    let transport = |class: usize| format!("classes[{class}].transport");
    let timeline = |class: usize| json!({ "atUs": switched_us, "path": transport(class), "value": "qtcp" });
    let results: Vec<Arc<Summary>> = (1..=5)
        .map(|seed| {
            let before = [0, 1, 2].map(|class| (transport(class), json!("dctcp")));
            let mut changes: Vec<(&str, Value)> =
                before.iter().map(|(path, value)| (path.as_str(), value.clone())).collect();
            changes.extend([
                ("seed", json!(seed)),
                ("durationUs", json!(2.0 * switched_us)),
                ("timeline", [0, 1, 2].map(timeline).into_iter().collect()),
            ]);
            run_with(name, &changes)
        })
        .collect();
    let high_us =
        mean(&results, |result| result.classes[0].quality_factor.converged_at_us.unwrap_or(result.simulated_us));
    (high_us - switched_us) / rtt_us
}

/// Fig. 10: two classes enter late. When all have converged, counted from then.
fn figure_10() -> Vec<Check> {
    const ENTRY_MS: f64 = 20.0;
    let after_entry = |name: &str| mean(&seeds(name), converged_ms) - ENTRY_MS;
    let (dctcp, qtcp) = (after_entry("paper1-fig10-dctcp"), after_entry("paper1-fig10-qtcp"));
    let quantity = format!("QTCP has converged after {qtcp:.0} ms, DCTCP after {dctcp:.0} ms or more: ms sooner");
    vec![Check::new("paper1-fig10", quantity, 5.0, dctcp - qtcp, 0, AtLeast(5.0)).trend("about 5")]
}

/// Fig. 12a: what each class receives.
fn figure_12a() -> Vec<Check> {
    let qtcp = "paper1-fig12a-qtcp";
    let result = run(qtcp);
    let scale = total(&result) / QTCP_GBPS.iter().sum::<f64>();
    let mut checks = vec![Check::new(qtcp, "total, Gb/s", 94.0, total(&result), 2, AtLeast(94.0)).published("96")];
    for (class, published) in QTCP_GBPS.into_iter().enumerate() {
        let quantity = format!("{}, Gb/s", result.classes[class].name);
        let check = Check::new(qtcp, quantity, published * scale, carried(&result, class), 2, Absolute(3.0));
        checks.push(check.published(published.to_string()));
    }
    let dctcp = "paper1-fig12a-dctcp";
    let (result, seeds) = (run(dctcp), seeds(dctcp));
    for (class, published) in DCTCP_GBPS.into_iter().enumerate() {
        let quantity = format!("{}, Gb/s", result.classes[class].name);
        checks.push(Check::new(dctcp, quantity, published, carried(&result, class), 2, Absolute(3.0)));
    }
    for (class, published) in DCTCP_GBPS.into_iter().enumerate() {
        let quantity = format!("{}, mean over five seeds, Gb/s", result.classes[class].name);
        let ours = mean(&seeds, |result| carried(result, class));
        checks.push(Check::new(dctcp, quantity, published, ours, 2, Absolute(3.0)));
    }
    checks
}

/// Everything that is compared.
pub fn checks() -> Vec<Check> {
    [figure_8(), FIGURES_9.iter().flat_map(figure_9).collect(), figure_10(), figure_12a()].concat()
}

#[test]
fn qtcp_behaves_as_in_paper_1() {
    assert_all(&checks());
}
