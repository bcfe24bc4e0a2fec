//! What is measured while a run goes on: the series, the latencies, and the state at the end of the warm-up.

use crate::access::{Operation, Request, Stage, Visit};
use crate::kernel::digest::Digest;
use crate::kernel::ids::{ClassId, FlowId};
use crate::kernel::time::{NEVER_PS, PS_PER_S, PS_PER_US, from_us};
use crate::network::link::QueueRange;
use crate::network::ports::PauseCounters;
use crate::scenario::document::Scenario;
use crate::simulation::bottleneck::Pressure;
use crate::simulation::class_record::ClassRecord;
use crate::simulation::device_samples::DeviceSamples;
use crate::simulation::metrics::{self, ClassSample, ConnectionSample, NetworkSample};
use crate::simulation::plan::NetworkSettings;
use crate::simulation::readings::Readings;
use crate::simulation::record::{ConnectionState, PortReading, SentPackets};

/// Most samples of a run whose scenario does not state a sample period.
const SAMPLES: u64 = 1000;
/// Fewest samples of such a run.
const MIN_SAMPLES: u64 = 120;
/// Shortest time between two samples that a scenario may state.
const MIN_PERIOD_PS: u64 = PS_PER_US / 10;

/// Connections that are sampled one by one.
pub const FLOWS_SAMPLED: usize = 24;

/// Sums over one connection since the end of the warm-up.
#[derive(Clone, Copy, Debug, Default)]
pub struct FlowRecord {
    /// Sum of α over the samples.
    pub alpha: f64,
    /// Sum of the window over the samples, in packets.
    pub window: f64,
    /// Sum of the sending rate over the samples that know one, in bits per second, and how many these are.
    pub rate: (f64, u64),
    /// Bytes delivered before the end of the warm-up.
    pub delivered_before: u64,
    /// Time from the start of the connection to the delivery of its last request, where it has one.
    pub completion_ps: Option<u64>,
}

/// Everything measured in a run.
#[derive(Clone, Debug)]
pub struct Measurement {
    period_ps: u64,
    next_sample_ps: u64,
    warmup_ps: u64,
    warm: bool,
    /// Rows of the series, one after the other.
    rows: Vec<f64>,
    columns: usize,
    pub(super) classes: Vec<ClassRecord>,
    pub(super) flows: Vec<FlowRecord>,
    /// Samples since the end of the warm-up.
    pub(super) samples: u64,
    pub(super) port_at_warmup: PortReading,
    /// Pauses, the time links were held, and notifications received and late by class, at the end of the warm-up.
    pub(super) pauses_at_warmup: PauseCounters,
    pub(super) paused_ps_at_warmup: u64,
    pub(super) notifications_at_warmup: Vec<(u64, u64)>,
    /// By class: what it should have carried by the end of the warm-up, in bits.
    pub(super) target_bits_at_warmup: Vec<f64>,
    /// Data packets sent, and sent again, by class, at the end of the warm-up.
    pub(super) packets_at_warmup: Vec<SentPackets>,
    /// Longest queue of the bottleneck seen in the samples since the end of the warm-up, in packets.
    pub(super) max_queue: u32,
    port_at_sample: PortReading,
    delivered_at_sample: Vec<u64>,
    offered_at_sample: Vec<u128>,
    offered_bytes: Vec<u128>,
    pauses_at_sample: u64,
    paused_ps_at_sample: u64,
    notifications_at_sample: Vec<u64>,
    /// Requests done and late by class, since the start of the run and at the last sample.
    requests: Vec<(u64, u64)>,
    requests_at_sample: Vec<(u64, u64)>,
    /// Rows of the series of single connections.
    flow_rows: Vec<f64>,
    flows_at_sample: Vec<(u64, u64)>,
    last_sample_ps: u64,
    pub(super) devices: DeviceSamples,
    pub(super) pressure: Pressure,
}

/// End of the warm-up: a fifth of the run where the scenario does not say.
pub fn warmup_ps(scenario: &Scenario) -> u64 {
    scenario.measurement.warmup_us.map_or_else(|| from_us(scenario.duration_us) / 5, from_us)
}

/// Time between two samples.
pub fn period_ps(scenario: &Scenario, settings: &NetworkSettings) -> u64 {
    let stated_ps = scenario.measurement.sample_period_us.map(from_us);
    stated_ps.unwrap_or_else(|| automatic_period_ps(scenario, settings)).max(1)
}

