//! How large a scenario is, known before anything is built.

mod backlog;

use std::collections::BTreeSet;

use self::backlog::{Backlog, Conditions};
use super::change::replay;
use super::diagnostics::Diagnostics;
use super::document::{DeviceKind, Endpoints, Flows, LinkSpec, Placement, Scenario, Shape, Traffic, Workload};
use super::laws::{offered_gbps, read_share, size_law};
use super::shape::{host_count, link_count, switch_count};
use crate::kernel::convert::whole;
use crate::storage::ssd::parameters::MappingTable;

/// Most connections of a scenario.
pub const MAXIMUM_FLOWS: u64 = 65_535;
/// Most memory that a run may be estimated to need, in bytes: what a browser gives one page without fail.
pub const MAXIMUM_MEMORY_BYTES: f64 = 2e9;
/// Most work that a run may be estimated to take, in events: most of a day of computing at ten million a second.
pub const MAXIMUM_WORK: f64 = 5e11;
/// Work that takes a second of computing, for what a person is told of a run that is refused. How long one takes that is not is
/// told once it has begun ([`work_to_come`]).
pub const WORK_PER_SECOND: f64 = 1e7;
/// Most requests that a run may have waiting and under way at once. They take almost two gigabytes.
pub const MAXIMUM_REQUESTS: f64 = 16e6;
/// Memory of a request that is drawn or read before the run, with room for the list to grow.
const REPLAYED_BYTES: f64 = 48.0;
/// Memory of a request that waits or is under way, its part of what is kept free for others included.
pub const REQUEST_BYTES: f64 = 120.0;
/// Memory of a request to a device beside that, and of each of its commands.
const VISIT_BYTES: f64 = 240.0;
const COMMAND_BYTES: f64 = 80.0;
/// Work of a page at a device, in events.
const WORK_PER_PAGE: f64 = 4.0;
/// Least time that a device takes for a command, in microseconds: SSDs, and persistent memory.
const SSD_US: f64 = 3.0;
const MEMORY_US: f64 = 0.3;
/// Memory of a device at rest, of each of its blocks, however many planes it has a part in, and of each page that it has written.
const DEVICE_BYTES: f64 = 100_000.0;
const BLOCK_BYTES: f64 = 16.0;
const PAGE_BYTES: f64 = 24.0;
/// Memory of a page in the write cache: its entry, its place in the index and what is to be done for it, each with room to grow.
const CACHED_PAGE_BYTES: f64 = 400.0;
/// Least bytes that are written to a page at a time.
const SECTOR_BYTES: f64 = 512.0;
/// Units (dies, chips, banks) that are sampled one by one, over all devices: those of the first devices.
pub const UNITS_SAMPLED: usize = 512;
/// Columns of the series of a device beside those of its units.
pub const DEVICE_COLUMNS: usize = 16;
/// Memory of a number in those series, with room for them to grow.
const DEVICE_SAMPLE_BYTES: f64 = 8.0;
/// Memory of a translation in the DRAM of a device: its set, where that is the only one in it.
const TRANSLATION_BYTES: f64 = 96.0;
/// Most rows of the sampled series.
pub const MAXIMUM_SAMPLES: f64 = 2e6;

/// Work of a class that looks at one of its connections, in events.
const WORK_PER_CONNECTION: f64 = 0.3;
/// Work for each node of looking for what happens next, in events.
const WORK_PER_NODE: f64 = 1.0 / 64.0;
/// Time between two steps of recovery where a scenario does not state it: the shortest of the published sets.
const RECOVERY_US: f64 = 55.0;

/// Number of hosts and switches that `shape` has.
fn node_count(shape: &Shape) -> f64 {
    f64::from(host_count(shape) + switch_count(shape))
}

/// Links on the longest path between two hosts of a generated `shape`; a guess for a custom one.
fn longest_path(shape: &Shape) -> f64 {
    match shape {
        Shape::FatTree { .. } => 6.0,
        Shape::LeafSpine { .. } => 4.0,
        Shape::Dumbbell { switches, .. } => f64::from(switches + 1),
        Shape::Custom { .. } => 6.0,
    }
}

