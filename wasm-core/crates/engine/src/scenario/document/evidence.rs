//! What the parameters of a device rest on, where they were fitted to measurements.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What a device was fitted to, and how well.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Evidence {
    /// What the device is called.
    #[schemars(title = "Name", length(min = 1, max = 80))]
    pub name: String,
    /// Files that its jobs were read from.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(title = "Files", length(max = 10_000))]
    pub files: Vec<MeasuredFile>,
    /// Jobs that its parameters were fitted to.
    #[schemars(title = "Jobs fitted", range(min = 1, max = 100_000))]
    pub fitted_jobs: u32,
    /// Jobs that were held out of the fit, to test it.
    #[serde(default)]
    #[schemars(title = "Jobs held out", range(max = 100_000), extend("x-source" = "None, where a file does not say."))]
    pub held_out_jobs: u32,
    /// Mean of the absolute errors of the mean latency, over the jobs that were fitted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(title = "Error of the mean", range(min = 0.0), extend("x-unit" = "%"))]
    pub mean_error_percent: Option<f64>,
    /// The same of the 99th percentile.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(title = "Error of p99", range(min = 0.0), extend("x-unit" = "%"))]
    pub p99_error_percent: Option<f64>,
    /// Mean of the absolute errors of the mean latency, over the jobs that were held out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(title = "Error of the mean, held out", range(min = 0.0), extend("x-unit" = "%"))]
    pub held_out_mean_error_percent: Option<f64>,
    /// The same of the 99th percentile.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(title = "Error of p99, held out", range(min = 0.0), extend("x-unit" = "%"))]
    pub held_out_p99_error_percent: Option<f64>,
    /// Parameters as they were fitted: one that the scenario has otherwise by now was changed since.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(title = "Values as fitted", length(max = 64))]
    pub values: Vec<FittedValue>,
}

/// A file of measurements.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct MeasuredFile {
    /// Its name.
    #[schemars(title = "File", length(min = 1, max = 400))]
    pub file: String,
    /// The hash of what it contains, by which it is known again.
    #[schemars(title = "Hash", length(max = 128))]
    pub hash: String,
}

/// A parameter that measurements determine.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct FittedValue {
    /// The path of its field, the first where it is several.
    #[schemars(title = "Field", length(min = 1, max = 200))]
    pub path: String,
    /// Its value, in the unit of the field.
    #[schemars(title = "Value")]
    pub value: f64,
    /// Lower end of the interval that the measurements leave it.
    #[schemars(title = "Low")]
    pub low: f64,
    /// Upper end of the interval that the measurements leave it.
    #[schemars(title = "High")]
    pub high: f64,
}
