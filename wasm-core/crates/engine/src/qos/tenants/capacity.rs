//! Capacity that promises need (paper 4, section 5), for a server that takes as long for one request as for any other.
//!
//! All capacities and rates are in requests a second, all times in seconds.

use super::{Contract, Promise};
use crate::kernel::convert::rounded;
use crate::kernel::time::PS_PER_S;

/// Time that a server of `capacity` requests a second takes for one, in picoseconds.
pub fn service_ps(capacity: f64) -> u64 {
    rounded(PS_PER_S as f64 / capacity).max(1)
}

/// A nested class in the terms of the paper.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Class {
    /// σ, in requests.
    pub burst: f64,
    /// ρ, in requests a second.
    pub rate: f64,
    /// δ, in seconds.
    pub response_s: f64,
}

impl From<&Promise> for Class {
    fn from(promise: &Promise) -> Self {
        Self {
            burst: f64::from(promise.envelope.burst),
            rate: promise.envelope.per_s(),
            response_s: promise.response_ps as f64 / PS_PER_S as f64,
        }
    }
}

/// The classes of a contract, the innermost first.
pub fn classes(contract: &Contract) -> Vec<Class> {
    contract.promises().iter().map(Class::from).collect()
}

/// What binds the capacity of a contract.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Binding {
    /// The long run: the rate of the outermost class.
    Rate,
    /// The largest burst of a class, due at its response time.
    Burst {
        /// Number of the class.
        class: usize,
    },
    /// The burst of a class, and what arrives until just before the response time of the next class.
    Gap {
        /// Number of the class.
        class: usize,
    },
}

/// Capacity that a contract needs.
#[derive(Clone, Debug, PartialEq)]
pub struct Need {
    /// κ.
    pub capacity: f64,
    /// The term that gives it.
    pub binding: Binding,
    /// By class: what it alone asks for at its response time, σ_j/δ_j + ρ(1 − δ_1/δ_j) where all ρ are equal.
    pub terms: Vec<f64>,
}

/// Lemma 1: capacity for nested classes whose ρ are all equal, max over j of σ_j/δ_j + ρ(1 − δ_1/δ_j), and ρ.
pub fn lemma_1(classes: &[Class]) -> f64 {
    let Some(first) = classes.first() else { return 0.0 };
    let term =
        |class: &Class| class.burst / class.response_s + class.rate * (1.0 - first.response_s / class.response_s);
    classes.iter().map(term).fold(first.rate, f64::max)
}

/// Lemma 2 as it must read: with α = δ_{i+1}/δ_i and λ = (σ_{i+1}/σ_i)/α, capacity for `count` classes of equal ρ is the
/// maximum over j of λ^{j−1} σ_1/δ_1 + ρ(1 − α^{−(j−1)}), and ρ. The paper prints λ^j for both (see `docs/models.md`).
pub fn lemma_2(first: Class, alpha: f64, lambda: f64, count: usize) -> f64 {
    let (mut bursts, mut delays) = (first.burst / first.response_s, 1.0);
    let mut capacity = first.rate;
    for _ in 0..count {
        capacity = capacity.max(bursts + first.rate * (1.0 - delays));
        bursts *= lambda;
        delays /= alpha;
    }
    capacity
}

/// Capacity that a contract needs, whatever its rates.
///
/// Of the requests with a deadline by t, t in [δ_j, δ_{j+1}), those of class k came by t − δ_k. From one of these instants to
/// the next arrivals are bounded by the envelope of the class that is the outermost to count there, and over several of them by
/// one envelope, too: the demand is at most the cheapest way to cover them all, ρ_j t + c_j. Its ratio to t is greatest at one
/// of the ends of the interval. With equal rates this is Lemma 1.
pub fn need(classes: &[Class]) -> Need {
    let mut terms = Vec::with_capacity(classes.len());
    let mut greatest = (classes.last().map_or(0.0, |class| class.rate), Binding::Rate);
    // Cheapest cover of the stretches of the innermost classes, by how many of them.
    let mut covers = vec![0.0_f64];
    for (number, class) in classes.iter().enumerate() {
        // The stretch from the start to t − δ_k by the envelope of this class, those after it by what is cheapest.
        let fixed = |inner: usize| class.burst - class.rate * classes[inner].response_s + covers[inner];
        let fixed = (0..=number).map(fixed).fold(f64::INFINITY, f64::min);
        let demand_at = |seconds: f64| class.rate + fixed / seconds;
        let term = demand_at(class.response_s);
        terms.push(term);
        let mut consider = |capacity: f64, binding: Binding| {
            if capacity > greatest.0 {
                greatest = (capacity, binding);
            }
        };
        consider(term, Binding::Burst { class: number });
        if let Some(next) = classes.get(number + 1) {
            consider(demand_at(next.response_s), Binding::Gap { class: number });
            let stretch =
                |inner: usize| class.burst + class.rate * (next.response_s - classes[inner].response_s) + covers[inner];
            covers.push((0..=number).map(stretch).fold(f64::INFINITY, f64::min));
        }
    }
    Need { capacity: greatest.0, binding: greatest.1, terms }
}

