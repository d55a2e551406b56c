//! Numbers to codes: how many of some sorted cuts lie below a number. `x <= cut k` is then `code <= k`, exactly.
//!
//! A grid of equal steps says where to begin: the map from a number to its cell never falls where the number rises, so all
//! cuts of earlier cells lie below the number and none of later cells does; those of its own cell are searched by halves.

use super::cut_tree::CutTree;

/// Cells of a grid: so many that most hold one cut or none.
const CELLS: usize = 1024;
/// Comparisons that find a place among all cuts.
const ALL: usize = 8;

/// At most 255 sorted cuts, so that a code is a byte.
#[derive(Clone, Debug)]
pub(super) struct Grid {
    /// The cuts, then infinities: a number is never greater than those. Two bytes cannot lead outside.
    cuts: Box<[f64; 512]>,
    /// Cuts of all cells before this one.
    start: Box<[u8; CELLS]>,
    low: f64,
    steps: f64,
    /// Comparisons that find a place among the cuts of any cell.
    halves: usize,
    count: u8,
    /// The same cuts for numbers of 32 bits.
    pub singles: CutTree,
}

impl Grid {
    /// `cuts` are sorted, distinct, not NaN, and 1 to 255.
    pub fn new(cuts: &[f64]) -> Grid {
        let finite = || cuts.iter().copied().filter(|cut| cut.is_finite());
        let (low, high) = (finite().next().unwrap_or(0.0), finite().next_back().unwrap_or(0.0));
        let steps = CELLS as f64 / (high - low);
        let steps = if steps.is_finite() { steps } else { 0.0 };
        let mut all = Box::new([f64::INFINITY; 512]);
        all[..cuts.len()].copy_from_slice(cuts);
        let start = Box::new([0; CELLS]);
        let (count, singles) = (cuts.len() as u8, CutTree::new(cuts));
        let mut grid = Grid { cuts: all, start, low, steps, halves: ALL, count, singles };
        let mut inside = [0usize; CELLS];
        cuts.iter().for_each(|&cut| inside[grid.cell(cut)] += 1);
        let mut before = 0;
        for (start, inside) in grid.start.iter_mut().zip(&inside) {
            *start = before as u8;
            before += inside;
        }
        let most = inside.into_iter().max().unwrap_or(0);
        grid.halves = (most + 1).next_power_of_two().ilog2() as usize;
        grid
    }

    /// Never falls where `x` rises. A missing number is in the first cell.
    #[inline(always)]
    fn cell(&self, x: f64) -> usize {
        const LAST: f64 = (CELLS - 1) as f64;
        let place = (x - self.low) * self.steps;
        // Written so that what is not a number becomes 0, in one instruction each.
        let place = if place > 0.0 { place } else { 0.0 };
        let place = if place < LAST { place } else { LAST };
        // SAFETY: it is a number from 0 to `LAST`, which fits.
        (unsafe { place.to_int_unchecked::<i32>() }) as usize & (CELLS - 1)
    }

    /// Writes the code of each number; that of a missing one is `missing`: 0, or the number of cuts.
    #[inline(always)]
    pub fn code(&self, numbers: &[f64], missing: u8, codes: &mut [u8]) {
        match self.halves {
            0 | 1 => self.code_by::<1>(numbers, missing, codes),
            2 => self.code_by::<2>(numbers, missing, codes),
            3 => self.code_by::<3>(numbers, missing, codes),
            4 => self.code_by::<4>(numbers, missing, codes),
            _ => self.code_by::<ALL>(numbers, missing, codes),
        }
    }

    /// The code of one number.
    #[inline(always)]
    pub fn code_one(&self, x: f64, missing: u8) -> u8 {
        match self.halves {
            _ if x.is_nan() => missing,
            0..=2 => self.find::<2>(x),
            3 | 4 => self.find::<4>(x),
            _ => self.find::<ALL>(x),
        }
    }

    #[inline(always)]
    fn code_by<const HALVES: usize>(&self, numbers: &[f64], missing: u8, codes: &mut [u8]) {
        codes.iter_mut().zip(numbers).for_each(|(to, &x)| *to = self.find::<HALVES>(x));
        // A missing number is in the first cell and not greater than a cut: its code is 0 already.
        if missing > 0 {
            codes.iter_mut().zip(numbers).for_each(|(to, x)| *to = if x.is_nan() { missing } else { *to });
        }
    }

    /// The code of a number, where no cell has more than `2^HALVES - 1` cuts.
    #[inline(always)]
    fn find<const HALVES: usize>(&self, x: f64) -> u8 {
        let mut code = if HALVES == ALL { 0 } else { usize::from(self.start[self.cell(x)]) };
        for i in (0..HALVES).rev() {
            let half = 1 << i;
            code += if x > self.cuts[(code + half - 1) % 512] { half } else { 0 };
        }
        code as u8
    }

    /// The number of cuts.
    pub fn count(&self) -> u8 {
        self.count
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::rng::Stream;

    #[test]
    fn a_code_counts_the_cuts_below() {
        let random = Stream::new(7, 0);
        let tiny = f64::from_bits(1);
        for case in 0..400usize {
            let place = 1000 * case as u64;
            let count = 1 + random.below(place, 255);
            let mut cuts: Vec<f64> = (1..=count)
                .map(|i| {
                    let unit = random.uniform(place + i);
                    match case % 5 {
                        0 => unit * 6.0 - 3.0,
                        1 => (unit * 40.0 - 20.0).exp(),
                        2 => (unit * 20.0).floor(),
                        3 => (unit - 0.5) * f64::MAX,
                        _ => unit * 1e-310,
                    }
                })
                .chain([0.0, tiny, f64::INFINITY].into_iter().take(case % 4))
                .collect();
            cuts.sort_unstable_by(f64::total_cmp);
            cuts.dedup();
            cuts.truncate(255);
            let grid = Grid::new(&cuts);
            let mut numbers: Vec<f64> =
                cuts.iter().flat_map(|&cut| [cut, cut.next_up(), cut.next_down(), -cut]).collect();
            numbers.extend([0.0, -0.0, tiny, -tiny, f64::INFINITY, f64::NEG_INFINITY, f64::MAX, f64::MIN, f64::NAN]);
            let mut codes = vec![0; numbers.len()];
            grid.code(&numbers, 99, &mut codes);
            for (&x, &code) in numbers.iter().zip(&codes) {
                let below = cuts.iter().filter(|&&cut| cut < x).count();
                assert_eq!(usize::from(code), if x.is_nan() { 99 } else { below }, "{x} in case {case}");
            }
        }
    }
}
