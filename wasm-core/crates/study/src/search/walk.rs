//! The walk: from the best places known, along what results foretell, in ever smaller steps.
//!
//! A round gives more seeds to the lead and to those that may be better, and goes to a few new places about the lead: those that the response
//! surface holds for best, more or less daring; the middle between the lead and the nearest better place that misses; and, while there are
//! too few results near it for a surface, a step along each axis. Where a round brings no better lead, steps are halved. At steps of one
//! value the neighbours of the lead are looked at, and then, a few times, places far from all that is known that would be better.

use qoscope_engine::kernel::convert::{index, index_u32, saturated_u32};
use qoscope_engine::kernel::random::Stream;

use super::evidence::Belief;
use super::surface::{Offset, Sample, Surface};
use super::{Quantity, Round, Searcher};
use crate::plan::Place;

/// The first radius, in parts of each range.
const FIRST_RADIUS: f64 = 0.5;

/// Places about the lead that are compared by the surface in a round.
const MOST_COMPARED: usize = 1000;

/// Results that a surface is fitted to, the nearest.
const MOST_SAMPLES: usize = 200;

/// Neighbours of the lead that are run in a round.
const MOST_NEIGHBOURS: usize = 10;

/// Places that may be better and are given more seeds in a round.
const MOST_RIVALS: usize = 4;

/// A place that keeps its targets with less than this probability is given up.
const HOPE: f64 = 0.05;

/// A place that is better by so much, and keeps its targets with so much probability, is worth as many seeds again.
const WORTH: f64 = 0.01;
const DOUBT: f64 = 0.3;

/// Looks far away: where a place keeps the targets, and where none does.
const FAR_LOOKS: [u32; 2] = [2, 5];

/// Seeds of a place in a walk whose steps are still large.
const FEW_SEEDS: u32 = 4;

/// Where a walk goes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Goal {
    /// To any place that keeps the targets.
    Any,
    /// To the least cost in the first preference, and among those alike in the second.
    First,
    /// In the second, and among those alike in the first.
    Second,
    /// Between both: the greater of the two costs, weighted, counted from the best of each.
    Both(f64),
}

/// How good a place is: those that keep the targets come before the others; the less the better.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Score {
    misses: bool,
    number: f64,
}

impl Score {
    pub fn total_cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.misses.cmp(&other.misses).then(self.number.total_cmp(&other.number))
    }
}

/// The moves of a walk along rays.
#[derive(Clone, Debug, Default)]
pub(super) struct Rays {
    /// Places that were predicted to keep the targets, and are not judged yet.
    pub(super) predicted: Vec<Place>,
    /// Predictions that failed since one was right.
    pub(super) misses: u32,
}

/// A walk.
#[derive(Clone, Debug)]
pub(super) struct Walk {
    goal: Goal,
    /// Which targets count.
    pub counts: Vec<bool>,
    radius: f64,
    rounds: u64,
    far_looks: u32,
    /// The best place by now.
    pub lead: Option<usize>,
    best: Option<Score>,
    /// Points of a trade-off that are confirmed later.
    pub later: Vec<Place>,
    pub(super) rays: Rays,
}

impl Walk {
    pub fn new(goal: Goal, counts: Vec<bool>) -> Self {
        Self {
            goal,
            counts,
            radius: FIRST_RADIUS,
            rounds: 0,
            far_looks: 0,
            lead: None,
            best: None,
            later: Vec::new(),
            rays: Rays::default(),
        }
    }

    /// Goes on, in small steps, after its end was not confirmed.
    pub fn again(&mut self) {
        self.radius = self.radius.max(FIRST_RADIUS / 8.0);
        self.best = None;
    }

