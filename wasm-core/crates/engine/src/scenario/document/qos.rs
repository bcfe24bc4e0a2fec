//! What the quality-of-service control knows and aims at.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::qos::rules::{DeficitRule, GrowthSlot};

/// What the quality-of-service control knows and aims at.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct Qos {
    /// Payload rate the classes share at the bottleneck. Empty: the rate of the bottleneck link less headers.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(title = "Shared capacity", range(min = 0.000_1, max = 1600.0),
        extend("x-unit" = "Gb/s", "x-symbol" = "C", "x-live" = true, "x-detail" = true))]
    pub capacity_gbps: Option<f64>,
    /// Time in which a class of QTCP grows by one packet. The papers state the growth per round trip and use one time slot
    /// for all classes; where round trips differ that leaves two readings (see the models).
    #[schemars(title = "Growth slot", extend("x-live" = true, "x-detail" = true), extend("x-source" = "Ours, between two readings of papers 1 and 2: see the models."))]
    pub growth_slot: GrowthSlot,
    /// What a class of QTCP does with a window in which a mark was echoed while the class has less than its target (Q > 1).
    #[schemars(title = "Mark in deficit", extend("x-live" = true, "x-detail" = true), extend("x-source" = "Papers 1 and 2, window rule: a marked window is cut."))]
    pub mark_in_deficit: DeficitRule,
    /// Classes of QTCP and QRDMA watch their quality factors for traffic that does not follow shares, and take it off the
    /// capacity they aim at (paper 1 fig. 15a, paper 2 fig. 1).
    #[schemars(title = "Adapt to interference", extend("x-live" = true), extend("x-source" = "Papers 1 and 2: a mechanism of its own, off unless asked for."))]
    pub adapt_to_interference: bool,
    /// How far a quality factor must lie from 1 to count as interference, and by which part of its target a class then
    /// changes the capacity it aims at.
    #[schemars(title = "Interference tolerance", range(min = 0.001, max = 0.5),
        extend("x-symbol" = "σ", "x-live" = true, "x-slider" = [0.01, 0.2, "linear"]), extend("x-source" = "Paper 1, figs. 14b and 15a: 5 %."))]
    pub interference_tolerance: f64,
    /// Round trips between two looks at the quality factor for interference.
    #[schemars(title = "Interference interval", range(min = 1, max = 10_000),
        extend("x-unit" = "RTT", "x-live" = true, "x-slider" = [1, 100, "log"]), extend("x-source" = "Paper 2, fig. 12: the ripple is least at 10 round trips."))]
    pub interference_interval_rtts: u32,
}

impl Default for Qos {
    fn default() -> Self {
        Self {
            capacity_gbps: None,
            growth_slot: GrowthSlot::OwnRtt,
            mark_in_deficit: DeficitRule::Cut,
            adapt_to_interference: false,
            interference_tolerance: 0.05,
            interference_interval_rtts: 10,
        }
    }
}
