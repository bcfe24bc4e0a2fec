//! What a screen shows of a run as often as wanted: plain numbers.

use serde::Serialize;

use crate::kernel::breakdown::Breakdown;
use crate::kernel::convert::short_float;
use crate::kernel::histogram::LatencyHistogram;
use crate::kernel::ids::{ClassId, FlowId, LinkId};
use crate::kernel::time::{NEVER_PS, PS_PER_US, to_us};
use crate::qos::quality::ClassShare;
use crate::simulation::Simulation;
use crate::simulation::metrics::{self, Figures, Quantity, STAGES};
use crate::simulation::now::now_rows;
use crate::simulation::qos_control::aims_at_latency;
use crate::simulation::summary::{ConvergenceSummary, SLOWEST_SHARE};
use crate::storage::Occupancy;

/// The complementary latency distributions of a class: pairs of microseconds and the share of requests that took longer.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct OperationTails {
    /// Of its reads; empty if it had none.
    pub reads: Vec<(f64, f64)>,
    /// Of its writes; empty if it had none.
    pub writes: Vec<(f64, f64)>,
}

/// Numbers of [`DeviceReadings`] for a device, beside those of its channels and units.
const DEVICE_READINGS: usize = 13;

/// What storage devices held and did between two readings.
#[derive(Clone, Debug, Default)]
pub struct DeviceReadings {
    before: Vec<Occupancy>,
    read_ps: u64,
}

impl DeviceReadings {
    /// For each device: commands that wait in queues of urgent, high, medium and low priority; commands in the device; commands
    /// that high, medium and low may still launch in the round of arbitration; pages in the write cache; free blocks per plane,
    /// the least and the mean; when a write first waited for room in the write cache and when garbage collection first began, in
    /// microseconds, NaN before. Then for each channel the share of the time since the last reading in which it was busy, for each
    /// unit that share, for each unit the part of it for garbage collection, and for each unit the pages that wait for it.
    pub fn read(&mut self, simulation: &Simulation) -> Vec<f32> {
        let now_ps = simulation.now_ps;
        let sampled = &simulation.measurement.devices.devices;
        // Going back to a checkpoint leaves readings from a future that is gone.
        if now_ps < self.read_ps || self.before.len() != sampled.len() {
            *self = Self { before: vec![Occupancy::default(); sampled.len()], read_ps: 0 };
        }
        let elapsed_ps = (now_ps - self.read_ps).max(1) as f64;
        let numbers: usize = sampled.iter().map(|device| DEVICE_READINGS + device.channels + 3 * device.units).sum();
        let mut readings = Vec::with_capacity(numbers);
        for (device, before) in sampled.iter().zip(&mut self.before) {
            let mut now = Occupancy::default();
            simulation.storage.devices(device.node)[device.number].occupancy(now_ps, &mut now);
            readings.extend(now.waiting.map(|count| count as f32));
            readings.push(now.in_device as f32);
            readings.extend(now.credits.map(|count| count as f32));
            readings.extend([now.cached_pages as f32, now.free_blocks_min as f32, now.free_blocks_mean]);
            let instants = [now.cache_full_ps, now.collects_ps];
            readings.extend(instants.map(|ps| if ps == NEVER_PS { f32::NAN } else { short_float(to_us(ps)) }));
            let mut shares = |now: &[u64], before: &[u64]| {
                let before = before.iter().copied().chain(std::iter::repeat(0));
                let share = |(now, before): (&u64, u64)| now.saturating_sub(before) as f64 / elapsed_ps;
                readings.extend(now.iter().zip(before).map(|pair| short_float(share(pair).min(1.0))));
            };
            shares(&now.channel_busy_ps, &before.channel_busy_ps);
            shares(&now.chip_busy_ps, &before.chip_busy_ps);
            shares(&now.chip_gc_ps, &before.chip_gc_ps);
            readings.extend(now.chip_waiting.iter().map(|&count| count as f32));
            *before = now;
        }
        self.read_ps = now_ps;
        readings
    }
}

/// How busy each link was between two readings.
#[derive(Clone, Debug, Default)]
pub struct LinkLoads {
    busy_ps: Vec<u64>,
    paused_ps: Vec<u64>,
    read_ps: u64,
}

