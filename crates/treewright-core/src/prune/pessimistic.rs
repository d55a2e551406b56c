//! Error-based pruning: a subtree is replaced by a leaf, or by its largest branch, where that is not expected to make
//! more errors on new rows.
//!
//! Children first. At each branch the expected errors of the subtree are compared with those of a leaf in its place, and
//! with those of its largest branch in its place, which would then get all the rows of the node. A branch that is raised meets other rows than it
//! was grown with, so it is counted and pruned anew; that needs the rows, the rest only the node table.

mod expected;
mod on_threads;
mod questions;

use self::questions::{Asked, Questions};
use super::estimate::Estimate;
use super::leaf_errors;
use super::sample::{ROWS_OF_A_THREAD, Sample};
use crate::Result;
use crate::model::tree::{Kind, Leaf, Tree, first_largest};
use crate::rows::list::distribute::Distributed;
use crate::split::shared::EmptyLeaf;
use crate::stats::criterion::Criterion;
use crate::stats::entry::Entry;
use crate::sys::memory::{collected, filled, room};
use crate::sys::pool::{self, Cancel};

/// How much worse a simpler tree may be expected to be.
const GRACE: f64 = 0.1;

/// The rules in which relatives of this pruning differ.
#[derive(Clone, Copy, Debug)]
pub struct Rules {
    /// How errors are estimated.
    pub estimate: Estimate,
    /// Whether a node keeps its class unless another one is strictly more frequent.
    pub keep_class: bool,
    /// Estimates that differ by no more than this are equal.
    pub tolerance: f64,
    /// What a node that no row reached says.
    pub empty: EmptyLeaf,
}

/// What became of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It stays.
    Keep,
    /// It became a leaf.
    Leaf,
    /// Its largest branch took its place.
    Raise,
}

/// The figures behind a verdict.
#[derive(Clone, Copy, Debug)]
pub struct Trial {
    /// The node, numbered as in the unpruned tree.
    pub node: usize,
    /// Expected errors of the subtree.
    pub tree: f64,
    /// Expected errors of a leaf in its place.
    pub leaf: f64,
    /// Expected errors of its largest branch in its place; none where raising is off.
    pub branch: Option<f64>,
    /// What was decided.
    pub verdict: Verdict,
}

/// A tree in the making: nodes may take over the question of another.
struct Pruner<'a, C> {
    tree: &'a Tree,
    kinds: &'a [Kind],
    rows: &'a Sample<'a, C>,
    questions: &'a Questions<'a>,
    rules: Rules,
    /// What each node asks.
    asks: Vec<Asked>,
    nodes: Vec<NodeState>,
    /// The class weights of each node's rows.
    stats: Vec<u64>,
    /// Scratch of the same form, all 0 between two uses.
    leaf_stats: Vec<u64>,
    cancel: &'a Cancel,
    trace: Vec<Trial>,
}

/// What is known of a node besides its question and its class weights.
#[derive(Clone, Copy)]
struct NodeState {
    class: usize,
    /// How many rows it has.
    count: u64,
    /// The errors to expect.
    estimate: f64,
    /// Those of the rows that stay at a branch.
    stopped: f64,
    /// Whether its rows were counted.
    counted: bool,
    /// Whether it has met other rows than it was grown with.
    moved: bool,
    /// Whether no row is divided or stopped at a branch or below it.
    undivided: bool,
}

enum Step {
    /// Count the rows of a node, then its children's, then judge it.
    Count(usize, Vec<Entry>),
    Judge(usize, BranchRows),
}

/// The rows of a branch.
struct BranchRows {
    entries: Vec<Entry>,
    /// The last of the largest branches, by rows that can answer.
    largest: usize,
    /// The rows of the other branches; none where rows are divided or stopped.
    others: Option<Vec<Entry>>,
}

/// What a comparison comes to; `raised` is what the largest branch in the node's place is expected to make.
fn verdict(leaf: f64, subtree: f64, raised: Option<f64>, tolerance: f64) -> Verdict {
    let grace = GRACE + tolerance;
    if leaf <= subtree + grace && raised.is_none_or(|raised| leaf <= raised + grace) {
        Verdict::Leaf
    } else if raised.is_some_and(|raised| raised <= subtree + grace) {
        Verdict::Raise
    } else {
        Verdict::Keep
    }
}

/// The entries of all children but one.
fn without(children: &[Vec<Entry>], one: usize) -> Result<Vec<Entry>> {
    let others = || children.iter().enumerate().filter(|(child, _)| *child != one).map(|(_, entries)| entries);
    let mut entries = room(others().map(Vec::len).sum())?;
    others().for_each(|more| entries.extend_from_slice(more));
    Ok(entries)
}

