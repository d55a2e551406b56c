//! The best tree of depth two from the sums of pairs of columns.
//!
//! A set of weight N and sum S that is divided into (n, a) and (m, c) explains S^2/N + (a m - c n)^2 / (n m N). For one
//! root the first part and N are fixed, so the fractions (a m - c n)^2 / (n m) are compared, crosswise: no division.

use super::pairs::Pairs;
use super::sample::{Group, Sample};
use treewright_core::prelude::{Isa, Tier};

/// A tree as far as it matters: what it explains less the cost of its leaves, and the column of its root.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BestTree {
    /// Squares that are explained, less the cost of the leaves.
    pub score: f64,
    /// The column of the root; None: a leaf.
    pub root: Option<u32>,
}

/// Room for the best fractions of every root, for ones and for zeros.
#[derive(Debug, Default)]
pub struct Fractions {
    ones: [Vec<f64>; 2],
    zeros: [Vec<f64>; 2],
    column_sum: Vec<f64>,
    column_weight: Vec<f64>,
    column_rows: Vec<f64>,
}

/// The best tree of at most two levels for the groups of `pairs`, without those of `minus`.
pub fn best_tree(isa: Isa, sample: &Sample, pairs: &Pairs, minus: Option<&Pairs>, room: &mut Fractions) -> BestTree {
    let columns = sample.columns();
    let without = |all: Group, part: Group| Group {
        sum: all.sum - part.sum,
        weight: all.weight - part.weight,
        rows: all.rows - part.rows,
        key: [0; 2],
    };
    let none = Group::default();
    let total = without(pairs.total, minus.map_or(none, |minus| minus.total));
    let own = |j: usize| without(pairs.column(j), minus.map_or(none, |minus| minus.column(j)));
    room.prepare(columns, pairs.stride, own);
    let by_rows = sample.min_leaf > 1.0;
    let fewest = if by_rows { sample.min_leaf } else { 0.5 };
    match (minus, by_rows) {
        (Some(minus), false) => run::<true, false>(isa, pairs, minus, columns, total, fewest, room),
        (Some(minus), true) => run::<true, true>(isa, pairs, minus, columns, total, fewest, room),
        (None, false) => run::<false, false>(isa, pairs, pairs, columns, total, fewest, room),
        (None, true) => run::<false, true>(isa, pairs, pairs, columns, total, fewest, room),
    }
    let mut best = BestTree { score: total.explained() - sample.leaf, root: None };
    for j in 0..columns {
        let ones = own(j);
        let zeros = without(total, ones);
        if ones.rows.min(zeros.rows) < sample.min_leaf {
            continue;
        }
        let side = |set: Group, fraction: [f64; 2]| {
            let gain = if set.weight > 0.0 { fraction[0] / (fraction[1] * set.weight) } else { 0.0 };
            set.explained() - sample.leaf + (gain - sample.leaf).max(0.0)
        };
        let at = |list: &[Vec<f64>; 2]| [list[0][j], list[1][j]];
        let score = side(ones, at(&room.ones)) + side(zeros, at(&room.zeros));
        if score > best.score + sample.tolerance {
            best = BestTree { score, root: Some(j as u32) };
        }
    }
    best
}

impl Fractions {
    fn prepare(&mut self, columns: usize, stride: usize, own: impl Fn(usize) -> Group) {
        if self.column_sum.len() != stride {
            *self = Fractions {
                ones: [vec![0.0; stride], vec![1.0; stride]],
                zeros: [vec![0.0; stride], vec![1.0; stride]],
                column_sum: vec![0.0; stride],
                column_weight: vec![0.0; stride],
                column_rows: vec![0.0; stride],
            };
        } else {
            for [above, below] in [&mut self.ones, &mut self.zeros] {
                above.fill(0.0);
                below.fill(1.0);
            }
            for list in [&mut self.column_sum, &mut self.column_weight, &mut self.column_rows] {
                list[columns..].fill(0.0);
            }
        }
        for j in 0..columns {
            let own = own(j);
            (self.column_sum[j], self.column_weight[j], self.column_rows[j]) = (own.sum, own.weight, own.rows);
        }
    }
}

