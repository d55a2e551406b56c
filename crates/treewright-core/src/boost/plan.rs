//! What a run of boosting depends on besides its rows, and where it begins.

use super::TrainingData;
use super::stop::Patience;
use crate::data::table::Table;
use crate::loss::Loss;
use crate::rows::bins::TreeRules;
use crate::sys::pool;
use crate::{Error, Result};

/// Tables of fewer cells are left to one thread.
const SEVERAL_THREADS: usize = 1 << 16;

/// What a run depends on besides rows.
#[derive(Clone, Debug)]
pub struct Plan {
    /// What answers cost.
    pub loss: Loss,
    /// The factor of each tree.
    pub rate: f64,
    /// How each tree is grown.
    pub rules: TreeRules,
    /// The share of rows that a round learns from.
    pub subsample: f64,
    /// The most bins of a column.
    pub max_bins: usize,
    /// The number that all chance follows from.
    pub seed: u64,
    /// When to stop early.
    pub patience: Option<Patience>,
    /// Whether the loss of the training rows is told after each round.
    pub tell: bool,
    /// How many threads may help; 0 for all available ones.
    pub threads: usize,
}

impl Plan {
    /// How many threads work on so many cells.
    pub(super) fn threads_for(&self, cells: usize) -> usize {
        if cells < SEVERAL_THREADS { 1 } else { pool::bounded(self.threads) }
    }
}

/// Where a run begins, if not at the loss's own start.
#[derive(Clone, Debug, Default)]
pub struct Start {
    /// The base.
    pub base: Option<Vec<f64>>,
    /// What the trees before say of each row, with the base: as many numbers a row as there are scores.
    pub scores: Option<Vec<f64>>,
    /// How many rounds there were before.
    pub rounds: u32,
}

/// Checks that everything fits together; the loop may then index without fear.
pub(super) fn check(table: &Table<'_>, training: &TrainingData, start: &Start, plan: &Plan) -> Result<()> {
    let (rows, sums) = (table.rows(), plan.loss.sums());
    let classes = plan.loss.sums().max(2) as u32;
    let wants_classes = plan.loss.is_of_classes();
    let fits = rows > 0
        && rows <= u32::MAX as usize
        && !table.columns().is_empty()
        && training.rows() == rows
        && training.classes.is_empty() != wants_classes
        && training.classes.iter().all(|&code| code < classes)
        && training.numbers.iter().all(|y| y.is_finite())
        && training.weights.as_ref().is_none_or(|weights| weights.len() == rows)
        && training.held.as_ref().is_none_or(|held| held.len() == rows && held.contains(&false))
        && training.sets_fit()
        && plan.rules.interactions.fit(table.columns().len())
        && start.base.as_ref().is_none_or(|base| base.len() == sums)
        && start.scores.as_ref().is_none_or(|scores| scores.len() == rows * sums)
        && (plan.rules.monotone.is_empty() || plan.rules.monotone.len() == table.columns().len())
        && (2..=255).contains(&plan.max_bins);
    if fits { Ok(()) } else { Err(Error::data("recipe.boost", "the recipe does not fit the table")) }
}
