//! What holds requests back: the link that most of the traffic shares, a device, or neither.
//!
//! Where a device does, the rates of the network are out of reach: what a class should have is then a share of what is carried, and
//! neither a target in Gb/s nor a quality factor says anything of it.

use std::ops::Range;

use schemars::JsonSchema;
use serde::Serialize;

use crate::kernel::convert::index;
use crate::kernel::ids::NodeId;
use crate::kernel::time::to_us;
use crate::simulation::now::now_rows;
use crate::simulation::record::PortReading;
use crate::simulation::{Simulation, devices, metrics};
use crate::storage::Device;

/// From this utilisation on a link, and not what lies behind it, holds up what goes over it. Windows that react to marks leave a
/// full link idle now and then, so that it is not at 1; one that waits for a device is well below.
pub(super) const SATURATED: f64 = 0.9;

/// What holds requests back, as a run stands now.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Bottleneck {
    /// Share of its rate that the link carried that most of the traffic shares, over the time of "now".
    pub utilisation: f64,
    /// It holds requests back.
    pub saturated: bool,
    /// By device: it holds requests back, over the same time.
    pub backlogged: Vec<bool>,
    /// By device: commands that waited for it, before it and inside, the mean over the same time.
    pub waiting: Vec<f64>,
    /// The first device that holds requests back while the network would carry more; none where the network has that part.
    pub device: Option<usize>,
    /// Why K has no effect now, or little, as a sentence; `None` while no device limits throughput.
    pub idle_threshold: Option<String>,
    /// Why no class has a target in Gb/s, of the later half of all that has run since the warm-up: charts of a whole run go by that,
    /// which are not to change with every burst. None where the network decides what classes get.
    pub out_of_reach: Option<OutOfReach>,
}

/// Why the rates of the network are out of reach.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct OutOfReach {
    /// In words that end a sentence.
    pub reason: String,
    /// The device that is the bottleneck, in the order of the summary; none where nothing goes over the network.
    pub device: Option<usize>,
    /// Since when it has been in all of the time of "now"; none where it is not at present.
    pub since_us: Option<f64>,
}

/// Sums over the samples so far, of which those of any stretch of them follow.
#[derive(Clone, Debug, Default)]
struct RunningSum(Vec<f64>);

impl RunningSum {
    fn push(&mut self, value: f64) {
        self.0.push(self.0.last().copied().unwrap_or_default() + value);
    }

    fn over(&self, rows: &Range<usize>) -> f64 {
        let before = |row: usize| if row == 0 { 0.0 } else { self.0[row - 1] };
        before(rows.end) - before(rows.start)
    }
}

/// A device at a sample.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Load {
    /// Commands that wait: before the device, or inside for one of its parts.
    pub(super) waiting: f64,
    /// Commands that one of its parts works on.
    pub(super) at_work: f64,
    /// Requests wait until the device has answered others: those of a closed loop, or those that find no place at the device.
    pub(super) delays_requests: bool,
    /// Share of the time since the sample before in which its parts were busy.
    pub(super) busy: f64,
}

/// What was sampled of a device.
#[derive(Clone, Debug, Default)]
struct DevicePressure {
    waiting: RunningSum,
    at_work: RunningSum,
    delays_requests: RunningSum,
    busy: RunningSum,
}

impl DevicePressure {
    fn sums(&self) -> [&RunningSum; 4] {
        [&self.waiting, &self.at_work, &self.delays_requests, &self.busy]
    }

    /// Whether the device limits how many requests are served: more of its commands wait than are worked on, and either requests
    /// come no sooner than it answers others, or its parts are busy next to all of the time. Requests that come at times of their
    /// own wait for one another below the capacity of a device, too.
    fn is_backlogged(&self, rows: &Range<usize>) -> bool {
        let share = |sum: &RunningSum| sum.over(rows) / rows.len().max(1) as f64;
        let is_limit = share(&self.delays_requests).max(share(&self.busy)) >= SATURATED;
        is_limit && self.waiting.over(rows) > self.at_work.over(rows)
    }
}

/// How much was asked of the link and of the devices, sample by sample.
#[derive(Clone, Debug, Default)]
pub(super) struct Pressure {
    utilisation: RunningSum,
    devices: Vec<DevicePressure>,
}

impl Pressure {
    /// Takes a sample.
    pub(super) fn sample(&mut self, utilisation: f64, loads: impl Iterator<Item = Load>) {
        self.utilisation.push(utilisation);
        for (device, load) in loads.enumerate() {
            if device == self.devices.len() {
                self.devices.push(DevicePressure::default());
            }
            let sums = &mut self.devices[device];
            sums.waiting.push(load.waiting);
            sums.at_work.push(load.at_work);
            sums.delays_requests.push(f64::from(u8::from(load.delays_requests)));
            sums.busy.push(load.busy);
        }
    }

