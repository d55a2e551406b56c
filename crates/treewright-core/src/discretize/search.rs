//! Where to cut a sorted column once: one pass, and what a cut is worth by each measure.

use super::logs::Logs;
use super::rows::Row;
use crate::codes::sorted::Keyed;

/// The cut that is worth most, the first of equals, and its worth. Rows move from the upper part to the lower one, one after
/// the other: `worth` moves one, and says what a cut behind it is worth, larger is better, where that is asked.
#[inline(always)]
pub fn search<T: Copy, Score: PartialOrd + Copy>(
    entries: &[Keyed<T>],
    mut worth: impl FnMut(T, bool) -> Option<Score>,
) -> Option<(usize, Score)> {
    let mut best: Option<(usize, Score)> = None;
    for (i, pair) in entries.windows(2).enumerate() {
        if let Some(score) = worth(pair[0].row, pair[0].key != pair[1].key)
            && best.is_none_or(|(_, most)| score > most)
        {
            best = Some((i + 1, score));
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
    /// All rows are above.
    fn new(all: &[u64]) -> Sides {
        Sides { low: vec![0; all.len()], high: all.to_vec(), below: 0, above: all.iter().sum() }
    }

    /// Moves a row; what it weighs, and what its class weighed on both sides before.
    #[inline(always)]
    fn take(&mut self, row: impl Row) -> [u64; 3] {
        let weight = row.weight();
        let (low, high) = (&mut self.low[row.class()], &mut self.high[row.class()]);
        let before = [weight, *low, *high];
        (*low, *high) = (*low + weight, *high - weight);
        (self.below, self.above) = (self.below + weight, self.above - weight);
        before
    }
}

/// Where the least entropy is left: exact, in units of [`Logs`] times rows. `all` is the weight of each class.
pub fn by_entropy<R: Row>(entries: &[Keyed<R>], all: &[u64], logs: &Logs) -> Option<usize> {
    let mut sides = Sides::new(all);
    // Σ n log n over the classes of both parts.
    let mut sum: i64 = all.iter().map(|&n| logs.of(n)).sum();
    let worth = |row: R, is_asked: bool| {
        let [weight, low, high] = sides.take(row);
        sum += logs.of(low + weight) - logs.of(low) + logs.of(high - weight) - logs.of(high);
        is_asked.then(|| sum - logs.of(sides.below) - logs.of(sides.above))
    };
    search(entries, worth).map(|(end, _)| end)
}

/// Where the least Gini index is left: the sum of squares over the rows of both parts is largest.
pub fn by_gini<R: Row>(entries: &[Keyed<R>], all: &[u64]) -> Option<usize> {
    let mut sides = Sides::new(all);
    let [mut lower, mut upper] = [0, all.iter().map(|n| n * n).sum::<u64>()];
    let worth = |row: R, is_asked: bool| {
        let [weight, low, high] = sides.take(row);
        lower += weight * (2 * low + weight);
        upper -= weight * (2 * high - weight);
        is_asked.then(|| lower as f64 / sides.below as f64 + upper as f64 / sides.above as f64)
    };
    search(entries, worth).map(|(end, _)| end)
}

/// Where the statistic of chi-squared is largest: but for a factor and a constant, Σ n²/(rows of the part × rows of the class).
pub fn by_chi_squared<R: Row>(entries: &[Keyed<R>], all: &[u64]) -> Option<usize> {
    let mut sides = Sides::new(all);
    // 1 / the rows of each class.
    let per: Vec<f64> = all.iter().map(|&n| if n > 0 { 1.0 / n as f64 } else { 0.0 }).collect();
    let worth = |row: R, is_asked: bool| {
        sides.take(row);
        is_asked.then(|| {
            let (mut lower, mut upper) = (0.0, 0.0);
            for ((&low, &high), per) in sides.low.iter().zip(&sides.high).zip(&per) {
                let (a, b) = (low as f64, high as f64);
                lower += a * a * per;
                upper += b * b * per;
            }
            lower / sides.below as f64 + upper / sides.above as f64
        })
    };
    search(entries, worth).map(|(end, _)| end)
}
