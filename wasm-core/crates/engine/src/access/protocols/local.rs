//! Devices of the host itself: nothing goes over the network.

use crate::access::{Protocol, SoftwareTimes};

/// There is nothing to agree on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parameters;

/// The block layer of Linux takes about 8 us for a command to a local device.
pub const SOFTWARE: SoftwareTimes = SoftwareTimes { host_latency_us: 8.0, command_work_us: 1.0, ..SoftwareTimes::NONE };

impl From<Parameters> for Protocol {
    fn from(Parameters: Parameters) -> Self {
        Self::BARE
    }
}
