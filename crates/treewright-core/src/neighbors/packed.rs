//! Rows packed for products, sixty-four at a time: the filter of [`super::brute_force`].
//!
//! With x̂ and q̂ the packed forms of a row and a query, ⟨x̂, q̂⟩ − ½|x̂|² is ½(|q̂|² − |x̂ − q̂|²): one number that is large
//! exactly where the row is near. A query's *floor* says how large it is at least for a row within its limit, whatever
//! packing and rounding did. Rows below the floor are out; the others may be measured in f64.
//!
//! Packing first subtracts a center and multiplies by a power of two, so that numbers are at most 1. Any center is right.
//! What a word holds is said by [`super::singles`] and [`super::bytes`].

use super::rows::{Rows, largest};
use crate::Result;
use crate::simd::{FLOATS, Isa, Simd, Tier, largest_factor, multiversion};
use crate::sys::pages::{Lined, Plain};
use rayon::prelude::*;

/// Rows of a panel.
pub const PANEL: usize = 64;
/// Queries that are compared with a panel at once: their sums and a column of the panel fill the registers.
pub const TILE: usize = 6;
/// Registers of a panel's column.
const PARTS: usize = PANEL / FLOATS;
/// Words of panels that lie together in the nearest cache.
const CACHED: usize = 5 << 10;
/// The most panels of a group.
const GROUP: usize = 16;
/// Panels of one scale.
const COMMON: usize = 32;
/// Rows that are looked at to find the center.
const LOOKED_AT: usize = 1 << 12;

/// A word of packed rows, and a sum of products of such words.
pub trait Word: Plain + PartialOrd + Default + Send + Sync {
    /// Columns of a word.
    const COLUMNS: usize;
    /// Whether numbers are packed as multiples of a step.
    const HAS_STEP: bool;
    /// Sixteen sums; rows and queries are loaded into registers of the same kind.
    type Register<S: Simd>: Copy;

    /// The step of rows whose numbers are at most so large.
    fn step(size: f64) -> f64;

    /// Writes the numbers of a row or a query, as many as fill words, as words `stride` apart; gives the sum of the squares
    /// of what was packed, its sum, and how far packing moved it.
    fn pack(numbers: &[f64], step: f64, is_row: bool, words: &mut [Self], stride: usize) -> (f64, f64, f64);

    /// What is added to the sums of a query whose packed numbers add up to `sum`.
    fn shift(sum: f64) -> f64;

    /// The floor of a query for the rows of a scale.
    fn floor_of(query: &PackedQuery, scale: &Scale, columns: usize) -> Self;

    /// The sum of a row that seems to be just as far as the query's radius.
    fn level_of(query: &PackedQuery, scale: &Scale, columns: usize) -> Self;

    /// Where the sums of sixteen rows begin, from their `halves`.
    fn start<S: Simd>(simd: S, halves: &[f32], query: &PackedQuery) -> Self::Register<S>;
    /// Sixteen words of rows.
    fn load<S: Simd>(simd: S, words: &[Self; FLOATS]) -> Self::Register<S>;
    /// One word of a query in every lane.
    fn splat<S: Simd>(simd: S, word: Self) -> Self::Register<S>;
    /// `sum` and the products of rows with a query.
    fn multiply_add<S: Simd>(
        simd: S,
        rows: Self::Register<S>,
        query: Self::Register<S>,
        sum: Self::Register<S>,
    ) -> Self::Register<S>;
    /// The larger lanes.
    fn larger<S: Simd>(simd: S, a: Self::Register<S>, b: Self::Register<S>) -> Self::Register<S>;
    /// Where a register is not below a number.
    fn not_below<S: Simd>(simd: S, a: Self::Register<S>, floor: Self) -> u16;
    /// The sums of a panel that [`Packed::above`] is made of, by AVX-VNNI; nothing where the processor lacks it, or words are
    /// no bytes.
    #[cfg(target_arch = "x86_64")]
    fn above_by_vnni(
        _rows: &[Self],
        _halves: &[f32],
        _words: &[Self],
        _query: &PackedQuery,
        _floors: &[Self; TILE],
        _out: &mut [[Self; PANEL]; TILE],
    ) -> Option<[u64; TILE]> {
        None
    }
    /// Lane by lane.
    fn store<S: Simd>(simd: S, a: Self::Register<S>, to: &mut [Self; FLOATS]);
}

