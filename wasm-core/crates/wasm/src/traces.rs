//! Traces: reading them, and keeping them for runs and plans.

use qoscope_engine::simulation::replays::described;
use qoscope_engine::workload::traces::{Format, ReadError, Selection, Trace, TraceReader, Traces};
use wasm_bindgen::prelude::*;

use crate::text;

/// Traces that have been read, by name.
#[wasm_bindgen]
#[derive(Default)]
pub struct TraceShelf(pub(crate) Traces);

#[wasm_bindgen]
impl TraceShelf {
    /// None yet.
    #[wasm_bindgen(constructor)]
    pub fn new() -> TraceShelf {
        Self::default()
    }

    /// Adds a trace as [`TraceFile::bytes`] hands it over. Returns whether it is one.
    pub fn insert(&mut self, name: &str, bytes: &[u8]) -> bool {
        let trace = Trace::from_bytes(bytes);
        let is_trace = trace.is_some();
        trace.into_iter().for_each(|trace| self.0.insert(name, trace));
        is_trace
    }
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
        Ok(text(&described(&statistics)))
    }

    /// What was kept, to be handed to [`TraceShelf::insert`].
    pub fn bytes(&self) -> Vec<u8> {
        self.trace.to_bytes()
    }
}

fn said(error: ReadError) -> JsValue {
    JsValue::from_str(&error.to_string())
}
