//! The boxes of one level of a [`super::tree::Tree`], and the points in the lowest ones.
//!
//! Glossary. The *sides* of a box are its least numbers, column by column, then its greatest; they are exact.

use super::kd_order::{FAN, copy_numbers, number_of};
use super::rows::Rows;
use super::tree::LEAF;
use crate::Result;
use crate::simd::multiversion;
use crate::sys::pages::{Lined, zeros};
use rayon::prelude::*;

/// What vanishes in f32.
const NOTHING: f64 = 1e-44;
/// The least numbers of eight rows at a time.
const LANES: usize = 8;

/// The boxes of a level, sixteen together.
#[derive(Debug)]
pub struct Boxes {
    /// How many boxes there are.
    pub nodes: usize,
    columns: usize,
    unit: f64,
    squares: bool,
    /// The middle of each group.
    middles: Vec<f64>,
    /// How wrong keys can be in each group, beyond the part that grows with them.
    slacks: Vec<f32>,
    /// For each group and each column, sixteen least and sixteen greatest numbers, rounded outwards.
    sides: Lined<f32>,
}

impl Boxes {
    /// Room for so many boxes.
    pub fn new(nodes: usize, columns: usize, unit: f64, squares: bool) -> Result<Boxes> {
        let groups = nodes.div_ceil(FAN);
        Ok(Boxes {
            nodes,
            columns,
            unit,
            squares,
            middles: zeros(groups * columns)?,
            slacks: zeros(groups)?,
            sides: Lined::zeros(groups * columns * 2 * FAN)?,
        })
    }

    /// How many groups there are.
    pub fn groups(&self) -> usize {
        self.slacks.len()
    }

    /// The boxes of a group, for each column sixteen least and sixteen greatest numbers.
    #[inline(always)]
    pub fn group(&self, group: usize) -> &[f32] {
        let size = self.columns * 2 * FAN;
        &self.sides[group * size..][..size]
    }

    /// The middle of a group.
    #[inline(always)]
    pub fn middle(&self, group: usize) -> &[f64] {
        &self.middles[group * self.columns..][..self.columns]
    }

    /// How wrong keys can be in a group.
    #[inline(always)]
    pub fn slack(&self, group: usize) -> f32 {
        self.slacks[group]
    }

    /// How many boxes a group has.
    #[inline(always)]
    pub fn fan(&self, group: usize) -> usize {
        FAN.min(self.nodes - group * FAN)
    }

    /// The places of all groups, with those for the sides of the boxes around them.
    pub fn each<'a>(&'a mut self, around: &'a mut [f64]) -> impl IndexedParallelIterator<Item = GroupPlace<'a>> {
        let (columns, unit, squares) = (self.columns, self.unit, self.squares);
        let places = self.sides.par_chunks_mut(columns * 2 * FAN).zip(self.middles.par_chunks_mut(columns));
        places
            .zip(&mut self.slacks)
            .zip(around.par_chunks_mut(2 * columns))
            .map(move |(((sides, middle), slack), around)| GroupPlace { unit, squares, sides, middle, slack, around })
    }
}

/// The place of a group.
pub struct GroupPlace<'a> {
    unit: f64,
    squares: bool,
    sides: &'a mut [f32],
    middle: &'a mut [f64],
    slack: &'a mut f32,
    /// The sides of the box around the group.
    around: &'a mut [f64],
}

impl GroupPlace<'_> {
    /// Writes a group from the sides of its boxes.
    #[inline(always)]
    pub fn write(&mut self, nodes: &[f64]) {
        let columns = self.middle.len();
        let mut radius = 0.0;
        for (j, cells) in self.sides.chunks_exact_mut(2 * FAN).enumerate() {
            let (low, high) =
                (nodes[j..].iter().step_by(2 * columns), nodes[columns + j..].iter().step_by(2 * columns));
            let least = low.clone().fold(f64::INFINITY, |a, &b| a.min(b));
            let greatest = high.clone().fold(f64::NEG_INFINITY, |a, &b| a.max(b));
            let middle = least / 2.0 + greatest / 2.0;
            let (lows, highs) = cells.split_at_mut(FAN);
            lows.iter_mut().zip(low).for_each(|(to, x)| *to = (((x - middle) * self.unit) as f32).next_down());
            highs.iter_mut().zip(high).for_each(|(to, x)| *to = (((x - middle) * self.unit) as f32).next_up());
            radius += (greatest / 2.0 - least / 2.0) * self.unit;
            (self.around[j], self.around[columns + j], self.middle[j]) = (least, greatest, middle);
        }
        let nothing = (columns + 2) as f64 * NOTHING;
        let wrong = 4.0 * radius * libm::ldexp(1.0, -24) * (1.0 + 1e-9) + nothing;
        let slack = if self.squares { wrong * wrong * (libm::ldexp(1.0, 20) + 1.0) + nothing } else { wrong };
        *self.slack = (slack as f32).next_up();
    }
}

