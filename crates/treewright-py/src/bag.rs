//! Many trees, each of its own sample: growing them, asking them out of bag, and the samples themselves.

use crate::convert::{self, item};
use crate::enter::{Size, enter, enter_together, enter_told, raise};
use crate::forest::PyForest;
use crate::matrix::ColumnSource;
use crate::peers::peers_of;
use crate::training_rows::TrainingRows;
use numpy::ndarray::Array2;
use numpy::{IntoPyArray, PyArray1, PyArray2, PyReadonlyArray1, PyReadonlyArray2};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::cell::Cell;
use std::sync::Arc;
use treewright_core::prelude::{
    Bagging, Boosted, Cancel, Forest, Progress, Rounds, Samples, Sampling, Target, adaboost, adaboost_merged, oob,
    order, sample, sampling as row_sampling,
};

/// How samples are drawn, from words and numbers.
pub fn sampling(words: &Bound<'_, PyDict>) -> PyResult<Sampling> {
    let py = words.py();
    let counts: Option<PyReadonlyArray2<'_, u32>> = item(words, "given")?;
    let how: String = item(words, "sampling")?;
    Ok(Sampling {
        how: row_sampling(&how).map_err(|error| raise(py, error))?,
        draws: item(words, "draws")?,
        seed: item(words, "seed")?,
        columns: item(words, "columns")?,
        cuts: item(words, "cuts")?,
        balanced: item(words, "balanced")?,
        counts: counts.map(|counts| counts.as_slice().map(<[u32]>::to_vec)).transpose()?,
    })
}

/// How many trees are done, and who is told of it.
pub struct Telling<'a, 'py> {
    tell: Option<&'a Bound<'py, PyAny>>,
    progress: Progress,
    reported: Cell<usize>,
}

impl<'a, 'py> Telling<'a, 'py> {
    pub fn new(tell: Option<&'a Bound<'py, PyAny>>) -> Telling<'a, 'py> {
        Telling { tell, progress: Progress::default(), reported: Cell::new(0) }
    }

    /// Who grows trees tells it of each.
    pub fn progress(&self) -> &Progress {
        &self.progress
    }

    /// Calls the function, if more trees are done than it knows.
    pub fn tell(&self) -> PyResult<()> {
        match self.tell {
            Some(tell) if self.progress.done() > self.reported.get() => {
                self.reported.set(self.progress.done());
                tell.call1((self.reported.get(),)).map(drop)
            }
            _ => Ok(()),
        }
    }
}

/// Grows the trees of a forest from `first` to before `last`. `tell` is called with the number of finished trees now and
/// then; what it raises stops the work. `samples` are those of the bag, where they have been drawn already.
#[pyfunction]
#[pyo3(signature = (recipe, bag, levels, columns, target, classes, weights, first, last, tell=None, samples=None))]
#[expect(clippy::too_many_arguments, reason = "what a forest is grown from, as Python gives it")]
fn grow_bag(
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
    tell: Option<&Bound<'_, PyAny>>,
    samples: Option<&PySamples>,
) -> PyResult<PyForest> {
    let samples = samples.map(|samples| Arc::clone(&samples.0));
    let (recipe, sampling) = (convert::recipe(recipe)?, sampling(bag)?);
    let rows = TrainingRows::new(&levels, columns, target, classes, weights.as_ref())?;
    let (owned, read) = (rows.columns.own()?, rows.columns.table(py)?);
    let trees = last.saturating_sub(first) as usize;
    let size = rows.size().times(trees).times(recipe.max_divisions(&rows.kinds));
    let telling = Telling::new(tell);
    let progress = telling.progress();
    let forest = enter_told(
        py,
        size,
        || telling.tell(),
        |cancel| {
            let table = convert::own_or_read(owned.as_deref(), read)?;
            let (weights, cache) = (rows.weights.as_deref(), None);
            let bagging =
                Bagging { recipe: &recipe, sampling: &sampling, table: &table, weights, cache, progress, cancel };
            let trees = bagging.grow(rows.target.as_target(), first..last, samples)?;
            Forest::grown_on(recipe.threads, rows.kinds.clone(), trees)
        },
    )?;
    Ok(PyForest(Arc::new(forest)))
}

