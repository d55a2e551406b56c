//! The rows among which neighbors are sought, and those for which: numbers and codes, row after row.
//!
//! Numbers are scaled and weighted before they come here. What is left of a column's weight is what a missing value or a
//! different category costs.

use crate::data::table::{MISSING, UNSEEN};
use crate::sys::pages::{Plain, room, zeros};
use crate::{Error, Result};
use rayon::prelude::*;

/// Rows of numbers (NaN is missing) and of codes. All rows have the same columns, the numeric ones first.
#[derive(Clone, Debug, Default)]
pub struct Rows {
    count: usize,
    numbers: Vec<f64>,
    n_numbers: usize,
    codes: Vec<u32>,
    n_codes: usize,
    /// The largest absolute number, 0 where there is none.
    size: f64,
    is_complete: bool,
    is_single: bool,
}

impl Rows {
    /// So many rows. `numbers` holds those of one row after the other, `codes` one column after the other.
    pub fn new(count: usize, numbers: Vec<f64>, codes: &[&[u32]]) -> Result<Rows> {
        let n_numbers = numbers.len().checked_div(count).unwrap_or(0);
        if numbers.len() != count * n_numbers || codes.iter().any(|column| column.len() != count) {
            return Err(Error::data("data.lengths", "the columns differ in length"));
        }
        let (size, has_all, is_single) = survey(&numbers);
        if size == f64::INFINITY {
            return Err(Error::data("data.infinity", "Input X contains infinity"));
        }
        if count > (UNSEEN - 1) as usize {
            let message = format!("{count} rows are more than can be searched");
            return Err(Error::data("data.too-many-rows", message));
        }
        let is_complete = has_all && codes.is_empty() && count > 0;
        let (codes, n_codes) = (turned(codes, count)?, codes.len());
        Ok(Rows { count, numbers, n_numbers, codes, n_codes, size, is_complete, is_single })
    }

    /// The numbers of other rows in another order.
    pub fn reordered(rows: &Rows, numbers: Vec<f64>) -> Rows {
        Rows { numbers, codes: Vec::new(), n_codes: 0, ..*rows }
    }

    /// How many rows there are.
    pub fn len(&self) -> usize {
        self.count
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Numeric columns, categorical columns.
    pub fn columns(&self) -> (usize, usize) {
        (self.n_numbers, self.n_codes)
    }

    /// All numbers, row after row.
    pub fn numbers(&self) -> &[f64] {
        &self.numbers
    }

    /// All codes, row after row.
    pub fn codes(&self) -> &[u32] {
        &self.codes
    }

    /// The numbers of one row.
    #[inline(always)]
    pub fn numbers_of(&self, row: usize) -> &[f64] {
        &self.numbers[row * self.n_numbers..][..self.n_numbers]
    }

    /// The codes of one row.
    #[inline(always)]
    pub fn codes_of(&self, row: usize) -> &[u32] {
        &self.codes[row * self.n_codes..][..self.n_codes]
    }

    /// The largest absolute number, 0 where there is none.
    pub fn size(&self) -> f64 {
        self.size
    }

    /// Whether every number is there and there is nothing but numbers.
    pub fn is_complete(&self) -> bool {
        self.is_complete
    }

    /// Whether every number is one of single precision.
    pub fn is_single(&self) -> bool {
        self.is_single
    }
}

/// The largest absolute number, whether every number is there, and whether every number is one of single precision.
fn survey(numbers: &[f64]) -> (f64, bool, bool) {
    let one = |numbers: &[f64]| {
        // NaN is the one number that does not equal itself; counting needs no branch.
        let missing = numbers.iter().filter(|x| x.is_nan()).count();
        let double = numbers.iter().filter(|&&x| f64::from(x as f32) != x).count();
        (largest(numbers), missing == 0, double == 0)
    };
    let both = |a: (f64, bool, bool), b: (f64, bool, bool)| (a.0.max(b.0), a.1 && b.1, a.2 && b.2);
    numbers.par_chunks(1 << 14).map(one).reduce(|| (0.0, true, true), both)
}

/// The largest absolute number, missing ones left out.
#[inline(always)]
pub fn largest(numbers: &[f64]) -> f64 {
    // Side by side, so that the compiler can use registers of any width; a comparison with NaN is false.
    let (chunks, rest) = numbers.as_chunks::<8>();
    let mut most = [0.0; 8];
    for chunk in chunks {
        for i in 0..8 {
            let size = chunk[i].abs();
            most[i] = if size > most[i] { size } else { most[i] };
        }
    }
    most.into_iter().chain(rest.iter().map(|x| x.abs())).fold(0.0, |a, b| if b > a { b } else { a })
}

/// Columns to rows.
fn turned<T: Plain>(columns: &[&[T]], rows: usize) -> Result<Vec<T>> {
    let width = columns.len();
    let mut cells = zeros(rows * width)?;
    for (j, column) in columns.iter().enumerate() {
        cells.iter_mut().skip(j).step_by(width).zip(*column).for_each(|(cell, &value)| *cell = value);
    }
    Ok(cells)
}

/// A copy of numbers in double precision, made by all threads of the pool at hand.
pub fn widened<T: Copy + Into<f64> + Sync>(from: &[T]) -> Result<Vec<f64>> {
    let mut to = room(from.len())?;
    from.par_iter().with_min_len(1 << 14).map(|&x| x.into()).collect_into_vec(&mut to);
    Ok(to)
}

/// Whether a code stands for a level.
#[inline(always)]
pub fn is_level(code: u32) -> bool {
    code != MISSING && code != UNSEEN
}
