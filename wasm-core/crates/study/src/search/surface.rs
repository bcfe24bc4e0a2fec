//! The response surface about a place: what results near it foretell of places that were not run.
//!
//! Least squares of a linear function, with squares of each coordinate as soon as there are results enough, weighted by nearness and by
//! seeds. A little is held against slopes, so that few results foretell what is usual near them.

/// Held against slopes, and against curvatures, in units of a result's weight.
const RIDGE: [f64; 2] = [0.01, 0.1];

/// A result: where it lies from the middle in units of the radius, its weight, and its numbers.
pub(super) struct Sample {
    pub at: Vec<f64>,
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
        let (axes, outputs) = samples.first().map(|sample| (sample.at.len(), sample.numbers.len()))?;
        let has_squares = samples.len() > 2 * axes + 2;
        let width = 1 + axes * if has_squares { 2 } else { 1 };
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
        for row in 0..width {
            normal[row * width + row] += if row == 0 { 1e-9 } else { RIDGE[usize::from(row > axes)] };
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
    pub fn foretell(&self, at: &[f64]) -> Vec<(f64, f64)> {
        let terms = terms(at, self.has_squares);
        self.fits.iter().map(|(fit, error)| (product(fit, &terms), *error)).collect()
    }
}

fn terms(at: &[f64], has_squares: bool) -> Vec<f64> {
    let squares = at.iter().filter(|_| has_squares).map(|x| x * x);
    std::iter::once(1.0).chain(at.iter().copied()).chain(squares).collect()
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

    fn samples(function: impl Fn(f64, f64) -> f64) -> Vec<Sample> {
        let at = |place: usize| [(place % 4) as f64 / 2.0 - 0.75, (place / 4) as f64 / 2.0 - 0.75];
        (0..16)
            .map(|place| Sample {
                at: at(place).to_vec(),
                weight: 100.0,
                numbers: vec![function(at(place)[0], at(place)[1])],
            })
            .collect()
    }

    #[test]
    fn a_function_of_squares_is_foretold() {
        let surface = Surface::fit(&samples(|x, y| 3.0 - 2.0 * x + y + 0.5 * x * x)).expect("there are samples");
        let (value, error) = surface.foretell(&[0.4, -0.2])[0];
        assert!((value - (3.0 - 0.8 - 0.2 + 0.08)).abs() < 0.01, "{value}");
        assert!(error < 0.01, "{error}");
    }

    #[test]
    fn what_the_fit_cannot_follow_is_its_error() {
        let surface = Surface::fit(&samples(|x, y| if x * y > 0.0 { 1.0 } else { -1.0 })).expect("there are samples");
        assert!(surface.foretell(&[0.1, 0.1])[0].1 > 0.9);
    }
}
