//! Numbers in sentences and tables.

/// Decimals of the smallest number that is not written as 0.
const MAXIMUM_DECIMALS: i32 = 12;

/// A number with three digits, or all of those before the point, in groups of three from five digits on.
pub(crate) fn three_digits(value: f64) -> String {
    let size = value.abs();
    let power = if size > 0.0 { libm::floor(libm::log10(size)) as i32 } else { 0 };
    let decimals = (2 - power).clamp(0, MAXIMUM_DECIMALS) as usize;
    let text = format!("{value:.decimals$}");
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { grouped(&text) }
}

/// A number rounded to three significant digits.
pub fn significant(value: f64) -> String {
    if value == 0.0 || !value.is_finite() {
        return three_digits(value);
    }
    let exponent = libm::floor(libm::log10(value.abs())) as i32;
    let unit = libm::pow(10.0, f64::from(exponent - 2));
    three_digits((value / unit).round() * unit)
}

/// The unit in which a value is read, and what it is divided by.
pub fn scale_of(value: f64, unit: &'static str) -> (f64, &'static str) {
    match unit {
        "bytes" if value >= 1e9 => (1e9, "GB"),
        "bytes" if value >= 1e6 => (1e6, "MB"),
        "bytes" => (1e3, "kB"),
        "" => (0.01, "%"),
        unit => (1.0, unit),
    }
}

/// Digits in groups of three, from five on.
pub(crate) fn grouped(digits: &str) -> String {
    if digits.len() < 5 {
        return digits.to_owned();
    }
    let groups: Vec<&str> =
        digits.as_bytes().rchunks(3).rev().map(|group| str::from_utf8(group).unwrap_or_default()).collect();
    groups.join("\u{202f}")
}

/// A number or words with a unit, of which "us" is written as it is read.
pub(crate) fn with_unit(text: &str, unit: &str) -> String {
    match unit {
        "" => text.to_owned(),
        "%" => format!("{text}\u{202f}%"),
        "us" => format!("{text}\u{a0}µs"),
        unit => format!("{text}\u{a0}{unit}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_the_digits_that_count() {
        let texts = [0.0, 0.1234, 2.0, 52.51, 355.839, 1695.2, 52_500.0].map(three_digits);
        assert_eq!(texts, ["0", "0.123", "2", "52.5", "356", "1695", "52\u{202f}500"]);
        let small = [0.00123, 4.63e-6, 1e-13, -0.01, 99.96].map(three_digits);
        assert_eq!(small, ["0.00123", "0.00000463", "0", "-0.01", "100"]);
    }

    #[test]
    fn significant_digits_are_three() {
        let texts = [1.895_523_7, 4998.699, 0.012_345, 80_882_450.0, 0.0].map(significant);
        assert_eq!(texts, ["1.9", "5000", "0.0123", "80\u{202f}900\u{202f}000", "0"]);
        assert_eq!(scale_of(33_554_432.0, "bytes"), (1e6, "MB"));
    }

    #[test]
    fn units_stand_close() {
        assert_eq!(with_unit("25", "us"), "25\u{a0}µs");
        assert_eq!(with_unit("48", "%"), "48\u{202f}%");
        assert_eq!(with_unit("3", ""), "3");
    }
}
