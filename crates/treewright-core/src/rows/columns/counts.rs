//! Counts of classes. Rows stand in the order of their classes, and stable partitions keep them so: the rows of a node
//! are one segment for each class, and no label is ever looked at. Rows that count several times, as in a bootstrap
//! sample, stand in segments of their own: within a segment all count the same, so adding a row costs what it did.
//!
//! Glossary. *Rows* are counted as they are, which limits on rows ask for; *times* is how often they count, which decides
//! what a cut saves.

use super::bins::Bins;
use super::inherited::Inherited;
use super::kernels::codes::count_below;
use super::kernels::duo::{self, DUO_TIMES, Duo};
use super::kernels::formula::Formula;
use super::kernels::histogram::{self, Counts as Below};
use super::kernels::lanes::{LANES, TIMES};
use super::kernels::pairs::{PAIR_TIMES, PAIRS, PairQuery, Weights};
use super::kernels::{Isa, Limits, forbid};
use super::light::fewest_rows;
use super::node::ABSENT;
use super::tally::{Children, LaneScan, Look, NodeContext, Scan, Tally};
use super::tile;
use crate::Result;
use crate::stats::criterion::{ClassCriterion, ClassFactors, Criterion};
use crate::sys::memory::room;

/// The rows of one class in a node that count so many times.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Segment {
    /// The class.
    pub class: u32,
    /// How many rows.
    pub len: u32,
    /// How often each of them counts.
    pub times: u32,
}

/// How often the rows of a node count, class by class.
#[derive(Debug, Default)]
pub struct Prepared {
    /// For each class that occurs, in their order.
    classes: Vec<u32>,
    /// Which classes these are.
    labels: Vec<u32>,
    /// See [`Formula::factor`].
    factors: Vec<f64>,
    all: usize,
    /// What each row counts, where [`Tally::pairs`] is used, and the sum of its squares.
    weights: Weights,
    squares: u32,
    /// For each row the place of its class and how often it counts, where segments are so short that looking for a
    /// row's takes long; else empty.
    rows: Vec<(u32, u32)>,
    /// What each row of two classes counts, where [`duo`] is used; else empty.
    packed: Vec<u32>,
}

/// Nodes of two classes of at most so many rows are counted class by class at once; in larger ones segments are long.
const DUO: usize = 1 << 10;

/// Segments of fewer rows, on average, are short.
const SHORT: usize = 64;

/// The rows on the left of a cut.
#[derive(Clone, Debug, Default)]
pub struct Part {
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
}

/// For each class of a node how many of its rows are in each bin, one place further on; after the estimates how many are
/// on its left.
#[derive(Debug, Default)]
pub struct Histogram {
    below: Vec<Below>,
    /// Whether the counts of both classes are packed in the first.
    packed: bool,
}

impl Histogram {
    /// Makes room for so many classes; what is there is to be overwritten.
    fn begin(&mut self, classes: usize) -> Result<&mut [Below]> {
        if self.below.len() < classes {
            // 16 KB a class: with many classes this is the largest piece of memory of all.
            self.below.try_reserve_exact(classes - self.below.len())?;
            self.below.resize(classes, [0; _]);
        }
        self.packed = false;
        Ok(&mut self.below[..classes])
    }
}

/// What formulas know about a node.
#[derive(Clone, Copy, Debug)]
pub struct Shape<'a> {
    /// The rows, class after class.
    pub segments: &'a [Segment],
    /// How often the rows of each class count.
    pub classes: &'a [u32],
    /// Which classes these are.
    pub labels: &'a [u32],
    /// See [`Formula::factor`].
    pub factors: &'a [f64],
    /// The weight of each row, in the criterion's units.
    pub units: u64,
    /// How often all of them count.
    pub rows: usize,
    /// What they cost when each counts 1, or its factor.
    pub cost: f64,
    /// The instructions in use.
    pub isa: Isa,
}

impl<'a> Counts<'a> {
    /// The criterion.
    pub fn criterion(&self) -> &'a ClassCriterion<'a> {
        self.formula.criterion
    }

