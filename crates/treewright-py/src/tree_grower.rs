//! A forest that is grown in several processes: the trees of one of them, and the trees that arrive from all.

use crate::bag::{Telling, sampling};
use crate::convert::{self, OwnedTarget};
use crate::enter::{Size, enter, enter_told};
use crate::forest::PyForest;
use crate::matrix::ColumnSource;
use numpy::{IntoPyArray, PyArray1, PyReadonlyArray1};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::sync::{Arc, Mutex, PoisonError};
use treewright_core::prelude::{ArrivingTrees, Bagging, Forest, ForestCache, Kind, Recipe, Sampling, trees_to_bytes};

/// The rows of a forest, from which some of its trees are grown now and others later: samples and codes are made once.
/// Nobody may write to the columns meanwhile. Several threads may grow trees at the same time.
#[pyclass(frozen, name = "TreeGrower", module = "treewright._core")]
pub struct PyTreeGrower {
    recipe: Recipe,
    sampling: Sampling,
    kinds: Vec<Kind>,
    columns: Py<PyAny>,
    target: OwnedTarget,
    weights: Option<Vec<f64>>,
    cache: ForestCache,
}

#[pymethods]
impl PyTreeGrower {
    #[new]
    #[pyo3(signature = (recipe, bag, levels, columns, target, classes, weights))]
    fn new(
        recipe: &Bound<'_, PyDict>,
        bag: &Bound<'_, PyDict>,
        levels: Vec<Option<u32>>,
        columns: &Bound<'_, PyAny>,
        target: &Bound<'_, PyAny>,
        classes: Option<usize>,
        weights: Option<PyReadonlyArray1<'_, f64>>,
    ) -> PyResult<PyTreeGrower> {
        Ok(PyTreeGrower {
            recipe: convert::recipe(recipe)?,
            sampling: sampling(bag)?,
            kinds: convert::kinds(&levels),
            columns: columns.clone().unbind(),
            target: OwnedTarget::new(target, classes)?,
            weights: convert::copy_some(weights.as_ref())?,
            cache: ForestCache::default(),
        })
    }

    /// Grows the trees from `first` to before `last`. `tell` is called with the number of finished trees now and then; what
    /// it raises stops the work.
    #[pyo3(signature = (first, last, tell=None))]
    fn grow(&self, py: Python<'_>, first: u32, last: u32, tell: Option<&Bound<'_, PyAny>>) -> PyResult<PyForest> {
        let source = ColumnSource::new(&self.kinds, self.columns.bind(py))?;
        let table = source.table(py)?;
        let size = Size::learning(self.target.len(), self.kinds.len())
            .times(last.saturating_sub(first) as usize)
            .times(self.recipe.max_divisions(&self.kinds));
        let telling = Telling::new(tell);
        let progress = telling.progress();
        let forest = enter_told(
            py,
            size,
            || telling.tell(),
            |cancel| {
                let bagging = Bagging {
                    recipe: &self.recipe,
                    sampling: &self.sampling,
                    table: &table,
                    weights: self.weights.as_deref(),
                    cache: Some(&self.cache),
                    progress,
                    cancel,
                };
                let trees = bagging.grow(self.target.as_target(), first..last, None)?;
                Forest::grown_on(bagging.recipe.threads, self.kinds.clone(), trees)
            },
        )?;
        Ok(PyForest(Arc::new(forest)))
    }
}

/// The trees of a forest as few bytes, for another process of the same fit; not for files.
#[pyfunction]
fn pack_trees<'py>(py: Python<'py>, forest: &PyForest) -> PyResult<Bound<'py, PyArray1<u8>>> {
    let bytes = enter(py, forest.0.nodes(), |cancel| trees_to_bytes(forest.0.trees(), cancel))?;
    Ok(bytes.into_pyarray(py))
}

/// The trees of a forest as they arrive from other processes.
#[pyclass(frozen, name = "ArrivingTrees", module = "treewright._core")]
pub struct PyArrivingTrees(Mutex<Option<ArrivingTrees>>);

#[pymethods]
impl PyArrivingTrees {
    #[new]
    fn new(levels: Vec<Option<u32>>) -> PyArrivingTrees {
        PyArrivingTrees(Mutex::new(Some(ArrivingTrees::new(convert::kinds(&levels)))))
    }

    /// Takes the trees of one part, the first of which has this number.
    fn add(&self, py: Python<'_>, first: u32, data: PyReadonlyArray1<'_, u8>) -> PyResult<()> {
        let mut trees = self.take()?;
        let bytes = data.as_slice()?;
        let trees = enter(py, bytes.len(), |cancel| trees.add(first, bytes, cancel).map(|()| trees))?;
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(trees);
        Ok(())
    }

    /// The forest of all trees, of which the first has this number; nothing can be added any more.
    fn finish(&self, py: Python<'_>, first: u32) -> PyResult<PyForest> {
        let trees = self.take()?;
        let forest = enter(py, 0, |_| trees.finish(first))?;
        Ok(PyForest(Arc::new(forest)))
    }
}

impl PyArrivingTrees {
    fn take(&self) -> PyResult<ArrivingTrees> {
        let trees = self.0.lock().unwrap_or_else(PoisonError::into_inner).take();
        trees.ok_or_else(|| PyValueError::new_err("the forest is finished"))
    }
}

/// Adds everything here to the module.
pub fn register(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add_class::<PyTreeGrower>()?;
    m.add_class::<PyArrivingTrees>()?;
    m.add_function(wrap_pyfunction!(pack_trees, m)?)
}