/// Number of connections of all workloads. Where requests read, or are answered by a device, there is one in each direction.
pub fn connection_count(scenario: &Scenario) -> u64 {
    let directions = |workload: &Workload| {
        let protocol = scenario.protocol_of(workload);
        match workload.traffic {
            _ if !protocol.crosses_network() => 0,
            _ if protocol.has_target() => 2,
            Traffic::Backlogged {} => 1,
            _ => 1 + u64::from(read_share(workload) > 0.0),
        }
    };
    flow_counts(scenario).iter().zip(&scenario.workloads).map(|(&flows, workload)| flows * directions(workload)).sum()
}

/// Number of pairs of ends that every workload connects, as often as it does.
pub fn flow_counts(scenario: &Scenario) -> Vec<u64> {
    let pairs = |endpoints: &Endpoints| match endpoints {
        Endpoints::Pairs { initiators, targets } => initiators.len().max(targets.len()) as u64,
        Endpoints::Permutation {} => u64::from(host_count(&scenario.topology.shape)),
        Endpoints::Incast { initiators, .. } => u64::from(*initiators),
        Endpoints::Random { pairs } => u64::from(*pairs),
    };
    scenario.workloads.iter().map(|workload| pairs(&workload.endpoints) * u64::from(workload.connections)).collect()
}

/// Number of applications of every workload, each of which issues requests: one for each connection, or for each pair of
/// hosts where every request is a flow of its own.
pub fn source_counts(scenario: &Scenario) -> Vec<u64> {
    let flows = flow_counts(scenario).into_iter().zip(&scenario.workloads);
    flows
        .map(|(flows, workload)| match workload.flows {
            Flows::Lasting => flows,
            Flows::PerRequest => flows / u64::from(workload.connections.max(1)),
        })
        .collect()
}

/// Commands that a request of `mean_bytes` is at devices.
fn commands_per_request(scenario: &Scenario, mean_bytes: f64) -> f64 {
    let storage = &scenario.storage;
    let stripes = matches!(storage.placement, Placement::Striping | Placement::Hashing)
        && storage.servers.iter().any(|server| server.devices.len() > 1);
    let longest = storage.nvme.max_transfer_bytes.min(if stripes { storage.stripe_bytes } else { u32::MAX });
    1.0 + mean_bytes / f64::from(longest)
}

/// Memory of a request that waits or is under way, of the workload whose requests take most.
fn request_bytes(scenario: &Scenario) -> f64 {
    let of = |workload: &Workload| match scenario.protocol_of(workload).has_target() {
        false => REQUEST_BYTES,
        true => {
            let commands = commands_per_request(scenario, size_law(&workload.traffic).mean_bytes());
            REQUEST_BYTES + VISIT_BYTES + COMMAND_BYTES * commands
        }
    };
    scenario.workloads.iter().map(of).fold(REQUEST_BYTES, f64::max)
}

/// Devices that requests go to, at most: those of the storage servers that are listed, one for each host that is not.
fn device_count(scenario: &Scenario) -> f64 {
    if !scenario.has_devices() {
        return 0.0;
    }
    let listed: usize = scenario.storage.servers.iter().map(|server| server.devices.len().max(1)).sum();
    let targets = scenario.workloads.iter().map(|workload| match &workload.endpoints {
        Endpoints::Pairs { targets, .. } => targets.iter().collect::<BTreeSet<_>>().len() as f64,
        Endpoints::Incast { .. } => 1.0,
        Endpoints::Permutation {} | Endpoints::Random { .. } => f64::from(host_count(&scenario.topology.shape)),
    });
    (listed as f64).max(targets.sum::<f64>().min(f64::from(host_count(&scenario.topology.shape))))
}

/// Least bytes that a page in the write cache holds: of what is written, all of `page_bytes` or a request.
fn written_bytes(scenario: &Scenario, page_bytes: f64) -> f64 {
    let writers = scenario.workloads.iter().filter(|workload| read_share(workload) < 1.0);
    let sizes = writers.map(|workload| size_law(&workload.traffic).mean_bytes());
    sizes.fold(page_bytes, f64::min).max(SECTOR_BYTES)
}

