//! A tree that grows step by step. Its nodes keep their numbers for the page, whatever the core calls them.

use crate::curve::{Curve, curve};
use crate::documents::{CandidateDocument, Delta, NodeWork, TreeNode};
use crate::failure::{Failure, Result};
use crate::figures::{group_of_node, split_of_node};
use crate::other_algorithms::choices;
use crate::spec::{Algorithm, Spec};
use crate::table::Rows;
use crate::training::{GrownFrom, Training};
use crate::work::NodeReport;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::rc::Rc;
use treewright_core::prelude::{
    Action as CoreAction, ByHand, Cancel, Forest, Kind, NodeState, NodeStudy, Recipe, Stage, StudyRequest, Table, Tree,
    study_tree,
};

/// The most thresholds of a column that are listed.
const MAX_CUTS: usize = 100;

/// What a page asks for.
#[derive(Clone, Debug, Deserialize)]
#[serde(tag = "action", rename_all = "snake_case")]
pub enum Action {
    /// Splits a node as the algorithm does.
    Split { node: u32 },
    /// Splits a node by a column: at a threshold, or else by the column's best split.
    SplitOn { node: u32, feature: u32, threshold: Option<f64> },
    /// Makes a node a leaf.
    Leaf { node: u32 },
    /// Grows all open nodes, or those below a node.
    Grow { node: Option<u32> },
    /// Prunes as the learner does.
    Prune,
    /// Takes the last action back.
    Undo,
}

/// What a node is.
#[derive(Clone, Copy, Debug, PartialEq)]
enum State {
    Open,
    Split { by_hand: bool },
    Leaf(&'static str),
}

/// A tree at one time.
#[derive(Clone)]
struct Moment {
    tree: Rc<Tree>,
    /// The number of each node for the page.
    ids: Rc<Vec<u32>>,
    states: Rc<Vec<State>>,
}

/// A tree while it grows.
pub struct Growing {
    /// The learner.
    pub spec: Spec,
    /// What it learns from.
    pub training: Training,
    rows: Rc<Rows>,
    weights: Option<Vec<f64>>,
    /// Which rows of the table these are, where some are held out.
    kept: Option<Vec<u32>>,
    recipe: Recipe,
    kinds: Vec<Kind>,
    rev: u32,
    next_id: u32,
    now: Moment,
    history: Vec<Moment>,
}

impl Growing {
    /// A tree of one node.
    pub fn start(spec: &Spec, rows: &Rc<Rows>, cancel: &Cancel) -> Result<Growing> {
        let training = Training::new(spec, rows)?;
        let GrownFrom { rows, weights, kept } = training.grown_from()?;
        let recipe = training.recipe(&rows, true)?;
        let table = rows.table()?;
        let kinds = table.kinds();
        let (target, by_weights) = (rows.target.target(), weights.as_deref());
        let hand = ByHand { recipe: &recipe, table: &table, target, weights: by_weights, cancel };
        let stage = hand.start()?;
        drop(table);
        let states = stage.states.iter().map(|state| state_of(*state, None, false)).collect();
        let now = Moment { tree: Rc::new(stage.tree), ids: Rc::new(vec![0]), states: Rc::new(states) };
        let spec = spec.clone();
        let history = Vec::new();
        Ok(Growing { spec, training, rows, weights, kept, recipe, kinds, rev: 0, next_id: 1, now, history })
    }

    /// The number of the last change.
    pub fn rev(&self) -> u32 {
        self.rev
    }

    /// The features, in the form in which the tree asks about them.
    pub fn rows(&self) -> &Rows {
        &self.rows
    }

    /// The impurity, and what the choice goes by.
    pub fn criterion(&self) -> (&'static str, &'static str) {
        let word = |name: &str| self.spec.params.get(name).and_then(|value| value.as_str()).unwrap_or_default();
        let entropy = self.spec.algorithm != Algorithm::Cart || word("criterion") == "entropy";
        let by_ratio = self.spec.algorithm == Algorithm::C45 && word("criterion") != "gain";
        let criterion = match (self.has_classes(), entropy) {
            (false, _) => "variance",
            (true, true) => "entropy",
            (true, false) => "gini",
        };
        (criterion, if by_ratio { "gain_ratio" } else { "gain" })
    }

