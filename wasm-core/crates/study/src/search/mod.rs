//! Search: which settings meet the targets, and which of those is best.
//!
//! In turn: a spread of points and the halving of it ([`Step::Spread`], [`Step::Compare`]); a walk from the best of them along what results
//! foretell, in ever smaller steps ([`walk`]); a confirmation of what it ends at, on seeds that the search never used; where that fails, the
//! point is dropped and the walk goes on; and at last how far each factor may move alone. Nothing is assumed of the measures: what a surface
//! foretells and where a bisection points to are proposals that runs decide on.
//!
//! Each round is decided on the complete results of those before, so that it does not matter in which order results come.

mod evidence;
mod found;
mod surface;
mod walk;

use std::collections::BTreeSet;

use evidence::Evidence;
pub use found::{Names, found};
pub(crate) use found::{listed, number};
use qoscope_engine::kernel::convert::{rounded, saturated_u32, whole, whole_index};
use walk::{Goal, Walk};

use crate::document::Wanted;
use crate::plan::{Axis, Known, Place, Said, Wish};
use crate::statistics::least_share;
use crate::table::Standing;

/// Candidates of a trade-off that are confirmed at most.
const TRADE_OFF_POINTS: usize = 9;

/// Confirmations that fail at most before the search gives up.
const MOST_FAILURES: u32 = 12;

/// What is told of a share is wrong with this probability at most, over all confirmations: the first may use half of it, and each one that
/// follows half of what is left. The first bound is thus the lower end of the usual 95 % interval.
const RISK: f64 = 0.05;

/// Of the seeds of a point, those that its first neighbours are given when margins are looked for.
const MARGIN_SEEDS: u32 = 3;

/// Rounds that halve the distance between a factor's last value that holds and the first that does not.
const MARGIN_ROUNDS: u32 = 2;

/// A bound of a measure.
#[derive(Clone, Debug, PartialEq)]
pub struct Bound {
    /// The measure, by its place.
    pub measure: usize,
    /// Most that it may be.
    pub at_most: Option<f64>,
    /// Least that it may be.
    pub at_least: Option<f64>,
    /// Share of seeds in which it must hold.
    pub confidence: f64,
}

impl Bound {
    fn holds(&self, number: f64) -> bool {
        self.at_most.is_none_or(|most| number <= most) && self.at_least.is_none_or(|least| number >= least)
    }

    /// Of so many seeds those in which it must hold.
    fn needed(&self, of: u32) -> u32 {
        (0..=of).find(|held| f64::from(*held) >= self.confidence * f64::from(of) - 1e-9).unwrap_or(of)
    }
}

/// Something that has a number at every point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantity {
    /// The mean of a measure, by its place.
    Measure(usize),
    /// The value of a factor, by its place.
    Factor(usize),
}

/// Something that is to be least or most.
#[derive(Clone, Debug, PartialEq)]
pub struct Aim {
    /// What.
    pub of: Quantity,
    /// Which way.
    pub wanted: Wanted,
}

/// What is looked for, and where.
#[derive(Clone, Debug, PartialEq)]
pub struct Search {
    /// What varies.
    pub axes: Vec<Axis>,
    /// How many measures every run has.
    pub measures: usize,
    /// What must hold.
    pub targets: Vec<Bound>,
    /// One or two things that are to be least or most.
    pub prefer: Vec<Aim>,
    /// Seeds that points are compared by, twice as many where that leaves a doubt; confirmations use those that follow.
    pub seeds: u32,
    /// Seeds of a confirmation.
    pub confirm: u32,
    /// Most runs.
    pub most_runs: u32,
}

impl Search {
    /// What a place costs in a preference that is a factor: its value, on the scale of its axis from 0 to 1; none of a measure.
    fn factor_cost(&self, preference: usize, place: &[u32]) -> Option<f64> {
        let aim = self.prefer.get(preference)?;
        let Quantity::Factor(factor) = aim.of else { return None };
        let axis = &self.axes[factor];
        // A list of values may fall: what is least is decided by values, not by places.
        let (first, last) = (axis.values.first()?, axis.values.last()?);
        let at = f64::from(place[factor]) / (self.count(factor) - 1).max(1) as f64;
        let is_rising = last >= first;
        let sign = if (aim.wanted == Wanted::Least) == is_rising { 1.0 } else { -1.0 };
        Some(sign * at)
    }

    /// The first seed that the search never compares by.
    fn fresh(&self) -> u32 {
        2 * self.seeds
    }

    /// How many values a factor has.
    fn count(&self, factor: usize) -> usize {
        self.axes[factor].values.len().max(1)
    }

    /// How many points there are.
    pub fn grid(&self) -> f64 {
        (0..self.axes.len()).map(|factor| self.count(factor) as f64).product()
    }

    /// Where the factor lies in its range, from 0 to 1.
    fn unit(&self, factor: usize, place: u32) -> f64 {
        f64::from(place) / (self.count(factor) - 1).max(1) as f64
    }

