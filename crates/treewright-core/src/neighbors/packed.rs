//! Rows packed for products, sixty-four at a time: what a filter offers to [`super::brute_force`].
//!
//! With x̂ and q̂ the packed forms of a row and a query, ⟨x̂, q̂⟩ − ½|x̂|² is ½(|q̂|² − |x̂ − q̂|²): one number that is large
//! exactly where the row is near. A query's *floor* says how large it is at least for a row within its limit, whatever
//! packing and rounding did. Rows below the floor are out; the others may be measured in f64.
//!
//! Packing first subtracts a center and multiplies by a power of two, so that numbers are at most 1. Any center is right.

use super::rows::Rows;
use crate::simd::{FLOATS, Simd};

/// Rows of a panel.
pub const PANEL: usize = 64;
/// Queries that are compared with a panel at once: their sums and a column of the panel fill the registers.
pub const TILE: usize = 6;
/// Registers of a panel's column.
pub const PARTS: usize = PANEL / FLOATS;
/// Words of panels that lie together in the nearest cache.
const CACHED: usize = 5 << 10;
/// The most panels of a group.
const GROUP: usize = 16;
/// Rows that are looked at to find the center.
const LOOKED_AT: usize = 1 << 12;

/// Packed rows.
pub trait Packed: Sync {
    /// What is known of a packed query.
    type Query: Copy;
    /// A sum of products, and what it is compared with.
    type Sum: Copy + PartialOrd + Default;

    /// Words of a row.
    fn steps(&self) -> usize;

    /// Panels of a group, a power of two: they are compared one after the other with the same queries.
    fn group(&self) -> usize;

    /// Whether a query can be packed; one that lies very far out cannot.
    fn takes(&self, query: &[f64]) -> bool;

    /// Packs at most [`TILE`] queries; word `step` of query i is at `step * TILE + i`. Places that are left over get a
    /// query that no row is near to.
    fn pack(&self, queries: &[&[f64]], words: &mut [u32]) -> [Self::Query; TILE];

    /// The distance of a key in the unit of packed numbers, rounded up.
    fn radius(&self, key: f64) -> f64;

    /// From now on only rows within a radius matter to a query.
    fn narrow(&self, query: &mut Self::Query, radius: f64);

    /// The scale of a panel: panels of one scale lie together and have the same floors.
    fn scale(&self, panel: usize) -> usize;

    /// The floor of a query for the rows of a scale.
    fn floor(&self, scale: usize, query: &Self::Query) -> Self::Sum;

    /// The sum of a row that seems to be just as far as the query's radius.
    fn level(&self, scale: usize, query: &Self::Query) -> Self::Sum;

    /// Which rows of a panel are not below the floor of each query of a tile; the sums of queries that have some.
    fn above<S: Simd>(
        &self,
        simd: S,
        panel: usize,
        words: &[u32],
        queries: &[Self::Query; TILE],
        floors: &[Self::Sum; TILE],
        sums: &mut [[Self::Sum; PANEL]; TILE],
    ) -> [u64; TILE];
}

/// Arithmetic on sixteen words of packed rows at once: what a tile needs of registers.
pub trait Lanes: Copy {
    /// A register of sums; rows and queries are loaded into registers of the same kind.
    type Register: Copy;
    /// One lane of it.
    type Sum: Copy;

    /// Sixteen words of rows.
    fn load(self, words: &[u32; FLOATS]) -> Self::Register;
    /// One word of a query in every lane.
    fn query(self, word: u32) -> Self::Register;
    /// `sum` and the products of rows with a query.
    fn multiply_add(self, rows: Self::Register, query: Self::Register, sum: Self::Register) -> Self::Register;
    /// The larger lanes.
    fn max(self, a: Self::Register, b: Self::Register) -> Self::Register;
    /// Where a register is not below a number.
    fn not_below(self, a: Self::Register, floor: Self::Sum) -> u16;
    /// Lane by lane.
    fn store(self, a: Self::Register, to: &mut [Self::Sum; FLOATS]);
}

