//! Models of rows that lie in several processes, from sums over all of them.

use crate::bag::sampling;
use crate::convert;
use crate::enter::{Size, enter_together};
use crate::forest::PyForest;
use crate::matrix::Given;
use crate::peers::peers_of;
use numpy::PyReadonlyArray1;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::sync::Arc;
use treewright_core::prelude::{Forest, MergedBagging, Merging, grow_merged as grow};

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
    let (recipe, kinds) = (convert::recipe(recipe)?, convert::kinds(&levels));
    let peers = peers_of(Some(peers))?;
    let target = convert::OwnedTarget::new(target, classes)?;
    let weights = convert::copy_some(weights.as_ref())?;
    let given = Given::new(&kinds, columns)?;
    let owned = given.own()?;
    let read = given.table(py)?;
    let size = Size::learning(target.len(), kinds.len()).times(recipe.max_divisions(&kinds));
    let forest = enter_together(py, size, &*peers, |cancel| {
        let table = convert::own_or_read(owned.as_deref(), read)?;
        let merging = Merging { peers: &*peers, small };
        let tree = grow(&recipe, &table, target.as_target(), weights.as_deref(), merging, cancel)?;
        Forest::grown(kinds, vec![tree])
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
    let (recipe, sampling) = (convert::recipe(recipe)?, sampling(bag)?);
    let (kinds, peers) = (convert::kinds(&levels), peers_of(Some(peers))?);
    let target = convert::OwnedTarget::new(target, classes)?;
    let weights = convert::copy_some(weights.as_ref())?;
    let given = Given::new(&kinds, columns)?;
    let table = given.table(py)?;
    let trees = last.saturating_sub(first) as usize;
    let size = Size::learning(target.len(), kinds.len()).times(trees).times(recipe.max_divisions(&kinds));
    let forest = enter_together(py, size, &*peers, |cancel| {
        let bagging = MergedBagging {
            recipe: &recipe,
            sampling: &sampling,
            table: &table,
            target: target.as_target(),
            weights: weights.as_deref(),
            merging: Merging { peers: &*peers, small },
            cancel,
        };
        Forest::grown(kinds, bagging.grow(first..last)?)
    })?;
    Ok(PyForest(Arc::new(forest)))
}

/// Adds everything here to the module.
pub fn register(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add_function(wrap_pyfunction!(grow_bag_merged, m)?)?;
    m.add_function(wrap_pyfunction!(grow_merged, m)?)
}
