//! Numbers to codes: how many of some sorted cuts lie below a number. `x <= cut k` is then `code <= k`, exactly.
//!
//! A grid of equal steps says where to begin: the map from a number to its cell never falls where the number rises, so all
//! cuts of earlier cells lie below the number and none of later cells does; those of its own cell are compared one by one.

/// Cells for each cut: so many that most cells hold one cut or none.
const CELLS: usize = 8;
/// Cuts in one cell up to which they are compared one by one; beyond, all cuts are searched by halves.
const FEW: usize = 4;

/// At most 255 sorted cuts, so that a code is a byte.
#[derive(Clone, Debug)]
pub(super) struct Grid {
    /// The cuts, then infinities: a number is never greater than those.
    cuts: Vec<f64>,
    low: f64,
    steps: f64,
    last: f64,
    /// Cuts of all cells before this one.
    start: Vec<u8>,
    /// The most cuts of one cell; 0 where they are searched by halves.
    most: usize,
    count: usize,
}

impl Grid {
    /// `cuts` are sorted, distinct, not NaN, and 1 to 255.
    pub fn new(cuts: &[f64]) -> Grid {
        let count = cuts.len();
        let finite = || cuts.iter().copied().filter(|cut| cut.is_finite());
        let (low, high) = (finite().next().unwrap_or(0.0), finite().next_back().unwrap_or(0.0));
        let cells = (count * CELLS).next_power_of_two();
        let steps = cells as f64 / (high - low);
        let steps = if steps.is_finite() { steps } else { 0.0 };
        let mut grid =
            Grid { cuts: cuts.to_vec(), low, steps, last: (cells - 1) as f64, start: vec![0; cells], most: 0, count };
        grid.cuts.resize(256 + FEW, f64::INFINITY);
        let mut of_cell = vec![0usize; cells];
        cuts.iter().for_each(|&cut| of_cell[grid.cell(cut)] += 1);
        let mut before = 0;
        for (start, inside) in grid.start.iter_mut().zip(&of_cell) {
            *start = before as u8;
            before += inside;
        }
        let most = of_cell.into_iter().max().unwrap_or(0);
        grid.most = if most <= FEW { most } else { 0 };
        grid
    }

    /// Never falls where `x` rises. A missing number is in the first cell.
    #[inline(always)]
    fn cell(&self, x: f64) -> usize {
        ((x - self.low) * self.steps).max(0.0).min(self.last) as usize
    }

    /// Writes the code of each number; that of a missing one is `missing`: 0, or the number of cuts.
    #[inline(always)]
    pub fn code(&self, numbers: &[f64], missing: u8, codes: &mut [u8]) {
        match self.most {
            0 => self.code_by(numbers, missing, codes, |x| self.halves(x)),
            1 => self.code_by(numbers, missing, codes, |x| self.cells::<1>(x)),
            2 => self.code_by(numbers, missing, codes, |x| self.cells::<2>(x)),
            _ => self.code_by(numbers, missing, codes, |x| self.cells::<FEW>(x)),
        }
    }

    #[inline(always)]
    fn code_by(&self, numbers: &[f64], missing: u8, codes: &mut [u8], code: impl Fn(f64) -> usize) {
        for (to, &x) in codes.iter_mut().zip(numbers) {
            *to = if x.is_nan() { missing } else { code(x) as u8 };
        }
    }

    #[inline(always)]
    fn cells<const MOST: usize>(&self, x: f64) -> usize {
        let mut code = self.start[self.cell(x)] as usize;
        for _ in 0..MOST {
            code += usize::from(x > self.cuts[code]);
        }
        code
    }

    #[inline(always)]
    fn halves(&self, x: f64) -> usize {
        let mut code = 0;
        for half in [128, 64, 32, 16, 8, 4, 2, 1] {
            code += if x > self.cuts[code + half - 1] { half } else { 0 };
        }
        code
    }

    /// The number of cuts.
    pub fn count(&self) -> usize {
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
            cuts.sort_by(f64::total_cmp);
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
