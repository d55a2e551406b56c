//! What a distance is. The one definition: every search measures with it in the end.
//!
//! A row's *key* is the sum of what its columns cost, in f64, the numeric ones first. Keys order rows like distances do;
//! [`Distance::of`] makes the distance. The order of additions is fixed, so that a key is the same number wherever it is
//! computed: column j belongs to the sum j mod 8, and the eight sums are added from the first to the last. Up to eight
//! columns this is a sum from left to right.
//!
//! | words | a column costs | where a value is missing | distance |
//! | --- | --- | --- | --- |
//! | Manhattan, Euclid, Minkowski | \|x − q\|^p | the others count for it | (Σ)^(1/p) |
//! | Chebyshev | \|x − q\| | the others decide | the largest |
//! | HEOM | (x − q)², or 1 for another category | 1 | √Σ |
//! | Gower | \|x − q\|, or 1 for another category | the others count for it | the mean |
//! | Hamming | 1 for another category | 1 | the mean |
//!
//! Costs are multiplied by the column's weight. A pair of rows without a column that both have is infinitely far apart.
//! A category that training never saw differs from every other.

use super::rows::{Rows, is_level};
use crate::data::table::MISSING;
use crate::simd::Simd;

/// How many sums a key is made of.
const SUMS: usize = 8;

/// How the costs of columns come together.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Power {
    /// Absolute differences are added.
    One,
    /// Squares are added.
    Two,
    /// The largest absolute difference.
    Max,
    /// Powers are added; at least 1.
    Any(f64),
}

impl Power {
    /// Lets a column's difference join the keys of sixteen rows, in f32. For filters, which write
    /// their loops once for each power, so that one operation is left.
    #[inline(always)]
    pub fn join<S: Simd>(self, simd: S, key: S::F, apart: S::F) -> S::F {
        match self {
            Power::One => simd.add_f(key, simd.abs_f(apart)),
            // The second operand is given back where one is NaN: padding stays padding.
            Power::Max => simd.max_f(key, simd.abs_f(apart)),
            Power::Two | Power::Any(_) => simd.mul_add_f(apart, apart, key),
        }
    }
}

/// What a column costs where a value is missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Missing {
    /// As much as another category.
    Costs,
    /// Nothing: the columns that both rows have count for it.
    Skipped,
}

/// From the sum to the distance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Finish {
    /// The root that undoes the power.
    Root,
    /// Divided by the weight of the columns.
    Mean,
    /// Half of the sum: for unit vectors this is one minus the cosine of their angle.
    Half,
}

/// A distance between rows.
#[derive(Clone, Debug)]
pub struct Distance {
    /// How costs come together.
    pub power: Power,
    /// What missing values cost.
    pub missing: Missing,
    /// From the sum to the distance.
    pub finish: Finish,
    /// The weight of each column, numeric ones first. Numbers have been multiplied by its root already.
    pub weights: Vec<f64>,
    /// Their sum.
    pub total: f64,
}

impl Distance {
    /// A distance with a weight for each column.
    pub fn new(power: Power, missing: Missing, finish: Finish, weights: Vec<f64>) -> Distance {
        // Added up as `key` does, so that nothing missing means equal sums.
        let total = weights.iter().fold(0.0, |sum, w| sum + w);
        Distance { power, missing, finish, weights, total }
    }

