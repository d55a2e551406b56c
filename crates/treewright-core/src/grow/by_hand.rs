//! Growing a tree by hand: the questions of a tree are asked again from the root on, and at some nodes something else
//! happens.
//!
//! Children get their figures from the holder of the rows, as in the growing loop, so a tree whose nodes are all split by
//! their best candidates is the loop's own. Everything starts at the root: that costs a division of all rows for each
//! level of the tree, and nothing is remembered between two actions.

use super::frontier::{Frontier, Open};
use super::leaf_reason::{LeafReason, choose_or_reason, count_leaves, divide_or_reason};
use super::{Growth, plant, write_split};
use crate::model::order::{Order, renumber};
use crate::model::tree::{Kind, Question, SplitRule, Tree};
use crate::rows::Rows;
use crate::rows::list::{List, ListNode};
use crate::split::choose::Candidate;
use crate::stats::criterion::Criterion;
use crate::sys::memory::filled;
use crate::{Error, Result};
use std::collections::BinaryHeap;

/// What happens at a node.
#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    /// It stays as it is.
    Keep,
    /// It becomes a leaf: what is below it is dropped.
    MakeLeaf,
    /// It is split by the candidate that the algorithm chooses; its children are leaves.
    Split,
    /// It is split by a column: at a cut, or else by the column's best split. Its children are leaves.
    SplitOn {
        /// The column.
        feature: u32,
        /// The cut of a numeric column.
        cut: Option<f64>,
    },
    /// It is split by a given question; its children are leaves.
    SplitBy {
        /// The column.
        feature: u32,
        /// The question.
        rule: SplitRule,
    },
    /// What is below it is dropped and grown as the growing loop does.
    Grow,
}

/// A tree after some actions.
#[derive(Clone, Debug, PartialEq)]
pub struct EditedTree {
    /// The tree, numbered as the growing loop numbers it.
    pub tree: Tree,
    /// For each of its nodes the node that it was before; None for new ones.
    pub before: Vec<Option<usize>>,
    /// The nodes that were split by an action otherwise than the algorithm would have split them.
    pub by_hand: Vec<usize>,
    /// For each node its number in the order in which the holder of the rows came to them.
    pub visited: Vec<usize>,
}

impl EditedTree {
    /// A tree that was grown whole, below a root that was there before.
    pub fn below_root(tree: Tree) -> EditedTree {
        let before = (0..tree.len()).map(|node| (node == 0).then_some(0)).collect();
        EditedTree { before, by_hand: Vec::new(), visited: (0..tree.len()).collect(), tree }
    }
}

/// The tree of one leaf.
pub fn start<C: Criterion>(rows: &mut List<'_, C>) -> Result<EditedTree> {
    Ok(EditedTree { tree: plant(rows)?.0, before: vec![None], by_hand: Vec::new(), visited: vec![0] })
}

/// Does something at some nodes of a tree that was grown from these rows; `actions` has one for each node.
pub fn act<C: Criterion>(
    rows: &mut List<'_, C>,
    growth: Growth<'_>,
    kinds: &[Kind],
    old: &Tree,
    actions: &[Action],
) -> Result<EditedTree> {
    let (tree, root) = plant(rows)?;
    let (before, by_hand, later) = (vec![Some(0)], Vec::new(), Vec::new());
    let mut editing = Editing { growth, kinds, old, actions, tree, before, by_hand, later };
    let mut open = vec![(root, Some(0))];
    while let Some((at, was)) = open.pop() {
        growth.cancel.check()?;
        let first = editing.tree.len();
        let children = editing.visit(rows, at, was)?;
        let start = open.len();
        open.extend(children.into_iter().enumerate().map(|(i, child)| (child, editing.before[first + i])));
        open[start..].reverse();
    }
    editing.finish(rows)
}

/// A tree that is grown again, and the one it comes from.
struct Editing<'a, C: Criterion> {
    growth: Growth<'a>,
    kinds: &'a [Kind],
    old: &'a Tree,
    actions: &'a [Action],
    tree: Tree,
    before: Vec<Option<usize>>,
    by_hand: Vec<usize>,
    /// Nodes that are grown together at the end, since the number of leaves is limited.
    later: Vec<Open<ListNode<C::Stat>>>,
}

