//! `Forest` for Python, and `grow`, which makes one.

use crate::convert;
use crate::enter::{SMALL, enter};
use crate::matrix::Given;
use crate::tree::PyTree;
use numpy::{
    IntoPyArray, PyArray1, PyArray2, PyArray3, PyArrayMethods, PyReadonlyArray1, PyReadonlyArray2,
    PyUntypedArrayMethods,
};
use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use std::sync::Arc;
use treewright_core::data::table::Table;
use treewright_core::learn::recipe;
use treewright_core::model::file;
use treewright_core::model::forest::{Ask, Forest};
use treewright_core::model::tree::Tree;

/// Trees over the same columns; frozen.
#[pyclass(frozen, name = "Forest", module = "treewright._core")]
pub struct PyForest(pub Arc<Forest>);

#[pymethods]
impl PyForest {
    /// A forest from node tables given column by column; everything is checked. How the trees combine is their mean, or
    /// what `combine` says: words `how` and `link`, lists `base`, `scales` and `targets`.
    #[staticmethod]
    #[pyo3(signature = (levels, outputs, trees, combine=None))]
    fn from_tables(
        py: Python<'_>,
        levels: Vec<Option<u32>>,
        outputs: usize,
        trees: Vec<Bound<'_, PyDict>>,
        combine: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<PyForest> {
        let kinds = convert::kinds(&levels);
        let trees = trees.iter().map(|tree| convert::tree(tree, outputs)).collect::<PyResult<Vec<_>>>()?;
        let combine = convert::combine(combine)?;
        let forest = enter(py, 0, |_| Forest::combined(kinds, trees, combine))?;
        Ok(PyForest(Arc::new(forest)))
    }

    /// Some of the trees, without what becomes of their answers.
    fn part(&self, py: Python<'_>, first: usize, last: usize) -> PyResult<PyForest> {
        let Some(trees) = self.0.trees().get(first..last) else {
            return Err(PyValueError::new_err("there are no such trees"));
        };
        let forest = enter(py, 0, |_| Forest::new(self.0.kinds().to_vec(), trees.to_vec()))?;
        Ok(PyForest(Arc::new(forest)))
    }

    /// The trees of several forests over the same columns as one.
    #[staticmethod]
    #[pyo3(signature = (forests, combine=None))]
    fn joined(
        py: Python<'_>,
        forests: Vec<PyRef<'_, PyForest>>,
        combine: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<PyForest> {
        let combine = convert::combine(combine)?;
        let forests: Vec<Arc<Forest>> = forests.iter().map(|forest| Arc::clone(&forest.0)).collect();
        let forest = enter(py, 0, |_| {
            let kinds = forests.first().map_or(Vec::new(), |forest| forest.kinds().to_vec());
            let trees = forests.iter().flat_map(|forest| forest.trees().iter().cloned()).collect();
            Forest::combined(kinds, trees, combine)
        })?;
        Ok(PyForest(Arc::new(forest)))
    }

    /// How the trees combine, as `from_tables` takes it.
    #[getter]
    fn combine<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        convert::combine_words(py, self.0.combine())
    }

    /// The forest and the document in the bytes of a model file.
    #[staticmethod]
    fn from_bytes(py: Python<'_>, data: &[u8]) -> PyResult<(PyForest, String)> {
        let (forest, document) = enter(py, data.len(), |_| file::from_bytes(data))?;
        Ok((PyForest(Arc::new(forest)), document))
    }

    /// The bytes of a model file.
    fn to_bytes<'py>(&self, py: Python<'py>, document: &str) -> PyResult<Bound<'py, PyBytes>> {
        let bytes = enter(py, document.len(), |_| file::to_bytes(&self.0, document))?;
        Ok(PyBytes::new(py, &bytes))
    }

    /// One tree.
    fn tree(&self, index: usize) -> PyResult<PyTree> {
        if index >= self.0.trees().len() {
            return Err(PyIndexError::new_err("there is no such tree"));
        }
        Ok(PyTree::new(Arc::clone(&self.0), index))
    }

    /// The node of one tree where each row's walk ends.
    fn apply<'py>(
        &self,
        py: Python<'py>,
        tree: usize,
        columns: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyArray1<u32>>> {
        self.tree(tree)?;
        let nodes = self.on(py, columns, |table, cancel| self.0.apply(tree, table, cancel))?;
        Ok(nodes.into_pyarray(py))
    }

    /// The nodes of one tree where the parts of the first row end, and their shares of the row.
    fn parts<'py>(&self, py: Python<'py>, tree: usize, columns: &Bound<'py, PyAny>) -> PyResult<Vec<(usize, f64)>> {
        self.tree(tree)?;
        self.on(py, columns, |table, _| if table.rows() == 0 { Ok(Vec::new()) } else { self.0.parts(tree, table, 0) })
    }

    /// What the model says of each row, or those of its trees from `first` on and before `last`.
    #[pyo3(signature = (columns, first=0, last=None, threads=1))]
    fn predict<'py>(
        &self,
        py: Python<'py>,
        columns: &Bound<'py, PyAny>,
        first: usize,
        last: Option<usize>,
        threads: usize,
    ) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let last = last.unwrap_or(self.0.trees().len());
        self.answer(py, columns, &Ask { trees: first..last, raw: false, threads })
    }

    /// The same before the link.
    #[pyo3(signature = (columns, first=0, last=None, threads=1))]
    fn predict_raw<'py>(
        &self,
        py: Python<'py>,
        columns: &Bound<'py, PyAny>,
        first: usize,
        last: Option<usize>,
        threads: usize,
    ) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let last = last.unwrap_or(self.0.trees().len());
        self.answer(py, columns, &Ask { trees: first..last, raw: true, threads })
    }

    /// Adds what some trees say of each row to running sums; None begins them.
    #[pyo3(signature = (columns, first, last, sums=None, threads=1))]
    fn gather<'py>(
        &self,
        py: Python<'py>,
        columns: &Bound<'py, PyAny>,
        first: usize,
        last: usize,
        sums: Option<PyReadonlyArray2<'py, f64>>,
        threads: usize,
    ) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let raw = self.0.raw_outputs();
        let sums = sums.map(|sums| sums.as_slice().map(<[f64]>::to_vec)).transpose()?;
        let sums = self.on(py, columns, |table, cancel| {
            let mut sums = sums.unwrap_or_else(|| {
                let mut sums = vec![0.0; table.rows() * raw];
                self.0.combine().begin(&mut sums);
                sums
            });
            self.0.gather(table, first..last, &mut sums, threads, cancel).map(|()| sums)
        })?;
        matrix(py, sums, raw)
    }

    /// What the model says of rows with these running sums of the trees from `first` on and before `last`.
    #[pyo3(signature = (sums, first, last, raw=false))]
    fn finish<'py>(
        &self,
        py: Python<'py>,
        sums: PyReadonlyArray2<'py, f64>,
        first: usize,
        last: usize,
        raw: bool,
    ) -> PyResult<Bound<'py, PyArray2<f64>>> {
        if sums.shape()[1] != self.0.raw_outputs() {
            return Err(PyValueError::new_err("these are not sums of the model"));
        }
        let mut sums = sums.as_slice()?.to_vec();
        let says = enter(py, sums.len(), |_| {
            self.0.settle(&(first..last), &mut sums);
            if raw { Ok(sums) } else { self.0.link(sums) }
        })?;
        matrix(py, says, if raw { self.0.raw_outputs() } else { self.0.outputs() })
    }

    /// What each column contributes to each raw sum of each row, and what is expected of each sum.
    #[pyo3(signature = (columns, threads=1))]
    #[expect(clippy::type_complexity, reason = "two arrays, as Python sees them")]
    fn contributions<'py>(
        &self,
        py: Python<'py>,
        columns: &Bound<'py, PyAny>,
        threads: usize,
    ) -> PyResult<(Bound<'py, PyArray3<f64>>, Bound<'py, PyArray1<f64>>)> {
        let (width, raw) = (self.0.kinds().len(), self.0.raw_outputs());
        let nodes: usize = self.0.trees().iter().map(Tree::len).sum();
        let (values, expected, rows) = self.on_each(py, columns, nodes, |table, cancel| {
            self.0.contributions(table, threads, cancel).map(|(values, expected)| (values, expected, table.rows()))
        })?;
        Ok((values.into_pyarray(py).reshape([rows, width, raw])?, expected.into_pyarray(py)))
    }

    /// The first tree that says anything but zeros of each row, and what it says.
    #[expect(clippy::type_complexity, reason = "two arrays, as Python sees them")]
    fn first<'py>(
        &self,
        py: Python<'py>,
        columns: &Bound<'py, PyAny>,
    ) -> PyResult<(Bound<'py, PyArray1<u32>>, Bound<'py, PyArray2<f64>>)> {
        let outputs = self.0.tree_outputs();
        let (which, says) = self.on(py, columns, |table, cancel| self.0.first(table, cancel))?;
        let rows = which.len();
        Ok((which.into_pyarray(py), says.into_pyarray(py).reshape([rows, outputs])?))
    }

    #[getter]
    fn n_trees(&self) -> usize {
        self.0.trees().len()
    }

    #[getter]
    fn n_features(&self) -> usize {
        self.0.kinds().len()
    }

    #[getter]
    fn n_outputs(&self) -> usize {
        self.0.outputs()
    }

    #[getter]
    fn n_raw(&self) -> usize {
        self.0.raw_outputs()
    }
}

