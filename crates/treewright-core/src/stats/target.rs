//! What is predicted: a class or a number for each row.

use crate::{Error, Result};

/// What is predicted.
#[derive(Clone, Copy, Debug)]
pub enum Target<'a> {
    /// A class for each row.
    Classes {
        /// The class of each row.
        codes: &'a [u32],
        /// How many classes there are.
        classes: usize,
    },
    /// A number for each row.
    Numbers(&'a [f64]),
}

impl Target<'_> {
    /// Checks that there is a target, and a weight where there are any, for each row.
    pub fn check(&self, rows: usize, weights: Option<&[f64]>) -> Result<()> {
        if weights.is_some_and(|weights| weights.len() != rows) {
            return Err(Error::data("data.lengths", "the weights and the table differ in length"));
        }
        let (length, sound) = match self {
            Target::Classes { codes, classes } => (codes.len(), codes.iter().all(|&code| (code as usize) < *classes)),
            Target::Numbers(numbers) => (numbers.len(), numbers.iter().all(|number| number.is_finite())),
        };
        if length != rows || !sound {
            return Err(Error::data("data.target", "the target does not fit the table"));
        }
        match self {
            Target::Numbers(numbers) => check_squares(numbers, weights),
            Target::Classes { .. } => Ok(()),
        }
    }
}

/// Checks that the squares of numbers can be added up.
fn check_squares(numbers: &[f64], weights: Option<&[f64]>) -> Result<()> {
    let most = numbers.iter().fold(0.0, |most: f64, number| most.max(number.abs()));
    check_square(most, weights.map_or(numbers.len() as f64, |weights| weights.iter().sum::<f64>().max(1.0)))
}

/// Checks that the squares of numbers can be added up, given the largest of them and the weight of all.
pub fn check_square(most: f64, weight: f64) -> Result<()> {
    // Differences of two numbers are up to twice as large as the largest.
    if (4.0 * most * most * weight).is_finite() {
        return Ok(());
    }
    let message = format!(
        "the target holds {most:e}, whose square is too large to add up\ntry: divide the target by a power of ten"
    );
    Err(Error::data("data.large-numbers", message))
}