/// The sums of a panel with each query of a tile, beginning at `start`: which are not below the query's floor, and the sums
/// of queries that have some. `parts` is [`Simd::PARTS`].
#[expect(clippy::needless_range_loop, reason = "such loops are unrolled, so that all sums stay in registers")]
#[inline(always)]
pub fn compare_tile<L: Lanes>(
    lanes: L,
    parts: usize,
    start: [L::Register; PARTS],
    rows: &[u32],
    words: &[u32],
    floors: &[L::Sum; TILE],
    out: &mut [[L::Sum; PANEL]; TILE],
) -> [u64; TILE] {
    let mut sums = [start; TILE];
    let columns = rows.as_chunks::<FLOATS>().0.as_chunks::<PARTS>().0;
    if parts == 1 {
        // One part of the panel after the other: six sums, the rows and a query stay in registers.
        for part in 0..PARTS {
            let mut tile = [start[part]; TILE];
            for (column, queries) in columns.iter().zip(words.as_chunks::<TILE>().0) {
                let rows = lanes.load(&column[part]);
                for i in 0..TILE {
                    tile[i] = lanes.multiply_add(rows, lanes.query(queries[i]), tile[i]);
                }
            }
            (0..TILE).for_each(|i| sums[i][part] = tile[i]);
        }
    } else {
        for (column, queries) in columns.iter().zip(words.as_chunks::<TILE>().0) {
            let mut rows = start;
            for part in 0..PARTS {
                rows[part] = lanes.load(&column[part]);
            }
            for i in 0..TILE {
                let query = lanes.query(queries[i]);
                for part in 0..PARTS {
                    sums[i][part] = lanes.multiply_add(rows[part], query, sums[i][part]);
                }
            }
        }
    }
    let mut above = [0; TILE];
    for i in 0..TILE {
        let [a, b, c, d] = sums[i];
        if lanes.not_below(lanes.max(lanes.max(a, b), lanes.max(c, d)), floors[i]) != 0 {
            for part in 0..PARTS {
                above[i] |= u64::from(lanes.not_below(sums[i][part], floors[i])) << (part * FLOATS);
                lanes.store(sums[i][part], &mut out[i].as_chunks_mut::<FLOATS>().0[part]);
            }
        }
    }
    above
}

/// How many panels of rows of so many words make a group that fits into the nearest cache: a power of two.
pub fn group(steps: usize) -> usize {
    let most = (CACHED / (steps * PANEL)).clamp(1, GROUP);
    1 << most.ilog2()
}

/// Where packed rows are counted from, and in which unit.
#[derive(Clone, Debug)]
pub struct Origin {
    center: Vec<f64>,
    /// A power of two.
    pub unit: f64,
}

impl Origin {
    /// The center of complete rows, and the unit in which they are at most 1.
    pub fn of(rows: &Rows) -> Origin {
        let columns = rows.columns().0;
        let step = (rows.len() / LOOKED_AT).max(1);
        let looked_at = rows.len().div_ceil(step) as f64;
        let mut center = vec![0.0; columns];
        for row in (0..rows.len()).step_by(step) {
            center.iter_mut().zip(rows.numbers_of(row)).for_each(|(sum, x)| *sum += x / looked_at);
        }
        // From the center, which is among them, numbers are at most twice as large.
        let size = 2.0 * rows.facts().size;
        Origin { center, unit: if size > 0.0 { libm::ldexp(1.0, -libm::frexp(size).1) } else { 1.0 } }
    }

    /// A row as seen from the center.
    #[inline(always)]
    pub fn moved<'a>(&'a self, row: &'a [f64]) -> impl Iterator<Item = f64> + 'a {
        row.iter().zip(&self.center).map(|(x, c)| (x - c) * self.unit)
    }

    /// The largest number of a row, as seen from the center.
    #[inline]
    pub fn largest(&self, row: &[f64]) -> f64 {
        self.moved(row).fold(0.0, |most: f64, x| most.max(x.abs()))
    }

    /// Whether a query is near enough for its products to stay in range.
    pub fn reaches(&self, query: &[f64]) -> bool {
        self.largest(query) < 1e6
    }
}
