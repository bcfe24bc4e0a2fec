//! Numbers, counts, durations and lists in sentences, the same for the page, the command line and reports.
//!
//! A narrow no-break space groups thousands from five digits on and separates a number from its unit; negative numbers have a
//! true minus. `web/src/charts/drawing/format.ts` follows the same rules (`tests/numbers.json`). Tables and files that programs
//! read are not written with these functions.

/// Narrow no-break space: between groups of three digits, and between a number and its unit.
pub const THIN: &str = "\u{202f}";
/// Text in place of a number that does not apply.
pub const NOT_APPLICABLE: &str = "–";
const MINUS: &str = "−";
/// Maximum decimals of a number with three digits: a smaller one is 0.
const MAXIMUM_DECIMALS: i32 = 12;

/// A number with `decimals` decimals. What rounds to zero has no sign.
pub fn fixed(value: f64, decimals: usize) -> String {
    if !value.is_finite() {
        return NOT_APPLICABLE.into();
    }
    let digits = digits(value.abs(), decimals);
    let is_zero = digits.bytes().all(|byte| matches!(byte, b'0' | b'.'));
    let sign = if value < 0.0 && !is_zero { MINUS } else { "" };
    match digits.split_once('.') {
        Some((whole, fraction)) => format!("{sign}{}.{fraction}", grouped_digits(whole)),
        None => format!("{sign}{}", grouped_digits(&digits)),
    }
}

/// The digits of a positive number. Halves are rounded up, as `Number.toFixed` does; `format!` rounds them to even.
fn digits(size: f64, decimals: usize) -> String {
    /// Digits behind the half that are all 0 only if the half is exact.
    const BEYOND: usize = 45;
    let all = format!("{size:.0$}", decimals + 1 + BEYOND);
    let is_half = all[all.len() - BEYOND - 1..].strip_prefix('5').is_some_and(|rest| rest.bytes().all(|b| b == b'0'));
    let size = if is_half { f64::from_bits(size.to_bits() + 1) } else { size };
    format!("{size:.decimals$}")
}

/// A number with at most `decimals` decimals, without zeros at its end.
pub fn trimmed(value: f64, decimals: usize) -> String {
    let text = fixed(value, decimals);
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}

/// A number with all the decimals that it has.
pub fn exact(value: f64) -> String {
    let digits = value.to_string();
    fixed(value, digits.split_once('.').map_or(0, |(_, fraction)| fraction.len()))
}

/// A number with three digits, or all of those before the point, without zeros at its end.
pub fn three_digits(value: f64) -> String {
    with_digits(value, 3)
}

/// As [`three_digits`], with `count` digits.
pub fn with_digits(value: f64, count: i32) -> String {
    let decimals = (count - 1 - exponent(value)).clamp(0, MAXIMUM_DECIMALS);
    trimmed(value, usize::try_from(decimals).unwrap_or(0))
}

/// A number rounded to three significant digits, without zeros at its end.
pub fn significant(value: f64) -> String {
    three_digits(rounded(value))
}

/// A measured number with three significant digits, zeros at its end included, or all digits before the point.
pub fn measured(value: f64) -> String {
    const MAXIMUM: i32 = 9;
    if value.fract() == 0.0 {
        return fixed(value, 0);
    }
    let decimals = (2 - exponent(rounded(value))).clamp(0, MAXIMUM);
    let text = fixed(value, usize::try_from(decimals).unwrap_or(0));
    if text.bytes().all(|byte| matches!(byte, b'0' | b'.')) { "0".into() } else { text }
}

/// `value` rounded to three significant digits.
pub fn rounded(value: f64) -> f64 {
    format!("{value:.2e}").parse().unwrap_or(value)
}

/// Power of ten of the first digit of a number.
fn exponent(value: f64) -> i32 {
    format!("{value:e}").rsplit_once('e').and_then(|(_, exponent)| exponent.parse().ok()).unwrap_or(0)
}

/// Digits in groups of three from five on.
fn grouped_digits(digits: &str) -> String {
    if digits.len() < 5 {
        return digits.to_owned();
    }
    let groups: Vec<&str> =
        digits.as_bytes().rchunks(3).rev().map(|group| str::from_utf8(group).unwrap_or_default()).collect();
    groups.join(THIN)
}

/// A whole number.
pub fn grouped(count: impl Into<u64>) -> String {
    grouped_digits(&count.into().to_string())
}

/// A count of things: "1 run", "12 runs".
pub fn counted(count: impl Into<u64>, one: &str) -> String {
    counted_as(count, one, &format!("{one}s"))
}

