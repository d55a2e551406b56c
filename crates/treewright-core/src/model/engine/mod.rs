//! Quick answers: what the walk says, in a form made for many rows, or for one row and many trees.
//!
//! [`Masks`] takes small trees, a block of rows at a time; [`Hops`] takes deep ones, and single rows. Both say at which node a
//! row ends; what becomes of it is [`Combine`]'s, in the order of the trees, so the bits are those of the plain walk, which
//! answers where neither can: rows that are divided, spare questions. They are made at the first use and are no part of a
//! file.

mod block;
mod cut_tree;
mod grid;
mod hops;
mod lanes;
mod levels;
mod masks;
mod steps;
mod transpose;

use super::combine::{How, median};
use super::forest::Forest;
use super::tree::Kind;
use super::walk;
use crate::data::table::Table;
use crate::simd::Isa;
use block::Block;
use hops::{Hops, SIDE};
use lanes::LaneStep;
use masks::{BLOCK, Masks};
use std::ops::Range;
use std::sync::OnceLock;

/// Fewer trees than this do not pay for coding the columns.
const MIN_TREES_TO_CODE: usize = 8;
/// Fewer rows than this are not a block.
const MIN_BLOCK_ROWS: usize = 32;

/// The forms of a model's trees.
#[derive(Debug)]
pub(super) struct Engine {
    hops: Option<Hops>,
    masks: OnceLock<Option<Masks>>,
    /// The same trees for single rows, in groups.
    lanes: OnceLock<Option<Vec<Vec<LaneStep>>>>,
    isa: Isa,
    numeric: bool,
}

/// How rows are to be answered; the tests compare them all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// The one that suits the model and the rows.
    Best,
    /// Steps for small trees, hops for the others.
    Masks,
    /// Hops alone.
    Hops,
    /// The walk of one row through one tree: the oracle.
    Walk,
}

impl Engine {
    pub fn new(forest: &Forest, isa: Isa) -> Engine {
        Engine {
            hops: Hops::new(forest.kinds(), forest.trees()),
            masks: OnceLock::new(),
            lanes: OnceLock::new(),
            isa,
            numeric: forest.kinds().iter().all(|kind| *kind == Kind::Numeric),
        }
    }

    /// Adds what the trees of a range say of the rows from `first` on, as many as there is room for.
    pub fn gather(
        &self,
        forest: &Forest,
        method: Method,
        table: &Table<'_>,
        trees: &Range<usize>,
        first: usize,
        sums: &mut [f64],
    ) {
        let raw = forest.raw_outputs();
        let rows = sums.len() / raw;
        let walk = method == Method::Walk || method == Method::Best && rows < MIN_BLOCK_ROWS;
        let Some(hops) = self.hops.as_ref().filter(|_| !walk) else {
            return plain(forest, table, trees, first, sums);
        };
        let many = trees.len() >= MIN_TREES_TO_CODE && rows >= MIN_BLOCK_ROWS;
        let masks = if method == Method::Masks || method == Method::Best && many { self.masks(forest) } else { None };
        let mut block = Block::new(forest, hops, masks, trees.clone(), table, self.isa);
        for (start, sums) in (first..).step_by(BLOCK).zip(sums.chunks_mut(BLOCK * raw)) {
            block.gather(table, start, sums);
        }
    }

    fn masks(&self, forest: &Forest) -> Option<&Masks> {
        self.masks.get_or_init(|| Masks::new(forest)).as_ref()
    }

    /// Adds what all trees say of one row of numbers to its sums. False, and nothing is done, where the row or the model
    /// needs more than a comparison a question.
    pub fn gather_row(&self, forest: &Forest, row: &[f64], sums: &mut [f64]) -> bool {
        if !self.numeric || forest.combine().how == How::Median {
            return false;
        }
        self.by_lanes(forest, row, sums) || self.by_hops(forest, row, sums)
    }

    fn by_lanes(&self, forest: &Forest, row: &[f64], sums: &mut [f64]) -> bool {
        if forest.trees().len() < MIN_TREES_TO_CODE {
            return false;
        }
        let Some(masks) = self.masks(forest) else { return false };
        let Some(groups) = self.lanes.get_or_init(|| lanes::groups(masks)) else { return false };
        let mut bytes = [0; lanes::SLOTS];
        if !masks.code_row(row, &mut bytes) {
            return false;
        }
        for (first, group) in (0..).step_by(lanes::LANES).zip(groups) {
            let ends = lanes::ends(self.isa, group, &bytes);
            for (i, end) in (first..forest.trees().len()).zip(ends) {
                let node = masks.leaves(i)[end as usize];
                receive(forest, i, node, sums);
            }
        }
        true
    }

    fn by_hops(&self, forest: &Forest, row: &[f64], sums: &mut [f64]) -> bool {
        let Some(hops) = self.hops.as_ref().filter(|_| !row.iter().any(|x| x.is_nan())) else { return false };
        let mut ends = [0; SIDE];
        for first in (0..forest.trees().len()).step_by(SIDE) {
            hops::row_ends(self.isa, hops, first, row, &mut ends);
            for (i, &end) in (first..forest.trees().len()).zip(&ends) {
                receive(forest, i, end - hops.roots[i], sums);
            }
        }
        true
    }
}

/// Adds what a tree says at a node to the sums of one row.
#[inline(always)]
fn receive(forest: &Forest, tree: usize, node: u32, sums: &mut [f64]) {
    let (says, combine) = (forest.trees()[tree].value_of(node as usize), forest.combine());
    match combine.how {
        How::Vote => combine.vote(tree, says, sums),
        _ => combine.add(tree, 1.0, says, sums),
    }
}

/// The plain walk: what all else is compared with.
pub(super) fn plain(forest: &Forest, table: &Table<'_>, trees: &Range<usize>, first: usize, out: &mut [f64]) {
    let (combine, columns) = (forest.combine(), table.columns());
    let trees = trees.clone().zip(&forest.trees()[trees.clone()]);
    let rows = (first..).zip(out.chunks_exact_mut(forest.raw_outputs()));
    let mut own = vec![0.0; forest.tree_outputs()];
    match combine.how {
        How::Mean | How::Sum => rows.for_each(|(row, sums)| {
            for (i, tree) in trees.clone() {
                walk::ends(tree, columns, row, |node, part| combine.add(i, part, tree.value_of(node), sums));
            }
        }),
        How::Vote => rows.for_each(|(row, sums)| {
            trees.clone().for_each(|(i, tree)| combine.vote(i, walk::value_of_row(tree, columns, row, &mut own), sums));
        }),
        How::Median => {
            let mut all = Vec::new();
            rows.for_each(|(row, sums)| {
                let says = trees
                    .clone()
                    .map(|(i, tree)| (walk::value_of_row(tree, columns, row, &mut own)[0], combine.scale(i)));
                all.clear();
                all.extend(says);
                sums[0] = median(&mut all);
            });
        }
    }
}