/// What a run is expected to cost. Good to a factor of a few: enough to refuse what cannot be run.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Cost {
    /// Packets sent over a link, acknowledgements included.
    pub packet_hops: f64,
    /// Work, in units of the work that an event takes: packet-hops, timers of requests and rates, updates of classes, and
    /// what looking for the next event takes where windows are short.
    pub work: f64,
    /// Of that, what short windows add.
    pub window_work: f64,
    /// Requests that are surely waiting or under way at once: those of closed loops, and what open loops offer beyond
    /// what the ports of their hosts carry.
    pub requests: f64,
    /// Requests that cannot be exceeded at any time, however badly the run goes.
    pub max_requests: f64,
    /// Memory of the running simulation, in bytes.
    pub memory_bytes: f64,
    /// What lowers the largest part of it.
    pub memory_hint: &'static str,
    /// Rows of the sampled series.
    pub samples: f64,
}

/// Estimates the cost of a run of `scenario`, with the changes of its timeline.
pub fn cost(scenario: &Scenario) -> Cost {
    measured(scenario).cost()
}

/// How often as much work as a run of `scenario` has come to `now_us` with is still to come: the work estimated for what is left,
/// over that of what is done. Times how long the run has computed so far it is the time that it will take on. None before
/// anything is done.
pub fn work_to_come(scenario: &Scenario, now_us: f64) -> Option<f64> {
    let done = cost(&Scenario { duration_us: now_us, ..scenario.clone() }).work;
    let all = cost(scenario).work;
    (now_us > 0.0 && done > 0.0).then(|| ((all - done) / done).max(0.0))
}

/// After so many seconds of computing it is known how long a run takes.
pub const KNOWN_AFTER_SECONDS: f64 = 0.5;

/// A run that takes longer is one to say so of, in seconds.
pub const LONG_SECONDS: f64 = 10.0;

/// By workload: requests that each of its applications may have waiting or under way at once. What an open loop brings
/// beyond that is turned away, so that a run holds no more than [`MAXIMUM_REQUESTS`], however badly it goes. Where all that
/// they ever issue fits, each has that, and an even part of what is left for a load that is raised later; else they share half
/// of them evenly and half in proportion. What counts is what they issue without changes: one made while the run goes on may
/// not move a limit that a replay would have from the start.
pub fn request_limits(scenario: &Scenario) -> Vec<u64> {
    measured(&Scenario { timeline: Vec::new(), ..scenario.clone() }).request_limits()
}

fn measured(scenario: &Scenario) -> Meter {
    let mut meter = Meter::new(scenario);
    replay(scenario, &mut Diagnostics::default(), |state, until_us| meter.pass(state, until_us));
    meter
}

/// What is known of one workload, and what it has done so far.
#[derive(Clone, Debug, Default)]
struct Load {
    class: usize,
    flows: f64,
    /// Applications that issue requests.
    sources: u64,
    /// Hosts that send, and hosts that receive.
    senders: f64,
    receivers: f64,
    mean_bytes: f64,
    /// Requests issued by open loops.
    issued: f64,
    /// They are drawn before the run.
    replayed: bool,
    /// Bytes offered so far beyond what ports carry.
    excess_bytes: f64,
    /// Most of that.
    max_excess_bytes: f64,
}

/// Adds up the cost of a run, stretch by stretch.
#[derive(Debug)]
pub(super) struct Meter {
    workloads: Vec<Load>,
    backlog: Backlog,
    nodes: f64,
    hosts: f64,
    links: f64,
    /// Least delay and greatest rate that a link states for itself.
    min_delay_us: f64,
    max_gbps: f64,
    /// Links on the longest path.
    hops: f64,
    flows: f64,
    closed_requests: f64,
    /// Memory of a request, of the largest that its workloads issue on average.
    request_bytes: f64,
    /// Devices in use, bytes of a page, pages and blocks of each.
    devices: f64,
    page_bytes: f64,
    pages: f64,
    blocks: f64,
    /// Most pages in the write cache of a device.
    cached_pages: f64,
    /// Most memory that the translations of a device take.
    table_bytes: f64,
    /// Pages served so far, and those of them that were written.
    pages_served: f64,
    pages_written: f64,
    columns: f64,
    /// The same of all devices.
    device_columns: f64,
    since_us: f64,
    duration_us: f64,
    cost: Cost,
}

