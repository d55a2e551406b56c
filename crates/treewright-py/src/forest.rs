//! `Forest` for Python, and `grow`, which makes one.

use crate::by_hand::{Shares, arrays, check_node};
use crate::convert;
use crate::enter::{Size, enter, raise};
use crate::matrix::ColumnSource;
use crate::training_rows::TrainingRows;
use crate::tree::PyTree;
use numpy::{
    IntoPyArray, PyArray1, PyArray2, PyArray3, PyArrayMethods, PyReadonlyArray1, PyReadonlyArray2,
    PyUntypedArrayMethods,
};
use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use std::ops::Range;
use std::sync::Arc;
use treewright_core::prelude::{Cancel, Forest, Table, Tree, file, grow_tree, memory};

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
        let cells = numbers_of(&trees);
        let forest = enter(py, cells, |_| Forest::combined(kinds, trees, combine))?;
        Ok(PyForest(Arc::new(forest)))
    }

    /// Some of the trees, without what becomes of their answers.
    fn part(&self, py: Python<'_>, first: usize, last: usize) -> PyResult<PyForest> {
        let Some(trees) = self.0.trees().get(first..last) else {
            return Err(PyValueError::new_err("there are no such trees"));
        };
        let forest =
            enter(py, numbers_of(trees), |cancel| Forest::new(self.0.kinds().to_vec(), copied(trees, cancel)?))?;
        Ok(PyForest(Arc::new(forest)))
    }

    /// The same trees with other values at their nodes: those of each tree as a row for each node.
    fn with_values(&self, py: Python<'_>, values: Vec<PyReadonlyArray2<'_, f64>>) -> PyResult<PyForest> {
        let values = values.iter().map(|array| copy(py, array)).collect::<PyResult<Vec<_>>>()?;
        let sizes = self.0.trees().iter().map(|tree| tree.value.len());
        if !values.iter().map(Vec::len).eq(sizes) {
            return Err(PyValueError::new_err("the values must be one row for each node of each tree"));
        }
        let forest = enter(py, numbers_of(self.0.trees()), |cancel| {
            let mut trees = copied(self.0.trees(), cancel)?;
            for (tree, values) in trees.iter_mut().zip(values) {
                tree.value = values;
            }
            Forest::combined(self.0.kinds().to_vec(), trees, self.0.combine().clone())
        })?;
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
        let cells = forests.iter().map(|forest| numbers_of(forest.trees())).sum::<usize>();
        let forest = enter(py, cells, |cancel| {
            let kinds = forests.first().map_or(Vec::new(), |forest| forest.kinds().to_vec());
            let mut trees = Vec::new();
            for forest in &forests {
                trees.append(&mut copied(forest.trees(), cancel)?);
            }
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
        let (forest, document) = enter(py, data.len(), |cancel| file::from_bytes(data, cancel))?;
        Ok((PyForest(Arc::new(forest)), document))
    }

    /// The bytes of a model file.
    fn to_bytes<'py>(&self, py: Python<'py>, document: &str) -> PyResult<Bound<'py, PyBytes>> {
        let cells = document.len() + numbers_of(self.0.trees());
        let bytes = enter(py, cells, |cancel| file::to_bytes(&self.0, document, cancel))?;
        convert::bytes(py, &bytes)
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

    /// The rows that come to a node of one tree, each with the share of it that does.
    fn rows_at<'py>(
        &self,
        py: Python<'py>,
        tree: usize,
        node: usize,
        columns: &Bound<'py, PyAny>,
    ) -> PyResult<Shares<'py>> {
        self.tree(tree)?;
        check_node(&self.0.trees()[tree], node)?;
        let rows = self.on(py, columns, |table, cancel| self.0.rows_at(tree, node, table, cancel))?;
        Ok(arrays(py, rows))
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
        self.answer(py, columns, first..last, false, threads)
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
        self.answer(py, columns, first..last, true, threads)
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
        let continued = sums.map(|sums| copy(py, &sums)).transpose()?;
        let sums = self.on(py, columns, |table, cancel| {
            let mut sums = match continued {
                Some(sums) => sums,
                None => {
                    let mut sums = memory::filled(0.0, table.rows() * raw)?;
                    self.0.combine().begin(&mut sums);
                    sums
                }
            };
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
        let mut sums = copy(py, &sums)?;
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

/// How many numbers trees hold.
fn numbers_of(trees: &[Tree]) -> usize {
    trees.iter().map(|tree| tree.value.len() + 8 * tree.len() + tree.route.len()).sum()
}

/// A copy of trees.
fn copied(trees: &[Tree], cancel: &Cancel) -> treewright_core::Result<Vec<Tree>> {
    trees.iter().map(|tree| cancel.check().and_then(|()| tree.copied())).collect()
}

/// A copy of an array of numbers.
fn copy(py: Python<'_>, array: &PyReadonlyArray2<'_, f64>) -> PyResult<Vec<f64>> {
    memory::copied(array.as_slice()?).map_err(|error| raise(py, error))
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
        trees: Range<usize>,
        raw: bool,
        threads: usize,
    ) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let says = self.on(py, columns, |table, cancel| self.0.answer(table, trees, raw, threads, cancel))?;
        matrix(py, says, if raw { self.0.raw_outputs() } else { self.0.outputs() })
    }

    /// Runs work on a table of borrowed columns.
    fn on<'py, T: Send>(
        &self,
        py: Python<'py>,
        columns: &Bound<'py, PyAny>,
        work: impl FnOnce(&Table<'_>, &Cancel) -> treewright_core::Result<T> + Send,
    ) -> PyResult<T> {
        self.on_each(py, columns, self.0.trees().len(), work)
    }

    /// The same for work that takes a row through so many nodes or trees.
    fn on_each<'py, T: Send>(
        &self,
        py: Python<'py>,
        columns: &Bound<'py, PyAny>,
        each: usize,
        work: impl FnOnce(&Table<'_>, &Cancel) -> treewright_core::Result<T> + Send,
    ) -> PyResult<T> {
        let source = ColumnSource::new(self.0.kinds(), columns)?;
        let (rows, table) = (source.rows(), source.table(py)?);
        // Walking takes long and holds little: what is held are the predictions.
        let cells = rows.saturating_mul(self.0.outputs().max(self.0.raw_outputs()));
        let steps = rows.saturating_mul(each).saturating_mul(self.0.raw_outputs()).max(self.0.nodes());
        enter(py, Size::holding(cells, steps), |cancel| work(&table, cancel))
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
    let recipe = convert::recipe(recipe)?;
    let rows = TrainingRows::new(&levels, columns, target, classes, weights.as_ref())?;
    // Columns that are coded first are copied then.
    let owned = if recipe.codes_columns_first() { None } else { rows.columns.own()? };
    let read = rows.columns.table(py)?;
    let size = rows.size().times(recipe.max_divisions(&rows.kinds));
    let forest = enter(py, size, |cancel| {
        let table = convert::own_or_read(owned.as_deref(), read)?;
        let tree = grow_tree(&recipe, &table, rows.target.as_target(), rows.weights.as_deref(), cancel)?;
        Forest::grown(rows.kinds.clone(), vec![tree])
    })?;
    Ok(PyForest(Arc::new(forest)))
}