/// Sample period of a run whose scenario does not state one: about two round trips with the queue at K, because a window
/// travels in bursts and what is delivered within less says little; but no more than [`SAMPLES`] samples in a run, and no
/// fewer than [`MIN_SAMPLES`] where none is shorter than a scenario may state.
fn automatic_period_ps(scenario: &Scenario, settings: &NetworkSettings) -> u64 {
    let duration_ps = from_us(scenario.duration_us);
    let full_bytes = u64::from(scenario.host.mtu_bytes + scenario.topology.frame_overhead_bytes);
    let queue_bytes = u64::from(scenario.switch.ecn_threshold_packets) * full_bytes;
    let queue_us = queue_bytes as f64 * 8.0 / (scenario.topology.link_gbps * 1000.0);
    let two_rtts_ps = 2 * (settings.base_rtt_ps + from_us(queue_us));
    two_rtts_ps.min(duration_ps / MIN_SAMPLES).max(duration_ps / SAMPLES).max(MIN_PERIOD_PS)
}

impl Measurement {
    /// Of a run in which nothing has happened.
    pub fn new(scenario: &Scenario, settings: &NetworkSettings, flows: usize, devices: DeviceSamples) -> Self {
        let classes = scenario.classes.len();
        let period_ps = period_ps(scenario, settings);
        Self {
            period_ps,
            next_sample_ps: period_ps,
            warmup_ps: warmup_ps(scenario),
            warm: false,
            rows: Vec::new(),
            columns: metrics::NETWORK.len() + classes * metrics::CLASS.len(),
            classes: vec![ClassRecord::default(); classes],
            flows: vec![FlowRecord::default(); flows],
            samples: 0,
            port_at_warmup: PortReading::default(),
            pauses_at_warmup: PauseCounters::default(),
            paused_ps_at_warmup: 0,
            notifications_at_warmup: vec![(0, 0); classes],
            target_bits_at_warmup: vec![0.0; classes],
            packets_at_warmup: vec![SentPackets::default(); classes],
            max_queue: 0,
            port_at_sample: PortReading::default(),
            delivered_at_sample: vec![0; classes],
            offered_at_sample: vec![0; classes],
            offered_bytes: vec![0; classes],
            pauses_at_sample: 0,
            paused_ps_at_sample: 0,
            notifications_at_sample: vec![0; classes],
            requests: vec![(0, 0); classes],
            requests_at_sample: vec![(0, 0); classes],
            flow_rows: Vec::new(),
            flows_at_sample: vec![(0, 0); flows.min(FLOWS_SAMPLED)],
            last_sample_ps: 0,
            devices,
            pressure: Pressure::default(),
        }
    }

    /// When the world is next to be looked at.
    pub fn next_ps(&self) -> u64 {
        self.next_sample_ps.min(if self.warm { NEVER_PS } else { self.warmup_ps })
    }

    /// Time between two samples.
    pub fn period_ps(&self) -> u64 {
        self.period_ps
    }

    /// End of the warm-up.
    pub fn warmup_ps(&self) -> u64 {
        self.warmup_ps
    }

    /// Rows of the series from row `from` on, one after the other.
    pub fn rows_from(&self, from: usize) -> &[f64] {
        self.rows.get(from * self.columns..).unwrap_or(&[])
    }

    /// As [`Self::rows_from`], of the series of single connections.
    pub fn flow_rows_from(&self, from: usize) -> &[f64] {
        self.flow_rows.get(from * self.flows_at_sample.len() * metrics::CONNECTION.len()..).unwrap_or(&[])
    }

    /// Connections that are sampled one by one.
    pub fn flows_sampled(&self) -> usize {
        self.flows_at_sample.len()
    }

    /// Memory of the series, in bytes.
    pub fn bytes(&self) -> u64 {
        8 * (self.rows.len() + self.flow_rows.len()) as u64 + self.devices.bytes() + self.pressure.bytes()
    }

