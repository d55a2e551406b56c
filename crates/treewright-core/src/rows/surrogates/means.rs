//! What a cut among rows with whole numbers saves: it depends on how far the mean below it is from the mean of all rows.

use super::cuts::BLOCK;
use crate::simd::{Isa, multiversion};

/// A cut that passes rows in their order.
#[derive(Clone, Copy, Debug)]
pub struct Means {
    /// From squares of the numbers to what is saved.
    pub scale: f64,
    /// How many rows there are.
    pub rows: f64,
    /// The sum of their numbers.
    total: f64,
    below: f64,
    /// The sum of the numbers below the cut.
    sum: i64,
    isa: Isa,
}

impl Means {
    /// Of rows that are told by [`Means::begin`].
    pub fn new(scale: f64) -> Means {
        Means { scale, rows: 0.0, total: 0.0, below: 0.0, sum: 0, isa: Isa::detect() }
    }

    /// Puts so many rows above the cut; their numbers add up to `total`.
    pub fn begin(&mut self, rows: usize, total: i64) {
        (self.rows, self.total, self.below, self.sum) = (rows as f64, total as f64, 0.0, 0);
    }

    /// The cut passes a row.
    #[inline]
    pub fn pass(&mut self, number: i64) {
        self.below += 1.0;
        self.sum += number;
    }

    /// About what the present cut saves.
    #[inline]
    pub fn saved(&self) -> f64 {
        let difference = self.sum as f64 * self.rows - self.total * self.below;
        self.scale * difference * difference / (self.rows * self.below * (self.rows - self.below))
    }

    /// The cut passes so many rows with numbers of 0 and 1, of which so many are 1, if it surely saves less than the bar
    /// in whatever order they come: what it saves is largest where all rows of one number come first.
    pub fn pass_any_order(&mut self, items: usize, ones: i64, bar: f64) -> bool {
        let (count, added) = (items as f64, ones as f64);
        let before = self.sum as f64 * self.rows - self.total * self.below;
        let (high, low) = (before + added * (self.rows - self.total), before - self.total * (count - added));
        let farthest = high.abs().max(low.abs());
        let sides = |below: f64| below * (self.rows - below);
        let least = sides(self.below + 1.0).min(sides(self.below + count));
        let are_poor = self.scale * farthest * farthest < bar * self.rows * least;
        if are_poor {
            (self.below, self.sum) = (self.below + count, self.sum + ones);
        }
        are_poor
    }

    /// See [`super::cuts::Estimate::pass_poor_cuts`]; at most [`BLOCK`] rows.
    #[inline]
    pub fn pass_poor_cuts(&mut self, items: &[u64], number: impl Fn(u64) -> i64, bar: f64) -> bool {
        let (sums, sum) = self.sums_behind(items, number);
        let are_poor = are_all_poor(self.isa, &sums[..items.len()], self, bar);
        if are_poor {
            (self.below, self.sum) = (self.below + items.len() as f64, sum);
        }
        are_poor
    }

    /// See [`super::cuts::Estimate::pass_block`].
    #[inline]
    pub fn pass_block(&mut self, items: &[u64], number: impl Fn(u64) -> i64) -> [f64; BLOCK] {
        let (sums, sum) = self.sums_behind(items, number);
        let mut savings = [0.0; BLOCK];
        save_all(self.isa, &sums, self, &mut savings);
        (self.below, self.sum) = (self.below + items.len() as f64, sum);
        savings
    }

    /// The sums of the numbers below the cuts behind some rows, and behind them all.
    #[inline(always)]
    fn sums_behind(&self, items: &[u64], number: impl Fn(u64) -> i64) -> ([i64; BLOCK], i64) {
        let (mut sums, mut sum) = ([0; BLOCK], self.sum);
        for (place, item) in sums.iter_mut().zip(items) {
            sum += number(*item);
            *place = sum;
        }
        (sums, sum)
    }
}

