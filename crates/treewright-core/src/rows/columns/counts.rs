//! Counts of classes. Rows stand in the order of their classes, and stable partitions keep them so: the rows of a node
//! are one segment for each class, and no label is ever looked at. Rows that count several times, as in a bootstrap
//! sample, stand in segments of their own: within a segment all count the same, so adding a row costs what it did.
//!
//! Glossary. *Rows* are counted as they are, which limits on rows ask for; *times* is how often they count, which decides
//! what a cut saves.

use super::bins::Bins;
use super::class_histogram::{self, ClassHistogram};
use super::inherited::Inherited;
use super::kernels::Isa;
use super::kernels::codes::count_below;
use super::kernels::duo::{self, Duo};
use super::kernels::formula::Formula;
use super::kernels::lanes::{LANES, TIMES};
use super::kernels::pairs::PairQuery;
use super::light::{fewest_rows, forbid_few_rows, rows_below};
use super::node::ABSENT;
use super::prepared_counts::{PreparedCounts, are_pairs};
use super::segments::{self, Segment, add_members, places, times_of};
use super::shape::Shape;
use super::tally::{Children, Inherit, LaneScan, Leaves, Look, NodeContext, Scan, SidePart, SmallNodes, Tally, Which};
use crate::Result;
use crate::stats::criterion::{ClassCriterion, ClassFactors, Criterion};
use std::ops::Range;

/// The rows on the left of a cut.
#[derive(Clone, Debug, Default)]
pub struct CountPart {
    /// How often they count, for each class that occurs.
    left: Vec<u32>,
    /// How many there are.
    rows: usize,
}

/// Counts of classes under a criterion.
#[derive(Debug)]
pub struct Counts<'a> {
    formula: Formula<'a>,
    /// The weight of each row, in the criterion's units.
    units: u64,
    /// What a row costs is told in this unit: a row of the class that counts least.
    weight: f64,
}

impl<'a> Counts<'a> {
    /// Rows of so many units each, where every row counts once.
    pub fn new(formula: Formula<'a>, units: u64) -> Counts<'a> {
        let criterion = formula.criterion;
        let unit = criterion.factors().map_or(criterion.unit(), ClassFactors::least_in_cost);
        Counts { formula, units, weight: unit * units as f64 }
    }

    /// The criterion.
    pub fn criterion(&self) -> &'a ClassCriterion<'a> {
        self.formula.criterion
    }

    /// See [`Formula::factor`].
    pub fn factor(&self, class: u32) -> f64 {
        self.formula.factor(class)
    }

    /// Whether rows can be compared pair by pair: few of two classes, which count alike under Gini's index.
    pub fn has_pairs(&self, isa: Isa, total: &[Segment]) -> bool {
        self.formula.is_plain_gini() && are_pairs(isa, total)
    }

    /// The weight of each row, in the criterion's units.
    pub fn units(&self) -> u64 {
        self.units
    }

    /// What rows cost, given that, in the unit of [`Shape::cost`].
    pub fn own_cost_of(&self, cost: f64) -> f64 {
        cost / self.weight
    }

    /// What a cut saves that has each class so often on its left.
    #[inline]
    pub fn saved_by(&self, shape: &Shape<'_>, left: &[u32]) -> f64 {
        self.formula.saved(shape, left)
    }

    /// Uses the statistics of some segments as the criterion knows them.
    #[inline]
    pub fn with_stats_of<R>(&self, segments: impl Iterator<Item = Segment>, use_them: impl FnOnce(&[u64]) -> R) -> R {
        let width = self.formula.criterion.width();
        let fill = |stats: &mut [u64]| {
            for segment in segments {
                stats[segment.class as usize] += u64::from(segment.len) * u64::from(segment.times) * self.units;
            }
        };
        // Most tasks have few classes; no memory is asked for then.
        let mut few = [0; 8];
        if let Some(stats) = few.get_mut(..width) {
            fill(stats);
            return use_them(stats);
        }
        let mut stats = vec![0; width];
        fill(&mut stats);
        use_them(&stats)
    }

    fn shape<'s>(&self, context: &NodeContext<'s, Self>) -> Shape<'s> {
        let PreparedCounts { classes, labels, factors, all, .. } = context.prepared;
        let (segments, units) = (context.total.as_slice(), self.units);
        Shape { segments, classes, labels, factors, units, rows: *all, cost: context.cost, isa: context.isa }
    }

    /// Both classes of a node, where they are counted at once.
    fn duo<'s>(&self, context: &NodeContext<'s, Self>) -> Option<Duo<'s>> {
        let PreparedCounts { packed, classes, all, .. } = context.prepared;
        (!packed.is_empty()).then(|| Duo {
            weights: packed,
            times: [*all as u32, classes[1]],
            scale: (2.0 / (*all as f64 * context.cost)) as f32,
        })
    }
}

