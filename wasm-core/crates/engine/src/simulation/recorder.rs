//! What is measured while a run goes on: the series, the latencies, and the state at the end of the warm-up.

use std::sync::Arc;

use crate::access::{Operation, Request, Stage};
use crate::kernel::digest::Digest;
use crate::kernel::histogram::LatencyHistogram;
use crate::kernel::ids::{ClassId, FlowId};
use crate::kernel::time::{NEVER_PS, PS_PER_S, PS_PER_US, from_us};
use crate::network::link::PortCounters;
use crate::network::port::Port;
use crate::network::ports::PauseCounters;
use crate::qos::backlog::BacklogTrend;
use crate::scenario::document::Scenario;
use crate::simulation::connection::ConnectionState;
use crate::simulation::metrics::{self, ClassSample, ConnectionSample, NetworkSample};
use crate::simulation::plan::NetworkSettings;
use crate::simulation::{Deadlock, Simulation};

/// Most samples of a run whose scenario does not state a sample period.
const SAMPLES: u64 = 1000;
/// Fewest samples of such a run.
const FEWEST_SAMPLES: u64 = 120;

/// Time for which links must have held each other up to count as deadlocked: far longer than any buffer takes to drain.
const DEADLOCK_PS: u64 = 2000 * PS_PER_US;

/// Connections that are sampled one by one.
pub const FLOWS_SAMPLED: usize = 24;

/// Readings of the bottleneck port at an instant, to be compared with later ones.
#[derive(Clone, Copy, Debug, Default)]
pub struct PortReading {
    /// Packets, marks and drops so far.
    pub counters: PortCounters,
    /// Time the port has transmitted.
    pub busy_ps: u64,
    /// Time all packets together have spent in the port.
    pub sojourned_ps: u128,
}

impl PortReading {
    /// Reads a port.
    pub fn of(port: Port, now_ps: u64) -> Self {
        Self { counters: port.counters(), busy_ps: port.busy_ps(now_ps), sojourned_ps: port.sojourned_ps(now_ps) }
    }
}

/// Data packets sent.
#[derive(Clone, Copy, Debug, Default)]
pub struct SentPackets {
    /// All of them.
    pub all: u64,
    /// Of them, those that had been sent before.
    pub again: u64,
}

impl SentPackets {
    /// What has been sent since `before`.
    pub fn since(self, before: Self) -> Self {
        Self { all: self.all - before.all, again: self.again - before.again }
    }

    /// Both together.
    pub fn and(self, other: Self) -> Self {
        Self { all: self.all + other.all, again: self.again + other.again }
    }

    /// Share of retransmissions; none if nothing was sent.
    pub fn retransmitted_fraction(self) -> Option<f64> {
        (self.all > 0).then(|| self.again as f64 / self.all as f64)
    }
}

/// Latencies and counts of one class since the end of the warm-up.
#[derive(Clone, Debug, Default)]
pub struct ClassRecord {
    /// From the hand-over of a request to its last byte delivered.
    pub latency: LatencyHistogram,
    /// The same of reads and of writes, once there are both.
    by_operation: Option<Box<ByOperation>>,
    /// The part of it from the first byte sent on.
    pub network: LatencyHistogram,
    /// The part of it before the first byte is sent.
    pub host_queue: LatencyHistogram,
    /// Requests handed over.
    pub issued: u64,
    /// Requests delivered.
    pub completed: u64,
    /// Requests turned away because too many were waiting.
    pub turned_away: u64,
    /// Of those delivered, those that took longer than the latency target.
    pub missed: u64,
    /// Sum of the throughputs of the requests, each its size over its latency, in bits per second.
    pub request_bps: u128,
    /// Bytes handed over.
    pub offered_bytes: u128,
    /// How much of what was handed over since the start of the run was not delivered at the samples.
    pub backlog: BacklogTrend,
    /// Quality factors: sum, least, greatest, number.
    pub quality: (f64, f64, f64, u64),
}