    /// The place at a part of the range, from 0 to 1.
    fn at(&self, factor: usize, part: f64) -> u32 {
        let last = (self.count(factor) - 1) as f64;
        saturated_u32(rounded(part.clamp(0.0, 1.0) * last))
    }

    /// The scenario as it is.
    fn present(&self) -> Option<Place> {
        self.axes.iter().map(|axis| axis.present).collect()
    }

    /// The scenario with what theory recommends; none where theory says nothing.
    fn recommended(&self) -> Option<Place> {
        let says_something = self.axes.iter().any(|axis| axis.recommended.is_some());
        says_something.then(|| self.axes.iter().map(|axis| axis.recommended.or(axis.present).unwrap_or(0)).collect())
    }
}

/// How a target fares at a place, under the seeds of its confirmation.
#[derive(Clone, Debug, PartialEq)]
pub struct Fare {
    /// What the measure was.
    pub numbers: Vec<Option<f64>>,
    /// Seeds under which it holds.
    pub held: u32,
    /// How far the worst of the seeds that count lies on the good side of the bound.
    pub margin: Option<f64>,
    /// It binds: where the targets are met, the one that is kept least surely; where they are not, one that is missed.
    pub is_binding: bool,
}

/// A factor moved alone, as far as targets hold.
#[derive(Clone, Debug, PartialEq)]
pub struct Reach {
    /// The factor.
    pub factor: usize,
    /// The places up to which all targets hold, of those tried.
    pub from: u32,
    /// The greatest.
    pub to: u32,
    /// What breaks below.
    pub below: Option<Break>,
    /// What breaks above.
    pub above: Option<Break>,
}

/// What breaks at a place.
#[derive(Clone, Debug, PartialEq)]
pub struct Break {
    /// Where the factor stands then.
    pub at: u32,
    /// Why there is no run, or the target that is kept least surely, with what its measure is there on average.
    pub what: Result<(usize, Option<f64>), String>,
}

/// What a search came to, by places.
#[derive(Clone, Debug, PartialEq)]
pub struct FoundPlan {
    /// There is a place that meets all targets, confirmed.
    pub is_met: bool,
    /// The place that answers, or that comes nearest.
    pub place: Option<Place>,
    /// How the targets fare there.
    pub fares: Vec<Fare>,
    /// What is preferred, there: the numbers of its unseen seeds where it is a measure, else the place of the factor.
    pub preferred: Vec<Vec<Option<f64>>>,
    /// Unseen seeds under which all targets hold together.
    pub held: u32,
    /// Unseen seeds.
    pub of: u32,
    /// Share of all seeds under which they hold at least.
    pub at_least: f64,
    /// Candidates that were confirmed before, and failed.
    pub failures: u32,
    /// How far each ordered factor may move alone.
    pub reaches: Vec<Reach>,
    /// The trade-off, and whether each of its places is confirmed.
    pub trade_off: Vec<(Place, bool)>,
    /// The model's first guess.
    pub first_guess: Option<Place>,
    /// Where targets are not met: of each that binds a place at which all others hold.
    pub without: Vec<(usize, Place)>,
    /// Places that were looked at.
    pub places: usize,
    /// Of so many.
    pub grid: f64,
    /// Runs that were made.
    pub runs: u32,
    /// The search ended because it may make no more.
    pub is_out_of_runs: bool,
    /// Why the place that comes nearest has no run, where all are so.
    pub why: Option<String>,
}

