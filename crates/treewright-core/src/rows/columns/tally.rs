//! What is added up over the rows of a node, in the two ways this holder knows: counts of classes ([`super::counts`]) and
//! sums of numbers ([`super::sums`]).
//!
//! A search has two kinds of knowledge. *Estimates* are quick, in single precision and never below the truth (but for
//! the slack in [`super::contest`]); they only ever rule cuts out. What a cut *saves* comes from integers in double
//! precision, and decides. Both are shares of what the node costs.
//!
//! Glossary. A *part* is what the rows on the left of a cut add up to. An *edge* is the cut behind a bin; its estimate
//! is of that cut, the *bound* of a bin is above everything that a cut inside it saves.

use super::bins::Bins;
use super::contest::Gap;
use super::counts::Counts;
use super::inherited::Inherited;
use super::kernels::pairs::PairQuery;
use super::kernels::{Isa, LANES};
use super::known::Absent;
use super::segments::Segment;
use super::shape::Shape;
use crate::Result;
use crate::stats::criterion::Criterion;

/// The rows of a node, as searches see them.
#[derive(Debug)]
pub struct NodeContext<'a, T: Tally> {
    /// How they are added up.
    pub tally: &'a T,
    /// What they add up to.
    pub total: &'a T::Total,
    /// What was prepared for the searches of all columns.
    pub prepared: &'a T::Prepared,
    /// Their targets; empty where their places tell them.
    pub targets: &'a [i64],
    /// How many rows.
    pub len: usize,
    /// What they cost as a leaf, in the tally's own unit; more than 0.
    pub cost: f64,
    /// The fewest rows on each side of a cut, at least 1.
    pub min_leaf: usize,
    /// The least weight on each side of a cut; 0 where rows are enough.
    pub min_weight: f64,
    /// See [`super::light::LeafLimits::of_levels`].
    pub min_levels: (u32, f64),
    /// What becomes of rows without a number.
    pub unknowns: Absent,
    /// The instructions in use.
    pub isa: Isa,
}

impl<T: Tally> NodeContext<'_, T> {
    /// The part of some rows.
    pub fn part(&self, which: Which<'_>) -> T::Part {
        let mut part = T::Part::default();
        self.tally.part(self, which, &mut part);
        part
    }

    /// What a search of lanes wants to know.
    pub fn query(&self, floor: f32) -> LaneQuery {
        LaneQuery { rows: self.len, min_leaf: self.min_leaf, floor }
    }

    /// Whether a cut leaves enough rows on both sides.
    pub fn allows(&self, left: usize) -> bool {
        left >= self.min_leaf && left + self.min_leaf <= self.len
    }
}

/// Estimates for the bins of one column.
#[derive(Clone, Debug, Default)]
pub struct Scan {
    edges: Vec<f32>,
    bounds: Vec<f32>,
    high: Vec<f32>,
    sides: Vec<f32>,
    left: Vec<u32>,
    largest: Vec<u32>,
    bins: usize,
    bounded: bool,
}

/// Room to write estimates.
#[derive(Debug)]
pub struct Room<'a> {
    /// Of the cut behind each bin; negative where it is not allowed.
    pub edges: &'a mut [f32],
    /// Of all cuts inside each bin; negative where there is none.
    pub bounds: &'a mut [f32],
    /// How many bins there are; the slices are longer.
    pub bins: usize,
    /// Whether bounds are asked for.
    pub bounded: bool,
    /// Scratch, one number an edge: one more than bins.
    pub high: &'a mut [f32],
    /// Scratch, one number an edge.
    pub sides: &'a mut [f32],
    /// Scratch, one number an edge.
    pub left: &'a mut [u32],
    /// Scratch, one number a bin.
    pub largest: &'a mut [u32],
}

impl Scan {
    /// Makes room for so many bins; what is there is to be overwritten. There is a little more, so that kernels can take
    /// 16 bins at a time.
    pub fn begin(&mut self, bins: usize, bounded: bool) {
        let room = self.left.len().max(bins.next_multiple_of(16) + 1);
        for numbers in [&mut self.edges, &mut self.bounds, &mut self.high, &mut self.sides] {
            numbers.resize(room, 0.0);
        }
        self.left.resize(room, 0);
        self.largest.resize(room, 0);
        (self.bins, self.bounded) = (bins, bounded);
    }

    /// See [`Room::edges`].
    pub fn edges(&self) -> &[f32] {
        &self.edges[..self.bins]
    }

    /// See [`Room::bounds`].
    pub fn bounds(&self) -> &[f32] {
        &self.bounds[..self.bins]
    }

    /// Room to write.
    pub fn room(&mut self) -> Room<'_> {
        let bins = self.bins.next_multiple_of(16);
        Room {
            edges: &mut self.edges[..bins],
            bounds: &mut self.bounds[..bins],
            bins: self.bins,
            bounded: self.bounded,
            high: &mut self.high[..=bins],
            sides: &mut self.sides[..=bins],
            left: &mut self.left[..=bins],
            largest: &mut self.largest[..bins],
        }
    }
}

