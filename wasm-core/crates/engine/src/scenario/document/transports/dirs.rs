//! Initial rates (DIRS) in the document.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::kernel::time::from_us;
use crate::transport::controllers::Control;
use crate::transport::dirs::Parameters;

/// Multiple of the recovery timer after which a virtual flow is reset, where the document does not say (paper 3 asks only
/// that it be longer).
const RESET_RECOVERIES: u64 = 5;

/// Dynamic initial rates (paper 3): a new transfer starts at the lowest rate known for its destination.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct Dirs {
    /// Off: a new transfer starts at the rate of the link.
    #[schemars(title = "Initial rates by DIRS", extend("x-live" = true, "x-lead" = true), extend("x-source" = "Paper 3: a mechanism of its own, off unless asked for."))]
    pub enabled: bool,
    /// Late notifications within this time of the last one that counted are discarded.
    #[schemars(title = "Late CNP interval", range(min = 0.1, max = 100_000.0),
        extend("x-unit" = "us", "x-symbol" = "Δ", "x-live" = true, "x-slider" = [1, 500, "log"]), extend("x-source" = "DCQCN (SIGCOMM 2015): its CNP interval. Paper 3 gives none."))]
    pub late_interval_us: f64,
    /// Time between two steps of recovery of the virtual flow. Empty: the increase timer of DCQCN, or the high threshold of
    /// TIMELY.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(title = "Recovery timer", range(min = 0.1, max = 1_000_000.0), extend("x-unit" = "us", "x-live" = true))]
    pub recovery_us: Option<f64>,
    /// Time without a late notification after which the virtual flow is back at the rate of the link. Empty: five times
    /// the recovery timer.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(title = "Reset timer", range(min = 0.1, max = 10_000_000.0), extend("x-unit" = "us", "x-live" = true))]
    pub reset_us: Option<f64>,
    /// Time between two records of the periodical lowest rate.
    #[schemars(title = "Period", range(min = 1.0, max = 1_000_000.0),
        extend("x-unit" = "us", "x-symbol" = "T_w", "x-live" = true, "x-slider" = [10, 2000, "log"]), extend("x-source" = "Ours: paper 3 gives none; two CNP intervals."))]
    pub period_us: f64,
}

impl Dirs {
    pub(crate) fn is_default(&self) -> bool {
        *self == Self::default()
    }

    /// Parameters of DIRS for a class of this controller; none where that has no rate.
    pub fn parameters(&self, control: &Control) -> Option<Parameters> {
        let own_ps = control.recovery_ps()?;
        let recovery_ps = self.recovery_us.map_or(own_ps, from_us);
        Some(Parameters {
            late_interval_ps: from_us(self.late_interval_us),
            recovery_ps,
            reset_ps: self.reset_us.map_or(RESET_RECOVERIES * recovery_ps, from_us),
            period_ps: from_us(self.period_us),
        })
    }
}

impl Default for Dirs {
    fn default() -> Self {
        Self { enabled: false, late_interval_us: 50.0, recovery_us: None, reset_us: None, period_us: 100.0 }
    }
}
