//! Points in the order of a k-d tree: those of a leaf are neighbors in memory, and so are those of any sixteen leaves.
//!
//! The list of all points is divided at the median of its widest column, again and again. Points carry their coordinates
//! along, so the work runs through memory from one end to the other. Divisions fall where groups of 16, 256, ... leaves
//! end, so the tree above needs no pointers. Any order is right; a good one is fast.
//!
//! Coordinates are *keys*, i32 that order like the numbers. Where every number is an f32 a key holds its bits
//! ([`key_of`]), and nobody needs to look the rows up again; otherwise it is a whole number on a scale that fits the list.
//!
//! Glossary. A *list* holds points column after column; the last column is the number of their row.

use super::median::{cut, nth, widest};
use super::rows::Rows;
use super::tree::LEAF;
use crate::Result;
use crate::simd::Isa;
use crate::sys::pages::zeros;
use crate::sys::pool::Cancel;
use rayon::prelude::*;

/// The most coordinates that a point carries. With more columns the widest ones decide.
pub const CARRIED: usize = 12;
/// Leaves of a node, nodes of a node above.
pub const FAN: usize = 16;
/// Lists of more points than this are divided by two threads.
const LARGE: usize = 1 << 14;
/// The columns of lists of more points than this are moved by two threads.
const HUGE: usize = 1 << 18;
/// About so many points are looked at to find the widest column.
const LOOKED_AT: usize = 1 << 11;
/// How wide the widest column of a list is when its scale is new.
const WIDE: f64 = (1 << 29) as f64;
/// Lists that have become so narrow get a new scale: that of the whole table is too coarse for them.
const NARROW: f64 = (1 << 12) as f64;

/// The key of a number: the order of its bits, as a whole number with a sign, is its own order.
#[inline(always)]
pub fn key_of(number: f32) -> i32 {
    let bits = number.to_bits() as i32;
    bits ^ ((bits >> 31) as u32 >> 1) as i32
}

/// The number of a key.
#[inline(always)]
pub fn number_of(key: i32) -> f32 {
    f32::from_bits((key ^ ((key >> 31) as u32 >> 1) as i32) as u32)
}

/// Points in the order of a k-d tree.
#[derive(Debug)]
pub struct LeafLists {
    /// The list of each leaf, one after the other.
    pub lists: Vec<i32>,
    /// Columns of a list: those that points carry, and their row numbers.
    pub width: usize,
    /// Whether lists hold all numbers of their rows, as [`key_of`] writes them.
    pub complete: bool,
}

impl LeafLists {
    /// The row numbers.
    pub fn rows(&self) -> Result<Vec<u32>> {
        let mut order = zeros(self.lists.len() / self.width)?;
        for (order, list) in order.chunks_mut(LEAF).zip(self.lists.chunks(LEAF * self.width)) {
            copy_numbers(list, order);
        }
        Ok(order)
    }
}

/// Copies the row numbers of a list.
#[inline(always)]
pub fn copy_numbers(list: &[i32], to: &mut [u32]) {
    let numbers = &list[list.len() - to.len()..];
    to.iter_mut().zip(numbers).for_each(|(to, &number)| *to = number as u32);
}

/// What is divided, and into what.
struct ListDivider<'a> {
    rows: &'a Rows,
    /// The columns that points carry.
    columns: Vec<usize>,
    /// Whether keys are the bits of numbers, which are all of single precision.
    is_single: bool,
    isa: Isa,
    cancel: &'a Cancel,
}

/// Complete rows in the order of leaves of [`LEAF`] points each (the last may have fewer).
pub fn arrange(rows: &Rows, isa: Isa, cancel: &Cancel) -> Result<LeafLists> {
    let divider = ListDivider { rows, columns: widest_columns(rows), is_single: rows.is_single(), isa, cancel };
    let width = divider.columns.len() + 1;
    let (mut lists, mut other) = (zeros(rows.len() * width)?, zeros(rows.len() * width)?);
    lists[rows.len() * (width - 1)..].iter_mut().zip(0..).for_each(|(number, row)| *number = row);
    divider.write_keys(&mut lists);
    divider.divide(&mut lists, &mut other, true)?;
    Ok(LeafLists { lists, width, complete: divider.is_single && width > rows.columns().0 })
}