/// A candidate that is confirmed.
#[derive(Clone, Debug)]
struct Confirmation {
    place: Place,
    /// Its first seed.
    first: u32,
    /// How many of its seeds were looked at.
    done: u32,
    /// It answers, or it is a further point of the trade-off, or the one that comes nearest.
    of: Purpose,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Purpose {
    Answer,
    TradeOff,
    Nearest,
}

/// What is done next.
#[derive(Clone, Debug)]
enum Step {
    Spread,
    Compare,
    Walk(usize),
    Confirm(Confirmation),
    TradeOff(Vec<Place>),
    Margins(u32),
    Binding,
    Done(Box<FoundPlan>),
}

/// A round: runs that are wanted together.
#[derive(Clone, Debug, Default)]
struct Round {
    wishes: Vec<Wish>,
    has: BTreeSet<Wish>,
}

impl Round {
    fn seeds(&mut self, evidence: &Evidence, place: &[u32], seeds: std::ops::Range<u32>) {
        let record = evidence.find(place).map(|at| &evidence.records[at]);
        for seed in seeds {
            if record.is_some_and(|record| record.is_refused || record.seeds.contains(&seed)) {
                continue;
            }
            let wish = Wish { place: place.to_vec(), seed };
            if self.has.insert(wish.clone()) {
                self.wishes.push(wish);
            }
        }
    }
}

/// A search under way: it remembers the rounds that are complete, and says what [`next`] says.
#[derive(Clone, Debug)]
pub struct Searcher {
    problem: Search,
    evidence: Evidence,
    step: Step,
    round: Option<Round>,
    doing: &'static str,
    walks: Vec<Walk>,
    /// Of the two preferences the least cost and how far it ranges, once known.
    ideal: [(f64, f64); 2],
    /// How surely a place must keep the targets before it is confirmed; more with every confirmation that failed.
    sure: f64,
    confirmations: u32,
    failures: u32,
    /// Confirmed places with first seed, seeds, and the number of their confirmation.
    confirmed: Vec<(Place, u32, u32, u32)>,
    /// That which comes nearest, as [`Self::confirmed`].
    nearest: Option<(Place, u32, u32, u32)>,
    without: Vec<(usize, Place)>,
    is_out_of_runs: bool,
}

/// What a search says to what is known.
pub fn next(problem: &Search, known: &impl Known) -> Said<FoundPlan> {
    Searcher::new(problem.clone()).next(known)
}

impl Searcher {
    /// A search that knows nothing yet.
    pub fn new(mut problem: Search) -> Self {
        // Scatter is told from two seeds on.
        problem.seeds = problem.seeds.max(2);
        let all = vec![true; problem.targets.len()];
        let goals = match problem.prefer.len() {
            0 => vec![Goal::Any],
            1 => vec![Goal::First],
            _ => vec![Goal::First, Goal::Second, Goal::Both(0.5), Goal::Both(0.25), Goal::Both(0.75)],
        };
        Self {
            evidence: Evidence::new(&problem),
            walks: goals.into_iter().map(|goal| Walk::new(goal, all.clone())).collect(),
            problem,
            step: Step::Spread,
            round: None,
            doing: "Looking around",
            ideal: [(0.0, 1.0); 2],
            sure: 0.75,
            confirmations: 0,
            failures: 0,
            confirmed: Vec::new(),
            nearest: None,
            without: Vec::new(),
            is_out_of_runs: false,
        }
    }

    /// As [`next`], given what was known in earlier calls and perhaps more.
    pub fn next(&mut self, known: &impl Known) -> Said<FoundPlan> {
        loop {
            if let Step::Done(plan) = &self.step {
                let answer = Some((**plan).clone());
                return self.said(Vec::new(), answer);
            }
            let Some(round) = self.round.take().or_else(|| self.decide()) else { continue };
            let is_missing =
                |wish: &&Wish| known.refused(&wish.place).is_none() && known.outcome(&wish.place, wish.seed).is_none();
            let missing: Vec<Wish> = round.wishes.iter().filter(is_missing).cloned().collect();
            if !missing.is_empty() {
                self.round = Some(round);
                return self.said(missing, None);
            }
            let places: Vec<Place> = round.wishes.iter().map(|wish| wish.place.clone()).collect();
            for wish in &round.wishes {
                self.evidence.take(&self.problem, &wish.place, wish.seed, known);
            }
            if matches!(self.step, Step::Spread) {
                self.evidence.settle_gauges(&self.problem);
            }
            self.evidence.digest(&self.problem, &places);
            self.arrived();
        }
    }

    fn said(&self, wishes: Vec<Wish>, answer: Option<FoundPlan>) -> Said<FoundPlan> {
        let mut places: Vec<Place> = self.evidence.records.iter().map(|record| record.place.clone()).collect();
        let mut standings: Vec<Standing> = (0..places.len()).map(|at| self.standing(at)).collect();
        let seen: BTreeSet<&Place> = places.iter().collect();
        let mut added: Vec<Place> = Vec::new();
        for wish in &wishes {
            if !seen.contains(&wish.place) && added.last() != Some(&wish.place) && !added.contains(&wish.place) {
                added.push(wish.place.clone());
            }
        }
        standings.extend(added.iter().map(|_| Standing::Open));
        places.extend(added);
        Said { wishes, places, standings, doing: self.doing.to_owned(), answer }
    }

    fn standing(&self, at: usize) -> Standing {
        let record = &self.evidence.records[at];
        let is_leading = match &self.step {
            Step::Confirm(confirmation) => confirmation.place == record.place,
            _ => false,
        };
        let belief = self.evidence.belief(at, &self.walks[0].counts);
        if is_leading || self.confirmed.iter().any(|(place, ..)| *place == record.place) {
            Standing::Leading
        } else if record.is_dropped || belief.holds < 0.05 {
            Standing::Misses
        } else if (belief.holds >= self.sure || matches!(self.step, Step::Done(_))) && self.is_beaten(at) {
            Standing::Beaten
        } else {
            Standing::Open
        }
    }

    /// A place that is as sure is better in everything that is preferred.
    fn is_beaten(&self, at: usize) -> bool {
        let better = |walk: &Walk| {
            walk.lead.is_some_and(|lead| {
                let (lead, own) = (&self.evidence.records[lead], &self.evidence.records[at]);
                lead.place != own.place && lead.costs.iter().zip(&own.costs).all(|(lead, own)| lead <= own)
            })
        };
        self.walks.iter().any(better)
    }

    /// Runs that may still be made.
    fn left(&self) -> u32 {
        self.problem.most_runs.saturating_sub(self.evidence.runs)
    }