    /// Numbers in a row.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.rows.len() / self.columns
    }

    /// A request was handed to a connection.
    pub fn on_request(&mut self, class: ClassId, bytes: u64) {
        let record = &mut self.classes[class.index()];
        record.issued += 1;
        record.offered_bytes += u128::from(bytes);
        self.offered_bytes[class.index()] += u128::from(bytes);
    }

    /// A request was turned away: the run can hold no more.
    pub fn on_turned_away(&mut self, class: ClassId) {
        self.classes[class.index()].turned_away += 1;
    }

    /// A request is done.
    pub fn on_done(&mut self, request: &Request, visit: Option<&Visit>, deadline_ps: Option<u64>) {
        let class = request.class;
        let latency_ps = request.span_ps(Stage::Issued, Stage::Done);
        let missed = u64::from(deadline_ps.is_some_and(|deadline_ps| latency_ps > deadline_ps));
        let (done, late) = &mut self.requests[class.index()];
        (*done, *late) = (*done + 1, *late + missed);
        let record = &mut self.classes[class.index()];
        record.completed += 1;
        record.missed += missed;
        record.request_bps += u128::from(request.bytes) * u128::from(8 * PS_PER_S) / u128::from(latency_ps.max(1));
        record.add_latency(request, latency_ps);
        let network_ps = match (visit, request.operation) {
            (Some(_), _) => {
                request.span_ps(Stage::Sent, Stage::Arrived) + request.span_ps(Stage::Returned, Stage::Done)
            }
            (None, Operation::Read) => request.span_ps(Stage::Arrived, Stage::Done),
            (None, Operation::Write) => request.span_ps(Stage::Sent, Stage::Done),
        };
        // A request to the host's own storage goes over no network.
        if network_ps > 0 {
            record.network.record_ps(network_ps);
        }
        if let Some(visit) = visit {
            record.device.record_ps(visit.served.at_ps - visit.submitted_ps);
        }
        record.stages[request.operation as usize].record(&metrics::stage_times_ps(request, visit));
        record.host_queue.record_ps(request.span_ps(Stage::Issued, Stage::Sent));
    }

    /// A connection of limited requests has delivered its last one.
    pub fn on_flow_end(&mut self, flow: FlowId, after_ps: u64) {
        self.flows[flow.index()].completion_ps = Some(after_ps);
    }

    /// The quality factor of a class was renewed.
    pub fn on_quality(&mut self, class: ClassId, factor: f64) {
        let quality = &mut self.classes[class.index()].quality;
        *quality = match *quality {
            (_, _, _, 0) => (factor, factor, factor, 1),
            (sum, least, greatest, n) => (sum + factor, least.min(factor), greatest.max(factor), n + 1),
        };
    }

    /// Mixes all that was recorded into a digest.
    pub fn digest(&self, digest: &mut Digest) {
        self.digest_of_requests(digest);
        self.flow_rows.iter().for_each(|&number| digest.number(number));
        self.rows.iter().for_each(|&number| digest.number(number));
    }

    /// Mixes what became of the requests into a digest.
    pub fn digest_of_requests(&self, digest: &mut Digest) {
        for record in &self.classes {
            record.latency().digest(digest);
            record.reads().into_iter().for_each(|reads| reads.digest(digest));
            record.network.digest(digest);
            if record.device.count() > 0 {
                record.device.digest(digest);
                record.stages.iter().for_each(|stages| stages.digest(digest));
            }
            [record.issued, record.completed, record.missed, record.turned_away]
                .into_iter()
                .for_each(|word| digest.word(word));
            [record.request_bps, record.offered_bytes].into_iter().for_each(|word| digest.wide(word));
        }
    }
}

impl Measurement {
    /// Whether a sample is due.
    pub fn is_sample_due(&self, now_ps: u64) -> bool {
        self.next_sample_ps <= now_ps
    }

    /// The instant of [`Self::next_ps`] has come: the end of the warm-up, a sample, or both. `queue` tells the queue of the
    /// bottleneck since the last sample if one is due.
    pub(super) fn look(&mut self, at: Readings, queue: Option<QueueRange>) {
        if !self.warm && self.warmup_ps <= at.now_ps {
            self.end_warmup(at);
        }
        if let Some(queue) = queue {
            self.add_row(at, queue);
            self.add_flow_row(at);
            self.devices.look(at.storage, at.now_ps);
            let utilisation = metrics::position(&metrics::NETWORK, &metrics::UTILISATION);
            let row = self.rows.len() - self.columns;
            let loads = self.devices.last().map(|(device, held, busy)| at.device_load(device, held, busy));
            self.pressure.sample(self.rows[row + utilisation], loads);
            self.next_sample_ps += self.period_ps;
        }
    }

    fn end_warmup(&mut self, at: Readings) {
        let classes = || (0..self.classes.len()).map(ClassId::at);
        self.port_at_warmup = PortReading::of(at.bottleneck(), at.now_ps);
        self.pauses_at_warmup = at.network.pauses();
        self.paused_ps_at_warmup = at.network.paused_ps(at.now_ps);
        self.notifications_at_warmup = classes().map(|class| at.notifications(class)).collect();
        self.packets_at_warmup = classes().map(|class| at.packets_sent(class)).collect();
        self.target_bits_at_warmup = at.control.classes.iter().map(|class| class.target_bits_at(at.now_ps)).collect();
        let kept = at.storage.kept();
        for (class, record) in self.classes.iter_mut().enumerate() {
            let local_before = at.access.local_bytes(ClassId::at(class));
            let kept_before = kept.get(class).copied().unwrap_or_default();
            *record = ClassRecord { local_before, kept_before, ..ClassRecord::default() };
        }
        for (flow, record) in self.flows.iter_mut().enumerate() {
            record.delivered_before = at.payload_delivered(FlowId::at(flow));
        }
        self.devices.end_warmup(at.storage);
        // The longest queue is looked for from here on.
        self.max_queue = at.bottleneck().queue_packets(at.now_ps);
        self.warm = true;
    }

