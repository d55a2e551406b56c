//! `Neighbors` for Python: rows that can be searched for the nearest ones.

use crate::convert;
use crate::enter::{Size, enter, raise};
use numpy::{IntoPyArray, PyArray2, PyArrayMethods, PyReadonlyArray1, PyReadonlyArray2, PyUntypedArrayMethods};
use pyo3::prelude::*;
use treewright_core::prelude::{Index, Isa, Rows, neighbors as words, thread_pool as pool, widened};

/// So few numbers are copied before other threads are awake.
const FEW: usize = 1 << 16;

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
        numbers: Bound<'_, PyAny>,
        codes: Vec<PyReadonlyArray1<'_, u32>>,
        weights: Vec<f64>,
        metric: &str,
        p: f64,
        threads: usize,
        search: &str,
        wide: bool,
    ) -> PyResult<PyNeighbors> {
        let rows = Owned::of(py, &numbers, &codes, threads)?;
        let isa = if wide { Isa::detect() } else { Isa::PORTABLE };
        let cells = rows.numbers.len() + rows.count * rows.codes.len();
        let index = enter(py, cells, |cancel| {
            pool(threads)?.install(|| {
                let distance = words::distance(metric, p, weights)?;
                Index::new(rows.rows()?, distance, words::search(search)?, isa, cancel)
            })
        })?;
        Ok(PyNeighbors(index))
    }

    /// The k nearest rows of each query, or all of them where there are fewer, nearest first.
    #[pyo3(signature = (numbers, codes, k, threads=0))]
    fn search<'py>(
        &self,
        py: Python<'py>,
        numbers: Bound<'py, PyAny>,
        codes: Vec<PyReadonlyArray1<'py, u32>>,
        k: usize,
        threads: usize,
    ) -> PyResult<Answers<'py>> {
        let queries = Owned::of(py, &numbers, &codes, threads)?;
        let count = queries.count;
        // Comparing takes long and holds little: what is held at a time are queries and answers.
        let cells = queries.numbers.len() + count.saturating_mul(k.min(self.0.len()));
        let size = Size::holding(cells, count.saturating_mul(self.0.len()));
        let nearest = enter(py, size, |cancel| pool(threads)?.install(|| self.0.search(&queries.rows()?, k, cancel)))?;
        let shape = [count, nearest.k];
        Ok((nearest.rows.into_pyarray(py).reshape(shape)?, nearest.distances.into_pyarray(py).reshape(shape)?))
    }

    /// The search that is used.
    #[getter]
    fn search_word(&self) -> &'static str {
        words::search_word(self.0.used())
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
    /// Numbers of either precision, row by row, are copied on all threads; the caller's thread waits and keeps the GIL.
    fn of(
        py: Python<'_>,
        numbers: &Bound<'_, PyAny>,
        codes: &[PyReadonlyArray1<'_, u32>],
        threads: usize,
    ) -> PyResult<Owned> {
        let codes = codes.iter().map(convert::copy).collect::<PyResult<Vec<_>>>()?;
        let (count, numbers) = if let Ok(single) = numbers.extract::<PyReadonlyArray2<'_, f32>>() {
            (single.shape()[0], copied(py, single.as_slice()?, threads)?)
        } else {
            let double = numbers.extract::<PyReadonlyArray2<'_, f64>>()?;
            (double.shape()[0], copied(py, double.as_slice()?, threads)?)
        };
        Ok(Owned { count, numbers, codes })
    }

    fn rows(self) -> treewright_core::Result<Rows> {
        let codes: Vec<&[u32]> = self.codes.iter().map(Vec::as_slice).collect();
        Rows::new(self.count, self.numbers, &codes)
    }
}

/// A copy in double precision.
fn copied<T: Copy + Into<f64> + Sync>(py: Python<'_>, from: &[T], threads: usize) -> PyResult<Vec<f64>> {
    let copy = || pool(threads)?.install(|| widened(from));
    if from.len() < FEW { widened(from) } else { copy() }.map_err(|error| raise(py, error))
}

/// Adds everything here to the module.
pub fn register(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add_class::<PyNeighbors>()
}
