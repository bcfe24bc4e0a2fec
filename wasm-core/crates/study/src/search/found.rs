//! What a search came to, in sentences.

use std::collections::BTreeMap;

use serde_json::Value;

use super::{Bound, Break, FoundPlan, Quantity, Search};
use crate::document::Wanted;
use crate::plan::Place;
use crate::statistics::{mean, mean_interval};
use crate::table::{Cell, FactorView, Found, Margin, MeasureView, TargetView};

/// What factors, measures and values are called.
pub struct Names<'a> {
    /// The factors.
    pub factors: &'a [FactorView],
    /// The measures.
    pub measures: &'a [MeasureView],
    /// The value of a factor, by its place, at a place of its own.
    pub value: &'a dyn Fn(usize, u32) -> Value,
}

impl Names<'_> {
    /// The value of a factor with its unit.
    pub(crate) fn text(&self, factor: usize, at: u32) -> String {
        let view = &self.factors[factor];
        match (self.value)(factor, at) {
            Value::String(word) => view.names.get(&word).cloned().unwrap_or(word),
            Value::Number(value) => with_unit(value.as_f64().unwrap_or(0.0), view.unit.as_deref()),
            other => {
                let word = other.to_string();
                view.names.get(&word).cloned().unwrap_or(word)
            }
        }
    }

    /// What a factor is called in a sentence: by its symbol where that is one that is spoken, as K and RTT are.
    pub(crate) fn spoken(&self, factor: usize) -> &str {
        let FactorView { title, symbol, .. } = &self.factors[factor];
        let is_spoken = |symbol: &&String| symbol.chars().all(|letter| letter.is_ascii_uppercase());
        symbol.as_ref().filter(is_spoken).unwrap_or(title)
    }

    /// A point, as its factors with their values.
    pub(crate) fn point(&self, place: &[u32]) -> String {
        let factors =
            place.iter().enumerate().map(|(factor, at)| format!("{} {}", self.spoken(factor), self.text(factor, *at)));
        listed(&factors.collect::<Vec<_>>())
    }

    pub(crate) fn measured(&self, measure: usize, number: f64) -> String {
        with_unit(number, self.measures[measure].unit.as_deref())
    }

    /// What is asked of a measure: "at most 300 us".
    fn bound(&self, target: &Bound) -> String {
        let of = |word: &str, bound: Option<f64>| {
            bound.map(|bound| format!("{word} {}", self.measured(target.measure, bound)))
        };
        let bounds: Vec<String> =
            [of("at least", target.at_least), of("at most", target.at_most)].into_iter().flatten().collect();
        bounds.join(" and ")
    }

    fn title(&self, target: &Bound) -> &str {
        &self.measures[target.measure].title
    }
}

/// The answer, where the points of the table are these places.
pub fn found(plan: &FoundPlan, search: &Search, names: &Names, places: &[Place]) -> Found {
    let index: BTreeMap<&Place, usize> = places.iter().enumerate().map(|(at, place)| (place, at)).collect();
    let point = |place: &Place| index.get(place).copied();
    let target = |(fare, bound): (&super::Fare, &Bound)| TargetView {
        measure: bound.measure,
        says: format!(
            "{} {} in {} % of seeds",
            names.title(bound),
            names.bound(bound),
            number(100.0 * bound.confidence)
        ),
        cell: cell(fare.numbers.clone()),
        held: fare.held,
        margin: fare.margin,
        is_binding: fare.is_binding,
    };
    let preferred = |(numbers, aim): (&Vec<Option<f64>>, &super::Aim)| match aim.of {
        Quantity::Measure(_) => cell(numbers.clone()),
        Quantity::Factor(factor) => {
            let at = plan.place.as_ref().map_or(0, |place| place[factor]);
            Cell { mean: (names.value)(factor, at).as_f64(), ..cell(Vec::new()) }
        }
    };
    let margin = |reach: &super::Reach| {
        let value = |at: u32| (names.value)(reach.factor, at).as_f64();
        let ends = (value(reach.from), value(reach.to));
        let is_falling = matches!(ends, (Some(from), Some(to)) if from > to);
        let (from, to) = if is_falling { (ends.1, ends.0) } else { ends };
        let why = |broken: &Option<Break>| broken.as_ref().map(|broken| breaks(broken, reach.factor, search, names));
        let (below, above) = (why(&reach.below), why(&reach.above));
        let (below, above) = if is_falling { (above, below) } else { (below, above) };
        Margin { factor: reach.factor, from, to, below, above }
    };
    Found {
        is_met: plan.is_met,
        says: says(plan, search, names),
        point: plan.place.as_ref().and_then(point),
        targets: plan.fares.iter().zip(&search.targets).map(target).collect(),
        preferred: plan.preferred.iter().zip(&search.prefer).map(preferred).collect(),
        held: plan.held,
        of: plan.of,
        at_least: plan.at_least,
        margins: plan.reaches.iter().map(margin).collect(),
        trade_off: plan.trade_off.iter().filter_map(|(place, _)| point(place)).collect(),
        confirmed: plan
            .trade_off
            .iter()
            .filter(|(_, is_confirmed)| *is_confirmed)
            .filter_map(|(place, _)| point(place))
            .collect(),
        first_guess: plan.first_guess.as_ref().and_then(point),
    }
}

