//! What a search came to, in sentences.

use std::collections::BTreeMap;

use qoscope_engine::text::{THIN, counted, exact, fixed, grouped, listed, three_digits, trimmed, with_unit};
use serde_json::Value;

use super::{Bound, Break, FoundPlan, Quantity, Search};
use crate::document::Wanted;
use crate::plan::Place;
use crate::table::{Cell, FactorView, Found, Margin, MeasureView, TargetView};
use qoscope_figures::statistics::{mean, mean_interval};

/// Decimals of a number at most.
const MAX_DECIMALS: usize = 12;

/// Settings that were not looked at and are named in a sentence.
const MAX_NAMED: usize = 3;

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
    /// The unit of a measure; empty if it has none.
    fn unit(&self, measure: usize) -> &str {
        self.measures[measure].unit.as_deref().unwrap_or_default()
    }

    /// The value of a factor with its unit.
    pub(crate) fn text(&self, factor: usize, at: u32) -> String {
        let view = &self.factors[factor];
        match (self.value)(factor, at) {
            Value::String(word) => view.names.get(&word).cloned().unwrap_or(word),
            Value::Number(value) => {
                with_unit(&three_digits(value.as_f64().unwrap_or(0.0)), view.unit.as_deref().unwrap_or_default())
            }
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

    /// A factor with its value: "K = 10 packets".
    fn setting(&self, factor: usize, at: u32) -> String {
        format!("{} = {}", self.spoken(factor), self.text(factor, at))
    }

    /// A point, as its factors with their values.
    pub(crate) fn point(&self, place: &[u32]) -> String {
        let settings = place.iter().enumerate().map(|(factor, at)| self.setting(factor, *at));
        listed(&settings.collect::<Vec<_>>())
    }

    pub(crate) fn measured(&self, measure: usize, value: f64) -> String {
        with_unit(&three_digits(value), self.unit(measure))
    }

    /// The mean of a target's measure, next to the bounds of the target.
    fn mean_of(&self, target: &Bound, value: f64) -> String {
        let text = trimmed(value, decimals_beside(value, decimals(value), target));
        format!("mean of {} is {}", self.title(target), with_unit(&text, self.unit(target.measure)))
    }

    /// The mean of a target's measure with its interval, each with the digits that tell it from the bounds of the target.
    fn estimate(&self, target: &Bound, cell: &Cell) -> Option<String> {
        let mean = cell.mean?;
        let unit = self.unit(target.measure);
        let Some((low, high)) = cell.low.zip(cell.high).filter(|(low, high)| low < high) else {
            return Some(with_unit(&trimmed(mean, decimals_beside(mean, decimals(mean), target)), unit));
        };
        // As finely as the interval is wide to either side.
        let mut half = (high - low) / 2.0;
        let mut own = 0;
        while half < 1.0 && own < MAX_DECIMALS {
            half *= 10.0;
            own += 1;
        }
        let decimals = [mean, low, high].map(|value| decimals_beside(value, own, target)).into_iter().max()?;
        Some(format!(
            "{} ({} to {})",
            with_unit(&fixed(mean, decimals), unit),
            fixed(low, decimals),
            fixed(high, decimals)
        ))
    }

    /// What is asked of a measure: "at most 300 us".
    fn bound(&self, target: &Bound) -> String {
        let of = |word: &str, bound: Option<f64>| {
            let unit = self.unit(target.measure);
            bound.map(|bound| format!("{word} {}", with_unit(&exact(bound), unit)))
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
            "{} {} in {}{THIN}% of seeds",
            names.title(bound),
            names.bound(bound),
            three_digits(100.0 * bound.confidence)
        ),
        measured: names.estimate(bound, &cell(fare.numbers.clone())),
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
        let why = |broken: &Option<Break>, last: u32, end: u32| match broken {
            Some(broken) => Some(breaks(broken, reach.factor, search, names)),
            None => (last == end).then(|| {
                format!("The range of {} ends at {}.", names.spoken(reach.factor), names.text(reach.factor, end))
            }),
        };
        let below = why(&reach.below, reach.from, 0);
        let above = why(&reach.above, reach.to, search.at(reach.factor, 1.0));
        let (below, above) = if is_falling { (above, below) } else { (below, above) };
        Margin { factor: reach.factor, from, to, below, above }
    };
    Found {
        is_met: plan.is_met,
        is_stopped: plan.is_stopped(),
        headline: headline(plan, search),
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
        settings: plan.grid,
        looked_at: plan.places as u64,
        not_looked_at: plan
            .unseen
            .iter()
            .map(|place| place.iter().enumerate().map(|(factor, at)| (names.value)(factor, *at)).collect())
            .collect(),
    }
}

/// The answer in a few words.
fn headline(plan: &FoundPlan, search: &Search) -> String {
    let targets = if search.targets.len() == 1 { "target" } else { "targets" };
    if plan.is_met {
        let verb = if search.targets.len() == 1 { "is" } else { "are" };
        return format!("The {targets} {verb} met in {} of {} unseen seeds", plan.held, plan.of);
    }
    if plan.is_stopped() {
        return format!(
            "Not found: stopped after {} of {}",
            grouped(u64::from(plan.runs)),
            counted(u64::from(search.max_runs), "run")
        );
    }
    format!("No setting meets the {targets}")
}

/// What was not looked at.
fn unseen(plan: &FoundPlan, names: &Names) -> String {
    let left = plan.grid - plan.places as f64;
    if left < 1.0 {
        return "before a setting could be confirmed".to_owned();
    }
    let (left, all) = (grouped(left as u64), grouped(plan.grid as u64));
    let verb = if left == "1" { "was" } else { "were" };
    let examples: Vec<String> = plan.unseen.iter().take(MAX_NAMED).map(|place| names.point(place)).collect();
    let among = if examples.is_empty() { String::new() } else { format!(", among them {}", examples.join("; ")) };
    format!("{left} of {all} settings {verb} never looked at{among}")
}

/// The factors that have the first or the last value of their range.
fn range_ends(place: &[u32], search: &Search, names: &Names) -> Option<String> {
    let ends = place.iter().enumerate().filter_map(|(factor, at)| {
        let axis = &search.axes[factor];
        let is_end = *at == 0 || *at == search.at(factor, 1.0);
        if axis.is_words || axis.values.len() < 3 || !is_end {
            return None;
        }
        let middle = axis.values[axis.values.len() / 2];
        let end = if axis.values[*at as usize] < middle { "lowest" } else { "highest" };
        Some(format!("{}, the {end} value of its range", names.setting(factor, *at)))
    });
    let ends: Vec<String> = ends.collect();
    (!ends.is_empty()).then(|| format!(" Values beyond the range were not looked at: {}.", ends.join("; ")))
}

/// The answer in a few sentences.
fn says(plan: &FoundPlan, search: &Search, names: &Names) -> String {
    let Some(place) = &plan.place else { return "No setting was looked at: the study may make no run.".to_owned() };
    let hold = if search.targets.len() == 1 { "the target holds" } else { "all targets hold" };
    if plan.is_met {
        let mut says = format!(
            "With {}, {hold} in {} of {} unseen seeds: in at least {}{THIN}% of all seeds, with 95{THIN}% confidence.",
            names.point(place),
            plan.held,
            plan.of,
            three_digits(100.0 * plan.at_least),
        );
        let preferred = plan.preferred.iter().zip(&search.prefer).filter_map(|(numbers, aim)| {
            let what = match aim.wanted {
                Wanted::Min => "lowest",
                Wanted::Max => "highest",
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
            says.push_str(&match plan.trade_off.len().saturating_sub(1) {
                0 => " No other point of the trade-off was found.".to_owned(),
                1 => " The trade-off has 1 other point.".to_owned(),
                others => format!(" The trade-off has {others} other points."),
            });
        }
        says.extend(range_ends(place, search, names));
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
    let runs = counted(u64::from(plan.runs), "run");
    let meet = if search.targets.len() == 1 { "meet the target" } else { "meet all targets" };
    let mut says = if plan.is_stopped() {
        let most = grouped(u64::from(search.max_runs));
        format!("Stopped after {} of {most} runs: {}.", grouped(u64::from(plan.runs)), unseen(plan, names))
    } else {
        format!("In {runs}, none of all {} settings was found to {meet}.", grouped(plan.grid as u64))
    };
    if plan.is_stopped() {
        says.push_str(&format!(" None of those looked at was found to {meet}; more runs may find one."));
    }
    if let Some(why) = &plan.why {
        says.push_str(&format!(" Nearest is {}, which has no result: {why}", names.point(place)));
        return says;
    }
    says.push_str(&format!(" Nearest is {}", names.point(place)));
    if plan.of > 0 {
        says.push_str(&format!(", where {hold} in {} of {} unseen seeds", plan.held, plan.of));
    }
    says.push('.');
    for (fare, bound) in plan.fares.iter().zip(&search.targets).filter(|(fare, _)| fare.is_binding) {
        let numbers: Vec<f64> = fare.numbers.iter().flatten().copied().collect();
        let is = if numbers.is_empty() {
            String::new()
        } else {
            format!(" The {} there.", names.mean_of(bound, mean(&numbers)))
        };
        says.push_str(&format!(" The target that fails: {} {}.{is}", names.title(bound), names.bound(bound)));
    }
    says.extend(range_ends(place, search, names));
    for (target, place) in &plan.without {
        let title = names.title(&search.targets[*target]);
        says.push_str(&format!(" Without the target of {title}, the others hold with {}.", names.point(place)));
    }
    says
}

/// What breaks where a factor has another value.
fn breaks(broken: &Break, factor: usize, search: &Search, names: &Names) -> String {
    let at = names.setting(factor, broken.at);
    match &broken.what {
        Err(why) => format!("At {at}: {why}"),
        Ok((target, average)) => {
            let bound = &search.targets[*target];
            let (title, wanted, share) =
                (names.title(bound), names.bound(bound), three_digits(100.0 * bound.confidence));
            let Some(average) = average else { return format!("At {at}, {title} has no value.") };
            let is = format!("At {at}, the {}", names.mean_of(bound, *average));
            if bound.holds(*average) {
                format!("{is}, too near to be surely {wanted} in {share}{THIN}% of seeds.")
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

/// The decimals with which a number has three digits.
fn decimals(value: f64) -> usize {
    let size = value.abs();
    [100.0, 10.0, 1.0, 0.1, 0.01].iter().position(|limit| size >= *limit).unwrap_or(5)
}

/// As many decimals, or more, with which a number is on the same side of each bound as its text.
fn decimals_beside(value: f64, least: usize, target: &Bound) -> usize {
    let is_told = |decimals: &usize| {
        let shown: f64 = format!("{value:.0$}", *decimals).parse().unwrap_or(value);
        let mut bounds = [target.at_least, target.at_most].into_iter().flatten();
        bounds.all(|bound| shown.partial_cmp(&bound) == value.partial_cmp(&bound))
    };
    (least..MAX_DECIMALS).find(is_told).unwrap_or(MAX_DECIMALS)
}