impl LinkLoads {
    /// Three numbers for each link of the graph: the share of the time since the last reading in which it transmitted, the
    /// packets in its port now, and the share of that time in which a pause held it.
    pub fn read(&mut self, simulation: &Simulation) -> Vec<f32> {
        let now_ps = simulation.now_ps;
        let links = simulation.plan.graph.wires().len();
        self.busy_ps.resize(links, 0);
        self.paused_ps.resize(links, 0);
        // Going back to a checkpoint leaves readings from a future that is gone.
        if now_ps < self.read_ps {
            *self = Self { busy_ps: vec![0; links], paused_ps: vec![0; links], read_ps: 0 };
        }
        let elapsed_ps = (now_ps - self.read_ps).max(1);
        let share =
            |after: u64, before: u64| short_float((after.saturating_sub(before) as f64 / elapsed_ps as f64).min(1.0));
        let mut loads = Vec::with_capacity(3 * links);
        for (number, (busy_before, paused_before)) in self.busy_ps.iter_mut().zip(&mut self.paused_ps).enumerate() {
            let port = simulation.network.port(LinkId::at(number));
            let (busy_ps, paused_ps, packets) =
                (port.busy_ps(now_ps), port.paused_ps(now_ps), port.queue_packets(now_ps));
            loads.extend([share(busy_ps, *busy_before), packets as f32, share(paused_ps, *paused_before)]);
            (*busy_before, *paused_before) = (busy_ps, paused_ps);
        }
        self.read_ps = now_ps;
        loads
    }
}

impl Simulation {
    /// Rows of the series from row `from` on, one after the other; the columns are named in [`layout`].
    pub fn samples(&self, from: usize) -> &[f64] {
        self.measurement.rows_from(from)
    }

    /// As [`Self::samples`], of the connections that are sampled one by one.
    pub fn flow_samples(&self, from: usize) -> &[f64] {
        self.measurement.flow_rows_from(from)
    }

    /// As [`Self::samples`], of the devices: [`metrics::DEVICE`] for each, and where its units are sampled one by one the
    /// share of the time that each was busy, and of that for garbage collection.
    pub fn device_samples(&self, from: usize) -> &[f32] {
        self.measurement.devices.rows_from(from)
    }

    /// Where the time of requests went, in microseconds: for every class, for reads, for writes and for both together, the mean
    /// of every stage over all requests since the warm-up and over the slowest hundredth; and after each pair of those how many
    /// there were. Not-a-number where there were none.
    pub fn stages(&self) -> Vec<f32> {
        let of = |stages: &Breakdown<STAGES>| {
            let us = |ps: Option<[f64; STAGES]>| {
                ps.map_or([f32::NAN; STAGES], |ps| ps.map(|ps| short_float(ps / PS_PER_US as f64)))
            };
            let (mean, slowest) = (us(stages.mean_ps()), us(stages.slowest_ps(SLOWEST_SHARE)));
            mean.into_iter().chain(slowest).chain([stages.count() as f32]).collect::<Vec<f32>>()
        };
        let of_class =
            |[reads, writes]: &[Breakdown<STAGES>; 2]| [of(reads), of(writes), of(&reads.with(writes))].concat();
        self.measurement.classes.iter().flat_map(|record| of_class(&record.stages)).collect()
    }

    /// Where data goes while cables are down: connections, by number, that leave the path of [`layout`], and the links of the one
    /// they take; none where no path is left.
    pub fn detoured(&self) -> Vec<(u32, Vec<u32>)> {
        let data_flows = (0..self.plan.data_flows).map(FlowId::at);
        let numbers = |path: &[LinkId]| path.iter().map(|link| link.0).collect();
        let detour = |flow: FlowId| match self.detours.data(&self.plan, flow) {
            _ if self.detours.cuts_off(flow) => Some((flow.0, Vec::new())),
            path if *path == *self.plan.flows[flow.index()].data => None,
            path => Some((flow.0, numbers(path))),
        };
        if self.detours.is_empty() { Vec::new() } else { data_flows.filter_map(detour).collect() }
    }

