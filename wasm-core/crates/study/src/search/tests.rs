//! The search on made-up measures: what it finds, how sure that is, and what it costs.

use std::cell::RefCell;
use std::collections::BTreeMap;

use qoscope_engine::kernel::random::Stream;

use super::*;
use crate::document::Scale;
use crate::plan::Outcome;
use crate::statistics::{normal, normal_quantile};

/// A function of where the factors stand.
type Function<A = f64> = Box<dyn Fn(&[f64]) -> A>;

/// What runs gave.
type Ran = BTreeMap<(Place, u32), Vec<Option<f64>>>;

/// A made-up study: the logarithm of each measure is a function of where the factors stand in their ranges, and scatters from seed to seed,
/// partly alike at all points.
struct World {
    search: Search,
    functions: Vec<Function>,
    /// Standard deviation of the logarithm from seed to seed, of each measure.
    scatter: Vec<f64>,
    /// The part of the variance that all points share under a seed.
    shared: f64,
    refuses: Function<bool>,
    number: u64,
    results: RefCell<Ran>,
}

impl World {
    fn at(&self, place: &[u32]) -> Vec<f64> {
        let words = |factor: usize| self.search.axes[factor].is_words;
        let at = |(factor, place): (usize, &u32)| {
            if words(factor) { f64::from(*place) } else { self.search.unit(factor, *place) }
        };
        place.iter().enumerate().map(at).collect()
    }

    fn run(&self, place: &[u32], seed: u32) -> Vec<Option<f64>> {
        let at = self.at(place);
        let own =
            place.iter().fold(self.number, |hash, place| hash.wrapping_mul(1_000_003).wrapping_add(u64::from(*place)));
        let draw = |purpose: &str, index: u64| {
            normal_quantile(Stream::new(index, purpose, u64::from(seed)).uniform().clamp(1e-9, 1.0 - 1e-9))
        };
        let number = |(measure, function): (usize, &Function)| {
            let (common, alone) =
                (draw("common", self.number * 8 + measure as u64), draw("alone", own.wrapping_mul(8) + measure as u64));
            let noise = self.shared.sqrt() * common + (1.0 - self.shared).sqrt() * alone;
            Some(libm::exp(function(&at) + self.scatter[measure] * noise))
        };
        self.functions.iter().enumerate().map(number).collect()
    }

    /// The share of seeds in which each target truly holds.
    fn share(&self, place: &[u32]) -> f64 {
        if (self.refuses)(&self.at(place)) {
            return 0.0;
        }
        let share = |target: &Bound| {
            let below = |bound: f64| {
                normal(
                    (libm::log(bound) - self.functions[target.measure](&self.at(place))) / self.scatter[target.measure],
                )
            };
            target.at_most.map_or(1.0, below) - target.at_least.map_or(0.0, below)
        };
        let excess = |target: &Bound| share(target) - target.confidence;
        self.search.targets.iter().map(excess).fold(f64::INFINITY, f64::min)
    }

    /// What a place truly costs: the mean of a measure, or the value of the factor.
    fn cost(&self, place: &[u32]) -> f64 {
        let aim = &self.search.prefer[0];
        let value = match aim.of {
            Quantity::Measure(measure) => libm::exp(self.functions[measure](&self.at(place))),
            Quantity::Factor(factor) => self.search.axes[factor].values[place[factor] as usize],
        };
        if aim.wanted == Wanted::Least { value } else { 1.0 / value }
    }

    fn places(&self) -> Vec<Place> {
        let longer = |places: Vec<Place>, axis: &Axis| {
            let count = saturated_u32(axis.values.len());
            places.into_iter().flat_map(|place| (0..count).map(move |at| [place.as_slice(), &[at]].concat())).collect()
        };
        self.search.axes.iter().fold(vec![Place::new()], longer)
    }

    /// The best place that truly keeps all targets.
    fn best(&self) -> Option<Place> {
        let places = self.places().into_iter().filter(|place| self.share(place) >= 0.0);
        places.min_by(|left, right| self.cost(left).total_cmp(&self.cost(right)))
    }

    /// Runs what the search asks for until it answers.
    fn answer(&self) -> FoundPlan {
        let mut searcher = Searcher::new(self.search.clone());
        for _ in 0..10_000 {
            let said = searcher.next(&Results(self));
            if let Some(answer) = said.answer {
                assert!(said.wishes.is_empty());
                return answer;
            }
            assert!(!said.wishes.is_empty(), "neither wishes nor an answer");
            for wish in said.wishes {
                let numbers = self.run(&wish.place, wish.seed);
                let before = self.results.borrow_mut().insert((wish.place, wish.seed), numbers);
                assert!(before.is_none(), "a run is wished for twice");
            }
        }
        panic!("the search does not end");
    }
}

