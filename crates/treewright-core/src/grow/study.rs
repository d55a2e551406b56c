//! What a node of a grown tree had to choose from: the candidates of every column, with the children that each would
//! have made.
//!
//! Nothing is worked out a second time here. The rows are divided by the questions of the tree down to the node, and
//! the holder that grew the tree is asked for its candidates there, as the growing loop asks it.
//!
//! Glossary: the *figures* of a set of rows are what its leaf would be; a *cut* is one way to divide a numeric column.

use crate::data::table::Kind;
use crate::model::forest::Forest;
use crate::model::tree::{SplitRule, Tree};
use crate::rows::list::{List, ListNode};
use crate::rows::{Figures, Rows};
use crate::split::choose::{Candidate, Chooser};
use crate::split::cuts::Cuts;
use crate::split::shared::split_info;
use crate::stats::criterion::Criterion;
use crate::sys::memory::filled;
use crate::sys::pool::Cancel;
use crate::tolerance::SAME_FIGURES;
use crate::{Error, Result};

/// One column of a node.
#[derive(Clone, Debug, PartialEq)]
pub struct ColumnStudy {
    /// The column.
    pub feature: u32,
    /// Its best split; None where it has none that is admissible.
    pub candidate: Option<Candidate>,
    /// What the node itself asks of it, where that is not its best split: a question that was chosen by hand, or moved by
    /// pruning. `way` and `children` are its own then.
    pub asked: Option<Candidate>,
    /// The rows that the split is judged by.
    pub known: Figures,
    /// The rows that it is not, where there are any.
    pub unknown: Option<Figures>,
    /// What it makes of the rows that it is judged by; without an admissible split, a branch for each level.
    pub children: Vec<Figures>,
    /// The question that makes these children.
    pub way: Option<SplitRule>,
    /// The cuts of a numeric column.
    pub cuts: Cuts,
    /// What each of them makes of the rows that have a number.
    pub sides: Vec<[Figures; 2]>,
}

/// A node with all its columns.
#[derive(Clone, Debug, PartialEq)]
pub struct NodeStudy {
    /// The node itself.
    pub node: Figures,
    /// The columns that it may ask about, in their order.
    pub columns: Vec<ColumnStudy>,
    /// The column that the chooser takes; None where the node should stay a leaf.
    pub chosen: Option<u32>,
    /// Whether the rows are those of the tree: they weigh and cost the same in all nodes on the way.
    pub same: bool,
    /// The rows of the node with their weights, where they are listed.
    pub rows: Vec<(u32, f64)>,
}

/// Which nodes of a tree are studied, and what a report says besides the candidates.
#[derive(Debug)]
pub struct StudyRequest<'a> {
    /// The tree is the first of these.
    pub forest: &'a Forest,
    /// The nodes; None for all of them. Reports are in the order of the tree.
    pub nodes: Option<&'a [usize]>,
    /// The most cuts of a column; of more, those that save most.
    pub cuts: usize,
    /// The rows of a node are listed where there are no more than this.
    pub rows: usize,
    /// Whether the question of a node is studied as it is asked where it is not the best split of its column: one that
    /// was chosen by hand, or moved by pruning. Else the column's best split stands in its place.
    pub as_asked: bool,
    /// Stops the work.
    pub cancel: &'a Cancel,
}