multiversion! {
    /// Writes the lowest boxes of a group and the points in them. `lists` are those of the leaves, as
    /// [`arrange`](super::kd_order) leaves them, and `complete` says whether they hold all numbers. The row numbers go to
    /// `order`, their numbers to `exact`, row after row.
    pub fn write_leaves(
        rows: &Rows,
        lists: &[i32],
        complete: bool,
        order: &mut [u32],
        exact: &mut [f64],
        points: &mut [f32],
        at: &mut GroupPlace<'_>,
    ) {
        let columns = rows.columns().0;
        let leaves = order.len().div_ceil(LEAF);
        let width = lists.len() / order.len();
        for (order, list) in order.chunks_mut(LEAF).zip(lists.chunks(LEAF * width)) {
            copy_numbers(list, order);
        }
        let mut turned = vec![f64::NAN; leaves * LEAF * columns];
        let turn = turned.chunks_exact_mut(LEAF * columns).zip(exact.chunks_mut(LEAF * columns));
        if complete {
            for ((leaf, rows), list) in turn.zip(lists.chunks(LEAF * width)) {
                read_list(list, columns, leaf, rows);
            }
        } else {
            // The rows are all over the memory: nothing else is done while they are on their way.
            for (to, &row) in exact.chunks_exact_mut(columns).zip(&*order) {
                to.iter_mut().zip(rows.numbers_of(row as usize)).for_each(|(to, &x)| *to = x);
            }
            for (leaf, rows) in turned.chunks_exact_mut(LEAF * columns).zip(exact.chunks(LEAF * columns)) {
                for (i, row) in rows.chunks_exact(columns).enumerate() {
                    leaf[i..].iter_mut().step_by(LEAF).zip(row).for_each(|(to, &x)| *to = x);
                }
            }
        }
        let mut sides = vec![0.0; leaves * 2 * columns];
        for (sides, leaf) in sides.chunks_exact_mut(2 * columns).zip(turned.chunks_exact(LEAF * columns)) {
            for (j, column) in leaf.chunks_exact(LEAF).enumerate() {
                (sides[j], sides[columns + j]) = limits(column);
            }
        }
        at.write(&sides);
        let cells = points.chunks_exact_mut(LEAF).zip(turned.chunks_exact(LEAF));
        for ((to, from), middle) in cells.zip(at.middle.iter().cycle()) {
            to.iter_mut().zip(from).for_each(|(to, x)| *to = ((x - middle) * at.unit) as f32);
        }
    }
}

/// The numbers of a leaf's list, column by column and row by row.
#[inline(always)]
fn read_list(list: &[i32], columns: usize, leaf: &mut [f64], rows: &mut [f64]) {
    let count = rows.len() / columns;
    for (j, (column, keys)) in leaf.chunks_exact_mut(LEAF).zip(list.chunks_exact(count)).enumerate() {
        column.iter_mut().zip(keys).for_each(|(to, &key)| *to = number_of(key).into());
        rows[j..].iter_mut().step_by(columns).zip(&*column).for_each(|(to, &x)| *to = x);
    }
}

/// The least and the greatest of a leaf's numbers; NaN, the padding, is neither.
#[inline(always)]
fn limits(numbers: &[f64]) -> (f64, f64) {
    let (mut low, mut high) = ([f64::INFINITY; LANES], [f64::NEG_INFINITY; LANES]);
    for eight in numbers.as_chunks::<LANES>().0 {
        for i in 0..LANES {
            low[i] = if eight[i] < low[i] { eight[i] } else { low[i] };
            high[i] = if eight[i] > high[i] { eight[i] } else { high[i] };
        }
    }
    (low.into_iter().fold(f64::INFINITY, f64::min), high.into_iter().fold(f64::NEG_INFINITY, f64::max))
}