/// Packed rows.
#[derive(Debug)]
pub struct Packed<W> {
    columns: usize,
    /// Words of a row.
    steps: usize,
    /// Panel after panel, word after word of a row, row after row.
    words: Lined<W>,
    /// −½|x̂|² of each row, divided by the step of its scale; 0 where the last panel has no more rows.
    halves: Lined<f32>,
    scales: Vec<Scale>,
    origin: Origin,
    /// The median of the steps.
    typical: f64,
    /// The largest packed number of a query: what the tier multiplies without overflow.
    pub(super) most: f64,
    /// Whether a processor of AVX2 has AVX-VNNI too.
    #[cfg_attr(not(target_arch = "x86_64"), allow(dead_code))]
    pub(super) vnni: bool,
}

/// The size of 1 among the packed numbers of some rows, and how far packing moved a row of them at most. A row beyond all
/// others makes only its own scale coarse.
#[derive(Clone, Copy, Debug)]
pub struct Scale {
    step: f64,
    /// 1 / step.
    pub per: f64,
    /// How far a row was moved.
    pub error: f64,
}

/// A packed query.
#[derive(Clone, Copy, Debug)]
pub struct PackedQuery {
    /// 1 / the size of 1 among the packed numbers of its tile.
    pub per: f64,
    /// |q̂|², rounded down; infinite for a query that is not there.
    pub square: f64,
    /// |q̂|, rounded up.
    pub norm: f64,
    /// How far packing moved the query.
    pub error: f64,
    /// What is added to its sums.
    pub shift: f64,
    /// How far the k-th row is at most, in the unit of packed numbers.
    pub radius: f64,
}

fn has_vnni() -> bool {
    #[cfg(target_arch = "x86_64")]
    return super::vnni::is_there();
    #[cfg(not(target_arch = "x86_64"))]
    false
}

impl<W: Word> Packed<W> {
    /// Packs complete rows.
    pub fn new(rows: &Rows, isa: Isa) -> Result<Packed<W>> {
        let columns = rows.columns().0;
        let steps = columns.div_ceil(W::COLUMNS);
        let panels = rows.len().div_ceil(PANEL);
        let origin = Origin::of(rows);
        let (mut words, mut halves) = (Lined::zeros(panels * steps * PANEL)?, Lined::zeros(panels * PANEL)?);
        let each = words.par_chunks_mut(COMMON * steps * PANEL).zip(halves.par_chunks_mut(COMMON * PANEL));
        let each = each.zip(rows.numbers().par_chunks(COMMON * PANEL * columns));
        let scales: Vec<Scale> =
            each.map(|((words, halves), rows)| write_scale::<W>(isa, &origin, columns, rows, words, halves)).collect();
        let mut sizes: Vec<f64> = scales.iter().map(|scale| scale.step).collect();
        sizes.sort_unstable_by(f64::total_cmp);
        let typical = sizes[sizes.len() / 2];
        let vnni = isa.tier() == Tier::Avx2 && has_vnni();
        let most = if vnni { i8::MAX } else { largest_factor(isa) }.into();
        Ok(Packed { columns, steps, words, halves, scales, origin, typical, most, vnni })
    }

    /// How many panels make a group that fits into the nearest cache, a power of two: they are compared one after the other
    /// with the same queries, and have one scale.
    pub fn group(&self) -> usize {
        let most = (CACHED / (self.steps * PANEL)).clamp(1, GROUP);
        1 << most.ilog2()
    }

    /// Whether a query can be packed: it is near enough for its products to stay in range.
    pub fn takes(&self, query: &[f64]) -> bool {
        self.origin.largest(query) < 1e6
    }