/// The codes of up to 32 rows; those behind the last row are the greatest code.
pub type Lanes = [u16; LANES];

/// Estimates for the cut behind each of up to 32 rows.
#[derive(Clone, Debug)]
pub struct LaneScan {
    /// The code of each row.
    pub codes: Lanes,
    /// What the cut saves.
    pub saved: [f32; LANES],
    /// How many rows it leaves on the left.
    pub left: [u16; LANES],
    /// Whether all rows have the same code.
    pub constant: bool,
}

impl Default for LaneScan {
    fn default() -> LaneScan {
        LaneScan { codes: [0; LANES], saved: [0.0; LANES], left: [0; LANES], constant: false }
    }
}

/// What a search wants to know of lanes.
#[derive(Clone, Copy, Debug)]
pub struct LaneQuery {
    /// How many rows there are.
    pub rows: usize,
    /// The fewest rows on each side.
    pub min_leaf: usize,
    /// Estimates from here on are of interest.
    pub floor: f32,
}

/// One look at all bins of a column.
#[derive(Debug)]
pub struct Look<'a, T: Tally> {
    /// The rows.
    pub context: &'a NodeContext<'a, T>,
    /// Their codes.
    pub codes: &'a [u16],
    /// The bins, of which none holds rows without a number.
    pub bins: &'a Bins,
    /// The rows without a number, and where they stand.
    pub gap: Gap,
    /// What these rows add up to.
    pub absent: &'a T::Part,
}

/// A node that was divided, and its children.
#[derive(Debug)]
pub struct Children<'a, T: Tally> {
    /// What the rows of the node add up to.
    pub node: &'a T::Total,
    /// Those of the child with fewer rows.
    pub small: &'a T::Total,
    /// Those of the other child.
    pub large: &'a T::Total,
}

/// A number of the statistics that a criterion knows.
pub type Stat<T> = <<T as Leaves>::Criterion as Criterion>::Stat;

/// The rows of a node as a leaf.
pub trait Leaves: Sync + Sized {
    /// The criterion.
    type Criterion: Criterion;
    /// What the rows of a node add up to.
    type Total: Clone + Default + Send + Sync + std::fmt::Debug;

    /// What a set of rows costs and says, as in other engines.
    fn criterion(&self) -> &Self::Criterion;
    /// Uses the statistics of a node as the criterion knows them.
    fn with_stats<R>(&self, total: &Self::Total, use_them: impl FnOnce(&[Stat<Self>]) -> R) -> R;

    /// What a leaf of these rows says.
    fn say(&self, total: &Self::Total, value: &mut [f64]) {
        self.with_stats(total, |stats| self.criterion().value(stats, value));
    }
    /// What they weigh.
    fn weight(&self, total: &Self::Total) -> f64 {
        self.with_stats(total, |stats| self.criterion().weight(stats))
    }
    /// What they cost.
    fn cost(&self, total: &Self::Total) -> f64 {
        self.with_stats(total, |stats| self.criterion().cost(stats))
    }
}

/// What the rows on the left of a cut add up to.
pub trait SidePart: Clone + Default + Send + std::fmt::Debug {
    /// Adds other rows.
    fn join(&mut self, other: &Self);
    /// How many rows there are.
    fn rows(&self) -> usize;
}

