//! What there is to be said of the table of a sweep.

use std::cell::RefCell;
use std::collections::BTreeMap;

use qoscope_engine::text::{grouped, three_digits};

use crate::document::Scale;
use crate::search::Names;
use crate::sweep::Asked;
use crate::table::{Cell, Table};
use qoscope_figures::statistics::{Estimate, f_quantile, mean, t_quantile, variance};

/// How sure what is said of a measure is.
const CONFIDENCE: f64 = 0.95;

/// The sentences of a sweep: of each measure where it is lowest and highest, and how the present value compares with that; what was refused, what
/// failed, and where an interval is wider than asked.
pub(crate) fn of_sweep(table: &Table, names: &Names, places: &[Vec<u32>], asked: Option<&Asked>) -> Vec<String> {
    let told = Told { table, names, places };
    let mut says: Vec<String> = (0..table.measures.len()).filter_map(|measure| told.of_measure(measure)).collect();
    if told.usable(0).iter().all(|row| table.points[*row].seeds < 2) && !table.points.is_empty() {
        says.push("One seed cannot tell an effect from chance. Use at least 3.".into());
    }
    says.extend(told.refused());
    says.extend(told.without_value());
    says.extend(asked.and_then(|asked| told.wide(asked)));
    says
}

struct Told<'a> {
    table: &'a Table,
    names: &'a Names<'a>,
    places: &'a [Vec<u32>],
}

