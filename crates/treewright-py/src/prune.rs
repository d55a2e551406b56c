//! Pruners for Python: a forest of one tree in, a smaller one out, and the figures of each decision as columns.

use crate::convert::{self, OwnedTarget, item};
use crate::enter::{Size, enter, enter_together, raise};
use crate::forest::PyForest;
use crate::matrix::ColumnSource;
use crate::peers::peers_of;
use numpy::{IntoPyArray, PyReadonlyArray1};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::sync::Arc;
use treewright_core::prelude::{
    Cancel, Costs, Forest, Formula, PessimisticWords, Target, Tree, Trial, Truth, alike, along, cost_complexity, cut,
    estimate, in_parts, reduced_error,
};

/// Numbers for each node, as Python gives them.
type Column<'py, T> = PyReadonlyArray1<'py, T>;

fn one(forest: &PyForest) -> PyResult<&Tree> {
    match forest.0.trees() {
        [tree] => Ok(tree),
        trees => Err(PyValueError::new_err(format!("there are {} trees, not one", trees.len()))),
    }
}

fn wrap(py: Python<'_>, like: &PyForest, tree: Tree) -> PyResult<PyForest> {
    let forest = enter(py, tree.value.len(), |_| Forest::new(like.0.kinds().to_vec(), vec![tree]))?;
    Ok(PyForest(Arc::new(forest)))
}

/// The forest in which the given nodes are leaves.
#[pyfunction]
fn prune_nodes(py: Python<'_>, forest: &PyForest, nodes: Column<'_, u32>) -> PyResult<PyForest> {
    let tree = one(forest)?;
    let mut is_leaf = vec![false; tree.len()];
    for &node in nodes.as_slice()? {
        *is_leaf.get_mut(node as usize).ok_or_else(|| PyValueError::new_err(format!("there is no node {node}")))? =
            true;
    }
    let small = enter(py, tree.value.len(), |_| cut(tree, forest.0.kinds(), &is_leaf))?;
    wrap(py, forest, small)
}

/// The nodes whose children all give their answer.
#[pyfunction]
fn prune_alike<'py>(py: Python<'py>, forest: &PyForest, costs: Vec<f64>) -> PyResult<Bound<'py, PyAny>> {
    let tree = one(forest)?;
    let alike = enter(py, tree.len(), |_| Ok(alike::alike(tree, Costs(&costs))))?;
    let nodes: Vec<u32> = (0..tree.len()).filter(|&n| alike[n] && tree.n_children[n] > 0).map(|n| n as u32).collect();
    Ok(nodes.into_pyarray(py).into_any())
}

/// Prunes by expected errors: with the rows of the tree branches may be raised, without them not.
#[pyfunction]
#[pyo3(signature = (forest, words, columns, target, weights, peers = None))]
fn prune_pessimistic<'py>(
    py: Python<'py>,
    forest: &PyForest,
    words: &Bound<'_, PyDict>,
    columns: Option<&Bound<'_, PyAny>>,
    target: Option<&Bound<'_, PyAny>>,
    weights: Option<Column<'_, f64>>,
    peers: Option<&Bound<'_, PyAny>>,
) -> PyResult<(PyForest, Bound<'py, PyDict>)> {
    one(forest)?;
    let peers = peers_of(peers)?;
    let pruning = PessimisticWords {
        confidence: item(words, "confidence")?,
        interval: item(words, "interval")?,
        tolerance: item(words, "tolerance")?,
        keep_class: item(words, "keep_class")?,
        empty: item(words, "empty")?,
        criterion: item(words, "criterion")?,
        tidy: item(words, "tidy")?,
    }
    .read()
    .map_err(|error| raise(py, error))?;
    let model = &forest.0;
    let (tree, trace) = match (columns, target) {
        (Some(columns), Some(target)) => {
            let target = OwnedTarget::new(target, Some(model.outputs()))?;
            let weights = convert::copy_some(weights.as_ref())?;
            let source = ColumnSource::new(model.kinds(), columns)?;
            let (owned, read) = (source.own()?, source.table(py)?);
            // Rows are distributed again below each node that a child may replace.
            let steps = target.len().saturating_mul(model.trees()[0].len());
            let size = Size { steps, ..Size::learning(target.len(), model.kinds().len()) };
            let work = |cancel: &Cancel| {
                let table = convert::own_or_read(owned.as_deref(), read)?;
                pruning.raise_part(model, &table, target.as_target(), weights.as_deref(), &*peers, cancel)
            };
            if peers.size() == 1 { enter(py, size, work)? } else { enter_together(py, size, &*peers, work)? }
        }
        _ => enter(py, model.trees()[0].len(), |_| pruning.replace(model))?,
    };
    Ok((wrap(py, forest, tree)?, trials(py, &trace)?))
}

