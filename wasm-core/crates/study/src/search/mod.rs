//! Search: which settings meet the targets, and which of those is best.
//!
//! In turn: a spread of points and the halving of it ([`Step::Spread`], [`Step::Compare`]); a walk from the best of them along what results
//! foretell, in ever smaller steps ([`walk`]); a confirmation of what it ends at, on seeds that the search never used; where that fails, the
//! point is dropped and the walk goes on; and at last how far each factor may move alone ([`margins`]). Where no point keeps the targets it looks
//! for what binds ([`binding`]). Nothing is assumed of the measures: what a surface
//! foretells and where a bisection points to are proposals that runs decide on.
//!
//! Each round is decided on the complete results of those before, so that it does not matter in which order results come.

mod binding;
mod evidence;
mod found;
mod margins;
mod outcome;
mod problem;
mod rays;
mod remaining;
mod surface;
mod walk;

use std::collections::BTreeSet;

use evidence::Evidence;
pub use found::{Names, found};
pub use outcome::{Break, Fare, FoundPlan, Reach};
pub(crate) use problem::usual_runs;
pub use problem::{Aim, Bound, Quantity, Search};
use qoscope_engine::kernel::convert::{saturated_u32, whole};
use walk::{Goal, Walk};

use crate::plan::{Known, Place, Said, Wish};
use crate::table::Standing;

/// Candidates of a trade-off that are confirmed at most.
const TRADE_OFF_POINTS: usize = 9;

/// Confirmations that fail at most before the search gives up.
const MOST_FAILURES: u32 = 12;

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
    /// Looks at settings that the walk did not lead to, as no place keeps the targets.
    Remaining,
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
        self.problem.max_runs.saturating_sub(self.evidence.runs)
    }

    /// Runs that are kept for the confirmation.
    fn reserve(&self) -> u32 {
        let confirm = self.problem.confirm;
        confirm.max((confirm + confirm / 2).min(self.problem.max_runs / 4 * 3))
    }

    /// Cuts a round down to the runs that may be made, keeping some back; none where nothing is left of it.
    fn within(&mut self, mut round: Round, kept_back: u32) -> Option<Round> {
        let most = self.left().saturating_sub(kept_back) as usize;
        // Refused places cost no run, and yet there may be no end of them.
        let has_looked_long = self.evidence.records.len() > 4 * self.problem.max_runs as usize;
        if round.wishes.len() > most || has_looked_long {
            // Without runs kept back, only what is told of an answer is left out.
            self.is_out_of_runs |= kept_back > 0;
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
            Step::Remaining => {
                self.doing = "Looking at the remaining settings";
                let kept_back = self.reserve();
                let round = self.remaining(self.left().saturating_sub(kept_back) as usize);
                let round = self.within(round, kept_back);
                if round.is_none() {
                    self.end_without_answer();
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
            Step::Remaining => {
                let is_met = |at: &usize| self.walks[0].is_met(self, *at);
                if self.ranked(&self.walks[0]).first().is_some_and(is_met) {
                    self.walks[0].again();
                    self.step = Step::Walk(0);
                }
            }
            Step::Confirm(confirmation) => self.judge(confirmation),
            _ => {}
        }
    }

    /// The first places: the scenario as it is, with what theory recommends, and places that fill the ranges evenly.
    fn spread(&self) -> Round {
        let mut round = Round::default();
        let problem = &self.problem;
        let count = problem.spread_size();
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
            self.step = Step::Remaining;
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

    /// No place keeps the targets, of all that there are or that the runs allowed to look at.
    fn end_without_answer(&mut self) {
        let nearest = self.ranked(&self.walks[0]).first().map(|at| self.evidence.records[*at].clone());
        match nearest {
            Some(record) if record.why.is_none() && self.failures == 0 => self.confirm(record.place, Purpose::Nearest),
            _ => self.take_nearest(),
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
                if self.left() < self.problem.confirm {
                    self.is_out_of_runs = true;
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
}

#[cfg(test)]
mod tests;