    /// Memory, in bytes.
    pub(super) fn bytes(&self) -> u64 {
        let sums = self.devices.iter().flat_map(DevicePressure::sums).chain([&self.utilisation]);
        8 * sums.map(|sum| sum.0.len() as u64).sum::<u64>()
    }

    fn rows(&self) -> usize {
        self.utilisation.0.len()
    }

    fn utilisation(&self, rows: &Range<usize>) -> Option<f64> {
        (!rows.is_empty()).then(|| self.utilisation.over(rows) / rows.len() as f64)
    }

    /// The first device that is backlogged while the link is not saturated.
    fn limiting(&self, rows: &Range<usize>) -> Option<usize> {
        let saturated = self.utilisation(rows).is_none_or(|utilisation| utilisation >= SATURATED);
        self.devices.iter().position(|device| !saturated && device.is_backlogged(rows))
    }

    /// The last `count` rows of those before `end`.
    fn last(end: usize, count: usize) -> Range<usize> {
        end.saturating_sub(count)..end
    }

    /// The later half of the rows from `warm` on; of all, where there are none of these yet.
    fn later_half(&self, warm: usize) -> Range<usize> {
        let rows = self.rows();
        let first = if warm < rows { warm } else { 0 };
        Self::last(rows, (rows - first).div_ceil(2))
    }

    /// The row at whose end a device had come to be the limiting one in `count` rows, and has been at the end of every row since.
    fn since(&self, device: usize, count: usize) -> Option<usize> {
        let limits = |row: &usize| self.limiting(&Self::last(row + 1, count)) == Some(device);
        (0..self.rows()).rev().take_while(limits).last()
    }
}

impl Simulation {
    /// What holds requests back now.
    pub fn bottleneck(&self) -> Bottleneck {
        let pressure = &self.measurement.pressure;
        let now = Pressure::last(pressure.rows(), now_rows(self));
        let utilisation = pressure.utilisation(&now).unwrap_or_else(|| {
            let port = PortReading::of(self.network.port(self.plan.bottleneck), self.now_ps);
            port.busy_ps as f64 / self.now_ps.max(1) as f64
        });
        // Before the first sample nothing is known of any device.
        let count = self.measurement.devices.devices.len();
        let devices: Vec<Option<&DevicePressure>> = (0..count).map(|number| pressure.devices.get(number)).collect();
        let mean_waiting = |device: &DevicePressure| device.waiting.over(&now) / now.len().max(1) as f64;
        let device = pressure.limiting(&now);
        Bottleneck {
            utilisation,
            saturated: utilisation >= SATURATED,
            backlogged: devices.iter().map(|device| device.is_some_and(|device| device.is_backlogged(&now))).collect(),
            waiting: devices.iter().map(|device| device.map_or(0.0, mean_waiting)).collect(),
            device,
            idle_threshold: device.map(|device| self.idle_threshold(device, &now)),
            out_of_reach: self.out_of_reach(),
        }
    }

    /// What K does while a device limits throughput: nothing if no queue of the port reaches it.
    fn idle_threshold(&self, device: usize, now: &Range<usize>) -> String {
        let title = self.device_title(device);
        let rows = self.measurement.rows_from(now.start).chunks(self.measurement.columns());
        let max_queue =
            rows.map(|row| row[metrics::position(&metrics::NETWORK, &metrics::QUEUE_MAXIMUM)]).fold(0.0, f64::max);
        if max_queue <= f64::from(self.current.switch.ecn_threshold_packets) {
            format!("No effect now: the {title} is the bottleneck, the port queue stays below K.")
        } else {
            format!("Little effect now: the {title} is the bottleneck.")
        }
    }

    /// Why the rates of the network are out of reach; none where they are not.
    pub(super) fn out_of_reach(&self) -> Option<OutOfReach> {
        let sampled = &self.measurement.devices.devices;
        if self.plan.data_flows == 0 && !sampled.is_empty() {
            let reason = "nothing goes over the network".into();
            return Some(OutOfReach { reason, device: None, since_us: None });
        }
        let (pressure, period_ps) = (&self.measurement.pressure, self.measurement.period_ps());
        // Row 0 ends with the first period.
        let warm = index(self.measurement.warmup_ps().div_ceil(period_ps)).saturating_sub(1);
        let device = pressure.limiting(&pressure.later_half(warm))?;
        let since = pressure.since(device, now_rows(self));
        Some(OutOfReach {
            reason: format!("{} is the bottleneck", self.device_title(device)),
            device: Some(device),
            since_us: since.map(|row| to_us((row as u64 + 1) * period_ps)),
        })
    }

