//! Rows packed as whole numbers of 8 bits, four columns a word: four times the products of f32, where the processor has
//! them.
//!
//! Each scale, some thousand rows, has a *step*, the size of 1 among its packed numbers, and so has each tile of queries;
//! sums are integers, so nothing is rounded in them. What packing lost is measured: the largest error of a scale, the
//! error of each query. A row beyond all others makes only its own scale coarse.

use super::packed::{Lanes, Origin, PANEL, PARTS, Packed, TILE, compare_tile, group};
use super::rows::{Rows, largest};
use crate::Result;
use crate::simd::{FLOATS, Isa, Simd, Work, largest_factor, run};
use crate::sys::pages::Lined;
use rayon::prelude::*;

/// Columns of a word.
const WORD: usize = 4;
/// The largest packed number of a row. Rows are stored with 128 added, queries as they are.
const LARGEST_BYTE: f64 = 127.0;
const SHIFT: i32 = 128;
const NEAREST: f64 = (3u64 << 51) as f64;
/// Starts are not lower than this: far above the least i32, and no row of interest has one so low.
const LOWEST: f32 = -(1 << 30) as f32;
/// Panels of one scale.
const COMMON: usize = 32;
/// The most columns for which sums stay within i32.
pub const COLUMNS: usize = 1 << 14;

/// Packed rows.
#[derive(Debug)]
pub struct Bytes {
    columns: usize,
    /// Panel after panel, four columns after four, row after row.
    words: Lined<u32>,
    /// −½|x̂|² of each row, divided by the step of its scale.
    halves: Lined<f32>,
    scales: Vec<Scale>,
    /// Panels of a group.
    group: usize,
    origin: Origin,
    /// The median of the steps.
    typical: f64,
    /// The largest packed number of a query: what the tier multiplies without overflow.
    most: f64,
}

/// The size of 1 among the packed numbers of a scale, and how far packing moved a row of it at most.
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
    pub fn new(rows: &Rows, isa: Isa) -> Result<Bytes> {
        let columns = rows.columns().0;
        let steps = columns.div_ceil(WORD);
        let panels = rows.len().div_ceil(PANEL);
        let group = group(steps);
        let origin = Origin::of(rows);
        let (mut words, mut halves) = (Lined::zeros(panels * steps * PANEL)?, Lined::zeros(panels * PANEL)?);
        let each = words.par_chunks_mut(COMMON * steps * PANEL).zip(halves.par_chunks_mut(COMMON * PANEL));
        let each = each.zip(rows.numbers().par_chunks(COMMON * PANEL * columns));
        let scales: Vec<Scale> = each
            .map(|((words, halves), rows)| run(Write { origin: &origin, columns, rows, words, halves }, isa))
            .collect();
        let mut sizes: Vec<f64> = scales.iter().map(|scale| scale.step).collect();
        sizes.sort_unstable_by(f64::total_cmp);
        let typical = sizes[sizes.len() / 2];
        let most = largest_factor(isa).into();
        Ok(Bytes { columns, words, halves, scales, group, origin, typical, most })
    }
}

/// The rows of a scale, to be packed.
struct Write<'a> {
    origin: &'a Origin,
    columns: usize,
    rows: &'a [f64],
    words: &'a mut [u32],
    halves: &'a mut [f32],
}

impl Work for Write<'_> {
    type Out = Scale;

    #[inline(always)]
    fn run<S: Simd>(self, _: S) -> Scale {
        let Write { origin, columns, rows, words, halves } = self;
        let (steps, mut error, mut size) = (columns.div_ceil(WORD), 0.0, 0.0);
        let mut moved = vec![0.0; steps * WORD];
        for row in rows.chunks_exact(columns) {
            moved.iter_mut().zip(origin.moved(row)).for_each(|(to, x)| *to = x);
            size = largest(&moved).max(size);
        }
        let step = if size > 0.0 { size / LARGEST_BYTE } else { 1.0 };
        for ((i, row), half) in rows.chunks_exact(columns).enumerate().zip(halves) {
            moved.iter_mut().zip(origin.moved(row)).for_each(|(to, x)| *to = x);
            let words = &mut words[i / PANEL * PANEL * steps + i % PANEL..];
            let packed = pack(&moved, step, SHIFT, words, PANEL);
            *half = (-0.5 * step * packed.square) as f32;
            error = packed.error.max(error);
        }
        Scale { step, per: 1.0 / step, error }
    }
}

/// What became of packed numbers: the sum of their squares, their sum, and how far they were moved.
struct Sums {
    square: f64,
    sum: f64,
    error: f64,
}