    /// Runs that are kept for the confirmation.
    fn reserve(&self) -> u32 {
        let confirm = self.problem.confirm;
        confirm.max((confirm + confirm / 2).min(self.problem.most_runs / 4 * 3))
    }

    /// Cuts a round down to the runs that may be made, keeping some back; none where nothing is left of it.
    fn within(&mut self, mut round: Round, kept_back: u32) -> Option<Round> {
        let most = self.left().saturating_sub(kept_back) as usize;
        // Refused places cost no run, and yet there may be no end of them.
        let has_looked_long = self.evidence.records.len() > 4 * self.problem.most_runs as usize;
        if round.wishes.len() > most || has_looked_long {
            self.is_out_of_runs = true;
            round.wishes.truncate(if has_looked_long { 0 } else { most });
        }
        (!round.wishes.is_empty()).then_some(round)
    }

    /// The round that the present step asks for, or none where the step ended.
    fn decide(&mut self) -> Option<Round> {
        match self.step.clone() {
            Step::Spread => {
                let round = self.spread();
                let kept_back = self.reserve();
                let round = self.within(round, kept_back);
                if round.is_none() {
                    self.step = Step::Walk(0);
                }
                round
            }
            Step::Compare => {
                self.doing = "Narrowing down";
                let mut round = Round::default();
                let mut order = self.ranked(&self.walks[0]);
                order.truncate(order.len().div_ceil(2).max(2));
                for at in order {
                    let place = self.evidence.records[at].place.clone();
                    round.seeds(&self.evidence, &place, 0..2);
                }
                let kept_back = self.reserve();
                let round = self.within(round, kept_back);
                if round.is_none() {
                    self.step = Step::Walk(0);
                }
                round
            }
            Step::Walk(number) => {
                self.doing = if self.without_any() { "Narrowing down" } else { "Looking for what binds" };
                let mut walk = self.walks[number].clone();
                let kept_back = if walk.counts.iter().all(|counts| *counts) { self.reserve() } else { 0 };
                let round = walk.round(self);
                self.walks[number] = walk;
                let round = round.and_then(|round| self.within(round, kept_back));
                if round.is_none() {
                    self.after_walk(number);
                }
                round
            }
            Step::Confirm(confirmation) => {
                self.doing = "Confirming on unseen seeds";
                let half = if confirmation.done == 0 { self.problem.confirm.div_ceil(2) } else { self.problem.confirm };
                let mut round = Round::default();
                let seeds = confirmation.first + confirmation.done..confirmation.first + half;
                round.seeds(&self.evidence, &confirmation.place, seeds);
                let most = self.left() as usize;
                if round.wishes.len() > most {
                    self.is_out_of_runs = true;
                    round.wishes.clear();
                }
                if round.wishes.is_empty() {
                    self.end_confirmation(&confirmation, false);
                    return None;
                }
                self.step = Step::Confirm(Confirmation { done: half, ..confirmation });
                Some(round)
            }
            Step::TradeOff(mut places) => {
                match places.is_empty() {
                    false => {
                        let place = places.remove(0);
                        self.walks[0].later = places;
                        self.confirm(place, Purpose::TradeOff);
                    }
                    true => self.step = Step::Margins(0),
                }
                None
            }
            Step::Margins(done) => {
                self.doing = "Looking for margins";
                let round = self.margins(done);
                let round = self.within(round, 0);
                match (&round, self.better()) {
                    (Some(_), _) => self.step = Step::Margins(done + 1),
                    (None, Some(place)) => self.confirm(place, Purpose::Answer),
                    (None, None) => self.step = self.finished(),
                }
                round
            }
            Step::Binding => {
                self.look_for_binding();
                None
            }
            Step::Done(_) => None,
        }
    }

    fn without_any(&self) -> bool {
        self.nearest.is_none()
    }

    /// What follows on a round that is complete.
    fn arrived(&mut self) {
        match self.step.clone() {
            Step::Spread => self.step = Step::Compare,
            Step::Compare => self.step = Step::Walk(0),
            Step::Confirm(confirmation) => self.judge(confirmation),
            _ => {}
        }
    }

    /// The first places: the scenario as it is, with what theory recommends, and places that fill the ranges evenly.
    fn spread(&self) -> Round {
        let mut round = Round::default();
        let problem = &self.problem;
        let ordered = problem.axes.iter().filter(|axis| !axis.is_words && axis.values.len() > 1).count();
        let arms: usize = problem.axes.iter().filter(|axis| axis.is_words).map(|axis| axis.values.len()).product();
        let usual = 4 + 4 * ordered + 2 * (arms - 1).min(12);
        let quarter = whole_index(problem.grid() / 4.0);
        let count = usual.min(quarter.max(3));
        let given = [problem.recommended(), problem.present()];
        let given: Vec<Place> = given.into_iter().flatten().collect();
        let evenly = (0..4 * count).map(|number| self.even_place(number));
        let mut places: Vec<Place> = Vec::new();
        for place in given.into_iter().chain(evenly) {
            if places.len() < count.max(2) && !places.contains(&place) {
                places.push(place);
            }
        }
        for place in places {
            round.seeds(&self.evidence, &place, 0..1);
        }
        round
    }

