//! The words of rule sets.

use super::pruning::estimate;
use crate::rules::Terms;
use crate::{Error, Result};

/// The words and numbers of [`Terms`].
#[derive(Clone, Debug, Default)]
pub struct RuleWords {
    /// The confidence of the estimate, between 0 and 1.
    pub confidence: f64,
    /// See [`super::pruning::INTERVALS`].
    pub interval: String,
    /// See [`Terms::redundancy`].
    pub redundancy: f64,
    /// See [`Terms::seed`].
    pub seed: u32,
}

impl RuleWords {
    /// What the words stand for.
    pub fn read(&self) -> Result<Terms> {
        let estimate = estimate(self.confidence, &self.interval)?;
        if self.redundancy.is_nan() || self.redundancy <= 0.0 {
            return Err(Error::data("recipe.redundancy", "the redundancy is not above 0"));
        }
        Ok(Terms { estimate, redundancy: self.redundancy, seed: self.seed })
    }
}