    fn shape<'s>(&self, context: &NodeContext<'s, Self>) -> Shape<'s> {
        let Prepared { classes, labels, factors, all, .. } = context.prepared;
        let (segments, units) = (context.total.as_slice(), self.units);
        Shape { segments, classes, labels, factors, units, rows: *all, cost: context.cost, isa: context.isa }
    }

    /// Both classes of a node, where they are counted at once.
    fn duo<'s>(&self, context: &NodeContext<'s, Self>) -> Option<Duo<'s>> {
        let Prepared { packed, classes, all, .. } = context.prepared;
        (!packed.is_empty()).then(|| Duo {
            weights: packed,
            times: [*all as u32, classes[1]],
            scale: (2.0 / (*all as f64 * context.cost)) as f32,
        })
    }

    /// The statistics that the criterion asks for.
    fn with_stats<R>(&self, total: &[Segment], use_them: impl FnOnce(&[u64]) -> R) -> R {
        let width = self.formula.criterion.width();
        let fill = |stats: &mut [u64]| {
            for segment in total {
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
}

impl Prepared {
    /// Packs what each row counts.
    fn pack(&mut self, total: &[Segment]) {
        self.weights.0.fill(0);
        self.squares = 0;
        for (place, segment, rows) in places(total) {
            let times = segment.times as u16;
            self.weights.0[rows].fill(if place == 0 { times } else { times << 8 | times });
            self.squares += segment.len * segment.times * segment.times;
        }
    }
}

/// Segments with the place of their class among those that occur, and where their rows begin and end.
pub fn places(segments: &[Segment]) -> impl Iterator<Item = (usize, Segment, std::ops::Range<usize>)> {
    let (mut start, mut place, mut last) = (0, 0, None);
    segments.iter().map(move |&segment| {
        place += usize::from(last.is_some_and(|class| class != segment.class));
        last = Some(segment.class);
        let rows = start..start + segment.len as usize;
        start = rows.end;
        (place, segment, rows)
    })
}

/// How far counts are in use. One more than the bins: bin `b` lies between the counts at `b` and `b + 1`. Kernels take 16
/// at a time.
fn used(bins: &Bins) -> usize {
    bins.count().next_multiple_of(16) + 16
}

/// Counts rows into bins, class by class; `place` tells where a class is among those of the node.
fn count(total: &[Segment], codes: &[u16], bins: &Bins, below: &mut [Below], place: impl Fn(usize, u32) -> usize) {
    let used = used(bins);
    below.iter_mut().for_each(|below| below[..used].fill(0));
    for (at, segment, rows) in places(total) {
        histogram::count(&codes[rows], bins, segment.times, &mut below[place(at, segment.class)]);
    }
}

/// Leaves out the rows without a number, all of which were counted into one bin, and adds up from the left.
fn accumulate(look: &Look<'_, Counts<'_>>, below: &mut [Below]) {
    let Look { context, bins, gap, absent, .. } = *look;
    let (used, bin) = (used(bins), bins.of(ABSENT) + 1);
    if gap.rows > 0 && bin < used {
        below.iter_mut().zip(&absent.left).for_each(|(below, left)| below[bin] -= left);
    }
    below.iter_mut().for_each(|below| histogram::accumulate(context.isa, below, used));
}

/// How many rows and classes a node has.
fn size(total: &[Segment]) -> (usize, usize) {
    let rows = total.iter().map(|segment| segment.len as usize).sum();
    (rows, places(total).last().map_or(0, |(place, ..)| place + 1))
}

/// Adds rows without a number to all that is on the left.
fn shift(absent: &Part, bins: &Bins, below: &mut [Below]) {
    for (below, left) in below.iter_mut().zip(&absent.left) {
        below[..used(bins)].iter_mut().for_each(|count| *count += left);
    }
}

impl<'a> Tally for Counts<'a> {
    type Criterion = ClassCriterion<'a>;
    type Total = Vec<Segment>;
    type Prepared = Prepared;
    type Histogram = Histogram;
    type Part = Part;

    fn outputs(&self) -> usize {
        self.formula.criterion.outputs()
    }

    fn say(&self, total: &Vec<Segment>, value: &mut [f64]) {
        self.with_stats(total, |stats| self.formula.criterion.value(stats, value));
    }

    fn weight(&self, total: &Vec<Segment>) -> f64 {
        self.with_stats(total, |stats| self.formula.criterion.weight(stats))
    }

    fn cost(&self, total: &Vec<Segment>) -> f64 {
        self.with_stats(total, |stats| self.formula.criterion.cost(stats))
    }

    fn own_cost(&self, _: &Vec<Segment>, cost: f64) -> f64 {
        cost / self.weight
    }

    fn rows_of_weight(&self, total: &Vec<Segment>, weight: f64) -> Option<usize> {
        let alike = self.criterion().factors().is_none() && total.iter().all(|segment| segment.times == 1);
        let unit = self.criterion().unit();
        alike.then(|| fewest_rows(weight, |rows| rows.saturating_mul(self.units) as f64 * unit))
    }

    fn prepare(&self, total: &Vec<Segment>, _: &[i64], prepared: &mut Prepared) -> Result<()> {
        prepared.classes.clear();
        prepared.labels.clear();
        prepared.factors.clear();
        for (place, segment, _) in places(total) {
            if place == prepared.classes.len() {
                prepared.classes.push(0);
                prepared.labels.push(segment.class);
                prepared.factors.push(self.formula.factor(segment.class));
            }
            prepared.classes[place] += segment.len * segment.times;
        }
        prepared.all = prepared.classes.iter().map(|&times| times as usize).sum();
        let rows: usize = total.iter().map(|segment| segment.len as usize).sum();
        prepared.rows.clear();
        prepared.packed.clear();
        let two = self.formula.is_plain_gini() && prepared.classes.len() == 2;
        if two && prepared.all <= PAIR_TIMES && rows <= PAIRS {
            prepared.pack(total);
        } else if two && prepared.all <= DUO_TIMES && rows <= DUO {
            for (place, segment, _) in places(total) {
                let weight = duo::pack(place == 1, segment.times);
                prepared.packed.extend(std::iter::repeat_n(weight, segment.len as usize));
            }
        } else if rows < SHORT * total.len() {
            prepared.rows.try_reserve(rows)?;
            for (place, segment, _) in places(total) {
                prepared.rows.extend(std::iter::repeat_n((place as u32, segment.times), segment.len as usize));
            }
        }
        Ok(())
    }

    fn criterion(&self) -> &ClassCriterion<'a> {
        self.formula.criterion
    }

    fn stats(&self, total: &Vec<Segment>) -> Vec<u64> {
        self.with_stats(total, <[u64]>::to_vec)
    }

    fn sides(&self, context: &NodeContext<'_, Self>, part: &Part) -> [Vec<u64>; 2] {
        let mut sides = [vec![0; self.formula.criterion.width()], vec![0; self.formula.criterion.width()]];
        let Prepared { classes, labels, .. } = context.prepared;
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

    fn histogram(&self, look: &Look<'_, Self>, out: &mut Histogram) -> Result<()> {
        let Look { context, codes, bins, gap, .. } = *look;
        let below = out.begin(context.prepared.classes.len())?;
        if let (Some(duo), 1, 0) = (self.duo(context), context.min_leaf, gap.rows) {
            duo.count(codes, bins, &mut below[0]);
            out.packed = true;
        } else {
            count(context.total, codes, bins, below, |place, _| place);
        }
        Ok(())
    }

    fn keep(&self, context: &NodeContext<'_, Self>, bins: &Bins, histogram: &Histogram) -> Result<Option<Inherited>> {
        let classes = context.prepared.classes.len();
        if histogram.packed || !Inherited::pays(context.len, bins.count(), classes) {
            return Ok(None);
        }
        Ok(Some(Inherited::of(bins, histogram.below[..classes].iter().map(|below| &below[1..]))?))
    }

    fn recall(&self, inherited: &Inherited, out: &mut Histogram) -> Result<()> {
        let (bins, used) = (inherited.bins.count(), used(&inherited.bins));
        let below = out.begin(inherited.counts.len() / bins)?;
        for (below, counts) in below.iter_mut().zip(inherited.counts.chunks_exact(bins)) {
            below[0] = 0;
            below[1..=bins].copy_from_slice(counts);
            below[bins + 1..used].fill(0);
        }
        Ok(())
    }

    fn subtract(
        &self,
        mut inherited: Inherited,
        children: &Children<'_, Self>,
        codes: &[u16],
        scratch: &mut Histogram,
    ) -> Result<[Option<Inherited>; 2]> {
        let (bins, (_, classes)) = (inherited.bins, size(children.node));
        let worth = |total: &[Segment]| {
            let (rows, own) = size(total);
            own == classes && Inherited::pays(rows, bins.count(), classes)
        };
        if !worth(children.large) {
            return Ok([None, None]);
        }
        let below = scratch.begin(classes)?;
        let place = |class: u32| places(children.node).find(|(_, segment, _)| segment.class == class);
        count(children.small, codes, &bins, below, |_, class| place(class).map_or(0, |(place, ..)| place));
        for (counts, below) in inherited.counts.chunks_exact_mut(bins.count()).zip(below.iter()) {
            counts.iter_mut().zip(&below[1..]).for_each(|(count, small)| *count -= small);
        }
        let small = match worth(children.small) {
            true => Some(Inherited::of(&bins, below.iter().map(|below| &below[1..]))?),
            false => None,
        };
        Ok([small, Some(inherited)])
    }

    fn estimate(&self, look: &Look<'_, Self>, histogram: &mut Histogram, scan: &mut Scan) {
        let Look { context, codes, bins, gap, .. } = *look;
        if let (Some(duo), true) = (self.duo(context), histogram.packed) {
            duo.estimate(context.isa, &mut histogram.below[0], &mut scan.room());
            return;
        }
        let below = &mut histogram.below[..context.prepared.classes.len()];
        if gap.left {
            shift(look.absent, bins, below);
        } else {
            accumulate(look, below);
        }
        let repeated = context.prepared.all != context.len;
        let shape = self.shape(context);
        self.formula.scan(&shape, below, scan);
        let limits = Limits { rows: context.len, min_leaf: context.min_leaf };
        let times = |at: usize| below.iter().map(|below| below[at] as usize).sum::<usize>();
        if !repeated {
            forbid(self.formula, &shape, below, limits, times, scan);
        } else if context.min_leaf == 1 {
            // As many times on a side as a row, or none.
            forbid(self.formula, &shape, below, Limits { rows: shape.rows, min_leaf: 1 }, times, scan);
        } else {
            let rows = |at: usize| {
                gap.on_left()
                    + match at {
                        0 => 0,
                        _ if at >= bins.count() => context.len - gap.rows as usize,
                        _ => count_below(context.isa, codes, bins.first(at)) as usize,
                    }
            };
            forbid(self.formula, &shape, below, limits, rows, scan);
        }
    }

    fn at_edge(&self, look: &Look<'_, Self>, edge: usize, scratch: &Histogram, part: &mut Part) {
        let Look { context, codes, bins, gap, .. } = *look;
        part.left.clear();
        if scratch.packed {
            part.left.extend(duo::unpack(scratch.below[0][edge + 1]));
        } else {
            part.left.extend(scratch.below[..context.prepared.classes.len()].iter().map(|below| below[edge + 1]));
        }
        part.rows = if context.prepared.all == context.len {
            part.left.iter().map(|&left| left as usize).sum()
        } else if edge + 1 == bins.count() {
            gap.on_left() + context.len - gap.rows as usize
        } else {
            gap.on_left() + count_below(context.isa, codes, bins.first(edge + 1)) as usize
        };
    }

    fn scan_lanes(&self, context: &NodeContext<'_, Self>, codes: &[u16], floor: f32, scan: &mut LaneScan) -> u32 {
        self.formula.scan_lanes(&self.shape(context), codes, &context.query(floor), scan)
    }

    fn noise(&self, context: &NodeContext<'_, Self>) -> f32 {
        self.formula.noise(&self.shape(context)) as f32
    }

    fn fits_lanes(&self, context: &NodeContext<'_, Self>) -> bool {
        (context.len <= LANES && context.prepared.all <= TIMES) || self.pairs(context).is_some()
    }

    fn lanes_are_exact(&self, context: &NodeContext<'_, Self>) -> bool {
        self.formula.lanes_are_exact(context.prepared.all, context.prepared.classes.len())
    }

    fn pairs<'s>(&self, context: &NodeContext<'s, Self>) -> Option<(PairQuery<'s>, Shape<'s>)> {
        let prepared = context.prepared;
        if !self.formula.is_plain_gini()
            || prepared.classes.len() != 2
            || context.len > PAIRS
            || prepared.all > PAIR_TIMES
        {
            return None;
        }
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

    fn nothing(&self, context: &NodeContext<'_, Self>) -> Part {
        Part { left: vec![0; context.prepared.classes.len()], rows: 0 }
    }

    fn chosen(&self, context: &NodeContext<'_, Self>, rows: u64, part: &mut Part) {
        part.left.clear();
        part.left.resize(context.prepared.classes.len(), 0);
        part.rows = rows.count_ones() as usize;
        for (place, segment, span) in places(context.total) {
            let here = rows >> span.start.min(63) & tile::all(span.len());
            part.left[place] += here.count_ones() * segment.times;
        }
    }

    fn below(&self, context: &NodeContext<'_, Self>, codes: &[u16], code: u16, part: &mut Part) {
        part.left.clear();
        if !context.prepared.packed.is_empty() {
            part.left.extend(duo::unpack(duo::below(context.isa, codes, &context.prepared.packed, code)));
            part.rows = count_below(context.isa, codes, code) as usize;
            return;
        }
        part.left.resize(context.prepared.classes.len(), 0);
        part.rows = 0;
        for (place, segment, span) in places(context.total) {
            let rows = count_below(context.isa, &codes[span], code);
            part.left[place] += rows * segment.times;
            part.rows += rows as usize;
        }
    }

    fn absent(&self, context: &NodeContext<'_, Self>, codes: &[u16], part: &mut Part) {
        part.left.clear();
        part.left.resize(context.prepared.classes.len(), 0);
        part.rows = 0;
        for (place, segment, span) in places(context.total) {
            let rows = segment.len - count_below(context.isa, &codes[span], ABSENT);
            part.left[place] += rows * segment.times;
            part.rows += rows as usize;
        }
    }

    fn join(part: &mut Part, other: &Part) {
        part.left.iter_mut().zip(&other.left).for_each(|(left, more)| *left += more);
        part.rows += other.rows;
    }

    fn add(&self, context: &NodeContext<'_, Self>, part: &mut Part, row: usize) {
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

    fn count(part: &Part) -> usize {
        part.rows
    }

    fn reaches(&self, context: &NodeContext<'_, Self>, part: &Part, floor: f32) -> bool {
        let (false, &[first, second]) = (context.prepared.packed.is_empty(), &part.left[..]) else { return true };
        let (all, m, l) = (context.prepared.all as f64, f64::from(first + second), f64::from(second));
        let e = l * all - m * f64::from(context.prepared.classes[1]);
        2.0 * e * e >= f64::from(floor) * (all * context.cost) * (m * (all - m))
    }

    fn saved(&self, context: &NodeContext<'_, Self>, part: &Part) -> f64 {
        self.formula.saved(&self.shape(context), &part.left)
    }

    fn bound(&self, context: &NodeContext<'_, Self>, before: &Part, after: &Part) -> f64 {
        self.formula.bound(&self.shape(context), &before.left, &after.left)
    }

    fn divide(&self, total: &Vec<Segment>, _: &[i64], mask: &[u32]) -> Result<[Vec<Segment>; 2]> {
        let (mut left, mut right) = (room(total.len())?, room(total.len())?);
        let few = (mask.len() <= 2).then(|| mask.iter().rev().fold(0, |bits, &word| bits << 32 | u64::from(word)));
        let mut start = 0;
        for segment in total {
            let end = start + segment.len as usize;
            let len = match few {
                Some(bits) => (bits >> start.min(63) & tile::all(segment.len as usize)).count_ones(),
                None => histogram::count_bits(mask, start..end),
            };
            for (side, len) in [(&mut left, len), (&mut right, segment.len - len)] {
                if len > 0 {
                    side.push(Segment { len, ..*segment });
                }
            }
            start = end;
        }
        Ok([left, right])
    }
}
