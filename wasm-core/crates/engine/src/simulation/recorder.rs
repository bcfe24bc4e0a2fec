//! What is measured while a run goes on: the series, the latencies, and the state at the end of the warm-up.

use crate::kernel::digest::Digest;
use crate::kernel::histogram::LatencyHistogram;
use crate::kernel::ids::{ClassId, FlowId};
use crate::kernel::time::{NEVER_PS, from_us, gbps, to_us};
use crate::network::link::{Link, PortCounters};
use crate::scenario::document::Scenario;
use crate::simulation::Simulation;
use crate::simulation::plan::NetworkSettings;
use crate::transport::messages::Completion;

/// Most samples of a run whose scenario does not state a sample period.
const SAMPLES: u64 = 1000;
/// Fewest samples of such a run.
const FEWEST_SAMPLES: u64 = 120;

/// Columns of a sample that concern the bottleneck port.
pub const PORT_COLUMNS: [&str; 6] =
    ["timeUs", "queueMinimum", "queueMaximum", "queueMean", "markedFraction", "utilisation"];
/// Columns of a sample that concern a class, repeated for each.
pub const CLASS_COLUMNS: [&str; 7] =
    ["goodputGbps", "offeredGbps", "targetGbps", "qualityFactor", "alpha", "windowPackets", "rttUs"];

/// Readings of the bottleneck port at an instant, to be compared with later ones.
#[derive(Clone, Copy, Debug, Default)]
pub struct PortReading {
    /// Packets, marks and drops so far.
    pub counters: PortCounters,
    /// Time the port has transmitted.
    pub busy_ps: u64,
    /// Time all packets together have spent in the port.
    pub sojourned_ps: u64,
}

impl PortReading {
    /// Reads a port.
    pub fn of(link: &mut Link, now_ps: u64) -> Self {
        Self { counters: link.counters(), busy_ps: link.busy_ps(now_ps), sojourned_ps: link.sojourned_ps(now_ps) }
    }
}

/// Latencies and counts of one class since the end of the warm-up.
#[derive(Clone, Debug, Default)]
pub struct ClassRecord {
    /// From the hand-over of a request to its last byte delivered.
    pub latency: LatencyHistogram,
    /// The part of it from the first byte sent on.
    pub network: LatencyHistogram,
    /// The part of it before the first byte is sent.
    pub host_queue: LatencyHistogram,
    /// Requests handed over.
    pub issued: u64,
    /// Requests delivered.
    pub completed: u64,
    /// Bytes handed over.
    pub offered_bytes: u64,
    /// Quality factors: sum, least, greatest, number.
    pub quality: (f64, f64, f64, u64),
}

/// Sums over one connection since the end of the warm-up.
#[derive(Clone, Copy, Debug, Default)]
pub struct FlowRecord {
    /// Sum of α over the samples.
    pub alpha: f64,
    /// Sum of the window over the samples, in packets.
    pub window: f64,
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
    /// Longest queue of the bottleneck seen in the samples since the end of the warm-up, in packets.
    pub(super) longest_queue: u32,
    port_at_sample: PortReading,
    delivered_at_sample: Vec<u64>,
    offered_at_sample: Vec<u64>,
    offered_bytes: Vec<u64>,
    last_sample_ps: u64,
}

/// Sample period of a run whose scenario does not state one: about two round trips with the queue at K, because a window
/// travels in bursts and what is delivered within less says little; but no more than [`SAMPLES`] samples in a run, and no
/// fewer than [`FEWEST_SAMPLES`].
fn automatic_period_ps(scenario: &Scenario, settings: &NetworkSettings, duration_ps: u64) -> u64 {
    let full_bytes = u64::from(scenario.host.mtu_bytes + scenario.topology.frame_overhead_bytes);
    let queue_bytes = u64::from(scenario.switch.ecn_threshold_packets) * full_bytes;
    let queue_us = queue_bytes as f64 * 8.0 / (scenario.topology.link_gbps * 1000.0);
    let two_rtts_ps = 2 * (settings.base_rtt_ps + from_us(queue_us));
    two_rtts_ps.min(duration_ps / FEWEST_SAMPLES).max(duration_ps / SAMPLES)
}

