//! The division of rows that belong to classes: levels are counted; numbers are sorted, cut and counted.

use super::buckets::buckets;
use super::logs::Logs;
use super::mdl::cuts;
use super::rows::{Row, sort_rows};
use super::search::{by_chi_squared, by_entropy, by_gini};
use super::{CutMethod, Division, is_missing, zeros};
use crate::Result;
use crate::codes::ordered::midpoint;
use crate::codes::sorted::Keyed;
use crate::data::table::Column;
use crate::sys::pool::Cancel;

/// Divides by one column; `per` units of weight are one row.
pub fn divide<R: Row>(
    column: &Column<'_>,
    rows: &[R],
    classes: usize,
    method: CutMethod,
    per: f64,
    logs: &Logs,
    cancel: &Cancel,
) -> Result<Division> {
    let mut missing: Vec<u64> = zeros(1, classes)?;
    if let Column::Categorical { codes: levels, levels: count } = column {
        let mut counts: Vec<u64> = zeros(*count as usize, classes)?;
        for (&level, &row) in levels.iter().zip(rows) {
            match is_missing(level, *count) {
                true => missing[row.class()] += row.weight(),
                false => counts[level as usize * classes + row.class()] += row.weight(),
            }
        }
        return Ok(Division { counts, missing, ..Division::default() });
    }
    let mut entries = sort_rows(column, rows, |row| missing[row.class()] += row.weight(), cancel)?;
    if R::WEIGHED {
        // A row without weight is no row: not even its number is between others.
        entries.retain(|entry| entry.row.weight() > 0);
    }
    cancel.check()?;
    let ends = match method {
        CutMethod::Mdl => cuts(&entries, classes, per, logs),
        CutMethod::Buckets(least) => buckets(&entries, classes, (least as f64 * per) as u64),
        _ => best(&entries, classes, method, logs).into_iter().collect(),
    };
    let cuts = ends.iter().map(|&end| midpoint(entries[end - 1].number(), entries[end].number())).collect();
    Ok(Division { cuts, counts: counted(&entries, &ends, classes)?, missing, ..Division::default() })
}

/// How many rows of each class the parts between ends have.
fn counted<R: Row>(entries: &[Keyed<R>], ends: &[usize], classes: usize) -> Result<Vec<u64>> {
    let parts = if entries.is_empty() { 0 } else { ends.len() + 1 };
    let mut counts: Vec<u64> = zeros(parts, classes)?;
    let mut start = 0;
    for (part, counts) in counts.chunks_exact_mut(classes.max(1)).enumerate() {
        let end = ends.get(part).copied().unwrap_or(entries.len());
        add(counts, &entries[start..end]);
        start = end;
    }
    Ok(counts)
}

/// The rows of each class.
pub fn totals<R: Row>(entries: &[Keyed<R>], classes: usize) -> Vec<u64> {
    let mut counts = vec![0; classes];
    add(&mut counts, entries);
    counts
}

/// Adds rows to those of each class.
pub fn add<R: Row>(counts: &mut [u64], entries: &[Keyed<R>]) {
    entries.iter().for_each(|entry| counts[entry.row.class()] += entry.row.weight());
}

/// Where to cut once: how many rows lie below. The first of equals; None where all rows have one number.
fn best<R: Row>(entries: &[Keyed<R>], classes: usize, method: CutMethod, logs: &Logs) -> Option<usize> {
    let all = totals(entries, classes);
    match method {
        CutMethod::Gini => by_gini(entries, &all),
        CutMethod::ChiSquared => by_chi_squared(entries, &all),
        _ => by_entropy(entries, &all, logs),
    }
}
