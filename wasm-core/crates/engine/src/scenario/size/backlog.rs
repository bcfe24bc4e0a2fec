//! Requests of open loops that wait because something carries less than they offer: ports, windows, drives.
//!
//! Ports are those of hosts, shared by all workloads. A flow that begins with its request carries one request at a time, so that a
//! connection serves one in its round trips. A drive serves pages no faster than its flash. What a run turns out to carry may be less: the
//! estimate is good to a factor of a few, as all of the cost is.

use std::collections::BTreeMap;

use super::{MEMORY_US, SSD_US};
use crate::kernel::convert::index_u32;
use crate::scenario::document::{DeviceKind, Endpoints, Flows, Scenario, Shape, Traffic, Workload};
use crate::scenario::laws::{offered_gbps, read_share, size_law};
use crate::storage::ssd::parameters::Precondition;

/// Writes of flash for a write of a host, where garbage collection is at work.
const WRITE_AMPLIFICATION: f64 = 3.0;
/// Types of pages of a block.
const PAGE_TYPES: f64 = 3.0;

/// What holds in a stretch of a run.
pub(super) struct Conditions {
    pub(super) from_us: f64,
    pub(super) until_us: f64,
    /// Payload that a port of a host carries.
    pub(super) port_bytes_per_us: f64,
    /// Payload of a packet.
    pub(super) payload: f64,
    /// Round trip of an empty network.
    pub(super) rtt_us: f64,
}

/// Adds up what waits, stretch by stretch.
#[derive(Debug)]
pub(super) struct Backlog {
    loads: Vec<Load>,
    /// Ports of hosts that are named, and hosts in all.
    ports: usize,
    hosts: f64,
}

#[derive(Debug)]
struct Load {
    /// By pair of hosts, the ports that its data leave and reach; `None` for a host that is drawn. Empty if both are.
    pairs: Vec<[Option<u32>; 2]>,
    connections: f64,
    mean_bytes: f64,
    /// Bytes per microsecond that all drives together carry of such requests.
    drives: f64,
    waiting_bytes: f64,
    max_waiting_bytes: f64,
}

impl Backlog {
    pub(super) fn new(scenario: &Scenario, connections: &[u64], hosts: f64, drives: f64) -> Self {
        let mut numbers = BTreeMap::new();
        let loads = scenario.workloads.iter().zip(connections).map(|(workload, &connections)| Load {
            pairs: pairs(workload, &mut numbers),
            connections: connections as f64,
            mean_bytes: size_law(&workload.traffic).mean_bytes().max(1.0),
            drives: if scenario.protocol_of(workload).has_target() {
                drives * drive_bytes_per_us(scenario, workload)
            } else {
                f64::INFINITY
            },
            waiting_bytes: 0.0,
            max_waiting_bytes: 0.0,
        });
        let loads = loads.collect();
        Self { loads, ports: numbers.len(), hosts }
    }

    /// `state` holds in a stretch.
    pub(super) fn pass(&mut self, state: &Scenario, at: &Conditions) {
        let offered: Vec<f64> = state.workloads.iter().map(|workload| offered(workload, at)).collect();
        let on_ports = self.on_ports(state, &offered);
        let crossing = offered.iter().zip(&state.workloads).filter(|(_, of)| state.protocol_of(of).crosses_network());
        let crossing: f64 = crossing.map(|(offered, _)| offered).sum();
        let by_fabric = if crossing > 0.0 { fabric_bytes_per_us(state, at) / crossing } else { f64::INFINITY };
        let on_drives: f64 = self.loads.iter().zip(&offered).map(|(load, offered)| offered / load.drives).sum();
        for (((load, workload), &offered), on_ports) in
            self.loads.iter_mut().zip(&state.workloads).zip(&offered).zip(on_ports)
        {
            let crosses = state.protocol_of(workload).crosses_network();
            let by_ports = if crosses && on_ports > 0.0 { at.port_bytes_per_us / on_ports } else { f64::INFINITY };
            let by_drives = if load.drives.is_finite() && on_drives > 0.0 { 1.0 / on_drives } else { f64::INFINITY };
            let by_fabric = if crosses { by_fabric } else { f64::INFINITY };
            let by_flows = if crosses { load.flow_bytes_per_us(workload, state, at) / offered } else { f64::INFINITY };
            // What is carried of what is offered.
            let carried = by_ports.min(by_fabric).min(by_drives).min(by_flows);
            let span_us = at.until_us - at.from_us;
            // A stretch without an offer carries what waits as fast as a port.
            let change = if offered > 0.0 { offered * (1.0 - carried.min(1e3)) } else { -at.port_bytes_per_us };
            load.waiting_bytes = (load.waiting_bytes + change * span_us).max(0.0);
            load.max_waiting_bytes = load.max_waiting_bytes.max(load.waiting_bytes);
        }
    }

    /// By workload: the most bytes per microsecond that are offered to one of its ports, by all workloads.
    fn on_ports(&self, state: &Scenario, offered: &[f64]) -> Vec<f64> {
        let mut named = [vec![0.0; self.ports], vec![0.0; self.ports]];
        let mut anywhere = 0.0;
        let crossing = || {
            let all = self.loads.iter().zip(offered).zip(&state.workloads);
            all.filter(|(_, workload)| state.protocol_of(workload).crosses_network()).map(|(of, _)| of)
        };
        for (load, offered) in crossing() {
            if load.pairs.is_empty() {
                anywhere += offered / self.hosts.max(1.0);
            }
            for pair in &load.pairs {
                for (side, port) in named.iter_mut().zip(pair).filter_map(|(side, port)| Some((side, (*port)?))) {
                    side[port as usize] += offered / load.pairs.len() as f64;
                }
            }
        }
        let most = |load: &Load| {
            let ports = load.pairs.iter().flat_map(|pair| named.iter().zip(pair));
            anywhere + ports.filter_map(|(side, port)| Some(side[(*port)? as usize])).fold(0.0, f64::max)
        };
        self.loads.iter().map(most).collect()
    }