    /// What a place costs in the sense of the walk.
    pub(super) fn cost(&self, search: &Searcher, costs: [f64; 2]) -> f64 {
        // Alike is what differs by less than a step of the longest axis, or a thousandth of a measure.
        let alike = |leading: f64, other: f64| leading + if other.is_finite() { 5e-4 * other } else { 0.0 };
        match self.goal {
            Goal::Any => 0.0,
            Goal::First => alike(costs[0], if search.problem.prefer.len() > 1 { costs[1] } else { 0.0 }),
            Goal::Second => alike(costs[1], costs[0]),
            Goal::Both(weight) => {
                let part = |preference: usize| {
                    let (least, range) = search.ideal[preference];
                    (costs[preference] - least) / range
                };
                let (first, second) = (weight * part(0), (1.0 - weight) * part(1));
                first.max(second) + 0.05 * (first + second)
            }
        }
    }

    /// Whether a place is believed, surely enough, to keep the targets.
    pub fn is_met(&self, search: &Searcher, at: usize) -> bool {
        let record = &search.evidence.records[at];
        let holds = search.evidence.belief(at, &self.counts).holds;
        !record.is_dropped && holds >= search.sure && self.cost(search, record.costs).is_finite()
    }

    pub fn score(&self, search: &Searcher, at: usize) -> Score {
        let record = &search.evidence.records[at];
        if self.is_met(search, at) {
            Score { misses: false, number: self.cost(search, record.costs) }
        } else {
            // Those that were confirmed and failed stand last of those that have numbers.
            let violation = search.evidence.belief(at, &self.counts).violation;
            Score { misses: true, number: violation + if record.is_dropped { 1e3 } else { 0.0 } }
        }
    }

    /// The next round; none where the walk is at its end.
    pub fn round(&mut self, search: &Searcher) -> Option<Round> {
        let order = search.ranked(self);
        let lead = *order.first()?;
        let score = self.score(search, lead);
        let is_better = self.best.is_none_or(|best| score.total_cmp(&best).is_lt());
        if let Some(before) = self.lead.filter(|before| *before != lead && is_better) {
            // A better place far away is walked from in large steps again.
            self.radius = self.radius.max(self.distance(search, before, lead).min(FIRST_RADIUS) / 2.0);
        } else if !is_better {
            self.radius /= 2.0;
        }
        (self.lead, self.best) = (Some(lead), Some(score));
        if self.goal == Goal::Any && !score.misses {
            return None;
        }
        loop {
            self.rounds += 1;
            let mut round = Round::default();
            let is_fine = self.is_fine(search);
            self.strengthen(search, lead, &order, is_fine, &mut round);
            if is_fine {
                self.neighbours(search, lead, &mut round);
                self.follow_rays(search, lead, &mut round);
                if round.wishes.is_empty() && self.far_looks < FAR_LOOKS[usize::from(score.misses)] {
                    self.far_looks += 1;
                    self.far(search, lead, &mut round);
                    if round.wishes.is_empty() {
                        continue;
                    }
                }
                return (!round.wishes.is_empty()).then_some(round);
            }
            for lead in self.leads(search, &order) {
                self.propose(search, lead, &mut round);
            }
            if !round.wishes.is_empty() {
                return Some(round);
            }
            self.radius /= 2.0;
        }
    }

    /// Steps are smaller than from one value to the next.
    fn is_fine(&self, search: &Searcher) -> bool {
        let axes = search.problem.axes.iter().filter(|axis| !axis.is_words);
        axes.map(|axis| axis.values.len() as f64 - 1.0).all(|last| self.radius * last < 1.0)
    }

