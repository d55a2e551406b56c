//! The questions of a tree for walks from many nodes: those about numbers stand beside each other in memory, so that a
//! step reads one place instead of one in each column of the node table.
//!
//! All rows walk through the whole tree once. Where a row came to a leaf, the way it went is known from that leaf, without
//! another look at its numbers, which are far away.

use crate::Result;
use crate::data::strided::Strided;
use crate::data::table::Column;
use crate::model::tree::{SHARE, STOP, Tree};
use crate::model::walk::answer;
use crate::prune::sample::ROWS_OF_A_THREAD;
use crate::sys::memory::{collected, filled, room};
use crate::sys::pool::{self, Cancel};
use std::ops::Range;

/// The questions of a tree about the columns of a table.
#[derive(Debug)]
pub(super) struct Questions<'a> {
    tree: &'a Tree,
    columns: &'a [Column<'a>],
    /// A column in each cache line of a row; none where its numbers lie in many.
    lines: Vec<Strided<'a>>,
    cuts: Vec<NumericQuestion>,
    /// For each node the first of the leaves below it, in the order of the tree, and how many there are.
    leaves: Vec<(u32, u32)>,
    /// The leaf of each row; [`NOWHERE`] for those that come to none as a whole.
    leaf_of: Vec<u32>,
}

/// A question about numbers, with the columns of the node table that it stands in.
#[derive(Clone, Copy, Debug)]
struct NumericQuestion {
    threshold: f64,
    /// [`NO_CUT`] for leaves and questions about categories.
    feature: u32,
    first_child: u32,
}

/// Rows that walk at the same time.
pub(super) const ROWS_TOGETHER: usize = 8;

/// More lines than this are not fetched ahead: a walk would not need most of them.
const MOST_LINES: usize = 4;

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
            let is_cut = !tree.is_leaf(node) && !tree.threshold[node].is_nan();
            let feature = if is_cut { tree.feature[node] } else { NO_CUT };
            NumericQuestion { threshold: tree.threshold[node], feature, first_child: tree.first_child[node] }
        };
        let cuts = collected((0..tree.len()).map(cut))?;
        let leaves = number_leaves(tree)?;
        let lines = lines_of_a_row(columns)?;
        let mut questions = Questions { tree, columns, lines, cuts, leaves, leaf_of: Vec::new() };
        let threads = pool::bounded(rows / ROWS_OF_A_THREAD + 1);
        let chunks = (0..rows).step_by(ROWS_OF_A_THREAD).map(|start| start..rows.min(start + ROWS_OF_A_THREAD));
        let parts = pool::each(threads, chunks.collect(), |rows: Range<usize>| -> Result<Vec<u32>> {
            cancel.check()?;
            let mut leaves = room(rows.len())?;
            let firsts = rows.clone().step_by(ROWS_TOGETHER);
            firsts.for_each(|first| questions.find_leaves(first..rows.end.min(first + ROWS_TOGETHER), &mut leaves));
            Ok(leaves)
        })?;
        questions.leaf_of = parts.into_iter().collect::<Result<Vec<_>>>()?.concat();
        Ok(questions)
    }

    /// Adds the leaves of a few rows.
    fn find_leaves(&self, rows: Range<usize>, leaves: &mut Vec<u32>) {
        let asks = |node: usize| (!self.tree.is_leaf(node)).then_some(node);
        match self.walk_together(0, rows.clone(), asks) {
            Some(ends) => leaves.extend(rows.zip(ends).map(|(_, leaf)| self.leaves[leaf].0)),
            None => leaves.extend(rows.map(|row| {
                let end = self.walk_together(0, std::iter::once(row), asks);
                end.map_or(NOWHERE, |[leaf, ..]| self.leaves[leaf].0)
            })),
        }
    }

    /// The leaves that some rows reach from a node, given the branch whose question each node asks; None where one does not
    /// reach a leaf whole. The rows take their steps by turns, so that one waits for memory while the others wait as well.
    #[inline(always)]
    pub(super) fn walk_together(
        &self,
        node: usize,
        rows: impl Iterator<Item = usize> + Clone,
        asks: impl Fn(usize) -> Option<usize>,
    ) -> Option<[usize; ROWS_TOGETHER]> {
        let mut nodes = [node; ROWS_TOGETHER];
        let mut are_walking = true;
        while are_walking {
            are_walking = false;
            for (node, row) in nodes.iter_mut().zip(rows.clone()) {
                if let Some(from) = asks(*node) {
                    *node = self.next_node(from, row)?;
                    are_walking = true;
                }
            }
        }
        Some(nodes)
    }

    /// Asks for the numbers of a row that will walk soon.
    pub(super) fn ask_memory(&self, row: usize) {
        self.lines.iter().for_each(|column| column.ask(row));
    }

    /// The node that a row goes to from a branch; None where it is divided, or goes no further.
    #[inline(always)]
    fn next_node(&self, branch: usize, row: usize) -> Option<usize> {
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

/// A column in each cache line of a row, where the columns lie in a matrix and these are few.
fn lines_of_a_row<'a>(columns: &[Column<'a>]) -> Result<Vec<Strided<'a>>> {
    let matrix =
        columns.iter().filter_map(|column| if let Column::Strided(numbers) = column { Some(*numbers) } else { None });
    let matrix: Vec<Strided<'a>> = collected(matrix)?;
    // The last column, because rows begin at different places of a line.
    let is_apart = |i: &usize| *i == 0 || i + 1 == matrix.len() || !matrix[*i].is_beside(&matrix[i - 1]);
    let lines = (0..matrix.len()).filter(is_apart).take(MOST_LINES + 1).map(|i| matrix[i]);
    let lines: Vec<Strided<'a>> = collected(lines)?;
    Ok(if lines.len() > MOST_LINES { Vec::new() } else { lines })
}

/// For each node the first of the leaves below it, in the order of the tree, and how many there are.
fn number_leaves(tree: &Tree) -> Result<Vec<(u32, u32)>> {
    let mut leaves = filled((0, 1), tree.len())?;
    let branches = || tree.branches();
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
