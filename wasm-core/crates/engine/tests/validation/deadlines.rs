//! Transfers with deadlines: paper 1 figs. 15b and 18a, paper 2 fig. 10.

use qoscope_engine::simulation::Summary;

use crate::check::Band::{AtLeast, Between, Relative};
use crate::check::{Check, assert_all};
use crate::runs::{estimate, seeds};

/// Per cent of the requests of a class that took longer than its target.
fn missed(class: usize) -> impl Fn(&Summary) -> f64 {
    move |result| {
        let fraction = result.classes[class].deadline.as_ref().and_then(|deadline| deadline.missed_fraction);
        100.0 * fraction.unwrap_or(f64::NAN)
    }
}

/// Section of the document.
const LOAD: &str = "deadlines on a busy link";

/// What the text says of a transport in a situation.
struct Published {
    transport: &'static str,
    words: &'static str,
    /// Per cent missed by each class, at least and at most.
    range: (f64, f64),
    /// By class: known distances. None: within the range.
    distances: [Option<f64>; CLASSES],
}

/// That one transport misses fewer deadlines of High than another.
struct Order {
    fewer: &'static str,
    more: &'static str,
    words: &'static str,
}

const CLASSES: usize = 3;
const HIGH: usize = 0;

/// A situation under several transports.
fn situation(prefix: &str, published: &[Published], orders: &[Order]) -> Vec<Check> {
    let name = |transport: &str| format!("{prefix}-{transport}");
    let mut checks = Vec::new();
    for published in published {
        let (name, results) = (name(published.transport), seeds(&name(published.transport)));
        let (least, most) = published.range;
        checks.extend(published.distances.iter().enumerate().map(|(class, distance)| {
            let quantity = format!("{}: missed, %", results[0].classes[class].name);
            let check = Check::mean(&name, quantity, 0.0, estimate(&results, missed(class)), 1, Between(least, most));
            let check = check.published(published.words);
            if let Some(at_most) = *distance { check.differs(at_most, LOAD) } else { check }
        }));
    }
    checks.extend(orders.iter().map(|order| {
        let high = |transport: &str| estimate(&seeds(&name(transport)), missed(HIGH)).mean;
        let [fewer, more] = [order.fewer, order.more].map(str::to_uppercase);
        let quantity = format!("High: misses of {more} over those of {fewer}");
        let ratio = high(order.more) / high(order.fewer);
        Check::new(prefix, quantity, 1.0, ratio, 2, AtLeast(1.0)).trend(order.words)
    }));
    checks
}

const NORMAL: &[Published] = &[
    Published {
        transport: "dctcp",
        words: "5 to 8",
        range: (5.0, 8.0),
        distances: [Some(45.0), Some(30.0), Some(25.0)],
    },
    Published { transport: "d2tcp", words: "0", range: (0.0, 1.0), distances: [Some(45.0), Some(35.0), Some(30.0)] },
    Published {
        transport: "qtcp",
        words: "about 0",
        range: (0.0, 1.0),
        distances: [Some(20.0), Some(18.0), Some(18.0)],
    },
];
const DCTCP_STRESSED: Published =
    Published { transport: "dctcp", words: "30 to 65", range: (30.0, 65.0), distances: [None, None, Some(15.0)] };
const QTCP_STRESSED: Published = Published {
    transport: "qtcp",
    words: "15 to 18",
    range: (15.0, 18.0),
    distances: [Some(12.0), Some(5.0), Some(5.0)],
};
const D2TCP_FEWER: Order = Order { fewer: "d2tcp", more: "dctcp", words: "D2TCP misses fewer" };
const QTCP_FEWER: Order = Order { fewer: "qtcp", more: "d2tcp", words: "QTCP misses fewer" };
const QRDMA_FEWER: Order = Order { fewer: "qrdma", more: "dcqcn", words: "QRDMA misses 43 to 80 % fewer" };

/// Misses of High by D2TCP under stress.
fn stressed_d2tcp(prefix: &str) -> Check {
    let name = format!("{prefix}-d2tcp");
    Check::mean(&name, "High: missed, %", 35.0, estimate(&seeds(&name), missed(HIGH)), 1, Relative(0.2))
}

/// Paper 1.
pub fn paper_1() -> Vec<Check> {
    const STRESS: &str = "paper1-fig15b-stressed";
    const STRESS_AT_100: &str = "paper1-fig15b-100g-stressed";
    let stressed = [DCTCP_STRESSED, QTCP_STRESSED];
    let orders = [D2TCP_FEWER, QTCP_FEWER];
    [
        situation("paper1-fig15b-normal", NORMAL, &orders),
        situation(STRESS, &stressed, &orders),
        vec![stressed_d2tcp(STRESS).differs(0.35, LOAD)],
        situation("paper1-fig15b-100g-normal", NORMAL, &orders),
        situation(STRESS_AT_100, &stressed, &orders),
        vec![stressed_d2tcp(STRESS_AT_100)],
        situation("paper1-fig18a", &[], &[QRDMA_FEWER]),
    ]
    .concat()
}

/// Paper 2.
pub fn paper_2() -> Vec<Check> {
    const STRESS: &str = "paper2-fig10b";
    let qtcp = Published { distances: [Some(10.0), None, Some(4.0)], ..QTCP_STRESSED };
    let orders = [D2TCP_FEWER, QTCP_FEWER];
    [
        situation("paper2-fig10a", NORMAL, &orders),
        situation(STRESS, &[DCTCP_STRESSED, qtcp], &orders),
        vec![stressed_d2tcp(STRESS)],
    ]
    .concat()
}

#[test]
fn deadlines_are_missed_as_in_paper_1() {
    assert_all(&paper_1());
}

#[test]
fn deadlines_are_missed_as_in_paper_2() {
    assert_all(&paper_2());
}