/// A count of things whose plural is not the singular with an "s": "1 query", "2 queries".
pub fn counted_as(count: impl Into<u64>, one: &str, several: &str) -> String {
    let count = count.into();
    format!("{} {}", grouped(count), if count == 1 { one } else { several })
}

/// A large count, no finer than it is known: "3 million", "250 billion".
pub fn roughly(count: f64) -> String {
    let words = [(1e9, " billion"), (1e6, " million")];
    let (unit, word) = words.into_iter().find(|(unit, _)| count >= *unit).unwrap_or((1.0, ""));
    format!("{}{word}", fixed(count / unit, 0))
}

/// A number, which is already text, with its unit as documents name it.
pub fn with_unit(text: &str, unit: &str) -> String {
    match unit {
        "" => text.to_owned(),
        "us" => format!("{text}{THIN}µs"),
        // "130 000 1/s" reads as one number.
        "1/s" => format!("{text}/s"),
        unit if text == "1" => format!("1{THIN}{}", singular(unit)),
        unit => format!("{text}{THIN}{unit}"),
    }
}

/// The unit that suits a value which is stored in `unit`, and the number to divide the value by.
pub fn scale_of(value: f64, unit: &'static str) -> (f64, &'static str) {
    match unit {
        "bytes" if value >= 1e9 => (1e9, "GB"),
        "bytes" if value >= 1e6 => (1e6, "MB"),
        "bytes" => (1e3, "kB"),
        "" => (0.01, "%"),
        unit => (1.0, unit),
    }
}

/// A share of 0 to 1 in per cent, with three digits.
pub fn percent(share: f64) -> String {
    with_unit(&three_digits(100.0 * share), "%")
}

/// The unit of one: "packet" of "packets". Symbols such as `µs` have no plural.
fn singular(unit: &str) -> &str {
    const MIN_WORD: usize = 4;
    let is_word = unit.len() >= MIN_WORD && unit.chars().all(|letter| letter.is_ascii_lowercase() || letter == ' ');
    if is_word { unit.strip_suffix('s').unwrap_or(unit) } else { unit }
}

/// A duration of `us` microseconds, with three digits in the unit that suits it.
pub fn duration(us: f64) -> String {
    let (value, unit) = match us {
        us if us >= 3600e6 => (us / 3600e6, "h"),
        us if us >= 60e6 => (us / 60e6, "min"),
        us if us >= 1e6 => (us / 1e6, "s"),
        us if us >= 1000.0 => (us / 1000.0, "ms"),
        us => (us, "µs"),
    };
    with_unit(&three_digits(value), unit)
}

/// A time of computing, no finer than it is known: "about 20 minutes".
pub fn about_time(seconds: f64) -> String {
    let (unit, word) = match seconds {
        ..3.0 => return "a few seconds".into(),
        ..55.0 => return format!("about {:.0} seconds", (seconds / 5.0).round().max(1.0) * 5.0),
        ..5400.0 => (60.0, "minute"),
        ..129_600.0 => (3600.0, "hour"),
        _ => (86_400.0, "day"),
    };
    let count = (seconds / unit).round().max(1.0);
    let count = if count > 10.0 { (count / 5.0).round() * 5.0 } else { count };
    format!("about {} {word}{}", fixed(count, 0), if count > 1.0 { "s" } else { "" })
}

/// "a", "a and b", "a, b and c".
pub fn listed(items: &[impl AsRef<str>]) -> String {
    joined(items, "and")
}

/// "a", "a or b", "a, b or c".
pub fn alternatives(items: &[impl AsRef<str>]) -> String {
    joined(items, "or")
}

fn joined(items: &[impl AsRef<str>], word: &str) -> String {
    let items: Vec<&str> = items.iter().map(AsRef::as_ref).collect();
    match items.as_slice() {
        [] => String::new(),
        [only] => (*only).to_owned(),
        [first @ .., last] => format!("{} {word} {last}", first.join(", ")),
    }
}

