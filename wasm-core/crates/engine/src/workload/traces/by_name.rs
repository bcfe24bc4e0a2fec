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

    /// The trace of a name.
    pub fn get(&self, name: &str) -> Option<&Arc<Trace>> {
        self.0.get(name)
    }
}
