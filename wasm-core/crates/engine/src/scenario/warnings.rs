//! What is legal, but surely not meant.

use super::diagnostics::{Diagnostic, Diagnostics};
use super::document::{Buffering, Marking, Scenario, Threshold};
use super::{graph_of, size};
use crate::kernel::convert::whole;
use crate::kernel::ids::NodeId;

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
    diagnostics.extend(threshold(scenario));
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

/// K beyond what a port of a switch may hold, or beyond the size from which on senders are paused or packets dropped.
fn threshold(scenario: &Scenario) -> Option<Diagnostic> {
    let switch = &scenario.switch;
    let is_followed = scenario.classes.iter().any(|class| class.transport.follows_marks());
    if switch.marking == Marking::Off || !is_followed {
        return None;
    }
    let k = switch.ecn_threshold_packets;
    let warning = |reason: String, hint: &str| {
        Some(Diagnostic::warning("switch.ecnThresholdPackets", format!("is {k} packets, {reason}"), hint))
    };
    let full_bytes = u64::from(scenario.host.mtu_bytes + scenario.topology.frame_overhead_bytes);
    let k_bytes = u64::from(k) * full_bytes;
    // Of the packets that the next one finds, the first has left the buffer: it is on the wire.
    let is_beyond = |bytes: u64| k_bytes.saturating_sub(full_bytes) > bytes;
    let has_urgent = scenario.classes.iter().any(|class| scenario.priority_of(class) > 0);
    let reserve = if has_urgent { switch.urgent_reserve_packets } else { 0 };
    if switch.buffering == Buffering::PerPort {
        let packets = switch.buffer_packets.saturating_add(reserve);
        if k >= packets {
            let reason = format!("but the buffer of a port holds {packets}: nothing is ever marked");
            return warning(reason, "Give a lower K, or a larger buffer.");
        }
        let bytes = switch.buffer_bytes.filter(|&bytes| is_beyond(bytes))?;
        let reason = format!(
            "{k_bytes} bytes if full, but the buffer of a port holds {bytes}: nothing is ever marked while packets are full"
        );
        return warning(reason, "Give a lower K, or a larger buffer.");
    }
    let graph = graph_of(&scenario.topology.shape);
    let nodes = (0..graph.nodes().len()).map(NodeId::at).filter(|&node| !graph.is_host(node));
    // Packets leave by another port than they came in by.
    let incoming = nodes.map(|node| graph.leaving(node).len() as u64).max()?.saturating_sub(1).max(1);
    let shared_of_ports = |ports: u64| match switch.threshold {
        Threshold::Static => ports.saturating_mul(switch.xoff_bytes),
        // So many ports take alpha times what they leave free.
        Threshold::Dynamic => {
            let times = ports as f64 * switch.threshold_alpha;
            whole(switch.shared_buffer_bytes as f64 * times / (1.0 + times))
        }
    };
    let pauses = switch.buffering == Buffering::Pfc;
    // A headroom that is derived from cables is no more than what arrives after a pause.
    let kept_bytes = switch.guaranteed_bytes + u64::from(reserve) * full_bytes;
    let headroom_bytes = if pauses { switch.headroom_bytes } else { Some(0) };
    let most_bytes = headroom_bytes.map(|headroom_bytes| {
        let kept_bytes = incoming.saturating_mul(kept_bytes.saturating_add(headroom_bytes));
        shared_of_ports(incoming).saturating_add(kept_bytes).min(switch.shared_buffer_bytes)
    });
    if let Some(bytes) = most_bytes.or(Some(switch.shared_buffer_bytes)).filter(|&bytes| is_beyond(bytes)) {
        let reason = format!(
            "{k_bytes} bytes if full, but the memory that a switch gives its ports is {bytes}: nothing is ever marked while packets are full"
        );
        return warning(reason, "Give a lower K, or a larger threshold or memory.");
    }
    let port_bytes = switch.xoff_bytes.saturating_add(kept_bytes);
    if switch.threshold == Threshold::Dynamic || k_bytes <= port_bytes {
        return None;
    }
    let comes_first = match pauses {
        true => "its sender is paused, so that pause frames come before marks",
        false => "its packets are dropped, so that they are marked only beside those of other ports",
    };
    let reason =
        format!("{k_bytes} bytes if full, but an incoming port has {port_bytes} at most: beyond that {comes_first}");
    warning(reason, "Give a lower K, or a higher `switch.xoffBytes`.")
}
