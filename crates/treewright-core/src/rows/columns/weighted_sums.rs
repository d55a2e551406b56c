//! Sums of a numeric target, for squared error, where rows weigh differently and not only by how often they count.
//!
//! Targets and weights are integers ([`crate::stats::numbers`], [`crate::stats::weights`]). They stay in the order of the
//! table; what moves with the rows, in the place of targets, is their number. Estimates are made from a copy in double
//! precision that is gathered once a node. What decides is summed from the integers.

use super::bins::MOST;
use super::contest::Gap;
use super::kernels::Isa;
use super::kernels::codes::count_below;
use super::kernels::histogram::low_bits;
use super::kernels::lanes::{interesting, is_constant, load};
use super::kernels::weighted_squares::{self as kernel, WeightedBin, WeightedRecord, WeightedSquares};
use super::node::ABSENT;
use super::tally::{Inherit, LaneScan, Leaves, Look, NodeContext, Scan, SidePart, SmallNodes, Tally, Which};
use super::tile;
use crate::Result;
use crate::stats::criterion::{Criterion, SquaredError};
use crate::stats::weights::Weights;
use crate::sys::memory::collected;

/// What rows add up to.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct WeightedTotal {
    weight: i128,
    /// Of weight times target.
    sum: i128,
    /// Of weight times the square of the target.
    squares: i128,
}

/// The rows on the left of a cut.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct WeightedPart {
    weight: i128,
    sum: i128,
    rows: usize,
}

/// Sums under squared error.
#[derive(Debug)]
pub struct WeightedSums<'a> {
    criterion: &'a SquaredError<'a>,
    /// The target and the weight of each row of the table.
    rows: Vec<[i64; 2]>,
}

/// The rows of a node, for estimates.
#[derive(Debug, Default)]
pub struct PreparedRecords {
    records: Vec<WeightedRecord>,
    /// A whole number next to the mean of the targets, and the rest of their sum.
    mean: i128,
    rest: i128,
    /// The greatest distance of a target from it.
    reach: f64,
    /// How far a sum of records may be off.
    slack: f64,
}

/// A histogram, what the rows without a number add up to, and room for running totals.
#[derive(Debug)]
pub struct WeightedHistogram {
    bins: Box<[WeightedBin; MOST]>,
    absent: WeightedBin,
    below: Vec<[f64; 3]>,
}

impl Default for WeightedHistogram {
    fn default() -> WeightedHistogram {
        WeightedHistogram { bins: Box::new([[0.0; 4]; MOST]), absent: [0.0; 4], below: vec![[0.0; 3]; MOST + 1] }
    }
}

impl<'a> WeightedSums<'a> {
    /// All rows of a table.
    pub fn new(criterion: &'a SquaredError<'a>, weights: &Weights) -> Result<WeightedSums<'a>> {
        let rows = criterion.target.units.iter().zip(&weights.units);
        Ok(WeightedSums { criterion, rows: collected(rows.map(|(&target, &weight)| [target, weight as i64]))? })
    }

    /// What some rows add up to, by their numbers.
    pub fn total(&self, rows: &[i64]) -> WeightedTotal {
        let mut total = WeightedTotal::default();
        rows.iter().for_each(|&row| total.add(self.rows[row as usize]));
        total
    }

    fn form(&self, context: &NodeContext<'_, Self>) -> WeightedSquares {
        let weight = context.total.weight as f64;
        WeightedSquares {
            rows: context.len as f64,
            weight,
            mean: context.prepared.rest as f64 / weight,
            scale: weight / context.cost,
            slack: context.prepared.slack,
            min_leaf: context.min_leaf as f64,
        }
    }

    /// How far the sum of some rows is from their share of the whole: their sum, counted from the whole number next to
    /// the mean, is exact, and what is missing to the mean is less than 1 for each unit of weight.
    fn distance(context: &NodeContext<'_, Self>, part: &WeightedPart) -> f64 {
        let PreparedRecords { mean, rest, .. } = *context.prepared;
        (part.sum - part.weight * mean) as f64 - part.weight as f64 * (rest as f64 / context.total.weight as f64)
    }
}

impl WeightedTotal {
    #[inline(always)]
    fn add(&mut self, [target, weight]: [i64; 2]) {
        let (target, weight) = (i128::from(target), i128::from(weight));
        self.weight += weight;
        self.sum += weight * target;
        self.squares += weight * target * target;
    }

