//! What holds requests back: the link that most of the traffic shares, a device, or neither.
//!
//! Where a device does, the rates of the network are out of reach: what a class should have is then a share of what is carried, and
//! neither a target in Gb/s nor a quality factor says anything of it.

use std::ops::Range;

use serde::Serialize;

use crate::kernel::convert::index;
use crate::kernel::ids::NodeId;
use crate::kernel::time::to_us;
use crate::simulation::measurement::PortReading;
use crate::simulation::view::now_rows;
use crate::simulation::{Simulation, devices};
use crate::storage::{Device, Occupancy};

/// From this utilisation on a link, and not what lies behind it, holds up what goes over it. Windows that react to marks leave a
/// full link idle now and then, so that it is not at 1; one that waits for a device is well below.
const SATURATED: f64 = 0.9;

/// What holds requests back, as a run stands now.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Bottleneck {
    /// Share of its rate that the link carried that most of the traffic shares, over the time of "now".
    pub utilisation: f64,
    /// It holds requests back.
    pub saturated: bool,
    /// By device: more commands waited for it than were in it, over the same time.
    pub backlogged: Vec<bool>,
    /// The first device that holds requests back while the network would carry more; none where the network has that part.
    pub device: Option<usize>,
    /// Why no class has a target in Gb/s, of the later half of all that has run since the warm-up: charts of a whole run go by that,
    /// which are not to change with every burst. None where the network decides what classes get.
    pub out_of_reach: Option<OutOfReach>,
}

/// Why the rates of the network are out of reach.
#[derive(Clone, Debug, PartialEq, Serialize)]
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

/// How much was asked of the link and of the devices, sample by sample.
#[derive(Clone, Debug, Default)]
pub(super) struct Pressure {
    utilisation: RunningSum,
    /// By device: commands that waited for it beyond those that were in it.
    excess: Vec<RunningSum>,
}

impl Pressure {
    /// Takes a sample.
    pub(super) fn sample<'a>(&mut self, utilisation: f64, devices: impl Iterator<Item = &'a Occupancy>) {
        self.utilisation.push(utilisation);
        for (device, now) in devices.enumerate() {
            if device == self.excess.len() {
                self.excess.push(RunningSum::default());
            }
            let waiting: f64 = now.waiting.iter().copied().map(f64::from).sum();
            self.excess[device].push(waiting - f64::from(now.in_device));
        }
    }

    /// Memory, in bytes.
    pub(super) fn bytes(&self) -> u64 {
        8 * (self.rows() * (1 + self.excess.len())) as u64
    }

    fn rows(&self) -> usize {
        self.utilisation.0.len()
    }

    fn utilisation(&self, rows: &Range<usize>) -> Option<f64> {
        (!rows.is_empty()).then(|| self.utilisation.over(rows) / rows.len() as f64)
    }

    fn is_backlogged(&self, device: usize, rows: &Range<usize>) -> bool {
        self.excess[device].over(rows) > 0.0
    }

    /// The first device that is backlogged while the link is not saturated.
    fn limiting(&self, rows: &Range<usize>) -> Option<usize> {
        let saturated = self.utilisation(rows).is_none_or(|utilisation| utilisation >= SATURATED);
        (0..self.excess.len()).find(|&device| !saturated && self.is_backlogged(device, rows))
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
        Bottleneck {
            utilisation,
            saturated: utilisation >= SATURATED,
            backlogged: (0..self.measurement.devices.devices.len())
                .map(|device| device < pressure.excess.len() && pressure.is_backlogged(device, &now))
                .collect(),
            device: pressure.limiting(&now),
            out_of_reach: self.out_of_reach(),
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

    /// Samples of two devices: the first has 8 commands and 2 that wait, the second 16 and as many that wait as are given.
    fn waiting(second: &[u32], utilisation: f64) -> Pressure {
        let mut pressure = Pressure::default();
        for &waiting in second {
            let first = Occupancy { waiting: [0, 2, 0, 0], in_device: 8, ..Occupancy::default() };
            let second = Occupancy { waiting: [1, 0, 0, waiting], in_device: 16, ..Occupancy::default() };
            pressure.sample(utilisation, [first, second].iter());
        }
        pressure
    }

    fn limiting(pressure: &Pressure, count: usize) -> Option<usize> {
        pressure.limiting(&Pressure::last(pressure.rows(), count))
    }

    #[test]
    fn a_device_for_which_more_commands_wait_than_it_has_holds_requests_back() {
        // 1 + 15 commands wait where 16 are served: not more.
        assert_eq!(limiting(&waiting(&[15; 20], 0.3), 10), None);
        assert_eq!(limiting(&waiting(&[16; 20], 0.3), 10), Some(1));
        let both = waiting(&[16; 20], 0.3);
        assert_eq!([0, 1].map(|device| both.is_backlogged(device, &(10..20))), [false, true]);
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
