//! Trees and forests for several targets at once: one forest for each target, all with the same questions.

use crate::bag::{Telling, sampling};
use crate::convert::{self, OwnedTarget};
use crate::enter::{Size, enter, enter_told};
use crate::forest::PyForest;
use crate::matrix::ColumnSource;
use numpy::PyReadonlyArray1;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::sync::Arc;
use treewright_core::prelude::{Bagging, Forest, Kind, Target, Tree, grow_several as grow};

/// Copies of the targets: codes where there are classes, else numbers.
fn own_targets(targets: &[Bound<'_, PyAny>], classes: &[Option<usize>]) -> PyResult<Vec<OwnedTarget>> {
    targets.iter().zip(classes).map(|(target, classes)| OwnedTarget::new(target, *classes)).collect()
}

/// One forest for each target.
fn forests(kinds: &[Kind], trees: Vec<Vec<Tree>>) -> treewright_core::Result<Vec<Forest>> {
    trees.into_iter().map(|trees| Forest::grown(kinds.to_vec(), trees)).collect()
}

fn wrap(forests: Vec<Forest>) -> Vec<PyForest> {
    forests.into_iter().map(|forest| PyForest(Arc::new(forest))).collect()
}

/// Grows one tree for several targets, each codes of so many classes, or numbers where that is None.
#[pyfunction]
#[pyo3(signature = (recipe, levels, columns, targets, classes, weights))]
fn grow_several(
    py: Python<'_>,
    recipe: &Bound<'_, PyDict>,
    levels: Vec<Option<u32>>,
    columns: &Bound<'_, PyAny>,
    targets: Vec<Bound<'_, PyAny>>,
    classes: Vec<Option<usize>>,
    weights: Option<PyReadonlyArray1<'_, f64>>,
) -> PyResult<Vec<PyForest>> {
    let (recipe, kinds) = (convert::recipe(recipe)?, convert::kinds(&levels));
    let targets = own_targets(&targets, &classes)?;
    let weights = convert::copy_some(weights.as_ref())?;
    let source = ColumnSource::new(&kinds, columns)?;
    let owned = source.own()?;
    let read = source.table(py)?;
    let size = Size::learning(read.rows(), kinds.len()).times(targets.len().max(recipe.max_divisions(&kinds)));
    let grown = enter(py, size, |cancel| {
        let table = convert::own_or_read(owned.as_deref(), read)?;
        let targets: Vec<Target<'_>> = targets.iter().map(OwnedTarget::as_target).collect();
        let trees = grow(&recipe, &table, &targets, weights.as_deref(), cancel)?;
        forests(&kinds, trees.into_iter().map(|tree| vec![tree]).collect())
    })?;
    Ok(wrap(grown))
}

/// The same for the trees of a forest from `first` to before `last`; `tell` is as in `grow_bag`.
#[pyfunction]
#[pyo3(signature = (recipe, bag, levels, columns, targets, classes, weights, first, last, tell=None))]
#[expect(clippy::too_many_arguments, reason = "what a forest is grown from, as Python gives it")]
fn grow_bag_several(
    py: Python<'_>,
    recipe: &Bound<'_, PyDict>,
    bag: &Bound<'_, PyDict>,
    levels: Vec<Option<u32>>,
    columns: &Bound<'_, PyAny>,
    targets: Vec<Bound<'_, PyAny>>,
    classes: Vec<Option<usize>>,
    weights: Option<PyReadonlyArray1<'_, f64>>,
    first: u32,
    last: u32,
    tell: Option<&Bound<'_, PyAny>>,
) -> PyResult<Vec<PyForest>> {
    let (recipe, sampling, kinds) = (convert::recipe(recipe)?, sampling(bag)?, convert::kinds(&levels));
    let targets = own_targets(&targets, &classes)?;
    let weights = convert::copy_some(weights.as_ref())?;
    let source = ColumnSource::new(&kinds, columns)?;
    let owned = source.own()?;
    let read = source.table(py)?;
    let trees = last.saturating_sub(first) as usize;
    let size = Size::learning(read.rows(), kinds.len()).times(trees).times(targets.len());
    let telling = Telling::new(tell);
    let progress = telling.progress();
    let grown = enter_told(
        py,
        size,
        || telling.tell(),
        |cancel| {
            let table = convert::own_or_read(owned.as_deref(), read)?;
            let targets: Vec<Target<'_>> = targets.iter().map(OwnedTarget::as_target).collect();
            let (weights, cache) = (weights.as_deref(), None);
            let bagging =
                Bagging { recipe: &recipe, sampling: &sampling, table: &table, weights, cache, progress, cancel };
            forests(&kinds, bagging.grow_several(&targets, first..last)?)
        },
    )?;
    Ok(wrap(grown))
}

/// Adds everything here to the module.
pub fn register(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add_function(wrap_pyfunction!(grow_several, m)?)?;
    m.add_function(wrap_pyfunction!(grow_bag_several, m)?)
}
