//! The one loop that builds a tree.
//!
//! It owns the frontier (nodes that may still be split), the limits and the node table. A node taken from the frontier
//! either stays a leaf or asks the chosen question, and its children join the frontier. How rows are held and searched is
//! the business of [`Rows`]; which node is next, of [`Frontier`].
//!
//! Where the holder can give nodes away ([`Divisible`]), the loop sets small ones aside and runs again for each of them,
//! several at a time. Node numbers do not show it: [`stitch`] numbers the whole tree as one thread would have done.

pub mod by_hand;
pub mod frontier;
pub mod leaf_reason;
pub mod stitch;
pub mod study;

use super::rows::{Divisible, GrowBelow, Rows};
use crate::Result;
use crate::grow::frontier::{Frontier, Open, Ready};
use crate::grow::stitch::stitch;
use crate::model::tree::Tree;
use crate::split::choose::{Candidate, Chooser};
use crate::stats::chance::p_value;
use crate::sys::memory::filled;
use crate::sys::pool;
use crate::sys::pool::Cancel;
use crate::tolerance::SHARE;

/// Where growing stops, besides a pure node and the chooser's own word.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The most questions on a path.
    pub max_depth: u32,
    /// Nodes with fewer rows are leaves.
    pub min_samples_split: u32,
    /// The most leaves; where given, the most saving question is asked first.
    pub max_leaves: Option<u32>,
    /// A question is not asked if chance alone would divide the classes as unevenly with a greater probability. Only for
    /// nodes that say shares of classes.
    pub max_p_value: Option<f64>,
    /// A node whose most frequent class has this share of its weight is a leaf. Only for nodes that say shares of classes.
    pub sufficient_majority: Option<f64>,
}

/// Grows one tree.
pub fn grow<R: Rows>(rows: &mut R, chooser: &Chooser, limits: &Limits, cancel: &Cancel) -> Result<Tree> {
    Growth { chooser, limits, cancel }.subtree(rows, 0)
}

/// Grows one tree on so many threads; the tree does not depend on their number.
pub fn grow_wide<R: Divisible>(
    rows: &mut R,
    chooser: &Chooser,
    limits: &Limits,
    threads: usize,
    cancel: &Cancel,
) -> Result<Tree> {
    if threads == 1 || limits.max_leaves.is_some() {
        return grow(rows, chooser, limits, cancel);
    }
    let small = u64::from(rows.small(threads));
    let (top, aside) = grow_top(rows, chooser, limits, small, cancel)?;
    let places: Vec<(usize, u32)> = aside.iter().map(|open| (open.node, open.depth)).collect();
    let parts = rows.parts(aside.into_iter().map(|open| open.rows).collect())?;
    let work = |((node, depth), mut part): ((usize, u32), R::Part<'_>)| -> Result<(usize, Tree)> {
        Ok((node, Growth { chooser, limits, cancel }.subtree(&mut part, depth)?))
    };
    let grown = pool::each(threads, places.into_iter().zip(parts).collect(), work)?;
    stitch(&top, grown.into_iter().collect::<Result<Vec<_>>>()?, cancel)
}

/// The top of a tree, and the nodes that are still open because they have at most `small` rows. Where the number of leaves
/// is limited there are none: which node is next depends on all of them.
pub fn grow_top<R: Rows>(
    rows: &mut R,
    chooser: &Chooser,
    limits: &Limits,
    small: u64,
    cancel: &Cancel,
) -> Result<(Tree, Vec<Open<R::Node>>)> {
    let (mut top, root) = plant(rows)?;
    let (mut aside, mut frontier) = (Vec::new(), Frontier::new(root, limits.max_leaves));
    Growth { chooser, limits, cancel }.run(rows, &mut top, &mut frontier, &mut Vec::new(), |tree, open| {
        if tree.count[open.node] > small || limits.max_leaves.is_some() {
            return Some(open);
        }
        aside.push(open);
        None
    })?;
    rows.finish(&mut top);
    // The largest first, so that no thread is left alone with one at the end.
    aside.sort_unstable_by_key(|open| (std::cmp::Reverse(top.count[open.node]), open.node));
    Ok((top, aside))
}

/// The rules of the loop.
#[derive(Clone, Copy, Debug)]
pub struct Growth<'a> {
    /// How a split is chosen.
    pub chooser: &'a Chooser,
    /// Where growing stops.
    pub limits: &'a Limits,
    /// Stops the work.
    pub cancel: &'a Cancel,
}

