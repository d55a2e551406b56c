//! Sums of a numeric target, for squared error. Targets are integers (see [`crate::stats::numbers`]) that move with their
//! rows. Rows that count several times, as in a bootstrap sample, stand together in runs.
//!
//! Histograms hold a shorter form of the targets: counted from the node's mean, rounded to at most 30 bits and packed
//! with the count into one integer, beside their squares. Sums of the short form may be off by as many units as they have
//! rows; estimates allow for that. What decides is summed from the full targets.
//!
//! Why a bin's bound holds: of the `c` rows of a bin with sum `s` and squares `q`, any `k` have a sum within
//! `d = sqrt(c q - s^2) / 2` of `k s / c`. So a cut inside the bin lies, by rows and sum, in a parallelogram between the
//! bin's two edges that is `2 d` high, and savings are convex: the greatest is at one of its corners.

use super::bins::MOST;
use super::kernels::Isa;
use super::kernels::lanes;
use super::kernels::squares::SquaresShape;
use super::kernels::squares::{self, SquaresBin};
use super::light::{fewest_rows, forbid_few_rows, rows_below};
use super::node::ABSENT;
use super::segments::bits_from;
use super::short_targets::ShortTargets;
use super::tally::{Inherit, LaneScan, Leaves, Look, NodeContext, Scan, SidePart, SmallNodes, Tally, Which};
use super::tile;
use crate::Result;
use crate::stats::criterion::{Criterion, SquaredError};
use crate::sys::memory::room;
use std::ops::Range;

/// What rows add up to.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SumTotal {
    /// How often they count.
    pub(super) count: u64,
    pub(super) sum: i128,
    pub(super) squares: i128,
    /// The rows by how often they count; empty where each counts once.
    pub(super) runs: Vec<Run>,
}

/// Rows that stand together and count so many times each.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Run {
    /// How many rows.
    pub len: u32,
    /// How often each of them counts.
    pub times: u32,
}

/// The rows on the left of a cut.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SumPart {
    /// How often they count.
    count: u64,
    sum: i128,
    rows: usize,
}

/// Sums under squared error.
#[derive(Debug)]
pub struct Sums<'a> {
    /// What a set of rows costs and says.
    pub criterion: &'a SquaredError<'a>,
    /// The weight of each row, in the criterion's units.
    pub units: u64,
}

/// A histogram, and room for its running totals.
#[derive(Debug)]
pub struct SumHistogram {
    bins: Box<[SquaresBin; MOST]>,
    packed: Vec<i64>,
    /// The rows without a number.
    absent: SquaresBin,
}

impl Default for SumHistogram {
    fn default() -> SumHistogram {
        SumHistogram { bins: Box::new([[0; 2]; MOST]), packed: vec![0; MOST + 1], absent: [0; 2] }
    }
}

impl Sums<'_> {
    fn stats(&self, total: &SumTotal) -> [i128; 3] {
        let units = i128::from(self.units);
        [i128::from(total.count) * units, total.sum * units, total.squares * units]
    }

    /// All rows, by how often they count; no runs mean once each.
    pub fn total(&self, targets: &[i64], runs: Vec<Run>) -> SumTotal {
        let mut total = SumTotal::default();
        runs_of(&runs, targets.len()).for_each(|(times, span)| total.join(&squares::add_up(&targets[span]), times));
        SumTotal { runs, ..total }
    }

    /// What one unit of saving in short targets is as a share of the node's cost.
    fn scale(context: &NodeContext<'_, Self>) -> f64 {
        libm::ldexp(context.total.count as f64 / context.cost, 2 * context.prepared.form.shift as i32)
    }

    /// The rows with smaller codes.
    fn below(context: &NodeContext<'_, Self>, codes: &[u16], code: u32) -> SumPart {
        let mut part = SumPart::default();
        for (times, span) in runs_of(&context.total.runs, context.len) {
            let (rows, sum) = squares::sum_below(context.isa, &codes[span.clone()], &context.targets[span], code);
            part.count += rows * u64::from(times);
            part.sum += sum * i128::from(times);
            part.rows += rows as usize;
        }
        part
    }

    /// How far the sum of short targets may be off, per row.
    fn lean(context: &NodeContext<'_, Self>) -> f32 {
        if context.prepared.form.shift > 0 { 1.0 } else { 0.0 }
    }
}

/// How often rows count, and which ones.
pub(super) fn runs_of(runs: &[Run], rows: usize) -> impl Iterator<Item = (u32, Range<usize>)> {
    let once = runs.is_empty().then_some((1, 0..rows));
    let mut start = 0;
    once.into_iter().chain(runs.iter().map(move |run| {
        let span = start..start + run.len as usize;
        start = span.end;
        (run.times, span)
    }))
}

impl<'a> Leaves for Sums<'a> {
    type Criterion = SquaredError<'a>;
    type Total = SumTotal;

