//! Optimal trees for Python.

use crate::convert::{self, OwnedTarget};
use crate::enter::{Size, enter_kept, raise};
use numpy::{IntoPyArray, PyArray1, PyReadonlyArray1, PyReadonlyArray2, PyUntypedArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::sync::{Mutex, PoisonError};
use treewright_optimal::{BitMatrix, Columns, Ending, Problem, Solution, Target, solve};

/// The columns, copied.
pub enum OwnedColumns {
    Bits(BitMatrix),
    Numbers(Vec<Vec<f64>>),
}

impl OwnedColumns {
    /// Copies a 2-D array of zeros and ones, or a list of 1-D arrays of numbers.
    pub fn copy(columns: &Bound<'_, PyAny>) -> PyResult<OwnedColumns> {
        if let Ok(cells) = columns.extract::<PyReadonlyArray2<'_, u8>>() {
            let (rows, width) = (cells.shape()[0], cells.shape()[1]);
            let array = cells.as_array();
            let bits = match (array.as_slice(), array.t().as_slice()) {
                (Some(cells), _) => BitMatrix::from_row_bytes(rows, width, cells),
                (_, Some(cells)) => BitMatrix::from_column_bytes(rows, width, cells),
                _ => BitMatrix::from_row_bytes(rows, width, &array.iter().copied().collect::<Vec<_>>()),
            };
            return Ok(OwnedColumns::Bits(bits.map_err(|error| raise(columns.py(), error))?));
        }
        let numbers: Vec<PyReadonlyArray1<'_, f64>> = columns.extract()?;
        Ok(OwnedColumns::Numbers(numbers.iter().map(convert::copy).collect::<PyResult<_>>()?))
    }

    /// The numbers of rows and columns.
    pub fn cells(&self) -> (usize, usize) {
        match self {
            OwnedColumns::Bits(bits) => (bits.rows(), bits.columns()),
            OwnedColumns::Numbers(columns) => (columns.first().map_or(0, Vec::len), columns.len()),
        }
    }
}

/// Steps of a search, about: a search that takes a millisecond or more is watched for Ctrl-C.
fn size(columns: &OwnedColumns, max_depth: usize) -> Size {
    let (rows, width) = columns.cells();
    let steps = match (columns, max_depth) {
        (OwnedColumns::Bits(_), 0..=2) => rows.saturating_mul(width) / 64,
        (OwnedColumns::Bits(_), 3) => (rows / 64).saturating_mul(width).saturating_mul(width) / 16,
        _ => usize::MAX,
    };
    Size { steps, bytes: rows.saturating_mul(width) / 8 }
}

/// Finds the tree of least cost.
#[pyfunction]
#[pyo3(signature = (columns, target, classes, max_depth, *, weights=None, leaf_cost=0.0, min_leaf=1, threads=1, time_limit=None, table_bytes=None, progress=None))]
#[expect(clippy::too_many_arguments, reason = "a table, a target and what a tree may cost")]
fn optimal_tree(
    py: Python<'_>,
    columns: &Bound<'_, PyAny>,
    target: &Bound<'_, PyAny>,
    classes: Option<usize>,
    max_depth: usize,
    weights: Option<PyReadonlyArray1<'_, u32>>,
    leaf_cost: f64,
    min_leaf: usize,
    threads: usize,
    time_limit: Option<f64>,
    table_bytes: Option<usize>,
    progress: Option<Py<PyAny>>,
) -> PyResult<OptimalTree> {
    if time_limit.is_some_and(|limit| limit.is_nan() || limit < 0.0) {
        return Err(PyValueError::new_err("time_limit must not be negative"));
    }
    let owned = OwnedColumns::copy(columns)?;
    let target = OwnedTarget::new(target, classes)?;
    let weights = convert::copy_some(weights.as_ref())?;
    let news = Mutex::new(Vec::new());
    let take_news = || std::mem::take(&mut *news.lock().unwrap_or_else(PoisonError::into_inner));
    let tell = || match &progress {
        Some(callback) => take_news().into_iter().try_for_each(|step| callback.call1(py, step).map(|_| ())),
        None => Ok(()),
    };
    let note = |seconds: f64, best: f64, bound: f64| {
        news.lock().unwrap_or_else(PoisonError::into_inner).push((seconds, best, bound));
    };
    let told = progress.is_some();
    let (solution, interrupted) = enter_kept(py, size(&owned, max_depth), tell, |cancel| {
        let numbers: Vec<&[f64]> = match &owned {
            OwnedColumns::Numbers(columns) => columns.iter().map(Vec::as_slice).collect(),
            OwnedColumns::Bits(_) => Vec::new(),
        };
        let columns = match &owned {
            OwnedColumns::Bits(bits) => Columns::Bits(bits),
            OwnedColumns::Numbers(_) => Columns::Numbers(&numbers),
        };
        let target = match &target {
            OwnedTarget::Classes(codes, classes) => Target::Classes { codes, classes: *classes },
            OwnedTarget::Numbers(numbers) => Target::Numbers(numbers),
        };
        solve(&Problem {
            weights: weights.as_deref(),
            max_depth,
            leaf_cost,
            min_leaf,
            threads,
            time_limit,
            table_bytes,
            report: if told { Some(&note) } else { None },
            ..Problem::new(columns, target, cancel)
        })
    })?;
    tell()?;
    Ok(OptimalTree { solution, interrupted })
}

/// The best tree that a search has found, and what it has proven.
#[pyclass(frozen, module = "treewright._core")]
pub struct OptimalTree {
    solution: Solution,
    interrupted: bool,
}

#[pymethods]
impl OptimalTree {
    /// The column that each node asks about; -1 for a leaf.
    #[getter]
    fn feature<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i32>> {
        self.solution.nodes.feature.clone().into_pyarray(py)
    }

    /// Values up to the cut go left.
    #[getter]
    fn cut<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        self.solution.nodes.cut.clone().into_pyarray(py)
    }

    /// The left child of each node; -1 for a leaf.
    #[getter]
    fn left<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i32>> {
        self.solution.nodes.left.clone().into_pyarray(py)
    }

    /// The right child of each node; -1 for a leaf.
    #[getter]
    fn right<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i32>> {
        self.solution.nodes.right.clone().into_pyarray(py)
    }

    /// The class or the number that each node would predict as a leaf.
    #[getter]
    fn value<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        self.solution.nodes.value.clone().into_pyarray(py)
    }

    /// The errors, or the squared error, and the cost of the leaves.
    #[getter]
    fn cost(&self) -> f64 {
        self.solution.cost
    }

    /// The weight of the rows that the tree misclassifies, or its squared error.
    #[getter]
    fn errors(&self) -> f64 {
        self.solution.errors
    }

    /// No tree costs less.
    #[getter]
    fn lower_bound(&self) -> f64 {
        self.solution.lower_bound
    }

    /// Whether the search has shown that no tree is better.
    #[getter]
    fn proven(&self) -> bool {
        self.solution.ending == Ending::Proven
    }

    /// Whether Ctrl-C ended the search.
    #[getter]
    fn interrupted(&self) -> bool {
        self.interrupted
    }

    /// The seconds of the search.
    #[getter]
    fn seconds(&self) -> f64 {
        self.solution.seconds
    }

    /// (Seconds, cost of the best tree, lower bound) at each improvement.
    #[getter]
    fn progress(&self) -> Vec<(f64, f64, f64)> {
        self.solution.progress.clone()
    }
}

/// Adds everything here to the module.
pub fn register(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add_class::<OptimalTree>()?;
    m.add_function(wrap_pyfunction!(optimal_tree, m)?)
}