/// Latencies of reads and of writes.
#[derive(Clone, Debug, Default)]
struct ByOperation {
    reads: LatencyHistogram,
    writes: LatencyHistogram,
}

impl ClassRecord {
    fn add_latency(&mut self, operation: Operation, latency_ps: u64) {
        if operation == Operation::Read && self.by_operation.is_none() {
            let writes = self.latency.clone();
            self.by_operation = Some(Box::new(ByOperation { reads: LatencyHistogram::default(), writes }));
        }
        self.latency.record_ps(latency_ps);
        match (&mut self.by_operation, operation) {
            (Some(by_operation), Operation::Read) => by_operation.reads.record_ps(latency_ps),
            (Some(by_operation), Operation::Write) => by_operation.writes.record_ps(latency_ps),
            (None, _) => {}
        }
    }

    /// Latency of reads; none if there were none.
    pub fn reads(&self) -> Option<&LatencyHistogram> {
        self.by_operation.as_ref().map(|by_operation| &by_operation.reads)
    }

    /// Latency of writes; none if there were none.
    pub fn writes(&self) -> Option<&LatencyHistogram> {
        let writes = self.by_operation.as_ref().map_or(&self.latency, |by_operation| &by_operation.writes);
        (writes.count() > 0).then_some(writes)
    }

    /// Whether the class is offered more than it carries for good: its backlog grows, or has come to what a run may hold.
    pub fn backlog_grows(&self) -> bool {
        self.turned_away > 0 || self.backlog.grows(self.offered_bytes as f64)
    }
}

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
pub struct Recorder {
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
    pub(super) longest_queue: u32,
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
/// fewer than [`FEWEST_SAMPLES`].
fn automatic_period_ps(scenario: &Scenario, settings: &NetworkSettings) -> u64 {
    let duration_ps = from_us(scenario.duration_us);
    let full_bytes = u64::from(scenario.host.mtu_bytes + scenario.topology.frame_overhead_bytes);
    let queue_bytes = u64::from(scenario.switch.ecn_threshold_packets) * full_bytes;
    let queue_us = queue_bytes as f64 * 8.0 / (scenario.topology.link_gbps * 1000.0);
    let two_rtts_ps = 2 * (settings.base_rtt_ps + from_us(queue_us));
    two_rtts_ps.min(duration_ps / FEWEST_SAMPLES).max(duration_ps / SAMPLES)
}

impl Recorder {
    /// A recorder that has seen nothing.
    pub fn new(scenario: &Scenario, settings: &NetworkSettings, flows: usize) -> Self {
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
            longest_queue: 0,
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
        }
    }

    /// When the recorder next wants to look at the world.
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
        8 * (self.rows.len() + self.flow_rows.len()) as u64
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
    pub fn on_done(&mut self, request: &Request, deadline_ps: Option<u64>) {
        let class = request.class;
        let latency_ps = request.span_ps(Stage::Issued, Stage::Done);
        let missed = u64::from(deadline_ps.is_some_and(|deadline_ps| latency_ps > deadline_ps));
        let (done, late) = &mut self.requests[class.index()];
        (*done, *late) = (*done + 1, *late + missed);
        let record = &mut self.classes[class.index()];
        record.completed += 1;
        record.missed += missed;
        record.request_bps += u128::from(request.bytes) * u128::from(8 * PS_PER_S) / u128::from(latency_ps.max(1));
        record.add_latency(request.operation, latency_ps);
        record.network.record_ps(request.span_ps(Stage::Sent, Stage::Done));
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
        for record in &self.classes {
            record.latency.digest(digest);
            record.reads().into_iter().for_each(|reads| reads.digest(digest));
            record.network.digest(digest);
            [record.issued, record.completed, record.missed, record.turned_away]
                .into_iter()
                .for_each(|word| digest.word(word));
            [record.request_bps, record.offered_bytes].into_iter().for_each(|word| digest.wide(word));
        }
        self.flow_rows.iter().for_each(|&number| digest.number(number));
        self.rows.iter().for_each(|&number| digest.number(number));
    }
}

