//! Points in the order of a k-d tree: those of a leaf are neighbours in the list, and so are those of any sixteen leaves.
//!
//! The list is divided at the median of its widest column, again and again; points carry their coordinates along, as
//! whole numbers of 31 bits, so the work runs through memory from one end to the other. Divisions fall where groups of
//! 16, 256, ... leaves end, so the tree above needs no pointers. Any order is right; a good one is quick.
//!
//! Glossary. A *list* holds points column after column; the last column is the number of their row.

use super::median::{Cut, Nth};
use super::rows::Rows;
use crate::Result;
use crate::simd::{Isa, run};
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
/// Points that lie together when some are looked at.
const TOGETHER: usize = 16;
/// What the widest column of a list is wide when its whole numbers are new.
const WIDE: f64 = (1 << 29) as f64;
/// Lists that have become so narrow get new whole numbers: those of the whole table are too coarse for them.
const NARROW: i64 = 1 << 12;

/// What is divided, and into what.
struct Division<'a> {
    rows: &'a Rows,
    /// The columns that points carry.
    columns: Vec<usize>,
    leaf: usize,
    isa: Isa,
    cancel: &'a Cancel,
}

/// The numbers of complete rows in the order of leaves of `leaf` points each (the last may have fewer).
pub fn arrange(rows: &Rows, leaf: usize, isa: Isa, cancel: &Cancel) -> Result<Vec<u32>> {
    let division = Division { rows, columns: widest(rows), leaf, isa, cancel };
    let width = division.columns.len() + 1;
    let mut order = zeros(rows.len())?;
    let (mut list, mut other) = (zeros(rows.len() * width)?, zeros(rows.len() * width)?);
    list[rows.len() * (width - 1)..].iter_mut().zip(0..).for_each(|(number, row)| *number = row);
    division.measure(&mut list);
    division.divide(&mut list, &mut other, &mut order)?;
    Ok(order)
}

/// The columns that points carry, in their order.
fn widest(rows: &Rows) -> Vec<usize> {
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

impl Division<'_> {
    /// Divides a list into leaves and writes their row numbers; `other` is room for a list of the same size.
    fn divide(&self, list: &mut [i32], other: &mut [i32], order: &mut [u32]) -> Result<()> {
        let (count, width) = (order.len(), self.columns.len() + 1);
        let leaves = count.div_ceil(self.leaf);
        let mut widest = widest_of(list, count);
        if leaves > 1 && widest.1 < NARROW && self.measure(list) {
            widest = widest_of(list, count);
        }
        if leaves < 2 || widest.1 == 0 {
            let numbers = &list[count * (width - 1)..];
            order.iter_mut().zip(numbers).for_each(|(row, &number)| *row = number as u32);
            return Ok(());
        }
        let middle = split(leaves) * self.leaf;
        self.cut(list, other, count, widest.0, middle);
        let (list, other) = (list.split_at_mut(middle * width), other.split_at_mut(middle * width));
        let order = order.split_at_mut(middle);
        if count < LARGE {
            self.divide(other.0, list.0, order.0)?;
            return self.divide(other.1, list.1, order.1);
        }
        self.cancel.check()?;
        let (low, high) =
            rayon::join(|| self.divide(other.0, list.0, order.0), || self.divide(other.1, list.1, order.1));
        low.and(high)
    }

    /// Moves the points of a list to the left and to the right side of another; half of the columns each, where there are
    /// many points: the first divisions would keep other threads waiting.
    fn cut(&self, list: &[i32], other: &mut [i32], count: usize, column: usize, middle: usize) {
        let width = list.len() / count;
        let keys = &list[column * count..][..count];
        let (pivot, less) = run(Nth { keys, place: middle, room: &mut other[..count] }, self.isa);
        let (left, right) = other.split_at_mut(middle * width);
        let half = if count < HUGE { width } else { width / 2 };
        let (columns, left) = (list.split_at(half * count), left.split_at_mut(half * middle));
        let right = right.split_at_mut(half * (count - middle));
        let cut = |columns, left, right| {
            run(Cut { keys, columns, left, right, pivot, ties: middle - less, middle }, self.isa);
        };
        if half == width {
            cut(columns.0, left.0, right.0);
        } else {
            rayon::join(|| cut(columns.0, left.0, right.0), || cut(columns.1, left.1, right.1));
        }
    }

    /// Gives the points of a list new whole numbers, as fine as its widest column allows; says whether there is a
    /// column of different numbers. Points far away from those that are looked at get the least and the greatest.
    fn measure(&self, list: &mut [i32]) -> bool {
        let width = self.columns.len() + 1;
        let count = list.len() / width;
        let (cells, numbers) = list.split_at_mut(count * (width - 1));
        let limits: Vec<(f64, f64)> = self.columns.iter().map(|&j| self.limits(numbers, j)).collect();
        let widest = limits.iter().map(|(low, high)| high / 2.0 - low / 2.0).fold(0.0, f64::max);
        if widest == 0.0 {
            return false;
        }
        // Half of numbers up to 1e120: their sums and differences are numbers too.
        let scale = WIDE / 2.0 / widest;
        let mut parts: Vec<(&[i32], Vec<&mut [i32]>)> = numbers.chunks(LARGE).map(|rows| (rows, Vec::new())).collect();
        for column in cells.chunks_mut(count) {
            parts.iter_mut().zip(column.chunks_mut(LARGE)).for_each(|(part, cells)| part.1.push(cells));
        }
        parts.par_iter_mut().for_each(|(rows, cells)| {
            for (i, &row) in rows.iter().enumerate() {
                let numbers = self.rows.numbers_of(row as usize);
                for ((cells, &j), (low, high)) in cells.iter_mut().zip(&self.columns).zip(&limits) {
                    let apart = (numbers[j] - (low / 2.0 + high / 2.0)) * scale;
                    cells[i] = apart.clamp(-2.0 * WIDE, 2.0 * WIDE) as i32;
                }
            }
        });
        true
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

/// The widest column of a list, as far as some of its points tell, and how wide it is.
fn widest_of(list: &[i32], count: usize) -> (usize, i64) {
    let last = list.len() / count - 1;
    let widths = list.chunks_exact(count).take(last).map(width).enumerate();
    widths.fold((0, -1), |best, this| if this.1 > best.1 { this } else { best })
}

/// How wide some numbers are.
fn width(numbers: &[i32]) -> i64 {
    let (chunks, rest) = numbers.as_chunks::<TOGETHER>();
    let (mut low, mut high) = ([i32::MAX; TOGETHER], [i32::MIN; TOGETHER]);
    for chunk in chunks.iter().step_by((numbers.len() / LOOKED_AT).max(1)) {
        for (i, &x) in chunk.iter().enumerate() {
            (low[i], high[i]) = (low[i].min(x), high[i].max(x));
        }
    }
    let low = low.iter().chain(rest).fold(i32::MAX, |low, &x| low.min(x));
    let high = high.iter().chain(rest).fold(i32::MIN, |high, &x| high.max(x));
    i64::from(high) - i64::from(low)
}