    /// A place of an additive sequence of low discrepancy: the powers of the root of x^(d+1) = x + 1 (Roberts 2018).
    fn even_place(&self, number: usize) -> Place {
        let axes = &self.problem.axes;
        let ordered = axes.iter().filter(|axis| !axis.is_words).count();
        let mut root: f64 = 1.5;
        for _ in 0..60 {
            root = libm::pow(1.0 + root, 1.0 / (ordered as f64 + 1.0));
        }
        let (mut step, mut arms) = (1.0, number);
        let mut place = Place::with_capacity(axes.len());
        for (factor, axis) in axes.iter().enumerate() {
            if axis.is_words {
                place.push(saturated_u32(arms % axis.values.len()));
                arms /= axis.values.len();
            } else {
                step /= root;
                let part = 0.5 + step * (number as f64 + 1.0);
                let part = part - part.floor();
                let last = self.problem.count(factor) as f64;
                let at = whole(part * last);
                place.push(saturated_u32(at).min(self.problem.at(factor, 1.0)));
            }
        }
        place
    }

    /// Places from the best to the worst in the sense of a walk.
    fn ranked(&self, walk: &Walk) -> Vec<usize> {
        let mut scores: Vec<(walk::Score, usize)> =
            (0..self.evidence.records.len()).map(|at| (walk.score(self, at), at)).collect();
        scores.sort_by(|left, right| left.0.total_cmp(&right.0).then(left.1.cmp(&right.1)));
        scores.into_iter().map(|(_, at)| at).collect()
    }

    /// What follows on a walk that came to its end.
    fn after_walk(&mut self, number: usize) {
        if !self.without_any() {
            self.step = Step::Binding;
            return;
        }
        let lead = self.walks[number].lead.filter(|at| self.walks[number].is_met(self, *at));
        if number == 0 && lead.is_none() {
            let nearest = self.ranked(&self.walks[0]).first().map(|at| self.evidence.records[*at].clone());
            match nearest {
                Some(record) if record.why.is_none() && self.failures == 0 => {
                    self.confirm(record.place, Purpose::Nearest)
                }
                _ => self.take_nearest(),
            }
            return;
        }
        if number == 1 {
            self.settle_ideal();
        }
        if number + 1 < self.walks.len() {
            self.step = Step::Walk(number + 1);
        } else if self.confirmed.is_empty() {
            // The first preference leads; the others are confirmed as points of the trade-off.
            let place = self.walks[0].lead.map(|at| self.evidence.records[at].place.clone());
            if let Some(place) = place {
                self.confirm(place, Purpose::Answer);
            }
        } else {
            let front = self.front();
            self.step = Step::TradeOff(front);
        }
    }

    /// The two ends of a trade-off say what the best of each preference is, and how far it ranges.
    fn settle_ideal(&mut self) {
        let ends: Vec<[f64; 2]> =
            self.walks[..2].iter().filter_map(|walk| walk.lead).map(|at| self.evidence.records[at].costs).collect();
        for preference in 0..2 {
            let of = |ends: &[[f64; 2]]| -> Vec<f64> { ends.iter().map(|costs| costs[preference]).collect() };
            let costs = of(&ends);
            let least = costs.iter().copied().fold(f64::INFINITY, f64::min);
            let most = costs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            if least.is_finite() && most.is_finite() {
                self.ideal[preference] = (least, (most - least).max(1e-9));
            }
        }
    }

    /// Places that keep the targets and than which none is better in both preferences, from the best in the first on.
    fn front(&self) -> Vec<Place> {
        let counts = &self.walks[0].counts;
        let is_sure = |at: &usize| {
            let record = &self.evidence.records[*at];
            let is_confirmed = self.confirmed.iter().any(|(place, ..)| *place == record.place);
            !record.is_dropped && (is_confirmed || self.evidence.belief(*at, counts).holds >= self.sure)
        };
        let mut sure: Vec<usize> = (0..self.evidence.records.len()).filter(is_sure).collect();
        let costs = |at: usize| self.evidence.records[at].costs;
        sure.sort_by(|left, right| {
            costs(*left)[0].total_cmp(&costs(*right)[0]).then(costs(*left)[1].total_cmp(&costs(*right)[1]))
        });
        let mut front: Vec<usize> = Vec::new();
        for at in sure {
            if front.last().is_none_or(|last| costs(at)[1] < costs(*last)[1]) {
                front.push(at);
            }
        }
        // Those that lie apart, if there are many.
        while front.len() > TRADE_OFF_POINTS {
            let gap = |at: usize| {
                let (before, after) = (costs(front[at - 1]), costs(front[at + 1]));
                (0..2)
                    .map(|preference| (after[preference] - before[preference]).abs() / self.ideal[preference].1)
                    .sum::<f64>()
            };
            let least = (1..front.len() - 1).min_by(|left, right| gap(*left).total_cmp(&gap(*right))).unwrap_or(1);
            front.remove(least);
        }
        front.into_iter().map(|at| self.evidence.records[at].place.clone()).collect()
    }

