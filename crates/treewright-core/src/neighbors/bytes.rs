//! Rows packed as whole numbers of 8 bits, four columns a word: four times the products of f32, where the processor has
//! them.
//!
//! Each group of panels has a *step*, the size of 1 among its packed numbers, and so has each tile of queries; sums are
//! integers, so nothing is rounded in them. What packing lost is measured: the largest error of a group, the error of each
//! query. A row beyond all others makes only its own group coarse.

use super::packed::{Origin, PANEL, Packed, TILE, group};
use super::rows::{Rows, zeros};
use super::simd::{FLOATS, Simd};
use crate::Result;
use rayon::prelude::*;

/// Registers of a panel's column.
const PARTS: usize = PANEL / FLOATS;
/// Columns of a word.
const WORD: usize = 4;
/// The largest packed number. Rows are stored with 128 added, queries as they are.
const MOST: f64 = 127.0;
const SHIFT: i32 = 128;
const NEAREST: f64 = (3u64 << 51) as f64;
/// Starts are not lower than this: far above the least i32, and no row of interest has one so low.
const LOWEST: f32 = -(1 << 30) as f32;
/// The most columns for which sums stay within i32.
pub const COLUMNS: usize = 1 << 14;

/// Packed rows.
#[derive(Debug)]
pub struct Bytes {
    columns: usize,
    /// Panel after panel, four columns after four, row after row.
    words: Vec<u32>,
    /// −½|x̂|² of each row, divided by the step of its group.
    halves: Vec<f32>,
    scales: Vec<Scale>,
    /// Panels of a group.
    group: usize,
    origin: Origin,
    /// The median of the groups' steps.
    typical: f64,
}

/// The size of 1 among the packed numbers of a group, and how far packing moved a row of it at most.
#[derive(Clone, Copy, Debug)]
struct Scale {
    step: f64,
    /// 1 / step.
    per: f64,
    error: f64,
}

/// A packed query.
#[derive(Clone, Copy, Debug)]
pub struct Query {
    /// 1 / the size of 1 among the packed numbers of its tile.
    per: f64,
    /// |q̂|² and |q̂|; infinite for a query that is not there.
    square: f64,
    norm: f64,
    /// How far packing moved the query.
    error: f64,
    /// What 128 in every column of a row adds to its sums.
    shift: f64,
    /// How far the k-th row is at most.
    radius: f64,
}

impl Bytes {
    /// Packs complete rows of at most [`COLUMNS`] columns.
    pub fn new(rows: &Rows) -> Result<Bytes> {
        let columns = rows.columns().0;
        let steps = columns.div_ceil(WORD);
        let panels = rows.len().div_ceil(PANEL);
        let group = group(steps);
        let origin = Origin::of(rows);
        let (mut words, mut halves) = (zeros(panels * steps * PANEL)?, zeros(panels * PANEL)?);
        let each = words.par_chunks_mut(group * steps * PANEL).zip(halves.par_chunks_mut(group * PANEL));
        let each = each.zip(rows.numbers().par_chunks(group * PANEL * columns));
        let scales: Vec<Scale> =
            each.map(|((words, halves), rows)| write(&origin, columns, rows, words, halves)).collect();
        let mut sizes: Vec<f64> = scales.iter().map(|scale| scale.step).collect();
        sizes.sort_unstable_by(f64::total_cmp);
        let typical = sizes[sizes.len() / 2];
        Ok(Bytes { columns, words, halves, scales, group, origin, typical })
    }
}

/// Packs the rows of a group.
fn write(origin: &Origin, columns: usize, rows: &[f64], words: &mut [u32], halves: &mut [f32]) -> Scale {
    let size = rows.chunks_exact(columns).map(|row| origin.largest(row)).fold(0.0, f64::max);
    let step = if size > 0.0 { size / MOST } else { 1.0 };
    let (steps, mut error) = (columns.div_ceil(WORD), 0.0);
    let mut moved = Vec::with_capacity(columns);
    for ((i, row), half) in rows.chunks_exact(columns).enumerate().zip(halves) {
        moved.clear();
        moved.extend(origin.moved(row));
        let words = &mut words[i / PANEL * PANEL * steps + i % PANEL..];
        let packed = pack(&moved, step, SHIFT, words, PANEL);
        *half = (-0.5 * step * packed.square) as f32;
        error = packed.error.max(error);
    }
    Scale { step, per: 1.0 / step, error }
}

/// What became of packed numbers: the sum of their squares, their sum, and how far they were moved.
struct Sums {
    square: f64,
    sum: f64,
    error: f64,
}

