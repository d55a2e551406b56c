//! A column as ordered codes of 32 bits: the levels of a categorical one, the ranks of a numeric one.

use super::sorted::{Keyed, sort};
use crate::Result;
use crate::data::table::{Column, MISSING, Table};
use crate::sys::memory::{copied, filled, room};
use crate::sys::pool::Cancel;
use std::borrow::Cow;

/// A column as the split searches of lists read it. A code is a level, or the rank of a number among the column's different
/// ones; [`MISSING`] is greater than all codes.
#[derive(Debug)]
pub struct RankedColumn<'a> {
    codes: Cow<'a, [u32]>,
    is_numeric: bool,
    levels: u32,
    /// Whether a value is missing anywhere in training: then missing is one more possible value.
    has_missing: bool,
    /// The least number of each rank, ascending; empty for a categorical column.
    least: Vec<f64>,
    /// The greatest number of each rank, where ranks hold several: numbers that are equal in single precision, or both
    /// zeros. Else empty.
    greatest: Vec<f64>,
}

impl<'a> RankedColumn<'a> {
    /// Codes a column. Numbers that are equal as `f32` share a rank where they are compared so.
    pub fn new(column: &Column<'a>, compare_as_f32: bool, cancel: &Cancel) -> Result<RankedColumn<'a>> {
        match *column {
            Column::Categorical { codes, levels } => {
                Ok(RankedColumn::of_codes(codes.into(), levels, codes.contains(&MISSING)))
            }
            Column::Numeric(_) | Column::Strided(_) | Column::Sparse(_) => {
                rank(&column.numbers()?, compare_as_f32, cancel)
            }
        }
    }

    /// A column that has each of some ascending numbers once, and a missing value at its end where asked for. A rank may
    /// stand for all numbers up to its greatest; without these, each is one number.
    pub fn of_numbers(least: Vec<f64>, greatest: Vec<f64>, missing: bool) -> RankedColumn<'static> {
        let codes: Vec<u32> = (0..least.len() as u32).chain(missing.then_some(MISSING)).collect();
        let levels = least.len() as u32;
        RankedColumn { codes: codes.into(), is_numeric: true, levels, has_missing: missing, least, greatest }
    }

    /// A column that has each of so many levels once, and a missing value at its end.
    pub fn of_levels(levels: u32) -> RankedColumn<'static> {
        RankedColumn::of_codes((0..levels).chain([MISSING]).collect(), levels, true)
    }

    fn of_codes<'c>(codes: Cow<'c, [u32]>, levels: u32, has_missing: bool) -> RankedColumn<'c> {
        RankedColumn { codes, is_numeric: false, levels, has_missing, least: Vec::new(), greatest: Vec::new() }
    }

    /// The same as a part of a column that lacks values somewhere, or nowhere.
    pub fn with_missing(self, has_missing: bool) -> RankedColumn<'a> {
        RankedColumn { has_missing, ..self }
    }

    /// Codes all columns, comparing numbers as they are.
    pub fn all(table: &Table<'a>, cancel: &Cancel) -> Result<Vec<RankedColumn<'a>>> {
        table.columns().iter().map(|column| RankedColumn::new(column, false, cancel)).collect()
    }

    /// The same without the table.
    pub fn all_owned(table: &Table<'_>, cancel: &Cancel) -> Result<Vec<RankedColumn<'static>>> {
        table.columns().iter().map(|column| RankedColumn::new(column, false, cancel)?.into_owned()).collect()
    }

    /// The same without the table.
    pub fn into_owned(self) -> Result<RankedColumn<'static>> {
        let codes = match self.codes {
            Cow::Borrowed(codes) => copied(codes)?,
            Cow::Owned(codes) => codes,
        };
        Ok(RankedColumn { codes: codes.into(), ..self })
    }

    /// The code of each row.
    pub fn codes(&self) -> &[u32] {
        &self.codes
    }

    /// The different numbers of a numeric column, ascending: of each rank the least.
    pub fn values(&self) -> &[f64] {
        &self.least
    }

    /// The greatest number of a rank.
    pub fn greatest(&self, rank: u32) -> f64 {
        self.greatest.get(rank as usize).copied().unwrap_or(self.least[rank as usize])
    }

    /// The first rank above a threshold, so that codes can be compared instead of numbers.
    pub fn first_above(&self, threshold: f64) -> u32 {
        let greatest = if self.greatest.is_empty() { &self.least } else { &self.greatest };
        greatest.partition_point(|&number| number <= threshold) as u32
    }

    /// How many different values a row may have, missing included.
    pub fn possible(&self) -> usize {
        self.levels as usize + usize::from(self.has_missing)
    }

    /// How many levels, or different numbers, there are.
    pub fn levels(&self) -> u32 {
        self.levels
    }

    /// Whether a value is missing anywhere in training.
    pub fn has_missing(&self) -> bool {
        self.has_missing
    }

    /// Whether it holds numbers.
    pub fn is_numeric(&self) -> bool {
        self.is_numeric
    }
}