    fn add_row(&mut self, at: Readings, queue: QueueRange) {
        let elapsed_ps = at.now_ps - self.last_sample_ps;
        let port = PortReading::of(at.bottleneck(), at.now_ps);
        let (pauses, paused_ps) = (at.network.pauses().sent, at.network.paused_ps(at.now_ps));
        self.max_queue = self.max_queue.max(queue.maximum);
        let sample = NetworkSample {
            at_ps: at.now_ps,
            elapsed_ps,
            queue,
            before: std::mem::replace(&mut self.port_at_sample, port),
            port,
            pauses: pauses - self.pauses_at_sample,
            paused_ps: paused_ps - self.paused_ps_at_sample,
        };
        self.rows.extend(metrics::NETWORK.map(|metric| (metric.read)(&sample)));
        (self.pauses_at_sample, self.paused_ps_at_sample) = (pauses, paused_ps);
        self.samples += u64::from(self.warm);
        (0..self.classes.len()).for_each(|class| self.add_class(ClassId::at(class), elapsed_ps, at));
        self.last_sample_ps = at.now_ps;
    }

    fn add_class(&mut self, class: ClassId, elapsed_ps: u64, at: Readings) {
        let states: Vec<ConnectionState> = at.flows(class).map(|flow| at.connection_state(flow)).collect();
        let delivered: u64 = at.class_delivered(class);
        let notifications: u64 = states.iter().map(|state| state.notifications).sum();
        if self.warm {
            for (flow, state) in at.flows(class).zip(&states) {
                self.flows[flow.index()].add(state);
            }
        }
        // Where every request is a flow of its own, most connections are idle, and say nothing of those that are not.
        let per_request = at.flows(class).any(|flow| at.plan.is_per_request(flow));
        let telling: Vec<ConnectionState> = states.into_iter().filter(|state| state.active || !per_request).collect();
        let (state, has_target) =
            (&at.control.classes[class.index()], at.scenario.classes[class.index()].latency_target_us.is_some());
        let class = class.index();
        let (done, late) = self.requests[class];
        let (done_before, late_before) = std::mem::replace(&mut self.requests_at_sample[class], (done, late));
        let sample = ClassSample {
            elapsed_ps,
            delivered_bytes: delivered - self.delivered_at_sample[class],
            offered_bytes: self.offered_bytes[class] - self.offered_at_sample[class],
            target_bps: state.target_bps,
            quality: state.quality,
            connections: &telling,
            notifications: notifications - self.notifications_at_sample[class],
            requests: done - done_before,
            late: has_target.then_some(late - late_before),
        };
        self.rows.extend(metrics::CLASS.map(|metric| (metric.read)(&sample)));
        self.classes[class].backlog.sample(self.offered_bytes[class] as f64 - delivered as f64);
        self.delivered_at_sample[class] = delivered;
        self.offered_at_sample[class] = self.offered_bytes[class];
        self.notifications_at_sample[class] = notifications;
    }

    fn add_flow_row(&mut self, at: Readings) {
        let elapsed_ps = self.period_ps;
        for (flow, before) in self.flows_at_sample.iter_mut().enumerate() {
            let flow = FlowId::at(flow);
            let (state, delivered) = (at.connection_state(flow), at.payload_delivered(flow));
            let class = at.connections.class(flow).index();
            let factor =
                at.control.shares()[at.connections.share_number(flow)].quality_for(&at.connections.sender(flow).rate);
            let known = at.control.classes[class].quality.is_some() && state.active;
            let before = std::mem::replace(before, (delivered, state.notifications));
            let sample = ConnectionSample {
                elapsed_ps,
                delivered_bytes: delivered - before.0,
                state,
                quality: known.then_some(factor),
                notifications: state.notifications - before.1,
            };
            self.flow_rows.extend(metrics::CONNECTION.map(|metric| (metric.read)(&sample)));
        }
    }
}

impl FlowRecord {
    fn add(&mut self, state: &ConnectionState) {
        self.alpha += state.alpha;
        self.window += state.window_packets;
        if !state.rate_bps.is_nan() {
            self.rate = (self.rate.0 + state.rate_bps, self.rate.1 + 1);
        }
    }
}