/// What trees say of the rows that they have not seen: the mean for each row, how many trees that is of, and the error
/// after each tree.
#[pyfunction]
#[expect(clippy::type_complexity, clippy::too_many_arguments, reason = "arrays, as Python sees them")]
fn out_of_bag<'py>(
    py: Python<'py>,
    forest: &PyForest,
    bag: &Bound<'py, PyDict>,
    columns: &Bound<'py, PyAny>,
    target: &Bound<'py, PyAny>,
    classes: Option<usize>,
    weights: Option<PyReadonlyArray1<'py, f64>>,
    threads: usize,
) -> PyResult<(Bound<'py, PyArray2<f64>>, Bound<'py, PyArray1<u32>>, Bound<'py, PyArray1<f64>>)> {
    let (sampling, forest) = (sampling(bag)?, &forest.0);
    let target = convert::OwnedTarget::new(target, classes)?;
    let weights = convert::copy_some(weights.as_ref())?;
    let source = ColumnSource::new(forest.kinds(), columns)?;
    let (rows, table) = (target.len(), source.table(py)?);
    let size = Size::holding(rows * forest.tree_outputs(), rows.saturating_mul(forest.trees().len()));
    let all = enter(py, size, |cancel| {
        target.as_target().check(table.rows(), weights.as_deref())?;
        let samples = sampling.samples(&table, target.as_target(), weights.as_deref())?;
        oob::out_of_bag(forest, &samples, &table, target.as_target(), threads, cancel)
    })?;
    let says = Array2::from_shape_vec((rows, forest.tree_outputs()), all.says)
        .map_err(|error| PyValueError::new_err(error.to_string()))?;
    Ok((says.into_pyarray(py), all.trees.into_pyarray(py), all.curve.into_pyarray(py)))
}

/// The columns in the order in which a node of a tree looks at them; None where it looks at all of them. `path` are the
/// places of the children that lead to the node.
#[pyfunction]
fn column_order(bag: &Bound<'_, PyDict>, tree: u32, path: Vec<usize>, columns: u32) -> PyResult<Option<Vec<u32>>> {
    Ok(sampling(bag)?.column_order(tree, &path, columns as usize))
}

/// The rows that are drawn for each tree; frozen. It holds an order of the rows, not the rows.
#[pyclass(frozen, name = "Samples", module = "treewright._core")]
pub struct PySamples(Arc<Samples>);

#[pymethods]
impl PySamples {
    /// Reads what samples are drawn from.
    #[new]
    #[pyo3(signature = (bag, levels, columns, target, classes, weights))]
    fn new(
        py: Python<'_>,
        bag: &Bound<'_, PyDict>,
        levels: Vec<Option<u32>>,
        columns: &Bound<'_, PyAny>,
        target: &Bound<'_, PyAny>,
        classes: Option<usize>,
        weights: Option<PyReadonlyArray1<'_, f64>>,
    ) -> PyResult<PySamples> {
        let sampling = sampling(bag)?;
        let rows = TrainingRows::new(&levels, columns, target, classes, weights.as_ref())?;
        let table = rows.columns.table(py)?;
        let samples = enter(py, rows.cells(), |_| {
            let (target, weights) = (rows.target.as_target(), rows.weights.as_deref());
            target.check(table.rows(), weights)?;
            sampling.samples(&table, target, weights)
        })?;
        Ok(PySamples(Arc::new(samples)))
    }

    /// How often each row counts in the sample of one tree; empty where there is none.
    fn times<'py>(&self, py: Python<'py>, tree: u32) -> PyResult<Bound<'py, PyArray1<u32>>> {
        let samples = &self.0;
        let times =
            enter(py, samples.size(), |_| if samples.has(tree) { samples.times(tree) } else { Ok(Vec::new()) })?;
        Ok(times.into_pyarray(py))
    }
}

/// All rows in an order that follows from what they hold and from the seed, not from where they stand.
#[pyfunction]
#[pyo3(signature = (levels, columns, target, classes, weights, seed))]
fn row_order<'py>(
    py: Python<'py>,
    levels: Vec<Option<u32>>,
    columns: &Bound<'py, PyAny>,
    target: &Bound<'py, PyAny>,
    classes: Option<usize>,
    weights: Option<PyReadonlyArray1<'py, f64>>,
    seed: u64,
) -> PyResult<Bound<'py, PyArray1<u32>>> {
    let rows = TrainingRows::new(&levels, columns, target, classes, weights.as_ref())?;
    let table = rows.columns.table(py)?;
    let order = enter(py, rows.cells(), |_| {
        let (target, weights) = (rows.target.as_target(), rows.weights.as_deref());
        target.check(table.rows(), weights)?;
        order::shuffled(&table, target, weights, seed)
    })?;
    Ok(order.into_pyarray(py))
}