    fn confirm(&mut self, place: Place, of: Purpose) {
        let first = self.problem.fresh() + self.confirmations * self.problem.confirm;
        self.confirmations += 1;
        self.step = Step::Confirm(Confirmation { place, first, done: 0, of });
    }

    /// Whether a candidate is confirmed by the seeds that are there, still may be, or failed.
    fn judge(&mut self, confirmation: Confirmation) {
        let Some(at) = self.evidence.find(&confirmation.place) else { return };
        let (first, done, confirm) = (confirmation.first, confirmation.done, self.problem.confirm);
        let record = &self.evidence.records[at];
        let may_hold = self.problem.targets.iter().all(|target| {
            let numbers: Vec<_> = record
                .numbers(self.problem.measures, target.measure, |seed| (first..first + done).contains(&seed))
                .collect();
            done - Evidence::held(target, &numbers) <= confirm - target.needed(confirm)
        });
        if record.why.is_some() || (!may_hold && (confirmation.of != Purpose::Nearest || done == confirm)) {
            self.end_confirmation(&confirmation, false);
        } else if done == confirm {
            self.end_confirmation(&confirmation, may_hold);
        }
    }

    fn end_confirmation(&mut self, confirmation: &Confirmation, holds: bool) {
        let of = (confirmation.place.clone(), confirmation.first, confirmation.done, self.confirmations);
        let at = self.evidence.find(&confirmation.place);
        if !holds {
            self.failures += u32::from(confirmation.done > 0);
            if let Some(at) = at {
                self.evidence.records[at].is_dropped = confirmation.done > 0;
            }
        }
        match (confirmation.of, holds) {
            (Purpose::Answer | Purpose::Nearest, true) => {
                // One that its neighbour turned out to be better than steps back.
                self.confirmed.insert(0, of);
                self.walks[0].lead = at;
                let front = if self.problem.prefer.len() > 1 { self.front() } else { Vec::new() };
                self.step = Step::TradeOff(front.into_iter().filter(|place| *place != confirmation.place).collect());
            }
            (Purpose::TradeOff, _) => {
                if holds {
                    self.confirmed.push(of);
                }
                self.step = Step::TradeOff(std::mem::take(&mut self.walks[0].later));
            }
            (Purpose::Answer, false) if !self.confirmed.is_empty() => self.step = Step::Margins(0),
            (Purpose::Answer, false) => {
                self.sure = 1.0 - (1.0 - self.sure) / 2.0;
                if self.left() < self.problem.confirm || self.failures >= MOST_FAILURES {
                    self.is_out_of_runs |= self.left() < self.problem.confirm;
                    self.take_nearest();
                } else {
                    self.walks.iter_mut().for_each(Walk::again);
                    self.step = Step::Walk(0);
                }
            }
            (Purpose::Nearest, false) => {
                self.nearest = Some(of);
                self.step = Step::Binding;
            }
        }
    }

    /// No place is confirmed: the one that comes nearest is that which holds most often of those confirmed, or misses least.
    fn take_nearest(&mut self) {
        let counts = self.walks[0].counts.clone();
        // What would have been confirmed next, where runs are at their end.
        let lead = self.walks[0].lead.filter(|at| self.walks[0].is_met(self, *at));
        let key = |at: &usize| {
            let record = &self.evidence.records[*at];
            let fresh = record.seeds.iter().filter(|seed| **seed >= self.problem.fresh()).count();
            (self.evidence.belief(*at, &counts).violation, std::cmp::Reverse(fresh))
        };
        let places = 0..self.evidence.records.len();
        let best = places.min_by(|left, right| {
            let (left, right) = (key(left), key(right));
            left.0.total_cmp(&right.0).then(left.1.cmp(&right.1))
        });
        self.nearest = lead.or(best).map(|at| {
            let record = &self.evidence.records[at];
            let fresh: Vec<u32> = record.seeds.iter().copied().filter(|seed| *seed >= self.problem.fresh()).collect();
            let first = fresh.first().copied().unwrap_or(self.problem.fresh());
            let count = saturated_u32(fresh.len());
            (record.place.clone(), first, count, self.confirmations)
        });
        self.step = if self.nearest.is_some() { Step::Binding } else { self.finished() };
    }

    /// Of each target that the nearest place misses: is there a place at which all others hold?
    fn look_for_binding(&mut self) {
        let Some(at) = self.nearest.as_ref().and_then(|(place, ..)| self.evidence.find(place)) else {
            self.step = self.finished();
            return;
        };
        for target in self.missed(at) {
            if self.without.iter().any(|(known, _)| *known == target) {
                continue;
            }
            let mut counts = vec![true; self.problem.targets.len()];
            counts[target] = false;
            let holds = |at: &usize| self.evidence.belief(*at, &counts).holds >= 0.5;
            let place = (0..self.evidence.records.len()).find(holds);
            if let Some(place) = place {
                self.without.push((target, self.evidence.records[place].place.clone()));
            } else if self.walks.iter().all(|walk| walk.counts != counts)
                && self.left() > 0
                && self.evidence.records[at].why.is_none()
            {
                self.walks.push(Walk::new(Goal::Any, counts));
                self.step = Step::Walk(self.walks.len() - 1);
                return;
            }
        }
        self.step = self.finished();
    }

