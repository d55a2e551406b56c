//! The one loop that builds a tree.
//!
//! It owns the frontier (nodes that may still be split), the limits and the node table. A node taken from the frontier
//! either stays a leaf or asks the chosen question, and its children join the frontier. Depth first, first child first:
//! node numbers do not depend on anything but the data. How rows are held and searched is the business of [`Rows`].

use super::choose::{Candidate, Chooser};
use super::rows::Rows;
use crate::Result;
use crate::model::tree::Tree;
use crate::pool::Cancel;

/// Where growing stops, besides a pure node and the chooser's own word.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The most questions on a path.
    pub max_depth: u32,
    /// Nodes with fewer rows are leaves.
    pub min_samples_split: u32,
}

/// A node that may still be split.
struct Open<N> {
    node: usize,
    depth: u32,
    rows: N,
}

/// Grows one tree.
pub fn grow<R: Rows>(rows: &mut R, chooser: &Chooser, limits: &Limits, cancel: &Cancel) -> Result<Tree> {
    let mut tree = Tree::new(rows.outputs());
    let mut value = vec![0.0; rows.outputs()];
    let root = rows.root()?;
    tree.push(rows.leaf(&root, &mut value));
    let mut frontier = vec![Open { node: 0, depth: 0, rows: root }];
    let mut candidates: Vec<Candidate> = Vec::new();
    while let Some(open) = frontier.pop() {
        cancel.check()?;
        if limits.stop(&tree, open.node, open.depth) {
            continue;
        }
        candidates.clear();
        rows.candidates(&open.rows, &mut candidates);
        let Some(chosen) = chooser.choose(&candidates) else { continue };
        let chosen = candidates.swap_remove(chosen);
        let gain = chosen.gain.max(0.0) * tree.weight[open.node];
        tree.ask(open.node, chosen.feature, &chosen.way, gain);
        let first = frontier.len();
        for child in rows.divide(open.rows, &chosen) {
            value.copy_from_slice(tree.value_of(open.node));
            let node = tree.push(rows.leaf(&child, &mut value));
            frontier.push(Open { node, depth: open.depth + 1, rows: child });
        }
        frontier[first..].reverse();
    }
    Ok(tree)
}

impl Limits {
    fn stop(&self, tree: &Tree, node: usize, depth: u32) -> bool {
        tree.cost[node] == 0.0 || tree.count[node] < self.min_samples_split || depth >= self.max_depth
    }
}
