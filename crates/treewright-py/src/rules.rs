//! Lists of rules for Python: learnt from a tree and its rows, kept as a forest in which each tree is one rule.

use crate::convert::{self, OwnedTarget, item};
use crate::enter::{Size, enter, raise};
use crate::forest::PyForest;
use numpy::PyReadonlyArray1;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::sync::Arc;
use treewright_core::prelude::{Forest, learn_rules as learn, rule_terms};

/// The rules of a tree and the rows that it was grown from, with the default last.
#[pyfunction]
#[pyo3(signature = (forest, words, columns, target, weights))]
fn learn_rules(
    py: Python<'_>,
    forest: &PyForest,
    words: &Bound<'_, PyDict>,
    columns: Vec<Bound<'_, PyAny>>,
    target: &Bound<'_, PyAny>,
    weights: Option<PyReadonlyArray1<'_, f64>>,
) -> PyResult<PyForest> {
    let interval: String = item(words, "interval")?;
    let (confidence, redundancy, seed) = (item(words, "confidence")?, item(words, "redundancy")?, item(words, "seed")?);
    let terms = rule_terms(confidence, &interval, redundancy, seed).map_err(|error| raise(py, error))?;
    let [_] = forest.0.trees() else { return Err(PyValueError::new_err("rules come from one tree")) };
    let target = OwnedTarget::new(target, Some(forest.0.outputs()))?;
    let weights = convert::copy_some(weights.as_ref())?;
    let owned = convert::own(&convert::borrow(forest.0.kinds(), &columns)?)?;
    let rules = enter(py, Size::learning(target.len(), columns.len()).times(forest.0.nodes()), |cancel| {
        let table = convert::own_table(&owned, target.len())?;
        let trees = learn(&forest.0, &table, target.as_target(), weights.as_deref(), terms, cancel)?;
        Forest::grown(forest.0.kinds().to_vec(), trees)
    })?;
    Ok(PyForest(Arc::new(rules)))
}

/// Adds everything here to the module.
pub fn register(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add_function(wrap_pyfunction!(learn_rules, m)?)
}
