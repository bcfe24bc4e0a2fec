//! Adaptation to traffic that does not follow shares (paper 1 fig. 15a, paper 2 fig. 1).
//!
//! Classes converge to Q = 1. A Q that stays away from 1 by more than σ is taken as the sign of interfering traffic, or of
//! its end, and each class changes λ, the capacity all aim at, by a part σ of its own target:
//!
//! - Q − 1 > σ: λ − σ · target;
//! - Q − 1 < −σ: λ + σ · target;
//! - then target = share · λ, where the share is the class's ratio over the sum of ratios.
//!
//! The papers print signs that contradict each other and their text. Here Q is target over achieved, the second test is
//! against −σ, and λ changes by σ · target instead of being multiplied by the target.
//!
//! λ is one for all classes: alone among the quantities of the rule it has no index in either paper. With a λ for each, the
//! classes that the intruder keeps below their targets lower theirs until each is content with what it has, and the ratios
//! are lost; with one they hold.
//!
//! Within σ nothing changes, so λ comes back to (1 − σ)C or more when the interference has ended, not always to C.

/// Lowest capacity to aim at, as a part of the whole. The papers have no bound; without one a class that is kept from its
/// target by something else would give up all of it.
const MIN_SHARE: f64 = 0.1;

/// What the classes know of interference at their bottleneck.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interference {
    /// λ / C.
    part: f64,
}

impl Default for Interference {
    /// None is known.
    fn default() -> Self {
        Self { part: 1.0 }
    }
}

impl Interference {
    /// λ / C, the part of the capacity the classes aim at their shares of: a target is share · part · C.
    pub fn part(&self) -> f64 {
        self.part
    }

    /// Takes in the quality factor of a class whose part of the sum of ratios is `share`, with the tolerance σ. To be
    /// called once every so many round trips, 10 in the papers.
    pub fn update(&mut self, quality: f64, share: f64, tolerance: f64) {
        let step = tolerance * share * self.part;
        if quality - 1.0 > tolerance {
            self.part -= step;
        } else if quality - 1.0 < -tolerance {
            self.part += step;
        }
        self.part = self.part.clamp(MIN_SHARE, 1.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TOLERANCE: f64 = 0.05;

    #[test]
    fn moves_by_a_part_of_the_own_target_and_only_beyond_the_tolerance() {
        let mut class = Interference::default();
        for (quality, part) in [(1.06, 0.975), (1.04, 0.975), (0.96, 0.975), (0.94, 0.999375)] {
            class.update(quality, 0.5, TOLERANCE);
            assert_eq!(class.part(), part, "Q = {quality}");
        }
    }

    #[test]
    fn stays_between_a_tenth_and_the_whole() {
        let mut class = Interference::default();
        class.update(0.5, 0.5, TOLERANCE);
        assert_eq!(class.part(), 1.0);
        (0..1000).for_each(|_| class.update(2.0, 0.5, TOLERANCE));
        assert_eq!(class.part(), 0.1);
    }

    #[test]
    fn gives_way_to_an_interferer_and_comes_back_within_the_tolerance_when_it_has_left() {
        let shares = [1.0 / 2.0, 1.0 / 3.0, 1.0 / 6.0];
        let mut classes = shares.map(|_| Interference::default());
        // What the interferer leaves of the link goes to the classes in the ratio of their shares.
        let mut settle = |left: f64| {
            for _ in 0..200 {
                for (class, share) in classes.iter_mut().zip(shares) {
                    class.update(class.part() / left, share, TOLERANCE);
                }
            }
            classes.map(|class| class.part())
        };
        for part in settle(0.7) {
            assert!((0.69..=0.7 * 1.05).contains(&part), "{part} with the interferer");
        }
        for part in settle(1.0) {
            assert!((0.95..=1.0).contains(&part), "{part} after it has left");
        }
    }
}
