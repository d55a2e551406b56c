//! Mixed rows packed for a filter: sixty-four at a time, categories as bytes and numbers as f32.
//!
//! What the filter adds up is never more than the key, but for rounding; [`Blocks::ceiling`] is how large it can be for a
//! row within a limit. Categories of more levels than a byte holds share bytes: then some that differ seem equal, and the
//! measurement that follows tells them apart.

use super::distance::{Distance, Missing, Power};
use super::rows::{Rows, is_level};
use crate::Result;
use crate::data::table::MISSING;
use crate::simd::BYTES;
use crate::sys::pages::Lined;
use crate::tolerance::{SINGLE_ERROR, SINGLE_LOST};
use rayon::prelude::*;
use std::iter::StepBy;
use std::slice::IterMut;

/// Different bytes for levels.
const LEVELS: u32 = 250;
/// The byte of a missing value among the rows, and that of a level of a query that no row has.
pub const ABSENT: u8 = 255;
const UNKNOWN: u8 = 254;
/// Costs of categories are counted in parts of the largest weight, if they are not all the same.
const PARTS: f64 = 16.0;
/// About so many rows are looked at to find the center.
const LOOKED_AT: usize = 1 << 12;
/// The largest number whose square, many times over, is an f32.
pub const LARGEST: f64 = 1e15;

/// Packed rows.
#[derive(Debug)]
pub struct Blocks {
    /// Columns of numbers, of categories.
    columns: (usize, usize),
    /// Block after block, column after column, row after row.
    numbers: Lined<f32>,
    /// The same for categories.
    codes: Lined<u8>,
    center: Vec<f64>,
    /// What each category costs at least, in units.
    costs: Vec<u8>,
    /// What a unit is.
    unit: f64,
    /// Whether what the filter adds up is the key itself, but for rounding: bytes tell all levels apart, and costs are
    /// whole units.
    tight: bool,
}

/// A query as it is compared with blocks.
#[derive(Clone, Debug, Default)]
pub struct BlockQuery {
    /// The columns of the numbers that it has, the numbers, and what a row without one pays; its root, where squares are
    /// added.
    pub numbers: Vec<(usize, f32, f32)>,
    /// The columns of the categories that it has, their bytes, as often as a register holds them, and what another byte
    /// costs, in units.
    pub codes: Vec<(usize, [u8; BYTES], u8)>,
    /// What every row pays.
    pub base: f64,
    /// The part of the columns' weight that can count at all.
    known: f64,
    /// The sum of the absolute numbers, or its like for squares.
    size: f64,
}

impl Blocks {
    /// Packs rows.
    pub fn new(rows: &Rows, distance: &Distance) -> Result<Blocks> {
        let (n_numbers, n_codes) = rows.columns();
        let blocks = rows.len().div_ceil(BYTES);
        let weights = &distance.weights[n_numbers..];
        let most = weights.iter().copied().fold(0.0, f64::max);
        let equal = weights.iter().all(|&w| w == most || w == 0.0);
        let unit = if most == 0.0 {
            1.0
        } else if equal {
            most
        } else {
            most / PARTS
        };
        let mut packed = Blocks {
            columns: (n_numbers, n_codes),
            numbers: Lined::zeros(blocks * n_numbers * BYTES)?,
            codes: Lined::zeros(blocks * n_codes * BYTES)?,
            center: center(rows),
            costs: weights.iter().map(|w| (w / unit).floor() as u8).collect(),
            unit,
            tight: (distance.power, distance.missing) == (Power::Two, Missing::Costs)
                && equal
                && rows.codes().par_iter().with_min_len(1 << 14).all(|&code| code < LEVELS || !is_level(code)),
        };
        let Blocks { numbers, codes, center, .. } = &mut packed;
        write_rows(numbers, n_numbers, rows.len(), |row, cells| {
            cells.zip(rows.numbers_of(row)).zip(&*center).for_each(|((cell, x), c)| *cell = (x - c) as f32);
        });
        write_rows(codes, n_codes, rows.len(), |row, cells| {
            cells.zip(rows.codes_of(row)).for_each(|(cell, &code)| *cell = byte(code));
        });
        Ok(packed)
    }

    /// What a unit of the categories' costs is.
    pub fn unit(&self) -> f32 {
        self.unit as f32
    }

    /// The numbers of a block, column after column.
    #[inline(always)]
    pub fn numbers_of(&self, block: usize) -> &[f32] {
        &self.numbers[block * self.columns.0 * BYTES..][..self.columns.0 * BYTES]
    }

    /// The bytes of a block, column after column.
    #[inline(always)]
    pub fn codes_of(&self, block: usize) -> &[u8] {
        &self.codes[block * self.columns.1 * BYTES..][..self.columns.1 * BYTES]
    }

