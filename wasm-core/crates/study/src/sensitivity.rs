//! Sensitivity: which factors matter, by elementary effects.
//!
//! Morris (1991), with the mean of absolute effects of Campolongo, Cariboni and Saltelli (2007). A walk begins at a random point and changes
//! each factor once, in random order, by half of its levels; what a measure changes by, over the part of the range that was stepped, is an
//! elementary effect. Every point is run under the same seeds: what a step changes by differs between them by chance alone, and effects that
//! chance would give are told as such. Walks are drawn from a fixed stream, so that every driver makes the same runs.

use std::collections::BTreeSet;

use qoscope_engine::kernel::convert::{index, saturated_u32};
use qoscope_engine::kernel::random::Stream;

use qoscope_engine::text::listed;

use crate::plan::{Axis, Known, Place, Said, Wish};
use crate::search::Names;
use crate::table::{Effect, Ranking, Role};
use qoscope_figures::statistics::{Estimate, deviation_interval, f_quantile, mean, mean_interval, variance};

/// Beginnings that are drawn for every walk; the one farthest from those of the walks before is taken.
const DRAWN: usize = 4;

/// How sure it must be that an effect is not chance.
const CONFIDENCE: f64 = 0.95;

/// The part of an effect that may go the other way before it is told to have no direction.
const OPPOSITE: f64 = 0.1;

/// What is screened.
#[derive(Clone, Debug, PartialEq)]
pub struct Screening {
    /// What varies, each cut down to its levels.
    pub axes: Vec<Axis>,
    /// How many measures every run has.
    pub measures: usize,
    /// Walks through the factors.
    pub walks: u32,
    /// Seeds of every point: at least two are run, as chance is told from their difference.
    pub seeds: u32,
}

/// A walk: its points, and the factor that each step between two of them changes.
struct Walk {
    places: Vec<Place>,
    factors: Vec<usize>,
}

impl Screening {
    fn seeds(&self) -> u32 {
        self.seeds.max(2)
    }

    fn count(&self, factor: usize) -> u32 {
        saturated_u32(self.axes[factor].values.len())
    }

    /// How far a step goes, in parts of the range. From one word to another is the whole of it.
    fn stride(&self, factor: usize) -> f64 {
        let axis = &self.axes[factor];
        if axis.is_words { 1.0 } else { f64::from(self.count(factor) / 2) / f64::from(self.count(factor) - 1) }
    }

    /// Where a step from a level leads.
    fn step(&self, factor: usize, from: u32, stream: &mut Stream) -> u32 {
        let count = self.count(factor);
        if self.axes[factor].is_words {
            let other = saturated_u32(stream.integer(0, u64::from(count) - 2));
            return other + u32::from(other >= from);
        }
        let stride = count / 2;
        let (down, up) = (from >= stride, from + stride < count);
        let is_up = if down && up { stream.integer(0, 1) == 1 } else { up };
        if is_up { from + stride } else { from - stride }
    }

    /// All walks, each from a stream of its own: those of this number and the numbers that follow.
    fn walks(&self, first: u64) -> Vec<Walk> {
        let factors: Vec<usize> = (0..self.axes.len()).filter(|factor| self.count(*factor) > 1).collect();
        let mut begun: Vec<Place> = Vec::new();
        let mut walks = Vec::new();
        for number in 0..self.walks {
            let mut stream = Stream::new(first + u64::from(number), "walks", self.axes.len() as u64);
            let mut best: Option<(f64, Place)> = None;
            for _ in 0..DRAWN {
                let draw = |factor: usize| saturated_u32(stream.integer(0, u64::from(self.count(factor).max(1)) - 1));
                let place: Place = (0..self.axes.len()).map(draw).collect();
                let nearest = begun.iter().map(|other| self.distance(&place, other)).fold(f64::INFINITY, f64::min);
                if best.as_ref().is_none_or(|(distance, _)| nearest > *distance) {
                    best = Some((nearest, place));
                }
            }
            let Some((_, place)) = best else { continue };
            begun.push(place.clone());
            let mut order = factors.clone();
            stream.shuffle(&mut order);
            let mut places = vec![place];
            for factor in &order {
                let mut next = places[places.len() - 1].clone();
                next[*factor] = self.step(*factor, next[*factor], &mut stream);
                places.push(next);
            }
            walks.push(Walk { places, factors: order });
        }
        walks
    }

