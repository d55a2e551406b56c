//! How one tree is grown, as types. A recipe does not name an engine: the fastest one that supports it grows the tree.
//!
//! [`grow_tree`](grow_tree::grow_tree), [`grow_several`](several::grow_several) and [`study_tree`](study::study_tree) run a recipe; [`coded_table`] runs it many
//! times on columns that are coded once.

pub mod by_hand;
pub mod coded_table;
pub mod criterion;
pub mod grow_tree;
mod handover;
pub mod merged;
pub mod pruning;
pub mod several;
pub mod study;
mod subtree;

use crate::data::table::Kind;
use crate::grow::Limits;
use crate::peers::{Alone, Peers};
use crate::prune::collapse::Collapse;
use crate::rows::columns::known::Absent;
use crate::rows::columns::plan::Plan;
use crate::rows::list::SearchRules;
use crate::simd::Isa;
use crate::split::choose::Chooser;
use crate::split::sampling::FeatureSampling;
use crate::split::subset::SubsetRules;
use crate::split::unknowns::Unknowns;
use crate::stats::criterion::Impurity;
use crate::stats::target::Target;
use crate::stats::weights::Weights;
use crate::sys::pool::Cancel;
use crate::{Error, Result};

/// What is added up over the rows of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CriterionKind {
    /// Classes, by their impurity.
    Classes(Impurity),
    /// Numbers, by their squared error.
    SquaredError,
}

/// Which engine holds the rows. The tree does not depend on it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Engine {
    /// The fastest one that supports the recipe.
    #[default]
    Fastest,
    /// Lists of rows, which support every recipe: for comparisons.
    List,
}

/// How one tree is grown.
#[derive(Clone, Debug)]
pub struct Recipe {
    /// What is added up.
    pub criterion: CriterionKind,
    /// By how much the rows of each class count; empty for 1 each.
    pub class_weights: Vec<f64>,
    /// By how much more they count in costs; empty for 1 each.
    pub class_prices: Vec<f64>,
    /// How the levels of a categorical column are divided into two sets; None gives each a branch, or groups of them as
    /// [`Unknowns::Share`] says.
    pub subsets: Option<SubsetRules>,
    /// Where rows with a missing value go.
    pub unknowns: Unknowns,
    /// How the split of a node is chosen.
    pub chooser: Chooser,
    /// Where growing stops.
    pub limits: Limits,
    /// The fewest rows of a child.
    pub min_leaf: u32,
    /// The least share of the whole weight that a child has.
    pub min_leaf_share: f64,
    /// For each column whether the answers must rise with it (above 0), fall (below 0), or neither; empty for none.
    pub monotone: Vec<i8>,
    /// What is done to the grown tree.
    pub finish: Finish,
    /// How many threads may help; 0 for all available ones. The tree does not depend on it.
    pub threads: usize,
    /// The instructions to use. The tree does not depend on them.
    pub isa: Isa,
    /// The engine.
    pub engine: Engine,
}

/// What is done to a grown tree.
#[derive(Clone, Debug, Default)]
pub struct Finish {
    /// In which order splits that save no error are undone; None leaves them.
    pub collapse: Option<Collapse>,
    /// Whether rows that no surrogate decides go to the child that more rows came to, or else nowhere; None sends them as
    /// while growing.
    pub undecided_by_count: Option<bool>,
    /// The share of the root's risk that each split must save; None cuts nothing off.
    pub complexity: Option<f64>,
    /// What it costs to answer a class (column) where another is true (row), row by row; empty for 1 each.
    pub costs: Vec<f64>,
}

impl Recipe {
    /// How many ways to divide the levels of one column in a node are tried at most, about: small tables with many of them
    /// take long.
    pub fn max_divisions(&self, kinds: &[Kind]) -> usize {
        let levels = |kind: &Kind| if let Kind::Categorical(levels) = kind { *levels as usize } else { 0 };
        let most = kinds.iter().map(levels).max().unwrap_or(0);
        match (&self.subsets, &self.unknowns) {
            (Some(subsets), _) => 1 << most.min(subsets.exhaustive).min(30),
            (None, Unknowns::Share(rules)) if rules.groups.is_some() => most.saturating_pow(3).max(1),
            _ => 1,
        }
    }

