//! `Neighbors` for Python: rows that can be searched for the nearest ones.

use crate::enter::enter;
use numpy::{IntoPyArray, PyArray2, PyArrayMethods, PyReadonlyArray1, PyReadonlyArray2, PyUntypedArrayMethods};
use pyo3::prelude::*;
use treewright_core::neighbors::distance::Distance;
use treewright_core::neighbors::index::Index;
use treewright_core::neighbors::rows::Rows;
use treewright_core::neighbors::simd::Lanes;
use treewright_core::pool::pool;

/// Row numbers and distances, a row for each query.
type Answers<'py> = (Bound<'py, PyArray2<u32>>, Bound<'py, PyArray2<f64>>);

/// Rows and what makes their search quick; frozen.
#[pyclass(frozen, name = "Neighbors", module = "treewright._core")]
pub struct PyNeighbors(Index);

#[pymethods]
impl PyNeighbors {
    /// Prepares rows: numbers row by row, codes column by column, and a weight for each of these columns.
    #[new]
    #[pyo3(signature = (numbers, codes, weights, metric, p=2.0, threads=0, search="auto", wide=true))]
    #[allow(clippy::too_many_arguments)]
    fn new(
        py: Python<'_>,
        numbers: PyReadonlyArray2<'_, f64>,
        codes: Vec<PyReadonlyArray1<'_, u32>>,
        weights: Vec<f64>,
        metric: &str,
        p: f64,
        threads: usize,
        search: &str,
        wide: bool,
    ) -> PyResult<PyNeighbors> {
        let rows = Owned::of(&numbers, &codes)?;
        let lanes = if wide { Lanes::Widest } else { Lanes::Portable };
        let cells = rows.numbers.len() + rows.count * rows.codes.len();
        let index = enter(py, cells, |cancel| {
            pool(threads)?
                .install(|| Index::new(rows.rows()?, Distance::new(metric, p, weights)?, search, lanes, cancel))
        })?;
        Ok(PyNeighbors(index))
    }

    /// The k nearest rows of each query, or all of them where there are fewer, nearest first.
    #[pyo3(signature = (numbers, codes, k, threads=0))]
    fn search<'py>(
        &self,
        py: Python<'py>,
        numbers: PyReadonlyArray2<'py, f64>,
        codes: Vec<PyReadonlyArray1<'py, u32>>,
        k: usize,
        threads: usize,
    ) -> PyResult<Answers<'py>> {
        let queries = Owned::of(&numbers, &codes)?;
        let count = queries.count;
        let found = enter(py, count.saturating_mul(self.0.len()), |cancel| {
            pool(threads)?.install(|| self.0.search(&queries.rows()?, k, cancel))
        })?;
        let shape = [count, found.k];
        Ok((found.rows.into_pyarray(py).reshape(shape)?, found.distances.into_pyarray(py).reshape(shape)?))
    }

    /// The search that is used.
    #[getter]
    fn search_word(&self) -> &'static str {
        self.0.search_word()
    }

    fn __len__(&self) -> usize {
        self.0.len()
    }
}

/// Copies of the caller's arrays: another thread may write to them meanwhile.
struct Owned {
    count: usize,
    numbers: Vec<f64>,
    codes: Vec<Vec<u32>>,
}

impl Owned {
    fn of(numbers: &PyReadonlyArray2<'_, f64>, codes: &[PyReadonlyArray1<'_, u32>]) -> PyResult<Owned> {
        let codes = codes.iter().map(|column| Ok(column.as_slice()?.to_vec())).collect::<PyResult<Vec<_>>>()?;
        Ok(Owned { count: numbers.shape()[0], numbers: numbers.as_slice()?.to_vec(), codes })
    }

    fn rows(self) -> treewright_core::Result<Rows> {
        let codes: Vec<&[u32]> = self.codes.iter().map(Vec::as_slice).collect();
        Rows::new(self.count, self.numbers, &codes)
    }
}

/// Adds everything here to the module.
pub fn register(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add_class::<PyNeighbors>()
}
