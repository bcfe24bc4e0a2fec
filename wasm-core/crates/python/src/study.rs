//! Studies: the coordinator that the command line has as well.

use std::path::PathBuf;

use pyo3::prelude::*;
use qoscope_campaign::{Campaign, Detail};
use qoscope_engine::scenario;
use qoscope_host::columns::of_table;
use qoscope_host::shorthand::{Wishes, Written};
use qoscope_host::{Coordinator, Error, session};
use qoscope_store::{Key, Record};
use qoscope_study::Session;
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::errors::{failed, of};
use crate::guarded::Guarded;
use crate::table::{Table, array};
use crate::text;
use crate::traces::Traces;

/// A study in shorthand.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Request {
    vary: Vec<String>,
    #[serde(default)]
    set: Map<String, Value>,
    #[serde(default)]
    measures: Vec<String>,
    seeds: Option<u32>,
    first_seed: Option<u64>,
    ask: Value,
    wishes: Option<WishesRequest>,
}

/// What a search is asked, in shorthand.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WishesRequest {
    want: Vec<String>,
    confidence: Option<f64>,
    least: Vec<String>,
    most: Vec<String>,
}

#[pyfunction]
pub fn shorthand(py: Python<'_>, scenario: &str, request: &str) -> PyResult<String> {
    let request: Request = serde_json::from_str(request)
        .map_err(|error| failed(py, format!("This is no study in shorthand: {error}.")))?;
    let written = py.detach(|| -> Result<Value, Error> {
        let document = scenario::parse(scenario)?;
        let written = Written {
            document: &document,
            set: request.set,
            vary: &request.vary,
            option: if request.wishes.is_some() { "free" } else { "vary" },
            measures: &request.measures,
            suggested: &qoscope_study::suggest(&document)?.measures,
            seeds: request.seeds,
            first_seed: request.first_seed,
        };
        let wishes = request.wishes.as_ref().map(|wishes| Wishes {
            wants: &wishes.want,
            option: "want",
            confidence: wishes.confidence,
            least: &wishes.least,
            most: &wishes.most,
            preference_options: ["least", "most"],
        });
        qoscope_host::shorthand::study(&written, request.ask, wishes.as_ref())
    });
    written.map(|study| text(&study)).map_err(|error| of(py, error))
}

/// A study, its dataset, and which runs are wanted next.
#[pyclass(frozen, module = "qoscope._native")]
pub struct Study(Guarded<Coordinator<Session>>);

impl Study {
    fn with<T: Send>(&self, py: Python<'_>, act: impl FnOnce(&mut Coordinator<Session>) -> T + Send) -> PyResult<T> {
        self.0.with(py, act)
    }

    fn tried<T: Send>(
        &self,
        py: Python<'_>,
        act: impl FnOnce(&mut Coordinator<Session>) -> Result<T, Error> + Send,
    ) -> PyResult<T> {
        self.with(py, act)?.map_err(|error| of(py, error))
    }
}

fn key(py: Python<'_>, text: &str) -> PyResult<Key> {
    text.parse().map_err(|error: String| failed(py, error))
}

#[pymethods]
impl Study {
    #[new]
    #[pyo3(signature = (study, scenario, traces, out = None, shard = None))]
    fn new(
        py: Python<'_>,
        study: &str,
        scenario: Option<&str>,
        traces: &Traces,
        out: Option<PathBuf>,
        shard: Option<(u32, u32)>,
    ) -> PyResult<Self> {
        let made = py.detach(|| {
            let study = qoscope_study::Study::read(study)?;
            let document = match (scenario, &study.scenario) {
                (Some(text), _) => scenario::parse(text)?,
                (None, Some(own)) if own.is_object() => own.clone(),
                _ => {
                    let hint = "Give the whole scenario, or its file beside that of the study.";
                    return Err(scenario::Diagnostic::new("scenario", "is not at hand", hint).into());
                }
            };
            Coordinator::new(session(study, &document, &traces.0)?, out.as_deref(), shard)
        });
        made.map(|made| Self(Guarded::new(made))).map_err(|error| of(py, error))
    }

    fn document(&self, py: Python<'_>) -> PyResult<String> {
        self.with(py, |own| text(own.campaign_mut().study()))
    }

    fn cost(&self, py: Python<'_>) -> PyResult<String> {
        self.with(py, |own| text(&own.campaign_mut().cost()))
    }

    fn hand_out(&self, py: Python<'_>, room: usize) -> PyResult<Vec<(String, String)>> {
        let jobs = self.tried(py, |own| own.hand_out(room))?;
        Ok(jobs.into_iter().map(|job| (job.key.to_string(), job.document)).collect())
    }

    fn take(&self, py: Python<'_>, key: &str, record: &str) -> PyResult<()> {
        let key = self::key(py, key)?;
        let record: Record = py
            .detach(|| serde_json::from_str(record))
            .map_err(|error| failed(py, format!("This is no record of a run: {error}.")))?;
        self.tried(py, |own| own.take(key, &record))
    }

    fn failed(&self, py: Python<'_>, key: &str, sentence: &str) -> PyResult<()> {
        let key = self::key(py, key)?;
        self.tried(py, |own| own.failed(key, sentence))
    }

    fn give_back(&self, py: Python<'_>, key: &str) -> PyResult<()> {
        let key = self::key(py, key)?;
        self.tried(py, |own| own.give_back(key))
    }

    #[getter]
    fn is_done(&self, py: Python<'_>) -> PyResult<bool> {
        self.with(py, |own| own.is_done())
    }

    #[getter]
    fn elsewhere(&self, py: Python<'_>) -> PyResult<usize> {
        self.with(py, |own| own.claimed_by_others())
    }

    fn counts(&self, py: Python<'_>) -> PyResult<String> {
        self.with(py, |own| text(&own.counts()))
    }

    fn progress(&self, py: Python<'_>) -> PyResult<String> {
        self.with(py, |own| text(&own.campaign_mut().study_progress()))
    }

    fn told(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        self.with(py, Coordinator::take_notices)
    }

    fn table(&self, py: Python<'_>) -> PyResult<String> {
        self.with(py, |own| text(&own.campaign_mut().table()))
    }

    fn points(&self, py: Python<'_>) -> PyResult<Table> {
        let columns = self.with(py, |own| of_table(&own.campaign_mut().table()))?;
        Table::of(columns.into_iter().map(|column| (column.name, array(column.values))))
    }

    fn answer(&self, py: Python<'_>) -> PyResult<Option<String>> {
        let answer = self.with(py, |own| own.campaign_mut().answer())?.transpose();
        answer.map(|answer| answer.map(|answer| text(&answer))).map_err(|faults| of(py, faults.into()))
    }

    fn close(&self, py: Python<'_>) -> PyResult<()> {
        self.tried(py, Coordinator::close)
    }
}

#[pyfunction]
pub fn make(py: Python<'_>, scenario: &str, traces: &Traces) -> PyResult<String> {
    let made = py.detach(|| {
        let is_stopped = || Python::attach(|py| py.check_signals().is_err());
        qoscope_host::make(scenario, Detail::Kept, &traces.0, &is_stopped)
    });
    match made.map_err(|error| of(py, error))? {
        Some(record) => Ok(text(&record)),
        None => Err(pyo3::exceptions::PyKeyboardInterrupt::new_err(())),
    }
}
