//! Named columns as Arrow.

use std::sync::Arc;

use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{ArrayRef, BooleanArray, Float64Array, Int64Array, RecordBatch, RecordBatchIterator, StringArray};
use arrow_schema::DataType;
use arrow_schema::ffi::FFI_ArrowSchema;
use pyo3::exceptions::{PyImportError, PyKeyError, PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict};
use qoscope_store::columns::Values;

use crate::errors::failed;

/// Named columns of equal length.
#[pyclass(frozen, module = "qoscope._native")]
pub struct Table(RecordBatch);

/// A column's values, as Arrow has them.
pub fn array(values: Values) -> ArrayRef {
    match values {
        Values::Numbers(values) => Arc::new(Float64Array::from(values)),
        Values::Whole(values) => Arc::new(Int64Array::from(values)),
        Values::Words(values) => Arc::new(StringArray::from(values)),
    }
}

impl Table {
    /// Of columns of equal length.
    pub fn of(columns: impl IntoIterator<Item = (String, ArrayRef)>) -> PyResult<Self> {
        let columns = columns.into_iter().map(|(name, array)| (name, array, true));
        RecordBatch::try_from_iter_with_nullable(columns)
            .map(Self)
            .map_err(|error| PyRuntimeError::new_err(error.to_string()))
    }

    fn column_at(&self, py: Python<'_>, at: usize) -> PyResult<Py<PyAny>> {
        let column = self.0.column(at).as_any();
        let list = if let Some(numbers) = column.downcast_ref::<Float64Array>() {
            numbers.iter().collect::<Vec<_>>().into_pyobject(py)
        } else if let Some(numbers) = column.downcast_ref::<Int64Array>() {
            numbers.iter().collect::<Vec<_>>().into_pyobject(py)
        } else if let Some(flags) = column.downcast_ref::<BooleanArray>() {
            flags.iter().collect::<Vec<_>>().into_pyobject(py)
        } else {
            let words = column.downcast_ref::<StringArray>().into_iter().flatten();
            words.collect::<Vec<_>>().into_pyobject(py)
        };
        list.map(Bound::unbind)
    }
}

/// A column: its name, the kind of its values, and its values.
type Column = (String, &'static str, Py<PyAny>);

/// A library that the caller has to install.
fn library<'py>(py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyModule>> {
    py.import(name).map_err(|error| {
        if error.is_instance_of::<PyImportError>(py) {
            failed(py, format!("{name} is not installed: pip install {name}"))
        } else {
            error
        }
    })
}

/// Kinds of values, by which the constructor and `columns` name what a column holds.
const KINDS: [&str; 4] = ["numbers", "whole", "flags", "words"];

#[pymethods]
impl Table {
    /// Of columns, each with what its values are: what `__reduce__` takes apart.
    #[new]
    fn new(columns: Vec<(String, String, Bound<'_, PyAny>)>) -> PyResult<Self> {
        let columns = columns.into_iter().map(|(name, kind, values)| {
            let array: ArrayRef = match kind.as_str() {
                "numbers" => Arc::new(Float64Array::from(values.extract::<Vec<Option<f64>>>()?)),
                "whole" => Arc::new(Int64Array::from(values.extract::<Vec<Option<i64>>>()?)),
                "flags" => Arc::new(BooleanArray::from(values.extract::<Vec<Option<bool>>>()?)),
                "words" => Arc::new(StringArray::from(values.extract::<Vec<Option<String>>>()?)),
                _ => return Err(PyValueError::new_err(format!("values are {}, not {kind}", KINDS.join(", ")))),
            };
            Ok((name, array))
        });
        Self::of(columns.collect::<PyResult<Vec<_>>>()?)
    }

    /// For pickle: results travel between processes.
    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, (Vec<Column>,))> {
        Ok((slf.get_type().into_any(), (slf.get().columns(slf.py())?,)))
    }

    /// The columns, as the constructor takes them.
    fn columns(&self, py: Python<'_>) -> PyResult<Vec<Column>> {
        let column = |(at, name): (usize, String)| {
            let kind = match self.0.column(at).data_type() {
                DataType::Float64 => KINDS[0],
                DataType::Int64 => KINDS[1],
                DataType::Boolean => KINDS[2],
                _ => KINDS[3],
            };
            Ok((name, kind, self.column_at(py, at)?))
        };
        self.column_names().into_iter().enumerate().map(column).collect()
    }

    fn __repr__(&self) -> String {
        const SHOWN: usize = 8;
        let names = self.column_names();
        let mut shown = names.iter().take(SHOWN).map(String::as_str).collect::<Vec<_>>().join(", ");
        if names.len() > SHOWN {
            shown.push_str(&format!(", … {} more", names.len() - SHOWN));
        }
        let rows = self.0.num_rows();
        format!("<Table of {rows} row{}: {shown}>", if rows == 1 { "" } else { "s" })
    }

    /// A frame of pandas: through Arrow since pandas 3, else column by column.
    fn to_pandas<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let py = slf.py();
        let frame = library(py, "pandas")?.getattr("DataFrame")?;
        if frame.hasattr("from_arrow")? {
            return frame.call_method1("from_arrow", (slf,));
        }
        let columns = PyDict::new(py);
        for (name, _, values) in slf.get().columns(py)? {
            columns.set_item(name, values)?;
        }
        frame.call1((columns,))
    }

    /// A frame of polars.
    fn to_polars<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        library(slf.py(), "polars")?.getattr("DataFrame")?.call1((slf,))
    }

    #[getter]
    fn column_names(&self) -> Vec<String> {
        self.0.schema_ref().fields().iter().map(|field| field.name().clone()).collect()
    }

    fn __len__(&self) -> usize {
        self.0.num_rows()
    }

    fn column(&self, py: Python<'_>, name: &str) -> PyResult<Py<PyAny>> {
        match self.0.schema_ref().index_of(name) {
            Ok(at) => self.column_at(py, at),
            Err(_) => {
                let near = py.import("qoscope._records")?.call_method1("near", (name, self.column_names()))?;
                Err(PyKeyError::new_err(format!("there is no column {name:?}{near}")))
            }
        }
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        let schema = FFI_ArrowSchema::try_from(self.0.schema_ref().as_ref())
            .map_err(|error| PyRuntimeError::new_err(error.to_string()))?;
        PyCapsule::new_with_value(py, schema, c"arrow_schema")
    }

    /// A consumer that asks for another schema gets this one, as the protocol allows.
    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        let _ = requested_schema;
        let batches = RecordBatchIterator::new([Ok(self.0.clone())], self.0.schema());
        PyCapsule::new_with_value(py, FFI_ArrowArrayStream::new(Box::new(batches)), c"arrow_array_stream")
    }
}
