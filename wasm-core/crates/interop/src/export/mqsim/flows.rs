//! Which flows each SSD has: what the connections of every workload ask of it.

use std::collections::{BTreeMap, BTreeSet};

use qoscope_engine::scenario::{AddressPattern, Diagnostic, Placement, Scenario, Traffic, offered_gbps, size_law};
use qoscope_engine::simulation::devices;
use qoscope_engine::simulation::plan::{Plan, class_of};
use qoscope_engine::storage::{DeviceKind, SsdParameters};

/// Flows of an SSD: each is a queue pair, and MQSim has registers for so many (`src/host/PCIe_Message.h` and `src/host/IO_Flow_Base.cpp`, c9d0f6f).
pub(super) const MOST_FLOWS: usize = 8;
/// Bytes that MQSim counts sizes and addresses in.
pub(super) const SECTOR_BYTES: u64 = 512;
/// Greatest number that MQSim reads as an `int` (`std::stoi`).
pub(super) const MOST: u64 = i32::MAX as u64;

/// Nanoseconds of a second.
pub(super) const NS_PER_S: u64 = 1_000_000_000;

/// SSDs that have the same flows.
pub(super) struct Group {
    /// What they are called: their server, and their name where it has several.
    pub(super) names: Vec<String>,
    pub(super) flows: Vec<Flow>,
}

/// What a workload asks of an SSD, as one flow or a part of it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Flow {
    /// The number of the workload.
    pub(super) workload: usize,
    /// Hosts that ask.
    pub(super) initiators: usize,
    /// Connections to the server of the SSD.
    pub(super) connections: u32,
    /// What falls to this SSD of what they ask.
    pub(super) part: Part,
    /// How the requests of the workload are divided, where one flow cannot bring them all: into so many.
    pub(super) splits: u32,
    /// Requests a second that it brings by itself; none where it keeps so many under way.
    pub(super) rate: Option<f64>,
    /// Sectors of a request.
    pub(super) sectors: u64,
}

/// What falls to an SSD of what is asked of its server.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Part {
    /// Share of the requests that reach it.
    pub(super) requests: f64,
    /// Share of the bytes of each that reaches it.
    pub(super) bytes: f64,
    /// First address on it.
    pub(super) start: u64,
    /// Length of the range of addresses on it.
    pub(super) length: u64,
}

/// Whether requests of a workload can become a flow: those that MQSim can draw, and traces in its own format.
pub(super) fn has_flow(scenario: &Scenario, workload: usize) -> bool {
    let workload = &scenario.workloads[workload];
    scenario.protocol_of(workload).has_target()
        && match &workload.traffic {
            Traffic::Backlogged {} => false,
            Traffic::Trace { format, .. } => super::is_own_format(*format),
            Traffic::OpenLoop { .. } | Traffic::ClosedLoop { .. } | Traffic::StandIn { .. } => true,
        }
}

/// The SSDs that are asked for anything, those with the same flows together.
pub(super) fn groups(scenario: &Scenario, plan: &Plan) -> Result<Vec<Group>, Vec<Diagnostic>> {
    let mut groups: Vec<Group> = Vec::new();
    let connections = connections(plan);
    for node in devices::targets(scenario, plan) {
        let host = &plan.graph.nodes()[node.index()].name;
        let number = plan.graph.hosts().iter().position(|of| *of == node).unwrap_or_default() as u32;
        let there = devices::device_kinds(scenario, host);
        let ssds: Vec<&str> =
            there.iter().filter(|(_, kind)| *kind == DeviceKind::Ssd).map(|(name, _)| *name).collect();
        for (nth, name) in ssds.iter().enumerate() {
            let flows = flows(scenario, plan, &connections, number, (nth, ssds.len()))?;
            if flows.is_empty() {
                continue;
            }
            let name = if ssds.len() > 1 { format!("{host} {name}") } else { host.clone() };
            match groups.iter_mut().find(|group| group.flows == flows) {
                Some(group) => group.names.push(name),
                None => groups.push(Group { names: vec![name], flows }),
            }
        }
    }
    Ok(groups)
}

/// By target and workload: the initiators of the connections between them, one for each.
type Connections = BTreeMap<(u32, usize), Vec<u32>>;

fn connections(plan: &Plan) -> Connections {
    let mut connections = Connections::new();
    for application in &plan.applications {
        connections.entry((application.target, application.workload)).or_default().push(application.host);
    }
    connections
}