    /// Whether columns are coded before anything else, so that they need not be copied.
    pub fn codes_columns_first(&self) -> bool {
        let by_codes = matches!(self.unknowns, Unknowns::Branch | Unknowns::Side | Unknowns::Surrogates(_));
        by_codes && self.engine == Engine::Fastest
    }

    /// Whether every question has two answers and rows are whole: then columns can be drawn, and classes balanced.
    pub(crate) fn can_draw_columns(&self) -> bool {
        matches!(self.unknowns, Unknowns::Branch | Unknowns::Side)
    }

    /// Checks that the recipe fits a table of so many columns and its target.
    pub(crate) fn check(&self, columns: usize, target: Target<'_>) -> Result<()> {
        let classes = if let Target::Classes { classes, .. } = target { classes } else { 0 };
        let is_full = |length: usize, full: usize| length == 0 || length == full;
        let fits = is_full(self.monotone.len(), columns)
            && (self.monotone.is_empty() || classes <= 2)
            && is_full(self.class_weights.len(), classes)
            && is_full(self.class_prices.len(), classes)
            && is_full(self.finish.costs.len(), classes * classes);
        let positive = |numbers: &[f64]| numbers.iter().all(|x| x.is_finite() && *x > 0.0);
        if !(fits && positive(&self.class_weights) && positive(&self.class_prices)) {
            return Err(Error::data("recipe.binary", "the recipe does not fit the table"));
        }
        let entropy = self.criterion == CriterionKind::Classes(Impurity::Entropy) && classes > 0;
        if matches!(self.unknowns, Unknowns::Share(_)) && !entropy {
            return Err(Error::data("recipe.criterion", "fractions of rows need classes and entropy"));
        }
        Ok(())
    }

    /// The weights of so many rows as integers: fine ones where rows are divided.
    fn weights(&self, weights: Option<&[f64]>, rows: usize) -> Result<Weights> {
        self.weights_of_part(weights, rows, &Alone)
    }

    /// The same for the rows of this process, in the unit of all.
    fn weights_of_part(&self, weights: Option<&[f64]>, rows: usize, peers: &dyn Peers) -> Result<Weights> {
        match (&self.unknowns, weights) {
            (Unknowns::Share(_), weights) => Weights::fine_part(weights, rows, peers),
            (_, Some(weights)) => Weights::part(weights, peers),
            (_, None) => Ok(Weights::ones(rows)),
        }
    }

    /// Which splits lists of rows search, where children weigh at least so much.
    fn search_rules(&self, min_weight: f64, sampling: Option<FeatureSampling>) -> SearchRules {
        SearchRules {
            subsets: self.subsets,
            unknowns: self.unknowns,
            min_leaf: self.min_leaf,
            min_weight,
            monotone: self.monotone.clone(),
            sampling,
        }
    }

    /// How trees are grown on columns of codes; None where another engine is needed.
    pub(crate) fn plan<'a>(&'a self, cancel: &'a Cancel) -> Option<Plan<'a>> {
        let (Chooser::Share { min_gain }, true) = (self.chooser, self.can_draw_columns()) else { return None };
        (self.engine == Engine::Fastest).then_some(Plan {
            min_leaf: self.min_leaf,
            min_leaf_share: self.min_leaf_share,
            min_gain,
            limits: &self.limits,
            threads: self.threads,
            isa: self.isa,
            cancel,
            mixed: self.subsets.is_some(),
            unknowns: if matches!(self.unknowns, Unknowns::Branch) { Absent::Branch } else { Absent::Side },
            monotone: &self.monotone,
            below: None,
        })
    }
}
