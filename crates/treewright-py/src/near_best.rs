//! Counts of nearly optimal trees for Python.

use crate::enter::{Size, enter};
use crate::optimal::OwnedProblem;
use numpy::PyReadonlyArray1;
use pyo3::prelude::*;
use treewright_optimal::near_best::{NearBest, count_near_best};

/// Counts the trees of bit columns that cost at most a part `within` more than the best one.
#[pyfunction]
#[pyo3(signature = (columns, target, classes, max_depth, within, *, weights=None, leaf_cost=0.0, min_leaf=1, threads=1, time_limit=None))]
#[expect(clippy::too_many_arguments, reason = "a table, a target and what a tree may cost")]
fn near_best_trees(
    py: Python<'_>,
    columns: &Bound<'_, PyAny>,
    target: &Bound<'_, PyAny>,
    classes: usize,
    max_depth: usize,
    within: f64,
    weights: Option<PyReadonlyArray1<'_, u32>>,
    leaf_cost: f64,
    min_leaf: usize,
    threads: usize,
    time_limit: Option<f64>,
) -> PyResult<NearBestTrees> {
    let problem = OwnedProblem::new(
        columns,
        target,
        Some(classes),
        weights.as_ref(),
        max_depth,
        leaf_cost,
        min_leaf,
        threads,
        time_limit,
    )?;
    let size = Size { steps: usize::MAX, ..problem.size() };
    let near_best = enter(py, size, |cancel| problem.work(cancel, |problem| count_near_best(problem, within)))?;
    Ok(NearBestTrees { near_best })
}

/// The trees that cost nearly as little as the best one.
#[pyclass(frozen, module = "treewright._core")]
pub struct NearBestTrees {
    near_best: NearBest,
}

#[pymethods]
impl NearBestTrees {
    /// The least cost of a tree.
    #[getter]
    fn best_cost(&self) -> f64 {
        self.near_best.best
    }

    /// The most that a counted tree may cost.
    #[getter]
    fn most_cost(&self) -> f64 {
        self.near_best.most
    }

    /// The number of trees; at least so many if `exact` is false.
    #[getter]
    fn trees(&self) -> u128 {
        self.near_best.trees
    }

    /// Whether all trees were counted.
    #[getter]
    fn exact(&self) -> bool {
        self.near_best.is_exact
    }

    /// For each column, how many of the trees use it; None where that is not known.
    #[getter]
    fn users(&self) -> Vec<Option<u128>> {
        self.near_best.users.clone()
    }
}

/// Adds everything here to the module.
pub fn register(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add_class::<NearBestTrees>()?;
    m.add_function(wrap_pyfunction!(near_best_trees, m)?)
}