    /// Packs at most [`TILE`] queries; word `step` of query i is at `step * TILE + i`. Places that are left over get a
    /// query that no row is near to.
    pub fn pack(&self, queries: &[&[f64]]) -> (Vec<W>, [PackedQuery; TILE]) {
        let size = queries.iter().map(|query| self.origin.largest(query)).fold(0.0, f64::max);
        // Not much finer than the rows: the half squares are divided by it and must stay within i32.
        let step = if W::HAS_STEP { (size / self.most).max(self.typical / 4.0) } else { 1.0 };
        let absent =
            PackedQuery { per: 1.0 / step, square: f64::INFINITY, norm: 0.0, error: 0.0, shift: 0.0, radius: 0.0 };
        let (mut words, mut packed) = (vec![W::default(); self.steps * TILE], [absent; TILE]);
        for ((i, query), packed) in queries.iter().enumerate().zip(&mut packed) {
            let mut moved: Vec<f64> = self.origin.moved(query).collect();
            moved.resize(self.steps * W::COLUMNS, 0.0);
            let (square, sum, error) = W::pack(&moved, step, false, &mut words[i..], TILE);
            let square = square * step * step * (1.0 - 2e-12);
            let norm = square.sqrt() * (1.0 + 1e-9);
            *packed = PackedQuery { per: 1.0 / step, square, norm, error, shift: W::shift(sum), radius: f64::INFINITY };
        }
        (words, packed)
    }

    /// The distance of a key in the unit of packed numbers, rounded up.
    #[inline(always)]
    pub fn radius(&self, key: f64) -> f64 {
        key.sqrt() * self.origin.unit * (1.0 + self.columns as f64 * 1e-15 + 1e-9)
    }

    /// The scale of a panel.
    #[inline(always)]
    pub fn scale(&self, panel: usize) -> usize {
        panel / COMMON
    }

    /// See [`Word::floor_of`].
    #[inline(always)]
    pub fn floor(&self, scale: usize, query: &PackedQuery) -> W {
        W::floor_of(query, &self.scales[scale], self.columns)
    }

    /// See [`Word::level_of`].
    #[inline(always)]
    pub fn level(&self, scale: usize, query: &PackedQuery) -> W {
        W::level_of(query, &self.scales[scale], self.columns)
    }

    /// Which rows of a panel are not below the floor of each query of a tile; the sums of queries that have some.
    #[expect(clippy::needless_range_loop, reason = "such loops are unrolled, so that all sums stay in registers")]
    #[inline(always)]
    pub fn above<S: Simd>(
        &self,
        simd: S,
        panel: usize,
        words: &[W],
        queries: &[PackedQuery; TILE],
        floors: &[W; TILE],
        out: &mut [[W; PANEL]; TILE],
    ) -> [u64; TILE] {
        let halves = &self.halves[panel * PANEL..][..PANEL];
        let size = self.steps * PANEL;
        let rows = &self.words[panel * size..][..size];
        #[cfg(target_arch = "x86_64")]
        if self.vnni
            && let Some(above) = W::above_by_vnni(rows, halves, words, &queries[0], floors, out)
        {
            return above;
        }
        let mut start = [W::splat(simd, W::default()); PARTS];
        for (start, halves) in start.iter_mut().zip(halves.chunks_exact(FLOATS)) {
            *start = W::start(simd, halves, &queries[0]);
        }
        let sums = multiply::<S, W>(simd, start, rows, words);
        let mut above = [0; TILE];
        for i in 0..TILE {
            let [a, b, c, d] = sums[i];
            if W::not_below(simd, W::larger(simd, W::larger(simd, a, b), W::larger(simd, c, d)), floors[i]) != 0 {
                for part in 0..PARTS {
                    above[i] |= u64::from(W::not_below(simd, sums[i][part], floors[i])) << (part * FLOATS);
                    W::store(simd, sums[i][part], &mut out[i].as_chunks_mut::<FLOATS>().0[part]);
                }
            }
        }
        above
    }
}