/// Writes numbers, as many as fill words, as words `stride` apart.
#[inline(always)]
fn pack(numbers: &[f64], step: f64, shift: i32, words: &mut [u32], stride: usize) -> Sums {
    let per = 1.0 / step;
    let (mut square, mut sum, mut lost) = ([0.0; WORD], [0.0; WORD], [0.0; WORD]);
    for (word, numbers) in words.iter_mut().step_by(stride).zip(numbers.as_chunks::<WORD>().0) {
        let mut bytes = [0; WORD];
        for i in 0..WORD {
            // To the nearest whole number: beyond 2^52 there are no others.
            let rounded = ((numbers[i] * per).clamp(-LARGEST_BYTE, LARGEST_BYTE) + NEAREST) - NEAREST;
            square[i] += rounded * rounded;
            sum[i] += rounded;
            lost[i] += (numbers[i] - rounded * step) * (numbers[i] - rounded * step);
            bytes[i] = (rounded as i32 + shift) as u8;
        }
        *word = u32::from_le_bytes(bytes);
    }
    let [square, sum, lost] = [square, sum, lost].map(|four| four.iter().sum::<f64>());
    Sums { square, sum, error: lost.sqrt() * (1.0 + 1e-9) + 1e-12 * step }
}

impl Packed for Bytes {
    type Query = Query;
    type Sum = i32;

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
        let step = (size / self.most).max(self.typical / 4.0);
        let absent = Query { per: 1.0 / step, square: f64::INFINITY, norm: 0.0, error: 0.0, shift: 0.0, radius: 0.0 };
        let mut packed = [absent; TILE];
        for ((i, query), packed) in queries.iter().enumerate().zip(&mut packed) {
            let mut moved: Vec<f64> = self.origin.moved(query).collect();
            moved.resize(self.steps() * WORD, 0.0);
            let sums = pack(&moved, step, 0, &mut words[i..], TILE);
            packed.square = sums.square * step * step * (1.0 - 1e-12);
            packed.norm = packed.square.sqrt() * (1.0 + 1e-9);
            packed.shift = sums.sum * f64::from(SHIFT);
            (packed.error, packed.radius) = (sums.error, f64::INFINITY);
        }
        packed
    }

    #[inline(always)]
    fn radius(&self, key: f64) -> f64 {
        key.sqrt() * self.origin.unit * (1.0 + self.columns as f64 * 1e-15 + 1e-9)
    }

    #[inline(always)]
    fn narrow(&self, query: &mut Query, radius: f64) {
        query.radius = radius;
    }

    #[inline(always)]
    fn scale(&self, panel: usize) -> usize {
        panel / COMMON
    }

    #[inline(always)]
    fn floor(&self, scale: usize, query: &Query) -> i32 {
        let scale = self.scales[scale];
        let apart = query.radius + scale.error + query.error;
        // The start of a row within the radius is wrong by two at most, and by the rounding of its half square to f32.
        let row = query.norm + apart;
        let floor = 0.5 * (query.square - apart * apart) - 1e-6 * row * row;
        // Infinities become the largest and the least.
        (floor * (scale.per * query.per) + query.shift - 3.0) as i32
    }

    #[inline(always)]
    fn level(&self, scale: usize, query: &Query) -> i32 {
        let scale = self.scales[scale];
        (0.5 * (query.square - query.radius * query.radius) * (scale.per * query.per) + query.shift) as i32
    }

    #[inline(always)]
    fn above<S: Simd>(
        &self,
        simd: S,
        panel: usize,
        words: &[u32],
        queries: &[Query; TILE],
        floors: &[i32; TILE],
        out: &mut [[i32; PANEL]; TILE],
    ) -> [u64; TILE] {
        let finer = simd.splat_f(queries[0].per as f32);
        let halves = &self.halves[panel * PANEL..][..PANEL];
        let mut start = [simd.splat_i(0); PARTS];
        for (start, halves) in start.iter_mut().zip(halves.chunks_exact(FLOATS)) {
            let half = simd.mul_f(simd.load_f(halves), finer);
            *start = simd.round(simd.max_f(half, simd.splat_f(LOWEST)));
        }
        let size = self.steps() * PANEL;
        let rows = &self.words[panel * size..][..size];
        compare_tile(Products(simd), S::PARTS, start, rows, words, floors, out)
    }
}

/// Sums of products in lanes of i32.
#[derive(Clone, Copy)]
struct Products<S>(S);

impl<S: Simd> Lanes for Products<S> {
    type Register = S::I;
    type Sum = i32;

    #[inline(always)]
    fn load(self, words: &[u32; FLOATS]) -> S::I {
        self.0.load_u(words)
    }
    #[inline(always)]
    fn query(self, word: u32) -> S::I {
        self.0.splat_i(word as i32)
    }
    #[inline(always)]
    fn multiply_add(self, rows: S::I, query: S::I, sum: S::I) -> S::I {
        self.0.dot_bytes(sum, rows, query)
    }
    #[inline(always)]
    fn max(self, a: S::I, b: S::I) -> S::I {
        self.0.max_i(a, b)
    }
    #[inline(always)]
    fn not_below(self, a: S::I, floor: i32) -> u16 {
        self.0.ge_i(a, self.0.splat_i(floor))
    }
    #[inline(always)]
    fn store(self, a: S::I, to: &mut [i32; FLOATS]) {
        self.0.store_i(a, to);
    }
}
