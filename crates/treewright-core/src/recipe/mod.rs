//! Words become parts here, and only here. The lists are compared with those of `_recipe.py` by a test.

pub mod again;
pub mod bag;
pub mod binary;
pub mod pruning;
pub mod task;

use self::binary::{BinaryWords, grow_binary, study_binary};
use self::task::{Grow, Look, Task};
use super::grow::Limits;
use super::prune::collapse::{Collapse, collapse};
use super::rows::list::{List, SplitRules};
use super::rows::sorted;
use super::split::groups::GroupScore;
use super::split::shared::{EmptyLeaf, ShareRules, ThresholdAt};
use super::split::subset::SubsetRules;
use super::split::unknowns::Unknowns;
use crate::data::table::{Kind, Table};
use crate::grow::study::Report;
use crate::model::tree::Tree;
use crate::split::choose::Chooser;
use crate::stats::criterion::{ClassCriterion, Classes, Impurity, SquaredError};
use crate::stats::numbers::Numbers;
use crate::stats::target::Target;
use crate::stats::weights::Weights;
use crate::sys::pool::Cancel;
use crate::{Error, Result};

/// What a recipe says, as it crosses the boundary: words and numbers.
#[derive(Clone, Debug, Default)]
pub struct Words {
    /// How rows are held: see [`ROWS`].
    pub rows: String,
    /// What is added up: see [`CRITERIA`].
    pub criterion: String,
    /// How a categorical column is split: see [`CATEGORICAL`].
    pub categorical: String,
    /// How the split is chosen: see [`CHOOSERS`].
    pub choose: String,
    /// The gain that a split must exceed.
    pub min_gain: Option<f64>,
    /// The most questions on a path.
    pub max_depth: Option<u32>,
    /// Nodes with fewer rows are leaves.
    pub min_samples_split: u32,
    /// See [`Limits::max_p_value`]; only for classes.
    pub max_p_value: Option<f64>,
    /// See [`Limits::sufficient_majority`]; only for classes.
    pub sufficient_majority: Option<f64>,
    /// What rows that are held as fractions need besides.
    pub fractions: Option<FractionWords>,
    /// What trees of two answers need besides.
    pub binary: Option<BinaryWords>,
    /// How many threads may help; 0 for all available ones. The tree does not depend on it.
    pub threads: usize,
    /// Whether to use the portable tier of instructions ([`crate::simd`]). The tree does not depend on it.
    pub plain: bool,
}

/// The words and numbers of [`ShareRules`].
#[derive(Clone, Debug, Default)]
pub struct FractionWords {
    /// See [`ShareRules::min_cases`].
    pub min_cases: f64,
    /// See [`ShareRules::tolerance`].
    pub tolerance: f64,
    /// See [`ShareRules::compare_as_f32`].
    pub single: bool,
    /// See [`THRESHOLDS`].
    pub threshold: String,
    /// See [`EMPTY`].
    pub empty: String,
    /// See [`COLLAPSE`].
    pub collapse: String,
    /// The ratio that a split must exceed to be compared.
    pub floor: f64,
    /// Where the largest ratio is not above this, the node is a leaf.
    pub min_ratio: Option<f64>,
    /// See [`ShareRules::total`].
    pub total: Option<f64>,
}

/// The words for holding rows.
pub const ROWS: &[&str] = &["entries", "columns", "fractions"];
/// The words for criteria.
pub const CRITERIA: &[&str] = &["entropy", "gini", "squared"];
/// The words for splitting categorical columns.
pub const CATEGORICAL: &[&str] = &["levels", "groups", "subset"];
/// The words for choosing.
pub const CHOOSERS: &[&str] = &["gain", "ratio"];
/// The words for what a numeric question compares with.
pub const THRESHOLDS: &[&str] = &["value", "midpoint"];
/// The words for what a node without rows says.
pub const EMPTY: &[&str] = &["majority", "shares"];
/// The words for undoing splits that save no error.
pub const COLLAPSE: &[&str] = &["none", "bottom-up", "top-down"];

