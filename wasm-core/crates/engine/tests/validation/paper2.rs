//! Figures of paper 2: three servers offer 9, 6 and 3 Gb/s to a fourth, across a trunk of 10 Gb/s.

use qoscope_engine::model::dtm::{self, ConvergenceSearch, Criterion, CutRule, Initial, Model, Parameters};
use qoscope_engine::simulation::Summary;
use serde_json::{Value, json};

use crate::coexistence::{RATIOS, intruder, modelled, shares, shares_of};
use crate::document::assert_table;
use crate::row::Band::{Absolute, Relative};
use crate::row::Row;
use crate::runs::{
    Changes, FEW, MANY, PLENTY, Runs, all_converged_ms, carried, estimate, paired, seeds, seeds_with, stretch, total,
};
use crate::sample::Estimate;

/// Payload that a link of 10 Gb/s can carry.
const LINK_GBPS: f64 = 9.64;
const CLASSES: [&str; 3] = ["High", "Medium", "Low"];

/// Mean of a class's quality factor after the warm-up.
fn factor(class: usize) -> impl Fn(&Summary) -> f64 {
    move |run| run.classes[class].quality_factor.mean.unwrap_or(f64::NAN)
}

/// The mean quality factor that is furthest from 1.
fn furthest_factor(run: &Summary) -> f64 {
    let factors = (0..CLASSES.len()).map(|class| factor(class)(run));
    factors.fold(1.0, |worst, factor| if (factor - 1.0).abs() > (worst - 1.0_f64).abs() { factor } else { worst })
}

fn figure_2() -> Vec<Row> {
    modelled("paper2-fig2", "similar", FEW)
}

/// Slots after which every class of the model has converged: the mean of Q over 20 slots lies within 5 % of 1, as in the
/// simulation. Three backlogged classes at 10 Gb/s, as in section IV.C.
fn modelled_slots(rtt_us: f64, initial: Initial, change: impl Fn(&mut Parameters)) -> f64 {
    const PACKETS_PER_SECOND: f64 = 10e9 / 8.0 / 1500.0;
    const LIMIT: u32 = 10_000;
    let classes = RATIOS.map(|ratio| dtm::Class::qtcp(ratio, rtt_us / 2e6)).into();
    let mut parameters = Parameters::new(PACKETS_PER_SECOND, 140.0, classes);
    change(&mut parameters);
    let mut model = Model::new(parameters, initial);
    let mut search = ConvergenceSearch::new(CLASSES.len(), Criterion::Mean, 0.05, 20);
    for _ in 0..LIMIT {
        model.step();
        if search.look(&model) {
            break;
        }
    }
    search.found().into_iter().map(|class| class.expect("every class converges").slot).max().unwrap_or(0) as f64
}

/// Fig. 3. Section IV.C, which introduces figs. 3 to 5, speaks of the analytical model; it allows two queues at the start.
fn figure_3() -> Vec<Row> {
    const NAME: &str = "paper2-fig3";
    const RTT_US: f64 = 248.0;
    let runs = seeds(NAME, FEW);
    let of_class = |class: usize| {
        let quantity = format!("{}: mean Q", CLASSES[class]);
        Row::number(NAME, quantity, 1.0, Absolute(0.05), estimate(&runs, factor(class))).decimals(3)
    };
    let slots = |when: &str, ours| {
        Row::number(NAME, format!("slots until all have converged, {when}"), 100.0, Relative(0.2), ours)
    };
    let model = |initial| Estimate::exact(modelled_slots(RTT_US, initial, |_| {}));
    let mut rows: Vec<Row> = (0..CLASSES.len()).map(of_class).collect();
    rows.extend([
        slots("in the model from a queue of one packet each", model(Initial::OnePacket)),
        slots("in the model from a queue of K", model(Initial::Threshold)),
        slots("in the simulation", estimate(&runs, all_converged_ms(0.0)).scaled(1000.0 / RTT_US, 0.0)),
    ]);
    rows
}

/// What each step of a series of scenarios adds to the time until all classes have converged.
fn steps<const N: usize>(case: &str, what: &str, words: &str, names: [(String, &str); N], sign: f64) -> Vec<Row> {
    let times = names.map(|(name, value)| (seeds(&name, PLENTY), value));
    let step = |pair: &[(Runs, &str)]| {
        let [(before, from), (after, to)] = pair else { unreachable!("windows of two") };
        let quantity = format!("ms until all have converged, {what} of {to} against {from}: change");
        let change = paired(before, after, |before, after| {
            sign * (all_converged_ms(0.0)(after) - all_converged_ms(0.0)(before))
        });
        Row::order(case, quantity, words, change).decimals(1)
    };
    times.windows(2).map(step).collect()
}