fn run<const MINUS: bool, const BY_ROWS: bool>(
    isa: Isa,
    pairs: &Pairs,
    minus: &Pairs,
    columns: usize,
    total: Group,
    fewest: f64,
    room: &mut Fractions,
) {
    match isa.tier() {
        // SAFETY: an `Isa` of this tier exists only where the processor has these instructions.
        #[cfg(target_arch = "x86_64")]
        Tier::Avx512 => unsafe { run_avx512::<MINUS, BY_ROWS>(pairs, minus, columns, total, fewest, room) },
        // SAFETY: as above.
        #[cfg(target_arch = "x86_64")]
        Tier::Avx2 => unsafe { run_avx2::<MINUS, BY_ROWS>(pairs, minus, columns, total, fewest, room) },
        _ => run_portable::<MINUS, BY_ROWS>(pairs, minus, columns, total, fewest, room),
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512dq,avx512vl,avx2")]
fn run_avx512<const MINUS: bool, const BY_ROWS: bool>(
    pairs: &Pairs,
    minus: &Pairs,
    columns: usize,
    total: Group,
    fewest: f64,
    room: &mut Fractions,
) {
    run_portable::<MINUS, BY_ROWS>(pairs, minus, columns, total, fewest, room);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn run_avx2<const MINUS: bool, const BY_ROWS: bool>(
    pairs: &Pairs,
    minus: &Pairs,
    columns: usize,
    total: Group,
    fewest: f64,
    room: &mut Fractions,
) {
    run_portable::<MINUS, BY_ROWS>(pairs, minus, columns, total, fewest, room);
}

/// A division of a set into (sum, weight, rows) and the rest, against the best fraction so far.
#[inline(always)]
fn compare(all: [f64; 3], part: [f64; 3], fewest: f64, by_rows: bool, above: &mut f64, below: &mut f64) {
    let rest = [all[0] - part[0], all[1] - part[1], all[2] - part[2]];
    let cross = part[0] * rest[1] - rest[0] * part[1];
    let (square, product) = (cross * cross, part[1] * rest[1]);
    let measured = if by_rows { [part[2], rest[2]] } else { [part[1], rest[1]] };
    // No branch, so that many columns are compared at once.
    let is_better =
        (measured[0] >= fewest) & (measured[1] >= fewest) & (product > 0.0) & (square * *below > *above * product);
    *above = if is_better { square } else { *above };
    *below = if is_better { product } else { *below };
}

/// The list that says how large a part is.
#[inline(always)]
fn measured_rows<const BY_ROWS: bool>(pairs: &Pairs) -> &Vec<f64> {
    if BY_ROWS { &pairs.rows } else { &pairs.weight }
}

#[inline(always)]
fn nth_row(list: &[f64], i: usize, stride: usize) -> &[f64] {
    &list[i * stride..(i + 1) * stride]
}

#[inline(always)]
fn run_portable<const MINUS: bool, const BY_ROWS: bool>(
    pairs: &Pairs,
    minus: &Pairs,
    columns: usize,
    total: Group,
    fewest: f64,
    room: &mut Fractions,
) {
    let stride = pairs.stride;
    let Fractions { ones, zeros, column_sum, column_weight, column_rows } = room;
    let [ones_above, ones_below] = ones;
    let [zeros_above, zeros_below] = zeros;
    // Slices of one length, and no closures: so that the loop becomes one on registers.
    let (ones_above, ones_below) = (&mut ones_above[..stride], &mut ones_below[..stride]);
    let (zeros_above, zeros_below) = (&mut zeros_above[..stride], &mut zeros_below[..stride]);
    let (column_sum, column_weight) = (&column_sum[..stride], &column_weight[..stride]);
    let column_rows = &column_rows[..stride];
    for i in 0..columns {
        let (sum, weight) = (nth_row(&pairs.sum, i, stride), nth_row(&pairs.weight, i, stride));
        let rows = nth_row(measured_rows::<BY_ROWS>(pairs), i, stride);
        let (taken_sum, taken_weight) = (nth_row(&minus.sum, i, stride), nth_row(&minus.weight, i, stride));
        let taken_rows = nth_row(measured_rows::<BY_ROWS>(minus), i, stride);
        let asked = [column_sum[i], column_weight[i], column_rows[i]];
        for j in 0..stride {
            let mut both = [sum[j], weight[j], if BY_ROWS { rows[j] } else { 0.0 }];
            if MINUS {
                both[0] -= taken_sum[j];
                both[1] -= taken_weight[j];
                both[2] -= if BY_ROWS { taken_rows[j] } else { 0.0 };
            }
            let ones = [column_sum[j], column_weight[j], column_rows[j]];
            compare(ones, both, fewest, BY_ROWS, &mut ones_above[j], &mut ones_below[j]);
            let zeros = [total.sum - ones[0], total.weight - ones[1], total.rows - ones[2]];
            let rest = [asked[0] - both[0], asked[1] - both[1], asked[2] - both[2]];
            compare(zeros, rest, fewest, BY_ROWS, &mut zeros_above[j], &mut zeros_below[j]);
        }
    }
}