/// Numbers as rows of so many.
fn matrix(py: Python<'_>, numbers: Vec<f64>, width: usize) -> PyResult<Bound<'_, PyArray2<f64>>> {
    let rows = numbers.len() / width;
    numbers.into_pyarray(py).reshape([rows, width])
}

impl PyForest {
    fn answer<'py>(
        &self,
        py: Python<'py>,
        columns: &Bound<'py, PyAny>,
        ask: &Ask,
    ) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let says = self.on(py, columns, |table, cancel| self.0.answer(table, ask, cancel))?;
        matrix(py, says, if ask.raw { self.0.raw_outputs() } else { self.0.outputs() })
    }

    /// Runs work on a table of borrowed columns.
    fn on<'py, T: Send>(
        &self,
        py: Python<'py>,
        columns: &Bound<'py, PyAny>,
        work: impl FnOnce(&Table<'_>, &treewright_core::pool::Cancel) -> treewright_core::Result<T> + Send,
    ) -> PyResult<T> {
        self.on_each(py, columns, self.0.trees().len(), work)
    }

    /// The same for work that takes a row through so many nodes or trees.
    fn on_each<'py, T: Send>(
        &self,
        py: Python<'py>,
        columns: &Bound<'py, PyAny>,
        each: usize,
        work: impl FnOnce(&Table<'_>, &treewright_core::pool::Cancel) -> treewright_core::Result<T> + Send,
    ) -> PyResult<T> {
        let given = Given::new(self.0.kinds(), columns)?;
        let (rows, table) = (given.rows(), given.table(py)?);
        // Walking takes long and holds little: what is held are the answers.
        let held = rows.saturating_mul(self.0.outputs().max(self.0.raw_outputs()));
        let cells = held.max(rows.saturating_mul(each).min(SMALL));
        enter(py, cells, |cancel| work(&table, cancel))
    }
}

