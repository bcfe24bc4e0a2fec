//! Round robin: all queues take turns, whatever their priority, a burst of commands each (NVM Express Base Specification 2.0,
//! section 3.4.4.1).

use super::Rule;

/// All queues stand in one list, whose turn it always is.
#[derive(Clone, Copy, Debug)]
pub(in super::super) struct RoundRobin;

impl Rule for RoundRobin {
    fn new(_weights: [u32; 3]) -> Self {
        Self
    }
}

#[cfg(test)]
mod tests {
    use crate::storage::Level::{High, Low, Urgent};
    use crate::storage::nvme::tests::{order, parameters};
    use crate::storage::{ADMIN_QUEUE, Arbitration, NvmeParameters};

    #[test]
    fn queues_take_turns_whatever_their_priority() {
        let waiting = [(0, Low, 3), (1, Urgent, 3), (2, High, 3)];
        assert_eq!(order(&parameters(Arbitration::RoundRobin), &waiting), [0, 1, 2, 0, 1, 2, 0, 1, 2]);
    }

    #[test]
    fn a_turn_is_a_burst_and_ends_with_the_last_command() {
        let bursts = NvmeParameters { burst: 2, ..parameters(Arbitration::RoundRobin) };
        assert_eq!(order(&bursts, &[(0, Low, 3), (1, Low, 1), (2, Low, 4)]), [0, 0, 1, 2, 2, 0, 2, 2]);
    }

    #[test]
    fn administration_has_its_turn_like_any_other_queue() {
        let waiting = [(0, Low, 2), (ADMIN_QUEUE, Low, 2)];
        assert_eq!(order(&parameters(Arbitration::RoundRobin), &waiting), [0, ADMIN_QUEUE, 0, ADMIN_QUEUE]);
    }
}
