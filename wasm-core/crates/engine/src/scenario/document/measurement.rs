//! What is measured, and over which part of the run.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What is measured, and over which part of the run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct Measurement {
    /// Time left out of throughputs, latencies and queue figures at the start. Empty: a fifth of the run.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(title = "Warm-up", range(min = 0.0, max = 200_000_000.0), extend("x-unit" = "us"))]
    pub warmup_us: Option<f64>,
    /// Time between two samples of the series. Empty: chosen so that a run has about a thousand.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(title = "Sample period", range(min = 0.1, max = 10_000_000.0), extend("x-unit" = "us"))]
    pub sample_period_us: Option<f64>,
    /// A class has converged when the mean of its quality factor lies this close to 1.
    #[schemars(title = "Convergence band", range(min = 0.001, max = 0.5), extend("x-source" = "Paper 1, fig. 9: 0.95 to 1 afterwards."))]
    pub convergence_band: f64,
    /// Round trips over which that mean is taken.
    #[schemars(title = "Convergence time", range(min = 1, max = 1000), extend("x-unit" = "RTT"), extend("x-source" = "Ours: a band that is not left at once."))]
    pub convergence_rtts: u32,
}

impl Default for Measurement {
    fn default() -> Self {
        Self { warmup_us: None, sample_period_us: None, convergence_band: 0.05, convergence_rtts: 20 }
    }
}
