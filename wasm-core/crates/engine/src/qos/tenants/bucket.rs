//! A token bucket whose refill is continuous and exact.

use crate::kernel::time::PS_PER_S;

/// Rates are in hundredths of a request a second.
pub const RATE_SCALE: u64 = 100;
/// Tokens are counted in parts of so many a request, so that every rate refills a whole number of them each picosecond.
const PARTS: u64 = PS_PER_S * RATE_SCALE;
/// Largest burst, in requests, whose parts fit 64 bits.
pub const MAX_BURST: u32 = 100_000;

/// An envelope (σ, ρ): at most `burst` requests at once, and `rate` hundredths of a request a second from then on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Envelope {
    /// σ, in requests: from 1 to [`MAX_BURST`].
    pub burst: u32,
    /// ρ, in hundredths of a request a second ([`RATE_SCALE`]).
    pub rate: u64,
}

impl Envelope {
    /// ρ, in requests a second.
    pub fn per_s(self) -> f64 {
        self.rate as f64 / RATE_SCALE as f64
    }

    fn parts(self) -> u64 {
        u64::from(self.burst) * PARTS
    }
}

/// A bucket of tokens, full at the start. Nothing is rounded, whatever the instants at which it is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TokenBucket {
    envelope: Envelope,
    /// Parts of tokens that it holds at most.
    max_parts: u64,
    /// After so long it is full, whatever was in it.
    fills_ps: u64,
    /// Parts of tokens in it.
    parts: u64,
    /// When they were counted.
    at_ps: u64,
}

impl TokenBucket {
    /// A full bucket.
    pub fn new(envelope: Envelope) -> Self {
        let max_parts = envelope.parts();
        let fills_ps = max_parts / envelope.rate.max(1) + 1;
        Self { envelope, max_parts, fills_ps, parts: max_parts, at_ps: 0 }
    }

    /// Refills it up to `now_ps`, which never falls.
    #[inline]
    pub fn refill(&mut self, now_ps: u64) {
        let elapsed_ps = now_ps - self.at_ps;
        self.at_ps = now_ps;
        self.parts = if elapsed_ps < self.fills_ps {
            self.parts + (elapsed_ps * self.envelope.rate).min(self.max_parts - self.parts)
        } else {
            self.max_parts
        };
    }

    /// Takes a token, if at least one is there at the last refill.
    #[inline]
    pub fn take(&mut self) -> bool {
        let taken = self.parts >= PARTS;
        self.parts -= if taken { PARTS } else { 0 };
        taken
    }

    /// Tokens in it at the last refill.
    pub fn tokens(&self) -> f64 {
        self.parts as f64 / PARTS as f64
    }

    /// Changes the envelope from `now_ps` on. Tokens beyond the new burst are lost.
    pub fn set(&mut self, now_ps: u64, envelope: Envelope) {
        self.refill(now_ps);
        let parts = self.parts.min(envelope.parts());
        *self = Self { parts, at_ps: now_ps, ..Self::new(envelope) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn bucket(burst: u32, rate: u64) -> TokenBucket {
        TokenBucket::new(Envelope { burst, rate })
    }

    #[test]
    fn a_token_is_there_at_the_picosecond_at_which_it_is_whole() {
        // Three a second: a token takes a third of a second, which is no whole number of picoseconds.
        let mut bucket = bucket(2, 300);
        assert!(bucket.take() && bucket.take());
        // The surplus of a picosecond is kept, so three tokens take a second to the picosecond, for ever.
        for number in 1..=3_000_000_u64 {
            let due_ps = (number * PS_PER_S).div_ceil(3);
            bucket.refill(due_ps - 1);
            assert!(!bucket.take(), "token {number}");
            bucket.refill(due_ps);
            assert!(bucket.take(), "token {number}");
        }
    }

    #[test]
    fn a_full_bucket_does_not_overflow() {
        let mut bucket = bucket(MAX_BURST, u64::MAX / 2);
        (0..MAX_BURST).for_each(|_| assert!(bucket.take()));
        assert!(!bucket.take());
        bucket.refill(u64::MAX / 2);
        assert_eq!(bucket.tokens(), f64::from(MAX_BURST));
    }

    proptest! {
        /// However often it is looked at in between, the bucket holds the same.
        #[test]
        fn refills_add_up(rate in 1_u64..10_000_000, steps in prop::collection::vec(0_u64..1_000_000_000_000, 1..50)) {
            let (mut often, mut once) = (bucket(5, rate), bucket(5, rate));
            (0..5).for_each(|_| { often.take(); once.take(); });
            let mut now_ps = 0;
            for step in steps {
                now_ps += step;
                often.refill(now_ps);
            }
            once.refill(now_ps);
            prop_assert_eq!(often, once);
        }

        /// In no interval more requests pass than σ + ρt.
        #[test]
        fn what_passes_stays_within_the_envelope(
            burst in 1_u32..20,
            rate in 1_u64..100_000,
            gaps in prop::collection::vec(0_u64..20_000_000_000, 1..200),
        ) {
            let mut bucket = bucket(burst, rate);
            let (mut now_ps, mut passed) = (0, Vec::new());
            for gap in gaps {
                now_ps += gap;
                bucket.refill(now_ps);
                if bucket.take() {
                    passed.push(now_ps);
                }
            }
            for (first, &from_ps) in passed.iter().enumerate() {
                for (last, &to_ps) in passed.iter().enumerate().skip(first) {
                    let count = (last - first + 1) as u128;
                    let allowed = u128::from(burst) * u128::from(PARTS) + u128::from(rate) * u128::from(to_ps - from_ps);
                    prop_assert!(count * u128::from(PARTS) <= allowed);
                }
            }
        }
    }
}