    fn distance(&self, left: &[u32], right: &[u32]) -> f64 {
        let of = |(factor, (left, right)): (usize, (&u32, &u32))| match self.axes[factor].is_words {
            true => f64::from(u8::from(left != right)),
            false => f64::from(left.abs_diff(*right)) / f64::from((self.count(factor) - 1).max(1)),
        };
        left.iter().zip(right).enumerate().map(of).sum()
    }
}

/// What a factor did to a measure in its steps.
#[derive(Clone, Debug, Default)]
struct Steps {
    /// The elementary effects: the mean over seeds of what each step changed, over the part of the range that was stepped.
    effects: Vec<f64>,
    /// The variance of each, as far as seeds differ.
    chance: Vec<f64>,
    /// Seeds that each mean is over.
    seeds: Vec<usize>,
}

/// What a sensitivity says to what is known.
pub fn next(problem: &Screening, known: &impl Known) -> Said<Vec<Ranking>> {
    let walks = problem.walks(0);
    let mut seen = BTreeSet::new();
    let mut places = Vec::new();
    let mut wishes = Vec::new();
    for place in walks.iter().flat_map(|walk| &walk.places) {
        if !seen.insert(place) {
            continue;
        }
        places.push(place.clone());
        if known.refused(place).is_some() {
            continue;
        }
        for seed in (0..problem.seeds()).filter(|seed| known.outcome(place, *seed).is_none()) {
            wishes.push(Wish { place: place.clone(), seed });
        }
    }
    let answer = wishes.is_empty().then(|| rankings(problem, &walks, known));
    Said { wishes, places, standings: Vec::new(), doing: "Walking through the settings".to_owned(), answer }
}

fn rankings(problem: &Screening, walks: &[Walk], known: &impl Known) -> Vec<Ranking> {
    let mut steps = vec![vec![Steps::default(); problem.axes.len()]; problem.measures];
    for walk in walks {
        for (ends, factor) in walk.places.windows(2).zip(&walk.factors) {
            let (from, to) = (&ends[0], &ends[1]);
            let axis = &problem.axes[*factor];
            let is_falling = !axis.is_words
                && (axis.values[index(u64::from(to[*factor]))] < axis.values[index(u64::from(from[*factor]))]);
            let scale = if is_falling { -1.0 } else { 1.0 } / problem.stride(*factor);
            for (measure, steps) in steps.iter_mut().enumerate() {
                let number = |place: &[u32], seed: u32| known.outcome(place, seed)?.ok()?.get(measure).copied()?;
                let change = |seed: u32| Some((number(to, seed)? - number(from, seed)?) * scale);
                let changes: Vec<f64> = (0..problem.seeds()).filter_map(change).collect();
                if !changes.is_empty() {
                    let steps = &mut steps[*factor];
                    steps.effects.push(mean(&changes));
                    steps.chance.push(variance(&changes) / changes.len() as f64);
                    steps.seeds.push(changes.len());
                }
            }
        }
    }
    let ranking = |(measure, steps): (usize, &Vec<Steps>)| {
        let mut effects: Vec<Effect> = steps
            .iter()
            .enumerate()
            .map(|(factor, steps)| effect(factor, steps, problem.axes[factor].is_words))
            .collect();
        effects.sort_by(|left, right| {
            let of = |effect: &Effect| effect.mean.unwrap_or(f64::NEG_INFINITY);
            of(right).total_cmp(&of(left)).then(left.factor.cmp(&right.factor))
        });
        let chance = effects.iter().filter_map(|effect| effect.chance).fold(0.0, f64::max);
        Ranking { measure, says: String::new(), chance, effects }
    };
    steps.iter().enumerate().map(ranking).collect()
}