    /// The targets that a place misses, by the seeds that are known of it.
    fn missed(&self, at: usize) -> Vec<usize> {
        let misses = |target: &usize| self.evidence.margin(at, *target).is_none_or(|margin| margin < 0.0);
        let missed: Vec<usize> = (0..self.problem.targets.len()).filter(misses).collect();
        if !missed.is_empty() {
            return missed;
        }
        self.evidence.weakest(at).into_iter().collect()
    }

    /// A place about the answer that is preferred to it, and of which the runs for the margins have made sure: it was not sure enough
    /// before. Of two preferences the trade-off tells such places.
    fn better(&self) -> Option<Place> {
        let (answer, ..) = self.confirmed.first()?;
        let answer = &self.evidence.records[self.evidence.find(answer)?];
        if self.problem.prefer.len() != 1 || self.left() < self.problem.confirm || self.failures >= MOST_FAILURES {
            return None;
        }
        let cost = |at: usize| self.evidence.records[at].costs[0];
        let is_better = |at: &usize| {
            let is_sure = || self.evidence.belief(*at, &self.walks[0].counts).holds >= self.sure;
            cost(*at) < answer.costs[0] && !self.evidence.records[*at].is_dropped && is_sure()
        };
        let better = (0..self.evidence.records.len()).filter(is_better);
        let best = better.min_by(|left, right| cost(*left).total_cmp(&cost(*right)));
        best.map(|at| self.evidence.records[at].place.clone())
    }

    /// Whether all targets surely hold at a place that margins are looked for at.
    fn keeps(&self, place: &[u32]) -> Option<bool> {
        let at = self.evidence.find(place)?;
        let record = &self.evidence.records[at];
        let is_confirmed = self.confirmed.iter().any(|(confirmed, ..)| confirmed == place);
        Some(is_confirmed || !record.is_dropped && self.evidence.belief(at, &self.walks[0].counts).holds >= self.sure)
    }

    /// A factor moved alone one way: the last place up to which all that was tried holds, and the first that breaks.
    fn reach(&self, place: &[u32], factor: usize, is_up: bool) -> (u32, Option<u32>) {
        let (own, mut last) = (place[factor], place[factor]);
        let end = if is_up { self.problem.at(factor, 1.0) } else { 0 };
        let mut other = place.to_vec();
        let steps = own.abs_diff(end);
        for step in 1..=steps {
            other[factor] = if is_up { own + step } else { own - step };
            match self.keeps(&other) {
                Some(true) => last = other[factor],
                Some(false) => return (last, Some(other[factor])),
                None => {}
            }
        }
        (last, None)
    }

    /// Runs about the answer: the first guess, its neighbours, further ones at twice the distance each, and then what lies between the
    /// last that holds and the first that breaks.
    fn margins(&self, done: u32) -> Round {
        let mut round = Round::default();
        let Some((place, ..)) = self.confirmed.first() else { return round };
        if let Some(guess) = self.problem.recommended().filter(|_| done == 0) {
            round.seeds(&self.evidence, &guess, 0..self.problem.seeds);
        }
        let few = self.problem.seeds.min(MARGIN_SEEDS);
        for (factor, axis) in
            self.problem.axes.iter().enumerate().filter(|(_, axis)| !axis.is_words && axis.values.len() > 1)
        {
            let last_place = self.problem.at(factor, 1.0);
            for is_up in [false, true] {
                let at = |distance: u32| {
                    if is_up {
                        (place[factor] + distance).min(last_place)
                    } else {
                        place[factor].saturating_sub(distance)
                    }
                };
                let mut wanted = Vec::new();
                if done == 0 {
                    let mut distance = 1;
                    while at(distance) != place[factor] && at(distance) != at(distance / 2)
                        || distance == 1 && at(1) != place[factor]
                    {
                        wanted.push((at(distance), if distance == 1 { self.problem.seeds } else { few }));
                        if distance as usize > axis.values.len()
                            || self.keeps_at(place, factor, at(distance)) == Some(false)
                        {
                            break;
                        }
                        distance *= 2;
                    }
                } else if done <= MARGIN_ROUNDS {
                    let (holds, breaks) = self.reach(place, factor, is_up);
                    if let Some(breaks) = breaks.filter(|breaks| breaks.abs_diff(holds) > 1) {
                        wanted.push(((holds + breaks) / 2, few));
                    }
                }
                for (value, seeds) in wanted {
                    let mut other = place.clone();
                    other[factor] = value;
                    round.seeds(&self.evidence, &other, 0..seeds);
                }
            }
        }
        round
    }

