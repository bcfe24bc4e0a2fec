//! Of one scenario: the value in force of every field, where it comes from, and why it has no effect where it has none.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use super::effect::{NoEffect, Rules};
use super::in_force::{self, InForce, Values};
use super::queues::Queues;
use super::recommend::{Recommended, recommendations};
use crate::scenario::document::{Change, Scenario};
use crate::scenario::fields::{self, Field, Form};
use crate::scenario::shape::{host_count, switch_count};
use crate::scenario::{self, Diagnostic};
use crate::simulation::Simulation;
use crate::simulation::plan::{NetworkSettings, Plan};
use crate::simulation::{devices, metrics};

/// What is to be said of a scenario.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "ScenarioExplanation")]
pub struct Explanation {
    /// Every field, but those inside of lists of data: nodes, links, servers, changes.
    pub fields: Vec<FieldExplanation>,
    /// The quantities of which nothing can be measured.
    pub metrics: Vec<MissingMetric>,
    /// The submission queues of a device.
    pub queues: Queues,
    /// How large the network is.
    pub network: NetworkSize,
    /// Share of the pages of an SSD outside free blocks that hold no data: what write amplification depends on. Null where no SSD begins
    /// in the steady state of garbage collection.
    pub effective_spare_share: Option<f64>,
}

/// Nodes of a network, counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct NetworkSize {
    /// Hosts.
    pub hosts: u32,
    /// Switches.
    pub switches: u32,
}

/// What is to be said of a field.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct FieldExplanation {
    /// Its path.
    pub path: String,
    /// The value in force; null where there is none.
    pub value: Value,
    /// Where the value comes from.
    pub source: Source,
    /// Where a derived value comes from, in words that end the sentence "It is ...".
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    /// Connections, ports or servers have values of their own while it is empty, of which this is one: written into the
    /// document it would hold for all of them.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub varies: bool,
    /// Why it has no effect on packets, requests and devices here, if it has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub no_effect: Option<NoEffect>,
    /// What theory recommends, where it recommends anything.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub recommended: Option<Recommended>,
    /// Why the value is legal but surely not meant, as the end of a sentence that begins with the name of the field, and what to do.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub warning: Option<String>,
}

/// Where a value in force comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "ValueSource")]
pub enum Source {
    /// The document says it.
    Given,
    /// It is the default, whether or not the document says so.
    Default,
    /// It follows from other fields.
    Derived,
}

/// A quantity of which nothing can be measured.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct MissingMetric {
    /// Which.
    pub id: &'static str,
    /// Why, as the end of a sentence.
    pub reason: &'static str,
}

/// Explains a scenario that has passed validation.
///
/// # Errors
/// As [`Simulation::new`]: diagnostics that show only when the network is laid out.
pub fn explain(scenario: &Scenario) -> Result<Explanation, Vec<Diagnostic>> {
    let plan = Plan::new(scenario)?;
    let settings = plan.settings(scenario)?;
    Ok(explanation(scenario, &scenario.timeline, &plan, &settings))
}

/// Explains the parameters of a run as they are now.
pub fn explain_run(simulation: &Simulation) -> Explanation {
    let to_come = simulation.scenario().timeline.get(simulation.changes_in_force()..).unwrap_or_default();
    explanation(simulation.current(), to_come, simulation.plan(), simulation.settings())
}

/// What is to be said of the parameters of `scenario`, which the changes `to_come` follow.
fn explanation(scenario: &Scenario, to_come: &[Change], plan: &Plan, settings: &NetworkSettings) -> Explanation {
    let mut walk = Walk {
        values: in_force::values(scenario, plan, settings),
        rules: Rules::new(scenario),
        recommended: recommendations(scenario, plan, settings).collect(),
        warnings: scenario::warnings(scenario)
            .into_iter()
            .map(|of| (of.path, format!("{}. {}", of.reason, of.hint)))
            .collect(),
        fields: Vec::new(),
        forms: Vec::new(),
    };
    walk.object(fields::document(), &scenario::as_value(scenario), "", None);
    walk.look_ahead(scenario, to_come);
    let missing = metrics::entries().into_iter().map(|entry| entry.quantity);
    let missing = missing.filter_map(|of| Some(MissingMetric { id: of.id, reason: of.requires.missing(scenario)? }));
    let shape = &scenario.topology.shape;
    let network = NetworkSize { hosts: host_count(shape), switches: switch_count(shape) };
    Explanation {
        fields: walk.fields,
        metrics: missing.collect(),
        queues: Queues::of(scenario),
        network,
        effective_spare_share: devices::effective_spare_share(scenario, plan),
    }
}

