//! Points in the order of a k-d tree: those of a leaf are neighbours in the list, and so are those of any sixteen leaves.
//!
//! The list is divided at the median of its widest column, again and again; points carry their coordinates along, so the
//! work runs through memory from one end to the other. Divisions fall where groups of 16, 256, ... leaves end, so the
//! tree above needs no pointers.

use super::rows::{Rows, zeros};
use crate::Result;
use crate::pool::Cancel;
use rayon::prelude::*;

/// The most coordinates that a point carries. With more columns the widest ones decide.
pub const CARRIED: usize = 12;
/// Leaves of a node, nodes of a node above.
pub const FAN: usize = 16;
/// Lists of more points than this are divided by two threads.
const LARGE: usize = 1 << 14;
/// So many points are looked at to find the widest column.
const LOOKED_AT: usize = 1 << 10;

/// A point on its way to its leaf.
#[derive(Clone, Copy)]
struct Point<const D: usize> {
    at: [f64; D],
    row: u32,
}

/// Rows in the order of leaves.
#[derive(Debug)]
pub struct Arranged {
    /// The number that each row had before.
    pub order: Vec<u32>,
    /// The numbers, row after row.
    pub numbers: Vec<f64>,
}

/// Arranges complete rows into leaves of `leaf` points each (the last may have fewer).
pub fn arrange(rows: &Rows, leaf: usize, cancel: &Cancel) -> Result<Arranged> {
    let columns = widest(rows);
    match columns.len() {
        1 => arranged::<1>(rows, &columns, leaf, cancel),
        2 => arranged::<2>(rows, &columns, leaf, cancel),
        3 => arranged::<3>(rows, &columns, leaf, cancel),
        4 => arranged::<4>(rows, &columns, leaf, cancel),
        5 => arranged::<5>(rows, &columns, leaf, cancel),
        6 => arranged::<6>(rows, &columns, leaf, cancel),
        7 => arranged::<7>(rows, &columns, leaf, cancel),
        8 => arranged::<8>(rows, &columns, leaf, cancel),
        9 => arranged::<9>(rows, &columns, leaf, cancel),
        10 => arranged::<10>(rows, &columns, leaf, cancel),
        11 => arranged::<11>(rows, &columns, leaf, cancel),
        _ => arranged::<CARRIED>(rows, &columns, leaf, cancel),
    }
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

fn arranged<const D: usize>(rows: &Rows, columns: &[usize], leaf: usize, cancel: &Cancel) -> Result<Arranged> {
    let mut points: Vec<Point<D>> = Vec::new();
    points.try_reserve_exact(rows.len())?;
    points.extend((0..rows.len()).map(|row| {
        let numbers = rows.numbers_of(row);
        Point { at: std::array::from_fn(|i| numbers[columns[i]]), row: row as u32 }
    }));
    divide(&mut points, leaf, cancel)?;
    let width = rows.columns().0;
    let (mut order, mut numbers) = (zeros(points.len())?, zeros(rows.numbers().len())?);
    let places = order.par_iter_mut().zip(numbers.par_chunks_exact_mut(width));
    places.zip(&points).with_min_len(LARGE).for_each(|((row, numbers), point)| {
        *row = point.row;
        // What the points carry need not be looked up again all over the memory.
        numbers.copy_from_slice(if width == D { &point.at } else { rows.numbers_of(point.row as usize) });
    });
    Ok(Arranged { order, numbers })
}

/// Divides a list into leaves.
fn divide<const D: usize>(points: &mut [Point<D>], leaf: usize, cancel: &Cancel) -> Result<()> {
    let leaves = points.len().div_ceil(leaf);
    if leaves < 2 {
        return Ok(());
    }
    let (middle, column) = (split(leaves) * leaf, widest_of(points));
    points.select_nth_unstable_by(middle, |a, b| a.at[column].total_cmp(&b.at[column]));
    let (low, high) = points.split_at_mut(middle);
    if leaves * leaf < LARGE {
        divide(low, leaf, cancel)?;
        return divide(high, leaf, cancel);
    }
    cancel.check()?;
    let (low, high) = rayon::join(|| divide(low, leaf, cancel), || divide(high, leaf, cancel));
    low.and(high)
}

/// How many of the leaves go to the left: about half, and whole groups.
fn split(leaves: usize) -> usize {
    let mut group = 1;
    while group * FAN < leaves {
        group *= FAN;
    }
    group * (leaves.div_ceil(group) / 2)
}

fn widest_of<const D: usize>(points: &[Point<D>]) -> usize {
    let (mut low, mut high) = ([f64::INFINITY; D], [f64::NEG_INFINITY; D]);
    for point in points.iter().step_by((points.len() / LOOKED_AT).max(1)) {
        for j in 0..D {
            low[j] = low[j].min(point.at[j]);
            high[j] = high[j].max(point.at[j]);
        }
    }
    (0..D).fold(0, |best, j| if high[j] - low[j] > high[best] - low[best] { j } else { best })
}