    /// Links that hold each other up for ever, by number, and when that was noticed; none as long as none do, and none again
    /// when pauses were switched off.
    pub fn deadlock(&self) -> Option<(f64, Vec<u32>)> {
        let noticed_ps = self.deadlock.as_ref()?.at_ps;
        let links = self.network.deadlock(noticed_ps);
        (!links.is_empty()).then(|| (to_us(noticed_ps), links.into_iter().map(|link| link.0).collect()))
    }

    /// How the quality factor of a class came near 1, went away from it and came back: the first 64 such events.
    pub fn convergence(&self, class: usize) -> Vec<ConvergenceSummary> {
        self.control.classes[class].convergence.events().iter().map(ConvergenceSummary::from).collect()
    }

    /// Figures of every class, one row of [`metrics::FIGURES`] after the other.
    pub fn figures(&self) -> Vec<f64> {
        (0..self.control.classes.len())
            .flat_map(|class| {
                let figures = Figures::of(self, class);
                metrics::FIGURES.map(|metric| (metric.read)(&figures))
            })
            .collect()
    }

    /// Mean of a quantity of a class over the last rows, those of "now".
    pub(super) fn recent(&self, class: usize, quantity: &Quantity) -> f64 {
        let (recorder, columns) = (&self.measurement, self.measurement.columns());
        let from = recorder.rows().saturating_sub(now_rows(self));
        let at = metrics::NETWORK.len() + class * metrics::CLASS.len() + metrics::position(&metrics::CLASS, quantity);
        let numbers =
            recorder.rows_from(from).chunks_exact(columns).map(|row| row[at]).filter(|number| !number.is_nan());
        let (sum, count) = numbers.fold((0.0, 0u32), |(sum, count), number| (sum + number, count + 1));
        sum / f64::from(count)
    }

    /// Quality factor of a class over the rows of "now": of the same means that are shown of its target and of what it
    /// carries; of a class that aims at a latency the mean of the factor itself.
    pub(super) fn recent_quality(&self, class: usize) -> f64 {
        if aims_at_latency(&self.current.classes[class]) {
            return self.recent(class, &metrics::QUALITY_FACTOR);
        }
        let (target, carried) = (self.recent(class, &metrics::TARGET), self.recent(class, &metrics::GOODPUT));
        if target > 0.0 { ClassShare::quality(target, carried) } else { f64::NAN }
    }

    /// Mean smoothed round trip of the connections of a class; without queues, before any is measured.
    pub(super) fn class_rtt_us(&self, class: ClassId) -> f64 {
        let flows = &self.plan.flows_of_class[class.index()];
        let samples = flows.iter().map(|&flow| self.connections.sender(FlowId(flow)).rtt.smoothed_ps());
        let (sum, count) = samples.filter(|&ps| ps > 0).fold((0, 0u64), |(sum, count), ps| (sum + ps, count + 1));
        to_us(sum.checked_div(count).unwrap_or(self.settings.class_rtt_ps[class.index()]))
    }

    /// The complementary distribution of request latency of a class: pairs of microseconds and the share that took
    /// longer, at most about `points` of them.
    pub fn latency_tail(&self, class: usize, points: usize) -> Vec<(f64, f64)> {
        self.measurement.classes.get(class).map_or_else(Vec::new, |record| record.latency().tail(points))
    }

    /// As [`Self::latency_tail`], by class, of its reads and of its writes alone; empty if it had none.
    pub fn operation_tails(&self, points: usize) -> Vec<OperationTails> {
        let tail = |latency: Option<&LatencyHistogram>| latency.map(|latency| latency.tail(points)).unwrap_or_default();
        let classes = self.measurement.classes.iter();
        classes.map(|record| OperationTails { reads: tail(record.reads()), writes: tail(record.writes()) }).collect()
    }

    /// As [`Self::latency_tail`], of the time that requests spent in devices: from the submission queue to the completion.
    pub fn device_latency_tail(&self, class: usize, points: usize) -> Vec<(f64, f64)> {
        self.measurement.classes.get(class).map_or_else(Vec::new, |record| record.device.tail(points))
    }
}