fn figure_4() -> Vec<Row> {
    const RTTS_US: [(f64, &str); 4] = [(100.0, "100"), (200.0, "200"), (400.0, "400"), (800.0, "800")];
    const CASE: &str = "paper2-fig4";
    let names = RTTS_US.map(|(_, rtt)| (format!("{CASE}-rtt{rtt}"), rtt));
    let mut rows: Vec<Row> = names.iter().map(|(name, _)| factor_row(name)).collect();
    let times_ms = RTTS_US.map(|(rtt_us, _)| modelled_slots(rtt_us, Initial::OnePacket, |_| {}) * rtt_us / 1000.0);
    for (times, rtts) in times_ms.windows(2).zip(RTTS_US.windows(2)) {
        let quantity =
            format!("ms until all have converged in the model, round trip of {} us less {} us", rtts[1].1, rtts[0].1);
        rows.push(Row::order(CASE, quantity, "grows", Estimate::exact(times[1] - times[0])).decimals(1));
    }
    rows.extend(steps(CASE, "round trip", "grows", names, 1.0));
    rows
}

fn factor_row(name: &str) -> Row {
    let quantity = "mean Q furthest from 1 in the simulation";
    Row::number(name, quantity, 1.0, Absolute(0.05), estimate(&seeds(name, PLENTY), furthest_factor)).decimals(3)
}

fn figure_5() -> Vec<Row> {
    const GAINS: [(f64, &str); 5] = [(0.03125, "1/32"), (0.0625, "1/16"), (0.125, "1/8"), (0.25, "1/4"), (0.5, "1/2")];
    const CASE: &str = "paper2-fig5";
    const RTT_US: f64 = 220.0;
    let names = GAINS.map(|(gain, shown)| (format!("{CASE}-gain{gain}"), shown));
    let mut rows: Vec<Row> = names.iter().map(|(name, _)| factor_row(name)).collect();
    // As printed: a cut while alpha > epsilon.
    let slots = GAINS.map(|(gain, _)| {
        modelled_slots(RTT_US, Initial::OnePacket, |parameters| {
            parameters.cut = CutRule::AlphaAbove(0.01);
            parameters.classes.iter_mut().for_each(|class| class.gain = gain);
        })
    });
    for (slots, gains) in slots.windows(2).zip(GAINS.windows(2)) {
        let quantity = format!("slots until all have converged in the model, γ of {} less {}", gains[0].1, gains[1].1);
        rows.push(Row::order(CASE, quantity, "falls with γ", Estimate::exact(slots[0] - slots[1])));
    }
    rows.extend(steps(CASE, "γ", "falls with γ", names, -1.0));
    rows
}

fn figure_7() -> Vec<Row> {
    let (qtcp, dctcp) = ("paper2-fig7-qtcp", "paper2-fig7-dctcp");
    let total_row = |name: &str, runs: &Runs, published| {
        Row::number(name, "total, Gb/s", published, Relative(0.01), estimate(runs, total)).decimals(2)
    };
    let fair = seeds(qtcp, FEW);
    let mut rows = vec![total_row(qtcp, &fair, 9.63)];
    rows.extend(shares(qtcp, "", &fair, &RATIOS, 0.05));
    let even = seeds(dctcp, PLENTY);
    rows.push(total_row(dctcp, &even, 9.57));
    for class in [0, 1] {
        let quantity = format!("{} over Low", CLASSES[class]);
        let ratio = estimate(&even, |run| carried(class)(run) / carried(2)(run));
        rows.push(Row::number(dctcp, quantity, 1.1, Relative(0.05), ratio).decimals(2));
    }
    rows
}

/// The two readings of growth with unequal round trips: by each class's own, or one packet per longest round trip for all.
const READINGS: [(&str, &str); 2] = [("", "own-rtt"), (", common slot", "longest-rtt")];