impl Recorder {
    /// A recorder that has seen nothing.
    pub fn new(scenario: &Scenario, settings: &NetworkSettings, flows: usize) -> Self {
        let duration_ps = from_us(scenario.duration_us);
        let measurement = &scenario.measurement;
        let classes = scenario.classes.len();
        let period_ps = measurement
            .sample_period_us
            .map_or_else(|| automatic_period_ps(scenario, settings, duration_ps), from_us)
            .max(1);
        Self {
            period_ps,
            next_sample_ps: period_ps,
            warmup_ps: measurement.warmup_us.map_or(duration_ps / 5, from_us),
            warm: false,
            rows: Vec::new(),
            columns: PORT_COLUMNS.len() + classes * CLASS_COLUMNS.len(),
            classes: vec![ClassRecord::default(); classes],
            flows: vec![FlowRecord::default(); flows],
            samples: 0,
            port_at_warmup: PortReading::default(),
            longest_queue: 0,
            port_at_sample: PortReading::default(),
            delivered_at_sample: vec![0; classes],
            offered_at_sample: vec![0; classes],
            offered_bytes: vec![0; classes],
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
        record.offered_bytes += bytes;
        self.offered_bytes[class.index()] += bytes;
    }

    /// A request was delivered.
    pub fn on_completion(&mut self, class: ClassId, completion: Completion) {
        let record = &mut self.classes[class.index()];
        record.completed += 1;
        record.latency.record_ps(completion.delivered_ps - completion.queued_ps);
        record.network.record_ps(completion.delivered_ps - completion.first_sent_ps);
        record.host_queue.record_ps(completion.first_sent_ps - completion.queued_ps);
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
            record.network.digest(digest);
            [record.issued, record.completed, record.offered_bytes].into_iter().for_each(|word| digest.word(word));
        }
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
            self.add_row();
            self.recorder.next_sample_ps += self.recorder.period_ps;
        }
    }

    fn end_warmup(&mut self) {
        let bottleneck = self.fabric.link_mut(self.plan.bottleneck);
        self.recorder.port_at_warmup = PortReading::of(bottleneck, self.now_ps);
        let bottleneck_queue = bottleneck.queue_packets(self.now_ps);
        for record in &mut self.recorder.classes {
            record.latency.clear();
            record.network.clear();
            record.host_queue.clear();
            (record.issued, record.completed, record.offered_bytes) = (0, 0, 0);
            record.quality = (0.0, 0.0, 0.0, 0);
        }
        for (flow, record) in self.recorder.flows.iter_mut().enumerate() {
            record.delivered_before = self.connections.receiver(FlowId(flow as u32)).next;
        }
        // The longest queue is looked for from here on.
        self.recorder.longest_queue = bottleneck_queue;
        self.recorder.warm = true;
    }

    fn add_row(&mut self) {
        let now_ps = self.now_ps;
        let recorder = &mut self.recorder;
        let elapsed_ps = now_ps - recorder.last_sample_ps;
        let bottleneck = self.fabric.link_mut(self.plan.bottleneck);
        let range = bottleneck.take_queue_range(now_ps);
        recorder.longest_queue = recorder.longest_queue.max(range.maximum);
        let port = PortReading::of(bottleneck, now_ps);
        let before = std::mem::replace(&mut recorder.port_at_sample, port);
        let share = |part: u64, whole: u64| part as f64 / whole as f64;
        recorder.rows.extend([
            to_us(now_ps),
            f64::from(range.minimum),
            f64::from(range.maximum),
            share(port.sojourned_ps - before.sojourned_ps, elapsed_ps),
            share(port.counters.marks - before.counters.marks, port.counters.packets - before.counters.packets),
            share(port.busy_ps - before.busy_ps, elapsed_ps),
        ]);
        recorder.samples += u64::from(recorder.warm);
        for (class, state) in self.classes.iter().enumerate() {
            let flows = &self.plan.flows_of_class[class];
            let (mut delivered, mut alpha, mut window, mut rtt_ps, mut timed) = (0, 0.0, 0.0, 0, 0u64);
            for &flow in flows {
                let sender = self.connections.sender(FlowId(flow));
                delivered += self.connections.receiver(FlowId(flow)).next;
                alpha += sender.controller.alpha();
                window += sender.window.packets;
                rtt_ps += sender.rtt.smoothed_ps();
                timed += u64::from(sender.rtt.smoothed_ps() > 0);
                if recorder.warm {
                    let record = &mut recorder.flows[flow as usize];
                    record.alpha += sender.controller.alpha();
                    record.window += sender.window.packets;
                }
            }
            let offered = recorder.offered_bytes[class];
            recorder.rows.extend([
                gbps(delivered - recorder.delivered_at_sample[class], elapsed_ps),
                gbps(offered - recorder.offered_at_sample[class], elapsed_ps),
                state.target_bps / 1e9,
                state.quality.unwrap_or(f64::NAN),
                alpha / flows.len() as f64,
                window / flows.len() as f64,
                if timed > 0 { to_us(rtt_ps) / timed as f64 } else { f64::NAN },
            ]);
            recorder.delivered_at_sample[class] = delivered;
            recorder.offered_at_sample[class] = offered;
        }
        recorder.last_sample_ps = now_ps;
    }
}
