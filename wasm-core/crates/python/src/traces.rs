//! Traces from files.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow_array::{BooleanArray, Float64Array, Int64Array, StringArray};
use pyo3::prelude::*;
use qoscope_engine::simulation::replays::described;
use qoscope_engine::workload::traces::{Format, Operation, Selection};
use qoscope_host::traces::{self, Shelf};

use crate::errors::{failed, of};
use crate::table::Table;
use crate::text;

/// Where traces are: beside a scenario, or at paths of their own.
#[pyclass(frozen, module = "qoscope._native")]
pub struct Traces(pub Shelf);

#[pymethods]
impl Traces {
    #[new]
    fn new(folder: PathBuf, places: BTreeMap<String, PathBuf>) -> Self {
        Self(Shelf::new(&folder, places))
    }
}

#[pyfunction]
pub fn read_trace(
    py: Python<'_>,
    path: PathBuf,
    format: Option<&str>,
    volumes: Vec<String>,
    max_requests: Option<usize>,
) -> PyResult<(Table, String)> {
    let format = format
        .map(|id| Format::from_id(id).ok_or_else(|| failed(py, format!("There is no format of traces {id:?}."))))
        .transpose()?;
    let defaults = Selection::default();
    let max_requests = max_requests.unwrap_or(traces::MAXIMUM_KEPT);
    let selection = Selection { volumes, max_requests, ..defaults };
    let read = py.detach(|| traces::read(Path::new(&path), format, selection, false));
    let (trace, mut statistics) = read.map_err(|error| of(py, error))?;
    statistics.busiest_first();
    let whole = |number: u64| i64::try_from(number).unwrap_or(i64::MAX);
    let volume = |number: u32| trace.volumes().get(number as usize).map(String::as_str);
    let table = Table::of([
        (
            "time_us".into(),
            Arc::new(Float64Array::from_iter_values(trace.iter().map(|request| request.at_ps as f64 / 1e6))) as _,
        ),
        ("volume".into(), Arc::new(StringArray::from_iter(trace.iter().map(|request| volume(request.volume)))) as _),
        (
            "is_read".into(),
            Arc::new(BooleanArray::from_iter(trace.iter().map(|request| Some(request.operation == Operation::Read))))
                as _,
        ),
        (
            "address".into(),
            Arc::new(Int64Array::from_iter_values(trace.iter().map(|request| whole(request.address)))) as _,
        ),
        (
            "bytes".into(),
            Arc::new(Int64Array::from_iter_values(trace.iter().map(|request| i64::from(request.bytes)))) as _,
        ),
    ])?;
    Ok((table, text(&described(&statistics))))
}