/// Writes numbers as words, `stride` apart.
fn pack(numbers: &[f64], step: f64, shift: i32, words: &mut [u32], stride: usize) -> Sums {
    let per = 1.0 / step;
    let (mut square, mut sum, mut lost) = ([0.0; WORD], [0.0; WORD], [0.0; WORD]);
    for (word, numbers) in words.iter_mut().step_by(stride).zip(numbers.chunks(WORD)) {
        let mut four = [0.0; WORD];
        four[..numbers.len()].copy_from_slice(numbers);
        for i in 0..WORD {
            // To the nearest whole number: beyond 2^52 there are no others.
            let whole = ((four[i] * per).clamp(-MOST, MOST) + NEAREST) - NEAREST;
            square[i] += whole * whole;
            sum[i] += whole;
            lost[i] += (four[i] - whole * step) * (four[i] - whole * step);
            four[i] = whole;
        }
        *word = u32::from_le_bytes(four.map(|whole| (whole as i32 + shift) as u8));
    }
    let [square, sum, lost] = [square, sum, lost].map(|four| four.iter().sum::<f64>());
    Sums { square, sum, error: lost.sqrt() * (1.0 + 1e-9) + 1e-12 * step }
}

impl Packed for Bytes {
    type Query = Query;
    type Floor = i32;

    fn steps(&self) -> usize {
        self.columns.div_ceil(WORD)
    }

    fn group(&self) -> usize {
        self.group
    }

    fn takes(&self, query: &[f64]) -> bool {
        self.origin.reaches(query)
    }

    fn pack(&self, queries: &[&[f64]], words: &mut [u32]) -> [Query; TILE] {
        let size = queries.iter().map(|query| self.origin.largest(query)).fold(0.0, f64::max);
        // Not much finer than the rows: the half squares are divided by it and must stay within i32.
        let step = (size / MOST).max(self.typical / 4.0);
        let absent = Query { per: 1.0 / step, square: f64::INFINITY, norm: 0.0, error: 0.0, shift: 0.0, radius: 0.0 };
        let mut packed = [absent; TILE];
        for ((i, query), packed) in queries.iter().enumerate().zip(&mut packed) {
            let moved: Vec<f64> = self.origin.moved(query).collect();
            let sums = pack(&moved, step, 0, &mut words[i..], TILE);
            packed.square = sums.square * step * step * (1.0 - 1e-12);
            packed.norm = packed.square.sqrt() * (1.0 + 1e-9);
            packed.shift = sums.sum * f64::from(SHIFT);
            (packed.error, packed.radius) = (sums.error, f64::INFINITY);
        }
        packed
    }

    fn narrow(&self, query: &mut Query, limit: f64) {
        query.radius = limit.sqrt() * self.origin.unit * (1.0 + self.columns as f64 * 1e-15 + 1e-9);
    }

    #[inline(always)]
    fn floor(&self, group: usize, query: &Query) -> i32 {
        let scale = self.scales[group];
        let apart = query.radius + scale.error + query.error;
        // The start of a row within the radius is wrong by two at most, and by the rounding of its half square to f32.
        let row = query.norm + apart;
        let floor = 0.5 * (query.square - apart * apart) - 1e-6 * row * row;
        // Infinities become the largest and the least.
        (floor * (scale.per * query.per) + query.shift - 3.0) as i32
    }

    #[inline(always)]
    fn above<S: Simd>(
        &self,
        simd: S,
        panel: usize,
        words: &[u32],
        queries: &[Query; TILE],
        floors: &[i32; TILE],
    ) -> [u64; TILE] {
        let finer = simd.splat_f(queries[0].per as f32);
        let halves = &self.halves[panel * PANEL..][..PANEL];
        let start: [S::I; PARTS] = std::array::from_fn(|part| {
            let half = simd.mul_f(simd.load_f(&halves[part * FLOATS..]), finer);
            simd.round(simd.max_f(half, simd.splat_f(LOWEST)))
        });
        let mut sums = [start; TILE];
        let size = self.steps() * PANEL;
        let rows = &self.words[panel * size..][..size];
        let columns = rows.as_chunks::<FLOATS>().0.as_chunks::<PARTS>().0;
        for (column, queries) in columns.iter().zip(words.as_chunks::<TILE>().0) {
            for (sums, &q) in sums.iter_mut().zip(queries) {
                for (sum, words) in sums.iter_mut().zip(column) {
                    *sum = simd.dot_bytes(*sum, words, q);
                }
            }
        }
        let mut above = [0; TILE];
        for ((sums, &floor), above) in sums.iter().zip(floors).zip(&mut above) {
            let largest = simd.max_i(simd.max_i(sums[0], sums[1]), simd.max_i(sums[2], sums[3]));
            let floor = simd.splat_i(floor);
            if simd.ge_i(largest, floor) != 0 {
                let mask = |part: usize| u64::from(simd.ge_i(sums[part], floor)) << (part * FLOATS);
                *above = (0..PARTS).fold(0, |all, part| all | mask(part));
            }
        }
        above
    }
}
