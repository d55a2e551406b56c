//! Rows packed as f32, a column a word: the filter for any machine.

use super::packed::{Lanes, Origin, PANEL, PARTS, Packed, TILE, compare_tile, group};
use super::rows::Rows;
use crate::Result;
use crate::simd::{FLOATS, Simd};
use crate::sys::pages::Lined;
use crate::tolerance::{SINGLE_ERROR, SINGLE_LOST};
use rayon::prelude::*;

/// Packed rows.
#[derive(Debug)]
pub struct Singles {
    steps: usize,
    /// Panel after panel, column after column, row after row.
    words: Lined<u32>,
    /// −½|x̂|² of each row; 0 where the last panel has no more rows.
    halves: Lined<f32>,
    origin: Origin,
}

/// A packed query.
#[derive(Clone, Copy, Debug)]
pub struct Query {
    /// |q̂|².
    square: f64,
    floor: f32,
}

impl Singles {
    /// Packs complete rows.
    pub fn new(rows: &Rows) -> Result<Singles> {
        let steps = rows.columns().0;
        let panels = rows.len().div_ceil(PANEL);
        let (mut words, mut halves) = (Lined::zeros(panels * steps * PANEL)?, Lined::zeros(panels * PANEL)?);
        let origin = Origin::of(rows);
        let each = words.par_chunks_mut(steps * PANEL).zip(halves.par_chunks_mut(PANEL));
        each.zip(rows.numbers().par_chunks(PANEL * steps)).for_each(|((words, halves), rows)| {
            for ((i, row), half) in rows.chunks_exact(steps).enumerate().zip(halves) {
                *half = (-0.5 * write(&origin, row, &mut words[i..], PANEL)) as f32;
            }
        });
        Ok(Singles { steps, words, halves, origin })
    }
}

/// Writes the words of a row, `stride` apart; gives the square of its norm.
fn write(origin: &Origin, row: &[f64], words: &mut [u32], stride: usize) -> f64 {
    let mut square = 0.0;
    for (word, x) in words.iter_mut().step_by(stride).zip(origin.moved(row)) {
        let x = x as f32;
        *word = x.to_bits();
        square += f64::from(x) * f64::from(x);
    }
    square
}

impl Packed for Singles {
    type Query = Query;
    type Sum = f32;

    fn steps(&self) -> usize {
        self.steps
    }

    fn group(&self) -> usize {
        group(self.steps)
    }

    fn takes(&self, query: &[f64]) -> bool {
        self.origin.reaches(query)
    }

    fn pack(&self, queries: &[&[f64]], words: &mut [u32]) -> [Query; TILE] {
        let mut packed = [Query { square: 0.0, floor: f32::INFINITY }; TILE];
        for ((i, query), packed) in queries.iter().enumerate().zip(&mut packed) {
            packed.square = write(&self.origin, query, &mut words[i..], TILE);
            packed.floor = f32::NEG_INFINITY;
        }
        packed
    }

    #[inline(always)]
    fn radius(&self, key: f64) -> f64 {
        key.sqrt() * self.origin.unit * (1.0 + self.steps as f64 * 1e-15 + 1e-9)
    }

    /// A row within the limit lies within R of the query, so its norm is at most that of the query and R together, and
    /// packing moved it by at most a part of that. Rows far from the center make no difference.
    fn narrow(&self, query: &mut Query, radius: f64) {
        let columns = self.steps as f64;
        let lost = columns.sqrt() * SINGLE_LOST;
        let norm = query.square.sqrt() * (1.0 + 1e-9) + lost;
        let row = norm * (1.0 + 2.0 * SINGLE_ERROR) + radius;
        let apart = radius + SINGLE_ERROR * (norm * (1.0 + 2.0 * SINGLE_ERROR) + row) + 2.0 * lost;
        let packed = row * (1.0 + 2.0 * SINGLE_ERROR) + lost;
        // One rounding for each product and sum, in any order, and one for the half of the square.
        let rounding = (2.0 * columns + 16.0) * SINGLE_ERROR * (0.5 * packed * packed + packed * norm);
        let floor = 0.5 * (query.square - apart * apart) - rounding - 1e-12 * query.square - columns * SINGLE_LOST;
        query.floor = (floor as f32).next_down();
    }

    #[inline(always)]
    fn scale(&self, _: usize) -> usize {
        0
    }

    #[inline(always)]
    fn floor(&self, _: usize, query: &Query) -> f32 {
        query.floor
    }

    #[inline(always)]
    fn level(&self, _: usize, query: &Query) -> f32 {
        query.floor
    }

    #[inline(always)]
    fn above<S: Simd>(
        &self,
        simd: S,
        panel: usize,
        words: &[u32],
        _: &[Query; TILE],
        floors: &[f32; TILE],
        out: &mut [[f32; PANEL]; TILE],
    ) -> [u64; TILE] {
        let halves = &self.halves[panel * PANEL..][..PANEL];
        let mut start = [simd.splat_f(0.0); PARTS];
        for (start, halves) in start.iter_mut().zip(halves.chunks_exact(FLOATS)) {
            *start = simd.load_f(halves);
        }
        let size = self.steps * PANEL;
        let rows = &self.words[panel * size..][..size];
        compare_tile(Products(simd), S::PARTS, start, rows, words, floors, out)
    }
}

/// Sums of products in lanes of f32.
#[derive(Clone, Copy)]
struct Products<S>(S);

impl<S: Simd> Lanes for Products<S> {
    type Register = S::F;
    type Sum = f32;

    #[inline(always)]
    fn load(self, words: &[u32; FLOATS]) -> S::F {
        self.0.load_words(words)
    }
    #[inline(always)]
    fn query(self, word: u32) -> S::F {
        self.0.splat_f(f32::from_bits(word))
    }
    #[inline(always)]
    fn multiply_add(self, rows: S::F, query: S::F, sum: S::F) -> S::F {
        self.0.mul_add_f(rows, query, sum)
    }
    #[inline(always)]
    fn max(self, a: S::F, b: S::F) -> S::F {
        self.0.max_f(a, b)
    }
    #[inline(always)]
    fn not_below(self, a: S::F, floor: f32) -> u16 {
        self.0.ge_f(a, self.0.splat_f(floor))
    }
    #[inline(always)]
    fn store(self, a: S::F, to: &mut [f32; FLOATS]) {
        self.0.store_f(a, to);
    }
}