/// As [`listed`], with at most `maximum` parts, of which the last counts the items left out: "a, b and 3 more".
pub fn listed_at_most(items: &[impl AsRef<str>], maximum: usize) -> String {
    if items.len() <= maximum {
        return listed(items);
    }
    let named: Vec<&str> = items.iter().take(maximum - 1).map(AsRef::as_ref).collect();
    format!("{} and {} more", named.join(", "), items.len() - named.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_digits_are_counted_from_the_first_that_is_not_zero() {
        let texts = [0.0, 0.1234, 2.0, 52.51, 355.839, 1695.2, 52_500.0].map(three_digits);
        assert_eq!(texts, ["0", "0.123", "2", "52.5", "356", "1695", "52\u{202f}500"]);
        let small = [0.00123, 4.63e-6, 1e-13, -0.01, 99.96].map(three_digits);
        assert_eq!(small, ["0.00123", "0.00000463", "0", "−0.01", "100"]);
        let texts = [1.895_523_7, 4998.699, 0.012_345, 80_882_450.0, 0.0].map(significant);
        assert_eq!(texts, ["1.9", "5000", "0.0123", "80\u{202f}900\u{202f}000", "0"]);
    }

    #[test]
    fn measured_numbers_keep_zeros_at_their_end() {
        for (number, text) in [
            (0.0, "0"),
            (40.0, "40"),
            (48.2167, "48.2"),
            (9.996, "10.0"),
            (9.9, "9.90"),
            (412.4, "412"),
            (1234.5, "1235"),
            (12_345.6, "12\u{202f}346"),
            (1_234_567.0, "1\u{202f}234\u{202f}567"),
            (0.001_234, "0.00123"),
            (-2.5, "−2.50"),
            (-1e-12, "0"),
            (0.999_9, "1.00"),
        ] {
            assert_eq!(measured(number), text, "{number}");
        }
    }

    #[test]
    fn halves_are_rounded_up() {
        let texts = [(0.5, 0), (2.5, 0), (-0.125, 2), (0.15, 1), (1.005, 2), (99_999.5, 0)].map(|(n, d)| fixed(n, d));
        assert_eq!(texts, ["1", "3", "−0.13", "0.1", "1.00", "100\u{202f}000"]);
        assert_eq!([fixed(-0.004, 2), fixed(f64::NAN, 2)], ["0.00", "–"]);
    }

    #[test]
    fn numbers_are_those_of_the_page() {
        let table: serde_json::Value = serde_json::from_str(include_str!("../../../../tests/numbers.json")).unwrap();
        for row in table.as_array().unwrap() {
            let decimals = row["decimals"].as_u64().unwrap() as usize;
            assert_eq!(fixed(row["value"].as_f64().unwrap(), decimals), row["text"].as_str().unwrap());
        }
    }

    #[test]
    fn exact_numbers_keep_every_decimal() {
        assert_eq!([0.5, 12_000.0, -0.0625].map(exact), ["0.5", "12\u{202f}000", "−0.0625"]);
    }

    #[test]
    fn counts_agree_with_their_nouns() {
        assert_eq!([0u64, 1, 1234].map(|count| counted(count, "run")), ["0 runs", "1 run", "1234 runs"]);
        assert_eq!(counted_as(12_345u64, "query", "queries"), "12\u{202f}345 queries");
        assert_eq!([roughly(999.0), roughly(3.2e6), roughly(2.5e11)], ["999", "3 million", "250 billion"]);
    }

    #[test]
    fn units_follow_a_narrow_space() {
        let texts = [("25", "us"), ("48", "%"), ("3", ""), ("130", "1/s"), ("1", "packets"), ("1", "Gb/s")]
            .map(|(text, unit)| with_unit(text, unit));
        assert_eq!(texts, ["25\u{202f}µs", "48\u{202f}%", "3", "130/s", "1\u{202f}packet", "1\u{202f}Gb/s"]);
        assert_eq!(scale_of(33_554_432.0, "bytes"), (1e6, "MB"));
        assert_eq!(percent(0.0523), "5.23\u{202f}%");
    }

    #[test]
    fn durations_have_the_unit_that_suits_them() {
        let texts = [12.5, 6000.0, 500_000.0, 90e6, 7200e6].map(duration);
        assert_eq!(texts, ["12.5\u{202f}µs", "6\u{202f}ms", "500\u{202f}ms", "1.5\u{202f}min", "2\u{202f}h"]);
        let about = [1.0, 7.0, 95.0, 1500.0, 7200.0, 1e6].map(about_time);
        let expected = ["a few seconds", "about 5 seconds", "about 2 minutes", "about 25 minutes", "about 2 hours"];
        assert_eq!((&about[..5], about[5].as_str()), (&expected.map(String::from)[..], "about 10 days"));
    }

    #[test]
    fn lists_end_with_and() {
        assert_eq!(listed(&["a", "b", "c"]), "a, b and c");
        assert_eq!([listed(&["a", "b"]), listed(&["a"]), listed(&[""; 0])], ["a and b", "a", ""]);
        assert_eq!(alternatives(&["a", "b"]), "a or b");
        assert_eq!(listed_at_most(&["a", "b", "c", "d"], 3), "a, b and 2 more");
        assert_eq!(listed_at_most(&["a", "b", "c"], 3), "a, b and c");
    }
}