/// The answer in a few sentences.
fn says(plan: &FoundPlan, search: &Search, names: &Names) -> String {
    let Some(place) = &plan.place else { return "No setting was looked at: the study may make no run.".to_owned() };
    if plan.is_met {
        let mut says = format!(
            "With {} all targets hold in {} of {} unseen seeds: in at least {} % of all seeds, with 95 % confidence.",
            names.point(place),
            plan.held,
            plan.of,
            number(100.0 * plan.at_least),
        );
        let preferred = plan.preferred.iter().zip(&search.prefer).filter_map(|(numbers, aim)| {
            let what = match aim.wanted {
                Wanted::Least => "lowest",
                Wanted::Most => "highest",
            };
            match aim.of {
                Quantity::Measure(measure) => {
                    let numbers: Vec<f64> = numbers.iter().flatten().copied().collect();
                    let title = &names.measures[measure].title;
                    (!numbers.is_empty())
                        .then(|| format!("the {what} {title}: {}", names.measured(measure, mean(&numbers))))
                }
                Quantity::Factor(factor) => {
                    Some(format!("the {what} {}: {}", names.factors[factor].title, names.text(factor, place[factor])))
                }
            }
        });
        let preferred: Vec<String> = preferred.collect();
        if let [only] = preferred.as_slice() {
            says.push_str(&format!(" Of the settings found to keep them it has {only}."));
        } else if !preferred.is_empty() {
            says.push_str(&format!(
                " {} points of the trade-off are told beside it.",
                plan.trade_off.len().saturating_sub(1)
            ));
        }
        match plan.failures {
            0 => {}
            1 => says.push_str(
                " One candidate before it failed on unseen seeds of its own; the confidence allows for that.",
            ),
            many => says.push_str(&format!(
                " {many} candidates failed on unseen seeds of their own; the confidence allows for that."
            )),
        }
        return says;
    }
    let looked = if plan.places as f64 >= plan.grid {
        format!("none of all {} settings", number(plan.grid))
    } else {
        let share = (100.0 * plan.places as f64 / plan.grid).min(99.9);
        format!("none of the {} settings looked at, {} % of all,", plan.places, number(share))
    };
    let mut says = if plan.of == 0 && plan.why.is_none() && plan.is_out_of_runs {
        "The runs came to their end before an answer could be confirmed".to_owned()
    } else {
        format!("In {} runs {looked} was found to meet all targets", plan.runs)
    };
    if plan.is_out_of_runs {
        says.push_str("; more runs may find one");
    }
    says.push_str(". ");
    if let Some(why) = &plan.why {
        says.push_str(&format!("Nearest is {}, which has no result: {why}", names.point(place)));
        return says;
    }
    says.push_str(&format!("Nearest is {}", names.point(place)));
    if plan.of > 0 {
        says.push_str(&format!(", where they hold together in {} of {} unseen seeds", plan.held, plan.of));
    }
    says.push('.');
    for (fare, bound) in plan.fares.iter().zip(&search.targets).filter(|(fare, _)| fare.is_binding) {
        let numbers: Vec<f64> = fare.numbers.iter().flatten().copied().collect();
        let is = if numbers.is_empty() {
            String::new()
        } else {
            format!(" It is {} there on average.", names.measured(bound.measure, mean(&numbers)))
        };
        says.push_str(&format!(" What binds is {} {}.{is}", names.title(bound), names.bound(bound)));
    }
    for (target, place) in &plan.without {
        let title = names.title(&search.targets[*target]);
        says.push_str(&format!(" Without the target of {title} the others hold, with {}.", names.point(place)));
    }
    says
}

/// What breaks where a factor stands elsewhere.
fn breaks(broken: &Break, factor: usize, search: &Search, names: &Names) -> String {
    let at = names.text(factor, broken.at);
    match &broken.what {
        Err(why) => format!("At {at}: {why}"),
        Ok((target, average)) => {
            let bound = &search.targets[*target];
            let (title, wanted, share) = (names.title(bound), names.bound(bound), number(100.0 * bound.confidence));
            let Some(average) = average else { return format!("At {at} {title} has no value.") };
            let is = format!("At {at} {title} is {} on average", names.measured(bound.measure, *average));
            if bound.holds(*average) {
                format!("{is}, too near to be surely {wanted} in {share} % of seeds.")
            } else {
                format!("{is}, not {wanted}.")
            }
        }
    }
}

fn cell(numbers: Vec<Option<f64>>) -> Cell {
    let present: Vec<f64> = numbers.iter().flatten().copied().collect();
    let interval = mean_interval(&present);
    Cell {
        mean: (!present.is_empty()).then(|| mean(&present)),
        low: interval.map(|at| at.low),
        high: interval.map(|at| at.high),
        numbers,
        why: None,
    }
}

/// A number with its unit as the screen has it.
fn with_unit(value: f64, unit: Option<&str>) -> String {
    match unit {
        Some("us") => format!("{} µs", number(value)),
        Some(unit) => format!("{} {unit}", number(value)),
        None => number(value),
    }
}

/// A number with three digits, or all of those before the point.
pub(crate) fn number(value: f64) -> String {
    let size = value.abs();
    let decimals = [100.0, 10.0, 1.0, 0.1, 0.01].iter().position(|limit| size >= *limit).unwrap_or(5);
    let text = format!("{value:.decimals$}");
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}

/// "a", "a and b", "a, b and c".
pub(crate) fn listed(items: &[String]) -> String {
    match items {
        [] => String::new(),
        [only] => only.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}