/// Which nodes become leaves, from the node table alone: no branch takes its parent's place.
pub fn replace(tree: &Tree, estimate: Estimate, tolerance: f64) -> (Vec<bool>, Vec<Trial>) {
    let errors = leaf_errors(tree);
    let mut expected = vec![0.0; tree.len()];
    let mut is_leaf = vec![false; tree.len()];
    let mut trace = Vec::new();
    for node in (0..tree.len()).rev() {
        let leaf = estimate.total(tree.weight[node], errors[node]);
        expected[node] = leaf;
        if !tree.is_leaf(node) {
            let subtree: f64 = expected[tree.children(node)].iter().sum();
            let verdict = verdict(leaf, subtree, None, tolerance);
            is_leaf[node] = verdict == Verdict::Leaf;
            if verdict == Verdict::Keep {
                expected[node] = subtree;
            }
            trace.push(Trial { node, tree: subtree, leaf, branch: None, verdict });
        }
    }
    (is_leaf, trace)
}

/// Prunes a tree with the rows it was grown from; branches may take their parents' places.
pub fn raise<C: Criterion<Stat = u64>>(
    tree: &Tree,
    kinds: &[Kind],
    rows: &Sample<'_, C>,
    rules: Rules,
    cancel: &Cancel,
) -> Result<(Tree, Vec<Trial>)> {
    let start = |node: usize| NodeState {
        class: first_largest(tree.value_of(node)),
        count: 0,
        estimate: 0.0,
        stopped: 0.0,
        counted: false,
        moved: false,
        undivided: true,
    };
    let asks = collected((0..tree.len()).map(|node| Asked::by(tree, node)))?;
    let questions = Questions::new(tree, &asks, rows.table.columns(), rows.table.rows(), cancel)?;
    let mut pruner = Pruner {
        tree,
        kinds,
        rows,
        questions: &questions,
        rules,
        asks,
        nodes: collected((0..tree.len()).map(start))?,
        stats: filled(0, tree.len() * rows.criterion.width())?,
        leaf_stats: Vec::new(),
        cancel,
        trace: Vec::new(),
    };
    let entries = rows.all()?;
    // Processes talk to each other node by node, in one order.
    match pool::bounded(entries.len() / ROWS_OF_A_THREAD + 1) {
        threads if threads > 1 && rows.peers.size() == 1 => pruner.prune_on_threads(entries, threads)?,
        _ => pruner.prune_below(0, entries)?,
    }
    Ok((pruner.finish()?, pruner.trace))
}