impl Meter {
    /// Nothing has been passed yet.
    pub(super) fn new(scenario: &Scenario) -> Self {
        let shape = &scenario.topology.shape;
        let hosts = f64::from(host_count(shape));
        let flows = flow_counts(scenario);
        let load = |((workload, &flows), sources): ((&Workload, &u64), u64)| {
            let (senders, receivers) = match &workload.endpoints {
                Endpoints::Pairs { initiators, targets } => {
                    let distinct = |hosts: &[String]| hosts.iter().collect::<BTreeSet<_>>().len() as f64;
                    (distinct(initiators), distinct(targets))
                }
                Endpoints::Permutation {} => (hosts, hosts),
                Endpoints::Incast { initiators, .. } => (f64::from(*initiators), 1.0),
                Endpoints::Random { pairs } => (hosts.min(f64::from(*pairs)), hosts.min(f64::from(*pairs))),
            };
            // What is read is sent by the targets.
            let (senders, receivers) = match read_share(workload) {
                fraction if fraction >= 1.0 => (receivers, senders),
                fraction if fraction > 0.0 => (senders.max(receivers), senders.max(receivers)),
                _ => (senders, receivers),
            };
            let class = scenario.classes.iter().position(|class| class.name == workload.class).unwrap_or(0);
            Load {
                class,
                flows: flows as f64,
                sources,
                senders,
                receivers,
                mean_bytes: size_law(&workload.traffic).mean_bytes().max(1.0),
                replayed: matches!(workload.traffic, Traffic::StandIn { .. }),
                ..Load::default()
            }
        };
        let closed = |(workload, sources): (&Workload, u64)| match &workload.traffic {
            Traffic::ClosedLoop { outstanding, requests, .. } => {
                sources as f64 * u64::from(*outstanding).min(requests.unwrap_or(u64::MAX)) as f64
            }
            Traffic::OpenLoop { .. } | Traffic::Trace { .. } | Traffic::StandIn { .. } | Traffic::Backlogged {} => 0.0,
        };
        let own = |own: fn(&LinkSpec) -> Option<f64>| match shape {
            Shape::Custom { links, .. } => links.iter().map(own).collect(),
            Shape::LeafSpine { .. } | Shape::FatTree { .. } | Shape::Dumbbell { .. } => vec![None],
        };
        // Columns of the series, of all classes and of the connections sampled one by one.
        let columns = 8.0 + 12.0 * scenario.classes.len() as f64 + 7.0 * 24.0;
        let period_us = scenario.measurement.sample_period_us;
        let parameters = scenario.storage.ssd.parameters([1; 3]);
        let geometry = &parameters.geometry;
        // Where any device is of memory, its banks count too.
        let banks = f64::from(scenario.storage.memory.parameters().banks);
        let units = f64::from(geometry.channels * geometry.chips_per_channel * geometry.dies_per_chip).max(banks);
        Self {
            workloads: scenario.workloads.iter().zip(&flows).zip(source_counts(scenario)).map(load).collect(),
            backlog: Backlog::new(scenario, &flows, hosts, device_count(scenario)),
            nodes: node_count(shape),
            hosts,
            links: link_count(shape) as f64,
            min_delay_us: own(|link| link.delay_us).into_iter().flatten().fold(f64::INFINITY, f64::min),
            max_gbps: own(|link| link.gbps).into_iter().flatten().fold(0.0, f64::max),
            hops: longest_path(shape),
            flows: connection_count(scenario) as f64,
            request_bytes: request_bytes(scenario),
            devices: device_count(scenario),
            page_bytes: f64::from(geometry.page_bytes),
            pages: geometry.raw_bytes() as f64 / f64::from(geometry.page_bytes),
            blocks: parameters.blocks() as f64,
            cached_pages: parameters.cache.capacity_bytes as f64
                / written_bytes(scenario, f64::from(geometry.page_bytes)),
            table_bytes: match parameters.mapping {
                MappingTable::Cached { entries, .. } => 12.0 * f64::from(entries),
                MappingTable::InMemory => 0.0,
            },
            pages_served: 0.0,
            pages_written: 0.0,
            closed_requests: scenario.workloads.iter().zip(source_counts(scenario)).map(closed).sum(),
            columns,
            device_columns: device_count(scenario) * DEVICE_COLUMNS as f64
                + 2.0 * (device_count(scenario) * units).min(UNITS_SAMPLED as f64),
            since_us: 0.0,
            duration_us: scenario.duration_us,
            cost: Cost { samples: period_us.map_or(1000.0, |us| scenario.duration_us / us), ..Cost::default() },
        }
    }

