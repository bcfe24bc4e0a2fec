//! Swift in the document.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{FromClass, Sections, Surroundings};
use crate::kernel::time::from_us;
use crate::transport::controllers::swift::Parameters;

/// Parameters of Swift (SIGCOMM 2020).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct Swift {
    /// Delay that a flow of a large window aims at, beyond the round trip of the class with empty queues.
    #[schemars(title = "Base target", range(min = 0.1, max = 100_000.0),
        extend("x-unit" = "us", "x-symbol" = "t_0", "x-live" = true, "x-slider" = [5, 500, "log"]), extend("x-source" = "Swift (SIGCOMM 2020), its order of magnitude."))]
    pub base_target_us: f64,
    /// What each switch on the way adds to the target.
    #[schemars(title = "Target per switch", range(min = 0.0, max = 10_000.0),
        extend("x-unit" = "us", "x-symbol" = "ħ", "x-live" = true, "x-slider" = [0, 20, "linear"]), extend("x-source" = "Swift (SIGCOMM 2020): about 1 µs a hop."))]
    pub per_hop_us: f64,
    /// What flow scaling adds to the target at most: where flows are so many that their windows are small, they allow each
    /// other a longer queue.
    #[schemars(title = "Flow scaling", range(min = 0.0, max = 100_000.0),
        extend("x-unit" = "us", "x-symbol" = "fs_range", "x-live" = true, "x-slider" = [0, 500, "linear"]), extend("x-source" = "Ours: four base targets."))]
    pub flow_scaling_us: f64,
    /// Window at which flow scaling adds all that it can.
    #[schemars(title = "Least window of flow scaling", range(min = 0.001, max = 10.0),
        extend("x-unit" = "packets", "x-symbol" = "fs_min_cwnd", "x-live" = true, "x-slider" = [0.01, 10, "log"]), extend("x-source" = "Swift (SIGCOMM 2020), range of flow scaling."))]
    pub scaling_minimum_packets: f64,
    /// Window at which flow scaling adds nothing.
    #[schemars(title = "Largest window of flow scaling", range(min = 11.0, max = 100_000.0),
        extend("x-unit" = "packets", "x-symbol" = "fs_max_cwnd", "x-live" = true, "x-slider" = [20, 1000, "log"]), extend("x-source" = "Swift (SIGCOMM 2020), range of flow scaling."))]
    pub scaling_maximum_packets: f64,
    /// Growth of the window per round trip below the target.
    #[schemars(title = "Additive increase", range(min = 0.001, max = 100.0),
        extend("x-unit" = "packets", "x-symbol" = "ai", "x-live" = true, "x-slider" = [0.1, 10, "log"]), extend("x-source" = "Swift (SIGCOMM 2020): 1."))]
    pub additive_increase_packets: f64,
    /// Strength of a cut, by which the excess over the target is multiplied.
    #[schemars(title = "Cut", range(min = 0.01, max = 1.0),
        extend("x-symbol" = "β", "x-live" = true, "x-slider" = [0.1, 1, "linear"]), extend("x-source" = "Swift (SIGCOMM 2020): 0.8."))]
    pub beta: f64,
    /// Most that one cut takes off, as a part of the window.
    #[schemars(title = "Largest cut", range(min = 0.01, max = 0.99),
        extend("x-symbol" = "max_mdf", "x-live" = true, "x-slider" = [0.1, 0.9, "linear"]), extend("x-source" = "Swift (SIGCOMM 2020): at most half."))]
    pub max_cut: f64,
    /// Floor of the window. Below one packet, packets are paced.
    #[schemars(title = "Least window", range(min = 0.001, max = 10.0),
        extend("x-unit" = "packets", "x-live" = true, "x-slider" = [0.001, 10, "log"]), extend("x-source" = "Swift (SIGCOMM 2020): below one packet, by pacing."))]
    pub minimum_window_packets: f64,
}

impl Swift {
    pub(crate) fn is_default(&self) -> bool {
        *self == Self::default()
    }
}

impl Default for Swift {
    fn default() -> Self {
        Self {
            base_target_us: 25.0,
            per_hop_us: 1.0,
            flow_scaling_us: 100.0,
            scaling_minimum_packets: 0.1,
            scaling_maximum_packets: 100.0,
            additive_increase_packets: 1.0,
            beta: 0.8,
            max_cut: 0.5,
            minimum_window_packets: 0.01,
        }
    }
}

impl FromClass for Parameters {
    fn from_class(class: &Sections, at: &Surroundings) -> Self {
        let document = &class.swift;
        Self {
            base_target_ps: at.rtt_ps + from_us(document.base_target_us),
            per_hop_ps: from_us(document.per_hop_us),
            flow_scaling_ps: from_us(document.flow_scaling_us),
            scaling_min: document.scaling_minimum_packets,
            scaling_max: document.scaling_maximum_packets,
            additive_increase: document.additive_increase_packets,
            beta: document.beta,
            max_decrease: document.max_cut,
            min_window: document.minimum_window_packets,
        }
    }
}