/// The flows of SSD `nth` of the `count` of a server.
fn flows(
    scenario: &Scenario,
    plan: &Plan,
    connections: &Connections,
    server: u32,
    (nth, count): (usize, usize),
) -> Result<Vec<Flow>, Vec<Diagnostic>> {
    let host = &plan.graph.nodes()[plan.graph.hosts()[server as usize].index()].name;
    let mut flows: Vec<Flow> = Vec::new();
    for (&(_, w), hosts) in connections.range((server, 0)..=(server, usize::MAX)) {
        let workload = &scenario.workloads[w];
        if !has_flow(scenario, w) || devices::kind_at(scenario, host, workload.devices) != DeviceKind::Ssd {
            continue;
        }
        let law_bytes = size_law(&workload.traffic).mean_bytes();
        let Some(part) = part(scenario, plan, (server, w), (nth, count), law_bytes) else { continue };
        let sectors = libm::round(law_bytes * part.bytes / SECTOR_BYTES as f64).clamp(1.0, MOST as f64) as u64;
        let rate = offered_gbps(&workload.traffic).map(|gbps| {
            let of_all = hosts.len() as f64 / f64::from(plan.applications_of_workload[w].max(1));
            gbps * 1e9 / 8.0 / law_bytes * of_all * part.requests
        });
        let bandwidth = rate.map_or(0.0, |rate| rate * (sectors * SECTOR_BYTES) as f64);
        let splits = libm::ceil(bandwidth / MOST as f64).clamp(1.0, MOST as f64) as u32;
        let mut initiators = hosts.clone();
        initiators.sort_unstable();
        initiators.dedup();
        let part = Part { length: part.length / u64::from(splits), ..part };
        let rate = rate.map(|rate| rate / f64::from(splits));
        let (initiators, connections) = (initiators.len(), hosts.len() as u32);
        let flow = Flow { workload: w, initiators, connections, part, splits, rate, sectors };
        flows.extend(std::iter::repeat_n(flow, (splits as usize).min(MOST_FLOWS + 1)));
    }
    if flows.len() > MOST_FLOWS {
        let workloads = flows.iter().map(|flow| flow.workload).collect::<BTreeSet<_>>().len();
        let reason = if workloads > MOST_FLOWS {
            format!(
                "are more than MQSim takes: {workloads} use the storage of {host}, and an SSD has {MOST_FLOWS} flows at most"
            )
        } else {
            let gbps = number_of_gbps(MOST * MOST_FLOWS as u64);
            format!("bring more to {host} than MQSim takes: {gbps} Gb/s over {MOST_FLOWS} flows")
        };
        let hint =
            format!("Let at most {MOST_FLOWS} workloads use a server, of at most {} Gb/s each.", number_of_gbps(MOST));
        return Err(vec![Diagnostic::new("workloads", reason, hint)]);
    }
    fits(scenario, flows)
}

fn number_of_gbps(bytes: u64) -> String {
    format!("{:.1}", bytes as f64 * 8e-9)
}

/// The flows, if a request of each fits among its addresses.
fn fits(scenario: &Scenario, flows: Vec<Flow>) -> Result<Vec<Flow>, Vec<Diagnostic>> {
    let own = sectors_of_a_flow(&devices::ssd(scenario), flows.len());
    for flow in &flows {
        let working_set = own * working_set_percent(flow, own) / 100;
        if flow.sectors > working_set {
            let reason = format!(
                "is more than a flow of MQSim has addresses: {} B, of {} B",
                flow.sectors * SECTOR_BYTES,
                working_set * SECTOR_BYTES
            );
            let path = format!("workloads[{}].traffic.size", flow.workload);
            return Err(vec![Diagnostic::new(path, reason, "Make the requests smaller, or the addresses more.")]);
        }
    }
    Ok(flows)
}

/// Sectors that each of so many flows has: those of every plane divided evenly, rounded down
/// (`src/utils/Logical_Address_Partitioning_Unit.cpp`, c0af1d8).
pub(super) fn sectors_of_a_flow(ssd: &SsdParameters, flows: usize) -> u64 {
    let sizes = &ssd.geometry;
    let plane = u64::from(sizes.blocks_per_plane)
        * u64::from(sizes.pages_per_block)
        * (u64::from(sizes.page_bytes) / SECTOR_BYTES);
    let offered = plane as f64 * (1.0 - ssd.spare_share());
    u64::from(sizes.planes()) * libm::floor(offered / flows.max(1) as f64) as u64
}