impl Counts<'_> {
    /// Whether a cut of two classes that are counted at once may save as much as an estimate says.
    fn reaches(&self, context: &NodeContext<'_, Self>, part: &CountPart, floor: f32) -> bool {
        let (false, &[first, second]) = (context.prepared.packed.is_empty(), &part.left[..]) else { return true };
        let (all, m, l) = (context.prepared.all as f64, f64::from(first + second), f64::from(second));
        let e = l * all - m * f64::from(context.prepared.classes[1]);
        2.0 * e * e >= f64::from(floor) * (all * context.cost) * (m * (all - m))
    }
}

impl<'a> Leaves for Counts<'a> {
    type Criterion = ClassCriterion<'a>;
    type Total = Vec<Segment>;

    fn with_stats<R>(&self, total: &Vec<Segment>, use_them: impl FnOnce(&[u64]) -> R) -> R {
        self.with_stats_of(total.iter().copied(), use_them)
    }

    fn criterion(&self) -> &ClassCriterion<'a> {
        self.formula.criterion
    }
}

impl<'a> Tally for Counts<'a> {
    type Prepared = PreparedCounts;
    type Histogram = ClassHistogram;
    type Part = CountPart;

    fn own_cost(&self, _: &Vec<Segment>, cost: f64) -> f64 {
        self.own_cost_of(cost)
    }

    fn rows_of_weight(&self, total: &Vec<Segment>, weight: f64) -> Option<usize> {
        let alike = self.criterion().factors().is_none() && total.iter().all(|segment| segment.times == 1);
        let unit = self.criterion().unit();
        alike.then(|| fewest_rows(weight, |rows| rows.saturating_mul(self.units) as f64 * unit))
    }

    fn prepare(&self, isa: Isa, total: &Vec<Segment>, _: &[i64], prepared: &mut PreparedCounts) -> Result<()> {
        prepared.fill(isa, &self.formula, total)
    }

    fn sides(&self, context: &NodeContext<'_, Self>, part: &CountPart) -> [Vec<u64>; 2] {
        let mut sides = [vec![0; self.formula.criterion.width()], vec![0; self.formula.criterion.width()]];
        let PreparedCounts { classes, labels, .. } = context.prepared;
        for ((&label, &all), &left) in labels.iter().zip(classes).zip(&part.left) {
            sides[0][label as usize] = u64::from(left) * self.units;
            sides[1][label as usize] = u64::from(all - left) * self.units;
        }
        sides
    }

    fn by_code(
        &self,
        context: &NodeContext<'_, Self>,
        codes: &[u16],
        last: u16,
        stats: &mut [u64],
        counts: &mut [u32],
    ) {
        let width = self.formula.criterion.width();
        for (_, segment, rows) in places(context.total) {
            let (class, weight) = (segment.class as usize, u64::from(segment.times) * self.units);
            for &code in &codes[rows] {
                let place = usize::from(code.min(last));
                stats[place * width + class] += weight;
                counts[place] += 1;
            }
        }
    }

