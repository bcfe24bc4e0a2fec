//! A 64-bit digest of results, equal on every target if and only if (but for collisions) the results are equal.

use super::convert::saturated;

/// Order-dependent hash of a sequence of words: each is mixed in by a multiplication and a rotation.
#[derive(Clone, Debug)]
pub struct Digest(u64);

const SEED: u64 = 0x9e37_79b9_7f4a_7c15;
const MULTIPLIER: u64 = 0xd6e8_feb8_6659_fd93;

impl Default for Digest {
    fn default() -> Self {
        Self(SEED)
    }
}

impl Digest {
    /// Mixes in one word.
    pub fn word(&mut self, word: u64) {
        self.0 = scramble(self.0.rotate_left(23) ^ word);
    }

    /// Mixes in a wide word, the lower half first.
    pub fn wide(&mut self, word: u128) {
        [word & u128::from(u64::MAX), word >> 64].into_iter().for_each(|half| self.word(saturated(half)));
    }

    /// Mixes in the bits of a number. Not-a-number counts as one value, whatever its bits.
    pub fn number(&mut self, number: f64) {
        self.word(if number.is_nan() { u64::MAX } else { number.to_bits() });
    }

    /// The digest of all words so far.
    pub fn value(&self) -> u64 {
        scramble(self.0)
    }
}

/// A bijection of 64-bit words that spreads every input bit over the output.
#[inline]
pub fn scramble(word: u64) -> u64 {
    let mixed = (word ^ (word >> 32)).wrapping_mul(MULTIPLIER);
    (mixed ^ (mixed >> 29)).wrapping_mul(MULTIPLIER) ^ (mixed >> 32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn order_matters_and_repeats_agree() {
        let of = |words: &[u64]| {
            let mut digest = Digest::default();
            words.iter().for_each(|&word| digest.word(word));
            digest.value()
        };
        assert_eq!(of(&[1, 2, 3]), of(&[1, 2, 3]));
        assert_ne!(of(&[1, 2, 3]), of(&[1, 3, 2]));
        assert_ne!(of(&[]), of(&[0]));
    }
}