/// The columns that points carry, in their order.
fn widest_columns(rows: &Rows) -> Vec<usize> {
    let (count, step) = (rows.columns().0, (rows.len() / LOOKED_AT).max(1));
    let spread = |j: usize| {
        let values = (0..rows.len()).step_by(step).map(|row| rows.numbers_of(row)[j]);
        let (low, high) = values.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), x| (l.min(x), h.max(x)));
        high - low
    };
    let mut columns: Vec<usize> = (0..count).collect();
    if count > CARRIED {
        let spreads: Vec<f64> = columns.iter().map(|&j| spread(j)).collect();
        columns.sort_by(|&a, &b| spreads[b].total_cmp(&spreads[a]));
        columns.truncate(CARRIED);
        columns.sort_unstable();
    }
    columns
}

impl ListDivider<'_> {
    fn width(&self) -> usize {
        self.columns.len() + 1
    }

    /// Divides a list into the lists of its leaves; `other` is room for a list of the same size. The leaves are left in
    /// `list`, if that is their home, or in `other`.
    fn divide(&self, list: &mut [i32], other: &mut [i32], home: bool) -> Result<()> {
        let (count, width) = (list.len() / self.width(), self.width());
        let leaves = count.div_ceil(LEAF);
        if leaves < 2 {
            if !home {
                other.copy_from_slice(list);
            }
            return Ok(());
        }
        let mut widest = self.widest_of(list);
        if !self.is_single && widest.1 < NARROW && self.write_keys(list) {
            widest = self.widest_of(list);
        }
        if widest.1 == 0.0 {
            self.copy_leaves(list, other);
            if home {
                list.copy_from_slice(other);
            }
            return Ok(());
        }
        let middle = split(leaves) * LEAF;
        self.cut(list, other, widest.0, middle);
        let (list, other) = (list.split_at_mut(middle * width), other.split_at_mut(middle * width));
        if count < LARGE {
            self.divide(other.0, list.0, !home)?;
            return self.divide(other.1, list.1, !home);
        }
        self.cancel.check()?;
        let (low, high) = rayon::join(|| self.divide(other.0, list.0, !home), || self.divide(other.1, list.1, !home));
        low.and(high)
    }

    /// Divides a list as it stands: points that do not differ.
    fn copy_leaves(&self, list: &[i32], other: &mut [i32]) {
        let (count, width) = (list.len() / self.width(), self.width());
        for (i, leaf) in other.chunks_mut(LEAF * width).enumerate() {
            let points = leaf.len() / width;
            for (to, column) in leaf.chunks_exact_mut(points).zip(list.chunks_exact(count)) {
                to.copy_from_slice(&column[i * LEAF..][..points]);
            }
        }
    }

    /// The widest column of a list, as far as some of its points tell, and how wide it is.
    fn widest_of(&self, list: &[i32]) -> (usize, f64) {
        let keys = &list[..list.len() / self.width() * self.columns.len()];
        let number = |key| if self.is_single { f64::from(number_of(key)) } else { f64::from(key) };
        widest(self.isa, keys, self.columns.len(), LOOKED_AT, number)
    }

    /// Moves the points of a list to the left and to the right side of another; half of the columns each, where there are
    /// many points: the first divisions would keep other threads waiting.
    fn cut(&self, list: &[i32], other: &mut [i32], column: usize, middle: usize) {
        let width = self.width();
        let count = list.len() / width;
        let keys = &list[column * count..][..count];
        let (pivot, less) = nth(self.isa, keys, middle, &mut other[..count]);
        let (left, right) = other.split_at_mut(middle * width);
        let half = if count < HUGE { width } else { width / 2 };
        let (columns, left) = (list.split_at(half * count), left.split_at_mut(half * middle));
        let right = right.split_at_mut(half * (count - middle));
        let move_columns =
            |columns, left, right| cut(self.isa, keys, columns, left, right, pivot, middle - less, middle);
        if half == width {
            move_columns(columns.0, left.0, right.0);
        } else {
            rayon::join(|| move_columns(columns.0, left.0, right.0), || move_columns(columns.1, left.1, right.1));
        }
    }

    /// Gives the points of a list keys: the bits of their numbers, or whole numbers on a scale as fine as the widest
    /// column allows. Says whether the scale is new, which needs a column of different numbers.
    fn write_keys(&self, list: &mut [i32]) -> bool {
        let count = list.len() / self.width();
        let (cells, numbers) = list.split_at_mut(count * self.columns.len());
        if self.is_single {
            self.write_each(cells, numbers, |_, x| key_of(x as f32));
            return true;
        }
        let limits: Vec<(f64, f64)> = self.columns.iter().map(|&j| self.limits(numbers, j)).collect();
        let widest = limits.iter().map(|(low, high)| high / 2.0 - low / 2.0).fold(0.0, f64::max);
        if widest == 0.0 {
            return false;
        }
        // Half of numbers up to 1e120: their sums and differences are numbers too.
        let scale = WIDE / 2.0 / widest;
        let middles: Vec<f64> = limits.iter().map(|(low, high)| low / 2.0 + high / 2.0).collect();
        // Points far away from those that are looked at get the least and the greatest key.
        self.write_each(cells, numbers, |column, x| {
            ((x - middles[column]) * scale).clamp(-2.0 * WIDE, 2.0 * WIDE) as i32
        });
        true
    }

    /// Writes a key for each cell, of its place among the columns and its number.
    fn write_each(&self, cells: &mut [i32], numbers: &[i32], key: impl Fn(usize, f64) -> i32 + Sync) {
        let mut parts: Vec<(&[i32], Vec<&mut [i32]>)> = numbers.chunks(LARGE).map(|rows| (rows, Vec::new())).collect();
        for column in cells.chunks_mut(numbers.len()) {
            parts.iter_mut().zip(column.chunks_mut(LARGE)).for_each(|(part, cells)| part.1.push(cells));
        }
        parts.par_iter_mut().for_each(|(rows, cells)| {
            for (i, &row) in rows.iter().enumerate() {
                let numbers = self.rows.numbers_of(row as usize);
                for (place, (cells, &j)) in cells.iter_mut().zip(&self.columns).enumerate() {
                    cells[i] = key(place, numbers[j]);
                }
            }
        });
    }

    /// The least and the greatest number of a column among some of the rows.
    fn limits(&self, rows: &[i32], column: usize) -> (f64, f64) {
        let step = (rows.len() / LOOKED_AT).max(1);
        let values = rows.iter().step_by(step).map(|&row| self.rows.numbers_of(row as usize)[column]);
        values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| (low.min(x), high.max(x)))
    }
}

