//! What becomes of rows with a missing value in the column that a node asks about.

use super::shared::ShareRules;
use super::surrogate::SurrogateRules;

/// Where rows with a missing value go.
///
/// A child is *heavier* if it has more training weight; the second is where both weigh the same.
#[derive(Clone, Copy, Debug, Default)]
pub enum Unknowns {
    /// To a child of their own at every question about a column that lacks values anywhere in training; else they stop.
    #[default]
    Level,
    /// To a child of their own where the node has such rows; else to the heavier child.
    Branch,
    /// To the side that costs less, or to a child that is apart from all known values; where the node has no such row,
    /// to the heavier child.
    Side,
    /// To every child, divided in proportion to the rows that have a value.
    Share(ShareRules),
    /// To the child that the first surrogate with an answer says.
    Surrogates(SurrogateRules),
}

impl Unknowns {
    /// Whether a split is judged by the rows that have a value alone.
    pub fn judge_known_rows(&self) -> bool {
        matches!(self, Unknowns::Share(_) | Unknowns::Surrogates(_))
    }
}