    /// Gives more seeds to the lead and to those that may be better than it.
    pub(super) fn strengthen(&self, search: &Searcher, lead: usize, order: &[usize], is_fine: bool, round: &mut Round) {
        let problem = &search.problem;
        let most = if is_fine { problem.seeds } else { FEW_SEEDS.min(problem.seeds) };
        let own = &search.evidence.records[lead];
        let count = |at: usize| search.evidence.count(problem, &search.evidence.records[at].place);
        let more = |count: u32| (2 * count).max(2).min(most);
        if !own.is_hopeless() {
            let holds = search.evidence.belief(lead, &self.counts).holds;
            let wanted = if is_fine && holds >= search.sure {
                most
            } else if is_fine && holds >= DOUBT && count(lead) == problem.seeds && !own.is_dropped {
                problem.fresh()
            } else {
                more(count(lead))
            };
            round.seeds(&search.evidence, &own.place, 0..wanted);
        }
        let is_met = self.is_met(search, lead);
        let cost = self.cost(search, own.costs);
        let violation = search.evidence.belief(lead, &self.counts).violation;
        let mut rivals: Vec<(f64, usize)> = Vec::new();
        for at in order.iter().copied().filter(|at| *at != lead && count(*at) < most) {
            let record = &search.evidence.records[at];
            let belief = search.evidence.belief(at, &self.counts);
            if record.is_hopeless() || record.is_dropped {
                continue;
            }
            if is_met {
                // What the other costs less, as far as so few seeds can tell.
                let scatter =
                    (record.cost_variances[0].max(own.cost_variances[0]) / f64::from(count(at).max(1))).sqrt();
                if belief.holds >= HOPE && self.cost(search, record.costs) < cost + scatter {
                    rivals.push((-belief.holds, at));
                }
            } else {
                // Only what may come nearer, as far as so few seeds can tell: of a plateau one place is enough.
                let scatter = search.evidence.scatter.iter().copied().fold(0.0, f64::max) / f64::from(count(at).max(1));
                if belief.violation < violation + scatter.sqrt() {
                    rivals.push((belief.violation, at));
                }
            }
        }
        rivals.sort_by(|left, right| left.0.total_cmp(&right.0).then(left.1.cmp(&right.1)));
        rivals.truncate(if is_met { MOST_RIVALS } else { MOST_RIVALS / 2 });
        for (_, at) in rivals {
            round.seeds(&search.evidence, &search.evidence.records[at].place, 0..more(count(at)));
        }
        if is_fine && is_met {
            self.settle_doubts(search, lead, order, round);
        }
    }

    /// Gives as many seeds again to places that would be worth it and of which it is in doubt whether they keep the targets.
    fn settle_doubts(&self, search: &Searcher, lead: usize, order: &[usize], round: &mut Round) {
        let cost = self.cost(search, search.evidence.records[lead].costs);
        let doubtful = order.iter().copied().filter(|at| {
            let record = &search.evidence.records[*at];
            let holds = search.evidence.belief(*at, &self.counts).holds;
            let is_doubtful = (DOUBT..search.sure).contains(&holds) && !record.is_dropped;
            is_doubtful
                && search.evidence.count(&search.problem, &record.place) == search.problem.seeds
                && self.cost(search, record.costs) < cost - WORTH
        });
        let mut doubtful: Vec<usize> = doubtful.collect();
        let hope = |at: usize| {
            search.evidence.belief(at, &self.counts).holds
                * (cost - self.cost(search, search.evidence.records[at].costs))
        };
        doubtful.sort_by(|left, right| hope(*right).total_cmp(&hope(*left)));
        for at in doubtful.into_iter().take(MOST_RIVALS / 2) {
            round.seeds(&search.evidence, &search.evidence.records[at].place, 0..search.problem.fresh());
        }
    }

    /// The places that are walked from: several that lie apart while steps are large.
    fn leads(&self, search: &Searcher, order: &[usize]) -> Vec<usize> {
        let most = if self.radius >= 0.4 {
            3
        } else if self.radius >= 0.2 {
            2
        } else {
            1
        };
        let mut leads: Vec<usize> = Vec::new();
        for at in order {
            if leads.len() >= most {
                break;
            }
            if !search.evidence.records[*at].is_hopeless()
                && leads.iter().all(|lead| self.distance(search, *lead, *at) > self.radius)
            {
                leads.push(*at);
            }
        }
        leads
    }

    /// How far two places lie apart; without end where their words differ.
    fn distance(&self, search: &Searcher, left: usize, right: usize) -> f64 {
        let (left, right) = (&search.evidence.records[left].place, &search.evidence.records[right].place);
        let offset = offset(search, left, right);
        if offset.words.iter().any(|other| *other > 0.0) { f64::INFINITY } else { offset.square(1.0).sqrt() }
    }

