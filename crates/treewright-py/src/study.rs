//! A node of a tree and what it had to choose from, for Python.

use crate::convert::{self, OwnedTarget};
use crate::enter::{Size, enter};
use crate::forest::PyForest;
use numpy::{PyArray1, PyReadonlyArray1};
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use treewright_core::prelude::{
    AVERAGE_GAIN, Candidate, ColumnStudy, Figures, NodeStudy, Question, SplitRule, StudyRequest, Table, chance,
    study_tree,
};

/// Studies some nodes of a tree, in its order, or all of them, given the recipe and the rows that it was grown with.
#[pyfunction]
#[pyo3(signature = (forest, nodes, recipe, columns, target, classes, weights, cuts, rows, as_asked=false))]
#[expect(clippy::too_many_arguments, reason = "those of grow, and a node of what it gave")]
fn study<'py>(
    py: Python<'py>,
    forest: &PyForest,
    nodes: Option<Vec<usize>>,
    recipe: &Bound<'_, PyDict>,
    columns: Vec<Bound<'_, PyAny>>,
    target: &Bound<'_, PyAny>,
    classes: Option<usize>,
    weights: Option<PyReadonlyArray1<'_, f64>>,
    cuts: usize,
    rows: usize,
    as_asked: bool,
) -> PyResult<Bound<'py, PyList>> {
    if nodes.iter().flatten().any(|&node| node >= forest.0.trees()[0].len()) {
        return Err(PyIndexError::new_err("there is no such node"));
    }
    let recipe = convert::recipe(recipe)?;
    let target = OwnedTarget::new(target, classes)?;
    let weights = convert::copy_some(weights.as_ref())?;
    let owned = convert::own(&convert::borrow(forest.0.kinds(), &columns)?)?;
    let size = Size::learning(target.len(), columns.len()).times(recipe.max_divisions(forest.0.kinds()));
    let reports = enter(py, size, |cancel| {
        let table = Table::new(owned.iter().map(convert::Owned::column).collect(), target.len())?;
        let request = StudyRequest { forest: &forest.0, nodes: nodes.as_deref(), cuts, rows, as_asked, cancel };
        study_tree(&recipe, &table, target.as_target(), weights.as_deref(), &request)
    })?;
    PyList::new(py, reports.iter().map(|report| study_dict(py, report)).collect::<PyResult<Vec<_>>>()?)
}

fn study_dict<'py>(py: Python<'py>, report: &NodeStudy) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item("node", figures(py, &report.node)?)?;
    dict.set_item("chosen", report.chosen)?;
    dict.set_item("same", report.same)?;
    let columns = report.columns.iter().map(|column| studied(py, column)).collect::<PyResult<Vec<_>>>()?;
    dict.set_item("columns", PyList::new(py, columns)?)?;
    if !report.rows.is_empty() {
        let (rows, weights): (Vec<u32>, Vec<f64>) = report.rows.iter().copied().unzip();
        dict.set_item("rows", (PyArray1::from_vec(py, rows), PyArray1::from_vec(py, weights)))?;
    }
    Ok(dict)
}

fn studied<'py>(py: Python<'py>, column: &ColumnStudy) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item("feature", column.feature)?;
    if let Some(found) = &column.candidate {
        dict.set_item("gain", found.gain)?;
        dict.set_item("split_info", found.split_info)?;
        dict.set_item("wide", found.wide)?;
    }
    if let Some(way) = &column.way {
        match &way.question {
            Question::Threshold(cut) => dict.set_item("threshold", cut)?,
            Question::Route(route) => dict.set_item("route", route)?,
        }
        dict.set_item("missing", way.missing)?;
    }
    if let Some(asked) = &column.asked {
        dict.set_item("asked", (asked.gain, asked.split_info))?;
    }
    dict.set_item("known", figures(py, &column.known)?)?;
    if let Some(unknown) = &column.unknown {
        dict.set_item("unknown", figures(py, unknown)?)?;
    }
    let children = column.children.iter().map(|child| figures(py, child)).collect::<PyResult<Vec<_>>>()?;
    dict.set_item("children", PyList::new(py, children)?)?;
    if column.cuts.tries > 0 {
        let cuts: Vec<_> = column.cuts.list.iter().map(|cut| (cut.below, cut.above, cut.threshold, cut.gain)).collect();
        dict.set_item("cuts", cuts)?;
        let sides = column.sides.iter().map(|[low, high]| Ok((figures(py, low)?, figures(py, high)?)));
        dict.set_item("sides", sides.collect::<PyResult<Vec<_>>>()?)?;
        dict.set_item("admissible", column.cuts.admissible)?;
        dict.set_item("tries", column.cuts.tries)?;
        dict.set_item("price", column.cuts.price)?;
        if column.cuts.least > 0.0 {
            dict.set_item("least", column.cuts.least)?;
        }
    }
    Ok(dict)
}

fn figures<'py>(py: Python<'py>, of: &Figures) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item("value", &of.value)?;
    dict.set_item("weight", of.weight)?;
    dict.set_item("count", of.count)?;
    dict.set_item("cost", of.cost)?;
    Ok(dict)
}

/// How the chooser of a recipe ranks candidates, each a gain, a split information and whether it is wide. Thresholds do
/// not count.
#[pyfunction]
fn rank<'py>(
    py: Python<'py>,
    recipe: &Bound<'_, PyDict>,
    candidates: Vec<(f64, f64, bool)>,
    impurity: f64,
) -> PyResult<Bound<'py, PyDict>> {
    let candidate = |(i, (gain, split_info, wide)): (usize, (f64, f64, bool))| Candidate {
        split_info,
        wide,
        ..Candidate::new(i as u32, gain, SplitRule::levels(2, false))
    };
    let candidates: Vec<Candidate> = candidates.into_iter().enumerate().map(candidate).collect();
    let ranking = convert::recipe(recipe)?.chooser.rank(&candidates, impurity);
    let dict = PyDict::new(py);
    dict.set_item("best", ranking.best)?;
    dict.set_item("tied", ranking.tied)?;
    dict.set_item("competes", ranking.competes)?;
    dict.set_item("average", ranking.average)?;
    dict.set_item("slack", AVERAGE_GAIN)?;
    Ok(dict)
}

/// The probability that chance alone divides classes so unevenly: a list of class weights for each child.
#[pyfunction]
fn p_value(children: Vec<Vec<f64>>) -> f64 {
    chance::p_value(&children)
}

/// Adds everything here to the module.
pub fn register(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add_function(wrap_pyfunction!(study, m)?)?;
    m.add_function(wrap_pyfunction!(rank, m)?)?;
    m.add_function(wrap_pyfunction!(p_value, m)?)
}
