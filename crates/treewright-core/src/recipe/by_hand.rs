//! Growing a tree by hand after a recipe. Nothing is remembered between two calls: each takes the tree and the rows.
//!
//! ```text
//! start -> act, act, ... -> finish
//! ```
//!
//! Node numbers are those of the tree that was passed; [`Stage::before`] says what became of them. The tree is always
//! numbered as growing numbers it.

use super::criterion::{TreeCriterion, with_criterion};
use super::grow_tree::TreeInput;
use super::{Finish, Recipe};
use crate::data::table::{Kind, Table};
use crate::grow::Growth;
use crate::grow::by_hand::{Action, EditedTree, act, start};
use crate::grow::leaf_reason::{LeafReason, leaf_reasons};
use crate::grow::study::rows_of;
use crate::model::order::{Order, renumber, reorder};
use crate::model::tree::Tree;
use crate::stats::criterion::Criterion;
use crate::stats::target::Target;
use crate::sys::pool::Cancel;
use crate::{Error, Result};

/// The rows that a tree is grown from by hand, and how.
#[derive(Clone, Copy, Debug)]
pub struct ByHand<'a> {
    /// How the tree is grown.
    pub recipe: &'a Recipe,
    /// The columns.
    pub table: &'a Table<'a>,
    /// What is predicted.
    pub target: Target<'a>,
    /// The weights of the rows; None for 1 each.
    pub weights: Option<&'a [f64]>,
    /// Stops the work.
    pub cancel: &'a Cancel,
}

/// What a node of an unfinished tree is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NodeState {
    /// It asks a question.
    Branch,
    /// It can be split as the algorithm does.
    Open,
    /// It cannot, for this reason.
    Leaf(LeafReason),
    /// A leaf that is what it was before the action.
    AsBefore,
}

/// A tree after some actions, and what its nodes are.
#[derive(Clone, Debug, PartialEq)]
pub struct Stage {
    /// The tree, numbered as growing numbers it.
    pub tree: Tree,
    /// For each of its nodes the node that it was before; None for new ones.
    pub before: Vec<Option<usize>>,
    /// The nodes that an action split otherwise than the algorithm would have split them.
    pub by_hand: Vec<usize>,
    /// What each node is.
    pub states: Vec<NodeState>,
}

impl Stage {
    /// The same with nodes in the order in which they were made: those that were there before the action keep their
    /// order, new ones come last.
    pub fn in_order_of_creation(self, kinds: &[Kind]) -> Result<Stage> {
        let mut order: Vec<usize> = (0..self.tree.len()).collect();
        order.sort_unstable_by_key(|&node| (self.before[node].is_none(), self.before[node].unwrap_or(node)));
        Ok(Stage {
            tree: reorder(&self.tree, kinds, &order)?,
            before: order.iter().map(|&node| self.before[node]).collect(),
            by_hand: (0..order.len()).filter(|&new| self.by_hand.contains(&order[new])).collect(),
            states: order.iter().map(|&node| self.states[node]).collect(),
        })
    }
}

