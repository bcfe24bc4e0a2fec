//! Named columns as Arrow.

use std::sync::Arc;

use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{ArrayRef, BooleanArray, Float64Array, Int64Array, RecordBatch, RecordBatchIterator, StringArray};
use arrow_schema::ffi::FFI_ArrowSchema;
use pyo3::exceptions::{PyKeyError, PyRuntimeError};
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

#[pymethods]
impl Table {
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