/// How many of the leaves go to the left: about half, and whole groups.
fn split(leaves: usize) -> usize {
    let mut group = 1;
    while group * FAN < leaves {
        group *= FAN;
    }
    group * (leaves.div_ceil(group) / 2)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn keys_order_like_numbers_and_hold_their_bits() {
        let numbers = [f32::NEG_INFINITY, -1e30, -1.5, -1e-40, -0.0, 0.0, 1e-45, 1.0, 1.5, f32::MAX];
        assert!(numbers.windows(2).all(|pair| key_of(pair[0]) < key_of(pair[1])));
        assert!(numbers.iter().all(|&x| number_of(key_of(x)).to_bits() == x.to_bits()));
    }

    /// Every row is there once, with its own numbers, in leaves that lie in separate boxes where numbers differ.
    #[test]
    fn rows_keep_their_numbers() {
        let numbers: Vec<f64> = (0..9000u32).map(|i| f64::from(i.wrapping_mul(2_654_435_761) >> 20) / 7.0).collect();
        for single in [false, true] {
            for (columns, different) in [(1, true), (3, true), (15, true), (3, false)] {
                let cells = numbers.iter().map(|&x| if different { x } else { 5.0 });
                let cells: Vec<f64> = cells.map(|x| if single { f64::from(x as f32) } else { x }).collect();
                let rows = Rows::new(cells.len() / columns, cells, &[]).unwrap();
                let arranged = arrange(&rows, Isa::detect(), &Cancel::default()).unwrap();
                assert_eq!(arranged.complete, columns <= CARRIED && (single || !different));
                let mut order = arranged.rows().unwrap();
                for (rows_of, list) in order.chunks(64).zip(arranged.lists.chunks(64 * arranged.width)) {
                    for (i, &row) in rows_of.iter().enumerate().filter(|_| arranged.complete) {
                        for (j, &x) in rows.numbers_of(row as usize).iter().enumerate() {
                            assert_eq!(f64::from(number_of(list[j * rows_of.len() + i])), x);
                        }
                    }
                }
                order.sort_unstable();
                assert!(order.iter().zip(0..).all(|(&row, i)| row == i) && order.len() == rows.len());
            }
        }
    }
}
