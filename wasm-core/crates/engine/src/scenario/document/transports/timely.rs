//! TIMELY in the document.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Basis, FromClass, Sections, Surroundings, ValueInForce};
use crate::kernel::time::{from_us, to_us};
use crate::scenario::diagnostics::Diagnostic;
use crate::transport::controllers::timely::{BETA, PATCHED_BETA, Parameters};

/// Parameters of TIMELY (SIGCOMM 2015).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct Timely {
    /// Weight of the latest difference between round trips.
    #[schemars(title = "Gradient gain", range(min = 0.001, max = 1.0),
        extend("x-symbol" = "a", "x-live" = true, "x-slider" = [0.01, 1, "log"]), extend("x-source" = "TIMELY (SIGCOMM 2015): 0.875."))]
    pub gain: f64,
    /// Strength of the cut. Empty: 0.8, or 0.008 with the patch, as published.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(title = "Cut", range(min = 0.0001, max = 1.0),
        extend("x-symbol" = "β", "x-live" = true, "x-slider" = [0.001, 1, "log"]))]
    pub beta: Option<f64>,
    /// Step of additive increase.
    #[schemars(title = "Additive increase", range(min = 0.01, max = 100_000.0),
        extend("x-unit" = "Mb/s", "x-symbol" = "δ", "x-live" = true, "x-slider" = [1, 1000, "log"]), extend("x-source" = "TIMELY (SIGCOMM 2015): 10 Mb/s."))]
    pub additive_increase_mbps: f64,
    /// Below this round trip the rate always grows.
    #[schemars(title = "Low threshold", range(min = 0.1, max = 1_000_000.0),
        extend("x-unit" = "us", "x-symbol" = "T_low", "x-live" = true, "x-slider" = [5, 500, "log"]), extend("x-source" = "TIMELY (SIGCOMM 2015): 50 µs."))]
    pub low_us: f64,
    /// Above this round trip the rate always falls.
    #[schemars(title = "High threshold", range(min = 0.1, max = 1_000_000.0),
        extend("x-unit" = "us", "x-symbol" = "T_high", "x-live" = true, "x-slider" = [50, 5000, "log"]), extend("x-source" = "TIMELY (SIGCOMM 2015): 500 µs."))]
    pub high_us: f64,
    /// Round trip by which the gradient is divided. Empty: that of the class with empty queues.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(title = "Minimum RTT", range(min = 0.1, max = 1_000_000.0), extend("x-unit" = "us", "x-live" = true))]
    pub min_rtt_us: Option<f64>,
    /// Floor of the rate.
    #[schemars(title = "Minimum rate", range(min = 0.1, max = 1_000_000.0),
        extend("x-unit" = "Mb/s", "x-live" = true, "x-slider" = [1, 1000, "log"]), extend("x-source" = "HPCC's simulator: 100 Mb/s."))]
    pub min_rate_mbps: f64,
    /// With the published patch (CoNEXT 2016), which gives the rates a single point to settle at: the cut follows the
    /// distance from a reference round trip, weighted by the gradient.
    #[schemars(title = "Patched", extend("x-live" = true), extend("x-source" = "TIMELY as published in 2015; patched as Zhu et al. (CoNEXT 2016) propose."))]
    pub patched: bool,
}

impl Timely {
    pub(crate) fn is_default(&self) -> bool {
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
            min_rtt_us: None,
            min_rate_mbps: 100.0,
            patched: false,
        }
    }
}

impl Timely {
    /// Parameters of TIMELY for a class whose hosts send at `line_bps` and whose empty round trip is `rtt_ps`.
    pub fn parameters(&self, line_bps: f64, rtt_ps: u64) -> Parameters {
        Parameters {
            gain: self.gain,
            beta: self.beta.unwrap_or(if self.patched { PATCHED_BETA } else { BETA }),
            additive_increase_bps: self.additive_increase_mbps * 1e6,
            low_ps: from_us(self.low_us),
            high_ps: from_us(self.high_us),
            min_rtt_ps: self.min_rtt_us.map_or(rtt_ps, from_us).max(1),
            min_rate_bps: (self.min_rate_mbps * 1e6).min(line_bps),
            line_bps,
            patched: self.patched,
        }
    }
}

impl FromClass for Parameters {
    const RECOVERY_TIMER: &'static str = "the high threshold of TIMELY";

    fn from_class(class: &Sections, at: &Surroundings) -> Self {
        class.timely.parameters(at.line_bps, at.rtt_ps)
    }

    fn in_force(class: &Sections, at: &Surroundings) -> Vec<ValueInForce> {
        let parameters = Self::from_class(class, at);
        let beta = if class.timely.patched { "as published with the patch" } else { "as published" };
        [
            ("timely.beta", parameters.beta, beta),
            ("timely.minRttUs", to_us(parameters.min_rtt_ps), "the base RTT of the class"),
            ("timely.minRateMbps", parameters.min_rate_bps / 1e6, "the rate of the link"),
        ]
        .map(|(field, value, from)| ValueInForce { field, value: value.into(), basis: Basis::Phrase(from) })
        .into()
    }

    fn check(class: &Sections, path: &str) -> Option<Diagnostic> {
        let (low, high) = (class.timely.low_us, class.timely.high_us);
        (low > high).then(|| {
            Diagnostic::new(
                format!("{path}.timely.highUs"),
                format!("is {high} us, below the low threshold of {low} us"),
                format!("Give at least {low} us, or lower `{path}.timely.lowUs`."),
            )
        })
    }
}