/// Grows one tree after a recipe.
pub fn cook(
    words: &Words,
    table: &Table<'_>,
    target: Target<'_>,
    weights: Option<&[f64]>,
    cancel: &Cancel,
) -> Result<Tree> {
    words.check()?;
    target.check(table.rows(), weights)?;
    match (&words.fractions, &words.binary) {
        (Some(more), _) => {
            let tree = words.with_fractions(more, table, target, weights, cancel, &Grow { cancel })?;
            more.collapsed(tree, table)
        }
        (None, Some(more)) => grow_binary(words, more, table, target, weights, cancel),
        (None, None) => words.with_entries(table, target, weights, cancel, &Grow { cancel }),
    }
}

/// Studies nodes of a tree that was grown after a recipe: what they had to choose from.
pub fn study(
    words: &Words,
    table: &Table<'_>,
    target: Target<'_>,
    weights: Option<&[f64]>,
    look: &Look<'_>,
) -> Result<Vec<Report>> {
    words.check()?;
    target.check(table.rows(), weights)?;
    match (&words.fractions, &words.binary) {
        (Some(more), _) => words.with_fractions(more, table, target, weights, look.cancel, look),
        (None, Some(more)) => {
            look.check(table, more.surrogates.is_some())?;
            study_binary(words, more, table, target, weights, look)
        }
        (None, None) => {
            look.check(table, false)?;
            words.with_entries(table, target, weights, look.cancel, look)
        }
    }
}

impl Words {
    /// How many ways to divide the levels of one column in a node are tried at most, about: small tables with many of them
    /// take long.
    pub fn most_divisions(&self, kinds: &[Kind]) -> usize {
        let levels = |kind: &Kind| if let Kind::Categorical(levels) = kind { *levels as usize } else { 0 };
        let most = kinds.iter().map(levels).max().unwrap_or(0);
        let surrogates = self.binary.as_ref().and_then(|more| more.surrogates.as_ref());
        let exhaustive = surrogates.map_or(SubsetRules::default().exhaustive, |words| words.exhaustive);
        match self.categorical.as_str() {
            "subset" => 1 << most.min(exhaustive).min(30),
            "groups" => most.saturating_pow(3).max(1),
            _ => 1,
        }
    }

    pub(super) fn check(&self) -> Result<()> {
        known("rows", &self.rows, ROWS)?;
        known("criterion", &self.criterion, CRITERIA)?;
        known("categorical", &self.categorical, CATEGORICAL)?;
        known("choose", &self.choose, CHOOSERS)
    }

    /// How the split of a node is chosen.
    pub fn chooser(&self) -> Chooser {
        let min_gain = self.min_gain;
        match (&self.fractions, &self.binary) {
            (Some(more), _) if self.choose == "ratio" => {
                Chooser::Ratio { floor: more.floor, tie: more.tolerance, min_gain, min_ratio: more.min_ratio }
            }
            (None, Some(_)) => Chooser::Share { min_gain },
            _ => Chooser::Gain { min_gain },
        }
    }

    fn limits(&self) -> Limits {
        Limits {
            max_depth: self.max_depth.unwrap_or(u32::MAX),
            min_samples_split: self.min_samples_split,
            max_leaves: None,
            max_p_value: self.max_p_value,
            sufficient_majority: self.sufficient_majority,
        }
    }

