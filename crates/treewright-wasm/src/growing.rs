//! A tree that grows step by step.

use crate::documents::{Delta, NodeWork, TreeNode};
use crate::failure::{Failure, Result};
use crate::figures::{group_of_node, split_of_node};
use crate::recipes::{row_weights, tree_words};
use crate::spec::{Algorithm, Spec};
use crate::table::Rows;
use crate::work::node_work;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::rc::Rc;
use treewright_core::prelude::{Cancel, Details, Forest, Kind, Look, Recipe, Report, Tree, cut, grow_tree, study_tree};

/// The most thresholds of a column that are listed.
const MAX_CUTS: usize = 100;

/// What a page asks for.
#[derive(Clone, Debug, Deserialize)]
#[serde(tag = "action", rename_all = "snake_case")]
pub enum Action {
    /// Splits a node as the algorithm does.
    Split { node: u32 },
    /// Splits a node by a column.
    SplitOn { node: u32, feature: u32, threshold: Option<f64> },
    /// Makes a node a leaf.
    Leaf { node: u32 },
    /// Grows everything below a node, or the whole tree.
    Grow { node: Option<u32> },
    /// Prunes as the learner does.
    Prune,
    /// Takes the last action back.
    Undo,
}

/// What is shown of the whole tree: for each node whether it is split, and whether somebody made it a leaf.
#[derive(Clone, Default)]
struct Shown {
    split: Vec<bool>,
    leaf: Vec<bool>,
}

/// A tree while it grows.
pub struct Growing {
    /// The learner.
    pub spec: Spec,
    /// What it learns from.
    pub rows: Rc<Rows>,
    rev: u32,
    recipe: Recipe,
    kinds: Vec<Kind>,
    weights: Option<Vec<f64>>,
    whole: Tree,
    shown: Shown,
    history: Vec<Shown>,
}

impl Growing {
    /// A tree of one node.
    pub fn start(spec: &Spec, rows: &Rc<Rows>, cancel: &Cancel) -> Result<Growing> {
        let rows = if spec.algorithm == Algorithm::Id3 { Rc::new(rows.to_levels()) } else { rows.clone() };
        let params = spec.params();
        let mut words = tree_words(spec.algorithm, &params, &rows)?;
        if let Some(shares) = &mut words.fractions {
            shares.collapse = "none".into();
        }
        let recipe = words.read()?;
        let weights = row_weights(spec.algorithm, &params, &rows)?;
        let table = rows.table()?;
        let kinds = table.kinds();
        let whole = grow_tree(&recipe, &table, rows.target.target(), weights.as_deref(), cancel)?;
        drop(table);
        let shown = Shown { split: vec![false; whole.len()], leaf: vec![false; whole.len()] };
        Ok(Growing { spec: spec.clone(), rows, rev: 0, recipe, kinds, weights, whole, shown, history: Vec::new() })
    }

    /// The number of the last change.
    pub fn rev(&self) -> u32 {
        self.rev
    }

    /// The impurity, and what the choice goes by.
    pub fn criterion(&self) -> (&'static str, &'static str) {
        let params = self.spec.params();
        let word = |name: &str| params.0.get(name).and_then(|value| value.as_str()).unwrap_or_default().to_owned();
        let entropy = self.spec.algorithm != Algorithm::Cart || word("criterion") == "entropy";
        let by_ratio = self.spec.algorithm == Algorithm::C45 && word("criterion") != "gain";
        let criterion = if self.rows.target.classes().is_empty() {
            "variance"
        } else if entropy {
            "entropy"
        } else {
            "gini"
        };
        (criterion, if by_ratio { "gain_ratio" } else { "gain" })
    }

    fn check(&self, node: u32) -> Result<usize> {
        let there = self.nodes_shown().any(|(shown, _, _)| shown == node as usize);
        if there { Ok(node as usize) } else { Err(Failure::new("usage.node", format!("the tree has no node {node}"))) }
    }

    /// Changes the tree.
    pub fn step(&mut self, action: &Action, _cancel: &Cancel) -> Result<Delta> {
        let before = self.nodes();
        let next = self.after(action)?;
        match (action, next) {
            (Action::Undo, _) => self.shown = self.history.pop().unwrap_or_default(),
            (_, Some(next)) => self.history.push(std::mem::replace(&mut self.shown, next)),
            (_, None) => {}
        }
        self.rev += 1;
        Ok(self.delta(&before))
    }

    fn after(&self, action: &Action) -> Result<Option<Shown>> {
        let mut next = self.shown.clone();
        match action {
            Action::Undo if self.history.is_empty() => {
                return Err(Failure::new("usage.undo", "there is nothing to undo"));
            }
            Action::Undo => return Ok(None),
            Action::Split { node } => {
                let node = self.check(*node)?;
                if self.whole.n_children[node] == 0 {
                    return Err(Failure::new("grow.no-split", format!("the algorithm does not split node {node}")));
                }
                (next.split[node], next.leaf[node]) = (true, false);
            }
            Action::Leaf { node } => {
                let node = self.check(*node)?;
                (next.split[node], next.leaf[node]) = (false, true);
            }
            Action::Grow { node } => {
                let root = self.check(node.unwrap_or(0))?;
                let mut open = vec![root];
                while let Some(node) = open.pop() {
                    if self.whole.n_children[node] > 0 && (node == root || !next.leaf[node]) {
                        (next.split[node], next.leaf[node]) = (true, false);
                        open.extend(self.whole.children(node));
                    }
                }
            }
            Action::SplitOn { .. } | Action::Prune => {
                return Err(Failure::new("grow.later", "this build of the engine cannot do that yet"));
            }
        }
        Ok(Some(next))
    }

