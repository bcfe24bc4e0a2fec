//! No arbitration, as in MQSim: each queue fetches by itself while it has fewer commands in the device than
//! [`queue_limit`](crate::storage::NvmeParameters::queue_limit).

use super::Rule;

/// All queues stand in one list, and leave it at their own limits.
#[derive(Clone, Copy, Debug)]
pub(in super::super) struct FetchWindow;

impl Rule for FetchWindow {
    fn new(_weights: [u32; 3]) -> Self {
        Self
    }
}

#[cfg(test)]
mod tests {
    use crate::storage::Level::High;
    use crate::storage::nvme::tests::{order, parameters};
    use crate::storage::{Arbitration, NvmeParameters};

    #[test]
    fn each_queue_has_its_own_window_and_the_limit_of_the_device_does_not_apply() {
        let window = NvmeParameters { queue_limit: 2, device_limit: 1, ..parameters(Arbitration::FetchWindow) };
        assert_eq!(order(&window, &[(0, High, 2), (1, High, 1), (2, High, 3)]), [0, 1, 2, 0, 2]);
    }
}