    fn histogram(&self, look: &Look<'_, Self>, out: &mut ClassHistogram) -> Result<()> {
        let Look { context, codes, bins, gap, .. } = *look;
        let below = out.begin(context.prepared.classes.len())?;
        if let (Some(duo), 1, 0) = (self.duo(context), context.min_leaf, gap.rows) {
            duo.count(context.isa, context.total, codes, bins, &mut below[0]);
            out.packed = true;
        } else {
            class_histogram::count(context.isa, context.total, codes, bins, below, |place, _| place);
        }
        Ok(())
    }

    fn estimate(&self, look: &Look<'_, Self>, histogram: &mut ClassHistogram, scan: &mut Scan) {
        let Look { context, bins, gap, .. } = *look;
        if let (Some(duo), true) = (self.duo(context), histogram.packed) {
            duo.estimate(context.isa, &mut histogram.below[0], &mut scan.room());
            return;
        }
        let below = &mut histogram.below[..context.prepared.classes.len()];
        if gap.left {
            class_histogram::shift(&look.absent.left, bins, below);
        } else {
            let absent: &[u32] = if gap.rows > 0 { &look.absent.left } else { &[] };
            class_histogram::accumulate(context.isa, absent, bins, below);
        }
        let repeated = context.prepared.all != context.len;
        let shape = self.shape(context);
        self.formula.scan(&shape, below, scan);
        let below = &*below;
        let times = |at: usize| below.iter().map(|below| below[at] as usize).sum::<usize>();
        let bound = |bin: usize| {
            let counts = |at: usize| below.iter().map(|below| below[at]).collect::<Vec<u32>>();
            Some(self.formula.bound(&shape, &counts(bin), &counts(bin + 1)) as f32)
        };
        if !repeated {
            forbid_few_rows((context.len, context.min_leaf), times, scan, bound);
        } else if context.min_leaf == 1 {
            // As many times on a side as a row, or none.
            forbid_few_rows((shape.rows, 1), times, scan, bound);
        } else {
            forbid_few_rows((context.len, context.min_leaf), |bin| rows_below(look, bin), scan, bound);
        }
    }

    fn at_edge(&self, look: &Look<'_, Self>, edge: usize, scratch: &ClassHistogram, part: &mut CountPart) {
        let context = look.context;
        part.left.clear();
        if scratch.packed {
            part.left.extend(duo::unpack(scratch.below[0][edge + 1]));
        } else {
            part.left.extend(scratch.below[..context.prepared.classes.len()].iter().map(|below| below[edge + 1]));
        }
        part.rows = if context.prepared.all == context.len {
            part.left.iter().map(|&left| left as usize).sum()
        } else {
            rows_below(look, edge + 1)
        };
    }

    fn noise(&self, context: &NodeContext<'_, Self>) -> f32 {
        self.formula.noise(&self.shape(context)) as f32
    }

    fn add(&self, context: &NodeContext<'_, Self>, part: &mut CountPart, row: usize) {
        if let Some(&weight) = context.prepared.packed.get(row) {
            part.left[usize::from(weight >> 16 != 0)] += weight & 0xffff;
            part.rows += 1;
        } else if let Some(&(place, times)) = context.prepared.rows.get(row) {
            part.left[place as usize] += times;
            part.rows += 1;
        } else if let Some((place, segment, _)) = places(context.total).find(|(_, _, span)| row < span.end) {
            part.left[place] += segment.times;
            part.rows += 1;
        }
    }

    fn saved(&self, context: &NodeContext<'_, Self>, part: &CountPart, floor: f32) -> Option<f64> {
        let reaches = floor == f32::NEG_INFINITY || self.reaches(context, part, floor);
        reaches.then(|| self.formula.saved(&self.shape(context), &part.left))
    }

    fn bound(&self, context: &NodeContext<'_, Self>, before: &CountPart, after: &CountPart) -> f64 {
        self.formula.bound(&self.shape(context), &before.left, &after.left)
    }

    fn divide(&self, total: &Vec<Segment>, _: &[i64], mask: &[u32], sides: [&mut Vec<Segment>; 2]) -> Result<()> {
        segments::divide(total, mask, sides)
    }

