//! Where to cut a sorted column once: one pass, and what a cut is worth by each measure.

use super::logs::Logs;
use super::rows::Row;
use crate::codes::sorted::Keyed;

/// What a cut is worth, larger is better: rows move from the upper part to the lower one, one after the other.
pub trait Worth<T, Score> {
    /// Moves a row.
    fn take(&mut self, row: T);
    /// What a cut after so many rows is worth.
    fn score(&self) -> Score;
}

/// The cut that is worth most, the first of equals, and its worth.
#[inline(always)]
pub fn search<T: Copy, Score: PartialOrd + Copy>(
    entries: &[Keyed<T>],
    mut worth: impl Worth<T, Score>,
) -> Option<(usize, Score)> {
    let mut best: Option<(usize, Score)> = None;
    for (i, pair) in entries.windows(2).enumerate() {
        worth.take(pair[0].row);
        if pair[0].key != pair[1].key {
            let score = worth.score();
            if best.is_none_or(|(_, most)| score > most) {
                best = Some((i + 1, score));
            }
        }
    }
    best
}

/// The weight of each class on both sides of a cut, and that of all.
struct Sides {
    low: Vec<u64>,
    high: Vec<u64>,
    below: u64,
    above: u64,
}

impl Sides {
    fn new(all: &[u64]) -> Sides {
        Sides { low: vec![0; all.len()], high: all.to_vec(), below: 0, above: all.iter().sum() }
    }

    /// Moves a row; what its class weighed on both sides before.
    #[inline(always)]
    fn take(&mut self, class: usize, weight: u64) -> [u64; 2] {
        let (low, high) = (&mut self.low[class], &mut self.high[class]);
        let before = [*low, *high];
        (*low, *high) = (*low + weight, *high - weight);
        (self.below, self.above) = (self.below + weight, self.above - weight);
        before
    }
}

/// The entropy that is left, in units of [`Logs`] times rows, negative: exact.
pub struct Entropy<'a> {
    logs: &'a Logs,
    sides: Sides,
    /// Σ n log n over the classes of both parts.
    sum: i64,
}

impl<'a> Entropy<'a> {
    /// All rows are above.
    pub fn new(all: &[u64], logs: &'a Logs) -> Entropy<'a> {
        let sum = all.iter().map(|&n| logs.of(n)).sum();
        Entropy { logs, sides: Sides::new(all), sum }
    }
}

impl<R: Row> Worth<R, i64> for Entropy<'_> {
    #[inline(always)]
    fn take(&mut self, row: R) {
        let (class, weight) = (row.class(), row.weight());
        let logs = self.logs;
        let [low, high] = self.sides.take(class, weight);
        self.sum += logs.of(low + weight) - logs.of(low) + logs.of(high - weight) - logs.of(high);
    }
    #[inline(always)]
    fn score(&self) -> i64 {
        self.sum - self.logs.of(self.sides.below) - self.logs.of(self.sides.above)
    }
}

/// The sum of squares over the rows of both parts: the larger, the smaller the Gini index that is left.
pub struct Gini {
    sides: Sides,
    squares: (u64, u64),
}

impl Gini {
    /// All rows are above.
    pub fn new(all: &[u64]) -> Gini {
        let squares = all.iter().map(|n| n * n).sum();
        Gini { sides: Sides::new(all), squares: (0, squares) }
    }
}

impl<R: Row> Worth<R, f64> for Gini {
    #[inline(always)]
    fn take(&mut self, row: R) {
        let (class, weight) = (row.class(), row.weight());
        let [low, high] = self.sides.take(class, weight);
        self.squares.0 += weight * (2 * low + weight);
        self.squares.1 -= weight * (2 * high - weight);
    }
    #[inline(always)]
    fn score(&self) -> f64 {
        self.squares.0 as f64 / self.sides.below as f64 + self.squares.1 as f64 / self.sides.above as f64
    }
}

/// Σ n²/(rows of the part × rows of the class): the statistic of chi-squared, but for a factor and a constant.
pub struct ChiSquared {
    sides: Sides,
    /// 1 / the rows of each class.
    per: Vec<f64>,
}

impl ChiSquared {
    /// All rows are above.
    pub fn new(all: &[u64]) -> ChiSquared {
        let per = all.iter().map(|&n| if n > 0 { 1.0 / n as f64 } else { 0.0 }).collect();
        ChiSquared { sides: Sides::new(all), per }
    }
}

impl<R: Row> Worth<R, f64> for ChiSquared {
    #[inline(always)]
    fn take(&mut self, row: R) {
        self.sides.take(row.class(), row.weight());
    }
    #[inline(always)]
    fn score(&self) -> f64 {
        let Sides { low, high, below, above } = &self.sides;
        let (mut lower, mut upper) = (0.0, 0.0);
        for ((&low, &high), per) in low.iter().zip(high).zip(&self.per) {
            let (a, b) = (low as f64, high as f64);
            lower += a * a * per;
            upper += b * b * per;
        }
        lower / *below as f64 + upper / *above as f64
    }
}