fn effect(factor: usize, steps: &Steps, is_words: bool) -> Effect {
    let absolute: Vec<f64> = steps.effects.iter().map(|effect| effect.abs()).collect();
    let average = (!absolute.is_empty()).then(|| mean(&absolute));
    let interval = mean_interval(&absolute).map(|at| Estimate { low: at.low.max(0.0), ..at });
    let signed = Some(&steps.effects).filter(|effects| !is_words && !effects.is_empty()).map(|effects| mean(effects));
    let signed_interval = mean_interval(&steps.effects).filter(|_| !is_words);
    // What chance adds to the deviation is no property of the factor.
    let scatter = if steps.chance.is_empty() { 0.0 } else { mean(&steps.chance) };
    let less = |deviation: f64| (deviation * deviation - scatter).max(0.0).sqrt();
    let deviation = deviation_interval(&steps.effects).filter(|_| !is_words);
    let deviation = deviation.map(|at| Estimate { value: less(at.value), low: less(at.low), high: less(at.high) });
    let chance = chance(steps);
    let role = match (average, signed) {
        (None, _) => Role::Chance,
        (Some(_), _)
            if absolute.iter().all(|effect| *effect == 0.0) && steps.chance.iter().all(|chance| *chance == 0.0) =>
        {
            Role::Nothing
        }
        (Some(average), _) if chance.is_none_or(|chance| average <= chance) => Role::Chance,
        (Some(average), Some(signed))
            if (average - signed.abs()) / 2.0 <= (OPPOSITE * average).max(chance.unwrap_or(0.0) / 2.0) =>
        {
            if signed > 0.0 { Role::Raises } else { Role::Lowers }
        }
        _ => Role::Either,
    };
    Effect {
        factor,
        mean: average,
        low: interval.map(|at| at.low),
        high: interval.map(|at| at.high),
        chance,
        signed,
        signed_low: signed_interval.map(|at| at.low),
        signed_high: signed_interval.map(|at| at.high),
        deviation: deviation.map(|at| at.value),
        deviation_low: deviation.map(|at| at.low),
        deviation_high: deviation.map(|at| at.high),
        steps: saturated_u32(steps.effects.len()),
        role,
    }
}

/// The mean of absolute effects that chance alone exceeds in one case of twenty: of effects that are all 0 and scatter, the mean square over
/// what seeds differ by has an F distribution, and a mean of absolute values is to the root of it as in a normal distribution.
fn chance(steps: &Steps) -> Option<f64> {
    let freedom: usize = steps.seeds.iter().map(|seeds| seeds - 1).sum();
    if freedom == 0 {
        return None;
    }
    let weighted = steps.chance.iter().zip(&steps.seeds).map(|(chance, seeds)| chance * (seeds - 1) as f64);
    let variance = weighted.sum::<f64>() / freedom as f64;
    let exceeded = f_quantile(CONFIDENCE, steps.effects.len() as f64, freedom as f64);
    Some((variance * exceeded * std::f64::consts::FRAC_2_PI).sqrt())
}

/// Says each ranking in a sentence or two.
pub fn say(rankings: &mut [Ranking], names: &Names) {
    for ranking in rankings {
        let measure = &names.measures[ranking.measure];
        let titles = |roles: &[Role]| -> Vec<String> {
            let those = ranking.effects.iter().filter(|effect| effect.mean.is_some() && roles.contains(&effect.role));
            those.map(|effect| names.factors[effect.factor].title.clone()).collect()
        };
        let told = titles(&[Role::Raises, Role::Lowers, Role::Either]);
        let mut says = match told.as_slice() {
            [] => format!("Nothing here moves {} by more than chance.", measure.title),
            [first, others @ ..] => {
                let moved = ranking.effects.iter().find(|effect| !matches!(effect.role, Role::Chance | Role::Nothing));
                let by = moved.and_then(|effect| effect.mean).unwrap_or(0.0);
                let by = names.measured(ranking.measure, by);
                let then = if others.is_empty() {
                    String::new()
                } else {
                    format!(", then {}", listed(&others[..others.len().min(3)]))
                };
                format!("{first} moves {} most, by {by} over its range{then}.", measure.title)
            }
        };
        let of = |titles: Vec<String>, one: &str, many: &str| match titles.len() {
            0 => String::new(),
            1 => format!(" {} {one}.", titles[0]),
            _ => format!(" {} {many}.", listed(&titles)),
        };
        says.push_str(&of(titles(&[Role::Chance]), "is not told from chance", "are not told from chance"));
        says.push_str(&of(titles(&[Role::Nothing]), "does nothing here", "do nothing here"));
        ranking.says = says;
    }
}

#[cfg(test)]
mod tests;
