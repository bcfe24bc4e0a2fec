//! Columns of a line and the numbers in them, read from bytes without taking memory.

/// What is wrong with a line: the end of the sentence "Line 17 ...".
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// It has another number of columns than its format.
    Columns,
    /// A column is no number, or one that is too large.
    Number(&'static str),
    /// A column is none of the words that it may be.
    Word(&'static str),
    /// A request is larger than [`MAXIMUM_REQUEST_BYTES`].
    TooLarge,
    /// A request ends beyond the last byte that 64 bits can address.
    Address,
    /// An instant lies more than [`MAXIMUM_SPAN_NS`] from the first.
    TooFar,
    /// The line is longer than any line of a trace.
    TooLong,
}

impl Fault {
    /// What is wrong, as the end of the sentence "Line 17 ...".
    pub fn reason(self) -> String {
        match self {
            Self::Columns => "does not have the columns of its format".into(),
            Self::Number(column) => format!("has no number for its {column}, or one that is too large"),
            Self::Word(column) => format!("has an unknown {column}"),
            Self::TooLarge => format!("asks for more than {} MiB at once", MAXIMUM_REQUEST_BYTES >> 20),
            Self::Address => "ends beyond the last address there is".into(),
            Self::TooFar => format!("lies more than {} days from the first request", MAXIMUM_SPAN_NS / NS_PER_DAY),
            Self::TooLong => "is longer than any line of a trace".into(),
        }
    }
}

/// Largest request that is believed, 1 GiB: more is a damaged line.
pub const MAXIMUM_REQUEST_BYTES: u64 = 1 << 30;
/// Nanoseconds in a day.
const NS_PER_DAY: u64 = 86_400_000_000_000;
/// Longest time between the first request of a trace and another, 100 days either way: picoseconds fit 64 bits.
pub const MAXIMUM_SPAN_NS: u64 = 100 * NS_PER_DAY;
/// Bytes in a sector of a disk.
pub const SECTOR_BYTES: u64 = 512;
/// Nanoseconds in a second.
pub const NS_PER_S: u64 = 1_000_000_000;

/// The columns of a line, split at a separator; spaces around them do not count.
#[derive(Clone, Copy, Debug)]
pub struct Columns<'a> {
    rest: Option<&'a [u8]>,
}

impl<'a> Columns<'a> {
    /// Columns separated by commas.
    pub fn by_comma(line: &'a [u8]) -> Self {
        Self { rest: Some(line) }
    }

    /// The next column.
    pub fn next(&mut self) -> Result<&'a [u8], Fault> {
        let rest = self.rest.ok_or(Fault::Columns)?;
        let end = rest.iter().position(|&byte| byte == b',');
        self.rest = end.map(|end| &rest[end + 1..]);
        Ok(rest[..end.unwrap_or(rest.len())].trim_ascii())
    }

    /// The next whole number; `name` is the column as it is called in sentences.
    pub fn whole(&mut self, name: &'static str) -> Result<u64, Fault> {
        whole(self.next()?).ok_or(Fault::Number(name))
    }

    /// How far the columns that were taken reach in `line`, the separator behind them included.
    pub fn taken(&self, line: &[u8]) -> usize {
        self.rest.map_or(line.len() + 1, |rest| line.len() - rest.len())
    }

    /// There may be no more columns.
    pub fn end(self) -> Result<(), Fault> {
        if self.rest.is_none() { Ok(()) } else { Err(Fault::Columns) }
    }
}

/// The words of a line, separated by spaces and tabs.
pub fn words(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    line.split(|byte| byte.is_ascii_whitespace()).filter(|word| !word.is_empty())
}

/// A whole number in decimal digits, nothing else; none where it does not fit 64 bits.
pub fn whole(digits: &[u8]) -> Option<u64> {
    if digits.is_empty() || digits.len() > 20 {
        return None;
    }
    // Nineteen digits always fit.
    let (safe, last) = digits.split_at(digits.len().min(19));
    let mut number = 0u64;
    for &digit in safe {
        let digit = digit.wrapping_sub(b'0');
        if digit > 9 {
            return None;
        }
        number = number * 10 + u64::from(digit);
    }
    match last {
        [] => Some(number),
        [digit @ b'0'..=b'9', ..] => number.checked_mul(10)?.checked_add(u64::from(digit - b'0')),
        _ => None,
    }
}