    /// The parameters of `state` have held since the last call, up to `until_us`.
    pub(super) fn pass(&mut self, state: &Scenario, until_us: f64) {
        let from_us = self.since_us;
        let until_us = until_us.min(self.duration_us).max(from_us);
        self.since_us = until_us;
        let topology = &state.topology;
        let packet_bytes = f64::from(state.host.mtu_bytes + topology.frame_overhead_bytes);
        let payload = f64::from(state.host.mtu_bytes.saturating_sub(state.host.header_bytes).max(1));
        let bytes_per_us = topology.link_gbps.max(self.max_gbps) * 125.0;

        let (mut packets, mut arrivals, mut paced, mut served) = (0.0, 0.0, 0.0, 0.0);
        for (load, workload) in self.workloads.iter_mut().zip(&state.workloads) {
            let stop_us = workload.stop_us.unwrap_or(f64::INFINITY);
            let active_us = (until_us.min(stop_us) - from_us.max(workload.start_us)).max(0.0);
            // Packets: no workload sends more than it is offered, nor more than its hosts' links carry. What is left
            // when requests cease is sent later, which the time until the next change is taken for.
            let line_bytes = load.senders * bytes_per_us * (until_us - from_us.max(workload.start_us)).max(0.0);
            let protocol = state.protocol_of(workload);
            // A host with its own storage is held back by its devices alone.
            let line_bytes = if protocol.crosses_network() { line_bytes } else { f64::INFINITY };
            let device_us = match workload.devices {
                DeviceKind::Ssd => SSD_US,
                DeviceKind::PersistentMemory => MEMORY_US,
                DeviceKind::ConstantCapacity => 1e6 / state.storage.constant.capacity_iops,
            };
            let (bytes, requests) = match &workload.traffic {
                Traffic::OpenLoop { requests, .. } | Traffic::StandIn { requests, .. } => {
                    let offered_gbps = offered_gbps(&workload.traffic).unwrap_or_default();
                    let left = requests.map_or(f64::INFINITY, |requests| requests as f64) - load.issued;
                    let issued = (offered_gbps * 125.0 * active_us / load.mean_bytes).min(left.max(0.0));
                    load.issued += issued;
                    let offered = issued * load.mean_bytes;
                    let ports = load.senders.min(load.receivers) * bytes_per_us * payload / packet_bytes;
                    load.excess_bytes = (load.excess_bytes + offered - ports * (until_us - from_us)).max(0.0);
                    load.max_excess_bytes = load.max_excess_bytes.max(load.excess_bytes);
                    (offered, issued)
                }
                // What it brings is known once it has been read.
                Traffic::Trace { .. } => (0.0, 0.0),
                Traffic::Backlogged {} => (line_bytes, 0.0),
                Traffic::ClosedLoop { requests, outstanding, .. } if protocol.has_target() => {
                    let most = load.sources as f64 * f64::from(*outstanding) * active_us / device_us;
                    let limit = requests.map_or(f64::INFINITY, |each| each as f64 * load.flows);
                    let issued = most.min(limit).min(line_bytes / load.mean_bytes);
                    (issued * load.mean_bytes, issued)
                }
                Traffic::ClosedLoop { requests, .. } => {
                    let bytes = requests.map_or(f64::INFINITY, |each| each as f64 * load.flows * load.mean_bytes);
                    let smallest = payload.min(load.mean_bytes) + packet_bytes - payload;
                    (bytes.min(line_bytes), line_bytes / smallest.max(load.mean_bytes))
                }
            };
            if protocol.has_target() {
                let pages = bytes / self.page_bytes + requests * commands_per_request(state, load.mean_bytes);
                served += pages;
                self.pages_served += pages;
                self.pages_written += pages * (1.0 - read_share(workload));
            }
            if !protocol.crosses_network() {
                arrivals += requests;
                continue;
            }
            // A request that comes alone ends in a packet that is not full.
            let headers = packet_bytes - payload;
            let commands = requests * read_share(workload);
            let sent =
                commands + (bytes / payload + requests).min(line_bytes / (headers + payload.min(load.mean_bytes)));
            packets += sent;
            arrivals += requests;
            let class = &state.classes[load.class.min(state.classes.len() - 1)];
            if class.transport.is_rate_based() {
                let dirs = if class.dirs.enabled {
                    1.0 / class.dirs.period_us + 1.0 / class.dirs.recovery_us.unwrap_or(RECOVERY_US)
                } else {
                    0.0
                };
                let increase_us = class.dcqcn.increase_timer_us.unwrap_or(RECOVERY_US);
                paced += sent + load.flows * (1.0 / increase_us + dirs) * active_us;
            }
        }
        let hops = 2.0 * packets * self.hops;
        let events = hops + 2.0 * arrivals + paced + WORK_PER_PAGE * served;

        // Classes look at all their connections once in some round trips.
        let delay_us = self.delay_us(state);
        let rtt_us = topology.base_rtt_us.unwrap_or(0.0).max(2.0 * self.hops * delay_us + packet_bytes / bytes_per_us);
        let span_us = until_us - from_us;
        let port_bytes_per_us = bytes_per_us * payload / packet_bytes;
        self.backlog.pass(state, &Conditions { from_us, until_us, port_bytes_per_us, payload, rtt_us });
        let updates = state.classes.iter().map(|class| {
            let rtt_us = class.base_rtt_us.unwrap_or(rtt_us).max(rtt_us);
            span_us / (rtt_us * f64::from(class.update_interval_rtts)).max(1e-6)
        });
        let updates: f64 = updates.sum();
        let readings = self.cost.samples * span_us / self.duration_us;
        let connections = self.flows / state.classes.len() as f64;
        let looks = updates * (1.0 + WORK_PER_CONNECTION * connections)
            + readings * (WORK_PER_CONNECTION * self.flows + 0.1 * self.columns);

        let windows = events.min(if delay_us > 0.0 { span_us / delay_us } else { f64::INFINITY });
        let window_work = windows * WORK_PER_NODE * self.nodes;
        self.cost.packet_hops += hops;
        self.cost.window_work += window_work;
        self.cost.work += events + looks + window_work;
        self.cost.memory_bytes = self.cost.memory_bytes.max(32.0 * self.packets_in_flight(state));
    }