fn trials<'py>(py: Python<'py>, trace: &[Trial]) -> PyResult<Bound<'py, PyDict>> {
    let columns = PyDict::new(py);
    let figures = |of: fn(&Trial) -> f64| trace.iter().map(of).collect::<Vec<f64>>().into_pyarray(py);
    columns.set_item("node", trace.iter().map(|trial| trial.node as u32).collect::<Vec<_>>().into_pyarray(py))?;
    columns.set_item("subtree", figures(|trial| trial.tree))?;
    columns.set_item("leaf", figures(|trial| trial.leaf))?;
    columns.set_item("raised", figures(|trial| trial.branch.unwrap_or(f64::NAN)))?;
    columns.set_item("decision", trace.iter().map(|trial| trial.verdict as u8).collect::<Vec<_>>().into_pyarray(py))?;
    Ok(columns)
}

/// The nodes that reduced-error pruning makes leaves, and the figures of each decision; `in_parts` says whether a divided
/// row counts by its parts.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "a tree, and the rows with their truth")]
fn prune_reduced_error<'py>(
    py: Python<'py>,
    forest: &PyForest,
    columns: Vec<Bound<'_, PyAny>>,
    target: &Bound<'_, PyAny>,
    classes: Option<usize>,
    weights: Column<'_, f64>,
    costs: Vec<f64>,
    in_parts: bool,
) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyDict>)> {
    let tree = one(forest)?;
    let target = OwnedTarget::new(target, classes)?;
    let weights = convert::copy(&weights)?;
    let owned = convert::own(&convert::borrow(forest.0.kinds(), &columns)?)?;
    let (is_leaf, trace) = enter(py, Size::learning(target.len(), columns.len()), |cancel| {
        let table = convert::own_table(&owned, target.len())?;
        forest.0.check_columns(&table)?;
        if in_parts {
            in_parts::prune(tree, &table, truth(&target, &costs), &weights, cancel)
        } else {
            reduced_error::prune(tree, &table, truth(&target, &costs), &weights, cancel)
        }
    })?;
    let cut = |node: &usize| is_leaf[*node] && tree.n_children[*node] > 0;
    let nodes: Vec<u32> = (0..tree.len()).filter(cut).map(|node| node as u32).collect();
    let figures = PyDict::new(py);
    let column = |of: fn(&reduced_error::Trial) -> f64| trace.iter().map(of).collect::<Vec<f64>>().into_pyarray(py);
    figures.set_item("node", trace.iter().map(|trial| trial.node as u32).collect::<Vec<_>>().into_pyarray(py))?;
    figures.set_item("weight", column(|trial| trial.weight))?;
    figures.set_item("before", column(|trial| trial.before))?;
    figures.set_item("after", column(|trial| trial.after))?;
    figures.set_item("cut", trace.iter().map(|trial| trial.cut).collect::<Vec<_>>().into_pyarray(py))?;
    Ok((nodes.into_pyarray(py).into_any(), figures))
}

/// The path of weakest links for the risk of each node as a leaf; `shallow` finds it as rpart does.
#[pyfunction]
fn prune_path<'py>(
    py: Python<'py>,
    forest: &PyForest,
    risk: Column<'_, f64>,
    shallow: bool,
) -> PyResult<Bound<'py, PyDict>> {
    let (tree, risk) = (one(forest)?, risk.as_slice()?);
    if risk.len() != tree.len() || !risk.iter().all(|x| x.is_finite()) {
        return Err(PyValueError::new_err("there must be a finite risk for each node"));
    }
    let find = if shallow { cost_complexity::shallow_path } else { cost_complexity::path };
    let path = enter(py, Size::learning(tree.len(), 1), |cancel| find(tree, risk, cancel))?;
    let columns = PyDict::new(py);
    columns.set_item("price", path.price.into_pyarray(py))?;
    columns.set_item("leaves", path.leaves.into_pyarray(py))?;
    columns.set_item("risk", path.risk.into_pyarray(py))?;
    columns.set_item("link", path.link.into_pyarray(py))?;
    Ok(columns)
}

