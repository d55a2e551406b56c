//! The words of rule sets.

use super::pruning::estimate;
use crate::rules::Terms;
use crate::{Error, Result};

/// What rules are learned with: the confidence of the estimate of errors, the word of its interval (see
/// [`super::pruning::INTERVALS`]), the redundancy of the columns, and the seed.
pub fn rule_terms(confidence: f64, interval: &str, redundancy: f64, seed: u32) -> Result<Terms> {
    let estimate = estimate(confidence, interval)?;
    if redundancy.is_nan() || redundancy <= 0.0 {
        return Err(Error::data("recipe.redundancy", "the redundancy is not above 0"));
    }
    Ok(Terms { estimate, redundancy, seed })
}
