//! What is known of rows, and how wrong an answer about one of them is.

use crate::data::table::Table;
use crate::model::tree::{Tree, first_largest};
use crate::{Error, Result};

/// What is known of the rows.
#[derive(Clone, Copy, Debug)]
pub enum Truth<'a> {
    /// The class of each row.
    Classes(&'a [u32]),
    /// The number of each row.
    Numbers(&'a [f64]),
}

impl Truth<'_> {
    /// How wrong it is to say this of a row: 1 for another class, or the squared difference.
    pub fn error(&self, row: usize, says: &[f64]) -> f64 {
        match self {
            Truth::Classes(codes) => f64::from(first_largest(says) != codes[row] as usize),
            Truth::Numbers(numbers) => (says[0] - numbers[row]) * (says[0] - numbers[row]),
        }
    }

    /// Checks that each row of a table has a truth that a tree could say, and a weight.
    pub fn check(&self, tree: &Tree, table: &Table<'_>, weights: &[f64]) -> Result<()> {
        let sound = match self {
            Truth::Classes(codes) => codes.len() == table.rows() && codes.iter().all(|&c| (c as usize) < tree.outputs),
            Truth::Numbers(numbers) => {
                numbers.len() == table.rows() && tree.outputs == 1 && numbers.iter().all(|number| number.is_finite())
            }
        };
        let weighed = weights.len() == table.rows() && weights.iter().all(|w| w.is_finite() && *w >= 0.0);
        if sound && weighed { Ok(()) } else { Err(Error::data("data.target", "the target does not fit the table")) }
    }
}