impl Told<'_> {
    /// The rows where a measure has a value.
    fn usable(&self, measure: usize) -> Vec<usize> {
        let rows = self.table.points.iter().enumerate();
        rows.filter(|(_, point)| point.cells.get(measure).is_some_and(|cell| cell.mean.is_some()))
            .map(|(row, _)| row)
            .collect()
    }

    fn cell(&self, row: usize, measure: usize) -> &Cell {
        &self.table.points[row].cells[measure]
    }

    fn of_measure(&self, measure: usize) -> Option<String> {
        let title = &self.table.measures[measure].title;
        let rows = self.usable(measure);
        let mean_at = |row: usize| self.cell(row, measure).mean.unwrap_or_default();
        // Of equal ones the first counts, for either.
        let least = *rows.iter().min_by(|one, other| mean_at(**one).total_cmp(&mean_at(**other)))?;
        let greatest = *rows.iter().rev().max_by(|one, other| mean_at(**one).total_cmp(&mean_at(**other)))?;
        if rows.len() < 2 {
            return None;
        }
        // Each of the others could have been the extreme one.
        let differences = Differences::at((1.0 - CONFIDENCE) / (rows.len() - 1) as f64);
        let differs = |one: usize, other: usize| {
            let (one, other) = (self.cell(one, measure), self.cell(other, measure));
            are_apart(one, other) || differences.beyond_chance(one, other).is_some()
        };
        if mean_at(least) == mean_at(greatest) {
            return Some(format!("{title} is {} everywhere.", self.names.measured(measure, mean_at(least))));
        }
        if self.table.points[least].seeds < 2 {
            return Some(format!(
                "{title}: lowest {}; highest {}.",
                self.at(least, measure),
                self.at(greatest, measure)
            ));
        }
        let cells: Vec<&Cell> = rows.iter().map(|row| self.cell(*row, measure)).collect();
        if !changes(&cells, self.on_scale(&rows).as_deref()) {
            let of = match self.table.factors.as_slice() {
                [_] => format!(" with {}", self.names.spoken(0)),
                _ => String::new(),
            };
            let (low, high) = (three_digits(mean_at(least)), self.names.measured(measure, mean_at(greatest)));
            let seeds = self.table.points[least].seeds;
            return Some(format!("{title}: no change{of} beyond chance in {seeds} seeds ({low} to {high})."));
        }
        let alike =
            |extreme: usize| match rows.iter().filter(|row| **row != extreme && !differs(**row, extreme)).count() {
                0 => String::new(),
                1 => " (1 other point does not differ for certain)".into(),
                count => format!(" ({count} other points do not differ for certain)"),
            };
        let mut says = format!(
            "{title}: lowest {}{}; highest {}{}.",
            self.at(least, measure),
            alike(least),
            self.at(greatest, measure),
            alike(greatest)
        );
        if let Some(present) = self.present().filter(|row| rows.contains(row)) {
            says.push_str(&self.against_present(measure, present, least, greatest));
        }
        Some(says)
    }

    /// Where points lie on the axis of a single factor with numbers.
    fn on_scale(&self, rows: &[usize]) -> Option<Vec<f64>> {
        let [factor] = self.table.factors.as_slice() else { return None };
        let at = |row: &usize| {
            let value = self.table.points[*row].values[0].as_f64()?;
            Some(if factor.scale == Scale::Log { libm::log(value) } else { value })
        };
        rows.iter().map(at).collect()
    }

    /// How the scenario as it is compares with the extremes, seed by seed.
    fn against_present(&self, measure: usize, present: usize, least: usize, greatest: usize) -> String {
        let differences = Differences::at(1.0 - CONFIDENCE);
        let from = |other: usize, word: &str, extreme: &str| {
            if other == present {
                return format!("is the {extreme}");
            }
            match differences.beyond_chance(self.cell(present, measure), self.cell(other, measure)) {
                Some(Estimate { value, low, high }) => {
                    let value = self.names.measured(measure, value.abs());
                    let (near, far) =
                        (three_digits(low.abs().min(high.abs())), three_digits(low.abs().max(high.abs())));
                    let over =
                        if near == far { "under every seed".into() } else { format!("{near} to {far}, seed by seed") };
                    format!("lies {value} ({over}) {word} the {extreme}")
                }
                None if are_apart(self.cell(present, measure), self.cell(other, measure)) => {
                    format!("lies {word} the {extreme}")
                }
                None => format!("does not differ for certain from the {extreme}"),
            }
        };
        format!(" The scenario as it is {} and {}.", from(least, "above", "lowest"), from(greatest, "below", "highest"))
    }

    /// The row of the scenario as it is.
    fn present(&self) -> Option<usize> {
        self.table.points.iter().position(|point| point.set.is_empty() && point.refused.is_none())
    }

    /// A point with the mean there and its interval: "334 µs (326 to 342) at K = 28 packets".
    fn at(&self, row: usize, measure: usize) -> String {
        let cell = self.cell(row, measure);
        let interval = match (cell.low, cell.high) {
            (Some(low), Some(high)) if low < high => format!(" ({} to {})", three_digits(low), three_digits(high)),
            _ => String::new(),
        };
        let mean = self.names.measured(measure, cell.mean.unwrap_or_default());
        format!("{mean}{interval} at {}", self.names.point(&self.places[row]))
    }

    /// The points that the engine refuses, those of one reason together.
    fn refused(&self) -> Vec<String> {
        let rows = self.table.points.iter().enumerate();
        let refused = rows.filter_map(|(row, point)| Some((row, point.refused.clone()?))).collect();
        let count = self.table.points.len();
        let says = |(rows, reason): (Vec<usize>, String)| match rows.as_slice() {
            [only] => format!("{} is refused: {reason}", self.names.point(&self.places[*only])),
            [first, ..] => {
                let number = grouped(rows.len() as u64);
                format!(
                    "{number} of {count} points are refused, the first of them {}: {reason}",
                    self.names.point(&self.places[*first])
                )
            }
            [] => String::new(),
        };
        together(refused).into_iter().map(says).collect()
    }

    /// The runs that gave no value of a measure.
    fn without_value(&self) -> Vec<String> {
        let mut without = Vec::new();
        for (row, point) in self.table.points.iter().enumerate() {
            let cells = point.cells.iter().zip(&self.table.measures);
            without.extend(cells.filter_map(|(cell, measure)| {
                let reason = cell.why.as_ref()?;
                let missing = cell.numbers.iter().filter(|number| number.is_none()).count();
                Some((row, format!("{missing} of {} runs gave no {}: {reason}.", cell.numbers.len(), measure.title)))
            }));
        }
        let says = |(rows, reason): (Vec<usize>, String)| {
            let further =
                if rows.len() > 1 { format!(" and at {} other points", rows.len() - 1) } else { String::new() };
            format!("At {}{further} {reason}", self.names.point(&self.places[rows[0]]))
        };
        together(without).into_iter().map(says).collect()
    }

    /// The points whose intervals are wider than asked with the most seeds that they may have.
    fn wide(&self, asked: &Asked) -> Option<String> {
        let is_wide = |cell: &Cell| {
            let (Some(mean), Some(high)) = (cell.mean, cell.high) else { return false };
            // The last bit is that of the subtraction.
            high - mean > asked.width.about(mean) * (1.0 + 1e-9)
        };
        let mut wide = Vec::new();
        for (row, point) in self.table.points.iter().enumerate() {
            wide.extend(
                asked.measures.iter().filter(|measure| is_wide(&point.cells[**measure])).map(|measure| (row, *measure)),
            );
        }
        let (row, measure) = *wide.first()?;
        let of = format!("that of {} at {}", self.table.measures[measure].title, self.names.point(&self.places[row]));
        Some(match wide.len() {
            1 => format!("One interval is wider than asked with {} seeds: {of}.", asked.most),
            count => format!(
                "{} intervals are wider than asked with {} seeds, the first of them {of}.",
                grouped(count as u64),
                asked.most
            ),
        })
    }
}