/// Grows a forest of one tree. The target is codes of so many classes, or numbers where `classes` is None.
#[pyfunction]
#[pyo3(signature = (recipe, levels, columns, target, classes, weights))]
pub fn grow(
    py: Python<'_>,
    recipe: &Bound<'_, PyDict>,
    levels: Vec<Option<u32>>,
    columns: &Bound<'_, PyAny>,
    target: &Bound<'_, PyAny>,
    classes: Option<usize>,
    weights: Option<PyReadonlyArray1<'_, f64>>,
) -> PyResult<PyForest> {
    let words = convert::words(recipe)?;
    let kinds = convert::kinds(&levels);
    // Owned copies: another thread may write to the caller's arrays while the tree grows. Rows that are held as columns
    // are coded first, which is a copy too.
    let target = convert::OwnedTarget::new(target, classes)?;
    let weights = weights.map(|weights| weights.as_slice().map(<[f64]>::to_vec)).transpose()?;
    let given = Given::new(&kinds, columns)?;
    let owned = match &given {
        Given::Columns(columns) if words.rows != "columns" => Some(convert::own(columns)?),
        _ => None,
    };
    let read = given.table(py)?;
    let cells = target.len() * kinds.len().max(1);
    let forest = enter(py, cells, |cancel| {
        let table = match &owned {
            Some(owned) => Table::new(owned.iter().map(convert::Owned::column).collect(), target.len())?,
            None => read,
        };
        let tree = recipe::cook(&words, &table, target.as_target(), weights.as_deref(), cancel)?;
        Forest::new(kinds, vec![tree])
    })?;
    Ok(PyForest(Arc::new(forest)))
}
