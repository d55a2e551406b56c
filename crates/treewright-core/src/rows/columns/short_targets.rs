//! The targets of a node, counted from its mean and rounded to so few bits that a sum and a count fit into one integer.

use super::kernels::lanes::LANES;
use super::kernels::squares;
use super::sums::{SumTotal, runs_of};
use crate::Result;

/// The targets of a node in their short form.
#[derive(Debug, Default)]
pub struct ShortTargets {
    /// For each row, its short target and the number 1, packed; and the square of the short target, rounded up.
    pub(super) records: Vec<[i64; 2]>,
    /// For each row of a small node, the distance of its short target from the mean, as often as it counts.
    pub(super) singles: Vec<f32>,
    /// For each row of a small node, how often it counts.
    pub(super) times: Vec<f32>,
    pub(super) form: ShortForm,
}

/// How short targets are made.
#[derive(Clone, Copy, Debug, Default)]
pub struct ShortForm {
    /// Subtracted first.
    pub(super) mean: i64,
    /// Lowest bits that are dropped next.
    pub(super) shift: u32,
    /// Bits of a packed count.
    pub(super) count_bits: u32,
    /// Lowest bits of squares that are dropped.
    pub(super) square_shift: u32,
    /// The greatest size of a short target.
    pub(super) reach: f64,
    /// The sum of all short targets.
    pub(super) sum: i64,
}

/// The most bits of a short target: its square fits an integer.
const SHORT: u32 = 30;

impl ShortForm {
    fn new(total: &SumTotal, targets: &[i64]) -> ShortForm {
        // Between the least and the greatest target.
        let mean = total.sum.div_euclid(i128::from(total.count.max(1))) as i64;
        let reach = squares::reach(targets, mean);
        let count_bits = 64 - total.count.leading_zeros();
        let room = SHORT.min(62 - 2 * count_bits);
        let shift = (64 - reach.leading_zeros()).saturating_sub(room);
        let square_shift = (2 * room + count_bits).saturating_sub(62);
        ShortForm { mean, shift, count_bits, square_shift, reach: ((reach >> shift) + 1) as f64, sum: 0 }
    }

    #[inline(always)]
    fn short(&self, target: i64) -> i64 {
        (target - self.mean) >> self.shift
    }

    #[inline(always)]
    fn record(&self, target: i64, times: i64) -> [i64; 2] {
        let short = self.short(target);
        [((short << self.count_bits) + 1) * times, (((short * short) >> self.square_shift) + 1) * times]
    }
}

impl ShortTargets {
    /// Prepares the searches of a node.
    pub fn fill(&mut self, total: &SumTotal, targets: &[i64]) -> Result<()> {
        let form = ShortForm::new(total, targets);
        self.form = form;
        let short_sum = |targets: &[i64]| targets.iter().map(|&y| form.short(y)).sum::<i64>();
        let runs = || runs_of(&total.runs, targets.len());
        self.form.sum = runs().map(|(times, span)| short_sum(&targets[span]) * i64::from(times)).sum();
        if targets.len() <= LANES {
            let mean = self.form.sum as f32 / total.count as f32;
            self.singles.clear();
            self.times.clear();
            for (times, span) in runs() {
                let times = times as f32;
                self.singles.extend(targets[span].iter().map(|&y| (form.short(y) as f32 - mean) * times));
                self.times.resize(self.singles.len(), times);
            }
        } else {
            self.records.clear();
            self.records.try_reserve(targets.len())?;
            for (times, span) in runs() {
                let times = i64::from(times);
                self.records.extend(targets[span].iter().map(|&y| form.record(y, times)));
            }
        }
        Ok(())
    }
}
