//! Sums of numbers.

/// The sum, 0 for no numbers. That of the standard library is then -0, which is printed with its sign.
pub fn total(numbers: impl IntoIterator<Item = f64>) -> f64 {
    numbers.into_iter().fold(0.0, |sum, number| sum + number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_adds_up_to_a_zero_without_sign() {
        assert!(total([]).is_sign_positive());
        assert_eq!(total([1.0, 2.5]), 3.5);
    }
}