impl Simulation {
    /// The recorder's instant has come: the end of the warm-up, a sample, or both.
    pub(super) fn sample(&mut self) {
        if !self.recorder.warm && self.recorder.warmup_ps <= self.now_ps {
            self.end_warmup();
        }
        if self.recorder.next_sample_ps <= self.now_ps {
            self.look_for_deadlock();
            self.add_row();
            self.add_flow_row();
            self.recorder.next_sample_ps += self.recorder.period_ps;
        }
    }

    fn end_warmup(&mut self) {
        let bottleneck = self.plan.bottleneck;
        self.recorder.port_at_warmup = self.read_bottleneck();
        self.recorder.pauses_at_warmup = self.network.pauses();
        self.recorder.paused_ps_at_warmup = self.network.paused_ps(self.now_ps);
        self.recorder.notifications_at_warmup =
            (0..self.classes.len()).map(|class| self.notifications(ClassId::at(class))).collect();
        self.recorder.target_bits_at_warmup =
            self.classes.iter().map(|class| class.target_bits_at(self.now_ps)).collect();
        self.recorder.packets_at_warmup =
            (0..self.classes.len()).map(|class| self.packets_sent(ClassId::at(class))).collect();
        let delivered: Vec<u64> =
            (0..self.plan.data_flows).map(|flow| self.payload_delivered(FlowId::at(flow))).collect();
        let bottleneck_queue = self.network.port(bottleneck).queue_packets(self.now_ps);
        for record in &mut self.recorder.classes {
            record.latency.clear();
            record.by_operation = None;
            record.network.clear();
            record.host_queue.clear();
            (record.issued, record.completed, record.offered_bytes) = (0, 0, 0);
            (record.missed, record.request_bps, record.turned_away) = (0, 0, 0);
            record.quality = (0.0, 0.0, 0.0, 0);
            record.backlog = BacklogTrend::default();
        }
        for (flow, record) in self.recorder.flows.iter_mut().enumerate() {
            record.delivered_before = delivered[flow];
        }
        // The longest queue is looked for from here on.
        self.recorder.longest_queue = bottleneck_queue;
        self.recorder.warm = true;
    }

    /// Payload of requests that a connection has delivered, in bytes.
    pub(super) fn payload_delivered(&self, flow: FlowId) -> u64 {
        self.connections.receiver(flow).next - self.access.command_bytes_delivered(flow)
    }

    fn read_bottleneck(&self) -> PortReading {
        PortReading::of(self.network.port(self.plan.bottleneck), self.now_ps)
    }

    /// Reports of congestion that the connections of a class have received, and how many of them came too late.
    pub(super) fn notifications(&self, class: ClassId) -> (u64, u64) {
        let flows = self.plan.flows_of_class[class.index()].iter().map(|&flow| FlowId(flow));
        flows.fold((0, 0), |(received, late), flow| {
            let state = self.connection_state(flow);
            (received + state.notifications, late + self.connections.pace(flow).late)
        })
    }

    /// Data packets that the connections of a class have sent since the start of the run.
    pub(super) fn packets_sent(&self, class: ClassId) -> SentPackets {
        let senders = self.plan.flows_of_class[class.index()].iter().map(|&flow| self.connections.sender(FlowId(flow)));
        let sent = senders.map(|sender| SentPackets { all: sender.packets, again: sender.retransmissions });
        sent.fold(SentPackets::default(), SentPackets::and)
    }

    /// Links that have held each other up for longer than it takes to drain any buffer will do so for ever.
    fn look_for_deadlock(&mut self) {
        if self.deadlock.is_none() && self.now_ps > DEADLOCK_PS {
            let links = self.network.deadlock(self.now_ps - DEADLOCK_PS);
            self.deadlock = (!links.is_empty()).then_some(Deadlock { at_ps: self.now_ps, links });
        }
    }

