//! A column as ordered codes: the levels of a categorical one, the ranks of a numeric one.

use crate::Result;
use crate::data::table::{Column, MISSING, Table};
use crate::sys::memory::{copied, filled, room};
use crate::sys::pool::Cancel;
use std::borrow::Cow;

/// A column as the splitters read it. A code is a level, or the rank of a number among the column's different ones.
#[derive(Debug)]
pub struct Coded<'a> {
    codes: Cow<'a, [u32]>,
    /// The different numbers of a numeric column in ascending order; empty for a categorical one.
    values: Vec<f64>,
    levels: u32,
    /// Whether a value is missing anywhere in training: then missing is one more possible value.
    has_missing: bool,
}

impl<'a> Coded<'a> {
    /// Codes a column.
    pub fn new(column: &Column<'a>, cancel: &Cancel) -> Result<Coded<'a>> {
        match *column {
            Column::Categorical { codes, levels } => {
                let has_missing = codes.contains(&MISSING);
                Ok(Coded { codes: codes.into(), values: Vec::new(), levels, has_missing })
            }
            Column::Numeric(_) | Column::Strided(_) => {
                let (codes, values) = ranks(column, cancel)?;
                let has_missing = codes.contains(&MISSING);
                Ok(Coded { codes: codes.into(), levels: values.len() as u32, values, has_missing })
            }
        }
    }

    /// Codes all columns.
    pub fn all(table: &Table<'a>, cancel: &Cancel) -> Result<Vec<Coded<'a>>> {
        table.columns().iter().map(|column| Coded::new(column, cancel)).collect()
    }

    /// The same without the table.
    pub fn owned(self) -> Result<Coded<'static>> {
        let Coded { codes, values, levels, has_missing } = self;
        let codes = match codes {
            Cow::Borrowed(codes) => copied(codes)?,
            Cow::Owned(codes) => codes,
        };
        Ok(Coded { codes: codes.into(), values, levels, has_missing })
    }

    /// The code of each row.
    pub fn codes(&self) -> &[u32] {
        &self.codes
    }

    /// The different numbers of a numeric column, ascending.
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// For each threshold the first code above it.
    pub fn first_above(&self, thresholds: &[f64]) -> Vec<u32> {
        thresholds.iter().map(|cut| self.values.partition_point(|value| value <= cut) as u32).collect()
    }

    /// How many different values a row may have, missing included.
    pub fn possible(&self) -> usize {
        self.levels as usize + usize::from(self.has_missing)
    }

    /// How many levels there are.
    pub fn levels(&self) -> u32 {
        self.levels
    }

    /// Whether a value is missing anywhere in training.
    pub fn has_missing(&self) -> bool {
        self.has_missing
    }

    /// Whether it holds numbers. (A numeric column without a single number is as good as one without levels.)
    pub fn is_numeric(&self) -> bool {
        !self.values.is_empty()
    }
}

/// The rank of each number among the different ones of a column, or missing; and these, ascending.
fn ranks(column: &Column<'_>, cancel: &Cancel) -> Result<(Vec<u32>, Vec<f64>)> {
    let numbers = column.numbers()?;
    let mut order: Vec<(u64, u32)> = room(numbers.len())?;
    cancel.check()?;
    order.extend(numbers.iter().zip(0u32..).filter(|(x, _)| !x.is_nan()).map(|(x, row)| (ordered_bits(*x), row)));
    // The row makes every key different; it does not matter where equal numbers stand.
    order.sort_unstable();
    cancel.check()?;
    let different = |pair: &[(u64, u32)]| numbers[pair[0].1 as usize] != numbers[pair[1].1 as usize];
    let count = order.windows(2).filter(|pair| different(pair)).count() + usize::from(!order.is_empty());
    let (mut codes, mut values) = (filled(MISSING, numbers.len())?, room(count)?);
    for (_, row) in order {
        let number = numbers[row as usize];
        if values.last() != Some(&number) {
            values.push(number);
        }
        codes[row as usize] = values.len() as u32 - 1;
    }
    Ok((codes, values))
}

/// Bits that are ordered as the numbers are; sorting them beside their rows looks nowhere else.
pub fn ordered_bits(x: f64) -> u64 {
    let bits = x.to_bits();
    if bits >> 63 == 1 { !bits } else { bits | 1 << 63 }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn equal_numbers_share_a_rank_and_missing_ones_have_none() {
        let numbers = [3.0, f64::NAN, -0.0, 0.0, f64::NEG_INFINITY, 3.0];
        let coded = Coded::new(&Column::Numeric(&numbers), &Cancel::default()).unwrap();
        assert_eq!(coded.codes(), [2, MISSING, 1, 1, 0, 2]);
        assert_eq!(coded.values(), [f64::NEG_INFINITY, 0.0, 3.0]);
        assert!(coded.values()[1].is_sign_negative() && coded.has_missing() && coded.possible() == 4);
    }

    #[test]
    fn coding_stops_when_asked_to() {
        let cancel = Cancel::default();
        cancel.cancel();
        assert!(Coded::new(&Column::Numeric(&[1.0, 2.0]), &cancel).is_err());
    }
}
