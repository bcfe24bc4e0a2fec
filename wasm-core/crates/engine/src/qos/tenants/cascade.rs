//! The cascade of token buckets that sorts the requests of a tenant into nested classes (paper 4, section 2, fig. 2).
//!
//! A request meets the outermost bucket first. Every bucket that has a token gives one and lets it on to the next one further
//! in; at the first that has none it stops. A token that an outer bucket gave is not returned when an inner one refuses.

use super::bucket::TokenBucket;
use super::{Contract, Promise};

/// The buckets of a tenant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cascade {
    /// From the innermost out.
    buckets: Vec<TokenBucket>,
}

impl Cascade {
    /// Full buckets.
    pub fn new(contract: &Contract) -> Self {
        Self { buckets: contract.promises().iter().map(|promise| TokenBucket::new(promise.envelope)).collect() }
    }

    /// The number of the class that a request which arrives at `now_ps` belongs to, from 0, the innermost. The number of
    /// classes: it overflows, and nothing is promised for it.
    #[inline]
    pub fn classify(&mut self, now_ps: u64) -> usize {
        for (number, bucket) in self.buckets.iter_mut().enumerate().rev() {
            bucket.refill(now_ps);
            if !bucket.take() {
                return number + 1;
            }
        }
        0
    }

    /// Changes the envelopes from `now_ps` on.
    pub fn set(&mut self, now_ps: u64, contract: &Contract) {
        let promises = contract.promises();
        self.buckets.truncate(promises.len());
        let known = self.buckets.len();
        for (bucket, promise) in self.buckets.iter_mut().zip(promises) {
            bucket.set(now_ps, promise.envelope);
        }
        self.buckets.extend(promises[known..].iter().map(|Promise { envelope, .. }| {
            let mut bucket = TokenBucket::new(*envelope);
            bucket.refill(now_ps);
            bucket
        }));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::random::Stream;
    use crate::kernel::time::PS_PER_S;
    use crate::qos::tenants::bucket::{Envelope, RATE_SCALE};

    fn contract(envelopes: &[(u32, u64)]) -> Contract {
        let promise = |(number, &(burst, per_s)): (u64, &(u32, u64))| Promise {
            envelope: Envelope { burst, rate: per_s * RATE_SCALE },
            response_ps: (number + 1) * PS_PER_S,
        };
        Contract::new((0..).zip(envelopes).map(promise).collect())
    }

    #[test]
    fn a_burst_fills_the_classes_from_the_innermost_out() {
        let mut cascade = Cascade::new(&contract(&[(3, 1), (6, 1), (12, 1)]));
        let classes: Vec<usize> = (0..14).map(|_| cascade.classify(0)).collect();
        assert_eq!(classes, [0, 0, 0, 1, 1, 1, 2, 2, 2, 2, 2, 2, 3, 3]);
    }

    #[test]
    fn tokens_of_outer_buckets_are_not_returned() {
        // The inner bucket is empty from the second request on; the outer one still pays for it.
        let mut cascade = Cascade::new(&contract(&[(1, 1), (2, 1)]));
        assert_eq!([cascade.classify(0), cascade.classify(0), cascade.classify(0)], [0, 1, 2]);
        // After a second both have one token: a request takes both.
        assert_eq!([cascade.classify(PS_PER_S), cascade.classify(PS_PER_S)], [0, 2]);
    }

    /// The classes of paper 4 section 2 are "the maximal subsequence that conforms to (σ, ρ)". Buckets that stand side by side,
    /// each looking at all requests, do not even give nested classes: tokens that one loses at its brim the other keeps.
    #[test]
    fn buckets_side_by_side_are_no_cascade() {
        let envelopes = contract(&[(1, 1), (2, 1)]);
        let (mut not_nested, mut differ) = (0, 0);
        for trace in 0..2000 {
            let mut arrivals = Stream::new(7, "nesting", trace);
            let mut alone: Vec<TokenBucket> =
                envelopes.promises().iter().map(|promise| TokenBucket::new(promise.envelope)).collect();
            let mut cascade = Cascade::new(&envelopes);
            let mut now_ps = 0;
            let (mut violated, mut unlike) = (false, false);
            for _ in 0..30 {
                now_ps += crate::kernel::convert::whole(arrivals.exponential() * PS_PER_S as f64);
                let passes: Vec<bool> = alone
                    .iter_mut()
                    .map(|bucket| {
                        bucket.refill(now_ps);
                        bucket.take()
                    })
                    .collect();
                let class = cascade.classify(now_ps);
                violated |= passes[0] && !passes[1];
                unlike |= passes[0] != (class == 0);
            }
            not_nested += u32::from(violated);
            differ += u32::from(unlike);
        }
        assert!(not_nested > 500, "the inner bucket passed what the outer one refused in {not_nested} of 2000 traces");
        assert!(differ > 500, "the innermost classes differ in {differ} of 2000 traces");
    }
}
