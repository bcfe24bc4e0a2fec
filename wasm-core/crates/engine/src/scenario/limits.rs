//! What a run may need at most: connections, samples, memory and computing.

use super::diagnostics::{Diagnostic, Diagnostics};
use super::document::Scenario;
use super::size::{self, Cost};
use crate::text::{about_time, roughly};

/// What would take more than the machine has.
pub(super) fn check(scenario: &Scenario, cost: &Cost, diagnostics: &mut Diagnostics) {
    let flows = size::connection_count(scenario);
    if flows > size::MAXIMUM_FLOWS {
        diagnostics.push(Diagnostic::new(
            "workloads",
            format!("make {flows} connections; at most {} can be simulated", size::MAXIMUM_FLOWS),
            "Use fewer hosts or fewer connections per pair.",
        ));
    }
    if cost.samples > size::MAXIMUM_SAMPLES {
        diagnostics.push(Diagnostic::new(
            "measurement.samplePeriodUs",
            format!(
                "makes {:.0} samples of a run of {} us; at most {} are kept",
                cost.samples,
                scenario.duration_us,
                size::MAXIMUM_SAMPLES
            ),
            "Give a longer period, or leave it out for about a thousand samples.",
        ));
    } else if cost.requests > size::MAXIMUM_REQUESTS {
        diagnostics.push(Diagnostic::new(
            "workloads",
            format!(
                "may hold {} requests at once, {:.1} GB; at most {} are held",
                roughly(cost.requests),
                cost.requests * size::REQUEST_BYTES / 1e9,
                roughly(size::MAXIMUM_REQUESTS)
            ),
            "Lower the offered load or the requests outstanding, make requests larger, or shorten the run.",
        ));
    } else if cost.memory_bytes > size::MAXIMUM_MEMORY_BYTES {
        diagnostics.push(Diagnostic::new(
            "",
            format!(
                "may need about {:.1} GB of memory; {:.0} GB can be had",
                cost.memory_bytes / 1e9,
                size::MAXIMUM_MEMORY_BYTES / 1e9
            ),
            cost.memory_hint,
        ));
    }
    if cost.work > size::MAXIMUM_WORK {
        diagnostics.push(Diagnostic::new(
            "durationUs",
            format!(
                "makes about {} events, {} of computing; at most {} are simulated",
                roughly(cost.work),
                about_time(cost.work / size::WORK_PER_SECOND),
                roughly(size::MAXIMUM_WORK)
            ),
            "Shorten the run, lower the load or the number of hosts, or lengthen timers and delays of links.",
        ));
    }
}
