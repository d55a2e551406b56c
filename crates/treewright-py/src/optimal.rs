//! Optimal trees for Python.

use crate::bit_table::{PyBitTable, pack};
use crate::convert::{self, OwnedTarget};
use crate::enter::{Size, enter, enter_kept, raise};
use crate::forest::PyForest;
use numpy::{IntoPyArray, PyArray1, PyReadonlyArray1, PyReadonlyArray2};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::sync::{Arc, Mutex, PoisonError};
use treewright_core::Result;
use treewright_core::prelude::{Cancel, Forest, Kind};
use treewright_optimal::class_tree::class_tree;
use treewright_optimal::{BitMatrix, Columns, Ending, Problem, Report, Solution, Target, solve};

/// The columns of a search.
enum OwnedColumns {
    Bits(Arc<BitMatrix>),
    Numbers(Vec<Vec<f64>>),
}

impl OwnedColumns {
    /// Takes a `BitTable`, or copies a 2-D array of zeros and ones or a list of 1-D arrays of numbers.
    fn new(columns: &Bound<'_, PyAny>) -> PyResult<OwnedColumns> {
        if let Ok(table) = columns.cast::<PyBitTable>() {
            return Ok(OwnedColumns::Bits(Arc::clone(&table.get().0)));
        }
        if let Ok(cells) = columns.extract::<PyReadonlyArray2<'_, u8>>() {
            let bits = pack(cells.as_array()).map_err(|error| raise(columns.py(), error))?;
            return Ok(OwnedColumns::Bits(Arc::new(bits)));
        }
        let numbers: Vec<PyReadonlyArray1<'_, f64>> = columns.extract()?;
        Ok(OwnedColumns::Numbers(numbers.iter().map(convert::copy).collect::<PyResult<_>>()?))
    }

    /// The columns of numbers, if they are numbers.
    fn numbers(&self) -> Vec<&[f64]> {
        match self {
            OwnedColumns::Numbers(columns) => columns.iter().map(Vec::as_slice).collect(),
            OwnedColumns::Bits(_) => Vec::new(),
        }
    }

    /// The columns as the search takes them, given those of [`OwnedColumns::numbers`].
    fn as_columns<'a>(&'a self, numbers: &'a [&'a [f64]]) -> Columns<'a> {
        match self {
            OwnedColumns::Bits(bits) => Columns::Bits(bits),
            OwnedColumns::Numbers(_) => Columns::Numbers(numbers),
        }
    }

    /// The numbers of rows and columns.
    fn cells(&self) -> (usize, usize) {
        match self {
            OwnedColumns::Bits(bits) => (bits.rows(), bits.columns()),
            OwnedColumns::Numbers(columns) => (columns.first().map_or(0, Vec::len), columns.len()),
        }
    }
}

/// A table, a target, and what a tree may cost, whose values belong to the core.
pub struct OwnedProblem {
    columns: OwnedColumns,
    target: OwnedTarget,
    weights: Option<Vec<u32>>,
    max_depth: usize,
    leaf_cost: f64,
    min_leaf: usize,
    threads: usize,
    time_limit: Option<f64>,
}

impl OwnedProblem {
    /// Takes the values of Python.
    #[expect(clippy::too_many_arguments, reason = "a table, a target and what a tree may cost")]
    pub fn new(
        columns: &Bound<'_, PyAny>,
        target: &Bound<'_, PyAny>,
        classes: Option<usize>,
        weights: Option<&PyReadonlyArray1<'_, u32>>,
        max_depth: usize,
        leaf_cost: f64,
        min_leaf: usize,
        threads: usize,
        time_limit: Option<f64>,
    ) -> PyResult<OwnedProblem> {
        if time_limit.is_some_and(|limit| limit.is_nan() || limit < 0.0) {
            return Err(PyValueError::new_err("time_limit must not be negative"));
        }
        let columns = OwnedColumns::new(columns)?;
        let target = OwnedTarget::new(target, classes)?;
        let weights = convert::copy_some(weights)?;
        Ok(OwnedProblem { columns, target, weights, max_depth, leaf_cost, min_leaf, threads, time_limit })
    }

