//! The division of rows that belong to classes: levels are counted; numbers are sorted, cut and counted.

use super::buckets::buckets;
use super::logs::Logs;
use super::mdl::cuts;
use super::sorted::{Entry, Row, sorted};
use super::{Division, Way, is_missing, zeros};
use crate::Result;
use crate::codes::ordered::midpoint;
use crate::data::table::Column;
use crate::sys::pool::Cancel;

/// Divides by one column; `per` units of weight are one row.
pub fn divide<R: Row>(
    column: &Column<'_>,
    rows: &[R],
    classes: usize,
    way: Way,
    per: f64,
    logs: &Logs,
    cancel: &Cancel,
) -> Result<Division> {
    let mut missing: Vec<u64> = zeros(1, classes)?;
    if let Column::Categorical { codes: levels, levels: count } = column {
        let mut counts: Vec<u64> = zeros(*count as usize, classes)?;
        for (&level, &row) in levels.iter().zip(rows) {
            match is_missing(level, *count) {
                true => missing[row.class()] += row.weight(),
                false => counts[level as usize * classes + row.class()] += row.weight(),
            }
        }
        return Ok(Division { counts, missing, ..Division::default() });
    }
    let mut entries = sorted(column, rows, |row| missing[row.class()] += row.weight(), cancel)?;
    if R::WEIGHED {
        // A row without weight is no row: not even its number is between others.
        entries.retain(|entry| entry.is.weight() > 0);
    }
    cancel.check()?;
    let ends = match way {
        Way::Mdl => cuts(&entries, classes, per, logs),
        Way::Buckets(least) => buckets(&entries, classes, (least as f64 * per) as u64),
        _ => best(&entries, classes, way, logs).into_iter().collect(),
    };
    let cuts = ends.iter().map(|&end| midpoint(entries[end - 1].number(), entries[end].number())).collect();
    Ok(Division { cuts, counts: counted(&entries, &ends, classes)?, missing, ..Division::default() })
}

/// How many rows of each class the parts between ends have.
fn counted<R: Row>(entries: &[Entry<R>], ends: &[usize], classes: usize) -> Result<Vec<u64>> {
    let parts = if entries.is_empty() { 0 } else { ends.len() + 1 };
    let mut counts: Vec<u64> = zeros(parts, classes)?;
    let mut start = 0;
    for (part, counts) in counts.chunks_exact_mut(classes.max(1)).enumerate() {
        let end = ends.get(part).copied().unwrap_or(entries.len());
        entries[start..end].iter().for_each(|entry| counts[entry.is.class()] += entry.is.weight());
        start = end;
    }
    Ok(counts)
}

/// The rows of each class.
pub fn totals<R: Row>(entries: &[Entry<R>], classes: usize) -> Vec<u64> {
    let mut counts = vec![0; classes];
    entries.iter().for_each(|entry| counts[entry.is.class()] += entry.is.weight());
    counts
}

/// Where to cut once: how many rows lie below. The first of equals; None where all rows have one number.
fn best<R: Row>(entries: &[Entry<R>], classes: usize, way: Way, logs: &Logs) -> Option<usize> {
    let all = totals(entries, classes);
    match way {
        Way::Gini => search(entries, Squares::new(&all)).map(|(end, _)| end),
        Way::ChiSquared => search(entries, Shares::new(&all)).map(|(end, _)| end),
        _ => search(entries, Information::new(&all, logs)).map(|(end, _)| end),
    }
}

/// What a cut is worth: rows move from the upper part to the lower one, one after the other.
pub trait Worth {
    /// Larger is better.
    type Score: PartialOrd + Copy;
    /// Moves a row of a class and a weight.
    fn take(&mut self, class: usize, weight: u64);
    /// What a cut after so many rows is worth.
    fn score(&self) -> Self::Score;
}