    fn with_stats<R>(&self, total: &SumTotal, use_them: impl FnOnce(&[i128]) -> R) -> R {
        use_them(&self.stats(total))
    }

    fn criterion(&self) -> &SquaredError<'a> {
        self.criterion
    }
}

impl<'a> Tally for Sums<'a> {
    type Prepared = ShortTargets;
    type Histogram = SumHistogram;
    type Part = SumPart;

    fn own_cost(&self, total: &SumTotal, _: f64) -> f64 {
        SquaredError::spread(&[i128::from(total.count), total.sum, total.squares])
    }

    fn rows_of_weight(&self, total: &SumTotal, weight: f64) -> Option<usize> {
        let units = |rows: u64| i128::from(rows) * i128::from(self.units);
        total.runs.is_empty().then(|| fewest_rows(weight, |rows| self.criterion.weight(&[units(rows), 0, 0])))
    }

    fn prepare(&self, _: Isa, total: &SumTotal, targets: &[i64], prepared: &mut ShortTargets) -> Result<()> {
        prepared.fill(total, targets)
    }

    fn sides(&self, context: &NodeContext<'_, Self>, part: &SumPart) -> [Vec<i128>; 2] {
        let units = i128::from(self.units);
        // What a leaf says does not depend on squares.
        let stats = |count: u64, sum: i128| vec![i128::from(count) * units, sum * units, 0];
        [stats(part.count, part.sum), stats(context.total.count - part.count, context.total.sum - part.sum)]
    }

    fn by_code(
        &self,
        context: &NodeContext<'_, Self>,
        codes: &[u16],
        last: u16,
        stats: &mut [i128],
        counts: &mut [u32],
    ) {
        for (times, span) in runs_of(&context.total.runs, context.len) {
            let weight = i128::from(times) * i128::from(self.units);
            for (&code, &target) in codes[span.clone()].iter().zip(&context.targets[span]) {
                let (place, y) = (usize::from(code.min(last)), i128::from(target));
                let [count, sum, squares] = &mut stats[place * 3..place * 3 + 3] else { continue };
                *count += weight;
                *sum += weight * y;
                *squares += weight * y * y;
                counts[place] += 1;
            }
        }
    }

    fn histogram(&self, look: &Look<'_, Self>, out: &mut SumHistogram) -> Result<()> {
        let Look { context, codes, bins, gap, .. } = *look;
        squares::count(codes, &context.prepared.records, bins, &mut out.bins);
        out.absent = [0; 2];
        if gap.rows > 0 {
            // All rows without a number were counted into one bin.
            out.absent = squares::absent(codes, &context.prepared.records);
            let bin = &mut out.bins[bins.of(ABSENT)];
            *bin = [bin[0] - out.absent[0], bin[1] - out.absent[1]];
        }
        Ok(())
    }

    fn estimate(&self, look: &Look<'_, Self>, histogram: &mut SumHistogram, scan: &mut Scan) {
        let Look { context, gap, .. } = *look;
        let form = &context.prepared.form;
        let form = SquaresShape {
            count_bits: form.count_bits,
            square_shift: form.square_shift,
            mean: form.sum as f64 / context.total.count as f64,
            rows: context.total.count as u32,
            min_leaf: if context.total.runs.is_empty() { context.min_leaf as u32 } else { 1 },
            scale: Self::scale(context) as f32,
            lean: Self::lean(context),
            before: if gap.left { histogram.absent[0] } else { 0 },
        };
        squares::estimate(context.isa, &histogram.bins[..], &form, &mut histogram.packed, scan);
        if context.min_leaf > 1 && !context.total.runs.is_empty() {
            let rows = (look.context.len, look.context.min_leaf);
            forbid_few_rows(rows, |bin| rows_below(look, bin), scan, |_| None);
        }
    }

    fn weights_at_edge(&self, look: &Look<'_, Self>, edge: usize, histogram: &SumHistogram) -> [f64; 2] {
        let mask = (1i64 << look.context.prepared.form.count_bits) - 1;
        let left = (histogram.packed[edge + 1] & mask) as u64;
        [left, look.context.total.count - left]
            .map(|times| self.criterion.weight(&[i128::from(times) * i128::from(self.units), 0, 0]))
    }

    fn at_edge(&self, look: &Look<'_, Self>, edge: usize, _: &SumHistogram, part: &mut SumPart) {
        *part = Self::below(look.context, look.codes, u32::from(look.bins.last(edge)) + 1);
        if look.gap.left {
            part.join(look.absent);
        }
    }

    fn add(&self, context: &NodeContext<'_, Self>, part: &mut SumPart, place: usize) {
        let run = runs_of(&context.total.runs, context.len).find(|(_, span)| place < span.end);
        let times = run.map_or(1, |(times, _)| times);
        part.count += u64::from(times);
        part.sum += i128::from(context.targets[place]) * i128::from(times);
        part.rows += 1;
    }