impl ByHand<'_> {
    /// A tree of one leaf.
    pub fn start(&self) -> Result<Stage> {
        self.stage(None, &[])
    }

    /// Does something at some nodes of a tree, all at once; the other nodes stay as they are.
    pub fn act(&self, tree: &Tree, actions: &[(usize, Action)]) -> Result<Stage> {
        let mut all = vec![Action::Keep; tree.len()];
        for (node, action) in actions {
            check_action(action, all.get(*node).is_some(), &self.table.kinds())?;
            all[*node] = action.clone();
        }
        self.stage(Some(tree), &all)
    }

    /// Grows the whole tree, which is not finished yet: [`ByHand::finish`] makes it that of
    /// [`grow_tree`](super::grow_tree::grow_tree).
    pub fn grow(&self) -> Result<Stage> {
        let root = self.start()?;
        self.act(&root.tree, &[(0, Action::Grow)])
    }

    /// For each node of a tree why it is a leaf; None for branches and for leaves that growing would split.
    pub fn leaf_reasons(&self, tree: &Tree) -> Result<Vec<Option<LeafReason>>> {
        let (growth, kinds) = (self.growth(), self.table.kinds());
        self.with_criterion(|input, criterion| match criterion {
            TreeCriterion::Classes(own) => {
                leaf_reasons(&mut input.list(own, None, None)?, growth, &kinds, tree, |_| true)
            }
            TreeCriterion::Numbers(own) => {
                leaf_reasons(&mut input.list(own, None, None)?, growth, &kinds, tree, |_| true)
            }
        })
    }

    /// The rows of a node, each with the share of it that is there: less than 1 where rows are divided.
    pub fn rows_of(&self, tree: &Tree, node: usize) -> Result<Vec<(u32, f64)>> {
        let (kinds, cancel) = (self.table.kinds(), self.cancel);
        self.with_criterion(|input, criterion| match criterion {
            TreeCriterion::Classes(own) => rows_of(&mut input.list(own, None, None)?, tree, &kinds, node, cancel),
            TreeCriterion::Numbers(own) => rows_of(&mut input.list(own, None, None)?, tree, &kinds, node, cancel),
        })
    }

    /// The tree as [`grow_tree`](super::grow_tree::grow_tree) gives it: what the recipe does to a grown tree is done, and
    /// nodes are numbered as growing numbers them. Unless it is to `prune`, no question is taken out.
    pub fn finish(&self, tree: &Tree, prune: bool) -> Result<Tree> {
        let (kinds, best_first) = (self.table.kinds(), self.recipe.limits.max_leaves.is_some());
        let order = if best_first { Order::BestFirst } else { Order::DepthFirst };
        let (tree, _) = renumber(tree, &kinds, |_| false, order)?;
        let all = &self.recipe.finish;
        if !prune {
            let finish = Finish { undecided_by_count: all.undecided_by_count, ..Finish::default() };
            return finish.apply(tree, &kinds, &[]);
        }
        let second_answers_less = match all.complexity {
            Some(_) => self.with_criterion(|input, criterion| match criterion {
                TreeCriterion::Classes(own) => self.second_answers_less(input, own, &tree),
                TreeCriterion::Numbers(own) => self.second_answers_less(input, own, &tree),
            })?,
            None => Vec::new(),
        };
        all.apply(tree, &kinds, &second_answers_less)
    }

    fn growth(&self) -> Growth<'_> {
        let Recipe { chooser, limits, .. } = self.recipe;
        Growth { chooser, limits, cancel: self.cancel }
    }

    /// Does something with the criterion and the rows.
    fn with_criterion<T>(&self, work: impl FnOnce(&TreeInput<'_>, &TreeCriterion<'_>) -> Result<T>) -> Result<T> {
        self.target.check(self.table.rows(), self.weights)?;
        self.recipe.check(self.table.columns().len(), self.target)?;
        let weights = self.recipe.weights(self.weights, self.table.rows())?;
        let input = TreeInput { recipe: self.recipe, table: self.table, weights: &weights, cancel: self.cancel };
        with_criterion(self.recipe, self.target, &weights, |criterion| work(&input, criterion))
    }

    /// What comes of an action for each node of a tree; without a tree the root alone.
    fn stage(&self, old: Option<&Tree>, actions: &[Action]) -> Result<Stage> {
        self.with_criterion(|input, known| match known {
            TreeCriterion::Classes(own) => self.stage_by(input, known, own, old, actions),
            TreeCriterion::Numbers(own) => self.stage_by(input, known, own, old, actions),
        })
    }

    /// The same by a criterion; `known` is the same one.
    fn stage_by<C: Criterion>(
        &self,
        input: &TreeInput<'_>,
        known: &TreeCriterion<'_>,
        criterion: &C,
        old: Option<&Tree>,
        actions: &[Action],
    ) -> Result<Stage> {
        let (growth, kinds) = (self.growth(), self.table.kinds());
        let mut rows = input.list(criterion, None, None)?;
        let EditedTree { tree, before, by_hand, .. } = match (old, actions) {
            (None, _) => start(&mut rows)?,
            // The whole tree: a fast engine gives the same one.
            (Some(old), [Action::Grow, ..]) => match input.grow_fast(known)? {
                Some((tree, _)) => EditedTree::below_root(tree),
                None => act(&mut rows, growth, &kinds, old, actions)?,
            },
            (Some(old), actions) => act(&mut rows, growth, &kinds, old, actions)?,
        };
        let is_asked = |node: usize| before[node].is_none() || growth.limits.max_leaves.is_some();
        let mut fresh = input.list(criterion, Some(rows.columns.clone()), None)?;
        let reasons = leaf_reasons(&mut fresh, growth, &kinds, &tree, is_asked)?;
        let state = |node: usize| match reasons[node] {
            _ if tree.n_children[node] > 0 => NodeState::Branch,
            Some(reason) => NodeState::Leaf(reason),
            None if is_asked(node) => NodeState::Open,
            None => NodeState::AsBefore,
        };
        let states = (0..tree.len()).map(state).collect();
        Ok(Stage { tree, before, by_hand, states })
    }

    /// For each node whether its second child answers less.
    fn second_answers_less<C: Criterion>(
        &self,
        input: &TreeInput<'_>,
        criterion: &C,
        tree: &Tree,
    ) -> Result<Vec<bool>> {
        let mut rows = input.list(criterion, None, None)?;
        let actions = vec![Action::Keep; tree.len()];
        let replayed = act(&mut rows, self.growth(), &self.table.kinds(), tree, &actions)?;
        let less = rows.second_answers_less();
        Ok(replayed.visited.iter().map(|&node| less.get(node).copied().unwrap_or(false)).collect())
    }
}

fn check_action(action: &Action, is_node: bool, kinds: &[Kind]) -> Result<()> {
    let fits = match action {
        Action::SplitOn { feature, cut } => match (kinds.get(*feature as usize), cut) {
            (None, _) | (Some(Kind::Categorical(_)), Some(_)) => false,
            (_, cut) => cut.is_none_or(|cut| !cut.is_nan()),
        },
        Action::SplitBy { feature, .. } => kinds.get(*feature as usize).is_some(),
        _ => true,
    };
    match fits && is_node {
        true => Ok(()),
        false => Err(Error::data("grow.rule", "there is no such node, or it cannot be split so")),
    }
}
