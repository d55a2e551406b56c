//! Distances of numbers whose powers would leave the range of f64, or vanish in it.
//!
//! Differences are divided by the largest of a pair before their powers are taken, so a key is here the distance itself.
//! It takes two passes over a row and divisions: only queries that need it are measured so, and Minkowski's any power.

use super::distance::{Distance, Finish, Missing, Power};
use super::rows::{Rows, is_level};
use crate::data::table::MISSING;

/// Numbers whose powers and their sums stay in the range of f64.
const SANE: std::ops::RangeInclusive<f64> = 1e-120..=1e120;
/// Beyond this size sums of differences may overflow, so they are taken in a larger unit.
const HUGE: f64 = 1e280;
const UNIT: f64 = 1.0 / (1u64 << 60) as f64;
/// Below this a sum of squares has lost digits, or is 0 for rows that differ.
const VANISHING: f64 = 1e-280;

/// Whether the squares of numbers up to this size do not overflow, and do not all vanish.
pub fn is_sane(largest: f64) -> bool {
    largest == 0.0 || SANE.contains(&largest)
}

/// The unit in which numbers up to this size are measured.
pub fn unit(size: f64) -> f64 {
    if size > HUGE { UNIT } else { 1.0 }
}

/// The key of a row as seen from a query. A row that is sure to have a larger key than `limit` may get infinity.
pub fn key(unit: f64, distance: &Distance, rows: &Rows, row: usize, queries: &Rows, query: usize, limit: f64) -> f64 {
    let pairs = || costs(unit, distance, rows, row, queries, query);
    let most = pairs().map(|(cost, _)| cost).fold(0.0, f64::max);
    if most > limit {
        return f64::INFINITY;
    }
    let (mut sum, mut known) = (0.0, 0.0);
    for (cost, weight) in pairs() {
        known += weight;
        // Zero by zero: a pair without any difference.
        let part = if cost == most { 1.0 } else { cost / most };
        match distance.power {
            Power::One => sum += part,
            Power::Two => sum += part * part,
            Power::Max => sum = part.max(sum),
            Power::Any(p) => sum += libm::pow(part, p),
        }
    }
    let key = distance.over(sum, known);
    match distance.power {
        _ if key == f64::INFINITY => key,
        Power::One | Power::Max => most * key,
        Power::Two => most * key.sqrt(),
        Power::Any(p) => most * libm::pow(key, 1.0 / p),
    }
}

/// What each column costs, as a difference of numbers, and its weight; nothing for a column that is skipped.
fn costs<'a>(
    unit: f64,
    distance: &'a Distance,
    rows: &'a Rows,
    row: usize,
    queries: &'a Rows,
    query: usize,
) -> impl Iterator<Item = (f64, f64)> {
    let (x, q) = (rows.numbers_of(row), queries.numbers_of(query));
    let other = move |weight: f64| (unit * distance.root(weight), weight);
    let missing = move |weight: f64| (distance.missing == Missing::Costs).then(|| other(weight));
    let numbers = x.iter().zip(q).zip(&distance.weights).filter_map(move |((a, b), &weight)| {
        let apart = (a * unit - b * unit).abs();
        if apart.is_nan() { missing(weight) } else { Some((apart, weight)) }
    });
    let codes = rows.codes_of(row).iter().zip(queries.codes_of(query)).zip(&distance.weights[x.len()..]);
    numbers.chain(codes.filter_map(move |((&a, &b), &weight)| match a == MISSING || b == MISSING {
        true => missing(weight),
        false if a != b || !is_level(a) => Some(other(weight)),
        false => Some((0.0, weight)),
    }))
}

/// The distance of a key.
pub fn distance_of(unit: f64, distance: &Distance, key: f64) -> f64 {
    let apart = key / unit;
    match distance.finish {
        Finish::Root => apart,
        Finish::Mean => apart / distance.total,
        Finish::Half => apart * apart / 2.0,
    }
}

/// Whether an answer must be looked for again: a row so near that its squares vanish, and yet not where the query is.
/// Where all of these are, the answer is right: a row that only seems to be there would be among them, or comes later.
pub fn is_doubtful(
    distance: &Distance,
    rows: &Rows,
    queries: &Rows,
    query: usize,
    near: &[u32],
    apart: &[f64],
) -> bool {
    let differs = |row: u32| {
        let pairs = rows.numbers_of(row as usize).iter().zip(queries.numbers_of(query));
        pairs.into_iter().any(|(a, b)| (a - b).abs() > 0.0) // NaN is not
    };
    distance.power == Power::Two
        && distance.finish == Finish::Root
        && near.iter().zip(apart).take_while(|(_, d)| is_vanishing(**d)).any(|(&row, _)| differs(row))
}

/// Whether the square of a distance has lost digits, or is 0.
#[inline(always)]
pub fn is_vanishing(distance: f64) -> bool {
    distance * distance < VANISHING
}