impl StudyRequest<'_> {
    /// Studies the nodes of a tree that was grown by this holder with these rows.
    pub fn reports<C: Criterion>(&self, rows: &mut List<'_, C>, chooser: &Chooser) -> Result<Vec<NodeStudy>> {
        match self.nodes {
            Some([node]) => {
                let (at, same) = self.descend(rows, *node)?;
                Ok(vec![self.report(rows, chooser, *node, at, same)?])
            }
            nodes => self.reports_in_order(rows, chooser, |node| nodes.is_none_or(|nodes| nodes.contains(&node))),
        }
    }

    /// The same in one pass: all nodes for the price of little more than growing the tree.
    fn reports_in_order<C: Criterion>(
        &self,
        rows: &mut List<'_, C>,
        chooser: &Chooser,
        is_wanted: impl Fn(usize) -> bool,
    ) -> Result<Vec<NodeStudy>> {
        let (tree, kinds) = (self.tree(), self.forest.kinds());
        let mut leads_to = filled(false, tree.len())?;
        for node in (0..tree.len()).rev() {
            leads_to[node] = is_wanted(node) || tree.children(node).any(|child| leads_to[child]);
        }
        let mut reports = Vec::new();
        let mut open = vec![(0, rows.root()?, true)];
        while let Some((node, at, same)) = open.pop() {
            let same = same && is_same(rows, &at, tree, node);
            if is_wanted(node) {
                reports.push((node, self.report(rows, chooser, node, at.clone(), same)?));
            }
            if tree.children(node).any(|child| leads_to[child]) {
                let children = divided(rows, tree, kinds, node, at)?;
                let places = tree.children(node);
                if children.len() < places.len() {
                    return Err(other_rows());
                }
                let pairs = places.zip(children).filter(|(place, _)| leads_to[*place]);
                open.extend(pairs.map(|(place, child)| (place, child, same)));
            }
        }
        reports.sort_unstable_by_key(|(node, _)| *node);
        Ok(reports.into_iter().map(|(_, report)| report).collect())
    }

    fn tree(&self) -> &Tree {
        &self.forest.trees()[0]
    }

    /// The rows of a node, and whether all nodes on the way are as the tree says.
    fn descend<C: Criterion>(&self, rows: &mut List<'_, C>, node: usize) -> Result<(ListNode<C::Stat>, bool)> {
        let tree = self.tree();
        let mut at = rows.root()?;
        let mut same = is_same(rows, &at, tree, 0);
        for step in tree.path(node).windows(2) {
            let (above, below) = (step[0], step[1]);
            self.cancel.check()?;
            let mut children = divided(rows, tree, self.forest.kinds(), above, at)?;
            let child = below - tree.first_child[above] as usize;
            if child >= children.len() {
                return Err(other_rows());
            }
            at = children.swap_remove(child);
            same &= is_same(rows, &at, tree, below);
        }
        Ok((at, same))
    }

    /// What the rows of a node say of all its columns.
    fn report<C: Criterion>(
        &self,
        rows: &mut List<'_, C>,
        chooser: &Chooser,
        node: usize,
        mut at: ListNode<C::Stat>,
        same: bool,
    ) -> Result<NodeStudy> {
        let mut candidates = Vec::new();
        rows.candidates(&mut at, &mut candidates)?;
        let own = figures(rows, &at, self.tree().value_of(node));
        let chosen = chooser.choose(&candidates, own.cost / own.weight).map(|i| candidates[i].feature);
        let mut columns = Vec::new();
        for feature in rows.open(&at) {
            self.cancel.check()?;
            columns.push(self.column(rows, node, (&at, &own), feature, &candidates)?);
        }
        let listed = if own.count as usize <= self.rows { rows.rows(&at) } else { Vec::new() };
        Ok(NodeStudy { node: own, columns, chosen, same, rows: listed })
    }

    fn column<C: Criterion>(
        &self,
        rows: &mut List<'_, C>,
        node: usize,
        (at, own): (&ListNode<C::Stat>, &Figures),
        feature: u32,
        candidates: &[Candidate],
    ) -> Result<ColumnStudy> {
        let candidate = candidates.iter().find(|candidate| candidate.feature == feature).cloned();
        let own_way = self.own_question(node, feature, candidate.as_ref());
        let best = || candidate.as_ref().map(|best| best.way.clone()).or_else(|| rows.each_its_own(feature));
        let way = own_way.clone().or_else(best);
        let (judged, others) = match rows.known(at, feature)? {
            Some([known, unknown]) => (known, Some(figures(rows, &unknown, &own.value))),
            None => (at.clone(), None),
        };
        let known = figures(rows, &judged, &own.value);
        let children: Vec<Figures> = match &way {
            Some(way) => {
                let children = rows.divide(judged, &Candidate::new(feature, 0.0, way.clone()))?;
                children.iter().map(|child| figures(rows, child, &own.value)).collect()
            }
            None => Vec::new(),
        };
        let unknown = others.filter(|others| others.count > 0);
        let cuts = rows.cuts(at, feature)?.at_most(self.cuts);
        let thresholds: Vec<f64> = cuts.list.iter().map(|cut| cut.threshold).collect();
        let sides = rows.sides(at, feature, &thresholds)?;
        let asked = own_way.map(|way| {
            let left: f64 = children.iter().map(|child| child.cost).sum();
            let parts = children.iter().chain(&unknown).map(|part| part.weight);
            let by_ratio = candidates.iter().any(|candidate| candidate.split_info > 0.0);
            Candidate {
                split_info: if by_ratio { split_info(parts, own.weight) } else { 0.0 },
                ..Candidate::new(feature, (known.cost - left) / own.weight - cuts.price, way)
            }
        });
        Ok(ColumnStudy { feature, candidate, asked, known, unknown, children, way, cuts, sides })
    }

    /// What a node asks of a column, where it is not the column's best split.
    fn own_question(&self, node: usize, feature: u32, best: Option<&Candidate>) -> Option<SplitRule> {
        let tree = self.tree();
        let asks = self.as_asked && tree.n_children[node] > 0 && tree.feature[node] == feature;
        let way = asks.then(|| tree.way(node, self.forest.kinds()))?;
        Some(way).filter(|way| best.is_none_or(|best| best.way.question != way.question))
    }
}

