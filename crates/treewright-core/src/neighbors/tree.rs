//! A k-d tree without pointers: for few columns, where most of the rows are never looked at.
//!
//! Leaves hold [`LEAF`] points, column by column; a node of level h has 16 nodes of level h − 1 (leaves, below level 0),
//! and the boxes around them lie together, so that sixteen are compared at once. Everything is f64 and exact: a subtree
//! is left out only when the nearest corner of its box has a larger key than the k-th point so far. The points of a leaf
//! are held in f32 too, for a filter ([`super::leaves`]).

use super::arrange::{Arranged, FAN, arrange};
use super::leaves::Leaves;
use super::rows::{Rows, zeros};
use crate::Result;
use crate::pool::Cancel;
use rayon::prelude::*;

/// Points of a leaf. More means fewer boxes to compare and more points to measure.
pub const LEAF: usize = 64;

/// The tree. Its shape follows from the number of points.
#[derive(Debug)]
pub struct Tree {
    pub(super) columns: usize,
    /// Leaf after leaf, column after column, point after point; NaN where the last leaf has no more points.
    pub(super) points: Vec<f64>,
    /// The row number of each point.
    pub(super) rows: Vec<u32>,
    /// From the leaves up.
    pub(super) levels: Vec<Level>,
    /// A filter for points, where squares are added.
    pub(super) leaves: Leaves,
}

/// The boxes of one level.
#[derive(Debug)]
pub(super) struct Level {
    /// How many boxes there are.
    pub nodes: usize,
    /// For each sixteen of them and each column, sixteen least and sixteen greatest numbers.
    pub boxes: Vec<f64>,
}

impl Level {
    fn new(nodes: usize, columns: usize) -> Result<Level> {
        Ok(Level { nodes, boxes: zeros(nodes.div_ceil(FAN) * columns * 2 * FAN)? })
    }

    /// The boxes of a group of sixteen, as columns of least and greatest numbers.
    #[inline(always)]
    pub fn group(&self, group: usize, columns: usize) -> &[f64] {
        let size = columns * 2 * FAN;
        &self.boxes[group * size..][..size]
    }

    /// How many boxes a group has.
    #[inline(always)]
    pub fn fan(&self, group: usize) -> usize {
        FAN.min(self.nodes - group * FAN)
    }
}

impl Tree {
    /// Arranges complete rows.
    pub fn new(rows: &Rows, cancel: &Cancel) -> Result<Tree> {
        let columns = rows.columns().0;
        let Arranged { order, numbers } = arrange(rows, LEAF, cancel)?;
        cancel.check()?;
        let leaves = rows.len().div_ceil(LEAF);
        let mut points = zeros(leaves * LEAF * columns)?;
        points.par_chunks_mut(LEAF * columns).zip(numbers.par_chunks(LEAF * columns)).for_each(|(leaf, rows)| {
            leaf.fill(f64::NAN);
            for (i, row) in rows.chunks_exact(columns).enumerate() {
                leaf[i..].iter_mut().step_by(LEAF).zip(row).for_each(|(x, &y)| *x = y);
            }
        });
        let leaves_in_brief = Leaves::new(&points, columns)?;
        let mut tree = Tree { columns, points, rows: order, levels: Vec::new(), leaves: leaves_in_brief };
        tree.levels.push(tree.lowest(leaves)?);
        while let Some(below) = tree.levels.last().filter(|level| level.nodes > FAN) {
            let above = above(below, columns)?;
            tree.levels.push(above);
        }
        Ok(tree)
    }

    /// The boxes around leaves.
    fn lowest(&self, leaves: usize) -> Result<Level> {
        let mut level = Level::new(leaves, self.columns)?;
        let groups = level.boxes.par_chunks_mut(self.columns * 2 * FAN);
        groups.zip(self.points.par_chunks(FAN * self.columns * LEAF)).for_each(|(boxes, leaves)| {
            for (i, column) in leaves.chunks_exact(LEAF).enumerate() {
                // NaN, the padding, is smaller and larger than nothing.
                let least = column.iter().copied().fold(f64::INFINITY, f64::min);
                let greatest = column.iter().copied().fold(f64::NEG_INFINITY, f64::max);
                let at = i % self.columns * 2 * FAN + i / self.columns;
                (boxes[at], boxes[at + FAN]) = (least, greatest);
            }
        });
        Ok(level)
    }

    /// How many leaves there are.
    pub fn leaves(&self) -> usize {
        self.levels[0].nodes
    }

    /// The points of a leaf, column after column.
    #[inline(always)]
    pub(super) fn leaf(&self, leaf: usize) -> &[f64] {
        &self.points[leaf * LEAF * self.columns..][..LEAF * self.columns]
    }
}

/// The boxes around groups of sixteen.
fn above(below: &Level, columns: usize) -> Result<Level> {
    let groups = below.nodes.div_ceil(FAN);
    let mut level = Level::new(groups, columns)?;
    for group in 0..groups {
        let fan = below.fan(group);
        for (j, column) in below.group(group, columns).chunks_exact(2 * FAN).enumerate() {
            let least = column[..fan].iter().copied().fold(f64::INFINITY, f64::min);
            let greatest = column[FAN..][..fan].iter().copied().fold(f64::NEG_INFINITY, f64::max);
            let at = (group / FAN * columns + j) * 2 * FAN + group % FAN;
            (level.boxes[at], level.boxes[at + FAN]) = (least, greatest);
        }
    }
    Ok(level)
}
