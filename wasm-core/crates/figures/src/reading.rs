//! What expressions give under every seed of the results that there are.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::Value;

use crate::expression::{Expression, Scope};
use crate::{Estimate, REFERENCE};

/// Results by name.
#[derive(Clone, Debug, Default)]
pub struct Results {
    /// Of every run one for each seed, in the order of the seeds, as many as there are.
    pub runs: BTreeMap<String, Vec<Arc<Value>>>,
    /// Of every model.
    pub models: BTreeMap<String, Arc<Value>>,
}

/// What expressions read.
#[derive(Clone, Copy)]
pub struct Reading<'a> {
    /// Results of runs, paired by seed, and of models.
    pub results: &'a Results,
    /// What expressions call `reference`.
    pub reference: Option<&'a Value>,
}

impl Reading<'_> {
    /// Under how many seeds all runs of some expressions have been made: the least of what their runs have. None where no run is
    /// read, so that no seed matters. What is not there counts as a run without a seed.
    pub fn seeds<'e>(&self, expressions: impl IntoIterator<Item = &'e Expression>) -> Option<usize> {
        let names = expressions.into_iter().flat_map(Expression::names);
        let runs = names.filter(|name| *name != REFERENCE && !self.results.models.contains_key(*name));
        runs.map(|name| self.results.runs.get(name).map_or(0, Vec::len)).min()
    }

    /// What an expression gives under each of the first seeds.
    ///
    /// # Errors
    /// What it reads that is not there.
    pub fn numbers(&self, expression: &Expression, seeds: usize) -> Result<Vec<f64>, String> {
        let mut fixed = Scope::new();
        let mut seeded = Vec::new();
        for name in expression.names() {
            if name == REFERENCE {
                fixed.insert(REFERENCE, self.reference.ok_or("there is no `reference`")?);
            } else if let Some(found) = self.results.models.get(name) {
                fixed.insert(name, found);
            } else {
                let found = self.results.runs.get(name).filter(|found| !found.is_empty());
                seeded.push((name, found.ok_or_else(|| format!("there is no result of `{name}`"))?));
            }
        }
        let of_seed = |seed: usize| {
            let mut scope = fixed.clone();
            scope.extend(seeded.iter().map(|(name, found)| (*name, found[seed].as_ref())));
            expression.number(&scope).map_err(|reason| format!("{reason} (seed {})", seed + 1))
        };
        (0..seeds).map(of_seed).collect()
    }

    /// The mean of an expression over all seeds that there are; exact where it reads no run, or one that was made once.
    ///
    /// # Errors
    /// What it reads that is not there.
    pub fn estimate(&self, expression: &Expression) -> Result<Estimate, String> {
        let numbers = self.numbers(expression, self.seeds([expression]).unwrap_or(1).max(1))?;
        Ok(match numbers.as_slice() {
            [number] => Estimate::exact(*number),
            numbers => Estimate::of(numbers),
        })
    }
}