    /// Packs a query; None where its numbers are too large.
    pub fn query(&self, distance: &Distance, numbers: &[f64], codes: &[u32]) -> Option<BlockQuery> {
        let squares = distance.power == Power::Two;
        let costs = distance.missing == Missing::Costs;
        let mut query = BlockQuery::default();
        for (column, ((&x, &c), &w)) in numbers.iter().zip(&self.center).zip(&distance.weights).enumerate() {
            let value = x - c;
            if value.abs() > LARGEST {
                return None;
            }
            if value.is_nan() {
                query.pay(w, costs);
                continue;
            }
            query.known += w;
            query.size += if squares { value * value } else { value.abs() };
            let absent = if !costs {
                0.0
            } else if squares {
                w.sqrt() * (1.0 - 1e-6)
            } else {
                w
            };
            query.numbers.push((column, value as f32, absent as f32));
        }
        query.size = if squares { query.size.sqrt() } else { query.size };
        for (column, (&code, &cost)) in codes.iter().zip(&self.costs).enumerate() {
            let w = distance.weights[numbers.len() + column];
            if code == MISSING || (costs && !is_level(code)) {
                query.pay(w, costs);
            } else {
                query.known += w;
                // Where bytes tell levels apart, one beyond them is none of the rows'.
                let known = is_level(code) && (code < LEVELS || !self.tight);
                let value = [if known { byte(code) } else { UNKNOWN }; BYTES];
                query.codes.push((column, value, cost));
            }
        }
        Some(query)
    }

    /// How much larger a key can be than what the filter adds up: so many times, and so much; if that can be said. With s the sum and m how far
    /// rounding moved the query, (√s + m)² is at most s(1 + ε) + m²(1 + 1/ε), with ε = 2^-20; a missing number costs 2e-6
    /// less than it should.
    pub fn tight(&self, query: &BlockQuery) -> Option<(f32, f32)> {
        let count = query.numbers.len() as f64;
        let small = libm::ldexp(1.0, -20);
        let moved = 2.2 * SINGLE_ERROR * query.size + count.sqrt() * SINGLE_LOST;
        let grow = 1.0 + small + 4e-6 + (2.0 * count + 64.0) * SINGLE_ERROR;
        let slack = moved * moved * (1.0 + 1.0 / small) + count * SINGLE_LOST;
        self.tight.then_some(((grow as f32).next_up(), (slack as f32).next_up()))
    }

    /// At most so large is what the filter adds up, for every row whose key is at most `limit`.
    pub fn ceiling(&self, distance: &Distance, query: &BlockQuery, limit: f64) -> f32 {
        if limit == f64::INFINITY {
            return f32::INFINITY;
        }
        // A row that lacks columns counts the others for them; the query's own gaps are the least that it lacks.
        let limit = if distance.missing == Missing::Costs { limit } else { limit * (query.known / distance.total) }
            * (1.0 + 1e-9);
        let count = query.numbers.len() as f64;
        let sum = if distance.power == Power::Two {
            let moved = SINGLE_ERROR * (2.1 * query.size + 1.1 * limit.sqrt()) + count.sqrt() * SINGLE_LOST;
            limit + 2.0 * limit.sqrt() * moved + moved * moved
        } else {
            limit + SINGLE_ERROR * (2.1 * query.size + 1.1 * limit) + count * SINGLE_LOST
        };
        ((sum * (1.0 + (2.0 * count + 32.0) * SINGLE_ERROR)) as f32).next_up()
    }
}

impl BlockQuery {
    /// A column that the query does not have.
    fn pay(&mut self, weight: f64, costs: bool) {
        if costs {
            self.base += weight;
            self.known += weight;
        }
    }
}

/// Writes rows, which are given their cells.
fn write_rows<T: Send>(
    cells: &mut [T],
    columns: usize,
    rows: usize,
    write: impl Fn(usize, StepBy<IterMut<'_, T>>) + Sync,
) {
    // A list without columns has no chunks.
    cells.par_chunks_mut((columns * BYTES).max(1)).enumerate().for_each(|(block, cells)| {
        for row in block * BYTES..rows.min((block + 1) * BYTES) {
            write(row, cells[row % BYTES..].iter_mut().step_by(BYTES));
        }
    });
}

fn byte(code: u32) -> u8 {
    if code == MISSING { ABSENT } else { (code % LEVELS) as u8 }
}

/// About the mean of each numeric column; any center is right.
fn center(rows: &Rows) -> Vec<f64> {
    let mut means = vec![(0.0, 0.0); rows.columns().0];
    for row in (0..rows.len()).step_by((rows.len() / LOOKED_AT).max(1)) {
        for ((sum, count), x) in means.iter_mut().zip(rows.numbers_of(row)).filter(|(_, x)| !x.is_nan()) {
            *sum += x;
            *count += 1.0;
        }
    }
    means.into_iter().map(|(sum, count): (f64, f64)| sum / count.max(1.0)).collect()
}
