//! The traces of a scenario, by name.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::Trace;

/// Traces that have been read, by the names that a scenario has for them.
#[derive(Clone, Debug, Default)]
pub struct Traces(BTreeMap<String, Arc<Trace>>);

impl Traces {
    /// Adds a trace, in the place of any of the same name.
    pub fn insert(&mut self, name: impl Into<String>, trace: Trace) {
        self.0.insert(name.into(), Arc::new(trace));
    }

    /// Whether these are the same traces under the same names.
    pub fn are_those(&self, others: &Self) -> bool {
        let is_there =
            |(name, trace): (&String, &Arc<Trace>)| others.get(name).is_some_and(|other| Arc::ptr_eq(trace, other));
        self.0.len() == others.0.len() && self.0.iter().all(is_there)
    }

    /// The trace of a name.
    pub fn get(&self, name: &str) -> Option<&Arc<Trace>> {
        self.0.get(name)
    }
}
