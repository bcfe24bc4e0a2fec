//! Shares of a server by weights: the virtual time of WF2Q+ (J. Bennett, H. Zhang, "Hierarchical packet fair queueing
//! algorithms", SIGCOMM 1996, section 4), for requests that all cost the same.
//!
//! A tenant that waits has a start tag S and a finish tag F = S + 1/w. Of the tenants whose S the virtual time has reached the
//! one of the smallest F is served. Virtual time goes on by one for each request served (weights add up to one), and is
//! never behind the smallest S.

/// The part of all that each weight is, a millionth at least, of weights of which one at least is positive.
pub fn parts(weights: &[f64]) -> impl Iterator<Item = f64> {
    const MIN: f64 = 1e-6;
    let total: f64 = weights.iter().sum();
    weights.iter().map(move |weight| (weight / total).max(MIN))
}

/// Tags of a tenant.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Tags {
    /// Virtual time that a request takes: 1/w.
    cost: f64,
    start: f64,
    finish: f64,
    waiting: u32,
}

/// Whose turn it is among tenants that wait.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FairShares {
    tenants: Vec<Tags>,
    virtual_time: f64,
}

impl FairShares {
    /// Tenants with these weights, of which one at least is positive.
    pub fn new(weights: &[f64]) -> Self {
        let mut shares = Self { tenants: vec![Tags::default(); weights.len()], virtual_time: 0.0 };
        shares.set(weights);
        shares
    }

    /// Changes the weights, for requests that have no tags yet.
    pub fn set(&mut self, weights: &[f64]) {
        for (tenant, part) in self.tenants.iter_mut().zip(parts(weights)) {
            tenant.cost = 1.0 / part;
        }
    }

    /// A request of a tenant waits from now on.
    #[inline]
    pub fn arrive(&mut self, tenant: usize) {
        let tags = &mut self.tenants[tenant];
        tags.waiting += 1;
        if tags.waiting == 1 {
            tags.start = tags.finish.max(self.virtual_time);
            tags.finish = tags.start + tags.cost;
        }
    }

    /// The tenant whose request is served next, which waits no longer; none if none waits.
    #[inline]
    pub fn choose(&mut self) -> Option<usize> {
        let mut min_start = f64::INFINITY;
        for tags in &self.tenants {
            if tags.waiting > 0 && tags.start < min_start {
                min_start = tags.start;
            }
        }
        if min_start == f64::INFINITY {
            return None;
        }
        self.virtual_time = self.virtual_time.max(min_start);
        let mut chosen = None;
        let mut first = f64::INFINITY;
        for (number, tags) in self.tenants.iter().enumerate() {
            if tags.waiting > 0 && tags.start <= self.virtual_time && tags.finish < first {
                (chosen, first) = (Some(number), tags.finish);
            }
        }
        let number = chosen?;
        self.virtual_time += 1.0;
        let tags = &mut self.tenants[number];
        tags.waiting -= 1;
        if tags.waiting > 0 {
            tags.start = tags.finish;
            tags.finish = tags.start + tags.cost;
        }
        chosen
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn backlogged_tenants_are_served_by_their_weights_and_never_in_a_run() {
        let mut shares = FairShares::new(&[2.0, 1.0]);
        (0..1000).for_each(|_| [0, 1].into_iter().for_each(|tenant| shares.arrive(tenant)));
        let served: Vec<usize> = (0..900).filter_map(|_| shares.choose()).collect();
        for window in served.chunks(3) {
            assert_eq!(window.iter().filter(|&&tenant| tenant == 0).count(), 2, "{window:?}");
        }
    }

    #[test]
    fn who_was_idle_has_saved_nothing_up() {
        let mut shares = FairShares::new(&[1.0, 1.0]);
        (0..200).for_each(|_| shares.arrive(0));
        (0..100).for_each(|_| assert_eq!(shares.choose(), Some(0)));
        (0..100).for_each(|_| shares.arrive(1));
        let served: Vec<usize> = (0..100).filter_map(|_| shares.choose()).collect();
        let of_the_second = served.iter().filter(|&&tenant| tenant == 1).count();
        assert!((49..=51).contains(&of_the_second), "{of_the_second} of 100");
    }

    /// Requests take 2 of virtual time. Alone, A is served as soon as it begins, at 0, 2 and 4; B begins at 5, when that is done.
    #[test]
    fn virtual_time_goes_on_by_one_and_is_never_behind_the_first_start() {
        let mut shares = FairShares::new(&[1.0, 1.0]);
        (0..4).for_each(|_| shares.arrive(0));
        let times = [0, 1, 2].map(|_| {
            shares.choose();
            shares.virtual_time
        });
        assert_eq!(times, [1.0, 3.0, 5.0]);
        (0..2).for_each(|_| shares.arrive(1));
        assert_eq!(
            shares.tenants.iter().map(|tags| (tags.start, tags.finish)).collect::<Vec<_>>(),
            [(6.0, 8.0), (5.0, 7.0)]
        );
        let order = [0, 1, 2].map(|_| shares.choose());
        assert_eq!((order, shares.virtual_time), ([Some(1), Some(0), Some(1)], 8.0));
    }

    #[test]
    fn one_without_weight_counts_as_a_millionth() {
        assert_eq!(parts(&[3.0, 0.0, 1.0]).collect::<Vec<_>>(), [0.75, 1e-6, 0.25]);
    }

    #[test]
    fn what_one_does_not_use_the_others_get() {
        let mut shares = FairShares::new(&[9.0, 1.0]);
        (0..10).for_each(|_| shares.arrive(1));
        (0..10).for_each(|_| assert_eq!(shares.choose(), Some(1)));
        assert_eq!(shares.choose(), None);
    }
}
