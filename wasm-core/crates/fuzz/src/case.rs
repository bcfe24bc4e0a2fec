//! One case: what is done to the engine, complete and replayable.

use qoscope_engine::kernel::random::Stream;
use qoscope_engine::scenario::FieldChange;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::generate::Generator;

/// Events after which a run is broken off.
const EVENTS: (f64, f64) = (300.0, 120_000.0);
/// More events than any case has.
const UNLIMITED: u64 = 1_000_000_000_000;

/// What is done to the engine.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(untagged, deny_unknown_fields)]
pub enum Case {
    /// A text is loaded.
    Text {
        /// The text.
        text: String,
    },
    /// A scenario is loaded, and run in slices with changes between them.
    Run {
        /// The scenario.
        document: Value,
        /// What is done, in order; then the run goes on to its end.
        #[serde(default)]
        steps: Vec<Step>,
        /// Events after which the run is broken off.
        events: u64,
    },
}

/// A slice of a run, and changes at its end.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Step {
    /// Instant up to which the slice goes.
    pub until_us: f64,
    /// Events after which it ends sooner.
    pub events: u64,
    /// The live fields that are changed then, all at once.
    #[serde(default)]
    pub changes: Vec<FieldChange>,
}

impl Case {
    /// Case `number` of a seed. `committed` are scenarios that some cases begin with, `root` is the schema.
    pub fn draw(root: &Value, committed: &[Value], seed: u64, number: u64) -> Self {
        let mut random = Stream::new(seed, "fuzz", number);
        let daring = [0.0, 0.0, 0.3, 1.0][random.integer(0, 3) as usize];
        let mut generator = Generator { root, random, daring };
        let kind = generator.random.uniform();
        let document = if kind < 0.12 && !committed.is_empty() {
            generator.pick(committed).clone()
        } else if kind > 0.95 {
            generator.value(root)
        } else {
            generator.scenario()
        };
        if generator.chance(0.15) {
            return Self::Text { text: generator.damaged(&document) };
        }
        let steps = if generator.chance(0.7) { generator.steps(&document) } else { Vec::new() };
        Self::Run { document, steps, events: generator.log_uniform(EVENTS.0, EVENTS.1) as u64 }
    }

    /// The case of a file: as written by the fuzzer, or a scenario, or any other text.
    ///
    /// # Errors
    /// The file has the form of a case, but is none.
    pub fn read(text: &str) -> serde_json::Result<Self> {
        match serde_json::from_str::<Value>(text) {
            Ok(case) if case.get("document").is_some() || case.get("text").is_some() => serde_json::from_value(case),
            Ok(document) if document.get("version").is_some() => {
                Ok(Self::Run { document, steps: Vec::new(), events: EVENTS.1 as u64 })
            }
            _ => Ok(Self::Text { text: text.into() }),
        }
    }
}

impl Generator<'_> {
    /// Slices of random length, most of them with a change of a live field.
    fn steps(&mut self, document: &Value) -> Vec<Step> {
        let length_us = document["durationUs"].as_f64().unwrap_or(0.0);
        let mut instants: Vec<f64> = (0..self.log_uniform(1.0, 12.0) as usize)
            .map(
                |_| if self.chance(0.3) { self.log_uniform(0.0, length_us) } else { self.random.uniform() * length_us },
            )
            .collect();
        instants.sort_by(f64::total_cmp);
        let step = |until_us| Step {
            until_us,
            events: if self.chance(0.5) { self.log_uniform(1.0, EVENTS.1) as u64 } else { UNLIMITED },
            changes: (0..*self.pick(&[0, 1, 1, 1, 3])).map(|_| self.change_or_junk(document)).collect(),
        };
        instants.into_iter().map(step).collect()
    }

    fn change_or_junk(&mut self, document: &Value) -> FieldChange {
        let (path, value) = self.change(document);
        let (path, value) = match self.index(20) {
            0 => (path, self.junk(1)),
            1 => (self.text(0, 30), value),
            2 => (path, json!(null)),
            _ => (path, value),
        };
        FieldChange { path, value }
    }
}
