//! What is known of rows, and how wrong an answer about one of them is.

use crate::data::table::Table;
use crate::model::tree::Tree;
use crate::stats::risk::Costs;
use crate::{Error, Result};

/// What is known of the rows.
#[derive(Clone, Copy, Debug)]
pub enum Truth<'a> {
    /// The class of each row, and what wrong answers cost.
    Classes(&'a [u32], Costs<'a>),
    /// The number of each row.
    Numbers(&'a [f64]),
}

impl Truth<'_> {
    /// How wrong it is to say this of a row: what the answer costs, 1 for another class, or the squared difference.
    pub fn error(&self, row: usize, says: &[f64]) -> f64 {
        match self {
            Truth::Classes(codes, costs) => costs.of(codes[row] as usize, costs.answer(says), says.len()),
            Truth::Numbers(numbers) => (says[0] - numbers[row]) * (says[0] - numbers[row]),
        }
    }

    /// The most that any answer of a tree can be wrong by.
    pub fn worst(&self, tree: &Tree) -> f64 {
        match self {
            Truth::Classes(_, costs) => costs.0.iter().copied().fold(1.0, f64::max),
            Truth::Numbers(numbers) => {
                let both = numbers.iter().chain(&tree.value);
                let (low, high) = both.fold((f64::MAX, f64::MIN), |(low, high), &x| (low.min(x), high.max(x)));
                (high - low) * (high - low)
            }
        }
    }

    /// Checks that each row of a table has a truth that a tree could say, and a weight.
    pub fn check(&self, tree: &Tree, table: &Table<'_>, weights: &[f64]) -> Result<()> {
        let sound = match self {
            Truth::Classes(codes, costs) => {
                let costs_fit = costs.0.is_empty() || costs.0.len() == tree.outputs * tree.outputs;
                costs_fit && codes.len() == table.rows() && codes.iter().all(|&c| (c as usize) < tree.outputs)
            }
            Truth::Numbers(numbers) => {
                numbers.len() == table.rows() && tree.outputs == 1 && numbers.iter().all(|number| number.is_finite())
            }
        };
        let weighed = weights.len() == table.rows() && weights.iter().all(|w| w.is_finite() && *w >= 0.0);
        if sound && weighed { Ok(()) } else { Err(Error::data("data.target", "the target does not fit the table")) }
    }
}