fn growth_slot(slot: &str) -> [(&'static str, Value); 1] {
    [("qos.growthSlot", json!(slot))]
}

fn figure_8() -> Vec<Row> {
    let (qtcp, dctcp) = ("paper2-fig8-qtcp", "paper2-fig8-dctcp");
    let total_row = |name: &str, when: &str, runs: &Runs| {
        Row::number(name, format!("total{when}, Gb/s"), 9.6, Relative(0.02), estimate(runs, total)).decimals(2)
    };
    let mut rows = Vec::new();
    let biased = seeds(dctcp, FEW);
    for (when, slot) in READINGS {
        let runs = seeds_with(qtcp, &growth_slot(slot), FEW);
        rows.push(total_row(qtcp, when, &runs));
        rows.extend(shares(qtcp, when, &runs, &RATIOS, 0.05));
        let more = paired(&runs, &biased, |fair, biased| carried(0)(fair) - carried(0)(biased));
        let quantity = format!("High: more than with DCTCP by{when}, Gb/s");
        rows.push(Row::order(qtcp, quantity, "DCTCP is biased to short round trips, QTCP is not", more).decimals(2));
    }
    rows.push(total_row(dctcp, "", &biased));
    let bias = estimate(&biased, |run| carried(1)(run) - carried(0)(run));
    rows.push(
        Row::order(dctcp, "Medium (350 us) less High (1800 us), Gb/s", "biased to short round trips", bias).decimals(2),
    );
    rows
}

fn figure_12() -> Vec<Row> {
    let mut rows = Vec::new();
    // The interval of 1 is fig. 8.
    for interval in [10, 50] {
        let name = format!("paper2-fig12-interval{interval}");
        for (when, slot) in READINGS {
            let changes: &Changes = &growth_slot(slot);
            rows.extend(shares(&name, when, &seeds_with(&name, changes, FEW), &RATIOS, 0.05));
        }
    }
    rows
}

/// Fig. 9: a flow of DCTCP leaves, or comes and leaves.
fn figure_9() -> Vec<Row> {
    let left = [(", once it has left", 260.0, 400.0)];
    let both = [(", before it comes", 50.0, 100.0), (", once it has left", 360.0, 500.0)];
    [
        intruder("paper2-fig9a", LINK_GBPS, &left, (50.0, 195.0)),
        intruder("paper2-fig9b", LINK_GBPS, &both, (150.0, 295.0)),
    ]
    .concat()
}

/// Fig. 11: the loads are halved at 100 ms. Until then the classes share by ratios; once what has waited is sent, each
/// carries what it offers.
fn figure_11() -> Vec<Row> {
    let mut rows = Vec::new();
    for (name, settled, halved) in
        [("paper2-fig11a", (1700.0, 2000.0), [4.5, 3.0, 1.5]), ("paper2-fig11b", (300.0, 500.0), [3.5, 1.75, 0.875])]
    {
        rows.extend(shares_of(name, ", congested", &stretch(name, 30.0, 100.0, FEW), &RATIOS, 0, 0.1));
        let runs = stretch(name, settled.0, settled.1, MANY);
        rows.extend(halved.into_iter().enumerate().map(|(class, offered)| {
            let quantity = format!("{}, no longer congested, Gb/s", CLASSES[class]);
            Row::number(name, quantity, offered, Relative(0.1), estimate(&runs, carried(class))).decimals(2)
        }));
    }
    rows
}

/// Fig. 13: five applications in each class, each a connection of its own.
fn figure_13() -> Vec<Row> {
    const NAME: &str = "paper2-fig13";
    const APPLICATIONS: usize = 5;
    let runs = seeds(NAME, MANY);
    let mut rows = shares(NAME, "", &runs, &RATIOS, 0.05);
    rows.extend((0..RATIOS.len()).map(|class| {
        let first = estimate(&runs, |run| {
            run.flows[class * APPLICATIONS].carried_gbps * APPLICATIONS as f64 / carried(class)(run)
        });
        let quantity = format!("{}: first application over a fifth of its class", CLASSES[class]);
        Row::reading(NAME, quantity, "treated equally", (0.9, 1.1), first).decimals(2)
    }));
    rows
}

/// All rows.
fn rows() -> Vec<Row> {
    [
        figure_2(),
        figure_3(),
        figure_4(),
        figure_5(),
        figure_7(),
        figure_8(),
        figure_9(),
        figure_11(),
        figure_12(),
        figure_13(),
    ]
    .concat()
}

#[test]
fn qtcp_behaves_as_in_paper_2() {
    assert_table("paper 2", &rows());
}