    /// Least time from one node to the next.
    fn delay_us(&self, state: &Scenario) -> f64 {
        let topology = &state.topology;
        // All links of one switch lead from or to a host, which the base round trip holds packets back in.
        let host_us = topology.host_delay_us + topology.base_rtt_us.unwrap_or(0.0) / 8.0;
        let single = matches!(topology.shape, Shape::Dumbbell { switches: 1, .. });
        topology.link_delay_us.min(self.min_delay_us) + if single { host_us } else { topology.switch_delay_us }
    }

    /// Packets that may be in queues and on wires at once.
    fn packets_in_flight(&self, state: &Scenario) -> f64 {
        let packet_bytes = f64::from(state.host.mtu_bytes + state.topology.frame_overhead_bytes);
        let buffered = self.links / 2.0 * f64::from(state.switch.buffer_packets);
        let window = self.flows * f64::from(state.host.maximum_window_packets);
        let delay_us = state.topology.link_delay_us + state.topology.base_rtt_us.unwrap_or(0.0) / 4.0;
        let on_wires = self.hosts * state.topology.link_gbps * 125.0 * delay_us * self.hops / packet_bytes;
        self.flows * f64::from(state.host.queue_packets) + window.min(buffered + on_wires)
    }

    fn request_limits(&self) -> Vec<u64> {
        let all: f64 = self.workloads.iter().map(|load| load.issued).sum();
        let (left, workloads) = (self.requests_left(), self.workloads.len() as f64);
        let limit = |load: &Load| {
            let requests = if all <= left {
                load.issued + (left - all) / workloads
            } else {
                left * (1.0 / workloads + load.issued / all) / 2.0
            };
            whole(requests / load.sources as f64).max(1)
        };
        self.workloads.iter().map(limit).collect()
    }