/// The sums of errors and of squared errors on some rows for the tree at each price.
#[pyfunction]
#[pyo3(signature = (forest, link, prices, columns, target, classes, weights, costs))]
#[expect(clippy::too_many_arguments, reason = "a path, and the rows with their truth")]
fn prune_along<'py>(
    py: Python<'py>,
    forest: &PyForest,
    link: Column<'_, f64>,
    prices: Column<'_, f64>,
    columns: Vec<Bound<'_, PyAny>>,
    target: &Bound<'_, PyAny>,
    classes: Option<usize>,
    weights: Column<'_, f64>,
    costs: Vec<f64>,
) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
    let tree = one(forest)?;
    let target = OwnedTarget::new(target, classes)?;
    let [link, prices, weights] = [convert::copy(&link)?, convert::copy(&prices)?, convert::copy(&weights)?];
    if link.len() != tree.len() || !prices.is_sorted() {
        return Err(PyValueError::new_err("there must be a link for each node, and ascending prices"));
    }
    let owned = convert::own(&convert::borrow(forest.0.kinds(), &columns)?)?;
    let size = Size::learning(target.len(), columns.len()).times(prices.len());
    let (errors, squares) = enter(py, size, |cancel| {
        let table = convert::own_table(&owned, target.len())?;
        forest.0.check_columns(&table)?;
        along::along(tree, &link, &prices, &table, truth(&target, &costs), &weights, cancel)
    })?;
    Ok((errors.into_pyarray(py).into_any(), squares.into_pyarray(py).into_any()))
}

fn truth<'a>(target: &'a OwnedTarget, costs: &'a [f64]) -> Truth<'a> {
    match target.as_target() {
        Target::Classes { codes, .. } => Truth::Classes(codes, Costs(costs)),
        Target::Numbers(numbers) => Truth::Numbers(numbers),
    }
}

/// The errors to expect on new rows of a leaf that is wrong about `errors` of its rows of this weight.
#[pyfunction]
fn expected_errors(py: Python<'_>, weight: f64, errors: f64, confidence: f64, interval: &str) -> PyResult<f64> {
    enter(py, 0, |_| Ok(estimate(confidence, interval)?.total(weight, errors)))
}

/// By which formula these errors are found, the share that it takes of the rest, and the normal quantile.
#[pyfunction]
fn error_formula(
    py: Python<'_>,
    weight: f64,
    errors: f64,
    confidence: f64,
    interval: &str,
) -> PyResult<(&'static str, f64, f64)> {
    let estimate = enter(py, 0, |_| estimate(confidence, interval))?;
    let (word, share) = match estimate.formula(weight, errors) {
        Formula::Nothing => ("nothing", 0.0),
        Formula::Power => ("power", 0.0),
        Formula::Between => ("between", 0.0),
        Formula::Share(share) => ("share", share),
        Formula::Normal => ("normal", 0.0),
    };
    Ok((word, share, estimate.z()))
}

/// Adds everything here to the module.
pub fn register(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add_function(wrap_pyfunction!(expected_errors, m)?)?;
    m.add_function(wrap_pyfunction!(error_formula, m)?)?;
    m.add_function(wrap_pyfunction!(prune_nodes, m)?)?;
    m.add_function(wrap_pyfunction!(prune_alike, m)?)?;
    m.add_function(wrap_pyfunction!(prune_pessimistic, m)?)?;
    m.add_function(wrap_pyfunction!(prune_reduced_error, m)?)?;
    m.add_function(wrap_pyfunction!(prune_path, m)?)?;
    m.add_function(wrap_pyfunction!(prune_along, m)?)
}