    /// The surface about a place, over targets and preferred measures.
    pub(super) fn surface(&self, search: &Searcher, middle: &[u32], radius: f64) -> (Option<Surface>, usize) {
        let mut near: Vec<(f64, usize, Offset)> = Vec::new();
        for (at, record) in search.evidence.records.iter().enumerate() {
            if record.is_hopeless() || record.seeds.is_empty() {
                continue;
            }
            let offset = offset(search, middle, &record.place);
            let far = offset.square(radius);
            if far < 16.0 {
                near.push((far, at, offset.scaled(radius)));
            }
        }
        let close = near
            .iter()
            .filter(|(far, _, offset)| *far <= 2.25 && offset.words.iter().all(|other| *other == 0.0))
            .count();
        (Self::fit(search, near), close)
    }

    /// The surface over results, each with the square of its distance and its offset in units of the radius.
    pub(super) fn fit(search: &Searcher, mut near: Vec<(f64, usize, Offset)>) -> Option<Surface> {
        near.sort_by(|left, right| left.0.total_cmp(&right.0).then(left.1.cmp(&right.1)));
        near.truncate(MOST_SAMPLES);
        let prefer = search.problem.prefer.len();
        let samples = near.into_iter().map(|(far, at, offset)| {
            let record = &search.evidence.records[at];
            let positions = record.slacks.iter().map(|slack| slack.position);
            let costs = record.costs.iter().take(prefer).map(|cost| if cost.is_finite() { *cost } else { 0.0 });
            let weight = (record.seeds.len() as f64).min(8.0).sqrt() / ((1.0 + far) * (1.0 + far));
            Sample { at: offset, weight, numbers: positions.chain(costs).collect() }
        });
        Surface::fit(&samples.collect::<Vec<_>>())
    }

    /// What the surface foretells of a place: belief and cost.
    pub(super) fn foretold(
        &self,
        search: &Searcher,
        surface: &Surface,
        middle: &[u32],
        place: &[u32],
        radius: f64,
    ) -> (Belief, f64) {
        let foretold = surface.foretell(&offset(search, middle, place).scaled(radius));
        let (positions, costs) = foretold.split_at(search.problem.targets.len());
        let cost = |preference: usize| {
            let exact = search.problem.factor_cost(preference, place);
            exact.or_else(|| costs.get(preference).map(|(cost, _)| *cost)).unwrap_or(0.0)
        };
        (search.evidence.foretold(&search.problem, positions, &self.counts), self.cost(search, [cost(0), cost(1)]))
    }