    /// Holds the rows as a list of entries for a task.
    fn with_entries<T: Task>(
        &self,
        table: &Table<'_>,
        target: Target<'_>,
        weights: Option<&[f64]>,
        cancel: &Cancel,
        task: &T,
    ) -> Result<T::Done> {
        let weights = weights.map_or_else(|| Ok(Weights::ones(table.rows())), Weights::new)?;
        let chooser = self.chooser();
        let (limits, unit) = (self.limits(), weights.unit);
        match (target, self.criterion.as_str()) {
            (Target::Classes { codes, classes }, "entropy" | "gini") => {
                let classes = Classes { target: codes, classes, unit };
                let law = ClassCriterion::new(impurity(&self.criterion)?, classes);
                task.run(&mut List::new(table, &law, &weights, SplitRules::default(), cancel)?, &chooser, &limits)
            }
            (Target::Numbers(numbers), "squared") => {
                let numbers = Numbers::new(numbers, weights.units.iter().sum());
                let law = SquaredError { target: &numbers, unit };
                task.run(&mut List::new(table, &law, &weights, SplitRules::default(), cancel)?, &chooser, &limits)
            }
            _ => Err(Error::data("recipe.criterion", "the criterion does not fit the target")),
        }
    }

    /// Holds the rows as fractions for a task.
    fn with_fractions<T: Task>(
        &self,
        more: &FractionWords,
        table: &Table<'_>,
        target: Target<'_>,
        weights: Option<&[f64]>,
        cancel: &Cancel,
        task: &T,
    ) -> Result<T::Done> {
        let (Target::Classes { codes, classes }, "entropy") = (target, self.criterion.as_str()) else {
            return Err(Error::data("recipe.criterion", "fractions of rows need classes and entropy"));
        };
        let weights = Weights::fine(weights, table.rows())?;
        let by_ratio = self.choose == "ratio";
        let chooser = self.chooser();
        let score = if by_ratio { GroupScore::Ratio } else { GroupScore::Gain };
        let rules = ShareRules {
            min_cases: more.min_cases,
            tolerance: more.tolerance,
            compare_as_f32: more.single,
            threshold: part("threshold", &more.threshold, THRESHOLDS, &[ThresholdAt::Value, ThresholdAt::Midpoint])?,
            groups: (self.categorical == "groups").then_some(score),
            total: more.total,
            empty: part("empty", &more.empty, EMPTY, &[EmptyLeaf::Majority, EmptyLeaf::Shares])?,
        };
        let classes = Classes { target: codes, classes, unit: weights.unit };
        let law = ClassCriterion::new(Impurity::Entropy, classes);
        let limits = self.limits();
        let sorted = sorted::Plan { rules, chooser: &chooser, limits: &limits, threads: self.threads, cancel };
        if let Some(done) = task.run_quickly(|| sorted.grow(table, classes, &weights))? {
            return Ok(done);
        }
        let rules = SplitRules { unknowns: Unknowns::Share(rules), ..SplitRules::default() };
        task.run(&mut List::new(table, &law, &weights, rules, cancel)?, &chooser, &limits)
    }
}

impl FractionWords {
    /// Undoes the splits of a grown tree that save no error.
    fn collapsed(&self, tree: Tree, table: &Table<'_>) -> Result<Tree> {
        let orders = [None, Some(Collapse::BottomUp), Some(Collapse::TopDown)];
        let order = part("collapse", &self.collapse, COLLAPSE, &orders)?;
        match order {
            Some(order) => collapse(&tree, &table.kinds(), order),
            None => Ok(tree),
        }
    }
}

/// The impurity of a criterion's word.
fn impurity(word: &str) -> Result<Impurity> {
    part("criterion", word, &["entropy", "gini"], Impurity::ALL)
}

/// The part that a word stands for.
fn part<P: Copy>(name: &str, word: &str, words: &[&str], parts: &[P]) -> Result<P> {
    known(name, word, words)?;
    let position = words.iter().position(|known| *known == word).unwrap_or(0);
    Ok(parts[position])
}

fn known(part: &str, word: &str, words: &[&str]) -> Result<()> {
    if words.contains(&word) {
        return Ok(());
    }
    let message = format!("\"{word}\" is no {part}; known: {}", words.join(", "));
    Err(Error::data("recipe.word", message))
}