/// What is known of a world. Results are leaked: tests are short.
struct Results<'a>(&'a World);

impl Known for Results<'_> {
    fn outcome(&self, place: &[u32], seed: u32) -> Option<Outcome<'_>> {
        let results = self.0.results.borrow();
        let numbers = results.get(&(place.to_vec(), seed))?.clone();
        Some(Ok(Box::leak(numbers.into_boxed_slice())))
    }

    fn refused(&self, place: &[u32]) -> Option<&str> {
        (self.0.refuses)(&self.0.at(place)).then_some("the engine refuses it")
    }
}

fn axis(count: usize, scale: Scale, range: (f64, f64)) -> Axis {
    let at = |place: usize| {
        let part = place as f64 / (count - 1) as f64;
        match scale {
            Scale::Even => range.0 + part * (range.1 - range.0),
            Scale::Log => range.0 * libm::pow(range.1 / range.0, part),
        }
    };
    Axis {
        values: (0..count).map(at).collect(),
        scale,
        is_words: false,
        present: Some(saturated_u32(count / 2)),
        recommended: None,
    }
}

fn words(count: usize) -> Axis {
    let values = (0..count).map(|place| place as f64).collect();
    Axis { values, scale: Scale::Even, is_words: true, present: Some(0), recommended: None }
}

/// A random question: one to four factors, sometimes words; measures that rise, fall, bend, have a knee or a plateau; two or three targets
/// around what holds at some place; a factor or a measure preferred.
fn random(number: u64) -> World {
    let mut stream = Stream::new(number, "questions", 0);
    let mut uniform = |low: f64, high: f64| low + (high - low) * stream.uniform();
    let kinds = 1 + whole_index(uniform(0.0, 4.0));
    let counts = [(30.0, 200.0), (12.0, 30.0), (8.0, 16.0), (6.0, 10.0)][kinds - 1];
    let mut axes: Vec<Axis> = (0..kinds)
        .map(|_| {
            let count = whole_index(uniform(counts.0, counts.1));
            if uniform(0.0, 1.0) < 0.5 {
                axis(count, Scale::Log, (5.0, 5.0 * 40.0))
            } else {
                axis(count, Scale::Even, (10.0, 100.0))
            }
        })
        .collect();
    if uniform(0.0, 1.0) < 0.3 {
        axes.push(words(3));
    }
    let measures = 3;
    let mut functions: Vec<Function> = Vec::new();
    for _ in 0..measures {
        let slopes: Vec<f64> = (0..kinds).map(|_| uniform(-2.0, 2.0)).collect();
        let bends: Vec<f64> =
            (0..kinds).map(|_| if uniform(0.0, 1.0) < 0.5 { uniform(-1.5, 1.5) } else { 0.0 }).collect();
        let knee = (uniform(0.2, 0.8), uniform(0.0, 1.0) < 0.3);
        let cross = if kinds > 1 { uniform(-1.0, 1.0) } else { 0.0 };
        let steps: Vec<f64> = (0..3).map(|_| uniform(-0.5, 0.5)).collect();
        functions.push(Box::new(move |at: &[f64]| {
            let mut sum = 4.0;
            for factor in 0..slopes.len() {
                let x = at[factor];
                // Behind the knee nothing changes any more.
                let x = if knee.1 && factor == 0 { x.min(knee.0) } else { x };
                sum += slopes[factor] * x + bends[factor] * x * x;
            }
            if slopes.len() > 1 {
                sum += cross * at[0] * at[1];
            }
            sum + at.get(slopes.len()).map_or(0.0, |word| steps[whole_index(*word)])
        }));
    }
    let scatter: Vec<f64> = (0..measures).map(|_| uniform(0.01, 0.1)).collect();
    let preferred = match uniform(0.0, 1.0) < 0.5 {
        true => Quantity::Factor(0),
        false => Quantity::Measure(2),
    };
    let confidence = 0.95;
    let wanted = if uniform(0.0, 1.0) < 0.5 { Wanted::Least } else { Wanted::Most };
    let search = Search {
        axes,
        measures,
        targets: Vec::new(),
        prefer: vec![Aim { of: preferred, wanted }],
        seeds: 8,
        confirm: 40,
        most_runs: 4000,
    };
    let mut world = World {
        search,
        functions,
        scatter,
        shared: uniform(0.0, 0.8),
        refuses: Box::new(|_| false),
        number,
        results: RefCell::default(),
    };
    let somewhere: Place = world
        .search
        .axes
        .iter()
        .map(|axis| saturated_u32(whole_index(uniform(0.0, axis.values.len() as f64))))
        .collect();
    for measure in 0..2 {
        let (value, scatter) = (world.functions[measure](&world.at(&somewhere)), world.scatter[measure]);
        let room = uniform(1.7, 4.0) * scatter;
        let is_most = uniform(0.0, 1.0) < 0.5;
        let bound = libm::exp(if is_most { value + room } else { value - room });
        world.search.targets.push(Bound {
            measure,
            at_most: is_most.then_some(bound),
            at_least: (!is_most).then_some(bound),
            confidence,
        });
    }
    world
}

