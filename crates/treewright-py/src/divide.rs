//! How columns divide rows, for Python.

use crate::convert::{self, OwnedTarget};
use crate::enter::{Size, enter, raise};
use numpy::{IntoPyArray, PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray1};
use pyo3::prelude::*;
use treewright_core::prelude::{DiscretizeTarget as Target, Division, collected, discretize as words, divide};

/// Cuts, counts by part and class, sums by part, counts and sum of the rows without a value.
type Parts<'py> =
    (Bound<'py, PyArray1<f64>>, Bound<'py, PyArray2<i64>>, Bound<'py, PyArray1<f64>>, Bound<'py, PyArray1<i64>>, f64);

/// What each column makes of the rows.
#[pyfunction]
#[pyo3(signature = (levels, columns, target, classes, way, least=0, threads=0, weights=None, per=1.0))]
#[expect(clippy::too_many_arguments, reason = "a table, a target and how")]
fn divisions<'py>(
    py: Python<'py>,
    levels: Vec<Option<u32>>,
    columns: Vec<Bound<'py, PyAny>>,
    target: &Bound<'py, PyAny>,
    classes: Option<usize>,
    way: &str,
    least: u64,
    threads: usize,
    weights: Option<PyReadonlyArray1<'py, u32>>,
    per: f64,
) -> PyResult<Vec<Parts<'py>>> {
    let target = OwnedTarget::new(target, classes)?;
    let heavy = match (&target, weights) {
        (OwnedTarget::Classes(codes, classes), Some(weights)) => {
            let pairs = codes.iter().copied().zip(weights.as_slice()?.iter().copied());
            Some((collected(pairs).map_err(|error| raise(py, error))?, *classes))
        }
        _ => None,
    };
    let owned = convert::own(&convert::borrow(&convert::kinds(&levels), &columns)?)?;
    let divisions = enter(py, Size::learning(target.len(), columns.len()), |cancel| {
        let table = convert::own_table(&owned, target.len())?;
        let target = match (&heavy, &target) {
            (Some((rows, classes)), _) => Target::Weighted(rows, *classes, per),
            (None, OwnedTarget::Classes(codes, classes)) => Target::Classes(codes, *classes),
            (None, OwnedTarget::Numbers(values)) => Target::Numbers(values),
        };
        divide(&table, target, words::way(way, least)?, threads, cancel)
    })?;
    divisions.into_iter().map(|division| parts(py, division, classes.unwrap_or(1))).collect()
}

fn parts<'py>(py: Python<'py>, division: Division, width: usize) -> PyResult<Parts<'py>> {
    let as_counts = |counts: Vec<u64>| counts.into_iter().map(|n| n as i64).collect::<Vec<_>>().into_pyarray(py);
    let rows = division.counts.len().checked_div(width).unwrap_or(0);
    Ok((
        division.cuts.into_pyarray(py),
        as_counts(division.counts).reshape([rows, width])?,
        division.sums.into_pyarray(py),
        as_counts(division.missing),
        division.missing_sum,
    ))
}

/// Adds everything here to the module.
pub fn register(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add("WAYS", words::ways())?;
    m.add_function(wrap_pyfunction!(divisions, m)?)
}
