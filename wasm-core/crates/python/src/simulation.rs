//! A run.

use std::sync::Arc;

use arrow_array::{Float64Array, StringArray};
use pyo3::prelude::*;
use qoscope_engine::VERSION;
use qoscope_engine::catalogue;
use qoscope_engine::scenario::{self, FieldChange};
use qoscope_engine::simulation::{self as engine, layout};
use qoscope_host::columns::Series;
use qoscope_store::columns::Values;

use crate::errors::{failed, invalid, of};
use crate::guarded::Guarded;
use crate::table::{Table, array};
use crate::text;
use crate::traces::Traces;

/// Events between two looks whether the run is to stop.
const SLICE: u64 = 200_000;
/// Points of a latency distribution.
const TAIL_POINTS: usize = 200;

/// A run.
#[pyclass(frozen, module = "qoscope._native")]
pub struct Simulation(Guarded<engine::Simulation>);

impl Simulation {
    fn with<T: Send>(&self, py: Python<'_>, act: impl FnOnce(&mut engine::Simulation) -> T + Send) -> PyResult<T> {
        self.0.with(py, act)
    }
}

#[pymethods]
impl Simulation {
    #[new]
    fn new(py: Python<'_>, scenario: &str, traces: &Traces) -> PyResult<Self> {
        let made = py.detach(|| {
            let scenario = scenario::load(scenario)?;
            let traces = traces.0.of(&scenario)?;
            Ok(engine::Simulation::with_traces(&scenario, &traces)?)
        });
        made.map(|made| Self(Guarded::new(made))).map_err(|error| of(py, error))
    }

    #[pyo3(signature = (until_ps, max_events = None))]
    fn advance(&self, py: Python<'_>, until_ps: u64, max_events: Option<u64>) -> PyResult<bool> {
        let mut left = max_events.unwrap_or(u64::MAX);
        loop {
            let slice = left.min(SLICE);
            let is_there = self.with(py, |own| own.advance(until_ps, slice))?;
            left -= slice;
            if is_there || left == 0 {
                return Ok(is_there);
            }
            py.check_signals()?;
        }
    }

    #[getter]
    fn now_ps(&self, py: Python<'_>) -> PyResult<u64> {
        self.with(py, |own| own.now_ps())
    }

    #[getter]
    fn duration_ps(&self, py: Python<'_>) -> PyResult<u64> {
        self.with(py, |own| own.duration_ps())
    }

    #[getter]
    fn packet_hops(&self, py: Python<'_>) -> PyResult<u64> {
        self.with(py, |own| own.packet_hops())
    }

    #[getter]
    fn events(&self, py: Python<'_>) -> PyResult<u64> {
        self.with(py, |own| own.events())
    }

    #[getter]
    fn digest(&self, py: Python<'_>) -> PyResult<String> {
        self.with(py, |own| format!("{:016x}", own.digest()))
    }

    fn apply(&self, py: Python<'_>, changes: &str) -> PyResult<()> {
        let changes = scenario::parse(changes).map_err(|diagnostic| invalid(py, &[diagnostic]))?;
        let changes: Vec<FieldChange> = serde_json::from_value(changes)
            .map_err(|error| failed(py, format!("This is no list of changes: {error}.")))?;
        self.with(py, |own| own.apply_all(&changes))?.map_err(|diagnostics| invalid(py, &diagnostics))
    }

    fn scenario(&self, py: Python<'_>) -> PyResult<String> {
        self.with(py, |own| scenario::as_text(own.scenario()))
    }

    fn current(&self, py: Python<'_>) -> PyResult<String> {
        self.with(py, |own| scenario::as_text(own.current()))
    }

    fn fork(&self, py: Python<'_>) -> PyResult<Self> {
        self.with(py, |own| Self(Guarded::new(own.clone())))
    }

    fn summary(&self, py: Python<'_>) -> PyResult<String> {
        self.with(py, |own| {
            let mut summary = own.summary();
            summary.engine.version = Some(VERSION);
            text(&summary)
        })
    }

    fn layout(&self, py: Python<'_>) -> PyResult<String> {
        self.with(py, |own| text(&layout(own)))
    }

    fn bottleneck(&self, py: Python<'_>) -> PyResult<String> {
        self.with(py, |own| text(&own.bottleneck()))
    }

    fn convergence(&self, py: Python<'_>) -> PyResult<String> {
        self.with(py, |own| {
            let classes = 0..own.scenario().classes.len();
            text(&classes.map(|class| own.convergence(class)).collect::<Vec<_>>())
        })
    }

    fn explain(&self, py: Python<'_>) -> PyResult<String> {
        self.with(py, |own| text(&catalogue::explain_run(own)))
    }

    #[pyo3(signature = (first = 0))]
    fn samples(&self, py: Python<'_>, first: usize) -> PyResult<Table> {
        let series = self.with(py, |own| Series::of(own, first))?;
        let column = |(at, name): (usize, &String)| (snake(name), array(Values::Numbers(series.column(at))));
        Table::of(series.columns.iter().enumerate().map(column))
    }

    fn latencies(&self, py: Python<'_>) -> PyResult<Table> {
        let rows = self.with(py, |own| {
            let names: Vec<String> = own.scenario().classes.iter().map(|class| class.name.clone()).collect();
            let mut rows = Vec::new();
            for (class, name) in names.iter().enumerate() {
                let of = [
                    ("request", own.latency_tail(class, TAIL_POINTS)),
                    ("device", own.device_latency_tail(class, TAIL_POINTS)),
                ];
                for (place, points) in of {
                    rows.extend(points.into_iter().map(|(us, share)| (name.clone(), place, us, share)));
                }
            }
            rows
        })?;
        Table::of([
            ("class".into(), Arc::new(StringArray::from_iter_values(rows.iter().map(|row| &row.0))) as _),
            ("where".into(), Arc::new(StringArray::from_iter_values(rows.iter().map(|row| row.1))) as _),
            ("latency_us".into(), Arc::new(Float64Array::from_iter_values(rows.iter().map(|row| row.2))) as _),
            ("share_above".into(), Arc::new(Float64Array::from_iter_values(rows.iter().map(|row| row.3))) as _),
        ])
    }
}

/// The name of a column as Python writes names: `goodput_gbps.High`. A class is named as it is.
fn snake(column: &str) -> String {
    let (quantity, class) = column.split_at(column.find('.').unwrap_or(column.len()));
    let mut name = String::new();
    for letter in quantity.chars() {
        if letter.is_uppercase() {
            name.push('_');
        }
        name.extend(letter.to_lowercase());
    }
    name + class
}
