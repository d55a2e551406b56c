//! Counts of nearly optimal trees for Python.

use crate::convert::{self, OwnedTarget};
use crate::enter::{Size, enter};
use crate::optimal::OwnedColumns;
use numpy::PyReadonlyArray1;
use pyo3::prelude::*;
use treewright_optimal::near_best::{NearBest, count_near_best};
use treewright_optimal::{Columns, Problem, Target};

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
    let owned = OwnedColumns::copy(columns)?;
    let target = OwnedTarget::new(target, Some(classes))?;
    let weights = convert::copy_some(weights.as_ref())?;
    let size = Size { steps: usize::MAX, bytes: owned.cells().0.saturating_mul(owned.cells().1) / 8 };
    let found = enter(py, size, |cancel| {
        let columns = match &owned {
            OwnedColumns::Bits(bits) => Columns::Bits(bits),
            OwnedColumns::Numbers(_) => Columns::Numbers(&[]),
        };
        let target = match &target {
            OwnedTarget::Classes(codes, classes) => Target::Classes { codes, classes: *classes },
            OwnedTarget::Numbers(numbers) => Target::Numbers(numbers),
        };
        let problem = Problem {
            weights: weights.as_deref(),
            max_depth,
            leaf_cost,
            min_leaf,
            threads,
            time_limit,
            ..Problem::new(columns, target, cancel)
        };
        count_near_best(&problem, within)
    })?;
    Ok(NearBestTrees { found })
}

/// The trees that cost nearly as little as the best one.
#[pyclass(frozen, module = "treewright._core")]
pub struct NearBestTrees {
    found: NearBest,
}

#[pymethods]
impl NearBestTrees {
    /// The least cost of a tree.
    #[getter]
    fn best_cost(&self) -> f64 {
        self.found.best
    }

    /// The most that a counted tree may cost.
    #[getter]
    fn most_cost(&self) -> f64 {
        self.found.most
    }

    /// The number of trees; at least so many if `exact` is false.
    #[getter]
    fn trees(&self) -> u128 {
        self.found.trees
    }

    /// Whether all trees were counted.
    #[getter]
    fn exact(&self) -> bool {
        self.found.is_exact
    }

    /// For each column, how many of the trees use it; None where that is not known.
    #[getter]
    fn users(&self) -> Vec<Option<u128>> {
        self.found.users.clone()
    }
}

/// Adds everything here to the module.
pub fn register(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add_class::<NearBestTrees>()?;
    m.add_function(wrap_pyfunction!(near_best_trees, m)?)
}
