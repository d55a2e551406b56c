//! Rows packed for products, sixty-four at a time: what a filter offers to [`super::brute`].
//!
//! With x̂ and q̂ the packed forms of a row and a query, ⟨x̂, q̂⟩ − ½|x̂|² is ½(|q̂|² − |x̂ − q̂|²): one number that is large
//! exactly where the row is near. A query's *floor* says how large it is at least for a row within its limit, whatever
//! packing and rounding did. Rows below the floor are out; the others may be measured in f64.
//!
//! Packing first subtracts a centre and multiplies by a power of two, so that numbers are at most 1. Any centre is right.

use super::rows::Rows;
use crate::simd::Simd;

/// Rows of a panel.
pub const PANEL: usize = 64;
/// Queries that are compared with a panel at once: their sums and a column of the panel fill the registers.
pub const TILE: usize = 6;
/// Words of panels that lie together in the nearest cache.
const CACHED: usize = 5 << 10;
/// The most panels of a group.
const GROUP: usize = 16;
/// Rows that are looked at to find the centre.
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

/// How many panels of rows of so many words make a group that fits into the nearest cache: a power of two.
pub fn group(steps: usize) -> usize {
    let most = (CACHED / (steps * PANEL)).clamp(1, GROUP);
    1 << most.ilog2()
}

/// Where packed rows are counted from, and in which unit.
#[derive(Clone, Debug)]
pub struct Origin {
    centre: Vec<f64>,
    /// A power of two.
    pub unit: f64,
}

impl Origin {
    /// The centre of complete rows, and the unit in which they are at most 1.
    pub fn of(rows: &Rows) -> Origin {
        let columns = rows.columns().0;
        let step = (rows.len() / LOOKED_AT).max(1);
        let looked_at = rows.len().div_ceil(step) as f64;
        let mut centre = vec![0.0; columns];
        for row in (0..rows.len()).step_by(step) {
            centre.iter_mut().zip(rows.numbers_of(row)).for_each(|(sum, x)| *sum += x / looked_at);
        }
        // From the centre, which is among them, numbers are at most twice as large.
        let size = 2.0 * rows.facts().size;
        Origin { centre, unit: if size > 0.0 { libm::ldexp(1.0, -libm::frexp(size).1) } else { 1.0 } }
    }

    /// A row as seen from the centre.
    #[inline(always)]
    pub fn moved<'a>(&'a self, row: &'a [f64]) -> impl Iterator<Item = f64> + 'a {
        row.iter().zip(&self.centre).map(|(x, c)| (x - c) * self.unit)
    }

    /// The largest number of a row, as seen from the centre.
    #[inline]
    pub fn largest(&self, row: &[f64]) -> f64 {
        self.moved(row).fold(0.0, |most: f64, x| most.max(x.abs()))
    }

    /// Whether a query is near enough for its products to stay in range.
    pub fn reaches(&self, query: &[f64]) -> bool {
        self.largest(query) < 1e6
    }
}
