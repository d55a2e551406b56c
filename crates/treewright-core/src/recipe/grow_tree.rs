//! Growing one tree after a recipe, on the fastest engine that supports it.

use super::criterion::{TreeCriterion, with_criterion};
use super::{Engine, Finish, Recipe};
use crate::Result;
use crate::codes::ranks::RankedColumn;
use crate::data::table::{Kind, Table};
use crate::grow::grow;
use crate::model::tree::{STOP, Tree};
use crate::prune::collapse::collapse;
use crate::prune::complexity;
use crate::rows::columns::plan::Plan;
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
    let shared = SharedColumns::sparse(recipe, table, cancel)?;
    grow_with(recipe, table, target, weights, shared, None, cancel)
}

/// The columns of a table in a form that many trees share.
#[derive(Clone, Debug)]
pub(crate) enum SharedColumns<'t> {
    /// Ranks: the list engine grows the trees.
    Ranks(Arc<Vec<RankedColumn<'t>>>),
    /// What a sparse table stores: the sparse engine grows the trees.
    Sparse(Arc<RankedTable>),
}

impl<'t> SharedColumns<'t> {
    /// What a sparse table stores, or else the ranks.
    pub fn new(
        recipe: &Recipe,
        table: &Table<'_>,
        ranks: impl FnOnce() -> Result<Arc<Vec<RankedColumn<'t>>>>,
        cancel: &Cancel,
    ) -> Result<SharedColumns<'t>> {
        match SharedColumns::sparse(recipe, table, cancel)? {
            Some(stored) => Ok(stored),
            None => ranks().map(SharedColumns::Ranks),
        }
    }

    /// What a sparse table stores, where trees can be grown on that alone.
    pub fn sparse(recipe: &Recipe, table: &Table<'_>, cancel: &Cancel) -> Result<Option<SharedColumns<'t>>> {
        let by_gain = matches!(recipe.chooser, Chooser::Share { .. });
        let is_list = recipe.engine == Engine::List;
        if is_list || !recipe.can_draw_columns() || !by_gain || recipe.finish.complexity.is_some() {
            return Ok(None);
        }
        Ok(RankedTable::new(table, cancel)?.map(|stored| SharedColumns::Sparse(Arc::new(stored))))
    }
}

/// Grows one tree, on columns that it shares with others if there are any, whose nodes may draw columns and cuts; the
/// target has been checked.
pub(crate) fn grow_with(
    recipe: &Recipe,
    table: &Table<'_>,
    target: Target<'_>,
    weights: Option<&[f64]>,
    shared: Option<SharedColumns<'_>>,
    draw: Option<FeatureSampling>,
    cancel: &Cancel,
) -> Result<Tree> {
    recipe.check(table.columns().len(), target)?;
    let weights = recipe.weights(weights, table.rows())?;
    let input = TreeInput { recipe, table, weights: &weights, cancel };
    let (tree, second_answers_less) = with_criterion(recipe, target, &weights, |criterion| {
        if shared.is_none()
            && let Some(grown) = input.grow_fast(criterion)?
        {
            return Ok(grown);
        }
        match criterion {
            TreeCriterion::Classes(criterion) => input.grow_any(criterion, shared, draw),
            TreeCriterion::Numbers(criterion) => input.grow_any(criterion, shared, draw),
        }
    })?;
    recipe.finish.apply(tree, &table.kinds(), &second_answers_less)
}

/// What one tree is grown from.
#[derive(Clone, Copy, Debug)]
pub(super) struct TreeInput<'a> {
    pub recipe: &'a Recipe,
    pub table: &'a Table<'a>,
    pub weights: &'a Weights,
    pub cancel: &'a Cancel,
}

