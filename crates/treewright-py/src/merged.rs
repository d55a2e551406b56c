//! Models of rows that lie in several processes, from sums over all of them.

use crate::bag::sampling;
use crate::convert;
use crate::enter::enter_together;
use crate::forest::PyForest;
use crate::peers::peers_of;
use crate::training_rows::TrainingRows;
use numpy::PyReadonlyArray1;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::sync::Arc;
use treewright_core::prelude::{Bagging, Forest, Merging, Progress, grow_merged as grow};

/// Grows a forest of one tree, the same in every process. Every process gives its own rows; a node of at most `small` rows
/// in all is grown by one of them.
#[pyfunction]
#[pyo3(signature = (recipe, levels, columns, target, classes, weights, peers, small))]
#[expect(clippy::too_many_arguments, reason = "those of `grow`, and two more")]
fn grow_merged(
    py: Python<'_>,
    recipe: &Bound<'_, PyDict>,
    levels: Vec<Option<u32>>,
    columns: &Bound<'_, PyAny>,
    target: &Bound<'_, PyAny>,
    classes: Option<usize>,
    weights: Option<PyReadonlyArray1<'_, f64>>,
    peers: &Bound<'_, PyAny>,
    small: u64,
) -> PyResult<PyForest> {
    let (recipe, peers) = (convert::recipe(recipe)?, peers_of(Some(peers))?);
    let rows = TrainingRows::new(&levels, columns, target, classes, weights.as_ref())?;
    let (owned, read) = (rows.columns.own()?, rows.columns.table(py)?);
    let size = rows.size().times(recipe.max_divisions(&rows.kinds));
    let forest = enter_together(py, size, &*peers, |cancel| {
        let table = convert::own_or_read(owned.as_deref(), read)?;
        let merging = Merging { peers: &*peers, small };
        let tree = grow(&recipe, &table, rows.target.as_target(), rows.weights.as_deref(), merging, cancel)?;
        Forest::grown(rows.kinds.clone(), vec![tree])
    })?;
    Ok(PyForest(Arc::new(forest)))
}

/// Grows the trees of a forest from `first` to before `last`, the same in every process.
#[pyfunction]
#[pyo3(signature = (recipe, bag, levels, columns, target, classes, weights, first, last, peers, small))]
#[expect(clippy::too_many_arguments, reason = "those of `grow_bag`, and two more")]
fn grow_bag_merged(
    py: Python<'_>,
    recipe: &Bound<'_, PyDict>,
    bag: &Bound<'_, PyDict>,
    levels: Vec<Option<u32>>,
    columns: &Bound<'_, PyAny>,
    target: &Bound<'_, PyAny>,
    classes: Option<usize>,
    weights: Option<PyReadonlyArray1<'_, f64>>,
    first: u32,
    last: u32,
    peers: &Bound<'_, PyAny>,
    small: u64,
) -> PyResult<PyForest> {
    let (recipe, sampling, peers) = (convert::recipe(recipe)?, sampling(bag)?, peers_of(Some(peers))?);
    let rows = TrainingRows::new(&levels, columns, target, classes, weights.as_ref())?;
    let table = rows.columns.table(py)?;
    let trees = last.saturating_sub(first) as usize;
    let size = rows.size().times(trees).times(recipe.max_divisions(&rows.kinds));
    let forest = enter_together(py, size, &*peers, |cancel| {
        let (weights, cache, progress) = (rows.weights.as_deref(), None, &Progress::default());
        let bagging = Bagging { recipe: &recipe, sampling: &sampling, table: &table, weights, cache, progress, cancel };
        let merging = Merging { peers: &*peers, small };
        let trees = bagging.grow_merged(rows.target.as_target(), merging, first..last)?;
        Forest::grown_on(recipe.threads, rows.kinds.clone(), trees)
    })?;
    Ok(PyForest(Arc::new(forest)))
}

/// Adds everything here to the module.
pub fn register(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add_function(wrap_pyfunction!(grow_bag_merged, m)?)?;
    m.add_function(wrap_pyfunction!(grow_merged, m)?)
}