/// The rows of a node, each with the share of it that is there.
pub fn rows_of<C: Criterion>(
    rows: &mut List<'_, C>,
    tree: &Tree,
    kinds: &[Kind],
    node: usize,
    cancel: &Cancel,
) -> Result<Vec<(u32, f64)>> {
    let mut at = rows.root()?;
    for step in tree.path(node).windows(2) {
        cancel.check()?;
        let asked = Candidate::new(tree.feature[step[0]], 0.0, tree.way(step[0], kinds));
        let mut children = rows.divide(at, &asked)?;
        at = children.swap_remove(step[1] - tree.first_child[step[0]] as usize);
    }
    Ok(rows.shares(&at))
}

/// The children that the question of a node makes of its rows.
fn divided<C: Criterion>(
    rows: &mut List<'_, C>,
    tree: &Tree,
    kinds: &[Kind],
    node: usize,
    mut at: ListNode<C::Stat>,
) -> Result<Vec<ListNode<C::Stat>>> {
    let way = tree.way(node, kinds);
    let mut candidates = Vec::new();
    rows.candidates(&mut at, &mut candidates)?;
    // The holder's own way sends missing values as it did when the tree grew.
    let asked = candidates.into_iter().find(|c| c.feature == tree.feature[node] && c.way.question == way.question);
    let asked = asked.unwrap_or_else(|| Candidate::new(tree.feature[node], 0.0, way));
    rows.divide(at, &asked)
}

fn other_rows() -> Error {
    Error::data("work.other-rows", "these are not the rows of the model")
}

fn figures<R: Rows>(rows: &R, node: &R::Node, above: &[f64]) -> Figures {
    let mut value = above.to_vec();
    let leaf = rows.leaf(node, &mut value);
    let (weight, count, cost) = (leaf.weight, leaf.count, leaf.cost);
    Figures { value, weight, count, cost }
}

fn is_same<R: Rows>(rows: &R, at: &R::Node, tree: &Tree, node: usize) -> bool {
    let own = figures(rows, at, tree.value_of(node));
    let close = |a: f64, b: f64| (a - b).abs() <= SAME_FIGURES * (1.0 + b.abs());
    own.count == tree.count[node]
        && close(own.weight, tree.weight[node])
        && close(own.cost, tree.cost[node])
        && own.value.iter().zip(tree.value_of(node)).all(|(a, b)| close(*a, *b))
}
