//! Sums of a numeric target, for squared error. Targets are integers (see [`crate::learn::numbers`]) that move with their
//! rows.
//!
//! Histograms hold a shorter form of the targets: counted from the node's mean, rounded to at most 30 bits and packed
//! with the count into one integer, beside their squares. Sums of the short form may be off by as many units as they have
//! rows; estimates allow for that. What decides is summed from the full targets.
//!
//! Why a bin's bound holds: of the `c` rows of a bin with sum `s` and squares `q`, any `k` have a sum within
//! `d = sqrt(c q - s^2) / 2` of `k s / c`. So a cut inside the bin lies, by rows and sum, in a parallelogram between the
//! bin's two edges that is `2 d` high, and savings are convex: the greatest is at one of its corners.

use super::bins::{Bins, MOST};
use super::kernels::lanes;
use super::kernels::squares::{self, Bin};
use super::tally::{LaneScan, Scan, Set, Tally};
use crate::learn::criterion::{Criterion, Squared};

/// What rows add up to.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Total {
    count: u64,
    sum: i128,
    squares: i128,
}

/// The rows on the left of a cut.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Part {
    count: u64,
    sum: i128,
}

/// Sums under squared error.
#[derive(Debug)]
pub struct Sums<'a> {
    /// What a set of rows costs and says.
    pub criterion: &'a Squared<'a>,
    /// The weight of each row, in the criterion's units.
    pub units: u64,
}

/// The targets of a node in their short form.
#[derive(Debug, Default)]
pub struct Notes {
    /// For each row, its short target and the number 1, packed; and the square of the short target, rounded up.
    records: Vec<[i64; 2]>,
    /// For each row of a small node, its short target.
    singles: Vec<f32>,
    form: Form,
}

/// How short targets are made.
#[derive(Clone, Copy, Debug, Default)]
struct Form {
    /// Subtracted first.
    mean: i64,
    /// Lowest bits that are dropped next.
    shift: u32,
    /// Bits of a packed count.
    count_bits: u32,
    /// Lowest bits of squares that are dropped.
    square_shift: u32,
    /// The greatest size of a short target.
    reach: f64,
    /// The sum of all short targets.
    sum: i64,
}

/// A histogram, and room for its running totals.
#[derive(Debug)]
pub struct Bench {
    bins: Box<[Bin; MOST]>,
    packed: Vec<i64>,
}

impl Default for Bench {
    fn default() -> Bench {
        Bench { bins: Box::new([[0; 2]; MOST]), packed: vec![0; MOST + 1] }
    }
}

/// The most bits of a short target: its square fits an integer.
const SHORT: u32 = 30;

impl Form {
    fn new(total: &Total, targets: &[i64]) -> Form {
        // Between the least and the greatest target.
        let mean = total.sum.div_euclid(i128::from(total.count.max(1))) as i64;
        let reach = squares::reach(targets, mean);
        let count_bits = 64 - total.count.leading_zeros();
        let room = SHORT.min(62 - 2 * count_bits);
        let shift = (64 - reach.leading_zeros()).saturating_sub(room);
        let square_shift = (2 * room + count_bits).saturating_sub(62);
        Form { mean, shift, count_bits, square_shift, reach: ((reach >> shift) + 1) as f64, sum: 0 }
    }

    #[inline(always)]
    fn short(&self, target: i64) -> i64 {
        (target - self.mean) >> self.shift
    }

    #[inline(always)]
    fn record(&self, target: i64) -> [i64; 2] {
        let short = self.short(target);
        [(short << self.count_bits) + 1, ((short * short) >> self.square_shift) + 1]
    }
}

impl Sums<'_> {
    fn stats(&self, total: &Total) -> [i128; 3] {
        let units = i128::from(self.units);
        [i128::from(total.count) * units, total.sum * units, total.squares * units]
    }

    /// All rows.
    pub fn total(&self, targets: &[i64]) -> Total {
        squares::add_up(targets)
    }

    /// What one unit of saving in short targets is as a share of the node's cost.
    fn scale(set: &Set<'_, Self>) -> f64 {
        libm::ldexp(set.len as f64 / set.cost, 2 * set.notes.form.shift as i32)
    }

    /// How far the sum of short targets may be off, per row.
    fn lean(set: &Set<'_, Self>) -> f32 {
        if set.notes.form.shift > 0 { 1.0 } else { 0.0 }
    }
}

