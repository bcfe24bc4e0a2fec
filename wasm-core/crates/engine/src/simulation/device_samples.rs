//! What is sampled of storage devices over time: queues, free blocks, write amplification, and how busy their units were.

use crate::kernel::convert::short_float;
use crate::kernel::ids::NodeId;
use crate::scenario::size::{DEVICE_COLUMNS, UNITS_SAMPLED};
use crate::simulation::metrics::{DEVICE, DeviceSample};
use crate::storage::{Counters, Occupancy, Storage};

// The memory of a run is estimated with that many.
const _: () = assert!(DEVICE.len() <= DEVICE_COLUMNS);

/// A device that is sampled.
#[derive(Clone, Debug)]
pub struct SampledDevice {
    /// Its node.
    pub node: NodeId,
    /// Its number there.
    pub number: usize,
    /// Its channels.
    pub channels: usize,
    /// Its units.
    pub units: usize,
    /// Whether its units are sampled one by one.
    pub by_unit: bool,
}

impl SampledDevice {
    /// Columns that it has in a row.
    fn columns(&self) -> usize {
        DEVICE.len() + if self.by_unit { 2 * self.units } else { 0 }
    }
}

/// The samples of all devices so far. A row has for each device the metrics of [`DEVICE`], and where its units are sampled
/// the share of the time that each was busy, and of that with garbage collection.
#[derive(Clone, Debug, Default)]
pub struct DeviceSamples {
    /// The devices, in the order of the columns.
    pub devices: Vec<SampledDevice>,
    before: Vec<Occupancy>,
    /// By device: its counts at the end of the warm-up.
    at_warmup: Vec<Counters>,
    now: Occupancy,
    /// By device: the share of the last sample in which its channels or its units were busy, whichever were busier.
    busy: Vec<f64>,
    rows: Vec<f32>,
    columns: usize,
    at_ps: u64,
}

impl DeviceSamples {
    /// Of devices in which nothing has happened.
    pub fn new(storage: &Storage) -> Self {
        let mut samples = Self::default();
        let mut units_left = UNITS_SAMPLED;
        for (node, number, device) in storage.all_devices() {
            let mut occupancy = Occupancy::default();
            device.occupancy(0, &mut occupancy);
            let (channels, units) = (occupancy.channel_busy_ps.len(), occupancy.chip_busy_ps.len());
            let by_unit = units <= units_left;
            units_left -= if by_unit { units } else { 0 };
            let sampled = SampledDevice { node, number, channels, units, by_unit };
            samples.columns += sampled.columns();
            samples.devices.push(sampled);
            samples.before.push(occupancy);
            samples.at_warmup.push(Counters::default());
            samples.busy.push(0.0);
        }
        samples
    }

    /// The warm-up ends.
    pub fn end_warmup(&mut self, storage: &Storage) {
        for (sampled, counters) in self.devices.iter().zip(&mut self.at_warmup) {
            *counters = storage.devices(sampled.node)[sampled.number].counters().clone();
        }
    }

    /// The devices, each with what it has counted since the end of the warm-up.
    pub fn counted<'a>(&'a self, storage: &'a Storage) -> impl Iterator<Item = (&'a SampledDevice, Counters)> {
        self.devices
            .iter()
            .zip(&self.at_warmup)
            .map(|(sampled, before)| (sampled, storage.devices(sampled.node)[sampled.number].counters().since(before)))
    }

    /// Takes a sample.
    pub fn look(&mut self, storage: &Storage, now_ps: u64) {
        let elapsed_ps = (now_ps - self.at_ps).max(1);
        for ((sampled, before), busy) in self.devices.iter().zip(&mut self.before).zip(&mut self.busy) {
            let device = &storage.devices(sampled.node)[sampled.number];
            device.occupancy(now_ps, &mut self.now);
            let sample = DeviceSample { elapsed_ps, before, now: &self.now, counters: device.counters() };
            self.rows.extend(DEVICE.map(|metric| short_float((metric.read)(&sample))));
            *busy = sample.busy();
            if sampled.by_unit {
                let share = |now: &[u64], before: &[u64]| {
                    let share = |(now, before): (&u64, &u64)| {
                        short_float((now.saturating_sub(*before) as f64 / elapsed_ps as f64).min(1.0))
                    };
                    now.iter().zip(before).map(share).collect::<Vec<f32>>()
                };
                self.rows.extend(share(&self.now.chip_busy_ps, &before.chip_busy_ps));
                self.rows.extend(share(&self.now.chip_gc_ps, &before.chip_gc_ps));
            }
            std::mem::swap(before, &mut self.now);
        }
        self.at_ps = now_ps;
    }

    /// Of every device: what it held when the last sample was taken, and the share of that sample in which it was busy.
    pub fn last(&self) -> impl Iterator<Item = (&SampledDevice, &Occupancy, f64)> {
        self.devices.iter().zip(&self.before).zip(&self.busy).map(|((device, held), &busy)| (device, held, busy))
    }

    /// Rows from row `from` on, one after the other.
    pub fn rows_from(&self, from: usize) -> &[f32] {
        self.rows.get(from * self.columns..).unwrap_or(&[])
    }

    /// Memory that the rows take.
    pub fn bytes(&self) -> u64 {
        4 * self.rows.len() as u64
    }
}
