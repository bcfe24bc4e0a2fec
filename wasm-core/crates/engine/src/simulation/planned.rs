//! The connections and applications that a run will have, and what a scenario sets for each.

use crate::access::{AccessProtocol, Lanes};
use crate::kernel::ids::{ApplicationId, ClassId, LinkId, PairId};
use crate::kernel::random::Stream;
use crate::kernel::time::{bps_from_gbps, from_us, transmission_ps};
use crate::network::graph::Graph;
use crate::scenario::document::Scenario;

/// A connection to be.
#[derive(Clone, Debug)]
pub struct PlannedFlow {
    /// Its class.
    pub class: ClassId,
    /// Index of its workload.
    pub workload: usize,
    /// Sending host, by host number.
    pub source: u32,
    /// Receiving host, by host number.
    pub destination: u32,
    /// Links of its data.
    pub data: Vec<LinkId>,
    /// Links of its acknowledgements.
    pub acknowledgements: Vec<LinkId>,
    /// The application whose requests it carries.
    pub application: ApplicationId,
    /// The connections of its class between the same hosts.
    pub pair: PairId,
    /// The share of the data of its association that it carries.
    pub share: f64,
    /// It leads from the target to the initiator.
    pub back: bool,
}

impl PlannedFlow {
    /// Number of the share that it has a part in: a class has one for each way, since senders of the two ways are different
    /// hosts, and so are the links that they fill.
    pub fn share_number(&self) -> u32 {
        share_number(self.class, self.back)
    }
}

/// Number of the share of a class on the way to its targets, or back.
pub fn share_number(class: ClassId, back: bool) -> u32 {
    2 * class.0 + u32::from(back)
}

/// An application to be.
#[derive(Clone, Copy, Debug)]
pub struct PlannedApplication {
    /// Index of its workload.
    pub workload: usize,
    /// The host at which it acts, by host number.
    pub host: u32,
    /// When it starts.
    pub start_ps: u64,
    /// How its requests travel.
    pub lanes: Lanes,
    /// Number of its random streams: that of the first connection that carries its data, or one of its own if none does.
    pub stream: u64,
    /// The host with the storage, by host number.
    pub target: u32,
}

/// Number of the terms of a protocol.
pub(super) fn terms_number(protocol: AccessProtocol) -> u32 {
    protocol as u32
}

/// The class of a name that validation has found.
pub fn class_of(scenario: &Scenario, name: &str) -> ClassId {
    let position = scenario.classes.iter().position(|class| class.name == name);
    ClassId::at(position.expect("validation has found the class of every workload"))
}

pub(super) fn link_rate_bps(scenario: &Scenario, graph: &Graph, link: LinkId) -> u64 {
    graph.wires()[link.index()].rate_bps.unwrap_or_else(|| bps_from_gbps(scenario.topology.link_gbps))
}

/// Packets of a host's link over whose time the starts of its connections spread, where the scenario does not say: enough to
/// end up in another order at a port, and little beside a round trip.
const JITTER_PACKETS: u64 = 10;

/// Delay of the start of a connection behind what its workload says: it breaks the step that equal connections would keep.
pub(super) fn start_jitter_ps(scenario: &Scenario, line_bps: u64, connection: u64) -> u64 {
    Stream::new(scenario.seed, "start", connection).integer(0, max_start_jitter_ps(scenario, line_bps))
}

/// Longest such delay on a host's link of `line_bps`.
pub(super) fn max_start_jitter_ps(scenario: &Scenario, line_bps: u64) -> u64 {
    let full_bytes = u64::from(scenario.host.mtu_bytes + scenario.topology.frame_overhead_bytes);
    let automatic_ps = transmission_ps(JITTER_PACKETS * full_bytes, line_bps);
    scenario.host.start_jitter_us.map_or(automatic_ps, from_us)
}