    /// The key of a row as seen from a query, where squares stay in the range of f64 and the power is not any power;
    /// [`super::careful`] measures all others.
    #[inline]
    pub fn key(&self, rows: &Rows, row: usize, queries: &Rows, query: usize) -> f64 {
        if (self.power, self.missing) == (Power::Two, Missing::Costs) {
            return self.squares(rows, row, queries, query);
        }
        let (x, q) = (rows.numbers_of(row), queries.numbers_of(query));
        let (mut sums, mut known) = ([0.0; SUMS], 0.0);
        for (j, ((a, b), w)) in x.iter().zip(q).zip(&self.weights).enumerate() {
            let apart = (a - b).abs();
            let sum = &mut sums[j % SUMS];
            if !apart.is_nan() {
                known += w;
                match self.power {
                    Power::Two => *sum += apart * apart,
                    Power::Max => *sum = apart.max(*sum),
                    _ => *sum += apart,
                }
            } else if self.missing == Missing::Costs {
                known += w;
                *sum += w;
            }
        }
        let codes = rows.codes_of(row).iter().zip(queries.codes_of(query));
        for (j, ((&a, &b), w)) in codes.zip(&self.weights[x.len()..]).enumerate() {
            if self.missing == Missing::Skipped && (a == MISSING || b == MISSING) {
                continue;
            }
            known += w;
            if a != b || !is_level(a) {
                sums[(x.len() + j) % SUMS] += w;
            }
        }
        let join = if self.power == Power::Max { f64::max } else { |a, b| a + b };
        self.over(sums.into_iter().fold(0.0, join), known)
    }

    /// The key where squares are added and missing values cost: every column counts, and nothing is branched on.
    #[inline(always)]
    fn squares(&self, rows: &Rows, row: usize, queries: &Rows, query: usize) -> f64 {
        let (x, q) = (rows.numbers_of(row), queries.numbers_of(query));
        let mut sums = [0.0; SUMS];
        for (j, ((a, b), &w)) in x.iter().zip(q).zip(&self.weights).enumerate() {
            let apart = a - b;
            sums[j % SUMS] += if apart.is_nan() { w } else { apart * apart };
        }
        let codes = rows.codes_of(row).iter().zip(queries.codes_of(query));
        for (j, ((&a, &b), &w)) in codes.zip(&self.weights[x.len()..]).enumerate() {
            sums[(x.len() + j) % SUMS] += if (a != b) | !is_level(a) { w } else { 0.0 };
        }
        self.over(sums.into_iter().fold(0.0, |a, b| a + b), self.total)
    }

    /// The key of costs that only columns of weight `known` account for.
    #[inline]
    pub fn over(&self, sum: f64, known: f64) -> f64 {
        if known == 0.0 {
            f64::INFINITY
        } else if known == self.total || self.power == Power::Max {
            sum
        } else {
            sum * (self.total / known)
        }
    }

    /// The difference whose power is this weight.
    pub fn root(&self, weight: f64) -> f64 {
        match self.power {
            Power::One | Power::Max => weight,
            Power::Two => weight.sqrt(),
            Power::Any(p) => libm::pow(weight, 1.0 / p),
        }
    }

    /// The distance of a key.
    pub fn of(&self, key: f64) -> f64 {
        match (self.finish, self.power) {
            (Finish::Root, Power::Two) => key.sqrt(),
            (Finish::Root, _) => key,
            (Finish::Mean, _) => key / self.total,
            (Finish::Half, _) => key / 2.0,
        }
    }
}

/// The sum of squares of complete numbers, as [`Distance::key`] defines it. The eight sums lie side by side, so that the
/// compiler can use registers of any width; of few columns each is a sum of its own.
#[inline(always)]
pub fn squared(row: &[f64], query: &[f64]) -> f64 {
    if row.len() <= SUMS {
        return row.iter().zip(query).fold(0.0, |sum, (x, q)| sum + (x - q) * (x - q));
    }
    let mut sums = [0.0; SUMS];
    let ((rows, last_row), (queries, last_query)) = (row.as_chunks::<SUMS>(), query.as_chunks::<SUMS>());
    for (x, q) in rows.iter().zip(queries) {
        for i in 0..SUMS {
            sums[i] += (x[i] - q[i]) * (x[i] - q[i]);
        }
    }
    for ((sum, x), q) in sums.iter_mut().zip(last_row).zip(last_query) {
        *sum += (x - q) * (x - q);
    }
    sums.iter().fold(0.0, |sum, x| sum + x)
}
