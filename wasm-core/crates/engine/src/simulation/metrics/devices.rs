//! Samples of a storage device.

use super::{Average, Chart, Metric, PLAIN, Quantity, Requires};
use crate::storage::{Counters, Occupancy};

/// What a sample of a device is read from.
pub struct DeviceSample<'a> {
    /// Time since the sample before.
    pub elapsed_ps: u64,
    /// The device at that sample.
    pub before: &'a Occupancy,
    /// The device now.
    pub now: &'a Occupancy,
    /// Its counts since the start.
    pub counters: &'a Counters,
}

impl DeviceSample<'_> {
    /// Share of the time that its channels or its units were busy, whichever were busier. Parts that have never worked do not
    /// count: a memory that is only read uses one direction of its channel, a short range of addresses a few dies.
    pub fn busy(&self) -> f64 {
        let of_used = |part: fn(&Occupancy) -> &[u64]| {
            let used = part(self.now).iter().filter(|&&busy_ps| busy_ps > 0).count();
            self.busy_parts(part) / used.max(1) as f64
        };
        of_used(|occupancy| &occupancy.channel_busy_ps).max(of_used(|occupancy| &occupancy.chip_busy_ps))
    }

    /// Mean share of the time that some parts were busy.
    fn mean(&self, part: impl Fn(&Occupancy) -> &[u64]) -> f64 {
        self.busy_parts(&part) / part(self.now).len().max(1) as f64
    }

    /// How many parts were busy, the mean over the time.
    fn busy_parts(&self, part: impl Fn(&Occupancy) -> &[u64]) -> f64 {
        let (now, before) = (part(self.now), part(self.before));
        let busy_ps: u64 = now.iter().zip(before).map(|(now, before)| now.saturating_sub(*before)).sum();
        busy_ps as f64 / self.elapsed_ps as f64
    }
}

/// Reads a sample of a device.
pub type OfDevice = fn(&DeviceSample<'_>) -> f64;

/// Metrics of a device, in the order of the columns.
pub const DEVICE: [Metric<OfDevice>; 12] = [
    Metric { quantity: &WAITING_URGENT, read: |of| f64::from(of.now.waiting[0]) },
    Metric { quantity: &WAITING_HIGH, read: |of| f64::from(of.now.waiting[1]) },
    Metric { quantity: &WAITING_MEDIUM, read: |of| f64::from(of.now.waiting[2]) },
    Metric { quantity: &WAITING_LOW, read: |of| f64::from(of.now.waiting[3]) },
    Metric { quantity: &IN_DEVICE, read: |of| f64::from(of.now.in_device) },
    Metric { quantity: &CHANNELS_BUSY, read: |of| of.mean(|occupancy| &occupancy.channel_busy_ps) },
    Metric { quantity: &DIES_BUSY, read: |of| of.mean(|occupancy| &occupancy.chip_busy_ps) },
    Metric { quantity: &GC_BUSY, read: |of| of.mean(|occupancy| &occupancy.chip_gc_ps) },
    Metric { quantity: &FREE_BLOCKS, read: |of| f64::from(of.now.free_blocks_mean) },
    Metric { quantity: &WRITE_AMPLIFICATION, read: |of| of.counters.write_amplification() },
    Metric { quantity: &PLANES_PER_READ, read: |of| of.counters.planes_per_read().unwrap_or(f64::NAN) },
    Metric { quantity: &PLANES_PER_PROGRAM, read: |of| of.counters.planes_per_program().unwrap_or(f64::NAN) },
];

const OF_DEVICE: Quantity = Quantity { requires: Requires::Devices, average: Average::Mean, ..PLAIN };

const fn waiting(id: &'static str, title: &'static str, sentence: &'static str) -> Quantity {
    Quantity {
        id,
        title,
        unit: "commands",
        sentence,
        chart: Some(Chart { least: 4.0, legend: "commands" }),
        ..OF_DEVICE
    }
}

const WAITING_URGENT: Quantity =
    waiting("waitingUrgent", "Urgent queues", "Commands that wait in submission queues of urgent priority.");
const WAITING_HIGH: Quantity =
    waiting("waitingHigh", "High queues", "Commands that wait in submission queues of high priority.");
const WAITING_MEDIUM: Quantity =
    waiting("waitingMedium", "Medium queues", "Commands that wait in submission queues of medium priority.");
const WAITING_LOW: Quantity =
    waiting("waitingLow", "Low queues", "Commands that wait in submission queues of low priority.");
const IN_DEVICE: Quantity =
    waiting("inDevice", "In device", "Commands that the controller has fetched and not completed.");

const fn share(id: &'static str, title: &'static str, sentence: &'static str) -> Quantity {
    Quantity { id, title, sentence, chart: Some(Chart { least: 1.0, legend: "share of the time" }), ..OF_DEVICE }
}

const CHANNELS_BUSY: Quantity = share(
    "channelsBusy",
    "Channels busy",
    "Share of the time that channels transferred, the mean over all of them; of memory, over its two directions.",
);
const DIES_BUSY: Quantity = share(
    "diesBusy",
    "Dies busy",
    "Share of the time that dies worked, the mean over all of them; of memory, its banks.",
);
const GC_BUSY: Quantity = share(
    "gcBusy",
    "Dies in GC",
    "Share of the time that dies worked for garbage collection, the mean over all of them.",
);
const FREE_BLOCKS: Quantity = Quantity {
    id: "freeBlocks",
    title: "Free blocks",
    unit: "blocks",
    sentence: "Free blocks of a plane, the mean over all of them.",
    chart: Some(Chart { least: 1.0, legend: "blocks per plane" }),
    ..OF_DEVICE
};
const WRITE_AMPLIFICATION: Quantity = Quantity {
    id: "writeAmplification",
    title: "Write amplification",
    symbol: "WA",
    sentence: "Flash pages programmed since the start for each page that the host wrote.",
    average: Average::None,
    ..OF_DEVICE
};
const PLANES_PER_READ: Quantity = Quantity {
    id: "planesPerRead",
    title: "Planes per read",
    unit: "planes",
    sentence: "Planes of a die that a command to read flash took, the mean since the start.",
    average: Average::None,
    ..OF_DEVICE
};
const PLANES_PER_PROGRAM: Quantity = Quantity {
    id: "planesPerProgram",
    title: "Planes per program",
    unit: "planes",
    sentence: "Planes of a die that a command to program flash took, the mean since the start.",
    average: Average::None,
    ..OF_DEVICE
};