/// Ranks the numbers of a column.
fn rank(numbers: &[f64], compare_as_f32: bool, cancel: &Cancel) -> Result<RankedColumn<'static>> {
    let mut order: Vec<Keyed<u32>> = room(numbers.len())?;
    cancel.check()?;
    order.extend(numbers.iter().zip(0..).filter(|(x, _)| !x.is_nan()).map(|(&x, row)| Keyed::new(x, row)));
    let order = sort(order, cancel)?;
    cancel.check()?;
    let most = order.chunk_by(|a, b| a.key == b.key).count();
    let (mut codes, mut least, mut greatest) = (filled(MISSING, numbers.len())?, room(most)?, room(most)?);
    let compared = |x: f64| if compare_as_f32 { f64::from(x as f32) } else { x };
    let mut several = false;
    for run in order.chunk_by(|a, b| a.key == b.key) {
        let number = run[0].number();
        match (least.last(), greatest.last_mut()) {
            (Some(&first), Some(last)) if compared(first) == compared(number) => {
                *last = number;
                several = true;
            }
            _ => {
                least.push(number);
                greatest.push(number);
            }
        }
        run.iter().for_each(|entry| codes[entry.row as usize] = least.len() as u32 - 1);
    }
    Ok(RankedColumn {
        has_missing: order.len() < numbers.len(),
        codes: codes.into(),
        is_numeric: true,
        levels: least.len() as u32,
        least,
        greatest: if several { greatest } else { Vec::new() },
    })
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn equal_numbers_share_a_rank_and_missing_ones_have_none() {
        let numbers = [3.0, f64::NAN, -0.0, 0.0, f64::NEG_INFINITY, 3.0];
        let column = RankedColumn::new(&Column::Numeric(&numbers), false, &Cancel::default()).unwrap();
        assert_eq!(column.codes(), [2, MISSING, 1, 1, 0, 2]);
        assert_eq!(column.values(), [f64::NEG_INFINITY, 0.0, 3.0]);
        assert!(column.values()[1].is_sign_negative() && column.greatest(1).is_sign_positive());
        assert!(column.has_missing() && column.possible() == 4);
    }

    #[test]
    fn numbers_that_single_precision_confuses_share_a_rank() {
        let (low, high) = (1.0f64, 1.0f64.next_up());
        let numbers = [2.0, high, low, f64::NAN];
        let column = RankedColumn::new(&Column::Numeric(&numbers), true, &Cancel::default()).unwrap();
        assert_eq!(column.codes(), [1, 0, 0, MISSING]);
        assert_eq!((column.values()[0], column.greatest(0), column.greatest(1)), (low, high, 2.0));
        assert_eq!([0.5, low, high, 2.0].map(|cut| column.first_above(cut)), [0, 0, 1, 2]);
        let column = RankedColumn::new(&Column::Numeric(&numbers), false, &Cancel::default()).unwrap();
        assert_eq!(column.codes(), [2, 1, 0, MISSING]);
    }

    #[test]
    fn coding_stops_when_asked_to() {
        let cancel = Cancel::default();
        cancel.cancel();
        assert!(RankedColumn::new(&Column::Numeric(&[1.0, 2.0]), false, &cancel).is_err());
    }
}