    /// Works on the problem.
    pub fn work<T>(&self, cancel: &Cancel, work: impl FnOnce(&Problem<'_>) -> Result<T>) -> Result<T> {
        let numbers = self.columns.numbers();
        let columns = self.columns.as_columns(&numbers);
        let target = match &self.target {
            OwnedTarget::Classes(codes, classes) => Target::Classes { codes, classes: *classes },
            OwnedTarget::Numbers(numbers) => Target::Numbers(numbers),
        };
        work(&Problem {
            weights: self.weights.as_deref(),
            max_depth: self.max_depth,
            leaf_cost: self.leaf_cost,
            min_leaf: self.min_leaf,
            threads: self.threads,
            time_limit: self.time_limit,
            ..Problem::new(columns, target, cancel)
        })
    }

    /// Work on all trees of the depth.
    pub fn size(&self) -> Size {
        let (rows, width) = self.columns.cells();
        let steps = match (&self.columns, self.max_depth) {
            (OwnedColumns::Bits(_), 0..=2) => rows.saturating_mul(width) / 64,
            (OwnedColumns::Bits(_), 3) => (rows / 64).saturating_mul(width).saturating_mul(width) / 16,
            _ => usize::MAX,
        };
        Size { steps, bytes: rows.saturating_mul(width) / 8 }
    }

    /// The tree of a search as a node table over columns of these kinds, if every row has weight 1 and a class; else None.
    fn class_tree(&self, solution: &Solution, kinds: Vec<Kind>, sources: &[u32]) -> Result<Option<PyForest>> {
        let (OwnedTarget::Classes(codes, classes), None) = (&self.target, &self.weights) else { return Ok(None) };
        let numbers = self.columns.numbers();
        let columns = self.columns.as_columns(&numbers);
        let tree = class_tree(&solution.nodes, columns, |column| sources[column], codes, *classes)?;
        Ok(Some(PyForest(Arc::new(Forest::new(kinds, vec![tree])?))))
    }
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
    let problem = OwnedProblem::new(
        columns,
        target,
        classes,
        weights.as_ref(),
        max_depth,
        leaf_cost,
        min_leaf,
        threads,
        time_limit,
    )?;
    let news = Mutex::new(Vec::new());
    let take_news = || std::mem::take(&mut *news.lock().unwrap_or_else(PoisonError::into_inner));
    let tell = || match &progress {
        Some(callback) => take_news().into_iter().try_for_each(|step| callback.call1(py, step).map(|_| ())),
        None => Ok(()),
    };
    let note = |seconds: f64, best: f64, bound: f64| {
        news.lock().unwrap_or_else(PoisonError::into_inner).push((seconds, best, bound));
    };
    let has_callback = progress.is_some();
    let (solution, interrupted) = enter_kept(py, problem.size(), tell, |cancel| {
        let report: Option<Report<'_>> = if has_callback { Some(&note) } else { None };
        problem.work(cancel, |problem| solve(&Problem { table_bytes, report, ..*problem }))
    })?;
    tell()?;
    Ok(OptimalTree { problem, solution, interrupted })
}

/// The best tree that a search has found, and what it has proven.
#[pyclass(frozen, module = "treewright._core")]
pub struct OptimalTree {
    problem: OwnedProblem,
    solution: Solution,
    interrupted: bool,
}

#[pymethods]
impl OptimalTree {
    /// The tree as a node table over columns with these numbers of levels, if every row has a class and weight 1; else
    /// None. `sources` are the columns of the table that those of the search were, cell for cell.
    fn forest(&self, py: Python<'_>, levels: Vec<Option<u32>>, sources: Vec<u32>) -> PyResult<Option<PyForest>> {
        let kinds = convert::kinds(&levels);
        if sources.len() != self.problem.columns.cells().1 || sources.iter().any(|&at| at as usize >= kinds.len()) {
            return Err(PyValueError::new_err("these are not the columns of the search"));
        }
        enter(py, self.problem.target.len(), |_| self.problem.class_tree(&self.solution, kinds, &sources))
    }

    /// The number of leaves.
    #[getter]
    fn n_leaves(&self) -> usize {
        self.solution.nodes.leaves()
    }

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