    /// By workload: the most requests that wait.
    pub(super) fn requests(&self) -> impl Iterator<Item = f64> {
        self.loads.iter().map(|load| load.max_waiting_bytes / load.mean_bytes)
    }
}

impl Load {
    /// What its connections carry.
    fn flow_bytes_per_us(&self, workload: &Workload, state: &Scenario, at: &Conditions) -> f64 {
        let class = state.classes.iter().find(|class| class.name == workload.class);
        let is_paced = class.is_some_and(|class| class.transport.is_rate_based());
        let rtt_us = class.and_then(|class| class.base_rtt_us).unwrap_or(0.0).max(at.rtt_us);
        let line = at.port_bytes_per_us;
        let host = &state.host;
        match workload.flows {
            Flows::PerRequest => {
                let first = f64::from(host.initial_window_packets) * at.payload;
                // The window doubles from one round trip to the next.
                let rounds = if is_paced { 1.0 } else { libm::log2(self.mean_bytes / first + 1.0).ceil().max(1.0) };
                self.connections * self.mean_bytes / (rounds * rtt_us + self.mean_bytes / line)
            }
            Flows::Lasting if is_paced => f64::INFINITY,
            Flows::Lasting => self.connections * f64::from(host.maximum_window_packets) * at.payload / rtt_us.max(1e-6),
        }
    }
}

/// What the links between switches carry together, where the shape states them.
fn fabric_bytes_per_us(state: &Scenario, at: &Conditions) -> f64 {
    let gbps = match state.topology.shape {
        Shape::Dumbbell { switches, trunk_gbps: Some(gbps), .. } if switches > 1 => gbps,
        Shape::LeafSpine { leaves, spines, uplink_gbps: Some(gbps), .. } => f64::from(leaves * spines) * gbps,
        _ => return f64::INFINITY,
    };
    gbps / state.topology.link_gbps * at.port_bytes_per_us
}

/// Bytes per microsecond that a workload offers, on average over a stretch.
fn offered(workload: &Workload, at: &Conditions) -> f64 {
    if !matches!(workload.traffic, Traffic::OpenLoop { .. } | Traffic::StandIn { .. }) {
        return 0.0;
    }
    let stop_us = workload.stop_us.unwrap_or(f64::INFINITY);
    let active_us = (at.until_us.min(stop_us) - at.from_us.max(workload.start_us)).max(0.0);
    let part = active_us / (at.until_us - at.from_us).max(1e-9);
    offered_gbps(&workload.traffic).unwrap_or_default() * 125.0 * part
}

/// The ports that the data of each pair of hosts leave and reach.
fn pairs<'a>(workload: &'a Workload, numbers: &mut BTreeMap<&'a str, u32>) -> Vec<[Option<u32>; 2]> {
    let mut port = |host: &'a String| {
        let next = index_u32(numbers.len());
        Some(*numbers.entry(host).or_insert(next))
    };
    let directed = |[from, to]: [Option<u32>; 2]| if read_share(workload) > 0.5 { [to, from] } else { [from, to] };
    let (initiators, targets) = match &workload.endpoints {
        Endpoints::Pairs { initiators, targets } => (initiators, targets),
        Endpoints::Incast { target, .. } => return vec![directed([None, port(target)])],
        Endpoints::Permutation {} | Endpoints::Random { .. } => return Vec::new(),
    };
    let count = if initiators.is_empty() || targets.is_empty() { 0 } else { initiators.len().max(targets.len()) };
    let pair = |number: usize| {
        directed([&initiators[number % initiators.len()], &targets[number % targets.len()]].map(&mut port))
    };
    (0..count).map(pair).collect()
}

/// Bytes per microsecond that a drive carries of the requests of a workload.
fn drive_bytes_per_us(scenario: &Scenario, workload: &Workload) -> f64 {
    let bytes = size_law(&workload.traffic).mean_bytes().max(1.0);
    match workload.devices {
        DeviceKind::PersistentMemory => bytes / MEMORY_US,
        DeviceKind::ConstantCapacity => bytes * scenario.storage.constant.capacity_iops / 1e6,
        DeviceKind::Ssd => {
            let parameters = scenario.storage.ssd.parameters([1; 3]);
            let (geometry, flash) = (&parameters.geometry, &parameters.flash);
            let page = f64::from(geometry.page_bytes);
            let units = f64::from(geometry.channels * geometry.chips_per_channel * geometry.dies_per_chip);
            let mean_us = |ps: &[u64; 3]| ps.iter().map(|&ps| ps as f64).sum::<f64>() / PAGE_TYPES / 1e6;
            // A request smaller than a page reads a whole one.
            let read = units * page.min(bytes) / mean_us(&flash.read_ps).max(1e-6);
            let planes = f64::from(geometry.planes_per_die);
            let amplification = if parameters.precondition == Precondition::Empty { 1.0 } else { WRITE_AMPLIFICATION };
            let write = units * planes * page / mean_us(&flash.program_ps).max(1e-6) / amplification;
            let reads = read_share(workload);
            (1.0 / (reads / read + (1.0 - reads) / write)).min(bytes / SSD_US * f64::from(geometry.channels))
        }
    }
}