/// What came of many questions.
#[derive(Debug, Default)]
struct Tally {
    asked: usize,
    met: usize,
    /// Truly in the share of seeds asked for, and within 0.02 of it.
    holds: usize,
    nearly: usize,
    /// Of those that hold nearly: at the optimum within 5 %, or by a step.
    within: usize,
    excess: Vec<f64>,
    runs: Vec<f64>,
    /// Runs as a part of the grid's under the seeds of a confirmation, and under those of a comparison.
    parts: Vec<f64>,
    failures: u32,
}

impl Tally {
    fn of(worlds: impl Iterator<Item = World>) -> Self {
        let mut tally = Self::default();
        for world in worlds {
            let answer = world.answer();
            let best = world.best().expect("there is a place that holds");
            tally.asked += 1;
            tally.runs.push(f64::from(answer.runs));
            tally.parts.push(f64::from(answer.runs) / (world.search.grid() * 8.0));
            tally.failures += answer.failures;
            let Some(place) = answer.place.filter(|_| answer.is_met) else {
                if std::env::var("SHOW").is_ok() {
                    println!(
                        "{}: not met; best {best:?} share {} runs {} of {}",
                        world.number,
                        world.share(&best),
                        answer.runs,
                        world.search.grid()
                    );
                }
                continue;
            };
            tally.met += 1;
            let share = world.share(&place);
            tally.holds += usize::from(share >= 0.0);
            tally.nearly += usize::from(share >= -0.02);
            let excess = world.cost(&place) / world.cost(&best) - 1.0;
            let is_step = match world.search.prefer[0].of {
                Quantity::Factor(factor) => place[factor].abs_diff(best[factor]) <= 1,
                Quantity::Measure(_) => false,
            };
            if std::env::var("SHOW").is_ok() && (excess > 0.05 && !is_step || share < -0.02) {
                println!(
                    "{}: {place:?} best {best:?} excess {excess:.3} share {share:.3} runs {} of {} prefer {:?} scatter {:?}",
                    world.number,
                    answer.runs,
                    world.search.grid(),
                    world.search.prefer,
                    world.scatter
                );
            }
            tally.within += usize::from(excess <= 0.05 || is_step);
            tally.excess.push(excess);
        }
        for numbers in [&mut tally.excess, &mut tally.runs, &mut tally.parts] {
            numbers.sort_unstable_by(f64::total_cmp);
        }
        tally
    }

    fn show(&self) -> String {
        let at = |numbers: &[f64], part: f64| {
            numbers.get(whole_index(part * numbers.len() as f64)).copied().unwrap_or(f64::NAN)
        };
        format!(
            "asked {} met {} holds {} within 0.02 {} optimum {} | excess median {:.3} p90 {:.3} max {:.3} | runs median {} p90 {} max {} | of the grid x 8: median {:.3} p90 {:.3} | failures {}",
            self.asked,
            self.met,
            self.holds,
            self.nearly,
            self.within,
            at(&self.excess, 0.5),
            at(&self.excess, 0.9),
            at(&self.excess, 0.999),
            at(&self.runs, 0.5),
            at(&self.runs, 0.9),
            at(&self.runs, 0.999),
            at(&self.parts, 0.5),
            at(&self.parts, 0.9),
            self.failures
        )
    }
}

#[test]
fn random_questions() {
    let count = std::env::var("COUNT").ok().and_then(|count| count.parse().ok()).unwrap_or(40);
    let from = std::env::var("FROM").ok().and_then(|count| count.parse().ok()).unwrap_or(0);
    println!("{}", Tally::of((from..from + count).map(random)).show());
}