    fn part(&self, context: &NodeContext<'_, Self>, which: Which<'_>, part: &mut CountPart) {
        part.left.clear();
        part.left.resize(context.prepared.classes.len(), 0);
        part.rows = 0;
        match which {
            Which::Nothing => {}
            Which::Chosen(rows) => {
                add_members(context.isa, context.total, rows, &mut part.left);
                part.rows = rows.count_ones() as usize;
            }
            Which::Below(codes, code) if context.prepared.packed.is_empty() => {
                add_segments(context, part, |_, span| count_below(context.isa, &codes[span], code));
            }
            Which::Below(codes, code) => {
                let both = duo::below(context.isa, codes, &context.prepared.packed, code);
                part.left.copy_from_slice(&duo::unpack(both));
                part.rows = count_below(context.isa, codes, code) as usize;
            }
            Which::Missing(codes) => {
                add_segments(context, part, |segment, span| {
                    segment.len - count_below(context.isa, &codes[span], ABSENT)
                });
            }
        }
    }
}

impl SmallNodes for Counts<'_> {
    fn scan_lanes(&self, context: &NodeContext<'_, Self>, codes: &[u16], floor: f32, scan: &mut LaneScan) -> u32 {
        self.formula.scan_lanes(&self.shape(context), codes, &context.query(floor), scan)
    }

    fn fits_lanes(&self, isa: Isa, total: &Vec<Segment>, len: usize) -> bool {
        (len <= LANES && times_of(total) <= TIMES) || self.has_pairs(isa, total)
    }

    fn as_counts<'s>(&'s self, total: &'s Vec<Segment>) -> Option<(&'s Counts<'s>, &'s [Segment])> {
        Some((self, total))
    }

    fn lanes_are_exact(&self, context: &NodeContext<'_, Self>) -> bool {
        self.formula.lanes_are_exact(context.prepared.all, context.prepared.classes.len())
    }

    fn gini_shape<'s>(&self, context: &NodeContext<'s, Self>) -> Option<Shape<'s>> {
        self.formula.is_plain_gini().then(|| self.shape(context))
    }

    fn pairs<'s>(&self, context: &NodeContext<'s, Self>) -> Option<(PairQuery<'s>, Shape<'s>)> {
        if !self.has_pairs(context.isa, context.total) {
            return None;
        }
        let prepared = context.prepared;
        let (all, second) = (prepared.all as u32, prepared.classes[1]);
        let query = PairQuery {
            weights: &prepared.weights,
            rows: context.len,
            times: [all, second],
            min_leaf: context.min_leaf,
            scale: (2.0 / (prepared.all as f64 * context.cost)) as f32,
            untied: (all * all + prepared.squares) / 2,
        };
        Some((query, self.shape(context)))
    }
}

impl Inherit for Counts<'_> {
    fn keep(
        &self,
        context: &NodeContext<'_, Self>,
        bins: &Bins,
        histogram: &ClassHistogram,
    ) -> Result<Option<Inherited>> {
        histogram.keep(context.len, context.prepared.classes.len(), bins)
    }

    fn recall(&self, inherited: &Inherited, out: &mut ClassHistogram) -> Result<()> {
        out.recall(inherited)
    }

    fn subtract(
        &self,
        inherited: Inherited,
        children: &Children<'_, Self>,
        codes: &[u16],
        scratch: &mut ClassHistogram,
    ) -> Result<[Option<Inherited>; 2]> {
        let Children { node, small, large } = *children;
        scratch.subtract(inherited, node, [small, large], codes)
    }
}

/// Adds rows of each class, where `count` tells how many rows of a segment are wanted.
fn add_segments(
    context: &NodeContext<'_, Counts<'_>>,
    part: &mut CountPart,
    count: impl Fn(Segment, Range<usize>) -> u32,
) {
    for (place, segment, span) in places(context.total) {
        let rows = count(segment, span);
        part.left[place] += rows * segment.times;
        part.rows += rows as usize;
    }
}

impl SidePart for CountPart {
    fn join(&mut self, other: &CountPart) {
        self.left.iter_mut().zip(&other.left).for_each(|(left, more)| *left += more);
        self.rows += other.rows;
    }

    fn rows(&self) -> usize {
        self.rows
    }
}