multiversion! {
    /// Packs the rows of a scale.
    fn write_scale<W: Word>(
        origin: &Origin,
        columns: usize,
        rows: &[f64],
        words: &mut [W],
        halves: &mut [f32],
    ) -> Scale {
        let (steps, mut error, mut size) = (columns.div_ceil(W::COLUMNS), 0.0, 0.0);
        let mut moved = vec![0.0; steps * W::COLUMNS];
        if W::HAS_STEP {
            for row in rows.chunks_exact(columns) {
                moved.iter_mut().zip(origin.moved(row)).for_each(|(to, x)| *to = x);
                size = largest(&moved).max(size);
            }
        }
        let step = W::step(size);
        for ((i, row), half) in rows.chunks_exact(columns).enumerate().zip(halves) {
            moved.iter_mut().zip(origin.moved(row)).for_each(|(to, x)| *to = x);
            let words = &mut words[i / PANEL * PANEL * steps + i % PANEL..];
            let (square, _, moved_by) = W::pack(&moved, step, true, words, PANEL);
            *half = (-0.5 * step * square) as f32;
            error = moved_by.max(error);
        }
        Scale { step, per: 1.0 / step, error }
    }
}

/// The sums of a panel with each query of a tile, beginning at `start`. Loops over indices are unrolled, so that all sums stay
/// in registers.
#[inline(always)]
fn multiply<S: Simd, W: Word>(
    simd: S,
    start: [W::Register<S>; PARTS],
    rows: &[W],
    words: &[W],
) -> [[W::Register<S>; PARTS]; TILE] {
    let mut sums = [start; TILE];
    let columns = rows.as_chunks::<FLOATS>().0.as_chunks::<PARTS>().0;
    if S::PARTS == 1 {
        // One part of the panel after the other: six sums, the rows and a query stay in registers.
        for part in 0..PARTS {
            let mut tile = [start[part]; TILE];
            for (column, queries) in columns.iter().zip(words.as_chunks::<TILE>().0) {
                let rows = W::load(simd, &column[part]);
                for i in 0..TILE {
                    tile[i] = W::multiply_add(simd, rows, W::splat(simd, queries[i]), tile[i]);
                }
            }
            (0..TILE).for_each(|i| sums[i][part] = tile[i]);
        }
    } else {
        for (column, queries) in columns.iter().zip(words.as_chunks::<TILE>().0) {
            let mut rows = start;
            for part in 0..PARTS {
                rows[part] = W::load(simd, &column[part]);
            }
            for i in 0..TILE {
                let query = W::splat(simd, queries[i]);
                for part in 0..PARTS {
                    sums[i][part] = W::multiply_add(simd, rows[part], query, sums[i][part]);
                }
            }
        }
    }
    sums
}

/// Where packed rows are counted from, and in which unit.
#[derive(Clone, Debug)]
struct Origin {
    center: Vec<f64>,
    /// A power of two.
    unit: f64,
}

impl Origin {
    /// The center of complete rows, and the unit in which they are at most 1.
    fn of(rows: &Rows) -> Origin {
        let columns = rows.columns().0;
        let step = (rows.len() / LOOKED_AT).max(1);
        let looked_at = rows.len().div_ceil(step) as f64;
        let mut center = vec![0.0; columns];
        for row in (0..rows.len()).step_by(step) {
            center.iter_mut().zip(rows.numbers_of(row)).for_each(|(sum, x)| *sum += x / looked_at);
        }
        // From the center, which is among them, numbers are at most twice as large.
        let size = 2.0 * rows.size();
        Origin { center, unit: if size > 0.0 { libm::ldexp(1.0, -libm::frexp(size).1) } else { 1.0 } }
    }

    /// A row as seen from the center.
    #[inline(always)]
    fn moved<'a>(&'a self, row: &'a [f64]) -> impl Iterator<Item = f64> + 'a {
        row.iter().zip(&self.center).map(|(x, c)| (x - c) * self.unit)
    }

    /// The largest number of a row, as seen from the center.
    #[inline]
    fn largest(&self, row: &[f64]) -> f64 {
        self.moved(row).fold(0.0, |most: f64, x| most.max(x.abs()))
    }
}
