//! Named columns as Arrow.

use std::sync::Arc;

use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{ArrayRef, BooleanArray, Float64Array, Int64Array, RecordBatch, RecordBatchIterator, StringArray};
use arrow_schema::DataType;
use arrow_schema::ffi::FFI_ArrowSchema;
use pyo3::exceptions::{PyKeyError, PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyCapsule;
use qoscope_store::columns::Values;

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

/// A column taken apart: its name, what its values are, and they.
type Column = (String, &'static str, Py<PyAny>);

/// What the values of a column are, where a table is made anew of its columns.
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
        let py = slf.py();
        let own = slf.get();
        let column = |(at, name): (usize, String)| {
            let kind = match own.0.column(at).data_type() {
                DataType::Float64 => KINDS[0],
                DataType::Int64 => KINDS[1],
                DataType::Boolean => KINDS[2],
                _ => KINDS[3],
            };
            Ok((name, kind, own.column_at(py, at)?))
        };
        let columns = own.column_names().into_iter().enumerate().map(column).collect::<PyResult<_>>()?;
        Ok((slf.get_type().into_any(), (columns,)))
    }

    #[getter]
    fn column_names(&self) -> Vec<String> {
        self.0.schema_ref().fields().iter().map(|field| field.name().clone()).collect()
    }

    fn __len__(&self) -> usize {
        self.0.num_rows()
    }

    fn column(&self, py: Python<'_>, name: &str) -> PyResult<Py<PyAny>> {
        let at = self.0.schema_ref().index_of(name).map_err(|_| PyKeyError::new_err(name.to_owned()))?;
        self.column_at(py, at)
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