    fn stats(&self) -> [i128; 3] {
        [self.weight, self.sum, self.squares]
    }
}

impl WeightedPart {
    #[inline(always)]
    fn add(&mut self, [target, weight]: [i64; 2]) {
        self.weight += i128::from(weight);
        self.sum += i128::from(weight) * i128::from(target);
        self.rows += 1;
    }
}

impl<'a> Leaves for WeightedSums<'a> {
    type Criterion = SquaredError<'a>;
    type Total = WeightedTotal;

    fn with_stats<R>(&self, total: &WeightedTotal, use_them: impl FnOnce(&[i128]) -> R) -> R {
        use_them(&total.stats())
    }

    fn criterion(&self) -> &SquaredError<'a> {
        self.criterion
    }
}

impl<'a> Tally for WeightedSums<'a> {
    type Prepared = PreparedRecords;
    type Histogram = WeightedHistogram;
    type Part = WeightedPart;

    fn own_cost(&self, total: &WeightedTotal, _: f64) -> f64 {
        SquaredError::spread(&total.stats())
    }

    fn rows_of_weight(&self, _: &WeightedTotal, _: f64) -> Option<usize> {
        None
    }

    fn prepare(&self, _: Isa, total: &WeightedTotal, rows: &[i64], prepared: &mut PreparedRecords) -> Result<()> {
        // Between the least and the greatest target, so that differences fit.
        let mean = total.sum.div_euclid(total.weight.max(1)) as i64;
        prepared.records.clear();
        prepared.records.try_reserve(rows.len())?;
        let mut squares = 0.0;
        prepared.reach = 0.0;
        for &row in rows {
            let [target, weight] = self.rows[row as usize];
            let (weight, target) = (weight as f64, (target - mean) as f64);
            prepared.records.push([weight, target]);
            prepared.reach = prepared.reach.max(target.abs());
            squares += weight * target * target;
        }
        prepared.mean = i128::from(mean);
        prepared.rest = total.sum - prepared.mean * total.weight;
        // Each addition rounds a sum that is no greater than the root; so does the share of the mean.
        let weight = total.weight as f64;
        prepared.slack = ((weight * squares).sqrt() + weight) * (rows.len() + MOST) as f64 * 2.3e-16;
        Ok(())
    }

    fn sides(&self, context: &NodeContext<'_, Self>, part: &WeightedPart) -> [Vec<i128>; 2] {
        // What a leaf says does not depend on squares.
        [vec![part.weight, part.sum, 0], vec![context.total.weight - part.weight, context.total.sum - part.sum, 0]]
    }

    fn by_code(
        &self,
        context: &NodeContext<'_, Self>,
        codes: &[u16],
        last: u16,
        stats: &mut [i128],
        counts: &mut [u32],
    ) {
        for (&code, &row) in codes.iter().zip(context.targets) {
            let place = usize::from(code.min(last));
            let mut total = WeightedTotal::default();
            total.add(self.rows[row as usize]);
            stats[place * 3..].iter_mut().zip(total.stats()).for_each(|(sum, more)| *sum += more);
            counts[place] += 1;
        }
    }

    fn histogram(&self, look: &Look<'_, Self>, out: &mut WeightedHistogram) -> Result<()> {
        let Look { context, codes, bins, gap, .. } = *look;
        out.bins[..bins.count()].fill([0.0; 4]);
        out.absent = match gap {
            Gap { rows: 0, .. } => {
                kernel::count(codes, &context.prepared.records, bins, &mut out.bins);
                [0.0; 4]
            }
            _ => kernel::count_known(codes, &context.prepared.records, bins, &mut out.bins),
        };
        Ok(())
    }

    fn weights_at_edge(&self, look: &Look<'_, Self>, edge: usize, histogram: &WeightedHistogram) -> [f64; 2] {
        // Sums of weights are exact.
        let left = histogram.below[edge + 1][1] as i128;
        [left, look.context.total.weight - left].map(|units| self.criterion.weight(&[units, 0, 0]))
    }

    fn estimate(&self, look: &Look<'_, Self>, histogram: &mut WeightedHistogram, scan: &mut Scan) {
        let WeightedHistogram { bins, absent, below } = histogram;
        let before = if look.gap.left { *absent } else { [0.0; 4] };
        kernel::estimate(look.context.isa, &bins[..], &self.form(look.context), &before, below, &mut scan.room());
    }