impl TreeInput<'_> {
    /// The tree by a fast engine, and for each node whether its second child is the one that answers less (see
    /// [`List::second_answers_less`]); None where no such engine supports the recipe and the table.
    pub(super) fn grow_fast(&self, criterion: &TreeCriterion<'_>) -> Result<Option<(Tree, Vec<bool>)>> {
        let TreeInput { recipe, table, weights, cancel } = *self;
        let Recipe { chooser, limits, threads, unknowns, .. } = recipe;
        if recipe.engine == Engine::List {
            return Ok(None);
        }
        let tree = match (*unknowns, criterion) {
            (Unknowns::Surrogates(rules), _) if matches!(chooser, Chooser::Share { .. }) && table.rows() < MAX_ROWS => {
                return match criterion {
                    TreeCriterion::Classes(criterion) => self.grow_with_surrogates(criterion, rules).map(Some),
                    TreeCriterion::Numbers(criterion) => self.grow_with_surrogates(criterion, rules).map(Some),
                };
            }
            (Unknowns::Share(rules), TreeCriterion::Classes(criterion)) => {
                let rules = (rules, chooser, limits);
                grow_sharing(table, criterion.classes(), weights, rules, None, *threads, cancel)?
            }
            _ => match recipe.plan(cancel) {
                Some(plan) => self.grow_on_codes(&plan, criterion)?,
                None => None,
            },
        };
        Ok(tree.map(|tree| (tree, Vec::new())))
    }

    /// The tree on columns of codes; None where rows must be held in another way.
    pub(super) fn grow_on_codes(&self, plan: &Plan<'_>, criterion: &TreeCriterion<'_>) -> Result<Option<Tree>> {
        match criterion {
            TreeCriterion::Classes(criterion) => {
                plan.classes(self.table, criterion, criterion.classes().target, self.weights)
            }
            TreeCriterion::Numbers(criterion) => plan.numbers(self.table, criterion, self.weights),
        }
    }

    /// The tree with surrogates by columns that are sorted once.
    fn grow_with_surrogates<C: Estimated>(&self, criterion: &C, rules: SurrogateRules) -> Result<(Tree, Vec<bool>)> {
        let cancel = self.cancel;
        let Recipe { chooser, limits, threads, .. } = self.recipe;
        let cells = self.table.rows().saturating_mul(self.table.columns().len());
        let threads = if cells < MIN_CELLS_FOR_THREADS { 1 } else { pool::bounded(*threads) };
        let rank = |column| RankedColumn::new(column, false, cancel);
        let columns = pool::each(threads, self.table.columns().iter().collect(), rank)?;
        let columns = columns.into_iter().collect::<Result<Vec<_>>>()?;
        let mut rows = self.list(criterion, Some(Arc::new(columns)), None)?;
        grow_sorted(&mut rows, rules, (chooser, limits), threads, cancel)
    }

    /// The same by an engine that supports every criterion.
    pub(super) fn grow_any<C: Criterion>(
        &self,
        criterion: &C,
        shared: Option<SharedColumns<'_>>,
        draw: Option<FeatureSampling>,
    ) -> Result<(Tree, Vec<bool>)> {
        let ranks = match shared {
            Some(SharedColumns::Sparse(stored)) => {
                return Ok((self.grow_sparse(&stored, criterion, draw)?, Vec::new()));
            }
            Some(SharedColumns::Ranks(ranks)) => Some(ranks),
            None => None,
        };
        let mut rows = self.list(criterion, ranks, draw)?;
        let tree = grow(&mut rows, &self.recipe.chooser, &self.recipe.limits, self.cancel)?;
        Ok((tree, rows.second_answers_less()))
    }

    /// The tree of a sparse table.
    fn grow_sparse<C: Criterion>(
        &self,
        stored: &RankedTable,
        criterion: &C,
        sampling: Option<FeatureSampling>,
    ) -> Result<Tree> {
        let Recipe { chooser, limits, threads, .. } = self.recipe;
        let rules = self.recipe.search_rules(self.min_weight(criterion), sampling);
        let threads = pool::bounded(*threads);
        let mut rows = SparseRows::new(stored, criterion, self.weights, rules, threads, self.cancel)?;
        grow(&mut rows, chooser, limits, self.cancel)
    }

    /// The rows as lists, which support every recipe.
    pub fn list<'s, C: Criterion>(
        &'s self,
        criterion: &'s C,
        ranks: Option<Arc<Vec<RankedColumn<'s>>>>,
        draw: Option<FeatureSampling>,
    ) -> Result<List<'s, C>> {
        let (recipe, cancel) = (self.recipe, self.cancel);
        let rules = recipe.search_rules(self.min_weight(criterion), draw);
        let rows = match ranks {
            Some(ranks) => List::coded(ranks, criterion, self.weights, rules, cancel)?,
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