    /// The nodes that are shown, each with its parent and depth, in the order of the tree.
    fn nodes_shown(&self) -> impl Iterator<Item = (usize, Option<usize>, u32)> {
        let mut open = vec![(0, None, 0)];
        std::iter::from_fn(move || {
            let (node, parent, depth) = open.pop()?;
            if self.shown.split[node] {
                open.extend(self.whole.children(node).rev().map(|child| (child, Some(node), depth + 1)));
            }
            Some((node, parent, depth))
        })
    }

    /// All nodes.
    pub fn nodes(&self) -> Vec<TreeNode> {
        self.nodes_shown().map(|(node, parent, depth)| self.node(node, parent, depth)).collect()
    }

    fn node(&self, node: usize, parent: Option<usize>, depth: u32) -> TreeNode {
        let (tree, split) = (&self.whole, self.shown.split[node]);
        let can_split = tree.n_children[node] > 0;
        let (state, reason) = match (split, self.shown.leaf[node], can_split) {
            (true, _, _) => ("split", None),
            (_, true, _) => ("leaf", Some("by_hand")),
            (_, _, true) => ("open", None),
            _ => ("leaf", Some(self.reason(node, depth))),
        };
        TreeNode {
            id: node as u32,
            parent: parent.map_or(-1, |parent| parent as i64),
            children: if split { tree.children(node).map(|child| child as u32).collect() } else { Vec::new() },
            depth,
            split: if split { split_of_node(tree, node, &self.kinds) } else { None },
            gain: if split { tree.gain[node] / tree.weight[node] } else { 0.0 },
            state,
            by_hand: false,
            reason,
            group: group_of_node(tree, node, !self.rows.target.classes().is_empty()),
        }
    }

    fn reason(&self, node: usize, depth: u32) -> &'static str {
        let (tree, limits) = (&self.whole, &self.recipe.limits);
        if tree.count[node] == 0 {
            "no_rows"
        } else if tree.cost[node] <= 0.0 {
            "pure"
        } else if tree.count[node] < u64::from(limits.min_samples_split) {
            "min_rows"
        } else if depth >= limits.max_depth {
            "max_depth"
        } else {
            "no_split"
        }
    }

    fn delta(&self, before: &[TreeNode]) -> Delta {
        let mut old: BTreeMap<u32, &TreeNode> = before.iter().map(|node| (node.id, node)).collect();
        let changed = self.nodes().into_iter().filter(|node| old.remove(&node.id) != Some(node)).collect();
        Delta { rev: self.rev, changed, removed: old.into_keys().collect() }
    }

    fn report(&self, node: usize, details: Details, cancel: &Cancel) -> Result<Report> {
        let forest = Forest::grown(self.kinds.clone(), vec![self.whole.clone()])?;
        let look = Look { forest: &forest, node: Some(node), details, cancel };
        let table = self.rows.table()?;
        let mut reports = study_tree(&self.recipe, &table, self.rows.target.target(), self.weights.as_deref(), &look)?;
        reports.pop().ok_or_else(|| Failure::new("usage.node", "there is no such node"))
    }

    /// The calculation behind the choice in a node.
    pub fn work(&self, id: u32, cancel: &Cancel) -> Result<NodeWork> {
        let node = self.check(id)?;
        let report = self.report(node, Details { cuts: MAX_CUTS, rows: 0 }, cancel)?;
        let taken = self.shown.split[node].then(|| self.whole.feature[node]);
        let mut work = node_work(id, &report, &self.recipe, taken, !self.rows.target.classes().is_empty());
        let shown = self.nodes_shown().find(|(shown, _, _)| *shown == node);
        work.reason = shown.and_then(|(node, parent, depth)| self.node(node, parent, depth).reason);
        if work.reason.is_some() {
            work.chosen = None;
        }
        Ok(work)
    }

    /// The rows of a node with the share of each that is there.
    pub fn rows_of(&self, id: u32, cancel: &Cancel) -> Result<Vec<(u32, f64)>> {
        let node = self.check(id)?;
        let report = self.report(node, Details { cuts: 0, rows: usize::MAX }, cancel)?;
        let weight = |row: u32| self.weights.as_ref().map_or(1.0, |weights| weights[row as usize]);
        let mut rows: Vec<(u32, f64)> = report.rows.iter().map(|&(row, part)| (row, part / weight(row))).collect();
        rows.sort_unstable_by_key(|&(row, _)| row);
        Ok(rows)
    }

    /// The tree as it is, with the number of each of its nodes for pages.
    pub fn model(&self) -> Result<(Forest, Vec<u32>)> {
        let is_leaf: Vec<bool> = self.shown.split.iter().map(|split| !split).collect();
        let tree = cut(&self.whole, &self.kinds, &is_leaf)?;
        let ids = self.numbers();
        Ok((Forest::grown(self.kinds.clone(), vec![tree])?, ids))
    }

    /// The nodes in the order of a tree that is cut: children of a node stand together.
    fn numbers(&self) -> Vec<u32> {
        let mut numbers = vec![0];
        let mut open = vec![0];
        while let Some(node) = open.pop() {
            if self.shown.split[node] {
                numbers.extend(self.whole.children(node).map(|child| child as u32));
                open.extend(self.whole.children(node).rev());
            }
        }
        numbers
    }
}
