//! What can be read of a running world at an instant: connections as they are shown, whatever transport they use, and what
//! classes have sent and received.

use crate::access::Access;
use crate::kernel::ids::{ApplicationId, ClassId, FlowId};
use crate::kernel::sums::total;
use crate::kernel::time::PS_PER_S;
use crate::network::forwarding::Network;
use crate::network::port::Port;
use crate::scenario::document::{Scenario, Traffic};
use crate::simulation::bottleneck::Load;
use crate::simulation::device_samples::SampledDevice;
use crate::simulation::plan::Plan;
use crate::simulation::planned::PlannedApplication;
use crate::simulation::qos_control::QosControl;
use crate::simulation::record::{ConnectionState, SentPackets};
use crate::storage::{Occupancy, Storage};
use crate::transport::connections::Connections;
use crate::transport::controller::ALPHA;

/// A running world, to be read.
#[derive(Clone, Copy)]
pub(super) struct Readings<'a> {
    pub(super) now_ps: u64,
    pub(super) plan: &'a Plan,
    /// Parameters in force.
    pub(super) scenario: &'a Scenario,
    pub(super) network: &'a Network,
    pub(super) connections: &'a Connections,
    pub(super) access: &'a Access,
    pub(super) storage: &'a Storage,
    pub(super) control: &'a QosControl,
}

impl Readings<'_> {
    /// The connections of a class that carry data.
    pub(super) fn flows(&self, class: ClassId) -> impl Iterator<Item = FlowId> {
        self.plan.flows_of_class[class.index()].iter().map(|&flow| FlowId(flow))
    }

    /// Payload of requests that a connection has delivered, in bytes.
    pub(super) fn payload_delivered(&self, flow: FlowId) -> u64 {
        self.access.payload_delivered(self.connections, flow)
    }

    /// Payload of requests of a class that has been delivered, over connections and inside of hosts, in bytes.
    pub(super) fn class_delivered(&self, class: ClassId) -> u64 {
        let remote: u64 = self.flows(class).map(|flow| self.payload_delivered(flow)).sum();
        remote + self.access.local_bytes(class)
    }

    /// The port whose queue is that of the run.
    pub(super) fn bottleneck(&self) -> Port<'_> {
        self.network.port(self.plan.bottleneck)
    }

    /// Reports of congestion that the connections of a class have received, and how many of them came too late.
    pub(super) fn notifications(&self, class: ClassId) -> (u64, u64) {
        self.flows(class).fold((0, 0), |(received, late), flow| {
            let reports = self.connections.sender(flow).congestion_reports;
            (received + reports, late + self.connections.pace(flow).late)
        })
    }

    /// Data packets that the connections of a class have sent since the start of the run.
    pub(super) fn packets_sent(&self, class: ClassId) -> SentPackets {
        let senders = self.flows(class).map(|flow| self.connections.sender(flow));
        let sent = senders.map(|sender| SentPackets { all: sender.packets, again: sender.retransmissions });
        sent.fold(SentPackets::default(), SentPackets::and)
    }

    /// What is asked of a device that holds `occupancy` and was busy for a share of the time. What waits before all devices of a
    /// server is divided among them by what they hold.
    pub(super) fn device_load(&self, device: &SampledDevice, occupancy: &Occupancy, busy: f64) -> Load {
        let held_before = f64::from(self.storage.held_by_devices(device.node));
        let inside = |held: &Occupancy| held.held + held.at_work;
        let at_node: f64 = if held_before > 0.0 {
            let mut other = Occupancy::default();
            let devices = self.storage.devices(device.node).iter();
            total(devices.map(|device| {
                device.occupancy(self.now_ps, &mut other);
                inside(&other)
            }))
        } else {
            0.0
        };
        let before = if at_node > 0.0 { held_before * inside(occupancy) / at_node } else { 0.0 };
        let is_full = before > 0.0 || occupancy.waiting.iter().any(|&waiting| waiting > 0);
        Load {
            waiting: before + occupancy.held,
            at_work: occupancy.at_work,
            delays_requests: is_full || self.is_waited_for(device),
            busy,
        }
    }

    /// Whether applications issue requests only as a device answers earlier ones: closed loops, and queue pairs that are full.
    fn is_waited_for(&self, device: &SampledDevice) -> bool {
        let waits = |number: usize, of: &PlannedApplication| {
            let traffic = &self.scenario.workloads[of.workload].traffic;
            matches!(traffic, Traffic::ClosedLoop { .. }) || self.access.waits_at_host(ApplicationId::at(number))
        };
        self.plan.applications.iter().enumerate().any(|(number, of)| {
            self.plan.graph.hosts()[of.target as usize] == device.node
                && self.storage.serves(device.node, device.number, of.lanes.kind)
                && waits(number, of)
        })
    }

    /// Where a connection stands.
    pub(super) fn connection_state(&self, flow: FlowId) -> ConnectionState {
        let sender = self.connections.sender(flow);
        let rtt_ps = sender.rtt.smoothed_ps();
        let allowance = sender.controller.allowance();
        let window_packets = allowance.window_packets().unwrap_or(f64::NAN);
        let bits = window_packets * f64::from(self.connections.segment_bytes()) * 8.0;
        let carried_bps = if rtt_ps > 0 { bits * PS_PER_S as f64 / rtt_ps as f64 } else { f64::NAN };
        let rate_bps = allowance.rate_bps.unwrap_or(carried_bps);
        ConnectionState {
            alpha: self.alpha(flow),
            window_packets,
            rate_bps,
            rtt_ps,
            active: sender.end > sender.unacknowledged,
            notifications: sender.congestion_reports,
        }
    }

    /// α of a connection; not-a-number where its transport has none.
    pub(super) fn alpha(&self, flow: FlowId) -> f64 {
        let mut metrics = self.connections.metrics(flow, self.now_ps);
        metrics.find(|(metric, _)| **metric == ALPHA).map_or(f64::NAN, |(_, alpha)| alpha)
    }
}
