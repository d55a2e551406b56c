//! Why the growing loop leaves a node a leaf.

use super::{Growth, Limits};
use crate::Result;
use crate::model::tree::{Kind, Tree};
use crate::rows::Rows;
use crate::rows::list::{List, ListNode};
use crate::split::choose::{Candidate, Chooser};
use crate::stats::criterion::Criterion;
use crate::sys::memory::filled;

/// Why a node is a leaf, in the order in which the loop asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LeafReason {
    /// No row reaches it.
    NoRows,
    /// All its rows are alike.
    Pure,
    /// It has fewer rows than a split needs.
    MinRows,
    /// As many questions lead to it as are allowed.
    MaxDepth,
    /// Enough of its rows have one class.
    Majority,
    /// No column divides its rows within the limits.
    NoSplit,
    /// The best split does not gain enough.
    MinGain,
    /// Chance may divide the classes as the best split does.
    Chance,
    /// There are as many leaves as are allowed.
    MaxLeaves,
}

impl LeafReason {
    /// Its word for other programs.
    pub fn word(self) -> &'static str {
        match self {
            LeafReason::NoRows => "no_rows",
            LeafReason::Pure => "pure",
            LeafReason::MinRows => "min_rows",
            LeafReason::MaxDepth => "max_depth",
            LeafReason::Majority => "majority",
            LeafReason::NoSplit => "no_split",
            LeafReason::MinGain => "min_gain",
            LeafReason::Chance => "chance",
            LeafReason::MaxLeaves => "max_leaves",
        }
    }
}

impl std::fmt::Display for LeafReason {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            LeafReason::NoRows => "no training rows reach it",
            LeafReason::Pure => "all its rows are alike",
            LeafReason::MinRows => "it has too few rows to be split",
            LeafReason::MaxDepth => "it is at the maximum depth",
            LeafReason::Majority => "enough of its rows have one class",
            LeafReason::NoSplit => "no split of its rows is within the limits",
            LeafReason::MinGain => "the best split does not gain enough",
            LeafReason::Chance => "chance may divide the classes as its best split does",
            LeafReason::MaxLeaves => "the tree has as many leaves as allowed",
        })
    }
}

impl Limits {
    /// Why a node to which so many questions lead is not searched at all.
    pub fn reason_to_stop<R: Rows>(&self, rows: &R, tree: &Tree, node: usize, depth: u32) -> Option<LeafReason> {
        if !self.stop(rows, tree, node, depth) {
            return None;
        }
        Some(if tree.count[node] == 0 {
            LeafReason::NoRows
        } else if rows.is_pure(tree.cost[node]) {
            LeafReason::Pure
        } else if tree.count[node] < u64::from(self.min_samples_split) {
            LeafReason::MinRows
        } else if depth >= self.max_depth {
            LeafReason::MaxDepth
        } else {
            LeafReason::Majority
        })
    }
}

/// The position of the candidate that the loop takes in a node, or why it takes none. `impurity` is the node's cost per
/// unit of weight.
pub fn choose_or_reason(
    chooser: &Chooser,
    candidates: &[Candidate],
    impurity: f64,
) -> std::result::Result<usize, LeafReason> {
    chooser.choose(candidates, impurity).ok_or_else(|| match chooser.rank(candidates, impurity).best {
        Some(_) => LeafReason::MinGain,
        None => LeafReason::NoSplit,
    })
}

/// The children that a candidate makes of a node's rows, or the reason not to make them.
pub fn divide_or_reason<R: Rows>(
    rows: &mut R,
    limits: &Limits,
    node: R::Node,
    chosen: &Candidate,
) -> Result<std::result::Result<Vec<R::Node>, LeafReason>> {
    let children = rows.divide(node, chosen)?;
    if limits.could_be_chance(rows, &children) {
        rows.forget_division();
        return Ok(Err(LeafReason::Chance));
    }
    Ok(Ok(children))
}

/// For each node why it is a leaf; None for branches, for leaves that the loop would split, and for nodes that are not
/// `wanted`. The tree was grown from these rows.
pub fn leaf_reasons<C: Criterion>(
    rows: &mut List<'_, C>,
    growth: Growth<'_>,
    kinds: &[Kind],
    tree: &Tree,
    wanted: impl Fn(usize) -> bool,
) -> Result<Vec<Option<LeafReason>>> {
    let full = growth.limits.max_leaves.is_some_and(|most| count_leaves(tree) >= most as usize);
    let mut reasons = filled(None, tree.len())?;
    visit_leaves(rows, growth, kinds, tree, |rows, node, depth, at| {
        if wanted(node) {
            let reason = reason_of(rows, growth, tree, (node, depth), at)?;
            reasons[node] = reason.or(full.then_some(LeafReason::MaxLeaves));
        }
        Ok(())
    })?;
    Ok(reasons)
}

fn reason_of<C: Criterion>(
    rows: &mut List<'_, C>,
    growth: Growth<'_>,
    tree: &Tree,
    (node, depth): (usize, u32),
    mut at: ListNode<C::Stat>,
) -> Result<Option<LeafReason>> {
    let Growth { chooser, limits, .. } = growth;
    if let Some(reason) = limits.reason_to_stop(rows, tree, node, depth) {
        return Ok(Some(reason));
    }
    let mut candidates = Vec::new();
    rows.candidates(&mut at, &mut candidates)?;
    match choose_or_reason(chooser, &candidates, tree.cost[node] / tree.weight[node]) {
        Err(reason) => Ok(Some(reason)),
        Ok(_) if limits.max_p_value.is_none() => Ok(None),
        Ok(chosen) => Ok(divide_or_reason(rows, limits, at, &candidates[chosen])?.err()),
    }
}

/// Visits the leaves of a tree depth first, each with its depth and its rows.
fn visit_leaves<C: Criterion>(
    rows: &mut List<'_, C>,
    growth: Growth<'_>,
    kinds: &[Kind],
    tree: &Tree,
    mut visit: impl FnMut(&mut List<'_, C>, usize, u32, ListNode<C::Stat>) -> Result<()>,
) -> Result<()> {
    let mut open = vec![(0, 0, rows.root()?)];
    while let Some((node, depth, mut at)) = open.pop() {
        growth.cancel.check()?;
        if tree.n_children[node] == 0 {
            visit(rows, node, depth, at)?;
            continue;
        }
        if rows.asks_everywhere() {
            rows.candidates(&mut at, &mut Vec::new())?;
        }
        let children = rows.divide(at, &Candidate::new(tree.feature[node], 0.0, tree.way(node, kinds)))?;
        let start = open.len();
        open.extend(tree.children(node).zip(children).map(|(child, rows)| (child, depth + 1, rows)));
        open[start..].reverse();
    }
    Ok(())
}

/// The number of leaves.
pub fn count_leaves(tree: &Tree) -> usize {
    tree.n_children.iter().filter(|&&children| children == 0).count()
}
