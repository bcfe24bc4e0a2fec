//! What is legal, but surely not meant.

use super::diagnostics::{Diagnostic, Diagnostics};
use super::document::Scenario;
use super::size;

/// Part of the work that looking for the next event must take before it is worth a word.
const SLOW_WINDOWS: f64 = 0.5;

/// Collects the warnings of a scenario that has passed validation.
pub(super) fn check(scenario: &Scenario, diagnostics: &mut Diagnostics) {
    let end_us = scenario.duration_us;
    for (index, workload) in scenario.workloads.iter().enumerate() {
        if workload.start_us >= end_us {
            diagnostics.push(Diagnostic::warning(
                format!("workloads[{index}].startUs"),
                format!("is {} us, not before the end of the run at {end_us} us: nothing is sent", workload.start_us),
                "Give an earlier time, or lengthen the run.",
            ));
        }
    }
    let sources = size::source_counts(scenario);
    for (index, (workload, sources)) in scenario.workloads.iter().zip(sources).enumerate() {
        let last_us = workload.start_us + sources.saturating_sub(1) as f64 * workload.start_gap_us;
        if workload.start_us < end_us && last_us >= end_us {
            diagnostics.push(Diagnostic::warning(
                format!("workloads[{index}].startGapUs"),
                format!("lets the last of {sources} connections start at {last_us} us, after the end of the run"),
                "Give a shorter gap, or lengthen the run.",
            ));
        }
    }
    for (index, change) in scenario.timeline.iter().enumerate().filter(|(_, change)| change.at_us >= end_us) {
        diagnostics.push(Diagnostic::warning(
            format!("timeline[{index}].atUs"),
            format!("is {} us, not before the end of the run at {end_us} us: nothing changes", change.at_us),
            "Give an earlier time, or lengthen the run.",
        ));
    }
    let burst = scenario.storage.nvme.burst;
    if scenario.has_devices() && !burst.is_power_of_two() {
        let above = burst.next_power_of_two();
        diagnostics.push(Diagnostic::warning(
            "storage.nvme.burst",
            format!("is {burst} commands, and runs so, but the feature of a controller holds powers of two alone"),
            format!("Give {} or {above} for what a controller can be set to.", above / 2),
        ));
    }
    let cost = size::cost(scenario);
    if cost.window_work > SLOW_WINDOWS * (cost.work - cost.window_work) {
        let times = cost.work / (cost.work - cost.window_work);
        diagnostics.push(Diagnostic::warning(
            "topology.linkDelayUs",
            format!("leaves packets next to no time from one node to the next, so that the run takes {times:.1} times as long"),
            "Give every link, or every switch, a delay of a tenth of a microsecond or more.",
        ));
    }
}
