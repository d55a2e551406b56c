//! Counts of classes. Rows stand in the order of their classes, and stable partitions keep them so: the rows of a node
//! are one segment for each class, and no label is ever looked at.

use super::bins::Bins;
use super::kernels::Isa;
use super::kernels::codes::count_below;
use super::kernels::histogram::{self, Counts as Below};
use super::tally::{LaneScan, Scan, Set, Tally, Wish};
use crate::learn::criterion::Criterion;

/// The rows of one class in a node.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Segment {
    /// The class.
    pub class: u32,
    /// How many rows.
    pub len: u32,
}

/// Counts of classes under a criterion.
#[derive(Debug)]
pub struct Counts<'a, C> {
    /// What a set of rows costs and says.
    pub criterion: &'a C,
    /// The weight of each row, in the criterion's units.
    pub units: u64,
    /// The same in the caller's unit.
    pub weight: f64,
}

/// For each class of a node, how many of its rows are on the left of each bin.
#[derive(Debug, Default)]
pub struct Bench {
    below: Vec<Below>,
}

/// How a criterion estimates what cuts save.
pub trait Formula: Criterion<Stat = u64> {
    /// Estimates all edges and bounds. `below` holds for each class how many rows are on the left of each bin and of the
    /// end.
    fn scan(set: &Shape<'_>, below: &[Below], scan: &mut Scan);
    /// Estimates the cut behind each lane, and tells the lanes of interest.
    fn scan_lanes(set: &Shape<'_>, codes: &[u16], wish: &Wish, scan: &mut LaneScan) -> u32;
    /// Whether estimates of lanes compare as savings do.
    fn lanes_are_exact(rows: usize, classes: usize) -> bool;
    /// What a cut saves.
    fn saved(set: &Shape<'_>, left: &[u32]) -> f64;
    /// More than any cut between two saves.
    fn bound(set: &Shape<'_>, before: &[u32], after: &[u32]) -> f64;
}

/// What formulas know about a node.
#[derive(Clone, Copy, Debug)]
pub struct Shape<'a> {
    /// The classes that occur.
    pub segments: &'a [Segment],
    /// How many rows.
    pub rows: usize,
    /// The fewest rows on each side.
    pub min_leaf: usize,
    /// What they cost when each row weighs 1.
    pub cost: f64,
    /// The instructions in use.
    pub isa: Isa,
}

impl<C: Formula> Counts<'_, C> {
    fn shape<'s>(&self, set: &Set<'s, Self>) -> Shape<'s> {
        let (segments, isa) = (set.total.as_slice(), set.isa);
        Shape { segments, rows: set.len, min_leaf: set.min_leaf, cost: set.cost, isa }
    }

    /// The statistics that the criterion asks for.
    fn with_stats<R>(&self, total: &[Segment], use_them: impl FnOnce(&[u64]) -> R) -> R {
        let width = self.criterion.width();
        let fill = |stats: &mut [u64]| {
            total.iter().for_each(|segment| stats[segment.class as usize] = u64::from(segment.len) * self.units);
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

impl<C: Formula> Tally for Counts<'_, C> {
    type Total = Vec<Segment>;
    type Notes = ();
    type Bench = Bench;
    type Part = Vec<u32>;

    fn outputs(&self) -> usize {
        self.criterion.outputs()
    }

    fn say(&self, total: &Vec<Segment>, value: &mut [f64]) {
        self.with_stats(total, |stats| self.criterion.value(stats, value));
    }

    fn weight(&self, total: &Vec<Segment>) -> f64 {
        self.with_stats(total, |stats| self.criterion.weight(stats))
    }

    fn cost(&self, total: &Vec<Segment>) -> f64 {
        self.with_stats(total, |stats| self.criterion.cost(stats))
    }

    fn own_cost(&self, total: &Vec<Segment>) -> f64 {
        self.cost(total) / self.weight
    }

    fn prepare(&self, _: &Vec<Segment>, _: &[i64], _: &mut ()) {}

    fn scan(&self, set: &Set<'_, Self>, codes: &[u16], bins: &Bins, bench: &mut Bench, scan: &mut Scan) {
        let classes = set.total.len();
        if bench.below.len() < classes {
            bench.below.resize(classes, [0; _]);
        }
        let mut start = 0;
        for (segment, below) in set.total.iter().zip(&mut bench.below) {
            let end = start + segment.len as usize;
            // One more than the bins: bin `b` lies between the counts at `b` and `b + 1`. Kernels take 16 at a time.
            let used = bins.count().next_multiple_of(16) + 16;
            below[..used].fill(0);
            histogram::count(&codes[start..end], bins, below);
            histogram::accumulate(set.isa, below, used);
            start = end;
        }
        C::scan(&self.shape(set), &bench.below[..classes], scan);
    }

    fn at_edge(&self, set: &Set<'_, Self>, _: &[u16], _: &Bins, edge: usize, bench: &Bench, part: &mut Vec<u32>) {
        part.clear();
        part.extend(bench.below[..set.total.len()].iter().map(|below| below[edge + 1]));
    }

    fn scan_lanes(&self, set: &Set<'_, Self>, codes: &[u16], floor: f32, scan: &mut LaneScan) -> u32 {
        C::scan_lanes(&self.shape(set), codes, &set.wish(floor), scan)
    }

    fn lanes_are_exact(&self, set: &Set<'_, Self>) -> bool {
        C::lanes_are_exact(set.len, set.total.len())
    }

    fn nothing(&self, set: &Set<'_, Self>) -> Vec<u32> {
        vec![0; set.total.len()]
    }

    fn chosen(&self, set: &Set<'_, Self>, rows: u32) -> Vec<u32> {
        let mut rest = u64::from(rows);
        let count = |segment: &Segment| {
            let count = (rest & ((1 << segment.len) - 1)).count_ones();
            rest >>= segment.len;
            count
        };
        set.total.iter().map(count).collect()
    }

    fn below(&self, set: &Set<'_, Self>, codes: &[u16], code: u16, part: &mut Vec<u32>) {
        part.clear();
        let mut start = 0;
        for segment in set.total {
            let end = start + segment.len as usize;
            part.push(count_below(set.isa, &codes[start..end], code));
            start = end;
        }
    }

    fn add(&self, set: &Set<'_, Self>, part: &mut Vec<u32>, place: usize) {
        let mut end = 0;
        for (segment, count) in set.total.iter().zip(part) {
            end += segment.len as usize;
            if place < end {
                *count += 1;
                return;
            }
        }
    }

    fn count(part: &Vec<u32>) -> usize {
        part.iter().map(|&count| count as usize).sum()
    }

    fn saved(&self, set: &Set<'_, Self>, part: &Vec<u32>) -> f64 {
        C::saved(&self.shape(set), part)
    }

    fn bound(&self, set: &Set<'_, Self>, before: &Vec<u32>, after: &Vec<u32>) -> f64 {
        C::bound(&self.shape(set), before, after)
    }

    fn divide(&self, total: &Vec<Segment>, _: &[i64], mask: &[u32]) -> [Vec<Segment>; 2] {
        let (mut left, mut right) = (Vec::with_capacity(total.len()), Vec::with_capacity(total.len()));
        let mut start = 0;
        for segment in total {
            let end = start + segment.len as usize;
            let len = histogram::count_bits(mask, start..end);
            let class = segment.class;
            for (side, len) in [(&mut left, len), (&mut right, segment.len - len)] {
                if len > 0 {
                    side.push(Segment { class, len });
                }
            }
            start = end;
        }
        [left, right]
    }
}