impl<C: Criterion<Stat = u64>> Pruner<'_, C> {
    /// Prunes a node and what is below it.
    fn prune_below(&mut self, node: usize, entries: Vec<Entry>) -> Result<()> {
        let mut steps = vec![Step::Count(node, entries)];
        while let Some(step) = steps.pop() {
            self.cancel.check()?;
            match step {
                Step::Count(node, entries) => self.count(node, entries, &mut steps)?,
                Step::Judge(node, rows) => self.judge(node, rows, &mut steps)?,
            }
        }
        Ok(())
    }

    /// The class weights of a node's rows.
    fn stats_of(&self, node: usize) -> &[u64] {
        let width = self.rows.criterion.width();
        &self.stats[node * width..][..width]
    }

    fn set_stats(&mut self, node: usize, stats: &[u64]) {
        self.stats[node * stats.len()..][..stats.len()].copy_from_slice(stats);
    }

    /// The class of a set of rows, given the one the node had.
    fn class_of(&self, stats: &[u64], old: usize) -> usize {
        let start = if self.rules.keep_class { old } else { 0 };
        (0..stats.len()).fold(start, |best, next| if stats[next] > stats[best] { next } else { best })
    }

    /// Weight and errors of a leaf for these rows.
    fn leaf(&self, stats: &[u64], class: usize) -> f64 {
        let weight = self.rows.criterion.weight(stats);
        self.rules.estimate.total(weight, weight - stats[class] as f64 * self.rows.weights.unit)
    }

    fn count(&mut self, node: usize, entries: Vec<Entry>, steps: &mut Vec<Step>) -> Result<()> {
        let (stats, count) = self.rows.sums(&entries)?;
        self.nodes[node].class = self.class_of(&stats, self.nodes[node].class);
        self.nodes[node].estimate = self.leaf(&stats, self.nodes[node].class);
        self.nodes[node].count = count;
        self.nodes[node].moved |= std::mem::replace(&mut self.nodes[node].counted, true);
        self.set_stats(node, &stats);
        let Some(from) = self.asks[node].branch() else { return Ok(()) };
        let sent = self.distribute(from, &entries)?;
        self.nodes[node].stopped = self.stopped_errors(&sent.stopped)?;
        let known = &sent.known;
        let largest = (0..known.len()).fold(0, |best, next| if known[next] >= known[best] { next } else { best });
        let are_whole = known.iter().sum::<u64>() == stats.iter().sum::<u64>();
        let others = if are_whole { Some(without(&sent.children, largest)?) } else { None };
        steps.push(Step::Judge(node, BranchRows { entries, largest, others }));
        let has_rows = self.rows.has_rows(&sent.children)?;
        for ((child, entries), has_rows) in self.tree.children(from).zip(sent.children).zip(has_rows) {
            match has_rows {
                true => steps.push(Step::Count(child, entries)),
                false => self.forget(child),
            }
        }
        Ok(())
    }

    /// Sends entries to the children of a branch.
    fn distribute(&self, branch: usize, entries: &[Entry]) -> Result<Distributed> {
        let child_of = |row: u32| self.questions.child_of(branch, row as usize);
        self.rows.distribute(self.tree.n_children[branch], entries, child_of, self.cancel)
    }

    /// Whether every row of a node comes to a leaf whole.
    fn is_undivided(&self, node: usize) -> bool {
        self.asks[node].branch().is_none() || self.nodes[node].undivided
    }

    /// Nothing reaches a subtree any more: it counts nothing, and keeps its shape.
    fn forget(&mut self, node: usize) {
        let mut open = vec![node];
        while let Some(node) = open.pop() {
            self.nodes[node].moved = true;
            (self.nodes[node].counted, self.nodes[node].count) = (true, 0);
            let width = self.rows.criterion.width();
            self.stats[node * width..][..width].fill(0);
            self.nodes[node].estimate = 0.0;
            if let Some(from) = self.asks[node].branch() {
                open.extend(self.tree.children(from));
            }
        }
    }

    fn judge(&mut self, node: usize, rows: BranchRows, steps: &mut Vec<Step>) -> Result<()> {
        let Some(from) = self.asks[node].branch() else { return Ok(()) };
        let children = self.tree.children(from);
        let subtree: f64 =
            children.clone().map(|child| self.nodes[child].estimate).sum::<f64>() + self.nodes[node].stopped;
        let leaf = self.leaf(self.stats_of(node), self.nodes[node].class);
        self.nodes[node].undivided = rows.others.is_some() && children.clone().all(|child| self.is_undivided(child));
        let heir = children.start + rows.largest;
        let raised = self.expected_in_place(heir, &rows)?;
        let verdict = verdict(leaf, subtree, Some(raised), self.rules.tolerance);
        self.trace.push(Trial { node, tree: subtree, leaf, branch: Some(raised), verdict });
        match verdict {
            Verdict::Keep => self.nodes[node].estimate = subtree,
            Verdict::Leaf => (self.asks[node], self.nodes[node].estimate) = (Asked::NOTHING, leaf),
            Verdict::Raise => {
                self.asks[node] = self.asks[heir];
                self.nodes[node].class = self.nodes[heir].class;
                steps.push(Step::Count(node, rows.entries));
            }
        }
        Ok(())
    }

    /// The errors to expect of rows that stay at a branch, as if they were a leaf of their own.
    fn stopped_errors(&self, entries: &[Entry]) -> Result<f64> {
        let (stats, _) = self.rows.sums(entries)?;
        Ok(self.leaf(&stats, self.class_of(&stats, 0)))
    }

    /// The pruned tree as a table.
    fn finish(&self) -> Result<Tree> {
        let mut out = Tree::new(self.tree.outputs);
        out.reserve(1, 0)?;
        let mut value = vec![0.0; self.tree.outputs];
        self.push(&mut out, 0, &mut value);
        let mut open = vec![(0usize, 0usize)];
        let mut moves = Vec::new();
        while let Some((node, to)) = open.pop() {
            let Some(from) = self.asks[node].branch() else { continue };
            out.reserve(self.tree.children(from).len(), self.tree.levels(from, self.kinds))?;
            out.ask(to, self.tree.feature[from], &self.tree.way(from, self.kinds), self.gain(node, from));
            moves.push((from, to));
            let first = open.len();
            for child in self.tree.children(from) {
                value.copy_from_slice(out.value_of(to));
                open.push((child, self.push(&mut out, child, &mut value)));
            }
            open[first..].reverse();
        }
        out.spares = self.tree.spares.as_ref().and_then(|spares| spares.moved(out.len(), &moves));
        Ok(out)
    }

    /// What a node's question saves: what was found when it was grown, unless it has met other rows since.
    fn gain(&self, node: usize, from: usize) -> f64 {
        if node == from && !self.nodes[node].moved {
            return self.tree.gain[node];
        }
        let criterion = self.rows.criterion;
        let below: f64 = self.tree.children(from).map(|child| criterion.cost(self.stats_of(child))).sum();
        (criterion.cost(self.stats_of(node)) - below).max(0.0)
    }

    /// Adds a leaf; `value` holds what its parent says.
    fn push(&self, out: &mut Tree, node: usize, value: &mut [f64]) -> usize {
        let (criterion, stats) = (self.rows.criterion, self.stats_of(node));
        if self.nodes[node].count > 0 {
            criterion.value(stats, value);
        } else if self.rules.empty == EmptyLeaf::Majority {
            value.iter_mut().enumerate().for_each(|(class, share)| *share = f64::from(class == self.nodes[node].class));
        }
        out.push(Leaf {
            value,
            weight: criterion.weight(stats),
            count: self.nodes[node].count,
            cost: criterion.cost(stats),
        })
    }
}
