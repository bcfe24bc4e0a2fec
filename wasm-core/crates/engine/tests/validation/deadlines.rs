//! Transfers with deadlines: paper 1 figs. 15b and 18a, paper 2 fig. 10.

use qoscope_engine::simulation::Summary;

use crate::check::Band::{AtLeast, Between};
use crate::check::{Check, assert_all};
use crate::runs::{Estimate, estimate, seeds};

/// Per cent of the requests of a class that took longer than its target.
fn missed(class: usize) -> impl Fn(&Summary) -> f64 {
    move |result| {
        let fraction = result.classes[class].deadline.as_ref().and_then(|deadline| deadline.missed_fraction);
        100.0 * fraction.unwrap_or(f64::NAN)
    }
}

/// One situation under several transports: what the text says of each, as per cent missed by the least and the most.
struct Situation {
    prefix: &'static str,
    /// Transport, published words, least, most.
    published: &'static [(&'static str, &'static str, f64, f64)],
    /// The first misses less than the second for High, at least by this factor.
    orders: &'static [(&'static str, &'static str, f64, &'static str)],
}

const CLASSES: usize = 3;

fn situation(situation: &Situation) -> Vec<Check> {
    let name = |transport: &str| format!("{}-{transport}", situation.prefix);
    let high = |transport: &str| estimate(&seeds(&name(transport)), missed(0));
    let mut checks = Vec::new();
    for &(transport, words, least, most) in situation.published {
        let (name, results) = (name(transport), seeds(&name(transport)));
        checks.extend((0..CLASSES).map(|class| {
            let quantity = format!("{}: missed, %", results[0].classes[class].name);
            Check::mean(&name, quantity, 0.0, estimate(&results, missed(class)), 1, Between(least, most))
                .published(words)
        }));
    }
    checks.extend(situation.orders.iter().map(|&(fewer, more, factor, words)| {
        let quantity = format!("High: misses of {} over those of {}", more.to_uppercase(), fewer.to_uppercase());
        let (more, fewer): (Estimate, Estimate) = (high(more), high(fewer));
        Check::new(situation.prefix, quantity, factor, more.mean / fewer.mean, 2, AtLeast(factor)).trend(words)
    }));
    checks
}

const NORMAL: &[(&str, &str, f64, f64)] =
    &[("dctcp", "5 to 8", 5.0, 8.0), ("d2tcp", "0", 0.0, 1.0), ("qtcp", "about 0", 0.0, 1.0)];
const STRESSED: &[(&str, &str, f64, f64)] =
    &[("dctcp", "30 to 65", 30.0, 65.0), ("d2tcp", "35 for High", 0.0, 65.0), ("qtcp", "15 to 18", 15.0, 18.0)];
const UNDER_STRESS: &[(&str, &str, f64, &str)] =
    &[("d2tcp", "dctcp", 1.0, "D2TCP misses fewer"), ("qtcp", "d2tcp", 1.0, "QTCP misses fewer")];

/// Paper 1.
pub fn paper_1() -> Vec<Check> {
    [
        Situation { prefix: "paper1-fig15b-normal", published: NORMAL, orders: &[] },
        Situation { prefix: "paper1-fig15b-stressed", published: STRESSED, orders: UNDER_STRESS },
        Situation { prefix: "paper1-fig15b-100g-normal", published: NORMAL, orders: &[] },
        Situation { prefix: "paper1-fig15b-100g-stressed", published: STRESSED, orders: UNDER_STRESS },
        Situation {
            prefix: "paper1-fig18a",
            published: &[],
            orders: &[("qrdma", "dcqcn", 1.0, "QRDMA misses 43 to 80 % fewer")],
        },
    ]
    .iter()
    .flat_map(situation)
    .collect()
}

/// Paper 2.
pub fn paper_2() -> Vec<Check> {
    [
        Situation { prefix: "paper2-fig10a", published: NORMAL, orders: &[] },
        Situation { prefix: "paper2-fig10b", published: STRESSED, orders: UNDER_STRESS },
    ]
    .iter()
    .flat_map(situation)
    .collect()
}

#[test]
fn deadlines_are_missed_as_in_paper_1() {
    assert_all(&paper_1());
}

#[test]
fn deadlines_are_missed_as_in_paper_2() {
    assert_all(&paper_2());
}
