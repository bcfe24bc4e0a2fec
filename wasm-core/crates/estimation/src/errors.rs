//! Numbers of measured and simulated jobs, and their errors.

use schemars::JsonSchema;
use serde::Serialize;

/// Numbers of a job: latencies in microseconds, requests a second; or their errors.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "FitNumbers")]
pub struct Numbers {
    /// Mean latency.
    pub mean: Option<f64>,
    /// Median.
    pub p50: Option<f64>,
    /// 99th percentile.
    pub p99: Option<f64>,
    /// 99.9th percentile.
    pub p999: Option<f64>,
    /// Requests a second.
    pub iops: Option<f64>,
}

/// Means of absolute errors over some jobs, in per cent.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "FitErrors")]
pub struct Errors {
    /// Jobs.
    pub jobs: usize,
    /// Of the mean, the percentiles and the IOPS.
    pub of: Numbers,
}

impl Numbers {
    pub(super) fn map2(self, other: Self, of: impl Fn(f64, f64) -> f64) -> Self {
        let both = |one: Option<f64>, other: Option<f64>| Some(of(one?, other?));
        Self {
            mean: both(self.mean, other.mean),
            p50: both(self.p50, other.p50),
            p99: both(self.p99, other.p99),
            p999: both(self.p999, other.p999),
            iops: both(self.iops, other.iops),
        }
    }

    /// Means of the absolute values of what is there.
    pub(super) fn means(all: &[Self]) -> Self {
        let mean = |of: fn(&Self) -> Option<f64>| {
            let known: Vec<f64> = all.iter().filter_map(of).map(libm::fabs).collect();
            (!known.is_empty()).then(|| known.iter().sum::<f64>() / known.len() as f64)
        };
        Self {
            mean: mean(|of| of.mean),
            p50: mean(|of| of.p50),
            p99: mean(|of| of.p99),
            p999: mean(|of| of.p999),
            iops: mean(|of| of.iops),
        }
    }
}