/// How often each row is there to be drawn, where weights say just that; else None.
#[pyfunction]
fn copies_of<'py>(py: Python<'py>, weights: PyReadonlyArray1<'py, f64>) -> PyResult<Option<Bound<'py, PyArray1<u32>>>> {
    Ok(sample::copies(weights.as_slice()?).map(|copies| copies.into_pyarray(py)))
}

/// The votes of earlier rounds, and a bit for each row that they missed.
fn rounds_before(votes: Vec<f64>, missed: &[PyReadonlyArray1<'_, u8>], rows: usize) -> PyResult<Vec<(f64, Vec<u8>)>> {
    let bits = missed.iter().map(convert::copy).collect::<PyResult<Vec<_>>>()?;
    if bits.len() != votes.len() || bits.iter().any(|bits| bits.len() != rows.div_ceil(8)) {
        return Err(PyValueError::new_err("these are not the rounds before"));
    }
    Ok(votes.into_iter().zip(bits).collect())
}

/// Boosts stumps: the trees, their votes and errors, and the rows that each misses, a bit a row. None where a column is
/// not one of finite numbers.
#[pyfunction]
#[pyo3(signature = (levels, columns, target, classes, weights, rounds, rate, threads, tell=None, votes=Vec::new(), missed=Vec::new(), peers=None))]
#[expect(clippy::type_complexity, clippy::too_many_arguments, reason = "arrays, as Python sees them")]
fn boost_stumps<'py>(
    py: Python<'py>,
    levels: Vec<Option<u32>>,
    columns: &Bound<'py, PyAny>,
    target: PyReadonlyArray1<'py, u32>,
    classes: usize,
    weights: Option<PyReadonlyArray1<'py, f64>>,
    rounds: usize,
    rate: f64,
    threads: usize,
    tell: Option<&Bound<'py, PyAny>>,
    votes: Vec<f64>,
    missed: Vec<PyReadonlyArray1<'py, u8>>,
    peers: Option<&Bound<'py, PyAny>>,
) -> PyResult<Option<(PyForest, Vec<f64>, Vec<f64>, Vec<Bound<'py, PyArray1<u8>>>)>> {
    let kinds = convert::kinds(&levels);
    let target = convert::copy(&target)?;
    let weights = convert::copy_some(weights.as_ref())?;
    let before = rounds_before(votes, &missed, target.len())?;
    let source = ColumnSource::new(&kinds, columns)?;
    let table = source.table(py)?;
    let size = Size::learning(target.len(), kinds.len()).times(rounds);
    let telling = Telling::new(tell);
    let progress = telling.progress();
    let peers = peers_of(peers)?;
    let work = |cancel: &Cancel| {
        Target::Classes { codes: &target, classes }.check(table.rows(), weights.as_deref())?;
        let weights = weights.as_deref();
        let plan = Rounds { target: &target, classes, weights, rounds, rate, threads, before: &before };
        let boosted = match peers.size() {
            1 => adaboost(&table, &plan, progress, cancel)?,
            _ => adaboost_merged(&table, &plan, &*peers, progress, cancel)?,
        };
        let Some(Boosted { trees, votes, errors, missed }) = boosted else { return Ok(None) };
        Ok(Some((Forest::grown(kinds, trees)?, votes, errors, missed)))
    };
    let done = match peers.size() {
        1 => enter_told(py, size, || telling.tell(), work)?,
        _ => enter_together(py, size, &*peers, work)?,
    };
    Ok(done.map(|(forest, votes, errors, missed)| {
        let missed = missed.into_iter().map(|bits| bits.into_pyarray(py)).collect();
        (PyForest(Arc::new(forest)), votes, errors, missed)
    }))
}

pub fn register(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add_function(wrap_pyfunction!(boost_stumps, m)?)?;
    m.add_function(wrap_pyfunction!(copies_of, m)?)?;
    m.add_function(wrap_pyfunction!(grow_bag, m)?)?;
    m.add_function(wrap_pyfunction!(row_order, m)?)?;
    m.add_function(wrap_pyfunction!(out_of_bag, m)?)?;
    m.add_function(wrap_pyfunction!(column_order, m)?)?;
    m.add_class::<PySamples>()
}