    fn at_edge(&self, look: &Look<'_, Self>, edge: usize, _: &WeightedHistogram, part: &mut WeightedPart) {
        let behind = u32::from(look.bins.last(edge)) + 1;
        *part = self.part_of(look.context, look.codes, |code| u32::from(code) < behind);
        if look.gap.left {
            part.join(look.absent);
        }
    }

    fn add(&self, context: &NodeContext<'_, Self>, part: &mut WeightedPart, place: usize) {
        part.add(self.rows[context.targets[place] as usize]);
    }

    fn saved(&self, context: &NodeContext<'_, Self>, part: &WeightedPart, _: f32) -> Option<f64> {
        let e = Self::distance(context, part);
        let (left, right) = (part.weight as f64, (context.total.weight - part.weight) as f64);
        Some(e * e * (context.total.weight as f64 / (left * right)) / context.cost)
    }

    fn bound(&self, context: &NodeContext<'_, Self>, before: &WeightedPart, after: &WeightedPart) -> f64 {
        let weight = context.total.weight as f64;
        // No row is farther from the mean than the farthest.
        let off = (after.weight - before.weight) as f64 * (context.prepared.reach + 1.0) * 2.0;
        let corner = |part: &WeightedPart| {
            let left = (part.weight as f64).max(1.0).min(weight - 1.0);
            let e = Self::distance(context, part).abs() + off;
            e * e * weight / (left * (weight - left))
        };
        corner(before).max(corner(after)) / context.cost
    }

    fn divide(
        &self,
        total: &WeightedTotal,
        rows: &[i64],
        mask: &[u32],
        [left, right]: [&mut WeightedTotal; 2],
    ) -> Result<()> {
        // The smaller side is added up; the other is the rest.
        let chosen: usize = mask.iter().map(|word| word.count_ones() as usize).sum();
        let flip = if 2 * chosen > rows.len() { u32::MAX } else { 0 };
        let mut small = WeightedTotal::default();
        for (rows, word) in rows.chunks(32).zip(mask) {
            let mut word = (word ^ flip) & low_bits(rows.len());
            while word != 0 {
                small.add(self.rows[rows[word.trailing_zeros() as usize] as usize]);
                word &= word - 1;
            }
        }
        let [weight, sum, squares] = total.stats();
        let large =
            WeightedTotal { weight: weight - small.weight, sum: sum - small.sum, squares: squares - small.squares };
        (*left, *right) = if flip != 0 { (large, small) } else { (small, large) };
        Ok(())
    }

    fn part(&self, context: &NodeContext<'_, Self>, which: Which<'_>, part: &mut WeightedPart) {
        *part = match which {
            Which::Nothing | Which::Chosen(_) => WeightedPart::default(),
            Which::Below(codes, code) => self.part_of(context, codes, |other| other < code),
            Which::Missing(codes) if count_below(context.isa, codes, ABSENT) as usize == codes.len() => {
                WeightedPart::default()
            }
            Which::Missing(codes) => self.part_of(context, codes, |code| code == ABSENT),
        };
        if let Which::Chosen(rows) = which {
            tile::lanes(rows).for_each(|row| self.add(context, part, row));
        }
    }
}

impl SmallNodes for WeightedSums<'_> {
    fn scan_lanes(&self, context: &NodeContext<'_, Self>, codes: &[u16], floor: f32, scan: &mut LaneScan) -> u32 {
        let query = context.query(floor);
        if is_constant(codes, &query, scan) {
            return 0;
        }
        scan.codes = load(codes, query.rows);
        let LaneScan { codes, left, saved, .. } = scan;
        kernel::lanes(context.isa, &self.form(context), &context.prepared.records, codes, left, saved);
        interesting(scan, &query)
    }
}

impl Inherit for WeightedSums<'_> {}

impl SidePart for WeightedPart {
    fn join(&mut self, other: &WeightedPart) {
        self.weight += other.weight;
        self.sum += other.sum;
        self.rows += other.rows;
    }

    fn rows(&self) -> usize {
        self.rows
    }
}

impl WeightedSums<'_> {
    /// The part of the rows whose code is wanted.
    fn part_of(&self, context: &NodeContext<'_, Self>, codes: &[u16], wanted: impl Fn(u16) -> bool) -> WeightedPart {
        let mut part = WeightedPart::default();
        for (_, &row) in codes.iter().zip(context.targets).filter(|(code, _)| wanted(**code)) {
            part.add(self.rows[row as usize]);
        }
        part
    }
}
