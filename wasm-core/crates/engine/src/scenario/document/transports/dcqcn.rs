//! DCQCN and QRDMA in the document.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Basis, FromClass, Sections, Surroundings, ValueInForce};
use crate::kernel::time::{from_us, to_us};
use crate::transport::controllers::dcqcn::{NO_BYTE_COUNTER, Parameters};

/// Parameters of DCQCN. A field left empty takes the value of the set.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct Dcqcn {
    /// Published parameters to start from.
    #[schemars(title = "DCQCN preset", extend("x-live" = true, "x-lead" = true), extend("x-source" = "DCQCN (SIGCOMM 2015)."))]
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
    #[schemars(title = "Additive increase", range(min = 0.000_1, max = 100_000.0),
        extend("x-unit" = "Mb/s", "x-symbol" = "R_AI", "x-live" = true, "x-slider" = [1, 1000, "log"]))]
    pub additive_increase_mbps: Option<f64>,
    /// Step of the target rate in hyper increase.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(title = "Hyper increase", range(min = 0.000_1, max = 1_000_000.0),
        extend("x-unit" = "Mb/s", "x-symbol" = "R_HAI", "x-live" = true, "x-slider" = [10, 10_000, "log"]))]
    pub hyper_increase_mbps: Option<f64>,
    /// Floor of the rate.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(title = "Minimum rate", range(min = 0.1, max = 1_000_000.0),
        extend("x-unit" = "Mb/s", "x-live" = true, "x-slider" = [1, 1000, "log"]))]
    pub min_rate_mbps: Option<f64>,
    /// Every cut takes the rate before it as the new target, also when no step of recovery lies between two cuts.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(title = "Clamp target", extend("x-live" = true))]
    pub clamp_target: Option<bool>,
}

impl Dcqcn {
    pub(crate) fn is_default(&self) -> bool {
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

/// A byte counter of this many bytes or more is none: the timer alone leads from phase to phase.
const MAX_BYTE_COUNTER: u64 = 1_000_000_000;

impl Dcqcn {
    /// Parameters of DCQCN where hosts send at `line_bps`: those of the set, where the document does not say otherwise.
    pub fn parameters(&self, line_bps: f64) -> Parameters {
        let set = match self.set {
            DcqcnSet::Sigcomm15 => Parameters::sigcomm15(line_bps),
            DcqcnSet::Vendor => Parameters::vendor(line_bps),
            DcqcnSet::Hpcc => Parameters::hpcc(line_bps),
        };
        let bps = |mbps: f64| mbps * 1e6;
        Parameters {
            gain: self.gain.unwrap_or(set.gain),
            decrease_interval_ps: self.cnp_interval_us.map_or(set.decrease_interval_ps, from_us),
            alpha_timer_ps: self.alpha_timer_us.map_or(set.alpha_timer_ps, from_us),
            increase_timer_ps: self.increase_timer_us.map_or(set.increase_timer_ps, from_us),
            byte_counter_bytes: match self.byte_counter_bytes {
                Some(bytes) if bytes >= MAX_BYTE_COUNTER => NO_BYTE_COUNTER,
                Some(bytes) => bytes,
                None => set.byte_counter_bytes,
            },
            fast_recovery_steps: self.fast_recovery_steps.unwrap_or(set.fast_recovery_steps),
            additive_increase_bps: self.additive_increase_mbps.map_or(set.additive_increase_bps, bps),
            hyper_increase_bps: self.hyper_increase_mbps.map_or(set.hyper_increase_bps, bps),
            min_rate_bps: self.min_rate_mbps.map_or(set.min_rate_bps, bps).min(line_bps),
            clamp_target: self.clamp_target.unwrap_or(set.clamp_target),
            ..set
        }
    }
}

impl FromClass for Parameters {
    const RECOVERY_TIMER: &'static str = "the increase timer of DCQCN";

    fn from_class(class: &Sections, at: &Surroundings) -> Self {
        let quality_aware = at.transport.follows_quality();
        Self { quality_aware, ..class.dcqcn.parameters(at.line_bps) }
    }

    fn in_force(class: &Sections, at: &Surroundings) -> Vec<ValueInForce> {
        let parameters = Self::from_class(class, at);
        let set = serde_json::to_value(class.dcqcn.set).unwrap_or_default();
        let preset = Basis::Preset { field: "dcqcn.set", id: set.as_str().unwrap_or_default().into() };
        let counter = Some(parameters.byte_counter_bytes).filter(|&bytes| bytes != NO_BYTE_COUNTER);
        let without_counter = Basis::Phrase("none, so that the timer alone leads from phase to phase");
        let of_counter = if counter.is_none() { without_counter } else { preset.clone() };
        let of_min_rate = class.dcqcn.min_rate_mbps.map_or(preset.clone(), |_| Basis::Phrase("the rate of the link"));
        let of_set = |field, value: Value| ValueInForce { field, value, basis: preset.clone() };
        vec![
            of_set("dcqcn.gain", parameters.gain.into()),
            of_set("dcqcn.cnpIntervalUs", to_us(parameters.decrease_interval_ps).into()),
            of_set("dcqcn.alphaTimerUs", to_us(parameters.alpha_timer_ps).into()),
            of_set("dcqcn.increaseTimerUs", to_us(parameters.increase_timer_ps).into()),
            of_set("dcqcn.fastRecoverySteps", parameters.fast_recovery_steps.into()),
            of_set("dcqcn.additiveIncreaseMbps", (parameters.additive_increase_bps / 1e6).into()),
            of_set("dcqcn.hyperIncreaseMbps", (parameters.hyper_increase_bps / 1e6).into()),
            of_set("dcqcn.clampTarget", parameters.clamp_target.into()),
            ValueInForce { field: "dcqcn.byteCounterBytes", value: counter.into(), basis: of_counter },
            ValueInForce {
                field: "dcqcn.minRateMbps",
                value: (parameters.min_rate_bps / 1e6).into(),
                basis: of_min_rate,
            },
        ]
    }
}
