//! The questions of a tree for walks from many nodes: those about numbers stand beside each other in memory, so that a
//! step reads one place instead of one in each column of the node table.
//!
//! All rows walk through the whole tree once. Where a row came to a leaf, the way it went is known from that leaf, without
//! another look at its numbers, which are far away.

use crate::Result;
use crate::data::table::Column;
use crate::model::tree::{SHARE, STOP, Tree};
use crate::model::walk::answer;
use crate::prune::sample::ROWS_OF_A_THREAD;
use crate::sys::memory::{collected, filled};
use crate::sys::pool::{self, Cancel};
use std::ops::Range;

/// The questions of a tree about the columns of a table.
#[derive(Debug)]
pub(super) struct Questions<'a> {
    tree: &'a Tree,
    columns: &'a [Column<'a>],
    cuts: Vec<Cut>,
    /// For each node the first of the leaves below it, in the order of the tree, and how many there are.
    leaves: Vec<(u32, u32)>,
    /// The leaf of each row; [`NOWHERE`] for those that come to none as a whole.
    leaf_of: Vec<u32>,
}

/// A question about numbers, with the columns of the node table that it stands in.
#[derive(Clone, Copy, Debug)]
struct Cut {
    threshold: f64,
    /// [`NO_CUT`] for leaves and questions about categories.
    feature: u32,
    first_child: u32,
}

const NO_CUT: u32 = u32::MAX;
const NOWHERE: u32 = u32::MAX;

impl<'a> Questions<'a> {
    /// Asks so many rows.
    pub(super) fn new(
        tree: &'a Tree,
        columns: &'a [Column<'a>],
        rows: usize,
        cancel: &Cancel,
    ) -> Result<Questions<'a>> {
        let cut = |node: usize| {
            let is_cut = tree.n_children[node] > 0 && !tree.threshold[node].is_nan();
            let feature = if is_cut { tree.feature[node] } else { NO_CUT };
            Cut { threshold: tree.threshold[node], feature, first_child: tree.first_child[node] }
        };
        let cuts = collected((0..tree.len()).map(cut))?;
        let leaves = number_leaves(tree)?;
        let mut questions = Questions { tree, columns, cuts, leaves, leaf_of: Vec::new() };
        let threads = pool::bounded(rows / ROWS_OF_A_THREAD + 1);
        let chunks = (0..rows).step_by(ROWS_OF_A_THREAD).map(|start| start..rows.min(start + ROWS_OF_A_THREAD));
        let parts = pool::each(threads, chunks.collect(), |rows: Range<usize>| -> Result<Vec<u32>> {
            cancel.check()?;
            collected(rows.map(|row| questions.find_leaf(row)))
        })?;
        questions.leaf_of = parts.into_iter().collect::<Result<Vec<_>>>()?.concat();
        Ok(questions)
    }

    fn find_leaf(&self, row: usize) -> u32 {
        let mut node = 0;
        while self.tree.n_children[node] > 0 {
            let Some(next) = self.next_node(node, row) else { return NOWHERE };
            node = next;
        }
        self.leaves[node].0
    }

    /// The node that a row goes to from a branch; None where it is divided, or goes no further.
    #[inline(always)]
    pub(super) fn next_node(&self, branch: usize, row: usize) -> Option<usize> {
        let cut = self.cuts[branch];
        let number = self.columns.get(cut.feature as usize).map_or(f64::NAN, |column| column.number(row));
        if !number.is_nan() {
            return Some(cut.first_child as usize + usize::from(number > cut.threshold));
        }
        match answer(self.tree, branch, self.columns, row) {
            STOP | SHARE => None,
            child => Some(self.tree.first_child[branch] as usize + child as usize),
        }
    }

    /// The child that a row goes to from a branch, or [`STOP`], or [`SHARE`].
    pub(super) fn child_of(&self, branch: usize, row: usize) -> u16 {
        let (leaf, (first, count)) = (self.leaf_of[row], self.leaves[branch]);
        if leaf.wrapping_sub(first) >= count || leaf == NOWHERE {
            // It did not come here.
            return answer(self.tree, branch, self.columns, row);
        }
        let children = &self.leaves[self.tree.children(branch)];
        children.partition_point(|(first, _)| *first <= leaf) as u16 - 1
    }
}

/// For each node the first of the leaves below it, in the order of the tree, and how many there are.
fn number_leaves(tree: &Tree) -> Result<Vec<(u32, u32)>> {
    let mut leaves = filled((0, 1), tree.len())?;
    let branches = || (0..tree.len()).filter(|&node| tree.n_children[node] > 0);
    // Children stand behind their parents.
    for node in branches().rev() {
        leaves[node].1 = leaves[tree.children(node)].iter().map(|(_, count)| count).sum();
    }
    for node in branches() {
        let mut next = leaves[node].0;
        for (first, count) in &mut leaves[tree.children(node)] {
            *first = next;
            next += *count;
        }
    }
    Ok(leaves)
}