    /// New places about a lead.
    fn propose(&self, search: &Searcher, lead: usize, round: &mut Round) {
        let own = &search.evidence.records[lead];
        let middle = own.place.clone();
        let is_met = self.is_met(search, lead);
        let (surface, close) = self.surface(search, &middle, self.radius);
        let ordered = search.problem.axes.iter().filter(|axis| !axis.is_words).count();
        if let Some(surface) = &surface {
            let places = self.about(search, &middle);
            let known = |place: &Place| search.evidence.find(place).is_some();
            let foretold: Vec<(Place, Belief, f64)> = places
                .into_iter()
                .filter(|place| !known(place))
                .map(|place| {
                    let (belief, cost) = self.foretold(search, surface, &middle, &place, self.radius);
                    (place, belief, cost)
                })
                .collect();
            // The cheapest of those that hold with these probabilities, and the one from which most is to be hoped.
            let own_cost = self.cost(search, own.costs);
            let mut picks: Vec<&Place> = Vec::new();
            for sure in [0.5, 0.9, 0.2] {
                let allowed =
                    foretold.iter().filter(|(_, belief, cost)| belief.holds >= sure && (!is_met || *cost < own_cost));
                let best = allowed
                    .min_by(|left, right| left.2.total_cmp(&right.2).then(right.1.holds.total_cmp(&left.1.holds)));
                picks.extend(best.map(|(place, ..)| place));
            }
            if is_met {
                let hope = |item: &(Place, Belief, f64)| item.1.holds * (own_cost - item.2);
                let best = foretold
                    .iter()
                    .filter(|item| hope(item) > 0.0)
                    .max_by(|left, right| hope(left).total_cmp(&hope(right)));
                picks.extend(best.map(|(place, ..)| place));
            } else {
                let best = foretold.iter().min_by(|left, right| {
                    left.1.violation.total_cmp(&right.1.violation).then(right.1.holds.total_cmp(&left.1.holds))
                });
                picks.extend(best.map(|(place, ..)| place));
            }
            for place in picks {
                round.seeds(&search.evidence, place, 0..1);
            }
        }
        if is_met {
            self.bisect(search, lead, round);
        }
        if close < ordered + 2 {
            for (factor, axis) in
                search.problem.axes.iter().enumerate().filter(|(_, axis)| !axis.is_words && axis.values.len() > 1)
            {
                let part = search.problem.unit(factor, middle[factor]);
                // Towards the side that has more room, or the cheaper one of what is preferred.
                let preferred = search.problem.prefer.iter().position(|aim| aim.of == Quantity::Factor(factor));
                let is_up = match preferred.filter(|_| is_met) {
                    Some(_) => {
                        let mut up = middle.clone();
                        up[factor] = search.problem.at(factor, 1.0);
                        let mut down = middle.clone();
                        down[factor] = 0;
                        let cost = |place: &Place| {
                            [0, 1].map(|preference| search.problem.factor_cost(preference, place).unwrap_or(0.0))
                        };
                        self.cost(search, cost(&up)) < self.cost(search, cost(&down))
                    }
                    None => part < 0.5,
                };
                let step = if is_up { self.radius } else { -self.radius };
                let mut place = middle.clone();
                place[factor] = search.problem.at(factor, part + step);
                if place[factor] == middle[factor] && axis.values.len() > 2 {
                    continue;
                }
                if search.evidence.find(&place).is_none() {
                    round.seeds(&search.evidence, &place, 0..1);
                }
            }
        }
    }

    /// The middle between the lead and the nearest better place that misses: the bound lies between.
    fn bisect(&self, search: &Searcher, lead: usize, round: &mut Round) {
        let own = &search.evidence.records[lead];
        let cost = self.cost(search, own.costs);
        let misses = |at: &usize| {
            let record = &search.evidence.records[*at];
            *at != lead
                && self.cost(search, record.costs) < cost
                && search.evidence.belief(*at, &self.counts).holds < 0.5
        };
        let better = (0..search.evidence.records.len()).filter(misses);
        let nearest = better
            .min_by(|left, right| self.distance(search, lead, *left).total_cmp(&self.distance(search, lead, *right)));
        let Some(nearest) = nearest.filter(|at| self.distance(search, lead, *at).is_finite()) else { return };
        let other = &search.evidence.records[nearest].place;
        let middle: Place = own.place.iter().zip(other).map(|(own, other)| own.midpoint(*other)).collect();
        if search.evidence.find(&middle).is_none() {
            round.seeds(&search.evidence, &middle, 0..1);
        }
    }

    /// Places within the radius of another.
    fn about(&self, search: &Searcher, middle: &[u32]) -> Vec<Place> {
        let problem = &search.problem;
        let ends: Vec<(u32, u32)> = problem
            .axes
            .iter()
            .enumerate()
            .map(|(factor, axis)| {
                if axis.is_words {
                    return (0, problem.at(factor, 1.0));
                }
                let part = problem.unit(factor, middle[factor]);
                (problem.at(factor, part - self.radius), problem.at(factor, part + self.radius))
            })
            .collect();
        let count = ends.iter().fold(1.0, |count, (low, high)| count * f64::from(high - low + 1));
        if count <= MOST_COMPARED as f64 {
            let mut places = vec![Place::new()];
            for (low, high) in &ends {
                let longer = |place: Place| (*low..=*high).map(move |at| [place.as_slice(), &[at]].concat());
                places = places.into_iter().flat_map(longer).collect();
            }
            places
        } else {
            let mut stream = Stream::new(self.rounds, "places about a lead", u64::from(middle[0]));
            let mut draw = || {
                // Every other one with the words of the lead.
                let is_own = stream.integer(0, 1) == 0;
                let drawn =
                    ends.iter().map(|(low, high)| index_u32(index(stream.integer(u64::from(*low), u64::from(*high)))));
                let of = |(factor, at): (usize, u32)| {
                    if is_own && problem.axes[factor].is_words { middle[factor] } else { at }
                };
                drawn.enumerate().map(of).collect()
            };
            (0..MOST_COMPARED).map(|_| draw()).collect()
        }
    }

