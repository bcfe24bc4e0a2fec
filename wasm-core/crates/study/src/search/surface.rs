//! The response surface about a place: what results near it foretell of places that were not run.
//!
//! Least squares of a linear function, with squares of each coordinate as soon as there are results enough, weighted by nearness and by
//! seeds. Each word or alternative other than that of the middle has a shift of its own. A little is held against slopes, so that few
//! results foretell what is usual near them.

/// Held against slopes, against shifts, and against curvatures, in units of a result's weight.
const RIDGE: [f64; 3] = [0.01, 0.02, 0.1];

/// Where a place lies from the middle.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Offset {
    /// Along each ordered axis.
    pub along: Vec<f64>,
    /// Of each word that the middle has not: 1 where the place has it.
    pub words: Vec<f64>,
}

impl Offset {
    /// Its square in units of a radius; another word is as far as the radius.
    pub fn square(&self, radius: f64) -> f64 {
        self.along.iter().map(|x| x * x).sum::<f64>() / (radius * radius) + self.words.iter().sum::<f64>()
    }

    /// In units of a radius.
    pub fn scaled(mut self, radius: f64) -> Self {
        self.along.iter_mut().for_each(|x| *x /= radius);
        self
    }
}

/// A result: where it lies from the middle in units of the radius, its weight, and its numbers.
pub(super) struct Sample {
    pub at: Offset,
    pub weight: f64,
    pub numbers: Vec<f64>,
}

/// Surfaces of several numbers over the same places.
pub(super) struct Surface {
    has_squares: bool,
    /// Of each number the coefficients, and the root mean square of what they leave.
    fits: Vec<(Vec<f64>, f64)>,
}

impl Surface {
    /// Fits all numbers of the samples; none where there are none.
    pub fn fit(samples: &[Sample]) -> Option<Self> {
        let (axes, outputs) = samples.first().map(|sample| (sample.at.along.len(), sample.numbers.len()))?;
        let linear = 1 + axes + samples[0].at.words.len();
        let has_squares = samples.len() > linear + axes + 1;
        let width = linear + if has_squares { axes } else { 0 };
        let mut normal = vec![0.0; width * width];
        let mut right = vec![vec![0.0; width]; outputs];
        for sample in samples {
            let terms = terms(&sample.at, has_squares);
            for row in 0..width {
                for column in 0..=row {
                    normal[row * width + column] += sample.weight * terms[row] * terms[column];
                }
                for (right, number) in right.iter_mut().zip(&sample.numbers) {
                    right[row] += sample.weight * terms[row] * number;
                }
            }
        }
        for row in 1..width {
            normal[row * width + row] += RIDGE[usize::from(row > axes) + usize::from(row >= linear)];
        }
        factorise(&mut normal, width);
        let total: f64 = samples.iter().map(|sample| sample.weight).sum();
        // What a fit leaves understates its error by the coefficients that it was free to choose.
        let free = samples.len() as f64 / (samples.len() as f64 - width as f64).max(1.0);
        let fits = right.into_iter().enumerate().map(|(output, mut right)| {
            solve(&normal, width, &mut right);
            let left = samples.iter().map(|sample| {
                let error = sample.numbers[output] - product(&right, &terms(&sample.at, has_squares));
                sample.weight * error * error
            });
            let error = (left.sum::<f64>() / total * free).sqrt();
            (right, error)
        });
        Some(Self { has_squares, fits: fits.collect() })
    }

    /// What is foretold of a place: of each number the value and its error.
    pub fn foretell(&self, at: &Offset) -> Vec<(f64, f64)> {
        let terms = terms(at, self.has_squares);
        self.fits.iter().map(|(fit, error)| (product(fit, &terms), *error)).collect()
    }
}

fn terms(at: &Offset, has_squares: bool) -> Vec<f64> {
    let squares = at.along.iter().filter(|_| has_squares).map(|x| x * x);
    std::iter::once(1.0).chain(at.along.iter().copied()).chain(at.words.iter().copied()).chain(squares).collect()
}

fn product(left: &[f64], right: &[f64]) -> f64 {
    left.iter().zip(right).map(|(left, right)| left * right).sum()
}

/// Cholesky's factor, in place of the lower triangle.
fn factorise(matrix: &mut [f64], width: usize) {
    for row in 0..width {
        for column in 0..=row {
            let done: f64 = (0..column).map(|k| matrix[row * width + k] * matrix[column * width + k]).sum();
            let left = matrix[row * width + column] - done;
            matrix[row * width + column] =
                if row == column { left.max(1e-12).sqrt() } else { left / matrix[column * width + column] };
        }
    }
}

fn solve(factor: &[f64], width: usize, right: &mut [f64]) {
    for row in 0..width {
        let done: f64 = (0..row).map(|k| factor[row * width + k] * right[k]).sum();
        right[row] = (right[row] - done) / factor[row * width + row];
    }
    for row in (0..width).rev() {
        let done: f64 = (row + 1..width).map(|k| factor[k * width + row] * right[k]).sum();
        right[row] = (right[row] - done) / factor[row * width + row];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(x: f64, y: f64, word: f64) -> Offset {
        Offset { along: vec![x, y], words: vec![word] }
    }

    fn samples(function: impl Fn(f64, f64, f64) -> f64) -> Vec<Sample> {
        let sample = |place: usize| {
            let (x, y) = ((place % 4) as f64 / 2.0 - 0.75, (place / 4 % 4) as f64 / 2.0 - 0.75);
            let word = (place / 16) as f64;
            Sample { at: at(x, y, word), weight: 100.0, numbers: vec![function(x, y, word)] }
        };
        (0..32).map(sample).collect()
    }

    #[test]
    fn a_function_of_squares_is_foretold() {
        let samples = samples(|x, y, word| 3.0 - 2.0 * x + y + 0.5 * x * x + 0.7 * word);
        let surface = Surface::fit(&samples).expect("there are samples");
        for word in [0.0, 1.0] {
            let (value, error) = surface.foretell(&at(0.4, -0.2, word))[0];
            assert!((value - (3.0 - 0.8 - 0.2 + 0.08 + 0.7 * word)).abs() < 0.01, "{value}");
            assert!(error < 0.01, "{error}");
        }
    }

    #[test]
    fn what_the_fit_cannot_follow_is_its_error() {
        let samples = samples(|x, y, _| if x * y > 0.0 { 1.0 } else { -1.0 });
        let surface = Surface::fit(&samples).expect("there are samples");
        assert!(surface.foretell(&at(0.1, 0.1, 0.0))[0].1 > 0.9);
    }
}
