//! A k-d tree without pointers: for few columns, where most of the rows are never looked at.
//!
//! Leaves hold [`LEAF`] points, column by column; a node of level h has 16 nodes of level h − 1 (leaves, below level 0),
//! and the boxes around them lie together, so that sixteen are compared at once.
//!
//! Points and boxes are f32, counted from the middle of their *group*, the sixteen nodes that lie together, in a unit in
//! which all numbers are at most 1: there f32 is as fine as it can be where it matters. They only tell which points may
//! be near; those are measured in f64.
//!
//! How wrong a key in f32 can be: with u = 2^-24, r the radius of the group (half the sum of its sides) and δ the true
//! distance, rounding a point, the query and their difference moves a distance by at most u(2δ + 2r), and adding d
//! columns by (d + 2)u of itself. So with twice as much, b = 1 + (d + 8)u and a = 4ur, each of δ and the computed
//! distance is at most b times the other and a. For squares, (bx + a)² ≤ b²x²(1 + ε) + a²(1 + 1/ε) with ε = 2^-20. Either
//! way one bound serves: `grow` times the other key and the group's `slack`. What vanishes in f32 is less than 1e-44 a
//! column. Boxes are rounded outwards, so the same holds for the nearest corner of a box.

use super::boxes::{Boxes, write_leaves};
use super::kd_order::{FAN, LeafLists, arrange};
use super::rows::Rows;
use crate::Result;
use crate::simd::Isa;
use crate::sys::pages::{Lined, zeros};
use crate::sys::pool::Cancel;
use rayon::prelude::*;

/// Points of a leaf. More means fewer boxes to compare and more points to measure.
pub const LEAF: usize = 64;

/// The tree. Its shape follows from the number of points.
#[derive(Debug)]
pub struct Tree {
    pub(super) columns: usize,
    /// Leaf after leaf, column after column, point after point; NaN where the last leaf has no more points.
    pub(super) points: Lined<f32>,
    /// The row number of each point.
    pub(super) rows: Vec<u32>,
    /// The rows in the order of the points: those to measure lie together.
    pub(super) exact: Rows,
    /// From the leaves up.
    pub(super) levels: Vec<Boxes>,
    /// A power of two.
    pub(super) unit: f64,
    /// How much larger than another a key of the same distance can be, but for the slack.
    pub(super) grow: f32,
}

impl Tree {
    /// Arranges complete rows, for keys that are sums of squares or not.
    pub fn new(rows: &Rows, squares: bool, isa: Isa, cancel: &Cancel) -> Result<Tree> {
        let columns = rows.columns().0;
        let arranged = arrange(rows, isa, cancel)?;
        cancel.check()?;
        let size = rows.size();
        let unit = if size > 0.0 { libm::ldexp(1.0, -1 - libm::frexp(size).1) } else { 1.0 };
        let leaves = rows.len().div_ceil(LEAF);
        let (mut points, mut exact) = (Lined::zeros(leaves * LEAF * columns)?, zeros(rows.len() * columns)?);
        let mut lowest = Boxes::new(leaves, columns, unit, squares)?;
        // What lies around the leaves of each group, for the level above.
        let mut around = zeros(lowest.groups() * 2 * columns)?;
        let mut order = zeros(rows.len())?;
        let LeafLists { lists, width, complete, .. } = &arranged;
        let each = points.par_chunks_mut(FAN * LEAF * columns).zip(order.par_chunks_mut(FAN * LEAF));
        let each = each.zip(exact.par_chunks_mut(FAN * LEAF * columns)).zip(lowest.each(&mut around));
        each.zip(lists.par_chunks(FAN * LEAF * width)).for_each(|((((points, order), exact), mut at), lists)| {
            write_leaves(isa, rows, lists, *complete, order, exact, points, &mut at);
        });
        let mut levels = vec![lowest];
        while let Some(nodes) = levels.last().map(Boxes::groups).filter(|&nodes| nodes > 1) {
            let mut level = Boxes::new(nodes, columns, unit, squares)?;
            let mut above = zeros(level.groups() * 2 * columns)?;
            let each = level.each(&mut above).zip(around.par_chunks(FAN * 2 * columns));
            each.for_each(|(mut at, sides)| at.write(sides));
            around = above;
            levels.push(level);
        }
        let grow = 1.0 + libm::ldexp(1.0, -20) + (2 * columns + 32) as f64 * libm::ldexp(1.0, -24);
        let exact = Rows::reordered(rows, exact);
        Ok(Tree { columns, points, rows: order, exact, levels, unit, grow: (grow as f32).next_up() })
    }

    /// How many leaves there are.
    pub fn leaves(&self) -> usize {
        self.levels[0].nodes
    }

    /// The points of a leaf, column after column.
    #[inline(always)]
    pub(super) fn leaf(&self, leaf: usize) -> &[f32] {
        &self.points[leaf * LEAF * self.columns..][..LEAF * self.columns]
    }
}
