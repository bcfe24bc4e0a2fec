//! What a plan may be made for where requests follow the answers of the server, so that nothing arrives by itself: open loops at the
//! rates that a run of the same scenario carries.

use schemars::JsonSchema;
use serde::Serialize;

use crate::kernel::sums::total;
use crate::scenario::document::{Interarrival, Scenario, Size, Traffic, Workload};
use crate::scenario::{self, offered_gbps};

/// Bytes of a request that stands in for a connection that always has more to send, and so for no requests at all: the largest
/// command that NVMe drives commonly take at once (MDTS of 5 with pages of 4 KiB).
const BACKLOGGED_BYTES: u64 = 131_072;

/// A workload that something stands in for.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct StandInLoop {
    /// Path of its traffic in the scenario.
    pub path: String,
    /// Name of its class.
    pub class: String,
    /// Payload per second that its open loop offers.
    pub offered_gbps: f64,
    /// The open loop.
    #[schemars(with = "serde_json::Value")]
    pub traffic: Traffic,
}

/// Open loops in place of workloads, and the scenario that has them.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct StandIns {
    /// The open loops.
    pub stand_ins: Vec<StandInLoop>,
    /// The scenario with them, as JSON text.
    pub scenario: String,
}

impl StandIns {
    /// Those of a scenario, as [`stand_ins`] has them; `None` if nothing can stand in.
    pub fn of(scenario: &Scenario, carried_gbps: &[f64]) -> Option<Self> {
        let stand_ins = stand_ins(scenario, carried_gbps);
        let changed = scenario::as_text(&with_stand_ins(scenario, &stand_ins));
        (!stand_ins.is_empty()).then_some(Self { stand_ins, scenario: changed })
    }
}

/// Open loops in place of all workloads of a scenario that follow the answers of the server; none for one whose class carries
/// nothing. `carried_gbps` is what each class carries in a run of it: what the loops of a class leave of that is divided among them
/// evenly. Requests keep their sizes and arrive as a Poisson process.
pub fn stand_ins(scenario: &Scenario, carried_gbps: &[f64]) -> Vec<StandInLoop> {
    let follows = |traffic: &Traffic| matches!(traffic, Traffic::ClosedLoop { .. } | Traffic::Backlogged {});
    let rate = |class: &str| {
        let number = scenario.classes.iter().position(|known| known.name == class)?;
        let own = scenario.workloads.iter().filter(|workload| workload.class == class);
        let (followers, others): (Vec<_>, Vec<_>) = own.partition(|workload| follows(&workload.traffic));
        let offered = total(others.iter().filter_map(|workload| offered_gbps(&workload.traffic)));
        let left = carried_gbps.get(number).copied().unwrap_or(0.0) - offered;
        Some(left / followers.len() as f64).filter(|gbps| gbps.is_finite() && *gbps > 0.0)
    };
    let stand_in = |(number, workload): (usize, &Workload)| {
        let size = match &workload.traffic {
            Traffic::ClosedLoop { size, .. } => size.clone(),
            Traffic::Backlogged {} => Size::Fixed { bytes: BACKLOGGED_BYTES },
            _ => return None,
        };
        let offered_gbps = rate(&workload.class)?;
        let traffic = Traffic::OpenLoop { offered_gbps, gaps: Interarrival::Exponential, requests: None, size };
        let path = format!("workloads[{number}].traffic");
        Some(StandInLoop { path, class: workload.class.clone(), offered_gbps, traffic })
    };
    scenario.workloads.iter().enumerate().filter_map(stand_in).collect()
}

/// The scenario with these open loops.
pub fn with_stand_ins(scenario: &Scenario, stand_ins: &[StandInLoop]) -> Scenario {
    let mut changed = scenario.clone();
    for (number, workload) in changed.workloads.iter_mut().enumerate() {
        let path = format!("workloads[{number}].traffic");
        if let Some(stand_in) = stand_ins.iter().find(|stand_in| stand_in.path == path) {
            workload.traffic = stand_in.traffic.clone();
        }
    }
    changed
}