    /// What a device is called: its kind, with its host where there are several, and its name where that has several.
    pub(super) fn device_title(&self, number: usize) -> String {
        let sampled = &self.measurement.devices.devices;
        let own = &sampled[number];
        let kind = match &self.storage.devices(own.node)[own.number] {
            Device::Ssd(_) => "SSD",
            Device::Memory(_) => "memory",
            Device::Constant(_) => "server",
        };
        let host = |node: NodeId| &self.plan.graph.nodes()[node.index()].name;
        match sampled.iter().filter(|other| other.node == own.node).count() {
            _ if sampled.len() == 1 => kind.into(),
            1 => format!("{kind} {}", host(own.node)),
            _ => {
                let name = devices::name(&self.scenario, &self.plan, own.node, own.number);
                format!("{kind} {}, {name}", host(own.node))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Samples of two devices of closed loops: of the first 2 commands wait and 8 are worked on, of the second as many wait as are
    /// given and 1 more, and 16 are worked on.
    fn waiting(second: &[u32], utilisation: f64) -> Pressure {
        let of = |waiting: f64, at_work: f64| Load { waiting, at_work, delays_requests: true, busy: 0.5 };
        let mut pressure = Pressure::default();
        for &waiting in second {
            pressure.sample(utilisation, [of(2.0, 8.0), of(f64::from(waiting) + 1.0, 16.0)].into_iter());
        }
        pressure
    }

    fn limiting(pressure: &Pressure, count: usize) -> Option<usize> {
        pressure.limiting(&Pressure::last(pressure.rows(), count))
    }

    #[test]
    fn device_with_more_commands_waiting_than_at_work_holds_requests_back() {
        // 1 + 15 commands wait where 16 are worked on: not more.
        assert_eq!(limiting(&waiting(&[15; 20], 0.3), 10), None);
        assert_eq!(limiting(&waiting(&[16; 20], 0.3), 10), Some(1));
        let both = waiting(&[16; 20], 0.3);
        assert_eq!([0, 1].map(|device| both.devices[device].is_backlogged(&(10..20))), [false, true]);
    }

    #[test]
    fn open_loop_device_holds_requests_back_only_if_busy_or_full() {
        let of = |load: Load| {
            let mut pressure = Pressure::default();
            (0..20).for_each(|_| pressure.sample(0.3, [load].into_iter()));
            limiting(&pressure, 10)
        };
        let below = Load { waiting: 40.0, at_work: 16.0, delays_requests: false, busy: 0.8 };
        assert_eq!(of(below), None);
        assert_eq!(of(Load { busy: 0.95, ..below }), Some(0));
        assert_eq!(of(Load { delays_requests: true, ..below }), Some(0));
    }

    #[test]
    fn a_saturated_link_holds_them_back_in_its_place() {
        assert_eq!(limiting(&waiting(&[40; 20], 0.89), 10), Some(1));
        assert_eq!(limiting(&waiting(&[40; 20], 0.91), 10), None);
        assert_eq!(limiting(&waiting(&[], 0.0), 10), None, "nothing is known before there are samples");
    }

    #[test]
    fn a_moment_decides_nothing() {
        // In ten samples: nine times 41 - 16, once 1 - 16; nine times 1 - 16, once 41 - 16.
        assert_eq!(limiting(&waiting(&[&[40; 20][..], &[0]].concat(), 0.3), 10), Some(1));
        assert_eq!(limiting(&waiting(&[&[0; 20][..], &[40]].concat(), 0.3), 10), None);
    }

    #[test]
    fn a_run_is_told_by_the_later_half_of_what_follows_the_warm_up() {
        let pressure = waiting(&[40; 21], 0.3);
        assert_eq!(pressure.later_half(0), 10..21);
        assert_eq!(pressure.later_half(5), 13..21);
        assert_eq!(pressure.later_half(30), 10..21, "before the warm-up ends, of all");
        let eased = waiting(&[&[40; 40][..], &[0; 5]].concat(), 0.3);
        assert_eq!(eased.limiting(&eased.later_half(0)), Some(1));
        assert_eq!(limiting(&eased, 5), None);
    }

    #[test]
    fn since_when_a_device_limits_is_told_by_stretches_of_samples() {
        // Four samples at -15 each, then at +25 each: of any four, two of the latter outweigh two of the former.
        let pressure = waiting(&[&[0; 20][..], &[40; 10]].concat(), 0.3);
        assert_eq!(pressure.since(1, 4), Some(21));
        assert_eq!(pressure.since(0, 4), None);
        assert_eq!(waiting(&[40; 10], 0.3).since(1, 4), Some(0));
    }
}
