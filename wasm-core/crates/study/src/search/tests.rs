//! The search on made-up measures: what it finds, how sure that is, and what it costs.

use std::cell::RefCell;
use std::collections::BTreeMap;

use qoscope_engine::kernel::convert::whole_index;
use qoscope_engine::kernel::random::Stream;

use super::*;
use crate::document::{Scale, Wanted};
use crate::plan::{Axis, RunValues};
use crate::table::{FactorView, Found, MeasureView};
use qoscope_figures::statistics::{normal, normal_quantile};

/// A function of where the factors stand.
type Function<A = f64> = Box<dyn Fn(&[f64]) -> A>;

/// What a run gave.
type Numbers = Vec<Option<f64>>;

/// What runs gave.
type Ran = BTreeMap<(Place, u32), Numbers>;

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

    /// The share of seeds in which a target truly holds.
    fn share_of(&self, target: &Bound, place: &[u32]) -> f64 {
        let value = self.functions[target.measure](&self.at(place));
        let below = |bound: f64| normal((libm::log(bound) - value) / self.scatter[target.measure]);
        target.at_most.map_or(1.0, below) - target.at_least.map_or(0.0, below)
    }

    /// By how much the share of seeds in which a target truly holds exceeds the one asked for, of the target of which that is least.
    fn share(&self, place: &[u32]) -> f64 {
        let excess = |target: &Bound| self.share_of(target, place) - target.confidence;
        self.search.targets.iter().map(excess).fold(f64::INFINITY, f64::min)
    }

    /// The share of seeds in which all targets truly hold together: what the measures scatter by is their own.
    fn together(&self, place: &[u32]) -> f64 {
        self.search.targets.iter().map(|target| self.share_of(target, place)).product()
    }

    /// By how much of their logarithm the measures truly miss the bounds, in their shares of seeds.
    fn violation(&self, place: &[u32]) -> f64 {
        let miss = |target: &Bound| {
            let (value, scatter) = (self.functions[target.measure](&self.at(place)), self.scatter[target.measure]);
            let room = normal_quantile(target.confidence) * scatter;
            let above = target.at_most.map_or(f64::NEG_INFINITY, |most| value + room - libm::log(most));
            above.max(target.at_least.map_or(f64::NEG_INFINITY, |least| libm::log(least) - value + room))
        };
        self.search.targets.iter().map(miss).fold(0.0, f64::max)
    }

    /// What a place truly costs: the mean of a measure, or the value of the factor.
    fn cost(&self, place: &[u32]) -> f64 {
        let aim = &self.search.prefer[0];
        let value = match aim.of {
            Quantity::Measure(measure) => libm::exp(self.functions[measure](&self.at(place))),
            Quantity::Factor(factor) => self.search.axes[factor].values[place[factor] as usize],
        };
        if aim.wanted == Wanted::Min { value } else { 1.0 / value }
    }

    fn places(&self) -> Vec<Place> {
        let longer = |places: Vec<Place>, axis: &Axis| {
            let count = saturated_u32(axis.values.len());
            places.into_iter().flat_map(|place| (0..count).map(move |at| [place.as_slice(), &[at]].concat())).collect()
        };
        self.search.axes.iter().fold(vec![Place::new()], longer)
    }

    /// The best place that truly keeps all targets, in so much more than their shares of seeds.
    fn best(&self, more: f64) -> Option<Place> {
        let places = self.places().into_iter().filter(|place| self.share(place) >= more);
        places.min_by(|left, right| self.cost(left).total_cmp(&self.cost(right)))
    }

    /// The answer to a question that is changed beforehand.
    fn answer_with(&mut self, change: impl FnOnce(&mut Search)) -> FoundPlan {
        change(&mut self.search);
        self.answer()
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
    fn outcome(&self, place: &[u32], seed: u32) -> Option<RunValues<'_>> {
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
    let wanted = if uniform(0.0, 1.0) < 0.5 { Wanted::Min } else { Wanted::Max };
    let search = Search {
        axes,
        measures,
        targets: Vec::new(),
        prefer: vec![Aim { of: preferred, wanted }],
        seeds: 8,
        confirm: 40,
        max_runs: 4000,
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

/// A random question in which two or three whole weights matter only by their ratio, sometimes beside a factor that matters alone: each
/// target bounds the share of a weight from both sides, about the shares of small weights.
fn random_ridge(number: u64) -> World {
    let mut world = random(number);
    let mut stream = Stream::new(number, "ridges", 0);
    let mut uniform = |low: f64, high: f64| low + (high - low) * stream.uniform();
    let weights = 2 + whole_index(uniform(0.0, 2.0));
    let has_other = weights == 2 && uniform(0.0, 1.0) < 0.4;
    let count = whole_index(if weights == 2 && !has_other { uniform(24.0, 128.0) } else { uniform(16.0, 33.0) });
    let weight = move |at: f64| 1.0 + at * (count - 1) as f64;
    world.search.axes = (0..weights).map(|_| axis(count, Scale::Even, (1.0, count as f64))).collect();
    let share = move |at: &[f64], own: usize| weight(at[own]) / at[..weights].iter().copied().map(weight).sum::<f64>();
    world.functions = vec![
        Box::new(move |at: &[f64]| libm::log(100.0 * share(at, 0))),
        Box::new(move |at: &[f64]| libm::log(100.0 * share(at, 1))),
        Box::new(move |at: &[f64]| 1.0 + 0.5 * libm::log(weight(at[0]))),
    ];
    let tolerances: Vec<f64> = (0..2).map(|_| uniform(0.015, 0.05)).collect();
    world.scatter = tolerances.iter().map(|tolerance| tolerance * uniform(0.05, 0.35)).chain([0.01]).collect();
    let small: Vec<f64> = (0..weights).map(|_| uniform(1.0, 7.0).floor()).collect();
    let bands = tolerances.iter().enumerate().take(weights - 1);
    world.search.targets = bands
        .map(|(measure, tolerance)| {
            let share = 100.0 * small[measure] / small.iter().sum::<f64>();
            Bound {
                measure,
                at_most: Some(share * (1.0 + tolerance)),
                at_least: Some(share * (1.0 - tolerance)),
                confidence: 0.95,
            }
        })
        .collect();
    if has_other {
        world.search.axes.push(axis(20, Scale::Log, (5.0, 200.0)));
        world.functions[1] = Box::new(|at: &[f64]| 2.0 * at[2]);
        world.scatter[1] = 0.03;
        let bound = libm::exp(2.0 * uniform(0.2, 0.8));
        world.search.targets.push(Bound { measure: 1, at_most: None, at_least: Some(bound), confidence: 0.95 });
    }
    let of = match whole_index(uniform(0.0, 4.0)) {
        0 => Quantity::Measure(2),
        1 => Quantity::Factor(1),
        _ => Quantity::Factor(0),
    };
    let wanted = if uniform(0.0, 1.0) < 0.8 { Wanted::Min } else { Wanted::Max };
    world.search.prefer = vec![Aim { of, wanted }];
    world
}

/// One of five questions has factors that matter only by their ratio.
fn is_ridge(number: u64) -> bool {
    number % 5 == 4
}

/// What came of many questions.
#[derive(Debug, Default)]
struct Tally {
    asked: usize,
    met: usize,
    /// Every target truly holds in its share of seeds; and in 0.02 less of them at least.
    holds: usize,
    nearly: usize,
    /// As good as the best place that truly holds, within 5 % or a step; and as the best that holds in 0.03 more of the seeds, so that it
    /// would nearly always be confirmed.
    best: usize,
    sure: usize,
    /// The share of seeds in which all targets hold together is as large as was told.
    told: usize,
    /// Made a fifth at most of the runs of a grid: every point under the seeds of a comparison, and the best under those of a confirmation.
    cheap: usize,
    runs: Vec<u32>,
    /// Runs, in percent of those that a search usually takes.
    foretold: Vec<u32>,
    failures: u32,
}

impl Tally {
    fn of(worlds: impl Iterator<Item = World>) -> Self {
        let mut tally = Self::default();
        for world in worlds {
            let answer = world.answer();
            let best = world.best(0.0).expect("there is a place that holds");
            tally.asked += 1;
            tally.runs.push(answer.runs);
            let axes = world.search.axes.iter().map(|axis| (axis.values.len(), axis.is_words));
            let usual = usual_runs(axes, world.search.seeds, world.search.confirm);
            tally.foretold.push(100 * answer.runs / usual);
            let grid = world.search.grid() * f64::from(world.search.seeds) + f64::from(world.search.confirm);
            tally.cheap += usize::from(f64::from(answer.runs) <= grid / 5.0);
            tally.failures += answer.failures;
            let Some(place) = answer.place.filter(|_| answer.is_met) else { continue };
            tally.met += 1;
            let share = world.share(&place);
            tally.holds += usize::from(share >= 0.0);
            tally.nearly += usize::from(share >= -0.02);
            tally.told += usize::from(world.together(&place) >= answer.at_least);
            let is_near = |other: &Place| {
                let is_step = match world.search.prefer[0].of {
                    Quantity::Factor(factor) => place[factor].abs_diff(other[factor]) <= 1,
                    Quantity::Measure(_) => false,
                };
                is_step || world.cost(&place) <= 1.05 * world.cost(other)
            };
            tally.best += usize::from(is_near(&best));
            tally.sure += usize::from(world.best(0.03).is_none_or(|sure| is_near(&sure)));
        }
        tally.runs.sort_unstable();
        tally.foretold.sort_unstable();
        tally
    }

    fn with(mut self, other: Self) -> Self {
        self.asked += other.asked;
        self.met += other.met;
        self.holds += other.holds;
        self.nearly += other.nearly;
        self.best += other.best;
        self.sure += other.sure;
        self.told += other.told;
        self.cheap += other.cheap;
        self.failures += other.failures;
        self.runs.extend(other.runs);
        self.foretold.extend(other.foretold);
        self.foretold.sort_unstable();
        self.runs.sort_unstable();
        self
    }
}

/// `docs/studies.md` has what this measures over a thousand questions (`QUESTIONS=1000 … -- --nocapture`).
#[test]
fn answers_of_random_questions_hold_and_are_near_the_best() {
    let count = std::env::var("QUESTIONS").ok().and_then(|count| count.parse().ok()).unwrap_or(250);
    let (ridges, others): (Vec<u64>, Vec<u64>) = (5000..5000 + count).partition(|number| is_ridge(*number));
    let (ridges, others) = (Tally::of(ridges.into_iter().map(random_ridge)), Tally::of(others.into_iter().map(random)));
    let median = |numbers: &[u32]| numbers[numbers.len() / 2];
    for (name, tally) in [("ridges", &ridges), ("others", &others)] {
        let Tally { asked, best, runs, foretold, .. } = tally;
        println!("{name}: {best} of {asked} are best, {} runs, {} % of those foretold", median(runs), median(foretold));
        assert!(*best as f64 >= 0.9 * *asked as f64, "{name}: {tally:?}");
    }
    let tally = ridges.with(others);
    let part = |part: f64| tally.runs[whole_index(part * (tally.runs.len() - 1) as f64)];
    println!("{} runs in half, {} in 9 of 10, {} at most; {tally:?}", part(0.5), part(0.9), part(1.0));
    let of = |count: usize| count as f64 / tally.asked as f64;
    assert!(of(tally.met) >= 0.99, "{tally:?}");
    assert!(of(tally.holds) >= 0.93 && of(tally.nearly) >= 0.96, "{tally:?}");
    assert!(of(tally.sure) >= 0.96 && of(tally.best) >= 0.9, "{tally:?}");
    assert!(of(tally.told) >= 0.95, "{tally:?}");
    assert!(of(tally.cheap) >= 0.9 && part(0.5) <= 220, "{tally:?}");
    assert!((85..=115).contains(&median(&tally.foretold)), "{tally:?}");
}

/// Two targets that exclude each other: below a bound that rises with the first factor, above one that rises with it too.
fn contradiction(number: u64) -> World {
    let mut world = random(number);
    world.search.axes = vec![axis(20, Scale::Log, (5.0, 400.0)), axis(12, Scale::Even, (1.0, 12.0))];
    world.functions = vec![
        Box::new(|at| 1.0 + 2.0 * at[0]),
        Box::new(|at| 1.0 + 2.0 * at[0] + 0.5 * at[1]),
        Box::new(|at| 3.0 + at[1]),
    ];
    // Together they would need exp(0.6) of the second over the first, and there is exp(0.5) at most.
    let bound =
        |measure, at_most: Option<f64>, at_least: Option<f64>| Bound { measure, at_most, at_least, confidence: 0.95 };
    world.search.targets = vec![
        bound(0, Some(libm::exp(2.0)), None),
        bound(1, None, Some(libm::exp(2.6))),
        bound(2, Some(libm::exp(5.0)), None),
    ];
    world.scatter = vec![0.02; 3];
    world
}

#[test]
fn what_cannot_be_met_is_told_with_what_binds_and_what_comes_nearest() {
    for number in 0..10 {
        let world = contradiction(number);
        let answer = world.answer();
        assert!(!answer.is_met && answer.runs <= world.search.max_runs / 4, "{answer:?}");
        assert_eq!(answer.places as f64, answer.grid, "every setting is looked at");
        let place = answer.place.clone().expect("something comes nearest");
        let nearest = world.places().iter().map(|place| world.violation(place)).fold(f64::INFINITY, f64::min);
        assert!(world.violation(&place) <= nearest + 0.04, "{place:?} {} {nearest}", world.violation(&place));
        // Without either of the two the others hold, and it is shown where.
        assert!(answer.fares[..2].iter().any(|fare| fare.is_binding) && !answer.fares[2].is_binding, "{answer:?}");
        assert!(!answer.without.is_empty());
        for (target, place) in &answer.without {
            let mut world = contradiction(number);
            world.search.targets.remove(*target);
            assert!(world.share(place) >= -0.1, "{place:?} {target}");
        }
        assert_eq!(answer.of, 40, "the nearest is seen on unseen seeds too");
        assert!(answer.held < 38);
    }
}

/// Only one place of 1,600 keeps the target, and nothing points to it.
fn needle() -> World {
    let mut world = random(0);
    world.search.axes = vec![axis(40, Scale::Even, (1.0, 40.0)), axis(40, Scale::Even, (1.0, 40.0))];
    world.functions = (0..3)
        .map(|_| -> Function { Box::new(|at| if at[0] == 7.0 / 39.0 && at[1] == 31.0 / 39.0 { 0.0 } else { 2.0 }) })
        .collect();
    world.search.targets = vec![Bound { measure: 0, at_most: Some(2.0), at_least: None, confidence: 0.95 }];
    world
}

#[test]
fn search_without_answer_looks_at_every_setting() {
    let answer = needle().answer();
    assert_eq!((answer.is_met, answer.place), (true, Some(vec![7, 31])));
}

#[test]
fn search_that_runs_out_of_runs_lists_what_it_did_not_look_at() {
    let mut world = needle();
    let answer = world.answer_with(|search| search.max_runs = 400);
    assert!(!answer.is_met && answer.is_stopped());
    assert!((300..=400).contains(&answer.runs), "{} runs", answer.runs);
    assert!((answer.places as f64) < answer.grid);
    assert!(!answer.unseen.is_empty() && answer.unseen.len() <= 100);
    let seen: Vec<Place> = world.results.borrow().keys().map(|(place, _)| place.clone()).collect();
    assert!(answer.unseen.iter().all(|place| !seen.contains(place)));
    let says = said(&world, &answer);
    let left = 1600 - answer.places;
    assert!(says.starts_with(&format!("Stopped after {} of 400 runs: ", answer.runs)), "{says}");
    assert!(
        says.contains(&format!(": {left} of 1600 settings were never looked at, among them factor 0 = ")),
        "{says}"
    );
}

#[test]
fn search_that_looked_at_everything_says_that_nothing_meets_the_target() {
    let mut world = needle();
    world.search.axes = vec![axis(7, Scale::Even, (1.0, 7.0)), axis(20, Scale::Even, (1.0, 20.0))];
    world.functions = (0..3).map(|_| -> Function { Box::new(|_| 2.0) }).collect();
    let answer = world.answer();
    assert!(!answer.is_met && !answer.is_stopped() && answer.places == 140, "{answer:?}");
    let says = said(&world, &answer);
    assert!(says.contains("none of all 140 settings was found to meet the target."), "{says}");
    assert!(!says.contains("Without the target"), "there is no other target: {says}");
}

/// The shares of three whole weights: 62.5 %, 25 % and 12.5 %, each within 1 %, have the least first weight at 5:2:1.
#[test]
fn weights_that_matter_by_their_ratio_are_scaled_down_together() {
    for number in 0..12 {
        let mut world = random(number);
        let weight = |at: f64| 1.0 + 31.0 * at;
        let share = move |at: &[f64], own: usize| weight(at[own]) / at.iter().copied().map(weight).sum::<f64>();
        world.search.axes = (0..3).map(|_| axis(32, Scale::Even, (1.0, 32.0))).collect();
        world.functions =
            (0..3).map(|own| -> Function { Box::new(move |at: &[f64]| libm::log(100.0 * share(at, own))) }).collect();
        world.scatter = vec![0.002; 3];
        let answer = world.answer_with(|search| {
            let target = |measure, at_least, at_most| Bound {
                measure,
                at_most: Some(at_most),
                at_least: Some(at_least),
                confidence: 0.95,
            };
            search.targets = vec![target(0, 61.5, 63.5), target(1, 24.0, 26.0)];
            search.prefer = vec![Aim { of: Quantity::Factor(0), wanted: Wanted::Min }];
            search.max_runs = 1000;
        });
        assert_eq!(answer.place, Some(vec![4, 1, 0]), "{number}: {} runs", answer.runs);
    }
}

#[test]
fn number_beside_its_bound_has_the_digits_that_tell_them_apart() {
    let target = |at_least: f64| Bound { measure: 0, at_most: None, at_least: Some(at_least), confidence: 0.95 };
    let told = |value: f64, at_least: f64| {
        let mut world = needle();
        world.search.targets = vec![target(at_least)];
        let plan = FoundPlan { fares: vec![fare(value)], ..needle().answer() };
        found_of(&world, &plan).targets.remove(0)
    };
    let near = told(23.984, 24.0);
    assert_eq!(near.measured.as_deref(), Some("23.98\u{202f}µs"));
    assert_eq!(near.says, "measure 0 at least 24\u{202f}µs in 95\u{202f}% of seeds");
    assert_eq!(told(23.999_97, 24.0).measured.as_deref(), Some("23.99997\u{202f}µs"));
    assert_eq!(told(24.0, 24.0).measured.as_deref(), Some("24\u{202f}µs"));
    // Rounded up it would be above the bound.
    assert_eq!(told(99.96, 99.97).measured.as_deref(), Some("99.96\u{202f}µs"));
    // An interval is written as finely as it is wide.
    let world = needle();
    let numbers = [62.4, 62.5, 62.6, 62.45].map(Some).to_vec();
    let plan = FoundPlan { fares: vec![Fare { numbers, ..fare(0.0) }], ..needle().answer() };
    let measured = found_of(&world, &plan).targets.remove(0).measured;
    assert_eq!(measured.as_deref(), Some("62.5\u{202f}µs (62.4 to 62.6)"));
    assert_eq!(told(1.0, 24.05).says, "measure 0 at least 24.05\u{202f}µs in 95\u{202f}% of seeds");
}

fn fare(value: f64) -> Fare {
    Fare { numbers: vec![Some(value); 2], held: 0, margin: None, is_binding: false }
}

#[test]
fn answer_at_an_end_of_its_range_says_so() {
    let mut world = random(1);
    world.search.axes = vec![axis(20, Scale::Even, (1.0, 20.0))];
    world.functions = (0..3).map(|_| -> Function { Box::new(|_| 0.0) }).collect();
    let answer = world.answer_with(|search| {
        search.targets = vec![Bound { measure: 0, at_most: Some(2.0), at_least: None, confidence: 0.95 }];
        search.prefer = vec![Aim { of: Quantity::Factor(0), wanted: Wanted::Min }];
    });
    let says = said(&world, &answer);
    assert!(says.starts_with("With factor 0 = 1\u{202f}packet, the target holds in 40 of 40 unseen seeds"), "{says}");
    let end = "Values beyond the range were not looked at: factor 0 = 1\u{202f}packet, the lowest value of its range.";
    assert!(says.contains(end), "{says}");
    let margin = &found_of(&world, &answer).margins[0];
    assert_eq!(margin.below.as_deref(), Some("The range of factor 0 ends at 1\u{202f}packet."));
    assert_eq!(margin.above.as_deref(), Some("The range of factor 0 ends at 20\u{202f}packets."));
}

#[test]
fn the_bound_of_a_rising_measure_without_scatter_is_found_by_halving() {
    for bound in [7.0, 55.5, 163.2] {
        let mut world = random(1);
        world.search.axes = vec![axis(191, Scale::Even, (10.0, 200.0))];
        world.scatter = vec![0.0; 3];
        world.functions = (0..3).map(|_| -> Function { Box::new(|at| libm::log(1.0 + 190.0 * at[0])) }).collect();
        let answer = world.answer_with(|search| {
            search.targets = vec![Bound { measure: 0, at_most: None, at_least: Some(bound), confidence: 0.95 }];
            search.prefer = vec![Aim { of: Quantity::Factor(0), wanted: Wanted::Min }];
        });
        assert_eq!(answer.place, Some(vec![saturated_u32(whole_index((bound - 1.0).ceil()))]));
        assert_eq!((answer.held, answer.of, answer.failures), (40, 40, 0));
        assert!(answer.runs <= 191 * 8 / 5, "{} runs", answer.runs);
        // Why not less: the next value misses, and it is known.
        assert_eq!(answer.reaches[0].below.as_ref().map(|below| below.at + 1), answer.place.map(|place| place[0]));
    }
}

/// Two things are wanted little of, and their product must be large: every place along the bound is as good as another.
#[test]
fn a_trade_off_is_told_from_end_to_end() {
    for number in 0..6 {
        let mut world = random(number);
        world.search.axes = vec![axis(16, Scale::Log, (1.0, 100.0)), axis(16, Scale::Log, (1.0, 100.0))];
        world.functions = (0..3).map(|_| -> Function { Box::new(|at| 2.0 * (at[0] + at[1])) }).collect();
        world.scatter = vec![0.03; 3];
        let answer = world.answer_with(|search| {
            search.targets =
                vec![Bound { measure: 0, at_most: None, at_least: Some(libm::exp(2.0)), confidence: 0.95 }];
            search.prefer = (0..2).map(|factor| Aim { of: Quantity::Factor(factor), wanted: Wanted::Min }).collect();
        });
        let places: Vec<&Place> = answer.trade_off.iter().map(|(place, _)| place).collect();
        assert!(places.len() >= 5, "{places:?}");
        assert!(places.windows(2).all(|pair| pair[0][0] < pair[1][0] && pair[0][1] > pair[1][1]), "{places:?}");
        // Along the true bound, 15 steps together and what scatter asks for.
        assert!(places.iter().all(|place| (15..=18).contains(&(place[0] + place[1]))), "{places:?}");
        assert!(places[0][0] <= 2 && places[places.len() - 1][1] <= 2, "{places:?}");
        assert_eq!(answer.place.as_ref(), Some(places[0]), "the first preference leads");
        assert!(
            answer.trade_off.iter().filter(|(_, is_confirmed)| *is_confirmed).count() >= 4,
            "{:?}",
            answer.trade_off
        );
    }
}

#[test]
fn what_is_refused_is_a_miss_that_costs_no_run() {
    let mut world = random(3);
    world.search.axes = vec![axis(30, Scale::Even, (1.0, 30.0)), axis(10, Scale::Even, (1.0, 10.0))];
    world.functions = (0..3).map(|_| -> Function { Box::new(|at| at[0] + at[1]) }).collect();
    world.refuses = Box::new(|at| at[0] + at[1] < 0.5);
    let answer = world.answer_with(|search| {
        search.targets = vec![Bound { measure: 0, at_most: Some(10.0), at_least: None, confidence: 0.95 }];
        search.prefer = vec![Aim { of: Quantity::Measure(0), wanted: Wanted::Min }];
    });
    assert!(answer.is_met);
    let place = answer.place.clone().expect("it is met");
    assert!((world.search.unit(0, place[0]) + world.search.unit(1, place[1]) - 0.5).abs() < 0.11, "{place:?}");
    assert!(world.results.borrow().keys().all(|(place, _)| !(world.refuses)(&world.at(place))));
    assert!(
        answer
            .reaches
            .iter()
            .any(|reach| matches!(&reach.below, Some(Break { what: Err(why), .. }) if why == "the engine refuses it"))
    );

    let mut world = random(3);
    world.refuses = Box::new(|_| true);
    let answer = world.answer();
    assert_eq!((answer.is_met, answer.runs, answer.why.as_deref()), (false, 0, Some("the engine refuses it")));
    assert!(said(&world, &answer).contains("the engine refuses it"));
}

#[test]
fn confirmations_take_seeds_that_the_search_never_compared_by() {
    let world = random(7);
    let answer = world.answer();
    let results = world.results.borrow();
    let place = answer.place.expect("it is met");
    let fresh = results.keys().filter(|(at, seed)| *at == place && *seed >= world.search.fresh()).count();
    assert_eq!(fresh, 40);
    let mut confirmed: Vec<(u32, &Place)> = results
        .keys()
        .filter(|(_, seed)| *seed >= world.search.fresh())
        .map(|(place, seed)| ((seed - 16) / 40, place))
        .collect();
    confirmed.sort();
    confirmed.dedup();
    // No two candidates are confirmed by the same seeds.
    assert!(confirmed.windows(2).all(|pair| pair[0].0 != pair[1].0));
}

fn said(world: &World, answer: &FoundPlan) -> String {
    let found = found_of(world, answer);
    assert_eq!(found.point, answer.place.as_ref().map(|_| 0));
    assert_eq!(found.targets.len(), answer.fares.len());
    found.says
}

fn found_of(world: &World, answer: &FoundPlan) -> Found {
    let factors: Vec<FactorView> = (0..world.search.axes.len())
        .map(|factor| FactorView {
            title: format!("factor {factor}"),
            symbol: None,
            unit: Some("packets".to_owned()),
            paths: Vec::new(),
            is_words: world.search.axes[factor].is_words,
            names: BTreeMap::new(),
            scale: Scale::Even,
            present: serde_json::Value::Null,
            recommended: None,
        })
        .collect();
    let measures: Vec<MeasureView> = (0..world.search.measures)
        .map(|measure| MeasureView {
            title: format!("measure {measure}"),
            group: String::new(),
            class: None,
            unit: Some("us".to_owned()),
        })
        .collect();
    let value = |factor: usize, at: u32| world.search.axes[factor].values[at as usize].into();
    let names = Names { factors: &factors, measures: &measures, value: &value };
    let places: Vec<Place> = answer.place.iter().cloned().collect();
    found(answer, &world.search, &names, &places)
}

#[test]
fn an_answer_is_a_sentence_with_its_certainty() {
    let world = random(7);
    let answer = world.answer();
    let says = said(&world, &answer);
    assert!(says.starts_with("With factor 0 "), "{says}");
    assert!(says.contains(" all targets hold in ") && says.contains(" of 40 unseen seeds: in at least "), "{says}");
}

/// Anything at all: numbers drawn for each place and seed, some of them missing, runs that fail, places refused, plateaus and cliffs.
struct Chaos {
    search: Search,
    seed: u64,
    kind: u64,
    results: RefCell<BTreeMap<(Place, u32), Result<Numbers, String>>>,
}

impl Chaos {
    fn run(&self, place: &[u32], seed: u32) -> Result<Vec<Option<f64>>, String> {
        let hash = |index: u64| {
            place.iter().fold(self.seed ^ index, |hash, at| hash.wrapping_mul(0x0100_0000_01b3) ^ u64::from(*at))
        };
        let mut run = Stream::new(hash(1), "run", u64::from(seed));
        let mut of_place = Stream::new(hash(2), "place", 0);
        if of_place.uniform() < 0.1 && run.uniform() < 0.3 {
            return Err("the run failed".to_owned());
        }
        let number = |_| {
            let level = of_place.uniform();
            match self.kind % 5 {
                0 => Some(run.uniform()),
                1 => Some((level * 3.0).floor() / 3.0),
                2 => (run.uniform() > 0.05).then_some(level),
                3 => Some(if run.uniform() < 0.05 { 1e12 } else { -level }),
                _ => Some(if level < 0.5 { 0.0 } else { f64::from(place[0]) * level }),
            }
        };
        Ok((0..self.search.measures).map(number).collect())
    }
}

impl Known for Chaos {
    fn outcome(&self, place: &[u32], seed: u32) -> Option<RunValues<'_>> {
        let results = self.results.borrow();
        Some(match results.get(&(place.to_vec(), seed))?.clone() {
            Ok(numbers) => Ok(Box::leak(numbers.into_boxed_slice())),
            Err(why) => Err(Box::leak(why.into_boxed_str())),
        })
    }

    fn refused(&self, place: &[u32]) -> Option<&str> {
        let sum: u32 = place.iter().sum();
        (self.kind / 5 % 3 == 1 && sum % 3 == 1).then_some("refused")
    }
}

proptest::proptest! {
    #![proptest_config(proptest::test_runner::Config { cases: 150, failure_persistence: None, ..proptest::test_runner::Config::default() })]

    /// Every call wishes for runs that are not known, or answers; there is an end, within the runs allowed; what is told is what was seen;
    /// and it does not matter in which order results come, or whether earlier calls are remembered.
    #[test]
    fn every_search_ends(
        seed: u64,
        kind in 0..15_u64,
        axes in proptest::collection::vec((1..12_usize, proptest::bool::weighted(0.2)), 1..4),
        bound in -0.5..1.5_f64,
        is_most: bool,
        both: bool,
        prefers in 1..3_usize,
        confidence in proptest::sample::select(vec![0.5, 0.9, 0.95, 1.0]),
        seeds in 1..9_u32,
        confirm in proptest::sample::select(vec![10_u32, 40]),
        max_runs in proptest::sample::select(vec![50_u32, 120, 1000]),
    ) {
        let axes = axes.into_iter().map(|(count, is_words)| {
            let values: Vec<f64> = (0..count).map(|at| at as f64).collect();
            let recommended = (seed % 3 == 0).then_some(0);
            Axis { values, scale: Scale::Even, is_words, present: (seed % 2 == 0).then_some(saturated_u32(count - 1)), recommended }
        }).collect();
        let target = |measure: usize, is_most: bool| Bound {
            measure, at_most: is_most.then_some(bound), at_least: (!is_most).then_some(bound), confidence,
        };
        let mut targets = vec![target(0, is_most)];
        if both {
            targets.push(target(1, !is_most));
        }
        let aims = [Quantity::Factor(0), Quantity::Measure(1)];
        let wanted = if seed % 5 < 3 { Wanted::Min } else { Wanted::Max };
        let prefer = (0..prefers).map(|at| Aim { of: aims[(at + kind as usize) % 2], wanted }).collect();
        let search = Search { axes, measures: 2, targets, prefer, seeds, confirm, max_runs };
        let chaos = Chaos { search, seed, kind, results: RefCell::default() };
        let mut searcher = Searcher::new(chaos.search.clone());
        let mut order = Stream::new(seed, "order", 0);
        let answer = loop {
            let said = searcher.next(&chaos);
            proptest::prop_assert_eq!(said.places.len(), said.standings.len());
            if let Some(answer) = said.answer {
                proptest::prop_assert!(said.wishes.is_empty());
                break answer;
            }
            proptest::prop_assert!(!said.wishes.is_empty());
            let mut wishes = said.wishes.clone();
            order.shuffle(&mut wishes);
            let early = wishes.len() / 2;
            for (number, wish) in wishes.into_iter().enumerate() {
                proptest::prop_assert!(chaos.refused(&wish.place).is_none());
                let before = chaos.results.borrow_mut().insert((wish.place.clone(), wish.seed), chaos.run(&wish.place, wish.seed));
                proptest::prop_assert!(before.is_none(), "known already");
                if number == early && number + 1 < said.wishes.len() {
                    // What is left of the round is wished for still, and nothing else.
                    let left = searcher.next(&chaos);
                    proptest::prop_assert!(left.wishes.len() < said.wishes.len());
                    proptest::prop_assert!(left.wishes.iter().all(|wish| said.wishes.contains(wish)));
                }
            }
        };
        let runs = chaos.results.borrow().len();
        proptest::prop_assert!(runs <= max_runs as usize, "{} of {}", runs, max_runs);
        let anew = next(&chaos.search, &chaos).answer;
        proptest::prop_assert_eq!(anew.as_ref(), Some(&answer));
        if let Some(place) = &answer.place {
            for (fare, target) in answer.fares.iter().zip(&chaos.search.targets) {
                proptest::prop_assert_eq!(fare.numbers.len(), answer.of as usize);
                proptest::prop_assert!(fare.held >= answer.held);
                if answer.is_met {
                    proptest::prop_assert!(fare.held >= target.needed(confirm), "{:?}", answer);
                }
            }
            proptest::prop_assert!(answer.at_least <= f64::from(answer.held) / f64::from(answer.of.max(1)));
            proptest::prop_assert!(place.iter().zip(&chaos.search.axes).all(|(at, axis)| (*at as usize) < axis.values.len()));
        }
    }
}
