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
    /// For each node the first of the leaves below it, in the order of the tree, and how many there are.
    leaves: Vec<(u32, u32)>,
    /// The leaf of each row; [`NOWHERE`] for those that come to none as a whole.
    leaf_of: Vec<u32>,
}

/// What a node asks at present, beside the other columns of the node table that a walk needs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Asked {
    threshold: f64,
    /// [`LEAF`] for leaves, [`NO_CUT`] for questions about categories.
    feature: u32,
    /// The branch whose question it is, and the first of its children.
    branch: u32,
    first_child: u32,
}

impl Asked {
    /// No question.
    pub(super) const NOTHING: Asked = Asked { threshold: f64::NAN, feature: LEAF, branch: 0, first_child: 0 };

    /// What a node of a tree asks.
    pub(super) fn by(tree: &Tree, node: usize) -> Asked {
        if tree.is_leaf(node) {
            return Asked::NOTHING;
        }
        let threshold = tree.threshold[node];
        let feature = if threshold.is_nan() { NO_CUT } else { tree.feature[node] };
        Asked { threshold, feature, branch: node as u32, first_child: tree.first_child[node] }
    }

    /// The branch whose question it is; None for a leaf.
    pub(super) fn branch(self) -> Option<usize> {
        (self.feature != LEAF).then_some(self.branch as usize)
    }
}

/// Rows that walk at the same time.
pub(super) const ROWS_TOGETHER: usize = 8;

/// More lines than this are not fetched ahead: a walk would not need most of them.
const MOST_LINES: usize = 4;

const NO_CUT: u32 = u32::MAX;
const LEAF: u32 = u32::MAX - 1;
const NOWHERE: u32 = u32::MAX;

impl<'a> Questions<'a> {
    /// Asks so many rows, each node what it asks.
    pub(super) fn new(
        tree: &'a Tree,
        asked: &[Asked],
        columns: &'a [Column<'a>],
        rows: usize,
        cancel: &Cancel,
    ) -> Result<Questions<'a>> {
        let leaves = number_leaves(tree)?;
        let lines = lines_of_a_row(columns)?;
        let mut questions = Questions { tree, columns, lines, leaves, leaf_of: Vec::new() };
        let threads = pool::bounded(rows / ROWS_OF_A_THREAD + 1);
        let chunks = (0..rows).step_by(ROWS_OF_A_THREAD).map(|start| start..rows.min(start + ROWS_OF_A_THREAD));
        let parts = pool::each(threads, chunks.collect(), |rows: Range<usize>| -> Result<Vec<u32>> {
            cancel.check()?;
            let mut leaves = room(rows.len())?;
            let firsts = rows.clone().step_by(ROWS_TOGETHER);
            firsts.for_each(|first| {
                questions.find_leaves(asked, first..rows.end.min(first + ROWS_TOGETHER), &mut leaves)
            });
            Ok(leaves)
        })?;
        questions.leaf_of = parts.into_iter().collect::<Result<Vec<_>>>()?.concat();
        Ok(questions)
    }

    /// Adds the leaves of a few rows.
    fn find_leaves(&self, asked: &[Asked], rows: Range<usize>, leaves: &mut Vec<u32>) {
        match self.walk_together(0, rows.clone(), asked) {
            Some(ends) => leaves.extend(rows.zip(ends).map(|(_, leaf)| self.leaves[leaf].0)),
            None => leaves.extend(rows.map(|row| {
                let end = self.walk_together(0, std::iter::once(row), asked);
                end.map_or(NOWHERE, |[leaf, ..]| self.leaves[leaf].0)
            })),
        }
    }

    /// The leaves that some rows reach from a node, given what each node asks; None where one does not reach a leaf whole.
    /// The rows take their steps by turns, so that one waits for memory while the others wait as well.
    #[inline(always)]
    pub(super) fn walk_together(
        &self,
        node: usize,
        rows: impl Iterator<Item = usize> + Clone,
        asked: &[Asked],
    ) -> Option<[usize; ROWS_TOGETHER]> {
        let mut nodes = [node; ROWS_TOGETHER];
        let mut are_walking = true;
        while are_walking {
            are_walking = false;
            for (node, row) in nodes.iter_mut().zip(rows.clone()) {
                let asked = asked[*node];
                if asked.feature != LEAF {
                    *node = self.next_node(asked, row)?;
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

    /// The node that a row goes to; None where it is divided, or goes no further.
    #[inline(always)]
    fn next_node(&self, asked: Asked, row: usize) -> Option<usize> {
        let number = match self.columns.get(asked.feature as usize) {
            // Most numbers are here; the others' code would stand in the way.
            Some(Column::Strided(numbers)) => numbers.at(row),
            Some(column) => column.number(row),
            None => f64::NAN,
        };
        if !number.is_nan() {
            return Some(asked.first_child as usize + usize::from(number > asked.threshold));
        }
        match answer(self.tree, asked.branch as usize, self.columns, row) {
            STOP | SHARE => None,
            child => Some(asked.first_child as usize + child as usize),
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
