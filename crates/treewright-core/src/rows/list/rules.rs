//! The rules of searches that ask the criterion itself what each division costs.

use crate::model::tree::Question;
use crate::split::choose::Candidate;
use crate::split::contest::DivisionRules;
use crate::split::monotone::{Bounds, Trend};
use crate::split::sampling::FeatureSampling;
use crate::split::subset::SubsetRules;
use crate::split::unknowns::Unknowns;
use crate::tolerance::ROUNDING;

/// Which splits are searched.
#[derive(Clone, Debug, Default)]
pub struct SearchRules {
    /// How the levels of a categorical column are divided into two sets; None gives each a branch, or shares out rows as
    /// [`Unknowns::Share`] says.
    pub subsets: Option<SubsetRules>,
    /// Where rows with a missing value go.
    pub unknowns: Unknowns,
    /// The fewest rows of a child; not asked of branches for each level, nor where rows are shared out.
    pub min_leaf: u32,
    /// The least weight of a child; not asked of branches for each level, nor where rows are shared out.
    pub min_weight: f64,
    /// How columns and cuts are drawn; None looks at all columns for their best splits.
    pub sampling: Option<FeatureSampling>,
    /// For each column whether the answers must rise with it (above 0), fall (below 0), or neither; empty for none.
    pub monotone: Vec<i8>,
}

impl SearchRules {
    /// What divisions by a column must respect in a node with these bounds that costs so much.
    pub fn of_divisions(&self, feature: u32, bounds: Bounds, cost: f64) -> DivisionRules {
        DivisionRules {
            unknowns: self.unknowns,
            min_leaf: self.min_leaf,
            min_weight: self.min_weight,
            trend: Trend::of(&self.monotone, feature, bounds),
            rounding: ROUNDING * cost,
        }
    }

    /// What the chosen question makes the children's answers do, where its column is constrained.
    pub fn trend_below(&self, chosen: &Candidate, bounds: Bounds) -> Option<Trend> {
        // A cut that tells known from missing values is infinite: it says nothing about larger and smaller ones.
        let is_cut = matches!(chosen.way.question, Question::Threshold(f64::MIN..=f64::MAX));
        Trend::of(&self.monotone, chosen.feature, bounds).filter(|_| is_cut)
    }
}
