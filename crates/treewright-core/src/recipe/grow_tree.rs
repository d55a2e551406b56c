//! Growing one tree after a recipe, on the fastest engine that supports it.

use super::criterion::{KnownCriterion, Visitor, with_criterion};
use super::{Engine, Finish, Recipe};
use crate::Result;
use crate::codes::ranks::RankedColumn;
use crate::data::table::{Kind, Table};
use crate::grow::grow;
use crate::model::tree::{STOP, Tree};
use crate::prune::collapse::collapse;
use crate::prune::complexity;
use crate::rows::list::List;
use crate::rows::sorted::{MAX_ROWS, MIN_CELLS_FOR_THREADS, grow_sharing};
use crate::rows::sparse::SparseRows;
use crate::rows::sparse::ranks::RankedTable;
use crate::rows::surrogates::estimates::Estimated;
use crate::rows::surrogates::grow_sorted;
use crate::split::choose::Chooser;
use crate::split::sampling::FeatureSampling;
use crate::split::surrogate::SurrogateRules;
use crate::split::unknowns::Unknowns;
use crate::stats::criterion::Criterion;
use crate::stats::risk::Costs;
use crate::stats::target::Target;
use crate::stats::weights::Weights;
use crate::sys::pool::{self, Cancel};
use std::sync::Arc;

/// Grows one tree.
pub fn grow_tree(
    recipe: &Recipe,
    table: &Table<'_>,
    target: Target<'_>,
    weights: Option<&[f64]>,
    cancel: &Cancel,
) -> Result<Tree> {
    target.check(table.rows(), weights)?;
    let stored = recipe.store(table, cancel)?;
    grow_with(recipe, table, target, weights, Means { cancel, coded: None, stored, draw: None })
}

/// What growing has at hand.
#[derive(Clone, Debug)]
pub(crate) struct Means<'a, 't> {
    /// Stops the work.
    pub cancel: &'a Cancel,
    /// The columns as ranks, where many trees share them: then the list engine grows the tree.
    pub coded: Option<Arc<Vec<RankedColumn<'t>>>>,
    /// What a sparse table stores: then the sparse engine grows the tree.
    pub stored: Option<Arc<RankedTable>>,
    /// How columns and cuts are drawn.
    pub draw: Option<FeatureSampling>,
}

impl<'a, 't> Means<'a, 't> {
    /// What many trees of a table share.
    pub fn shared(recipe: &Recipe, table: &Table<'t>, cancel: &'a Cancel) -> Result<Means<'a, 't>> {
        Means::with_ranks(recipe, table, || RankedColumn::all(table, cancel).map(Arc::new), cancel)
    }

    /// The same with ranks that the caller may have already.
    pub fn with_ranks(
        recipe: &Recipe,
        table: &Table<'_>,
        ranks: impl FnOnce() -> Result<Arc<Vec<RankedColumn<'t>>>>,
        cancel: &'a Cancel,
    ) -> Result<Means<'a, 't>> {
        let stored = recipe.store(table, cancel)?;
        let coded = if stored.is_none() { Some(ranks()?) } else { None };
        Ok(Means { cancel, coded, stored, draw: None })
    }
}

/// Grows one tree with what is at hand; the target has been checked.
pub(crate) fn grow_with(
    recipe: &Recipe,
    table: &Table<'_>,
    target: Target<'_>,
    weights: Option<&[f64]>,
    means: Means<'_, '_>,
) -> Result<Tree> {
    recipe.check(table.columns().len(), target)?;
    let weights = recipe.weights(weights, table.rows())?;
    let job = Job { recipe, table, weights: &weights };
    let (tree, second_answers_less) = with_criterion(recipe, target, &weights, Growing { job, means })?;
    recipe.finish.apply(tree, &table.kinds(), &second_answers_less)
}

/// One tree, and the rows it is grown from.
#[derive(Clone, Copy, Debug)]
pub(super) struct Job<'a> {
    pub recipe: &'a Recipe,
    pub table: &'a Table<'a>,
    pub weights: &'a Weights,
}

/// Growing: the tree, and for each node whether its second child is the one that answers less (see
/// [`List::second_answers_less`]).
struct Growing<'a, 't> {
    job: Job<'a>,
    means: Means<'a, 't>,
}

impl Visitor for Growing<'_, '_> {
    type Output = (Tree, Vec<bool>);

    fn visit<C: Criterion>(self, criterion: &C, known: KnownCriterion<'_>) -> Result<(Tree, Vec<bool>)> {
        let Growing { job, means } = self;
        if means.coded.is_none()
            && means.stored.is_none()
            && let Some(grown) = job.grow_fast(known, means.cancel)?
        {
            return Ok(grown);
        }
        job.grow_any(criterion, means)
    }
}