impl Growth<'_> {
    /// Everything below the root of these rows, to which so many questions lead.
    fn subtree<R: Rows>(self, rows: &mut R, depth: u32) -> Result<Tree> {
        let (mut tree, mut root) = plant(rows)?;
        root.depth = depth;
        let mut frontier = Frontier::new(root, self.limits.max_leaves);
        self.run(rows, &mut tree, &mut frontier, &mut Vec::new(), |_, open| Some(open))?;
        rows.finish(&mut tree);
        Ok(tree)
    }

    /// Splits open nodes until there are none. `keep` may take a node away instead; `candidates` is scratch.
    fn run<R: Rows>(
        self,
        rows: &mut R,
        tree: &mut Tree,
        frontier: &mut Frontier<R::Node>,
        candidates: &mut Vec<Candidate>,
        mut keep: impl FnMut(&Tree, Open<R::Node>) -> Option<Open<R::Node>>,
    ) -> Result<()> {
        let mut value = filled(0.0, rows.outputs())?;
        while let Some(ready) = frontier.next(|open| {
            if self.limits.stop(rows, tree, open.node, open.depth) {
                return Ok(None);
            }
            let Some(open) = keep(tree, open) else { return Ok(None) };
            if self.limits.max_leaves.is_none() {
                let below = Below { node: open.node, depth: open.depth, tree, growth: self, candidates };
                if rows.grow_below(&open.rows, below)? {
                    return Ok(None);
                }
            }
            self.ask(rows, tree, open, candidates)
        })? {
            let Ready { open, chosen, gain } = ready;
            let children = rows.divide(open.rows, &chosen)?;
            if self.limits.could_be_chance(rows, &children) {
                frontier.give_back(&chosen);
                rows.forget_division();
                continue;
            }
            let first = tree.len();
            write_split(rows, tree, open.node, &chosen, gain, &children, &mut value)?;
            let nodes = children.into_iter().enumerate();
            frontier.push(nodes.map(|(i, rows)| Open { node: first + i, depth: open.depth + 1, rows }));
        }
        Ok(())
    }

    /// The question of a node, or None where it stays a leaf.
    fn ask<R: Rows>(
        self,
        rows: &mut R,
        tree: &Tree,
        mut open: Open<R::Node>,
        candidates: &mut Vec<Candidate>,
    ) -> Result<Option<Ready<R::Node>>> {
        self.cancel.check()?;
        candidates.clear();
        rows.candidates(&mut open.rows, candidates)?;
        let impurity = tree.cost[open.node] / tree.weight[open.node];
        let Some(chosen) = self.chooser.choose(candidates, impurity) else { return Ok(None) };
        let chosen = candidates.swap_remove(chosen);
        let gain = chosen.gain.max(0.0) * tree.weight[open.node];
        Ok(Some(Ready { open, chosen, gain }))
    }
}

/// What is below one node of a tree, yet to be grown.
struct Below<'g, 'a> {
    growth: Growth<'a>,
    candidates: &'g mut Vec<Candidate>,
    tree: &'g mut Tree,
    node: usize,
    depth: u32,
}

impl GrowBelow for Below<'_, '_> {
    fn grow<R: Rows>(self, rows: &mut R) -> Result<()> {
        let root = Open { node: self.node, depth: self.depth, rows: rows.root()? };
        self.growth.run(rows, self.tree, &mut Frontier::new(root, None), self.candidates, |_, open| Some(open))
    }
}

/// Writes the question of a node and its children, as leaves, into a tree. `value` has room for what a node says.
fn write_split<R: Rows>(
    rows: &R,
    tree: &mut Tree,
    node: usize,
    asked: &Candidate,
    gain: f64,
    children: &[R::Node],
    value: &mut [f64],
) -> Result<()> {
    tree.reserve(children.len(), asked.way.n_levels())?;
    tree.ask(node, asked.feature, &asked.way, gain);
    for child in children {
        value.copy_from_slice(tree.value_of(node));
        tree.push(rows.leaf(child, value));
    }
    Ok(())
}

/// A tree of one leaf, and that leaf as an open node.
fn plant<R: Rows>(rows: &mut R) -> Result<(Tree, Open<R::Node>)> {
    let mut tree = Tree::new(rows.outputs());
    let mut value = filled(0.0, rows.outputs())?;
    let root = rows.root()?;
    tree.reserve(rows.expected_nodes().max(1), 0)?;
    tree.push(rows.leaf(&root, &mut value));
    Ok((tree, Open { node: 0, depth: 0, rows: root }))
}

fn largest_share(tree: &Tree, node: usize) -> f64 {
    tree.value_of(node).iter().copied().fold(0.0, f64::max)
}

impl Limits {
    fn stop<R: Rows>(&self, rows: &R, tree: &Tree, node: usize, depth: u32) -> bool {
        rows.is_pure(tree.cost[node])
            || tree.count[node] < u64::from(self.min_samples_split)
            || depth >= self.max_depth
            || self.sufficient_majority.is_some_and(|share| largest_share(tree, node) >= share - SHARE)
    }

    fn could_be_chance<R: Rows>(&self, rows: &R, children: &[R::Node]) -> bool {
        let Some(most) = self.max_p_value else { return false };
        let mut shares = vec![0.0; rows.outputs()];
        let mut weights = |child: &R::Node| {
            shares.fill(0.0);
            let leaf = rows.leaf(child, &mut shares);
            leaf.value.iter().map(|share| share * leaf.weight).collect()
        };
        p_value(&children.iter().map(&mut weights).collect::<Vec<_>>()) > most
    }
}
