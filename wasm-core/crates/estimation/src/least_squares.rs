//! Least squares in the logarithms of parameters: residuals in units of what can be met, how they change, and steps that make their
//! squares small.
//!
//! Steps are those of Levenberg and Marquardt. Every parameter is drawn to where it began, as by a measurement of it that is good to a
//! factor of e.

use super::normal;

/// What the logarithm of a parameter is known to before anything is measured: to a factor of e.
const PRIOR: f64 = 1.0;
/// From here on a residual is far off.
const FAR: f64 = 10.0;
/// A difference is more than chance from so many times its variance on.
const SURELY: f64 = 2.0;
/// A latency that changes by more than this power of a parameter is at a cliff, such as a median between two modes: its slope is none.
const STEEPEST: f64 = 3.0;

/// What residuals are measured in.
pub(super) struct Units {
    /// By residual: how well it can be met, as a logarithm.
    within: Vec<f64>,
    /// By residual: squares of what it changed by from one seed to the next, summed, and how many.
    chance: Vec<(f64, u32)>,
}

impl Units {
    /// Before anything is known of chance.
    pub(super) fn new(within: Vec<f64>) -> Self {
        Self { chance: vec![(0.0, 0); within.len()], within }
    }

    /// What a residual of 1 is, as a logarithm: what can be met, and what chance does.
    fn of(&self, residual: usize) -> f64 {
        let within = self.within[residual];
        libm::sqrt(within * within + self.variance(residual))
    }

    /// The variance that chance gives a residual.
    fn variance(&self, residual: usize) -> f64 {
        match self.chance[residual] {
            (_, 0) => 0.0,
            (squares, count) => squares / f64::from(2 * count),
        }
    }

    /// Notes what chance does to residuals: it shows between the two seeds under which a drive was run.
    pub(super) fn note_chance(&mut self, one: &[f64], other: &[f64]) {
        for (chance, (one, other)) in self.chance.iter_mut().zip(one.iter().zip(other)) {
            *chance = (chance.0 + (one - other) * (one - other), chance.1 + 1);
        }
    }

    /// What chance adds to the squares of residuals in the mean where something changes that they do not depend on. Between two seeds it is
    /// two variances of each; runs under the same seed have about half of it in common.
    pub(super) fn noise(&self) -> f64 {
        let of = |residual: usize| self.variance(residual) / (self.of(residual) * self.of(residual));
        (0..self.within.len()).map(of).sum()
    }

    /// Differences of logarithms as residuals, far ones bounded.
    pub(super) fn residuals(&self, differences: &[f64]) -> Vec<f64> {
        differences.iter().enumerate().map(|(number, difference)| bounded(difference / self.of(number))).collect()
    }

    /// What residuals change by from one point to another, over the way of the parameter between: as far as that is more than chance.
    pub(super) fn column(&self, here: &[f64], moved: &[f64], way: f64) -> Vec<f64> {
        let slope = |(residual, (moved, here)): (usize, (&f64, &f64))| {
            let (difference, unit) = (moved - here, self.of(residual));
            let chance = SURELY * 2.0 * self.variance(residual) / (unit * unit);
            let part = 1.0 - chance / (difference * difference).max(chance).max(f64::MIN_POSITIVE);
            let is_cliff = libm::fabs(difference / way) * unit > STEEPEST;
            if is_cliff { 0.0 } else { difference / way * libm::sqrt(part) }
        };
        moved.iter().zip(here).enumerate().map(slope).collect()
    }
}

/// A residual that is far off counts by its logarithm: one job that a drive is of the wrong kind for does not hide how well it meets all others.
pub(super) fn bounded(residual: f64) -> f64 {
    let size = libm::fabs(residual);
    if size > FAR { libm::copysign(FAR * (1.0 + libm::log(size / FAR)), residual) } else { residual }
}

/// The slope that both sides of a point agree on, the flatter one; none where they do not: it was a jump, or chance.
pub(super) fn agreed(mut sides: impl Iterator<Item = f64>) -> f64 {
    let one = sides.next().unwrap_or_default();
    sides.fold(one, |one, other| {
        if one * other <= 0.0 {
            0.0
        } else if libm::fabs(one) < libm::fabs(other) {
            one
        } else {
            other
        }
    })
}

/// What is made small: squares of the residuals, and of the ways from where parameters began.
pub(super) fn cost(residuals: &[f64], ways: impl Iterator<Item = f64>) -> f64 {
    let of_jobs: f64 = residuals.iter().map(|of| of * of).sum();
    of_jobs + ways.map(|way| way * way / (PRIOR * PRIOR)).sum::<f64>()
}

/// By how much more than their units residuals are apart, squared; 1 at least.
pub(super) fn scale(residuals: &[f64], parameters: usize) -> f64 {
    let squares: f64 = residuals.iter().map(|of| of * of).sum();
    (squares / residuals.len().saturating_sub(parameters).max(1) as f64).max(1.0)
}

/// By residual and parameter: what the residual changes by when the logarithm of the parameter does.
#[derive(Clone)]
pub(super) struct Slopes {
    /// Where they were taken.
    pub(super) residuals: Vec<f64>,
    /// By parameter.
    pub(super) columns: Vec<Vec<f64>>,
}