    fn saved(&self, context: &NodeContext<'_, Self>, part: &SumPart, _: f32) -> Option<f64> {
        let (rows, left) = (i128::from(context.total.count), i128::from(part.count));
        let e = part.sum * rows - left * context.total.sum;
        // The same number, sooner.
        let e = i64::try_from(e).map_or(e as f64, |e| e as f64);
        let sides = rows as f64 * (left * (rows - left)) as i64 as f64;
        Some(e * e / sides / context.cost)
    }

    fn bound(&self, context: &NodeContext<'_, Self>, before: &SumPart, after: &SumPart) -> f64 {
        let rows = context.total.count as f64;
        let mean = context.total.sum as f64 / rows;
        let reach = libm::ldexp(context.prepared.form.reach, context.prepared.form.shift as i32);
        // No row is farther from the mean than the farthest.
        let off = (after.count - before.count) as f64 * reach * 2.0;
        let corner = |part: &SumPart| {
            let m = (part.count as f64).clamp(1.0, rows - 1.0);
            let e = (part.sum as f64 - part.count as f64 * mean).abs() + off;
            e * e * rows / (m * (rows - m))
        };
        corner(before).max(corner(after)) / context.cost
    }

    fn divide(&self, total: &SumTotal, targets: &[i64], mask: &[u32], sides: [&mut SumTotal; 2]) -> Result<()> {
        // The smaller side is added up; the other is the rest.
        let chosen: usize = mask.iter().map(|word| word.count_ones() as usize).sum();
        let turned = 2 * chosen > targets.len();
        let bit = |word: &u32| if turned { !word } else { *word };
        let mut small = SumTotal::default();
        if total.runs.is_empty() {
            small = squares::add_up_set(targets, mask.iter().map(bit));
        }
        let mut other = room(total.runs.len())?;
        for (times, span) in runs_of(&total.runs, 0).filter(|(_, span)| !span.is_empty()) {
            let words = span.clone().step_by(32).map(|at| bits_from(mask, at)).map(|word| bit(&word));
            let part = squares::add_up_set(&targets[span.clone()], words);
            let (here, rest) = (part.count as u32, span.len() as u32 - part.count as u32);
            small.join(&part, times);
            small.runs.extend((here > 0).then_some(Run { len: here, times }));
            other.extend((rest > 0).then_some(Run { len: rest, times }));
        }
        let (count, sum, squares) = (total.count - small.count, total.sum - small.sum, total.squares - small.squares);
        let large = SumTotal { count, sum, squares, runs: other };
        let [left, right] = sides;
        (*left, *right) = if turned { (large, small) } else { (small, large) };
        Ok(())
    }

    fn part(&self, context: &NodeContext<'_, Self>, which: Which<'_>, part: &mut SumPart) {
        *part = SumPart::default();
        match which {
            Which::Nothing => {}
            Which::Chosen(rows) => tile::lanes(rows).for_each(|row| self.add(context, part, row)),
            Which::Below(codes, code) => *part = Self::below(context, codes, u32::from(code)),
            Which::Missing(codes) => {
                let missing = codes.iter().enumerate().filter(|(_, code)| **code == ABSENT);
                missing.for_each(|(place, _)| self.add(context, part, place));
            }
        }
    }
}

impl SmallNodes for Sums<'_> {
    fn scan_lanes(&self, context: &NodeContext<'_, Self>, codes: &[u16], floor: f32, scan: &mut LaneScan) -> u32 {
        let form = &context.prepared.form;
        let rows = context.total.count as f32;
        let form = lanes::Sum {
            rows,
            // What single precision and the short form may be off in a sum.
            lean: Self::lean(context) * rows + 2e-6 * form.reach as f32 * rows,
            scale: Self::scale(context) as f32,
        };
        lanes::squares(
            context.isa,
            &context.prepared.singles,
            &context.prepared.times,
            form,
            codes,
            &context.query(floor),
            scan,
        )
    }
}

impl Inherit for Sums<'_> {}

impl SidePart for SumPart {
    fn join(&mut self, other: &SumPart) {
        self.count += other.count;
        self.sum += other.sum;
        self.rows += other.rows;
    }

    fn rows(&self) -> usize {
        self.rows
    }
}

impl SumTotal {
    /// Adds other rows, each so many times.
    fn join(&mut self, other: &SumTotal, times: u32) {
        self.count += other.count * u64::from(times);
        self.sum += other.sum * i128::from(times);
        self.squares += other.squares * i128::from(times);
    }

    /// Adds one target.
    #[inline(always)]
    pub fn add(&mut self, target: i64) {
        self.count += 1;
        self.sum += i128::from(target);
        self.squares += i128::from(target) * i128::from(target);
    }
}