    fn has_classes(&self) -> bool {
        !self.rows.target.classes().is_empty()
    }

    /// The position of a node in the tree.
    fn place(&self, id: u32) -> Result<usize> {
        let place = self.now.ids.iter().position(|&other| other == id);
        place.ok_or_else(|| Failure::new("usage.node", format!("the tree has no node {id}")))
    }

    fn by_hand<T>(&self, cancel: &Cancel, run: impl FnOnce(&ByHand<'_>) -> Result<T>) -> Result<T> {
        let table: Table<'_> = self.rows.table()?;
        let (target, weights) = (self.rows.target.target(), self.weights.as_deref());
        run(&ByHand { recipe: &self.recipe, table: &table, target, weights, cancel })
    }

    /// Changes the tree.
    pub fn step(&mut self, action: &Action, cancel: &Cancel) -> Result<Delta> {
        let before = self.nodes();
        match action {
            Action::Undo => {
                let nothing = || Failure::new("usage.undo", "there is nothing to undo");
                self.now = self.history.pop().ok_or_else(nothing)?;
            }
            _ => {
                let next = self.after(action, cancel)?;
                self.history.push(std::mem::replace(&mut self.now, next));
            }
        }
        self.rev += 1;
        Ok(self.delta(&before))
    }

    fn after(&mut self, action: &Action, cancel: &Cancel) -> Result<Moment> {
        let one = |node: usize, action: CoreAction| vec![(node, action)];
        let (actions, is_leaf) = match action {
            Action::Split { node } => (one(self.place(*node)?, CoreAction::Split), None),
            Action::SplitOn { node, feature, threshold } => {
                let action = CoreAction::SplitOn { feature: *feature, cut: *threshold };
                (one(self.place(*node)?, action), None)
            }
            Action::Leaf { node } => {
                let place = self.place(*node)?;
                (one(place, CoreAction::MakeLeaf), Some(place))
            }
            Action::Grow { node } => (self.open_below(node.unwrap_or(0))?, None),
            Action::Prune => return self.pruned(cancel),
            Action::Undo => return Ok(self.now.clone()),
        };
        let stage = self.by_hand(cancel, |hand| Ok(hand.act(&self.now.tree, &actions)?))?;
        Ok(self.moment(stage, is_leaf))
    }

    /// All open nodes below a node, to be grown; the node itself where it is a leaf.
    fn open_below(&self, id: u32) -> Result<Vec<(usize, CoreAction)>> {
        let (tree, mut below) = (&self.now.tree, vec![self.place(id)?]);
        if tree.n_children[below[0]] == 0 {
            return Ok(vec![(below[0], CoreAction::Grow)]);
        }
        let mut open = Vec::new();
        while let Some(node) = below.pop() {
            below.extend(tree.children(node).take(tree.n_children[node] as usize));
            if self.now.states[node] == State::Open {
                open.push((node, CoreAction::Grow));
            }
        }
        Ok(open)
    }

    /// The tree after an action; `leaf` is the node that was made a leaf.
    fn moment(&mut self, stage: Stage, leaf: Option<usize>) -> Moment {
        let mut ids = Vec::with_capacity(stage.before.len());
        let mut states = Vec::with_capacity(stage.before.len());
        for (node, before) in stage.before.iter().enumerate() {
            let id = before.map(|before| self.now.ids[before]);
            ids.push(id.unwrap_or_else(|| self.new_id()));
            let old = before.map(|before| self.now.states[before]);
            let state = if before.is_some() && *before == leaf {
                State::Leaf("by_hand")
            } else {
                state_of(stage.states[node], old, stage.by_hand.contains(&node))
            };
            states.push(state);
        }
        Moment { tree: Rc::new(stage.tree), ids: Rc::new(ids), states: Rc::new(states) }
    }

    fn new_id(&mut self) -> u32 {
        self.next_id += 1;
        self.next_id - 1
    }

    fn pruned(&mut self, cancel: &Cancel) -> Result<Moment> {
        if self.training.plan.is_none() {
            let message = "this learner does not prune with these parameters";
            return Err(Failure::new("grow.no-pruning", message).with_hint("set prune, such as pessimistic"));
        }
        let tree = self.by_hand(cancel, |hand| Ok(hand.finish(&self.now.tree, true)?))?;
        let tree = self.training.prune(tree, cancel)?;
        let before = same_nodes(&self.now.tree, &tree);
        let state = |node: usize, before: Option<usize>| match before.map(|before| self.now.states[before]) {
            _ if tree.n_children[node] > 0 => match before.map(|before| self.now.states[before]) {
                Some(state @ State::Split { .. }) => state,
                _ => State::Split { by_hand: false },
            },
            Some(state @ State::Leaf(_)) => state,
            _ => State::Leaf("pruned"),
        };
        let states = before.iter().enumerate().map(|(node, before)| state(node, *before)).collect();
        let old = self.now.ids.clone();
        let ids = before.iter().map(|before| before.map_or_else(|| self.new_id(), |node| old[node])).collect();
        Ok(Moment { tree: Rc::new(tree), ids: Rc::new(ids), states: Rc::new(states) })
    }

    /// All nodes.
    pub fn nodes(&self) -> Vec<TreeNode> {
        let Moment { tree, ids, states } = &self.now;
        let (mut parents, mut depths) = (vec![-1; tree.len()], vec![0; tree.len()]);
        for node in (0..tree.len()).filter(|&node| tree.n_children[node] > 0) {
            for child in tree.children(node) {
                (parents[child], depths[child]) = (i64::from(ids[node]), depths[node] + 1);
            }
        }
        let one = |node: usize| {
            let is_split = tree.n_children[node] > 0;
            let (state, by_hand, reason) = match states[node] {
                State::Open => ("open", false, None),
                State::Split { by_hand } => ("split", by_hand, None),
                State::Leaf(reason) => ("leaf", reason == "by_hand", Some(reason)),
            };
            TreeNode {
                id: ids[node],
                parent: parents[node],
                children: if is_split { tree.children(node).map(|child| ids[child]).collect() } else { Vec::new() },
                depth: depths[node],
                split: split_of_node(tree, node, &self.kinds),
                gain: if tree.weight[node] > 0.0 { tree.gain[node] / tree.weight[node] } else { 0.0 },
                state,
                by_hand,
                reason,
                group: group_of_node(tree, node, self.has_classes()),
            }
        };
        (0..tree.len()).map(one).collect()
    }

    fn delta(&self, before: &[TreeNode]) -> Delta {
        let mut old: BTreeMap<u32, &TreeNode> = before.iter().map(|node| (node.id, node)).collect();
        let changed = self.nodes().into_iter().filter(|node| old.remove(&node.id) != Some(node)).collect();
        Delta { rev: self.rev, changed, removed: old.into_keys().collect() }
    }

    fn report(&self, node: usize, cancel: &Cancel) -> Result<NodeStudy> {
        let forest = Forest::grown(self.kinds.clone(), vec![self.now.tree.copied()?])?;
        let request =
            StudyRequest { forest: &forest, nodes: Some(&[node]), cuts: MAX_CUTS, rows: 0, as_asked: true, cancel };
        let table = self.rows.table()?;
        let (target, weights) = (self.rows.target.target(), self.weights.as_deref());
        let mut reports = study_tree(&self.recipe, &table, target, weights, &request)?;
        reports.pop().ok_or_else(|| Failure::new("usage.node", "there is no such node"))
    }

    /// The calculation behind the choice in a node.
    pub fn work(&self, id: u32, cancel: &Cancel) -> Result<NodeWork> {
        let node = self.place(id)?;
        let report = self.report(node, cancel)?;
        let tree = &self.now.tree;
        let (criterion, chooses_by) = self.criterion();
        let about = NodeReport {
            node: id,
            report: &report,
            recipe: &self.recipe,
            algorithm: match self.spec.algorithm {
                Algorithm::Id3 => "id3",
                Algorithm::C45 => "c45",
                _ => "cart",
            },
            taken: (tree.n_children[node] > 0).then(|| tree.feature[node]),
            classes: self.has_classes(),
            entropy: criterion == "entropy",
            shares: self.spec.algorithm == Algorithm::C45,
            by_ratio: chooses_by == "gain_ratio",
        };
        let mut work = about.work();
        if report.node.cost > 0.0 {
            self.add_other_choices(&mut work, node, cancel)?;
        }
        if let State::Leaf(reason) = self.now.states[node] {
            (work.chosen, work.reason) = (None, Some(reason));
        }
        Ok(work)
    }

    fn add_other_choices(&self, work: &mut NodeWork, node: usize, cancel: &Cancel) -> Result<()> {
        let shares = self.by_hand(cancel, |hand| Ok(hand.rows_of(&self.now.tree, node)?))?;
        let weight = |row: u32| self.weights.as_ref().map_or(1.0, |weights| weights[row as usize]);
        let (rows, weights): (Vec<u32>, Vec<f64>) =
            shares.iter().map(|&(row, share)| (row, share * weight(row))).unzip();
        let total = self.now.tree.weight[0];
        let choices_of_others = choices(&self.rows.take(&rows), &weights, total, self.spec.algorithm, cancel)?;
        for other in choices_of_others {
            let is_its = |candidate: &CandidateDocument| Some(candidate.split.feature) == other.feature;
            if let Some(place) = work.candidates.iter().position(is_its) {
                work.would_choose.insert(other.name, place);
            }
        }
        Ok(())
    }

    /// The rows of a node with the share of each that is there.
    pub fn rows_of(&self, id: u32, cancel: &Cancel) -> Result<Vec<(u32, f64)>> {
        let node = self.place(id)?;
        let mut rows = self.by_hand(cancel, |hand| Ok(hand.rows_of(&self.now.tree, node)?))?;
        if let Some(kept) = &self.kept {
            rows.iter_mut().for_each(|(row, _)| *row = kept[*row as usize]);
        }
        rows.sort_unstable_by_key(|&(row, _)| row);
        Ok(rows)
    }

    /// The tree as it is, finished without pruning, with the number of each of its nodes for pages.
    pub fn model(&self, cancel: &Cancel) -> Result<(Forest, Vec<u32>)> {
        let tree = self.by_hand(cancel, |hand| Ok(hand.finish(&self.now.tree, false)?))?;
        let ids =
            same_nodes(&self.now.tree, &tree).iter().map(|node| node.map_or(0, |node| self.now.ids[node])).collect();
        Ok((Forest::grown(self.kinds.clone(), vec![tree])?, ids))
    }

    /// The errors of all prunings.
    pub fn curve(&self, folds: usize, tell: &mut dyn FnMut(usize, usize), cancel: &Cancel) -> Result<Curve> {
        let mut curve_of_errors = curve(&self.training, &self.now.tree, folds, tell, cancel)?;
        curve_of_errors.number_nodes(&self.now.ids);
        Ok(curve_of_errors)
    }
}

fn state_of(state: NodeState, old: Option<State>, by_hand: bool) -> State {
    match (state, old) {
        (NodeState::Branch, Some(old @ State::Split { .. })) if !by_hand => old,
        (NodeState::Branch, _) => State::Split { by_hand },
        (NodeState::Open, _) | (NodeState::AsBefore, None) => State::Open,
        (NodeState::Leaf(reason), _) => State::Leaf(reason.word()),
        (NodeState::AsBefore, Some(old)) => old,
    }
}

/// For each node of a tree that came from another one by pruning or renumbering the node that it was; None for nodes
/// below a branch that was moved.
fn same_nodes(before: &Tree, after: &Tree) -> Vec<Option<usize>> {
    let mut nodes = vec![None; after.len()];
    nodes[0] = Some(0);
    // A parent comes before its children, so its node is known.
    for node in 0..after.len() {
        let Some(was) = nodes[node].filter(|_| after.n_children[node] > 0) else { continue };
        if (after.n_children[node], after.feature[node]) == (before.n_children[was], before.feature[was]) {
            for (child, old) in after.children(node).zip(before.children(was)) {
                nodes[child] = (after.count[child] == before.count[old]).then_some(old);
            }
        }
    }
    nodes
}