    /// The neighbours of the lead that may be better: one or two factors by one value, one word or alternative by another.
    fn neighbours(&self, search: &Searcher, lead: usize, round: &mut Round) {
        let problem = &search.problem;
        let own = &search.evidence.records[lead];
        let (is_met, own_cost) = (self.is_met(search, lead), self.cost(search, own.costs));
        let steps: Vec<(usize, u32)> = problem
            .axes
            .iter()
            .enumerate()
            .flat_map(|(factor, axis)| {
                let (at, count) = (own.place[factor], saturated_u32(axis.values.len()));
                let others: Vec<u32> = match axis.is_words {
                    true => (0..count).filter(|other| *other != at).collect(),
                    false => [at.checked_sub(1), Some(at + 1).filter(|up| *up < count)].into_iter().flatten().collect(),
                };
                others.into_iter().map(move |other| (factor, other))
            })
            .collect();
        let mut places: Vec<Place> = Vec::new();
        for (number, (factor, at)) in steps.iter().enumerate() {
            let mut place = own.place.clone();
            place[*factor] = *at;
            places.push(place.clone());
            for (other, beside) in steps[number + 1..].iter().filter(|(other, _)| other != factor) {
                let is_word = problem.axes[*factor].is_words || problem.axes[*other].is_words;
                if !is_word {
                    let mut place = place.clone();
                    place[*other] = *beside;
                    places.push(place);
                }
            }
        }
        let radius = 4.0 / problem.axes.iter().map(|axis| axis.values.len() as f64 - 1.0).fold(1.0, f64::max);
        let (surface, _) = self.surface(search, &own.place, radius.max(self.radius));
        let radius = radius.max(self.radius);
        let mut worth: Vec<(f64, Place)> = Vec::new();
        for place in places {
            if search.evidence.find(&place).is_some() {
                continue;
            }
            let foretold = surface.as_ref().map(|surface| self.foretold(search, surface, &own.place, &place, radius));
            let is_word = problem
                .axes
                .iter()
                .zip(own.place.iter().zip(&place))
                .any(|(axis, (own, other))| axis.is_words && own != other);
            let Some((belief, cost)) = foretold.filter(|_| !is_word || !is_met) else {
                // Other words are tried once: a surface knows little of them.
                worth.push((-1.0, place));
                continue;
            };
            // What is foretold is believed within reason: the clearly worse are left out.
            let allowance = if self.is_exact(search) { 0.0 } else { 0.02 };
            if !is_met {
                worth.push((belief.violation, place));
            } else if cost < own_cost + allowance && belief.holds >= HOPE {
                worth.push((-belief.holds, place));
            }
        }
        worth.sort_by(|left, right| left.0.total_cmp(&right.0).then_with(|| left.1.cmp(&right.1)));
        worth.truncate(if is_met { MOST_NEIGHBOURS } else { MOST_NEIGHBOURS / 2 });
        for (_, place) in worth {
            round.seeds(&search.evidence, &place, 0..1);
        }
    }

    /// The cost of a place is known without a run.
    fn is_exact(&self, search: &Searcher) -> bool {
        search.problem.prefer.iter().all(|aim| matches!(aim.of, Quantity::Factor(_)))
    }

