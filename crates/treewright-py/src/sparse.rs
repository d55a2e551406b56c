//! Sparse matrices: copies of their stored numbers that nobody else can write to.

use crate::enter::{enter, raise};
use numpy::PyReadonlyArray1;
use pyo3::prelude::*;
use treewright_core::prelude::{SparseMatrix, collected, copied};

/// A matrix of which only numbers other than zero are stored, column by column.
#[pyclass(frozen, name = "Sparse", module = "treewright._core")]
pub struct PySparse(pub SparseMatrix);

#[pymethods]
impl PySparse {
    /// From where each column begins and where the last ends, the rows of each column, ascending, and their numbers. No
    /// zero is stored.
    #[new]
    fn new(
        py: Python<'_>,
        n_rows: usize,
        starts: PyReadonlyArray1<'_, u64>,
        rows: PyReadonlyArray1<'_, u32>,
        values: PyReadonlyArray1<'_, f64>,
    ) -> PyResult<PySparse> {
        let copies = (|| {
            let starts = collected(starts.as_array().iter().map(|&start| start as usize))?;
            Ok((starts, copied(rows.as_slice().unwrap_or(&[]))?, copied(values.as_slice().unwrap_or(&[]))?))
        })();
        let (starts, rows, values) = copies.map_err(|error| raise(py, error))?;
        enter(py, rows.len(), |_| SparseMatrix::new(n_rows, starts, rows, values)).map(PySparse)
    }

    /// How many numbers are stored.
    #[getter]
    fn stored(&self) -> usize {
        self.0.stored()
    }
}

/// Adds everything here to the module.
pub fn register(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add_class::<PySparse>()
}
