//! Figures of paper 1: three hosts of a fat-tree write 90, 60 and 30 Gb/s over one link of 100 Gb/s.

use qoscope_engine::simulation::Summary;
use serde_json::{Value, json};

use crate::coexistence::{RATIOS, modelled, shares};
use crate::document::assert_table;
use crate::row::Band::{Absolute, Relative};
use crate::row::Row;
use crate::runs::{
    FEW, MANY, all_converged_ms, carried, convergence_ms, estimate, modelled_slots, paired, seeds, seeds_with, total,
};
use crate::sample::Estimate;

/// Fig. 12a: what each class receives under QTCP and under DCTCP, in Gb/s.
const QTCP_GBPS: [f64; 3] = [48.0, 31.0, 17.0];
const DCTCP_GBPS: [f64; 3] = [33.0, 33.0, 30.0];
const CLASSES: [&str; 3] = ["High", "Medium", "Low"];
const HIGH: usize = 0;
const LOW: usize = 2;

/// Fig. 8: the model and the simulation beside each other.
fn figure_8() -> Vec<Row> {
    const NAME: &str = "paper1-fig8";
    [shares(NAME, "", &seeds(NAME, FEW), &RATIOS, 0.05), modelled(NAME, "almost identical", FEW)].concat()
}

/// What fig. 9 shows for a round trip.
struct Figure9 {
    name: &'static str,
    rtt_us: f64,
    /// Slots until all classes have converged: a row of that quantity.
    slots: fn(&str, &str, Estimate) -> Row,
}

const FIGURES_9: [Figure9; 3] = [
    Figure9 { name: "paper1-fig9a", rtt_us: 25.0, slots: fifty },
    Figure9 { name: "paper1-fig9b", rtt_us: 62.0, slots: thirty_to_forty },
    Figure9 { name: "paper1-fig9c", rtt_us: 98.0, slots: thirty_to_forty },
];

fn fifty(name: &str, quantity: &str, ours: Estimate) -> Row {
    Row::number(name, quantity, 50.0, Relative(0.2), ours)
}

fn thirty_to_forty(name: &str, quantity: &str, ours: Estimate) -> Row {
    Row::range(name, quantity, (30.0, 40.0), ours)
}

/// Fig. 9: the quality factors after convergence, and when that is.
fn figure_9(figure: &Figure9) -> Vec<Row> {
    let &Figure9 { name, rtt_us, slots } = figure;
    let runs = seeds(name, MANY);
    let factor = |class: usize| move |run: &Summary| run.classes[class].quality_factor.mean.unwrap_or(f64::NAN);
    let greatest = |run: &Summary| (0..CLASSES.len()).map(|class| factor(class)(run)).fold(0.0, f64::max);
    let even = from_even_split(name, rtt_us);
    let mut rows: Vec<Row> = (0..CLASSES.len())
        .map(|class| {
            let quantity = format!("{}: mean Q", CLASSES[class]);
            Row::number(name, quantity, 1.0, Absolute(0.05), estimate(&runs, factor(class))).decimals(3)
        })
        .collect();
    rows.extend([
        Row::range(name, "greatest mean Q of the classes", (0.95, 1.0), estimate(&runs, greatest)).decimals(3),
        slots(
            name,
            "slots until all have converged",
            estimate(&runs, all_converged_ms(0.0)).scaled(1000.0 / rtt_us, 0.0),
        ),
        slots(name, "slots until all have converged, from an even split", even),
        slots(name, "slots until all have converged, in the model", Estimate::exact(modelled_slots(name))),
    ]);
    rows
}

/// Fig. 9a says more: which class is first.
fn figure_9a() -> Vec<Row> {
    const NAME: &str = "paper1-fig9a";
    const RTT_US: f64 = 25.0;
    let runs = seeds(NAME, MANY);
    let slots = |class: usize| move |run: &Summary| convergence_ms(class, 0.0)(run) * 1000.0 / RTT_US;
    vec![
        Row::range(NAME, "High: slots until it has converged", (15.0, 20.0), estimate(&runs, slots(HIGH))),
        Row::order(
            NAME,
            "slots that Low takes longer than High",
            "Low is last, High first",
            estimate(&runs, |run| slots(LOW)(run) - slots(HIGH)(run)),
        ),
    ]
}

/// Slots that the classes take from DCTCP's even split to their shares, once the transport is switched to QTCP.
fn from_even_split(name: &str, rtt_us: f64) -> Estimate {
    let switched_us = 400.0 * rtt_us;
    let transport = |class: usize| format!("classes[{class}].transport");
    let timeline = |class: usize| json!({ "atUs": switched_us, "path": transport(class), "value": "qtcp" });
    let before = [0, 1, 2].map(|class| (transport(class), json!("dctcp")));
    let mut changes: Vec<(&str, Value)> = before.iter().map(|(path, value)| (path.as_str(), value.clone())).collect();
    changes.extend([
        ("durationUs", json!(2.0 * switched_us)),
        ("timeline", [0, 1, 2].map(timeline).into_iter().collect()),
    ]);
    estimate(&seeds_with(name, &changes, MANY), all_converged_ms(switched_us / 1000.0)).scaled(1000.0 / rtt_us, 0.0)
}

/// Fig. 10: two classes enter late. When all have converged, counted from then.
fn figure_10() -> Vec<Row> {
    const NAME: &str = "paper1-fig10";
    const ENTRY_MS: f64 = 20.0;
    let [dctcp, qtcp] = ["dctcp", "qtcp"].map(|transport| seeds(&format!("{NAME}-{transport}"), MANY));
    let published = "about 5";
    let sooner =
        paired(&dctcp, &qtcp, |dctcp, qtcp| all_converged_ms(ENTRY_MS)(dctcp) - all_converged_ms(ENTRY_MS)(qtcp));
    vec![
        Row::number(NAME, "ms by which QTCP converges sooner than DCTCP", 5.0, Relative(0.5), sooner)
            .published(published),
    ]
}

/// Fig. 12a: what each class receives.
fn figure_12a() -> Vec<Row> {
    let (qtcp, dctcp) = ("paper1-fig12a-qtcp", "paper1-fig12a-dctcp");
    let published_total = QTCP_GBPS.iter().sum::<f64>();
    let runs = seeds(qtcp, FEW);
    let mut rows =
        vec![Row::number(qtcp, "total, Gb/s", published_total, Relative(0.02), estimate(&runs, total)).decimals(2)];
    for (class, published) in QTCP_GBPS.into_iter().enumerate() {
        let quantity = format!("{}, Gb/s, of a total of {published_total}", CLASSES[class]);
        let scaled = estimate(&runs, |run| carried(class)(run) * published_total / total(run));
        rows.push(Row::number(qtcp, quantity, published, Absolute(3.0), scaled).decimals(2));
    }
    let runs = seeds(dctcp, MANY);
    for (class, published) in DCTCP_GBPS.into_iter().enumerate() {
        let quantity = format!("{}, Gb/s", CLASSES[class]);
        rows.push(Row::number(dctcp, quantity, published, Absolute(3.0), estimate(&runs, carried(class))).decimals(2));
    }
    rows
}

/// All rows.
fn rows() -> Vec<Row> {
    [figure_8(), FIGURES_9.iter().flat_map(figure_9).collect(), figure_9a(), figure_10(), figure_12a()].concat()
}

#[test]
fn qtcp_behaves_as_in_paper_1() {
    assert_table("paper 1", &rows());
}