/// Some rows of a node.
#[derive(Clone, Copy, Debug)]
pub enum Which<'a> {
    /// None.
    Nothing,
    /// Some of the first 64, by their bits.
    Chosen(u64),
    /// Those with a smaller code in this column.
    Below(&'a [u16], u16),
    /// Those without a number in this column.
    Missing(&'a [u16]),
}

/// A way to add up.
pub trait Tally: Leaves {
    /// What is prepared once a node.
    type Prepared: Default + Send + Sync + std::fmt::Debug;
    /// What the rows of each bin of a column add up to, and room for running totals.
    type Histogram: Default + Send + std::fmt::Debug;
    /// What the rows on the left of a cut add up to.
    type Part: SidePart;

    /// What the rows of a node cost, given that, in a unit in which small integers are exact.
    fn own_cost(&self, total: &Self::Total, cost: f64) -> f64;
    /// The fewest rows that weigh so much; None where rows weigh differently.
    fn rows_of_weight(&self, total: &Self::Total, weight: f64) -> Option<usize>;
    /// Prepares the searches of a node.
    fn prepare(&self, isa: Isa, total: &Self::Total, targets: &[i64], prepared: &mut Self::Prepared) -> Result<()>;

    /// Counts the rows into bins. Those without a number are counted somewhere.
    fn histogram(&self, look: &Look<'_, Self>, out: &mut Self::Histogram) -> Result<()>;
    /// Estimates all cuts between the bins of a histogram; `scan` has been told how many bins, and whether to bound them.
    /// Rows without a number stand beside all cuts, first on the right, then on the left.
    fn estimate(&self, look: &Look<'_, Self>, histogram: &mut Self::Histogram, scan: &mut Scan);
    /// How far rounding may move what a cut saves, beyond what all estimates allow for.
    fn noise(&self, _: &NodeContext<'_, Self>) -> f32 {
        0.0
    }
    /// What is on both sides of an edge of the bins that were estimated last weighs so much.
    fn weights_at_edge(&self, look: &Look<'_, Self>, edge: usize, histogram: &Self::Histogram) -> [f64; 2] {
        let mut part = Self::Part::default();
        self.at_edge(look, edge, histogram, &mut part);
        self.sides(look.context, &part).map(|side| self.criterion().weight(&side))
    }
    /// The part of an edge of the bins that were estimated last.
    fn at_edge(&self, look: &Look<'_, Self>, edge: usize, histogram: &Self::Histogram, part: &mut Self::Part);

    /// The part of some rows, in place of what it was.
    fn part(&self, context: &NodeContext<'_, Self>, which: Which<'_>, part: &mut Self::Part);
    /// Adds the row at a place.
    fn add(&self, context: &NodeContext<'_, Self>, part: &mut Self::Part, place: usize);
    /// The statistics of the rows on the left of a cut and of those on its right.
    fn sides(&self, context: &NodeContext<'_, Self>, part: &Self::Part) -> [Vec<Stat<Self>>; 2];
    /// What the cut behind these rows saves; None where it is seen sooner that it is less than an estimate of `floor`.
    fn saved(&self, context: &NodeContext<'_, Self>, part: &Self::Part, floor: f32) -> Option<f64>;
    /// More than any cut saves that has `before` on its left and nothing that is not in `after`.
    fn bound(&self, context: &NodeContext<'_, Self>, before: &Self::Part, after: &Self::Part) -> f64;

    /// Adds each row to the statistics of its code and counts it; greater codes than `last` are taken for it.
    fn by_code(
        &self,
        context: &NodeContext<'_, Self>,
        codes: &[u16],
        last: u16,
        stats: &mut [Stat<Self>],
        counts: &mut [u32],
    );
    /// What both sides add up to when bit `i` of the mask sends row `i` to the left, in place of what `sides` was.
    fn divide(&self, total: &Self::Total, targets: &[i64], mask: &[u32], sides: [&mut Self::Total; 2]) -> Result<()>;
}

/// How the columns of small nodes are searched: row by row, in registers.
pub trait SmallNodes: Tally {
    /// Whether a node of so many rows is small enough.
    fn fits_lanes(&self, _: Isa, _: &Self::Total, len: usize) -> bool {
        len <= LANES
    }
    /// Estimates the cut behind each of the first few codes (more may follow), and tells the lanes of interest.
    fn scan_lanes(&self, context: &NodeContext<'_, Self>, codes: &[u16], floor: f32, scan: &mut LaneScan) -> u32;
    /// Whether equal estimates mean equal savings, and greater ones greater savings.
    fn lanes_are_exact(&self, _: &NodeContext<'_, Self>) -> bool {
        false
    }
    /// The same as counts of classes, and the rows of a node, where they are that.
    fn as_counts<'s>(&'s self, _: &'s Self::Total) -> Option<(&'s Counts<'s>, &'s [Segment])> {
        None
    }
    /// The shape of a node, where classes count alike under Gini's index.
    fn gini_shape<'s>(&self, _: &NodeContext<'s, Self>) -> Option<Shape<'s>> {
        None
    }
    /// What the kernel for two classes asks, where it can be used.
    fn pairs<'s>(&self, _: &NodeContext<'s, Self>) -> Option<(PairQuery<'s>, Shape<'s>)> {
        None
    }
}

/// Histograms that the children of a large node take over. By default none does.
pub trait Inherit: Tally {
    /// A copy of what was just counted, if the node's children could use it.
    fn keep(&self, _: &NodeContext<'_, Self>, _: &Bins, _: &Self::Histogram) -> Result<Option<Inherited>> {
        Ok(None)
    }
    /// As [`Tally::histogram`], of a histogram that the node has inherited.
    fn recall(&self, _: &Inherited, _: &mut Self::Histogram) -> Result<()> {
        Ok(())
    }
    /// The histograms of a node's smaller and larger child, where they are worth having: the rows of the smaller one are
    /// counted, the rest of the node's are the larger one's.
    fn subtract(
        &self,
        _: Inherited,
        _: &Children<'_, Self>,
        _codes: &[u16],
        _: &mut Self::Histogram,
    ) -> Result<[Option<Inherited>; 2]> {
        Ok([None, None])
    }
}

/// All that growing a tree on columns needs.
pub trait ColumnTally: SmallNodes + Inherit {}

impl<T: SmallNodes + Inherit> ColumnTally for T {}
