//! The targets of the rows in each leaf of a forest, for Python.

use crate::convert;
use crate::enter::{Size, enter};
use crate::forest::PyForest;
use crate::matrix::ColumnSource;
use numpy::ndarray::Array2;
use numpy::{IntoPyArray, PyArray2, PyReadonlyArray1};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use treewright_core::prelude::LeafTargets;

/// The targets of the training rows in each leaf of a forest; frozen.
#[pyclass(frozen, name = "LeafTargets", module = "treewright._core")]
pub struct PyLeafTargets(LeafTargets);

#[pymethods]
impl PyLeafTargets {
    /// The targets of the rows of a table.
    #[new]
    #[pyo3(signature = (forest, columns, target, weights=None, threads=1))]
    fn new(
        py: Python<'_>,
        forest: &PyForest,
        columns: &Bound<'_, PyAny>,
        target: PyReadonlyArray1<'_, f64>,
        weights: Option<PyReadonlyArray1<'_, f64>>,
        threads: usize,
    ) -> PyResult<PyLeafTargets> {
        let forest = &forest.0;
        let (target, weights) = (convert::copy(&target)?, convert::copy_some(weights.as_ref())?);
        let source = ColumnSource::new(forest.kinds(), columns)?;
        let (rows, table) = (source.rows(), source.table(py)?);
        let cells = rows.saturating_mul(forest.trees().len());
        let targets = enter(py, Size::holding(cells, cells), |cancel| {
            LeafTargets::new(forest, &table, &target, weights.as_deref(), threads, cancel)
        })?;
        Ok(PyLeafTargets(targets))
    }

    /// The targets in the bytes that `to_bytes` made; any others are refused.
    #[staticmethod]
    fn from_bytes(py: Python<'_>, data: &[u8], forest: &PyForest) -> PyResult<PyLeafTargets> {
        enter(py, data.len(), |_| LeafTargets::from_bytes(data, &forest.0)).map(PyLeafTargets)
    }

    /// The bytes.
    fn to_bytes<'py>(&self, py: Python<'py>, forest: &PyForest) -> PyResult<Bound<'py, PyBytes>> {
        let bytes = enter(py, forest.0.nodes(), |_| self.0.to_bytes())?;
        convert::bytes(py, &bytes)
    }

    /// The quantiles of each row, one for each share.
    #[pyo3(signature = (forest, columns, shares, threads=1))]
    fn quantiles<'py>(
        &self,
        py: Python<'py>,
        forest: &PyForest,
        columns: &Bound<'py, PyAny>,
        shares: Vec<f64>,
        threads: usize,
    ) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let forest = &forest.0;
        let source = ColumnSource::new(forest.kinds(), columns)?;
        let (rows, table) = (source.rows(), source.table(py)?);
        let size = Size::holding(rows.saturating_mul(shares.len()), rows.saturating_mul(forest.trees().len()));
        let quantiles = enter(py, size, |cancel| self.0.quantiles(forest, &table, &shares, threads, cancel))?;
        let quantiles = Array2::from_shape_vec((rows, shares.len()), quantiles);
        Ok(quantiles.map_err(|error| PyValueError::new_err(error.to_string()))?.into_pyarray(py))
    }
}

/// Adds everything here to the module.
pub fn register(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add_class::<PyLeafTargets>()
}
