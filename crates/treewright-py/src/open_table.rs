//! A table from the bytes of a file without any Python between: what the page does, so that tests can compare.

use crate::columns::{Chosen, choice, meaning, refuse, settle};
use crate::csv::strings;
use crate::enter::{enter, raise};
use numpy::IntoPyArray;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use std::borrow::Cow;
use treewright_core::prelude::columns::{Feature, OpenTable, TableOptions, TargetValues, Task, TypedValues};
use treewright_core::prelude::{Delimiter, NumberFormat};

/// Reads a file by all rules of the core; gives roles, features, target and notes, or a refusal.
#[pyfunction]
#[pyo3(signature = (bytes, label, target=None, task=None, delimiter=None, header=true, missing=None, decimal_comma=false, choices=Vec::new(), date_parts=false, pooled=false))]
#[expect(clippy::too_many_arguments, reason = "the options of the page")]
fn open_table<'py>(
    py: Python<'py>,
    bytes: Vec<u8>,
    label: String,
    target: Option<String>,
    task: Option<&str>,
    delimiter: Option<char>,
    header: bool,
    missing: Option<Vec<String>>,
    decimal_comma: bool,
    choices: Vec<(String, Chosen)>,
    date_parts: bool,
    pooled: bool,
) -> PyResult<Bound<'py, PyAny>> {
    let choices = choices.into_iter().map(|(name, chosen)| Ok((name, choice(chosen)?))).collect::<PyResult<_>>()?;
    let options = TableOptions {
        label,
        delimiter: delimiter.map_or(Delimiter::Find, |letter| Delimiter::Byte(letter as u8)),
        header,
        missing,
        numbers: NumberFormat { decimal_comma, thousands: None },
        choices,
        date_parts,
        target,
        task: task.map(|word| if word == "regression" { Task::Numbers } else { Task::Classes }),
        ..TableOptions::default()
    };
    let opened = enter(py, bytes.len(), move |cancel| settle(OpenTable::read(&bytes, &options, cancel)))?;
    match opened {
        Ok(table) => describe(py, &table, pooled),
        Err(refusal) => refuse(py, &refusal),
    }
}

fn describe<'py>(py: Python<'py>, opened: &OpenTable, pooled: bool) -> PyResult<Bound<'py, PyAny>> {
    let answer = PyDict::new(py);
    let roles: Vec<_> = opened
        .table
        .columns
        .iter()
        .map(|read| (read.column.name.as_str(), read.read_as.name(), read.ignored, read.missing))
        .collect();
    let notes: Vec<String> = opened.table.notes().iter().map(|(_, reason)| reason.sentence.to_string()).collect();
    let features = PyList::empty(py);
    for feature in opened.features(pooled).map_err(|error| raise(py, error))? {
        features.append(describe_feature(py, feature)?)?;
    }
    answer.set_item("roles", roles)?;
    answer.set_item("notes", notes)?;
    answer.set_item("features", features)?;
    answer.set_item("rows", opened.rows)?;
    answer.set_item("target", opened.table.columns.get(opened.target).map(|read| read.column.name.as_str()))?;
    match opened.target_values().map_err(|error| raise(py, error))? {
        TargetValues::Classes(codes, classes) => {
            answer.set_item("classes", classes)?;
            answer.set_item("target_values", codes.into_pyarray(py))?;
        }
        TargetValues::Numbers(numbers) => {
            answer.set_item("classes", py.None())?;
            answer.set_item("target_values", numbers.into_pyarray(py))?;
        }
    }
    answer.set_item("head", opened.cells(0, 5))?;
    Ok(answer.into_any())
}

fn describe_feature<'py>(py: Python<'py>, feature: Feature) -> PyResult<Bound<'py, PyDict>> {
    let item = PyDict::new(py);
    item.set_item("name", feature.name)?;
    item.set_item("source", feature.source)?;
    item.set_item("order", feature.order)?;
    item.set_item("meaning", meaning(py, feature.meaning.as_ref())?)?;
    item.set_item("other", feature.other)?;
    match feature.values {
        TypedValues::Numbers(numbers) => {
            item.set_item("levels", py.None())?;
            item.set_item("values", Cow::into_owned(numbers).into_pyarray(py))?;
        }
        TypedValues::Codes(codes, levels) => {
            item.set_item("levels", strings(py, &levels)?)?;
            item.set_item("values", Cow::into_owned(codes).into_pyarray(py))?;
        }
    }
    Ok(item)
}

/// Adds everything here to the module.
pub fn register(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add_function(wrap_pyfunction!(open_table, m)?)
}
