//! Quick answers: what the walk says, in a form made for many rows, or for one row and many trees.
//!
//! [`Masks`] takes small trees, a block of rows at a time; [`Hops`] takes deep ones, and single rows. Both say at which node a
//! row ends; what becomes of it is [`Combine`]'s, in the order of the trees, so the bits are those of the plain walk, which
//! answers where neither can: rows that are divided, spare questions. They are made at the first use and are no part of a
//! file.

mod block;
mod grid;
mod hops;
mod lanes;
mod levels;
mod masks;
mod steps;

use super::combine::{Combine, How, median};
use super::tree::{Kind, Tree};
use super::walk;
use crate::data::table::Table;
use crate::simd::Isa;
use block::Block;
use hops::{Hops, SIDE};
use lanes::Lanes;
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
    /// The same trees for single rows.
    lanes: OnceLock<Option<Lanes>>,
    isa: Isa,
    numeric: bool,
}

/// A model as the engine sees it.
#[derive(Clone, Copy)]
pub(super) struct Parts<'a> {
    pub kinds: &'a [Kind],
    pub trees: &'a [Tree],
    pub combine: &'a Combine,
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
    pub fn new(parts: Parts<'_>, isa: Isa) -> Engine {
        Engine {
            hops: Hops::new(parts.kinds, parts.trees),
            masks: OnceLock::new(),
            lanes: OnceLock::new(),
            isa,
            numeric: parts.kinds.iter().all(|kind| *kind == Kind::Numeric),
        }
    }

    /// Adds what the trees of a range say of the rows from `first` on, as many as there is room for.
    pub fn gather(
        &self,
        parts: Parts<'_>,
        method: Method,
        table: &Table<'_>,
        trees: &Range<usize>,
        first: usize,
        sums: &mut [f64],
    ) {
        let raw = parts.combine.raw_outputs(parts.trees[0].outputs);
        let rows = sums.len() / raw;
        let walk = method == Method::Walk || method == Method::Best && rows < MIN_BLOCK_ROWS;
        let Some(hops) = self.hops.as_ref().filter(|_| !walk) else {
            return plain(parts, table, trees, first, sums);
        };
        let many = trees.len() >= MIN_TREES_TO_CODE && rows >= MIN_BLOCK_ROWS;
        let masks = if method == Method::Masks || method == Method::Best && many { self.masks(parts) } else { None };
        let mut block = Block::new(parts, hops, masks, trees.clone(), self.isa);
        for (start, sums) in (first..).step_by(BLOCK).zip(sums.chunks_mut(BLOCK * raw)) {
            block.gather(table, start, sums);
        }
    }

    fn masks(&self, parts: Parts<'_>) -> Option<&Masks> {
        self.masks.get_or_init(|| Masks::new(parts.kinds, parts.trees)).as_ref()
    }

    /// Adds what all trees say of one row of numbers to its sums. False, and nothing is done, where the row or the model
    /// needs more than a comparison a question.
    pub fn gather_row(&self, parts: Parts<'_>, row: &[f64], sums: &mut [f64]) -> bool {
        if !self.numeric || parts.combine.how == How::Median {
            return false;
        }
        self.by_lanes(parts, row, sums) || self.by_hops(parts, row, sums)
    }

    fn by_lanes(&self, parts: Parts<'_>, row: &[f64], sums: &mut [f64]) -> bool {
        if parts.trees.len() < MIN_TREES_TO_CODE {
            return false;
        }
        let Some(masks) = self.masks(parts) else { return false };
        let Some(lanes) = self.lanes.get_or_init(|| Lanes::new(masks)) else { return false };
        let mut bytes = [0; lanes::SLOTS];
        if !masks.code_row(row, &mut bytes) {
            return false;
        }
        for (group, ends) in lanes.ends(self.isa, &bytes) {
            for (i, end) in (group..parts.trees.len()).zip(ends) {
                let node = masks.leaves(i)[end as usize];
                receive(parts, i, node, sums);
            }
        }
        true
    }

    fn by_hops(&self, parts: Parts<'_>, row: &[f64], sums: &mut [f64]) -> bool {
        let Some(hops) = self.hops.as_ref().filter(|_| !row.iter().any(|x| x.is_nan())) else { return false };
        let mut ends = [0; SIDE];
        for first in (0..parts.trees.len()).step_by(SIDE) {
            hops::row_ends(self.isa, hops, first, row, &mut ends);
            for (i, &end) in (first..parts.trees.len()).zip(&ends) {
                receive(parts, i, end - hops.roots[i], sums);
            }
        }
        true
    }
}

/// Adds what a tree says at a node to the sums of one row.
#[inline(always)]
fn receive(parts: Parts<'_>, tree: usize, node: u32, sums: &mut [f64]) {
    let says = parts.trees[tree].value_of(node as usize);
    match parts.combine.how {
        How::Vote => parts.combine.vote(tree, says, sums),
        _ => parts.combine.add(tree, 1.0, says, sums),
    }
}

/// The plain walk: what all else is compared with.
pub(super) fn plain(parts: Parts<'_>, table: &Table<'_>, trees: &Range<usize>, first: usize, out: &mut [f64]) {
    let (combine, columns) = (parts.combine, table.columns());
    let outputs = parts.trees[0].outputs;
    let trees = trees.clone().zip(&parts.trees[trees.clone()]);
    let rows = (first..).zip(out.chunks_exact_mut(combine.raw_outputs(outputs)));
    let mut own = vec![0.0; outputs];
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
