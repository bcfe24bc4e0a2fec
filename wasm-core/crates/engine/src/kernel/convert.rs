//! Conversions between kinds of numbers that may lose something, named by what becomes of it. Everything else goes by
//! `From`: clippy refuses `as` where it could cut a number short in silence.

/// The nearest whole number. Negative numbers and not-a-number give 0, what is too large gives the largest.
#[inline]
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "saturates, as is said")]
pub fn rounded(number: f64) -> u64 {
    (number + 0.5) as u64
}

/// The whole part. Negative numbers and not-a-number give 0, what is too large gives the largest.
#[inline]
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "saturates, as is said")]
pub fn whole(number: f64) -> u64 {
    number as u64
}

/// As [`whole`], for numbers from 0 to 2^63, which takes a single instruction.
#[inline]
#[expect(clippy::cast_possible_truncation, reason = "such numbers fit")]
pub fn whole_small(number: f64) -> u64 {
    (number as i64).cast_unsigned()
}

/// The whole part, as a position in a list; the last where it is too large.
#[inline]
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "saturates, as is said")]
pub fn whole_index(number: f64) -> usize {
    number as usize
}

/// A whole number of less than 2^53, positive or negative.
#[inline]
#[expect(clippy::cast_possible_truncation, reason = "whoever calls this has bounded it")]
pub fn exact_i64(number: f64) -> i64 {
    number as i64
}

/// A position drawn among those of a list, which memory holds.
#[inline]
#[expect(clippy::cast_possible_truncation, reason = "lists are shorter than their memory")]
pub fn index(position: u64) -> usize {
    debug_assert!(usize::try_from(position).is_ok());
    position as usize
}

/// A number in 64 bits; the largest where it does not fit.
#[inline]
pub fn saturated(number: impl TryInto<u64>) -> u64 {
    number.try_into().unwrap_or(u64::MAX)
}

/// A number in 32 bits; the largest where it does not fit.
#[inline]
pub fn saturated_u32(number: impl TryInto<u32>) -> u32 {
    number.try_into().unwrap_or(u32::MAX)
}

/// A number modulo 2^32, as TCP counts sequence numbers.
#[inline]
#[expect(clippy::cast_possible_truncation, reason = "the lower half is what is wanted")]
pub fn modulo_u32(number: u64) -> u32 {
    number as u32
}

/// A number for the screen, with seven digits.
#[inline]
#[expect(clippy::cast_possible_truncation, reason = "seven digits are enough")]
pub fn short_float(number: f64) -> f32 {
    number as f32
}

/// A position in an arena as the 32 bits it is kept in. Arenas are bounded by validation: 65 535 links and connections.
#[inline]
#[expect(clippy::cast_possible_truncation, reason = "arenas are far smaller")]
pub fn index_u32(position: usize) -> u32 {
    debug_assert!(u32::try_from(position).is_ok());
    position as u32
}

/// What takes 16 bits in a packet, a queue or an event key: the number of a link, of which there are at most 65 536, or
/// bytes of a packet, whose length validation bounds.
#[inline]
#[expect(clippy::cast_possible_truncation, reason = "validation bounds both")]
pub fn short(number: u32) -> u16 {
    debug_assert!(u16::try_from(number).is_ok());
    number as u16
}

/// A small number in eight bits: a priority, or hops of a path.
#[inline]
#[expect(clippy::cast_possible_truncation, reason = "whoever calls this has bounded it")]
pub fn byte(number: u32) -> u8 {
    debug_assert!(u8::try_from(number).is_ok());
    number as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_does_not_fit_gives_the_nearest_that_does() {
        assert_eq!([rounded(2.5), rounded(2.4), rounded(-3.0), rounded(f64::NAN)], [3, 2, 0, 0]);
        assert_eq!([rounded(1e30), whole(1e30), whole(2.9)], [u64::MAX, u64::MAX, 2]);
        assert_eq!((saturated(u128::MAX), saturated(7u128), saturated_u32(1u64 << 32)), (u64::MAX, 7, u32::MAX));
        assert_eq!(modulo_u32((5 << 32) + 7), 7);
        assert_eq!([whole_small(2.9), whole_small(1e18)], [2, 1_000_000_000_000_000_000]);
    }
}