    /// Requests that open loops may have at once.
    fn requests_left(&self) -> f64 {
        (MAXIMUM_REQUESTS * REQUEST_BYTES / self.request_bytes - self.closed_requests).max(0.0)
    }

    /// The cost of what has been passed.
    pub(super) fn cost(&self) -> Cost {
        let loads = || self.workloads.iter().filter(|load| load.issued > 0.0);
        // Every application issues its first request at once; six standard deviations of random arrivals.
        let issued = |load: &Load| load.issued + 6.0 * load.issued.sqrt() + 2.0 * load.sources as f64;
        // Of however little is left, every application has one.
        let most = self.requests_left() + loads().map(|load| load.sources as f64).sum::<f64>();
        let max_requests = self.closed_requests + loads().map(issued).sum::<f64>().min(most);
        let excess = self.workloads.iter().map(|load| load.max_excess_bytes / load.mean_bytes);
        let requests = self.closed_requests + excess.sum::<f64>();
        let waiting = self.workloads.iter().zip(self.backlog.requests());
        let waiting: f64 = waiting.map(|(load, requests)| requests.min(load.issued)).sum();
        let likely = (self.closed_requests + waiting).min(max_requests).max(requests);
        let replayed: f64 = loads().filter(|load| load.replayed).map(issued).sum();
        let samples = self.cost.samples;
        let parts = [
            (
                self.cost.memory_bytes + 400.0 * self.links + 1500.0 * self.flows,
                "Lower `switch.bufferPackets`, the windows, or the number of hosts and connections.",
            ),
            (
                self.request_bytes * likely + REPLAYED_BYTES * replayed,
                "Lower the offered load or the requests outstanding, make requests larger, or shorten the run.",
            ),
            (
                self.devices * (DEVICE_BYTES + BLOCK_BYTES * self.blocks)
                    + PAGE_BYTES * self.pages_written.min(self.devices * self.pages)
                    + (TRANSLATION_BYTES * self.pages_served).min(self.devices * self.table_bytes),
                "Lower the number of drives, or give them fewer blocks or larger pages.",
            ),
            (
                CACHED_PAGE_BYTES * self.pages_written.min(self.devices * self.cached_pages),
                "Lower `storage.ssd.cacheBytes`, the number of drives, or the load of writes.",
            ),
            (
                8.0 * self.columns * samples + DEVICE_SAMPLE_BYTES * self.device_columns * samples,
                "Give `measurement.samplePeriodUs` a longer period, or leave it out for about a thousand samples.",
            ),
        ];
        let memory_bytes = parts.iter().map(|(bytes, _)| bytes).sum();
        let largest = parts.iter().max_by(|of, other| of.0.total_cmp(&other.0));
        Cost { requests, max_requests, memory_bytes, memory_hint: largest.map_or("", |part| part.1), ..self.cost }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn generated_shapes_have_the_sizes_of_their_definitions() {
        let leaf_spine = Shape::LeafSpine { leaves: 4, spines: 2, hosts_per_leaf: 8, uplink_gbps: None };
        let dumbbell = |switches| Shape::Dumbbell { senders: 3, receivers: 1, switches, trunk_gbps: None };
        for (shape, hosts, switches, links) in [
            (Shape::FatTree { k: 4 }, 16, 20, 96),
            (Shape::FatTree { k: 8 }, 128, 80, 768),
            (Shape::FatTree { k: 16 }, 1024, 320, 6144),
            (Shape::FatTree { k: 32 }, 8192, 1280, 49_152),
            (leaf_spine, 32, 6, 80),
            (dumbbell(1), 4, 1, 8),
            (dumbbell(2), 4, 2, 10),
        ] {
            let counts = (host_count(&shape), switch_count(&shape), link_count(&shape));
            assert_eq!(counts, (hosts, switches, links), "{shape:?}");
        }
    }
}
