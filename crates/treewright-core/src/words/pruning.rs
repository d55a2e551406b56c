//! The words of pruning by expected errors.

use super::{CRITERIA, Words, part};
use crate::prune::estimate::{Estimate, Interval};
use crate::prune::pessimistic::Rules;
use crate::recipe::CriterionKind;
use crate::recipe::pruning::Pessimistic;
use crate::split::shared::EmptyLeaf;
use crate::{Error, Result};

/// The words for confidence intervals.
pub const INTERVALS: &Words<Interval> = &[("table", Interval::Table), ("normal", Interval::Normal)];
/// The words for what a node without rows predicts.
pub const EMPTY: &Words<EmptyLeaf> = &[("majority", EmptyLeaf::Majority), ("shares", EmptyLeaf::Shares)];

/// The words and numbers of [`Pessimistic`].
#[derive(Clone, Debug, Default)]
pub struct PessimisticWords {
    /// The confidence of the estimate, between 0 and 1.
    pub confidence: f64,
    /// See [`INTERVALS`].
    pub interval: String,
    /// See [`Rules::tolerance`].
    pub tolerance: f64,
    /// See [`Rules::keep_class`].
    pub keep_class: bool,
    /// See [`EMPTY`].
    pub empty: String,
    /// What the tree adds up: see [`CRITERIA`].
    pub criterion: String,
    /// See [`Pessimistic::tidy`].
    pub tidy: bool,
}

impl PessimisticWords {
    /// What the words stand for.
    pub fn read(&self) -> Result<Pessimistic> {
        let CriterionKind::Classes(impurity) = part("criterion", &self.criterion, CRITERIA)? else {
            return Err(Error::data("data.target", "expected errors need classes"));
        };
        Ok(Pessimistic {
            rules: Rules {
                estimate: estimate(self.confidence, &self.interval)?,
                keep_class: self.keep_class,
                tolerance: self.tolerance,
                empty: part("empty", &self.empty, EMPTY)?,
            },
            impurity,
            tidy: self.tidy,
        })
    }
}

/// The estimate of a confidence and a word of [`INTERVALS`].
pub fn estimate(confidence: f64, interval: &str) -> Result<Estimate> {
    let interval = part("interval", interval, INTERVALS)?;
    if !(0.0..=1.0).contains(&confidence) {
        return Err(Error::data("recipe.confidence", "the confidence is not between 0 and 1"));
    }
    Ok(Estimate::new(confidence, interval))
}
