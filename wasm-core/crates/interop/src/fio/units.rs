//! Amounts in options of fio, with units by its rules.
//!
//! fio 3.33, `parse.c`: a whole number by `strtoll`, followed by the letters of a unit, of which fio compares the first. Without a unit
//! that it knows the number stands alone: `1.5g` is 1 byte to it, `10sec` are 10 µs and `bs= 4k` is 4 bytes (`fio --debug=parse
//! --parse-only` shows them). What it would misread is no amount here.

/// Letters of units of bytes, each a thousand times the one before.
const LETTERS: &str = "kmgtp";
/// Units of time and their microseconds.
const TIMES: [(&str, u64); 10] = [
    ("us", 1),
    ("usec", 1),
    ("usecs", 1),
    ("ms", 1000),
    ("msec", 1000),
    ("msecs", 1000),
    ("s", 1_000_000),
    ("m", 60_000_000),
    ("h", 3_600_000_000),
    ("d", 86_400_000_000),
];

/// A number of bytes, or of anything that is counted: `4k` is 4096. With its default `kb_base` of 1024 fio swaps the units of IEC
/// and SI: `4kib` is 4000, but `4ki`, which is none of its units, is `4k`.
pub(super) fn bytes(text: &str, kb_base: u64) -> Option<u64> {
    let (number, unit) = split(text)?;
    let (letter, rest) = match unit.strip_prefix(|letter| LETTERS.contains(letter)) {
        Some(rest) => (unit.chars().next(), rest),
        None => (None, unit.as_str()),
    };
    let power = letter.and_then(|letter| LETTERS.find(letter)).map_or(0, |place| place as u32 + 1);
    let base = match rest {
        "" | "b" | "byte" | "bytes" => kb_base,
        "i" if power > 0 => kb_base,
        "ib" | "ibyte" | "ibytes" if power > 0 => 2024 - kb_base,
        _ => return None,
    };
    number.checked_mul(base.checked_pow(power)?)
}

/// A time in microseconds; without a unit of seconds where `seconds`, of microseconds otherwise.
pub(super) fn micros(text: &str, seconds: bool) -> Option<u64> {
    let (number, unit) = split(text)?;
    let (_, factor) =
        TIMES.iter().find(|(name, _)| *name == if unit.is_empty() { own_unit(seconds) } else { &unit })?;
    number.checked_mul(*factor)
}

fn own_unit(seconds: bool) -> &'static str {
    if seconds { "s" } else { "us" }
}

/// A whole number without a sign, and the unit behind it in small letters.
fn split(text: &str) -> Option<(u64, String)> {
    // What is as large is an error to fio, which counts with a sign.
    let limited = |number: u64| (number <= i64::MAX as u64).then_some(number);
    if let Some(digits) = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        let is_hexadecimal = digits.bytes().all(|digit| digit.is_ascii_hexdigit());
        return u64::from_str_radix(digits, 16)
            .ok()
            .filter(|_| is_hexadecimal)
            .and_then(limited)
            .map(|number| (number, String::new()));
    }
    let digits = text.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(text.len());
    let (digits, unit) = text.split_at(digits);
    Some((limited(digits.parse().ok()?)?, unit.to_ascii_lowercase()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_have_the_units_of_fio() {
        let read = |text| bytes(text, 1024);
        assert_eq!(
            ["4k", "4K", "4kb", "4kib", "1m", "512", "512b"].map(read),
            [Some(4096), Some(4096), Some(4096), Some(4000), Some(1 << 20), Some(512), Some(512)]
        );
        assert_eq!(
            ["4k", "4KiB", "1t"].map(|text| bytes(text, 1000)),
            [Some(4000), Some(4096), Some(1_000_000_000_000)]
        );
        assert_eq!(bytes("0x1000", 1024), Some(4096));
        assert_eq!(
            ["4Ki", "64Mi", "4kbytes", "4KiBytes", "512bytes"].map(read),
            [Some(4096), Some(64 << 20), Some(4096), Some(4000), Some(512)]
        );
        assert_eq!(bytes("4Ki", 1000), Some(4000));
    }

    #[test]
    fn what_fio_misreads_is_no_amount() {
        for text in [
            "",
            "k",
            "1.5g",
            "4 k",
            " 4k",
            "4kx",
            "4kk",
            "4i",
            "4kix",
            "500z",
            "-4k",
            "+4",
            "1e3",
            "4%",
            "0x",
            "0x1g",
            "99999999999999999999",
            "9000000p",
        ] {
            assert_eq!(bytes(text, 1024), None, "{text}");
        }
        for text in ["", "s", "1.5s", "1h2m", "10sec", "10 s", "-5", "9999999999999d"] {
            assert_eq!(micros(text, true), None, "{text}");
        }
    }

    #[test]
    fn times_have_the_units_of_fio() {
        let of = ["10", "500ms", "5m", "10US", "2d", "3h", "7msecs"].map(|text| micros(text, true));
        let us = [10_000_000, 500_000, 300_000_000, 10, 172_800_000_000, 10_800_000_000, 7000];
        assert_eq!(of, us.map(Some));
        assert_eq!((micros("10", false), micros("10s", false)), (Some(10), Some(10_000_000)));
    }
}
