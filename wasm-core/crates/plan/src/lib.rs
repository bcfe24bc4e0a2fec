//! The planner of capacities and the reader of traces behind a WebAssembly face: conversions, no logic. They are a module of
//! their own, since few who open the page plan or bring traces. Times are microseconds, rates requests a second. Errors are thrown as JSON lists of diagnostics.

use qoscope_engine::planner;
use qoscope_engine::planner::bursts::LadderTerms;
use qoscope_engine::planner::jobs::{Job, Question};
use qoscope_engine::scenario::{self, Diagnostic};
use qoscope_engine::simulation::replays::described;
use qoscope_engine::workload::traces::{Format, ReadError, Selection, Trace, TraceReader, Traces};
use serde::de::DeserializeOwned;
use wasm_bindgen::prelude::*;

/// A planner, and the traces that its scenarios may replay.
#[wasm_bindgen]
#[derive(Default)]
pub struct Planner {
    planner: Option<planner::Planner>,
    traces: Traces,
}

#[wasm_bindgen]
impl Planner {
    /// A planner without a scenario.
    #[wasm_bindgen(constructor)]
    pub fn new() -> Planner {
        Self::default()
    }

    /// Adds a trace for the scenarios to come, as [`TraceFile::bytes`] hands it over. Returns whether it is one.
    #[wasm_bindgen(js_name = insertTrace)]
    pub fn insert_trace(&mut self, name: &str, bytes: &[u8]) -> bool {
        let trace = Trace::from_bytes(bytes);
        let is_trace = trace.is_some();
        trace.into_iter().for_each(|trace| self.traces.insert(name, trace));
        is_trace
    }

    /// Plans for a scenario. Returns whether its tenants have other requests than those of the one before.
    ///
    /// # Errors
    /// Every diagnostic of the scenario, and why it cannot be planned for; what was planned before stays.
    pub fn set(&mut self, scenario_json: &str) -> Result<bool, JsValue> {
        let scenario = scenario::load(scenario_json).map_err(thrown)?;
        match &mut self.planner {
            Some(planner) => planner.set(scenario, &self.traces).map_err(thrown),
            None => {
                self.planner = Some(planner::Planner::new(scenario, self.traces.clone()).map_err(thrown)?);
                Ok(true)
            }
        }
    }

    /// By tenant: name, requests, mean rate and when the last comes, as JSON.
    pub fn facts(&self) -> String {
        text(&self.planner.as_ref().map(planner::Planner::facts).unwrap_or_default())
    }

    /// What the contracts need, as JSON; null without a scenario.
    pub fn needs(&self) -> String {
        text(&self.planner.as_ref().map(planner::Planner::needs))
    }

    /// What a tenant does under a ladder between two instants, as JSON; null where that has too many steps.
    pub fn ladder(&self, terms_json: &str, tenant: usize, from_us: f64, to_us: f64) -> Result<String, JsValue> {
        let terms: LadderTerms = read(terms_json)?;
        let steps = self.planner.as_ref().and_then(|planner| planner.ladder(&terms, tenant, from_us, to_us));
        Ok(text(&steps))
    }

    /// Begins to answer a question, `{ kind, tenant, .. }` or `{ kind, scheduler }`, about the scenario as it is now; nothing
    /// where there is nothing to be answered.
    pub fn begin(&self, question_json: &str) -> Result<Option<Answer>, JsValue> {
        let question: Question = read(question_json)?;
        Ok(self.planner.as_ref().and_then(|planner| planner.begin(&question)).map(Answer))
    }
}

/// A question that is being answered.
#[wasm_bindgen]
pub struct Answer(Job);

#[wasm_bindgen]
impl Answer {
    /// Goes on until it has looked at about so many requests more. Returns whether the question is answered.
    pub fn advance(&mut self, budget: f64) -> bool {
        self.0.advance(budget as u64)
    }

    /// How far it is, from 0 to 1.
    pub fn progress(&self) -> f64 {
        self.0.progress()
    }

    /// What was found, as JSON; null before it is.
    pub fn findings(&self) -> String {
        text(&self.0.findings())
    }
}

fn read<T: DeserializeOwned>(json: &str) -> Result<T, JsValue> {
    serde_json::from_str(json).map_err(|error| {
        thrown(vec![Diagnostic::new("", format!("is no question for the planner: {error}"), "Ask another one.")])
    })
}

/// A trace that is being read, piece by piece.
#[wasm_bindgen]
pub struct TraceFile {
    reader: Option<TraceReader>,
    trace: Trace,
}

#[wasm_bindgen]
impl TraceFile {
    /// Of a format by its name, or one that is told from its lines (`auto`); of one volume or of all; at most so many requests.
    #[wasm_bindgen(constructor)]
    pub fn new(format: &str, volume: Option<String>, max_requests: u32) -> TraceFile {
        let selection = Selection {
            volumes: volume.into_iter().collect(),
            max_requests: max_requests as usize,
            ..Selection::default()
        };
        Self { reader: Some(TraceReader::new(Format::from_id(format), selection)), trace: Trace::default() }
    }

    /// Takes the next piece of text.
    ///
    /// # Errors
    /// A sentence that says why the trace cannot be read.
    pub fn feed(&mut self, piece: &[u8]) -> Result<(), JsValue> {
        self.reader.as_mut().map_or(Ok(()), |reader| reader.feed(piece)).map_err(said)
    }

    /// Lines read so far.
    pub fn lines(&self) -> f64 {
        self.reader.as_ref().map_or(0.0, |reader| reader.lines_read() as f64)
    }

    /// The end has come: what there was, as JSON.
    ///
    /// # Errors
    /// A sentence that says why the trace cannot be read.
    pub fn finish(&mut self) -> Result<String, JsValue> {
        let Some(reader) = self.reader.take() else { return Ok("null".into()) };
        let (trace, mut statistics) = reader.finish().map_err(said)?;
        self.trace = trace;
        statistics.busiest_first();
        Ok(described(&statistics).to_string())
    }

    /// What was kept, to be handed to the `TraceShelf` of the engine or to [`Planner::insert_trace`].
    pub fn bytes(&self) -> Vec<u8> {
        self.trace.to_bytes()
    }
}

fn said(error: ReadError) -> JsValue {
    JsValue::from_str(&error.to_string())
}

fn text(value: &impl serde::Serialize) -> String {
    serde_json::to_string(value).expect("plain data has a JSON form")
}

fn thrown(diagnostics: Vec<Diagnostic>) -> JsValue {
    JsValue::from_str(&text(&diagnostics))
}