    /// A few places that would be better, far from all that is known and from each other.
    fn far(&self, search: &Searcher, lead: usize, round: &mut Round) {
        let problem = &search.problem;
        let own = &search.evidence.records[lead];
        let (is_met, own_cost) = (self.is_met(search, lead), self.cost(search, own.costs));
        let mut stream = Stream::new(self.rounds, "places far away", u64::from(self.far_looks));
        let mut places: Vec<Place> = Vec::new();
        for _ in 0..2000 {
            let mut draw = |count: usize| stream.integer(0, count as u64 - 1);
            let place: Place =
                (0..problem.axes.len()).map(|factor| saturated_u32(draw(problem.count(factor)))).collect();
            let costs = [0, 1]
                .map(|preference| problem.factor_cost(preference, &place).unwrap_or(own.costs[preference] - 1e-3));
            let is_better = !is_met || self.cost(search, costs) < own_cost;
            if is_better && search.evidence.find(&place).is_none() && !places.contains(&place) {
                places.push(place);
            }
            if places.len() >= 200 {
                break;
            }
        }
        // Half of them are those from which most is to be hoped by the surface over all that is known, the others lie farthest from it.
        let count = 4 + 2 * problem.axes.len().min(6);
        let (surface, _) = self.surface(search, &own.place, 1.0);
        let mut chosen: Vec<Place> = Vec::new();
        let apart = |left: &[u32], right: &[u32]| -> f64 {
            let of = |(factor, (left, right)): (usize, (&u32, &u32))| match problem.axes[factor].is_words {
                true => f64::from(u8::from(left != right)),
                false => (problem.unit(factor, *left) - problem.unit(factor, *right)).abs(),
            };
            left.iter().zip(right).enumerate().map(of).sum()
        };
        if let Some(surface) = &surface {
            let hope = |place: &Place| {
                let (belief, cost) = self.foretold(search, surface, &own.place, place, 1.0);
                if is_met { belief.holds * (own_cost - cost) } else { -belief.violation }
            };
            let mut hopes: Vec<(f64, &Place)> = places.iter().map(|place| (hope(place), place)).collect();
            hopes.sort_by(|left, right| right.0.total_cmp(&left.0).then_with(|| left.1.cmp(right.1)));
            for (_, place) in hopes.into_iter().filter(|(hope, _)| !is_met || *hope > 0.0) {
                if chosen.len() < count / 2 && chosen.iter().all(|other| apart(other, place) > 0.1) {
                    chosen.push(place.clone());
                }
            }
        }
        let known = search.evidence.records.iter().map(|record| &record.place);
        let nearest =
            |place: &Place| known.clone().chain(&chosen).map(|other| apart(other, place)).fold(f64::INFINITY, f64::min);
        let mut distances: Vec<f64> = places.iter().map(nearest).collect();
        while chosen.len() < count {
            let farthest = (0..places.len()).max_by(|left, right| distances[*left].total_cmp(&distances[*right]));
            let Some(farthest) = farthest.filter(|farthest| distances[*farthest] > 0.0) else { break };
            let place = places[farthest].clone();
            for (distance, other) in distances.iter_mut().zip(&places) {
                *distance = distance.min(apart(&place, other));
            }
            chosen.push(place);
        }
        for place in chosen {
            round.seeds(&search.evidence, &place, 0..1);
        }
    }
}

/// How far one place lies from another, in parts of the ranges.
pub(super) fn offset(search: &Searcher, from: &[u32], to: &[u32]) -> Offset {
    let mut offset = Offset { along: Vec::with_capacity(from.len()), words: Vec::new() };
    for (factor, axis) in search.problem.axes.iter().enumerate() {
        if axis.is_words {
            let others = (0..saturated_u32(axis.values.len())).filter(|word| *word != from[factor]);
            offset.words.extend(others.map(|word| f64::from(u8::from(word == to[factor]))));
        } else {
            offset.along.push(search.problem.unit(factor, to[factor]) - search.problem.unit(factor, from[factor]));
        }
    }
    offset
}
