//! How single columns divide the rows of a table, each on its own: the counts behind every measure of a column.
//!
//! A categorical column divides rows by its levels. A numeric one is cut, by one of several [`CutMethod`]s. What comes out are
//! counts, or counts and sums of a numeric target; measures are computed from these by whoever wants them.
//!
//! Glossary. A *part* is the rows that a column puts together; a *run* is the rows of one number. Sums are integers, so
//! nothing here depends on the order of the rows or on the number of threads.

mod buckets;
mod classes;
mod logs;
mod mdl;
mod rows;
mod search;
mod sums;

use self::logs::Logs;
use crate::data::table::{Column, MISSING, Table};
use crate::stats::numbers::Numbers;
use crate::sys::memory::filled;
use crate::sys::pool;
use crate::sys::pool::Cancel;
use crate::{Error, Result};

/// How numbers are cut.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum CutMethod {
    /// Once, where the least entropy is left.
    Entropy,
    /// Once, where the least Gini index is left.
    Gini,
    /// Once, where the statistic of chi-squared is largest.
    ChiSquared,
    /// Once, where the least variance of a numeric target is left.
    Variance,
    /// Again and again by entropy, as long as a cut pays for its description (Fayyad and Irani, 1993).
    Mdl,
    /// Where the most frequent class changes, once it has so many rows in the part (Holte, 1993).
    Buckets(u64),
}

/// What is known of each row.
#[derive(Clone, Copy, Debug)]
pub enum Target<'a> {
    /// A class each, below so many.
    Classes(&'a [u32], usize),
    /// A class and a weight each, the classes below so many; the weights in units of which so many are one row.
    Weighted(&'a [(u32, u32)], usize, f64),
    /// A finite number each.
    Numbers(&'a [f64]),
}

impl Target<'_> {
    /// How many rows there are, and what they weigh together.
    fn size(self) -> Result<(usize, usize)> {
        let check = |bad: bool, rows: usize, units: u64| match bad {
            true => Err(Error::data("data.codes", "the target holds a code that is no class")),
            // Squares of what rows weigh together are numbers of 64 bits.
            false if units >= 1 << 32 => Err(Error::data("data.weights", "the rows weigh too much to be added up")),
            false => Ok((rows, units as usize)),
        };
        match self {
            Target::Classes(codes, classes) => {
                check(codes.iter().any(|&code| code as usize >= classes), codes.len(), codes.len() as u64)
            }
            Target::Weighted(rows, classes, _) => {
                let bad = rows.iter().any(|row| row.0 as usize >= classes);
                check(bad, rows.len(), rows.iter().map(|row| u64::from(row.1)).sum())
            }
            Target::Numbers(values) => Ok((values.len(), values.len())),
        }
    }
}

/// What a column makes of the rows.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Division {
    /// Between two neighboring parts of a numeric column: rows with at most this number belong to the lower part.
    pub cuts: Vec<f64>,
    /// For each part, for each class, how many rows, or units; one number for each part where the target is numeric.
    pub counts: Vec<u64>,
    /// For each part the sum of a numeric target.
    pub sums: Vec<f64>,
    /// The same for the rows in which the column has no value.
    pub missing: Vec<u64>,
    /// The same.
    pub missing_sum: f64,
}

/// Divides the rows by each column of a table; on up to so many threads, 0 for all available ones.
pub fn divide(
    table: &Table<'_>,
    target: Target<'_>,
    method: CutMethod,
    threads: usize,
    cancel: &Cancel,
) -> Result<Vec<Division>> {
    let (rows, units) = target.size()?;
    if rows != table.rows() || matches!(target, Target::Numbers(_)) != (method == CutMethod::Variance) {
        return Err(Error::data("data.lengths", "the target has another length than the table, or is of another kind"));
    }
    let logs = Logs::new(if matches!(method, CutMethod::Entropy | CutMethod::Mdl) { units } else { 0 });
    let each = |divide: &(dyn Fn(&Column<'_>) -> Result<Division> + Sync)| {
        let one = |column| cancel.check().and_then(|()| divide(column));
        pool::each(threads, table.columns().iter().collect(), one)?.into_iter().collect()
    };
    match target {
        Target::Classes(codes, classes) => {
            each(&|column| classes::divide(column, codes, classes, method, 1.0, &logs, cancel))
        }
        Target::Weighted(rows, classes, per) => {
            each(&|column| classes::divide(column, rows, classes, method, per, &logs, cancel))
        }
        Target::Numbers(values) => {
            let numbers = Numbers::new(values, rows as u64);
            each(&|column| sums::divide(column, &numbers, cancel))
        }
    }
}

/// So many zeros, or an error where the memory is not there.
fn zeros<T: Clone + Default>(parts: usize, width: usize) -> Result<Vec<T>> {
    filled(T::default(), parts.checked_mul(width).ok_or(Error::Memory)?)
}

/// Whether a code stands for no value.
fn is_missing(code: u32, levels: u32) -> bool {
    debug_assert!(code < levels || code >= MISSING - 1);
    code >= levels
}
