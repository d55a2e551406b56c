//! Growing a tree by hand after a recipe. Nothing is remembered between two calls: each takes the tree and the rows.
//!
//! ```text
//! start -> act, act, ... -> finish
//! ```
//!
//! Node numbers are those of the tree that was passed; [`Grown::before`] says what became of them. The tree is always
//! numbered as growing numbers it.

use super::criterion::{KnownCriterion, Visitor, with_criterion};
use super::grow_tree::Job;
use super::{Finish, Recipe};
use crate::data::table::{Kind, Table};
use crate::grow::by_hand::{Action, Grown, Loop, act, start};
use crate::grow::leaf_reason::{LeafReason, leaf_reasons};
use crate::grow::study::rows_of;
use crate::model::order::{Order, renumber, reorder};
use crate::model::tree::Tree;
use crate::rows::list::List;
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
        self.visit(Acting { tree: None, actions: &[] })
    }

    /// Does something at some nodes of a tree, all at once; the other nodes stay as they are.
    pub fn act(&self, tree: &Tree, actions: &[(usize, Action)]) -> Result<Stage> {
        let mut all = vec![Action::Keep; tree.len()];
        for (node, action) in actions {
            check_action(action, all.get(*node).is_some(), &self.table.kinds())?;
            all[*node] = action.clone();
        }
        self.visit(Acting { tree: Some(tree), actions: &all })
    }

    /// Grows the whole tree, which is not finished yet: [`ByHand::finish`] makes it that of
    /// [`grow_tree`](super::grow_tree::grow_tree).
    pub fn grow(&self) -> Result<Stage> {
        let root = self.start()?;
        self.act(&root.tree, &[(0, Action::Grow)])
    }

    /// For each node of a tree why it is a leaf; None for branches and for leaves that growing would split.
    pub fn leaf_reasons(&self, tree: &Tree) -> Result<Vec<Option<LeafReason>>> {
        self.visit(Reasoning { tree })
    }

    /// The rows of a node, each with the share of it that is there: less than 1 where rows are divided.
    pub fn rows_of(&self, tree: &Tree, node: usize) -> Result<Vec<(u32, f64)>> {
        self.visit(Listing { tree, node })
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
            Some(_) => self.visit(Comparing { tree: &tree })?,
            None => Vec::new(),
        };
        all.apply(tree, &kinds, &second_answers_less)
    }

    fn visit<V: Task>(&self, task: V) -> Result<V::Output> {
        self.target.check(self.table.rows(), self.weights)?;
        self.recipe.check(self.table.columns().len(), self.target)?;
        let weights = self.recipe.weights(self.weights, self.table.rows())?;
        let job = Job { recipe: self.recipe, table: self.table, weights: &weights };
        with_criterion(
            self.recipe,
            self.target,
            &weights,
            WithList { job, kinds: self.table.kinds(), by_hand: self, task },
        )
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

/// Something to do with the rows as lists.
trait Task {
    type Output;
    fn run<C: Criterion>(self, rows: Lists<'_, C>, known: KnownCriterion<'_>) -> Result<Self::Output>;
}

/// The rows as lists, as often as they are wanted: the columns are ranked once.
struct Lists<'a, C: Criterion> {
    job: &'a Job<'a>,
    first: List<'a, C>,
    criterion: &'a C,
    plan: Loop<'a>,
}

impl<'a, C: Criterion> Lists<'a, C> {
    fn fresh(&self) -> Result<List<'a, C>> {
        self.job.list(self.criterion, Some(self.first.columns.clone()), None, self.plan.cancel)
    }
}

struct WithList<'a, V> {
    job: Job<'a>,
    kinds: Vec<Kind>,
    by_hand: &'a ByHand<'a>,
    task: V,
}

impl<V: Task> Visitor for WithList<'_, V> {
    type Output = V::Output;

    fn visit<C: Criterion>(self, criterion: &C, known: KnownCriterion<'_>) -> Result<V::Output> {
        let cancel = self.by_hand.cancel;
        let Recipe { chooser, limits, .. } = self.by_hand.recipe;
        let plan = Loop { chooser, limits, kinds: &self.kinds, cancel };
        let first = self.job.list(criterion, None, None, cancel)?;
        self.task.run(Lists { job: &self.job, first, criterion, plan }, known)
    }
}

struct Acting<'a> {
    tree: Option<&'a Tree>,
    actions: &'a [Action],
}

impl Task for Acting<'_> {
    type Output = Stage;

    fn run<C: Criterion>(self, mut rows: Lists<'_, C>, known: KnownCriterion<'_>) -> Result<Stage> {
        let Lists { plan, .. } = rows;
        let grown = match (self.tree, self.actions) {
            (None, _) => start(&mut rows.first)?,
            // The whole tree: a fast engine gives the same one.
            (Some(old), [Action::Grow, ..]) => match rows.job.grow_fast(known, plan.cancel)? {
                Some((tree, _)) => Grown::below_root(tree),
                None => act(&mut rows.first, plan, old, self.actions)?,
            },
            (Some(tree), actions) => act(&mut rows.first, plan, tree, actions)?,
        };
        let Grown { tree, before, by_hand, .. } = grown;
        let is_asked = |node: usize| before[node].is_none() || plan.limits.max_leaves.is_some();
        let reasons = leaf_reasons(&mut rows.fresh()?, plan, &tree, is_asked)?;
        let state = |node: usize| match reasons[node] {
            _ if tree.n_children[node] > 0 => NodeState::Branch,
            Some(reason) => NodeState::Leaf(reason),
            None if is_asked(node) => NodeState::Open,
            None => NodeState::AsBefore,
        };
        let states = (0..tree.len()).map(state).collect();
        Ok(Stage { tree, before, by_hand, states })
    }
}

struct Reasoning<'a> {
    tree: &'a Tree,
}

impl Task for Reasoning<'_> {
    type Output = Vec<Option<LeafReason>>;

    fn run<C: Criterion>(self, mut rows: Lists<'_, C>, _: KnownCriterion<'_>) -> Result<Self::Output> {
        leaf_reasons(&mut rows.first, rows.plan, self.tree, |_| true)
    }
}

struct Listing<'a> {
    tree: &'a Tree,
    node: usize,
}

impl Task for Listing<'_> {
    type Output = Vec<(u32, f64)>;

    fn run<C: Criterion>(self, mut rows: Lists<'_, C>, _: KnownCriterion<'_>) -> Result<Self::Output> {
        rows_of(&mut rows.first, self.tree, rows.plan.kinds, self.node, rows.plan.cancel)
    }
}

/// For each node whether its second child answers less.
struct Comparing<'a> {
    tree: &'a Tree,
}

impl Task for Comparing<'_> {
    type Output = Vec<bool>;

    fn run<C: Criterion>(self, mut rows: Lists<'_, C>, _: KnownCriterion<'_>) -> Result<Self::Output> {
        let replayed = act(&mut rows.first, rows.plan, self.tree, &vec![Action::Keep; self.tree.len()])?;
        let less = rows.first.second_answers_less();
        Ok(replayed.visited.iter().map(|&node| less.get(node).copied().unwrap_or(false)).collect())
    }
}