/// Shortest response time δ_1 that a contract can have with `capacity`, its other response times in proportion; none if its
/// rate alone is more.
pub fn tightest(classes: &[Class], capacity: f64) -> Option<f64> {
    let first = classes.first()?;
    if classes.last()?.rate > capacity {
        return None;
    }
    let scaled = |factor: f64| -> Vec<Class> {
        classes.iter().map(|class| Class { response_s: class.response_s * factor, ..*class }).collect()
    };
    let fits = |factor: f64| need(&scaled(factor)).capacity <= capacity;
    let (mut low, mut high) = (1e-9, 1e9);
    if !fits(high) {
        return None;
    }
    // The factor is known to a billionth.
    while high / low > 1.0 + 1e-9 {
        let middle = libm::sqrt(low * high);
        if fits(middle) { high = middle } else { low = middle }
    }
    Some(first.response_s * high)
}

/// Which tenants a server of some capacity can take.
#[derive(Clone, Debug, PartialEq)]
pub struct Admission {
    /// By tenant, in order: whether it is admitted beside those admitted before it.
    pub admitted: Vec<bool>,
    /// Capacity that is left.
    pub left: f64,
}

/// Admits tenants in order, each if its promise can be kept beside those admitted before it.
pub fn admit(needs: &[f64], capacity: f64) -> Admission {
    // Sums of decimals are off by some of the last digits.
    const SLACK: f64 = 1e-9;
    let mut left = capacity;
    let admit = |&need: &f64| {
        let fits = need <= left + capacity * SLACK;
        left -= if fits { need } else { 0.0 };
        fits
    };
    let admitted = needs.iter().map(admit).collect();
    Admission { admitted, left: left.max(0.0) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Three classes as the paper chooses them: σ doubles, δ grows tenfold, ρ stays.
    fn of_the_paper(burst: f64, rate: f64, response_ms: f64) -> Vec<Class> {
        [(1.0, 0.001), (2.0, 0.01), (4.0, 0.1)]
            .into_iter()
            .map(|(factor, seconds)| Class { burst: burst * factor, rate, response_s: response_ms * seconds })
            .collect()
    }

    fn close(value: f64, expected: f64) {
        assert!((value - expected).abs() < 1e-9 * expected, "{value}, not {expected}");
    }

    #[test]
    fn the_capacities_of_the_paper() {
        let cases = [
            ((3.0, 650.0, 5.0), [600.0, 705.0, 667.5], 705.0),
            ((3.0, 600.0, 5.0), [600.0, 660.0, 618.0], 660.0),
            ((4.0, 400.0, 5.0), [800.0, 520.0, 428.0], 800.0),
            ((33.0, 6600.0, 5.0), [6600.0, 7260.0, 6798.0], 7260.0),
            ((16.0, 320.0, 50.0), [320.0, 352.0, 329.6], 352.0),
            ((8.0, 160.0, 50.0), [160.0, 176.0, 164.8], 176.0),
        ];
        for ((burst, rate, response_ms), terms, capacity) in cases {
            let classes = of_the_paper(burst, rate, response_ms);
            close(lemma_1(&classes), capacity);
            close(lemma_2(classes[0], 10.0, 0.2, 3), capacity);
            let need = need(&classes);
            close(need.capacity, capacity);
            need.terms.iter().zip(terms).for_each(|(&term, expected)| close(term, expected));
        }
    }

    #[test]
    fn the_term_that_binds_is_named() {
        assert_eq!(need(&of_the_paper(3.0, 650.0, 5.0)).binding, Binding::Burst { class: 1 });
        assert_eq!(need(&of_the_paper(4.0, 400.0, 5.0)).binding, Binding::Burst { class: 0 });
        assert_eq!(need(&of_the_paper(1.0, 650.0, 50.0)).binding, Binding::Rate);
    }

    #[test]
    fn unequal_rates_need_less_than_the_greatest_for_all() {
        let mut classes = of_the_paper(3.0, 650.0, 5.0);
        classes[0].rate = 500.0;
        let all_alike = need(&of_the_paper(3.0, 650.0, 5.0)).capacity;
        let unlike = need(&classes).capacity;
        assert!(unlike <= all_alike && unlike >= 650.0, "{unlike} of {all_alike}");
    }

    #[test]
    fn the_tightest_promise_needs_just_the_capacity() {
        let classes = of_the_paper(16.0, 320.0, 50.0);
        let response_s = tightest(&classes, 400.0).expect("the rate is less");
        let factor = response_s / classes[0].response_s;
        let scaled: Vec<Class> =
            classes.iter().map(|class| Class { response_s: class.response_s * factor, ..*class }).collect();
        assert!((need(&scaled).capacity / 400.0 - 1.0).abs() < 1e-6);
        assert_eq!(tightest(&classes, 319.0), None);
    }

    #[test]
    fn tenants_are_admitted_as_long_as_there_is_room() {
        let admission = admit(&[352.0, 300.0, 176.0], 528.0);
        assert_eq!(admission.admitted, [true, false, true]);
        assert_eq!(admission.left, 0.0);
    }
}
