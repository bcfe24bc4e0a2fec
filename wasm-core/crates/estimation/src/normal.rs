//! Least squares: damped normal equations of few unknowns.

/// Solves `a x = b` for a symmetric positive definite matrix, by rows; none if it is not.
pub(super) fn solve(a: &[Vec<f64>], b: &[f64]) -> Option<Vec<f64>> {
    let lower = cholesky(a)?;
    let n = b.len();
    let mut y = vec![0.0; n];
    for i in 0..n {
        let sum: f64 = (0..i).map(|k| lower[i][k] * y[k]).sum();
        y[i] = (b[i] - sum) / lower[i][i];
    }
    let mut x = vec![0.0; n];
    for i in (0..n).rev() {
        let sum: f64 = (i + 1..n).map(|k| lower[k][i] * x[k]).sum();
        x[i] = (y[i] - sum) / lower[i][i];
    }
    Some(x)
}

/// The inverse of such a matrix.
pub(super) fn inverse(a: &[Vec<f64>]) -> Option<Vec<Vec<f64>>> {
    let unit = |at: usize| (0..a.len()).map(|i| if i == at { 1.0 } else { 0.0 }).collect::<Vec<f64>>();
    (0..a.len()).map(|at| solve(a, &unit(at))).collect()
}

fn cholesky(a: &[Vec<f64>]) -> Option<Vec<Vec<f64>>> {
    let n = a.len();
    let mut lower = vec![vec![0.0; n]; n];
    for i in 0..n {
        for j in 0..=i {
            let sum: f64 = (0..j).map(|k| lower[i][k] * lower[j][k]).sum();
            let rest = a[i][j] - sum;
            lower[i][j] = if i == j {
                if rest <= 0.0 || !rest.is_finite() {
                    return None;
                }
                libm::sqrt(rest)
            } else {
                rest / lower[j][j]
            };
        }
    }
    Some(lower)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_equations_are_solved_and_inverted() {
        // 4 x + 2 y = 2, 2 x + 3 y = 5: x = -1/2, y = 2.
        let a = vec![vec![4.0, 2.0], vec![2.0, 3.0]];
        let x = solve(&a, &[2.0, 5.0]).unwrap();
        assert!((x[0] + 0.5).abs() < 1e-12 && (x[1] - 2.0).abs() < 1e-12);
        // The determinant is 8.
        let inverse = inverse(&a).unwrap();
        assert!((inverse[0][0] - 3.0 / 8.0).abs() < 1e-12 && (inverse[0][1] + 2.0 / 8.0).abs() < 1e-12);
        assert_eq!(solve(&[vec![1.0, 2.0], vec![2.0, 1.0]], &[1.0, 1.0]), None);
    }
}
