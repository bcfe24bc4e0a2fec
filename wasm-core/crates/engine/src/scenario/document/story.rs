//! What a scenario is there to show.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What to look at in a run, and what to try.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Story {
    /// A few sentences: what happens, and where it shows.
    #[schemars(title = "Text", length(min = 1, max = 2000))]
    pub text: String,
    /// What to change to see something else happen.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(title = "Tries", length(max = 16))]
    pub tries: Vec<Try>,
}

/// Changes that belong together, offered under one name.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Try {
    /// What is done, such as "Switch all classes to DCTCP".
    #[schemars(title = "Label", length(min = 1, max = 80))]
    pub label: String,
    /// New values of fields, made one after the other.
    #[schemars(title = "Changes", length(min = 1, max = 64))]
    pub changes: Vec<FieldChange>,
}

/// A new value for a field.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct FieldChange {
    /// Path of the field, such as `switch.ecnThresholdPackets`.
    #[schemars(title = "Field", length(min = 1, max = 200))]
    pub path: String,
    /// Its new value; null empties a field that may be empty.
    #[serde(default)]
    #[schemars(title = "Value")]
    pub value: serde_json::Value,
}