    fn keeps_at(&self, place: &[u32], factor: usize, value: u32) -> Option<bool> {
        let mut other = place.to_vec();
        other[factor] = value;
        self.keeps(&other)
    }

    /// What breaks where a factor is moved alone.
    fn broken(&self, place: &[u32], factor: usize, value: u32) -> Break {
        let mut other = place.to_vec();
        other[factor] = value;
        let what = self.evidence.find(&other).map_or(Ok((0, None)), |at| {
            let record = &self.evidence.records[at];
            if let Some(why) = &record.why {
                return Err(why.clone());
            }
            let weakest = self.evidence.weakest(at).unwrap_or(0);
            let numbers = record.numbers(self.problem.measures, self.problem.targets[weakest].measure, |_| true);
            let numbers: Vec<f64> = numbers.flatten().collect();
            Ok((weakest, (!numbers.is_empty()).then(|| crate::statistics::mean(&numbers))))
        });
        Break { at: value, what }
    }

    /// The answer.
    fn finished(&self) -> Step {
        let problem = &self.problem;
        let is_met = !self.confirmed.is_empty();
        let told = self.confirmed.first().or(self.nearest.as_ref());
        let mut plan = FoundPlan {
            is_met,
            place: None,
            fares: Vec::new(),
            preferred: Vec::new(),
            held: 0,
            of: 0,
            at_least: 0.0,
            failures: self.failures - u32::from(!is_met && self.failures > 0),
            reaches: Vec::new(),
            trade_off: Vec::new(),
            first_guess: problem.recommended().filter(|place| self.evidence.find(place).is_some()),
            without: self.without.clone(),
            places: self.evidence.records.len(),
            grid: problem.grid(),
            runs: self.evidence.runs,
            is_out_of_runs: self.is_out_of_runs,
            why: None,
        };
        if let Some((place, first, of, number)) = told {
            let at = self.evidence.find(place);
            if let Some(record) = at.map(|at| &self.evidence.records[at]) {
                plan.why = record.why.clone();
                let numbers = |measure: usize| -> Vec<Option<f64>> {
                    record.numbers(problem.measures, measure, |seed| (*first..first + of).contains(&seed)).collect()
                };
                let binding = at.map(|at| self.missed(at)).unwrap_or_default();
                plan.fares = problem
                    .targets
                    .iter()
                    .enumerate()
                    .map(|(target, bound)| {
                        let numbers = numbers(bound.measure);
                        let is_binding = binding.contains(&target);
                        Fare {
                            held: Evidence::held(bound, &numbers),
                            margin: margin(bound, &numbers),
                            numbers,
                            is_binding,
                        }
                    })
                    .collect();
                plan.preferred = problem
                    .prefer
                    .iter()
                    .map(|aim| match aim.of {
                        Quantity::Measure(measure) => numbers(measure),
                        Quantity::Factor(factor) => vec![Some(f64::from(place[factor]))],
                    })
                    .collect();
                let holds = |run: &u32| {
                    plan.fares.iter().zip(&problem.targets).all(|(fare, bound)| {
                        fare.numbers.get(*run as usize).copied().flatten().is_some_and(|number| bound.holds(number))
                    })
                };
                plan.of = *of;
                plan.held = saturated_u32((0..*of).filter(holds).count());
                let risk = (0..*number).fold(RISK, |risk, _| risk / 2.0);
                plan.at_least = if plan.of > 0 { least_share(plan.held, plan.of, risk) } else { 0.0 };
            }
            plan.place = Some(place.clone());
            if is_met {
                let ordered = problem.axes.iter().enumerate().filter(|(_, axis)| !axis.is_words);
                plan.reaches = ordered
                    .map(|(factor, _)| {
                        let (from, below) = self.reach(place, factor, false);
                        let (to, above) = self.reach(place, factor, true);
                        let broken = |at: u32| self.broken(place, factor, at);
                        Reach { factor, from, to, below: below.map(broken), above: above.map(broken) }
                    })
                    .collect();
                if problem.prefer.len() > 1 {
                    let is_confirmed = |place: &Place| self.confirmed.iter().any(|(known, ..)| known == place);
                    plan.trade_off =
                        self.front().into_iter().map(|place| (place.clone(), is_confirmed(&place))).collect();
                }
            }
        }
        Step::Done(Box::new(plan))
    }
}

/// How far the worst of the seeds that count lies on the good side of the bound: as many of the worst may miss as the share allows.
fn margin(bound: &Bound, numbers: &[Option<f64>]) -> Option<f64> {
    let distance = |number: f64| {
        let above = bound.at_most.map_or(f64::INFINITY, |most| most - number);
        above.min(bound.at_least.map_or(f64::INFINITY, |least| number - least))
    };
    let mut distances: Vec<f64> = numbers.iter().map(|number| number.map_or(f64::NEG_INFINITY, distance)).collect();
    distances.sort_unstable_by(f64::total_cmp);
    let of = saturated_u32(distances.len());
    distances.get((of - bound.needed(of)) as usize).copied().filter(|distance| distance.is_finite())
}

#[cfg(test)]
mod tests;
