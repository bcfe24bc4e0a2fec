//! The stretch of time that a run shows as "now".

use crate::kernel::convert::index;
use crate::kernel::time::PS_PER_US;
use crate::simulation::Simulation;
use crate::simulation::plan::NetworkSettings;

/// Time over which "now" is averaged, in microseconds, in round trips, and in samples; the longest counts.
const NOW_US: u64 = 1000;
const NOW_RTTS: u64 = 10;
const NOW_SAMPLES: u64 = 10;

/// Rows of the series that make up "now".
pub(super) fn now_rows(simulation: &Simulation) -> usize {
    index((now_window_ps(simulation, &simulation.settings) / simulation.measurement.period_ps()).max(1))
}

pub(super) fn now_window_ps(simulation: &Simulation, settings: &NetworkSettings) -> u64 {
    let period_ps = simulation.measurement.period_ps();
    let wanted_ps = (NOW_US * PS_PER_US).max(NOW_RTTS * settings.base_rtt_ps).max(NOW_SAMPLES * period_ps);
    wanted_ps.min(simulation.duration_ps / 5).max(period_ps)
}