multiversion! {
    /// What the cuts behind the rows of a block save, as [`Means::saved`] computes it.
    fn save_all(sums: &[i64; BLOCK], before: &Means, savings: &mut [f64; BLOCK]) {
        let Means { scale, rows, total, .. } = *before;
        let mut below = before.below;
        for (sum, saved) in sums.iter().zip(savings) {
            below += 1.0;
            let difference = *sum as f64 * rows - total * below;
            *saved = scale * difference * difference / (rows * below * (rows - below));
        }
    }
}

multiversion! {
    /// Whether the cuts behind some rows all save less than the bar, given the sums of the numbers below each. Nothing is
    /// divided; rounding is far below the error of an estimate.
    fn are_all_poor(sums: &[i64], before: &Means, bar: f64) -> bool {
        let Means { scale, rows, total, .. } = *before;
        let (mut below, mut are_poor, bar) = (before.below, 1, bar * rows);
        for sum in sums {
            below += 1.0;
            let difference = *sum as f64 * rows - total * below;
            // (One that is no number might be the best.)
            are_poor &= u64::from(scale * difference * difference < bar * below * (rows - below));
        }
        are_poor == 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn poor_cuts_are_those_below_the_bar() {
        let numbers: Vec<i64> = (0..100).map(|i: i64| (i * i * 7919) % 23 - i / 9).collect();
        let total = numbers.iter().sum();
        let items: Vec<u64> = (0..100).collect();
        for start in (0..64).step_by(7) {
            let mut means = Means::new(0.25);
            means.begin(numbers.len(), total);
            numbers[..start].iter().for_each(|number| means.pass(*number));
            let block = &items[start..start + BLOCK];
            let (mut one_by_one, mut best) = (means, 0.0f64);
            for item in block {
                one_by_one.pass(numbers[*item as usize]);
                best = best.max(one_by_one.saved());
            }
            for (share, are_poor) in [(0.999, false), (1.001, true)] {
                let mut passed = means;
                assert_eq!(passed.pass_poor_cuts(block, |item| numbers[item as usize], best * share), are_poor);
                let expected = if are_poor { one_by_one } else { means };
                assert_eq!((passed.below, passed.sum), (expected.below, expected.sum));
            }
            assert!(!means.clone().pass_poor_cuts(block, |item| numbers[item as usize], f64::NAN));
        }
    }

    #[test]
    fn a_block_saves_what_its_rows_save_one_by_one() {
        let numbers: Vec<i64> = (0..90).map(|i: i64| (i * i * 7919) % 23 - i / 9).collect();
        let items: Vec<u64> = (0..90).collect();
        for isa in Isa::all() {
            let mut one_by_one = Means { isa, ..Means::new(0.25) };
            one_by_one.begin(numbers.len(), numbers.iter().sum());
            for block in items[..87].chunks(BLOCK) {
                let mut together = one_by_one;
                let savings = together.pass_block(block, |item| numbers[item as usize]);
                for (item, saved) in block.iter().zip(savings) {
                    one_by_one.pass(numbers[*item as usize]);
                    assert_eq!(one_by_one.saved().to_bits(), saved.to_bits());
                }
                assert_eq!((together.below, together.sum), (one_by_one.below, one_by_one.sum));
            }
        }
    }

    #[test]
    fn no_order_of_zeros_and_ones_saves_more() {
        let bits: Vec<i64> = (0..200).map(|i: i64| ((i * i * 7919) >> 3) & 1).collect();
        for start in (1..160).step_by(13) {
            let mut means = Means::new(0.5);
            means.begin(bits.len(), bits.iter().sum());
            bits[..start].iter().for_each(|bit| means.pass(*bit));
            let block = &bits[start..start + BLOCK];
            let (mut one_by_one, mut best) = (means, 0.0f64);
            for bit in block {
                one_by_one.pass(*bit);
                best = best.max(one_by_one.saved());
            }
            let ones = block.iter().sum();
            assert!(!means.clone().pass_any_order(BLOCK, ones, best * 0.999));
            assert!(!means.clone().pass_any_order(BLOCK, ones, f64::NAN));
            let mut passed = means;
            assert!(passed.pass_any_order(BLOCK, ones, 1e9));
            assert_eq!((passed.below, passed.sum), (one_by_one.below, one_by_one.sum));
        }
    }
}
