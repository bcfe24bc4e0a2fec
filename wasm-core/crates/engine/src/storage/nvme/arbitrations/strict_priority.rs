//! Strict priority: the administration queue, then urgent, high, medium and low queues, each only while all before it have nothing
//! to launch. Queues of one priority take turns, a burst of commands each.
//!
//! Not one of the arbitrations of the NVM Express Base Specification, where only the urgent class is strict: a controller that
//! offers it says so as a vendor's own (2.0, section 3.1.3.1, CAP.AMS: vendor specific).

use super::Rule;

/// Queues stand in lists by priority, of which the first that is ready has its turn. Nothing is counted.
#[derive(Clone, Copy, Debug)]
pub(in super::super) struct StrictPriority;

impl Rule for StrictPriority {
    fn new(_weights: [u32; 3]) -> Self {
        Self
    }
}

#[cfg(test)]
mod tests {
    use crate::storage::Level::{self, High, Low, Medium, Urgent};
    use crate::storage::nvme::Queues;
    use crate::storage::nvme::tests::{order, parameters, push};
    use crate::storage::{ADMIN_QUEUE, Arbitration, NvmeParameters};

    fn strict() -> NvmeParameters {
        parameters(Arbitration::StrictPriority)
    }

    #[test]
    fn commands_are_fetched_in_the_order_of_their_priorities() {
        let waiting = [(0, Low, 2), (1, Medium, 2), (2, High, 2), (3, Urgent, 2), (ADMIN_QUEUE, Low, 1)];
        assert_eq!(order(&strict(), &waiting), [ADMIN_QUEUE, 3, 3, 2, 2, 1, 1, 0, 0]);
    }

    #[test]
    fn a_priority_under_load_starves_those_below() {
        let mut queues = Queues::new(&strict());
        push(&mut queues, 1, Low);
        for _ in 0..1000 {
            push(&mut queues, 0, High);
            assert_eq!(queues.fetch(), Some(0));
            queues.leave(0);
        }
        assert_eq!(queues.waiting(), [0, 0, 0, 1]);
        assert_eq!(queues.fetch(), Some(1), "once nothing else waits");
    }

    #[test]
    fn a_burst_ends_where_a_higher_priority_comes_and_goes_on_behind_it() {
        let mut queues = Queues::new(&NvmeParameters { burst: 3, ..strict() });
        [0, 1].into_iter().for_each(|queue| (0..3).for_each(|_| push(&mut queues, queue, Low)));
        assert_eq!(queues.fetch(), Some(0));
        push(&mut queues, 2, High);
        assert_eq!([0; 6].map(|_| queues.fetch().expect("commands wait")), [2, 0, 0, 1, 1, 1]);
    }

    #[test]
    fn queues_of_one_priority_take_turns_as_under_round_robin() {
        for level in Level::ALL {
            for burst in [1, 2, 64] {
                let waiting = [(0, level, 3), (1, level, 1), (2, level, 5)];
                let of = |arbitration| order(&NvmeParameters { burst, ..parameters(arbitration) }, &waiting);
                assert_eq!(of(Arbitration::StrictPriority), of(Arbitration::RoundRobin), "{level:?}, burst {burst}");
            }
        }
        let bursts = NvmeParameters { burst: 2, ..strict() };
        assert_eq!(order(&bursts, &[(0, Medium, 3), (1, Medium, 1), (2, Medium, 4)]), [0, 0, 1, 2, 2, 0, 2, 2]);
    }

    #[test]
    fn weights_have_no_say() {
        let weighted = NvmeParameters { weights: [1, 1, 100], ..strict() };
        assert_eq!(order(&weighted, &[(0, Low, 3), (1, High, 3)]), [1, 1, 1, 0, 0, 0]);
    }
}