impl<C: Criterion> Editing<'_, C> {
    /// Does what is to be done at a node; its children.
    fn visit(
        &mut self,
        rows: &mut List<'_, C>,
        at: Open<ListNode<C::Stat>>,
        was: Option<usize>,
    ) -> Result<Vec<Open<ListNode<C::Stat>>>> {
        let action = was.map_or(&Action::Keep, |old| &self.actions[old]);
        match (action, was.filter(|&old| self.old.n_children[old] > 0)) {
            (Action::Keep, Some(old)) => self.ask_again(rows, at, old),
            (Action::Keep | Action::MakeLeaf, _) => self.leave(rows, at),
            (Action::Split, _) => self.split(rows, at),
            (Action::SplitOn { feature, cut }, _) => {
                let is_asked = |way: &SplitRule| cut.is_none_or(|cut| way.question == Question::Threshold(cut));
                self.split_on(rows, at, *feature, is_asked, |rows, node| {
                    rows.requested(node, *feature, *cut)?.ok_or_else(|| no_question(*cut))
                })
            }
            (Action::SplitBy { feature, rule }, _) => {
                let kinds = self.kinds;
                self.split_on(
                    rows,
                    at,
                    *feature,
                    |way| way == rule,
                    |_, _| {
                        rule.check(kinds[*feature as usize])?;
                        Ok(rule.clone())
                    },
                )
            }
            (Action::Grow, _) => self.grow(rows, at),
        }
    }

    /// The question that the node asked before.
    fn ask_again(
        &mut self,
        rows: &mut List<'_, C>,
        mut at: Open<ListNode<C::Stat>>,
        old: usize,
    ) -> Result<Vec<Open<ListNode<C::Stat>>>> {
        if rows.asks_everywhere() {
            rows.candidates(&mut at.rows, &mut Vec::new())?;
        }
        let split = Candidate::new(self.old.feature[old], 0.0, self.old.way(old, self.kinds));
        let children = rows.divide(at.rows, &split)?;
        let first = self.before.len();
        let open = self.write(rows, at.node, at.depth, &split, self.old.gain[old], children)?;
        if self.before.len() - first != self.old.children(old).len() {
            return Err(Error::data("work.other-rows", "these are not the rows of the tree"));
        }
        self.before.truncate(first);
        self.before.extend(self.old.children(old).map(Some));
        Ok(open)
    }

    /// Leaves a node a leaf.
    fn leave(
        &mut self,
        rows: &mut List<'_, C>,
        mut at: Open<ListNode<C::Stat>>,
    ) -> Result<Vec<Open<ListNode<C::Stat>>>> {
        let stops = self.growth.limits.stop(rows, &self.tree, at.node, at.depth);
        if rows.asks_everywhere() && !stops {
            rows.candidates(&mut at.rows, &mut Vec::new())?;
        }
        Ok(Vec::new())
    }

    /// Splits a node as the algorithm does.
    fn split(
        &mut self,
        rows: &mut List<'_, C>,
        mut at: Open<ListNode<C::Stat>>,
    ) -> Result<Vec<Open<ListNode<C::Stat>>>> {
        let (mut candidates, chosen) = self.choose(rows, &mut at)?;
        let chosen = candidates.swap_remove(chosen.map_err(no_split)?);
        let children = divide_or_reason(rows, self.growth.limits, at.rows, &chosen)?.map_err(no_split)?;
        self.write(rows, at.node, at.depth, &chosen, self.gain(at.node, &chosen), children)
    }

    /// Splits a node by a column: by its candidate, if that `is_asked` for, else by another rule.
    fn split_on(
        &mut self,
        rows: &mut List<'_, C>,
        mut at: Open<ListNode<C::Stat>>,
        feature: u32,
        is_asked: impl Fn(&SplitRule) -> bool,
        rule: impl FnOnce(&List<'_, C>, &ListNode<C::Stat>) -> Result<SplitRule>,
    ) -> Result<Vec<Open<ListNode<C::Stat>>>> {
        let (candidates, chosen) = self.choose(rows, &mut at)?;
        self.check_column(rows, &at.rows, feature)?;
        let candidate = match candidates.iter().find(|one| one.feature == feature && is_asked(&one.way)) {
            Some(candidate) => candidate.clone(),
            None => {
                let rule = rule(rows, &at.rows)?;
                self.judge(rows, &at, feature, &rule)?
            }
        };
        let children = rows.divide(at.rows, &candidate)?;
        let is_chosen = chosen.is_ok_and(|chosen| candidates[chosen] == candidate);
        if !is_chosen || self.growth.limits.could_be_chance(rows, &children) {
            self.by_hand.push(at.node);
        }
        self.write(rows, at.node, at.depth, &candidate, self.gain(at.node, &candidate), children)
    }

    /// Grows what is below a node as the loop does: at once, or with others at the end.
    fn grow(&mut self, rows: &mut List<'_, C>, at: Open<ListNode<C::Stat>>) -> Result<Vec<Open<ListNode<C::Stat>>>> {
        if self.growth.limits.max_leaves.is_some() {
            self.later.push(at);
        } else {
            self.run(rows, Frontier::DepthFirst(vec![at]))?;
        }
        Ok(Vec::new())
    }

    fn run(&mut self, rows: &mut List<'_, C>, mut frontier: Frontier<ListNode<C::Stat>>) -> Result<()> {
        self.growth.run(rows, &mut self.tree, &mut frontier, &mut Vec::new(), |_, open| Some(open))?;
        self.before.resize(self.tree.len(), None);
        Ok(())
    }

    /// Grows what waits for it, and numbers the nodes.
    fn finish(mut self, rows: &mut List<'_, C>) -> Result<EditedTree> {
        if let Some(most) = self.growth.limits.max_leaves {
            let leaves = most.saturating_sub(count_leaves(&self.tree) as u32);
            let fresh = std::mem::take(&mut self.later);
            self.run(rows, Frontier::BestFirst { fresh, ranked: BinaryHeap::new(), leaves })?;
        }
        rows.finish(&mut self.tree);
        // As the loop numbers them.
        let order = if self.growth.limits.max_leaves.is_some() { Order::BestFirst } else { Order::DepthFirst };
        let (tree, from) = renumber(&self.tree, self.kinds, |_| false, order)?;
        let before = from.iter().map(|&node| self.before[node]).collect();
        let by_hand = (0..from.len()).filter(|&node| self.by_hand.contains(&from[node])).collect();
        Ok(EditedTree { tree, before, by_hand, visited: from })
    }

    /// The candidates of a node, and the position of the one that the algorithm takes.
    fn choose(
        &self,
        rows: &mut List<'_, C>,
        at: &mut Open<ListNode<C::Stat>>,
    ) -> Result<(Vec<Candidate>, std::result::Result<usize, LeafReason>)> {
        let Growth { chooser, limits, .. } = self.growth;
        let mut candidates = Vec::new();
        rows.candidates(&mut at.rows, &mut candidates)?;
        let chosen = match limits.reason_to_stop(rows, &self.tree, at.node, at.depth) {
            Some(reason) => Err(reason),
            None => choose_or_reason(chooser, &candidates, self.tree.cost[at.node] / self.tree.weight[at.node]),
        };
        Ok((candidates, chosen))
    }

    fn check_column(&self, rows: &List<'_, C>, node: &ListNode<C::Stat>, feature: u32) -> Result<()> {
        match rows.open(node).contains(&feature) {
            true => Ok(()),
            false => Err(Error::data("grow.column", "the node cannot ask about this column again, or not at all")),
        }
    }

    /// A question that the holder does not offer, as a candidate; it must divide the rows that know the answer.
    fn judge(
        &self,
        rows: &mut List<'_, C>,
        at: &Open<ListNode<C::Stat>>,
        feature: u32,
        rule: &SplitRule,
    ) -> Result<Candidate> {
        let judged = match rows.known(&at.rows, feature)? {
            Some([known, _]) => known,
            None => at.rows.clone(),
        };
        let mut value = filled(0.0, rows.outputs())?;
        let cost = rows.leaf(&judged, &mut value).cost;
        let asked = Candidate::new(feature, 0.0, rule.clone());
        let children = rows.divide(judged, &asked)?;
        rows.forget_division();
        let mut left = 0.0;
        let mut counts: Vec<u64> = Vec::with_capacity(children.len());
        for child in &children {
            let leaf = rows.leaf(child, &mut value);
            left += leaf.cost;
            counts.push(leaf.count);
        }
        if matches!(rule.question, Question::Threshold(f64::MIN..=f64::MAX)) {
            counts.truncate(2); // a child of missing values alone makes no cut
        }
        if counts.iter().filter(|&&count| count > 0).count() < 2 {
            return Err(one_branch());
        }
        let price = rows.cuts(&at.rows, feature)?.price;
        Ok(Candidate { gain: (cost - left) / self.tree.weight[at.node] - price, ..asked })
    }

    /// What a question saves in all, as the loop writes it.
    fn gain(&self, node: usize, chosen: &Candidate) -> f64 {
        chosen.gain.max(0.0) * self.tree.weight[node]
    }

    /// Writes the question of a node and its children into the tree.
    fn write(
        &mut self,
        rows: &List<'_, C>,
        node: usize,
        depth: u32,
        asked: &Candidate,
        gain: f64,
        children: Vec<ListNode<C::Stat>>,
    ) -> Result<Vec<Open<ListNode<C::Stat>>>> {
        let first = self.tree.len();
        write_split(rows, &mut self.tree, node, asked, gain, &children, &mut filled(0.0, rows.outputs())?)?;
        self.before.resize(self.tree.len(), None);
        let open = |(i, rows)| Open { node: first + i, depth: depth + 1, rows };
        Ok(children.into_iter().enumerate().map(open).collect())
    }
}

fn no_split(reason: LeafReason) -> Error {
    Error::data("grow.no-split", format!("the node cannot be split: {reason}"))
}

fn no_question(cut: Option<f64>) -> Error {
    match cut {
        Some(_) => one_branch(),
        None => Error::data("grow.no-question", "no threshold of this column is within the limits; name one"),
    }
}

fn one_branch() -> Error {
    Error::data("grow.one-branch", "all rows of the node would go to one branch")
}