/// Rows of the same reason together, in the order of the first of each.
fn together(rows: Vec<(usize, String)>) -> Vec<(Vec<usize>, String)> {
    let mut found: Vec<(Vec<usize>, String)> = Vec::new();
    for (row, reason) in rows {
        match found.iter_mut().find(|(_, known)| *known == reason) {
            Some((rows, _)) => rows.push(row),
            None => found.push((vec![row], reason)),
        }
    }
    found
}

/// Whether a measure changes from point to point beyond chance: by an analysis of variance over points with seeds as blocks, or by the trend of each
/// seed along the axis, each wrong with half of the risk.
fn changes(cells: &[&Cell], axis: Option<&[f64]>) -> bool {
    let seeds = cells.iter().map(|cell| cell.numbers.len()).min().unwrap_or(0);
    let of_seed = |seed: usize| cells.iter().map(|cell| cell.numbers[seed]).collect::<Option<Vec<f64>>>();
    let blocks: Vec<Vec<f64>> = (0..seeds).filter_map(of_seed).collect();
    if blocks.len() < 2 || cells.len() < 2 {
        return false;
    }
    let (points, seeds) = (cells.len() as f64, blocks.len() as f64);
    let risk = (1.0 - CONFIDENCE) / 2.0;
    let of_blocks: Vec<f64> = blocks.iter().map(|block| mean(block)).collect();
    let of_points: Vec<f64> =
        (0..cells.len()).map(|point| mean(&blocks.iter().map(|block| block[point]).collect::<Vec<_>>())).collect();
    let all = mean(&of_blocks);
    let square = |number: f64| number * number;
    let between = of_points.iter().map(|point| square(point - all)).sum::<f64>() * seeds / (points - 1.0);
    let rests = blocks.iter().zip(&of_blocks).flat_map(|(block, of_block)| {
        block.iter().zip(&of_points).map(move |(number, of_point)| square(number - of_block - of_point + all))
    });
    let freedom = (points - 1.0) * (seeds - 1.0);
    let within = rests.sum::<f64>() / freedom;
    if between > within * f_quantile(1.0 - risk, points - 1.0, freedom) {
        return true;
    }
    let Some(axis) = axis else { return false };
    let middle = mean(axis);
    let slope = |block: &Vec<f64>| axis.iter().zip(block).map(|(at, number)| (at - middle) * number).sum::<f64>();
    let slopes: Vec<f64> = blocks.iter().map(slope).collect();
    let half = t_quantile(1.0 - risk / 2.0, seeds - 1.0) * (variance(&slopes) / seeds).sqrt();
    mean(&slopes).abs() > half
}