impl Job<'_> {
    /// The tree by a fast engine; None where none supports the recipe and the table.
    pub(super) fn grow_fast(
        &self,
        criterion: KnownCriterion<'_>,
        cancel: &Cancel,
    ) -> Result<Option<(Tree, Vec<bool>)>> {
        let (table, weights, Recipe { chooser, limits, threads, .. }) = (self.table, self.weights, self.recipe);
        if self.recipe.engine == Engine::List {
            return Ok(None);
        }
        if let (Unknowns::Surrogates(rules), Chooser::Share { .. }, true) =
            (self.recipe.unknowns, chooser, table.rows() < MAX_ROWS)
        {
            return match criterion {
                KnownCriterion::Classes(criterion) => self.grow_with_surrogates(criterion, rules, cancel).map(Some),
                KnownCriterion::Numbers(criterion) => self.grow_with_surrogates(criterion, rules, cancel).map(Some),
            };
        }
        let tree = match (criterion, self.recipe.unknowns, self.recipe.plan(cancel)) {
            (KnownCriterion::Classes(criterion), Unknowns::Share(rules), _) => {
                let rules = (rules, chooser, limits);
                grow_sharing(table, criterion.classes(), weights, rules, None, *threads, cancel)
            }
            (KnownCriterion::Classes(criterion), _, Some(plan)) => {
                plan.classes(table, criterion, criterion.classes().target, weights)
            }
            (KnownCriterion::Numbers(criterion), _, Some(plan)) => plan.numbers(table, criterion, weights),
            (_, _, None) => Ok(None),
        };
        Ok(tree?.map(|tree| (tree, Vec::new())))
    }

    /// The tree with surrogates by columns that are sorted once.
    fn grow_with_surrogates<C: Estimated>(
        &self,
        criterion: &C,
        rules: SurrogateRules,
        cancel: &Cancel,
    ) -> Result<(Tree, Vec<bool>)> {
        let Recipe { chooser, limits, threads, .. } = self.recipe;
        let cells = self.table.rows().saturating_mul(self.table.columns().len());
        let threads = if cells < MIN_CELLS_FOR_THREADS { 1 } else { pool::bounded(*threads) };
        let rank = |column| RankedColumn::new(column, false, cancel);
        let columns = pool::each(threads, self.table.columns().iter().collect(), rank)?;
        let columns = columns.into_iter().collect::<Result<Vec<_>>>()?;
        let mut rows = self.list(criterion, Some(Arc::new(columns)), None, cancel)?;
        grow_sorted(&mut rows, rules, (chooser, limits), threads, cancel)
    }

    /// The tree by an engine that supports every criterion.
    pub(super) fn grow_any<C: Criterion>(&self, criterion: &C, means: Means<'_, '_>) -> Result<(Tree, Vec<bool>)> {
        let Means { cancel, coded, stored, draw } = means;
        if let Some(stored) = stored {
            return Ok((self.grow_sparse(&stored, criterion, draw, cancel)?, Vec::new()));
        }
        let mut rows = self.list(criterion, coded, draw, cancel)?;
        let tree = grow(&mut rows, &self.recipe.chooser, &self.recipe.limits, cancel)?;
        Ok((tree, rows.second_answers_less()))
    }

    /// The tree of a sparse table.
    fn grow_sparse<C: Criterion>(
        &self,
        stored: &RankedTable,
        criterion: &C,
        sampling: Option<FeatureSampling>,
        cancel: &Cancel,
    ) -> Result<Tree> {
        let Recipe { chooser, limits, threads, .. } = self.recipe;
        let rules = self.recipe.search_rules(self.min_weight(criterion), sampling);
        let threads = pool::bounded(*threads);
        let mut rows = SparseRows::new(stored, criterion, self.weights, rules, threads, cancel)?;
        grow(&mut rows, chooser, limits, cancel)
    }

    /// The rows as lists, which support every recipe.
    pub fn list<'s, C: Criterion>(
        &'s self,
        criterion: &'s C,
        coded: Option<Arc<Vec<RankedColumn<'s>>>>,
        draw: Option<FeatureSampling>,
        cancel: &'s Cancel,
    ) -> Result<List<'s, C>> {
        let recipe = self.recipe;
        let rules = recipe.search_rules(self.min_weight(criterion), draw);
        let rows = match coded {
            Some(coded) => List::coded(coded, criterion, self.weights, rules, cancel)?,
            None => List::new(self.table, criterion, self.weights, rules, cancel)?,
        };
        Ok(match recipe.finish.complexity {
            Some(share) => rows.stop_below_risk(share, Costs(&recipe.finish.costs)),
            None => rows,
        })
    }

    /// The least weight of a child.
    fn min_weight<C: Criterion>(&self, criterion: &C) -> f64 {
        let share = self.recipe.min_leaf_share;
        if share == 0.0 {
            return 0.0;
        }
        let mut stats = vec![C::Stat::default(); criterion.width()];
        self.weights.units.iter().enumerate().for_each(|(row, &weight)| criterion.add(&mut stats, row, weight));
        share * criterion.weight(&stats)
    }
}

impl Finish {
    /// The finished tree; `second_answers_less` says how complexity orders the children of each node.
    pub(super) fn apply(&self, mut tree: Tree, kinds: &[Kind], second_answers_less: &[bool]) -> Result<Tree> {
        if let Some(by_count) = self.undecided_by_count {
            send_by_count(&mut tree, by_count);
        }
        if let Some(share) = self.complexity {
            let risk = Costs(&self.costs).risks(&tree);
            tree = complexity::prune(&tree, kinds, &risk, second_answers_less, share * risk[0])?.0;
        }
        match self.collapse {
            Some(order) => collapse(&tree, kinds, order),
            None => Ok(tree),
        }
    }
}

/// Sends rows that nothing decides to the child with more training rows, or nowhere where they are as many.
fn send_by_count(tree: &mut Tree, by_count: bool) {
    for node in 0..tree.len() {
        if tree.n_children[node] == 2 {
            let first = tree.first_child[node] as usize;
            tree.missing[node] = match tree.count[first].cmp(&tree.count[first + 1]) {
                std::cmp::Ordering::Greater if by_count => 0,
                std::cmp::Ordering::Less if by_count => 1,
                _ => STOP,
            };
        }
    }
}
