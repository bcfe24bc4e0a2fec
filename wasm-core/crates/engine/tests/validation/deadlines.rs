//! Transfers with deadlines: paper 1 figs. 15b and 18a, paper 2 fig. 10.
//!
//! Each figure is run in two arrangements, as the papers state neither: requests that arrive whatever became of the last
//! ("open", as the load of 80 % suggests), and one transfer at a time with a pause in between ("closed", as the published
//! misses suggest).

use qoscope_engine::simulation::Summary;

use crate::document::assert_table;
use crate::row::Band::Absolute;
use crate::row::Row;
use crate::runs::{MANY, Runs, estimate, paired, percent_less, seeds};
use crate::sample::Estimate;

const CLASSES: [&str; 3] = ["High", "Medium", "Low"];
const HIGH: usize = 0;

/// Per cent of the requests of a class that took longer than its target.
fn missed(class: usize) -> impl Fn(&Summary) -> f64 {
    move |run| {
        let fraction = run.classes[class].deadline.as_ref().and_then(|deadline| deadline.missed_fraction);
        100.0 * fraction.unwrap_or(f64::NAN)
    }
}

fn runs(prefix: &str, transport: &str) -> Runs {
    seeds(&format!("{prefix}-{transport}"), MANY)
}

/// Per cent missed by each class with a transport.
fn misses(prefix: &str, transport: &str, row: fn(&str, String, Estimate) -> Row) -> Vec<Row> {
    let (name, runs) = (format!("{prefix}-{transport}"), runs(prefix, transport));
    let of = |class: usize| {
        let quantity = format!("{}: missed, %", CLASSES[class]);
        row(&name, quantity, estimate(&runs, missed(class))).decimals(1)
    };
    (0..CLASSES.len()).map(of).collect()
}

/// That a class misses fewer deadlines with one transport than with another, in points of per cent.
fn fewer(prefix: &str, class: usize, more: &str, fewer: &str) -> Row {
    let difference =
        paired(&runs(prefix, more), &runs(prefix, fewer), |more, fewer| missed(class)(more) - missed(class)(fewer));
    let [more, fewer] = [more, fewer].map(str::to_uppercase);
    let quantity = format!("{}: misses of {more} less those of {fewer}, points", CLASSES[class]);
    Row::order(prefix, quantity, "misses fewer", difference).decimals(1)
}

/// The normal situation: DCTCP misses 5 to 8 %, D2TCP none, QTCP about none.
fn normal(prefix: &str) -> Vec<Row> {
    [
        misses(prefix, "dctcp", |name, quantity, ours| Row::range(name, quantity, (5.0, 8.0), ours)),
        misses(prefix, "d2tcp", |name, quantity, ours| Row::number(name, quantity, 0.0, Absolute(1.0), ours)),
        misses(prefix, "qtcp", |name, quantity, ours| {
            Row::number(name, quantity, 0.0, Absolute(1.0), ours).published("about 0")
        }),
        vec![fewer(prefix, HIGH, "dctcp", "d2tcp"), fewer(prefix, HIGH, "dctcp", "qtcp")],
    ]
    .concat()
}

/// The stressed situation: DCTCP misses 30 to 65 %, QTCP 15 to 18; High misses about 35 % with D2TCP.
fn stressed(prefix: &str) -> Vec<Row> {
    let d2tcp = format!("{prefix}-d2tcp");
    let high = estimate(&runs(prefix, "d2tcp"), missed(HIGH));
    [
        misses(prefix, "dctcp", |name, quantity, ours| Row::range(name, quantity, (30.0, 65.0), ours)),
        misses(prefix, "qtcp", |name, quantity, ours| Row::range(name, quantity, (15.0, 18.0), ours)),
        vec![
            Row::number(&d2tcp, "High: missed, %", 35.0, Absolute(7.0), high).decimals(1),
            fewer(prefix, HIGH, "dctcp", "d2tcp"),
            fewer(prefix, HIGH, "d2tcp", "qtcp"),
        ],
    ]
    .concat()
}

/// The text of paper 1 sums the stressed situation up: QTCP misses about 71 % fewer than DCTCP.
fn reduction(prefix: &str) -> Row {
    let all = |run: &Summary| (0..CLASSES.len()).map(|class| missed(class)(run)).sum::<f64>();
    let fewer = percent_less(&runs(prefix, "dctcp"), &runs(prefix, "qtcp"), all);
    Row::number(prefix, "three classes: QTCP misses fewer than DCTCP by, %", 71.0, Absolute(10.0), fewer)
        .published("about 71")
        .decimals(1)
}

/// Fig. 18a: QRDMA misses 43 to 80 % fewer than DCQCN, and more than QTCP in the `other` figure.
fn rdma(prefix: &str, other: &str) -> Vec<Row> {
    let (dcqcn, qrdma) = (runs(prefix, "dcqcn"), runs(prefix, "qrdma"));
    let of = |class: usize| {
        let quantity = format!("{}: QRDMA misses fewer than DCQCN by, %", CLASSES[class]);
        let fewer = percent_less(&dcqcn, &qrdma, missed(class));
        Row::range(prefix, quantity, (43.0, 80.0), fewer).decimals(1)
    };
    let more = paired(&qrdma, &runs(other, "qtcp"), |qrdma, qtcp| missed(HIGH)(qrdma) - missed(HIGH)(qtcp));
    let mut rows: Vec<Row> = (0..CLASSES.len()).map(of).collect();
    rows.push(
        Row::order(prefix, "High: misses of QRDMA less those of QTCP, points", "more than QTCP", more).decimals(1),
    );
    rows
}

/// Paper 1.
fn paper_1() -> Vec<Row> {
    let of = |arrangement: &str| {
        let prefix = |situation: &str| format!("paper1-fig15b{arrangement}-{situation}");
        [
            normal(&prefix("normal")),
            stressed(&prefix("stressed")),
            vec![reduction(&prefix("stressed"))],
            rdma(&format!("paper1-fig18a{arrangement}"), &prefix("stressed")),
        ]
        .concat()
    };
    [of(""), of("-closed")].concat()
}

/// Paper 2.
fn paper_2() -> Vec<Row> {
    let of = |arrangement: &str| {
        [normal(&format!("paper2-fig10a{arrangement}")), stressed(&format!("paper2-fig10b{arrangement}"))].concat()
    };
    [of(""), of("-closed")].concat()
}

#[test]
fn deadlines_are_missed_as_in_paper_1() {
    assert_table("paper 1: deadlines", &paper_1());
}

#[test]
fn deadlines_are_missed_as_in_paper_2() {
    assert_table("paper 2: deadlines", &paper_2());
}
