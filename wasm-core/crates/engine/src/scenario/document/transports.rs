//! Parameters of the transports of a class that have parameters of their own.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Parameters of DCQCN. A field left empty takes the value of the set.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct Dcqcn {
    /// Published parameters to start from.
    #[schemars(title = "DCQCN preset", extend("x-live" = true, "x-lead" = true))]
    pub set: DcqcnSet,
    /// Gain of the moving average of notifications.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(title = "Gain", range(min = 0.00001, max = 1.0),
        extend("x-symbol" = "g", "x-live" = true, "x-slider" = [0.001, 0.5, "log"]))]
    pub gain: Option<f64>,
    /// Least time between two notifications of one connection, and so between two cuts.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(title = "CNP interval", range(min = 0.1, max = 100_000.0),
        extend("x-unit" = "us", "x-symbol" = "N", "x-live" = true, "x-slider" = [1, 200, "log"]))]
    pub cnp_interval_us: Option<f64>,
    /// Time without a notification after which α falls.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(title = "α timer", range(min = 0.1, max = 100_000.0),
        extend("x-unit" = "us", "x-live" = true, "x-slider" = [1, 200, "log"]))]
    pub alpha_timer_us: Option<f64>,
    /// Time between two steps of recovery.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(title = "Increase timer", range(min = 1.0, max = 100_000.0),
        extend("x-unit" = "us", "x-symbol" = "T", "x-live" = true, "x-slider" = [10, 2000, "log"]))]
    pub increase_timer_us: Option<f64>,
    /// Bytes sent between two steps of recovery. A billion or more: by the timer alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(title = "Byte counter", range(min = 1000, max = 1_000_000_000_000_u64),
        extend("x-unit" = "bytes", "x-symbol" = "B", "x-live" = true, "x-slider" = [100_000, 1_000_000_000, "log"]))]
    pub byte_counter_bytes: Option<u64>,
    /// Steps of fast recovery before the target rate is raised.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(title = "Fast recovery steps", range(min = 1, max = 100),
        extend("x-symbol" = "F", "x-live" = true, "x-slider" = [1, 10, "linear"]))]
    pub fast_recovery_steps: Option<u32>,
    /// Step of the target rate in additive increase.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(title = "Additive increase", range(min = 0.01, max = 100_000.0),
        extend("x-unit" = "Mb/s", "x-symbol" = "R_AI", "x-live" = true, "x-slider" = [1, 1000, "log"]))]
    pub additive_increase_mbps: Option<f64>,
    /// Step of the target rate in hyper increase.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(title = "Hyper increase", range(min = 0.01, max = 1_000_000.0),
        extend("x-unit" = "Mb/s", "x-symbol" = "R_HAI", "x-live" = true, "x-slider" = [10, 10_000, "log"]))]
    pub hyper_increase_mbps: Option<f64>,
    /// Floor of the rate.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(title = "Minimum rate", range(min = 0.1, max = 1_000_000.0),
        extend("x-unit" = "Mb/s", "x-live" = true, "x-slider" = [1, 1000, "log"]))]
    pub least_rate_mbps: Option<f64>,
    /// Every cut takes the rate before it as the new target, also when no step of recovery lies between two cuts.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(title = "Clamp target", extend("x-live" = true))]
    pub clamp_target: Option<bool>,
}

impl Dcqcn {
    pub(super) fn is_default(&self) -> bool {
        *self == Self::default()
    }
}

/// Published sets of parameters of DCQCN. Rates scale with the link where the source has them do so.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum DcqcnSet {
    /// As deployed by its authors (SIGCOMM 2015).
    #[default]
    #[schemars(title = "SIGCOMM 2015")]
    Sigcomm15,
    /// Defaults of a widespread network card.
    #[schemars(title = "Network card")]
    Vendor,
    /// Defaults of the simulator of HPCC (SIGCOMM 2019), which has no notification packets: acknowledgements carry the mark,
    /// and the sender looks at them once per interval.
    #[schemars(title = "HPCC simulator")]
    Hpcc,
}

