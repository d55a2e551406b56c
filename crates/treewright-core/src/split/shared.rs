//! The rules of splits that share out the rows they cannot send: a row with a missing value goes to every child, divided
//! in proportion to the rows that have one.
//!
//! A split is admissible only if two children are large enough. Numeric cuts pay for having been chosen among many.

use super::groups::GroupScore;
use crate::Result;
use crate::sys::memory::collected;

/// What a node that no row reached says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EmptyLeaf {
    /// The class that was the most frequent one in its parent.
    Majority,
    /// The shares of the classes in its parent.
    Shares,
}

/// What a numeric question compares with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ThresholdAt {
    /// The greatest number of the whole training table that is not above the midpoint.
    Value,
    /// The midpoint of the two numbers around the cut.
    Midpoint,
}

/// The rules in which learners that share out rows differ.
#[derive(Clone, Copy, Debug)]
pub struct ShareRules {
    /// The weight that two children must have at the least.
    pub min_cases: f64,
    /// Weights and gains that differ by no more than this are equal.
    pub tolerance: f64,
    /// Whether numbers are compared in single precision.
    pub compare_as_f32: bool,
    /// What numeric questions compare with.
    pub threshold: ThresholdAt,
    /// Whether the levels of a categorical column are joined into groups, and by which score.
    pub groups: Option<GroupScore>,
    /// What a node that no row reached says.
    pub empty: EmptyLeaf,
    /// The weight of the training table, where the rows are only a part of it; None where they are all of it.
    pub total: Option<f64>,
}

/// The entropy in bits of a node's division into parts, each given by its weight.
pub fn split_info(parts: impl Iterator<Item = f64>, weight: f64) -> f64 {
    let bits = parts.filter(|part| *part > 0.0).map(|part| -part / weight * libm::log2(part / weight));
    bits.sum::<f64>().max(0.0)
}

/// For each column whether it has so many levels, for the weight of the training table, that its gain says little; `levels`
/// gives their number, or None for a numeric column. Where that would be all columns, or where levels are joined into
/// groups, it is none.
pub fn have_many_levels(
    levels: impl Iterator<Item = Option<u32>>,
    total: f64,
    rules: &ShareRules,
) -> Result<Vec<bool>> {
    let mut many: Vec<bool> = collected(levels.map(|levels| levels.is_some_and(|n| f64::from(n) >= 0.3 * total)))?;
    if rules.groups.is_some() || many.iter().all(|&many| many) {
        many.fill(false);
    }
    Ok(many)
}