impl Slopes {
    /// The matrix of the normal equations.
    fn normal(&self) -> Vec<Vec<f64>> {
        let dot = |one: &[f64], other: &[f64]| one.iter().zip(other).map(|(one, other)| one * other).sum::<f64>();
        let row = |i: usize| {
            let entry =
                |j: usize| dot(&self.columns[i], &self.columns[j]) + if i == j { 1.0 / (PRIOR * PRIOR) } else { 0.0 };
            (0..self.columns.len()).map(entry).collect()
        };
        (0..self.columns.len()).map(row).collect()
    }

    /// By parameter: the step of the damped normal equations from where parameters are so far from where they began.
    pub(super) fn step(&self, ways: &[f64], damping: f64) -> Vec<f64> {
        let mut matrix = self.normal();
        for (i, row) in matrix.iter_mut().enumerate() {
            row[i] *= 1.0 + damping;
        }
        let downhill = |(column, way): (&Vec<f64>, &f64)| {
            let of_jobs: f64 = column.iter().zip(&self.residuals).map(|(slope, residual)| slope * residual).sum();
            -of_jobs - way / (PRIOR * PRIOR)
        };
        let right: Vec<f64> = self.columns.iter().zip(ways).map(downhill).collect();
        normal::solve(&matrix, &right).unwrap_or_else(|| vec![0.0; ways.len()])
    }

    /// By parameter: where the others go when one of them is moved so far, to make up for it as they can.
    pub(super) fn profile(&self, number: usize, way: f64) -> Vec<f64> {
        let matrix = self.normal();
        let others: Vec<usize> = (0..matrix.len()).filter(|other| *other != number).collect();
        let reduced: Vec<Vec<f64>> = others.iter().map(|i| others.iter().map(|j| matrix[*i][*j]).collect()).collect();
        let right: Vec<f64> = others.iter().map(|i| -matrix[*i][number]).collect();
        let follow = normal::solve(&reduced, &right).unwrap_or_else(|| vec![0.0; others.len()]);
        let mut steps = vec![0.0; matrix.len()];
        steps[number] = way;
        for (other, follow) in others.iter().zip(&follow) {
            steps[*other] = way * follow;
        }
        steps
    }

    /// By parameter: the standard deviation of its logarithm, given by how much more than their units residuals are apart.
    pub(super) fn deviations(&self, scale: f64) -> Vec<f64> {
        let inverse = normal::inverse(&self.normal());
        let of = |number: usize| inverse.as_ref().map_or(f64::INFINITY, |inverse| inverse[number][number]);
        (0..self.columns.len()).map(|number| libm::sqrt(of(number) * scale)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chance_is_half_of_what_two_seeds_differ_by() {
        let mut units = Units::new(vec![0.03, 0.5]);
        assert_eq!(units.residuals(&[0.06, 1.0]), [2.0, 2.0]);
        // Ten and a factor of e beyond.
        assert!((units.residuals(&[-0.3 * std::f64::consts::E, 0.0])[0] + 20.0).abs() < 1e-12);
        // A difference of two numbers has twice the variance of each: (0.08 squared) / 2 = 0.0032.
        units.note_chance(&[0.1, 0.0], &[0.18, 0.0]);
        let unit = libm::sqrt(0.0009 + 0.0032);
        assert!((units.residuals(&[unit, 1.0])[0] - 1.0).abs() < 1e-12);
        assert!((units.noise() - 0.0032 / 0.0041).abs() < 1e-12);
    }

    #[test]
    fn slopes_are_none_at_cliffs_and_where_chance_makes_them() {
        let mut units = Units::new(vec![0.01; 2]);
        // A tenth further on: one by half of that, one by 40 % at once.
        assert_eq!(units.column(&[0.0, 0.0], &[5.0, 40.0], 0.1), [50.0, 0.0]);
        units.note_chance(&[0.0, 0.0], &[0.1, 0.0]);
        assert_eq!(units.column(&[0.0, 0.0], &[0.5, 5.0], 0.1), [0.0, 50.0]);
        assert_eq!(agreed([2.0, 1.0].into_iter()), 1.0);
        assert_eq!(agreed([2.0, -1.0].into_iter()), 0.0);
    }

    #[test]
    fn one_parameter_by_hand() {
        // Residuals 3 and 4 that grow by 1 and 2 with the parameter: 1 + 4 + 1 of where it began = 6, downhill -(3 + 8) - 1 = -12.
        let slopes = Slopes { residuals: vec![3.0, 4.0], columns: vec![vec![1.0, 2.0]] };
        let is = |found: Vec<f64>, right: f64| (found[0] - right).abs() < 1e-12;
        assert!(is(slopes.step(&[1.0], 0.0), -2.0) && is(slopes.step(&[1.0], 1.0), -1.0));
        assert!(is(slopes.deviations(6.0), 1.0) && is(slopes.profile(0, 0.6), 0.6));
        assert_eq!((cost(&[3.0, 4.0], [1.0].into_iter()), scale(&[3.0, 4.0], 1), scale(&[0.1], 0)), (26.0, 25.0, 1.0));
    }

    #[test]
    fn what_makes_up_for_a_parameter_goes_the_other_way() {
        // Two parameters of which one residual sees the sum: 10 + 1 beside 10, so that the other follows by 10 / 11.
        let ten = libm::sqrt(10.0);
        let slopes = Slopes { residuals: vec![0.0], columns: vec![vec![ten], vec![ten]] };
        let steps = slopes.profile(0, 1.0);
        assert!(steps[0] == 1.0 && (steps[1] + 10.0 / 11.0).abs() < 1e-12, "{steps:?}");
    }
}