/// Parameters of TIMELY (SIGCOMM 2015).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct Timely {
    /// Weight of the latest difference between round trips.
    #[schemars(title = "Gradient gain", range(min = 0.001, max = 1.0),
        extend("x-symbol" = "a", "x-live" = true, "x-slider" = [0.01, 1, "log"]))]
    pub gain: f64,
    /// Strength of the cut. Empty: 0.8, or 0.008 with the patch, as published.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(title = "Cut", range(min = 0.0001, max = 1.0),
        extend("x-symbol" = "β", "x-live" = true, "x-slider" = [0.001, 1, "log"]))]
    pub beta: Option<f64>,
    /// Step of additive increase.
    #[schemars(title = "Additive increase", range(min = 0.01, max = 100_000.0),
        extend("x-unit" = "Mb/s", "x-symbol" = "δ", "x-live" = true, "x-slider" = [1, 1000, "log"]))]
    pub additive_increase_mbps: f64,
    /// Below this round trip the rate always grows.
    #[schemars(title = "Low threshold", range(min = 0.1, max = 1_000_000.0),
        extend("x-unit" = "us", "x-symbol" = "T_low", "x-live" = true, "x-slider" = [5, 500, "log"]))]
    pub low_us: f64,
    /// Above this round trip the rate always falls.
    #[schemars(title = "High threshold", range(min = 0.1, max = 1_000_000.0),
        extend("x-unit" = "us", "x-symbol" = "T_high", "x-live" = true, "x-slider" = [50, 5000, "log"]))]
    pub high_us: f64,
    /// Round trip by which the gradient is divided. Empty: that of the class with empty queues.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(title = "Minimum RTT", range(min = 0.1, max = 1_000_000.0), extend("x-unit" = "us", "x-live" = true))]
    pub least_rtt_us: Option<f64>,
    /// Floor of the rate.
    #[schemars(title = "Minimum rate", range(min = 0.1, max = 1_000_000.0),
        extend("x-unit" = "Mb/s", "x-live" = true, "x-slider" = [1, 1000, "log"]))]
    pub least_rate_mbps: f64,
    /// With the published patch (CoNEXT 2016), which gives the rates a single point to settle at: the cut follows the
    /// distance from a reference round trip, weighted by the gradient.
    #[schemars(title = "Patched", extend("x-live" = true))]
    pub patched: bool,
}

impl Timely {
    pub(super) fn is_default(&self) -> bool {
        *self == Self::default()
    }
}

impl Default for Timely {
    fn default() -> Self {
        Self {
            gain: 0.875,
            beta: None,
            additive_increase_mbps: 10.0,
            low_us: 50.0,
            high_us: 500.0,
            least_rtt_us: None,
            least_rate_mbps: 100.0,
            patched: false,
        }
    }
}

/// Dynamic initial rates (paper 3): a new transfer starts at the lowest rate known for its destination.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct Dirs {
    /// Off: a new transfer starts at the rate of the link.
    #[schemars(title = "Initial rates by DIRS", extend("x-live" = true, "x-lead" = true))]
    pub enabled: bool,
    /// Late notifications within this time of the last one that counted are discarded.
    #[schemars(title = "Late CNP interval", range(min = 0.1, max = 100_000.0),
        extend("x-unit" = "us", "x-symbol" = "Δ", "x-live" = true, "x-slider" = [1, 500, "log"]))]
    pub late_interval_us: f64,
    /// Time between two steps of recovery of the virtual flow. Empty: the increase timer of DCQCN, or the high threshold of
    /// TIMELY.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(title = "Recovery timer", range(min = 1.0, max = 1_000_000.0), extend("x-unit" = "us", "x-live" = true))]
    pub recovery_us: Option<f64>,
    /// Time without a late notification after which the virtual flow is back at the rate of the link. Empty: five times
    /// the recovery timer.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(title = "Reset timer", range(min = 1.0, max = 10_000_000.0), extend("x-unit" = "us", "x-live" = true))]
    pub reset_us: Option<f64>,
    /// Time between two records of the periodical lowest rate.
    #[schemars(title = "Period", range(min = 1.0, max = 1_000_000.0),
        extend("x-unit" = "us", "x-symbol" = "T_w", "x-live" = true, "x-slider" = [10, 2000, "log"]))]
    pub period_us: f64,
}

impl Dirs {
    pub(super) fn is_default(&self) -> bool {
        *self == Self::default()
    }
}

impl Default for Dirs {
    fn default() -> Self {
        Self { enabled: false, late_interval_us: 50.0, recovery_us: None, reset_us: None, period_us: 100.0 }
    }
}
