//! What writers read: a scenario, and every field of it explained.

use qoscope_engine::catalogue::{self, Explanation, FieldExplanation};
use qoscope_engine::scenario::fields::{self, Field};
use qoscope_engine::scenario::{self, Diagnostic, Scenario};
use serde_json::Value;

use super::{How, Mapped, Mapping};

/// A scenario, and every field of it explained.
pub(crate) struct Scene<'a> {
    /// The scenario.
    pub(crate) scenario: &'a Scenario,
    /// What is to be said of it.
    pub(crate) explanation: Explanation,
    document: Value,
}

impl<'a> Scene<'a> {
    /// # Errors
    /// As [`catalogue::explain`].
    pub(crate) fn new(scenario: &'a Scenario) -> Result<Self, Vec<Diagnostic>> {
        Ok(Self { scenario, explanation: catalogue::explain(scenario)?, document: scenario::as_value(scenario) })
    }

    /// What is to be said of a field; none where the scenario has no such field.
    pub(crate) fn explained(&self, path: &str) -> Option<&FieldExplanation> {
        self.explanation.fields.iter().find(|field| field.path == path)
    }

    /// The value in force of a field that has an effect here.
    pub(crate) fn effective(&self, path: &str) -> Option<&Value> {
        let explained = self.explained(path)?;
        Some(&explained.value).filter(|value| explained.no_effect.is_none() && !value.is_null())
    }

    /// The same, of a number.
    pub(crate) fn number(&self, path: &str) -> Option<f64> {
        self.effective(path)?.as_f64()
    }

    /// What the catalogue says of a field.
    pub(crate) fn field(&self, path: &str) -> Option<&'static Field> {
        fields::at(&self.document, path)
    }
}

impl Mapping {
    /// What became of the field at `path`: what the scenario says of it, and what was written.
    pub(crate) fn of(&self, scene: &Scene, path: &str, from: impl Into<String>, to: impl Into<String>) -> Mapped {
        let field = scene.field(path);
        Mapped {
            title: field.map_or_else(|| path.into(), |field| field.title.clone()),
            symbol: field.and_then(|field| field.symbol.clone()),
            path: path.into(),
            from: from.into(),
            to: to.into(),
            how: self.how,
            why: self.why.into(),
            see: None,
        }
    }
}

impl Mapped {
    /// The same, for a reason of this scenario: numbers that are rounded, say.
    pub(crate) fn because(self, how: How, why: impl Into<String>) -> Self {
        Self { how, why: why.into(), ..self }
    }
}