/// Whether the intervals of two points do not overlap, as a reader of the chart sees it.
fn are_apart(one: &Cell, other: &Cell) -> bool {
    let is_below = |one: &Cell, other: &Cell| one.high.zip(other.low).is_some_and(|(high, low)| high < low);
    is_below(one, other) || is_below(other, one)
}

/// Intervals of differences that are wrong with a probability.
struct Differences {
    risk: f64,
    /// By degrees of freedom: most points have as many seeds.
    quantiles: RefCell<BTreeMap<usize, f64>>,
}

impl Differences {
    const fn at(risk: f64) -> Self {
        Self { risk, quantiles: RefCell::new(BTreeMap::new()) }
    }

    /// The mean difference of two points over the seeds that both have; none of fewer than two.
    fn between(&self, one: &Cell, other: &Cell) -> Option<Estimate> {
        let pairs = one.numbers.iter().zip(&other.numbers);
        let differences: Vec<f64> = pairs.filter_map(|(one, other)| Some((*one)? - (*other)?)).collect();
        let freedom = differences.len().checked_sub(1).filter(|freedom| *freedom > 0)?;
        let quantile = || t_quantile(1.0 - self.risk / 2.0, freedom as f64);
        let quantile = *self.quantiles.borrow_mut().entry(freedom).or_insert_with(quantile);
        let value = mean(&differences);
        let half = quantile * (variance(&differences) / differences.len() as f64).sqrt();
        Some(Estimate { value, low: value - half, high: value + half })
    }

    /// As [`Self::between`], where the two are told apart.
    fn beyond_chance(&self, one: &Cell, other: &Cell) -> Option<Estimate> {
        self.between(one, other).filter(|between| between.low > 0.0 || between.high < 0.0)
    }
}

#[cfg(test)]
mod tests {
    use qoscope_engine::kernel::random::Stream;

    use super::*;
    use qoscope_figures::statistics::normal_quantile;

    /// How often a change is told, in percent, of ten points under some seeds, with `slope` from one to the next in units of the chance of a run.
    fn told(seeds: usize, slope: f64, skew: bool) -> f64 {
        const TRIALS: usize = 400;
        let axis: Vec<f64> = (0..10_u32).map(f64::from).collect();
        let mut stream = Stream::new(3, "changes", seeds as u64);
        let mut is_told = || {
            let shared: Vec<f64> = (0..seeds).map(|_| 3.0 * stream.uniform()).collect();
            let mut draw = || normal_quantile(stream.uniform().clamp(1e-12, 1.0 - 1e-12));
            let mut number = |at: f64, seed: usize| {
                let chance = draw();
                Some(slope * at + shared[seed] + if skew { libm::exp(chance / 2.0) } else { chance })
            };
            let cells: Vec<Cell> = axis
                .iter()
                .map(|at| Cell::of((0..seeds).map(|seed| number(*at, seed)).collect(), None, None))
                .collect();
            changes(&cells.iter().collect::<Vec<_>>(), Some(&axis))
        };
        let count = (0..TRIALS).filter(|_| is_told()).count();
        100.0 * count as f64 / TRIALS as f64
    }

    #[test]
    fn points_whose_intervals_do_not_overlap_differ() {
        let cell = |numbers: &[f64]| Cell::of(numbers.iter().copied().map(Some).collect(), None, None);
        let (low, high) = (cell(&[90.5, 91.1, 91.8]), cell(&[96.4, 96.4, 96.4]));
        assert!(are_apart(&low, &high) && are_apart(&high, &low));
        assert!(!are_apart(&low, &cell(&[91.0, 91.9, 92.8])));
        assert!(!are_apart(&cell(&[1.0]), &cell(&[2.0])), "one seed has no interval");
    }

    #[test]
    fn chance_is_seldom_told_as_a_change_and_a_slope_is_seen_under_few_seeds() {
        for (seeds, skew) in [(2, false), (4, false), (8, false), (4, true), (8, true)] {
            let share = told(seeds, 0.0, skew);
            assert!(share <= 8.0, "{share} % under {seeds} seeds");
        }
        assert!(told(4, 0.4, false) > 95.0 && told(2, 0.8, false) > 95.0);
    }
}