    fn add_row(&mut self) {
        let now_ps = self.now_ps;
        let elapsed_ps = now_ps - self.recorder.last_sample_ps;
        let port = self.read_bottleneck();
        let range = self.network.take_queue_range(now_ps, self.plan.bottleneck);
        let (pauses, paused_ps) = (self.network.pauses().sent, self.network.paused_ps(now_ps));
        let recorder = &mut self.recorder;
        recorder.longest_queue = recorder.longest_queue.max(range.maximum);
        let sample = NetworkSample {
            at_ps: now_ps,
            elapsed_ps,
            queue: range,
            before: std::mem::replace(&mut recorder.port_at_sample, port),
            port,
            pauses: pauses - recorder.pauses_at_sample,
            paused_ps: paused_ps - recorder.paused_ps_at_sample,
        };
        recorder.rows.extend(metrics::NETWORK.map(|metric| (metric.read)(&sample)));
        (recorder.pauses_at_sample, recorder.paused_ps_at_sample) = (pauses, paused_ps);
        recorder.samples += u64::from(recorder.warm);
        for class in 0..self.classes.len() {
            self.add_class(class, elapsed_ps);
        }
        self.recorder.last_sample_ps = now_ps;
    }

    fn add_class(&mut self, class: usize, elapsed_ps: u64) {
        let plan = Arc::clone(&self.plan);
        let flows = || plan.flows_of_class[class].iter().map(|&flow| FlowId(flow));
        let states: Vec<ConnectionState> = flows().map(|flow| self.connection_state(flow)).collect();
        let delivered: u64 = flows().map(|flow| self.payload_delivered(flow)).sum();
        let notifications: u64 = states.iter().map(|state| state.notifications).sum();
        let recorder = &mut self.recorder;
        if recorder.warm {
            for (flow, state) in flows().zip(&states) {
                recorder.flows[flow.index()].add(state);
            }
        }
        // In a pool most connections are idle, and say nothing of those that are not.
        let pooled = flows().any(|flow| plan.is_per_request(flow));
        let telling: Vec<ConnectionState> = states.into_iter().filter(|state| state.active || !pooled).collect();
        let (done, late) = recorder.requests[class];
        let (done_before, late_before) = std::mem::replace(&mut recorder.requests_at_sample[class], (done, late));
        let has_target = self.current.classes[class].latency_target_us.is_some();
        let sample = ClassSample {
            elapsed_ps,
            delivered_bytes: delivered - recorder.delivered_at_sample[class],
            offered_bytes: recorder.offered_bytes[class] - recorder.offered_at_sample[class],
            target_bps: self.classes[class].target_bps,
            quality: self.classes[class].quality,
            connections: &telling,
            notifications: notifications - recorder.notifications_at_sample[class],
            requests: done - done_before,
            late: has_target.then_some(late - late_before),
        };
        recorder.rows.extend(metrics::CLASS.map(|metric| (metric.read)(&sample)));
        recorder.classes[class].backlog.sample(recorder.offered_bytes[class] as f64 - delivered as f64);
        recorder.delivered_at_sample[class] = delivered;
        recorder.offered_at_sample[class] = recorder.offered_bytes[class];
        recorder.notifications_at_sample[class] = notifications;
    }

    fn add_flow_row(&mut self) {
        let elapsed_ps = self.recorder.period_ps;
        for flow in 0..self.recorder.flows_at_sample.len() {
            let id = FlowId::at(flow);
            let (state, delivered) = (self.connection_state(id), self.payload_delivered(id));
            let class = self.connections.class(id).index();
            let factor = self.shares[class].quality_for(&self.connections.sender(id).rate);
            let known = self.classes[class].quality.is_some() && state.active;
            let before = std::mem::replace(&mut self.recorder.flows_at_sample[flow], (delivered, state.notifications));
            let sample = ConnectionSample {
                elapsed_ps,
                delivered_bytes: delivered - before.0,
                state,
                quality: known.then_some(factor),
                notifications: state.notifications - before.1,
            };
            self.recorder.flow_rows.extend(metrics::CONNECTION.map(|metric| (metric.read)(&sample)));
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
