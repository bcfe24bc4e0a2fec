//! Weighted round robin with an urgent class (NVM Express Base Specification 2.0, section 3.4.4.2).
//!
//! The administration queue comes first, then the queues of the urgent class, then the classes High, Medium and Low, which share
//! by weights: in each round a class launches as many commands as its weight, and what it did not use is lost when the round ends.

use std::ops::Range;

use super::{LISTS, Rule, Turns};

/// Administration and the urgent class.
const STRICT: Range<usize> = 0..2;

/// High, Medium and Low.
const WEIGHTED: Range<usize> = STRICT.end..LISTS;

/// What High, Medium and Low may launch in a round, and what of it is left in this one.
#[derive(Clone, Copy, Debug)]
pub(in super::super) struct WeightedRoundRobin {
    weights: [u32; 3],
    credits: [u32; 3],
}

impl Rule for WeightedRoundRobin {
    fn new(weights: [u32; 3]) -> Self {
        Self { weights, credits: weights }
    }

    fn choose(&mut self, lists: &[Turns; LISTS]) -> Option<usize> {
        let is_ready = |list: &usize| lists[*list].is_ready();
        if let Some(strict) = STRICT.into_iter().find(is_ready) {
            return Some(strict);
        }
        let mut ready = WEIGHTED.filter(is_ready);
        let first = ready.clone().next()?;
        if let Some(with_credit) = ready.find(|list| self.credits[list - WEIGHTED.start] > 0) {
            return Some(with_credit);
        }
        self.credits = self.weights;
        Some(first)
    }

    fn on_fetch(&mut self, list: usize) {
        if WEIGHTED.contains(&list) {
            self.credits[list - WEIGHTED.start] -= 1;
        }
    }

    fn credits(&self) -> Option<[u32; 3]> {
        Some(self.credits)
    }
}

#[cfg(test)]
mod tests {
    use crate::storage::Level::{High, Low, Medium, Urgent};
    use crate::storage::nvme::Queues;
    use crate::storage::nvme::tests::{order, parameters, push};
    use crate::storage::{ADMIN_QUEUE, Arbitration, Level, NvmeParameters, UNLIMITED_BURST};

    fn weighted() -> NvmeParameters {
        parameters(Arbitration::WeightedRoundRobin)
    }

    /// Commands of each queue among the first `count` fetched from backlogged queues.
    fn shares(parameters: &NvmeParameters, levels: &[Level], count: u32) -> Vec<usize> {
        let waiting: Vec<(u32, Level, u32)> = (0..).zip(levels).map(|(queue, &level)| (queue, level, count)).collect();
        let fetched = &order(parameters, &waiting)[..count as usize];
        (0..).zip(levels).map(|(queue, _)| fetched.iter().filter(|&&other| other == queue).count()).collect()
    }

    #[test]
    fn a_round_launches_as_many_commands_of_each_class_as_its_weight() {
        let waiting = [(2, Low, 3), (1, Medium, 5), (0, High, 7)];
        // 3 : 2 : 1, twice, and what is left of each in the third.
        let rounds = [0, 0, 0, 1, 1, 2, 0, 0, 0, 1, 1, 2, 0, 1, 2];
        assert_eq!(order(&weighted(), &waiting), rounds);
    }

    #[test]
    fn backlogged_classes_share_exactly_by_their_weights() {
        let levels = [High, Medium, Low];
        assert_eq!(shares(&weighted(), &levels, 6000), [3000, 2000, 1000]);
        let burst = NvmeParameters { burst: UNLIMITED_BURST, ..weighted() };
        assert_eq!(shares(&burst, &levels, 6000), [3000, 2000, 1000]);
        let zero = NvmeParameters { weights: [0, 2, 1], ..weighted() };
        assert_eq!(shares(&zero, &levels, 4000), [1000, 2000, 1000], "0 counts as 1");
    }

    #[test]
    fn an_urgent_class_starves_the_others_and_administration_comes_before_it() {
        assert_eq!(shares(&weighted(), &[Low, Urgent], 100), [0, 100]);
        assert_eq!(order(&weighted(), &[(0, Urgent, 1), (ADMIN_QUEUE, Low, 1)]), [ADMIN_QUEUE, 0]);
    }

    #[test]
    fn urgent_commands_use_up_no_credits() {
        let mut queues = Queues::new(&weighted());
        push(&mut queues, 0, High);
        (0..9).for_each(|_| push(&mut queues, 1, Urgent));
        (0..9).for_each(|_| assert_eq!(queues.fetch(), Some(1)));
        assert_eq!(queues.credits(), [3, 2, 1]);
        assert_eq!((queues.fetch(), queues.credits()), (Some(0), [2, 2, 1]));
    }

    #[test]
    fn queues_of_a_class_take_turns_by_bursts() {
        let of = |burst| order(&NvmeParameters { burst, ..weighted() }, &[(0, High, 4), (1, High, 4)]);
        assert_eq!(of(1), [0, 1, 0, 1, 0, 1, 0, 1]);
        assert_eq!(of(2), [0, 0, 1, 1, 0, 0, 1, 1]);
        // No power of two, and what it says all the same.
        assert_eq!(of(3), [0, 0, 0, 1, 1, 1, 0, 1]);
    }

    #[test]
    fn credits_of_an_empty_class_are_lost() {
        let mut queues = Queues::new(&weighted());
        (0..60).for_each(|_| push(&mut queues, 2, Low));
        (0..30).for_each(|_| assert_eq!(queues.fetch(), Some(2)));
        (0..12).for_each(|_| push(&mut queues, 0, High));
        let high = (0..8).filter(|_| queues.fetch() == Some(0)).count();
        assert_eq!(high, 7, "three in this round, three in the next, then Low");
    }

    #[test]
    fn new_weights_act_at_once() {
        let mut queues = Queues::new(&weighted());
        (0..10).for_each(|_| push(&mut queues, 0, High));
        (0..10).for_each(|_| push(&mut queues, 1, Low));
        assert_eq!([queues.fetch(), queues.fetch()], [Some(0), Some(0)]);
        queues.set(&NvmeParameters { weights: [1, 1, 8], ..weighted() });
        let low = (0..9).filter(|_| queues.fetch() == Some(1)).count();
        assert_eq!(low, 8);
    }

    #[test]
    fn a_queue_that_changes_its_class_takes_what_waits_along() {
        let mut queues = Queues::new(&weighted());
        push(&mut queues, 0, Low);
        push(&mut queues, 1, High);
        push(&mut queues, 0, Urgent);
        assert_eq!(queues.waiting(), [2, 1, 0, 0]);
        assert_eq!([0; 3].map(|_| queues.fetch()), [Some(0), Some(0), Some(1)]);
    }

    #[test]
    fn a_queue_that_leaves_its_class_leaves_the_turn_to_the_next() {
        let bursts = NvmeParameters { burst: 3, ..weighted() };
        let mut queues = Queues::new(&bursts);
        (0..4).for_each(|_| [0, 1, 2].into_iter().for_each(|queue| push(&mut queues, queue, High)));
        assert_eq!([0; 2].map(|_| queues.fetch()), [Some(0); 2]);
        push(&mut queues, 0, Low);
        // Queue 1 has a burst of its own, not what queue 0 left of its own.
        let order = [0; 7].map(|_| queues.fetch().expect("commands wait"));
        assert_eq!(order, [1, 0, 1, 1, 2, 0, 2]);
    }
}