/// Per cent of the addresses of a flow that its requests go to.
pub(super) fn working_set_percent(flow: &Flow, sectors: u64) -> u64 {
    let per_cent = 100.0 * flow.part.length as f64 / (sectors * SECTOR_BYTES).max(1) as f64;
    libm::round(per_cent).clamp(1.0, 100.0) as u64
}

/// The whole number of requests a second, of the two next to a rate, that brings MQSim's whole nanoseconds between them next to those of the rate.
pub(super) fn requests_a_second(rate: f64) -> u64 {
    let wanted_ns = NS_PER_S as f64 / rate;
    let below = (libm::floor(rate) as u64).clamp(1, NS_PER_S);
    let off = |a_second: u64| ((NS_PER_S / a_second) as f64 - wanted_ns).abs();
    if below < NS_PER_S && off(below + 1) < off(below) { below + 1 } else { below }
}

/// What falls to SSD `nth` of `count` of what workload `w` asks of a server; none where nothing does.
fn part(
    scenario: &Scenario,
    plan: &Plan,
    (server, w): (u32, usize),
    (nth, count): (usize, usize),
    bytes: f64,
) -> Option<Part> {
    let first = plan.applications.iter().find(|of| of.target == server && of.workload == w)?;
    let range = devices::address_range(scenario, plan, first)?;
    let whole = Part { requests: 1.0, bytes: 1.0, start: range.start, length: range.length };
    if count == 1 {
        return Some(whole);
    }
    let devices = count as f64;
    match scenario.storage.placement {
        Placement::ByClass => {
            let class = class_of(scenario, &scenario.workloads[w].class).index();
            (class % count == nth).then_some(whole)
        }
        Placement::Ranges => {
            let capacity = devices::ssd(scenario).capacity_bytes();
            let (from, end) = (nth as u64 * capacity, (nth as u64 + 1) * capacity);
            let (first, last) = (range.start.max(from), (range.start + range.length).min(end));
            let length = last.saturating_sub(first);
            let requests = match range.pattern {
                AddressPattern::Random | AddressPattern::Sequential => length as f64 / range.length.max(1) as f64,
                AddressPattern::HotCold { hot_part, hot_requests } => {
                    let hot_end = range.start as f64 + range.length as f64 * hot_part;
                    let hot = (hot_end.min(last as f64) - first as f64).max(0.0);
                    let cold = length as f64 - hot;
                    let share = |own: f64, of: f64| if of > 0.0 { own / of } else { 0.0 };
                    hot_requests * share(hot, range.length as f64 * hot_part)
                        + (1.0 - hot_requests) * share(cold, range.length as f64 * (1.0 - hot_part))
                }
            };
            (length > 0).then_some(Part { requests, bytes: 1.0, start: first - from, length })
        }
        Placement::Striping | Placement::Hashing => {
            // A request longer than a stripe goes to several.
            let stripes = libm::ceil(bytes / f64::from(scenario.storage.stripe_bytes)).max(1.0);
            let reached = stripes.min(devices);
            let (start, length) = (range.start / count as u64, range.length / count as u64);
            Some(Part { requests: reached / devices, bytes: 1.0 / reached, start, length })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use qoscope_engine::storage::Preset;

    #[test]
    fn planes_are_divided_among_flows_and_rounded_down() {
        // 2048 × 256 × 16 × 0.93 = 7 801 405.44 sectors of a plane, of 128.
        let ssd = SsdParameters::preset(Preset::Mqsim);
        assert_eq!(sectors_of_a_flow(&ssd, 1), 128 * 7_801_405);
        assert_eq!(sectors_of_a_flow(&ssd, 3), 128 * 2_600_468);
    }

    #[test]
    fn rates_become_the_nearest_gap_in_nanoseconds() {
        // 1e9 ÷ 48 590 = 20 580.4: cut to 20 580, as wanted; of 48 591 there are 20 579.
        assert_eq!(requests_a_second(1e9 / 20_580.0), 48_590);
        // 3 a second: 333 333 333 ns; of 2.9 a second 344.8 million ns are wanted.
        assert_eq!(requests_a_second(2.9), 3);
        assert_eq!(requests_a_second(0.001), 1);
        assert_eq!(requests_a_second(1e12), NS_PER_S);
    }
}