impl Tally for Sums<'_> {
    type Total = Total;
    type Notes = Notes;
    type Bench = Bench;
    type Part = Part;

    fn outputs(&self) -> usize {
        1
    }

    fn say(&self, total: &Total, value: &mut [f64]) {
        self.criterion.value(&self.stats(total), value);
    }

    fn weight(&self, total: &Total) -> f64 {
        self.criterion.weight(&self.stats(total))
    }

    fn cost(&self, total: &Total) -> f64 {
        self.criterion.cost(&self.stats(total))
    }

    fn own_cost(&self, total: &Total) -> f64 {
        Squared::spread(&[i128::from(total.count), total.sum, total.squares])
    }

    fn prepare(&self, total: &Total, targets: &[i64], notes: &mut Notes) {
        let form = Form::new(total, targets);
        notes.form = form;
        notes.form.sum = targets.iter().map(|&y| form.short(y)).sum();
        if targets.len() <= super::kernels::LANES {
            notes.singles.clear();
            notes.singles.extend(targets.iter().map(|&y| form.short(y) as f32));
        } else {
            notes.records.clear();
            notes.records.extend(targets.iter().map(|&y| form.record(y)));
        }
    }

    fn scan(&self, set: &Set<'_, Self>, codes: &[u16], bins: &Bins, bench: &mut Bench, scan: &mut Scan) {
        let bench_bins = &mut bench.bins;
        bench_bins[..bins.count()].fill([0; 2]);
        squares::count(codes, &set.notes.records, bins, bench_bins);
        let form = &set.notes.form;
        let form = squares::Form {
            count_bits: form.count_bits,
            square_shift: form.square_shift,
            mean: form.sum as f64 / set.len as f64,
            rows: set.len as u32,
            min_leaf: set.min_leaf as u32,
            scale: Self::scale(set) as f32,
            lean: Self::lean(set),
        };
        squares::estimate(set.isa, &bench_bins[..], &form, &mut bench.packed, scan);
    }

    fn at_edge(&self, set: &Set<'_, Self>, codes: &[u16], bins: &Bins, edge: usize, _: &Bench, part: &mut Part) {
        let (count, sum) = squares::sum_below(set.isa, codes, set.targets, u32::from(bins.last(edge)) + 1);
        *part = Part { count, sum };
    }

    fn scan_lanes(&self, set: &Set<'_, Self>, codes: &[u16], floor: f32, scan: &mut LaneScan) -> u32 {
        let form = &set.notes.form;
        let rows = set.len as f32;
        let form = lanes::Sum {
            mean: form.sum as f32 / rows,
            // What single precision and the short form may be off in a sum.
            lean: Self::lean(set) * rows + 2e-6 * form.reach as f32 * rows,
            scale: Self::scale(set) as f32,
        };
        lanes::squares(set.isa, &set.notes.singles, form, codes, &set.wish(floor), scan)
    }

    fn lanes_are_exact(&self, _: &Set<'_, Self>) -> bool {
        false
    }

    fn nothing(&self, _: &Set<'_, Self>) -> Part {
        Part::default()
    }

    fn chosen(&self, set: &Set<'_, Self>, mut rows: u32) -> Part {
        let mut part = Part::default();
        while rows != 0 {
            self.add(set, &mut part, rows.trailing_zeros() as usize);
            rows &= rows - 1;
        }
        part
    }

    fn below(&self, set: &Set<'_, Self>, codes: &[u16], code: u16, part: &mut Part) {
        let (count, sum) = squares::sum_below(set.isa, codes, set.targets, u32::from(code));
        *part = Part { count, sum };
    }

    fn add(&self, set: &Set<'_, Self>, part: &mut Part, place: usize) {
        part.count += 1;
        part.sum += i128::from(set.targets[place]);
    }

    fn count(part: &Part) -> usize {
        part.count as usize
    }

    fn saved(&self, set: &Set<'_, Self>, part: &Part) -> f64 {
        let (rows, left) = (set.len as i128, i128::from(part.count));
        let e = part.sum * rows - left * set.total.sum;
        // The same number, sooner.
        let e = i64::try_from(e).map_or(e as f64, |e| e as f64);
        let sides = rows as f64 * (left * (rows - left)) as i64 as f64;
        e * e / sides / set.cost
    }

    fn bound(&self, set: &Set<'_, Self>, before: &Part, after: &Part) -> f64 {
        let rows = set.len as f64;
        let mean = set.total.sum as f64 / rows;
        let reach = libm::ldexp(set.notes.form.reach, set.notes.form.shift as i32);
        // No row is farther from the mean than the farthest.
        let off = (after.count - before.count) as f64 * reach * 2.0;
        let corner = |part: &Part| {
            let m = (part.count as f64).clamp(1.0, rows - 1.0);
            let e = (part.sum as f64 - part.count as f64 * mean).abs() + off;
            e * e * rows / (m * (rows - m))
        };
        corner(before).max(corner(after)) / set.cost
    }

    fn divide(&self, total: &Total, targets: &[i64], mask: &[u32]) -> [Total; 2] {
        // The smaller side is added up; the other is the rest.
        let set: usize = mask.iter().map(|word| word.count_ones() as usize).sum();
        let turned = 2 * set > targets.len();
        let words = mask.iter().map(|word| if turned { !word } else { *word });
        let small = squares::add_up_set(targets, words);
        let (count, sum, squares) = (total.count - small.count, total.sum - small.sum, total.squares - small.squares);
        let large = Total { count, sum, squares };
        if turned { [large, small] } else { [small, large] }
    }
}

impl Total {
    /// Adds one target.
    #[inline(always)]
    pub fn add(&mut self, target: i64) {
        self.count += 1;
        self.sum += i128::from(target);
        self.squares += i128::from(target) * i128::from(target);
    }
}