/// Decimal seconds, such as `0.026214`, `1456329600` or `2.5e-3`, in whole nanoseconds; further digits are cut off.
pub fn seconds_ns(text: &[u8]) -> Option<u64> {
    let point = text.iter().position(|&byte| byte == b'.').unwrap_or(text.len());
    let (seconds, fraction) = (&text[..point], text.get(point + 1..).unwrap_or_default());
    if seconds.is_empty() && fraction.is_empty() {
        return None;
    }
    let seconds = if seconds.is_empty() { Some(0) } else { whole(seconds) };
    let mut nanoseconds = 0;
    let mut unit = NS_PER_S / 10;
    for (place, digit) in fraction.iter().map(|digit| digit.wrapping_sub(b'0')).enumerate() {
        if digit > 9 || place > 30 {
            return scientific_ns(text);
        }
        nanoseconds += unit * u64::from(digit);
        unit /= 10;
    }
    let Some(seconds) = seconds else { return scientific_ns(text) };
    seconds.checked_mul(NS_PER_S)?.checked_add(nanoseconds)
}

/// Seconds in scientific notation, `2.5e-3`, which some tools write for small numbers; further digits are cut off.
#[cold]
fn scientific_ns(text: &[u8]) -> Option<u64> {
    let split = text.iter().position(|byte| matches!(byte, b'e' | b'E'))?;
    let (number, exponent) = (&text[..split], &text[split + 1..]);
    let point = number.iter().position(|&byte| byte == b'.').unwrap_or(number.len());
    let fraction = number.get(point + 1..).unwrap_or_default();
    let mut digits = 0u128;
    for &digit in number[..point].iter().chain(fraction) {
        let digit = Some(digit.wrapping_sub(b'0')).filter(|&digit| digit <= 9)?;
        digits = digits.checked_mul(10)?.checked_add(u128::from(digit))?;
    }
    let (is_negative, exponent) = match exponent {
        [b'-', exponent @ ..] => (true, exponent),
        [b'+', exponent @ ..] | exponent => (false, exponent),
    };
    let exponent = i64::try_from(whole(exponent)?).ok()?;
    // Nanoseconds: nine places more.
    let places = if is_negative { -exponent } else { exponent } + 9 - i64::try_from(fraction.len()).ok()?;
    let scale = u32::try_from(places.unsigned_abs()).ok().and_then(|places| 10u128.checked_pow(places));
    let nanoseconds = match (places < 0, scale) {
        (true, scale) => scale.map_or(0, |scale| digits / scale),
        (false, scale) => digits.checked_mul(scale?)?,
    };
    u64::try_from(nanoseconds).ok()
}

/// So many sectors or blocks of 512 bytes, in bytes.
pub fn sectors(count: u64, name: &'static str) -> Result<u64, Fault> {
    count.checked_mul(SECTOR_BYTES).ok_or(Fault::Number(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_numbers_are_digits_that_fit() {
        assert_eq!(whole(b"0"), Some(0));
        assert_eq!(whole(b"18446744073709551615"), Some(u64::MAX));
        assert_eq!(whole(b"00000000000000000007"), Some(7));
        for hostile in
            ["", "-1", "+1", "1.0", "1e3", "18446744073709551616", "99999999999999999999", "1 2", "0x10", "١"]
        {
            assert_eq!(whole(hostile.as_bytes()), None, "{hostile}");
        }
    }

    #[test]
    fn seconds_keep_their_nanoseconds() {
        assert_eq!(seconds_ns(b"0.026214"), Some(26_214_000));
        assert_eq!(seconds_ns(b"1456329600.123456789"), Some(1_456_329_600_123_456_789));
        assert_eq!(seconds_ns(b"7"), Some(7 * NS_PER_S));
        assert_eq!(seconds_ns(b".5"), Some(NS_PER_S / 2));
        assert_eq!(seconds_ns(b"1.0000000009"), Some(NS_PER_S));
        assert_eq!(seconds_ns(b"2.5e-3"), Some(2_500_000));
        assert_eq!(seconds_ns(b"1e-05"), Some(10_000));
        for hostile in ["", ".", "-1", "NaN", "inf", "1e30", "-2e-3", "1.2.3", "99999999999", "0.1x", "1e999"] {
            let found = seconds_ns(hostile.as_bytes());
            assert!(found.is_none() || hostile == "99999999999", "{hostile}: {found:?}");
        }
        assert_eq!(seconds_ns(b"99999999999"), None, "more than 64 bits of nanoseconds");
    }

    #[test]
    fn columns_end_where_the_line_does() {
        let mut columns = Columns::by_comma(b"a, b ,,d");
        let found: Vec<&[u8]> = (0..4).map(|_| columns.next().unwrap()).collect();
        assert_eq!(found, [b"a" as &[u8], b"b", b"", b"d"]);
        assert_eq!(columns.end(), Ok(()));
        assert_eq!(columns.next(), Err(Fault::Columns));
        assert_eq!(Columns::by_comma(b"1,2").end(), Err(Fault::Columns));
    }
}