/// The cut that is worth most, the first of equals, and its worth.
#[inline(always)]
pub fn search<R: Row, W: Worth>(entries: &[Entry<R>], mut worth: W) -> Option<(usize, W::Score)> {
    let mut best: Option<(usize, W::Score)> = None;
    for (i, pair) in entries.windows(2).enumerate() {
        worth.take(pair[0].is.class(), pair[0].is.weight());
        if pair[0].key != pair[1].key {
            let score = worth.score();
            if best.is_none_or(|(_, most)| score > most) {
                best = Some((i + 1, score));
            }
        }
    }
    best
}

/// The entropy that is left, in units of [`Logs`] times rows, negative: exact.
pub struct Information<'a> {
    logs: &'a Logs,
    low: Vec<u64>,
    high: Vec<u64>,
    below: u64,
    above: u64,
    /// Σ n log n over the classes of both parts.
    sum: i64,
}

impl<'a> Information<'a> {
    /// All rows are above.
    pub fn new(all: &[u64], logs: &'a Logs) -> Information<'a> {
        let sum = all.iter().map(|&n| logs.of(n)).sum();
        Information { logs, low: vec![0; all.len()], high: all.to_vec(), below: 0, above: all.iter().sum(), sum }
    }
}

impl Worth for Information<'_> {
    type Score = i64;
    #[inline(always)]
    fn take(&mut self, class: usize, weight: u64) {
        let (low, high) = (&mut self.low[class], &mut self.high[class]);
        let logs = self.logs;
        self.sum += logs.of(*low + weight) - logs.of(*low) + logs.of(*high - weight) - logs.of(*high);
        (*low, *high) = (*low + weight, *high - weight);
        (self.below, self.above) = (self.below + weight, self.above - weight);
    }
    #[inline(always)]
    fn score(&self) -> i64 {
        self.sum - self.logs.of(self.below) - self.logs.of(self.above)
    }
}

/// The sum of squares over the rows of both parts: the larger, the smaller the Gini index that is left.
struct Squares {
    low: Vec<u64>,
    high: Vec<u64>,
    below: u64,
    above: u64,
    squares: (u64, u64),
}

impl Squares {
    fn new(all: &[u64]) -> Squares {
        let squares = all.iter().map(|n| n * n).sum();
        Squares {
            low: vec![0; all.len()],
            high: all.to_vec(),
            below: 0,
            above: all.iter().sum(),
            squares: (0, squares),
        }
    }
}

impl Worth for Squares {
    type Score = f64;
    #[inline(always)]
    fn take(&mut self, class: usize, weight: u64) {
        let (low, high) = (&mut self.low[class], &mut self.high[class]);
        self.squares.0 += weight * (2 * *low + weight);
        self.squares.1 -= weight * (2 * *high - weight);
        (*low, *high) = (*low + weight, *high - weight);
        (self.below, self.above) = (self.below + weight, self.above - weight);
    }
    #[inline(always)]
    fn score(&self) -> f64 {
        self.squares.0 as f64 / self.below as f64 + self.squares.1 as f64 / self.above as f64
    }
}

/// Σ n²/(rows of the part × rows of the class): the statistic of chi-squared, but for a factor and a constant.
struct Shares {
    low: Vec<u64>,
    all: Vec<u64>,
    per: Vec<f64>,
    below: u64,
    total: u64,
}

impl Shares {
    fn new(all: &[u64]) -> Shares {
        let per = all.iter().map(|&n| if n > 0 { 1.0 / n as f64 } else { 0.0 }).collect();
        Shares { low: vec![0; all.len()], all: all.to_vec(), per, below: 0, total: all.iter().sum() }
    }
}

impl Worth for Shares {
    type Score = f64;
    #[inline(always)]
    fn take(&mut self, class: usize, weight: u64) {
        self.low[class] += weight;
        self.below += weight;
    }
    #[inline(always)]
    fn score(&self) -> f64 {
        let (mut lower, mut upper) = (0.0, 0.0);
        for ((&low, &all), per) in self.low.iter().zip(&self.all).zip(&self.per) {
            let (a, b) = (low as f64, (all - low) as f64);
            lower += a * a * per;
            upper += b * b * per;
        }
        lower / self.below as f64 + upper / (self.total - self.below) as f64
    }
}