/// A walk through the document.
struct Walk<'a> {
    values: Values,
    rules: Rules<'a>,
    /// By path.
    recommended: BTreeMap<&'static str, Recommended>,
    /// By path.
    warnings: BTreeMap<String, String>,
    fields: Vec<FieldExplanation>,
    /// What the document says of each of them, and the element of a list that it is in.
    forms: Vec<(&'static Field, Option<usize>)>,
}

impl Walk<'_> {
    /// A field has no effect only if no change to come gives it one.
    fn look_ahead(&mut self, scenario: &Scenario, to_come: &[Change]) {
        let mut state = Scenario { timeline: Vec::new(), ..scenario.clone() };
        for change in to_come {
            // Changes have been tried when the scenario was loaded.
            if scenario::apply(&mut state, &change.path, &change.value).is_err() {
                return;
            }
            let rules = Rules::new(&state);
            for (explained, (field, index)) in self.fields.iter_mut().zip(&self.forms) {
                explained.no_effect = explained.no_effect.take().filter(|_| rules.no_effect(field, *index).is_some());
            }
        }
    }

    /// Explains the fields of an object at `path`, inside of the element `index` of a list.
    fn object(&mut self, form: &'static Field, value: &Value, path: &str, index: Option<usize>) {
        for field in form.fields_of(value) {
            let path = if path.is_empty() { field.name.clone() } else { format!("{path}.{}", field.name) };
            let value = value.get(&field.name).unwrap_or(&Value::Null);
            self.field(field, value, path, index);
        }
    }

    fn field(&mut self, field: &'static Field, value: &Value, path: String, index: Option<usize>) {
        match (field.form, &field.items) {
            (Form::Array, Some(items)) if LISTS_OF_SETTINGS.contains(&field.path.as_str()) => {
                for (index, element) in value.as_array().into_iter().flatten().enumerate() {
                    self.object(items, element, &format!("{path}[{index}]"), Some(index));
                }
            }
            // Data, each element of which says all there is to say.
            (Form::Array, Some(_)) => (),
            // What nobody tells readers has no values.
            (Form::Object, _) if field.annotation && value.is_null() => (),
            (Form::Object, _) => {
                let default = field.default.as_ref();
                let value = if value.is_null() { default.unwrap_or(value) } else { value };
                let missing = Value::Object(serde_json::Map::new());
                self.object(field, if value.is_null() { &missing } else { value }, &path, index);
            }
            _ => self.leaf(field, value, path, index),
        }
    }

    fn leaf(&mut self, field: &'static Field, value: &Value, path: String, index: Option<usize>) {
        let written = Some(value).filter(|value| !value.is_null()).or(field.default.as_ref()).unwrap_or(&Value::Null);
        let found = self.values.remove(&path);
        let varies = written.is_null() && found.as_ref().is_some_and(|found| found.varies);
        let (value, source, from) = match found {
            Some(InForce { value, from, .. }) if !is_close(&value, written) => (value, Source::Derived, Some(from)),
            Some(InForce { from, .. }) if written.is_null() => (Value::Null, Source::Default, Some(from)),
            _ if field.default.as_ref() == Some(written) || written.is_null() => {
                (written.clone(), Source::Default, None)
            }
            _ => (written.clone(), Source::Given, None),
        };
        let recommended = self.recommended.remove(path.as_str());
        let warning = self.warnings.remove(&path);
        let no_effect = self.rules.no_effect(field, index);
        self.forms.push((field, index));
        self.fields.push(FieldExplanation { path, value, source, from, varies, no_effect, recommended, warning });
    }
}

/// Lists whose elements are settings, and are explained field by field.
const LISTS_OF_SETTINGS: [&str; 2] = ["classes", "workloads"];

/// Whether two values are the same but for the picosecond, or bit per second, to which the simulation rounds.
fn is_close(one: &Value, other: &Value) -> bool {
    match (one.as_f64(), other.as_f64()) {
        (Some(one), Some(other)) => (one - other).abs() <= 1e-6 + 1e-9 * one.abs(),
        _ => one == other,
    }
}
